/*
 * A file that stands at its path only when it is whole: it is written beside it, made durable, and renamed.
 */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"

/* Between _open and _commit or _abandon; all zero bytes is a closed one. */
struct prn_output {
	char *path, *part;
	int fd;
	uint64_t length; /* bytes written */
};

/*
 * PRN_E_IO	path is there and no regular file (a rename would put a file in the place of a device), or the
 *		folder takes no files
 * PRN_E_MEMORY
 */
int prn_output_open(struct prn_output *output, const char *path, struct prn_error *error);

/* PRN_E_IO; the text says whether the disk is full. */
int prn_output_write(struct prn_output *output, const void *bytes, size_t length, struct prn_error *error);

/* Puts the file in its place; closes and frees whether it succeeds or not.  PRN_E_IO */
int prn_output_commit(struct prn_output *output, struct prn_error *error);

/* Gives up: removes what was written and frees.  Does nothing to a closed one. */
void prn_output_abandon(struct prn_output *output);

#endif
