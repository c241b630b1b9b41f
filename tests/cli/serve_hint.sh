#!/usr/bin/env bash
# Hints over HTTP: /v1/hint, /indexnow, and sitemaps among what is reported.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"
cd "$tmp"
printf '# sites that tell\nA.Example\tabcdefgh12345678\nxn--bcher-kva.example 0123456789-key\n' > keys
ok "a server that speaks IndexNow starts" start_server --no-token --indexnow-keys=keys --hints=sitemap,feed --now=2026-01-10
page() { post "/v1/observe?url=$1&time=2026-01-01" -H 'Content-Type: text/plain' --data-binary 'Boats to the islands leave the old pier at nine.'; }
page http://a.example/1
page http://a.example/2

sitemap='<urlset><url><loc>http://a.example/1</loc><lastmod>2026-01-05</lastmod></url><url><loc>/new</loc></url><url><loc>http://b.example/</loc></url></urlset>'
post '/v1/hint?source=map&base=http://a.example/sitemap.xml&same_host=yes' --data-binary "$sitemap"
same "a sitemap is answered with what came of it" "$status $body" \
	'200 {"entries":3,"taken":1,"added":1,"named":0,"duplicate":0,"soon":0,"future":0,"unknown":0,"full":0,"limit":0,"ignored":0,"foreign":1,"damaged":0,"cut":false}'
post '/v1/hint?source=map&base=http://a.example/sitemap.xml&same_host=yes' --data-binary "$sitemap"
like "the same sitemap says nothing new" "$body" '"taken":0,"added":0,"named":1,"duplicate":1,'
get '/v1/page?url=http://a.example/new'
same "a page that a hint added is known" "$(member status)" '"new"'
post /v1/hint --data-binary '{"url":"http://a.example/2","time":"2026-01-09","source":"webhook"}'
like "a line of JSON is a hint" "$body" '"taken":1,'
post /v1/hint --data-binary $'\x01\x02\x03'
like "what is no hint is counted" "$body" '"taken":0,.*"damaged":1,'
post '/v1/hint?same_host=yes' --data-binary "$sitemap"
same "same_host without base is refused" "$status" 400
get /v1/hint
same "a GET hints nothing" "$status" 405

post /indexnow --data-binary '{"host":"a.example","key":"abcdefgh12345678","urlList":["http://a.example/1","https://a.example/2","http://a.example/news"]}'
like "a site tells with its key which pages have changed" "$status $body" '^200 .*"entries":3,"taken":[0-9],"added":2'
post /indexnow --data-binary '{"host":"BÜCHER.example","key":"0123456789-key","urlList":["http://bücher.example/"]}'
same "a host is known however it is spelled" "$status" 200
post /indexnow --data-binary '{"host":"a.example","key":"abcdefgh12345679","urlList":["http://a.example/1"]}'
same "a wrong key is refused" "$status" 403
post /indexnow --data-binary '{"host":"b.example","key":"abcdefgh12345678","urlList":["http://b.example/1"]}'
same "the key of another site is refused" "$status" 403
post /indexnow --data-binary '{"host":"a.example","key":"abcdefgh12345678","urlList":["http://a.example/1","http://b.example/"]}'
same "a page of another site is refused, and all with it" "$status" 422
post /indexnow --data-binary '{"host":"a.example","key":"abcdefgh12345678"}'
same "a submission without URLs is refused" "$status" 400
{ printf '{"host":"a.example","key":"abcdefgh12345678","urlList":["http://a.example/"'; for ((i = 0; i < 10000; i++)); do printf ',"http://a.example/%d"' $i; done; printf ']}'; } > many
post /indexnow --data-binary @many
same "a submission of more than 10000 URLs is refused" "$status" 400
{ printf '{"host":"a.example","key":"abcdefgh12345678","urlList":["http://a.example/9"],"more":['; yes '[],' | head -n 50000 | tr -d '\n'; printf '[]]}'; } > many
post /indexnow --data-binary @many
like "a submission of more values than URLs may be is refused before it is read" "$status $body" '^400 .*at most 10000 URLs'
{ printf '{"host":"a.example","key":"abcdefgh12345678","urlList":["http://a.example/9"]'; head -c 4194304 /dev/zero | tr '\0' ' '; printf '}'; } > many
stranger post /indexnow --data-binary @many
same "a submission of more than 4 MiB is refused" "$status" 413
head -c 4194304 many > less; printf '}' | dd of=less bs=1 seek=4194303 conv=notrunc 2> /dev/null
post /indexnow --data-binary @less
like "a submission of 4 MiB is taken" "$status $body" '^200 .*"entries":1,'

post /indexnow --data-binary '{"host":"a.example:8080","key":"abcdefgh12345678","urlList":["http://a.example:8080/1","https://a.example:8080/"]}'
like "a host with its port tells of its pages there" "$status $body" '^200 .*"entries":2,'
post /indexnow --data-binary '{"host":"a.example:8080","key":"abcdefgh12345678","urlList":["http://a.example/1"]}'
same "a host with its port does not tell of pages at another" "$status" 422
post /indexnow --data-binary '{"host":"a.example:443","key":"abcdefgh12345678","urlList":["https://a.example/1"]}'
same "the port of a scheme is its port" "$status" 200
post /indexnow --data-binary '{"host":"a.example:8080:1","key":"abcdefgh12345678","urlList":[]}'
same "a host with two ports is none" "$status" 403
post /indexnow --data-binary '{"host":"a.example:80","key":"abcdefgh12345678","urlList":["http://a.example:8080/1"]}'
same "a host with the port of http does not tell of pages at another" "$status" 422
post /indexnow --data-binary '{"host":"a.example:80","key":"abcdefgh12345678","urlList":["http://a.example/at-80"]}'
same "a host with the port of http tells of its pages there" "$status" 200

one() { stranger get "/indexnow?url=$1&key=$2"; }
one http://a.example/by-get abcdefgh12345678
like "a site tells of a page by GET, with its key and without a token" "$status $body" '^200 \{"entries":1,"taken":0,"added":1,'
get '/v1/page?url=http://a.example/by-get'
same "a page that a GET told of is known" "$(member status)" '"new"'
one 'http%3A%2F%2Fa.example%3A8080%2Fa%3Fb%3D1%26c%3D2' 'abcdefgh12345678&keyLocation=http://a.example/k.txt'
same "a URL is decoded, and keyLocation passed over" "$status" 200
get '/v1/page?url=http%3A%2F%2Fa.example%3A8080%2Fa%3Fb%3D1%26c%3D2'
same "a URL that was told of by GET is known with its query" "$status" 200
one http://a.example/1 abcdefgh12345679
same "a wrong key by GET is refused" "$status" 403
one http://b.example/1 abcdefgh12345678
same "the key of another site by GET is refused" "$status" 403
one not-a-url abcdefgh12345678
same "what is no URL is refused by GET" "$status" 422
stranger get '/indexnow?url=http://a.example/1'
same "a GET without a key is refused" "$status" 400
stranger get '/indexnow?key=abcdefgh12345678'
same "a GET without a URL is refused" "$status" 400
like "HEAD tells nothing, and is told what does" "$(curl -s -m 20 -I "$server/indexnow?url=http://a.example/headed&key=abcdefgh12345678" | tr -d '\r')" '^Allow: GET, POST$'
get '/v1/page?url=http://a.example/headed'
same "a page that HEAD named is not known" "$status" 404
one 'http://user:secret@a.example/private' abcdefgh12345678
like "a URL with a user and a password adds no page" "$status $body" '^200 .*"added":0,.*"unknown":1,'
same "keys are not in the log" "$(grep -c abcdefgh "$log")" 0

post '/v1/observe?url=http://a.example/map.xml&time=2026-01-09' -H 'Content-Type: application/xml' --data-binary \
	'<urlset><url><loc>http://a.example/2</loc><lastmod>2026-01-08</lastmod></url><url><loc>http://a.example/newer</loc></url><url><loc>http://c.example/</loc></url></urlset>'
like "a sitemap that is reported is a page, and its entries are hints" "$body" '"outcome":"observed",.*"hints":1,"pages_hinted":1'
get '/v1/page?url=http://c.example/'
same "a sitemap that is reported does not speak for other hosts" "$status" 404
get /metrics
like "metrics count hints by what came of them" "$body" '^perennial_hints_total\{outcome="duplicate"\} 1$'
commits() { get /metrics; sed -n 's/^perennial_commit_seconds_count //p' <<<"$body"; }
before=$(commits)
for ((i = 0; i < 3500; i++)); do echo "http://p$i.example/"; done > pages
post /v1/hint --data-binary @pages
like "thousands of hints are answered as one" "$status $body" '^200 .*"entries":3500,"taken":0,"added":3500,'
same "thousands of hints are taken in some at a time, and others served in between" $(($(commits) - before)) 4
get /metrics
like "metrics count each of thousands of hints once" "$body" '^perennial_hints_total\{outcome="added"\} 35[01][0-9]$'
{ printf '<urlset>'; for ((i = 0; i < 3400; i++)); do printf '<url><loc>http://map.example/%d</loc></url>' $i; done; printf '</urlset>'; } > long.xml
# A host may have a thousand pages that hints added: what comes to nothing takes no commit.
before=$(commits)
post '/v1/observe?url=http://map.example/long.xml&time=2026-01-09' -H 'Content-Type: application/xml' --data-binary @long.xml
like "a sitemap of thousands of pages that is reported is answered as one" "$status $body" '^200 .*"outcome":"observed".*"pages_hinted":1000'
same "a sitemap of thousands of pages that is reported is taken in some at a time, and others served in between" $(($(commits) - before)) 3
sed 's/map.example/batch.example/g' long.xml > again.xml
printf '{"url":"http://batch.example/again.xml","time":"2026-01-09","status":200,"content_type":"application/xml","body_base64":"%s"}\n' "$(base64 -w 0 again.xml)" > again.ndjson
before=$(commits)
post /v1/observe -H 'Content-Type: application/x-ndjson' --data-binary @again.ndjson
like "a sitemap of thousands of pages in a batch is observed" "$status $body" '^200 .*"outcome":"observed"'
same "a sitemap of thousands of pages in a batch is taken in some at a time" $(($(commits) - before)) 3
{ printf '<rss><channel>'; for ((i = 0; i < 12000; i++)); do printf '<item><link>%d</link></item>' $i; done; printf '</channel></rss>'; } > feed
post "/v1/hint?base=http://a.example/$(head -c 6700 /dev/zero | tr '\0' p)/" --data-binary @feed
like "a feed whose relative links stand for hundreds of times its length is refused" "$status $body" '^413 .*send the document in parts'
post "/v1/hint?base=http://feed.example/news/" --data-binary @feed
like "a feed with as many relative links is taken under a short base" "$status $body" '^200 .*"entries":12000,.*"damaged":0,'
stop_server
printf 'a.example short\n' > bad
code "keys that are none are refused before anything is made" 3 "$PERENNIAL" serve --state=S --listen=unix:x.sock --indexnow-keys=bad
like "keys that are none are told with the file and the line" "$err" "bad, line 1: expected a host, without a port, and its key"
ok "a server without keys starts" start_server --no-token
post /indexnow --data-binary '{"host":"a.example","key":"abcdefgh12345678","urlList":[]}'
same "a server without keys does not speak IndexNow" "$status" 404
stop_server
done_testing
