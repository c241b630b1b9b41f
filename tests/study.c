/* Studies of pages: histories written by hand, and random ones against counting. */
#include "perennial/study.h"
#include "history/truth.h"
#include "histories.h"
#include "tap.h"

#define HOUR_DAYS (1.0 / 24)

static struct prn_page page;
static struct prn_study *study;

static const struct prn_study_result *read_history(const struct history *history)
{
	history_page(history, "http://a.example/", &page);
	return prn_study_read(study, &page) == 1 ? prn_study_result(study) : NULL;
}

static const struct prn_study_result *read_text(const char *text)
{
	struct history history;

	history_read(&history, text);
	return read_history(&history);
}

/* The first lifetime of a letter. */
static const struct prn_lifetime *life_of(char letter)
{
	size_t count;
	const struct prn_lifetime *lifetimes = prn_study_lifetimes(study, &count);

	for (size_t i = 0; i < count; i++)
		if (lifetimes[i].hash == history_hash((size_t)(letter - 'a')))
			return &lifetimes[i];
	return NULL;
}

static void test_regions(void)
{
	/* s static, a…f churn, m…r scroll two by two; the page changes at every capture. */
	const struct prn_study_result *result = read_text("smna snob sopc spqd sqre srtf");

	ok(result != NULL, "a page of six captures is studied");
	ok(life_of('s')->region == PRN_REGION_STATIC && life_of('s')->censoring == PRN_CENSORED_BOTH,
	   "a fragment of every capture is static");
	ok(life_of('b')->region == PRN_REGION_CHURN && !life_of('b')->survived,
	   "a fragment that lives between two changes is churn");
	ok(life_of('o')->region == PRN_REGION_SCROLL && life_of('o')->survived == 1,
	   "a fragment that survives a change is scroll, K = 2");
	ok(life_of('a')->region == PRN_REGION_UNKNOWN && life_of('a')->censoring == PRN_CENSORED_LEFT,
	   "the nature of a fragment that was there at first and went at once is not known");
	ok(life_of('n')->region == PRN_REGION_SCROLL && life_of('n')->censoring == PRN_CENSORED_LEFT,
	   "a fragment there at first that survived a change is scroll all the same");
	ok(life_of('t')->region == PRN_REGION_UNKNOWN && life_of('t')->censoring == PRN_CENSORED_RIGHT,
	   "the nature of a fragment born at the last capture is not known");
	near(life_of('b')->days, HOUR_DAYS, 1e-12, "a lifetime runs to the first capture without it");
	near(life_of('s')->days, 5 * HOUR_DAYS, 1e-12,
	     "a lifetime that is not seen to end runs to the last capture");
	near(result->change_frequency, 1, 0,
	     "a page that changed at every capture has a change frequency of 1");
	near(result->interval_days, HOUR_DAYS, 1e-12,
	     "a page that changed every hour has an interval of an hour");
	ok(result->churn_births == 4 && result->scroll_births == 4,
	   "of the 8 births between the ends 4 are churn (b c d e), 4 scroll (o p q r)");
	near(result->shares.constant, 0.25, 1e-12, "a quarter of the content is static");
	near(result->shares.churn, 0.25, 1e-12, "a quarter of the content is churn");
	near(result->shares.scroll, 0.5, 1e-12, "half of the content is scroll");
	ok(result->nature == PRN_NATURE_SCROLL,
	   "a page is a scroll page when two thirds of what moves is scroll");
	ok(result->dominant_k == 1, "the most common K of the page is 1");
	ok(result->static_fragments == 1 && result->ephemeral_fragments == 4, "one fragment is always there, four are seen once");
}

/* A capture a day: b … i are churn of a day each, m and n scroll of two days each, so 8 of 12 days are churn. */
static void test_two_thirds(void)
{
	const struct prn_study_result *result;
	struct history history;

	history_read(&history, "ax bcm dem fgn hin jy");
	for (size_t i = 0; i < history.captures; i++)
		history.times[i] = (int64_t)i * 86400;
	result = read_history(&history);
	near(result->churn_content, 8, 0, "the churn of eight fragments that live a day is eight days");
	near(result->scroll_content, 4, 0, "the scroll of two fragments that live two days is four days");
	ok(result->nature == PRN_NATURE_CHURN, "a page is a churn page when just two thirds of what moves is churn");
}

static void test_changes(void)
{
	const struct prn_study_result *result = read_text("a a a a a");

	ok(result->nature == PRN_NATURE_STATIC && !result->changes, "a page that never changes is static");
	ok(isinf(result->interval_days), "a page that never changes has no end of its interval between changes");
	near(result->shares.constant, 1, 0, "all the content of a page that never changes is static");
	ok(!result->unchanged_ended, "a page that never changes is not known to end");
	near(result->unchanged_days, 4 * HOUR_DAYS, 1e-12,
	     "a page that never changes stayed as it was for as long as it was watched");
	ok(isnan(result->longevity_days), "no lifetime of a page that never changes is known");

	result = read_text("ab ab ac ac ac");
	ok(result->nature == PRN_NATURE_UNKNOWN && isnan(result->shares.churn), "one change does not tell churn from scroll");
	near(result->unchanged_days, 2 * HOUR_DAYS, 1e-12,
	     "a page that changed once stayed as it was for the two hours before");

	result = read_text("ab ac ab ab ad ac");
	ok(result->changes == 4 && result->returns == 2, "two of four changes go back: to ab, and to ac");
	result = read_text("ab ac ad ae af");
	ok(!result->returns, "no change goes back where every version is new");
	ok(result->nature == PRN_NATURE_CHURN, "a page whose moving content is churn is a churn page");

	result = read_text("0 0 a 0 0");
	ok(result->changes == 2 && result->returns == 1, "an empty page is content: it can be left and come back to");
	near(result->shares.churn, 1, 1e-12, "all that ever was on a page that is mostly empty is churn");
	result = read_text("0 0 0 0");
	near(result->shares.constant, 1, 0, "a page that stays empty is static");
}

static void test_failures(void)
{
	const struct prn_study_result *result = read_text("ab ! ac = ! ad");
	const bool *changed;
	size_t count;
	const double *waits;

	ok(result->captures == 6 && result->taken == 4, "failed captures are no observations, 304 is one");
	near(result->change_frequency, 2.0 / 3, 1e-12, "the share of changes is of observations");
	waits = prn_study_waits(study, &changed, &count);
	ok(count == 3, "between four observations there are three waits");
	same(tap_text("%d%d%d", changed[0], changed[1], changed[2]), "101",
	     "each wait tells whether the observation after it was a change");
	near(waits[0] + waits[1] + waits[2], 5 * HOUR_DAYS, 1e-12, "waits add up to the time watched");
	near(waits[0], 2 * HOUR_DAYS, 1e-12, "a wait reaches over a failure");

	result = read_text("ab ab ab ab - -");
	ok(result->captures == 4 && !result->there_last, "a page that is gone for good has ended");
	ok(result->unchanged_ended && !result->changes, "the end of a page ends its staying as it was");
	near(result->unchanged_days, 4 * HOUR_DAYS, 1e-12,
	     "a page stayed as it was until it was first found gone");
	ok(life_of('a')->censoring == PRN_CENSORED_BOTH,
	   "the fragments of a page that is gone did not die: their page did");
	result = read_text("- - ab ab ab ac ab ab");
	ok(result->captures == 6 && !result->there_first, "a life of a page begins with its first content");
	ok(!read_text("ab ab ac"), "three captures are too few to study a page");
}

/* What a history says by its presence matrix. */
struct counted {
	size_t changes, taken, returns, fragments, statics, churn_births, scroll_births, lifetimes[PRN_CENSORINGS];
	double content, static_content, churn_content, scroll_content, known_days, half, half_static;
};

static bool same_set(const struct history *history, size_t a, size_t b)
{
	return !memcmp(history->has[a], history->has[b], sizeof history->has[a]);
}

/* Churn, scroll and static by what a fragment was in the version before and in the one after. */
static void count_versions(const struct history *history, struct counted *counted)
{
	size_t starts[HISTORY_CAPTURES + 1], versions = 0, last = history->captures - 1;

	for (size_t i = 0; i < history->captures; i++)
		if (!i || !same_set(history, i, i - 1))
			starts[versions++] = i;
	starts[versions] = last;
	counted->changes = versions - 1;
	for (size_t v = 2; v < versions; v++)
		for (size_t u = 0; u + 1 < v; u++)
			if (same_set(history, starts[u], starts[v])) {
				counted->returns++;
				break;
			}
	for (size_t v = 1; v + 1 < versions; v++) {
		double days = (double)(history->times[starts[v + 1]] - history->times[starts[v]]) / 86400;

		for (size_t j = 0; j < HISTORY_FRAGMENTS; j++) {
			bool always = true, before = history->has[starts[v - 1]][j], after = history->has[starts[v + 1]][j];

			for (size_t i = 0; i < history->captures; i++)
				always = always && history->has[i][j];
			if (always || !history->has[starts[v]][j])
				continue;
			*(before || after ? &counted->scroll_content : &counted->churn_content) += days;
			if (!before)
				*(after ? &counted->scroll_births : &counted->churn_births) += 1;
		}
	}
}

static void count_lives(const struct history *history, struct counted *counted, size_t j)
{
	size_t last = history->captures - 1, middle = history->captures / 2, there = 0, half_there = 0;

	for (size_t i = 0; i <= last; i++) {
		size_t to = i;

		there += history->has[i][j];
		half_there += i <= middle && history->has[i][j];
		if (!history->has[i][j] || (i && history->has[i - 1][j]))
			continue;
		while (to <= last && history->has[to][j])
			to++;
		counted->lifetimes[!i ? to > last ? PRN_CENSORED_BOTH : PRN_CENSORED_LEFT
		                      : to > last ? PRN_CENSORED_RIGHT : PRN_CENSORED_NOT]++;
		if (i && to <= last)
			counted->known_days += (double)(history->times[to] - history->times[i]) / 86400;
	}
	counted->fragments += there > 0;
	counted->statics += there == history->captures;
	for (size_t i = 0; i < last; i++) {
		double days = (double)(history->times[i + 1] - history->times[i]) / 86400;

		if (!history->has[i][j])
			continue;
		counted->content += days;
		counted->static_content += there == history->captures ? days : 0;
		counted->half += i < middle ? days : 0;
		counted->half_static += i < middle && half_there == middle + 1 ? days : 0;
	}
}

static struct counted count_history(const struct history *history)
{
	struct counted counted = { 0 };

	for (size_t i = 0; i < history->captures; i++)
		counted.taken += prn_kind_is_observation(history->kinds[i]);
	count_versions(history, &counted);
	for (size_t j = 0; j < HISTORY_FRAGMENTS; j++)
		count_lives(history, &counted, j);
	return counted;
}

/* Relative, for sums in any order. */
static bool about(double a, double b)
{
	return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)) || (isnan(a) && isnan(b));
}

static bool agrees(const struct prn_study_result *result, const struct counted *counted)
{
	double moving = counted->churn_content + counted->scroll_content;
	bool shares = moving > 0 ? about(result->shares.constant, counted->static_content / counted->content) &&
	                                   about(result->shares.churn / (result->shares.churn + result->shares.scroll),
	                                         counted->churn_content / moving)
	                         : !(result->shares.churn > 0);

	return shares && result->changes == counted->changes && result->taken == counted->taken &&
	       result->returns == counted->returns && result->fragments == counted->fragments &&
	       result->static_fragments == counted->statics && result->churn_births == counted->churn_births &&
	       result->scroll_births == counted->scroll_births &&
	       !memcmp(result->lifetimes, counted->lifetimes, sizeof result->lifetimes) &&
	       about(result->content, counted->content) && about(result->static_content, counted->static_content) &&
	       about(result->churn_content, counted->churn_content) &&
	       about(result->scroll_content, counted->scroll_content) &&
	       about(result->longevity_days, counted->known_days / (double)counted->lifetimes[PRN_CENSORED_NOT]) &&
	       about(result->static_half, counted->half > 0 ? counted->half_static / counted->half : 1);
}

static void test_against_counting(void)
{
	size_t agreed = 0, mixed = 0;

	for (uint64_t seed = 0; seed < 500; seed++) {
		struct history history;
		struct counted counted;
		const struct prn_study_result *result;

		history_draw(&history, seed);
		counted = count_history(&history);
		result = read_history(&history);
		mixed += counted.churn_births && counted.scroll_births && counted.returns;
		if (result && agrees(result, &counted))
			agreed++;
		else
			printf("# seed %llu disagrees\n", (unsigned long long)seed);
	}
	ok(agreed == 500, "of 500 random histories all measures are those of counting");
	ok(mixed > 100, "%zu of them have churn, scroll and returns at once", mixed);
}

int main(void)
{
	if (prn_study_open(&study))
		return 1;
	prn_page_init(&page);
	test_regions();
	test_two_thirds();
	test_changes();
	test_failures();
	test_against_counting();
	prn_page_release(&page);
	prn_study_free(study);
	prn_study_free(NULL);
	return done();
}
