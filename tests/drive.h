/*
 * Drives a policy over one page, as evaluator and decider do: it holds the versions that the policy keeps,
 * here as visit times, and a page is a function that tells how far apart its versions at two times are.
 */
#ifndef TESTS_DRIVE_H
#define TESTS_DRIVE_H

#include "perennial/policy.h"

#include <stdbool.h>
#include <stdlib.h>

typedef double drive_page(const void *context, double from, double to);

struct drive {
	struct prn_policy *policy;
	void *state;
	double kept[PRN_POLICY_SLOTS]; /* time of the version in each slot */
	bool used[PRN_POLICY_SLOTS];
	drive_page *page;
	const void *context;
	struct prn_decision decision; /* of the last visit */
};

static inline bool drive_open(struct drive *drive, const char *specification, drive_page *page, const void *context)
{
	*drive = (struct drive){ .page = page, .context = context };
	if (prn_policy_open(&drive->policy, specification, NULL, NULL))
		return false;
	drive->state = calloc(1, prn_policy_state_size(drive->policy));
	return drive->state != NULL;
}

static inline void drive_close(struct drive *drive)
{
	free(drive->state);
	prn_policy_free(drive->policy);
}

/* Visits the page and returns the period that the policy decided on. */
static inline double drive_visit(struct drive *drive, double time, double weight, double threshold)
{
	double divergence[PRN_POLICY_SLOTS];
	struct prn_visit visit = { .time = time, .weight = weight, .threshold = threshold, .divergence = divergence };

	/* Empty slots hold anything: here what would be noticed. */
	for (size_t i = 0; i < PRN_POLICY_SLOTS; i++)
		divergence[i] = drive->used[i] ? drive->page(drive->context, drive->kept[i], time) : -1e300;
	prn_policy_visit(drive->policy, drive->state, &visit, &drive->decision);
	if (drive->decision.keep >= 0) {
		drive->kept[drive->decision.keep] = time;
		drive->used[drive->decision.keep] = true;
	}
	return drive->decision.period;
}

#endif
