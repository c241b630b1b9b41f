#!/usr/bin/env bash
# perennial observe: WARC files and JSON lines become decisions; what is refused, what is durable, what time it is.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"

day=2026-01
# line DAY STATUS [MEMBERS]: a capture of /p at noon.
line() { printf '{"url":"http://a.example/p","time":"%s-%02dT12:00:00Z","status":%d%s}\n' "$day" "$1" "$2" "${3:-}"; }
text() { printf ',"content_type":"text/plain","body":"%s"' "$*"; }
observe() { "$PERENNIAL" observe --state=S "$@"; }
# What became of the last line of stdin.
outcome() { observe --now=2026-02-01 --format=json 2>/dev/null | tail -n 1 | sed 's/.*"outcome":"\([^"]*\)".*"reason":"\([^"]*\)".*/\1 \2/'; }

words="the harbour light turns twice a minute and the boats come home before the tide has gone"
code "a store that is not there is made" 0 observe --now=2026-02-01 --format=tsv < <(line 1 200 "$(text "$words")")
like "and that is said" "$err" "^perennial observe: made the store S: drift, T = 0.25 divergence-days"
like "what was done is counted" "$err" "^perennial observe: 1 observed$"
same "a decision a line, below their names" "$(head -n 1 <<<"$out" | tr '\t' ' ')" "url next_time period_s divergence utility reason"
like "url, next visit, period, divergence, utility, reason" "$(tail -n 1 <<<"$out" | tr '\t' ' ')" \
	'^http://a.example/p 2026-01-08T13:42:20Z 610940 0 0\.2499[0-9]* rule$'
code "the same again" 0 observe --now=2026-02-01 --format=tsv < <(line 1 200 "$(text "$words")")
same "changes nothing and decides nothing" "$(wc -l <<<"$out") $(tail -n 1 <<<"$err")" "1 perennial observe: 1 duplicate"

same "the same bytes are the same" "$(line 2 200 "$(text "$words")" | outcome)" "same rule"
same "304 too" "$(line 3 304 | outcome)" "same rule"
same "other words are observed" "$(line 4 200 "$(text "$words and the lamp is lit at dusk by an old man")" | outcome)" "observed rule"
like "a redirect too" "$(printf '{"url":"http://a.example/r","time":"2026-01-04","status":301,"location":"/new"}\n' | outcome)" "^redirect "
same "and where it leads is a page" "$(printf '{"url":"http://a.example/new","time":"2026-01-05","body":"x"}\n' | observe --now=2026-02-01 --known-only -q 2>&1)" \
	"perennial observe: 1 observed"
same "an error is tried again" "$(line 5 500 | outcome)" "error retry"
same "a page that is gone too" "$(line 6 404 | outcome)" "gone retry"
same "twice" "$(line 7 410 | outcome)" "gone retry"
same "and no more the third time" "$(line 8 404 | outcome)" "retired retired"
like "which has no next visit" "$(line 9 404 | observe --now=2026-02-01 --format=json 2>/dev/null)" '"next_time":null'
same "its TSV says so in words" "$(line 10 404 | observe --now=2026-02-01 --format=tsv 2>/dev/null | tail -n 1 | cut -f 2,3,6 | tr '\t' ' ')" "never NA retired"
# A login that sends its visitor to a fresh address each time, by a fetcher that follows it.
trap_site() { for i in $(seq 1 "$1"); do printf '{"url":"http://t.example/in","time":%d,"status":302,"location":"/login?state=%d"}\n{"url":"http://t.example/login?state=%d","time":%d,"body":"x"}\n' $((1767225600 + i)) "$i" "$i" $((1767225600 + i)); done; }
pages_of() { "$PERENNIAL" export --state="$1" | wc -l; }
code "a page that redirects to a fresh address at each of 130 visits" 0 "$PERENNIAL" observe --state=T --now=2026-02-01 --format=json < <(trap_site 130)
like "is counted where its targets were not added" "$err" \
	'perennial observe: 100 observed, 130 redirect, 30 unknown, 30 redirects whose targets were not added \(--redirects-per-host, --redirect-chain\)$'
same "says so in the decision of each of these" "$(grep -c '"outcome":"redirect".*,"target_refused":true}$' <<<"$out") $(grep -c target_refused <<<"$out")" "30 30"
same "and has added a hundred pages, though each target was reported too" "$(pages_of T)" 101
printf 'redirects-per-host = 7\nredirect-chain = 1\n' > redirects.conf
trap_site 20 | "$PERENNIAL" observe --state=T7 --now=2026-02-01 -q --config=redirects.conf 2>/dev/null
same "a file sets another cap" "$(pages_of T7)" 8
same "and how long a chain may be" "$(printf '{"url":"http://%s.example/","time":1767225600,"status":302,"location":"http://%s.example/"}\n' c d d e e f |
	"$PERENNIAL" observe --state=T1 --now=2026-02-01 -q --config=redirects.conf 2>/dev/null; pages_of T1)" 2
same "429 delays the host" "$(printf '{"url":"http://a.example/q","time":"2026-01-04","status":429,"retry_after":7200}\n' | outcome)" "host-delayed host"

code "a capture of the past" 1 observe --now=2026-02-01 -q < <(line 2 200 "$(text new)")
like "is refused and told" "$err" "skipped: http://a.example/p at 2026-01-02T12:00:00Z: it is not after the page's last attempt"
like "and counted" "$err" "^perennial observe: 1 refused: not after its page's last attempt$"
code "one of the future" 1 observe --now=2026-01-20 -q < <(line 25 200 "$(text new)")
like "too" "$err" "1 refused: in the future$"
code "unless so much is allowed" 0 observe --now=2026-01-20 --future=6d -q < <(line 25 304)
code "an unknown page" 0 observe --now=2026-02-01 --known-only --format=tsv < <(printf '{"url":"http://b.example/","time":7,"status":304}\n')
same "is refused if it has to be known" "$(tail -n 1 <<<"$err") $(wc -l <<<"$out")" "perennial observe: 1 unknown 1"

"$PERENNIAL" synth --seed=1 --pages=4 --captures=12 --warc=x.warc.gz
code "a WARC file" 0 observe --now=2026-02-01 --format=tsv x.warc.gz
same "gives a decision for each capture" "$(grep -c '^http://h0' <<<"$out")" 48
same "the same for any number of threads" "$out" "$("$PERENNIAL" observe --state=S1 --threads=1 --now=2026-02-01 --format=tsv x.warc.gz 2>/dev/null)"
same "and by standard input, in two halves" "$(zcat x.warc.gz > x.warc; head -c 100000 x.warc > half; "$PERENNIAL" observe --state=S3 --now=2026-02-01 -q half 2>/dev/null; "$PERENNIAL" observe --state=S3 --now=2026-02-01 -q - < x.warc 2>/dev/null
	"$PERENNIAL" observe --state=S3 --time=2026-01-13 --now=2026-02-01 --format=tsv <<<'{"url":"http://h0000000.example/p0","status":304}' 2>/dev/null)" \
	"$("$PERENNIAL" observe --state=S1 --time=2026-01-13 --now=2026-02-01 --format=tsv <<<'{"url":"http://h0000000.example/p0","status":304}' 2>/dev/null)"
"$PERENNIAL" init --state=S4 --threshold=0.25
same "a program that links the library feeds the same file with the same decisions" \
	"$("${BUILDDIR:?}/tests/feeder" S4 x.warc.gz)" "$(sed 1d <<<"$out" | cut -f 1,2 | tr '\t' ' ')"
code "a program that feeds a store that is not there fails" 1 "${BUILDDIR:?}/tests/feeder" none x.warc.gz
same "--time is that of every capture" "$(printf '{"url":"http://c.example/","time":7,"status":304}\n{"url":"http://d.example/","status":304}\n' |
	observe --time=2026-01-20 --now=2026-02-01 --format=json 2>/dev/null | grep -c '"time":"2026-01-20T00:00:00Z"')" 2
same "without it, a line that tells none is from now" "$(printf '{"url":"http://e.example/","status":304}\n' | observe --now=2026-01-21 --format=json 2>/dev/null | grep -c '"time":"2026-01-21T00:00:00Z"')" 1

# A slow stream: its decisions are out long before it ends.
mkfifo pipe
observe --now=2026-02-01 --format=json < pipe > slow 2>/dev/null & slow=$!
exec 3> pipe
printf '{"url":"http://slow.example/1","time":"2026-01-01","status":304}\n' >&3
for ((i = 0; i < 200; i++)); do [ -s slow ] && break; sleep 0.05; done
same "a stream that pauses is decided, and durable, before it goes on" "$(grep -c slow.example/1 slow)" 1
code "a second writer does not wait for ever" 3 "$PERENNIAL" due --state=S --lock-wait=0s
like "  and is told who the first one is" "$err" "process [0-9]+ is writing to it"
code "who only reads has no need to wait" 0 "$PERENNIAL" explain --state=S --now=2026-02-01 http://slow.example/1
kill -9 $slow; wait $slow 2>/dev/null; exec 3>&-
same "also if it is killed then" "$(printf '{"url":"http://slow.example/1","time":"2026-01-01","status":304}\n' | observe --now=2026-02-01 -q 2>&1)" \
	"perennial observe: 1 duplicate"

printf '{"url":7}\n\n{"url":"http://f.example/","time":"2026-01-01","status":304}\n{"url":"http://g.example/"\n' > bad.ndjson
code "lines that are none" 1 observe --now=2026-02-01 -q bad.ndjson
like "are told with their number" "$err" "skipped: bad.ndjson: line 4: not JSON"
like "and counted, the others taken (304 of a page never seen is an error)" "$err" "^perennial observe: 1 error, 2 damaged records$"
code "a source that is not there" 3 observe none.warc
like "is told" "$err" "skipped: none.warc: cannot be opened"
code "beside others it is only counted" 1 observe -q --now=2026-02-01 none.warc x.warc.gz
code "nothing at all" 0 observe < /dev/null
same "is said" "$err" "perennial observe: nothing to observe"

code "without --state" 2 "$PERENNIAL" observe x.warc.gz
like "  told so" "$err" "--state=DIR, the store, is missing"
bad() { local text=$1 want=$2; shift 2; code "$text" 2 observe "$@" < /dev/null; like "  told so" "$err" "$want"; }
bad "a wrong time" "--now takes a time, such as 2026-05-10T12:00:00Z, not 'noon'" --now=noon
bad "a wrong interval" "--min-interval takes a duration above 0, such as 6h, or WHICH=6h, .* not 'text/html'" --min-interval=text/html
bad "intervals that cross" "--min-interval is above --max-interval for org,a" --min-interval=org,a=2h --max-interval=org,a=1h
bad "a wrong format" "--format takes table, tsv or json, not 'xml'" --format=xml
bad "a chain longer than browsers follow" "--redirect-chain takes at most 20" --redirect-chain=21
bad "more pages of redirects than can be counted" "--redirects-per-host takes at most 4294967295" --redirects-per-host=4294967296
bad "retiring at once" "--retire-after takes 1 to 15" --retire-after=0
printf 'min-interval = 1d\nhost-delya = 1s\n' > wrong.conf
bad "a key that is not known" "wrong.conf, line 2: no key 'host-delya': there is lock-wait, min-interval, max-interval, known-only" --config=wrong.conf
printf '# ours\nmin-interval = 20d\nmin-interval = text/html = 30d\nmin-interval = example,a)/short=40d\nfuture = 1d\n' > right.conf
next() { printf '{"url":"http://a.example/%s","time":"2026-01-30","content_type":"%s","body":"x"}\n' "$1" "$2" | observe --config=right.conf --now=2026-02-01 "${@:3}" --format=json 2>/dev/null | sed 's/.*"period_s":\([0-9]*\).*"reason":"\([^"]*\)".*/\1 \2/'; }
same "a file sets intervals for all pages" "$(next one text/plain)" "$((20 * 86400)) minimum"
same "for a media type" "$(next two text/html)" "$((30 * 86400)) minimum"
same "for a SURT prefix, which is more particular" "$(next short/3 text/html)" "$((40 * 86400)) minimum"
same "and an option has the last word" "$(next short/4 text/html --min-interval='example,a)/short=50d')" "$((50 * 86400)) minimum"
done_testing
