/*
 * Files that somebody names to a program, such as a configuration or a token: a few lines, perhaps through a pipe.
 */
#ifndef BASE_GIVEN_FILE_H
#define BASE_GIVEN_FILE_H

#include <stdio.h>

#include "base/buffer.h"
#include "perennial/error.h"

#define PRN_GIVEN_FILE_BYTES ((size_t)16 << 20) /* of the longest that is read */
#define PRN_GIVEN_FILE_S 10                     /* that a pipe is waited for */

/*
 * Reads a file whole, and opens what was read, which stays in bytes as long as the file is open.  Who waits to be ended by a signal
 * that it has blocked is not kept waiting by a pipe: one that gives nothing for so many seconds, PRN_GIVEN_FILE_S of them, is given
 * up.  *error names the file.
 *
 * PRN_E_IO	it cannot be opened or read, or gives nothing
 * PRN_E_LIMIT	it is longer than PRN_GIVEN_FILE_BYTES
 * PRN_E_MEMORY
 */
int prn_given_file_open(FILE **out, struct prn_buffer *bytes, const char *path, unsigned seconds, struct prn_error *error);

#endif
