#include "cli/command.h"
#include "cli/deciding.h"

#include <stdio.h>

/* What the command line says. */
struct given {
	struct cli_rules rules;
	struct term_list hosts, surts;
};

/* What is written cannot be the name of pages; damage comes as PRN_E_INPUT too, and then stands in the way again. */
static bool names_none(int code)
{
	return code == PRN_E_INPUT || code == PRN_E_LIMIT || code == PRN_E_RANGE;
}

static int forget(struct prn_decider *decider, enum prn_forget by, char *const *what, size_t count,
                  uint64_t *forgotten, bool *missed, struct prn_error *error)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t pages = 0;
		int code = prn_decider_forget(decider, by, what[i], &pages, error);

		if (code && !names_none(code))
			return code;
		*forgotten += pages;
		if (pages)
			continue;
		*missed = true;
		if (code)
			fprintf(stderr, "perennial forget: skipped: %s\n", error->text);
		else
			fprintf(stderr, "perennial forget: skipped: %s: no such page\n", what[i]);
	}
	return 0;
}

static int run(const struct given *given, char **urls, size_t count)
{
	struct prn_decider *decider = NULL;
	struct prn_error error = { 0 };
	uint64_t forgotten = 0;
	bool missed = false;
	int code = prn_decider_open(&decider, given->rules.state, PRN_STORE_WRITE, &given->rules.decider, &error);

	if (!code)
		code = forget(decider, PRN_FORGET_URL, urls, count, &forgotten, &missed, &error);
	if (!code)
		code = forget(decider, PRN_FORGET_HOST, given->hosts.items, given->hosts.count, &forgotten, &missed, &error);
	if (!code)
		code = forget(decider, PRN_FORGET_SURT, given->surts.items, given->surts.count, &forgotten, &missed, &error);
	if (!code || forgotten)
		fprintf(stderr, "perennial forget: %llu page%s forgotten\n", (unsigned long long)forgotten,
		        forgotten == 1 ? "" : "s");
	prn_decider_free(decider);
	return code ? term_fail("forget", code, &error) : missed ? TERM_SKIPPED : TERM_DONE;
}

int cli_forget(int argc, char **argv)
{
	struct given given = { 0 };
	const struct term_option options[] = {
		CLI_RULES_STATE(&given.rules),
		{ TERM_OPTION_LIST, "host", 0, &given.hosts, "HOSTS", "every page of these hosts, not of their subdomains" },
		{ TERM_OPTION_TEXTS, "surt", 0, &given.surts, "PREFIX", "every page under this SURT prefix; repeat for more" },
		CLI_RULES_LOCK(&given.rules),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"forget", "--state=DIR [OPTION]… [URL]…",
		"Takes pages out of the store, with all that was learned of them.",
		options,
	};
	int first, code;

	cli_rules_init(&given.rules);
	code = term_options_parse(&usage, argc, argv, &first);
	if (code < 0)
		code = cli_rules_finish(&given.rules, &usage);
	if (code < 0 && first == argc && !given.hosts.count && !given.surts.count)
		code = term_usage_error(&usage, "name what to forget: URLs, --host or --surt");
	if (code < 0)
		code = run(&given, argv + first, (size_t)(argc - first));
	term_list_release(&given.hosts);
	term_list_release(&given.surts);
	cli_rules_release(&given.rules);
	return code;
}
