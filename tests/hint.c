/* Hints in every format, as their specifications and as sites write them; damage, limits, and what is told of both. */
#include "perennial/hint.h"
#include "archive/hint_time.h"
#include "fixture.h"

#include <sched.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>

#define NOW 1778414400 /* date -ud 2026-05-10T12:00:00Z +%s */
#define SITEMAPS " xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'"
#define ATOM " xmlns='http://www.w3.org/2005/Atom'"
#define RDF "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>"

/* What the last document said: its hints as a text, one after the other, its counts, and what was skipped. */
static struct prn_buffer said, skipped;
static struct prn_hint_counts counts;
static struct prn_error error;
static int code;
static size_t changed; /* hints that say so without a date */

static const char *text_of(struct prn_buffer *buffer)
{
	must(!prn_buffer_terminate(buffer), "allocate");
	return (const char *)buffer->data;
}

/* "http://a.example/x modified 2026-05-10T12:00:00Z every 3600; " */
static int take(void *context, const struct prn_hint *hint)
{
	char time[PRN_TIME_TEXT];

	(void)context;
	add_text(&said, "%s%s", said.length ? "; " : "", hint->normal_url);
	if (hint->modified != PRN_TIME_UNKNOWN)
		add_text(&said, " modified %s", prn_time_format(hint->modified, time));
	changed += hint->says_changed;
	if (hint->period_s > 0)
		add_text(&said, " every %g", hint->period_s);
	if (hint->time != NOW)
		add_text(&said, " said %s", prn_time_format(hint->time, time));
	if (hint->is_sitemap)
		add_text(&said, " (sitemap)");
	return 0;
}

static void hear(void *context, const struct prn_error *what)
{
	(void)context;
	add_text(&skipped, "%s%s", skipped.length ? "; " : "", what->text);
}

/* What the last document's entries came to: "3 entries, 2 hints, 1 damaged, cut". */
static const char *counted(void)
{
	const struct {
		uint64_t count;
		const char *what;
	} rest[] = { { counts.ignored, "ignored" }, { counts.foreign, "foreign" }, { counts.damaged, "damaged" } };
	static char text[160];
	size_t length = (size_t)snprintf(text, sizeof text, "%llu entries, %llu hints", (unsigned long long)counts.entries,
	                                 (unsigned long long)counts.hints);

	for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
		if (rest[i].count)
			length += (size_t)snprintf(text + length, sizeof text - length, ", %llu %s", (unsigned long long)rest[i].count,
			                           rest[i].what);
	snprintf(text + length, sizeof text - length, "%s", counts.cut ? ", cut" : "");
	return text;
}

static struct prn_hint_options usual(void)
{
	return (struct prn_hint_options){ .time = NOW, .base = "http://a.example/feeds/all.xml", .skipped = hear };
}

static const char *read_bytes(const void *bytes, size_t length, const struct prn_hint_options *options)
{
	prn_buffer_clear(&said);
	prn_buffer_clear(&skipped);
	changed = 0;
	error = (struct prn_error){ 0 };
	code = prn_hint_read(bytes, length, options, take, NULL, &counts, &error);
	return text_of(&said);
}

static const char *read_text(const char *text)
{
	const struct prn_hint_options options = usual();

	return read_bytes(text, strlen(text), &options);
}

static const char *read_file(const char *path, const struct prn_hint_options *options)
{
	prn_buffer_clear(&said);
	prn_buffer_clear(&skipped);
	changed = 0;
	error = (struct prn_error){ 0 };
	code = prn_hint_read_file(path, options, take, NULL, &counts, &error);
	return text_of(&said);
}

static void reads(const char *document, const char *expected, const char *claim)
{
	same(read_text(document), expected, "%s", claim);
}

/* One entry of a sitemap. */
static const char *read_url(const char *entry)
{
	char document[4096];

	snprintf(document, sizeof document, "<urlset" SITEMAPS "><url>%s</url></urlset>", entry);
	return read_text(document);
}

/* The example of sitemaps.org/protocol.html, with its comments and blanks. */
static void sitemaps(void)
{
	reads("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
	      "   <url>\n      <loc>http://www.example.com/</loc>\n      <lastmod>2005-01-01</lastmod>\n"
	      "      <changefreq>monthly</changefreq>\n      <priority>0.8</priority>\n   </url>\n"
	      "   <url>\n      <loc>http://www.example.com/catalog?item=12&amp;desc=vacation_hawaii</loc>\n"
	      "      <changefreq>weekly</changefreq>\n   </url>\n"
	      "   <url>\n      <loc>http://www.example.com/catalog?item=74&amp;desc=vacation_newfoundland</loc>\n"
	      "      <lastmod>2004-12-23T18:00:15+00:00</lastmod>\n      <priority>0.3</priority>\n   </url>\n</urlset>\n",
	      "http://www.example.com/ modified 2005-01-01T00:00:00Z every 2.592e+06; "
	      "http://www.example.com/catalog?item=12&desc=vacation_hawaii every 604800; "
	      "http://www.example.com/catalog?item=74&desc=vacation_newfoundland modified 2004-12-23T18:00:15Z",
	      "a sitemap's pages are hints with their <lastmod> and <changefreq>");
	same(counted(), "3 entries, 3 hints", "a sitemap's entries are counted");
	ok(!code && counts.format == PRN_HINT_SITEMAP, "a sitemap is known as one");
	ok(!changed, "a sitemap's entry without a date says only that its page is there");
	reads("<sitemapindex" SITEMAPS "><sitemap><loc>http://a.example/1.xml.gz</loc><lastmod>2026-05-01</lastmod></sitemap>"
	      "<sitemap><loc>http://a.example/2.xml</loc></sitemap></sitemapindex>",
	      "http://a.example/1.xml.gz modified 2026-05-01T00:00:00Z (sitemap); http://a.example/2.xml (sitemap)",
	      "the sitemaps of a sitemap index are told as sitemaps");
	ok(counts.format == PRN_HINT_SITEMAP_INDEX, "a sitemap index is known as one");
	reads("<s:urlset xmlns:s='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:i='http://www.google.com/schemas/sitemap-image/1.1'>"
	      "<s:url><i:image><i:loc>http://a.example/no.png</i:loc></i:image><s:loc>http://a.example/x</s:loc>"
	      "<i:loc>http://a.example/no</i:loc><video:content_loc>http://a.example/no</video:content_loc></s:url></s:urlset>",
	      "http://a.example/x", "the <loc> of images and videos in a sitemap name no page");
	reads("<urlset xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'><url><image:loc>http://a.example/no.png</image:loc>"
	      "<loc>http://a.example/x</loc></url></urlset>",
	      "http://a.example/x", "a sitemap without a namespace is read");
	reads("<urlset xmlns='http://www.google.com/schemas/sitemap/0.9'><url><loc>http://a.example/x</loc></url></urlset>", "http://a.example/x",
	      "a sitemap in a namespace of its own is read");
	same(read_url("<loc>\n\t http://a.example/x \n</loc><changefreq>\n hourly\n</changefreq>"), "http://a.example/x every 3600",
	     "white space around the values of a sitemap is no part of them");
	same(read_url("<loc><![CDATA[\xc2\xa0 http://a.example/?a=1&b=2 ]]>\xe2\x80\x80</loc>"), "http://a.example/?a=1&b=2",
	     "a URL in a section of characters is read, without what Unicode has for white space around it");
	same(read_url("<loc>http://a.example/?a=1&b=2&copy=3&amp;d=&lt;&#38;e&x;</loc>"),
	     "http://a.example/?a=1&b=2&copy=3&d=%3C&e&x;", "an \"&\" that nobody escaped stays in the URL, with what is behind it");
	same(read_url("<loc>http://a.example/1</loc><lastmod>2026-05-01</lastmod><loc>http://a.example/2</loc>"),
	     "http://a.example/1 modified 2026-05-01T00:00:00Z; http://a.example/2",
	     "a second <loc> in an entry is an entry of its own, and has not the date of the first");
	same(read_url("http://a.example/x"), "http://a.example/x", "a URL is read where the <loc> around it was forgotten");
	same(read_url("<image:image>\n<image:loc>http://a.example/no.png</image:loc>\n</image:image>"), "", "an image alone in an entry names no page");
	same(read_url("<loc foo<image>http://a.example/no</image>"), "", "an element that was broken off has no value");
	same(read_url("<loc><url>http://a.example/x</url></loc>"), "http://a.example/x", "a URL is read within an element in its <loc>");
	same(read_url("<loc>http://a.example/x</loc><changefreq>always</changefreq>"), "http://a.example/x every 1",
	     "a page that changes always does so each second");
	same(read_url("<loc>http://a.example/x</loc><changefreq>never</changefreq>"), "http://a.example/x every inf",
	     "a page that never changes has an infinite period");
	same(read_url("<loc>http://a.example/x</loc><changefreq>often</changefreq><lastmod>soon</lastmod>"), "http://a.example/x",
	     "values that make no sense say nothing, and the page is a hint all the same");
	reads("<!DOCTYPE urlset [<!ENTITY e SYSTEM 'file:///etc/passwd'><!ENTITY f 'x'>]><urlset><url><loc>&e;</loc></url>"
	      "<url><loc>http://a.example/&f;</loc></url></urlset>",
	      "http://a.example/&f;", "entities that a sitemap declares are not looked up");
}

static void feeds(void)
{
	reads("<?xml version=\"1.0\"?>\n<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel>"
	      "<title>News</title><link>http://a.example/</link><atom:link rel='self' href='http://a.example/feed'/><ttl>60</ttl>"
	      "<image><url>http://a.example/i.png</url><link>http://a.example/no</link></image>"
	      "<item><title>One</title><link>http://a.example/1</link><guid isPermaLink='false'>tag:1</guid>"
	      "<pubDate>Tue, 03 Jun 2003 09:39:21 GMT</pubDate><description>&lt;link&gt;http://a.example/no&lt;/link&gt;</description></item>"
	      "<item><guid>http://a.example/2</guid><enclosure url='http://a.example/2.mp3'/></item>"
	      "<item><guid isPermaLink='false'>http://a.example/no</guid></item><item><guid>4711</guid></item>"
	      "<item><comments>http://a.example/no</comments><atom:link href='http://a.example/5'/></item></channel></rss>",
	      "http://a.example/1 modified 2003-06-03T09:39:21Z; http://a.example/2; http://a.example/5",
	      "an RSS item names its page by <link>, or by a guid that is a link, or by an Atom link");
	same(counted(), "5 entries, 3 hints, 2 ignored", "RSS items without a link are ignored, and are no damage");
	ok(counts.format == PRN_HINT_RSS, "an RSS feed is known as one");
	near(counts.period_s, 3600, 0, "<ttl> says how often an RSS feed itself changes");
	reads(RDF "<channel rdf:about='http://a.example/rss' xmlns:sy='http://purl.org/rss/1.0/modules/syndication/'><link>http://a.example/</link>"
	      "<items><rdf:Seq><rdf:li resource='http://a.example/1'/></rdf:Seq></items><sy:updatePeriod>daily</sy:updatePeriod>"
	      "<sy:updateFrequency>4</sy:updateFrequency></channel><image><link>http://a.example/no</link></image>"
	      "<item rdf:about='http://a.example/no'><link>http://a.example/1</link>"
	      "<dc:date xmlns:dc='http://purl.org/dc/elements/1.1/'>2026-05-10T12:00:00+02:00</dc:date></item>"
	      "<item rdf:about='http://a.example/2'/></rdf:RDF>",
	      "http://a.example/1 modified 2026-05-10T10:00:00Z; http://a.example/2", "items of RSS 1.0 are read, with their dc:date");
	near(counts.period_s, 21600, 0, "sy:updatePeriod and sy:updateFrequency say how often a feed itself changes");
	reads("<rss><channel><ttl>60</ttl><sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency>"
	      "<item><dc:date>2026-05-01</dc:date><link>/x</link></item></channel></rss>",
	      "http://a.example/x modified 2026-05-01T00:00:00Z", "usual prefixes are known where a feed forgot to declare them");
	near(counts.period_s, 1800, 0, "of two statements how often a feed changes the shorter period counts");
	reads("<?xml version='1.0'?><!DOCTYPE rss PUBLIC '-//Netscape Communications//DTD RSS 0.91//EN' "
	      "'http://my.netscape.com/publish/formats/rss-0.91.dtd'><rss version='0.91'><channel><item><title>x</title>"
	      "<link>http://a.example/x</link></item></channel></rss>",
	      "http://a.example/x", "RSS 0.91 with its document type is read");
	reads("<rss><item><link>http://feeds.example/~r/x/1</link>"
	      "<feedburner:origLink xmlns:feedburner='http://rssnamespace.org/feedburner/ext/1.0'>http://a.example/x</feedburner:origLink></item></rss>",
	      "http://a.example/x", "the page of an item is its original link, not that of who counts clicks");
	reads("<rss><item><dcterms:modified>2026-05-02</dcterms:modified><pubDate>Fri, 01 May 2026 00:00:00 +0000</pubDate><link>/x</link></item></rss>",
	      "http://a.example/x modified 2026-05-02T00:00:00Z", "when an item was modified goes before when it was published");
}

/* The second example of RFC 4287, 1.1, shortened. */
static void atom(void)
{
	reads("<?xml version=\"1.0\" encoding=\"utf-8\"?><feed xmlns=\"http://www.w3.org/2005/Atom\"><updated>2005-07-31T12:29:29Z</updated>"
	      "<link rel=\"alternate\" type=\"text/html\" hreflang=\"en\" href=\"http://example.org/\"/>"
	      "<link rel=\"self\" type=\"application/atom+xml\" href=\"http://example.org/feed.atom\"/>"
	      "<entry><title>Atom draft-07 snapshot</title>"
	      "<link rel=\"enclosure\" type=\"audio/mpeg\" length=\"1337\" href=\"http://example.org/audio/ph34r_my_podcast.mp3\"/>"
	      "<link rel=\"alternate\" type=\"text/html\" href=\"http://example.org/2005/04/02/atom\"/>"
	      "<id>tag:example.org,2003:3.2397</id><updated>2005-07-31T12:29:29Z</updated><published>2003-12-13T08:29:29-04:00</published>"
	      "<source><link href='http://b.example/no'/><updated>2020-01-01T00:00:00Z</updated></source>"
	      "<content type=\"xhtml\" xml:base=\"http://diveintomark.org/\"><div xmlns=\"http://www.w3.org/1999/xhtml\"><link href='no'/></div></content>"
	      "</entry></feed>",
	      "http://example.org/2005/04/02/atom modified 2005-07-31T12:29:29Z", "an Atom entry names its page by its alternate link");
	ok(counts.format == PRN_HINT_ATOM && counts.entries == 1, "an Atom feed is known as one");
	reads("<feed" ATOM "><entry><link href='http://a.example/?a=1&amp;b=2'/><published>2003-12-13T08:29:29-04:00</published></entry></feed>",
	      "http://a.example/?a=1&b=2 modified 2003-12-13T12:29:29Z", "an Atom link without rel is the page's, and published is its date without updated");
	reads("<feed" ATOM "><entry><link rel='alternate' type='application/json' href='/x.json'/><link rel='alternate' href='/x'/></entry></feed>",
	      "http://a.example/x", "of two alternate links that to HTML counts");
	reads("<feed" ATOM " xml:base='http://b.example/blog/'><entry xml:base='2026/'><link href='x'/></entry>"
	      "<entry><link xml:base='/y/' href='z'/><updated/></entry><entry><link href='?q'/></entry></feed>",
	      "http://b.example/blog/2026/x; http://b.example/y/z; http://b.example/blog/?q", "xml:base counts for what is within its element");
	reads("<feed" ATOM " xml:base='http://b.example/'><entry><link xml:base='/y/' href='z'/><link xml:base='/no/' href='no'/></entry>"
	      "<entry><link rel='http://www.iana.org/assignments/relation/alternate' href='w'/><link rel='no/related' href='no'/></entry></feed>",
	      "http://b.example/y/z; http://b.example/w", "a link is relative to the xml:base of its own element");
	reads("<feed xmlns='http://purl.org/atom/ns#'><entry><link rel='alternate' href='x'/><modified>2004-01-01</modified></entry></feed>",
	      "http://a.example/feeds/x modified 2004-01-01T00:00:00Z", "Atom 0.3 is read");
	reads("<feed xmlns='http://example.com/other'/>", "", "other feeds have no hints");
	ok(code == PRN_E_INPUT && strstr(error.text, "root element"), "XML that is neither a sitemap nor a feed is refused");
	read_text("<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:foaf='http://xmlns.com/foaf/0.1/'/>");
	ok(code == PRN_E_INPUT, "RDF that is no RSS is refused");
	read_text("<!DOCTYPE html><html><body>Not found</body></html>");
	ok(code == PRN_E_INPUT, "a page of HTML is refused");
}

static void lines(void)
{
	reads("\xef\xbb\xbf{\"url\":\"http://A.example/x#top\",\"time\":\"2026-05-10T14:00:00+02:00\",\"lastmod\":\"2026-05-09\",\"changefreq\":\"Daily\",\"x\":[]}\r\n"
	      "\n{\"url\":\"/y\",\"time\":1778414401.7,\"lastmod\":1778414400,\"source\":null}",
	      "http://a.example/x modified 2026-05-09T00:00:00Z every 86400; http://a.example/y modified 2026-05-10T12:00:00Z said 2026-05-10T12:00:01Z",
	      "JSON lines are hints, with their times as texts or as seconds");
	ok(changed == 2, "a JSON line says that its page has changed");
	ok(counts.format == PRN_HINT_LINES && counts.entries == 2, "JSON lines are counted, empty ones are not");
	reads("{\"url\":\"http://a.example/x\",\"lastmod\":\"yesterday\",\"changefreq\":7}", "http://a.example/x",
	      "what a site says of its page in a JSON line says nothing where it makes no sense");
	ok(changed == 0, "a date that is none does not say that the page has changed now");
	reads("{\"url\":\"http://a.example/x\",\"changefreq\":\"daily\",\"period\":\"12h\"}\n{\"url\":\"http://a.example/y\",\"period\":90}\n"
	      "{\"url\":\"http://a.example/z\",\"period\":\"soon\"}\n{\"url\":\"http://a.example/w\",\"period\":-1}",
	      "http://a.example/x every 43200; http://a.example/y every 90; http://a.example/z; http://a.example/w",
	      "a JSON line tells how long a version lasts as seconds or as a duration, and that goes before a word");
	reads("{\"url\":\"http://a.example/x\",\"time\":\"yesterday\"}\n{\"url\":5}\n{}\n[\"http://a.example/\"]\n{\"url\"\n{\"url\":\"http://a.example/\",\"source\":\"\"}\n"
	      "{\"url\":\"http://a.example/\\u0000y\"}\n{\"url\":\"y\"}\n{\"url\":\"http://a.example/\",\"time\":1e300}\n{\"url\":\"http://a.example/z\"}\n",
	      "http://a.example/z", "JSON lines that are no hints are skipped, and the rest is read");
	same(counted(), "10 entries, 1 hints, 9 damaged", "JSON lines that are no hints are counted as damaged");
	ok(strstr(text_of(&skipped), "line 1: \"time\" takes a date") && strstr(text_of(&skipped), "line 5: not JSON"),
	   "a JSON line that is no hint is reported with its number");
	reads("# from the log\n\nhttp://a.example/x\t\r\n  http://a.example/y \n/z\nwww.a.example/w\n", "http://a.example/x; http://a.example/y; http://a.example/z",
	      "a list of URLs is read, without its comments; what is no URL is no page");
	ok(changed == 3, "a list of URLs says that they have changed");
	same(counted(), "4 entries, 3 hints, 1 damaged", "lines of a list that are no URLs are counted as damaged");
	ok(counts.format == PRN_HINT_TEXT, "a list of URLs is known as one");
	reads("javascript:alert(1)\nmailto:a@a.example\nhttp://a.example/x\nftp://a.example/\ndata:text/html,x\n", "http://a.example/x", "URLs of other schemes name no page");
	ok(counts.ignored == 4 && !counts.damaged, "URLs of other schemes are ignored, and are no damage");
	reads(" \n\t\r\n", "", "white space has no hints");
	ok(!code && counts.format == PRN_HINT_NONE, "a document of white space is nothing, and no fault");
	same(read_bytes(NULL, 0, &(struct prn_hint_options){ .time = NOW }), "", "an empty document has no hints");
	same(counted(), "0 entries, 0 hints", "an empty document is nothing, and is not cut");
	ok(!code && counts.format == PRN_HINT_NONE, "an empty document is of no format, and no fault");
	read_bytes("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16, &(struct prn_hint_options){ .time = NOW });
	ok(code == PRN_E_INPUT && strstr(error.text, "a URL a line"), "bytes that are no text are refused, and what is read is named");
}

static int take_source(void *context, const struct prn_hint *hint)
{
	snprintf(context, 32, "%s", hint->source);
	return 0;
}

static int refuse(void *context, const struct prn_hint *hint)
{
	(void)hint;
	++*(int *)context;
	return 7;
}

static const char *source_of(const char *text, const char *given)
{
	const struct prn_hint_options options = { .source = given };
	static char source[32];

	must(!prn_hint_read(text, strlen(text), &options, take_source, source, &counts, &error) && counts.hints == 1, "read a hint");
	return source;
}

static void options(void)
{
	static const char urls[] = "http://a.example/1\nhttp://a.example/2\nhttp://b.example/3\nhttps://A.example:8080/4\nhttp://www.a.example/5\n";
	static const char sitemap[] = "<urlset><url><loc>http://a/</loc></url><url><loc>http://b/</loc></url>";
	static const char rss[] = "<rss><item><link>x</link></item></rss>";
	struct prn_hint_options own = usual();
	int calls = 0;

	same(source_of("<urlset><url><loc>http://a.example/</loc></url></urlset>", NULL), "sitemap", "hints of a sitemap are from \"sitemap\"");
	same(source_of("<rss><item><link>http://a.example/</link></item></rss>", ""), "feed", "hints of a feed are from \"feed\"");
	same(source_of("http://a.example/", NULL), "hint", "hints of a list are from \"hint\"");
	same(source_of("{\"url\":\"http://a.example/\"}", "ping"), "ping", "a source that is given is that of hints that tell none");
	same(source_of("{\"url\":\"http://a.example/\",\"source\":\"us\"}", "ping"), "us", "the source of a JSON line is its own");
	own.same_host = true;
	same(read_bytes(urls, strlen(urls), &own), "http://a.example/1; http://a.example/2; https://a.example:8080/4",
	     "pages of other hosts can be left out, whatever the scheme and port");
	ok(counts.foreign == 2 && counts.hints == 3, "pages of other hosts are counted as foreign");
	own.base = NULL;
	read_bytes(urls, strlen(urls), &own);
	ok(code == PRN_E_ARGUMENT && !counts.hints, "a host of its own needs the document's URL");
	own = usual();
	own.base = "a.example";
	read_bytes(urls, strlen(urls), &own);
	ok(code == PRN_E_ARGUMENT && strstr(error.text, "a.example"), "a document's URL that is none is refused, and named");
	own = usual();
	own.base = NULL;
	same(read_bytes(rss, strlen(rss), &own), "", "a relative link without the document's URL names no page");
	ok(counts.damaged == 1, "a relative link without the document's URL is damage");
	code = prn_hint_read(urls, strlen(urls), &own, refuse, &calls, &counts, &error);
	ok(code == 7, "what the callback answers to a hint of a list is returned");
	ok(calls == 1 && counts.hints == 1, "what the callback answers to a hint of a list ends its reading");
	calls = 0;
	code = prn_hint_read(sitemap, strlen(sitemap), &own, refuse, &calls, &counts, &error);
	ok(code == 7, "what the callback answers to a hint of XML is returned");
	ok(calls == 1 && counts.hints == 1, "what the callback answers to a hint of XML ends its reading");
	ok(!counts.cut, "XML whose reading the callback ends is not told as cut");
}

static void limits(void)
{
	struct prn_hint_options own = usual();
	static const char sitemap[] = "<urlset>\n<url><loc>http://a.example/1</loc></url>\n<url><loc>http://a.example/2</loc></url>\n"
	                              "<url><loc>http://a.example/3</loc></url>\n</urlset>";
	static const char list[] = "http://a.example/1\nhttp://a.example/2\nhttp://a.example/3\n";

	own.entries_max = 2;
	same(read_bytes(sitemap, strlen(sitemap), &own), "http://a.example/1; http://a.example/2", "a sitemap is read up to a number of entries");
	same(counted(), "2 entries, 2 hints, cut", "a sitemap of more entries than are read is cut");
	ok(!code, "a sitemap of more entries than are read is no fault");
	same(text_of(&skipped), "line 4: more than 2 entries: those from here on are left out", "the limit of entries is reported once");
	same(read_bytes(list, strlen(list), &own), "http://a.example/1; http://a.example/2", "a list is read up to a number of entries");
	ok(counts.cut && strstr(text_of(&skipped), "line 3: more than 2"), "a list of more entries is cut, and it is reported");
	own.entries_max = 3;
	read_bytes(sitemap, strlen(sitemap), &own);
	ok(!counts.cut && counts.hints == 3, "a sitemap of just as many entries is whole");
	own.bytes_max = 60;
	same(read_bytes(sitemap, strlen(sitemap), &own), "http://a.example/1", "a sitemap is read up to a number of bytes");
	ok(counts.cut && !strchr(text_of(&skipped), ';'), "a sitemap of more bytes is cut, and it is reported once");
	own.bytes_max = 37;
	same(read_bytes(list, strlen(list), &own), "http://a.example/1", "a URL that a limit cuts short is left out");
	ok(counts.cut, "a list of more bytes is cut");
	own.bytes_max = strlen(list);
	read_bytes(list, strlen(list), &own);
	ok(!counts.cut && counts.hints == 3, "a list of just as many bytes is whole");
}

static void damage(void)
{
	struct prn_buffer text = { 0 };

	reads("<urlset><url><loc>http://a.example/1</loc></url><url><loc>http://a.example/2</loc><lastmod>2026", "http://a.example/1",
	      "of a sitemap that is cut off the entries before the cut count");
	same(counted(), "1 entries, 1 hints, cut", "a sitemap that is cut off is told as cut, and not as damaged");
	ok(!code, "a sitemap that is cut off is no fault");
	reads("<urlset><url><loc>http://a.example/1</loc></url>\n<url><loc>http://a.example/2</loc></url></url>\n<url><loc>http://a.example/3</loc></url></urlset>",
	      "http://a.example/1; http://a.example/2; http://a.example/3", "what follows a stray end tag is read");
	same(counted(), "3 entries, 3 hints, 1 damaged", "a stray end tag is damage, and cuts nothing off");
	ok(HOLDS(text_of(&skipped), "line 2: the XML is broken"), "a stray end tag is reported with its line");
	reads("<urlset><url><loc x<>http://a.example/1</loc></url><url><loc>http://a.example/2</loc></url></urlset>", "http://a.example/2",
	      "an element that is broken does not take the next entry with it");
	reads("<urlset><url><loc>http://a.example/1</url><url><loc>http://a.example/2</loc></url></urlset>", "http://a.example/1; http://a.example/2",
	      "an element that does not end, ends with the one around it");
	reads("<urlset><url><loc>http://a.example/1</loc><url><loc>http://a.example/2</loc></url><url><loc>http://a.example/3</loc></url></urlset>",
	      "http://a.example/1; http://a.example/2; http://a.example/3", "an entry that does not end, ends with the next one");
	same(counted(), "3 entries, 3 hints, 1 damaged", "an entry that does not end is counted once, and cuts nothing off");
	reads("<urlset><url><loc/></url><url/><url><loc>http://a.example/</loc></url></urlset>\n<b>Warning</b>: x in y on line 3", "http://a.example/",
	      "an entry without a URL is skipped, and what follows the root is passed over");
	ok(counts.damaged == 2 && counts.entries == 3, "an entry without a URL is damage in a sitemap");
	add_text(&text, "<urlset><url><loc>http://a.example/");
	for (int i = 0; i < 40000; i++)
		add(&text, "x", 1);
	add_text(&text, "</loc></url><url><loc>http://a.example/2</loc></url></urlset>");
	same(read_bytes(text.data, text.length, &(struct prn_hint_options){ .time = NOW, .skipped = hear }), "http://a.example/2", "a URL without end is no page");
	ok(counts.damaged == 1 && strstr(text_of(&skipped), "more than 8192"), "a URL without end is reported");
	text.length -= strlen("<url><loc>http://a.example/2</loc></url></urlset>");
	add_text(&text, "<url/></urlset>");
	read_bytes(text.data, text.length, &(struct prn_hint_options){ .time = NOW, .skipped = hear });
	ok(strstr(text_of(&skipped), "an entry without a URL") && counts.damaged == 2, "a URL that is too long is reported of its own entry only");
	prn_buffer_clear(&text);
	add_text(&text, "<urlset>");
	while (text.length < PRN_HINT_BYTES)
		add_text(&text, "<!-- %999d -->\n", 0);
	add_text(&text, "<url><loc>http://a.example/</loc></url></urlset>");
	same(read_bytes(text.data, text.length, &(struct prn_hint_options){ .time = NOW, .skipped = hear }), "", "a sitemap is read up to 50 MiB unless told otherwise");
	ok(counts.cut && strstr(text_of(&skipped), "longer than 52428800 bytes"), "a sitemap of more than 50 MiB is told as cut");
	prn_buffer_release(&text);
}

static void charsets(void)
{
	static const char utf16[] = "\xff\xfe<\0u\0r\0l\0s\0e\0t\0>\0<\0u\0r\0l\0>\0<\0l\0o\0c\0>\0h\0t\0t\0p\0:\0/\0/\0a\0/\0\xe4\0<\0/\0l\0o\0c\0>\0<\0/\0u\0r\0l\0>\0<\0/\0u\0r\0l\0s\0e\0t\0>";
	static const char latin[] = "<urlset><url><loc>http://a.example/\xe4</loc></url></urlset>";
	struct prn_hint_options own = usual();

	reads("<?xml version='1.0' encoding='ISO-8859-1'?><urlset><url><loc>http://a.example/\xe4</loc></url></urlset>", "http://a.example/%C3%A4", "a sitemap in Latin-1 is read");
	reads("\xef\xbb\xbf \n<?xml version='1.0'?><urlset><url><loc>http://a.example/\xc3\xa4</loc></url></urlset>", "http://a.example/%C3%A4",
	      "a sitemap behind a byte order mark and white space is read");
	read_text("\xff\xfe");
	ok(code == PRN_E_INPUT, "a byte order mark alone is refused");
	reads(" \x01<urlset><url><loc>http://a.example/x</loc></url></urlset>", "http://a.example/x", "a sitemap behind control characters is read");
	same(read_bytes(utf16, sizeof utf16, &own), "http://a/%C3%A4", "a sitemap in UTF-16 is read");
	own.content_type = "text/xml; charset=windows-1251";
	same(read_bytes(latin, strlen(latin), &own), "http://a.example/%D0%B4", "the charset of the header counts");
}

static void is_date(const char *text, const char *expected)
{
	char got[PRN_TIME_TEXT] = "none";
	int64_t time;

	if (!prn_hint_time(text, &time))
		prn_time_format(time, got);
	if (!ok(!strcmp(got, expected), "the date \"%s\" is %s", text, expected))
		printf("# got %s\n", got);
}

/* From the note on W3C dates, RFC 822, RFC 5322 A.5, and what sites write. */
static void dates(void)
{
	static const char *const none[] = { "", " ", "yesterday", "2026-13-01", "2026-05-10T25:00:00Z", "2026-05-10T12:00:00+2", "2026-05-10T12:00:00+24:00",
		                            "2026-05-10T12:00:00+02:0", "2026-05-10T12:00:00+02:", "2026-05-10T12:00:00Zx", "2026-05-10T12", "22026", "Sun, 32 May 2026 12:00:00 GMT", "Sun, 10 Mai 2026 12:00:00 GMT",
		                            "10 May", "10 May 2026 12:00:00 PM", "10 May 2026 10 12:00:00", "10 May 226 12:00:00", "10 May 20263333333333333333 12:00:00", "10 May 2026 12:00:00 GMT 5",
		                            "10 May 2026 12:00:00 +25:00", "10 May June 2026", "0000-00-00 00:00:00", "9999-12-31T23:00:00-02:00", "0001-01-01T00:00:00+01:00", "Fri, 31 Dec 9999 23:59:59 EST",
		                            "Mon, 01 Jan 0001 00:00:00 +0001",
		                            "2026-05-10T12:00:00Z                                                                                             x" };
	static const char *const early[] = { "0001-01-01T00:00:00Z", "1970-01-01", "1989-12-31T23:59:59Z" };

	is_date("1997", "1997-01-01T00:00:00Z");
	is_date("1997-07", "1997-07-01T00:00:00Z");
	is_date(" 1997-07-16\t", "1997-07-16T00:00:00Z");
	is_date("1997-07-16T19:20+01:00", "1997-07-16T18:20:00Z");
	is_date("1997-07-16T19:20:30.45+01:00", "1997-07-16T18:20:30Z");
	is_date("1994-11-05T08:15:30-05:00", "1994-11-05T13:15:30Z");
	is_date("1994-11-05T08:15:30-0530", "1994-11-05T13:45:30Z");
	is_date("2026-05-10t12:00:00z", "2026-05-10T12:00:00Z");
	is_date("2026-05-10 12:00:00 +0200", "2026-05-10T10:00:00Z");
	is_date("2026-05-10 12:00:00 UTC", "2026-05-10T12:00:00Z");
	is_date("2026-05-10+02:00", "2026-05-09T22:00:00Z");
	is_date("2026-05-10Z", "2026-05-10T00:00:00Z");
	is_date("20260510T120000Z", "2026-05-10T12:00:00Z");
	is_date("Sun, 10 May 2026 12:00:00 GMT", "2026-05-10T12:00:00Z");
	is_date("Fri, 21 Nov 1997 09:55:06 -0600", "1997-11-21T15:55:06Z");
	is_date("Thu, 13 Feb 1969 23:32:54 -0330", "1969-02-14T03:02:54Z");
	is_date("21 Nov 97 09:55:06 EST", "1997-11-21T14:55:06Z");
	is_date("1 Jul 26 9:05 pdt", "2026-07-01T16:05:00Z");
	is_date("Sun,10 September, 2026", "2026-09-10T00:00:00Z");
	is_date("Sun, 10 May 2026 12:00:00 CEST", "2026-05-10T12:00:00Z");
	is_date("Sun May 10 2026 12:00:00 GMT+0200 (CEST)", "2026-05-10T10:00:00Z");
	is_date("Sun May  3 12:00:00 2026", "2026-05-03T12:00:00Z");
	is_date("Sun May 03 12:00:00 +0200 2026", "2026-05-03T10:00:00Z");
	is_date("9999-12-31T23:59:59+00:00", "9999-12-31T23:59:59Z");
	is_date("0001-01-01T01:00:00+01:00", "0001-01-01T00:00:00Z");
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		is_date(none[i], "none");
	for (size_t i = 0; i < sizeof early / sizeof *early; i++)
		ok(prn_hint_modified(early[i]) == PRN_TIME_UNKNOWN,
		   "a page that was modified in %s, before there was a web, says nothing of when", early[i]);
	ok(prn_hint_modified("1990-01-01") == 631152000, "a page that was modified in 1990 says when");
	ok(prn_hint_modified("2099-01-01") == 4070908800, "a date of modification in the future is read as it is");
}

static bool sniffs(const void *bytes, size_t length, enum prn_hint_format expected)
{
	enum prn_hint_format format = PRN_HINT_NONE;

	return prn_hint_sniff(bytes, length, NULL, &format) == (expected != PRN_HINT_NONE) && format == expected;
}

static bool sniffs_text(const char *text, enum prn_hint_format expected)
{
	return sniffs(text, strlen(text), expected);
}

static void sniffing(void)
{
	static const char utf16[] = "\0<\0?\0x\0?\0>\0<\0r\0s\0s\0>";
	static const char *const other_xml[] = { "<html><urlset>", "<feed xmlns='urn:x'>", "<urlsets>",
		                                 "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>" };
	static const char *const no_xml[] = { "", "<", "{\"urlset\":1}", "http://a.example/", "<!-- <urlset>", "<!DOCTYPE [<urlset>", "</urlset>" };
	struct prn_buffer packed = { 0 }, text = { 0 };

	ok(sniffs_text("<?xml version='1.0'?>\n<!-- <urlset> -->\n<?xml-stylesheet href='x'?><urlset>", PRN_HINT_SITEMAP), "a sitemap is known by its root element");
	ok(sniffs_text("<s:sitemapindex xmlns:s='x'/>", PRN_HINT_SITEMAP_INDEX), "a sitemap index is known by its root element, under any prefix");
	ok(sniffs_text("<!DOCTYPE rss [<!ENTITY x '<urlset>]>'>]> <rss version='2.0'>", PRN_HINT_RSS), "RSS is known behind its document type");
	ok(sniffs_text(RDF, PRN_HINT_RSS), "RSS 1.0 is known among RDF");
	ok(sniffs_text("<feed" ATOM ">", PRN_HINT_ATOM), "Atom is known by its root element");
	ok(sniffs(utf16, sizeof utf16 - 1, PRN_HINT_RSS), "RSS is known in 16 bits without a byte order mark");
	for (size_t i = 0; i < sizeof other_xml / sizeof *other_xml; i++)
		ok(sniffs_text(other_xml[i], PRN_HINT_NONE), "XML like \"%s\" is neither a sitemap nor a feed", other_xml[i]);
	for (size_t i = 0; i < sizeof no_xml / sizeof *no_xml; i++)
		ok(sniffs_text(no_xml[i], PRN_HINT_NONE), "\"%s\", which is no XML, is neither a sitemap nor a feed", no_xml[i]);
	add_gzip(&packed, "<urlset><url>", 13);
	ok(sniffs(packed.data, packed.length, PRN_HINT_SITEMAP), "a sitemap is known through gzip");
	ok(sniffs(packed.data, packed.length - 9, PRN_HINT_SITEMAP), "a sitemap is known through gzip that ends early");
	ok(sniffs("\x1f\x8b\x08 damaged", 11, PRN_HINT_NONE), "damaged gzip is neither a sitemap nor a feed");
	add_text(&text, "<?xml version='1.0'?><!--");
	for (int i = 0; i < 8192; i++)
		add(&text, "x", 1);
	add_text(&text, "--><urlset>");
	ok(sniffs(text.data, text.length, PRN_HINT_NONE), "a root element that comes late is not looked for");
	prn_buffer_release(&packed);
	prn_buffer_release(&text);
}

static void files(void)
{
	struct prn_hint_options own = usual();
	struct prn_buffer packed = { 0 }, list = { 0 };
	static const char sitemap[] = "\n<urlset><url><loc>http://a.example/1</loc></url></urlset>", urls[] = "http://a.example/1\nhttp://a.example/2";

	same(read_file(put_file("s.xml", sitemap, strlen(sitemap)), &own), "http://a.example/1", "a file that is a sitemap is read");
	add_gzip(&packed, sitemap, strlen(sitemap));
	same(read_file(put_buffer("s.xml.gz", &packed), &own), "http://a.example/1", "a sitemap packed with gzip is read from a file");
	same(read_bytes(packed.data, packed.length, &own), "http://a.example/1", "a sitemap packed with gzip is read from memory");
	same(read_bytes(packed.data, packed.length - 9, &own), "http://a.example/1", "a sitemap whose gzip ends early has the entries before the cut");
	ok(counts.cut && !code, "a sitemap whose gzip ends early is told as cut");
	own.bytes_max = 30;
	read_bytes(packed.data, packed.length, &own);
	ok(counts.cut && strstr(text_of(&skipped), "longer than 30 bytes"), "what gzip holds is unpacked up to the limit");
	own.bytes_max = 0;
	prn_buffer_clear(&packed);
	add_gzip(&packed, urls, strlen(urls));
	add_gzip(&packed, "3\n\nhttp://a.example/4\n", 22);
	same(read_file(put_buffer("u.txt.gz", &packed), &own), "http://a.example/1; http://a.example/23; http://a.example/4", "the members of a gzip file are read as one list");
	same(read_bytes(packed.data, packed.length, &own), "http://a.example/1; http://a.example/23; http://a.example/4", "the members of gzip in memory are read as one list");
	packed.length -= 10;
	same(read_file(put_buffer("cut.txt.gz", &packed), &own), "http://a.example/1; http://a.example/23", "of a packed file that ends early the lines before the cut count");
	ok(!code && counts.cut, "a packed file that ends early is told as cut");
	ok(HOLDS(text_of(&skipped), "cut.txt.gz"), "a packed file that ends early is told by its name");
	same(read_bytes(packed.data, packed.length, &own), "http://a.example/1; http://a.example/23", "of packed bytes that end early the lines before the cut count");
	prn_buffer_clear(&packed);
	add_pieces(&packed, "http://a.example/1\nhttp://a.exa||mple/2\nhttp://a.example/3\n");
	same(read_file(put_buffer("lost.txt.gz", &packed), &own), "http://a.example/1; http://a.example/3",
	     "of a list in which zeros stand in place of gzip members the lines are read that are whole");
	ok(counts.damaged == 1 && HOLDS(text_of(&skipped), "lost.txt.gz: line 2: 1024 bytes of zeros at offset"), "zeros in a list are told");
	prn_buffer_clear(&packed);
	add_pieces(&packed, "http://a.example/1\n||http://a.example/2\nhttp://a.example/3\n");
	same(read_file(put_buffer("torn.txt.gz", &packed), &own), "http://a.example/1; http://a.example/3",
	     "the first line behind zeros is none of a list, for it may be the end of another");
	prn_buffer_clear(&packed);
	add_pieces(&packed, "<urlset><url><loc>http://a.example/1</loc></url><url><loc>http://a.exa||mple/2</loc></url></urlset>");
	same(read_file(put_buffer("lost.xml.gz", &packed), &own), "http://a.example/1", "a sitemap in which zeros stand in place of gzip members has the entries before them");
	ok(counts.cut && HOLDS(text_of(&skipped), "lost.xml.gz: 1024 bytes of zeros at offset"), "zeros in a sitemap are told, as its end");
	prn_buffer_clear(&packed);
	add_zstd(&packed, urls, strlen(urls), NULL);
	same(read_file(put_buffer("u.txt.zst", &packed), &own), "http://a.example/1; http://a.example/2", "a list packed with zstd is read");
	read_file(put_file("none", "", 0), &own);
	ok(!code && counts.format == PRN_HINT_NONE, "an empty file is nothing, and no fault");
	read_file("/nonexistent/hints", &own);
	ok(code == PRN_E_IO && strstr(error.text, "/nonexistent/hints"), "a file that is not there is named");
	read_file(put_file("x.html", "<html/>", 7), &own);
	ok(code == PRN_E_INPUT && strstr(error.text, "x.html: "), "a file of another format is refused, and named");
	read_file(put_file("x.bin", "a\0b", 3), &own);
	ok(code == PRN_E_INPUT && strstr(error.text, "x.bin: "), "a file that is no text is refused, and named");
	add_text(&list, "{\"url\":\"");
	for (size_t i = 0; i < PRN_HINT_LINE_BYTES; i++)
		add(&list, "x", 1);
	add_text(&list, "\"}\n{\"url\":\"http://a.example/x\"}\n");
	same(read_file(put_buffer("long", &list), &own), "http://a.example/x", "a line that is too long is skipped, and the next one is read");
	ok(counts.damaged == 1 && strstr(text_of(&skipped), "long: line 1: it is longer than"), "a line that is too long is reported");
	same(read_bytes(list.data, list.length, &own), "http://a.example/x", "a line in memory that is too long is skipped, too");
	prn_buffer_release(&packed);
	prn_buffer_release(&list);
}

/* Ends the writer's side when the second hint has come: the first must have come before that. */
static int take_and_write(void *context, const struct prn_hint *hint)
{
	const int *pipe_end = context;

	take(NULL, hint);
	if (strstr(hint->normal_url, "/1"))
		must(write(*pipe_end, "\nhttp://a.example/2\n", 20) == 20, "write to a pipe");
	else
		close(*pipe_end);
	return 0;
}

static void pipes(void)
{
	struct prn_hint_options own = usual();
	int ends[2];

	must(!pipe(ends) && dup2(ends[0], 0) == 0 && write(ends[1], "# a\n\nhttp://a.example/1\n", 24) == 24, "make a pipe");
	prn_buffer_clear(&said);
	code = prn_hint_read_file("-", &own, take_and_write, &ends[1], &counts, &error);
	same(text_of(&said), "http://a.example/1; http://a.example/2", "lines of a pipe are handed out as they come, before it ends");
	close(ends[0]);
}

/* Writes the rest of a document when its first bytes have been read. */
static void slowly(const char *first, const char *rest, const char *claim)
{
	struct prn_hint_options own = usual();
	int ends[2], left = 0;
	pid_t writer;

	must(!pipe(ends) && dup2(ends[0], 0) == 0 && write(ends[1], first, strlen(first)) > 0, "make a pipe");
	writer = fork();
	must(writer >= 0, "fork");
	if (!writer) {
		do
			sched_yield();
		while (!ioctl(ends[0], FIONREAD, &left) && left);
		_exit(write(ends[1], rest, strlen(rest)) < 0);
	}
	close(ends[0]);
	close(ends[1]);
	same(read_file("-", &own), "http://a.example/1", "%s", claim);
	must(waitpid(writer, NULL, 0) == writer, "wait");
}

static void pieces(void)
{
	slowly("\xef", "\xbb\xbf<urlset><url><loc>http://a.example/1</loc></url></urlset>", "a sitemap that comes in pieces is read, a byte order mark in two, too");
	slowly(" ", "\n<urlset><url><loc>http://a.example/1</loc></url></urlset>", "a sitemap behind white space that comes in pieces is read");
	slowly("{", "\"url\":\"http://a.example/1\"}", "a JSON line that comes in pieces is read");
}

/* As in tests/xml.c. */
static void hostile(void)
{
	struct prn_hint_options own = { .time = NOW };
	struct prn_buffer text = { 0 };
	clock_t start;

	add_text(&text, "<urlset>");
	for (int i = 0; i < 300000; i++)
		add_text(&text, "<url>");
	start = clock();
	read_bytes(text.data, text.length, &own);
	ok(!code && counts.cut, "elements within each other without end are cut");
	ok((double)(clock() - start) / CLOCKS_PER_SEC < 3, "elements within each other without end take linear time");
	prn_buffer_clear(&text);
	add_text(&text, "<rss>");
	for (int i = 0; i < 1000000; i++)
		add_text(&text, "&</a>");
	start = clock();
	read_bytes(text.data, text.length, &own);
	ok(!code && counts.cut, "stray end tags without end are cut");
	ok((double)(clock() - start) / CLOCKS_PER_SEC < 3, "stray end tags without end take linear time");
	prn_buffer_clear(&text);
	add_text(&text, "<feed><entry ");
	for (int i = 0; i < 100000; i++)
		add_text(&text, "a%d='' ", i);
	start = clock();
	read_bytes(text.data, text.length, &own);
	ok(!code && counts.cut, "attributes without end are cut");
	ok((double)(clock() - start) / CLOCKS_PER_SEC < 3, "attributes without end take linear time");
	prn_buffer_release(&text);
}

static const char *read_robots(const char *text, size_t length)
{
	struct prn_hint_options options = usual();

	options.is_robots = true;
	options.base = "http://a.example/robots.txt";
	options.same_host = true;
	return read_bytes(text, length, &options);
}

static void robots(void)
{
	static const char nul[] = "\nSitemap: http://a.example/a\0b.xml\n", page[] = "<html>\nSitemap of the site: http://a.example/x\n</html>";
	static const char *const elsewhere[] = { "http://a.example/x/robots.txt", "http://a.example/robots.txt?x", "http://a.example/?/robots.txt",
		                                 "robots.txt" };
	struct prn_buffer with_nul = { 0 }, long_one = { 0 };
	const char *text = "\xef\xbb\xbfSitemap: http://a.example/1.xml\r\nUser-agent: *\nDisallow: /sitemap: /no\n"
			   "  SITEMAP :http://a.example/2.xml.gz # the big one\nsitemap:/3.xml\n#Sitemap: http://a.example/no.xml\n"
			   "Sitemaps: http://a.example/no.xml\nSitemap http://a.example/no.xml\nSitemap:\n"
			   "sitemap: http://b.example/4.xml\nSitemap: ftp://a.example/5.xml\nSitemap: sitemap.xml\nSitemap:\thttp://a.example/6.xml";

	same(read_robots(text, strlen(text)),
	     "http://a.example/1.xml (sitemap); http://a.example/2.xml.gz (sitemap); http://a.example/3.xml (sitemap); http://a.example/6.xml (sitemap)",
	     "the sitemaps that a robots.txt names are told as sitemaps, wherever they stand");
	same(counted(), "7 entries, 4 hints, 1 ignored, 1 foreign, 1 damaged",
	     "what a robots.txt names is counted, also where it is of another host, of another scheme, or no URL");
	ok(!code && counts.format == PRN_HINT_ROBOTS, "a robots.txt is read as one");
	ok(!changed, "a robots.txt says only that its sitemaps are there");
	while (with_nul.length < 2000)
		must(!prn_buffer_append(&with_nul, "#", 1), "append");
	must(!prn_buffer_append(&with_nul, nul, sizeof nul - 1), "append");
	same(read_robots((const char *)with_nul.data, with_nul.length), "", "a name with a NUL in it names no sitemap");
	ok(counts.damaged == 1, "a name with a NUL in it is damaged");
	same(read_robots(page, sizeof page - 1), "", "a page in the place of a robots.txt names no sitemap");
	same(read_robots("", 0), "", "an empty robots.txt names nothing");
	while (long_one.length < PRN_HINT_ROBOTS_BYTES)
		must(!prn_buffer_append(&long_one, "Disallow: /a\n", 13), "append");
	must(!prn_buffer_append(&long_one, "Sitemap: http://a.example/late.xml\n", 35), "append");
	same(read_robots((const char *)long_one.data, long_one.length), "", "what is beyond 500 KiB of a robots.txt is not read");
	ok(counts.cut, "a robots.txt that is read in part is counted as cut");
	prn_buffer_release(&with_nul);
	prn_buffer_release(&long_one);
	ok(prn_hint_is_robots("http://a.example/robots.txt") && prn_hint_is_robots("https://a.example:8080/robots.txt"),
	   "a robots.txt is known by its place");
	for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
		ok(!prn_hint_is_robots(elsewhere[i]), "%s is no robots.txt, by its place", elsewhere[i]);
}

int main(void)
{
	sitemaps();
	robots();
	feeds();
	atom();
	lines();
	options();
	limits();
	damage();
	charsets();
	dates();
	sniffing();
	files();
	pipes();
	pieces();
	hostile();
	prn_buffer_release(&said);
	prn_buffer_release(&skipped);
	return done();
}
