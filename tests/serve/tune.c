/* What a client is told of a budget that was applied, where the statistics that go with it cannot be had. */
#include "running.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static struct serve_daemon *running;
static bool refuses; /* statistics */

/* The test is linked with --wrap=prn_decider_stats. */
int __real_prn_decider_stats(struct prn_decider *decider, int64_t now, struct prn_stats *stats, struct prn_error *error);
int __wrap_prn_decider_stats(struct prn_decider *decider, int64_t now, struct prn_stats *stats, struct prn_error *error);
int __wrap_prn_decider_stats(struct prn_decider *decider, int64_t now, struct prn_stats *stats, struct prn_error *error)
{
	return refuses ? prn_error_set(error, PRN_E_IO, "the turns of hosts cannot be read")
	               : __real_prn_decider_stats(decider, now, stats, error);
}

static int add_page(void *context, struct serve_task *task, struct prn_error *error)
{
	enum prn_added added;

	(void)task;
	return prn_decider_add(((struct serve_daemon *)context)->decider, "http://a.example/", 1, noon(NULL), &added, error);
}

static void told_nobody(void *context, struct serve_task *task, int code)
{
	(void)context, (void)task, (void)code;
}

static const char *ask(const char *method, const char *path)
{
	return ask_daemon(running, method, path);
}

static bool tells_threshold(double threshold)
{
	char want[64];

	snprintf(want, sizeof want, "\nperennial_threshold %.6g", threshold);
	return strstr(ask("GET", "/metrics"), want) != NULL;
}

int main(void)
{
	struct serve_log log = { .fd = STDERR_FILENO, .least = SERVE_ERROR, .clock = noon };
	struct serve_task adding = { .run = add_page, .done = told_nobody };
	const char *answer;
	double before;

	make_scratch();
	running = start_daemon("store", 0, &log);
	must(!serve_writer_perform(running->writer, &adding), "add a page");
	before = prn_decider_threshold(running->decider);
	answer = ask("POST", "/v1/tune?budget=1/day");
	ok(!strncmp(answer, "200 ", 4) && strstr(answer, "\"held_at_share\":0,\"hosts_at_share\":[],\"applied\":false"),
	   "a budget that is only looked at is told with the hosts at their share");
	refuses = true;
	answer = ask("POST", "/v1/tune?budget=1/day&apply=yes");
	ok(!strncmp(answer, "200 ", 4) && strstr(answer, "\"applied\":true"), "a budget that was applied is told so, though the statistics fail");
	ok(strstr(answer, "\"held_at_share\":null,\"hosts_at_share\":null,\"held_error\":\"the turns of hosts cannot be read\"") != NULL,
	   "why statistics are missing is told beside the threshold that was applied");
	refuses = false;
	ok(prn_decider_threshold(running->decider) < before || prn_decider_threshold(running->decider) > before,
	   "the threshold that was told as applied is in force");
	ok(tells_threshold(prn_decider_threshold(running->decider)),
	   "the metrics have the threshold that was applied");
	serve_daemon_stop(running, 5);
	return done();
}
