#include "perennial/packing.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* As the first byte of a number, 0x80 and above mark whole numbers: the sign bit of single precision is free. */
#define WHOLE 0x80

/* Single precision of 2^-32, and the bits below the ten that coarse numbers keep: 64 powers of two make 16 bits. */
#define COARSE_BASE 0x2f800000u
#define COARSE_DROPPED 13

static void put(struct prn_packing *packing, unsigned byte)
{
	if (packing->at < packing->length)
		packing->out[packing->at] = (unsigned char)byte;
	packing->at++;
}

static unsigned take_byte(struct prn_packing *packing)
{
	prn_packing_require(packing, packing->at < packing->length);
	return packing->failed ? 0 : packing->in[packing->at++];
}

/* Big-endian, so that the first byte has the sign. */
static void word(struct prn_packing *packing, unsigned bytes, uint64_t *value)
{
	if (packing->in)
		*value = 0;
	for (unsigned i = bytes; i--;)
		if (packing->in)
			*value = *value << 8 | take_byte(packing);
		else
			put(packing, *value >> 8 * i & 0xff);
}

void prn_packing_require(struct prn_packing *packing, bool holds)
{
	packing->failed |= packing->in && !holds;
}

static uint32_t read_count(struct prn_packing *packing)
{
	uint64_t count = 0;
	unsigned byte, shift = 0;

	do {
		byte = take_byte(packing);
		count |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && shift < 35);
	prn_packing_require(packing, !(byte & 0x80) && count <= UINT32_MAX && (byte || shift == 7));
	return packing->failed ? 0 : (uint32_t)count;
}

void prn_packing_count(struct prn_packing *packing, uint32_t *count, uint32_t most)
{
	if (packing->in) {
		*count = read_count(packing);
		prn_packing_require(packing, *count <= most);
		*count = packing->failed ? 0 : *count;
		return;
	}
	for (uint32_t left = *count < most ? *count : most;; left >>= 7) {
		put(packing, (left & 0x7f) | (left > 0x7f ? 0x80 : 0));
		if (left <= 0x7f)
			break;
	}
}

static float single(double number)
{
	return (float)fmin(fmax(number, -(double)FLT_MAX), (double)FLT_MAX);
}

static uint32_t bits_of(float number)
{
	uint32_t bits;

	memcpy(&bits, &number, sizeof bits);
	return bits;
}

static float from_bits(uint32_t bits)
{
	float number;

	memcpy(&number, &bits, sizeof number);
	return number;
}

void prn_packing_signed(struct prn_packing *packing, double *number)
{
	uint64_t bits = packing->in ? 0 : bits_of(single(*number));
	float read;

	word(packing, 4, &bits);
	if (!packing->in)
		return;
	read = from_bits((uint32_t)bits);
	prn_packing_require(packing, isfinite(read));
	*number = packing->failed ? 0 : (double)read;
}

static bool is_short(float number)
{
	return number <= 127 && number == floorf(number);
}

static void read_number(struct prn_packing *packing, double *number)
{
	if (packing->at < packing->length && packing->in[packing->at] >= WHOLE) {
		*number = take_byte(packing) - WHOLE;
		return;
	}
	prn_packing_signed(packing, number);
	/* Nothing packs to four bytes where one would do. */
	prn_packing_require(packing, !is_short((float)*number));
	*number = packing->failed ? 0 : *number;
}

void prn_packing_number(struct prn_packing *packing, double *number)
{
	if (packing->in) {
		read_number(packing, number);
		return;
	}
	/* fabsf: -0 would be read as a whole number. */
	float kept = fabsf(single(fmax(*number, 0)));

	if (is_short(kept)) {
		put(packing, WHOLE | (unsigned)kept);
	} else {
		double positive = (double)kept;

		prn_packing_signed(packing, &positive);
	}
}

void prn_packing_exact(struct prn_packing *packing, double *number)
{
	uint64_t bits;

	memcpy(&bits, number, sizeof bits);
	word(packing, 8, &bits);
	if (!packing->in)
		return;
	memcpy(number, &bits, sizeof bits);
	prn_packing_require(packing, isfinite(*number));
	*number = packing->failed ? 0 : *number;
}

void prn_packing_ago(struct prn_packing *packing, double *time)
{
	double ago = packing->in ? 0 : packing->now - *time;

	prn_packing_number(packing, &ago);
	if (packing->in)
		*time = packing->now - ago;
}

void prn_packing_coarse(struct prn_packing *packing, float *number)
{
	uint64_t code = 0;

	if (!packing->in && *number > 0) {
		/* Rounding up may carry into the next power of two: the representation of floats allows it. */
		uint32_t bits = bits_of(*number), half = 1u << (COARSE_DROPPED - 1);

		code = bits + half <= COARSE_BASE ? 0 : (bits + half - COARSE_BASE) >> COARSE_DROPPED;
		code = code < 1 ? 1 : code > UINT16_MAX ? UINT16_MAX : code;
	}
	word(packing, 2, &code);
	if (packing->in)
		*number = code ? from_bits(COARSE_BASE + ((uint32_t)code << COARSE_DROPPED)) : 0;
}

void prn_packing_share(struct prn_packing *packing, float *share)
{
	if (packing->in) {
		*share = (float)take_byte(packing) / 255;
		return;
	}
	put(packing, *share > 0 ? (unsigned)fmaxf(1, roundf(fminf(*share, 1) * 255)) : 0);
}

/* Points are in ascending order, as they were added, but rounded. */
static void pack_points(struct prn_packing *packing, struct prn_profile *profile)
{
	for (uint32_t i = 0; i < profile->count; i++) {
		struct prn_point *point = &profile->points[i];

		prn_packing_coarse(packing, &point->lag);
		prn_packing_share(packing, &point->divergence);
		prn_packing_require(packing, point->lag > 0 && (!i || point->lag >= profile->points[i - 1].lag));
	}
}

void prn_packing_profiles(struct prn_packing *packing, struct prn_profile *profiles, size_t slots)
{
	for (size_t i = 0; i <= slots; i++) {
		struct prn_profile *profile = &profiles[i];
		uint32_t head = profile->count << 1 | profile->open;

		/* Only an open profile is extended, so only its base matters; the retired one has no slot. */
		prn_packing_count(packing, &head, PRN_PROFILE_POINTS << 1 | (i < slots));
		profile->count = head >> 1;
		profile->open = head & 1;
		if (profile->open && i < slots)
			prn_packing_ago(packing, &profile->base);
		pack_points(packing, profile);
	}
}
