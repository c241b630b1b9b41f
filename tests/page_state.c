/* Page states as bytes: what goes in comes out, small; nothing but states comes out of anything else. */
#include "perennial/page_state.h"

#include "base/random.h"
#include "tap.h"

#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define BYTES 65536
#define M 8

/* Every policy by its name, then one that is as small as stores want it; NULL past the end. */
static const char *specification_at(size_t i)
{
	size_t policies = 0;

	while (prn_policy_info(policies))
		policies++;
	return i < policies ? prn_policy_info(i)->name : i == policies ? "curve-fitting:history=1" : NULL;
}

/* A version of a page: of 60 fragments those that time has reached are new. */
static struct prn_summary version(struct prn_random *random, size_t m, uint64_t *hashes)
{
	static uint64_t fragments[60];
	uint64_t sorted[60];
	struct prn_summary summary = { sorted, 60, 60, true, false };

	for (size_t i = 0; i < COUNT(fragments); i++)
		if (!fragments[i] || prn_random_unit(random) < 0.05)
			fragments[i] = prn_random_bits(random);
	for (size_t i = 0; i < COUNT(fragments); i++) {
		size_t at = i;

		for (; at && sorted[at - 1] > fragments[i]; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = fragments[i];
	}
	return prn_summary_coarsen(&summary, m, hashes);
}

/* A visit such as a decider makes it; returns the period in days. */
static double visit(struct prn_page_state *state, int64_t time, struct prn_random *random)
{
	uint64_t hashes[PRN_PAGE_HASHES];
	double divergence[PRN_POLICY_SLOTS];
	struct prn_summary now = version(random, state->summary_limit, hashes);
	struct prn_visit told = {
		.time = prn_page_days(time), .weight = 1, .threshold = 0.5, .divergence = divergence
	};
	struct prn_decision decision;

	for (size_t i = 0; i < state->slot_count; i++) {
		struct prn_page_slot *slot = &state->slots[i];

		divergence[i] = slot->used ? prn_summary_divergence(&slot->summary, &now) : 0;
		slot->moved = prn_page_share(divergence[i]);
	}
	prn_policy_visit(state->policy, state->policy_state, &told, &decision);
	if (decision.keep >= 0)
		prn_page_state_keep(state, (size_t)decision.keep, &now);
	state->status = PRN_PAGE_LIVE;
	state->reason = (enum prn_next)decision.reason;
	state->visits++;
	state->visited = state->attempted = time;
	state->body = prn_random_bits(random) | 1;
	state->media = prn_media_code("text/html");
	state->usual = prn_page_share(prn_random_unit(random));
	return decision.period;
}

static bool same_slot(const struct prn_page_slot *a, const struct prn_page_slot *b)
{
	return a->used == b->used && a->stand_in == b->stand_in && fabs(a->moved - b->moved) < 1e-9 &&
	       a->summary.count == b->summary.count && a->summary.of_digest == b->summary.of_digest && a->summary.complete == b->summary.complete &&
	       !memcmp(a->summary.hashes, b->summary.hashes, a->summary.count * sizeof *a->summary.hashes);
}

/* All but the policy's part, which is rounded. */
static bool same_state(const struct prn_page_state *a, const struct prn_page_state *b)
{
	bool all = a->status == b->status && a->reason == b->reason && a->visits == b->visits &&
	           a->failures == b->failures && a->gones == b->gones && a->attempted == b->attempted &&
	           a->visited == b->visited && a->body == b->body && a->media == b->media &&
	           fabs(a->usual - b->usual) < 1e-9 && fabs(a->troubled - b->troubled) < 1e-9 && a->cost.looks == b->cost.looks &&
	           fabs(a->cost.same - b->cost.same) < 1e-9 && fabs(a->cost.bytes - b->cost.bytes) < 1e-3 && a->redirects == b->redirects && a->from_elsewhere == b->from_elsewhere &&
	           !memcmp(&a->hints, &b->hints, sizeof a->hints);

	for (size_t i = 0; i < a->slot_count; i++)
		all &= same_slot(&a->slots[i], &b->slots[i]);
	return all;
}

/* Encodes, decodes, and encodes again: returns the bytes, or 0 when anything differs. */
static size_t round_trip(const struct prn_page_state *state, struct prn_page_state *back)
{
	static unsigned char bytes[BYTES], again[BYTES];
	size_t length = prn_page_state_encode(state, bytes, sizeof bytes);
	struct prn_error error;

	if (length > sizeof bytes || prn_page_state_encode(state, NULL, 0) != length ||
	    prn_page_state_decode(back, bytes, length, &error) || !same_state(state, back) ||
	    prn_page_state_encode(back, again, sizeof again) != length || memcmp(bytes, again, length) != 0)
		return 0;
	return length;
}

/* Visits with everything that may happen between them; returns the longest form, 0 when one did not come back. */
static size_t longest(const char *specification, size_t m, bool hinted, bool counted, bool *all)
{
	struct prn_policy *policy;
	struct prn_page_state state, back;
	struct prn_random random;
	size_t most = 0;

	*all = true;
	prn_random_seed(&random, 4, 0);
	if (prn_policy_open(&policy, specification, NULL, NULL))
		return 0;
	prn_page_state_init(&state, policy, m);
	prn_page_state_init(&back, policy, m);
	for (int page = 0; page < 40; page++) {
		int64_t time = 1700000000 + page;

		prn_page_state_clear(&state);
		*all &= round_trip(&state, &back) > 0;
		for (int i = 0; i < 60; i++) {
			size_t bytes;

			time += 1 + (int64_t)(fmin(visit(&state, time, &random), 30) * 86400 *
			                      prn_random_unit(&random));
			bytes = round_trip(&state, &back);
			*all &= bytes > 0;
			most = bytes > most ? bytes : most;
			/* Failures after it: the visit is further back. */
			state.attempted = time - 1 > state.visited ? time - 1 : state.visited;
			state.failures = (uint32_t)prn_random_below(&random, PRN_PAGE_FAILURES + 1);
			state.gones = (uint32_t)prn_random_below(&random, PRN_PAGE_FAILURES + 1);
			state.troubled = i % 2 ? prn_page_share(prn_random_unit(&random)) : 0;
			state.status = (enum prn_page_status)(1 + prn_random_below(&random, 3));
			state.reason = (enum prn_next)prn_random_below(&random, PRN_NEXTS);
			prn_page_state_hint(&state, &(struct prn_hints){ prn_random_unit(&random), hinted && page % 2 ? 0.3 * (double)page : 0,
			                                                 (double)prn_random_below(&random, 300),
			                                                 PRN_HINTS_AHEAD_MOST * prn_random_unit(&random) });
			state.cost = (struct prn_page_cost){ 0 };
			if (counted)
				state.cost = (struct prn_page_cost){ (uint32_t)prn_random_below(&random, PRN_PAGE_LOOKS + 1),
				                                     prn_page_same(prn_random_unit(&random)),
				                                     prn_page_bytes(1 + 1e6 * prn_random_unit(&random)) };
			state.redirects = page % 3 ? (uint32_t)prn_random_below(&random, PRN_PAGE_PASSED_ON + 1) : 0;
			state.from_elsewhere = state.redirects && page % 2;
			if (state.slots[0].used)
				state.slots[0].stand_in = i % 2;
			if (state.slots[0].used)
				state.slots[0].summary.of_digest = i % 3 == 1;
			bytes = round_trip(&state, &back);
			*all &= bytes > 0;
			most = bytes > most ? bytes : most;
			/* As a decider does, it goes on from what the store gives. */
			prn_page_state_release(&state);
			state = back;
			prn_page_state_init(&back, policy, m);
			state.failures = state.gones = 0;
		}
	}
	prn_page_state_release(&state);
	prn_page_state_release(&back);
	prn_policy_free(policy);
	return most;
}

static void test_round_trips(void)
{
	const char *specification;
	bool all;

	for (size_t i = 0; (specification = specification_at(i)); i++)
		for (size_t m = 1; m <= 64; m *= 8) {
			size_t most = longest(specification, m, true, true, &all);

			ok(all && most, "%s, m = %zu: states come back and encode alike, at most %zu bytes",
			   specification, m, most);
		}
	ok(longest("drift", M, false, false, &all) <= 128, "drift with its two versions of 8 hashes: at most 128 bytes");
	ok(longest("curve-fitting:history=1", M, false, false, &all) <= 128,
	   "curve fitting, h = 1, 12 points, m = 8: at most 128 bytes");
	ok(longest("drift", M, false, true, &all) <= 133, "what looks cost takes at most five bytes more");
	ok(longest("drift", M, true, false, &all) <= 139, "hints of a page take at most eleven bytes more");
}

static void test_times(void)
{
	static const int64_t times[] = { PRN_TIME_UNKNOWN + 1, -62135596800, -1,       0, 1,
		                         1700000000,           253402300799, INT64_MAX };
	struct prn_policy *policy;
	struct prn_page_state state, back;
	size_t good = 0, all = 0;

	prn_policy_open(&policy, "drift", NULL, NULL);
	prn_page_state_init(&state, policy, M);
	prn_page_state_init(&back, policy, M);
	for (size_t i = 0; i < COUNT(times); i++)
		for (size_t j = i; j < COUNT(times); j++, all++) {
			struct prn_random random;

			prn_random_seed(&random, i, j);
			prn_page_state_clear(&state);
			visit(&state, times[i], &random);
			state.attempted = times[j];
			good += round_trip(&state, &back) > 0;
		}
	ok(good == all, "any two times of a state come back");
	prn_page_state_release(&state);
	prn_page_state_release(&back);
	prn_policy_free(policy);
}

/* Whether bytes are refused with a text, or make a state that can be visited. */
static bool survives(struct prn_page_state *state, const unsigned char *bytes, size_t length, size_t *refused)
{
	struct prn_error error = { 0 };
	struct prn_random random;
	int code = prn_page_state_decode(state, bytes, length, &error);

	if (code) {
		++*refused;
		return (code == PRN_E_DAMAGED || code == PRN_E_VERSION) && error.text[0] && !state->visits;
	}
	prn_random_seed(&random, 1, 1);
	for (size_t i = 0; i < state->slot_count; i++)
		if (state->slots[i].summary.count > state->summary_limit)
			return false;
	return visit(state, state->attempted + 1, &random) > 0;
}

static void test_damage(void)
{
	const char *specification;

	for (size_t i = 0; (specification = specification_at(i)); i++) {
		unsigned char bytes[BYTES], spoiled[BYTES];
		struct prn_policy *policy;
		struct prn_page_state state;
		struct prn_random random;
		size_t length, cut = 0, refused = 0;
		bool sound = true;

		prn_random_seed(&random, 6, i);
		prn_policy_open(&policy, specification, NULL, NULL);
		prn_page_state_init(&state, policy, M);
		for (int n = 0; n < 20; n++)
			visit(&state, 1700000000 + 90000 * n, &random);
		length = prn_page_state_encode(&state, bytes, sizeof bytes);
		for (size_t n = 0; n < length; n++)
			sound &= survives(&state, bytes, n, &cut);
		for (int n = 0; n < 5000; n++) {
			memcpy(spoiled, bytes, length);
			for (int j = 0; j <= n % 3; j++)
				spoiled[prn_random_below(&random, length)] = (unsigned char)prn_random_bits(&random);
			sound &= survives(&state, spoiled, length, &refused);
		}
		ok(sound && cut == length,
		   "%s: cut anywhere it is refused, of 5000 spoiled ones %zu; the others can be visited",
		   specification, refused);
		prn_page_state_release(&state);
		prn_policy_free(policy);
	}
}

static void test_waiting(void)
{
	struct prn_policy *drift;
	struct prn_page_state state;
	unsigned char bytes[128];
	size_t length;

	prn_policy_open(&drift, "drift", NULL, NULL);
	prn_page_state_init(&state, drift, M);
	state.reason = PRN_NEXT_HOST;
	state.visited = -1700000000;
	length = prn_page_state_encode(&state, bytes, sizeof bytes);
	prn_page_state_clear(&state);
	ok(!prn_page_state_decode(&state, bytes, length, NULL) && !state.visits,
	   "the state of a page that its host keeps waiting is read, without a visit");
	ok(state.visited == -1700000000, "a page that its host keeps waiting knows since when");
	state.reason = PRN_NEXT_RETRY;
	length = prn_page_state_encode(&state, bytes, sizeof bytes);
	ok(!prn_page_state_decode(&state, bytes, length, NULL) && state.visited == PRN_TIME_UNKNOWN,
	   "a page that has failed no longer knows since when its host keeps it waiting");
	prn_page_state_release(&state);
	prn_policy_free(drift);
}

static void test_versions(void)
{
	struct prn_policy *drift, *cgm;
	struct prn_page_state state, other, other_drift, none;
	struct prn_random random;
	struct prn_error error = { 0 };
	unsigned char bytes[256];
	unsigned char again[256], spoilt[256];
	size_t length;

	prn_random_seed(&random, 1, 0);
	prn_policy_open(&drift, "drift", NULL, NULL);
	prn_policy_open(&cgm, "cgm", NULL, NULL);
	prn_page_state_init(&state, drift, M);
	prn_page_state_init(&other, cgm, M);
	prn_page_state_init(&other_drift, drift, M);
	visit(&state, 1700000000, &random);
	visit(&state, 1700090000, &random);
	length = prn_page_state_encode(&state, bytes, sizeof bytes);
	ok(prn_page_state_decode(&other, bytes, length, &error) == PRN_E_DAMAGED,
	   "a state of another policy is refused: %s", error.text);
	bytes[0] = 10;
	ok(prn_page_state_decode(&state, bytes, length, &error) == PRN_E_VERSION,
	   "a state of a newer version is refused: %s", error.text);
	bytes[0] = 1;
	ok(!prn_page_state_decode(&state, bytes, length, NULL) && !state.redirects,
	   "a state of before redirects were counted is read: none led to its page");
	state.troubled = prn_page_share(0.25);
	ok(prn_page_state_encode(&state, again, sizeof again) == length + 1 && again[3] == 64 &&
	   !prn_page_state_decode(&other_drift, again, length + 1, NULL) && other_drift.troubled == 64 / 255.0,
	   "the share of answers of a page that came after failures takes one byte");
	again[3] = 0;
	ok(prn_page_state_decode(&other_drift, again, length + 1, NULL) == PRN_E_DAMAGED, "no such share in a form that has one is damage");
	state.troubled = 0;
	state.redirects = 7;
	ok(prn_page_state_encode(&state, NULL, 0) == length + 1,
	   "the count of redirects that led to a page takes one byte");
	prn_page_state_hint(&state, &(struct prn_hints){ 0.6, 2.5, 100.5, 0 });
	ok(prn_page_state_encode(&state, again, sizeof again) == length + 1 + 1 + 4 + 1,
	   "hints of a page take six bytes, and a byte more from 128 of them on");
	ok(state.hints.trust == 153.0 / 255, "the trust of hints is kept in 255ths");
	ok(state.hints.rate == 2.5 && state.hints.count == 100,
	   "the rate of hints is kept as it is, and their count as a whole number");
	memcpy(spoilt, again, sizeof spoilt);
	prn_page_state_hint(&state, &(struct prn_hints){ 0.6, 2.5, 100, 1.26 });
	ok(state.hints.ahead == 81.0 / 64 && prn_page_state_encode(&state, again, sizeof again) == length + 1 + 1 + 4 + 1 + 1,
	   "visits that a page is ahead take one byte, in 64ths");
	again[10] = (unsigned char)(PRN_HINTS_AHEAD_MOST * PRN_AHEAD_STEPS);
	ok(!prn_page_state_decode(&state, again, length + 8, NULL) && state.hints.ahead == PRN_HINTS_AHEAD_MOST,
	   "a page may be ahead by the most visits that there may be");
	again[10]++;
	ok(prn_page_state_decode(&state, again, length + 8, NULL) == PRN_E_DAMAGED, "a page that is ahead by more is damage");
	again[10] = 0;
	ok(prn_page_state_decode(&state, again, length + 8, NULL) == PRN_E_DAMAGED, "a page that is ahead by none in a form that says by how many is damage");
	spoilt[5] = 0xff;
	ok(prn_page_state_decode(&state, spoilt, length + 7, NULL) == PRN_E_DAMAGED && !(state.hints.rate > 0),
	   "a rate of hints that is none is damage");
	prn_page_state_hint(&state, &(struct prn_hints){ 0.6, INFINITY, 1, 0 });
	ok(!(state.hints.rate > 0) && !(state.hints.trust > 0), "hints without a finite rate are none");
	ok(prn_page_state_init(&none, drift, PRN_PAGE_HASHES + 1) == PRN_E_ARGUMENT,
	   "a state with more hashes than the limit is refused");
	prn_page_state_release(&state);
	prn_page_state_release(&other_drift);
	prn_page_state_release(&other);
	prn_policy_free(drift);
	prn_policy_free(cgm);
}

/* Bytes that no encoder writes, one by one: random ones seldom get so far. */
static void test_impossible(void)
{
	struct prn_policy *drift;
	struct prn_page_state state;
	struct prn_random random;
	unsigned char bytes[512], since[512];
	uint64_t *hashes;
	size_t length;

	prn_random_seed(&random, 1, 0);
	prn_policy_open(&drift, "drift", NULL, NULL);
	prn_page_state_init(&state, drift, M);
	visit(&state, 1700000000, &random);
	visit(&state, 1700090000, &random);
	state.attempted = state.visited;
	length = prn_page_state_encode(&state, bytes, sizeof bytes);
	/* Version, head, counts, one byte of visits and five of the attempt stand before the time since the visit, which is 0. */
	memcpy(since, bytes, 9);
	memset(since + 9, 0xff, 9);
	since[18] = 0x01;
	memcpy(since + 19, bytes + 10, length - 10);
	ok(!bytes[9] && prn_page_state_decode(&state, since, length + 9, NULL) == PRN_E_DAMAGED,
	   "a visit longer before an attempt than there is time is refused");
	if (prn_page_state_decode(&state, bytes, length, NULL))
		abort();
	hashes = state.hashes;
	state.slots[0].summary.count = 2;
	hashes[0] = (uint64_t)7 << 32;
	hashes[1] = (uint64_t)8 << 32;
	length = prn_page_state_encode(&state, bytes, sizeof bytes);
	ok(!prn_page_state_decode(&state, bytes, length, NULL), "hashes of a version that ascend are read");
	state.slots[0].summary.count = 2;
	hashes[1] = hashes[0];
	length = prn_page_state_encode(&state, bytes, sizeof bytes);
	ok(prn_page_state_decode(&state, bytes, length, NULL) == PRN_E_DAMAGED,
	   "a state with the same hash twice in a version is refused");
	prn_page_state_release(&state);
	prn_policy_free(drift);
}

static void test_coarse(void)
{
	const uint64_t fine[] = { 0x100000001, 0x100000002, 0x2ffffffff, 0x300000000, 0x400000000 };
	uint64_t hashes[4];
	struct prn_summary summary = { fine, 5, PRN_SUMMARY_ALL, true, false },
			   coarse = prn_summary_coarsen(&summary, 4, hashes);

	ok(coarse.count == 3 && !memcmp(hashes, (uint64_t[]){ 0x100000000, 0x200000000, 0x300000000 }, 3 * sizeof *hashes),
	   
	   "a coarse summary has the top halves of the smallest m hashes, each once");
	ok(!coarse.complete, "a coarse summary is not complete when fragments are left out");
	coarse = prn_summary_coarsen(&summary, 5, (uint64_t[5]){ 0 });
	ok(coarse.complete && coarse.count == 4, "a coarse summary is complete when all fragments are in it");
	ok(prn_page_share(0) == 0 && prn_page_share(1) == 1, "shares of none and of all are kept as they are");
	ok(prn_page_share(1e-9) > 0, "a share that is not 0 does not become 0");
	ok(prn_page_share(0.5) * 255 == 128, "shares go to whole 255ths");
}

static void test_media(void)
{
	static const char *const none[] = { NULL, "", "; charset=utf-8" };
	static const char *const under[] = { "text/html", "text/*", "text/", "TEXT/*" }, *const beside[] = { "text/plain", "image/*" };
	uint32_t html = prn_media_code("text/html"), png = prn_media_code("image/png");

	ok(html == prn_media_code(" Text/HTML; charset=utf-8"),
	   "a media type's case and parameters do not matter to its code");
	ok(html != prn_media_code("text/plain") && html != png, "a media type's code tells it from others");
	for (size_t i = 0; i < 3; i++)
		ok(!prn_media_code(none[i]), "the code of no media type is 0: %s", none[i] ? none[i] : "NULL");
	for (size_t i = 0; i < sizeof under / sizeof *under; i++)
		ok(prn_media_under(html, under[i]), "a page of text/html is under %s", under[i]);
	for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
		ok(!prn_media_under(html, beside[i]), "a page of text/html is not under %s", beside[i]);
	ok(!prn_media_under(0, "text/*"), "a page of no media type is under none");
}

static void test_names(void)
{
	same(prn_page_status_name(PRN_PAGE_RETIRED), "retired", "a status of a page has a name");
	same(prn_page_status_name((enum prn_page_status)9), "?",
	     "a number that is no status of a page has no name");
	same(prn_next_name(PRN_NEXT_RETIRED), "retired", "a reason of a next visit has a name");
	same(prn_next_name((enum prn_next)99), "?", "a number that is no reason has no name");
}

int main(void)
{
	test_round_trips();
	test_times();
	test_damage();
	test_waiting();
	test_versions();
	test_impossible();
	test_coarse();
	test_media();
	test_names();
	return done();
}
