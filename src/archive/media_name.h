/*
 * Media types by the endings of files' names.
 */
#ifndef ARCHIVE_MEDIA_NAME_H
#define ARCHIVE_MEDIA_NAME_H

/* Static; NULL where the name does not show the type: then the bytes decide. */
const char *prn_media_of_name(const char *path);

#endif
