/*
 * The parts of the page for a person, each appended to out.  When memory runs out, parts of the page are left out: a page
 * with gaps is more useful than none.
 */
#ifndef SERVE_PERSON_INTERNAL_H
#define SERVE_PERSON_INTERNAL_H

#include "decide/listing.h"
#include "serve/service.h"

#include "perennial/explanation.h"

/* Seconds >= 0, as exactly as a person cares for; "never" for INFINITY. */
void serve_person_duration(struct prn_buffer *out, double seconds);

/* "in 2.0 h", "5 min ago"; "–" for PRN_TIME_UNKNOWN. */
void serve_person_moment(struct prn_buffer *out, int64_t time, int64_t now);

/* A cell of such a table (below), named; "–" where share is NaN. */
void serve_person_percent(struct prn_buffer *out, const char *name, double share);

void serve_person_tile(struct prn_buffer *out, const char *name, double value);

/*
 * The beginning, up to the rows, and the end of a table whose rows take a few lines each if there is no room for columns
 * (person.css).  id is that of the heading that names the table.  Rows and cells must have roles; the first cell of a row is its
 * head, and every other cell has the head of its column in data-name.
 */
void serve_person_table_start(struct prn_buffer *out, const char *id, const char *const *heads, size_t count);
void serve_person_table_end(struct prn_buffer *out);

/* A page that was looked up, or why it could not be; url is as it was typed.  _explained: the page alone. */
void serve_person_page(struct prn_buffer *out, struct serve_daemon *daemon, const char *url);
void serve_person_explained(struct prn_buffer *out, const struct serve_daemon *daemon, const struct prn_explanation *page, int64_t now);

/*
 * Lists of pages.  _find returns the order that a name in the address asks for; NULL asks for the first; PRN_LISTINGS: there is
 * none of that name.  _print appends links to all lists, and the list that is shown; url is the page that is looked up, or NULL.
 */
enum prn_listing_by serve_person_list_find(const char *name);
void serve_person_list_print(struct prn_buffer *out, const struct prn_listing *listing, enum prn_listing_by by, const char *url,
                             int64_t now);

/* Budget and plan, hosts that are held back, and hints.  A section with no content is left out. */
void serve_person_budget(struct prn_buffer *out, const struct prn_stats *stats);
void serve_person_hosts(struct prn_buffer *out, const struct prn_stats *stats, int64_t now);
void serve_person_hints(struct prn_buffer *out, const struct prn_stats *stats);

#endif
