#include "serve/keeping.h"

#include "archive/url_host.h"
#include "decide/decider_internal.h"
#include "serve/service.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Once a second at most: a disk that is full refuses every one. */
void serve_keeping_tell(void *context, const struct prn_error *error)
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
		serve_keeping_tell(daemon, &error);
}

void serve_keeping_place(struct serve_daemon *daemon, struct keep_draft *draft)
{
	struct prn_error error = { 0 };

	if (*draft->part && keep_place_draft(daemon->options.keep, draft, &error))
		serve_keeping_tell(daemon, &error);
}

void serve_keeping_drop(struct serve_daemon *daemon, struct keep_draft *draft)
{
	if (*draft->part)
		keep_drop_draft(daemon->options.keep, draft);
}

int serve_keeping_put(struct keep *keep, const struct prn_fed *fed, size_t count, keep_told_fn *told, void *context,
                      struct prn_error *error)
{
	struct keep_report *reports = calloc(count + 1, sizeof *reports);
	size_t kept = 0;
	int code;

	if (!reports)
		return prn_error_memory(error);
	for (size_t i = 0; i < count; i++)
		if (fed[i].capture && fed[i].observation->kind == PRN_KIND_CONTENT && !prn_outcome_is_refusal(fed[i].outcome.kind))
			reports[kept++] = report_of(fed[i].observation, fed[i].capture);
	code = keep_put(keep, reports, kept, told, context, error);
	free(reports);
	return code;
}

struct leaving {
	const char *what;
	bool surt;
};

static bool leaves(void *context, const char *url)
{
	const struct leaving *leaving = context;

	return prn_decider_is_under(url, leaving->surt, leaving->what);
}

int serve_keeping_forget(struct keep *keep, enum prn_forget by, const char *what, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1], name[PRN_URL_HOST_NAME];
	struct leaving leaving = { by == PRN_FORGET_HOST ? prn_url_host_name(what, name) : what, by == PRN_FORGET_SURT };
	int code;

	if (by != PRN_FORGET_URL)
		return keep_forget_all(keep, leaves, &leaving, error);
	code = prn_decider_normalize(what, normal, error);
	return code ? code : keep_forget(keep, normal, error);
}
