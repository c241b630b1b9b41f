/* Pages that nobody asked for by URL: coming next, most valuable, most visited, failing, suspect. */
#include "serve/html.h"
#include "serve/person_internal.h"

#include "perennial/time.h"

#include <inttypes.h>
#include <string.h>

struct list {
	const char *name;  /* in the address */
	const char *title;
	const char *about; /* which pages, in which order */
	const char *none;  /* where there are none */
};

static const struct list lists[PRN_LISTINGS] = {
	[PRN_LISTING_NEXT] = { "next", "Coming next", "By their next visits. Pages that are out to be fetched, or wait for their hosts, are not here.",
	                       "No page has a next visit." },
	[PRN_LISTING_VALUE] = { "value", "Most valuable", "By what a visit is worth now, W · U(now). Pages that are out to be fetched are not here.",
	                        "There are no pages to visit." },
	[PRN_LISTING_VISITS] = { "visits", "Most visited", "By how many visits brought content.", "No visit has brought content." },
	[PRN_LISTING_FAILURES] = { "failing", "Failing", "By how often they failed since the last visit that brought content. Retired pages are not here.",
	                           "No page fails." },
	[PRN_LISTING_SUSPECT] = { "suspect", "Suspect",
	                          "Nearly everything changed at once, which may be a block or a blank page: a second visit will tell. The latest "
	                          "stand first.",
	                          "No page is suspect." },
};

enum prn_listing_by serve_person_list_find(const char *name)
{
	int by = name ? 0 : PRN_LISTING_NEXT;

	while (name && by < PRN_LISTINGS && strcmp(lists[by].name, name))
		by++;
	return (enum prn_listing_by)by;
}

static void print_link(struct prn_buffer *out, const struct list *list, bool is_shown, const char *url)
{
	prn_buffer_printf(out, "<a href=\"/?list=%s", list->name);
	if (url) {
		prn_buffer_printf(out, "&amp;url=");
		serve_html_query(out, url);
	}
	prn_buffer_printf(out, "#pages\"%s>%s</a>\n", is_shown ? " aria-current=\"page\"" : "", list->title);
}

/* A cell says what it is where the table has no room for heads (person.css). */
static void print_row(struct prn_buffer *out, const struct prn_listed *page, const struct list *list, int64_t now)
{
	prn_buffer_printf(out, "<tr role=\"row\"><th scope=\"row\" role=\"rowheader\"><a href=\"/?list=%s&amp;url=", list->name);
	serve_html_query(out, page->url);
	prn_buffer_printf(out, "\"><bdi>");
	serve_html_text(out, page->url);
	prn_buffer_printf(out, "</bdi></a></th><td role=\"cell\" data-name=\"next visit\">");
	if (page->lease != PRN_TIME_UNKNOWN)
		prn_buffer_printf(out, "out");
	else
		serve_person_moment(out, page->next, now);
	prn_buffer_printf(out, "</td><td role=\"cell\" data-name=\"worth now\">%.3g</td><td role=\"cell\" data-name=\"weight\">%g</td>"
	                       "<td role=\"cell\" data-name=\"visits\">%" PRIu32 "</td><td role=\"cell\" data-name=\"failures\">%" PRIu32
	                       "</td><td role=\"cell\" data-name=\"last attempt\">",
	                  page->value, page->weight, page->visits, page->failures);
	serve_person_moment(out, page->attempted, now);
	prn_buffer_printf(out, "</td><td role=\"cell\" data-name=\"status\">%s</td><td role=\"cell\" data-name=\"set by\">%s</td></tr>\n",
	                  prn_page_status_name(page->status), page->waits ? "host" : prn_next_name(page->reason));
}

/* How far the list can be relied on. */
static void print_reach(struct prn_buffer *out, const struct prn_listing *listing)
{
	if (!listing->whole)
		prn_buffer_printf(out, "<p class=\"soft\">These are the first of %" PRIu64 " pages that were looked at, a sample of the store, which keeps "
		                       "no such order; %" PRIu64 " of these might stand here.</p>\n", listing->looked, listing->found);
	else if (listing->found > listing->count)
		prn_buffer_printf(out, "<p class=\"soft\">The first %zu of %" PRIu64 ".</p>\n", listing->count, listing->found);
	if (listing->unreadable)
		prn_buffer_printf(out, "<p class=\"warning\">Pages that cannot be read, and are left out: %" PRIu64 ". The log says which, and perennial "
		                       "check what to do.</p>\n", listing->unreadable);
}

void serve_person_list_print(struct prn_buffer *out, const struct prn_listing *listing, enum prn_listing_by by, const char *url,
                             int64_t now)
{
	static const char *const heads[] = { "page", "next visit", "worth now", "weight", "visits", "failures", "last attempt", "status", "set by" };
	const struct list *list = &lists[by];

	prn_buffer_printf(out, "<h2 id=\"pages\">Pages: %s</h2>\n<nav aria-label=\"Lists of pages\">\n", list->title);
	for (int i = 0; i < PRN_LISTINGS; i++)
		print_link(out, &lists[i], i == (int)by, url);
	prn_buffer_printf(out, "</nav>\n<p class=\"soft\">%s</p>\n", list->about);
	if (listing->count)
		serve_person_table_start(out, "pages", heads, sizeof heads / sizeof *heads);
	for (size_t i = 0; i < listing->count; i++)
		print_row(out, &listing->items[i], list, now);
	if (listing->count)
		serve_person_table_end(out);
	else
		prn_buffer_printf(out, "<p>%s</p>\n", list->none);
	print_reach(out, listing);
}
