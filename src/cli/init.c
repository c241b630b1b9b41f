#include "cli/budget.h"
#include "cli/command.h"
#include "cli/plugins.h"
#include "term/options.h"

#include "perennial/decider.h"
#include "perennial/extractor.h"

#include <stdio.h>

/* What is wrong with the settings is found by whoever makes the store: the command line is wrong then. */
static int make(const struct term_usage *usage, const char *state, const struct prn_decider_settings *settings)
{
	struct prn_error error = { 0 };
	int code = prn_decider_create(state, settings, &error);

	switch (code) {
	case 0:
		return TERM_DONE;
	case PRN_E_IO:
	case PRN_E_MEMORY:
		return term_fail("init", code, &error);
	default:
		return term_usage_error(usage, "%s", error.text);
	}
}

int cli_init(int argc, char **argv)
{
	struct prn_decider_settings settings = { 0 };
	struct term_own budget = { cli_budget_take, &settings.budget_per_day, CLI_BUDGET_TAKES };
	uint64_t words = 0;
	struct term_list plugins = { 0 };
	const char *state = NULL;
	const struct term_option options[] = {
		{ TERM_OPTION_TEXT, "state", 0, &state, "DIR", "where it is to be" },
		{ TERM_OPTION_TEXT, "policy", 0, &settings.policy, "POLICY",
		  "name:key=value:… (default drift); 'perennial policies' lists them" },
		CLI_PLUGINS_ROW(&plugins),
		{ TERM_OPTION_NUMBER, "threshold", 0, &settings.threshold, "T",
		  "a page is visited when W U reaches it, divergence-days (default 0.25)" },
		{ TERM_OPTION_OWN, "budget", 0, &budget, "N/day", "what 'perennial tune' makes T meet; also N/hour, N/week" },
		{ TERM_OPTION_COUNT, "shingle-words", 0, &words, "K", "words of a fragment (default 5)" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"init", "--state=DIR [OPTION]…",
		"Makes a store: the pages that a policy decides about, beside a fetcher.  DIR is a new folder.",
		options
	};
	int first, code = term_options_parse(&usage, argc, argv, &first);

	if (code < 0 && !state)
		code = term_usage_error(&usage, "--state=DIR says where");
	if (code < 0 && first < argc)
		code = term_usage_error(&usage, "takes no '%s'", argv[first]);
	if (code < 0 && words > PRN_SHINGLE_WORDS_MAX)
		code = term_usage_error(&usage, "--shingle-words takes 1 to %d", PRN_SHINGLE_WORDS_MAX);
	if (code < 0)
		code = cli_plugins_load("init", &plugins);
	settings.shingle_words = (unsigned)words;
	if (code < 0)
		code = make(&usage, state, &settings);
	term_list_release(&plugins);
	return code;
}
