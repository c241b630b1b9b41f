#!/usr/bin/env bash
# What others say of pages: perennial hint, observe --hints, and what explain tells of it.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"

store() {
	rm -rf S
	"$PERENNIAL" init --state=S 2> /dev/null
	printf '{"url":"http://a.example/%s","time":"2026-01-01","body":"Boats to the islands leave the old pier at nine."}\n' 1 2 3 |
		"$PERENNIAL" observe --state=S --quiet 2> /dev/null
}
hint() { "$PERENNIAL" hint --state=S --now="${now:-2026-01-03T12:00Z}" "$@"; }

cat > sitemap.xml <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
 <url><loc>http://a.example/1</loc><lastmod>2026-01-02T10:00:00+00:00</lastmod></url>
 <url><loc>http://a.example/2</loc><lastmod>2025-12-01</lastmod></url>
 <url><loc>http://a.example/3</loc></url>
 <url><loc>http://a.example/new</loc></url>
</urlset>
END
store
code "a sitemap is taken in" 0 hint sitemap.xml
same "a change after the last visit counts, what is listed without one does not, and a new page is added" "$err" \
	"perennial hint: 1 hint taken, 1 page added, 2 without a change that was not fetched"
code "a sitemap is taken in again" 0 hint sitemap.xml
same "a sitemap that has not changed says nothing new" "$err" \
	"perennial hint: 2 without a change that was not fetched, 2 told before"
code "what is due is asked for" 0 "$PERENNIAL" due --state=S --now=2026-01-03T12:00Z --lease=0s
same "a new page is due at once, and no page by a hint alone" "$out" "http://a.example/new"

store
gzip -k sitemap.xml
code "a packed sitemap is read from standard input" 0 hint < sitemap.xml.gz
like "a packed sitemap says the same" "$err" "1 hint taken, 1 page added"
cat > feed.xml <<'END'
<rss version="2.0"><channel><title>a</title><link>http://a.example/</link>
 <item><link>http://a.example/1</link><pubDate>Fri, 02 Jan 2026 08:00:00 GMT</pubDate></item>
 <item><link>http://b.example/elsewhere</link><pubDate>Fri, 02 Jan 2026 08:00:00 GMT</pubDate></item>
</channel></rss>
END
store
code "a feed is taken in for its own host" 0 hint --base=http://a.example/feed.xml --same-host feed.xml
same "entries of a feed that name another host are counted" "$err" "perennial hint: 1 hint taken, 1 of another host"
code "JSON lines are taken in" 0 hint <<'END'
{"url":"http://a.example/2","time":"2026-01-02","source":"webhook"}
{"url":"http://a.example/2","time":"2026-01-02","source":"webhook"}
{"url":"http://a.example/3","lastmod":"2030-01-01","source":"webhook"}
END
same "a line that is sent twice counts once, and one of the future not at all" "$err" \
	"perennial hint: 1 hint taken, 1 told before, 1 of a change to come"
code "a list of URLs is taken in" 0 hint --source=editor <<< "http://a.example/3"
same "a URL of a list says that its page has changed now" "$err" "perennial hint: 1 hint taken"
printf '<urlset><url><loc>http://a.example/1</loc><lastmod>2026-01-03</lastmod></url><url><loc>http://a.exa' > cut.xml
code "a sitemap that is cut off is told" 1 hint cut.xml
like "what came before the cut counts" "$err" "1 hint taken, .*1 document that ends early"
code "what is no document of hints is told" 1 hint <<< "Boats at nine."
like "what is no document of hints is told line by line, with what is wrong" "$err" "line 1: this is not an http or https URL of at most 8192 bytes: Boats at nine\."
code "--same-host alone is a usage error" 2 hint --same-host sitemap.xml
code "only init or --create makes a store" 3 "$PERENNIAL" hint --state=none sitemap.xml
ok "hint, which found no store, has made none" test ! -e none
store
code "pages may be kept from being added" 0 hint --hinted-per-host=0 sitemap.xml
like "a page that was not added is told" "$err" "1 page not added \(--hinted-per-host\)"
echo 'known-only = yes' > known.conf
code "pages may be kept from being added by the rules of the store" 0 hint --config=known.conf sitemap.xml
like "a page that is not known is told" "$err" "1 of an unknown or retired page"

# The rules of who is to be believed are in tests/hinting.c; here it is seen from outside: a year with a site whose sitemap
# tells when one page has changed, and calls another new each day.
true_visits=0 false_visits=0
rm -rf S && "$PERENNIAL" init --state=S --threshold=0.03 2> /dev/null
for ((day = 0; day < 120; day++)); do
	now=$(date -ud "2026-01-01 $day days" +%Y-%m-%d)
	changed=$(date -ud "2026-01-01 $((day / 8 * 8)) days" +%Y-%m-%d)
	cat > map.xml <<-END
		<urlset><url><loc>http://true.example/</loc><lastmod>${changed}T01:00:00Z</lastmod></url>
		<url><loc>http://false.example/</loc><lastmod>${now}T01:00:00Z</lastmod></url><url><loc>http://silent.example/</loc></url></urlset>
	END
	hint --source=map map.xml 2> /dev/null
	"$PERENNIAL" due --state=S --now=${now}T02:00 --host-delay=0s 2> /dev/null > due
	while IFS= read -r url; do
		text=$(for ((i = 0; i < 60; i++)); do printf 'w%d ' $((i + day / 8 * 6)); done)
		printf '{"url":"%s","time":"%sT02:00:00Z","body":"%s"}\n' "$url" "$now" "$text"
	done < due > reports
	"$PERENNIAL" observe --state=S --now=${now}T02:00 --quiet reports 2> /dev/null
	[ $day -lt 60 ] || cat due >> late
done
count() { grep -c "$1" late; }
tap_note "visits in 60 days: $(count true) told truly, $(count false) told falsely, $(count silent) not told of"
ok "a page whose source tells its changes is visited less often than one that nobody tells of" test "$(count true)" -lt "$(count silent)"
ok "a page that is called new each day is not visited more often than one that nobody tells of" test "$(count false)" -le "$(($(count silent) + 1))"

# Sitemaps among what is observed.
store
report() { printf '{"url":"http://a.example/sitemap.xml","time":"%s","content_type":"application/xml","body_base64":"%s"}\n' "$1" "$(base64 -w 0 "$2")"; }
code "observe is not told to look for sitemaps" 0 "$PERENNIAL" observe --state=S --now=2026-01-04 --quiet <<< "$(report 2026-01-03 sitemap.xml)"
same "a sitemap that observe was not told to look for is a page as any other" "$err" "perennial observe: 1 observed"
store
code "observe looks for sitemaps" 0 "$PERENNIAL" observe --state=S --now=2026-01-04 --hints=sitemap --format=json <<< "$(report 2026-01-03 sitemap.xml)"
like "the entries of a sitemap that was observed are hints" "$err" "1 observed, 1 hint, 1 page that a hint added"
like "a decision tells what came of its entries" "$out" '"hints":1,"pages_hinted":1}'
code "observe takes the same sitemap again" 0 "$PERENNIAL" observe --state=S --now=2026-01-05 --hints=sitemap <<< "$(report 2026-01-04 sitemap.xml)"
same "a sitemap that observe has seen before adds no hints" "$err" "perennial observe: 1 same"
sed 's|http://a.example/new|http://b.example/new|' sitemap.xml > foreign.xml
code "a sitemap names a page of another host" 0 "$PERENNIAL" observe --state=S --now=2026-01-06 --hints=sitemap,feed <<< "$(report 2026-01-05 foreign.xml)"
code "a sitemap that was observed does not add pages of another host" 1 "$PERENNIAL" explain --state=S --now=2026-01-06 http://a.example/1 http://b.example/new
printf 'hints = feed\n' > feed.conf
store
code "a sitemap is no feed" 0 "$PERENNIAL" observe --state=S --now=2026-01-04 --config=feed.conf --quiet <<< "$(report 2026-01-03 sitemap.xml)"
same "a sitemap is not looked for where only feeds are" "$err" "perennial observe: 1 observed"
code "--hints takes the words that there are" 2 "$PERENNIAL" observe --state=S --hints=pings < /dev/null
like "a wrong word for --hints is told with those that there are" "$err" "--hints takes sitemap, feed or both, not 'pings'"

store
hint sitemap.xml 2> /dev/null
code "forgetting a host forgets who spoke of it" 0 "$PERENNIAL" forget --state=S --host=a.example --count=4
code "a store with hints is sound" 0 "$PERENNIAL" check --state=S

# Times without a zone are taken as UTC, which is said.
echo '{"url":"http://zone.example/","time":"2026-01-01T00:00:00Z","body":"one two three"}' | "$PERENNIAL" observe --create --state=Z --quiet 2>/dev/null
printf '{"url":"http://zone.example/","time":"2026-01-02T%s"}\n' 10:00:00 11:00:00Z 12:00:00+01:00 | "$PERENNIAL" hint --state=Z --now=2026-01-03 - > said 2>&1
like "hint says of times without a zone that it took them as UTC" "$(cat said)" "1 time without a zone|1 time of day without a zone|taken as UTC"
printf '{"url":"http://zone.example/","time":"2026-01-02T%s"}\n' 13:00:00Z | "$PERENNIAL" hint --state=Z --now=2026-01-03 - > said 2>&1
same "and nothing of times with one" "$(grep -c zone said)" 0
done_testing
