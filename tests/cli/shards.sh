#!/usr/bin/env bash
# A store of several shards under every command: the same results as of one, and what is refused.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1

for i in $(seq 1 400); do echo "http://h$((i % 40)).example/$i $((i % 5 + 1))"; done >urls
"$PERENNIAL" synth --seed=3 --pages=30 --captures=6 --warc=captures.warc.gz 2>/dev/null
printf '%s\n' http://h2.example/2 http://h2.example/new >list

# A threshold is the same for all; who is asked first of those that are alike is not, so lists are sorted.
journey() {
	local state=$1
	shift
	"$PERENNIAL" init --state="$state" --threshold=0.1 "$@" || return 1
	"$PERENNIAL" add --state="$state" --now=2026-01-01 urls http://h1.example/more
	"$PERENNIAL" due --state="$state" --now=2026-01-01T01:00:00Z --limit=1000 --format=tsv | sort
	"$PERENNIAL" observe --state="$state" captures.warc.gz
	"$PERENNIAL" due --state="$state" --now=2026-02-01 --limit=1000 --lease=0s | sort
	"$PERENNIAL" due --state="$state" --now=2026-02-01 --limit=1000 --lease=1h | sort
	"$PERENNIAL" release --state="$state" --now=2026-02-01T00:10:00Z --host=h1.example
	"$PERENNIAL" release --state="$state" --now=2026-02-01T00:10:00Z http://h2.example/2 http://nowhere.example/
	"$PERENNIAL" due --state="$state" --now=2026-02-01T02:00:00Z --limit=1000 --format=json | sort
	"$PERENNIAL" hint --state="$state" --now=2026-02-01T02:30:00Z list
	"$PERENNIAL" tune --state="$state" --budget=100/day --apply
	"$PERENNIAL" forget --state="$state" http://h3.example/3
	"$PERENNIAL" forget --state="$state" --host=h4.example --count=10
	"$PERENNIAL" forget --state="$state" --surt=example,h6 --count=10
	"$PERENNIAL" stats --state="$state" --now=2026-02-02
	"$PERENNIAL" stats --state="$state" --now=2026-02-02 --sources --format=tsv | sort
	"$PERENNIAL" explain --state="$state" --now=2026-02-02 http://h5.example/5 http://h4.example/4
	"$PERENNIAL" check --state="$state"
	"$PERENNIAL" export --state="$state" --now=2026-02-02 | sort
}
# Loads are summed shard by shard, in another order: the last digits of what follows from a sum may differ.
digits() { sed -E 's/(\.[0-9]{6})[0-9]+/\1/g'; }
journey one >in_one 2>&1
journey spread --shards=16 >in_several 2>&1
ok "a journey through all commands gives as many lines as it should" test "$(wc -l <in_one)" -gt 700
same "every command gives the same of several shards as of one store" \
	"$(diff <(sed 's|in one|in|' in_one | digits) <(sed 's|in spread|in|' in_several | digits) | head -n 5)" ""
ok "a store of several shards is several" test -e spread.0 -a -e spread.15

# Copies, and what is lost.
code "a store of several shards is copied" 0 "$PERENNIAL" backup --state=spread copy
same "a copy of a store of several shards has all" \
	"$("$PERENNIAL" export --state=copy --now=2026-02-02 | cmp - <("$PERENNIAL" export --state=spread --now=2026-02-02))" ""
code "a store of several shards is not copied onto another" 3 "$PERENNIAL" backup --state=spread copy
mv copy.3 away
code "a shard that is gone is missed by a check" 3 "$PERENNIAL" check --state=copy
like "who checks a store whose shard is gone is told which" "$err" "copy.3: the shard was removed"
code "a shard that is gone is missed by who reads all" 3 "$PERENNIAL" export --state=copy

# What is refused.
code "shards that are no power of two are refused" 2 "$PERENNIAL" init --state=three --shards=3
like "who asks for three shards is told what there may be" "$err" "power of two"
code "more shards than there may be are refused" 2 "$PERENNIAL" init --state=many --shards=2097152
ok "what was refused leaves nothing" test ! -e three -a ! -e many
code "a shard is no store by itself" 3 "$PERENNIAL" stats --state=spread.3
like "who names a shard is told to name the store" "$err" "this is shard 3 of a store"
code "hosts in a group would be in several shards" 3 "$PERENNIAL" due --state=spread --host-group=example=all
like "who groups hosts of several shards is told what to leave out" "$err" "host-group"

# The suites of the library that look at a store through its decider, over shards.
for suite in tune refusals costs sides; do
	[ -x "${BUILDDIR:-}/tests/$suite" ] || continue
	PERENNIAL_SHARDS=16 "$BUILDDIR/tests/$suite" >suite.out 2>&1
	same "the tests of $suite pass over several shards" "$(grep -c '^not ok' suite.out) $(tail -n 1 suite.out | grep -c '^1\.\.')" "0 1"
	grep -A3 '^not ok' suite.out | sed 's/^/# /'
done
done_testing
