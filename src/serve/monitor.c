/* /metrics, /healthz and /readyz: what looks after the daemon asks. */
#include "serve/routes.h"
#include "serve/service.h"

#include <string.h>

uint64_t serve_due_count(struct serve_daemon *daemon)
{
	struct prn_view *view;
	struct prn_walk *walk = NULL;
	struct prn_queued queued;
	struct prn_store_totals totals = { 0 };
	uint64_t due;
	int64_t now = serve_now(daemon);

	if (prn_view_open(&view, prn_decider_store(daemon->decider), NULL))
		return 0;
	prn_store_totals(prn_decider_store(daemon->decider), &totals, NULL);
	due = totals.waiting < SERVE_DUE_MOST ? totals.waiting : SERVE_DUE_MOST;
	if (!prn_walk_queue(&walk, view, PRN_QUEUE_DUE, INT64_MIN, NULL))
		while (due < SERVE_DUE_MOST && prn_walk_queue_next(walk, &queued, NULL) > 0 && queued.time <= now)
			due++;
	prn_walk_free(walk);
	prn_view_close(view);
	return due;
}

static void gauge(struct serve_daemon *daemon, enum serve_measure measure, double value)
{
	serve_metrics_set(daemon->metrics, measure, 0, value);
}

static void gauge_all(struct serve_daemon *daemon)
{
	struct prn_store_totals totals;

	gauge(daemon, SERVE_QUEUE_DEPTH, (double)serve_writer_depth(daemon->writer));
	gauge(daemon, SERVE_CONNECTIONS_OPEN, (double)serve_http_connections(daemon->http));
	gauge(daemon, SERVE_BATCHES_WAITING, (double)serve_batches_waiting(daemon->batches));
	if (prn_store_totals(prn_decider_store(daemon->decider), &totals, NULL))
		return;
	gauge(daemon, SERVE_PAGES, (double)totals.pages);
	gauge(daemon, SERVE_PAGES_QUEUED, (double)totals.due);
	gauge(daemon, SERVE_PAGES_LEASED, (double)totals.leased);
	gauge(daemon, SERVE_PAGES_SUSPECT, (double)totals.suspects);
	gauge(daemon, SERVE_HOSTS, (double)totals.hosts);
	gauge(daemon, SERVE_STORE_BYTES, (double)totals.bytes);
	gauge(daemon, SERVE_PAGES_DUE, (double)serve_due_count(daemon));
}

void serve_metrics_route(void *context, struct serve_request *request)
{
	struct serve_daemon *daemon = context;
	struct prn_buffer out = { 0 };

	gauge_all(daemon);
	if (!serve_metrics_write(daemon->metrics, &out)) {
		serve_request_answer(request, 200, "text/plain; version=0.0.4; charset=utf-8", &out);
		return;
	}
	prn_buffer_release(&out);
	serve_request_refuse(request, 500, "out of memory");
}

static void say(struct serve_request *request, int status, const char *word)
{
	struct prn_buffer out = { 0 };

	prn_buffer_printf(&out, "%s\n", word);
	serve_request_answer(request, status, "text/plain; charset=utf-8", &out);
}

/* Alive: whoever answers is. */
void serve_healthz(void *context, struct serve_request *request)
{
	(void)context;
	say(request, 200, "ok");
}

/* Of use: not stopping, and the disk takes what is written. */
void serve_readyz(void *context, struct serve_request *request)
{
	struct serve_daemon *daemon = context;

	if (serve_http_is_draining(daemon->http))
		say(request, 503, "stopping");
	else if (daemon->failing)
		say(request, 503, "the last commit failed");
	else
		say(request, 200, "ready");
}
