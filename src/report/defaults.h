/*
 * The default keys of the policies under test for each corpus: those that are given for all corpora, and a prior that was
 * learned without the corpus (priors.h).
 */
#ifndef REPORT_DEFAULTS_H
#define REPORT_DEFAULTS_H

#include <stddef.h>

#include "term/inputs.h"
#include "term/options.h"
#include "perennial/life.h"
#include "perennial/pages.h"

struct report_defaults {
	char **texts; /* [count] one for each corpus, as prn_sweeps_open takes them; owned */
	size_t count;
};

/*
 * Makes the defaults of each corpus under test; pages are those of its traces, pooled.  common is "key=value:key=value" or
 * empty.  If paths names corpora to learn from, the prior that was learned from them is appended.  Call _release also after a
 * failure.
 *
 * Returns 0, or a negative code with *error: PRN_E_NOT_FOUND if a corpus could only learn from itself.
 */
int report_defaults_make(struct report_defaults *defaults, const char *common, const struct term_inputs *under_test,
                         const struct prn_pages *pages, const struct term_list *paths, enum prn_clock clock,
                         size_t threads, struct prn_error *error);
void report_defaults_release(struct report_defaults *defaults);

#endif
