#include "cli/lineup.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PER_DECADE 12
#define SETTINGS_MAX 96 /* then they stand further apart */

/* In mean capture intervals, for pages of weight 1. */
#define THRESHOLD_MIN 0.002
#define THRESHOLD_MAX 20
#define PERIOD_MIN 1
#define PERIOD_MAX 64

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

void cli_settings_choose(struct cli_settings *settings, enum prn_dial dial, const struct prn_life *lives, size_t count)
{
	double least = INFINITY, largest = 0, low, high;
	size_t steps;

	for (size_t i = 0; i < count; i++) {
		double scale = lives[i].interval * (dial == PRN_DIAL_PERIOD ? 1 : lives[i].weight);

		if (!lives[i].captures)
			continue;
		least = fmin(least, scale);
		largest = fmax(largest, scale);
	}
	if (!(least <= largest)) /* no pages: the evaluation will say so */
		least = largest = 1;
	low = least * (dial == PRN_DIAL_PERIOD ? PERIOD_MIN : THRESHOLD_MIN);
	high = largest * (dial == PRN_DIAL_PERIOD ? PERIOD_MAX : THRESHOLD_MAX);
	steps = (size_t)fmin(SETTINGS_MAX - 1, ceil(PER_DECADE * log10(high / low)));
	for (size_t i = 0; i <= steps; i++)
		cli_settings_add(settings, low * pow(high / low, (double)i / (double)steps), false, NULL);
}

static enum prn_dial dial_of(const struct cli_lineup *lineup, size_t i)
{
	return prn_contender_about(lineup->sweeps[i].contenders[0])->dial;
}

const struct cli_settings *cli_lineup_settings(const struct cli_lineup *lineup, size_t i,
                                               const struct cli_settings *thresholds,
                                               const struct cli_settings *periods)
{
	return dial_of(lineup, i) == PRN_DIAL_PERIOD ? periods : thresholds;
}

int cli_lineup_sweep(struct cli_lineup *lineup, struct cli_settings *thresholds, struct cli_settings *periods,
                     const struct prn_pages *pages, enum prn_clock clock, size_t threads, struct prn_error *error)
{
	bool wants[2] = { false, false };
	struct prn_life *lives = calloc(pages->count + 1, sizeof *lives);
	int code = 0;

	if (!lives)
		abort();
	for (size_t i = 0; i < lineup->count; i++)
		wants[dial_of(lineup, i)] = true;
	wants[PRN_DIAL_THRESHOLD] &= !thresholds->count;
	wants[PRN_DIAL_PERIOD] &= !periods->count;
	if (wants[0] || wants[1])
		code = prn_lives_read(lives, pages, clock, threads, error);
	if (wants[PRN_DIAL_THRESHOLD] && !code)
		cli_settings_choose(thresholds, PRN_DIAL_THRESHOLD, lives, pages->count);
	if (wants[PRN_DIAL_PERIOD] && !code)
		cli_settings_choose(periods, PRN_DIAL_PERIOD, lives, pages->count);
	free(lives);
	for (size_t i = 0; i < lineup->count; i++) {
		const struct cli_settings *settings = cli_lineup_settings(lineup, i, thresholds, periods);

		lineup->sweeps[i].settings = settings->settings;
		lineup->sweeps[i].setting_count = settings->count;
	}
	return code;
}
