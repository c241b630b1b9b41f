#!/usr/bin/env bash
# Reports of a fetcher that followed redirects by itself: what an answer says of its host is said of the host that gave it.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
day=2026-01-02

# made STATE OPTION…: a page on each of two hosts, both due; the one of a.example is handed out.
made() {
	local state=$1
	shift
	"$PERENNIAL" init --state="$state" "$@" && "$PERENNIAL" add --state="$state" --now=2026-01-01 \
		http://a.example/1 http://a.example/2 http://c.example/2 2>/dev/null
}
# reported STATE MEMBER…: the page is the one of a.example, and c.example answered for it at 10:00.
reported() {
	local state=$1
	shift
	printf '{"url": "http://c.example/9", "answers": "http://a.example/1", "time": "%sT10:00:00Z", %s}\n' "$day" "$*" |
		"$PERENNIAL" observe --state="$state" --now="${day}T10:00:00Z" --format=json - 2>&1
}
# given STATE TIME: the pages that are handed out then, but not leased.
given() { "$PERENNIAL" due --state="$1" --now="${day}T$2Z" --limit=10 --lease=0s 2>/dev/null | sort | tr '\n' ' '; }

for shards in 1 16; do
	made refused$shards --shards=$shards
	[ "$shards" = 1 ] || same "the two hosts are in different shards" "$(find . -name "refused$shards.[0-9]*" | wc -l)" 2
	outcome=$(reported refused$shards '"status": 429, "retry_after": 3600')
	like "$shards shards: a refusal by another host is an error of the page" "$outcome" '"outcome": *"error"'
	same "$shards shards: the page's own host is asked for its other pages, and the host that refused is not" \
		"$(given refused$shards 10:05:00)" "http://a.example/2 "
	like "$shards shards: the page that another host refused comes again when that host wanted it to" "$outcome" \
		"\"next_time\": *\"${day}T11:00:00Z\""
	same "$shards shards: the host that refused is asked again when it wanted to be" \
		"$(given refused$shards 11:00:01)" "http://a.example/2 http://c.example/2 "

	made delayed$shards --shards=$shards
	reported delayed$shards '"status": 200, "content_type": "text/plain", "body": "here to stay", "crawl_delay": 7200' >decision
	same "$shards shards: a crawl delay is that of the host that was asked" "$(given delayed$shards 11:00:00)" "http://a.example/2 "
	same "$shards shards: the pages of a host with a crawl delay come after it" "$(given delayed$shards 12:00:01)" \
		"http://a.example/2 http://c.example/2 "
done

made late
printf '{"url": "http://c.example/9", "answers": "http://a.example/1", "time": "%sT10:00:00Z", "status": 404, "crawl_delay": 7200}\n' "$day" |
	"$PERENNIAL" observe --state=late --now="${day}T10:30:00Z" - >decision 2>&1
same "a crawl delay that is reported late counts from the answer" "$(given late 11:00:00)" "http://a.example/2 "
same "a crawl delay that is reported late ends when it would have" "$(given late 12:00:01)" "http://a.example/2 http://c.example/2 "

made own
printf '{"url": "http://a.example/9", "answers": "http://a.example/1", "time": "%sT10:00:00Z", "status": 429, "retry_after": 3600}\n' "$day" |
	"$PERENNIAL" observe --state=own --now="${day}T10:00:00Z" --format=json - >decision 2>&1
like "a refusal by the page's own host has that host left alone" "$(cat decision)" '"outcome": *"host-delayed"'
same "a host that refused under another URL is not asked for its other pages" "$(given own 10:05:00)" "http://c.example/2 "

# Hosts of one address are one host: that of an answer is the address of the host that gave it.
"$PERENNIAL" init --state=grouped
"$PERENNIAL" add --state=grouped --now=2026-01-01 http://a.example/1 http://a.example/2 http://b.example/2 http://c.example/2 2>/dev/null
"$PERENNIAL" observe --state=grouped --now="${day}T10:00:00Z" --group-by-address - >decision 2>&1 <<end
{"url": "http://b.example/9", "answers": "http://a.example/1", "time": "${day}T09:00:00Z", "status": 404, "address": "192.0.2.7"}
{"url": "http://c.example/9", "answers": "http://a.example/1", "time": "${day}T09:30:00Z", "status": 404, "address": "192.0.2.7"}
end
"$PERENNIAL" due --state=grouped --now="${day}T10:00:00Z" --limit=10 --group-by-address >out 2>/dev/null
same "two hosts that answered from one address are asked as one" "$(grep -c '[bc]\.example' out)" 1
same "the host whose pages redirected there is not one of them" "$(grep -c 'a\.example/2' out)" 1

# The gate of a host that is split over shards is told, whichever shard the page is in.
"$PERENNIAL" init --state=giant --shards=8 --giant-host=c.example/4
for i in $(seq 20); do echo "http://c.example/$i"; done | "$PERENNIAL" add --state=giant --now=2026-01-01 - http://a.example/1 http://a.example/2 2>/dev/null
reported giant '"status": 429, "retry_after": 3600' >decision
same "a host that is split over shards is left alone after a refusal for another host's page" "$(given giant 10:05:00)" "http://a.example/2 "
like "a host that is split over shards is asked again when it wanted to be" "$(given giant 11:00:01)" "c\.example"

# Of what is not there nothing is told, and nothing is made for it.
"$PERENNIAL" init --state=sparse --shards=64
"$PERENNIAL" add --state=sparse --now=2026-01-01 http://a.example/1 2>/dev/null
find . -maxdepth 1 -name 'sparse*' | sort >before
for i in $(seq 20); do
	printf '{"url": "http://r%s.example/", "answers": "http://a.example/1", "time": "%sT10:00:%02dZ", "status": 429, "crawl_delay": 60}\n' "$i" "$day" "$i"
done | "$PERENNIAL" observe --state=sparse --now="${day}T10:01:00Z" --format=json - >decision 2>&1
same "reports of hosts without pages are taken" "$(grep -c '"outcome": *"error"' decision)" 20
same "no shard is made for hosts without pages that refused" "$(find . -maxdepth 1 -name 'sparse*' | sort)" "$(cat before)"

"$PERENNIAL" init --state=torn --shards=4
for i in $(seq 60); do echo "http://h$i.example/"; done | tee urls | "$PERENNIAL" add --state=torn --now=2026-01-01 - 2>/dev/null
mv torn.2 away
"$PERENNIAL" due --state=torn --now=2026-01-01 --lease=0s --limit=100 2>/dev/null | sort >there
page=$(head -n 1 there) host=$(sort urls | comm -23 - there | head -n 1)
for status in 429 200; do
	printf '{"url": "%s9", "answers": "%s", "time": "%sT10:00:0%sZ", "status": %s, "retry_after": 60, "crawl_delay": 60, "content_type": "text/plain", "body": "words"}\n' \
		"$host" "$page" "$day" "${status%??}" "$status"
done | sort -t: -k5 >reports
code "a report is taken though the shard of the host that answered is gone" 0 "$PERENNIAL" observe --state=torn --now="${day}T10:01:00Z" --format=json reports
same "reports of a host whose shard is gone are both decided" "$(grep -c '"outcome"' <<<"$out")" 2
mv away torn.2
code "the store is whole when that shard is back" 0 "$PERENNIAL" check --state=torn

"$PERENNIAL" init --state='odd?name' --shards=4
"$PERENNIAL" add --state='odd?name' --now=2026-01-01 <urls 2>/dev/null
same "the shards of a folder with a question mark in its name stand beside it" "$(find . -maxdepth 1 -name 'odd*' | grep -vc '^\./odd?name')" 0
same "the pages of a folder with a question mark in its name are found again" \
	"$("$PERENNIAL" due --state='odd?name' --now=2026-01-02 --limit=100 --lease=0s 2>/dev/null | sort)" "$(sort urls)"
done_testing
