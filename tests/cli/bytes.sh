#!/usr/bin/env bash
# Budgets in bytes, and what a look costs that is answered 304: as people set and see them.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"

p() { "$PERENNIAL" "$@"; }
code "init takes a budget in bytes" 0 p init --state=S --budget=24MB/day
seq -f http://a.example/%g 1 3 | p add --state=S --now=2026-01-01 2> /dev/null
due() { p due --state=S --host-delay=0s --lease=6h "$@" 2> err; }
line() { # URL TIME STATUS BYTES
	printf '{"url":"%s","time":"%s","status":%s,"content_type":"text/html","body":"%s"}\n' "$1" "$2" "$3" "$(head -c "$4" /dev/zero | tr '\0' x)"
}
like "stats of a budget in bytes tells it in bytes" "$(p stats --state=S --now=2026-01-02)" "^budget      24 MB a day; spent in the last day 0 B, not used and left 1 MB$"
url=$(due --now=2026-01-02 --limit=1)
like "a page that was never seen is paid for with 100 kB" "$(p stats --state=S --now=2026-01-02)" "; spent in the last day 100 kB, not used and left 900 kB$"
line "$url" 2026-01-02T00:00:00Z 200 300000 | p observe --state=S --now=2026-01-02T00:00:01Z -q - 2> /dev/null
like "the bytes that a visit brought take the place of the expected ones" "$(p stats --state=S --now=2026-01-02)" "; spent in the last day 300 kB, not used and left 700 kB$"
like "stats tells how many bytes may be spent" "$(p stats --state=S --now=2026-01-02)" "^room        700 kB now$"
like "explain tells what the next look is expected to cost" "$(p explain --state=S --no-plot --now=2026-01-02 "$url")" "^  look        expected to cost 300 kB; an answer has 300 kB; of late 0 % were \"not modified\"; W for 100 kB is 0\\.333$"
like "explain as JSON tells what the next look is expected to cost" "$(p explain --state=S --format=json --now=2026-01-02 "$url")" '"unit":"bytes","cost":300[0-9.]*,"answer_bytes":300[0-9.]*,"unchanged":0\.0'
due --now=2026-01-02T00:00:02Z > /dev/null
line "$url" 2026-01-02T12:00:00Z 304 0 | sed 's/,"body":""//' | p observe --state=S --now=2026-01-02T12:00:01Z -q - 2> /dev/null
like "explain tells how many answers were 304" "$(p explain --state=S --no-plot --now=2026-01-02T12:00:01Z "$url")" "; of late 50 % were"
line "$url" 2026-01-03T00:00:00Z 200 300000 | p observe --state=S --now=2026-01-03T00:00:01Z -q - 2> /dev/null
like "stats tells how many looks were answered 304, apart from the same bytes again, and what that spared" "$(p stats --state=S --now=2026-01-03T00:00:01Z)" \
	"^answers     3 since 2026-01-02T00:00:00Z: 33.3 % not modified \\(304\\), 33.3 % the same bytes again; 600 kB of bodies came, and 304s spared 300 kB$"
line "$url" 2026-01-02T12:00:00Z 304 0 | sed 's/,"body":""//' | p observe --state=S --now=2026-01-03T00:00:01Z -q - 2> /dev/null
like "stats as JSON tells what looks were answered, and a report that is refused is none" "$(p stats --state=S --now=2026-01-03T00:00:01Z --format=json)" \
	'"answers":\{"since":"2026-01-02T00:00:00Z","looks":3,"not_modified":1,"same":1,"bytes":600000,"spared_bytes":[23][09][0-9]*\}'
p init --state=M --budget=48MB/day
seq -f http://h%g.example/ 1 20 | p add --state=M --now=2026-01-01 2> /dev/null
urls=$(p due --state=M --now=2026-01-02 --limit=100 2> err)
same "pages of 20 hosts are out" "$(wc -l <<< "$urls")" 20
line "$(head -n 1 <<< "$urls")" 2026-01-02T00:00:00Z 200 9000000 | p observe --state=M --now=2026-01-02T00:00:01Z -q - 2> /dev/null
like "stats tells all that came, and what of it a host owes alone" "$(p stats --state=M --now=2026-01-02T00:00:01Z)" \
	"; spent in the last day 10.9 MB, of which 4.1 MB are owed by hosts alone, not used and left -4.8 MB$"
like "stats as JSON tells what hosts owe alone" "$(p stats --state=M --now=2026-01-02T00:00:01Z --format=json)" '"given_day":10900[0-9]*,"forgiven_day":4100[0-9]*,'
same "of a budget in bytes what looks were answered is told" "$(p stats --state=M --now=2026-01-02T00:00:01Z | grep -c ^answers)" 1
p tune --state=M --budget=10/day --apply > /dev/null 2>&1
same "of a budget in visits that was one in bytes it is not" "$(p stats --state=M --now=2026-01-02T00:00:02Z | grep -c ^answers)" 0
p init --state=V --budget=100/day
line http://h1.example/ 2026-01-01 200 20 | p observe --state=V --now=2026-01-07 -q - 2> /dev/null
same "where every look is a visit no report writes what it was answered" "$(p stats --state=V --now=2026-01-07 | grep -c ^answers)" 0
p init --state=Z --shards=4 --budget=100/day --cost-304=0.1
for i in 1 2 3 4 5 6; do line http://h$i.example/ 2026-01-0$i 200 20; done | p observe --state=Z --now=2026-01-07 -q - 2> /dev/null
line http://h1.example/ 2026-01-06 304 0 | sed 's/,"body":""//' | p observe --state=Z --now=2026-01-07 -q - 2> /dev/null
like "stats sums what looks at pages of several shards were answered" "$(p stats --state=Z --now=2026-01-07)" \
	"^answers     7 since 2026-01-01T00:00:00Z: 14.3 % not modified \\(304\\), 0.0 % the same bytes again; 120 B of bodies came$"
p init --state=T --budget=1MB/day
line http://h1.example/ 2026-01-01 200 20 | p observe --state=T --now=2026-01-07 -q - 2> /dev/null
same "a store whose budget is in bytes tells what answers brought" "$(p stats --state=T --now=2026-01-07 | grep -c ^answers)" 1
p tune --state=T --now=2026-01-07 --budget=100/day --apply > /dev/null
same "a store forgets what answers brought when its budget changes its unit" "$(p stats --state=T --now=2026-01-07 | grep -c ^answers)" 0
p tune --state=Z --now=2026-01-07 --budget=1MB/day --apply > /dev/null
same "a store of several shards forgets what answers brought when its budget changes its unit" "$(p stats --state=Z --now=2026-01-07 | grep -c ^answers)" 0

# Bodies that say nothing of a page.
p init --state=E --budget=24MB/day
seq -f http://a.example/%g 1 5 | p add --state=E --now=2026-01-01 2> /dev/null
left() { p stats --state=E --now=2026-01-02 | sed -n 's/^budget .* left //p'; }
one() { p due --state=E --host-delay=0s --now=2026-01-02 --limit=1 2> err; }
same "before any is fetched there is an hour's budget" "$(left)" "1 MB"
url=$(one); line "$url" 2026-01-02 404 200000 | p observe --state=E --now=2026-01-02 -q - 2> /dev/null
same "a failure costs the body that its report has" "$(left)" "800 kB"
url=$(one); line "$url" 2026-01-02 500 0 | sed 's/"body":""/"bytes":100000/' | p observe --state=E --now=2026-01-02 -q - 2> /dev/null
same "a failure costs the bytes that its report tells" "$(left)" "699 kB"
url=$(one)
page="<html>$(head -c 99994 /dev/zero | tr '\0' x)" head=$'HTTP/1.1 301 Moved\r\nLocation: http://a.example/1\r\n\r\n'
printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-01-02T00:00:00Z\r\nContent-Type: application/http\r\nContent-Length: %s\r\n\r\n%s%s\r\n\r\n' \
	"$url" $((${#head} + ${#page})) "$head" "$page" | p observe --state=E --now=2026-01-02 -q - 2> /dev/null
same "a redirect costs the body that a WARC file has of it" "$(left)" "599 kB"
line http://a.example/5 2026-01-02 404 0 | sed 's/"body":""/"bytes":-1/' | p observe --state=E --now=2026-01-02 -q - 2> err
like "a length below 0 is refused" "$(cat err)" '"bytes"'

code "tune takes a budget in bytes" 0 p tune --state=S --budget=1GB/day
like "tune tells loads in bytes" "$(head -n 1 <<< "$out")" "^3 pages: T = [0-9.e-]+, [0-9.]+ [kMG]?B a day \\(before: T = [0-9.e-]+, [0-9.]+ [kMG]?B a day\\)$"
code "tune takes another budget in visits" 0 p tune --state=S --budget=10/day --cost-304=0.1 --cost-304=application/pdf=0.02 --apply
like "a budget that tune set in visits is told in visits" "$(p stats --state=S --now=2026-01-03)" "^budget      10 a day; spent in the last day 0, not used and left "
like "stats tells what a 304 costs" "$(p stats --state=S --now=2026-01-03)" "^304         costs 0\\.1,application/pdf=0\\.02 of a fetch$"
like "stats as JSON tells what a 304 costs, and the unit" "$(p stats --state=S --now=2026-01-03 --format=json)" '"unit":"visits","cost_304":"0\.1,application/pdf=0\.02"'
code "check finds nothing wrong with what looks cost" 0 p check --state=S
for cost in 0 2 x x=0.1 texte/html=0.1 text/html= text/html=0, 0.1,0.2 text/html=0.1,TEXT/HTML=0.2 "*/*=0.5"; do
	code "init --cost-304=$cost is a usage error" 2 p init --state=N --cost-304="$cost"
done
like "a cost of a 304 that is none is told what one is" "$err" "the cost of a 304 is a share of a fetch above 0 and at most 1, such as 0\\.1, or one for a media type"
for budget in 2GB 2XB/day GB/day 2GB/year; do
	code "init --budget=$budget is a usage error" 2 p init --state=N --budget=$budget
done

# Why there is no room, though not all was used.
p init --state=R --budget=240/day
seq -f http://h%g.example/ 1 600 | p add --state=R --now=2026-01-01 2> /dev/null
due() { p due --state=R --limit=1000 "$@" 2> /dev/null | wc -l; }
due --now=2026-01-01 > /dev/null
same "who comes after days is given a day's budget" "$(due --now=2026-01-05)" 240
like "stats does not speak of later days where nothing is left" "$(p stats --state=R --now=2026-01-05T00:00:01Z)" "^room        none until 2026-01-0[56]T[0-9:]*Z, in [0-9a-z]*$"
like "stats tells why there is no more room for what is left" "$(p stats --state=R --now=2026-01-05T12:00:00Z)" \
	"^room        4 now; with that a day has had as much as it may, and the rest of what is left is made up for on later ones$"

. "$SRCDIR/tests/server.sh"
mv S store
ok "serve starts with a budget in visits" start_server --now=2026-01-04
post '/v1/tune?budget=2GB/day&cost_304=0.05&apply=yes'
same "a budget in bytes is set over HTTP" "$status $(member budget_per_day) $(member unit)" '200 2000000000.0 "bytes"'
get /v1/stats
same "GET /v1/stats tells the budget in bytes" "$(member budget_per_day) $(member unit) $(member cost_304)" '2000000000.0 "bytes" "0.05"'
post '/v1/observe?url=http://m.example/&time=2026-01-03' -H 'Content-Type: text/plain' --data-binary 'Boats to the islands.'
post '/v1/observe?url=http://m.example/&time=2026-01-03T06:00&status=304'
post '/v1/observe?url=http://m.example/&time=2026-01-03T12:00' -H 'Content-Type: text/plain' --data-binary 'Boats to the islands.'
post '/v1/observe?url=http://m.example/e&time=2026-01-03T13:00&status=404' --data-binary 'Nothing here.'
post '/v1/observe?url=http://m.example/e&time=2026-01-03T14:00&status=500&bytes=1000'
same "the bytes of a failure may be told over HTTP" "$status" 200
post '/v1/observe?url=http://m.example/e&time=2026-01-03T15:00&status=500&bytes=x'
same "a length that is none is refused over HTTP" "$status" 400
get /metrics
same "the metrics tell answers of 304 apart from the same bytes, and the bytes of bodies" \
	"$(sed -n 's/^perennial_not_modified_total //p; s/^perennial_answer_bytes_total //p; s/^perennial_observations_total{outcome="same"} //p' <<< "$body" | paste -sd ' ')" "2 1 1055"
same "the metrics tell a budget in bytes apart from one in visits" "$(sed -n 's/^perennial_budget_bytes_per_day //p; s/^perennial_budget_per_day //p' <<< "$body" | sort -n | paste -sd ' ')" "0 2000000000"
get /
like "the person's page shows a budget in bytes" "$body" "budget a day</dt><dd>2 GB</dd>"
post '/v1/tune?budget=2GB/day&cost_304=7'
same "a cost of a 304 above a fetch is refused over HTTP" "$status" 400
post '/v1/tune?budget=2GB/day&cost_304='
same "an empty cost of a 304 is refused over HTTP" "$status" 400
stop_server
done_testing
