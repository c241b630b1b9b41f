#include "archive/url_host.h"

#include "archive/url_set.h"
#include "base/ascii.h"
#include "perennial/error.h"
#include "perennial/url.h"

#include <arpa/inet.h>
#include <idn2.h>
#include <stdio.h>
#include <string.h>
#include <unicase.h>
#include <unistr.h>

/* "Forbidden domain code points". */
static const struct prn_url_set forbidden = { {
	PRN_URL_CONTROLS | PRN_URL_LOW(' ') | PRN_URL_LOW('#') | PRN_URL_LOW('%') | PRN_URL_LOW('/') | PRN_URL_LOW(':') |
		PRN_URL_LOW('<') | PRN_URL_LOW('>') | PRN_URL_LOW('?'),
	PRN_URL_HIGH('@') | PRN_URL_HIGH('[') | PRN_URL_HIGH('\\') | PRN_URL_HIGH(']') | PRN_URL_HIGH('^') |
		PRN_URL_HIGH('|') | PRN_URL_HIGH(127),
} };

#define GROUPS 8

/* Finds the longest run of two or more zero groups, the first of equal ones: returns its start, and its end in *end. */
static int longest_gap(const unsigned groups[GROUPS], int *end)
{
	int begin = -1;

	*end = -1;
	for (int i = 0; i < GROUPS; i++) {
		int to = i;

		while (to < GROUPS && !groups[to])
			to++;
		if (to - i > 1 && to - i > *end - begin)
			begin = i, *end = to;
		if (to > i)
			i = to - 1;
	}
	return begin;
}

/* inet_ntop writes some addresses with an IPv4 address at the end, which the standard does not. */
static void write_address(const unsigned char bytes[2 * GROUPS], char out[INET6_ADDRSTRLEN + 2])
{
	unsigned groups[GROUPS];
	int begin, end;

	for (int i = 0; i < GROUPS; i++)
		groups[i] = (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1];
	begin = longest_gap(groups, &end);
	*out++ = '[';
	for (int i = 0; i < GROUPS; i++) {
		if (i == begin) {
			*out++ = ':';
			if (!i)
				*out++ = ':';
			i = end - 1;
			continue;
		}
		out += sprintf(out, "%x", groups[i]);
		if (i < GROUPS - 1)
			*out++ = ':';
	}
	strcpy(out, "]");
}

static int read_address(const char *text, size_t length, char *out, size_t capacity)
{
	char address[INET6_ADDRSTRLEN + 1], written[INET6_ADDRSTRLEN + 2];
	unsigned char bytes[2 * GROUPS];

	if (length < 2 || text[length - 1] != ']' || length - 2 >= sizeof address || memchr(text, 0, length))
		return PRN_E_INPUT;
	memcpy(address, text + 1, length - 2);
	address[length - 2] = 0;
	if (inet_pton(AF_INET6, address, bytes) != 1)
		return PRN_E_INPUT;
	write_address(bytes, written);
	if (strlen(written) >= capacity)
		return PRN_E_LIMIT;
	strcpy(out, written);
	return 0;
}

#define NUMBER_MAX ((uint64_t)1 << 40) /* more than any address: larger numbers count as this */

/* Reads a part of an IPv4 address: decimal, octal after "0", hexadecimal after "0x". */
static bool read_number(const char *text, size_t length, uint64_t *number)
{
	unsigned base = 10;

	if (!length)
		return false;
	if (length > 1 && text[0] == '0') {
		base = prn_ascii_lower(text[1]) == 'x' ? 16 : 8;
		text += base == 16 ? 2 : 1;
		length -= base == 16 ? 2 : 1;
	}
	*number = 0;
	for (size_t i = 0; i < length; i++) {
		int digit = prn_hex_digit(text[i]);

		if (digit < 0 || digit >= (int)base)
			return false;
		*number = *number * base + (unsigned)digit;
		*number = *number > NUMBER_MAX ? NUMBER_MAX : *number;
	}
	return true;
}

/* Returns the last label of a host, ignoring a dot at its end. */
static const char *last_label(const char *host, size_t *length)
{
	size_t end = strlen(host), begin;

	end -= end && host[end - 1] == '.';
	for (begin = end; begin && host[begin - 1] != '.'; begin--)
		;
	*length = end - begin;
	return host + begin;
}

/* A host that ends in a number is an IPv4 address or invalid. */
static bool ends_in_number(const char *host)
{
	size_t length;
	const char *label = last_label(host, &length);
	uint64_t number;

	return length && (strspn(label, "0123456789") >= length || read_number(label, length, &number));
}

static bool read_ipv4(const char *host, uint32_t *address)
{
	size_t length = strlen(host);
	uint64_t sum = 0, number = 0, last = (uint64_t)1 << 32;

	length -= host[length - 1] == '.';
	for (int parts = 1;; parts++) {
		const char *dot = memchr(host, '.', length);
		size_t part = dot ? (size_t)(dot - host) : length;

		if (parts > 4 || !read_number(host, part, &number) || (dot && number > 255))
			return false;
		if (!dot)
			break;
		last >>= 8;
		sum |= number << (32 - 8 * parts);
		host += part + 1;
		length -= part + 1;
	}
	if (number >= last)
		return false;
	*address = (uint32_t)(sum | number);
	return true;
}

static int write_ipv4(char *host, size_t capacity)
{
	char written[INET_ADDRSTRLEN];
	uint32_t address;

	if (!read_ipv4(host, &address))
		return PRN_E_INPUT;
	snprintf(written, sizeof written, "%u.%u.%u.%u", address >> 24, address >> 16 & 255, address >> 8 & 255,
	         address & 255);
	if (strlen(written) >= capacity)
		return PRN_E_LIMIT;
	strcpy(host, written);
	return 0;
}

/* A host contains none of the characters that transitional processing maps to others (the deviations of UTS #46). */
static bool has_no_deviation(const char *host)
{
	return !strstr(host, "\u00df") && !strstr(host, "\u03c2") && !strstr(host, "\u200c") && !strstr(host, "\u200d");
}

/* libidn2 refuses symbols (IDNA 2008); the standard (UTS #46) and transitional processing accept them. */
static int convert(const char *text, char **ascii)
{
	int code = idn2_to_ascii_8z(text, ascii, IDN2_NONTRANSITIONAL);

	if (code == IDN2_DISALLOWED && has_no_deviation(text))
		code = idn2_to_ascii_8z(text, ascii, IDN2_TRANSITIONAL);
	return code;
}

static bool is_ascii(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)text[i] >= 128)
			return false;
	return true;
}

/*
 * Turns count characters of a converted label into hyphens.  In punycode only those before its last hyphen
 * count, where the label's own ASCII characters stand in order; behind it are the places and codes of the
 * others.  False: there are not exactly as many.
 */
static bool put_hyphens_back(char *label, char other, size_t count)
{
	bool encoded = !strncmp(label, "xn--", 4);
	char *at = encoded ? label + 4 : label, *end = encoded ? strrchr(at, '-') : at + strlen(at);
	size_t found = 0;

	for (; end && at < end; at++)
		if (*at == other) {
			*at = '-';
			found++;
		}
	return found == count;
}

/*
 * libidn2 refuses hyphens at the ends of a label and in its third and fourth place; the standard accepts them.
 * They are replaced by a digit, which has as little influence on the direction of writing; a letter is used if
 * every digit occurs.
 */
static int convert_with_hyphens(const char *label, char **ascii)
{
	static const char others[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	const char *other = others;
	char text[PRN_URL_HOST_NAME];
	size_t length = strlen(label), count = 0;
	int code;

	while (*other && strchr(label, *other))
		other++;
	if (length >= sizeof text || !*other || !strncmp(label, "xn--", 4))
		return IDN2_2HYPHEN;
	for (size_t i = 0; i <= length; i++) {
		text[i] = label[i] == '-' ? *other : label[i];
		count += label[i] == '-';
	}
	code = convert(text, ascii);
	if (code != IDN2_OK || put_hyphens_back(*ascii, *other, count))
		return code;
	idn2_free(*ascii);
	return IDN2_2HYPHEN;
}

/* Returns the length of the dot at text: UTS #46 knows four; 0: there is none. */
static size_t dot_at(const char *text)
{
	static const char *const wide[] = { "\u3002", "\uff0e", "\uff61" };

	for (size_t i = 0; i < 3; i++)
		if (!strncmp(text, wide[i], 3))
			return 3;
	return *text == '.';
}

/* Converts one label to out[capacity]. */
static int label_to_ascii(const char *text, size_t length, char *out, size_t capacity)
{
	char label[PRN_URL_HOST_NAME], *ascii = NULL;
	int code;

	if (length >= capacity || length >= sizeof label)
		return PRN_E_LIMIT;
	memcpy(label, text, length);
	label[length] = 0;
	if (is_ascii(label, length) && strncmp(label, "xn--", 4) != 0) {
		strcpy(out, label);
		return 0;
	}
	code = convert(label, &ascii);
	if (code == IDN2_2HYPHEN || code == IDN2_HYPHEN_STARTEND)
		code = convert_with_hyphens(label, &ascii);
	if (code != IDN2_OK)
		return code == IDN2_MALLOC ? PRN_E_MEMORY : PRN_E_INPUT;
	code = strlen(ascii) < capacity ? 0 : PRN_E_LIMIT;
	if (!code)
		strcpy(out, ascii);
	idn2_free(ascii);
	return code;
}

/*
 * Converts label by label, each as it needs: for names with hyphens as above, or with symbols in one label and
 * deviations in another.  Directions of writing are not compared across labels in this case.
 */
static int labels_to_ascii(const char *host, char *out, size_t capacity)
{
	char written[PRN_URL_HOST_NAME];
	size_t length = 0;
	int code;

	for (const char *at = host, *end;; at = end + dot_at(end)) {
		for (end = at; *end && !dot_at(end); end++)
			;
		code = label_to_ascii(at, (size_t)(end - at), written + length, sizeof written - length - 1);
		if (code)
			return code;
		length += strlen(written + length);
		if (!*end)
			break;
		written[length++] = '.';
		written[length] = 0;
	}
	if (length >= capacity)
		return PRN_E_LIMIT;
	strcpy(out, written);
	return 0;
}

/*
 * Lower-cases letters that are missing in Unicode tables older than the standard's: they would make another
 * name of a capital sharp s.  The Turkish dotted I, whose lower case has two characters, is known to them.
 */
static int to_lower(const char *host, char out[PRN_URL_HOST_NAME])
{
	size_t length = strlen(host), written = 0;

	for (size_t i = 0; i < length;) {
		ucs4_t letter;
		int bytes = u8_mbtoucr(&letter, (const uint8_t *)host + i, length - i);

		if (bytes < 0 || written > PRN_URL_HOST_NAME - 8)
			return PRN_E_INPUT;
		i += (size_t)bytes;
		written += (size_t)u8_uctomb((uint8_t *)out + written, letter == 0x130 ? letter : uc_tolower(letter), 6);
	}
	out[written] = 0;
	return 0;
}

/*
 * The standard allows longer names than DNS, which has 63 bytes a label and 253 in all: such names are refused,
 * because none can exist.
 */
static int to_ascii(char *host, size_t capacity)
{
	char lower[PRN_URL_HOST_NAME], *ascii = NULL;
	int code = to_lower(host, lower);

	if (code)
		return code;
	code = convert(lower, &ascii);
	if (code == IDN2_2HYPHEN || code == IDN2_HYPHEN_STARTEND || code == IDN2_DISALLOWED)
		return labels_to_ascii(lower, host, capacity);
	if (code != IDN2_OK)
		return code == IDN2_MALLOC ? PRN_E_MEMORY : PRN_E_INPUT;
	code = strlen(ascii) < capacity ? 0 : PRN_E_LIMIT;
	if (!code)
		strcpy(host, ascii);
	idn2_free(ascii);
	return code;
}

/* Decodes to lower case, without escapes; *other: it contains bytes that are not ASCII. */
static int decode(const char *text, size_t length, char *out, bool *other)
{
	*other = false;
	for (size_t i = 0; i < length; i++) {
		int byte = prn_url_unescape(text + i, length - i);

		if (byte >= 0)
			i += 2;
		else
			byte = (unsigned char)text[i];
		if (!byte)
			return PRN_E_INPUT;
		*other |= byte >= 128;
		*out++ = prn_ascii_lower((char)byte);
	}
	*out = 0;
	return 0;
}

int prn_url_host_read(const char *text, size_t length, char *out, size_t capacity)
{
	bool other;
	int code;

	if (length && text[0] == '[')
		return read_address(text, length, out, capacity);
	code = decode(text, length, out, &other);
	/* Since June 2026 the standard accepts all ASCII names as they are, even invalid punycode. */
	if (!code && other)
		code = to_ascii(out, capacity);
	if (code)
		return code;
	for (const char *at = out; *at; at++)
		if (prn_url_in(&forbidden, *at))
			return PRN_E_INPUT;
	if (!*out)
		return PRN_E_INPUT;
	return ends_in_number(out) ? write_ipv4(out, capacity) : 0;
}

const char *prn_url_host_name(const char *name, char out[PRN_URL_HOST_NAME])
{
	size_t length = strlen(name), ascii = 0;

	while (ascii < length && (unsigned char)name[ascii] < 128)
		ascii++;
	if (ascii == length || length >= PRN_URL_HOST_NAME || prn_url_host_read(name, length, out, PRN_URL_HOST_NAME))
		return name;
	return out;
}

/* Returns the path of a URL, from its first slash on; "" if it has none. */
static const char *path_of(const char *url)
{
	const char *host = strstr(url, "://");
	const char *path = host ? host + 3 + strcspn(host + 3, "/?#") : "";

	return *path == '/' ? path : "";
}

bool prn_url_is_under_folder(const char *normal_url, const char *of)
{
	const char *folder = path_of(of), *host, *own;
	size_t length = strcspn(folder, "?#"), host_length, own_length;

	if (strncmp(of, "http://", 7) && strncmp(of, "https://", 8))
		return false;
	host = prn_url_host(normal_url, &host_length);
	own = prn_url_host(of, &own_length);
	if (host_length != own_length || memcmp(host, own, host_length))
		return false;
	while (length && folder[length - 1] != '/')
		length--;
	return !strncmp(path_of(normal_url), folder, length);
}
