/*
 * Reads archives one after another: the files of a folder whose names are those of archives, in the order of
 * their names, or the archives in a WACZ file.
 */
#ifndef ARCHIVE_COLLECTION_H
#define ARCHIVE_COLLECTION_H

#include "archive/source_files.h"
#include "archive/stream.h"
#include "perennial/error.h"

#include <stdbool.h>

struct prn_collection;

#define PRN_OTHER_FILE_DEEP (-1)
#define PRN_OTHER_FILE_HIDDEN (-2)
#define PRN_OTHER_FILE_DATES (-3)
#define PRN_OTHER_FILE_GIT (-4)
#define PRN_OTHER_FILE_NONE (-5)

/*
 * Receives each file of a folder that is not an archive; with an errno each entry that cannot be examined, above all a subfolder; and,
 * with PRN_OTHER_FILE_…,
 *
 * NONE	each thing of an archive's name that is no file, nor a link to one
 * HIDDEN	each file that is hidden, but of hidden folders only the archives
 * DATES, GIT	after its files a folder without archives that seems to be one of dated snapshots, or a git repository
 * DEEP		a folder in more than 16 others
 */
typedef void prn_other_file_fn(void *context, const char *path, int fault);

/*
 * Opens the archives of a folder and of its subfolders.
 *
 * PRN_E_NOT_FOUND	there are none
 * PRN_E_MEMORY
 */
int prn_collection_open(struct prn_collection **out, const char *folder, prn_other_file_fn *receive, void *context,
                        struct prn_error *error);

/* Opens the archives of a WACZ file; fd, owned and errors as of prn_wacz_open (wacz.h). */
int prn_collection_open_wacz(struct prn_collection **out, int fd, bool owned, const char *name, struct prn_error *error);
void prn_collection_free(struct prn_collection *collection);

/* As prn_source_files, for a folder. */
bool prn_collection_files(const struct prn_collection *collection, prn_source_file_fn *take, void *context);

/*
 * Moves to the next archive: 1 with *from, whose input and name are set and valid until the next call; 0 at the
 * end.  A path is that of a file, which may itself be a WACZ file.
 *
 * PRN_E_INPUT, PRN_E_MEMORY: the end
 */
int prn_collection_next(struct prn_collection *collection, struct prn_stream_from *from, struct prn_error *error);

#endif
