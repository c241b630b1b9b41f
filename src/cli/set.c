#include "cli/command.h"
#include "cli/plugins.h"
#include "cli/rules.h"
#include "term/options.h"

#include "perennial/extractor.h"
#include "perennial/policy.h"
#include "perennial/settings_change.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define LOCK_WAIT_S 10

static void print(const struct prn_settings_changed *changed)
{
	if (changed->states_stayed) {
		puts("done: what the policy learned of each page stays, and each page takes it up when it is visited; "
		     "next visits stand until they are due, when one that is not wanted yet is put off");
		return;
	}
	printf("%" PRIu64 " page%s, %" PRIu64 " visited: the policy goes on from the last version of %" PRIu64 " and begins %" PRIu64
	       " anew; next visits stand until they are due, when one that is not wanted yet is put off\n",
	       changed->pages, changed->pages == 1 ? "" : "s", changed->begun + changed->anew, changed->begun, changed->anew);
	if (changed->untouched)
		printf("%" PRIu64 " more cannot be read, and %s left: 'perennial check' tells which\n", changed->untouched,
		       changed->untouched == 1 ? "was" : "were");
}

int cli_set(int argc, char **argv, struct prn_error *error)
{
	struct prn_settings_change change = { .lock_wait_s = LOCK_WAIT_S };
	struct prn_settings_changed changed;
	uint64_t words = UINT64_MAX; /* not given */
	double threshold = INFINITY; /* not given */
	struct term_list plugins = { 0 };
	struct prn_policy *policy = NULL;
	const char *store_name = NULL;
	const struct term_option options[] = {
		{ TERM_OPTION_TEXT, "state", 0, &store_name, "DIR", "the store" },
		{ TERM_OPTION_TEXT, "policy", 0, &change.policy, "POLICY",
		  "name:key=value:… that is to decide from now on; 'perennial policies' lists them" },
		CLI_PLUGINS_ROW(&plugins),
		{ TERM_OPTION_NUMBER, "threshold", 0, &threshold, "T",
		  "what a visit has to be worth, or what else the policy goes by; wanted where that is another and there is no budget" },
		{ TERM_OPTION_COUNT, "shingle-words", 0, &words, "K", "words of a fragment" },
		{ TERM_OPTION_DURATION, "lock-wait", 0, &change.lock_wait_s, "DURATION",
		  "for a daemon or another writer to finish (default 10s)" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"set", "--state=DIR [OPTION]…",
		"Changes the policy of a store, its prior, or the length of its fragments, and keeps what can be kept.",
		options
	};
	int first, code = term_options_parse(&usage, argc, argv, &first, error);

	if (!code && !store_name && !(store_name = cli_usual_store()))
		code = term_usage_error(error, "--state=DIR, the store, is missing, and PERENNIAL_STATE names none");
	if (!code && first < argc)
		code = term_usage_error(error, "unexpected operand '%s'", argv[first]);
	if (!code && threshold < INFINITY && !(threshold > 0))
		code = term_usage_error(error, "--threshold takes a number above 0: at 0 every page is always worth a visit");
	if (!code && words != UINT64_MAX && (!words || words > PRN_SHINGLE_WORDS_MAX))
		code = term_usage_error(error, "--shingle-words takes 1 to %d", PRN_SHINGLE_WORDS_MAX);
	if (!code && !change.policy && words == UINT64_MAX && !(threshold < INFINITY))
		code = term_usage_error(error, "nothing to change: give --policy, --threshold or --shingle-words");
	if (!code)
		code = cli_plugins_load(&plugins, error);
	if (!code && change.policy && prn_policy_open(&policy, change.policy, NULL, error))
		code = term_usage_blame(error);
	prn_policy_free(policy);
	change.shingle_words = words == UINT64_MAX ? 0 : (unsigned)words;
	change.threshold = threshold < INFINITY ? threshold : 0;
	if (!code) {
		code = prn_settings_change(store_name, &change, &changed, error);
		if (code == PRN_E_ARGUMENT)
			code = term_usage_blame(error);
	}
	if (!code)
		print(&changed);
	term_list_release(&plugins);
	return code;
}
