#include "base/buffer.h"
#include "cli/command.h"
#include "cli/deciding.h"
#include "perennial/explanation.h"
#include "serve/json.h"

#include <stdio.h>

/* A line a page; one buffer serves them all. */
static int print_page(void *context, const struct prn_explanation *page)
{
	struct prn_buffer *line = context;

	prn_buffer_clear(line);
	if (serve_json_explanation(line, page))
		return PRN_E_MEMORY;
	fwrite(line->data, 1, line->length, stdout);
	return ferror(stdout) ? PRN_E_IO : 0;
}

static int run(const struct cli_rules *rules)
{
	struct prn_decider *decider = NULL;
	struct prn_buffer line = { 0 };
	struct prn_error error = { 0 };
	int code = prn_decider_open(&decider, rules->state, PRN_STORE_READ, &rules->decider, &error);

	if (!code)
		code = prn_decider_each(decider, cli_rules_now(rules), print_page, &line, &error);
	if (fflush(stdout) || ferror(stdout))
		code = prn_error_set(&error, PRN_E_IO, "cannot write to standard output");
	prn_buffer_release(&line);
	prn_decider_free(decider);
	return code ? term_fail("export", code, &error) : TERM_DONE;
}

int cli_export(int argc, char **argv)
{
	struct cli_rules rules;
	struct term_option keys[CLI_RULES_KEYS];
	const struct term_option options[] = {
		CLI_RULES_STATE(&rules),
		CLI_RULES_NOW(&rules),
		CLI_RULES_CONFIG(keys),
		{ TERM_OPTION_HEADING, "Rules, also keys of --config", 0, NULL, NULL, NULL },
		CLI_RULES_INTERVALS(&rules),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"export", "--state=DIR [OPTION]…",
		"Prints every page of the store as JSON, one a line, with what 'perennial explain' tells of it.  The\n"
		"store may be in use: it is printed as it was at one moment.",
		options,
	};
	int first, code;

	cli_rules_init(&rules);
	cli_rules_keys(&rules, keys);
	code = term_options_parse(&usage, argc, argv, &first);
	if (code < 0 && first < argc)
		code = term_usage_error(&usage, "'%s' is not wanted", argv[first]);
	if (code < 0)
		code = cli_rules_finish(&rules, &usage);
	if (code < 0)
		code = run(&rules);
	cli_rules_release(&rules);
	return code;
}
