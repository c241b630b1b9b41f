#include "base/buffer.h"
#include "cli/command.h"
#include "cli/deciding.h"
#include "cli/explanation.h"
#include "perennial/explanation.h"
#include "serve/json.h"

#include <stdio.h>
#include <string.h>

struct explain_options {
	struct cli_rules rules;
	const char *format_name;
	bool no_plot;
};

static int explain(const struct explain_options *options, struct prn_decider *decider, const char *url,
                   struct prn_error *error)
{
	int64_t now = cli_rules_now(&options->rules);
	struct prn_buffer line = { 0 };
	struct prn_explanation page;
	int code;

	prn_explanation_init(&page);
	code = prn_decider_explain(decider, url, now, &page, error);
	if (!code && !options->format_name)
		cli_explanation_print(stdout, &page, decider, now, !options->no_plot);
	else if (!code && !(code = serve_json_explanation(&line, &page)))
		fwrite(line.data, 1, line.length, stdout);
	prn_buffer_release(&line);
	prn_explanation_release(&page);
	return code;
}

/* A page that the store does not have is named on stderr, and the others are explained. */
static int explain_all(const struct explain_options *options, char **urls, size_t count, struct prn_error *error)
{
	const struct cli_rules *rules = &options->rules;
	struct prn_decider *decider = NULL;
	size_t missing = 0;
	int code = prn_decider_open(&decider, rules->store_name, PRN_STORE_READ, &rules->decider, error);

	for (size_t i = 0; i < count && !code; i++) {
		if (i && !options->format_name)
			putchar('\n');
		code = explain(options, decider, urls[i], error);
		if (code != PRN_E_NOT_FOUND && code != PRN_E_INPUT)
			continue;
		fprintf(stderr, "perennial explain: %s\n", error->text);
		*error = (struct prn_error){ 0 };
		missing++;
		code = 0;
	}
	if (!code)
		code = term_stdout_flush(error);
	prn_decider_free(decider);
	if (code)
		return code;
	return !missing ? TERM_DONE : missing < count ? TERM_SKIPPED : TERM_FAILED;
}

int cli_explain(int argc, char **argv, struct prn_error *error)
{
	struct explain_options given = { 0 };
	const struct term_option options[] = {
		CLI_RULES_STATE(&given.rules),
		{ TERM_OPTION_TEXT, "format", 0, &given.format_name, "json", "a JSON object a page instead of words" },
		{ TERM_OPTION_FLAG, "no-plot", 0, &given.no_plot, NULL, "words only" },
		CLI_RULES_NOW(&given.rules),
		CLI_RULES_CONFIG(&given.rules),
		{ TERM_OPTION_HEADING, "Rules, also keys of --config", 0, NULL, NULL, NULL },
		CLI_RULES_INTERVALS(&given.rules),
		CLI_RULES_HOSTS(&given.rules),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"explain", "--state=DIR [OPTION]… URL…",
		"Tells what is known of a page, when it is visited next, and why then: its curve, the utility of a\n"
		"visit now, when that reaches the threshold, and the rule or bound that had the last word.",
		options,
	};
	int first, code = cli_rules_parse(&given.rules, &usage, argc, argv, &first, error);

	if (!code && first == argc)
		code = term_usage_error(error, "name the URLs to explain");
	if (!code)
		code = explain_all(&given, argv + first, (size_t)(argc - first), error);
	cli_rules_release(&given.rules);
	return code;
}
