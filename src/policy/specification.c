#include "policy/specification.h"

#include "base/number.h"
#include "perennial/summary.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NAME_BYTES 32
#define VALUE_BYTES 160

static bool read_count(const char *text, size_t most, size_t *count)
{
	double number;

	if (!prn_number_read(text, &number) || number < 1 || number > (double)most || number != floor(number))
		return false;
	*count = (size_t)number;
	return true;
}

static bool read_positive(const char *text, double *number)
{
	double value;

	if (!prn_number_read(text, &value) || !(value > 0))
		return false;
	*number = value;
	return true;
}

/* The readers of keys: each knows one key's values and where they go. */
static bool read_history(const char *text, struct prn_parameters *to)
{
	return read_count(text, PRN_POLICY_SLOTS, &to->history);
}

static bool read_summary(const char *text, struct prn_parameters *to)
{
	if (strcmp(text, "all"))
		return read_count(text, UINT32_MAX, &to->summary);
	to->summary = PRN_SUMMARY_ALL;
	return true;
}

static bool read_learning(const char *text, struct prn_parameters *to)
{
	char number[VALUE_BYTES];
	size_t length = strlen(text);
	bool tied = length > 0 && text[length - 1] == 'T';

	if (!strcmp(text, "none")) {
		to->learning = INFINITY;
		to->learning_tied = false;
		return true;
	}
	snprintf(number, sizeof number, "%.*s", (int)(tied ? length - 1 : length), text);
	if (!read_positive(number, &to->learning))
		return false;
	to->learning_tied = tied;
	return true;
}

static bool read_risk(const char *text, struct prn_parameters *to)
{
	double risk;

	if (!strcmp(text, "none")) {
		to->risk = INFINITY;
		return true;
	}
	if (!prn_number_read(text, &risk) || risk < 1)
		return false;
	to->risk = risk;
	return true;
}

static bool read_alpha(const char *text, struct prn_parameters *to)
{
	return read_positive(text, &to->alpha);
}

static bool read_beta(const char *text, struct prn_parameters *to)
{
	return read_positive(text, &to->beta);
}

static bool read_kappa(const char *text, struct prn_parameters *to)
{
	return read_positive(text, &to->kappa);
}

static bool read_forgetting(const char *text, struct prn_parameters *to)
{
	double factor;

	if (!read_positive(text, &factor) || factor > 1)
		return false;
	to->forgetting = factor;
	return true;
}

static bool read_skip_static(const char *text, struct prn_parameters *to)
{
	bool yes = !strcmp(text, "yes");

	if (!yes && strcmp(text, "no"))
		return false;
	to->skips_static = yes;
	return true;
}

static bool read_seed(const char *text, struct prn_parameters *to)
{
	size_t seed;

	if (!read_count(text, (size_t)1 << 53, &seed))
		return false;
	to->seed = seed;
	return true;
}

static const struct key_reader {
	const char *name;
	bool (*read)(const char *text, struct prn_parameters *to);
	const char *fits; /* completes "takes …" */
} readers[] = {
	{ "history", read_history, "a whole number from 1 to 32" },
	{ "summary", read_summary, "a whole number from 1, or 'all'" },
	{ "learning", read_learning, "a number above 0, a multiple of T such as '2T', or 'none'" },
	{ "risk", read_risk, "a number from 1, or 'none'" },
	{ "alpha", read_alpha, "a number above 0" },
	{ "beta", read_beta, "a number above 0" },
	{ "kappa", read_kappa, "a number above 0" },
	{ "forgetting", read_forgetting, "a number above 0, at most 1" },
	{ "skip-static", read_skip_static, "'yes' or 'no'" },
	{ "seed", read_seed, "a whole number from 1" },
	{ NULL, NULL, NULL },
};

/* text[0 … length-1] is name. */
static bool is(const char *text, size_t length, const char *name)
{
	return strlen(name) == length && !strncmp(text, name, length);
}

static const struct prn_policy_kind *find_kind(const struct prn_policy_kind *const *kinds, size_t count,
                                               const char *name, size_t length)
{
	for (size_t i = 0; i < count; i++)
		if (is(name, length, kinds[i]->info.name))
			return kinds[i];
	return NULL;
}

static bool has_key(const struct prn_policy_kind *kind, const char *name, size_t length)
{
	for (const struct prn_policy_key *key = kind->info.keys; key->name; key++)
		if (is(name, length, key->name))
			return true;
	return false;
}

static const struct key_reader *find_reader(const char *name)
{
	for (const struct key_reader *reader = readers; reader->name; reader++)
		if (!strcmp(name, reader->name))
			return reader;
	return NULL;
}

/* Whether any policy may have this key: one of ours, or one of the change-rate estimators'. */
static bool is_key(const char *name, size_t length)
{
	if (is(name, length, "estimator"))
		return true;
	for (const struct key_reader *reader = readers; reader->name; reader++)
		if (is(name, length, reader->name))
			return true;
	for (size_t i = 0; prn_estimator_key(i); i++)
		if (is(name, length, prn_estimator_key(i)->name))
			return true;
	return false;
}

/* Appends to a list for an error text; what does not fit is left out. */
static void list(char *text, size_t size, const char *item)
{
	size_t used = strlen(text);

	snprintf(text + used, size - used, "%s%s", used ? ", " : "", item);
}

static int no_such_policy(const struct prn_policy_kind *const *kinds, size_t count, const char *name, size_t length,
                          struct prn_error *error)
{
	char names[PRN_ERROR_TEXT / 2] = "";

	for (size_t i = 0; i < count; i++)
		list(names, sizeof names, kinds[i]->info.name);
	return prn_error_set(error, PRN_E_NOT_FOUND, "no policy '%.*s': there is %s", (int)(length < 80 ? length : 80),
	                     name, names);
}

static int no_such_key(const struct prn_policy_kind *kind, const char *name, size_t length, struct prn_error *error)
{
	char names[PRN_ERROR_TEXT / 2] = "";

	for (const struct prn_policy_key *key = kind->info.keys; key->name; key++)
		list(names, sizeof names, key->name);
	return prn_error_set(error, PRN_E_NOT_FOUND, "policy '%s' has no key '%.*s': it has %s", kind->info.name,
	                     (int)(length < 80 ? length : 80), name, names);
}

/* For a policy an estimator that is not there is a value that does not fit. */
static int read_estimator(const char *name, struct prn_parameters *to, struct prn_error *error)
{
	if (!prn_estimator_choose(&to->estimator, name, error))
		return 0;
	if (error)
		error->code = PRN_E_RANGE;
	return PRN_E_RANGE;
}

/* name is a key by is_key; text that is longer than any value is cut, and then fits none. */
static int read_value(const char *name, size_t name_length, const char *text, size_t length,
                      struct prn_parameters *to, struct prn_error *error)
{
	char key[NAME_BYTES], value[VALUE_BYTES];
	const struct key_reader *reader;

	snprintf(key, sizeof key, "%.*s", (int)name_length, name);
	snprintf(value, sizeof value, "%.*s", (int)(length < sizeof value ? length : sizeof value), text);
	if (!strcmp(key, "estimator"))
		return read_estimator(value, to, error);
	reader = find_reader(key);
	if (!reader)
		return prn_estimator_set(&to->estimator, key, length < sizeof value ? value : "", error);
	if (length < sizeof value && reader->read(value, to))
		return 0;
	return prn_error_set(error, PRN_E_RANGE, "key '%s' takes %s, not '%s'", reader->name, reader->fits, value);
}

/*
 * "key=value:key=value"; a key alone is key=yes.  strict: a key that the policy lacks is an error, else it is
 * passed over, if any policy has it.
 */
static int read_keys(const char *text, bool strict, struct prn_policy *policy, struct prn_error *error)
{
	while (*text) {
		size_t length = strcspn(text, ":"), name = strcspn(text, "=:");
		bool has = has_key(policy->kind, text, name), bare = name == length;
		int code = 0;

		if (!has && (strict || !is_key(text, name)))
			code = no_such_key(policy->kind, text, name, error);
		else if (has && bare)
			code = read_value(text, name, "yes", 3, &policy->parameters, error);
		else if (has)
			code = read_value(text, name, text + name + 1, length - name - 1, &policy->parameters, error);
		if (code)
			return code;
		text += length;
		text += *text == ':';
	}
	return 0;
}

int prn_specification_read(const struct prn_policy_kind *const *kinds, size_t count, const char *specification,
                           const char *defaults, struct prn_policy *policy, struct prn_error *error)
{
	size_t length = strcspn(specification, ":");
	int code;

	policy->kind = find_kind(kinds, count, specification, length);
	if (!policy->kind)
		return no_such_policy(kinds, count, specification, length, error);
	policy->parameters = (struct prn_parameters){
		.learning = INFINITY, .risk = INFINITY, .summary = PRN_SUMMARY_ALL, .history = 1,
	};
	for (const struct prn_policy_key *key = policy->kind->info.keys; key->name; key++) {
		code = read_value(key->name, strlen(key->name), key->fallback, strlen(key->fallback),
		                  &policy->parameters, error);
		if (code)
			return code;
	}
	code = read_keys(defaults ? defaults : "", false, policy, error);
	if (code)
		return code;
	return read_keys(specification[length] ? specification + length + 1 : "", true, policy, error);
}
