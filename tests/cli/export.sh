#!/usr/bin/env bash
# perennial export of stores of one and of several shards: broken off and gone on with, it prints what one does that was not; what is
# lost of one shard takes nothing from the others.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
export_of() { local state=$1; shift; "$PERENNIAL" export --state="$state" --now=2026-02-02 "$@"; }
last_url() { tail -n 1 "$1" | sed 's/.*"url":"\([^"]*\)".*/\1/'; }

for i in $(seq 1 700); do echo "http://h$((i % 60)).example/$i"; done >urls
for shards in 1 16 8192; do
	S=store-$shards
	[ $shards = 8192 ] && head -n 40 urls >these || cp urls these
	"$PERENNIAL" init --state=$S --shards=$shards
	"$PERENNIAL" add --state=$S --now=2026-01-01 these 2>/dev/null
	export_of $S >whole
	same "an export of $shards has all" "$(wc -l <whole)" "$(wc -l <these)"
	different=0
	for lines in 1 2 30 256 257 512 $(($(wc -l <whole) - 1)) $(wc -l <whole); do
		head -n $lines whole >part
		export_of $S --after="$(last_url part)" >>part || different=$((different + 1))
		cmp -s part whole || different=$((different + 1))
	done
	same "an export of $shards that was broken off behind any page is gone on with" "$different" 0
done

# What a kill leaves ends anywhere in a line.
export_of store-16 | head -c 30000 >part
sed -i '$d' part
url=$(last_url part)
export_of store-16 --after="$url" >>part
same "an export that was cut off within a line is gone on with behind the last whole one" "$(cmp part <(export_of store-16))" ""
"$PERENNIAL" forget --state=store-16 "$url" 2>/dev/null
same "an export is gone on with behind a page that was forgotten meanwhile" \
	"$(export_of store-16 --after="$url" | cmp - <(export_of store-16 | tail -n "$(export_of store-16 --after="$url" | wc -l)"); export_of store-16 --after="$url" | wc -l)" \
	"$(($(wc -l <part) - $(grep -n "\"$url\"" part | cut -d: -f1)))"
code "an export behind no URL is refused" 3 export_of store-16 --after='not a URL'
code "an export that could not be written fails" 3 bash -c '"$PERENNIAL" export --state=store-16 >/dev/full'

# One shard is lost.
export_of store-16 >whole
mv store-16.5 away
code "an export without one of the shards has left something out" 1 export_of store-16
printf '%s\n' "$out" >rest
like "an export says which shard it lacks" "$err" "store-16.5: is not there"
mv away store-16.5
ok "an export without one of the shards has what is before and behind it" test "$(head -n 1 rest)" = "$(head -n 1 whole)" -a "$(tail -n 1 rest)" = "$(tail -n 1 whole)"
same "an export without one of the shards lacks no other pages" "$(comm -13 <(sort rest) <(sort whole) | wc -l)" \
	"$("$PERENNIAL" stats --state=store-16 --shards --format=tsv | sed -n 's/^5	\([0-9]*\).*/\1/p')"
# Who reads no further holds nothing fast: what is written meanwhile takes the room that it takes anyhow.
pages() { seq 3000 | sed 's|^|http://slow.example/some/long/path/to/a/page/|'; }
"$PERENNIAL" init --state=slow 2> /dev/null && pages | "$PERENNIAL" add --state=slow 2> /dev/null
cp -r slow alone
mkfifo pipe && exec 3<> pipe
"$PERENNIAL" export --state=slow > pipe 2> /dev/null &
exporting=$!
read -r -t 60 line <&3
like "an export that nobody reads on has begun" "$line" '^\{"url":"http://slow'
for store in slow alone; do
	for weight in 2 3 4 5 6 7 8 9; do pages | "$PERENNIAL" add --state=$store --weight=$weight 2> /dev/null; done
done
ok "an export that nobody reads on is still there" kill -0 $exporting
grown=$(stat -c %s slow/data.mdb) usual=$(stat -c %s alone/data.mdb)
ok "a store becomes no larger beside an export than alone ($grown and $usual bytes)" test "$grown" -le $((usual + usual / 20))
kill $exporting && exec 3>&-
wait $exporting 2> /dev/null

done_testing
