/* Metrics: what is printed for each kind, and that threads lose nothing. */
#include "../tap.h"
#include "serve/metrics.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char *colour(size_t i)
{
	static const char *const names[] = { "red", "green", NULL };

	return names[i];
}

static const struct serve_family families[] = {
	{ "p_paints_total", "Paints.", SERVE_COUNTER, "colour", colour },
	{ "p_depth", "Depth.", SERVE_GAUGE, NULL, NULL },
	{ "p_wait_seconds", "Wait.", SERVE_HISTOGRAM, "colour", colour },
};

enum { PAINTS, DEPTH, WAIT };

static void test_named(void)
{
	struct prn_buffer out = { 0 };
	char longest[300];

	memset(longest, '"', sizeof longest - 1);
	longest[sizeof longest - 1] = 0;
	ok(!serve_metrics_write_head("p_mood", "Mood.", SERVE_GAUGE, &out), "the head of a gauge is written");
	ok(!serve_metrics_write_gauge("p_mood", "who", "a \"b\" \\n\n{é}", 0.5, &out),
	   "a gauge of any label is written");
	ok(!serve_metrics_write_gauge("p_mood", "who", "", NAN, &out) && !prn_buffer_terminate(&out),
	   "a gauge of no label and no number is written");
	same((char *)out.data, "# HELP p_mood Mood.\n# TYPE p_mood gauge\np_mood{who=\"a \\\"b\\\" \\\\n\\n{é}\"} 0.5\np_mood{who=\"\"} NaN\n",
	     "quotes, backslashes and ends of lines in a label are escaped");
	prn_buffer_clear(&out);
	ok(!serve_metrics_write_gauge("p_mood", "who", longest, 1, &out) && !prn_buffer_terminate(&out),
	   "a gauge of a label that is longer than 255 bytes is written");
	ok(strlen((char *)out.data) == strlen("p_mood{who=\"\"} 1\n") + 2 * 255,
	   "a label that is longer than 255 bytes is cut");
	prn_buffer_release(&out);
}

static void *hammer(void *metrics)
{
	for (int i = 0; i < 20000; i++) {
		serve_metrics_add(metrics, PAINTS, 1, 2);
		serve_metrics_time(metrics, WAIT, 1, 0.5);
	}
	return NULL;
}

static char *print(const struct serve_metrics *metrics)
{
	struct prn_buffer out = { 0 };

	if (serve_metrics_write(metrics, &out) || prn_buffer_terminate(&out))
		abort();
	return (char *)out.data;
}

int main(void)
{
	struct serve_metrics *metrics;
	pthread_t threads[4];
	char *text;

	if (!ok(!serve_metrics_open(&metrics, families, 3), "a registry of three families of metrics is made"))
		return done();
	serve_metrics_add(metrics, PAINTS, 0, 3);
	serve_metrics_set(metrics, DEPTH, 0, -1.25);
	serve_metrics_time(metrics, WAIT, 0, 0.0001);
	serve_metrics_time(metrics, WAIT, 0, 0.3);
	serve_metrics_time(metrics, WAIT, 0, 99);
	serve_metrics_add(metrics, PAINTS, 2, 1);
	serve_metrics_add(metrics, 3, 0, 1);
	text = print(metrics);
	ok(strstr(text, "# HELP p_paints_total Paints.\n# TYPE p_paints_total counter\n"
	                "p_paints_total{colour=\"red\"} 3\np_paints_total{colour=\"green\"} 0\n") == text,
	   "a counter is printed with help, type, and each value of its label, also those that are 0");
	ok(strstr(text, "# TYPE p_depth gauge\np_depth -1.25\n"), "a gauge without a label is printed");
	ok(strstr(text, "p_wait_seconds_bucket{colour=\"red\",le=\"0.0001\"} 1\n"),
	   "a time on a bound of a histogram is counted under it");
	ok(strstr(text, "p_wait_seconds_bucket{colour=\"red\",le=\"0.25\"} 1\n") &&
	           strstr(text, "p_wait_seconds_bucket{colour=\"red\",le=\"0.5\"} 2\n"),
	   "a histogram counts what is under each bound");
	ok(strstr(text, "p_wait_seconds_bucket{colour=\"red\",le=\"10\"} 2\n"
	                "p_wait_seconds_bucket{colour=\"red\",le=\"+Inf\"} 3\n"
	                "p_wait_seconds_sum{colour=\"red\"} 99.3001\np_wait_seconds_count{colour=\"red\"} 3\n"),
	   "a histogram has all its times under the last bound, their sum and their number");
	free(text);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, hammer, metrics);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	ok(serve_metrics_count(metrics, PAINTS, 1) == 160000,
	   "a counter that four threads add to at once loses no count");
	text = print(metrics);
	ok(strstr(text, "p_wait_seconds_sum{colour=\"green\"} 40000\np_wait_seconds_count{colour=\"green\"} 80000\n"),
	   "a histogram that four threads add to at once loses no time");
	free(text);
	serve_metrics_free(metrics);
	serve_metrics_free(NULL);
	test_named();
	return done();
}
