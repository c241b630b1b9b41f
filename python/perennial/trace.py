"""Traces: the histories of many pages, as NumPy arrays."""

from __future__ import annotations

import datetime
import os
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence, Union, overload

import numpy
from numpy.typing import NDArray

from ._library import (
    ArgumentError,
    Error,
    InputError,
    NotFoundError,
    Path,
    call,
    chars,
    check,
    ffi,
    interruptible,
    lib,
    path_chars,
    strings,
    text,
    threads as thread_count,
)
from ._table import Table
from .text import SHINGLE_WORDS, normal_url

UNKNOWN: int = lib.PRN_TIME_UNKNOWN
KINDS: "tuple[str, ...]" = tuple(text(lib.prn_kind_name(kind)) for kind in range(lib.PRN_KINDS))
CONTENT, SAME, REDIRECT, GONE, REFUSED, ERROR, MISSING = range(7)
Time = Union[int, float, str, datetime.datetime, "numpy.datetime64"]


def _layout(struct: str) -> "numpy.dtype[Any]":
    """The layout of a struct of C for NumPy; what is no plain number is left out."""
    formats = {"int64_t": "i8", "uint64_t": "u8", "uint32_t": "u4", "double": "f8", "size_t": "u8"}
    names, kinds, offsets = [], [], []
    for name, member in ffi.typeof(struct).fields:
        kind = "u4" if member.type.kind == "enum" else formats.get(member.type.cname)
        if kind:
            names.append(name)
            kinds.append(kind)
            offsets.append(member.offset)
    return numpy.dtype({"names": names, "formats": kinds, "offsets": offsets, "itemsize": ffi.sizeof(struct)})


_CAPTURE = _layout("struct prn_page_capture")
_STRIPE = _layout("struct prn_stripe")
_RUN = _layout("struct prn_run")


def _array(pointer: Any, count: int, layout: "numpy.dtype[Any]") -> "NDArray[Any]":
    """An array of C's as it stands there: who keeps any of it makes a copy."""
    return numpy.frombuffer(ffi.buffer(pointer, count * layout.itemsize), dtype=layout) if count else numpy.empty(0, dtype=layout)


def seconds(time: Time) -> int:
    """A time as Unix seconds, UTC; a text is as the commands take it, such as "2026-03-01".  A datetime without a zone is refused: it
    may mean any."""
    if isinstance(time, str):
        out = ffi.new("int64_t *")
        if lib.prn_time_parse(chars(time), out):
            raise ArgumentError(f"'{time}' is no time such as 2026-05-10T12:00:00Z or 2026-05-10")
        return int(out[0])
    if isinstance(time, datetime.datetime):
        if time.tzinfo is None:
            raise ArgumentError(f"the time {time} has no zone: give it one, such as datetime.timezone.utc")
        return int(time.timestamp() // 1)
    if isinstance(time, numpy.datetime64):
        return int(time.astype("datetime64[s]").astype(numpy.int64))
    return int(time // 1)


@dataclass(frozen=True, eq=False)
class Page:
    """The history of one page as stripes: when it was captured, and in which captures each fragment was there."""

    url: str
    weight: float
    times: "NDArray[numpy.int64]"
    """int64 [captures]: Unix seconds, strictly ascending."""
    kinds: "NDArray[numpy.uint8]"
    """uint8 [captures]: an index of KINDS."""
    modified: "NDArray[numpy.int64]"
    """int64 [captures]: Last-Modified, or UNKNOWN."""
    bodies: "NDArray[numpy.uint32]"
    """uint32 [captures]: 1 + the first capture with the same bytes; 0: not known."""
    body_bytes: "NDArray[numpy.uint64]"
    """uint64 [captures]: how many bytes; 0: not known."""
    fragments: "NDArray[numpy.uint64]"
    """uint64 [fragments]: hashes."""
    starts: "NDArray[numpy.intp]"
    """intp [fragments + 1]: the runs of fragment i are runs[starts[i]:starts[i + 1]]."""
    runs: "NDArray[numpy.uint32]"
    """uint32 [runs, 2]: there in captures from … to - 1.  A capture that brought no content has that of the one before."""
    life: "Optional[tuple[int, int]]" = field(default=None)
    """The first capture with content, and the last before the page is gone for good; None: there never was content."""
    media: "Optional[Sequence[Optional[str]]]" = field(default=None)
    """[captures]: the media type that was told of its content, in lower case and without parameters, or None; None: the trace tells none."""

    @property
    def when(self) -> "NDArray[numpy.datetime64]":
        """The times as datetime64[s]."""
        return self.times.astype("datetime64[s]")

    def __len__(self) -> int:
        """How many captures there are."""
        return len(self.times)

    def __repr__(self) -> str:
        return f"<Page {self.url}: {len(self)} captures, {len(self.fragments)} fragments>"

    def presence(self) -> "NDArray[numpy.bool_]":
        """bool [fragments, captures]: whether the fragment is there in the capture."""
        rows = numpy.repeat(numpy.arange(len(self.fragments)), numpy.diff(self.starts))
        steps = numpy.zeros((len(self.fragments), len(self) + 1), dtype=numpy.int8)
        numpy.add.at(steps, (rows, self.runs[:, 0].astype(numpy.intp)), 1)
        numpy.add.at(steps, (rows, self.runs[:, 1].astype(numpy.intp)), -1)
        return numpy.cumsum(steps[:, :-1], axis=1, dtype=numpy.int8).astype(bool)

    def version(self, capture: int) -> "NDArray[numpy.uint64]":
        """uint64: the hashes of the fragments that are there in a capture, ascending."""
        capture = range(len(self))[capture]
        rows = numpy.repeat(numpy.arange(len(self.fragments)), numpy.diff(self.starts))
        return numpy.sort(self.fragments[rows[(self.runs[:, 0] <= capture) & (capture < self.runs[:, 1])]])

    def divergence(self, a: int, b: int) -> float:
        """How far two captures are apart, in [0, 1]."""
        one, other = self.version(a), self.version(b)
        both = len(numpy.intersect1d(one, other, assume_unique=True))
        return 1 - both / (len(one) + len(other) - both) if len(one) + len(other) else 0.0

    def divergences(self) -> "NDArray[numpy.float64]":
        """float64 [captures, captures]: how far any capture is from any other."""
        there = self.presence().astype(numpy.float32)
        both = (there.T @ there).astype(numpy.float64)
        sizes = there.sum(axis=0, dtype=numpy.float64)
        either = sizes[:, None] + sizes[None, :] - both
        alike: "NDArray[numpy.float64]" = numpy.divide(both, either, out=numpy.ones_like(both), where=either > 0)
        return 1.0 - alike

    @classmethod
    def of_versions(
        cls,
        url: str,
        times: "Sequence[Time]",
        versions: "Sequence[Optional[Iterable[int]]]",
        *,
        weight: float = 1.0,
    ) -> "Page":
        """A page of which each capture's fragments are known, as any numbers that tell them apart.

        A version of None is a capture that brought nothing new (304 Not Modified).  Times are strictly ascending.
        """
        if len(times) != len(versions):
            raise ArgumentError(f"{url}: there are {len(times)} times and {len(versions)} versions")
        count = len(times)
        open_since: "dict[int, int]" = {}
        runs: "dict[int, list[tuple[int, int]]]" = {}
        seen: "dict[frozenset[int], int]" = {}
        bodies = numpy.zeros(count, dtype=numpy.uint32)
        kinds = numpy.zeros(count, dtype=numpy.uint8)
        for capture, version in enumerate(versions):
            if version is None:
                kinds[capture] = SAME
                bodies[capture] = bodies[capture - 1] if capture else 0
                continue
            now = frozenset(int(fragment) for fragment in version)
            bodies[capture] = 1 + seen.setdefault(now, capture)
            for fragment in [gone for gone in open_since if gone not in now]:
                runs.setdefault(fragment, []).append((open_since.pop(fragment), capture))
            for fragment in now:
                open_since.setdefault(fragment, capture)
        for fragment, since in open_since.items():
            runs.setdefault(fragment, []).append((since, count))
        order = sorted(runs, key=lambda fragment: (runs[fragment][0][0], fragment))
        starts = numpy.zeros(len(order) + 1, dtype=numpy.intp)
        starts[1:] = numpy.cumsum([len(runs[fragment]) for fragment in order]) if order else 0
        return cls(
            url=url,
            weight=float(weight),
            times=numpy.array([seconds(time) for time in times], dtype=numpy.int64),
            kinds=kinds,
            modified=numpy.full(count, UNKNOWN, dtype=numpy.int64),
            bodies=bodies,
            body_bytes=numpy.zeros(count, dtype=numpy.uint64),
            fragments=numpy.array(order, dtype=numpy.uint64),
            starts=starts,
            runs=numpy.array([run for fragment in order for run in runs[fragment]], dtype=numpy.uint32).reshape(-1, 2),
            life=(int(numpy.argmin(kinds == SAME)), count - 1) if seen else None,
        )

    @classmethod
    def _of(cls, page: Any, typed: bool) -> "Page":
        captures = _array(page.captures, page.capture_count, _CAPTURE)
        stripes = _array(page.stripes, page.stripe_count, _STRIPE)
        runs = _array(page.runs, page.run_count, _RUN)
        counts = stripes["count"].astype(numpy.intp)
        starts = numpy.zeros(len(stripes) + 1, dtype=numpy.intp)
        numpy.cumsum(counts, out=starts[1:])
        # Stripes that are equal share their runs: here each has its own.
        own = numpy.repeat(stripes["first"].astype(numpy.intp) - starts[:-1], counts) + numpy.arange(starts[-1])
        first, last = ffi.new("size_t *"), ffi.new("size_t *")
        lives = lib.prn_page_life(page, first, last) == 0
        names: "dict[int, Optional[str]]" = {int(at): text(page.media + int(at) - 1) if at else None for at in numpy.unique(captures["media"])}
        return cls(
            url=text(page.url),
            weight=page.weight,
            times=captures["time"].copy(),
            kinds=captures["kind"].astype(numpy.uint8),
            modified=captures["modified"].copy(),
            bodies=captures["body"].copy(),
            body_bytes=captures["body_bytes"].copy(),
            fragments=stripes["hash"].copy(),
            starts=starts,
            runs=numpy.stack([runs["from"][own], runs["to"][own]], axis=1),
            life=(first[0], last[0]) if lives else None,
            media=tuple(names[int(at)] for at in captures["media"]) if typed else None,
        )


class Trace:
    """A trace file, open for reading: a sequence of pages, in the order of their normal URLs.

    A page is read when it is asked for, by its index or its URL; a slice is a list of pages.  Any number of threads may read.

    PATH is a file that `perennial import` or import_trace() wrote.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        out = ffi.new("struct prn_trace **")
        call(lib.prn_trace_open, out, path_chars(path))
        self._trace = ffi.gc(out[0], lib.prn_trace_free)

    def __enter__(self) -> "Trace":
        return self

    def __exit__(self, kind: "Optional[type[BaseException]]", error: Optional[BaseException], where: Optional[TracebackType]) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file.  Pages that were read stay; no thread may be reading."""
        if self._trace is not None:
            ffi.release(self._trace)
            self._trace = None

    @property
    def _open(self) -> Any:
        if self._trace is None:
            raise ArgumentError(f"the trace {self.path} is closed")
        return self._trace

    @property
    def words(self) -> int:
        """How many words in a row a fragment is."""
        return lib.prn_trace_about(self._open).shingle_words

    @property
    def rule(self) -> int:
        """The version of the rule that made fragments."""
        return lib.prn_trace_about(self._open).fragment_rule

    @property
    def tool(self) -> str:
        """What wrote it, such as "perennial 0.1.0"."""
        return text(lib.prn_trace_about(self._open).tool)

    @property
    def provenance(self) -> str:
        """One line: what it was made with."""
        return text(lib.prn_trace_about(self._open).provenance)

    @property
    def media(self) -> bool:
        """Whether it tells media types."""
        return bool(lib.prn_trace_about(self._open).media)

    @property
    def urls(self) -> "list[str]":
        """The URLs of all pages, as they are spelled, without reading the pages."""
        return [text(lib.prn_trace_url(self._open, i)) for i in range(len(self))]

    def __len__(self) -> int:
        return lib.prn_trace_pages(self._open)

    def __contains__(self, url: object) -> bool:
        self._open  # of one that is closed nobody can say
        try:
            return isinstance(url, str) and self.index(url) >= 0
        except (NotFoundError, InputError):
            return False

    def index(self, url: str) -> int:
        """The index of the page of a URL, however it is written.  NotFoundError: there is none."""
        i = ffi.new("size_t *")
        if lib.prn_trace_find(self._open, chars(normal_url(url)), i):
            raise NotFoundError(f"{self.path}: there is no page {url}")
        return i[0]

    @overload
    def __getitem__(self, which: Union[int, str]) -> Page: ...

    @overload
    def __getitem__(self, which: slice) -> "list[Page]": ...

    def __getitem__(self, which: Union[int, str, slice]) -> "Union[Page, list[Page]]":
        if isinstance(which, slice):
            return [self[i] for i in range(*which.indices(len(self)))]
        if isinstance(which, str):
            i = self.index(which)
        else:
            i = which + len(self) if which < 0 else which
            if not 0 <= i < len(self):
                raise IndexError(f"{self.path}: there is no page {which} of {len(self)}")
        page = ffi.new("struct prn_page *")
        lib.prn_page_init(page)
        try:
            call(lib.prn_trace_page, self._open, i, page)
            return Page._of(page, self.media)
        finally:
            lib.prn_page_release(page)

    def __iter__(self) -> "Iterator[Page]":
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<Trace {self.path}: closed>" if self._trace is None else f"<Trace {self.path}: {len(self)} pages>"

    def captures(self) -> Table:
        """A row for each capture of each page: url, time (datetime64), kind, body_bytes, fragments there."""
        rows = Table()
        for page in self:
            there = page.presence().sum(axis=0) if len(page.fragments) else numpy.zeros(len(page), dtype=int)
            for time, kind, size, count in zip(page.when, page.kinds, page.body_bytes, there):
                rows.append({"url": page.url, "time": time, "kind": KINDS[kind], "body_bytes": int(size), "fragments": int(count)})
        return rows


def write_trace(path: Path, pages: "Iterable[Page]", *, provenance: str = "written by Python", words: int = SHINGLE_WORDS) -> None:
    """Writes pages to a trace, in the order of their normal URLs.  Nothing stands at path until all are written.

    It tells media types if all pages do.  ArgumentError: two pages have one normal URL, or a page is not well-formed (its times do not ascend, a run is outside it).
    """
    ordered = sorted(pages, key=lambda page: normal_url(page.url).encode())
    if "\n" in provenance:
        raise ArgumentError("the provenance of a trace is one line")
    line = ffi.new("char[]", chars(provenance))
    about = ffi.new("struct prn_trace_about *")
    about.fragment_rule, about.shingle_words, about.provenance = lib.PRN_FRAGMENT_RULE, words, line
    about.media = bool(ordered) and all(page.media is not None for page in ordered)
    out = ffi.new("struct prn_trace_writer **")
    call(lib.prn_trace_writer_open, out, path_chars(path), about)
    try:
        for page in ordered:
            struct, kept = _struct(page)
            call(lib.prn_trace_writer_add, out[0], struct)
            del kept
    except BaseException:
        lib.prn_trace_writer_free(out[0])
        raise
    call(lib.prn_trace_writer_close, out[0])


def _struct(page: Page) -> "tuple[Any, list[Any]]":
    """A page for C, and what must be kept as long as it is used."""
    count = len(page)
    columns: "tuple[NDArray[Any], ...]" = (page.kinds, page.modified, page.bodies, page.body_bytes)
    if any(len(column) != count for column in columns):
        raise ArgumentError(f"{page.url}: the captures' times, kinds, modified, bodies and body_bytes are not equally many")
    if len(page.starts) != len(page.fragments) + 1 or (len(page.starts) and page.starts[-1] != len(page.runs)):
        raise ArgumentError(f"{page.url}: starts does not tell where each fragment's runs begin, and where the last end")
    captures = numpy.zeros(count, dtype=_CAPTURE)
    for name, column in (("time", page.times), ("modified", page.modified), ("kind", page.kinds), ("body", page.bodies), ("body_bytes", page.body_bytes)):
        captures[name] = column
    media = b"".join(name.encode() + b"\0" for name in sorted({name for name in page.media or () if name}))
    if page.media is not None:
        if len(page.media) != count:
            raise ArgumentError(f"{page.url}: there are {count} captures and {len(page.media)} media types")
        captures["media"] = [1 + (b"\0" + media).index(b"\0" + name.encode() + b"\0") if name else 0 for name in page.media]
    stripes = numpy.zeros(len(page.fragments), dtype=_STRIPE)
    stripes["hash"], stripes["first"], stripes["count"] = page.fragments, page.starts[:-1], numpy.diff(page.starts)
    runs = numpy.zeros(len(page.runs), dtype=_RUN)
    runs["from"], runs["to"] = page.runs[:, 0], page.runs[:, 1]
    url, types = ffi.new("char[]", chars(page.url)), ffi.new("char[]", media or b"\0")
    struct = ffi.new("struct prn_page *")
    struct.url, struct.weight = url, page.weight
    struct.captures = ffi.cast("struct prn_page_capture *", ffi.from_buffer(captures))
    struct.stripes = ffi.cast("struct prn_stripe *", ffi.from_buffer(stripes))
    struct.runs = ffi.cast("struct prn_run *", ffi.from_buffer(runs))
    struct.media, struct.media_length = types, len(media)
    struct.capture_count, struct.stripe_count, struct.run_count = count, len(stripes), len(runs)
    return struct, [url, types, captures, stripes, runs]


def import_trace(
    sources: "Union[Path, Sequence[Path]]",
    path: Path,
    *,
    words: int = SHINGLE_WORDS,
    hosts: "Sequence[str]" = (),
    surts: "Sequence[str]" = (),
    media: "Optional[Sequence[str]]" = None,
    since: "Optional[Time]" = None,
    until: "Optional[Time]" = None,
    sample: float = 1,
    git_base: Optional[str] = None,
    digests: Optional[str] = None,
    max_body: int = 0,
    links: bool = False,
    threads: Optional[int] = None,
    skipped: "Optional[Callable[[str], None]]" = None,
) -> "dict[str, Any]":
    """Imports archives, indices, JSON lines, git repositories or folders of snapshots into a trace, as `perennial import` does;
    returns counts.

    Captures are taken of these hosts and their subdomains, under these SURT prefixes, at since or later and before until, of a
    sample of the pages by a hash of their URLs, and of media: media types, or "pages" for texts but for scripts and style
    sheets; (): all.  None is as "pages", but of a trace all is taken.  Files of git repositories are below the URL git_base.  digests is "check" or "trust", as the command has
    it; None: those of files that are not packed are checked.  Bodies are cut at max_body bytes, 0 being the command's own limit.
    With links it is kept where pages lead.  skipped is told of each thing that was skipped or repaired, in words.
    """
    if digests not in (None, "check", "trust"):
        raise ArgumentError(f"digests takes 'check' or 'trust', not {digests!r}")
    if not 0 < sample <= 1:
        raise ArgumentError(f"sample takes a number above 0, at most 1, not {sample!r}")
    paths = [sources] if isinstance(sources, (str, bytes, os.PathLike)) else list(sources)
    stop = ffi.new("struct binding_stop *")
    told: "list[BaseException]" = []

    def tell(what: str) -> None:
        try:
            if skipped and not told:
                skipped(what)
        except BaseException as error:
            told.append(error)
            lib.binding_stop(stop)

    handle = ffi.new_handle(tell)
    host_list, kept_hosts = strings(hosts)
    surt_list, kept_surts = strings(surts)
    media_list, kept_media = strings(("pages",) if media is None else media)
    base = ffi.NULL if git_base is None else ffi.new("char[]", chars(git_base))
    if git_base is not None:
        call(lib.prn_git_base_check, base)
    options = ffi.new("struct prn_import_options *")
    options.shingle_words, options.threads = words, thread_count(threads)
    options.filter.hosts, options.filter.host_count = host_list, len(kept_hosts)
    options.filter.surts, options.filter.surt_count = surt_list, len(kept_surts)
    options.filter.media, options.filter.media_count, options.filter.media_by_default = media_list, len(kept_media), media is None
    options.filter.sample = sample
    if since is not None:
        options.filter.has_from = True
        setattr(options.filter, "from", seconds(since))  # a word of Python's own
    if until is not None:
        options.filter.has_to, options.filter.to = True, seconds(until)
    options.git_base, options.body_bytes_max, options.links = base, max_body, links
    if digests:
        options.digests = lib.PRN_DIGESTS_TRUST if digests == "trust" else lib.PRN_DIGESTS_CHECK
    options.progress, options.progress_context = ffi.addressof(lib, "binding_progress"), stop
    options.skipped, options.skipped_context = lib.binding_skipped, handle
    out = ffi.new("struct prn_importer **")
    call(lib.prn_importer_open, out, options)
    importer = ffi.gc(out[0], lib.prn_importer_free)

    held = (options, stop, handle, base, host_list, kept_hosts, surt_list, kept_surts, media_list, kept_media)

    def work(held: Any = held) -> None:
        for source in paths:
            call(lib.prn_importer_add, importer, path_chars(source))
        call(lib.prn_importer_finish, importer, path_chars(path))

    try:
        interruptible(work, lambda: lib.binding_stop(stop))
    except Error:
        if told:
            raise told[0] from None
        raise
    counts = lib.prn_importer_counts(importer)
    names = ("source_files", "truncated", "duplicates", "revisits", "unresolved", "too_long", "digests", "versions", "body_bytes", "pages", "stripes")
    result: "dict[str, Any]" = {name: getattr(counts, name) for name in names}
    result["captures"] = {kind: counts.captures[i] for i, kind in enumerate(KINDS)}
    result.update({name: getattr(counts.sources, name) for name in ("records", "filtered", "ignored", "damaged", "unread", "cut", "mismatched")})
    if told:
        raise told[0]
    return result


@ffi.def_extern()
def binding_skipped(context: Any, what: Any) -> None:
    ffi.from_handle(context)(text(what.text))


def synthesize(
    path: Path,
    *,
    seed: int = 1,
    pages: int = 100,
    captures: int = 60,
    interval: int = 86400,
    start: Optional[Time] = None,
    fragments: Optional[int] = None,
    static_share: Optional[float] = None,
    rate_per_day: Optional[float] = None,
    regions: Optional[int] = None,
    items: Optional[int] = None,
) -> None:
    """Writes a corpus of the generative model, as `perennial synth` does: a trace, or a WARC file where path ends in .warc or .warc.gz.

    What is None is drawn for each page.
    """
    options = ffi.new("struct prn_synth_options *")
    lib.prn_synth_defaults(options)
    options.seed, options.pages, options.captures, options.interval = seed, pages, captures, interval
    if start is not None:
        options.start = seconds(start)
    for name, value in (("fragments", fragments), ("static_share", static_share), ("rate_per_day", rate_per_day), ("regions", regions), ("items", items)):
        if value is not None:
            setattr(options, name, value)
    out = ffi.new("struct prn_synth **")
    call(lib.prn_synth_open, out, options)
    synth = ffi.gc(out[0], lib.prn_synth_free)
    name = str(path)
    call(lib.prn_synth_warc if name.endswith((".warc", ".warc.gz")) else lib.prn_synth_trace, synth, path_chars(path))
