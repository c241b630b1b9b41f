#!/usr/bin/env bash
# A store in another number of shards, with other giants: the new one has all that the old one had, and does the same.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
reshard() { "$PERENNIAL" reshard "$@"; }
# Loads are summed shard by shard, in another order: the last digits of what follows from a sum may differ.
digits() { sed -E 's/(\.[0-9]{6})[0-9]+/\1/g'; }
pages() { "$PERENNIAL" export --state="$1" --now=2026-02-03 | sort; }
copy() { mkdir -p "$2" && cp -r "$1" "$1".[0-9]* "$2" 2>/dev/null; [ -d "$2/$1" ]; }
# What is due at four times, of a copy: nobody else asks the store.
due() {
	rm -rf "asked-$1" && copy "$1" "asked-$1"
	for now in 2026-02-02T00:00:00Z 2026-02-02T01:30:00Z 2026-02-04T00:00:00Z 2026-03-01T00:00:00Z; do
		"$PERENNIAL" due --state="asked-$1/$1" --now=$now --limit=2000 --lease=1h 2>/dev/null | sort
		echo
	done
}
told() {
	pages "$1" | digits
	"$PERENNIAL" check --state="$1"
	"$PERENNIAL" stats --state="$1" --now=2026-02-03 2>&1 | grep -v '^shards ' | digits
	"$PERENNIAL" stats --state="$1" --now=2026-02-03 --sources --format=tsv 2>&1 | sort | digits
	due "$1"
}
check_same() { same "$1" "$(told "$2" | diff - "$3" | head -n 6)" ""; }

for i in $(seq 1 400); do echo "http://h$((i % 40)).example/$i $((i % 5 + 1))"; done >urls
printf '%s\n' http://h2.example/2 http://h2.example/new http://g.example/4 >list
"$PERENNIAL" synth --seed=3 --pages=30 --captures=6 --warc=captures.warc.gz 2>/dev/null
seq -f 'http://g.example/%.0f' 120 >of_giant
live() {
	"$PERENNIAL" add --state="$1" --now=2026-01-01 urls of_giant
	"$PERENNIAL" due --state="$1" --now=2026-01-01T01:00:00Z --limit=30 --lease=1h
	"$PERENNIAL" observe --state="$1" captures.warc.gz
	"$PERENNIAL" hint --state="$1" --now=2026-02-01T02:30:00Z list
	"$PERENNIAL" due --state="$1" --now=2026-02-01T23:30:00Z --limit=20 --lease=1h
} >/dev/null 2>&1
"$PERENNIAL" init --state=one --threshold=0.1 && live one
told one >one.told
ok "a store to compare with has pages, and some are due" test "$(wc -l <one.told)" -gt 600 -a "$(due one | grep -c http)" -gt 40
cp -r one untouched

# From one to many and back.
from=one
for shards in 8 4 64 1; do
	code "a store is spread over another number of shards, $shards from $from" 0 reshard --state=$from --to=to-$shards --shards=$shards
	check_same "a store in another number of shards, $shards from $from, says what it said" to-$shards one.told
	from=to-$shards
done
like "who spreads a store is told how much was moved" "$out" "^52[0-9] pages moved$|^5[0-9][0-9] pages moved$"
same "a store that was spread stays as it is" "$(cmp one/data.mdb untouched/data.mdb && pages one | cmp - <(pages untouched))" ""
same "nothing is left of the making" "$(ls -d to-*.backup to-1.* to-*.part 2>/dev/null)" ""

# With a budget: sums are those of all.
"$PERENNIAL" init --state=paid --budget=300/day && live paid
"$PERENNIAL" stats --state=paid --now=2026-02-02 2>&1 | grep -v '^shards ' | digits | sort >paid.stats
from=paid
for shards in 16 2 1; do
	reshard --state=$from --to=paid-$shards --shards=$shards >/dev/null
	same "what is left of a budget, and what all pages want, is the same of $shards shards" \
		"$("$PERENNIAL" stats --state=paid-$shards --now=2026-02-02 2>&1 | grep -v '^shards ' | digits | sort | diff - paid.stats)" ""
	from=paid-$shards
done
like "the stores that were compared have handed out of their budget" "$(<paid.stats)" "handed out in the last day [1-9]"

# Giants are declared, spread over other parts, and taken back.
per_host() { due "$1" | sed 's|http://||; s|/.*||' | sort | uniq -c; }
# A page that waits for a giant is next when its gate opens; of the others it is known when they are looked at.
stays() { pages "$1" | sed -E 's/"next_time":"[^"]*","reason":"host"/WAITS/' | digits; }
from=one
for shards in 8/g.example 64/g.example/16 4/g.example/2 4/; do
	to=giant-${shards//\//-} name=${shards#*/}
	reshard --state=$from --to=$to --shards=${shards%%/*} ${name:+--giant-host=$name} >/dev/null
	same "a store with another giant ($shards) has all pages as they were" "$(stays $to | diff - <(stays one) | head -n 4)" ""
	same "of a store with another giant ($shards) as many pages of each host are due" "$(per_host $to | diff - <(per_host one) | head -n 4)" ""
	code "a store with another giant ($shards) passes check" 0 "$PERENNIAL" check --state=$to
	from=$to
done
reshard --state=$from --to=all-back --shards=1 >/dev/null
check_same "a store whose giant was declared and taken back says what it said" all-back one.told

# What is refused.
for shards in 3 0 2097152; do code "$shards is no number of shards" 2 reshard --state=one --to=none --shards=$shards; done
like "who names a number that is no power of two is told" "$(reshard --state=one --to=none --shards=3 2>&1)" "--shards takes a power of two, 1, 2, 4 .* and not 3"
code "a giant in more parts than there are shards is refused" 2 reshard --state=one --to=none --shards=8 --giant-host=g.example/16
code "a store without shards has no giants" 2 reshard --state=one --to=none --shards=1 --giant-host=g.example
code "reshard says that the store to make must be named" 2 reshard --state=one --shards=8
code "reshard says that the number of shards must be given" 2 reshard --state=one --to=none
code "what is in memory is no place to make a store" 2 reshard --state=one --to=memory:x --shards=8
code "a store that is not there is not spread" 3 reshard --state=nowhere --to=none --shards=8
code "a store is not made where one is" 3 reshard --state=one --to=to-8 --shards=4
like "who names a place that is taken is told" "$err" "to-8: a store is there already"
code "a store is not spread onto itself" 3 reshard --state=one --to=one --shards=1
code "a store is not made where a shard of another stands" 3 reshard --state=one --to=to-8.3 --shards=2
code "a store is not made in the folder of one" 3 reshard --state=one --to=one/two --shards=2
same "what was refused leaves nothing" "$(ls -d none* one?* one/*.* 2>/dev/null | grep -v 'one.told\|mdb\|lock')" ""

# What is in the way is seen before anything is copied.
mkdir inway && cd inway && touch file && mkdir full && touch full/file && ln -s nowhere dangling
before=$(find . | sort)
for place in file full dangling . full/. /dev/null; do
	code "a store is not spread to a place that is taken: $place" 3 reshard --state=../one --to=$place --shards=2
	like "who names a place that is taken is told so, and of no --resume: $place" "$err" "^perennial reshard: $place: (something is there already|is a symbolic link that leads to nothing)"
	same "of a store that was not spread nothing is left: $place" "$(find . | sort; ls /dev/null.* 2>/dev/null)" "$before"
done
code "a store of shards is not copied to a place that is taken" 3 "$PERENNIAL" backup --state=../to-8 file
same "of a copy that was not made nothing is left" "$(find . | sort)" "$before"
mkdir empty
code "an empty folder is not in the way of a store that is spread" 0 reshard --state=../one --to=empty --shards=2
cd ..

# A page that cannot be read, and a shard that is gone: nothing is left out unasked.
copy to-8 lost && mv lost/to-8.3 lost/away
code "a store that lacks a shard is not spread" 3 reshard --state=lost/to-8 --to=part --shards=4
like "who spreads a store that lacks a shard is told which, and how to go on" "$err" "part: not finished, --resume goes on with it: .*to-8.3: is not there"
code "what is not finished is no store" 3 "$PERENNIAL" stats --state=part
like "who opens what is not finished is told which command made it" "$err" "part: this is no store, but .* not finished: 'perennial reshard' goes on with it"
code "what is not finished is not begun anew unasked" 3 reshard --state=lost/to-8 --to=part --shards=4
like "who begins anew is told of both ways out" "$err" "begun there and not finished: --resume goes on with it, --discard removes it"
code "backup does not go on with what reshard began" 3 "$PERENNIAL" backup --state=to-8 --resume part
code "a store that is not finished is not gone on with in another number of shards" 3 reshard --state=lost/to-8 --to=part --shards=8 --resume
like "who goes on in another number of shards is told" "$err" "a store of 4 shards was begun there"
code "a store that is not finished is not gone on with with other giants" 3 reshard --state=lost/to-8 --to=part --shards=4 --resume --giant-host=g.example
like "who goes on with other giants is told" "$err" "a store of 4 shards with other giants was begun there"
code "a store does not go on with what another store began" 3 reshard --state=one --to=part --shards=4 --resume
like "who goes on with what another store began is told" "$err" "one: was written to since what is at part was begun"
mv lost/away lost/to-8.3
code "a store that is not finished is gone on with when the lacking shard is back" 0 reshard --state=lost/to-8 --to=part --shards=4 --resume
check_same "a store that was gone on with says what the old one said" part one.told
code "where nothing was begun, to go on is to begin" 0 reshard --state=one --to=fresh --shards=2 --resume
code "what is finished is not gone on with" 3 reshard --state=one --to=fresh --shards=2 --resume
like "what is finished is a store, and not told to be moved away" "$err" "fresh: a store is there already"

# The old store is written to in between.
mv lost/to-8.3 lost/away
reshard --state=lost/to-8 --to=stale --shards=4 2>/dev/null
mv lost/away lost/to-8.3
"$PERENNIAL" add --state=lost/to-8 --now=2026-02-05 http://h0.example/late http://h1.example/late http://h2.example/late http://h3.example/late 2>/dev/null
code "what was begun is not gone on with where the old store was written to since" 3 reshard --state=lost/to-8 --to=stale --shards=4 --resume
like "who goes on after the old store was written to is told what to do" "$err" "was written to since what is at stale was begun: stop what writes to it, remove that .--discard., and begin anew"
code "what was begun is removed" 0 reshard --discard --to=stale
like "reshard --discard says what it removed" "$err" "^perennial reshard: stale: removed [1-4] shards?$"
same "reshard --discard leaves nothing of what was begun" "$(ls -d stale* 2>/dev/null)" ""
code "where nothing was begun nothing is removed" 3 reshard --discard --to=stale
code "both ways out at once are a usage error" 2 reshard --resume --discard --to=stale
code "who removes names no store" 2 reshard --discard --state=one --to=stale

# Who would write while a store is being spread is told so, or waits; who reads goes on.
write() { # WRITER STORE [OPTION]…
	local state=$2 writer=$1 now=--now=2026-02-06
	shift 2
	case $writer in
	add) "$PERENNIAL" add --state="$state" "$@" $now http://h1.example/later ;;
	observe) "$PERENNIAL" observe -q --state="$state" "$@" $now report ;;
	due) "$PERENNIAL" due --state="$state" "$@" $now --limit=3 ;;
	release) "$PERENNIAL" release --state="$state" "$@" --now=2026-02-01T23:31:00Z --all ;;
	hint) "$PERENNIAL" hint --state="$state" "$@" $now list ;;
	forget) "$PERENNIAL" forget --state="$state" "$@" http://h3.example/3 ;;
	tune) "$PERENNIAL" tune --state="$state" "$@" $now --budget=77/day --apply ;;
	set) "$PERENNIAL" set --state="$state" "$@" --policy=curve-fitting ;;
	check) "$PERENNIAL" check --state="$state" "$@" --repair ;;
	serve) "$PERENNIAL" serve --state="$state" "$@" --listen=127.0.0.1:0 --no-token ;;
	esac
}
echo '{"url":"http://h2.example/2","time":"2026-02-06T00:00:00Z","status":200,"content_type":"text/plain","body":"of other words"}' >report
"$PERENNIAL" reshard --state=one --to=slow --shards=4096 >slow.told 2>&1 & spreading=$!
for ((i = 0; i < 3000; i++)); do [ "$(ls -d slow.[0-9]* 2>/dev/null | wc -l)" -lt 3 ] || break; done
kill -STOP $spreading
if [ -e slow ]; then
	skip "who would write while a store is being spread" "it was faster than this test"
else
	for writer in add observe due release hint forget tune set check serve; do
		code "while a store is being spread nobody writes to it: $writer" 3 write $writer one --lock-wait=0s
		like "$writer says which process is spreading the store" "$err" ": one: process $spreading is writing to it"
	done
	code "while a store is being spread it is read" 0 "$PERENNIAL" export --state=one --now=2026-02-03
	same "a store that is being spread is read whole" "$(sort <<<"$out" | diff - <(pages untouched) | head -n 4)" ""
	# Who waits writes to the old store when the new one is there.
	write add one --lock-wait=2m 2>added & waiting=$!
	kill -CONT $spreading
	wait $spreading; spread=$?
	wait $waiting; waited=$?
	same "both that which spreads a store and who waits for it end well" "$spread $waited $(cat added)" "0 0 perennial add: 1 page added"
	same "who waited has written to the old store" "$(grep -c 'h1.example/later' <(pages one))" 1
fi
kill -KILL $spreading 2>/dev/null
wait $spreading 2>/dev/null

# Who writes when that was broken off loses nothing: to go on is refused, or what is made has it.
for writer in add observe due release hint forget tune set; do
	rm -rf broken && copy to-8 broken && mv broken/to-8.3 broken/away
	reshard --state=broken/to-8 --to=cut --shards=4 >/dev/null 2>&1
	mv broken/away broken/to-8.3
	code "a store of which the spreading was broken off is written to: $writer" 0 write $writer broken/to-8
	if reshard --state=broken/to-8 --to=cut --shards=4 --resume >/dev/null 2>cut.told; then
		same "what is gone on with has what was written in between: $writer" "$(pages cut | digits | diff - <(pages broken/to-8 | digits) | head -n 4)" ""
	else
		like "what is not gone on with says what to do: $writer" "$(<cut.told)" "was written to since what is at cut was begun: stop what writes to it, remove that"
	fi
	rm -rf cut cut.*
done

# Others: lists of shards, and what comes to a store that was spread.
reshard --state=one --to=other-giants --shards=8 --giant-host=g.example >/dev/null
same "a new store's giants are those that were named" "$("$PERENNIAL" check --state=other-giants --format=tsv | diff - <("$PERENNIAL" check --state=one --format=tsv))" ""
reshard --state=other-giants --to=wide --shards=8192 >/dev/null
same "a store whose shards have lists says what it said" "$(pages wide | digits | cmp - <(pages one | digits))" ""
code "a store whose shards have lists passes check" 0 "$PERENNIAL" check --state=wide
code "a page is added to a store that was spread" 0 "$PERENNIAL" add --state=to-64 --now=2026-02-05 http://new.example/
same "nothing of a URL is there twice" "$("$PERENNIAL" add --state=to-64 --now=2026-02-05 http://g.example/4 2>&1; pages to-64 | grep -c '"http://g.example/4"')" "perennial add: 1 known
1"
done_testing
