/*
 * Giants: hosts whose pages are spread over several shards (store/shards.h) by their paths.  All pages of any other host are
 * in one shard.
 *
 * The list of giants is given when the store is made, and does not change.  The parts of a giant are a power of two shards
 * apart, and the first is in the shard that the host's name selects.  A page's path selects its part; a slash at its end is
 * ignored, so that a page that only moves between http and https stays in its shard.
 *
 * A giant is one host to whoever fetches it, so its gate is one entry of the root.  The gate holds until when the host wants
 * to be left alone, when it was asked last, how much of the budget it had, and a permit for each of its pages that is out, by the
 * end of its lease.  A shard keeps only its own part of the host: the turn of the pages that wait there, and how many pages
 * redirects have added.
 *
 * A page is handed out in two commits.  The first takes a permit, or a lot of them, at the gate and counts the host as asked.
 * The second leases the page in its shard until the permit's end.  A process that dies in between leaves a permit without a
 * page: the permit counts until its end, and the host's delay counts from there.
 * A report takes two commits in the other order: first the page's, then one in which a message tells the gate that the permit is
 * over and what the host said.  A process that dies in between leaves a permit for a page that is back, which also counts until
 * its end.
 * So there are always at least as many permits as pages on lease, and never more permits than the host may have pages out.
 *
 * Unused permits of a lot are given back when the shard's part of the call is durable.  If it is not known to be durable, they
 * count until their end.
 */
#ifndef DECIDE_GIANTS_H
#define DECIDE_GIANTS_H

#include "decide/giant_gate.h"

#define PRN_GIANTS_NAME "giants" /* a root's setting: text, "HOST/PARTS" separated by spaces */
#define PRN_GIANTS_PARTS 64      /* the most parts where their number is not given */

struct prn_decider;
struct prn_shards;

struct prn_giant {
	char *name; /* of the host, as it stands in normal URLs */
	size_t parts, home;
	uint64_t number;
	struct prn_giant_gate gate; /* as this process last read or wrote it; under the lock of gates */
};

/* The gate of a giant as it would be if the pages that a look in all shards has listed had been handed out. */
struct prn_giant_look {
	bool is_read;
	struct prn_giant_gate gate;
};

/*
 * Checks whether hosts can be split over shards as asked, each "HOST/PARTS" or "HOST", and writes the root's setting to *text,
 * which the caller frees.  PRN_E_ARGUMENT, PRN_E_MEMORY
 */
int prn_giants_write(const char *const *hosts, size_t host_count, size_t shards, char **text, struct prn_error *error);

/* Reads a root's giants, in the order of their numbers.  PRN_E_DAMAGED, PRN_E_MEMORY, errors of views */
int prn_giants_open(struct prn_decider *root, struct prn_error *error);

/*
 * Reads giants from the text alone: shards must have the number of shards, and gets giants.  PRN_E_DAMAGED; PRN_E_MEMORY, and
 * then shards has some of them
 */
int prn_giants_read(struct prn_shards *shards, const char *text, size_t length);
void prn_giants_free(struct prn_giant *giants, size_t count);

/* The place of a giant among its root's giants; decider is a root or a shard.  SIZE_MAX: the host is not a giant. */
size_t prn_giant_find(const struct prn_decider *decider, struct prn_host_name host);

/* The part of its host that a page is in, and the shard of a part. */
size_t prn_giant_part(const struct prn_giant *giant, const char *normal_url);
size_t prn_giant_shard(const struct prn_giant *giant, size_t part, size_t shards);

/* Whether the shard has a part of the giant, and which one: *part. */
bool prn_giant_has(const struct prn_giant *giant, size_t shard, size_t shards, size_t *part);

/*
 * A shard's share of a number that is set for a host, which may be a giant.  The shares of all its parts add up to that
 * number.
 */
unsigned prn_giant_share_of(const struct prn_decider *shard, struct prn_host_name host, unsigned most);

#endif
