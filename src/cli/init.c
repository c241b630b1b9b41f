#include "cli/command.h"
#include "cli/deciding.h"
#include "cli/plugins.h"
#include "serve/token.h"
#include "term/options.h"

#include "perennial/decider.h"
#include "perennial/extractor.h"
#include "perennial/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct init_options {
	const char *store_name;
	struct prn_decider_settings settings;
	struct prn_budget budget;
	struct cli_cost_304 unchanged;
	uint64_t words, shards;
	double threshold; /* INFINITY: not given */
	struct term_list plugins, giants;
};

/* A budget, or "none", as if it were not given. */
static int parse_budget(void *context, const char *value)
{
	struct prn_budget *budget = context;

	*budget = (struct prn_budget){ 0 };
	return strcmp(value, "none") ? cli_budget_parse(budget, value) : 0;
}

static int parse(struct init_options *given, int argc, char **argv, int *first, struct prn_error *error)
{
	struct term_own budget = { parse_budget, &given->budget, PRN_BUDGET_TAKES ", or none" };
	struct term_own cost = { cli_cost_304_parse, &given->unchanged, CLI_COST_304_TAKES };
	const struct term_option options[] = {
		{ TERM_OPTION_TEXT, "state", 0, &given->store_name, "DIR", "where it is to be" },
		{ TERM_OPTION_TEXT, "policy", 0, &given->settings.policy, "POLICY",
		  "name:key=value:… (default " PRN_POLICY_DEFAULT "); 'perennial policies' lists them" },
		CLI_PLUGINS_ROW(&given->plugins),
		{ TERM_OPTION_NUMBER, "threshold", 0, &given->threshold, "T",
		  "what a visit has to be worth, its page's weight times its utility (default 0.25 divergence-days)" },
		{ TERM_OPTION_OWN, "budget", 0, &budget, "N/day",
		  "visits, or bytes (2GB/day), to keep to, in place of a threshold; also N/hour, N/week, or none" },
		{ TERM_OPTION_OWN, "cost-304", 0, &cost, "[TYPE=]C",
		  "what a look costs of the budget that is answered 'not modified', in fetches (default 1; of bytes 400)" },
		{ TERM_OPTION_COUNT, "shingle-words", 0, &given->words, "K", "words of a fragment (default 5)" },
		{ TERM_OPTION_COUNT, "shards", 0, &given->shards, "N",
		  "that it is spread over, each with the pages of some hosts: 1, 2, 4 … 1048576 (default 1), folders or objects of a cluster" },
		{ TERM_OPTION_TEXTS, "giant-host", 0, &given->giants, "HOST[/PARTS]",
		  "a host with more pages than a shard should have: they are spread over as many shards, 2, 4 … (default all, up to 64); repeat "
		  "for more" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"init", "--state=DIR [OPTION]…",
		"Makes a store: what is known of pages, and when each is worth fetching again.  DIR is a new folder.",
		options
	};

	return term_options_parse(&usage, argc, argv, first, error);
}

/* operand: NULL, or the first, of which there should be none. */
static int check(const struct init_options *given, const char *operand, struct prn_error *error)
{
	if (!given->store_name)
		return term_usage_error(error, "--state=DIR, the store to make, is missing");
	if (prn_store_ends_with_process(given->store_name))
		return term_usage_error(error, "--state=%.100s: what is in memory would be gone when this command ends", given->store_name);
	if (operand)
		return term_usage_error(error, "unexpected operand '%s'", operand);
	if (given->threshold < INFINITY && !(given->threshold > 0))
		return term_usage_error(error, "--threshold takes a number above 0: at 0 every page is always worth a visit");
	if (given->words < 1 || given->words > PRN_SHINGLE_WORDS_MAX)
		return term_usage_error(error, "--shingle-words takes 1 to %d", PRN_SHINGLE_WORDS_MAX);
	if (given->shards < 1 || given->shards > PRN_SHARDS_MOST)
		return term_usage_error(error, "--shards takes a power of two, 1 to %d", PRN_SHARDS_MOST);
	return 0;
}

/* The library checks the settings when it makes the store: a fault in them is a usage error. */
static int make_store(struct init_options *given, struct prn_error *error)
{
	struct prn_decider_settings *settings = &given->settings;
	int code;

	settings->threshold = given->threshold < INFINITY ? given->threshold : 0;
	settings->shingle_words = (unsigned)given->words;
	settings->shards = (unsigned)given->shards;
	settings->giants = (const char *const *)given->giants.items;
	settings->giant_count = given->giants.count;
	settings->budget_per_day = given->budget.per_day;
	settings->unit = given->budget.unit;
	settings->cost_304 = given->unchanged.text;
	code = prn_decider_create(given->store_name, settings, error);
	if (code && code != PRN_E_IO && code != PRN_E_BUSY && code != PRN_E_UNSUPPORTED)
		return term_usage_blame(error);
	return code;
}

static int make_token(const char *store_name, struct prn_error *error)
{
	struct prn_error unmade = { 0 };
	char *token = NULL;
	bool made;
	int code = serve_token_make(store_name, &token, &made, &unmade);

	free(token);
	if (code)
		prn_error_set(error, code, "the store %s is made, but not its token, which 'perennial serve' makes: %s", store_name, unmade.text);
	return code;
}

int cli_init(int argc, char **argv, struct prn_error *error)
{
	struct init_options given = { .words = PRN_SHINGLE_WORDS, .shards = 1, .threshold = INFINITY };
	int first, code = parse(&given, argc, argv, &first, error);

	if (!code)
		code = check(&given, first < argc ? argv[first] : NULL, error);
	if (!code)
		code = cli_plugins_load(&given.plugins, error);
	if (!code)
		code = make_store(&given, error);
	if (!code)
		code = make_token(given.store_name, error);
	term_list_release(&given.plugins);
	term_list_release(&given.giants);
	return code;
}
