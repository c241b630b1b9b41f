/* The common part of the readers of hints (hint.h): the options, the counts, and delivering what they find. */
#ifndef ARCHIVE_HINT_READING_H
#define ARCHIVE_HINT_READING_H

#include "base/buffer.h"
#include "perennial/hint.h"
#include "perennial/url.h"

struct prn_hint_reading {
	const struct prn_hint_options *options;
	prn_hint_fn *take;
	void *context;
	struct prn_hint_counts *counts;
	const char *path; /* name of the file, for reports; NULL: it has none */
	bool full;        /* prn_hint_is_full returned true */
	bool refused;     /* take returned a value other than 0 */
	char base[PRN_URL_BYTES + 1];   /* normal form of the base of the options, or "" */
	char normal[PRN_URL_BYTES + 1]; /* normal form of the current hint's URL */
};

/* PRN_E_ARGUMENT, PRN_E_MEMORY as prn_hint_read */
int prn_hint_reading_init(struct prn_hint_reading *reading, const struct prn_hint_options *options, prn_hint_fn *take,
                          void *context, struct prn_hint_counts *counts, struct prn_error *error);

/* Tells whether the document is a feed. */
bool prn_hint_in_feed(const struct prn_hint_reading *reading);

/* Returns a hint that contains only what the options say of all, and the document's format. */
struct prn_hint prn_hint_of(const struct prn_hint_reading *reading);

/*
 * Delivers a hint whose url is as written, or counts why not. base, a normal form or "", is what a relative URL
 * is resolved against: in feeds any, else those that begin with "/". line is the line of the document, for
 * reports.
 *
 * Returns what take returned, or PRN_E_MEMORY
 */
int prn_hint_offer(struct prn_hint_reading *reading, struct prn_hint *hint, const char *base, uint64_t line,
                   struct prn_error *error);

/* The same for a line that consists of a URL. */
int prn_hint_offer_text(struct prn_hint_reading *reading, const char *text, size_t length, uint64_t line, struct prn_error *error);

/* Counts an entry that is not delivered, and reports why; a line of 0 is not named. */
void prn_hint_damaged(struct prn_hint_reading *reading, uint64_t line, struct prn_error *why);

/* Counts that the document is cut, and reports why. */
void prn_hint_cut(struct prn_hint_reading *reading, uint64_t line, struct prn_error *why);

/* Tells whether one more entry would exceed max (0: no limit): the document is then cut. */
bool prn_hint_is_full(struct prn_hint_reading *reading, size_t max, uint64_t line);

#endif
