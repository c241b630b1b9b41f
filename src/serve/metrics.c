#include "serve/metrics.h"

#include "perennial/error.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* These reach from an answer that needs no disk to a commit on a slow one. */
static const double bounds[] = { 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
	                         0.05,   0.1,     0.25,   0.5,   1,      2.5,   5,    10 };
#define BOUNDS (sizeof bounds / sizeof *bounds)

#define LABEL_BYTES 255

/* A counter's count is in counts[0]; a gauge's value in value; a histogram's times in both, value their sum. */
struct series {
	_Atomic uint64_t counts[BOUNDS + 1];
	_Atomic double value;
};

struct serve_metrics {
	const struct serve_family *families;
	size_t count;
	size_t *first; /* [count + 1] where the series of each family begin */
	struct series *series;
};

static size_t series_count(const struct serve_family *family)
{
	size_t n = 0;

	if (!family->label)
		return 1;
	while (family->series(n))
		n++;
	return n;
}

int serve_metrics_open(struct serve_metrics **out, const struct serve_family *families, size_t count)
{
	struct serve_metrics *metrics = calloc(1, sizeof *metrics);

	if (!metrics)
		return PRN_E_MEMORY;
	metrics->families = families;
	metrics->count = count;
	metrics->first = calloc(count + 1, sizeof *metrics->first);
	if (metrics->first) {
		for (size_t i = 0; i < count; i++)
			metrics->first[i + 1] = metrics->first[i] + series_count(&families[i]);
		metrics->series = calloc(metrics->first[count] + 1, sizeof *metrics->series);
	}
	if (!metrics->series) {
		serve_metrics_free(metrics);
		return PRN_E_MEMORY;
	}
	*out = metrics;
	return 0;
}

void serve_metrics_free(struct serve_metrics *metrics)
{
	if (!metrics)
		return;
	free(metrics->first);
	free(metrics->series);
	free(metrics);
}

static struct series *find_series(const struct serve_metrics *metrics, size_t family, size_t series)
{
	if (family >= metrics->count || series >= metrics->first[family + 1] - metrics->first[family])
		return NULL;
	return &metrics->series[metrics->first[family] + series];
}

void serve_metrics_add(struct serve_metrics *metrics, size_t family, size_t series, uint64_t more)
{
	struct series *found = find_series(metrics, family, series);

	if (found)
		atomic_fetch_add_explicit(&found->counts[0], more, memory_order_relaxed);
}

void serve_metrics_set(struct serve_metrics *metrics, size_t family, size_t series, double value)
{
	struct series *found = find_series(metrics, family, series);

	if (found)
		atomic_store_explicit(&found->value, value, memory_order_relaxed);
}

void serve_metrics_time(struct serve_metrics *metrics, size_t family, size_t series, double seconds)
{
	struct series *found = find_series(metrics, family, series);
	size_t bucket = 0;
	double sum;

	if (!found)
		return;
	while (bucket < BOUNDS && seconds > bounds[bucket])
		bucket++;
	atomic_fetch_add_explicit(&found->counts[bucket], 1, memory_order_relaxed);
	sum = atomic_load_explicit(&found->value, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&found->value, &sum, sum + seconds, memory_order_relaxed,
	                                              memory_order_relaxed))
		continue;
}

uint64_t serve_metrics_count(const struct serve_metrics *metrics, size_t family, size_t series)
{
	struct series *found = find_series(metrics, family, series);

	return found && metrics->families[family].kind == SERVE_COUNTER
	               ? atomic_load_explicit(&found->counts[0], memory_order_relaxed)
	               : 0;
}

/* label is "" or `name="value"`. */
static int write_histogram(const char *name, const char *label, struct series *series, struct prn_buffer *out)
{
	const char *comma = *label ? "," : "", *open = *label ? "{" : "", *close = *label ? "}" : "";
	unsigned long long total = 0;
	int code = 0;

	for (size_t i = 0; !code && i <= BOUNDS; i++) {
		total += atomic_load_explicit(&series->counts[i], memory_order_relaxed);
		if (i < BOUNDS)
			code = prn_buffer_printf(out, "%s_bucket{%s%sle=\"%g\"} %llu\n", name, label, comma, bounds[i],
			                         total);
		else
			code = prn_buffer_printf(out, "%s_bucket{%s%sle=\"+Inf\"} %llu\n", name, label, comma, total);
	}
	if (!code)
		code = prn_buffer_printf(out, "%s_sum%s%s%s %.9g\n%s_count%s%s%s %llu\n", name, open, label, close,
		                         atomic_load_explicit(&series->value, memory_order_relaxed), name, open, label,
		                         close, total);
	return code;
}

static int write_gauge(const char *name, const char *label, double value, struct prn_buffer *out)
{
	const char *open = *label ? "{" : "", *close = *label ? "}" : "";

	/* The C library may write "-nan", which Prometheus does not read. */
	return prn_buffer_printf(out, isnan(value) ? "%s%s%s%s NaN\n" : "%s%s%s%s %.15g\n", name, open, label, close, value);
}

int serve_metrics_write_gauge(const char *name, const char *label, const char *label_value, double value, struct prn_buffer *out)
{
	char text[64 + 2 * LABEL_BYTES];
	size_t at = (size_t)snprintf(text, 64, "%.60s=\"", label);

	for (size_t i = 0; i < LABEL_BYTES && label_value[i]; i++) {
		char c = label_value[i];

		if (c == '\\' || c == '"' || c == '\n')
			text[at++] = '\\';
		text[at++] = (char)(c == '\n' ? 'n' : c);
	}
	text[at++] = '"';
	text[at] = 0;
	return write_gauge(name, text, value, out);
}

int serve_metrics_write_head(const char *name, const char *help, enum serve_metric_kind kind, struct prn_buffer *out)
{
	static const char *const kinds[] = { "counter", "gauge", "histogram" };

	return prn_buffer_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kinds[kind]);
}

static int write_series(const struct serve_family *family, const char *label, struct series *series,
                        struct prn_buffer *out)
{
	const char *open = *label ? "{" : "", *close = *label ? "}" : "";
	double value;

	switch (family->kind) {
	case SERVE_COUNTER:
		return prn_buffer_printf(
			out, "%s%s%s%s %llu\n", family->name, open, label, close,
			(unsigned long long)atomic_load_explicit(&series->counts[0], memory_order_relaxed));
	case SERVE_GAUGE:
		value = atomic_load_explicit(&series->value, memory_order_relaxed);
		return write_gauge(family->name, label, value, out);
	case SERVE_HISTOGRAM:
		break;
	}
	return write_histogram(family->name, label, series, out);
}

int serve_metrics_write(const struct serve_metrics *metrics, struct prn_buffer *out)
{
	int code = 0;

	for (size_t i = 0; !code && i < metrics->count; i++) {
		const struct serve_family *family = &metrics->families[i];
		size_t count = metrics->first[i + 1] - metrics->first[i];

		code = serve_metrics_write_head(family->name, family->help, family->kind, out);
		for (size_t j = 0; !code && j < count; j++) {
			char label[256] = "";

			/* Values are our own names: none has a quote, a backslash or a line's end. */
			if (family->label)
				snprintf(label, sizeof label, "%s=\"%s\"", family->label, family->series(j));
			code = write_series(family, label, &metrics->series[metrics->first[i] + j], out);
		}
	}
	return code;
}
