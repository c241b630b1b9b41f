#!/usr/bin/env bash
# The daemon's reports of a fetcher that followed redirects by itself: a host that refused is left alone, and the page's is not.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"
cd "$tmp" || exit 1

# due_then: what would be handed out a minute from now.
due_then() { "$PERENNIAL" due --state=store --now="$(date -u -d '+1 minute' +%FT%TZ)" --limit=10 --lease=0s 2>/dev/null | sort | tr '\n' ' '; }
parameters='url=http%3A%2F%2Fb.example%2F9&answers=http%3A%2F%2Fa.example%2F1&status=429&retry_after=3600'
line='{"url": "http://b.example/9", "answers": "http://a.example/1", "status": 429, "retry_after": 3600}'

for way in single batch; do
	rm -rf store
	"$PERENNIAL" init --state=store
	"$PERENNIAL" add --state=store --now=2026-01-01 http://a.example/1 http://a.example/2 http://b.example/2 2>/dev/null
	start_server || exit 1
	case $way in
	single) post "/v1/observe?$parameters" ;;
	batch) post /v1/observe -H 'Content-Type: application/x-ndjson' --data-binary "$line" ;;
	esac
	same "$way: a refusal by another host is taken" "$status" 200
	like "$way: a refusal by another host is an error of the page" "$body" '"outcome": *"error"'
	stop_server
	same "$way: the host that refused is left alone, and the page's own is not" "$(due_then)" "http://a.example/2 "
done
done_testing
