/*
 * libperennial: when is a web page worth fetching again?
 *
 * Bytes become fragments, fragments a summary, two summaries a divergence, divergences over time a
 * profile; a learner turns a profile into an expected-divergence curve, and one rule, U(t) = T, turns a
 * curve into a refresh time.  The headers stand in that order.
 */
#ifndef PERENNIAL_PERENNIAL_H
#define PERENNIAL_PERENNIAL_H

/* base */
#include "perennial/digest.h"
#include "perennial/error.h"
#include "perennial/interval.h"
#include "perennial/time.h"
#include "perennial/validators.h"
#include "perennial/version.h"

/* fragment */
#include "perennial/summary.h"
#include "perennial/extractor.h"

/* model */
#include "perennial/curve.h"
#include "perennial/hints.h"
#include "perennial/look.h"
#include "perennial/estimator.h"
#include "perennial/interval_prior.h"
#include "perennial/fit.h"
#include "perennial/profile.h"
#include "perennial/prior.h"
#include "perennial/siblings.h"
#include "perennial/allocate.h"

/* policy */
#include "perennial/policy.h"
#include "perennial/packing.h"
#include "perennial/policy_kind.h"
#include "perennial/trust.h"

/* simulate */
#include "perennial/process.h"
#include "perennial/schedule.h"
#include "perennial/simulation.h"

/* archive */
#include "perennial/capture.h"
#include "perennial/url.h"
#include "perennial/part.h"
#include "perennial/source.h"
#include "perennial/hint.h"

/* history */
#include "perennial/page.h"
#include "perennial/trace.h"
#include "perennial/hint_log.h"
#include "perennial/rate_log.h"
#include "perennial/partial.h"
#include "perennial/pages.h"
#include "perennial/life.h"
#include "perennial/import.h"
#include "perennial/synth.h"

/* web */
#include "perennial/graph.h"
#include "perennial/importance.h"
#include "perennial/ordering.h"
#include "perennial/parallel_crawl.h"
#include "perennial/web.h"

/* evaluate */
#include "perennial/priors.h"
#include "perennial/patterns.h"
#include "perennial/contender.h"
#include "perennial/sweep.h"
#include "perennial/score.h"
#include "perennial/evaluation.h"
#include "perennial/comparison.h"

/* longevity */
#include "perennial/survival.h"
#include "perennial/study.h"
#include "perennial/longevity.h"

/* store */
#include "perennial/store.h"

/* decide */
#include "perennial/page_state.h"
#include "perennial/budget.h"
#include "perennial/decider.h"
#include "perennial/observation.h"
#include "perennial/outcome.h"
#include "perennial/observer.h"
#include "perennial/feed.h"
#include "perennial/due.h"
#include "perennial/held.h"
#include "perennial/explanation.h"
#include "perennial/hinting.h"
#include "perennial/tuning.h"
#include "perennial/stats.h"
#include "perennial/settings_change.h"
#include "perennial/shard.h"
#include "perennial/reshard.h"

#endif
