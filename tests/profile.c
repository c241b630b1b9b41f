/* Change profiles: OP's example, when slots free, and that a learner is never left with too few points. */
#include "perennial/profile.h"

#include "base/random.h"
#include "tap.h"

static void test_example(void)
{
	static const struct {
		double time, divergence;
	} visits[] = { { 10, 0 }, { 12, 0.2 }, { 15, 0.2 }, { 23, 0.3 } };
	struct prn_profile profiles[2] = { 0 };
	struct prn_point points[PRN_PROFILE_LIST];
	bool same = true;

	prn_profiles_extend(profiles, 1, 5, NULL);
	ok(prn_profiles_renew(profiles, 1, 5) == 0, "the first visit of a page opens a profile");
	for (size_t i = 0; i < 4; i++) {
		prn_profiles_extend(profiles, 1, visits[i].time, &visits[i].divergence);
		same &= prn_profiles_renew(profiles, 1, visits[i].time) == -1;
	}
	ok(same, "later visits find no free slot for a profile");
	ok(prn_profiles_combine(profiles, 1, points) == 4, "OP's example has four points");
	for (size_t i = 0; i < 4; i++)
		same &= fabs((double)points[i].lag - (visits[i].time - 5)) < 1e-5 &&
		        fabs((double)points[i].divergence - visits[i].divergence) < 1e-7;
	ok(same, "the points of OP's example are (10, 0), (12, 0.2), (15, 0.2), (23, 0.3), by lag");
}

static void test_one_slot(void)
{
	struct prn_profile profiles[2] = { 0 };
	struct prn_point points[PRN_PROFILE_LIST];
	double divergence = 0.1;
	size_t fewest = 99;
	int opened = 0;

	for (int i = 0; i < 100; i++) {
		int kept;

		prn_profiles_extend(profiles, 1, i, &divergence);
		kept = prn_profiles_renew(profiles, 1, i);
		if (kept >= 0)
			opened++;
		if (kept >= 0 && i != 12 * (opened - 1))
			ok(false, "a profile opened at visit %d", i);
		if (i >= 4) {
			size_t n = prn_profiles_combine(profiles, 1, points);

			fewest = n < fewest ? n : fewest;
		}
	}
	ok(opened == 9, "with one slot a profile opens at every 12th visit");
	ok(fewest == 4, "with one slot there are never fewer than 4 points again (fewest: %zu)", fewest);
}

static void test_many_slots(void)
{
	for (size_t slots = 1; slots <= 6; slots++) {
		struct prn_profile profiles[7] = { 0 };
		struct prn_point points[PRN_PROFILE_LIST];
		double divergence[6], time = 0;
		bool enough = true, ascending = true, distinct = true;
		struct prn_random random;

		prn_random_seed(&random, 2, slots);
		for (int i = 0; i < 500; i++) {
			size_t n;

			for (size_t k = 0; k < slots; k++)
				divergence[k] = prn_random_unit(&random);
			prn_profiles_extend(profiles, slots, time, divergence);
			prn_profiles_renew(profiles, slots, time);
			n = prn_profiles_combine(profiles, slots, points);
			enough &= i < 4 || n >= 4;
			for (size_t k = 1; k < n; k++)
				ascending &= points[k].lag > points[k - 1].lag;
			for (size_t a = 0; a < slots; a++)
				for (size_t b = 0; b < a; b++)
					distinct &= !profiles[a].open || !profiles[b].open ||
					            profiles[a].base != profiles[b].base;
			time += 0.5 + prn_random_unit(&random);
		}
		ok(enough, "%zu slots: from the fifth visit on a profile has 4 points or more", slots);
		ok(ascending, "%zu slots: the lags of a profile's points ascend", slots);
		ok(distinct, "%zu slots: no two open profiles have one base", slots);
	}
}

/* Regular visits: lag k has been seen from several bases, and is their mean. */
static void test_equal_lags(void)
{
	struct prn_profile profiles[4] = { 0 };
	struct prn_point points[PRN_PROFILE_LIST];
	size_t n;

	for (int i = 0; i < 6; i++) {
		/* divergence from base b after lag k is (k + b)/10; bases are visits 0, 1, 2 */
		double divergence[3] = { i * 0.1, (i - 1) * 0.1 + 0.1, (i - 2) * 0.1 + 0.2 };

		prn_profiles_extend(profiles, 3, 1e9 + i / 3.0, divergence);
		prn_profiles_renew(profiles, 3, 1e9 + i / 3.0);
	}
	n = prn_profiles_combine(profiles, 3, points);
	ok(n == 5, "three bases, regular visits and clock rounding make five lags (%zu)", n);
	near(points[0].divergence, (0.1 + 0.2 + 0.3) / 3, 1e-6, "lag 1 is the mean over three bases");
	near(points[3].divergence, (0.4 + 0.5) / 2, 1e-6, "lag 4 is the mean over two bases");
	near(points[4].divergence, 0.5, 1e-6, "lag 5 is seen from one base");
}

/* Two lags, the second longer by a share of the first; they are kept by two bases. */
static size_t lags_apart(double share)
{
	struct prn_profile profiles[3] = { 0 };
	struct prn_point points[PRN_PROFILE_LIST];

	for (size_t i = 0; i < 2; i++) {
		profiles[i] = (struct prn_profile){ .count = 1, .open = 1 };
		profiles[i].points[0] = (struct prn_point){ (float)(1 + (double)i * share), 0.5f };
	}
	return prn_profiles_combine(profiles, 2, points);
}

static void test_near_lags(void)
{
	ok(lags_apart(0.5e-5) == 1, "lags that rounding could part are one");
	ok(lags_apart(1e-4) == 2, "lags a ten-thousandth apart are two: five seconds in a day");
}

int main(void)
{
	test_example();
	test_one_slot();
	test_many_slots();
	test_equal_lags();
	test_near_lags();
	return done();
}
