#include "base/number.h"
#include "base/parallel.h"
#include "cli/command.h"
#include "cli/comparing.h"
#include "cli/judged.h"
#include "cli/plugins.h"
#include "cli/starts.h"
#include "report/defaults.h"
#include "term/inputs.h"
#include "term/options.h"
#include "term/origin.h"
#include "term/part.h"
#include "term/words.h"
#include "perennial/hints.h"
#include "perennial/time.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUPINGS "corpus|host|page|directory" /* in the order of enum prn_grouping */

/* The policies that are compared where pages join late. */
#define WITH_SIBLINGS PRN_POLICY_DEFAULT
#define WITHOUT_SIBLINGS PRN_POLICY_DEFAULT ":siblings=no"

#define OFFSET_MAX 1000000

/* What the command line says, and then what it means. */
struct request {
	struct prn_error *error;
	struct term_list policies, swept[PRN_DIALS], budgets, learn, plugins, offsets;
	const char *clock_name, *by, *hints, *conditional, *cost, *rates, *weights, *late_share, *partial;
	struct prn_part part; /* all zero: everything */
	struct cli_comparing comparing;
	struct term_filter filter;
	double look_cost; /* if conditional is not NULL */
	const char *history, *learning, *risk, *summary;

	struct prn_hint_log *log; /* if hints is not NULL */
	struct prn_rate_log *said; /* if rates is not NULL */
	struct prn_late late; /* if late_share is not NULL */
	enum prn_clock clock;
	size_t *starts; /* as many as offsets, or one */
	enum prn_grouping grouping; /* if by is not NULL */
	char *defaults; /* the global options, as prn_policy_open takes them */
	const char **specifications;
	size_t specification_count;
	struct prn_setting *settings[PRN_DIALS]; /* as many as are swept */
};

/* The functions that follow read the command line before any file is opened.  Each returns 0 to go on, or an error. */
static bool has_key(const struct prn_policy_info *info, const char *key)
{
	const struct prn_policy_key *at = info->keys;

	while (at && at->name && strcmp(at->name, key))
		at++;
	return at && at->name;
}

/*
 * The value is tried on all policies that have the key, also on those that were not asked for: a value that none of them
 * takes is a mistake, which would otherwise go unnoticed.
 */
static int check_default(const char *key, const char *value, struct prn_error *error)
{
	const struct prn_policy_info *info;
	struct prn_policy *policy;
	char *text;
	int code = 0, tried;

	if (asprintf(&text, "%s=%s", key, value) < 0)
		return prn_error_memory(error);
	for (size_t i = 0; (info = prn_policy_info(i)); i++) {
		if (!has_key(info, key))
			continue;
		policy = NULL;
		tried = prn_policy_open(&policy, info->name, text, error);
		prn_policy_free(policy);
		if (tried != PRN_E_ARGUMENT) {
			code = tried;
			break;
		}
		code = tried;
	}
	free(text);
	return code == PRN_E_ARGUMENT ? term_usage_blame(error) : code;
}

static int join_defaults(struct request *request)
{
	const struct {
		const char *key, *value;
	} options[] = {
		{ "history", request->history },
		{ "learning", request->learning },
		{ "risk", request->risk },
		{ "summary", request->summary },
	};
	size_t length;
	FILE *out = open_memstream(&request->defaults, &length);
	const char *before = "";
	int code = 0;

	if (!out)
		return prn_error_memory(request->error);
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		if (!options[i].value)
			continue;
		if (!code)
			code = check_default(options[i].key, options[i].value, request->error);
		fprintf(out, "%s%s=%s", before, options[i].key, options[i].value);
		before = ":";
	}
	return fclose(out) ? prn_error_memory(request->error) : code;
}

/*
 * Lists the policies that were asked for, or else those that are compared by default.  Under a budget these have no
 * yardsticks, which have no use for one; with pages that join late they are drift with and without its siblings.
 */
static int list_policies(struct request *request)
{
	const struct term_list *policies = &request->policies;
	const struct prn_policy_info *info;
	size_t online = 0, yardsticks = 0, n = 0;

	while (prn_policy_info(online))
		online++;
	while (prn_yardstick_info(yardsticks))
		yardsticks++;
	request->specifications = calloc(policies->count + online + yardsticks, sizeof *request->specifications);
	if (!request->specifications)
		return prn_error_memory(request->error);
	for (; n < policies->count; n++)
		request->specifications[n] = policies->items[n];
	if (!n && request->late_share) {
		request->specifications[n++] = WITH_SIBLINGS;
		request->specifications[n++] = WITHOUT_SIBLINGS;
		request->comparing.ratio_to = request->comparing.ratio_to ? request->comparing.ratio_to : WITHOUT_SIBLINGS;
	}
	for (size_t i = 0; !policies->count && !request->late_share && (info = prn_policy_info(i)); i++)
		if (info->compared)
			request->specifications[n++] = info->name;
	for (size_t i = 0; !policies->count && !request->late_share && !request->budgets.count && (info = prn_yardstick_info(i)); i++)
		if (info->compared)
			request->specifications[n++] = info->name;
	request->specification_count = n;
	return 0;
}

/* A period is a bare number of clock units or a duration; the other dials take numbers. */
static int read_setting(const struct request *request, int dial, const char *text, struct prn_setting *setting)
{
	char *end;
	double value = strtod(text, &end);
	bool period = dial == PRN_DIAL_PERIOD, duration = period && *end;

	if ((duration && prn_duration_parse(text, &value)) || !(value > 0) || !isfinite(value))
		return term_usage_error(request->error, "--%s takes numbers above 0%s, not '%s'",
		                        prn_dial_name((enum prn_dial)dial),
		                        period ? ", in clock units, or durations such as 6h or 2d" : "", text);
	*setting = (struct prn_setting){ value, duration };
	return 0;
}

static int read_settings(struct request *request)
{
	bool swept = false;
	int code = 0;

	for (int dial = 0; dial < PRN_DIALS; dial++) {
		const struct term_list *list = &request->swept[dial];

		request->settings[dial] = calloc(list->count + 1, sizeof **request->settings);
		if (!request->settings[dial])
			return prn_error_memory(request->error);
		for (size_t i = 0; i < list->count && !code; i++)
			code = read_setting(request, dial, list->items[i], &request->settings[dial][i]);
		swept |= list->count;
	}
	if (!code && request->budgets.count && swept)
		return term_usage_error(request->error, "--budget solves for thresholds, periods and scales: give none of them with it");
	for (size_t i = 0; i < request->budgets.count && !code; i++)
		if (!(request->budgets.numbers[i] > 0))
			code = term_usage_error(request->error, "--budget takes numbers above 0, not '%s'",
			                        request->budgets.items[i]);
	return code;
}

/* Reads from which captures histories begin, and which groups have rows of their own. */
static int read_pages(struct request *request)
{
	const struct term_list *offsets = &request->offsets;

	request->starts = calloc(offsets->count + 1, sizeof *request->starts);
	if (!request->starts)
		return prn_error_memory(request->error);
	for (size_t i = 0; i < offsets->count; i++) {
		double offset = offsets->numbers[i];

		if (!(offset >= 0) || offset > OFFSET_MAX || offset != floor(offset))
			return term_usage_error(request->error, "--offsets takes whole numbers from 0 to %d, not '%s'", OFFSET_MAX,
			                        offsets->items[i]);
		request->starts[i] = (size_t)offset;
		for (size_t j = 0; j < i; j++)
			if (request->starts[j] == request->starts[i])
				return term_usage_error(request->error, "--offsets names %s twice", offsets->items[i]);
	}
	if (request->by)
		request->grouping = (enum prn_grouping)term_words_find(GROUPINGS, request->by);
	request->comparing.report.by = request->by;
	return 0;
}

static int read_conditional(struct request *request)
{
	const char *text = request->conditional;

	if (text && (!prn_number_read(text, &request->look_cost) || !(request->look_cost > 0) || request->look_cost > 1))
		return term_usage_error(request->error, "--conditional takes a number above 0, at most 1, not '%s'", text);
	return 0;
}

static int read_late(struct request *request)
{
	const char *text = request->late_share;

	if (!text)
		return 0;
	if (!prn_number_read(text, &request->late.share) || !(request->late.share >= 0) || request->late.share >= 1)
		return term_usage_error(request->error, "--late takes a number from 0 and below 1, not '%s'", text);
	if (request->budgets.count)
		return term_usage_error(request->error, "--budget and --late do not go together: with pages that join late give --threshold, or --at-cost");
	if (request->by && request->grouping == PRN_GROUPING_PAGE)
		return term_usage_error(request->error, "--by=page and --late do not go together: a page apart joins no others");
	request->late.seed = request->comparing.seed;
	return 0;
}

/* Reads hints from a file, or makes them up as specified. */
static int read_hints(struct request *request)
{
	const char *hints = request->hints;
	int code = 0;

	if (!hints)
		return 0;
	if (!cli_judged_is_synthetic(hints))
		return prn_hint_log_read(&request->log, hints, request->error);
	code = prn_hint_log_synthesize(&request->log, hints + 9 + (hints[9] == ':'), request->error);
	return code == PRN_E_ARGUMENT ? term_usage_blame(request->error) : code;
}

/* Reads in the same way what is said of how often pages change. */
static int read_rates(struct request *request)
{
	const char *rates = request->rates;
	int code;

	if (!rates)
		return 0;
	if (!cli_judged_is_synthetic(rates))
		return prn_rate_log_read(&request->said, rates, request->error);
	code = prn_rate_log_synthesize(&request->said, rates + 9 + (rates[9] == ':'), request->error);
	return code == PRN_E_ARGUMENT ? term_usage_blame(request->error) : code;
}

/* Opens the policies once without pages, so that a mistake in a specification is reported before any work. */
static int check_policies(struct request *request)
{
	const char *defaults = request->defaults;
	struct prn_sweeps *sweeps;
	bool found;
	int code = prn_sweeps_open(&sweeps, request->specifications, request->specification_count, &defaults, 1,
	                           request->error);

	if (code)
		return term_usage_blame(request->error);
	found = prn_sweeps_find(sweeps, request->comparing.report.ratio_to) != PRN_NO_SWEEP;
	prn_sweeps_free(sweeps);
	if (request->comparing.ratio_to && !found)
		return term_usage_error(request->error, "--ratio-to names '%s', which is not among the policies under test",
		                        request->comparing.ratio_to);
	return 0;
}

static bool is_swept(const struct request *request)
{
	return request->budgets.count || request->swept[PRN_DIAL_THRESHOLD].count || request->swept[PRN_DIAL_PERIOD].count ||
	       request->swept[PRN_DIAL_SCALE].count;
}

static int read_comparing(struct request *request)
{
	int code = cli_comparing_read(&request->comparing, is_swept(request), request->error);

	request->comparing.report.durations = request->swept[PRN_DIAL_PERIOD].items;
	return code;
}

static int read_partial(struct request *request)
{
	const char *printed = cli_comparing_given(&request->comparing);

	if (!request->partial)
		return 0;
	if (printed)
		return term_usage_error(request->error, "--partial prints nothing: give %s to 'perennial merge'", printed);
	if (request->by)
		return term_usage_error(request->error, "--by and --partial do not go together: rows of groups are not joined");
	if (request->budgets.count)
		return term_usage_error(request->error, "--budget and --partial do not go together: a budget is spent on all pages together");
	return 0;
}

static int read_request(struct request *request)
{
	int (*const steps[])(struct request *) = { join_defaults, list_policies, read_comparing, read_pages, read_settings,
		                                   read_conditional, read_late, read_partial, read_hints, read_rates,
		                                   check_policies };
	int code = 0;

	request->clock = strcmp(request->clock_name, "days") ? PRN_CLOCK_STEPS : PRN_CLOCK_DAYS;
	for (size_t i = 0; i < sizeof steps / sizeof *steps && !code; i++)
		code = steps[i](request);
	return code;
}

static void release_request(struct request *request)
{
	free(request->defaults);
	free(request->specifications);
	free(request->starts);
	prn_hint_log_free(request->log);
	prn_rate_log_free(request->said);
	for (int dial = 0; dial < PRN_DIALS; dial++) {
		free(request->settings[dial]);
		term_list_release(&request->swept[dial]);
	}
	term_list_release(&request->policies);
	term_list_release(&request->budgets);
	cli_comparing_release(&request->comparing);
	term_list_release(&request->learn);
	term_list_release(&request->plugins);
	term_list_release(&request->offsets);
	term_filter_release(&request->filter);
}

/*
 * Gives the sweeps the settings that were asked for, and chooses the others.  From here on functions return negative codes
 * with *error.
 */
static int set_settings(const struct request *request, struct prn_sweeps *sweeps, const struct prn_pages *pages,
                        struct prn_error *error)
{
	int code = prn_sweeps_set_budgets(sweeps, request->budgets.numbers, request->budgets.count, error);

	for (int dial = 0; dial < PRN_DIALS && !code; dial++)
		code = prn_sweeps_set(sweeps, (enum prn_dial)dial, request->settings[dial], request->swept[dial].count, error);
	return code ? code : prn_sweeps_choose(sweeps, pages, request->clock, (size_t)request->comparing.threads, error);
}

/* Reports how many entries of a file are about pages here.  If none is, the file was of no use. */
static void print_match(size_t known, size_t all, const char *what, bool *skipped)
{
	fprintf(stderr, "perennial evaluate: %zu of %zu %s of pages here\n", known, all, what);
	*skipped |= !known;
}

static int match_logs(const struct request *request, const struct prn_pages *pages, bool *skipped, struct prn_error *error)
{
	size_t known, all = 0;
	int code = request->log ? prn_hint_log_match(request->log, pages, &known, &all) : 0;

	if (!code && all)
		print_match(known, all, all == 1 ? "hint is" : "hints are", skipped);
	if (request->log && prn_hint_log_unheard(request->log))
		fprintf(stderr, "perennial evaluate: %zu hints are not heard, for %d sources of their host spoke before theirs\n",
		        prn_hint_log_unheard(request->log), PRN_HOST_SOURCES);
	all = 0;
	if (!code && request->said)
		code = prn_rate_log_match(request->said, pages, &known, &all);
	if (!code && all)
		print_match(known, all, all == 1 ? "rate is" : "rates are", skipped);
	return code ? prn_error_memory(error) : 0;
}

/* Gives the pages the weights of a file, if there is one. */
static int weigh(const struct request *request, const struct prn_pages *whole, struct prn_pages_weighed *weighed,
                 struct prn_pages *pages, bool *skipped, struct prn_error *error)
{
	struct prn_weights_counts counts;
	int code;

	*pages = *whole;
	if (!request->weights)
		return 0;
	code = prn_pages_weigh(weighed, whole, request->weights, pages, &counts, error);
	if (!code)
		print_match(counts.known, counts.urls, counts.urls == 1 ? "weight is" : "weights are", skipped);
	if (!code && counts.repeated)
		fprintf(stderr, "perennial evaluate: %" PRIu64 " of the lines of %s %s of a page that has another: the last counts\n",
		        counts.repeated, request->weights, counts.repeated == 1 ? "is" : "are");
	return code;
}

/* The pages that are evaluated: all, or those of the part, whose results are joined to others only if they are saved. */
struct selection {
	struct prn_pages pages;
	struct prn_pages_part part;
	size_t *members, count;
};

/*
 * Whatever is chosen or learned from all pages is the same in every part only if each is given the traces of the whole: a
 * trace of the part alone does not have it.
 */
static int check_whole(const struct request *request, size_t pages, size_t members, struct prn_error *error)
{
	const char *what = request->cost && !strcmp(request->cost, "bytes")   ? "--cost=bytes goes by the mean bytes of all pages"
	                   : request->clock == PRN_CLOCK_DAYS && !is_swept(request) ? "with --clock=days the sweep is chosen from all pages"
	                                                                      : NULL;

	if (!request->partial || request->part.of < 2 || members < pages || !members || !what)
		return 0;
	return prn_error_set(error, PRN_E_UNSUPPORTED, "%s, and these traces have only those of part %u/%u: give the traces of the whole%s", what,
	                     request->part.number, request->part.of,
	                     request->cost && !strcmp(request->cost, "bytes") ? "" : ", or --threshold, --period and --scale");
}

static int select_pages(const struct request *request, const struct prn_pages *pages, struct selection *selection,
                        struct prn_error *error)
{
	*selection = (struct selection){ .pages = *pages };
	if (request->part.of < 2)
		return 0;
	if (prn_pages_in_part(pages, &request->part, &selection->members, &selection->count))
		return prn_error_memory(error);
	prn_pages_part_init(&selection->part, pages, selection->members, selection->count, 0, &selection->pages);
	if (request->partial)
		selection->pages.part = request->part;
	return check_whole(request, pages->count, selection->count, error);
}

static int save(const struct request *request, const struct term_inputs *inputs, const struct cli_starts *starts,
                const struct report_defaults *defaults, struct prn_error *error)
{
	const struct cli_judged judged = {
		.clock = request->clock_name, .inputs = inputs, .defaults = (const char *const *)defaults->texts,
		.sweeps = starts->sweeps, .swept = is_swept(request), .durations = request->swept[PRN_DIAL_PERIOD].items,
		.duration_count = request->swept[PRN_DIAL_PERIOD].count, .offsets = starts->offsets, .offset_count = starts->offset_count,
		.hints = request->hints, .rates = request->rates, .weights = request->weights, .late = request->late_share, .look_cost = request->look_cost,
		.mean_bytes = starts->pages->mean_bytes, .seed = request->comparing.seed, .ratio_to = request->comparing.ratio_to,
	};
	char *settings = NULL;
	int code = cli_judged_write(&judged, &settings, error);

	if (!code)
		code = cli_starts_save(starts, request->partial, settings, error);
	free(settings);
	return code;
}

/* Sets what besides their histories pages are judged by. */
static int prepare(const struct request *request, struct prn_pages *pages, struct prn_error *error)
{
	pages->hints = request->log;
	pages->rates = request->said;
	pages->late = request->late_share ? &request->late : NULL;
	pages->look_cost = request->look_cost;
	if (!request->cost || strcmp(request->cost, "bytes"))
		return 0;
	return prn_pages_mean_bytes(pages, (size_t)request->comparing.threads, &pages->mean_bytes, error);
}

/* Opens the inputs, evaluates and prints or saves. */
static int evaluate(const struct request *request, char **paths, size_t count, bool *skipped, struct prn_error *error)
{
	size_t threads = (size_t)request->comparing.threads;
	struct term_inputs inputs = { 0 };
	struct prn_trace_pool pool = { 0 };
	struct report_defaults defaults = { 0 };
	struct selection selection = { 0 };
	bool unknown = false; /* hints that are of no page of this part may be of pages of others */
	struct prn_sweeps *sweeps = NULL;
	struct cli_starts starts;
	struct prn_pages_weighed weighed = { 0 };
	struct prn_pages pooled, pages;
	bool apart = request->by && request->grouping == PRN_GROUPING_CORPUS;
	int code = (apart ? term_inputs_open_apart : term_inputs_open)(&inputs, paths, count, &request->filter, threads, error);

	*skipped = inputs.skipped;
	if (!code && (request->partial || request->part.of > 1))
		code = term_origins_check(&inputs, &request->part, error);
	if (!code)
		code = prn_trace_pool_init(&pool, inputs.traces, inputs.count, &pooled);
	if (!code)
		code = weigh(request, &pooled, &weighed, &pages, request->partial ? &unknown : skipped, error);
	if (!code)
		code = match_logs(request, &pages, request->partial ? &unknown : skipped, error);
	if (!code)
		code = prepare(request, &pages, error);
	if (!code)
		code = select_pages(request, &pages, &selection, error);
	if (!code)
		code = report_defaults_make(&defaults, request->defaults, &inputs, &pages, &request->learn,
		                            request->clock, threads, error);
	if (!code)
		code = prn_sweeps_open(&sweeps, request->specifications, request->specification_count,
		                       (const char *const *)defaults.texts, inputs.count, error);
	if (!code)
		code = set_settings(request, sweeps, request->partial ? &pages : &selection.pages, error);
	if (code)
		goto out;
	starts = (struct cli_starts){ .pages = &selection.pages, .sweeps = sweeps, .clock = request->clock, .threads = threads,
		                      .offsets = request->starts,
		                      .offset_count = request->offsets.count ? request->offsets.count : 1,
		                      .grouped = request->by, .by = request->grouping, .corpora = inputs.paths };
	code = request->partial ? save(request, &inputs, &starts, &defaults, error)
	                        : cli_starts_print(&starts, &request->comparing.report, error);
out:
	free(selection.members);
	prn_sweeps_free(sweeps);
	report_defaults_release(&defaults);
	prn_pages_weighed_release(&weighed);
	prn_trace_pool_release(&pool);
	term_inputs_release(&inputs);
	return code;
}

static const char about[] =
	"Replays policies over the page histories of traces (or WARC files, or folders, imported on the fly), pooled,\n"
	"and tells how stale the copies are (mean divergence over time) at what cost (visits per page and capture).\n"
	"Without any of --threshold, --period, --scale, --budget, --at-cost, --at-staleness it chooses a sweep and\n"
	"prints a table of staleness at equal cost, with the ratio to cgm (or another policy).  'perennial policies'\n"
	"lists the policies and their keys.";

static int parse(struct request *request, int argc, char **argv, int *first, struct prn_error *error)
{
	struct term_own part = TERM_PART(&request->part);
	const struct term_option options[] = {
		{ TERM_OPTION_HEADING, "Policies", 0, NULL, NULL, NULL },
		{ TERM_OPTION_LIST, "policy", 'p', &request->policies, "A,B:key=v,…",
		  "policies under test (default: the published ones, " PRN_POLICY_DEFAULT " and fs-s)" },
		CLI_PLUGINS_ROW(&request->plugins),
		{ TERM_OPTION_TEXT, "history", 0, &request->history, "H", "history=H for the policies that have the key" },
		{ TERM_OPTION_TEXT, "learning", 0, &request->learning, "L", "learning=L likewise; '2T' ties it to T" },
		{ TERM_OPTION_TEXT, "risk", 0, &request->risk, "RHO", "risk=RHO likewise; 'none' for no bound" },
		{ TERM_OPTION_TEXT, "summary", 0, &request->summary, "M", "summary=M likewise; 'all' for exact divergences" },
		{ TERM_OPTION_LIST, "learn-prior", 0, &request->learn, "X.trace",
		  "learn alpha and beta there; repeatable; a corpus under test never learns from itself" },
		{ TERM_OPTION_HEADING, "Sweep", 0, NULL, NULL, NULL },
		{ TERM_OPTION_NUMBERS, "threshold", 't', &request->swept[PRN_DIAL_THRESHOLD], "T,…", "thresholds, divergence x clock units" },
		{ TERM_OPTION_LIST, "period", 0, &request->swept[PRN_DIAL_PERIOD], "P,…", "periods of uniform: clock units, or durations" },
		{ TERM_OPTION_NUMBERS, "scale", 0, &request->swept[PRN_DIAL_SCALE], "S,…",
		  "scales of the policies that have one: a factor on all their periods" },
		{ TERM_OPTION_NUMBERS, "budget", 'b', &request->budgets, "B,…",
		  "instead: visits per page and clock unit, for which the dial is solved again and again" },
		{ TERM_OPTION_TEXT, "clock", 0, &request->clock_name, "steps|days",
		  "clock unit: a page's mean capture interval (default), or a day" },
		{ TERM_OPTION_NUMBERS, "offsets", 0, &request->offsets, "K,…",
		  "leave out the first K captures of every page; several starts are averaged (default: 0)" },
		{ TERM_OPTION_TEXT, "cost", 0, &request->cost, "visits|bytes",
		  "what visits cost: one each (default), or what they bring, 1 being all bytes of all captures" },
		{ TERM_OPTION_TEXT, "conditional", 0, &request->conditional, "C",
		  "conditional requests: a visit to unchanged bytes costs C of a fetch, and policies know it" },
		{ TERM_OPTION_TEXT, "hints", 0, &request->hints, "FILE|synthetic:key=v:…",
		  "hints that pages may have changed: JSON lines, or made up with recall, precision, delay, noise, every" },
		{ TERM_OPTION_TEXT, "rates", 0, &request->rates, "FILE|synthetic:key=v:…",
		  "what is said of how often pages change: JSON lines, a sitemap, or made up with error, share, blind" },
		{ TERM_OPTION_TEXT, "weights", 0, &request->weights, "FILE",
		  "weights of pages, lines of URL and number, as 'perennial weigh' makes them (default: as imported)" },
		{ TERM_OPTION_TEXT, "late", 0, &request->late_share, "SHARE",
		  "this share of each host's pages joins midway and is judged; the others are watched from the start" },
		TERM_GIT_BASE_ROW(&request->filter),
		{ TERM_OPTION_HEADING, "Output", 0, NULL, NULL, NULL },
		{ TERM_OPTION_TEXT, "by", 0, &request->by, GROUPINGS, "rows for each apart, compared at equal cost within it" },
		CLI_COMPARING_ROWS(&request->comparing),
		TERM_FILTER_ROWS(&request->filter),
		{ TERM_OPTION_HEADING, "Beyond one machine", 0, NULL, NULL, NULL },
		{ TERM_OPTION_OWN, "part", 0, &part, "I/N", "only the pages of part I of N of all hosts" },
		{ TERM_OPTION_OUTPUT, "partial", 0, &request->partial, "FILE", "print nothing: save what 'perennial merge' joins" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = { "evaluate", "[OPTION]… X.trace…", about, options };

	return term_options_parse(&usage, argc, argv, first, error);
}

int cli_evaluate(int argc, char **argv, struct prn_error *error)
{
	struct request request = { .clock_name = "steps", .filter = TERM_FILTER_NONE,
		                   .comparing = { .seed = 1, .resamples = CLI_RESAMPLES, .threads = prn_parallel_processors() } };
	bool skipped = false;
	int first, code = parse(&request, argc, argv, &first, error);

	request.error = error;
	request.comparing.report.argv = argv;
	request.comparing.report.argc = argc;
	if (!code && first == argc)
		code = term_usage_error(error, "no trace to evaluate on was given");
	if (!code)
		code = term_filter_check(&request.filter, error);
	if (!code)
		code = cli_plugins_load(&request.plugins, error);
	if (!code)
		code = read_request(&request);
	if (!code)
		code = evaluate(&request, argv + first, (size_t)(argc - first), &skipped, error);
	release_request(&request);
	return code ? code : skipped ? TERM_SKIPPED : TERM_DONE;
}
