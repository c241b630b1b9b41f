/*
 * An estimator at work on one page, for the tests of estimators.
 */
#ifndef TESTS_LEARNER_H
#define TESTS_LEARNER_H

#include "perennial/estimator.h"

#include <stdlib.h>
#include <string.h>

#define LEARNER_DOUBLES 512 /* lengths up to 200 */

struct learner {
	struct prn_estimator estimator;
	double state[LEARNER_DOUBLES];
};

static inline void learner_start(struct learner *learner, const char *specification)
{
	if (prn_estimator_init(&learner->estimator, specification, NULL) ||
	    prn_estimator_state_size(&learner->estimator) > sizeof learner->state)
		abort();
	memset(learner->state, 0, sizeof learner->state);
}

/* since_modified 0: not told. */
static inline void learner_visit(struct learner *learner, double interval, bool changed, double since_modified)
{
	const struct prn_estimator_visit visit = { interval, changed, since_modified };

	prn_estimator_add(&learner->estimator, learner->state, &visit);
}

static inline double learner_rate(const struct learner *learner)
{
	return prn_estimator_rate(&learner->estimator, learner->state);
}

#endif
