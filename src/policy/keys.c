/* Reads the values of keys by their types. */
#include "policy/policy_internal.h"

#include "base/number.h"
#include "perennial/estimator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define VALUE_BYTES 160 /* with its NUL; no value is longer */
#define FITS_BYTES 120

static bool is_within(const struct prn_policy_key *key, double value)
{
	if (key->above ? !(value > key->least) : !(value >= key->least))
		return false;
	return key->most <= key->least || (key->below ? value < key->most : value <= key->most);
}

static bool read_number(const struct prn_policy_key *key, const char *text, double *number)
{
	double value = INFINITY;

	if (!(key->word && !strcmp(text, key->word)) && (!prn_number_read(text, &value) || !is_within(key, value)))
		return false;
	*number = value;
	return true;
}

/* The word stands for the largest count, PRN_SUMMARY_ALL. */
static bool read_count(const struct prn_policy_key *key, const char *text, size_t *count)
{
	double value;

	if (key->word && !strcmp(text, key->word)) {
		*count = PRN_SUMMARY_ALL;
		return true;
	}
	if (!prn_number_read(text, &value) || !is_within(key, value) || value != floor(value) || value < 0 ||
	    value > 0x1p53)
		return false;
	*count = (size_t)value;
	return true;
}

static bool read_flag(const char *text, bool *flag)
{
	bool yes = !strcmp(text, "yes");

	if (!yes && strcmp(text, "no"))
		return false;
	*flag = yes;
	return true;
}

/* Reads "0.3", "2T" or "none". */
static bool read_learning(const char *text, struct prn_bounds *bounds)
{
	char number[VALUE_BYTES];
	size_t length = strlen(text);
	bool tied = length > 0 && text[length - 1] == 'T';
	double value = INFINITY;

	snprintf(number, sizeof number, "%.*s", (int)(tied ? length - 1 : length), text);
	if (strcmp(text, "none") && (!prn_number_read(number, &value) || !(value > 0)))
		return false;
	bounds->learning = value;
	bounds->learning_tied = tied;
	return true;
}

static bool read_hints(const char *text, struct prn_bounds *bounds)
{
	bool heeded, read = read_flag(text, &heeded);

	if (read)
		bounds->deaf = !heeded;
	return read;
}

/* Returns the text that completes "takes …". */
static const char *describe(const struct prn_policy_key *key, char text[FITS_BYTES])
{
	bool whole = key->type == PRN_KEY_TYPE_COUNT || key->type == PRN_KEY_TYPE_SUMMARY;
	int used;

	if (key->fits)
		return key->fits;
	if (key->type == PRN_KEY_TYPE_LEARNING)
		return "a number above 0, a multiple of T such as '2T', or 'none'";
	if (key->type == PRN_KEY_TYPE_FLAG || key->type == PRN_KEY_TYPE_HINTS || key->type == PRN_KEY_TYPE_SKIP_STATIC)
		return "'yes' or 'no'";
	used = snprintf(text, FITS_BYTES, "a%s number %s %g", whole ? " whole" : "", key->above ? "above" : "from",
	                key->least);
	if (key->most > key->least)
		used += snprintf(text + used, FITS_BYTES - (size_t)used, "%s %g",
		                 key->below   ? " and below"
		                 : key->above ? ", at most"
		                              : " to",
		                 key->most);
	if (key->word)
		snprintf(text + used, FITS_BYTES - (size_t)used, ", or '%.20s'", key->word);
	return text;
}

/* To a policy, an estimator that does not exist is a value that does not fit. */
static int read_estimator(const struct prn_policy_key *key, const char *text, struct prn_estimator *estimator,
                          struct prn_error *error)
{
	if (strcmp(key->name, "estimator"))
		return prn_estimator_set(estimator, key->name, text, error);
	if (!prn_estimator_choose(estimator, text, error))
		return 0;
	if (error)
		error->code = PRN_E_ARGUMENT;
	return PRN_E_ARGUMENT;
}

static bool read_value(const struct prn_policy_key *key, const char *text, struct prn_policy *policy)
{
	void *to = (char *)policy->parameters + key->offset;

	switch (key->type) {
	case PRN_KEY_TYPE_NUMBER:
		return read_number(key, text, to);
	case PRN_KEY_TYPE_COUNT:
		return read_count(key, text, to);
	case PRN_KEY_TYPE_FLAG:
		return read_flag(text, to);
	case PRN_KEY_TYPE_LEARNING:
		return read_learning(text, to);
	case PRN_KEY_TYPE_HINTS:
		return read_hints(text, to);
	case PRN_KEY_TYPE_OWN:
		return key->read(text, to);
	case PRN_KEY_TYPE_SUMMARY:
		return read_count(key, text, &policy->summary);
	case PRN_KEY_TYPE_SKIP_STATIC:
		return read_flag(text, &policy->skips_static);
	case PRN_KEY_TYPE_ESTIMATOR:
		break;
	}
	return false;
}

int prn_policy_key_read(const struct prn_policy_key *key, const char *text, size_t length, struct prn_policy *policy,
                        struct prn_error *error)
{
	char value[VALUE_BYTES], fits[FITS_BYTES];
	bool whole = length < sizeof value; /* a longer text is cut, and then fits nothing */

	snprintf(value, sizeof value, "%.*s", (int)(whole ? length : sizeof value - 1), text);
	if (key->type == PRN_KEY_TYPE_ESTIMATOR)
		return read_estimator(key, whole ? value : "",
		                      (void *)((char *)policy->parameters + key->offset), error);
	if (whole && read_value(key, value, policy))
		return 0;
	return prn_error_set(error, PRN_E_ARGUMENT, "key '%s' takes %s, not '%s'", key->name, describe(key, fits), value);
}
