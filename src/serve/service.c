#include "serve/service.h"

#include "perennial/url.h"
#include "decide/shards.h"

int64_t serve_now(const struct serve_daemon *daemon)
{
	return daemon->options.log->clock(daemon->options.log->clock_context);
}

void serve_count_outcome(struct serve_daemon *daemon, const struct prn_outcome *outcome)
{
	serve_metrics_add(daemon->metrics, SERVE_OBSERVATIONS, outcome->kind, 1);
	serve_metrics_add(daemon->metrics, SERVE_TARGETS_REFUSED, 0, outcome->target_refused);
	for (unsigned i = 0; i < PRN_CUTS; i++)
		serve_metrics_add(daemon->metrics, SERVE_CUT, i, outcome->cut >> i & 1);
	if (!prn_outcome_is_refusal(outcome->kind)) {
		serve_metrics_add(daemon->metrics, SERVE_DECISIONS, outcome->reason, 1);
		serve_metrics_add(daemon->metrics, SERVE_NOT_MODIFIED, 0, outcome->not_modified);
		serve_metrics_add(daemon->metrics, SERVE_ANSWER_BYTES, 0, outcome->bytes);
	}
	serve_rate_add(&daemon->observed, serve_now(daemon), 1);
}

int serve_stats_take(struct serve_daemon *daemon, struct prn_stats *stats, struct prn_error *error)
{
	int code;

	pthread_rwlock_rdlock(&daemon->options_lock);
	code = prn_decider_stats(daemon->decider, serve_now(daemon), stats, error);
	pthread_rwlock_unlock(&daemon->options_lock);
	return code;
}

size_t serve_part(const struct serve_daemon *daemon, const char *normal_url)
{
	return prn_decider_shards(daemon->decider) > 1 ? 1 + prn_shards_place(daemon->decider, normal_url) : 0;
}

void serve_expect(struct serve_lane *lane, const struct prn_digest *key, const char *normal_url)
{
	if (lane->daemon->is_shared)
		(void)prn_wants_visit(&lane->wants, key, normal_url);
}

void serve_expect_url(struct serve_lane *lane, const char *url)
{
	char normal[PRN_URL_BYTES + 1];
	struct prn_digest key;

	if (!lane->daemon->is_shared || prn_url_normalize(url, SIZE_MAX, normal, sizeof normal))
		return;
	key = prn_url_key(normal);
	serve_expect(lane, &key, normal);
}
