/* Drift: its sums against their definition over whole histories, and what it makes of typical pages. */
#include "drive.h"

#include "base/random.h"
#include "tap.h"

#include <string.h>

#define VISITS 60

/* Any two versions have a divergence that only their times determine: many are the same, some next to it. */
static double scrambled(const void *context, double from, double to)
{
	struct prn_random random;

	prn_random_seed(&random, *(const uint64_t *)context, (uint64_t)(from * 1e6) * 31 + (uint64_t)(to * 1e6));
	return fmax(0, 1.4 * prn_random_unit(&random) - 0.4);
}

/* A page that is drawn anew at each visit. */
struct drawn {
	double second; /* of a page that has one of two bodies: the share of visits that find the second */
	uint64_t draw; /* the same visits find another page in another draw */
};

/* A number in [0, 1) that the draw and the time of the visit determine. */
static double drawn_at(const struct drawn *drawn, double time)
{
	struct prn_random random;
	uint64_t bits;

	memcpy(&bits, &time, sizeof bits);
	prn_random_seed(&random, bits, drawn->draw);
	return prn_random_unit(&random);
}

static bool is_second(const struct drawn *drawn, double time)
{
	return drawn_at(drawn, time) < drawn->second;
}

static double alternating(const void *context, double from, double to)
{
	return is_second(context, from) != is_second(context, to);
}

static double unchanged(const void *context, double from, double to)
{
	(void)context;
	(void)from;
	(void)to;
	return 0;
}

static double churn(const void *context, double from, double to)
{
	(void)from;
	(void)to;
	return *(const double *)context;
}

static double steady(const void *context, double from, double to)
{
	return fmin(1, *(const double *)context * (to - from));
}

static double scale(double pairs, double most)
{
	return most > 0 ? 6 - 2 * pow(fmin(1, pairs / most), 4) : 6;
}

/* doc/theory.md §13 word for word, over the whole history; i counts visits from 0, and share[i] is what visit i still counts. */
static double slope_by_definition(const double *times, size_t n, const uint64_t *page)
{
	double alpha = 0.15, beta = 12, kappa = 2, d[VISITS], e[VISITS], share[VISITS], w, v, s1, s;
	double pairs = 0, most = 0, moved = 0, time = 0, lasting = 0, squared = 0, lasting_time = 0, apart = 0, before = 0;
	size_t rests = 0;

	for (size_t i = 1; i < n; i++) {
		double slowly = fmax(0.9, exp(-(times[i] - times[i - 1]) / beta)), fade, sum = 0, remembered = 0, back = 0;

		d[i] = scrambled(page, times[i - 1], times[i]);
		if (d[i] > 0 && apart > 0 && rests < 2)
			back = fmax(0, apart - scrambled(page, before, times[i]));
		e[i] = i < 2 ? 0 : d[i - 1] > 0 ? scrambled(page, times[i - 2], times[i]) - d[i - 1] : d[i] - back;
		for (size_t j = 1; j < i; j++) {
			remembered += share[j] * e[j] * e[j];
			sum += share[j] * e[j];
		}
		w = exp(-pow(pairs / scale(pairs, most), 3));
		v = w + (1 - w) * (remembered > 0 ? fmin(1, exp(1 - pow(fmax(sum, 0), 2) / remembered)) : 1);
		fade = v * slowly + (1 - v) * 0.9;
		if (e[i] > 0 && remembered < e[i] * e[i])
			fade *= w + (1 - w) * remembered / (e[i] * e[i]);
		for (size_t j = 1; j < i; j++)
			share[j] *= fade;
		share[i] = 1;
		if (i > 1) {
			pairs = 0.97 * pairs;
			if (d[i] > 0)
				pairs += fmin(d[i], d[i - 1]) / fmax(d[i], d[i - 1]) + 2 * back / fmax(d[i], apart);
			pairs = fmin(33, pairs);
			most = 0.97 * most + 1;
		}
		if (d[i] > 0) {
			apart = d[i];
			before = times[i - 1];
		}
		rests = d[i] > 0 ? 0 : rests + 1;
	}
	for (size_t i = 1; i < n; i++) {
		moved += share[i] * d[i];
		time += share[i] * (times[i] - times[i - 1]);
		lasting += share[i] * e[i];
		squared += share[i] * e[i] * e[i];
		lasting_time += i > 1 ? share[i] * (times[i] - times[i - 1]) : 0;
	}
	lasting = fmax(lasting, 0);
	w = exp(-pow(pairs / scale(pairs, most), 3));
	v = w + (1 - w) * (squared > 0 ? fmin(1, exp(1 - lasting * lasting / squared)) : 1);
	s1 = (moved + alpha) / (time + beta);
	s = (lasting + kappa * beta * w * s1) / (lasting_time + kappa * beta * v);
	return fmax(fmin(s, (moved + alpha) / (time + beta * v)), 0.2 * alpha / (time + beta));
}

static void test_definition(void)
{
	double worst = 0, worst_curve = 0;
	struct prn_random random;

	prn_random_seed(&random, 1, 0);
	for (uint64_t page = 0; page < 20; page++) {
		double times[VISITS], time = 0;
		struct drive drive;

		drive_open(&drive, "drift", scrambled, &page);
		for (size_t n = 0; n < VISITS; n++) {
			double period = drive_visit(&drive, time, 3, 0.7), slope;
			struct prn_curve curve;

			times[n] = time;
			slope = slope_by_definition(times, n + 1, &page);
			worst = fmax(worst, fabs(period / sqrt(2 * 0.7 / (3 * slope)) - 1));
			prn_policy_curve(drive.policy, drive.state, &curve);
			worst_curve = fmax(worst_curve, fabs(curve.slope / slope - 1));
			time += 0.1 + 5 * prn_random_unit(&random);
		}
		drive_close(&drive);
	}
	/* sums of at most 60 terms, rounded in another order */
	near(worst, 0, 1e-12,
	     "the period of drift is sqrt(2 T/(W s)), s by its definition over the whole history");
	near(worst_curve, 0, 1e-12, "the curve of drift is the line of slope s");
}

static void test_first(void)
{
	struct drive drive;

	drive_open(&drive, "drift:alpha=0.2:beta=10", unchanged, NULL);
	ok(prn_policy_curve(drive.policy, drive.state, &(struct prn_curve){ 0 }) == 0,
	   "drift has no curve before the first visit");
	near(drive_visit(&drive, 100, 1, 0.5), sqrt(2 * 0.5 / 0.02), 1e-12,
	     "the first visit of drift uses s = α/β");
	drive_close(&drive);
}

/* A clock that was put back: no time has passed since the last visit. */
static void test_back(void)
{
	double periods[2];

	for (int i = 0; i < 2; i++) {
		struct drive drive;

		drive_open(&drive, "drift", unchanged, NULL);
		drive_visit(&drive, 100, 1, 0.5);
		drive_visit(&drive, 110, 1, 0.5);
		periods[i] = drive_visit(&drive, i ? 60 : 110, 1, 0.5);
		drive_close(&drive);
	}
	ok(periods[0] > 0 && isfinite(periods[0]), "a visit at the time of the last one has a period: %g", periods[0]);
	near(periods[1], periods[0], 0, "a visit at an earlier time than the last one counts as one at that time");
}

/*
 * Never seen to change: s = 0.2 α/(Στ + β), where Στ holds at most ten visits, so that in the long run the period is
 * 2 T/(W 0.2 α (1 - 0.9)) (doc/theory.md §13).
 */
static void test_unchanged(double threshold)
{
	double time = 0, period = 0;
	struct drive drive;
	bool grows = true;

	drive_open(&drive, "drift", unchanged, NULL);
	for (int i = 0; i < 200; i++) {
		double before = period;

		period = drive_visit(&drive, time, 1, threshold);
		grows &= period >= before;
		time += period;
	}
	/* β is small beside Στ by then */
	ok(grows && fabs(period / (2 * threshold / (0.2 * 0.15 * 0.1)) - 1) < 0.05,
	   "at T = %g the periods of a page never seen to change grow, to %.0f", threshold, period);
	drive_close(&drive);
}

static void test_lasting(void)
{
	double slope = 0.01, time = 0, drifted = 0;
	struct drive lasting;

	drive_open(&lasting, "drift", steady, &slope);
	for (int i = 0; i < 50; i++, time += 1)
		drifted = drive_visit(&lasting, time, 1, 0.2);
	/* the default prior's mean is 0.01 too */
	near(drifted, sqrt(2 * 0.2 / 0.01), 0.02, "steady drift gives the period of its slope");
	drive_close(&lasting);
}

/* The parts of a page: some of it new at every look, some added for good from a time on, the rest static. */
struct parts {
	double churn; /* how far apart two looks are by what churns alone */
	double slope; /* divergence per time of what is added */
	double from;  /* since when */
	double unit;  /* how many of the clock's units a day has */
};

static double mixed(const void *context, double from, double to)
{
	const struct parts *parts = context;
	double added = fmax(0, to / parts->unit - fmax(parts->from, from / parts->unit)) * parts->slope;

	return from < to || to < from ? 1 - (1 - parts->churn) * exp(-added) : 0;
}

/* Its text is new at every look, and now long, now short: beside a static part of 1, from 0.14 to 7. */
static double length_at(const struct drawn *drawn, double time)
{
	return exp(4 * drawn_at(drawn, time) - 2);
}

static double unequal(const void *context, double from, double to)
{
	return from < to || to < from ? 1 - 1 / (1 + length_at(context, from) + length_at(context, to)) : 0;
}

#define VISITS_MOST 1000000

/*
 * Visits the page, the first `known` times after `first` (0: as drift decides), then as it decides: how often in `more`
 * visits, divided by how often a page that never changed is visited in the same days of its life; or infinity.
 */
static double captured(drive_page *page, const void *context, double threshold, double first, int known, int more)
{
	double time = 0, begin = 0, still = 0, visits = 0;
	struct drive churns, rests;

	drive_open(&churns, "drift", page, context);
	drive_open(&rests, "drift", unchanged, NULL);
	for (int i = 0; i < known + more; i++) {
		double period = drive_visit(&churns, time, 1, threshold);

		if (i == known)
			begin = time;
		time += first > 0 && i < known ? first : period;
	}
	/* Of a period without end, or of ever so many, nothing can be said. */
	for (int i = 0; still < time; i++) {
		double period = drive_visit(&rests, still, 1, threshold);

		if (i == VISITS_MOST || isinf(time)) {
			visits = 0;
			break;
		}

		if (still + period > begin)
			visits += (fmin(still + period, time) - fmax(still, begin)) / period;
		still += period;
	}
	drive_close(&churns);
	drive_close(&rests);
	return more / visits;
}

/* The worst over all thresholds. */
static double worst_capture(drive_page *page, const void *context, double first, int known, int more)
{
	double worst = 0;

	for (double threshold = 1e-8; threshold < 2e3; threshold *= 10)
		worst = fmax(worst, captured(page, context, threshold, first, known, more));
	return worst;
}

#define DRAWS 20

/*
 * The worst over all thresholds of the mean over draws.  A single draw says little: at thresholds below 1e-3, where noise
 * may look like growth, one of twenty has up to 3.8 times the visits of a still page, and others have half of them.
 */
static double worst_mean_capture(drive_page *page, double second, int more)
{
	double worst = 0;

	for (double threshold = 1e-8; threshold < 2e3; threshold *= 10) {
		struct drawn drawn = { .second = second };
		double sum = 0;

		for (drawn.draw = 1; drawn.draw <= DRAWS; drawn.draw++)
			sum += captured(page, &drawn, threshold, 0, 30, more);
		worst = fmax(worst, sum / DRAWS);
	}
	return worst;
}

static void test_churn(void)
{
	static const double shares[] = { 0.02, 0.1, 0.5, 1 };
	double worst = 0, forced = 0, later = 0, early = 0;

	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		worst = fmax(worst, worst_capture(churn, &shares[i], 0, 30, 1));
		early = fmax(early, worst_capture(churn, &shares[i], 0, 8, 1));
		forced = fmax(forced, worst_capture(churn, &shares[i], 1 / 86400.0, 30, 60));
		later = fmax(later, worst_capture(churn, &shares[i], 0, 30, 300));
	}
	ok(worst <= 2, "after 30 visits drift goes at most twice as often to a page of which nothing lasts as to one of "
	   "its age that never changed, whatever T is: %.2f times", worst);
	ok(early <= 2, "after eight visits drift goes at most twice as often to a page that moved at each of them, and of which nothing lasts: "
	   "%.2f times", early);
	ok(later <= 2,
	   "over 300 more visits drift goes at most twice as often to a page of which nothing lasts: %.2f times", later);
	ok(forced <= 2,
	   "drift goes at most twice as often to a page of which nothing lasts "
	   "whose first 30 visits came within half a minute: %.2f times", forced);
	worst = worst_mean_capture(unequal, 0, 3000);
	ok(worst <= 2,
	   "over 3000 more visits drift goes in the mean over %d draws at most twice as often to a page of which nothing lasts "
	   "where what churns is now long, now short: %.2f times", DRAWS, worst);
}

/* A page that has one of two bodies is known for it, whichever is there more often and however long it rests meanwhile. */
static void test_alternation(void)
{
	static const double shares[] = { 0.5, 0.2, 0.1 };

	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		double worst = worst_mean_capture(alternating, shares[i], 1000);

		ok(worst <= 2, "after 30 visits drift goes in the mean over %d draws at most twice as often to a page that has one of two bodies, "
		   "the second at %g of all visits, as to one of its age that never changed: %.2f times", DRAWS, shares[i], worst);
	}
}

/* Day and night: one body for as long as the other. */
static double day_and_night(const void *context, double from, double to)
{
	const double *length = context;

	return fabs(fmod(floor(from / *length), 2) - fmod(floor(to / *length), 2)) > 0;
}

/* The mean time between visits in the second half of so many days. */
static double mean_interval(drive_page *page, const void *context, double threshold, double days)
{
	double time = 0, visits = 0;
	struct drive drive;

	drive_open(&drive, "drift", page, context);
	while (time < days) {
		double period = drive_visit(&drive, time, 1, threshold);

		visits += time + period > days / 2 ? (fmin(time + period, days) - fmax(time, days / 2)) / period : 0;
		time += period;
	}
	drive_close(&drive);
	return days / 2 / visits;
}

/* What lasted is worth its visits though it comes back: the best period of a page that is wholly new after so long is √(2T length). */
static void test_day_and_night(void)
{
	static const double lengths[] = { 5, 10, 20 };

	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		double best = sqrt(2 * 0.05 * lengths[i]), every = mean_interval(day_and_night, &lengths[i], 0.05, 4000);

		ok(every < 1.5 * best && every > best / 1.5,
		   "a page that has each of two bodies for %g days is visited every %.3g days, as what is new each time is: %.3g", lengths[i],
		   every, best);
	}
}

/* Packed after each visit, as in a store. */
static void test_rests_kept(void)
{
	const double length = 10;
	double time = 0, worst = 0;
	struct drive whole, packed;
	unsigned char bytes[64];

	drive_open(&whole, "drift", day_and_night, &length);
	drive_open(&packed, "drift", day_and_night, &length);
	for (int i = 0; i < 300; i++) {
		double period = drive_visit(&whole, time, 1, 0.05), kept = drive_visit(&packed, time, 1, 0.05);
		size_t count = prn_policy_pack(packed.policy, packed.state, time, bytes, sizeof bytes);

		if (count > sizeof bytes || prn_policy_unpack(packed.policy, bytes, count, time, packed.state))
			abort();
		worst = fmax(worst, fabs(log(kept / period)));
		time += period;
	}
	drive_close(&whole);
	drive_close(&packed);
	ok(worst < 0.01, "a page that has each of two bodies for long has the same periods where its state is packed after each visit");
}

static double in_turn(const void *context, double from, double to)
{
	(void)context;
	return fmod(fabs(to - from), 2) > 0.5;
}

/* Of what it is known by there is an end, or a store could not read its state. */
static void test_turns(void)
{
	unsigned char bytes[64];
	size_t length;
	double period = 0;
	struct drive drive;

	drive_open(&drive, "drift", in_turn, NULL);
	for (int i = 0; i < 300; i++)
		period = drive_visit(&drive, i, 1, 0.25);
	length = prn_policy_pack(drive.policy, drive.state, 299, bytes, sizeof bytes);
	ok(!prn_policy_unpack(drive.policy, bytes, length, 299, drive.state),
	   "the state of a page that has two bodies in turn at 300 visits is read again");
	near(drive_visit(&drive, 300, 1, 0.25) / period, 1, 0.01, "a page that has two bodies in turn keeps its period, %.3g days, when its state was packed",
	     period);
	drive_close(&drive);
}

/* The period in days after so many visits, by a clock of so many units a day. */
static double known_period(struct parts parts, double units, int visits)
{
	double time = 0, period = 0;
	struct drive drive;

	parts.unit = units;
	drive_open(&drive, "drift", mixed, &parts);
	for (int i = 0; i < visits; i++) {
		period = drive_visit(&drive, time, 1, 0.1 * units);
		time += period;
	}
	drive_close(&drive);
	return period / units;
}

static void test_clock(void)
{
	static const struct { struct parts parts; const char *what; } pages[] = {
		{ { .churn = 0.5 }, "a page that only churns" },
		{ { .churn = 0.5, .slope = 0.03 }, "a page that churns and drifts" },
		{ { .slope = 0.03 }, "a page that only drifts" },
		{ { .slope = 0 }, "a page that never changes" },
	};

	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
		double coarse = known_period(pages[i].parts, 1, 100), fine = known_period(pages[i].parts, 10, 100);

		/* Two of a hundred: what is left of the prior. */
		near(fine / coarse, 1, 0.02, "by a clock ten times finer %s is visited as often a day, every %.3g days",
		     pages[i].what, coarse);
	}
}

/* The slope that was learned from so many visits at such intervals. */
static double looked_at(struct parts parts, double interval, int visits)
{
	struct drive drive;
	struct prn_curve curve;

	parts.unit = 1;
	drive_open(&drive, "drift", mixed, &parts);
	for (int i = 0; i < visits; i++)
		drive_visit(&drive, i * interval, 1, 0.1);
	prn_policy_curve(drive.policy, drive.state, &curve);
	drive_close(&drive);
	return curve.slope;
}

static void test_looks(void)
{
	struct parts parts = { .churn = 0.3, .slope = 0.03 }, same = { .churn = 0 };
	double daily = looked_at(parts, 1, 200), hourly = looked_at(parts, 1 / 24.0, 200), rate;

	/* a tenth: at daily looks the lines are bent a little */
	near(hourly / daily, 1, 0.1, "a page that churns and drifts has the slope %.3g a day, looked at daily or hourly", daily);
	daily = looked_at(same, 1, 61);
	hourly = looked_at(same, 1 / 24.0, 24 * 60 + 1);
	rate = looked_at(same, 1 / 86400.0, 2);
	printf("# a page that is the same for 60 days: slope %.4f looked at daily, %.4f hourly, %.4f after a second\n", daily, hourly, rate);
	ok(hourly < 1.2 * daily && hourly < 0.4 * rate,
	   "that a page is the same for 60 days is learned from hourly looks as from daily ones");
}

/* Nothing lasts until a day, and from then on a slope a day; every so many hours, if any, an advertisement is another one. */
struct awakening {
	double day, slope, hours;
};

static double awakened(const void *context, double from, double to)
{
	const struct awakening *page = context;
	bool churned = page->hours > 0 && floor(from * 24 / page->hours + 0.01) < floor(to * 24 / page->hours + 0.01);

	return fmin(1, 0.05 * churned + page->slope * (fmax(to, page->day) - fmax(from, page->day)));
}

/* Looks of every hour from that day on until the slope is known within a factor of two. */
static int looks_until_known(double weeks, double slope, double hours)
{
	struct awakening page = { .day = 7 * weeks, .slope = slope, .hours = hours };
	struct prn_curve line = { .slope = 0 };
	struct drive drive;
	int looks = 0;

	drive_open(&drive, "drift", awakened, &page);
	for (int i = 0; i <= (int)(weeks * 7 * 24); i++)
		drive_visit(&drive, i / 24.0, 1, 0.25);
	for (; !(line.slope > slope / 2 && line.slope < 2 * slope) && looks < 1000; looks++) {
		drive_visit(&drive, page.day + (looks + 1) / 24.0, 1, 0.25);
		prn_policy_curve(drive.policy, drive.state, &line);
	}
	drive_close(&drive);
	return looks;
}

/* What was learned of a page in weeks, and seldom contradicted, does not hide for long what it has become. */
static void test_awakening(void)
{
	static const double hours[] = { 0, 48, 10 };

	for (size_t i = 0; i < sizeof hours / sizeof *hours; i++)
		for (double weeks = 1; weeks < 20; weeks *= 4) {
			int slow = looks_until_known(weeks, 0.3, hours[i]), fast = looks_until_known(weeks, 3, hours[i]);

			printf("# %g weeks, another advertisement every %g hours: %d looks, %d\n", weeks, hours[i], slow, fast);
			ok(slow <= 60 && fast <= 60,
			   "a page that begins to gain lasting text after %g weeks of hourly looks, and another advertisement every %g (0: none), is known for it within 60 looks",
			   weeks, hours[i]);
		}
}

/* Days from when content begins to stay until the period is at most twice that of its slope; n looks at churn before. */
static double found_after(int n, double churned, double threshold)
{
	struct parts parts = { .churn = churned, .slope = 0.003, .from = INFINITY, .unit = 1 };
	double goal = 2 * sqrt(2 * threshold / ((1 - churned) * parts.slope)), time = 0, last = 0, period;
	struct drive drive;

	drive_open(&drive, "drift", mixed, &parts);
	for (int i = 0; i < n; i++) {
		period = drive_visit(&drive, time, 1, threshold);
		last = time;
		time += period;
	}
	parts.from = last;
	for (int i = 0; i < 1000; i++) {
		period = drive_visit(&drive, time, 1, threshold);
		if (i && period <= goal)
			break;
		time += period;
		if (i == 999)
			time = INFINITY;
	}
	drive_close(&drive);
	return time - last;
}

static void test_return(void)
{
	static const double churns[] = { 0.1, 0.5, 0.9 };
	double worst = 0, later = 0;

	for (size_t i = 0; i < sizeof churns / sizeof *churns; i++)
		for (double threshold = 0.01; threshold < 0.3; threshold *= 5) {
			double fresh = found_after(0, churns[i], threshold);

			worst = fmax(worst, found_after(100, churns[i], threshold) / fresh);
			later = fmax(later, found_after(10000, churns[i], threshold) / found_after(100, churns[i], threshold));
		}
	ok(worst <= 40, "content that stays is found after 100 visits to churn within 40 times the time on a new page: %.0f",
	   worst);
	ok(later <= 1.05, "after 10000 visits to churn it is found as soon as after 100: %.2f", later);
}

/* States as version 0.1.0 packed them after daily visits, 40 but in the last two; without what it did not learn. */
static const struct {
	const char *what;
	drive_page *page;
	double context;
	int visits;
	size_t length;
	unsigned char bytes[22];
	double near; /* how near the period is to that of a page visited by this version all along: they remembered daily visits for less */
} older[] = {
	{ "a page that only churns", churn, 0.5, 40, 22,
	  { 0x28, 0x80, 0x40, 0x9d, 0x5f, 0x4e, 0x41, 0x1d, 0x5f, 0x4e, 0x00,
	    0x00, 0x00, 0x00, 0x41, 0x1d, 0x14, 0x90, 0x3f, 0x00, 0x00, 0x00 }, 0.1 },
	{ "a page that never changed", unchanged, 0, 40, 16,
	  { 0x28, 0x80, 0x80, 0x41, 0x1d, 0x5f, 0x4e, 0x00, 0x00, 0x00, 0x00, 0x41, 0x1d, 0x14, 0x90, 0x80 }, 0.1 },
	{ "a page that drifts", steady, 0.01, 40, 22,
	  { 0x28, 0x80, 0x3d, 0xc9, 0x6f, 0xc0, 0x41, 0x1d, 0x5f, 0x4e, 0x3d,
	    0xc9, 0x10, 0x14, 0x41, 0x1d, 0x14, 0x90, 0x3c, 0x23, 0xd7, 0x0a }, 1e-3 },
	{ "a page visited once", churn, 0.5, 1, 10,
	  { 0x01, 0x80, 0x80, 0x80, 0x00, 0x00, 0x00, 0x00, 0x80, 0x80 }, 1e-6 },
	{ "a page visited twice", churn, 0.5, 2, 16,
	  { 0x02, 0x80, 0x3f, 0x00, 0x00, 0x00, 0x81, 0x00, 0x00, 0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x00 }, 1e-6 },
};

static void test_older_states(void)
{
	for (size_t i = 0; i < sizeof older / sizeof *older; i++) {
		double time = 0, own = 0, period = 0;
		struct drive drive;
		int code;

		drive_open(&drive, "drift", older[i].page, &older[i].context);
		for (int visit = 0; visit < older[i].visits; visit++) {
			time = visit;
			own = drive_visit(&drive, time, 1, 0.25);
		}
		code = prn_policy_unpack(drive.policy, older[i].bytes, older[i].length, time, drive.state);
		prn_policy_decide(drive.policy, drive.state,
		                  &(struct prn_visit){ .time = time, .weight = 1, .threshold = 0.25 }, &drive.decision);
		ok(!code && fabs(drive.decision.period / own - 1) <= older[i].near,
		   "the state of %s, as older versions packed it, has the period %.3g, and %.3g had it been this version",
		   older[i].what, drive.decision.period, own);
		for (int visit = 0; visit < 20; visit++) {
			time++;
			period = drive_visit(&drive, time, 1, 0.25);
		}
		drive_close(&drive);
		drive_open(&drive, "drift", older[i].page, &older[i].context);
		for (int visit = 0; visit < older[i].visits + 20; visit++)
			own = drive_visit(&drive, visit, 1, 0.25);
		near(period / own, 1, 0.05, "after 20 more visits %s is as if this version had known it all along",
		     older[i].what);
		drive_close(&drive);
	}
}

int main(void)
{
	test_definition();
	test_first();
	test_back();
	test_unchanged(0.044);
	test_unchanged(0.2);
	test_lasting();
	test_churn();
	test_alternation();
	test_day_and_night();
	test_rests_kept();
	test_turns();
	test_clock();
	test_looks();
	test_awakening();
	test_return();
	test_older_states();
	return done();
}
