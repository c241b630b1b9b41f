"""A store without a server: pages, what is due and what came, by the library in this process."""

from __future__ import annotations

import datetime
import ipaddress
import threading
import time as clock
from types import TracebackType
from typing import Any, Callable, Iterable, Optional, Union

from . import policy as _policy
from ._library import ArgumentError, Path, call, chars, check, ffi, lib, path_chars, text
from .client import Due, Page, page_line
from .policy import Policy, T
from .trace import UNKNOWN, Time, seconds

ADDED = ("added", "known", "revived")


def _time_text(time: int) -> Optional[str]:
    return None if time == UNKNOWN else datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _http_time(time: int) -> str:
    return text(lib.prn_time_format_http(time, ffi.new("char[]", lib.PRN_TIME_TEXT)))


def _read_time(value: "Union[str, Time, None]", read: Any = None) -> int:
    """A time as it was given, or of a text by one of the library's readers; what is none is UNKNOWN, as a header."""
    if value is None:
        return UNKNOWN
    if not isinstance(value, str):
        return seconds(value)
    out = ffi.new("int64_t *")
    return out[0] if not (read or lib.prn_time_parse)(chars(value), out) else UNKNOWN


class Store:
    """A store of pages beside a fetcher, open for writing, or with read_only for looking.

    Each call that changes it is durable when it returns, and one that raises has changed nothing: what a policy of Python raises
    comes out of the call that asked it, and the next one asks it anew.  Only what a signal handler raises, as KeyboardInterrupt, may
    come out after the change was made, for Python hears of a signal when C has returned: make such a call again.  A clock is asked only where now is not given.  One writer has a store at a
    time; several fetchers share one by `perennial serve` and a Client, whose methods these are.

    options are those of the commands' rules, by their names in struct prn_decider_options: host_limit=0, host_delay_s=0.0,
    known_only=True, retire_after=5, …  ArgumentError: there is no such option, or it is outside its range.
    """

    def __init__(self, path: Path, *, read_only: bool = False, **options: Any) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._decider = self._observer = None
        wanted = ffi.new("struct prn_decider_options *")
        lib.prn_decider_options_init(wanted)
        known = {name for name, member in ffi.typeof("struct prn_decider_options").fields if member.type.kind == "primitive"} - {
            "interval_count",
            "host_count",
        }
        for name, value in options.items():
            if name not in known:
                raise ArgumentError(f"a store has no option {name}; it has {', '.join(sorted(known))}")
            try:
                setattr(wanted, name, value)
            except (TypeError, OverflowError) as error:
                raise ArgumentError(f"{name} is {value!r}: {error}") from None
        self._run = _policy.Run()

        def opened() -> Any:
            out = ffi.new("struct prn_decider **")
            call(lib.prn_decider_open, out, path_chars(path), lib.PRN_STORE_READ if read_only else lib.PRN_STORE_WRITE, wanted)
            return ffi.gc(out[0], lib.prn_decider_free)

        self._decider = self._run.within(opened)
        lib.prn_decider_guard_commits(self._decider, ffi.addressof(lib, "binding_guard"), self._run.stop)

    @classmethod
    def create(
        cls,
        path: Path,
        *,
        policy: "Union[str, Policy, type[Policy]]" = "drift",
        threshold: float = 0,
        budget: Optional[str] = None,
        cost_304: Optional[str] = None,
        words: int = 0,
        **options: Any,
    ) -> "Store":
        """Makes a store, and opens it for writing.  threshold 0 is 0.25; budget is such as "5000/day" or "2GB/day".

        A store of a policy of Python is opened after that was registered.
        """
        settings, amount = ffi.new("struct prn_decider_settings *"), ffi.new("struct prn_budget *")
        if budget is not None and not lib.prn_budget_parse(chars(budget), amount):
            raise ArgumentError(f"the budget is '{budget}', and is to be visits or bytes in a time, such as 5000/day, 200/hour or 2GB/day")
        kept = [ffi.new("char[]", chars(_policy.specification(policy))), ffi.new("char[]", chars(cost_304 or ""))]
        settings.policy, settings.cost_304 = kept
        settings.threshold, settings.shingle_words = threshold, words
        settings.budget_per_day, settings.unit = amount.per_day, amount.unit
        _policy.Run().within(lambda: call(lib.prn_decider_create, path_chars(path), settings))
        return cls(path, **options)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, kind: "Optional[type[BaseException]]", error: Optional[BaseException], where: Optional[TracebackType]) -> None:
        self.close()

    def close(self) -> None:
        """Closes the store.  All that was done is there already."""
        with self._lock:
            if self._observer is not None:
                ffi.release(self._observer)
                self._observer = None
            if self._decider is not None:
                ffi.release(self._decider)
                self._decider = None

    def __repr__(self) -> str:
        return f"<Store {self.path}{': closed' if self._decider is None else ''}>"

    @property
    def _open(self) -> Any:
        if self._decider is None:
            raise ArgumentError(f"the store {self.path} is closed")
        return self._decider

    @property
    def policy(self) -> str:
        """The specification of its policy."""
        return text(lib.prn_decider_specification(self._open))

    def _within(self, work: "Callable[[], T]") -> T:
        """Does what may ask the policy, alone."""
        with self._lock:
            try:
                return self._run.within(work)
            finally:
                self._run.begin()

    def _durable(self, stage: "Callable[[Any], None]") -> None:
        """Stages, and makes it durable; again where another process was faster."""
        self._within(lambda: self._commit(stage))

    def _commit(self, stage: "Callable[[Any], None]") -> None:
        tries = ffi.new("unsigned *")
        while True:
            error = ffi.new("struct prn_error *")
            try:
                stage(error)
                code = lib.prn_decider_commit(self._open, error)
            except _Failed as failed:
                code = failed.code
            except BaseException:
                lib.prn_decider_abandon(self._open)
                raise
            if not lib.prn_decider_again(self._open, code, tries):
                break
        if code:
            lib.prn_decider_abandon(self._open)
        check(code, error)

    def add(self, pages: "Iterable[Page]", *, now: Optional[Time] = None) -> "list[dict[str, Any]]":
        """Pages to look after: URLs, pairs of URL and weight, or dicts with url and weight.  Of each: url, and outcome (added, known,
        revived).  All are added, or none: where one is no URL this raises, and Client.add() answers it with error."""
        given = [(page["url"], _weight(page)) for page in map(page_line, pages)]
        outcomes: "list[dict[str, Any]]" = []

        def stage(error: Any) -> None:
            outcomes.clear()
            added = ffi.new("enum prn_added *")
            for url, weight in given:
                _stage(lib.prn_decider_add(self._open, chars(url), weight, _now(now), added, error))
                outcomes.append({"url": url, "outcome": ADDED[added[0]]})

        self._durable(stage)
        return outcomes

    def forget(self, url: Optional[str] = None, *, host: Optional[str] = None, prefix: Optional[str] = None) -> int:
        """Takes a page, or all of a host or a SURT prefix, out of the store; returns how many were known."""
        by = [(kind, what) for kind, what in ((lib.PRN_FORGET_URL, url), (lib.PRN_FORGET_HOST, host), (lib.PRN_FORGET_SURT, prefix)) if what is not None]
        if len(by) != 1:
            raise ArgumentError("one of url, host and prefix says what is forgotten")
        count = ffi.new("uint64_t *")
        self._within(lambda: call(lib.prn_decider_forget, self._open, by[0][0], chars(by[0][1]), count))
        return count[0]

    def due(self, limit: int = 100, lease: float = 3600, *, now: Optional[Time] = None) -> Due:
        """Pages to fetch now, most valuable first, on lease for so many seconds; 0: only a look."""
        request = ffi.new("struct prn_due_request *", {"now": _now(now), "limit": limit, "lease_s": lease})
        pages = ffi.new("struct prn_due_list *")
        lib.prn_due_list_init(pages)
        due = Due()
        try:
            self._within(lambda: call(lib.prn_decider_due, self._open, request, pages))
            for i in range(pages.count):
                page = pages.items[i]
                line = {"url": text(page.url), "weight": page.weight, "value": page.value, "due_time": _time_text(page.due)}
                line.update({"lease_until": _time_text(page.lease), "reason": text(lib.prn_next_name(page.reason))})
                if page.validators.etag[0] != b"\0":
                    line["if_none_match"] = text(page.validators.etag)
                if page.validators.modified != UNKNOWN:
                    line["if_modified_since"] = _http_time(page.validators.modified)
                due.append(line)
            due.next_time = _time_text(pages.next) if pages.count < limit else None
            due.unreadable, due.over_budget = pages.unreadable, pages.over_budget
        finally:
            lib.prn_due_list_release(pages)
        return due

    def release(self, urls: "Iterable[str]", *, now: Optional[Time] = None) -> "list[dict[str, Any]]":
        """Gives leases back: of each URL its outcome (released, not-leased)."""
        given = list(urls)
        outcomes: "list[dict[str, Any]]" = []

        def stage(error: Any) -> None:
            outcomes.clear()
            released = ffi.new("bool *")
            for url in given:
                _stage(lib.prn_decider_release(self._open, chars(url), _now(now), released, error))
                outcomes.append({"url": url, "outcome": "released" if released[0] else "not-leased"})

        self._durable(stage)
        return outcomes

    def report(
        self,
        url: str,
        body: Union[bytes, str] = b"",
        *,
        status: int = 200,
        content_type: Optional[str] = None,
        time: Optional[Time] = None,
        now: Optional[Time] = None,
        location: Optional[str] = None,
        last_modified: "Union[str, Time, None]" = None,
        etag: Optional[str] = None,
        retry_after: Optional[int] = None,
        address: Optional[str] = None,
        weight: float = 0,
    ) -> "dict[str, Any]":
        """Reports what came of a page; returns the decision: url, time, outcome, next_time, period_s, divergence, utility, reason.

        body is unpacked; a str is UTF-8.  time is when it was fetched: now, if not given.  An etag that is none is left out.  address is
        the server's, of IPv4 or IPv6.
        """
        moment = _now(now)
        when = moment if time is None else seconds(time)
        normal, written = ffi.new("char[]", lib.PRN_URL_BYTES + 1), ffi.new("char[]", chars(url))
        if lib.prn_url_normalize(written, len(written) - 1, normal, lib.PRN_URL_BYTES + 1):
            raise ArgumentError(f"'{url}' is not an absolute http or https URL")
        content = body.encode("utf-8", "surrogateescape") if isinstance(body, str) else bytes(body)
        capture = ffi.new("struct prn_capture *")
        lib.prn_capture_init(capture, written, normal, when, lib.prn_kind_of_status(status))
        kept = [ffi.new("char[]", chars(value)) if value is not None else ffi.NULL for value in (content_type, etag)]
        capture.status, capture.weight = status, weight
        capture.content_type, capture.etag = kept
        capture.modified = _read_time(last_modified, lib.prn_time_parse_http)
        capture.retry_after_s = UNKNOWN if retry_after is None else retry_after
        if address:
            capture.address = chars(_address(address))
        if capture.kind == lib.PRN_KIND_REDIRECT:
            content = chars(location or "")
        if capture.kind in (lib.PRN_KIND_CONTENT, lib.PRN_KIND_REDIRECT):
            capture.body = ffi.from_buffer("unsigned char[]", content)
            capture.body_bytes = len(content)
        else:
            capture.ignored_bytes = min(len(content), lib.PRN_IGNORED_BYTES)
        return self._decide(capture, url, when, moment)

    def _decide(self, capture: Any, url: str, when: int, now: int) -> "dict[str, Any]":
        observation, outcome = ffi.new("struct prn_observation *"), ffi.new("struct prn_outcome *")

        def stage(error: Any) -> None:
            _stage(lib.prn_observer_make(self._observer, capture, False, observation, error))
            _stage(lib.prn_observer_decide(self._observer, observation, capture, now, outcome, error))

        lib.prn_observation_init(observation)
        try:
            with self._lock:
                if self._observer is None:
                    out = ffi.new("struct prn_observer **")
                    call(lib.prn_observer_open, out, self._open)
                    self._observer = ffi.gc(out[0], lib.prn_observer_free)
                self._durable(stage)
        finally:
            lib.prn_observation_release(observation)
        decision: "dict[str, Any]" = {"url": url, "time": _time_text(when), "outcome": text(lib.prn_outcome_name(outcome.kind))}
        if not lib.prn_outcome_is_refusal(outcome.kind):
            decision["next_time"] = _time_text(outcome.next)
            decision["period_s"] = None if outcome.period_s == float("inf") else outcome.period_s
            decision.update({"divergence": outcome.divergence, "utility": outcome.utility, "reason": text(lib.prn_next_name(outcome.reason))})
        return decision

    def stats(self, *, now: Optional[Time] = None) -> "dict[str, Any]":
        """How many pages there are, are due and are out; the threshold; and of the budget what was spent and is left."""
        stats = ffi.new("struct prn_stats *")
        self._within(lambda: call(lib.prn_decider_stats, self._open, _now(now), stats))
        budget = stats.budget_per_day > 0
        return {
            "pages": stats.totals.pages,
            "queued": stats.totals.due,
            "due": stats.due,
            "overdue": stats.overdue,
            "overdue_new": stats.overdue_new,
            "leased": stats.totals.leased,
            "waiting": stats.totals.waiting,
            "threshold": stats.threshold,
            "budget_per_day": stats.budget_per_day if budget else None,
            "unit": text(lib.prn_unit_name(stats.unit)) if budget else None,
            "load_per_day": stats.load_per_day if stats.load_per_day > 0 else None,
            "sought": stats.sought if budget else None,
            "given_day": round(stats.given_day) if budget else None,
            "left": stats.left if budget else None,
            "room": stats.room if budget else None,
            "room_time": _time_text(stats.room_time) if budget else None,
            "held_hosts": stats.held_hosts,
        }


def _address(text: str) -> str:
    """An address as inet_ntop() writes it, and one of IPv4 always as that: hosts are grouped by this text."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        address = None
    if address is None or "%" in text:  # a zone is a matter of one machine
        raise ArgumentError(f"'{text}' is no address of IPv4 or IPv6")
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


class _Failed(Exception):
    """A code of something that was to be staged."""

    def __init__(self, code: int) -> None:
        self.code = code


def _weight(page: "dict[str, Any]") -> float:
    """The weight that is given with a page, or 0: none is."""
    weight = page.get("weight")
    if weight is None:
        return 0
    if not weight > 0:
        raise ArgumentError(f"{page['url']}: the weight must be a number above 0, at most 1e9, not {weight}")
    return float(weight)


def _stage(code: int) -> None:
    if code:
        raise _Failed(code)


def _now(now: Optional[Time]) -> int:
    return int(clock.time()) if now is None else seconds(now)
