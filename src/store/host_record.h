/*
 * The record of a host, or of a group of hosts that are asked as one, and its form in PRN_SIDE_HOSTS.
 *
 * The form is big-endian: until and asked, 8 bytes each; leased and redirects, 4; turn and leased_until, 8; crawl_delay_s and
 * successes, 4; spent (IEEE 754), spent_at and refused, 8; fruitless, 4; the address; a checksum (base/checksum.h).  Two bits
 * of until, which no time has, say that there is a checksum; a single bit might be a flipped one.  Older records have no
 * checksum, or end with leased, or with turn, and have in the place of asked the time when the host was free.
 */
#ifndef STORE_HOST_RECORD_H
#define STORE_HOST_RECORD_H

#include "perennial/source.h"
#include "store/turn.h"

/* Times that are not known are PRN_TIME_UNKNOWN. */
struct prn_host {
	int64_t until;        /* the host is not asked before this time (Retry-After) … */
	int64_t refused;      /* … because of an answer fetched at this time */
	int64_t asked;        /* when a page of it was last handed out, or fetched */
	uint32_t leased;      /* the number of pages on lease, or fewer if some were handed out without a
	                       * limit … */
	int64_t leased_until; /* … the end of the last lease: after it, none of those counted is out */
	uint32_t redirects;   /* pages that were ever added because one of its pages redirected to them */
	uint32_t fruitless;   /* in the record of a site's name (as a host): pages that its own redirects added and that
	                       * have no content */
	int64_t turn;         /* when the pages that wait for it are looked at next, and where it stands in
	                       * PRN_SIDE_TURNS; unknown: none wait */
	uint32_t crawl_delay_s; /* the delay that its robots.txt asks for, by the last report that gave it; 0: none */
	uint32_t successes;   /* pages that came since refused, counted as long as that refusal is remembered */
	double spent;         /* pages handed out, less what its share of the budget has covered since … */
	int64_t spent_at;     /* … at this time */
	char address[PRN_ADDRESS_TEXT]; /* the address of its last page, if hosts are grouped by address; "": unknown */
};

#define PRN_HOST_BYTES (76 + PRN_ADDRESS_TEXT + 4) /* at most */

/* Fills in a host of which nothing is known. */
void prn_host_init(struct prn_host *host);

/*
 * _encode returns the number of bytes written.  _decode returns PRN_E_DAMAGED, with *host untouched, if the bytes are not a host's
 * record or are damaged.  An until before 1970 is stored as unknown, and one of 2^56 or more as 2^56 - 1.
 */
size_t prn_host_encode(const struct prn_host *host, unsigned char bytes[PRN_HOST_BYTES]);
int prn_host_decode(struct prn_host *host, const void *bytes, size_t count);

#endif
