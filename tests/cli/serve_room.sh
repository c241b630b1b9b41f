#!/usr/bin/env bash
# Room for uploads on their way: one client does not take all, and who is refused learns it before the body is sent.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"

code "a client's room is at least what one upload may have" 2 "$PERENNIAL" serve --state="$tmp/store" --max-upload=2M --max-client-spool=1M
like "too little room for a client is told with its option" "$err" "--max-client-spool takes at least what --max-upload"
code "room for all is at least what one client may have" 2 "$PERENNIAL" serve --state="$tmp/store" --max-body=1M --max-upload=2M --max-client-spool=4M --max-spool=3M
like "too little room for all is told with its option" "$err" "--max-spool takes at least what --max-client-spool allows"

ok "serve starts with room for 500K of a client" start_server --max-body=300K --max-upload=300K --max-client-spool=500K
gives_back() { for ((i = 0; i < 200; i++)); do [ "$(metric perennial_spool_bytes)" != 0 ] || return 0; done; return 1; }
metric() { get /metrics; sed -n "s/^$1 //p" <<< "$body"; }
metric perennial_spool_capacity_bytes > "$tmp/capacity"
same "the room for all is twice that for one client, if nothing else is said" "$(cat "$tmp/capacity")" 1024000

# An upload that pauses: curl sends what comes through the pipe.
mkfifo "$tmp/pipe"
curl -s -m 60 -H @"$auth" -H Expect: -H 'Content-Type: application/warc' -T - -X POST -o "$tmp/first" "$server/v1/observe" < "$tmp/pipe" &
uploading=$!
exec 3> "$tmp/pipe"
head -c 290000 /dev/zero >&3
taken=0
for ((i = 0; i < 200 && taken < 250000; i++)); do taken=$(metric perennial_spool_bytes); done
ok "what uploads on their way take is in the metrics ($taken)" test "$taken" -ge 250000

head -c 300000 /dev/zero > "$tmp/page"
ask -D "$tmp/head" -H 'Content-Type: text/html' -H 'Expect: 100-continue' --data-binary @"$tmp/page" "$server/v1/observe?url=http://a.example/"
same "another upload of the client is refused while the first is on its way" "$status" 507
like "who is refused for want of room is told whose bound it is" "$body" "this client's uploads on their way may take 512000 bytes together"
same "who is refused for want of room is not asked to send the body" "$(grep -c '^HTTP/1.1 100' "$tmp/head")" 0
like "the connection of a body that was not read is closed" "$(cat "$tmp/head")" '^Connection: close'
same "an upload that was refused for want of room is counted" "$(metric perennial_spool_refused)" 1
ask -H 'Content-Type: text/html' --data-binary 'short' "$server/v1/observe?url=http://b.example/"
same "a short page is taken while there is no room for a long one" "$status $(member outcome)" '200 "observed"'

exec 3>&-
wait $uploading
ok "an upload that is complete gives its room back" gives_back
ask -H 'Content-Type: text/html' --data-binary @"$tmp/page" "$server/v1/observe?url=http://a.example/"
same "there is room for who was refused when the first has ended" "$status $(member outcome)" '200 "observed"'

# More than is taken, without a length: the answer comes while the client sends.
status=$(head -c 3000000 /dev/zero | curl -s -m 60 -H @"$auth" -H Expect: -H 'Content-Type: application/warc' -T - -X POST -o "$tmp/answer" -w '%{http_code}' "$server/v1/observe")
same "an upload without a length that is too long is refused while it comes" "$status" 413
like "an upload that is too long is told how much is taken" "$(cat "$tmp/answer")" 'more than the 307200 bytes taken here'
ok "nothing of a refused upload stays" gives_back

# Two bytes of a batch are answered with many more.
{ echo '{"url":"http://c.example/","time":"2026-01-01","content_type":"text/plain","body":"Boats"}'; yes x | head -n 100000; } > "$tmp/lines"
refused=$(metric perennial_spool_refused)
ask -H 'Content-Type: application/x-ndjson' --data-binary @"$tmp/lines" "$server/v1/observe"
same "a batch whose answer is longer than a client's room is ended" "$status" 507
like "a batch without room for its answer is told how much of it is durable" "$body" 'there is no room for the answer, and 1 of the batch are done and durable'
same "an answer that was refused for want of room is counted" "$(metric perennial_spool_refused)" $((refused + 1))
ask "$server/v1/page?url=http://c.example/"
same "what came before the room for the answer ended is durable" "$status" 200
ok "nothing of a refused answer stays" gives_back
head -n 2000 "$tmp/lines" > "$tmp/fewer"
ask -H 'Content-Type: application/x-ndjson' --data-binary @"$tmp/fewer" "$server/v1/observe"
same "a batch whose answer has room is answered line by line" "$status $(wc -l <<< "$body")" "200 2000"
ok "an answer gives its room back when it is sent" gives_back
yes x | head -n 100000 > "$tmp/urls"
ask -H 'Content-Type: text/plain' --data-binary @"$tmp/urls" "$server/v1/pages"
same "answers to lists of pages are counted too" "$status" 507
stop_server
done_testing
