/*
 * Numbers about the daemon for Prometheus (text format 0.0.4): counters, gauges and histograms, each a family
 * with at most one label.  The families are a table of the caller's; numbers are written from any thread
 * without a lock.
 */
#ifndef SERVE_METRICS_H
#define SERVE_METRICS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

enum serve_metric_kind {
	SERVE_COUNTER,
	SERVE_GAUGE,
	SERVE_HISTOGRAM, /* of seconds */
};

/* By convention: counters end in _total, histograms in _seconds. */
struct serve_family {
	const char *name, *help; /* help is one line */
	enum serve_metric_kind kind;
	const char *label;                /* NULL: one series, its index 0 */
	const char *(*series)(size_t i);  /* the label's i-th value, static; NULL past the end */
};

struct serve_metrics;

/* families[count] is borrowed until _free.  PRN_E_MEMORY */
int serve_metrics_open(struct serve_metrics **out, const struct serve_family *families, size_t count);
void serve_metrics_free(struct serve_metrics *metrics);

/* family < count and series < its number of values; else nothing happens. */
void serve_metrics_add(struct serve_metrics *metrics, size_t family, size_t series, uint64_t more);
void serve_metrics_set(struct serve_metrics *metrics, size_t family, size_t series, double value);
void serve_metrics_time(struct serve_metrics *metrics, size_t family, size_t series, double seconds);

/* Returns what a counter has counted; 0 for other kinds. */
uint64_t serve_metrics_count(const struct serve_metrics *metrics, size_t family, size_t series);

/* Appends all families.  PRN_E_MEMORY */
int serve_metrics_write(const struct serve_metrics *metrics, struct prn_buffer *out);

/*
 * For families outside a registry: append the head of a family, and a gauge with any label value of at most 255 bytes in UTF-8.
 * No two gauges of a family may have the same value.  PRN_E_MEMORY
 */
int serve_metrics_write_head(const char *name, const char *help, enum serve_metric_kind kind, struct prn_buffer *out);
int serve_metrics_write_gauge(const char *name, const char *label, const char *label_value, double value, struct prn_buffer *out);

#endif
