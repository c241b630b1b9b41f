#include "history/hearing.h"

#include "base/buffer.h"
#include "base/digest_search.h"
#include "base/json.h"
#include "base/random.h"
#include "history/synthetic.h"
#include "perennial/time.h"
#include "perennial/url.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


/* No page of a trace has more captures; hints that are made up stay in some proportion to them. */
#define FALSE_MAX 1000000

enum key { KEY_RECALL, KEY_PRECISION, KEY_DELAY, KEY_NOISE, KEY_EVERY, KEY_SEED, KEYS };

static const struct prn_synthetic_key keys[KEYS] = {
	{ "recall", "a number from 0 to 1", 1, 1, false, false },
	{ "precision", "a number above 0, at most 1", 1, 1, true, false },
	{ "delay", "a number from 0 up, clock units", 0, 1e9, false, false },
	{ "noise", "a number from 0 to 1000, hints per clock unit", 0, 1000, false, false },
	{ "every", "a whole number from 0", 0, 1e9, false, true },
	{ "seed", "a whole number from 0", 1, 0x1p53, false, true },
};

struct entry {
	struct prn_digest page;
	int64_t time;
	uint32_t source;
};

struct prn_hint_log {
	bool synthetic;
	double values[KEYS];
	struct entry *entries; /* by page, then time, then source */
	size_t count, capacity;
	char **sources; /* [source_count] */
	size_t source_count, source_capacity;
};

void prn_hearing_init(struct prn_hearing *hearing)
{
	*hearing = (struct prn_hearing){ 0 };
}

void prn_hearing_release(struct prn_hearing *hearing)
{
	free(hearing->list);
	prn_hearing_init(hearing);
}

void prn_hint_log_free(struct prn_hint_log *log)
{
	if (!log)
		return;
	for (size_t i = 0; i < log->source_count; i++)
		free(log->sources[i]);
	free(log->sources);
	free(log->entries);
	free(log);
}

size_t prn_hint_log_sources(const struct prn_hint_log *log)
{
	return log->source_count ? log->source_count : 1;
}

static int find_source(struct prn_hint_log *log, const char *name, uint32_t *source)
{
	char **sources;

	for (size_t i = log->source_count; i--;)
		if (!strcmp(log->sources[i], name)) {
			*source = (uint32_t)i;
			return 0;
		}
	sources = prn_array_grow(log->sources, &log->source_capacity, log->source_count + 1, sizeof *sources);
	if (!sources || log->source_count >= UINT32_MAX)
		return PRN_E_MEMORY;
	log->sources = sources;
	sources[log->source_count] = strdup(name);
	if (!sources[log->source_count])
		return PRN_E_MEMORY;
	*source = (uint32_t)log->source_count++;
	return 0;
}

static int wrong(struct prn_error *error, const char *what)
{
	return prn_error_set(error, PRN_E_INPUT, "%s", what);
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
	char normal[PRN_URL_BYTES + 1];
	struct entry *entries, entry;
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
	if (!read_time(json_object_get(root, "time"), &entry.time))
		return wrong(error, "\"time\" takes a time: \"2026-05-10T12:00:00Z\" or Unix seconds");
	if (source && !json_is_null(source) && !json_is_string(source))
		return wrong(error, "\"source\" takes a text");
	entry.page = prn_url_key(normal);
	entries = prn_array_grow(log->entries, &log->capacity, log->count + 1, sizeof *entries);
	if (!entries)
		return prn_error_memory(error);
	log->entries = entries;
	if (find_source(log, json_is_string(source) ? json_string_value(source) : "", &entry.source))
		return prn_error_memory(error);
	entries[log->count++] = entry;
	return 0;
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
		return prn_error_set(error, PRN_E_INPUT, "%s: %s (byte %d)", prn_json_fault(code), why.text, why.position);
	code = read_object(log, root, error);
	json_decref(root);
	return code;
}

static int read_lines(struct prn_hint_log *log, FILE *file, const char *path, struct prn_error *error)
{
	char *line = NULL;
	size_t capacity = 0, number = 0;
	ssize_t length;
	int code = 0;

	while (!code && (length = getline(&line, &capacity, file)) >= 0) {
		number++;
		code = read_line(log, line, (size_t)length, error);
		if (code)
			prn_error_prefix(error, "%s: line %zu", path, number);
	}
	if (!code && !feof(file))
		code = prn_error_set(error, PRN_E_IO, "%s: cannot be read: %s", path, strerror(errno));
	free(line);
	return code;
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
	if (!code)
		code = read_lines(log, file, path, error);
	if (file)
		fclose(file);
	if (code) {
		prn_hint_log_free(log);
		return code;
	}
	if (log->count)
		qsort(log->entries, log->count, sizeof *log->entries, entry_order);
	*out = log;
	return 0;
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

/* What comes before the page's acquisition or after its last capture nobody heard. */
static int hear(struct prn_hearing *hearing, const struct prn_truth *truth, double time, uint32_t source)
{
	struct prn_heard *list;

	if (!(time > 0) || time > truth->time[truth->captures - 1])
		return 0;
	list = prn_array_grow(hearing->list, &hearing->capacity, hearing->count + 1, sizeof *list);
	if (!list)
		return PRN_E_MEMORY;
	hearing->list = list;
	list[hearing->count++] = (struct prn_heard){ time, source };
	return 0;
}

/* Hints that tell no change, for each that does: so many that the share of those is the precision. */
static int hear_false(struct prn_hearing *hearing, const struct prn_truth *truth, const double *values,
                      struct prn_random *random)
{
	double precision = values[KEY_PRECISION];
	int code = 0;

	for (int i = 0; i < FALSE_MAX && prn_random_unit(random) > precision && !code; i++)
		code = hear(hearing, truth, prn_random_unit(random) * truth->time[truth->captures - 1] + values[KEY_DELAY],
		            0);
	return code;
}

static int synthesize(struct prn_hearing *hearing, const double *values, const struct prn_truth *truth)
{
	double end = truth->time[truth->captures - 1], delay = values[KEY_DELAY];
	size_t every = (size_t)values[KEY_EVERY];
	struct prn_random random;
	int code = 0;

	prn_random_seed(&random, (uint64_t)values[KEY_SEED], truth->page);
	for (size_t i = 1; i < truth->captures && !code; i++) {
		bool told = prn_truth_divergence(truth, i - 1, i) > 0 && prn_random_unit(&random) < values[KEY_RECALL];

		if (told)
			code = hear(hearing, truth, truth->time[i] + delay, 0);
		if (told && !code)
			code = hear_false(hearing, truth, values, &random);
		if (every && i % every == 0 && !code)
			code = hear(hearing, truth, truth->time[i] + delay, 0);
	}
	if (values[KEY_NOISE] > 0)
		for (double at = 0; at <= end && !code;) {
			at += prn_random_exponential(&random, 1 / values[KEY_NOISE]);
			code = hear(hearing, truth, at + delay, 0);
		}
	return code;
}

static int heard_order(const void *a, const void *b)
{
	const struct prn_heard *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

int prn_hearing_read(struct prn_hearing *hearing, const struct prn_hint_log *log, const struct prn_truth *truth,
                     const char *url)
{
	struct prn_digest page;
	int code = 0;

	hearing->count = 0;
	if (log->synthetic) {
		code = synthesize(hearing, log->values, truth);
		if (hearing->count)
			qsort(hearing->list, hearing->count, sizeof *hearing->list, heard_order);
		return code;
	}
	if (!url)
		return 0;
	page = prn_url_key(url);
	for (size_t i = prn_digest_first(log->entries, log->count, sizeof *log->entries, &page);
	     i < log->count && !prn_digest_compare(&log->entries[i].page, &page) && !code; i++)
		code = hear(hearing, truth, ((double)log->entries[i].time - truth->start_s) / truth->unit_s,
		            log->entries[i].source);
	return code;
}
