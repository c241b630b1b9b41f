/* In the store: Last-Modified, 8 bytes, little-endian; the ETag, without a NUL. */
#include "decide/side_validators.h"

#include "archive/http_capture.h"
#include "base/buffer.h"
#include "decide/sides.h"

#include <string.h>


static bool is_date(int64_t time)
{
	return time >= 0 && time <= PRN_TIME_LAST;
}

void prn_validators_of(struct prn_validators *validators, const struct prn_capture *capture)
{
	const char *etag = capture->etag ? capture->etag : "";
	size_t length = strlen(etag);
	bool known = is_date(capture->modified) && capture->modified <= capture->time;

	*validators = (struct prn_validators){ .modified = known ? capture->modified : PRN_TIME_UNKNOWN };
	if (length <= PRN_ETAG_BYTES)
		memcpy(validators->etag, etag, length);
}

static int decode_validators(struct prn_validators *validators, struct prn_cursor *cursor)
{
	size_t left = cursor->length < 8 ? 0 : cursor->length - 8;
	uint64_t modified;

	if (prn_cursor_u64(cursor, &modified) || left > PRN_ETAG_BYTES)
		return PRN_E_DAMAGED;
	*validators = (struct prn_validators){ .modified = (int64_t)modified };
	memcpy(validators->etag, cursor->data + cursor->at, left);
	/* What is sent to servers must be fit for it, whatever befell the store. */
	if ((left && (strlen(validators->etag) != left || !prn_http_is_etag(validators->etag))) ||
	    (validators->modified != PRN_TIME_UNKNOWN && !is_date(validators->modified)))
		return PRN_E_DAMAGED;
	return 0;
}

int prn_side_validators_read(struct prn_validators *validators, const struct prn_store_reader *reader,
                             const struct prn_digest *key, struct prn_error *error)
{
	const void *bytes = NULL;
	size_t count = 0;
	int code = prn_sides_read(reader, PRN_SIDE_VALIDATORS, key, &bytes, &count, error);

	if (code || decode_validators(validators, &(struct prn_cursor){ bytes, count, 0 }))
		*validators = (struct prn_validators){ .modified = PRN_TIME_UNKNOWN };
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

int prn_side_validators_put(const struct prn_validators *validators, struct prn_batch *batch,
                            const struct prn_digest *key, struct prn_error *error)
{
	unsigned char bytes[8 + PRN_ETAG_BYTES];
	bool given = validators && prn_validators_given(validators);
	size_t length = given ? strlen(validators->etag) : 0;

	for (unsigned i = 0; given && i < 8; i++)
		bytes[i] = (unsigned char)((uint64_t)validators->modified >> 8 * i);
	if (given)
		memcpy(bytes + 8, validators->etag, length);
	return prn_sides_put(batch, PRN_SIDE_VALIDATORS, key, given ? bytes : NULL, given ? 8 + length : 0, error);
}
