/* What is said of how often pages change: files of it, and what is made up. */
#include "history/rates.h"

#include "histories.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static struct prn_page page;
static struct prn_truth truth;
static struct prn_error error;

static void take(const char *url, const char *text)
{
	struct history history;

	history_read(&history, text);
	history_page(&history, url, &page);
	if (prn_truth_read(&truth, &page, PRN_CLOCK_STEPS) != 1)
		abort();
}

static int read_text(struct prn_rate_log **log, const char *text)
{
	char path[] = "/tmp/rates-XXXXXX";
	int fd = mkstemp(path), code;

	if (fd < 0 || write(fd, text, strlen(text)) < 0 || close(fd))
		abort();
	code = prn_rate_log_read(log, path, &error);
	unlink(path);
	return code;
}

static const char *url_of(void *context, size_t i)
{
	static const char *const urls[] = { "http://a.example/z", NULL, "http://a.example/y" };

	(void)context;
	return urls[i];
}

static void files(void)
{
	struct prn_rate_log *log = NULL;
	size_t known = 0, all = 0;

	take("http://a.example/x", "a b c d e f");
	ok(!read_text(&log, "{\"url\":\"http://a.example/x\",\"changefreq\":\"hourly\"}\n{\"url\":\"http://a.example/x\",\"period\":\"2h\"}\n"
	                    "{\"url\":\"http://a.example/y\",\"period\":115200}\n{\"url\":\"http://a.example/z\"}\n"),
	   "a file of JSON lines says how often pages change, in words, seconds or a duration");
	near(prn_rate_log_said(log, &truth, "http://a.example/x"), 4, 1e-12,
	     "the last rate of a page counts, over the geometric mean of all: 2 h where that is 8 h");
	near(prn_rate_log_said(log, &truth, "http://a.example/y"), 0.25, 1e-12, "what is said of a page that changes seldom is below 1");
	near(prn_rate_log_said(log, &truth, "http://a.example/z"), 0, 0, "of a page of which only its URL is told nothing is said");
	if (prn_rate_log_match(log, &(struct prn_pages){ .count = 3, .url = url_of }, &known, &all))
		abort();
	ok(known == 1 && all == 2, "of two pages of which something is said one is here");
	near(prn_rate_log_said(log, &truth, NULL), 0, 0, "of a page without URL nothing is said");
	prn_rate_log_free(log);
	ok(!read_text(&log, "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://a.example/x</loc><changefreq>always</changefreq></url>"
	                    "<url><loc>http://a.example/y</loc><changefreq>never</changefreq></url></urlset>"), "a sitemap says how often pages change");
	near(prn_rate_log_said(log, &truth, "http://a.example/x"), sqrt(365.0 * 144), 1e-9, "\"always\" is ten minutes, and \"never\" is a year");
	prn_rate_log_free(log);
	log = NULL;
	ok(read_text(&log, "{\"url\":\"http://a.example/x\"}\n") == PRN_E_INPUT && !log, "a file that says it of no page is refused: %.60s…", error.text);
	ok(prn_rate_log_read(&log, "/nonexistent", &error) == PRN_E_IO && !log, "a file that is not there is refused");
}

static double said(const char *specification, const char *url, const char *text)
{
	struct prn_rate_log *log;
	double rate;

	take(url, text);
	if (prn_rate_log_synthesize(&log, specification, &error))
		abort();
	rate = prn_rate_log_said(log, &truth, url);
	prn_rate_log_free(log);
	return rate;
}

static void made_up(void)
{
	static const char *const bad[] = { "frob=1", "error", "error=-1", "share=2", "blind=0.5", "seed=x", "error=1:error=2", "error=", ":" };
	struct prn_rate_log *log = NULL;
	unsigned spoken = 0;
	double squares = 0;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(prn_rate_log_synthesize(&log, bad[i], &error) == PRN_E_ARGUMENT && !log, "'%s' makes up no rates: %s", bad[i], error.text);
	near(said("error=0", "http://a.example/x", "a b c d e f"), 3 * 5.5 / 6, 1e-12,
	     "without error what is said of a page is how often it changes, over a change in three captures");
	near(said("error=0", "http://a.example/x", "a a a a a a"), 3 * 0.5 / 6, 1e-12, "a page that never changed is said to change at some time");
	near(said("error=0:blind=1", "http://a.example/x", "a a a a a a"), 1, 1e-12, "what is blind has nothing to do with the page");
	for (unsigned i = 0; i < 2000; i++) {
		char url[64];
		double rate;

		snprintf(url, sizeof url, "http://a.example/%u", i);
		rate = said("error=0.7:blind=1:share=0.5", url, "a b a b a");
		spoken += rate > 0;
		squares += rate > 0 ? log2(rate) * log2(rate) : 0;
	}
	/* Of 2000 draws of a half the deviation is 22; of the deviation of 1000 normal ones 2 %. */
	ok(spoken > 900 && spoken < 1100, "of half the pages something is said: %u of 2000", spoken);
	near(sqrt(squares / spoken), 0.7 * 1.4426950408889634, 0.08, "synthetic rates are wrong by a factor whose logarithm has the deviation asked for");
	near(said("seed=1", "http://a.example/x", "a b a b a"), said("seed=1", "http://a.example/x", "a b a b a"), 0,
	     "the same is said of a page for the same seed");
	ok(fabs(said("seed=1", "http://a.example/x", "a b a b a") - said("seed=2", "http://a.example/x", "a b a b a")) > 0, "something else is said for another seed");
}

int main(void)
{
	prn_page_init(&page);
	prn_truth_init(&truth);
	files();
	made_up();
	prn_truth_release(&truth);
	prn_page_release(&page);
	return done();
}
