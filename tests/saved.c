/* Pages that SingleFile and monolith saved, and HTML that says nothing of where it is from. */
#include "archive/saved.h"
#include "fixture.h"
#include "perennial/error.h"
#include "perennial/time.h"

static struct reading reading;

static void read_text(const char *name, const char *text)
{
	put_file(name, text, strlen(text));
	read_source(&reading, in_scratch(name), NULL);
}

static const char *line(void)
{
	static char text[1024];
	char time[PRN_TIME_TEXT];
	const struct seen *seen = &reading.seen[0];

	if (reading.opened || reading.ended || reading.count != 1)
		return reading.error.code ? reading.error.text : "(no page, or several)";
	snprintf(text, sizeof text, "%s %s %.200s %s", prn_time_format(seen->capture.time, time), prn_kind_name(seen->capture.kind), seen->normal,
	         seen->capture.content_type ? seen->capture.content_type : "-");
	return text;
}

static void singlefile(void)
{
	static const char page[] = "<!DOCTYPE html> <html lang=en><!--\n Page saved with SingleFile \n url: https://A.example/harbour?q=1#boats \n"
				   " saved date: Fri Feb 20 2026 14:00:00 GMT+0100 (Central European Standard Time)\n--><meta charset=utf-8>\n<p>Boats at nine.";

	read_text("page.html", page);
	same(line(), "2026-02-20T13:00:00Z content https://a.example/harbour?q=1 text/html", "a page of SingleFile's is a capture of its URL and time");
	ok(reading.seen[0].capture.body_bytes == sizeof page - 1 && !memcmp(reading.seen[0].body, page, sizeof page - 1), "a saved page is content as it is");
	same(reading.seen[0].url, "https://A.example/harbour?q=1#boats", "a saved page's URL is told as it is written");
	ok(reading.counts.records == 1 && reading.counts.input_bytes == sizeof page - 1, "a saved page is counted");
	read_text("late.html", "\xef\xbb\xbf\r\n<html class=\"a\"><!-- other -->\n<!-- Page saved with SingleFile\r\nurl: http://a.example/\r\n"
	                       "saved date: Fri Feb 20 2026 13:00:00 GMT+0000 (\xe5\x8d\x94\xe5\xae\x9a\xe4\xb8\x96\xe7\x95\x8c\xe6\x99\x82)\r\n"
	                       "saved date: Fri Feb 20 2027 13:00:00 GMT+0000\r\n--><p>x");
	same(line(), "2026-02-20T13:00:00Z content http://a.example/ text/html", "the comment may stand behind another, and its first lines count");
	read_text("legacy.html", "<html><!--\n Archive processed by SingleFile \n url: http://a.example/ \n saved date: Fri Feb 20 2026 13:00:00 GMT+0000 (UTC)\n-->");
	same(line(), "2026-02-20T13:00:00Z content http://a.example/ text/html", "a page of SingleFile's first versions is read");
}

static void monolith(void)
{
	read_text("monolith.html", "<!-- Saved from https://a.example/?at=1 at 2026-02-20T13:00:00Z using monolith v2.8.1 -->\n<!DOCTYPE html><html><p>x");
	same(line(), "2026-02-20T13:00:00Z content https://a.example/?at=1 text/html", "a page of monolith's is a capture of its URL and time");
	read_text("local.html", "<!-- Saved from local source at 2026-02-20T13:00:00Z using monolith v2.8.1 -->\n<html><p>x");
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "local.html: a saved page whose comment tells no http or https URL"),
	   "a page of no URL is refused");
}

#define ZERO "<html><!--\n Page saved with SingleFile\n url: http://bank.example/\0.evil.example/x\n saved date: Fri Feb 20 2026 13:00:00 GMT\n-->"

static void refused(void)
{
	static char text[100000];
	struct prn_source_options now = { .has_time = true, .time = 1771592400 };

	read_text("plain.html", "<!doctype html><title>x</title><p>url: http://a.example/ <!-- no comment of theirs -->");
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "plain.html: an HTML page without the comment by which SingleFile"),
	   "a page that tells no URL is refused, and what to do is said");
	read_text("said.html", "<html><p>Page saved with SingleFile url: http://a.example/ saved date: Fri Feb 20 2026");
	ok(reading.opened == PRN_E_INPUT, "what a page's text says of where it is from is not believed");
	read_text("undated.html", "<html><!--\n Page saved with SingleFile\n url: http://a.example/\n saved date: today\n-->");
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "tells no date that can be read"), "a saved page without a date is refused");
	read_source(&reading, in_scratch("undated.html"), &now);
	same(line(), "2026-02-20T13:00:00Z content http://a.example/ text/html", "a saved page without a date has that of the options");
	read_text("other.html", "<html><!--\n Page saved with SingleFile\n url: ftp://a.example/\n saved date: Fri Feb 20 2026 13:00:00 GMT\n-->");
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "tells no http or https URL"), "a saved page of another scheme is refused");
	read_text("open.html", "<html><!--\n Page saved with SingleFile\n url: http://a.example/\n saved date: Fri Feb 20 2026 13:00:00 GMT\n");
	ok(reading.opened == PRN_E_INPUT, "a comment that does not end is none");
	put_file("zero.html", ZERO, sizeof ZERO - 1);
	read_source(&reading, in_scratch("zero.html"), NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "has a zero byte in it"), "a URL with a zero byte is refused, and not cut there");
	memset(text, 'x', sizeof text - 1);
	memcpy(text, "<html><!--\n Page saved with SingleFile\n url: http://a.example/", 62);
	memcpy(text + 20000, "\n saved date: Fri Feb 20 2026 13:00:00 GMT\n-->", 47);
	read_text("long.html", text);
	ok(reading.opened == PRN_E_INPUT, "a URL that is too long is refused");
	memset(text, ' ', 40000);
	memcpy(text, "<html>", 6);
	memcpy(text + 39000, "<!-- Page saved with SingleFile\nurl: http://a.example/\nsaved date: Fri Feb 20 2026\n-->", 87);
	read_text("far.html", text);
	ok(reading.opened == PRN_E_INPUT, "a comment far from the start is not looked for");
}

static void others(void)
{
	static const char *const html[] = { "<!DOCTYPE HTML>", " \n<HTML>", "\xef\xbb\xbf<html", "<!-- x --><html>", "<!-- Saved from x", "<head>", "<body>" };
	static const char *const none[] = { "", "<", "<?xml version=\"1.0\"?><html>", "<!-- a feed --><rss>", "<urlset>", "text <html>", "<h" };

	for (size_t i = 0; i < sizeof html / sizeof *html; i++)
		ok(prn_saved_is_html((const unsigned char *)html[i], strlen(html[i])), "page %zu begins as HTML does", i);
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		ok(!prn_saved_is_html((const unsigned char *)none[i], strlen(none[i])), "'%s' does not begin as HTML does", none[i]);
}

static void limits(void)
{
	static const char page[] = "<html><!-- Page saved with SingleFile\nurl: http://a.example/\nsaved date: Fri Feb 20 2026 13:00 GMT\n-->boats";
	static const char *const xml[] = { "text/xml" };
	struct prn_source_options options = { .body_bytes_max = sizeof page - 2 };
	struct prn_buffer packed = { 0 };

	put_file("limits.htm", page, sizeof page - 1);
	read_source(&reading, in_scratch("limits.htm"), &options);
	ok(reading.count == 1 && reading.seen[0].capture.truncated, "a saved page above the limit is marked as cut");
	ok(reading.seen[0].capture.body_bytes == sizeof page - 2, "a saved page above the limit is cut there");
	ok(reading.counts.cut == 1, "a saved page that was cut is counted");
	options = (struct prn_source_options){ .body_bytes_max = sizeof page - 1 };
	read_source(&reading, in_scratch("limits.htm"), &options);
	ok(reading.count == 1 && !reading.seen[0].capture.truncated, "a saved page of just the limit is whole");
	options.filter = (struct prn_source_filter){ .media = xml, .media_count = 1 };
	read_source(&reading, in_scratch("limits.htm"), &options);
	ok(!reading.count && reading.counts.other_media == 1, "media types filter saved pages");
	options.filter = (struct prn_source_filter){ .has_to = true, .to = 1771592400 };
	read_source(&reading, in_scratch("limits.htm"), &options);
	ok(!reading.count && reading.counts.filtered == 1, "saved pages are filtered by time");
	add_gzip(&packed, page, sizeof page - 1);
	put_buffer("limits.html.gz", &packed);
	read_source(&reading, in_scratch("limits.html.gz"), NULL);
	same(line(), "2026-02-20T13:00:00Z content http://a.example/ text/html", "a saved page may be packed");
	packed.length -= 9;
	put_buffer("limits.html.gz", &packed);
	read_source(&reading, in_scratch("limits.html.gz"), NULL);
	ok(reading.opened < 0 || (reading.ended == PRN_E_TRUNCATED && !reading.count), "a saved page whose packing is cut is told");
	prn_buffer_clear(&packed);
	add_pieces(&packed, "<!-- Saved from https://a.example/ at 2026-02-20T13:00:00Z using monolith v2.8.1 -->\n<html>||<p>x");
	put_buffer("lost.html.gz", &packed);
	read_source(&reading, in_scratch("lost.html.gz"), NULL);
	ok(reading.ended == PRN_E_INPUT && !reading.count && HOLDS(reading.error.text, "lost.html.gz: 1024 bytes of zeros at offset"),
	   "a saved page is not joined where zeros stand in place of a part of it, and that is told");
	mkdir(in_scratch("pages"), 0777);
	put_file("pages/a.html", page, sizeof page - 1);
	put_file("pages/b.html", "<html><p>x", 10);
	read_source(&reading, in_scratch("pages"), NULL);
	ok(reading.count == 1 && reading.counts.ignored == 1,
	   "of a folder of HTML files those that were saved are read");
	same(reading.counts.passed[0].what, "*.html", "HTML files that were not saved pages are told as passed over");
	prn_buffer_release(&packed);
}

int main(void)
{
	make_scratch();
	singlefile();
	monolith();
	refused();
	others();
	limits();
	reading_release(&reading);
	return done();
}
