/*
 * A crawl under a budget, simulated: good pages whose sentences are replaced now and then, for good, and guests beside them
 * of one kind or of several.  The good pages change alike in every run with the same seed, whoever their guests are.
 */
#ifndef SOAK_WORLD_H
#define SOAK_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#define WORLD_GOOD 500
#define WORLD_GUESTS 20

/* What guests bring.  Of all but the first two nothing lasts. */
enum guest {
	GUEST_ORDINARY,    /* as the good pages */
	GUEST_STILL,       /* never anything new */
	GUEST_REDIRECT,    /* to a fresh address at each visit, which does the same */
	GUEST_RANDOM,      /* text, another one at each visit */
	GUEST_WIDGET,      /* of half the page, random beside text that stays */
	GUEST_ALTERNATING, /* two bodies, either by chance */
	GUEST_CALENDAR,    /* what time it is, on every line */
	GUEST_CHURN,       /* wholly another text every twenty minutes */
	GUEST_KINDS,
};

/* What is told of them. */
enum telling {
	TELL_NOTHING,
	TELL_SITEMAP, /* read every six hours: all of them are of now */
	TELL_FEED,    /* read every hour: five by chance are of now */
	TELL_PING,    /* each page every eleven minutes */
	TELL_AHEAD,   /* each page before its own churn */
	TELLINGS,
};

struct party {
	const char *name;
	enum guest kinds[5]; /* taken in turn */
	unsigned kind_count; /* 0: there are no guests */
	enum telling telling;
	bool is_site; /* they are pages of one host, and not each of its own */
};

struct tally {
	double stale; /* mean share of the good pages' sentences that the copies do not have, every hour from the fourth day on */
	uint64_t fetches;
	uint64_t of_guests; /* of fetches */
};

/* Eight days with a policy and 500 fetches a day; party may be NULL.  Ends the program when the decider fails. */
struct tally world_run(const char *policy, const struct party *party, uint64_t seed);

#endif
