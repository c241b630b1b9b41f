/*
 * Reads traces.  Checksums would keep a fuzzer out of everything behind them, so the first byte says what the others are: a
 * whole file; a page as it is in a block, of version 1, 4 or the current one; or an index, which is put into a file with the
 * right checksums, with blocks before it from the end of the input.
 */
#include "base/buffer.h"
#include "history/page_check.h"
#include "history/page_codec.h"
#include "history/trace_format.h"
#include "perennial/extractor.h"
#include "perennial/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_whole(const void *data, size_t size)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);
	struct prn_trace *trace;
	struct prn_error error;
	struct prn_page page;
	char path[64];
	size_t at;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (!prn_trace_open(&trace, path, &error)) {
		prn_page_init(&page);
		for (size_t i = 0; i < prn_trace_pages(trace) && i < 64; i++) {
			if (!prn_trace_page(trace, i, &page, &error) && prn_page_check(&page, NULL))
				abort();
			prn_trace_find(trace, prn_trace_url(trace, i), &at);
		}
		prn_page_release(&page);
		prn_trace_free(trace);
	}
	close(fd);
}

/* A page that is decoded is well-formed, and is encoded to something that is decoded to it again. */
static void read_page(const uint8_t *data, size_t size, unsigned version)
{
	struct prn_buffer once, again;
	struct prn_page page;

	prn_page_init(&page);
	prn_buffer_init(&once);
	prn_buffer_init(&again);
	if (!prn_page_decode(data, size, version, &page)) {
		if (prn_page_check(&page, NULL) || prn_page_encode(&page, PRN_TRACE_VERSION, &once) ||
		    prn_page_decode(once.data, once.length, PRN_TRACE_VERSION, &page) || prn_page_encode(&page, PRN_TRACE_VERSION, &again) ||
		    once.length != again.length || memcmp(once.data, again.data, once.length) != 0)
			abort();
	}
	prn_page_release(&page);
	prn_buffer_release(&once);
	prn_buffer_release(&again);
}

/* Appends a header and returns its checksum. */
static uint64_t make_header(struct prn_buffer *file)
{
	uint64_t checksum;

	prn_buffer_append(file, PRN_TRACE_MAGIC, 8);
	prn_buffer_append_u32(file, PRN_TRACE_VERSION);
	prn_buffer_append_u32(file, (uint32_t)prn_trace_header_bytes(PRN_TRACE_VERSION));
	prn_buffer_append_u32(file, PRN_FRAGMENT_RULE);
	prn_buffer_append_u32(file, 5);
	prn_buffer_append(file, (char[32]){ 0 }, 32);
	prn_buffer_append_u32(file, 0);
	checksum = XXH3_64bits(file->data, file->length);
	prn_buffer_append_u64(file, checksum);
	return checksum;
}

/* Appends an index, which is stored uncompressed, and its trailer. */
static void make_index(struct prn_buffer *file, const uint8_t *index, size_t length, uint64_t header)
{
	size_t start = file->length, trailer = start + length;

	prn_buffer_append(file, index, length);
	prn_buffer_append_u64(file, start);
	prn_buffer_append_u64(file, length);
	prn_buffer_append_u64(file, length);
	prn_buffer_append_u64(file, XXH3_64bits(index, length));
	prn_buffer_append_u64(file, XXH3_64bits_withSeed(file->data + trailer, 32, header));
	prn_buffer_append(file, PRN_TRACE_END_MAGIC, 8);
}

/* The first two bytes say how many bytes at the end are blocks; the rest is the index. */
static void read_index(const uint8_t *data, size_t size)
{
	struct prn_buffer file;
	uint64_t header;
	size_t blocks;

	if (size < 2)
		return;
	blocks = (size_t)(data[0] | data[1] << 8);
	data += 2;
	size -= 2;
	if (blocks > size)
		blocks = size;
	prn_buffer_init(&file);
	header = make_header(&file);
	prn_buffer_append(&file, data + size - blocks, blocks);
	make_index(&file, data, size - blocks, header);
	read_whole(file.data, file.length);
	prn_buffer_release(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	switch (data[0] % 5) {
	case 0:
		read_whole(data + 1, size - 1);
		break;
	case 1:
		read_page(data + 1, size - 1, 1);
		break;
	case 2:
		read_index(data + 1, size - 1);
		break;
	case 3:
		read_page(data + 1, size - 1, PRN_TRACE_LINKS);
		break;
	case 4:
		read_page(data + 1, size - 1, PRN_TRACE_VERSION);
		break;
	}
	return 0;
}
