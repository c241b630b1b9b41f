#include "perennial/profile.h"

#include <math.h>
#include <string.h>

/* Lags are stored in single precision, and clocks round: lags that differ by less than this are one lag. */
#define SAME_LAG 1e-5f

/* Far outside the range of clocks, well inside single precision. */
#define LAG_MIN 1e-30
#define LAG_MAX 1e30

static size_t open_points(const struct prn_profile *profiles, size_t slots)
{
	size_t count = 0;

	for (size_t i = 0; i < slots; i++)
		count += profiles[i].open ? profiles[i].count : 0;
	return count;
}

void prn_profiles_extend(struct prn_profile *profiles, size_t slots, double time, const double *divergence)
{
	for (size_t i = 0; i < slots; i++) {
		struct prn_profile *profile = &profiles[i];

		if (profile->open && profile->count < PRN_PROFILE_POINTS)
			profile->points[profile->count++] = (struct prn_point){
				.lag = (float)fmin(fmax(time - profile->base, LAG_MIN), LAG_MAX),
				.divergence = (float)divergence[i],
			};
	}
}

void prn_profiles_replace(struct prn_profile *profiles, size_t slot, double time)
{
	profiles[slot].base = time;
	profiles[slot].count = 0;
	profiles[slot].open = 1;
}

int prn_profiles_renew(struct prn_profile *profiles, size_t slots, double time)
{
	int kept = -1;

	for (size_t i = 0; i < slots; i++) {
		if (!profiles[i].open || profiles[i].count < PRN_PROFILE_POINTS)
			continue;
		/* The points of a full profile are retired if the others have too few without them. */
		profiles[i].open = 0;
		if (open_points(profiles, slots) < PRN_PROFILE_ENOUGH)
			profiles[slots] = profiles[i];
		profiles[i].count = 0;
	}
	if (open_points(profiles, slots) >= PRN_PROFILE_ENOUGH)
		profiles[slots].count = 0;
	for (size_t i = 0; i < slots && kept < 0; i++)
		if (!profiles[i].open)
			kept = (int)i;
	if (kept >= 0)
		prn_profiles_replace(profiles, (size_t)kept, time);
	return kept;
}

/* Merges two ascending lists. */
static size_t merge(const struct prn_point *a, size_t a_count, const struct prn_point *b, size_t b_count,
                    struct prn_point *out)
{
	size_t i = 0, j = 0, n = 0;

	while (i < a_count || j < b_count)
		out[n++] = j == b_count || (i < a_count && a[i].lag <= b[j].lag) ? a[i++] : b[j++];
	return n;
}

/* Replaces runs of equal lags by their mean, in place. */
static size_t average_equal(struct prn_point *points, size_t count)
{
	size_t n = 0;

	for (size_t i = 0, j; i < count; i = j) {
		float first = points[i].lag, sum = 0;

		for (j = i; j < count && points[j].lag <= first * (1 + SAME_LAG); j++)
			sum += points[j].divergence;
		points[n++] = (struct prn_point){ first, sum / (float)(j - i) };
	}
	return n;
}

size_t prn_profiles_combine(const struct prn_profile *profiles, size_t slots,
                            struct prn_point points[PRN_PROFILE_LIST])
{
	struct prn_point lists[2][PRN_PROFILE_LIST], *done = lists[0], *next = lists[1];
	size_t count = 0;

	for (size_t i = 0; i <= slots; i++)
		if (profiles[i].count) {
			struct prn_point *swap = done;

			count = merge(done, count, profiles[i].points, profiles[i].count, next);
			done = next;
			next = swap;
		}
	memcpy(points, done, count * sizeof *points);
	return average_equal(points, count);
}
