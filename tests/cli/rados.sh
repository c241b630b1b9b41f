#!/usr/bin/env bash
# Stores in a Ceph cluster: every command on one, with the same results as in a folder; several writers at a time; and what
# is no store.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/rados.sh"
start_cluster --auth
same "tools/rados-cluster says that each daemon runs" "$("$SRCDIR/tools/rados-cluster" status "$cluster" | grep -c " runs$")" 4
like "the test cluster wants keys of its clients" "$(cat "$cluster/ceph.conf")" "auth client required = cephx"
cd "$tmp" || exit 1
S=$(address store)

# The store's own tests, on the third engine.
if [ -x "${BUILDDIR:-}/tests/store" ]; then
	PERENNIAL_RADOS="$(address t)" "$BUILDDIR/tests/store" >store.out 2>&1
	same "the store's tests pass on a cluster" "$(grep -c '^not ok' store.out) $(tail -n 1 store.out | grep -c '^1\.\.')" "0 1"
	like "the store's tests ran on a cluster" "$(cat store.out)" "# in a cluster"
	grep -A3 '^not ok' store.out | sed 's/^/# /'
fi

if [ -x "${BUILDDIR:-}/tests/unreadable" ]; then
	PERENNIAL_RADOS="$(address u)" "$BUILDDIR/tests/unreadable" >unreadable.out 2>&1
	same "pages that cannot be read stop nothing in a cluster" "$(grep -c '^not ok' unreadable.out) $(tail -n 1 unreadable.out | grep -c '^1\.\.')" "0 1"
	like "the tests of pages that cannot be read ran on a cluster" "$(cat unreadable.out)" "# in a cluster"
	grep -A3 '^not ok' unreadable.out | sed 's/^/# /'
fi

# What is not there, and what is no store.
like "an address in a cluster that is no name of a store is refused" \
	"$("$PERENNIAL" stats --state=rados:prn 2>&1)" "rados:POOL/NAME"
code "a store that was never made is not opened" 3 "$PERENNIAL" stats --state="$S"
like "who opens a store that was never made is told so" "$err" "rados:prn/store: there is no store"
code "a pool that is not there is no place for a store" 3 "$PERENNIAL" init --state="rados:nopool/x?conf=$cluster/ceph.conf"
like "who names a pool that is not there is told how to make it" "$err" "ceph osd pool create nopool"
mkfifo "$tmp/pipe.conf"
code "a cluster's configuration that is a pipe is not waited for" 3 timeout 20 "$PERENNIAL" stats --state="rados:prn/x?conf=$tmp/pipe.conf"
like "but told" "$err" "pipe.conf is not a file"
code "a cluster's configuration that is not there is told" 3 "$PERENNIAL" stats --state="rados:prn/x?conf=$tmp/none.conf"
like "the message names the configuration that is not there" "$err" "none.conf"
code "an unknown option of an address is refused" 3 "$PERENNIAL" stats --state="rados:prn/x?pool=y"
like "who misspells an option of an address is told what there is" "$err" "conf=FILE and id=USER"
code "a name with other characters is refused" 3 "$PERENNIAL" stats --state="rados:prn/a b"
echo text | rados -c "$cluster/ceph.conf" -p prn put other -
code "an object that is no store is not opened" 3 "$PERENNIAL" stats --state="$(address other)"
like "who opens an object that is no store is told" "$err" "not a store"
code "a store is not made where an object is" 3 "$PERENNIAL" init --state="$(address other)"
same "an object that is no store stays as it was" "$(rados -c "$cluster/ceph.conf" -p prn get other -)" "text"
code "a client that the cluster has no key for is refused" 3 "$PERENNIAL" stats --state="$S&id=nobody"

# The same commands on a folder and in the cluster give the same.
for i in $(seq 1 400); do echo "http://h$((i % 40)).example/$i $((i % 5 + 1))"; done >urls
"$PERENNIAL" synth --seed=3 --pages=30 --captures=6 --warc=captures.warc.gz 2>/dev/null
journey() {
	local state=$1
	"$PERENNIAL" init --state="$state" --budget=2000/day || return 1
	"$PERENNIAL" add --state="$state" --now=2026-01-01 urls http://h1.example/more
	"$PERENNIAL" due --state="$state" --now=2026-01-01T01:00:00Z --limit=30 --format=tsv
	"$PERENNIAL" observe --state="$state" captures.warc.gz
	"$PERENNIAL" due --state="$state" --now=2026-02-01 --limit=50 --lease=1h
	"$PERENNIAL" release --state="$state" --now=2026-02-01T00:10:00Z --host=h1.example
	"$PERENNIAL" due --state="$state" --now=2026-02-01T02:00:00Z --limit=60 --format=json
	printf '%s\n' http://h2.example/2 http://h2.example/new >list
	"$PERENNIAL" hint --state="$state" --now=2026-02-01T02:30:00Z list
	"$PERENNIAL" tune --state="$state" --budget=100/day --apply
	"$PERENNIAL" forget --state="$state" http://h3.example/3
	"$PERENNIAL" forget --state="$state" --host=h4.example --count=10
	"$PERENNIAL" stats --state="$state" --now=2026-02-02
	"$PERENNIAL" explain --state="$state" --now=2026-02-02 http://h5.example/5
	"$PERENNIAL" check --state="$state"
	"$PERENNIAL" export --state="$state" --now=2026-02-02
}
journey folder >in_folder 2>&1
journey "$S" >in_cluster 2>&1
ok "a journey through all commands gives as many lines as it should" test "$(wc -l <in_folder)" -gt 500
same "every command gives the same in a cluster as in a folder" \
	"$(diff <(sed 's|folder||' in_folder) <(sed "s|$S||" in_cluster) | head -n 5)" ""
code "a store is not made where one is" 3 "$PERENNIAL" init --state="$S"

# Stores move: copies in the cluster, into a folder and back.
"$PERENNIAL" export --state="$S" --now=2026-02-02 >all
code "a store in a cluster is copied to another name" 0 "$PERENNIAL" backup --state="$S" "$(address copy)"
same "a copy in a cluster has all" "$("$PERENNIAL" export --state="$(address copy)" --now=2026-02-02 | cmp - all)" ""
code "a store in a cluster is copied into a folder" 0 "$PERENNIAL" backup --state="$S" out
same "a copy of a cluster's store in a folder has all" "$("$PERENNIAL" export --state=out --now=2026-02-02 | cmp - all)" ""
code "a folder is copied into a cluster" 0 "$PERENNIAL" backup --state=out "$(address back)"
same "a copy of a folder in a cluster has all" "$("$PERENNIAL" export --state="$(address back)" --now=2026-02-02 | cmp - all)" ""
code "a store is not copied onto another" 3 "$PERENNIAL" backup --state=out "$(address back)"

for w in 1 2 3; do echo http://c.example/$w | "$PERENNIAL" add --create --state="$(address created)" - 2>created.$w & done
wait
same "of three that make a store at a time one does, and all use it" \
	"$(cat created.* | grep -c 'made the store') $("$PERENNIAL" export --state="$(address created)" | wc -l)" "1 3"

# Several commands write at a time: nothing is lost, and no URL is leased twice.
W=$(address writers)
"$PERENNIAL" init --state="$W" --budget=100000/day
for w in 1 2 3; do
	for i in $(seq 1 1500); do echo "http://w$w-$((i % 100)).example/$i"; done >urls.$w
	"$PERENNIAL" add --state="$W" --now=2026-01-01 urls.$w 2>added.$w &
done
wait
same "three that add pages at a time each add all of theirs" \
	"$(cat added.*)" "$(for w in 1 2 3; do echo "perennial add: 1500 pages added"; done)"
same "what three have added at a time is there" "$("$PERENNIAL" export --state="$W" | wc -l)" 4500
for w in 1 2 3 4; do
	for i in 1 2 3; do "$PERENNIAL" due --state="$W" --now=2026-01-01T00:00:0$i --limit=20 2>>told.$w; done >given.$w &
	for i in 1 2 3; do "$PERENNIAL" release --state="$W" --now=2026-01-01T00:00:00Z http://w1-$w.example/$i; done >>told.$w 2>&1 &
	for i in 1 2 3; do "$PERENNIAL" stats --state="$W"; "$PERENNIAL" tune --state="$W" --budget=9$w$i/day --apply; done >>told.$w 2>&1 &
done
wait
same "no command is told that another was faster" "$(cat told.* | grep -i 'another\|faster')" ""
ok "four that ask at a time are given URLs" test "$(cat given.* | wc -l)" -gt 20
same "no URL is given to two of those who ask at a time" "$(cat given.* | sort | uniq -d)" ""
code "after several writers a check finds no fault" 0 "$PERENNIAL" check --state="$W"

# One budget holds for all that ask at a time: what one spends while another decides is not forgotten.
B=$(address paced)
"$PERENNIAL" init --state="$B" --budget=2400/day
cat urls.1 urls.2 urls.3 | "$PERENNIAL" add --state="$B" --now=2026-01-01 2>/dev/null
for w in 1 2 3 4; do
	for i in 1 2 3 4; do "$PERENNIAL" due --state="$B" --now=2026-01-01T00:00:0$i --limit=20 2>/dev/null; done >paced.$w &
done
wait
same "those who ask at a time are given what the budget of all has, and no more" "$(cat paced.* | wc -l)" 100
stop_cluster
ok "a cluster that was stopped leaves nothing" test ! -e "$cluster"
done_testing
