/*
 * The price of a look: a conditional request that is answered "not modified" costs a share c of a fetch, so a visit costs
 * the less the likelier that answer is (doc/theory.md §15).
 *
 * Time is in any one unit, the same for rates and intervals.  Plain numbers: copy them freely.
 */
#ifndef PERENNIAL_LOOK_H
#define PERENNIAL_LOOK_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a look at a page costs.  All zero: every look costs a fetch. */
struct prn_look {
	double cost; /* c in (0, 1): of an unchanged answer, in fetches; 0 or 1: as a fetch */
	double rate; /* λ_b > 0: at which "not the same bytes" comes; 0: not known, then it costs a fetch */
};

/*
 * What the threshold is multiplied by for a visit at t: c + (1 - c)(1 - e^-x (1 + x)), x = λ_b t; 1 where every look
 * costs a fetch.  For t >= 0, INFINITY included.
 */
double prn_look_price(const struct prn_look *look, double t);

/* What a visit after t costs in the mean, in fetches: c + (1 - c)(1 - e^-x); 1 where every look costs a fetch. */
double prn_look_cost(const struct prn_look *look, double t);

/* The looks at a page.  All zero: none. */
struct prn_looks {
	double fetched; /* of them, those that were not answered "not modified": ΣB, fading */
	double visits;  /* n, fading */
	double time;    /* Στ, fading */
};

/* Takes in a look, interval > 0 after the one before: whether it was answered with other bytes. */
void prn_looks_add(struct prn_looks *looks, double interval, bool fetched);

/* λ_b, > 0; 0 before the first of them. */
double prn_looks_rate(const struct prn_looks *looks);

#ifdef __cplusplus
}
#endif

#endif
