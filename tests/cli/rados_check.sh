#!/usr/bin/env bash
# Objects of a Ceph cluster that have lost or gained entries, and what 'check' and its repair make of them.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/rados.sh"
start_cluster
cd "$tmp" || exit 1
pool() { rados -c "$cluster/ceph.conf" -p prn "$@"; }

# The first key of a table of an object, by the table's letter: names of page keys have 17 bytes and more.
key_of() { pool listomapkeys "$1" | LC_ALL=C grep -aE "^$2.{${3:-16},}" | head -n 1 | tr -d '\n' >key; test -s key; }
lose() { key_of "$@" && pool rmomapkey "$1" --omap-key-file key; }
gain() { printf "$2" >key; printf "${3-1}" >value; pool setomapval "$1" --omap-key-file key --input-file value; }
count() { printf '\0\0\0\0\0\0\0\'"$3" >value; pool setomapval "$1" "$2" --input-file value; }
found() { sed -n "s/^$1	//p" <<<"$out"; }
mended() {
	code "check finds $1" 1 "$PERENNIAL" check --state="$S" --format=tsv
	like "check tells of $1" "$err" "$2"
	code "a repair mends $1" 0 "$PERENNIAL" check --state="$S" --repair --format=tsv
	same "as many pages are told to be lost as were, with $1" "$(found 'pages lost')" "$3"
	code "a check finds no more of $1" 0 "$PERENNIAL" check --state="$S"
	code "a store is copied after the repair of $1" 0 "$PERENNIAL" backup --state="$S" "copy-$1"
}
for i in $(seq 1 30); do echo "http://h$((i % 5)).example/$i"; done >urls
make() {
	S=$(address "$1")
	"$PERENNIAL" init --state="$S" --threshold=0.1 "${@:2}" &&
	"$PERENNIAL" add --state="$S" --now=2026-01-01 urls &&
	"$PERENNIAL" due --state="$S" --now=2026-01-02 --limit=3 --lease=1h >/dev/null &&
	echo '{"url":"http://h1.example/1","time":"2026-01-02T00:01:00Z","status":200,"type":"text/html","body":"one page of words"}' |
		"$PERENNIAL" observe --state="$S" --format=json >/dev/null 2>&1
	"$PERENNIAL" check --state="$S" >/dev/null
}

make one
pages() { "$PERENNIAL" export --state="$S" --now=2026-02-02 | grep -o '"url.*"attempted_time":[^,]*' | sort; }
before=$(pages)
code "an export of what is behind a page does not take the others for lost" 0 "$PERENNIAL" export --state="$S" --after="$("$PERENNIAL" export --state="$S" | sed -n '10s/.*"url":"\([^"]*\).*/\1/p')"
for table in d l w t h; do
	pool listomapkeys one | LC_ALL=C grep -aq "^$table" || continue
	lose one $table 2
	mended "a lost entry of $table" "the object has [0-9]* entries in the table .*, and counts" 0
done
for name in d b r m '#'; do
	[ "$name" = '#' ] || name="#$name"
	count one "$name" 115
	mended "a changed count $name" "and counts 77" 0
done
count one '#p' 377
mended "a count of pages that is too large" "has 30 entries in the table \"pages\", and counts 255" 225
gain one 'p\001'
mended "an entry of no table" 'of no table: .p\\x01.$' 0
same "pages are what they were, whatever was mended beside them" \
	"$(pages | diff - <(echo "$before") | head -n 4)" ""
gain one 'p\001'; gain one '!x'
"$PERENNIAL" check --state="$S" --repair --format=tsv >out.tsv 2>/dev/null
same "entries of no table are counted" "$(sed -n 's/^entries of no table, which are removed	//p' out.tsv)" 2
lose one p
code "check counts the pages of an object that has lost one" 1 "$PERENNIAL" check --state="$S" --format=tsv
same "all pages of a damaged object are counted" "$(found pages)" 29
code "an export of an object that has lost a page does not say that it is whole" 3 "$PERENNIAL" export --state="$S"
same "it has the others" "$(wc -l <<<"$out")" 29
like "who exports what has lost a page is told how many there are, and what to do" "$err" "it counts 30 pages, and has 29: 'perennial check --repair'"
mended "a lost page" 'has 29 entries in the table "pages", and counts 30' 1
same "the other pages stay" "$("$PERENNIAL" export --state="$S" | wc -l)" 29
gain one zqq 1
code "an entry of a table that only a newer program knows may need a count, and is no other fault" 1 "$PERENNIAL" check --state="$S"
code "it stays" 0 "$PERENNIAL" check --state="$S" --repair
like "an entry of a newer program's table stays" "$(pool listomapkeys one | tail -n 1)" zqq

# A setting that is lost, in the only object and in the root of several.
for of in alone root; do
	make $of $([ $of = alone ] || echo --shards=2)
	pool rmomapkey $of mpolicy
	code "a store without its policy is damaged ($of)" 1 "$PERENNIAL" check --state="$S"
	before=$(pool listomapvals $of)
	code "no repair makes a policy up ($of)" 3 "$PERENNIAL" check --state="$S" --repair
	like "who has lost a setting is told what to do ($of)" "$err" "settings of the store are damaged: restore a backup"
	same "what cannot be repaired is as it was ($of)" "$(pool listomapvals $of)" "$before"
done

# Several objects: each by itself.
make several --shards=8
pages=$("$PERENNIAL" export --state="$S" | wc -l)
held=($(for i in 0 1 2 3 4 5 6 7; do pool listomapkeys several.$i 2>/dev/null | LC_ALL=C grep -aq '^p' && echo $i; done))
ok "pages are in two shards at least" test ${#held[@]} -ge 2
first=${held[0]} last=${held[-1]}
lose several.$first p
lose several.$last p
code "an export of a store whose shards have lost pages does not say that it is whole" 1 "$PERENNIAL" export --state="$S"
same "it has the pages of all shards" "$(wc -l <<<"$out")" $((pages - 2))
like "who exports them is told that it is several" "$err" "of several shards pages are left out; the first: .*several\.$first.*: it counts"
gain several 'm\001'
code "damaged objects of a store are found" 1 "$PERENNIAL" check --state="$S"
like "a check says that it looked at the root alone" "$err" "its shards were not looked at"
code "a root and several shards are mended at once" 0 "$PERENNIAL" check --state="$S" --repair --format=tsv
same "pages that are lost in several shards are added up" "$(found 'pages lost')" 2
same "a repair says what became of objects" "$(grep -c 'the objects that had faults were put in order' <<<"$err")" 1
code "after that a store of several objects is copied" 0 "$PERENNIAL" backup --state="$S" several
same "the copy has all that is left" "$("$PERENNIAL" export --state=several | wc -l)" $((pages - 2))
count several.$first '#p' 001
code "a shard with a fault is told" 1 "$PERENNIAL" check --state="$S" --format=tsv
same "pages of a damaged shard are counted too" "$(found pages)" $((pages - 2))

# One that cannot be mended: its settings do not say any more which one it is.
lose several.$last d 2 || lose several.$last w 2
pool rmomapkey several.$first mshard
misplace() { # OBJECT TABLE: an entry is under another key, as long as its own: counts stay right
	key_of "$1" "$2" 24 && pool getomapval "$1" --omap-key-file key was >/dev/null 2>&1 && pool rmomapkey "$1" --omap-key-file key &&
		{ head -c -1 key; printf Z; } >other && pool setomapval "$1" --omap-key-file other --input-file was
}
middle=${held[1]}
[ "$middle" = "$last" ] || ok "an entry is put under another key" eval "misplace several.$middle d || misplace several.$middle w"
code "a shard that cannot be mended is told" 3 "$PERENNIAL" check --state="$S" --repair
like "who repairs is told which shard" "$err" "several.$first"
same "no error is only the name of its kind" "$(grep -c "argument out of range" <<<"$err")" 0
[ "$middle" = "$last" ] || like "who repairs is told what was mended in place" "$err" "faults of other shards were mended before, and stay so"
like "who repairs is told that another shard is mended" "$err" "of the store's parts was made anew before, and stays so"
done_testing
