#!/usr/bin/env bash
# perennial import: counts in words, what is skipped, exit codes, and the same bytes in any order.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
import() { "$PERENNIAL" import "$@"; }

"$PERENNIAL" synth --warc=a.warc.gz --pages=6 --captures=9 --seed=1
"$PERENNIAL" synth --warc=b.warc --pages=6 --captures=9 --seed=2 --start=2026-02-01

code "a WARC file is imported" 0 import -o a.trace a.warc.gz
like "import tells how many pages, captures and fragments came of it" "$err" "^perennial import: 6 pages, 54 captures \(54 content\); [0-9]+ fragments$"
same "import prints nothing on stdout" "$out" ""
code "two files are imported by one thread" 0 import -o ab.trace --threads=1 a.warc.gz b.warc
code "two files are imported in the other order by more threads" 0 import -o ba.trace --threads=3 b.warc a.warc.gz
ok "the order of files and the number of threads do not change the trace" cmp -s ab.trace ba.trace
like "an import of two files has the captures of both" "$err" "6 pages, 108 captures"

# Filters
code "import takes --from and --to" 0 import -o x.trace --from=2026-01-02 --to=2026-01-04 a.warc.gz
like "--from and --to select by time, and revisits find content that lies before" "$err" "6 pages, 12 captures \(12 content\).*42 captures filtered out"
code "import takes --host and --media" 0 import -o x.trace --host=h0000000.example --media='text/*' a.warc.gz
like "--host selects the pages of a host" "$err" "6 pages"
for types in bogus '' text/ /html 'text/html;charset=utf-8' 'text/html, text/plain' '*/html'; do
	code "import refuses --media=$types" 2 import -o x.trace --media="$types" a.warc.gz
done
printf '{"url":"http://a.example/%s","time":1,"body":"x"%s}\n' 1 ',"content_type":"text/html"' 2 ',"content_type":"image/png"' 3 '' > media.ndjson
for types in '*' '*/*' all; do
	code "import takes --media=$types" 0 import -o x.trace --media="$types" media.ndjson
	like "--media=$types takes everything" "$err" '3 captures \(3 content\)'
done
code "import takes --media=image/*" 0 import -o x.trace --media='image/*' media.ndjson
like "content without a type is taken with any" "$err" '2 captures \(2 content\)'
code "import takes --surt" 0 import -o x.trace --surt='example,h0000000)/p3' a.warc.gz
like "--surt selects the pages below a prefix" "$err" "1 page, 9 captures"
code "import takes --shingle" 0 import -o x.trace --shingle=3 a.warc.gz
code "import that cuts bodies at --max-body exits with 1" 1 import -o x.trace --max-body=2000 a.warc.gz
like "bodies that --max-body cuts are counted" "$err" "skipped [0-9]+ rests of bodies longer than --max-body"

# Parts
hosts() { for i in $(seq 20); do printf '{"url":"http://host%s.example/%s","time":%s,"body":"words of page %s in copy %s that differ"}\n' "$i" "$2" "$1" "$i" "$1"; done; }
{ hosts 1000 a; hosts 2000 a; hosts 2000 b; } > hosts.ndjson
code "a file with pages of many hosts is imported as a whole" 0 import -o whole.trace hosts.ndjson a.warc.gz
for n in 1 2 3 7; do
	for i in $(seq "$n"); do import --part="$i/$n" -o "p.${i}of$n.trace" a.warc.gz hosts.ndjson 2> /dev/null; done
	same "the traces of $n parts hold together what the trace of everything holds" \
		"$(for i in $(seq "$n"); do "$PERENNIAL" dump "p.${i}of$n.trace"; done | sort)" "$("$PERENNIAL" dump whole.trace | sort)"
done
ok "the one part of one is the whole, byte for byte" cmp -s p.1of1.trace <(import -o one.trace a.warc.gz hosts.ndjson 2> /dev/null; cat one.trace)
code "a part of sources of which one is not there is a failure" 3 import --part=1/2 -o s.trace a.warc.gz missing.warc hosts.ndjson
like "the source that a part lacks is named" "$err" "missing.warc: cannot be opened"
echo nothing that is read > text
code "a part of sources of which one is nothing that is read is a failure" 3 import --part=1/2 -o s.trace a.warc.gz text hosts.ndjson
ok "a part that lacks a source leaves no trace" test ! -e s.trace
code "--part=4/3 is a usage error" 2 import -o x.trace --part=4/3 a.warc.gz
like "--part says what it takes" "$err" "--part takes a part and how many there are, such as 2/3"
part_of_input() { import -o x.trace --part=1/3 - < a.warc.gz; }
code "a part of standard input is refused" 3 part_of_input
like "a source that can be read only once is named" "$err" "-: for a part of it a source must be a file or a folder"

# Traces as sources: joined, filtered, appended to
same "parts are joined to the trace of everything" "$(import -o j.trace p.*of7.trace 2>/dev/null; "$PERENNIAL" dump j.trace)" "$("$PERENNIAL" dump whole.trace)"
code "a trace is split into parts" 0 import --part=2/7 -o q.trace whole.trace
same "a part of a trace is the trace of the part" "$("$PERENNIAL" dump q.trace)" "$("$PERENNIAL" dump p.2of7.trace)"
code "a trace is filtered" 0 import -o x.trace --host=h0000000.example --from=2026-01-02 --to=2026-01-04 whole.trace
like "a trace is filtered by host and time" "$err" "^perennial import: 6 pages, 12 captures"
code "a sample of a trace is taken" 0 import -o half.trace --sample=0.5 whole.trace
code "a smaller sample of a trace is taken" 0 import -o less.trace --sample=0.2 whole.trace
like "a sample has about its share of 46 pages" "$("$PERENNIAL" dump half.trace | wc -l)" "^(1[4-9]|2[0-9]|3[0-2])$"
same "a smaller sample is part of a larger one" "$(comm -23 <("$PERENNIAL" dump less.trace | sort) <("$PERENNIAL" dump half.trace | sort))" ""
cat > empty.ndjson <<'END'
{"url":"http://a.example/","time":"2026-01-01T00:00:00Z","status":200,"type":"text/plain","body":"one two three four five six seven eight nine ten"}
{"url":"http://b.example/","time":"2026-01-01T00:00:00Z","status":500}
{"url":"http://b.example/","time":"2026-01-02T00:00:00Z","status":200,"type":"text/plain","body":""}
END
import -o empty.trace empty.ndjson 2>/dev/null
same "a page whose first text is empty has no fragments of the page before it when its trace is imported" \
	"$(import -o again.trace empty.trace 2>/dev/null; "$PERENNIAL" dump again.trace)" "$("$PERENNIAL" dump empty.trace)"
code "new captures are appended to a trace" 0 import -o grown.trace a.trace b.warc
same "a trace with new captures is that of all of them" "$("$PERENNIAL" dump grown.trace)" "$("$PERENNIAL" dump ab.trace)"
code "a trace of other fragments is refused" 3 import -o x.trace --shingle=3 a.trace
like "import names the option that a trace of other fragments needs" "$err" "a.trace: its fragments have 5 words, and those of this import 3: give --shingle=5"
# Revisits that tell a payload digest alone: record NAME HOST YEAR DIGEST, of content that NAME says, or where it is empty a revisit,
# [HOST YEAR] which also says of what
record() {
	local type=response profile='' answer='' body
	if [ -n "$1" ]; then
		body="<p>$1 one two three four five six $1</p>"
		answer=$(printf 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %s\r\n\r\n%s' ${#body} "$body")
	else
		type=revisit
		[ $# -lt 6 ] || answer=$(printf 'WARC-Refers-To-Target-URI: http://%s.example/\r\nWARC-Refers-To-Date: %s-01-01T00:00:00Z\r\n.' "$5" "$6")
		profile=${answer%.} answer=''
		profile+=$'WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\n'
	fi
	printf 'WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-%012d>\r\n%sWARC-Target-URI: http://%s.example/\r\n' \
		$type "$3$RANDOM" "$profile" "$2"
	printf 'WARC-Date: %s-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\nWARC-Payload-Digest: sha1:%032d\r\n' "$3" "$4"
	printf 'Content-Length: %s\r\n\r\n%s\r\n\r\n' ${#answer} "$answer"
}
{ record harbour a 2001 7; record market a 2002 8; record harbour b 2001 7; record '' b 2003 8; } > first.warc
{ record '' a 2004 7; record '' b 2004 8; record '' c 2004 7; record tower c 2005 9; record '' a 2006 9; record '' d 2007 11 b 2004; } > second.warc
import -o both.trace first.warc second.warc 2> /dev/null; import -o first.trace first.warc 2> /dev/null
code "revisits that tell a payload digest alone are appended to a trace" 0 import -o j.trace first.trace second.warc
same "revisits that tell a payload digest alone are found in a trace, as in the WARC file that it is of" "$("$PERENNIAL" dump j.trace)" "$("$PERENNIAL" dump both.trace)"
import -o k.trace first.trace 2> /dev/null
same "a trace of a trace has the same digests" "$(import -o j.trace k.trace second.warc 2> /dev/null; "$PERENNIAL" dump j.trace)" "$("$PERENNIAL" dump both.trace)"
for i in 1 2 3 4 5; do import --part=$i/5 -o "r.${i}of5.trace" second.warc first.trace 2> /dev/null; done
import -o j.trace r.?of5.trace 2> /dev/null
same "a part finds them in the trace's pages of other parts" "$("$PERENNIAL" dump j.trace)" "$("$PERENNIAL" dump both.trace)"
import -o early.trace --to=2002 first.warc 2> /dev/null
code "what no trace has is not found" 1 import -o x.trace early.trace second.warc
like "revisits that are not found are counted" "$err" "skipped 2 revisits whose content no source has"
like "of traces that tell their digests nothing more is said" "$err" "that is in none of the sources$"
sed 's/^WARC-Payload-Digest: [^\r]*\r$/WARC-Ignored: 1\r/' first.warc > untold.warc
import -o untold.trace untold.warc 2> /dev/null
code "a revisit that tells a digest alone is not found in a trace without digests" 1 import -o x.trace untold.trace second.warc
like "import says why a revisit is not found in a trace without digests" "$err" "none of the sources, or in a trace that has no payload digests, while this revisit tells nothing else"

# Media types, which a trace keeps
typed() { printf '{"url":"http://%s","time":%s,"content_type":"%s","body":"words %s of %s that last"}\n' "$@" "$2" "$1"; }
{ for day in 1 2 3; do
	typed a.example/ $day 'Text/HTML; charset=utf-8'; typed a.example/t $day text/plain; typed b.example/p $day IMAGE/PNG
done; typed a.example/ 4 application/xhtml+xml; typed a.example/ 5 text/html; typed b.example/u 1 ''
echo '{"url":"http://a.example/","time":6,"status":304}'; echo '{"url":"http://b.example/p","time":6,"status":404}'
echo '{"url":"http://b.example/r","time":6,"status":301,"location":"/p"}'; } > typed.ndjson
head -n 7 typed.ndjson > typed1.ndjson
tail -n +8 typed.ndjson > typed2.ndjson
dump() { "$PERENNIAL" dump "$@" 2> /dev/null; }
import -o typed.trace --media=all typed.ndjson 2> /dev/null
like "a trace keeps the media type of each capture with content" "$(dump --url=http://a.example/ typed.trace)" \
	'"time":"1970-01-01T00:00:03Z","kind":"content","media":"text/html"\},\{"time":"1970-01-01T00:00:04Z","kind":"content","media":"application/xhtml\+xml"\},\{"time":"1970-01-01T00:00:05Z","kind":"content","media":"text/html"\},\{"time":"1970-01-01T00:00:06Z","kind":"same"\}'
ok "of content without a type, and of what is no content, there is none" test -z "$(dump typed.trace | grep -E 'b.example/(u|r)' | grep media)"
for types in text/html 'text/*' text/plain,image/png 'image/*' pages application/pdf; do
	import -o filtered.trace --media="$types" typed.trace 2> told
	same "a trace filtered by --media=$types is the trace of the filtered captures" "$(dump filtered.trace)" "$(import -o x.trace --media="$types" typed.ndjson 2> told2; dump x.trace)"
	same "what --media=$types passes over of a trace is counted as of its source" "$(grep 'passed over' told)" "$(grep 'passed over' told2)"
done
ok "a filter of media types leaves something out, and not all" test "$(dump x.trace | wc -l)" -gt 0 -a "$(dump x.trace | wc -l)" -lt "$(dump typed.trace | wc -l)"
import -o one.trace --media=all typed1.ndjson 2> /dev/null
import -o two.trace --media=all typed2.ndjson 2> /dev/null
import -o whole.trace one.trace two.trace 2> /dev/null
same "traces that are joined without --media have all their media types" "$(dump whole.trace)" "$(dump typed.trace)"
import -o turned.trace two.trace one.trace 2> /dev/null
ok "traces with media types that are joined in the other order are the same bytes" cmp -s whole.trace turned.trace
import -o grown.trace --media=all one.trace typed2.ndjson 2> /dev/null
same "captures with media types are appended to a trace with them" "$(dump grown.trace)" "$(dump typed.trace)"
for i in 1 2; do import --part=$i/2 --media=all -o "share$i.trace" typed.ndjson 2> /dev/null; done
same "parts have together the media types of the whole" "$(import -o x.trace share1.trace share2.trace 2> /dev/null; dump x.trace)" "$(dump typed.trace)"
same "a part of a trace of some media types is those of the part" "$(import --part=1/2 --media=text/plain -o x.trace typed.trace 2> /dev/null; dump x.trace)" \
	"$(import --part=1/2 --media=text/plain -o y.trace typed.ndjson 2> /dev/null; dump y.trace)"
same "what reads a trace filters it by media type too" "$(dump --media=image/png typed.trace | cut -d, -f1)" "$(printf '{"url":"http://%s.example/%s"\n' a '' b p b r b u)"
answer() { # TARGET CONTENT_TYPE TYPE MORE
	local a="HTTP/1.1 200 OK"$'\r\n'"${2:+Content-Type: $2$'\r\n'}"$'\r\n'"${5-}"
	printf 'WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-01-01T00:00:0%sZ\r\nWARC-Record-ID: <urn:uuid:%s>\r\nWARC-Payload-Digest: sha1:MFRGG\r\n' "$3" "$1" "$4" "$RANDOM$RANDOM"
	test "$3" = response || printf 'WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n'
	printf 'Content-Type: application/http; msgtype=response\r\nContent-Length: %s\r\n\r\n%s\r\n\r\n' "${#a}" "$a"; }
answer http://c.example/ text/css response 1 'words of one' > revisits.warc
{ answer http://c.example/ '' revisit 2; answer http://c.example/ text/x-other revisit 3; } >> revisits.warc
import --digests=trust --media=all -o x.trace revisits.warc 2> /dev/null
same "a revisit has the media type that it tells itself, else that of what it repeats" "$(dump x.trace | grep -o '"media":"[^"]*"' | paste -sd' ')" \
	'"media":"text/css" "media":"text/css" "media":"text/x-other"'

# An index tells the types of what it has digests of
for i in 1 2; do
	printf 'k 2026010%s000000 {"url":"http://a.example/","mime":"text/html","status":"200","digest":"D%s"}\n' $i $i
	printf 'k 2026010%s000000 {"url":"http://a.example/p","mime":"image/png","status":"200","digest":"D%s"}\n' $i $i
	printf 'k 2026010%s000000 {"url":"http://a.example/u","status":"200","digest":"D1"}\n' $i
done > types.cdxj
code "an index is imported" 0 import --media=all -o cdxj.trace types.cdxj
same "a trace keeps the media types that an index tells" "$(dump cdxj.trace | grep -o '"url":"[^"]*"\|"media":"[^"]*"' | paste -sd' ')" \
	'"url":"http://a.example/" "media":"text/html" "media":"text/html" "url":"http://a.example/p" "media":"image/png" "media":"image/png" "url":"http://a.example/u"'
like "a digest is one fragment, whatever it is of" "$err" "3 pages, 6 captures \\(6 content\\); 5 fragments"
same "import says how many captures are known by their digests alone" "$(grep -c '^perennial import: 6 captures are known by their digests alone, without the text: each change of such a page is one of the whole page$' <<< "$err")" 1
import -o x.trace --to=2026-01-02 --media=all typed.ndjson a.warc.gz 2> told
same "of captures that have their content it says nothing of digests" "$(grep -c digest told)" 0
code "an index and its redirects are imported" 0 import -o x.trace - < <(head -n 1 types.cdxj; echo 'k 2026 {"url":"http://r.example/","status":"302","digest":"D1"}'; head -n 1 types.cdxj)
like "a capture that is dropped, and a redirect, are not counted among them" "$err" "1 capture is known by its digest alone"
same "a trace of an index is filtered as the index is" "$(import --media=text/html -o x.trace cdxj.trace 2> /dev/null; dump x.trace)" \
	"$(import --media=text/html -o y.trace types.cdxj 2> /dev/null; dump y.trace)"
import -o x.trace cdxj.trace types.cdxj 2> /dev/null
same "an index that is joined to its own trace changes nothing" "$(dump x.trace)" "$(dump cdxj.trace)"

# Traces that keep none: of older programs, and of what has none
"$PERENNIAL" synth -o synth.trace --pages=2 --captures=3
code "--media of a trace without media types is refused" 3 import -o x.trace --media=text/html synth.trace
like "import says why --media of a trace without media types is refused" "$err" "synth.trace: this trace does not tell of which media types its captures are, and was not made with the same --media: import again what it was made of"
code "a trace without media types is taken whole" 0 import -o x.trace synth.trace
import -o x.trace typed.trace synth.trace 2> /dev/null
ok "where one of several traces has no media types, no more has the trace of all" test "$(dump typed.trace | grep -c media)" -gt 0 -a "$(dump x.trace | grep -c media)" = 0
code "media types cannot be asked for of a trace that has none" 3 import -o y.trace --media=text/html x.trace
cp "$SRCDIR/tests/older/trace4.trace" old.trace # of text/html and text/plain, with links
code "a trace of version 4 that was made of the same media types is taken" 0 import --media=text/html,text/plain -o x.trace old.trace
like "an old trace is imported with its links" "$err" "2 pages, 3 captures \\(3 content\\); 5 fragments, 1 link"
same "an old trace is imported unchanged" "$(dump x.trace)" "$(dump old.trace)"
ok "without media types a trace is of the version that older programs read" cmp -s <(head -c 9 x.trace) <(printf 'PRNTRACE\004')
code "captures of the same media types are appended to it" 0 import --media=text/html,text/plain -o x.trace old.trace b.warc
code "a trace of other media types than are asked for is refused" 3 import -o x.trace --media=text/html old.trace
code "--sample=0 is a usage error" 2 import -o x.trace --sample=0 a.trace

# Weights
printf 'http://h0000000.example/p1\t0.5\nhttp://nowhere.example/\t2\n' > weights.tsv
code "import takes --weights" 0 import -o w.trace --weights=weights.tsv a.warc.gz
like "a weight for a page that no source has is counted" "$err" "1 weight for a page that no source has"
like "a weight of --weights stands in the trace" "$("$PERENNIAL" dump --url=http://h0000000.example/p1 w.trace)" '"weight":0.5,'
printf 'http://h0000000.example/p1 half\n' > bad.tsv
printf '{"url":"http://%s.example/","time":%s,"body":"words that last","weight":%s}\n' a 100 3 a 200 4 b 100 2 nowhere 100 7 > weighed.ndjson
code "import takes weights from JSON lines" 0 import -o j.trace --weights=weights.tsv weighed.ndjson
same "the latest weight of a page counts, and a weights file before it" "$("$PERENNIAL" dump j.trace | sed 's/.*"url":"\([^"]*\)","weight":\([^,]*\),.*/\1 \2/' | tr '\n' ';')" \
	"http://a.example/ 4;http://b.example/ 2;http://nowhere.example/ 2;"
code "a bad line in a weights file makes import fail" 3 import -o x.trace --weights=bad.tsv a.warc.gz
like "a bad line in a weights file is named" "$err" "bad.tsv, line 1: not a URL and a number above 0, at most 1e9"

# Times and their zones
printf '{"url":"http://a.example/%s","time":"%s","body":"words that last"}\n' 1 2026-05-10T12:00:00+02:00 2 '2026-05-10 12:00:00 -0800' 3 2026-05-10T10:00:00 4 2026-05-10 5 '2026-05-10 10:00' > zones.ndjson
code "JSON lines with offsets are imported" 0 import -o z.trace zones.ndjson
same "an offset is taken off, and a time without one is UTC" "$("$PERENNIAL" dump z.trace | grep -o '"time":"[^"]*"' | tr -d '\n')" \
	'"time":"2026-05-10T10:00:00Z""time":"2026-05-10T20:00:00Z""time":"2026-05-10T10:00:00Z""time":"2026-05-10T00:00:00Z""time":"2026-05-10T10:00:00Z"'
like "times of day without a zone are told once, by their number" "$err" "; .*2 times without a zone taken as UTC$"
code "--from takes an offset" 0 import -o z.trace --from=2026-05-10T21:00+01:00 zones.ndjson
like "--from with an offset is the time that it is in UTC" "$err" "^perennial import: 1 page, 1 capture"
code "--from takes a time without a zone" 0 import -o z.trace --from=2026-05-10T20:00 zones.ndjson
like "an option's time without a zone is told to be UTC" "$err" "^perennial import: --from=2026-05-10T20:00 names no zone and is taken as UTC"
code "--from takes a date" 0 import -o z.trace --from=2026-05-10 zones.ndjson
ok "of a date alone nothing is said" test "${err#*--from}" = "$err"
# Links: key URL is how a trace knows it
page() { printf '{"url":"http://%s","time":%s,"content_type":"text/html","body":"%s"}\n' "$1" "$2" "$3"; }
linked() { "$PERENNIAL" dump --url="http://$1" "$2" | sed -n 's/.*"linked":"\([^"]*\)","links":\[\(.*\)\]}/\1 \2/p' | tr -d '"'; }
keys() { for u in "$@"; do echo "{\"url\":\"http://self.example/\",\"time\":9,\"content_type\":\"text/html\",\"body\":\"<a href=http://$u>\"}"; done | while read -r l; do
	echo "$l" | import --links -o key.trace - 2> /dev/null; linked self.example/ key.trace | cut -d' ' -f2; done | sort | paste -sd,; }
{ page a.example/ 100 '<a href=/x>'; page a.example/ 200 '<a href=/y><a href=//b.example>'; page b.example/ 100 'none'; } > links.ndjson
code "import takes --links" 0 import --links -o l.trace links.ndjson
like "import tells how many links there are" "$err" "; [0-9]+ fragments?, 2 links$"
same "the links of a page are those of its latest capture" "$(linked a.example/ l.trace)" "1970-01-01T00:03:20Z $(keys a.example/y b.example/)"
same "a page that leads nowhere has no links, as of its latest capture" "$(linked b.example/ l.trace)" "1970-01-01T00:01:40Z "
import -o n.trace links.ndjson 2> /dev/null
same "without --links there are none" "$(linked a.example/ n.trace)" ""
code "a trace without links says that it has none" 3 "$PERENNIAL" weigh -o /dev/null n.trace
like "who weighs a trace without links is told what is to be done" "$err" "import with --links"
{ page a.example/ 300 '<a href=/z>'; page c.example/ 300 '<a href=http://a.example/>'; } > later.ndjson
import --links -o all.trace later.ndjson links.ndjson 2> /dev/null
code "captures with links are appended to a trace with links" 0 import --links -o j.trace l.trace later.ndjson
same "links that are appended to a trace are those of all the captures" "$("$PERENNIAL" dump j.trace)" "$("$PERENNIAL" dump all.trace)"
import --links -o k.trace later.ndjson 2> /dev/null
import -o j.trace k.trace l.trace 2> /dev/null
same "links of traces are kept when they are joined" "$("$PERENNIAL" dump j.trace)" "$("$PERENNIAL" dump all.trace)"
import -o j.trace later.ndjson l.trace 2> /dev/null
same "captures whose links nobody looked for leave those that are known" "$(linked a.example/ j.trace)" "1970-01-01T00:03:20Z $(keys a.example/y b.example/)"
import -o j.trace --to=1970-01-01T00:03:00Z l.trace 2> /dev/null
same "a filter that leaves out the capture with the links leaves them out" "$(linked a.example/ j.trace)" ""
import --links -o j.trace n.trace links.ndjson 2> /dev/null
same "a trace gets links from the sources that it was made of" "$("$PERENNIAL" dump j.trace)" "$("$PERENNIAL" dump l.trace)"
for i in 1 2 3; do import --links --part=$i/3 -o "l.$i" later.ndjson links.ndjson 2> /dev/null; done
same "parts have together the links of the whole" "$(for i in 1 2 3; do "$PERENNIAL" dump "l.$i"; done | sort)" "$("$PERENNIAL" dump all.trace | sort)"
ok "the order of sources and the number of threads do not change links" cmp <(import --links --threads=1 -o i.trace links.ndjson later.ndjson 2> /dev/null; tail -c +200 i.trace) <(tail -c +200 all.trace)
{ page a.example/d/ 100 '<a href=x>'; page b.example/d/ 100 '<a href=x>'; } > same.ndjson
import --links --threads=1 -o s.trace same.ndjson 2> /dev/null
same "one body on two pages leads from each to its own" "$(linked a.example/d/ s.trace) $(linked b.example/d/ s.trace)" \
	"1970-01-01T00:01:40Z $(keys a.example/d/x) 1970-01-01T00:01:40Z $(keys b.example/d/x)"
printf '{"url":"http://r.example/","time":1,"status":301,"location":"/to"}\n' > redirect.ndjson
import --links -o r.trace redirect.ndjson 2> /dev/null
same "a redirect leads to its target" "$(linked r.example/ r.trace)" "1970-01-01T00:00:01Z $(keys r.example/to)"
htmlrecord() { # HOST YEAR DIGEST [HREF]
	local answer='' type=revisit profile=$'WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\n' body
	if [ $# -gt 3 ]; then
		body="<p>some words <a href=$4>$4</a>" type=response profile=
		answer=$(printf 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %s\r\n\r\n%s' ${#body} "$body")
	fi
	printf 'WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-%012d>\r\n%sWARC-Target-URI: http://%s.example/\r\n' $type $RANDOM "$profile" "$1"
	printf 'WARC-Date: %s-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\nWARC-Payload-Digest: sha1:%032d\r\n' "$2" "$3"
	printf 'Content-Length: %s\r\n\r\n%s\r\n\r\n' ${#answer} "$answer"
}
{ htmlrecord a 2001 1 /one; htmlrecord a 2002 2 /two; htmlrecord a 2003 1; htmlrecord b 2001 3 /own; htmlrecord b 2002 1; htmlrecord c 2002 1; } > revisits.warc
import --links -o v.trace revisits.warc 2> /dev/null
same "a revisit has the links of the body that it repeats" "$(linked a.example/ v.trace)" "2003-01-01T00:00:00Z $(keys a.example/one)"
same "where it repeats another page's, those of the last capture of its own stay" "$(linked b.example/ v.trace)" "2001-01-01T00:00:00Z $(keys b.example/own)"
same "a page that was only another's body has no links that are known" "$(linked c.example/ v.trace)" ""

# What is a page and what is not
wrapped() { # TYPE URL DATE CONTENT-TYPE BLOCK
	printf 'WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\nContent-Type: %s\r\nContent-Length: %s\r\n\r\n%s\r\n\r\n' \
		"$1" "$2" "$3" "$4" "${#5}" "$5"
}
answer() { wrapped response "http://a.example/$1" "2026-01-0$2T00:00:00Z" 'application/http;msgtype=response' "$(printf 'HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\nsome words of %s on day %s' "$3" "$1" "$2")"; }
requisites() {
	for day in 1 2; do
		answer '' $day 'text/html; charset=utf-8'; answer a.css $day text/css; answer a.js $day application/javascript
		answer feed $day application/rss+xml; answer p.png $day image/png; answer q.png $day image/png
	done
	wrapped request http://a.example/ 2026-01-01T00:00:00Z application/http 'GET / HTTP/1.1'
}
requisites > requisites.warc
code "a page with what it needs is imported" 0 import -o q.trace requisites.warc
like "only texts that people read are pages" "$err" "^perennial import: 2 pages, 4 captures \\(4 content\\); [0-9]+ fragments$"
like "what is no page is counted by its media type" "$err" "passed over 8 captures of other media types: 4 image/png, 2 application/javascript, 2 text/css \\(--media=all takes them\\)$"
code "--media=all takes everything" 0 import -o q.trace --media=all requisites.warc
like "--media=all makes pages of images too" "$err" "^perennial import: 6 pages, 12 captures"
code "--media takes 'pages' beside others" 0 import -o q.trace --media=pages,image/* requisites.warc
like "'pages' beside a type is both" "$err" "^perennial import: 4 pages, 8 captures"
code "a trace that was made of pages and one that was not are joined" 0 import -o x.trace q.trace a.trace
{ wrapped warcinfo http://a.example/ 2026-01-01T00:00:00Z application/warc-fields 'a: b'; wrapped metadata http://a.example/ 2026-01-01T00:00:00Z application/json '{}'
	wrapped metadata http://b.example/ 2026-01-01T00:00:00Z application/json '{}'; wrapped resource urn:pageinfo:1 2026-01-01T00:00:00Z application/json '{}'; } > wat.warc
code "an archive without pages makes import exit with 1" 1 import -o x.trace wat.warc
like "import counts by type and scheme what an archive without pages has" "$err" "^perennial import: passed over 4 records or files that are no captures: 2 metadata, 1 urn:, 1 warcinfo$"
like "import says that an archive without pages has none" "$err" "^perennial import: there is no page in what was read$"
cat requisites.warc wat.warc > mixed.warc
import -o x.trace mixed.warc 2> err
like "beside pages it is told what is unusual in an archive" "$(cat err)" "passed over 5 records or files that are no captures: 2 metadata, 1 request, 1 urn:, 1 warcinfo$"
{ cat requisites.warc; wrapped resource metadata://gnu.org/software/wget/warc/MANIFEST.txt 2026-01-01T00:00:00Z text/plain x; } > wget.warc
import -o x.trace wget.warc 2> err
same "what wget writes of itself into any archive is not told beside pages" "$(grep -c 'no capture' err)" 0
code "an archive of which nothing is asked for makes import exit with 1" 1 import -o x.trace --media=text/plain requisites.warc
like "import counts what an archive has in place of what is asked for" "$err" "passed over 12 captures of other media types: 4 image/png"
nothing() { import -o x.trace - < /dev/null; }
code "nothing at all makes import exit with 1" 1 nothing
like "import says that an empty source has no records" "$err" "^perennial import: there is no page in what was read: it has no records$"

# What is no archive in a folder of archives
mkdir -p mixed/repo mixed/dates/20260101/a.example
cp requisites.warc mixed; cp typed.ndjson mixed/a.ndjson; gzip -c typed.ndjson > mixed/b.jsonl.gz; cp types.cdxj mixed; echo x > mixed/.x.html; echo x > mixed/dates/20260101/a.example/index.html
git init -q mixed/repo 2> /dev/null || mkdir -p mixed/repo/.git
code "a folder of archives with other sources in it is imported" 0 import -o x.trace mixed
like "what is hidden is told as hidden" "$err" "passed over [0-9]+ records or files that are no captures: .*1 hidden \\*.html"
like "import says which sources in a folder must be named" "$err" \
	"what was passed over holds sources that must be named by themselves: 1 \\*.cdxj, 1 \\*.jsonl.gz, 1 \\*.ndjson, 1 folder of dated snapshots, 1 git repository \\(git:FOLDER\\); an index adds nothing to the archives that it is of"
code "a folder of archives without other sources is imported" 0 import -o x.trace mixed/requisites.warc
same "of archives alone it says nothing of that" "$(grep -c 'must be named' <<< "$err")" 0

# Digests, by coreutils
digested() { # NAME DIGEST BODY
	printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://d.example/%s\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Payload-Digest: %s\r\nContent-Length: %s\r\n\r\nHTTP/1.1 200 OK\r\n\r\n%s\r\n\r\n' \
		"$1" "$2" "$((19 + ${#3}))" "$3"
}
long=$(seq 3000)
sum() { printf %s "$2" | "$1sum" | cut -d ' ' -f 1; }
for kind in md5 sha1 sha256 sha512; do digested $kind "$kind:$(sum $kind "$long")" "$long"; done > sums.warc
digested base64 "sha-384:$(printf %s "$long" | sha384sum | cut -d ' ' -f 1 | tr a-f A-F | basenc -d --base16 | base64 -w 0)" "$long" >> sums.warc
code "records whose digests are right are imported" 0 import -o g.trace sums.warc
digested wrong "sha1:$(sum sha1 "$long")" "$long " >> sums.warc
code "a digest that is not right makes import exit with 1" 1 import -o g.trace sums.warc
like "a digest that is not right is told, and its record is taken" "$err" "sums.warc: record at offset [0-9]+ \(http://d.example/wrong\): its WARC-Payload-Digest is not that of its payload; it is taken as it is"
like "what has such a digest is a capture as others are" "$err" "6 pages, 6 captures"
like "digests that are not right are counted" "$err" "skipped 1 digest that is not that of its record, which was taken as it is"
gzip -k sums.warc
code "in a packed file digests are not looked at" 0 import -o g.trace sums.warc.gz
code "digests in a packed file are looked at if that is asked for" 1 import -o g.trace --digests=check sums.warc.gz
code "digests may be trusted" 0 import -o g.trace --digests=trust sums.warc
code "--digests=no is a usage error" 2 import -o g.trace --digests=no sums.warc

# Folders and manifests
mkdir -p dated/20260101T000000Z/a.example dated/20260102T000000Z/a.example
printf '<p>one two three four five six</p>' | tee dated/20260101T000000Z/a.example/index.html > dated/20260102T000000Z/a.example/x.html
code "a folder of dated snapshots is imported" 0 import -o d.trace dated
like "a page that a date lacks is counted as a capture then" "$err" "2 pages, 4 captures|2 pages, 3 captures"
like "a page that a date lacks stands in the trace as missing" "$("$PERENNIAL" dump d.trace | head -n 1)" '^\{"url":"https://a.example/","weight":1,"captures":\[\{"time":"2026-01-01T00:00:00Z","kind":"content","media":"text/html"\},\{"time":"2026-01-02T00:00:00Z","kind":"missing"\}\]'

mkdir -p websites/a.example/20260101000000 websites/a.example/20260102000000/news
printf '<p>one two three four five six</p>' | tee websites/a.example/20260101000000/index.html > websites/a.example/20260102000000/news/index.html
code "a folder of hosts with dates is imported" 0 import -o d.trace websites
like "each of its files is one capture" "$err" "2 pages, 2 captures \(2 content\)"

# What is wrong with sources
head -c 3000 a.warc.gz > cut.warc.gz
rm -f x.trace
code "import of a truncated file exits with 1" 1 import -o x.trace cut.warc.gz
like "a truncated file is named" "$err" "skipped: cut.warc.gz: "
like "a truncated file is counted" "$err" "skipped 1 rest of a source that ends early"
ok "a truncated file gives a trace of what stands before the cut" test -s x.trace
{ head -c 2000 b.warc; printf 'garbage\r\n'; tail -c +2001 b.warc; } > torn.warc
code "import of a file with a damaged record exits with 1" 1 import -o x.trace torn.warc
like "a damaged record is named with its file and offset" "$err" "torn.warc: .*offset [0-9]+"
like "what is skipped is counted in words that are true of records and of files" "$err" "skipped .*1 record or file that cannot be read"
code "import of a missing file among others exits with 1" 1 import -o x.trace a.warc.gz nowhere.warc
like "a missing file among others is named" "$err" "nowhere.warc: cannot be opened: No such file"
like "the files beside a missing one are imported" "$err" "6 pages, 54 captures"
rm -f x.trace
code "import of nothing but a missing file fails" 3 import -o x.trace nowhere.warc
ok "import of nothing but a missing file makes no trace" test ! -e x.trace
: > empty.warc.gz
"$PERENNIAL" import -o x.trace empty.warc.gz a.warc.gz > "$tmp/.out" 2> "$tmp/.err"; err=$(cat "$tmp/.err")
like "an empty file does not stop the others" "$err" "6 pages, 54 captures"
printf 'hello' > hello.txt
code "import of a file that is no source fails" 3 import -o x.trace hello.txt
like "a file that is no source is named" "$err" "hello.txt: "

printf '{"url":"http://a.example/","time":%s,"body":"words"}\n' -62135596801 -62135596800 253402300800 > far.ndjson
code "lines of times that are none are passed over" 1 import -o far.trace far.ndjson
same "lines of times that are none are told" "$(grep -c 'far.ndjson: line [13]: "time" takes a time' <<<"$err")" 2
same "the others are imported" "$("$PERENNIAL" dump far.trace | cut -c -50)" '{"url":"http://a.example/","weight":1,"captures":['

# What can be read only once
import -o known.trace a.warc.gz 2> /dev/null
pipe() { "$PERENNIAL" "$1" "${@:2}" <(cat a.warc.gz); }
code "a pipe is imported" 0 pipe import -o piped.trace
same "no byte of it is lost" "$("$PERENNIAL" dump piped.trace)" "$("$PERENNIAL" dump known.trace)"
same "a pipe is measured" "$(pipe measure --format=tsv 2> /dev/null | cut -f 2- | tail -n +2)" "$("$PERENNIAL" measure --format=tsv a.warc.gz 2> /dev/null | cut -f 2- | tail -n +2)"

# Usage
code "import without -o is a usage error" 2 import a.warc.gz
code "import without a source is a usage error" 2 import -o x.trace
code "fragments of 65 words are a usage error" 2 import -o x.trace --shingle=65 a.warc.gz
like "fragments of 65 words are told how many there may be" "$err" "--shingle takes 1 to 64 words"
code "--from after --to is a usage error" 2 import -o x.trace --from=2026-02-01 --to=2026-01-01 a.warc.gz

# A full disk: nothing is left behind, and what was there stays.
cp a.trace kept.trace
full() { ( trap '' XFSZ; ulimit -f 1; "$PERENNIAL" "$@" ); }
code "import fails when nothing more can be written" 3 full import -o kept.trace a.warc.gz b.warc
same "import says once why nothing more can be written" "$err" "perennial import: ${TMPDIR:-/tmp}: cannot write a temporary file there: File too large"
full() { ( trap '' XFSZ; ulimit -f 60; "$PERENNIAL" "$@" ); }
code "a trace that does not fit on the disk is a failure" 3 full synth -o kept.trace --pages=100
like "a trace that does not fit on the disk is named" "$err" "kept.trace: cannot write: File too large"
ok "a trace that could not be replaced is still there" cmp -s a.trace kept.trace
same "a trace that could not be written leaves no half-written file" "$(ls | grep -c part)" 0
code "import fails without its folder for temporary files" 3 env TMPDIR="$tmp/no" "$PERENNIAL" import -o x.trace a.warc.gz
like "a folder for temporary files that is not there is named" "$err" "$tmp/no: cannot make a temporary file there"
done_testing
