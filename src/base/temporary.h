/*
 * Temporary files that have no name: they are gone when closed, also after a crash.
 */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"

#define PRN_TEMPORARY_FOLDER "/tmp"

/*
 * Opens one for reading and writing in folder (NULL: PRN_TEMPORARY_FOLDER).
 *
 * PRN_E_IO	the folder takes no files; the text names it
 */
int prn_temporary_open(int *fd, const char *folder, struct prn_error *error);

/* All length bytes at offset, from any thread.  PRN_E_IO; the text says whether the disk is full. */
int prn_temporary_write(int fd, uint64_t offset, const void *bytes, size_t length, struct prn_error *error);
int prn_temporary_read(int fd, uint64_t offset, void *bytes, size_t length, struct prn_error *error);

#endif
