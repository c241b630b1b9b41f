/*
 * The longevity of one page's content (doc/theory.md §12; OP §3): the lifetimes of its fragments, which of them are
 * static, churn or scroll, and how the page changes.
 *
 * All is within the page's own life (prn_page_life): from its first content to its last capture before it is
 * gone for good.  Only captures that brought an observation count; the resolution is the capture interval.
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_STUDY_H
#define PERENNIAL_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"
#include "perennial/page.h"
#include "perennial/survival.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What kind of content a fragment was, by what it lived through. */
enum prn_region {
	PRN_REGION_STATIC,  /* there at every capture of the page's life */
	PRN_REGION_CHURN,   /* gone at the first change of the page after its birth: K = 1 */
	PRN_REGION_SCROLL,  /* survived a change of the page, but was not always there: K > 1 */
	PRN_REGION_UNKNOWN, /* survived none, but it was there at first or at last, so K is not known */
};

/* "static", "churn", "scroll", "unknown"; "?" for any other value.  Static. */
const char *prn_region_name(enum prn_region region);

/* A run of captures with the fragment; one that comes back has another life. */
struct prn_lifetime {
	uint64_t hash;
	uint32_t from, to;  /* captures of the page: there at from … to-1, clipped to the page's life */
	uint32_t survived;  /* changes of the page meanwhile: K - 1, and no more than that for a censored one */
	double days;        /* from the first capture with it to the first without it, or to the last of all */
	enum prn_censoring censoring; /* there at the page's first capture: left; at its last: right */
	enum prn_region region;
};

/* What kind of page it is, by the share of its content over time. */
enum prn_nature {
	PRN_NATURE_STATIC,  /* never seen to change */
	PRN_NATURE_CHURN,   /* of what is not static, at least PRN_NATURE_SHARE is churn */
	PRN_NATURE_SCROLL,  /* likewise scroll */
	PRN_NATURE_MIXED,   /* neither */
	PRN_NATURE_UNKNOWN, /* one change: nothing was seen between two changes */
};

#define PRN_NATURES 5
#define PRN_NATURE_SHARE (2.0 / 3)

/* "static", "churn", "scroll", "mixed", "unknown"; "?" for any other value.  Static. */
const char *prn_nature_name(enum prn_nature nature);

/* Parts of a page's content; NaN when nothing tells, else they add up to 1. */
struct prn_shares {
	double constant; /* the static part */
	double churn, scroll;
};

struct prn_study_result {
	size_t captures;  /* of the page's life */
	size_t taken;     /* of these, brought an observation */
	size_t changes;   /* taken captures that differ from the taken one before */
	size_t returns;   /* of these, to the content of an earlier version: flip-flop */
	double days;      /* from the first capture of its life to the last */
	bool there_first; /* its life begins with the page's first capture */
	bool there_last;  /* and ends with its last one: not gone for good */

	double change_frequency; /* changes / (taken - 1), in [0, 1] */
	double interval_days;    /* days / changes; INFINITY without changes (Cho §4.3) */
	double eagerness;        /* doc/theory.md §8 */
	double updates;          /* estimated by mle (doc/theory.md §9): several between two captures are one change */

	/* How long it stayed as it was first seen, and there: until its first change or until it was found gone (Cho §4.5). */
	double unchanged_days;
	bool unchanged_ended; /* else it is still so */

	size_t fragments;            /* different ones */
	double content;              /* fragments x days: how much was there for how long */
	uint64_t lifetimes[PRN_CENSORINGS]; /* how many, by which ends were seen */
	double longevity_days;       /* mean of the known lifetimes; NaN: there is none */
	size_t static_fragments;     /* different fragments that were always there: the most persistent */
	size_t ephemeral_fragments;  /* different fragments seen at one capture alone, before and after which others were */
	double ephemeral_content;    /* of these, fragments x days */
	uint32_t dominant_k;         /* the most common K of known lifetimes, the smallest such; 0: there is none */

	/*
	 * Churn and scroll by lifetime: of the fragments born at a change that is neither the first capture
	 * nor the last change, those that the next change took away, and those it did not.  Whether a fragment
	 * survives its first change is seen for all of these, so nothing is censored and neither is favoured.
	 */
	size_t churn_births, scroll_births;

	/*
	 * And by content over time, fragments x days: all that is static, and what is churn and scroll between the
	 * first and the last change, where both can be told apart.
	 */
	double static_content, churn_content, scroll_content;
	struct prn_shares shares; /* of content over time: static of the whole, churn to scroll as between the changes */

	/* The static share had only the first half of its captures been seen: what outlives a short watch looks static. */
	double static_half;
	enum prn_nature nature;
};

/*
 * Studies one page after another and keeps its memory.  One per thread.
 */
struct prn_study;

/* PRN_E_MEMORY */
int prn_study_open(struct prn_study **out);
void prn_study_free(struct prn_study *study);

/*
 * Takes up a page.  Returns 1, or 0 when it has fewer than PRN_LIFE_CAPTURES captures in its life and is to be
 * left out, or a negative code.  What the functions below return is valid until the next call.
 *
 * PRN_E_MEMORY
 */
int prn_study_read(struct prn_study *study, const struct prn_page *page);

const struct prn_study_result *prn_study_result(const struct prn_study *study);

/* The lifetimes [*count], in the order of stripes, then of time. */
const struct prn_lifetime *prn_study_lifetimes(const struct prn_study *study, size_t *count);

/* The waits between taken captures [*count], days, and whether the content had changed at the end of each. */
const double *prn_study_waits(const struct prn_study *study, const bool **changed, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
