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

static int export_pages(const struct cli_rules *rules, struct prn_error *error)
{
	struct prn_decider *decider = NULL;
	struct prn_buffer line = { 0 };
	int code = prn_decider_open(&decider, rules->state, PRN_STORE_READ, &rules->decider, error), unwritten;

	if (!code)
		code = prn_decider_each(decider, cli_rules_now(rules), print_page, &line, error);
	/* What came before a failure is printed too. */
	unwritten = term_stdout_flush(error);
	prn_buffer_release(&line);
	prn_decider_free(decider);
	return unwritten ? unwritten : code;
}

int cli_export(int argc, char **argv, struct prn_error *error)
{
	struct cli_rules rules;
	const struct term_option options[] = {
		CLI_RULES_STATE(&rules),
		CLI_RULES_NOW(&rules),
		CLI_RULES_CONFIG(&rules),
		{ TERM_OPTION_HEADING, "Rules, also keys of --config", 0, NULL, NULL, NULL },
		CLI_RULES_INTERVALS(&rules),
		CLI_RULES_HOSTS(&rules),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"export", "--state=DIR [OPTION]…",
		"Prints every page of the store as JSON, one a line, with what 'perennial explain' tells of it.  The\n"
		"store may be in use: each few hundred pages are printed as they are at one moment.",
		options,
	};
	int code = cli_rules_parse(&rules, &usage, argc, argv, NULL, error);

	if (!code)
		code = export_pages(&rules, error);
	cli_rules_release(&rules);
	return code;
}
