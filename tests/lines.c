/* JSON lines as a source: every member, both packings, what is refused and how it is told. */
#include "fixture.h"
#include "perennial/error.h"
#include "perennial/time.h"

#define SECONDS 1778414400 /* date -ud 2026-05-10T12:00:00Z +%s */
#define PAGE "\"url\":\"http://A.example/x\",\"time\":\"2026-05-10T12:00:00Z\""

static struct reading reading;

static void read_text(const char *text, const struct prn_source_options *options)
{
	read_source(&reading, put_file("a.ndjson", text, strlen(text)), options);
}

/* The only capture of one line. */
static const struct prn_capture *read_one(const char *line)
{
	read_text(line, NULL);
	if (reading.count != 1)
		printf("# %zu captures; %s\n", reading.count, skipped_text(&reading) ? skipped_text(&reading) : "");
	must(reading.count == 1, "go on without a capture");
	return &reading.seen[0].capture;
}

static bool has_body(const struct prn_capture *capture, const char *body)
{
	return capture->body_bytes == strlen(body) && !memcmp(capture->body, body, strlen(body));
}

static void members(void)
{
	const struct prn_capture *capture = read_one(
		"{" PAGE ",\"status\":200,\"content_type\":\"text/html\",\"body\":\"<p>h\\u00e9</p>\","
		"\"last_modified\":\"Sun, 10 May 2026 11:59:00 GMT\",\"weight\":2.5,\"fetcher\":{\"name\":\"ours\"}}\n");

	same(tally(&reading), "1 capture", "a line with a body is read as a capture");
	same(capture->url, "http://A.example/x", "a line gives its URL as it is written");
	same(capture->normal_url, "http://a.example/x", "a line gives its URL in normal form too");
	ok(capture->time == SECONDS, "a line gives its time");
	ok(capture->status == 200 && capture->kind == PRN_KIND_CONTENT,
	   "a line with a body is content of status 200");
	ok(has_body(capture, "<p>h\xc3\xa9</p>") && !capture->truncated, "a body given as text is UTF-8");
	same(capture->content_type, "text/html; charset=utf-8",
	     "the media type of a body given as text says that it is UTF-8");
	ok(capture->modified == SECONDS - 60,
	   "a line gives its Last-Modified, and members that are not known are passed over");
	ok(capture->weight == 2.5, "a line gives its weight");
	ok(capture->retry_after_s == PRN_TIME_UNKNOWN && !capture->revisit,
	   "what a line does not say is not known");
	capture = read_one("{" PAGE ",\"content_type\":\"text/plain; charset=koi8-r\",\"body\":\"x\"}");
	same(capture->content_type, "text/plain; charset=utf-8",
	     "a body given as text is UTF-8 whatever charset its media type names");
	capture = read_one("{" PAGE ",\"content_type\":\"text/plain; charset=koi8-r\",\"body_base64\":\"0MY=\"}");
	ok(has_body(capture, "\xd0\xc6"), "body_base64 holds the bytes of a body as they were fetched");
	same(capture->content_type, "text/plain; charset=koi8-r",
	     "a body given as body_base64 is in the charset that its media type names");
	capture = read_one("{" PAGE ",\"content_type\":\"\",\"body\":\"\"}");
	ok(!capture->body_bytes && capture->kind == PRN_KIND_CONTENT, "the body of a line may be empty");
	ok(!capture->content_type, "the media type of a line may be empty");
	capture = read_one("{" PAGE ",\"body\":\"a\\u0000b\"}");
	ok(capture->body_bytes == 3 && !memcmp(capture->body, "a\0b", 3), "the body of a line may hold a NUL");
}

static void times(void)
{
	struct prn_source_options options = { .has_time = true, .time = SECONDS + 9 };

	ok(read_one("{\"url\":\"http://a.example\",\"time\":1778414400,\"body\":\"\"}")->time == SECONDS,
	   "the time of a line may be in Unix seconds");
	ok(read_one("{\"url\":\"http://a.example\",\"time\":1778414400.9,\"body\":\"\"}")->time == SECONDS,
	   "the fraction of a time in Unix seconds is cut off");
	ok(read_one("{\"url\":\"http://a.example\",\"time\":\"Sun, 10 May 2026 12:00:00 GMT\",\"body\":\"\"}")->time == SECONDS,
	   "the time of a line may be an HTTP date");
	read_text("{\"url\":\"http://a.example\",\"body\":\"\"}\n{" PAGE ",\"body\":\"\"}\n", &options);
	ok(reading.count == 2 && reading.seen[0].capture.time == SECONDS + 9, "a line without a time has the one of the options");
	ok(reading.seen[1].capture.time == SECONDS, "a line with a time has its own, whatever the options have");
	options.time = PRN_TIME_UNKNOWN;
	read_text("{\"url\":\"http://a.example\",\"status\":429,\"retry_after\":\"Sun, 10 May 2026 12:00:00 GMT\"}\n", &options);
	ok(reading.count == 1 && reading.seen[0].capture.time == PRN_TIME_UNKNOWN,
	   "the time of a line that nothing tells is left unknown, for the caller to say");
	ok(reading.seen[0].capture.retry_after_s == PRN_TIME_UNKNOWN,
	   "a date to ask again from is of no use where the time of a line is not known");
}

static void codings(void)
{
	/* gzip of "<p>packed</p>" */
	static const char packed[] = "H4sIAAAAAAACA7MpsCtITM5OTbHRL7ADAH0xXPUNAAAA";
	char line[400];

	snprintf(line, sizeof line, "{" PAGE ",\"body_base64\":\"%s\",\"content_encoding\":\"gzip\"}", packed);
	ok(has_body(read_one(line), "<p>packed</p>"), "a body that came under a Content-Encoding is unpacked");
	ok(has_body(read_one("{" PAGE ",\"body\":\"as text\",\"content_encoding\":\"gzip\"}"), "as text"),
	   "a body that was unpacked already is taken as it is, whatever its Content-Encoding was");
	read_text("{" PAGE ",\"body_base64\":\"H4sIAAAAAAAA\",\"content_encoding\":\"gzip\"}\n"
	          "{" PAGE ",\"body\":\"x\",\"content_encoding\":\"chunked\"}\n"
	          "{" PAGE ",\"body\":\"x\",\"content_encoding\":\"br,br,br,br,br\"}\n{" PAGE ",\"body\":\"x\",\"content_encoding\":5}\n",
	          &(struct prn_source_options){ 0 });
	ok(reading.count == 0 && reading.counts.damaged == 4,
	   "lines whose body cannot be unpacked, or whose content_encoding is none, are skipped");
	ok(strstr(skipped_text(&reading), "its body cannot be read: its Content-Encoding ends early"),
	   "a line whose body cannot be unpacked is told with why");
}

static void statuses(void)
{
	const struct prn_capture *capture = read_one("{" PAGE ",\"status\":301,\"location\":\"/y\",\"content_type\":\"text/html\"}");

	ok(capture->kind == PRN_KIND_REDIRECT && has_body(capture, "/y"),
	   "the content of a redirect on a line is its location");
	same(capture->content_type, "application/octet-stream",
	     "a redirect on a line is one fragment, as in a WARC file");
	capture = read_one("{" PAGE ",\"status\":302}");
	ok(capture->kind == PRN_KIND_REDIRECT && !capture->body_bytes,
	   "the content of a redirect on a line without a location is empty");
	capture = read_one("{" PAGE ",\"status\":304,\"body\":\"\"}");
	ok(capture->kind == PRN_KIND_SAME && !capture->body_bytes, "a line of status 304 is the same content");
	capture = read_one("{" PAGE ",\"status\":404,\"body\":\"not here\"}");
	ok(capture->kind == PRN_KIND_GONE && !capture->body_bytes,
	   "the body of an error page on a line is left out");
	near((double)capture->ignored_bytes, 8, 0, "how long the body of an error page was is known");
	near((double)read_one("{" PAGE ",\"status\":404,\"body_base64\":\"AAAAAAAA\"}")->ignored_bytes, 6, 0,
	     "how long the body of an error page in base64 was is known");
	capture = read_one("{" PAGE ",\"status\":503,\"body\":\"x\",\"bytes\":16777216}");
	near((double)capture->ignored_bytes, 16777216, 0, "bytes tells how long the body of an error page was that is cut or not sent along");
	near((double)read_one("{" PAGE ",\"body\":\"x\",\"bytes\":9}")->ignored_bytes, 0, 0, "content is as long as it is, whatever bytes says");
	capture = read_one("{" PAGE ",\"status\":204}");
	ok(capture->kind == PRN_KIND_CONTENT && !capture->body_bytes,
	   "a line of status 204 is empty content and needs no body");
	capture = read_one("{" PAGE ",\"status\":0,\"body\":null}");
	ok(capture->kind == PRN_KIND_ERROR && !capture->status,
	   "a line of status 0 is an error without a response");
}

static void retry_after(void)
{
	const struct prn_capture *capture = read_one("{" PAGE ",\"status\":429,\"retry_after\":120}");

	ok(capture->kind == PRN_KIND_REFUSED && capture->retry_after_s == 120,
	   "retry_after may be a number of seconds");
	ok(read_one("{" PAGE ",\"status\":503,\"retry_after\":\"7\"}")->retry_after_s == 7,
	   "retry_after may be seconds in a text, as the header has them");
	ok(read_one("{" PAGE ",\"status\":503,\"retry_after\":\"Sun, 10 May 2026 12:01:00 GMT\"}")->retry_after_s == 60,
	   "retry_after may be an HTTP date");
	ok(read_one("{" PAGE ",\"status\":503,\"retry_after\":1e30}")->retry_after_s == PRN_TIME_LAST &&
	           read_one("{" PAGE ",\"status\":503,\"retry_after\":\"99999999999999999999\"}")->retry_after_s == PRN_TIME_LAST,
	   "a retry_after beyond all times is as long as one can be");
	ok(read_one("{" PAGE ",\"status\":429,\"retry_after\":\"later\"}")->retry_after_s == PRN_TIME_UNKNOWN,
	   "a retry_after of the site's that makes no sense says nothing, and loses no report");
	ok(read_one("{" PAGE ",\"status\":503,\"retry_after\":\"Sun, 10 May 2026 11:01:00 GMT\"}")->retry_after_s == 0,
	   "a retry_after that has gone by is 0 seconds");
}

static void validators(void)
{
	same(read_one("{" PAGE ",\"body\":\"x\",\"etag\":\"W/\\\"a-1\\\"\"}")->etag, "W/\"a-1\"", "a line gives its ETag");
	ok(!read_one("{" PAGE ",\"body\":\"x\",\"etag\":\"a\\r\\nCookie: x\"}")->etag,
	   "an etag that is none says nothing, and loses no report");
	ok(read_one("{" PAGE ",\"body\":\"x\",\"last_modified\":\"yesterday\"}")->modified == PRN_TIME_UNKNOWN,
	   "a last_modified of the site's that makes no sense says nothing, and loses no report");
	ok(read_one("{" PAGE ",\"body\":\"x\",\"last_modified\":null}")->modified == PRN_TIME_UNKNOWN,
	   "a last_modified of null is none");
}

static void what_a_line_tells_of_its_host(void)
{
	const struct prn_capture *capture = read_one("{" PAGE ",\"body\":\"x\"}");

	ok(!capture->has_crawl_delay && !capture->address[0], "a line that tells nothing of its host has no crawl delay and no address");
	capture = read_one("{" PAGE ",\"body\":\"x\",\"crawl_delay\":0.5,\"address\":\"2001:DB8:0:0::1\"}");
	ok(capture->has_crawl_delay && capture->crawl_delay_s == 1, "a crawl_delay of half a second is a second");
	same(capture->address, "2001:db8::1", "an address has one spelling");
	ok(read_one("{" PAGE ",\"body\":\"x\",\"crawl_delay\":1e300}")->crawl_delay_s == 86400, "a crawl_delay is at most a day");
	ok(read_one("{" PAGE ",\"body\":\"x\",\"crawl_delay\":\"2.5\"}")->crawl_delay_s == 3, "a crawl_delay may be text, as robots.txt has it");
	capture = read_one("{" PAGE ",\"body\":\"x\",\"crawl_delay\":0,\"address\":\"::ffff:192.0.2.1\"}");
	ok(capture->has_crawl_delay && !capture->crawl_delay_s, "a crawl_delay of 0 is told");
	same(capture->address, "192.0.2.1", "an address of IPv4 within one of IPv6 is that of IPv4");
	for (const char *const *no = (const char *const[]){ "999.1.1.1", "[::1]", "1.2.3.4:80", "a.example", "", NULL }; *no; no++) {
		char line[256];

		snprintf(line, sizeof line, "{" PAGE ",\"body\":\"x\",\"address\":\"%s\"}", *no);
		ok(!read_one(line)->address[0], "'%s' is no address, and loses no report", *no);
	}
}

static void answers(void)
{
	const struct prn_capture *capture = read_one("{" PAGE ",\"answers\":\"http://b.example/%7Ex\",\"body\":\"x\"}");

	ok(!strcmp(capture->url, "http://b.example/%7Ex") && !strcmp(capture->normal_url, "http://b.example/~x"),
	   "a line that answers another URL is a capture of that page");
	capture = read_one("{" PAGE ",\"answers\":\"http://b.example/\",\"status\":301,\"location\":\"y z\"}");
	ok(has_body(capture, "http://a.example/y%20z"), "the location of a line that answers another URL is relative to the one asked for");
	capture = read_one("{" PAGE ",\"answers\":\"http://b.example/\",\"status\":301,\"location\":\"mailto:x\"}");
	ok(has_body(capture, "mailto:x"), "a location that leads out of the web stays as it is");
	capture = read_one("{" PAGE ",\"answers\":null,\"status\":301,\"location\":\"y z\"}");
	ok(!strcmp(capture->url, "http://A.example/x") && has_body(capture, "y z"), "a line may say that it answers no other URL");
}

static void files(void)
{
	put_file("pages/x.html", "<p>of a file</p>", 16);
	ok(has_body(read_one("{" PAGE ",\"path\":\"pages/x.html\",\"content_type\":\"text/html\"}"), "<p>of a file</p>"),
	   "a path on a line is relative to the file of lines");
	same(reading.seen[0].capture.content_type, "text/html",
	     "the charset of a file that a line names is found out by its bytes");
	read_text("{" PAGE ",\"path\":\"pages/y.html\"}\n{" PAGE ",\"path\":\"pages\"}\n", NULL);
	same(tally(&reading), "0 captures, 2 damaged", "a line that names a file that cannot be read is damage");
	ok(HOLDS(skipped_text(&reading), "a.ndjson: line 1: pages/y.html: there is no such file", "line 2: pages: it is not a regular file"),
	   "a file that a line names and that cannot be read is told");
}

static void no_files(void)
{
	struct prn_source_options options = { .no_paths = true };

	read_text("{" PAGE ",\"path\":\"pages/x.html\"}\n{" PAGE ",\"body\":\"x\"}\n", &options);
	same(tally(&reading), "1 capture, 1 damaged", "where lines are strangers', no file that they name is read");
	ok(HOLDS(skipped_text(&reading), "line 1: \"path\" is not read here: send \"body\" or \"body_base64\""),
	   "a stranger's line that names a file is answered with what to send instead");
}

static void limits(void)
{
	struct prn_source_options options = { .body_bytes_max = 4 };
	struct prn_buffer text = { 0 };

	put_file("five", "12345", 5);
	read_text("{" PAGE ",\"body\":\"12345\"}\n{" PAGE ",\"body_base64\":\"MTIzNDU=\"}\n{" PAGE ",\"path\":\"five\"}\n"
	          "{" PAGE ",\"body\":\"1234\"}\n{" PAGE ",\"status\":301,\"location\":\"/12345\"}\n", &options);
	for (size_t i = 0; i < 3; i++)
		ok(has_body(&reading.seen[i].capture, "1234") && reading.seen[i].capture.truncated,
		   "a body beyond the limit is cut there (%zu)", i);
	ok(reading.counts.cut == 3, "each body that is cut at the limit is counted");
	ok(!reading.seen[3].capture.truncated, "a body that just fits the limit is not cut");
	ok(has_body(&reading.seen[4].capture, "/12345"), "a location longer than the limit is not cut");
	add_text(&text, "{" PAGE ",\"status\":304,\"more\":\"%*s\"}\n{" PAGE ",\"status\":304}\n", 1100000, "");
	read_source(&reading, put_buffer("long.ndjson", &text), &options);
	same(tally(&reading), "1 capture, 1 damaged", "a line far longer than the limit of a body is passed over");
	ok(HOLDS(skipped_text(&reading), "long.ndjson: line 1: it is longer than 1048588 bytes"),
	   "a line far longer than the limit of a body is told");
	prn_buffer_release(&text);
}

/* A member that has a hundred thousand values, among those that are not known. */
static void many_values(void)
{
	struct prn_buffer text = { 0 };

	add(&text, "{" PAGE ",\"body\":\"x\",\"other\":[", strlen("{" PAGE ",\"body\":\"x\",\"other\":["));
	for (int i = 0; i < 100000; i++)
		add(&text, "[],", 3);
	add(&text, "[]]}\n{" PAGE ",\"body\":\"y\"}\n", strlen("[]]}\n{" PAGE ",\"body\":\"y\"}\n"));
	read_source(&reading, put_file("many.ndjson", text.data, text.length), NULL);
	ok(reading.counts.damaged == 1 && strstr(skipped_text(&reading), "many.ndjson: line 1: too much JSON: more than 10000 values (byte"),
	   "a line of more values than it can have use for is told as damaged");
	ok(reading.count == 1 && has_body(&reading.seen[0].capture, "y"), "the line behind one of too many values is read");
	prn_buffer_release(&text);
}

static void wrong_lines(void)
{
	static const struct {
		const char *line, *told;
	} wrong[] = {
		{ "{" PAGE ",\"body\":\"", "not JSON: " },
		{ "[1]", "it is JSON, but not an object" },
		{ "{\"time\":7,\"body\":\"\"}", "it has no \"url\"" },
		{ "{\"url\":\"x\",\"time\":7,\"body\":\"\"}", "\"url\" takes an http or https URL of at most 8192 bytes" },
		{ "{\"url\":\"ftp://a.example/\",\"time\":7,\"body\":\"\"}", "\"url\" takes" },
		{ "{\"url\":\"http://a.example/\\u0000x\",\"time\":7,\"body\":\"\"}", "\"url\" takes a text" },
		{ "{\"url\":7,\"time\":7,\"body\":\"\"}", "\"url\" takes a text" },
		{ "{\"url\":\"http://a.example/\",\"body\":\"\"}", "it has no \"time\"" },
		{ "{\"url\":\"http://a.example/\",\"time\":\"soon\",\"body\":\"\"}", "\"time\" takes a time" },
		{ "{\"url\":\"http://a.example/\",\"time\":1e18,\"body\":\"\"}", "\"time\" takes a time" },
		{ "{" PAGE ",\"status\":\"200\",\"body\":\"\"}", "\"status\" takes an HTTP status" },
		{ "{" PAGE ",\"status\":1000}", "\"status\" takes an HTTP status" },
		{ "{" PAGE "}", "content needs one of \"body\", \"body_base64\" and \"path\"; this has none" },
		{ "{" PAGE ",\"body\":\"\",\"path\":\"x\"}", "this has several" },
		{ "{" PAGE ",\"body\":7}", "\"body\" takes a text" },
		{ "{" PAGE ",\"body_base64\":\"!\"}", "\"body_base64\" takes base64" },
		{ "{" PAGE ",\"path\":7}", "\"path\" takes a text" },
		{ "{" PAGE ",\"answers\":7,\"body\":\"\"}", "\"answers\" takes a text" },
		{ "{" PAGE ",\"answers\":\"/x\",\"body\":\"\"}", "\"answers\" takes an http or https URL" },
		{ "{" PAGE ",\"body\":\"\",\"weight\":0}", "\"weight\" takes a number above 0, at most 1e9" },
		{ "{" PAGE ",\"body\":\"\",\"weight\":1e308}", "\"weight\" takes a number above 0, at most 1e9" },
		{ "{" PAGE ",\"body\":\"\",\"weight\":\"2\"}", "\"weight\" takes a number above 0, at most 1e9" },
		{ "{" PAGE ",\"body\":\"\",\"crawl_delay\":-1}", "\"crawl_delay\" takes seconds" },
		{ "{" PAGE ",\"body\":\"\",\"crawl_delay\":\"five\"}", "\"crawl_delay\" takes seconds" },
		{ "{" PAGE ",\"body\":\"\",\"crawl_delay\":\"-5\"}", "\"crawl_delay\" takes seconds" },
		{ "{" PAGE ",\"body\":\"\",\"crawl_delay\":true}", "\"crawl_delay\" takes seconds" },
		{ "{" PAGE ",\"body\":\"\",\"address\":7}", "\"address\" takes a text" },
		{ "{" PAGE ",\"status\":429,\"retry_after\":-1}", "\"retry_after\" takes seconds" },
		{ "{" PAGE ",\"status\":429,\"retry_after\":true}", "\"retry_after\" takes seconds" },
		{ "{" PAGE ",\"body\":\"\",\"last_modified\":true}", "\"last_modified\" takes a time" },
		{ "{" PAGE ",\"status\":404,\"bytes\":-1}", "\"bytes\" takes a number of bytes" },
		{ "{" PAGE ",\"status\":404,\"bytes\":1.5}", "\"bytes\" takes a number of bytes" },
		{ "{" PAGE ",\"status\":404,\"bytes\":1099511627777}", "\"bytes\" takes a number of bytes" },
		{ "{" PAGE ",\"status\":301,\"location\":7}", "\"location\" takes a text" },
		{ "{" PAGE ",\"body\":\"\xff\"}", "not JSON: " },
	};
	char text[512];

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		snprintf(text, sizeof text, "\n{" PAGE ",\"status\":304}\n%s\n{" PAGE ",\"status\":304}", wrong[i].line);
		read_text(text, NULL);
		ok(reading.count == 2 && !reading.ended,
		   "the lines around a wrong one are read: %s", wrong[i].told);
		ok(reading.counts.damaged == 1 && reading.counts.records == 3,
		   "a wrong line is counted as a record and as damaged: %s", wrong[i].told);
		ok(HOLDS(skipped_text(&reading), "a.ndjson: line 3: ", wrong[i].told),
		   "a wrong line is told with its number: %s",
		   wrong[i].told);
	}
}

static void packings(void)
{
	static const char first[] = "{" PAGE ",\"body\":\"one\"}\n{" PAGE, second[] = ",\"body\":\"two\"}\r\n\n";
	struct prn_buffer packed = { 0 };

	add_gzip(&packed, first, sizeof first - 1);
	add_gzip(&packed, second, sizeof second - 1);
	read_source(&reading, put_buffer("a.ndjson.gz", &packed), NULL);
	same(tally(&reading), "2 captures", "lines packed by gzip are read");
	ok(has_body(&reading.seen[1].capture, "two"), "a line that lies in two gzip members is read");
	packed.length -= 9;
	read_source(&reading, put_buffer("a.ndjson.gz", &packed), NULL);
	ok(reading.count >= 1, "of packed lines that are cut short the whole ones are read");
	ok(reading.ended == PRN_E_TRUNCATED && HOLDS(reading.error.text, "a.ndjson.gz: "),
	   "packed lines that are cut short are an error that names their file");
	prn_buffer_clear(&packed);
	add_zstd(&packed, first, sizeof first - 1, NULL);
	add_zstd(&packed, second, sizeof second - 1, NULL);
	read_source(&reading, put_buffer("a.ndjson.zst", &packed), NULL);
	ok(reading.count == 2 && has_body(&reading.seen[1].capture, "two"),
	   "lines packed by zstd are read, one of them over two frames");
	read_text("\xef\xbb\xbf{" PAGE ",\"status\":304}\r\n", NULL);
	ok(reading.count == 1, "a byte order mark before the first line is passed over");
	read_text("{" PAGE ",\"status\":304}\n\xef\xbb\xbf{" PAGE ",\"status\":304}\n", NULL);
	same(tally(&reading), "1 capture, 1 damaged", "a byte order mark before a later line is damage");
	ok(HOLDS(skipped_text(&reading), "line 2: not JSON"), "a byte order mark before a later line is told with the line");
	read_text("\n \n", NULL);
	same(tally(&reading), "0 captures", "blank lines are neither captures nor damage");
	read_text("", NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "a.ndjson: the file is empty"),
	   "an empty file of lines is refused and told");
	prn_buffer_release(&packed);
}

static void filters(void)
{
	static const char *const hosts[] = { "a.example" }, *const media[] = { "text/html" };
	struct prn_source_options options = { .filter = { .hosts = hosts, .host_count = 1, .media = media, .media_count = 1,
		                                          .has_to = true, .to = SECONDS + 1 } };

	read_text("{" PAGE ",\"body\":\"\",\"content_type\":\"text/html\"}\n{" PAGE ",\"body\":\"\",\"content_type\":\"text/css\"}\n"
	          "{\"url\":\"http://b.example/\",\"time\":7,\"status\":304}\n{\"url\":\"http://a.example/\",\"time\":2e9,\"status\":304}\n"
	          "{" PAGE ",\"status\":404,\"content_type\":\"text/css\"}\n", &options);
	ok(reading.count == 2 && reading.counts.filtered == 3, "filters select captures of lines");
}

/* From standard input, which may be empty. */
static void standard_input(const char *text, size_t captures)
{
	int kept = dup(STDIN_FILENO), file = open(put_file("stdin", text, strlen(text)), O_RDONLY);

	must(kept >= 0 && file >= 0 && dup2(file, STDIN_FILENO) >= 0, "redirect");
	close(file);
	read_source(&reading, "-", NULL);
	must(dup2(kept, STDIN_FILENO) >= 0, "redirect");
	close(kept);
	ok(!reading.opened && !reading.ended, "standard input of %zu captures is read to its end", captures);
	ok(reading.count == captures, "%zu captures are read from standard input", captures);
}

/* What a shell's "read" has taken from a file is not read again. */
static void standard_input_from_its_offset(void)
{
	static const char text[] = "{" PAGE ",\"status\":304}\n{" PAGE ",\"status\":404}\n";
	int kept = dup(STDIN_FILENO), file = open(put_file("stdin", text, sizeof text - 1), O_RDONLY);

	must(kept >= 0 && file >= 0 && lseek(file, strchr(text, '\n') + 1 - text, SEEK_SET) > 0 && dup2(file, STDIN_FILENO) >= 0,
	     "redirect");
	close(file);
	read_source(&reading, "-", NULL);
	must(dup2(kept, STDIN_FILENO) >= 0, "redirect");
	close(kept);
	ok(reading.count == 1 && reading.seen[0].capture.status == 404,
	   "standard input is read from where it stands in its file");
}

static void read_pieces(const char *text)
{
	struct prn_buffer file = { 0 };

	add_pieces(&file, text);
	read_source(&reading, put_buffer("a.ndjson.gz", &file), NULL);
	prn_buffer_release(&file);
}

#define LINE(n) "{\"url\":\"http://a.example/" #n "\",\"time\":7,\"body\":\"" #n "\"}\n"

/* Of a file whose blocks were lost, no line is made of the halves of two. */
static void lost_members(void)
{
	read_pieces(LINE(1) "||" LINE(2) "|" LINE(3));
	same(tally(&reading), "3 captures, 1 damaged", "zeros between the members of a file of lines are damage, and cost no line that is there");
	ok(HOLDS(skipped_text(&reading), "a.ndjson.gz: 1024 bytes of zeros at offset", "where a gzip member should be"), "zeros in a file of lines are told");
	read_pieces(LINE(1) "{\"url\":\"http://a.example/2\",\"time\":7,\"body\":\"||other\"}\n" LINE(3));
	same(tally(&reading), "2 captures, 1 damaged", "a line that zeros cut is not joined with what is behind them");
	same(reading.seen[1].normal, "http://a.example/3", "lines are read behind one that zeros cut");
	read_pieces(LINE(1) "{\"url\":||\"a\"|||\"b\",|\"c\"}\n" LINE(3));
	same(tally(&reading), "2 captures, 2 damaged", "a line that zeros cut twice is passed over, and both are told");
	read_pieces("||" LINE(1));
	same(tally(&reading), "1 capture, 1 damaged", "zeros before the first line are damage");
	read_pieces(LINE(1) "{\"url\":|");
	ok(reading.count == 1 && reading.counts.damaged == 1, "a line that the file's end cuts is damage");
	read_pieces(LINE(1) "{\"url\":||x");
	same(tally(&reading), "1 capture, 1 damaged", "a line that zeros cut may be the last");
}

int main(void)
{
	make_scratch();
	members();
	times();
	codings();
	statuses();
	retry_after();
	validators();
	what_a_line_tells_of_its_host();
	answers();
	files();
	no_files();
	limits();
	wrong_lines();
	many_values();
	packings();
	lost_members();
	filters();
	standard_input("{" PAGE ",\"status\":304}\nx\n", 1);
	ok(HOLDS(skipped_text(&reading), "standard input: line 2: not JSON"),
	   "a fault of standard input is told with its name and line");
	standard_input("", 0);
	standard_input_from_its_offset();
	reading_release(&reading);
	return done();
}
