#include "serve/keeping.h"

#include "archive/url_host.h"
#include "archive/url_read.h"
#include "decide/decider_internal.h"
#include "serve/service.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define FORGOTTEN_MOST 1024 /* notes that are kept while anything is watched for; beyond that all pages count as forgotten */

/* Logs once a second at most: a full disk refuses every body. */
void serve_keeping_failed(void *context, const struct prn_error *error)
{
	struct serve_daemon *daemon = context;
	int64_t now = serve_now(daemon);

	serve_metrics_add(daemon->metrics, SERVE_UNKEPT, 0, 1);
	if (atomic_exchange(&daemon->unkept_at, now) != now)
		serve_log_write(daemon->options.log, SERVE_WARNING, "body not kept", "error", error->text, NULL);
}

static struct keep_report report_of(const struct prn_observation *observation, const struct prn_capture *capture)
{
	return (struct keep_report){ observation->normal_url, observation->time, capture->content_type, capture->body, capture->body_bytes };
}

void serve_keeping_draft(struct serve_daemon *daemon, const struct prn_observation *observation, const struct prn_capture *capture,
                         struct keep_draft *draft)
{
	struct keep_report report = report_of(observation, capture);
	struct prn_error error = { 0 };

	if (daemon->options.keep_most && observation->kind == PRN_KIND_CONTENT && keep_draft(daemon->options.keep, &report, draft, &error))
		serve_keeping_failed(daemon, &error);
}

/* The rule by which pages are forgotten. */
struct leaving {
	const char *what;
	bool surt;
	char name[PRN_URL_HOST_NAME];
};

static bool leaves(void *context, const char *url)
{
	const struct leaving *leaving = context;

	return prn_decider_is_under(url, leaving->surt, leaving->what);
}

static void read_leaving(struct leaving *leaving, enum prn_forget by, const char *what)
{
	leaving->surt = by == PRN_FORGET_SURT;
	leaving->what = by == PRN_FORGET_HOST ? prn_url_host_name(what, leaving->name) : what;
}

struct serve_forgetting {
	enum prn_forget by;
	char *what; /* of PRN_FORGET_URL in its normal form */
};

static bool is_of(const struct serve_forgetting *forgetting, const char *url)
{
	struct leaving leaving;

	if (forgetting->by == PRN_FORGET_URL)
		return !strcmp(forgetting->what, url);
	read_leaving(&leaving, forgetting->by, forgetting->what);
	return leaves(&leaving, url);
}

/* Under the lock: forgets the first ones of the list. */
static void drop_first(struct serve_forgotten *forgotten, size_t count)
{
	if (!count)
		return; /* and there may be no list */
	for (size_t i = 0; i < count; i++)
		free(forgotten->list[i].what);
	forgotten->count -= count;
	forgotten->dropped += count;
	memmove(forgotten->list, forgotten->list + count, forgotten->count * sizeof *forgotten->list);
}

void serve_forgotten_release(struct serve_forgotten *forgotten)
{
	drop_first(forgotten, forgotten->count);
	free(forgotten->list);
	pthread_mutex_destroy(&forgotten->lock);
}

void serve_keeping_watch(struct serve_daemon *daemon, struct serve_watch *watch)
{
	struct serve_forgotten *forgotten = &daemon->forgotten;

	if (watch->open || !daemon->options.keep_most)
		return;
	pthread_mutex_lock(&forgotten->lock);
	*watch = (struct serve_watch){ .open = true, .since = forgotten->ended };
	forgotten->watches++;
	pthread_mutex_unlock(&forgotten->lock);
}

void serve_keeping_unwatch(struct serve_daemon *daemon, struct serve_watch *watch)
{
	struct serve_forgotten *forgotten = &daemon->forgotten;

	if (!watch->open)
		return;
	watch->open = false;
	pthread_mutex_lock(&forgotten->lock);
	if (!--forgotten->watches)
		drop_first(forgotten, forgotten->count);
	pthread_mutex_unlock(&forgotten->lock);
}

/* Called before the bodies are removed, so that whoever places one later knows.  If the note fails, all pages count as forgotten. */
static void note(struct serve_forgotten *forgotten, enum prn_forget by, const char *what)
{
	struct serve_forgetting *list;
	char *copy;

	pthread_mutex_lock(&forgotten->lock);
	forgotten->ended++;
	if (forgotten->count == FORGOTTEN_MOST || !forgotten->watches)
		drop_first(forgotten, forgotten->count);
	copy = forgotten->watches ? strdup(what) : NULL;
	list = copy ? prn_array_grow(forgotten->list, &forgotten->capacity, forgotten->count + 1, sizeof *list) : NULL;
	if (list) {
		forgotten->list = list;
		list[forgotten->count++] = (struct serve_forgetting){ by, copy };
	} else {
		drop_first(forgotten, forgotten->count);
		forgotten->dropped = forgotten->ended;
		free(copy);
	}
	pthread_mutex_unlock(&forgotten->lock);
}

static bool was_forgotten(struct serve_daemon *daemon, const struct serve_watch *watch, const char *url)
{
	struct serve_forgotten *forgotten = &daemon->forgotten;
	bool was;

	pthread_mutex_lock(&forgotten->lock);
	was = watch->since < forgotten->dropped;
	for (uint64_t i = was ? forgotten->count : watch->since - forgotten->dropped; i < forgotten->count && !was; i++)
		was = is_of(&forgotten->list[i], url);
	pthread_mutex_unlock(&forgotten->lock);
	return was;
}

/* Whoever forgets pages notes it and then removes bodies; whoever has placed a body then reads the notes: one of the two removes it. */
static void take_back(struct serve_daemon *daemon, const struct serve_watch *watch, const char *url)
{
	struct prn_error error = { 0 };

	if (was_forgotten(daemon, watch, url) && keep_forget(daemon->options.keep, url, &error))
		serve_keeping_failed(daemon, &error);
}

void serve_keeping_place(struct serve_daemon *daemon, const struct serve_watch *watch, struct keep_draft *draft)
{
	struct prn_error error = { 0 };

	if (!*draft->part || was_forgotten(daemon, watch, draft->url))
		return;
	if (keep_place_draft(daemon->options.keep, draft, &error))
		serve_keeping_failed(daemon, &error);
	take_back(daemon, watch, draft->url);
}

int serve_keeping_place_fed(struct serve_daemon *daemon, const struct serve_watch *watch, const struct prn_fed *fed, size_t count,
                            struct prn_error *error)
{
	int code = serve_keeping_put(daemon->options.keep, fed, count, serve_keeping_failed, daemon, error);

	for (size_t i = 0; i < count; i++)
		if (fed[i].observation)
			take_back(daemon, watch, fed[i].observation->normal_url);
	return code;
}

int serve_keeping_leave(struct serve_daemon *daemon, enum prn_forget by, const char *what, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	int code = by == PRN_FORGET_URL ? prn_url_read(what, normal, error) : 0;

	if (code)
		return code;
	note(&daemon->forgotten, by, by == PRN_FORGET_URL ? normal : what);
	return serve_keeping_forget(daemon->options.keep, by, what, error);
}

void serve_keeping_drop(struct serve_daemon *daemon, struct keep_draft *draft)
{
	if (*draft->part)
		keep_drop_draft(daemon->options.keep, draft);
}

int serve_keeping_put(struct keep *keep, const struct prn_fed *fed, size_t count, keep_failed_fn *on_failure, void *context,
                      struct prn_error *error)
{
	struct keep_report *reports = calloc(count + 1, sizeof *reports);
	size_t kept = 0;
	int code;

	if (!reports)
		return prn_error_memory(error);
	for (size_t i = 0; i < count; i++)
		if (fed[i].capture && fed[i].observation->kind == PRN_KIND_CONTENT && !fed[i].observation->repeated && !prn_outcome_is_refusal(fed[i].outcome.kind))
			reports[kept++] = report_of(fed[i].observation, fed[i].capture);
	code = keep_put(keep, reports, kept, on_failure, context, error);
	free(reports);
	return code;
}

int serve_keeping_forget(struct keep *keep, enum prn_forget by, const char *what, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	struct leaving leaving;
	int code;

	if (by != PRN_FORGET_URL) {
		read_leaving(&leaving, by, what);
		return keep_forget_all(keep, leaves, &leaving, error);
	}
	code = prn_url_read(what, normal, error);
	return code ? code : keep_forget(keep, normal, error);
}
