#include "perennial/score.h"

const char *prn_window_name(enum prn_window window)
{
	static const char *const names[PRN_WINDOWS] = { "warm-up", "steady", "all" };

	return (unsigned)window < PRN_WINDOWS ? names[window] : "?";
}

const char *prn_metric_name(enum prn_metric metric)
{
	static const char *const names[PRN_METRICS] = { "fragment", "holistic", "age", "harmonic", "changes" };

	return (unsigned)metric < PRN_METRICS ? names[metric] : "?";
}
