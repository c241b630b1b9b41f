#include "archive/warc_digests.h"

#include "archive/payload.h"

#include <string.h>

void prn_warc_digest_begin(struct prn_warc_digest *digest, const char *text)
{
	static const struct {
		const char *label;
		enum prn_message_digest_kind kind;
	} kinds[] = { { "md5", PRN_MESSAGE_MD5 }, { "sha1", PRN_MESSAGE_SHA1 }, { "sha256", PRN_MESSAGE_SHA256 } };
	char label[PRN_PAYLOAD_LABEL];
	unsigned char bytes[PRN_PAYLOAD_BYTES];
	size_t length = text ? prn_payload_decode(text, label, bytes) : 0;

	digest->is_told = false;
	for (size_t i = 0; length && i < sizeof kinds / sizeof *kinds; i++) {
		if (strcmp(label, kinds[i].label))
			continue;
		digest->is_told = true;
		digest->kind = kinds[i].kind;
		digest->bytes = length;
		memcpy(digest->want, bytes, length);
		prn_message_digest_init(&digest->sum, digest->kind);
	}
}

bool prn_warc_digest_holds(const struct prn_warc_digest *digest)
{
	struct prn_message_digest sum = digest->sum;
	unsigned char got[PRN_MESSAGE_BYTES];

	return !digest->is_told || (prn_message_digest_end(&sum, got) == digest->bytes && !memcmp(got, digest->want, digest->bytes));
}

bool prn_warc_digest_is_of(const struct prn_warc_digest *digest, const void *bytes, size_t length)
{
	struct prn_warc_digest other = *digest;

	if (!digest->is_told)
		return true;
	prn_message_digest_init(&other.sum, digest->kind);
	prn_message_digest_add(&other.sum, bytes, length);
	return prn_warc_digest_holds(&other);
}
