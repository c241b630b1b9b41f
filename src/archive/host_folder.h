/*
 * Folders by their names: which are named as hosts are, and what lies in one.
 */
#ifndef ARCHIVE_HOST_FOLDER_H
#define ARCHIVE_HOST_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* A folder, and no link to one, which may lead in a circle. */
bool prn_is_folder(const char *path);

/* "http" or "https", which some mirrors have above their hosts. */
bool prn_is_scheme_folder(const char *name);

/* "a.example", "localhost", also with a port: two labels or more, the last of which has letters alone (or is xn--…). */
bool prn_is_host_folder(const char *name);

/* What lies in a folder, whatever begins with "." apart. */
struct prn_below {
	size_t count;
	bool hosts;   /* folders that are named as hosts are */
	bool schemes; /* folders that are named as schemes are */
	bool index;   /* a file index.html */
};

/*
 * PRN_E_NOT_FOUND	it is no folder, or cannot be read
 * PRN_E_MEMORY
 */
int prn_below_look(struct prn_below *below, const char *folder);

/*
 * Splits the path of a folder that is named as hosts are: "sites/a.example/" is a.example in sites.  "." has the name that
 * the system knows.  Both are to be freed.
 *
 * PRN_E_NOT_FOUND	it is not named so
 * PRN_E_MEMORY
 */
int prn_host_folder_split(const char *folder, char **above, char **host);

#endif
