/*
 * The bytes of a trace file.  Integers are little-endian; varint is LEB128; checksums are XXH3-64.
 *
 *	header | blocks, back to back | index | trailer
 *
 * Header
 *	 0	8	"PRNTRACE"
 *	 8	u32	version; 1 has no bodies, 2 no payload digests, 3 no links, 4 no media types: what is written is 3
 *			where there are neither links nor media types, and 4 where there are links alone
 *	12	u32	length of the header, the checksum included
 *	16	u32	fragment rule
 *	20	u32	k, words of a shingle
 *	24	32	tool and version that wrote it, padded with NUL
 *	56	u32	from version 5 on: 1 if pages may have links, else 0
 *	…	…	provenance: one line, no NUL
 *	…	u64	checksum of all before it
 *	The first 16 bytes are the same in every version to come.
 *
 * Block: whole pages in a row, one zstd frame; as it is when it has as many bytes raw as stored.  A page that would take a
 *	block past PRN_TRACE_BLOCK_BYTES begins the next, so a page longer than that has one to itself.
 *
 * Page
 *	u64	weight, an IEEE double
 *	varint	captures
 *	varint	of each capture, its time: the first in zigzag form, the others from the one before
 *	u8	of each capture, its kind
 *	varint	of each capture, 0 or 1 + zigzag(time - Last-Modified)
 *	varint	of each capture, its body: 0, that of the capture before, or not known at the first; 1, a new one, and varint
 *		its bytes; 1 + captures since the first that had it; or 2 + captures before, a new one with a payload digest: varint its
 *		bytes, u64, u64 the digest, high and low
 *	varint	from version 4 on: 0, or 1 + the capture whose links are known; and then varint how many, and u64 each, ascending
 *	varint	from version 5 on: bytes of the media types of its content; these, ascending, each ended by NUL; and where there are any,
 *		of the captures of kind content, until all are told: varint 0, or 1 + where in these bytes their type begins; varint
 *		how many in a row
 *	varint	run patterns, in ascending order of their numbers; of each:
 *		varint	runs; of each: varint captures since the run before, varint captures in it
 *		varint	fragments that have this pattern
 *	u64	hashes of these fragments, pattern by pattern, ascending in each
 *
 * Index: one zstd frame or stored as blocks are
 *	varint	blocks; of each: varint bytes raw, varint bytes stored, u64 checksum of the stored bytes
 *	varint	pages, ascending by normal URL; of each:
 *		normal URL, NUL
 *		spelling for output, NUL; empty if it is the normal URL
 *		varint	bytes of the page in its block: pages fill the blocks in turn
 *
 * Trailer
 *	 0	u64	offset of the index
 *	 8	u64	bytes of the index as stored
 *	16	u64	bytes of the index raw
 *	24	u64	checksum of the stored index
 *	32	u64	checksum of these 32 bytes, seeded with the checksum that ends the header
 *	40	8	"ECARTNRP"
 *
 * What is stored may grow at most PRN_TRACE_EXPANSION-fold, PRN_TRACE_SLACK apart, when it is read: the writer stores what would grow
 * more as it is.  So a small hostile file cannot ask for much memory.
 */
#ifndef HISTORY_TRACE_FORMAT_H
#define HISTORY_TRACE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRN_TRACE_VERSION 5
#define PRN_TRACE_BODIES 2 /* the first version that has them */
#define PRN_TRACE_PAYLOADS 3
#define PRN_TRACE_LINKS 4
#define PRN_TRACE_MEDIA 5
#define PRN_TRACE_MAGIC "PRNTRACE"
#define PRN_TRACE_END_MAGIC "ECARTNRP"

#define PRN_TRACE_HEADER_BYTES 64 /* the least header: prn_trace_header_bytes */
#define PRN_TRACE_PROVENANCE_BYTES ((size_t)1 << 20)
#define PRN_TRACE_TRAILER_BYTES 48
/*
 * Adjacent pages share fragments (a front page and its feeds), which compress only within a common block: at 1
 * MiB the traces of corpora/ are a sixth smaller than at 256 KiB, one of feeds half as large, and a page is
 * still read within a millisecond.
 */
#define PRN_TRACE_BLOCK_BYTES ((size_t)1 << 20)
#define PRN_TRACE_PAGE_BYTES ((size_t)1 << 30) /* the longest page */

#define PRN_TRACE_EXPANSION 1024
#define PRN_TRACE_SLACK ((uint64_t)1 << 20)

/* Bytes of the header, without provenance. */
static inline size_t prn_trace_header_bytes(uint32_t version)
{
	return version < PRN_TRACE_MEDIA ? PRN_TRACE_HEADER_BYTES : PRN_TRACE_HEADER_BYTES + 4;
}

static inline bool prn_trace_expansion_ok(uint64_t stored, uint64_t raw)
{
	return raw <= PRN_TRACE_SLACK || raw / PRN_TRACE_EXPANSION <= stored;
}

#endif
