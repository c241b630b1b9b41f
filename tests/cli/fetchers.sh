#!/usr/bin/env bash
# What wget, curl and Scrapy make of URLs that due prints: whatever they ask for and report is the page that was handed out.
# A proxy, to which every host is the same, logs what they ask for.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"

"$BUILDDIR/tests/site" proxy asked port & proxy=$!
disown
trap 'kill "$proxy"; rm -rf "$tmp"' EXIT
for ((i = 0; i < 100; i++)); do [ -s port ] && break; sleep 0.05; done
proxy_url=http://127.0.0.1:$(cat port)

cat > urls <<'END'
http://example.org/?q=日本
http://example.org/日本/é
http://example.org/a|b?c|d
http://example.org/x/../y/./z/
http://example.org/..//y
http://example.org/%e6%97%a5?%c3%a9
http://example.org/%7Eann
http://example.org/~bob?~%7e
http://example.org/x^y?x^y
http://example.org/?a[]=1&b[2]
http://example.org/a[1]
http://example.org/{x}`?{x}`
http://example.org/{1,2}/[1-9]?{a,b}=[x-z]
http://example.org/"q"?"q"
http://example.org/<x>?<x>
http://example.org/it's?it's
http://example.org/100%?100%
http://example.org/%zz/%4
http://example.org/%2e%2e/up
http://example.org/a%20b+c
http://example.org/a%2Fb;c=(d)!*,$&=@:
http://example.org/empty?
http://example.org/back\slash
http://Example.org:80/upper
http://example.org:0080/zeros#top
http://example.org?query
http://bücher.example.org/
http://faß.example.org/ü
http://☕.example.org/
http://XN--bcher-KVA.example.com/
http://%65scaped.example.org/
http://user:p%40w@example.org/secret
http://2130706433/number
http://0x7f.2/number
END
count=$(wc -l < urls)

# Makes a store of them, S, and has all leased: due.
begin() {
	rm -rf S; : > asked
	"$PERENNIAL" init --state=S > /dev/null 2>&1
	"$PERENNIAL" add --state=S --now=2026-01-01 urls > /dev/null 2>&1
	"$PERENNIAL" due --state=S --now=2026-01-01 --lease=1d --limit=1000 --host-limit=0 --host-delay=0s > due 2> /dev/null
}

# What became of the pages: how many there are, how many were visited, how many are out.
became() {
	"$PERENNIAL" export --state=S --now=2026-01-01T01:00Z | awk '
		/"visits":1,/ { visited++ }
		!/"lease_until":null/ { out++ }
		END { print NR " pages, " visited + 0 " visited, " out + 0 " out" }'
}
want="$count pages, $count visited, 0 out"

# JSON lines, of a file of URLs as they were asked for.
reports() { sed 's/[\\"]/\\&/g; s/.*/{"url":"&","body":"Boats leave the old pier at nine and at noon."}/' "$1"; }
observe() { "$PERENNIAL" observe --state=S --now=2026-01-01T01:00Z --time=2026-01-01T01:00Z --quiet --known-only "$@" > /dev/null 2> err; }

begin
same "each URL that was added is a page of its own, and handed out" "$(wc -l < due)" "$count"
same "what is handed out can be written on a line" "$(grep -c '[[:space:]]' due)" 0

if command -v wget > /dev/null && wget --help | grep -q -- --warc-file; then
	for locale in C C.UTF-8; do
		begin
		LC_ALL=$locale wget -q -i due -e use_proxy=yes -e http_proxy="$proxy_url" --tries=1 --delete-after --warc-file=w
		observe w.warc.gz
		same "what wget in the locale $locale reports is what it was given" "$(became)" "$want"
	done
else
	skip "what wget reports is what it was given" "no wget that writes WARC files is installed"
fi

if command -v curl > /dev/null; then
	begin
	while IFS= read -r url; do
		curl -g -s -o /dev/null -x "$proxy_url" -w '%{url_effective}\n' -- "$url"
	done < due > effective
	reports effective | observe
	same "what curl reports as the effective URL is what it was given" "$(became)" "$want"
	begin
	while IFS= read -r url; do curl -g -s -o /dev/null -x "$proxy_url" -- "$url"; done < due
	# The user went into a header.
	sed 's|^http://example.org/secret$|http://user:p%40w@example.org/secret|' asked > whole
	reports whole | observe
	same "what curl asks for is what it was given" "$(became)" "$want"
	begin
	while IFS= read -r url; do curl -s -o /dev/null -x "$proxy_url" -- "$url"; done < due
	same "no URL that is handed out is many to a curl that is not told --globoff" "$(wc -l < asked)" "$count"
	sed 's|^http://example.org/secret$|http://user:p%40w@example.org/secret|' asked > whole
	reports whole | observe
	same "a curl without --globoff fetches the URLs that it was given" "$(became)" "$want"
else
	skip "a curl without --globoff fetches the URLs that it was given" "curl is not installed"
	skip "no URL that is handed out is many to a curl that is not told --globoff" "curl is not installed"
	skip "what curl reports as the effective URL is what it was given" "curl is not installed"
	skip "what curl asks for is what it was given" "curl is not installed"
fi

python=
for candidate in python3 /usr/bin/python3; do
	"$candidate" -c 'import scrapy' 2> /dev/null && python=$candidate && break
done
if [ -n "$python" ]; then
	cat > spider.py <<'PY'
import scrapy
class Spider(scrapy.Spider):
    name = "spider"
    def start_requests(self):
        for line in open("due", encoding="utf-8"):
            yield scrapy.Request(line.rstrip("\n"), meta={"proxy": self.proxy}, dont_filter=True)
    def parse(self, response):
        yield {"url": response.url, "status": response.status, "body": response.text}
PY
	begin
	timeout 90 "$python" -m scrapy runspider spider.py -a proxy="$proxy_url" -O items.jsonl --loglevel=ERROR -s TELNETCONSOLE_ENABLED=0 > /dev/null 2>&1
	observe items.jsonl
	same "what Scrapy reports is what it was given" "$(became)" "$want"
else
	skip "what Scrapy reports is what it was given" "scrapy is not installed"
fi

# A fetcher that asks for something else says what it answers.
begin
sed 's|.*|{"url":"http://mirror.example/page","answers":"&","body":"Boats leave the old pier at nine and at noon."}|' <(sed 's/[\\"]/\\&/g' due) | observe
same "a fetcher that rewrites URLs reports to the pages that it was given" "$(became)" "$want"
done_testing
