#include "evaluate/evaluation_internal.h"
#include "base/parallel.h"
#include "base/random.h"
#include "evaluate/budgets.h"
#include "evaluate/contender_internal.h"
#include "evaluate/group.h"
#include "evaluate/units.h"
#include "history/rates.h"

#include "perennial/digest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pages that are replayed before their scores are added up: enough to keep every thread busy. */
#define BATCH 1024

/* The data of one thread. */
struct replayer {
	struct prn_member *members; /* [units.most] */
	struct prn_group group;     /* if hints are used */
	void *state;
};

/* The results of one page. */
struct result {
	double weight, unit_s, interval;
	size_t captures;
	bool counted, changed, in_part;
	bool watched; /* it only serves the others and is not evaluated itself */
};

struct evaluation_run {
	struct prn_evaluation *evaluation;
	const struct prn_pages *pages;
	enum prn_clock clock;
	bool studies; /* some contender needs prn_offline_study */
	bool together; /* the pages of a host are replayed together */
	size_t state_bytes;
	struct replayer *replayers;
	size_t threads;
	struct prn_units units;
	size_t start;             /* first unit of the batch */
	struct result *results;   /* [BATCH] */
	struct prn_score *scores; /* [BATCH][settings][PRN_WINDOWS] */
};

/* Replays one sweep at one setting over a unit; scores of member i are at scores[i * stride]. */
static int replay_setting(const struct evaluation_run *run, struct replayer *replayer, size_t count, size_t corpus,
                          const struct prn_sweep *sweep, const struct prn_setting *setting, struct prn_score *scores,
                          size_t stride)
{
	const struct prn_contender *contender = sweep->contenders[corpus];
	int code = 0;

	if (run->together && contender->online && !prn_policy_skips_static(contender->online))
		return prn_group_replay(&replayer->group, replayer->members, count, contender, setting, scores, stride);
	for (size_t i = 0; i < count && !code; i++) {
		struct prn_member *member = &replayer->members[i];

		if (member->counted)
			code = prn_contender_replay(contender, setting, &member->truth, &member->page, &member->offline,
			                            replayer->state, &scores[i * stride]);
	}
	return code;
}

/* At every setting except budgets, which are replayed for all pages together. */
static int replay_all(const struct evaluation_run *run, struct replayer *replayer, size_t count, size_t corpus,
                      struct prn_score *scores)
{
	const struct prn_evaluation *evaluation = run->evaluation;
	int code = 0;

	for (size_t i = 0; i < evaluation->sweep_count; i++) {
		const struct prn_sweep *sweep = &evaluation->sweeps[i];
		struct prn_score *own = &scores[evaluation->first[i] * PRN_WINDOWS];

		for (size_t j = 0; j < sweep->setting_count && !sweep->budgets && !code; j++)
			code = replay_setting(run, replayer, count, corpus, sweep, &sweep->settings[j], &own[j * PRN_WINDOWS],
			                      evaluation->settings * PRN_WINDOWS);
	}
	return code;
}

/* Pages are drawn by their URLs, so the draw does not depend on the other pages. */
static uint64_t draw(const struct prn_pages *pages, size_t page)
{
	const char *url = pages->url(pages->context, page);
	uint64_t mix = pages->late->seed;

	mix = prn_random_mix(&mix) ^ (url ? prn_digest_bytes(url, strlen(url)).low : page);
	return prn_random_mix(&mix);
}

/* Tells whether a member of a unit joins late: of n members, those of the ⌊share n⌋ smallest draws do. */
static bool joins_late(const struct prn_pages *pages, const size_t *unit, size_t count, size_t member)
{
	uint64_t own = draw(pages, unit[member]);
	size_t before = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t other = draw(pages, unit[i]);

		before += other < own || (other == own && i < member);
	}
	return before < (size_t)(pages->late->share * (double)count);
}

/* Records how the page changed from one capture to the next. */
static void look_at_changes(const struct prn_truth *truth, struct result *result)
{
	size_t before = 0;

	for (size_t at = 1; at < truth->captures && !result->in_part; at++) {
		double divergence;

		if (!truth->taken[at])
			continue;
		divergence = prn_truth_divergence(truth, before, at);
		result->changed |= divergence > 0;
		result->in_part = divergence > 0 && divergence < 1;
		before = at;
	}
}

/* Reads page i of a unit and all data that the replay needs.  Returns 0 or a negative code. */
static int read_member(const struct evaluation_run *run, struct prn_member *member, const size_t *unit, size_t count, size_t i,
                       struct result *result, struct prn_error *error)
{
	const struct prn_pages *pages = run->pages;
	bool late = pages->late && joins_late(pages, unit, count, i);
	size_t page = unit[i], first, last;
	int code = pages->read(pages->context, page, &member->page, error);

	*result = (struct result){ .watched = pages->late && pages->late->share > 0 && !late };
	member->counted = false;
	if (code < 0)
		return code;
	member->truth.mean_bytes = pages->mean_bytes;
	if (late && !prn_page_life(&member->page, &first, &last))
		prn_page_start_later(&member->page, (last - first + 1) / 2);
	member->truth.look_cost = pages->look_cost;
	code = prn_truth_read(&member->truth, &member->page, run->clock);
	if (!code)
		return 0;
	if (code > 0 && pages->rates)
		member->truth.said = prn_rate_log_said(pages->rates, &member->truth, pages->url(pages->context, page));
	if (code > 0)
		code = run->studies ? prn_offline_study(&member->offline, &member->truth) : 0;
	if (!code && pages->hints)
		code = prn_replay_hints_read(&member->hearing, pages->hints, &member->truth, pages->url(pages->context, page));
	if (code)
		return prn_error_set(error, code, "%s: %s", member->page.url, prn_error_text(code));
	member->counted = true;
	result->weight = member->truth.weight;
	result->unit_s = member->truth.unit_s;
	result->captures = member->truth.captures;
	result->interval = member->truth.time[member->truth.captures - 1] / (double)(member->truth.captures - 1);
	result->counted = true;
	look_at_changes(&member->truth, result);
	return 0;
}

static void find_patterns(const struct prn_pages *pages, const size_t *unit, struct prn_member *members, size_t count)
{
	struct prn_digest patterns[PRN_UNIT_PAGES];

	for (size_t i = 0; i < count && pages->late; i++) {
		const char *url = pages->url(pages->context, unit[i]);
		char text[PRN_PATTERN_BYTES + 1];

		patterns[i] = prn_digest_bytes(text, prn_url_pattern(url ? url : "", text));
		for (members[i].pattern = 0; prn_digest_compare(&patterns[members[i].pattern], &patterns[i]);)
			members[i].pattern++;
	}
}

static int replay_unit(void *context, size_t thread, size_t item, struct prn_error *error)
{
	struct evaluation_run *run = context;
	struct replayer *replayer = &run->replayers[thread];
	const struct prn_units *units = &run->units;
	size_t unit = run->start + item, first = units->starts[unit], count = units->starts[unit + 1] - first;
	size_t place = first - units->starts[run->start];
	int code = 0;

	for (size_t i = 0; i < count && !code; i++)
		code = read_member(run, &replayer->members[i], &units->pages[first], count, i, &run->results[place + i],
		                   error);
	if (code)
		return code;
	find_patterns(run->pages, &units->pages[first], replayer->members, count);
	code = replay_all(run, replayer, count, run->pages->corpus(run->pages->context, units->pages[first]),
	                  &run->scores[place * run->evaluation->settings * PRN_WINDOWS]);
	return code ? prn_error_set(error, code, "%s: %s", replayer->members[0].page.url, prn_error_text(code)) : 0;
}

/* Adds a page's scores; pages are added in their order, whichever thread replayed them. */
static void add_page(struct prn_evaluation *evaluation, size_t page, const struct result *result,
                     const struct prn_score *scores)
{
	if (result->watched)
		return;
	if (!result->counted) {
		evaluation->left_out++;
		return;
	}
	if (!evaluation->pages++ || result->interval < evaluation->interval)
		evaluation->interval = result->interval;
	evaluation->replays++;
	evaluation->captures += result->captures;
	evaluation->changed |= result->changed;
	evaluation->in_part |= result->in_part;
	prn_evaluation_add_page(evaluation, page, result->weight, result->unit_s);
	for (size_t i = 0; i < evaluation->sweep_count; i++)
		for (size_t j = evaluation->first[i]; j < evaluation->first[i + 1] && !evaluation->sweeps[i].budgets; j++)
			prn_evaluation_add(evaluation, page, j, result->weight, &scores[j * PRN_WINDOWS]);
}

/* Returns how many units from start on fill a batch. */
static size_t batch_of(const struct prn_units *units, size_t start)
{
	size_t end = start + 1;

	while (end < units->count && units->starts[end + 1] - units->starts[start] <= BATCH)
		end++;
	return end - start;
}

static int replay_pages(struct evaluation_run *run, struct prn_error *error)
{
	struct prn_evaluation *evaluation = run->evaluation;
	const struct prn_units *units = &run->units;
	size_t stride = evaluation->settings * PRN_WINDOWS, items;

	for (run->start = 0; run->start < units->count; run->start += items) {
		const size_t *pages = &units->pages[units->starts[run->start]];
		int code;

		items = batch_of(units, run->start);
		code = prn_parallel_for(items, run->threads, replay_unit, run, error);
		if (code)
			return code;
		for (size_t i = 0; i < units->starts[run->start + items] - units->starts[run->start]; i++)
			add_page(evaluation, pages[i], &run->results[i], &run->scores[i * stride]);
	}
	if (run->pages->part.of > 1)
		return 0;
	if (!evaluation->pages && run->pages->late)
		return prn_error_set(error, PRN_E_NOT_FOUND,
		                     "no page that joins late has %d captures or more in its life from then on; of a host's n pages ⌊%g n⌋ do",
		                     PRN_LIFE_CAPTURES, run->pages->late->share);
	if (!evaluation->pages)
		return prn_error_set(error, PRN_E_NOT_FOUND, "no page has %d captures or more in its life: %zu left out",
		                     PRN_LIFE_CAPTURES, evaluation->left_out);
	return 0;
}

static int check_setting(const struct prn_pages *pages, const struct prn_sweep *sweep, const struct prn_setting *setting,
                         struct prn_error *error)
{
	const struct prn_policy_info *about = prn_contender_about(sweep->contenders[0]);

	if (!(setting->value > 0) || !isfinite(setting->value))
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: a setting must be above 0, not %g", about->name,
		                     setting->value);
	if (setting->in_seconds && (about->dial != PRN_DIAL_PERIOD || sweep->budgets))
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: a %s is not a duration", about->name,
		                     sweep->budgets ? "budget" : prn_dial_name(about->dial));
	if (sweep->budgets && prn_contender_studies(sweep->contenders[0]))
		return prn_error_set(error, PRN_E_UNSUPPORTED,
		                     "%s: what knows pages beforehand cannot be told to keep to a budget", about->name);
	if (sweep->budgets && pages->part.of > 1)
		return prn_error_set(error, PRN_E_UNSUPPORTED,
		                     "%s: a budget is spent on all pages together: of a part of them there is none", about->name);
	if (sweep->budgets && pages->late)
		return prn_error_set(error, PRN_E_UNSUPPORTED, "%s: where pages join late there are no budgets: give thresholds",
		                     about->name);
	return 0;
}

static int check_settings(const struct prn_evaluation *evaluation, const struct prn_pages *pages, struct prn_error *error)
{
	for (size_t i = 0; i < evaluation->sweep_count; i++)
		for (size_t j = 0; j < evaluation->sweeps[i].setting_count; j++) {
			int code = check_setting(pages, &evaluation->sweeps[i], &evaluation->sweeps[i].settings[j], error);

			if (code)
				return code;
		}
	return 0;
}

static void look_at_contenders(struct evaluation_run *run)
{
	for (size_t i = 0; i < run->evaluation->sweep_count; i++)
		for (size_t j = 0; j < run->pages->corpora; j++) {
			const struct prn_contender *contender = run->evaluation->sweeps[i].contenders[j];
			size_t bytes = prn_contender_state_size(contender);

			run->studies |= prn_contender_studies(contender);
			if (bytes > run->state_bytes)
				run->state_bytes = bytes;
		}
}

static int replayer_init(struct replayer *replayer, const struct evaluation_run *run)
{
	size_t room = run->units.most ? run->units.most : 1;

	replayer->members = calloc(room, sizeof *replayer->members);
	replayer->state = calloc(run->state_bytes + 1, 1);
	if (!replayer->members || !replayer->state)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < room; i++) {
		prn_page_init(&replayer->members[i].page);
		prn_truth_init(&replayer->members[i].truth);
		prn_offline_init(&replayer->members[i].offline);
		prn_replay_hints_init(&replayer->members[i].hearing);
	}
	if (!run->together)
		return 0;
	return prn_group_init(&replayer->group, room, run->pages->hints ? prn_hint_log_sources(run->pages->hints) : 0,
	                      run->state_bytes, run->pages->late);
}

static void replayer_release(struct replayer *replayer, size_t room)
{
	for (size_t i = 0; replayer->members && i < room; i++) {
		prn_page_release(&replayer->members[i].page);
		prn_truth_release(&replayer->members[i].truth);
		prn_offline_release(&replayer->members[i].offline);
		prn_replay_hints_release(&replayer->members[i].hearing);
	}
	prn_group_release(&replayer->group);
	free(replayer->members);
	free(replayer->state);
}

static int run_open(struct evaluation_run *run)
{
	int code = prn_units_find(&run->units, run->pages, run->together);

	run->results = calloc(BATCH, sizeof *run->results);
	run->scores = calloc(run->evaluation->settings + 1, BATCH * PRN_WINDOWS * sizeof *run->scores);
	run->replayers = calloc(run->threads, sizeof *run->replayers);
	if (code || !run->results || !run->scores || !run->replayers)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < run->threads && !code; i++)
		code = replayer_init(&run->replayers[i], run);
	return code;
}

static void run_release(struct evaluation_run *run)
{
	for (size_t i = 0; run->replayers && i < run->threads; i++)
		replayer_release(&run->replayers[i], run->units.most);
	prn_units_release(&run->units);
	free(run->replayers);
	free(run->results);
	free(run->scores);
}

int prn_evaluation_run(struct prn_evaluation **out, const struct prn_pages *pages, const struct prn_sweep *sweeps,
                       size_t sweep_count, enum prn_clock clock, size_t threads, struct prn_error *error)
{
	struct evaluation_run run = { .pages = pages, .clock = clock, .threads = prn_parallel_threads(threads), .together = pages->hints || pages->late };
	int code;

	if ((unsigned)clock > PRN_CLOCK_DAYS)
		return prn_error_set(error, PRN_E_ARGUMENT, "there is no clock %u", (unsigned)clock);
	code = prn_evaluation_open(&run.evaluation, pages, sweeps, sweep_count);
	if (!code)
		code = check_settings(run.evaluation, pages, error);
	if (code)
		goto out;
	look_at_contenders(&run);
	code = run_open(&run);
	if (!code)
		code = replay_pages(&run, error);
	if (!code)
		code = prn_budgets_replay(run.evaluation, pages, clock, run.threads, error);
	if (!code)
		prn_evaluation_finish(run.evaluation);
out:
	if (code == PRN_E_MEMORY && error && !error->code)
		prn_error_memory(error);
	run_release(&run);
	if (code)
		prn_evaluation_free(run.evaluation);
	else
		*out = run.evaluation;
	return code;
}
