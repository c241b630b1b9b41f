/* Reads policies as they are written, "name:key=value:key=value". */
#include "policy/policy_internal.h"

#include "base/text.h"
#include "perennial/version.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const struct prn_policy_key *find_key(const struct prn_policy_kind *kind, const char *name, size_t length)
{
	for (const struct prn_policy_key *key = kind->info.keys; key->name; key++)
		if (prn_text_equals(name, length, key->name))
			return key;
	return NULL;
}

/* Tells whether any policy has this key. */
static bool is_key(const char *name, size_t length)
{
	const struct prn_policy_kind *kind;

	for (size_t i = 0; (kind = prn_policy_kind_at(i)); i++)
		if (find_key(kind, name, length))
			return true;
	return false;
}

static int no_such_policy(const char *name, size_t length, struct prn_error *error)
{
	char names[PRN_ERROR_TEXT / 2] = "";
	const struct prn_policy_kind *kind;

	for (size_t i = 0; (kind = prn_policy_kind_at(i)); i++)
		prn_text_list(names, sizeof names, kind->info.name);
	return prn_error_set(error, PRN_E_NOT_FOUND, "no policy '%.*s': there is %s", (int)(length < 80 ? length : 80),
	                     name, names);
}

static int no_such_key(const struct prn_policy_kind *kind, const char *name, size_t length, struct prn_error *error)
{
	char names[PRN_ERROR_TEXT / 2] = "";

	for (const struct prn_policy_key *key = kind->info.keys; key->name; key++)
		prn_text_list(names, sizeof names, key->name);
	return prn_error_set(error, PRN_E_NOT_FOUND, "policy '%s' has no key '%.*s': it has %s", kind->info.name,
	                     (int)(length < 80 ? length : 80), name, *names ? names : "none");
}

/*
 * Reads "key=value:key=value"; a key alone means key=yes. strict: a key that the policy lacks is an error;
 * otherwise it is skipped if any policy has it.
 */
static int read_keys(const char *text, bool strict, struct prn_policy *policy, struct prn_error *error)
{
	while (*text) {
		size_t length = strcspn(text, ":"), name = strcspn(text, "=:");
		const struct prn_policy_key *key = find_key(policy->kind, text, name);
		int code = 0;

		if (!key && (strict || !is_key(text, name)))
			code = no_such_key(policy->kind, text, name, error);
		else if (key && name == length)
			code = prn_policy_key_read(key, "yes", 3, policy, error);
		else if (key)
			code = prn_policy_key_read(key, text + name + 1, length - name - 1, policy, error);
		if (code)
			return code;
		text += length;
		text += *text == ':';
	}
	return 0;
}

static int read_all_keys(struct prn_policy *policy, const char *defaults, const char *keys, struct prn_error *error)
{
	int code = 0;

	for (const struct prn_policy_key *key = policy->kind->info.keys; key->name && !code; key++)
		code = prn_policy_key_read(key, key->fallback, strlen(key->fallback), policy, error);
	if (!code && defaults)
		code = read_keys(defaults, false, policy, error);
	if (!code && keys)
		code = read_keys(keys, true, policy, error);
	return code;
}

/* Callers of a policy may rely on room for a whole number of doubles. */
static int measure(struct prn_policy *policy, struct prn_error *error)
{
	const struct prn_policy_kind *kind = policy->kind;
	size_t slots = kind->slots, state_size = kind->state_size;

	if (kind->sizes)
		kind->sizes(policy->parameters, &slots, &state_size);
	if (slots > PRN_POLICY_SLOTS)
		return prn_error_set(error, PRN_E_ARGUMENT, "policy '%s' wants %zu slots, and there are %d", kind->info.name,
		                     slots, PRN_POLICY_SLOTS);
	if (state_size > PRN_POLICY_STATE_BYTES)
		return prn_error_set(error, PRN_E_ARGUMENT, "policy '%s' wants a state of %zu bytes, and it may have %d",
		                     kind->info.name, state_size, PRN_POLICY_STATE_BYTES);
	policy->slots = slots;
	policy->state_size = state_size < 8 ? 8 : (state_size + 7) / 8 * 8;
	return 0;
}

/* Parameters were all zero before they were read, so their padding is equal too. */
static uint32_t fingerprint(const struct prn_policy *policy)
{
	static const char version[] = PRN_VERSION_TEXT;
	const struct prn_policy_kind *kind = policy->kind;
	uint64_t seed = XXH3_64bits_withSeed(kind->info.name, strlen(kind->info.name), XXH3_64bits(version, sizeof version));

	if (kind->release || !prn_policy_is_built_in(policy))
		return 0;
	return (uint32_t)XXH3_64bits_withSeed(policy->parameters, kind->parameters_size, seed) | 2;
}

/* A policy's parameters as they are read, before init. */
static int read_parameters(struct prn_policy **out, const struct prn_policy_kind *kind, const char *defaults, const char *keys,
                           struct prn_error *error)
{
	struct prn_policy *policy = calloc(1, sizeof *policy + kind->parameters_size);
	int code;

	if (!policy)
		return prn_error_memory(error);
	policy->kind = kind;
	policy->summary = PRN_SUMMARY_ALL;
	code = read_all_keys(policy, defaults, keys, error);
	if (code)
		free(policy);
	else
		*out = policy;
	return code;
}

/* What a program's own policy returns is not trusted: a positive number would be taken for success here and failure there. */
static int begin(struct prn_policy *policy, struct prn_error *error)
{
	const struct prn_policy_kind *kind = policy->kind;
	struct prn_error why = { 0 };
	int code = kind->init ? kind->init(policy->parameters, &why) : 0;

	if (code > 0)
		code = prn_error_set(&why, PRN_E_ARGUMENT, "init of the policy '%s' returned %d, which is neither 0 nor an error's code",
		                     kind->info.name, code);
	else if (code && !*why.text)
		prn_error_set(&why, code, "init of the policy '%s': %s", kind->info.name, prn_error_text(code));
	if (code && error)
		*error = why;
	return code;
}

int prn_policy_make(struct prn_policy **out, const struct prn_policy_kind *kind, const char *defaults, const char *keys,
                    struct prn_error *error)
{
	struct prn_policy *policy;
	int code = read_parameters(&policy, kind, defaults, keys, error);

	if (code)
		return code;
	code = begin(policy, error);
	if (code) {
		free(policy);
		return code;
	}
	code = measure(policy, error);
	if (code) {
		prn_policy_free(policy);
		return code;
	}
	policy->fingerprint = fingerprint(policy);
	*out = policy;
	return 0;
}

/* Returns the kind of a specification and sets *keys to its keys or NULL.  NULL: there is no such kind */
static const struct prn_policy_kind *find_kind(const char *specification, const char **keys, struct prn_error *error)
{
	size_t length = strcspn(specification, ":");
	const struct prn_policy_kind *kind;

	*keys = specification[length] ? specification + length + 1 : NULL;
	for (size_t i = 0; (kind = prn_policy_kind_at(i)); i++)
		if (prn_text_equals(specification, length, kind->info.name))
			return kind;
	no_such_policy(specification, length, error);
	return NULL;
}

int prn_policy_open(struct prn_policy **out, const char *specification, const char *defaults, struct prn_error *error)
{
	const char *keys;
	const struct prn_policy_kind *kind = find_kind(specification, &keys, error);

	return kind ? prn_policy_make(out, kind, defaults, keys, error) : PRN_E_NOT_FOUND;
}

/* Reads a policy's parameters, and resets those keys that do not change the meaning of its states. */
static int read_for_states(struct prn_policy **out, const struct prn_policy_kind *kind, const char *defaults, const char *keys,
                           struct prn_error *error)
{
	struct prn_policy *policy;
	int code = read_parameters(&policy, kind, defaults, keys, error);

	if (code)
		return code;
	for (const struct prn_policy_key *key = kind->info.keys; key->name && !code; key++)
		if (key->kept)
			code = prn_policy_key_read(key, key->fallback, strlen(key->fallback), policy, error);
	if (code)
		free(policy);
	else
		*out = policy;
	return code;
}

int prn_policy_same_states(const char *a, const char *b, const char *defaults, bool *same, struct prn_error *error)
{
	const char *keys[2];
	const struct prn_policy_kind *kinds[2] = { find_kind(a, &keys[0], error), NULL };
	struct prn_policy *policies[2] = { NULL, NULL };
	int code;

	if (!kinds[0] || !(kinds[1] = find_kind(b, &keys[1], error)))
		return PRN_E_NOT_FOUND;
	code = read_for_states(&policies[0], kinds[0], defaults, keys[0], error);
	if (!code)
		code = read_for_states(&policies[1], kinds[1], defaults, keys[1], error);
	if (!code)
		*same = kinds[0] == kinds[1] && policies[0]->summary == policies[1]->summary &&
		        !memcmp(policies[0]->parameters, policies[1]->parameters, kinds[0]->parameters_size);
	free(policies[0]);
	free(policies[1]);
	return code;
}
