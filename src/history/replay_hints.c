#include "history/replay_hints.h"

#include "base/buffer.h"
#include "base/digest_search.h"
#include "base/json.h"
#include "base/random.h"
#include "base/text_lines.h"
#include "history/page_keys.h"
#include "history/synthetic.h"
#include "perennial/digest.h"
#include "perennial/hint.h"
#include "perennial/hints.h"
#include "perennial/time.h"
#include "perennial/url.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


/* No page of a trace has more captures; the number of synthetic hints is bounded in proportion. */
#define FALSE_MAX 1000000

enum key { KEY_RECALL, KEY_PRECISION, KEY_DELAY, KEY_NOISE, KEY_EVERY, KEY_SEED, KEYS };

static const struct prn_synthetic_key keys[KEYS] = {
	{ "recall", "a number from 0 to 1", 1, 1, 0, false },
	{ "precision", "a number from 0.001 to 1", 1, 1, 0.001, false },
	{ "delay", "a number from 0 up, clock units", 0, 1e9, 0, false },
	{ "noise", "a number from 0 to 1000, hints per clock unit", 0, 1000, 0, false },
	{ "every", "a whole number from 0", 0, 1e9, 0, true },
	{ "seed", "a whole number from 0", 1, 0x1p53, 0, true },
};

/* The number of a source whose hints for a host are ignored: PRN_HOST_SOURCES others came first. */
#define IGNORED UINT32_MAX

struct entry {
	struct prn_digest page;
	uint64_t host, name; /* digest of its source */
	int64_t time;
	uint32_t source; /* number among those of the host, in the order of their first hints; or IGNORED */
};

struct prn_hint_log {
	bool synthetic;
	double values[KEYS];
	struct entry *entries; /* by page, then time, then source */
	size_t count, capacity;
	size_t sources; /* the most sources of any host */
	size_t unheard;
};

void prn_replay_hints_init(struct prn_replay_hints *hearing)
{
	*hearing = (struct prn_replay_hints){ 0 };
}

void prn_replay_hints_release(struct prn_replay_hints *hearing)
{
	free(hearing->list);
	prn_replay_hints_init(hearing);
}

void prn_hint_log_free(struct prn_hint_log *log)
{
	if (!log)
		return;
	free(log->entries);
	free(log);
}

size_t prn_hint_log_sources(const struct prn_hint_log *log)
{
	return log->sources ? log->sources : 1;
}

size_t prn_hint_log_unheard(const struct prn_hint_log *log)
{
	return log->unheard;
}

static int wrong(struct prn_error *error, const char *what)
{
	return prn_error_set(error, PRN_E_INPUT, "%s", what);
}

static int add_entry(struct prn_hint_log *log, const char *normal_url, int64_t time, const char *source)
{
	struct entry *entries = prn_array_grow(log->entries, &log->capacity, log->count + 1, sizeof *entries);
	size_t length;
	const char *host = prn_url_host(normal_url, &length);

	if (!entries)
		return PRN_E_MEMORY;
	log->entries = entries;
	entries[log->count++] = (struct entry){ .page = prn_url_key(normal_url),
		                                .host = prn_digest_bytes(host, length).low,
		                                .name = prn_digest_bytes(source, strlen(source)).low,
		                                .time = time };
	return 0;
}

static bool read_time(const json_t *value, int64_t *time)
{
	double seconds = json_number_value(value);

	if (json_is_string(value))
		return !prn_time_parse(json_string_value(value), time);
	if (!json_is_number(value) || !(fabs(seconds) <= (double)PRN_TIME_LAST))
		return false;
	*time = (int64_t)floor(seconds);
	return true;
}

static int read_object(struct prn_hint_log *log, const json_t *root, struct prn_error *error)
{
	const json_t *url = json_object_get(root, "url"), *source = json_object_get(root, "source");
	const json_t *time = json_object_get(root, "time");
	char normal[PRN_URL_BYTES + 1];
	int64_t at;
	int code;

	if (!json_is_object(root))
		return wrong(error, "it is JSON, but not an object");
	if (!json_is_string(url))
		return wrong(error, "\"url\" takes a text");
	code = prn_url_normalize(json_string_value(url), json_string_length(url), normal, sizeof normal);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code)
		return wrong(error, "\"url\" takes an absolute http or https URL");
	/* As with a sitemap, a hint with a modification date is dated by it. */
	if (!read_time(time && !json_is_null(time) ? time : json_object_get(root, "lastmod"), &at))
		return wrong(error, "\"time\" takes a time: \"2026-05-10T12:00:00Z\" or Unix seconds");
	if (source && !json_is_null(source) && !json_is_string(source))
		return wrong(error, "\"source\" takes a text");
	code = add_entry(log, normal, at, json_is_string(source) ? json_string_value(source) : "");
	return code ? prn_error_memory(error) : 0;
}

static int read_line(struct prn_hint_log *log, const char *line, size_t length, struct prn_error *error)
{
	json_error_t why;
	json_t *root;
	int code;

	if (line[strspn(line, " \t\r\n")] == 0 && strlen(line) == length)
		return 0;
	code = prn_json_load(line, length, 0, PRN_JSON_LINE_VALUES, &root, &why);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code)
		return prn_error_set(error, PRN_E_INPUT,
		                     "%s: %s (byte %d); hints are lines of JSON with url and time, a sitemap, or a feed",
		                     prn_json_fault(code), why.text, why.position);
	code = read_object(log, root, error);
	json_decref(root);
	return code;
}

static int read_lines(struct prn_hint_log *log, FILE *file, const char *path, struct prn_error *error)
{
	struct prn_text_lines lines = { .file = file, .name = path };
	int code = 0;

	while (!code && (code = prn_text_lines_need(&lines, error)) > 0) {
		code = read_line(log, lines.line, lines.length, error);
		if (code)
			prn_error_prefix(error, "%s: line %llu", path, lines.number);
	}
	prn_buffer_release(&lines.text);
	return code;
}

static int host_order(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

/* Numbers the sources of each host, up to the limit, in the order of their first hints. */
static void number_sources(struct prn_hint_log *log)
{
	uint64_t names[PRN_HOST_SOURCES];
	uint32_t count = 0;

	for (size_t i = 0; i < log->count; i++) {
		struct entry *entry = &log->entries[i];
		uint32_t number = 0;

		if (!i || entry->host != entry[-1].host)
			count = 0;
		while (number < count && names[number] != entry->name)
			number++;
		if (number == count && count < PRN_HOST_SOURCES)
			names[count++] = entry->name;
		entry->source = number < count ? number : IGNORED;
		log->unheard += number == count;
		log->sources = count > log->sources ? count : log->sources;
	}
}

static int entry_order(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = prn_digest_compare(&x->page, &y->page);

	if (order)
		return order;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->source > y->source) - (x->source < y->source);
}

/* Tells whether a file that was just opened begins as a sitemap or feed; rewinds it. */
static bool is_document(FILE *file)
{
	unsigned char head[8192];
	size_t length = fread(head, 1, sizeof head, file);
	enum prn_hint_format format;

	return !fseek(file, 0, SEEK_SET) && prn_hint_sniff(head, length, NULL, &format);
}

static int take_hint(void *context, const struct prn_hint *hint)
{
	return hint->is_sitemap || hint->modified == PRN_TIME_UNKNOWN
	               ? 0
	               : add_entry(context, hint->normal_url, hint->modified, hint->source);
}

/* Reads a sitemap or feed: its entries are hints at the times that they state. */
static int read_document(struct prn_hint_log *log, const char *path, struct prn_error *error)
{
	const struct prn_hint_options options = { .time = PRN_TIME_UNKNOWN };
	struct prn_hint_counts counts;
	int code = prn_hint_read_file(path, &options, take_hint, log, &counts, error);

	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (!code && counts.format == PRN_HINT_SITEMAP_INDEX)
		return prn_error_set(error, PRN_E_INPUT, "%s: an index of sitemaps says of no page when it changed: give the sitemaps",
		                     path);
	if (!code && !log->count)
		return prn_error_set(error, PRN_E_INPUT, "%s: it says of no page when it changed: sitemaps have <lastmod> for that, "
		                     "feeds a date of each entry", path);
	return code;
}

int prn_hint_log_read(struct prn_hint_log **out, const char *path, struct prn_error *error)
{
	struct prn_hint_log *log = calloc(1, sizeof *log);
	FILE *file = NULL;
	int code = 0;

	if (!log)
		return prn_error_memory(error);
	file = fopen(path, "re");
	if (!file)
		code = prn_error_set(error, PRN_E_IO, "%s: cannot be opened: %s", path, strerror(errno));
	else if (is_document(file))
		code = read_document(log, path, error);
	else
		code = read_lines(log, file, path, error);
	if (file)
		fclose(file);
	if (code) {
		prn_hint_log_free(log);
		return code;
	}
	if (log->count) {
		qsort(log->entries, log->count, sizeof *log->entries, host_order);
		number_sources(log);
		qsort(log->entries, log->count, sizeof *log->entries, entry_order);
	}
	*out = log;
	return 0;
}

int prn_hint_log_match(const struct prn_hint_log *log, const struct prn_pages *pages, size_t *known, size_t *all)
{
	*all = log->count;
	return prn_page_keys_match(pages, log->count ? &log->entries->page : NULL, log->count, sizeof *log->entries, known);
}

int prn_hint_log_synthesize(struct prn_hint_log **out, const char *specification, struct prn_error *error)
{
	struct prn_hint_log *log = calloc(1, sizeof *log);
	int code;

	if (!log)
		return prn_error_memory(error);
	log->synthetic = true;
	code = prn_synthetic_read(log->values, keys, KEYS, "hints", specification, error);
	if (code)
		prn_hint_log_free(log);
	else
		*out = log;
	return code;
}

/* Hints before the page's acquisition or after its last capture are ignored. */
static int add_hint(struct prn_replay_hints *hearing, const struct prn_truth *truth, double time, uint32_t source)
{
	struct prn_replay_hint *list;

	if (!(time > 0) || time > truth->time[truth->captures - 1])
		return 0;
	list = prn_array_grow(hearing->list, &hearing->capacity, hearing->count + 1, sizeof *list);
	if (!list)
		return PRN_E_MEMORY;
	hearing->list = list;
	list[hearing->count++] = (struct prn_replay_hint){ time, source };
	return 0;
}

/* The number of false hints for each true one, so that the share of true ones is the precision. */
static int add_false_hints(struct prn_replay_hints *hearing, const struct prn_truth *truth, const double *values,
                      struct prn_random *random)
{
	double precision = values[KEY_PRECISION];
	int code = 0;

	for (int i = 0; i < FALSE_MAX && prn_random_unit(random) > precision && !code; i++)
		code = add_hint(hearing, truth, prn_random_unit(random) * truth->time[truth->captures - 1] + values[KEY_DELAY],
		            0);
	return code;
}

static int synthesize(struct prn_replay_hints *hearing, const double *values, const struct prn_truth *truth)
{
	double end = truth->time[truth->captures - 1], delay = values[KEY_DELAY];
	size_t every = (size_t)values[KEY_EVERY];
	struct prn_random random;
	int code = 0;

	prn_random_seed(&random, (uint64_t)values[KEY_SEED], truth->page);
	for (size_t i = 1; i < truth->captures && !code; i++) {
		bool found = prn_truth_divergence(truth, i - 1, i) > 0 && prn_random_unit(&random) < values[KEY_RECALL];

		if (found)
			code = add_hint(hearing, truth, truth->time[i] + delay, 0);
		if (found && !code)
			code = add_false_hints(hearing, truth, values, &random);
		if (every && i % every == 0 && !code)
			code = add_hint(hearing, truth, truth->time[i] + delay, 0);
	}
	if (values[KEY_NOISE] > 0)
		for (double at = 0; at <= end && !code;) {
			at += prn_random_exponential(&random, 1 / values[KEY_NOISE]);
			code = add_hint(hearing, truth, at + delay, 0);
		}
	return code;
}

static int hint_order(const void *a, const void *b)
{
	const struct prn_replay_hint *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

int prn_replay_hints_read(struct prn_replay_hints *hearing, const struct prn_hint_log *log, const struct prn_truth *truth,
                     const char *url)
{
	struct prn_digest page;
	int code = 0;

	hearing->count = 0;
	if (log->synthetic) {
		code = synthesize(hearing, log->values, truth);
		if (hearing->count)
			qsort(hearing->list, hearing->count, sizeof *hearing->list, hint_order);
		return code;
	}
	if (!url)
		return 0;
	page = prn_url_key(url);
	for (size_t i = prn_digest_first(log->entries, log->count, sizeof *log->entries, &page);
	     i < log->count && !prn_digest_compare(&log->entries[i].page, &page) && !code; i++)
		if (log->entries[i].source != IGNORED)
			code = add_hint(hearing, truth, ((double)log->entries[i].time - truth->start_s) / truth->unit_s,
			            log->entries[i].source);
	return code;
}
