#!/usr/bin/env bash
# perennial import: counts in words, what is skipped, exit codes, and the same bytes in any order.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
import() { "$PERENNIAL" import "$@"; }

"$PERENNIAL" synth --warc=a.warc.gz --pages=6 --captures=9 --seed=1
"$PERENNIAL" synth --warc=b.warc --pages=6 --captures=9 --seed=2 --start=2026-02-01

code "a WARC file is imported" 0 import -o a.trace a.warc.gz
like "and it is told what came of it" "$err" "^perennial import: 6 pages, 54 captures \(54 content\); [0-9]+ fragments$"
same "nothing is printed" "$out" ""
code "two files, one thread" 0 import -o ab.trace --threads=1 a.warc.gz b.warc
code "the other order, more threads" 0 import -o ba.trace --threads=3 b.warc a.warc.gz
ok "give the same bytes" cmp -s ab.trace ba.trace
like "the captures of both" "$err" "6 pages, 108 captures"

# Filters
code "--from and --to" 0 import -o x.trace --from=2026-01-02 --to=2026-01-04 a.warc.gz
like "select by time, and revisits find what lies before" "$err" "6 pages, 12 captures \(12 content\).*42 captures filtered out"
code "--host" 0 import -o x.trace --host=h0000000.example --media='text/*' a.warc.gz
like "selects by host" "$err" "6 pages"
code "--surt" 0 import -o x.trace --surt='example,h0000000)/p3' a.warc.gz
like "selects by prefix" "$err" "1 page, 9 captures"
code "--shingle" 0 import -o x.trace --shingle=3 a.warc.gz
code "--max-body" 1 import -o x.trace --max-body=2000 a.warc.gz
like "cuts bodies and says so" "$err" "skipped [0-9]+ rests of bodies longer than --max-body"

# Weights
printf 'http://h0000000.example/p1\t0.5\nhttp://nowhere.example/\t2\n' > weights.tsv
code "--weights" 0 import -o w.trace --weights=weights.tsv a.warc.gz
like "are for pages that are there" "$err" "1 weight for a page that no source has"
like "and stand in the trace" "$("$PERENNIAL" dump --url=http://h0000000.example/p1 w.trace)" '"weight":0.5,'
printf 'http://h0000000.example/p1 half\n' > bad.tsv
printf '{"url":"http://%s.example/","time":%s,"body":"words that last","weight":%s}\n' a 100 3 a 200 4 b 100 2 nowhere 100 7 > weighed.ndjson
code "weights of JSON lines" 0 import -o j.trace --weights=weights.tsv weighed.ndjson
same "the latest counts, and a weights file before it" "$("$PERENNIAL" dump j.trace | sed 's/.*"url":"\([^"]*\)","weight":\([^,]*\),.*/\1 \2/' | tr '\n' ';')" \
	"http://a.example/ 4;http://b.example/ 2;http://nowhere.example/ 2;"
code "a bad line of weights" 3 import -o x.trace --weights=bad.tsv a.warc.gz
like "is named" "$err" "bad.tsv, line 1: not a URL and a positive number"

# Folders and manifests
mkdir -p dated/20260101T000000Z/a.example dated/20260102T000000Z/a.example
printf '<p>one two three four five six</p>' | tee dated/20260101T000000Z/a.example/index.html > dated/20260102T000000Z/a.example/x.html
code "a folder of dated snapshots" 0 import -o d.trace dated
like "a page that a date lacks is missing then" "$err" "2 pages, 4 captures|2 pages, 3 captures"
like "and stands in the trace" "$("$PERENNIAL" dump d.trace | head -n 1)" '^\{"url":"https://a.example/","weight":1,"captures":\[\{"time":"2026-01-01T00:00:00Z","kind":"content"\},\{"time":"2026-01-02T00:00:00Z","kind":"missing"\}\]'

# What is wrong with sources
head -c 3000 a.warc.gz > cut.warc.gz
rm -f x.trace
code "a truncated file gives what is before the cut" 1 import -o x.trace cut.warc.gz
like "and is named" "$err" "skipped: cut.warc.gz: "
like "and counted" "$err" "skipped 1 rest of a source that ends early"
ok "the trace is there" test -s x.trace
{ head -c 2000 b.warc; printf 'garbage\r\n'; tail -c +2001 b.warc; } > torn.warc
code "a damaged record is skipped" 1 import -o x.trace torn.warc
like "named with file and offset" "$err" "torn.warc: .*offset [0-9]+"
like "and counted" "$err" "skipped .*1 damaged record"
code "a missing file among others" 1 import -o x.trace a.warc.gz nowhere.warc
like "is named" "$err" "nowhere.warc: cannot be opened: No such file"
like "and the others imported" "$err" "6 pages, 54 captures"
rm -f x.trace
code "nothing but a missing file" 3 import -o x.trace nowhere.warc
ok "makes no trace" test ! -e x.trace
: > empty.warc.gz
"$PERENNIAL" import -o x.trace empty.warc.gz a.warc.gz > "$tmp/.out" 2> "$tmp/.err"; err=$(cat "$tmp/.err")
like "an empty file does not stop the others" "$err" "6 pages, 54 captures"
printf 'hello' > hello.txt
code "what is no source" 3 import -o x.trace hello.txt
like "is named" "$err" "hello.txt: "

# Usage
code "-o is needed" 2 import a.warc.gz
code "a source is needed" 2 import -o x.trace
code "k has a range" 2 import -o x.trace --shingle=65 a.warc.gz
like "which is told" "$err" "--shingle takes 1 to 64 words"
code "times must be in order" 2 import -o x.trace --from=2026-02-01 --to=2026-01-01 a.warc.gz

# A full disk: nothing is left behind, and what was there stays.
cp a.trace kept.trace
full() { ( trap '' XFSZ; ulimit -f 1; "$PERENNIAL" "$@" ); }
code "when nothing more can be written" 3 full import -o kept.trace a.warc.gz b.warc
same "it is said why, once" "$err" "perennial import: ${TMPDIR:-/tmp}: cannot write a temporary file there: File too large"
full() { ( trap '' XFSZ; ulimit -f 60; "$PERENNIAL" "$@" ); }
code "when the trace does not fit" 3 full synth -o kept.trace --pages=100
like "it is named" "$err" "kept.trace: cannot write: File too large"
ok "what was there is still there" cmp -s a.trace kept.trace
same "and no half-written file" "$(ls | grep -c part)" 0
code "a folder for temporary files that is not there" 3 env TMPDIR="$tmp/no" "$PERENNIAL" import -o x.trace a.warc.gz
like "is named" "$err" "$tmp/no: cannot make a temporary file there"
done_testing
