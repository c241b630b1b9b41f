#!/usr/bin/env bash
# perennial dump: the exact lines, one page or all, traces or what traces are made of.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
dump() { "$PERENNIAL" dump "$@"; }

printf 'one two three four five\n' > one
printf 'one two three four five six\n' > two
printf '%s\thttp://a.example/\ttext/plain\t%s\n' 2026-05-10T00:00:00Z one 2026-05-11 two 2026-05-12 one 2026-05-12 one > manifest.tsv
"$PERENNIAL" import -o m.trace manifest.tsv 2>/dev/null
first='"[0-9a-f]{16}",\[\[0,3\]\]' second='"[0-9a-f]{16}",\[\[1,2\]\]'
code "dump prints a trace" 0 dump m.trace
like "dump prints a page as the format is specified" "$out" '^\{"url":"http://a.example/","weight":1,"captures":\[\{"time":"2026-05-10T00:00:00Z","kind":"content","media":"text/plain"\},\{"time":"2026-05-11T00:00:00Z","kind":"content","media":"text/plain"\},\{"time":"2026-05-12T00:00:00Z","kind":"content","media":"text/plain"\}\],"fragments":\[\['"$first"'\],\['"$second"'\]\]\}$'
same "the sources of a trace print the same as the trace" "$(dump manifest.tsv)" "$out"

same "dump --visits prints the days since the visit before and whether anything changed" "$(dump --visits m.trace | tr '\n' ';')" "1 1;1 1;;"
printf '%s\thttp://a.example/\ttext/plain\t%s\n' 2026-05-10 one 2026-05-11 two 2026-05-12 - 2026-05-13 one 2026-05-13T12:00:00Z one 2026-05-14 - > gaps.tsv
same "a visit that found nothing is left out, and the next sees what changed since" "$(dump --visits gaps.tsv 2>/dev/null | tr '\n' ';')" "1 1;2 1;0.5 0;;"
printf '%s\thttp://%s.example/\ttext/plain\t%s\n' 2026-05-10 a one 2026-05-10 b one 2026-05-11 b one > single.tsv
same "a page seen once has no visits to print" "$(dump --visits single.tsv | tr '\n' ';')" "1 0;;"
warc() { printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%s>\r\nWARC-Date: %s\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n' "$1" "$2" "${#3}" "$3"; }
http() { printf 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nLast-Modified: %s\r\n\r\n%s' "$1" "$2"; }
{ warc 1 2026-05-10T00:00:00Z "$(http 'Sat, 09 May 2026 00:00:00 GMT' one)"; warc 2 2026-05-12T00:00:00Z "$(http 'Mon, 11 May 2026 12:00:00 GMT' two)"
	warc 3 2026-05-13T00:00:00Z "$(http 'Thu, 14 May 2026 00:00:00 GMT' two)"; } > dated.warc
same "dump --visits prints the page's age where its server tells one that can be" "$(dump --visits dated.warc 2>/dev/null | tr '\n' ';')" "2 1 0.5;1 0;;"
same "estimate reads what dump --visits prints" "$(dump --visits gaps.tsv 2>/dev/null | "$PERENNIAL" estimate --method=naive)" "0.5714285714285714 3 2"

"$PERENNIAL" synth -o s.trace --pages=30 --captures=10
same "dump prints a line for each page" "$(dump s.trace | wc -l)" 30
same "dump prints several traces one after the other" "$(dump s.trace m.trace | wc -l)" 31
code "dump --url prints one page" 0 dump --url=HTTP://h0000001.example:80/p4 s.trace m.trace
like "dump --url finds a page by any spelling of its URL" "$out" '^\{"url":"http://h0000001.example/p4",'
code "dump --url of a page that is not there fails" 3 dump --url=http://b.example/ s.trace
like "a page that is not there to print is named" "$err" "http://b.example/: no such page"

head -c 2000 s.trace > cut.trace
code "dump of a trace that is cut off fails" 3 dump cut.trace
like "a trace that is cut off is named" "$err" "cut.trace: the trace is cut off"
code "dump of a trace that is not there fails" 3 dump none.trace
like "a trace that is not there is named" "$err" "none.trace: cannot open: No such file"
printf 'text' > no.trace
code "dump of a file that is called a trace and is none fails" 3 dump no.trace
like "a file that is called a trace and is none is named" "$err" "no.trace: this is not a trace"
code "dump without a trace is a usage error" 2 dump
if [ -w /dev/full ]; then
	full() { "$PERENNIAL" dump "$@" > /dev/full; }
	code "output that cannot be written is a failure" 3 full s.trace
else
	skip "output that cannot be written is a failure" "no /dev/full"
fi
done_testing
