#include "base/message_digest.h"

#include <stdbool.h>
#include <string.h>

#define BLOCK 64

static uint32_t left(uint32_t x, unsigned n)
{
	return x << n | x >> (32 - n);
}

static uint32_t word(const unsigned char *bytes, bool most_first)
{
	uint32_t a = bytes[0], b = bytes[1], c = bytes[2], d = bytes[3];

	return most_first ? a << 24 | b << 16 | c << 8 | d : d << 24 | c << 16 | b << 8 | a;
}

/* RFC 1321 3.4: floor(2^32 abs(sin(i + 1))). */
static const uint32_t md5_sines[64] = {
	0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af,
	0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa,
	0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8,
	0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
	0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97,
	0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1,
	0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static void add_md5(uint32_t state[8], const unsigned char *block)
{
	static const unsigned char turns[4][4] = { { 7, 12, 17, 22 }, { 5, 9, 14, 20 }, { 4, 11, 16, 23 }, { 6, 10, 15, 21 } };
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];

	for (unsigned i = 0; i < 64; i++) {
		uint32_t mixed, moved;
		unsigned from;

		if (i < 16)
			mixed = (b & c) | (~b & d), from = i;
		else if (i < 32)
			mixed = (d & b) | (~d & c), from = (5 * i + 1) % 16;
		else if (i < 48)
			mixed = b ^ c ^ d, from = (3 * i + 5) % 16;
		else
			mixed = c ^ (b | ~d), from = 7 * i % 16;
		moved = b + left(a + mixed + md5_sines[i] + word(block + 4 * from, false), turns[i / 16][i % 4]);
		a = d, d = c, c = b, b = moved;
	}
	state[0] += a, state[1] += b, state[2] += c, state[3] += d;
}

/* FIPS 180-4 6.1.2. */
static void add_sha1(uint32_t state[8], const unsigned char *block)
{
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], w[80];

	for (unsigned i = 0; i < 80; i++) {
		uint32_t mixed, next;

		w[i] = i < 16 ? word(block + 4 * i, true) : left(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
		if (i < 20)
			mixed = (d ^ (b & (c ^ d))) + 0x5a827999;
		else if (i < 40)
			mixed = (b ^ c ^ d) + 0x6ed9eba1;
		else if (i < 60)
			mixed = ((b & c) | (d & (b | c))) + 0x8f1bbcdc;
		else
			mixed = (b ^ c ^ d) + 0xca62c1d6;
		next = left(a, 5) + mixed + e + w[i];
		e = d, d = c, c = left(b, 30), b = a, a = next;
	}
	state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

/* FIPS 180-4 4.2.2: of the cube roots of the first 64 primes the first 32 bits behind the point. */
static const uint32_t sha256_roots[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
	0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
	0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
	0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* FIPS 180-4 6.2.2; its turns to the right are turns to the left by what is left of 32. */
static void add_sha256(uint32_t state[8], const unsigned char *block)
{
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7], w[64];
	unsigned i;

	for (i = 0; i < 16; i++)
		w[i] = word(block + 4 * i, true);
	for (; i < 64; i++)
		w[i] = w[i - 16] + w[i - 7] + (left(w[i - 15], 25) ^ left(w[i - 15], 14) ^ w[i - 15] >> 3) +
		       (left(w[i - 2], 15) ^ left(w[i - 2], 13) ^ w[i - 2] >> 10);
	for (i = 0; i < 64; i++) {
		uint32_t first = h + (left(e, 26) ^ left(e, 21) ^ left(e, 7)) + ((e & f) ^ (~e & g)) + sha256_roots[i] + w[i];
		uint32_t second = (left(a, 30) ^ left(a, 19) ^ left(a, 10)) + ((a & b) ^ (a & c) ^ (b & c));

		h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
	}
	state[0] += a, state[1] += b, state[2] += c, state[3] += d;
	state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void prn_message_digest_init(struct prn_message_digest *sum, enum prn_message_digest_kind kind)
{
	static const uint32_t sha1[8] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };
	static const uint32_t sha256[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };

	*sum = (struct prn_message_digest){ .kind = kind };
	/* MD5 begins with the first four words of SHA-1. */
	memcpy(sum->state, kind == PRN_MESSAGE_SHA256 ? sha256 : sha1, sizeof sum->state);
}

static void add_block(struct prn_message_digest *sum, const unsigned char *block)
{
	if (sum->kind == PRN_MESSAGE_SHA256)
		add_sha256(sum->state, block);
	else if (sum->kind == PRN_MESSAGE_SHA1)
		add_sha1(sum->state, block);
	else
		add_md5(sum->state, block);
}

void prn_message_digest_add(struct prn_message_digest *sum, const void *bytes, size_t length)
{
	const unsigned char *at = bytes;
	size_t filled = sum->length % BLOCK;

	sum->length += length;
	if (filled) {
		size_t taken = BLOCK - filled < length ? BLOCK - filled : length;

		memcpy(sum->rest + filled, at, taken);
		at += taken;
		length -= taken;
		if (filled + taken < BLOCK)
			return;
		add_block(sum, sum->rest);
	}
	for (; length >= BLOCK; at += BLOCK, length -= BLOCK)
		add_block(sum, at);
	if (length)
		memcpy(sum->rest, at, length);
}

size_t prn_message_digest_end(struct prn_message_digest *sum, unsigned char out[PRN_MESSAGE_BYTES])
{
	static const unsigned char padding[BLOCK] = { 0x80 };
	bool most_first = sum->kind != PRN_MESSAGE_MD5;
	size_t bytes = sum->kind == PRN_MESSAGE_SHA256 ? 32 : sum->kind == PRN_MESSAGE_SHA1 ? 20 : 16;
	uint64_t bits = 8 * sum->length;
	unsigned char tail[8];

	for (unsigned i = 0; i < 8; i++)
		tail[i] = (unsigned char)(bits >> 8 * (most_first ? 7 - i : i));
	/* So that the eight bytes of the length end a block. */
	prn_message_digest_add(sum, padding, (size_t)(BLOCK - (sum->length + 8) % BLOCK));
	prn_message_digest_add(sum, tail, sizeof tail);
	for (size_t i = 0; i < bytes; i++)
		out[i] = (unsigned char)(sum->state[i / 4] >> 8 * (most_first ? 3 - i % 4 : i % 4));
	return bytes;
}
