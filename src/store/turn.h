/*
 * Hosts as the store knows them: a name, a number that stands for it in the queue of pages that wait, a turn, which is
 * when these pages are looked at next: a key of PRN_SIDE_TURNS, whose value is the name; and a record in PRN_SIDE_HOSTS,
 * by its name.
 */
#ifndef STORE_TURN_H
#define STORE_TURN_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/store.h"

/* A host's name, without a NUL: borrowed from the URL that it was found in. */
struct prn_host_name {
	const char *text;
	size_t length;
};

struct prn_host_name prn_host_name(const char *normal_url);

/* Not 0. */
uint64_t prn_host_number(struct prn_host_name name);

#define PRN_TURN_BYTES 16

/* In the order of turns.  _read: PRN_E_DAMAGED: not the length of one */
void prn_turn_key(int64_t turn, uint64_t number, unsigned char key[PRN_TURN_BYTES]);
int prn_turn_key_read(const void *key, size_t key_bytes, int64_t *turn, uint64_t *number);

struct prn_host {
	int64_t until;   /* nothing before: Retry-After; PRN_TIME_UNKNOWN: no such time */
	int64_t free_at; /* when the host delay after its last URL ends; PRN_TIME_UNKNOWN: none */
	uint32_t leased; /* URLs on lease: at most as many as there are, fewer if some were given out without a limit */
	uint32_t redirects; /* pages that were added because one of its pages sent its visitor there, ever */
	int64_t turn;    /* when the pages that wait for it are looked at next, and where it stands in PRN_SIDE_TURNS;
	                  * PRN_TIME_UNKNOWN: none wait */
};

#define PRN_HOST_BYTES 32

/* A host that nothing is known of. */
void prn_host_init(struct prn_host *host);

/* What is known of a host.  _decode: PRN_E_DAMAGED: not the length of one */
void prn_host_encode(const struct prn_host *host, unsigned char bytes[PRN_HOST_BYTES]);
int prn_host_decode(struct prn_host *host, const void *bytes, size_t count);

/* As prn_walk_side of PRN_SIDE_TURNS, from a time on. */
int prn_walk_turns(struct prn_walk **out, struct prn_view *view, int64_t from, struct prn_error *error);

#endif
