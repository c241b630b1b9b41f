/* perennial simulate: estimators and policies against pages whose changes are drawn, and so known. */
#include "base/parallel.h"
#include "cli/command.h"
#include "cli/crawling.h"
#include "cli/methods.h"
#include "cli/plugins.h"
#include "term/options.h"
#include "term/provenance.h"
#include "term/say.h"
#include "term/table.h"

#include "perennial/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NORMAL_95 1.959963984540054

struct simulate_options {
	struct term_list processes, schedules, methods, rates, visits, policies, dials, costs, time;
	struct term_list plugins;
	struct cli_crawling crawling;
	const char *of, *format;
	double interval, confidence, very_stale;
	uint64_t pages, seed, threads;
	bool list;
};

/* Prints the processes and schedules, with their keys. */
static int list_kinds(enum term_format format, struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "option", TERM_COLUMN_TEXT, 0 }, { "name", TERM_COLUMN_TEXT, 0 },    { "key", TERM_COLUMN_TEXT, 0 },
		{ "default", TERM_COLUMN_TEXT, 0 }, { "about", TERM_COLUMN_TEXT, 0 }, { "source", TERM_COLUMN_TEXT, 0 },
		{ NULL, TERM_COLUMN_TEXT, 0 },
	};
	static const struct {
		const char *option;
		const struct prn_simulation_info *(*info)(size_t i);
	} lists[] = { { "process", prn_process_info }, { "schedule", prn_schedule_info } };
	struct term_table *table = term_table_open(format, columns);
	const struct prn_simulation_info *info;

	for (size_t l = 0; l < 2; l++)
		for (size_t i = 0; (info = lists[l].info(i)); i++) {
			const char *const row[] = { lists[l].option, info->name, "", "", info->title, info->source };

			for (size_t c = 0; c < 6; c++)
				term_table_text(table, row[c]);
			for (const struct prn_simulation_key *key = info->keys; key->name; key++) {
				const char *const more[] = { lists[l].option, info->name, key->name, key->fallback, key->help, "" };

				for (size_t c = 0; c < 6; c++)
					term_table_text(table, more[c]);
			}
		}
	return term_table_close(table, NULL, error);
}

/* The last column is there if --confidence asks how often intervals hold the truth. */
static const struct term_column columns[] = {
	{ "process", TERM_COLUMN_TEXT, 0 },     { "schedule", TERM_COLUMN_TEXT, 0 }, { "method", TERM_COLUMN_TEXT, 0 },
	{ "rate", TERM_COLUMN_NUMBER, 4 },      { "visits", TERM_COLUMN_COUNT, 0 },  { "time", TERM_COLUMN_NUMBER, 1 },
	{ "ratio", TERM_COLUMN_NUMBER, 4 },     { "low", TERM_COLUMN_NUMBER, 4 },    { "high", TERM_COLUMN_NUMBER, 4 },
	{ "spread", TERM_COLUMN_NUMBER, 4 },    { "deviation", TERM_COLUMN_NUMBER, 4 },
	{ "none", TERM_COLUMN_NUMBER, 4 },      { "found", TERM_COLUMN_NUMBER, 4 },  { "covered", TERM_COLUMN_NUMBER, 4 }, { NULL, TERM_COLUMN_TEXT, 0 },
};

#define COLUMNS (sizeof columns / sizeof *columns)

/* What is simulated, and where its results go. */
struct simulate_run {
	const struct simulate_options *given;
	struct prn_simulation simulation;
	struct prn_schedule *schedules;
	struct cli_method methods[CLI_METHODS_MAX];
	enum prn_simulation_of of;
	uint64_t *visits;
	struct prn_simulated_estimate *simulated; /* [visits] */
	struct term_column columns[COLUMNS];
	enum term_format format;
	struct term_table *table; /* opened at the first row, so that what cannot be simulated prints no table */
	bool skipped;
};

static void begin_row(struct simulate_run *run, const struct term_column *of, const char *process)
{
	if (!run->table)
		run->table = term_table_open(run->format, of);
	term_table_text(run->table, process);
}

static void put(struct simulate_run *run, const char *process, const char *schedule, const char *method, size_t k)
{
	const struct prn_simulated_estimate *at = &run->simulated[k];
	const double numbers[] = { at->time,   at->mean,   at->mean - NORMAL_95 * at->error, at->mean + NORMAL_95 * at->error,
		                   at->spread, at->deviation, at->none, at->found,
		                   at->covered };

	begin_row(run, run->columns, process);
	term_table_text(run->table, schedule);
	term_table_text(run->table, method);
	term_table_number(run->table, run->simulation.rate);
	term_table_count(run->table, run->visits[k]);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers - !(run->simulation.confidence > 0); i++)
		term_table_number(run->table, numbers[i]);
}

/* Runs all methods for one process, rate and schedule. */
static int simulate_methods(struct simulate_run *run, const char *process, size_t s, struct prn_error *error)
{
	const struct simulate_options *given = run->given;
	int code = 0;

	for (size_t m = 0; m < given->methods.count && !code; m++) {
		code = prn_simulate_estimator(&run->simulation, &run->schedules[s], given->interval, &run->methods[m].estimator,
		                              run->of, run->visits, given->visits.count, run->simulated, error);
		for (size_t k = 0; k < given->visits.count && !code; k++)
			put(run, process, given->schedules.items[s], given->methods.items[m], k);
	}
	return code == PRN_E_ARGUMENT ? term_usage_blame(error) : code;
}

static const struct term_column policy_columns[] = {
	{ "process", TERM_COLUMN_TEXT, 0 },    { "policy", TERM_COLUMN_TEXT, 0 },    { "rate", TERM_COLUMN_NUMBER, 4 },
	{ "dial", TERM_COLUMN_NUMBER, 4 },     { "cost", TERM_COLUMN_NUMBER, 4 },    { "staleness", TERM_COLUMN_NUMBER, 4 },
	{ "low", TERM_COLUMN_NUMBER, 4 },      { "high", TERM_COLUMN_NUMBER, 4 },    { "holistic", TERM_COLUMN_NUMBER, 4 },
	{ "age", TERM_COLUMN_NUMBER, 4 },      { "very_stale", TERM_COLUMN_NUMBER, 4 }, { "found", TERM_COLUMN_NUMBER, 4 },
	{ NULL, TERM_COLUMN_TEXT, 0 },
};

static void put_policy(struct simulate_run *run, const char *process, const char *policy, double dial,
                       const struct prn_simulated_policy *at)
{
	const double numbers[] = { run->simulation.rate, dial, at->cost, at->staleness,
		                   at->staleness - NORMAL_95 * at->staleness_error,
		                   at->staleness + NORMAL_95 * at->staleness_error, at->holistic, at->age, at->very_stale,
		                   at->found };

	begin_row(run, policy_columns, process);
	term_table_text(run->table, policy);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		term_table_number(run->table, numbers[i]);
}

/* Opens a policy; or "known", or "known:" and an objective, which allocates by the true rates. */
static int open_rule(const char *name, struct prn_simulated_rule *rule, struct prn_policy **policy, struct prn_error *error)
{
	static const char *const objectives[] = { "freshness", "age", "binary", "harmonic" };
	int code;

	*policy = NULL;
	if (strncmp(name, "known", 5) != 0 || (name[5] && name[5] != ':')) {
		code = prn_policy_open(policy, name, NULL, error);
		rule->policy = *policy;
		if (code)
			prn_error_prefix(error, "--policy=%s", name);
		return code == PRN_E_MEMORY || !code ? code : term_usage_blame(error);
	}
	for (int i = 0; i < 4; i++)
		if (!strcmp(name + 5 + (name[5] == ':'), name[5] ? objectives[i] : "") || (!name[5] && !i)) {
			rule->policy = NULL;
			rule->objective = (enum prn_objective)i;
			return 0;
		}
	return term_usage_error(error, "--policy=%s: known takes freshness, age, binary or harmonic", name);
}

/* Runs one policy at all dials and at all costs.  A cost that it cannot be set to is reported and passed over. */
static int simulate_policy(struct simulate_run *run, const char *process, const char *name, struct prn_error *error)
{
	const struct simulate_options *given = run->given;
	struct prn_simulated_rule rule = { .dial = 1, .from = given->time.numbers[0], .until = given->time.numbers[1],
		                           .very_stale = given->very_stale };
	struct prn_simulated_policy simulated;
	struct prn_policy *policy;
	int code = open_rule(name, &rule, &policy, error);
	double dial = 0;

	for (size_t d = 0; d < given->dials.count && !code; d++) {
		rule.dial = given->dials.numbers[d];
		code = prn_simulate_policy(&run->simulation, &rule, &simulated, error);
		if (!code)
			put_policy(run, process, name, rule.dial, &simulated);
	}
	for (size_t c = 0; c < given->costs.count && !code; c++) {
		rule.dial = 1;
		code = prn_simulate_policy_at(&run->simulation, &rule, given->costs.numbers[c], &dial, &simulated, error);
		if (!code)
			put_policy(run, process, name, dial, &simulated);
		if (code != PRN_E_NOT_FOUND)
			continue;
		term_say("perennial simulate: %s: %s\n", name, error ? error->text : "");
		run->skipped = true;
		code = 0;
	}
	prn_policy_free(policy);
	return code == PRN_E_ARGUMENT ? term_usage_blame(error) : code;
}

static int simulate_all(struct simulate_run *run, struct prn_error *error)
{
	const struct simulate_options *given = run->given;
	int code = 0;

	for (size_t p = 0; p < given->processes.count && !code; p++) {
		if (prn_process_init(&run->simulation.process, given->processes.items[p], error)) {
			prn_error_prefix(error, "--process=%s", given->processes.items[p]);
			return term_usage_blame(error);
		}
		for (size_t r = 0; r < given->rates.count && !code; r++) {
			run->simulation.rate = given->rates.numbers[r];
			for (size_t s = 0; s < given->schedules.count && !given->policies.count && !code; s++)
				code = simulate_methods(run, given->processes.items[p], s, error);
			for (size_t i = 0; i < given->policies.count && !code; i++)
				code = simulate_policy(run, given->processes.items[p], given->policies.items[i], error);
		}
	}
	return code;
}

/* Checks which options go with policies, and which do not. */
static int check_policies(const struct simulate_options *given, struct prn_error *error)
{
	const struct term_list *time = &given->time;

	if (!given->policies.count && (given->dials.count || given->costs.count))
		return term_usage_error(error, "--dial and --at-cost go with --policy");
	if (given->policies.count && !given->dials.count && !given->costs.count)
		return term_usage_error(error, "--policy goes with --dial, how it is set, or --at-cost, what it may cost");
	if (time->count != 2 || !(time->numbers[0] >= 0) || !(time->numbers[1] > time->numbers[0]))
		return term_usage_error(error, "--time takes FROM,UNTIL, the first from 0 and below the second");
	return 0;
}

/* Reads the options into the form that the library takes. */
static int prepare(struct simulate_run *run, struct prn_error *error)
{
	const struct simulate_options *given = run->given;
	int code = cli_methods_read(&given->methods, run->methods, error);
	double most = 0;

	run->visits = calloc(given->visits.count, sizeof *run->visits);
	run->simulated = calloc(given->visits.count, sizeof *run->simulated);
	run->schedules = calloc(given->schedules.count, sizeof *run->schedules);
	if (!code && (!run->visits || !run->simulated || !run->schedules))
		code = prn_error_memory(error);
	for (size_t k = 0; k < given->visits.count && !code; k++) {
		double visits = given->visits.numbers[k];

		if (!(visits > most) || visits > PRN_SIMULATION_VISITS || visits != floor(visits))
			code = term_usage_error(error, "--visits takes whole numbers from 1 to %d, ascending", PRN_SIMULATION_VISITS);
		else
			run->visits[k] = (uint64_t)(most = visits);
	}
	for (size_t m = 0; m < given->methods.count; m++)
		cli_method_fit(&run->methods[m], (size_t)most);
	for (size_t s = 0; s < given->schedules.count && !code; s++)
		if (prn_schedule_init(&run->schedules[s], given->schedules.items[s], error)) {
			prn_error_prefix(error, "--schedule=%s", given->schedules.items[s]);
			code = term_usage_blame(error);
		}
	return code;
}

static int check_and_simulate(const struct simulate_options *given, int argc, char **argv, struct prn_error *error)
{
	bool asked = !isnan(given->confidence);
	struct simulate_run run = { .given = given,
		           .simulation = { .pages = given->pages, .seed = given->seed, .threads = given->threads,
		                           .confidence = asked ? given->confidence : 0 } };
	enum term_format format;
	int code = term_format_parse(given->format, &format, error), unwritten;

	if (code)
		return code;
	if (given->list)
		return list_kinds(format, error);
	if (asked && !(given->confidence > 0 && given->confidence < 1))
		return term_usage_error(error, "--confidence takes a number above 0 and below 1, such as 0.95");
	run.of = given->of && !strcmp(given->of, "interval") ? PRN_SIMULATION_OF_INTERVAL : PRN_SIMULATION_OF_RATE;
	code = check_policies(given, error);
	if (!code)
		code = prepare(&run, error);
	if (!code) {
		memcpy(run.columns, columns, sizeof columns);
		if (!asked)
			run.columns[COLUMNS - 2].name = NULL;
		run.format = format;
		code = simulate_all(&run, error);
		if (!code && !run.table)
			run.table = term_table_open(format, policy_columns);
		unwritten = run.table ? term_table_close(run.table, NULL, code ? NULL : error) : 0;
		code = code ? code : unwritten;
	}
	if (!code && format == TERM_FORMAT_TABLE) {
		fputs("# ", stdout);
		term_provenance_print(stdout, argc, argv);
		printf("; seed %llu, %llu pages\n", (unsigned long long)given->seed, (unsigned long long)given->pages);
		code = term_stdout_flush(error);
	}
	free(run.visits);
	free(run.simulated);
	free(run.schedules);
	return code || !run.skipped ? code : TERM_SKIPPED;
}

static int crawl(struct simulate_options *given, int argc, char **argv, int first, struct prn_error *error)
{
	struct cli_crawl_run run = { .seed = given->seed, .threads = given->threads, .sources = argv + first,
		                     .source_count = (size_t)(argc - first), .argc = argc, .argv = argv };
	int code = term_format_parse(given->format, &run.format, error);

	return code ? code : cli_crawling_run(&given->crawling, &run, error);
}

static int add_number(struct term_list *list, double number)
{
	int code = term_list_add(list, "");

	if (!code)
		list->numbers[list->count - 1] = number;
	return code;
}

/* Puts a default into each list that was not given. */
static int fill(struct simulate_options *given)
{
	static const char *const methods[] = { "naive", "ratio", "mle", "last-modified" };
	static const double visits[] = { 3, 10, 50 };
	int code = given->processes.count ? 0 : term_list_add(&given->processes, "poisson");

	if (!code && !given->rates.count)
		code = add_number(&given->rates, 1);
	for (size_t i = 0, none = !given->time.count; none && i < 2 && !code; i++)
		code = add_number(&given->time, i ? 1000 : 100);
	if (!given->pages)
		given->pages = given->policies.count ? 1000 : 10000;
	for (size_t i = 0, none = !given->visits.count; none && i < sizeof visits / sizeof *visits && !code; i++)
		code = add_number(&given->visits, visits[i]);

	if (!code && !given->schedules.count)
		code = term_list_add(&given->schedules, "regular");
	for (size_t i = 0, none = !given->methods.count; none && i < sizeof methods / sizeof *methods && !code; i++)
		code = term_list_add(&given->methods, methods[i]);
	return code ? code : cli_methods_expand(&given->methods);
}

static int parse(struct simulate_options *given, int argc, char **argv, int *first, struct prn_error *error)
{
	const struct term_option options[] = {
		{ TERM_OPTION_LIST, "process", 0, &given->processes, "NAME[:KEY=VALUE…]",
		  "how pages change: poisson (default), gamma, mixture, shift, two-speed" },
		{ TERM_OPTION_NUMBERS, "rate", 0, &given->rates, "R,…", "λ: changes per unit of time, any (default 1)" },
		{ TERM_OPTION_LIST, "schedule", 0, &given->schedules, "NAME[:KEY=VALUE…]",
		  "when they are visited: regular (default), poisson, irregular, adaptive" },
		{ TERM_OPTION_NUMBER, "interval", 0, &given->interval, "I", "between two visits, in the mean (default 1)" },
		{ TERM_OPTION_LIST, "method", 0, &given->methods, "NAME[:KEY=VALUE…]",
		  "as in estimate, or all (default: naive,ratio,mle,last-modified)" },
		{ TERM_OPTION_NUMBERS, "visits", 0, &given->visits, "N,…", "after so many visits (default 3,10,50)" },
		{ TERM_OPTION_TEXT, "of", 0, &given->of, "rate|interval",
		  "what is looked at: λ̂/λ (default), or the mean time between changes" },
		{ TERM_OPTION_NUMBER, "confidence", 0, &given->confidence, "C",
		  "also count how often the estimators' intervals of this confidence hold the truth" },
		{ TERM_OPTION_COUNT, "pages", 0, &given->pages, "N", "of each, 2 to 10000000 (default 10000; of policies 1000)" },
		{ TERM_OPTION_COUNT, "seed", 0, &given->seed, "N", "the same seed makes the same pages (default 1)" },
		{ TERM_OPTION_COUNT, "threads", 0, &given->threads, "N", "how many (default: as many as processors)" },
		{ TERM_OPTION_FLAG, "list", 0, &given->list, NULL, "print processes and schedules with their keys instead" },
		{ TERM_OPTION_TEXT, "format", 0, &given->format, TERM_FORMATS, "default: table on a terminal, else tsv" },
		{ TERM_OPTION_HEADING, "Policies in place of estimators", 0, NULL, NULL, NULL },
		{ TERM_OPTION_LIST, "policy", 0, &given->policies, "NAME[:KEY=VALUE…]",
		  "as in policies; or known[:freshness|age|binary|harmonic], the best for who knows the rates" },
		CLI_PLUGINS_ROW(&given->plugins),
		{ TERM_OPTION_NUMBERS, "dial", 0, &given->dials, "T,…", "their dial: a threshold, period, scale or multiplier" },
		{ TERM_OPTION_NUMBERS, "at-cost", 0, &given->costs, "C,…",
		  "or the dial at which a page is visited so often per unit of time" },
		{ TERM_OPTION_NUMBERS, "time", 0, &given->time, "FROM,UNTIL", "the time that is looked at (default 100,1000)" },
		{ TERM_OPTION_NUMBER, "very-stale", 0, &given->very_stale, "S", "stale for longer is very stale (default 1)" },
		CLI_CRAWLING_ROWS(&given->crawling),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"simulate", "[OPTION]… [SRC…]",
		"Draws pages whose changes are known, has estimators watch them, and prints how far they are off:\n"
		"a line for each process, rate, schedule, method and number of visits, of which any may be several.\n"
		"With --policy, what policies cost and miss: a line for each process, rate, policy and dial.\n"
		"With --ordering, how soon a crawl finds what matters; with --parallel, what many crawlers miss, fetch twice and tell\n"
		"each other: on a drawn web, or on the pages of traces with links.",
		options,
	};
	int code = term_options_parse(&usage, argc, argv, first, error);

	return !code && !given->threads ? term_usage_error(error, "--threads takes 1 or more") : code;
}

/* Has pages that nobody crawls, and reads no files. */
static int watch(struct simulate_options *given, int argc, char **argv, int first, struct prn_error *error)
{
	int code;

	if (first < argc)
		return term_usage_error(error, "unexpected operand '%s': only --ordering and --parallel read files", argv[first]);
	if (cli_crawling_is_filtered(&given->crawling))
		return term_usage_error(error, "only --ordering and --parallel read captures, which there are to filter");
	code = cli_plugins_load(&given->plugins, error);
	if (!code)
		code = fill(given);
	return code ? code : check_and_simulate(given, argc, argv, error);
}

int cli_simulate(int argc, char **argv, struct prn_error *error)
{
	struct simulate_options given = { .crawling = CLI_CRAWLING_NONE, .interval = 1, .confidence = NAN, .very_stale = 1, .seed = 1, .threads = prn_parallel_processors() };
	int first, code = parse(&given, argc, argv, &first, error);

	if (!code)
		code = cli_crawling_is_asked(&given.crawling) ? crawl(&given, argc, argv, first, error) : watch(&given, argc, argv, first, error);
	cli_crawling_release(&given.crawling);
	term_list_release(&given.processes);
	term_list_release(&given.schedules);
	term_list_release(&given.methods);
	term_list_release(&given.rates);
	term_list_release(&given.visits);
	term_list_release(&given.policies);
	term_list_release(&given.dials);
	term_list_release(&given.costs);
	term_list_release(&given.time);
	term_list_release(&given.plugins);
	return code;
}
