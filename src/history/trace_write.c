#include "perennial/trace.h"

#include "base/buffer.h"
#include "base/output.h"
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

struct prn_trace_writer {
	struct prn_output output;
	unsigned version; /* that it writes: an older one suffices where there are no links */
	uint64_t header_checksum;
	ZSTD_CCtx *zstd;
	struct prn_buffer block;  /* raw pages of the block being filled */
	struct prn_buffer page;   /* one page, encoded */
	struct prn_buffer packed; /* scratch for what is stored */
	struct prn_buffer blocks; /* the index: its block entries */
	struct prn_buffer pages;  /* the index: its page entries */
	uint64_t block_count, page_count;
	char last_url[PRN_URL_BYTES + 1];
};

static int write_header(struct prn_trace_writer *writer, const struct prn_trace_about *about, struct prn_error *error)
{
	static const char tool[32] = "perennial " PRN_VERSION_TEXT;
	const char *provenance = about->provenance ? about->provenance : "";
	size_t length = strlen(provenance);
	struct prn_buffer *out = &writer->packed;
	int failed;

	if (length > PRN_TRACE_PROVENANCE_BYTES)
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: the provenance is longer than a trace can hold",
		                     writer->output.path);
	prn_buffer_clear(out);
	failed = prn_buffer_append(out, PRN_TRACE_MAGIC, 8);
	failed = failed ? failed : prn_buffer_append_u32(out, writer->version);
	failed = failed ? failed : prn_buffer_append_u32(out, (uint32_t)(PRN_TRACE_HEADER_BYTES + length));
	failed = failed ? failed : prn_buffer_append_u32(out, about->fragment_rule);
	failed = failed ? failed : prn_buffer_append_u32(out, about->shingle_words);
	failed = failed ? failed : prn_buffer_append(out, tool, sizeof tool);
	failed = failed ? failed : prn_buffer_append(out, provenance, length);
	if (failed)
		return prn_error_memory(error);
	writer->header_checksum = XXH3_64bits(out->data, out->length);
	if (prn_buffer_append_u64(out, writer->header_checksum))
		return prn_error_memory(error);
	return prn_output_write(&writer->output, out->data, out->length, error);
}

int prn_trace_writer_open(struct prn_trace_writer **out, const char *path, const struct prn_trace_about *about,
                          struct prn_error *error)
{
	struct prn_trace_writer *writer = calloc(1, sizeof *writer);
	int failed;

	if (!writer)
		return prn_error_memory(error);
	writer->version = prn_trace_written_version(about);
	writer->zstd = ZSTD_createCCtx();
	failed = writer->zstd ? prn_output_open(&writer->output, path, error) : prn_error_memory(error);
	if (!failed)
		failed = write_header(writer, about, error);
	if (failed) {
		prn_trace_writer_free(writer);
		return failed;
	}
	*out = writer;
	return 0;
}

/* Fills writer->packed with raw as it is to be stored. */
static int pack(struct prn_trace_writer *writer, const struct prn_buffer *raw, struct prn_error *error)
{
	struct prn_buffer *out = &writer->packed;
	size_t bound = ZSTD_compressBound(raw->length), length;

	prn_buffer_clear(out);
	if (prn_buffer_reserve(out, bound))
		return prn_error_memory(error);
	length = ZSTD_compressCCtx(writer->zstd, out->data, bound, raw->data, raw->length, LEVEL);
	if (ZSTD_isError(length))
		return prn_error_memory(error);
	out->length = length;
	if (length < raw->length && prn_trace_expansion_ok(length, raw->length))
		return 0;
	prn_buffer_clear(out);
	return prn_buffer_append(out, raw->data, raw->length) ? prn_error_memory(error) : 0;
}

static int flush_block(struct prn_trace_writer *writer, struct prn_error *error)
{
	struct prn_buffer *entries = &writer->blocks;
	int failed;

	if (!writer->block.length)
		return 0;
	failed = pack(writer, &writer->block, error);
	if (!failed)
		failed = prn_output_write(&writer->output, writer->packed.data, writer->packed.length, error);
	if (failed)
		return failed;
	failed = prn_buffer_append_varint(entries, writer->block.length);
	failed = failed ? failed : prn_buffer_append_varint(entries, writer->packed.length);
	failed = failed ? failed : prn_buffer_append_u64(entries, XXH3_64bits(writer->packed.data, writer->packed.length));
	if (failed)
		return prn_error_memory(error);
	writer->block_count++;
	prn_buffer_clear(&writer->block);
	return 0;
}

/* Checks the order of URLs and writes the page's normal URL to normal. */
static int check_url(const struct prn_trace_writer *writer, const char *url, char *normal, size_t capacity,
                     struct prn_error *error)
{
	if (!url || prn_url_normalize(url, SIZE_MAX, normal, capacity))
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: not a URL that a page can have", url ? url : "(none)");
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
	int failed = prn_buffer_append(entries, normal, strlen(normal) + 1);

	failed = failed ? failed : prn_buffer_append(entries, spelling, strlen(spelling) + 1);
	failed = failed ? failed : prn_buffer_append_varint(entries, length);
	if (failed)
		return prn_error_memory(error);
	strcpy(writer->last_url, normal);
	writer->page_count++;
	return 0;
}

int prn_trace_writer_add_encoded(struct prn_trace_writer *writer, const char *url, const unsigned char *bytes,
                                 size_t length, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	int failed = check_url(writer, url, normal, sizeof normal, error);

	if (failed)
		return failed;
	if (length > PRN_TRACE_PAGE_BYTES)
		return prn_error_set(error, PRN_E_LIMIT, "%s: the history of this page is too long for a trace", url);
	if (writer->block.length && writer->block.length + length > PRN_TRACE_BLOCK_BYTES)
		failed = flush_block(writer, error);
	if (failed)
		return failed;
	if (prn_buffer_append(&writer->block, bytes, length))
		return prn_error_memory(error);
	return index_page(writer, url, normal, length, error);
}

int prn_trace_writer_add(struct prn_trace_writer *writer, const struct prn_page *page, struct prn_error *error)
{
	int failed = prn_page_check(page, error);

	if (failed)
		return failed;
	prn_buffer_clear(&writer->page);
	if (prn_page_encode(page, writer->version, &writer->page))
		return prn_error_memory(error);
	return prn_trace_writer_add_encoded(writer, page->url, writer->page.data, writer->page.length, error);
}

static int write_trailer(struct prn_trace_writer *writer, uint64_t offset, uint64_t stored, uint64_t raw,
                         uint64_t checksum, struct prn_error *error)
{
	struct prn_buffer *out = &writer->packed;
	int failed;

	prn_buffer_clear(out);
	failed = prn_buffer_append_u64(out, offset);
	failed = failed ? failed : prn_buffer_append_u64(out, stored);
	failed = failed ? failed : prn_buffer_append_u64(out, raw);
	failed = failed ? failed : prn_buffer_append_u64(out, checksum);
	if (failed)
		return prn_error_memory(error);
	failed = prn_buffer_append_u64(out, XXH3_64bits_withSeed(out->data, out->length, writer->header_checksum));
	failed = failed ? failed : prn_buffer_append(out, PRN_TRACE_END_MAGIC, 8);
	return failed ? prn_error_memory(error) : prn_output_write(&writer->output, out->data, out->length, error);
}

static int write_index(struct prn_trace_writer *writer, struct prn_error *error)
{
	struct prn_buffer *raw = &writer->block;
	uint64_t offset = writer->output.length, checksum;
	int failed;

	prn_buffer_clear(raw);
	failed = prn_buffer_append_varint(raw, writer->block_count);
	failed = failed ? failed : prn_buffer_append(raw, writer->blocks.data, writer->blocks.length);
	failed = failed ? failed : prn_buffer_append_varint(raw, writer->page_count);
	failed = failed ? failed : prn_buffer_append(raw, writer->pages.data, writer->pages.length);
	if (failed)
		return prn_error_memory(error);
	failed = pack(writer, raw, error);
	if (failed)
		return failed;
	checksum = XXH3_64bits(writer->packed.data, writer->packed.length);
	failed = prn_output_write(&writer->output, writer->packed.data, writer->packed.length, error);
	return failed ? failed : write_trailer(writer, offset, writer->output.length - offset, raw->length, checksum, error);
}

int prn_trace_writer_close(struct prn_trace_writer *writer, struct prn_error *error)
{
	int failed = flush_block(writer, error);

	if (!failed)
		failed = write_index(writer, error);
	if (!failed)
		failed = prn_output_commit(&writer->output, error);
	prn_trace_writer_free(writer);
	return failed;
}

void prn_trace_writer_free(struct prn_trace_writer *writer)
{
	if (!writer)
		return;
	prn_output_abandon(&writer->output);
	ZSTD_freeCCtx(writer->zstd);
	prn_buffer_release(&writer->block);
	prn_buffer_release(&writer->page);
	prn_buffer_release(&writer->packed);
	prn_buffer_release(&writer->blocks);
	prn_buffer_release(&writer->pages);
	free(writer);
}
