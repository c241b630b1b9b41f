/* A page of the generative model at successive times: the number of updates of each region. */
#ifndef HISTORY_SYNTH_WALK_H
#define HISTORY_SYNTH_WALK_H

#include "base/random.h"
#include "perennial/synth.h"

/*
 * Items of a region are numbered as they are appended; items - 1 is the last of the initial ones, so updates -
 * items + 1 … updates are in the page.
 */
struct prn_synth_region_walk {
	struct prn_random random;
	double next_day;  /* time of the next update, days since the start */
	uint64_t updates; /* number of the newest item */
};

struct prn_synth_walk {
	struct prn_synth_page page;
	struct prn_synth_region_walk regions[PRN_SYNTH_REGIONS];
};

struct prn_synth {
	struct prn_synth_options options;
};

void prn_synth_walk_init(const struct prn_synth *synth, size_t i, struct prn_synth_walk *walk);

/* Moves on to capture c; returns whether anything changed. */
bool prn_synth_walk_to(const struct prn_synth *synth, struct prn_synth_walk *walk, size_t c);

/* Returns the parameters and the seed in one line, for provenance; malloc'ed, or NULL without memory. */
char *prn_synth_provenance(const struct prn_synth *synth);

#endif
