/*
 * A store that is spread over several: its shards, each a store of its own with the pages of some hosts.
 *
 * The store that a program opens, the root, has no pages: it has the settings, how many shards there are, and which of
 * them have been made, for a shard is made when the first of its pages comes.  A shard has its own pages, queues, hosts
 * and sources, and of settings only what it is a shard of.  It stands beside its root, at the root's address with a dot
 * and its number behind the place's name: "rados:POOL/NAME.17?conf=FILE".
 *
 * How many they are is a power of two, PRN_STORE_SHARDS at most.  Up to PRN_SHARDS_LISTED are listed by the root, whose list is
 * read whole.  Of more each PRN_SHARDS_A_LIST have a list, a store that has nothing else and stands beside the root too,
 * ".list-3" behind the place's name, and the root lists the lists.
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

#define PRN_STORE_SHARDS 1048576
#define PRN_SHARDS_LISTED 4096
#define PRN_SHARDS_A_LIST 1024

/* Settings, as text: of a root how many shards it has, and of a shard which it is. */
#define PRN_SHARDS_NAME "shards"
#define PRN_SHARD_NAME "shard"

/*
 * Of a root a number that no other has, and of its shards and lists that number and how many shards there are: what was swapped,
 * renamed, or left by another store is known.  Stores of older programs have none.
 */
#define PRN_SHARDS_ID "shards_id"
#define PRN_SHARD_OF "shard_of"
#define PRN_SHARDS_ID_TEXT 33

/* A new one, from what the system has of randomness.  PRN_E_IO: it gives none */
int prn_shards_make_id(char id[PRN_SHARDS_ID_TEXT], struct prn_error *error);

/*
 * Whether at a place without a store a copy was begun and not finished, or, of an engine that is at hand, shards or lists stand,
 * of the first PRN_SHARDS_LISTED, whose root is gone.  PRN_E_IO: so it is, and the text says which; PRN_E_MEMORY
 */
int prn_shards_check_place(const char *path, struct prn_error *error);

/*
 * Before a root of so many is made there: whether some shard or list of another store stands where its own would.  It looks at
 * the first few; who opens another later is told.  PRN_E_IO, PRN_E_MEMORY
 */
int prn_shards_check_free(const char *root, size_t count, struct prn_error *error);

/*
 * Before a store is made somewhere: whether a shard, a list or the mark of a store of several shards, or of a copy of one that was
 * begun, stands there by its name, or is to.  PRN_E_IO: so it is, and the text says of which; PRN_E_MEMORY, errors of opening
 */
int prn_shards_check_target(const char *path, struct prn_error *error);

/* How many lists there are of count shards, 1: the root's own; and how many shards each has. */
size_t prn_shards_lists(size_t count);
size_t prn_shards_list_size(size_t count);

/* In PRN_SIDE_META of a list, by place: that its shard was made, or of a root that list; the value is a decider's (decide/shard_index.h). */
#define PRN_SHARD_KEY "shard/%04zx"
#define PRN_SHARD_KEY_BYTES 10
void prn_shard_key(size_t place, char key[PRN_SHARD_KEY_BYTES + 1]);

/* Reads a key of PRN_SIDE_META; false: it is another. */
bool prn_shard_key_read(const void *name, size_t name_bytes, size_t *place);

/* The shard of a host among count of them. */
size_t prn_shard_of(struct prn_host_name host, size_t count);

/* How many shards a store has; 1: it is not spread.  Errors of views; PRN_E_DAMAGED: no number that there can be */
int prn_shards_count(struct prn_store *root, size_t *count, struct prn_error *error);

/* listed[count]: those places of a list that were made.  Errors of views */
int prn_shards_list(struct prn_store *list, bool *listed, size_t count, struct prn_error *error);

/* The caller frees it.  NULL without memory */
char *prn_shard_address(const char *root, size_t shard);
char *prn_shards_list_address(const char *root, size_t list);

/* Of what a copy is marked by while it is made: a store that has PRN_SHARD_NAME "backup", and of its root the two numbers. */
#define PRN_SHARDS_BACKUP "backup"
char *prn_shards_backup_address(const char *root);

/* And of which store it is a copy, by where that stood: prn_shards_real_address, to be freed; NULL: without memory, or it is not there. */
#define PRN_SHARDS_FROM "copied_from"
char *prn_shards_real_address(const char *address);

/* A mark has it, any text, where what is made is in another number of shards (perennial/reshard.h). */
#define PRN_SHARDS_RESHARD "reshard"

/*
 * Whether a shard, or list, of a root stands at an address, which need not be the root's own.  PRN_E_NOT_FOUND (and *error is
 * untouched): nothing is there; PRN_E_DAMAGED: something else.  Errors of opening
 */
int prn_shards_find(struct prn_store *root, const char *address, bool is_list, size_t number, struct prn_error *error);

/* What a root and its parts have in common, as its parts have it as PRN_SHARD_OF; valid as long as the root.  Errors of views */
int prn_shards_identity(struct prn_store *root, const char **identity, struct prn_error *error);

/* A setting as text, "" where there is none; cut off where it is longer.  Errors of views */
int prn_shards_read_text(struct prn_store *store, const char *name, char *text, size_t size, struct prn_error *error);

/*
 * Opens a shard, to be freed before its root; list is the store that lists it, the root or one of its lists.  make, for
 * writing: one that is not there is made, and put on the list.  May be called by several threads at a time, but of a root with make
 * by one.
 *
 * PRN_E_NOT_FOUND	(and *error is untouched) it was not made yet: it has no pages
 * PRN_E_DAMAGED	also where it was made and is not there, or what is there is no shard, another one, or of another store
 * Errors of prn_store_open, prn_store_create and commits
 */
int prn_shard_open(struct prn_store **out, struct prn_store *root, struct prn_store *list, size_t shard,
                   enum prn_store_mode mode, bool make, double lock_wait_s, struct prn_error *error);

/* The same of one of several lists. */
int prn_shards_list_open(struct prn_store **out, struct prn_store *root, size_t list, enum prn_store_mode mode, bool make,
                         double lock_wait_s, struct prn_error *error);

/*
 * Opens for writing a shard, or list, of a store that is being made at a path and has no root so far, but a mark, which is open and freed
 * after it; what is not there is made.  The one part of a store of a single shard is its store itself, number 0, at the place of that shard.
 *
 * PRN_E_DAMAGED	something else stands there
 * Errors of prn_store_open and prn_store_create
 */
int prn_shards_part_open(struct prn_store **out, struct prn_store *mark, const char *path, bool is_list, size_t number,
                         struct prn_error *error);

/* What prn_view_version says of a shard as it is now, which is not opened for it.  PRN_E_NOT_FOUND, errors of views */
int prn_shard_version(struct prn_store *root, size_t shard, uint64_t *version, struct prn_error *error);

/*
 * Makes one anew that is on its list and is gone.  PRN_E_DAMAGED: something stands there.  Errors of prn_store_create
 */
int prn_shard_remake(struct prn_store *root, size_t shard, struct prn_error *error);

/*
 * Before shards are brought back from a copy: whether it is one of this store, and of the settings that its pages follow now.
 *
 * PRN_E_ARGUMENT	it is this store itself
 * PRN_E_DAMAGED	it is another one, or a copy of another one
 * PRN_E_VERSION	the policy was changed since it was made
 * Errors of views
 */
int prn_shards_check_copy(struct prn_store *root, struct prn_store *copy, struct prn_error *error);

/* Whether nothing stands in the place of a shard, or list.  Errors of opening */
int prn_shards_is_gone(struct prn_store *root, bool is_list, size_t number, bool *gone, struct prn_error *error);

/*
 * Copies a shard that is gone from a copy of its store to its place, also from one engine to another, with *pages; list is what lists it
 * there, the copy itself or one of its lists.  PRN_E_NOT_FOUND (and *error is untouched): the copy has none; errors of prn_shard_open and
 * prn_store_backup
 */
int prn_shard_restore(struct prn_store *root, struct prn_store *copy, struct prn_store *list, size_t shard, uint64_t *pages,
                      struct prn_error *error);

/*
 * _remake of one of several lists, of a store of so many shards: of those of its shards that stand, *listed of them.  Errors likewise, and of opening
 * them
 */
int prn_shards_list_remake(struct prn_store *root, size_t list, size_t count, size_t *listed, struct prn_error *error);

#endif
