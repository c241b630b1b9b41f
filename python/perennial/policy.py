"""Policies: those of the library, and those that are written in Python."""

from __future__ import annotations

import math
import re
import threading
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Mapping, NamedTuple, Optional, Sequence, TypeVar, Union

from ._library import ArgumentError, call, chars, ffi, lib, text
from ._table import Table

T = TypeVar("T")
DIALS: "tuple[str, ...]" = tuple(text(lib.prn_dial_name(dial)) for dial in range(lib.PRN_DIALS))


def policies() -> Table:
    """Every policy that can be compared, with its parameters and source: online ones, then yardsticks that know pages beforehand."""
    rows = Table()
    for online, function in ((True, lib.prn_policy_info), (False, lib.prn_yardstick_info)):
        i = 0
        while function(i):
            info = function(i)
            keys, k = {}, 0
            while info.keys and info.keys[k].name:
                keys[text(info.keys[k].name)] = text(info.keys[k].fallback)
                k += 1
            rows.append(
                {
                    "policy": text(info.name),
                    "title": text(info.title),
                    "source": text(info.source),
                    "dial": DIALS[info.dial],
                    "keys": keys,
                    "online": online,
                    "compared": bool(info.compared),
                }
            )
            i += 1
    return rows


class Visit(NamedTuple):
    """A visit that brought content.  Times are in clock units: days, or a page's mean capture interval."""

    time: float
    """When; later than the page's visit before."""
    weight: float
    threshold: float
    """The dial: the threshold T, a period or a scale."""
    since_modified: float
    """From the page's Last-Modified to this visit; 0: not known."""
    page: int
    """What tells the page from others: draws may differ by it."""
    divergence: "Sequence[float]"
    """Of each slot's version from this one; anything for a slot that is empty.  Empty where a period is decided."""


@dataclass(frozen=True)
class Key:
    """A parameter of a policy, a number that a specification may set: "patient:days=3"."""

    fallback: float
    help: str = "a number"
    least: float = -math.inf
    most: float = math.inf


class Policy:
    """A policy of one's own: a class with what is said below and two methods, which evaluate() takes as it takes names.

        class Patient(perennial.Policy):
            \"\"\"Every week, or less often where nothing changes.\"\"\"
            dial = "scale"
            slots = 1
            state = ("visits", "changed")
            keys = {"days": 7.0, "patience": perennial.Key(4.0, "times as long for a page that never changed")}

            def visit(self, state, visit):
                if state.visits and visit.divergence[0] > 0:
                    state.changed = 1
                state.visits += 1
                return 0

            def decide(self, state, visit):
                quiet = state.visits > 1 and not state.changed
                return visit.threshold * self.days * (self.patience if quiet else 1)

    An object is the policy at some values of its keys, which are its attributes: Patient(), Patient(patience=1).  All that is
    known of a page is in its state, plain numbers that are 0 for a page never visited.  visit() and decide() are called from
    several threads, one at a time (the interpreter's lock).  What they raise comes out of evaluate(), and of what a Store was
    called for, which then has changed nothing.

    A name belongs to one policy for as long as the process lives.  A class that is defined again takes the place of the one
    before, as in a notebook, if its dial and the names and order of its keys are the same.
    """

    name: ClassVar[str] = ""
    """Small letters, digits and "-"; "": the class's name in small letters."""
    title: ClassVar[str] = ""
    """One line; "": the first of the docstring."""
    source: ClassVar[str] = "Python"
    dial: ClassVar[str] = "threshold"
    """What is swept: "threshold", "period" or "scale" (a factor on the policy's own periods)."""
    slots: ClassVar[int] = 0
    """How many earlier versions of a page are kept to compare with, at most 32."""
    state: ClassVar[Sequence[str]] = ()
    """The names of the numbers that are known of a page."""
    keys: ClassVar[Mapping[str, Union[float, Key]]] = {}
    knows_weights: ClassVar[bool] = False
    """Whether a page of weight W is visited as one of weight 1 would be at T/W."""

    def __init__(self, **values: float) -> None:
        for name, key in self._keys().items():
            setattr(self, name, float(values.pop(name, key.fallback)))
        if values:
            raise ArgumentError(f"policy '{self._name()}' has no key {', '.join(values)}; it has {', '.join(self._keys()) or 'none'}")

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> float:
            """One of keys."""

    def visit(self, state: Any, visit: Visit) -> Optional[int]:
        """Learns from a visit: sets the attributes of state, and returns the slot to put this version into; None or -1: none.

        This one learns nothing, and keeps the version in slot 0 if there is one.
        """
        return 0 if self.slots else None

    def decide(self, state: Any, visit: Visit) -> float:
        """The clock units, above 0, to the next visit after `visit`; math.inf: never.  What it sets in state is dropped."""
        raise NotImplementedError(f"policy '{self._name()}' does not say when a page is visited next: define decide(self, state, visit)")

    @property
    def specification(self) -> str:
        """The policy at its values as a text, as the library takes it: "patient:patience=1.0"."""
        given = [f":{name}={getattr(self, name)!r}" for name, key in self._keys().items() if getattr(self, name) != key.fallback]
        return self._name() + "".join(given)

    @classmethod
    def _name(cls) -> str:
        return cls.name or cls.__name__.lower()

    @classmethod
    def _keys(cls) -> "dict[str, Key]":
        return {name: key if isinstance(key, Key) else Key(float(key)) for name, key in cls.keys.items()}


class Run:
    """What policies of Python that were opened together have in common: the first exception, and what is to end with it."""

    def __init__(self) -> None:
        self.raised: Optional[BaseException] = None
        self.opened: "list[_Opened]" = []
        self.stop = ffi.new("struct binding_stop *")

    def end(self, error: Optional[BaseException] = None) -> None:
        self.raised = self.raised or error
        lib.binding_stop(self.stop)
        for opened in self.opened:
            lib.binding_policy_stop(opened.struct)

    def begin(self) -> None:
        """Forgets what was raised, for another call of what has the policies open."""
        self.raised = None
        lib.binding_begin(self.stop)
        for opened in self.opened:
            lib.binding_policy_begin(opened.struct)

    def within(self, function: "Callable[[], T]") -> T:
        """Calls what opens policies, which become this run's, or asks them.  What one of them raises comes out."""
        before = getattr(_local, "run", None)
        _local.run = self
        try:
            result = function()
        except Exception:
            if self.raised:
                raise self.raised from None
            raise
        finally:
            _local.run = before
        if self.raised:
            raise self.raised
        return result


class _Opened:
    """A policy of Python that the library has open."""

    def __init__(self, policy: Policy, run: Optional[Run]) -> None:
        self.policy, self.run, self.fields = policy, run, tuple(policy.state)
        self.slots = policy.slots
        self.handle = ffi.new_handle(self)
        self.struct = ffi.new("struct binding_policy *", {"stopped": 0, "handle": self.handle})

    def end(self, error: BaseException) -> None:
        lib.binding_policy_stop(self.struct)
        if self.run:
            self.run.end(error)

    def read(self, numbers: Any) -> SimpleNamespace:
        return SimpleNamespace(**dict(zip(self.fields, ffi.unpack(numbers, len(self.fields)))))


class _Kind:
    """A policy that the library knows, for good."""

    def __init__(self, number: int, policy: "type[Policy]") -> None:
        self.keys = list(policy._keys())
        self.struct = ffi.new("struct prn_policy_kind *")
        self.table = ffi.new("struct prn_policy_key[]", len(self.keys) + 2)
        self.kept: "list[Any]" = []  # also what a class before said: another thread may be reading it
        self.policy = policy
        self.struct.info.name = self.chars(policy._name())
        self.struct.info.dial, self.struct.info.keys = DIALS.index(policy.dial), self.table
        for i, name in enumerate(self.keys):
            self.table[i].name, self.table[i].type = self.chars(name), lib.PRN_KEY_TYPE_NUMBER
            self.table[i].offset = lib.binding_key_offset(i)
        lib.binding_summary_key(self.table + len(self.keys))
        lib.binding_kind(self.struct, number, len(self.keys))
        self.describe(policy)

    def chars(self, string: str) -> Any:
        self.kept.append(ffi.new("char[]", chars(string)))
        return self.kept[-1]

    def describe(self, policy: "type[Policy]") -> None:
        """What may differ from one class of a name to the next."""
        info = self.struct.info
        info.title, info.source, info.knows_weights = self.chars(_title(policy)), self.chars(policy.source), policy.knows_weights
        for i, key in enumerate(policy._keys().values()):
            self.table[i].fallback, self.table[i].help = self.chars(repr(float(key.fallback))), self.chars(key.help)
            self.table[i].least, self.table[i].most = max(key.least, -_MOST), min(key.most, _MOST)

    def replace(self, policy: "type[Policy]") -> None:
        if policy.dial != self.policy.dial or list(policy._keys()) != self.keys:
            raise ArgumentError(
                f"a policy '{policy._name()}' is known already, whose dial or keys are others: give this one another name, or start anew"
            )
        if policy is not self.policy:
            self.describe(policy)
            self.policy = policy


_NUMBERS = lib.BINDING_VISIT_NUMBERS
_MOST = 1.7e308  # of a key without a bound
_local = threading.local()
_lock = threading.Lock()
_kinds: "list[_Kind]" = []
_open: "dict[int, _Opened]" = {}


def _title(policy: "type[Policy]") -> str:
    lines = (policy.title or policy.__doc__ or "").strip().splitlines()
    return (lines[0].rstrip(".") if lines and (policy.title or policy.__doc__ is not Policy.__doc__) else "") or "a policy of Python"


def _check(policy: "type[Policy]") -> None:
    name = policy._name()
    if not re.fullmatch(r"[a-z0-9-]+", name):
        raise ArgumentError(f"'{name}' names no policy: a name is of small letters, digits and \"-\"")
    if policy.dial not in DIALS:
        raise ArgumentError(f"policy '{name}' has the dial '{policy.dial}', and is to have one of {', '.join(DIALS)}")
    if not 0 <= policy.slots <= lib.PRN_POLICY_SLOTS:
        raise ArgumentError(f"policy '{name}' has {policy.slots} slots, and may have {lib.PRN_POLICY_SLOTS} at most")
    if isinstance(policy.state, str):
        raise ArgumentError(f"policy '{name}' has the state '{policy.state}', and is to have a sequence of names: ('{policy.state}',)")
    if len(policy.state) * 8 > lib.PRN_POLICY_STATE_BYTES or len(set(policy.state)) < len(policy.state):
        raise ArgumentError(f"policy '{name}' has a state of {len(policy.state)} numbers: too many, or two of one name")


def register(policy: "type[Policy]") -> "type[Policy]":
    """Makes a policy known by its name wherever the library takes one; returns the class, so that it may be a decorator.

    evaluate() does it by itself.
    """
    if not (isinstance(policy, type) and issubclass(policy, Policy)) or policy is Policy:
        raise ArgumentError(f"{policy!r} is no policy: a policy is a class that derives from perennial.Policy")
    _check(policy)
    run = Run()
    with _lock:
        for kind in _kinds:
            if kind.policy._name() == policy._name():
                kind.replace(policy)
                return policy
        if len(_kinds) == lib.PRN_POLICIES_REGISTERED:
            raise ArgumentError(f"{len(_kinds)} policies are registered, and there can be no more")
        kind = _Kind(len(_kinds), policy)
        _kinds.append(kind)  # the library opens it once to see whether it does
        try:
            run.within(lambda: call(lib.prn_policy_register, kind.struct))
        except BaseException:
            _kinds.remove(kind)
            raise
    return policy


def specification(policy: "Union[str, Policy, type[Policy]]") -> str:
    """What the library calls a policy: a text stands for itself; a class or an object is registered."""
    if isinstance(policy, str):
        return policy
    if isinstance(policy, Policy):
        register(type(policy))
        return policy.specification
    return register(policy)._name()


# What policies.c calls.  Nothing may be raised through C: an exception ends the run, and comes out of what started it.


@ffi.def_extern(error=-2)
def binding_policy_open(number: int, parameters: Any, error: Any) -> int:
    run: Optional[Run] = getattr(_local, "run", None)
    try:
        kind = _kinds[number]
        values = lib.binding_policy_keys(parameters)
        opened = _Opened(kind.policy(**{name: values[i] for i, name in enumerate(kind.keys)}), run)
    except BaseException as raised:
        if run:
            run.raised = run.raised or raised
        return lib.prn_error_set(error, lib.PRN_E_ARGUMENT, b"%s", ffi.new("char[]", chars(f"{type(raised).__name__}: {raised}".replace("\0", " "))))
    _open[id(opened)] = opened
    if run:
        run.opened.append(opened)
    lib.binding_policy_bind(parameters, opened.struct, opened.slots, len(opened.fields))
    return 0


@ffi.def_extern()
def binding_policy_close(handle: Any) -> None:
    opened = ffi.from_handle(handle)
    if opened.run:
        opened.run.opened.remove(opened)
    del _open[id(opened)]


@ffi.def_extern(error=-1)
def binding_policy_visit(handle: Any, numbers: Any, visit: Any, page: int) -> int:
    opened = ffi.from_handle(handle)
    try:
        state = opened.read(numbers)
        told = ffi.unpack(visit, _NUMBERS + opened.slots)
        slot = opened.policy.visit(state, Visit._make((*told[:_NUMBERS], page, told[_NUMBERS:])))
        numbers[0 : len(opened.fields)] = [getattr(state, name) for name in opened.fields]
        slot = -1 if slot is None else int(slot)
        if not -1 <= slot < opened.slots:
            raise IndexError(f"policy '{opened.policy._name()}' keeps a version in slot {slot}, and has {opened.slots}")
        return slot
    except BaseException as raised:
        opened.end(raised)
        return -1


@ffi.def_extern(error=math.inf)
def binding_policy_decide(handle: Any, numbers: Any, visit: Any, page: int) -> float:
    opened = ffi.from_handle(handle)
    try:
        period = float(opened.policy.decide(opened.read(numbers), Visit._make((*ffi.unpack(visit, _NUMBERS), page, ()))))
        if not period > 0:
            raise ValueError(f"policy '{opened.policy._name()}' decides a period of {period}, and a period is above 0")
        return period
    except BaseException as raised:
        opened.end(raised)
        return math.inf
