/* perennial stats: what became of the budget, and which hosts are held back. */
#include "base/buffer.h"
#include "cli/command.h"
#include "cli/deciding.h"
#include "cli/keeping.h"
#include "serve/json.h"
#include "term/say.h"
#include "term/table.h"

#include "perennial/hinting.h"
#include "perennial/shard.h"
#include "perennial/stats.h"
#include "perennial/time.h"
#include "perennial/tuning.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An unused amount that exceeds the room by this share of the budget is explained. */
#define LEFT 0.05
#define KEPT_NONE "; a day has had as much as it may, and what is left is made up for on later ones"
#define KEPT_REST "; with that a day has had as much as it may, and the rest of what is left is made up for on later ones"

/* A budget has no higher threshold, about (doc/theory.md §10). */
#define HIGHEST 1e9

static void print_budget(const struct prn_stats *stats, int64_t now)
{
	char time[PRN_TIME_TEXT], wait[PRN_TIME_TEXT], budget[PRN_AMOUNT_TEXT], given[PRN_AMOUNT_TEXT], left[PRN_AMOUNT_TEXT], debts[PRN_AMOUNT_TEXT];

	if (!(stats->budget_per_day > 0)) {
		puts("budget      none: 'perennial tune --budget=N/day --apply' sets one");
		return;
	}
	prn_amount_format(stats->budget_per_day, stats->unit, budget);
	prn_amount_format(stats->given_day, stats->unit, given);
	prn_amount_format(stats->left, stats->unit, left);
	if (stats->forgiven_day > 0)
		printf("budget      %s a day; spent in the last day %s, of which %s are owed by hosts alone, not used and left %s\n", budget,
		       given, prn_amount_format(stats->forgiven_day, stats->unit, debts), left);
	else if (stats->counted)
		printf("budget      %s a day; spent in the last day %s, not used and left %s\n", budget, given, left);
	else
		printf("budget      %s a day; handed out in the last day %.0f, not used and left %.1f\n", budget, stats->given_day, stats->left);
	if (stats->cost_304[0])
		printf("304         costs %s of a fetch\n", stats->cost_304);
	if (stats->room && stats->unit == PRN_UNIT_BYTES)
		printf("room        %s now", prn_amount_format((double)stats->room, stats->unit, left));
	else if (stats->room)
		printf("room        %.0f now", (double)stats->room);
	else
		printf("room        none until %s, in %s", prn_time_format(stats->room_time, time),
		       cli_format_wait(stats->room_time - now, wait));
	puts(stats->left < (double)stats->room + fmax(1, LEFT * stats->budget_per_day) ? "" : stats->room ? KEPT_REST : KEPT_NONE);
}

static void print_answers(const struct prn_answers *answers)
{
	char time[PRN_TIME_TEXT], came[PRN_AMOUNT_TEXT], spared[PRN_AMOUNT_TEXT];

	if (!(answers->looks > 0))
		return;
	printf("answers     %.0f since %s: %.1f %% not modified (304), %.1f %% the same bytes again; %s of bodies came",
	       answers->looks, prn_time_format(answers->since, time), 100 * answers->not_modified / answers->looks,
	       100 * answers->same / answers->looks, prn_amount_format(answers->bytes, PRN_UNIT_BYTES, came));
	if (answers->spared > 0)
		printf(", and 304s spared %s", prn_amount_format(answers->spared, PRN_UNIT_BYTES, spared));
	putchar('\n');
}

/*
 * Prints the threshold now and at each sixth hour before, as far as it is known.  within: what pages want within the given
 * intervals, or NULL.
 */
static void print_thresholds(const struct prn_stats *stats, const double *within, const char *dial)
{
	char load[PRN_AMOUNT_TEXT];

	printf("threshold   %s = %g", dial, stats->threshold);
	if (stats->load_per_day > 0 && stats->unit == PRN_UNIT_BYTES)
		printf(", at which all pages want %s a day", prn_amount_format(stats->load_per_day, stats->unit, load));
	else if (stats->load_per_day > 0)
		printf(", at which all pages want %.1f visits a day", stats->load_per_day);
	if (stats->threshold <= HIGHEST && stats->new_load_per_day > stats->load_per_day / 10 && stats->load_per_day > 1.5 * stats->sought * stats->budget_per_day)
		printf(", %.0f %% of that for pages that were never fetched, which raise %s slowly", 100 * stats->new_load_per_day / stats->load_per_day, dial);
	if (within && stats->unit == PRN_UNIT_BYTES)
		printf(", %s within the intervals that are given", prn_amount_format(*within, stats->unit, load));
	else if (within)
		printf(", %.1f within the intervals that are given", *within);
	if (stats->load_per_day > stats->budget_per_day && stats->threshold > HIGHEST && stats->budget_per_day > 0)
		printf(", more than the budget: that is the highest there is, and new pages and maximum intervals want as much at any");
	if (stats->load_per_day > 0 && fabs(log(stats->sought)) > CLI_SOUGHT_SAID)
		printf(" (sought for %.2g times the budget: %s)", stats->sought, cli_sought_why(stats->sought));
	for (int hours = 6, any = 0; hours <= 18; hours += 6) {
		double then = stats->thresholds[PRN_STATS_SLOTS - 1 - 2 * hours];

		if (then > 0)
			printf("%s %g %dh ago", any++ ? "," : "; before", then, hours);
	}
	putchar('\n');
}

static void print_hosts(const struct prn_stats *stats)
{
	char time[PRN_TIME_TEXT], spent[PRN_AMOUNT_TEXT];

	printf("hosts       %" PRIu64 " held back while pages wait for them\n", stats->held_hosts);
	for (size_t i = 0; i < stats->held_hosts && i < PRN_STATS_HOSTS; i++) {
		const struct prn_held_host *host = &stats->hosts[i];

		fputs("  ", stdout);
		term_show(stdout, host->name);
		printf("  %s until %s", prn_held_name(host->held), prn_time_format(host->until, time));
		if (host->spent > 0 && stats->unit == PRN_UNIT_BYTES)
			printf(", %s of the budget spent", prn_amount_format(host->spent, stats->unit, spent));
		else if (host->spent > 0)
			printf(", %.1f of the budget spent", host->spent);
		printf(", %" PRIu32 " out\n", host->leased);
	}
	if (stats->held_hosts > PRN_STATS_HOSTS)
		printf("  and %" PRIu64 " more\n", stats->held_hosts - PRN_STATS_HOSTS);
}

static void print_share(const char *words, double share)
{
	if (isfinite(share))
		printf(words, 100 * share);
}

/* Prints the kinds of sources of hints, and how far each was right. */
static void print_sources(const struct prn_stats *stats)
{
	for (int i = 0, any = 0; i < PRN_SOURCE_KINDS; i++) {
		const struct prn_source_sum *sum = &stats->sources[i];

		if (!sum->sources)
			continue;
		printf("%-11s %s: %" PRIu64 ", trusted by %.2f in the mean", any++ ? "" : "hints",
		       prn_source_kind_name((enum prn_source_kind)i), sum->sources, prn_source_sum_trust(sum));
		print_share("; %.0f %% of visits after a hint found other text", prn_source_sum_precision(sum));
		print_share("; a hint came before %.0f %% of all", prn_source_sum_hinted(sum));
		print_share(", and %.0f %% of those that found other text", prn_source_sum_recall(sum));
		putchar('\n');
	}
	if (stats->damaged_sources)
		printf("            %" PRIu64 " cannot be read, and are passed over\n", stats->damaged_sources);
}

/* Prints the rules for hosts that the options and the file of this call have: the store has none. */
static void print_rules(const struct prn_decider_options *options)
{
	double delay_s = options->host_delay_s, limit = options->host_limit;
	size_t particular = 0;
	char delay[PRN_TIME_TEXT];

	for (size_t i = 0; i < options->host_count; i++) {
		const struct prn_host_rule *rule = &options->hosts[i];

		particular += rule->hosts != NULL;
		if (!rule->hosts && rule->delay_s >= 0)
			delay_s = rule->delay_s;
		if (!rule->hosts && rule->limit >= 0)
			limit = rule->limit;
	}
	if (limit > 0)
		printf("rules       %g page%s of a host out at a time", limit, limit > 1 ? "s" : "");
	else
		printf("rules       any number of pages of a host out at a time");
	printf(", %s between two", prn_duration_format(delay_s, delay));
	if (particular)
		printf("; %zu rule%s for some hosts", particular, particular == 1 ? "" : "s");
	putchar('\n');
}

/* Reports rules that apply to no page: most of them are misspelt. */
static int print_idle_rules(struct prn_decider *decider, const struct prn_decider_options *options, struct prn_error *error)
{
	bool *idle = calloc(options->host_count + 1, sizeof *idle);
	uint64_t looked;
	int code = idle ? prn_decider_idle_rules(decider, idle, &looked, error) : prn_error_memory(error);

	for (size_t i = 0; i < options->host_count && !code; i++) {
		if (!idle[i])
			continue;
		fputs("perennial stats: there is a rule for ", stderr);
		term_show(stderr, options->hosts[i].hosts);
		if (looked < PRN_STATS_RULED)
			fputs(", and no page of a host under it\n", stderr);
		else
			fprintf(stderr, ", and no page of a host under it among %d that were looked at\n", PRN_STATS_RULED);
	}
	free(idle);
	return code;
}

static void print_shards(const struct prn_stats *stats)
{
	const struct prn_stats_shards *shards = &stats->shards;

	if (!shards->made)
		return;
	printf("shards      %zu of %zu made", shards->made, shards->count);
	if (stats->damaged_shards)
		printf(", %" PRIu64 " of them damaged or gone, of which nothing is counted here", stats->damaged_shards);
	if (stats->damaged_shards < shards->made)
		printf("%s of %" PRIu64 " to %" PRIu64 " pages; shard %zu has most", stats->damaged_shards ? "; the others" : ",",
		       shards->least, shards->most, shards->fullest);
	putchar('\n');
}

static void print_words(const struct prn_stats *stats, const double *within, const struct prn_decider_options *options, const char *dial, int64_t now)
{
	const struct prn_store_totals *totals = &stats->totals;
	/* Pages stay queued by host after their host's turn has come, until a call has room for them. */
	bool only_queued = totals->waiting && !stats->held_hosts;

	printf("pages       %" PRIu64 ": %" PRIu64 " due now, %" PRIu64 " of them %s", totals->pages,
	       stats->due, totals->waiting, only_queued ? "queued by host, and no host holds them back" : "waiting for their hosts");
	if (stats->overdue_new)
		printf(", %" PRIu64 " of the others never fetched", stats->overdue_new);
	printf("; %" PRIu64 " out", totals->leased);
	if (stats->ended)
		printf(", %" PRIu64 " of them for longer than their leases", stats->ended);
	if (stats->retired)
		printf("; %" PRIu64 " retired", stats->retired);
	putchar('\n');
	print_shards(stats);
	if (stats->unreadable)
		printf("            %" PRIu64 " cannot be read, and were passed over: 'perennial check' tells which\n", stats->unreadable);
	print_budget(stats, now);
	print_answers(&stats->answers);
	print_thresholds(stats, within, dial);
	print_rules(options);
	print_hosts(stats);
	print_sources(stats);
}

static int print_source(void *context, const struct prn_hint_source *source)
{
	struct term_table *table = context;
	char time[PRN_TIME_TEXT];

	term_table_text(table, source->host);
	term_table_text(table, source->source);
	term_table_text(table, prn_time_format(source->named, time));
	term_table_number(table, source->hints);
	term_table_number(table, source->trust);
	term_table_number(table, source->precision);
	term_table_number(table, source->recall);
	term_table_number(table, source->hinted_share);
	return 0;
}

/* Prints a row for each source of each host. */
static int list_sources(const struct cli_rules *rules, const char *format, struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "host", TERM_COLUMN_TEXT, 0 },     { "source", TERM_COLUMN_TEXT, 0 },   { "named", TERM_COLUMN_TEXT, 0 },
		{ "hints", TERM_COLUMN_NUMBER, 0 },  { "trust", TERM_COLUMN_NUMBER, 2 },  { "precision", TERM_COLUMN_NUMBER, 2 },
		{ "recall", TERM_COLUMN_NUMBER, 2 }, { "hinted", TERM_COLUMN_NUMBER, 2 }, { NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct prn_passed_shards passed = { 0 };
	struct prn_decider *decider = NULL;
	struct term_table *table;
	enum term_format as;
	int closed, code = term_format_parse(format, &as, error);

	if (!code)
		code = prn_decider_open(&decider, rules->store_name, PRN_STORE_READ, &rules->decider, error);
	if (code)
		return code;
	table = term_table_open(as, columns);
	code = prn_decider_sources(decider, print_source, table, &passed, error);
	closed = term_table_close(table, NULL, code ? NULL : error);
	prn_decider_free(decider);
	if (!code)
		code = closed;
	return code ? code : cli_print_damaged("stats", "counted", passed.count, &passed.first);
}

struct listing {
	struct term_table *table;
	uint64_t lost;
	struct prn_error first; /* why the first of them is lost */
};

static int print_shard(void *context, const struct prn_shard_stats *shard)
{
	struct listing *listing = context;
	struct term_table *table = listing->table;

	term_table_count(table, shard->shard);
	term_table_count(table, shard->totals.pages);
	term_table_count(table, shard->totals.due);
	term_table_count(table, shard->totals.leased);
	term_table_count(table, shard->totals.hosts);
	term_table_count(table, shard->totals.bytes);
	term_table_text(table, shard->lost ? shard->lost->text : "");
	if (shard->lost && !listing->lost++)
		listing->first = *shard->lost;
	return 0;
}

/* Prints a row for each shard that was made. */
static int list_shards(const struct cli_rules *rules, const char *format, struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "shard", TERM_COLUMN_COUNT, 0 },  { "pages", TERM_COLUMN_COUNT, 0 }, { "queued", TERM_COLUMN_COUNT, 0 },
		{ "leased", TERM_COLUMN_COUNT, 0 }, { "hosts", TERM_COLUMN_COUNT, 0 }, { "bytes", TERM_COLUMN_COUNT, 0 },
		{ "lost", TERM_COLUMN_TEXT, 0 },    { NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct prn_decider *decider = NULL;
	struct listing listing = { 0 };
	enum term_format as;
	int closed, code = term_format_parse(format, &as, error);

	if (!code)
		code = prn_decider_open(&decider, rules->store_name, PRN_STORE_READ, &rules->decider, error);
	if (code)
		return code;
	listing.table = term_table_open(as, columns);
	code = prn_decider_each_shard(decider, print_shard, &listing, error);
	closed = term_table_close(listing.table, NULL, code ? NULL : error);
	prn_decider_free(decider);
	if (!code)
		code = closed;
	return code ? code : cli_print_damaged("stats", "counted", listing.lost, &listing.first);
}

/*
 * Counts the bodies that are kept; *any: there is a folder of them.  One that cannot be read is reported, and the rest is
 * still printed.
 */
static int count_kept(const struct cli_keeping *keeping, const char *store_name, bool *any, struct keep_counts *kept)
{
	struct prn_error why;
	struct keep *keep;
	int code = cli_keeping_look(keeping, store_name, &keep, &why);

	*any = keep;
	if (!code && keep)
		code = keep_count(keep, kept, &why);
	keep_free(keep);
	if (!code)
		return TERM_DONE;
	*any = false;
	term_say("perennial stats: bodies are not counted: %s\n", why.text);
	return TERM_SKIPPED;
}

static int show(const struct cli_rules *rules, const struct cli_keeping *keeping, bool json, struct prn_error *error)
{
	struct keep_counts kept;
	bool keeps = false;
	struct prn_decider *decider = NULL;
	int64_t now = cli_rules_now(rules);
	struct prn_buffer line = { 0 };
	struct prn_stats stats;
	double within = 0;
	char bytes[PRN_AMOUNT_TEXT];
	bool bounded;
	int code = prn_decider_open(&decider, rules->store_name, PRN_STORE_READ, &rules->decider, error), counted = TERM_DONE;

	if (!code)
		code = prn_decider_stats(decider, now, &stats, error);
	bounded = !code && rules->decider.interval_count && stats.budget_per_day > 0;
	if (bounded)
		code = prn_decider_load(decider, &within, error);
	if (!code)
		counted = count_kept(keeping, rules->store_name, &keeps, &kept);
	if (!code && !json) {
		print_words(&stats, bounded ? &within : NULL, &rules->decider, cli_dial_name(decider), now);
		if (keeps)
			printf("bodies      %" PRIu64 " kept, in %s\n", kept.bodies, prn_amount_format((double)kept.bytes, PRN_UNIT_BYTES, bytes));
	} else if (!code && !(code = serve_json_stats(&line, &stats, bounded ? &within : NULL, keeps ? &kept : NULL) ? prn_error_memory(error) : 0)) {
		fwrite(line.data, 1, line.length, stdout);
	}
	/* The pages to which a rule applies may be in a shard that is gone. */
	if (!code && !stats.damaged_shards)
		code = print_idle_rules(decider, &rules->decider, error);
	prn_buffer_release(&line);
	prn_decider_free(decider);
	if (!code)
		code = term_stdout_flush(error);
	if (!code)
		code = cli_print_damaged("stats", "counted", stats.damaged_shards, &stats.first_damaged);
	return code ? code : counted;
}

int cli_stats(int argc, char **argv, struct prn_error *error)
{
	const char *format = NULL;
	bool sources = false, shards = false;
	struct cli_rules rules;
	struct cli_keeping keeping;
	const struct term_option options[] = {
		CLI_RULES_STATE(&rules),
		{ TERM_OPTION_FLAG, "sources", 0, &sources, NULL,
		  "instead: a row for each source of hints of each host, and how far it proved true" },
		{ TERM_OPTION_FLAG, "shards", 0, &shards, NULL, "instead: a row for each shard, what it has, and whether it is lost" },
		{ TERM_OPTION_TEXT, "format", 0, &format, TERM_FORMATS,
		  "json: an object instead of words; the others are of sources and shards" },
		CLI_KEEPING_PLACE(&keeping),
		CLI_RULES_NOW(&rules),
		CLI_RULES_CONFIG(&rules),
		{ TERM_OPTION_HEADING, "Rules, also keys of --config", 0, NULL, NULL, NULL },
		CLI_RULES_HOSTS(&rules),
		CLI_RULES_INTERVALS(&rules),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"stats", "--state=DIR [OPTION]…",
		"Shows what became of the store's budget: what was handed out, what is left, the threshold over the last\n"
		"day; how many pages are due; which hosts hold pages back, and why; and how far hints are trusted.",
		options,
	};
	int code;

	cli_keeping_init(&keeping);
	code = cli_rules_parse(&rules, &usage, argc, argv, NULL, error);

	if (!code && sources && shards)
		code = term_usage_error(error, "--sources and --shards are two tables: give one of them");
	if (!code && (sources || shards)) {
		code = sources ? list_sources(&rules, format, error) : list_shards(&rules, format, error);
		cli_rules_release(&rules);
		return code;
	}
	if (!code && format && strcmp(format, "json") != 0)
		code = term_usage_error(error, "--format takes json, not '%s'", format);
	if (!code)
		code = show(&rules, &keeping, format, error);
	cli_rules_release(&rules);
	return code;
}
