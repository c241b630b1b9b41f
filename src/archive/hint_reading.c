#include "archive/hint_reading.h"
#include "archive/url_host.h"
#include "archive/url_parse.h"

#include <string.h>

int prn_hint_reading_init(struct prn_hint_reading *reading, const struct prn_hint_options *options, prn_hint_fn *take,
                          void *context, struct prn_hint_counts *counts, struct prn_error *error)
{
	int code = 0;

	reading->options = options;
	reading->take = take;
	reading->context = context;
	reading->counts = counts;
	reading->path = NULL;
	reading->full = reading->refused = false;
	*reading->base = 0;
	*counts = (struct prn_hint_counts){ 0 };
	if (options->base)
		code = prn_url_normalize(options->base, SIZE_MAX, reading->base, sizeof reading->base);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code)
		return prn_error_set(error, PRN_E_ARGUMENT, "the document's own URL is not an http or https URL: %.200s",
		                     options->base);
	if (options->same_host && !options->base)
		return prn_error_set(error, PRN_E_ARGUMENT,
		                     "for pages of its own host only, the document's own URL must be given");
	return 0;
}

bool prn_hint_in_feed(const struct prn_hint_reading *reading)
{
	return reading->counts->format == PRN_HINT_RSS || reading->counts->format == PRN_HINT_ATOM;
}

struct prn_hint prn_hint_of(const struct prn_hint_reading *reading)
{
	enum prn_hint_format format = reading->counts->format;
	bool is_feed = format == PRN_HINT_RSS || format == PRN_HINT_ATOM;
	bool is_sitemap = format == PRN_HINT_SITEMAP || format == PRN_HINT_SITEMAP_INDEX || format == PRN_HINT_ROBOTS;
	const char *given = reading->options->source, *usual = is_sitemap ? "sitemap" : is_feed ? "feed" : "hint";

	return (struct prn_hint){ .time = reading->options->time,
		                  .modified = PRN_TIME_UNKNOWN,
		                  .says_changed = format == PRN_HINT_LINES || format == PRN_HINT_TEXT,
		                  .source = given && *given ? given : usual,
		                  .is_sitemap = format == PRN_HINT_SITEMAP_INDEX || format == PRN_HINT_ROBOTS };
}

static void report(const struct prn_hint_reading *reading, uint64_t line, struct prn_error *why)
{
	if (!reading->options->skipped)
		return;
	if (line)
		prn_error_prefix(why, "line %llu", (unsigned long long)line);
	if (reading->path)
		prn_error_prefix(why, "%.300s", reading->path);
	reading->options->skipped(reading->options->skipped_context, why);
}

void prn_hint_damaged(struct prn_hint_reading *reading, uint64_t line, struct prn_error *why)
{
	reading->counts->damaged++;
	report(reading, line, why);
}

void prn_hint_cut(struct prn_hint_reading *reading, uint64_t line, struct prn_error *why)
{
	reading->counts->cut = true;
	report(reading, line, why);
}

bool prn_hint_is_full(struct prn_hint_reading *reading, size_t max, uint64_t line)
{
	struct prn_error why;

	if (!max || reading->counts->entries < max)
		return false;
	prn_error_set(&why, PRN_E_LIMIT, "more than %zu entries: those from here on are left out", max);
	prn_hint_cut(reading, line, &why);
	reading->full = true;
	return true;
}

static bool is_foreign(const struct prn_hint_reading *reading)
{
	size_t length, own_length;
	const char *host = prn_url_host(reading->normal, &length), *own = prn_url_host(reading->base, &own_length);

	return length != own_length || memcmp(host, own, length);
}

int prn_hint_offer(struct prn_hint_reading *reading, struct prn_hint *hint, const char *base, uint64_t line,
                   struct prn_error *error)
{
	const char *folder = reading->options->folder;
	struct prn_error why;
	int code;

	reading->counts->entries++;
	code = prn_url_normalize(hint->url, SIZE_MAX, reading->normal, sizeof reading->normal);
	if (code == PRN_E_INPUT && prn_url_has_other_scheme(hint->url)) {
		reading->counts->ignored++;
		return 0;
	}
	/* "www.b.example/x" is meant as a whole URL in every format except feeds. */
	if (code == PRN_E_INPUT && *base && (*hint->url == '/' || (prn_hint_in_feed(reading) && !prn_url_has_scheme(hint->url)))) {
		code = prn_url_parse(hint->url, strlen(hint->url), base, true, reading->normal);
		if (!code)
			hint->url = reading->normal;
	}
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code) {
		prn_error_set(&why, PRN_E_INPUT, "this is not an http or https URL of at most %d bytes: %.200s", PRN_URL_BYTES,
		              hint->url);
		prn_hint_damaged(reading, line, &why);
		return 0;
	}
	if ((reading->options->same_host && is_foreign(reading)) ||
	    (folder && !prn_url_is_under_folder(reading->normal, folder))) {
		reading->counts->foreign++;
		return 0;
	}
	hint->normal_url = reading->normal;
	reading->counts->hints++;
	code = reading->take(reading->context, hint);
	reading->refused = code != 0;
	return code;
}

int prn_hint_offer_text(struct prn_hint_reading *reading, const char *text, size_t length, uint64_t line, struct prn_error *error)
{
	struct prn_hint hint = prn_hint_of(reading);
	char url[2 * PRN_URL_BYTES + 1];
	struct prn_error why;

	if (length >= sizeof url || memchr(text, 0, length)) {
		reading->counts->entries++;
		prn_error_set(&why, PRN_E_INPUT, "this is not an http or https URL of at most %d bytes", PRN_URL_BYTES);
		prn_hint_damaged(reading, line, &why);
		return 0;
	}
	memcpy(url, text, length);
	url[length] = 0;
	hint.url = url;
	return prn_hint_offer(reading, &hint, reading->base, line, error);
}
