/*
 * Figures as SVG, appended to a buffer.  For a page's explanation they show its expected divergence, and the worth of a refresh
 * against the threshold.  For a store with a budget they show what was spent, and the threshold, over the last day.  Their labels
 * can be read at a width of 340 pixels; their colours are defined in person.css.
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
