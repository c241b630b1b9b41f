/*
 * A host whose pages are in eight shards is one host: its pages are out as those of a host in one shard would be, whatever dies between two
 * commits.  A death is a commit that is not made, or that is made and not known to be, and no other after it; then
 * another process opens the store.  A fault is the same with the process going on.
 */
#include "perennial/due.h"
#include "perennial/explanation.h"
#include "perennial/stats.h"

#include "desk.h"

#include "base/random.h"
#include "decide/gate_messages.h"
#include "decide/giant_gates.h"
#include "decide/giants.h"
#include "decide/shards.h"
#include "store/batch_internal.h"

#include <math.h>

#define GIANT "g.example"
#define PAGES 400
#define LEASE_S 90
#define MOST 64 /* pages that are out */

/* Commits until one fails, and all behind it; 0: none does.  after: it is made all the same. */
static struct {
	unsigned at;
	bool after, once, dead;
	const struct prn_store *full; /* what is committed to it fails; NULL: no store */
} death;

int __real_prn_batch_commit(struct prn_batch *batch, struct prn_error *error);
int __wrap_prn_batch_commit(struct prn_batch *batch, struct prn_error *error);

int __wrap_prn_batch_commit(struct prn_batch *batch, struct prn_error *error)
{
	bool dies = death.at && prn_batch_changes(batch) && !--death.at;

	if (death.full && batch->store == death.full && prn_batch_changes(batch))
		return prn_error_set(error, PRN_E_IO, "no space left on device");
	if (dies && death.after)
		must(!__real_prn_batch_commit(batch, error), "commit");
	death.dead |= dies && !death.once;
	return dies || death.dead ? prn_error_set(error, PRN_E_IO, "died") : __real_prn_batch_commit(batch, error);
}

static void open_giant(struct desk *desk, const char *name, unsigned shards, const char *giant, double budget_per_day, unsigned limit,
                       double delay_s)
{
	const char *const giants[] = { giant };
	const struct prn_decider_settings settings = { .threshold = 0.05, .budget_per_day = budget_per_day, .shards = shards,
		                                       .giants = giants, .giant_count = giant != NULL };
	struct prn_error error = { 0 };

	*desk = (struct desk){ .clock = INT64_MIN };
	snprintf(desk->path, sizeof desk->path, "memory:%s", name);
	prn_decider_options_init(&desk->options);
	desk->options.host_limit = limit;
	desk->options.host_delay_s = delay_s;
	desk->options.host_share = budget_per_day > 0 ? 0.25 : 1;
	prn_observation_init(&desk->observation);
	if (prn_decider_create(desk->path, &settings, &error))
		printf("# %s\n", error.text);
	desk_reopen(desk);
	desk_add_pages(desk, GIANT, PAGES);
	desk_add_pages(desk, "a.example", 5);
	desk_add_pages(desk, "b.example", 5);
	must(!prn_decider_commit(desk->decider, NULL), "commit");
}

static bool is_giant(const char *url)
{
	return !strncmp(url, "http://" GIANT "/", strlen("http://" GIANT "/"));
}

/* What the store has of leases of the giant. */
struct leases {
	size_t count, shards; /* that run at now; and shards that have a page of it */
	int64_t now;
	bool seen[64];
	const struct desk *desk;
};

static int count_lease(void *context, const struct prn_explanation *page)
{
	struct leases *leases = context;

	if (is_giant(page->url)) {
		leases->count += page->lease != PRN_TIME_UNKNOWN && page->lease > leases->now;
		if (leases->desk->decider->shards)
			leases->seen[prn_shards_place(leases->desk->decider, page->url)] = true;
	}
	return 0;
}

static struct leases leases_of(struct desk *desk, int64_t now)
{
	struct leases leases = { .now = now, .desk = desk };

	must(!prn_decider_each(desk->decider, now, count_lease, &leases, NULL), "read all pages");
	for (size_t i = 0; i < 64; i++)
		leases.shards += leases.seen[i];
	return leases;
}

/* A fetcher with a store, and what it knows of the giant. */
struct fetcher {
	struct desk desk;
	struct prn_due_list list;
	char out[MOST][64];
	int64_t lease[MOST];
	size_t count, given, crowded, early, refused, deaths, again;
	int64_t asked, until;
	double delay_s;
	unsigned limit;
};

static void die_at(struct prn_random *random, unsigned within)
{
	death.at = within ? 1 + (unsigned)prn_random_below(random, within) : 0;
	death.after = prn_random_below(random, 2);
	death.once = !prn_random_below(random, 3);
}

/* Whether it has died: then another goes on, who knows what this one was told. */
static bool went_on(struct fetcher *fetcher)
{
	bool died = death.dead;

	death.at = 0;
	death.dead = false;
	if (!died)
		return false;
	fetcher->deaths++;
	desk_reopen(&fetcher->desk);
	return true;
}

static void ask(struct fetcher *fetcher, int64_t now)
{
	const struct prn_due_request request = { now, 1000, LEASE_S };
	struct prn_error error = { 0 };
	int code = prn_decider_due(fetcher->desk.decider, &request, &fetcher->list, &error);

	if (went_on(fetcher) || code)
		return;
	for (size_t i = 0; i < fetcher->list.count; i++) {
		const struct prn_due *due = &fetcher->list.items[i];

		if (!is_giant(due->url))
			continue;
		fetcher->given++;
		fetcher->early += fetcher->delay_s > 0 && (double)now < (double)fetcher->asked + fetcher->delay_s;
		fetcher->refused += now < fetcher->until;
		fetcher->asked = now;
		for (size_t j = 0; j < fetcher->count; j++)
			fetcher->again += fetcher->lease[j] > now && !strcmp(fetcher->out[j], due->url);
		must(fetcher->count < MOST, "keep what is out");
		snprintf(fetcher->out[fetcher->count], sizeof fetcher->out[0], "%s", due->url);
		fetcher->lease[fetcher->count++] = due->lease;
	}
	fetcher->crowded += fetcher->limit && leases_of(&fetcher->desk, now).count > fetcher->limit;
}

static void forget(struct fetcher *fetcher, size_t i)
{
	fetcher->count--;
	memmove(fetcher->out[i], fetcher->out[i + 1], (fetcher->count - i) * sizeof fetcher->out[0]);
	memmove(&fetcher->lease[i], &fetcher->lease[i + 1], (fetcher->count - i) * sizeof fetcher->lease[0]);
}

/* What becomes of one that is out: kind 0 it is refused, 1 fails, 2 is given back, else comes.  Who died is told again. */
static void tell(struct fetcher *fetcher, size_t i, int64_t now, unsigned kind)
{
	struct desk *desk = &fetcher->desk;
	struct prn_capture capture = status_of(fetcher->out[i], now, 429);
	bool released;
	int code = -1;

	desk->clock = now;
	capture.retry_after_s = 40;
	for (int tries = 0; code && tries < 3; tries++) {
		if (kind == 2)
			code = prn_decider_release(desk->decider, fetcher->out[i], now, &released, NULL);
		else if (kind == 0)
			desk_answer(desk, capture);
		else if (kind == 1)
			desk_status(desk, fetcher->out[i], now, 500);
		else
			desk_text(desk, fetcher->out[i], now, text_from((unsigned)(now % 1000)));
		code = prn_decider_commit(desk->decider, NULL);
		code = went_on(fetcher) ? -1 : code;
	}
	must(!code, "tell");
	if (kind != 2 && now > fetcher->asked)
		fetcher->asked = now;
	if (kind == 0)
		fetcher->until = desk->outcome.kind == PRN_OUTCOME_HOST_DELAYED ? desk->outcome.host_until : fetcher->until;
	else if (kind > 2 && fetcher->until > now)
		fetcher->until = now + (fetcher->until - now) / 2;
	forget(fetcher, i);
}

static void begin(struct fetcher *fetcher, const char *name, unsigned shards, const char *giant, unsigned limit, double delay_s)
{
	*fetcher = (struct fetcher){ .limit = limit, .delay_s = delay_s, .asked = 0 };
	prn_due_list_init(&fetcher->list);
	open_giant(&fetcher->desk, name, shards, giant, 0, limit, delay_s);
}

static void end(struct fetcher *fetcher)
{
	prn_due_list_release(&fetcher->list);
	desk_release(&fetcher->desk);
}

/* The same calls and reports, to the giant and to the same host in one shard: how many are out at each step is the same. */
static void as_in_one_shard(unsigned limit, double delay_s, bool anew)
{
	struct fetcher fetchers[2];
	struct prn_random random;
	size_t unlike = 0;
	char name[2][64];

	prn_random_seed(&random, 11 + limit, 0);
	for (int i = 0; i < 2; i++) {
		snprintf(name[i], sizeof name[i], "like-%d-%u-%g-%d", i, limit, delay_s, anew);
		begin(&fetchers[i], name[i], i ? 8 : 1, i ? GIANT "/8" : NULL, limit, delay_s);
	}
	/* Until some of the pages have been fetched twice: when is what they have in them. */
	for (int64_t now = T0; now < T0 + 3000 && fetchers[0].given < PAGES; now += 1 + (int64_t)prn_random_below(&random, 9)) {
		size_t told = fetchers[0].count;

		if (anew && !prn_random_below(&random, 5))
			desk_reopen(&fetchers[1].desk);
		for (size_t i = 0; i < told; i++) {
			bool late = fetchers[0].lease[0] - now < 20;
			unsigned kind = (unsigned)prn_random_below(&random, 12);

			if (!late && prn_random_below(&random, 3)) {
				/* That which was given first is told last. */
				continue;
			}
			for (int j = 0; j < 2 && fetchers[j].count; j++)
				tell(&fetchers[j], 0, now, kind);
		}
		for (int i = 0; i < 2; i++)
			ask(&fetchers[i], now);
		unlike += fetchers[0].given != fetchers[1].given || fetchers[0].count != fetchers[1].count;
	}
	ok(fetchers[0].given > 60, "pages of the host were handed out: %zu", fetchers[0].given);
	ok(!unlike, "as many pages of a giant are handed out at each time as of the same host in one shard: limit %u, delay %g (%zu, %zu)", limit,
	   delay_s, fetchers[0].given, fetchers[1].given);
	ok(!fetchers[1].crowded,
	   "of a giant no more pages are out than may be: limit %u, delay %g (%zu)", limit, delay_s, fetchers[1].crowded);
	ok(!fetchers[1].early && !fetchers[1].refused,
	   "of a giant no page is out sooner than its delay or its wish allows: limit %u, delay %g (%zu, %zu)", limit, delay_s,
	   fetchers[1].early, fetchers[1].refused);
	ok(!fetchers[1].again, "of a giant no page is out twice: limit %u, delay %g (%zu)", limit, delay_s, fetchers[1].again);
	ok(leases_of(&fetchers[1].desk, T0).shards == 8, "a giant's pages are in all of its shards");
	for (int i = 0; i < 2; i++)
		end(&fetchers[i]);
}

/* Whoever dies, and whenever. */
static void among_deaths(unsigned limit, double delay_s)
{
	struct prn_random random;
	struct fetcher fetcher;
	char name[64];
	size_t steps = 0, idle = 0;

	prn_random_seed(&random, 5 + limit, 1);
	snprintf(name, sizeof name, "deaths-%u-%g", limit, delay_s);
	begin(&fetcher, name, 8, GIANT, limit, delay_s);
	for (int64_t now = T0; now < T0 + 22000; now += 1 + (int64_t)prn_random_below(&random, 20), steps++) {
		size_t before = fetcher.given;

		for (size_t i = 0; i < fetcher.count;) {
			uint64_t what = prn_random_below(&random, 12);

			if (!prn_random_below(&random, 6))
				die_at(&random, 4);
			if (fetcher.lease[i] <= now)
				forget(&fetcher, i);
			else if (what < 5)
				tell(&fetcher, i, now, (unsigned)what);
			else
				i++;
			death.at = 0;
		}
		if (!prn_random_below(&random, 6))
			die_at(&random, 12);
		ask(&fetcher, now);
		idle += fetcher.given == before;
	}
	ok(fetcher.deaths > 50, "processes died between commits: %zu", fetcher.deaths);
	ok(fetcher.given > 150, "pages of the giant were handed out though processes died: %zu in %zu calls", fetcher.given, steps);
	ok(!fetcher.crowded, "of a giant never more pages are out than may be, whatever dies between two commits: limit %u", limit);
	ok(!fetcher.early && !fetcher.refused,
	   "of a giant no page is out sooner than its delay allows, or than it wished, whatever dies between two commits (%zu, %zu)", fetcher.early, fetcher.refused);
	ok(!fetcher.again, "no page of a giant is out twice, whatever dies between two commits");
	end(&fetcher);
}

static void of_gates(void)
{
	const struct prn_share share = prn_share_none();
	struct prn_giant_wish wish = { .settings = { .limit = 2 }, .share = &share, .now = T0, .leased_from = T0, .end = T0 + 60, .most = 5 };
	struct prn_giant_gate gate, read;
	struct prn_buffer bytes = { 0 };
	size_t wrong = 0;
	bool passed;

	prn_giant_gate_init(&gate);
	prn_giant_gate_init(&read);
	for (int i = 0; i < 3; i++)
		must(!prn_giant_pass(&gate, &wish, &passed), "pass");
	ok(!passed, "a gate of two lets no third pass");
	ok(gate.count == 1 && gate.out[0].count == 2, "a gate lets as many pass as may be out");
	ok(prn_giant_opens(&gate, &wish) == T0 + 60, "a gate through which as many passed as may says when the first permit ends");
	must(!prn_giant_gate_encode(&gate, &bytes), "encode");
	ok(!prn_giant_gate_decode(&read, bytes.data, bytes.length) && read.count == 1, "what is written of a gate is read again");
	ok(read.out[0].count == 2 && read.out[0].end == T0 + 60, "the permits that are written of a gate are read again");
	ok(read.host.asked == T0, "when a host was asked is written of a gate, and read again");
	for (size_t i = 0; i < bytes.length; i++) {
		for (unsigned bit = 0; bit < 8; bit++) {
			bytes.data[i] ^= (unsigned char)(1u << bit);
			wrong += prn_giant_gate_decode(&read, bytes.data, bytes.length) != PRN_E_DAMAGED;
			bytes.data[i] ^= (unsigned char)(1u << bit);
		}
		wrong += prn_giant_gate_decode(&read, bytes.data, i) != PRN_E_DAMAGED;
	}
	ok(!wrong, "a gate with a flipped bit, or cut off, is known to be damaged");
	wish.now = wish.leased_from = T0 + 60;
	wish.end = T0 + 120;
	wish.settings.delay_s = 5;
	must(!prn_giant_pass(&gate, &wish, &passed), "pass");
	ok(!passed && prn_giant_opens(&gate, &wish) == T0 + 65, "from the end of a permit that nobody gave back the delay counts");
	prn_buffer_release(&bytes);
	prn_giant_gate_release(&gate);
	prn_giant_gate_release(&read);
}

static void of_names(void)
{
	static const char *const wrong[] = { "", "/4", "g.example/3", "g.example/1", "g.example/32", "g.example/4x", "g.example/ 4", "a b", "http://g.example" };
	const char *const good[] = { "G.Example", "h.example/4" }, *const twice[] = { "g.example", "G.example/2" };
	struct prn_error error = { 0 };
	char *text = NULL;

	ok(!prn_giants_write(good, 2, 16, &text, NULL) && !strcmp(text, "g.example/16 h.example/4"),
	   "giants are written as their pages' URLs have them, with their parts");
	free(text);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ok(prn_giants_write(&wrong[i], 1, 16, &text, &error) == PRN_E_ARGUMENT, "'%s' is no giant: %s", wrong[i], error.text);
	ok(prn_giants_write(twice, 2, 16, &text, &error) == PRN_E_ARGUMENT, "one that is named twice is refused: %s", error.text);
	ok(prn_giants_write(good, 1, 1, &text, &error) == PRN_E_ARGUMENT, "a store without shards has no giants: %s", error.text);
}

/* What names the host, and not a page of it, is about all its parts. */
static void of_all_parts(void)
{
	struct desk desk;
	struct prn_stats stats;
	struct prn_due_list list;
	uint64_t count = 0, released = 0;
	size_t looked;

	open_giant(&desk, "parts", 8, GIANT, 0, 1, 10);
	prn_due_list_init(&list);
	ok(!prn_decider_count(desk.decider, PRN_FORGET_HOST, GIANT, &count, NULL) && count == PAGES, "all pages of a giant are counted");
	looked = desk_due(&desk, &list, T0, 1000, 0);
	ok(looked == 3, "who only looks is shown one page of a giant, as of any other host that may have one out: %zu", looked);
	ok(desk_due(&desk, &list, T0, 1000, 600) == 3, "one page of a giant is handed out beside those of other hosts");
	desk_due(&desk, &list, T0 + 2, 1000, 600);
	ok(list.next == T0 + 600, "while a giant's page is out the next call is told when its permit ends");
	must(!prn_decider_stats(desk.decider, T0 + 2, &stats, NULL), "read stats");
	ok(stats.held_hosts == 3, "a giant that pages wait for in several shards is one host in the statistics: %llu",
	   (unsigned long long)stats.held_hosts);
	ok(stats.held_by[PRN_HELD_LIMIT] == 3, "a giant is counted once among the hosts that their limits hold back: %llu",
	   (unsigned long long)stats.held_by[PRN_HELD_LIMIT]);
	must(!prn_decider_release_all(desk.decider, PRN_RELEASE_HOST, GIANT, T0 + 3, &released, NULL), "release");
	ok(released == 1, "the page that is out is given back by the host's name");
	ok(desk_due(&desk, &list, T0 + 9, 1000, 600) == 0 && list.next == T0 + 10,
	   "a giant whose page was given back is not asked before its delay is over");
	ok(desk_due(&desk, &list, T0 + 10, 1000, 600) == 1,
	   "a giant whose page was given back is asked after its delay, from whichever shard");
	must(!prn_decider_forget(desk.decider, PRN_FORGET_HOST, GIANT, &count, NULL), "forget");
	ok(count == PAGES && !leases_of(&desk, T0).shards, "a giant that is forgotten is forgotten in every shard");
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* Where pages are, and what of a number each part has. */
static void of_places(void)
{
	struct desk desk;
	struct prn_decider *shard, *root;
	const struct prn_host_name giant = { GIANT, strlen(GIANT) }, other = { "a.example", 9 };
	size_t apart = 0;
	unsigned sum = 0, whole = 0;
	char url[2][64];

	open_giant(&desk, "places", 16, GIANT "/8", 0, 1, 0);
	root = desk.decider;
	for (unsigned i = 0; i < 100; i++) {
		snprintf(url[0], sizeof url[0], "http://" GIANT "/%u", i);
		snprintf(url[1], sizeof url[1], "https://" GIANT "/%u/", i);
		apart += prn_shards_place(root, url[0]) != prn_shards_place(root, url[1]);
	}
	ok(!apart, "a page of a giant that moves to https, or gains a slash, stays in its shard");
	ok(leases_of(&desk, T0).shards == 8, "a giant in eight parts is in eight of 16 shards");
	for (size_t part = 0; part < 8; part++) {
		must(!prn_shards_get(root, prn_giant_shard(&root->shards->giants[0], part, 16), false, &shard, NULL), "open a shard");
		sum += prn_giant_share_of(shard, giant, 100);
		whole += prn_giant_share_of(shard, other, 100) == 100;
		prn_shards_done(shard);
	}
	ok(sum == 100 && whole == 8, "what a giant may have is divided among its parts, and what another host may have is not");
	desk_release(&desk);
}

/* Of a limit a call takes a lot at once; and what somebody stages in the root is not committed for him. */
static void of_commits(void)
{
	struct desk desk;
	struct prn_due_list list;
	uint64_t before, taken;

	open_giant(&desk, "commits", 8, GIANT, 0, 64, 0);
	prn_due_list_init(&list);
	before = desk.decider->commits;
	ok(desk_due(&desk, &list, T0, 60, 600) == 60, "as many pages of a giant are handed out as are asked for");
	taken = desk.decider->commits - before;
	ok(taken < 40, "permits are taken by the lot: %llu commits of the root for %zu pages", (unsigned long long)taken, list.count);
	must(!prn_decider_put_threshold(desk.decider, 0.07, NULL), "stage a threshold");
	for (size_t i = 0; i < 30; i++)
		desk_text(&desk, list.items[i].url, T0 + 1, "text");
	must(!prn_decider_commit(desk_shard(&desk, list.items[0].url), NULL), "commit a shard");
	ok(prn_batch_changes(desk.decider->batch) > 0, "what is staged in the root is not committed by who reports a page of a giant");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	ok(desk_due(&desk, &list, T0 + 2, 100, 600) >= 30, "what came back makes room");
	prn_due_list_release(&list);
	desk_release(&desk);
}

static uint64_t permits_of(struct desk *desk)
{
	struct prn_giant_gate gate;
	uint64_t count = 0;

	prn_giant_gate_init(&gate);
	must(!prn_giant_read(desk->decider, 0, &gate, NULL), "read a gate");
	for (size_t i = 0; i < gate.count; i++)
		count += gate.out[i].count;
	prn_giant_gate_release(&gate);
	return count;
}

/*
 * The gate heard of a page that came back, and who told it does not know that: told once more, it would take the permit of the other page,
 * which is still out, for it ends at the same time.
 */
static void of_uncertain_commits(void)
{
	struct desk desk;
	struct prn_due_list list;
	char came[2][64];
	size_t found = 0;

	open_giant(&desk, "uncertain", 8, GIANT, 0, 2, 0);
	prn_due_list_init(&list);
	desk_due(&desk, &list, T0, 1000, LEASE_S);
	for (size_t i = 0; i < list.count && found < 2; i++)
		if (is_giant(list.items[i].url))
			snprintf(came[found++], sizeof came[0], "%s", list.items[i].url);
	ok(found == 2 && permits_of(&desk) == 2, "two pages of a giant are out, by permits that end at the same time");
	desk_text(&desk, came[0], T0 + 1, text_from(1));
	death.at = 2;
	death.after = death.once = true;
	ok(!prn_decider_commit(desk.decider, NULL) && !death.at,
	   "a commit of the gate that is made may be said to have failed: the report is durable");
	ok(permits_of(&desk) == 1, "a commit of the gate that is made, and said to have failed, has taken back one permit");
	death.at = 0;
	ok(!prn_decider_commit(desk.decider, NULL) && permits_of(&desk) == 1, "what is counted is not told again: the page that is out has its permit");
	desk_due(&desk, &list, T0 + 2, 1000, LEASE_S);
	ok(leases_of(&desk, T0 + 2).count == 2,
	   "after a commit that was said to have failed no more pages are out than may be: %zu", leases_of(&desk, T0 + 2).count);
	prn_due_list_release(&list);
	desk_release(&desk);
}

/*
 * The gate heard that a giant wants to be left alone, and who told it does not know that: told once more, it would forget that the giant
 * had answered before, which makes the wait shorter.
 */
static void of_uncertain_refusals(void)
{
	struct prn_capture capture;
	struct prn_giant_gate gate;
	struct prn_due_list list;
	struct desk desk;
	char urls[3][64];
	size_t found = 0;

	open_giant(&desk, "unsure", 8, GIANT, 0, 3, 0);
	prn_due_list_init(&list);
	desk_due(&desk, &list, T0, 1000, LEASE_S);
	for (size_t i = 0; i < list.count && found < 3; i++)
		if (is_giant(list.items[i].url))
			snprintf(urls[found++], sizeof urls[0], "%s", list.items[i].url);
	must(found == 3, "hand out three pages of a giant");
	capture = status_of(urls[0], T0 + 1, 429);
	capture.retry_after_s = 600;
	desk_answer(&desk, capture);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_text(&desk, urls[1], T0 + 2, "text");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	capture = status_of(urls[2], T0 + 10, 429);
	capture.retry_after_s = 1000;
	desk_answer(&desk, capture);
	death.at = 2;
	death.after = death.once = true;
	prn_decider_commit(desk.decider, NULL);
	must(!death.at, "be told that a commit failed that was made");
	prn_giant_gate_init(&gate);
	must(!prn_decider_commit(desk.decider, NULL) && !prn_giant_read(desk.decider, 0, &gate, NULL), "commit");
	ok(gate.host.until == T0 + 10 + 500, "who tells a gate twice what it heard the first time has it wait once: %lld s", (long long)(gate.host.until - T0 - 10));
	prn_giant_gate_release(&gate);
	prn_due_list_release(&list);
	desk_release(&desk);
}

/*
 * The root's disk is full, and the shards' are not.  That a host wants to be left alone is not acknowledged before its gate knows, or it
 * would be lost with the process; who reports it again is heard, and the others' reports do not wait.
 */
static void of_failed_gates(void)
{
	struct prn_giant_gate gate;
	struct prn_capture capture;
	struct prn_due_list list;
	struct desk desk;
	char url[64];
	size_t at = 0;
	int code;

	open_giant(&desk, "failed-gates", 8, GIANT, 0, 1, 0);
	prn_due_list_init(&list);
	desk_due(&desk, &list, T0, 1000, LEASE_S);
	while (at + 1 < list.count && !is_giant(list.items[at].url))
		at++;
	capture = status_of(list.items[at].url, T0 + 1, 429);
	capture.retry_after_s = 600;
	desk_answer(&desk, capture);
	death.full = prn_decider_store(desk.decider);
	code = prn_decider_commit(desk_shard(&desk, list.items[at].url), NULL);
	ok(code == PRN_E_IO && !prn_decider_staged(desk.decider), "that a giant wants to be left alone is not acknowledged where its gate cannot be told");
	ok(!prn_decider_commit(desk.decider, NULL),
	   "a report that the gate of a giant cannot be told of is no failure of what is committed next");
	desk_answer(&desk, capture);
	ok(prn_decider_commit(desk_shard(&desk, list.items[at].url), NULL) == PRN_E_IO, "told again, it is not acknowledged either");
	death.full = NULL;
	prn_giant_gate_init(&gate);
	must(!prn_giant_read(desk.decider, 0, &gate, NULL), "read a gate");
	ok(gate.host.until == PRN_TIME_UNKNOWN, "the gate has not heard of a report that it cannot be told of");
	must(!prn_decider_commit(desk.decider, NULL) && !prn_giant_read(desk.decider, 0, &gate, NULL), "commit");
	ok(gate.host.until == T0 + 601,
	   "the gate hears of a report that it could not be told of with the next commit that can be written: %lld", (long long)gate.host.until);
	prn_giant_gate_release(&gate);
	desk_text(&desk, list.items[at].url, T0 + 2, "text");
	death.full = prn_decider_store(desk.decider);
	ok(!prn_decider_commit(desk_shard(&desk, list.items[at].url), NULL), "of content that came the gate may hear later: it is acknowledged");
	death.full = NULL;
	/* A call that hands pages out commits what was reported before; who reported it is to hear all the same. */
	snprintf(url, sizeof url, "%s", list.items[at].url);
	capture = status_of(url, T0 + 3, 429);
	capture.retry_after_s = 700;
	desk_answer(&desk, capture);
	death.full = prn_decider_store(desk.decider);
	code = prn_decider_due(desk.decider, &(struct prn_due_request){ T0 + 4, 10, LEASE_S }, &list, NULL);
	ok(code && !prn_decider_staged(desk_shard(&desk, url)) && prn_giants_owe(desk.decider), "a call that fails to hand pages out has made durable what was reported before");
	ok(prn_decider_commit(desk.decider, NULL) == PRN_E_IO && !prn_giants_owe(desk.decider), "and it is still not acknowledged that a giant wants to be left alone");
	death.full = NULL;
	must(!prn_decider_commit(desk.decider, NULL) && !prn_decider_put_threshold(desk.decider, 0.07, NULL), "stage a threshold");
	capture = status_of(url, T0 + 5, 503);
	capture.retry_after_s = 900;
	desk_answer(&desk, capture);
	ok(prn_decider_commit(desk_shard(&desk, url), NULL) == PRN_E_BUSY,
	   "nor is it acknowledged while another's changes are staged where the gate is");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	prn_giant_gate_init(&gate);
	must(!prn_decider_commit(desk_shard(&desk, url), NULL) && !prn_giant_read(desk.decider, 0, &gate, NULL), "read a gate");
	ok(gate.host.until > T0 + 601, "and the gate hears of it with the next commit: %lld", (long long)gate.host.until);
	prn_giant_gate_release(&gate);
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* Pages of the giant that are out in one shard, by permits that end together: count of them, in urls. */
static struct prn_decider *out_in_one_shard(struct desk *desk, const struct prn_due_list *list, const char *urls[], size_t count)
{
	for (size_t i = 0; i < list->count; i++) {
		size_t found = 0;

		for (size_t j = i; j < list->count && is_giant(list->items[i].url) && found < count; j++)
			if (is_giant(list->items[j].url) && desk_shard(desk, list->items[j].url) == desk_shard(desk, list->items[i].url))
				urls[found++] = list->items[j].url;
		if (found == count)
			return desk_shard(desk, urls[0]);
	}
	must(false, "find pages of one shard");
	return NULL;
}

static void give_back(struct prn_decider *shard, const char *url)
{
	bool released = false;

	must(!prn_decider_release(shard, url, T0 + 1, &released, NULL) && released, "give a page back");
}

/* What goes on to the gate before a savepoint is returned to makes no room for what came after it. */
static void of_savepoints(void)
{
	struct prn_decider_savepoint before;
	struct prn_decider *shard;
	struct prn_due_list list;
	struct desk desk;
	const char *urls[3];
	uint64_t permits;

	open_giant(&desk, "savepoints", 8, GIANT, 0, 40, 0);
	prn_due_list_init(&list);
	desk_due(&desk, &list, T0, 1000, LEASE_S);
	shard = out_in_one_shard(&desk, &list, urls, 3);
	permits = permits_of(&desk);
	give_back(shard, urls[0]);
	must(!prn_decider_put_threshold(desk.decider, 0.07, NULL), "stage a threshold in the root");
	must(!prn_decider_commit(shard, NULL) && permits_of(&desk) == permits, "commit what the gate is not told meanwhile");
	prn_batch_abandon(desk.decider->batch);
	before = prn_decider_save(shard);
	must(!prn_decider_commit(shard, NULL), "commit");
	ok(permits_of(&desk) == permits - 1, "the gate hears of a page that was given back when it can be told");
	give_back(shard, urls[1]);
	prn_decider_restore(shard, &before);
	must(!prn_decider_commit(shard, NULL), "commit");
	ok(permits_of(&desk) == permits - 1 && leases_of(&desk, T0 + 1).count == permits - 1,
	   "the gate does not hear of a page whose return was taken back, to a savepoint from before: %llu permits", (unsigned long long)permits_of(&desk));

	give_back(shard, urls[1]);
	before = prn_decider_save(shard);
	prn_decider_abandon(shard);
	give_back(shard, urls[2]);
	prn_decider_restore(shard, &before);
	must(!prn_decider_commit(shard, NULL), "commit");
	ok(permits_of(&desk) == permits - 1 && leases_of(&desk, T0 + 1).count == permits - 1,
	   "a savepoint of what was abandoned keeps nothing of what came after that: %llu permits", (unsigned long long)permits_of(&desk));
	prn_due_list_release(&list);
	desk_release(&desk);
}

int main(void)
{
	of_gates();
	of_uncertain_commits();
	of_uncertain_refusals();
	of_failed_gates();
	of_savepoints();
	of_places();
	of_commits();
	of_names();
	of_all_parts();
	as_in_one_shard(1, 0, false);
	as_in_one_shard(1, 7, true);
	as_in_one_shard(3, 0, true);
	as_in_one_shard(3, 4, false);
	as_in_one_shard(20, 0, false);
	among_deaths(1, 0);
	among_deaths(1, 7);
	among_deaths(3, 0);
	done();
}
