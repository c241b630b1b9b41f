#!/usr/bin/env bash
# Stores of several objects of a Ceph cluster: the same results as of one; several that write at a time; an object that is gone.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/rados.sh"
start_cluster
cd "$tmp" || exit 1
S=$(address spread)

for i in $(seq 1 600); do echo "http://h$((i % 60)).example/$i $((i % 5 + 1))"; done >urls
"$PERENNIAL" synth --seed=3 --pages=30 --captures=6 --warc=captures.warc.gz 2>/dev/null
journey() {
	local state=$1
	shift
	"$PERENNIAL" init --state="$state" --threshold=0.1 "$@" || return 1
	"$PERENNIAL" add --state="$state" --now=2026-01-01 urls http://h1.example/more
	"$PERENNIAL" due --state="$state" --now=2026-01-01T01:00:00Z --limit=1000 --format=tsv | sort
	"$PERENNIAL" observe --state="$state" captures.warc.gz
	"$PERENNIAL" due --state="$state" --now=2026-02-01 --limit=1000 --lease=1h | sort
	"$PERENNIAL" release --state="$state" --now=2026-02-01T00:10:00Z --host=h1.example
	"$PERENNIAL" tune --state="$state" --budget=100/day --apply
	"$PERENNIAL" forget --state="$state" --surt=example,h6 --count=10
	"$PERENNIAL" stats --state="$state" --now=2026-02-02 | grep -v "^shards "
	"$PERENNIAL" check --state="$state"
	"$PERENNIAL" export --state="$state" --now=2026-02-02 | sort
}
# Loads are summed shard by shard, in another order: the last digits of what follows from a sum may differ.
digits() { sed -E 's/(\.[0-9]{6})[0-9]+/\1/g'; }
journey "$(address one)" >in_one 2>&1
journey "$S" --shards=16 >in_several 2>&1
ok "a journey through the commands gives as many lines as it should" test "$(wc -l <in_one)" -gt 700
same "every command gives the same of 16 objects as of one" "$(diff <(digits <in_one) <(digits <in_several) | head -n 5)" ""
same "a shard is an object, and the store is one more" \
	"$(rados -c "$cluster/ceph.conf" -p prn ls | grep -c '^spread')" 17
code "a store of several objects is copied into the cluster" 0 "$PERENNIAL" backup --state="$S" "$(address copy)"
code "a store of several objects is copied into folders" 0 "$PERENNIAL" backup --state="$S" out
"$PERENNIAL" export --state="$S" --now=2026-02-02 >all
retry() { local n=$1; shift; for ((; n; n--)); do ! "$@" 2>/dev/null || return 0; sleep 1; done; return 1; }
same "copies of several objects have all" \
	"$("$PERENNIAL" export --state="$(address copy)" --now=2026-02-02 | cmp - all; "$PERENNIAL" export --state=out --now=2026-02-02 | cmp - all)" ""
pool() { rados -c "$cluster/ceph.conf" -p prn "$@"; }

# What others keep is neither removed nor written over.
echo text | pool put precious -
code "a store is not copied to where something else is" 3 "$PERENNIAL" backup --state="$S" "$(address precious)"
like "who does is told which object that is, and what to do" "$err" "rados:prn/precious: this is not a store, but something else.*take another name, or.*'rados -p prn rm precious'"
code "nor is it spread anew there" 3 "$PERENNIAL" reshard --state="$S" --to="$(address precious)" --shards=4
same "what is there stays" "$(pool get precious -; pool ls | grep '^precious')" "text
precious"

# A copy that is broken off: by what stands in the place of an object, by a kill, and by an object that was not made to its end.
C=$(address begun)
"$PERENNIAL" init --state="$(address begun.9)"
code "a copy ends where something stands in the place of an object" 3 "$PERENNIAL" backup --state="$S" "$C"
like "who makes a copy in a cluster that is not finished is told how to go on" "$err" "not finished, --resume goes on"
code "an unfinished copy in a cluster is not begun anew unasked" 3 "$PERENNIAL" backup --state="$S" "$C"
pool rm begun.9
pool rm begun.3
pool setomapval begun.3 p123 half
code "what somebody else put in the place of an object is not written over" 3 "$PERENNIAL" backup --state="$S" --resume "$C"
like "who copies to where something else is told what to do" "$err" "rados:prn/begun.3: this is not a store, but something else.*'rados -p prn rm begun.3'"
echo text | pool put begun.3 -
pool setomapval begun.3 + perennial
code "nor is it if it says that it was begun, and has bytes" 3 "$PERENNIAL" backup --state="$S" --resume "$C"
same "it stays as it was" "$(pool get begun.3 -; pool listomapkeys begun.3)" "text
+
p123"
pool truncate begun.3 0
pool setxattr begun.3 kept text
code "nor if it has an attribute" 3 "$PERENNIAL" backup --state="$S" --resume "$C"
pool rmxattr begun.3 kept
code "a copy in a cluster is gone on with at once, also where an object was not made to its end" 0 "$PERENNIAL" backup --state="$S" --resume "$C"
same "a copy in a cluster that was gone on with has all" "$("$PERENNIAL" export --state="$C" --now=2026-02-02 | cmp - all)" ""
same "nothing but the copy's objects are left" "$(pool ls | grep -c '^begun')" 17
# Copies of many shards, so that their makers are at work for longer than it takes to see that they have begun.
L=$(address long)
"$PERENNIAL" init --state="$L" --shards=128
for i in $(seq 1 1500); do echo "http://l$i.example/"; done | "$PERENNIAL" add --state="$L" --now=2026-01-01 -
"$PERENNIAL" export --state="$L" --now=2026-02-02 >all.long
"$PERENNIAL" backup --state="$L" "$(address killed)" & writer=$!
until pool ls | grep -q '^killed\.1'; do sleep 0.05; done
kill -KILL $writer; wait $writer 2>/dev/null
"$PERENNIAL" backup --state="$L" "$(address frozen)" 2>frozen.told & frozen=$!
until pool ls | grep -q '^frozen\.1'; do sleep 0.05; done
kill -STOP $frozen
same "both copies are under way" "$(pool ls | grep -cE '^(killed|frozen)$')" 0
code "nobody goes on with a copy in a cluster whose maker may live" 3 "$PERENNIAL" backup --state="$L" --resume "$(address killed)"
like "backup --resume says for how long a copy may have a living maker" "$err" "another process is at work on it, or was killed within half a minute"
code "nobody removes a copy in a cluster whose maker may live" 3 "$PERENNIAL" backup --discard "$(address killed)"
code "a store is not copied to an object that a shard of it is" 3 "$PERENNIAL" backup --state="$S" "$(address spread.3)"
like "who copies to an object of a store is told" "$err" "rados:prn/spread.3.*: is where a shard of rados:prn/spread.*, a store of 16 shards"
code "a cluster that is not reached is not called a store" 3 "$PERENNIAL" backup --state=out "rados:prn/away?conf=$tmp/none.conf"
like "who copies into a cluster that is not reached is told" "$err" "cannot read the cluster's configuration"
code "nothing is removed of a cluster that is not reached" 3 "$PERENNIAL" backup --discard "rados:prn/away?conf=$tmp/none.conf"
same "a check of objects that notes what is done finds what another does, and leaves no file" \
	"$("$PERENNIAL" check --state="$S" --resume=noted; ls noted 2>/dev/null)" "$("$PERENNIAL" check --state="$S")"
"$PERENNIAL" export --state="$S" --now=2026-02-02 | head -n 100 >part
same "an export of objects is gone on with" \
	"$("$PERENNIAL" export --state="$S" --now=2026-02-02 --after="$(tail -n 1 part | sed 's/.*"url":"\([^"]*\)".*/\1/')" | cat part - | cmp - all)" ""
pool rm copy.5
code "an object that is gone is missed" 1 "$PERENNIAL" export --state="$(address copy)"
like "who reads a store whose object is gone is told which" "$err" "copy.5.*: is not there"
code "an object that is gone is given up" 0 "$PERENNIAL" check --state="$(address copy)" --repair --give-up-shard=5
like "who gives up an object is told how many pages it had" "$err" "shard 5 is given up: it had $("$PERENNIAL" stats --state="$S" --shards --format=tsv | sed -n 's/^5	\([0-9]*\).*/\1/p') pages at "
same "a store in a cluster goes on without what was lost" "$("$PERENNIAL" stats --state="$(address copy)" --shards --format=tsv | sed -n 's/^5	\([0-9]*\).*/\1/p')" 0

# Objects and folders that are gone, and come back from copies of either kind.
"$PERENNIAL" backup --state=out "$(address lost)"
pool rm lost.5
code "a check tells how an object comes back" 3 "$PERENNIAL" check --state="$(address lost)"
set -- check --state="$(address lost)" --repair --from=
same "an object comes back by a command on the store itself" "$(sed -n "s/.* BACKUP, by 'perennial \([^']*\)BACKUP'.*/\1/p" <<<"$err")" "$*"
code "an object comes back from a folder by the command that a check names" 0 "$PERENNIAL" "$@"out
like "who brings an object back is told so" "$err" "shard 5 is back, with [0-9]+ pages as out has them"
same "with what came from a folder nothing is lost" "$("$PERENNIAL" export --state="$(address lost)" --now=2026-02-02 | cmp - all)" ""
pool rm lost.5; pool rm lost.6
code "objects come back from objects" 0 "$PERENNIAL" "$@$S"
same "with what came from objects nothing is lost" "$("$PERENNIAL" export --state="$(address lost)" --now=2026-02-02 | cmp - all)" ""
rm -r out.7
code "a folder comes back from an object" 0 "$PERENNIAL" check --state=out --repair --from="$(address lost)"
same "with what came from an object nothing is lost" "$("$PERENNIAL" export --state=out --now=2026-02-02 | cmp - all)" ""
pool rm lost.5
pool setomapval lost.5 p123 half
code "an object that was made half is not taken for one that is gone" 3 "$PERENNIAL" "$@"out
like "check says how to remove an object that was made half" "$err" "lost.5.* 'rados -p prn rm lost.5'"

# Several commands write at a time, beside the one that is frozen: nothing is lost, no URL is leased twice, no host has two pages out, and one budget holds.
W=$(address writers)
"$PERENNIAL" init --state="$W" --shards=8 --budget=2400/day
others=()
for w in 1 2 3; do
	for i in $(seq 1 1500); do echo "http://w$w-$((i % 100)).example/$i"; done >urls.$w
	"$PERENNIAL" add --state="$W" --now=2026-01-01 urls.$w 2>added.$w & others+=($!)
done
wait "${others[@]}"
same "three that add pages at a time each add all of theirs" \
	"$(cat added.*)" "$(for w in 1 2 3; do echo "perennial add: 1500 pages added"; done)"
same "what three have added at a time is there" "$("$PERENNIAL" export --state="$W" | wc -l)" 4500
for w in 1 2 3 4; do
	for i in 1 2 3 4; do "$PERENNIAL" due --state="$W" --now=2026-01-01T00:00:0$i --limit=20 2>>told.$w; done >given.$w & others+=($!)
done
wait "${others[@]}"
same "those who ask at a time are given what the budget of all has, and no more" "$(cat given.* | wc -l)" 100
same "no URL is given to two of those who ask at a time" "$(cat given.* | sort | uniq -d)" ""
same "of no host two pages are out" "$(cat given.* | cut -d/ -f3 | sort | uniq -d)" ""

# Reports of the same pages by several at a time, beside who asks: each is counted once.
for w in 1 2 3; do
	sed -n 1,60p urls.$w | while read -r url; do
		printf '{"url":"%s","time":"2026-01-01T00:10:00Z","status":200,"content_type":"text/plain","body":"one %s"}\n' "$url" "$w"
	done >reports.$w
done
cat reports.1 reports.2 reports.3 >reports
for w in 1 2 3; do "$PERENNIAL" observe -q --state="$W" --now=2026-01-01T00:10:01Z reports 2>>observed.$w & others+=($!); done
for i in 1 2 3; do "$PERENNIAL" due --state="$W" --now=2026-01-01T00:10:0$i --limit=20; done >more 2>>told.1 & others+=($!)
wait "${others[@]}"
same "of three reports of a page at a time one counts" \
	"$("$PERENNIAL" export --state="$W" --now=2026-01-02 | grep -c '"visits":1,')" 180
same "no command is told that another was faster" "$(cat told.* observed.* | grep -i 'another\|faster')" ""
same "no URL is given out twice beside reports" "$(cat more | sort | uniq -d)" ""
code "after several writers a check finds no fault in any object" 0 "$PERENNIAL" check --state="$W"

# Half a minute after the kill, for most of which all that stands above was asked.
ok "a copy in a cluster whose maker was killed is removed half a minute later" retry 40 "$PERENNIAL" backup --discard "$(address killed)"
same "of a copy that was removed no object is left" "$(pool ls | grep '^killed')" ""
ok "a copy whose maker is frozen is gone on with half a minute later" retry 40 "$PERENNIAL" backup --state="$L" --resume "$(address frozen)"
kill -CONT $frozen; wait $frozen; got=$?
same "whoever was frozen meanwhile ends, and changes nothing" "$got $("$PERENNIAL" export --state="$(address frozen)" --now=2026-02-02 | cmp - all.long) $(pool ls | grep -c '^frozen')" "3  129"
# What the manual has remove a store removes that one, and none whose name is like it.
for name in a.b aXb a.bc xa.b; do "$PERENNIAL" init --state="$(address $name)" --threshold=0.1 --shards=4; done
for name in a.b aXb a.bc xa.b; do seq -f http://h%g.example/ 20 | "$PERENNIAL" add --state="$(address $name)" --now=2026-01-01 2>/dev/null; done
removal=$(man -l "$SRCDIR/man/perennial-init.1" 2>/dev/null | sed -n '/rados -p POOL ls/,/POOL rm/p' | tr '\n' ' ')
before=$(rados -c "$cluster/ceph.conf" -p prn ls | grep -Evc '^a\.b(\.[0-9]+)?$')
(export CEPH_CONF="$cluster/ceph.conf"; eval "$(sed 's/POOL/prn/g; s/NAME/a.b/' <<<"$removal")")
same "the manual's line removes a store" "$(rados -c "$cluster/ceph.conf" -p prn ls | grep -Ec '^a\.b(\.[0-9]+)?$')" 0
same "and nothing of others whose names are like it" "$(rados -c "$cluster/ceph.conf" -p prn ls | grep -Evc '^a\.b(\.[0-9]+)?$')" "$before"
done_testing
