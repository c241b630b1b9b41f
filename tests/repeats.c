/* What revisits may repeat: the latest contents by their payload digests, of which the oldest are given up first. */
#include "decide/repeats.h"
#include "perennial/source.h"
#include "tap.h"

#include <stdio.h>

#define M 8
#define MORE (3 * PRN_REPEATS)

static struct prn_repeats *repeats;
static uint64_t hash;

/* A capture of the i-th content, or a revisit of it: what take makes of its observation, and whether that went well. */
static bool take(uint64_t i, bool is_revisit, struct prn_observation *observation)
{
	struct prn_capture capture = { .has_payload_digest = true };

	capture.payload_digest = prn_digest_bytes(&i, sizeof i);
	hash = i + 1;
	observation->kind = is_revisit ? PRN_KIND_SAME : PRN_KIND_CONTENT;
	observation->repeated = is_revisit;
	observation->body = is_revisit ? 0 : i + 1;
	observation->summarised = !is_revisit;
	if (!is_revisit)
		observation->summary = (struct prn_summary){ &hash, 1, M, true, false };
	return !prn_repeats_take(repeats, &capture, observation);
}

static bool is_known(uint64_t i)
{
	struct prn_observation observation = { 0 };
	bool known = take(i, true, &observation) && observation.kind == PRN_KIND_CONTENT && observation.body == i + 1 && observation.summarised &&
	             observation.summary.count == 1 && observation.summary.hashes[0] == i + 1;

	prn_observation_release(&observation);
	return known;
}

int main(void)
{
	unsigned latest = 0, oldest = 0, taken = 0;
	struct prn_observation observation = { 0 };

	if (!ok(!prn_repeats_open(&repeats, M), "room for contents is made"))
		return done();
	ok(!is_known(0), "a revisit before any content is as it was");
	for (uint64_t i = 0; i < MORE; i++)
		taken += take(i, false, &observation);
	ok(taken == MORE, "any number of contents are taken");
	for (uint64_t i = 0; i < 1000; i++) {
		latest += is_known(MORE - 1 - i);
		oldest += is_known(i);
	}
	ok(latest == 1000, "revisits of the latest have their content: %u of 1000", latest);
	ok(!oldest, "and those of the oldest none, nor that of others: %u of 1000", oldest);
	prn_repeats_free(repeats);
	return done();
}
