/*
 * Reads WACZ (Web Archive Collection Zipped 1.1.1): the archives in a zip file, one after another.  Its other
 * files, indexes and lists of pages, are skipped.
 */
#ifndef ARCHIVE_WACZ_H
#define ARCHIVE_WACZ_H

#include "perennial/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRN_WACZ_DIRECTORY_BYTES ((uint64_t)64 << 20) /* bytes of the largest list of files that is read */
#define PRN_WACZ_FILES ((uint64_t)1 << 19)            /* files in it, at most */

#define PRN_WACZ_NAMELESS "file whose name cannot be read.warc" /* the name of a file without one; it may be an archive, which its first bytes show */

struct prn_wacz;

/* Tells whether a regular file, read from its start, is a zip file. */
bool prn_wacz_is(int fd);

/*
 * fd is a regular file.  It is borrowed, and its position is not moved; if owned it is closed at the end, also
 * after a failure.
 *
 * PRN_E_INPUT	not a zip file, or its list of files is damaged, not as long as it says, or beyond
 * PRN_WACZ_DIRECTORY_BYTES or _FILES
 * PRN_E_UNSUPPORTED	the program was built without libarchive
 * PRN_E_IO, PRN_E_MEMORY
 */
int prn_wacz_open(struct prn_wacz **out, int fd, bool owned, struct prn_error *error);
void prn_wacz_free(struct prn_wacz *wacz);

/*
 * Moves to the next file that is in the folder "archive", or whose name is that of an archive
 * (prn_is_archive_name) or cannot be read: 1 with *name, in UTF-8 or as stored, valid until the next call; 0 at
 * the end.  Errors as of _open.
 */
int prn_wacz_next(struct prn_wacz *wacz, const char **name, struct prn_error *error);

/* A prn_input_read_fn: decoded bytes of that file, all of them also where they have not its checksum.  PRN_E_INPUT: damaged, encrypted, or compressed by an unknown method. */
int prn_wacz_read(void *wacz, void *to, size_t room, size_t *got, struct prn_error *error);

#endif
