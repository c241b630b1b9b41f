/* The data of the two estimators that know when a page changed last (Cho §6.5): the state of both. */
#ifndef MODEL_LAST_MODIFIED_H
#define MODEL_LAST_MODIFIED_H

#include "model/estimator_internal.h"

struct prn_last_modified {
	double visits, changes;
	double time;  /* time since the last change at a visit that saw one, else the interval */
	double first; /* the first interval */
};

size_t prn_last_modified_size(const struct prn_estimator *estimator);
void prn_last_modified_add(const struct prn_estimator *estimator, void *state, const struct prn_estimator_visit *visit);
void prn_last_modified_fade(const struct prn_estimator *estimator, void *state, double kept);

/* The likelihood of the times: λ^X e^(-λT). */
void prn_last_modified_interval(const struct prn_estimator *estimator, const void *state, double confidence, double *low,
                                double *high);

#endif
