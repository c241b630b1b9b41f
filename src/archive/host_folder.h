/* Recognises folders whose names are host names, and lists the kinds of entries in a folder. */
#ifndef ARCHIVE_HOST_FOLDER_H
#define ARCHIVE_HOST_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Tells whether a name of a folder's entry is "." or "..". */
static inline bool prn_is_itself_or_above(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Tells whether it is a folder; a link to one is not, as it may lead in a circle. */
bool prn_is_folder(const char *path);

/* Tells whether what is at path, links followed, is outside a folder, whose path realpath(3) made.  What is not there is not. */
bool prn_leads_out(const char *folder, const char *path);

/* Tells whether the name is "http" or "https", folders that some mirrors have above their hosts. */
bool prn_is_scheme_folder(const char *name);

/*
 * Tells whether the name is a host name, with or without a port: "a.example", "localhost".  It has two labels
 * or more, the last of which consists of letters (or is xn--…).
 */
bool prn_is_host_folder(const char *name);

/* The kinds of entries in a folder; names that begin with "." are ignored. */
struct prn_below {
	size_t count;
	bool hosts;   /* folders with host names */
	bool schemes; /* folders named as schemes */
	bool index;   /* a file index.html */
};

/*
 * PRN_E_NOT_FOUND	not a folder, or not readable
 * PRN_E_MEMORY
 */
int prn_below_look(struct prn_below *below, const char *folder);

/*
 * Splits the path of a folder whose name is a host name: "sites/a.example/" is a.example in sites.  "." has the
 * name that the system reports.  Both results must be freed.
 *
 * PRN_E_NOT_FOUND	its name is not a host name
 * PRN_E_MEMORY
 */
int prn_host_folder_split(const char *folder, char **above, char **host);

#endif
