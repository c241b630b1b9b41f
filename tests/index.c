/* Indexes of archives (CDX, CDXJ) and the histories of Kolobov et al. as sources: captures whose content is known by name only. */
#include "fixture.h"
#include "perennial/error.h"
#include "perennial/time.h"

#define DAY "com,example)/a 20150914222034 http://Example.com/a text/html 200 "

/* 130 characters */
#define TEN "0123456789"
#define LONG TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

static struct reading reading;

static void read_text(const char *text, const struct prn_source_options *options)
{
	read_source(&reading, put_file("a.cdx", text, strlen(text)), options);
}

static bool same_content(size_t a, size_t b)
{
	const struct prn_capture *x = &reading.seen[a].capture, *y = &reading.seen[b].capture;

	return x->body_bytes == y->body_bytes && !memcmp(x->body, y->body, x->body_bytes);
}

static void columns(void)
{
	const struct prn_capture *capture;

	read_text(" CDX N b a m s k r M S V g\n" DAY "ZMSA5TNJUKKRYAIM5PRUJLL24DV7QYOO - - 83848 117273 x.warc.gz\n", NULL);
	must(reading.count == 1, "go on without a capture");
	capture = &reading.seen[0].capture;
	same(tally(&reading), "1 capture", "a CDX file with its legend is read");
	same(capture->url, "http://Example.com/a", "a line of CDX gives its URL as it was captured, not the key");
	same(capture->normal_url, "http://example.com/a", "a line of CDX gives its URL in normal form too");
	ok(capture->time == 1442269234, "a line of CDX gives its time"); /* date -ud '2015-09-14 22:20:34' +%s */
	ok(capture->kind == PRN_KIND_CONTENT && capture->status == 200, "a line of CDX gives its status");
	ok(!strcmp(capture->content_type, "application/octet-stream") && capture->body_bytes,
	   "the content of a line of CDX is one fragment, of its digest");
	ok(!capture->has_payload_digest, "a capture without a body is none that revisits could repeat");
	read_text("|CDX|s|a|k|b\n200|http://a.example/ b|XX|2015\n", NULL);
	ok(reading.count == 1 && reading.seen[0].capture.time == 1420070400, "a legend says where the columns are");
	same(reading.seen[0].capture.normal_url, "http://a.example/%20b", "a legend says what stands between the columns");
	read_text(" CDX A b a m s c\nkey 2001 http://a.example/ text/html 200 58670fbe\n", NULL);
	ok(reading.count == 1 && reading.seen[0].capture.body_bytes, "a legend without the new digest has the old one serve");
	read_text(DAY "AAAA 1234\n" DAY "aaaa\n", NULL);
	ok(reading.count == 2, "lines without a legend are as most writers have them: key, time, URL, media type, status, digest");
	read_text(" CDX N b m s k\nkey 2001 text/html 200 58670fbe\n", NULL);
	ok(reading.ended == PRN_E_INPUT && HOLDS(reading.error.text, "a.cdx: its legend has no a (URL)"),
	   "a legend without the URL is refused, by its letter: %s", reading.error.text);
}

static void contents(void)
{
	static const char *const statuses[] = { "304", "404", "302", "503" }, *const kinds[] = { "same", "gone", "redirect", "error" };

	read_text(DAY "ZMSA5TNJUKKRYAIM5PRUJLL24DV7QYOO\n" DAY "sha1:ZMSA5TNJUKKRYAIM5PRUJLL24DV7QYOO\n"
	          DAY "zmsa5tnjukkryaim5prujll24dv7qyoo\n" DAY "cb240ecda9a295180 10 cebe3446d\n",
	          NULL);
	ok(reading.count == 4 && same_content(0, 1), "a digest is one content with or without its name");
	ok(same_content(0, 2), "a digest is one content in either case of its letters");
	ok(reading.count == 4 && !same_content(0, 3), "another digest is another content");
	read_text(DAY LONG "1\n" DAY LONG "2\n" DAY LONG "1\n", NULL);
	ok(reading.count == 3 && same_content(0, 2), "digests longer than any algorithm's are contents as well");
	ok(!same_content(0, 1), "two digests longer than any algorithm's are two contents");
	read_text("k 2015 http://a.example/ text/html 304 -\nk 2016 http://a.example/ text/html 404 -\n"
	          "k 2017 http://a.example/ text/html 302 AAA\nk 2018 http://a.example/ text/html 503 AAA\n"
	          "k 2019 http://a.example/ warc/revisit - AAA\nk 2020 http://a.example/ warc/revisit - BBB\n",
	          NULL);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		same(prn_kind_name(reading.seen[i].capture.kind), kinds[i],
		     "a line of CDX with the status %s is of kind %s", statuses[i], kinds[i]);
	ok(reading.count == 6, "lines of CDX of any status are captures");
	ok(reading.seen[4].capture.kind == PRN_KIND_CONTENT && reading.seen[5].capture.kind == PRN_KIND_CONTENT,
	   "a revisit without a status is content");
	ok(reading.count == 6 && !same_content(4, 5), "revisits of two digests are two contents");
	ok(reading.count == 6 && same_content(2, 4), "a redirect is one content with its digest");
	ok(reading.count == 6 && reading.seen[2].capture.is_digest, "a redirect whose target is not told is known by its digest alone");
}

/* Whether the line of the present index leads to a target, "": to none that is told. */
static bool leads_to(const char *target)
{
	const struct prn_capture *capture = &reading.seen[0].capture;

	if (reading.count != 1 || capture->kind != PRN_KIND_REDIRECT)
		return false;
	if (!*target)
		return capture->is_digest;
	return !capture->is_digest && capture->body_bytes == strlen(target) && !memcmp(capture->body, target, strlen(target));
}

static void targets(void)
{
	read_text(" CDX N b a m s k r M S V g\nk 2017 http://a.example/ text/html 302 AAA http://b.example/new - 1 2 x.warc.gz\n", NULL);
	ok(leads_to("http://b.example/new"), "a redirect leads where the column r of its line says");
	read_text("k 2017 http://a.example/ text/html 302 AAA /new - 1 2 x.warc.gz\n", NULL);
	ok(leads_to("/new"), "a redirect leads where a line without a legend says, which may be below its own host");
	read_text("k 2017 http://a.example/ text/html 302 AAA 1234\n", NULL);
	ok(leads_to(""), "a length where others have the target is none");
	read_text(" CDX N b a m s k r\nk 2017 http://a.example/ text/html 302 AAA -\n", NULL);
	ok(leads_to(""), "a column r without a target tells none");
	read_text("k 2017 {\"url\":\"http://a.example/\",\"status\":\"301\",\"redirect\":\"https://a.example/\"}\n", NULL);
	ok(leads_to("https://a.example/"), "a redirect of CDXJ leads where its member says, and needs no digest for that");
}

static void objects(void)
{
	read_text("com,example)/ 20170730223850 {\"url\": \"http://example.com/\", \"mime\": \"text/html\", \"status\": \"200\", "
	          "\"digest\": \"G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK\", \"length\": \"1219\", \"filename\": \"x.warc.gz\"}\n"
	          "com,example)/ 20170731 {\"original\":\"http://example.com/\",\"statuscode\":200,\"digest\":\"B\"}\n"
	          "com,example)/ 20170801 {\"uri\":\"http://example.com/\",\"hsc\":200,\"sha\":\"B\"}\n",
	          NULL);
	ok(reading.count == 3 && !reading.counts.damaged, "lines of CDXJ are read by the members that any of its writers use");
	ok(reading.count == 3 && same_content(1, 2), "lines of CDXJ with one digest have one content");
	ok(!same_content(0, 1), "lines of CDXJ with two digests have two contents");
	read_text("!OpenWayback-CDXJ 1.0\n!meta {\"a\":1}\n# a comment\n\nk 2017 {\"url\":\"http://a.example/\",\"status\":\"404\"}\r\n",
	          NULL);
	ok(reading.count == 1 && !reading.counts.damaged, "headings and comments of CDXJ are passed over, and lines may end in CRLF");
	ok(reading.count == 1 && reading.counts.records == 1, "headings of CDXJ are no records");
}

static void packed(void)
{
	struct prn_buffer file = { 0 };

	add_gzip(&file, DAY "AAA\n", strlen(DAY "AAA\n"));
	add_gzip(&file, DAY "BBB\n", strlen(DAY "BBB\n"));
	read_source(&reading, put_buffer("cdx-00000.gz", &file), NULL);
	ok(reading.count == 2 && !same_content(0, 1), "an index in gzip members, as ZipNum has it, is read through");
	prn_buffer_release(&file);
}

#define ZERO DAY "A\nk 2015 http://bank.example/\0.evil.example/x text/html 200 A\n\0k 2015 http://a.example/ text/html 200 A\n"

static void faults(void)
{
	static const char *const wrong[][2] = {
		{ "k 2015 http://a.example/ text/html 200 -\n", "line 2: it has no digest" },
		{ "k 201x http://a.example/ text/html 200 A\n", "line 2: its time is not one of 4 to 14 digits" },
		{ "k 2015 http://%00/ text/html 200 A\n", "line 2: its URL is not an http or https URL" },
		{ "k 2015 http://a.example/ text/html 2000 A\n", "line 2: its status is not three digits" },
		{ "k 2015 - text/html 200 A\n", "line 2: it has no URL" },
		{ "k 2015 {\"url\":\n", "line 2: not JSON behind the time" },
		{ "nothing of the kind\n", "line 2: " },
	};
	struct prn_source_options options = { .filter = { .media = (const char *const[]){ "text/html" }, .media_count = 1 } };
	struct prn_buffer file = { 0 };
	char text[1000];

	add_text(&file, "junk 2015 more\r\n");
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		snprintf(text, sizeof text, "%s%s%s", DAY "A\n", wrong[i][0], DAY "B\n");
		read_text(text, NULL);
		same(tally(&reading), "2 captures, 1 damaged", "a line that is none is passed over: %s", wrong[i][1]);
		ok(HOLDS(skipped_text(&reading), wrong[i][1]), "a line that is none is told: %s", wrong[i][1]);
	}
	read_source(&reading, put_file("a.cdx", ZERO, sizeof ZERO - 1), NULL);
	same(tally(&reading), "1 capture, 2 damaged", "a line with a zero byte is passed over, whatever it begins with");
	ok(HOLDS(skipped_text(&reading), "line 2: a zero byte in it", "line 3: a zero byte in it"), "a line with a zero byte is told");
	read_text(DAY "A\nk 2015 dns:a.example text/dns 200 A\nk 2015 ftp://a.example/ text/html 200 A\n", NULL);
	same(tally(&reading), "1 capture, 2 ignored", "lines of other schemes than http and https are passed over");
	read_text(DAY "A\nk 2015 http://a.example/ image/png 200 A\nk 2015 http://a.example/ warc/revisit - A\n", &options);
	ok(reading.count == 2 && reading.counts.filtered == 1,
	   "a filter of media types goes by the type that a line has; a revisit, which has none, passes");
	add_response(&file, "/1", "2026-01-01T00:00:00Z", "200 OK", "Content-Type: text/plain\r\n", "one", 3);
	read_source(&reading, put_buffer("a.warc", &file), NULL);
	ok(reading.count == 1 && reading.counts.damaged == 1,
	   "a WARC file whose first bytes are damaged so that they look like a line of an index is read as what its name says");
	read_source(&reading, put_file("a.warc.cdx", DAY "A\n", strlen(DAY "A\n")), NULL);
	ok(reading.count == 1 && !reading.counts.damaged, "an index that is named after its WARC file is an index");
	prn_buffer_release(&file);
	read_text("com,example)/ 2015\tcdx-00000.gz\t0\t1234\t1\n", NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "CDX"),
	   "what only says where the parts of an index are is no index: %s", reading.error.text);
}

#define URLS "http://a.example/1\t7\t1\nhttp://b.example/2\t5\t2\n"
#define MARK "\xef\xbb\xbf"
#define HISTORY "5\t5.5\t[[1.25, 0], [1.5, 1], [2, 0]]\n"

static void read_folder(const char *urls, const char *histories, const char *importances)
{
	put_file("data/url_urlid_hostid.txt", urls, strlen(urls));
	put_file("data/urlid_offset_history.txt", histories, strlen(histories));
	put_file("data/urlid_imp.txt", importances, strlen(importances));
	read_source(&reading, in_scratch("data"), NULL);
}

static void histories(void)
{
	read_folder(URLS, HISTORY "7\t0\t[]\n", "5\t12.5\n7\t0\n");
	must(reading.count == 5, "go on with another number of captures than 5");
	same(reading.seen[0].capture.normal_url, "http://b.example/2", "a history is of the page whose number it has");
	ok(reading.seen[0].capture.time == 1483228800 + 475200 && reading.seen[1].capture.time == 1483228800 + 583200,
	   "visits of a history lie as many days apart as it says");
	ok(same_content(0, 1) && same_content(2, 3), "0 is the content of the visit before");
	ok(!same_content(1, 2), "1 is another content than that of the visit before");
	ok(!same_content(0, 4), "pages have nothing in common");
	ok(reading.seen[0].capture.weight == 12.5, "a page weighs what its importance is");
	ok(reading.seen[4].capture.weight > 0 && reading.seen[4].capture.weight < 1e-6,
	   "a page of importance 0 weighs next to nothing");
	read_folder("URL\tURL_ID\tHost_ID\n" URLS, "7\t1\t[[1, 2]]\n9\t1\t[]\nx\n7\t1\t[[1, 1]]x\n" HISTORY, "");
	ok(reading.count == 7 && reading.counts.damaged == 4,
	   "histories that are none are told and end there, and the next ones are read");
	ok(HOLDS(skipped_text(&reading), "line 2: the file of URLs does not have this page"),
	   "a history of a page that is not known is told with its line");
	read_folder(MARK URLS, MARK "7\t0\t[]\n" HISTORY, MARK "7\t3\n");
	same(tally(&reading), "5 captures", "files of histories with byte order marks are read");
	ok(!strcmp(reading.seen[0].normal, "http://a.example/1") && reading.seen[0].capture.weight == 3, "a byte order mark is none of the first page");
	unlink(in_scratch("data/url_urlid_hostid.txt"));
	read_source(&reading, in_scratch("data"), NULL);
	ok(reading.opened == PRN_E_IO && HOLDS(reading.error.text, "url_urlid_hostid.txt"),
	   "histories without their URLs are refused, and the file that lacks is named");
}

static const char *body_hex(size_t i)
{
	static char text[2 * 16 + 1];

	for (size_t k = 0; k < 16 && i < reading.count; k++)
		snprintf(text + 2 * k, 3, "%02x", reading.seen[i].body[k]);
	return text;
}

/* The digests of traces, and the pages of a sample, are the same on all machines: those of x86 when this was written. */
static void same_everywhere(void)
{
	struct prn_source_options half = { .filter = { .sample = 0.5 } };
	struct prn_buffer text = { 0 };
	char taken[17] = "";

	read_text(DAY "ZMSA5TNJUKKRYAIM5PRUJLL24DV7QYOO\n" DAY "cb240ecda9a295180\n", NULL);
	same(body_hex(0), "6e0cfefbe1e06ab9cceab17d847c6244", "the content of a line with a SHA-1 is these bytes");
	same(body_hex(1), "13c2455cf15185a51385fa555437a60e", "the content of a line with another digest is these bytes");
	read_folder(URLS, HISTORY, "");
	same(body_hex(0), "bc996419bfb73c90391a3966731d3c34", "the content of a history's first version is these bytes");
	same(body_hex(2), "ebbfa6ddf7eb0976910355b619ea2ba3", "the content of a history's second version is these bytes");
	for (int i = 0; i < 16; i++)
		add_text(&text, "k 2015 http://a.example/%c text/html 200 A\n", 'a' + i);
	read_source(&reading, put_buffer("a.cdx", &text), &half);
	for (size_t i = 0; i < reading.count && i < 16; i++)
		taken[i] = reading.seen[i].normal[strlen("http://a.example/")];
	same(taken, "abfijkno", "half of these pages is these");
	prn_buffer_release(&text);
}

static void lost_members(void)
{
	struct prn_buffer file = { 0 };

	add_pieces(&file, DAY "AAAA\n||" DAY "BBBB\n" DAY "CC||CC\n" DAY "DDDD\n");
	read_source(&reading, put_buffer("a.cdx.gz", &file), NULL);
	same(tally(&reading), "3 captures, 2 damaged", "zeros between the parts of an index are damage, and so is the line that they cut");
	ok(HOLDS(skipped_text(&reading), "a.cdx.gz: 1024 bytes of zeros at offset"), "zeros in an index are told");
	prn_buffer_release(&file);
}

int main(void)
{
	make_scratch();
	columns();
	contents();
	targets();
	objects();
	packed();
	lost_members();
	faults();
	histories();
	same_everywhere();
	reading_release(&reading);
	return done();
}
