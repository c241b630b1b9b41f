/* A page's own life, and the kinds of captures. */
#include "perennial/error.h"
#include "perennial/page.h"
#include "tap.h"

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

	ok(!life(kinds, &first, &last) && first == want_first && last == want_last, "%s lives from %zu to %zu", kinds,
	   want_first, want_last);
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
