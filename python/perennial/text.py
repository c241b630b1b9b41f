"""Texts: the fragments of which a version of a page is made, and how far versions diverge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy
from numpy.typing import NDArray

from ._library import ArgumentError, chars, check, ffi, lib, text

SHINGLE_WORDS: int = lib.PRN_SHINGLE_WORDS
Body = Union[bytes, bytearray, memoryview, str]


@dataclass(frozen=True, eq=False)
class Summary:
    """A version of a page as a set of fragment hashes: the smallest of them, or all.  Equal ones have the same hashes, limit and
    completeness."""

    hashes: "NDArray[numpy.uint64]"
    """uint64, ascending and distinct."""
    limit: Optional[int]
    """How many hashes are kept at most; None: all."""
    complete: bool
    """Whether the hashes are all fragments of the version."""

    def __post_init__(self) -> None:
        hashes = numpy.ascontiguousarray(self.hashes, dtype=numpy.uint64)
        if hashes.ndim != 1 or (len(hashes) > 1 and not (hashes[1:] > hashes[:-1]).all()):
            raise ArgumentError("the hashes of a summary are one row, ascending and distinct")
        if self.limit is not None and (self.limit < 1 or len(hashes) > self.limit):
            raise ArgumentError(f"a summary of {len(hashes)} hashes has no limit of {self.limit}")
        object.__setattr__(self, "hashes", hashes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Summary) and self._told() == other._told()

    def __hash__(self) -> int:
        return hash(self._told())

    def _told(self) -> "tuple[Any, ...]":
        return self.hashes.tobytes(), self.limit, self.complete

    @classmethod
    def of(cls, fragments: "NDArray[numpy.uint64]") -> "Summary":
        """The whole version that has just these fragments, in any order."""
        return cls(numpy.unique(numpy.asarray(fragments, dtype=numpy.uint64)), None, True)

    def smallest(self, limit: int) -> "Summary":
        """The summary of the same version with a smaller limit."""
        if limit < 1 or (self.limit is not None and limit > self.limit):
            raise ArgumentError(f"a summary with the limit {self.limit or 'none'} has no smaller one of {limit}")
        return Summary(self.hashes[:limit], limit, self.complete and len(self.hashes) <= limit)

    def divergence(self, other: "Summary") -> float:
        """1 - |A ∩ B| / |A ∪ B| of the two versions, in [0, 1]; an estimate where one is not complete."""
        return lib.prn_summary_divergence(self._struct(), other._struct())

    def _struct(self) -> Any:
        struct = ffi.new("struct prn_summary *")
        struct.hashes = ffi.cast("uint64_t *", ffi.from_buffer(self.hashes)) if len(self.hashes) else ffi.NULL
        struct.count = len(self.hashes)
        struct.limit = lib.PRN_SUMMARY_ALL if self.limit is None else self.limit
        struct.complete = self.complete
        return struct


@dataclass(frozen=True, eq=False)
class Wording:
    """A body as its words stand in it.  Equal ones have the same words and fragments."""

    words: "list[str]"
    fragments: "NDArray[numpy.uint64]"
    """uint64, in the order of the text: fragment i is words i to i + k - 1."""
    is_text: bool
    """Else the body is one fragment of its bytes, and there are no words."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wording) and self._told() == other._told()

    def __hash__(self) -> int:
        return hash(self._told())

    def _told(self) -> "tuple[Any, ...]":
        return self.fragments.tobytes(), tuple(self.words), self.is_text


class Extractor:
    """Makes fragments of bodies: decoding, visible text, words, and words in a row (5 unless told otherwise).

    It keeps memory that it grew, and serves one thread at a time.
    """

    def __init__(self, words: int = SHINGLE_WORDS, limit: Optional[int] = None) -> None:
        if words < 1:
            raise ArgumentError(f"words is {words}, and is to be at least 1")
        if limit is not None and limit < 1:
            raise ArgumentError(f"limit is {limit}, and is to be at least 1, or None for all fragments")
        out = ffi.new("struct prn_extractor **")
        code = lib.prn_extractor_open(out, words, lib.PRN_SUMMARY_ALL if limit is None else limit)
        if code == lib.PRN_E_ARGUMENT:
            raise ArgumentError(f"words is {words}, and may be {lib.PRN_SHINGLE_WORDS_MAX} at most")
        check(code)
        self.words, self.limit = words, limit
        self._extractor = ffi.gc(out[0], lib.prn_extractor_free)

    def summary(self, body: Body, content_type: Optional[str] = None) -> Summary:
        """The summary of one body.  Without a content_type the first bytes tell what it is; a str is UTF-8."""
        struct = ffi.new("struct prn_summary *")
        content, length = _bytes(body)
        check(lib.prn_extractor_summary(self._extractor, content, length, _type(content_type), struct))
        hashes = numpy.frombuffer(ffi.buffer(struct.hashes, struct.count * 8), dtype=numpy.uint64).copy() if struct.count else _none()
        return Summary(hashes, self.limit, struct.complete)

    def read(self, body: Body, content_type: Optional[str] = None) -> Wording:
        """The words of one body, and the fragments that they make."""
        struct = ffi.new("struct prn_wording *")
        content, length = _bytes(body)
        check(lib.prn_extractor_read(self._extractor, content, length, _type(content_type), struct))
        visible = bytes(ffi.buffer(struct.text, struct.length)) if struct.length else b""
        words = [
            visible[struct.words[i].__getattribute__("from") : struct.words[i].to].decode("utf-8", "replace")
            for i in range(struct.word_count)
        ]
        count = struct.fragment_count
        fragments = numpy.frombuffer(ffi.buffer(struct.fragments, count * 8), dtype=numpy.uint64).copy() if count else _none()
        return Wording(words, fragments, struct.is_text)


def _none() -> "NDArray[numpy.uint64]":
    return numpy.empty(0, dtype=numpy.uint64)


def _bytes(body: Body) -> "tuple[Any, int]":
    content = body.encode("utf-8", "surrogateescape") if isinstance(body, str) else body
    buffer = ffi.from_buffer(content)
    return buffer, len(buffer)


def _type(content_type: Optional[str]):  # type: ignore[no-untyped-def]
    return ffi.NULL if content_type is None else chars(content_type)


def summary(body: Body, content_type: Optional[str] = None, *, words: int = SHINGLE_WORDS, limit: Optional[int] = None) -> Summary:
    """The summary of one body; who has many opens an Extractor.

    >>> len(summary("the boats to the islands leave the old pier at nine").hashes)
    7
    """
    return Extractor(words, limit).summary(body, content_type)


def divergence(a: Union[Summary, Body], b: Union[Summary, Body], content_type: Optional[str] = None, *, words: int = SHINGLE_WORDS) -> float:
    """How far two versions are apart, in [0, 1]: summaries, or bodies of which they are made.

    >>> divergence("one two three four five six", "one two three four five six")
    0.0
    >>> round(divergence("one two three four five six", "one two three four five seven"), 4)
    0.6667
    """
    extractor = Extractor(words)
    a, b = (item if isinstance(item, Summary) else extractor.summary(item, content_type) for item in (a, b))
    return a.divergence(b)


def normal_url(url: str) -> str:
    """The normal form of a URL, by which pages are told apart.

    >>> normal_url("HTTP://A.example:80/%7euser?")
    'http://a.example/~user'
    """
    out = ffi.new("char[]", lib.PRN_URL_BYTES + 1)
    code = lib.prn_url_normalize(chars(url), len(chars(url)), out, lib.PRN_URL_BYTES + 1)
    if code == lib.PRN_E_INPUT:
        from ._library import InputError

        raised = InputError(f"'{url}' is not an absolute http or https URL")
        raised.code = code
        raise raised
    check(code)
    return text(out)
