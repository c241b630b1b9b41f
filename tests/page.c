/* A page's own life, and the kinds of captures. */
#include "perennial/error.h"
#include "perennial/pages.h"
#include "tap.h"

#include <stdlib.h>

/* Builds a page from one letter a capture: c content, s same, r redirect, g gone, x refused, e error, m missing. */
static int life(const char *kinds, size_t *first, size_t *last)
{
	static const char letters[] = "csrgxem";
	struct prn_page_capture captures[16];
	struct prn_page page = { .captures = captures, .capture_count = strlen(kinds) };

	for (size_t i = 0; i < page.capture_count; i++)
		captures[i] = (struct prn_page_capture){ .time = (int64_t)i,
			                                 .modified = PRN_TIME_UNKNOWN,
			                                 .kind = (enum prn_kind)(strchr(letters, kinds[i]) - letters) };
	return prn_page_life(&page, first, last);
}

static void lives(const char *kinds, size_t want_first, size_t want_last)
{
	size_t first = 99, last = 99;

	ok(!life(kinds, &first, &last), "the life of %s is found", kinds);
	ok(first == want_first && last == want_last, "%s lives from %zu to %zu", kinds, want_first, want_last);
}

/* Builds a page of the letters that the context is, as a corpus of one page. */
static int read_letters(void *context, size_t i, struct prn_page *page, struct prn_error *error)
{
	static const char letters[] = "csrgxem";
	const char *kinds = ((const char **)context)[i];

	(void)error;
	page->capture_count = strlen(kinds);
	for (size_t at = 0; at < page->capture_count; at++)
		page->captures[at].kind = (enum prn_kind)(strchr(letters, kinds[at]) - letters);
	return 0;
}

static const char *url_letters(void *context, size_t i)
{
	return ((const char **)context)[i];
}

static size_t corpus_letters(void *context, size_t i)
{
	(void)context;
	return i;
}

/* The life of the page of a part; want_first = 99: none. */
static void part_lives(const char *kinds, size_t later, size_t want_first, size_t want_last, bool whole_content)
{
	const char *list[] = { "c", kinds };
	struct prn_pages whole = { .count = 2, .corpora = 2, .context = (void *)list, .url = url_letters, .corpus = corpus_letters,
		                   .read = read_letters }, pages;
	struct prn_page_capture captures[16] = { { 0 } };
	struct prn_page page = { .captures = captures };
	struct prn_pages_part part;
	const size_t members[] = { 1 };
	size_t first = 99, last = 99;

	prn_pages_part_init(&part, &whole, members, 1, later, &pages);
	if (pages.count != 1 || pages.corpora != 2 || pages.corpus(pages.context, 0) != 1 ||
	    pages.url(pages.context, 0) != kinds)
		abort();
	pages.read(pages.context, 0, &page, NULL);
	prn_page_life(&page, &first, &last);
	ok(first == want_first && (first == 99 || last == want_last),
	   "%s without its first %zu captures lives from %zu to %zu", kinds, later,
	   want_first, want_last);
	if (first != 99 && whole_content)
		ok(captures[first].kind == PRN_KIND_CONTENT,
		   "the life of %s without its first %zu captures begins with content", kinds, later);
}

int main(void)
{
	size_t first = 7, last = 7;

	lives("ccc", 0, 2);
	lives("gcscgg", 1, 3);
	lives("mmcgcm", 2, 4);
	lives("ccee", 0, 3);
	lives("crgx", 0, 3);
	lives("esrs", 2, 3);
	ok(life("ggee", &first, &last) == PRN_E_NOT_FOUND && first == 7, "a page without content has no life");
	part_lives("ccccc", 0, 0, 4, true);
	part_lives("ccccc", 2, 2, 4, true);
	part_lives("ccccc", 5, 99, 99, true);
	part_lives("mgcccgm", 1, 3, 4, true);
	part_lives("cssss", 2, 2, 4, true);
	part_lives("cxescs", 1, 3, 5, true);
	part_lives("ccrcc", 2, 2, 4, false);
	part_lives("ccggg", 2, 99, 99, true);
	part_lives("ggg", 1, 99, 99, true);
	ok(life("", &first, &last) == PRN_E_NOT_FOUND, "a page without captures has no life");

	ok(prn_kind_of_status(200) == PRN_KIND_CONTENT && prn_kind_of_status(204) == PRN_KIND_CONTENT,
	   "statuses 200 and 204 are content");
	ok(prn_kind_of_status(206) == PRN_KIND_ERROR && prn_kind_of_status(0) == PRN_KIND_ERROR,
	   "status 206 and no status are errors");
	ok(prn_kind_of_status(304) == PRN_KIND_SAME && prn_kind_of_status(301) == PRN_KIND_REDIRECT,
	   "status 304 is same, 301 a redirect");
	ok(prn_kind_of_status(404) == PRN_KIND_GONE && prn_kind_of_status(429) == PRN_KIND_REFUSED,
	   "status 404 is gone, 429 refused");
	ok(prn_kind_of_status(418) == PRN_KIND_ERROR && prn_kind_of_status(503) == PRN_KIND_ERROR,
	   "statuses 418 and 503 are errors");
	same(prn_kind_name(PRN_KIND_MISSING), "missing", "kinds have their names");
	return done();
}
