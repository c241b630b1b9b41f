/* Bodies on their way into their places while their pages are forgotten: none stays, whichever comes first. */
#include "../tap.h"
#include "perennial/outcome.h"
#include "perennial/url.h"
#include "serve/service.h"

#include <stdlib.h>
#include <unistd.h>

static char folder[] = "keeping-XXXXXX";
static struct serve_daemon daemon_;

/* A report of a page, whose body is drafted under a watch. */
struct report {
	struct prn_observation observation;
	struct prn_capture capture;
	struct keep_draft draft;
	struct serve_watch watch;
	char url[100];
};

static void draft(struct report *report, const char *url, int64_t time)
{
	*report = (struct report){ .watch = { 0 } };
	snprintf(report->url, sizeof report->url, "%s", url);
	report->observation = (struct prn_observation){ .normal_url = report->url, .kind = PRN_KIND_CONTENT, .time = time };
	report->capture = (struct prn_capture){ .url = report->url, .content_type = "text/plain", .body = (const unsigned char *)url, .body_bytes = strlen(url) };
	serve_keeping_watch(&daemon_, &report->watch);
	serve_keeping_draft(&daemon_, &report->observation, &report->capture, &report->draft);
}

static void finish(struct report *report)
{
	serve_keeping_place(&daemon_, &report->watch, &report->draft);
	serve_keeping_drop(&daemon_, &report->draft);
	serve_keeping_unwatch(&daemon_, &report->watch);
}

static bool leave(enum prn_forget by, const char *what)
{
	return !serve_keeping_leave(&daemon_, by, what, NULL);
}

static bool has(const char *url)
{
	return keep_has(daemon_.options.keep, url);
}

static void singles(void)
{
	struct report a, b;

	draft(&a, "http://a.example/1", 1);
	finish(&a);
	ok(has("http://a.example/1"), "a body whose page is not forgotten is kept");
	draft(&a, "http://b.example/1", 1);
	draft(&b, "http://b.example/2", 1);
	ok(leave(PRN_FORGET_URL, "HTTP://B.example/1"), "a page is forgotten while its body is on its way");
	finish(&a);
	finish(&b);
	ok(!has("http://b.example/1"), "a body whose page was forgotten before it came is not kept");
	ok(has("http://b.example/2"), "a body of another page of the host of one that was forgotten is kept");
	draft(&a, "http://b.example/1", 2);
	finish(&a);
	ok(has("http://b.example/1"), "a page that comes again after it was forgotten has its body kept");
	ok(leave(PRN_FORGET_URL, "http://b.example/1") && !has("http://b.example/1"), "a page that is forgotten loses the body that is in its place");

	draft(&a, "http://c.example/x/1", 1);
	draft(&b, "http://d.example/x/1", 1);
	ok(leave(PRN_FORGET_HOST, "c.example") && leave(PRN_FORGET_SURT, "http://(example,d,)/x"), "a host and a prefix are forgotten while bodies are on their way");
	finish(&a);
	finish(&b);
	ok(!has("http://c.example/x/1"), "a body of a host that was forgotten is not kept");
	ok(!has("http://d.example/x/1"), "a body under a prefix that was forgotten is not kept");
	ok(!daemon_.forgotten.watches && !daemon_.forgotten.count, "where nothing is on its way nothing is noted");
	draft(&a, "http://d.example/x/1", 2);
	finish(&a);
	ok(has("http://d.example/x/1"), "what was forgotten before a report came says nothing of it");
}

static void groups(void)
{
	struct report reports[2];
	struct prn_fed fed[3] = { { .observation = NULL } };
	struct serve_watch watch = { 0 };

	draft(&reports[0], "http://e.example/1", 1);
	draft(&reports[1], "http://f.example/1", 1);
	for (int i = 0; i < 2; i++) {
		serve_keeping_drop(&daemon_, &reports[i].draft);
		serve_keeping_unwatch(&daemon_, &reports[i].watch);
		fed[i + 1] = (struct prn_fed){ .observation = &reports[i].observation, .outcome.kind = PRN_OUTCOME_OBSERVED, .capture = &reports[i].capture };
	}
	serve_keeping_watch(&daemon_, &watch);
	ok(leave(PRN_FORGET_URL, "http://e.example/1"), "a page of a group is forgotten after the group became durable");
	ok(!serve_keeping_place_fed(&daemon_, &watch, fed, 3, NULL), "the bodies of a group are kept, with a fault among it");
	serve_keeping_unwatch(&daemon_, &watch);
	ok(!has("http://e.example/1") && has("http://f.example/1"), "of a group all are kept but that of the page that was forgotten");
}

static void many(void)
{
	struct report a;
	char url[100];

	draft(&a, "http://g.example/1", 1);
	for (int i = 0; i < 3000; i++) {
		snprintf(url, sizeof url, "http://other.example/%d", i);
		leave(PRN_FORGET_URL, url);
	}
	ok(daemon_.forgotten.count <= 1024, "of pages that are forgotten a bounded number is noted");
	finish(&a);
	ok(!has("http://g.example/1"), "beyond it a body on its way is held to be of a page that was forgotten");
}

int main(void)
{
	struct prn_error error = { .text = "" };

	if (!mkdtemp(folder) || keep_open(&daemon_.options.keep, folder, (uint64_t)1 << 20, &error))
		return printf("Bail out! %s\n", error.text), 1;
	daemon_.options.keep_most = (uint64_t)1 << 20;
	pthread_mutex_init(&daemon_.forgotten.lock, NULL);
	singles();
	groups();
	many();
	leave(PRN_FORGET_SURT, "http://(");
	keep_free(daemon_.options.keep);
	rmdir(folder);
	serve_forgotten_release(&daemon_.forgotten);
	return done();
}
