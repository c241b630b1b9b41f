#include "policy/specification.h"

#include "perennial/summary.h"
#include "policy/keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAME_BYTES 32

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

/* Whether any policy may have this key: one of ours, or one of the change-rate estimators'. */
static bool is_key(const char *name, size_t length)
{
	if (is(name, length, "estimator"))
		return true;
	for (const struct prn_key_reader *reader = prn_key_readers; reader->name; reader++)
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
	char key[NAME_BYTES], value[PRN_KEY_VALUE_BYTES];
	const struct prn_key_reader *reader;

	snprintf(key, sizeof key, "%.*s", (int)name_length, name);
	snprintf(value, sizeof value, "%.*s", (int)(length < sizeof value ? length : sizeof value), text);
	if (!strcmp(key, "estimator"))
		return read_estimator(value, to, error);
	reader = prn_key_reader(key);
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
	if (policy->kind->estimator)
		prn_estimator_choose(&policy->parameters.estimator, policy->kind->estimator, NULL);
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
