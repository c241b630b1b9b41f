#!/usr/bin/env bash
# perennial serve: every route through curl, what it refuses, and how it starts, reloads and stops.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"

code "without a store it does not start" 2 "$PERENNIAL" serve
like "and says what is missing" "$err" "--state=DIR"
code "an address that is none is refused" 3 "$PERENNIAL" serve --state="$tmp/store" --listen=nowhere
like "and the forms are told" "$err" "'nowhere' is not an address: write 127.0.0.1:7390"
code "others than this machine are let in with a token only" 3 "$PERENNIAL" serve --state="$tmp/store" --listen=0.0.0.0:0
like "and that is told" "$err" "give a token with --token-file"

now=2026-05-10T12:00:00Z
printf 'min-interval = 1h\nlease = 5m\n' > "$tmp/conf"
ok "it starts" start_server --now=$now --config="$tmp/conf"
like "and makes the store that was not there" "$(cat "$log")" "made the store"
code "a second one is refused while it runs" 3 "$PERENNIAL" serve --state="$tmp/store" --listen=127.0.0.1:0 --lock-wait=0s
like "by the pid that holds the store" "$err" "$server_pid"

get /healthz
same "it is alive" "$status $body" "200 ok"
get /readyz
same "and ready" "$status $body" "200 ready"

get '/?url='
same "a form that was sent empty asks for no page" "$status $(grep -c 'class="warning' <<<"$body")" "200 0"
same "where nothing happened yet, the person's page says so" "$(grep -c 'Nothing yet' <<<"$body")" 2

# Pages in.
post /v1/pages --data-binary $'http://a.example/ 2\nhttp://b.example/x\nftp://c.example/\nhttp://a.example/ heavy\n'
same "URLs are added" "$status" 200
same "a line each" "$(grep -c outcome <<<"$body")" 2
same "as written" "$(sed -n 1p <<<"$body")" '{"url":"http://a.example/","outcome":"added"}'
like "and what is none is told with its line" "$(sed -n 3p <<<"$body")" '"error":"line 3: .ftp://c.example/. is no'
like "also a weight that is none" "$(sed -n 4p <<<"$body")" '"error":"line 4: .*weight'
post /v1/pages -H 'Content-Type: application/x-ndjson' --data-binary '{"url":"http://b.example/x","weight":3}'
same "a page that is known stays" "$body" '{"url":"http://b.example/x","outcome":"known"}'

# Due, and leases.
post '/v1/due?limit=1'
same "what is due is handed out" "$status $(grep -c . <<<"$body")" "200 1"
same "new pages are" "$(member reason)" '"new"'
first=$(member url)
like "on lease for the time of the config" "$(member lease_until)" '"2026-05-10T12:0[56]:'
post '/v1/due?lease=0s'
same "to nobody else" "$(grep -cF "$first" <<<"$body") $(grep -c . <<<"$body")" "0 1"
post '/v1/due?lease=0'
same "to look takes no lease" "$(grep -c . <<<"$body")" 1
post '/v1/due?limit=0&lease=1d'
same "a lease may be a day" "$status" 200
post '/v1/due?lease=86401s'
same "a lease of more than a day is refused, with what it takes" "$status $body" \
	"400 {\"error\":\"the parameter 'lease' takes a duration such as 90s, 10m or 2h, at most 1d, not '86401s'\"}"
get '/v1/due?limit=500&lease=1d'
same "what is due is never handed out to a GET, which is told what to do" "$status $body" \
	'405 {"error":"this path answers POST, not GET, which never changes anything: send the same as POST"}'
like "the methods that hand it out are in Allow" "$(curl -s -D - -o "$tmp/.body" "$server/v1/due")" '^Allow: POST'
ask -I "$server/v1/due"
same "what is due is never handed out to a HEAD" "$status" 405
post '/v1/due?lease=0s'
same "neither GET nor HEAD has taken a lease" "$(grep -c . <<<"$body")" 1

# Observations.
page() { printf '<h1>Harbour</h1><p>Boats to the islands leave the old pier at nine and at noon, and come back before dark. %s</p>' "$1"; }
observe() { post "/v1/observe?url=$1" -H 'Content-Type: text/html' --data-binary "$(page "$2")" "${@:3}"; }
observe 'http://a.example/&time=2026-05-01T00:00:00Z' 'Fog this morning on the whole bay.'
same "a page is observed" "$status $(member outcome)" '200 "observed"'
same "the decision is for it" "$(member url)" '"http://a.example/"'
like "and says when" "$(member next_time)" '"2026-05-0'
observe 'http://a.example/&time=2026-05-01T00:00:00Z' 'Fog this morning on the whole bay.'
same "the same again changes nothing" "$(member outcome)" '"duplicate"'
observe 'http://a.example/&time=2026-05-02T00:00:00Z' 'Fog this morning on the whole bay.'
same "the same bytes later are the same" "$(member outcome)" '"same"'
observe 'http://a.example/&time=1777766400' 'Sun this morning on the whole bay.'
same "time may be Unix seconds" "$(member outcome) $(member time)" '"observed" "2026-05-03T00:00:00Z"'
post '/v1/observe?url=http://a.example/&time=2026-05-04T00:00:00Z&status=304'
same "304 is the same" "$(member outcome)" '"same"'
post '/v1/observe?url=http://a.example/&status=503&retry_after=600'
same "503 with Retry-After delays the host" "$(member outcome)" '"host-delayed"'
post '/v1/observe?url=http://old.example/&status=301&location=http://new.example/'
same "a redirect is one" "$(member outcome)" '"redirect"'
get '/v1/page?url=http://new.example/'
same "its target is a page" "$status $(member status)" '200 "new"'
for i in 1 2 3 4 5 6; do post "/v1/observe?url=http://c$i.example/&status=302&location=http://c$((i + 1)).example/"; done
same "a chain of redirects ends, and the decision says that its target was refused" "$(member target_refused)" true
get /metrics
like "which is measured" "$body" '^perennial_targets_refused_total 1$'
post '/v1/observe?url=http://old.example/&status=301'
same "one without a location is refused" "$status" 400
post '/v1/observe?url=nonsense'
same "a URL that is none is refused" "$status" 400
like "and named" "$body" "nonsense"
post '/v1/observe?url=http://a.example/&time=yesterday'
same "a time that is none is refused" "$status" 400
post '/v1/observe'
same "without a URL nothing is observed" "$status" 400
observe 'http://a.example/&time=2036-05-01T00:00:00Z' 'x'
same "nor from the future" "$(member outcome)" '"future"'

# Batches.
cat > "$tmp/lines" <<'JSON'
{"url":"http://n.example/1","time":"2026-05-05T00:00:00Z","content_type":"text/plain","body":"one two three four five six"}
{"url":"http://n.example/2","time":"2026-05-05T00:00:00Z","status":404}
nonsense
{"url":"http://n.example/3","time":"2026-05-05T00:00:00Z","path":"/etc/passwd"}
{"url":"http://n.example/1","time":"2026-05-06T00:00:00Z","content_type":"text/plain","body":"one two three four five six"}
JSON
post /v1/observe -H 'Content-Type: application/x-ndjson' --data-binary @"$tmp/lines"
same "lines of JSON are observed" "$status $(grep -c '"outcome"' <<<"$body")" "200 3"
same "in their order" "$(grep -o '"outcome":"[a-z]*"' <<<"$body" | cut -d '"' -f 4 | paste -sd ' ')" "observed gone same"
like "what is no JSON is told" "$body" '"error":"line 3: '
like "and no file of ours is read" "$body" '"error":"line 4: .*path.* is not read here'
same "nothing else is" "$(grep -c root: <<<"$body")" 0
"$PERENNIAL" synth --seed=1 --pages=20 --captures=30 --warc="$tmp/crawl.warc.gz"
post /v1/observe -H 'Content-Type: application/warc' --data-binary @"$tmp/crawl.warc.gz"
same "a WARC file is observed" "$status $(grep -c '"outcome":' <<<"$body")" "200 600"
post /v1/observe -H 'Content-Type: application/warc' --data-binary @"$tmp/crawl.warc.gz"
same "a second time it changes nothing" "$(grep -Ec '"outcome":"(duplicate|past)"' <<<"$body")" 600
head -c 3000 "$tmp/crawl.warc.gz" > "$tmp/part.warc.gz"
post /v1/observe -H 'Content-Type: application/warc' --data-binary @"$tmp/part.warc.gz"
like "of a part what is good is taken, and the cut is told" "$status $(tail -n 1 <<<"$body")" '^200 .*"error":'
post /v1/observe -H 'Content-Type: application/warc' --data-binary 'no WARC at all'
same "what is no WARC is refused" "$status" 400
same "without a path of ours" "$(grep -c /proc <<<"$body")" 0

# Explain, tune, forget.
get '/v1/page?url=http://a.example/'
same "a page is explained" "$status $(member status) $(member visits)" '200 "live" 4'
same "with its weight" "$(member weight)" 2.0
get '/v1/page?url=http://unknown.example/'
same "one that is not known is not found" "$status" 404
get /v1/page
same "without a URL there is none" "$status" 400
post '/v1/tune?budget=50'
same "a budget has a threshold" "$status $(member applied)" "200 false"
before=$(member threshold_before)
post '/v1/tune?budget=5&apply=yes'
same "which is applied if told" "$status $(member applied)" "200 true"
applied=$(member threshold)
post '/v1/tune?budget=5'
same "and stays" "$(member threshold_before)" "$applied"
ok "another one than before" test "$before" != "$applied"
post /v1/tune
same "without a budget there is none" "$status" 400
ask -X DELETE "$server/v1/pages?url=http://b.example/x"
same "a page is forgotten" "$status $body" '200 {"forgotten":1}'
ask -X DELETE "$server/v1/pages?host=n.example"
same "and those of a host" "$body" '{"forgotten":2}'
ask -X DELETE "$server/v1/pages"
same "never all" "$status" 400
ask -X DELETE "$server/v1/pages?prefix="
same "not by an empty prefix either" "$status" 400

# A long answer.
printf -v long '%0200d' 0
seq 1500 | sed "s|.*|http://l.example/&/$long|" > "$tmp/many"
post /v1/pages --data-binary @"$tmp/many"
post '/v1/due?limit=10000&lease=0'
same "a long answer, which goes through a file, is whole" "$status $(grep -c '"url":"http://l.example/[0-9]*/0*",.*}$' <<<"$body")" "200 1500"
ask -X DELETE "$server/v1/pages?host=l.example"
same "and those pages are gone again" "$body" '{"forgotten":1500}'

# Metrics.
get /metrics
same "metrics" "$status" 200
like "count observations by outcome" "$body" '^perennial_observations_total\{outcome="same"\} [1-9]'
like "and what is due" "$body" '^perennial_due_pages [0-9]+$'
like "and commits" "$body" '^perennial_commit_seconds_count [1-9]'
like "and have the threshold" "$body" "^perennial_threshold ${applied:0:8}"
bad=$(grep -v '^#' <<<"$body" | grep -Ev '^[a-z_]+(\{[a-z]+="[^"]*"(,le="[^"]*")?\}|\{le="[^"]*"\})? [-0-9.e+]+$')
same "in a form that Prometheus reads" "$bad" ""
same "each family with its help and type" "$(grep -c '^# HELP' <<<"$body")" "$(grep -c '^# TYPE' <<<"$body")"
for metric in $(grep -o 'perennial_[a-z_]*' "$SRCDIR/tools/grafana/perennial.json" | sort -u); do
	ok "the dashboard's $metric exists" grep -q "^$metric[ {]" <<<"$body"
done
for label in $(grep -o 'by ([a-z, ]*)' "$SRCDIR/tools/grafana/perennial.json" | tr -d '(),' | tr ' ' '\n' | sort -u | grep -v '^by$'); do
	ok "and so does its label $label" grep -q "[{,]$label=\"" <<<"$body"
done

# A person.
get '/?url=http://a.example/'
same "there is a page for a person" "$status" 200
like "which forbids scripts" "$(curl -sI "$server/")" "Content-Security-Policy: default-src 'none'"
like "and says why the next visit is when it is" "$body" '<p class="reason">(Due|Next visit)'
get '/?url=%3Cscript%3Ealert(1)%3C/script%3E'
same "what is typed is text" "$status $(grep -c '<script' <<<"$body")" "200 0"

# Limits and strangers.
post /v1/due -H 'Origin: http://evil.example'
same "pages of strangers may not ask" "$status" 403
post /v1/due -H 'Host: evil.example'
same "nor names of strangers" "$status" 403
post '/v1/due?limit=many'
same "a limit is a number" "$status" 400
post '/v1/due?limits=3'
same "an unknown parameter is refused" "$status" 400
like "and named" "$body" "limits"
stop_server
same "told to stop it ends well" "$stopped" 0
like "and says so" "$(tail -n 1 "$log")" "stopped answered=[1-9]"

# A queue for one, and forty who report at a time: each is answered, or told to come later.
ok "it starts with little room" start_server --now=$now --queue=1
seq 200 | sed "s|.*|$server/v1/observe?url=http://q.example/&|" |
	xargs -P 40 -n 1 curl -s -o /dev/null -w '%{http_code}\n' -X POST --data-binary hello > "$tmp/statuses"
same "each is answered, or told to come later" "$(grep -Ec '^(200|429)$' "$tmp/statuses")" 200
ok "some are answered" grep -q 200 "$tmp/statuses"
get /metrics
same "as many are there as were answered" "$(sed -n 's/^perennial_observations_total{outcome="observed"} //p' <<<"$body")" \
	"$(grep -c 200 "$tmp/statuses")"

# Told to stop in the middle of a large batch, it does: what is done is told and durable, and the rest may be sent again.
"$PERENNIAL" synth --seed=4 --pages=100 --captures=60 --warc="$tmp/large.warc.gz"
curl -s -m 30 -o "$tmp/answer" -w '%{http_code}' -H 'Content-Type: application/warc' --data-binary @"$tmp/large.warc.gz" \
	"$server/v1/observe" > "$tmp/status" & sent=$!
for ((i = 0; i < 100; i++)); do curl -s "$server/metrics" | grep -q '^perennial_batches 1' && break; done
stop_server
same "in the middle of a batch it stops well" "$stopped" 0
wait "$sent"
like "and the batch is answered, whole or in part" "$(cat "$tmp/status") $(head -c 200 "$tmp/answer")" '^200|^503 .*done and durable, send it again'

# Again, with other options: what was told is still there.
printf '0123456789abcdef0123456789abcdef\n' > "$tmp/token" && chmod 600 "$tmp/token"
ok "it starts again" start_server --now=$now --token-file="$tmp/token" --max-body=1000 --log=json --log-level=debug --config="$tmp/conf"
get '/v1/page?url=http://a.example/'
same "without the token nobody is let in" "$status" 401
get /healthz
same "but its health is open" "$status" 200
token=(-H "Authorization: Bearer $(cat "$tmp/token")")
get '/v1/page?url=http://a.example/' "${token[@]}"
same "with it all is as before" "$status $(member visits)" "200 4"
get '/v1/page?url=http://a.example/' -u "perennial:$(cat "$tmp/token")"
same "a browser sends it as password" "$status" 200
head -c 1001 /dev/zero > "$tmp/zeros"
post '/v1/observe?url=http://a.example/' "${token[@]}" --data-binary @"$tmp/zeros"
same "a page beyond --max-body is refused" "$status" 413
printf 'min-interval = 3h\nlease = 7m\n' > "$tmp/conf"
kill -HUP "$server_pid"
for ((i = 0; i < 50; i++)); do grep -q '"message":"reloaded"' "$log" && break; sleep 0.1; done
like "a hang-up reads the config again" "$(cat "$log")" '"message":"reloaded"'
get '/v1/page?url=http://a.example/' "${token[@]}"
same "the new intervals hold" "$(member min_s)" 10800.0
printf 'min-intervall = 3h\n' > "$tmp/conf"
kill -HUP "$server_pid"
for ((i = 0; i < 50; i++)); do grep -q 'not reloaded' "$log" && break; sleep 0.1; done
like "a wrong config is told by its line" "$(cat "$log")" "conf, line 1: .*min-intervall"
get '/v1/page?url=http://a.example/' "${token[@]}"
same "and what held before holds on" "$(member min_s)" 10800.0
printf 'lease = 2d\n' > "$tmp/conf"
kill -HUP "$server_pid"
for ((i = 0; i < 50; i++)); do grep -q 'lease takes' "$log" && break; sleep 0.1; done
like "a config with a lease of more than a day is told by its line" "$(cat "$log")" "conf, line 1: lease takes a duration of at most 1d"
same "every line of the log is JSON" "$(grep -c '^{"time":"[-0-9T:Z]*","level":"[a-z]*","message":".*}$' "$log")" "$(wc -l < "$log")"
stop_server
same "it stops" "$stopped" 0
done_testing
