#!/usr/bin/env bash
# Pages that are reported under a Content-Encoding, as they came from their sites.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"

ok "serve starts" start_server --max-body=100K --log-level=debug
# report PAGE ENCODING FILE: the status, and what came of it.
report() { ask -H 'Content-Type: text/html' -H "Content-Encoding: $2" --data-binary @"$3" "$server/v1/observe?url=http://a.example/$1&time=$4"; }
day() { echo "2026-05-0$1T00:00:00Z"; }

cd "$tmp" || exit 1
printf '<p>one two three four five six seven' > page
gzip -nc page > page.gz
gzip -nc page.gz > page.gz.gz
perl -e 'use Compress::Zlib; undef $/; print compress(<STDIN>)' < page > page.z 2> /dev/null || rm -f page.z
printf '\x1b\x23\x00\xf8\xc5\x6d\x6c\x5d\xd7\x10\xdf\x6b\x74\x32\x28\xa8\x14\x04\x83\x81\x7a\x0c\x4f\xd0\x49\xc7\xb0\xe5\x0a\xec\xf9\x03\x53\xa3\xc9\x07' > page.br
zstd -qc page > page.zst 2> /dev/null || rm -f page.zst

ask -H 'Content-Type: text/html' --data-binary @page "$server/v1/observe?url=http://a.example/1&time=$(day 1)"
same "a page is reported as it is" "$status $(member outcome)" '200 "observed"'
report 1 gzip page.gz "$(day 2)"
same "the same page under gzip is the same page" "$status $(member outcome)" '200 "same"'
report 1 'gzip, gzip' page.gz.gz "$(day 3)"
same "the same page under gzip twice is the same page" "$status $(member outcome)" '200 "same"'
report 1 gzip page "$(day 4)"
same "the same page that was unpacked, and says gzip all the same, is the same page" "$status $(member outcome)" '200 "same"'
if [ -s page.z ]; then report 1 deflate page.z "$(day 5)"; same "the same page under deflate is the same page" "$status $(member outcome)" '200 "same"'
else skip "the same page under deflate is the same page" "perl has no Compress::Zlib"; fi
report 1 br page.br "$(day 6)"
if [ "$status" = 415 ]; then like "a page under br that a program without brotli cannot read is told so" "$body" "built without brotli"
else same "the same page under br is the same page" "$status $(member outcome)" '200 "same"'; fi
if [ -s page.zst ]; then report 1 zstd page.zst "$(day 7)"; same "the same page under zstd is the same page" "$status $(member outcome)" '200 "same"'
else skip "the same page under zstd is the same page" "zstd is not installed"; fi

head -c 20 page.gz > short.gz
report 2 gzip short.gz "$(day 1)"
same "a page under gzip that ends early is refused" "$status" 400
like "a page that cannot be unpacked is told why" "$body" '"error":"the body cannot be read: its Content-Encoding ends early"'
report 2 compress page.gz "$(day 1)"
same "a page under a coding that is not read is refused" "$status" 415
report 2 'gzip,gzip,gzip,gzip,gzip' page.gz "$(day 1)"
same "a page under five codings is refused" "$status" 415
report 2 chunked page "$(day 1)"
same "chunked is no coding of content" "$status" 415
head -c 30000000 /dev/zero | tr '\0' 'x' | gzip -nc > bomb.gz
report 3 gzip bomb.gz "$(day 1)"
same "a page that unpacks to 30 MB is cut at --max-body, and taken" "$status $(member outcome)" '200 "observed"'
for ((i = 0; i < 100; i++)); do get /metrics; taken=$(sed -n 's/^perennial_spool_bytes //p' <<< "$body"); [ "$taken" != 0 ] || break; done
same "what a page unpacks to takes room only until it is answered" "$taken" 0
post /v1/observe -H 'Content-Type: application/x-ndjson' -H 'Content-Encoding: gzip' --data-binary @page.gz
same "a batch under a Content-Encoding is refused: its type tells how it is packed" "$status" 415
post '/v1/observe?url=http://deep.example/' -H 'Content-Type: text/xml' --data-binary "$(printf '<b>%.0s' {1..300})"
same "a page that was read in part is told so" "$status $(grep -o '"cut":[^]]*]' <<< "$body")" '200 "cut":["deep"]'
get /metrics
like "pages that were read in part are counted by reason" "$body" '^perennial_cut_total\{reason="deep"\} 1$'
stop_server
same "serve ends well after bodies under a Content-Encoding" "$stopped" 0
done_testing
