/*
 * The encoding of an entry: Last-Modified, 8 bytes, little-endian; if a third bit of it is set, the digest of the text, 8 bytes, not 0;
 * the ETag, without a NUL; a checksum (sides.h), if two bits of Last-Modified are set that no time of the web has.  These are two because a
 * single bit may have flipped.  Older programs wrote no checksum, or no digest.
 */
#include "decide/side_validators.h"

#include "archive/http_capture.h"
#include "base/buffer.h"
#include "decide/sides.h"

#include <string.h>

#define HAS_SUM ((uint64_t)3 << 56)
#define HAS_TEXT ((uint64_t)4 << 56)

static bool is_date(int64_t time)
{
	return time >= 0 && time <= PRN_TIME_LAST;
}

void prn_validators_of(struct prn_validators *validators, const struct prn_capture *capture)
{
	bool known = is_date(capture->modified) && capture->modified <= capture->time;

	*validators = (struct prn_validators){ .modified = known ? capture->modified : PRN_TIME_UNKNOWN };
	/* An ETag that cannot be sent back would be taken for damage when it is read. */
	if (capture->etag && prn_http_is_etag(capture->etag))
		memcpy(validators->etag, capture->etag, strlen(capture->etag));
}

static int decode(struct prn_validators *validators, uint64_t *text, struct prn_cursor cursor)
{
	struct prn_cursor head = cursor;
	uint64_t modified;
	size_t left;

	*text = 0;
	if (prn_cursor_u64(&head, &modified) || (modified & HAS_SUM && !prn_sides_unseal(&cursor)) ||
	    prn_cursor_u64(&cursor, &modified))
		return PRN_E_DAMAGED;
	if (modified & HAS_SUM && modified & HAS_TEXT && (prn_cursor_u64(&cursor, text) || !*text))
		return PRN_E_DAMAGED;
	left = cursor.length - cursor.at;
	if (left > PRN_ETAG_BYTES)
		return PRN_E_DAMAGED;
	*validators = (struct prn_validators){ .modified = (int64_t)(modified & ~(modified & HAS_SUM ? HAS_SUM | HAS_TEXT : 0)) };
	memcpy(validators->etag, cursor.data + cursor.at, left);
	/* Validators are sent to servers, so they must be valid even if the store was damaged. */
	if ((left && (strlen(validators->etag) != left || !prn_http_is_etag(validators->etag))) ||
	    (validators->modified != PRN_TIME_UNKNOWN && !is_date(validators->modified)))
		return PRN_E_DAMAGED;
	return 0;
}

bool prn_side_validators_are_whole(const void *bytes, size_t count)
{
	struct prn_validators validators;
	uint64_t text;

	return !decode(&validators, &text, (struct prn_cursor){ bytes, count, 0 });
}

int prn_side_validators_read(struct prn_validators *validators, uint64_t *text, const struct prn_store_reader *reader,
                             const struct prn_digest *key, struct prn_error *error)
{
	const void *bytes = NULL;
	uint64_t kept = 0;
	size_t count = 0;
	int code = prn_sides_read(reader, PRN_SIDE_VALIDATORS, key, &bytes, &count, error);

	if (code || decode(validators, &kept, (struct prn_cursor){ bytes, count, 0 })) {
		*validators = (struct prn_validators){ .modified = PRN_TIME_UNKNOWN };
		kept = 0;
	}
	if (text)
		*text = kept;
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

int prn_side_validators_put(const struct prn_validators *validators, uint64_t text, struct prn_batch *batch,
                            const struct prn_digest *key, struct prn_error *error)
{
	struct prn_buffer out = { 0 };
	bool given = validators && prn_validators_given(validators);
	int code = 0;

	if (given && (prn_buffer_append_u64(&out, (uint64_t)validators->modified | HAS_SUM | (text ? HAS_TEXT : 0)) ||
	              (text && prn_buffer_append_u64(&out, text)) ||
	              prn_buffer_append(&out, validators->etag, strlen(validators->etag)) || prn_sides_seal(&out, 0)))
		code = prn_error_memory(error);
	if (!code)
		code = prn_sides_put(batch, PRN_SIDE_VALIDATORS, key, given ? out.data : NULL, out.length, error);
	prn_buffer_release(&out);
	return code;
}
