/* States in few bytes: what comes back packs to the same bytes and decides alike; no other bytes are a state. */
#include "perennial/packing.h"

#include "base/random.h"
#include "drive.h"
#include "tap.h"

#include <float.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define BYTES 8192

/* Beside every policy with its defaults: others whose states differ. */
static const char *const specifications[] = {
	"drift:forgetting=1:alpha=1e-9:beta=1e-9",
	"cgm:estimator=sa",
	"age",
	"cgm:estimator=bayes:learning=none",
	"cgm:estimator=last-modified",
	"curve-fitting:history=1",
	"bound-based:history=1",
};

/* Every policy by its name, then the specifications above; NULL past the end. */
static const char *specification_at(size_t i)
{
	size_t policies = 0;

	while (prn_policy_info(policies))
		policies++;
	if (i < policies)
		return prn_policy_info(i)->name;
	return i - policies < COUNT(specifications) ? specifications[i - policies] : NULL;
}

/* What keeps profiles compares: which curve is closer, whether U_max < T.  Rounding may tip what is nearly even. */
static bool compares(const char *specification)
{
	double look_back[PRN_POLICY_SLOTS] = { 0 };
	struct prn_point points[PRN_FIT_POINTS];
	struct prn_decision decision;
	struct prn_policy *policy;
	void *state;
	size_t n = 0;

	if (prn_policy_open(&policy, specification, NULL, NULL) ||
	    !(state = calloc(1, prn_policy_state_size(policy))))
		abort();
	for (int i = 0; i < 3; i++) {
		struct prn_visit visit = { .time = i, .weight = 1, .threshold = 1, .divergence = look_back };

		prn_policy_visit(policy, state, &visit, &decision);
		n = prn_policy_profile(policy, state, points);
	}
	free(state);
	prn_policy_free(policy);
	return n > 0;
}

/* Writes a number and reads it back: returns the bytes it took, 0 when they are not read as they were written. */
#define ROUND_TRIP(function, type, value, back)                                                     \
	__extension__({                                                                             \
		unsigned char bytes[16], again[16];                                                 \
		type told = (value), read = 0;                                                      \
		struct prn_packing to = { .out = bytes, .length = sizeof bytes };                   \
		struct prn_packing from = { .in = bytes }, more = { .out = again, .length = sizeof again }; \
		function(&to, &told);                                                               \
		from.length = to.at;                                                                \
		function(&from, &read);                                                             \
		function(&more, &read);                                                             \
		*(back) = read;                                                                     \
		!from.failed && from.at == to.at && more.at == to.at && !memcmp(bytes, again, to.at) ? to.at : 0; \
	})

/* A count without a bound, for ROUND_TRIP. */
#define PACK_COUNT(packing, count) prn_packing_count(packing, count, UINT32_MAX)

static void test_numbers(void)
{
	struct prn_random random;
	size_t whole = 0, single = 0, coarse = 0, share = 0, n = 10000;
	double back;
	float rough;

	prn_random_seed(&random, 1, 0);
	for (int i = 0; i <= 127; i++)
		whole += ROUND_TRIP(prn_packing_number, double, i, &back) == 1 && back == i;
	ok(whole == 128, "whole numbers to 127 take one byte");
	for (size_t i = 0; i < n; i++) {
		double number = exp((prn_random_unit(&random) - 0.5) * 120), unit = prn_random_unit(&random);
		float lag = (float)exp((prn_random_unit(&random) - 0.5) * 40), part = (float)unit;

		single += ROUND_TRIP(prn_packing_number, double, number, &back) && fabs(back / number - 1) < 6e-8 &&
		          ROUND_TRIP(prn_packing_signed, double, -number, &back) == 4 && back < 0;
		coarse += ROUND_TRIP(prn_packing_coarse, float, lag, &rough) == 2 &&
		          fabsf(rough / lag - 1) <= 1.0f / 2048;
		share += ROUND_TRIP(prn_packing_share, float, part, &rough) == 1 && fabsf(rough - part) <= 1 / 255.0f;
	}
	ok(single == n,
	   "numbers that are not whole come back in single precision, and pack again to the same bytes");
	ok(coarse == n, "lags come back to 2^-11, and pack again to the same bytes");
	ok(share == n, "shares come back to 1/255, and pack again to the same bytes");
	ok(ROUND_TRIP(prn_packing_number, double, 1e300, &back) == 4 && back == (double)FLT_MAX,
	   "a number too large for single precision becomes the largest");
	ok(ROUND_TRIP(prn_packing_number, double, -0.0, &back) == 1 && back == 0,
	   "zero below zero is zero, and takes one byte");
	ok(!signbit(back), "zero below zero loses its sign");
	ok(ROUND_TRIP(prn_packing_coarse, float, 0, &rough) && rough == 0, "a lag of 0 stays 0");
	ok(ROUND_TRIP(prn_packing_coarse, float, 1e-30f, &rough) && rough > 0,
	   "a lag that is too small does not become 0");
	ok(rough < 3e-10f, "a lag that is too small becomes the least");
	ok(ROUND_TRIP(prn_packing_coarse, float, 1e30f, &rough) != 0,
	   "a lag that is too large packs again to the same bytes");
	ok(rough > 4e9f && rough < 4.4e9f, "a lag that is too large becomes the largest");
	ok(ROUND_TRIP(prn_packing_share, float, 1e-30f, &rough) && rough > 0, "a share that is not 0 does not become 0");
	ok(ROUND_TRIP(prn_packing_share, float, 1, &rough) && rough == 1, "a share of 1 stays 1");
}

/* Nothing packs to four bytes where one would do. */
static void test_long_forms(void)
{
	size_t refused = 0, taken = 0;

	for (int i = 0; i <= 256; i++) {
		float half = (float)i / 2;
		uint32_t bits;
		unsigned char bytes[4];
		struct prn_packing from = { .in = bytes, .length = sizeof bytes };
		double read;

		memcpy(&bits, &half, sizeof bits);
		for (int k = 0; k < 4; k++)
			bytes[k] = (unsigned char)(bits >> (24 - 8 * k));
		prn_packing_number(&from, &read);
		refused += from.failed && half <= 127 && !(i % 2);
		taken += !from.failed && (half > 127 || i % 2) && read == (double)half;
	}
	ok(refused == 128, "whole numbers to 127 in four bytes are refused: %zu are", refused);
	ok(taken == 129, "other numbers in four bytes are read: %zu are", taken);
}

static void test_counts(void)
{
	size_t small = 0, two = 0, back_again = 0;
	uint32_t back;

	for (uint32_t i = 0; i < 16384; i++) {
		size_t length = ROUND_TRIP(PACK_COUNT, uint32_t, i, &back);

		back_again += back == i;
		small += length == 1;
		two += length == 2;
	}
	ok(back_again == 16384, "counts to 16383 come back");
	ok(small == 128 && two == 16384 - 128, "counts to 127 take one byte, and those to 16383 two");
	for (unsigned bit = 14; bit < 32; bit++)
		for (uint32_t past = 0; past < 3; past++) {
			uint32_t count = ((uint32_t)1 << bit) - 1 + past;

			back_again += ROUND_TRIP(PACK_COUNT, uint32_t, count, &back) && back == count;
		}
	ok(back_again == 16384 + 18 * 3, "counts around each power of two come back");
	ok(ROUND_TRIP(PACK_COUNT, uint32_t, UINT32_MAX, &back) == 5 && back == UINT32_MAX,
	   "the largest count comes back from five bytes");
}

static void test_most(void)
{
	unsigned char bytes[8];
	struct prn_packing to = { .out = bytes, .length = sizeof bytes }, from = { .in = bytes };
	uint32_t count = 300;

	prn_packing_count(&to, &count, 200);
	from.length = to.at;
	count = 7;
	prn_packing_count(&from, &count, 200);
	ok(!from.failed && count == 200, "a count above what it may be is written as the most");
	from = (struct prn_packing){ .in = bytes, .length = to.at };
	prn_packing_count(&from, &count, 199);
	ok(from.failed && !count, "a count above what it may be is refused when it is read");
}

static void test_refusals(void)
{
	static const unsigned char wide[] = { 0xff, 0xff, 0xff, 0xff, 0x1f },
				   endless[] = { 0x80, 0x80, 0x80, 0x80, 0x80 }, padded[] = { 0x81, 0 },
				   infinite[] = { 0x7f, 0x80, 0, 0 }, not_a_number[] = { 0x7f, 0xc0, 0, 0 };
	const struct { const unsigned char *bytes; size_t length; const char *what; } counts[] = {
		{ wide, sizeof wide, "a count beyond 32 bits" },
		{ endless, sizeof endless, "a count without end" },
		{ padded, sizeof padded, "a count written longer than it need be" },
		{ wide, 2, "a count cut short" },
	};

	for (size_t i = 0; i < COUNT(counts); i++) {
		struct prn_packing from = { .in = counts[i].bytes, .length = counts[i].length };
		uint32_t count = 7;

		prn_packing_count(&from, &count, UINT32_MAX);
		ok(from.failed && !count, "%s is refused", counts[i].what);
	}
	for (int i = 0; i < 2; i++) {
		struct prn_packing from = { .in = i ? infinite : not_a_number, .length = 4 };
		double number = 7;

		prn_packing_number(&from, &number);
		ok(from.failed && number == 0, "%s is refused", i ? "infinity" : "NaN");
	}
}

/* Two points with these lags, read from bytes: whether that is a profile. */
static bool reads_points(float first, float second)
{
	unsigned char bytes[16];
	struct prn_profile profile = { .count = 2, .points = { { first, 0.25f }, { second, 0.5f } } };
	struct prn_packing to = { .out = bytes, .length = sizeof bytes }, from = { .in = bytes };

	prn_packing_profiles(&to, &profile, 0);
	from.length = to.at;
	prn_packing_profiles(&from, &profile, 0);
	return !from.failed && from.at == to.at;
}

/* Lags are told in ascending order, and two may be rounded to the same. */
static void test_points(void)
{
	ok(reads_points(1, 2), "a profile of two points in the order of their lags is read");
	ok(reads_points(2, 2), "a profile of two points of one lag is read");
	ok(!reads_points(2, 1), "a profile whose second point has the smaller lag is refused");
	ok(!reads_points(0, 1), "a profile with a point of lag 0 is refused");
}

/* Whether bytes are a state of the policy at time 20000. */
static bool is_state_of(const char *specification, const void *bytes, size_t length)
{
	struct prn_policy *policy;
	void *state;
	int code;

	if (prn_policy_open(&policy, specification, NULL, NULL) || !(state = calloc(1, prn_policy_state_size(policy))))
		abort();
	code = prn_policy_unpack(policy, bytes, length, 20000, state);
	free(state);
	prn_policy_free(policy);
	return !code;
}

static bool is_state(const void *bytes, size_t length)
{
	return is_state_of("curve-fitting:history=1", bytes, length);
}

/* Visits, how long ago the last visit and the last change were, a curve, an open profile and an empty one. */
static void test_impossible_states(void)
{
	ok(is_state("\x03\x82\x82\0\x01\x82\0", 7), "a state of curve fitting written by hand is read");
	ok(!is_state("\x03\x82\x81\0\x01\x82\0", 7), "a state that saw a change after its last visit is refused");
	ok(is_state("\x03\x82\x82\x01\x01\x80\0\x81\x01\x82\0", 11), "a curve whose share is 1 is read");
	ok(!is_state("\x03\x82\x82\x01\x01\x84\0\x81\x01\x82\0", 11), "a curve whose share is 2 is refused");
	ok(!is_state("\x03\x82\x82\x01\0\x80\0\x81\x01\x82\0", 11), "a curve of no items is refused");
	/* After 0: visits, how long ago the last was, and sums; the last number counts pairs, which are at most 34. */
	ok(is_state_of("drift", "\0\x03\x80\x80\x81\0\0\0\0\x81\x80\x80\xa2", 13), "a state of drift written by hand is read");
	ok(!is_state_of("drift", "\0\x03\x80\x80\x81\0\0\0\0\x81\x80\x80\xa3", 13),
	   "a state of drift with more pairs than can be is refused");
	/* 128: nothing moved at the last visit, so how far the versions are apart is told; 256: the last is not where most have it. */
	ok(is_state_of("drift", "\0\x83\x01\x80\x80\x81\0\0\0\0\x81\x80\x80\xa2\x7c\0", 16), "a state of drift at rest is read");
	/* 512: nor at the visit before. */
	ok(is_state_of("drift", "\0\x83\x05\x80\x80\x81\0\0\0\0\x81\x80\x80\xa2\x7c\0", 16) &&
	           !is_state_of("drift", "\0\x83\x04\x80\x80\x81\0\0\0\0\x81\x80\x80\xa2", 14),
	   "a state of drift at rest for long is read, and one that is not at rest is not for long");
	ok(!is_state_of("drift", "\0\x83\x01\x80\x80\x81\0\0\0\0\x81\x80\x80\xa2\0\0", 16),
	   "a state of drift whose two versions are one is refused");
	ok(!is_state_of("drift", "\0\x83\x01\x80\x80\x81\0\0\0\0\x81\x81\x80\xa2\x7c\0", 16),
	   "a state of drift that is at rest and moved is refused");
	ok(!is_state_of("drift", "\0\x82\x01\x80\x80\x81\0\0\0\0\x81\x80\x80\xa2\x7c\0", 16),
	   "a state of drift that tells how far two versions are apart before the third visit is refused");
	ok(is_state_of("drift", "\0\x83\x02\x80\x80\x81\0\0\0\0\x81\x80\x80\xa2", 14),
	   "a state of drift with a third version at the third visit is read");
	ok(!is_state_of("drift", "\0\x82\x02\x80\x80\x81\0\0\0\0\x81\x80\x80\xa2", 14),
	   "a state of drift with a third version before the third visit is refused");
}

/* A page of ever new items and a rare upheaval; sometimes seen as it was. */
static double look(const void *context, double from, double to)
{
	double rate = *(const double *)context, moved = 1 - exp(-rate * fabs(to - from));

	return floor(from / 40) < floor(to / 40) ? 0.7 + 0.3 * moved : fmax(0, moved - 0.02);
}

struct agreement {
	size_t visits, near, nearly, keeps;
	size_t longest;
};

/* One page twice, visited as the first decides: the second is packed and unpacked after each visit. */
static bool drive_both(const char *specification, double rate, uint64_t seed, struct agreement *agreement)
{
	struct drive exact, packed;
	struct prn_random random;
	unsigned char bytes[BYTES], again[BYTES];
	double time = 20000 + (double)seed;
	bool stable = true;

	prn_random_seed(&random, seed, 3);
	drive_open(&exact, specification, look, &rate);
	drive_open(&packed, specification, look, &rate);
	for (int i = 0; i < 60; i++) {
		double period = drive_visit(&exact, time, 1, 0.5), other = drive_visit(&packed, time, 1, 0.5);
		size_t length = prn_policy_pack(packed.policy, packed.state, time, bytes, sizeof bytes);

		stable &= !prn_policy_unpack(packed.policy, bytes, length, time, packed.state) &&
		          prn_policy_pack(packed.policy, packed.state, time, again, sizeof again) == length &&
		          !memcmp(bytes, again, length);
		agreement->longest = length > agreement->longest ? length : agreement->longest;
		agreement->visits++;
		agreement->near += fabs(other - period) <= 0.01 * period || (isinf(period) && isinf(other));
		agreement->nearly += fabs(other - period) <= 0.05 * period;
		agreement->keeps += exact.decision.keep == packed.decision.keep;
		time += round(fmin(period, 30) * (0.5 + prn_random_unit(&random)) * 86400) / 86400 + 1 / 86400.0;
	}
	drive_close(&exact);
	drive_close(&packed);
	return stable;
}

static void test_states(void)
{
	const char *specification;

	for (size_t i = 0; (specification = specification_at(i)); i++) {
		struct agreement agreement = { 0 };
		bool stable = true;

		for (uint64_t seed = 0; seed < 100; seed++)
			stable &= drive_both(specification, 0.001 * pow(1.08, (double)seed), seed, &agreement);
		ok(stable, "%s: unpacked states pack to the same bytes, at most %zu", specification, agreement.longest);
		if (!compares(specification))
			ok(agreement.near == agreement.visits && agreement.keeps == agreement.visits,
			   "%s: periods within 1 %% of those of states as they are, and versions kept alike",
			   specification);
		else
			ok(agreement.nearly >= agreement.visits * 97 / 100 &&
			           agreement.keeps >= agreement.visits * 97 / 100,
			   "%s: %zu of %zu periods within 5 %% of those of states as they are, and %zu versions "
			   "kept alike",
			   specification, agreement.nearly, agreement.visits, agreement.keeps);
	}
}

static size_t longest(const char *specification)
{
	struct agreement agreement = { 0 };

	for (uint64_t seed = 0; seed < 100; seed++)
		drive_both(specification, 0.001 * pow(1.08, (double)seed), seed, &agreement);
	return agreement.longest;
}

static void test_sizes(void)
{
	ok(longest("curve-fitting:history=1") <= 66, "curve fitting with h = 1 takes at most 66 bytes");
	{
		double rate = 0.1;
		struct drive drive;

		drive_open(&drive, "cgm", look, &rate);
		drive_visit(&drive, 20000, 1, 0.5);
		ok(prn_policy_pack(drive.policy, drive.state, 20000, NULL, 0) == 3,
		   "cgm takes 3 bytes for a page visited once: of what it has not learned nothing is kept");
		drive_close(&drive);
	}
	ok(longest("drift") <= 32, "drift takes at most 32 bytes");
}

static void test_new_page(void)
{
	const char *specification;

	for (size_t i = 0; (specification = specification_at(i)); i++) {
		double rate = 0.1;
		struct drive drive;
		struct prn_visit visit = { .time = 20000, .weight = 1, .threshold = 0.5 };
		struct prn_decision decision;
		unsigned char bytes[8];

		drive_open(&drive, specification, look, &rate);
		prn_policy_decide(drive.policy, drive.state, &visit, &decision);
		ok(!prn_policy_pack(drive.policy, drive.state, 20000, bytes, sizeof bytes),
		   "%s: a page never visited takes no bytes", specification);
		ok(!prn_policy_unpack(drive.policy, bytes, 0, 20000, drive.state),
		   "%s: a page never visited is read from no bytes", specification);
		ok(decision.period > 0 && decision.period < INFINITY,
		   "%s: a page never visited has a period: %g", specification, decision.period);
		drive_close(&drive);
	}
}

/* The state decides as it did at the visit, and for another T as if that had been told then. */
static void test_decide(void)
{
	const char *specification;

	for (size_t i = 0; (specification = specification_at(i)); i++) {
		double rate = 0.1, time = 20000;
		struct drive drive;
		bool alike = true, longer = true;

		drive_open(&drive, specification, look, &rate);
		for (int n = 0; n < 20; n++) {
			struct prn_visit visit = { .time = time, .weight = 2, .threshold = 0.5 };
			struct prn_decision decision;
			double period = drive_visit(&drive, time, 2, 0.5);

			prn_policy_decide(drive.policy, drive.state, &visit, &decision);
			alike &= decision.period == period && decision.reason == drive.decision.reason &&
			         decision.keep == -1;
			visit.threshold = 1;
			prn_policy_decide(drive.policy, drive.state, &visit, &decision);
			longer &= decision.period >= period;
			time += fmin(period, 30);
		}
		ok(alike && longer,
		   "%s: a state that was packed decides as it did, and no sooner for a larger T", specification);
		drive_close(&drive);
	}
}

/* Whether bytes are refused, or make a state that is fit to go on from. */
static bool survives(struct drive *drive, const unsigned char *bytes, size_t length, size_t *refused)
{
	double time = 21000, period;
	int code = prn_policy_unpack(drive->policy, bytes, length, time, drive->state);

	*refused += code == PRN_E_INPUT;
	for (int n = 0; n < 3; n++) {
		period = drive_visit(drive, ++time, 1, 0.5);
		if (!(period > 0) || drive->decision.keep >= (int)prn_policy_slots(drive->policy))
			return false;
	}
	return !code || code == PRN_E_INPUT;
}

static void test_damage(void)
{
	const char *specification;

	for (size_t i = 0; (specification = specification_at(i)); i++) {
		double rate = 0.1, time = 20000;
		unsigned char bytes[BYTES], spoiled[BYTES];
		struct prn_random random;
		struct drive drive;
		size_t length, refused = 0, cut = 0;
		bool sound = true;

		prn_random_seed(&random, i, 9);
		drive_open(&drive, specification, look, &rate);
		for (int n = 0; n < 20; n++)
			time += fmin(drive_visit(&drive, time, 1, 0.5), 30);
		length = prn_policy_pack(drive.policy, drive.state, time, bytes, sizeof bytes);
		for (size_t n = 1; n < length; n++)
			sound &= survives(&drive, bytes, n, &cut);
		for (int n = 0; n < 5000; n++) {
			memcpy(spoiled, bytes, length);
			for (int j = 0; j <= n % 4; j++)
				spoiled[prn_random_below(&random, length)] = (unsigned char)prn_random_bits(&random);
			sound &= survives(&drive, spoiled, length, &refused);
		}
		/* Of one byte there is nothing to cut, and of none neither. */
		ok(sound && cut + (length > 0) == length,
		   "%s: a state cut anywhere is refused, and of 5000 spoiled ones %zu; the others go on",
		   specification, refused);
		drive_close(&drive);
	}
}

int main(void)
{
	test_numbers();
	test_long_forms();
	test_counts();
	test_most();
	test_refusals();
	test_points();
	test_impossible_states();
	test_states();
	test_sizes();
	test_new_page();
	test_decide();
	test_damage();
	return done();
}
