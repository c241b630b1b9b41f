/*
 * What is known of a host, or of a group of hosts that are asked as one, and how that lies in PRN_SIDE_HOSTS.
 *
 * Big-endian: until and asked, 8 bytes each; leased and redirects, 4; turn and leased_until, 8; crawl_delay_s and
 * successes, 4; spent (IEEE 754), spent_at and refused, 8; fruitless, 4; the address; a checksum (base/checksum.h).  That there
 * is one two bits of until say, which no time has: not one, for one may be a flipped one.  Older records have none, or end with
 * leased, or with turn, and have in the place of asked when the host was free.
 */
#ifndef STORE_HOST_RECORD_H
#define STORE_HOST_RECORD_H

#include "perennial/source.h"
#include "store/turn.h"

/* Times that are not known are PRN_TIME_UNKNOWN. */
struct prn_host {
	int64_t until;        /* nothing before: Retry-After … */
	int64_t refused;      /* … of an answer fetched then */
	int64_t asked;        /* when a page of it was last handed out, or fetched */
	uint32_t leased;      /* pages on lease: at most as many as there are, fewer if some were given out without a
	                       * limit … */
	int64_t leased_until; /* … of which the last ends then: what is counted after that is no longer out */
	uint32_t redirects;   /* pages that were added because one of its pages sent its visitor there, ever */
	uint32_t fruitless;   /* of a site's name (as a host): pages that its own redirects added and that have no
	                       * content */
	int64_t turn;         /* when the pages that wait for it are looked at next, and where it stands in
	                       * PRN_SIDE_TURNS; unknown: none wait */
	uint32_t crawl_delay_s; /* what its robots.txt asks for, by the last report that told; 0: nothing */
	uint32_t successes;   /* pages that came since refused; counted as long as the host is remembered for it */
	double spent;         /* pages handed out, less what its share of the budget has covered since … */
	int64_t spent_at;     /* … at this time */
	char address[PRN_ADDRESS_TEXT]; /* from which its last page came, where hosts are grouped by it; "": unknown */
};

#define PRN_HOST_BYTES (76 + PRN_ADDRESS_TEXT + 4) /* at most */

/* A host that nothing is known of. */
void prn_host_init(struct prn_host *host);

/*
 * Returns how many bytes were written.  _decode: PRN_E_DAMAGED: not a record of one, or damaged, and *host is untouched.  A time
 * until that is beyond 2^56 or before 1970 is as good as the next one that is not.
 */
size_t prn_host_encode(const struct prn_host *host, unsigned char bytes[PRN_HOST_BYTES]);
int prn_host_decode(struct prn_host *host, const void *bytes, size_t count);

#endif
