#include "decide/decider_state.h"

#include "base/number.h"
#include "perennial/extractor.h"
#include "perennial/url.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POLICY "drift"
#define POLICY_DEFAULTS "summary=8"
#define THRESHOLD 0.25

#define NUMBER_TEXT 32

/* The keys of settings. */
#define KEY_POLICY "policy"
#define KEY_THRESHOLD "threshold"
#define KEY_TUNED "tuned"
#define KEY_BUDGET "budget-per-day"
#define KEY_RULE "fragment-rule"
#define KEY_WORDS "shingle-words"

static int out_of_memory(struct prn_error *error)
{
	return prn_error_set(error, PRN_E_MEMORY, "%s", prn_error_text(PRN_E_MEMORY));
}

/* Opens a policy that a page state can keep the versions of. */
static int open_policy(struct prn_policy **out, const char *specification, struct prn_error *error)
{
	struct prn_policy *policy;
	int code = prn_policy_open(&policy, specification, POLICY_DEFAULTS, error);

	if (code)
		return code;
	if (prn_policy_slots(policy) && prn_policy_summary(policy) > PRN_PAGE_HASHES) {
		prn_policy_free(policy);
		return prn_error_set(error, PRN_E_RANGE, "%s: a store keeps at most %d hashes of a version: set summary",
		                     specification, PRN_PAGE_HASHES);
	}
	*out = policy;
	return 0;
}

static int check_settings(const struct prn_decider_settings *settings, const char *specification,
                          struct prn_error *error)
{
	struct prn_policy *policy;
	int code;

	if (!(settings->threshold >= 0) || isinf(settings->threshold))
		return prn_error_set(error, PRN_E_RANGE, "a threshold is a number above 0");
	if (!(settings->budget_per_day >= 0) || isinf(settings->budget_per_day))
		return prn_error_set(error, PRN_E_RANGE, "a budget is a number above 0");
	if (settings->shingle_words > PRN_SHINGLE_WORDS_MAX)
		return prn_error_set(error, PRN_E_RANGE, "shingles have at most %d words", PRN_SHINGLE_WORDS_MAX);
	code = open_policy(&policy, specification, error);
	if (!code)
		prn_policy_free(policy);
	return code;
}

int prn_decider_create(const char *path, const struct prn_decider_settings *settings, struct prn_error *error)
{
	const char *specification = settings->policy ? settings->policy : POLICY;
	char threshold[NUMBER_TEXT], budget[NUMBER_TEXT], words[NUMBER_TEXT], rule[NUMBER_TEXT];
	const struct prn_store_setting list[] = {
		{ KEY_POLICY, specification }, { KEY_THRESHOLD, threshold }, { KEY_BUDGET, budget },
		{ KEY_WORDS, words },          { KEY_RULE, rule },
	};
	int code = check_settings(settings, specification, error);

	if (code)
		return code;
	snprintf(threshold, sizeof threshold, "%.17g", settings->threshold > 0 ? settings->threshold : THRESHOLD);
	snprintf(budget, sizeof budget, "%.17g", settings->budget_per_day);
	snprintf(words, sizeof words, "%u", settings->shingle_words ? settings->shingle_words : PRN_SHINGLE_WORDS);
	snprintf(rule, sizeof rule, "%d", PRN_FRAGMENT_RULE);
	return prn_store_create(path, list, sizeof list / sizeof *list, error);
}

void prn_decider_options_init(struct prn_decider_options *options)
{
	*options = (struct prn_decider_options){
		.retire_after = 3, .suspect_above = 0.9, .suspect_usual = 0.3, .suspect_after_s = 3600,
		.retry_s = 3600, .retry_max_s = 7 * 86400.0, .lock_wait_s = 10,
	};
}

static bool is_duration(double seconds)
{
	return seconds >= 0 && isfinite(seconds);
}

static int check_options(const struct prn_decider_options *options, struct prn_error *error)
{
	if (options->retire_after < 1 || options->retire_after > PRN_PAGE_FAILURES)
		return prn_error_set(error, PRN_E_RANGE, "pages are retired after 1 to %d times gone", PRN_PAGE_FAILURES);
	if (!(options->suspect_above >= 0) || !(options->suspect_usual >= 0))
		return prn_error_set(error, PRN_E_RANGE, "bounds of suspicion are divergences, from 0 up");
	if (!is_duration(options->suspect_after_s) || !is_duration(options->retry_s) ||
	    !is_duration(options->retry_max_s) || !is_duration(options->host_delay_s) ||
	    !is_duration(options->future_s) || !is_duration(options->lock_wait_s))
		return prn_error_set(error, PRN_E_RANGE, "delays are finite durations");
	return prn_intervals_check(options->intervals, options->interval_count, error);
}

/* A setting's text, copied to text; PRN_E_INPUT when it is not there, or longer. */
static int read_setting(const struct prn_shelf *shelf, const char *key, char *text, size_t size,
                        struct prn_error *error)
{
	const void *bytes = NULL;
	size_t count = 0;
	int code = prn_shelf_side(shelf, PRN_SIDE_META, key, strlen(key), &bytes, &count, error);

	if (code && code != PRN_E_NOT_FOUND)
		return code;
	if (code || count >= size)
		return prn_error_set(error, PRN_E_INPUT, "the store has no setting '%s'", key);
	memcpy(text, bytes, count);
	text[count] = 0;
	return 0;
}

static int read_number(const struct prn_shelf *shelf, const char *key, double *number, struct prn_error *error)
{
	char text[NUMBER_TEXT];
	int code = read_setting(shelf, key, text, sizeof text, error);

	if (!code && !prn_number_read(text, number))
		code = prn_error_set(error, PRN_E_INPUT, "the store's setting '%s' is '%s'", key, text);
	return code;
}

int prn_decider_read_dial(const struct prn_shelf *shelf, struct prn_dial_setting *dial, struct prn_error *error)
{
	char tuned[NUMBER_TEXT];
	struct prn_error none;
	int code = read_number(shelf, KEY_THRESHOLD, &dial->threshold, error);

	if (!code && !(dial->threshold > 0))
		code = prn_error_set(error, PRN_E_INPUT, "the store's threshold is not above 0");
	if (code)
		return code;
	dial->tuned = PRN_TIME_UNKNOWN;
	if (!read_setting(shelf, KEY_TUNED, tuned, sizeof tuned, &none))
		dial->tuned = strtoll(tuned, NULL, 10);
	return 0;
}

static int put_setting(struct prn_decider *decider, const char *key, const char *text, struct prn_error *error)
{
	return prn_batch_side_put(decider->batch, PRN_SIDE_META, key, strlen(key), text, strlen(text), error);
}

int prn_decider_put_dial(struct prn_decider *decider, const struct prn_dial_setting *dial, struct prn_error *error)
{
	char threshold[NUMBER_TEXT], tuned[NUMBER_TEXT];
	int code;

	snprintf(threshold, sizeof threshold, "%.17g", dial->threshold);
	snprintf(tuned, sizeof tuned, "%" PRId64, dial->tuned);
	code = put_setting(decider, KEY_THRESHOLD, threshold, error);
	return code ? code : put_setting(decider, KEY_TUNED, tuned, error);
}

static int read_settings(struct prn_decider *decider, const struct prn_shelf *shelf, struct prn_error *error)
{
	char specification[1024];
	double words = 0, rule = 0;
	int code = read_setting(shelf, KEY_POLICY, specification, sizeof specification, error);

	if (!code)
		code = prn_decider_read_dial(shelf, &decider->dial, error);
	if (!code)
		code = read_number(shelf, KEY_BUDGET, &decider->budget_per_day, error);
	if (!code)
		code = read_number(shelf, KEY_WORDS, &words, error);
	if (!code)
		code = read_number(shelf, KEY_RULE, &rule, error);
	if (code)
		return code;
	if (rule < PRN_FRAGMENT_RULE || rule > PRN_FRAGMENT_RULE)
		return prn_error_set(error, PRN_E_VERSION, "the store's fragments are of rule %g, and this program's of rule %d",
		                     rule, PRN_FRAGMENT_RULE);
	if (!(words >= 1 && words <= PRN_SHINGLE_WORDS_MAX))
		return prn_error_set(error, PRN_E_INPUT, "the store's shingles have %g words", words);
	decider->shingle_words = (unsigned)words;
	decider->specification = strdup(specification);
	if (!decider->specification)
		return out_of_memory(error);
	code = open_policy(&decider->policy, specification, error);
	return code == PRN_E_NOT_FOUND || code == PRN_E_RANGE ? PRN_E_VERSION : code;
}

static int open_entries(struct prn_decider *decider, struct prn_error *error)
{
	size_t wanted = prn_policy_summary(decider->policy);

	/* A policy without slots asks for all, and is shown none. */
	decider->summary_limit = wanted < PRN_PAGE_HASHES ? wanted : 1;
	if (wanted == PRN_PAGE_HASHES)
		decider->summary_limit = PRN_PAGE_HASHES;
	if (prn_entry_init(&decider->entry, decider->policy, decider->summary_limit) ||
	    prn_entry_init(&decider->other, decider->policy, decider->summary_limit) ||
	    prn_suspect_init(&decider->suspect, decider->summary_limit))
		return out_of_memory(error);
	return 0;
}

static int open_inside(struct prn_decider *decider, struct prn_error *error)
{
	struct prn_view *view;
	int code = prn_view_open(&view, decider->store, error);

	if (code)
		return code;
	code = read_settings(decider, &(struct prn_shelf){ .view = view }, error);
	prn_view_close(view);
	if (code) {
		if (error)
			error->code = code;
		prn_error_prefix(error, "%s", prn_store_path(decider->store));
	}
	return code ? code : open_entries(decider, error);
}

int prn_decider_open(struct prn_decider **out, const char *path, enum prn_store_mode mode,
                     const struct prn_decider_options *options, struct prn_error *error)
{
	struct prn_decider *decider = calloc(1, sizeof *decider);
	int code;

	if (!decider)
		return out_of_memory(error);
	prn_decider_options_init(&decider->options);
	if (options)
		decider->options = *options;
	code = check_options(&decider->options, error);
	if (!code)
		code = prn_store_open(&decider->store, path, mode, decider->options.lock_wait_s, error);
	if (!code)
		code = open_inside(decider, error);
	if (!code && mode == PRN_STORE_WRITE)
		code = prn_batch_open(&decider->batch, decider->store, error);
	if (code) {
		prn_decider_free(decider);
		return code;
	}
	*out = decider;
	return 0;
}

void prn_decider_free(struct prn_decider *decider)
{
	if (!decider)
		return;
	prn_entry_release(&decider->entry);
	prn_entry_release(&decider->other);
	prn_suspect_release(&decider->suspect);
	prn_batch_free(decider->batch);
	prn_store_free(decider->store);
	prn_policy_free(decider->policy);
	free(decider->specification);
	free(decider);
}

struct prn_store *prn_decider_store(const struct prn_decider *decider)
{
	return decider->store;
}

const struct prn_policy *prn_decider_policy(const struct prn_decider *decider)
{
	return decider->policy;
}

const char *prn_decider_specification(const struct prn_decider *decider)
{
	return decider->specification;
}

double prn_decider_threshold(const struct prn_decider *decider)
{
	return decider->dial.threshold;
}

double prn_decider_budget(const struct prn_decider *decider)
{
	return decider->budget_per_day;
}

size_t prn_decider_summary(const struct prn_decider *decider)
{
	return decider->summary_limit;
}

unsigned prn_decider_shingle_words(const struct prn_decider *decider)
{
	return decider->shingle_words;
}

int prn_decider_check_writer(const struct prn_decider *decider, struct prn_error *error)
{
	return decider->batch ? 0 : prn_error_set(error, PRN_E_RANGE, "%s: opened for reading", prn_store_path(decider->store));
}

struct prn_shelf prn_decider_shelf(const struct prn_decider *decider)
{
	return (struct prn_shelf){ .batch = decider->batch };
}

size_t prn_decider_staged(const struct prn_decider *decider)
{
	return decider->batch ? prn_batch_changes(decider->batch) : 0;
}

int prn_decider_commit(struct prn_decider *decider, struct prn_error *error)
{
	int code = prn_decider_check_writer(decider, error);

	return code ? code : prn_batch_commit(decider->batch, error);
}

void prn_decider_abandon(struct prn_decider *decider)
{
	if (decider->batch)
		prn_batch_abandon(decider->batch);
}

int prn_decider_set_options(struct prn_decider *decider, const struct prn_decider_options *options,
                            struct prn_error *error)
{
	int code = check_options(options, error);

	if (!code)
		decider->options = *options;
	return code;
}
