#!/usr/bin/env bash
# perennial allocate: Cho's table 5.5 through the filter, every objective, comparisons, and what it says to bad input.
. "${SRCDIR:?}/tests/tap.sh"

allocate() { "$PERENNIAL" allocate "$@"; }
seq 1 5 > "$tmp/rates"
rounded() { awk '{ printf "%s%.4f", (NR > 1 ? " " : ""), $1 } END { print "" }'; }
told() { sed -n "s/.*$1 \([^ ,]*\).*/\1/p" "$tmp/stderr"; }
about() { ok "$1" awk -v got="$2" -v want="$3" -v tolerance="$4" 'BEGIN { gap = got - want; exit !(gap * gap <= tolerance * tolerance && got != "") }'; }

code "five refreshes a day are allocated to rates of 1 to 5 a day" 0 "$PERENNIAL" allocate --budget=5 < "$tmp/rates"
same "the refreshes for freshness are those of Cho table 5.5" "$(rounded <<<"$out")" "1.1499 1.3584 1.3538 1.1379 0.0000"
like "the freshness and age that an allocation reaches are told on stderr" "$err" '^pages 5, order fixed: freshness 0\.[0-9]+, age inf, multiplier 0\.[0-9]+$'
same "freshness is the objective unless another is given" "$(allocate --objective=freshness --budget=5 < "$tmp/rates" 2>/dev/null)" "$out"
out=$(allocate --objective=age --budget=5 < "$tmp/rates" 2>"$tmp/stderr")
same "the refreshes for age are those of Cho table 5.5" "$(rounded <<<"$out")" "0.8349 0.9679 1.0335 1.0706 1.0931"
ok "an allocation for age has a finite age" awk -v age="$(told age)" 'BEGIN { exit !(age > 0 && age < 1) }'

# Azar et al.: ρ = max(0, sqrt(w λ/η) - λ); with equal weights on rates 1 and 4 and ρ1 + ρ2 = 1: sqrt(1/η) = 2, ρ = 1, 0.
same "the refreshes for binary freshness are those worked by hand" "$(printf '1\n4\n' | allocate --objective=binary --budget=1 2>/dev/null | rounded)" "1.0000 0.0000"
same "a page of a larger weight gets more refreshes" "$(printf '1 1\n1 4\n' | allocate --objective=binary --budget=1 2>/dev/null | rounded)" "0.0000 1.0000"
same "a rate without a weight has weight 1" "$(printf '2\n3 1\n' | allocate --budget=4 2>/dev/null)" "$(printf '2 1\n3\n' | allocate --budget=4 2>/dev/null)"
for objective in freshness age binary harmonic; do
	ok "an allocation for $objective spends the budget" awk '{ sum += $1 } END { exit !(sum > 4.9999999 && sum < 5.0000001) }' \
		<(allocate --objective=$objective --budget=5 < "$tmp/rates" 2>/dev/null)
done

best=$(allocate --budget=5 < "$tmp/rates" 2>"$tmp/stderr"; told freshness)
same "the policy uniform gives every page the same refreshes" "$(allocate --policy=uniform --budget=5 < "$tmp/rates" 2>"$tmp/stderr" | tr '\n' ' ')" "1 1 1 1 1 "
uniform=$(told freshness)
# Mean of (1 - e^-r)/r over r = 1 … 5.
about "the policy uniform tells the freshness that it reaches" "$uniform" "$(awk 'BEGIN { for (r = 1; r <= 5; r++) sum += (1 - exp(-r)) / r; print sum / 5 }')" 1e-5
same "the policy proportional gives refreshes by the rate" "$(allocate --policy=proportional --budget=15 < "$tmp/rates" 2>"$tmp/stderr" | tr '\n' ' ')" "1 2 3 4 5 "
about "the policy proportional makes every page as fresh as at r = 1" "$(told freshness)" 0.632121 1e-5
allocate --policy=proportional --budget=5 < "$tmp/rates" >/dev/null 2>"$tmp/stderr"
ok "the policy optimal is fresher than uniform, and uniform than proportional (Cho §5.5)" awk -v a="${best##*$'\n'}" -v b="$uniform" -v c="$(told freshness)" 'BEGIN { exit !(a > b && b > c) }'
for order in fixed:0.632121 random:0.600424 purely-random:0.5; do
	echo 1 | allocate --budget=1 --order="${order%:*}" >/dev/null 2>"$tmp/stderr"
	about "--order=${order%:*} reaches the freshness of Cho table 5.2 at r = 1" "$(told freshness)" "${order#*:}" 1e-5
done
for objective in freshness:fixed age:fixed binary:purely-random harmonic:purely-random; do
	allocate --objective="${objective%:*}" --budget=5 < "$tmp/rates" >/dev/null 2>"$tmp/stderr"
	same "an allocation for ${objective%:*} is judged in the order ${objective#*:} unless another is given" "$(told order | tr -d :)" "${objective#*:}"
done
# A host of four pages that may have 2 of 5, one with 1, and pages of no host
printf '1 1 a\n1 1 a\n1 1 a\n1 1 a\n1 1 b\n1\n1\n' > "$tmp/hosts"
code "a budget is divided where hosts have limits" 0 "$PERENNIAL" allocate --budget=5 --host-limit=2 < "$tmp/hosts"
same "a host at its limit divides that, and the others the rest" "$(rounded <<<"$out")" "0.5000 0.5000 0.5000 0.5000 1.0000 1.0000 1.0000"
like "allocate tells how many hosts are at their limit" "$err" ', budget 5, hosts 3, at their limit 1$'
same "only limits that are reached matter" "$(allocate --budget=5 --host-limit=4 < "$tmp/hosts" 2>/dev/null)" "$(allocate --budget=5 < "$tmp/hosts" 2>/dev/null)"
same "the names of hosts matter only with a limit" "$(cut -d' ' -f1,2 "$tmp/hosts" | allocate --budget=5 2>/dev/null)" "$(allocate --budget=5 < "$tmp/hosts" 2>/dev/null)"
head -n 5 "$tmp/hosts" | allocate --budget=5 --host-limit=2 2>"$tmp/stderr" >/dev/null
about "where all hosts are at their limit less is spent" "$(told budget)" 4 1e-9
about "where all hosts are at their limit more of a budget would be worth nothing" "$(told multiplier)" 0 0
code "--host-limit without --budget is a usage error" 2 "$PERENNIAL" allocate --price=1 --host-limit=2 < "$tmp/hosts"
code "--host-limit with --policy=uniform is a usage error" 2 "$PERENNIAL" allocate --budget=1 --policy=uniform --host-limit=2 < "$tmp/hosts"
code "--host-limit=-1 is a usage error" 2 "$PERENNIAL" allocate --budget=1 --host-limit=-1 < "$tmp/hosts"
code "more than a host behind the weight is refused" 3 "$PERENNIAL" allocate --budget=1 <<<'1 1 a b'
printf '0\n0\n' > "$tmp/still"
same "pages that never change get nothing" "$(allocate --budget=5 < "$tmp/still" 2>/dev/null | tr '\n' ' ')" "0 0 "
same "no pages give no lines" "$(allocate --budget=5 < /dev/null 2>&1)" ""

# Goals: a freshness, a price; and what a collection shows (Cho table 7.1).
allocate --target-freshness=0.5 < "$tmp/rates" 2>"$tmp/stderr" > "$tmp/target"
about "--target-freshness is reached" "$(told freshness)" 0.5 1e-9
about "by the budget that is told" "$(told budget)" "$(awk '{ sum += $1 } END { printf "%.9f", sum }' "$tmp/target")" 1e-6
same "the budget that --target-freshness tells gives the same division" "$(allocate --budget="$(told budget)" < "$tmp/rates" 2>/dev/null | rounded)" "$(rounded < "$tmp/target")"
for policy in uniform proportional; do
	allocate --policy=$policy --target-freshness=0.5 < "$tmp/rates" 2>"$tmp/stderr" > "$tmp/$policy"
	about "the policy $policy is as fresh" "$(told freshness)" 0.5 1e-9
	ok "for a larger budget" awk 'FNR == NR { least += $1; next } { sum += $1 } END { exit !(sum > least) }' "$tmp/target" "$tmp/$policy"
done
same "a freshness that is there already takes no budget" "$(printf '0\n0\n1\n' | allocate --target-freshness=0.5 2>&1 >/dev/null)" "pages 3, order fixed: freshness 0.6666666666666666, age inf, multiplier 0, budget 0"
about "--price: at an hour of staleness a crawl, a page of 24 h is crawled every .3208 of that (FGT)" "$(awk 'BEGIN { printf "%.17g", 1 / 24 }' | allocate --price=1 2>/dev/null | awk '{ print 1 / $1 / 24 }')" 0.3208 5e-5
for how in steady,in-place:0.8848 batch,in-place:0.8848 steady,shadow:0.7829 batch,shadow:0.8577 shadow,batch:0.8577; do
	echo 0.25 | allocate --budget=1 --collection="${how%:*}" > /dev/null 2>"$tmp/stderr"
	about "--collection=${how%:*} tells the freshness of pages of four months that are crawled monthly, in batches of a week (Cho table 7.1)" "$(told freshness)" "${how#*:}" 5e-5
done
like "the collection is named" "$(cat "$tmp/stderr")" '^pages 1, collection batch, shadow: freshness'
echo 0.25 | allocate --budget=1 --collection=batch,shadow --batch=1 > /dev/null 2>"$tmp/stderr"
about "a batch that takes all the time is steady" "$(told freshness)" 0.7829 5e-5

bad() { local text=$1 want=$2; shift 2; code "$text is a usage error" 2 "$PERENNIAL" allocate "$@" < "$tmp/rates"; like "the message about $text says what is wanted" "$err" "$want"; }
bad "allocation without a budget" "--budget=R is required"
bad "a budget of 0" "--budget=R is required: refreshes per unit of time, more than 0" --budget=0
bad "a budget that is no number" "--budget takes a number, not 'much'" --budget=much
bad "an unknown objective" "--objective takes freshness, age, binary or harmonic, not 'truth'" --budget=5 --objective=truth
bad "an unknown policy" "--policy takes optimal, uniform or proportional, not 'fair'" --budget=5 --policy=fair
bad "an unknown order" "--order takes fixed, random or purely-random, not 'any'" --budget=5 --order=any
bad "two goals" "three goals: one at a time" --budget=5 --price=1
bad "a freshness of 1" "--target-freshness takes a share of the time, above 0 and below 1" --target-freshness=1
bad "a negative price" "--price takes what a refresh costs" --price=-1
bad "a price for uniform" "--price is for the optimal policy" --price=1 --policy=uniform
bad "a shadow that is aimed at" "what is optimal is so in place" --target-freshness=0.5 --collection=shadow
bad "a collection both ways" "--collection takes steady or batch, and in-place or shadow, not 'batch' as well" --budget=5 --collection=steady,batch
bad "an unknown collection" "not 'cache'" --budget=5 --collection=cache
bad "a collection in random order" "--collection is of fixed order" --budget=5 --collection=shadow --order=random
bad "a batch of no time" "--batch takes a share of the time" --budget=5 --collection=batch --batch=0
bad "an operand of allocate" "unexpected operand 'rates.txt': rates are read from standard input" --budget=5 rates.txt
for line in "" "x" "-1" "nan" "inf" "1 0" "1 -1" "1 x" "1 2 3 4" "1 1e300" 1e-101 1e101 '2 1e-101'; do
	code "the line '$line' is refused as a page" 3 "$PERENNIAL" allocate --budget=5 < <(printf '1\n%s\n' "$line")
	like "the line '$line' is named by its number and told what is wanted" "$err" '^perennial allocate: standard input, line 2: expected "rate \[weight \[host\]\]"'
done
code "a budget that is too small to divide is a usage error" 2 "$PERENNIAL" allocate --budget=1e-101 < "$tmp/rates"
like "the message about a budget that is too small says how small and how large it may be" "$err" '--budget=R is required.* at least 1e-100 and at most 1e100'
code "allocating to an output that cannot be written fails" 3 bash -c 'echo 1 | "$PERENNIAL" allocate --budget=1 > /dev/full'
like "an output that cannot be written is named" "$err" "^perennial allocate: standard output: "
for line in 0.1.2 1e5e 1x "1 2.3.4"; do
	code "a line '$line' has no rate and weight" 3 "$PERENNIAL" allocate --budget=2 < <(printf '%s\n1 1\n' "$line")
done
done_testing
