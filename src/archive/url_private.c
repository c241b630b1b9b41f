#include "archive/url_private.h"

#include "base/ascii.h"

#include "perennial/url.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The first bits of an address, of 4 bytes or of 16. */
struct block {
	unsigned char bytes[16];
	unsigned bits;
};

static const struct block blocks4[] = {
	{ { 0 }, 8 },         { { 10 }, 8 },          { { 100, 64 }, 10 }, { { 127 }, 8 },         { { 169, 254 }, 16 },
	{ { 172, 16 }, 12 },  { { 192, 0, 0 }, 24 },  { { 192, 0, 2 }, 24 }, { { 192, 168 }, 16 }, { { 198, 18 }, 15 },
	{ { 198, 51, 100 }, 24 }, { { 203, 0, 113 }, 24 }, { { 224 }, 3 },
};

/*
 * Unspecified, loopback, local translation, discard, protocols (Teredo among them), documentation, 6to4, unique local,
 * link-local and site-local, multicast.
 */
static const struct block blocks6[] = {
	{ { 0 }, 128 },
	{ { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 }, 128 },
	{ { 0, 0x64, 0xff, 0x9b, 0, 1 }, 48 },
	{ { 1 }, 64 },
	{ { 0x20, 1 }, 23 },
	{ { 0x20, 1, 0x0d, 0xb8 }, 32 },
	{ { 0x20, 2 }, 16 },
	{ { 0xfc }, 7 },
	{ { 0xfe, 0x80 }, 9 },
	{ { 0xff }, 8 },
};

/*
 * Prefixes that the four bytes of an IPv4 address follow: mapped, translated (RFC 2765), compatible, translated
 * (64:ff9b::/96).
 */
static const struct block carriers[] = {
	{ { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff }, 96 },
	{ { 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff }, 96 },
	{ { 0 }, 96 },
	{ { 0, 0x64, 0xff, 0x9b }, 96 },
};

static bool begins(const unsigned char *address, const struct block *block)
{
	unsigned whole = block->bits / 8, rest = block->bits % 8, mask = rest ? 0xffu << (8 - rest) & 0xff : 0;

	return !memcmp(address, block->bytes, whole) && (!rest || (address[whole] & mask) == (block->bytes[whole] & mask));
}

static bool is_any(const unsigned char *address, const struct block *blocks, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (begins(address, &blocks[i]))
			return true;
	return false;
}

static bool is_private4(const unsigned char address[4])
{
	return is_any(address, blocks4, sizeof blocks4 / sizeof *blocks4);
}

/* Tells whether the name is the zone, or ends in a dot and the zone. */
static bool is_under(const char *name, const char *zone)
{
	size_t length = strlen(name), tail = strlen(zone);

	if (length < tail || prn_ascii_compare(name + length - tail, zone) != 0)
		return false;
	return length == tail || name[length - tail - 1] == '.';
}

/*
 * Zones that do not exist in the public DNS, but may in a private network: RFC 6761 (without example, which is
 * for documents and tests), RFC 6762 and its appendix G, RFC 7686, RFC 8375, RFC 9476, and those that ICANN has
 * reserved.
 */
static bool is_private_name(const char *name)
{
	static const char *const zones[] = { "localhost", "localdomain", "test", "invalid", "local", "lan", "home", "corp", "intranet", "private",
		                             "internal", "onion", "home.arpa", "alt" };

	for (size_t i = 0; i < sizeof zones / sizeof *zones; i++)
		if (is_under(name, zones[i]))
			return true;
	return !strchr(name, '.');
}

bool prn_url_is_private(const char *normal)
{
	char name[256];
	unsigned char address[16];
	size_t length;
	const char *host = prn_url_host(normal, &length);

	if (!length || length >= sizeof name)
		return false;
	if (*host == '[') {
		snprintf(name, sizeof name, "%.*s", (int)length - 2, host + 1);
		if (inet_pton(AF_INET6, name, address) != 1)
			return false;
		return is_any(address, blocks6, sizeof blocks6 / sizeof *blocks6) ||
		       (is_any(address, carriers, sizeof carriers / sizeof *carriers) && is_private4(address + 12));
	}
	snprintf(name, sizeof name, "%.*s", (int)length, host);
	return inet_pton(AF_INET, name, address) == 1 ? is_private4(address) : is_private_name(name);
}

bool prn_url_has_user(const char *normal)
{
	const char *authority = strstr(normal, "://");

	return authority && memchr(authority + 3, '@', strcspn(authority + 3, "/?#"));
}
