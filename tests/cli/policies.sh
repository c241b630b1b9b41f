#!/usr/bin/env bash
# perennial policies: every policy with its dial, source, keys and defaults.
. "${SRCDIR:?}/tests/tap.sh"

code "policies succeeds" 0 "$PERENNIAL" policies
# What there is stands in the list of src/policy/room.am, and the offline yardsticks come after it.
online=$(sed -n 's|^policies += src/policy/\(.*\)\.c$|\1|p' "$SRCDIR/src/policy/room.am" | tr '_\n' '- ')
like "the list of src/policy/room.am is read" "$online" "(^| )uniform .*drift "
same "there is one row for each policy, the online ones first, in the order of their list" \
	"$(cut -f 1 <<<"$out" | tail -n +2 | tr '\n' ' ')" "${online}fs-s hs-s fs-d hs-d fs-l fs-n "
same "policies in a pipe prints TSV with a header" "$(head -n 1 <<<"$out")" $'policy\tkind\tdial\tsource\tabout\twith defaults'
same "every row has one of three dials" "$(awk -F'\t' 'NR > 1 && $3 !~ /^(period|scale|threshold)$/' <<<"$out")" ""
dial() { awk -F'\t' -v name="$1" '$1 == name { print $3 }' <<<"$out"; }
same "uniform's dial is its period" "$(dial uniform)" period
for name in proportional nutch stormcrawler heritrix1; do same "$name, which does not price divergence, has a factor on its periods" "$(dial $name)" scale; done
for name in cgm drift fs-s hs-d; do same "the dial of $name is the threshold" "$(dial $name)" threshold; done
same "a policy is written with its defaults" "$(awk -F'\t' '$1 == "drift" { print $6 }' <<<"$out")" \
	"drift:alpha=0.15:beta=12:kappa=2:forgetting=0.9:risk=none:hints=yes:price=no:siblings=yes:summary=all"
like "OP's bound-based policy has OP's history and risk" "$out" "bound-based:history=5:risk=10"
like "every row names a source" "$(awk -F'\t' 'NR > 1 && $4 == ""' <<<"$out")x" '^x$'

code "policies takes names of policies" 0 "$PERENNIAL" policies drift cgm
same "policies lists the keys of a name with their defaults" "$(awk -F'\t' '$1 == "drift" && $2 == "forgetting" { print $3 }' <<<"$out")" 0.9
like "policies lists the keys of each name" "$out" $'^cgm\testimator\tmle'
code "policies takes --format=json" 0 "$PERENNIAL" policies --format=json uniform
like "policies --format=json prints JSON lines" "$out" '^\{"policy": "uniform", "key": "skip-static", "default": "no", "when_set": "anew", "meaning": "'
code "policies takes --format=table" 0 "$PERENNIAL" policies --format=table
like "policies --format=table prints a table for a person" "$out" "^policy +kind +dial"
code "an unknown name of a policy is a usage error" 2 "$PERENNIAL" policies nonsense
like "an unknown name of a policy is named" "$err" "no policy 'nonsense'"
code "an unknown format of policies is a usage error" 2 "$PERENNIAL" policies --format=xml
like "the error for an unknown format of policies tells which there are" "$err" "table, tsv, json or csv"
code "policies fails when its output cannot be written" 3 bash -c '"$PERENNIAL" policies >/dev/full'
done_testing
