#include "perennial/trace.h"

#include "base/buffer.h"
#include "base/output.h"
#include "base/parallel.h"
#include "history/page_check.h"
#include "history/page_codec.h"
#include "history/trace_format.h"
#include "history/trace_write.h"
#include "perennial/url.h"
#include "perennial/version.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

/* Hashes do not compress, and the rest is small: a higher level would cost little and gain little. */
#define LEVEL 9

/* Binary logarithms of the size of zstd's hash table: about as many entries as the block has bytes. */
#define PLACES_LEAST 10
#define PLACES_MOST 20

#define BLOCKS_PER_THREAD 2 /* so that no thread waits long for the slowest */
#define THREADS_MOST 8      /* each takes some 7 MB, and reading pages back takes a tenth of the time of compressing them */

/* Encoded pages, raw and compressed. */
struct block {
	struct prn_buffer raw, packed;
};

struct prn_trace_writer {
	struct prn_output output;
	unsigned version; /* of the trace that is written: an older one is used if it suffices */
	bool links;
	uint64_t header_checksum;
	size_t threads;
	ZSTD_CCtx **zstd;          /* [threads] */
	struct block *blocks;      /* [block_room] blocks that are compressed in parallel and written in order */
	size_t block_room, filled; /* filled: those before the open one */
	struct prn_buffer page;    /* one page, encoded; or the header or the trailer of the file */
	struct prn_buffer entries; /* the index: its block entries */
	struct prn_buffer pages;   /* the index: its page entries */
	uint64_t block_count, page_count;
	char last_url[PRN_URL_BYTES + 1];
};

static int write_header(struct prn_trace_writer *writer, const struct prn_trace_about *about, struct prn_error *error)
{
	static const char tool[32] = "perennial " PRN_VERSION_TEXT;
	const char *provenance = about->provenance ? about->provenance : "";
	size_t length = strlen(provenance);
	struct prn_buffer *out = &writer->page;
	int code;

	if (length > PRN_TRACE_PROVENANCE_BYTES)
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: the provenance is longer than a trace can hold",
		                     writer->output.path);
	prn_buffer_clear(out);
	code = prn_buffer_append(out, PRN_TRACE_MAGIC, 8);
	code = code ? code : prn_buffer_append_u32(out, writer->version);
	code = code ? code : prn_buffer_append_u32(out, (uint32_t)(prn_trace_header_bytes(writer->version) + length));
	code = code ? code : prn_buffer_append_u32(out, about->fragment_rule);
	code = code ? code : prn_buffer_append_u32(out, about->shingle_words);
	code = code ? code : prn_buffer_append(out, tool, sizeof tool);
	if (!code && writer->version >= PRN_TRACE_MEDIA)
		code = prn_buffer_append_u32(out, about->links);
	code = code ? code : prn_buffer_append(out, provenance, length);
	if (code)
		return prn_error_memory(error);
	writer->header_checksum = XXH3_64bits(out->data, out->length);
	if (prn_buffer_append_u64(out, writer->header_checksum))
		return prn_error_memory(error);
	return prn_output_write(&writer->output, out->data, out->length, error);
}

/* Must be called before anything is added. */
static int make_room(struct prn_trace_writer *writer, size_t threads, struct prn_error *error)
{
	size_t blocks = threads > 1 ? BLOCKS_PER_THREAD * threads : 1;
	ZSTD_CCtx **zstd = realloc(writer->zstd, threads * sizeof(ZSTD_CCtx *));
	struct block *grown;

	if (!zstd)
		return prn_error_memory(error);
	writer->zstd = zstd;
	for (; writer->threads < threads; writer->threads++) {
		zstd[writer->threads] = ZSTD_createCCtx();
		if (!zstd[writer->threads])
			return prn_error_memory(error);
	}
	grown = realloc(writer->blocks, blocks * sizeof *grown);
	if (!grown)
		return prn_error_memory(error);
	writer->blocks = grown;
	for (; writer->block_room < blocks; writer->block_room++)
		grown[writer->block_room] = (struct block){ .raw = { 0 } };
	return 0;
}

int prn_trace_writer_use_threads(struct prn_trace_writer *writer, size_t threads, struct prn_error *error)
{
	if (threads > THREADS_MOST)
		threads = THREADS_MOST;
	return threads > writer->threads ? make_room(writer, threads, error) : 0;
}

int prn_trace_writer_open(struct prn_trace_writer **out, const char *path, const struct prn_trace_about *about,
                          struct prn_error *error)
{
	struct prn_trace_writer *writer = calloc(1, sizeof *writer);
	int code;

	if (!writer)
		return prn_error_memory(error);
	writer->version = prn_trace_written_version(about);
	writer->links = about->links;
	code = make_room(writer, 1, error);
	if (!code)
		code = prn_output_open(&writer->output, path, error);
	if (!code)
		code = write_header(writer, about, error);
	if (code) {
		prn_trace_writer_free(writer);
		return code;
	}
	*out = writer;
	return 0;
}

/*
 * A new table takes longer to allocate than to use: zstd's default is two to four times as large for a block,
 * and saves a ten-thousandth.  Returns 0, the default, for a page that has a block to itself.
 */
static int places_log(size_t length)
{
	int log = PLACES_LEAST;

	while (log < PLACES_MOST && length > (size_t)3 << (log - 1))
		log++;
	return length > PRN_TRACE_BLOCK_BYTES ? 0 : log;
}

static int pack(ZSTD_CCtx *zstd, struct block *block, struct prn_error *error)
{
	const struct prn_buffer *raw = &block->raw;
	struct prn_buffer *out = &block->packed;
	size_t bound = ZSTD_compressBound(raw->length), length;

	prn_buffer_clear(out);
	if (prn_buffer_reserve(out, bound))
		return prn_error_memory(error);
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_hashLog, places_log(raw->length));
	length = ZSTD_compress2(zstd, out->data, bound, raw->data, raw->length);
	if (ZSTD_isError(length))
		return prn_error_memory(error);
	out->length = length;
	if (length < raw->length && prn_trace_expansion_ok(length, raw->length))
		return 0;
	prn_buffer_clear(out);
	return prn_buffer_append(out, raw->data, raw->length) ? prn_error_memory(error) : 0;
}

static int pack_one(void *context, size_t thread, size_t which, struct prn_error *error)
{
	struct prn_trace_writer *writer = context;

	return pack(writer->zstd[thread], &writer->blocks[which], error);
}

static int write_block(struct prn_trace_writer *writer, const struct block *block, struct prn_error *error)
{
	const struct prn_buffer *packed = &block->packed;
	struct prn_buffer *entries = &writer->entries;
	int code = prn_output_write(&writer->output, packed->data, packed->length, error);

	if (code)
		return code;
	code = prn_buffer_append_varint(entries, block->raw.length);
	code = code ? code : prn_buffer_append_varint(entries, packed->length);
	code = code ? code : prn_buffer_append_u64(entries, XXH3_64bits(packed->data, packed->length));
	if (code)
		return prn_error_memory(error);
	writer->block_count++;
	return 0;
}

/* Threads compress the blocks; they are written in the order of the pages. */
static int flush_blocks(struct prn_trace_writer *writer, struct prn_error *error)
{
	size_t count = writer->filled + (writer->blocks[writer->filled].raw.length > 0);
	int code = prn_parallel_for(count, writer->threads, pack_one, writer, error);

	for (size_t i = 0; i < count && !code; i++) {
		code = write_block(writer, &writer->blocks[i], error);
		prn_buffer_clear(&writer->blocks[i].raw);
	}
	writer->filled = 0;
	return code;
}

/* Checks the order of URLs and writes the page's normal URL to normal. */
static int check_url(const struct prn_trace_writer *writer, const char *url, char *normal, size_t capacity,
                     struct prn_error *error)
{
	int code = url ? prn_url_normalize(url, SIZE_MAX, normal, capacity) : PRN_E_INPUT;

	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code)
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: this is not a URL that a page can have", url ? url : "(none)");
	if (writer->page_count && strcmp(normal, writer->last_url) <= 0)
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: comes after %s, but pages are written in order", normal,
		                     writer->last_url);
	return 0;
}

static int index_page(struct prn_trace_writer *writer, const char *url, const char *normal, size_t length,
                      struct prn_error *error)
{
	const char *spelling = strcmp(url, normal) ? url : "";
	struct prn_buffer *entries = &writer->pages;
	int code = prn_buffer_append(entries, normal, strlen(normal) + 1);

	code = code ? code : prn_buffer_append(entries, spelling, strlen(spelling) + 1);
	code = code ? code : prn_buffer_append_varint(entries, length);
	if (code)
		return prn_error_memory(error);
	strcpy(writer->last_url, normal);
	writer->page_count++;
	return 0;
}

int prn_trace_writer_add_encoded(struct prn_trace_writer *writer, const char *url, const unsigned char *bytes,
                                 size_t length, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	size_t filled;
	int code = check_url(writer, url, normal, sizeof normal, error);

	if (code)
		return code;
	if (length > PRN_TRACE_PAGE_BYTES)
		return prn_error_set(error, PRN_E_LIMIT, "%s: the history of this page is too long for a trace", url);
	filled = writer->blocks[writer->filled].raw.length;
	if (filled && filled + length > PRN_TRACE_BLOCK_BYTES) {
		if (writer->filled + 1 < writer->block_room)
			writer->filled++;
		else
			code = flush_blocks(writer, error);
	}
	if (code)
		return code;
	if (prn_buffer_append(&writer->blocks[writer->filled].raw, bytes, length))
		return prn_error_memory(error);
	return index_page(writer, url, normal, length, error);
}

int prn_trace_writer_add(struct prn_trace_writer *writer, const struct prn_page *page, struct prn_error *error)
{
	struct prn_page written = *page;
	int code = prn_page_check(page, error);

	if (code)
		return code;
	if (!writer->links)
		written.linked = 0;
	prn_buffer_clear(&writer->page);
	if (prn_page_encode(&written, writer->version, &writer->page))
		return prn_error_memory(error);
	return prn_trace_writer_add_encoded(writer, page->url, writer->page.data, writer->page.length, error);
}

static int write_trailer(struct prn_trace_writer *writer, uint64_t offset, uint64_t stored, uint64_t raw,
                         uint64_t checksum, struct prn_error *error)
{
	struct prn_buffer *out = &writer->page;
	int code;

	prn_buffer_clear(out);
	code = prn_buffer_append_u64(out, offset);
	code = code ? code : prn_buffer_append_u64(out, stored);
	code = code ? code : prn_buffer_append_u64(out, raw);
	code = code ? code : prn_buffer_append_u64(out, checksum);
	if (code)
		return prn_error_memory(error);
	code = prn_buffer_append_u64(out, XXH3_64bits_withSeed(out->data, out->length, writer->header_checksum));
	code = code ? code : prn_buffer_append(out, PRN_TRACE_END_MAGIC, 8);
	return code ? prn_error_memory(error) : prn_output_write(&writer->output, out->data, out->length, error);
}

static int write_index(struct prn_trace_writer *writer, struct prn_error *error)
{
	struct prn_buffer *raw = &writer->blocks->raw;
	const struct prn_buffer *packed = &writer->blocks->packed;
	uint64_t offset = writer->output.length, checksum;
	int code;

	prn_buffer_clear(raw);
	code = prn_buffer_append_varint(raw, writer->block_count);
	code = code ? code : prn_buffer_append(raw, writer->entries.data, writer->entries.length);
	code = code ? code : prn_buffer_append_varint(raw, writer->page_count);
	code = code ? code : prn_buffer_append(raw, writer->pages.data, writer->pages.length);
	if (code)
		return prn_error_memory(error);
	code = pack(*writer->zstd, writer->blocks, error);
	if (code)
		return code;
	checksum = XXH3_64bits(packed->data, packed->length);
	code = prn_output_write(&writer->output, packed->data, packed->length, error);
	return code ? code : write_trailer(writer, offset, writer->output.length - offset, raw->length, checksum, error);
}

int prn_trace_writer_close(struct prn_trace_writer *writer, struct prn_error *error)
{
	int code = flush_blocks(writer, error);

	if (!code)
		code = write_index(writer, error);
	if (!code)
		code = prn_output_commit(&writer->output, error);
	prn_trace_writer_free(writer);
	return code;
}

void prn_trace_writer_free(struct prn_trace_writer *writer)
{
	if (!writer)
		return;
	prn_output_abandon(&writer->output);
	for (size_t i = 0; i < writer->threads; i++)
		ZSTD_freeCCtx(writer->zstd[i]);
	for (size_t i = 0; i < writer->block_room; i++) {
		prn_buffer_release(&writer->blocks[i].raw);
		prn_buffer_release(&writer->blocks[i].packed);
	}
	prn_buffer_release(&writer->page);
	prn_buffer_release(&writer->entries);
	prn_buffer_release(&writer->pages);
	free(writer->zstd);
	free(writer->blocks);
	free(writer);
}
