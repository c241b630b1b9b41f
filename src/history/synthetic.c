#include "history/synthetic.h"

#include "base/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SHOWN 200 /* characters of an invalid text that a message shows */

/* A specification while it is parsed. */
struct reading {
	const struct prn_synthetic_key *keys;
	size_t count;
	const char *what;
	double *values;
	uint32_t given; /* bits by key */
};

/* Writes the list of keys: "a, b and c". */
static int report_key(const struct reading *reading, const char *text, size_t length, struct prn_error *error)
{
	char names[SHOWN] = "";

	for (size_t i = 0; i < reading->count; i++) {
		size_t at = strlen(names);

		snprintf(names + at, sizeof names - at, "%s%s", !i ? "" : i + 1 < reading->count ? ", " : " and ",
		         reading->keys[i].name);
	}
	return prn_error_set(error, PRN_E_ARGUMENT, "synthetic %s take %s, each as key=value, not '%.*s'", reading->what, names,
	                     (int)(length < SHOWN ? length : SHOWN), text);
}

static bool takes(const struct prn_synthetic_key *key, double value)
{
	return value >= key->least && value <= key->most && !(key->whole && value != floor(value));
}

static int read_value(struct reading *reading, const char *text, size_t length, struct prn_error *error)
{
	size_t name = strcspn(text, "=:"), i = 0;
	const struct prn_synthetic_key *key;
	char number[64];
	double value;

	while (i < reading->count && (strlen(reading->keys[i].name) != name || strncmp(reading->keys[i].name, text, name)))
		i++;
	if (i == reading->count || name >= length)
		return report_key(reading, text, length, error);
	key = &reading->keys[i];
	if (reading->given >> i & 1)
		return prn_error_set(error, PRN_E_ARGUMENT, "synthetic %s: %s is given twice", reading->what, key->name);
	reading->given |= (uint32_t)1 << i;
	length -= name + 1;
	snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : sizeof number), text + name + 1);
	if (length >= sizeof number || !prn_number_read(number, &value) || !takes(key, value))
		return prn_error_set(error, PRN_E_ARGUMENT, "synthetic %s: %s takes %s, not '%s'", reading->what, key->name,
		                     key->takes, number);
	reading->values[i] = value;
	return 0;
}

int prn_synthetic_read(double *values, const struct prn_synthetic_key *keys, size_t count, const char *what,
                       const char *specification, struct prn_error *error)
{
	struct reading reading = { .keys = keys, .count = count, .what = what, .values = values };
	int code = 0;

	for (size_t i = 0; i < count; i++)
		values[i] = keys[i].fallback;
	for (const char *text = specification; *text && !code;) {
		size_t length = strcspn(text, ":");

		code = read_value(&reading, text, length, error);
		text += length + (text[length] == ':');
	}
	return code;
}
