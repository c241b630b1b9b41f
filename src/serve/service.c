#include "serve/service.h"

int64_t serve_now(const struct serve_daemon *daemon)
{
	return daemon->options.log->clock(daemon->options.log->clock_context);
}

void serve_count_outcome(struct serve_daemon *daemon, const struct prn_outcome *outcome)
{
	serve_metrics_add(daemon->metrics, SERVE_OBSERVATIONS, outcome->kind, 1);
	serve_metrics_add(daemon->metrics, SERVE_TARGETS_REFUSED, 0, outcome->target_refused);
	if (!prn_outcome_is_refusal(outcome->kind))
		serve_metrics_add(daemon->metrics, SERVE_DECISIONS, outcome->reason, 1);
	serve_rate_add(&daemon->observed, serve_now(daemon), 1);
}

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
