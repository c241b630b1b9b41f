#include "cli/command.h"
#include "cli/deciding.h"
#include "cli/plugins.h"
#include "serve/token.h"
#include "term/options.h"

#include "perennial/decider.h"
#include "perennial/extractor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_init(int argc, char **argv, struct prn_error *error)
{
	struct prn_decider_settings settings = { 0 };
	struct prn_budget given = { 0 };
	struct cli_cost_304 unchanged = { "" };
	struct term_own budget = { cli_budget_parse, &given, PRN_BUDGET_TAKES };
	struct term_own cost = { cli_cost_304_parse, &unchanged, CLI_COST_304_TAKES };
	uint64_t words = PRN_SHINGLE_WORDS, shards = 1;
	double threshold = INFINITY; /* not given */
	struct term_list plugins = { 0 }, giants = { 0 };
	const char *store_name = NULL;
	const struct term_option options[] = {
		{ TERM_OPTION_TEXT, "state", 0, &store_name, "DIR", "where it is to be" },
		{ TERM_OPTION_TEXT, "policy", 0, &settings.policy, "POLICY",
		  "name:key=value:… (default " PRN_POLICY_DEFAULT "); 'perennial policies' lists them" },
		CLI_PLUGINS_ROW(&plugins),
		{ TERM_OPTION_NUMBER, "threshold", 0, &threshold, "T",
		  "what a visit has to be worth, its page's weight times its utility (default 0.25 divergence-days)" },
		{ TERM_OPTION_OWN, "budget", 0, &budget, "N/day",
		  "visits, or bytes (2GB/day), to keep to, in place of a threshold; also N/hour, N/week" },
		{ TERM_OPTION_OWN, "cost-304", 0, &cost, "[TYPE=]C",
		  "what a look costs of the budget that is answered 'not modified', in fetches (default 1; of bytes 400)" },
		{ TERM_OPTION_COUNT, "shingle-words", 0, &words, "K", "words of a fragment (default 5)" },
		{ TERM_OPTION_COUNT, "shards", 0, &shards, "N",
		  "that it is spread over, each with the pages of some hosts: 1, 2, 4 … 1048576 (default 1), folders or objects of a cluster" },
		{ TERM_OPTION_TEXTS, "giant-host", 0, &giants, "HOST[/PARTS]",
		  "a host with more pages than a shard should have: they are spread over as many shards, 2, 4 … (default all, up to 64); repeat "
		  "for more" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"init", "--state=DIR [OPTION]…",
		"Makes a store: what is known of pages, and when each is worth fetching again.  DIR is a new folder.",
		options
	};
	struct prn_error unmade = { 0 };
	char *token = NULL;
	bool made;
	int first, code = term_options_parse(&usage, argc, argv, &first, error);

	if (!code && !store_name)
		code = term_usage_error(error, "--state=DIR, the store to make, is missing");
	if (!code && !strncmp(store_name, "memory:", 7))
		code = term_usage_error(error, "--state=%.100s: what is in memory would be gone when this command ends", store_name);
	if (!code && first < argc)
		code = term_usage_error(error, "unexpected operand '%s'", argv[first]);
	if (!code && threshold < INFINITY && !(threshold > 0))
		code = term_usage_error(error, "--threshold takes a number above 0: at 0 every page is always worth a visit");
	if (!code && (words < 1 || words > PRN_SHINGLE_WORDS_MAX))
		code = term_usage_error(error, "--shingle-words takes 1 to %d", PRN_SHINGLE_WORDS_MAX);
	if (!code && (shards < 1 || shards > PRN_SHARDS_MOST))
		code = term_usage_error(error, "--shards takes a power of two, 1 to %d", PRN_SHARDS_MOST);
	if (!code)
		code = cli_plugins_load(&plugins, error);
	settings.threshold = threshold < INFINITY ? threshold : 0;
	settings.shingle_words = (unsigned)words;
	settings.shards = (unsigned)shards;
	settings.giants = (const char *const *)giants.items;
	settings.giant_count = giants.count;
	settings.budget_per_day = given.per_day;
	settings.unit = given.unit;
	settings.cost_304 = unchanged.text;
	if (!code) {
		code = prn_decider_create(store_name, &settings, error);
		/* The library checks the settings when it makes the store: a fault in them is a usage error. */
		if (code && code != PRN_E_IO && code != PRN_E_MEMORY && code != PRN_E_BUSY && code != PRN_E_UNSUPPORTED)
			code = term_usage_blame(error);
	}
	if (!code && (code = serve_token_make(store_name, &token, &made, &unmade)))
		prn_error_set(error, code, "the store %s is made, but not its token, which 'perennial serve' makes: %s", store_name, unmade.text);
	free(token);
	term_list_release(&plugins);
	term_list_release(&giants);
	return code;
}
