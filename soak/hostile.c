/*
 * What hostile pages take from good ones: a simulated week of a crawl under a budget, in which 500 good pages have twenty
 * guests that do what the web does to crawlers; each of five kinds alone, and four pages of each together; and so as pages of one site.
 *
 *	soak/hostile [--policy=NAME] [--guests=NAME] [FIRST [LAST]]
 *
 * The claim is that guests that are hostile make the good pages staler than as many ordinary guests do by no more than 3 per
 * cent.  Twenty pages more of any kind take a part of a budget that is fixed: 4 per cent of it if they are ordinary.  That
 * part is nobody's fault, so the world with hostile guests is paired with the same world with twenty more ordinary pages in
 * their stead, and how much staler good pages are than all alone stands beside it.  Second, the same of pages that are told of, to no
 * purpose: against the same pages of which nothing is told; and they are to be fetched no more than a tenth more often than those.
 *
 * Each seed from FIRST (1) to LAST (FIRST + 4) makes worlds of its own, and one pair.  What is printed of each policy and
 * party of guests are the mean of the pairs' ratios and the ends of its 95 per cent interval by Student's t; the mean
 * staleness of the good pages, and that relative to all alone; the guests' share of all fetches, and of these how many each
 * guest had and that relative to whom it is paired with; and what is shown of the claim: "held", the whole interval is within what
 * is allowed; "open", its upper end is not; "broken", nor is its lower end.  A few seeds leave much open: 100 decide.
 * Exits with 1 if a claim is broken, or if guests were not even fetched once each, for then nothing is shown; and with 2 if it is called wrongly.
 */
#include "soak/paired.h"
#include "soak/world.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS 5
#define CONFIDENCE 0.95

#define ALLOWED 1.03
#define ALLOWED_FETCHES 1.1

/* Each guest must be fetched at least once: otherwise nothing is shown. */
#define LEAST 1.0

#define ALL_FIVE { GUEST_REDIRECT, GUEST_RANDOM, GUEST_WIDGET, GUEST_ALTERNATING, GUEST_CALENDAR }, 5

static const struct party hostile[] = {
	{ "redirects", { GUEST_REDIRECT }, 1, HINTS_NOTHING, false },
	{ "random text", { GUEST_RANDOM }, 1, HINTS_NOTHING, false },
	{ "random widget", { GUEST_WIDGET }, 1, HINTS_NOTHING, false },
	{ "alternating", { GUEST_ALTERNATING }, 1, HINTS_NOTHING, false },
	{ "calendar", { GUEST_CALENDAR }, 1, HINTS_NOTHING, false },
	{ "all five", ALL_FIVE, HINTS_NOTHING, false },
	{ "site: random text", { GUEST_RANDOM }, 1, HINTS_NOTHING, true },
	{ "site: alternating", { GUEST_ALTERNATING }, 1, HINTS_NOTHING, true },
	{ "site: all five", ALL_FIVE, HINTS_NOTHING, true },
};
static const struct party hinted[] = {
	{ "sitemap: now", { GUEST_ORDINARY }, 1, HINTS_SITEMAP, false },
	{ "sitemap: now, random", { GUEST_RANDOM }, 1, HINTS_SITEMAP, false },
	{ "feed: by chance", { GUEST_ORDINARY }, 1, HINTS_FEED, false },
	{ "ping, still", { GUEST_STILL }, 1, HINTS_PING, false },
	{ "ping, random text", { GUEST_RANDOM }, 1, HINTS_PING, false },
	{ "ahead of churn", { GUEST_CHURN }, 1, HINTS_AHEAD, false },
};
static const struct {
	const char *name;
	bool heeds_hints;
} policies[] = { { "drift", true }, { "curve-fitting", true }, { "bound-based", false }, { "cgm", true } };

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define HOSTILE COUNT_OF(hostile)
#define HINTED COUNT_OF(hinted)

/*
 * The worlds of one policy that were run, by their guests: several parties may be paired with the same world, which is run
 * once.
 */
struct runs {
	const char *policy;
	uint64_t first;
	size_t count;        /* number of seeds */
	struct counts *alone; /* [count] */
	struct counts *unhinted[GUEST_KINDS][2]; /* guests of a kind without hints, as pages of their own hosts or of one site; [count] each, or NULL */
};

static struct counts *run_seeds(const struct runs *runs, const struct party *party)
{
	struct counts *counts = calloc(runs->count, sizeof *counts);

	if (!counts) {
		fputs("soak/hostile: out of memory\n", stderr);
		exit(2);
	}
	for (size_t i = 0; i < runs->count; i++)
		counts[i] = world_run(runs->policy, party, runs->first + i);
	return counts;
}

/* Runs worlds with twenty guests of one kind, about which there are no hints. */
static const struct counts *run_unhinted(struct runs *runs, enum guest kind, bool is_site)
{
	const struct party party = { "unhinted", { kind }, 1, HINTS_NOTHING, is_site };
	struct counts **counts = &runs->unhinted[kind][is_site];

	if (!*counts)
		*counts = run_seeds(runs, &party);
	return *counts;
}

static const char *shown_word(enum paired_shown shown)
{
	return shown == PAIRED_HELD ? "held" : shown == PAIRED_OPEN ? "open" : "broken";
}

/* Prints what is shown of a party; returns false if the claim does not hold. */
static bool compare(struct runs *runs, const struct party *party, const struct counts *beside, bool claims_fetches)
{
	struct counts *counts = run_seeds(runs, party);
	struct paired stale = { 0 }, alone = { 0 }, fetched = { 0 };
	double staleness = 0, theirs = 0, each = 0, half;
	enum paired_shown shown, shown_fetches;

	for (size_t i = 0; i < runs->count; i++) {
		paired_add(&stale, counts[i].stale, beside[i].stale);
		paired_add(&alone, counts[i].stale, runs->alone[i].stale);
		paired_add(&fetched, (double)counts[i].of_guests, (double)beside[i].of_guests);
		staleness += counts[i].stale / (double)runs->count;
		theirs += (double)counts[i].of_guests / (double)counts[i].fetches / (double)runs->count;
		each += (double)counts[i].of_guests / WORLD_GUESTS / (double)runs->count;
	}
	free(counts);
	half = paired_half_width(&stale, CONFIDENCE);
	shown = paired_shows(&stale, ALLOWED, CONFIDENCE);
	shown_fetches = claims_fetches ? paired_shows(&fetched, ALLOWED_FETCHES, CONFIDENCE) : PAIRED_HELD;
	printf("%-14s %-21s %5zu %7.4f %7.4f %7.4f %8.4f %7.4f %6.1f%% %7.1f %8.3f  %s%s%s%s\n", runs->policy, party->name, runs->count,
	       stale.mean, stale.mean - half, stale.mean + half, staleness, alone.mean, 100 * theirs, each, fetched.mean,
	       shown_word(shown), claims_fetches ? ", fetches " : "", claims_fetches ? shown_word(shown_fetches) : "", each < LEAST ? ", but too few fetches" : "");
	fflush(stdout);
	return each >= LEAST && shown != PAIRED_BROKEN && shown_fetches != PAIRED_BROKEN;
}

static bool is_wanted(const char *wanted, const char *name)
{
	return !wanted || !strcmp(wanted, name);
}

static bool run_policy(struct runs *runs, const char *guests, bool heeds_hints)
{
	bool held = true;

	runs->alone = run_seeds(runs, NULL);
	for (size_t i = 0; i < HOSTILE; i++)
		if (is_wanted(guests, hostile[i].name))
			held &= compare(runs, &hostile[i], run_unhinted(runs, GUEST_ORDINARY, hostile[i].is_site), false);
	for (size_t i = 0; i < HINTED && heeds_hints; i++)
		if (is_wanted(guests, hinted[i].name))
			held &= compare(runs, &hinted[i], run_unhinted(runs, hinted[i].kinds[0], false), true);
	free(runs->alone);
	for (size_t i = 0; i < GUEST_KINDS; i++) {
		free(runs->unhinted[i][0]);
		free(runs->unhinted[i][1]);
	}
	return held;
}

/* Whether the policy and the guests exist: otherwise nothing would be run, and no claim broken. */
static bool is_known(const char *policy, const char *guests)
{
	for (size_t i = 0; i < COUNT_OF(policies); i++) {
		if (!is_wanted(policy, policies[i].name))
			continue;
		for (size_t j = 0; j < HOSTILE + (policies[i].heeds_hints ? HINTED : 0); j++)
			if (is_wanted(guests, j < HOSTILE ? hostile[j].name : hinted[j - HOSTILE].name))
				return true;
	}
	return false;
}

static int explain_usage(void)
{
	fputs("usage: soak/hostile [--policy=NAME] [--guests=NAME] [FIRST [LAST]]\npolicies:", stderr);
	for (size_t i = 0; i < COUNT_OF(policies); i++)
		fprintf(stderr, "%s %s", i ? "," : "", policies[i].name);
	fputs("\nguests:", stderr);
	for (size_t i = 0; i < HOSTILE; i++)
		fprintf(stderr, "%s '%s'", i ? "," : "", hostile[i].name);
	fputs("\nguests that are told of (not with bound-based):", stderr);
	for (size_t i = 0; i < HINTED; i++)
		fprintf(stderr, "%s '%s'", i ? "," : "", hinted[i].name);
	fputs("\nseeds: at least two, FIRST to LAST\n", stderr);
	return 2;
}

int main(int argc, char **argv)
{
	static const struct option options[] = { { "policy", required_argument, NULL, 'p' }, { "guests", required_argument, NULL, 'g' }, { 0 } };
	const char *policy = NULL, *guests = NULL;
	uint64_t first, last;
	bool held = true;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == '?')
			return explain_usage();
		*(option == 'p' ? &policy : &guests) = optarg;
	}
	first = optind < argc ? strtoull(argv[optind], NULL, 10) : 1;
	last = optind + 1 < argc ? strtoull(argv[optind + 1], NULL, 10) : first + SEEDS - 1;
	if (argc - optind > 2 || last <= first || !is_known(policy, guests))
		return explain_usage();
	printf("The claim: with these guests the good pages are at most %.2f times as stale as with as many ordinary ones (pages that are told of: as\n"
	       "with the same, untold, fetched at most %.1f times as often).  \"ratio\" is the mean of a pair for each seed, %llu to %llu, \"low\" and \"high\" its %g %%\n"
	       "interval; held: all of it is within; open: too few seeds to tell; broken: none of it is.\n",
	       ALLOWED, ALLOWED_FETCHES, (unsigned long long)first, (unsigned long long)last, 100 * CONFIDENCE);
	printf("%-14s %-21s %5s %7s %7s %7s %8s %7s %7s %7s %8s  %s\n", "policy", "guests", "seeds", "ratio", "low", "high", "stale", "/alone",
	       "theirs", "each", "/beside", "claim");
	for (size_t i = 0; i < COUNT_OF(policies); i++) {
		struct runs runs = { policies[i].name, first, (size_t)(last - first + 1), NULL, { { NULL } } };

		if (is_wanted(policy, policies[i].name))
			held &= run_policy(&runs, guests, policies[i].heeds_hints);
	}
	return !held;
}
