/*
 * The importer as its two halves see it: import.c takes captures in, import_finish.c makes the trace of them.
 */
#ifndef HISTORY_IMPORT_INTERNAL_H
#define HISTORY_IMPORT_INTERNAL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/sorter.h"
#include "history/elsewhere.h"
#include "history/extraction.h"
#include "history/media_types.h"
#include "history/page_table.h"
#include "history/spool.h"
#include "perennial/import.h"

#define PRN_IMPORT_REPORTS 5 /* of each kind of thing that may be skipped by the million */

struct prn_importer {
	struct prn_import_options options; /* with the defaults filled in */
	struct prn_import_counts counts;
	struct prn_page_table pages;
	struct prn_media_types types;
	struct prn_spool *spool;
	struct prn_extraction *extraction;

	/* Reached by the extraction's threads: under the lock. */
	pthread_mutex_t lock;
	struct prn_sorter *captures; /* every capture but the seekers, by page and time */
	struct prn_sorter *payloads; /* content by payload digest, and the seekers */

	struct prn_elsewhere elsewhere; /* if a part is imported */

	uint32_t fragment_rule; /* of all sources; 0: of none so far */
	bool has_links;         /* they are asked for, or a trace among the sources has them */
	bool typeless;          /* a trace among the sources does not tell media types: no more does the one that is made */
	bool untold;            /* a trace among the sources has content of which no payload digest is known */
	uint64_t outside; /* captures read that lie before the time asked for */
	char **names;     /* base names of the sources */
	size_t name_count, name_capacity;
};

/* Tells the caller of something skipped, if the caller wants to know. */
static inline void prn_importer_skip(const struct prn_importer *importer, const struct prn_error *what)
{
	if (importer->options.skipped)
		importer->options.skipped(importer->options.skipped_context, what);
}

/* Whether a file is a trace, by its first bytes; what is no regular file is none, and is not read. */
bool prn_importer_is_trace(const char *path);

/* PRN_E_UNSUPPORTED: the fragments of sources before this one were made by another rule */
int prn_importer_take_rule(struct prn_importer *importer, const char *path, uint32_t rule, struct prn_error *error);

/* What could not be opened, under the code that who imports is promised: returns that, or PRN_E_MEMORY if it failed so. */
int prn_importer_refuse(int failed, int code, struct prn_error *error);

/*
 * Takes in what of a trace the filter wants.
 *
 * PRN_E_UNSUPPORTED	it cannot be opened, or its fragments have another number of words, or another rule: nothing was taken
 * PRN_E_INPUT		it is damaged; and the errors of prn_importer_add
 */
int prn_importer_add_trace(struct prn_importer *importer, const char *path, const struct prn_source_filter *filter,
                           struct prn_error *error);

/*
 * Reads the sources again for what revisits of the part repeat of pages of others.  PRN_E_IO: a source cannot be opened any
 * more; and the errors of prn_importer_add
 */
int prn_importer_read_elsewhere(struct prn_importer *importer, struct prn_error *error);

/* Adds a record for the trace, from any thread; seekers go where they find what they seek.  PRN_E_IO, PRN_E_MEMORY */
int prn_importer_keep(struct prn_importer *importer, const struct prn_capture_record *record, struct prn_error *error);

/* The parameters that shape the trace and the names of the sources, in one line.  PRN_E_MEMORY */
int prn_importer_provenance(const struct prn_importer *importer, struct prn_buffer *out);

/* Whether captures of all the media types that a filter names, and no others, were taken by the import that tells this provenance. */
int prn_provenance_has_media(const char *provenance, const struct prn_source_filter *filter, bool *has);

/* PRN_E_CANCELLED if the caller wants no more. */
int prn_importer_tell(const struct prn_importer *importer, struct prn_error *error);

#endif
