/* MD5, SHA-1 and SHA-256 against the examples of RFC 1321 A.5 and of FIPS 180-4 (NIST's Secure Hash Standard examples). */
#include "base/message_digest.h"
#include "tap.h"

#include <stdlib.h>

static const char *hex(enum prn_message_digest_kind kind, const void *bytes, size_t length, size_t piece)
{
	static char text[2 * PRN_MESSAGE_BYTES + 1];
	unsigned char out[PRN_MESSAGE_BYTES];
	struct prn_message_digest sum;
	size_t size;

	prn_message_digest_init(&sum, kind);
	for (size_t at = 0; at < length; at += piece)
		prn_message_digest_add(&sum, (const char *)bytes + at, piece < length - at ? piece : length - at);
	size = prn_message_digest_end(&sum, out);
	for (size_t i = 0; i < size; i++)
		snprintf(text + 2 * i, 3, "%02x", out[i]);
	return text;
}

static void examples(void)
{
	static const char alphabet[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
	static const char digits[] = "12345678901234567890123456789012345678901234567890123456789012345678901234567890";
	static const struct {
		enum prn_message_digest_kind kind;
		const char *text, *sum;
	} cases[] = {
		{ PRN_MESSAGE_MD5, "", "d41d8cd98f00b204e9800998ecf8427e" },
		{ PRN_MESSAGE_MD5, "abc", "900150983cd24fb0d6963f7d28e17f72" },
		{ PRN_MESSAGE_MD5, digits, "57edf4a22be3c955ac49da2e2107b67a" },
		{ PRN_MESSAGE_SHA1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709" },
		{ PRN_MESSAGE_SHA1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d" },
		{ PRN_MESSAGE_SHA1, alphabet, "84983e441c3bd26ebaae4aa1f95129e5e54670f1" },
		{ PRN_MESSAGE_SHA256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ PRN_MESSAGE_SHA256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
		{ PRN_MESSAGE_SHA256, alphabet, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		same(hex(cases[i].kind, cases[i].text, strlen(cases[i].text), 1000), cases[i].sum, "the sum of kind %d of \"%s\"",
		     (int)cases[i].kind, cases[i].text);
}

/* A million times "a", of which the standard tells the sums, in pieces of any length. */
static void pieces(void)
{
	static const char *const sums[] = { "7707d6ae4e027c70eea2a935c2296f21", "34aa973cd4c4daa4f61eeb2bdbad27316534016f",
		                            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" };
	static const size_t lengths[] = { 1, 7, 63, 64, 65, 1000, 1000000 };
	char *text = malloc(1000000);

	memset(text, 'a', 1000000);
	for (int kind = 0; kind < 3; kind++)
		for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
			same(hex((enum prn_message_digest_kind)kind, text, 1000000, lengths[i]), sums[kind],
			     "the sum of kind %d of a million bytes in pieces of %zu", kind, lengths[i]);
	free(text);
}

int main(void)
{
	examples();
	pieces();
	return done();
}
