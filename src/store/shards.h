/*
 * A store that is spread over several stores, its shards.  Each shard is a store of its own and has the pages of some hosts.
 *
 * The store that a program opens is the root.  It has no pages: it has the settings, the number of shards, and a list of the
 * shards that have been made, for a shard is made when the first of its pages comes.  A shard has its own pages, queues,
 * hosts and sources; its only settings say which shard of which store it is.  It stands beside its root: its address is the
 * root's with a dot and its number added to the place's name, as in "rados:POOL/NAME.17?conf=FILE".
 *
 * The number of shards is a power of two, at most PRN_STORE_SHARDS.  The root itself lists up to PRN_SHARDS_LISTED shards, and
 * its list is read whole.  If there are more, every PRN_SHARDS_A_LIST of them share a list, and the root lists the lists.  Such
 * a list is a store that has nothing else; it stands beside the root too, with ".list-3" added to the place's name.
 *
 * All pages of a host are in one shard, which follows from the host's name.  Nothing is written to two stores at once: each
 * change is a change of one of them.
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

/* Settings, as text: a root has the number of its shards, and a shard has its own number. */
#define PRN_SHARDS_NAME "shards"
#define PRN_SHARD_NAME "shard"

/*
 * A root has an identity, a number that no other root has.  Its shards and lists have that number and the number of shards, so
 * that one which was swapped, renamed, or left by another store is recognized.  Stores of older programs have neither.
 */
#define PRN_SHARDS_ID "shards_id"
#define PRN_SHARD_OF "shard_of"
#define PRN_SHARDS_ID_TEXT 33

/* Makes a new identity from the system's random numbers.  PRN_E_IO: the system gives none */
int prn_shards_make_id(char id[PRN_SHARDS_ID_TEXT], struct prn_error *error);

/*
 * Checks a place that has no store for a copy that was begun and not finished and, if the engine is at hand, for shards or lists
 * whose root is gone, among the first PRN_SHARDS_LISTED.  PRN_E_IO: it found one, and the text says which; PRN_E_MEMORY
 */
int prn_shards_check_place(const char *path, struct prn_error *error);

/*
 * Checks, before a root of count shards is made, whether a shard or list of another store stands where one of its own would.  It
 * looks only at the first few; for the others, the error comes when they are opened.  PRN_E_IO, PRN_E_MEMORY
 */
int prn_shards_check_free(const char *root, size_t count, struct prn_error *error);

/*
 * Checks, before a store is made at a path, whether its name is that of a shard, a list or the mark of a store of several shards
 * (or of a copy of one that was begun), which stands there or is to stand there.  PRN_E_IO: it is, and the text names that
 * store; PRN_E_MEMORY, errors of opening
 */
int prn_shards_check_target(const char *path, struct prn_error *error);

/* The number of lists for count shards (1: only the root's own), and the number of shards on each. */
size_t prn_shards_lists(size_t count);
size_t prn_shards_list_size(size_t count);

/*
 * A key of PRN_SIDE_META which says that the shard at that place of a list (or, in a root, that list) was made; the value is a
 * decider's (decide/shard_index.h).
 */
#define PRN_SHARD_KEY "shard/%04zx"
#define PRN_SHARD_KEY_BYTES 10
void prn_shard_key(size_t place, char key[PRN_SHARD_KEY_BYTES + 1]);

/* Reads such a key of PRN_SIDE_META; false: it is a key of another kind. */
bool prn_shard_key_read(const void *name, size_t name_bytes, size_t *place);

/* The shard of a host among count of them. */
size_t prn_shard_of(struct prn_host_name host, size_t count);

/* The number of shards of a store; 1: it is not spread.  PRN_E_DAMAGED: the number is impossible; errors of views */
int prn_shards_count(struct prn_store *root, size_t *count, struct prn_error *error);

/* Writes listed[count]: whether what has that place on the list was made.  Errors of views */
int prn_shards_list(struct prn_store *list, bool *listed, size_t count, struct prn_error *error);

/* The caller frees the address.  NULL: no memory */
char *prn_shard_address(const char *root, size_t shard);
char *prn_shards_list_address(const char *root, size_t list);

/*
 * A copy is marked while it is made.  The mark is a store whose PRN_SHARD_NAME is "backup" and which has the two numbers of the
 * root that is to be.
 */
#define PRN_SHARDS_BACKUP "backup"
char *prn_shards_backup_address(const char *root);

/*
 * The mark also says which store is copied, by its address then: prn_shards_real_address, which the caller frees.  NULL: no
 * memory, or no store is there.
 */
#define PRN_SHARDS_FROM "copied_from"
char *prn_shards_real_address(const char *address);

/* A mark has this setting, with any text, if the copy will have another number of shards (perennial/reshard.h). */
#define PRN_SHARDS_RESHARD "reshard"

/*
 * Checks whether a shard, or list, of a root stands at an address, which need not lie beside that root.  PRN_E_NOT_FOUND (and
 * *error is untouched): nothing is there; PRN_E_DAMAGED: something else is there; errors of opening
 */
int prn_shards_find(struct prn_store *root, const char *address, bool is_list, size_t number, struct prn_error *error);

/* Checks whether a store that is open, and is to stand at an address, is that shard, or list, of a root.  PRN_E_DAMAGED; errors of views */
int prn_shards_verify(struct prn_store *root, const char *address, bool is_list, size_t number, struct prn_store *store, struct prn_error *error);

/* The identity that a root and its parts share, as the parts have it in PRN_SHARD_OF; valid as long as the root.  Errors of views */
int prn_shards_identity(struct prn_store *root, const char **identity, struct prn_error *error);

/* Reads a setting as text; "" if there is none.  A text that is longer than size is cut off.  Errors of views */
int prn_shards_read_text(struct prn_store *store, const char *name, char *text, size_t size, struct prn_error *error);

/*
 * Opens a shard, which must be freed before its root.  list is the store that lists the shard: the root or one of its lists.
 * make, only for writing: a shard that was not made yet is made and put on the list.  Several threads may call this at a time;
 * for one root, only one of them with make.
 *
 * PRN_E_NOT_FOUND	(and *error is untouched) it was not made yet: it has no pages
 * PRN_E_DAMAGED	also if it was made and is gone, or if no shard, another shard, or another store's shard is there
 * Errors of prn_store_open, prn_store_create and commits
 */
int prn_shard_open(struct prn_store **out, struct prn_store *root, struct prn_store *list, size_t shard,
                   enum prn_store_mode mode, bool make, double lock_wait_s, struct prn_error *error);

/* The same for a list, in a store that has several. */
int prn_shards_list_open(struct prn_store **out, struct prn_store *root, size_t list, enum prn_store_mode mode, bool make,
                         double lock_wait_s, struct prn_error *error);

/*
 * Opens for writing a shard, or list, of a store that is being made at a path and has a mark instead of a root so far.  The mark is
 * open and is freed after the part.  A part that is not there is made.  A store of a single shard has one part, number 0: the store
 * itself, which is made at the place of that shard.
 *
 * PRN_E_DAMAGED	something else stands there
 * Errors of prn_store_open and prn_store_create
 */
int prn_shards_part_open(struct prn_store **out, struct prn_store *mark, const char *path, bool is_list, size_t number,
                         struct prn_error *error);

/* The version (prn_view_version) of a shard as it is now, without opening it.  PRN_E_NOT_FOUND, errors of views */
int prn_shard_version(struct prn_store *root, size_t shard, uint64_t *version, struct prn_error *error);

/*
 * Makes a shard anew that is listed and is gone.  PRN_E_DAMAGED: something is there; errors of prn_store_create
 */
int prn_shard_remake(struct prn_store *root, size_t shard, struct prn_error *error);

/*
 * Checks, before shards are brought back from a copy, that it is a copy of this store, with the settings that its pages follow now.
 *
 * PRN_E_ARGUMENT	the copy is this store itself
 * PRN_E_DAMAGED	it is another store, or a copy of another one
 * PRN_E_VERSION	the policy was changed after the copy was made
 * Errors of views
 */
int prn_shards_check_copy(struct prn_store *root, struct prn_store *copy, struct prn_error *error);

/* Writes to *gone whether nothing stands in the place of a shard, or list.  Errors of opening */
int prn_shards_is_gone(struct prn_store *root, bool is_list, size_t number, bool *gone, struct prn_error *error);

/*
 * Copies a shard that is gone to its place from a copy of its store, which may be of another engine; *pages is the number of its
 * pages.  list lists the shard in the copy: the copy itself or one of its lists.  PRN_E_NOT_FOUND (and *error is untouched): the
 * copy does not have it; errors of prn_shard_open and prn_store_backup
 */
int prn_shard_restore(struct prn_store *root, struct prn_store *copy, struct prn_store *list, size_t shard, uint64_t *pages,
                      struct prn_error *error);

/*
 * Makes a list anew, as prn_shard_remake does a shard, for a store that has count shards and several lists.  The new list has those
 * of its shards that are there, *listed of them.  Errors of prn_shard_remake, and of opening the shards
 */
int prn_shards_list_remake(struct prn_store *root, size_t list, size_t count, size_t *listed, struct prn_error *error);

#endif
