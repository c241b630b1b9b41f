/*
 * The files that a source is read from, told before it is read: what is written must take the place of none of them.
 */
#ifndef ARCHIVE_SOURCE_FILES_H
#define ARCHIVE_SOURCE_FILES_H

#include <stdbool.h>

/* Told of each of them, by a path that leads there; of a folder: whatever it has is read.  true: no more of them are wanted. */
typedef bool prn_source_file_fn(void *context, const char *path);

/*
 * Whether take said so of one that a source at path (source.h), such as a file, a folder or a repository, would be read from.  Of a
 * folder that is its archives, or its pages at all dates, or its manifest and the files that this names; of a repository its folder ".git",
 * or itself where it is bare.  Nothing is told of standard input, of what cannot be opened, and of the files that JSON lines name.
 */
bool prn_source_files(const char *path, prn_source_file_fn *take, void *context);

#endif
