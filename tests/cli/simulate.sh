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
same "--method=all is every method that estimate has" "$(simulate --pages=10 --visits=1 --method=all | column method)" "$("$PERENNIAL" estimate --method=all --format=tsv < <(echo 1 1) | head -n 1 | tr '\t' ' ' | sed 's/ visits changes//')"
same "the same seed prints the same bytes on any number of threads" "$(simulate --pages=300 --threads=1 --schedule=irregular)" "$(simulate --pages=300 --threads=3 --schedule=irregular)"
ok "another seed prints other bytes" [ "$(simulate --pages=300 --seed=2)" != "$(simulate --pages=300)" ]
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
same "simulate prints a line for each policy and dial" "$(column policy < "$tmp/uniform") / $(column dial < "$tmp/uniform")" "uniform uniform / 1 2"
about "uniform visits at one change a visit leave a copy out of date for 1/e of the time (Cho table 5.2)" "$(column holistic < "$tmp/uniform" | cut -d ' ' -f 1)" 0.3679 0.005
about "uniform visits at one change a visit leave a copy .132 old in the mean" "$(column age < "$tmp/uniform" | cut -d ' ' -f 1)" 0.1321 0.005
about "uniform visits leave no page stale for longer than a visit" "$(column very_stale < "$tmp/uniform" | cut -d ' ' -f 1)" 0 0
five=(--process=mixture:factors=1/2/3/4/5:shares=1/1/1/1/1 --pages=1000 --time=0,100)
simulate "${five[@]}" --policy=known,known:age,uniform --at-cost=1 > "$tmp/five"
same "policies are set to a cost" "$(column cost < "$tmp/five" | awk '{ for (i = 1; i <= NF; i++) printf "%.2f ", $i }')" "1.00 1.00 1.00 "
ok "who knows the rates is fresher than uniform visits, and older where that is for freshness (Cho §5.5)" awk -F '\t' 'NR > 1 { stale[$2] = $6; age[$2] = $10 } END { exit !(stale["known"] < stale["uniform"] && age["known"] > age["known:age"] && age["known:age"] < age["uniform"]) }' "$tmp/five"
about "the freshness of who knows the rates is .374 (Cho table 5.5)" "$(awk -F '\t' '$2 == "known" { print 1 - $9 }' "$tmp/five")" 0.374 0.02
code "a cost that a policy cannot be set to is passed over" 1 "$PERENNIAL" simulate --format=tsv "${five[@]}" --policy=uniform --at-cost=100000,1
like "who sets a policy to a cost that it cannot have is told so" "$err" "^perennial simulate: uniform: a page is visited at most 1e\+06 times$"
same "beside a cost that a policy cannot be set to the others are simulated" "$(column policy <<<"$out")" uniform
same "where no cost can be had the table has a head alone" "$(simulate --pages=20 --policy=uniform --at-cost=100000 2>/dev/null | cut -f 1,2 | tr '\t' ' ')" "process policy"
same "policies give the same bytes on any number of threads" "$(simulate --pages=50 --policy=drift --dial=0.3 --threads=1)" "$(simulate --pages=50 --policy=drift --dial=0.3 --threads=4)"

bad() { local text=$1 want=$2; shift 2; code "$text is a usage error" 2 "$PERENNIAL" simulate "$@"; same "$text prints nothing" "$out" ""; like "the message about $text says what is wrong" "$err" "$want"; }
bad "an unknown process" "--process=cauchy: no process 'cauchy': there is poisson, gamma, mixture, shift, two-speed" --process=cauchy
bad "an unknown schedule" "--schedule=daily: no schedule 'daily': there is regular, poisson, irregular, adaptive" --schedule=daily
bad "an unknown method" "--method=mean: no estimator 'mean'" --method=mean
bad "visits that do not ascend" "--visits takes whole numbers from 1 to 1000000, ascending" --visits=5,3
bad "half a visit" "--visits takes whole numbers" --visits=1.5
bad "no visits" "--visits takes whole numbers" --visits=0
bad "a rate of 0" "rates and intervals are from 1e-30 to 1e30" --rate=0
bad "a single page" "pages are 2 to 10000000" --pages=1
bad "no thread" "--threads takes 1 or more" --threads=0
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
bad "an operand" "unexpected operand 'x.trace': only --ordering and --parallel read files" x.trace
# Crawls
simulate --ordering=all --web=pages=2000:sites=40 --crawled=0.1,0.5,1 > "$tmp/orders"
same "simulate prints a line for each ordering and share of a crawl" "$(column ordering < "$tmp/orders" | tr ' ' '\n' | uniq -c | awk '{ print $1 $2 }' | tr '\n' ' ')" "3breadth 3random 3backlink 3pagerank 3location 3ideal "
ok "the ideal has what it can have, and everybody has all in the end" awk -F '\t' 'NR > 1 && (($1 == "ideal" && ($5 < 1 || $6 < 1)) || ($3 == 1 && ($5 < 1 || $6 < 1)) || $5 > 1 || $6 > 1) { bad = 1 } END { exit bad }' "$tmp/orders"
same "each ordering that is asked for by name is the one that is told" "$(for name in breadth random backlink pagerank location ideal; do
	simulate --ordering=$name --web=pages=50:sites=5 --crawled=1 | column ordering; done | tr '\n' ' ')" "breadth random backlink pagerank location ideal "
tenth() { awk -F '\t' -v ordering="$1" '$1 == ordering && $3 == 0.1 { print $6 }' "$tmp/orders"; }
ok "PageRank has more of the hot pages early than a random order" awk -v pagerank="$(tenth pagerank)" -v random="$(tenth random)" 'BEGIN { exit !(pagerank > random) }'
ok "breadth has no more of the hot pages early than the ideal" awk -v breadth="$(tenth breadth)" -v ideal="$(tenth ideal)" 'BEGIN { exit !(breadth <= ideal) }'
same "a crawl is the same on any number of threads" "$(simulate --ordering=all --threads=1 --importance=hits)" "$(simulate --ordering=all --threads=3 --importance=hits)"
simulate --parallel=all --web=pages=2000:sites=40 --crawlers=1,8 --start-pages=5 > "$tmp/crawlers"
same "simulate prints a line for each mode and number of crawlers" "$(cut -f 1,3 "$tmp/crawlers" | tail -n +2 | tr '\t\n' ' ;')" "firewall 1;firewall 8;cross-over 1;cross-over 8;exchange 1;exchange 8;"
ok "one crawler has everything once, and tells nobody" awk -F '\t' '$3 == 1 && ($5 != 1 || $6 != 0 || $7 != 0 || $8 != 0 || $10 != 2000) { bad = 1 } END { exit bad }' "$tmp/crawlers"
eight() { awk -F '\t' -v mode="$1" -v column="$2" '$1 == mode && $3 == 8 { print $column }' "$tmp/crawlers"; }
ok "behind a firewall eight crawlers lack pages, and in exchange none" awk -v alone="$(eight firewall 5)" -v told="$(eight exchange 5)" 'BEGIN { exit !(alone < 1 && told == 1) }'
ok "crawlers that cross over fetch pages more than once, and in exchange never" awk -v over="$(eight cross-over 6)" -v told="$(eight exchange 6)" 'BEGIN { exit !(over > 0.5 && told == 0) }'
ok "crawlers in exchange tell each other URLs, and behind a firewall none" awk -v told="$(eight exchange 7)" -v alone="$(eight firewall 7)" 'BEGIN { exit !(told > 0.5 && alone == 0) }'
like "parts may be of pages" "$(simulate --parallel=exchange --by-page --crawlers=2)" "exchange	pages	2"
page() { printf '{"url":"http://%s","time":%s,"content_type":"text/html","body":"%s"}\n' "$1" "$2" "$3"; }
{ page a.example/ 1 '<a href=/b><a href=//c.example/d/e>'; page a.example/b 1 '<a href=/c>'; page a.example/c 1 ''; page c.example/d/e 1 '<a href=//a.example/c>'; page d.example/f/g/h 1 ''; } > "$tmp/five.ndjson"
same "the pages of a corpus are crawled" "$(simulate --ordering=breadth --importance=backlinks --hot=0.2 --crawled=0.2,0.6,0.8 "$tmp/five.ndjson" | cut -f 3- | tr '\t\n' ' ;')" \
	"crawled pages p_cs p_st begun;0.2 1 0 0 2;0.6 3 0.6666666666666666 0 2;0.8 4 1 1 2;"
same "a crawl is of the hosts that are taken" "$(simulate --ordering=breadth --crawled=1 --host=a.example "$tmp/five.ndjson" | cut -f 4 | tail -n 1)" 3
code "where no capture is taken there is nothing to crawl" 3 "$PERENNIAL" simulate --ordering=breadth --to=1970-01-01T00:00:01Z "$tmp/five.ndjson"
like "who takes no capture is told that nothing is left, and by which option" "$err" "^perennial simulate: no page is left by --to: nothing of what was read is what it asks for$"
printf '{"url":"http://a.example/","time":1,"content_type":"text/css","body":"x"}\n' > "$tmp/style.ndjson"
code "where no source has a page there is nothing to crawl" 3 "$PERENNIAL" simulate --ordering=breadth "$tmp/style.ndjson"
like "simulate says that there is no page to crawl where no source has one" "$err" "^perennial simulate: there is no page to crawl: nothing of what was read is one$"
"$PERENNIAL" import --links -o "$tmp/five.trace" "$tmp/five.ndjson" 2> /dev/null
same "a trace is filtered like what it was made of" "$(simulate --ordering=breadth --crawled=1 --host=a.example,c.example "$tmp/five.trace" | cut -f 4 | tail -n 1)" 4
bad "a sample that is no share" "--sample takes a number above 0, at most 1" --ordering=all --sample=2 "$tmp/five.trace"
bad "a filter without anything to filter" "there are no captures to filter: a web is drawn" --ordering=all --host=a.example
bad "a base without repositories" "there are no captures to filter: a web is drawn" --parallel=all --git-base=http://a.example/
bad "a filter of estimators" "only --ordering and --parallel read captures, which there are to filter" --host=a.example
"$PERENNIAL" import -o "$tmp/bare.trace" "$tmp/five.ndjson" 2> /dev/null
code "a trace without links is not crawled" 3 "$PERENNIAL" simulate --ordering=breadth "$tmp/bare.trace"
like "who crawls a trace without links is told to import with --links" "$err" "import with --links"
bad "an unknown ordering" "--ordering takes breadth, random, .* not 'depth'" --ordering=depth
bad "an unknown mode" "--parallel takes firewall, cross-over, exchange or all, not 'none'" --parallel=none
bad "both crawls" "--ordering and --parallel are two tables" --ordering=all --parallel=all
bad "an unknown importance" "--importance takes" --ordering=all --importance=fame
bad "a web and a corpus" "--web draws one, and" --ordering=all --web=pages=10 x.trace
bad "a web without pages" "web: pages takes a whole number from 1 to 1e8, not '0'" --ordering=all --web=pages=0
bad "more sites than pages" "from one site to as many as pages" --ordering=all --web=pages=10
bad "no crawlers" "--crawlers takes whole numbers from 1 to 4096" --parallel=all --crawlers=0
bad "a coverage above 1" "--coverage takes numbers above 0 and at most 1" --parallel=all --coverage=2
bad "nothing hot" "--hot takes a number above 0" --ordering=all --hot=0
bad "no start pages" "--start-pages takes a number above 0" --parallel=all --start-pages=0
code "an output that cannot be written fails" 3 bash -c '"$PERENNIAL" simulate --pages=10 > /dev/full'
done_testing
