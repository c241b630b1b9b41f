/*
 * What a look at a page costs in the unit of a store's budget, and what it is expected to cost.  The expectation is learned
 * from earlier looks at the page and is kept in its state (page_state.h).
 *
 * In visits a look costs one; if it is answered "not modified", the share of one that the store's settings give, or else one.
 * In bytes a look costs what came over the network: the body and PRN_COST_HEAD_BYTES.
 */
#ifndef DECIDE_COSTS_H
#define DECIDE_COSTS_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/budget.h"
#include "perennial/error.h"
#include "perennial/observation.h"
#include "perennial/page_state.h"

#define PRN_COST_HEAD_BYTES 400.0  /* a request and the head of its answer */
#define PRN_COST_FIRST_BYTES 1e5   /* a look at a page of which nothing is known, in a store of which nothing is known */
#define PRN_COST_RULES 16
#define PRN_COST_MEDIA 63

struct prn_costs {
	enum prn_unit unit;
	bool given;       /* "not modified" was given a price: */
	double unchanged; /* as a share of a fetch, in (0, 1] … */
	struct prn_cost_rule {
		char media[PRN_COST_MEDIA + 1];
		double unchanged;
	} rules[PRN_COST_RULES]; /* [count] … and that of pages of particular media types */
	size_t count;
	char text[PRN_COST_304_BYTES + 1]; /* as it was read; "": not given */
};

/* Every look costs one visit. */
void prn_costs_init(struct prn_costs *costs);

/*
 * Reads the price of "not modified": "0.1", or "application/pdf=0.02" (also "image/" and "image/" + "*"), or several separated
 * by commas, where later ones take precedence.  "" gives no price: it costs as much as a fetch.  PRN_E_ARGUMENT: the text is
 * none of these, and *costs is untouched
 */
int prn_costs_parse(struct prn_costs *costs, const char *text, struct prn_error *error);

/* Whether pages' states record what looks cost: they do in bytes, and where "not modified" has a price. */
bool prn_costs_are_counted(const struct prn_costs *costs);

/* What the next look at a page is expected to cost, > 0. */
double prn_cost_expected(const struct prn_costs *costs, const struct prn_page_state *state);

/*
 * Where nothing is known of the size of a page's answers, sets it in the state to answer_bytes, the mean of the store's other
 * pages (ledger.h); 0 is unknown.  Returns whether the state was set.
 */
bool prn_cost_guess(const struct prn_costs *costs, struct prn_page_state *state, double answer_bytes);

/*
 * The divisor of the page's weight, for a threshold that is the price of PRN_COST_FIRST_BYTES bytes: 1 where visits are
 * counted (doc/theory.md §15).
 */
double prn_cost_relative(const struct prn_costs *costs, const struct prn_page_state *state);

/* What a look actually cost; state is the page's state before the look. */
double prn_cost_of(const struct prn_costs *costs, const struct prn_page_state *state,
                   const struct prn_observation *look);

/*
 * Updates the state from a look, and clears what is not counted.  Of failures only those count that cost more than an answer is expected to.
 */
void prn_cost_learn(const struct prn_costs *costs, struct prn_page_state *state, const struct prn_observation *look);

#endif
