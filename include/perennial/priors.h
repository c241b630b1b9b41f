/*
 * The prior of the policy drift, learned from page histories: one from all of them, or one for each corpus under test.
 *
 * A prior must not have seen the pages that it is judged on.  So for a corpus under test those pages are left out of the
 * learning that are in it too, wherever they were read from: pages of the same URL that had the same content at the same
 * second.  A page of the same URL that was watched at another time, or drawn by another seed, is another page.
 */
#ifndef PERENNIAL_PRIORS_H
#define PERENNIAL_PRIORS_H

#include <stddef.h>

#include "perennial/error.h"
#include "perennial/life.h"
#include "perennial/pages.h"
#include "perennial/prior.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the pages to learn from drifted: read once, learned from for any number of corpora under test. */
struct prn_priors;

/*
 * Reads the lives of all pages to learn from.  pages is borrowed for as long as *out lives; threads, 0 for all
 * processors, serve what is called later too.
 *
 * PRN_E_MEMORY, and the errors of pages->read
 */
int prn_priors_open(struct prn_priors **out, const struct prn_pages *pages, enum prn_clock clock, size_t threads,
                    struct prn_error *error);
void prn_priors_free(struct prn_priors *priors);

struct prn_learned_prior {
	struct prn_prior prior; /* beta in clock units */
	size_t pages;           /* that it was learned from */
};

/*
 * Learns a prior for one corpus of the pages under test, from all pages to learn from but those that are in this corpus
 * too; or, if under_test is NULL, from all of them.
 *
 * PRN_E_ARGUMENT		no page to learn from has a life of PRN_LIFE_CAPTURES captures; or under_test has no such corpus
 * PRN_E_NOT_FOUND	none is left: those that have are all in the corpus under test
 * PRN_E_UNSUPPORTED	a page has no URL, and what it is cannot be known
 * PRN_E_MEMORY, and the errors of either read
 */
int prn_priors_learn(const struct prn_priors *priors, const struct prn_pages *under_test, size_t corpus,
                     struct prn_learned_prior *learned, struct prn_error *error);

#define PRN_PRIOR_DEFAULTS 64

/* Writes a prior as the defaults that prn_policy_open and prn_sweeps_open take, "alpha=0.1:beta=3.8", exactly; returns text. */
char *prn_prior_defaults(const struct prn_prior *prior, char text[PRN_PRIOR_DEFAULTS]);

#ifdef __cplusplus
}
#endif

#endif
