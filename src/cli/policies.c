#include "cli/command.h"
#include "cli/plugins.h"
#include "term/options.h"
#include "term/table.h"

#include "perennial/contender.h"
#include "perennial/policy.h"

#include <stdio.h>
#include <string.h>

#define SPECIFICATION_BYTES 512

/* Returns the i-th of the online policies and then the offline yardsticks; NULL past the end. */
static const struct prn_policy_info *policy_at(size_t i, bool *online)
{
	size_t count = 0;

	while (prn_policy_info(count))
		count++;
	*online = i < count;
	return *online ? prn_policy_info(i) : prn_yardstick_info(i - count);
}

static int print_policies(enum term_format format, struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "policy", TERM_COLUMN_TEXT, 0 }, { "kind", TERM_COLUMN_TEXT, 0 },   { "dial", TERM_COLUMN_TEXT, 0 },
		{ "source", TERM_COLUMN_TEXT, 0 }, { "about", TERM_COLUMN_TEXT, 0 }, { "with defaults", TERM_COLUMN_TEXT, 0 },
		{ NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct term_table *table = term_table_open(format, columns);
	const struct prn_policy_info *info;
	bool online;

	for (size_t i = 0; (info = policy_at(i, &online)); i++) {
		/* "drift:alpha=0.03:…": how the policy is written with every key at its default. */
		char specification[SPECIFICATION_BYTES];
		size_t used = (size_t)snprintf(specification, sizeof specification, "%s", info->name);

		for (const struct prn_policy_key *key = info->keys; key->name && used < sizeof specification; key++)
			used += (size_t)snprintf(specification + used, sizeof specification - used, ":%s=%s", key->name,
			                         key->fallback);
		term_table_text(table, info->name);
		term_table_text(table, online ? "online" : "offline");
		term_table_text(table, prn_dial_name(info->dial));
		term_table_text(table, info->source);
		term_table_text(table, info->title);
		term_table_text(table, specification);
	}
	return term_table_close(table, "'perennial policies NAME' tells what its keys mean", error);
}

static const struct prn_policy_info *find(const char *name)
{
	const struct prn_policy_info *info;
	bool online;

	for (size_t i = 0; (info = policy_at(i, &online)); i++)
		if (!strcmp(info->name, name))
			return info;
	return NULL;
}

static int print_keys(enum term_format format, char *const *names, struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "policy", TERM_COLUMN_TEXT, 0 },
		{ "key", TERM_COLUMN_TEXT, 0 },
		{ "default", TERM_COLUMN_TEXT, 0 },
		{ "when_set", TERM_COLUMN_TEXT, 0 },
		{ "meaning", TERM_COLUMN_TEXT, 0 },
		{ NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct term_table *table = term_table_open(format, columns);

	for (; *names; names++)
		for (const struct prn_policy_key *key = find(*names)->keys; key->name; key++) {
			term_table_text(table, *names);
			term_table_text(table, key->name);
			term_table_text(table, key->fallback);
			term_table_text(table, key->kept ? "keeps" : "anew");
			term_table_text(table, key->help);
		}
	return term_table_close(table, "written NAME:key=value:key=value; when_set: what 'perennial set' does with what a store's pages have learned", error);
}

static int print(const char *format_name, char *const *names, struct prn_error *error)
{
	enum term_format format;
	int code = term_format_parse(format_name, &format, error);

	if (code)
		return code;
	for (char *const *name = names; *name; name++)
		if (!find(*name))
			return term_usage_error(error, "no policy '%s': 'perennial policies' lists them", *name);
	return *names ? print_keys(format, names, error) : print_policies(format, error);
}

int cli_policies(int argc, char **argv, struct prn_error *error)
{
	const char *format_name = NULL;
	struct term_list plugins = { 0 };
	const struct term_option options[] = {
		{ TERM_OPTION_TEXT, "format", 0, &format_name, TERM_FORMATS, "default: table on a terminal, else tsv" },
		CLI_PLUGINS_ROW(&plugins),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"policies", "[OPTION]… [NAME]…",
		"Lists every policy: its dial (the number that trades cost against staleness), where it is from, and how it\n"
		"is written with its keys at their defaults.  Given names, lists their keys.",
		options
	};
	int first, code = term_options_parse(&usage, argc, argv, &first, error);

	if (!code)
		code = cli_plugins_load(&plugins, error);
	if (!code)
		code = print(format_name, argv + first, error);
	term_list_release(&plugins);
	return code;
}
