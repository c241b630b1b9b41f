#include "report/lineup.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PER_DECADE 12
#define SETTINGS_MAX 96 /* then they stand further apart */

/* The range of each dial in mean capture intervals, for pages of weight 1. */
static const struct {
	double least, most;
} ranges[PRN_DIALS] = {
	[PRN_DIAL_THRESHOLD] = { 0.002, 20 },
	[PRN_DIAL_PERIOD] = { 1, 64 },
	[PRN_DIAL_SCALE] = { 0.002, 64 },
};

int cli_lineup_open(struct cli_lineup *lineup, const char *const *specifications, size_t count,
                    const char *const *defaults, size_t corpora, struct prn_error *error)
{
	int code = 0;

	*lineup = (struct cli_lineup){ .count = count, .corpora = corpora, .specifications = specifications };
	lineup->contenders = calloc(count * corpora, sizeof *lineup->contenders);
	lineup->sweeps = calloc(count, sizeof *lineup->sweeps);
	if (!lineup->contenders || !lineup->sweeps)
		abort();
	for (size_t i = 0; i < count && !code; i++) {
		struct prn_contender **own = &lineup->contenders[i * corpora];

		lineup->sweeps[i].contenders = (const struct prn_contender *const *)own;
		for (size_t j = 0; j < corpora && !code; j++)
			code = prn_contender_open(&own[j], specifications[i], defaults[j], error);
	}
	if (code)
		cli_lineup_release(lineup);
	return code;
}

void cli_lineup_release(struct cli_lineup *lineup)
{
	for (size_t i = 0; i < lineup->count * lineup->corpora; i++)
		prn_contender_free(lineup->contenders[i]);
	free(lineup->contenders);
	free(lineup->sweeps);
	*lineup = (struct cli_lineup){ 0 };
}

size_t cli_lineup_find(const struct cli_lineup *lineup, const char *policy)
{
	for (size_t i = 0; i < lineup->count; i++)
		if (!strcmp(lineup->specifications[i], policy))
			return i;
	for (size_t i = 0; i < lineup->count; i++)
		if (!strcmp(prn_contender_about(lineup->sweeps[i].contenders[0])->name, policy))
			return i;
	return PRN_NO_REFERENCE;
}

void cli_settings_add(struct cli_settings *settings, double value, bool in_seconds, const char *text)
{
	size_t n = settings->count + 1;

	settings->settings = realloc(settings->settings, n * sizeof *settings->settings);
	settings->texts = realloc(settings->texts, n * sizeof *settings->texts);
	if (!settings->settings || !settings->texts)
		abort();
	settings->settings[n - 1] = (struct prn_setting){ value, in_seconds };
	settings->texts[n - 1] = text;
	settings->count = n;
}

void cli_settings_release(struct cli_settings *settings)
{
	free(settings->settings);
	free(settings->texts);
	*settings = (struct cli_settings){ 0 };
}

/*
 * How large a page makes the numbers of a dial.  A scale has no unit: what a capture interval is to it says
 * the policy.
 */
static double scale_of(enum prn_dial dial, const struct prn_life *life)
{
	switch (dial) {
	case PRN_DIAL_THRESHOLD:
		return life->interval * life->weight;
	case PRN_DIAL_PERIOD:
	case PRN_DIAL_SCALE:
		break;
	}
	return life->interval;
}

void cli_settings_choose(struct cli_settings *settings, enum prn_dial dial, const struct prn_life *lives, size_t count)
{
	double least = INFINITY, largest = 0, low, high;
	size_t steps;

	for (size_t i = 0; i < count; i++) {
		double scale = scale_of(dial, &lives[i]);

		if (!lives[i].captures)
			continue;
		least = fmin(least, scale);
		largest = fmax(largest, scale);
	}
	if (!(least <= largest) || dial == PRN_DIAL_SCALE) { /* no pages: the evaluation will say so */
		least = fmin(least, 1);
		largest = fmax(largest, 1);
	}
	low = least * ranges[dial].least;
	high = largest * ranges[dial].most;
	steps = (size_t)fmin(SETTINGS_MAX - 1, ceil(PER_DECADE * log10(high / low)));
	for (size_t i = 0; i <= steps; i++)
		cli_settings_add(settings, low * pow(high / low, (double)i / (double)steps), false, NULL);
}

static enum prn_dial dial_of(const struct cli_lineup *lineup, size_t i)
{
	return prn_contender_about(lineup->sweeps[i].contenders[0])->dial;
}

const struct cli_settings *cli_lineup_settings(const struct cli_lineup *lineup, size_t i,
                                               const struct cli_settings *settings)
{
	return &settings[settings[CLI_BUDGETS].count ? CLI_BUDGETS : (int)dial_of(lineup, i)];
}

/* Chooses settings for the dials that policies have and nobody gave any for. */
static int choose_settings(const struct cli_lineup *lineup, struct cli_settings *settings,
                           const struct prn_pages *pages, enum prn_clock clock, size_t threads,
                           struct prn_error *error)
{
	bool wants[PRN_DIALS] = { false }, any = false;
	struct prn_life *lives;
	int code;

	for (size_t i = 0; i < lineup->count && !settings[CLI_BUDGETS].count; i++) {
		enum prn_dial dial = dial_of(lineup, i);

		wants[dial] = !settings[dial].count;
		any |= wants[dial];
	}
	if (!any)
		return 0;
	lives = calloc(pages->count + 1, sizeof *lives);
	if (!lives)
		abort();
	code = prn_lives_read(lives, pages, clock, threads, error);
	for (int dial = 0; dial < PRN_DIALS && !code; dial++)
		if (wants[dial])
			cli_settings_choose(&settings[dial], (enum prn_dial)dial, lives, pages->count);
	free(lives);
	return code;
}

int cli_lineup_sweep(struct cli_lineup *lineup, struct cli_settings *settings, const struct prn_pages *pages,
                     enum prn_clock clock, size_t threads, struct prn_error *error)
{
	int code = choose_settings(lineup, settings, pages, clock, threads, error);

	for (size_t i = 0; i < lineup->count; i++) {
		const struct cli_settings *own = cli_lineup_settings(lineup, i, settings);

		lineup->sweeps[i].settings = own->settings;
		lineup->sweeps[i].setting_count = own->count;
		lineup->sweeps[i].budgets = own == &settings[CLI_BUDGETS];
	}
	return code;
}
