#!/usr/bin/env bash
# A host over eight objects of a Ceph cluster, which several processes hand out at a time, some of which are killed.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/rados.sh"
start_cluster
cd "$tmp" || exit 1
S=$(address giant)

code "a store with a giant is made in a cluster" 0 "$PERENNIAL" init --state="$S" --threshold=0.1 --shards=8 --giant-host=g.example/8
for i in $(seq 1 400); do echo "http://g.example/$i"; done >urls
code "pages of a giant are added" 0 "$PERENNIAL" add --state="$S" urls
same "a giant's pages are in all of its objects" "$("$PERENNIAL" stats --state="$S" --format=tsv --shards | awk 'NR > 1 && $2 > 10' | wc -l)" 8

# Each hands out, says what is out, says that it will be back, and gives it back: in between it is out, for less than its lease.
fetch() {
	local url urls
	while [ ! -e stop ]; do
		urls=$("$PERENNIAL" due --state="$S" --lease=10s --limit=4 --host-limit="$2" --host-delay=0s 2>>"errors.$1")
		# Who has nothing to fetch asks again in a while: each process that asks connects to the cluster anew.
		[ -n "$urls" ] || sleep 0.2
		for url in $urls; do
			echo "$(date +%s.%N) out $1 $url"
			sleep "0.0$((RANDOM % 9))"
			echo "$(date +%s.%N) back $1 $url"
			"$PERENNIAL" release --state="$S" "$url" >/dev/null 2>>"errors.$1"
		done
	done >>"log.$1"
}
# Two that go on, and one after the other that is killed at some moment: what that had out is so until its lease ends.
run() {
	local i
	rm -f stop log.* errors.*
	for i in 1 2; do fetch "$i" "$1" & done
	sleep 4
	for i in 1 2 3; do
		timeout -s KILL "0.$((RANDOM % 9))" "$PERENNIAL" due --state="$S" --lease=10s --host-limit="$1" --host-delay=0s >/dev/null 2>&1
		sleep 1
	done
	# Until the leases of those that were killed have ended, and somewhat on.
	sleep 12
	touch stop
	wait
}
# The most that were out at a time: from out to back, or, of who was killed, nothing.
most() {
	cat log.[12] | sort -n | awk '$2 == "out" { n++ } $2 == "back" { n-- } n > most { most = n } END { print most + 0 }'
}
run 1
same "of a giant with one page out at a time never two are, whoever asks for them" "$(most)" 1
ok "pages of a giant are handed out to all that ask ($(cat log.* | grep -c out))" test "$(cat log.* | grep -c out)" -gt 8
same "nobody who asks is told of a fault" "$(grep -v '^perennial \(due: [0-9]* URL\|release: [0-9]* page\)' errors.[12])" ""
run 3
three=$(most)
ok "of a giant with three out never four are ($three)" test "$three" -ge 1 -a "$three" -le 3
code "a store with a giant is whole in the end" 0 "$PERENNIAL" check --state="$S"
done_testing
