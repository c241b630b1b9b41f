#include "history/trace_block.h"

#include "history/trace_format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>
#include <zstd_errors.h>

int prn_trace_read_at(int fd, const char *path, uint64_t offset, unsigned char *out, size_t length,
                      struct prn_error *error)
{
	size_t got = 0;

	while (got < length) {
		ssize_t n = pread(fd, out + got, length - got, (off_t)(offset + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return prn_error_set(error, PRN_E_IO, "%s: cannot read at offset %llu: %s", path,
			                     (unsigned long long)offset, strerror(errno));
		if (!n)
			return prn_error_set(error, PRN_E_TRUNCATED, "%s: the trace is cut off: it ends before offset %llu", path,
			                     (unsigned long long)(offset + length));
		got += (size_t)n;
	}
	return 0;
}

static int unpack(const char *path, const struct prn_trace_extent *extent, const unsigned char *stored,
                  unsigned char **data, struct prn_error *error)
{
	unsigned char *raw = malloc(extent->raw ? (size_t)extent->raw : 1);
	size_t length;

	if (!raw)
		return prn_error_memory(error);
	length = ZSTD_decompress(raw, (size_t)extent->raw, stored, (size_t)extent->stored);
	if (ZSTD_isError(length) && ZSTD_getErrorCode(length) == ZSTD_error_memory_allocation) {
		free(raw);
		return prn_error_memory(error);
	}
	if (ZSTD_isError(length) || length != extent->raw) {
		free(raw);
		return prn_error_set(error, PRN_E_INPUT, "%s: damaged: the block at offset %llu does not unpack", path,
		                     (unsigned long long)extent->offset);
	}
	*data = raw;
	return 0;
}

int prn_trace_extent_read(int fd, const char *path, const struct prn_trace_extent *extent, unsigned char **data,
                          struct prn_error *error)
{
	unsigned char *stored = malloc(extent->stored ? (size_t)extent->stored : 1);
	int code;

	if (!stored)
		return prn_error_memory(error);
	code = prn_trace_read_at(fd, path, extent->offset, stored, (size_t)extent->stored, error);
	if (!code && XXH3_64bits(stored, (size_t)extent->stored) != extent->checksum)
		code = prn_error_set(error, PRN_E_INPUT, "%s: damaged: wrong checksum of the block at offset %llu", path,
		                     (unsigned long long)extent->offset);
	if (!code && extent->stored == extent->raw) {
		*data = stored;
		return 0;
	}
	if (!code)
		code = unpack(path, extent, stored, data, error);
	free(stored);
	return code;
}

int prn_trace_cache_init(struct prn_trace_cache *cache)
{
	*cache = (struct prn_trace_cache){ 0 };
	return pthread_mutex_init(&cache->lock, NULL) ? PRN_E_MEMORY : 0;
}

static void drop_locked(struct prn_trace_block *block)
{
	if (!block || --block->holders)
		return;
	free(block->data);
	free(block);
}

void prn_trace_cache_release(struct prn_trace_cache *cache)
{
	for (size_t i = 0; i < PRN_TRACE_KEPT; i++)
		drop_locked(cache->kept[i]);
	pthread_mutex_destroy(&cache->lock);
}

void prn_trace_cache_drop(struct prn_trace_cache *cache, struct prn_trace_block *block)
{
	pthread_mutex_lock(&cache->lock);
	drop_locked(block);
	pthread_mutex_unlock(&cache->lock);
}

static struct prn_trace_block *find(struct prn_trace_cache *cache, size_t index)
{
	struct prn_trace_block *found = NULL;

	pthread_mutex_lock(&cache->lock);
	for (size_t i = 0; i < PRN_TRACE_KEPT && !found; i++)
		if (cache->kept[i] && cache->kept[i]->index == index)
			found = cache->kept[i];
	if (found)
		found->holders++;
	pthread_mutex_unlock(&cache->lock);
	return found;
}

/* A page with a block of its own is long, and is not needed again soon. */
static void keep(struct prn_trace_cache *cache, struct prn_trace_block *block)
{
	if (block->length > PRN_TRACE_BLOCK_BYTES)
		return;
	pthread_mutex_lock(&cache->lock);
	drop_locked(cache->kept[cache->next]);
	cache->kept[cache->next] = block;
	block->holders++;
	cache->next = (cache->next + 1) % PRN_TRACE_KEPT;
	pthread_mutex_unlock(&cache->lock);
}

int prn_trace_cache_hold(struct prn_trace_cache *cache, int fd, const char *path, size_t index,
                         const struct prn_trace_extent *extent, struct prn_trace_block **out, struct prn_error *error)
{
	struct prn_trace_block *block = find(cache, index);
	int code;

	if (block) {
		*out = block;
		return 0;
	}
	block = calloc(1, sizeof *block);
	if (!block)
		return prn_error_memory(error);
	*block = (struct prn_trace_block){ .index = index, .length = (size_t)extent->raw, .holders = 1 };
	code = prn_trace_extent_read(fd, path, extent, &block->data, error);
	if (code) {
		free(block);
		return code;
	}
	keep(cache, block);
	*out = block;
	return 0;
}
