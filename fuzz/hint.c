/*
 * Reads hints from any bytes: each hint is complete, the counts add up, and the format is the one that the bytes look like.
 */
#include "perennial/hint.h"
#include "perennial/url.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NOW 1778414400

struct told {
	uint64_t hints, skipped;
};

static int take(void *context, const struct prn_hint *hint)
{
	struct told *told = context;
	char normal[PRN_URL_BYTES + 1];

	told->hints++;
	if (prn_url_normalize(hint->url, SIZE_MAX, normal, sizeof normal) || strcmp(normal, hint->normal_url))
		abort();
	if (hint->says_changed && hint->is_sitemap)
		abort();
	if (!*hint->source || !(hint->period_s >= 0) || hint->time == PRN_TIME_UNKNOWN)
		abort();
	return 0;
}

static void hear(void *context, const struct prn_error *what)
{
	((struct told *)context)->skipped++;
	if (what->code >= 0 || !*what->text)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct told told = { 0 };
	bool is_robots = size % 32 == 31;
	const struct prn_hint_options options = { .time = NOW,
		                                  .is_robots = is_robots,
		                                  .base = size % 2 ? "http://a.example/feed" : NULL,
		                                  .same_host = size % 4 == 3,
		                                  .folder = size % 16 == 15 ? "http://a.example/b/c" : NULL,
		                                  .entries_max = size % 8 == 7 ? 3 : 0,
		                                  .skipped = hear,
		                                  .skipped_context = &told };
	enum prn_hint_format format = PRN_HINT_NONE;
	struct prn_hint_counts counts;
	struct prn_error error = { 0 };
	bool is_xml = !is_robots && prn_hint_sniff(data, size, NULL, &format);
	int code = prn_hint_read(data, size, &options, take, &told, &counts, &error);

	if (code ? code != PRN_E_INPUT || !*error.text : error.code)
		abort();
	if (counts.hints != told.hints || !(counts.period_s >= 0) || isinf(counts.period_s))
		abort();
	/* Broken XML is counted as damage, and has no entry. */
	if (counts.entries < counts.hints + counts.ignored + counts.foreign ||
	    counts.hints + counts.ignored + counts.foreign + counts.damaged - counts.entries > 1)
		abort();
	if (!told.skipped != (!counts.damaged && !counts.cut))
		abort();
	if (is_xml && (code || counts.format != format))
		abort();
	if (!is_xml && !is_robots && !code && size < 4096 && counts.format >= PRN_HINT_SITEMAP && *data != 0x1f)
		abort();
	return 0;
}
