# The Python part of bench/peers: lxml (libxml2's parser) with a plain min-hash, as one would write it in an afternoon.  Prints a line
# for each reader that is installed: its name, a tab, and megabytes a second of the processor.  Arguments: files of HTML.
import heapq
import re
import sys
import time

ROUNDS, LEAST_S, SHINGLE, SUMMARY = 9, 0.2, 5, 256
WORD = re.compile(r"\w+")


def summary(page):
    tree = lxml.html.document_fromstring(page, parser=lxml.html.HTMLParser(encoding="utf-8"))
    for hidden in tree.xpath("//script|//style|//noscript|//template"):
        hidden.drop_tree()
    words = WORD.findall(" ".join(tree.itertext()).lower())
    shingles = {hash(tuple(words[i : i + SHINGLE])) for i in range(max(1, len(words) - SHINGLE + 1))}
    return heapq.nsmallest(SUMMARY, shingles)


def seconds(pages, times):
    before = time.process_time()
    for _ in range(times):
        for page in pages:
            summary(page)
    return time.process_time() - before


try:
    import lxml.html
except ImportError:
    sys.exit("bench/peers: lxml skipped: python3-lxml is not installed")
bodies = []
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        bodies.append(file.read())
repeats = 1
while seconds(bodies, repeats) < LEAST_S:
    repeats *= 2
median = sorted(seconds(bodies, repeats) for _ in range(ROUNDS))[ROUNDS // 2]
print(f"Python and lxml: HTML to words, shingles and a summary\t{repeats * sum(map(len, bodies)) / 1e6 / median:.0f}")
