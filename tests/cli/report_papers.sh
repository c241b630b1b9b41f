#!/usr/bin/env bash
# perennial report --papers on as many pages as it simulates unless told otherwise: what the README says comes of it.
. "${SRCDIR:?}/tests/tap.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed: it is what draws"

code "report runs the papers' experiments" 0 "$PERENNIAL" report --papers -o "$tmp/papers.html" --data="$tmp/papers"
papers() { awk -F '\t' -v what="$1" -v column="$2" 'NR > 1 && $2 == what { print $column }' "$tmp/papers/papers.tsv"; }
same "as many of the papers' numbers come out as printed as the README says" \
	"$(grep -o 'Of [0-9]* numbers that the papers print [0-9]* come out' "$tmp/papers.html" | tr -dc '0-9 ' | xargs)" \
	"$(grep -o 'of [0-9]* numbers that they print [0-9]* come out' "$SRCDIR/README.md" | tr -dc '0-9 ' | xargs)"
ok "the interval of what 10,000 pages show is narrow, and has the truth" awk -v low="$(papers 'the same after 3 visits' 4)" -v high="$(papers 'the same after 3 visits' 5)" \
	'BEGIN { exit !(low < 0.6321206 && high > 0.6321206 && high - low < 0.02) }'
freshness() { awk -F '\t' -v method="$1" -v visits="$2" -v column="$3" '$1 == method && $2 == visits { print $column }' "$tmp/papers/papers-freshness.tsv"; }
ok "of who has learned from 1000 visits a page next to nothing is lost" awk -v many="$(freshness mle:lengths=20 1000 3)" 'BEGIN { exit !(many > 0.999 && many < 1.0001) }'
ok "what is found by adjusting is told apart by its intervals: weekly, by naive, by ratio (Cho table 6.1)" awk \
	-v low="$(papers 'five weekly visits, then by naive: changes found, of those by weekly visits' 4)" \
	-v high="$(papers 'five weekly visits, then by naive: changes found, of those by weekly visits' 5)" -v ratio="$(papers 'the same by ratio' 4)" \
	'BEGIN { exit !(low > 1.2 && high < ratio) }'
done_testing
