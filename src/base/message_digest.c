#include "base/message_digest.h"

void prn_message_digest_init(struct prn_message_digest *sum, enum prn_message_digest_kind kind)
{
	sum->kind = kind;
	switch (kind) {
	case PRN_MESSAGE_MD5:
		md5_init(&sum->of.md5);
		break;
	case PRN_MESSAGE_SHA1:
		sha1_init(&sum->of.sha1);
		break;
	case PRN_MESSAGE_SHA256:
		sha256_init(&sum->of.sha256);
		break;
	}
}

void prn_message_digest_add(struct prn_message_digest *sum, const void *bytes, size_t length)
{
	switch (sum->kind) {
	case PRN_MESSAGE_MD5:
		md5_update(&sum->of.md5, length, bytes);
		break;
	case PRN_MESSAGE_SHA1:
		sha1_update(&sum->of.sha1, length, bytes);
		break;
	case PRN_MESSAGE_SHA256:
		sha256_update(&sum->of.sha256, length, bytes);
		break;
	}
}

size_t prn_message_digest_end(struct prn_message_digest *sum, unsigned char out[PRN_MESSAGE_BYTES])
{
	switch (sum->kind) {
	case PRN_MESSAGE_MD5:
		md5_digest(&sum->of.md5, MD5_DIGEST_SIZE, out);
		return MD5_DIGEST_SIZE;
	case PRN_MESSAGE_SHA1:
		sha1_digest(&sum->of.sha1, SHA1_DIGEST_SIZE, out);
		return SHA1_DIGEST_SIZE;
	case PRN_MESSAGE_SHA256:
		break;
	}
	sha256_digest(&sum->of.sha256, SHA256_DIGEST_SIZE, out);
	return SHA256_DIGEST_SIZE;
}
