#!/usr/bin/env bash
# A page's text as of a capture: which of it is static, scroll and churn, since when; what a policy would have had of it.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/show_corpus.sh"
cd "$tmp" || exit 1
show() { "$PERENNIAL" show "$@"; }
page=http://harbour.example/news

# Eight days; the same page elsewhere, and pages that are not asked for.
for day in 1 2 3 4 5 6 7 8; do
	record "$page" $day 'text/html; charset=utf-8' "$(news $day)"
	record http://edge.example/ $day text/plain "always the very same old tale (day$day)-and then it all goes on"
	record http://once.example/ $day text/plain "a page that changes just once, in week $((day / 5)) of all"
	record http://other.example/ $day text/plain "Nobody asks for this page $day"
done > days.warc
gzip -k days.warc

# A passage a row, in the middle of its life.
code "a page is shown as of a capture" 0 show --at=2026-01-04T18:00:00Z "$page" days.warc.gz
same "passages in a pipe have a header" "$(head -1 <<<"$out")" $'as_of\tregion\tsince\tage_days\tlived_days\texpected_days\ttext'
rows() { cut -f 2,3,4,5,7 <<<"$out" | tail -n +2 | tr '\t' '|'; }
same "what is static, what scrolls and what churns is told apart, word by word" "$(rows)" \
	'static|2026-01-01T12:00:00Z|3|NA|Harbour Welcome to the harbour page, (kept) since 1990. 
scroll|2026-01-02T12:00:00Z|2|3|Item4 reports calm weather near harbour4 
scroll|2026-01-03T12:00:00Z|1|3|Item5 reports calm weather near harbour5 
scroll|2026-01-04T12:00:00Z|0|3|Item6 reports calm weather near harbour6 
churn|2026-01-04T12:00:00Z|0|1|Today4 tide4 wind4 moon4 sun4 stars4 
static|2026-01-01T12:00:00Z|3|NA|All about our boats and nets, always. '
same "each row says as of when it is" "$(cut -f 1 <<<"$out" | tail -n +2 | sort -u)" 2026-01-04T12:00:00Z
same "churn is expected to live as long as it did, a day" "$(awk -F'\t' '$2 == "churn" { print $6 }' <<<"$out")" 1
# Independently: all the days that scroll was seen, for each time that it was seen to go, of the fragments that measure lists.  On a
# page that changes each day those are scroll that were there at two captures or more, and not at all.
"$PERENNIAL" import -o days.trace days.warc 2> /dev/null
want=$("$PERENNIAL" measure --fragments --format=json days.trace 2> /dev/null |
	sed -n '/harbour.example/s/.*"captures": \([0-9]*\), "censored_left": \([01]\), "censored_right": \([01]\).*/\1 \2 \3/p' |
	awk '$1 > 1 && !($2 && $3) { days += $1 - $3; ends += !$3 } END { printf "%.6f", days / ends }')
same "scroll is expected to live as measure's fragments do" "$(awk -F'\t' '$2 == "scroll" { printf "%.6f", $6; exit }' <<<"$out")" "$want"
code "without a time the last capture is shown" 0 show "$page" days.warc
like "the last capture has the last day's words" "$out" $'unknown\t2026-01-08T12:00:00Z\t0\tNA\t[0-9.]*\tItem10 reports calm weather near harbour10 Today8 tide8'
code "the first capture is shown" 0 show --at=2026-01-01T12:00:00Z "$page" days.warc
like "the first capture has the first day's words" "$out" 'Today1 tide1'
code "a time before all captures is told" 3 show --at=2025 "$page" days.warc
like "show says when the first content of a page is from" "$err" 'its first content is of 2026-01-01T12:00:00Z, after the time asked for'
code "a page of one line is shown" 0 show --at=2026-01-04T18:00:00Z http://edge.example/ days.warc
same "a bracket goes with the word that it opens before, and what joins two words with the first" "$(cut -f 2,7 <<<"$out" | tail -n +2 | tr '\t' '|')" \
	'static|always the very same old tale 
churn|(day4)-
static|and then it all goes on'
code "passages are printed as JSON" 0 show --format=json "$page" days.warc
like "a passage is a line of JSON" "$(head -1 <<<"$out")" '^\{"as_of": "2026-01-08T12:00:00Z", "region": "static", "since": "2026-01-01T12:00:00Z", "age_days": 7, .*"text": "Harbour'
same "sources in any order and form show the same" "$(show "$page" days.warc | md5sum)" "$(show "$page" days.warc.gz days.warc | md5sum)"

# In colour.
code "the text is coloured where it is asked for" 0 show --color --at=2026-01-04T18:00:00Z "$page" days.warc
like "churn has its colour in the text" "$out" $'\033\\[4;33mToday4 tide4 wind4 moon4 sun4 stars4'
like "scroll has its colour in the text" "$out" $'\033\\[36mItem5 reports calm weather near harbour5'
like "the text says which capture it is of" "$out" 'as of 2026-01-04 12:00 UTC: capture 4 of 8, version 4 of 8'
same "a line of the page is a line of the text" "$(grep -c 'Item.*Item' <<<"$out")" 0

# What a policy would have had: uniform, every second capture.
code "a policy's visits are counted by hand" 0 show --color --policy=uniform --threshold=2 "$page" days.warc
like "every second of seven captures is three visits that find three of seven changes" "$out" 'uniform, with 3 visits after the first \(0\.43 of the captures\): found 3 of 7 changes'
# Independently: of the fragments that measure lists, those born after the first day that were there on the third, fifth or seventh.
want=$("$PERENNIAL" measure --fragments --format=json days.trace 2> /dev/null |
	sed -n '/harbour.example/s/.*"born": "2026-01-0\([0-9]\).*"captures": \([0-9]*\), "censored_left": [01], "censored_right": \([01]\).*/\1 \2 \3/p' |
	awk '$1 > 1 { born++; seen = 0; for (day = 3; day <= 7; day += 2) seen += $1 <= day && day < $1 + $2; caught += seen > 0; missed += !seen && !$3 }
		END { printf "saw %d of %d fragments that came, missed %d;", caught, born, missed }')
like "what its visits saw, and what came and went between them, is counted by fragments" "$out" "$want"
scores=$("$PERENNIAL" evaluate --policy=uniform --period=2 --window=all --bootstrap=0 --format=tsv --by=page days.trace 2> /dev/null | grep harbour)
like "the staleness that show tells of a page is the one that evaluate tells" "$scores" "$(printf '\t%s' "$(sed -n 's/.*stale \([0-9.]*\) %.*/\1/p' <<<"$out" | awk '{ printf "0.%03d", 10 * $1 }')" | cut -c 1-5)"
code "a page that changes once is visited each day" 0 show --color --policy=uniform --threshold=1 http://once.example/ days.warc
like "a change is found once, by the first of the visits that see it" "$out" 'with 7 visits .*: found 1 of 1 changes'
like "what churned last stands below the text" "$("$PERENNIAL" show --color "$page" days.warc)" $'# 2026-01-07 12:00 \033\\[4;33mToday7 tide7'
code "policies are told side by side" 0 show --color --policy=uniform,cgm --threshold=2 "$page" days.warc
same "each policy has its line" "$(grep -c '^# \(uniform\|cgm\), with' <<<"$out")" 2
code "rows with a policy are rows" 0 show --policy=uniform --threshold=2 "$page" days.warc
like "show says beside rows what the policy would have had" "$err" '# uniform, with 3 visits after the first'
show "$page" days.warc > /dev/null 2> quiet
same "beside rows without a policy nothing is told" "$(cat quiet)" ""
code "a cost chooses the threshold" 0 show --color --cost=.43 "$page" days.warc
like "drift visits as often as the cost says" "$out" 'drift, with 3 visits'
code "show takes a policy that makes no visits" 0 show --color --policy=uniform --threshold=100 "$page" days.warc
like "who never comes back misses what came and went" "$out" 'with 0 visits after the first \(0\.00 of the captures\): found 0 of 7 changes, saw 0 of [0-9]* fragments that came, missed [1-9]'

# The page.
code "a page is made of a page" 0 show -o page.html --at=2026-01-04T18:00:00Z "$page" days.warc
same "nothing is printed beside the page" "$out$err" ""
html=$(cat page.html)
article=$(sed -n '/<article/,/<\/article>/p' page.html)
like "without a script the page has the text of the capture" "$article" '<span class="c" data-l="[0-9]*" id="L[0-9]*" title="churn, there since 2026-01-04 12:00 \(0 seconds old\); gone by 2026-01-05 12:00, lived 24 hours; churn content lives 24 hours here, in the mean"><span class="vh">\[churn:</span>Today4 tide4'
same "the text of no other capture stands in the page but as data" "$(grep -c 'Today[1235678]' <<<"$article")" 0
for day in 1 2 3 4 5 6 7 8; do ok "the page has the text of day $day for its slider" grep -q "^\[.*Today$day tide$day" page.html; done
like "the page says in words what the policy would have had" "$html" 'would have found [0-9] of the 7 changes'
same "the page asks for nothing from elsewhere" "$(grep -Eoc '(src|href)="?(https?:)?//' page.html)" 0
like "only the page's own script may run in it" "$html" "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-[A-Za-z0-9+/]{43}='"
if command -v openssl > /dev/null; then
	same "the script is the one that the page's policy knows" "$(perl -0777 -ne 'print $1 if m|<script>(.*?)</script>|s' page.html | openssl dgst -sha256 -binary | base64)" \
		"$(grep -o "sha256-[^']*" page.html | head -1 | cut -c 8-)"
else
	skip "the script is the one that the page's policy knows" "openssl is not installed"
fi
same "every stripe has its words" "$(grep -c '<li><a class=' page.html)" "$(grep -c '<span class="vh">[0-9]* fragment' page.html)"
same "every stripe with a link leads to a passage" "$(grep -o 'href="#L[0-9]*"' page.html | grep -o 'L[0-9]*' | sort)" \
	"$(sed -n '/<article/,/<\/article>/p' page.html | grep -o 'id="L[0-9]*"' | grep -o 'L[0-9]*' | sort)"

like "as of the last capture the page lists what churned before" "$(show -o last.html "$page" days.warc; cat last.html)" '<li>2026-01-07 12:00, gone by 2026-01-08 12:00: <span class="c" dir="auto">Today7 tide7'
show -o two.html --policy=uniform,cgm --cost=.3 "$page" days.warc
same "the page has policies side by side" "$(grep -cE '<tr><th scope="row">(uniform|cgm)</th><td>[0-9]*</td><td>[0-9]* of 7</td>' two.html)" 2

# Fewer texts than versions: the first, the last and the one that is shown.
code "of many versions some texts are kept" 0 show -o few.html --texts=3 --at=2026-01-04T18:00:00Z "$page" days.warc
same "the texts kept are the first, the last and the one that is shown" "$(sed -n '/id="data"/,$p' few.html | grep -o 'Today[0-9]' | sort -u | tr -d '\n')" 'Today1Today4Today8'
code "of many versions two texts are kept" 0 show -o two_texts.html --texts=2 --at=2026-01-04T18:00:00Z "$page" days.warc
same "the two texts kept are the last and the one that is shown" "$(sed -n '/id="data"/,$p' two_texts.html | grep -o 'Today[0-9]' | sort -u | tr -d '\n')" 'Today4Today8'
code "of many versions the last and another are kept" 0 show -o two_texts.html --texts=2 "$page" days.warc
same "where the last is the one that is shown the other is the first" "$(sed -n '/id="data"/,$p' two_texts.html | grep -o 'Today[0-9]' | sort -u | tr -d '\n')" 'Today1Today8'
like "a page says how many of its texts it has" "$(cat few.html)" 'The texts of 3 of the 8 versions are here'
code "of many versions one text is kept" 0 show -o one.html --texts=1 --at=2026-01-04T18:00:00Z "$page" days.warc
same "the text kept is the one that is shown" "$(sed -n '/id="data"/,$p' one.html | grep -o 'Today[0-9]' | sort -u)" 'Today4'

# Whatever a page says, it is text: markup, quotes, directions, every byte.
{
	for day in 1 2 3 4 5 6; do
		record http://hostile.example/ $day 'text/html; charset=utf-8' "<p>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt; \"'\\ &lt;!-- &lt;img src=x onerror=alert(2)&gt; day$day ]]&gt; &amp;lt;b&amp;gt; &#x202e;evil&#x2066; $(printf '\xe2\x80\xae')more &#30; &#1; end</p>"
		record http://bytes.example/ $day text/plain "day$day "
	done
} > hostile.warc
# Every byte in a body, as text and as no text.
perl -e 'for my $day (1 .. 6) { for my $t ("text/plain", "image/png") { my $u = $t eq "image/png" ? "png" : "plain";
	my $a = "HTTP/1.1 200 OK\r\nContent-Type: $t\r\n\r\n" . "day$day words around " . join("", map { chr } 0 .. 255) . " all bytes";
	printf "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://bytes.example/%s\r\nWARC-Date: 2026-02-0%dT00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", $u, $day, length $a, $a } }' > bytes.warc
for url in http://hostile.example/ http://bytes.example/plain http://bytes.example/png; do
	code "$url is shown on a page" 0 show -o hostile.html "$url" hostile.warc bytes.warc
	same "$url has brought no script into the page" "$(grep -oi '<script' hostile.html | wc -l) $(grep -oi '</script' hostile.html | wc -l)" "2 2"
	same "$url has brought no element into the page" "$(sed -n '/<article/,/<\/article>/p;/id="data"/,$p' hostile.html | grep -oiE '<[a-z!]+' | grep -vE '<(article|p|span|script)$' | wc -l)" 0
	ok "with $url the page is UTF-8" iconv -f UTF-8 -t UTF-8 hostile.html -o /dev/null
	same "with $url the page has no control characters" "$(LC_ALL=C tr -d '\11\12\40-\377' < hostile.html | wc -c)" 0
	same "with $url the page has nothing that turns its text around" "$(LC_ALL=C grep -c $'\xe2\x80[\xaa-\xae]\|\xe2\x81[\xa6-\xa9]' hostile.html)" 0
	code "$url is shown in colour" 0 show --color "$url" hostile.warc bytes.warc
	same "$url does nothing to a terminal" "$(sed 's/\x1b\[[0-9;]*m//g' <<<"$out" | LC_ALL=C tr -d '\11\12\40-\377' | wc -c)" 0
done
like "show prints the length and type of content that is no text" "$out" '\[[0-9]* bytes, image/png\]'
code "a hostile text is shown in colour" 0 show --color http://hostile.example/ hostile.warc
like "what turns text around is shown to a terminal as an escape" "$out" 'u202eevil.u2066 .u202emore'
like "markup that is text is text" "$out" '</script><script>alert\(1\)</script>'

# Revisits, redirects, failures.
revisit() {
	printf 'WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Record-ID: <urn:uuid:r%s>\r\nWARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-01-%02dT12:00:00Z\r\n' "$2" "$1" "$2"
	printf 'WARC-Refers-To-Target-URI: %s\r\nWARC-Refers-To-Date: 2026-01-%02dT12:00:00Z\r\nContent-Length: 0\r\n\r\n\r\n\r\n' "$3" "$4"
}
{
	record http://a.example/ 1 text/html "<p>one two three four five six seven</p>"
	record http://b.example/ 2 text/html "<p>elsewhere this text of another page was first seen</p>"
	record http://a.example/ 3 text/html "" 404
	revisit http://a.example/ 4 http://b.example/ 2
	revisit http://a.example/ 5 http://a.example/ 1
	printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2026-01-06T12:00:00Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: 63\r\n\r\nHTTP/1.1 302 Found\r\nLocation: http://c.example/<script>"\r\n\r\n\r\n\r\n\r\n'
} > revisits.warc
code "a capture that repeats another page's is shown" 0 show --at=2026-01-04T18:00:00Z http://a.example/ revisits.warc
like "the text of a capture that repeats another page's is that page's" "$out" 'elsewhere this text of another page was first seen'
code "a capture that repeats an earlier one is shown" 0 show --at=2026-01-05T18:00:00Z http://a.example/ revisits.warc
like "the text of a capture that repeats an earlier one is that one's" "$out" 'one two three four five six seven'
code "a capture that failed is shown" 0 show --at=2026-01-03T18:00:00Z http://a.example/ revisits.warc
like "the text of a capture that failed is that of before" "$out" 'one two three four five six seven'
code "a redirect is shown" 0 show --format=json http://a.example/ revisits.warc
like "of a redirect its target is shown" "$out" '"text": "→ http://c.example/'

# The same bytes of another type are another text.
{
	for day in 1 2 3; do record http://typed.example/ $day text/plain '<b title="eight nine ten eleven">one</b> two three four five six seven'; done
	for day in 4 5 6; do record http://typed.example/ $day text/html '<b title="eight nine ten eleven">one</b> two three four five six seven'; done
} > typed.warc
code "a page whose bytes have another type is shown" 0 show http://typed.example/ typed.warc
same "a page is shown as of its new type" "$(cut -f 7 <<<"$out" | tail -n +2 | tr -d '\n')" 'one two three four five six seven '
code "a page whose bytes had another type is shown" 0 show --at=2026-01-03T18:00:00Z http://typed.example/ typed.warc
like "a page is shown as of its old type" "$out" 'title='

# Far more captures than texts: memory does not grow with them.
if grep -q __asan_init "$PERENNIAL" || ! (ulimit -v 2000000 && "$PERENNIAL" --version) > /dev/null 2>&1; then
	skip "a page of thousands of captures is shown in bounded memory" "memory cannot be limited here"
else
	perl -e 'for my $n (0 .. 2999) { my $words = join " ", map { "w" . $n . "x" . $_ } 1 .. 20; my $a = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nalways the same six words here $words " . ("padding without end " x 2000);
		printf "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://many.example/\r\nWARC-Date: 2026-01-%02dT%02d:%02d:00Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", 1 + int($n / 1440), int($n / 60) % 24, $n % 60, length $a, $a }' > many.warc
	code "a page of thousands of captures is shown in bounded memory" 0 bash -c "ulimit -v 1500000; MALLOC_ARENA_MAX=1 '$PERENNIAL' show -o many.html http://many.example/ many.warc"
	like "of thousands of captures it is said how many texts there are" "$(cat many.html)" 'The texts of 100 of the 3000 versions are here'
	like "of thousands of stripes it is said how many there are" "$(cat many.html)" '160 of 300[0-9] stripes'
	ok "a page of thousands of captures is no larger than what it shows" test "$(stat -c %s many.html)" -lt 8000000
fi

# What cannot be.
code "a page that no source has is told" 3 show http://nowhere.example/ days.warc
like "who asks for a page that no source has is told which" "$err" 'perennial show: http://nowhere.example/: no source has a capture of it'
like "show says how pages can be listed" "$err" "'perennial measure --pages' lists what they have"
for near in https://harbour.example/news http://www.harbour.example/news http://harbour.example/news/ http://harbour.example/NEWS; do
	show "$near" days.warc > /dev/null 2> near
	like "for $near the page that it may be is named" "$(cat near)" 'did you mean http://harbour.example/news\?'
done
code "a page with too few captures is told" 3 show http://b.example/ revisits.warc
like "who asks for a page with too few captures is told how few" "$err" 'http://b.example/: has 1 capture, and fewer than 4 with content'
code "a trace has no text" 3 show "$page" days.trace
like "show says what to name in place of a trace" "$err" 'days.trace: a trace keeps no text: name the WARC files'
code "what can be read only once is refused" 3 show "$page" /dev/null
code "a source that is not there is told" 3 show "$page" none.warc
code "a truncated source shows what was before the cut" 1 bash -c "head -c $(($(stat -c %s days.warc) - 900)) days.warc > cut.warc; '$PERENNIAL' show '$page' cut.warc"
like "show names a source that is cut" "$err" 'perennial show: skipped: cut.warc: '
revisit http://a.example/ 7 http://nowhere.example/ 1 > seventh.warc
code "a capture that repeats what no source has is passed over" 1 show http://a.example/ revisits.warc seventh.warc
like "who shows captures that repeat what no source has is told how many there are" "$err" 'of 1 captures that repeat others no source has the content'
{
	for day in 1 2 3 4 5; do record http://lone.example/ $day text/html "<p>one two three four five six seven</p>"; done
	printf 'WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\n'
	printf 'WARC-Target-URI: http://lone.example/\r\nWARC-Date: 2026-01-06T12:00:00Z\r\nContent-Length: 0\r\n\r\n\r\n\r\n'
} > lone.warc
code "a capture that names nothing that it repeats is passed over" 1 show http://lone.example/ lone.warc
same "of a capture that names nothing that it repeats it is said that it was passed over, and nothing else" "$err" 'perennial show: of 1 captures that repeat others no source has the content'
code "no URL is a usage error" 2 show
code "a page without sources is a usage error" 2 show "$page"
code "what is no URL is a usage error" 2 show news days.warc
code "an unknown policy is a usage error of show" 2 show --policy=none "$page" days.warc
code "a cost above 1 is a usage error" 2 show --cost=2 "$page" days.warc
for wrong in --cost=0 --cost=-0.5 --threshold=0 --threshold=-1; do
	code "$wrong is a usage error" 2 show $wrong "$page" days.warc
	like "for $wrong what can be given is told" "$err" '--cost takes a number above 0 and at most 1, --threshold one above 0'
done
code "a cost beside a threshold is a usage error" 2 show --cost=.2 --threshold=1 "$page" days.warc
code "no texts at all is a usage error" 2 show --texts=0 "$page" days.warc
code "colours on a page are a usage error" 2 show --color -o x.html "$page" days.warc
code "a page in a folder that is not there is told" 3 show -o nowhere/x.html "$page" days.warc
done_testing
