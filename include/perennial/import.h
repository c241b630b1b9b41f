/*
 * Importing: sources of captures (source.h), and traces, become one trace (trace.h).
 *
 * Memory does not grow with the number of captures: fragment sets go to a temporary file, and so do records of
 * captures, which are sorted there; what stays is one entry a page.  The trace is the same, byte for byte,
 * whatever the order of sources and the number of threads.
 *
 * The pages may be imported in parts (part.h), each by another machine: the traces of all parts have together just the pages
 * of the trace of everything, each with the same history.
 */
#ifndef PERENNIAL_IMPORT_H
#define PERENNIAL_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/capture.h"
#include "perennial/error.h"
#include "perennial/extractor.h"
#include "perennial/part.h"
#include "perennial/source.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_IMPORT_MEMORY ((size_t)256 << 20)
#define PRN_IMPORT_BODY_MAX ((size_t)1 << 30) /* the largest body_bytes_max */

struct prn_import_counts {
	struct prn_source_counts sources; /* summed over the sources */
	uint64_t source_files;            /* sources read, also in part */
	uint64_t truncated;               /* sources that ended early, each reported */
	uint64_t captures[PRN_KINDS];     /* by kind, in the trace */
	uint64_t duplicates;              /* captures dropped for another of the same URL and second */
	uint64_t revisits;                /* that repeat the content of another capture */
	uint64_t unresolved;              /* of these, not found: they are kind missing; the first few reported */
	uint64_t weighted;                /* URLs of the weights file that some source has */
	uint64_t unweighted;              /* and that no source has */
	uint64_t reweighted;              /* its lines of a URL that a line before has: the last counts */
	uint64_t versions;                /* bodies turned into fragments */
	uint64_t body_bytes;              /* of these */
	uint64_t pages;                   /* in the trace */
	uint64_t stripes;                 /* in the trace: a page's distinct fragments, summed */
	uint64_t too_long;                /* pages left out because their histories are too long, each reported */
	uint64_t links;                   /* in the trace: of each page those that are known, summed */
	uint64_t digests;                 /* captures of content that is known by its digest alone, in the trace; those that a trace brought not */
	uint64_t cut[PRN_CUTS];           /* versions whose markup was read in part, by the bits of PRN_CUT_* */
};

/*
 * Called now and then, also within a source that hands out nothing or a record that inflates without end, and while a pipe is waited
 * for; *counts is valid only during the call.  Any value but 0 stops the import with PRN_E_CANCELLED.
 */
typedef int prn_import_progress_fn(void *context, const struct prn_import_counts *counts);

/* All zero bytes is the default of each. */
struct prn_import_options {
	unsigned shingle_words;          /* k; 0: PRN_SHINGLE_WORDS */
	size_t body_bytes_max;           /* 0: PRN_BODY_BYTES */
	enum prn_digests digests;        /* as of sources */
	const char *git_base;            /* likewise; borrowed until _free */
	struct prn_source_filter filter; /* borrowed until _free; captures before its "from" are still found by revisits */
	struct prn_part part; /* of the pages; all zero: all of them.  Sources must be files or folders: those with revisits
	                         are read up to three times, for what these repeat may be of pages of other parts */
	/*
	 * Looks for the links of pages too: of each page those of its latest capture with content (trace.h, page.h).  Those that traces
	 * among the sources have are kept in any case.
	 */
	bool links;
	const char *weights;             /* file of lines "URL weight", "#" and empty ones apart; read by _open; NULL: none.  A page that it
	                                    lacks weighs what its latest capture with a weight says, else 1 */
	size_t threads;                  /* 0: all processors */
	const char *folder;              /* for temporary files; borrowed until _free; NULL: /tmp */
	size_t memory_bytes;             /* for sorting and for recent bodies; 0: PRN_IMPORT_MEMORY */
	prn_skipped_fn *skipped;         /* from the thread that called _add or _finish; NULL: nothing is reported */
	void *skipped_context;
	prn_import_progress_fn *progress; /* as skipped */
	void *progress_context;
};

struct prn_importer;

/*
 * PRN_E_ARGUMENT	k or body_bytes_max is too large, or there is no such part
 * PRN_E_IO	the weights or the folder for temporary files cannot be opened
 * PRN_E_INPUT	a line of the weights is not a URL, tabs or blanks, and a number above 0 and at most PRN_WEIGHT_MOST; the text has its number
 * PRN_E_MEMORY
 */
int prn_importer_open(struct prn_importer **out, const struct prn_import_options *options, struct prn_error *error);
void prn_importer_free(struct prn_importer *importer);

/*
 * Reads one source to its end, or a trace.  Where media types are asked for, a trace that does not tell them (trace.h) is read only if
 * it was imported with the same list of them, and where one of several does not tell them, no more does what is made of all.  Its bodies are taken to be those of other sources whose fragments and lengths are the
 * same.  A source that ends early is reported and counted, and everything before the cut is used.
 *
 * PRN_E_ARGUMENT	the importer is finished: prn_importer_finish was called
 * PRN_E_NOT_FOUND	the source cannot be opened
 * PRN_E_UNSUPPORTED	it is nothing that is read here; or, for a part, it can be read only once; or a trace of other fragments or media types
 *		after these two the importer is as before and takes other sources
 * PRN_E_INPUT	a page of a trace is damaged
 * PRN_E_IO	a temporary file cannot be written
 * PRN_E_MEMORY, PRN_E_CANCELLED
 *		after these it can only be freed
 */
int prn_importer_add(struct prn_importer *importer, const char *path, struct prn_error *error);

/*
 * Resolves revisits and writes the trace.  A page whose fragments came and went more than 2^24 times, or whose history takes more than
 * 2^30 bytes, is left out, counted and told.  After it, whether it succeeds or not, the importer can only tell its counts and be freed.
 *
 * PRN_E_ARGUMENT	it is finished, as for prn_importer_add
 * PRN_E_IO	the trace or a temporary file cannot be written
 * PRN_E_MEMORY
 */
int prn_importer_finish(struct prn_importer *importer, const char *trace_path, struct prn_error *error);

const struct prn_import_counts *prn_importer_counts(const struct prn_importer *importer);

#ifdef __cplusplus
}
#endif

#endif
