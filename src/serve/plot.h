/*
 * Figures as SVG.  Of a page's explanation: its expected divergence, and what a refresh is worth against the threshold.
 * Of a store with a budget: what was spent, and the threshold, over the last day.  Their labels can be read where they
 * are 340 pixels wide.  Appended to a buffer; colours are person.css's.
 */
#ifndef SERVE_PLOT_H
#define SERVE_PLOT_H

#include "base/buffer.h"
#include "perennial/explanation.h"
#include "perennial/stats.h"

/* Both for a page that has a curve (page->has_curve).  PRN_E_MEMORY */
int serve_plot_divergence(struct prn_buffer *out, const struct prn_explanation *page);
int serve_plot_utility(struct prn_buffer *out, const struct prn_explanation *page);

/* Both for a store that has a budget (stats->budget_per_day > 0).  PRN_E_MEMORY */
int serve_plot_spent(struct prn_buffer *out, const struct prn_stats *stats);
int serve_plot_threshold(struct prn_buffer *out, const struct prn_stats *stats);

#endif
