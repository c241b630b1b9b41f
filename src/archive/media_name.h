/* Finds media types by file extensions. */
#ifndef ARCHIVE_MEDIA_NAME_H
#define ARCHIVE_MEDIA_NAME_H

#include "archive/file_url.h"

/*
 * Returns a static string; NULL if the extension does not show the type: then the content decides.  Of names of URLs the extension is that of
 * the path, before the query.
 */
const char *prn_media_of_name(const char *path, enum prn_file_names names);

#endif
