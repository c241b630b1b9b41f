#include "serve/hints.h"

#include <inttypes.h>
#include <string.h>

/* Hints that the writer takes in before it turns to others. */
#define PORTION 1000

#define READ_AT_ONCE ((size_t)64 << 10)

/*
 * Each byte of a URL may be three of its normal form, and both are kept.  A body may be packed: there is room for as
 * many entries as there may be, with URLs of a thousand bytes.
 */
#define GROWTH 4
#define ROOM ((size_t)64 << 20)

static int answer(struct serve_hints_call *hints, struct prn_error *error)
{
	const struct prn_hinter *hinter = &hints->hinter;
	struct prn_buffer *out = &hints->call.out;
	int code = prn_buffer_printf(out, "{\"entries\":%" PRIu64, hinter->read.entries);

	for (int i = 0; i < PRN_HINTEDS && !code; i++)
		code = prn_buffer_printf(out, ",\"%s\":%" PRIu64, prn_hinted_name((enum prn_hinted)i),
		                         hinter->hinted[i]);
	if (!code)
		code = prn_buffer_printf(out,
		                         ",\"ignored\":%" PRIu64 ",\"foreign\":%" PRIu64 ",\"damaged\":%" PRIu64
		                         ",\"cut\":%s}\n",
		                         hinter->read.ignored, hinter->read.foreign, hinter->read.damaged,
		                         hinter->read.cut ? "true" : "false");
	return code ? prn_error_memory(error) : 0;
}

/* A hint as it is kept: where its strings are in the buffer. */
struct kept {
	int64_t time, modified;
	double period_s;
	size_t url, normal_url, source, end;
	bool says_changed, is_sitemap;
};

static int append_text(struct prn_buffer *out, const char *text, size_t *at)
{
	*at = out->length;
	return prn_buffer_append(out, text, strlen(text) + 1);
}

int serve_hints_add(void *context, const struct prn_hint *hint)
{
	struct serve_hints_call *hints = context;
	struct prn_buffer *out = &hints->hints;
	size_t begin = out->length;
	struct kept kept = { hint->time, hint->modified, hint->period_s, 0, 0, hints->source, 0, hint->says_changed,
		             hint->is_sitemap };
	bool same_source = begin && !strcmp((const char *)out->data + hints->source, hint->source);
	int code = prn_buffer_append(out, &kept, sizeof kept);

	if (!code)
		code = append_text(out, hint->normal_url, &kept.normal_url);
	kept.url = kept.normal_url;
	if (!code && strcmp(hint->url, hint->normal_url))
		code = append_text(out, hint->url, &kept.url);
	if (!code && !same_source)
		code = append_text(out, hint->source, &kept.source);
	if (code) {
		prn_error_memory(&hints->hinter.error);
		return code;
	}
	if (out->length > hints->most)
		return prn_error_set(
			&hints->hinter.error, PRN_E_LIMIT,
			"after %" PRIu64 " entries the URLs that relative ones stand for come to more than %zu bytes: "
			"send the document in parts",
			hints->hinter.read.entries, hints->most);
	hints->source = kept.source;
	kept.end = out->length;
	memcpy(out->data + begin, &kept, sizeof kept);
	return 0;
}

static int take_portion(void *context, struct serve_call *call, struct prn_error *error)
{
	struct serve_hints_call *hints = (struct serve_hints_call *)call;
	struct serve_daemon *daemon = context;
	const char *text = (const char *)hints->hints.data;

	/* What was taken in since the last commit may have been taken in vain. */
	hints->taken = hints->durable;
	memcpy(hints->hinter.hinted, hints->counted, sizeof hints->counted);
	hints->hinter.error = (struct prn_error){ 0 };
	hints->hinter.decider = daemon->decider;
	hints->hinter.now = serve_now(daemon);
	for (unsigned i = 0; i < PORTION && hints->taken < hints->hints.length; i++) {
		struct kept kept;
		struct prn_hint hint;
		int code;

		memcpy(&kept, text + hints->taken, sizeof kept);
		hint = (struct prn_hint){ text + kept.url, text + kept.normal_url, kept.time, kept.modified,
			                  kept.says_changed, kept.period_s, text + kept.source, kept.is_sitemap };
		code = prn_hinter_take(&hints->hinter, &hint);
		if (code) {
			*error = hints->hinter.error;
			return code;
		}
		hints->taken = kept.end;
	}
	call->again = hints->taken < hints->hints.length;
	return call->again ? 0 : answer(hints, error);
}

static void count(struct serve_call *call)
{
	struct serve_hints_call *hints = (struct serve_hints_call *)call;

	for (int i = 0; i < PRN_HINTEDS; i++) {
		serve_metrics_add(call->daemon->metrics, SERVE_HINTS, (size_t)i,
		                  hints->hinter.hinted[i] - hints->counted[i]);
		hints->counted[i] = hints->hinter.hinted[i];
	}
	hints->durable = hints->taken;
}

static void release_hints(struct serve_call *call)
{
	struct serve_hints_call *hints = (struct serve_hints_call *)call;

	prn_buffer_release(&hints->hints);
	if (hints->release)
		hints->release(hints);
}

void *serve_hints_open(struct serve_daemon *daemon, struct serve_request *request, size_t size)
{
	struct serve_hints_call *hints = serve_call_open(daemon, request, size, SERVE_JSON, take_portion);

	if (!hints)
		return NULL;
	hints->call.durable = count;
	hints->call.release = release_hints;
	hints->most = ROOM;
	return hints;
}

void serve_hints_read(struct serve_hints_call *hints, size_t length, void (*read)(void *hints))
{
	struct serve_call *call = &hints->call;

	hints->most = length < (SIZE_MAX - ROOM) / GROWTH ? ROOM + GROWTH * length : SIZE_MAX;
	if (length <= READ_AT_ONCE)
		read(hints);
	else if (!serve_batches_run(call->daemon->batches, call->request, read, hints))
		serve_call_free(call);
}
