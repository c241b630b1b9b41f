#include "simulate/specification.h"

#include "base/number.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define VALUE_BYTES 160 /* with its NUL; no value is longer */

static const struct prn_specified_key *find_setting(const struct prn_specified_key *settings, const char *name)
{
	while (settings->name && strcmp(settings->name, name))
		settings++;
	return settings->name ? settings : NULL;
}

static bool read_one(const struct prn_specified_key *setting, const char *text, double *number)
{
	double value;

	if (!prn_number_read(text, &value) || value > setting->most ||
	    (setting->above ? !(value > setting->least) : !(value >= setting->least)))
		return false;
	*number = value;
	return true;
}

/* Reads numbers that are separated by '/'. */
static bool read_list(const struct prn_specified_key *setting, char *text, double *numbers, size_t *count)
{
	size_t n = 0;

	for (char *next = text; next; n++) {
		char *one = next;

		next = strchr(one, '/');
		if (next)
			*next++ = 0;
		if (n == setting->most_count || !read_one(setting, one, &numbers[n]))
			return false;
	}
	*count = n;
	return true;
}

/* Reads one value, text[0 … length-1].  One that is too long fits nothing. */
static int read_value(const struct prn_specified_key *setting, const char *text, size_t length, void *base,
                      struct prn_error *error)
{
	double *number = (double *)(void *)((char *)base + setting->offset);
	size_t *count = (size_t *)(void *)((char *)base + setting->count_offset);
	char value[VALUE_BYTES];
	bool fits = length < sizeof value;

	snprintf(value, sizeof value, "%.*s", (int)(fits ? length : sizeof value - 1), text);
	if (fits && setting->most_count)
		fits = read_list(setting, value, number, count);
	else if (fits)
		fits = read_one(setting, value, number);
	if (fits)
		return 0;
	return prn_error_set(error, PRN_E_ARGUMENT, "key '%s' takes %s, not '%.*s'", setting->name, setting->fits,
	                     (int)(length < 80 ? length : 80), text);
}

/* Reads "key=value", of length bytes. */
static int read_key(const struct prn_specified *specified, const struct prn_simulation_info *info, const char *text,
                    size_t length, void *base, struct prn_error *error)
{
	size_t name = strcspn(text, "=:");
	char names[PRN_ERROR_TEXT / 2] = "";

	for (const struct prn_simulation_key *key = info->keys; key->name; key++) {
		if (prn_text_equals(text, name, key->name))
			return read_value(find_setting(specified->settings, key->name), text + name + (name < length),
			                  length - name - (name < length), base, error);
		prn_text_list(names, sizeof names, key->name);
	}
	return prn_error_set(error, PRN_E_NOT_FOUND, "%s '%s' has no key '%.*s': it has %s", specified->noun, info->name,
	                     (int)(name < 80 ? name : 80), text, *names ? names : "none");
}

/* Sets every key to its fallback, so that no member is left unset. */
static int read_fallbacks(const struct prn_specified *specified, void *base, struct prn_error *error)
{
	int code = 0;

	for (size_t i = 0; specified->infos[i]; i++)
		for (const struct prn_simulation_key *key = specified->infos[i]->keys; key->name && !code; key++)
			code = read_value(find_setting(specified->settings, key->name), key->fallback, strlen(key->fallback),
			                  base, error);
	return code;
}

int prn_specification_read(const struct prn_specified *specified, const char *specification, void *base, size_t *chosen,
                           struct prn_error *error)
{
	size_t length = strcspn(specification, ":"), i = 0;
	char names[PRN_ERROR_TEXT / 2] = "";
	int code;

	for (; specified->infos[i] && !prn_text_equals(specification, length, specified->infos[i]->name); i++)
		prn_text_list(names, sizeof names, specified->infos[i]->name);
	if (!specified->infos[i])
		return prn_error_set(error, PRN_E_NOT_FOUND, "no %s '%.*s': there is %s", specified->noun,
		                     (int)(length < 80 ? length : 80), specification, names);
	code = read_fallbacks(specified, base, error);
	for (const char *at = specification + length; !code && *at; at += length) {
		length = strcspn(++at, ":");
		code = read_key(specified, specified->infos[i], at, length, base, error);
	}
	if (!code)
		*chosen = i;
	return code;
}
