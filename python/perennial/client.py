"""A client of `perennial serve`: pages, what is due, reports of what was fetched.  It needs nothing but Python."""

from __future__ import annotations

import base64
import contextlib
import datetime
import http.client
import json
import math
import os
import re
import socket
import time as clock
import urllib.parse
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, TypeVar, Union

Json = Dict[str, Any]
Time = Union[str, int, float, datetime.datetime]
Page = Union[str, "tuple[str, float]", "Mapping[str, Any]"]
Given = TypeVar("Given")

BATCH, BATCH_BYTES = 1000, 8 << 20  # lines of one request at most, and after how many bytes it is full


class Refused(Exception):
    """The server refused a request.  status is that of HTTP, the text says what was wrong; answer is what came with it."""

    done: Optional[int]
    """Of many at once: how many of the request that was refused are done and durable all the same, the first of those that can be read.
    None: the server does not say."""
    answers: "list[Json]"
    """Of report_all(), add() and release(): the answers to the requests before, which are durable."""

    def __init__(self, status: int, answer: "dict[str, Any]") -> None:
        text = answer.get("error", "the server says no more")
        super().__init__(f"{status}: {text}")
        self.status, self.answer, self.answers = status, answer, []
        found = _DONE.search(str(text))
        self.done = int(found[1]) if found else None


_DONE = re.compile(r"\b(\d+) of the batch are done")


class Due(List[Json]):
    """Pages to fetch now, most valuable first: dicts with url, weight, value, due_time, lease_until, reason, and what to send so that
    a page which is as it was is answered 304 (if_none_match, if_modified_since)."""

    next_time: Optional[str] = None
    """When there may be more, where these are fewer than were asked for; None also: nothing is to become due."""
    over_budget: bool = False
    """More is due, and the budget has no room for it before next_time."""
    unreadable: int = 0
    """Pages that were passed over because the store cannot read them."""

    @staticmethod
    def headers(page: "Mapping[str, Any]") -> "dict[str, str]":
        """The headers of a conditional request for one of the pages."""
        told = {"If-None-Match": page.get("if_none_match"), "If-Modified-Since": page.get("if_modified_since")}
        return {name: value for name, value in told.items() if value}


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def time_text(time: Time) -> str:
    """A time as the server takes it.  A datetime without a zone is refused: it may mean any."""
    if isinstance(time, datetime.datetime):
        if time.tzinfo is None:
            raise ValueError(f"the time {time} has no zone: give it one, such as datetime.timezone.utc")
        return time.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return str(int(time)) if isinstance(time, (int, float)) else time


class Client:
    """Speaks to `perennial serve` at "http://host:port" or "unix:/path".

    token is what stands in the file token in the folder of the store; token_file names that file.  A server that is busy (429, 503)
    is asked again as it says, for as long as `patience` seconds, and so is one that has answered and cannot be reached, as while it is
    started anew; then, and for all else that it refuses, Refused is raised.  OSError: it does not answer.  What was done in part is only
    sent again by itself where that does nothing twice: report_all() says when.  Any number of threads may use one client; an event loop asks from one, as by asyncio.to_thread(client.report, …).

        client = Client("http://127.0.0.1:7390", token_file="S/token")
        for page in client.due(limit=100):
            answer = fetch(page["url"], headers=Due.headers(page))
            client.report(page["url"], answer.body, status=answer.status, content_type=answer.type, etag=answer.etag)
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:7390",
        *,
        token: Optional[str] = None,
        token_file: "Optional[Union[str, os.PathLike[str]]]" = None,
        timeout: float = 60,
        patience: float = 30,
    ) -> None:
        if token_file is not None:
            with open(token_file, encoding="ascii") as file:
                token = file.readline().strip()
        self.url, self.token, self.timeout, self.patience = url.rstrip("/"), token, timeout, patience
        self._has_answered = False
        if not url.startswith("unix:/") and not _is_address(self.url):
            raise ValueError(f"'{url}' is no server's address: http://host:port, https://host or unix:/path")

    def __repr__(self) -> str:
        return f"<Client of {self.url}>"

    # Pages.

    def add(self, pages: "Iterable[Page]") -> "list[Json]":
        """Pages to look after: URLs, pairs of URL and weight, or dicts with url and weight.  Of each: url, and outcome (added, known,
        revived), or error, where the others are added all the same: Store.add() raises, and adds none.  They may be added again: what was
        added when a server ended in the midst of them, and was sent again, is known."""
        return self._all("/v1/pages", [pages] if isinstance(pages, str) else pages, page_line)

    def forget(self, url: Optional[str] = None, *, host: Optional[str] = None, prefix: Optional[str] = None, count: Optional[int] = None) -> int:
        """Takes a page, or all of a host or a SURT prefix, out of the store; returns how many were known.

        Of host and prefix count says how many pages they have: without it, or where it is not right, Refused has the number in
        answer["pages"], and nothing is forgotten.
        """
        parameters = {"url": url, "host": host, "prefix": prefix, "count": count}
        return self._json("DELETE", "/v1/pages", parameters)["forgotten"]

    def page(self, url: str) -> "Json":
        """What is known of a page, and why its next visit is when it is.  Refused with status 404: it is not known."""
        return self._json("GET", "/v1/page", {"url": url})

    # What is due, and what came.

    def due(self, limit: int = 100, lease: "Optional[Union[str, float]]" = None) -> Due:
        """Pages to fetch now.  Nobody else gets them until they are reported, or until the lease, such as "10m" or a number of seconds, is
        over, of which a part counts as one; 0: only a look."""
        due = Due()
        for line in self._lines("POST", "/v1/due", {"limit": limit, "lease": _lease_text(lease)}):
            if "url" in line:
                due.append(line)
            else:
                due.next_time, due.unreadable = line.get("next_time"), line.get("unreadable", 0)
                due.over_budget = line.get("over_budget", False)
        return due

    def report(
        self,
        url: str,
        body: "Optional[Union[bytes, str]]" = b"",
        *,
        status: int = 200,
        content_type: Optional[str] = None,
        content_encoding: Optional[str] = None,
        time: Optional[Time] = None,
        **more: Any,
    ) -> "Json":
        """Reports what came of a page; returns the decision, which is durable: outcome, next_time, period_s, divergence, reason, …

        status is that of HTTP, 0 without an answer; a str is UTF-8.  body may be None where there is none: not with status 200.  more is, where it is known: location, last_modified, etag,
        retry_after, crawl_delay, address, weight, answers, bytes.  A location, last_modified or etag that is longer than any that is
        kept is left out, as if the site had not sent it; their bytes beyond ASCII may be read as Latin-1, as http.client does, or escaped.
        """
        if body is None and status in (200, 203):
            raise ValueError("a page that came has a body; where it is empty, that is b''")
        content = body.encode() if isinstance(body, str) else body
        more = {name: _as_sent(name, value) for name, value in more.items()}
        more = {name: value for name, value in more.items() if not _is_too_long(name, value)}
        parameters = {"url": url, "status": status, "time": None if time is None else time_text(time), **more}
        headers = {"Content-Encoding": content_encoding} if content_encoding else {}
        return self._json("POST", "/v1/observe", parameters, content, content_type or "", headers)

    def report_all(self, attempts: "Iterable[Mapping[str, Any]]") -> "list[Json]":
        """Reports many: dicts with url, status, time, content_type, body (bytes or str), and the rest as report() has it.  An answer for
        each, in their order; that of one that could not be read has error.

        They go in requests of at most 1000 reports, and of no more than some 8 MiB and the last of its reports: of attempts, which may be
        a generator, no more is held at a time.  A request that fails ends it: those of the requests before are durable, and of its own some
        may be.  They may all be sent again, if each has its time: one that was taken is answered duplicate, or past where a later one of
        its page was taken, too.  Where attempts itself fails, what it gave until then is reported first; not so where it
        is interrupted, as by Ctrl-C (KeyboardInterrupt and what else is no Exception): that ends it at once, what it gave since the last
        request is not reported, and its leases run out.  report_each() tells how far it came.

        A server that is stopped ends a request after a part of it.  Where each of its reports has its time, it is sent again, and what was
        done is answered duplicate.  Without times that would be second visits: Refused is raised, with how many are done, and answers.
        """
        return self._all("/v1/observe", attempts, _attempt, _has_time)

    def report_each(self, attempts: "Iterable[Mapping[str, Any]]") -> "Iterator[tuple[Mapping[str, Any], Json]]":
        """As report_all(), but yields each report with its answer when it is durable, and keeps none: for as many as there may be.
        Nothing is sent before the first is asked for."""
        return self._each("/v1/observe", attempts, _attempt, _has_time)

    def release(
        self, urls: "Optional[Iterable[Page]]" = None, *, host: Optional[str] = None, prefix: Optional[str] = None, everything: bool = False
    ) -> "Union[int, list[Json]]":
        """Gives leases back.  Of URLs, or of pages as due() has them, a dict each, with outcome (released, not-leased); else how many were
        out.  They may be given back again: what was when a server ended in the midst of them, and was sent again, is not-leased."""
        if urls is not None:
            return self._all("/v1/release", [urls] if isinstance(urls, str) else urls, _url_line)
        parameters = {"host": host, "prefix": prefix, "all": "yes" if everything else None}
        return self._json("POST", "/v1/release", parameters)["released"]

    def hint(self, document: Union[bytes, str], *, source: Optional[str] = None, base: Optional[str] = None, same_host: bool = False) -> "Json":
        """Tells what others say of pages: a sitemap, a feed, JSON lines or a list of URLs.  How many entries came to what."""
        content = document.encode() if isinstance(document, str) else document
        parameters = {"source": source, "base": base, "same_host": "yes" if same_host else None}
        return self._json("POST", "/v1/hint", parameters, content, "application/octet-stream")

    # The store.

    def stats(self) -> "Json":
        """What became of the budget, and which hosts are held back."""
        return self._json("GET", "/v1/stats")

    def tune(self, budget: Union[str, float], *, apply: bool = False, cost_304: Optional[str] = None) -> "Json":
        """The threshold that meets a budget, such as "5000/day"; with apply it takes effect."""
        return self._json("POST", "/v1/tune", {"budget": budget, "apply": "yes" if apply else None, "cost_304": cost_304})

    def metrics(self) -> str:
        """Numbers for Prometheus, as text."""
        return self._ask("GET", "/metrics").decode()

    def ready(self) -> bool:
        """Whether the server is of use."""
        try:
            self._ask("GET", "/readyz", patient=False)
        except (Refused, OSError):
            return False
        return True

    # How it is asked.

    def _connection(self) -> http.client.HTTPConnection:
        if self.url.startswith("unix:"):
            return _UnixConnection(self.url[len("unix:") :], self.timeout)
        parts = urllib.parse.urlsplit(self.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        return kind(parts.hostname or "", parts.port, timeout=self.timeout)

    def _once(self, method: str, target: str, body: Optional[bytes], headers: "dict[str, str]") -> "tuple[int, Optional[str], bytes]":
        connection = self._connection()
        try:
            connection.connect()
            # A server that refuses a body answers before it has all of it.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.request(method, target, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.getheader("Retry-After"), answer.read()
        except http.client.HTTPException as error:
            raise error if isinstance(error, OSError) else ConnectionError(f"{self.url} does not answer in HTTP: {error!r}") from None
        finally:
            connection.close()

    def _ask(
        self,
        method: str,
        path: str,
        parameters: "Optional[Mapping[str, Any]]" = None,
        body: Optional[bytes] = None,
        kind: Optional[str] = None,
        headers: "Optional[Mapping[str, str]]" = None,
        patient: bool = True,
        repeatable: bool = True,
    ) -> bytes:
        given = {name: value for name, value in (parameters or {}).items() if value is not None}
        folder = "" if self.url.startswith("unix:") else urllib.parse.urlsplit(self.url).path
        target = folder + path + ("?" + urllib.parse.urlencode(given, errors="surrogateescape") if given else "")
        sent = dict(headers or {})
        if kind:
            sent["Content-Type"] = kind
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        until = clock.monotonic() + self.patience
        while True:
            try:
                status, retry_after, answer = self._once(method, target, body if method == "GET" else body or b"", sent)
            except (ConnectionRefusedError, FileNotFoundError):  # nothing was sent
                if not (patient and self._has_answered) or clock.monotonic() + _ANEW > until:
                    raise
                clock.sleep(_ANEW)
                continue
            self._has_answered = True
            if 200 <= status < 300:
                return answer
            refused = Refused(status, _object(answer))
            is_again = status == 429 or status == 503 and (repeatable or _is_undone(refused))
            wait = float(retry_after) if retry_after and retry_after.isdigit() else 1.0
            if not patient or not is_again or clock.monotonic() + wait > until:
                raise refused
            clock.sleep(wait)

    def _json(self, *request: Any) -> "Json":
        return self._read(self._ask(*request))

    def _read(self, answer: bytes) -> "Json":
        try:
            return json.loads(answer)
        except ValueError:
            raise Refused(200, {"error": f"{self.url} answers as perennial serve does not: {answer[:80]!r}"}) from None

    def _each(
        self,
        path: str,
        given: "Iterable[Given]",
        line: "Callable[[Given], Mapping[str, Any]]",
        is_repeatable: "Callable[[Given], bool]" = lambda one: True,
    ) -> "Iterator[tuple[Given, Json]]":
        """Sends a line for each in requests of a bounded size: each with its answer, in their order.  is_repeatable: whether what is done
        of a line is not done again where it is sent again."""
        for batch, body in _batches(given, line):
            answers = self._lines("POST", path, body=body, kind="application/x-ndjson", repeatable=all(map(is_repeatable, batch)))
            if len(answers) != len(batch):
                raise ConnectionError(f"{self.url}{path}: {len(batch)} lines were answered with {len(answers)}")
            yield from zip(batch, map(_unnumbered, answers))

    def _all(self, *request: Any) -> "list[Json]":
        answers: "list[Json]" = []
        try:
            answers.extend(answer for _, answer in self._each(*request))
        except Refused as refused:
            refused.answers = answers
            raise
        return answers

    def _lines(self, method: str, path: str, parameters: "Optional[Mapping[str, Any]]" = None, **request: Any) -> "list[Json]":
        return [self._read(line) for line in self._ask(method, path, parameters, **request).splitlines() if line.strip()]


_ANEW = 0.5  # seconds until a server is asked again that cannot be reached


def _is_address(url: str) -> bool:
    parts = urllib.parse.urlsplit(url)
    try:
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and url.isascii() and not re.search(r"[\s\x00-\x1f\x7f?#]", url)
    except ValueError:  # of the port
        return False


def _lease_text(lease: "Optional[Union[str, float]]") -> Optional[str]:
    if not isinstance(lease, (int, float)):
        return lease
    if not 0 <= lease < math.inf:
        raise ValueError(f"a lease of {lease} seconds is none")
    return f"{math.ceil(lease)}s"


def _as_sent(name: str, value: Any) -> Any:
    """A Location as the site sent it, mostly in UTF-8, which was read as Latin-1 (http.client, requests) or escaped (aiohttp)."""
    if name != "location" or not isinstance(value, str):
        return value
    with contextlib.suppress(UnicodeError):
        return value.encode("latin-1").decode()
    return re.sub("[\udc80-\udcff]", lambda byte: f"%{ord(byte[0]) - 0xDC00:02X}", value)


_LONGEST = {"etag": 127, "last_modified": 64, "location": 8192}  # bytes, as the site sends them or, of a location, as they are asked for


def _is_too_long(name: str, value: Any) -> bool:
    """Whether a site sent what no store keeps, and would be more than the server reads."""
    if name not in _LONGEST or not isinstance(value, str):
        return False
    length = sum(1 if byte < 128 or name != "location" else len("%C3") for byte in value.encode(errors="surrogateescape"))
    return length > _LONGEST[name]


def _object(answer: bytes) -> "dict[str, Any]":
    try:
        found = json.loads(answer)
    except ValueError:
        return {"error": answer[:500].decode(errors="replace").strip()}
    return found if isinstance(found, dict) else {}


def _is_undone(refused: Refused) -> bool:
    """Whether a server says that it has done nothing of what it refuses: it was stopping before it took it, or before it began."""
    return refused.done == 0 or refused.answer.get("error") == "the server is stopping"


def _batches(given: "Iterable[Given]", line: "Callable[[Given], Mapping[str, Any]]") -> "Iterator[tuple[list[Given], bytes]]":
    """Some of the given at a time, with the bytes of their lines.  Where one cannot be had, those before it come first; who
    interrupts does not want to wait for a request that may take as long as the client's patience."""
    batch: "list[Given]" = []
    lines: "list[bytes]" = []
    size, rest = 0, iter(given)
    failure: Optional[Exception] = None
    while failure is None:
        try:
            one = next(rest)
            lines.append(json.dumps(line(one)).encode() + b"\n")
            batch.append(one)
            size += len(lines[-1])
        except Exception as error:
            failure = error
        if batch and (failure is not None or len(batch) >= BATCH or size >= BATCH_BYTES):
            yield batch, b"".join(lines)
            batch, lines, size = [], [], 0
    if not isinstance(failure, StopIteration):
        raise failure


def _unnumbered(answer: Json) -> Json:
    """An answer whose error does not begin with the number of its line, which is that in one request."""
    error = answer.get("error")
    return {**answer, "error": _NUMBER.sub("", error)} if isinstance(error, str) else answer


_NUMBER = re.compile(r"^line \d+: ")


def page_line(page: "Page") -> "dict[str, Any]":
    if isinstance(page, str):
        return {"url": page}
    return dict(page) if isinstance(page, Mapping) else {"url": page[0], "weight": page[1]}


def _url_line(page: "Page") -> "dict[str, Any]":
    return {"url": page_line(page)["url"]}


def _has_time(attempt: "Mapping[str, Any]") -> bool:
    return attempt.get("time") is not None


def _attempt(attempt: "Mapping[str, Any]") -> "dict[str, Any]":
    line = {name: _as_sent(name, value) for name, value in attempt.items() if value is not None}
    if isinstance(line.get("body"), (bytes, bytearray, memoryview)):
        line["body_base64"] = base64.b64encode(line.pop("body")).decode()
    if isinstance(line.get("time"), datetime.datetime):
        line["time"] = time_text(line["time"])
    return line
