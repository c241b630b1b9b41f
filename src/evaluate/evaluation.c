#include "evaluate/evaluation_internal.h"
#include "base/parallel.h"
#include "history/clusters.h"
#include "evaluate/contender_internal.h"
#include "evaluate/market.h"

#include <math.h>
#include <stdlib.h>

/* Pages replayed before their scores are added up: enough to keep every thread busy. */
#define BATCH 1024

const char *prn_window_name(enum prn_window window)
{
	static const char *const names[PRN_WINDOWS] = { "warm-up", "steady", "all" };

	return names[window];
}

const char *prn_metric_name(enum prn_metric metric)
{
	static const char *const names[PRN_METRICS] = { "fragment", "holistic", "age", "harmonic", "changes" };

	return names[metric];
}

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

/* Budgets are the market's. */
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

/* Adds one window's score at a setting to the sums of a cluster or of all pages. */
static void add_score(const struct prn_evaluation *evaluation, double *sums, enum prn_window window, size_t setting,
                      double weight, const struct prn_score *score)
{
	sums[prn_evaluation_column(evaluation, window, PRN_COLUMN_COST) + setting] += weight * score->cost;
	for (int metric = 0; metric < PRN_METRICS; metric++)
		sums[prn_evaluation_column(evaluation, window, PRN_COLUMN_OF(metric)) + setting] +=
			weight * score->metrics[metric];
}

void prn_evaluation_add(struct prn_evaluation *evaluation, size_t page, size_t setting, double weight,
                        const struct prn_score scores[PRN_WINDOWS])
{
	size_t cluster = prn_evaluation_cluster(evaluation, evaluation->cluster_of[page]);

	for (int window = 0; window < PRN_WINDOWS; window++) {
		add_score(evaluation, &evaluation->cluster_sums[cluster], (enum prn_window)window, setting, weight,
		          &scores[window]);
		add_score(evaluation, evaluation->sums, (enum prn_window)window, setting, weight, &scores[window]);
	}
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
		return prn_error_set(error, PRN_E_RANGE, "%s: a setting must be above 0, not %g", about->name,
		                     setting->value);
	if (setting->in_seconds && (about->dial != PRN_DIAL_PERIOD || sweep->budgets))
		return prn_error_set(error, PRN_E_RANGE, "%s: a %s is not a duration", about->name,
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

/* NULL on overflow as without memory; all zero. */
static void *make_array(size_t a, size_t b, size_t size)
{
	if (b && a > SIZE_MAX / b)
		return NULL;
	return calloc(a && b ? a * b : 1, size);
}

static int run_open(struct run *run)
{
	run->results = make_array(BATCH, 1, sizeof *run->results);
	run->scores = make_array(BATCH * PRN_WINDOWS, run->evaluation->settings, sizeof *run->scores);
	run->replayers = make_array(run->threads, 1, sizeof *run->replayers);
	if (!run->results || !run->scores || !run->replayers)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < run->threads; i++) {
		struct replayer *replayer = &run->replayers[i];

		prn_page_init(&replayer->page);
		prn_truth_init(&replayer->truth);
		prn_offline_init(&replayer->offline);
		replayer->state = make_array(run->state_bytes, 1, 1);
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

static int evaluation_open(struct prn_evaluation **out, const struct prn_pages *pages, const struct prn_sweep *sweeps,
                           size_t sweep_count)
{
	struct prn_evaluation *evaluation = calloc(1, sizeof *evaluation);

	*out = evaluation;
	if (!evaluation)
		return PRN_E_MEMORY;
	evaluation->sweeps = sweeps;
	evaluation->sweep_count = sweep_count;
	evaluation->first = make_array(sweep_count + 1, 1, sizeof *evaluation->first);
	evaluation->cluster_of = make_array(pages->count, 1, sizeof *evaluation->cluster_of);
	if (!evaluation->first || !evaluation->cluster_of ||
	    prn_clusters_find(pages, evaluation->cluster_of, &evaluation->clusters))
		return PRN_E_MEMORY;
	for (size_t i = 0; i < sweep_count; i++)
		evaluation->first[i + 1] = evaluation->first[i] + sweeps[i].setting_count;
	evaluation->settings = evaluation->first[sweep_count];
	evaluation->order = make_array(evaluation->settings, 1, sizeof *evaluation->order);
	evaluation->cluster_weights = make_array(evaluation->clusters, 1, sizeof *evaluation->cluster_weights);
	evaluation->cluster_sums = make_array(evaluation->clusters * PRN_WINDOWS * PRN_COLUMNS, evaluation->settings,
	                                      sizeof *evaluation->cluster_sums);
	evaluation->sums = make_array(PRN_WINDOWS * PRN_COLUMNS, evaluation->settings, sizeof *evaluation->sums);
	if (!evaluation->order || !evaluation->cluster_weights || !evaluation->cluster_sums || !evaluation->sums)
		return PRN_E_MEMORY;
	return 0;
}

/*
 * What settings are ordered by.  A period in seconds stands where it would with the mean clock; a small
 * budget is a large setting.
 */
static double rank_of(const struct prn_evaluation *evaluation, const struct prn_sweep *sweep, size_t setting)
{
	double value = sweep->settings[setting].value;

	if (sweep->budgets)
		return 1 / value;
	return sweep->settings[setting].in_seconds ? value * (double)evaluation->pages / evaluation->unit_sum : value;
}

/* Insertion sort: a sweep has tens of settings. */
static void order_settings(struct prn_evaluation *evaluation)
{
	for (size_t i = 0; i < evaluation->sweep_count; i++) {
		const struct prn_sweep *sweep = &evaluation->sweeps[i];
		size_t *order = &evaluation->order[evaluation->first[i]];

		for (size_t j = 0; j < sweep->setting_count; j++) {
			double rank = rank_of(evaluation, sweep, j);
			size_t at = j;

			for (; at && rank_of(evaluation, sweep, order[at - 1]) > rank; at--)
				order[at] = order[at - 1];
			order[at] = j;
		}
	}
}

int prn_evaluation_run(struct prn_evaluation **out, const struct prn_pages *pages, const struct prn_sweep *sweeps,
                       size_t sweep_count, enum prn_clock clock, size_t threads, struct prn_error *error)
{
	struct run run = { .pages = pages, .clock = clock, .threads = threads };
	int code = evaluation_open(&run.evaluation, pages, sweeps, sweep_count);

	if (!code)
		code = check_settings(run.evaluation, error);
	if (code)
		goto out;
	look_at_contenders(&run);
	code = run_open(&run);
	if (!code)
		code = replay_pages(&run, error);
	if (!code)
		code = prn_market_replay(run.evaluation, pages, clock, threads, error);
	if (!code)
		order_settings(run.evaluation);
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

void prn_evaluation_free(struct prn_evaluation *evaluation)
{
	if (!evaluation)
		return;
	free(evaluation->first);
	free(evaluation->order);
	free(evaluation->cluster_of);
	free(evaluation->cluster_weights);
	free(evaluation->cluster_sums);
	free(evaluation->sums);
	free(evaluation);
}

size_t prn_evaluation_pages(const struct prn_evaluation *evaluation)
{
	return evaluation->pages;
}

size_t prn_evaluation_left_out(const struct prn_evaluation *evaluation)
{
	return evaluation->left_out;
}

struct prn_score prn_evaluation_score(const struct prn_evaluation *evaluation, size_t sweep, size_t setting,
                                      enum prn_window window)
{
	const double *sums = &evaluation->sums[evaluation->first[sweep] + setting];
	struct prn_score score = {
		.cost = sums[prn_evaluation_column(evaluation, window, PRN_COLUMN_COST)] / evaluation->weight,
	};

	for (int metric = 0; metric < PRN_METRICS; metric++)
		score.metrics[metric] = sums[prn_evaluation_column(evaluation, window, PRN_COLUMN_OF(metric))] /
		                        evaluation->weight;
	return score;
}
