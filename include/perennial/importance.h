/*
 * How much pages matter, by who links to them or by where they stand: the weights W of the rule.
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_IMPORTANCE_H
#define PERENNIAL_IMPORTANCE_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/error.h"
#include "perennial/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * With N pages, d the damping, and every score in units of its mean, so that the mean weight is 1 and a page that nothing links to
 * still has some:
 *
 * BACKLINKS	(1 - d) + d B(p)/B, B(p) the number of pages that link to p and B its mean (Cho ch. 2)
 * PAGERANK	R(p) = (1 - d) + d (Σ R(q)/c(q) + D/N) over the pages q that link to p, c(q) the number of pages that q
 *		links to, D the sum of R over those that link to none: they are taken to lead everywhere (BP; doc/theory.md §17)
 * LOCATION	1/(1 + s) over its mean, s the number of parts of the path, and one more with a query (Cho ch. 2 names fewer
 *		slashes; the function is ours)
 * HITS	(1 - d) + d a(p)/a, a the authorities, h(q) = Σ a(p) over the pages that q links to, a(p) = Σ h(q) over those
 *		that link to p (KL), from all h alike
 *
 * Where there is no link at all every page weighs 1, by location apart.
 */
enum prn_importance {
	PRN_IMPORTANCE_BACKLINKS,
	PRN_IMPORTANCE_PAGERANK,
	PRN_IMPORTANCE_LOCATION,
	PRN_IMPORTANCE_HITS,
};

#define PRN_IMPORTANCES 4

/* "backlinks", "pagerank", "location", "hits"; "?" for any other value.  Static. */
const char *prn_importance_name(enum prn_importance importance);

#define PRN_IMPORTANCE_DAMPING 0.85
#define PRN_IMPORTANCE_TOLERANCE 1e-12
#define PRN_IMPORTANCE_ROUNDS 10000

/* All zero is the default of each but damping, for which 0 is a value. */
struct prn_importance_options {
	double damping;   /* d, from 0 and below 1 */
	double tolerance; /* 0: PRN_IMPORTANCE_TOLERANCE */
	size_t rounds;    /* at most; 0: PRN_IMPORTANCE_ROUNDS */
	size_t threads;   /* 0: all processors */
};

struct prn_importance_reached {
	size_t rounds;
	double within;  /* PAGERANK: the mean of |weight - limit| is at most this; HITS: that of the last round's change; else 0 */
	bool converged; /* within is at most the tolerance, or, for a damping next to 1, as near as doubles come */
};

/*
 * Writes the weights of all pages; they do not depend on the number of threads.  LOCATION reads graph->urls, the others its links.
 *
 * PRN_E_ARGUMENT	damping or tolerance is outside of what it may be; or LOCATION of a page without URL
 * PRN_E_MEMORY	*reached is as of the last round that was done
 */
int prn_importance_weights(enum prn_importance importance, const struct prn_graph *graph, const struct prn_importance_options *options,
                           double *weights, struct prn_importance_reached *reached, struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
