/* Imports with progress on a terminal, and reports of what was skipped. */
#ifndef TERM_IMPORTING_H
#define TERM_IMPORTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/import.h"

struct term_import_outcome {
	struct prn_import_counts counts;
	uint64_t refused; /* sources that cannot be opened, or are of no known kind */
	bool empty;       /* all sources together had no page, and no part was asked for */
	bool skipped;     /* anything was left out that should have been there */
};

/*
 * Imports sources into a trace.  The callbacks of options are set here, and its folder, if NULL, to $TMPDIR.  A source that
 * cannot be opened is named on stderr and counted, and the others are imported; for a part that is a failure.  name is the
 * command's, for messages.
 *
 * Returns 0, or a negative code with *error: no source could be read, or the import itself failed.
 */
int term_import_sources(const char *name, struct prn_import_options *options, char *const *sources, size_t count,
                        const char *trace_path, struct term_import_outcome *outcome, struct prn_error *error);

/* Says "perennial import: 3 pages, 24 captures (20 content, 4 gone)" on stderr. */
void term_import_say_made(const char *name, const struct term_import_outcome *outcome);

/* Says "perennial import: 3 captures are known by their digests alone, …" on stderr, as those of an index are; if there are any. */
void term_import_say_digests(const char *name, const struct term_import_outcome *outcome);

/*
 * Says "perennial import: passed over 12 captures of other media types: 8 image/png, 4 text/css (--media=all takes them)" on
 * stderr, and the same of records of types and schemes that are not read, if there are any.
 */
void term_import_say_passed(const char *name, const struct term_import_outcome *outcome);

/* Says "perennial import: skipped 2 records or files that cannot be read, …" on stderr, if anything was skipped. */
void term_import_say_skipped(const char *name, const struct term_import_outcome *outcome);

#endif
