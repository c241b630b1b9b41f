#include "cli/command.h"
#include "cli/options.h"
#include "cli/table.h"

#include "perennial/evaluate.h"
#include "perennial/policy.h"

#include <stdio.h>
#include <string.h>

#define SPECIFICATION_BYTES 512

/* The online policies, then the offline yardsticks; NULL past the end. */
static const struct prn_policy_info *policy_at(size_t i, bool *online)
{
	size_t count = 0;

	while (prn_policy_info(count))
		count++;
	*online = i < count;
	return *online ? prn_policy_info(i) : prn_yardstick_info(i - count);
}

/* "drift:alpha=0.03:…": how the policy is written with every key at its default. */
static void write_specification(const struct prn_policy_info *info, char out[SPECIFICATION_BYTES])
{
	size_t used = (size_t)snprintf(out, SPECIFICATION_BYTES, "%s", info->name);

	for (const struct prn_policy_key *key = info->keys; key->name && used < SPECIFICATION_BYTES; key++)
		used += (size_t)snprintf(out + used, SPECIFICATION_BYTES - used, ":%s=%s", key->name, key->fallback);
}

static int print_policies(enum cli_format format)
{
	static const struct cli_column columns[] = {
		{ "policy", CLI_COLUMN_TEXT, 0 }, { "kind", CLI_COLUMN_TEXT, 0 },   { "dial", CLI_COLUMN_TEXT, 0 },
		{ "source", CLI_COLUMN_TEXT, 0 }, { "about", CLI_COLUMN_TEXT, 0 }, { "with defaults", CLI_COLUMN_TEXT, 0 },
		{ NULL, CLI_COLUMN_TEXT, 0 },
	};
	struct cli_table *table = cli_table_open(format, columns);
	const struct prn_policy_info *info;
	bool online;

	for (size_t i = 0; (info = policy_at(i, &online)); i++) {
		char specification[SPECIFICATION_BYTES];

		write_specification(info, specification);
		cli_table_text(table, info->name);
		cli_table_text(table, online ? "online" : "offline");
		cli_table_text(table, prn_dial_name(info->dial));
		cli_table_text(table, info->source);
		cli_table_text(table, info->title);
		cli_table_text(table, specification);
	}
	return cli_table_close(table, "'perennial policies NAME' tells what its keys mean");
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

static int print_keys(enum cli_format format, char **names)
{
	static const struct cli_column columns[] = {
		{ "policy", CLI_COLUMN_TEXT, 0 },
		{ "key", CLI_COLUMN_TEXT, 0 },
		{ "default", CLI_COLUMN_TEXT, 0 },
		{ "meaning", CLI_COLUMN_TEXT, 0 },
		{ NULL, CLI_COLUMN_TEXT, 0 },
	};
	struct cli_table *table = cli_table_open(format, columns);

	for (; *names; names++)
		for (const struct prn_policy_key *key = find(*names)->keys; key->name; key++) {
			cli_table_text(table, *names);
			cli_table_text(table, key->name);
			cli_table_text(table, key->fallback);
			cli_table_text(table, key->help);
		}
	return cli_table_close(table, "written NAME:key=value:key=value");
}

int cli_policies(int argc, char **argv)
{
	const char *format_name = NULL;
	const struct cli_option options[] = {
		{ CLI_OPTION_TEXT, "format", 0, &format_name, "FORMAT",
		  "table, tsv or json (default: table on a terminal, else tsv)" },
		{ CLI_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct cli_usage usage = {
		"policies", "[OPTION]… [NAME]…",
		"Lists every policy: its dial (the number that trades cost against staleness), where it is from, and how it\n"
		"is written with its keys at their defaults.  Given names, lists their keys.",
		options
	};
	enum cli_format format;
	int first, code = cli_options_parse(&usage, argc, argv, &first);

	if (code >= 0)
		return code;
	if (cli_format_parse(format_name, &format))
		return cli_usage_error(&usage, "--format takes table, tsv or json, not '%s'", format_name);
	for (int i = first; i < argc; i++)
		if (!find(argv[i]))
			return cli_usage_error(&usage, "no policy '%s': 'perennial policies' lists them", argv[i]);
	if (first == argc ? print_policies(format) : print_keys(format, argv + first)) {
		fprintf(stderr, "perennial policies: cannot write to standard output\n");
		return CLI_FAILED;
	}
	return CLI_DONE;
}
