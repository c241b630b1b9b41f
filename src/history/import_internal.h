/* The importer as seen by its two halves: import.c reads captures, import_finish.c makes the trace of them. */
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

#define PRN_IMPORT_REPORTS 5 /* reports of each kind of item that may be skipped by the million */

struct prn_importer {
	struct prn_import_options options; /* with the defaults filled in */
	struct prn_import_counts counts;
	struct prn_page_table pages;
	struct prn_media_types types;
	struct prn_spool *spool;
	struct prn_extraction *extraction;

	/* Used by the threads of the extraction, under the lock. */
	pthread_mutex_t lock;
	struct prn_sorter *captures; /* every capture except the seekers, by page and time */
	struct prn_sorter *payloads; /* content by payload digest, and the seekers */

	struct prn_elsewhere elsewhere; /* if a part is imported */

	uint32_t fragment_rule; /* fragment rule of all sources; 0: there is none so far */
	bool has_links;         /* links are wanted, or a trace among the sources has them */
	bool typeless;          /* a trace among the sources has no media types, so the result has none either */
	bool finished;          /* it has made its trace, or could not */
	bool lacks_digests;     /* a trace among the sources has content whose payload digest is unknown */
	uint64_t outside; /* captures that were read and are outside the requested time or part */
	char **names;     /* base names of the sources */
	size_t name_count, name_capacity;
};

/* Reports a skipped item to the caller, if the caller wants reports. */
static inline void prn_importer_skip(const struct prn_importer *importer, const struct prn_error *what)
{
	if (importer->options.skipped)
		importer->options.skipped(importer->options.skipped_context, what);
}

/* Tells whether a file is a trace, by its first bytes; anything but a regular file is not one, and is not read. */
bool prn_importer_is_trace(const char *path);

/* PRN_E_UNSUPPORTED: the fragments of earlier sources were made by another rule */
int prn_importer_take_rule(struct prn_importer *importer, const char *path, uint32_t rule, struct prn_error *error);

/*
 * Sets the error for a source that could not be opened, with the code that the importer promises: returns that,
 * or PRN_E_MEMORY if that was the cause.
 */
int prn_importer_refuse(int failed, int code, struct prn_error *error);

/*
 * Imports the part of a trace that the filter wants.
 *
 * PRN_E_UNSUPPORTED	it cannot be opened, or its fragments have another number of words or another rule: nothing
 * was imported
 * PRN_E_INPUT	it is damaged; also the errors of prn_importer_add
 */
int prn_importer_add_trace(struct prn_importer *importer, const char *path, const struct prn_source_filter *filter,
                           struct prn_error *error);

/*
 * Reads the sources again for content of other parts that the part's revisits repeat.  PRN_E_IO: a source can
 * no longer be opened; also the errors of prn_importer_add
 */
int prn_importer_read_elsewhere(struct prn_importer *importer, struct prn_error *error);

/* Adds a record for the trace, from any thread; seekers go to where their content can be found.  PRN_E_IO, PRN_E_MEMORY */
int prn_importer_keep(struct prn_importer *importer, const struct prn_capture_record *record, struct prn_error *error);

/* Writes the parameters that shape the trace and the names of the sources, in one line.  PRN_E_MEMORY */
int prn_importer_provenance(const struct prn_importer *importer, struct prn_buffer *out);

/* Tells whether the import with this provenance took captures of exactly the media types that a filter names. */
int prn_provenance_has_media(const char *provenance, const struct prn_source_filter *filter, bool *has);

/* PRN_E_CANCELLED if the caller cancelled. */
int prn_importer_progress(const struct prn_importer *importer, struct prn_error *error);

#endif
