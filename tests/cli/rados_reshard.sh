#!/usr/bin/env bash
# A store of a Ceph cluster in another number of shards, from there into a folder, and back; two at a time; written to meanwhile.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/rados.sh"
start_cluster
cd "$tmp" || exit 1
reshard() { "$PERENNIAL" reshard "$@"; }
quiet() { "$@" >/dev/null; }
retry() { local n=$1; shift; for ((; n; n--)); do ! "$@" 2>/dev/null || return 0; sleep 1; done; return 1; }
digits() { sed -E 's/(\.[0-9]{6})[0-9]+/\1/g'; }
told() {
	"$PERENNIAL" export --state="$1" --now=2026-02-03 | sort | digits
	"$PERENNIAL" check --state="$1"
	"$PERENNIAL" stats --state="$1" --now=2026-02-03 2>&1 | grep -v '^shards ' | sort | digits
}
due() {
	for now in 2026-02-02T00:00:00Z 2026-02-02T01:30:00Z 2026-02-04T00:00:00Z 2026-03-01T00:00:00Z; do
		"$PERENNIAL" due --state="$1" --now=$now --limit=2000 --lease=1h 2>/dev/null | sort
		echo
	done
}
pool() { rados -c "$cluster/ceph.conf" -p prn "$@"; }

for i in $(seq 1 300); do echo "http://h$((i % 30)).example/$i $((i % 5 + 1))"; done >urls
seq -f 'http://g.example/%.0f' 60 >>urls
"$PERENNIAL" synth --seed=3 --pages=20 --captures=5 --warc=captures.warc.gz 2>/dev/null
S=$(address eight)
"$PERENNIAL" init --state="$S" --threshold=0.1 --shards=8
"$PERENNIAL" add --state="$S" --now=2026-01-01 urls 2>/dev/null
"$PERENNIAL" due --state="$S" --now=2026-01-01T01:00:00Z --limit=30 --lease=1h >/dev/null 2>&1
"$PERENNIAL" observe --state="$S" captures.warc.gz >/dev/null 2>&1
"$PERENNIAL" due --state="$S" --now=2026-02-01T23:30:00Z --limit=10 --lease=1h >/dev/null 2>&1
told "$S" >eight.told
ok "a store to compare with has pages" test "$(wc -l <eight.told)" -gt 370

from=$S
for to in 4/four 1/one; do
	code "a store of a cluster is spread over another number of objects: $to" 0 reshard --state="$from" --to="$(address ${to#*/})" --shards=${to%/*}
	same "a store of a cluster in another number of objects says what it said: $to" "$(told "$(address ${to#*/})" | diff - eight.told | head -n 4)" ""
	from=$(address ${to#*/})
done
code "a store of a cluster comes into folders" 0 reshard --state="$from" --to=folder --shards=1
same "a store that came into a folder says what it said" "$(told folder | diff - eight.told | head -n 4)" ""
code "a folder comes into a cluster, with a giant" 0 reshard --state=folder --to="$(address giant)" --shards=4 --giant-host=g.example
code "a store with a giant in a cluster passes check" 0 "$PERENNIAL" check --state="$(address giant)"
code "a giant of a cluster is taken back" 0 reshard --state="$(address giant)" --to="$(address back)" --shards=2
same "a store whose giant was declared and taken back says what it said" "$(told "$(address back)" | diff - eight.told | head -n 4)" ""
same "nothing is left of the making but the stores" "$(pool ls | grep -c 'backup\|^one\.')" 0

# Killed: another goes on when the lock has run out, which is half a minute later, for most of which all that stands below is asked.
F=$(address four)
"$PERENNIAL" reshard --state="$F" --to="$(address killed)" --shards=16 >/dev/null 2>&1 & writer=$!
for ((i = 0; i < 3000; i++)); do ! pool stat killed.3 >/dev/null 2>&1 || break; kill -0 $writer 2>/dev/null || break; done
kill -STOP $writer 2>/dev/null
killed=
if pool stat killed >/dev/null 2>&1; then
	skip "a process that was killed in between" "it was faster than this test"
else
	killed=yes
	code "of two that make a store in one place one is refused" 3 reshard --state="$F" --to="$(address killed)" --shards=16 --resume
	code "what somebody is making is not removed" 3 reshard --discard --to="$(address killed)"
fi
kill -KILL $writer 2>/dev/null
wait $writer 2>/dev/null

# Written to in between: stores that are in the way break it off.
for i in {24..31}; do "$PERENNIAL" init --state="$(address "half.$i")"; done
code "a store that is in the way breaks it off" 3 reshard --state="$S" --to="$(address half)" --shards=32
like "who is stopped by a store is told how to go on" "$err" "half.*: not finished, --resume goes on with it: .*half\.[1-3][0-9]"
for i in {24..31}; do pool rm "half.$i"; done
"$PERENNIAL" due --state="$S" --now=2026-02-01T23:31:00Z --limit=1 --lease=1h >/dev/null 2>&1
code "what was begun is not gone on with where the old store was written to since" 3 reshard --state="$S" --to="$(address half)" --shards=32 --resume
like "reshard --resume in a cluster says what to do after the old store was written to" "$err" "was written to since what is at .*half.* was begun: stop what writes to it, remove that"
code "what was begun in a cluster is removed" 0 reshard --discard --to="$(address half)"
same "reshard --discard in a cluster leaves no object" "$(pool ls | grep -c '^half')" 0

# In a cluster nobody waits: what writes meanwhile does, and what was made of the store before is not put in place.
for writer in add observe tune; do
	"$PERENNIAL" reshard --state="$S" --to="$(address late)" --shards=16 >/dev/null 2>late.told & spreading=$!
	for ((i = 0; i < 3000; i++)); do ! pool stat late.1 >/dev/null 2>&1 || break; kill -0 $spreading 2>/dev/null || break; done
	kill -STOP $spreading 2>/dev/null
	if pool stat late >/dev/null 2>&1; then
		skip "a store that is written to while it is being spread: $writer" "it was faster than this test"
		"$PERENNIAL" backup --discard "$(address late)" >/dev/null 2>&1
		continue
	fi
	case $writer in
	add) printf 'http://h%d.example/late\n' {0..29} | "$PERENNIAL" add --state="$S" --now=2026-02-02 - 2>/dev/null ;;
	observe) for i in {0..29}; do echo "{\"url\":\"http://h$i.example/$((i + 30))\",\"time\":\"2026-02-02T00:00:00Z\",\"status\":404}"; done |
		"$PERENNIAL" observe -q --state="$S" --now=2026-02-02 2>/dev/null ;;
	tune) "$PERENNIAL" tune --state="$S" --budget=7000/day --apply >/dev/null ;;
	esac
	same "a store of a cluster that is being spread is written to: $writer" "$?" 0
	kill -CONT $spreading
	wait $spreading
	same "a store that was written to while it was being spread is not put in place: $writer" "$? $(pool ls | grep -cx late)" "3 0"
	like "reshard in a cluster says what to do after $writer wrote to the store" "$(<late.told)" "was written to since what is at .*late.* was begun: stop what writes to it, remove that"
	reshard --discard --to="$(address late)" >/dev/null 2>&1
done

if [ -n "$killed" ]; then
	ok "what was killed is gone on with when its lock has run out" retry 90 quiet reshard --state="$F" --to="$(address killed)" --shards=16 --resume
	same "a store that was gone on with says what the old one said" "$(told "$(address killed)" | diff - eight.told | head -n 4)" ""
fi

# What is due, last: a store that was asked is another one then.
due "$(address four)" >four.due
due "$(address one)" >one.due
due folder >folder.due
ok "pages are due in stores that were spread" test "$(grep -c http one.due)" -gt 30
same "the same is due at four times of 4 objects, of one, and of a folder" \
	"$(diff four.due one.due | head -n 3; diff one.due folder.due | head -n 3)" ""
# A page that is gone, and counted.
L=$(address lacking)
"$PERENNIAL" init --state="$L" --threshold=0.1
seq -f http://l%g.example/ 8 | "$PERENNIAL" add --state="$L" --now=2026-01-01 2>/dev/null
pool listomapkeys lacking | grep -a -m 1 '^p' | head -c -1 >key
pool rmomapkey lacking --omap-key-file key
code "a store that counts more pages than it has is not spread" 3 reshard --state="$L" --to="$tmp/lacking" --shards=1
like "and what to do about it is told" "$err" "shard 0 counts 8 pages, and has 7: 'perennial check --repair' brings it in order first"
done_testing
