#include "cli/command.h"
#include "cli/deciding.h"
#include "cli/keeping.h"
#include "serve/keeping.h"
#include "term/say.h"

#include <inttypes.h>
#include <stdio.h>

struct forgetting {
	struct cli_rules rules;
	struct term_list hosts, surts;
	struct prn_decider *decider;
	uint64_t forgotten; /* pages that were forgotten */
	bool missed;        /* some operand or option named no page */
	struct term_own count_option;
	bool counted;       /* --count says how many pages of hosts and prefixes there are to forget */
	uint64_t count;
	struct cli_keeping keeping;
	struct keep *keep; /* NULL: no bodies are kept */
};

static int parse_count(void *context, const char *value)
{
	struct forgetting *forgetting = context;
	const struct term_option number = { TERM_OPTION_COUNT, "count", 0, &forgetting->count, NULL, NULL };
	const char *takes;

	forgetting->counted = true;
	return term_option_store(&number, value, &takes);
}

/*
 * A mistyped host or prefix would cost all that was learned of many pages: they are forgotten only if the caller knows how
 * many they are.
 */
static int check_count(struct forgetting *forgetting, struct prn_error *error)
{
	const struct term_list *const lists[] = { &forgetting->hosts, &forgetting->surts };
	const enum prn_forget ways[] = { PRN_FORGET_HOST, PRN_FORGET_SURT };
	uint64_t all = 0;

	for (size_t i = 0; i < 2; i++)
		for (size_t j = 0; j < lists[i]->count; j++) {
			uint64_t count = 0;
			int code = prn_decider_count(forgetting->decider, ways[i], lists[i]->items[j], &count, error);

			/* A prefix that names every page is refused when its turn comes. */
			if (code && code != PRN_E_ARGUMENT)
				return code;
			all += count;
		}
	if (all == forgetting->count || !(forgetting->counted || all))
		return 0;
	if (!forgetting->counted)
		return term_usage_error(error, "--host and --surt would forget %" PRIu64 " page%s: add --count=%" PRIu64
		                        " if they are to", all, all == 1 ? "" : "s", all);
	return prn_error_set(error, PRN_E_ARGUMENT, "--host and --surt would forget %" PRIu64 " page%s, not %" PRIu64
	                     ": nothing was forgotten", all, all == 1 ? "" : "s", forgetting->count);
}

static int forget(struct forgetting *forgetting, enum prn_forget by, char *const *what, size_t count,
                  struct prn_error *error)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t pages = 0;
		int code = prn_decider_forget(forgetting->decider, by, what[i], &pages, error);

		/*
		 * These codes mean that no page can have that name.  A damaged store returns them too, and fails again at the
		 * next call.
		 */
		if (code && code != PRN_E_INPUT && code != PRN_E_LIMIT && code != PRN_E_ARGUMENT)
			return code;
		forgetting->forgotten += pages;
		if (!code && forgetting->keep) {
			code = serve_keeping_forget(forgetting->keep, by, what[i], error);
			if (code)
				return code;
		}
		if (pages)
			continue;
		forgetting->missed = true;
		if (code)
			term_say("perennial forget: skipped: %s\n", error->text);
		else
			term_say("perennial forget: skipped: %s: no such page\n", what[i]);
		*error = (struct prn_error){ 0 };
	}
	return 0;
}

static int forget_all(struct forgetting *forgetting, char **urls, size_t count, struct prn_error *error)
{
	const struct term_list *hosts = &forgetting->hosts, *surts = &forgetting->surts;
	const struct cli_rules *rules = &forgetting->rules;
	int code = prn_decider_open(&forgetting->decider, rules->store_name, PRN_STORE_WRITE, &rules->decider, error);

	if (!code)
		code = cli_keeping_open(&forgetting->keeping, rules->store_name, true, &forgetting->keep, error);
	if (!code)
		code = check_count(forgetting, error);
	if (!code)
		code = forget(forgetting, PRN_FORGET_URL, urls, count, error);
	if (!code)
		code = forget(forgetting, PRN_FORGET_HOST, hosts->items, hosts->count, error);
	if (!code)
		code = forget(forgetting, PRN_FORGET_SURT, surts->items, surts->count, error);
	if (!code || forgetting->forgotten)
		term_say("perennial forget: %llu page%s forgotten\n", (unsigned long long)forgetting->forgotten,
		        forgetting->forgotten == 1 ? "" : "s");
	prn_decider_free(forgetting->decider);
	keep_free(forgetting->keep);
	return code ? code : forgetting->missed ? TERM_SKIPPED : TERM_DONE;
}

int cli_forget(int argc, char **argv, struct prn_error *error)
{
	struct forgetting forgetting = { 0 };
	const struct term_option options[] = {
		CLI_RULES_STATE(&forgetting.rules),
		{ TERM_OPTION_LIST, "host", 0, &forgetting.hosts, "HOSTS", "every page of these hosts, not of their subdomains" },
		{ TERM_OPTION_TEXTS, "surt", 0, &forgetting.surts, "PREFIX", "every page under this SURT prefix; repeat for more" },
		{ TERM_OPTION_OWN, "count", 0, &forgetting.count_option, "N", "how many pages these are: it must be right" },
		CLI_KEEPING_PLACE(&forgetting.keeping),
		CLI_RULES_LOCK(&forgetting.rules),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"forget", "--state=DIR [OPTION]… [URL]…",
		"Takes pages out of the store, with all that was learned of them and the bodies that were kept.",
		options,
	};
	int first, code;

	cli_keeping_init(&forgetting.keeping);
	forgetting.count_option = (struct term_own){ parse_count, &forgetting, "a whole number" };
	code = cli_rules_parse(&forgetting.rules, &usage, argc, argv, &first, error);

	if (!code && first == argc && !forgetting.hosts.count && !forgetting.surts.count)
		code = term_usage_error(error, "name what to forget: URLs, --host or --surt");
	if (!code)
		code = forget_all(&forgetting, argv + first, (size_t)(argc - first), error);
	term_list_release(&forgetting.hosts);
	term_list_release(&forgetting.surts);
	cli_rules_release(&forgetting.rules);
	return code;
}
