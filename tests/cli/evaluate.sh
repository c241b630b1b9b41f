#!/usr/bin/env bash
# perennial evaluate and perennial prior: their output as others rely on it, and what they say to bad input.
. "${SRCDIR:?}/tests/tap.sh"

# A corpus of daily snapshots.  Page p of host h: p mod 4 = 0 never changes, 1 scrolls an item every second day,
# 2 scrolls one a day, 3 carries a new token each day.
words() { local from=$1 to=$2 i; for ((i = from; i < to; i++)); do printf 'alpha%d beta%d gamma%d delta%d epsilon%d ' "$i" "$i" "$i" "$i" "$i"; done; }
snapshots() { # DIR HOST-PREFIX DAYS PAGES
	local day page dir body
	for ((day = 1; day <= $3; day++)); do
		for ((page = 0; page < $4; page++)); do
			dir=$1/$(printf '202605%02dT120000Z' "$day")/$2$((page / 2)).example
			mkdir -p "$dir"
			case $((page % 4)) in
			0) body=$(words 0 9) ;;
			1) body=$(words $((day / 2)) $((day / 2 + 9))) ;;
			2) body=$(words $((day)) $((day + 9))) ;;
			3) body="$(words 0 9) token$day" ;;
			esac
			printf '%s %s\n' "page$page" "$body" >"$dir/p$page.txt"
		done
	done
}
snapshots "$tmp/a" a 20 8
snapshots "$tmp/b" b 12 6
snapshots "$tmp/short" s 3 2
for name in a b short; do "$PERENNIAL" import -o "$tmp/$name.trace" "$tmp/$name" 2>/dev/null; done
a=$tmp/a.trace b=$tmp/b.trace
evaluate() { "$PERENNIAL" evaluate --format=tsv "$@" 2>"$tmp/stderr"; }
column() { printf '%s\n' "$1" | awk -F'\t' -v n="$2" 'NR > 1 { print $n }'; }
tab=$'\t'


for ((i = 10; i < 30; i++)); do echo "k 202605${i}000000 http://c.example/ text/html 200 D$((i / 3))"; done >"$tmp/c.cdx"
code "evaluate takes an index of an archive" 0 "$PERENNIAL" evaluate "$tmp/c.cdx" --policy=cgm,drift --at-cost=0.5 --format=tsv
like "evaluate says where every change replaced all of a page" "$err" "every change here replaced all of a page"
evaluate "$a" --policy=cgm --at-cost=0.5 >/dev/null
same "evaluate does not say so where some changed in part" "$(grep 'replaced all' "$tmp/stderr")" ""

code "evaluate takes a sweep of chosen settings" 0 "$PERENNIAL" evaluate "$a" --policy=uniform,cgm,drift:kappa=3 --window=steady \
	--threshold=0.05,0.1 --period=1,2 --format=tsv
same "a sweep prints its columns by name" "$(head -n 1 <<<"$out")" "policy${tab}parameter${tab}window${tab}pages${tab}cost${tab}staleness"
same "a sweep prints a row per policy and parameter, the policy as it was given" "$(cut -f 1-4 <<<"$out" | tail -n +2 | tr '\t' ' ')" \
	"uniform 1 steady 8
uniform 2 steady 8
cgm 0.05 steady 8
cgm 0.1 steady 8
drift:kappa=3 0.05 steady 8
drift:kappa=3 0.1 steady 8"
same "a visit at every capture costs 1" "$(column "$out" 5 | head -n 1)" 1
like "numbers of a sweep have every digit that counts" "$(column "$out" 6 | head -n 2 | tail -n 1)" '^0\.[0-9]{15,}$'
like "version, command line and pages are told on stderr" "$err" \
	'^# perennial [0-9.]+; perennial evaluate --policy=uniform,cgm,drift:kappa=3 .*a\.trace; 8 pages$'

out=$(evaluate "$a" --policy=uniform --period=2,2d,48h,0.5w)
same "durations go by the pages' clock and print as given" "$(column "$out" 2 | tr '\n' ' ')" "2 2d 48h 0.5w "
same "two days of daily pages are two steps" "$(column "$out" 6 | sed -n 1p)" "$(column "$out" 6 | sed -n 2p)"
same "the window is all unless another is given" "$(column "$out" 3 | sort -u)" all
same "two days by the clock of days are two units of it" "$(evaluate "$a" --policy=uniform --period=2d --clock=days | cut -f 5-)" \
	"$(evaluate "$a" --policy=uniform --period=2 --clock=days | cut -f 5-)"
same "for daily pages steps and days are the same clock" "$(evaluate "$a" --policy=drift --threshold=0.3 --clock=days)" \
	"$(evaluate "$a" --policy=drift --threshold=0.3)"
out=$(evaluate "$a" --policy=uniform,drift --threshold=0.3)
ok "a dial that was not given gets a sweep of its own" test "$(grep -c ^uniform <<<"$out")" -gt 10 -a "$(grep -c ^drift <<<"$out")" = 1
# Pages that seldom change: once in 30 to 300 captures.
# Few hosts
for pages in 20 60; do "$PERENNIAL" synth --seed=1 --pages=$pages --captures=40 -o "$tmp/hosts$pages.trace" 2>/dev/null; done
code "evaluate compares pages of two hosts" 0 "$PERENNIAL" evaluate --policy=cgm,azar,drift --window=steady --format=table "$tmp/hosts20.trace"
ok "ratios over two hosts are not marked" test "$(grep -c '[0-9]\*' <<<"$out")" = 0
like "evaluate says that two hosts are few" "$err" "^perennial evaluate: the pages are of 2 hosts: of fewer than 6 intervals say little, and no ratio is marked$"
for pages in 3 9; do
	"$PERENNIAL" synth --seed=1 --pages=$pages --captures=40 -o "$tmp/one$pages.trace" 2>/dev/null
	code "evaluate compares $pages pages of one host" 0 "$PERENNIAL" evaluate --policy=cgm,uniform --window=steady --format=table "$tmp/one$pages.trace"
	[ $pages = 3 ] || break
	like "three pages of one host are not three hosts" "$err" "^perennial evaluate: there are 3 pages, of one host: of fewer than 6 intervals say little, and no ratio is marked$"
done
like "intervals over nine pages of one host say what they are over" "$err" "^perennial evaluate: all pages are of one host: intervals are over its pages, and say nothing of other hosts$"
ok "ratios over nine pages of one host are marked" test "$(grep -c '[0-9]\*' <<<"$out")" -gt 0
for k in 3 5; do "$PERENNIAL" synth --warc="$tmp/words.warc" --pages=4 --captures=12 2>/dev/null && "$PERENNIAL" import --shingle=$k -o "$tmp/words$k.trace" "$tmp/words.warc" 2>/dev/null; done
code "traces of other words are evaluated" 0 "$PERENNIAL" evaluate --policy=uniform --period=2 "$tmp/words3.trace" "$tmp/words5.trace"
same "that fragments have other lengths is told, and nothing of intervals where there are none" "$(grep -v '^#' <<<"$err")" \
	"perennial: the fragments of $tmp/words3.trace have 3 words, and those of $tmp/words5.trace 5: what is said of all pages mixes them"
ln -s words3.trace "$tmp/again.trace"
code "a trace is named twice" 0 "$PERENNIAL" measure --draws=0 --bootstrap=0 "$tmp/words3.trace" "$tmp/again.trace"
like "that a trace is named twice is told" "$err" "^perennial: $tmp/again.trace is named twice: its pages count twice$"
code "a source that is not there ends a measurement" 3 "$PERENNIAL" measure "$tmp/nothing.warc"
same "the one message of a source that is not there" "$err" "perennial measure: $tmp/nothing.warc: cannot be opened: No such file or directory"
code "evaluate compares pages of six hosts" 0 "$PERENNIAL" evaluate --policy=cgm,azar,drift --window=steady --format=table "$tmp/hosts60.trace"
ok "ratios over six hosts are marked" test "$(grep -c '[0-9]\*' <<<"$out")" -gt 0
same "six hosts are not told to be few" "$(grep -c "say little" <<<"$err")" 0
# Few captures: one visit in five captures is less than one in the half of a life that is judged.
for captures in 9 10; do "$PERENNIAL" synth --seed=1 --pages=60 --captures=$captures -o "$tmp/captures$captures.trace" 2>/dev/null; done
code "evaluate compares pages with nine captures" 0 "$PERENNIAL" evaluate --policy=cgm,azar,drift,uniform --window=steady --format=table "$tmp/captures9.trace"
ok "ratios over pages with nine captures are not marked" test "$(grep -c '[0-9]\*' <<<"$out")" = 0
like "evaluate says that nine captures of a page are few" "$err" "^perennial evaluate: pages have 9 captures in the mean: with fewer than 10 policies have seen too little to be compared, and no ratio is marked$"
code "evaluate compares pages with ten captures" 0 "$PERENNIAL" evaluate --policy=cgm,azar,drift,uniform --window=steady --format=table "$tmp/captures10.trace"
ok "ratios over pages with ten captures are marked" test "$(grep -c '[0-9]\*' <<<"$out")" -gt 0
same "ten captures are not told to be few" "$(grep -c "too little" <<<"$err")" 0
code "evaluate compares pages from their second captures on" 0 "$PERENNIAL" evaluate --policy=cgm,drift --window=steady --format=table --offsets=1 "$tmp/captures10.trace"
like "captures are counted from the start of a replay" "$err" "^perennial evaluate: pages have 9 captures in the mean"
"$PERENNIAL" evaluate --policy=cgm,azar,drift,uniform --part=1/1 --partial="$tmp/captures9.part" "$tmp/captures9.trace" 2>/dev/null
code "merge prints what was evaluated of pages with nine captures" 0 "$PERENNIAL" merge --window=steady --format=table "$tmp/captures9.part"
like "merge tells that nine captures are few" "$err" "^perennial merge: pages have 9 captures in the mean"
ok "merge marks no ratio over pages with nine captures" test "$(grep -c '[0-9]\*' <<<"$out")" = 0
for rate in 0.003 0.01 0.03; do "$PERENNIAL" synth --seed=5 --pages=100 --captures=90 --rate=$rate --static-share=0.7 --fragments=100 -o "$tmp/still$rate.trace" 2>/dev/null; done
# The geometric mean over six costs of the ratio of drift to cgm.
to_cgm() {
	evaluate "$@" --policy=cgm,drift --at-cost=0.05,0.1,0.15,0.2,0.3,0.4 --bootstrap=0 |
		awk -F'\t' 'NR > 1 { log_of[$1] += log($4) / 6 } END { print exp(log_of["drift"] - log_of["cgm"]) }'
}
at_most() { awk -v ratio="$1" -v most="$2" 'BEGIN { exit !(ratio > 0 && ratio <= most) }'; }
ratio=$(to_cgm "$tmp"/still*.trace)
ok "on pages that seldom change drift is at least 5 % less stale than cgm at equal cost, over whole lives: $ratio" at_most "$ratio" 0.95
# Three starts: one alone scatters by several per cent.
ratio=$(to_cgm "$tmp"/still*.trace --window=steady --offsets=0,2,5)
ok "on pages that seldom change drift is as stale as cgm within 2 % in the steady state: $ratio" at_most "$ratio" 1.02
"$PERENNIAL" synth --seed=7 --pages=150 --captures=90 --items=1 --regions=1 --static-share=0 --fragments=50 -o "$tmp/whole.trace" 2>/dev/null
for window in all steady; do
	ratio=$(to_cgm "$tmp/whole.trace" --window=$window --offsets=0,2,5)
	ok "where every change is wholly new drift is within 3 % of cgm at equal cost, $window: $ratio" at_most "$ratio" 1.03
done

out=$(evaluate "$a" --policy=heritrix1,nutch:preset=code,cgm --scale=0.5,1 --threshold=0.1)
same "--scale is for the policies that have one, --threshold for the others" "$(cut -f 1,2 <<<"$out" | tail -n +2 | tr '\t\n' '  ')" \
	"heritrix1 0.5 heritrix1 1 nutch:preset=code 0.5 nutch:preset=code 1 cgm 0.1 "
out=$("$PERENNIAL" evaluate "$a" --policy=uniform --period=2,2d --format=json 2>/dev/null)
like "--format=json prints a row as a JSON line" "$(head -n 1 <<<"$out")" '^\{"policy": "uniform", "parameter": 2, "window": "all", "pages": 8, "cost": 0\.[0-9]+, "staleness": 0\.[0-9]+\}$'

out=$(evaluate "$a" --policy=uniform --period=2 --metric=changes,fragment,age,holistic,harmonic)
same "metrics stand side by side, in the order asked for" "$(head -n 1 <<<"$out" | cut -f 5-)" \
	"cost${tab}changes${tab}staleness${tab}age-days${tab}holistic${tab}harmonic"
# 20 daily captures, half of 8 pages change daily, a quarter every second day, a quarter never: 9 visits.
same "changes are counted per page: 9 visits of a page, on three pages of four" "$(column "$out" 6)" 6.75
same "staleness beside other metrics is what it is alone" "$(column "$out" 7)" "$(column "$(evaluate "$a" --policy=uniform --period=2)" 6)"
ok "metrics side by side relate as those of one replay must" awk -F'\t' 'NR == 2 { exit !($7 < $9 && $9 < 0.75 && $8 < 1.5 && $10 > $9) }' <<<"$out"
out=$(evaluate "$a" --metric=age --at-cost=0.2 --policy=uniform,cgm)
same "one metric is compared at equal cost" "$(head -n 1 <<<"$out")" "policy${tab}window${tab}cost${tab}age-days${tab}low${tab}high"
out=$(evaluate "$a" --metric=changes --at-staleness=5 --policy=uniform)
same "a metric is the axis of --at-staleness, which may go beyond 1" "$(cut -f 1-3 <<<"$out" | tr '\t' ' ')" "policy window changes
uniform all 5"
ok "seeing 5 changes of a page costs between 0.2 and 0.9 visits a capture" awk -F'\t' 'NR == 2 { exit !($4 > 0.2 && $4 < 0.9) }' <<<"$out"
like "the table of a metric says which one it is" "$("$PERENNIAL" evaluate "$a" --metric=holistic --format=table --bootstrap=0 --policy=uniform)" \
	'^Holistic staleness \(share of time out of date\) at equal cost'
out=$(evaluate "$a" --at-cost=0.1,0.2,0.999 --policy=cgm,drift --window=warm-up,all)
same "--at-cost prints its columns by name" "$(head -n 1 <<<"$out")" "policy${tab}window${tab}cost${tab}staleness${tab}low${tab}high"
same "--at-cost prints a row per window, policy and cost" "$(cut -f 1-3 <<<"$out" | sed -n '2p;6p;13p' | tr '\t' ' ')" "cgm warm-up 0.1
drift warm-up 0.2
drift all 0.999"
ok "the interval of a compared value encloses it" awk -F'\t' 'NR > 1 && $4 != "NA" && $5 != "NA" { n++; if (!($5 <= $4 && $4 <= $6)) bad++ } END { exit bad || n < 6 }' <<<"$out"
like "seed and resamples of a comparison are told on stderr" "$(cat "$tmp/stderr")" 'seed 1, 1000 resamples; 8 pages$'
same "a comparison prints the same bytes for the same seed" "$(evaluate "$a" --at-cost=0.1,0.2,0.999 --policy=cgm,drift --window=warm-up,all --seed=1)" "$out"
few=$(evaluate "$a" "$b" --at-cost=0.1,0.2 --policy=uniform,drift --bootstrap=20)
other=$(evaluate "$a" "$b" --at-cost=0.1,0.2 --policy=uniform,drift --bootstrap=20 --seed=2)
same "another seed gives the same values" "$(cut -f 4 <<<"$other")" "$(cut -f 4 <<<"$few")"
ok "another seed gives other intervals" test "$(cut -f 5,6 <<<"$other")" != "$(cut -f 5,6 <<<"$few")"
out=$(evaluate "$a" --at-staleness=0.2 --policy=uniform,drift)
same "--at-staleness prints its columns by name" "$(head -n 1 <<<"$out")" "policy${tab}window${tab}staleness${tab}cost${tab}low${tab}high"
like "a staleness that cannot be reached has NA for its cost" "$(evaluate "$a" --at-staleness=0.99 --policy=drift | tail -n 1)" 'drift.all.0\.99.NA.NA.NA$'

for threads in 1 4; do
	evaluate "$a" "$b" --threads=$threads --window=warm-up,steady,all >"$tmp/table.$threads"
	evaluate "$a" "$b" --threads=$threads --threshold=0.1,1 --policy=curve-fitting,bound-based,fs-s,fs-d --summary=8 >"$tmp/rows.$threads"
done
ok "1 thread and 4 print the same comparison" cmp "$tmp/table.1" "$tmp/table.4"
ok "1 thread and 4 print the same rows" cmp "$tmp/rows.1" "$tmp/rows.4"
like "evaluate without a question prints staleness at chosen costs, with the ratio to cgm" "$(head -n 1 "$tmp/table.1")" "^policy${tab}window${tab}cost${tab}staleness${tab}low${tab}high${tab}ratio-to-cgm${tab}ratio-low${tab}ratio-high$"
# The README shows the table that a new user gets: a policy that evaluate compares stands there.
same "evaluate compares the policies that the README compares, in its order" "$(tail -n +2 "$tmp/table.1" | cut -f 1 | uniq | awk '!seen[$0]++' | tr '\n' ' ')" \
	"$(awk '/^steady +at cost/ { on = 1; next } /^#/ && on { exit } on && /^[a-z]/ { printf "%s ", $1 }' "$SRCDIR/README.md")"
out=$("$PERENNIAL" evaluate "$a" "$b" --format=table)
like "a person gets a table per window" "$(grep -E '^(warm-up|steady) ' <<<"$out" | tr '\n' ' ')" 'warm-up +at cost 0\.05 .*steady +at cost 0\.05'
like "the table for a person has the ratio to cgm" "$(grep '^cgm' <<<"$out" | tail -n 1)" '0\.[0-9]{4} x1\.00 '
same "--ratio-to gives the ratio to another policy" "$(evaluate "$a" --policy=drift,uniform,cgm --ratio-to=uniform --bootstrap=0 | cut -f 1,3,7 | grep -E 'policy|uniform.0.2')" \
	"policy${tab}cost${tab}ratio-to-uniform
uniform${tab}0.2${tab}1
uniform${tab}0.2${tab}1"
# "x1.73*" where the columns of the TSV say that the interval leaves out 1, on either side; "x0.97" elsewhere, "-" without a value.
ratios() { evaluate "$a" "$b" --policy=uniform,drift,fs-d --ratio-to=drift --window=steady --bootstrap=200 "$@"; }
stars=$(ratios | awk -F'\t' 'NR > 1 { printf "%s%s ", $4 == "NA" ? "-" : sprintf("x%.2f", $7), $8 != "NA" && ($8 > 1 || $9 < 1) ? "*" : "" }')
same "a ratio has a star where its interval leaves out 1" \
	"$(ratios --format=table | grep -E '^(uniform|drift|fs-d) ' | grep -oE 'x[0-9.]+\*?| -( |$)' | tr -d ' ' | tr '\n' ' ')" "$stars"
like "some of the ratios with a star are above 1, and some below" "$stars" 'x1\.[0-9]+\* .*x0\.[0-9]+\* '
like "the table for a person ends with what it came from" "$(tail -n 1 <<<"$out")" '^# perennial [0-9.]+; perennial evaluate .*; seed 1, 1000 resamples; 14 pages$'

out=$(evaluate "$a" --budget=0.2,0.5)
same "--budget is for the policies that are compared by default, without the yardstick" \
	"$(tail -n +2 <<<"$out" | cut -f 1 | uniq)" "$(awk -F'\t' '$2 == "steady" { print $1 }' "$tmp/table.1" | uniq | grep -v fs-s)"
same "uniform with a budget is uniform with the period of that budget" "$(awk -F'\t' '$1 == "uniform" && $2 == 0.5' <<<"$out" | cut -f 5-)" \
	"$(evaluate "$a" --policy=uniform --period=2 | tail -n 1 | cut -f 5-)"
ok "every policy with a budget spends about that much" awk -F'\t' 'NR > 1 && !($5 > 0.3 * $2 && $5 < 2.5 * $2) { exit 1 }' <<<"$out"
same "--budget prints the same for any number of threads" "$(evaluate "$a" --budget=0.2,0.5 --threads=4)" "$(evaluate "$a" --budget=0.2,0.5 --threads=1)"
like "budgets can be read off at a cost" "$(evaluate "$a" --budget=0.1,0.9 --at-cost=0.3 --policy=drift --bootstrap=0 | tail -n 1)" \
	'^drift.all.0\.3.0\.[0-9]+'

out=$(evaluate "$a" "$b" "$a" --policy=uniform --period=2)
same "traces are pooled; the same page in two of them is two pages" "$(column "$out" 4)" 22
out=$(evaluate "$a" "$tmp/short.trace" --policy=uniform --period=2)
same "pages with too few captures are left out" "$(column "$out" 4)" 8
like "pages with too few captures are counted on stderr" "$(cat "$tmp/stderr")" '8 pages, 2 with fewer than 4 captures left out$'
same "a folder of snapshots does as well as its trace" "$(evaluate "$tmp/a" --policy=drift --threshold=0.2)" "$(evaluate "$a" --policy=drift --threshold=0.2)"
same "global options are defaults, a key in the specification wins" \
	"$(evaluate "$a" --policy=curve-fitting:history=2 --history=7 --threshold=0.1 | cut -f 5-)" \
	"$(evaluate "$a" --policy=curve-fitting:history=2 --threshold=0.1 | cut -f 5-)"
same "uniform:skip-static costs only the pages that change" "$(evaluate "$a" --policy=uniform:skip-static --period=1 | cut -f 5 | tail -n 1)" 0.75

# Starts: the same histories cut by hand, one folder per start without the days before it.
later() { # DIR FROM-DAY
	local day; mkdir -p "$tmp/later$2"
	for day in "$1"/*; do [ "$(basename "$day" | cut -c7-8)" -lt "$2" ] || cp -R "$day" "$tmp/later$2/"; done
	"$PERENNIAL" import -o "$tmp/later$2.trace" "$tmp/later$2" 2>/dev/null
}
for day in 1 3 6; do later "$tmp/a" $day; done
swept=(--policy=drift,curve-fitting,uniform,fs-s --threshold=0.1,0.4 --period=2,3 --window=warm-up,steady,all --metric=fragment,age)
same "--offsets=0 prints what no offset does" "$(evaluate "$a" "${swept[@]}" --offsets=0)" "$(evaluate "$a" "${swept[@]}")"
same "a start after 5 captures is the history cut there by hand" "$(evaluate "$a" "${swept[@]}" --offsets=5)" "$(evaluate "$tmp/later6.trace" "${swept[@]}")"
for day in 1 3 6; do evaluate "$tmp/later$day.trace" "${swept[@]}" | tail -n +2 | cut -f 5-; done >"$tmp/apart"
ok "several starts have the mean cost and staleness of the histories cut by hand" awk -F'\t' '
	NR == FNR { n = (FNR - 1) % 24; for (i = 1; i <= NF; i++) sum[n, i] += $i; lines++; next }
	FNR > 1 { for (i = 5; i <= NF; i++) { want = sum[FNR - 2, i - 4] / 3; off = $i - want; if (off * off > 1e-18) exit 1; rows++ } }
	END { exit lines != 72 || rows != 72 }' "$tmp/apart" <(evaluate "$a" "${swept[@]}" --offsets=0,2,5)
like "offsets are part of what is told on stderr" "$(cat "$tmp/stderr")" '^# perennial .* --offsets=0,2,5 .*; 8 pages$'
same "starts are averaged before policies are compared, and intervals drawn: threads do not matter" \
	"$(evaluate "$a" "$b" --offsets=0,3 --at-cost=0.2,0.4 --threads=1)" "$(evaluate "$a" "$b" --offsets=0,3 --at-cost=0.2,0.4 --threads=4)"
out=$(evaluate "$a" "$b" --policy=uniform --period=2 --offsets=0,10)
same "a page that is too short for a start is none that is left out" "$(column "$out" 4)" 14
same "a page that is too short for a start does not count there" "$(column "$out" 5 | xargs printf '%.12g')" "$(
	for start in 0 10; do evaluate "$a" --policy=uniform --period=2 --offsets=$start; evaluate "$b" --policy=uniform --period=2 --offsets=$start; done |
	awk -F'\t' '$1 == "uniform" { cost += $4 * $5; n += $4 } END { printf "%.12g", cost / n }')"
code "a start after the end of all histories fails" 3 "$PERENNIAL" evaluate "$a" --policy=uniform --period=2 --offsets=0,18
like "a start after the end of all histories is told" "$err" "^perennial evaluate: from capture 18 on: no page has 4 captures or more in its life: 8 left out"

# Groups.
compared=(--policy=uniform,cgm,drift --at-cost=0.1,0.2,0.4 --window=steady,all --bootstrap=50)
out=$(evaluate "$a" "$b" "${compared[@]}" --by=corpus --offsets=0,2)
same "--by=corpus has the corpus as its first column" "$(head -n 1 <<<"$out")" "corpus${tab}policy${tab}window${tab}cost${tab}staleness${tab}low${tab}high"
same "the rows of a corpus are those of that corpus alone, values and intervals" "$(awk -F'\t' -v b="$b" '$1 == b' <<<"$out" | cut -f 2-)" \
	"$(evaluate "$b" "${compared[@]}" --offsets=0,2 | tail -n +2)"
out=$(evaluate "$a" "$b" --threshold=0.1 --policy=cgm,drift --by=host)
"$PERENNIAL" import -o "$tmp/a1.trace" --host=a1.example "$tmp/a" 2>/dev/null
same "the rows of a host are those of its pages alone" "$(grep "^a1.example$tab" <<<"$out" | cut -f 2-)" \
	"$(evaluate "$tmp/a1.trace" --threshold=0.1 --policy=cgm,drift | tail -n +2)"
same "--by=host has the hosts in the order of their pages" "$(column "$out" 1 | uniq | tr '\n' ' ')" "a0.example a1.example a2.example a3.example b0.example b1.example b2.example "
out=$(evaluate "$a" "$tmp/short.trace" --threshold=0.1,0.4 --policy=drift --by=page)
same "--by=page has rows for every page with captures enough" "$(column "$out" 1 | uniq -c | awk '{ print $1 }' | tr '\n' ' ')" "2 2 2 2 2 2 2 2 "
like "pages without captures enough are counted over all groups" "$(cat "$tmp/stderr")" '; 8 pages, 2 with fewer than 4 captures left out$'
ok "the mean over the rows of pages is the row of all" awk -F'\t' '
	NR == FNR { if (FNR > 1) want[$2] = $6; next } FNR > 1 { sum[$3] += $7 / 8 }
	END { for (t in want) { off = sum[t] - want[t]; if (off * off > 1e-24) exit 1; n++ } exit n != 2 }' \
	<(evaluate "$a" --threshold=0.1,0.4 --policy=drift) <(printf '%s\n' "$out")
like "a row in JSON names its group" "$("$PERENNIAL" evaluate "$b" --by=page --policy=uniform --period=2 --format=json 2>/dev/null | head -n 1)" \
	'^\{"page": "http.*b0\.example/p0.*", "policy": "uniform", "parameter": 2, '
out=$(evaluate "$a" --threshold=0.1,0.4 --policy=drift --by=directory)
same "--by=directory has its groups by host and path" "$(head -n 1 <<<"$out" | cut -f 1) $(column "$out" 1 | sort -u | head -n 1)" "directory a0.example/"
same "where hosts have one directory each, rows of directories are those of hosts" "$(tail -n +2 <<<"$out" | cut -f 2-)" \
	"$(evaluate "$a" --threshold=0.1,0.4 --policy=drift --by=host | tail -n +2 | cut -f 2-)"
same "sources are corpora of their own with --by=corpus" \
	"$(evaluate "$tmp/a" "$tmp/b" --threshold=0.1 --policy=drift --by=corpus | tail -n +2 | cut -f 1 | uniq | tr '\n' ' ')" "$tmp/a $tmp/b "
out=$("$PERENNIAL" evaluate "$a" "$b" --by=corpus --format=table --bootstrap=20 --policy=cgm,drift)
same "a person gets a table per window, all groups in it" "$(grep -cE '^corpus +(warm-up|steady) +at cost' <<<"$out") $(grep -cF "$b  " <<<"$out") $(grep -cF "$a  " <<<"$out")" "2 4 4"
like "the table of groups ends with the pages of all" "$(tail -n 1 <<<"$out")" '; 14 pages$'
code "a start that none of the groups reaches fails" 3 "$PERENNIAL" evaluate "$a" --policy=uniform --period=2 --offsets=0,18 --by=host
like "a start that none of the groups reaches is told" "$err" "^perennial evaluate: from capture 18 on, no page has 4 captures or more in its life"
same "a group that is too short for a start has the mean of the others" \
	"$(evaluate "$a" "$b" --policy=uniform --period=2 --offsets=0,10 --by=corpus | tail -n 1 | cut -f 2-)" \
	"$(evaluate "$b" --policy=uniform --period=2 | tail -n 1)"

bad() { local text=$1 want=$2; shift 2; code "$text is a usage error" 2 "$PERENNIAL" evaluate "$@"; like "the message about $text says what is wrong" "$err" "$want"; }
bad "evaluation without a trace" "^perennial evaluate: no trace to evaluate on was given"
bad "an unknown policy" "no policy 'drifft': there is uniform, .*; offline: fs-s" "$a" --policy=drifft
bad "an unknown key" "policy 'drift' has no key 'kapa': it has .*kappa" "$a" --policy=drift:kapa=2
bad "a key of a yardstick" "fs-s:history=2: the policy fs-s has no keys" "$a" --policy=fs-s:history=2
bad "a bad value of a key" "key 'history' takes a whole number from 1 to 32, not '0'" "$a" --policy=curve-fitting:history=0
for value in nan -1 ''; do
	bad "a bad global value '$value' of a key that no policy named has" "key 'history' takes a whole number from 1 to 32, not '$value'" "$a" --policy=cgm,drift --history="$value"
done
bad "a bad global value" "key 'summary' takes .*, not 'none'" "$a" --summary=none
bad "an unknown window" "--window takes warm-up, steady or all, not 'cold'" "$a" --window=cold
bad "a window twice" "--window names all twice" "$a" --window=all,steady,all
bad "a threshold of 0" "--threshold takes numbers above 0, not '0'" "$a" --threshold=0.1,0
bad "a threshold that is no number" "--threshold takes numbers separated by commas, not '1d'" "$a" --threshold=1d
bad "a negative scale" "--scale takes numbers above 0, not '-1'" "$a" --scale=1,-1
bad "a budget of nothing" "--budget takes numbers above 0, not '0'" "$a" --budget=0
bad "a budget and a threshold" "--budget solves for thresholds, periods and scales: give none of them with it" "$a" --budget=0.1 --threshold=1
bad "a period that is nothing" "--period takes numbers above 0, in clock units, or durations such as 6h or 2d, not 'often'" "$a" --period=often
bad "a negative period" "--period takes .*, not '-1'" "$a" --period=-1
bad "a period without end" "--period takes .*, not 'inf'" "$a" --period=inf
bad "a cost above 1" "--at-cost takes numbers from 0 to 1, not '2'" "$a" --at-cost=2
bad "an unknown metric" "--metric takes fragment, holistic, age, harmonic or changes, not 'freshness'" "$a" --metric=freshness
bad "a metric twice" "--metric names age twice" "$a" --metric=age,fragment,age --period=2
bad "several metrics to compare" "--metric takes one to compare" "$a" --metric=age,fragment
bad "a negative staleness" "--at-staleness takes numbers from 0 up, not '-0.1'" "$a" --at-staleness=-0.1
bad "two questions" "give one of them" "$a" --at-cost=0.1 --at-staleness=0.1
bad "a ratio to what is not there" "--ratio-to names 'cgm', which is not among the policies under test" "$a" --policy=drift --ratio-to=cgm
bad "an unknown clock" "--clock takes steps or days, not 'weeks'" "$a" --clock=weeks
bad "an unknown grouping" "--by takes corpus, host, page or directory, not 'site'" "$a" --by=site
bad "a start before the first capture" "--offsets takes whole numbers from 0 to 1000000, not '-1'" "$a" --offsets=-1
bad "a start between captures" "--offsets takes whole numbers .*, not '0.5'" "$a" --offsets=0.5
bad "a start twice" "--offsets names 02 twice" "$a" --offsets=2,02
bad "a cost in what is none" "--cost takes visits or bytes, not 'euros'" "$a" --cost=euros
bad "an unknown format" "--format takes table, tsv, json or csv, not 'xml'" "$a" --format=xml
bad "no threads" "--threads takes 1 to 1024" "$a" --threads=0
bad "too many resamples" "--bootstrap takes 0 to 1000000" "$a" --bootstrap=100000000

# Hints: of a trace whose pages change now and then, each change as a line of a file.
"$PERENNIAL" synth --seed=3 --pages=30 --captures=60 --rate=0.08 --fragments=100 -o "$tmp/told.trace" 2>/dev/null
told=$tmp/told.trace both=drift:hints=no,drift
for url in $("$PERENNIAL" dump "$told" | grep -o '"url":"[^"]*"' | cut -d '"' -f 4); do
	"$PERENNIAL" dump --url="$url" --visits "$told" | awk -v url="$url" -v at="$(date -u -d 2026-01-01 +%s)" 'NF { at += $1 * 86400; if ($2) printf "{\"url\":\"%s\",\"time\":%d,\"source\":\"feed\"}\n", url, at }'
done >"$tmp/hints"
out=$(evaluate "$told" --policy=$both --threshold=0.3 --hints=synthetic)
same "a policy told not to heed hints is as without any" "$(grep hints=no <<<"$out" | cut -f 2-4)" "$(evaluate "$told" --policy=drift --threshold=0.3 | tail -n 1 | cut -f 2-4)"
ok "hints of every change leave pages less stale" awk -F'\t' '/^drift/ { value[++n] = $6 } END { exit !(value[2] < 0.95 * value[1]) }' <<<"$out"
same "hints of a file are heard as those that are made up" "$(evaluate "$told" --policy=$both --threshold=0.3 --hints="$tmp/hints")" "$out"
sed 's/example/example.org/' "$tmp/hints" >"$tmp/strange"
same "hints for pages that are not there change nothing" "$(evaluate "$told" --policy=drift --threshold=0.3 --hints="$tmp/strange" | cut -f 2-4)" \
	"$(evaluate "$told" --policy=drift --threshold=0.3 | cut -f 2-4)"
code "hints of a file are heard" 0 "$PERENNIAL" evaluate "$told" --policy=drift --threshold=0.3 --hints="$tmp/hints" --format=tsv
all=$(wc -l < "$tmp/hints")
like "evaluate says how many hints are of pages here" "$err" "^perennial evaluate: $all of $all hints are of pages here$"
code "hints of which none is of a page here are told by the exit code" 1 "$PERENNIAL" evaluate "$told" --policy=drift --threshold=0.3 --hints="$tmp/strange" --format=tsv
like "evaluate says that no hint is of a page here" "$err" "^perennial evaluate: 0 of $all hints are of pages here$"
ok "where no hint is of a page here what policies do is printed all the same" grep -q ^drift <<<"$out"
{ echo '<urlset>'; sed 's/.*"url":"\([^"]*\)","time":\([0-9]*\).*/\1 \2/' "$tmp/hints" | while read -r url at; do
	TZ=UTC printf '<url><loc>%s</loc><lastmod>%(%FT%TZ)T</lastmod></url>\n' "$url" "$at"
done; echo '</urlset>'; } > "$tmp/sm.xml"
same "a sitemap is heard as lines of JSON with the times of its changes" "$(evaluate "$told" --policy=drift --threshold=0.3 --hints="$tmp/sm.xml")" \
	"$(evaluate "$told" --policy=drift --threshold=0.3 --hints="$tmp/hints")"
same "with hints results are the same on one thread and on three" "$(evaluate "$told" "$b" --policy=$both --threshold=0.1,1 --hints=synthetic:recall=.8:precision=.5 --threads=1)" \
	"$(evaluate "$told" "$b" --policy=$both --threshold=0.1,1 --hints=synthetic:recall=.8:precision=.5 --threads=3)"

# Pages that join late.
for i in 1 2 3; do
	"$PERENNIAL" evaluate "$SRCDIR"/corpora/*.trace --late=0.5 --seed=$i --window=warm-up --format=tsv --bootstrap=0 2>/dev/null
done >"$tmp/late"
ok "without --policy what siblings are worth is compared" grep -q '^drift:siblings=no.warm-up.0.1.0' "$tmp/late"
ok "on real pages siblings save a twentieth of what new pages of known sites are stale" \
	awk -F'\t' '$1 == "drift" && $5 > 0 && $7 > 0 { n++; sum += log($7) } END { exit !(n > 15 && exp(sum / n) < 0.95) }' "$tmp/late"
same "--late with one seed says the same twice" "$(evaluate "$told" "$b" --late=0.5 --threshold=0.3 --seed=7)" "$(evaluate "$told" "$b" --late=0.5 --threshold=0.3 --seed=7 --threads=1)"
same "told not to heed siblings a policy is as on pages by themselves" \
	"$(evaluate "$told" --policy=drift:siblings=no --late=0 --threshold=0.3 | awk -F'\t' '{ printf "%.9f %.9f", $5, $6 }')" \
	"$(evaluate "$told" --policy=drift --threshold=0.3 | awk -F'\t' '{ printf "%.9f %.9f", $5, $6 }')"
bad "a share of 1 that joins late" "--late takes a number from 0 and below 1, not '1'" "$a" --late=1
bad "a share below 0 that joins late" "--late takes a number from 0 and below 1, not '-0.1'" "$a" --late=-0.1
bad "a share that is no number" "--late takes a number from 0 and below 1, not 'half'" "$a" --late=half
bad "pages that join late under a budget" "--budget and --late do not go together" "$a" --late=0.5 --budget=0.1
bad "pages that join late, each by itself" "--by=page and --late do not go together" "$a" --late=0.5 --by=page

# Conditional requests.  Page 0 never changes, page 3 has another token each day.
out=$(evaluate "$a" --policy=uniform --period=1 --conditional=0.1 --by=page)
same "a visit to an unchanged page costs a look, one to a changed page a fetch" \
	"$(awk -F'\t' '/p0.txt|p3.txt/ { printf "%s ", $6 }' <<<"$out")" "0.09999999999999999 1 "
same "where a look costs a fetch all is as without --conditional" "$(evaluate "$a" --policy=drift,cgm --threshold=0.1,1 --conditional=1)" \
	"$(evaluate "$a" --policy=drift,cgm --threshold=0.1,1)"
ok "a policy told to heed the price of a look looks more often" awk -F'\t' '/^drift/ { value[++n] = $6 } END { exit !(value[2] < value[1]) }' \
	<<<"$(evaluate "$told" --policy=drift,drift:price=yes --threshold=1 --conditional=0.05)"
spent=$(evaluate "$told" --policy=drift --budget=0.1 --conditional=0.1 --window=steady | tail -n 1 | cut -f 5)
ok "a budget is of what visits cost" awk -v spent="$spent" 'BEGIN { exit !(spent > 0.06 && spent < 0.14) }'
bad "a look that costs nothing" "--conditional takes a number above 0, at most 1, not '0'" "$a" --conditional=0
bad "a look that costs more than a fetch" "--conditional takes a number above 0, at most 1, not '2'" "$a" --conditional=2

bad "a key of synthetic hints that there is not" "synthetic hints take recall, precision, delay, noise, every and seed, each as key=value, not 'frob=1'" "$a" --hints=synthetic:frob=1
bad "a key of synthetic rates that there is not" "synthetic rates take error, share, blind and seed, each as key=value, not 'frob=1'" "$a" --rates=synthetic:frob=1
bad "a recall above 1" "synthetic hints: recall takes a number from 0 to 1, not '2'" "$a" --hints=synthetic:recall=2
ok "under a budget hints that tell every change leave less stale" awk -F'\t' '/^drift/ { value[++n] = $6 } END { exit !(n == 2 && value[1] < value[2]) }' \
	<<<"$(evaluate "$told" --policy=drift,drift:hints=no --window=all --hints=synthetic --budget=0.1)"
printf '{"url":"http://a1.example/","time":1}\n{"url":"x"}\n' >"$tmp/faulty"
code "a file of hints with a fault is refused" 3 "$PERENNIAL" evaluate "$a" --hints="$tmp/faulty"
like "a fault in a file of hints is told with its line" "$err" "^perennial evaluate: .*faulty: line 2: \"url\" takes an absolute http or https URL"
code "a file of hints that is not there is a failure" 3 "$PERENNIAL" evaluate "$a" --hints="$tmp/none"
like "a file of hints that is not there is named" "$err" "^perennial evaluate: .*none: cannot be opened"

code "a budget for a yardstick that knows pages beforehand fails" 3 "$PERENNIAL" evaluate "$a" --budget=0.1 --policy=fs-s
like "a yardstick is told that it cannot keep to a budget" "$err" "^perennial evaluate: fs-s: what knows pages beforehand cannot be told to keep to a budget"
code "evaluate fails at a file that is not there" 3 "$PERENNIAL" evaluate "$tmp/none.trace"
like "a file that is not there is named by evaluate" "$err" "^perennial evaluate: .*none\.trace"
code "evaluate fails without a page of 4 captures" 3 "$PERENNIAL" evaluate "$tmp/short.trace" --policy=uniform
like "a corpus without a page of 4 captures is told" "$err" "^perennial evaluate: no page has 4 captures or more in its life: 2 left out"

out=$("$PERENNIAL" prior "$a" --patterns --threshold=0.5 --format=tsv)
same "prior --patterns prints its columns by name" "$(head -n 1 <<<"$out")" "host${tab}pattern${tab}pages${tab}visits${tab}drift${tab}period"
same "every page that was learned from is of one pattern" "$(awk -F'\t' 'NR > 1 { pages += $3 } END { print pages }' <<<"$out")" "$("$PERENNIAL" prior "$a" --format=tsv | tail -n 1 | cut -f 4)"
ok "the period of a pattern is sqrt(2 T / drift)" awk -F'\t' 'NR > 1 { n++; d = $6 * $6 * $5 / (2 * 0.5) - 1; if (d > 1e-9 || d < -1e-9) bad++ } END { exit !(n > 0 && !bad) }' <<<"$out"
like "prior --patterns speaks JSON" "$("$PERENNIAL" prior "$a" --patterns --format=json | head -n 1)" '^\{"host": "[^"]*", "pattern": "/", "pages": [0-9]+, "visits": [0-9]+, "drift": [0-9.e-]+, "period": [0-9.]+\}$'
code "a threshold of 0 is refused by prior" 2 "$PERENNIAL" prior "$a" --patterns --threshold=0

code "a prior is learned" 0 "$PERENNIAL" prior "$a" "$b" --format=tsv
same "prior prints its columns by name" "$(head -n 1 <<<"$out")" "alpha${tab}beta${tab}clock${tab}pages"
ok "a prior is learned from all pages, and is positive and finite" awk -F'\t' 'NR == 2 { exit !($1 > 0 && $1 < 1e6 && $2 > 0 && $2 < 1e6 && $3 == "steps" && $4 == 14) }' <<<"$out"
read -r alpha beta _ < <("$PERENNIAL" prior "$b" --format=tsv | tail -n 1)
same "--learn-prior learns what prior prints" "$(evaluate "$a" --policy=drift --threshold=0.1 --learn-prior="$b" | cut -f 5-)" \
	"$(evaluate "$a" --policy=drift:alpha="$alpha":beta="$beta" --threshold=0.1 | cut -f 5-)"
same "--learn-prior never learns from the corpus under test" "$(evaluate "$a" --policy=drift --threshold=0.1 --learn-prior="$a","$b")" \
	"$(evaluate "$a" --policy=drift --threshold=0.1 --learn-prior="$b")"
ln -s a.trace "$tmp/alias.trace"
code "a corpus cannot learn from itself alone, whatever its name" 3 "$PERENNIAL" evaluate "$a" --policy=drift --learn-prior="$tmp/alias.trace"
like "a corpus that would learn from itself alone is told" "$err" "a\.trace is under test, and a prior for it cannot be learned from itself"
cp "$a" "$tmp/copy.trace"
code "a corpus does not learn from a copy of itself" 3 "$PERENNIAL" evaluate "$a" --policy=drift --learn-prior="$tmp/copy.trace"
code "a corpus does not learn from the folder that it was imported from" 3 "$PERENNIAL" evaluate "$a" --policy=drift --learn-prior="$tmp/a"
"$PERENNIAL" import -o "$tmp/ab.trace" "$tmp/a" "$tmp/b" 2>/dev/null
same "pages under test are left out of a larger trace that has them too" \
	"$(evaluate "$a" --policy=drift --at-cost=0.05,0.1,0.2,0.3,0.5 --bootstrap=0 --learn-prior="$tmp/ab.trace")" \
	"$(evaluate "$a" --policy=drift --at-cost=0.05,0.1,0.2,0.3,0.5 --bootstrap=0 --learn-prior="$b")"
if [ -w /dev/full ]; then
	code "a prior that cannot be written is a failure" 3 bash -c '"$PERENNIAL" prior "$0" >/dev/full' "$b"
	like "a prior that cannot be written says so" "$err" "perennial prior: cannot write to standard output"
else
	skip "a prior that cannot be written is a failure" "no /dev/full"
	skip "a prior that cannot be written says so" "no /dev/full"
fi
code "prior without a trace is a usage error" 2 "$PERENNIAL" prior
like "prior without a trace is told that it names none" "$err" "no trace to learn from was given"
code "prior with an unknown clock is a usage error" 2 "$PERENNIAL" prior "$a" --clock=weeks
like "prior with an unknown clock is told which there are" "$err" "--clock takes steps or days, not 'weeks'"
# What is said of how often pages change.
sed 's/.*"url":"\([^"]*\)".*/{"url":"\1","period":"2d"}/' "$tmp/hints" | sort -u > "$tmp/alike"
same "what is said alike of all pages changes nothing" "$(evaluate "$told" --policy=drift --threshold=0.3 --rates="$tmp/alike")" "$(evaluate "$told" --policy=drift --threshold=0.3)"
sed 's/2d/2h/' "$tmp/alike" | head -n 10 | cat "$tmp/alike" - > "$tmp/apart"
ok "a page that is said to change more often than others is visited more often" test "$(evaluate "$told" --policy=drift --threshold=0.3 --rates="$tmp/apart")" != "$(evaluate "$told" --policy=drift --threshold=0.3)"
sed 's/example/example.org/' "$tmp/apart" > "$tmp/elsewhere"
code "rates of which none is of a page here are told by the exit code" 1 "$PERENNIAL" evaluate "$told" --policy=drift --threshold=0.3 --rates="$tmp/elsewhere"
like "evaluate says that no rate is of a page here" "$err" "^perennial evaluate: 0 of [1-9][0-9]* rates are of pages here$"
same "policies but drift do not heed what is said" "$(evaluate "$told" --policy=cgm --threshold=0.3 --rates="$tmp/apart")" "$(evaluate "$told" --policy=cgm --threshold=0.3)"
same "with rates results are the same on one thread and on three" "$(evaluate "$told" --policy=drift --threshold=0.3 --rates=synthetic --threads=1)" "$(evaluate "$told" --policy=drift --threshold=0.3 --rates=synthetic --threads=3)"
ok "rates are told to policies under a budget" test "$(evaluate "$told" --policy=drift --budget=0.2 --rates=synthetic:error=2:blind=1)" != "$(evaluate "$told" --policy=drift --budget=0.2)"
code "a file that says of no page how often it changes is refused" 3 "$PERENNIAL" evaluate "$told" --rates="$tmp/hints"

# Costs in bytes: a small page and one that is nine times as large, heads included, both changed daily.
for day in $(seq 10 29); do
	for page in small large; do
		case $page in small) bytes=600;; large) bytes=8600;; esac
		printf '{"url":"http://a.example/%s","time":"2026-01-%sT00:00:00Z","content_type":"text/plain","body":"%s%*s"}\n' $page $day "day $day of the page $page" $((bytes - 20 - ${#page})) ""
	done
done > "$tmp/sized.ndjson"
"$PERENNIAL" import -o "$tmp/sized.trace" "$tmp/sized.ndjson" 2> /dev/null
same "to fetch all captures costs all of their bytes" "$(column "$(evaluate "$tmp/sized.trace" --cost=bytes --policy=uniform --period=1)" 5)" 1
ok "every second visit costs half of the bytes" awk -v c="$(column "$(evaluate "$tmp/sized.trace" --cost=bytes --policy=uniform --period=2)" 5)" 'BEGIN { exit !(c > 0.45 && c < 0.5) }'
out=$(evaluate "$tmp/sized.trace" --cost=bytes --policy=cgm --threshold=0.5 --by=page)
ok "a policy visits the page oftener that has fewer bytes" awk -F'\t' '/large/ { large = $6 / 1.8 } /small/ { small = $6 / 0.2 } END { exit !(small > 1.5 * large && large > 0) }' <<< "$out"
same "costs in visits are the default" "$(evaluate "$tmp/sized.trace" --policy=cgm --threshold=0.5)" "$(evaluate "$tmp/sized.trace" --cost=visits --policy=cgm --threshold=0.5)"
same "with costs in bytes results are the same on one thread and on three" "$(evaluate "$tmp/sized.trace" --cost=bytes --threads=1 --bootstrap=0)" \
	"$(evaluate "$tmp/sized.trace" --cost=bytes --threads=3 --bootstrap=0)"
code "a trace without bytes has no costs in bytes" 3 "$PERENNIAL" evaluate "$tmp/told.trace" --cost=bytes
like "who wants costs in bytes of a trace that has none is told so" "$err" "of no page with [0-9]+ captures it is known how many bytes they had"
for day in 1 2 3 4 5; do echo '{"url":"http://a.example/","time":"2026-01-0'$day'","status":200,"content_type":"text/html","body":""}'; done >"$tmp/empty.ndjson"
code "pages that never had a byte have no costs in bytes" 3 "$PERENNIAL" evaluate "$tmp/empty.ndjson" --cost=bytes
out=$(evaluate "$tmp/sized.trace" --cost=bytes --budget=0.3 --policy=drift --window=steady)
ok "a budget in bytes is kept where it is replayed" awk -v c="$(column "$out" 5)" 'BEGIN { exit !(c > 0.1 && c < 0.6) }'
done_testing
