#include "base/temporary.h"
#include "decide/gate_messages.h"
#include "decide/shards.h"
#include "base/monotonic.h"
#include "serve/routes.h"
#include "serve/service.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define GROUP 1000 /* tasks in a commit, at most */
#define SILENT_S 60 /* how often it is logged that the store does not answer */

static int enter(void *context, size_t part, struct prn_error *error)
{
	struct serve_lane *lane = context;
	int code = 0;

	lane->part = part;
	lane->writing = lane->daemon->decider;
	if (part)
		code = prn_shards_get(lane->daemon->decider, part - 1, true, &lane->writing, error);
	if (code)
		lane->writing = NULL;
	else
		lane->conflicts = prn_decider_conflicts(lane->writing);
	return code;
}

static void leave(void *context)
{
	struct serve_lane *lane = context;

	if (!lane->writing)
		return;
	serve_metrics_add(lane->daemon->metrics, SERVE_CONFLICTS, 0,
	                  prn_decider_conflicts(lane->writing) - lane->conflicts);
	prn_shards_done(lane->writing);
}

static void save(void *context)
{
	struct serve_lane *lane = context;

	lane->savepoint = prn_decider_save(lane->writing);
}

static void restore(void *context)
{
	struct serve_lane *lane = context;

	prn_decider_restore(lane->writing, &lane->savepoint);
}

static bool waits(void *context)
{
	const struct prn_decider *decider = ((struct serve_lane *)context)->writing;

	/* There may be nothing to write except targets of redirects, for other shards, or what a giant's gate could not be told. */
	return prn_decider_staged(decider) || decider->message_count || prn_giants_owe(decider);
}

/* The view of an idle daemon is out of date. */
static void begin_group(void *context)
{
	struct serve_lane *lane = context;

	if (!lane->daemon->is_shared)
		return;
	prn_decider_abandon(lane->writing);
	/* If there is no memory to gather it, it is read when it is needed. */
	(void)prn_wants_settings(&lane->wants);
}

/* A failure here need not be reported: whatever reads first meets it again. */
static void gather_wanted(void *context)
{
	struct serve_lane *lane = context;

	if (lane->daemon->is_shared && !lane->writing->shards)
		(void)prn_wants_ask(&lane->wants, lane->writing, NULL);
	else
		prn_wants_drop(&lane->wants);
}

static uint64_t commits(void *context)
{
	return prn_decider_commits(((struct serve_lane *)context)->writing);
}

static bool again(void *context, int code, unsigned *tries)
{
	return prn_decider_again(((struct serve_lane *)context)->writing, code, tries);
}

/* Each shard has a bit, so that commits of others do not hide its failure; shards whose numbers differ by a multiple of this share one. */
#define SHARD_BITS 31
#define SETTLE_BIT ((uint32_t)1 << SHARD_BITS)

static uint32_t bit_of(const struct serve_lane *lane)
{
	return (uint32_t)1 << lane->part % SHARD_BITS;
}

static void note_commit(struct serve_daemon *daemon, uint32_t bit, int code, const struct prn_error *error)
{
	if (!code) {
		daemon->failing &= ~bit;
		return;
	}
	daemon->failing |= bit;
	daemon->failed_at = serve_now(daemon);
	serve_metrics_add(daemon->metrics, SERVE_COMMIT_FAILURES, 0, 1);
	serve_log_write(daemon->options.log, SERVE_ERROR, "commit failed", "error", error->text, NULL);
}

/* A task such as due commits by itself what it hands out, so its failure counts as one of a commit. */
static void task_failed(void *context, int code, const struct prn_error *error)
{
	const struct serve_lane *lane = context;

	if (code == PRN_E_IO)
		note_commit(lane->daemon, bit_of(lane), code, error);
}

/* A shard is committed alone; what follows from it in other shards is passed on when no other lane writes. */
static int commit(void *context, struct prn_error *error)
{
	struct serve_lane *lane = context;
	struct serve_daemon *daemon = lane->daemon;
	double start;
	int code;

	if (!waits(lane))
		return 0;
	start = prn_monotonic();
	code = lane->writing->root ? prn_decider_commit_alone(lane->writing, error)
	                           : prn_decider_commit_all(lane->writing, error);
	if (!code)
		code = prn_giants_admit(lane->writing, error);
	serve_metrics_time(daemon->metrics, SERVE_COMMIT_TIME, 0, prn_monotonic() - start);
	if (code == PRN_E_CONFLICT)
		return code;
	note_commit(daemon, bit_of(lane), code, error);
	/* The requests that wait are answered with the failure: what was staged must not be written later. */
	if (code)
		prn_decider_abandon(lane->writing);
	return code;
}

static bool leads(void *context)
{
	return ((struct serve_lane *)context)->writing->messages_durable;
}

static int settle(void *context, struct prn_error *error)
{
	struct serve_daemon *daemon = context;
	int code = prn_shards_forward(daemon->decider, error);

	/* An answer that another shard was told may be of a giant. */
	if (!code)
		code = prn_giants_admit(daemon->decider, error);
	note_commit(daemon, SETTLE_BIT, code, error);
	return code;
}

static void answered(void *context, size_t route, int status, double seconds, const char *method, const char *path)
{
	struct serve_daemon *daemon = context;
	char code[16], milliseconds[32];

	daemon->answered++;
	if (status < 400 && (!strncmp(path, "/v1/", strlen("/v1/")) || !strcmp(path, "/readyz")) && atomic_exchange(&daemon->silent_at, 0))
		serve_log_write(daemon->options.log, SERVE_INFO, "is answered again", NULL);
	serve_metrics_add(daemon->metrics, SERVE_RESPONSES, serve_response_series(status), 1);
	serve_metrics_time(daemon->metrics, SERVE_REQUEST_TIME, route, seconds);
	if (daemon->options.log->least > SERVE_DEBUG)
		return;
	snprintf(code, sizeof code, "%d", status);
	snprintf(milliseconds, sizeof milliseconds, "%.3f", 1000 * seconds);
	serve_log_write(daemon->options.log, SERVE_DEBUG, "answered", "method", method, "path", path, "#status", code,
	                "#ms", milliseconds, NULL);
}

/* Whether damage concerns the whole store: if one of several shards is damaged or gone, the others go on, and it may come back. */
static bool is_of_all(const struct serve_daemon *daemon)
{
	struct prn_store_totals totals;

	return prn_decider_shards(daemon->decider) == 1 ||
	       prn_store_totals_one(prn_decider_store(daemon->decider), &totals, NULL) == PRN_E_DAMAGED;
}

/* A store that is far away and does not answer is told when it begins not to, and once a minute until something is answered again. */
static void log_silence(struct serve_daemon *daemon, const struct prn_error *error)
{
	int64_t now = serve_now(daemon), before = daemon->silent_at;

	if (before && now >= before && now - before < SILENT_S)
		return;
	if (atomic_compare_exchange_strong(&daemon->silent_at, &before, now))
		serve_log_write(daemon->options.log, SERVE_WARNING, "cannot be answered now", "error",
		                *error->text ? error->text : prn_error_text(error->code), NULL);
}

/* Logs once a second at most: on a damaged store every request may fail. */
static void log_failed(void *context, const struct prn_error *error)
{
	struct serve_daemon *daemon = context;
	int64_t now = serve_now(daemon);

	if (error->code == PRN_E_BUSY) {
		log_silence(daemon, error);
		return;
	}

	if (error->code == PRN_E_DAMAGED && !daemon->damaged && is_of_all(daemon))
		daemon->damaged = true;
	if (atomic_exchange(&daemon->logged_at, now) != now)
		serve_log_write(daemon->options.log, SERVE_ERROR, "request failed", "error",
		                *error->text ? error->text : prn_error_text(error->code), NULL);
}

static void complain(void *context, const char *text)
{
	serve_log_write(((struct serve_daemon *)context)->options.log, SERVE_DEBUG, "http", "error", text, NULL);
}

static void log_wrong_tokens(void *context, const char *client, uint64_t count)
{
	char text[24];

	snprintf(text, sizeof text, "%llu", (unsigned long long)count);
	serve_log_write(((struct serve_daemon *)context)->options.log, SERVE_WARNING, "wrong token", "client", client,
	                "count", text, NULL);
}

int serve_daemon_check(const struct serve_daemon_options *options, struct prn_error *error)
{
	struct prn_temporary upload;
	int code;

	/* Without a place for uploads it could neither take a batch nor give a long answer. */
	code = prn_temporary_open(&upload, options->spool, error);
	if (code) {
		prn_error_prefix(error, "--spool");
		return code;
	}
	prn_temporary_close(&upload);
	if (!options->no_token || serve_address_is_local(&options->address))
		return 0;
	return prn_error_set(
		error, PRN_E_ARGUMENT,
		"other machines can reach that address: it needs a token, and is not served with --no-token");
}

static int open_admission(struct serve_daemon *daemon, struct prn_error *error)
{
	const struct serve_daemon_options *options = &daemon->options;

	daemon->admission.hosts = options->hosts;
	daemon->admission.host_count = options->host_count;
	daemon->admission.any_host = serve_address_is_unix(&options->address);
	if (options->token_file)
		return serve_admission_read_token(&daemon->admission, options->token_file, error);
	return serve_daemon_check(options, error);
}

static void made(void *context, double seconds)
{
	serve_metrics_time(((struct serve_daemon *)context)->metrics, SERVE_PARSE_TIME, 0, seconds);
}

static int open_observer(struct serve_daemon *daemon, struct prn_error *error)
{
	int code = prn_observer_open(&daemon->observer, daemon->decider, error);

	if (!code)
		prn_observer_watch(daemon->observer, made, daemon);
	return code;
}

/* A request that no route takes is counted under "none". */
static const char *route_name(size_t i)
{
	return i < serve_route_count ? serve_routes[i].name : i == serve_route_count ? "none" : NULL;
}

static int open_metrics(struct serve_daemon *daemon, struct prn_error *error)
{
	serve_families_fill(daemon->families, route_name);
	if (serve_metrics_open(&daemon->metrics, daemon->families, SERVE_MEASURES))
		return prn_error_memory(error);
	serve_rate_init(&daemon->observed);
	serve_rate_init(&daemon->given);
	serve_metrics_set(daemon->metrics, SERVE_BUILD, 0, 1);
	serve_metrics_set(daemon->metrics, SERVE_STARTED, 0, (double)serve_now(daemon));
	serve_metrics_set(daemon->metrics, SERVE_QUEUE_CAPACITY, 0, (double)daemon->options.queue);
	serve_metrics_set(daemon->metrics, SERVE_SPOOL_CAPACITY, 0, (double)daemon->options.spool_most);
	serve_metrics_set(daemon->metrics, SERVE_KEPT_CAPACITY, 0, (double)daemon->options.keep_most);
	serve_metrics_set(daemon->metrics, SERVE_THRESHOLD, 0, prn_decider_threshold(daemon->decider));
	return 0;
}

static int open_writer(struct serve_daemon *daemon, struct prn_error *error)
{
	const struct serve_writer_options options = { .capacity = daemon->options.queue,
		                                      .group = GROUP,
		                                      .save = save,
		                                      .restore = restore,
		                                      .failed = task_failed,
		                                      .waits = waits,
		                                      .commit = commit,
		                                      .enter = enter,
		                                      .lanes = daemon->lane_list,
		                                      .lane_count = prn_decider_shards(daemon->decider) > 1 ? SERVE_LANES : 1,
		                                      .leave = leave,
		                                      .leads = leads,
		                                      .settle = settle,
		                                      .context = daemon,
		                                      .begin = begin_group,
		                                      .gather = gather_wanted,
		                                      .commits = daemon->is_shared ? commits : NULL,
		                                      .again = daemon->is_shared ? again : NULL };
	int code = serve_writer_open(&daemon->writer, &options, error);

	return code ? code : serve_batches_open(&daemon->batches, daemon, daemon->options.threads, error);
}

static int open_http(struct serve_daemon *daemon, struct prn_error *error)
{
	const struct serve_http_options options = { .address = daemon->options.address,
		                                    .admission = &daemon->admission,
		                                    .routes = serve_routes,
		                                    .route_count = serve_route_count,
		                                    .context = daemon,
		                                    .threads = daemon->options.threads,
		                                    .connections = daemon->options.connections,
		                                    .timeout_s = daemon->options.timeout_s,
		                                    .spool = daemon->options.spool,
		                                    .spool_most = daemon->options.spool_most,
		                                    .client_spool_most = daemon->options.client_spool_most,
		                                    .answered = answered,
		                                    .complain = complain,
		                                    .failed = log_failed,
		                                    .wrong = log_wrong_tokens };

	return serve_http_open(&daemon->http, &options, error);
}

static void free_daemon(struct serve_daemon *daemon)
{
	serve_batches_free(daemon->batches);
	serve_writer_free(daemon->writer);
	serve_metrics_free(daemon->metrics);
	prn_observer_free(daemon->observer);
	for (size_t i = 0; i < SERVE_LANES; i++)
		prn_wants_release(&daemon->lanes[i].wants);
	prn_decider_free(daemon->decider);
	serve_admission_release(&daemon->admission);
	pthread_rwlock_destroy(&daemon->options_lock);
	serve_forgotten_release(&daemon->forgotten);
	free(daemon);
}

int serve_daemon_open_take(struct serve_daemon **out, struct prn_decider *decider,
                           const struct serve_daemon_options *options, struct prn_error *error)
{
	static int (*const steps[])(struct serve_daemon *daemon, struct prn_error *error) = {
		open_admission, open_observer, open_metrics, open_writer, open_http
	};
	struct serve_daemon *daemon = calloc(1, sizeof *daemon);
	int code = 0;

	if (!daemon) {
		prn_decider_free(decider);
		return prn_error_memory(error);
	}
	daemon->decider = decider;
	for (size_t i = 0; i < SERVE_LANES; i++) {
		daemon->lanes[i] = (struct serve_lane){ .daemon = daemon, .writing = decider };
		daemon->lane_list[i] = &daemon->lanes[i];
	}
	daemon->is_shared = prn_store_is_shared(prn_decider_store(decider));
	pthread_rwlock_init(&daemon->options_lock, NULL);
	pthread_mutex_init(&daemon->forgotten.lock, NULL);
	daemon->options = *options;
	daemon->lease_s = options->lease_s;
	for (size_t i = 0; !code && i < sizeof steps / sizeof *steps; i++)
		code = steps[i](daemon, error);
	if (code) {
		free_daemon(daemon);
		return code;
	}
	*out = daemon;
	return 0;
}

const struct serve_address *serve_daemon_address(const struct serve_daemon *daemon)
{
	return serve_http_address(daemon->http);
}

struct reloading {
	struct serve_task task;
	const struct prn_decider_options *decider;
	double lease_s;
	int code; /* the result of its run: a failed commit of its group takes nothing back, because options are not
	           * in the store */
};

static int reload(void *context, struct serve_task *task, struct prn_error *error)
{
	struct serve_daemon *daemon = context;
	struct reloading *reloading = (struct reloading *)task;
	int code;

	pthread_rwlock_wrlock(&daemon->options_lock);
	code = prn_decider_set_options(daemon->decider, reloading->decider, error);
	pthread_rwlock_unlock(&daemon->options_lock);
	if (!code)
		daemon->lease_s = reloading->lease_s;
	reloading->code = code;
	return code;
}

int serve_daemon_reload(struct serve_daemon *daemon, const struct prn_decider_options *decider, double lease_s,
                        struct prn_error *error)
{
	struct reloading reloading = { .task = { .run = reload }, .decider = decider, .lease_s = lease_s,
		                       .code = PRN_E_CANCELLED };

	serve_writer_perform(daemon->writer, &reloading.task);
	if (reloading.code == PRN_E_CANCELLED)
		return prn_error_set(error, reloading.code, "the server is stopping");
	return reloading.code ? prn_error_set(error, reloading.code, "%s", reloading.task.error.text) : 0;
}

bool serve_daemon_goes_on(struct serve_daemon *daemon, uint64_t *seen)
{
	return serve_writer_goes_on(daemon->writer, seen);
}

uint64_t serve_daemon_stop(struct serve_daemon *daemon, double seconds)
{
	uint64_t count;

	serve_http_drain(daemon->http);
	serve_batches_stop(daemon->batches);
	serve_writer_stop(daemon->writer);
	serve_http_stop(daemon->http, seconds);
	count = daemon->answered;
	free_daemon(daemon);
	return count;
}
