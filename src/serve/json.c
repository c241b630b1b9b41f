#include "serve/json.h"
#include "fragment/utf8.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *text_of(const char *text)
{
	struct prn_buffer repaired = { 0 };
	json_t *value = NULL;

	if (!text)
		return json_null();
	if (prn_utf8_is_valid(text, strlen(text)))
		return json_string(text);
	if (!prn_utf8_append_repaired(&repaired, text, strlen(text)))
		value = json_stringn((const char *)repaired.data, repaired.length);
	prn_buffer_release(&repaired);
	return value;
}

static json_t *time_of(int64_t time)
{
	char text[PRN_TIME_TEXT];

	return time == PRN_TIME_UNKNOWN ? json_null() : json_string(prn_time_format(time, text));
}

static json_t *number_of(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

/* Appends an object and takes it. */
static int write_line_take(struct prn_buffer *out, json_t *object)
{
	char *line = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;
	int code = line ? prn_buffer_printf(out, "%s\n", line) : PRN_E_MEMORY;

	free(line);
	json_decref(object);
	return code;
}

int serve_json_outcome(struct prn_buffer *out, const char *url, int64_t time, const struct prn_outcome *outcome)
{
	bool refused = prn_outcome_is_refusal(outcome->kind);

	if (refused)
		return write_line_take(out, json_pack("{s:o, s:o, s:s}", "url", text_of(url), "time", time_of(time),
		                                      "outcome", prn_outcome_name(outcome->kind)));
	return write_line_take(out, json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:s}", "url", text_of(url), "time",
	                                      time_of(time), "outcome", prn_outcome_name(outcome->kind), "next_time",
	                                      time_of(outcome->next), "period_s", number_of(outcome->period_s),
	                                      "divergence", number_of(outcome->divergence), "utility",
	                                      number_of(outcome->utility), "reason", prn_next_name(outcome->reason)));
}

int serve_json_skipped(struct prn_buffer *out, const char *why)
{
	return write_line_take(out, json_pack("{s:o}", "error", text_of(why)));
}

int serve_json_added(struct prn_buffer *out, const char *url, enum prn_added added)
{
	const char *word = added == PRN_ADDED_NEW ? "added" : added == PRN_ADDED_KNOWN ? "known" : "revived";

	return write_line_take(out, json_pack("{s:o, s:s}", "url", text_of(url), "outcome", word));
}
