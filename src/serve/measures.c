#include "serve/measures.h"

#include "perennial/held.h"
#include "perennial/hinting.h"
#include "perennial/outcome.h"
#include "perennial/version.h"

#include <stdio.h>
#include <string.h>

static const char *const statuses[] = { "200", "400", "401", "403", "404", "405", "409", "413", "415", "422",
	                                "429", "500", "503", "507", "other", NULL };

static const char *status_name(size_t i)
{
	return statuses[i];
}

size_t serve_response_series(int status)
{
	char text[16];
	size_t i = 0;

	snprintf(text, sizeof text, "%d", status);
	while (strcmp(statuses[i], "other") && strcmp(statuses[i], text))
		i++;
	return i;
}

static const char *outcome_name(size_t i)
{
	return i < PRN_OUTCOME_STALE ? prn_outcome_name((enum prn_outcome_kind)i) : NULL;
}

static const char *hinted_name(size_t i)
{
	return i < PRN_HINTEDS ? prn_hinted_name((enum prn_hinted)i) : NULL;
}

static const char *held_by(size_t i)
{
	return i < PRN_HELD_NOT ? prn_held_name((enum prn_held)i) : NULL;
}

static const char *source_kind(size_t i)
{
	return i < PRN_SOURCE_KINDS ? prn_source_kind_name((enum prn_source_kind)i) : NULL;
}

static const char *cut_name(size_t i)
{
	return i < PRN_CUTS ? prn_cut_name((unsigned)i) : NULL;
}

static const char *reason_name(size_t i)
{
	return i < PRN_NEXTS ? prn_next_name((enum prn_next)i) : NULL;
}

static const char *version(size_t i)
{
	return i ? NULL : prn_version();
}

static const struct serve_family all[SERVE_MEASURES] = {
	[SERVE_BUILD] = { "perennial_build_info", "Always 1, with the version.", SERVE_GAUGE, "version", version },
	[SERVE_STARTED] = { "perennial_start_time_seconds", "When the daemon started, Unix time.", SERVE_GAUGE, NULL, NULL },
	[SERVE_OBSERVATIONS] = { "perennial_observations_total", "Attempts told to the decider, by what came of them.",
	                         SERVE_COUNTER, "outcome", outcome_name },
	[SERVE_DECISIONS] = { "perennial_decisions_total", "Next visits decided, by the rule or bound that set them.",
	                      SERVE_COUNTER, "reason", reason_name },
	[SERVE_NOT_MODIFIED] = { "perennial_not_modified_total", "Attempts that were answered 304, and so brought no body.",
	                         SERVE_COUNTER, NULL, NULL },
	[SERVE_ANSWER_BYTES] = { "perennial_answer_bytes_total", "Bytes of the bodies that attempts brought, unpacked.",
	                         SERVE_COUNTER, NULL, NULL },
	[SERVE_TARGETS_REFUSED] = { "perennial_targets_refused_total",
	                            "Redirects whose target was not added: their host or chain had brought its share.",
	                            SERVE_COUNTER, NULL, NULL },
	[SERVE_CUT] = { "perennial_cut_total", "Pages of which markup was read in part, by what there was too much of.", SERVE_COUNTER,
	                "reason", cut_name },
	[SERVE_SHARDS_DAMAGED] = { "perennial_damaged_shards_total", "Shards that were to hand out pages, are damaged, and were passed over.", SERVE_COUNTER, NULL, NULL },
	[SERVE_DUE_GIVEN] = { "perennial_due_given_total", "URLs handed out to be fetched.", SERVE_COUNTER, NULL, NULL },
	[SERVE_HINTS] = { "perennial_hints_total", "Hints told to the decider, by what came of them.", SERVE_COUNTER, "outcome",
	                  hinted_name },
	[SERVE_SKIPPED] = { "perennial_skipped_total", "Records and lines of batches that could not be read.",
	                    SERVE_COUNTER, NULL, NULL },
	[SERVE_RESPONSES] = { "perennial_http_responses_total", "Responses, by status.", SERVE_COUNTER, "status",
	                      status_name },
	[SERVE_REQUEST_TIME] = { "perennial_http_request_seconds", "From a request's head to its answer, by route.",
	                         SERVE_HISTOGRAM, "route", NULL },
	[SERVE_PARSE_TIME] = { "perennial_parse_seconds", "From a page's bytes to its summary.", SERVE_HISTOGRAM, NULL, NULL },
	[SERVE_COMMIT_TIME] = { "perennial_commit_seconds", "Until a commit was durable.", SERVE_HISTOGRAM, NULL, NULL },
	[SERVE_COMMIT_FAILURES] = { "perennial_commit_failures_total", "Commits that failed: nothing of them was kept.",
	                            SERVE_COUNTER, NULL, NULL },
	[SERVE_CONFLICTS] = { "perennial_conflicts_total", "Times that another process wrote first and what was decided was decided again.",
	                      SERVE_COUNTER, NULL, NULL },
	[SERVE_QUEUE_DEPTH] = { "perennial_queue_depth", "Tasks waiting for the writer.", SERVE_GAUGE, NULL, NULL },
	[SERVE_QUEUE_CAPACITY] = { "perennial_queue_capacity", "Tasks that may wait for the writer.", SERVE_GAUGE, NULL,
	                           NULL },
	[SERVE_CONNECTIONS_OPEN] = { "perennial_http_connections", "Open connections.", SERVE_GAUGE, NULL, NULL },
	[SERVE_BATCHES_WAITING] = { "perennial_batches", "Batches uploaded and not yet answered.", SERVE_GAUGE, NULL, NULL },
	[SERVE_SPOOL_BYTES] = { "perennial_spool_bytes", "Bytes that uploads on their way and answers to batches take of the folder for them.",
	                        SERVE_GAUGE, NULL, NULL },
	[SERVE_SPOOL_CAPACITY] = { "perennial_spool_capacity_bytes", "Bytes that they may take.", SERVE_GAUGE, NULL, NULL },
	[SERVE_SPOOL_REFUSED] = { "perennial_spool_refused", "Uploads and answers refused since the start because there was no room for them.",
	                          SERVE_GAUGE, NULL, NULL },
	[SERVE_KEPT] = { "perennial_kept_bodies", "Bodies of pages that are kept to be shown.", SERVE_GAUGE, NULL, NULL },
	[SERVE_KEPT_BYTES] = { "perennial_kept_bytes", "Bytes that they take, in whole blocks.", SERVE_GAUGE, NULL, NULL },
	[SERVE_KEPT_CAPACITY] = { "perennial_kept_capacity_bytes", "Bytes that they may take; 0: none are kept.", SERVE_GAUGE, NULL, NULL },
	[SERVE_UNKEPT] = { "perennial_unkept_bodies_total", "Bodies that could not be kept; their reports were taken.", SERVE_COUNTER, NULL, NULL },
	[SERVE_PAGES] = { "perennial_pages", "Pages known.", SERVE_GAUGE, NULL, NULL },
	[SERVE_PAGES_DUE] = { "perennial_due_pages", "Pages whose next visit is due; of those that wait for no host up to 100000.", SERVE_GAUGE,
	                      NULL, NULL },
	[SERVE_PAGES_QUEUED] = { "perennial_queued_pages", "Pages that have a next visit, due or not.", SERVE_GAUGE, NULL,
	                         NULL },
	[SERVE_PAGES_LEASED] = { "perennial_leased_pages", "Pages handed out and not yet back.", SERVE_GAUGE, NULL, NULL },
	[SERVE_PAGES_RETIRED] = { "perennial_retired_pages", "Pages that have no next visit and are not out.", SERVE_GAUGE, NULL, NULL },
	[SERVE_PAGES_SUSPECT] = { "perennial_suspect_pages", "Pages whose last change waits to be confirmed.", SERVE_GAUGE,
	                          NULL, NULL },
	[SERVE_HOSTS] = { "perennial_hosts", "Hosts with a delay, a limit or redirects to remember.", SERVE_GAUGE, NULL, NULL },
	[SERVE_STORE_BYTES] = { "perennial_store_bytes", "Size of the store's file.", SERVE_GAUGE, NULL, NULL },
	[SERVE_THRESHOLD] = { "perennial_threshold", "The threshold T, divergence-days.", SERVE_GAUGE, NULL, NULL },
	[SERVE_BUDGET] = { "perennial_budget_per_day", "The store's budget, visits a day; 0: none, or in bytes.", SERVE_GAUGE, NULL, NULL },
	[SERVE_BUDGET_GIVEN] = { "perennial_budget_given_day", "Visits handed out in the last 48 half hours, as far as they count; 0 of a budget in bytes.", SERVE_GAUGE, NULL, NULL },
	[SERVE_BUDGET_LEFT] = { "perennial_budget_left", "Visits of the budget that have accrued and were not handed out; 0 of one in bytes.", SERVE_GAUGE,
	                        NULL, NULL },
	[SERVE_LOAD] = { "perennial_load_per_day", "Visits a day that all pages together want at T; 0: not counted, or of a budget in bytes.", SERVE_GAUGE, NULL,
	                 NULL },
	[SERVE_BUDGET_BYTES] = { "perennial_budget_bytes_per_day", "The store's budget, bytes a day; 0: none, or in visits.", SERVE_GAUGE,
	                         NULL, NULL },
	[SERVE_BUDGET_BYTES_SPENT] = { "perennial_budget_spent_bytes_day", "Bytes spent in the last 48 half hours, all that came; 0 of a budget in visits.",
	                               SERVE_GAUGE, NULL, NULL },
	[SERVE_BUDGET_BYTES_LEFT] = { "perennial_budget_left_bytes", "Bytes of the budget that have accrued and were not spent; below 0: owed.",
	                              SERVE_GAUGE, NULL, NULL },
	[SERVE_LOAD_BYTES] = { "perennial_load_bytes_per_day", "Bytes a day that all pages together want at T; 0: not counted, or visits are.",
	                       SERVE_GAUGE, NULL, NULL },
	[SERVE_SOURCES] = { "perennial_hint_sources", "Sources of hints, each counted on each host of which it speaks, by what they are.",
	                    SERVE_GAUGE, "kind", source_kind },
	[SERVE_SOURCES_TRUST] = { "perennial_hint_trust", "The share of changes that they are taken to tell, the mean of the sources.",
	                          SERVE_GAUGE, "kind", source_kind },
	[SERVE_SOURCES_PRECISION] = { "perennial_hint_precision", "Of the visits after a hint of theirs the share that found other text; NaN: none yet.",
	                              SERVE_GAUGE, "kind", source_kind },
	[SERVE_SOURCES_RECALL] = { "perennial_hint_recall", "Of the visits that found other text the share that came after a hint of theirs; NaN: none yet.",
	                           SERVE_GAUGE, "kind", source_kind },
	[SERVE_SOURCES_HINTED] = { "perennial_hint_hinted", "Of all visits the share that came after a hint of theirs; NaN: none yet.",
	                           SERVE_GAUGE, "kind", source_kind },
	[SERVE_SOURCES_DAMAGED] = { "perennial_hint_damaged_sources", "Sources of hints whose record cannot be read.", SERVE_GAUGE,
	                            NULL, NULL },
	[SERVE_PAGES_UNREADABLE] = { "perennial_unreadable_pages", "Pages that were to be handed out within the last day and cannot be read.",
	                             SERVE_GAUGE, NULL, NULL },
	[SERVE_HOSTS_HELD] = { "perennial_held_hosts", "Hosts with pages that wait for them, by what holds these back; GET /v1/stats names them.",
	                       SERVE_GAUGE, "by", held_by },
};

void serve_families_fill(struct serve_family *families, const char *(*route)(size_t i))
{
	memcpy(families, all, sizeof all);
	families[SERVE_REQUEST_TIME].series = route;
}
