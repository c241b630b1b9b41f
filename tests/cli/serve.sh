#!/usr/bin/env bash
# perennial serve: every route through curl, what it refuses, and how it starts, reloads and stops.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"

code "serve does not start without a store" 2 "$PERENNIAL" serve
like "serve without a store says what is missing" "$err" "--state=DIR"
code "serve refuses an address that is none" 2 "$PERENNIAL" serve --state="$tmp/store" --listen=nowhere
like "the error for an address that is none tells the forms of addresses" "$err" "'nowhere' is not an address: write 127.0.0.1:7390"
code "serve refuses an address with a port that is none" 2 "$PERENNIAL" serve --state="$tmp/store" --listen=127.0.0.1:99999
code "serve listens to others than this machine with a token only" 2 "$PERENNIAL" serve --state="$tmp/store" --listen=0.0.0.0:0 --no-token
like "the error for an open address without a token asks for one" "$err" "it needs a token, and is not served with --no-token"
"$PERENNIAL" init --state="$tmp/spoolless"
code "serve does not start where uploads cannot wait" 3 "$PERENNIAL" serve --state="$tmp/spoolless" --listen=127.0.0.1:0 --spool="$tmp/none"
like "a folder for uploads that is not there is told with its option" "$err" "--spool: $tmp/none: cannot make a temporary file there: No such file"
code "serve takes a token or none, not both" 2 "$PERENNIAL" serve --state="$tmp/store" --no-token --token-file=x

code "serve makes no store unless it is told to" 3 "$PERENNIAL" serve --state="$tmp/store" --listen=127.0.0.1:0
like "serve of a store that is not there is told how to make one" "$err" "/store: there is no store: make it with 'perennial init --state=DIR', or add --create$"

now=2026-05-10T12:00:00Z
printf 'min-interval = 1h\nlease = 5m\n' > "$tmp/conf"
ok "serve starts" start_server --now=$now --config="$tmp/conf" --host-limit=0 --host-delay=0s
like "serve --create makes the store that was not there" "$(cat "$log")" "made the store"
code "a second server is refused while the first holds the store" 3 "$PERENNIAL" serve --state="$tmp/store" --listen=127.0.0.1:0 --lock-wait=0s
like "a second server is told the pid that holds the store" "$err" "$server_pid"

get /healthz
same "/healthz says that serve is alive" "$status $body" "200 ok"
get /readyz
same "/readyz says that serve is ready" "$status $body" "200 ready"

ask --request-target "http://localhost/readyz" "$server"
same "a request that names its whole URL is answered as its path" "$status $body" "200 ready"
ask --request-target "HTTPS://localhost" "$server"
same "a URL without a path names the person's page" "$status $(grep -c '<title>perennial' <<<"$body")" "200 1"
get '/?url='
same "a form that was sent empty asks for no page" "$status $(grep -c 'class="warning' <<<"$body")" "200 0"
same "where nothing happened yet, the person's page says so" "$(grep -c 'Nothing yet' <<<"$body")" 2

# Pages in.
post /v1/pages --data-binary $'http://a.example/ 2\nhttp://b.example/x\nftp://c.example/\nhttp://a.example/ heavy\n'
same "POST /v1/pages adds URLs" "$status" 200
same "each URL that was added has a line with its outcome" "$(grep -c outcome <<<"$body")" 2
same "a URL that was added is told as it was written" "$(sed -n 1p <<<"$body")" '{"url":"http://a.example/","outcome":"added"}'
like "a line of pages that is no URL is told with its number" "$(sed -n 3p <<<"$body")" '"error":"line 3: ftp://c.example/: this is not an http or https URL"'
like "a weight that is none is told with the number of its line" "$(sed -n 4p <<<"$body")" '"error":"line 4: .*weight'
printf 'http://a.example/zero\0byte\n' > "$tmp/zero"
post /v1/pages --data-binary @"$tmp/zero"
same "a URL with a zero byte is not taken for what stands before that" "$status $body" '200 {"error":"line 1: a zero byte in the URL"}'
post /v1/pages --data-binary 'example.com/x'
like "a page without the scheme of its URL is told what it may be meant for" "$body" "line 1: example.com/x: this is not an http or https URL; did you mean http://example.com/x\\?"
long=http://a.example/$(head -c 8192 /dev/zero | tr '\0' x)
post /v1/pages --data-binary "$long"
like "a page whose URL is too long is told as that" "$body" '"error":"line 1: http://a.example/x*: it is longer than 8192 bytes, the most that a URL may have"'
post "/v1/observe?url=$long" --data-binary x
like "who reports a page whose URL is too long is told how long it may be" "$status $body" "^400 .*'url' takes an http or https URL of at most 8192 bytes, not 'http://a.example/x"
post /v1/observe --data-binary 'WARC/1.0'
like "an upload that is neither a page nor a batch is told what either needs" "$status $body" "^400 .*'url' is missing.* Content-Type: application/warc"
post /v1/pages -H 'Content-Type: application/x-ndjson' --data-binary '{"url":"http://b.example/x","weight":3}'
same "a page that is added again is told as known" "$body" '{"url":"http://b.example/x","outcome":"known"}'

# What reports tell of hosts.
post '/v1/observe?url=http://slow.example/&time=2026-05-10T11:00:00Z&crawl_delay=90&address=192.0.2.9' -H 'Content-Type: text/plain' --data-binary 'slow'
same "a report may tell of its host" "$status $(member outcome)" '200 "observed"'
for delay in 0.5 10.0 86401; do
	post "/v1/observe?url=http://slow.example/&time=2026-05-10T11:00:01Z&crawl_delay=$delay" -H 'Content-Type: text/plain' --data-binary x
	same "a crawl delay over HTTP may be any number: $delay" "$status" 200
done
for delay in -1 ten inf ''; do
	post "/v1/observe?url=http://slow.example/&crawl_delay=$delay" --data-binary x
	same "a crawl delay over HTTP is a number from 0: '$delay' is refused" "$status" 400
done
ask -X DELETE "$server/v1/pages?url=http://slow.example/"

# Due, and leases.
post '/v1/due?limit=1'
same "POST /v1/due hands out as many pages as its limit" "$status $(grep -c . <<<"$body")" "200 1"
same "a new page is handed out for being new" "$(member reason)" '"new"'
first=$(member url)
like "a page is handed out on lease for the time of the config" "$(member lease_until)" '"2026-05-10T12:0[56]:'
post '/v1/due?lease=0s'
same "a page that is on lease is handed out to nobody else" "$(grep -cF "$first" <<<"$body") $(grep -c url <<<"$body")" "0 1"
like "a list that is shorter than it might be ends with when there may be more" "$(tail -n 1 <<<"$body")" '^\{"next_time":null\}$|^\{"next_time":"2026'

post '/v1/due?lease=0'
same "who looks at what is due takes no lease" "$(grep -c url <<<"$body")" 1
get /metrics
same "the metrics count what was handed out on lease, not what was looked at" "$(sed -n 's/^perennial_due_given_total //p' <<<"$body")" 1
post '/v1/due?limit=0&lease=1d'
same "a lease may be a day" "$status" 200
post '/v1/due?lease=86401s'
same "a lease of more than a day is refused, with what it takes" "$status $body" \
	"400 {\"error\":\"the parameter 'lease' takes a duration such as 90s, 10m or 2h, at most 1d, not '86401s'\"}"
get '/v1/due?limit=500&lease=1d'
same "what is due is never handed out to a GET, which is told what to do" "$status $body" \
	'405 {"error":"this path answers POST, not GET, which never changes anything: send the same as POST"}'
like "the methods that hand it out are in Allow" "$(curl -s -H @"$auth" -D - -o "$tmp/.body" "$server/v1/due")" '^Allow: POST'
ask -I "$server/v1/due"
same "what is due is never handed out to a HEAD" "$status" 405
post '/v1/due?lease=0s'
same "neither GET nor HEAD has taken a lease" "$(grep -c url <<<"$body")" 1

# Leases given back.
post /v1/release --data-binary "${first//\"/}"$'\nhttp://b.example/x\nhttp://nowhere.example/\nftp://x.example/\n'
same "each URL whose lease is given back has a line that says whether it was on lease" "$status $(grep -c released <<<"$body") $(grep -c not-leased <<<"$body")" "200 1 2"
like "a line that gives back what is no URL is told with its number" "$(sed -n 4p <<<"$body")" '"error":"line 4: ftp://x.example/: this is not an http or https URL"'
post '/v1/due?limit=1'
same "a page that was given back is handed out again" "$(member url)" "$first"
post /v1/release --data-binary "$body"
same "what /v1/due answered may be sent back as it is" "$status $(member outcome)" '200 "released"'
post '/v1/due?limit=1'
post '/v1/release?url='"$(member url | tr -d '"')"
same "a page is given back by its URL" "$status $body" '200 {"released":1}'
post '/v1/due?limit=2'
post '/v1/release?host=a.example'
same "the leases of a host are given back" "$body" '{"released":1}'
post '/v1/release?all=yes'
same "all leases are given back" "$body" '{"released":1}'
post '/v1/release?prefix=example,b'
same "what was given back is on lease no more" "$body" '{"released":0}'
post /v1/release
same "to give back nothing in particular is refused" "$status" 400
post '/v1/release?all=yes&host=a.example'
same "to give back all and a host is refused" "$status" 400
get '/v1/release?all=yes'
same "no lease is given back to a GET" "$status" 405
long=http://a.example/$(head -c 9000 /dev/zero | tr '\0' p)
post "/v1/release?url=$long"
same "to give back a URL that is longer than any is refused" "$status" 400
ask -X DELETE "$server/v1/pages?url=$long"
same "to forget a URL that is longer than any is refused" "$status" 400
ask -X DELETE "$server/v1/pages?url=gopher://a.example/"
same "to forget what is no http URL is refused" "$status" 400
post '/v1/due?limit=1'

# Observations.
page() { printf '<h1>Harbour</h1><p>Boats to the islands leave the old pier at nine and at noon, and come back before dark. %s</p>' "$1"; }
observe() { post "/v1/observe?url=$1" -H 'Content-Type: text/html' --data-binary "$(page "$2")" "${@:3}"; }
observe 'http://a.example/&time=2026-05-01T00:00:00Z' 'Fog this morning on the whole bay.'
same "a page's body is observed" "$status $(member outcome)" '200 "observed"'
same "the decision of an observation is for its page" "$(member url)" '"http://a.example/"'
like "the decision of an observation says when the page is next due" "$(member next_time)" '"2026-05-0'
observe 'http://a.example/&time=2026-05-01T00:00:00Z' 'Fog this morning on the whole bay.'
same "the same observation again changes nothing" "$(member outcome)" '"duplicate"'
observe 'http://a.example/&time=2026-05-02T00:00:00Z' 'Fog this morning on the whole bay.'
same "the same bytes at a later time are the same" "$(member outcome)" '"same"'
observe 'http://a.example/&time=1777766400' 'Sun this morning on the whole bay.'
same "the time of an observation may be Unix seconds" "$(member outcome) $(member time)" '"observed" "2026-05-03T00:00:00Z"'
for type in 'as curl sends it' 'Content-Type:' 'content-type: application/x-www-form-urlencoded; charset=UTF-8' 'Content-Type: text/html'; do
	given=() && [[ $type != *:* ]] || given=(-H "$type")
	for i in 1 2; do
		post "/v1/observe?url=http://a.example/untyped$((${#type}))&time=2026-05-0$i" "${given[@]}" --data-binary "<!doctype html>$(page 'Fog.')<!-- $i -->"
	done
	same "a page that comes '$type' is read as HTML: another comment is no change" "$(member outcome) $(member divergence)" '"observed" 0.0'
	ask -X DELETE "$server/v1/pages?url=http://a.example/untyped$((${#type}))"
done
post '/v1/observe?url=http://a.example/&status=304&time=20260503120000'
same "the time of an observation may be fourteen digits, as archives write it" "$(member outcome) $(member time)" '"same" "2026-05-03T12:00:00Z"'
post '/v1/observe?url=http://a.example/&status=304&weight=1e300'
same "a weight beyond a billion is refused" "$status" 400
post '/v1/observe?url=http://a.example/&status=304&weight=0'
same "a weight of 0 is refused, with what it takes" "$status $body" "400 {\"error\":\"the parameter 'weight' takes a number above 0, at most 1e9, not '0'\"}"
post '/v1/observe?url=http://a.example/&time=2026-05-04T00:00:00Z&status=304'
same "a page that answers 304 is the same" "$(member outcome)" '"same"'
post '/v1/observe?url=http://a.example/&status=503&retry_after=600'
same "503 with Retry-After delays the host" "$(member outcome)" '"host-delayed"'
post '/v1/observe?url=http://headers.example/&status=503&retry_after=soon&last_modified=yesterday'
same "headers of a site that make no sense lose no report" "$status $(member outcome)" '200 "error"'
post '/v1/observe?url=http://old.example/&status=301&location=http://new.example/'
same "a redirect is observed as one" "$(member outcome)" '"redirect"'
get '/v1/page?url=http://new.example/'
same "the target of a redirect is a new page" "$status $(member status)" '200 "new"'
post '/v1/observe?url=http://mirror.example/x&answers=http://asked.example/%7Ex&status=301&location=y'
same "a report that answers another URL is one of that page" "$(member url) $(member outcome)" '"http://asked.example/~x" "redirect"'
get '/v1/page?url=http://mirror.example/y'
same "the location of a report that answers another URL is relative to the one asked for" "$status $(member status)" '200 "new"'
get '/v1/page?url=http://mirror.example/x'
same "the URL that was asked for in the place of another is no page" "$status" 404
post '/v1/observe?url=http://mirror.example/x&answers=nonsense'
like "a URL that is answered and is none is refused" "$status $body" "^400 .*'answers'.*"
for i in 1 2 3 4 5 6; do post "/v1/observe?url=http://c$i.example/&status=302&location=http://c$((i + 1)).example/"; done
same "a chain of redirects ends, and the decision says that its target was refused" "$(member target_refused)" true
get /metrics
like "the metrics count targets that were refused" "$body" '^perennial_targets_refused_total 1$'
post '/v1/observe?url=http://old.example/&status=301'
same "a redirect without a location is refused" "$status" 400
post '/v1/observe?url=nonsense'
same "a URL that is none is refused" "$status" 400
like "a URL that is none is named" "$body" "nonsense"
post '/v1/observe?url=http://a.example/&time=yesterday'
same "a time that is none is refused" "$status" 400
post '/v1/observe'
same "an observation without a URL is refused" "$status" 400
observe 'http://a.example/&time=2036-05-01T00:00:00Z' 'x'
same "an observation from the future has that outcome" "$(member outcome)" '"future"'

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
same "lines of JSON are answered in their order" "$(grep -o '"outcome":"[a-z]*"' <<<"$body" | cut -d '"' -f 4 | paste -sd ' ')" "observed gone same"
like "a line that is no JSON is told with its number" "$body" '"error":"line 3: '
like "a line that names a file of the server is refused" "$body" '"error":"line 4: .*path.* is not read here'
same "nothing of a file of the server is in the answer" "$(grep -c root: <<<"$body")" 0
"$PERENNIAL" synth --seed=1 --pages=20 --captures=30 --warc="$tmp/crawl.warc.gz"
post /v1/observe -H 'Content-Type: application/warc' --data-binary @"$tmp/crawl.warc.gz"
same "a WARC file is observed" "$status $(grep -c '"outcome":' <<<"$body")" "200 600"
post /v1/observe -H 'Content-Type: application/warc' --data-binary @"$tmp/crawl.warc.gz"
same "a WARC file that is observed a second time changes nothing" "$(grep -Ec '"outcome":"(duplicate|past)"' <<<"$body")" 600
head -c 3000 "$tmp/crawl.warc.gz" > "$tmp/part.warc.gz"
post /v1/observe -H 'Content-Type: application/warc' --data-binary @"$tmp/part.warc.gz"
like "a WARC file that was cut off is taken as far as it goes, and the cut is told" "$status $(tail -n 1 <<<"$body")" '^200 .*"error":'
post /v1/observe -H 'Content-Type: application/warc' --data-binary 'no WARC at all'
same "a body that is no WARC is refused" "$status" 400
same "the answer to a body that is no WARC has no path of the server" "$(grep -c /proc <<<"$body")" 0

# Explain, tune, forget.
get '/v1/page?url=http://a.example/'
same "a page is explained with its status and visits" "$status $(member status) $(member visits)" '200 "live" 5'
same "a page is explained with its weight" "$(member weight)" 2.0
get '/v1/page?url=http://unknown.example/'
same "a page that is not known is not found" "$status" 404
get /v1/page
same "a page without a URL is not explained" "$status" 400
post '/v1/tune?budget=50&apply=yesterday'
same "a word that only begins like yes is refused" "$status $body" "400 {\"error\":\"the parameter 'apply' takes yes or no, not 'yesterday'\"}"
post '/v1/tune?budget=50'
same "a threshold that was found for a budget is not applied unasked" "$status $(member applied)" "200 false"
before=$(member threshold_before)
post '/v1/tune?budget=5&apply=yes'
same "a threshold that was found for a budget is applied if told" "$status $(member applied)" "200 true"
applied=$(member threshold)
post '/v1/tune?budget=5'
same "a threshold that was applied stays" "$(member threshold_before)" "$applied"
ok "the threshold that was applied is another one than before" test "$before" != "$applied"
post /v1/tune
same "without a budget no threshold is found" "$status" 400
ask -X DELETE "$server/v1/pages?url=http://b.example/x"
same "a page is forgotten by its URL" "$status $body" '200 {"forgotten":1}'
ask -X DELETE "$server/v1/pages?host=n.example"
same "who does not say how many pages of a host are to be forgotten is told" "$status $body" \
	'409 {"error":"that would forget 2 pages: send it with count=2 if it is to","pages":2}'
ask -X DELETE "$server/v1/pages?host=n.example&count=3"
same "who says another number of pages than there are forgets none" "$status $(member pages)" "409 2"
ask -X DELETE "$server/v1/pages?prefix=example,n&count=many"
same "a number of pages to forget that is none is refused" "$status" 400
ask -X DELETE "$server/v1/pages?prefix=example,n&count=2"
same "the pages under a prefix are forgotten by who knows how many they are" "$status $body" '200 {"forgotten":2}'
ask -X DELETE "$server/v1/pages"
same "DELETE without a choice of pages is refused: it would be all" "$status" 400
ask -X DELETE "$server/v1/pages?prefix="
same "DELETE by an empty prefix is refused: it would be all pages" "$status" 400

# A long answer.
printf -v long '%0200d' 0
seq 1500 | sed "s|.*|http://l.example/&/$long|" > "$tmp/many"
post /v1/pages --data-binary @"$tmp/many"
post '/v1/due?limit=10000&lease=0'
same "a long answer, which goes through a file, is whole" "$status $(grep -c '"url":"http://l.example/[0-9]*/0*",.*}$' <<<"$body")" "200 1500"
ask -X DELETE "$server/v1/pages?host=l.example&count=1500"
same "the pages of a long answer are forgotten with their host" "$body" '{"forgotten":1500}'

# Metrics.
get /metrics
same "/metrics is answered" "$status" 200
like "the metrics count observations by outcome" "$body" '^perennial_observations_total\{outcome="same"\} [1-9]'
like "the metrics have the number of pages that are due" "$body" '^perennial_due_pages [0-9]+$'
like "the metrics count commits" "$body" '^perennial_commit_seconds_count [1-9]'
like "the metrics have the threshold" "$body" "^perennial_threshold ${applied:0:8}"
bad=$(grep -v '^#' <<<"$body" | grep -Ev '^[a-z_]+(\{[a-z]+="[^"]*"(,le="[^"]*")?\}|\{le="[^"]*"\})? ([-0-9.e+]+|NaN)$')
same "every line of the metrics is in a form that Prometheus reads" "$bad" ""
same "each family of metrics has its help and type" "$(grep -c '^# HELP' <<<"$body")" "$(grep -c '^# TYPE' <<<"$body")"
for metric in $(grep -oh 'perennial_[a-z_]*' "$SRCDIR/tools/grafana/perennial.json" "$SRCDIR/tools/prometheus/perennial.rules.yml" | sort -u); do
	ok "the metric $metric of the dashboard or the alert rules exists" grep -q "^$metric[ {]" <<<"$body"
done
for label in $(grep -o 'by ([a-z, ]*)' "$SRCDIR/tools/grafana/perennial.json" | tr -d '(),' | tr ' ' '\n' | sort -u | grep -v '^by$'); do
	ok "the dashboard's label $label exists" grep -q "[{,]$label=\"" <<<"$body"
done

# A person.
get '/?url=http://a.example/'
same "there is a page for a person" "$status" 200
like "the page for a person forbids scripts" "$(curl -sI -H @"$auth" "$server/")" "Content-Security-Policy: default-src 'none'"
like "the page for a person says why the next visit is when it is" "$body" '<p class="reason">(Due|Next visit)'
like "the page for a person can be read by links between lists of pages, each of which names itself" "$body" '<nav aria-label="Lists of pages">'
like "a list of pages leads to the pages in it" "$body" '<a href="/\?list=next&amp;url=http://[^"]*"><bdi>'
get '/?list=visits'
like "the pages that were visited most are listed" "$body" '<h2 id="pages">Pages: Most visited</h2>'
get '/?list=best'
same "a list of pages that there is not is refused" "$status" 400
get '/?url=%3Cscript%3Ealert(1)%3C/script%3E'
same "what is typed into the page for a person stays text" "$status $(grep -c '<script' <<<"$body")" "200 0"

# Limits and strangers.
post /v1/due -H 'Origin: http://evil.example'
same "a page of a stranger's origin may not ask" "$status" 403
post /v1/due -H 'Host: evil.example'
same "a request to a stranger's host name is refused" "$status" 403
post '/v1/due?limit=many'
same "a limit that is no number is refused" "$status" 400
post '/v1/due?limits=3'
same "an unknown parameter is refused" "$status" 400
like "a parameter that is not known is named" "$body" "limits"
stop_server
same "serve that is told to stop ends well" "$stopped" 0
like "serve that stops says so in its log, with how many answers it gave" "$(tail -n 1 "$log")" "stopped answered=[1-9]"

# A queue for one, and forty who report at a time: each is answered, or told to come later.
ok "serve starts with a queue for one" start_server --now=$now --queue=1
curl -Z --parallel-immediate --parallel-max 40 -s -H @"$auth" -o /dev/null -w '%{http_code}\n' -X POST --data-binary hello \
	"$server/v1/observe?url=http://q.example/[1-200]" > "$tmp/statuses" 2>/dev/null
same "each of 200 observations in a queue for one is answered, or told to come later" "$(grep -Ec '^(200|429)$' "$tmp/statuses")" 200
ok "some observations in a queue for one are answered" grep -q 200 "$tmp/statuses"
get /metrics
same "as many observations are counted as were answered in a queue for one" "$(sed -n 's/^perennial_observations_total{outcome="observed"} //p' <<<"$body")" \
	"$(grep -c 200 "$tmp/statuses")"

# Told to stop in the middle of a large batch, it does: what is done is told and durable, and the rest may be sent again.
"$PERENNIAL" synth --seed=4 --pages=100 --captures=60 --warc="$tmp/large.warc.gz"
curl -s -H @"$auth" -m 30 -o "$tmp/answer" -w '%{http_code}' -H 'Content-Type: application/warc' --data-binary @"$tmp/large.warc.gz" \
	"$server/v1/observe" > "$tmp/status" & sent=$!
for ((i = 0; i < 100; i++)); do curl -s -H @"$auth" "$server/metrics" | grep -q '^perennial_batches 1' && break; done
stop_server
same "serve that is told to stop in the middle of a batch ends well" "$stopped" 0
wait "$sent"
like "a batch that a stop cut short is answered, whole or in part" "$(cat "$tmp/status") $(head -c 200 "$tmp/answer")" '^200|^503 .*done and durable, send it again'

# Again, with other options: what was told is still there.
printf '0123456789abcdef0123456789abcdef\n' > "$tmp/token" && chmod 600 "$tmp/token"
ok "serve starts again on the same store with other options" start_server --now=$now --token-file="$tmp/token" --max-body=1000 --log=json --log-level=debug --config="$tmp/conf"
same "the token that is sent is that of --token-file" "$(cat "$auth")" "Authorization: Bearer $(cat "$tmp/token")"
get '/v1/page?url=http://a.example/'
same "a request with the token finds the page as before the restart" "$status $(member visits)" "200 5"
like "in the log as JSON numbers are numbers" "$(grep '"message":"answered"' "$log" | tail -n 1)" '"path":"/v1/page","status":200,"ms":[0-9]+(\.[0-9]+)?\}$'
head -c 1001 /dev/zero > "$tmp/zeros"
post '/v1/observe?url=http://a.example/' --data-binary @"$tmp/zeros"
same "a page beyond --max-body is refused" "$status" 413
printf 'min-interval = 3h\nlease = 7m\n' > "$tmp/conf"
kill -HUP "$server_pid"
for ((i = 0; i < 50; i++)); do grep -q '"message":"reloaded"' "$log" && break; sleep 0.1; done
like "a hang-up reads the config again" "$(cat "$log")" '"message":"reloaded"'
get '/v1/page?url=http://a.example/'
same "after a hang-up the new intervals of the config hold" "$(member min_s)" 10800.0
printf 'min-intervall = 3h\n' > "$tmp/conf"
kill -HUP "$server_pid"
for ((i = 0; i < 50; i++)); do grep -q 'not reloaded' "$log" && break; sleep 0.1; done
like "a wrong key of a config that is read again is told by its line" "$(cat "$log")" "conf, line 1: .*min-intervall"
get '/v1/page?url=http://a.example/'
same "after a wrong config the intervals from before hold on" "$(member min_s)" 10800.0
printf 'lease = 2d\n' > "$tmp/conf"
kill -HUP "$server_pid"
for ((i = 0; i < 50; i++)); do grep -q 'lease takes' "$log" && break; sleep 0.1; done
like "a config with a lease of more than a day is told by its line" "$(cat "$log")" "conf, line 1: lease takes a duration of at most 1d"
same "every line of the log is JSON" "$(grep -c '^{"time":"[-0-9T:Z]*","level":"[a-z]*","message":".*}$' "$log")" "$(wc -l < "$log")"
stop_server
same "serve that was reloaded several times ends well" "$stopped" 0

# A store whose inner pages are damaged.
rm -rf "$tmp/store"
"$PERENNIAL" init --state="$tmp/store"
seq -f http://a.example/%g 1 3000 | "$PERENNIAL" add --state="$tmp/store" 2> /dev/null
for page in $(LC_ALL=C od -An -v -tu1 -w4096 "$tmp/store/data.mdb" | awk '$11 == 1 && $12 == 0 { print NR - 1 }'); do
	printf '\377' | dd of="$tmp/store/data.mdb" bs=1 seek=$((page * 4096 + 17)) conv=notrunc 2> /dev/null
done
ok "a server starts on a store that is damaged within" start_server
get /readyz
same "a server is ready before a request has found the damage" "$status" 200
get /v1/stats
like "a request that finds a damaged store is told what to do" "$status $body" "^500 .*is damaged: restore a backup, or 'perennial check --repair'"
like "the log has why a request failed" "$(cat "$log")" "error request failed error=.*data.mdb is damaged"
get /readyz
same "a server whose store is damaged is not ready" "$status $body" "503 the store is damaged"
stop_server

# One of several shards that is gone takes the daemon from nobody.
rm -rf "$tmp/store" "$tmp"/store.*
"$PERENNIAL" init --state="$tmp/store" --shards=2
seq -f http://h%g.example/ 1 20 | "$PERENNIAL" add --state="$tmp/store" 2> /dev/null
mv "$tmp/store.1" "$tmp/away"
ok "a server starts on a store of which a shard is gone" start_server
for i in $(seq 20); do
	ask -H 'Content-Type: text/html' --data-binary "<p>some words of the page" "$server/v1/observe?url=http://h$i.example/"
	[ "$status" != 500 ] || break
done
same "a report of a page of it fails" "$status" 500
get /readyz
same "a server with a shard that is gone is ready for the others" "$status $body" "200 ready"
stop_server
rm -rf "$tmp/away" "$tmp/store" "$tmp"/store.*

rm -rf "$tmp/store"
"$PERENNIAL" init --state="$tmp/store"
printf '%s\n' http://a.example/hurt http://a.example/well | "$PERENNIAL" add --state="$tmp/store" 2> /dev/null
LC_ALL=C sed -i 's/fragment-rule2/fragment-rule1/g' "$tmp/store/data.mdb"
code "serve does not go on by itself with a store of an older fragment rule" 3 "$PERENNIAL" serve --state="$tmp/store" --listen=127.0.0.1:0
like "serve says how it would" "$err" "fragments are made by rule 1, .*--new-fragments"
ok "serve --new-fragments goes on with it" start_server --new-fragments
stop_server
LC_ALL=C sed -i 's#http://a.example/hurt#http://a.example/hurT#g' "$tmp/store/data.mdb"
ok "a server starts on a store of which one record is damaged" start_server
get '/v1/page?url=http://a.example/hurt'
like "who asks for the page whose record is damaged is told that it is that page" "$status $body" "^409 .*damaged"
get /readyz
same "a server of which one page cannot be read is ready" "$status $body" "200 ready"
stop_server

rm -rf "$tmp/store"
ok "a server starts on a store that will be removed" start_server
post /v1/pages --data-binary 'http://a.example/'
same "a page is taken while the store is there" "$status" 200
rm -rf "$tmp/store"
post /v1/pages --data-binary 'http://b.example/'
like "a server whose store was removed acknowledges no page" "$status $body" '^507 .*was removed while this process had it open'
post '/v1/observe?url=http://a.example/' -H 'Content-Type: text/html' --data-binary 'some text'
like "a server whose store was removed acknowledges no report" "$status $body" '^507 .*was removed while this process had it open'
post /v1/pages --data-binary 'http://b.example/'
like "nor does it when it is asked again" "$status $body" '^507 .*was removed while this process had it open'
like "and says when to come again" "$(curl -s -i -H @"$auth" -X POST --data-binary http://b.example/ "$server/v1/pages" | tr -d '\r')" '^Retry-After: 60$'
get /readyz
same "a server whose store was removed is not ready" "$status" 503
stop_server
done_testing
