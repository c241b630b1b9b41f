#include "term/progress.h"
#include "base/monotonic.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define QUIET_SECONDS 1.0 /* work shorter than this shows nothing */
#define DRAW_SECONDS 0.25

void term_progress_begin(struct term_progress *progress, const char *name)
{
	*progress = (struct term_progress){ .name = name, .wanted = isatty(STDERR_FILENO), .started = prn_monotonic() };
	pthread_mutex_init(&progress->lock, NULL);
}

void term_progress_show(struct term_progress *progress, const char *format, ...)
{
	va_list list;
	double now;

	if (!progress->wanted)
		return;
	now = prn_monotonic();
	pthread_mutex_lock(&progress->lock);
	if (now - progress->started >= QUIET_SECONDS && now - progress->last >= DRAW_SECONDS) {
		fprintf(stderr, "\rperennial %s: ", progress->name);
		va_start(list, format);
		vfprintf(stderr, format, list);
		va_end(list);
		fputs("\033[K", stderr);
		progress->last = now;
		progress->drawn = true;
	}
	pthread_mutex_unlock(&progress->lock);
}

void term_progress_clear(struct term_progress *progress)
{
	pthread_mutex_lock(&progress->lock);
	if (progress->drawn)
		fputs("\r\033[K", stderr);
	progress->drawn = false;
	pthread_mutex_unlock(&progress->lock);
}

void term_progress_end(struct term_progress *progress)
{
	term_progress_clear(progress);
	pthread_mutex_destroy(&progress->lock);
}
