#include "model/estimator_internal.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define VALUE_BYTES 160

/* Between visits a change happens at a moment of its own, so an interval is never quite up. */
#define SINCE_MIN 1e-9

/* In the order of doc/theory.md §9. */
static const struct prn_estimator_kind *const kinds[] = {
	&prn_estimator_naive,     &prn_estimator_ratio, &prn_estimator_mle,       &prn_estimator_last_modified_naive,
	&prn_estimator_last_modified, &prn_estimator_bayes, &prn_estimator_empirical, &prn_estimator_prior_mle,
	&prn_estimator_mm,        &prn_estimator_lln,   &prn_estimator_sa,
};

#define KINDS (sizeof kinds / sizeof *kinds)

const struct prn_estimator_info *prn_estimator_info(size_t i)
{
	return i < KINDS ? &kinds[i]->info : NULL;
}

/* Times and rates are in the range in which sums and quotients stay finite. */
static bool read_positive(const char *text, double *number)
{
	double value;

	if (!prn_number_read(text, &value) || !(value >= PRN_INTERVAL_MIN && value <= PRN_INTERVAL_MAX))
		return false;
	*number = value;
	return true;
}

/* The readers of keys: each reads one key's values and stores them. */
static bool read_visit_rate(const char *text, struct prn_estimator *to)
{
	if (strcmp(text, "mean"))
		return read_positive(text, &to->visit_rate);
	to->visit_rate = 0;
	return true;
}

static bool read_damping(const char *text, struct prn_estimator *to)
{
	return read_positive(text, &to->damping);
}

static bool read_growth(const char *text, struct prn_estimator *to)
{
	double value = PRN_ESTIMATOR_GROWTH_LOG;

	if (strcmp(text, "log") != 0 && (!prn_number_read(text, &value) || !(value >= 0 && value < 1)))
		return false;
	to->growth = value;
	return true;
}

static bool read_exponent(const char *text, struct prn_estimator *to)
{
	double value;

	if (!prn_number_read(text, &value) || !(value > 0 && value <= 1))
		return false;
	to->exponent = value;
	return true;
}

static bool read_prior_changed(const char *text, struct prn_estimator *to)
{
	return read_positive(text, &to->prior_changed);
}

static bool read_prior_unchanged(const char *text, struct prn_estimator *to)
{
	return read_positive(text, &to->prior_unchanged);
}

static bool read_classes(const char *text, struct prn_estimator *to)
{
	double classes[PRN_ESTIMATOR_CLASSES];
	size_t n = 0;

	for (;;) {
		char number[VALUE_BYTES];
		size_t length = strcspn(text, "/");

		snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : sizeof number),
		         text);
		if (n == PRN_ESTIMATOR_CLASSES || !read_positive(number, &classes[n++]))
			return false;
		if (!text[length])
			break;
		text += length + 1;
	}
	memcpy(to->classes, classes, n * sizeof *classes);
	to->class_count = n;
	return true;
}

static bool read_lengths(const char *text, struct prn_estimator *to)
{
	double value;

	if (!prn_number_read(text, &value) || !(value >= 1 && value <= PRN_ESTIMATOR_LENGTHS) ||
	    value != floor(value))
		return false;
	to->lengths = (size_t)value;
	return true;
}

static bool read_forgetting(const char *text, struct prn_estimator *to)
{
	double value;

	if (!prn_number_read(text, &value) || !(value > 0 && value <= 1))
		return false;
	to->forgetting = value;
	return true;
}

static const struct key {
	struct prn_estimator_key about;
	bool (*read)(const char *text, struct prn_estimator *to);
	const char *fits; /* completes "takes …" */
} keys[] = {
	{ { PRN_KEY_VISIT_RATE }, read_visit_rate, "a number above 0, or 'mean'" },
	{ { PRN_KEY_DAMPING }, read_damping, "a number above 0" },
	{ { PRN_KEY_EXPONENT }, read_exponent, "a number above 0, at most 1" },
	{ { PRN_KEY_GROWTH }, read_growth, "a number from 0 and below 1, or 'log'" },
	{ { PRN_KEY_PRIOR_CHANGED }, read_prior_changed, "a number above 0" },
	{ { PRN_KEY_PRIOR_UNCHANGED }, read_prior_unchanged, "a number above 0" },
	{ { PRN_KEY_CLASSES }, read_classes, "numbers above 0 with '/' between them, at most 16" },
	{ { PRN_KEY_LENGTHS }, read_lengths, "a whole number from 1 to 1024" },
	{ { PRN_KEY_FORGETTING }, read_forgetting, "a number above 0, at most 1" },
};

#define KEYS (sizeof keys / sizeof *keys)

const struct prn_estimator_key *prn_estimator_key(size_t i)
{
	return i < KEYS ? &keys[i].about : NULL;
}

int prn_estimator_choose(struct prn_estimator *estimator, const char *name, struct prn_error *error)
{
	char names[PRN_ERROR_TEXT / 2] = "";

	for (size_t i = 0; i < KINDS; i++) {
		if (!strcmp(name, kinds[i]->info.name)) {
			estimator->kind = kinds[i];
			return 0;
		}
		prn_text_list(names, sizeof names, kinds[i]->info.name);
	}
	return prn_error_set(error, PRN_E_NOT_FOUND, "no estimator '%.80s': there is %s", name, names);
}

int prn_estimator_set(struct prn_estimator *estimator, const char *key, const char *value,
                      struct prn_error *error)
{
	for (size_t i = 0; i < KEYS; i++) {
		if (strcmp(key, keys[i].about.name))
			continue;
		if (keys[i].read(value, estimator))
			return 0;
		return prn_error_set(error, PRN_E_ARGUMENT, "key '%s' takes %s, not '%.80s'", key, keys[i].fits,
		                     value);
	}
	return prn_error_set(error, PRN_E_NOT_FOUND, "no estimator has a key '%.80s'", key);
}

/* Checks that the estimator has the key with this name. */
static int check_key(const struct prn_estimator_info *info, const char *name, struct prn_error *error)
{
	char names[PRN_ERROR_TEXT / 2] = "";

	for (const char *const *key = info->keys; *key; key++) {
		if (!strcmp(*key, name))
			return 0;
		prn_text_list(names, sizeof names, *key);
	}
	return prn_error_set(error, PRN_E_NOT_FOUND, "estimator '%s' has no key '%.80s': it has %s", info->name,
	                     name, *names ? names : "none");
}

/* Reads one "key=value" of length bytes.  Text that is too long for any value is cut, and then matches none. */
static int read_pair(struct prn_estimator *estimator, const char *text, size_t length, struct prn_error *error)
{
	char pair[VALUE_BYTES], *value;
	int code;

	snprintf(pair, sizeof pair, "%.*s", (int)(length < sizeof pair ? length : sizeof pair), text);
	value = strchr(pair, '=');
	if (value)
		*value++ = 0;
	code = check_key(&estimator->kind->info, pair, error);
	if (code)
		return code;
	return prn_estimator_set(estimator, pair, value && length < sizeof pair ? value : "", error);
}

int prn_estimator_init(struct prn_estimator *estimator, const char *specification, struct prn_error *error)
{
	struct prn_estimator made = { 0 };
	size_t length = strcspn(specification, ":");
	char name[VALUE_BYTES];
	int code = 0;

	snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), specification);
	for (size_t i = 0; i < KEYS; i++)
		keys[i].read(keys[i].about.fallback, &made);
	code = prn_estimator_choose(&made, name, error);
	for (const char *at = specification + length; !code && *at; at += length) {
		length = strcspn(++at, ":");
		code = read_pair(&made, at, length, error);
	}
	if (!code)
		*estimator = made;
	return code;
}

const struct prn_estimator_info *prn_estimator_about(const struct prn_estimator *estimator)
{
	return &estimator->kind->info;
}

size_t prn_estimator_state_size(const struct prn_estimator *estimator)
{
	return estimator->kind->state_size(estimator);
}

/* NaN loses the comparisons of fmin and fmax, and so counts as the shortest interval. */
void prn_estimator_add(const struct prn_estimator *estimator, void *state,
                       const struct prn_estimator_visit *visit)
{
	struct prn_estimator_visit kept = *visit;

	kept.interval = fmin(fmax(visit->interval, PRN_INTERVAL_MIN), PRN_INTERVAL_MAX);
	if (!(visit->since_modified > 0))
		kept.since_modified = kept.interval;
	kept.since_modified = fmin(fmax(kept.since_modified, SINCE_MIN * kept.interval), kept.interval);
	if (prn_estimator_forgets(estimator) && estimator->kind->fade)
		estimator->kind->fade(estimator, state, estimator->forgetting);
	estimator->kind->add(estimator, state, &kept);
}

void prn_estimator_interval(const struct prn_estimator *estimator, const void *state, double confidence, double *low,
                            double *high)
{
	double from = 0, to = INFINITY, rate;

	if (!(confidence > 0 && confidence < 1))
		return;
	estimator->kind->interval(estimator, state, confidence, &from, &to);
	/*
	 * An estimate that is biased, shrunk, a mean of classes or an edge may lie where the visits make it
	 * hardly possible.
	 */
	rate = prn_estimator_rate(estimator, state);
	*low = fmin(from, rate);
	*high = fmax(to, rate);
}

double prn_estimator_rate(const struct prn_estimator *estimator, const void *state)
{
	return estimator->kind->rate(estimator, state);
}

bool prn_estimator_valid(const struct prn_estimator *estimator, const void *state)
{
	const double *numbers = state;
	size_t n = prn_estimator_state_size(estimator) / sizeof *numbers;
	double rate;

	for (size_t i = 0; i < n; i++)
		if (!(numbers[i] >= 0) || isinf(numbers[i]))
			return false;
	if (estimator->kind->valid && !estimator->kind->valid(estimator, state))
		return false;
	rate = prn_estimator_rate(estimator, state);
	return isfinite(rate) && rate >= 0;
}

size_t prn_estimator_probabilities(const struct prn_estimator *estimator, const void *state,
                                   double probabilities[PRN_ESTIMATOR_CLASSES])
{
	return estimator->kind->probabilities ? estimator->kind->probabilities(estimator, state, probabilities)
	                                      : 0;
}
