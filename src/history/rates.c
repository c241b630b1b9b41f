#include "history/rates.h"

#include "base/buffer.h"
#include "base/random.h"
#include "history/page_keys.h"
#include "history/synthetic.h"
#include "perennial/digest.h"
#include "perennial/hint.h"
#include "perennial/url.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bounds of a rate: "always" and "never" are often said carelessly. */
#define LEAST_S 600.0
#define MOST_S (365.0 * PRN_DAY_S)

/* For synthetic rates. */
#define MEAN_RATE (1 / 3.0)

enum key { KEY_ERROR, KEY_SHARE, KEY_BLIND, KEY_SEED, KEYS };

static const struct prn_synthetic_key keys[KEYS] = {
	{ "error", "a number from 0 to 10", 0.7, 10, 0, false },
	{ "share", "a number from 0 to 1", 1, 1, 0, false },
	{ "blind", "0 or 1", 0, 1, 0, true },
	{ "seed", "a whole number from 0", 1, 0x1p53, 0, true },
};

struct claim {
	struct prn_digest page;
	size_t number; /* its number among all rates that were read */
	double period_s;
};

struct prn_rate_log {
	bool synthetic;
	double values[KEYS];
	struct claim *claims; /* by page, without repetition */
	size_t count, capacity;
	double mean_s; /* the geometric mean */
};

void prn_rate_log_free(struct prn_rate_log *log)
{
	if (log)
		free(log->claims);
	free(log);
}

static int add_claim(void *context, const struct prn_hint *hint)
{
	struct prn_rate_log *log = context;
	struct claim *claims;

	if (!(hint->period_s > 0) || hint->is_sitemap)
		return 0;
	claims = prn_array_grow(log->claims, &log->capacity, log->count + 1, sizeof *claims);
	if (!claims)
		return PRN_E_MEMORY;
	log->claims = claims;
	claims[log->count] = (struct claim){ prn_url_key(hint->normal_url), log->count, fmax(LEAST_S, fmin(hint->period_s, MOST_S)) };
	log->count++;
	return 0;
}

static int order(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;
	int by_page = prn_digest_compare(&x->page, &y->page);

	return by_page ? by_page : (x->number > y->number) - (x->number < y->number);
}

/* Keeps the last rate of each page, and computes their mean. */
static void settle(struct prn_rate_log *log)
{
	size_t n = 0;
	double sum = 0;

	qsort(log->claims, log->count, sizeof *log->claims, order);
	for (size_t i = 0; i < log->count; i++) {
		if (n && !prn_digest_compare(&log->claims[n - 1].page, &log->claims[i].page))
			n--;
		log->claims[n++] = log->claims[i];
	}
	log->count = n;
	for (size_t i = 0; i < n; i++)
		sum += log2(log->claims[i].period_s);
	log->mean_s = exp2(sum / (double)n);
}

int prn_rate_log_read(struct prn_rate_log **out, const char *path, struct prn_error *error)
{
	const struct prn_hint_options options = { .time = PRN_TIME_UNKNOWN };
	struct prn_rate_log *log = calloc(1, sizeof *log);
	struct prn_hint_counts counts;
	int code;

	if (!log)
		return prn_error_memory(error);
	code = prn_hint_read_file(path, &options, add_claim, log, &counts, error);
	if (code == PRN_E_MEMORY)
		prn_error_memory(error);
	if (!code && !log->count)
		code = prn_error_set(error, PRN_E_INPUT, "%s: it says of no page how often it changes: JSON lines have \"period\" or "
		                     "\"changefreq\", a sitemap <changefreq>", path);
	if (code) {
		prn_rate_log_free(log);
		return code;
	}
	settle(log);
	*out = log;
	return 0;
}

int prn_rate_log_match(const struct prn_rate_log *log, const struct prn_pages *pages, size_t *known, size_t *all)
{
	*all = log->count;
	return prn_page_keys_match(pages, log->count ? &log->claims->page : NULL, log->count, sizeof *log->claims, known);
}

int prn_rate_log_synthesize(struct prn_rate_log **out, const char *specification, struct prn_error *error)
{
	struct prn_rate_log *log = calloc(1, sizeof *log);
	int code;

	if (!log)
		return prn_error_memory(error);
	log->synthetic = true;
	code = prn_synthetic_read(log->values, keys, KEYS, "rates", specification, error);
	if (code)
		prn_rate_log_free(log);
	else
		*out = log;
	return code;
}

/* Returns changes per capture interval, with half a change in one interval added. */
static double rate_of(const struct prn_truth *truth)
{
	size_t changes = 0, intervals = truth->captures - 1;

	for (size_t i = 1; i <= intervals; i++)
		changes += prn_truth_divergence(truth, i - 1, i) > 0;
	return ((double)changes + 0.5) / ((double)intervals + 1);
}

static double synthesize(const struct prn_rate_log *log, const struct prn_truth *truth)
{
	const double *values = log->values;
	struct prn_random random;
	double radius, angle, normal;
	double rate = values[KEY_BLIND] > 0 ? MEAN_RATE : rate_of(truth);

	prn_random_seed(&random, (uint64_t)values[KEY_SEED], truth->page);
	if (prn_random_unit(&random) >= values[KEY_SHARE])
		return 0;
	/* By Box and Muller. */
	radius = sqrt(2 * prn_random_exponential(&random, 1));
	angle = 2 * 3.14159265358979323846 * prn_random_unit(&random);
	normal = radius * cos(angle);
	return rate / MEAN_RATE * exp(values[KEY_ERROR] * normal);
}

static int find_order(const void *key, const void *claim)
{
	return prn_digest_compare(key, &((const struct claim *)claim)->page);
}

double prn_rate_log_said(const struct prn_rate_log *log, const struct prn_truth *truth, const char *normal_url)
{
	const struct claim *claim;
	struct prn_digest key;

	if (log->synthetic)
		return synthesize(log, truth);
	if (!normal_url)
		return 0;
	key = prn_url_key(normal_url);
	claim = bsearch(&key, log->claims, log->count, sizeof *log->claims, find_order);
	return claim ? log->mean_s / claim->period_s : 0;
}
