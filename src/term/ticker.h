/*
 * A count that goes up on stderr, when that is a terminal and the work takes longer than a second.
 */
#ifndef TERM_TICKER_H
#define TERM_TICKER_H

#include <stdbool.h>
#include <stdint.h>

struct term_ticker {
	const char *name, *what;   /* of the command; of what is counted: "captures" */
	bool shown, drawn;         /* is to be shown at all; stands there now */
	double started, last;      /* seconds */
};

void term_ticker_begin(struct term_ticker *ticker, const char *name, const char *what);

/* Cheap enough to be called for each of a million things. */
void term_ticker_show(struct term_ticker *ticker, uint64_t count);

/* Clears the line: before anything else is written there, and at the end. */
void term_ticker_clear(struct term_ticker *ticker);

#endif
