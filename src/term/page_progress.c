#include "term/page_progress.h"

static const char *url(void *context, size_t i)
{
	const struct term_page_progress *progress = context;

	return progress->inner.url(progress->inner.context, i);
}

static size_t corpus(void *context, size_t i)
{
	const struct term_page_progress *progress = context;

	return progress->inner.corpus(progress->inner.context, i);
}

static int read_page(void *context, size_t i, struct prn_page *page, struct prn_error *error)
{
	struct term_page_progress *progress = context;
	size_t before = atomic_fetch_add(&progress->read, 1), count = progress->inner.count, pass = before / count;

	if (pass)
		term_progress_show(&progress->line, "pass %zu, %zu of %zu pages", pass + 1, before % count + 1, count);
	else
		term_progress_show(&progress->line, "%zu of %zu pages", before + 1, count);
	return progress->inner.read(progress->inner.context, i, page, error);
}

void term_page_progress_begin(struct term_page_progress *progress, const char *name, struct prn_pages *pages)
{
	progress->inner = *pages;
	atomic_init(&progress->read, 0);
	term_progress_begin(&progress->line, name);
	pages->context = progress;
	pages->url = url;
	pages->corpus = corpus;
	pages->read = read_page;
}

void term_page_progress_end(struct term_page_progress *progress, struct prn_pages *pages)
{
	term_progress_end(&progress->line);
	*pages = progress->inner;
}
