"""How long content lives: what of it is static, churn or scroll, how long fragments last and pages stay as they are."""

from __future__ import annotations

from typing import Any, Optional

import numpy
from numpy.typing import NDArray

from ._library import ArgumentError, call, chars, ffi, interruptible, lib, text
from ._table import Table
from .evaluation import Pool, Traces


def _statistics() -> Table:
    rows, i = Table(), 0
    while lib.prn_statistic_info(i):
        info = lib.prn_statistic_info(i)
        rows.append({"statistic": text(info.name), "unit": text(info.unit), "title": text(info.title), "bar": bool(info.bar)})
        i += 1
    return rows


class Longevity:
    """What was measured of pages.  measure() makes one.

    A scope is one of the traces, by its index, or all of them: -1, the last.
    """

    def __init__(self, longevity: Any, names: "list[str]", kept: Any) -> None:
        self._longevity, self._kept = longevity, kept
        self.scopes: "list[str]" = names + (["all"] if lib.prn_longevity_scopes(longevity) > len(names) else [])
        """What each scope is called: the path of its trace, or "all"."""

    def __repr__(self) -> str:
        return f"<Longevity of {self.pages()} pages>"

    def _scope(self, scope: int) -> int:
        if not -len(self.scopes) <= scope < len(self.scopes):
            raise ArgumentError(f"there is no scope {scope} of {len(self.scopes)}")
        return scope % len(self.scopes)

    def pages(self, scope: int = -1) -> int:
        """Pages that were measured."""
        return lib.prn_longevity_pages(self._longevity, self._scope(scope))

    def clusters(self, scope: int = -1) -> int:
        """Hosts that intervals resample, or pages where all are of one host; of fewer than 6 they say little."""
        return lib.prn_longevity_clusters(self._longevity, self._scope(scope))

    def left_out(self, scope: int = -1) -> int:
        """Pages with fewer than 4 captures in their lives."""
        return lib.prn_longevity_left_out(self._longevity, self._scope(scope))

    def statistic(self, name: str, scope: int = -1) -> "tuple[float, float, float]":
        """One number with its 95 % interval: value, low, high; NaN where there is none."""
        i = lib.prn_statistic_find(chars(name))
        if i >= len(_statistics()):
            raise ArgumentError(f"there is no statistic '{name}'; statistics() has them all")
        interval = lib.prn_longevity_statistic(self._longevity, self._scope(scope), i)
        return interval.value, interval.low, interval.high

    def statistics(self) -> Table:
        """A row for each scope and statistic: corpus, statistic, value, low, high, unit, title."""
        rows = Table()
        for scope, corpus in enumerate(self.scopes):
            for i, info in enumerate(_statistics()):
                got = lib.prn_longevity_statistic(self._longevity, scope, i)
                rows.append(
                    {
                        "corpus": corpus,
                        "statistic": info["statistic"],
                        "value": got.value,
                        "low": got.low,
                        "high": got.high,
                        "unit": info["unit"],
                        "title": info["title"],
                    }
                )
        return rows

    def lifetimes(self, scope: int = -1) -> "NDArray[numpy.void]":
        """How long fragments last, in days: see survival()."""
        return survival(lib.prn_longevity_lifetimes(self._longevity, self._scope(scope)))

    def unchanged(self, scope: int = -1) -> "NDArray[numpy.void]":
        """How long pages stay as they were first seen, in days: see survival()."""
        return survival(lib.prn_longevity_unchanged(self._longevity, self._scope(scope)))


SURVIVAL = numpy.dtype(
    [(name, "f8") for name in ("duration", "survival", "low", "high", "known_only")]
    + [("at_risk", "u8")]
    + [(text(lib.prn_censoring_name(censoring)), "u8") for censoring in range(lib.PRN_CENSORINGS)]
)
"""The columns of a survival: a duration; the share that lasts longer by Kaplan-Meier, with its 95 % interval; the same from the known
durations alone; whose birth was seen and who lasted that long; and how many had it, by which end was not seen (not, right, left, both)."""


def survival(points: Any) -> "NDArray[numpy.void]":
    """A survival of the library as a structured array, SURVIVAL, by ascending duration."""
    rows = numpy.zeros(lib.prn_survival_count(points), dtype=SURVIVAL)
    first = lib.prn_survival_points(points)
    for i in range(len(rows)):
        point = first[i]
        share = point.survival
        rows[i] = (point.duration, share.value, share.low, share.high, point.known_only, point.at_risk, *ffi.unpack(point.counts, lib.PRN_CENSORINGS))
    return rows


def measure(traces: Traces, *, seed: int = 1, resamples: int = lib.PRN_LONGEVITY_RESAMPLES, draws: int = lib.PRN_LONGEVITY_DRAWS) -> Longevity:
    """Measures how long the content of the pages of traces lives, as `perennial measure` does; the numbers are the same.

    resamples are those behind the intervals (0: none), draws those of the Poisson check (0: none).
    """
    if resamples < 0 or draws < 0:
        raise ArgumentError("resamples and draws are 0 or more")
    stop = ffi.new("struct binding_stop *")
    pool = Pool(traces, stop)
    options = ffi.new("struct prn_longevity_options *", {"seed": seed, "resamples": resamples, "draws": draws})
    out = ffi.new("struct prn_longevity **")
    interruptible(lambda: call(lib.prn_longevity_run, out, pool.pages, options), lambda: lib.binding_stop(stop))
    return Longevity(ffi.gc(out[0], lib.prn_longevity_free), pool.names, pool)
