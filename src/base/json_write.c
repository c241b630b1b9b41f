#include "base/json_write.h"

#include "perennial/error.h"

#include <math.h>
#include <stdio.h>

#define DIGITS 12 /* significant digits of a number */
#define LEAST 100000000000u /* the smallest number that has as many */

#define MOVED 16 /* >= DIGITS: so many bytes are copied where at most DIGITS count, because a copy of fixed length needs no call */

#define LONGEST_ESCAPE 6 /* a control character as \u001F */

int prn_json_line_end(struct prn_json_line *line)
{
	if (!line->failed)
		line->failed = prn_buffer_append(line->out, "\n", 1);
	if (line->failed)
		line->out->length = line->before;
	return line->failed;
}

void prn_json_put(struct prn_json_line *line, const char *name, size_t name_length, const void *bytes, size_t length)
{
	char *at = prn_json_begin_member(line, name, name_length, length);

	if (!at)
		return;
	memcpy(at, bytes, length);
	line->out->length += length;
}

void prn_json_put_plain(struct prn_json_line *line, const char *name, size_t name_length, const char *text, size_t length)
{
	char *at = prn_json_begin_member(line, name, name_length, length + 2);

	if (!at)
		return;
	*at++ = '"';
	memcpy(at, text, length);
	at[length] = '"';
	line->out->length += length + 2;
}

#define EACH (~(uint64_t)0 / 255) /* a 1 in each of eight bytes */
#define TOPS (EACH << 7)

/* Whether one of eight bytes is a control character, a quotation mark or a backslash; it may be true also if none is. */
static bool may_have_escapes(const char *bytes)
{
	uint64_t eight, quotation, backslash;

	memcpy(&eight, bytes, sizeof eight);
	quotation = eight ^ EACH * '"';
	backslash = eight ^ EACH * '\\';
	return (((eight - EACH * 0x20) | (quotation - EACH) | (backslash - EACH)) & ~eight & TOPS) != 0;
}

/*
 * Whether one of eight bytes is 0x7f or above.  A carry from one byte into the next comes only from a byte whose own high bit is
 * set.
 */
static bool goes_beyond(uint64_t eight)
{
	return ((eight | (eight + EACH)) & TOPS) != 0;
}

/* Returns the letter after the backslash, 'u' for four hexadecimal digits, or 0 for a byte that needs no escape. */
static char escape_of(unsigned char byte)
{
	static const char of_controls[0x20] = { ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't' };

	if (byte == '"' || byte == '\\')
		return (char)byte;
	if (byte >= 0x20)
		return 0;
	return of_controls[byte] ? of_controls[byte] : 'u';
}

static char *put_escaped(char *at, unsigned char byte)
{
	static const char digits[] = "0123456789ABCDEF";
	char escape = escape_of(byte);

	if (!escape) {
		*at++ = (char)byte;
		return at;
	}
	*at++ = '\\';
	*at++ = escape;
	if (escape == 'u') {
		*at++ = '0';
		*at++ = '0';
		*at++ = digits[byte >> 4];
		*at++ = digits[byte & 15];
	}
	return at;
}

void prn_json_put_text(struct prn_json_line *line, const char *name, size_t name_length, const char *text, size_t length)
{
	const char *end = text + length;
	char *begin, *at;

	if (length > (SIZE_MAX - name_length) / LONGEST_ESCAPE - 8) {
		line->failed = PRN_E_MEMORY;
		return;
	}
	begin = at = prn_json_begin_member(line, name, name_length, length * LONGEST_ESCAPE + 2);
	if (!at)
		return;
	*at++ = '"';
	while (text < end) {
		if (end - text >= 8 && !may_have_escapes(text)) {
			uint64_t eight;

			memcpy(&eight, text, 8);
			memcpy(at, &eight, 8);
			line->beyond |= goes_beyond(eight);
			at += 8;
			text += 8;
		} else {
			line->beyond |= (unsigned char)*text >= 0x7f;
			at = put_escaped(at, (unsigned char)*text++);
		}
	}
	*at++ = '"';
	line->out->length += (size_t)(at - begin);
}

/* Writes a number as so many decimal digits, with zeros in front. */
static void put_digits(char *at, uint64_t number, int digits)
{
	static const char pairs[] = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374757677787980818283848586878889909192939495969798"
				    "99";

	for (; digits >= 2; digits -= 2, number /= 100)
		memcpy(at + digits - 2, pairs + number % 100 * 2, 2);
	if (digits)
		*at = (char)('0' + number);
}

size_t prn_json_print_integer(int64_t number, char *out)
{
	uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number, rest = size;
	int digits = 1;

	for (; rest >= 10000; rest /= 10000)
		digits += 4;
	digits += (rest >= 10) + (rest >= 100) + (rest >= 1000);
	*out = '-';
	put_digits(out + (number < 0), size, digits);
	return (size_t)(digits + (number < 0));
}

/*
 * Prints with the C library's "%.*g", as jansson does, and corrects the text as jansson does: it has a point whatever the locale is,
 * ".0" after what would be read as an integer, and an exponent without '+' and leading zeros.
 */
static size_t print_slowly(double number, char out[PRN_JSON_NUMBER])
{
	char printed[PRN_JSON_NUMBER], *to = out;
	const char *from = printed;
	bool real = false;

	snprintf(printed, sizeof printed, "%.*g", DIGITS, number);
	for (; *from && *from != 'e'; from++) {
		bool digit = (*from >= '0' && *from <= '9') || *from == '-';

		if (digit)
			*to++ = *from;
		else if (!real)
			*to++ = '.';
		real |= !digit;
	}
	if (*from == 'e') {
		*to++ = *from++;
		if (*from == '-')
			*to++ = '-';
		from += strspn(from, "+-0");
		while (*from)
			*to++ = *from++;
	} else if (!real) {
		*to++ = '.';
		*to++ = '0';
	}
	return (size_t)(to - out);
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 prn_json_wide;

#define POWER_FIRST (-20)

/* The first 64 bits of 10^-20, 10^-19 and so on, rounded; those of 10^0 to 10^27 are exact. */
static const uint64_t powers[] = {
	0xbce5086492111aeb, 0xec1e4a7db69561a5, 0x9392ee8e921d5d07, 0xb877aa3236a4b449, 0xe69594bec44de15b,
	0x901d7cf73ab0acd9, 0xb424dc35095cd80f, 0xe12e13424bb40e13, 0x8cbccc096f5088cc, 0xafebff0bcb24aaff,
	0xdbe6fecebdedd5bf, 0x89705f4136b4a597, 0xabcc77118461cefd, 0xd6bf94d5e57a42bc, 0x8637bd05af6c69b6,
	0xa7c5ac471b478423, 0xd1b71758e219652c, 0x83126e978d4fdf3b, 0xa3d70a3d70a3d70a, 0xcccccccccccccccd,
	0x8000000000000000, 0xa000000000000000, 0xc800000000000000, 0xfa00000000000000, 0x9c40000000000000,
	0xc350000000000000, 0xf424000000000000, 0x9896800000000000, 0xbebc200000000000, 0xee6b280000000000,
	0x9502f90000000000, 0xba43b74000000000, 0xe8d4a51000000000, 0x9184e72a00000000, 0xb5e620f480000000,
	0xe35fa931a0000000, 0x8e1bc9bf04000000, 0xb1a2bc2ec5000000, 0xde0b6b3a76400000, 0x8ac7230489e80000,
	0xad78ebc5ac620000, 0xd8d726b7177a8000, 0x878678326eac9000, 0xa968163f0a57b400, 0xd3c21bcecceda100,
	0x84595161401484a0, 0xa56fa5b99019a5c8, 0xcecb8f27f4200f3a, 0x813f3978f8940984, 0xa18f07d736b90be5,
	0xc9f2c9cd04674edf, 0xfc6f7c4045812296, 0x9dc5ada82b70b59e, 0xc5371912364ce305, 0xf684df56c3e01bc7,
	0x9a130b963a6c115c, 0xc097ce7bc90715b3, 0xf0bdc21abb48db20, 0x96769950b50d88f4, 0xbc143fa4e250eb31,
	0xeb194f8e1ae525fd, 0x92efd1b8d0cf37be, 0xb7abc627050305ae, 0xe596b7b0c643c719, 0x8f7e32ce7bea5c70,
};

#define POWERS ((int)(sizeof powers / sizeof *powers))

/*
 * Finds the first DIGITS digits of a number above 0; the first one stands for 10^*exponent.  False if the table of powers does not
 * reach that far, or is not precise enough to decide which way to round.
 */
static bool find_digits(double number, uint64_t *digits, int *exponent)
{
	int binary;
	uint64_t mantissa = (uint64_t)(frexp(number, &binary) * 0x1p53) << 11;
	/* This is the exponent of the power of two at or below the number, and may be one less than the number's own.  The shift rounds down. */
	int decimal = (binary - 1) * 78913 >> 18;

	for (;; decimal++) {
		int power = DIGITS - 1 - decimal, shift;
		prn_json_wide product, rest, half;

		if (power < POWER_FIRST || power - POWER_FIRST >= POWERS)
			return false;
		/* number = mantissa * 2^(binary - 64), 10^power = powers[] * 2^(floor(log2(10^power)) - 63) */
		product = (prn_json_wide)mantissa * powers[power - POWER_FIRST];
		shift = 64 - binary + 63 - (power * 217706 >> 16);
		if (shift < 70 || shift > 127)
			return false;
		*digits = (uint64_t)(product >> shift);
		if (*digits >= (uint64_t)LEAST * 10)
			continue;
		if (*digits < LEAST)
			return false;
		/* The power's rounding error is less than one in its last bit, so the product is off by less than the mantissa. */
		half = (prn_json_wide)1 << (shift - 1);
		rest = product & (half - 1 + half);
		if ((rest > half ? rest - half : half - rest) >> 64 == 0)
			return false;
		*digits += rest > half;
		if (*digits == (uint64_t)LEAST * 10) {
			*digits = LEAST;
			decimal++;
		}
		*exponent = decimal;
		return true;
	}
}
#else
static bool find_digits(double number, uint64_t *digits, int *exponent)
{
	(void)number, (void)digits, (void)exponent;
	return false;
}
#endif

size_t prn_json_print_number(double number, char out[PRN_JSON_NUMBER])
{
	char all[DIGITS + MOVED], *at = out;
	uint64_t digits;
	int exponent, count = DIGITS;

	if (fabs(number) < LEAST && number == (double)(int64_t)number && (number != 0 || !signbit(number))) {
		at += prn_json_print_integer((int64_t)number, out);
		memcpy(at, ".0", 2);
		return (size_t)(at + 2 - out);
	}
	if (!find_digits(fabs(number), &digits, &exponent))
		return print_slowly(number, out);
	put_digits(all, digits, DIGITS);
	memset(all + DIGITS, '0', MOVED);
	while (count > 1 && all[count - 1] == '0')
		count--;
	if (number < 0)
		*at++ = '-';
	if (exponent < -4 || exponent >= DIGITS) {
		*at++ = all[0];
		if (count > 1)
			*at++ = '.';
		memcpy(at, all + 1, (size_t)(count - 1));
		at += count - 1;
		*at++ = 'e';
		at += prn_json_print_integer(exponent, at);
	} else if (exponent < 0) {
		memcpy(at, "0.0000", 6);
		at += 1 - exponent;
		memcpy(at, all, MOVED);
		at += count;
	} else {
		int whole = exponent + 1;

		memcpy(at, all, MOVED);
		at += whole;
		*at++ = '.';
		memcpy(at, all + whole, MOVED);
		at += count > whole ? count - whole : 1;
	}
	return (size_t)(at - out);
}
