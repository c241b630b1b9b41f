/* Checks a policy that a program brings before it is registered. */
#include "policy/policy_internal.h"

#include "perennial/estimator.h"

#include <string.h>

#define NAME_LENGTH 31

#if UINTPTR_MAX == UINT64_MAX
/*
 * A policy that was built against other sizes must be refused: a change of these sizes must raise
 * PRN_POLICY_KIND_VERSION.
 */
_Static_assert(PRN_POLICY_KIND_VERSION >> 16 == 5 && sizeof(struct prn_policy_kind) == 168 &&
                       sizeof(struct prn_policy_info) == 48 && sizeof(struct prn_policy_key) == 88 &&
                       sizeof(struct prn_visit) == 136 && sizeof(struct prn_decision) == 24 &&
                       sizeof(struct prn_packing) == 48 && sizeof(struct prn_bounds) == 24,
               "structs that a policy shares with the library change with PRN_POLICY_KIND_VERSION");
#endif

static bool is_name(const char *name)
{
	size_t length = name ? strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") : 0;

	return length && length <= NAME_LENGTH && !name[length];
}

/* Returns how many bytes of the parameters a key writes. */
static size_t size_of(const struct prn_policy_key *key)
{
	switch (key->type) {
	case PRN_KEY_TYPE_NUMBER:
		return sizeof(double);
	case PRN_KEY_TYPE_COUNT:
		return sizeof(size_t);
	case PRN_KEY_TYPE_FLAG:
		return sizeof(bool);
	case PRN_KEY_TYPE_LEARNING:
	case PRN_KEY_TYPE_HINTS:
		return sizeof(struct prn_bounds);
	case PRN_KEY_TYPE_ESTIMATOR:
		return sizeof(struct prn_estimator);
	case PRN_KEY_TYPE_OWN:
	case PRN_KEY_TYPE_SUMMARY:
	case PRN_KEY_TYPE_SKIP_STATIC:
		break;
	}
	return 0;
}

static int check_keys(const struct prn_policy_kind *kind, struct prn_error *error)
{
	const char *name = kind->info.name;

	for (const struct prn_policy_key *key = kind->info.keys; key->name; key++) {
		if (!is_name(key->name))
			return prn_error_set(error, PRN_E_ARGUMENT,
			                     "policy '%s': the key '%.80s' is not of small letters, digits and '-'", name,
			                     key->name);
		if (!key->fallback || !key->help)
			return prn_error_set(error, PRN_E_ARGUMENT, "policy '%s': the key '%s' has no fallback or no help",
			                     name, key->name);
		if (key->type == PRN_KEY_TYPE_OWN && (!key->read || !key->fits))
			return prn_error_set(error, PRN_E_ARGUMENT,
			                     "policy '%s': the key '%s' does not say how it is read or what fits", name,
			                     key->name);
		if (key->offset > kind->parameters_size || size_of(key) > kind->parameters_size - key->offset)
			return prn_error_set(error, PRN_E_ARGUMENT,
			                     "policy '%s': the value of the key '%s' lies outside its parameters", name,
			                     key->name);
	}
	return 0;
}

/* Tells whether the name already stands for an offline policy. */
static bool is_taken(const char *name)
{
	const struct prn_policy_info *offline;

	for (size_t i = 0; (offline = prn_yardstick_info(i)); i++)
		if (!strcmp(offline->name, name))
			return true;
	return false;
}

/* Checks all that can be checked without a page; opening the policy checks that its keys accept their fallbacks. */
static int check(const struct prn_policy_kind *kind, struct prn_error *error)
{
	struct prn_policy *policy;
	int code;

	if (kind->version != PRN_POLICY_KIND_VERSION)
		return prn_error_set(error, PRN_E_VERSION,
		                     "a policy was built against other headers (version %u.%u) than this library (%u.%u): "
		                     "build it anew",
		                     kind->version >> 16, kind->version & 0xffff, PRN_POLICY_KIND_VERSION >> 16,
		                     PRN_POLICY_KIND_VERSION & 0xffff);
	if (!is_name(kind->info.name))
		return prn_error_set(error, PRN_E_ARGUMENT,
		                     "a policy's name is 1 to %d small letters, digits and '-', not '%.80s'", NAME_LENGTH,
		                     kind->info.name ? kind->info.name : "");
	if (is_taken(kind->info.name))
		return prn_error_set(error, PRN_E_ARGUMENT, "there is an offline policy '%s' already", kind->info.name);
	if (!kind->info.title || !kind->info.source || !kind->info.keys || (unsigned)kind->info.dial >= PRN_DIALS)
		return prn_error_set(error, PRN_E_ARGUMENT, "policy '%s' wants a title, a source, keys and a dial",
		                     kind->info.name);
	if (!kind->visit || !kind->decide || ((kind->state_size || kind->sizes) && !kind->pack))
		return prn_error_set(error, PRN_E_ARGUMENT,
		                     "policy '%s' wants the functions visit and decide, and pack where it has a state",
		                     kind->info.name);
	if (kind->parameters_size > PRN_POLICY_STATE_BYTES)
		return prn_error_set(error, PRN_E_ARGUMENT, "policy '%s' wants %zu bytes of parameters, and it may have %d",
		                     kind->info.name, kind->parameters_size, PRN_POLICY_STATE_BYTES);
	code = check_keys(kind, error);
	if (code)
		return code;
	code = prn_policy_make(&policy, kind, NULL, NULL, error);
	if (code)
		prn_error_prefix(error, "policy '%s' with its keys' fallbacks", kind->info.name);
	else
		prn_policy_free(policy);
	return code;
}

int prn_policy_register(const struct prn_policy_kind *kind, struct prn_error *error)
{
	int code = check(kind, error);

	return code ? code : prn_policy_kinds_add(kind, error);
}
