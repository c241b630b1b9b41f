"""When is a web page worth fetching again?  Traces, policies and stores of libperennial.

    import perennial

    with perennial.Trace("crawl.trace") as trace:           # histories of pages, as NumPy arrays
        print(trace[0].divergences())
    result = perennial.evaluate("crawl.trace", ["cgm", "drift", MyPolicy])
    print(result.compare(at_cost=[0.1, 0.2]))               # policies in one table
    print(perennial.measure("crawl.trace").statistics())    # how long content lives
    perennial.divergence(before, after, "text/html")        # two versions of a page
    client = perennial.Client("http://127.0.0.1:7390")      # what is due, and reports of what came

doc/python.md in the sources is a tour.  What is not here is in perennial.lib, the functions of the public headers as cffi has
them, with perennial.ffi.
"""

from ._library import (
    ArgumentError,
    BusyError,
    CancelledError,
    DamagedError,
    Error,
    InputError,
    MemoryShortage,
    NotFoundError,
    SystemRefusal,
    TruncatedError,
    ffi,
    lib,
    text as _text,
)
from ._table import Table
from .client import Client, Due, Refused
from .evaluation import CLOCKS, METRICS, WINDOWS, Evaluation, evaluate
from .longevity import Longevity, measure
from .policy import DIALS, Key, Policy, Visit, policies, register
from .store import Store
from .text import Extractor, Summary, Wording, divergence, normal_url, summary
from .trace import KINDS, Page, Trace, import_trace, synthesize, write_trace

__version__: str = _text(lib.prn_version())
"""The version of the library that runs."""

for _kind in (
    ArgumentError, BusyError, CancelledError, DamagedError, Error, InputError, MemoryShortage, NotFoundError, Refused, SystemRefusal, TruncatedError,
):
    _kind.__module__ = __name__  # as programs name them

__all__ = [
    "ArgumentError", "BusyError", "CancelledError", "Client", "DamagedError", "Due", "Error", "Evaluation", "Extractor", "InputError", "Key",
    "Longevity", "MemoryShortage", "NotFoundError", "Page", "Policy", "Refused", "Store", "Summary", "SystemRefusal", "Table", "Trace",
    "TruncatedError", "Visit", "Wording", "divergence", "evaluate", "ffi", "import_trace", "lib", "measure", "normal_url", "policies",
    "register", "summary", "synthesize", "write_trace", "CLOCKS", "DIALS", "KINDS", "METRICS", "WINDOWS",
]
