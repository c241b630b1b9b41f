/*
 * Hosts as the store knows them: a name, a number that stands for it in the queue of pages that wait, and a turn,
 * which is when these pages are looked at next: a key of PRN_SIDE_TURNS, whose value is the name.
 */
#ifndef STORE_TURN_H
#define STORE_TURN_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/store.h"

#define PRN_HOST_NAME_BYTES 511 /* of a key of a table */

/* The first character of the name of a group of hosts; no host's name begins with it. */
#define PRN_HOST_GROUP '@'

/* A host's name, without a NUL, at most PRN_HOST_NAME_BYTES: borrowed from the URL that it was found in. */
struct prn_host_name {
	const char *text;
	size_t length;
};

struct prn_host_name prn_host_name(const char *normal_url);

/* Not 0. */
uint64_t prn_host_number(struct prn_host_name name);

#define PRN_TURN_BYTES 16

/* Writes the key of a turn; keys are in the order of turns. */
void prn_turn_key(int64_t turn, uint64_t number, unsigned char key[PRN_TURN_BYTES]);

/* Reads a turn from its key in PRN_SIDE_TURNS and the host's name, whose number must be the key's.  PRN_E_DAMAGED */
int prn_turn_read(const void *key, size_t key_bytes, struct prn_host_name name, int64_t *turn, uint64_t *number);

/* As prn_walk_side, from the first name at or after name[length] on. */
int prn_walk_side_from(struct prn_walk **out, struct prn_view *view, enum prn_side side, const void *name,
                       size_t length, struct prn_error *error);

/* As prn_walk_side of PRN_SIDE_TURNS, from a time on. */
int prn_walk_turns(struct prn_walk **out, struct prn_view *view, int64_t from, struct prn_error *error);

#endif
