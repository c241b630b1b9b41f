/* Whatever hosts want, allow and answer, and whoever asks: they are asked as they may be, and are not kept waiting either. */
#include "politeness.h"

static void try_in(enum company company, const char *folder, unsigned trials, const char *who)
{
	static struct trial trial;
	struct kept kept = { 0 };
	char path[PATH];

	for (unsigned seed = 0; seed < trials; seed++) {
		snprintf(path, sizeof path, "%.400s%u", folder, seed);
		trial = (struct trial){ .company = company, .shards = desk_shards() };
		run_trial(&trial, path, seed, &kept);
	}
	judge(&kept, who);
}

int main(void)
{
	char folder[PATH];

	make_scratch();
	snprintf(folder, sizeof folder, "%.400s/turns-", scratch);
	try_in(COMPANY_NONE, "memory:politeness-", 24, "one decider");
	/* Each waits for the disk, hundreds of times. */
	try_in(COMPANY_TURNS, folder, 5, "two deciders that take turns at a store");
	return done();
}
