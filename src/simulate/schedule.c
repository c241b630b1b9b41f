/* The schedules.  A new one needs its function, an info, and a line in the table. */
#include "perennial/schedule.h"

#include "base/random.h"
#include "simulate/specification.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

struct prn_schedule_kind {
	struct prn_simulation_info info;
	bool adapts;
	double (*interval)(const struct prn_schedule *schedule, double interval, uint64_t visits, double estimate,
	                   struct prn_random *random);
};

static double regular(const struct prn_schedule *schedule, double interval, uint64_t visits, double estimate,
                      struct prn_random *random)
{
	(void)schedule, (void)visits, (void)estimate, (void)random;
	return interval;
}

static double poisson(const struct prn_schedule *schedule, double interval, uint64_t visits, double estimate,
                      struct prn_random *random)
{
	(void)schedule, (void)visits, (void)estimate;
	return prn_random_exponential(random, interval);
}

static double irregular(const struct prn_schedule *schedule, double interval, uint64_t visits, double estimate,
                        struct prn_random *random)
{
	(void)visits, (void)estimate;
	return interval * (1 + schedule->spread * (2 * prn_random_unit(random) - 1));
}

/* If no change was seen yet, the interval is the longest that is allowed. */
static double adaptive(const struct prn_schedule *schedule, double interval, uint64_t visits, double estimate,
                       struct prn_random *random)
{
	(void)random;
	if ((double)visits < schedule->first)
		return interval;
	return fmin(fmax(schedule->r / estimate, schedule->least * interval), schedule->most * interval);
}

static const struct prn_simulation_key no_keys[] = { { NULL, NULL, NULL } };
static const struct prn_simulation_key irregular_keys[] = {
	{ "spread", "0.5", "intervals are even from 1 - spread to 1 + spread of the mean one" },
	{ NULL, NULL, NULL },
};
static const struct prn_simulation_key adaptive_keys[] = {
	{ "r", "1", "visits are r/λ̂ apart: changes that are expected from one to the next" },
	{ "first", "5", "so many visits at the interval itself, before it adapts" },
	{ "least", "0.01", "the shortest, in intervals" },
	{ "most", "100", "the longest, in intervals" },
	{ NULL, NULL, NULL },
};

static const struct prn_schedule_kind kinds[] = {
	{ { "regular", "one interval for all visits", "Cho §6.2", no_keys }, false, regular },
	{ { "poisson", "visits at the times of a Poisson process", "AV §6", no_keys }, false, poisson },
	{ { "irregular", "intervals that are drawn around their mean", "Cho §6.3", irregular_keys }, false, irregular },
	{ { "adaptive", "after a few visits, as often as the page is thought to change", "FGT", adaptive_keys },
	  true, adaptive },
};

#define KINDS (sizeof kinds / sizeof *kinds)

const struct prn_simulation_info *prn_schedule_info(size_t i)
{
	return i < KINDS ? &kinds[i].info : NULL;
}

#define ABOVE_0 "a number from 1e-9 to 1e9"

static const struct prn_specified_key settings[] = {
	{ "spread", offsetof(struct prn_schedule, spread), 0, 0.999, false, 0, 0, "a number from 0 to 0.999" },
	{ "r", offsetof(struct prn_schedule, r), 1e-9, 1e9, false, 0, 0, ABOVE_0 },
	{ "first", offsetof(struct prn_schedule, first), 0, 1e9, false, 0, 0, "a number from 0" },
	{ "least", offsetof(struct prn_schedule, least), 1e-9, 1e9, false, 0, 0, ABOVE_0 },
	{ "most", offsetof(struct prn_schedule, most), 1e-9, 1e9, false, 0, 0, ABOVE_0 },
	{ NULL, 0, 0, 0, false, 0, 0, NULL },
};

int prn_schedule_init(struct prn_schedule *schedule, const char *specification, struct prn_error *error)
{
	const struct prn_simulation_info *infos[KINDS + 1] = { NULL };
	struct prn_schedule made = { 0 };
	size_t chosen;
	int code;

	for (size_t i = 0; i < KINDS; i++)
		infos[i] = &kinds[i].info;
	code = prn_specification_read(&(struct prn_specified){ "schedule", infos, settings }, specification, &made, &chosen,
	                              error);
	if (code)
		return code;
	if (made.most < made.least)
		return prn_error_set(error, PRN_E_ARGUMENT, "the longest interval, %g, is below the shortest, %g", made.most,
		                     made.least);
	made.kind = &kinds[chosen];
	*schedule = made;
	return 0;
}

/* These sequences differ from those of processes, which begin with the seed itself. */
void prn_schedule_begin(uint64_t seed, uint64_t number, uint64_t numbers[4])
{
	struct prn_random random;

	prn_random_seed(&random, ~seed, number);
	memcpy(numbers, random.words, sizeof random.words);
}

double prn_schedule_interval(const struct prn_schedule *schedule, double interval, uint64_t visits, double estimate,
                             uint64_t numbers[4])
{
	struct prn_random random;
	double next;

	memcpy(random.words, numbers, sizeof random.words);
	next = schedule->kind->interval(schedule, interval, visits, estimate, &random);
	memcpy(numbers, random.words, sizeof random.words);
	return fmax(next, interval * 1e-12); /* a draw may be 0 */
}

int prn_schedule_adapts(const struct prn_schedule *schedule)
{
	return schedule->kind->adapts;
}
