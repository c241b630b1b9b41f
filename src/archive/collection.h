/*
 * Archives one after another: the files of a folder that are named as archives are, in the order of their names, or those in a
 * WACZ file.
 */
#ifndef ARCHIVE_COLLECTION_H
#define ARCHIVE_COLLECTION_H

#include "archive/source_files.h"
#include "archive/stream.h"
#include "perennial/error.h"

#include <stdbool.h>

struct prn_collection;

/* Told of each file of a folder that is none, and, with an errno, of what cannot be read to tell: a folder within it, above all. */
typedef void prn_beside_fn(void *context, const char *path, int fault);

/*
 * Those of a folder, and of folders within it.
 *
 * PRN_E_NOT_FOUND	it holds none
 * PRN_E_MEMORY
 */
int prn_collection_open(struct prn_collection **out, const char *folder, prn_beside_fn *beside, void *context,
                        struct prn_error *error);

/* Those of a WACZ file; fd, owned and errors as of prn_wacz_open (wacz.h). */
int prn_collection_open_wacz(struct prn_collection **out, int fd, bool owned, const char *name, struct prn_error *error);
void prn_collection_free(struct prn_collection *collection);

/* As prn_source_files, of a folder. */
bool prn_collection_files(const struct prn_collection *collection, prn_source_file_fn *take, void *context);

/*
 * Moves to the next archive: 1 with *from, of which input and name are set, valid until the next call; 0 at the end.  A path is that
 * of a file, which may be a WACZ file itself.
 *
 * PRN_E_INPUT, PRN_E_MEMORY: the end
 */
int prn_collection_next(struct prn_collection *collection, struct prn_stream_from *from, struct prn_error *error);

#endif
