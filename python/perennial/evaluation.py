"""Policies compared on traces: how stale copies are, at what cost."""

from __future__ import annotations

import math
import os
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from . import policy as _policy
from ._library import ArgumentError, Error, Path, call, chars, check, ffi, interruptible, lib, path_chars, strings, text, threads as thread_count
from ._table import Table
from .policy import DIALS, Policy
from .trace import Trace

WINDOWS: "tuple[str, ...]" = tuple(text(lib.prn_window_name(window)) for window in range(lib.PRN_WINDOWS))
METRICS: "tuple[str, ...]" = tuple(text(lib.prn_metric_name(metric)) for metric in range(lib.PRN_METRICS))
CLOCKS = ("steps", "days")
TABLE_COSTS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4)
AnyPolicy = Union[str, Policy, "type[Policy]"]
Traces = Union[Trace, Path, Sequence[Union[Trace, Path]]]


def choose(what: str, value: str, among: "Sequence[str]") -> int:
    """The index of a word among those that there are."""
    if value not in among:
        raise ArgumentError(f"{what} is '{value}', and is to be one of {', '.join(among)}")
    return among.index(value)


class Pool:
    """The pages of several traces, and what may end the reading of them."""

    def __init__(self, traces: Traces, stop: Any) -> None:
        given = [traces] if isinstance(traces, (Trace, str, os.PathLike)) else list(traces)
        if not given:
            raise ArgumentError("no trace was given")
        self.traces = [trace if isinstance(trace, Trace) else Trace(trace) for trace in given]
        self.names = [str(trace.path) for trace in self.traces]
        self.array = ffi.new("struct prn_trace *[]", [trace._open for trace in self.traces])
        self.pool = ffi.gc(ffi.new("struct prn_trace_pool *"), lib.prn_trace_pool_release)
        self.whole, self.stop, self.context = ffi.new("struct prn_pages *"), stop, ffi.new("struct binding_pages *")
        self.pages = ffi.new("struct prn_pages *")
        check(lib.prn_trace_pool_init(self.pool, self.array, len(self.traces), self.whole))
        lib.binding_pages_init(self.context, self.whole, self.stop, self.pages)

    def weigh(self, path: Path) -> None:
        """Takes weights from a file of lines "URL weight"."""
        self.weighed = ffi.gc(ffi.new("struct prn_pages_weighed *"), lib.prn_pages_weighed_release)
        self.unweighed, self.pages = self.pages, ffi.new("struct prn_pages *")
        call(lib.prn_pages_weigh, self.weighed, self.unweighed, path_chars(path), self.pages, ffi.new("struct prn_weights_counts *"))


class _Logs:
    """What policies hear of the pages beside their own visits: hints, and how often pages are said to change."""

    def __init__(self, hints: Optional[Path], rates: Optional[Path]) -> None:
        self.hints = self._open("struct prn_hint_log **", hints, lib.prn_hint_log_read, lib.prn_hint_log_synthesize, lib.prn_hint_log_free)
        self.rates = self._open("struct prn_rate_log **", rates, lib.prn_rate_log_read, lib.prn_rate_log_synthesize, lib.prn_rate_log_free)

    @staticmethod
    def _open(kind: str, what: Optional[Path], read: Any, synthesize: Any, free: Any) -> Any:
        if what is None:
            return ffi.NULL
        out = ffi.new(kind)
        if isinstance(what, str) and (what == "synthetic" or what.startswith("synthetic:")):
            call(synthesize, out, chars(what[len("synthetic:") :]))
        else:
            call(read, out, path_chars(what))
        return ffi.gc(out[0], free)


def _defaults(pool: Pool, common: "Mapping[str, Union[str, float]]", learn: Optional[Traces], clock: int, workers: int, stop: Any) -> "list[str]":
    """The keys of each corpus's policies, where nothing else is said: those of all, and a prior learned from other pages."""
    own = ":".join(f"{key}={value}" for key, value in common.items())
    if learn is None:
        return [own] * len(pool.traces)
    lessons = Pool(learn, stop)
    out, texts = ffi.new("struct prn_priors **"), []
    call(lib.prn_priors_open, out, lessons.pages, clock, workers)
    priors = ffi.gc(out[0], lib.prn_priors_free)
    for corpus in range(len(pool.traces)):
        learned, keys = ffi.new("struct prn_learned_prior *"), ffi.new("char[]", lib.PRN_PRIOR_DEFAULTS)
        call(lib.prn_priors_learn, priors, pool.pages, corpus, learned)
        prior = ffi.new("struct prn_prior *", learned.prior)
        texts.append(":".join(part for part in (own, text(lib.prn_prior_defaults(prior, keys))) if part))
    return texts


class Evaluation:
    """Policies that were replayed over pages, each at several settings of its dial.  evaluate() makes one."""

    def __init__(self, evaluation: Any, sweeps: Any, workers: int, kept: Any) -> None:
        self._evaluation, self._sweeps, self._threads, self._kept = evaluation, sweeps, workers, kept
        self.policies: "tuple[str, ...]" = tuple(text(lib.prn_sweeps_specification(sweeps, i)) for i in range(lib.prn_sweeps_count(sweeps)))
        """The specifications of the policies, in the order of the rows."""
        self.pages: int = lib.prn_evaluation_pages(evaluation)
        """Pages that policies were replayed over."""
        self.left_out: int = lib.prn_evaluation_left_out(evaluation)
        """Pages with fewer than 4 captures in their lives."""
        self.clusters: int = lib.prn_evaluation_clusters(evaluation)
        """What intervals resample: hosts, or pages where all are of one host.  Intervals of fewer than 6 say little."""
        self.enough: bool = bool(lib.prn_evaluation_is_enough(evaluation))
        """Whether enough was seen to call one policy better than another: 6 clusters, and 10 captures of a page in the mean."""

    def __repr__(self) -> str:
        return f"<Evaluation of {', '.join(self.policies)} on {self.pages} pages>"

    def scores(self, window: str = "all") -> Table:
        """A row for each policy at each setting: policy, parameter, in_seconds, window, cost, and a column for each metric."""
        which, rows = choose("window", window, WINDOWS), Table()
        sweeps = lib.prn_sweeps_all(self._sweeps)
        for i, name in enumerate(self.policies):
            for j in range(sweeps[i].setting_count):
                score, setting = lib.prn_evaluation_score(self._evaluation, i, j, which), sweeps[i].settings[j]
                row = {"policy": name, "parameter": setting.value, "in_seconds": bool(setting.in_seconds), "window": window, "cost": score.cost}
                row.update({metric: score.metrics[k] for k, metric in enumerate(METRICS)})
                rows.append(row)
        return rows

    def compare(
        self,
        at_cost: "Optional[Iterable[float]]" = None,
        at_staleness: "Optional[Iterable[float]]" = None,
        *,
        window: str = "all",
        metric: str = "fragment",
        ratio_to: Optional[str] = "cgm",
        seed: int = 1,
        resamples: int = 1000,
    ) -> Table:
        """Policies at equal cost, or at equal staleness: a row for each policy and target.

        Rows have policy, window, metric, the target (cost or staleness), the value on the other axis with its 95 % interval (low,
        high), and its ratio to that of the policy ratio_to (ratio, ratio_low, ratio_high).  What cannot be tuned there, and what
        has no interval, is NaN.  ratio_to is passed over where it is not among the policies.
        """
        if (at_cost is not None) and (at_staleness is not None):
            raise ArgumentError("policies are compared at_cost or at_staleness: give one of them")
        if resamples < 0:
            raise ArgumentError(f"resamples is {resamples}, and is to be 0 or more")
        axis = lib.PRN_AXIS_COST if at_staleness is None else lib.PRN_AXIS_STALENESS
        targets = [float(target) for target in (TABLE_COSTS if at_cost is None else at_cost) if True] if at_staleness is None else [
            float(target) for target in at_staleness
        ]
        if any(not math.isfinite(target) for target in targets):
            raise ArgumentError("targets are finite numbers")
        asked, numbers = ffi.new("struct prn_comparison *"), ffi.new("double[]", targets)
        asked.axis, asked.window, asked.metric = axis, choose("window", window, WINDOWS), choose("metric", metric, METRICS)
        asked.targets, asked.target_count = numbers, len(targets)
        asked.reference = lib.PRN_NO_SWEEP if ratio_to is None else lib.prn_sweeps_find(self._sweeps, chars(ratio_to))
        asked.seed, asked.resamples, asked.threads = seed, resamples, self._threads
        compared = ffi.new("struct prn_compared[]", max(1, len(self.policies) * len(targets)))
        check(lib.prn_evaluation_compare(self._evaluation, asked, compared))
        on, off = ("cost", "staleness") if axis == lib.PRN_AXIS_COST else ("staleness", "cost")
        rows = Table()
        for i, name in enumerate(self.policies):
            for j, target in enumerate(targets):
                value, ratio = compared[i * len(targets) + j].value, compared[i * len(targets) + j].ratio
                row = {"policy": name, "window": window, "metric": metric, on: target, off: value.value, "low": value.low, "high": value.high}
                if asked.reference != lib.PRN_NO_SWEEP:
                    row.update({"ratio": ratio.value, "ratio_low": ratio.low, "ratio_high": ratio.high})
                rows.append(row)
        return rows


def evaluate(
    traces: Traces,
    policies: "Optional[Sequence[AnyPolicy]]" = None,
    *,
    thresholds: "Optional[Iterable[float]]" = None,
    periods: "Optional[Iterable[Union[float, str]]]" = None,
    scales: "Optional[Iterable[float]]" = None,
    budgets: "Optional[Iterable[float]]" = None,
    clock: str = "steps",
    learn: Optional[Traces] = None,
    defaults: "Optional[Mapping[str, Union[str, float]]]" = None,
    hints: Optional[Path] = None,
    rates: Optional[Path] = None,
    weights: Optional[Path] = None,
    cost: str = "visits",
    conditional: Optional[float] = None,
    threads: Optional[int] = None,
) -> Evaluation:
    """Replays policies over the pages of traces, as `perennial evaluate` does; the numbers are the same.

    policies     specifications ("drift", "cgm:hints=no"), classes that derive from Policy, or objects of them; None: those that
                 the command compares
    thresholds, periods, scales
                 settings of policies with that dial; a period may be a text such as "6h" or "2d".  Where a policy's are None
                 they are chosen from the pages
    budgets      instead: visits per page and clock unit, for which the dial is solved again and again
    clock        "steps" (a page's mean capture interval) or "days": the unit of thresholds, periods and budgets
    learn        traces from which the prior of drift is learned; a corpus under test never learns from itself
    defaults     values of keys, for the policies that have them: {"history": 1}
    hints, rates a file, or "synthetic:key=value:…": what policies hear of the pages beside their own visits
    weights      a file of lines "URL weight"
    cost         "visits", or "bytes": what visits cost
    conditional  what a visit to unchanged bytes costs of a fetch, above 0 and at most 1
    threads      None: one for each processor.  Policies of Python take turns, whatever it is

    What a policy of Python raises comes out as it was raised.  Ctrl-C ends it, between two pages.
    """
    run = _policy.Run()
    workers, unit = thread_count(threads), choose("clock", clock, CLOCKS)
    if choose("cost", cost, ("visits", "bytes")) not in (0, 1) or (conditional is not None and not 0 < conditional <= 1):
        raise ArgumentError(f"conditional is {conditional}, and is to be above 0 and at most 1")
    swept = {"threshold": thresholds, "period": periods, "scale": scales}
    if budgets is not None and any(settings is not None for settings in swept.values()):
        raise ArgumentError("budgets solve for thresholds, periods and scales: give none of them with budgets")
    named = [_policy.specification(one) for one in (_compared(budgets is not None) if policies is None else policies)]
    if not named:
        raise ArgumentError("no policy was given")
    pool, logs = Pool(traces, run.stop), _Logs(hints, rates)
    if weights is not None:
        pool.weigh(weights)
    pool.pages.hints, pool.pages.rates, pool.pages.look_cost = logs.hints, logs.rates, conditional or 0

    def work(held: Any = logs) -> "tuple[Any, Any]":
        error = ffi.new("struct prn_error *")
        if cost == "bytes":
            mean = ffi.new("double *")
            call(lib.prn_pages_mean_bytes, pool.pages, workers, mean)
            pool.pages.mean_bytes = mean[0]
        texts = _defaults(pool, defaults or {}, learn, unit, workers, run.stop)
        specifications, kept = strings(named)
        corpora, kept_corpora = strings(texts)
        out = ffi.new("struct prn_sweeps **")
        run.within(lambda: call(lib.prn_sweeps_open, out, specifications, len(kept), corpora, len(kept_corpora)))
        sweeps = ffi.gc(out[0], lib.prn_sweeps_free)
        try:
            _settle(sweeps, swept, budgets)
            check(lib.prn_sweeps_choose(sweeps, pool.pages, unit, workers, error), error)
            out = ffi.new("struct prn_evaluation **")
            count = lib.prn_sweeps_count(sweeps)
            check(lib.prn_evaluation_run(out, pool.pages, lib.prn_sweeps_all(sweeps), count, unit, workers, error), error)
        except BaseException:
            ffi.release(sweeps)  # now: who keeps the exception keeps this frame
            raise
        return ffi.gc(out[0], lib.prn_evaluation_free), sweeps

    try:
        evaluation, sweeps = interruptible(work, run.end)
    except Error:
        if run.raised:
            raise run.raised from None
        raise
    if run.raised:
        raise run.raised
    return Evaluation(evaluation, sweeps, workers, (pool, logs))


def _compared(budgets: bool) -> "list[str]":
    return [row["policy"] for row in _policy.policies() if row["compared"] and row["source"] != Policy.source and (row["online"] or not budgets)]


def _settle(sweeps: Any, swept: "Mapping[str, Optional[Iterable[Union[float, str]]]]", budgets: "Optional[Iterable[float]]") -> None:
    """Gives the sweeps the settings that were given."""
    for dial, values in swept.items():
        if values is None:
            continue
        settings = [_setting(dial, value) for value in values]
        array = ffi.new("struct prn_setting[]", max(1, len(settings)))
        for i, (value, in_seconds) in enumerate(settings):
            array[i].value, array[i].in_seconds = value, in_seconds
        call(lib.prn_sweeps_set, sweeps, DIALS.index(dial), array, len(settings))
    if budgets is not None:
        numbers = [float(budget) for budget in budgets]
        call(lib.prn_sweeps_set_budgets, sweeps, ffi.new("double[]", numbers or [0]), len(numbers))


def _setting(dial: str, value: Union[float, str]) -> "tuple[float, bool]":
    if not isinstance(value, str):
        return float(value), False
    seconds = ffi.new("double *")
    if dial != "period" or lib.prn_duration_parse(chars(value), seconds):
        raise ArgumentError(f"a {dial} is '{value}', and is to be a number" + (', or a duration such as "6h"' if dial == "period" else ""))
    return seconds[0], True
