/*
 * Where an option such as --output has a file go: to a path, or, for "-", to standard output.  What goes there must be whole
 * first, and some of it is not written from front to end: it is made in a temporary folder.
 */
#ifndef TERM_DESTINATION_H
#define TERM_DESTINATION_H

#include "perennial/error.h"

/* Between _open and _close; all zero bytes is one that nothing was given for. */
struct term_destination {
	const char *path; /* to write to; NULL: nothing was given */
	char *folder;     /* temporary; NULL: path is the one that was given */
};

/*
 * given is borrowed until _close, and may be NULL.
 *
 * PRN_E_IO	$TMPDIR, or /tmp, takes no folder
 * PRN_E_MEMORY
 */
int term_destination_open(struct term_destination *destination, const char *given, struct prn_error *error);

/*
 * code is what the writer returned: unless it is negative, what is on its way to standard output goes there.  Removes what is
 * temporary.  Returns code, or, where that is not negative,
 *
 * PRN_E_IO	what was written cannot be read, or standard output takes it not
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
