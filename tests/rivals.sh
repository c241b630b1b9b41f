#!/usr/bin/env bash
# What doc/theory.md says of drift beside its rivals and of new pages of known sites, held on the pages of corpora/ and on pages that are
# made: none of it is to be lost by a change that was made for something else.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"
ln -s "$SRCDIR/corpora" corpora
evaluate() { nice "$PERENNIAL" evaluate --bootstrap=0 --format=tsv "$@" 2> err; }

# §16.  New pages: lines of window, cost, and the mean over four draws of the staleness with siblings to that without.
for seed in 1 2 3 4; do evaluate corpora/*.trace --late=0.5 --offsets=0,2,5 --seed=$seed --window=warm-up,steady; done |
	awk -F '\t' -v OFS='\t' '$1 == "drift" && $7 ~ /^[0-9]/ { sum[$2 OFS $3] += $7; n[$2 OFS $3]++ } END { for (at in sum) print at, sum[at] / n[at], n[at] }' > late
ok "new pages are judged at six costs, in four draws" awk -F '\t' '$1 == "warm-up" && $4 == 4 { n++ } END { exit n != 6 }' late
# The figures are of 8 draws (doc/theory.md has them too), of which four are within 3 %.
for figure in 0.05:1.01 0.1:0.98 0.15:0.90 0.2:0.92 0.3:0.92 0.4:0.93; do
	got=$(awk -F '\t' -v cost="${figure%:*}" '$1 == "warm-up" && $2 == cost { print $3 }' late)
	ok "siblings make new pages as much fresher as is told, at a cost of ${figure%:*} (${figure#*:}: $got)" \
		awk -v got="$got" -v want="${figure#*:}" 'BEGIN { exit !(got > 0 && got < 1.03 * want && got > 0.97 * want) }'
done
mean() { awk -F '\t' -v window="$1" '$1 == window { sum += log($3); n++ } END { printf "%.3f", n ? exp(sum / n) : 9 }' late; }
ok "in the mean over costs by a twentieth, in the first half of their lives ($(mean warm-up))" test "$(mean warm-up)" \< 0.955
ok "and what they say costs nothing in the second ($(mean steady))" test "$(mean steady)" \< 1.01

# §13.  Geometric means over the costs of drift's staleness to that of a rival: lines of corpus, window, rival, mean, how many costs.
ratios() {
	awk -F '\t' -v OFS='\t' '
		$5 ~ /^[0-9]/ && $5 > 0 { staleness[$2, $1, $3, $4] = $5; if ($2 == "drift") at[$1, $3, $4] = $1 OFS $3 }
		END {
			split("cgm curve-fitting", rivals, " ")
			for (key in at)
				for (i in rivals) {
					split(key, of, SUBSEP)
					rival = staleness[rivals[i], of[1], of[2], of[3]]
					if (rival > 0) { sum[at[key] OFS rivals[i]] += log(staleness["drift", of[1], of[2], of[3]] / rival); n[at[key] OFS rivals[i]]++ }
				}
			for (of_all in sum) print of_all, exp(sum[of_all] / n[of_all]), n[of_all]
		}'
}
worst() { awk -F '\t' -v window="$2" '$2 == window && $4 > most { most = $4; who = $1 ", to " $3 } END { sub(/.*\//, "", who); printf "%.3f %s", most ? most : 9, who }' "$1"; }
rivals=--policy=cgm,curve-fitting,drift
evaluate $rivals --by=corpus --offsets=0,2,5 --window=all,steady corpora/*.trace | ratios > apart
ok "each of five corpora is judged apart, to two rivals, at six costs" awk -F '\t' '$5 == 6 { n++ } END { exit n != 20 }' apart
for window in all steady; do
	ok "$window: drift is at least level with the best of cgm and curve-fitting on each corpus ($(worst apart $window))" \
		awk -v worst="$(worst apart $window)" 'BEGIN { exit !(worst + 0 <= 1.01) }'
done
for left_out in corpora/*.trace; do
	others=()
	for trace in corpora/*.trace; do [ "$trace" = "$left_out" ] || others+=("$trace"); done
	evaluate $rivals --window=all,steady "${others[@]}" | awk -F '\t' -v OFS='\t' -v name="$left_out" 'NR > 1 { print name, $0 }' | ratios
done > pooled
ok "the others are judged together with each corpus left out" awk -F '\t' '$5 == 6 { n++ } END { exit n != 20 }' pooled
for window in all steady; do
	ok "$window: with any corpus left out drift is ahead of both on the others together ($(worst pooled $window))" \
		awk -v worst="$(worst pooled $window)" 'BEGIN { exit !(worst + 0 < 0.97) }'
done

# §14.  Histories that only say "changed": every change is wholly new content.  Single steady cells are up to 1.05 (1.07 of other seeds);
# of pages that all change seldom the mean is more, too (doc/theory.md).
"$PERENNIAL" synth --items=1 --regions=1 --static-share=0 -o whole.trace 2> err
evaluate $rivals --offsets=0,2,5 --window=all,steady --at-cost=.05,.1,.15,.2,.3,.4 whole.trace |
	awk -F '\t' -v OFS='\t' 'NR > 1 { print "whole", $1, $2, $3, $4 }' | ratios > whole
for window in all steady; do
	ok "$window: where every change is of the whole page drift is within 3 % of cgm in the mean over costs ($(awk -F '\t' '$3 == "cgm"' whole > to_cgm; worst to_cgm $window))" \
		awk -v worst="$(worst to_cgm $window)" 'BEGIN { exit !(worst + 0 > 0 && worst + 0 <= 1.03) }'
done
done_testing
