#!/usr/bin/env bash
# perennial tune: the threshold that meets a budget, and when there is none.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"

"$PERENNIAL" init --state=S --budget=2/day
"$PERENNIAL" synth --seed=5 --pages=12 --captures=20 --warc=x.warc.gz
"$PERENNIAL" observe --state=S --now=2026-02-01 -q x.warc.gz 2>/dev/null
tune() { "$PERENNIAL" tune --state=S "$@"; }
member() { sed "s/.*\"$1\":\"\{0,1\}\([^,}\"]*\).*/\1/"; }

code "tune finds a threshold for a budget" 0 tune --budget=3/day
like "tune says which threshold it found, and its visits" "$(head -n 1 <<<"$out")" "^12 pages: T = [0-9.e-]+, 3\.0 visits a day \(before: T = 0\.25, [0-9.]+ visits a day\)$"
like "tune says that the threshold is not applied" "$(tail -n 1 <<<"$out")" "^Not applied: --apply does that\.$"
code "tune takes a --now, as every command that opens a store to read" 0 tune --now=2026-02-01 --budget=3/day
like "tune without a budget takes that of the store" "$(tune | head -n 1)" ", 2\.0 visits a day"
loads=$(for budget in 0.5 1 2 4; do tune --budget=$budget/day --format=json | member threshold; done)
same "a larger budget has a lower threshold" "$loads" "$(sort -gr <<<"$loads")"
near() { ok "$1" awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { gap = a / b - 1; exit !(b > 0 && gap < t && gap > -t) }'; }
# Drift's periods go as the root of T: half the visits cost four times the threshold.
near "half the budget wants four times the threshold" "$(sed -n 2p <<<"$loads")" "$(awk -v t="$(sed -n 3p <<<"$loads")" 'BEGIN { print 4 * t }')" 0.02
near "a budget by the week is that of seven days" "$(tune --budget=14/week --format=json | member threshold)" "$(sed -n 3p <<<"$loads")" 1e-6
near "a budget by the hour is that of 24 to the day" "$(tune --budget=0.16666666667/hour --format=json | member threshold)" "$(sed -n 2p <<<"$loads" | awk '{ print $1 / 16 }')" 0.02

code "tune takes a budget that maximum intervals exceed" 0 tune --budget=1/day --max-interval=1d
like "a budget that maximum intervals exceed cannot be met" "$out" "^The budget of 1 a day cannot be met: whatever T is, maximum intervals and what has to be learned want 12\.0\."
code "tune takes a budget that minimum intervals do not reach" 0 tune --budget=100/day --min-interval=1d
like "a budget that minimum intervals do not reach is not needed" "$out" "^The budget of 100 a day is not needed: their minimum intervals allow no more than 12\.0\.$"
same "the JSON of tune has a word for each result" "$(tune --budget=1/day --max-interval=1d --format=json | member result) $(tune --budget=100/day --min-interval=1d --format=json | member result) $(tune --format=json | member result)" \
	"cannot-be-met not-needed met"

code "tune --apply applies the threshold it finds" 0 tune --budget=3/day --apply
like "tune --apply says when the threshold takes effect" "$out" "^Applied: pages that it wants sooner are queued anew, the others take it up when they are next due\.$"
like "the threshold that tune --apply found is in the store" "$(tune --budget=3/day | head -n 1)" "\(before: T = [0-9.e-]+, 3\.0 visits a day\)"
t=$(tune --budget=3/day --format=json | member threshold)
like "explain tells the threshold that was applied" "$("$PERENNIAL" explain --state=S --no-plot --now=2026-02-01 http://h0000000.example/p0)" "^  policy      drift, T = ${t:0:4}"

# A budget is taken away, of a store in one piece and of one of several shards.
for shards in 1 4; do
	of="a store of $shards"
	"$PERENNIAL" init --state=N$shards --shards=$shards --budget=24/day
	seq -f http://h%g.example/ 1 40 | "$PERENNIAL" add --state=N$shards --now=2026-01-01 2>/dev/null
	same "$of with a budget hands out what that allows" "$("$PERENNIAL" due --state=N$shards --now=2026-01-02 2>/dev/null | wc -l)" 1
	code "$of: tune --budget=none looks" 0 "$PERENNIAL" tune --state=N$shards --budget=none
	like "$of: tune says which threshold stays without a budget" "$out" "^40 pages: without a budget T stays [0-9.e+-]+, at which they want [0-9.]+ visits a day\.
Not applied: --apply does that\.$"
	like "$of keeps its budget when it is only looked at" "$("$PERENNIAL" stats --state=N$shards --now=2026-01-02)" "^budget +24 "
	code "$of: tune --budget=none --apply takes the budget away" 0 "$PERENNIAL" tune --state=N$shards --budget=none --apply --format=json
	like "$of: the JSON of tune has null for no budget" "$out" '^\{"result":"none","budget_per_day":null,"unit":"visits",.*"applied":true'
	same "$of without a budget hands out all that is due" "$("$PERENNIAL" due --state=N$shards --now=2026-01-02T00:01:00Z 2>/dev/null | wc -l)" 39
	code "$of: tune without --budget asks for one when there is none" 3 "$PERENNIAL" tune --state=N$shards
done

# Hosts that have had their share of a budget are not held at that of a larger one, nor when there is none.
for shards in 1 4; do
	of="a store of $shards"
	"$PERENNIAL" init --state=H$shards --shards=$shards --budget=100/day
	{ seq -f http://much.example/%g 1 200; for i in $(seq 30); do seq -f http://h$i.example/%g 1 20; done; } |
		"$PERENNIAL" add --state=H$shards --now=2026-01-01 2>/dev/null
	due() { "$PERENNIAL" due --limit=2000 --host-limit=0 --host-delay=0s --host-share=0.02 "$@" 2>/dev/null; }
	# Which shard is asked first is left to chance, and so is how soon that host has had its share.
	for hour in 02T01 02T05 02T10 02T15 02T20 03T0{1..9} 03T{10..22}; do
		due --state=H$shards --now=2026-01-$hour:00:00Z --lease=20m >given
		# Once leases are over: what is released takes from what a host has had.
		"$PERENNIAL" stats --state=H$shards --host-share=0.02 --now=2026-01-$hour:25:00Z | grep -qE "much\.example +share until 2026-01-(0[4-9]|[1-3])" && break
	done
	like "$of has a host that has had its share of the budget" \
		"$("$PERENNIAL" stats --state=H$shards --host-share=0.02 --now=2026-01-$hour:26:00Z)" "much\.example +share until 2026-01-(0[4-9]|[1-3])"
	for part in H$shards H$shards.[0-9]*; do [ ! -e "$part" ] || cp -r "$part" "L${part#H}"; done
	"$PERENNIAL" tune --state=L$shards --budget=1e6/day --apply >given
	like "$of asks a host that has had its share under a larger budget" "$(due --state=L$shards --now=2026-01-$hour:02:00Z)" "much\.example"
	"$PERENNIAL" tune --state=H$shards --budget=none --apply >given
	# Of the pages that were given a few may have lost two leases, which is a failure, if that took many calls.
	given=$(due --state=H$shards --now=2026-01-$hour:02:00Z --lease=0s | wc -l)
	ok "$of hands out all pages of a host that has had its share when there is no budget" test "$given" -gt 700
	same "$of hands out all that is due when there is no budget" "$given" \
		"$("$PERENNIAL" stats --state=H$shards --now=2026-01-$hour:02:00Z | sed -n 's/^pages .*: \([0-9]*\) due now.*/\1/p')"
done

"$PERENNIAL" init --state=bytes --budget=10/day
seq -f http://a.example/%g 1 5 | "$PERENNIAL" add --state=bytes 2>/dev/null
like "tune into bytes says of how many pages no answer was counted, and what is assumed of them" "$("$PERENNIAL" tune --state=bytes --budget=1MB/day)" \
	"^What answers bring is not known of 5 of them: 100 kB each are assumed until they are reported, and T follows\.$"
like "tune into bytes has these in JSON" "$("$PERENNIAL" tune --state=bytes --budget=1MB/day --format=json)" '"unsized":5,"assumed_bytes":100000\.0'
same "tune into visits assumes no bytes" "$("$PERENNIAL" tune --state=bytes --budget=1/day | grep -c 'not known')" 0

# Pages that want nothing of a budget: one was gone twice, one failed twice.
"$PERENNIAL" init --state=out --budget=none --threshold=1
seq -f http://o%g.example/ 1 5 | "$PERENNIAL" add --state=out --now=2026-01-01 2>/dev/null
for day in 02 03 04; do
	printf '{"url":"http://o1.example/","time":"2026-01-%sT00:00:00Z","status":410}\n{"url":"http://o2.example/","time":"2026-01-%sT00:00:00Z","status":500}\n' $day $day
done | "$PERENNIAL" observe --state=out --now=2026-01-05 -q --retire-after=3 2>/dev/null
"$PERENNIAL" tune --state=out --budget=1/day --apply >given
like "tune says of how many pages nothing is wanted" "$(cat given)" "^3 pages: T = "
like "and why" "$(cat given)" "^2 more want nothing of it: "
like "and so in JSON" "$("$PERENNIAL" tune --state=out --format=json)" '"pages":3,"left_out":2,'
like "a store that was made without a budget keeps its threshold" "$("$PERENNIAL" init --state=none --budget=none --threshold=2 2>&1; "$PERENNIAL" stats --state=none)" "T = 2"

# A long list is added to a store that keeps to its budget: what is wanted at T is much more, and stats says of what.
"$PERENNIAL" init --state=list --budget=50/day
for day in 01 05 09 13; do
	seq -f '{"url":"http://k%g.example/","time":"2026-01-'$day'","body":"a b c d e f '$day'"}' 40
done | "$PERENNIAL" observe --state=list --now=2026-01-13 -q 2>/dev/null
for hour in 00 03 06 09 12; do "$PERENNIAL" due --state=list --now=2026-01-14T$hour:00:00Z >given 2>&1; done
same "stats says nothing of new pages where there are none" "$("$PERENNIAL" stats --state=list --now=2026-01-14T12:00:00Z | grep -c "never fetched")" 0
seq -f http://n%g.example/ 5000 | "$PERENNIAL" add --state=list --now=2026-01-14T12:30:00Z 2>/dev/null
"$PERENNIAL" due --state=list --now=2026-01-14T13:00:00Z >given 2>&1
like "stats says that what pages want is for new ones" "$("$PERENNIAL" stats --state=list --now=2026-01-14T13:00:00Z)" \
	"visits a day, 9[0-9] % of that for pages that were never fetched, which raise T slowly$"
like "and how much in JSON" "$("$PERENNIAL" stats --state=list --now=2026-01-14T13:00:00Z --format=json)" '"new_load_per_day":[0-9]{4}'
like "tune --apply says which T there is for now" "$("$PERENNIAL" tune --state=list --now=2026-01-14T13:00:00Z --apply)" "^T is 0\.0[0-9]+ for now: pages that were never fetched raise it slowly\.$"

# Asked before it has pages, and by turns: all that it has is given, and more is left over.
"$PERENNIAL" init --state=left --budget=100/day
seq -f http://a.example/%g 1 2 | "$PERENNIAL" add --state=left --now=2026-01-01 2>/dev/null
for day in 02 03 04 05 06 07 08 09; do
	"$PERENNIAL" due --state=left --now=2026-01-${day}T01:00:00Z --host-limit=0 --host-delay=0s --format=json 2>/dev/null |
		sed -n "s|.*\"url\":\"\([^\"]*\)\".*|{\"url\":\"\1\",\"status\":200,\"type\":\"text/plain\",\"body\":\"some words of day $day\"}|p" |
		"$PERENNIAL" observe --state=left --now=2026-01-${day}T01:01:00Z --time=2026-01-${day}T01:00:30Z -q >/dev/null 2>&1
done
like "tune says that T is sought for more than the budget where calls leave some of it over" "$("$PERENNIAL" tune --state=left --now=2026-01-09T02:00:00Z)" "^T is sought for 2\.5 times the budget: at less, calls left some of it over\.$"
like "minimum intervals allow what they do, whatever calls left over" "$("$PERENNIAL" tune --state=left --now=2026-01-09T02:00:00Z --min-interval=2h)" \
	"^The budget of 100 a day is not needed: their minimum intervals allow no more than 24\.0\.$"
left=$("$PERENNIAL" stats --state=left --now=2026-01-09T02:00:00Z --min-interval=2h)
like "stats tells what pages want within minimum intervals, and what is sought" "$left" \
	"^threshold   T = [0-9.e-]+, at which all pages want [0-9.]+ visits a day, [0-9.]+ within the intervals that are given \(sought for 2\.5 times the budget: at less, calls left some of it over\)"
same "stats tells of pages within minimum intervals what tune does" "$(sed -n 's/.* visits a day, \([0-9.]*\) within.*/\1/p' <<<"$left")" \
	"$("$PERENNIAL" tune --state=left --now=2026-01-09T02:00:00Z --min-interval=2h | sed -n 's/.*(before: T = [^,]*, \([0-9.]*\) visits.*/\1/p')"
same "stats has it in JSON where intervals are given, and only there" \
	"$("$PERENNIAL" stats --state=left --min-interval=2h --format=json | grep -c load_within_per_day) $("$PERENNIAL" stats --state=left --format=json | grep -c load_within_per_day)" "1 0"

code "tune fails for a store without a budget" 3 bash -c '"$PERENNIAL" init --state=N && "$PERENNIAL" tune --state=N'
like "tune for a store without a budget asks for --budget" "$err" "N was made without a budget: give one with --budget=N/day"
for budget in 10 10/year -1/day x/day 0/day 1e-308/day; do
	code "tune --budget=$budget is a usage error" 2 tune --budget=$budget
	like "tune --budget=$budget is told what a budget is" "$err" "--budget takes visits or bytes in a time, one in 10000 years or more, such as 5000/day, 200/hour, 1e6/week or 2GB/day, or none, not '$budget'"
done
code "an unknown format of tune is a usage error" 2 tune --format=tsv
like "tune with an unknown format is told which there are" "$err" "--format takes json, not 'tsv'"
done_testing
