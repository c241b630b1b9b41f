#!/usr/bin/env bash
# perennial simulate: published biases of estimators, what depends on what, and what it says to bad options.
. "${SRCDIR:?}/tests/tap.sh"

simulate() { "$PERENNIAL" simulate --format=tsv "$@"; }
# The column $1 of the rows on standard input, on one line.
column() { awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { printf "%s%s", n++ ? " " : "", $c } END { print "" }'; }
# about TEXT GOT WANT TOLERANCE
about() { ok "$1 ($2)" awk -v got="$2" -v want="$3" -v tolerance="$4" 'BEGIN { gap = got - want; exit !(gap * gap <= tolerance * tolerance && got != "") }'; }

simulate --method=naive,ratio > "$tmp/two"
same "a line for each method and number of visits" "$(column method < "$tmp/two") / $(column visits < "$tmp/two")" \
	"naive naive naive ratio ratio ratio / 3 10 50 3 10 50"
same "the columns have names" "$(head -n 1 "$tmp/two" | tr '\t' ' ')" \
	"process schedule method rate visits time ratio low high spread deviation none found"
# Of 10000 pages: σ of naive after 50 visits is .11, so a standard error of .0011.
about "naive is 36.8 % low at one change a visit, after 50 visits (Cho §6.4.1)" "$(sed -n 4p "$tmp/two" | cut -f 7)" 0.632 0.0045
about "ratio is right there, after 50 visits (Cho §6.4.2)" "$(sed -n 7p "$tmp/two" | cut -f 7)" 1 0.01
ok "the interval holds the mean, and is 1.96 standard errors to either side" awk -F '\t' 'NR > 1 { half = ($9 - $8) / 2; want = 1.96 * $10 / 100; if ($8 > $7 || $9 < $7 || half < .99 * want || half > 1.01 * want) bad = 1 } END { exit bad }' "$tmp/two"

same "rates, processes and schedules may be several" \
	"$(simulate --pages=10 --visits=1 --method=naive --rate=1,2 --process=poisson,gamma:shape=3 --schedule=regular,poisson | cut -f 1,2,4 | tr '\t\n' ' ;')" \
	"process schedule rate;poisson regular 1;poisson poisson 1;poisson regular 2;poisson poisson 2;gamma:shape=3 regular 1;gamma:shape=3 poisson 1;gamma:shape=3 regular 2;gamma:shape=3 poisson 2;"
same "all is every method" "$(simulate --pages=10 --visits=1 --method=all | column method)" "$("$PERENNIAL" estimate --method=all --format=tsv < <(echo 1 1) | head -n 1 | tr '\t' ' ' | sed 's/ visits changes//')"
same "the same seed prints the same bytes on any number of threads" "$(simulate --pages=300 --threads=1 --schedule=irregular)" "$(simulate --pages=300 --threads=3 --schedule=irregular)"
ok "another seed prints others" [ "$(simulate --pages=300 --seed=2)" != "$(simulate --pages=300)" ]
same "a finer unit of time is another spelling of the same" "$(simulate --pages=300 --rate=0.25 --interval=4 | cut -f 7-)" "$(simulate --pages=300 | cut -f 7-)"
# After 3 visits at r = .1 e^-.3 of the pages saw no change; of the others Δ̂ = 3/X is far below 10: .285 of it in the mean.
read -r none ratio <<<"$(simulate --of=interval --method=naive --rate=0.1 --visits=3 | awk 'NR == 2 { print $12, $7 }')"
about "the share of pages without a change is told" "$none" 0.7408 0.0175
ok "of the mean time between changes only pages with a change are looked at" awk -v r="$ratio" 'BEGIN { exit !(r > 0.28 && r < 0.29) }'
# Unless told, every different interval is kept: with 8 the estimates are others.
ok "mle keeps every interval unless told otherwise" [ "$(simulate --pages=50 --schedule=poisson --visits=100 --method=mle | cut -f 7)" != "$(simulate --pages=50 --schedule=poisson --visits=100 --method=mle:lengths=8 | cut -f 7)" ]
ok "--confidence adds how often intervals hold the truth" awk -v c="$(simulate --confidence=0.9 --method=mle --visits=50 | column covered)" 'BEGIN { exit !(c > 0.87 && c < 0.93) }'
same "--list prints what processes and schedules there are" "$("$PERENNIAL" simulate --list --format=tsv | awk -F '\t' 'NR > 1 && $3 == "" { printf "%s ", $2 }')" \
	"poisson gamma mixture shift two-speed regular poisson irregular adaptive "
same "--list prints their keys, and what they are unless told" "$("$PERENNIAL" simulate --list --format=tsv | awk -F '\t' '$2 == "adaptive" && $3 { printf "%s=%s ", $3, $4 }')" "r=1 first=5 least=0.01 most=100 "
like "--format=json prints JSON lines" "$("$PERENNIAL" simulate --format=json --pages=10 --visits=2 --method=naive)" '^\{"process": "poisson", "schedule": "regular", "method": "naive", "rate": 1, "visits": 2, "time": 2, "ratio": [0-9.]+, .*\}$'
like "a table ends with where it comes from" "$("$PERENNIAL" simulate --format=table --pages=10 --visits=2 | tail -n 1)" '^# perennial [0-9.]+; perennial simulate --format=table --pages=10 --visits=2; seed 1, 10 pages$'

# Policies: uniform at r = 1 is out of date for e^-1 of the time; who knows five rates has Cho's freshness (table 5.5).
simulate --policy=uniform --dial=1,2 --pages=200 > "$tmp/uniform"
same "a line for each policy and dial" "$(column policy < "$tmp/uniform") / $(column dial < "$tmp/uniform")" "uniform uniform / 1 2"
about "uniform visits at one change a visit leave a copy out of date for 1/e of the time (Cho table 5.2)" "$(column holistic < "$tmp/uniform" | cut -d ' ' -f 1)" 0.3679 0.005
about "and it is .132 old in the mean" "$(column age < "$tmp/uniform" | cut -d ' ' -f 1)" 0.1321 0.005
about "and never stale for longer than a visit" "$(column very_stale < "$tmp/uniform" | cut -d ' ' -f 1)" 0 0
five=(--process=mixture:factors=1/2/3/4/5:shares=1/1/1/1/1 --pages=1000 --time=0,100)
simulate "${five[@]}" --policy=known,known:age,uniform --at-cost=1 > "$tmp/five"
same "policies are set to a cost" "$(column cost < "$tmp/five" | awk '{ for (i = 1; i <= NF; i++) printf "%.2f ", $i }')" "1.00 1.00 1.00 "
ok "who knows the rates is fresher than uniform visits, and older where that is for freshness (Cho §5.5)" awk -F '\t' 'NR > 1 { stale[$2] = $6; age[$2] = $10 } END { exit !(stale["known"] < stale["uniform"] && age["known"] > age["known:age"] && age["known:age"] < age["uniform"]) }' "$tmp/five"
about "its freshness is .374 (Cho table 5.5)" "$(awk -F '\t' '$2 == "known" { print 1 - $9 }' "$tmp/five")" 0.374 0.02
code "a cost that a policy cannot be set to is passed over" 1 "$PERENNIAL" simulate --format=tsv "${five[@]}" --policy=uniform --at-cost=100000,1
like "and told" "$err" "^perennial simulate: uniform: a page is visited at most 1e\+06 times$"
same "the others are there" "$(column policy <<<"$out")" uniform
same "where no cost can be had the table has a head alone" "$(simulate --pages=20 --policy=uniform --at-cost=100000 2>/dev/null | cut -f 1,2 | tr '\t' ' ')" "process policy"
same "policies too give the same bytes on any number of threads" "$(simulate --pages=50 --policy=drift --dial=0.3 --threads=1)" "$(simulate --pages=50 --policy=drift --dial=0.3 --threads=4)"

bad() { local text=$1 want=$2; shift 2; code "$text is a usage error" 2 "$PERENNIAL" simulate "$@"; same "$text prints nothing" "$out" ""; like "the message about $text says what is wrong" "$err" "$want"; }
bad "an unknown process" "--process=cauchy: no process 'cauchy': there is poisson, gamma, mixture, shift, two-speed" --process=cauchy
bad "an unknown schedule" "--schedule=daily: no schedule 'daily': there is regular, poisson, irregular, adaptive" --schedule=daily
bad "an unknown method" "--method=mean: no estimator 'mean'" --method=mean
bad "visits that do not ascend" "--visits takes whole numbers from 1 to 1000000, ascending" --visits=5,3
bad "half a visit" "--visits takes whole numbers" --visits=1.5
bad "no visits" "--visits takes whole numbers" --visits=0
bad "a rate of 0" "rates and intervals are from 1e-30 to 1e30" --rate=0
bad "a single page" "pages are 2 to 10000000" --pages=1
bad "no thread" "at least one thread" --threads=0
bad "what is neither rate nor interval" "--of takes rate or interval, not 'lambda'" --of=lambda
bad "a confidence of 1" "--confidence takes a number above 0 and below 1" --confidence=1
bad "a confidence of 0" "--confidence takes a number above 0 and below 1" --confidence=0
bad "a dial without a policy" "--dial and --at-cost go with --policy" --dial=1
bad "a policy without a dial" "--policy goes with --dial, how it is set, or --at-cost, what it may cost" --policy=cgm
bad "an unknown policy" "--policy=random: no policy 'random'" --policy=random --dial=1
bad "an unknown objective" "--policy=known:truth: known takes freshness, age, binary or harmonic" --policy=known:truth --dial=1
bad "one end of a time" "--time takes FROM,UNTIL" --policy=cgm --dial=1 --time=5
bad "a time that runs back" "--time takes FROM,UNTIL" --policy=cgm --dial=1 --time=5,4
bad "a dial of 0" "rates, dials and times are above 0" --policy=cgm --dial=0
bad "an operand" "unexpected operand 'x.trace': simulate reads no files" x.trace
code "an output that cannot be written fails" 3 bash -c '"$PERENNIAL" simulate --pages=10 > /dev/full'
done_testing
