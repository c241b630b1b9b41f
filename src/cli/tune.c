#include "base/buffer.h"
#include "cli/command.h"
#include "cli/deciding.h"
#include "perennial/tuning.h"
#include "serve/json.h"
#include "term/say.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A threshold that is less of what was found is not that one. */
#define SAME 0.95

struct tune_options {
	struct cli_rules rules;
	struct prn_budget given; /* per_day 0: the budget of the store */
	bool none;               /* the store is to have none */
	struct cli_cost_304 unchanged;
	const char *format_name;
	bool apply;
	struct term_own budget, cost;
};

/* Parses a budget, or "none". */
static int parse_budget(void *context, const char *value)
{
	struct tune_options *given = context;

	given->none = !strcmp(value, "none");
	return given->none ? 0 : cli_budget_parse(&given->given, value);
}

/* Formats what pages want a day; a number of visits is hardly ever whole. */
static const char *format_load(double load, enum prn_unit unit, char text[PRN_AMOUNT_TEXT])
{
	if (unit == PRN_UNIT_BYTES)
		return prn_amount_format(load, unit, text);
	snprintf(text, PRN_AMOUNT_TEXT, "%.1f", load);
	return text;
}

static void print_left_out(const struct prn_tuning *tuning)
{
	if (tuning->left_out)
		printf("%llu more want%s nothing of it: retired, or only tried in vain.\n", (unsigned long long)tuning->left_out, tuning->left_out == 1 ? "s" : "");
	if (tuning->unreadable)
		printf("%llu more cannot be read, and are left out: 'perennial check' tells which.\n", (unsigned long long)tuning->unreadable);
}

static void print_none(const struct prn_tuning *tuning, const char *dial, bool applied)
{
	printf("%llu page%s: without a budget %s stays %g, at which they want %.1f visits a day.\n", (unsigned long long)tuning->pages,
	       tuning->pages == 1 ? "" : "s", dial, tuning->threshold, tuning->load_per_day);
	puts(applied ? "Applied: what was spent is forgotten, and what is due is handed out whenever it is asked for."
	             : "Not applied: --apply does that.");
}

/* threshold: of the store, now */
static void print_words(const struct prn_tuning *tuning, double threshold, const char *dial, bool applied)
{
	enum prn_unit unit = tuning->unit;
	const char *visits = unit == PRN_UNIT_BYTES ? "" : " visits";
	char budget[PRN_AMOUNT_TEXT], load[PRN_AMOUNT_TEXT], before[PRN_AMOUNT_TEXT];

	prn_amount_format(tuning->budget_per_day, unit, budget);
	printf("%llu page%s: %s = %g, %s%s a day (before: %s = %g, %s%s a day)\n", (unsigned long long)tuning->pages,
	       tuning->pages == 1 ? "" : "s", dial, tuning->threshold, format_load(tuning->load_per_day, unit, load), visits, dial,
	       tuning->threshold_before, format_load(tuning->load_before, unit, before), visits);
	print_left_out(tuning);
	if (unit == PRN_UNIT_BYTES && tuning->unsized)
		printf("What answers bring is not known of %llu of them: %s each are assumed until they are reported, and %s follows.\n",
		       (unsigned long long)tuning->unsized, prn_amount_format(tuning->assumed_bytes, unit, load), dial);
	if (tuning->result == PRN_TUNING_MET && fabs(log(tuning->sought)) > CLI_SOUGHT_SAID)
		printf("%s is sought for %.2g times the budget: %s.\n", dial, tuning->sought, cli_sought_why(tuning->sought));
	if (tuning->result == PRN_TUNING_CANNOT)
		printf("The budget of %s a day cannot be met: whatever %s is, maximum intervals and what has to be learned "
		       "want %s.  Allow longer ones, or more%s.\n",
		       budget, dial, format_load(tuning->least_per_day, unit, load), unit == PRN_UNIT_BYTES ? " bytes" : visits);
	if (tuning->result == PRN_TUNING_NOT_NEEDED)
		printf("The budget of %s a day is not needed: their minimum intervals allow no more than %s.\n", budget,
		       format_load(tuning->most_per_day, unit, load));
	puts(applied ? "Applied: pages that it wants sooner are queued anew, the others take it up when they are next due."
	             : "Not applied: --apply does that.");
	if (applied && threshold < SAME * tuning->threshold)
		printf("%s is %g for now: pages that were never fetched raise it slowly.\n", dial, threshold);
}

/* Prints the hosts that would take more of the budget than a host may: whatever T is, their pages wait. */
static void print_held(const struct prn_stats *stats, double share)
{
	uint64_t held = stats->held_by[PRN_HELD_SHARE], named = 0;

	if (!held)
		return;
	printf("%llu %s of the budget, %g %%, while pages wait:", (unsigned long long)held,
	       held == 1 ? "host has had its share" : "hosts have each had their share", 100 * share);
	for (size_t i = 0; i < stats->held_hosts && i < PRN_STATS_HOSTS; i++) {
		if (stats->hosts[i].held != PRN_HELD_SHARE)
			continue;
		fputs(named++ ? ", " : " ", stdout);
		term_show(stdout, stats->hosts[i].name);
	}
	if (held > named)
		printf(" and %llu more", (unsigned long long)(held - named));
	puts("");
}

/* Prints the tuning.  If stats is NULL, unknown says why. */
static int print(const struct tune_options *given, const struct prn_tuning *tuning, const struct prn_stats *stats,
                 const struct prn_error *unknown, double threshold, const char *dial, struct prn_error *error)
{
	struct prn_buffer line = { 0 };
	int code = 0;

	if (!given->format_name && tuning->result == PRN_TUNING_NONE) {
		print_none(tuning, dial, given->apply);
	} else if (!given->format_name) {
		print_words(tuning, threshold, dial, given->apply);
		if (stats)
			print_held(stats, given->rules.decider.host_share);
	} else if (serve_json_tuning(&line, tuning, stats, unknown, given->apply)) {
		code = prn_error_memory(error);
	} else {
		fwrite(line.data, 1, line.length, stdout);
	}
	prn_buffer_release(&line);
	return code ? code : term_stdout_flush(error);
}

/* The store is tuned by now: a failure from here on is reported in addition to that, and not in its place. */
static int print_tuning(const struct tune_options *given, struct prn_decider *decider, const struct prn_tuning *tuning, struct prn_error *error)
{
	struct prn_stats stats;
	struct prn_error unknown;
	bool known = !prn_decider_stats(decider, cli_rules_now(&given->rules), &stats, &unknown);
	int code = print(given, tuning, known ? &stats : NULL, &unknown, prn_decider_threshold(decider), cli_dial_name(decider), error);

	if (code && given->apply)
		prn_error_prefix(error, "the budget is applied, but not told");
	if (code)
		return code;
	if (!known)
		term_say("perennial tune: hosts that have had their share of the budget are not known: %s\n", unknown.text);
	code = cli_print_damaged("tune", "counted", tuning->damaged_shards, &tuning->first_damaged);
	return code || known ? code : TERM_SKIPPED;
}

static int tune(const struct tune_options *given, struct prn_error *error)
{
	const struct cli_rules *rules = &given->rules;
	struct prn_decider *decider = NULL;
	struct prn_tuning tuning;
	struct prn_tuning_request request = { given->given, given->unchanged.text[0] ? given->unchanged.text : NULL, given->apply, given->none };
	int code = prn_decider_open(&decider, rules->store_name, given->apply ? PRN_STORE_WRITE : PRN_STORE_READ,
	                            &rules->decider, error);

	if (!code && !given->none && !(request.budget.per_day > 0))
		request.budget = (struct prn_budget){ prn_decider_budget(decider), prn_decider_unit(decider) };
	if (!code && !given->none && !(request.budget.per_day > 0))
		code = prn_error_set(error, PRN_E_ARGUMENT, "%s was made without a budget: give one with --budget=N/day", rules->store_name);
	if (!code)
		code = prn_decider_tune(decider, &request, &tuning, error);
	if (!code)
		code = print_tuning(given, decider, &tuning, error);
	prn_decider_free(decider);
	return code;
}

int cli_tune(int argc, char **argv, struct prn_error *error)
{
	struct tune_options given = { .budget = { parse_budget, &given, PRN_BUDGET_TAKES ", or none" },
		                       .cost = { cli_cost_304_parse, &given.unchanged, CLI_COST_304_TAKES } };
	const struct term_option options[] = {
		CLI_RULES_STATE(&given.rules),
		{ TERM_OPTION_OWN, "budget", 0, &given.budget, "N/day", "visits, or bytes (2GB/day); also N/hour, N/week, or none (default: the store's)" },
		{ TERM_OPTION_OWN, "cost-304", 0, &given.cost, "[TYPE=]C",
		  "what a look costs of it that is answered 'not modified', in fetches (default: as the store has it)" },
		{ TERM_OPTION_FLAG, "apply", 0, &given.apply, NULL, "keep that budget from now on (default: only show)" },
		{ TERM_OPTION_TEXT, "format", 0, &given.format_name, "json", "a JSON object instead of words" },
		CLI_RULES_NOW(&given.rules),
		CLI_RULES_LOCK(&given.rules),
		CLI_RULES_CONFIG(&given.rules),
		{ TERM_OPTION_HEADING, "Rules, also keys of --config", 0, NULL, NULL, NULL },
		CLI_RULES_INTERVALS(&given.rules),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"tune", "--state=DIR [--budget=N/day] [OPTION]…",
		"Shows the threshold T at which all pages together are visited as often as a budget allows, or that no\n"
		"T does that.  With --apply the store has that budget from then on, and keeps to it by itself.",
		options,
	};
	int code = cli_rules_parse(&given.rules, &usage, argc, argv, NULL, error);

	if (!code)
		code = tune(&given, error);
	cli_rules_release(&given.rules);
	return code;
}
