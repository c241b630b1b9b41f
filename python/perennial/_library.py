"""The library: its functions as cffi has them, its errors as exceptions, and long calls that may be interrupted."""

from __future__ import annotations

import _thread
import os
from typing import Any, Callable, Sequence, TypeVar, Union

from ._binding import ffi as ffi, lib as lib

Path = Union[str, "os.PathLike[str]"]
T = TypeVar("T")


_BUILT = f"{lib.PRN_VERSION_MAJOR}.{lib.PRN_VERSION_MINOR}.{lib.PRN_VERSION_PATCH}"
_RUNS = ffi.string(lib.prn_version()).decode()
if _BUILT != _RUNS:  # what structs are like may differ
    raise ImportError(f"this package was built for libperennial {_BUILT}, and the one that is installed is {_RUNS}: build the package anew")


class Error(Exception):
    """What libperennial could not do.  The text names the file, offset, URL or option, and what to do; code is its PRN_E_* value."""

    code: int = 0


class ArgumentError(Error, ValueError):
    """An argument is outside the range that is stated for it."""


class InputError(Error, ValueError):
    """What was given to be read is damaged, malformed or of a kind that is not read."""


class TruncatedError(InputError):
    """The input ends early."""


class SystemRefusal(Error, OSError):
    """The system refused to read or write."""


class NotFoundError(Error, LookupError):
    """There is no such page, policy, key or file."""


class MemoryShortage(Error, MemoryError):
    """Out of memory."""


class CancelledError(Error):
    """A call was asked to stop."""


class DamagedError(Error):
    """A store, or a page of it, is not as it was written."""


class BusyError(Error):
    """A store that is shared did not answer in time, or another wrote to it first: try again."""


_KINDS: "dict[int, type[Error]]" = {
    lib.PRN_E_MEMORY: MemoryShortage,
    lib.PRN_E_ARGUMENT: ArgumentError,
    lib.PRN_E_INPUT: InputError,
    lib.PRN_E_TRUNCATED: TruncatedError,
    lib.PRN_E_IO: SystemRefusal,
    lib.PRN_E_VERSION: InputError,
    lib.PRN_E_LIMIT: InputError,
    lib.PRN_E_UNSUPPORTED: InputError,
    lib.PRN_E_NOT_FOUND: NotFoundError,
    lib.PRN_E_CANCELLED: CancelledError,
    lib.PRN_E_DAMAGED: DamagedError,
    lib.PRN_E_CONFLICT: BusyError,
    lib.PRN_E_BUSY: BusyError,
    lib.PRN_E_UNREADABLE: DamagedError,
}


def text(chars: Any) -> str:
    """A string of C's, or "" for none.  What is not UTF-8 in it can be handed back to the library as it came."""
    return ffi.string(chars).decode("utf-8", "surrogateescape") if chars else ""


def chars(string: str) -> bytes:
    """A string for C, which has no NUL in the middle."""
    if "\0" in string:
        raise ArgumentError("a text with a NUL in it can name nothing")
    return string.encode("utf-8", "surrogateescape")


def path_chars(path: Path) -> bytes:
    """A file's name for C, which has no NUL in the middle."""
    name = os.fsencode(os.fspath(path))
    if b"\0" in name:
        raise ArgumentError("a file's name with a NUL in it can name nothing")
    return name


def failure(code: int, error: Any = None) -> Error:
    """The exception of a code, with the library's text."""
    said = text(error.text) if error and error.code == code else ""
    raised = _KINDS.get(code, Error)(said or text(lib.prn_error_text(code)))
    raised.code = code
    return raised


def check(code: int, error: Any = None) -> int:
    """Raises what a negative code stands for; else returns it."""
    if code < 0:
        raise failure(code, error)
    return code


def call(function: "Callable[..., int]", *arguments: Any) -> int:
    """Calls a function whose last parameter is a struct prn_error."""
    error = ffi.new("struct prn_error *")
    return check(function(*arguments, error), error)


def strings(items: "Sequence[str]") -> "tuple[Any, list[Any]]":
    """An array of strings for C, and what must be kept as long as it is used."""
    kept = [ffi.new("char[]", chars(item)) for item in items]
    return ffi.new("char *[]", kept), kept


def interruptible(work: "Callable[[], T]", stop: "Callable[[], None]") -> T:
    """Runs work in a thread, and has it stopped when this one is interrupted, as by Ctrl-C: a long call into C hears of nothing.

    It returns when work has ended, however often it is interrupted meanwhile.  An interruption may still come where nothing can catch
    it: so work itself is to hold all that C reads, for as long as it runs.
    """
    outcome: "list[T]" = []
    raised: "list[BaseException]" = []
    interruptions: "list[BaseException]" = []
    # Bare locks and a bare thread: what threading makes of them in Python may be interrupted half way, and the join() of a thread whose
    # join() was interrupted does not wait, before Python 3.13.
    claim, running = _thread.allocate_lock(), _thread.allocate_lock()
    running.acquire()

    def run() -> None:
        if not claim.acquire(blocking=False):
            return
        try:
            outcome.append(work())
        except BaseException as error:  # told to whoever waits
            raised.append(error)
        finally:
            running.release()

    try:
        _thread.start_new_thread(run, ())
    except BaseException as error:
        if claim.acquire(blocking=False):  # it has not begun, and now will not
            raise
        interruptions.append(error)
    while True:
        try:
            if interruptions:
                stop()
            # A signal just before a wait does not end that wait: Python hears of it after.
            while not (outcome or raised or running.acquire(timeout=1)):
                pass
            break
        except BaseException as error:
            interruptions.append(error)
    if interruptions or raised:
        raise (interruptions or raised)[0]
    return outcome[0]


def threads(number: "int | None") -> int:
    """How many threads: as given, or one for each processor that may be used."""
    if number is None:
        # Not every system tells which may be used, as macOS does not.
        return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    if number < 1:
        raise ArgumentError(f"threads is {number}, and is to be at least 1")
    return number
