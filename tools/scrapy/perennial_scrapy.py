"""A Scrapy extension that crawls what perennial says is due, and reports what came.

In a project's settings, with this file beside them (or on PYTHONPATH, or installed by "pip install tools/scrapy") and
`perennial serve` running:

    EXTENSIONS = {"perennial_scrapy.Refresh": 0}
    PERENNIAL_URL = "http://127.0.0.1:7390"

More settings, with their defaults:

    PERENNIAL_TOKEN_FILE = ""   where the token of perennial serve is: "token" in the folder of the store
    PERENNIAL_TOKEN = ""        or the token itself
    PERENNIAL_BATCH = 100       pages asked for at a time
    PERENNIAL_LEASE = "1h"      for how long nobody else gets them; at most "1d"
    PERENNIAL_WAIT = 10         seconds until it is asked again when nothing is due
    PERENNIAL_ONCE = False      end when nothing is due, nor will be within PERENNIAL_WAIT because its host may be asked again: what becomes
                                due meanwhile, and what the budget has no room for, is left for the next crawl
    PERENNIAL_REPORTS = 100     reports, each with its page, that may wait for the daemon until the crawl waits, too; the requests that are under
                                way then are still reported: up to CONCURRENT_REQUESTS and what Scrapy has of answers come on top
    PERENNIAL_SITEMAPS = []     URLs of sitemaps and feeds, told as hints of the pages on their own hosts when the crawl begins …
    PERENNIAL_SITEMAPS_EVERY = 3600     … and again so many seconds after

A page that is due is asked for with what its server sent to know the version again: one that is answered 304 Not
Modified is reported, and does not reach the spider.  Pages that are due go to the spider's parse(); requests of the spider
itself are reported just the same, and so become pages to look after.  Nothing is lost when a report fails: the lease of its
page runs out and it is due again.  A page that is due and fails is not tried again by Scrapy at once (RETRY_ENABLED), but when the store
says, which heeds Retry-After and backs off; pages of the spider's own are, and each time is reported.  A report that is refused (of a clock that is ahead by more than a minute, for instance) is
a warning.  Where nobody says what is due, PERENNIAL_ONCE ends the crawl with the reason "perennial_unanswered".

A page that is due and that robots.txt forbids (ROBOTSTXT_OBEY), or that another middleware ignores (IgnoreRequest), is reported as 403, as if
its site had refused it: it is tried less and less often, for a robots.txt may change, and it is not retired, as a page that is gone.  The log
has each at level INFO, and the stats count them as perennial/ignored.  Links that are ignored (offsite, too deep, seen before) are no pages
and are not reported, nor is where a page leads that is forbidden: a redirect is one all the same, and a page that leads there by its text (meta
refresh) is refused.  What was handed out and is not fetched when the spider closes is given back, and has not failed.
"""

import contextlib
import datetime
import http.client
import json
import logging
import time
import urllib.parse

from scrapy import Request, signals
from scrapy.exceptions import DontCloseSpider, IgnoreRequest
from scrapy.spidermiddlewares.httperror import HttpError
from twisted.internet import defer, reactor
from twisted.internet.threads import deferToThread

logger = logging.getLogger(__name__)

ATTEMPTS = 5  # to report one page, a second apart and more
CONTENT = (200, 203, 204)
FORBIDDEN = 403  # as what a page is reported that is ignored
REFUSED = {
    "future": "its time is in the future: set this machine's clock, or the daemon's",
    "past": "its time is not after the page's last",
    "unknown": "the daemon does not know it, and takes no page from there: a redirect that it did not follow, or --known-only",
}


class Refresh:
    def __init__(self, crawler):
        settings = crawler.settings
        self.crawler = crawler
        self.server = settings.get("PERENNIAL_URL", "http://127.0.0.1:7390").rstrip("/")
        self.token = settings.get("PERENNIAL_TOKEN", "")
        if settings.get("PERENNIAL_TOKEN_FILE"):
            with open(settings["PERENNIAL_TOKEN_FILE"], encoding="ascii") as file:
                self.token = file.readline().strip()
        self.batch = settings.getint("PERENNIAL_BATCH", 100)
        self.lease = settings.get("PERENNIAL_LEASE", "1h")
        self.wait = settings.getfloat("PERENNIAL_WAIT", 10)
        self.once = settings.getbool("PERENNIAL_ONCE", False)
        self.sitemaps = [url.strip() for url in settings.getlist("PERENNIAL_SITEMAPS") if url.strip()]
        self.sitemaps_every = settings.getfloat("PERENNIAL_SITEMAPS_EVERY", 3600)
        self.sitemaps_next = 0.0 if self.sitemaps else float("inf")
        self.reports = set()  # under way
        self.reports_most = max(1, settings.getint("PERENNIAL_REPORTS", 100))
        self.held = False  # the crawl waits for these
        self.out = set()  # URLs that are on lease, and of which nothing was reported yet
        self.asking = False
        self.asked = defer.succeed(None)  # the last question what is due
        self.ended = False  # the spider is closed
        self.finished = False  # nothing is due, and nobody wants to wait
        self.began = time.time()
        self.given = set()  # URLs of pages that were due, of a crawl that ends
        self.late = False  # the last pages that were due are so only since
        crawler.signals.connect(self.sent, signal=signals.request_reached_downloader)
        crawler.signals.connect(self.downloaded, signal=signals.response_downloaded)
        crawler.signals.connect(self.received, signal=signals.response_received)
        crawler.signals.connect(self.idle, signal=signals.spider_idle)
        crawler.signals.connect(self.closed, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    # The server, from threads: Scrapy's own must not wait.

    def call(self, method, path, parameters, body=None, content_type=None):
        server = urllib.parse.urlsplit(self.server)
        target = f"{server.path}{path}?{urllib.parse.urlencode(parameters)}"
        headers = {"Content-Type": content_type or ""}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        for attempt in range(1, ATTEMPTS + 1):
            kind = http.client.HTTPSConnection if server.scheme == "https" else http.client.HTTPConnection
            connection = kind(server.hostname, server.port, timeout=60)
            try:
                connection.connect()
                # A server that refuses a body answers before it has all of it.
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    connection.request(method, target, body or b"", headers)
                answer = connection.getresponse()
                text = answer.read()
                if 200 <= answer.status < 300:
                    return text
                if answer.status not in (429, 503) or attempt == ATTEMPTS:
                    raise RuntimeError(f"{answer.status}: {text.decode(errors='replace').strip()}")
            except (OSError, http.client.HTTPException):
                if attempt == ATTEMPTS:
                    raise
            finally:
                connection.close()
            time.sleep(attempt)

    def report(self, url, status, parameters=None, body=b"", content_type=None):
        parameters = {"url": url, "status": status, "time": int(time.time()), **(parameters or {})}
        self.out.discard(url)
        deferred = deferToThread(self.call, "POST", "/v1/observe", parameters, body, content_type)
        deferred.addCallbacks(self.reported, self.failed, callbackArgs=[url])
        self.wait_for(deferred)

    def wait_for(self, deferred):
        self.reports.add(deferred)
        if len(self.reports) >= self.reports_most and not self.held:
            self.held = True
            self.crawler.engine.pause()
        deferred.addBoth(self.over, deferred)

    def over(self, result, deferred):
        self.reports.discard(deferred)
        if self.held and len(self.reports) <= self.reports_most // 2:
            self.held = False
            self.crawler.engine.unpause()

    def reported(self, answer, url):
        outcome = json.loads(answer).get("outcome", "?")
        self.crawler.stats.inc_value(f"perennial/{outcome}")
        if outcome in REFUSED:
            logger.warning("refused: %s: %s", url, REFUSED[outcome])

    def failed(self, failure):
        self.crawler.stats.inc_value("perennial/failed")
        logger.error("not reported: %s", failure.getErrorMessage())

    # What came.

    @staticmethod
    def ours(request):
        """Not robots.txt, which Scrapy fetches for itself, nor what is told as a hint."""
        robots = request.meta.get("dont_obey_robotstxt") and request.url.endswith("/robots.txt")
        return not robots and not request.meta.get("perennial_sitemap")

    @staticmethod
    def header(response, name):
        value = response.headers.get(name)
        return value.decode("latin-1") if value else None

    @staticmethod
    def location(response):
        """Where a redirect leads.  Many servers send bytes beyond ASCII, which Scrapy asks for in escapes: so does the daemon."""
        value = response.headers.get("Location")
        return "".join(chr(byte) if byte < 128 else f"%{byte:02X}" for byte in value) if value else None

    def sent(self, request, spider):
        """What the server sent to know the version again is sent back to it, but not to where it redirects."""
        page = request.meta.get("perennial", {})
        for name in ("If-None-Match", "If-Modified-Since"):
            value = page.get(name.lower().replace("-", "_"))
            if value and not request.meta.get("redirect_times"):
                request.headers[name] = value
            elif page:
                request.headers.pop(name, None)

    def validators(self, response):
        told = {"last_modified": self.header(response, "Last-Modified"), "etag": self.header(response, "ETag")}
        return {name: value for name, value in told.items() if value}

    def downloaded(self, response, request, spider):
        """Answers without content, before Scrapy follows or retries them."""
        if response.status in CONTENT or not self.ours(request):
            return
        request.meta["perennial_answered"] = (request.url,)
        told = {"location": self.location(response), "retry_after": self.header(response, "Retry-After")}
        self.report(request.url, response.status,
                    {**{name: value for name, value in told.items() if value}, **self.validators(response)})

    def received(self, response, request, spider):
        """Content, after Scrapy decompressed it."""
        if response.status not in CONTENT or not self.ours(request):
            return
        request.meta["perennial_answered"] = (request.url, response.url)
        if "cached" in response.flags:
            return
        self.report(response.url, response.status, self.validators(response), response.body,
                    self.header(response, "Content-Type"))

    def no_answer(self, failure):
        """No response, or not the whole of one; or one that came, and was reported then, of which a middleware made an error."""
        request = failure.request
        if isinstance(failure.value, HttpError) or request.url in request.meta.get("perennial_answered", ()):
            return
        if not isinstance(failure.value, IgnoreRequest):
            self.report(request.url, 0)
            return
        # Where a page leads is not asked for, and so no page.  One that leads on by its text, and not its status, was not reported yet.
        first = request.meta.get("redirect_urls", [request.url])[0]
        leads = "" if first == request.url else f", where {first} leads"
        logger.info("ignored: %s%s: %s", request.url, leads, failure.getErrorMessage() or "a middleware ignores it")
        for url in {request.url, first} & self.out:
            self.crawler.stats.inc_value("perennial/ignored")
            self.report(url, FORBIDDEN)

    # What sites say of their pages.

    def read_sitemaps(self, spider):
        self.sitemaps_next = time.monotonic() + self.sitemaps_every
        for sitemap in self.sitemaps:
            self.crawler.engine.crawl(Request(sitemap, callback=self.hint, errback=self.no_sitemap, dont_filter=True,
                                              meta={"perennial_sitemap": True}))

    def hint(self, response):
        """A document of a site's, told as a hint: not a page, and nothing for the spider."""
        deferred = deferToThread(self.call, "POST", "/v1/hint", {"base": response.url, "same_host": "yes"}, response.body,
                                 "application/octet-stream")
        deferred.addCallbacks(self.hinted, self.failed)
        self.wait_for(deferred)

    def hinted(self, answer):
        self.crawler.stats.inc_value("perennial/hints", json.loads(answer).get("taken", 0))

    def no_sitemap(self, failure):
        self.crawler.stats.inc_value("perennial/failed")
        logger.error("a sitemap cannot be read: %s: %s", failure.request.url, failure.getErrorMessage())

    # What is due.

    def idle(self, spider):
        if not self.finished and time.monotonic() >= self.sitemaps_next:
            self.read_sitemaps(spider)
        elif not self.asking and not self.reports and not self.finished:
            self.asking = True
            self.asked = deferToThread(self.call, "POST", "/v1/due", {"limit": self.batch, "lease": self.lease})
            self.asked.addCallback(self.schedule, spider).addErrback(self.unanswered, spider)
        if not self.finished:
            raise DontCloseSpider

    def schedule(self, answer, spider):
        lines = [json.loads(line) for line in answer.splitlines()]
        pages = [line for line in lines if "url" in line]
        requests = [Request(page["url"], callback=spider.parse, errback=self.no_answer,
                            meta={"perennial": page, "dont_retry": True}, dont_filter=True) for page in pages]
        self.out.update(request.url for request in requests)
        if self.ended:
            return
        for request in requests:
            self.crawler.engine.crawl(request)
        if pages:
            self.late = all(self.is_late(page) for page in pages)
            if self.once:
                self.given.update(page["url"] for page in pages)
            self.asking = False
        else:
            last = lines[-1] if lines else {}
            soon = self.seconds(last.get("next_time")) <= time.time() + self.wait
            self.rest(soon, last.get("over_budget") or self.late)

    @staticmethod
    def seconds(text):
        """A time of the server's; infinite: never."""
        if not text:
            return float("inf")
        return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc).timestamp()

    def is_late(self, page):
        """Whether a page became due since the crawl began.  One that the crawl found, which may have waited for its host, belongs to it."""
        found = page.get("reason") in ("new", "host") and page["url"] not in self.given
        return not found and self.began < self.seconds(page.get("due_time")) < float("inf")

    def unanswered(self, failure, spider):
        if self.ended:
            return
        logger.error("nobody says what is due: %s", failure.getErrorMessage())
        if self.once:
            self.finished = True
            self.crawler.engine.close_spider(spider, "perennial_unanswered")
        self.rest()

    def rest(self, soon=False, enough=True):
        """Nothing to do: for good, or until it is time to ask again.  soon: a host's delay is over, mostly."""
        if self.once and (enough or not soon):
            self.finished = True
            self.asking = False
        else:
            reactor.callLater(min(self.wait, 1) if soon else self.wait, setattr, self, "asking", False)

    def closed(self, spider):
        self.ended = True
        # What is handed out by now is given back, too.
        self.asked.addBoth(self.give_back)
        return defer.DeferredList([self.asked, *self.reports])

    def give_back(self, answer):
        if not self.out:
            return None
        lines = "".join(json.dumps({"url": url}) + "\n" for url in sorted(self.out)).encode()
        release = deferToThread(self.call, "POST", "/v1/release", {}, lines, "application/x-ndjson")
        return release.addErrback(self.failed)
