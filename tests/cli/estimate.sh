#!/usr/bin/env bash
# perennial estimate: published examples through the filter, every method, priors, and what it says to bad input.
. "${SRCDIR:?}/tests/tap.sh"

estimate() { "$PERENNIAL" estimate "$@"; }
repeat() { local i; for ((i = 0; i < $2; i++)); do echo "$1"; done; }
# about TEXT GOT WANT TOLERANCE
about() { ok "$1" awk -v got="$2" -v want="$3" -v tolerance="$4" 'BEGIN { gap = got - want; exit !(gap * gap <= tolerance * tolerance && got != "") }'; }

{ repeat "1 1" 6; repeat "1 0" 4; } > "$tmp/ten"
same "naive prints rate, visits and changes" "$(estimate --method=naive < "$tmp/ten")" "0.6 10 6"
about "ratio makes 0.847 of 6 changes in 10 daily visits (Cho §6.4.2)" "$(estimate --method=ratio < "$tmp/ten" | cut -d ' ' -f 1)" 0.847 0.0005
about "mle makes 2.67 changes per 20 h of changes after 6 h and 3 h, none after 4 h and 7 h (Cho §6.3)" \
	"$(printf '0.25 1\n0.1666666667 0\n0.125 1\n0.2916666667 0\n' | estimate --method=mle | awk '{ print $1 * 20 / 24 }')" 2.67 0.005
read -r rate visits changes seven thirty rest <<<"$(echo "5 1" | estimate --method=bayes)"
about "bayes prints a probability of 0.769 for the class of 7 days (Cho §6.6)" "$seven" 0.769 0.0005
about "bayes prints a probability of 0.231 for the class of 30 days (Cho §6.6)" "$thirty" 0.231 0.0005
same "bayes prints visits and changes before the classes' probabilities" "$visits $changes$rest" "1 1"
about "the rate of bayes is the mean of the classes' rates by their probabilities" "$rate" "$(awk -v a="$seven" -v b="$thirty" 'BEGIN { print a / 7 + b / 30 }')" 1e-6
same "bayes takes the classes that it is told" "$(echo "5 1" | estimate --method=bayes:classes=7/7/7/7 | cut -d ' ' -f 4-)" "0.25 0.25 0.25 0.25"
# X = 2, n = 3, T = 0.5 + 3 + 1: X'/T, X' = (X - 1) - X/(n log(1 - X/n)).
about "last-modified reads the time since modification (Cho §6.5.2)" \
	"$(printf '2 1 0.5\n3 0\n4 1 1\n' | estimate --method=last-modified | cut -d ' ' -f 1)" "$(awk 'BEGIN { print (1 - 2 / (3 * log(1 / 3))) / 4.5 }')" 1e-6
about "a page modified at the visit itself has an age of 0, not an unknown one" \
	"$(printf '2 1 0\n2 1 0.5\n' | estimate --method=last-modified | cut -d ' ' -f 1)" 2 1e-6

# 40 different intervals: with all of them the equation of mle balances, with 8 lengths it cannot.
awk 'BEGIN { srand(5); for (i = 0; i < 40; i++) print 0.2 + 9 * rand(), i % 3 == 0 ? 0 : 1 }' > "$tmp/forty"
balance() { # RATE: |Σ over changed t/(e^(λt)-1) - Σ over unchanged t|, relative
	awk -v rate="$1" '$2 { left += $1 / (exp(rate * $1) - 1) } !$2 { right += $1 } END { gap = left / right - 1; print gap < 0 ? -gap : gap }' "$tmp/forty"
}
ok "mle is exact for any intervals" awk -v gap="$(balance "$(estimate --method=mle < "$tmp/forty" | cut -d ' ' -f 1)")" 'BEGIN { exit !(gap < 1e-9) }'
ok "mle that is told to keep few lengths is near to the exact rate, not at it" awk -v gap="$(balance "$(estimate --method=mle:lengths=4 < "$tmp/forty" | cut -d ' ' -f 1)")" 'BEGIN { exit !(gap > 1e-6 && gap < 0.05) }'

printf '\n\r\n1 1\r\n1 0\r\n \t\n\n2 0\n' > "$tmp/pages"
same "pages are apart by blank lines, however many" "$(estimate --method=naive < "$tmp/pages" | tr '\n' ';')" "0.5 2 1;0 1 0;"
same "no visits give no lines" "$(estimate --method=mle < /dev/null)" ""
same "blank lines alone give no lines" "$(printf '\n\n' | estimate --method=mle)" ""
same "all prints a column for each method, with its name" "$(estimate --method=all < "$tmp/pages" | head -n 1 | tr '\t' ' ')" \
	"naive ratio mle last-modified-naive last-modified bayes empirical prior-mle mm lln sa visits changes"
same "all prints a header and a line for each page" "$(estimate --method=all < "$tmp/pages" | wc -l | tr -d ' ')" 3
same "all is the method unless another is given" "$(estimate < "$tmp/pages")" "$(estimate --method=all < "$tmp/pages")"
same "each column of all is what its method alone prints" "$(estimate < "$tmp/forty" | tail -n 1 | cut -f 2,3,9 | tr '\t' ' ')" \
	"$(for m in ratio mle mm; do estimate --method=$m < "$tmp/forty" | cut -d ' ' -f 1; done | tr '\n' ' ' | sed 's/ $//')"
same "several methods can be named, with keys" "$(estimate --method=lln:visit-rate=2,lln < "$tmp/pages" | tr '\t' ' ' | head -n 2 | tr '\n' ';')" \
	"lln:visit-rate=2 lln visits changes;1 0.5 2 1;"
like "--format gives one method a header" "$(estimate --method=bayes --format=tsv < "$tmp/pages" | head -n 1 | tr '\t' ' ')" '^rate_per_day visits changes class_7 class_30$'
like "--format=json prints JSON lines" "$(estimate --method=naive --format=json < "$tmp/pages" | head -n 1)" '^\{"rate_per_day": 0\.5, "visits": 2, "changes": 1\}$'

# Degenerate histories: one visit, none changed, all changed, equal and extreme intervals.
{ echo "1 1"; echo; echo "1 0"; echo; repeat "3 1" 50; echo; repeat "3 0" 50; echo; printf '1e-9 1\n1e9 0\n1e-9 1 0\n1e9 1 1e12\n'; } > "$tmp/edges"
estimate < "$tmp/edges" > "$tmp/edges.out"
ok "every method is finite and not negative on degenerate histories" awk 'NR > 1 { n++; for (i = 1; i <= NF; i++) if ($i !~ /^[0-9.e+-]+$/ || $i < 0) bad = 1 } END { exit bad || n != 5 }' "$tmp/edges.out"

# The filters together: what is estimated is allocated.
same "allocate takes the rates that estimate prints" "$(printf '1 1\n1 0\n\n1 1\n1 0\n' | estimate --method=naive | cut -d ' ' -f 1 | "$PERENNIAL" allocate --budget=3 2>/dev/null | awk '{ printf "%.12g ", $1 }')" "1.5 1.5 "

# 400 pages whose mean times between changes are spread as the posterior of (4 d, 2 d) has them, visited often.
awk 'BEGIN { srand(2); step = 0.5; for (c = 0; c < 100; c++) { d = (c + 0.5) * step; sum[c + 1] = sum[c] + (1 - exp(-4 / d)) * exp(-2 / d) }
	for (p = 0; p < 400; p++) { u = (p + 0.5) / 400 * sum[100]; for (c = 0; sum[c + 1] < u; c++); d = (c + 0.5) * step
		for (i = 0; i < 60; i++) { t = d / 2; print t, (rand() < 1 - exp(-0.5)) } print "" } }' > "$tmp/corpus"
code "--fit-prior fits a prior to 400 pages" 0 "$PERENNIAL" estimate --fit-prior --grid=2,50 --format=tsv < "$tmp/corpus"
same "--fit-prior tells the lengths, the distance and what they came from" "$(head -n 1 <<<"$out" | tr '\t' ' ')" \
	"changed_days unchanged_days distance pages left_out step_days most_days seed"
read -r changed unchanged distance pages left_out step most seed <<<"$(tail -n 1 <<<"$out")"
same "--fit-prior tells the pages and the grid" "$((pages + left_out)) $step $most $seed" "400 2 50 1"
ok "the lengths that --fit-prior finds are about those planted ($changed, $unchanged)" awk -v c="$changed" -v u="$unchanged" 'BEGIN { exit !(c > 0.5 && c < 30 && u > 1 && u < 4) }'
ok "the distance that --fit-prior tells is what 400 pages in 25 cells leave ($distance)" awk -v d="$distance" 'BEGIN { exit !(d > 0 && d < 0.1) }'
same "--fit-prior prints the same bytes for the same seed" "$(estimate --fit-prior --grid=2,50 --format=tsv < "$tmp/corpus")" "$out"
about "without a grid --fit-prior goes up to the longest mean time of any page" "$(estimate --fit-prior --format=tsv < "$tmp/ten" | tail -n 1 | cut -f 7)" 1.09136 1e-5
about "the longest mean time need not be the last page's" "$( (cat "$tmp/ten"; printf '\n0.1 1\n0.1 0\n') | estimate --fit-prior --format=tsv | tail -n 1 | cut -f 7)" 1.09136 1e-5

# Intervals: 1.92 in the time watched where no change was seen, by the likelihood ratio; the advice of r = 1.59.
repeat "2 0" 5 > "$tmp/never"
read -r rate low high every visits changes <<<"$(estimate --method=ratio --interval=0.95 --advice < "$tmp/never")"
same "--interval prints both ends behind the rate, and --advice how often to visit; a page that never changed may have a rate of 0" "$rate $low $every $visits $changes" "0 0 inf 5 0"
about "the rate of a page that never changed is at most 1.92 changes in the time watched" "$high" 0.192073 1e-6
about "--advice visits where 1.59 changes are expected" "$(estimate --method=naive --advice < "$tmp/ten" | cut -d ' ' -f 2)" 2.656041 1e-6
same "with several methods each has its columns" "$(estimate --method=mle,sa --interval=0.9 --advice < "$tmp/ten" | head -n 1 | tr '\t' ' ')" \
	"mle mle_low mle_high mle_every_days sa sa_low sa_high sa_every_days visits changes"
same "every method's interval has its ends in order" "$(estimate --method=all --interval=0.9 --format=tsv < "$tmp/ten" | awk -F '\t' 'NR == 2 { for (i = 1; i <= 33; i += 3) if (!($(i + 1) >= 0 && $(i + 1) <= $(i + 2) && $i <= $(i + 2))) print i }')" ""
about "forgetting weighs older visits less" "$(printf '1 1\n1 0\n' | estimate --method=naive:forgetting=0.5 | cut -d ' ' -f 1)" 0.333333 1e-6
about "empirical is one over the mean of Δ over its classes" "$(echo "5 1" | estimate --method=empirical | cut -d ' ' -f 1)" "$(awk 'BEGIN { print 1 / (7 * .7687896 + 30 * .2312104) }')" 1e-6
yes '1 1' | head -n 5 > "$tmp/all"
for method in naive mle bayes empirical; do
	ok "the estimate by $method of a page that changed at all of 5 visits is within its interval" awk '!($2 <= $1 && $1 <= $3) { exit 1 }' \
		<<<"$(estimate --method=$method --interval=.95 < "$tmp/all" | tr inf 999)"
done
same "an interval without an upper end has inf there" "$(estimate --method=mle --interval=.95 < "$tmp/all")" "1 1 inf 5 5"
same "an interval without an upper end has null there in JSON" "$(estimate --method=mle --interval=.95 --format=json < "$tmp/all")" \
	'{"rate_per_day": 1, "low": 1, "high": null, "visits": 5, "changes": 5}'

# Five pages whose mean times between changes, by mle, are 1, 2, 3, 4 and 5 days: always changed, in the shortest interval.
for days in 4 2 5 1 3; do printf '%s 1\n\n' "$days"; done > "$tmp/five"
same "--fit-classes prints quantiles of the pages' mean times between changes" "$(estimate --fit-classes=5 --format=tsv < "$tmp/five" | tail -n 1 | tr '\t' ' ')" "1.4/2.2/3/3.8/4.6 5"
estimate --method="empirical:classes=$(estimate --fit-classes=16 --format=tsv < "$tmp/five" | tail -n 1 | cut -f 1)" < "$tmp/ten" > "$tmp/empirical"
same "empirical takes what --fit-classes prints as its classes" "$? $(wc -l < "$tmp/empirical")" "0 $(estimate --method=naive < "$tmp/ten" | wc -l)"

bad() { local text=$1 want=$2; shift 2; code "$text is a usage error" 2 "$PERENNIAL" estimate "$@" < "$tmp/ten"; like "the message about $text says what is wrong" "$err" "$want"; }
bad "an unknown method" "--method=mean: no estimator 'mean': there is naive, ratio, mle, last-modified-naive, last-modified, bayes, empirical, prior-mle, mm, lln, sa" --method=mean
bad "an unknown key" "estimator 'sa' has no key 'gain': it has visit-rate, exponent" --method=sa:gain=1
bad "a bad value" "key 'classes' takes numbers above 0 with '/' between them, at most 16, not '7/x'" --method=bayes:classes=7/x
bad "an operand of estimate" "unexpected operand 'visits.txt': visits are read from standard input" visits.txt
bad "an unknown format" "--format takes table, tsv, json or csv, not 'xml'" --format=xml
bad "a grid of one number" "--grid takes STEP,MOST" --fit-prior --grid=3
bad "a grid that is too fine" "at most 10000 steps" --fit-prior --grid=0.001,100
bad "a grid for nothing" "--grid goes with --fit-prior" --grid=1,100
bad "a confidence of 95" "--interval takes a confidence above 0 and below 1, such as 0.95" --interval=95
bad "a confidence of 0" "--interval takes a confidence above 0 and below 1, such as 0.95" --interval=0
code "input that is none has no table" 3 "$PERENNIAL" estimate --method=all --format=tsv < <(echo x)
same "not even its head" "$out" ""
same "no pages have an empty table" "$(estimate --method=naive,mle < /dev/null | tr '\t' ' ')" "naive mle visits changes"
bad "too many classes" "--fit-classes takes at most 16" --fit-classes=17
bad "two priors" "--fit-prior and --fit-classes are two priors" --fit-classes=3 --fit-prior
bad "a method for the classes" "--fit-classes always estimates by mle" --fit-classes=3 --method=naive
bad "a method for the prior" "--fit-prior always estimates by mle" --fit-prior --method=naive
for line in "1" "1 2" "0 1" "-1 1" "1 1 -3" "1 1 2 3" "x 1" "inf 1" "nan 0" "1 1x" "1 01" "1x 1"; do
	code "the line '$line' is refused as a visit" 3 "$PERENNIAL" estimate --method=naive < <(printf '1 1\n\n%s\n' "$line")
	like "the line '$line' is named by its number and told what is wanted" "$err" '^perennial estimate: standard input, line 3: expected "interval_days changed \[days_since_modified\]"'
	same "the page before the line '$line' was printed" "$out" "1 1 1"
done
code "a grid that no page is on makes --fit-prior fail" 3 "$PERENNIAL" estimate --fit-prior --grid=0.01,0.1 < "$tmp/ten"
like "a grid that no page is on is told" "$err" "none of 1 pages has a mean time between changes up to 0.1 days"
code "--fit-prior fails without a page" 3 "$PERENNIAL" estimate --fit-prior < /dev/null
code "estimate of input that cannot be read fails" 3 bash -c '"$PERENNIAL" estimate --method=mle < /'
like "input that cannot be read is named" "$err" "^perennial estimate: standard input: "
code "estimate to an output that cannot be written fails" 3 bash -c 'echo "1 1" | "$PERENNIAL" estimate --method=mle > /dev/full'
like "an output of estimate that cannot be written is named" "$err" "standard output"
code "estimate of a table that cannot be written fails" 3 bash -c 'echo "1 1" | "$PERENNIAL" estimate --method=all > /dev/full'
done_testing
