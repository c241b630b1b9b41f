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
done_testing
