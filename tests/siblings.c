/* What a new page is expected to be like by its siblings: by hand, by brute force, and that it fades. */
#include "perennial/siblings.h"

#include "base/random.h"
#include "perennial/policy.h"
#include "tap.h"

#include <stdlib.h>

#define ALPHA 0.15
#define BETA 12.0
#define MEAN (ALPHA / BETA)

static void test_rate(void)
{
	/* By hand, τ = 3, μ = .01: of the pattern .3 in 9 and 0 in 3; of the host also 1.2 in 21. */
	struct prn_siblings siblings = { { 0, 0 }, { 0, 0 } };
	const struct prn_evidence none = { 0, 0 }, alive = prn_evidence_of(0.3, 9, 3), still = prn_evidence_of(0, 3, 3),
	                          other = prn_evidence_of(1.2, 21, 3);

	near(prn_siblings_rate(&siblings, 0.01), 0, 0, "where no page is known no rate is expected");
	prn_evidence_replace(&siblings.pattern, &none, &alive);
	prn_evidence_replace(&siblings.pattern, &none, &still);
	siblings.host = siblings.pattern;
	prn_evidence_replace(&siblings.host, &none, &other);
	near(siblings.pattern.drift, 0.025, 1e-15, "A of a pattern is the sum of Σd/(Στ + τ)");
	near(siblings.pattern.known, 1.25, 1e-15, "B of a pattern is the sum of Στ/(Στ + τ)");
	/* h = (.075 + .02)/(2.125 + 2), p = (.025 + h/2)/(1.25 + .5) */
	near(prn_siblings_rate(&siblings, 0.01), 0.0208658009, 1e-9, "a pattern is shrunk to its host, and a host to the mean");
	siblings.pattern = none;
	near(prn_siblings_rate(&siblings, 0.01), 0.095 / 4.125, 1e-12, "a pattern without pages is as its host");
	siblings.host = (struct prn_evidence){ 0, 8 };
	/* h = .02/10, p = h/2/.5 = .002 */
	near(prn_siblings_rate(&siblings, 0.01), sqrt(0.002 * 0.01), 1e-15,
	     "where all were still a page is believed to move by the geometric mean of what they and all pages do");
	siblings.host = (struct prn_evidence){ 0, 1000 };
	siblings.pattern = (struct prn_evidence){ 0, 500 };
	near(prn_siblings_rate(&siblings, 0.01), 0.001, 1e-15, "no page is expected to drift by less than a tenth of the mean");
	siblings.host = siblings.pattern = (struct prn_evidence){ 1e6, 1 };
	near(prn_siblings_rate(&siblings, 0.01), 0.04, 1e-15, "no page is expected to drift by more than four means");
}

#define PAGES 50

/* Reports of pages in two orders, each taking the place of the page's report before. */
static void test_order(void)
{
	struct prn_evidence sums[2] = { { 0, 0 } }, last[PAGES], empty = { 0, 0 }, said;
	struct prn_random random;

	prn_random_seed(&random, 7, 0);
	for (size_t i = 0; i < PAGES; i++)
		last[i] = prn_evidence_of(prn_random_unit(&random), 10 * prn_random_unit(&random), 3);
	for (size_t i = 0; i < PAGES; i++)
		prn_evidence_replace(&sums[0], &empty, &last[i]);
	for (size_t i = PAGES; i--;) {
		struct prn_evidence before = empty;

		for (int j = 0; j < 20; j++) {
			said = prn_evidence_of(prn_random_unit(&random), 1e3 * prn_random_unit(&random), 3);
			prn_evidence_replace(&sums[1], &before, &said);
			before = said;
		}
		prn_evidence_replace(&sums[1], &before, &last[i]);
	}
	near(sums[1].drift, sums[0].drift, 1e-12, "drift adds up to the same whatever pages said before, in any order");
	near(sums[1].known, sums[0].known, 1e-11, "what is known adds up to the same in any order");
	for (size_t i = 0; i < PAGES; i++)
		prn_evidence_replace(&sums[1], &last[i], &empty);
	ok(sums[1].drift >= 0 && sums[1].known >= 0,
	   "once every page has taken back what it said nothing is below 0");
	ok(sums[1].drift < 1e-12 && sums[1].known < 1e-11,
	   "once every page has taken back what it said nothing is left");
}

static void test_left(void)
{
	near(prn_siblings_left(0), 1, 0, "what siblings say is all that is believed of a page at first");
	near(prn_siblings_left(3), 0.614125, 1e-12,
	     "three intervals of a page's own leave .85^3 of what siblings say");
	ok(prn_siblings_left(PRN_SIBLINGS_INTERVALS - 1) > 0 && prn_siblings_left(PRN_SIBLINGS_INTERVALS) <= 0,
	   "after twenty intervals of a page's own nothing is left of what siblings say");
}

static void pattern_is(const char *url, const char *want)
{
	char pattern[PRN_PATTERN_BYTES + 1];
	size_t length = prn_url_pattern(url, pattern);

	ok(!strcmp(pattern, want) && length == strlen(want), "%.60s has the pattern %.60s, not %.60s", url, want, pattern);
}

static void test_pattern(void)
{
	char url[1000] = "http://a.example/", pattern[PRN_PATTERN_BYTES + 1];

	pattern_is("http://a.example/news/2024/05/x7.html?y=/z/", "/news/#/#/");
	pattern_is("http://a.example/", "/");
	pattern_is("http://a.example/front.html", "/");
	pattern_is("http://a.example:8080/v2x11/", "/v#x#/");
	pattern_is("http://a.example/%C3%A91/b", "/%C3%A9#/");
	pattern_is("http://a.example/a?b/c", "/");
	pattern_is("http://a.example/a/%4", "/a/");
	pattern_is("", "");
	memset(url + 17, 'a', 900);
	url[917] = '/';
	ok(prn_url_pattern(url, pattern) == PRN_PATTERN_BYTES && strlen(pattern) == PRN_PATTERN_BYTES,
	   "a directory that is longer than any pattern is cut");
}

/* One page under drift, its visits at intervals with divergences from the version before; nothing lasts or all does. */
struct watched {
	void *state;
	double time, last;
	size_t visits, slot; /* of the last version */
};

/* moved: by how much since the version of the last visit; lasting: how far from the one in the other slot. */
static struct prn_decision visit(const struct prn_policy *policy, struct watched *page, double interval, double moved,
                                 double lasting, const struct prn_siblings *siblings)
{
	size_t before = page->slot, other = 1 - before;
	double divergence[2] = { 0, 0 };
	struct prn_decision decision;
	struct prn_visit at = { .weight = 1, .threshold = 0.5, .divergence = divergence };

	page->time += page->visits++ ? interval : 0;
	divergence[before] = moved;
	divergence[other] = lasting;
	at.time = page->time;
	if (siblings)
		at.siblings = *siblings;
	prn_policy_visit(policy, page->state, &at, &decision);
	page->last = decision.period;
	page->slot = decision.keep > 0;
	return decision;
}

static struct watched begin(const struct prn_policy *policy)
{
	struct watched page = { .state = calloc(1, prn_policy_state_size(policy)) };

	if (!page.state)
		abort();
	return page;
}

static double period_of(double rate)
{
	return sqrt(2 * 0.5 / rate);
}

static void test_new_page(const struct prn_policy *policy, const struct prn_policy *deaf)
{
	struct prn_siblings siblings = { { 0.08, 3 }, { 0.1, 6 } }, others = { { 0, 3 }, { 0, 6 } };
	double rate = prn_siblings_rate(&siblings, MEAN), told, left;
	struct watched page = begin(policy), alone = begin(policy), other = begin(deaf);
	struct prn_visit new = { .weight = 1, .threshold = 0.5, .siblings = siblings };
	struct prn_decision decision;

	prn_policy_decide(policy, page.state, &new, &decision);
	near(decision.period, period_of(rate), 1e-9, "a page that was never visited is decided by its siblings");
	ok(prn_policy_expects(policy, page.state, &new, &told, &left) && fabs(told - rate) < 1e-12,
	   "a policy tells the rate that siblings lead it to expect of a page that was never visited");
	ok(left >= 1, "of a page that was never visited all that is believed is from its siblings");
	near(visit(policy, &page, 0, 0, 0, &siblings).period, period_of(rate), 1e-9, "a new page has the period of its siblings' rate");
	near(visit(policy, &alone, 0, 0, 0, NULL).period, period_of(MEAN), 1e-9,
	     "a new page without siblings has the period of the mean rate");
	near(visit(deaf, &other, 0, 0, 0, &siblings).period, period_of(MEAN), 1e-9,
	     "a policy told not to heed siblings gives a new page the period of the mean rate");
	/* One interval seen: s = (d + β μ (p/μ)^.85)/(t + β). */
	near(visit(policy, &page, 4, 0.2, 0, &others).period,
	     period_of((0.2 + BETA * MEAN * pow(rate / MEAN, 0.85)) / (4 + BETA)), 1e-9,
	     "after one interval .85 of what siblings said at first is left beside what the page did itself, whatever they say then");
	ok(prn_policy_expects(policy, page.state, &new, &told, &left) && fabs(left - 0.85) < 1e-12,
	   "a policy tells how much of what siblings said is left");
	ok(!prn_policy_expects(deaf, other.state, &new, &told, &left) && !prn_policy_expects(policy, alone.state, &new, &told, &left),
	   "nothing is told where siblings are not heeded, or none are known");
	free(page.state);
	free(alone.state);
	free(other.state);
}

/* Whoever makes pages that move as no page does wins the next one a first visit twice as soon, and no more. */
static void test_wild_word(const struct prn_policy *policy)
{
	static const struct prn_siblings wild[] = { { { 1e3, 1 }, { 1e3, 1 } }, { { 1e300, 1e-300 }, { 1e300, 1e-300 } }, { { 1e9, 1e9 }, { 1e15, 1 } } };
	struct watched alone = begin(policy);
	double fair = visit(policy, &alone, 0, 0, 0, NULL).period, soonest = INFINITY;

	for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
		struct watched page = begin(policy);

		soonest = fmin(soonest, visit(policy, &page, 0, 0, 0, &wild[i]).period);
		free(page.state);
	}
	ok(soonest >= fair / 2 * (1 - 1e-9), "no word of siblings has a new page visited sooner than in half the time (%.4f)", soonest / fair);
	free(alone.state);
}

/* Two pages with the same history, of which one has the wildest siblings. */
static void test_known_page(const struct prn_policy *policy)
{
	struct prn_siblings wild = { { 1e3, 1 }, { 1e3, 1 } };
	struct watched page = begin(policy), alone = begin(policy);
	double told, left, worst = 0;
	bool sooner = true;
	struct prn_random random;

	prn_random_seed(&random, 11, 0);
	for (size_t i = 0; i < 40; i++) {
		double interval = 1 + prn_random_unit(&random), moved = 0.1 * prn_random_unit(&random);

		visit(policy, &page, interval, moved, moved, &wild);
		visit(policy, &alone, interval, moved, moved, NULL);
		sooner &= page.last <= alone.last * (1 + 1e-12);
		if (i >= PRN_SIBLINGS_INTERVALS)
			worst = fmax(worst, fabs(page.last / alone.last - 1));
	}
	ok(sooner, "siblings that are alive never put a page's visit off");
	near(worst, 0, 1e-12, "a page with many visits of its own is not moved by siblings");
	ok(!prn_policy_expects(policy, page.state, &(struct prn_visit){ .siblings = wild }, &told, &left),
	   "of a page with many visits of its own nothing is expected any more");
	free(page.state);
	free(alone.state);
}

/* A page among still ones that is found still at each of its visits, which are when they are due. */
static void test_still_page(const struct prn_policy *policy)
{
	const struct prn_siblings still = { { 0, 500 }, { 0, 1000 } };
	struct watched page = begin(policy);
	bool longer = true;

	for (size_t i = 0; i < PRN_SIBLINGS_INTERVALS; i++) {
		double before = page.last;

		longer &= visit(policy, &page, before, 0, 0, &still).period >= before;
	}
	ok(longer, "of a young page that is found as still as its siblings no interval is shorter than the one before");
	free(page.state);
}

/* The evidence of a page by brute force, from all it did: sums that fade by .9 a visit, τ = β/4. */
static void test_evidence(const struct prn_policy *policy, const struct prn_policy *deaf)
{
	static const double intervals[] = { 2, 3, 1.5 }, moved[] = { 0.4, 0, 0.1 }, lasting[] = { 0.4, 0.4, 0.5 };
	double moved_sum = (0.4 * 0.9 + 0) * 0.9 + 0.1, time_sum = (2 * 0.9 + 3) * 0.9 + 1.5;
	struct prn_evidence evidence = { 1, 1 };
	struct watched page = begin(policy), other = begin(deaf), churning = begin(policy);

	ok(!prn_policy_evidence(policy, page.state, &evidence), "a page that was never visited says nothing");
	ok(!(evidence.drift > 0) && !(evidence.known > 0), "what a page that was never visited says is nothing");
	visit(policy, &page, 0, 0, 0, NULL);
	visit(deaf, &other, 0, 0, 0, NULL);
	ok(!prn_policy_evidence(policy, page.state, &evidence), "a page that was visited once says nothing");
	for (size_t i = 0; i < 3; i++) {
		visit(policy, &page, intervals[i], moved[i], lasting[i], NULL);
		visit(deaf, &other, intervals[i], moved[i], lasting[i], NULL);
	}
	ok(prn_policy_evidence(policy, page.state, &evidence), "a page with intervals of its own says something");
	near(evidence.drift, moved_sum / (time_sum + BETA / 4), 1e-12,
	     "a page with intervals of its own says how far it moved");
	near(evidence.known, time_sum / (time_sum + BETA / 4), 1e-12,
	     "a page with intervals of its own says for how long it was seen");
	ok(!prn_policy_evidence(deaf, other.state, &evidence), "a policy that does not heed siblings says nothing to them");
	for (size_t i = 0; i <= PRN_SIBLINGS_INTERVALS; i++)
		visit(policy, &churning, 1, 0.9, 0.9, NULL);
	ok(prn_policy_evidence(policy, churning.state, &evidence) && evidence.drift < 0.05,
	   "a page that only churns does not tell its siblings that it drifts (%.3f)", evidence.drift);
	visit(policy, &churning, 1, 0.9, 0.9, NULL);
	ok(!prn_policy_evidence(policy, churning.state, &evidence), "a page that is not young any more says nothing new");
	free(page.state);
	free(other.state);
	free(churning.state);
}

static void test_packing(const struct prn_policy *policy)
{
	struct prn_siblings siblings = { { 0.08, 3 }, { 0.1, 6 } };
	struct watched page = begin(policy), alone = begin(policy), back = begin(policy);
	unsigned char bytes[64], again[64];
	double told, left, same = 0;
	size_t longest = 0, young, old;

	visit(policy, &page, 0, 0, 0, &siblings);
	visit(policy, &alone, 0, 0, 0, NULL);
	young = prn_policy_pack(policy, page.state, page.time, bytes, sizeof bytes);
	old = prn_policy_pack(policy, alone.state, alone.time, again, sizeof again);
	ok(young == old + 4, "a young page of a known site takes four bytes more");
	ok(!prn_policy_unpack(policy, again, old, alone.time, back.state) &&
	           !prn_policy_expects(policy, back.state, &(struct prn_visit){ 0 }, &told, &left),
	   "a state of before siblings were known reads as one without siblings");
	ok(!prn_policy_unpack(policy, bytes, young, page.time, back.state),
	   "the state of a young page of a known site is read");
	ok(prn_policy_expects(policy, back.state, &(struct prn_visit){ 0 }, &told, &left) &&
	           fabs(told / prn_siblings_rate(&siblings, MEAN) - 1) < 1e-6,
	   "what siblings led to expect is kept in a page's state");
	ok(prn_policy_unpack(policy, bytes, young - 1, page.time, back.state) == PRN_E_INPUT,
	   "a state that is cut within what siblings led to expect is refused");
	bytes[young - 4] = 0x80;
	ok(prn_policy_unpack(policy, bytes, young - 3, page.time, back.state) == PRN_E_INPUT, "an expectation of 0 is refused");
	for (size_t i = 0; i < 30; i++) {
		visit(policy, &page, 1.3, 0.05, 0.05, &siblings);
		young = prn_policy_pack(policy, page.state, page.time, bytes, sizeof bytes);
		same += !prn_policy_unpack(policy, bytes, young, page.time, back.state) &&
		        prn_policy_pack(policy, back.state, page.time, again, sizeof again) == young && !memcmp(bytes, again, young);
		longest = young > longest ? young : longest;
	}
	ok(same >= 30, "at any age a state that was packed and unpacked packs to the same bytes");
	ok(longest <= 35 && young <= 31, "a state has at most 35 bytes, one of a known page at most 31");
	free(page.state);
	free(alone.state);
	free(back.state);
}

int main(void)
{
	struct prn_policy *policy, *deaf;

	if (prn_policy_open(&policy, "drift", NULL, NULL) || prn_policy_open(&deaf, "drift:siblings=no", NULL, NULL))
		abort();
	test_rate();
	test_order();
	test_left();
	test_pattern();
	test_new_page(policy, deaf);
	test_wild_word(policy);
	test_known_page(policy);
	test_still_page(policy);
	test_evidence(policy, deaf);
	test_packing(policy);
	prn_policy_free(policy);
	prn_policy_free(deaf);
	return done();
}
