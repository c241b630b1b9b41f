/*
 * GET /: a plain page for a person.  It needs no script, asks for nothing else, and changes nothing; what it reads is read
 * beside the writer's thread, which it does not keep from its work.
 */
#include "serve/embedded.h"
#include "serve/html.h"
#include "serve/person_internal.h"
#include "serve/routes.h"

#include "perennial/version.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define LISTED 20
#define POLICY "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; " \
	       "frame-ancestors 'none'"

struct showing {
	struct serve_daemon *daemon;
	const char *asked;       /* the URL that was typed, or NULL */
	enum prn_listing_by by;
	struct prn_stats stats;
	bool known;              /* stats are */
	struct prn_listing listing;
	int64_t now;
	struct prn_buffer out;
};

/* The first row is about the pages, the second about the daemon. */
static void print_tiles(struct prn_buffer *out, struct serve_daemon *daemon, const struct prn_stats *stats, int64_t now)
{
	if (stats) {
		prn_buffer_printf(out, "<dl class=\"tiles\">");
		serve_person_tile(out, "pages", (double)stats->totals.pages);
		serve_person_tile(out, "due now", (double)stats->due);
		serve_person_tile(out, "of these, waiting for their hosts", (double)stats->totals.waiting);
		if (stats->overdue_new)
			serve_person_tile(out, "of the others, never fetched", (double)stats->overdue_new);
		serve_person_tile(out, "out to be fetched", (double)stats->totals.leased);
		serve_person_tile(out, "suspect", (double)stats->totals.suspects);
		if (stats->retired)
			serve_person_tile(out, "retired", (double)stats->retired);
		prn_buffer_printf(out, "</dl>\n");
	}
	prn_buffer_printf(out, "<dl class=\"tiles\">");
	serve_person_tile(out, "observed, last minute", (double)serve_rate_minute(&daemon->observed, now));
	serve_person_tile(out, "handed out, last minute", (double)serve_rate_minute(&daemon->given, now));
	if (stats) {
		serve_person_tile(out, "threshold T, divergence-days", stats->threshold);
		serve_person_tile(out, "store, MiB", ceil((double)stats->totals.bytes / 1048576));
	}
	prn_buffer_printf(out, "</dl>\n");
	if (stats && stats->damaged_shards) {
		prn_buffer_printf(out, "<p class=\"warning\">%" PRIu64 " %s damaged or gone, and not counted here: ", stats->damaged_shards,
		                  stats->damaged_shards == 1 ? "shard is" : "shards are");
		serve_html_text(out, stats->first_damaged.text);
		prn_buffer_printf(out, "</p>\n");
	}
	if (serve_is_failing(daemon))
		prn_buffer_printf(out, "<p class=\"warning\">The last commit failed: see the log. Nothing that was "
		                       "acknowledged is lost.</p>\n");
}

static void print_start(struct prn_buffer *out, const struct showing *showing)
{
	prn_buffer_printf(out,
	                  "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
	                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	                  "<meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"icon\" href=\"data:,\">\n"
	                  "<title>perennial</title>\n<style>\n%s</style>\n"
	                  "<h1><a href=\"/\">perennial</a></h1>\n"
	                  "<p class=\"soft\">When is a web page worth fetching again?</p>\n",
	                  serve_embedded[0].text);
	print_tiles(out, showing->daemon, showing->known ? &showing->stats : NULL, showing->now);
	prn_buffer_printf(out, "<form action=\"/\" method=\"get\"><label for=\"url\">A page:</label> "
	                       "<input type=\"url\" id=\"url\" name=\"url\" required placeholder=\"https://…\" value=\"");
	serve_html_value(out, showing->asked ? showing->asked : "");
	prn_buffer_printf(out, "\"> <button>Look up</button></form>\n<main>\n");
}

static void print_counts(struct prn_buffer *out, struct serve_daemon *daemon, const char *title,
                         enum serve_measure measure, size_t count)
{
	const struct serve_family *family = &daemon->families[measure];
	bool any = false;

	prn_buffer_printf(out, "<div><h3>%s</h3>\n<table>\n", title);
	for (size_t i = 0; i < count; i++) {
		uint64_t n = serve_metrics_count(daemon->metrics, measure, i);

		if (n)
			prn_buffer_printf(out, "<tr><th scope=\"row\">%s</th><td>%llu</td></tr>\n", family->series(i),
			                  (unsigned long long)n);
		any |= n > 0;
	}
	prn_buffer_printf(out, "</table>%s</div>\n", any ? "" : "<p class=\"soft\">Nothing yet.</p>");
}

static void print_end(struct prn_buffer *out, struct serve_daemon *daemon)
{
	prn_buffer_printf(out, "<h2>Since the start</h2>\n<div class=\"sides\">\n");
	print_counts(out, daemon, "Observations", SERVE_OBSERVATIONS, PRN_OUTCOME_STALE);
	print_counts(out, daemon, "What set the next visit", SERVE_DECISIONS, PRN_NEXTS);
	prn_buffer_printf(out, "</div>\n</main>\n<footer>perennial %s, policy %s; numbers for machines at "
	                       "<a href=\"/metrics\">/metrics</a></footer>\n</html>\n",
	                  prn_version(), prn_policy_about(prn_decider_policy(daemon->decider))->name);
}

/* Reads what the page shows of the store.  A page without statistics is still of use; one without its list is not. */
static int read_store(struct showing *showing, struct prn_error *error)
{
	struct serve_daemon *daemon = showing->daemon;
	int code;

	showing->now = serve_now(daemon);
	showing->known = !serve_stats_take(daemon, &showing->stats, NULL);
	pthread_rwlock_rdlock(&daemon->options_lock);
	code = prn_decider_list(daemon->decider, showing->by, showing->now, LISTED, PRN_LISTING_LOOK, &showing->listing, error);
	pthread_rwlock_unlock(&daemon->options_lock);
	return code;
}

static void print_all(struct showing *showing)
{
	struct prn_buffer *out = &showing->out;

	print_start(out, showing);
	if (showing->asked)
		serve_person_page(out, showing->daemon, showing->asked);
	serve_person_list_print(out, &showing->listing, showing->by, showing->asked, showing->now);
	if (showing->known) {
		serve_person_budget(out, &showing->stats);
		serve_person_hosts(out, &showing->stats, showing->now);
		serve_person_hints(out, &showing->stats);
	}
	print_end(out, showing->daemon);
}

void serve_person(void *context, struct serve_request *request)
{
	const char *list = serve_request_parameter(request, "list");
	struct showing *showing = calloc(1, sizeof *showing);
	struct prn_error error = { 0 };

	if (!showing) {
		serve_request_fail_memory(request);
		return;
	}
	showing->daemon = context;
	showing->asked = serve_request_parameter(request, "url");
	/* A form that was sent empty asks for nothing. */
	if (showing->asked && !*showing->asked)
		showing->asked = NULL;
	showing->by = serve_person_list_find(list);
	prn_listing_init(&showing->listing);
	if (showing->by == PRN_LISTINGS) {
		serve_request_refuse(request, 400, "there is no such list of pages: 'list' takes next, value, visits, failing or suspect");
	} else if (read_store(showing, &error)) {
		serve_request_fail(request, &error);
	} else {
		print_all(showing);
		serve_request_set_header(request, "Content-Security-Policy", POLICY);
		serve_request_answer(request, 200, "text/html; charset=utf-8", &showing->out);
	}
	prn_listing_release(&showing->listing);
	free(showing);
}
