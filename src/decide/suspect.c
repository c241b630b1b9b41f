/*
 * In the store, little-endian: time and modified, 8 bytes each; 1 if the summary is complete, else 0 (varint); the top
 * halves of its hashes, 4 bytes each.
 */
#include "decide/suspect.h"

#include "base/buffer.h"
#include "decide/sides.h"

#include <stdlib.h>

int prn_suspect_init(struct prn_suspect *suspect, size_t limit)
{
	*suspect = (struct prn_suspect){ .hashes = calloc(limit, sizeof *suspect->hashes) };
	return suspect->hashes ? 0 : PRN_E_MEMORY;
}

void prn_suspect_release(struct prn_suspect *suspect)
{
	free(suspect->hashes);
	*suspect = (struct prn_suspect){ 0 };
}

static int decode_suspect(struct prn_suspect *suspect, struct prn_cursor *cursor, size_t limit)
{
	uint64_t time, modified, complete;
	size_t count = 0;
	uint32_t half;

	if (prn_cursor_u64(cursor, &time) || prn_cursor_u64(cursor, &modified) ||
	    prn_cursor_varint(cursor, &complete) || complete > 1)
		return PRN_E_NOT_FOUND;
	for (; count < limit && !prn_cursor_u32(cursor, &half); count++) {
		suspect->hashes[count] = (uint64_t)half << 32;
		if (count && suspect->hashes[count] <= suspect->hashes[count - 1])
			return PRN_E_NOT_FOUND;
	}
	if (cursor->at != cursor->length)
		return PRN_E_NOT_FOUND;
	suspect->time = (int64_t)time;
	suspect->modified = (int64_t)modified;
	suspect->summary = (struct prn_summary){ suspect->hashes, count, limit, complete };
	return 0;
}

int prn_suspect_read(struct prn_suspect *suspect, const struct prn_store_reader *reader, const struct prn_digest *key,
                     size_t limit, struct prn_error *error)
{
	const void *bytes = NULL;
	size_t count = 0;
	int code = prn_sides_read(reader, PRN_SIDE_SUSPECTS, key, &bytes, &count, error);

	return code ? code : decode_suspect(suspect, &(struct prn_cursor){ bytes, count, 0 }, limit);
}

static int encode(const struct prn_suspect *suspect, struct prn_buffer *out)
{
	if (prn_buffer_append_u64(out, (uint64_t)suspect->time) ||
	    prn_buffer_append_u64(out, (uint64_t)suspect->modified) ||
	    prn_buffer_append_varint(out, suspect->summary.complete))
		return PRN_E_MEMORY;
	for (size_t i = 0; i < suspect->summary.count; i++)
		if (prn_buffer_append_u32(out, (uint32_t)(suspect->summary.hashes[i] >> 32)))
			return PRN_E_MEMORY;
	return 0;
}

int prn_suspect_put(const struct prn_suspect *suspect, struct prn_batch *batch, const struct prn_digest *key,
                    struct prn_error *error)
{
	struct prn_buffer bytes;
	int code = 0;

	prn_buffer_init(&bytes);
	if (suspect && encode(suspect, &bytes))
		code = prn_error_memory(error);
	if (!code)
		code = prn_sides_put(batch, PRN_SIDE_SUSPECTS, key, bytes.data, bytes.length, error);
	prn_buffer_release(&bytes);
	return code;
}
