#include "perennial/rate.h"

#include "base/root.h"

#include <math.h>
#include <stddef.h>

/* Intervals are kept in single precision: closer than this they are one. */
#define SAME_INTERVAL 1e-5f

/* Far outside any clock, well inside single precision. */
#define INTERVAL_MIN 1e-30
#define INTERVAL_MAX 1e30

static size_t groups_used(const struct prn_rate_history *history)
{
	size_t n = 0;

	while (n < PRN_RATE_GROUPS && history->groups[n].count)
		n++;
	return n;
}

static struct prn_rate_group join(struct prn_rate_group a, struct prn_rate_group b)
{
	uint32_t count = a.count > UINT32_MAX - b.count ? UINT32_MAX : a.count + b.count;
	double share = (double)b.count / ((double)a.count + (double)b.count);

	return (struct prn_rate_group){ (float)((double)a.interval + share * ((double)b.interval - (double)a.interval)),
		                        count };
}

/* What joining loses: Ward's criterion on relative lengths. */
static double join_cost(struct prn_rate_group a, struct prn_rate_group b)
{
	double gap = (double)b.interval - (double)a.interval, na = a.count, nb = b.count;

	return na * nb / (na + nb) * gap * gap / ((double)a.interval * (double)b.interval);
}

/* Puts one more group into its place among PRN_RATE_GROUPS full ones, joining the two nearest. */
static void squeeze(struct prn_rate_group *groups, struct prn_rate_group added, size_t place)
{
	struct prn_rate_group all[PRN_RATE_GROUPS + 1];
	size_t nearest = 0;

	for (size_t i = 0; i <= PRN_RATE_GROUPS; i++)
		all[i] = i < place ? groups[i] : i == place ? added : groups[i - 1];
	for (size_t i = 1; i < PRN_RATE_GROUPS; i++)
		if (join_cost(all[i], all[i + 1]) < join_cost(all[nearest], all[nearest + 1]))
			nearest = i;
	all[nearest + 1] = join(all[nearest], all[nearest + 1]);
	for (size_t i = 0; i < PRN_RATE_GROUPS; i++)
		groups[i] = all[i < nearest ? i : i + 1];
}

static void add_changed(struct prn_rate_history *history, float interval)
{
	struct prn_rate_group added = { interval, 1 }, *groups = history->groups;
	size_t used = groups_used(history), place = 0;

	while (place < used && groups[place].interval < interval * (1 - SAME_INTERVAL))
		place++;
	if (place < used && groups[place].interval <= interval * (1 + SAME_INTERVAL)) {
		groups[place] = join(groups[place], added);
	} else if (used == PRN_RATE_GROUPS) {
		squeeze(groups, added, place);
	} else {
		for (size_t i = used; i > place; i--)
			groups[i] = groups[i - 1];
		groups[place] = added;
	}
}

void prn_rate_history_add(struct prn_rate_history *history, double interval, bool changed)
{
	double kept = fmin(fmax(interval, INTERVAL_MIN), INTERVAL_MAX);

	if (!changed) {
		history->unchanged += kept;
		return;
	}
	if (!history->changes || (float)kept < history->shortest)
		history->shortest = (float)kept;
	if (history->changes < UINT32_MAX)
		history->changes++;
	add_changed(history, (float)kept);
}

/* The logarithm of the right side less that of the left: rising and concave in λ, so Newton from below is safe. */
static struct prn_root_sample likelihood_at(const void *context, double rate)
{
	const struct prn_rate_history *history = context;
	double sum = 0, fall = 0;

	for (size_t i = 0; i < PRN_RATE_GROUPS && history->groups[i].count; i++) {
		double t = (double)history->groups[i].interval, n = history->groups[i].count;
		double grown = expm1(rate * t), term = n * t / grown;

		sum += term;
		fall += term * t * (1 + 1 / grown);
	}
	return (struct prn_root_sample){ log(history->unchanged / sum), fall / sum };
}

double prn_rate_mle(const struct prn_rate_history *history)
{
	double changed = 0, low, high;

	if (!history->changes)
		return history->unchanged > 0 ? 1 / history->unchanged : 0;
	if (!(history->unchanged > 0))
		return 1 / (double)history->shortest;
	for (size_t i = 0; i < PRN_RATE_GROUPS; i++)
		changed += history->groups[i].count * (double)history->groups[i].interval;
	/* x/(e^x - 1) lies between 1 - x/2 and 1, which brackets the root. */
	low = history->changes / (history->unchanged + changed / 2);
	high = history->changes / history->unchanged;
	if (!(high > low * (1 + 1e-12)))
		return low;
	return prn_root_find(likelihood_at, history, low * (1 - 1e-9), high, low + 1e-10 * (high - low));
}
