/* WARC records as captures: kinds, revisits, what is left out, what is told. */
#include "fixture.h"
#include "perennial/error.h"

#include "archive/payload.h"

#define TIME "2026-01-01T00:00:00Z"
#define SECONDS 1767225600 /* date -ud 2026-01-01 +%s */

static struct prn_buffer file;
static struct reading reading;

/* Reads what file holds, and empties it. */
static void read_file(const struct prn_source_options *options)
{
	read_source(&reading, put_buffer("a.warc", &file), options);
	prn_buffer_clear(&file);
}

static bool is_capture(size_t i, const char *url, enum prn_kind kind, int status, const char *body)
{
	const struct seen *seen = &reading.seen[i];
	bool is = i < reading.count && !strcmp(seen->normal, url) && seen->capture.kind == kind &&
		  seen->capture.status == status && seen->capture.body_bytes == strlen(body) &&
		  !memcmp(seen->body, body, strlen(body));

	if (!is && i < reading.count)
		printf("# %s %s %d \"%s\"\n", seen->normal, prn_kind_name(seen->capture.kind), seen->capture.status,
		       seen->body);
	return is;
}

static void response(const char *status, const char *head, const char *body)
{
	add_response(&file, "/x", TIME, status, head, body, strlen(body));
}

#define X "http://a.example/x"

static void kinds(void)
{
	response("200 OK", "Content-Type: text/html\r\nLast-Modified: Thu, 01 Jan 2026 00:00:07 GMT\r\nETag: W/\"7\"\r\n", "page");
	response("204 No Content", "", "junk");
	response("304 Not Modified", "Content-Length: 400\r\n", "");
	response("301 Moved", "Location: /elsewhere\r\nContent-Type: text/html\r\n", "<a>moved</a>");
	response("302 Found", "", "no Location");
	response("404 Not Found", "Content-Length: 9000\r\n", "not there");
	response("429 Too Many", "Retry-After: 120\r\n", "slow down");
	response("206 Partial", "", "half");
	response("500 Oops", "", "sorry");
	read_file(NULL);
	ok(!reading.ended && reading.count == 9, "every response is a capture");
	ok(reading.counts.captures == 9, "every capture is counted");
	ok(is_capture(0, X, PRN_KIND_CONTENT, 200, "page"), "an answer of 200 is content");
	same(reading.seen[0].capture.content_type, "text/html", "content comes with its media type");
	ok(reading.seen[0].capture.time == SECONDS, "a capture has the date of its record");
	ok(reading.seen[0].capture.modified == SECONDS + 7, "a capture has the Last-Modified of its answer");
	same(reading.seen[0].capture.etag, "W/\"7\"", "a capture has the ETag of its answer");
	ok(!reading.seen[1].capture.etag, "a capture whose answer has no ETag has none");
	ok(is_capture(1, X, PRN_KIND_CONTENT, 204, ""), "an answer of 204 is empty content");
	ok(is_capture(2, X, PRN_KIND_SAME, 304, ""),
	   "an answer of 304 is the same content, whatever Content-Length it repeats");
	ok(is_capture(3, X, PRN_KIND_REDIRECT, 301, "/elsewhere"), "the content of a redirect is its Location");
	same(reading.seen[3].capture.content_type, "application/octet-stream",
	     "a redirect has a media type that makes its Location one fragment");
	ok(is_capture(4, X, PRN_KIND_REDIRECT, 302, ""), "the content of a redirect without a Location is empty");
	ok(is_capture(5, X, PRN_KIND_GONE, 404, ""), "an answer of 404 is gone, and its body is left unread");
	near((double)reading.seen[5].capture.ignored_bytes, 9, 0, "how long the body of an answer of 404 is in the archive is known");
	ok(is_capture(6, X, PRN_KIND_REFUSED, 429, ""), "an answer of 429 is a refusal");
	ok(reading.seen[6].capture.retry_after_s == 120, "a refusal comes with its Retry-After");
	ok(reading.seen[7].capture.retry_after_s == PRN_TIME_UNKNOWN,
	   "an answer without a Retry-After comes without one");
	ok(is_capture(7, X, PRN_KIND_ERROR, 206, "") && is_capture(8, X, PRN_KIND_ERROR, 500, ""),
	   "answers of 206 and 500 are errors");
	ok(!reading.skipped.length, "whole responses of any status are read without a message");
}

static void broken_bodies(void)
{
	response("200 OK", "Content-Length: 10\r\n", "short");
	response("200 OK", "Transfer-Encoding: chunked\r\n", "5\r\nshort\r\n");
	response("200 OK", "Content-Encoding: compress\r\n", "\x0b\x02\x80packed\x03");
	response("200 OK", "Content-Encoding: gzip\r\n", "\x1f\x8b\x08nonsense");
	add_record(&file, "response", "WARC-Target-URI: " X "\r\nWARC-Date: " TIME "\r\n", "ICY 200 OK\r\n\r\n", 14);
	response("200 OK", "", "fine");
	read_file(NULL);
	ok(!reading.ended && reading.count == 6, "responses whose bodies are broken are captures all the same");
	ok(is_capture(0, X, PRN_KIND_ERROR, 200, "") && is_capture(1, X, PRN_KIND_ERROR, 200, ""),
	   "a transfer that is cut short is an error");
	ok(is_capture(2, X, PRN_KIND_ERROR, 200, "") && is_capture(3, X, PRN_KIND_ERROR, 200, ""),
	   "a body that cannot be decoded is an error");
	ok(is_capture(4, X, PRN_KIND_ERROR, 0, ""), "a response that is no HTTP is an error");
	ok(is_capture(5, X, PRN_KIND_CONTENT, 200, "fine"), "a response after broken ones is read");
	ok(reading.counts.unread == 3 && !reading.counts.damaged,
	   "bodies that could not be decoded are counted as unread, not as damaged");
	ok(HOLDS(skipped_text(&reading), "a.warc: record at offset ", "(" X "): its encoding \"compress\" is not read",
	                 "its Content-Encoding", "it holds no HTTP response"),
	   "a body that could not be decoded is told with its URL");
}

static void truncated_field(const char *reason)
{
	char fields[256];

	snprintf(fields, sizeof fields, "WARC-Target-URI: " X "\r\nWARC-Date: " TIME "\r\nWARC-Truncated: %s\r\n", reason);
	add_record(&file, "response", fields, "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nfront", 44);
}

static void truncated_records(void)
{
	truncated_field("length");
	truncated_field("time");
	truncated_field("disconnect");
	read_file(NULL);
	ok(is_capture(0, X, PRN_KIND_CONTENT, 200, "front"), "a record with WARC-Truncated: length is content");
	ok(reading.seen[0].capture.truncated, "a record with WARC-Truncated: length is marked truncated");
	ok(reading.count == 3, "every record with a WARC-Truncated is a capture");
	ok(reading.counts.cut == 1, "a record with WARC-Truncated: length is counted as cut");
	ok(is_capture(1, X, PRN_KIND_ERROR, 200, "") && is_capture(2, X, PRN_KIND_ERROR, 200, ""),
	   "a record with WARC-Truncated for any other reason is an error");

	add_record(&file, "response", "WARC-Target-URI: " X "\r\nWARC-Date: " TIME "\r\nWARC-Truncated: \r\n",
	           "HTTP/1.1 200 OK\r\n\r\npage", 23);
	add_record(&file, "resource", "WARC-Target-URI: " X "\r\nWARC-Date: " TIME "\r\nWARC-Truncated: length\r\n", "front", 5);
	read_file(NULL);
	ok(is_capture(0, X, PRN_KIND_CONTENT, 200, "page") && !reading.seen[0].capture.truncated,
	   "a record with an empty WARC-Truncated is whole");
	ok(is_capture(1, X, PRN_KIND_CONTENT, 0, "front") && reading.seen[1].capture.truncated,
	   "a resource with WARC-Truncated: length is content, marked truncated");
}

/* A record that was cut in several: each part has some of the bytes, and only the first has the HTTP head. */
static void segments(void)
{
	static const char fields[] = "WARC-Target-URI: " X "\r\nWARC-Date: " TIME "\r\nWARC-Segment-Number: 1\r\n";

	add_record(&file, "response", fields, "HTTP/1.1 200 OK\r\n\r\npage", 23);
	add_record(&file, "resource", fields, "page", 4);
	read_file(NULL);
	ok(reading.count == 2, "every part of a record is a capture");
	ok(is_capture(0, X, PRN_KIND_ERROR, 200, ""), "a part of a response is an error");
	ok(HOLDS(skipped_text(&reading), "it is a part of a record, and parts (WARC-Segment-Number) are not joined"),
	   "a part of a record is told as one that is not joined");
	ok(is_capture(1, X, PRN_KIND_ERROR, 0, ""), "a part of a resource is an error");
}

static void revisit(const char *profile, const char *more, const char *block)
{
	struct prn_buffer fields = { 0 };

	add_text(&fields, "WARC-Target-URI: <" X ">\r\nWARC-Date: " TIME "\r\nWARC-Profile: %s\r\n%s", profile, more);
	must(!prn_buffer_terminate(&fields), "allocate");
	add_record(&file, "revisit", (char *)fields.data, block, strlen(block));
	prn_buffer_release(&fields);
}

#define PROFILE "http://netpreserve.org/warc/"

static void zero_bytes(void)
{
	static const char head[] = "HTTP/1.1 302 Found\r\nLocation: http://bank.example/\0.evil.example/x\r\n\r\n";
	static const char other[] = "HTTP/1.1 200 OK\r\nX-Cache: \0\r\n\r\npage";
	static const char fields[] = "WARC-Target-URI: " X "\r\nWARC-Date: " TIME "\r\nContent-Type: application/http\r\n";

	add_record(&file, "response", fields, head, sizeof head - 1);
	add_record(&file, "response", fields, other, sizeof other - 1);
	read_file(NULL);
	ok(is_capture(0, X, PRN_KIND_ERROR, 0, "") && reading.counts.unread == 1, "a Location with a zero byte leads nowhere");
	ok(HOLDS(skipped_text(&reading), "one of a redirect with a zero byte"), "a Location with a zero byte is told");
	ok(is_capture(1, X, PRN_KIND_CONTENT, 200, "page"), "a zero byte in the head of an answer that is no redirect harms nothing");
}

static void revisits(void)
{
	static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n";
	static const char *const media[] = { "text/html" };
	const struct prn_source_options html_only = { .filter = { .media = media, .media_count = 1 } };
	const struct prn_capture *capture = &reading.seen[0].capture;

	revisit(PROFILE "1.1/revisit/identical-payload-digest",
	        "WARC-Refers-To-Target-URI: HTTP://B.example\r\nWARC-Refers-To-Date: 2025-12-31T23:59:59.75Z\r\n"
	        "WARC-Payload-Digest: sha1:XVJN2XDFLFPAM5FJD37DSOP2Y7M7QBU2\r\n",
	        head);
	revisit(PROFILE "1.0/revisit/identical-payload-digest", "", "");
	revisit(PROFILE "1.0/revisit/server-not-modified", "", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5000\r\n\r\n");
	revisit(PROFILE "1.1/revisit/server-not-modified", "", "");
	revisit(PROFILE "1.0/revisit/uri-agnostic-identical-payload-digest", "", head);
	revisit(PROFILE "1.1/revisit/identical-payload-digest", "", "HTTP/1.1 404 Not Found\r\n\r\n");
	revisit(PROFILE "1.1/revisit/identical-payload-digest", "", "HTTP/1.1 301 Moved\r\nLocation: /y\r\n\r\n");
	revisit("http://b.example/own-profile", "", head);
	read_file(NULL);
	ok(reading.count == 7, "every revisit of a known profile is a capture");
	ok(is_capture(0, X, PRN_KIND_CONTENT, 200, "") && capture->revisit == PRN_REVISIT_IDENTICAL,
	   "a revisit with the same payload is content without a body, for all its Content-Length");
	same(capture->refers_to_url, "http://b.example/",
	     "the URL that a revisit refers to is brought into normal form");
	ok(capture->refers_to_time == SECONDS - 1, "the date that a revisit refers to is read in whole seconds");
	ok(capture->has_payload_digest, "the payload digest of a revisit is read");
	same(capture->url, X, "the angle brackets that wget puts around a URL are taken off");
	ok(is_capture(1, X, PRN_KIND_CONTENT, 0, "") && reading.seen[1].capture.revisit == PRN_REVISIT_IDENTICAL,
	   "a revisit of WARC 1.0, which has a profile URI of its own, is content without a head too");
	same(reading.seen[1].capture.refers_to_url, X, "a revisit that names no other URL refers to its own");
	ok(reading.seen[1].capture.refers_to_time == PRN_TIME_UNKNOWN,
	   "a revisit that names no date refers to an unknown time");
	ok(!reading.seen[1].capture.has_payload_digest, "a revisit that names no digest has none");
	for (size_t i = 2; i < 4; i++)
		ok(is_capture(i, X, PRN_KIND_SAME, i == 2 ? 304 : 0, "") &&
		           reading.seen[i].capture.revisit == PRN_REVISIT_NOT_MODIFIED,
		   "a server-not-modified revisit of WARC 1.%zu is the same content", i - 2);
	ok(is_capture(4, X, PRN_KIND_CONTENT, 200, "") && reading.seen[4].capture.revisit == PRN_REVISIT_IDENTICAL,
	   "a revisit with the URI-agnostic profile is one with the same payload");
	ok(is_capture(5, X, PRN_KIND_GONE, 404, "") && reading.seen[5].capture.revisit, "a revisit of an error page is gone");
	ok(is_capture(6, X, PRN_KIND_REDIRECT, 301, "/y"), "a revisit of a redirect brings its Location itself");
	ok(!reading.seen[6].capture.revisit && !reading.seen[6].capture.refers_to_url,
	   "a revisit of a redirect that brings its Location repeats no other capture");
	ok(reading.counts.damaged == 1 && HOLDS(skipped_text(&reading), "a.warc: record", "WARC-Profile is not known"),
	   "a revisit with an unknown profile is counted as damaged and told");

	revisit(PROFILE "1.1/revisit/identical-payload-digest", "", "HTTP/1.1 301 Moved\r\n\r\n");
	read_file(NULL);
	ok(is_capture(0, X, PRN_KIND_REDIRECT, 301, "") && capture->revisit == PRN_REVISIT_IDENTICAL,
	   "a revisit of a redirect without a Location repeats the one that it refers to");
	revisit(PROFILE "1.1/revisit/server-not-modified", "", "HTTP/1.1 304 Not Modified\r\nContent-Type: text/css\r\n\r\n");
	revisit(PROFILE "1.1/revisit/identical-payload-digest", "", "HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n\r\n");
	read_file(&html_only);
	ok(reading.count == 1 && is_capture(0, X, PRN_KIND_SAME, 304, ""),
	   "media types select revisits of content, and a revisit that is not modified passes");
}

static void other_records(void)
{
	add_record(&file, "warcinfo", "WARC-Date: " TIME "\r\n", "software: x\r\n", 13);
	add_record(&file, "request", "WARC-Target-URI: " X "\r\nWARC-Date: " TIME "\r\n", "GET /x HTTP/1.1\r\n\r\n", 19);
	add_record(&file, "metadata", "WARC-Date: " TIME "\r\n", "", 0);
	add_record(&file, "prophecy", "WARC-Date: " TIME "\r\n", "x", 1);
	add_record(&file, "response", "WARC-Target-URI: dns:a.example\r\nWARC-Date: " TIME "\r\n", "1.2.3.4", 7);
	add_record(&file, "RESOURCE",
	           "warc-target-uri: " X "\r\nWARC-DATE:\r\n 2026-01-01T00:00:00.999Z\r\ncontent-type: text/css\r\n",
	           "body {}", 7);
	read_file(NULL);
	ok(reading.counts.records == 6, "records without captures are counted as records");
	ok(reading.counts.ignored == 5 && !reading.counts.damaged,
	   "records without captures, and of other schemes, are counted as ignored, not as damaged");
	ok(reading.count == 1 && is_capture(0, X, PRN_KIND_CONTENT, 0, "body {}"), "a resource record is content");
	same(reading.seen[0].capture.content_type, "text/css",
	     "a resource has the media type of its record, in whatever case the field is named");
	ok(reading.seen[0].capture.time == SECONDS,
	   "a date on a folded line is read, and its fraction of a second dropped");
}

static void bad_records(void)
{
	/* First: it is passed by its length, which other versions are taken to have too. */
	add_text(&file, "WARC/2.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n");
	add_record(&file, "response", "WARC-Date: " TIME "\r\n", "x", 1);
	add_record(&file, "response", "WARC-Target-URI: " X "\r\n", "x", 1);
	add_record(&file, "response", "WARC-Target-URI: " X "\r\nWARC-Date: yesterday\r\n", "x", 1);
	add_record(&file, "response", "WARC-Target-URI: http://a b.example/x\r\nWARC-Date: " TIME "\r\n", "x", 1);
	add_text(&file, "WARC/1.1\r\nWARC-Type: response\r\n\r\n\r\n\r\n");
	add_text(&file, "WARC/1.1\r\nContent-Length: 0\r\n\r\n\r\n\r\n");
	add_text(&file, "WARC/1.1\r\nWARC-Type: response\r\nContent-Length: -5\r\n\r\n\r\n\r\n");
	add_text(&file, "WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 99999999999999999999\r\n\r\n\r\n\r\n");
	add_text(&file, "WARC/1.1\r\nX: %080000d\r\n\r\n", 0);
	response("200 OK", "", "fine");
	read_file(NULL);
	same(tally(&reading), "1 capture, 10 damaged", "each of ten bad records is counted as damaged, and ends nothing");
	ok(is_capture(0, X, PRN_KIND_CONTENT, 200, "fine"), "the record after ten bad ones is read");
	ok(reading.counts.damaged == 10, "each of ten bad records is counted as damaged");
	ok(HOLDS(skipped_text(&reading), "record at offset 56: it has no WARC-Target-URI",
	                 "WARC-Date is missing", "(http://a b.example/x): its WARC-Target-URI is malformed",
	                 "its Content-Length is missing or is no number", "it has no WARC-Type",
	                 "a.warc: record at offset 0: its version is not read: WARC/1.0, WARC/1.1 and WARC/0.16 to 0.18 are",
	                 "does not end within 65536 bytes"),
	   "each bad record is told with its offset or URL and what is wrong with it");
}

/* A record says length bytes more than it has; three follow. */
static void wrong_length(int more, const char *what)
{
	struct prn_buffer block = { 0 };

	add_text(&block, "HTTP/1.1 200 OK\r\n\r\n%0500d", 0);
	add_text(&file,
	         "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: " X "\r\nWARC-Date: " TIME
	         "\r\nContent-Length: %d\r\n\r\n",
	         (int)block.length + more);
	add(&file, block.data, block.length);
	add_text(&file, "\r\n\r\n");
	for (int i = 0; i < 3; i++)
		response("200 OK", "", "fine");
	read_file(NULL);
	same(tally(&reading), "4 captures, 1 damaged", "a Content-Length that is %s is damage to one record", what);
	ok(is_capture(1, X, PRN_KIND_CONTENT, 200, "fine"), "a Content-Length that is %s costs no other record", what);
	ok(reading.seen[0].capture.kind == PRN_KIND_CONTENT && reading.seen[0].capture.truncated,
	   "what there is of a body whose Content-Length is %s is content that is truncated", what);
	near((double)reading.seen[0].capture.body_bytes, more < 0 ? 500 + more : 504, 0,
	     "a body whose Content-Length is %s has all the bytes that there are", what);
	ok(HOLDS(skipped_text(&reading), "a.warc: record at offset 0 (" X "): "),
	   "a record whose Content-Length is %s is told with its offset and URL", what);
	prn_buffer_release(&block);
}

static void line_ends(void)
{
	add_text(&file, "WARC/1.0\nWARC-Type: response\nWARC-Target-URI: " X "\nWARC-Date: " TIME
	                "\nContent-Length: 22\n\nHTTP/1.1 200 OK\n\npage1\n\n");
	add_text(&file, "WARC/1.0\nWARC-Type: response\nWARC-Target-URI: " X "\nWARC-Date: " TIME
	                "\nContent-Length: 22\n\nHTTP/1.1 200 OK\n\npage2\n\n");
	read_file(NULL);
	same(tally(&reading), "2 captures", "records whose lines end with LF alone are read");
	ok(is_capture(1, X, PRN_KIND_CONTENT, 200, "page2"), "a body behind lines that end with LF alone is whole");
}

/* ClueWeb09: version 0.18, line ends of LF alone, also in HTTP heads, offsets, and days of the year in dates. */
static void drafts(void)
{
	static const struct {
		const char *date;
		int64_t time;
	} dates[] = {
		{ "2009-03-65T08:43:19-0800", 1236357799 }, /* date -ud 2009-03-06T16:43:19Z +%s */
		{ "2009-01-13T18:05:35-0800", 1231898735 },
		{ "2009-02-59T00:00:00Z", 1235779200 },
		{ "2008-12-366T23:59:59Z", 1230767999 },
	};
	static const char *const wrong[] = { "2009-03-99T08:43:19-0800", "2009-03-400T08:43:19-0800", "2009-03-65", "2009-06-32T00:00:00Z",
		                             "2009-01-366T00:00:00Z", "2009-12--5T00:00:00Z", "2009-03-+65T00:00:00Z", "2009-12-000T00:00:00Z",
		                             "9999-12-365T23:59:60Z", "9999-12-366T00:00:00Z" };

	for (size_t i = 0; i < sizeof dates / sizeof *dates; i++)
		add_text(&file, "WARC/0.1%d\nWARC-Type: response\nWARC-Target-URI: " X "\nWARC-Date: %s\nContent-Type: "
		                "application/http;msgtype=response\nContent-Length: %d\n\nHTTP/1.1 200 OK\nContent-Type: text/html\n\npage\n\n",
		         i ? 8 : 7, dates[i].date, 45);
	read_file(NULL);
	for (size_t i = 0; i < sizeof dates / sizeof *dates; i++)
		ok(is_capture(i, X, PRN_KIND_CONTENT, 200, "page") && reading.seen[i].capture.time == dates[i].time,
		   "a record of a draft of %s is a capture", dates[i].date);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		add_text(&file, "WARC/0.18\nWARC-Type: response\nWARC-Target-URI: " X "\nWARC-Date: %s\nContent-Length: 0\n\n\n\n", wrong[i]);
		read_file(NULL);
		ok(!reading.count && reading.counts.damaged == 1, "%s is no date", wrong[i]);
	}
	add_text(&file, "WARC/0.18\nWARC-Type: metadata\nContent-Length: 9\n\nwhat is no record of which the length is right\n\n");
	add_text(&file, "WARC/0.18\nWARC-Type: response\nWARC-Target-URI: " X "\nWARC-Date: 2009-01-13T18:05:35-0800\nContent-Length: 21\n\n"
	                "HTTP/1.1 200 OK\n\npage\n\n");
	read_file(NULL);
	same(tally(&reading), "1 capture, 1 ignored, 1 damaged", "what is no record of a draft is damage once");
	ok(is_capture(0, X, PRN_KIND_CONTENT, 200, "page"), "behind damage the next record of a draft is found");
}

/* What the end of a file, or of a packed member, leaves of a record. */
static void cut_records(void)
{
	static const char long_body[5000];
	static unsigned char stored[6000];
	struct prn_buffer packed = { 0 };
	z_stream zlib = { 0 };

	response("200 OK", "Content-Type: text/html\r\n", "a page of some length");
	file.length -= 14;
	read_file(NULL);
	ok(reading.ended == PRN_E_TRUNCATED && HOLDS(reading.error.text, "a.warc: record at offset 0 (" X "): the file ends inside it"),
	   "a file that ends within a record is told to be cut, with the record");
	ok(is_capture(0, X, PRN_KIND_ERROR, 200, "a page of s"), "what the end of the file cuts is a transfer that was cut short");
	ok(reading.seen[0].capture.truncated, "what the end of the file cuts is truncated");
	response("301 Moved", "Location: /y\r\n", "a page of some length");
	file.length -= 14;
	read_file(NULL);
	ok(reading.ended == PRN_E_TRUNCATED && is_capture(0, X, PRN_KIND_REDIRECT, 301, "/y"),
	   "a redirect whose body is cut says where it leads all the same");
	response("200 OK", "Content-Length: 7\r\n", "a page of some length");
	file.length -= 14;
	read_file(NULL);
	ok(reading.ended == PRN_E_TRUNCATED, "a file that ends behind a whole body within its record is told to be cut");
	ok(is_capture(0, X, PRN_KIND_CONTENT, 200, "a page ") && !reading.seen[0].capture.truncated,
	   "a body that is as long as its head says is whole, wherever the record is cut");
	response("200 OK", "Content-Type: text/html\r\n", "a page");
	file.length -= 50;
	read_file(NULL);
	ok(reading.ended == PRN_E_TRUNCATED && !reading.count, "of a record that is cut in its head there is no capture");

	response("200 OK", "", "a page of some length");
	add_gzip(&packed, file.data, file.length - 14);
	prn_buffer_clear(&file);
	response("200 OK", "", "next");
	add_gzip(&packed, file.data, file.length);
	prn_buffer_clear(&file);
	read_source(&reading, put_buffer("a.warc.gz", &packed), NULL);
	same(tally(&reading), "2 captures, 1 damaged", "a record that its member ends is damage, and ends nothing");
	ok(is_capture(0, X, PRN_KIND_CONTENT, 200, "a page of s") && reading.seen[0].capture.truncated,
	   "a record that its member ends, whose checksum holds, is content that is truncated");
	ok(is_capture(1, X, PRN_KIND_CONTENT, 200, "next"), "the record behind one that its member ends is read");
	prn_buffer_clear(&packed);

	/* What follows the cut is taken for more of the stored block that it cut, up to the end of the file. */
	add_response(&file, "/x", TIME, "200 OK", "", long_body, sizeof long_body);
	must(deflateInit2(&zlib, 0, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK, "deflate");
	zlib.next_in = file.data, zlib.avail_in = (uInt)file.length;
	zlib.next_out = stored, zlib.avail_out = sizeof stored;
	must(deflate(&zlib, Z_FINISH) == Z_STREAM_END, "deflate");
	deflateEnd(&zlib);
	add(&packed, stored, 600);
	prn_buffer_clear(&file);
	response("200 OK", "", "next");
	add_gzip(&packed, file.data, file.length);
	prn_buffer_clear(&file);
	read_source(&reading, put_buffer("a.warc.gz", &packed), NULL);
	same(tally(&reading), "1 capture, 1 damaged", "what came of a damaged packing is no capture");
	ok(is_capture(0, X, PRN_KIND_CONTENT, 200, "next"), "the record behind a damaged packing is read");
	prn_buffer_release(&packed);
}

/* Codings in several fields, which are one list: "hello" by gzip, twice. */
static void codings_in_fields(void)
{
	struct prn_buffer once = { 0 }, twice = { 0 };

	add_gzip(&once, "hello", 5);
	add_gzip(&twice, once.data, once.length);
	add_response(&file, "/x", TIME, "200 OK", "Content-Encoding: gzip\r\nContent-Encoding: x-gzip\r\n", twice.data, twice.length);
	add_response(&file, "/x", TIME, "200 OK", "Content-Encoding: gzip\r\n", twice.data, twice.length);
	add_response(&file, "/x", TIME, "200 OK", "Content-Encoding: gzip, gzip\r\nContent-Encoding: gzip, gzip\r\nContent-Encoding: gzip\r\n",
	             once.data, once.length);
	read_file(NULL);
	ok(is_capture(0, X, PRN_KIND_CONTENT, 200, "hello"), "codings in several fields are one list");
	ok(reading.seen[1].capture.body_bytes == once.length, "of one field the one coding is undone");
	ok(reading.seen[2].capture.kind == PRN_KIND_ERROR && reading.counts.unread == 1, "too many codings in several fields are refused");
	prn_buffer_release(&once);
	prn_buffer_release(&twice);
}

/* What a page's text pretends to be a record: of its own host, and of another one's page, which is not there any more. */
static void add_pretender(struct prn_buffer *out, const char *url)
{
	add_text(out, "\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-02-01T00:00:00Z\r\nContent-Length: 26\r\n\r\n"
	              "HTTP/1.1 404 Not Found\r\n\r\n\r\n\r\n", url);
}

static void pretended_records(void)
{
	struct prn_buffer body = { 0 };
	size_t start, end;

	add_pretender(&body, "http://victim.example/");
	add_pretender(&body, X);
	add_pretender(&body, "http://victim.example/");
	add_text(&body, "%0900d", 0);
	for (int good = 0; good < 2; good++) {
		response("200 OK", "", "before");
		start = file.length;
		add_response(&file, "/x", TIME, "200 OK", "", body.data, body.length);
		end = file.length;
		if (good) {
			/* Nine bytes of the text are lost: the next record begins within what this one claims. */
			file.length -= 9 + 4;
			add_text(&file, "\r\n\r\n");
			response("200 OK", "", "after");
			read_file(NULL);
			ok(!reading.ended && is_capture(reading.count - 1, X, PRN_KIND_CONTENT, 200, "after"),
			   "behind a record that claims too much the next one of its host is found");
		} else {
			file.length = end - 500;
			read_file(NULL);
			ok(reading.ended == PRN_E_TRUNCATED, "a file that ends within a page that pretends records is told to be cut");
			ok(reading.count == 2 && reading.seen[1].capture.kind == PRN_KIND_ERROR,
			   "nothing in a record that the end of the file cuts is a record, of whatever host");
		}
		for (size_t i = 0; i < reading.count; i++)
			ok(!strcmp(reading.seen[i].normal, X), "no page's text is a record of another host's page");
	}
	response("200 OK", "", "before");
	start = file.length;
	add_response(&file, "/x", TIME, "200 OK", "", body.data, body.length);
	memcpy((unsigned char *)memmem(file.data + start, 400, "Content-Length: ", 16) + 16, "9", 1);
	response("200 OK", "", "after");
	read_file(NULL);
	ok(!reading.ended && is_capture(reading.count - 1, X, PRN_KIND_CONTENT, 200, "after"),
	   "behind a record whose length reaches over the end of its file the next one of its host is found");
	for (size_t i = 0; i < reading.count; i++)
		ok(!strcmp(reading.seen[i].normal, X), "a record whose length reaches over the end of its file holds none of another host");
	prn_buffer_release(&body);
}

#define VICTIM "http://victim.example/"

/* A response whose header is bad, and whose body has what looks like a record of another host's page. */
static void add_bad_header(struct prn_buffer *out, size_t bad)
{
	static const char *const versions[] = { "WARC/1.0", "WARC/1.0", "WARC/1.0", "WARC/2.0", "WARC/1.0" };
	static const char *const types[] = { "WARC-Type: response\r\n", "WARC-Type: response\r\n", "WARC-Type: response\r\n",
		                             "WARC-Type: response\r\n", "" };
	struct prn_buffer block = { 0 };

	add_text(&block, "HTTP/1.1 200 OK\r\n\r\nx");
	add_pretender(&block, VICTIM);
	add_text(&block, "x");
	add_text(out, "%s\r\n%sWARC-Date: " TIME "\r\nWARC-Target-URI: http://evil.example/", versions[bad], types[bad]);
	if (bad < 2)
		add_text(out, "%0*d", bad ? 3000000 : 70000, 0);
	add(out, "", bad == 2);
	add_text(out, "\r\nContent-Length: %zu\r\n\r\n", block.length);
	add(out, block.data, block.length);
	add_text(out, "\r\n\r\n");
	prn_buffer_release(&block);
}

/* The three records as they are, or each packed as one member. */
static void put_records(const char *name, struct prn_buffer records[3])
{
	for (size_t i = 0; i < 3; i++)
		if (strstr(name, ".gz"))
			add_gzip(&file, records[i].data, records[i].length);
		else if (strstr(name, ".zst"))
			add_zstd(&file, records[i].data, records[i].length, NULL);
		else
			add(&file, records[i].data, records[i].length);
	read_source(&reading, put_buffer(name, &file), NULL);
	prn_buffer_clear(&file);
}

static void bad_headers(void)
{
	static const char *const files[] = { "a.warc", "a.warc.gz", "a.warc.zst" };
	static const char *const what[] = { "too long", "too long by far", "with a zero byte", "of another version", "without a type" };
	struct prn_buffer records[3] = { { 0 } };

	add_response(&records[0], "/x", TIME, "200 OK", "", "before", 6);
	add_response(&records[2], "/x", TIME, "200 OK", "", "after", 5);
	for (size_t bad = 0; bad < 5; bad++) {
		prn_buffer_clear(&records[1]);
		add_bad_header(&records[1], bad);
		for (size_t i = 0; i < 3; i++) {
			put_records(files[i], records);
			same(tally(&reading), "2 captures, 1 damaged", "%s with a header %s tells it once, and has no record of its page's text",
			     files[i], what[bad]);
			ok(is_capture(1, X, PRN_KIND_CONTENT, 200, "after"), "%s with a header %s is read on behind it", files[i], what[bad]);
		}
	}
	/* Without a length nothing tells where the record ends, but that its member does. */
	prn_buffer_clear(&records[1]);
	add_text(&records[1], "WARC/1.0\r\nWARC-Type: response\r\n\r\nx");
	add_pretender(&records[1], VICTIM);
	for (size_t i = 1; i < 3; i++) {
		put_records(files[i], records);
		same(tally(&reading), "2 captures, 1 damaged", "%s with a record of no length has no record in the rest of its member", files[i]);
	}
	/* A length that is wrong leads nowhere: of a header that names no host nothing within is believed. */
	prn_buffer_clear(&records[1]);
	add_text(&records[1], "WARC/2.0\r\nWARC-Type: response\r\nContent-Length: 60\r\n\r\nx");
	add_pretender(&records[1], VICTIM);
	put_records("a.warc", records);
	same(tally(&reading), "2 captures, 1 damaged", "within a record with a bad header, no host and a wrong length nothing is believed");
	for (size_t i = 0; i < 3; i++)
		prn_buffer_release(&records[i]);
}

#define NO_LENGTH "WARC/1.0\r\nWARC-Type: response\r\n\r\nx\r\n\r\n"

/* Where members are not records, one that is bad costs none behind it, as in a file that is not packed. */
static void members_of_many(void)
{
	struct prn_buffer all = { 0 }, packed = { 0 };
	struct prn_buffer records[3] = { { 0 } };

	for (int i = 0; i < 3; i++)
		add_response(&records[i], "/x", TIME, "200 OK", "", "page", 4);
	add_text(&all, NO_LENGTH);
	add(&all, records[0].data, records[0].length);
	add_gzip(&packed, all.data, all.length);
	read_source(&reading, put_buffer("a.warc.gz", &packed), NULL);
	same(tally(&reading), "1 capture, 1 damaged", "the first member is read on behind a record of no length");
	prn_buffer_clear(&all);
	add(&all, records[0].data, records[0].length);
	add_text(&all, NO_LENGTH);
	add(&all, records[0].data, records[0].length);
	add_gzip(&packed, all.data, all.length);
	read_source(&reading, put_buffer("a.warc.gz", &packed), NULL);
	same(tally(&reading), "3 captures, 2 damaged", "a member that has had a record is read on behind one of no length");
	prn_buffer_clear(&packed);
	for (size_t at = 0, size = 50; at < all.length; at += size)
		add_gzip(&packed, all.data + at, all.length - at < size ? all.length - at : size);
	read_source(&reading, put_buffer("a.warc.gz", &packed), NULL);
	ok(reading.count == 2 && !reading.ended && is_capture(1, X, PRN_KIND_CONTENT, 200, "page"),
	   "members that end inside records are read on behind a record of no length");
	prn_buffer_release(&all);
	prn_buffer_release(&packed);
	for (int i = 0; i < 3; i++)
		prn_buffer_release(&records[i]);
}

/* A page that is a .gz itself stands in its member as it is, for it cannot be packed further. */
static void packed_pretender(void)
{
	struct prn_buffer records[3] = { { 0 } }, fake = { 0 }, body = { 0 }, packed = { 0 };
	unsigned state = 1;

	add_pretender(&fake, VICTIM);
	add_gzip(&body, fake.data + 4, fake.length - 4);
	for (int i = 0; i < 2000; i++)
		add(&body, &(char){ (char)((state = state * 1103515245 + 12345) >> 16) }, 1);
	add_response(&records[0], "/x", TIME, "200 OK", "", "before", 6);
	add_response(&records[1], "/x", TIME, "200 OK", "", body.data, body.length);
	add_response(&records[2], "/x", TIME, "200 OK", "", "after", 5);
	for (size_t i = 0; i < 3; i++) {
		add_gzip(&packed, records[i].data, records[i].length);
		if (i == 1)
			packed.data[packed.length - 100] ^= 0x40;
	}
	must(memmem(packed.data, packed.length, body.data, 100) != NULL, "store a body as it is");
	read_source(&reading, put_buffer("a.warc.gz", &packed), NULL);
	same(tally(&reading), "2 captures, 1 damaged", "a member with a wrong checksum is left for the one behind it");
	ok(is_capture(1, X, PRN_KIND_CONTENT, 200, "after"), "no member is looked for in a page's own bytes where the next one is there");
	prn_buffer_release(&packed);
	prn_buffer_release(&body);
	prn_buffer_release(&fake);
	for (size_t i = 0; i < 3; i++)
		prn_buffer_release(&records[i]);
}

/* What is named as packed, and is neither that nor text, is no page; what was cut short is told by its number. */
static void told_bodies(void)
{
	/* The first bits of the latter say a block of a type that deflate has not. */
	static const struct {
		const char *name, *rubbish, *text;
	} codings[] = { { "br", "\xfd" "7zXZ\0\4\xe6\xd6\xb4\x46\2", "caf\xe9" }, { "deflate", "\7\0\1rubbish!!", "g\xe9" } };

	for (size_t i = 0; i < sizeof codings / sizeof *codings; i++) {
		struct prn_buffer head = { 0 };

		add_text(&head, "Content-Encoding: %s\r\n", codings[i].name);
		must(!prn_buffer_terminate(&head), "allocate");
		add_response(&file, "/x", TIME, "200 OK", (char *)head.data, codings[i].rubbish, 12);
		add_response(&file, "/x", TIME, "200 OK", (char *)head.data, codings[i].text, strlen(codings[i].text));
		read_file(NULL);
		same(tally(&reading), "2 captures, 1 unread", "bytes that are neither text nor %s are counted as unread", codings[i].name);
		ok(reading.seen[0].capture.kind == PRN_KIND_ERROR, "bytes that are neither text nor %s are an error", codings[i].name);
		ok(!reading.counts.cut_short, "bytes that are neither text nor %s are not taken for a transfer cut short", codings[i].name);
		ok(is_capture(1, X, PRN_KIND_CONTENT, 200, codings[i].text), "text of any charset that is named %s is taken as it is",
		   codings[i].name);
		prn_buffer_release(&head);
	}
	response("200 OK", "Content-Length: 9\r\n", "four");
	response("200 OK", "Content-Length: 4\r\n", "four");
	response("500 Oops", "Content-Length: 9\r\n", "four");
	read_file(NULL);
	ok(reading.count == 3 && reading.counts.cut_short == 1, "transfers that were cut short are counted");
	truncated_field("length");
	read_file(NULL);
	ok(reading.counts.cut == 1 && reading.counts.shortened == 1, "bodies that who wrote them cut are counted apart");
	truncated_field("time");
	read_file(NULL);
	ok(!reading.counts.cut && reading.counts.cut_short == 1, "what was cut for want of time is a transfer cut short");
	add_text(&file, "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: " X "\r\nWARC-Date: 2026-01-01T00:00:00\r\nContent-Length: 0\r\n\r\n\r\n\r\n");
	read_file(NULL);
	ok(reading.counts.zoneless == 1 && reading.seen[0].capture.time == SECONDS, "a date without a zone is UTC, and counted");
}

/* The sums are those of coreutils, of Python's hashlib and of xxhsum; base 32 and base 64 by coreutils' basenc. */
#define SHA512 "9b71d224bd62f3785d96d46ad3ea3d73319bfbc2890caadae2dff72519673ca72323c3d99ba5c11d7c7acc6e14b8c5da0c4663475c2e5c3adef46f73bcdec043"

#define HELLO "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"

/* Makes them the fields of a record of X that has a digest. */
static void put_digest(struct prn_buffer *fields, const char *which, const char *digest)
{
	prn_buffer_clear(fields);
	add_text(fields, "WARC-Target-URI: " X "\r\nWARC-Date: " TIME "\r\nWARC-%s-Digest: %s\r\n", which, digest);
	must(!prn_buffer_terminate(fields), "allocate");
}

static void digests(void)
{
	static const char head[] = "HTTP/1.1 200 OK\r\n\r\n", chunked[] = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
	static const char chunks[] = "5\r\nhello\r\n0\r\n\r\n";
	static const struct {
		const char *name, *head, *body, *field, *digest;
		bool holds;
	} cases[] = {
		{ "a payload digest by sha1 in base 32", head, "hello", "Payload", "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N", true },
		{ "a payload digest by sha256 in base 16", head, "hello", "Payload", "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", true },
		{ "a payload digest by md5", head, "hello", "Payload", "MD5:5d41402abc4b2a76b9719d911017c592", true },
		{ "a payload digest by sha256 in base 32 with its padding", head, "hello", "Payload",
		  "sha256:FTZE3OS7WCRQ4JXIHMVMLOPCTYNRMHS4D6TUEXTTAQZWFE4LTASA====", true },
		{ "a payload digest by sha256 in base 64", head, "hello", "Payload", "sha-256:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", true },
		{ "a payload digest by sha384 in base 64", head, "hello", "Payload", "SHA-384:WeF0h3dEjGnea4ANejO7+5/xtGPkQ1TDVTvNucZm+pASWjx5+QOXvfX2oT3oKGhP", true },
		{ "a payload digest by sha512 in base 16", head, "hello", "Payload", "sha512:" SHA512, true },
		{ "a payload digest by sha512 in base 32", head, "hello", "Payload",
		  "SHA-512:TNY5EJF5MLZXQXMW2RVNH2R5OMYZX66CREGKVWXC373SKGLHHSTSGI6D3GN2LQI5PR5MY3QUXDC5UDCGMNDVYLS4HLPPI33TXTPMAQY=", true },
		{ "a payload digest by sha512/256", head, "hello", "Payload", "sha512-256:e30d87cfa2a75db545eac4d61baf970366a8357c7f72fa95b52d0accb698f13a", true },
		{ "a payload digest by sha3, as Python names it", head, "hello", "Payload", "sha3_256:3338be694f50c5f338814986cdf0686453a888b84f424d792af4b9202398f392", true },
		{ "a payload digest by xxh64", head, "hello", "Payload", "xxh64:26c7827d889f6da3", true },
		{ "a payload digest by xxh3", head, "hello", "Payload", "xxh3:9555e8555c62dcfd", true },
		{ "a payload digest by xxh3, as Python names it", head, "hello", "Payload", "xxh3_64:9555e8555c62dcfd", true },
		{ "a payload digest by xxh128", head, "hello", "Payload", "xxh128:b5e9c1ad071b3e7fc779cfaa5e523818", true },
		{ "a payload digest by xxh128 in base 64 for URLs", head, "hello", "Payload", "XXH128:tenBrQcbPn_Hec-qXlI4GA==", true },
		{ "a block digest by xxh3", head, "hello", "Block", "xxh3:0787278170c7a7c7", true },
		{ "a block digest by xxh3 of the payload", head, "hello", "Block", "xxh3:9555e8555c62dcfd", false },
		{ "another payload digest by sha512", head, "hellp", "Payload", "sha512:" SHA512, false },
		{ "another payload digest by sha256 in base 64", head, "hellp", "Payload", "sha256:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", false },
		{ "another payload digest by xxh64", head, "hellp", "Payload", "xxh64:26c7827d889f6da3", false },
		{ "another payload digest by xxh3", head, "hellp", "Payload", "xxh3:9555e8555c62dcfd", false },
		{ "another payload digest by xxh128", head, "hellp", "Payload", "xxh128:b5e9c1ad071b3e7fc779cfaa5e523818", false },
		{ "a payload digest by an algorithm that is not made here", head, "hellp", "Payload",
		  "blake2s:19213bacc58dee6dbde3ceb9a47cbb330b3d86f8cca8997eb00be456f140ca25", true },
		{ "a payload digest that is no digits", head, "hello", "Payload", "xxh64:26c7827d889f6dag", true },
		{ "another payload digest", head, "hellp", "Payload", "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N", false },
		{ "another payload digest by md5", head, "hellp", "Payload", "md5:5d41402abc4b2a76b9719d911017c592", false },
		{ "a payload digest by an algorithm that is not known", head, "hello", "Payload", "sip:1234", true },
		{ "a payload digest of the chunks", chunked, chunks, "Payload", "sha1:FPKJFAEPEIMEFSS2G2SDNSN5YKX3N5JX", true },
		{ "a payload digest of what the chunks hold", chunked, chunks, "Payload", "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N", true },
		{ "a payload digest of neither", chunked, chunks, "Payload", "sha1:3UVO7HQUJEOBRRPSY5KW4RKXAQ5Z4DV4", false },
		{ "a block digest", chunked, chunks, "Block", "sha1:3UVO7HQUJEOBRRPSY5KW4RKXAQ5Z4DV4", true },
		{ "a block digest of the payload", chunked, chunks, "Block", "sha1:FPKJFAEPEIMEFSS2G2SDNSN5YKX3N5JX", false },
	};
	struct prn_buffer block_of = { 0 }, fields = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		prn_buffer_clear(&block_of);
		add_text(&block_of, "%s%s", cases[i].head, cases[i].body);
		put_digest(&fields, cases[i].field, cases[i].digest);
		add_record(&file, "response", (char *)fields.data, block_of.data, block_of.length);
		read_file(NULL);
		same(tally(&reading), cases[i].holds ? "1 capture" : "1 capture, 1 mismatched", "%s %s", cases[i].name,
		     cases[i].holds ? "holds" : "is told, and the capture is taken");
		ok(reading.seen[0].capture.kind == PRN_KIND_CONTENT && reading.seen[0].capture.body_bytes == 5,
		   "a record with %s is content of five bytes", cases[i].name);
	}
	ok(HOLDS(skipped_text(&reading), "a.warc: record at offset 0 (" X "): its WARC-Block-Digest is not that of its block"),
	   "a digest that is not right is named with the record's place");
	prn_buffer_release(&block_of);
	prn_buffer_release(&fields);
}

/* The record's digest is not right, and its file is also packed by gzip, whose checksum is. */
static void digests_that_are_not_looked_at(void)
{
	const struct prn_source_options trusting = { .digests = PRN_DIGESTS_TRUST }, checking = { .digests = PRN_DIGESTS_CHECK };
	static const char block[] = "HTTP/1.1 200 OK\r\n\r\nhellp";
	struct prn_buffer fields = { 0 }, packed = { 0 };

	put_digest(&fields, "Payload", HELLO);
	add_record(&file, "response", (char *)fields.data, block, sizeof block - 1);
	add_gzip(&packed, file.data, file.length);
	read_file(&trusting);
	ok(reading.count == 1 && !reading.counts.mismatched, "digests that are trusted are not looked at");
	read_source(&reading, put_buffer("a.warc.gz", &packed), NULL);
	ok(reading.count == 1 && !reading.counts.mismatched, "where a packing has its checksum digests are not looked at");
	read_source(&reading, put_buffer("a.warc.gz", &packed), &checking);
	ok(reading.count == 1 && reading.counts.mismatched == 1,
	   "where a packing has its checksum digests are looked at if that is asked for");
	prn_buffer_release(&fields);
	prn_buffer_release(&packed);
}

static void digests_of_coded_bodies(void)
{
	static const char hello_packed[] = "\037\213\010\000\000\000\000\000\000\003\313\110\315\311\311\007\000\206\246\020\066\005\000\000\000"; /* by gzip -n */
	struct prn_buffer block_of = { 0 }, fields = { 0 }, packed = { 0 };

	add_gzip(&packed, "hello", 5);
	add_text(&block_of, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n");
	add(&block_of, packed.data, packed.length);
	put_digest(&fields, "Payload", HELLO);
	add_record(&file, "response", (char *)fields.data, block_of.data, block_of.length);
	read_file(NULL);
	ok(reading.count == 1 && !reading.counts.mismatched, "a payload digest of what a coding holds holds");

	prn_buffer_clear(&block_of);
	add_text(&block_of, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n%zx\r\n", sizeof hello_packed - 1);
	add(&block_of, hello_packed, sizeof hello_packed - 1);
	add_text(&block_of, "\r\n0\r\n\r\n");
	put_digest(&fields, "Payload", "sha1:2EH3EX2YSTZYEVREODPGS3JNAMVUAR7X");
	add_record(&file, "response", (char *)fields.data, block_of.data, block_of.length);
	read_file(NULL);
	ok(is_capture(0, X, PRN_KIND_CONTENT, 200, "hello"), "a body that was packed and then chunked is unpacked");
	ok(reading.count == 1 && !reading.counts.mismatched, "a payload digest of what is packed and was chunked holds");
	prn_buffer_release(&block_of);
	prn_buffer_release(&fields);
	prn_buffer_release(&packed);
}

static void digests_of_bodies_beyond_the_limit(void)
{
	const struct prn_source_options small = { .body_bytes_max = 1 };
	struct prn_buffer block_of = { 0 }, fields = { 0 }, packed = { 0 };

	add_gzip(&packed, "hello", 5);
	add_text(&block_of, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n");
	add(&block_of, packed.data, packed.length);
	put_digest(&fields, "Payload", HELLO);
	add_record(&file, "response", (char *)fields.data, block_of.data, block_of.length);
	read_file(&small);
	ok(reading.count == 1 && reading.seen[0].capture.truncated, "a body that is longer than the limit is cut, whatever its digest");
	ok(!reading.counts.mismatched, "what is cut at the limit is not held against its digest");
	for (int coded = 0; coded < 2; coded++) {
		prn_buffer_clear(&block_of);
		add_text(&block_of, "HTTP/1.1 200 OK\r\n%s\r\n%0200000d", coded ? "Content-Encoding: gzip\r\n" : "", 0);
		add_record(&file, "response", (char *)fields.data, block_of.data, block_of.length);
		read_file(&small);
		ok(reading.count == 1 && reading.counts.mismatched == !coded, "of a body beyond the limit %s",
		   coded ? "it is not known what it unpacks to" : "the digest is looked at");
	}
	/* The end of the packing, of which the digest may be, is among what was not kept. */
	prn_buffer_clear(&block_of);
	add_text(&block_of, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n");
	add(&block_of, packed.data, 10);
	add_text(&block_of, "\xff\xff%0200000d", 0);
	add_record(&file, "response", (char *)fields.data, block_of.data, block_of.length);
	read_file(&small);
	same(tally(&reading), "1 capture, 1 unread", "of a body beyond the limit that cannot be unpacked no digest is told to be wrong too");
	prn_buffer_release(&block_of);
	prn_buffer_release(&fields);
	prn_buffer_release(&packed);
}

/* Parts of a record have the digest of the whole, and revisits that of another record. */
static void digests_of_other_records(void)
{
	struct prn_buffer fields = { 0 };

	put_digest(&fields, "Payload", "sha1:2EH3EX2YSTZYEVREODPGS3JNAMVUAR7X");
	add_text(&file, "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Segment-Number: 1\r\n%sContent-Length: 5\r\n\r\nhello\r\n\r\n", (char *)fields.data);
	read_file(NULL);
	ok(reading.count == 1 && !reading.counts.mismatched, "the payload digest of a part is that of the whole");

	put_digest(&fields, "Payload", HELLO);
	add_text(&file, "WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\n");
	add_text(&file, "WARC-Payload-Digest: sha1:FPKJFAEPEIMEFSS2G2SDNSN5YKX3N5JX\r\nWARC-Target-URI: " X "\r\nWARC-Date: " TIME
	                "\r\nContent-Length: 0\r\n\r\n\r\n\r\n");
	add_record(&file, "resource", (char *)fields.data, "hello", 5);
	add_record(&file, "resource", (char *)fields.data, "hellp", 5);
	read_file(NULL);
	ok(reading.seen[1].capture.has_payload_digest && !reading.seen[2].capture.has_payload_digest,
	   "what has another payload digest than it says has none, so that no revisit is of it");
	ok(reading.count == 3 && reading.counts.mismatched == 1, "a revisit's payload digest is that of another record; that of a resource is looked at");
	prn_buffer_release(&fields);
}

/* A plain file that was cut right behind the block of its last record, or between the two line ends that are due. */
static void cut_behind_a_block(size_t missing)
{
	response("200 OK", "", "first");
	response("200 OK", "", "last");
	file.length -= missing;
	read_file(NULL);
	ok(reading.count == 2 && is_capture(1, X, PRN_KIND_CONTENT, 200, "last"),
	   "the last record of a file that lacks %zu of the 4 bytes after it is a capture", missing);
	if (missing)
		ok(reading.ended == PRN_E_TRUNCATED &&
		           HOLDS(reading.error.text, "a.warc: record at offset ", "the file ends before the blank lines after it"),
		   "a file that lacks %zu of the 4 bytes after its last record is told to be cut", missing);
	else
		ok(!reading.ended && !reading.skipped.length, "a file that ends with the two line ends that are due is whole");
}

static void fields_given_twice(void)
{
	add_record(&file, "response",
	           "WARC-Target-URI: " X "\r\nWARC-Date: " TIME "\r\n"
	           "WARC-Target-URI: http://b.example/y\r\nWARC-Date: 2025-01-01T00:00:00Z\r\n",
	           "HTTP/1.1 200 OK\r\n\r\npage", 23);
	read_file(NULL);
	ok(reading.count == 1 && is_capture(0, X, PRN_KIND_CONTENT, 200, "page"), "of a URL that a WARC header has twice the first counts");
	ok(reading.seen[0].capture.time == SECONDS, "of a date that a WARC header has twice the first counts");
}

static void filter_by_other_scripts(void)
{
	static const char *const hosts[] = { "b\xc3\xbc" "cher.example" };
	struct prn_source_options options = { .filter = { .hosts = hosts, .host_count = 1 } };

	add_record(&file, "resource", "WARC-Target-URI: http://www.xn--bcher-kva.example/\r\nWARC-Date: " TIME "\r\n", "1", 1);
	add_record(&file, "resource", "WARC-Target-URI: http://B\xc3\x9c" "CHER.example/\r\nWARC-Date: " TIME "\r\n", "2", 1);
	add_record(&file, "resource", "WARC-Target-URI: http://bucher.example/\r\nWARC-Date: " TIME "\r\n", "3", 1);
	read_file(&options);
	ok(reading.count == 2 && reading.counts.filtered == 1, "a host of another script selects itself and its subdomains");
}

static void addresses(void)
{
	add_record(&file, "response", "WARC-Target-URI: " X "\r\nWARC-Date: " TIME "\r\nWARC-IP-Address: 2001:DB8::7\r\n",
	           "HTTP/1.1 200 OK\r\n\r\npage", 23);
	add_record(&file, "response", "WARC-Target-URI: " X "2\r\nWARC-Date: " TIME "\r\nWARC-IP-Address: unknown\r\n",
	           "HTTP/1.1 200 OK\r\n\r\npage", 23);
	read_file(NULL);
	ok(reading.count == 2 && !strcmp(reading.seen[0].capture.address, "2001:db8::7"), "a WARC record tells the server's address");
	ok(reading.count == 2 && !reading.seen[1].capture.address[0], "a WARC-IP-Address that is none says nothing");
}

static void filters(void)
{
	static const char *const hosts[] = { "b.example" }, *const surts[] = { "(example,a,)/news" },
				  *const media[] = { "text/html", "image/*" };
	struct prn_source_options options = { .filter = { .hosts = hosts, .host_count = 1 } };

	for (int pass = 0; pass < 4; pass++) {
		add_record(&file, "resource",
		           "WARC-Target-URI: http://www.b.example/\r\nWARC-Date: " TIME "\r\nContent-Type: image/png\r\n", "1", 1);
		add_record(&file, "resource",
		           "WARC-Target-URI: http://notb.example/\r\nWARC-Date: " TIME "\r\nContent-Type: text/css\r\n", "2", 1);
		add_response(&file, "/news/1", "2026-01-02T00:00:00Z", "200 OK", "Content-Type: Text/HTML; charset=x\r\n", "3", 1);
		add_response(&file, "/", "2026-01-03T00:00:00Z", "404 x", "Content-Type: text/plain\r\n", "4", 1);
		if (pass == 1)
			options.filter = (struct prn_source_filter){ .surts = surts, .surt_count = 1 };
		if (pass == 2)
			options.filter = (struct prn_source_filter){ .media = media, .media_count = 2 };
		if (pass == 3)
			options.filter = (struct prn_source_filter){
				.has_from = true, .from = SECONDS + 1, .has_to = true, .to = SECONDS + 2 * 86400
			};
		read_file(&options);
		if (pass == 0)
			ok(reading.count == 1 && is_capture(0, "http://www.b.example/", PRN_KIND_CONTENT, 0, "1"),
			   "a host selects itself and its subdomains");
		if (pass == 1)
			ok(reading.count == 1 && is_capture(0, "http://a.example/news/1", PRN_KIND_CONTENT, 200, "3"),
			   "a SURT prefix selects what is below it");
		if (pass == 2)
			ok(reading.count == 3 && is_capture(2, "http://a.example/", PRN_KIND_GONE, 404, ""),
			   "media types select content, and an answer without content passes");
		if (pass == 3)
			ok(reading.count == 1 && is_capture(0, "http://a.example/news/1", PRN_KIND_CONTENT, 200, "3"),
			   "dates select from the first, with it, up to the last, without it");
		ok(reading.counts.filtered == 4 - reading.count, "captures that a filter leaves out are counted");
	}
}

static void body_limit(void)
{
	struct prn_source_options options = { .body_bytes_max = 8 };
	struct prn_buffer bomb = { 0 }, zeros = { 0 };

	response("200 OK", "", "12345678");
	response("200 OK", "", "123456789");
	response("200 OK", "Transfer-Encoding: chunked\r\n", "9\r\n123456789\r\n0\r\n\r\n");
	must(!prn_buffer_reserve(&zeros, 1 << 20), "allocate");
	memset(zeros.data, 'z', 1 << 20);
	add_gzip(&bomb, zeros.data, 1 << 20);
	add_response(&file, "/x", TIME, "200 OK", "Content-Encoding: gzip\r\n", bomb.data, bomb.length);
	bomb.length = 0;
	add_gzip(&bomb, zeros.data, 8);
	add_response(&file, "/y", TIME, "200 OK", "Content-Encoding: gzip\r\n", bomb.data, bomb.length);
	read_file(&options);
	ok(reading.count == 5, "every body is a capture, however large it is");
	ok(!reading.seen[4].capture.truncated && reading.seen[4].capture.body_bytes == 8,
	   "a body that inflates to the largest size is whole");
	ok(is_capture(0, X, PRN_KIND_CONTENT, 200, "12345678") && !reading.seen[0].capture.truncated,
	   "a body of the largest size is whole");
	ok(is_capture(1, X, PRN_KIND_CONTENT, 200, "12345678") && reading.seen[1].capture.truncated,
	   "a body that is one byte too large is cut and marked");
	ok(is_capture(2, X, PRN_KIND_CONTENT, 200, "12345678") && reading.seen[2].capture.truncated,
	   "a body in chunks that is one byte too large is cut and marked");
	ok(is_capture(3, X, PRN_KIND_CONTENT, 200, "zzzzzzzz") && reading.seen[3].capture.truncated,
	   "a body that inflates to 1 MiB is cut and marked");
	ok(reading.counts.cut == 3, "each body that is cut is counted");
	prn_buffer_release(&bomb);
	prn_buffer_release(&zeros);
}

static void same_digest(const char *a, const char *b, bool want)
{
	struct prn_digest x, y;

	if (ok(prn_payload_digest(a, &x), "%s is a labelled digest", a) && ok(prn_payload_digest(b, &y), "%s is a labelled digest", b))
		ok(!prn_digest_compare(&x, &y) == want, "the digest %s is %sequal to %s", a, want ? "" : "not ", b);
}

static void payload_digests(void)
{
	struct prn_digest digest;

	/* Base32 and hexadecimal of one SHA-1 value, converted with python3's base64.b32decode. */
	same_digest("sha1:XVJN2XDFLFPAM5FJD37DSOP2Y7M7QBU2", "SHA-1:bd52dd5c65595e0674a91efe3939fac7d9f8069a", true);
	same_digest("sha1:XVJN2XDFLFPAM5FJD37DSOP2Y7M7QBU2", "sha1:xvjn2xdflfpam5fjd37dsop2y7m7qbu2", true);
	same_digest("sha1:XVJN2XDFLFPAM5FJD37DSOP2Y7M7QBU2", "sha1:XVJN2XDFLFPAM5FJD37DSOP2Y7M7QBU3", false);
	same_digest("md5:d41d8cd98f00b204e9800998ecf8427e", "md5:2QOYZWMPACZAJ2MABGMOZ6CCPY======", true);
	/* The same by Python's base64 and hashlib. */
	same_digest("sha1:XVJN2XDFLFPAM5FJD37DSOP2Y7M7QBU2", "sha1:vVLdXGVZXgZ0qR7+OTn6x9n4Bpo=", true);
	same_digest("sha256:FTZE3OS7WCRQ4JXIHMVMLOPCTYNRMHS4D6TUEXTTAQZWFE4LTASA====",
	            "sha-256:2CF24DBA5FB0A30E26E83B2AC5B9E29E1B161E5C1FA7425E73043362938B9824", true);
	same_digest("sha512-256:e30d87cfa2a75db545eac4d61baf970366a8357c7f72fa95b52d0accb698f13a",
	            "SHA512_256:4MGYPT5CU5O3KRPKYTLBXL4XANTKQNL4P5ZPVFNVFUFMZNUY6E5A", true);
	same_digest("xxh128:b5e9c1ad071b3e7fc779cfaa5e523818", "xxh3_128:WXU4DLIHDM7H7R3ZZ6VF4URYDA======", true);
	same_digest("xxh3:9555e8555c62dcfd", "xxh64:9555e8555c62dcfd", false);
	same_digest("blake2s:19213bacc58dee6dbde3ceb9a47cbb330b3d86f8cca8997eb00be456f140ca25",
	            "BLAKE2s:DEQTXLGFRXXG3PPDZ242I7F3GMFT3BXYZSUJS7VQBPSFN4KAZISQ", true);
	same_digest("own:abc", "own:ABC", false);
	ok(!prn_payload_digest("nonsense", &digest), "a text without a colon is no labelled digest");
	ok(!prn_payload_digest("sha1:", &digest), "a label without a value is no labelled digest");
	ok(!prn_payload_digest(":x", &digest), "a value without a label is no labelled digest");
}

int main(void)
{
	make_scratch();
	kinds();
	broken_bodies();
	truncated_records();
	segments();
	zero_bytes();
	revisits();
	other_records();
	bad_records();
	wrong_length(100, "too large");
	wrong_length(1000000, "larger than the file");
	wrong_length(-100, "too small");
	line_ends();
	drafts();
	cut_records();
	digests();
	digests_that_are_not_looked_at();
	digests_of_coded_bodies();
	digests_of_bodies_beyond_the_limit();
	digests_of_other_records();
	told_bodies();
	pretended_records();
	bad_headers();
	members_of_many();
	packed_pretender();
	codings_in_fields();
	for (size_t missing = 0; missing <= 4; missing += 2)
		cut_behind_a_block(missing);
	fields_given_twice();
	addresses();
	filters();
	filter_by_other_scripts();
	body_limit();
	payload_digests();
	reading_release(&reading);
	prn_buffer_release(&file);
	return done();
}
