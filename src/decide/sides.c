#include "decide/sides.h"

#include "base/checksum.h"
#include "store/record.h"

static const enum prn_side sides[] = { PRN_SIDE_SUSPECTS, PRN_SIDE_VALIDATORS, PRN_SIDE_PAGE_SOURCES };

#define SIDES (sizeof sides / sizeof *sides)

int prn_sides_read(const struct prn_store_reader *reader, enum prn_side side, const struct prn_digest *key,
                   const void **bytes, size_t *count, struct prn_error *error)
{
	unsigned char name[PRN_KEY_BYTES];

	prn_key_bytes(key, name);
	return prn_store_reader_side(reader, side, name, sizeof name, bytes, count, error);
}

int prn_sides_put(struct prn_batch *batch, enum prn_side side, const struct prn_digest *key, const void *bytes,
                  size_t count, struct prn_error *error)
{
	unsigned char name[PRN_KEY_BYTES];

	prn_key_bytes(key, name);
	return prn_batch_side_put(batch, side, name, sizeof name, bytes, count, error);
}

int prn_sides_drop(struct prn_batch *batch, const struct prn_digest *key, struct prn_error *error)
{
	unsigned char name[PRN_KEY_BYTES];
	int code = 0;

	prn_key_bytes(key, name);
	for (size_t i = 0; i < SIDES && !code; i++)
		code = prn_batch_side_put(batch, sides[i], name, sizeof name, NULL, 0, error);
	return code;
}

int prn_sides_move(struct prn_batch *batch, const struct prn_digest *from, const struct prn_digest *to,
                   struct prn_error *error)
{
	unsigned char old[PRN_KEY_BYTES], name[PRN_KEY_BYTES];
	int code = 0;

	prn_key_bytes(from, old);
	prn_key_bytes(to, name);
	for (size_t i = 0; i < SIDES && !code; i++) {
		const void *bytes;
		size_t count;

		code = prn_batch_side(batch, sides[i], old, sizeof old, &bytes, &count, error);
		if (!code)
			code = prn_batch_side_put(batch, sides[i], name, sizeof name, bytes, count, error);
		else if (code == PRN_E_NOT_FOUND)
			code = 0;
	}
	return code ? code : prn_sides_drop(batch, from, error);
}

int prn_sides_copy(struct prn_view *from, struct prn_batch *to, const struct prn_digest *key, struct prn_error *error)
{
	const struct prn_store_reader reader = { .view = from };
	int code = 0;

	for (size_t i = 0; i < SIDES && !code; i++) {
		const void *bytes;
		size_t count;

		code = prn_sides_read(&reader, sides[i], key, &bytes, &count, error);
		if (!code)
			code = prn_sides_put(to, sides[i], key, bytes, count, error);
		code = code == PRN_E_NOT_FOUND ? 0 : code;
	}
	return code;
}

int prn_sides_seal(struct prn_buffer *out, size_t from)
{
	return prn_buffer_append_u32(out, prn_checksum(out->data + from, out->length - from));
}

bool prn_sides_unseal(struct prn_cursor *cursor)
{
	size_t left = cursor->length - cursor->at;
	struct prn_cursor end = { cursor->data, cursor->length, cursor->length - PRN_CHECKSUM_BYTES };
	uint32_t sum;

	if (left < PRN_CHECKSUM_BYTES || prn_cursor_u32(&end, &sum))
		return false;
	cursor->length -= PRN_CHECKSUM_BYTES;
	return sum == prn_checksum(cursor->data + cursor->at, left - PRN_CHECKSUM_BYTES);
}
