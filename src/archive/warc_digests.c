#include "archive/warc_digests.h"

#include "archive/payload.h"

#include <string.h>

int prn_warc_digest_begin(struct prn_warc_digest *digest, const char *text)
{
	const struct prn_message_kind *kind = text ? prn_payload_decode(text, digest->want) : NULL;
	int code = 0;

	digest->is_given = kind && kind->maker;
	if (digest->is_given)
		code = prn_message_digest_begin(&digest->sum, kind);
	digest->is_given &= !code;
	return code;
}

static bool is_wanted(const struct prn_warc_digest *digest, const unsigned char got[PRN_MESSAGE_BYTES])
{
	return !memcmp(got, digest->want, digest->sum.kind->bytes);
}

bool prn_warc_digest_holds(const struct prn_warc_digest *digest)
{
	unsigned char got[PRN_MESSAGE_BYTES];

	if (!digest->is_given)
		return true;
	prn_message_digest_get(&digest->sum, got);
	return is_wanted(digest, got);
}

bool prn_warc_digest_is_of(const struct prn_warc_digest *digest, const void *bytes, size_t length)
{
	unsigned char got[PRN_MESSAGE_BYTES];

	if (!digest->is_given)
		return true;
	prn_message_digest_of(digest->sum.kind, bytes, length, got);
	return is_wanted(digest, got);
}

void prn_warc_digest_release(struct prn_warc_digest *digest)
{
	prn_message_digest_release(&digest->sum);
	digest->is_given = false;
}
