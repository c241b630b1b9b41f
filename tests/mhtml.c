/* Pages saved as MHTML: as browsers write them, by the standard, and by who means harm. */
#include "archive/mime.h"
#include "archive/reader.h"
#include "fixture.h"
#include "perennial/error.h"
#include "perennial/time.h"

static struct reading reading;

static const struct prn_source_options *any;

static void read_text(const char *name, const char *text)
{
	put_file(name, text, strlen(text));
	read_source(&reading, in_scratch(name), any);
}

/* One capture as a line: "2026-02-20T13:00:00Z content https://a.example/ text/html body". */
static const char *line(size_t i)
{
	static char text[1024];
	char time[PRN_TIME_TEXT];
	const struct seen *seen = &reading.seen[i];

	if (i >= reading.count)
		return "(none)";
	snprintf(text, sizeof text, "%s %s %.200s %s %.500s", prn_time_format(seen->capture.time, time), prn_kind_name(seen->capture.kind),
	         seen->normal, seen->capture.content_type ? seen->capture.content_type : "-", seen->body);
	return text;
}

#define BLINK "From: <Saved by Blink>\r\n" \
	"Snapshot-Content-Location: https://A.example/harbour?q=1\r\n" \
	"Subject: =?utf-8?Q?The=20harbour?=\r\n" \
	"Date: Fri, 20 Feb 2026 14:00:00 +0100\r\n" \
	"MIME-Version: 1.0\r\n" \
	"Content-Type: multipart/related;\r\n" \
	"\ttype=\"text/html\";\r\n" \
	"\tboundary=\"----MultipartBoundary--x7----\"\r\n" \
	"\r\n\r\n"
#define PART "------MultipartBoundary--x7----\r\n"
#define CLOSE "------MultipartBoundary--x7------\r\n"

static void chromium(void)
{
	read_text("blink.mhtml", BLINK PART
	          "Content-Type: text/html\r\nContent-ID: <frame-1@mhtml.blink>\r\nContent-Transfer-Encoding: quoted-printable\r\n"
	          "Content-Location: https://a.example/harbour?q=3D1\r\n\r\n"
	          "<html><meta charset=3D\"UTF-8\"><p>Boats at =\r\nnine in the H=C3=A4fen.\r\n<p>--\r\n</html>\r\n" PART
	          "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\nContent-Location: https://a.example/boat.png\r\n\r\n"
	          "iVBO\r\nRw0=\r\n" PART
	          "Content-Type: text/css\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-Location: cid:css-1@mhtml.blink\r\n\r\n"
	          "p { }\r\n" PART
	          "Content-Type: text/html\r\nContent-Transfer-Encoding: binary\r\nContent-Location: https://frames.example/f\r\n\r\n"
	          "\x01raw=41\r\n" CLOSE);
	same(tally(&reading), "3 captures, 1 ignored", "a file of Chromium's has a capture of each URL of the web");
	same(line(0),
	     "2026-02-20T13:00:00Z content https://a.example/harbour?q=3D1 text/html <html><meta charset=\"UTF-8\"><p>Boats at nine in the "
	     "H\xc3\xa4" "fen.\r\n<p>--\r\n</html>",
	     "a part that is quoted-printable is what it stands for, and the line end before a boundary is none of it");
	same(line(1), "2026-02-20T13:00:00Z content https://a.example/boat.png image/png \x89PNG\r", "a part in base64 is its bytes");
	same(line(2), "2026-02-20T13:00:00Z content https://frames.example/f text/html \x01raw=41", "a part that is not encoded is as it is");
	ok(reading.counts.records == 4 && reading.counts.ignored == 1, "a part with a URL of another scheme is passed over");
	same(reading.counts.passed[0].what, "cid:", "a part that is passed over is counted by its scheme");
}

static void by_message(void)
{
	read_text("own.mht", BLINK PART "Content-Type: text/html\r\n\r\nno URL\r\n" PART "Content-Type: text/html\r\n\r\nnone either\r\n" CLOSE);
	same(line(0), "2026-02-20T13:00:00Z content https://a.example/harbour?q=1 text/html no URL",
	     "the first part has the URL of the message where it has none of its own");
	same(tally(&reading), "1 capture, 1 ignored", "no part but the first has the message's URL");
	same(passed_over(&reading), "1 unnamed", "that a part has no URL is counted");
	read_text("file.mht", BLINK PART "Content-Type: text/html\r\nContent-Location: file:///C:/page.htm\r\n\r\nof a disk\r\n" PART
	          "Content-Type: text/html\r\nContent-Location: ../frame\r\n\r\nrelative\r\n" PART
	          "Content-Type: text/html\r\nContent-Location: https://a.exam\r\n ple/very/\r\n\tlong\r\n\r\nfolded\r\n" CLOSE "an epilogue\r\n");
	same(line(0), "2026-02-20T13:00:00Z content https://a.example/harbour?q=1 text/html of a disk",
	     "the first part has the URL of the message where its own is a file's");
	same(line(1), "2026-02-20T13:00:00Z content https://a.example/frame text/html relative", "a URL is relative to that of the page that was saved");
	same(line(2), "2026-02-20T13:00:00Z content https://a.example/very/long text/html folded", "a URL that is folded is one");
	read_text("bare.mht", "Content-Location: http://b.example/\nDate: 20 Feb 26 13:00 GMT\nContent-Type: Multipart/Related; boundary = simple\n\n"
	          "a preamble\n--simple2\n--simple\nContent-Type: text/html\nContent-Location: /x\n\nline feeds\n--simpler\n--simple  \t\n\nno header\n--simple--");
	same(line(0), "2026-02-20T13:00:00Z content http://b.example/x text/html line feeds\n--simpler",
	     "lines may end in line feeds, a boundary stand without quotes, and what only begins like one is content");
	same(tally(&reading), "1 capture, 1 ignored", "the last line of a message needs no end");
	ok(reading.counts.records == 2, "a part may have no header at all");
	read_text("single.mht", "MIME-Version: 1.0\r\nDate: Fri, 20 Feb 2026 13:00:00 -0000\r\nContent-Type: text/html; charset=utf-8\r\n"
	          "Content-Location: http://b.example/\r\nContent-Transfer-Encoding: base64\r\n\r\nQm9h\r\ndHM=\r\n");
	same(line(0), "2026-02-20T13:00:00Z content http://b.example/ text/html; charset=utf-8 Boats", "a message may be one part itself");
	ok(reading.count == 1 && !reading.ended, "a message that is one part ends with the file");
}

static void nested(void)
{
	static const char tail[] = "\r\n--b0--\r\n";
	struct prn_buffer text = { 0 };

	read_text("nested.mht", BLINK PART
	          "Content-Type: multipart/alternative; boundary=in\r\n\r\n--in\r\nContent-Type: text/plain\r\nContent-Location: http://a.example/t\r\n\r\n"
	          "plain\r\n--in\r\nContent-Type: text/html\r\nContent-Location: http://a.example/h\r\n\r\nhtml\r\n--in--\r\nepilogue\r\n" PART
	          "Content-Type: text/html\r\nContent-Location: http://a.example/n\r\n\r\nnext\r\n" PART
	          "Content-Type: multipart/mixed; boundary=open\r\n\r\n--open\r\nContent-Location: http://a.example/o\r\n\r\nopen\r\n" CLOSE);
	same(tally(&reading), "4 captures", "parts within parts are read, and one that is not closed ends with what it stands in");
	same(line(1), "2026-02-20T13:00:00Z content http://a.example/h text/html html", "what follows the last part within a part is none of it");
	same(line(3), "2026-02-20T13:00:00Z content http://a.example/o - open", "a part may be without a type");

	add_text(&text, "Date: 20 Feb 2026 13:00 GMT\r\nContent-Type: multipart/mixed; boundary=b0\r\n\r\n");
	for (int i = 0; i < 1000; i++)
		add_text(&text, "--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n", i, i + 1);
	add_text(&text, "--b0\r\nContent-Location: http://a.example/\r\n\r\nseen");
	add(&text, tail, sizeof tail - 1);
	put_buffer("deep.mht", &text);
	read_source(&reading, in_scratch("deep.mht"), NULL);
	same(tally(&reading), "1 capture, 1 damaged", "of a thousand multiparts within each other what follows them is read");
	ok(HOLDS(skipped_text(&reading), "part 8: it stands in more than 8 multiparts"),
	   "of a thousand multiparts within each other those that are too deep are told once");
	prn_buffer_release(&text);
}

static void odd_parts(void)
{
	struct prn_buffer text = { 0 };

	read_text("odd.mht", BLINK PART "Content-Location: http://a.example/1\r\nContent-Transfer-Encoding: base64\r\n\r\nQm9!dHM=\r\nmore\r\n" PART
	          "Content-Location: http://a.example/2\r\nContent-Transfer-Encoding: base64\r\n\r\nQ\r\n" PART
	          "Content-Location: http://a.example/3\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\nM\r\n" PART
	          "Content-Location: http://a.example:bad/\r\n\r\nx\r\n" PART
	          "Content-Type: multipart/mixed\r\n\r\n--in\r\n\r\nhidden\r\n" PART
	          "Content-Location: http://a.example/4\r\nno field\r\nContent-Type: text/plain\r\n" PART
	          "Content-Location: http://a.example/5\r\nContent-Transfer-Encoding: 8BIT\r\n\r\n\r\n" CLOSE);
	same(tally(&reading), "5 captures, 2 damaged, 3 unread", "what cannot be read in a part leaves the others");
	for (size_t i = 0; i < 3; i++)
		ok(reading.seen[i].capture.kind == PRN_KIND_ERROR && !reading.seen[i].capture.body_bytes, "part %zu, that cannot be decoded, is an error", i);
	ok(HOLDS(skipped_text(&reading), "odd.mht: part 1: it is not base64", "part 2: its base64 ends within", "part 3: its Content-Transfer-Encoding is not read",
	         "part 4: its Content-Location is malformed", "part 5: a multipart that tells no boundary"),
	   "parts that cannot be read are told by their number");
	same(line(3), "2026-02-20T13:00:00Z content http://a.example/4 text/plain ", "a header may end at a boundary");
	same(line(4), "2026-02-20T13:00:00Z content http://a.example/5 - ", "a part may be empty");

	add_text(&text, BLINK PART "X: ");
	for (int i = 0; i < 10000; i++)
		add_text(&text, "0123456789");
	add_text(&text, "\r\n\r\nbody\r\n" PART "Content-Location: http://a.example/\r\n\r\nseen\r\n" CLOSE);
	put_buffer("long.mht", &text);
	read_source(&reading, in_scratch("long.mht"), NULL);
	same(tally(&reading), "1 capture, 1 damaged", "the part behind one whose header is too long is read");
	ok(HOLDS(skipped_text(&reading), "part 1: its header has more than 65536 bytes"), "a header that is too long is told");
	prn_buffer_release(&text);
}

static void refused(void)
{
	static char boundary[1 << 20];
	struct prn_buffer text = { 0 };
	struct prn_source_options now = { .has_time = true, .time = 1771592400 };

	read_text("undated.mht", "MIME-Version: 1.0\r\nContent-Location: http://a.example/\r\n\r\nx");
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "undated.mht: a message without a Date"), "a message without a date is refused");
	read_source(&reading, in_scratch("undated.mht"), &now);
	same(line(0), "2026-02-20T13:00:00Z content http://a.example/ - x", "a message without a date has that of the options");
	read_text("misdated.mht", "MIME-Version: 1.0\r\nDate: some day\r\nContent-Location: http://a.example/\r\n\r\nx");
	ok(reading.opened == PRN_E_INPUT, "a message with a date that is none is refused");
	read_text("unbound.mht", "Content-Type: multipart/related\r\nDate: 20 Feb 2026 13:00 GMT\r\n\r\n--x\r\n");
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "unbound.mht: a multipart that tells no boundary"), "a multipart without a boundary is refused");
	memset(boundary, 'b', sizeof boundary - 1);
	add_text(&text, "MIME-Version: 1.0\r\nDate: 20 Feb 2026 13:00 GMT\r\nContent-Type: multipart/related; boundary=\"%s\"\r\n\r\n--%s\r\n\r\nx", boundary, boundary);
	put_buffer("bound.mht", &text);
	read_source(&reading, in_scratch("bound.mht"), NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "its header has more than 65536 bytes"), "a boundary of a megabyte is refused");
	prn_buffer_clear(&text);
	boundary[201] = 0;
	add_text(&text, "Date: 20 Feb 2026 13:00 GMT\r\nContent-Type: multipart/related; boundary=\"%s\"\r\n\r\n--%s\r\n\r\nx", boundary, boundary);
	put_buffer("bound.mht", &text);
	read_source(&reading, in_scratch("bound.mht"), NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "one of more than 200 bytes"), "a boundary of 201 bytes is refused");
	boundary[200] = 0;
	prn_buffer_clear(&text);
	add_text(&text, "Date: 20 Feb 2026 13:00 GMT\r\nContent-Type: multipart/related; boundary=\"%s\"\r\n\r\n--%s\r\nContent-Location: http://a.example/\r\n\r\nx\r\n--%s--",
	         boundary, boundary, boundary);
	put_buffer("bound.mht", &text);
	read_source(&reading, in_scratch("bound.mht"), NULL);
	ok(reading.count == 1 && !reading.ended, "a boundary of 200 bytes is read");
	read_text("mail.txt", "From: somebody\r\nSubject: no MIME\r\nDate: 20 Feb 2026 13:00 GMT\r\n\r\nHello");
	ok(reading.opened == PRN_E_INPUT || (reading.ended < 0 && !reading.count), "a mail that says nothing of MIME is none");
	prn_buffer_release(&text);
}

static void zero_bytes(void)
{
	static const char part[] = BLINK PART "Content-Location: http://bank.example/\0.evil.example/x\r\n\r\nfirst\r\n" PART
	                           "Content-Type: text/html\r\n\r\nsecond\r\n" PART "Content-Location: http://a.example/3\r\n\r\nthird\r\n" CLOSE;
	static const char message[] = "MIME-Version: 1.0\r\nDate: 20 Feb 2026 13:00 GMT\r\nContent-Location: http://a.example/\0x\r\n\r\nx";

	read_source(&reading, put_file("zero.mht", part, sizeof part - 1), NULL);
	same(tally(&reading), "1 capture, 1 ignored, 1 damaged", "a part whose URL has a zero byte is passed over, and no other takes the page's place");
	same(line(0), "2026-02-20T13:00:00Z content http://a.example/3 - third", "the parts behind one whose URL has a zero byte are read");
	ok(HOLDS(skipped_text(&reading), "zero.mht: part 1: its header has a zero byte in it"), "a part whose URL has a zero byte is told");
	read_source(&reading, put_file("zero.mht", message, sizeof message - 1), NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "zero.mht: its header has a zero byte in it"), "a message whose URL has a zero byte is refused");
}

#define BROKEN "------MultipartBoundary--X7----\r\n"

/* The boundary before the saved page is damaged, so that the page is text before the first part. */
static void lost_page(void)
{
	read_text("lost.mht", BLINK BROKEN "Content-Type: text/html\r\n\r\nfirst\r\n" PART
	          "Content-Type: text/css\r\n\r\nstyle\r\n" PART "Content-Location: http://a.example/2\r\n\r\nsecond\r\n" CLOSE);
	same(tally(&reading), "1 capture, 1 ignored, 1 damaged", "a part before the first boundary is damage, and no other takes the page's place");
	ok(HOLDS(skipped_text(&reading), "lost.mht: part 1: it stands before the first boundary"), "a part before the first boundary is told");
	read_text("lost.mht", BLINK BROKEN "Content-Location: http://a.example/\r\n\r\nfirst\r\n" CLOSE);
	same(tally(&reading), "0 captures, 1 damaged", "a single part before the first boundary is damage");
	read_text("said.mht", BLINK "This is a message of several parts.\r\n" PART "Content-Location: http://a.example/2\r\n\r\nx\r\n" CLOSE);
	same(tally(&reading), "1 capture", "a text before the first boundary is none of the parts");
}

#define SINGLE "MIME-Version: 1.0\r\nDate: 20 Feb 2026 13:00 GMT\r\nContent-Location: http://a.example/\r\nContent-Transfer-Encoding: "

static bool is_whole(const char *text, const char *body)
{
	read_text("single.mht", text);
	return reading.count == 1 && !reading.ended && reading.seen[0].capture.kind == PRN_KIND_CONTENT && !strcmp((char *)reading.seen[0].body, body);
}

static bool is_cut(const char *text)
{
	read_text("single.mht", text);
	return reading.count == 1 && reading.ended == PRN_E_TRUNCATED && reading.seen[0].capture.kind == PRN_KIND_ERROR &&
	       !reading.counts.unread;
}

/* A message that is one part has no boundary behind it: where it was cut only its encoding can tell. */
static void cut_encodings(void)
{
	ok(is_whole(SINGLE "base64\r\n\r\nQm9hdHM=", "Boats") && is_whole(SINGLE "base64\r\n\r\nQm9hdHMh", "Boats!"),
	   "base64 that ends with the file is whole where its last four are");
	ok(is_cut(SINGLE "base64\r\n\r\nQm9hdHM") && is_cut(SINGLE "base64\r\n\r\nQm9hdH") && is_cut(SINGLE "base64\r\n\r\nQm9h\r\ndA="),
	   "base64 in whose last four the file ends is cut");
	ok(HOLDS(reading.error.text, "single.mht: the file ends within a part"), "that base64 is cut is told");
	ok(is_cut(SINGLE "base64\r\n\r\nQm9hd"), "base64 is cut, and not damaged, where the file ends within its byte");
	ok(is_whole(SINGLE "base64\r\n\r\nQm9hdHM\r\n", "Boats"), "base64 without padding is whole behind the end of its line");
	ok(is_whole(BLINK PART "Content-Location: http://a.example/\r\nContent-Transfer-Encoding: base64\r\n\r\nQm9hdHM\r\n" CLOSE, "Boats"),
	   "base64 without padding is whole before a boundary");
	read_text("single.mht", BLINK PART "Content-Location: http://a.example/\r\nContent-Transfer-Encoding: base64\r\n\r\nQm9hdHM=\x01\r\n" CLOSE);
	ok(reading.counts.unread == 1 && reading.seen[0].capture.kind == PRN_KIND_ERROR, "what is no base64 at its end makes a part that cannot be read");
	ok(is_cut(SINGLE "quoted-printable\r\n\r\nBoats=") && is_cut(SINGLE "quoted-printable\r\n\r\nBoats=2"),
	   "quoted-printable text in whose escape the file ends is cut");
	ok(is_whole(SINGLE "quoted-printable\r\n\r\nBoats=21", "Boats!"), "quoted-printable text is whole behind an escape");
}

static void lost_members(void)
{
	struct prn_buffer file = { 0 };

	add_pieces(&file, BLINK PART "Content-Location: http://a.example/1\r\n\r\nfirst\r\n" PART "Content-Location: http://a.example/2\r\n\r\nsec||ond\r\n" CLOSE);
	read_source(&reading, put_buffer("lost.mhtml.gz", &file), NULL);
	ok(reading.count == 2 && reading.seen[0].capture.kind == PRN_KIND_CONTENT && reading.seen[1].capture.kind == PRN_KIND_ERROR &&
	           reading.counts.unread == 1,
	   "a part of which zeros stand in place of the middle is an error");
	ok(HOLDS(skipped_text(&reading), "lost.mhtml.gz: part 2: 1024 bytes of zeros at offset"), "zeros in a part are told");
	prn_buffer_release(&file);
}

static void cut(void)
{
	static const char text[] = BLINK PART "Content-Location: http://a.example/1\r\n\r\nfirst\r\n" PART "Content-Location: http://a.example/2\r\n\r\nsecond\r\n" CLOSE;
	const char *second = strstr(text, "second");
	struct prn_buffer packed = { 0 };
	size_t whole = 0, told = 0, most = sizeof text - 1;

	put_file("cut.mht", text, (size_t)(second - text) + 3);
	read_source(&reading, in_scratch("cut.mht"), NULL);
	ok(reading.count == 2, "a file that is cut within a part has the parts that began");
	ok(reading.ended == PRN_E_TRUNCATED && HOLDS(reading.error.text, "cut.mht: the file ends within a part"),
	   "a file that is cut within a part ends early");
	ok(reading.seen[0].capture.kind == PRN_KIND_CONTENT, "a part before one that is cut is content");
	ok(reading.seen[1].capture.kind == PRN_KIND_ERROR && !reading.seen[1].capture.body_bytes, "a part that is cut is an error");
	ok(reading.seen[1].capture.ignored_bytes == 3, "of a part that is cut it is known how many bytes there were");
	for (size_t length = sizeof BLINK; length < most - 2; length++) {
		put_file("cut.mht", text, length);
		read_source(&reading, in_scratch("cut.mht"), NULL);
		told += reading.ended == PRN_E_TRUNCATED;
		whole += reading.count < 3 && !reading.counts.damaged;
	}
	ok(told == most - 2 - sizeof BLINK && whole == told, "wherever behind its header a file is cut before its last boundary is whole, that is told");
	add_gzip(&packed, text, most);
	put_buffer("packed.mhtml.gz", &packed);
	read_source(&reading, in_scratch("packed.mhtml.gz"), NULL);
	ok(reading.count == 2 && !reading.ended, "a file may be packed");
	packed.data[packed.length - 6] ^= 1;
	put_buffer("packed.mhtml.gz", &packed);
	read_source(&reading, in_scratch("packed.mhtml.gz"), NULL);
	ok(reading.count <= 2 && reading.counts.damaged + (reading.ended < 0) >= 1, "a packing that is damaged is told once, and ends");
	prn_buffer_release(&packed);
}

static void limits(void)
{
	static const char *const media[] = { "text/*" };
	struct prn_source_options options = { .body_bytes_max = 5, .filter = { .media = media, .media_count = 1 } };

	any = &options;
	read_text("limits.mht", BLINK PART "Content-Location: http://a.example/1\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nQm9h\r\ndHMh\r\n" PART
	          "Content-Location: http://a.example/2\r\nContent-Type: text/html\r\n\r\nBoats\r\n" PART
	          "Content-Location: http://a.example/3\r\nContent-Type: image/png\r\n\r\nBoats\r\n" PART
	          "Content-Location: http://a.example/4\r\nContent-Type: text/html\r\n\r\nBoat\r\n\r\n" CLOSE);
	same(tally(&reading), "3 captures, 1 filtered, 2 cut", "media types filter parts, and those above the limit are cut");
	ok(reading.counts.other_media == 1, "a part that its media type leaves out is counted as such");
	same(line(0), "2026-02-20T13:00:00Z content http://a.example/1 text/html Boats", "a part above the limit is cut there");
	ok(!reading.seen[1].capture.truncated, "a part of just the limit is whole");
	ok(reading.seen[0].capture.truncated && reading.seen[2].capture.truncated, "parts above the limit are truncated");
	options.filter.has_to = true;
	options.filter.to = 1771592400;
	read_source(&reading, in_scratch("limits.mht"), &options);
	ok(!reading.count && reading.counts.filtered == 4, "parts are filtered by the time of the message");
	any = NULL;
}

/* A million parts, of which nothing is kept. */
static void many(void)
{
	struct prn_buffer text = { 0 };
	struct prn_source *source = NULL;
	struct prn_capture capture;
	uint64_t count = 0;

	add_text(&text, BLINK);
	for (int i = 0; i < 1000000; i++)
		add(&text, PART, sizeof PART - 1);
	add_text(&text, "Content-Location: http://a.example/\r\n\r\nlast\r\n" CLOSE);
	put_buffer("many.mht", &text);
	must(!prn_source_open(&source, in_scratch("many.mht"), NULL, NULL), "open a file");
	while (prn_source_next(source, &capture, NULL) == 1)
		count++;
	ok(count == 2 && prn_source_counts(source)->records == 1000000, "a million parts are read");
	prn_source_free(source);
	prn_buffer_release(&text);
}

static void folders(void)
{
	mkdir(in_scratch("saved"), 0777);
	read_text("saved/b.mhtml", BLINK PART "\r\nb\r\n" CLOSE);
	read_text("saved/a.MHT", BLINK PART "Content-Location: http://a.example/\r\n\r\na\r\n" CLOSE);
	read_text("saved/c.txt", BLINK PART "\r\nc\r\n" CLOSE);
	read_source(&reading, in_scratch("saved"), NULL);
	ok(reading.count == 2 && reading.counts.ignored == 1, "a folder of pages saved as MHTML is a source of them all");
	same(line(0), "2026-02-20T13:00:00Z content http://a.example/ - a", "files of a folder come in the order of their names");
}

int main(void)
{
	make_scratch();
	chromium();
	by_message();
	nested();
	odd_parts();
	refused();
	zero_bytes();
	lost_page();
	cut();
	cut_encodings();
	lost_members();
	limits();
	many();
	folders();
	reading_release(&reading);
	return done();
}
