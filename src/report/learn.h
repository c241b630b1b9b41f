/*
 * Drift's prior, learned from the pages of whole corpora.
 */
#ifndef REPORT_LEARN_H
#define REPORT_LEARN_H

#include <stddef.h>

#include "term/inputs.h"
#include "term/options.h"
#include "perennial/life.h"
#include "perennial/prior.h"

struct cli_prior {
	struct prn_prior prior; /* beta in clock units */
	size_t pages;           /* that it was learned from */
};

/* Learns one prior from all pages of the inputs.  Returns 0, or a negative code with *error. */
int cli_prior_learn(struct cli_prior *prior, const struct term_inputs *inputs, enum prn_clock clock, size_t threads,
                    struct prn_error *error);

/*
 * Learns a prior for each corpus under test, priors[under_test->count], from the corpora at paths, leaving out
 * the corpus itself where it is one of them: a prior must not have seen the pages it is judged on.
 */
int cli_priors_learn(struct cli_prior *priors, const struct term_inputs *under_test, const struct term_list *paths,
                     enum prn_clock clock, size_t threads, struct prn_error *error);

/*
 * The default keys of policies, as prn_policy_open takes them: appends ":key=value" to *defaults, which is owned
 * ("" at first).  Out of memory aborts.
 */
void cli_defaults_add(char **defaults, const char *key, const char *value);

/*
 * The defaults of each corpus under test, defaults[under_test->count], each owned by the caller: those common to all, and, if
 * paths names any corpora, the prior learned from them.  What was not reached is NULL after a failure.
 */
int cli_defaults_learn(char **defaults, const char *common, const struct term_inputs *under_test,
                       const struct term_list *paths, enum prn_clock clock, size_t threads, struct prn_error *error);

#endif
