/*
 * Temporary files that have no name: they are gone when closed, also after a crash.
 */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"

#define PRN_TEMPORARY_FOLDER "/tmp"

struct prn_temporary {
	int fd;
	const char *folder; /* borrowed */
};

/*
 * Opens one for reading and writing in folder (NULL: PRN_TEMPORARY_FOLDER), which must outlive it.
 *
 * PRN_E_IO	the folder takes no files; the text names it
 */
int prn_temporary_open(struct prn_temporary *file, const char *folder, struct prn_error *error);
void prn_temporary_close(struct prn_temporary *file);

/* All length bytes at offset, from any thread.  PRN_E_IO; the text says where, and whether the disk is full. */
int prn_temporary_write(const struct prn_temporary *file, uint64_t offset, const void *bytes, size_t length,
                        struct prn_error *error);
int prn_temporary_read(const struct prn_temporary *file, uint64_t offset, void *bytes, size_t length,
                       struct prn_error *error);

#endif
