#!/usr/bin/env bash
# perennial observe: WARC files and JSON lines become decisions; what is refused, what is durable, what time it is.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"

day=2026-01
# line DAY STATUS [MEMBERS]: a capture of /p at noon.
line() { printf '{"url":"http://a.example/p","time":"%s-%02dT12:00:00Z","status":%d%s}\n' "$day" "$1" "$2" "${3:-}"; }
text() { printf ',"content_type":"text/plain","body":"%s"' "$*"; }
observe() { "$PERENNIAL" observe --create --state=S "$@"; }
# What became of the last line of stdin.
outcome() { observe --now=2026-02-01 --format=json 2>/dev/null | tail -n 1 | sed 's/.*"outcome":"\([^"]*\)".*"reason":"\([^"]*\)".*/\1 \2/'; }

words="the harbour light turns twice a minute and the boats come home before the tide has gone"
code "observe makes no store unless it is told to" 3 "$PERENNIAL" observe --state=S --now=2026-02-01 < <(line 1 200 "$(text "$words")")
same "observe in a store that is not there is told how to make one" "$err" "perennial observe: S: there is no store: make it with 'perennial init --state=DIR', or add --create"
ok "a misspelt store is not made" test ! -e S
code "observe --create makes the store that is not there" 0 observe --now=2026-02-01 --format=tsv < <(line 1 200 "$(text "$words")")
like "observe says that it made the store, with its policy and threshold" "$err" "^perennial observe: made the store S: drift, T = 0.25 divergence-days"
like "observe counts what was done by outcome" "$err" "^perennial observe: 1 observed$"
same "the TSV of observe begins with the names of its columns" "$(head -n 1 <<<"$out" | tr '\t' ' ')" "url next_time period_s divergence utility reason"
like "a line of the TSV has url, next visit, period, divergence, utility and reason" "$(tail -n 1 <<<"$out" | tr '\t' ' ')" \
	'^http://a.example/p 2026-01-07T19:47:22Z 546442 0 0\.2500[0-9]* rule$'
code "observe takes the same observation again" 0 observe --now=2026-02-01 --format=tsv < <(line 1 200 "$(text "$words")")
same "the same observation again changes nothing and decides nothing" "$(wc -l <<<"$out") $(tail -n 1 <<<"$err")" "1 perennial observe: 1 duplicate"

same "the same bytes at a later time are the same" "$(line 2 200 "$(text "$words")" | outcome)" "same rule"
same "a page that answers 304 is the same" "$(line 3 304 | outcome)" "same rule"
same "other words are observed" "$(line 4 200 "$(text "$words and the lamp is lit at dusk by an old man")" | outcome)" "observed rule"
like "a redirect is observed" "$(printf '{"url":"http://a.example/r","time":"2026-01-04","status":301,"location":"/new"}\n' | outcome)" "^redirect "
same "the target of a redirect is a page that is known" "$(printf '{"url":"http://a.example/new","time":"2026-01-05","body":"x"}\n' | observe --now=2026-02-01 --known-only -q 2>&1)" \
	"perennial observe: 1 observed"
same "a page that answers with an error is tried again" "$(line 5 500 | outcome)" "error retry"
same "a page that answers 404 is tried again" "$(line 6 404 | outcome)" "gone retry"
same "a page that is gone twice in a row is tried again" "$(line 7 410 | outcome)" "gone retry"
same "a page that is gone three times in a row retires" "$(line 8 404 | outcome)" "retired retired"
like "a page that is retired has no next visit in JSON" "$(line 9 404 | observe --now=2026-02-01 --format=json 2>/dev/null)" '"next_time":null'
same "the TSV of a page that is retired says in words that it has no next visit" "$(line 10 404 | observe --now=2026-02-01 --format=tsv 2>/dev/null | tail -n 1 | cut -f 2,3,6 | tr '\t' ' ')" "never NA retired"
# A login that sends its visitor to a fresh address each time, by a fetcher that follows it.
trap_site() { for i in $(seq 1 "$1"); do printf '{"url":"http://t.example/in","time":%d,"status":302,"location":"/login?state=%d"}\n{"url":"http://t.example/login?state=%d","time":%d,"body":"x"}\n' $((1767225600 + i)) "$i" "$i" $((1767225600 + i)); done; }
pages_of() { "$PERENNIAL" export --state="$1" | wc -l; }
code "observe takes a page that redirects to a fresh address at each of 130 visits" 0 "$PERENNIAL" observe --create --state=T --now=2026-02-01 --format=json < <(trap_site 130)
like "observe counts the redirects whose targets were not added" "$err" \
	'perennial observe: 100 observed, 130 redirect, 30 unknown, 30 redirects whose targets were not added \(--redirects-per-host, --redirect-chain\)$'
same "the decision of each redirect whose target was not added says so" "$(grep -c '"outcome":"redirect".*,"target_refused":true}$' <<<"$out") $(grep -c target_refused <<<"$out")" "30 30"
same "a page's redirects add a hundred pages, though each target was reported too" "$(pages_of T)" 101
printf 'redirects-per-host = 7\nredirect-chain = 1\n' > redirects.conf
trap_site 20 | "$PERENNIAL" observe --create --state=T7 --now=2026-02-01 -q --config=redirects.conf 2>/dev/null
same "a configuration file sets another cap of redirects" "$(pages_of T7)" 8
same "a configuration file sets how long a chain of redirects may be" "$(printf '{"url":"http://%s.example/","time":1767225600,"status":302,"location":"http://%s.example/"}\n' c d d e e f |
	"$PERENNIAL" observe --create --state=T1 --now=2026-02-01 -q --config=redirects.conf 2>/dev/null; pages_of T1)" 2
same "429 delays the host" "$(printf '{"url":"http://a.example/q","time":"2026-01-04","status":429,"retry_after":7200}\n' | outcome)" "host-delayed host"

code "a capture from before its page's last attempt is no failure" 0 observe --now=2026-02-01 -q < <(line 2 200 "$(text new)")
same "a capture from before its page's last attempt is told in one line, and not by name" "$err" "perennial observe: 1 capture from before its page's last attempt"
code "with --strict observe exits with 1 for a capture from before its page's last attempt" 1 observe --strict --now=2026-02-01 -q < <(line 2 200 "$(text new)")
like "with --strict a capture from before its page's last attempt is named" "$err" "skipped: http://a.example/p at 2026-01-02T12:00:00Z: it is from before the page's last attempt"
like "with --strict captures from before their pages' last attempts are counted" "$err" "^perennial observe: 1 capture from before its page's last attempt$"
code "with --strict what was taken a second time within its second is no failure" 0 observe --strict --now=2026-02-01 -q < <(line 10 404)
code "observe exits with 1 for a capture of the future" 1 observe --now=2026-01-20 -q < <(line 25 200 "$(text new)")
like "captures of the future are counted" "$err" "1 refused: in the future$"
code "a capture of the future is taken if --future allows as much" 0 observe --now=2026-01-20 --future=6d -q < <(line 25 304)
code "observe --known-only takes no unknown page, and does not fail" 0 observe --now=2026-02-01 --known-only --format=tsv < <(printf '{"url":"http://b.example/","time":7,"status":304}\n')
same "an unknown page is counted with --known-only, and has no decision" "$(tail -n 1 <<<"$err") $(wc -l <<<"$out")" "perennial observe: 1 unknown 1"

"$PERENNIAL" synth --seed=1 --pages=4 --captures=12 --warc=x.warc.gz
code "observe takes a WARC file" 0 observe --now=2026-02-01 --format=tsv x.warc.gz
same "observe gives a decision for each capture of a WARC file" "$(grep -c '^http://h0' <<<"$out")" 48
decided=$out; cp -r S S.again
code "an archive that was observed before is observed again without failure" 0 "$PERENNIAL" observe --state=S.again --now=2026-02-01 --format=tsv x.warc.gz
same "an archive that was observed before decides nothing, and its captures are counted in one line" "$(wc -l <<<"$out") $err" \
	"1 perennial observe: 4 duplicate, 44 captures from before a page's last attempt"
same "an archive that is observed again leaves the store's pages as they were" "$("$PERENNIAL" export --state=S.again --now=2026-02-01)" "$("$PERENNIAL" export --state=S --now=2026-02-01)"
code "an archive that was observed before is a failure with --strict" 1 "$PERENNIAL" observe --state=S.again --strict --now=2026-02-01 -q x.warc.gz
out=$decided
same "the decisions of a WARC file are the same for any number of threads" "$out" "$("$PERENNIAL" observe --create --state=S1 --threads=1 --now=2026-02-01 --format=tsv x.warc.gz 2>/dev/null)"
same "a WARC file in two halves, one by standard input, leaves the same state" "$(zcat x.warc.gz > x.warc; head -c 100000 x.warc > half; "$PERENNIAL" observe --create --state=S3 --now=2026-02-01 -q half 2>/dev/null; "$PERENNIAL" observe --create --state=S3 --now=2026-02-01 -q - < x.warc 2>/dev/null
	"$PERENNIAL" observe --create --state=S3 --time=2026-01-13 --now=2026-02-01 --format=tsv <<<'{"url":"http://h0000000.example/p0","status":304}' 2>/dev/null)" \
	"$("$PERENNIAL" observe --create --state=S1 --time=2026-01-13 --now=2026-02-01 --format=tsv <<<'{"url":"http://h0000000.example/p0","status":304}' 2>/dev/null)"
"$PERENNIAL" init --state=S4 --threshold=0.25
same "a program that links the library feeds the same file with the same decisions" \
	"$("${BUILDDIR:?}/tests/feeder" S4 x.warc.gz)" "$(sed 1d <<<"$out" | cut -f 1,2 | tr '\t' ' ')"
code "a program that feeds a store that is not there fails" 1 "${BUILDDIR:?}/tests/feeder" none x.warc.gz
same "--time is the time of every capture, whatever its line tells" "$(printf '{"url":"http://c.example/","time":7,"status":304}\n{"url":"http://d.example/","status":304}\n' |
	observe --time=2026-01-20 --now=2026-02-01 --format=json 2>/dev/null | grep -c '"time":"2026-01-20T00:00:00Z"')" 2
same "without --time a line that tells no time is from now" "$(printf '{"url":"http://e.example/","status":304}\n' | observe --now=2026-01-21 --format=json 2>/dev/null | grep -c '"time":"2026-01-21T00:00:00Z"')" 1

# A slow stream: its decisions are out long before it ends.
mkfifo pipe
observe --now=2026-02-01 --format=json < pipe > slow 2>/dev/null & slow=$!
exec 3> pipe
printf '{"url":"http://slow.example/1","time":"2026-01-01","status":304}\n' >&3
for ((i = 0; i < 200; i++)); do [ -s slow ] && break; sleep 0.05; done
same "a stream that pauses is decided, and durable, before it goes on" "$(grep -c slow.example/1 slow)" 1
code "a second writer does not wait for ever" 3 "$PERENNIAL" due --state=S --lock-wait=0s
like "a second writer is told who the first one is" "$err" "process [0-9]+ is writing to it"
code "explain has no need to wait for a writer" 0 "$PERENNIAL" explain --state=S --now=2026-02-01 http://slow.example/1
kill -9 $slow; wait $slow 2>/dev/null; exec 3>&-
same "a decision that is out is durable, though the observer was killed then" "$(printf '{"url":"http://slow.example/1","time":"2026-01-01","status":304}\n' | observe --now=2026-02-01 -q 2>&1)" \
	"perennial observe: 1 duplicate"

printf '{"url":7}\n\n{"url":"http://f.example/","time":"2026-01-01","status":304}\n{"url":"http://g.example/"\n' > bad.ndjson
code "observe exits with 1 for lines that are no captures" 1 observe --now=2026-02-01 -q bad.ndjson
like "a line that is no JSON is told with its number" "$err" "skipped: bad.ndjson: line 4: not JSON"
like "lines that are no captures are counted, and the others taken (304 of a page never seen is an error)" "$err" "^perennial observe: 1 error, 2 records or files that cannot be read$"
code "observe fails when its only source is not there" 3 observe none.warc
like "a source that is not there is told" "$err" "skipped: none.warc: cannot be opened"
code "observe goes on past a source that is not there, and exits with 1" 1 observe -q --now=2026-02-01 none.warc x.warc.gz
code "observe takes nothing at all" 0 observe < /dev/null
same "observe of nothing at all says so" "$err" "perennial observe: nothing to observe"

code "observe without --state is a usage error" 2 "$PERENNIAL" observe x.warc.gz
like "observe without --state is told that it is missing" "$err" "--state=DIR, the store, is missing"
bad() { local text=$1 want=$2; shift 2; code "$text is a usage error" 2 observe "$@" < /dev/null; like "$text: observe says what is wrong" "$err" "$want"; }
bad "a wrong time" "--now takes a time, such as 2026-05-10T12:00:00Z, not 'noon'" --now=noon
bad "a wrong interval" "--min-interval takes a duration above 0, such as 6h, or WHICH=6h, .* not 'text/html'" --min-interval=text/html
bad "intervals that cross" "min-interval, 2h, is above max-interval, 1h, for org,a" --min-interval=org,a=2h --max-interval=org,a=1h
printf 'min-interval = 2d\nmax-interval = 1d\n' > crossing.conf
bad "intervals of a file that cross" "min-interval, 2d, is above max-interval, 1d$" --config=crossing.conf
bad "a wrong format" "--format takes table, tsv, json or csv, not 'xml'" --format=xml
bad "a chain longer than browsers follow" "--redirect-chain takes a whole number from 0 to 20, not .21." --redirect-chain=21
bad "more pages of redirects than can be counted" "--redirects-per-host takes at most 4294967295" --redirects-per-host=4294967296
bad "retiring at once" "--retire-after takes a whole number from 1 to 15, not .0." --retire-after=0
bad "retiring after more answers than are counted" "--retire-after takes a whole number from 1 to 15, not .16." --retire-after=16
printf 'min-interval = 1d\nhost-delya = 1s\n' > wrong.conf
bad "a key that is not known" "wrong.conf, line 2: no key 'host-delya': there is lock-wait, min-interval, max-interval, known-only" --config=wrong.conf
printf '# ours\nmin-interval = 20d\nmin-interval = text/html = 30d\nmin-interval = example,a)/short=40d\nfuture = 1d\n' > right.conf
next() { printf '{"url":"http://a.example/%s","time":"2026-01-30","content_type":"%s","body":"x"}\n' "$1" "$2" | observe --config=right.conf --now=2026-02-01 "${@:3}" --format=json 2>/dev/null | sed 's/.*"period_s":\([0-9]*\).*"reason":"\([^"]*\)".*/\1 \2/'; }
same "a configuration file sets intervals for all pages" "$(next one text/plain)" "$((20 * 86400)) minimum"
same "a configuration file sets intervals for a media type" "$(next two text/html)" "$((30 * 86400)) minimum"
same "an interval for a SURT prefix comes before that of a media type" "$(next short/3 text/html)" "$((40 * 86400)) minimum"
same "an interval that is an option comes before that of a configuration file" "$(next short/4 text/html --min-interval='example,a)/short=50d')" "$((50 * 86400)) minimum"

# Interrupted, it says how far it came.  A shell has its children in the background ignore the signal: here none does.
mkfifo lines
perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$PERENNIAL" observe --create --state=I --now=2026-02-01 --format=json < lines > told 2> err & observer=$!
exec 9> lines
for i in 1 2 3; do printf '{"url":"http://i.example/%d","time":"2026-01-01","content_type":"text/plain","body":"x"}\n' $i >&9; done
for ((i = 0; i < 600; i++)); do [ "$(wc -l 2>/dev/null < told)" = 3 ] && break; sleep 0.1; done
kill -INT $observer
got=0; wait $observer || got=$?
exec 9>&-
same "observe that is interrupted while it waits for input ends by the signal" "$got" 130
same "observe that is interrupted tells what is durable" "$(tail -n 1 err)" "perennial observe: 3 observed"
same "what an interrupted observe told is in the store" "$("$PERENNIAL" export --state=I | wc -l | tr -d ' ')" 3
perl -e '$SIG{INT} = "IGNORE"; exec @ARGV' bash -c '"$0" observe --state=I --now=2026-02-01 -q < lines 2> err' "$PERENNIAL" & observer=$!
exec 9> lines
kill -INT $observer
printf '{"url":"http://i.example/4","time":"2026-01-01","content_type":"text/plain","body":"x"}\n' >&9
exec 9>&-
got=0; wait $observer || got=$?
same "observe that is to ignore interrupts does" "$got $(cat err)" "0 perennial observe: 1 observed"

# Pages that are read in part.
deep=$(printf '<b>%.0s' {1..300}) wide=$(printf " a%d='1'" {1..5000})
printf '{"url":"http://i.example/%s","time":"2026-01-01","content_type":"text/xml","body":"%s"}\n' deep "$deep" deeper "$deep." wide "<p$wide>x</p>" flat '<p>x</p>' > parts.jsonl
code "pages that are read in part are no failure" 0 "$PERENNIAL" observe --create --state=P --now=2026-02-01 --format=json parts.jsonl
like "observe counts the pages that are nested too deep" "$err" "2 pages read in part: more than 256 elements within one another"
like "observe counts the pages with too many attributes" "$err" "1 page read in part: too many attributes or names"
same "a decision on a page that was read in part says for what it was cut" "$(grep -o '"cut":[^]]*]' <<< "$out" | tr '\n' ' ')" '"cut":["deep"] "cut":["deep"] "cut":["wide"] '
code "pages that are read in part are imported" 0 "$PERENNIAL" import -o parts.trace parts.jsonl
like "import counts the pages that are read in part" "$err" "2 pages read in part: more than 256 elements within one another, 1 page read in part: too many attributes or names"

# Fragments of two rules are not compared before somebody says so.
"$PERENNIAL" init --state=R && LC_ALL=C sed -i 's/fragment-rule2/fragment-rule1/g' R/data.mdb
rule1() { "$PERENNIAL" observe --state=R --now=2026-02-01 -q "$@" parts.jsonl; }
code "observe does not go on by itself with a store of an older fragment rule" 3 rule1
like "observe says which rules the store and the program have, and what to do" "$err" "fragments are made by rule 1, and this program makes them by rule 2: .*--new-fragments"
code "observe --new-fragments goes on with it" 0 rule1 --new-fragments
code "a store that has gone on with the new fragments is not asked again" 0 rule1
code "a store of this program's rule may be told to go on" 0 rule1 --new-fragments

# What is outside its range is told with its option.
for wrong in suspect-usual=-1 suspect-above=-0.1 suspect-above=x retire-after=0 retire-after=16 redirect-chain=21 redirect-chain=-1; do
	code "--$wrong is a usage error" 2 observe --$wrong
	like "--$wrong is told with its option" "$err" "^perennial observe: --${wrong%=*} takes .*, not '${wrong#*=}'"
	tr = ' ' <<< "$wrong" | sed 's/ / = /' > range.conf
	code "$wrong in a file is a usage error" 2 observe --config=range.conf
	like "$wrong in a file is told with its line" "$err" "range\.conf, line 1: ${wrong%=*} takes .*, not '${wrong#*=}'"
done
# Histories that only say when a page changed.
printf 'k 2026010%d http://cdx.example/ text/html 200 %s\n' 1 A 2 A 3 B 4 B >"$tmp/a.cdx"
"$PERENNIAL" synth --warc="$tmp/small.warc" -o "$tmp/small.trace" --pages=1 --captures=2
code "observe takes no trace" 3 "$PERENNIAL" observe --create --state="$tmp/traces" --now=2026-02-01 "$tmp/small.trace"
like "observe says why it takes no traces" "$err" "small.trace: observe takes no traces: they keep no text"
code "beside a trace observe takes the other sources" 1 "$PERENNIAL" observe --create --state="$tmp/traces" --now=2026-02-01 "$tmp/small.trace" "$tmp/small.warc"
like "sources beside a trace are observed" "$err" "perennial observe: 2 observed, 1 source that cannot be read"
code "observe takes an index of an archive" 0 "$PERENNIAL" observe --create --state="$tmp/cdx" --now=2026-02-01 "$tmp/a.cdx"
same "what an index says to be the same has not changed, and another digest has" "$(cut -f 1-2,4 <<<"$out" | grep ^http | cut -f 3 | tr '\n' ' ')" "0 0 1 0 "

{
	echo 'com,example,x)/redir 20260101000000 {"url":"http://x.example.com/redir","mime":"text/html","status":"301","digest":"YYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYY"}'
	echo 'com,example,x)/to 20260101000000 {"url":"http://x.example.com/to","mime":"text/html","status":"302","redirect":"http://x.example.com/new","digest":"YYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYY"}'
	echo 'com,example,x)/a.png 20260101000000 {"url":"http://x.example.com/a.png","mime":"image/png","status":"200","digest":"YYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYY"}'
} >"$tmp/b.cdxj"
code "observe takes redirects and images of an index" 0 "$PERENNIAL" observe --create --state="$tmp/redirects" --now=2026-02-01 "$tmp/b.cdxj"
same "a redirect leads where its line says, or nowhere, and an image is no page" "$("$PERENNIAL" export --state="$tmp/redirects" --now=2026-02-01 | grep -o '"http[^"]*"' | sort | tr -d '"' | tr '\n' ' ')" \
	"http://x.example.com/new http://x.example.com/redir http://x.example.com/to "
# A store that is seeded from an index goes on with what a fetcher brings.
for i in 1 2 3 4; do echo "k 2026010${i} http://seed.example/ text/html 200 YWKPNRWW6VBPZFRSYPUQWOHGSBO4LLGP"; done >"$tmp/seed.cdx"
printf '{"url":"http://seed.example/","time":"2026-01-05","body":"what the page has always said"}\n{"url":"http://seed.example/","time":"2026-01-06","body":"what the page has always said"}\n{"url":"http://seed.example/","time":"2026-01-07","body":"and now something else altogether, at last"}\n' >"$tmp/seed.ndjson"
code "observe takes what a fetcher brought after an index" 0 "$PERENNIAL" observe --create --state="$tmp/seed" --now=2026-02-01 --format=json "$tmp/seed.cdx" "$tmp/seed.ndjson"
same "the first content after digests alone is no change, and what follows is compared with it" "$(sed -n 's/.*"divergence":\([0-9.]*\).*"outcome":"\([a-z]*\)".*/\2 \1/p;s/.*"outcome":"\([a-z]*\)".*"divergence":\([0-9.]*\).*/\1 \2/p' <<<"$out" | tail -3 | tr '\n' ';')" \
	"observed 0.0;same 0.0;suspect 1.0;"


# What is a page and what is not
say() { printf '{"url":"http://m.example/%s","time":"2026-01-0%s","content_type":"%s","body":"some words of %s %s"}\n' "$1" "$2" "$3" "$1" "$2"; }
media() { "$PERENNIAL" observe --state=M --create --now=2026-02-01 --format=tsv "$@"; }
{ say a 1 text/html; say a.css 1 text/css; say b 1 image/png; } > one.ndjson
{ say a 2 image/png; say b 2 image/png; say c 2 text/html; } > two.ndjson
code "captures of images and style sheets are observed" 0 media one.ndjson
same "what is no page is not added" "$(sed 1d <<< "$out" | cut -f 1)" "http://m.example/a"
like "observe says how many pages are not added for their media types" "$err" "2 that would be new pages, but are none by their media types \\(--media=all takes them\\)"
code "a page that has become an image is observed" 0 media two.ndjson
same "a page is observed whatever it has become" "$(sed 1d <<< "$out" | cut -f 1 | tr '\n' ' ')" "http://m.example/a http://m.example/c "
code "--media=all is taken" 0 media --media=all <(say b 3 image/png)
same "--media=all adds what is no page" "$(sed 1d <<< "$out" | cut -f 1)" "http://m.example/b"
code "observe takes --host and --media" 0 media --host=n.example --media=text/html <(say c 4 text/html; say a 4 text/css)
like "observe tells what its filter leaves out" "$err" "2 captures filtered out"
printf 'WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Length: 2\r\n\r\n{}\r\n\r\n' > wat.warc
code "an archive without captures makes observe exit with 1" 1 media wat.warc
like "observe counts what an archive without captures has" "$err" "^perennial observe: passed over 1 record or file that is no capture: 1 metadata$"
done_testing
