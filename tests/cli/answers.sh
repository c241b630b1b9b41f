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
		http://a.example/1 http://a.example/2 http://b.example/2 2>/dev/null
}
# reported STATE MEMBER…: the page is the one of a.example, and b.example answered for it at 10:00.
reported() {
	local state=$1
	shift
	printf '{"url": "http://b.example/9", "answers": "http://a.example/1", "time": "%sT10:00:00Z", %s}\n' "$day" "$*" |
		"$PERENNIAL" observe --state="$state" --now="${day}T10:00:00Z" --format=json - 2>&1
}
# given STATE TIME: the pages that are handed out then, but not leased.
given() { "$PERENNIAL" due --state="$1" --now="${day}T$2Z" --limit=10 --lease=0s 2>/dev/null | sort | tr '\n' ' '; }

for shards in 1 16; do
	made refused$shards --shards=$shards
	outcome=$(reported refused$shards '"status": 429, "retry_after": 3600')
	like "$shards shards: a refusal by another host is an error of the page" "$outcome" '"outcome": *"error"'
	same "$shards shards: the page's own host is asked for its other pages, and the host that refused is not" \
		"$(given refused$shards 10:05:00)" "http://a.example/2 "
	like "$shards shards: the page that another host refused comes again when that host wanted it to" "$outcome" \
		"\"next_time\": *\"${day}T11:00:00Z\""
	same "$shards shards: the host that refused is asked again when it wanted to be" \
		"$(given refused$shards 11:00:01)" "http://a.example/2 http://b.example/2 "

	made delayed$shards --shards=$shards
	reported delayed$shards '"status": 200, "content_type": "text/plain", "body": "here to stay", "crawl_delay": 7200' >decision
	same "$shards shards: a crawl delay is that of the host that was asked" "$(given delayed$shards 11:00:00)" "http://a.example/2 "
	same "$shards shards: the pages of a host with a crawl delay come after it" "$(given delayed$shards 12:00:01)" \
		"http://a.example/2 http://b.example/2 "
done

made late
printf '{"url": "http://b.example/9", "answers": "http://a.example/1", "time": "%sT10:00:00Z", "status": 404, "crawl_delay": 7200}\n' "$day" |
	"$PERENNIAL" observe --state=late --now="${day}T10:30:00Z" - >decision 2>&1
same "a crawl delay that is reported late counts from the answer" "$(given late 11:00:00)" "http://a.example/2 "
same "a crawl delay that is reported late ends when it would have" "$(given late 12:00:01)" "http://a.example/2 http://b.example/2 "

made own
printf '{"url": "http://a.example/9", "answers": "http://a.example/1", "time": "%sT10:00:00Z", "status": 429, "retry_after": 3600}\n' "$day" |
	"$PERENNIAL" observe --state=own --now="${day}T10:00:00Z" --format=json - >decision 2>&1
like "a refusal by the page's own host has that host left alone" "$(cat decision)" '"outcome": *"host-delayed"'
same "a host that refused under another URL is not asked for its other pages" "$(given own 10:05:00)" "http://b.example/2 "

done_testing
