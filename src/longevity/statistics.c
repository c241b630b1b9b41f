#include "longevity/statistics.h"

#include <math.h>
#include <string.h>

#define REJECTED_BELOW 0.05 /* the usual level */

/* Bars of the histograms (Cho §4.3, §4.4): each is up to so many days, and the last has all longer times. */
#define BARS 5
static const double bar_days[BARS] = { 1, 7, 30, 120, INFINITY };

/* The sums over pages. */
enum sum {
	PAGES, CAPTURES, DAYS, SIZE, CHANGED, FREQUENCY, CHANGES, RETURNS, RETURNING, EAGERNESS,
	FRAGMENTS, STATIC_FRAGMENTS, EPHEMERAL_FRAGMENTS, CHURN_BIRTHS, SCROLL_BIRTHS,
	CONTENT, STATIC_CONTENT, EPHEMERAL_CONTENT, CHURN_CONTENT, SCROLL_CONTENT,
	SHARED, STATIC_SHARE, CHURN_SHARE, SCROLL_SHARE, STATIC_HALF, UPDATES,
	NATURE, /* [PRN_NATURES] */
	LIFETIMES = NATURE + PRN_NATURES, /* [PRN_CENSORINGS] */
	ALL_LIFETIMES = LIFETIMES + PRN_CENSORINGS, LONGEVITY,
	INTERVAL, /* [BARS] */
	NO_CHANGE = INTERVAL + BARS,
	LIFESPAN,                       /* [BARS] method 1 */
	LIFESPAN_TWICE = LIFESPAN + BARS, /* [BARS] method 2 */
	JUDGED = LIFESPAN_TWICE + BARS, REJECTED,
	LIVED, /* pages with a mean longevity, and of these, x: change frequency, y: longevity, z: its logarithm */
	SUM_X, SUM_Y, SUM_Z, SUM_XX, SUM_YY, SUM_ZZ, SUM_XY, SUM_XZ,
	SUMS,
};
_Static_assert(SUMS <= PRN_SUMS, "PRN_SUMS is too small");

static size_t bar_of(double days)
{
	size_t bar = 0;

	while (days > bar_days[bar])
		bar++;
	return bar;
}

static void add_structure(double *sums, const struct prn_study_result *page)
{
	sums[FRAGMENTS] += (double)page->fragments;
	sums[STATIC_FRAGMENTS] += (double)page->static_fragments;
	sums[EPHEMERAL_FRAGMENTS] += (double)page->ephemeral_fragments;
	sums[CHURN_BIRTHS] += (double)page->churn_births;
	sums[SCROLL_BIRTHS] += (double)page->scroll_births;
	sums[CONTENT] += page->content;
	sums[STATIC_CONTENT] += page->static_content;
	sums[EPHEMERAL_CONTENT] += page->ephemeral_content;
	sums[CHURN_CONTENT] += page->churn_content;
	sums[SCROLL_CONTENT] += page->scroll_content;
	sums[NATURE + page->nature]++;
	if (isnan(page->shares.constant))
		return;
	sums[SHARED]++;
	sums[STATIC_SHARE] += page->shares.constant;
	sums[CHURN_SHARE] += page->shares.churn;
	sums[SCROLL_SHARE] += page->shares.scroll;
	sums[STATIC_HALF] += page->static_half;
}

static void add_longevity(double *sums, const struct prn_study_result *page)
{
	double x = page->change_frequency, y = page->longevity_days, z = log(y);

	for (int i = 0; i < PRN_CENSORINGS; i++) {
		sums[LIFETIMES + i] += (double)page->lifetimes[i];
		sums[ALL_LIFETIMES] += (double)page->lifetimes[i];
	}
	if (!page->lifetimes[PRN_CENSORED_NOT])
		return;
	sums[LONGEVITY] += y * (double)page->lifetimes[PRN_CENSORED_NOT];
	sums[LIVED]++;
	sums[SUM_X] += x;
	sums[SUM_Y] += y;
	sums[SUM_Z] += z;
	sums[SUM_XX] += x * x;
	sums[SUM_YY] += y * y;
	sums[SUM_ZZ] += z * z;
	sums[SUM_XY] += x * y;
	sums[SUM_XZ] += x * z;
}

void prn_sums_add_page(double sums[PRN_SUMS], const struct prn_study_result *page, double poisson_p)
{
	bool cut = page->there_first || page->there_last;

	sums[PAGES]++;
	sums[CAPTURES] += (double)page->captures;
	sums[DAYS] += page->days;
	sums[SIZE] += page->content / page->days;
	sums[CHANGED] += page->changes > 0;
	sums[FREQUENCY] += page->change_frequency;
	sums[CHANGES] += (double)page->changes;
	sums[RETURNS] += (double)page->returns;
	sums[RETURNING] += page->returns > 0;
	sums[EAGERNESS] += page->eagerness;
	sums[UPDATES] += page->updates;
	sums[page->changes ? (size_t)INTERVAL + bar_of(page->interval_days) : (size_t)NO_CHANGE]++;
	sums[LIFESPAN + bar_of(page->days)]++;
	sums[LIFESPAN_TWICE + bar_of(cut ? 2 * page->days : page->days)]++;
	sums[JUDGED] += !isnan(poisson_p);
	sums[REJECTED] += poisson_p <= REJECTED_BELOW;
	add_structure(sums, page);
	add_longevity(sums, page);
}

static double hidden_changes(const double *sums)
{
	return 1 - sums[CHANGES] / sums[UPDATES];
}

static double static_fragments(const double *sums)
{
	return sums[STATIC_FRAGMENTS] / sums[FRAGMENTS];
}

static double churn_of_births(const double *sums)
{
	return sums[CHURN_BIRTHS] / (sums[CHURN_BIRTHS] + sums[SCROLL_BIRTHS]);
}

/* A share of nothing is 0, not undefined. */
static double part(double whole, double share)
{
	return whole > 0 ? whole * share : 0;
}

static double churn_fragments(const double *sums)
{
	return part(1 - static_fragments(sums), churn_of_births(sums));
}

static double scroll_fragments(const double *sums)
{
	return part(1 - static_fragments(sums), 1 - churn_of_births(sums));
}

static double static_content(const double *sums)
{
	return sums[STATIC_CONTENT] / sums[CONTENT];
}

static double churn_of_content(const double *sums)
{
	return sums[CHURN_CONTENT] / (sums[CHURN_CONTENT] + sums[SCROLL_CONTENT]);
}

static double churn_content(const double *sums)
{
	return part(1 - static_content(sums), churn_of_content(sums));
}

static double scroll_content(const double *sums)
{
	return part(1 - static_content(sums), 1 - churn_of_content(sums));
}

/* Returns Pearson's correlation; NaN if either variable does not vary. */
static double correlation(double n, double x, double y, double xx, double yy, double xy)
{
	double squares = (n * xx - x * x) * (n * yy - y * y);

	return n > 1 && squares > 0 ? (n * xy - x * y) / sqrt(squares) : NAN;
}

static double longevity_correlation(const double *s)
{
	return correlation(s[LIVED], s[SUM_X], s[SUM_Y], s[SUM_XX], s[SUM_YY], s[SUM_XY]);
}

static double log_longevity_correlation(const double *s)
{
	return correlation(s[LIVED], s[SUM_X], s[SUM_Z], s[SUM_XX], s[SUM_ZZ], s[SUM_XZ]);
}

struct statistic {
	struct prn_statistic_info info;
	enum prn_statistic_kind kind;
	enum sum over, under; /* a ratio of sums, unless */
	double (*of)(const double *sums);
};

#define COUNT(name, sum, title) { { name, "count", title, false }, PRN_STATISTIC_COUNT, sum, SUMS, NULL }
#define RATIO(name, unit, over, under, title) { { name, unit, title, false }, PRN_STATISTIC_OF_SUMS, over, under, NULL }
#define BAR(name, sum, title) { { name, "share", title, true }, PRN_STATISTIC_OF_SUMS, sum, PAGES, NULL }
#define SHARE(name, over, under, title) RATIO(name, "share", over, under, title)
#define OF(name, unit, of, title) { { name, unit, title, false }, PRN_STATISTIC_OF_SUMS, SUMS, SUMS, of }
#define OTHER(name, unit, kind, title) { { name, unit, title, false }, kind, SUMS, SUMS, NULL }

static const struct statistic statistics[] = {
	COUNT("pages", PAGES, "pages measured"),
	COUNT("captures", CAPTURES, "captures of these pages"),
	RATIO("days", "days", DAYS, PAGES, "mean time a page was watched"),
	RATIO("fragments", "count", SIZE, PAGES, "mean number of fragments of a page at a time"),

	SHARE("changed_pages", CHANGED, PAGES, "pages that changed at all"),
	SHARE("change_frequency", FREQUENCY, PAGES, "captures that differ from the one before, mean over pages"),
	OF("hidden_changes", "share", hidden_changes, "updates hidden by others between captures, if they come at random"),
	SHARE("returns", RETURNS, CHANGES, "changes back to an earlier version"),
	SHARE("flip_flop_pages", RETURNING, PAGES, "pages with such a change"),
	RATIO("eagerness", "", EAGERNESS, PAGES, "how soon in a capture interval changes come: 0 late, 1 early"),

	OF("static_fragments", "share", static_fragments, "different fragments there at every capture of their page"),
	OF("churn_fragments", "share", churn_fragments, "fragments that lived from one change to the next (K = 1)"),
	OF("scroll_fragments", "share", scroll_fragments, "fragments that survived changes (K > 1)"),
	OF("churn_of_births", "share", churn_of_births, "churn among fragments born; the rest is scroll (OP: 0.67)"),
	SHARE("ephemeral_fragments", EPHEMERAL_FRAGMENTS, FRAGMENTS, "different fragments seen at one capture alone"),

	OF("static_content", "share", static_content, "content over time (fragments x days) that is static"),
	OF("churn_content", "share", churn_content, "content over time that is churn"),
	OF("scroll_content", "share", scroll_content, "content over time that is scroll"),
	SHARE("ephemeral_content", EPHEMERAL_CONTENT, CONTENT, "content over time seen at one capture alone"),

	SHARE("static_share", STATIC_SHARE, SHARED, "static share of a page's content over time, mean over pages"),
	SHARE("churn_share", CHURN_SHARE, SHARED, "churn share, mean over pages"),
	SHARE("scroll_share", SCROLL_SHARE, SHARED, "scroll share, mean over pages"),
	SHARE("static_half", STATIC_HALF, SHARED, "static_share, had only the first half been watched: it falls with time"),

	SHARE("static_pages", NATURE + PRN_NATURE_STATIC, PAGES, "pages never seen to change"),
	SHARE("churn_pages", NATURE + PRN_NATURE_CHURN, PAGES, "pages whose moving content is churn, by two thirds"),
	SHARE("scroll_pages", NATURE + PRN_NATURE_SCROLL, PAGES, "pages whose moving content is scroll, by two thirds"),
	SHARE("mixed_pages", NATURE + PRN_NATURE_MIXED, PAGES, "pages between the two"),
	SHARE("unknown_pages", NATURE + PRN_NATURE_UNKNOWN, PAGES, "pages seen to change once: either churn or scroll"),

	RATIO("longevity_days", "days", LONGEVITY, LIFETIMES + PRN_CENSORED_NOT, "mean known lifetime of fragments"),
	OTHER("lifetime_median_days", "days", PRN_STATISTIC_LIFETIME, "median lifetime, censored lives counted in"),
	SHARE("known_lifetimes", LIFETIMES + PRN_CENSORED_NOT, ALL_LIFETIMES, "lifetimes with birth and death seen"),
	SHARE("censored_left", LIFETIMES + PRN_CENSORED_LEFT, ALL_LIFETIMES, "there at first, gone at last"),
	SHARE("censored_right", LIFETIMES + PRN_CENSORED_RIGHT, ALL_LIFETIMES, "not there at first, there at last"),
	SHARE("censored_both", LIFETIMES + PRN_CENSORED_BOTH, ALL_LIFETIMES, "there all the time"),
	OF("correlation", "", longevity_correlation, "of pages' change frequency with mean longevity (OP: 0.67)"),
	OF("log_correlation", "", log_longevity_correlation, "the same with the logarithm of longevity"),

	OTHER("half_life_days", "days", PRN_STATISTIC_HALF_LIFE, "by when half of the pages have changed or gone"),
	OTHER("poisson_p", "p", PRN_STATISTIC_POISSON, "are changes a Poisson process? p-value over all pages"),
	SHARE("poisson_rejected", REJECTED, JUDGED, "pages where p is at most 0.05, which chance alone makes 0.05"),

	BAR("interval_day", INTERVAL, "pages that change once a day or more often"),
	BAR("interval_week", INTERVAL + 1, "once a week or more often, not once a day"),
	BAR("interval_month", INTERVAL + 2, "once in 30 days or more often, not once a week"),
	BAR("interval_4months", INTERVAL + 3, "once in 120 days or more often, not once in 30"),
	BAR("interval_beyond", INTERVAL + 4, "changes seen, but further apart"),
	BAR("interval_none", NO_CHANGE, "no change seen"),
	BAR("lifespan_day", LIFESPAN, "visible lifespan (method 1: as seen) up to a day"),
	BAR("lifespan_week", LIFESPAN + 1, "up to a week"),
	BAR("lifespan_month", LIFESPAN + 2, "up to 30 days"),
	BAR("lifespan_4months", LIFESPAN + 3, "up to 120 days"),
	BAR("lifespan_beyond", LIFESPAN + 4, "longer"),
	BAR("lifespan2_day", LIFESPAN_TWICE, "method 2 (twice as seen, if an end was not) up to a day"),
	BAR("lifespan2_week", LIFESPAN_TWICE + 1, "up to a week"),
	BAR("lifespan2_month", LIFESPAN_TWICE + 2, "up to 30 days"),
	BAR("lifespan2_4months", LIFESPAN_TWICE + 3, "up to 120 days"),
	BAR("lifespan2_beyond", LIFESPAN_TWICE + 4, "longer"),
};

size_t prn_statistics(void)
{
	return sizeof statistics / sizeof *statistics;
}

const struct prn_statistic_info *prn_statistic_info(size_t i)
{
	return i < prn_statistics() ? &statistics[i].info : NULL;
}

size_t prn_statistic_find(const char *name)
{
	for (size_t i = 0; i < prn_statistics(); i++)
		if (!strcmp(statistics[i].info.name, name))
			return i;
	return SIZE_MAX;
}

enum prn_statistic_kind prn_statistic_kind(size_t i)
{
	return statistics[i].kind;
}

double prn_statistic_value(size_t i, const double sums[PRN_SUMS])
{
	const struct statistic *statistic = &statistics[i];
	double value;

	if (statistic->of)
		value = statistic->of(sums);
	else if (statistic->kind == PRN_STATISTIC_COUNT)
		value = sums[statistic->over];
	else
		value = sums[statistic->over] / sums[statistic->under];
	return isfinite(value) ? value : NAN;
}
