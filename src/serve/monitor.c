/* /metrics, /healthz and /readyz: for programs that watch the daemon. */
#include "base/temporary.h"
#include "decide/settings_place.h"
#include "serve/routes.h"
#include "serve/service.h"

#include <stdatomic.h>
#include <string.h>

#define FAILING_S 10 /* after a failed commit, in a cluster */
#define PROBE_S 1 /* from a failed commit to the first look at the disk, and from look to look */
#define PROBE_BYTES 65536 /* more than a report takes */

static void gauge(struct serve_daemon *daemon, enum serve_measure measure, double value)
{
	serve_metrics_set(daemon->metrics, measure, 0, value);
}

static double hints_of(const struct prn_source_sum *sum)
{
	return sum->hints;
}

/*
 * Writes the measures of sources of hints, by their names.  Only the store knows which sources there are, and they change, so the
 * registry has no series for them.  Anybody may have chosen their names, so the names are escaped, and PRN_STATS_NAMED at most.
 */
static int write_sources(const struct prn_stats *stats, struct prn_buffer *out)
{
	static const struct {
		const char *name, *help;
		double (*value)(const struct prn_source_sum *sum);
	} measures[] = {
		{ "perennial_hint_source_hints", "Hints of a source that were counted, and after which the page was visited.", hints_of },
		{ "perennial_hint_source_trust", "The share of changes that a source is taken to tell, the mean of its hosts.", prn_source_sum_trust },
		{ "perennial_hint_source_precision", "Of the visits after a hint of it the share that found other text; NaN: none yet.",
		  prn_source_sum_precision },
		{ "perennial_hint_source_recall", "Of the visits that found other text the share that came after a hint of it; NaN: none yet.",
		  prn_source_sum_recall },
		{ "perennial_hint_source_hinted", "Of all visits the share that came after a hint of it; NaN: none yet.", prn_source_sum_hinted },
	};
	int code = 0;

	for (size_t i = 0; !code && i < sizeof measures / sizeof *measures; i++) {
		code = serve_metrics_write_head(measures[i].name, measures[i].help, SERVE_GAUGE, out);
		for (size_t j = 0; !code && j < stats->named_count; j++)
			code = serve_metrics_write_gauge(measures[i].name, "source", stats->named[j].name, measures[i].value(&stats->named[j].sum), out);
	}
	return code;
}

/* The hosts that have had their share of the budget, which are among those that spent most; PRN_STATS_HOSTS at most. */
static int write_hosts(const struct prn_stats *stats, struct prn_buffer *out)
{
	static const char name[] = "perennial_host_at_share";
	int code = serve_metrics_write_head(name, "What a host that has had its share of the budget has spent of it, while its pages wait.",
	                                    SERVE_GAUGE, out);

	for (size_t i = 0; !code && i < stats->held_hosts && i < PRN_STATS_HOSTS; i++)
		if (stats->hosts[i].held == PRN_HELD_SHARE)
			code = serve_metrics_write_gauge(name, "host", stats->hosts[i].name, stats->hosts[i].spent, out);
	return code;
}

/* The gauges, and what is known of the store; false: it could not be looked at. */
static bool gauge_all(struct serve_daemon *daemon, struct prn_stats *stats)
{
	struct keep_counts kept;
	bool bytes;
	uint64_t spooled, refused;

	serve_http_spooled(daemon->http, &spooled, &refused);
	gauge(daemon, SERVE_SPOOL_BYTES, (double)spooled);
	gauge(daemon, SERVE_SPOOL_REFUSED, (double)refused);
	gauge(daemon, SERVE_QUEUE_DEPTH, (double)serve_writer_depth(daemon->writer));
	gauge(daemon, SERVE_CONNECTIONS_OPEN, (double)serve_http_connections(daemon->http));
	gauge(daemon, SERVE_BATCHES_WAITING, (double)serve_batches_waiting(daemon->batches));
	if (daemon->options.keep && !keep_count(daemon->options.keep, &kept, NULL)) {
		gauge(daemon, SERVE_KEPT, (double)kept.bodies);
		gauge(daemon, SERVE_KEPT_BYTES, (double)kept.bytes);
	}
	if (serve_stats_take(daemon, stats, NULL))
		return false;
	gauge(daemon, SERVE_PAGES, (double)stats->totals.pages);
	gauge(daemon, SERVE_PAGES_QUEUED, (double)stats->totals.due);
	gauge(daemon, SERVE_PAGES_LEASED, (double)stats->totals.leased);
	gauge(daemon, SERVE_PAGES_RETIRED, (double)stats->retired);
	gauge(daemon, SERVE_PAGES_SUSPECT, (double)stats->totals.suspects);
	gauge(daemon, SERVE_HOSTS, (double)stats->totals.hosts);
	gauge(daemon, SERVE_STORE_BYTES, (double)stats->totals.bytes);
	gauge(daemon, SERVE_PAGES_DUE, (double)stats->due);
	gauge(daemon, SERVE_THRESHOLD, stats->threshold);
	bytes = stats->unit == PRN_UNIT_BYTES;
	gauge(daemon, SERVE_BUDGET, bytes ? 0 : stats->budget_per_day);
	gauge(daemon, SERVE_BUDGET_GIVEN, bytes ? 0 : stats->given_day);
	gauge(daemon, SERVE_BUDGET_LEFT, bytes ? 0 : stats->left);
	gauge(daemon, SERVE_LOAD, bytes ? 0 : stats->load_per_day);
	gauge(daemon, SERVE_BUDGET_BYTES, bytes ? stats->budget_per_day : 0);
	gauge(daemon, SERVE_BUDGET_BYTES_SPENT, bytes ? stats->given_day : 0);
	gauge(daemon, SERVE_BUDGET_BYTES_LEFT, bytes ? stats->left : 0);
	gauge(daemon, SERVE_LOAD_BYTES, bytes ? stats->load_per_day : 0);
	gauge(daemon, SERVE_PAGES_UNREADABLE, (double)stats->unreadable);
	gauge(daemon, SERVE_SOURCES_DAMAGED, (double)stats->damaged_sources);
	for (size_t i = 0; i < PRN_HELD_KINDS; i++)
		serve_metrics_set(daemon->metrics, SERVE_HOSTS_HELD, i, (double)stats->held_by[i]);
	for (size_t i = 0; i < PRN_SOURCE_KINDS; i++) {
		const struct prn_source_sum *sum = &stats->sources[i];

		serve_metrics_set(daemon->metrics, SERVE_SOURCES, i, (double)sum->sources);
		serve_metrics_set(daemon->metrics, SERVE_SOURCES_TRUST, i, prn_source_sum_trust(sum));
		serve_metrics_set(daemon->metrics, SERVE_SOURCES_PRECISION, i, prn_source_sum_precision(sum));
		serve_metrics_set(daemon->metrics, SERVE_SOURCES_RECALL, i, prn_source_sum_recall(sum));
		serve_metrics_set(daemon->metrics, SERVE_SOURCES_HINTED, i, prn_source_sum_hinted(sum));
	}
	return true;
}

void serve_metrics_route(void *context, struct serve_request *request)
{
	struct serve_daemon *daemon = context;
	struct prn_buffer out = { 0 };
	struct prn_stats stats;
	bool known = gauge_all(daemon, &stats);

	if (!serve_metrics_write(daemon->metrics, &out) && (!known || (!write_sources(&stats, &out) && !write_hosts(&stats, &out)))) {
		serve_request_answer(request, 200, "text/plain; version=0.0.4; charset=utf-8", &out);
		return;
	}
	prn_buffer_release(&out);
	serve_request_fail_memory(request);
}

static void say(struct serve_request *request, int status, const char *word)
{
	struct prn_buffer out = { 0 };

	prn_buffer_printf(&out, "%s\n", word);
	serve_request_answer(request, status, "text/plain; charset=utf-8", &out);
}

/* A daemon that answers is alive. */
void serve_healthz(void *context, struct serve_request *request)
{
	(void)context;
	say(request, 200, "ok");
}

static bool takes_files(const char *folder)
{
	static const unsigned char bytes[PROBE_BYTES];
	struct prn_temporary file;
	bool taken;

	if (prn_temporary_open(&file, folder, NULL))
		return false;
	taken = !prn_temporary_write(&file, 0, bytes, sizeof bytes, NULL);
	prn_temporary_close(&file);
	return taken;
}

/*
 * A client that hears that the daemon is not ready asks it for nothing, and without a write the daemon would never find out that
 * there is room again.  So it tries whether the disk takes a file; in a cluster, a failure counts as past after a while.
 */
bool serve_is_failing(struct serve_daemon *daemon)
{
	uint32_t failing = daemon->failing;
	int64_t now = serve_now(daemon), failed = daemon->failed_at, probed = daemon->probed_at;

	if (!failing)
		return false;
	/* The clock may have been set back. */
	if (daemon->is_shared)
		return now >= failed && now - failed < FAILING_S;
	if ((now >= failed && now - failed < PROBE_S) || (now >= probed && now - probed < PROBE_S) ||
	    !atomic_compare_exchange_strong(&daemon->probed_at, &probed, now) ||
	    !takes_files(prn_store_path(prn_decider_store(daemon->decider))))
		return true;
	/* A failure that came meanwhile stays. */
	if (!atomic_compare_exchange_strong(&daemon->failing, &failing, 0))
		return true;
	if (daemon->failed_at == failed)
		return false;
	daemon->failing |= failing;
	return true;
}

/*
 * The daemon is ready when it is not stopping, its last write succeeded or the disk takes files again, no request found its
 * store damaged (of one of several shards: its root), and the cluster of its store answers and has the daemon's policy.
 */
void serve_readyz(void *context, struct serve_request *request)
{
	struct serve_daemon *daemon = context;
	struct prn_error error = { 0 };

	if (serve_http_is_draining(daemon->http))
		say(request, 503, "stopping");
	else if (serve_is_failing(daemon))
		say(request, 503, "the last commit failed");
	else if (daemon->damaged)
		say(request, 503, "the store is damaged");
	else if (daemon->is_shared && prn_settings_check_root(daemon->decider, &error)) {
		serve_request_log(request, &error);
		say(request, 503, error.text);
	}
	else
		say(request, 200, "ready");
}
