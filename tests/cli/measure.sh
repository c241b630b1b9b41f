#!/usr/bin/env bash
# perennial measure: shares against the truth of synth, every view's columns, and what it says to bad input.
. "${SRCDIR:?}/tests/tap.sh"

# Pages watched ten times as often as they change: truth by page, and what is measured.
"$PERENNIAL" synth --seed=5 --pages=120 --captures=300 --regions=1 --rate=0.1 -o "$tmp/s.trace" --truth="$tmp/truth.tsv"
code "measure succeeds" 0 "$PERENNIAL" measure "$tmp/s.trace"
printf '%s\n' "$out" > "$tmp/s.tsv"
same "measure in a pipe prints TSV with a header" "$(head -n 1 "$tmp/s.tsv")" $'corpus\tstatistic\tvalue\tlow\thigh\tunit'
like "measure tells on stderr where its numbers come from" "$err" "^# perennial [0-9.]+; perennial measure .*; 120 pages; seed 1, 1000 resamples, 499 draws"
truth() {
	awk -F'\t' 'NR > 1 { page[$1]; if ($5 > 1) scroll += $3; else churn += $3 }
		END { n = length(page); print "static_share", 1 - (churn + scroll) / n; print "churn_share", churn / n; print "scroll_share", scroll / n }' "$tmp/truth.tsv"
}
while read -r name value; do
	like "$name: the truth, $value, is within the interval stated" \
		"$(awk -F'\t' -v n="$name" -v t="$value" '$2 == n { print ($4 <= t && t <= $5 ? "within" : "outside") " " $4 " " $5 }' "$tmp/s.tsv")" '^within'
	# A capture in twenty hides an update, which makes churn of some scroll of two items.
	like "$name: what is measured is the truth of these very pages within 0.01" \
		"$(awk -F'\t' -v n="$name" -v t="$value" '$2 == n { d = $3 - t; print (d < 0.01 && d > -0.01 ? "close" : "off") " " $3 }' "$tmp/s.tsv")" '^close'
done < <(truth)
same "the shares of static, churn and scroll add up to 1" "$(awk -F'\t' '$2 ~ /^(static|churn|scroll)_share$/ { s += $3 } END { printf "%.9f", s }' "$tmp/s.tsv")" 1.000000000
same "measure counts the pages that synth made" "$(awk -F'\t' '$2 == "pages" { print $3 }' "$tmp/s.tsv")" 120
cp "$tmp/s.tsv" "$tmp/again.tsv"
"$PERENNIAL" measure "$tmp/s.trace" > "$tmp/s.tsv" 2>/dev/null
ok "measure with the same seed prints the same bytes" cmp -s "$tmp/s.tsv" "$tmp/again.tsv"

# A page by hand: fragments of at most five words are one fragment each.
mkdir "$tmp/m"
echo one two three four five > "$tmp/m/a"
echo six seven eight nine ten > "$tmp/m/b"
echo eleven twelve thirteen > "$tmp/m/c"
for day in 1:a 2:a 3:b 4:b 5:b 6:c; do
	printf '2026-01-0%s\thttp://a.example/?x=1&y="2"\ttext/plain\t%s\n' "${day%:*}" "${day#*:}"
done > "$tmp/m/manifest.tsv"
code "measure --fragments takes a folder, imported on the fly" 0 "$PERENNIAL" measure --fragments "$tmp/m"
same "measure --fragments has its columns" "$(head -n 1 <<<"$out")" $'url\thash\tborn\tdied\tcaptures\tcensored_left\tcensored_right'
same "measure --fragments has a row a lifetime: there at first, known, there at last" "$(tail -n +2 <<<"$out" | cut -f 3-)" \
"2026-01-01T00:00:00Z	2026-01-03T00:00:00Z	2	1	0
2026-01-03T00:00:00Z	2026-01-06T00:00:00Z	3	0	0
2026-01-06T00:00:00Z	2026-01-06T00:00:00Z	1	0	1"
code "measure --pages succeeds" 0 "$PERENNIAL" measure --pages "$tmp/m"
row=$(paste -d '\t' <(head -n 1 <<<"$out" | tr '\t' '\n') <(tail -n 1 <<<"$out" | tr '\t' '\n'))
field() { awk -F'\t' -v n="$1" '$1 == n { print $2 }' <<<"$row"; }
same "a row of measure --pages names the corpus" "$(field corpus)" m
same "a row of measure --pages names the page" "$(field url)" 'http://a.example/?x=1&y="2"'
same "a page by hand has changed twice" "$(field changes)" 2
same "a page that changed twice in 5 days has an interval of 2.5 days" "$(field interval_days)" 2.5
same "a page by hand is churn between its changes" "$(field nature)" churn
same "the one lifetime of a page by hand that is known is three days" "$(field longevity_days)" 3
same "a page by hand stayed as it was for two days" "$(field unchanged_days)" 2
same "two changes of a page cannot be judged as a Poisson process" "$(field poisson_p)" NA
code "measure --pages takes --format=json" 0 "$PERENNIAL" measure --pages --format=json "$tmp/m"
like "measure --format=json prints JSON lines, missing numbers as null" "$out" '^\{"corpus": "m", "url": "http://a.example/\?x=1&y=\\"2\\"", .*"poisson_p": null'

columns() { code "measure --$1 succeeds" 0 "$PERENNIAL" measure "--$1" --bootstrap=50 --draws=19 "$tmp/s.trace"; same "measure --$1 has its columns" "$(head -n 1 <<<"$out" | tr '\t' ' ')" "$2"; }
columns lifetimes "corpus days known censored_right censored_left censored_both at_risk survival low high known_survival"
same "survival falls from 1 to 0 and never rises" "$(awk -F'\t' 'NR > 1 { if ($8 > last && NR > 2) bad++; if ($8 < 0 || $8 > 1) bad++; last = $8 } END { print bad + 0 }' <<<"$out")" 0
same "survival lies in its interval" "$(awk -F'\t' 'NR > 1 && $9 != "NA" && ($8 < $9 - 1e-9 || $8 > $10 + 1e-9)' <<<"$out" | wc -l)" 0
like "known lifetimes alone look shorter" "$(awk -F'\t' 'NR > 1 && $2 > 50 { print ($11 < $8 ? "shorter" : "longer"); exit }' <<<"$out")" shorter
columns survival "corpus days ended censored at_risk survival low high"
same "all pages were there at the start of measure --survival" "$(sed -n 2p <<<"$out" | cut -f 5)" 120
columns k "corpus k known censored_right censored_left censored_both at_risk survival low high known_survival"
columns scaled "corpus nature changes known at_risk survival known_survival model"
columns intervals "corpus from to seen share expected low high exponential"
same "shares of times between changes add up to 1" "$(awk -F'\t' 'NR > 1 { s += $5 } END { printf "%.9f", s }' <<<"$out")" 1.000000000
same "the last bin of times between changes begins at 8 means and has no end" "$(tail -n 1 <<<"$out" | cut -f 2,3 | tr '\t' ' ')" "8 NA"
same "every other bin of times between changes is a tenth of the mean wide" "$(awk -F'\t' 'NR > 1 && $3 != "NA" && sprintf("%.6f", $3 - $2) == "0.100000"' <<<"$out" | wc -l)" 80
columns bars "corpus statistic value low high unit"
same "every page has one change interval and two lifespans" "$(awk -F'\t' 'NR > 1 { s += $3 } END { printf "%.9f", s }' <<<"$out")" 3.000000000

code "measure takes several corpora" 0 "$PERENNIAL" measure --bootstrap=50 --draws=19 "$tmp/s.trace" "$tmp/m"
same "several corpora are measured each and together" "$(tail -n +2 <<<"$out" | cut -f 1 | uniq | tr '\n' ' ')" "s m all "
code "measure takes --format=table" 0 "$PERENNIAL" measure --format=table --bootstrap=50 --draws=19 "$tmp/s.trace"
like "measure --format=table explains every statistic" "$out" "^churn_of_births +0\.[0-9]+ .*churn among fragments born"
like "measure --format=table names pages that stand out" "$out" "^change most often .* http"
same "measure --format=table names at most three pages for each reason" "$(sed -n '/^pages that/,$p' <<<"$out" | grep -c http | awk '{ print ($1 <= 18) }')" 1
code "measure --format=table takes several corpora" 0 "$PERENNIAL" measure --format=table --bootstrap=20 --draws=19 "$tmp/s.trace" "$tmp/m"
like "measure --format=table has several corpora side by side" "$out" "^statistic +s +m +all +unit"

# Groups: two hosts, of which the first has two directories; a query's slash is of no directory.
{
	for page in http://a.example/news/x http://a.example/news/y?q=/z/ http://a.example/z "http://b.example:8080/=cmd,x"; do
		for day in 1 2 3 4 5 6; do printf '{"url":"%s","time":"2026-01-0%d","body":"<p>stays<p>%s %d"}\n' "$page" "$day" "$page" $((day / 2)); done
	done
} > "$tmp/groups.jsonl"
printf '{"url":"http://c.example/","time":"2026-01-01","body":"<p>once"}\n' >> "$tmp/groups.jsonl"
groups() { "$PERENNIAL" measure --draws=19 --bootstrap=20 "$@" 2>"$tmp/note" | tee "$tmp/rows" | tail -n +2 | cut -f 1 | uniq | tr '\n' ' '; }
same "measure --by=host has rows of each host with captures enough, and of all" "$(groups --by=host "$tmp/groups.jsonl")" "a.example b.example all "
same "measure --by=host has the hosts under their heading" "$(head -n 1 "$tmp/rows")" $'host\tstatistic\tvalue\tlow\thigh\tunit'
same "measure --by=host counts the pages of each" "$(awk -F'\t' '$2 == "pages" { printf "%s ", $3 }' "$tmp/rows")" "3 1 4 "
like "measure --by=host tells on stderr of all pages" "$(cat "$tmp/note")" '; 4 pages, 1 with fewer than 4 captures left out; seed 1, 20 resamples, 19 draws$'
"$PERENNIAL" import -o "$tmp/a.trace" --host=a.example "$tmp/groups.jsonl" 2>/dev/null
same "the rows of a host are those of its pages alone" "$(grep '^a.example' "$tmp/rows" | cut -f 2-)" \
	"$("$PERENNIAL" measure --draws=19 --bootstrap=20 "$tmp/a.trace" 2>/dev/null | tail -n +2 | cut -f 2-)"
same "the rows of all hosts are those without --by" "$(grep '^all' "$tmp/rows" | cut -f 2-)" \
	"$("$PERENNIAL" measure --draws=19 --bootstrap=20 "$tmp/groups.jsonl" 2>/dev/null | tail -n +2 | cut -f 2-)"
same "measure --by=directory goes by host, port and path up to the last slash" "$(groups --by=directory "$tmp/groups.jsonl")" \
	"a.example/news/ a.example/ b.example:8080/ all "
same "measure --by takes the views" "$(groups --by=host --k "$tmp/groups.jsonl") $(head -n 1 "$tmp/rows" | cut -f 1,2)" $'a.example b.example all  host\tk'
same "measure --by of one group does not tell it twice" "$(groups --by=host "$tmp/a.trace")" "a.example "
like "measure --by=host is a row a host for a person" "$("$PERENNIAL" measure --by=host --draws=0 --bootstrap=0 --format=table "$tmp/groups.jsonl")" \
	'^b\.example +1 +6 +5\.0 +1\.00 '
printf '{"url":"http://d.example/","time":"2026-01-0%d","body":"<p>text %d"}\n' 1 1 2 1 3 3 4 4 5 5 > "$tmp/other.jsonl"
"$PERENNIAL" measure --by=host --draws=0 --bootstrap=100 --format=table "$tmp/groups.jsonl" "$tmp/other.jsonl" > "$tmp/table" 2> "$tmp/note"
like "measure --by=host shows a person how much of what is born churns, with its interval" "$(cat "$tmp/table")" \
	'^a\.example +3 .* 0\.600 +0\.600 +0\.600 .* 1\.000 +1\.000 +1\.000 '
same "measure says which intervals say little: those of few hosts, or of few pages of one" "$(grep -v '^#' "$tmp/note")" \
	"perennial measure: the intervals of a.example, all say little: they are of fewer than 6 hosts, or of fewer pages of one host"
"$PERENNIAL" measure --draws=0 --bootstrap=100 "$tmp/groups.jsonl" "$tmp/other.jsonl" 2> "$tmp/note" > /dev/null
like "measure without --by says of few hosts that their intervals say little" "$(cat "$tmp/note")" \
	'^perennial measure: the intervals of groups.jsonl and 1 more say little'
same "measure without intervals says nothing of them" "$("$PERENNIAL" measure --draws=0 --bootstrap=0 "$tmp/groups.jsonl" 2>&1 > /dev/null | grep -c 'say little')" 0
# Sources are pooled into one corpus that says so, or with --by=corpus each is one.
mkdir "$tmp/p" "$tmp/q"
grep a.example "$tmp/groups.jsonl" > "$tmp/p/x.jsonl"
grep b.example "$tmp/groups.jsonl" > "$tmp/q/x.jsonl"
same "sources that are pooled are named by the first and how many more" "$(groups "$tmp/p/x.jsonl" "$tmp/q/x.jsonl")" "x.jsonl and 1 more "
same "measure --by=corpus has each source by itself, those of one name by their folders" "$(cd "$tmp" && groups --by=corpus p/x.jsonl q/x.jsonl)" \
	"x.jsonl q/x.jsonl all "
"$PERENNIAL" import -o "$tmp/p/x.trace" "$tmp/p/x.jsonl" 2>/dev/null
"$PERENNIAL" import -o "$tmp/q/x.trace" "$tmp/q/x.jsonl" 2>/dev/null
same "traces of one name are told apart by their folders" "$(cd "$tmp" && groups p/x.trace q/x.trace)" "x q/x.trace all "
for part in 1 2; do "$PERENNIAL" import --part=$part/2 -o "$tmp/x.${part}of2.trace" "$tmp/groups.jsonl" 2>/dev/null; done
same "parts of one corpus keep its name" "$(groups "$tmp/x.1of2.trace" "$tmp/x.2of2.trace")" "x all "
out=$("$PERENNIAL" measure --pages --format=csv "$tmp/q/x.jsonl" 2>/dev/null)
like "measure --format=csv has fields with commas in quotes, and lines that end as RFC 4180 says" "$(tail -n 1 <<<"$out")" \
	$'^x.jsonl,"http://b.example:8080/=cmd,x",churn,6,6,5,3,.*\r$'
code "measure --by=page is a usage error" 2 "$PERENNIAL" measure --by=page "$tmp/s.trace"
like "the error for an unknown grouping of measure tells which there are" "$err" "--by takes corpus, host or directory, not 'page'"
code "measure --by with rows of pages is a usage error" 2 "$PERENNIAL" measure --by=host --pages "$tmp/s.trace"
code "measure --by with --partial is a usage error" 2 "$PERENNIAL" measure --by=host --partial="$tmp/x.partial" "$tmp/s.trace"
code "measure --by fails when all pages have only too few captures" 3 "$PERENNIAL" measure --by=host <(tail -n 1 "$tmp/groups.jsonl")
code "measure --by fails when its output cannot be written" 3 bash -c '"$PERENNIAL" measure --by=host "$0" >/dev/full' "$tmp/groups.jsonl"

code "measure of a host of which there is nothing fails" 3 "$PERENNIAL" measure --host=nosuch.example --format=csv "$tmp/s.trace"
like "measure says which option left no page" "$err" "no page is left by --host: nothing of what was read is what it asks for"
same "measure of nothing prints no heading of a table" "$out" ""
code "evaluate of a host and a time of which there is nothing fails" 3 "$PERENNIAL" evaluate --host=nosuch.example --from=2026-01-02 "$tmp/s.trace"
like "evaluate says which options left no page" "$err" "no page is left by --host and --from: "
code "measure without a trace is a usage error" 2 "$PERENNIAL" measure
code "two views of measure at once are a usage error" 2 "$PERENNIAL" measure --pages --lifetimes "$tmp/s.trace"
like "the error for two views of measure asks for one at a time" "$err" "one view at a time"
code "an unknown format of measure is a usage error" 2 "$PERENNIAL" measure --format=xml "$tmp/s.trace"
code "too many resamples of measure are a usage error" 2 "$PERENNIAL" measure --bootstrap=1000000 "$tmp/s.trace"
code "measure fails for a file that is not there" 3 "$PERENNIAL" measure "$tmp/none.trace"
like "measure names the file that is not there" "$err" "none\.trace"
head -c 3000 "$tmp/s.trace" > "$tmp/cut.trace"
code "measure fails for a trace that was cut off" 3 "$PERENNIAL" measure "$tmp/cut.trace"
like "measure names the trace that was cut off" "$err" "cut\.trace"
"$PERENNIAL" synth --pages=3 --captures=3 -o "$tmp/short.trace"
code "measure fails when all pages have only three captures" 3 "$PERENNIAL" measure "$tmp/short.trace"
like "measure says that pages with three captures are too short" "$err" "no page has 4 captures or more in its life: 3 left out"
code "measure fails when its output cannot be written" 3 bash -c '"$PERENNIAL" measure "$0" >/dev/full' "$tmp/m"
like "the message says that standard output cannot be written" "$err" "perennial measure: cannot write to standard output"
code "measure --fragments fails when its output cannot be written" 3 bash -c '"$PERENNIAL" measure --fragments "$0" >/dev/full' "$tmp/s.trace"
done_testing
