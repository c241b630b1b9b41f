/* Lists the files that a source will be read from, before it is read: output must not replace any of them. */
#ifndef ARCHIVE_SOURCE_FILES_H
#define ARCHIVE_SOURCE_FILES_H

#include <stdbool.h>

/* Receives each of these files by a path; for a folder, everything in it is read.  Returns true to end the list. */
typedef bool prn_source_file_fn(void *context, const char *path);

/*
 * Returns whether take returned true for one of the files that a source at path (source.h) would be read from.
 * For a folder these are its archives, or its pages at all dates, or its manifest and the files that it names;
 * for a repository its folder ".git", or itself if it is bare.  Standard input, files that cannot be opened,
 * and files that JSON lines name are not listed.
 */
bool prn_source_files(const char *path, prn_source_file_fn *take, void *context);

#endif
