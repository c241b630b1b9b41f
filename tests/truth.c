/* Ground truth between captures: eagerness, integrals, and which capture a time has come by. */
#include "history/truth.h"
#include "histories.h"
#include "perennial/summary.h"
#include "tap.h"

static struct prn_page page;
static struct prn_truth truth;

static int read_text(const char *text, enum prn_clock clock)
{
	struct history history;

	history_read(&history, text);
	history_page(&history, "http://a.example/", &page);
	return prn_truth_read(&truth, &page, clock);
}

static void lives(void)
{
	ok(read_text("a a a", PRN_CLOCK_STEPS) == 0, "three captures are too few for a truth");
	ok(read_text("! a - a b - -", PRN_CLOCK_STEPS) == 1 && truth.captures == 4,
	   "a life goes from the first content to the last capture before it is gone for good");
	ok(read_text("- - ! !", PRN_CLOCK_STEPS) == 0, "a page without content is left out");
}

static void clocks(void)
{
	struct history history;

	history_read(&history, "a b c d");
	history.times[1] = 1 * 86400;
	history.times[2] = 2 * 86400;
	history.times[3] = 6 * 86400;
	history_page(&history, "http://a.example/", &page);
	prn_truth_read(&truth, &page, PRN_CLOCK_STEPS);
	near(truth.unit_s, 2 * 86400, 0, "a step is the mean capture interval");
	near(truth.time[2], 1, 0, "time is counted in steps");
	prn_truth_read(&truth, &page, PRN_CLOCK_DAYS);
	near(truth.time[2], 2, 0, "time is counted in days by the clock in days");
	ok(prn_truth_capture_at(&truth, 1, 1 + 0.4 / 86400) == 1, "a time 0.4 s after a capture has come by it");
	ok(prn_truth_capture_at(&truth, 1, 1 + 0.6 / 86400) == 2,
	   "a time 0.6 s after a capture has not come by it");
	ok(prn_truth_capture_at(&truth, 3, 1) == 3, "the past has come by the next capture");
	ok(prn_truth_capture_at(&truth, 1, INFINITY) == 4, "a time that never comes is come by no capture");
}

static void modification_times(void)
{
	struct history history;

	history_read(&history, "a b c d");
	for (int i = 0; i < 4; i++)
		history.times[i] = (i + 1) * 86400;
	history_page(&history, "http://a.example/", &page);
	page.captures[0].modified = 86400 - 21600;
	page.captures[1].modified = 2 * 86400;
	page.captures[2].modified = 3 * 86400 + 1;
	prn_truth_read(&truth, &page, PRN_CLOCK_DAYS);
	near(truth.since_modified[0], 0.25, 0, "a page modified six hours before a capture was modified a quarter of a day ago");
	near(truth.since_modified[1], 0, 0, "a page that says it was modified when it was captured is not believed");
	near(truth.since_modified[2], 0, 0, "a page that says it was modified a second after it was captured is not believed");
	near(truth.since_modified[3], 0, 0, "of a page that does not say when it was modified it is not known");
}

static void eagerness(void)
{
	/*
	 * D(abcd, abce) = 2/5 = D(abce, abcf) = D(abcd, abcf).
	 * Triples: (0,1,2) abcd abcd abce: 0 / .4 = 0; (1,2,3) abcd abce abce: .4 / .4 = 1; (2,3,4) abce abce abcf: 0;
	 * (3,4,5) abce abcf abce: D = 0, not counted.  E = 1/3, holistic 1/3.
	 */
	read_text("abcd abcd abce abce abcf abce", PRN_CLOCK_STEPS);
	near(truth.eagerness, 1.0 / 3, 1e-15, "eagerness is the mean over triples that differ");
	near(truth.holistic_eagerness, 1.0 / 3, 1e-15,
	     "holistic eagerness is the mean over triples that differ");
	/* (0,1,2): D(abcd, abce) / D(abcd, abef) = (2/5) / (4/6) = .6; (1,2,3) abce abef abef: 1. */
	read_text("abcd abce abef abef", PRN_CLOCK_STEPS);
	near(truth.eagerness, 0.8, 1e-15, "half a change that came first counts as much");
	near(truth.holistic_eagerness, 1, 0,
	     "holistic eagerness counts half a change that came first as a whole one");
	/* (0,1,2) abcd efgh abce: D = 1 against 2/5, taken as 1; (1,2,3): D(efgh, abce) = 6/7, D(efgh, abcd) = 1. */
	read_text("abcd efgh abce abcd", PRN_CLOCK_STEPS);
	near(truth.eagerness, (1 + 6.0 / 7) / 2, 1e-15, "a share of a change above 1 counts as 1");
	/* A failure in each triple that differs: no triple counts. */
	read_text("abcd ! abce ! abcf", PRN_CLOCK_STEPS);
	near(truth.eagerness, 0.5, 0, "only captures that were taken count; without any E is a half");
	read_text("abcd = = abce", PRN_CLOCK_STEPS);
	near(truth.eagerness, 0, 0, "a capture that is not modified counts as taken");
}

static void integral(void)
{
	/* E = 0.8 as above; D from abcd: 0, .4, 2/3, 2/3. */
	read_text("abcd abce abef abef", PRN_CLOCK_STEPS);
	near(prn_truth_integral(&truth, 0, 0, 3), (0.8 * 0.4) + (0.2 * 0.4 + 0.8 * 2 / 3) + 2.0 / 3, 1e-15,
	     "the integral weighs both ends of each gap by eagerness");
	near(prn_truth_holistic_integral(&truth, 0, 0, 3), 3, 1e-15,
	     "the holistic integral is stale from the first change on");
	near(prn_truth_integral(&truth, 2, 2, 3), 0, 0, "a fresh copy of a still page is fresh");
}

/* Integral and eagerness of random pages, from sets, one definition at a time. */
static void by_chance(void)
{
	double worst_e = 0, worst_i = 0;

	for (uint64_t seed = 100; seed < 160; seed++) {
		struct history h;
		double sum = 0, triples = 0, e, step;
		size_t last;

		history_draw(&h, seed);
		history_page(&h, "http://a.example/", &page);
		last = h.captures - 1;
		prn_truth_read(&truth, &page, PRN_CLOCK_STEPS);
		for (size_t i = 0; i + 2 <= last; i++) {
			double whole = history_divergence(&h, i, i + 2);

			if (h.kinds[i] || h.kinds[i + 1] || h.kinds[i + 2] || whole <= 0)
				continue;
			sum += fmin(1, history_divergence(&h, i, i + 1) / whole);
			triples++;
		}
		e = triples > 0 ? sum / triples : 0.5;
		worst_e = fmax(worst_e, fabs(e - truth.eagerness));
		step = (double)(h.times[last] - h.times[0]) / (double)last;
		for (size_t base = 0; base <= last; base++)
			for (size_t to = base; to <= last; to++) {
				double want = 0;

				for (size_t i = base; i < to; i++)
					want += (double)(h.times[i + 1] - h.times[i]) / step *
					        ((1 - e) * history_divergence(&h, base, i) +
					         e * history_divergence(&h, base, i + 1));
				worst_i = fmax(worst_i, fabs(want - prn_truth_integral(&truth, base, base, to)));
			}
	}
	near(worst_e, 0, 1e-14, "60 random pages: eagerness as its definition (rounding of a mean)");
	near(worst_i, 0, 1e-11,
	     "60 random pages: every integral as its definition (rounding of up to 64 terms below 64)");
}

static void estimates(void)
{
	const struct prn_seen *exact, *first, *again;
	double estimate;

	read_text("abcdefgh abcdefgi abcdefjk abcdefjk", PRN_CLOCK_STEPS);
	ok(!prn_truth_seen(&truth, &page, PRN_SUMMARY_ALL, &exact) && exact == &truth.exact,
	   "with all fragments the divergence that is seen is exact");
	ok(!prn_truth_seen(&truth, &page, 3, &first),
	   "with three fragments the divergence that is seen is an estimate");
	estimate = prn_seen_divergence(first, 0, 2);
	ok(fabs(3 * estimate - round(3 * estimate)) < 1e-12,
	   "with three fragments the divergence that is seen is a number of thirds");
	ok(!prn_truth_seen(&truth, &page, 3, &again) && again == first,
	   "the divergence that is seen is made once for a page");
	ok(prn_seen_divergence(again, 0, 2) == estimate,
	   "the divergence that is seen of a page stays as it was made");
	read_text("a a a b", PRN_CLOCK_STEPS);
	ok(!prn_truth_seen(&truth, &page, 3, &again) && prn_seen_divergence(again, 0, 1) == 1,
	   "the divergence that is seen is made anew for the next page");
}

int main(void)
{
	prn_page_init(&page);
	prn_truth_init(&truth);
	lives();
	clocks();
	modification_times();
	eagerness();
	integral();
	by_chance();
	estimates();
	prn_truth_release(&truth);
	prn_page_release(&page);
	return done();
}
