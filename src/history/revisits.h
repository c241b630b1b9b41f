/*
 * Finds the content that revisits repeat, by sort and merge: first by payload digest, then by the URL and time
 * that they refer to.
 */
#ifndef HISTORY_REVISITS_H
#define HISTORY_REVISITS_H

#include "base/sorter.h"
#include "history/import_internal.h"

/*
 * Adds the seekers of importer->payloads to importer->captures, or to *found (by page and time) if their
 * content could only be found when all others were in place.  Those not found become kind missing and are
 * counted; the first of them are reported. importer->payloads is freed; the caller frees *found, which may
 * become NULL.
 *
 * PRN_E_IO, PRN_E_MEMORY
 */
int prn_revisits_resolve(struct prn_importer *importer, struct prn_sorter **found, struct prn_error *error);

#endif
