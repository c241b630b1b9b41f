/*
 * The decider's results as JSON: one object a line, with the same members on every route.
 *
 * Times are ISO 8601, null where there is none; numbers that are not finite are null; a text that is not UTF-8
 * is repaired with U+FFFD.  Every function appends to out: PRN_E_MEMORY.
 */
#ifndef SERVE_JSON_H
#define SERVE_JSON_H

#include "base/buffer.h"
#include "keep/keep.h"
#include "perennial/due.h"
#include "perennial/explanation.h"
#include "perennial/outcome.h"
#include "perennial/stats.h"
#include "perennial/tuning.h"

int serve_json_outcome(struct prn_buffer *out, const char *url, int64_t time, const struct prn_outcome *outcome);

/* A request that is refused or an input that was passed over, and why: {"error": …}. */
int serve_json_skipped(struct prn_buffer *out, const char *why);
int serve_json_due(struct prn_buffer *out, const struct prn_due *due);

/* Each page of a list; and, if it is shorter than the limit, {"next_time": …}, when there may be more. */
int serve_json_due_list(struct prn_buffer *out, const struct prn_due_list *list, size_t limit);

/* within: what pages want within given intervals, NULL if none are given; kept: NULL if no bodies are kept. */
int serve_json_stats(struct prn_buffer *out, const struct prn_stats *stats, const double *within, const struct keep_counts *kept);
int serve_json_explanation(struct prn_buffer *out, const struct prn_explanation *page);
/* stats: has the hosts that are at their share; NULL: they are not known, and unknown says why. */
int serve_json_tuning(struct prn_buffer *out, const struct prn_tuning *tuning, const struct prn_stats *stats,
                      const struct prn_error *unknown, bool applied);
int serve_json_added(struct prn_buffer *out, const char *url, enum prn_added added);
int serve_json_released(struct prn_buffer *out, const char *url, bool released);

#endif
