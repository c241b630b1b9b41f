#include "serve/hints.h"

#include <inttypes.h>

int serve_hints_answer(struct serve_hints_call *hints, struct prn_error *error)
{
	const struct prn_hinter *hinter = &hints->hinter;
	struct prn_buffer *out = &hints->call.out;
	int code = prn_buffer_printf(out, "{\"entries\":%" PRIu64, hinter->read.entries);

	for (int i = 0; i < PRN_HINTEDS && !code; i++)
		code = prn_buffer_printf(out, ",\"%s\":%" PRIu64, prn_hinted_name((enum prn_hinted)i), hinter->hinted[i]);
	if (!code)
		code = prn_buffer_printf(out, ",\"ignored\":%" PRIu64 ",\"foreign\":%" PRIu64 ",\"damaged\":%" PRIu64 ",\"cut\":%s}\n",
		                         hinter->read.ignored, hinter->read.foreign, hinter->read.damaged,
		                         hinter->read.cut ? "true" : "false");
	return code ? prn_error_memory(error) : 0;
}

void serve_hints_count(struct serve_call *call)
{
	const struct prn_hinter *hinter = &((struct serve_hints_call *)call)->hinter;

	for (int i = 0; i < PRN_HINTEDS; i++)
		serve_metrics_add(call->daemon->metrics, SERVE_HINTS, (size_t)i, hinter->hinted[i]);
}
