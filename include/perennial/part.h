/*
 * One part of n of all pages, by their hosts: what one of many machines works on.
 *
 * Hosts fall into PRN_SLOTS slots, by the first 12 bits of the XXH3-128 of their names; part i of n has the slots s of which
 * s mod n = i - 1.  So every page is in one part, and the pages of a host are in the same one, whatever other hosts there are.
 */
#ifndef PERENNIAL_PART_H
#define PERENNIAL_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "perennial/digest.h"
#include "perennial/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_SLOTS 4096

/* 1 <= number <= of <= PRN_SLOTS; all zero bytes is everything, as 1 of 1 is. */
struct prn_part {
	uint32_t number, of;
};

/* Reads "2/3".  PRN_E_INPUT: it is not two such numbers. */
int prn_part_parse(const char *text, struct prn_part *part);

/* The digest of the host of a normal form (url.h), and its slot, below PRN_SLOTS. */
struct prn_digest prn_host_digest(const char *normal_url);
uint32_t prn_host_slot(const struct prn_digest *host);

bool prn_part_has_slot(const struct prn_part *part, uint32_t slot);

/* Whether the page of this normal form is in the part. */
bool prn_part_has(const struct prn_part *part, const char *normal_url);

#ifdef __cplusplus
}
#endif

#endif
