#!/usr/bin/env bash
# A page that takes long to be read keeps nobody waiting who asks for something else.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"

# Nothing costs more a byte than words that are all different.
seq 1900000 > "$tmp/page"
ok "serve starts with one thread" start_server --threads=1
curl -s -m 60 -H @"$auth" -H 'Content-Type: text/html' -H Expect: --data-binary @"$tmp/page" -o "$tmp/answer" \
	"$server/v1/observe?url=http://long.example/" &
page=$!
seen=no
while [ $seen = no ] && kill -0 $page 2> /dev/null; do
	get /metrics
	grep -q '^perennial_batches 1' <<< "$body" && [ ! -s "$tmp/answer" ] && seen=yes
done
same "who asks while a long page is read is answered before it" "$seen" yes
wait $page
like "the long page is answered when it is read" "$(cat "$tmp/answer")" '"outcome":"observed"'
stop_server

# A batch of a few kB that unpacks to gigabytes, and whose client hangs up: it goes on, others are answered, and a stop ends it.
head -c 16000000 /dev/zero | tr '\0' x | gzip -9 | gzip -9 > "$tmp/bomb"
length=$(stat -c %s "$tmp/bomb")
head=$'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip, gzip\r\n\r\n'
for i in {1..3000}; do
	printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://bomb.example/%s\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %s\r\n\r\n%s' \
		"$i" "$((${#head} + length))" "$head"
	cat "$tmp/bomb"
	printf '\r\n\r\n'
done | gzip > "$tmp/bombs.warc.gz"
ok "serve starts anew" start_server
curl -s -m 2 -H @"$auth" -H 'Content-Type: application/warc' --data-binary @"$tmp/bombs.warc.gz" -o /dev/null "$server/v1/observe"
post "/v1/observe?url=http://other.example/" -H 'Content-Type: text/html' --data-binary hello
like "beside a batch of packed bombs a page is reported" "$body" '"outcome":"observed"'
get /metrics
like "the batch goes on when its client has hung up" "$body" $'\nperennial_batches 1'
stop_server
same "a daemon that is stopped ends such a batch" "$stopped" 0
done_testing
