/*
 * The encoding of an entry, little-endian: time and modified, 8 bytes each; flags, varint: 1 if the summary is complete, 8 if it is of a
 * digest, and 6 if there is a checksum (sides.h), which is two bits because a single one may have flipped; the top halves of the hashes, 4
 * bytes each; the checksum.  Older programs wrote no checksum.
 */
#include "decide/suspect.h"

#include "base/buffer.h"
#include "decide/sides.h"

#include <stdlib.h>

#define COMPLETE 1
#define HAS_SUM 6
#define OF_DIGEST 8

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

struct head {
	uint64_t time, modified, flags;
};

/* Also checks the checksum and takes it off the end. */
static int decode_head(struct head *head, struct prn_cursor *cursor)
{
	struct prn_cursor whole = *cursor;
	bool failed = prn_cursor_u64(cursor, &head->time) || prn_cursor_u64(cursor, &head->modified) || prn_cursor_varint(cursor, &head->flags);

	if (failed || head->flags > (COMPLETE | HAS_SUM | OF_DIGEST) || (head->flags & HAS_SUM && !prn_sides_unseal(&whole)))
		return PRN_E_DAMAGED;
	cursor->length = whole.length;
	return cursor->at <= cursor->length ? 0 : PRN_E_DAMAGED;
}

static int decode_suspect(struct prn_suspect *suspect, struct prn_cursor *cursor, size_t limit)
{
	struct head head;
	size_t count = 0;
	uint32_t half;

	if (decode_head(&head, cursor))
		return PRN_E_NOT_FOUND;
	for (; count < limit && !prn_cursor_u32(cursor, &half); count++) {
		suspect->hashes[count] = (uint64_t)half << 32;
		if (count && suspect->hashes[count] <= suspect->hashes[count - 1])
			return PRN_E_NOT_FOUND;
	}
	if (cursor->at != cursor->length)
		return PRN_E_NOT_FOUND;
	suspect->time = (int64_t)head.time;
	suspect->modified = (int64_t)head.modified;
	suspect->summary = (struct prn_summary){ suspect->hashes, count, limit, head.flags & COMPLETE, head.flags & OF_DIGEST };
	return 0;
}

bool prn_suspect_is_whole(const void *bytes, size_t count)
{
	struct prn_cursor cursor = { bytes, count, 0 };
	uint32_t half, last = 0;
	struct head head;

	if (decode_head(&head, &cursor))
		return false;
	for (bool first = true; !prn_cursor_u32(&cursor, &half); last = half, first = false)
		if (!first && half <= last)
			return false;
	return cursor.at == cursor.length;
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
	    prn_buffer_append_varint(out, (suspect->summary.complete ? COMPLETE : 0) | HAS_SUM |
	                                          (suspect->summary.of_digest ? OF_DIGEST : 0)))
		return PRN_E_MEMORY;
	for (size_t i = 0; i < suspect->summary.count; i++)
		if (prn_buffer_append_u32(out, (uint32_t)(suspect->summary.hashes[i] >> 32)))
			return PRN_E_MEMORY;
	return prn_sides_seal(out, 0);
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
