/*
 * What the daemon measures: the families of /metrics, in the order in which they are printed.
 */
#ifndef SERVE_MEASURES_H
#define SERVE_MEASURES_H

#include "serve/metrics.h"

enum serve_measure {
	SERVE_BUILD,
	SERVE_STARTED,
	SERVE_OBSERVATIONS,  /* by outcome */
	SERVE_DECISIONS,     /* by reason */
	SERVE_NOT_MODIFIED,
	SERVE_ANSWER_BYTES,
	SERVE_TARGETS_REFUSED,
	SERVE_CUT,           /* by reason */
	SERVE_DUE_GIVEN,
	SERVE_HINTS,         /* by outcome */
	SERVE_SKIPPED,
	SERVE_RESPONSES,     /* by status */
	SERVE_REQUEST_TIME,  /* by route */
	SERVE_PARSE_TIME,
	SERVE_COMMIT_TIME,
	SERVE_COMMIT_FAILURES,
	SERVE_CONFLICTS,
	SERVE_QUEUE_DEPTH,
	SERVE_QUEUE_CAPACITY,
	SERVE_CONNECTIONS_OPEN,
	SERVE_BATCHES_WAITING,
	SERVE_SPOOL_BYTES,
	SERVE_SPOOL_CAPACITY,
	SERVE_SPOOL_REFUSED,
	SERVE_PAGES,
	SERVE_PAGES_DUE,
	SERVE_PAGES_QUEUED,
	SERVE_PAGES_LEASED,
	SERVE_PAGES_SUSPECT,
	SERVE_HOSTS,
	SERVE_STORE_BYTES,
	SERVE_THRESHOLD,
	SERVE_BUDGET,
	SERVE_BUDGET_GIVEN,
	SERVE_BUDGET_LEFT,
	SERVE_LOAD,
	SERVE_BUDGET_BYTES,
	SERVE_BUDGET_BYTES_SPENT,
	SERVE_BUDGET_BYTES_LEFT,
	SERVE_LOAD_BYTES,
	SERVE_SOURCES,
	SERVE_SOURCES_TRUST,
	SERVE_SOURCES_PRECISION,
	SERVE_SOURCES_RECALL,
	SERVE_SOURCES_HINTED,
	SERVE_SOURCES_DAMAGED,
	SERVE_PAGES_UNREADABLE,
	SERVE_HOSTS_HELD,
	SERVE_MEASURES, /* how many */
};

/*
 * Fills families, [SERVE_MEASURES], as serve_metrics_open takes them; route tells the names of the series of
 * SERVE_REQUEST_TIME.
 */
void serve_families_fill(struct serve_family *families, const char *(*route)(size_t i));

/* The series of a status in SERVE_RESPONSES. */
size_t serve_response_series(int status);

#endif
