/* Trust in sources of hints: learned from what visits found, at simulated hosts. */
#include "perennial/trust.h"

#include "base/random.h"
#include "perennial/error.h"
#include "tap.h"

struct host {
	double recall, precision; /* of its source; precision 0: hints at random, changes or not */
	double changes;           /* per unit of time */
};

/* Pages are visited at random times, 4 units apart in the mean; returns the source's trust after so many visits. */
static struct prn_trust watch(const struct host *host, int visits)
{
	struct prn_trust trust = { 0 };
	struct prn_random random;

	prn_random_seed(&random, 3, (uint64_t)(host->recall * 100));
	for (int page = 0; page < 20; page++) {
		struct prn_page_hints counts = { 0, 0 };
		struct prn_watched watched = { 0 };

		for (int i = 0; i < visits / 20; i++) {
			double interval = 0.5 + prn_random_exponential(&random, 3.5), false_rate = host->changes * host->recall *
				(host->precision > 0 ? 1 / host->precision - 1 : 0);
			bool changed = false;

			for (double at = prn_random_exponential(&random, 1 / host->changes); at < interval;
			     at += prn_random_exponential(&random, 1 / host->changes)) {
				changed = true;
				counts.since += host->precision > 0 && prn_random_unit(&random) < host->recall;
			}
			if (host->precision <= 0)
				false_rate = 0.2;
			for (double at = prn_random_exponential(&random, 1 / fmax(false_rate, 1e-9)); at < interval;
			     at += prn_random_exponential(&random, 1 / fmax(false_rate, 1e-9)))
				counts.since++;
			prn_trust_visit(&trust, &counts, &watched, interval, changed);
			prn_watched_visit(&watched, interval, changed);
		}
	}
	return trust;
}

/* The grid's steps are .05 to .15. */
static void test_learned(void)
{
	struct prn_trust whole = watch(&(struct host){ 1, 1, 0.1 }, 2000), good = watch(&(struct host){ 0.75, 0.8, 0.1 }, 2000);
	struct prn_trust half = watch(&(struct host){ 0.45, 0.8, 0.1 }, 4000), lies = watch(&(struct host){ 0, 0, 0.1 }, 2000);

	near(prn_trust_degree(&whole), 0.98, 0.05, "a source that tells every change and no other is trusted");
	near(prn_trust_degree(&good), 0.75, 0.15, "a source that tells three in four changes, with false hints, is trusted as far");
	near(prn_trust_degree(&half), 0.45, 0.15, "a source that tells nearly half of the changes is trusted as far");
	ok(prn_trust_degree(&lies) < 0.15, "hints at random are hardly trusted");
	ok(prn_trust_precision(&whole) > 0.99 && prn_trust_recall(&whole) > 0.99, "a source that tells every change has precision and recall");
	ok(prn_trust_precision(&lies) < 0.5, "hints at random have no precision");
	near(prn_trust_hinted(&whole), whole.changed / whole.visits, 1e-9, "hints of all changes and of nothing else come before as large a share of visits as changes do");
	ok(prn_trust_recall(&lies) < 2 * prn_trust_hinted(&lies) && prn_trust_recall(&whole) > 2.5 * prn_trust_hinted(&whole),
	   "how far recall is above the share of visits that came after a hint tells hints of changes from hints at random");
}

static void test_unspoken(void)
{
	struct prn_trust trust = { 0 }, fresh = { 0 };
	struct prn_page_hints counts = { 0, 0 };
	struct prn_watched watched = { 0 };
	struct prn_hints hints;

	for (int i = 0; i < 50; i++) {
		prn_trust_visit(&trust, &counts, &watched, 1, true);
		prn_watched_visit(&watched, 1, true);
	}
	counts.since = 1;
	prn_trust_hints(&trust, &counts, &watched, &hints);
	near(hints.trust, 0, 0, "a source's first hint is not trusted before a visit has proved it");
	prn_trust_visit(&trust, &counts, &watched, 1, true);
	near(counts.before, 1, 0, "a visit takes the hints since the last one up");
	near(counts.since, 0, 0, "after a visit there are no hints since");
	counts = (struct prn_page_hints){ .since = 1 };
	prn_trust_visit(&fresh, &counts, &watched, 1, true);
	near(prn_trust_degree(&trust), prn_trust_degree(&fresh), 0.02, "changes before a source has spoken are not held against it");
}

static void test_flood(void)
{
	struct prn_trust trust = watch(&(struct host){ 1, 1, 0.1 }, 1000), always = { 0 };
	struct prn_page_hints counts = { 0, 0 };
	struct prn_watched watched = { .time = 30, .changes = 3 };
	struct prn_hints hints;

	for (int i = 0; i < 8; i++) {
		counts.since = 20;
		prn_trust_visit(&trust, &counts, &watched, 1, false);
		prn_watched_visit(&watched, 1, false);
	}
	ok(prn_trust_degree(&trust) < 0.2, "a source that was right for long loses its trust in eight visits of a flood of false hints");
	for (int i = 0; i < 2000; i++) {
		counts.since = 1;
		prn_trust_visit(&always, &counts, &watched, 1, i % 3 == 0);
	}
	ok(prn_trust_recall(&always) > 1 - 1e-9 && prn_trust_hinted(&always) > 1 - 1e-9, "who says each time that all has changed has a recall of 1, and is seen to say it each time");
	counts = (struct prn_page_hints){ .before = 160 };
	prn_trust_hints(&trust, &counts, &watched, &hints);
	ok(hints.rate > 2, "what a hint is worth falls with how many there are");
}

/*
 * A sitemap that says of its page, another at each visit, four times a day that it is of now: there is no more to learn of it than
 * that it speaks often.  Visits are half a day to a day apart.
 */
static void test_new_noise(void)
{
	struct prn_trust trust = { 0 };
	struct prn_page_hints counts = { 0, 0 };
	struct prn_watched watched = { 0, 0 };
	struct prn_random random;
	double now = 0, most = 0;

	prn_random_seed(&random, 5, 1);
	for (int i = 0; i < 12; i++) {
		double interval = 0.5 + 0.5 * prn_random_unit(&random);

		counts.since = floor(4 * (now + interval)) - floor(4 * now);
		prn_trust_visit(&trust, &counts, &watched, interval, true);
		prn_watched_visit(&watched, interval, true);
		now += interval;
		most = fmax(most, prn_trust_degree(&trust));
	}
	printf("# trust at most %.3f\n", most);
	ok(most < 0.15, "a source that always says 'now' of a page that always changes is not trusted while it is new");
}

#define LENGTH_OF_VISITS 4 /* at the end, which older versions do not have */

static void test_packing(void)
{
	struct prn_trust trust = watch(&(struct host){ 0.75, 0.8, 0.1 }, 500), read, zero = { 0 };
	unsigned char bytes[PRN_TRUST_BYTES], again[PRN_TRUST_BYTES];
	size_t length = prn_trust_pack(&trust, bytes, sizeof bytes);
	bool refused = true, same = true;

	ok(length > 0 && length <= sizeof bytes, "a trust packs to at most PRN_TRUST_BYTES");
	ok(!prn_trust_unpack(&read, bytes, length), "a packed trust is read");
	near(prn_trust_degree(&read), prn_trust_degree(&trust), 1e-6, "a packed trust is as much as it was");
	ok(prn_trust_pack(&read, again, sizeof again) == length && !memcmp(bytes, again, length), "a trust that was read packs to the same bytes");
	for (size_t i = 0; i < length; i++)
		refused &= prn_trust_unpack(&read, bytes, i) == (i && i != length - LENGTH_OF_VISITS ? PRN_E_INPUT : 0);
	ok(refused, "a trust cut short is refused");
	prn_trust_unpack(&read, bytes, length - LENGTH_OF_VISITS);
	near(prn_trust_hinted(&read), trust.hinted / (trust.hinted + trust.changed - trust.both), 1e-6,
	     "of an older record, without its visits, those are known of which other counts tell");
	bytes[0] = 0x80; /* a packed 0 */
	refused = prn_trust_unpack(&read, bytes, length) == PRN_E_INPUT;
	memset(bytes, 0x80, 14);
	bytes[0] = 0x81;
	refused &= prn_trust_unpack(&read, bytes, 14) == PRN_E_INPUT;
	ok(refused, "bytes of a source that spoke without hints, or of no time, are refused");
	ok(prn_trust_pack(&zero, bytes, 0) == 0, "a source that never spoke packs to nothing");
	for (int i = 0; i < 20000; i++) {
		struct prn_random random;

		prn_random_seed(&random, 5, (uint64_t)i);
		prn_trust_pack(&trust, bytes, sizeof bytes);
		bytes[prn_random_below(&random, length)] = (unsigned char)prn_random_bits(&random);
		if (!prn_trust_unpack(&read, bytes, length))
			same &= prn_trust_degree(&read) >= 0 && prn_trust_degree(&read) <= 1 &&
			        prn_trust_pack(&read, again, sizeof again) == length && !memcmp(bytes, again, length);
	}
	ok(same, "whatever bytes are read as a trust pack to the same bytes and are a degree from 0 to 1");
}

int main(void)
{
	test_learned();
	test_unspoken();
	test_flood();
	test_new_noise();
	test_packing();
	return done();
}
