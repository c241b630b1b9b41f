/* Finds media types by file extensions. */
#ifndef ARCHIVE_MEDIA_NAME_H
#define ARCHIVE_MEDIA_NAME_H

/* Returns a static string; NULL if the extension does not show the type: then the content decides. */
const char *prn_media_of_name(const char *path);

#endif
