/* The URL of a file that was stored by its path: below a host in a folder of snapshots, or in a repository. */
#ifndef ARCHIVE_FILE_URL_H
#define ARCHIVE_FILE_URL_H

#include "base/buffer.h"

/* What "?" and "%" are in the names of files. */
enum prn_file_names {
	PRN_NAMES_PLAIN,   /* themselves, as where somebody serves the files */
	PRN_NAMES_OF_URLS, /* what they are in a URL: mirrors name files by the URLs that they asked for, with the query */
};

/*
 * Appends the path as that of a URL.  "index.html" at its end, by itself or behind a slash, names its folder and is left out.  What a
 * URL's path cannot contain is percent-encoded: controls, blanks, "#", "\", and the bytes of what is not ASCII, be they UTF-8 or not.
 *
 * PRN_E_MEMORY
 */
int prn_file_url_append(struct prn_buffer *url, const char *path, enum prn_file_names names);

#endif
