/*
 * The posterior over a few given classes of pages with a uniform prior (Cho §6.6): the state of bayes and
 * empirical, which is how far each class's log-likelihood lies below the highest.
 */
#ifndef MODEL_BAYES_H
#define MODEL_BAYES_H

#include "model/estimator_internal.h"

size_t prn_bayes_size(const struct prn_estimator *estimator);
void prn_bayes_add(const struct prn_estimator *estimator, void *state, const struct prn_estimator_visit *visit);
void prn_bayes_fade(const struct prn_estimator *estimator, void *state, double kept);
bool prn_bayes_valid(const struct prn_estimator *estimator, const void *state);
size_t prn_bayes_probabilities(const struct prn_estimator *estimator, const void *state, double *each);
void prn_bayes_interval(const struct prn_estimator *estimator, const void *state, double confidence, double *low,
                        double *high);

#endif
