#include "evaluate/evaluation_internal.h"
#include "base/parallel.h"
#include "evaluate/budgets.h"
#include "evaluate/contender_internal.h"

#include <math.h>
#include <stdlib.h>

/* Pages replayed before their scores are added up: enough to keep every thread busy. */
#define BATCH 1024

/* One thread's own. */
struct replayer {
	struct prn_page page;
	struct prn_truth truth;
	struct prn_offline offline;
	void *state;
};

/* One page's results. */
struct result {
	double weight, unit_s, interval;
	bool counted;
};

struct run {
	struct prn_evaluation *evaluation;
	const struct prn_pages *pages;
	enum prn_clock clock;
	bool studies; /* some contender wants prn_offline_study */
	size_t state_bytes;
	struct replayer *replayers;
	size_t threads;
	size_t start;             /* the batch's first page */
	struct result *results;   /* [BATCH] */
	struct prn_score *scores; /* [BATCH][settings][PRN_WINDOWS] */
};

/* At every setting but the budgets: those are replayed for all pages together. */
static int replay_all(const struct run *run, struct replayer *replayer, size_t corpus, struct prn_score *scores)
{
	const struct prn_evaluation *evaluation = run->evaluation;
	int code = 0;

	for (size_t i = 0; i < evaluation->sweep_count; i++) {
		const struct prn_sweep *sweep = &evaluation->sweeps[i];
		struct prn_score *own = &scores[evaluation->first[i] * PRN_WINDOWS];

		for (size_t j = 0; j < sweep->setting_count && !sweep->budgets && !code; j++)
			code = prn_contender_replay(sweep->contenders[corpus], &sweep->settings[j], &replayer->truth,
			                            &replayer->page, &replayer->offline, replayer->state,
			                            &own[j * PRN_WINDOWS]);
	}
	return code;
}

static double mean_interval(const struct prn_truth *truth)
{
	return truth->time[truth->captures - 1] / (double)(truth->captures - 1);
}

static int replay_page(void *context, size_t thread, size_t item, struct prn_error *error)
{
	struct run *run = context;
	struct replayer *replayer = &run->replayers[thread];
	struct result *result = &run->results[item];
	size_t page = run->start + item;
	int code = run->pages->read(run->pages->context, page, &replayer->page, error);

	*result = (struct result){ 0 };
	if (code < 0)
		return code;
	code = prn_truth_read(&replayer->truth, &replayer->page, run->clock);
	if (!code)
		return 0;
	if (code > 0)
		code = run->studies ? prn_offline_study(&replayer->offline, &replayer->truth) : 0;
	if (!code)
		code = replay_all(run, replayer, run->pages->corpus(run->pages->context, page),
		                  &run->scores[item * run->evaluation->settings * PRN_WINDOWS]);
	if (code)
		return prn_error_set(error, code, "%s: %s", replayer->page.url, prn_error_text(code));
	*result = (struct result){ .weight = replayer->truth.weight,
		                   .unit_s = replayer->truth.unit_s,
		                   .interval = mean_interval(&replayer->truth),
		                   .counted = true };
	return 0;
}

/* Adds a page's scores up, in the order of pages whatever thread made them. */
static void add_page(struct prn_evaluation *evaluation, size_t page, const struct result *result,
                     const struct prn_score *scores)
{
	if (!result->counted) {
		evaluation->left_out++;
		return;
	}
	if (!evaluation->pages++ || result->interval < evaluation->interval)
		evaluation->interval = result->interval;
	evaluation->replays++;
	evaluation->weight += result->weight;
	evaluation->unit_sum += result->unit_s;
	evaluation->cluster_weights[evaluation->cluster_of[page]] += result->weight;
	for (size_t i = 0; i < evaluation->sweep_count; i++)
		for (size_t j = evaluation->first[i]; j < evaluation->first[i + 1] && !evaluation->sweeps[i].budgets; j++)
			prn_evaluation_add(evaluation, page, j, result->weight, &scores[j * PRN_WINDOWS]);
}

static int replay_pages(struct run *run, struct prn_error *error)
{
	struct prn_evaluation *evaluation = run->evaluation;
	size_t count = run->pages->count, stride = evaluation->settings * PRN_WINDOWS;

	for (run->start = 0; run->start < count; run->start += BATCH) {
		size_t items = count - run->start < BATCH ? count - run->start : BATCH;
		int code = prn_parallel_for(items, run->threads, replay_page, run, error);

		if (code)
			return code;
		for (size_t i = 0; i < items; i++)
			add_page(evaluation, run->start + i, &run->results[i], &run->scores[i * stride]);
	}
	if (!evaluation->pages)
		return prn_error_set(error, PRN_E_NOT_FOUND, "no page has %d captures or more in its life: %zu left out",
		                     PRN_LIFE_CAPTURES, evaluation->left_out);
	return 0;
}

static int check_setting(const struct prn_sweep *sweep, const struct prn_setting *setting, struct prn_error *error)
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
	return 0;
}

static int check_settings(const struct prn_evaluation *evaluation, struct prn_error *error)
{
	for (size_t i = 0; i < evaluation->sweep_count; i++)
		for (size_t j = 0; j < evaluation->sweeps[i].setting_count; j++) {
			int code = check_setting(&evaluation->sweeps[i], &evaluation->sweeps[i].settings[j], error);

			if (code)
				return code;
		}
	return 0;
}

static void look_at_contenders(struct run *run)
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

static int run_open(struct run *run)
{
	run->results = calloc(BATCH, sizeof *run->results);
	run->scores = calloc(run->evaluation->settings + 1, BATCH * PRN_WINDOWS * sizeof *run->scores);
	run->replayers = calloc(run->threads, sizeof *run->replayers);
	if (!run->results || !run->scores || !run->replayers)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < run->threads; i++) {
		struct replayer *replayer = &run->replayers[i];

		prn_page_init(&replayer->page);
		prn_truth_init(&replayer->truth);
		prn_offline_init(&replayer->offline);
		replayer->state = calloc(run->state_bytes + 1, 1);
		if (!replayer->state)
			return PRN_E_MEMORY;
	}
	return 0;
}

static void run_release(struct run *run)
{
	for (size_t i = 0; run->replayers && i < run->threads; i++) {
		prn_page_release(&run->replayers[i].page);
		prn_truth_release(&run->replayers[i].truth);
		prn_offline_release(&run->replayers[i].offline);
		free(run->replayers[i].state);
	}
	free(run->replayers);
	free(run->results);
	free(run->scores);
}

int prn_evaluation_run(struct prn_evaluation **out, const struct prn_pages *pages, const struct prn_sweep *sweeps,
                       size_t sweep_count, enum prn_clock clock, size_t threads, struct prn_error *error)
{
	struct run run = { .pages = pages, .clock = clock, .threads = threads };
	int code = prn_evaluation_open(&run.evaluation, pages, sweeps, sweep_count);

	if (!code)
		code = check_settings(run.evaluation, error);
	if (code)
		goto out;
	look_at_contenders(&run);
	code = run_open(&run);
	if (!code)
		code = replay_pages(&run, error);
	if (!code)
		code = prn_budgets_replay(run.evaluation, pages, clock, threads, error);
	if (!code)
		prn_evaluation_order(run.evaluation);
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
