/*
 * Progress: one line on stderr that is drawn over and over, when stderr is a terminal and the work takes longer than a
 * second.  Safe from any thread.
 */
#ifndef TERM_PROGRESS_H
#define TERM_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>

struct term_progress {
	const char *name; /* of the command */
	bool wanted;      /* stderr is a terminal; may be set to false after _begin */
	bool drawn;       /* the line is on the screen */
	double started, last; /* seconds */
	pthread_mutex_t lock;
};

/* Call _end also if nothing was shown. */
void term_progress_begin(struct term_progress *progress, const char *name);

/* Draws "perennial NAME: TEXT" if it is time for it; cheap enough to be called for each of a million things. */
void term_progress_show(struct term_progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Clears the line, if it is on the screen, before anything else is written to stderr. */
void term_progress_clear(struct term_progress *progress);

/* Clears the line; nothing more is shown. */
void term_progress_end(struct term_progress *progress);

#endif
