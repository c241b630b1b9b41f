/*
 * Where the file of an option such as --output goes: to a path, or for "-" to standard output.  What goes to standard output
 * must be complete first, and some files are not written from front to end: it is made in a temporary folder.
 */
#ifndef TERM_DESTINATION_H
#define TERM_DESTINATION_H

#include "perennial/error.h"

/* Used between _open and _close; all zero bytes are a destination that was not given. */
struct term_destination {
	const char *path; /* the path to write to; NULL: none was given */
	char *folder;     /* the temporary folder; NULL: path is the one that was given */
};

/*
 * Opens a destination.  given is borrowed until _close, and may be NULL.
 *
 * PRN_E_IO	no folder can be made in $TMPDIR, or in /tmp
 * PRN_E_MEMORY
 */
int term_destination_open(struct term_destination *destination, const char *given, struct prn_error *error);

/*
 * code is what the writer returned: unless it is negative, a file for standard output is copied there.  Removes what is
 * temporary.  Returns code, or, if that is not negative,
 *
 * PRN_E_IO	the file cannot be read, or standard output not be written
 */
int term_destination_close(struct term_destination *destination, int code, struct prn_error *error);

/*
 * Makes a new folder in $TMPDIR, or in /tmp.  *folder is its path; the caller removes it and frees the path.
 *
 * PRN_E_IO	none can be made there
 * PRN_E_MEMORY
 */
int term_temporary_folder(char **folder, struct prn_error *error);

#endif
