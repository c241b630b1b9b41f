/* Replaying policies over a page: costs, staleness, windows; by hand, and against a slow replay from sets. */
#include "evaluate/offline.h"
#include "evaluate/replay.h"
#include "histories.h"
#include "perennial/summary.h"
#include "tap.h"

static struct prn_page page;
static struct prn_truth truth;
static struct prn_offline offline;
static uint64_t state[4096];

static void read_text(const char *text)
{
	struct history history;

	history_read(&history, text);
	history_page(&history, "http://a.example/", &page);
	if (prn_truth_read(&truth, &page, PRN_CLOCK_STEPS) != 1 || prn_offline_study(&offline, &truth))
		abort();
}

static void replay(const char *specification, double dial, struct prn_score scores[PRN_WINDOWS])
{
	struct prn_policy *policy;

	if (prn_policy_open(&policy, specification, NULL, NULL))
		abort();
	prn_replay_policy(&(struct prn_driver){ .truth = &truth, .policy = policy, .seen = &truth.exact, .dial = dial, .state = state }, scores);
	prn_policy_free(policy);
}

static void uniform(double period, struct prn_score scores[PRN_WINDOWS])
{
	replay("uniform", period, scores);
}

static void by_hand(void)
{
	struct prn_score scores[PRN_WINDOWS];

	/* N = 4; D to the next: 2/5, 0, 1, 0; E: triples (0,1,2): 1, (1,2,3): 0, (2,3,4): 1, so E = 2/3. */
	read_text("abcd abce abce wxyz wxyz");
	near(truth.eagerness, 2.0 / 3, 1e-15, "the eagerness of a page is what it is by hand");
	uniform(1, scores);
	near(scores[PRN_WINDOW_ALL].cost, 1, 0, "uniform: a visit at every capture costs 1");
	near(scores[PRN_WINDOW_WARM_UP].cost, 1, 0, "uniform: a visit at every capture costs 1 in warm-up");
	near(scores[PRN_WINDOW_STEADY].cost, 1, 0,
	     "uniform: a visit at every capture costs 1 in the steady state");
	near(scores[PRN_WINDOW_WARM_UP].staleness, 2.0 / 3 * 0.4 / 2, 1e-15,
	     "uniform: visits at every capture leave stale what came in between: E .4 in the first half");
	near(scores[PRN_WINDOW_STEADY].staleness, 2.0 / 3 * 1 / 2, 1e-15,
	     "uniform: visits at every capture leave stale what came in between: E 1 in the second half");
	near(scores[PRN_WINDOW_ALL].staleness, 2.0 / 3 * 1.4 / 4, 1e-15,
	     "uniform: the staleness of the whole is that of both halves");
	uniform(2, scores);
	near(scores[PRN_WINDOW_ALL].cost, 0.5, 0, "uniform: a visit at every second capture costs a half");
	/* Stale from abcd: E .4 in (0,1), .4 in (1,2); visit at 2: E 1 in (2,3), 1 in (3,4). */
	near(scores[PRN_WINDOW_WARM_UP].staleness, (2.0 / 3 * 0.4 + 0.4) / 2, 1e-15,
	     "uniform: what is stale in the first half lasts until the visit");
	near(scores[PRN_WINDOW_STEADY].staleness, (2.0 / 3 + 1) / 2, 1e-15,
	     "uniform: what is stale in the second half lasts until the visit");
	uniform(1.5, scores);
	near(scores[PRN_WINDOW_ALL].cost, 0.5, 0,
	     "uniform: with period 1.5 the times 1.5, 3 and 4.5 come by at captures 2 and 3");
	uniform(5, scores);
	near(scores[PRN_WINDOW_ALL].cost, 0, 0, "uniform: a period beyond the life of a page costs nothing");
	near(scores[PRN_WINDOW_ALL].staleness, (2.0 / 3 * 0.4 + 0.4 + (0.4 / 3 + 2.0 / 3) + 1) / 4, 1e-15,
	     "uniform: a period beyond the life of a page lets the copy rot");
}

/* The other metrics of the page of by_hand, by hand; the eagerness of "changed at all" is 2/3 too. */
static void metrics_by_hand(void)
{
	const double day = HISTORY_STEP_S / 86400.0;
	struct prn_score scores[PRN_WINDOWS];
	const double *all = scores[PRN_WINDOW_ALL].metrics;

	read_text("abcd abce abce wxyz wxyz");
	near(truth.holistic_eagerness, 2.0 / 3, 1e-15,
	     "the eagerness of change of a page is what it is by hand");
	uniform(1, scores);
	near(all[PRN_METRIC_HOLISTIC], 2.0 / 3 * 2 / 4, 1e-15,
	     "a page visited always is out of date in two gaps, if its changes came early");
	near(all[PRN_METRIC_AGE], 2.0 / 3 * (0.5 + 0.5) / 4 * day, 1e-15,
	     "a page visited always has the age of half a gap on the mean where it is out of date");
	near(all[PRN_METRIC_HARMONIC], 2.0 / 3 * 2 / 4, 1e-15,
	     "a page visited always has a harmonic penalty of 1 for each change");
	near(all[PRN_METRIC_CHANGES], 2, 0, "two visits of a page visited always find a change");
	uniform(5, scores);
	near(all[PRN_METRIC_HOLISTIC], (2.0 / 3 + 3) / 4, 1e-15,
	     "a page never visited is out of date from its first change on");
	/* The change came at 0 or 1, at 1/3 on the mean: ages 1.5 - 1/3, 2.5 - 1/3, 3.5 - 1/3 in the middles of gaps. */
	near(all[PRN_METRIC_AGE], (2.0 / 3 * 0.5 + 7.5 - 1) / 4 * day, 1e-14,
	     "the copy of a page never visited grows older and older");
	/* Penalties: 1 with 2/3; 1; 1 + 1/2 with 2/3 and 1 with 1/3; 1.5. */
	near(all[PRN_METRIC_HARMONIC], (2.0 / 3 + 1 + 4.0 / 3 + 1.5) / 4, 1e-15,
	     "the second change that a copy missed counts half in the harmonic penalty");
	near(all[PRN_METRIC_CHANGES], 0, 0, "no change of a page never visited is found");
	near(scores[PRN_WINDOW_STEADY].metrics[PRN_METRIC_HARMONIC], (4.0 / 3 + 1.5) / 2, 1e-15,
	     "the steady window has a harmonic penalty of its own");
	/* A page that comes back is fresh, but has changed twice. */
	read_text("ab cd ab ab ab");
	uniform(9, scores);
	near(all[PRN_METRIC_HOLISTIC], 1.0 / 4, 1e-15,
	     "a page that comes back to what it was is fresh again");
	ok(all[PRN_METRIC_HARMONIC] > 1.5 * 2 / 4,
	   "a page that comes back to what it was has changed twice for the harmonic penalty");
}

/* What a visit costs where conditional requests are made: by the bytes, and where they are not known by the text. */
static void conditional(void)
{
	struct prn_score scores[PRN_WINDOWS];

	truth.look_cost = 0.1;
	read_text("ab ab cd = ab ! ab");
	uniform(1, scores);
	near(scores[PRN_WINDOW_ALL].cost, (0.1 + 1 + 0.1 + 1 + 1 + 0.1) / 6, 1e-15,
	     "a visit to an unchanged page costs a look, and one to a page that changed, or fails, a fetch");
	uniform(2, scores);
	near(scores[PRN_WINDOW_ALL].cost, (1 + 1 + 0.1) / 6, 1e-15, "a visit is compared with the visit before it");
	for (size_t i = 0; i < 7; i++) {
		page.captures[i].body = i < 3 ? 1 : i < 5 ? 4 : 7;
		page.captures[i].body_bytes = 100 * page.captures[i].body;
	}
	prn_truth_read(&truth, &page, PRN_CLOCK_STEPS);
	uniform(1, scores);
	near(scores[PRN_WINDOW_ALL].cost, (0.1 + 0.1 + 1 + 0.1 + 1 + 1) / 6, 1e-15,
	     "where the bytes are known, they tell what a visit costs, not the text");
	truth.look_cost = 0;
	uniform(1, scores);
	near(scores[PRN_WINDOW_ALL].cost, 1, 0, "unless told otherwise every visit costs one");
}

/* Visits that cost the bytes that they bring: bodies of 100, 100, 300 and 700 bytes beside 400 of heads, and one that fails. */
static void in_bytes(void)
{
	struct prn_score scores[PRN_WINDOWS];
	double dear = 0, cheap = 0;

	truth.mean_bytes = 500;
	read_text("ab ab cd ! ef");
	uniform(1, scores);
	near(scores[PRN_WINDOW_ALL].cost, 1, 0, "where the bytes are not known a visit costs what it does in the mean");
	for (size_t i = 0; i < 5; i++) {
		page.captures[i].body = (uint32_t[]){ 1, 1, 3, 3, 5 }[i];
		page.captures[i].body_bytes = (uint64_t[]){ 100, 100, 300, 300, 700 }[i];
	}
	prn_truth_read(&truth, &page, PRN_CLOCK_STEPS);
	uniform(1, scores);
	near(scores[PRN_WINDOW_ALL].cost, (500 + 700 + 400 + 1100) / 500.0 / 4, 1e-15, "a visit costs its bytes, and one that fails those of the heads");
	truth.look_cost = 0.01;
	uniform(1, scores);
	near(scores[PRN_WINDOW_ALL].cost, (400 + 700 + 400 + 1100) / 500.0 / 4, 1e-15, "a visit to unchanged bytes costs no less than the heads");
	truth.look_cost = 0.9;
	uniform(1, scores);
	near(scores[PRN_WINDOW_ALL].cost, (450 + 700 + 400 + 1100) / 500.0 / 4, 1e-15, "a visit to unchanged bytes costs its share of theirs");
	near(truth.mean_cost, (500 + 700 + 400 + 1100) / 500.0 / 4, 1e-15, "to fetch every capture costs the mean of their costs");
	truth.look_cost = 0;
	/* Of a page that is dear cgm visits fewer captures at the same threshold. */
	read_text("ab ac ad ae af ag ah ai aj ak al am an ao ap aq ar as at au");
	for (int i = 0; i < 2; i++) {
		for (size_t j = 0; j < page.capture_count; j++) {
			page.captures[j].body = (uint32_t)j + 1;
			page.captures[j].body_bytes = i ? 600 : 19600;
		}
		prn_truth_read(&truth, &page, PRN_CLOCK_STEPS);
		replay("cgm", 0.5, scores);
		*(i ? &cheap : &dear) = scores[PRN_WINDOW_ALL].cost / truth.mean_cost;
	}
	ok(cheap > 1.5 * dear && dear > 0, "a policy visits a page of few bytes oftener than one of many: %g, %g of the captures", cheap, dear);
	truth.mean_bytes = 0;
}

static void failures(void)
{
	struct prn_score scores[PRN_WINDOWS];

	/* E = 1/2 (no triple).  Visits at 1 (fails), 2, 3: the copy of abcd is there until 2. */
	read_text("abcd ! abce abce");
	uniform(1, scores);
	near(scores[PRN_WINDOW_ALL].cost, 1, 0, "a visit that fails costs as much as any");
	near(scores[PRN_WINDOW_ALL].staleness, 0.5 * 0.4 / 3, 1e-15,
	     "a visit that fails leaves the copy as it was");
	/* Period 2: the visit at 2 fails, and is made again at 4; D = .4 from 3 on; E = 0: (2,3,4) and others fail. */
	read_text("abcd abcd ! abce abce abce abce");
	uniform(2, scores);
	near(scores[PRN_WINDOW_ALL].cost, 0.5, 0, "a visit that fails is made again after the same period");
	near(scores[PRN_WINDOW_ALL].staleness, (truth.eagerness * 0.4 + 0.4) / 6, 1e-15,
	     "a visit made again after a failure refreshes the copy");
}

/* What a copy is worth over the gap before capture i; since is the first capture that differed from it, or 0. */
static void slow_gap(const struct history *h, size_t base, size_t i, size_t since, double e, double holistic_e,
                     double *sums)
{
	double from = (double)h->times[i - 1], to = (double)h->times[i], middle = (from + to) / 2, age = 0;
	double before = history_divergence(h, base, i - 1), after = history_divergence(h, base, i);
	double stale = (1 - holistic_e) * (before > 0) + holistic_e * (after > 0), penalty[2] = { 0, 0 };
	int missed = 0;

	for (size_t j = base + 1; j <= i; j++) {
		missed += history_divergence(h, j - 1, j) > 0;
		for (int n = 1; j + 1 >= i && n <= missed; n++)
			penalty[j == i] += 1.0 / n;
	}
	/* In the middle of the gap, which is the mean over it: all is straight. */
	if (since == i)
		age = holistic_e * (middle - from);
	else if (since)
		age = stale * (holistic_e * (middle - (double)h->times[since - 1]) +
		               (1 - holistic_e) * (middle - (double)h->times[since]));
	sums[PRN_METRIC_FRAGMENT] += (to - from) * ((1 - e) * before + e * after);
	sums[PRN_METRIC_HOLISTIC] += (to - from) * stale;
	sums[PRN_METRIC_AGE] += (to - from) * age / 86400;
	sums[PRN_METRIC_HARMONIC] += (to - from) * ((1 - holistic_e) * (base + 1 < i ? penalty[0] : 0) + holistic_e * penalty[1]);
}

struct slow_half {
	double visits, captures, seconds, sums[PRN_METRICS];
};

static struct prn_score slow_score(const struct slow_half *half)
{
	struct prn_score score = { .cost = half->visits / half->captures };

	for (int metric = 0; metric < PRN_METRICS; metric++)
		score.metrics[metric] = half->sums[metric] / (metric == PRN_METRIC_CHANGES ? 1 : half->seconds);
	return score;
}

/* One policy replayed from the history's sets, capture by capture, without the engine. */
static void slow_replay(const struct history *h, const struct prn_policy *policy, double dial, double e,
                        double holistic_e, struct prn_score scores[PRN_WINDOWS])
{
	size_t last = h->captures - 1, half = last / 2, base = 0, since = 0, kept[PRN_POLICY_SLOTS] = { 0 };
	double step = (double)(h->times[last] - h->times[0]) / (double)last, due = 0, period = 0;
	struct slow_half halves[3] = { { .captures = (double)half }, { .captures = (double)(last - half) },
		                       { .captures = (double)last } };

	memset(state, 0, sizeof state);
	for (size_t i = 0; i <= last; i++) {
		double now = (double)(h->times[i] - h->times[0]) / step, divergence[PRN_POLICY_SLOTS];
		struct slow_half *part = &halves[i > half];

		if (i) {
			if (!since && history_divergence(h, base, i) > 0)
				since = i;
			slow_gap(h, base, i, since, e, holistic_e, part->sums);
			part->seconds += (double)(h->times[i] - h->times[i - 1]);
		}
		if (i && due > now + 0.5 / step)
			continue;
		part->visits += i > 0;
		if (prn_kind_is_observation(h->kinds[i])) {
			struct prn_visit visit = { .time = now, .weight = 1, .threshold = dial, .divergence = divergence,
			                           .page = truth.page };
			struct prn_decision decision;

			for (size_t s = 0; s < PRN_POLICY_SLOTS; s++)
				divergence[s] = history_divergence(h, kept[s], i);
			prn_policy_visit(policy, state, &visit, &decision);
			if (decision.keep >= 0)
				kept[decision.keep] = i;
			period = decision.period;
			part->sums[PRN_METRIC_CHANGES] += history_divergence(h, base, i) > 0;
			base = i;
			since = 0;
		}
		due = now + period;
	}
	halves[2].visits = halves[0].visits + halves[1].visits;
	halves[2].seconds = halves[0].seconds + halves[1].seconds;
	for (int metric = 0; metric < PRN_METRICS; metric++)
		halves[2].sums[metric] = halves[0].sums[metric] + halves[1].sums[metric];
	for (int window = 0; window < PRN_WINDOWS; window++)
		scores[window] = slow_score(&halves[window]);
}

/* The largest relative difference of any number in two scores of all windows. */
static double difference(const struct prn_score *got, const struct prn_score *want)
{
	double worst = 0;

	for (size_t w = 0; w < PRN_WINDOWS; w++) {
		worst = fmax(worst, fabs(got[w].cost - want[w].cost));
		for (int metric = 0; metric < PRN_METRICS; metric++)
			worst = fmax(worst, fabs(got[w].metrics[metric] - want[w].metrics[metric]) /
			                            fmax(1, want[w].metrics[metric]));
	}
	return worst;
}

static void by_chance(const char *name)
{
	static const double dials[] = { 0.02, 0.3, 1, 2.5, 9 };
	double worst = 0, costs = 0, trials = 0;
	struct prn_policy *policy;

	if (prn_policy_open(&policy, name, NULL, NULL))
		abort();
	for (uint64_t seed = 200; seed < 230; seed++) {
		struct history h;

		history_draw(&h, seed);
		history_page(&h, "http://a.example/", &page);
		if (prn_truth_read(&truth, &page, PRN_CLOCK_STEPS) != 1)
			abort();
		for (size_t i = 0; i < sizeof dials / sizeof *dials; i++) {
			struct prn_score got[PRN_WINDOWS], want[PRN_WINDOWS];

			prn_replay_policy(&(struct prn_driver){ .truth = &truth, .policy = policy, .seen = &truth.exact, .dial = dials[i], .state = state }, got);
			slow_replay(&h, policy, dials[i], truth.eagerness, truth.holistic_eagerness, want);
			worst = fmax(worst, difference(got, want));
			costs += got[PRN_WINDOW_ALL].cost;
			trials++;
		}
	}
	near(worst, 0, 1e-12, "%s: 30 random pages at 5 settings as replayed from sets (rounding of 64 terms)", name);
	ok(costs > 0.01 * trials && costs < trials, "%s was neither always nor never visiting", name);
	prn_policy_free(policy);
}

/* Cost and staleness of both windows add up to those of the whole, by their lengths. */
static void windows(void)
{
	double worst = 0;

	for (uint64_t seed = 300; seed < 340; seed++) {
		struct prn_score s[PRN_WINDOWS];
		struct history h;
		double n, half, t, t_half;

		history_draw(&h, seed);
		history_page(&h, "http://a.example/", &page);
		if (prn_truth_read(&truth, &page, PRN_CLOCK_STEPS) != 1)
			abort();
		uniform(1.7, s);
		n = (double)truth.captures - 1;
		half = floor(n / 2);
		t = truth.time[truth.captures - 1];
		t_half = truth.time[(truth.captures - 1) / 2];
		worst = fmax(worst, fabs(s[0].cost * half + s[1].cost * (n - half) - s[2].cost * n));
		worst = fmax(worst, fabs(s[0].staleness * t_half + s[1].staleness * (t - t_half) - s[2].staleness * t));
	}
	near(worst, 0, 1e-11, "warm-up and steady state make up the whole (rounding of sums below 64)");
}

static struct prn_score yardstick(enum prn_yardstick which, double threshold)
{
	struct prn_score scores[PRN_WINDOWS];

	prn_offline_replay(&offline, &truth, which, threshold, scores);
	return scores[PRN_WINDOW_ALL];
}

static void yardsticks_of_one_period(void)
{
	/*
	 * Two fragments that change together once, at 2: "ab" ab cd cd cd; N = 4.  Triples: (0,1,2): 0/1, (1,2,3): 1/1:
	 * E = 1/2 for both forms.  D of pairs by lag: 1: 0 1 0 0; 2: 1 1 0; 3: 1 1; 4: 1, so D* = 1/4, 2/3, 1, 1.
	 * D* between lags, half of each end over the pairs that reach the later one: (0 + 1/4)/2, (1/3 + 2/3)/2, 1, 1,
	 * so the integrals are .125, .625, 1.625, 2.625.
	 * U = t D* - integral: .25 - .125, 4/3 - .625, 3 - 1.625, 4 - 2.625.
	 */
	read_text("ab ab cd cd cd");
	near(offline.utility[1], 0.125, 1e-15, "FS-S's U at one step is t D* less its integral");
	near(offline.utility[2], 4.0 / 3 - 0.625, 1e-15, "FS-S's U at two steps is t D* less its integral");
	near(offline.utility[3], 1.375, 1e-15, "FS-S's U at three steps is t D* less its integral");
	near(offline.utility[4], 1.375, 1e-15, "FS-S's U at four steps is t D* less its integral");
	near(yardstick(PRN_YARDSTICK_FS_S, 0.12).cost, 1, 0, "FS-S visits every capture when T is below U(1)");
	near(yardstick(PRN_YARDSTICK_FS_S, 0.125).cost, 1, 0, "FS-S visits every capture when T is just U(1)");
	near(yardstick(PRN_YARDSTICK_FS_S, 0.5).cost, 0.5, 0,
	     "FS-S visits every second capture when T is below U(2)");
	near(yardstick(PRN_YARDSTICK_FS_S, 1.3).cost, 0.25, 0,
	     "FS-S visits every third capture when T is below U(3)");
	near(yardstick(PRN_YARDSTICK_FS_S, 2).cost, 0, 0, "FS-S never visits when T is above every U");
	/* λ = 1 change / 4 steps: U(t) = 4 - (t + 4) e^(-t/4) = .5 at t = 2.403…: visits at 3 only. */
	near(yardstick(PRN_YARDSTICK_HS_S, 0.5).cost, 0.25, 0,
	     "HS-S visits at 3 when U(t) reaches T before it");
	near(yardstick(PRN_YARDSTICK_HS_S, 4.1).cost, 0, 0,
	     "HS-S never visits when T is above U(infinity) = 4");
}

static void yardsticks_that_see_every_capture(void)
{
	read_text("ab ab cd cd cd");
	/* FS-D: at 2: 2·1 - .5 = 1.5; at 3: 3 - 1.5 = 1.5; at 4: 4 - 2.5 = 1.5. */
	near(yardstick(PRN_YARDSTICK_FS_D, 1.4).cost, 0.25, 0, "FS-D visits when a visit is worth T");
	near(yardstick(PRN_YARDSTICK_FS_D, 1.4).staleness, 0.5 / 4, 1e-15,
	     "FS-D visits at once when a visit is worth T");
	near(yardstick(PRN_YARDSTICK_FS_D, 1.6).cost, 0, 0, "FS-D does not visit when a visit is not worth T");
	near(yardstick(PRN_YARDSTICK_HS_D, 1.4).cost, 0.25, 0, "HS-D visits when a visit is worth T");
	/* Now only 1 of 3 changes: D = .5, so FS-D has U = 2·.5 - .25 = .75 and HS-D still 1.5. */
	read_text("abc abc abd abd abd");
	near(yardstick(PRN_YARDSTICK_FS_D, 0.74).cost, 0.25, 0,
	     "FS-D visits for half a page when its U is above T");
	near(yardstick(PRN_YARDSTICK_FS_D, 0.76).cost, 0, 0,
	     "FS-D does not visit for half a page when its U is below T");
	near(yardstick(PRN_YARDSTICK_HS_D, 1.4).cost, 0.25, 0, "HS-D takes any change for all");
}

static void the_yardstick_of_a_level(void)
{
	read_text("abc abc abd abd abd");
	/* E = 1/2: with D = .5, no visit leaves (.25 + .5 + .5)/4 = .3125 stale, the visit at 2 .25/4, and costs T/4. */
	near(yardstick(PRN_YARDSTICK_FS_L, 0.99).cost, 0.25, 0, "FS-L visits when its best level saves more than T");
	near(yardstick(PRN_YARDSTICK_FS_L, 0.99).staleness, 0.25 / 4, 1e-15, "FS-L visits at once when its level is reached");
	near(yardstick(PRN_YARDSTICK_FS_L, 1.01).cost, 0, 0, "FS-L does not visit when no level saves T");
	/* One fragment in 20 moves three times, then all do: a visit for each, or only for the large one. */
	read_text("abcdefghijklmnopqrst abcdefghijklmnopqrsu abcdefghijklmnopqrvu abcdefghijklmnopqxvu zy zy zy zy");
	near(yardstick(PRN_YARDSTICK_FS_L, 1e-3).cost, 4.0 / 7, 1e-15, "FS-L visits at any change where visits are cheap");
	near(yardstick(PRN_YARDSTICK_FS_L, 1).cost, 1.0 / 7, 1e-15, "FS-L keeps to large changes where visits are dear");
	/* All but two of 20 fragments move, then these: 1 - 2/38, then 1 from the first, 1 - 18/22 from the second. */
	read_text("abcdefghijklmnopqrst stABCDEFGHIJKLMNOPQR ABCDEFGHIJKLMNOPQRST ABCDEFGHIJKLMNOPQRST ABCDEFGHIJKLMNOPQRST "
	          "ABCDEFGHIJKLMNOPQRST ABCDEFGHIJKLMNOPQRST ABCDEFGHIJKLMNOPQRST");
	ok(yardstick(PRN_YARDSTICK_FS_L, 1).cost == 1.0 / 7 && yardstick(PRN_YARDSTICK_FS_L, 1).staleness < 2.0 / 7,
	   "FS-L may wait until nothing of the copy is left");
}

static void the_naive_yardstick(void)
{
	/* D* is 1/3 at one step and 1 at two. */
	read_text("ab ab cd cd");
	near(yardstick(PRN_YARDSTICK_FS_N, 0.3).cost, 1, 0,
	     "FS-N visits at the lag at which D* reaches T: at T = 0.3 after one step");
	near(yardstick(PRN_YARDSTICK_FS_N, 0.5).cost, 1.0 / 3, 1e-15,
	     "FS-N visits at the lag at which D* reaches T: at T = 0.5 after two steps");
	near(yardstick(PRN_YARDSTICK_FS_N, 1.01).cost, 0, 0, "FS-N never visits at T above 1, as D* is at most 1");
}

static void yardsticks_where_nothing_is_new(void)
{
	read_text("ab ab ! cd cd");
	near(yardstick(PRN_YARDSTICK_FS_D, 0.01).cost, 0.25, 0, "a dynamic yardstick leaves captures that bring nothing");
	ok(!prn_offline_is_static(&offline), "a page that changed is not static");
	read_text("ab ab ! ab ab");
	ok(prn_offline_is_static(&offline), "a page that did not change is static");
	near(yardstick(PRN_YARDSTICK_FS_S, 1e-9).cost, 0, 0, "FS-S does not visit a page that is static");
	near(yardstick(PRN_YARDSTICK_HS_S, 1e-9).cost, 0, 0, "HS-S does not visit a page that is static");
	near(yardstick(PRN_YARDSTICK_HS_D, 1e-9).cost, 0, 0, "HS-D does not visit a page that is static");
	near(yardstick(PRN_YARDSTICK_FS_L, 1e-9).cost, 0, 0, "FS-L does not visit a page that is static");
}

/* A weight W and a threshold T are W = 1 and T / W. */
static void weights(void)
{
	static const struct { enum prn_yardstick which; const char *name; } yardsticks[] = {
		{ PRN_YARDSTICK_FS_S, "FS-S" }, { PRN_YARDSTICK_HS_S, "HS-S" },
		{ PRN_YARDSTICK_FS_D, "FS-D" }, { PRN_YARDSTICK_HS_D, "HS-D" },
		{ PRN_YARDSTICK_FS_L, "FS-L" }, { PRN_YARDSTICK_FS_N, "FS-N" },
	};
	struct prn_score scores[PRN_WINDOWS], plain, light;

	read_text("abcd abcd bcde cdef cdef cdef defg abgh abgh");
	for (size_t i = 0; i < sizeof yardsticks / sizeof *yardsticks; i++) {
		truth.weight = 1;
		plain = yardstick(yardsticks[i].which, 0.5);
		light = yardstick(yardsticks[i].which, 2);
		truth.weight = 4;
		prn_offline_replay(&offline, &truth, yardsticks[i].which, 2, scores);
		near(scores[PRN_WINDOW_ALL].cost, plain.cost, 0, "%s: four times the weight and the threshold are the same",
		     yardsticks[i].name);
		ok(plain.cost > light.cost, "%s: at four times the threshold alone there are fewer visits", yardsticks[i].name);
	}
}

int main(void)
{
	prn_page_init(&page);
	prn_truth_init(&truth);
	prn_offline_init(&offline);
	by_hand();
	metrics_by_hand();
	conditional();
	in_bytes();
	failures();
	for (size_t i = 0; prn_policy_info(i); i++)
		by_chance(prn_policy_info(i)->name);
	windows();
	yardsticks_of_one_period();
	yardsticks_that_see_every_capture();
	the_yardstick_of_a_level();
	the_naive_yardstick();
	yardsticks_where_nothing_is_new();
	weights();
	prn_offline_release(&offline);
	prn_truth_release(&truth);
	prn_page_release(&page);
	return done();
}
