#!/usr/bin/env bash
# A check of a store of several shards that was broken off is gone on with, and finds what one does that was not.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
check() { "$PERENNIAL" check --format=tsv "$@"; }

for i in $(seq 1 600); do echo "http://h$((i % 90)).example/$i"; done >urls
"$PERENNIAL" init --state=store --shards=16
"$PERENNIAL" add --state=store --now=2026-01-01 urls 2>/dev/null
check --state=store >whole
code "a check with a log finds a whole store whole" 0 check --state=store --resume=log
same "a check with a log prints what one without a log does" "$out" "$(cat whole)"
ok "a check that came to its end leaves no file" test -z "$(ls log* 2>/dev/null)"
same "a store without shards is checked likewise" "$("$PERENNIAL" init --state=single; check --state=single --resume=log; ls log 2>/dev/null)" "$("$PERENNIAL" check --state=single --format=tsv)"

mkfifo pipe
code "a check does not wait for a pipe in the place of its file" 3 timeout 20 "$PERENNIAL" check --state=store --resume=pipe
like "who names a pipe is told what is wrong with it" "$err" "pipe: is no regular file"
code "a repair does not wait for a log that is a pipe" 3 timeout 20 "$PERENNIAL" check --repair --state=store --resume=pipe
code "a folder is no such file" 3 check --state=store --resume=.

# A file that cannot be read, for another reason than damage, ends a check.
mv store.9/data.mdb file; ln -s data.mdb store.9/data.mdb
code "a check ends where a shard cannot be read for now" 3 check --state=store --resume=log
like "a check that was broken off says how to go on" "$err" "broken off; --resume=log goes on with it"
rm store.9/data.mdb; mv file store.9/data.mdb
same "the file says which shard is the next" "$(sed -n 2p log)" "0 9"
code "a check is gone on with" 0 check --state=store --resume=log
same "a check that was gone on with prints what one does that was not broken off" "$out" "$(cat whole)"
ok "a check that was gone on with and came to its end leaves no file" test ! -e log

# What was found before the break counts.
mv store.2 away.2; mv store.11 away.11
code "shards are lost before and behind the break" 3 check --state=store
lost=$out
mv store.9/data.mdb file; ln -s data.mdb store.9/data.mdb
code "a check that met a lost shard ends" 3 check --state=store --resume=log
rm store.9/data.mdb; mv file store.9/data.mdb
mv away.2 store.2
code "a check that met a lost shard is gone on with" 3 check --state=store --resume=log
same "what was found before the break is not looked at again, and counted with what is behind it" "$out" "$lost"
mv away.11 store.11

# Killed, at any time, again and again: with the process that it starts for what is damaged, once setsid has made them a group.
"$PERENNIAL" init --state=wide --shards=256
for i in $(seq 1 1500); do echo "http://w$i.example/"; done >wide.urls
"$PERENNIAL" add --state=wide --now=2026-01-01 wide.urls 2>/dev/null
check --state=wide >whole.wide
kills=0 ended=
for wait in 0.05 0.1 0.2 0.15 0.3; do
	(exec setsid "$PERENNIAL" check --state=wide --resume=wide.log --format=tsv >after 2>/dev/null) & pid=$!
	sleep $wait
	kill -KILL -- -$pid 2>/dev/null || kill -KILL $pid 2>/dev/null
	code=0; wait $pid 2>/dev/null || code=$?
	[ $code -eq 137 ] || { ended=yes; break; }
	kills=$((kills + 1))
done
noted=$(sed -n '2s/.* //p' wide.log 2>/dev/null)
ok "a check was killed $kills times, once behind shard ${noted:-0}" test "$kills" -gt 0
[ -n "$ended" ] || check --state=wide --resume=wide.log >after
same "a check that was killed again and again comes to the same end" "$(cat after)" "$(cat whole.wide)"
ok "a check that was killed again and again leaves no file" test ! -e wide.log

# The process that it starts does not outlive it: two would write one file.
child_of() { awk -v parent="$1" '{ sub(/.*\) /, ""); if ($2 == parent) print FILENAME }' /proc/[0-9]*/stat 2>/dev/null | tr -dc '0-9\n' | head -n 1; }
if [ -e /proc/self/stat ]; then
	"$PERENNIAL" check --state=wide --format=tsv >/dev/null 2>&1 & pid=$! child=
	for i in $(seq 500); do child=$(child_of $pid); [ -z "$child" ] || break; sleep 0.01; done
	kill -STOP "$child"; kill -KILL $pid; wait $pid 2>/dev/null
	for i in $(seq 500); do kill -0 "$child" 2>/dev/null || break; sleep 0.01; done
	ok "what a check has started ends with it" test -n "$child" -a ! -e "/proc/$child"
	kill -KILL "$child" 2>/dev/null
else
	skip "what a check has started ends with it" "the system has no /proc"
fi

# A file that cannot be written is told before anything is read.
code "a file in a folder that is not there is refused" 3 check --state=store --resume=nowhere/log
like "check says why a log cannot be written" "$err" '^perennial check: nowhere/log: cannot write there: No such file or directory$'
same "check prints nothing if the log cannot be written" "$out" ""
mv store.9/data.mdb file; ln -s data.mdb store.9/data.mdb; check --state=store --resume=log >/dev/null 2>&1; rm store.9/data.mdb; mv file store.9/data.mdb
code "the file of a check of another store is refused" 3 check --state=wide --resume=log
like "who gives the file of another store is told" "$err" "log: is not of a check of wide"
head -n 5 log >short; echo words >words
code "a file that is cut off is refused" 3 check --state=store --resume=short
code "a file of something else is refused" 3 check --state=store --resume=words
same "a file that is refused stays" "$(cat words)" words
code "a check that only looked is not gone on with by a repair" 3 check --state=store --resume=log --repair
like "who repairs with the file of a check is told" "$err" "log: is not of a repair of store"

# A repair that was broken off is gone on with, and has mended what one has that was not.
"$PERENNIAL" backup --state=store torn
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do LC_ALL=C sed -i "s#http://h$i.example/$i\x00#http://h$i.example/${i%?}x\x00#" torn.*/data.mdb; done
cp -r torn one; for i in {0..15}; do [ ! -d torn.$i ] || cp -r torn.$i one.$i; done
check --state=torn 2>/dev/null | sort >torn.found
same "pages of several shards are found damaged" "$(grep -c 'pages that are damaged	[0-9]' torn.found)" 1
"$PERENNIAL" check --state=one --repair --format=tsv >one.repaired 2>/dev/null
mv torn.9/data.mdb file; ln -s data.mdb torn.9/data.mdb
code "a repair ends where a shard cannot be read for now" 3 check --state=torn --repair --resume=mended
like "a repair that was broken off says how to go on" "$err" "broken off; --repair --resume=mended goes on with it"
rm torn.9/data.mdb; mv file torn.9/data.mdb
same "the file of a repair says what it is of, and which shard is the next" "$(head -n 2 mended | tr '\n' ' ')" "perennial check --repair, 1, of torn 0 9 "
code "a check does not go on with a repair" 3 check --state=torn --resume=mended
ok "a repair that is broken off has mended a part of the damaged pages" test "$(tail -n +3 mended | sed -n 9p)" -gt 0 -a "$(tail -n +3 mended | sed -n 9p)" -lt "$(sed -n 's/^repaired	//p' one.repaired)"
code "a repair is gone on with" 0 check --state=torn --repair --resume=mended
same "a repair that was gone on with tells what one does that was not broken off" "$out" "$(cat one.repaired)"
ok "a repair that came to its end leaves no file" test ! -e mended
same "a repair that was gone on with has mended the same" "$("$PERENNIAL" export --state=torn --now=2026-02-01 | cmp - <("$PERENNIAL" export --state=one --now=2026-02-01))" ""
code "what was repaired in two goes has no fault" 0 check --state=torn
done_testing
