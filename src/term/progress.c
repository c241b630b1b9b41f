#include "term/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define QUIET_SECONDS 1.0 /* work shorter than this shows no progress */
#define DRAW_SECONDS 0.25

static double steady_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const char *url(void *context, size_t i)
{
	const struct term_progress *progress = context;

	return progress->inner.url(progress->inner.context, i);
}

static size_t corpus(void *context, size_t i)
{
	const struct term_progress *progress = context;

	return progress->inner.corpus(progress->inner.context, i);
}

static void draw(struct term_progress *progress)
{
	double now = steady_clock();
	size_t pass = (progress->read - 1) / progress->inner.count, read = progress->read - pass * progress->inner.count;

	if (now - progress->started < QUIET_SECONDS || now - progress->last < DRAW_SECONDS)
		return;
	progress->last = now;
	progress->drawn = true;
	fprintf(stderr, "\rperennial %s: ", progress->name);
	if (pass)
		fprintf(stderr, "pass %zu, ", pass + 1);
	fprintf(stderr, "%zu of %zu pages\033[K", read, progress->inner.count);
}

static int read_page(void *context, size_t i, struct prn_page *page, struct prn_error *error)
{
	struct term_progress *progress = context;

	if (progress->terminal) {
		pthread_mutex_lock(&progress->lock);
		progress->read++;
		draw(progress);
		pthread_mutex_unlock(&progress->lock);
	}
	return progress->inner.read(progress->inner.context, i, page, error);
}

void term_progress_begin(struct term_progress *progress, const char *name, struct prn_pages *pages)
{
	*progress = (struct term_progress){ .name = name, .inner = *pages, .terminal = isatty(STDERR_FILENO),
		                           .started = steady_clock() };
	pthread_mutex_init(&progress->lock, NULL);
	pages->context = progress;
	pages->url = url;
	pages->corpus = corpus;
	pages->read = read_page;
}

void term_progress_end(struct term_progress *progress, struct prn_pages *pages)
{
	if (progress->drawn)
		fputs("\r\033[K", stderr);
	*pages = progress->inner;
	pthread_mutex_destroy(&progress->lock);
}
