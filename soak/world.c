#include "soak/world.h"

#include "../tests/desk.h"

#include "base/random.h"
#include "perennial/hinting.h"

#include <math.h>

#define PAGES (WORLD_GOOD + WORLD_GUESTS)
#define SENTENCES 40
#define DAYS 8
#define FROM_DAY 3
#define BUDGET 500.0
#define EVERY 600 /* seconds between two calls for what is due */
#define CHURNS (20 * MINUTE)
#define PINGS (11 * MINUTE)
#define FEED_ENTRIES 5

/*
 * A good page, whose sentences are replaced now and then; it also has an advertisement, which is a different one at each
 * visit.
 */
struct good {
	double rate_per_day;
	int64_t next; /* time of the next change */
	uint32_t versions[SENTENCES], seen[SENTENCES];
	bool visited;
};

struct world {
	struct desk desk;
	struct prn_random random, changes, guests;
	struct good pages[PAGES];
	const struct party *party;
	struct counts counts;
	int64_t now;
	uint64_t looks;
};

static void url_of(const struct world *world, unsigned guest, char url[64])
{
	if (world->party->is_site)
		snprintf(url, 64, "http://guests.example/%u", guest);
	else
		snprintf(url, 64, "http://guest%u.example/", guest);
}

/* Writes a sentence of 8 words, which follow from the numbers. */
static size_t write_sentence(char *text, size_t size, uint64_t page, uint64_t sentence, uint64_t version)
{
	size_t length = 0;

	for (unsigned word = 0; word < 8; word++)
		length += (size_t)snprintf(text + length, size - length, "w%llx%u ",
		                           (unsigned long long)((page * 1000003 + sentence) * 1000003 + version) % 0xffffff, word);
	return length;
}

static void change_good(struct good *good, struct prn_random *random, int64_t now)
{
	while (good->next <= now) {
		good->versions[prn_random_below(random, SENTENCES)]++;
		good->next += 1 + (int64_t)(-log(1 - prn_random_unit(random)) / good->rate_per_day * (double)DAY);
	}
}

/* Rates range from ten changes a day to one in two months. */
static void begin_good(struct good *good, double rank, struct prn_random *random)
{
	good->rate_per_day = 10 * pow(600, -rank);
	good->next = T0 + (int64_t)(prn_random_unit(random) * (double)DAY / good->rate_per_day);
}

static void bring_good(struct world *world, const char *url, unsigned page)
{
	struct good *good = &world->pages[page];
	static char text[SENTENCES * 120];
	size_t length = 0;

	for (unsigned i = 0; i < SENTENCES; i++)
		length += write_sentence(text + length, sizeof text - length, page, i, good->versions[i]);
	write_sentence(text + length, sizeof text - length, 7777777, prn_random_below(&world->random, 1 << 30), 0);
	memcpy(good->seen, good->versions, sizeof good->seen);
	good->visited = true;
	desk_text(&world->desk, url, world->now, text);
}

/* Each page churns at its own hours. */
static int64_t churn_of(unsigned guest, int64_t now)
{
	return (now + guest * MINUTE) / CHURNS;
}

static void bring_guest(struct world *world, const char *url, unsigned guest, enum guest kind)
{
	static char text[SENTENCES * 120];
	uint64_t noise = prn_random_below(&world->random, 1 << 30), page = 8000 + guest, now = (uint64_t)world->now;
	size_t length = 0;
	char target[128], home[64];

	if (kind == GUEST_REDIRECT) {
		url_of(world, guest, home);
		if (world->party->is_site)
			strcat(home, "/");
		snprintf(target, sizeof target, "%slogin?state=%llu", home, (unsigned long long)noise);
		desk_redirect(&world->desk, url, world->now, target);
		return;
	}
	for (unsigned i = 0; i < SENTENCES; i++) {
		uint64_t sentence = kind == GUEST_RANDOM                ? noise
		                    : kind == GUEST_WIDGET && i % 2 == 0 ? noise + i
		                    : kind == GUEST_CALENDAR            ? now / 60 + i
		                                                        : i;
		uint64_t version = kind == GUEST_RANDOM        ? i
		                   : kind == GUEST_ALTERNATING ? noise % 2
		                   : kind == GUEST_CHURN       ? (uint64_t)churn_of(guest, world->now)
		                                               : 0;

		length += write_sentence(text + length, sizeof text - length, page, sentence, version);
	}
	desk_text(&world->desk, url, world->now, text);
}

static void bring(struct world *world, const char *url)
{
	unsigned page;
	enum guest kind;

	world->counts.fetches++;
	if (sscanf(url, "http://good%u.", &page) == 1) {
		bring_good(world, url, page);
		return;
	}
	if (sscanf(url, world->party->is_site ? "http://guests.example/%u" : "http://guest%u.", &page) != 1)
		must(false, "tell whose page that is");
	kind = world->party->kinds[page % world->party->kind_count];
	world->counts.of_guests++;
	if (kind == GUEST_ORDINARY)
		bring_good(world, url, WORLD_GOOD + page);
	else
		bring_guest(world, url, page, kind);
}

static void look(struct world *world)
{
	for (unsigned i = 0; i < WORLD_GOOD; i++) {
		const struct good *good = &world->pages[i];
		unsigned stale = 0;

		for (unsigned j = 0; j < SENTENCES; j++)
			stale += !good->visited || good->seen[j] != good->versions[j];
		world->counts.stale += (double)stale / SENTENCES;
		world->looks++;
	}
}

static void hint(struct world *world, unsigned guest, int64_t time, const char *source)
{
	char url[64];
	struct prn_hint hint = { .url = url, .normal_url = url, .time = time, .modified = time, .says_changed = true, .source = source };
	enum prn_hinted hinted;

	url_of(world, guest, url);
	must(!prn_decider_hint(world->desk.decider, &hint, time, &hinted, NULL), "take a hint");
}

/* Gives all hints since the last call, at their own times. */
static void give_hints(struct world *world)
{
	int64_t now = world->now, before = now - EVERY;
	enum hinting hinting = world->party->hinting;

	for (unsigned i = 0; i < WORLD_GUESTS; i++) {
		if (hinting == HINTS_SITEMAP && now / (6 * HOUR) != before / (6 * HOUR))
			hint(world, i, now, "sitemap");
		if (hinting == HINTS_PING && now / PINGS != before / PINGS)
			hint(world, i, now / PINGS * PINGS, "indexnow");
		if (hinting == HINTS_AHEAD && churn_of(i, now + 1) != churn_of(i, before + 1))
			hint(world, i, now, "indexnow");
	}
	for (unsigned i = 0; hinting == HINTS_FEED && i < FEED_ENTRIES && now / HOUR != before / HOUR; i++)
		hint(world, (unsigned)prn_random_below(&world->guests, WORLD_GUESTS), now, "feed");
}

static void open_world(struct world *world, const char *policy, uint64_t seed)
{
	const struct prn_decider_settings settings = { .policy = policy, .budget_per_day = BUDGET };
	static unsigned number;
	enum prn_added added;
	char url[64];

	prn_random_seed(&world->random, seed, 1);
	prn_random_seed(&world->changes, seed, 2);
	prn_random_seed(&world->guests, seed, 3);
	snprintf(world->desk.path, sizeof world->desk.path, "memory:hostile-%u", number++);
	prn_decider_options_init(&world->desk.options);
	/* A site is limited only by its share of the budget. */
	if (world->party && world->party->is_site) {
		world->desk.options.host_limit = 0;
		world->desk.options.host_delay_s = 0;
	}
	prn_observation_init(&world->desk.observation);
	must(!prn_decider_create(world->desk.path, &settings, NULL), "make a store");
	desk_reopen(&world->desk);
	for (unsigned i = 0; i < WORLD_GOOD; i++) {
		begin_good(&world->pages[i], (double)i / WORLD_GOOD, &world->changes);
		snprintf(url, sizeof url, "http://good%u.example/", i);
		must(!prn_decider_add(world->desk.decider, url, 1, T0, &added, NULL), "add a page");
	}
	for (unsigned i = 0; world->party && i < WORLD_GUESTS; i++) {
		begin_good(&world->pages[WORLD_GOOD + i], (double)i / WORLD_GUESTS, &world->guests);
		url_of(world, i, url);
		must(!prn_decider_add(world->desk.decider, url, 1, T0, &added, NULL), "add a page");
	}
}

struct counts world_run(const char *policy, const struct party *party, uint64_t seed)
{
	static struct world world;
	struct prn_due_list list;
	int64_t hour = T0;

	world = (struct world){ .desk = { .clock = INT64_MIN }, .party = party && party->kind_count ? party : NULL };
	open_world(&world, policy, seed);
	prn_due_list_init(&list);
	for (world.now = T0; world.now < T0 + DAYS * DAY; world.now += EVERY) {
		const struct prn_due_request request = { world.now, 1000, HOUR };

		for (unsigned i = 0; i < (world.party ? PAGES : WORLD_GOOD); i++)
			change_good(&world.pages[i], i < WORLD_GOOD ? &world.changes : &world.guests, world.now);
		for (; hour <= world.now; hour += HOUR)
			if (world.now >= T0 + FROM_DAY * DAY)
				look(&world);
		if (world.party)
			give_hints(&world);
		must(!prn_decider_due(world.desk.decider, &request, &list, NULL), "ask what is due");
		for (size_t i = 0; i < list.count; i++)
			bring(&world, list.items[i].url);
	}
	prn_due_list_release(&list);
	desk_release(&world.desk);
	world.counts.stale /= (double)world.looks;
	return world.counts;
}
