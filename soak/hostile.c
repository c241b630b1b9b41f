/*
 * What hostile pages take from good ones: a simulated week of a crawl under a budget, in which 500 good pages have twenty
 * guests that do what the web does to crawlers; each of five kinds alone, and four pages of each together; and so as pages of one site.
 *
 *	soak/hostile [SEED [ROUNDS]]
 *
 * Twenty pages more of any kind take a part of a budget that is fixed.  So the run without hostile pages is the one with
 * twenty more ordinary pages in their stead; how much staler good pages are than all alone is printed beside it.  Second, the
 * same of pages that are told of, to no purpose: against the same pages of which nothing is told.
 *
 * Prints, for each policy and party of guests, the mean staleness of the good pages, that divided by what it is all alone and
 * by what it is with whom it is to be compared, the guests' share of all fetches, and fetches of each guest.  Of ROUNDS
 * rounds, 3 unless told otherwise, these are means.  Exits with 1 if the good pages are staler than with whom they are to be
 * compared by more than 3 per cent where the guests are of all kinds or are told of, or under drift, by more than 5 where all are of one
 * kind; or if a party that is told of is fetched a tenth more often than untold.
 */
#include "soak/world.h"

#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 3

/* Of staleness: what may be by chance of three rounds is within 1 per cent. */
#define ALLOWED 1.03
#define ALLOWED_ALIKE 1.05
#define ALLOWED_FETCHES 1.1

/* Each guest is fetched at least once: else nothing is shown. */
#define LEAST 1.0

static const struct party ordinary = { "ordinary", { GUEST_ORDINARY }, 1, TELL_NOTHING, false };
static const struct party ordinary_site = { "ordinary site", { GUEST_ORDINARY }, 1, TELL_NOTHING, true };
static const struct party hostile[] = {
	{ "redirects", { GUEST_REDIRECT }, 1, TELL_NOTHING, false },
	{ "random text", { GUEST_RANDOM }, 1, TELL_NOTHING, false },
	{ "random widget", { GUEST_WIDGET }, 1, TELL_NOTHING, false },
	{ "alternating", { GUEST_ALTERNATING }, 1, TELL_NOTHING, false },
	{ "calendar", { GUEST_CALENDAR }, 1, TELL_NOTHING, false },
	{ "all five", { GUEST_REDIRECT, GUEST_RANDOM, GUEST_WIDGET, GUEST_ALTERNATING, GUEST_CALENDAR }, 5, TELL_NOTHING, false },
};
static const struct party sites[] = {
	{ "site: random text", { GUEST_RANDOM }, 1, TELL_NOTHING, true },
	{ "site: alternating", { GUEST_ALTERNATING }, 1, TELL_NOTHING, true },
	{ "site: all five", { GUEST_REDIRECT, GUEST_RANDOM, GUEST_WIDGET, GUEST_ALTERNATING, GUEST_CALENDAR }, 5, TELL_NOTHING, true },
};
static const struct party told[] = {
	{ "sitemap: now", { GUEST_ORDINARY }, 1, TELL_SITEMAP, false },
	{ "sitemap: now, random", { GUEST_RANDOM }, 1, TELL_SITEMAP, false },
	{ "feed: by chance", { GUEST_ORDINARY }, 1, TELL_FEED, false },
	{ "ping, still", { GUEST_STILL }, 1, TELL_PING, false },
	{ "ping, random text", { GUEST_RANDOM }, 1, TELL_PING, false },
	{ "ahead of churn", { GUEST_CHURN }, 1, TELL_AHEAD, false },
};

struct plan {
	const char *policy;
	uint64_t seed;
	unsigned rounds;
	double allowed_alike;
	double alone; /* staleness of the good pages without guests */
};

static double per_guest(const struct plan *plan, const struct tally *tally)
{
	return (double)tally->of_guests / plan->rounds / WORLD_GUESTS;
}

static struct tally run(const struct plan *plan, const struct party *party)
{
	struct tally sum = { 0 };

	for (unsigned i = 0; i < plan->rounds; i++) {
		struct tally tally = world_run(plan->policy, party, plan->seed + i);

		sum.stale += tally.stale / plan->rounds;
		sum.fetches += tally.fetches;
		sum.of_guests += tally.of_guests;
	}
	return sum;
}

static void print(const struct plan *plan, const struct party *party, const struct tally *tally, double beside, bool held)
{
	printf("%-14s %-21s %8.4f %8.3f %8.3f %7.1f%% %9.1f%s\n", plan->policy, party->name, tally->stale, tally->stale / plan->alone,
	       tally->stale / beside, 100 * (double)tally->of_guests / (double)tally->fetches, per_guest(plan, tally),
	       held ? "" : "  more than is allowed");
	fflush(stdout);
}

static bool run_hostile(const struct plan *plan, const struct party *ordinary_ones, const struct party *parties, size_t count)
{
	struct tally beside = run(plan, ordinary_ones);
	bool all_held = true;

	print(plan, ordinary_ones, &beside, beside.stale, true);
	for (size_t i = 0; i < count; i++) {
		struct tally tally = run(plan, &parties[i]);
		bool held = tally.stale <= (parties[i].kind_count > 1 ? ALLOWED : plan->allowed_alike) * beside.stale &&
		            per_guest(plan, &tally) >= LEAST;

		print(plan, &parties[i], &tally, beside.stale, held);
		all_held &= held;
	}
	return all_held;
}

static bool run_told(const struct plan *plan)
{
	struct tally untold[GUEST_KINDS] = { 0 };
	bool all_held = true, held;

	for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
		struct tally tally = run(plan, &told[i]), *beside = &untold[told[i].kinds[0]];
		struct party same = told[i];

		same.name = " the same, untold";
		same.telling = TELL_NOTHING;
		if (!beside->fetches)
			*beside = run(plan, &same);
		held = tally.stale <= ALLOWED * beside->stale &&
		       (double)tally.of_guests <= ALLOWED_FETCHES * (double)beside->of_guests;
		print(plan, &told[i], &tally, beside->stale, held);
		print(plan, &same, beside, beside->stale, true);
		all_held &= held;
	}
	return all_held;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		bool heeds_hints;
		double allowed_alike;
	} policies[] = { { "drift", true, ALLOWED }, { "curve-fitting", true, ALLOWED_ALIKE }, { "bound-based", false, ALLOWED_ALIKE },
			 { "cgm", true, ALLOWED_ALIKE } };
	bool held = true;

	printf("%-14s %-21s %8s %8s %8s %8s %9s\n", "policy", "guests", "stale", "/alone", "/beside", "theirs", "each");
	for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
		struct plan plan = { policies[i].name, argc > 1 ? strtoull(argv[1], NULL, 10) : 1,
			             argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : ROUNDS,
			             policies[i].allowed_alike, 0 };

		plan.rounds += !plan.rounds;
		plan.alone = run(&plan, NULL).stale;
		held &= run_hostile(&plan, &ordinary, hostile, sizeof hostile / sizeof *hostile);
		held &= run_hostile(&plan, &ordinary_site, sites, sizeof sites / sizeof *sites);
		held &= !policies[i].heeds_hints || run_told(&plan);
	}
	return !held;
}
