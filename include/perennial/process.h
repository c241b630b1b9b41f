/*
 * Change processes: how pages change in a simulation, the ground truth that estimators and policies are held against.
 *
 * A process is its parameters: plain numbers, copy it freely.  A page of it is a struct prn_process_page, plain numbers
 * too: a copy of it goes on to change just as it does.
 *
 * Content is in regions, each of which is replaced as a whole when it changes (churn, doc/theory.md §3).  Time is in one
 * unit, the caller's; a page's life begins at 0, and has gone on for ever before.
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_PROCESS_H
#define PERENNIAL_PROCESS_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A parameter of a process or of a schedule (schedule.h).  All strings are static. */
struct prn_simulation_key {
	const char *name;
	const char *fallback; /* the value it has when not given, as written in a specification */
	const char *help;     /* one line */
};

/* One kind of process or schedule.  All strings are static; keys end with a NULL name. */
struct prn_simulation_info {
	const char *name;
	const char *title;  /* one line */
	const char *source; /* "Cho §6.4"; "this project" */
	const struct prn_simulation_key *keys;
};

/* The i-th process, or NULL past the end. */
const struct prn_simulation_info *prn_process_info(size_t i);

#define PRN_PROCESS_REGIONS 2
#define PRN_PROCESS_CLASSES 8

struct prn_process_kind;

/* Set by prn_process_init; may be read.  Each process has those of the parameters that its keys name. */
struct prn_process {
	const struct prn_process_kind *kind;
	double shape;                        /* gamma: of the times between changes; 1 is Poisson */
	double factors[PRN_PROCESS_CLASSES]; /* mixture: the rates of its classes of pages, as multiples of λ */
	double shares[PRN_PROCESS_CLASSES];  /* how many of the pages are in each; any sum > 0 */
	size_t factor_count, share_count;
	double factor;                       /* shift: what λ is multiplied by */
	double at;                           /* from this time on */
	double share;                        /* two-speed: how much of the content is in the fast region */
	double fast;                         /* how many times as often it changes as the rest */
};

/*
 * Fills *process from a specification "name" or "name:key=value:key=value"; lists of numbers are written 1/2/3.
 * Untouched on failure.
 *
 * PRN_E_NOT_FOUND	no such process or key; the text lists what there is
 * PRN_E_ARGUMENT	a value does not fit its key, or not as many shares as factors
 */
int prn_process_init(struct prn_process *process, const char *specification, struct prn_error *error);

struct prn_process_page {
	uint64_t random[4];               /* where its draws are */
	double rate;                      /* the page's λ at time 0, of the slow region */
	double next[PRN_PROCESS_REGIONS]; /* when each region changes next; INFINITY for one that is not there */
};

/*
 * Begins a page at time 0, of mean rate λ: rate changes per unit of time, from 1e-30 to 1e30.  The same seed and number
 * make the same page.
 */
void prn_process_begin(const struct prn_process *process, double rate, uint64_t seed, uint64_t number,
                       struct prn_process_page *page);

/* When the page changes next. */
double prn_process_next(const struct prn_process_page *page);

/* Lets it change, and returns which region does.  Its next change is later. */
unsigned prn_process_change(const struct prn_process *process, struct prn_process_page *page);

/* How often the page changes at time t >= 0: the true rate of changes, of all its regions. */
double prn_process_rate(const struct prn_process *process, const struct prn_process_page *page, double t);

/* The highest rate that any page of mean rate λ has at any time. */
double prn_process_rate_most(const struct prn_process *process, double rate);

/* The share of the page's content that is in a region, in [0, 1]. */
double prn_process_share(const struct prn_process *process, unsigned region);

#ifdef __cplusplus
}
#endif

#endif
