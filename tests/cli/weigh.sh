#!/usr/bin/env bash
# perennial weigh: importance held against another implementation, from the pages' HTML on; and its lines taken by what takes weights.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
weigh() { "$PERENNIAL" weigh "$@"; }
page() { printf '{"url":"%s","time":%s,"content_type":"text/html","body":"%s"}\n' "$1" "$2" "$3"; }

# a and b link to each other, c to a, d nowhere; a also to itself and out of the corpus
{
	page http://a.example/ 100 "<a href=//b.example/>b</a><a href=/>self</a><a href=http://elsewhere.example/>out</a>"
	page http://b.example/ 100 "<a href='http://A.example:80/#top'>a</a><a href=//a.example>again</a>"
	page http://c.example/ 100 "<a href=//a.example/>a</a>"
	page http://d.example/ 100 "nothing"
} > four.ndjson
code "weigh takes what import takes" 0 weigh --by=backlinks --damping=0.5 four.ndjson
same "backlinks of four pages" "$out" $'http://a.example/\t1.8333333333333333\nhttp://b.example/\t1.1666666666666665\nhttp://c.example/\t0.5\nhttp://d.example/\t0.5'
like "weigh tells how many links there are, and how many lead elsewhere" "$err" "^perennial weigh: 4 pages, 3 links between them \(1 link to another page\)$"
"$PERENNIAL" import --links -o four.trace four.ndjson 2> /dev/null
same "a trace with links is weighed as its sources" "$(weigh four.trace 2> /dev/null)" "$(weigh four.ndjson 2> /dev/null)"
code "weights go into a file" 0 weigh -o w.tsv four.trace
same "weights in a file are the lines that are printed otherwise" "$(cat w.tsv)" "$(weigh four.trace 2> /dev/null)"
like "PageRank tells how exact it is, and after how many rounds" "$err" "; exact by [0-9.e-]+ after [0-9]+ rounds$"
"$PERENNIAL" import -o bare.trace four.ndjson 2> /dev/null
code "a trace without links is refused" 3 weigh bare.trace
like "who weighs a trace without links is told to import with --links" "$err" "of no page it is known where it leads: import with --links what the traces were made of"
{ page http://a.example/ 200 "<a href=//c.example/>"; page http://c.example/ 200 "nothing now"; } | "$PERENNIAL" import --links -o more.trace - 2> /dev/null
same "a page of two traces is one, and leads where either says" "$(weigh --by=backlinks --damping=0 four.trace more.trace 2>&1)" \
	$'http://a.example/\t1\nhttp://b.example/\t1\nhttp://c.example/\t1\nhttp://d.example/\t1\nperennial weigh: 4 pages, 4 links between them (1 link to another page)'
code "a trace without links is refused where it is filtered" 3 weigh --host=example bare.trace
code "a filter leaves out pages" 0 weigh --by=backlinks --host=a.example,b.example four.trace
same "links to the pages that are left out lead elsewhere" "$(cut -f2 <<<"$out" | tr '\n' ' ')" "1 1 "
code "a trace without links is weighed by location" 0 weigh --by=location bare.trace
same "four pages at the same place weigh the same" "$(cut -f2 <<<"$out" | sort -u)" 1
code "another --by is a usage error" 2 weigh --by=fame four.trace
code "a damping of 1 is a usage error" 2 weigh --damping=1 four.trace
code "weigh without sources is a usage error" 2 weigh
code "weights that cannot be written are a failure" 3 weigh -o no/where.tsv four.trace

# Lines are taken
{ for t in 100 200 300 400 500 600; do page http://a.example/ $t "<a href=//b.example>one two three four five six $t"; page http://b.example/ $t "one two three four five six seven"; done; } > times.ndjson
"$PERENNIAL" import --links -o times.trace times.ndjson 2> /dev/null
weigh --by=backlinks -o w.tsv times.trace 2> /dev/null
evaluate() { "$PERENNIAL" evaluate --policy=uniform --period=3 --bootstrap=0 "$@" 2> /dev/null; }
"$PERENNIAL" import --weights=w.tsv -o weighed.trace times.trace 2> /dev/null
same "evaluate takes weights as if they had been imported" "$(evaluate --weights=w.tsv times.trace)" "$(evaluate weighed.trace)"
ok "weights make a difference" test "$(evaluate times.trace)" != "$(evaluate weighed.trace)"
code "evaluate tells how many weights are of pages here" 0 "$PERENNIAL" evaluate --policy=uniform --period=3 --bootstrap=0 --weights=w.tsv times.trace
like "evaluate says in words how many weights are of pages here" "$err" "^perennial evaluate: 2 of 2 weights are of pages here$"
cp times.trace again.trace
code "of a page in two traces weights are told once" 0 "$PERENNIAL" evaluate --policy=uniform --period=3 --bootstrap=0 --weights=w.tsv times.trace again.trace
like "a page in two traces is told as one of those with weights" "$err" "^perennial evaluate: 2 of 2 weights are of pages here"
printf '# weights\n\n  # more\nhttp://b.example/ 5\nhttp://a.example/\t3\nHTTP://B.example:80 4\n' > noted.tsv
printf 'http://a.example/ 3\nhttp://b.example/ 4\n' > plain.tsv
same "evaluate passes over comments and empty lines, and the last weight of a page counts" "$(evaluate --weights=noted.tsv times.trace | grep -v '^#')" "$(evaluate --weights=plain.tsv times.trace | grep -v '^#')"
like "evaluate tells that a page has two weights" "$("$PERENNIAL" evaluate --policy=uniform --period=3 --bootstrap=0 --weights=noted.tsv times.trace 2>&1 > /dev/null)" \
	"2 of 2 weights are of pages here
perennial evaluate: 1 of the lines of noted.tsv is of a page that has another: the last counts"
"$PERENNIAL" import --weights=plain.tsv -o plain.trace times.trace 2> /dev/null
code "import passes over comments and empty lines among weights" 0 "$PERENNIAL" import --weights=noted.tsv -o noted.trace times.trace
same "import gives pages the same weights with comments and empty lines as without" "$("$PERENNIAL" dump noted.trace)" "$("$PERENNIAL" dump plain.trace)"
like "import tells how many pages are weighed, and that one has two weights" "$err" "2 pages weighed, 1 weight of a page that has another$"
printf 'http://x.example/ 2\n' > other.tsv
code "weights of no page here are told by the exit code" 1 "$PERENNIAL" evaluate --policy=uniform --period=3 --bootstrap=0 --weights=other.tsv times.trace
printf '# none\n' > empty.tsv
code "a file without weights is told by the exit code" 1 "$PERENNIAL" evaluate --policy=uniform --period=3 --bootstrap=0 --weights=empty.tsv times.trace
like "a file without weights is told in words" "$err" "^perennial evaluate: 0 of 0 weights are of pages here"
code "import takes a file without weights" 0 "$PERENNIAL" import --weights=empty.tsv -o x.trace times.trace
like "import tells in words that a file has no weights" "$err" "^perennial import: empty.tsv: it has no weights"
printf 'http://x.example/ much\n' > bad.tsv
code "a file that is none of weights is refused" 3 "$PERENNIAL" evaluate --policy=uniform --period=3 --weights=bad.tsv times.trace
for i in 1 2; do "$PERENNIAL" evaluate --policy=uniform --period=3 --weights=w.tsv --part=$i/2 --partial=p.$i times.trace 2> /dev/null; done
same "parts with weights are joined to the whole with weights" "$("$PERENNIAL" merge --bootstrap=0 p.1 p.2 2> /dev/null)" "$(evaluate --weights=w.tsv times.trace)"
"$PERENNIAL" evaluate --policy=uniform --period=3 --part=2/2 --partial=p.2 times.trace 2> /dev/null
code "parts with weights and without are not joined" 3 "$PERENNIAL" merge p.1 p.2
"$PERENNIAL" init --state=S --threshold=0.5
code "add takes weights" 0 "$PERENNIAL" add --state=S w.tsv
code "add takes weights of pages that it knows" 0 "$PERENNIAL" add --state=S noted.tsv
same "add tells how many weights of known pages were set" "$err" "perennial add: 3 known, 3 weights of known pages set"
"$PERENNIAL" add --state=S http://a.example/ 2> "$tmp/.err"
same "a page that is added again without one keeps its weight" "$(cat "$tmp/.err") $("$PERENNIAL" export --state=S | grep -c '"weight":3')" "perennial add: 1 known 1"
"$PERENNIAL" add --state=S w.tsv 2> /dev/null
like "a store has the weights of a file" "$("$PERENNIAL" export --state=S)" '"url":"http://b.example/".*"weight":1.85[,}]'

# Another implementation, from HTML on: html.parser, urljoin, and matrices as lists.
command -v python3 > /dev/null || { skip "PageRank, HITS and backlinks by another implementation" "no python3"; done_testing; exit 0; }
cat > other.py <<'END'
import json, random, sys
from html.parser import HTMLParser
from urllib.parse import urljoin, urldefrag
random.seed(7)
N = 120
urls = ["http://s%d.example/%s" % (i % 9, "" if i < 9 else "d/" * (i % 4) + "p%d?q=%d&x=1" % (i, i)) for i in range(N)]
pages = []
for i, url in enumerate(urls):
    body = '<base href="/d/">' if i % 10 == 3 else ""
    for _ in range(random.choice([0, 0, 1, 3, 8, 20])):
        j = min(int(random.paretovariate(0.5)) - 1, N - 1) if random.random() < 0.7 else random.randrange(N)
        to = urls[j].replace("&", random.choice(["&", "&amp;", "&#38;"])) + random.choice(["", "#x"])
        if to.startswith(url.split("/", 3)[0] + "//" + url.split("/")[2] + "/") and random.random() < 0.5:
            to = "/" + to.split("/", 3)[3]
        quote = random.choice(['"', "'"])
        body += random.choice(["<a class=x href=%s%s%s>words</a> ", "<area\nHREF = %s%s%s>"]) % (quote, to, quote)
    pages.append(body + "<a href='mailto:x@y.example'><script>'<a href=/no>'</script>")
    print(json.dumps({"url": url, "time": 1000 + i, "content_type": "text/html", "body": pages[-1]}), file=sys.stdout)
class Links(HTMLParser):
    def __init__(self, url):
        super().__init__()
        self.base, self.found = url, set()
    def handle_starttag(self, tag, attrs):
        href = dict(reversed(attrs)).get("href")
        if tag == "base" and href is not None:
            self.base = urljoin(self.base, href)
        if tag in ("a", "area") and href is not None:
            self.found.add(urldefrag(urljoin(self.base, href))[0])
index = {u: i for i, u in enumerate(urls)}
out = []
for i, (url, body) in enumerate(zip(urls, pages)):
    links = Links(url)
    links.feed(body)
    out.append(sorted({index[u] for u in links.found if u in index} - {i}))
def scaled(x):
    return [v * N / sum(x) for v in x]
D = 0.85
rank = [1 / N] * N
for _ in range(3000):
    new = [(1 - D) / N + D * sum(rank[i] for i in range(N) if not out[i]) / N] * N
    for i in range(N):
        for j in out[i]:
            new[j] += D * rank[i] / len(out[i])
    rank = new
back = [sum(j in o for o in out) for j in range(N)]
hub = [1.0] * N
for _ in range(3000):
    authority = [0.0] * N
    for i in range(N):
        for j in out[i]:
            authority[j] += hub[i]
    authority = scaled(authority)
    hub = scaled([sum(authority[j] for j in out[i]) for i in range(N)])
damped = lambda x: [1 - D + D * v for v in scaled(x)]
for name, weights in (("pagerank", scaled(rank)), ("backlinks", damped(back)), ("hits", damped(authority))):
    with open(name, "w") as f:
        for u, w in zip(urls, weights):
            print(u, repr(w), sep="\t", file=f)
END
cat > compare.py <<'END'
import sys
a, b = ({u: float(w) for u, w in (line.split("\t") for line in open(name))} for name in sys.argv[1:3])
print(len(a) == len(b) == 120 and max(abs(a[u] - b[u]) for u in b) < 1e-9 and max(b.values()) > 3)
END
python3 other.py > drawn.ndjson
"$PERENNIAL" import --links -o drawn.trace drawn.ndjson 2> /dev/null
for by in pagerank backlinks hits; do
	weigh --by=$by -o ours drawn.trace 2> /dev/null
	same "$by of 120 drawn pages is within 1e-9 of another implementation's" "$(python3 compare.py ours $by)" True
done
done_testing
