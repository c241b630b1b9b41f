#!/usr/bin/env bash
# A shard that is damaged or gone: the others give and take what they have, and each command says what is missing.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"
cd "$tmp" || exit 1

for i in $(seq 1 60); do echo "http://h$i.example/"; done >urls
"$PERENNIAL" init --state=store --shards=4
"$PERENNIAL" add --state=store --now=2026-01-01 urls 2>/dev/null
"$PERENNIAL" export --state=store | sed 's/.*"url":"\([^"]*\)".*/\1/' | sort >all
mv store.2 away
"$PERENNIAL" due --state=store --now=2026-01-01 --lease=0s --limit=100 2>/dev/null | sort >there
comm -23 all there >missing
ok "some of the pages are in the shard that is gone, and some are not" test -s missing -a -s there
reports() { while read -r url; do echo "{\"url\":\"$url\",\"time\":\"$1\",\"content_type\":\"text/plain\",\"body\":\"some words of $url\"}"; done; }

code "due gives what other shards have" 0 "$PERENNIAL" due --state=store --now=2026-01-01 --limit=100
same "due gives all that other shards have" "$(sort <<<"$out")" "$(cat there)"
like "due says which shard it has passed over" "$err" "passed over 1 shard, whose pages are not given, the first: store.2: is not there"
code "due has nothing more to give" 0 "$PERENNIAL" due --state=store --now=2026-01-01T00:01:00Z --format=json
like "due tells programs of a lost shard with each call" "$out" '"damaged_shards":1,"first_damaged":"store.2: is not there'
code "observe takes what is of other shards" 1 "$PERENNIAL" observe --state=store --now=2026-01-02 --format=tsv <(reports 2026-01-01T00:02:00Z <all)
same "observe takes all that is of other shards" "$("$PERENNIAL" due --state=store --now=2027-01-01 --lease=0s --format=json --limit=100 2>/dev/null | grep -c '"reason":"\(rule\|learning\|maximum\)')" \
	"$(wc -l <there)"
like "observe tells of a report that it cannot take" "$err" "skipped: $(head -n 1 missing): store.2: is not there"
mv away store.2

# Likewise a shard whose file is no store any more, and the daemon.
cp store.2/data.mdb whole
head -c 16384 /dev/urandom | dd of=store.2/data.mdb conv=notrunc 2>/dev/null
code "due passes over a shard whose file is damaged" 0 "$PERENNIAL" due --state=store --now=2026-01-03 --limit=1000
like "due says why it has passed over a shard" "$err" "passed over 1 shard, whose pages are not given, the first: store.2: "
ok "serve starts where a shard is damaged" start_server --now=2026-01-05T00:00:00Z --host-limit=0 --host-delay=0s
reports 2026-01-04T00:00:00Z <all >reports
post /v1/observe -H "Content-Type: application/x-ndjson" --data-binary @reports
same "a batch of reports is taken" "$status $(grep -c '"outcome"' <<<"$body") $(grep -c '"error"' <<<"$body")" "200 $(wc -l <there) $(wc -l <missing)"
like "a report that cannot be taken is told in its place" "$body" "\"error\":\"$(head -n 1 missing): .*store.2: "
post /v1/pages --data-binary @all
same "URLs are added where their shards are whole" "$status $(grep -c '"known"' <<<"$body") $(grep -c '"error"' <<<"$body")" "200 $(wc -l <there) $(wc -l <missing)"
post '/v1/due?limit=1000'
like "a daemon tells of a damaged shard with what is due" "$status $(tail -n 1 <<<"$body")" '^200 .*"damaged_shards":1,"first_damaged":".*store.2: '
like "a daemon logs that a shard is damaged" "$(cat "$log")" "shards are damaged, and were passed over"
get /metrics
same "a damaged shard is counted" "$(grep ^perennial_damaged <<<"$body")" "perennial_damaged_shards_total 1"
stop_server
mv whole store.2/data.mdb
code "a shard that is whole again is asked again" 0 "$PERENNIAL" due --state=store --now=2026-01-03 --limit=1000
same "what is in it was not lost" "$(sort <<<"$out")" "$(cat missing)"
done_testing
