"""The Python package against the command, which says the same in another way.  tests/cli/python.sh runs it: TAP, from the number given on."""

import base64
import contextlib
import dataclasses
import datetime
import doctest
import gc
import glob
import http.server
import importlib
import inspect
import json
import math
import os
import pathlib
import pkgutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

import numpy

import perennial

SOURCES, COMMAND = pathlib.Path(os.environ["SRCDIR"]), os.environ["PERENNIAL"]
CORPORA = sorted(glob.glob(str(SOURCES / "corpora" / "*.trace")))
SMALL = str(SOURCES / "corpora" / "trending-zh.trace")
folder = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TMPDIR")))
count = int(sys.argv[1])


def ok(text, holds, note=""):
    global count
    count += 1
    print(f"{'' if holds else 'not '}ok {count} - {text}", flush=True)
    if not holds and note != "":
        print("\n".join("# " + line for line in str(note).splitlines()), flush=True)


def same(text, got, want):
    ok(text, got == want, f"got:  {got!r}\nwant: {want!r}")


def skip(text, why):
    global count
    count += 1
    print(f"ok {count} - {text} # SKIP {why}", flush=True)


def raises(text, kind, said, function, *arguments, **more):
    try:
        got = function(*arguments, **more)
    except kind as error:
        ok(text, said in str(error), f"said: {error}\nwant: {said}")
        return error
    except BaseException as error:
        ok(text, False, f"raised {type(error).__name__}: {error}")
        return error
    ok(text, False, f"returned {got!r}")
    return None


def command(*words, code=0, given=None):
    """What the command prints, as JSON lines where it is asked for them."""
    done = subprocess.run([COMMAND, *map(str, words)], input=given, capture_output=True, text=True)
    if done.returncode != code:
        raise SystemExit(f"Bail out! {words}: {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()] if "--format=json" in words or words[0] == "dump" else done.stdout


# Traces.

trace = perennial.Trace(SMALL)
dumped = command("dump", SMALL)
same("a trace has the pages of its dump", trace.urls, [page["url"] for page in dumped])
page, want = trace[3], dumped[3]
same("a page has the times of its dump", [str(when) + "Z" for when in page.when], [capture["time"] for capture in want["captures"]])
same("a page has the kinds of its dump", [perennial.KINDS[kind] for kind in page.kinds], [capture["kind"] for capture in want["captures"]])
told = {f"{page.fragments[i]:016x}": page.runs[page.starts[i] : page.starts[i + 1]].tolist() for i in range(len(page.fragments))}
same("a page has the fragments of its dump, and each its runs", told, {name: runs for name, runs in want["fragments"]})
there = page.presence()
wanted = numpy.zeros_like(there)
rows = {f"{hash_:016x}": i for i, hash_ in enumerate(page.fragments)}
for name, runs in want["fragments"]:
    for first, last in runs:
        wanted[rows[name], first:last] = True
ok("a fragment is present in the captures of its runs", (there == wanted).all())
summaries = [perennial.Summary.of(page.version(i)) for i in range(len(page))]
by_library = [[one.divergence(other) for other in summaries] for one in summaries]
ok("all divergences of a page are as the library has them", numpy.allclose(page.divergences(), by_library, atol=1e-12, rtol=0))
ok("a divergence of two captures is as the library has it", abs(page.divergence(0, len(page) - 1) - by_library[0][-1]) < 1e-12)
same("a page is found by its URL, however that is written", trace[trace.urls[5].replace("https", "HTTPS")].url, trace.urls[5])
same("a trace contains the URLs of its pages and no others", [trace.urls[0] in trace, "http://none.example/" in trace, 3 in trace], [True, False, False])
same("a slice of a trace is a list of pages", [[page.url for page in pages] for pages in (trace[1:3], trace[-2:], trace[::-1], trace[9:2])], [trace.urls[1:3], trace.urls[-2:], trace.urls[::-1], []])
same("a trace is read page by page", [len(one) for one in trace][:3], [len(one["captures"]) for one in dumped][:3])
ok("a trace tells each capture as a row", len(trace.captures()) == sum(len(one["captures"]) for one in dumped))
raises("an index beyond the pages is an IndexError", IndexError, "there is no page 1000", lambda: trace[1000])
raises("a URL that has no page is a NotFoundError and so a LookupError", LookupError, "there is no page http://none.example/", lambda: trace["http://none.example/"])
raises("what is no URL is told as that", perennial.InputError, "'nonsense' is not an absolute http or https URL", lambda: trace["nonsense"])
raises("a file that is not there is an OSError with the library's text", OSError, "/none.trace", perennial.Trace, "/none.trace")
(folder / "bad.trace").write_bytes(pathlib.Path(SMALL).read_bytes()[:-100])
raises("a trace that was cut is a TruncatedError that names it", perennial.TruncatedError, "bad.trace", perennial.Trace, folder / "bad.trace")
(folder / "text.trace").write_text("no trace at all")
same("an exception has the library's code", raises("a file that is no trace is a ValueError", ValueError, "text.trace", perennial.Trace, folder / "text.trace").code, perennial.lib.PRN_E_INPUT)
raises("a name with a NUL is refused", ValueError, "NUL", lambda: perennial.evaluate(SMALL, ["drift\0x"]))
raises("a file's name with a NUL is refused, and not cut there", ValueError, "NUL", perennial.Trace, SMALL + "\0x")
with perennial.Trace(SMALL) as closed:
    kept = closed[0]
raises("of a trace that was closed nobody can say what is in it", perennial.ArgumentError, "is closed", lambda: trace.urls[0] in closed)
affinity, os.sched_getaffinity = os.sched_getaffinity, None
del os.sched_getaffinity
same("where the system does not tell which processors may be used, all are", importlib.import_module("perennial._library").threads(None), os.cpu_count())
os.sched_getaffinity = affinity
raises("a trace that was closed says so", perennial.ArgumentError, "is closed", lambda: closed[0])
ok("a page outlives its trace", len(kept.divergences()) == len(kept))

perennial.write_trace(folder / "copy.trace", reversed(list(trace)), provenance=trace.provenance)
same("pages that were read are written as they were, in any order", command("dump", folder / "copy.trace"), dumped)
(folder / "typed.jsonl").write_text("".join(
    f'{{"url":"http://a.example/","time":{time},"content_type":"{kind}","body":"the words of a page of {kind} at {time}"}}\n'
    for time, kind in enumerate(("text/plain; charset=utf-8", "text/html", "application/xml", "")))
    + '{"url":"http://a.example/","time":9,"status":304}\n')
perennial.import_trace(folder / "typed.jsonl", folder / "typed.trace")
typed = perennial.Trace(folder / "typed.trace")
same("a page has the media types of its captures", typed[0].media, ("text/plain", "text/html", "application/xml", None, None))
perennial.write_trace(folder / "copy.trace", list(typed))
same("media types are written as they were read", command("dump", folder / "copy.trace"), command("dump", folder / "typed.trace"))
perennial.import_trace(folder / "copy.trace", folder / "html.trace", media=["text/html"])
same("a trace is filtered by media types", perennial.Trace(folder / "html.trace")[0].media, ("text/html", None, None))
same("a trace that has no media types says so", (typed.media, trace.media, trace[0].media), (True, False, None))
raises("media types of other captures than there are are refused", perennial.ArgumentError, "5 captures and 1 media types", perennial.write_trace, folder / "no.trace", [dataclasses.replace(typed[0], media=["text/html"])])
raises("what is no media type is refused", perennial.ArgumentError, "media types", perennial.write_trace, folder / "no.trace", [dataclasses.replace(typed[0], media=["A"] + [None] * 4)])
day = 86400
made = perennial.Page.of_versions("http://b.example/", [day * i for i in range(6)], [{1, 2}, {1, 2}, None, {1, 3}, {1, 2}, {4}], weight=2)
perennial.write_trace(folder / "made.trace", [made])
back = perennial.Trace(folder / "made.trace")["http://b.example/"]
same("a page that was made of versions has these", [back.version(i).tolist() for i in range(6)], [[1, 2], [1, 2], [1, 2], [1, 3], [1, 2], [4]])
same("a version that is None is a capture that is the same", [perennial.KINDS[kind] for kind in back.kinds], ["content", "content", "same", "content", "content", "content"])
same("versions that come back have the bodies that they had", back.bodies.tolist(), [1, 1, 1, 4, 1, 6])
same("a page keeps its weight", back.weight, 2.0)
same("the life of a page is from its first content to its last capture", back.life, (0, 5))
same("a page has it before a trace does", made.life, (0, 5))
late = perennial.Page.of_versions("http://b.example/", [5, 6, 7, 8], [None, {1}, {2}, None])
perennial.write_trace(folder / "late.trace", [late])
same("what comes before the first content is no part of it", (late.life, perennial.Trace(folder / "late.trace")[0].life), ((1, 3), (1, 3)))
same("a page without content has no life", perennial.Page.of_versions("http://b.example/", [5, 6], [None, None]).life, None)
raises("times that do not ascend are refused with the page's URL", perennial.ArgumentError, "b.example", perennial.write_trace, folder / "no.trace", [perennial.Page.of_versions("http://b.example/", [5, 5], [{1}, {2}])])
ok("nothing stands where a trace could not be written", not (folder / "no.trace").exists() and not list(folder.glob("no.trace*")))
raises("a time without a zone is refused", ValueError, "has no zone", perennial.Page.of_versions, "http://b.example/", [datetime.datetime(2026, 1, 1)], [{1}])

perennial.synthesize(folder / "synth.warc.gz", seed=3, pages=4, captures=10)
told = []
counts = perennial.import_trace(folder / "synth.warc.gz", folder / "python.trace", skipped=told.append)
command("synth", "--seed=3", "--pages=4", "--captures=10", f"--warc={folder}/command.warc.gz")
command("import", "-o", folder / "command.trace", folder / "command.warc.gz")
same("an import has the pages of the command's", command("dump", folder / "python.trace"), command("dump", folder / "command.trace"))
same("an import counts", (counts["pages"], sum(counts["captures"].values()), told), (4, 40, []))
(folder / "junk.bin").write_bytes(b"\x00\x01junk" * 50)
raises("a source that is not there is named", perennial.NotFoundError, "/none.warc", perennial.import_trace, "/none.warc", folder / "f.trace")
raises("a source that is no archive is named", perennial.InputError, "junk.bin", perennial.import_trace, folder / "junk.bin", folder / "f.trace")
raises("a trace that was cut is named where it is imported", perennial.InputError, "bad.trace", perennial.import_trace, folder / "bad.trace", folder / "f.trace")
with open(folder / "faulty.jsonl", "w") as lines:
    lines.write('{"url":"http://a.example/","time":1,"body":"some words"}\nnonsense\n')
perennial.import_trace(folder / "faulty.jsonl", folder / "faulty.trace", skipped=told.append)
ok("an import tells what it skipped", len(told) == 1 and "faulty.jsonl" in told[0], told)
with open(folder / "many.jsonl", "w") as lines:
    for date, host in ((date, host) for date in range(1, 6) for host in "abc"):
        lines.write(json.dumps({"url": f"http://{host}.example/{'news' if date > 3 else ''}", "time": f"2026-01-0{date}", "content_type": "text/css" if host == "c" else "text/html", "body": f"some words of day {date}"}) + "\n")
on = lambda n: datetime.datetime(2026, 1, n, tzinfo=datetime.timezone.utc)  # noqa: E731
for text, options, more in (
    ("hosts", ["--host=b.example"], {"hosts": ["b.example"]}),
    ("SURT prefixes", ["--surt=example,a)/news", "--surt=example,b)/news"], {"surts": ["example,a)/news", "example,b)/news"]}),
    ("media types", ["--media=text/css"], {"media": ["text/css"]}),
    ("all media", ["--media=all"], {"media": ()}),
    ("times", ["--from=2026-01-02", "--to=2026-01-04"], {"since": on(2), "until": on(4)}),
    ("times that are texts", ["--from=2026-01-02", "--to=2026-01-04"], {"since": "2026-01-02", "until": "2026-01-04T00:00:00Z"}),
    ("a sample", ["--sample=0.1"], {"sample": 0.1}),
):
    perennial.import_trace(folder / "many.jsonl", folder / "python.trace", **more)
    command("import", "-o", folder / "command.trace", *options, folder / "many.jsonl")
    same(f"an import takes {text} as the command does", command("dump", "--media=all", folder / "python.trace"), command("dump", "--media=all", folder / "command.trace"))
    ok(f"and they make a difference: {text}", command("dump", folder / "python.trace") != command("dump", folder / "many.jsonl"))
same("an import cuts bodies at a limit", perennial.import_trace(folder / "many.jsonl", folder / "python.trace", max_body=10)["cut"], 10)
perennial.import_trace(folder / "synth.warc.gz", folder / "python.trace", links=True)
command("import", "-o", folder / "command.trace", "--links", folder / "synth.warc.gz")
same("an import takes links as the command does", command("dump", folder / "python.trace"), command("dump", folder / "command.trace"))
wrong = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://d.example/\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Payload-Digest: xxh3:0000000000000000\r\nContent-Length: 24\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhello\r\n\r\n"
(folder / "wrong.warc").write_bytes(wrong.encode())
for digests, mismatched in ((None, 1), ("check", 1), ("trust", 0)):
    same(f"digests={digests!r}: so many are told to be wrong", perennial.import_trace(folder / "wrong.warc", folder / "wrong.trace", digests=digests)["mismatched"], mismatched)
raises("digests are checked or trusted", perennial.ArgumentError, "'check' or 'trust'", perennial.import_trace, folder / "wrong.warc", folder / "wrong.trace", digests="maybe")
raises("a sample is a share", perennial.ArgumentError, "above 0", perennial.import_trace, folder / "wrong.warc", folder / "wrong.trace", sample=2)
raises("a base of a git repository is a URL", perennial.Error, "docs", perennial.import_trace, folder / "wrong.warc", folder / "wrong.trace", git_base="docs")


def refuse(what):
    raise KeyError("enough")


raises("what the teller of an import raises comes out", KeyError, "enough", perennial.import_trace, folder / "faulty.jsonl", folder / "f.trace", skipped=refuse)

# Texts.

one, other = "<p>one two three four five six seven", "<p>one two three four five six eight"
extractor = perennial.Extractor()
same("a text of seven words has three fragments of five", len(extractor.summary(one, "text/html").hashes), 3)
same("the divergence of two texts is that of their fragments", perennial.divergence(one, other, "text/html"), 1 - 2 / 4)
same("a text is as far from itself as nothing is", perennial.divergence(b"", b""), 0.0)
equal = [perennial.summary("one two three four five six"), perennial.summary(b"one two three four five six", "text/plain"), perennial.Extractor().summary("one two three four five six")]
ok("summaries of one version are equal, and found in lists and sets", equal[0] == equal[1] and equal[0] in equal[1:] and len(set(equal)) == 1)
unequal = [equal[0], perennial.summary("one two three four five seven"), perennial.summary(""), equal[0].smallest(5), dataclasses.replace(equal[0], complete=False)]
same("summaries of other versions, limits or completeness are not equal, and a summary is equal to nothing else", [len(set(unequal)), equal[0] == "one", equal[0] != None], [5, False, True])  # noqa: E711
same("readings are equal if their words are", [extractor.read(one) == extractor.read(one), extractor.read(one) == extractor.read(other), len({extractor.read(one), extractor.read(one)})], [True, False, 1])
wording = extractor.read("<title>Boats</title><p>leave at <b>nine</b>", "text/html")
same("a body is read as its words", wording.words, ["Boats", "leave", "at", "nine"])
same("a summary with a limit keeps the smallest hashes", perennial.summary(one, limit=2).hashes.tolist(), extractor.summary(one).hashes.tolist()[:2])
ok("a summary that left hashes out is not complete", not perennial.summary(one, "text/html", limit=2).complete and perennial.summary(one, "text/html", limit=3).complete)
raises("hashes that do not ascend are no summary", ValueError, "ascending", perennial.Summary, numpy.array([2, 1]), None, True)
raises("words beyond the library's are refused", ValueError, "may be 64 at most", perennial.Extractor, 65)
same("a URL has the library's normal form", perennial.normal_url("HTTP://A.example:80/%7eu?"), "http://a.example/~u")

# Evaluations.

COSTS, WANT = (0.05, 0.1, 0.2), ["uniform", "cgm", "drift", "fs-s"]


def number(value):
    return math.nan if value is None else value


def agrees(rows, lines, *names):
    """Whether rows have the numbers of the command's lines, to the last bit."""
    return len(rows) == len(lines) and all(
        all(row[name] == line[column] or (math.isnan(row[name]) and line[column] is None) for name, column in names) for row, line in zip(rows, lines)
    )


evaluation = perennial.evaluate(CORPORA, WANT)
lines = command("evaluate", "--window=steady", f"--policy={','.join(WANT)}", "--format=json", *CORPORA)
rows = evaluation.compare(window="steady")
names = (("policy", "policy"), ("cost", "cost"), ("staleness", "staleness"), ("low", "low"), ("high", "high"), ("ratio", "ratio-to-cgm"), ("ratio_low", "ratio-low"), ("ratio_high", "ratio-high"))
ok("a comparison has the numbers of `perennial evaluate` to the last bit, their intervals and ratios too", agrees(rows, lines, *names), f"{rows}\n{lines}")
same("an evaluation counts pages", (evaluation.pages, evaluation.left_out), (161, 0))
lines = command("evaluate", "--window=all", "--metric=age", "--policy=uniform,cgm,drift,fs-s", "--at-staleness=2", "--seed=7", "--bootstrap=50", "--format=json", *CORPORA)
rows = evaluation.compare(at_staleness=[2], metric="age", seed=7, resamples=50)
ok("a comparison at equal staleness, of another metric and seed, too", agrees(rows, lines, ("policy", "policy"), ("cost", "cost"), ("low", "low"), ("high", "high")), f"{rows}\n{lines}")
lines = command("evaluate", "--window=steady", "--policy=cgm,uniform", "--threshold=0.1,0.2", "--period=2,6h", "--metric=fragment,holistic,age,harmonic,changes", "--format=json", *CORPORA)
rows = perennial.evaluate(CORPORA, ["cgm", "uniform"], thresholds=[0.1, 0.2], periods=[2, "6h"], threads=1).scores("steady")
ok("settings that are given have the scores of the command", agrees(rows, lines, ("policy", "policy"), ("cost", "cost"), ("fragment", "staleness"), ("holistic", "holistic"), ("age", "age-days"), ("harmonic", "harmonic"), ("changes", "changes")), f"{rows}\n{lines}")
(folder / "weights").write_text(f"{trace.urls[0]} 30\n{trace.urls[1]} 5\n")
small = ["--at-cost=0.1", "--bootstrap=0", "--policy=drift", "--format=json"]
perennial.synthesize(folder / "bytes.warc.gz", pages=30, captures=30)
perennial.import_trace(folder / "bytes.warc.gz", folder / "bytes.trace")
for text, options, more in (
    ("hints that are made up", ["--hints=synthetic:recall=0.8:seed=4"], {"hints": "synthetic:recall=0.8:seed=4"}),
    ("rates that are made up", ["--rates=synthetic:error=0.5"], {"rates": "synthetic:error=0.5"}),
    ("weights of a file", [f"--weights={folder}/weights"], {"weights": folder / "weights"}),
    ("the cost of bytes", ["--cost=bytes"], {"cost": "bytes"}),
    ("conditional requests", ["--conditional=0.2"], {"conditional": 0.2}),
    ("days as the clock", ["--clock=days"], {"clock": "days"}),
    ("a prior that was learned", [f"--learn-prior={CORPORA[0]}"], {"learn": CORPORA[0]}),
    ("a default for keys", ["--history=4"], {"defaults": {"history": 4}}),
    ("budgets", ["--budget=0.05,0.1,0.2"], {"budgets": [0.05, 0.1, 0.2]}),
):
    where = folder / "bytes.trace" if "bytes" in text else SMALL
    lines, rows = command("evaluate", *options, *small, where), perennial.evaluate(where, ["drift"], **more).compare([0.1], resamples=0)
    ok(f"{text} have the numbers of the command", agrees(rows, lines, ("staleness", "staleness")), f"{rows}\n{lines}")
same("without policies those are compared that the command compares", perennial.evaluate(SMALL, thresholds=[1], periods=[1], scales=[1]).policies, tuple(dict.fromkeys(line["policy"] for line in command("evaluate", "--at-cost=0.1", "--bootstrap=0", "--format=json", SMALL))))
raises("a policy that there is not is told with those that there are", perennial.NotFoundError, "drift", perennial.evaluate, SMALL, ["none"])
raises("a key's value that does not fit is told", ValueError, "history", perennial.evaluate, SMALL, ["curve-fitting:history=99"])
raises("a file of hints that is not there is told", OSError, "/nowhere/none", perennial.evaluate, SMALL, ["drift"], hints="/nowhere/none")
raises("a window that there is not is told with those that there are", ValueError, "warm-up, steady, all", evaluation.compare, window="warm")
raises("no trace is an error", ValueError, "no trace", perennial.evaluate, [], ["drift"])
raises("budgets and thresholds do not go together", ValueError, "budgets", perennial.evaluate, SMALL, ["drift"], budgets=[1], thresholds=[1])
raises("a setting that is no number is told", ValueError, "a period is 'often'", perennial.evaluate, SMALL, ["uniform"], periods=["often"])
raises("a setting that is not above 0 is told", ValueError, "", perennial.evaluate, SMALL, ["cgm"], thresholds=[0.0])
try:
    import pandas

    frame = evaluation.compare(COSTS).to_pandas()
    same("a table becomes a DataFrame", (frame.shape, list(frame.columns)[:3], frame["cost"].dtype.kind), ((12, 10), ["policy", "window", "metric"], "f"))
except ImportError:
    skip("a table becomes a DataFrame", "python3-pandas is not installed")
table = evaluation.compare(COSTS)
same("rows are chosen by their values", table.where(policy="drift", cost=0.1).column("policy"), ["drift"])
same("a table is shown with a line for each row", len(str(table).splitlines()), 13)

# Policies of Python.


class Patient(perennial.Policy):
    """Every week, or less often where nothing changes."""

    dial = "scale"
    slots = 1
    state = ("visits", "changed")
    keys = {"days": perennial.Key(7.0, "from one visit to the next"), "patience": perennial.Key(4.0, "times as long", least=1, most=1000)}

    def visit(self, state, visit):
        if state.visits and visit.divergence[0] > 0:
            state.changed = 1
        state.visits = min(state.visits + 1, 2)
        return 0

    def decide(self, state, visit):
        quiet = state.visits == 2 and not state.changed
        return visit.threshold * self.days * (self.patience if quiet else 1)


compiler = os.environ.get("CC", "cc").split()
plugin = folder / "patient.so"
built = subprocess.run([*compiler, "-shared", "-fPIC", f"-I{SOURCES}/include", "-o", str(plugin), str(SOURCES / "doc/examples/patient.c")], capture_output=True)
both = perennial.evaluate(SMALL, ["cgm", Patient, Patient(patience=1)])
if built.returncode == 0:
    lines = command("evaluate", f"--plugin={plugin}", "--policy=cgm,patient,patient:patience=1", "--at-cost=0.1,0.2", "--bootstrap=100", "--format=json", SMALL)
    rows = both.compare([0.1, 0.2], resamples=100)
    ok("a policy of Python has the numbers of the same one in C to the last bit, beside one of the library", agrees(rows, lines, ("staleness", "staleness"), ("low", "low"), ("high", "high")), f"{rows}\n{lines}")
else:
    skip("a policy of Python has the numbers of the same one in C to the last bit, beside one of the library", "no compiler")
same("a policy of Python is called by its specification", both.policies, ("cgm", "patient", "patient:patience=1.0"))
one_thread, two = (perennial.evaluate(SMALL, [Patient], scales=[0.1, 0.5], threads=n).scores() for n in (1, 2))
same("the scores are the same for any number of threads", one_thread, two)
listed = [row for row in perennial.policies() if row["policy"] == "patient"]
same("a policy of Python is listed with its keys", [(row["title"], row["dial"], row["keys"]["days"]) for row in listed], [("Every week, or less often where nothing changes", "scale", "7.0")])
ok("it is not compared where no policies are named", "patient" not in perennial.evaluate(SMALL, scales=[1], thresholds=[1], periods=[1]).policies)
raises("a key's value beyond its range is told", ValueError, "patience", perennial.evaluate, SMALL, ["patient:patience=2000"])
raises("a key that a policy has not is told", ValueError, "policy 'patient' has no key day", Patient, day=1)


class Faulty(Patient):
    calls, where, error = 0, "", ValueError("the pier is closed")

    def fail(self, where):
        Faulty.calls += 1
        if where == Faulty.where:
            raise Faulty.error if isinstance(Faulty.error, BaseException) else Faulty.error("again")

    def visit(self, state, visit):
        self.fail("visit")
        return super().visit(state, visit)

    def decide(self, state, visit):
        self.fail("decide")
        return super().decide(state, visit)


for where in ("visit", "decide"):
    Faulty.calls, Faulty.where, Faulty.error = 0, where, ZeroDivisionError(f"in {where}")
    error = raises(f"what {where}() raises comes out of evaluate", ZeroDivisionError, f"in {where}", perennial.evaluate, CORPORA, ["cgm", Faulty], threads=2)
    ok(f"it is the very exception, with its traceback", error is Faulty.error and "fail" in {frame.name for frame in __import__("traceback").extract_tb(error.__traceback__)})
    ok(f"no policy of Python is asked any more after it", Faulty.calls <= 6, Faulty.calls)
Faulty.where, Faulty.error = "visit", KeyboardInterrupt()
raises("an interruption within a policy comes out as that", KeyboardInterrupt, "", perennial.evaluate, SMALL, [Faulty])
Faulty.where = ""
ok("a policy that failed works again afterwards", perennial.evaluate(SMALL, [Faulty], scales=[1]).pages > 0)


class Returned(perennial.Policy):
    period, slot = 1.0, None
    slots = 1

    def visit(self, state, visit):
        return Returned.slot

    def decide(self, state, visit):
        return Returned.period


for period, kind, said in ((0.0, ValueError, "a period is above 0"), (math.nan, ValueError, "a period is above 0"), (None, TypeError, ""), ("often", ValueError, "often")):
    Returned.period = period
    raises(f"a period that is {period!r} is an error", kind, said, perennial.evaluate, SMALL, [Returned], thresholds=[1])
Returned.period, Returned.slot = math.inf, 0
same("a page whose period is infinite is never visited again", perennial.evaluate(SMALL, [Returned], thresholds=[1]).scores()[0]["cost"], 0.0)
Returned.slot = 1
raises("a slot that a policy has not is an error", IndexError, "slot 1", perennial.evaluate, SMALL, [Returned], thresholds=[1])
Returned.slot, Returned.state, Returned.period = 0, ("number",), 1.0
Returned.visit = lambda self, state, visit: setattr(state, "number", "text")
raises("a state that is no number is an error", TypeError, "", perennial.evaluate, SMALL, [Returned], thresholds=[1])


class Unready(perennial.Policy):
    def __init__(self, **keys):
        raise RuntimeError("not today")


raises("what a policy's making raises comes out", RuntimeError, "not today", perennial.evaluate, SMALL, [Unready])
Unready.__init__ = perennial.Policy.__init__
raises("a policy that could not be made may be given again; one that does not decide says so", NotImplementedError, "define decide", perennial.evaluate, SMALL, [Unready], thresholds=[1])


def define(days, named="again", turned="period", keyed="days"):
    class Again(perennial.Policy):
        name, dial, keys = named, turned, {keyed: days}

        def decide(self, state, visit):
            return visit.threshold * getattr(self, keyed)

    return Again


costs = [perennial.evaluate(SMALL, [define(days)], periods=[1]).scores()[0]["cost"] for days in (1.0, 4.0)]
ok("a class that is defined again takes the place of the one before, with its own defaults", costs[1] < costs[0] / 2, costs)
raises("with another dial it is refused", ValueError, "whose dial or keys are others", perennial.register, define(1.0, turned="scale"))
raises("with other keys it is refused", ValueError, "whose dial or keys are others", perennial.register, define(1.0, keyed="weeks"))
raises("a name that the library has is refused", ValueError, "drift", perennial.register, define(1.0, named="drift"))
raises("a name of other letters is refused", ValueError, "small letters", perennial.register, define(1.0, named="Über"))
raises("what is no policy is refused", ValueError, "derives from perennial.Policy", perennial.register, dict)

done = []
together = [threading.Thread(target=lambda scale=scale: done.append((scale, perennial.evaluate(SMALL, [Patient], scales=[scale]).scores()[0]["cost"]))) for scale in (0.1, 0.2, 0.3, 0.4)]
for thread in together:
    thread.start()
for thread in together:
    thread.join()
same("evaluations of one policy run side by side", sorted(done), [(scale, perennial.evaluate(SMALL, [Patient], scales=[scale]).scores()[0]["cost"]) for scale in (0.1, 0.2, 0.3, 0.4)])
ticks = []
ticking = threading.Event()


def tick():
    while not ticking.wait(0.001):
        ticks.append(1)


ticker = threading.Thread(target=tick)
ticker.start()
perennial.evaluate(CORPORA, ["drift", "cgm"])
ticking.set()
ticker.join()
ok("other threads of Python run while policies of the library are replayed", len(ticks) > 5, len(ticks))


class Slow(Patient):
    begun = threading.Event()

    def decide(self, state, visit):
        Slow.begun.set()
        time.sleep(0.002)
        return super().decide(state, visit)


def interrupt():
    Slow.begun.wait(30)
    os.kill(os.getpid(), signal.SIGINT)


signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs begin with it ignored
interrupter = threading.Thread(target=interrupt)
interrupter.start()
raises("Ctrl-C ends an evaluation", KeyboardInterrupt, "", perennial.evaluate, CORPORA, [Slow])
interrupter.join()


def interrupted(times):
    """What has happened when a work that was interrupted so many times has returned: it ends when the last time was told to it."""
    happened, begun = [], threading.Event()

    def work():
        begun.set()
        for _ in range(10000):
            if happened.count("stop") >= times:
                break
            time.sleep(0.001)
        time.sleep(0.1)  # as C has to clean up
        happened.append("ended")

    def stop():
        happened.append("stop")

    def interrupt():
        begun.wait(30)
        for i in range(times):
            os.kill(os.getpid(), signal.SIGINT)
            while happened.count("stop") <= i and "returned" not in happened:
                time.sleep(0.001)

    interrupter = threading.Thread(target=interrupt)
    interrupter.start()
    try:
        importlib.import_module("perennial._library").interruptible(work, stop)
    except KeyboardInterrupt:
        happened.append("interrupted")
    happened.append("returned")
    interrupter.join()
    return happened


for times in (1, 3):
    same(f"a long call that is interrupted {times} times returns when its work has ended", interrupted(times), ["stop"] * times + ["ended", "interrupted", "returned"])

# Memory: what is opened is closed, and many rounds take no more than few.

opened = importlib.import_module("perennial.policy")._open


def resident():
    gc.collect()
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


Faulty.where, Faulty.error = "decide", ValueError


def round_of_all():
    list(perennial.Trace(SMALL))[0].divergences()
    perennial.evaluate(SMALL, [Patient, "cgm"], scales=[1], thresholds=[1]).compare([0.1], resamples=20)
    perennial.measure(SMALL, resamples=5, draws=5).lifetimes()
    with contextlib.suppress(ValueError):
        perennial.evaluate(SMALL, [Faulty], scales=[1])
    with contextlib.suppress(OSError):
        perennial.Trace("/none.trace")
    extractor.read(one * 100, "text/html")
    perennial.Extractor().summary(one * 100, "text/html")


# Some grow the heap by chance, by a megabyte on a busy machine; a result that is not freed, by eight each time.
growths, before = [], 0
for part in range(5):
    for _ in range(8):
        round_of_all()
    growths.append(resident() - before)
    before += growths[-1]
ok("rounds of everything leave nothing behind", min(growths[1:]) < 4 << 20, growths)
del evaluation, both, table
gc.collect()
same("no policy of Python stays open", len(opened), 0)

# How long content lives.

measured = perennial.measure(CORPORA[:2])
lines = command("measure", "--format=json", *CORPORA[:2])
rows = measured.statistics()
listed = {(pathlib.Path(row["corpus"]).stem, row["statistic"]): tuple(row[name] for name in ("value", "low", "high")) for row in rows}
wrong = [line for line in lines if any(not (number(line[name]) == got or (math.isnan(number(line[name])) and math.isnan(got))) for name, got in zip(("value", "low", "high"), listed[line["corpus"], line["statistic"]]))]
ok("what is measured has the numbers of `perennial measure` to the last bit", not wrong and len(lines) > 20, wrong)
same("one statistic is told by its name", measured.statistic("static_share"), listed["all", "static_share"])
lines = [line for line in command("measure", "--lifetimes", "--format=json", CORPORA[0])]
lifetimes = perennial.measure(CORPORA[0]).lifetimes()
ok("survival never rises, and is within its interval", (numpy.diff(lifetimes["survival"]) <= 0).all() and (lifetimes["low"] <= lifetimes["survival"]).all() and len(lifetimes) > 10)
same("as many lifetimes are known as the command counts", int(sum(lifetimes["not"])), sum(line.get("not", line.get("known", 0)) or 0 for line in lines))
raises("a statistic that there is not is told", ValueError, "there is no statistic 'none'", measured.statistic, "none")
raises("a scope that there is not is told", ValueError, "there is no scope 7", measured.pages, 7)

# A store in this process, against the command on the same captures.

captures = [
    {"url": "http://a.example/1", "time": 1767225600 + day * i, "status": 200, "content_type": "text/html", "body": f"<p>boats leave the old pier at nine and at noon on day {i // 3}", "etag": f'"v{i // 3}"'}
    for i in range(9)
] + [
    {"url": "http://a.example/2", "time": 1767225600 + day, "status": 301, "location": "/1"},
    {"url": "http://a.example/3", "time": 1767225600 + day, "status": 404, "body": "nothing here"},
    {"url": "http://b.example/4", "time": 1767225600 + day, "status": 503, "retry_after": 600},
    {"url": "http://a.example/1", "time": 1767225600 + day * 10, "status": 304},
    {"url": "http://a.example/1", "time": 1767225600 + day * 10, "status": 200, "body": "later"},
]
now = 1767225600 + day * 12
(folder / "captures.jsonl").write_text("".join(json.dumps(line) + "\n" for line in captures))
command("init", f"--state={folder}/S", "--budget=50/day")
decided = command("observe", f"--state={folder}/S", f"--now=2026-01-13", "--format=json", str(folder / "captures.jsonl"))
store = perennial.Store.create(folder / "P", budget="50/day", host_limit=0, host_delay_s=0)
fields = ("url", "time", "outcome", "next_time", "period_s", "divergence", "utility", "reason")
reports = [store.report(line["url"], now=now, **{name: value for name, value in line.items() if name != "url"}) for line in captures]
wrong = [(line, got) for line, got in zip(decided, reports) if any(line.get(name) != got.get(name) and not math.isclose(line.get(name) or 0, got.get(name) or 0, rel_tol=1e-9) for name in fields)]
ok("a store decides as `perennial observe` does, of content, 304, redirect and failures", len(decided) == len(reports) - 1 == 13 and not wrong, wrong)
same("what is reported twice of one time changes nothing, and is told", reports[-1], {"url": "http://a.example/1", "time": "2026-01-11T00:00:00Z", "outcome": "duplicate"})
stats = command("stats", f"--state={folder}/S", "--now=2026-01-13", "--format=json")[0]
got = store.stats(now=now)
same("a store tells the stats of the command", {name: float(f"{value:.12g}") if isinstance(value, float) else value for name, value in got.items()}, {name: stats[name] for name in got})
moved = [store.report("http://a.example/2", status=302, location=f"http://m.example/one/two/three/four/five/six/{place}", content_type=kind, time=now - 7200 + i * 60, now=now)["divergence"] for i, (place, kind) in enumerate((("a", None), ("b", None), ("c", "text/html")))]
same("a redirect that leads to another place under the same path is a whole change", moved, [1.0, 1.0, 1.0])
store.forget(host="m.example")
store.report("http://a.example/tags", "words", etag='"abc", "def"', last_modified="Sun, 10 May 2020 11:00:00 GMT", time=now, now=now)
tagged = [line for line in store.due(50, lease=0, now=now + 200 * day) if line["url"] == "http://a.example/tags"][0]
same("a page that came with an ETag that is none is asked for by its Last-Modified", (tagged.get("if_none_match"), tagged.get("if_modified_since")), (None, "Sun, 10 May 2020 11:00:00 GMT"))
store.forget("http://a.example/tags")
same("a time may be a text", store.report("http://a.example/tags", "words", time="2026-01-12T13:00:00+01:00", now=now)["time"], "2026-01-12T12:00:00Z")
raises("a text that is no time is told", perennial.ArgumentError, "'noon' is no time", store.report, "http://a.example/tags", "words", time="noon", now=now)
store.forget("http://a.example/tags")
address_of = importlib.import_module("perennial.store")._address
same("an address has one spelling", [address_of(text) for text in ("192.0.2.1", "::ffff:192.0.2.1", "::FFFF:c000:201", "2001:DB8:0::1")], ["192.0.2.1"] * 3 + ["2001:db8::1"])
for wrong in ("a.example", "192.0.2.1:80", "192.0.2.256", "fe80::1%eth0", "x" * 60):
    raises(f"what is no address is refused: {wrong}", perennial.ArgumentError, "is no address", store.report, "http://a.example/tags", "words", time=now, now=now, address=wrong)
same("pages are added once", [line["outcome"] for line in store.add(["http://c.example/", ("http://d.example/", 3), {"url": "http://c.example/"}], now=now)], ["added", "added", "known"])
for weight in (0, -1, float("nan")):
    raises(f"a weight of {weight} is refused, and none of its fellows is added", perennial.ArgumentError, "http://e.example/", store.add, ["http://f.example/", ("http://e.example/", weight)], now=now)
same("and the fellow is not there", store.forget("http://f.example/"), 0)
raises("a page that is none is told, and none of its fellows is added", perennial.InputError, "", store.add, ["http://e.example/", "nonsense"], now=now)
due = store.due(10, lease=0, now=now)
ok("what is due is told with what to send", {"http://c.example/", "http://d.example/"} <= {line["url"] for line in due} and all(set(line) >= {"value", "reason", "due_time"} for line in due) and "http://e.example/" not in {line["url"] for line in due}, due)
taken = store.due(10, lease=600, now=now)
ok("what is out is not handed out again", len(taken) > 0 and not {line["url"] for line in store.due(10, lease=600, now=now)} & {line["url"] for line in taken})
same("leases are given back", {line["outcome"] for line in store.release([line["url"] for line in taken], now=now)}, {"released"})
later = store.due(50, lease=0, now=now + 200 * day)
same("a page is due with the tag of its version", [line.get("if_none_match") for line in later if line["url"] == "http://a.example/1"], ['"v2"'])
same("its headers are those of a conditional request", importlib.import_module("perennial.client").Due.headers({"if_none_match": '"v2"'}), {"If-None-Match": '"v2"'})
same("pages are forgotten", (store.forget("http://c.example/"), store.forget(host="d.example"), store.forget("http://none.example/")), (1, 1, 0))
raises("one writer has a store at a time", perennial.InputError, "", perennial.Store, folder / "P", lock_wait_s=0)
store.close()
raises("a store that was closed says so", ValueError, "is closed", store.stats)
with perennial.Store(folder / "P", read_only=True) as reading:
    ok("what was done is there after it was closed", reading.stats(now=now)["pages"] == 4, reading.stats(now=now))
    raises("a store that is open for reading takes no pages", ValueError, "", reading.add, ["http://f.example/"], now=now)
raises("an option that a store has not is told with those that it has", ValueError, "host_limit", perennial.Store, folder / "P", hosts_limit=1)
raises("a store that is not there is a NotFoundError", perennial.NotFoundError, "none", perennial.Store, folder / "none")
raises("a budget that is none is told", ValueError, "5000/day", perennial.Store.create, folder / "Q", budget="lots")
with perennial.Store.create(folder / "patient", policy=Patient(days=3), threshold=1) as patient:
    got = [patient.report("http://a.example/", f"words of day {i} alone", time=1767225600 + day * 3 * i, now=now)["next_time"] for i in range(3)]
    same("a store of a policy of Python goes by it", got[2], "2026-01-10T00:00:00Z")
with perennial.Store(folder / "patient") as patient:
    got = patient.report("http://a.example/", "words of day 3 alone", time=1767225600 + day * 9, now=now)
    same("its pages' states are read again", (got["next_time"], got["outcome"]), ("2026-01-13T00:00:00Z", "observed"))



class Frail(Patient):
    """Fails where it is told to."""

    where, slots = "", 1

    def visit(self, state, visit):
        if Frail.where == "visit":
            raise KeyError("a slip in visit")
        return super().visit(state, visit)

    def decide(self, state, visit):
        if Frail.where == "decide":
            raise KeyError("a slip in decide")
        return super().decide(state, visit)


def looked(frail, days):
    """Each page, and when it is due, without anything being changed; the policy, if it fails, is not asked about these."""
    failing, Frail.where = Frail.where, ""
    try:
        return {line["url"]: line["due_time"] for line in frail.due(10, lease=0, now=now + days * day)}
    finally:
        Frail.where = failing


with perennial.Store.create(folder / "frail", policy=Frail, threshold=1, host_limit=0, host_delay_s=0) as frail:
    for url in ("http://a.example/", "http://b.example/"):
        frail.report(url, "words of a day alone", time=now)
    before = looked(frail, 300)
    for where in ("visit", "decide"):
        Frail.where = where
        raises(f"what {where}() raises comes out of a store's report", KeyError, f"a slip in {where}", frail.report, "http://a.example/", "other words of this day", time=now + day)
        same(f"a report in which {where}() raised has changed nothing", looked(frail, 300), before)
    raises("what decide() raises comes out of a store's due", KeyError, "a slip in decide", frail.due, 10, now=now + 300 * day)
    raises("what decide() raises comes out of a look at what is due", KeyError, "a slip in decide", frail.due, 10, lease=0, now=now + 300 * day)
    same("a due in which decide() raised has put no page off, and handed none out", looked(frail, 300), before)
    Frail.where = ""
    got = frail.report("http://a.example/", "other words of this day", time=now + day, now=now + day)
    same("a report that failed may be made again, and is decided as if it had not", (got["outcome"], got["period_s"], got["reason"]), ("observed", 7.0 * day, "rule"))
    same("a page that was never seen is decided by the policy after it had failed", frail.report("http://c.example/", "words", time=now, now=now)["period_s"], 7.0 * day)
    same("pages are handed out after a failure", len(frail.due(10, now=now + 300 * day)), 3)

# A client of the daemon.


@contextlib.contextmanager
def served(name, *options):
    process = subprocess.Popen([COMMAND, "serve", "--create", f"--state={folder}/{name}", *options], stderr=subprocess.PIPE, text=True)
    address = ""
    while process.poll() is None and not address:
        line = process.stderr.readline()
        address = line.split("address=")[1].split()[0] if "listening" in line else ""
    drain = threading.Thread(target=process.stderr.read)
    drain.start()
    try:
        yield "http://" + address if not address.startswith("unix:") else address
    finally:
        process.terminate()
        process.wait()
        drain.join()


with served("D", "--listen=127.0.0.1:0", "--host-limit=0", "--host-delay=0s", "--now=2026-01-13") as address:
    client = perennial.Client(address, token_file=folder / "D" / "token")
    ok("a server that answers is ready", client.ready())
    same("pages are added by the client", [line["outcome"] for line in client.add(["http://a.example/1", ("http://b.example/2", 3)])], ["added", "added"])
    due = client.due(1, "10m")
    same("what is most valuable is handed out first", [(line["url"], line["weight"]) for line in due], [("http://b.example/2", 3)])
    got = client.report("http://b.example/2", "words that were fetched", content_type="text/plain", etag='"v1"', time=now)
    same("a report is answered with the decision", (got["url"], got["outcome"], got["reason"] in ("rule", "learning", "minimum", "maximum")), ("http://b.example/2", "observed", True))
    answers = client.report_all(line if line["status"] != 200 else {**line, "body": line["body"].encode()} for line in captures)
    wrong = [(line, got) for line, got in zip(decided, answers) if any(line.get(name) != got.get(name) for name in ("url", "time", "outcome"))]
    ok("many reports in one request are decided as the command does, and the one that is sent twice is told as that", not wrong and len(answers) == len(captures) and answers[-1]["outcome"] == "duplicate", wrong)
    same("a page is explained", (client.page("http://b.example/2")["visits"], client.page("http://b.example/2")["etag"]), (1, '"v1"'))
    client.due(100, "10m")
    got = client.due(100, "10m")
    ok("when there is nothing more, the client knows when there may be", got == [] and got.next_time is not None and not got.over_budget, got.next_time)
    same("leases are given back by the client", client.release(["http://a.example/1", "http://none.example/"])[1]["outcome"], "not-leased")
    ok("all leases are given back by the client", client.release(everything=True) >= 0)
    for second, name in enumerate(("etag", "last_modified", "location"), start=1):
        got = client.report("http://b.example/2", "words that are others", content_type="text/plain", time=now + second, **{name: '"' * 15000})
        same(f"what no store keeps of a page is left out of its report: {name}", got["outcome"] in ("observed", "same"), True)
    too_long = importlib.import_module("perennial.client")._is_too_long
    same("and nothing that one keeps", [too_long("etag", "e" * 127), too_long("location", "\u00e9" * 1365), too_long("location", "\u00e9" * 1366), too_long("weight", 3)], [False, False, True, False])
    same("hints are told", client.hint('{"url":"http://a.example/1"}\n', source="test")["entries"], 1)
    same("the client tells the server's stats", client.stats()["pages"], 5)
    same("a budget is tuned", client.tune("100/day", apply=True)["applied"], True)
    ok("metrics are told", "perennial_observations_total" in client.metrics())
    error = raises("a host is forgotten only where its number of pages is known", perennial.Refused, "409", client.forget, host="a.example")
    same("the refusal tells that number", client.forget(host="a.example", count=error.answer["pages"]), 3)
    same("what is refused has the status of HTTP", raises("a page that is not known is refused", perennial.Refused, "404", client.page, "http://none.example/").status, 404)
    raises("a stranger is refused", perennial.Refused, "401", perennial.Client(address, token="none").stats)
    raises("a report that is none is refused with the server's text", perennial.Refused, "url", client.report, "nonsense")
with served("B", "--listen=127.0.0.1:0", "--now=2026-01-13", "--max-upload=300K") as address:
    client = perennial.Client(address, token_file=folder / "B" / "token")
    drawn = 0

    def drawing(pages):
        global drawn
        for drawn, page in enumerate(pages, start=1):
            yield {"time": 1767225600, "status": 404, "url": f"http://many.example/{page}"} if isinstance(page, int) else page

    same("of no reports there are no answers", [client.report_all(()), list(client.report_each(iter(()))), client.add([]), client.release(())], [[]] * 4)
    pages = [*range(1500), "nonsense", *range(1501, 2500)]
    held, paired, said = [], [], []
    for attempt, answer in client.report_each(drawing([page if isinstance(page, int) else {"url": page, "time": 1} for page in pages])):
        held.append(drawn)
        paired.append(attempt["url"] == answer.get("url", "nonsense"))
        said += [answer["error"]] if "error" in answer else []
    same("reports are sent a thousand at a time, and no more of a generator is drawn", [held[0], held[999], held[1000], held[2000], len(held)], [1000, 1000, 2000, 2500, 2500])
    same("each report comes with its own answer, whichever request it went in", all(paired), True)
    same("what is wrong with a report is said without the number that its line had in some request", said, ['"url" takes an http or https URL of at most 8192 bytes'])
    again = client.report_all(drawing(range(1500)))
    same("reports with their times may be sent again, and are known", ({line["outcome"] for line in again}, len(again)), ({"duplicate"}, 1500))

    def failing():
        yield from drawing(range(3000, 4200))
        raise LookupError("the fetcher fails")

    raises("what the reports come from fails, and that comes out", LookupError, "the fetcher fails", client.report_all, failing())
    same("what it gave until then is reported", [client.page(f"http://many.example/{page}")["gones"] for page in (3000, 4000, 4199)], [1, 1, 1])
    known = client.stats()["pages"]

    def stopped():
        yield from drawing(range(7000, 8200))
        raise KeyboardInterrupt

    raises("what the reports come from is interrupted, and that comes out", KeyboardInterrupt, "", client.report_all, stopped())
    same("then nothing more is sent, and only what was is reported", [client.page("http://many.example/7999")["gones"], client.stats()["pages"]], [1, known + 1000])
    wide = [*range(5000, 6000), {"url": "http://many.example/wide", "body": "wide " * 100000}, *range(6000, 6010)]
    got = []
    raises("a request that fails ends it, with what the server says", perennial.Refused, "413: ", lambda: got.extend(answer["outcome"] for _, answer in client.report_each(drawing(wide))))
    same("those of the requests before were answered, and are durable", (len(got), client.page("http://many.example/5999")["gones"]), (1000, 1))
    raises("and no later one is sent", perennial.Refused, "404", client.page, "http://many.example/6005")
    held = []
    with contextlib.suppress(perennial.Refused):
        client.report_all(drawing({"url": f"http://large.example/{i}", "body": "a" * (3 << 20)} for i in range(9)))
    same("a request is sent when it has 8 MiB, before it has a thousand reports", drawn, 3)
    same("pages are added a thousand at a time, too, each with its answer", [answer["url"] for answer in client.add(f"http://added.example/{i}" for i in range(2500))], [f"http://added.example/{i}" for i in range(2500)])
    due = client.due(3, "10m")
    same("what was due is given back as it came", [(line["url"], line["outcome"]) for line in client.release(due)], [(page["url"], "released") for page in due])
    same("one URL is one page, to add and to give back, and may have a space", [client.add("http://added.example/a b")[0]["outcome"], client.release("http://added.example/a b")[0]["outcome"]], ["added", "not-leased"])
with served("U", f"--listen=unix:{folder}/socket") as address:
    same("a client speaks to a Unix socket without a token", perennial.Client(f"unix:{folder}/socket").stats()["pages"], 0)
raises("an address that is none is told", ValueError, "http://host:port", perennial.Client, "127.0.0.1:7390")
raises("a server that is not there is an OSError", OSError, "", perennial.Client("http://127.0.0.1:1").stats)


class Busy(http.server.BaseHTTPRequestHandler):
    asked = 0

    def do_POST(self):
        Busy.asked += 1
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        busy = Busy.asked < 3
        self.send_response(503 if busy else 200)
        if busy:
            self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(b'{"error":"busy"}' if busy else b'{"url":"http://a.example/"}\n')

    def log_message(self, *words):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Busy)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"
same("a server that is busy is asked again", (len(perennial.Client(address).due()), Busy.asked), (1, 3))
Busy.asked = -1000
raises("for no longer than patience", perennial.Refused, "503: busy", perennial.Client(address, patience=-1).due)
server.shutdown()
server.server_close()


# A batch of which a part is done when the daemon ends it: what is sent again may be a second visit.


class Ending(Busy):
    asked = []
    first = (503, b"")

    def do_POST(self):
        lines = self.rfile.read(int(self.headers["Content-Length"] or 0)).splitlines()
        Ending.asked.append(len(lines))
        takes = len(lines) == 1000 or Ending.asked[-2:-1] == [len(lines)]
        self.send_response(200 if takes else Ending.first[0])
        self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(b'{"outcome":"duplicate"}\n' * len(lines) if takes else json.dumps({"error": Ending.first[1]}).encode())


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Ending)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = perennial.Client(f"http://127.0.0.1:{server.server_port}", patience=5)
untimed, timed = [{"url": f"http://a.example/{i}", "status": 404} for i in range(3)], [{"url": f"http://a.example/{i}", "status": 404, "time": 9} for i in range(3)]
PART, ALL = "the server is stopping: 2 of the batch are done and durable, send it again", "the server is stopping"


def ended(first, call, given):
    Ending.asked, Ending.first = [], first
    try:
        return Ending.asked, [answer["outcome"] for answer in call(given)]
    except perennial.Refused as error:
        return Ending.asked, error.status, error.done, len(error.answers)


same("reports without times are not sent again where some of them are done, and it is said how many", ended((503, PART), client.report_all, untimed), ([3], 503, 2, 0))
same("nor where one of them has none", ended((503, PART), client.report_all, timed[:2] + untimed[2:]), ([3], 503, 2, 0))
same("nor where the server does not say how many are", ended((503, "the store is busy"), client.report_all, untimed), ([3], 503, None, 0))
same("with their times they are sent again, and what was done is a duplicate", ended((503, PART), client.report_all, timed), ([3, 3], ["duplicate"] * 3))
for first in ((503, ALL), (503, PART.replace("2", "0")), (429, "too many batches wait")):
    same(f"so are those without times where nothing is done: {first}", ended(first, client.report_all, untimed), ([3, 3], ["duplicate"] * 3))
same("what is added or released is sent again: that has no other effect", [ended((503, PART), call, ["http://a.example/1"])[0] for call in (client.add, client.release)], [[1, 1], [1, 1]])
same("the answers to the requests before come with the refusal", ended((503, PART), client.report_all, untimed[:1] * 1000 + untimed), ([1000, 3], 503, 2, 1000))
server.shutdown()
server.server_close()
with served("Ending", f"--listen=unix:{folder}/ending", "--host-limit=0", "--host-delay=0s"):
    client = perennial.Client(f"unix:{folder}/ending", patience=20)
    client.add(["http://a.example/0"])
    body = "<p>" + " ".join(f"w{i}" for i in range(1500))
    failed = []

    def reporting():
        try:
            client.report_all({"url": f"http://a.example/{i}", "content_type": "text/html", "body": body} for i in range(900))
        except perennial.Refused as error:
            failed.append((error.status, error.done))

    asking = threading.Thread(target=reporting)
    asking.start()
    while asking.is_alive() and client.stats()["pages"] < 10:
        pass
with served("Ending", f"--listen=unix:{folder}/ending", "--host-limit=0", "--host-delay=0s"):
    asking.join()
    visits = []
    for i in range(900):
        with contextlib.suppress(perennial.Refused):
            visits.append(client.page(f"http://a.example/{i}")["visits"])
    same(f"no page is visited twice that is reported while the daemon is started anew ({failed}, {len(visits)} pages)", set(visits) - {0, 1}, set())
    same("and what the client says of those that are durable is so", [(503, sum(visits))] if failed else [], failed)


class Other(Busy):
    """No perennial serve."""

    answers = {"/html": (200, b"<html>"), "/moved": (301, b""), "/cut": (200, b'{"pages')}

    def do_GET(self):
        status, body = self.answers["/" + self.path.split("/")[1]]
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) + 9 * ("cut" in self.path)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"
raises("what answers as no daemon does is told as that", perennial.Refused, "answers as perennial serve does not: b'<html>'", perennial.Client(address + "/html").stats)
raises("what leads elsewhere is no answer", perennial.Refused, "301: ", perennial.Client(address + "/moved").stats)
raises("an answer that is cut short is an OSError, as none is", OSError, "IncompleteRead", perennial.Client(address + "/cut").stats)
server.shutdown()
server.server_close()
# A connection that ends within the handshake of TLS.
ending = socket.create_server(("127.0.0.1", 0))


def resetting():
    with contextlib.suppress(OSError):
        while True:
            connection = ending.accept()[0]
            connection.recv(9)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()


threading.Thread(target=resetting, daemon=True).start()
raises("a connection that is reset before anything is asked is told as that", ConnectionResetError, "reset", perennial.Client(f"https://127.0.0.1:{ending.getsockname()[1]}").report, "http://a.example/", "words")
ending.close()
for wrong in ("http://127.0.0.1:99999", "http://127.0.0.1:0", "http://127.0.0.1:7390/a b", "http://127.0.0.1:7390?x", "ftp://127.0.0.1", "http://"):
    raises(f"an address that is none is told before anything is asked: {wrong}", ValueError, "is no server's address", perennial.Client, wrong)

# A daemon that is started anew.
with served("R", f"--listen=unix:{folder}/anew") as address:
    anew = perennial.Client(f"unix:{folder}/anew", patience=20)
    same("a server that is there is ready", anew.ready(), True)
same("one that is not there is not ready", [anew.ready(), perennial.Client("http://127.0.0.1:1").ready()], [False, False])
raises("a server that never answered is not waited for", OSError, "", perennial.Client(f"unix:{folder}/anew").stats)
told = []
asking = threading.Thread(target=lambda: told.append(anew.report("http://a.example/", "words", status=200)["outcome"]))
asking.start()
time.sleep(1)
with served("R", f"--listen=unix:{folder}/anew") as address:
    asking.join()
same("a report waits while a server that has answered is started anew", told, ["observed"])
anew.patience = 0
raises("but for no longer than patience", OSError, "", anew.stats)
with served("O", f"--listen=unix:{folder}/odd", "--now=2026-01-13", "--host-limit=0", "--host-delay=0s") as address:
    client = perennial.Client(f"unix:{folder}/odd")
    raises("a page that came has a body", ValueError, "has a body", client.report, "http://a.example/none", None)
    same("what did not come may have None", [client.report(f"http://a.example/{status}", None, status=status)["outcome"] for status in (404, 0)], ["gone", "error"])
    for i, location in enumerate(("/caf\u00e9", "/caf\u00c3\u00a9", "/caf\udcc3\udca9", "/caf%C3%A9")):
        client.report(f"http://a.example/from{i}", status=301, location=location)
    client.report_all([{"url": "http://a.example/from9", "status": 302, "location": "/caf\u00c3\u00a9"}])
    client.report("http://a.example/from8", status=301, location="/latin\udce9")
    same("a Location is read as the site sent it, whatever the fetcher made of its bytes", sorted(line["url"] for line in client.due(lease=0) if line["reason"] == "new"), ["http://a.example/caf%C3%A9", "http://a.example/latin%E9"])
    client.add(["http://b.example/"])
    same("a lease of a part of a second is one", [len(client.due(1, lease)) + client.stats()["leased"] for lease in (0, 0.4, 0.5)], [1, 2, 3])
    for lease in (-0.1, math.nan, math.inf):
        raises(f"a lease is as long as it can be: {lease}", ValueError, "a lease of", client.due, lease=lease)
    client.release(everything=True)
    same("a lease may be a number of seconds", [line["lease_until"] for line in client.due(lease=90) if line["url"] == "http://b.example/"][0][:16], "2026-01-13T00:01")
    same("a tag with bytes that are no text does not lose its report", client.report("http://a.example/odd", "words", etag='"\udce9"')["outcome"], "observed")

# The example that crawls with urllib.


class Site(http.server.BaseHTTPRequestHandler):
    asked = []

    def do_GET(self):
        Site.asked.append((self.path, self.headers["If-None-Match"]))
        path = self.path.split("/")[1]
        status = {"gone": 410, "moved": 301, "busy": 503}.get(path, 304 if self.headers["If-None-Match"] else 200)
        body = b"User-agent: *\nDisallow: /private\n" if path == "robots.txt" else f"<p>{self.path}: boats leave at nine".encode() if status == 200 else b""
        body = b"\x1f\x8b\x08\x00broken" if path == "damaged" else body
        self.send_response(status)
        for name, value in {"Content-Type": "text/html", "Content-Length": len(body), "ETag": '"v1"', **({"Location": "/caf\u00c3\u00a9"} if status == 301 else {}), **({"Retry-After": "600"} if status == 503 else {}), **({"Content-Encoding": "gzip"} if path == "damaged" else {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
threading.Thread(target=server.serve_forever, daemon=True).start()
site = f"http://127.0.0.1:{server.server_port}"
with served("E", "--listen=127.0.0.1:0", "--host-limit=100", "--host-delay=0s") as address:
    client = perennial.Client(address, token_file=folder / "E" / "token")
    client.add([f"{site}/{path}" for path in ("a b", "\u00fc?\u00e9#x", "100%", "moved", "gone", "private/page", "damaged")] + ["http://b\u00fccher.invalid/", "http://127.0.0.1:1/"])
    client.report(f"{site}/tagged", "<p>boats", etag='"v1"', time="2026-01-01")
    crawled = subprocess.run([sys.executable, str(SOURCES / "doc/examples/refresh.py"), address, str(folder / "E" / "token")], capture_output=True, text=True, timeout=60)
    got = {line.split("\t")[0].replace(site, ""): line.split("\t")[1] for line in crawled.stdout.splitlines()}
    same("doc/examples/refresh.py reports each page by what came of it", got, {"/a%20b": "observed", "/\u00fc?\u00e9#x": "observed", "/100%": "observed", "/moved": "redirect", "/gone": "gone", "/private/page": "error", "/damaged": "error", "http://xn--bcher-kva.invalid/": "error", "http://127.0.0.1:1/": "error", "/tagged": "same", "/caf%C3%A9": "observed"})
    same("it asks what robots.txt allows, once each, as conditional requests", sorted(Site.asked), sorted([(path, None) for path in ("/robots.txt", "/a%20b", "/%C3%BC?%C3%A9", "/100%", "/moved", "/gone", "/damaged", "/caf%C3%A9")] + [("/tagged", '"v1"')]))
    ok("it ends when nothing is due", crawled.returncode == 0 and "# more is due 20" in crawled.stderr, crawled.stderr)
server.shutdown()
server.server_close()



class Ruled(Site):
    """Sites that differ in what they answer for robots.txt, one a port."""

    def do_GET(self):
        kind, place = self.server.kind, self.path.strip("/")
        hop = {"robots.txt": 0}.get(place, int(place[3:]) if place.startswith("hop") else 0)
        hops = {"moved": 5, "astray": 9}.get(kind, 0)
        if self.path == "/page":
            Ruled.asked.append(kind)
        if kind == "silent" and place == "robots.txt":
            self.close_connection = True
            return
        status = 200 if self.path == "/page" else int(kind) if kind.isdigit() else 302 if kind == "file" or hop < hops else 200
        body = b"<p>boats leave at nine" if self.path == "/page" else b"User-agent: *\nDisallow: /\n"
        self.send_response(status)
        if status == 302:
            self.send_header("Location", f"file://{folder}/robots" if kind == "file" else f"/hop{hop + 1}")
        if kind == "cut" or kind == "large":
            body = b"User-agent: *\nAllow: /\n" if place == "robots.txt" else b"<p>boats " * (2 << 20) if kind == "large" else body
            self.send_header("Content-Length", str(len(body) + 9 * (kind == "cut" and self.path == "/page")))
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)


Ruled.asked, sites = [], {}
(folder / "robots").write_text("User-agent: *\nDisallow: /\n")
for kind in ("200", "404", "503", "silent", "moved", "astray", "file", "cut", "large"):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Ruled)
    server.kind = kind
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sites[f"http://127.0.0.1:{server.server_port}/page"] = server
with served("Ruled", "--listen=127.0.0.1:0", "--host-limit=0", "--host-delay=0s") as address:
    client = perennial.Client(address, token_file=folder / "Ruled" / "token")
    client.add(sites)
    crawled = subprocess.run([sys.executable, str(SOURCES / "doc/examples/refresh.py"), address, str(folder / "Ruled" / "token")], capture_output=True, text=True, timeout=60)
    got = {sites[line.split("\t")[0]].kind: line.split("\t")[1] for line in crawled.stdout.splitlines()}
    same("a robots.txt that redirects five times is obeyed, one without end or with 4xx allows all, and 5xx or no answer forbids all (RFC 9309)", [(kind, kind in Ruled.asked) for kind in sorted(got)], [(kind, kind not in ("200", "503", "silent", "moved")) for kind in sorted(got)])
    same("what is not whole is no page: one that ends too soon, and one that is larger than is read", got, {kind: "error" if kind in ("200", "503", "silent", "moved", "cut", "large") else "observed" for kind in got})
    ok("the example says which page is larger than it reads", f"larger than {16 << 20} bytes" in crawled.stderr, crawled.stderr)
for server in sites.values():
    server.shutdown()
    server.server_close()

# What is written of it: examples run, and everything has a text and hints.

for name in ("perennial", *(f"perennial.{module.name}" for module in pkgutil.iter_modules(perennial.__path__) if module.name != "_binding")):
    result = doctest.testmod(importlib.import_module(name))
    ok(f"the examples of {name} say what they print", not result.failed)
(folder / "examples").mkdir()
os.chdir(folder / "examples")
(folder / "examples" / "corpora").symlink_to(SOURCES / "corpora")
result = doctest.testfile(str(SOURCES / "doc/python.md"), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
ok("the examples of doc/python.md print what it says", not result.failed and result.attempted > 20, result)
public = [getattr(perennial, name) for name in perennial.__all__ if callable(getattr(perennial, name))]
members = [(item, name, member) for item in public if inspect.isclass(item) for name, member in vars(item).items() if inspect.isfunction(member) and not name.startswith("_")]
functions = [item for item in public if inspect.isfunction(item)] + [member for _, _, member in members]
same("everything public has a docstring", [item for item in public + functions if not inspect.getdoc(item)], [])
same("every public function tells the types of what it takes and returns", [f.__qualname__ for f in functions if "return" not in f.__annotations__ or any(p.annotation is p.empty for p in list(inspect.signature(f).parameters.values()) if p.name not in ("self", "cls"))], [])
try:
    import matplotlib

    shown = subprocess.run([sys.executable, str(SOURCES / "doc/examples/compare.py"), "--plot=policies.svg", *CORPORA], capture_output=True, text=True)
    readme = (SOURCES / "README.md").read_text()
    begin = readme.index("\nsteady         at cost 0.05")
    want = [" ".join(line.split()) for line in readme[begin : readme.index("\n# perennial", begin)].splitlines() if line and not line.startswith(" ")]
    got = [" ".join(line.split()) for line in shown.stdout.splitlines() if not line.startswith(("#", "patient"))]
    ok("doc/examples/compare.py prints the README's table", got == want and len(got) > 10, f"{shown.stderr}\n{got}\n{want}")
    ok("it adds a policy of its own", any(line.startswith("patient ") for line in shown.stdout.splitlines()))
    ok("it draws each policy", pathlib.Path("policies.svg").read_text().count("<g id=\"line2d_") > len(want))
    few = str(SOURCES / "corpora" / "news-de.trace")
    shown = subprocess.run([sys.executable, str(SOURCES / "doc/examples/compare.py"), "--plot=few.svg", few], capture_output=True, text=True)
    told = subprocess.run([COMMAND, "evaluate", "--policy=cgm,fs-s", few], capture_output=True, text=True).stderr
    rows = perennial.evaluate([few], ["cgm", "fs-s"]).compare((0.05, 0.2), window="steady", resamples=10000)
    ok("of pages of too few hosts it marks no ratio, as `perennial evaluate` says", "no ratio is marked" in told and " x0." in shown.stdout and "*" not in shown.stdout, f"{told}\n{shown.stdout}{shown.stderr}")
    ok("though there are intervals that leave out 1", any(row["ratio_low"] > 1 or row["ratio_high"] < 1 for row in rows), rows)
except ImportError:
    skip("doc/examples/compare.py prints the README's table", "python3-matplotlib is not installed")

print(f"1..{count}")
