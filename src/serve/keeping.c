#include "serve/keeping.h"

#include "archive/url_host.h"
#include "decide/decider_internal.h"
#include "serve/service.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Once a second at most: a disk that is full refuses every one. */
static void tell(struct serve_daemon *daemon, const struct prn_error *error)
{
	int64_t now = serve_now(daemon);

	serve_metrics_add(daemon->metrics, SERVE_UNKEPT, 0, 1);
	if (atomic_exchange(&daemon->unkept_at, now) != now)
		serve_log_write(daemon->options.log, SERVE_WARNING, "body not kept", "error", error->text, NULL);
}

static bool is_kept(const struct serve_daemon *daemon, const struct prn_observation *observation)
{
	return daemon->options.keep_most && observation->kind == PRN_KIND_CONTENT;
}

void serve_keeping_draft(struct serve_daemon *daemon, const struct prn_observation *observation, const struct prn_capture *capture,
                         struct keep_draft *draft)
{
	struct prn_error error = { 0 };

	if (is_kept(daemon, observation) &&
	    keep_draft(daemon->options.keep, observation->normal_url, observation->time, capture->content_type, capture->body,
	               capture->body_bytes, draft, &error))
		tell(daemon, &error);
}

void serve_keeping_place(struct serve_daemon *daemon, struct keep_draft *draft)
{
	struct prn_error error = { 0 };

	if (*draft->part && keep_place_draft(daemon->options.keep, draft, &error))
		tell(daemon, &error);
}

void serve_keeping_drop(struct serve_daemon *daemon, struct keep_draft *draft)
{
	if (*draft->part)
		keep_drop_draft(daemon->options.keep, draft);
}

void serve_keeping_put(struct serve_daemon *daemon, const struct prn_observation *observation, const struct prn_capture *capture)
{
	struct prn_error error = { 0 };

	if (is_kept(daemon, observation) &&
	    keep_put(daemon->options.keep, observation->normal_url, observation->time, capture->content_type, capture->body,
	             capture->body_bytes, &error))
		tell(daemon, &error);
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
