/*
 * The bytes of a partial result, and how its measure writes and reads its own (doc/partial.md).  Integers are little-endian.
 *
 *	 0	8	"PRNPARTL"
 *	 8	u32	version, 2
 *	12	u32	kind
 *	16	u32	part
 *	20	u32	of how many, at most 4096
 *	24	u32	bytes of settings, with a NUL at their end
 *	28	u32	bytes of extra
 *	32	u64	bytes of the result
 *	40	…	settings, extra, result
 *	…	u64	XXH3-64 of all before it
 */
#ifndef HISTORY_PARTIAL_FILE_H
#define HISTORY_PARTIAL_FILE_H

#include "base/buffer.h"
#include "perennial/partial.h"

#define PRN_PARTIAL_MAGIC "PRNPARTL"
#define PRN_PARTIAL_VERSION 2
#define PRN_PARTIAL_HEADER_BYTES 40
#define PRN_PARTIAL_CHECKSUM_BYTES 8
#define PRN_PARTIAL_BYTES ((uint64_t)1 << 33) /* bytes of the longest file */

/* Writes a file completely or not at all.  PRN_E_LIMIT: too long; PRN_E_IO, PRN_E_MEMORY */
int prn_partial_write(const char *path, const struct prn_partial_about *about, const struct prn_buffer *result,
                      struct prn_error *error);

/* The result's bytes. */
struct prn_cursor prn_partial_result(const struct prn_partial *partial);

/* Sets the error for an invalid result: PRN_E_INPUT, and *error names the file. */
int prn_partial_damaged(const struct prn_partial *partial, struct prn_error *error);

/* Write and read IEEE doubles, bit by bit.  PRN_E_MEMORY; PRN_E_TRUNCATED */
int prn_partial_put_doubles(struct prn_buffer *out, const double *values, size_t count);
int prn_partial_get_doubles(struct prn_cursor *in, double *values, size_t count);

#endif
