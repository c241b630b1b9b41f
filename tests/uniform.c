/* Uniform: multiples of one period from the first visit, however the visits fall. */
#include "drive.h"

#include "base/random.h"
#include "tap.h"

int main(void)
{
	struct prn_random random;
	bool multiples = true, ahead = true;
	struct drive drive;

	drive_open(&drive, "uniform", NULL, NULL);
	ok(prn_policy_slots(drive.policy) == 0 && prn_policy_about(drive.policy)->dial == PRN_DIAL_PERIOD,
	   "uniform keeps no version; its dial is the period");
	near(drive_visit(&drive, 7, 1, 3), 3, 0,
	     "uniform: acquired at 7 with period 3, a page is next visited at 10");
	near(drive_visit(&drive, 10, 1, 3), 3, 0,
	     "uniform: visited on time at 10, a page is next visited at 13");
	near(drive_visit(&drive, 13.8, 1, 3), 2.2, 1e-12,
	     "uniform: visited 0.8 late, a page is next visited at 16 all the same");
	near(drive_visit(&drive, 23, 1, 3), 2, 1e-12,
	     "uniform: when a multiple was missed altogether, a page is next visited at 25");
	near(drive_visit(&drive, 24.9999, 1, 3), 3.0001, 1e-12,
	     "uniform: a visit that is a rounding early counts as on time");
	ok(drive.decision.reason == PRN_REASON_RULE && drive.decision.keep == -1,
	   "uniform decides by its rule, keeping nothing");
	drive_close(&drive);

	drive_open(&drive, "uniform", NULL, NULL);
	prn_random_seed(&random, 1, 0);
	for (double time = 0, i = 0; i < 5000; i++) {
		double period = drive_visit(&drive, time, 1, 0.7), next = time + period;

		ahead &= period > 0 && period <= 0.7 * 1.002;
		multiples &= fabs(next / 0.7 - round(next / 0.7)) < 1e-9;
		time = next + (prn_random_unit(&random) < 0.5 ? 0 : 2 * prn_random_unit(&random));
	}
	ok(multiples, "visits of uniform that come late never shift the grid");
	ok(ahead, "the next visit of uniform is never more than a period away");
	drive_close(&drive);
	return done();
}
