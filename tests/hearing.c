/* Hints on page histories: files of them, and those that are made up. */
#include "history/replay_hints.h"

#include "histories.h"
#include "tap.h"

#include <stdio.h>
#include <unistd.h>

static struct prn_page page;
static struct prn_truth truth;
static struct prn_replay_hints hearing;
static struct prn_error error;

static void take(const char *text)
{
	struct history history;

	history_read(&history, text);
	history_page(&history, "http://a.example/x", &page);
	if (prn_truth_read(&truth, &page, PRN_CLOCK_STEPS) != 1)
		abort();
}

static int read_text(struct prn_hint_log **log, const char *text)
{
	char path[] = "/tmp/hearing-XXXXXX";
	int fd = mkstemp(path), code;

	if (fd < 0 || write(fd, text, strlen(text)) < 0 || close(fd))
		abort();
	code = prn_hint_log_read(log, path, &error);
	unlink(path);
	return code;
}

static const char *url_of(void *context, size_t i)
{
	static const char *const urls[] = { "http://a.example/x", NULL, "http://a.example/y" };

	(void)context;
	return urls[i];
}

/* How many hints are of two pages, a hundredfold, and how many there are. */
static size_t matched(const struct prn_hint_log *log)
{
	const struct prn_pages pages = { .count = 3, .url = url_of };
	size_t known = 0, all = 0;

	if (prn_hint_log_match(log, &pages, &known, &all))
		abort();
	return 100 * known + all;
}

/* When a page hears of changes: "1.5 2". */
static const char *hears(struct prn_hint_log *log, const char *url)
{
	static char text[200];
	size_t length = 0;

	if (prn_replay_hints_read(&hearing, log, &truth, url))
		return "refused";
	text[0] = 0;
	for (size_t i = 0; i < hearing.count && length < sizeof text; i++)
		length += (size_t)snprintf(text + length, sizeof text - length, "%s%g", i ? " " : "", (double)hearing.list[i].time);
	return text;
}

/* What sitemaps and feeds say of when pages changed, on the clock of a page that was captured each hour from 1970 on. */
static void documents(void)
{
	static const char *const silent[] = {
		"<urlset><url><loc>http://a.example/x</loc></url></urlset>",
		"<sitemapindex><sitemap><loc>http://a.example/1.xml</loc><lastmod>1995-01-01</lastmod></sitemap></sitemapindex>",
	};
	struct prn_hint_log *log = NULL;

	take("a b c d e f");
	truth.start_s = 946684800; /* 2000 */
	ok(!read_text(&log, "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://a.example/x</loc>"
	                    "<lastmod>2000-01-01T02:00:00Z</lastmod></url><url><loc>http://a.example/y</loc></url></urlset>"),
	   "a sitemap is a file of hints");
	same(hears(log, "http://a.example/x"), "2", "a page hears of a change when its sitemap says that it was");
	same(hears(log, "http://a.example/y"), "", "a page whose entry does not say when it changed hears nothing");
	ok(matched(log) == 101, "an entry that does not say when its page changed is no hint");
	prn_hint_log_free(log);
	ok(!read_text(&log, "<rss><channel><item><link>http://a.example/x</link><pubDate>Sat, 01 Jan 2000 03:00:00 GMT</pubDate></item>"
	                    "<item><link>http://b.example/</link><pubDate>Sat, 01 Jan 2000 03:00:00 GMT</pubDate></item></channel></rss>") &&
	           matched(log) == 102, "a feed is a file of hints, some of which may be of other pages");
	prn_hint_log_free(log);
	ok(!read_text(&log, "{\"url\":\"http://a.example/x\",\"lastmod\":\"2000-01-01T01:00:00Z\"}"),
	   "a line of JSON that tells no time of its own is a file of hints");
	same(hears(log, "http://a.example/x"), "1", "a line that tells no time of its own is of the change that it tells");
	prn_hint_log_free(log);
	for (size_t i = 0; i < 2; i++) {
		log = NULL;
		ok(read_text(&log, silent[i]) == PRN_E_INPUT && strstr(error.text, i ? "give the sitemaps" : "<lastmod>"),
		   "a document that says of no page when it changed is refused: %s", error.text);
		ok(!log, "a document that says of no page when it changed gives no log");
	}
	ok(read_text(&log, "http://a.example/x\n") == PRN_E_INPUT && strstr(error.text, "hints are lines of JSON with url and time, a sitemap, or a feed"),
	   "a file of another kind is told what is taken: %s", error.text);
}

/* Twelve sources of a host, of which the later ones speak once and the earlier ones again and again; and one of another. */
static void many_sources(void)
{
	struct prn_hint_log *log = NULL;
	char text[8000];
	size_t length = 0, highest = 0;

	take("a b c d e f");
	for (int i = 12; i--;)
		for (int again = 0; again < (i < 8 ? 3 : 1); again++)
			length += (size_t)sprintf(text + length, "{\"url\":\"http://a.example/x\",\"time\":%d,\"source\":\"s%d\"}\n", 3600 + i + 100 * again, i);
	sprintf(text + length, "{\"url\":\"http://b.example/\",\"time\":9000,\"source\":\"s11\"}\n");
	if (read_text(&log, text) || prn_replay_hints_read(&hearing, log, &truth, "http://a.example/x"))
		abort();
	for (size_t i = 0; i < hearing.count; i++)
		highest = hearing.list[i].source > highest ? hearing.list[i].source : highest;
	ok(hearing.count == 24 && highest == 7, "of a host the eight sources are heard that spoke first");
	ok(prn_hint_log_sources(log) == 8, "of a host with twelve sources eight are known");
	ok(prn_hint_log_unheard(log) == 4, "hints of sources beyond the eight of a host are counted");
	prn_hint_log_free(log);
}

static void files(void)
{
	struct prn_hint_log *log = NULL;

	take("a b c d e f");
	ok(!read_text(&log, "{\"url\":\"http://a.example/x\",\"time\":7200,\"source\":\"feed\"}\n\n"
	                    "{\"url\":\"HTTP://A.example:80/x\",\"time\":\"1970-01-01T01:30:00Z\",\"source\":\"map\",\"more\":[1]}\n"
	                    "{\"url\":\"http://b.example/x\",\"time\":3600}\n"
	                    "{\"url\":\"http://a.example/x\",\"time\":-5}\n"
	                    "{\"url\":\"http://a.example/x\",\"time\":18001}\n"
	                    "{\"url\":\"http://a.example/x\",\"time\":7200,\"source\":\"feed\"}"),
	   "a file of hints is read, with empty lines, other members, and no end of its last line");
	same(hears(log, "http://a.example/x"), "1.5 2 2",
	     "a page hears its own hints, from after its acquisition to its last capture, in the order of time on its own clock");
	ok(hearing.list[0].source != hearing.list[1].source && hearing.list[1].source == hearing.list[2].source,
	   "hints of one source have its number");
	ok(matched(log) == 506, "of six hints five are of pages here");
	ok(prn_hint_log_sources(log) == 3, "a hint without a source has one of its own");
	ok(!prn_replay_hints_read(&hearing, log, &truth, "http://c.example/") && !hearing.count, "a page of which nobody spoke hears nothing");
	ok(!prn_replay_hints_read(&hearing, log, &truth, NULL) && !hearing.count, "a page without URL hears nothing");
	prn_hint_log_free(log);
	ok(!read_text(&log, "") && prn_hint_log_sources(log) == 1, "an empty file has no hints");
	ok(matched(log) == 0, "of no hints none is of pages here");
	prn_hint_log_free(log);
}

static void refused(const char *text, const char *why)
{
	struct prn_hint_log *log = NULL;

	ok(read_text(&log, text) == PRN_E_INPUT && strstr(error.text, why), "a file of hints is refused: %s", why);
	ok(!log, "a file of hints that is refused gives no log: %s", why);
}

static void faults(void)
{
	struct prn_hint_log *log = NULL;

	refused("{\"url\":\"http://a.example/x\",\"time\":1}\n{", "line 2: not JSON");
	refused("[1]", "line 1: it is JSON, but not an object");
	refused("{\"time\":1}", "\"url\" takes a text");
	refused("{\"url\":\"a\",\"time\":1}", "\"url\" takes an absolute http or https URL");
	refused("{\"url\":\"http://a.example/\"}", "\"time\" takes a time");
	refused("{\"url\":\"http://a.example/\",\"time\":\"soon\"}", "\"time\" takes a time");
	refused("{\"url\":\"http://a.example/\",\"time\":1e300}", "\"time\" takes a time");
	refused("{\"url\":\"http://a.example/\",\"time\":1,\"source\":7}", "\"source\" takes a text");
	ok(prn_hint_log_read(&log, "/nowhere/hints", &error) == PRN_E_IO && strstr(error.text, "/nowhere/hints"),
	   "a file of hints that is not there is named");
}

static size_t heard(const char *specification)
{
	struct prn_hint_log *log;

	if (prn_hint_log_synthesize(&log, specification, &error))
		return SIZE_MAX;
	prn_replay_hints_read(&hearing, log, &truth, NULL);
	prn_hint_log_free(log);
	return hearing.count;
}

static void made_up(void)
{
	static const char *const senseless[] = { "precision=0", "recall=", "every=.5", "recall", "noise=nan" };
	bool in_order = true;

	take("a a b b = c ! d d d e e e e f f f f f f f f f f f f f g g g g g g g g h h h h h h h h h");
	ok(heard("") == 7, "left alone, what is made up tells every change, and nothing else");
	ok(hearing.list[0].time == 2 && hearing.list[1].time == 5,
	   "left alone, what is made up tells a change at the capture that first has it");
	ok(heard("delay=0.5") == 7 && hearing.list[0].time == 2.5, "made-up hints come late by the delay");
	ok(heard("recall=0") == 0, "of no change nothing is told");
	ok(heard("recall=0:every=5") == 8, "hints at every fifth capture are as many as a fifth of the captures");
	ok(hearing.list[0].time == 5 && hearing.list[1].time == 10, "hints at every fifth capture come there");
	near((double)heard("recall=0:noise=20") / truth.time[truth.captures - 1], 20, 3, "hints at random come as often as they are to");
	near((double)heard("precision=.01") / 700, 1, 1, "of a hundred hints one tells a change");
	for (size_t i = 1; i < hearing.count; i++)
		in_order &= hearing.list[i].time >= hearing.list[i - 1].time;
	ok(in_order, "made-up hints are in the order of time");
	ok(heard("recall=.5") < 7 && heard("recall=.5:seed=2") < 7, "half of the changes are not all");
	ok(heard("recall=2") == SIZE_MAX && !strcmp(error.text, "synthetic hints: recall takes a number from 0 to 1, not '2'"),
	   "a value that does not fit is told, and what does");
	ok(heard("precision=.001") != SIZE_MAX, "the least precision is taken");
	ok(heard("precision=.0009") == SIZE_MAX && strstr(error.text, "a number from 0.001 to 1"),
	   "a precision that would take time without bound is refused, and the least is told");
	for (size_t i = 0; i < sizeof senseless / sizeof *senseless; i++)
		ok(heard(senseless[i]) == SIZE_MAX, "'%s' makes no sense as hints that are made up, and is refused", senseless[i]);
	ok(heard("frob=1") == SIZE_MAX && strstr(error.text, "'frob=1'"), "a key that there is not is told");
	ok(heard("recall=1:recall=1") == SIZE_MAX, "a key given twice is refused");
}

int main(void)
{
	prn_page_init(&page);
	prn_truth_init(&truth);
	prn_replay_hints_init(&hearing);
	files();
	documents();
	many_sources();
	faults();
	made_up();
	prn_replay_hints_release(&hearing);
	prn_truth_release(&truth);
	prn_page_release(&page);
	return done();
}
