#include "perennial/part.h"

#include "perennial/url.h"

#include <stdlib.h>

#define SLOT_BITS 12
_Static_assert(1 << SLOT_BITS == PRN_SLOTS, "a slot is so many bits of a digest");

/* Reads a number from 1 to PRN_SLOTS without a sign, and what follows it; 0: there is none. */
static uint32_t read_number(const char *text, char **end)
{
	unsigned long number = *text >= '0' && *text <= '9' ? strtoul(text, end, 10) : 0;

	return number <= PRN_SLOTS ? (uint32_t)number : 0;
}

int prn_part_parse(const char *text, struct prn_part *part)
{
	char *end = NULL;
	struct prn_part read = { .number = read_number(text, &end) };

	if (!read.number || *end != '/')
		return PRN_E_INPUT;
	read.of = read_number(end + 1, &end);
	if (*end || read.number > read.of)
		return PRN_E_INPUT;
	*part = read;
	return 0;
}

struct prn_digest prn_host_digest(const char *normal_url)
{
	size_t length;
	const char *host = prn_url_host(normal_url, &length);

	return prn_digest_bytes(host, length);
}

uint32_t prn_host_slot(const struct prn_digest *host)
{
	return (uint32_t)(host->high >> (64 - SLOT_BITS));
}

bool prn_part_has_slot(const struct prn_part *part, uint32_t slot)
{
	return part->of < 2 || slot % part->of == part->number - 1;
}

bool prn_part_has(const struct prn_part *part, const char *normal_url)
{
	struct prn_digest host;

	if (part->of < 2)
		return true;
	host = prn_host_digest(normal_url);
	return prn_part_has_slot(part, prn_host_slot(&host));
}
