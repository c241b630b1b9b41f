/*
 * What the readers of hints share (hint.h): the options, the counts, and handing out what they find.
 */
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
	const char *path; /* of the file, for reports; NULL: it has none */
	bool full;        /* prn_hint_is_full said so */
	bool refused;     /* take answered other than 0 */
	char base[PRN_URL_BYTES + 1];   /* normal form of that of the options, or "" */
	char normal[PRN_URL_BYTES + 1]; /* of the present hint */
};

/* PRN_E_ARGUMENT, PRN_E_MEMORY as prn_hint_read */
int prn_hint_reading_init(struct prn_hint_reading *reading, const struct prn_hint_options *options, prn_hint_fn *take,
                          void *context, struct prn_hint_counts *counts, struct prn_error *error);

/* Whether the document is a feed. */
bool prn_hint_in_feed(const struct prn_hint_reading *reading);

/* A hint that says nothing but what the options say of all, and the document's format. */
struct prn_hint prn_hint_of(const struct prn_hint_reading *reading);

/*
 * Hands out a hint whose url is as written, or counts why not; base, a normal form or "", is what a relative one is
 * resolved against: in feeds any, else those that begin with "/".  line is that of the document, for reports.
 *
 * What take answered, or PRN_E_MEMORY
 */
int prn_hint_offer(struct prn_hint_reading *reading, struct prn_hint *hint, const char *base, uint64_t line,
                   struct prn_error *error);

/* The same of a line that is nothing but a URL. */
int prn_hint_offer_text(struct prn_hint_reading *reading, const char *text, size_t length, uint64_t line, struct prn_error *error);

/* Counts an entry that ends up nowhere, and reports why; a line of 0 is not named. */
void prn_hint_damaged(struct prn_hint_reading *reading, uint64_t line, struct prn_error *why);

/* Counts that the document is cut, and reports why. */
void prn_hint_cut(struct prn_hint_reading *reading, uint64_t line, struct prn_error *why);

/* Whether one more entry would be more than max (0: there is no limit): it is cut then. */
bool prn_hint_is_full(struct prn_hint_reading *reading, size_t max, uint64_t line);

#endif
