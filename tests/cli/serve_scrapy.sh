#!/usr/bin/env bash
# Scrapy with tools/scrapy/perennial_scrapy.py: it fetches what is due from a local site, and reports what came.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"
python=
for candidate in python3 /usr/bin/python3; do
	"$candidate" -c 'import scrapy' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || skip_all "scrapy is not installed: it is what fetches"

cat > "$tmp/site.py" <<'PY'
import gzip, http.server, sys
class Site(http.server.BaseHTTPRequestHandler):
    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def do_GET(self):
        with open(sys.argv[1] + ".all", "a") as log:
            log.write(self.path + "\n")
        if self.headers["If-None-Match"] or self.headers["If-Modified-Since"]:
            with open(sys.argv[1], "a") as log:
                log.write(f'{self.path} {self.headers["If-None-Match"]} {self.headers["If-Modified-Since"]}\n')
        if self.path == "/tagged" and self.headers["If-None-Match"] == '"v1"':
            self.send_response(304)
            self.send_header("ETag", '"v1"')
            self.end_headers()
            return
        text = f"<p>{self.path}: boats to the islands leave the old pier at nine and at noon, and come back before dark</p>".encode()
        if self.path.startswith("/page"):
            self.answer(200, text, Content_Type="text/html", Last_Modified="Sun, 10 May 2026 11:00:00 GMT")
        elif self.path == "/tagged":
            self.answer(200, text, Content_Type="text/html", ETag='"v1"')
        elif self.path == "/packed":
            self.answer(200, gzip.compress(text), Content_Type="text/html", Content_Encoding="gzip")
        elif self.path == "/moving":
            self.answer(301, Location="/page8")
        elif self.path == "/moved":
            self.answer(301, Location="/page9")
        elif self.path == "/named":
            self.answer(301, Location="/caf\u00c3\u00a9")  # the bytes of UTF-8 as they are, as many servers send them
        elif self.path == "/caf%C3%A9":
            self.answer(200, text, Content_Type="text/html")
        elif self.path == "/short":
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(text) + 1000))
            self.end_headers()
            self.wfile.write(text)
            self.close_connection = True
        elif self.path == "/sitemap.xml":
            entry = f"<url><loc>http://127.0.0.1:{server.server_port}/page1</loc><lastmod>2040-01-01</lastmod></url>"
            changed = entry.replace("page1", "tagged").replace("2040-01-01", "2026-02-01")
            self.answer(200, f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entry}{changed}</urlset>'.encode(),
                        Content_Type="application/xml")
        elif self.path == "/robots.txt":
            self.answer(200, b"User-agent: *\nDisallow: /private\n", Content_Type="text/plain")
        elif self.path == "/inside":
            self.answer(301, Location="/private/target")
        elif self.path.startswith("/hop"):
            self.answer(301, Location=self.path + "p")
        elif self.path == "/refreshing":
            self.answer(200, f'<meta http-equiv="refresh" content="0; url=/private/other">{text.decode()}'.encode(), Content_Type="text/html")
        elif self.path == "/closed":
            self.answer(503, Retry_After="600")
        elif self.path == "/broken":
            self.answer(500)
        else:
            self.answer(404, b"nothing here")
    def log_message(self, *words): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
print(server.server_port, flush=True)
server.serve_forever()
PY
"$python" "$tmp/site.py" "$tmp/asked" > "$tmp/port" &
site_pid=$!
disown
trap 'kill -KILL "$site_pid" $server_pid 2>/dev/null; rm -rf "$tmp"' EXIT
for ((i = 0; i < 100; i++)); do [ -s "$tmp/port" ] && break; sleep 0.1; done
site=http://127.0.0.1:$(cat "$tmp/port")
printf '0123456789abcdef0123456789abcdef\n' > "$tmp/token" && chmod 600 "$tmp/token"
ok "a server with a token starts for Scrapy" start_server --token-file="$tmp/token" --host-limit=0 --host-delay=0s
{ for i in 1 2 3 4 5; do echo "$site/page$i"; done; echo "$site/packed"; echo "$site/moved"; echo "$site/gone"; echo "http://127.0.0.1:1/refused"; } > "$tmp/urls"
post /v1/pages --data-binary @"$tmp/urls"
same "the server takes the pages of the site" "$(grep -c added <<<"$body")" 9

# The extension as pip installs it, where there is pip.
extension=$SRCDIR/tools/scrapy
if "$python" -c 'import pip, setuptools, wheel' 2>/dev/null; then
	cp -R "$SRCDIR/tools/scrapy" "$tmp/package" && chmod -R u+w "$tmp/package"
	code "the extension is a package that pip installs without the network" 0 "$python" -m pip -q install --no-build-isolation --no-deps --no-index --target="$tmp/installed" "$tmp/package"
	extension=$tmp/installed
else
	skip "the extension is a package that pip installs without the network" "python3-pip, python3-setuptools or python3-wheel is not installed"
fi

# A spider as a user has it, and the settings that the extension asks for.  Scrapy sees every five seconds whether it has
# anything left to do, and the extension tries a server that is gone for ten: neither time is what is tested.
cat > "$tmp/spider.py" <<'PY'
import perennial_scrapy, scrapy, time
from twisted.internet.task import LoopingCall
start = LoopingCall.start
LoopingCall.start = lambda call, interval, now=True: start(call, 0.1 if interval == 5 else interval, now)
perennial_scrapy.ATTEMPTS = 2
report = perennial_scrapy.Refresh.report
def told(self, url, status, *more):
    with open("told", "a") as file:
        file.write(f"{status} {url}\n")
    return report(self, url, status, *more)
perennial_scrapy.Refresh.report = told
class Picky:
    def process_request(self, request, spider):
        if "/unwanted" in request.url:
            raise scrapy.exceptions.IgnoreRequest()
    def process_response(self, request, response, spider):
        if "/page-unread" in request.url:
            raise scrapy.exceptions.IgnoreRequest("nobody reads it")
        return response
class Failing:
    def process_spider_input(self, response, spider):
        if "/page-slip" in response.url or "/page-bored" in response.url:
            time.sleep(1.1)  # a report of the same second is a duplicate
            raise ValueError("a slip") if "slip" in response.url else scrapy.exceptions.IgnoreRequest("bored")
class Spider(scrapy.Spider):
    name = "refresh"
    custom_settings = {"DOWNLOADER_MIDDLEWARES": {Picky: 1000}, "SPIDER_MIDDLEWARES": {Failing: 1000}}
    def closed(self, reason):
        with open("reason", "w") as file:
            file.write(reason)
    def parse(self, response):
        yield {"url": response.url, "length": len(response.body)}
PY
crawl() {
	local spider=${spider:-spider}
	(cd "$tmp" && PYTHONPATH=$extension PYTHONDONTWRITEBYTECODE=1 timeout 90 "$python" -m scrapy runspider $spider.py -O items.jl --loglevel=ERROR \
		-s 'EXTENSIONS={"perennial_scrapy.Refresh": 0}' -s PERENNIAL_URL="$server" -s PERENNIAL_TOKEN_FILE=token \
		-s PERENNIAL_ONCE=1 -s ROBOTSTXT_OBEY=1 -s TELNETCONSOLE_ENABLED=0 "$@")
}
code "Scrapy crawls until nothing is due" 0 crawl
same "Scrapy crawls without a complaint of the extension" "$(grep -c "\[perennial_scrapy\]" <<<"$err")" 0
same "the spider parsed each page" "$(grep -c /page "$tmp/items.jl")" 6
for page in page1 page5 packed page9; do
	get "/v1/page?url=$site/$page"
	same "the extension reports /$page" "$(member status) $(member visits)" '"live" 1'
done
get "/v1/page?url=$site/moved"
same "the extension reports a redirect" "$(member visits)" 1
get "/v1/page?url=$site/gone"
same "the extension reports a page that is gone" "$(member visits) $(member gones)" "0 1"
get "/v1/page?url=http://127.0.0.1:1/refused"
same "the extension reports a host that did not answer" "$(member visits) $(member failures)" "0 1"
get "/v1/page?url=$site/robots.txt"
same "robots.txt is not reported as a page" "$status" 404

# Pages whose servers told how to know the version again.
post "/v1/observe?url=$site/tagged&etag=%22v1%22&time=2026-01-01" -H 'Content-Type: text/html' --data-binary '<p>Boats.</p>'
post "/v1/observe?url=$site/moving&etag=%22v9%22&time=2026-01-01" -H 'Content-Type: text/html' --data-binary '<p>Boats.</p>'
code "Scrapy crawls pages whose servers told how to know the version again, and reads sitemaps" 0 crawl -s PERENNIAL_SITEMAPS="$site/sitemap.xml,$site/nomap.xml"
like "the extension says that a sitemap cannot be read" "$err" "a sitemap cannot be read: $site/nomap.xml"
get "/v1/page?url=$site/tagged"
like "what a sitemap says that a page has changed is told as a hint" "$body" '"hints":\[\{"source":"sitemap'
get "/v1/page?url=$site/sitemap.xml"
same "a sitemap that is told as a hint is not reported as a page" "$status" 404
same "a sitemap does not reach the spider" "$(grep -c sitemap "$tmp/items.jl")" 0
same "the extension sends back what the server sent, but not to where it redirects" "$(sort "$tmp/asked")" "/moving \"v9\" None
/tagged \"v1\" None"
get "/v1/page?url=$site/tagged"
same "the extension reports 304" "$(member visits)" 2
like "the extension reports the tag that a 304 came with" "$body" '"etag":"\\"v1\\""'
same "a page that was answered 304 does not reach the spider" "$(grep -c /tagged "$tmp/items.jl")" 0
same "the target of the redirect reaches the spider" "$(grep -c /page8 "$tmp/items.jl")" 1
cat > "$tmp/untyped.py" <<'PY'
import json, perennial_scrapy, sys, types
teller = types.SimpleNamespace(server=sys.argv[1], token=sys.argv[2])
for day in (1, 2):
    told = perennial_scrapy.Refresh.call(teller, "POST", "/v1/observe", {"url": "http://untyped.example/", "status": 200, "time": f"2026-01-0{day}"}, f"<!doctype html><p>boats leave at nine<!-- {day} -->".encode())
    print(json.loads(told)["outcome"], json.loads(told)["divergence"])
PY
code "the extension reports a page without a type" 0 env PYTHONPATH="$extension" PYTHONDONTWRITEBYTECODE=1 "$python" "$tmp/untyped.py" "$server" "$(cat "$tmp/token")"
same "a page without a type is HTML by its first bytes: another comment is no change" "$out" $'observed 0.0\nobserved 0.0'

cat > "$tmp/unheard.py" <<'PY'
import perennial_scrapy, socket, threading, types
perennial_scrapy.time.sleep = lambda seconds: None
listening = socket.create_server(("127.0.0.1", 0))
def serve():
    for answer in (b"", b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"):
        connection = listening.accept()[0]
        connection.recv(65536)
        connection.sendall(answer)
        connection.close()
threading.Thread(target=serve, daemon=True).start()
teller = types.SimpleNamespace(server=f"http://127.0.0.1:{listening.getsockname()[1]}", token="")
perennial_scrapy.ATTEMPTS = 4
print(perennial_scrapy.Refresh.call(teller, "POST", "/v1/observe", {}, b"words").decode())
PY
code "the extension asks a daemon again that closes the connection, or whose answer is cut or none" 0 env PYTHONPATH="$extension" PYTHONDONTWRITEBYTECODE=1 "$python" "$tmp/unheard.py"
same "the daemon answers then" "$out" "{}"

cat > "$tmp/large.py" <<'PY'
import os, perennial_scrapy, sys, types
os.environ["http_proxy"] = "http://127.0.0.1:1"
slept = []
perennial_scrapy.time.sleep = slept.append
teller = types.SimpleNamespace(server=sys.argv[1], token=sys.argv[2])
try:
    perennial_scrapy.Refresh.call(teller, "POST", "/v1/observe", {"url": "http://large.example/"}, b"a " * 10000000)
except Exception as error:
    print(error, slept)
PY
code "the extension reports a page that is too large" 0 env PYTHONPATH="$extension" PYTHONDONTWRITEBYTECODE=1 "$python" "$tmp/large.py" "$server" "$(cat "$tmp/token")"
like "what the daemon refuses is told as that, and not sent again, whatever proxy there is for other servers" "$out" "^413: .*16777216 bytes taken here.* \[\]$"

cat > "$tmp/reset.py" <<'PY'
import perennial_scrapy, socket, struct, threading, types
perennial_scrapy.ATTEMPTS = 1
listening = socket.create_server(("127.0.0.1", 0))
def serve():
    connection = listening.accept()[0]
    connection.recv(9)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
threading.Thread(target=serve, daemon=True).start()
try:
    perennial_scrapy.Refresh.call(types.SimpleNamespace(server=f"https://127.0.0.1:{listening.getsockname()[1]}", token=""), "POST", "/v1/observe", {}, b"words")
except OSError as error:
    print(type(error).__name__)
PY
code "the extension reports to a daemon whose TLS is reset before anything is asked" 0 env PYTHONPATH="$extension" PYTHONDONTWRITEBYTECODE=1 "$python" "$tmp/reset.py"
same "it is told as that" "$out" ConnectionResetError

# A Location that is no ASCII, and what ends too soon.
printf '%s\n' "$site/named" "$site/short" > "$tmp/urls"
post /v1/pages --data-binary @"$tmp/urls"
code "Scrapy crawls where a Location is no ASCII, and an answer is cut short" 0 crawl
get "/v1/page?url=$site/caf%25C3%25A9"
same "the target of a redirect is the page that Scrapy goes to, where it is sent as UTF-8" "$status $(member visits)" "200 1"
get "/v1/page?url=$site/caf%25C3%2583%25C2%25A9"
same "Scrapy's redirects add no page that the site does not have" "$status" 404
get "/v1/page?url=$site/short"
same "an answer that was cut short is reported as none" "$(member visits) $(member failures)" "0 1"

# What is not to be asked for.
printf '%s\n' "$site/private/page" "$site/inside" "$site/unwanted" "$site/page-unread" "$site/hop" > "$tmp/urls"
post /v1/pages --data-binary @"$tmp/urls"
: > "$tmp/asked.all" > "$tmp/told"
code "Scrapy crawls where a robots.txt, a middleware and the number of redirects forbid something" 0 crawl --loglevel=INFO -s REDIRECT_MAX_TIMES=1
crawled=$err
same "what robots.txt forbids is not asked for, nor is where a redirect leads that it forbids" "$(grep -c private "$tmp/asked.all")" 0
like "the extension says of a page that robots.txt forbids that it is ignored, and why" "$crawled" "INFO: ignored: $site/private/page: Forbidden by robots.txt"
same "pages that are ignored are counted as that" "$(sed -n "s/.*'perennial.ignored': //p" <<<"$crawled")" 4,
same "pages that are ignored are reported as refused, and no page twice: the end of too many redirects was reported when it came" "$(grep -v /hopp "$tmp/told" | sort)" \
	"$(printf '%s\n' "301 $site/hop" "301 $site/inside" "403 $site/page-unread" "403 $site/private/page" "403 $site/private/target" "403 $site/unwanted")"
same "no page is reported as without an answer" "$(grep -c '^0 ' "$tmp/told")" 0
same "a page that is ignored is not handed out again in the same crawl" "$(grep "INFO: ignored" <<<"$crawled" | grep -vc " leads: ")" 4
for page in private/page private/target unwanted page-unread; do
	get "/v1/page?url=$site/$page"
	same "a page that is ignored waits, and is neither on lease nor gone: /$page" "$(member status) $(member visits) $(member failures) $(member gones) $(member lease_until)" '"new" 0 1 0 null'
done
get "/v1/page?url=$site/page1"
same "other pages of its host are not held back" "$(member failures) $(member held_by)" "0 null"

# Pages that came, and of which a middleware of the spider makes an error.
printf '%s\n' "$site/page-slip" "$site/page-bored" > "$tmp/urls"
post /v1/pages --data-binary @"$tmp/urls"
: > "$tmp/told"
code "Scrapy crawls where a middleware of the spider fails" 0 crawl
for page in page-slip page-bored; do
	get "/v1/page?url=$site/$page"
	same "a page that came is reported once, whatever the spider makes of it: /$page" "$(grep -c "$page" "$tmp/told") $(member visits) $(member failures)" "1 1 0"
done
for ((i = 20; i < 40; i++)); do echo "$site/page$i"; done > "$tmp/urls"
post /v1/pages --data-binary @"$tmp/urls"
code "Scrapy ends before all is fetched that was handed out" 0 crawl -s CLOSESPIDER_PAGECOUNT=3 -s CONCURRENT_REQUESTS=1
get /v1/stats
same "what a spider that closes has not fetched is given back" "$(member leased)" 0
left=0 failed=0
for ((i = 20; i < 40; i++)); do
	get "/v1/page?url=$site/page$i"
	[ "$(member visits)" = 1 ] || left=$((left + 1))
	[ "$(member failures)" = 0 ] || failed=$((failed + 1))
done
same "and has not failed" "$((left > 10)) $failed" "1 0"

# A daemon that answers late, when the spider closes already.
post /v1/pages --data-binary "$site/page-late"
kill -STOP "$server_pid"
crawl -s CLOSESPIDER_TIMEOUT=1 > /dev/null 2> "$tmp/late.err" &
late=$!
sleep 4
kill -CONT "$server_pid"
ok "a spider ends that closes while it asks what is due" wait "$late"
get "/v1/page?url=$site/page-late"
same "what is handed out then is given back, and has not failed" "$(member visits) $(member failures) $(member lease_until)" "0 0 null"
same "and the extension does not complain" "$(cat "$tmp/late.err")" ""
code "Scrapy crawls it the next time" 0 crawl

# A daemon that does not answer for a while: what a spider fetches by itself waits, and is not heaped up.
cat > "$tmp/eager.py" <<'PY'
from spider import Spider, scrapy
class Eager(Spider):
    name = "eager"
    def start_requests(self):
        for i in range(300):
            yield scrapy.Request(f"{self.site}/page-eager{i}", self.parse)
PY
: > "$tmp/asked.all"
kill -STOP "$server_pid"
spider=eager crawl -a site="$site" -s PERENNIAL_REPORTS=20 > /dev/null 2> "$tmp/eager.err" &
eager=$!
for ((i = 0; i < 100; i++)); do [ "$(grep -c eager "$tmp/asked.all")" -ge 20 ] && break; sleep 0.1; done
sleep 2
heaped=$(grep -c eager "$tmp/asked.all")
kill -CONT "$server_pid"
ok "a spider goes on when the daemon answers again" wait "$eager"
ok "no more is fetched meanwhile than may wait, and what was on its way: $heaped" test "$heaped" -ge 20 -a "$heaped" -le 60
same "all is reported then, and nothing failed" "$(get "/v1/page?url=$site/page-eager299"; member visits) $(grep -c eager "$tmp/asked.all") $(grep -c "not reported" "$tmp/eager.err")" "1 300 0"

# What fails, with the retries that Scrapy has by default.
post /v1/pages --data-binary "$site/broken"
code "Scrapy crawls a page that its server cannot make" 0 crawl
get "/v1/page?url=$site/broken"
same "a page that is due and fails is not fetched again at once: the store says when" "$(grep -c '^/broken$' "$tmp/asked.all") $(member failures)" "1 1"
post /v1/pages --data-binary "$site/closed"
code "Scrapy crawls a host that is closed" 0 crawl
same "Scrapy does not ask a host before the time that it said" "$(grep -c '^/closed$' "$tmp/asked.all")" 1
get "/metrics"
like "the extension reports a host that is closed with its Retry-After" "$body" '^perennial_observations_total\{outcome="host-delayed"\} 1$'
stop_server

# Where a redirect leads that the store does not follow, and a page that leads on by its text (meta refresh): both to what robots.txt forbids.
mv "$tmp/store" "$tmp/followed"
ok "a server starts that follows no redirect for Scrapy" start_server --token-file="$tmp/token" --host-limit=0 --host-delay=0s --redirects-per-host=0
post /v1/pages --data-binary "$site/inside"$'\n'"$site/refreshing"
: > "$tmp/told"
code "Scrapy crawls pages that lead to what robots.txt forbids" 0 crawl --loglevel=INFO
same "where a redirect leads that is forbidden is no page, and the page that leads there on by its text is refused" "$(sort "$tmp/told")" "301 $site/inside"$'\n'"403 $site/refreshing"
like "the log says where a page leads that is refused" "$err" "INFO: ignored: $site/private/other, where $site/refreshing leads: Forbidden by robots.txt"
for page in private/target private/other; do
	get "/v1/page?url=$site/$page"
	same "the store has no page that nobody added: /$page" "$status" 404
done
get /v1/stats
same "and nothing stays on lease" "$(member leased)" 0
stop_server
rm -r "$tmp/store"
mv "$tmp/followed" "$tmp/store"

# An hour's budget is there at first, ten pages, and then one more every six minutes: PERENNIAL_ONCE does not wait for that.
mv "$tmp/store" "$tmp/unbounded"
"$PERENNIAL" init --state="$tmp/store" --budget=240/day > /dev/null 2>&1
ok "a server with a budget starts for Scrapy" start_server --token-file="$tmp/token" --host-limit=0 --host-delay=0s
for ((i = 0; i < 12; i++)); do echo "$site/page$i"; done > "$tmp/urls"
post /v1/pages --data-binary @"$tmp/urls"
code "a crawl that ends when nothing is due ends when the budget has no room, though it will have before one would ask again" 0 crawl -s PERENNIAL_WAIT=3600
get /metrics
like "what the budget had room for was crawled" "$body" '^perennial_observations_total\{outcome="observed"\} 10$'
stop_server

# Pages that are due again all the time: those are for the next crawl.
rm -r "$tmp/store"
ok "a server starts whose pages are due again every second" start_server --token-file="$tmp/token" --host-limit=0 --host-delay=0s --min-interval=1s --max-interval=1s
post /v1/pages --data-binary @"$tmp/urls"
code "a crawl that ends when nothing is due leaves what becomes due again to the next" 0 crawl
stop_server
rm -r "$tmp/store"
mv "$tmp/unbounded" "$tmp/store"
ok "a server whose clock is years behind starts" start_server --token-file="$tmp/token" --now=2020-01-01 --host-limit=0 --host-delay=0s
post /v1/pages --data-binary "$site/page6"
code "Scrapy crawls for a server whose clock is behind" 0 crawl --loglevel=WARNING
like "the extension says of a refused report which and why" "$err" "refused: $site/page6: its time is in the future"
stop_server
code "Scrapy ends without a server" 0 env crawl= bash -c "$(declare -f crawl); tmp='$tmp' python='$python' server='$server' extension='$extension'; crawl"
like "the extension says that nobody says what is due" "$err" "nobody says what is due"
same "the crawl that nobody told what is due ends with that reason" "$(cat "$tmp/reason")" perennial_unanswered
done_testing
