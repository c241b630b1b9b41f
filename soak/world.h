/*
 * A simulated crawl under a budget: good pages whose sentences are replaced now and then, for good, and guests of one kind or
 * of several.  The good pages change alike in every run with the same seed, whoever their guests are.
 */
#ifndef SOAK_WORLD_H
#define SOAK_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#define WORLD_GOOD 500
#define WORLD_GUESTS 20

/* The content of guests.  Except for the first two, nothing of it lasts. */
enum guest {
	GUEST_ORDINARY,    /* like the good pages */
	GUEST_STILL,       /* never anything new */
	GUEST_REDIRECT,    /* a redirect to a new address at each visit, which does the same */
	GUEST_RANDOM,      /* a different text at each visit */
	GUEST_WIDGET,      /* half of the page is random, the rest stays */
	GUEST_ALTERNATING, /* one of two bodies by chance */
	GUEST_CALENDAR,    /* the current time on every line */
	GUEST_CHURN,       /* a completely different text every twenty minutes */
	GUEST_KINDS,
};

/* The hints about them. */
enum hinting {
	HINTS_NOTHING,
	HINTS_SITEMAP, /* a sitemap is read every six hours, and says that all pages have just changed */
	HINTS_FEED,    /* a feed is read every hour, and says so of five pages by chance */
	HINTS_PING,    /* a ping for each page every eleven minutes */
	HINTS_AHEAD,   /* a ping for each page before its own churn */
	HINTINGS,
};

struct party {
	const char *name;
	enum guest kinds[5]; /* assigned in turn */
	unsigned kind_count; /* 0: there are no guests */
	enum hinting hinting;
	bool is_site; /* they are pages of one host instead of one each */
};

struct counts {
	double stale; /* mean share of the good pages' sentences that the copies do not have, every hour from the fourth day on */
	uint64_t fetches;
	uint64_t of_guests; /* fetches of guests */
};

/* Runs eight days with a policy and 500 fetches a day; party may be NULL.  Ends the program if the decider fails. */
struct counts world_run(const char *policy, const struct party *party, uint64_t seed);

#endif
