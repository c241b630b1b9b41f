/*
 * The encoding of an entry, little-endian: the format's number, 1 byte; drift and known of the host, 8 bytes each (IEEE 754), host_since
 * and uncounted, 8 each, pages, 4; each pattern: number, since, last, drift, known, 8 each, pages, 4; a checksum (sides.h), which format
 * 1 does not have.
 */
#include "decide/site_drift.h"

#include "base/buffer.h"
#include "decide/sides.h"
#include "store/schema.h"

#include <math.h>
#include <string.h>

#define FORMAT_1 1
#define FORMAT 2
#define SITE_BYTES 37
#define PATTERN_BYTES 44

/* A pattern that is not visited for so many days is as little worth keeping as one with half as much evidence. */
#define HALF_DAYS 30.0

uint64_t prn_pattern_number(const char *normal_url, char text[PRN_PATTERN_BYTES + 1])
{
	return prn_digest_bytes(text, prn_url_pattern(normal_url, text)).low;
}

static int append_number(struct prn_buffer *out, double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof bits);
	return prn_buffer_append_u64(out, bits);
}

/* Takes a number from 0 up. */
static int take_number(struct prn_cursor *cursor, double *number)
{
	uint64_t bits;

	if (prn_cursor_u64(cursor, &bits))
		return PRN_E_DAMAGED;
	memcpy(number, &bits, sizeof bits);
	return *number >= 0 && isfinite(*number) ? 0 : PRN_E_DAMAGED;
}

static int append_evidence(struct prn_buffer *out, const struct prn_evidence *evidence)
{
	return append_number(out, evidence->drift) || append_number(out, evidence->known);
}

static int take_evidence(struct prn_cursor *cursor, struct prn_evidence *evidence)
{
	return take_number(cursor, &evidence->drift) || take_number(cursor, &evidence->known);
}

static int decode(struct prn_site_drift *site, const void *bytes, size_t count)
{
	struct prn_cursor cursor = { bytes, count, 0 }, whole = cursor;
	const unsigned char *format;

	*site = (struct prn_site_drift){ 0 };
	if (prn_cursor_bytes(&cursor, 1, &format) || (*format != FORMAT_1 && (*format != FORMAT || !prn_sides_unseal(&whole))))
		return PRN_E_DAMAGED;
	cursor.length = whole.length;
	if (take_evidence(&cursor, &site->evidence) ||
	    prn_cursor_i64(&cursor, &site->host_since) || prn_cursor_i64(&cursor, &site->uncounted) ||
	    prn_cursor_u32(&cursor, &site->pages))
		return PRN_E_DAMAGED;
	for (; cursor.at < cursor.length; site->count++) {
		struct prn_site_pattern *pattern = &site->patterns[site->count];

		if (site->count == PRN_SITE_PATTERNS || prn_cursor_u64(&cursor, &pattern->number) ||
		    prn_cursor_i64(&cursor, &pattern->since) || prn_cursor_i64(&cursor, &pattern->last) ||
		    take_evidence(&cursor, &pattern->evidence) || prn_cursor_u32(&cursor, &pattern->pages))
			return PRN_E_DAMAGED;
	}
	return 0;
}

bool prn_site_drift_is_whole(const void *bytes, size_t count)
{
	struct prn_site_drift site;

	return !decode(&site, bytes, count);
}

static bool is_ahead(const struct prn_site_drift *site, int64_t now)
{
	int64_t most = prn_time_after(now, PRN_AHEAD_MOST_S);
	bool ahead = site->host_since > most || site->uncounted > most;

	for (size_t i = 0; i < site->count; i++)
		ahead |= site->patterns[i].since > most || site->patterns[i].last > most;
	return ahead;
}

int prn_site_drift_counts_all(const struct prn_store_reader *reader, bool *all, struct prn_error *error)
{
	const void *bytes = NULL;
	size_t count = 0;
	int code = prn_store_reader_side(reader, PRN_SIDE_META, PRN_SIBLINGS_NAME, strlen(PRN_SIBLINGS_NAME), &bytes, &count, error);

	*all = !code && count == strlen(PRN_SIBLINGS_COUNTED) && !memcmp(bytes, PRN_SIBLINGS_COUNTED, count);
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

/* Begins anew with the visits after a time.  Patterns beyond count need not be cleared. */
static void forget_all(struct prn_site_drift *site, int64_t since)
{
	site->evidence = (struct prn_evidence){ 0, 0 };
	site->pages = 0;
	site->count = 0;
	site->host_since = site->uncounted = since;
}

int prn_site_drift_look(struct prn_site_drift *site, const struct prn_store_reader *reader, struct prn_host_name host,
                        int64_t now, bool *is_there, struct prn_error *error)
{
	const void *bytes = NULL;
	size_t count = 0;
	int code = prn_store_reader_side(reader, PRN_SIDE_SIBLINGS, host.text, host.length, &bytes, &count, error);

	*is_there = !code;
	if (!code && !decode(site, bytes, count) && !is_ahead(site, now))
		return 0;
	forget_all(site, now);
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

int prn_site_drift_read(struct prn_site_drift *site, const struct prn_store_reader *reader, struct prn_host_name host,
                        int64_t now, struct prn_error *error)
{
	bool is_there, all = false;
	int code = prn_site_drift_look(site, reader, host, now, &is_there, error);

	if (!code && !is_there)
		code = prn_site_drift_counts_all(reader, &all, error);
	if (all)
		forget_all(site, PRN_TIME_UNKNOWN);
	return code;
}

int prn_site_drift_put(const struct prn_site_drift *site, struct prn_batch *batch, struct prn_host_name host,
                       struct prn_error *error)
{
	const unsigned char format[1] = { FORMAT };
	struct prn_buffer out = { 0 };
	bool failed = prn_buffer_reserve(&out, SITE_BYTES + site->count * PATTERN_BYTES + PRN_CHECKSUM_BYTES) ||
	              prn_buffer_append(&out, format, 1) || append_evidence(&out, &site->evidence) ||
	              prn_buffer_append_u64(&out, (uint64_t)site->host_since) ||
	              prn_buffer_append_u64(&out, (uint64_t)site->uncounted) || prn_buffer_append_u32(&out, site->pages);
	int code;

	for (size_t i = 0; i < site->count && !failed; i++) {
		const struct prn_site_pattern *pattern = &site->patterns[i];

		failed = prn_buffer_append_u64(&out, pattern->number) || prn_buffer_append_u64(&out, (uint64_t)pattern->since) ||
		         prn_buffer_append_u64(&out, (uint64_t)pattern->last) || append_evidence(&out, &pattern->evidence) ||
		         prn_buffer_append_u32(&out, pattern->pages);
	}
	failed = failed || prn_sides_seal(&out, 0);
	code = failed ? prn_error_memory(error)
	              : prn_batch_side_put(batch, PRN_SIDE_SIBLINGS, host.text, host.length, out.data, out.length, error);
	prn_buffer_release(&out);
	return code;
}

struct prn_site_pattern *prn_site_drift_find(struct prn_site_drift *site, uint64_t number)
{
	for (size_t i = 0; i < site->count; i++)
		if (site->patterns[i].number == number)
			return &site->patterns[i];
	return NULL;
}

struct prn_said prn_entry_said(const struct prn_entry *entry)
{
	const struct prn_page_state *state = &entry->state;
	struct prn_said said = { .time = PRN_TIME_UNKNOWN };

	if (state->visits && prn_policy_evidence(state->policy, state->policy_state, &said.evidence))
		said.time = state->visited;
	return said;
}

static const struct prn_evidence nothing = { 0, 0 };

/* The part of a page's evidence that a sum has: all of it if the visit came after the sum began, else none. */
static const struct prn_evidence *share_of(const struct prn_said *said, int64_t since)
{
	return said && said->time > since ? &said->evidence : &nothing;
}

struct prn_siblings prn_site_drift_siblings(struct prn_site_drift *site, uint64_t number)
{
	const struct prn_site_pattern *pattern = prn_site_drift_find(site, number);

	return (struct prn_siblings){ pattern ? pattern->evidence : nothing, site->evidence };
}

static void replace(struct prn_evidence *sum, uint32_t *pages, const struct prn_evidence *before,
                    const struct prn_evidence *now)
{
	bool had = before->known > 0, has = now->known > 0;

	prn_evidence_replace(sum, before, now);
	*pages += has && !had && *pages < UINT32_MAX;
	*pages -= had && !has && *pages > 0;
	/* The remainders of rounding are no evidence. */
	if (!*pages)
		*sum = nothing;
}

/* How well a pattern is worth keeping at a time. */
static double worth(const struct prn_site_pattern *pattern, int64_t time)
{
	double days = fmax((double)time - (double)pattern->last, 0) / PRN_DAY_S;

	return pattern->evidence.known * exp2(-days / HALF_DAYS);
}

/* A place for a pattern with so much evidence at a time; NULL if all others are more worth keeping. */
static struct prn_site_pattern *find_place(struct prn_site_drift *site, double known, int64_t time)
{
	struct prn_site_pattern *least = &site->patterns[0];

	if (site->count < PRN_SITE_PATTERNS)
		return &site->patterns[site->count++];
	for (size_t i = 1; i < site->count; i++)
		if (worth(&site->patterns[i], time) < worth(least, time))
			least = &site->patterns[i];
	if (worth(least, time) >= known)
		return NULL;
	site->uncounted = prn_time_later(site->uncounted, least->last);
	return least;
}

static void count_pattern(struct prn_site_drift *site, uint64_t number, const struct prn_said *before,
                          const struct prn_said *now)
{
	struct prn_site_pattern *pattern = prn_site_drift_find(site, number);

	if (!pattern && now) {
		pattern = now->time > site->uncounted ? find_place(site, now->evidence.known, now->time) : NULL;
		if (pattern)
			*pattern = (struct prn_site_pattern){ .number = number, .since = site->uncounted, .last = now->time };
		else
			site->uncounted = prn_time_later(site->uncounted, now->time);
	}
	if (!pattern || (now && now->time <= pattern->since))
		return;
	replace(&pattern->evidence, &pattern->pages, share_of(before, pattern->since), share_of(now, pattern->since));
	if (now)
		pattern->last = prn_time_later(pattern->last, now->time);
}

void prn_site_drift_count(struct prn_site_drift *site, uint64_t number, const struct prn_said *before,
                          const struct prn_said *now)
{
	replace(&site->evidence, &site->pages, share_of(before, site->host_since), share_of(now, site->host_since));
	count_pattern(site, number, before, now);
}

static int read_site(struct prn_site_visit *visit, const struct prn_decider *decider, struct prn_entry *entry,
                     int64_t now, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);
	const char *normal = prn_entry_normal(entry);
	char text[PRN_PATTERN_BYTES + 1];

	visit->is_read = true;
	visit->host = prn_host_name(normal);
	visit->number = prn_pattern_number(normal, text);
	return prn_site_drift_read(&visit->site, &reader, visit->host, now, error);
}

int prn_site_visit_begin(struct prn_site_visit *visit, const struct prn_decider *decider, struct prn_entry *entry,
                         int64_t now, struct prn_siblings *siblings, struct prn_error *error)
{
	int code;

	visit->is_read = false;
	if (!decider->heeds_siblings)
		return 0;
	visit->before = prn_entry_said(entry);
	if (entry->state.visits)
		return 0;
	code = read_site(visit, decider, entry, now, error);
	if (!code)
		*siblings = prn_site_drift_siblings(&visit->site, visit->number);
	return code;
}

int prn_site_visit_end(struct prn_site_visit *visit, const struct prn_decider *decider, struct prn_entry *entry,
                       int64_t now, struct prn_error *error)
{
	struct prn_said said = prn_entry_said(entry);
	int code = 0;

	if (!decider->heeds_siblings || said.time == PRN_TIME_UNKNOWN)
		return 0;
	if (!visit->is_read)
		code = read_site(visit, decider, entry, now, error);
	if (code)
		return code;
	prn_site_drift_count(&visit->site, visit->number, &visit->before, &said);
	return prn_site_drift_put(&visit->site, decider->batch, visit->host, error);
}

int prn_site_drift_leave(const struct prn_decider *decider, struct prn_entry *entry, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);
	struct prn_said said = prn_entry_said(entry);
	const char *normal = prn_entry_normal(entry);
	char text[PRN_PATTERN_BYTES + 1];
	struct prn_site_drift site;
	int code;

	if (!decider->heeds_siblings || said.time == PRN_TIME_UNKNOWN)
		return 0;
	/* No clock is known here, so times that are ahead are accepted. */
	code = prn_site_drift_read(&site, &reader, prn_host_name(normal), INT64_MAX, error);
	if (code || !site.pages)
		return code;
	prn_site_drift_count(&site, prn_pattern_number(normal, text), &said, NULL);
	return prn_site_drift_put(&site, decider->batch, prn_host_name(normal), error);
}
