/*
 * A store that is spread over several: its shards, each a store of its own with the pages of some hosts.
 *
 * The store that a program opens, the root, has no pages: it has the settings, how many shards there are, and which of
 * them have been made, for a shard is made when the first of its pages comes.  A shard has its own pages, queues, hosts
 * and sources, and of settings only what it is a shard of.  It stands beside its root, at the root's address with a dot
 * and its number behind the place's name: "rados:POOL/NAME.17?conf=FILE".
 *
 * How many they are is a power of two, PRN_STORE_SHARDS at most: the root's list of them is read whole.
 *
 * A host's pages are in one shard, which its name tells.  Nothing is written to two stores at once: what is one change
 * is a change of one of them.
 */
#ifndef STORE_SHARDS_H
#define STORE_SHARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/store.h"
#include "store/turn.h"

#define PRN_STORE_SHARDS 4096

/* Settings, as text: of a root how many shards it has, and of a shard which it is. */
#define PRN_SHARDS_NAME "shards"
#define PRN_SHARD_NAME "shard"

/* In PRN_SIDE_META of a root, by shard: that it was made; the value is a decider's (decide/shard_index.h). */
#define PRN_SHARD_KEY "shard/%04zx"
#define PRN_SHARD_KEY_BYTES 10
void prn_shard_key(size_t shard, char key[PRN_SHARD_KEY_BYTES + 1]);

/* Reads a key of PRN_SIDE_META; false: it is another. */
bool prn_shard_key_read(const void *name, size_t name_bytes, size_t *shard);

/* The shard of a host among count of them. */
size_t prn_shard_of(struct prn_host_name host, size_t count);

/* How many shards a store has; 1: it is not spread.  Errors of views; PRN_E_DAMAGED: no number that there can be */
int prn_shards_count(struct prn_store *root, size_t *count, struct prn_error *error);

/* listed[count]: those that were made.  Errors of views */
int prn_shards_list(struct prn_store *root, bool *listed, size_t count, struct prn_error *error);

/* The caller frees it.  NULL without memory */
char *prn_shard_address(const char *root, size_t shard);

/*
 * Opens a shard, to be freed before its root.  make, for writing: one that is not there is made, and put on the root's
 * list. May be called by several threads at a time, but of a root with make by one.
 *
 * PRN_E_NOT_FOUND	(and *error is untouched) it was not made yet: it has no pages
 * PRN_E_DAMAGED	also where it was made and is not there
 * Errors of prn_store_open, prn_store_create and commits
 */
int prn_shard_open(struct prn_store **out, struct prn_store *root, size_t shard, enum prn_store_mode mode, bool make,
                   double lock_wait_s, struct prn_error *error);

#endif
