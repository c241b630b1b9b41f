#include "perennial/trace.h"

#include "base/buffer.h"
#include "history/page_codec.h"
#include "history/trace_block.h"
#include "history/trace_format.h"
#include "perennial/extractor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* The place of a page; its strings are in the index as read. */
struct entry {
	const char *normal, *spelling;
	size_t block, offset, length;
};

struct prn_trace {
	int fd;
	char *path;
	struct prn_trace_about about;
	uint32_t version;
	uint64_t header_bytes, header_checksum, file_bytes;
	unsigned char *index;
	struct prn_trace_extent *blocks;
	size_t block_count;
	struct entry *pages;
	size_t page_count;
	struct prn_trace_cache cache;
	bool has_cache;
};

static int damaged(const struct prn_trace *trace, struct prn_error *error, const char *what)
{
	return prn_error_set(error, PRN_E_INPUT, "%s: damaged: %s", trace->path, what);
}

/* The first 16 bytes are the same in every version. */
static int read_magic(struct prn_trace *trace, struct prn_error *error)
{
	unsigned char bytes[16] = { 0 };
	struct prn_cursor in = { bytes, sizeof bytes, 8 };
	uint32_t version = 0, length = 0;
	int code;

	if (trace->file_bytes < sizeof bytes)
		return prn_error_set(error, PRN_E_INPUT, "%s: this is not a trace", trace->path);
	code = prn_trace_read_at(trace->fd, trace->path, 0, bytes, sizeof bytes, error);
	if (code)
		return code;
	if (memcmp(bytes, PRN_TRACE_MAGIC, 8))
		return prn_error_set(error, PRN_E_INPUT, "%s: this is not a trace", trace->path);
	prn_cursor_u32(&in, &version);
	prn_cursor_u32(&in, &length);
	if (version > PRN_TRACE_VERSION)
		return prn_error_set(error, PRN_E_VERSION,
		                     "%s: written by a newer version (trace version %u, this program reads up to %d): "
		                     "use a newer perennial",
		                     trace->path, version, PRN_TRACE_VERSION);
	if (!version || length < prn_trace_header_bytes(version) ||
	    length > prn_trace_header_bytes(version) + PRN_TRACE_PROVENANCE_BYTES)
		return damaged(trace, error, "no such header");
	if (length + PRN_TRACE_TRAILER_BYTES > trace->file_bytes)
		return prn_error_set(error, PRN_E_TRUNCATED, "%s: the trace is cut off", trace->path);
	trace->header_bytes = length;
	trace->version = version;
	trace->about.links = version == PRN_TRACE_LINKS;
	trace->about.media = version >= PRN_TRACE_MEDIA;
	return 0;
}

/* bytes is the whole header. */
static int parse_header(struct prn_trace *trace, const unsigned char *bytes, struct prn_error *error)
{
	size_t length = (size_t)trace->header_bytes, text = length - prn_trace_header_bytes(trace->version);
	struct prn_cursor in = { bytes, length, 16 };
	const unsigned char *tool = NULL, *provenance = NULL;
	struct prn_trace_about *about = &trace->about;
	uint32_t links = about->links;
	int short_of = prn_cursor_u32(&in, &about->fragment_rule) | prn_cursor_u32(&in, &about->shingle_words) |
	               prn_cursor_bytes(&in, sizeof about->tool, &tool) | (about->media && prn_cursor_u32(&in, &links)) |
	               prn_cursor_bytes(&in, text, &provenance) | prn_cursor_u64(&in, &trace->header_checksum);

	if (short_of || XXH3_64bits(bytes, length - 8) != trace->header_checksum)
		return damaged(trace, error, "wrong checksum of the header");
	if (about->fragment_rule > PRN_FRAGMENT_RULE)
		return prn_error_set(error, PRN_E_VERSION,
		                     "%s: its fragments were made by rule %u, and this program knows rules up to %d: use a newer perennial",
		                     trace->path, about->fragment_rule, PRN_FRAGMENT_RULE);
	if (!about->fragment_rule || !about->shingle_words || about->shingle_words > PRN_SHINGLE_WORDS_MAX ||
	    tool[sizeof about->tool - 1] || memchr(provenance, 0, text) || links > 1)
		return damaged(trace, error, "no such header");
	about->links = links;
	memcpy(about->tool, tool, sizeof about->tool);
	about->provenance = strndup((const char *)provenance, text);
	return about->provenance ? 0 : prn_error_memory(error);
}

static int read_header(struct prn_trace *trace, struct prn_error *error)
{
	unsigned char *bytes = NULL;
	int code = read_magic(trace, error);

	if (code)
		return code;
	bytes = malloc((size_t)trace->header_bytes);
	if (!bytes)
		return prn_error_memory(error);
	code = prn_trace_read_at(trace->fd, trace->path, 0, bytes, (size_t)trace->header_bytes, error);
	if (!code)
		code = parse_header(trace, bytes, error);
	free(bytes);
	return code;
}

static int read_trailer(const struct prn_trace *trace, struct prn_trace_extent *index, struct prn_error *error)
{
	unsigned char bytes[PRN_TRACE_TRAILER_BYTES] = { 0 };
	struct prn_cursor in = { bytes, sizeof bytes, 0 };
	uint64_t end = trace->file_bytes - sizeof bytes, checksum = 0;
	int code = prn_trace_read_at(trace->fd, trace->path, end, bytes, sizeof bytes, error);

	if (code)
		return code;
	if (memcmp(bytes + 40, PRN_TRACE_END_MAGIC, 8))
		return prn_error_set(error, PRN_E_TRUNCATED,
		                     "%s: the trace is cut off: its writing or copying did not end", trace->path);
	prn_cursor_u64(&in, &index->offset);
	prn_cursor_u64(&in, &index->stored);
	prn_cursor_u64(&in, &index->raw);
	prn_cursor_u64(&in, &index->checksum);
	prn_cursor_u64(&in, &checksum);
	if (XXH3_64bits_withSeed(bytes, 32, trace->header_checksum) != checksum)
		return damaged(trace, error, "wrong checksum of the trailer");
	if (index->offset < trace->header_bytes || index->offset > end || index->stored != end - index->offset ||
	    !prn_trace_expansion_ok(index->stored, index->raw))
		return damaged(trace, error, "its index is not where it should be");
	return 0;
}

/* Blocks are contiguous from the header to the index. */
static int parse_blocks(struct prn_trace *trace, struct prn_cursor *in, uint64_t end, struct prn_error *error)
{
	uint64_t count, at = trace->header_bytes;

	if (prn_cursor_varint(in, &count) || count > (in->length - in->at) / 10)
		return damaged(trace, error, "its index does not hold");
	trace->blocks = calloc(count ? (size_t)count : 1, sizeof *trace->blocks);
	if (!trace->blocks)
		return prn_error_memory(error);
	trace->block_count = (size_t)count;
	for (size_t i = 0; i < trace->block_count; i++) {
		struct prn_trace_extent *block = &trace->blocks[i];

		if (prn_cursor_varint(in, &block->raw) || prn_cursor_varint(in, &block->stored) ||
		    prn_cursor_u64(in, &block->checksum) || block->stored > end - at || !block->raw ||
		    block->raw > PRN_TRACE_PAGE_BYTES || !prn_trace_expansion_ok(block->stored, block->raw))
			return damaged(trace, error, "its index does not hold");
		block->offset = at;
		at += block->stored;
	}
	return at == end ? 0 : damaged(trace, error, "its blocks do not fill it");
}

static int parse_string(struct prn_cursor *in, const char **text)
{
	const unsigned char *from = in->data + in->at, *end = memchr(from, 0, in->length - in->at);

	if (!end)
		return PRN_E_INPUT;
	in->at += (size_t)(end - from) + 1;
	*text = (const char *)from;
	return 0;
}

/* Finds the place of the next page: behind the previous one, or at the start of the next block. */
static int place_page(const struct prn_trace *trace, const struct entry *before, uint64_t length, struct entry *page)
{
	page->block = before ? before->block : 0;
	page->offset = before ? before->offset + before->length : 0;
	if (before && page->offset == trace->blocks[before->block].raw) {
		page->block++;
		page->offset = 0;
	}
	if (!length || page->block >= trace->block_count || length > trace->blocks[page->block].raw - page->offset)
		return PRN_E_INPUT;
	page->length = (size_t)length;
	return 0;
}

static int parse_pages(struct prn_trace *trace, struct prn_cursor *in, struct prn_error *error)
{
	const struct entry *before = NULL;
	uint64_t count;

	if (prn_cursor_varint(in, &count) || count > (in->length - in->at) / 3)
		return damaged(trace, error, "its index does not hold");
	trace->pages = calloc(count ? (size_t)count : 1, sizeof *trace->pages);
	if (!trace->pages)
		return prn_error_memory(error);
	trace->page_count = (size_t)count;
	for (size_t i = 0; i < trace->page_count; i++) {
		struct entry *page = &trace->pages[i];
		uint64_t length;

		if (parse_string(in, &page->normal) || parse_string(in, &page->spelling) || prn_cursor_varint(in, &length) ||
		    place_page(trace, before, length, page) || (before && strcmp(before->normal, page->normal) >= 0))
			return damaged(trace, error, "its index does not hold");
		if (!*page->spelling)
			page->spelling = page->normal;
		before = page;
	}
	if (in->at != in->length || (before ? before->block + 1 != trace->block_count ||
	                                      before->offset + before->length != trace->blocks[before->block].raw
	                                    : trace->block_count != 0))
		return damaged(trace, error, "its index does not hold");
	return 0;
}

static int read_index(struct prn_trace *trace, struct prn_error *error)
{
	struct prn_trace_extent extent;
	struct prn_cursor in;
	int code = read_trailer(trace, &extent, error);

	if (!code)
		code = prn_trace_extent_read(trace->fd, trace->path, &extent, &trace->index, error);
	if (code)
		return code;
	in = (struct prn_cursor){ trace->index, (size_t)extent.raw, 0 };
	code = parse_blocks(trace, &in, extent.offset, error);
	return code ? code : parse_pages(trace, &in, error);
}

static int open_file(struct prn_trace *trace, const char *path, struct prn_error *error)
{
	struct stat about;

	trace->path = strdup(path);
	if (!trace->path || prn_trace_cache_init(&trace->cache))
		return prn_error_memory(error);
	trace->has_cache = true;
	trace->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (trace->fd < 0 || fstat(trace->fd, &about))
		return prn_error_set(error, PRN_E_IO, "%s: cannot open: %s", path, strerror(errno));
	if (!S_ISREG(about.st_mode))
		return prn_error_set(error, PRN_E_INPUT, "%s: this is not a trace: it is not a regular file", path);
	trace->file_bytes = (uint64_t)about.st_size;
	return 0;
}

int prn_trace_open(struct prn_trace **out, const char *path, struct prn_error *error)
{
	struct prn_trace *trace = calloc(1, sizeof *trace);
	int code;

	if (!trace)
		return prn_error_memory(error);
	trace->fd = -1;
	code = open_file(trace, path, error);
	if (!code)
		code = read_header(trace, error);
	if (!code)
		code = read_index(trace, error);
	if (code) {
		prn_trace_free(trace);
		return code;
	}
	*out = trace;
	return 0;
}

void prn_trace_free(struct prn_trace *trace)
{
	if (!trace)
		return;
	if (trace->has_cache)
		prn_trace_cache_release(&trace->cache);
	if (trace->fd >= 0)
		close(trace->fd);
	free(trace->path);
	free(trace->about.provenance);
	free(trace->index);
	free(trace->blocks);
	free(trace->pages);
	free(trace);
}

const struct prn_trace_about *prn_trace_about(const struct prn_trace *trace)
{
	return &trace->about;
}

size_t prn_trace_pages(const struct prn_trace *trace)
{
	return trace->page_count;
}

const char *prn_trace_url(const struct prn_trace *trace, size_t i)
{
	return trace->pages[i].spelling;
}

const char *prn_trace_normal_url(const struct prn_trace *trace, size_t i)
{
	return trace->pages[i].normal;
}

int prn_trace_find(const struct prn_trace *trace, const char *normal_url, size_t *i)
{
	size_t from = 0, to = trace->page_count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		int order = strcmp(trace->pages[middle].normal, normal_url);

		if (!order) {
			*i = middle;
			return 0;
		}
		if (order < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return PRN_E_NOT_FOUND;
}

static int copy_url(struct prn_page *page, const char *url)
{
	size_t length = strlen(url) + 1;
	char *copy = prn_array_grow(page->url, &page->url_capacity, length, 1);

	if (!copy)
		return PRN_E_MEMORY;
	page->url = memcpy(copy, url, length);
	return 0;
}

int prn_trace_page(const struct prn_trace *trace, size_t i, struct prn_page *page, struct prn_error *error)
{
	/* The cache has a lock of its own: for a reader the trace is constant. */
	struct prn_trace_cache *cache = &((struct prn_trace *)trace)->cache;
	struct prn_trace_block *block;
	const struct entry *entry;
	int code;

	if (i >= trace->page_count)
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: has no page %zu", trace->path, i);
	entry = &trace->pages[i];
	code = prn_trace_cache_hold(cache, trace->fd, trace->path, entry->block, &trace->blocks[entry->block], &block,
	                            error);
	if (code)
		return code;
	code = copy_url(page, entry->spelling);
	if (!code)
		code = prn_page_decode(block->data + entry->offset, entry->length, trace->version, page);
	prn_trace_cache_drop(cache, block);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code)
		return prn_error_set(error, code, "%s: damaged: the page %s does not decode", trace->path, entry->spelling);
	return 0;
}
