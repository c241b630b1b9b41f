/* ARC files of both versions, plain and packed, as their specification and old crawlers have them. */
#include "archive/arc_header.h"
#include "fixture.h"

#define DATE "20040101120000"
#define SECONDS 1072958400 /* date -ud "2004-01-01 12:00" +%s */
#define HEAD "HTTP/1.0 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nETag: \"7\"\r\n\r\n"
#define VERSION_1 "1 0 Alexa Internet\nURL IP-address Archive-date Content-type Archive-length\n"
#define VERSION_2 \
	"2 0 Alexa Internet\nURL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length\n"

static struct prn_buffer file;
static struct reading reading;

/* line: all but the length. */
static void record(struct prn_buffer *out, const char *line, const char *block)
{
	add_text(out, "%s %zu\n%s\n", line, strlen(block), block);
}

static void version_1(struct prn_buffer *out)
{
	record(out, "filedesc://IA-1.arc 0.0.0.0 " DATE " text/plain", VERSION_1);
}

static void read_file(const char *name)
{
	read_source(&reading, put_buffer(name, &file), NULL);
	prn_buffer_clear(&file);
}

static bool is_capture(size_t i, const char *url, enum prn_kind kind, const char *body)
{
	const struct seen *seen = &reading.seen[i];

	if (i < reading.count && (strcmp(seen->normal, url) || seen->capture.kind != kind || strcmp((char *)seen->body, body)))
		printf("# %s %s \"%s\"\n", seen->normal, prn_kind_name(seen->capture.kind), seen->body);
	return i < reading.count && !strcmp(seen->normal, url) && seen->capture.kind == kind &&
	       seen->capture.body_bytes == strlen(body) && !strcmp((char *)seen->body, body);
}

static void headers(void)
{
	static const struct {
		const char *line, *url, *address, *media;
		int length; /* < 0: it is none */
	} cases[] = {
		{ "http://a.example/ 192.0.2.1 19960923142103 text/html 17", "http://a.example/", "192.0.2.1", "text/html", 17 },
		{ "http://a.example/ 192.0.2.1 199609231421 no-type 0", "http://a.example/", "192.0.2.1", NULL, 0 },
		{ "http://a.example/ 2001:db8::1 19960923142103 text/html 5", "http://a.example/", "2001:db8::1", "text/html", 5 },
		{ "http://a.example/a b.html 192.0.2.1 19960923142103 text/html 5", "http://a.example/a b.html", "192.0.2.1", "text/html", 5 },
		{ "http://a.example/ 192.0.2.1 19960923142103 text/html; charset=x 5", "http://a.example/", "192.0.2.1", "text/html;", 5 },
		{ "http://a.example/ 192.0.2.1 19960923142103 text/html 200 0ab - 1209 IA-1.arc 77", "http://a.example/", "192.0.2.1",
		  "text/html", 77 },
		{ "http://a.example/ 192.0.2.1 19960923142103 5", "http://a.example/", "192.0.2.1", NULL, 5 },
		{ "dns:a.example 192.0.2.1 19960923142103 text/dns 5", "dns:a.example", "192.0.2.1", "text/dns", 5 },
		{ "http://a.example/ 192.0.2.1 19960923142103 text/html", NULL, NULL, NULL, -1 },
		{ "http://a.example/ 192.0.2.1 19961323142103 text/html 5", NULL, NULL, NULL, -1 },
		{ "http://a.example/ here 19960923142103 text/html 5", NULL, NULL, NULL, -1 },
		{ "/a 192.0.2.1 19960923142103 text/html 5", NULL, NULL, NULL, -1 },
		{ "192.0.2.1 19960923142103 text/html 5", NULL, NULL, NULL, -1 },
		{ "http://a.example/ 192.0.2.1 19960923142103 text/html 99999999999999999999", NULL, NULL, NULL, -1 },
		{ "<p>", NULL, NULL, NULL, -1 },
		{ "", NULL, NULL, NULL, -1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct prn_arc_header header;
		char line[256];
		bool is;

		snprintf(line, sizeof line, "%s", cases[i].line);
		is = prn_arc_header_parse(&header, line, strlen(line));
		if (cases[i].length < 0) {
			ok(!is, "'%s' begins no record", cases[i].line);
			continue;
		}
		if (!ok(is, "'%s' begins a record", cases[i].line))
			continue;
		same(header.url, cases[i].url, "the URL of '%s' is read", cases[i].line);
		same(header.address, cases[i].address, "the address of '%s' is read", cases[i].line);
		same(header.media, cases[i].media, "the media type of '%s' is read", cases[i].line);
		ok(header.length == (uint64_t)cases[i].length, "the length of '%s' is read", cases[i].line);
	}
}

static void version_1_file(void)
{
	version_1(&file);
	record(&file, "http://a.example/1 192.0.2.7 " DATE " text/html", HEAD "<p>one");
	record(&file, "dns:a.example 192.0.2.7 " DATE " text/dns", "a.example. 7 IN A 192.0.2.7");
	record(&file, "http://a.example/2 192.0.2.7 " DATE " text/html", "HTTP/1.0 404 Not Found\r\n\r\nnot there");
	record(&file, "http://a.example/3 192.0.2.7 " DATE " text/html", "<p>of a crawler that kept no heads");
	record(&file, "http://a.example/4 192.0.2.7 " DATE " no-type", "HTTP/1.0 301 Moved\r\nLocation: /1\r\n\r\n");
	read_file("a.arc");
	same(tally(&reading), "4 captures, 2 ignored", "an ARC file of version 1 is read");
	ok(reading.counts.records == 6, "records of an ARC file without captures are counted");
	ok(is_capture(0, "http://a.example/1", PRN_KIND_CONTENT, "<p>one"), "an answer of 200 is content, without its head");
	ok(reading.seen[0].capture.time == SECONDS, "a capture of an ARC file has the date of its record");
	same(reading.seen[0].capture.address, "192.0.2.7", "a capture of an ARC file has the address of its record");
	same(reading.seen[0].capture.etag, "\"7\"", "a capture of an ARC file has the ETag of its head");
	same(reading.seen[0].capture.content_type, "text/html; charset=utf-8", "the head of an answer tells its media type");
	ok(is_capture(1, "http://a.example/2", PRN_KIND_GONE, ""), "an answer of 404 in an ARC file is gone");
	ok(is_capture(2, "http://a.example/3", PRN_KIND_CONTENT, "<p>of a crawler that kept no heads"),
	   "a record without a head is content");
	same(reading.seen[2].capture.content_type, "text/html", "the line of a record without a head tells its media type");
	ok(is_capture(3, "http://a.example/4", PRN_KIND_REDIRECT, "/1"), "a redirect of an ARC file is a redirect");
	same(passed_over(&reading), "1 filedesc:, 1 dns:", "what an ARC file has of other schemes is passed over and counted by them");
}

static void version_2_file(void)
{
	record(&file, "filedesc://IA-2.arc 0.0.0.0 " DATE " text/plain 200 - - 0 IA-2.arc", VERSION_2);
	record(&file, "http://a.example/1 192.0.2.7 " DATE " text/html 200 fac0 - 300 IA-2.arc", HEAD "<p>one");
	record(&file, "http://a.example/2 192.0.2.7 " DATE " text/html 200 fac0 - 500 IA-2.arc", HEAD "<p>two");
	read_file("a.bin");
	same(tally(&reading), "2 captures, 1 ignored", "an ARC file of version 2 is read, whatever its name");
	ok(is_capture(1, "http://a.example/2", PRN_KIND_CONTENT, "<p>two"), "a record of version 2 is a capture");
}

static void packed_files(void)
{
	struct prn_buffer one = { 0 };

	version_1(&one);
	add_gzip(&file, one.data, one.length);
	for (int i = 0; i < 3; i++) {
		prn_buffer_clear(&one);
		record(&one, i == 1 ? "http://a.example/1 192.0.2.7 " DATE " text/html" : "http://a.example/x 192.0.2.7 " DATE " text/html",
		       HEAD "<p>packed");
		add_gzip(&file, one.data, one.length);
	}
	read_file("a.arc.gz");
	same(tally(&reading), "3 captures, 1 ignored", "an ARC file with a gzip member a record is read");
	ok(is_capture(1, "http://a.example/1", PRN_KIND_CONTENT, "<p>packed"), "a record that is a gzip member is a capture");

	prn_buffer_clear(&one);
	version_1(&one);
	record(&one, "http://a.example/1 192.0.2.7 " DATE " text/html", HEAD "<p>one");
	record(&one, "http://a.example/2 192.0.2.7 " DATE " text/html", HEAD "<p>two");
	add_gzip(&file, one.data, one.length);
	read_file("a.arc.gz");
	ok(!reading.ended && reading.count == 2, "a file packed as one member is read");
	add_zstd(&file, one.data, one.length, NULL);
	read_file("a.arc.zst");
	ok(!reading.ended && reading.count == 2, "a file packed by zstd is read");
	prn_buffer_release(&one);
}

static void damage(void)
{
	struct prn_buffer one = { 0 };
	size_t start;

	version_1(&file);
	add_text(&file, "http://a.example/1 192.0.2.7 " DATE " text/html 999999\n" HEAD "<p>one\n");
	record(&file, "http://a.example/2 192.0.2.7 " DATE " text/html", HEAD "<p>two");
	read_file("a.arc");
	same(tally(&reading), "2 captures, 1 ignored, 1 damaged", "a length that reaches beyond the file is damage, and ends nothing");
	ok(is_capture(1, "http://a.example/2", PRN_KIND_CONTENT, "<p>two"),
	   "a length that reaches beyond the file costs no record after it");
	ok(is_capture(0, "http://a.example/1", PRN_KIND_CONTENT, "<p>one\n") && reading.seen[0].capture.truncated,
	   "what stands before the next record is a body that is cut");

	version_1(&file);
	add_text(&file, "http://a.example/1 192.0.2.7 " DATE " text/html 20\n" HEAD "<p>one\n");
	record(&file, "http://a.example/2 192.0.2.7 " DATE " text/html", HEAD "<p>two");
	read_file("a.arc");
	same(tally(&reading), "1 capture, 1 ignored, 1 damaged", "a record whose length is too short is damage, and no capture");
	ok(is_capture(0, "http://a.example/2", PRN_KIND_CONTENT, "<p>two"), "behind a length that is too short the next record is found");
	ok(HOLDS(skipped_text(&reading), "a.arc", "http://a.example/1", "its length is wrong"),
	   "a length that is too short is told with its file and URL");

	version_1(&file);
	record(&file, "http://a.example/1 192.0.2.7 " DATE " text/html", HEAD "<p>one and more");
	file.length -= 6;
	read_file("a.arc");
	same(tally(&reading), "1 capture, 1 ignored; input ends early",
	     "an ARC file that ends within a record is told to be cut");
	ok(is_capture(0, "http://a.example/1", PRN_KIND_ERROR, "<p>one and"),
	   "a record that the end of an ARC file cuts is a transfer that was cut short");
	ok(reading.seen[0].capture.truncated, "a record that the end of an ARC file cuts is truncated");

	version_1(&one);
	add_gzip(&file, one.data, one.length);
	start = file.length;
	for (int i = 0; i < 2; i++) {
		prn_buffer_clear(&one);
		record(&one, i ? "http://a.example/2 192.0.2.7 " DATE " text/html" : "http://a.example/1 192.0.2.7 " DATE " text/html",
		       HEAD "<p>packed");
		add_gzip(&file, one.data, one.length);
	}
	file.data[start + 30] ^= 0x55;
	read_file("a.arc.gz");
	ok(!reading.ended, "an ARC file with a damaged member is read to its end");
	ok(reading.counts.damaged >= 1, "a damaged member of an ARC file is counted");
	ok(reading.count >= 1 && is_capture(reading.count - 1, "http://a.example/2", PRN_KIND_CONTENT, "<p>packed"),
	   "a damaged member of an ARC file costs no other");
	prn_buffer_release(&one);

	version_1(&file);
	add_text(&file, "hello\nthere\n");
	record(&file, "http://a.example/2 192.0.2.7 " DATE " text/html", HEAD "<p>two");
	read_file("a.arc");
	same(tally(&reading), "1 capture, 1 ignored, 1 damaged", "lines of an ARC file that are no record are damage once");
	ok(HOLDS(skipped_text(&reading), "does not begin with URL, IP address, date"), "what of an ARC file is no record is told");
}

/* What a page's text pretends to be a record of another host's page, in a record that is cut. */
static void pretended(void)
{
	struct prn_buffer body = { 0 };

	add_text(&body, HEAD "<p>one\n");
	record(&body, "http://victim.example/ 192.0.2.7 " DATE " text/html", "HTTP/1.0 404 Not Found\r\n\r\nnot there");
	add_text(&body, "%0900d", 0);
	must(!prn_buffer_terminate(&body), "allocate");
	for (int cut = 0; cut < 2; cut++) {
		version_1(&file);
		if (cut)
			record(&file, "http://a.example/1 192.0.2.7 " DATE " text/html", (char *)body.data);
		else
			add_text(&file, "http://a.example/1 192.0.2.7 " DATE " text/html 99999\n%s\n", (char *)body.data);
		file.length -= cut ? 300 : 0;
		read_file("a.arc");
		ok(reading.ended == PRN_E_TRUNCATED, "a file of a page that pretends records ends early, where %s",
		   cut ? "the file is cut" : "a length is wrong");
		ok(reading.count == 1 && !strcmp(reading.seen[0].normal, "http://a.example/1"),
		   "no page's text is a record of another host's page, where %s", cut ? "the file is cut" : "a length is wrong");
	}
	prn_buffer_release(&body);
}

#define VICTIM "http://victim.example/ 192.0.2.7 " DATE " text/html"

/* A record whose line is bad, and whose body has what looks like a record of another host's page. */
static void bad_record(struct prn_buffer *out, size_t bad)
{
	struct prn_buffer body = { 0 };

	add_text(&body, HEAD "<p>one\n");
	record(&body, VICTIM, "HTTP/1.0 404 Not Found\r\n\r\nnot there");
	add_text(&body, "x");
	if (bad == 0)
		add_text(out, "http://evil.example/ 192.0.2.7 20041301120000 text/html");
	else if (bad < 3)
		add_text(out, "http://evil.example/%0*d 192.0.2.7 " DATE " text/html", bad == 1 ? 20000 : 3000000, 0);
	else
		add_text(out, "http://evil.example/%c 192.0.2.7 " DATE " text/html", bad == 3 ? 0 : '\r');
	add_text(out, " %zu\n", body.length);
	add(out, body.data, body.length);
	add_text(out, "\n");
	prn_buffer_release(&body);
}

static void bad_lines(void)
{
	static const char *const what[] = { "a bad date", "a line too long", "a line too long by far", "a zero byte", "a CR" };
	struct prn_buffer one = { 0 };

	for (size_t bad = 0; bad < 5; bad++)
		for (int packed = 0; packed < 2; packed++) {
			for (int i = 0; i < 4; i++) {
				prn_buffer_clear(&one);
				if (i == 0)
					version_1(&one);
				else if (i == 3)
					record(&one, "http://a.example/2 192.0.2.7 " DATE " text/html", HEAD "<p>two");
				else
					bad_record(&one, bad);
				if (packed)
					add_gzip(&file, one.data, one.length);
				else
					add(&file, one.data, one.length);
			}
			read_file(packed ? "a.arc.gz" : "a.arc");
			same(tally(&reading), "1 capture, 1 ignored, 2 damaged",
			     "two records with %s are each told, and hold no record of another host's page%s", what[bad], packed ? ", packed" : "");
			ok(is_capture(0, "http://a.example/2", PRN_KIND_CONTENT, "<p>two"), "behind records with %s the next one is read", what[bad]);
		}
	prn_buffer_release(&one);
}

/* A URL that brings what would be read in place of the rest of its line. */
static void lines_within_lines(void)
{
	version_1(&file);
	add_text(&file, VICTIM " 10%c 192.0.2.7 " DATE " text/html 10\n<p>nothing\n", 0);
	add_text(&file, VICTIM " 10\r 192.0.2.7 " DATE " text/html 10\n<p>nothing\n");
	record(&file, "http://a.example/2 192.0.2.7 " DATE " text/html", HEAD "<p>two");
	read_file("a.arc");
	ok(reading.count == 1 && is_capture(0, "http://a.example/2", PRN_KIND_CONTENT, "<p>two"),
	   "no URL with a zero byte or a CR is another one");
}

/* Where a length is too short, or the length of a bad line leads nowhere. */
static void short_lengths(void)
{
	for (int bad = 0; bad < 2; bad++) {
		version_1(&file);
		add_text(&file, "http://evil.example/ 192.0.2.7 %s text/html 200\n" HEAD "<p>one\n", bad ? "20041301120000" : DATE);
		record(&file, VICTIM, "HTTP/1.0 404 Not Found\r\n\r\nnot there");
		add_text(&file, "%0200d\n", 0);
		record(&file, "http://a.example/2 192.0.2.7 " DATE " text/html", HEAD "<p>two");
		read_file("a.arc");
		same(tally(&reading), "1 capture, 1 ignored, 1 damaged", "within a wrong length of a %s line nothing of another host is read",
		     bad ? "bad" : "good");
		ok(is_capture(0, "http://a.example/2", PRN_KIND_CONTENT, "<p>two"), "behind a wrong length of a %s line the next one is read",
		   bad ? "bad" : "good");
	}
}

/* Where each record is a member, the rest of a member is a page's own, whatever the length. */
static void rest_of_member(void)
{
	struct prn_buffer one = { 0 };

	for (int i = 0; i < 3; i++) {
		prn_buffer_clear(&one);
		if (i == 0)
			version_1(&one);
		else if (i == 2)
			record(&one, "http://a.example/2 192.0.2.7 " DATE " text/html", HEAD "<p>two");
		else {
			add_text(&one, "http://evil.example/ 192.0.2.7 " DATE " text/html 20\n" HEAD "<p>one\n");
			record(&one, VICTIM, "HTTP/1.0 404 Not Found\r\n\r\nnot there");
		}
		add_gzip(&file, one.data, one.length);
	}
	read_file("a.arc.gz");
	same(tally(&reading), "1 capture, 1 ignored, 1 damaged", "behind a length that is too short nothing is read in the rest of its member");
	prn_buffer_release(&one);
}

static void zeros(void)
{
	struct prn_buffer one = { 0 };

	version_1(&one);
	add_gzip(&file, one.data, one.length);
	add_text(&file, "%c", 0);
	prn_buffer_clear(&one);
	record(&one, "http://a.example/2 192.0.2.7 " DATE " text/html", HEAD "<p>two");
	add_gzip(&file, one.data, one.length);
	read_file("a.arc.gz");
	same(tally(&reading), "1 capture, 1 ignored, 1 damaged", "a zero in place of a member of an ARC file is damage");
	ok(HOLDS(skipped_text(&reading), "a.arc.gz: 1 byte of zeros at offset"), "a zero in place of a member of an ARC file is told");
	prn_buffer_release(&one);
}

static void filtered(void)
{
	static const char *const hosts[] = { "b.example" }, *const media[] = { "text/plain" };
	const struct prn_source_options by_host = { .filter = { .hosts = hosts, .host_count = 1 } };
	const struct prn_source_options by_media = { .filter = { .media = media, .media_count = 1 } };

	version_1(&file);
	record(&file, "http://a.example/1 192.0.2.7 " DATE " text/html", HEAD "<p>one");
	record(&file, "http://b.example/1 192.0.2.7 " DATE " text/html", HEAD "<p>two");
	read_source(&reading, put_buffer("a.arc", &file), &by_host);
	same(tally(&reading), "1 capture, 1 ignored, 1 filtered", "records of other hosts are counted as filtered");
	ok(is_capture(0, "http://b.example/1", PRN_KIND_CONTENT, "<p>two"), "a record of a host that is chosen is a capture");
	read_source(&reading, put_buffer("a.arc", &file), &by_media);
	ok(!reading.count && reading.counts.other_media == 2, "records of other media types are left out");
	file.length -= 4;
	read_source(&reading, put_buffer("a.arc", &file), &by_media);
	ok(!reading.count && reading.ended == PRN_E_TRUNCATED, "that a file is cut is told also where its last record is left out");
}

int main(void)
{
	make_scratch();
	headers();
	version_1_file();
	version_2_file();
	packed_files();
	damage();
	pretended();
	prn_buffer_clear(&file);
	bad_lines();
	lines_within_lines();
	short_lengths();
	rest_of_member();
	zeros();
	prn_buffer_clear(&file);
	filtered();
	reading_release(&reading);
	prn_buffer_release(&file);
	return done();
}
