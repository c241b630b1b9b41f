/* Base64: the vectors of RFC 4648, every byte, and what is none. */
#include "base/base64.h"
#include "perennial/error.h"
#include "tap.h"

static struct prn_buffer bytes;

static int decode(const char *text)
{
	prn_buffer_clear(&bytes);
	return prn_base64_decode(text, strlen(text), &bytes);
}

static bool holds(const char *text, const void *want, size_t length)
{
	return !decode(text) && bytes.length == length && !memcmp(bytes.data, want, length);
}

static bool gives(const char *text, const char *want)
{
	return holds(text, want, strlen(want));
}

static void vectors(void)
{
	static const char *const vectors[][2] = { { "", "" },           { "Zg==", "f" },        { "Zm8=", "fo" },
		                                  { "Zm9v", "foo" },     { "Zm9vYg==", "foob" }, { "Zm9vYmE=", "fooba" },
		                                  { "Zm9vYmFy", "foobar" } };

	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
		char text[PRN_BASE64_BYTES(6)];

		ok(gives(vectors[i][0], vectors[i][1]),
		   "the base64 \"%s\" of RFC 4648 §10 is \"%s\"", vectors[i][0], vectors[i][1]);
		memset(text, 'x', sizeof text);
		prn_base64_encode(vectors[i][1], strlen(vectors[i][1]), text);
		same(text, vectors[i][0], "\"%s\" is written as the base64 of RFC 4648 §10", vectors[i][1]);
	}
	ok(gives("Zm9vYg", "foob"), "the padding of base64 may be left out");
	ok(gives(" Zm9v\r\n\tYmFy\n", "foobar"), "white space in base64 is passed over");
	ok(holds("+/-_", "\xfb\xff\xbf", 3), "both alphabets of base64 are read");
}

/* Encoded here the slow way, bit by bit, and read back. */
static void every_byte(void)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned char all[256];
	char text[512], written[PRN_BASE64_BYTES(256)];
	size_t n = 0;

	for (int i = 0; i < 256; i++)
		all[i] = (unsigned char)(255 - i);
	for (size_t bit = 0; bit < 8 * sizeof all; bit += 6) {
		unsigned digit = 0;

		for (size_t i = bit; i < bit + 6; i++)
			digit = digit << 1 | (i < 8 * sizeof all ? all[i / 8] >> (7 - i % 8) & 1u : 0u);
		text[n++] = digits[digit];
	}
	text[n] = 0;
	prn_base64_encode(all, sizeof all, written);
	ok(!strncmp(written, text, n) && strlen(written) == PRN_BASE64_BYTES(sizeof all) - 1, "all 256 bytes are written in base64");
	ok(holds(text, all, sizeof all), "all 256 bytes come back from base64");
}

int main(void)
{
	static const char *const bad[] = { "Z", "Zm9vY", "Zm=v", "Zm9v=", "Zg===", "Z===", "Zm9v!", "Zm\xc3\xb6v", "====" };

	vectors();
	every_byte();
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(decode(bad[i]) == PRN_E_INPUT, "\"%s\" is refused as base64", bad[i]);
	prn_buffer_release(&bytes);
	return done();
}
