/*
 * A version of a page as a set of fragment hashes: the m smallest of them (a bottom-m sketch), or all.
 *
 * Plain numbers over borrowed memory: whoever hands out a summary says how long hashes stays valid.
 * Copying the struct copies the view, not the hashes.  Source: doc/theory.md §1 (BR; OP eq. 3).
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_SUMMARY_H
#define PERENNIAL_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_SUMMARY_ALL SIZE_MAX /* the limit of a summary that keeps every fragment */

struct prn_summary {
	const uint64_t *hashes; /* [count], ascending, distinct; may be NULL when count is 0 */
	size_t count;           /* at most limit */
	size_t limit;           /* m, > 0; PRN_SUMMARY_ALL for all fragments */
	bool complete;          /* hashes are all fragments of the version, so count is their number */
	bool of_digest;         /* of a digest of the content, which was not there itself: it compares with its like alone */
};

/*
 * The divergence 1 - |A ∩ B| / |A ∪ B| of two versions, in [0, 1]; 0 for two empty ones.
 *
 * Exact when both are complete.  Otherwise the unbiased estimate from X, the m smallest of the union
 * of the two summaries, m being the smaller limit: 1 - (share of X that is in both).  In either case it
 * is 0 exactly when the two summaries are equal.  Time is linear in m.
 */
double prn_summary_divergence(const struct prn_summary *a, const struct prn_summary *b);

/*
 * The summary of the same version with limit m > 0, m at most the limit it has: its smallest m hashes.
 * The result borrows the same memory.
 */
struct prn_summary prn_summary_smallest(const struct prn_summary *summary, size_t m);

#ifdef __cplusplus
}
#endif

#endif
