/*
 * The blocks of an open trace: they are read with pread, verified, and decompressed.  The last few are cached,
 * so that pages that are read one after another, by one thread or several, decompress each block once.
 */
#ifndef HISTORY_TRACE_BLOCK_H
#define HISTORY_TRACE_BLOCK_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"

#define PRN_TRACE_KEPT 8 /* blocks; at least as many as threads, or these evict each other's */

struct prn_trace_extent {
	uint64_t offset; /* in the file */
	uint64_t stored, raw, checksum;
};

/* Decompressed bytes, freed by the last holder. */
struct prn_trace_block {
	unsigned char *data;
	size_t length;
	size_t index;
	unsigned holders; /* under the lock of the cache */
};

struct prn_trace_cache {
	pthread_mutex_t lock;
	struct prn_trace_block *kept[PRN_TRACE_KEPT];
	unsigned next;
};

/*
 * Reads length bytes as they are. path is for messages.
 *
 * PRN_E_IO	cannot be read
 * PRN_E_TRUNCATED	the file ends before
 */
int prn_trace_read_at(int fd, const char *path, uint64_t offset, unsigned char *out, size_t length,
                      struct prn_error *error);

/*
 * Reads and decompresses one extent of the file into malloc'ed memory.
 *
 * PRN_E_IO	cannot be read
 * PRN_E_INPUT	damaged: the checksum is wrong, or it does not decompress to extent->raw bytes
 * PRN_E_TRUNCATED	the file ends before it
 * PRN_E_MEMORY
 */
int prn_trace_extent_read(int fd, const char *path, const struct prn_trace_extent *extent, unsigned char **data,
                          struct prn_error *error);

/* Fails only without memory. */
int prn_trace_cache_init(struct prn_trace_cache *cache);
void prn_trace_cache_release(struct prn_trace_cache *cache);

/* Gets the block with this index, held until _drop.  Any thread may call it.  Errors as prn_trace_extent_read. */
int prn_trace_cache_hold(struct prn_trace_cache *cache, int fd, const char *path, size_t index,
                         const struct prn_trace_extent *extent, struct prn_trace_block **out, struct prn_error *error);
void prn_trace_cache_drop(struct prn_trace_cache *cache, struct prn_trace_block *block);

#endif
