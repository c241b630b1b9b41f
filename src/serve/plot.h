/*
 * The two figures of a page's explanation, as SVG: its expected divergence, and what a refresh is worth against the
 * threshold.  Appended to a buffer; colours are person.css's.
 */
#ifndef SERVE_PLOT_H
#define SERVE_PLOT_H

#include "base/buffer.h"
#include "perennial/explanation.h"

/* Both for a page that has a curve (page->has_curve).  PRN_E_MEMORY */
int serve_plot_divergence(struct prn_buffer *out, const struct prn_explanation *page);
int serve_plot_utility(struct prn_buffer *out, const struct prn_explanation *page);

#endif
