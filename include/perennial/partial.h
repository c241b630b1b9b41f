/*
 * Partial results: what was measured on one part of the pages (part.h), in a file, until all parts are joined.
 *
 * Joining them gives the result on all pages to the last bit, for any number of parts and in any order: sums are kept host by
 * host, or slot by slot, and added up in the order of hosts; resamples draw from the same sums.  All parts must have been
 * measured with the same settings, which the file has as lines of text.  doc/partial.md has the bytes.
 */
#ifndef PERENNIAL_PARTIAL_H
#define PERENNIAL_PARTIAL_H

#include <stddef.h>

#include "perennial/error.h"
#include "perennial/part.h"

#ifdef __cplusplus
extern "C" {
#endif

enum prn_partial_kind {
	PRN_PARTIAL_EVALUATION, /* evaluation.h */
	PRN_PARTIAL_LONGEVITY,  /* longevity.h */
};

#define PRN_PARTIAL_TEXT_BYTES ((size_t)1 << 20) /* the longest settings, and the most of extra */

struct prn_partial_about {
	enum prn_partial_kind kind;
	struct prn_part part;       /* of at least 1 */
	const char *settings;       /* lines of "key=value", each ended; must be equal in all parts */
	const unsigned char *extra; /* [extra_bytes] what the caller wants kept besides; its own business */
	size_t extra_bytes;
};

struct prn_partial;

/*
 * Opens a partial result, whole in memory.
 *
 * PRN_E_IO		cannot be opened or read
 * PRN_E_INPUT		it is no partial result, or damaged
 * PRN_E_TRUNCATED	cut off
 * PRN_E_VERSION	written by a newer version, or by an older one, whose results are made again
 * PRN_E_MEMORY
 */
int prn_partial_open(struct prn_partial **out, const char *path, struct prn_error *error);
void prn_partial_free(struct prn_partial *partial);

/* What it is of; valid until the partial is freed. */
const struct prn_partial_about *prn_partial_about(const struct prn_partial *partial);

/*
 * Checks that partial results are those of all parts of one whole, each once, measured alike.
 *
 * PRN_E_ARGUMENT	they are not; the text names the files, and the parts that are missing
 */
int prn_partials_check(const struct prn_partial *const *partials, size_t count, struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
