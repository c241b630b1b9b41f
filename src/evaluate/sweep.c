#include "perennial/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PER_DECADE 12

/* The range of each dial in mean capture intervals, for pages of weight 1. */
static const struct {
	double least, most;
} ranges[PRN_DIALS] = {
	[PRN_DIAL_THRESHOLD] = { 0.002, 20 },
	[PRN_DIAL_PERIOD] = { 1, 64 },
	[PRN_DIAL_SCALE] = { 0.002, 64 },
};

/* Lists of settings: one for each dial, then the budgets. */
#define BUDGETS PRN_DIALS
#define LISTS (PRN_DIALS + 1)

struct list {
	struct prn_setting *settings;
	size_t count;
};

struct prn_sweeps {
	size_t count, corpora;
	char **specifications;             /* [count] */
	struct prn_contender **contenders; /* [count][corpora] */
	struct prn_sweep *sweeps;          /* [count] */
	struct list lists[LISTS];
};

static int open_contenders(struct prn_sweeps *sweeps, size_t i, const char *specification, const char *const *defaults,
                           struct prn_error *error)
{
	struct prn_contender **own = &sweeps->contenders[i * sweeps->corpora];
	int code = 0;

	sweeps->sweeps[i].contenders = (const struct prn_contender *const *)own;
	for (size_t j = 0; j < sweeps->corpora && !code; j++)
		code = prn_contender_open(&own[j], specification, defaults ? defaults[j] : NULL, error);
	if (code)
		return code;
	sweeps->specifications[i] = strdup(specification);
	return sweeps->specifications[i] ? 0 : prn_error_memory(error);
}

int prn_sweeps_open(struct prn_sweeps **out, const char *const *specifications, size_t count,
                    const char *const *defaults, size_t corpora, struct prn_error *error)
{
	struct prn_sweeps *sweeps = calloc(1, sizeof *sweeps);
	int code = 0;

	if (!sweeps || (count && corpora > SIZE_MAX / count)) {
		free(sweeps);
		return prn_error_memory(error);
	}
	sweeps->corpora = corpora;
	sweeps->specifications = calloc(count + 1, sizeof *sweeps->specifications);
	sweeps->contenders = calloc(count * corpora + 1, sizeof *sweeps->contenders);
	sweeps->sweeps = calloc(count + 1, sizeof *sweeps->sweeps);
	if (!sweeps->specifications || !sweeps->contenders || !sweeps->sweeps)
		code = prn_error_memory(error);
	else
		sweeps->count = count;
	for (size_t i = 0; i < count && !code; i++)
		code = open_contenders(sweeps, i, specifications[i], defaults, error);
	if (code) {
		prn_sweeps_free(sweeps);
		return code;
	}
	*out = sweeps;
	return 0;
}

void prn_sweeps_free(struct prn_sweeps *sweeps)
{
	if (!sweeps)
		return;
	for (size_t i = 0; i < sweeps->count * sweeps->corpora; i++)
		prn_contender_free(sweeps->contenders[i]);
	for (size_t i = 0; i < sweeps->count; i++)
		free(sweeps->specifications[i]);
	for (int i = 0; i < LISTS; i++)
		free(sweeps->lists[i].settings);
	free(sweeps->specifications);
	free(sweeps->contenders);
	free(sweeps->sweeps);
	free(sweeps);
}

size_t prn_sweeps_count(const struct prn_sweeps *sweeps)
{
	return sweeps->count;
}

const struct prn_sweep *prn_sweeps_all(const struct prn_sweeps *sweeps)
{
	return sweeps->sweeps;
}

const char *prn_sweeps_specification(const struct prn_sweeps *sweeps, size_t i)
{
	return sweeps->specifications[i];
}

static const struct prn_policy_info *policy_of(const struct prn_sweeps *sweeps, size_t i)
{
	return prn_contender_about(sweeps->sweeps[i].contenders[0]);
}

size_t prn_sweeps_find(const struct prn_sweeps *sweeps, const char *policy)
{
	for (size_t i = 0; i < sweeps->count; i++)
		if (!strcmp(sweeps->specifications[i], policy))
			return i;
	for (size_t i = 0; i < sweeps->count; i++)
		if (!strcmp(policy_of(sweeps, i)->name, policy))
			return i;
	return PRN_NO_SWEEP;
}

/* Assigns each sweep its list: the budgets, if there are any, else that of its dial. */
static void assign_lists(struct prn_sweeps *sweeps)
{
	bool budgets = sweeps->lists[BUDGETS].count;

	for (size_t i = 0; i < sweeps->count; i++) {
		const struct list *list = &sweeps->lists[budgets ? BUDGETS : (int)policy_of(sweeps, i)->dial];

		sweeps->sweeps[i].settings = list->settings;
		sweeps->sweeps[i].setting_count = list->count;
		sweeps->sweeps[i].budgets = budgets;
	}
}

/* Replaces a list by one of count settings, all zero. */
static int replace_list(struct prn_sweeps *sweeps, int which, size_t count, struct prn_error *error)
{
	struct prn_setting *settings = count < SIZE_MAX ? calloc(count + 1, sizeof *settings) : NULL;

	if (!settings)
		return prn_error_memory(error);
	free(sweeps->lists[which].settings);
	sweeps->lists[which] = (struct list){ settings, count };
	assign_lists(sweeps);
	return 0;
}

int prn_sweeps_set(struct prn_sweeps *sweeps, enum prn_dial dial, const struct prn_setting *settings, size_t count,
                   struct prn_error *error)
{
	int code = replace_list(sweeps, (int)dial, count, error);

	if (!code && count)
		memcpy(sweeps->lists[dial].settings, settings, count * sizeof *settings);
	return code;
}

int prn_sweeps_set_budgets(struct prn_sweeps *sweeps, const double *budgets, size_t count, struct prn_error *error)
{
	int code = replace_list(sweeps, BUDGETS, count, error);

	for (size_t i = 0; i < count && !code; i++)
		sweeps->lists[BUDGETS].settings[i].value = budgets[i];
	return code;
}

int prn_sweeps_choose(struct prn_sweeps *sweeps, const struct prn_pages *pages, enum prn_clock clock, size_t threads,
                      struct prn_error *error)
{
	bool wanted[PRN_DIALS] = { false }, any = false;
	struct prn_setting settings[PRN_SETTINGS];
	struct prn_life *lives;
	int code;

	for (size_t i = 0; i < sweeps->count && !sweeps->lists[BUDGETS].count; i++) {
		enum prn_dial dial = policy_of(sweeps, i)->dial;

		wanted[dial] = !sweeps->lists[dial].count;
		any |= wanted[dial];
	}
	if (!any)
		return 0;
	lives = pages->count < SIZE_MAX ? calloc(pages->count + 1, sizeof *lives) : NULL;
	if (!lives)
		return prn_error_memory(error);
	code = prn_lives_read(lives, pages, clock, threads, error);
	for (int dial = 0; dial < PRN_DIALS && !code; dial++)
		if (wanted[dial])
			code = prn_sweeps_set(sweeps, (enum prn_dial)dial, settings,
			                      prn_settings_choose((enum prn_dial)dial, lives, pages->count, settings),
			                      error);
	free(lives);
	return code;
}

size_t prn_settings_choose(enum prn_dial dial, const struct prn_life *lives, size_t count,
                           struct prn_setting settings[PRN_SETTINGS])
{
	double least = INFINITY, largest = 0, low, high;
	size_t steps;

	for (size_t i = 0; i < count; i++) {
		double scale = lives[i].interval;

		if (!lives[i].captures)
			continue;
		if (dial == PRN_DIAL_THRESHOLD)
			scale *= lives[i].weight;
		least = fmin(least, scale);
		largest = fmax(largest, scale);
	}
	/*
	 * A scale has no unit: the policy defines its relation to a capture interval.  If there are no pages,
	 * the evaluation reports it.
	 */
	if (!(least <= largest) || dial == PRN_DIAL_SCALE) {
		least = fmin(least, 1);
		largest = fmax(largest, 1);
	}
	low = least * ranges[dial].least;
	high = largest * ranges[dial].most;
	steps = (size_t)fmin(PRN_SETTINGS - 1, ceil(PER_DECADE * log10(high / low)));
	for (size_t i = 0; i <= steps; i++)
		settings[i] = (struct prn_setting){ low * pow(high / low, (double)i / (double)steps), false };
	return steps + 1;
}
