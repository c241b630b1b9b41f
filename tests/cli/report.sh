#!/usr/bin/env bash
# perennial report: one self-contained page, the data behind it, and what it says when it cannot be made.
. "${SRCDIR:?}/tests/tap.sh"

"$PERENNIAL" synth --seed=2 --pages=8 --captures=18 -o "$tmp/s.trace"
mkdir "$tmp/empty" "$tmp/t"
# Without gnuplot: its message comes before any work.
code "report fails without gnuplot" 3 env PATH="$tmp/empty" "$PERENNIAL" report -o "$tmp/r.html" "$tmp/s.trace"
like "report without gnuplot says what to install" "$err" "gnuplot, which draws the figures, is not in PATH: install it"
ok "report without gnuplot writes nothing" test ! -e "$tmp/r.html"
code "report without an output is a usage error" 2 "$PERENNIAL" report "$tmp/s.trace"
like "report without an output asks for -o" "$err" "say with -o"
code "report without a trace is a usage error" 2 "$PERENNIAL" report -o "$tmp/r.html"
code "an unknown policy of report is a usage error" 2 "$PERENNIAL" report -o "$tmp/r.html" --policy=nonsense "$tmp/s.trace"
like "an unknown policy of report is named" "$err" "nonsense"
code "an unknown clock of report is a usage error" 2 "$PERENNIAL" report -o "$tmp/r.html" --clock=moons "$tmp/s.trace"
command -v gnuplot >/dev/null || { skip "the page" "gnuplot is not installed: it is what draws"; done_testing; exit; }

report() { TMPDIR=$tmp/t "$PERENNIAL" report --bootstrap=50 --draws=49 "$@"; }
quick() { report --policy=uniform,cgm --bootstrap=20 --draws=19 "$@"; }
code "report makes a page" 0 report -o "$tmp/r.html" --data="$tmp/data" "$tmp/s.trace"
same "report that succeeds says nothing" "$err" ""
mv "$tmp/r.html" "$tmp/first.html"
report -o "$tmp/r.html" --data="$tmp/data" "$tmp/s.trace"
ok "the same command of report makes the same bytes" cmp -s "$tmp/first.html" "$tmp/r.html"
page=$(cat "$tmp/r.html")
same "the page of report is one HTML document" "$(grep -c '<!DOCTYPE html>\|</html>' <<<"$page")" 2
same "the page of report has one script, its own" "$(grep -c '<script' <<<"$page")" 1
same "the page of report asks for nothing: no link, image, frame, import or address" \
	"$(sed '/<script>/,/<\/script>/d' <<<"$page" | grep -Eic '<(script|link|img|iframe|object|embed|base|a) |src=|url\(|@import|[^:]href="[^#]')" 0
like "the page of report forbids to ask for anything" "$(grep '^<meta' <<<"$page")" "Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-[A-Za-z0-9+/]{43}='\""
figures=$(grep -c '^<figure id=' <<<"$page")
ok "the page of report has 14 figures or more: $figures" test "$figures" -ge 14
same "each figure of the page has a picture" "$(grep -c '<svg aria-hidden' <<<"$page")" "$figures"
same "each figure of the page has a text for who cannot see it" "$(grep -Ec 'role="img" aria-label="Chart: .{30,}"' <<<"$page")" "$figures"
same "each figure of the page has a caption" "$(grep -c '<figcaption>' <<<"$page")" "$figures"
same "no picture of the page has a title of gnuplot's" "$(grep -c '<title>' <<<"$page")" 1
words=$(grep '^<p>' <<<"$page")
like "the words of the report say how many pages there were" "$words" "<p>8 pages, watched for 17 days in the mean, in 144 captures"
like "the report says from when to when captures are" "$(grep '^<p class="soft">' <<<"$page")" 'Captures from 2026-01-01 00:00 to 2026-01-18 00:00 UTC'
like "the report says what the names of policies are" "$(grep -A12 'What these names are' <<<"$page")" "<dt>drift</dt><dd>lasting divergence per time, shrunk to the corpus \\(this project\\)</dd>"
like "the report says first which policy leaves least stale" "$words" "<p>In the mean <b>[a-z-]*</b> leaves least stale of the online policies: [0-9.]+ % of the content"
first=$(sed -n '/<section class="first"/,/<\/section>/p' <<<"$page")
same "the first picture of the report has the policies in the order of what they leave stale" "$(grep -o '<b[^>]*style="left:[0-9.]*%"></b></span></td><td>[0-9.]* %' <<<"$first" | sed 's/.*<td>//;s/ %//')" \
	"$(grep -P '\tsteady\t0.2\t' "$tmp/data/staleness.tsv" | cut -f 4 | grep -v NA | sort -g | awk '{ printf $1 < .00995 ? "%.2f\n" : "%.1f\n", 100 * $1 }')"
like "the foot of the page says how it was made" "$(grep 'Made by' <<<"$page")" "perennial report --bootstrap=50 .*r\.html.*</code>; seed 1, 50 resamples, 49 draws, clock in steps"
for policy in uniform cgm curve-fitting bound-based drift fs-s; do like "the policy $policy is compared in the report" "$(grep '^<tr>' <<<"$page")" "<th scope=\"row\">$policy</th><td>"; done

same "the data of lifetimes are those of measure" "$(cat "$tmp/data/lifetimes.tsv")" "$("$PERENNIAL" measure --lifetimes --bootstrap=50 "$tmp/s.trace" 2>/dev/null)"
same "the data of pages are those of measure" "$(cut -f 1-10 "$tmp/data/pages.tsv")" "$("$PERENNIAL" measure --pages "$tmp/s.trace" 2>/dev/null | cut -f 1-10)"
same "the data of staleness are those of evaluate" "$(grep -P '\tsteady\t0.2\t' "$tmp/data/staleness.tsv" | cut -f 1-4)" \
	"$("$PERENNIAL" evaluate --policy=uniform,cgm,curve-fitting,bound-based,drift,fs-s --window=steady --at-cost=0.2 --bootstrap=0 "$tmp/s.trace" 2>/dev/null | tail -n +2 | cut -f 1-4)"
# What a refresh is worth: the page is seen daily, so that every fifth capture is every five days.
utility() { awk -F '\t' -v what="$1" '$1 == what' "$tmp/data/utility.tsv"; }
same "the divergence that is seen is told after 1 to 15 captures" "$(utility seen | cut -f 2 | tr '\n' ' ')" "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 "
ok "what is seen of a page that changes grows" awk 'NR == 1 { first = $1 } END { exit !(first > 0 && $1 > 1.5 * first) }' <(utility seen | cut -f 3)
ok "utility is shaded up to a refresh, from the curve to its height there" \
	awk -F '\t' '{ if (NR == 1) level = $4; bad += $4 != level || $3 > level + 1e-12 } END { exit !(NR == 61 && !bad && $2 == 5 && $3 == level) }' <(utility utility)
ok "the curve is near what is seen" awk -F '\t' 'NR == FNR { curve[FNR] = $3; next } { at = curve[1 + 60 * $2 / 15]; off = at - $3; if (off * off > 0.0016) exit 1 }' \
	<(utility curve) <(utility seen)
like "policies that know the future stand beside the others" "$(cat "$tmp/data/staleness.svg" "$tmp/data/warm-up.svg" | grep -c '>fs-[dl]<')" '^4$'
same "policies that know the future are told for the steady state, the warm-up and all" "$(tail -n +2 "$tmp/data/yardsticks.tsv" | cut -f 2 | sort -u | tr '\n' ' ')" "all steady warm-up "
same "lifetimes by K are those of all scroll pages" \
	"$(tail -n +2 "$tmp/data/scaled-k.tsv" | awk -F '\t' '{ n += $3 } END { print n }')" \
	"$(awk -F '\t' '$2 == "scroll" { n += $4 } END { print n }' "$tmp/data/scaled.tsv")"
same "a group of K has pages of that K" "$(tail -n +2 "$tmp/data/scaled-k.tsv" | cut -f 1 | sort -u | tr '\n' ' ')" \
	"$("$PERENNIAL" measure --pages --draws=0 --format=json "$tmp/s.trace" 2>/dev/null | grep '"nature": "scroll"' | grep -o '"k": [0-9]*' |
		awk '{ print ($2 >= 8 ? "8+" : $2 >= 4 ? "4-7" : "1-3") }' | sort -u | tr '\n' ' ')"
like "times of days are in days" "$(cat "$tmp/data/stripes-scroll.svg" "$tmp/data/utility.svg")" '>days since (first seen|a refresh)<'
like "lifetimes have times that a person would name on their axis" "$(cat "$tmp/data/lifetimes.svg")" '>1 week<'
# The colour of a policy's line: gnuplot draws it behind its name.
shade() { tr '\n' ' ' < "$tmp/data/$1.svg" | grep -o ">$2</text>.*" | grep -o "stroke='[^']*'" | head -n 1; }
same "drift has one colour in the figures of staleness and of memory" "$(shade footprint drift)" "$(shade staleness drift)"
for policy in fs-s fs-d uniform; do
	same "$policy has one colour in the figures of staleness and of what is possible" "$(shade yardsticks $policy)" "$(shade staleness $policy)"
	like "$policy has a colour" "$(shade staleness $policy)" 'rgb'
done
cp "$tmp/data/staleness.svg" "$tmp/before.svg"
rm "$tmp/data/staleness.svg"
ok "a script draws its figure again by itself" bash -c 'cd "$0/data" && gnuplot staleness.gp && cmp -s staleness.svg ../before.svg' "$tmp"
ok "a script draws its figure in another style if told so" bash -c 'cd "$0/data" && sed -i "s/^set terminal svg .*/set terminal svg size 900,300/" style.gp && gnuplot staleness.gp && grep -q "width=\"900\"" staleness.svg' "$tmp"
same "no two parts of the report have one heading" "$(grep -o '<h2[^>]*>[^<]*' <<< "$page" | sed 's/.*>//' | sort | uniq -d)" ""
mkdir "$tmp/w" && "$PERENNIAL" synth --seed=2 --pages=5 --captures=10 -o "$tmp/w/plain.trace"
quick -o "$tmp/again.html" "$tmp/w/plain.trace"
same "report leaves nothing in the folder for temporary files" "$(ls "$tmp/t")" ""

# Tables of sites and pages.
"$PERENNIAL" measure --pages "$tmp/s.trace" 2> /dev/null > "$tmp/measured"
rows() { sed -n "/id=\"$1\"/,/<\/table>/p" <<<"$page" | grep '^<tr>'; }
same "the report has a row for each page" "$(rows pages | wc -l)" 8
same "pages stand by how often they change" "$(rows pages | sed 's/<[^>]*>/ /g' | awk '{ print $4 }')" "$(cut -f 7 "$tmp/measured" | tail -n +2 | sort -rn)"
same "the report has a row for each site" "$(rows sites | sed 's/.*row">//;s/<.*//' | sort)" "$(cut -f 2 "$tmp/measured" | tail -n +2 | cut -d / -f 3 | sort -u)"
same "sites have all pages and captures" "$(rows sites | sed 's/<[^>]*>/ /g' | awk '{ pages += $2; captures += $4 } END { print pages, captures }')" "8 144"
"$PERENNIAL" synth --seed=2 --pages=8 --captures=18 --warc="$tmp/s.warc.gz" 2> /dev/null
mkdir "$tmp/out"
code "a report leads to pages that are shown" 0 quick -o "$tmp/out/r.html" --show='looked at' "$tmp/s.warc.gz"
like "a page that is shown has a link in the table" "$(cat "$tmp/out/r.html")" '<a href="looked%20at/[0-9a-f]{16}\.html">http://h0000000.example/p0</a>'
same "every link leads to a page" "$(grep -o '<a href="[^"]*"' "$tmp/out/r.html" | sed 's/.*%20at.//;s/"//' | sort)" "$(ls "$tmp/out/looked at")"
same "every page that is shown is its own" "$(grep -h '<title>' "$tmp/out/looked at/"*.html | sort -u | wc -l)" 8
"$PERENNIAL" synth --seed=5 --pages=2 --captures=12 --warc="$tmp/t.warc.gz"
quick -o "$tmp/two.html" "$tmp/s.warc.gz" "$tmp/t.warc.gz" 2> /dev/null
like "a report of several sources says that they are pooled, and names them" "$(cat "$tmp/two.html")" \
	'2 sources are pooled into one corpus, where each page counts alike, however long it was watched: .*s\.warc\.gz, .*t\.warc\.gz\. Imported'
code "--show of traces alone is refused" 3 quick -o "$tmp/out/r.html" --show=pages "$tmp/s.trace"
like "who gives --show of traces alone is told what it needs" "$err" "needs the WARC files or folders that traces are of"
code "--show with a path is a usage error" 2 quick -o "$tmp/out/r.html" --show=a/b "$tmp/s.warc.gz"

# Too little to name a winner: few captures, or few hosts.
"$PERENNIAL" synth --seed=4 --pages=14 --captures=6 -o "$tmp/few.trace" 2> /dev/null
quick -o "$tmp/few.html" "$tmp/few.trace"
like "14 pages of 6 captures make no winner, and it is said why" "$(cat "$tmp/few.html")" 'Too little was seen to say which policy is best here\.</b> Pages have 6 captures in the mean: at this cost less than one visit'
same "of so few captures no policy is called best" "$(grep -c 'leaves least stale' "$tmp/few.html")" 0
mkdir "$tmp/hosts"
for day in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20; do
	for page in 1 2 3; do printf '2026-01-%sT00:00:00Z\thttp://h%s.example/\ttext/plain\tf%s\n' $day $page $((10#$day / page)); done
done > "$tmp/hosts/manifest.tsv"
for i in $(seq 0 20); do echo "page number $i has words that change from here $i on and on $i" > "$tmp/hosts/f$i"; done
quick -o "$tmp/few.html" "$tmp/hosts"
like "pages of three hosts make no winner, and it is said why" "$(cat "$tmp/few.html")" 'Too little was seen to say which policy is best here\.</b> The pages are of 3 hosts: of fewer than 6, intervals say little'
marks() { grep -o '<small>× [0-9.]* \*</small>' "$1" | wc -l; }
same "of three hosts no ratio is marked" "$(marks "$tmp/few.html")" 0
like "a report of three hosts says that no ratio is marked" "$(cat "$tmp/few.html")" 'No ratio is marked: of fewer than 6 hosts intervals say little\.'
mkdir "$tmp/one"
sed 's|http://h\([0-9]*\)\.example/|http://h.example/\1|' "$tmp/hosts/manifest.tsv" > "$tmp/one/manifest.tsv"
cp "$tmp/hosts/"f* "$tmp/one"
quick -o "$tmp/one.html" "$tmp/one"
like "three pages of one host are not three hosts" "$(cat "$tmp/one.html")" 'There are 3 pages, of one host: of fewer than 6, intervals say little\.'
like "a report of one host says of what there are too few to mark a ratio" "$(cat "$tmp/one.html")" 'No ratio is marked: of fewer than 6 pages intervals say little\.'
mkdir "$tmp/six"
cp "$tmp/hosts/"f* "$tmp/six"
sed 'p; s,//h,//g,' "$tmp/hosts/manifest.tsv" > "$tmp/six/manifest.tsv"
quick -o "$tmp/six.html" "$tmp/six"
ok "of six hosts ratios are marked whose intervals leave out 1" test "$(marks "$tmp/six.html")" -gt 0
like "a report of six hosts says what the mark of a ratio is" "$(cat "$tmp/six.html")" 'with \* if the ratio&#8217;s interval leaves out 1\.'

# Quick: of many pages some, by their URLs, and no figure on summary sizes.
"$PERENNIAL" synth --seed=3 --pages=1100 --captures=4 -o "$tmp/many.trace" 2> /dev/null
code "a report of many pages is made quickly" 0 report --quick --policy=uniform,drift -o "$tmp/quick.html" --data="$tmp/quick" "$tmp/many.trace"
like "a report that is made quickly says on how many of the pages policies were judged" "$(cat "$tmp/quick.html")" 'of 1000 of the 1100 pages'
ok "a report that is made quickly has no figure on summary sizes" test ! -e "$tmp/quick/footprint.svg" -a -e "$tmp/quick/staleness.svg"
same "lifetimes are measured on all pages" "$(tail -n +2 "$tmp/quick/pages.tsv" | wc -l)" 1100
code "a report without haste judges policies on all of them" 0 report --policy=uniform -o "$tmp/all.html" --data="$tmp/all" "$tmp/many.trace"
same "the staleness of a report without haste is that of evaluate on all pages" "$(grep -P '\tsteady\t0.2\t' "$tmp/all/staleness.tsv" | cut -f 1-4)" \
	"$("$PERENNIAL" evaluate --policy=uniform --window=steady --at-cost=0.2 --bootstrap=0 "$tmp/many.trace" 2> /dev/null | tail -n +2 | cut -f 1-4)"
like "a report without haste says of how many pages the figure on summary sizes is" "$(cat "$tmp/all.html")" 'of 1000 of the 1100 pages, drawn by their URLs'
code "--quick of papers is a usage error" 2 report --papers --quick -o "$tmp/x.html"

# The papers' experiments: two of the numbers that they print do not come out, and it says why.  report_papers.sh has them on ten
# times as many pages.
code "report runs the papers' experiments" 0 report --papers --pages=1000 -o "$tmp/papers.html" --data="$tmp/papers"
papers() { awk -F '\t' -v what="$1" -v column="$2" 'NR > 1 && $2 == what { print $column }' "$tmp/papers/papers.tsv"; }
same "the papers' experiments are compared with what the papers print, and nearly all come out" "$(cut -f 7 "$tmp/papers/papers.tsv" | sort | uniq -c | awk '{ printf "%s %s;", $1, $2 }')" "18 -;1 agrees;2 no;32 yes;"
same "a number of the papers that does not come out has a reason" "$(awk -F '\t' '$7 == "no" { print $1 ": " $8 }' "$tmp/papers/papers.tsv" | sort | tr '\n' ';')" \
	"Cho table 5.5: it rounds to .83; as printed the row adds up to 5;Cho table 7.1: the formula of Cho §7.2 gives .783;"
ok "what is simulated has its interval" awk -v low="$(papers 'the same after 3 visits' 4)" -v high="$(papers 'the same after 3 visits' 5)" 'BEGIN { exit !(low < 0.6321206 && high > 0.6321206 && high - low < 0.04) }'
same "the page of papers has a figure for each picture" "$(grep -c '^<figure id=' "$tmp/papers.html") $(grep -c '<svg aria-hidden' "$tmp/papers.html")" "14 14"
ok "who adjusts after five visits finds more changes than who visits weekly, and more by the better estimator (Cho table 6.1)" \
	awk -v naive="$(papers 'five weekly visits, then by naive: changes found, of those by weekly visits' 3)" -v ratio="$(papers 'the same by ratio' 3)" \
	'BEGIN { exit !(naive > 1.2 && ratio > naive + 0.02) }'
bias() { awk -F '\t' -v method="$2" -v column="$3" -v value="$4" '$1 == method && $column == value { print $4 }' "$tmp/papers/papers-$1.tsv"; }
about() { ok "$1" awk -v got="$2" -v want="$3" -v within="$4" 'BEGIN { exit !(got > want - within && got < want + within) }'; }
about "after many visits the counting of changes tends to 1 - 1/e" "$(bias visits naive 3 80)" 0.6321 0.005
about "and the corrected ratio to the truth" "$(bias visits ratio 3 80)" 1 0.03
ok "of changes that come in bursts the corrected ratio sees too few, where it saw enough of others" \
	awk -v bursts="$(bias gamma ratio 2 1)" -v others="$(bias bias ratio 2 1)" 'BEGIN { exit !(bursts < 0.85 && others > 0.95) }'
freshness() { awk -F '\t' -v method="$1" -v visits="$2" -v column="$3" '$1 == method && $2 == visits { print $column }' "$tmp/papers/papers-freshness.tsv"; }
ok "who knows pages better divides visits better, and never better than who knows the truth" awk -v few="$(freshness mle:lengths=20 10 3)" \
	-v many="$(freshness mle:lengths=20 1000 3)" -v high="$(freshness mle:lengths=20 1000 5)" 'BEGIN { exit !(few < many - 0.01 && many > 0.999 && many < high && high < 1.0001) }'
ok "an estimator that counts changes alone never divides as well as one that counts intervals" awk -v naive="$(freshness naive 1000 5)" -v lln="$(freshness lln:visit-rate=3 1000 4)" \
	'BEGIN { exit !(naive < lln - 0.01) }'
sequence() { awk -F '\t' -v method="$1" '$1 == method && $3 == 1000 { print $6 }' "$tmp/papers/papers-sequences.tsv"; }
ok "an α that grows as the root of visits does weighs on the law of large numbers still after 1000" awk -v one="$(sequence lln:visit-rate=3)" \
	-v root="$(sequence lln:visit-rate=3:growth=0.5)" 'BEGIN { exit !(root > 1.2 * one) }'
ok "steps that shrink as the root of visits leave stochastic approximation wavering" awk -v fast="$(sequence sa:visit-rate=3)" \
	-v slow="$(sequence sa:visit-rate=3:exponent=0.5)" 'BEGIN { exit !(slow > 1.5 * fast) }'
# off KNOWN SIMULATED ORDER: how far what was simulated is from the closed form, where both are known: at .1, 1 and 10.
off() {
	awk -F '\t' -v known="$1" -v simulated="$2" -v order="$3" 'NR > 1 && $1 == order && $known != "NA" { want[$2 + 0] = $known }
		NR > 1 && $1 == order && $simulated != "NA" && $2 in want { n++; d = ($simulated - want[$2 + 0]) / want[$2 + 0]; if (d < 0) d = -d; if (d > most) most = d }
		END { print n == 3 ? most : 9 }' "$tmp/papers/papers-orders.tsv"
}
for order in fixed 'purely random'; do
	ok "simulated visits in $order order are as fresh as the closed form says" awk -v off="$(off 3 5 "$order")" 'BEGIN { exit !(off < 0.03) }'
	ok "and their age is" awk -v off="$(off 4 7 "$order")" 'BEGIN { exit !(off < 0.15) }'
done
visits() { awk -F '\t' -v objective="$1" '$1 == objective { if ($3 > most) { most = $3; at = $2 } last = $3 } END { print (at < 19 ? "gives up the fastest" : "most to the fastest"), (last > 0 ? "something" : "nothing") }' "$tmp/papers/papers-division.tsv"; }
same "who wants freshness gives up pages that change too fast, who wants age does not (Cho §5.5)" "$(visits freshness); $(visits age)" \
	"gives up the fastest nothing; most to the fastest something"
ok "of Δ = 24 h and a crawl that costs an hour of staleness 7.7 h cost least, less than any interval drawn (FGT)" awk -F '\t' \
	'$1 == "Δ/24" && $4 != "NA" { best = $4; at = $2 } $1 == "Δ/24" && $3 != "NA" && (!least || $3 < least) { least = $3 } END { exit !(at * 24 > 7.6 && at * 24 < 7.8 && best <= least && least < 1.01 * best) }' "$tmp/papers/papers-cost.tsv"
ok "a collection that is shown as it is fetched is fresher than one that is shown in batches, and that than a steady one (Cho §7.2)" awk -F '\t' \
	'NR > 1 { f[$1, $2] = $3; at[$2] } END { for (c in at) if (!(f["in place", c] > f["shadow, batches of a quarter", c] && f["shadow, batches of a quarter", c] > f["shadow, steady", c])) exit 1 }' "$tmp/papers/papers-collections.tsv"
shift20() { awk -F '\t' -v method="$1" '$1 == method && $3 == 120 { print $4 }' "$tmp/papers/papers-shift.tsv"; }
ok "twenty visits after a page became another who forgets is nearer to what it is (Cho §6.7)" awk -v none="$(shift20 mle)" -v some="$(shift20 mle:forgetting=0.9)" \
	'BEGIN { exit !(none < 0.2 && some > 0.6) }'
like "a report on the papers says what it does not run" "$(grep '^<p>Not here' "$tmp/papers.html")" "<p>Not here: the figures of Grimes and Ford .* 9\.1&nbsp;% .* 4\.6 to 5\.6&nbsp;%"
like "the report of papers says how many of their numbers come out" "$(grep '^<p>Of' "$tmp/papers.html")" "Of 34 numbers that the papers print 32 come out as printed"
same "the report of papers asks for nothing" "$(grep -Eic '<(script|link|img|iframe|object|embed|base|a) |src=|url\(|@import' "$tmp/papers.html")" 0
same "the folder of a report of papers has its figures alone" "$(cd "$tmp/papers" && echo *.svg)" \
	"papers-ages.svg papers-av.svg papers-bias.svg papers-collections.svg papers-cost.svg papers-division.svg papers-freshness.svg papers-gamma.svg papers-orders.svg papers-path.svg papers-sequences.svg papers-shift.svg papers-spread.svg papers-visits.svg"
code "fewer than 100 pages of papers are a usage error" 2 report --papers --pages=99 -o "$tmp/x.html"
like "report says how many pages may be simulated" "$err" "--pages takes 100 to 100000"
code "--pages without --papers is a usage error" 2 report --pages=1000 -o "$tmp/x.html" "$tmp/s.trace"
like "report says what --pages is for" "$err" "--pages are those that --papers simulates"
code "--papers with a trace is a usage error" 2 "$PERENNIAL" report --papers -o "$tmp/r.html" "$tmp/s.trace"
like "who gives --papers with a trace is told which" "$err" "--papers reads no traces, such as '.*s.trace'"

# One page that never changes, with all that HTML minds in its URL.
mkdir "$tmp/m"
seq -f 'word%g' 40 | tr '\n' ' ' > "$tmp/m/a"
for day in 1 2 3 4 5; do printf '2026-01-0%s\thttp://a.example/?a=<b>&c="d"\ttext/plain\ta\n' "$day"; done > "$tmp/m/manifest.tsv"
code "a page is made of one page that never changes" 0 report -o "$tmp/one.html" "$tmp/m"
like "a URL with markup in it is text in the page" "$(grep '^<div role' "$tmp/one.html")" 'http://a.example/\?a=&lt;b&gt;&amp;c=&quot;d&quot;'
same "a URL's markup is nowhere in the page but as text" "$(grep -c '<b>&' "$tmp/one.html")" 0
like "figures that there is nothing to draw in are left out of the page" "$(grep -c '^<figure' "$tmp/one.html")" '^[1-9]$|^10$'
"$PERENNIAL" synth --pages=1 --captures=5 --regions=1 --rate=4 --static-share=0 -o "$tmp/tiny.trace"
code "a page is made of one that changes all the time, by two policies" 0 report -o "$tmp/tiny.html" --policy=uniform,drift "$tmp/tiny.trace"

# Names are data: to gnuplot, which draws from tables that hold them, and to a browser.
bytes() { local i; for ((i = $1; i <= $2; i++)); do [ "$i" = 47 ] || printf "\\x$(printf %x "$i")"; done; }
drawn() { (cd "$1" && md5sum *.svg); }
quick -o "$tmp/plain.html" --data="$tmp/plain" "$tmp/w/plain.trace"
names=("$(bytes 1 127)" "$(bytes 128 255)" 'a"; system "touch INJECTED"; b = "'
	'a`touch INJECTED`$(touch INJECTED)@x_{y}^&~\' ' "quoted' '#comment' NA $'line\n\n\nset output "INJECTED"\n'
	'<script>document.title = 1<!--')
says=('every byte from 1 to 127 but the slash' 'every byte from 128 to 255' 'a string that ends and a command of gnuplot'
	'commands of a shell, and all that marks text up' 'a quote at its beginning' 'a hash at its beginning'
	'what tables have for a missing number' 'lines of a script' 'a script of HTML')
copies=() plain_copies=()
for i in "${!names[@]}"; do
	file=$tmp/w/${names[i]}.trace
	cp "$tmp/w/plain.trace" "$file" && cp "$file" "$tmp/w/plain$i.trace"
	copies+=("$file") plain_copies+=("$tmp/w/plain$i.trace")
	code "a page is made of a trace whose name is ${says[i]}" 0 quick -o "$tmp/named.html" --data="$tmp/named$i" "$file"
	same "the figures are the same when its name is ${says[i]}" "$(drawn "$tmp/named$i")" "$(drawn "$tmp/plain")"
done
quick -o "$tmp/plain.html" --data="$tmp/plain" "${plain_copies[@]}"
folder="$tmp/\"; system \"touch INJECTED\"; b = \`touch INJECTED\`\""
code "a page is made of all these traces together, its data in a folder with such a name" 0 \
	quick -o "$folder.html" --data="$folder" "${copies[@]}"
same "the figures of traces whose names are code are the same as under plain names" "$(drawn "$folder")" "$(drawn "$tmp/plain")"
same "the corpora of the page are text" "$(grep -c '^<p class="soft">Corpora: .*, a&quot;; system &quot;touch INJECTED&quot;; b = &quot;, .*, &lt;script&gt;document.title = 1&lt;!--\. Captures from .*</p>$' "$folder.html")" 1
same "no name becomes an element of the page" "$(grep -c '<script\|<!--' "$folder.html")" 1
ok "whatever bytes names hold, the page is UTF-8" iconv -f utf-8 -t utf-8 -o /dev/null "$folder.html"
same "control characters of names stay out of the page" "$(LC_ALL=C tr -d '\t\n -~\200-\377' < "$folder.html" | wc -c)" 0
for day in 1 2 3 4 5; do printf '2026-01-0%s\thttp://a.example/`touch%%20INJECTED`";system"touch$IFS\047INJECTED\047"#<script>@{x}_y\ttext/plain\ta\n' "$day"; done > "$tmp/m/manifest.tsv"
code "a page is made of a URL that holds code" 0 quick -o "$tmp/url.html" --data="$tmp/url" "$tmp/m"
like "a URL that holds code is text in the page" "$(grep '^<div role' "$tmp/url.html")" 'http://a.example/`touch%20INJECTED`&quot;;system&quot;touch'
code "a page is made with a blank and a newline in a policy" 0 \
	quick -o "$tmp/named.html" --data="$tmp/named" --policy=$'bound-based:history= \n2' "$tmp/w/plain.trace"
like "the figure of policies names that one whole" "$(cat "$tmp/named/staleness.svg")" '>bound-based:history=  2<'
sed -i 's/^uniform\b/<b>@x_{y}^`touch INJECTED`$(touch INJECTED)/' "$tmp/plain/policies.tsv" "$tmp/plain/staleness.tsv"
ok "a script draws policies whose names are code" bash -c 'cd "$0/plain" && gnuplot staleness.gp' "$tmp"
like "names of policies that are code are text in the picture" "$(cat "$tmp/plain/staleness.svg")" '>&lt;b>@x_\{y\}\^`touch INJECTED`\$\(touch INJECTED\)<'
same "no name or URL has run as code" "$(find "$tmp" . -maxdepth 3 -name 'INJECTED*')" ""

code "a page that cannot be written is a failure" 3 quick -o "$tmp/no/r.html" "$tmp/w/plain.trace"
like "a page that cannot be written is named" "$err" "no/r\.html: cannot write there"
code "a folder cannot be written as the page" 3 quick -o "$tmp/t" "$tmp/w/plain.trace"
same "report that cannot write its page leaves nothing beside it" "$(ls "$tmp" | grep -c '\.part')" 0
: > "$tmp/file"
code "a file is no folder for data" 3 quick -o "$tmp/r2.html" --data="$tmp/file" "$tmp/w/plain.trace"
like "a file in place of the folder for data is named" "$err" "/file"
printf '#!/bin/sh\necho "$1, line 7: no such terminal" >&2\nexit 1\n' > "$tmp/empty/gnuplot" && chmod +x "$tmp/empty/gnuplot"
code "report fails when gnuplot does" 3 env PATH="$tmp/empty:$PATH" "$PERENNIAL" report --bootstrap=20 --draws=19 -o "$tmp/r3.html" "$tmp/w/plain.trace"
like "report tells what a gnuplot that failed said of which script" "$err" 'gnuplot failed on .*/staleness\.gp: staleness\.gp, line 7: no such terminal'
ok "report makes no page when gnuplot fails" test ! -e "$tmp/r3.html"
mkfifo "$tmp/pipe"
code "the page takes no place of what is not a file" 3 "$PERENNIAL" report --bootstrap=0 --draws=0 --policy=uniform,drift -o "$tmp/pipe" "$tmp/w/plain.trace"
like "the message says that what stands there cannot be replaced" "$err" "pipe: this is not a regular file: it cannot be replaced"
ok "a pipe that the page was to be written to is still a pipe" [ -p "$tmp/pipe" ]

# What is read is not written over, by whatever name.
mkdir -p "$tmp/both"
cp "$tmp/s.trace" "$tmp/both/pages.tsv"
code "report writes no tables where it reads" 2 report --quick -o "$tmp/o.html" --data="$tmp/both" "$tmp/./both/pages.tsv"
like "who would have tables written over what is read is told where, and what to do" "$err" "data would write into .*both, where .*both/pages.tsv is read: name another folder"
code "report writes no pages of show where it reads" 2 report --quick -o "$tmp/o.html" --show=both "$tmp/both/pages.tsv"
ok "what is there stays as it was" cmp -s "$tmp/s.trace" "$tmp/both/pages.tsv"
done_testing
