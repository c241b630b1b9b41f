#include "term/ticker.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define QUIET_SECONDS 1.0 /* work shorter than this shows nothing */
#define DRAW_SECONDS 0.25
#define LOOK_EVERY 256    /* things between two looks at the clock */

static double steady_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void term_ticker_begin(struct term_ticker *ticker, const char *name, const char *what)
{
	*ticker = (struct term_ticker){ .name = name, .what = what, .started = steady_clock() };
	ticker->shown = isatty(STDERR_FILENO);
}

void term_ticker_show(struct term_ticker *ticker, uint64_t count)
{
	double now;

	if (!ticker->shown || count % LOOK_EVERY)
		return;
	now = steady_clock();
	if (now - ticker->started < QUIET_SECONDS || now - ticker->last < DRAW_SECONDS)
		return;
	ticker->last = now;
	ticker->drawn = true;
	fprintf(stderr, "\rperennial %s: %llu %s\033[K", ticker->name, (unsigned long long)count, ticker->what);
}

void term_ticker_clear(struct term_ticker *ticker)
{
	if (ticker->drawn)
		fputs("\r\033[K", stderr);
	ticker->drawn = false;
}
