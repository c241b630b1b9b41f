/*
 * Histories of visits as lines of text: "interval_days changed [days_since_modified]", changed 0 or 1, and a
 * blank line between pages.
 */
#ifndef CLI_VISITS_H
#define CLI_VISITS_H

#include <stddef.h>
#include <stdint.h>

#include "base/text_lines.h"
#include "perennial/error.h"
#include "perennial/estimator.h"

/* Set all to zero but the file and name of lines.  visits, count and changes are those of the page that was read last. */
struct cli_visits {
	struct prn_text_lines lines;
	struct prn_estimator_visit *visits; /* [count], in days */
	size_t count;
	uint64_t changes;

	size_t capacity;
};

/*
 * Reads the next page.  Returns 1, or 0 at the end, or a negative code with *error, which names the line and says what it
 * should be.
 */
int cli_visits_next(struct cli_visits *visits, struct prn_error *error);

void cli_visits_release(struct cli_visits *visits);

#endif
