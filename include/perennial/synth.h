/*
 * Pages of the generative model (OP §3.3, doc/theory.md §3), by seed and with known truth: a static part and up to
 * PRN_SYNTH_REGIONS regions, each updated at the times of a Poisson process of its own.  An update appends an item to
 * its region and evicts the oldest of its K (K = 1: churn, everything is replaced).  All captures are content.
 *
 * What is not fixed by the options is drawn for each page:
 *	fragments	log-uniform in 100 … 2000
 *	wholly static	one page in four; else the static share is uniform in 0.05 … 0.95
 *	regions		one, or two with probability 0.3; they share what is not static evenly
 *	K		1 with probability 1/2, else one of 2 4 8 16 32
 *	rate		per capture interval log-uniform in 1/64 … 4
 * An item has at least 5 fragments, so small pages with large K come out larger.
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_SYNTH_H
#define PERENNIAL_SYNTH_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"
#include "perennial/page.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_SYNTH_REGIONS 4
#define PRN_SYNTH_DRAWN (-1.0) /* a share or rate that is drawn */

struct prn_synth_options {
	uint64_t seed;
	size_t pages, captures;  /* at least 1; at most 10^7 pages, 10^6 captures */
	int64_t start, interval; /* of the first capture; seconds from one to the next, at least 1 */
	size_t fragments;        /* of a page, about; 0: drawn */
	double static_share;     /* 0 … 1, or PRN_SYNTH_DRAWN */
	double rate_per_day;     /* updates of each region; at most 10^4 per capture interval; or PRN_SYNTH_DRAWN */
	unsigned regions;        /* 1 … PRN_SYNTH_REGIONS; 0: drawn */
	unsigned items;          /* K, 1 … PRN_CURVE_ITEMS; 0: drawn */
};

/* Seed 1, 100 pages, 60 captures, daily from 2026-01-01 on, all else drawn. */
void prn_synth_defaults(struct prn_synth_options *options);

struct prn_synth_region {
	double share; /* g: of the page's fragments, as they came out */
	double rate_per_day;
	uint32_t items;          /* K */
	uint32_t item_fragments; /* of each */
};

/* The truth about a page. */
struct prn_synth_page {
	char url[64];
	uint32_t static_fragments, fragments; /* of the page at any time */
	struct prn_synth_region regions[PRN_SYNTH_REGIONS];
	unsigned region_count;
};

struct prn_synth;

/* PRN_E_ARGUMENT: the text names the option and its range.  PRN_E_MEMORY */
int prn_synth_open(struct prn_synth **out, const struct prn_synth_options *options, struct prn_error *error);
void prn_synth_free(struct prn_synth *synth);

/* Fills *page for i < pages, in the order of their URLs. */
void prn_synth_page(const struct prn_synth *synth, size_t i, struct prn_synth_page *page);

/* Fills *history (initialised; its memory is used again) with page i as stripes.  PRN_E_MEMORY, PRN_E_LIMIT */
int prn_synth_history(const struct prn_synth *synth, size_t i, struct prn_page *history);

/* Writes all pages to a trace.  Errors as prn_trace_writer_*. */
int prn_synth_trace(const struct prn_synth *synth, const char *path, struct prn_error *error);

/*
 * Writes all pages as HTML to a WARC file, gzip if the path ends in ".gz": a revisit where nothing changed.  Imported with
 * shingles of PRN_SHINGLE_WORDS, the pages have the same stripes as in the trace but for the hashes.
 */
int prn_synth_warc(const struct prn_synth *synth, const char *path, struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
