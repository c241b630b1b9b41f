#!/usr/bin/env bash
# perennial policies: every policy with its dial, source, keys and defaults.
. "${SRCDIR:?}/tests/tap.sh"

code "it succeeds" 0 "$PERENNIAL" policies
same "one row for each policy, online ones first" \
	"$(cut -f 1 <<<"$out" | tail -n +2 | tr '\n' ' ')" "uniform proportional cgm fgt azar lambdacrawl curve-fitting bound-based drift nutch stormcrawler heritrix1 fs-s hs-s fs-d hs-d "
same "in a pipe it is TSV with a header" "$(head -n 1 <<<"$out")" $'policy\tkind\tdial\tsource\tabout\twith defaults'
dial() { awk -F'\t' -v dial="$1" '$3 == dial { print $1 }' <<<"$out" | tr '\n' ' '; }
same "uniform's dial is its period" "$(dial period)" "uniform "
same "the others that do not price divergence have a factor on their periods" "$(dial scale)" "proportional nutch stormcrawler heritrix1 "
same "everyone else's is the threshold" "$(dial threshold)" "cgm fgt azar lambdacrawl curve-fitting bound-based drift fs-s hs-s fs-d hs-d "
same "a policy is written with its defaults" "$(awk -F'\t' '$1 == "drift" { print $6 }' <<<"$out")" \
	"drift:alpha=0.03:beta=3:kappa=2:forgetting=0.9:risk=none:summary=all"
like "OP's bound-based policy has OP's history and risk" "$out" "bound-based:history=5:risk=10"
like "every row names a source" "$(awk -F'\t' 'NR > 1 && $4 == ""' <<<"$out")x" '^x$'

code "a name lists its keys" 0 "$PERENNIAL" policies drift cgm
same "with defaults" "$(awk -F'\t' '$1 == "drift" && $2 == "forgetting" { print $3 }' <<<"$out")" 0.9
like "for each name" "$out" $'^cgm\testimator\tmle'
code "--format=json" 0 "$PERENNIAL" policies --format=json uniform
like "prints JSON lines" "$out" '^\{"policy": "uniform", "key": "skip-static", "default": "no", "meaning": "'
code "--format=table" 0 "$PERENNIAL" policies --format=table
like "prints for a person" "$out" "^policy +kind +dial"
code "an unknown name is a usage error" 2 "$PERENNIAL" policies nonsense
like "and is named" "$err" "no policy 'nonsense'"
code "an unknown format is one too" 2 "$PERENNIAL" policies --format=xml
like "and what there is is said" "$err" "table, tsv or json"
code "output that cannot be written is a failure" 3 bash -c '"$PERENNIAL" policies >/dev/full'
done_testing
