/*
 * Two daemons at one store in a cluster (here in memory), each of which comes between any two operations of the other: the promises
 * of politeness.c, where what was decided has often to be decided again.
 */
#include "politeness.h"

#include "librados.h"

#define TRIALS 24
#define SHARDS 4

static struct trial trial;

static void before_operation(void)
{
	count_operation(&trial);
}

static void try_spread(unsigned shards, const char *who)
{
	struct kept kept = { 0 };
	uint64_t conflicts = 0;
	char path[PATH];

	for (uint64_t seed = 0; seed < TRIALS; seed++) {
		snprintf(path, sizeof path, "rados:pool/spread-%u-%u", shards, (unsigned)seed);
		trial = (struct trial){ .company = COMPANY_SHARED, .shards = shards };
		run_trial(&trial, path, seed, &kept);
		conflicts += trial.conflicts;
	}
	judge(&kept, who);
	ok(kept.between > 10 * TRIALS && conflicts > TRIALS, "%s came %u times between what the other read and wrote, and %u times in its way", who,
	   kept.between, (unsigned)conflicts);
}

int main(void)
{
	make_scratch();
	cluster_before = before_operation;
	try_spread(0, "two daemons");
	try_spread(SHARDS, "two daemons with shards, over which a host is spread,");
	cluster_before = NULL;
	cluster_release();
	return done();
}
