/* The settings that a store of pages is made with and keeps: the policy, its threshold, and how fragments are made. */
#include "base/number.h"
#include "decide/giants.h"
#include "decide/settings_place.h"
#include "decide/site_drift.h"

#include "perennial/extractor.h"
#include "store/schema.h"
#include "store/shards.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THRESHOLD 0.25

#define NUMBER_TEXT 40
#define POLICY_TEXT 1024

/*
 * The range of thresholds that can be set, so that they are read as they were written, and arithmetic with them stays finite.  An
 * older program may have written smaller ones.
 */
#define LEAST_THRESHOLD 1e-300
#define MOST_THRESHOLD 1e300

/* The keys of settings. */
#define KEY_POLICY "policy"
#define KEY_THRESHOLD "threshold"
#define KEY_BUDGET "budget-per-day"
#define KEY_RULE "fragment-rule"
#define KEY_WORDS "shingle-words"
#define KEY_STATES "policy-states"
#define KEY_COST "cost-304" /* if it is missing, "not modified" costs as much as a fetch */

/* It follows the number of a budget in bytes, so that programs that know no such budget report that they cannot read it. */
#define BYTES_UNIT " bytes"

int prn_decider_open_policy(struct prn_policy **out, const char *specification, struct prn_error *error)
{
	struct prn_policy *policy;
	int code;

	if (strlen(specification) >= POLICY_TEXT)
		return prn_error_set(error, PRN_E_ARGUMENT, "%.40s…: a store keeps a policy's specification of %d bytes at most", specification,
		                     POLICY_TEXT - 1);
	code = prn_policy_open(&policy, specification, PRN_STORE_POLICY_DEFAULTS, error);
	if (code)
		return code;
	if (prn_policy_slots(policy) && prn_policy_summary(policy) > PRN_PAGE_HASHES) {
		prn_policy_free(policy);
		return prn_error_set(error, PRN_E_ARGUMENT,
		                     "%s: a store keeps at most %d hashes of a version: set its key summary",
		                     specification, PRN_PAGE_HASHES);
	}
	*out = policy;
	return 0;
}

int prn_decider_check_threshold(double threshold, struct prn_error *error)
{
	if (threshold <= 0 && threshold >= 0)
		return 0;
	return threshold >= LEAST_THRESHOLD && threshold <= MOST_THRESHOLD
	               ? 0
	               : prn_error_set(error, PRN_E_ARGUMENT, "the threshold must be 0, or a number from %g to %g", LEAST_THRESHOLD, MOST_THRESHOLD);
}

int prn_decider_check_budget(const struct prn_budget *budget, struct prn_error *error)
{
	if ((unsigned)budget->unit >= PRN_UNITS)
		return prn_error_set(error, PRN_E_ARGUMENT, "a budget is in visits or in bytes");
	return budget->per_day >= PRN_BUDGET_LEAST && isfinite(budget->per_day)
	               ? 0
	               : prn_error_set(error, PRN_E_ARGUMENT, "the budget must be a finite number of %s a day, one in 10000 years or more",
	                               prn_unit_name(budget->unit));
}

/* Checks settings, and writes the version of the states that their policy packs. */
static int check_settings(const struct prn_decider_settings *settings, const char *specification,
                          uint32_t *state_version, struct prn_error *error)
{
	struct prn_costs costs = { 0 };
	struct prn_policy *policy;
	int code;

	code = prn_decider_check_threshold(settings->threshold, error);
	if (code)
		return code;
	if (settings->budget_per_day < 0 || settings->budget_per_day > 0 || isnan(settings->budget_per_day)) {
		code = prn_decider_check_budget(&(struct prn_budget){ settings->budget_per_day, settings->unit }, error);
		if (code)
			return code;
	}
	if ((unsigned)settings->unit >= PRN_UNITS)
		return prn_error_set(error, PRN_E_ARGUMENT, "a budget is in visits or in bytes");
	if (settings->cost_304 && prn_costs_parse(&costs, settings->cost_304, error))
		return PRN_E_ARGUMENT;
	if (settings->shards > PRN_SHARDS_MOST || (settings->shards & (settings->shards - 1)))
		return prn_error_set(error, PRN_E_ARGUMENT, "shards are a power of two, %d at most, not %u", PRN_SHARDS_MOST,
		                     settings->shards);
	if (settings->shingle_words > PRN_SHINGLE_WORDS_MAX)
		return prn_error_set(error, PRN_E_ARGUMENT, "shingles have at most %d words", PRN_SHINGLE_WORDS_MAX);
	code = prn_decider_open_policy(&policy, specification, error);
	if (code)
		return code;
	*state_version = prn_policy_about(policy)->state_version;
	prn_policy_free(policy);
	return 0;
}

static void write_budget(char text[NUMBER_TEXT], double per_day, enum prn_unit unit)
{
	prn_number_print(text, NUMBER_TEXT, "%.17g%s", per_day, unit == PRN_UNIT_BYTES ? BYTES_UNIT : "");
}

int prn_decider_create(const char *path, const struct prn_decider_settings *settings, struct prn_error *error)
{
	static const struct prn_decider_settings usual = { 0 };
	const char *specification = settings && settings->policy ? settings->policy : PRN_POLICY_DEFAULT;
	char threshold[NUMBER_TEXT], budget[NUMBER_TEXT], words[NUMBER_TEXT], shards[NUMBER_TEXT], rule[NUMBER_TEXT], states[NUMBER_TEXT];
	char id[PRN_SHARDS_ID_TEXT], *giants = NULL;
	struct prn_store_setting list[11] = {
		{ KEY_POLICY, specification }, { KEY_THRESHOLD, threshold }, { KEY_BUDGET, budget },
		{ KEY_WORDS, words },          { KEY_RULE, rule },           { PRN_SIBLINGS_NAME, PRN_SIBLINGS_COUNTED },
	};
	size_t count = 6;
	uint32_t state_version = 0;
	int code;

	if (!settings)
		settings = &usual;
	code = check_settings(settings, specification, &state_version, error);
	if (code)
		return code;
	prn_number_print(threshold, sizeof threshold, "%.17g", settings->threshold > 0 ? settings->threshold : THRESHOLD);
	write_budget(budget, settings->budget_per_day, settings->unit);
	snprintf(words, sizeof words, "%u", settings->shingle_words ? settings->shingle_words : PRN_SHINGLE_WORDS);
	snprintf(rule, sizeof rule, "%d", PRN_FRAGMENT_RULE);
	snprintf(states, sizeof states, "%" PRIu32, state_version);
	/* A store without this setting has version 0. */
	if (state_version)
		list[count++] = (struct prn_store_setting){ KEY_STATES, states };
	if (settings->cost_304 && settings->cost_304[0])
		list[count++] = (struct prn_store_setting){ KEY_COST, settings->cost_304 };
	snprintf(shards, sizeof shards, "%u", settings->shards);
	if (settings->giant_count)
		code = prn_giants_write(settings->giants, settings->giant_count, settings->shards, &giants, error);
	if (code)
		return code;
	if (settings->shards <= 1)
		return prn_store_create(path, list, count, error);
	list[count++] = (struct prn_store_setting){ PRN_SHARDS_NAME, shards };
	list[count++] = (struct prn_store_setting){ PRN_SHARDS_ID, id };
	if (giants)
		list[count++] = (struct prn_store_setting){ PRN_GIANTS_NAME, giants };
	code = prn_shards_check_free(path, settings->shards, error);
	if (!code)
		code = prn_shards_make_id(id, error);
	if (!code)
		code = prn_store_create(path, list, count, error);
	free(giants);
	return code;
}

/* Copies a setting to text.  PRN_E_NOT_FOUND: it is missing, and text is ""; PRN_E_DAMAGED: it is too long */
static int read_optional(const struct prn_store_reader *reader, const char *key, char *text, size_t size, struct prn_error *error)
{
	const void *bytes = NULL;
	size_t count = 0;
	int code = prn_store_reader_side(reader, PRN_SIDE_META, key, strlen(key), &bytes, &count, error);

	if (!code && count >= size)
		code = prn_error_set(error, PRN_E_DAMAGED, "the store's setting '%s' is too long", key);
	if (code)
		count = 0;
	if (count)
		memcpy(text, bytes, count);
	text[count] = 0;
	return code;
}

/* Copies a setting that each store has: PRN_E_DAMAGED also if it is missing. */
static int read_setting(const struct prn_store_reader *reader, const char *key, char *text, size_t size,
                        struct prn_error *error)
{
	int code = read_optional(reader, key, text, size, error);

	return code == PRN_E_NOT_FOUND ? prn_error_set(error, PRN_E_DAMAGED, "the store has no setting '%s'", key) : code;
}

/*
 * A value that an older program wrote may lie below what can be set, down to numbers that strtod reports as out of range.
 * Such a store is still read, because otherwise nothing could correct it.
 */
static bool read_finite(const char *text, double *number)
{
	char *end;
	double value = prn_number_scan(text, &end);

	if (!*text || *end || !isfinite(value))
		return false;
	*number = value;
	return true;
}

static int read_number(const struct prn_store_reader *reader, const char *key, double *number, struct prn_error *error)
{
	char text[NUMBER_TEXT];
	int code = read_setting(reader, key, text, sizeof text, error);

	if (!code && !read_finite(text, number))
		code = prn_error_set(error, PRN_E_DAMAGED, "the store's setting '%s' is '%s'", key, text);
	return code;
}

int prn_decider_read_threshold(const struct prn_store_reader *reader, double *threshold, struct prn_error *error)
{
	int code = read_number(reader, KEY_THRESHOLD, threshold, error);

	if (!code && !(*threshold > 0))
		return prn_error_set(error, PRN_E_DAMAGED, "the store's threshold is damaged: it is not above 0");
	if (!code)
		*threshold = fmin(fmax(*threshold, LEAST_THRESHOLD), MOST_THRESHOLD);
	return code;
}

/* Reads the price of "not modified". */
static int read_costs(const struct prn_store_reader *reader, struct prn_costs *costs, struct prn_error *error)
{
	char text[PRN_COST_304_BYTES + 1];
	int code = read_optional(reader, KEY_COST, text, sizeof text, error);

	if (code == PRN_E_NOT_FOUND)
		return 0;
	if (!code && prn_costs_parse(costs, text, NULL))
		code = prn_error_set(error, PRN_E_DAMAGED, "the store's setting '%s' is '%.200s'", KEY_COST, text);
	return code;
}

int prn_decider_read_budget(const struct prn_store_reader *reader, double *budget_per_day, struct prn_costs *costs,
                            struct prn_error *error)
{
	char text[NUMBER_TEXT];
	size_t length;
	int code = read_setting(reader, KEY_BUDGET, text, sizeof text, error);

	prn_costs_init(costs);
	if (code)
		return code;
	length = strcspn(text, " ");
	if (!strcmp(text + length, BYTES_UNIT)) {
		costs->unit = PRN_UNIT_BYTES;
		text[length] = 0;
	}
	if (!read_finite(text, budget_per_day))
		return prn_error_set(error, PRN_E_DAMAGED, "the store's setting '%s' is '%s'", KEY_BUDGET, text);
	if (*budget_per_day > 0)
		*budget_per_day = fmax(*budget_per_day, PRN_BUDGET_LEAST);
	return read_costs(reader, costs, error);
}

int prn_decider_put_threshold(struct prn_decider *decider, double threshold, struct prn_error *error)
{
	char text[NUMBER_TEXT];

	prn_number_print(text, sizeof text, "%.17g", fmin(fmax(threshold, LEAST_THRESHOLD), MOST_THRESHOLD));
	return prn_settings_put_text(decider, KEY_THRESHOLD, text, error);
}

int prn_decider_put_budget(struct prn_decider *decider, const struct prn_budget *budget, const char *cost_304,
                           struct prn_error *error)
{
	char text[NUMBER_TEXT];
	int code;

	write_budget(text, budget->per_day, budget->unit);
	code = prn_settings_put_text(decider, KEY_BUDGET, text, error);
	return code || !cost_304 ? code : prn_settings_put_text(decider, KEY_COST, cost_304, error);
}

int prn_decider_put_policy(struct prn_decider *decider, const char *specification, unsigned shingle_words, struct prn_error *error)
{
	char words[NUMBER_TEXT], states[NUMBER_TEXT];
	struct prn_policy *policy;
	int code = prn_decider_open_policy(&policy, specification, error);

	if (code)
		return code;
	snprintf(words, sizeof words, "%u", shingle_words);
	snprintf(states, sizeof states, "%" PRIu32, prn_policy_about(policy)->state_version);
	prn_policy_free(policy);
	code = prn_settings_put_text(decider, KEY_POLICY, specification, error);
	if (!code)
		code = prn_settings_put_text(decider, KEY_STATES, states, error);
	return code ? code : prn_settings_put_text(decider, KEY_WORDS, words, error);
}

int prn_decider_put_rule(struct prn_decider *decider, struct prn_error *error)
{
	char text[NUMBER_TEXT];

	snprintf(text, sizeof text, "%d", PRN_FRAGMENT_RULE);
	return prn_settings_put_text(decider, KEY_RULE, text, error);
}

/* Opens the store's policy, if it is known here and packs states as the store's are packed. */
static int open_own_policy(struct prn_decider *decider, const struct prn_store_reader *reader, struct prn_error *error)
{
	const char *specification = decider->specification;
	size_t length = strcspn(specification, ":"), i = 0;
	const struct prn_policy_info *info;
	const void *bytes;
	double version = 0;
	size_t count;
	int code;

	while ((info = prn_policy_info(i)) && (strlen(info->name) != length || strncmp(info->name, specification, length)))
		i++;
	if (!info)
		return prn_error_set(error, PRN_E_VERSION,
		                     "the store's policy '%.*s' is not known here: load what defines it, by --plugin=FILE "
		                     "or prn_policy_register",
		                     (int)length, specification);
	code = prn_store_reader_side(reader, PRN_SIDE_META, KEY_STATES, strlen(KEY_STATES), &bytes, &count, NULL);
	code = code == PRN_E_NOT_FOUND ? 0 : read_number(reader, KEY_STATES, &version, error);
	if (code)
		return code;
	if (version < info->state_version || version > info->state_version)
		return prn_error_set(error, PRN_E_VERSION,
		                     "the store's states are of version %.0f of the policy '%s', and here it has version %" PRIu32,
		                     version, info->name, info->state_version);
	code = prn_decider_open_policy(&decider->policy, specification, error);
	if (code)
		prn_error_prefix(error, "the store's policy");
	return code == PRN_E_NOT_FOUND || code == PRN_E_ARGUMENT ? PRN_E_VERSION : code;
}

int prn_decider_read_settings(struct prn_decider *decider, const struct prn_store_reader *reader, struct prn_error *error)
{
	char specification[POLICY_TEXT], shard[NUMBER_TEXT];
	double words = 0, rule = 0;
	int code = read_setting(reader, KEY_POLICY, specification, sizeof specification, error);

	if (code == PRN_E_DAMAGED && !read_setting(reader, PRN_SHARD_NAME, shard, sizeof shard, NULL))
		return prn_error_set(error, PRN_E_ARGUMENT, "this is shard %s of a store: name the store, without the number at its end",
		                     shard);
	if (!code)
		code = prn_decider_read_threshold(reader, &decider->threshold, error);
	if (!code)
		code = prn_decider_read_budget(reader, &decider->budget_per_day, &decider->costs, error);
	if (!code)
		code = read_number(reader, KEY_WORDS, &words, error);
	if (!code)
		code = read_number(reader, KEY_RULE, &rule, error);
	if (!code)
		code = prn_settings_read_changes(&decider->changes, &decider->is_changing, reader, error);
	if (code)
		return code;
	if (!(rule >= 1 && rule <= PRN_FRAGMENT_RULE))
		return prn_error_set(error, PRN_E_VERSION,
		                     "the store's fragments are made by rule %g, and this program knows rules up to %d", rule,
		                     PRN_FRAGMENT_RULE);
	if (!(words >= 1 && words <= PRN_SHINGLE_WORDS_MAX))
		return prn_error_set(error, PRN_E_DAMAGED, "the store's shingles have %g words", words);
	decider->shingle_words = (unsigned)words;
	decider->fragment_rule = (unsigned)rule;
	decider->specification = strdup(specification);
	if (!decider->specification)
		return prn_error_memory(error);
	return open_own_policy(decider, reader, error);
}
