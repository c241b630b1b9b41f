/*
 * Short files that a user names to a program, such as a configuration or a token.  They may be pipes.
 */
#ifndef BASE_GIVEN_FILE_H
#define BASE_GIVEN_FILE_H

#include <stdio.h>

#include "base/buffer.h"
#include "perennial/error.h"

#define PRN_GIVEN_FILE_BYTES ((size_t)16 << 20) /* the longest file that is read */
#define PRN_GIVEN_FILE_S 10                     /* how long a pipe may give nothing */

/*
 * Reads a whole file and opens what was read as a stream; bytes must stay as long as the stream is open.  A pipe that gives nothing
 * for so many seconds (PRN_GIVEN_FILE_S) is given up, so that it does not keep a program that has blocked signals from ending.
 * *error names the file.
 *
 * PRN_E_IO	it cannot be opened or read, or gives nothing
 * PRN_E_LIMIT	it is longer than PRN_GIVEN_FILE_BYTES
 * PRN_E_MEMORY
 */
int prn_given_file_open(FILE **out, struct prn_buffer *bytes, const char *path, unsigned seconds, struct prn_error *error);

#endif
