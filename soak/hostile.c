/*
 * What hostile pages take from good ones: a simulated week of a crawl under a budget, with and without twenty pages among
 * 520 that do what the web does to crawlers: redirects to a fresh address each time, random text, a random widget beside
 * text that stays, two bodies in turn, and a calendar.  Prints, for each policy, the mean staleness of the good pages:
 * the share of their lasting sentences that the copy does not have, looked at every hour from the fourth day on.
 *
 *	soak/hostile [SEED]
 *
 * Twenty pages more of any kind take about four per cent of the fetches.  Exits with 1 if the good pages are staler by more
 * than 12 per cent for a policy; before redirects, shares and drift were what they are it was 25 to 65.
 */
#include "../tests/desk.h"

#include "base/random.h"
#include "perennial/due.h"

#include <math.h>

#define GOOD 500
#define HOSTILE 20
#define KINDS 5
#define SENTENCES 40
#define DAYS 8
#define FROM_DAY 3
#define BUDGET 500.0
#define EVERY 600 /* seconds between two calls for what is due */
#define ALLOWED 1.12
#define LEAST 4 /* times that each kind of hostile page is handed out: once for each page */

/* A page whose sentences are replaced now and then, for good; and an advertisement, which is another one at each visit. */
struct good {
	double rate_per_day;
	int64_t next; /* change */
	uint32_t versions[SENTENCES], seen[SENTENCES];
	bool visited;
};

struct world {
	struct desk desk;
	struct prn_random random, changes;
	struct good pages[GOOD];
	uint64_t given, given_hostile;
	uint64_t kinds[KINDS]; /* of given_hostile */
	double stale;
	uint64_t looks;
};

/* Sentences of 8 words, which their numbers make. */
static size_t write_sentence(char *text, size_t size, uint64_t page, uint64_t sentence, uint64_t version)
{
	size_t length = 0;

	for (unsigned word = 0; word < 8; word++)
		length += (size_t)snprintf(text + length, size - length, "w%llx%u ",
		                           (unsigned long long)((page * 1000003 + sentence) * 1000003 + version) % 0xffffff, word);
	return length;
}

static void change_good(struct world *world, struct good *good, int64_t now)
{
	while (good->next <= now) {
		good->versions[prn_random_below(&world->changes, SENTENCES)]++;
		good->next += 1 + (int64_t)(-log(1 - prn_random_unit(&world->changes)) / good->rate_per_day * (double)DAY);
	}
}

static void bring_good(struct world *world, const char *url, unsigned page, int64_t now)
{
	struct good *good = &world->pages[page];
	static char text[SENTENCES * 120];
	size_t length = 0;

	for (unsigned i = 0; i < SENTENCES; i++)
		length += write_sentence(text + length, sizeof text - length, page, i, good->versions[i]);
	write_sentence(text + length, sizeof text - length, 7777777, prn_random_below(&world->random, 1 << 30), 0);
	memcpy(good->seen, good->versions, sizeof good->seen);
	good->visited = true;
	desk_text(&world->desk, url, now, text);
}

static void bring_hostile(struct world *world, const char *url, unsigned page, int64_t now)
{
	static char text[SENTENCES * 120];
	uint64_t noise = prn_random_below(&world->random, 1 << 30);
	size_t length = 0;
	char target[128];

	switch (page % KINDS) {
	case 0:
		snprintf(target, sizeof target, "http://trap%u.example/login?state=%llu", page, (unsigned long long)noise);
		desk_redirect(&world->desk, url, now, target);
		return;
	case 1: /* random text */
		for (unsigned i = 0; i < SENTENCES; i++)
			length += write_sentence(text + length, sizeof text - length, 8000 + page, noise, i);
		break;
	case 2: /* a widget that takes half the page */
		for (unsigned i = 0; i < SENTENCES; i++)
			length += write_sentence(text + length, sizeof text - length, 8000 + page, i % 2 ? i : noise + i, 0);
		break;
	case 3: /* two bodies in turn */
		for (unsigned i = 0; i < SENTENCES; i++)
			length += write_sentence(text + length, sizeof text - length, 8000 + page, i, noise % 2);
		break;
	default: /* a calendar: what time it is, on every line */
		for (unsigned i = 0; i < SENTENCES; i++)
			length += write_sentence(text + length, sizeof text - length, 8000 + page, (uint64_t)now / 60 + i, 0);
	}
	desk_text(&world->desk, url, now, text);
}

static void bring(struct world *world, const char *url, int64_t now)
{
	unsigned page;

	world->given++;
	if (sscanf(url, "http://good%u.", &page) == 1) {
		bring_good(world, url, page, now);
		return;
	}
	world->given_hostile++;
	if (sscanf(url, "http://trap%u.", &page) != 1)
		must(false, "tell whose page that is");
	world->kinds[page % KINDS]++;
	bring_hostile(world, url, page, now);
}

static void look(struct world *world)
{
	for (unsigned i = 0; i < GOOD; i++) {
		const struct good *good = &world->pages[i];
		unsigned stale = 0;

		for (unsigned j = 0; j < SENTENCES; j++)
			stale += !good->visited || good->seen[j] != good->versions[j];
		world->stale += (double)stale / SENTENCES;
		world->looks++;
	}
}

static void open_world(struct world *world, const char *policy, bool hostile, uint64_t seed)
{
	const struct prn_decider_settings settings = { .policy = policy, .budget_per_day = BUDGET };
	static unsigned number;
	enum prn_added added;
	char url[64];

	*world = (struct world){ .desk = { .clock = INT64_MIN } };
	prn_random_seed(&world->random, seed, 1);
	prn_random_seed(&world->changes, seed, 2);
	snprintf(world->desk.path, sizeof world->desk.path, "memory:hostile-%u", number++);
	prn_decider_options_init(&world->desk.options);
	prn_observation_init(&world->desk.observation);
	must(!prn_decider_create(world->desk.path, &settings, NULL), "make a store");
	desk_reopen(&world->desk);
	for (unsigned i = 0; i < GOOD; i++) {
		/* From ten changes a day to one in two months. */
		world->pages[i].rate_per_day = 10 * pow(600, -(double)i / GOOD);
		world->pages[i].next = T0 + (int64_t)(prn_random_unit(&world->changes) * (double)DAY / world->pages[i].rate_per_day);
		snprintf(url, sizeof url, "http://good%u.example/", i);
		must(!prn_decider_add(world->desk.decider, url, 1, T0, &added, NULL), "add a page");
	}
	for (unsigned i = 0; hostile && i < HOSTILE; i++) {
		snprintf(url, sizeof url, "http://trap%u.example/", i);
		must(!prn_decider_add(world->desk.decider, url, 1, T0, &added, NULL), "add a page");
	}
}

static double run(const char *policy, bool hostile, uint64_t seed, struct world *world)
{
	struct prn_due_list list;
	int64_t hour = T0;

	open_world(world, policy, hostile, seed);
	prn_due_list_init(&list);
	for (int64_t now = T0; now < T0 + DAYS * DAY; now += EVERY) {
		const struct prn_due_request request = { now, 1000, HOUR };

		for (unsigned i = 0; i < GOOD; i++)
			change_good(world, &world->pages[i], now);
		for (; hour <= now; hour += HOUR)
			if (hour >= T0 + FROM_DAY * DAY)
				look(world);
		must(!prn_decider_due(world->desk.decider, &request, &list, NULL), "ask what is due");
		for (size_t i = 0; i < list.count; i++)
			bring(world, list.items[i].url, now);
	}
	prn_due_list_release(&list);
	desk_release(&world->desk);
	return world->stale / (double)world->looks;
}

/* In per cent of all that was handed out. */
static double share(const struct world *world, uint64_t count)
{
	return 100.0 * (double)count / (double)world->given;
}

int main(int argc, char **argv)
{
	static const char *const policies[] = { "drift", "curve-fitting", "bound-based", "cgm" };
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	static struct world world;
	bool held = true;

	printf("%-14s %8s %10s %8s %8s %9s %7s %7s %11s %9s\n", "policy", "alone", "with them", "ratio", "theirs", "redirects", "random",
	       "widget", "alternating", "calendar");
	for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
		double alone = run(policies[i], false, seed, &world), beside = run(policies[i], true, seed, &world);

		printf("%-14s %8.4f %10.4f %8.3f %7.1f%% %8.1f%% %6.1f%% %6.1f%% %10.1f%% %8.1f%%\n", policies[i], alone, beside,
		       beside / alone, share(&world, world.given_hostile), share(&world, world.kinds[0]), share(&world, world.kinds[1]),
		       share(&world, world.kinds[2]), share(&world, world.kinds[3]), share(&world, world.kinds[4]));
		fflush(stdout);
		held &= beside <= ALLOWED * alone;
		for (size_t j = 0; j < KINDS; j++)
			if (world.kinds[j] < LEAST) {
				printf("%s: too little was done to show anything: pages of kind %zu were handed out %u times\n", policies[i],
				       j, (unsigned)world.kinds[j]);
				held = false;
			}
	}
	return !held;
}
