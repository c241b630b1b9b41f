#!/usr/bin/env bash
# The tables of what hints are worth, in README.md and doc/theory.md §15: they are what tools/hints-worth prints of corpora/, to the
# digit; and what they are to hold, whatever they come to say.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"
export PERENNIAL
worth=$SRCDIR/tools/hints-worth

code "tools/hints-worth without a trace is a usage error" 2 bash "$worth"
like "without a trace tools/hints-worth says how it is called" "$err" 'tools/hints-worth \[--tsv\] X\.trace'
mkdir -p elsewhere/tools path
cp "$worth" elsewhere/tools/
printf '#!/bin/sh\necho "$@" >> "%s/called"\nexit 1\n' "$tmp" > path/perennial && chmod +x path/perennial
code "where nothing is built, tools/hints-worth runs the installed command" 1 env -u PERENNIAL PATH="$tmp/path:$PATH" bash elsewhere/tools/hints-worth some.trace
like "where nothing is built, the installed command is given the same traces" "$(cat called 2>&1)" "^evaluate .* some.trace$"
code "tools/hints-worth fails for a trace that is not there" 1 bash "$worth" none.trace
like "tools/hints-worth names a trace that is not there" "$err" "none.trace"

code "tools/hints-worth runs on the traces of corpora/" 0 bash "$worth" "$SRCDIR"/corpora/*.trace
printf '%s\n' "$out" > both
awk '/^Steady/ { exit } /^\|/' both > all
awk '/^Steady/ { on = 1 } on && /^\|/' both > steady

# The table of a page that begins as tools/hints-worth has it, the $2-th of them.
table_of() { awk -v wanted="$2" '/^\| hints \| cost/ { n++ } !/^\|/ { if (n == wanted && on) exit; on = 0 } /^\| hints \| cost/ { on = 1 } on && n == wanted' "$1"; }
same "README.md has the table of whole lives" "$(table_of "$SRCDIR/README.md" 1)" "$(cat all)"
same "doc/theory.md has that of steady states" "$(table_of "$SRCDIR/doc/theory.md" 1)" "$(cat steady)"

# Cells of the printed tables, which are of two digits: names of hints, which of the columns (7: the mean).
cells() { awk -F ' *\\| *' -v row="$2" -v columns="$3" '$2 == row { n = split(columns, at, " "); for (i = 1; i <= n; i++) print $(2 + at[i]) + 0 }' "$1"; }
none_above() { awk -v most="$2" '$1 > most { exit 1 } END { exit !NR }' <<<"$1"; }
none_below() { awk -v least="$2" '$1 < least { exit 1 } END { exit !NR }' <<<"$1"; }
for window in all steady; do
	ok "$window: hints that tell all leave drift at most .92 as stale, at costs of .1 to .3" \
		none_above "$(cells $window 'tell every change, at once' '2 3 4 5')" 0.92
	ok "$window: hints of which four in five are true, and tell four in five, at most .95 in the mean over costs" \
		none_above "$(cells $window 'tell 4 of 5 changes, 1 of 5 is false' 7)" 0.95
	for false_ones in "come at random" "come at every capture" "come at every fifth capture"; do
		ok "$window: hints that $false_ones cost 3 % at most, at each cost" none_above "$(cells $window "$false_ones" '1 2 3 4 5 6 7')" 1.03
		# What they say is made up: nothing can be gained by it but by chance.
		ok "$window: hints that $false_ones bring nothing" none_below "$(cells $window "$false_ones" '1 2 3 4 5 6 7')" 0.97
	done
done

# One row of --tsv, of one start: the digits that a table does not have.
code "tools/hints-worth prints one line for each figure" 0 env OFFSETS=0 POLICY=cgm bash "$worth" --tsv "$SRCDIR/corpora/terms-ai.trace"
same "tools/hints-worth has lines for two windows, seven kinds of hints, six costs and their mean" "$(wc -l <<<"$out") $(cut -f 1,2 <<<"$out" | sort -u | wc -l) $(cut -f 3 <<<"$out" | sort -u | wc -l)" "98 14 7"
ok "a mean is that of its costs" awk -F '\t' '
	$3 == "mean" { gap = sum / n - $4; if (gap > 1e-12 || gap < -1e-12) bad = 1; sum = n = 0; means++; next }
	{ sum += $4; n++ }
	END { exit bad || means != 14 }' <<<"$out"
done_testing
