/*
 * A store of several shards is as one of a single object: the same reports and the same calls give the same pages in
 * both. And what is its own: what leads from shard to shard, one budget for all, and what is refused.
 */
#include "perennial/due.h"
#include "perennial/explanation.h"
#include "perennial/feed.h"
#include "perennial/shard.h"
#include "perennial/stats.h"
#include "perennial/tuning.h"

#include "desk.h"

#include "base/random.h"
#include "decide/held_internal.h"
#include "decide/ledger.h"
#include "decide/loads.h"
#include "decide/redirects.h"
#include "decide/shard_index.h"
#include "decide/shard_message.h"
#include "decide/shards.h"
#include "decide/shards_due_internal.h"
#include "store/shards.h"
#include "store/store_internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define SHARDS shards
#define HOSTS 40

/* Of the stores that are tried: as many as their root lists, or as have lists of their own. */
static unsigned shards = 16;

static void open_spread(struct desk *desk, const char *path, unsigned over, double budget_per_day)
{
	const struct prn_decider_settings settings = {
		.threshold = 0.05, .budget_per_day = budget_per_day, .shards = over};
	struct prn_error error = { 0 };

	*desk = (struct desk){ .clock = INT64_MIN };
	snprintf(desk->path, sizeof desk->path, "%s-%u", path, SHARDS);
	prn_decider_options_init(&desk->options);
	prn_observation_init(&desk->observation);
	if (prn_decider_create(desk->path, &settings, &error))
		printf("# %s\n", error.text);
	desk_reopen(desk);
}

/* Pages of a store as lines, in the order of their URLs. */
struct lines {
	char **items;
	size_t count, capacity;
};

static int take_page(void *context, const struct prn_explanation *page)
{
	struct lines *lines = context;
	char line[400];

	snprintf(line, sizeof line,
	         "%s %d %g visits %u/%u/%u at %lld %lld next %lld %d lease %lld waits %d T %g U %g period %g",
	         page->url, (int)page->status, page->weight, page->visits, page->failures, page->gones,
	         (long long)page->visited, (long long)page->attempted, (long long)page->next, (int)page->reason,
	         (long long)page->lease, page->waits, page->threshold, page->utility, page->period_days);
	lines->items = prn_array_grow(lines->items, &lines->capacity, lines->count + 1, sizeof *lines->items);
	lines->items[lines->count++] = strdup(line);
	return 0;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct lines all_pages(struct desk *desk, int64_t now)
{
	struct lines lines = { 0 };

	must(!prn_decider_commit(desk->decider, NULL), "commit");
	must(!prn_decider_each(desk->decider, now, take_page, &lines, NULL), "read all pages");
	qsort(lines.items, lines.count, sizeof *lines.items, compare_lines);
	return lines;
}

static void release_lines(struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->items[i]);
	free(lines->items);
}

/* How many lines differ; the first of them is printed. */
static size_t differences(const struct lines *a, const struct lines *b)
{
	size_t different = a->count != b->count;

	for (size_t i = 0; i < a->count && i < b->count; i++)
		if (strcmp(a->items[i], b->items[i]) && !different++)
			printf("# %s\n# %s\n", a->items[i], b->items[i]);
	return different;
}

static size_t different_pages(struct desk *one, struct desk *many, int64_t now)
{
	struct lines a = all_pages(one, now), b = all_pages(many, now);
	size_t different = differences(&a, &b);

	release_lines(&a);
	release_lines(&b);
	return different;
}

/* Two lists of the same URLs, in any order. */
static bool same_urls(const struct prn_due_list *a, const struct prn_due_list *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; i < a->count && same; i++) {
		bool found = false;

		for (size_t j = 0; j < b->count && !found; j++)
			found = !strcmp(a->items[i].url, b->items[j].url) && a->items[i].lease == b->items[j].lease;
		same = found;
	}
	return same;
}

/* A store of one object and one of several, that are told the same. */
struct pair {
	struct desk desks[2];
	struct prn_due_list lists[2];
	struct prn_random random;
	size_t given, unlike, twice,
		crowded; /* URLs; calls whose lists differ; pages that were out; hosts with two out */
};

static const char *url_of(struct prn_random *random)
{
	static char urls[2][64];
	static unsigned turn;
	char *url = urls[turn++ % 2];

	snprintf(url, sizeof urls[0], "http://h%u.example/%u", (unsigned)prn_random_below(random, HOSTS),
	         (unsigned)prn_random_below(random, 12));
	return url;
}

/* One that is given out is not out already, nor is another of its host. */
static void check_leases(struct pair *pair, int64_t now)
{
	struct lines before = { 0 };
	const struct prn_due_list *list = &pair->lists[1];

	must(!prn_decider_each(pair->desks[1].decider, now, take_page, &before, NULL), "read all pages");
	for (size_t i = 0; i < list->count; i++) {
		size_t host = strcspn(list->items[i].url + strlen("http://"), "/") + strlen("http://") + 1, out = 0;

		for (size_t j = 0; j < before.count; j++) {
			const char *lease = strstr(before.items[j], " lease ");

			out += !strncmp(before.items[j], list->items[i].url, host) &&
			       strtoll(lease + strlen(" lease "), NULL, 10) > now;
		}
		pair->crowded += out != 1;
		for (size_t j = 0; j < i; j++)
			pair->twice += !strcmp(list->items[i].url, list->items[j].url);
	}
	release_lines(&before);
}

static void ask_both(struct pair *pair, int64_t now)
{
	for (int i = 0; i < 2; i++)
		desk_due(&pair->desks[i], &pair->lists[i], now, 10000, 600);
	pair->given += pair->lists[0].count;
	pair->unlike += !same_urls(&pair->lists[0], &pair->lists[1]) ||
	                pair->lists[0].over_budget != pair->lists[1].over_budget;
	check_leases(pair, now);
}

static void tell_both(struct pair *pair, const char *url, int64_t now)
{
	uint64_t kind = prn_random_below(&pair->random, 10);
	unsigned text = (unsigned)prn_random_below(&pair->random, 100);
	const char *to = url_of(&pair->random);

	for (int i = 0; i < 2; i++) {
		struct desk *desk = &pair->desks[i];

		desk->clock = now;
		if (kind == 0)
			desk_redirect(desk, url, now, to);
		else if (kind == 1)
			desk_status(desk, url, now, 500);
		else if (kind == 2)
			desk_status(desk, url, now, 404);
		else if (kind == 3)
			desk_status(desk, url, now, 429);
		else
			desk_text(desk, url, now, text_from(text));
		must(!prn_decider_commit(desk->decider, NULL), "commit");
	}
	pair->unlike +=
		memcmp(&pair->desks[0].outcome.kind, &pair->desks[1].outcome.kind, sizeof(enum prn_outcome_kind)) ||
		pair->desks[0].outcome.target_added != pair->desks[1].outcome.target_added ||
		pair->desks[0].outcome.target_refused != pair->desks[1].outcome.target_refused ||
		pair->desks[0].outcome.next != pair->desks[1].outcome.next;
}

static void do_something(struct pair *pair, int64_t now)
{
	const char *url = url_of(&pair->random);
	uint64_t what = prn_random_below(&pair->random, 20), count[2] = { 0, 0 };
	enum prn_added added[2];
	bool released[2];
	char host[32];

	snprintf(host, sizeof host, "h%u.example", (unsigned)prn_random_below(&pair->random, HOSTS));
	for (int i = 0; i < 2; i++) {
		struct prn_decider *decider = pair->desks[i].decider;

		if (what < 14)
			must(!prn_decider_add(decider, url, (double)what, now, &added[i], NULL), "add");
		else if (what < 17)
			must(!prn_decider_release(decider, url, now, &released[i], NULL), "release");
		else if (what == 17)
			must(!prn_decider_release_all(decider, PRN_RELEASE_HOST, host, now, &count[i], NULL),
			     "release a host");
		else if (what == 18)
			must(!prn_decider_forget(decider, PRN_FORGET_URL, url, &count[i], NULL), "forget");
		else
			must(!prn_decider_count(decider, PRN_FORGET_HOST, host, &count[i], NULL), "count");
		must(!prn_decider_commit(decider, NULL), "commit");
	}
	pair->unlike += count[0] != count[1] || (what < 14 && added[0] != added[1]) ||
	                (what >= 14 && what < 17 && released[0] != released[1]);
}

static const char *counted(const struct prn_stats *stats)
{
	return tap_text("%llu pages, %llu out, %llu wait; %llu due, %llu ended; %llu hosts held", (unsigned long long)stats->totals.pages,
	                (unsigned long long)stats->totals.leased, (unsigned long long)stats->totals.waiting, (unsigned long long)stats->due,
	                (unsigned long long)stats->ended, (unsigned long long)stats->held_hosts);
}

/* most: shards that are kept open; anew: one process ends, and another goes on, now and then */
static void same_as_one(size_t most, bool anew)
{
	struct pair pair = { .given = 0 };
	struct prn_stats stats[2];
	uint64_t count = 0;

	prn_random_seed(&pair.random, 7, 0);
	for (int i = 0; i < 2; i++) {
		char path[64];

		snprintf(path, sizeof path, "memory:%s-%zu-%d", i ? "many" : "one", most, anew);
		open_spread(&pair.desks[i], path, i ? SHARDS : 1, 0);
	}
	pair.desks[1].decider->shards->most = most;
	for (int i = 0; i < 2; i++)
		prn_due_list_init(&pair.lists[i]);
	ok(prn_decider_shards(pair.desks[0].decider) == 1 && prn_decider_shards(pair.desks[1].decider) == SHARDS,
	   "a decider tells how many shards its store has");
	for (int64_t step = 0; step < 400; step++) {
		int64_t now = T0 + step * HOUR;

		for (int i = 0; i < 3; i++)
			do_something(&pair, now);
		/* Memory keeps what it has: another process goes on. */
		if (anew && !prn_random_below(&pair.random, 3))
			desk_reopen(&pair.desks[1]);
		ask_both(&pair, now);
		for (size_t i = 0; i < pair.lists[0].count; i++)
			if (prn_random_below(&pair.random, 8))
				tell_both(&pair, pair.lists[0].items[i].url, now + 1 + (int64_t)i);
	}
	ok(pair.given > 2000, "pages of a store of several shards were handed out: %zu", pair.given);
	ok(!pair.unlike, "each call and each report comes to the same in a store of several shards");
	ok(!pair.twice && !pair.crowded,
	   "no page is out twice, and of each host one at a time, whatever shard it is of");
	ok(!different_pages(&pair.desks[0], &pair.desks[1], T0 + 400 * HOUR),
	   "the pages of a store of several shards are those of one object");
	ok(pair.desks[1].decider->shards->open_count <= most, "no more shards are kept open than are to be: %zu",
	   pair.desks[1].decider->shards->open_count);
	for (int i = 0; i < 2; i++)
		must(!prn_decider_stats(pair.desks[i].decider, T0 + 400 * HOUR, &stats[i], NULL), "read stats");
	same(counted(&stats[1]), counted(&stats[0]), "what is counted of shards is what is counted of one object");
	ok(!memcmp(stats[0].held_by, stats[1].held_by, sizeof stats[0].held_by),
	   "what holds hosts of shards is what holds those of one object");
	must(!prn_decider_forget(pair.desks[1].decider, PRN_FORGET_SURT, "example,h1", &count, NULL), "forget");
	must(!prn_decider_forget(pair.desks[0].decider, PRN_FORGET_SURT, "example,h1", &stats->due, NULL), "forget");
	ok(count && count == stats->due, "as much is forgotten under a prefix in shards as in one object");
	ok(!different_pages(&pair.desks[0], &pair.desks[1], T0 + 400 * HOUR),
	   "what is under a prefix is forgotten in every shard");
	desk_reopen(&pair.desks[1]);
	ok(!different_pages(&pair.desks[0], &pair.desks[1], T0 + 400 * HOUR),
	   "a store of several shards that was closed is as it was");
	for (int i = 0; i < 2; i++) {
		prn_due_list_release(&pair.lists[i]);
		desk_release(&pair.desks[i]);
	}
}

/* Two hosts of different shards, and one more of the first one's. */
static void find_hosts(char here[64], char there[64], char beside[64])
{
	size_t shard;
	unsigned i = 1;

	snprintf(here, 64, "h0.example");
	shard = prn_shard_of((struct prn_host_name){ here, strlen(here) }, SHARDS);
	do
		snprintf(there, 64, "h%u.example", i++);
	while (prn_shard_of((struct prn_host_name){ there, strlen(there) }, SHARDS) == shard);
	do
		snprintf(beside, 64, "h%u.example", i++);
	while (prn_shard_of((struct prn_host_name){ beside, strlen(beside) }, SHARDS) != shard);
}

static size_t notes_of(struct desk *desk, const char *url)
{
	const void *name, *bytes;
	size_t name_bytes, count, notes = 0;
	struct prn_walk *walk;
	struct prn_view *view;

	must(!prn_view_open(&view, desk_shard(desk, url)->store, NULL), "open a view");
	must(!prn_walk_side(&walk, view, PRN_SIDE_META, NULL), "walk through settings");
	while (prn_walk_side_next(walk, &name, &name_bytes, &bytes, &count, NULL) == 1)
		notes += name_bytes > 7 && !memcmp(name, "target/", 7);
	prn_walk_free(walk);
	prn_view_close(view);
	return notes;
}

/* The page that a redirect brought hands its chain on, and dies before the other shard has the target. */
static void cut_between(struct desk *cut, const char *url, int64_t time, const char *to)
{
	desk_redirect(cut, url, time, to);
	must(cut->outcome.target_added, "a target is added");
	prn_batch_abandon(desk_shard(cut, to)->batch);
	must(!prn_decider_commit_alone(desk_shard(cut, url), NULL), "commit one shard");
	desk_reopen(cut);
}

/* A page of one shard that redirects to one of another, which redirects to a third one, in the first one's shard. */
struct chain {
	char begin[96], step[96], end[96];
};

static struct chain chain_of(const char *here, const char *there, const char *name)
{
	struct chain chain;

	snprintf(chain.begin, sizeof chain.begin, "http://%s/begin-%s", here, name);
	snprintf(chain.step, sizeof chain.step, "http://%s/step-%s", there, name);
	snprintf(chain.end, sizeof chain.end, "http://%s/end-%s", here, name);
	return chain;
}

/* The first page of a chain has brought the second one, durably. */
static void begin_chain(struct desk *desk, const struct chain *chain, int64_t time)
{
	desk_redirect(desk, chain->begin, time, chain->step);
	must(!prn_decider_commit(desk->decider, NULL), "commit");
}

static void chain_cut_off(struct desk *cut, const char *here, const char *there)
{
	struct chain chain = chain_of(here, there, "cut");
	struct prn_error error = { 0 };

	cut_between(cut, chain.begin, T0, chain.step);
	ok(!notes_of(cut, chain.begin) && !desk_look(cut, chain.step).known, "of a redirect that can be told again nothing is noted");
	desk_redirect(cut, chain.begin, T0, chain.step);
	must(!prn_decider_commit(cut->decider, NULL) && desk_look(cut, chain.step).known, "a redirect brings a page");
	cut_between(cut, chain.step, T0 + 1, chain.end);
	ok(!desk_look(cut, chain.end).known && notes_of(cut, chain.step) == 1, "who dies between two shards leaves a note of the target");
	ok(!prn_decider_commit(cut->decider, &error), "whoever opens a shard whose target was not added can commit %s", error.text);
	ok(desk_look(cut, chain.end).known && desk_look(cut, chain.end).due == T0 + 1,
	   "whoever opens the shard next adds the target");
	desk_reopen(cut);
	ok(!notes_of(cut, chain.step) && !desk_shard(cut, chain.step)->message_count, "a target that is there is not noted any more");
	ok(desk_redirect(cut, chain.step, T0 + 1, chain.end) == PRN_OUTCOME_DUPLICATE && !cut->outcome.target_added,
	   "a chain that was handed on is not handed on again");
	ok(!prn_decider_commit(cut->decider, NULL) && !notes_of(cut, chain.step),
	   "a chain that was handed on leaves no note");
}

/* The same with nobody dying, by the whole and by the shard's own decider. */
static void chain_handed_on(struct desk *desk, const char *here, const char *there)
{
	for (int own = 0; own < 2; own++) {
		const char *who = own ? "by a shard's own decider" : "by the decider of all";
		struct chain chain = chain_of(here, there, own ? "own" : "all");
		struct desk part = *desk;
		struct prn_error error = { 0 };

		begin_chain(desk, &chain, T0 + 2);
		part.observation = desk->observation;
		if (own)
			part.decider = desk_shard(desk, chain.step);
		desk_redirect(&part, chain.step, T0 + 3, chain.end);
		ok(part.outcome.target_added && !prn_decider_commit(part.decider, &error),
		   "a redirect to another shard is committed, %s %s", who, error.text);
		ok(desk_look(desk, chain.end).known && !notes_of(desk, chain.step), "what came to its end has its target and leaves no note, %s", who);
		desk->observation = part.observation;
	}
}

/* After the second commit, before the note is taken out; and beside a note that is damaged. */
static void notes_left(struct desk *desk, const char *here, const char *there)
{
	static const char garbage[] = "garbage", of_another[] = "target/00000000000000000000000000000000",
		          value[] = "\x80\0\0\0\x69\1\0\0\x3f\xf0\0\0\0\0\0\0\0\0\0\2\0http://nobody.example/";
	struct chain chain = chain_of(here, there, "late");
	struct prn_decider *shard;
	struct prn_error error = { 0 };

	begin_chain(desk, &chain, T0 + 4);
	desk_redirect(desk, chain.step, T0 + 5, chain.end);
	must(!prn_decider_commit_alone(desk_shard(desk, chain.end), NULL) && !prn_decider_commit_alone(desk_shard(desk, chain.step), NULL), "commit both");
	desk_reopen(desk);
	shard = desk_shard(desk, chain.step);
	must(!prn_batch_side_put(shard->batch, PRN_SIDE_META, garbage, sizeof garbage, "x", 1, NULL) &&
	             !prn_batch_side_put(shard->batch, PRN_SIDE_META, "target/0", 8, value, sizeof value - 1, NULL) &&
	             !prn_batch_side_put(shard->batch, PRN_SIDE_META, of_another, sizeof of_another - 1, value, sizeof value - 1, NULL), "put what is no note");
	ok(notes_of(desk, chain.step) == 1 && desk_look(desk, chain.end).known,
	   "who dies after both commits leaves a note of a target that is there");
	ok(!prn_decider_commit(desk->decider, &error), "a target that is there already stays %s", error.text);
	ok(notes_of(desk, chain.step) == 2 && !shard->message_count,
	   "the note of a target that is there is taken out, and what is no note stays");
	desk_reopen(desk);
	ok(!desk_shard(desk, chain.step)->message_count && !prn_decider_commit(desk->decider, &error), "a note that is damaged is passed over %s", error.text);
	ok(!desk_look(desk, "http://nobody.example/").known, "a note that is damaged adds nothing");
	ok(desk_check(desk, false).sides == 2, "notes that are damaged are found by a check, and other settings are none");
	ok(desk_check(desk, true).repaired == 2, "a repair takes out notes that are damaged");
	ok(!desk_check(desk, false).sides && !notes_of(desk, chain.step), "after a repair no note is left that is damaged");
	desk_reopen(desk);
}

/* The paths of a store's shard, where it is and where it is taken to. */
struct lost_shard {
	char *address, away[700];
};

static void lose_shard(struct desk *desk, struct lost_shard *lost, const char *url)
{
	lost->address = prn_shard_address(desk->path, desk_shard(desk, url)->shard);
	desk_close(desk);
	snprintf(lost->away, sizeof lost->away, "%s-away", lost->address);
	must(!rename(lost->address, lost->away), "take a shard away");
	desk_reopen(desk);
}

static void bring_back(struct desk *desk, struct lost_shard *lost)
{
	desk_close(desk);
	must(!rename(lost->away, lost->address), "bring a shard back");
	desk_reopen(desk);
	free(lost->address);
}

static void targets_of_lost_shard(struct desk *desk, const char *here, const char *there)
{
	struct chain chain = chain_of(here, there, "lost");
	struct prn_error error = { 0 };
	struct lost_shard lost;

	begin_chain(desk, &chain, T0 + 6);
	cut_between(desk, chain.step, T0 + 7, chain.end);
	lose_shard(desk, &lost, chain.end);
	desk_text(desk, chain.step, T0 + 8, text_from(3));
	ok(!prn_decider_commit(desk->decider, &error) && notes_of(desk, chain.step) == 1, "a shard is written to while the one that its target is of is lost %s", error.text);
	bring_back(desk, &lost);
	desk_text(desk, chain.step, T0 + 9, text_from(4));
	ok(!prn_decider_commit(desk->decider, &error) && desk_look(desk, chain.end).known,
	   "a target of a lost shard is added when that is back %s", error.text);
	ok(!notes_of(desk, chain.step), "when a lost shard is back no note of its targets is left");
}

/*
 * A target without a note, which a repeated report leads to again, is waited for by nobody: that its shard is lost is told once, with
 * the commit that would have sent it, and then it holds up nothing.
 */
static void target_without_note(struct desk *desk, const char *here, const char *there)
{
	struct chain chain = chain_of(here, there, "unnoted");
	struct prn_entry target = { .weight = 1 };
	struct prn_decider *shard;
	struct prn_error error = { 0 };
	struct lost_shard lost;

	desk_text(desk, chain.end, T0, text_from(1));
	must(!prn_decider_commit(desk->decider, NULL), "commit");
	lose_shard(desk, &lost, chain.end);
	shard = desk_shard(desk, chain.step);
	must(!prn_shards_send_target(shard, chain.begin, T0 + 1, &target, false, NULL), "send a target");
	desk_text(desk, chain.step, T0 + 2, text_from(2));
	ok(prn_shards_is_lost(prn_decider_commit(desk->decider, &error)), "a report fails where the shard of its target is lost: %s", error.text);
	error = (struct prn_error){ 0 };
	ok(!shard->message_count, "a target without a note is not kept for a shard that is lost");
	desk_text(desk, chain.step, T0 + 3, text_from(3));
	ok(!prn_decider_commit(desk->decider, &error), "a target that was given up holds up no later commit %s", error.text);
	bring_back(desk, &lost);
	ok(!desk_look(desk, chain.begin).known, "a target that was given up is not added by itself");
	desk_redirect(desk, chain.step, T0 + 4, chain.begin);
	ok(!prn_decider_commit(desk->decider, &error) && desk_look(desk, chain.begin).known,
	   "a target that was given up is added when a report leads there again %s", error.text);
}

/* Commits are refused at the call that comes when this is 0. */
static int refuse_after(void *context, struct prn_error *error)
{
	int *left = context;

	return (*left)-- ? 0 : prn_error_set(error, PRN_E_IO, "the disk is full, once");
}

/* A commit that failed once, at whatever place, holds up nothing afterwards, though a target waits for a shard that is lost. */
static void one_failure_beside_lost_shard(struct desk *desk, const char *here, const char *there)
{
	struct chain chain = chain_of(here, there, "failing");
	char third[64], url[96], to[96];
	struct lost_shard lost;
	int failed = 0;

	for (unsigned i = 0;; i++) {
		size_t place;

		snprintf(third, sizeof third, "third%u.example", i);
		snprintf(url, sizeof url, "http://%s/", third);
		place = prn_shards_place(desk->decider, url);
		if (place != prn_shards_place(desk->decider, chain.end) && place != prn_shards_place(desk->decider, chain.step))
			break;
	}

	begin_chain(desk, &chain, T0 + 10);
	cut_between(desk, chain.step, T0 + 11, chain.end);
	lose_shard(desk, &lost, chain.end);
	for (int at = 0; at < 4; at++) {
		struct prn_error error = { 0 };
		struct desk part = *desk;
		int left = at;

		snprintf(url, sizeof url, "http://%s/failing-%d", there, at);
		snprintf(to, sizeof to, "http://%s/failing-%d", third, at);
		part.decider = desk_shard(desk, url);
		prn_decider_guard_commits(desk->decider, refuse_after, &left);
		desk_redirect(&part, url, T0 + 20 + at, to);
		failed += prn_decider_commit(part.decider, NULL) != 0;
		prn_decider_guard_commits(desk->decider, NULL, NULL);
		desk_text(&part, url, T0 + 30 + at, text_from(5));
		ok(!prn_decider_commit(part.decider, &error),
		   "a shard can be committed after commit %d beside a lost shard failed once %s", at, error.text);
		desk->observation = part.observation;
		if (at)
			ok(desk_look(desk, to).known, "a target in a shard that is there is added after commit %d failed once", at);
	}
	ok(failed > 0, "commits do fail: %d", failed);
	ok(notes_of(desk, chain.step) == 1, "the note of a target of a lost shard stays when commits fail");
	bring_back(desk, &lost);
	desk_text(desk, chain.step, T0 + 50, text_from(6));
	must(!prn_decider_commit(desk->decider, NULL), "commit");
	ok(desk_look(desk, chain.end).known, "a target of a lost shard is added when that is back, also after commits failed");
}

static void chains(const char *here, const char *there)
{
	char path[64];
	struct desk desk;

	snprintf(path, sizeof path, "chain-%u", shards);
	open_spread(&desk, in_scratch(path), shards, 0);
	chain_cut_off(&desk, here, there);
	chain_handed_on(&desk, here, there);
	notes_left(&desk, here, there);
	targets_of_lost_shard(&desk, here, there);
	one_failure_beside_lost_shard(&desk, here, there);
	target_without_note(&desk, here, there);
	desk_release(&desk);
}

/* By shards' own deciders: what each has staged, and what is told between a savepoint and the return to it. */
static void told_beside(const char *here, const char *there)
{
	char own[3][96], away[4][96];
	struct prn_decider_savepoint before;
	struct desk desk, part, other;

	for (unsigned i = 0; i < 3; i++)
		snprintf(own[i], sizeof own[i], "http://%s/beside-%u", here, i);
	for (unsigned i = 0; i < 4; i++)
		snprintf(away[i], sizeof away[i], "http://%s/beside-%u", there, i);
	open_spread(&desk, "memory:told-beside", SHARDS, 0);
	part = desk;
	part.decider = desk_shard(&desk, own[0]);
	desk_redirect(&part, own[0], T0, away[0]);
	must(!prn_decider_commit_alone(part.decider, NULL), "commit what is not told yet");
	before = prn_decider_save(part.decider);
	must(!prn_decider_commit(part.decider, NULL), "commit");
	ok(desk_look(&desk, away[0]).known, "the target of a durable redirect is told with the shard's next commit");
	desk_redirect(&part, own[1], T0, away[1]);
	prn_decider_restore(part.decider, &before);
	must(!prn_decider_commit(part.decider, NULL), "commit");
	ok(!desk_look(&desk, own[1]).known && !desk_look(&desk, away[1]).known,
	   "the target of a redirect that was taken back is not there, to a savepoint from before the last was told");

	desk_redirect(&part, own[1], T0, away[3]);
	before = prn_decider_save(part.decider);
	prn_decider_abandon(part.decider);
	desk_redirect(&part, own[1], T0, away[2]);
	prn_decider_restore(part.decider, &before);
	must(!prn_decider_commit(part.decider, NULL), "commit");
	ok(!desk_look(&desk, own[1]).known && !desk_look(&desk, away[2]).known,
	   "the target of a redirect that was taken back is not there, to a savepoint of what was abandoned before it");

	/* Of a page that is none, nothing is staged but that where it leads is none either. */
	prn_redirect_refuse(part.decider, own[1], T0);
	ok(desk_redirect(&part, own[1], T0 + 1, away[3]) == PRN_OUTCOME_UNKNOWN && !prn_decider_staged(desk.decider),
	   "a redirect of a page that was refused stages nothing");
	other = part;
	other.decider = desk_shard(&desk, away[0]);
	desk_redirect(&other, away[0], T0 + 1, own[2]);
	must(!prn_decider_commit(other.decider, NULL) && desk_look(&desk, own[2]).known, "tell of another shard's redirect");
	must(!prn_decider_commit(part.decider, NULL), "commit");
	desk.observation = other.observation;
	ok(desk_text(&desk, away[3], T0 + 2, text_from(0)) == PRN_OUTCOME_UNKNOWN,
	   "where it leads is refused there, though another shard's targets were told in between");
	desk_release(&desk);
}

static void redirects(void)
{
	char here[64], there[64], beside[64], from[96], to[96], url[96];
	struct desk desk;
	struct look look;

	find_hosts(here, there, beside);
	open_spread(&desk, "memory:redirects", SHARDS, 0);
	snprintf(from, sizeof from, "http://%s/", here);
	snprintf(to, sizeof to, "http://%s/to", there);
	desk_redirect(&desk, from, T0, to);
	ok(desk.outcome.target_added, "a redirect into another shard adds its target");
	prn_decider_abandon(desk.decider);
	ok(!desk_look(&desk, from).known && !desk_look(&desk, to).known,
	   "a redirect that is abandoned leaves no target in another shard");
	desk_redirect(&desk, from, T0, to);
	look = desk_look(&desk, to);
	ok(look.known && look.due == T0, "the target of a redirect is a page of its own shard once it is committed");
	desk_redirect(&desk, from, T0 + DAY, to);
	ok(!desk.outcome.target_added && !desk.outcome.target_refused,
	   "a target that another shard knows is not added twice");

	/* By the shard's own decider. */
	{
		struct desk part = desk;

		snprintf(url, sizeof url, "http://%s/own", here);
		snprintf(to, sizeof to, "http://%s/own", there);
		part.decider = desk_shard(&desk, url);
		desk_redirect(&part, url, T0 + DAY, to);
		ok(part.outcome.target_added && !prn_decider_commit(part.decider, NULL),
		   "a shard's own decider commits a redirect to another shard");
		ok(desk_look(&desk, to).known, "what a shard's own decider commits adds targets in others");
		desk.observation = part.observation;
	}

	/* Who dies between two shards leaves a redirect whose target is not there. */
	snprintf(url, sizeof url, "http://%s/cut-off", here);
	snprintf(to, sizeof to, "http://%s/never-told", there);
	{
		char path[64];
		struct desk cut;

		snprintf(path, sizeof path, "cut-%u", shards);
		open_spread(&cut, in_scratch(path), shards, 0);
		desk_text(&cut, url, T0 - DAY, text_from(1));
		must(!prn_decider_commit(cut.decider, NULL), "commit");
		desk_redirect(&cut, url, T0, to);
		prn_batch_abandon(desk_shard(&cut, to)->batch);
		must(!prn_decider_commit_alone(desk_shard(&cut, url), NULL), "commit one shard");
		desk_reopen(&cut);
		ok(!desk_look(&cut, to).known && desk_redirect(&cut, url, T0, to) == PRN_OUTCOME_DUPLICATE,
		   "a redirect that is told again is a duplicate, though its target was lost between two shards");
		ok(!prn_decider_commit(cut.decider, NULL) && desk_look(&cut, to).known,
		   "a redirect that is told again adds its target, where who told it first died between two shards");
		ok(desk_redirect(&cut, url, T0, to) == PRN_OUTCOME_DUPLICATE && !cut.outcome.target_added,
		   "a redirect that is told again adds nothing that is there");
		desk_release(&cut);
	}

	chains(here, there);
	told_beside(here, there);

	/* What a host may add holds for other shards as well, and what was refused is refused there. */
	desk.options.redirects_per_host = 3;
	desk_reopen(&desk);
	for (unsigned i = 0; i < 4; i++) {
		snprintf(url, sizeof url, "http://%s/from-%u", here, i);
		snprintf(to, sizeof to, "http://%s/new-%u", there, i);
		desk_redirect(&desk, url, T0 + DAY + 1, to);
		ok(i == 0 ? desk.outcome.target_added : desk.outcome.target_refused,
		   "a host may add three pages, in whatever shard: %u", i);
		must(!prn_decider_commit(desk.decider, NULL), "commit");
	}
	ok(desk_text(&desk, to, T0 + DAY + 2, text_from(0)) == PRN_OUTCOME_UNKNOWN,
	   "a target that was refused is refused in its own shard when it is reported");
	ok(desk_text(&desk, to, T0 + 2 * DAY, text_from(0)) != PRN_OUTCOME_UNKNOWN,
	   "a day later it is a page like others");
	desk_release(&desk);
}

/* What is in use, or has something staged, is not closed to make room. */
static void closed_to_make_room(void)
{
	enum { MOST = 2 };
	struct prn_decider *held, *again;
	uint64_t commits;
	struct desk desk;
	char url[64];

	open_spread(&desk, "memory:closed", SHARDS, 0);
	desk.decider->shards->most = MOST + 1;
	held = desk_shard(&desk, "http://h0.example/");
	for (unsigned i = 0; i < HOSTS; i++) {
		enum prn_added added;

		snprintf(url, sizeof url, "http://h%u.example/", i);
		must(!prn_decider_add(desk.decider, url, 1, T0, &added, NULL), "add");
	}
	ok(prn_decider_staged(desk.decider) >= HOSTS, "what is staged in more shards than are kept open stays staged");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	commits = prn_decider_commits(desk.decider);
	for (unsigned i = 0; i < HOSTS; i++) {
		enum prn_added added;

		snprintf(url, sizeof url, "http://h%u.example/", i);
		must(!prn_decider_add(desk.decider, url, 0, T0, &added, NULL) && added == PRN_ADDED_KNOWN, "add again");
	}
	ok(desk.decider->shards->open_count <= MOST + 1, "what has become durable is closed to make room: %zu are open",
	   desk.decider->shards->open_count);
	{
		struct prn_decider *before = NULL, *after = NULL;
		struct prn_decider_options options;

		for (size_t i = 0; i < SHARDS && !before; i++)
			before = desk.decider->shards->at[i] != held ? desk.decider->shards->at[i] : NULL;
		{
			uint64_t used = before->used;

			prn_decider_options_init(&options);
			options.host_limit = 7;
			must(!prn_decider_set_options(desk.decider, &options, NULL) && !prn_decider_commit(desk.decider, NULL), "set options");
			ok(before->used == used, "who looks at all shards has used none of them");
		}
		ok(before->options.host_limit == 7 && held->options.host_limit == 7, "options that are set are those of shards that are open");
		must(!prn_shards_list_of(desk.decider, before->shard / desk.decider->shards->list_size, &after, NULL), "find its list");
		ok(after->options.host_limit == 7, "options that are set are those of lists of shards");
	}
	ok(prn_decider_commits(desk.decider) == commits, "what shards committed counts when they are closed");
	{
		size_t used[] = { 1, 2, 1, 3 };

		for (size_t i = 0; i < 4; i++) {
			struct prn_decider *shard;

			must(!prn_shards_get(desk.decider, (held->shard + used[i]) % SHARDS, true, &shard, NULL), "open a shard");
			prn_shards_done(shard);
		}
		ok(desk.decider->shards->at[(held->shard + 1) % SHARDS] && !desk.decider->shards->at[(held->shard + 2) % SHARDS],
		   "the shard that was used longest ago is closed first");
	}
	again = desk_shard(&desk, "http://h0.example/");
	ok(again == held && held->users >= 2, "a shard that somebody uses is not closed");
	desk_release(&desk);
}

static int count_fed(void *context, const struct prn_fed *fed, size_t count, struct prn_error *error)
{
	(void)error;
	for (size_t i = 0; i < count; i++)
		((enum prn_outcome_kind *)context)[fed[i].observation->time - T0] = fed[i].outcome.kind;
	return 0;
}

/* A fetcher that follows redirects by itself: the redirect and its target, and so on, in one group. */
static void fed_together(void)
{
	enum { CAPTURES = 300 };
	struct prn_feed_options options;
	enum prn_outcome_kind kinds[2][CAPTURES];
	struct desk desks[2];
	size_t unlike = 0, refused = 0;

	open_spread(&desks[0], "memory:fed-one", 1, 0);
	open_spread(&desks[1], "memory:fed-many", SHARDS, 0);
	for (int d = 0; d < 2; d++) {
		struct prn_random random;
		struct prn_feed *feed;

		prn_random_seed(&random, 11, 0);
		desks[d].options.redirects_per_host = 3;
		desk_reopen(&desks[d]);
		prn_feed_options_init(&options);
		options.threads = 2;
		options.commit_wait_s = INFINITY;
		options.deliver = count_fed;
		options.context = kinds[d];
		must(!prn_feed_open(&feed, desks[d].decider, &options, NULL), "open a feed");
		for (int64_t i = 0; i < CAPTURES; i++) {
			static char urls[2][64];
			char *url = urls[i % 2], *last = urls[(i + 1) % 2];
			struct prn_capture capture;

			/* The target of the redirect before it, or another page. */
			if (i % 3 == 0)
				snprintf(last, sizeof urls[0], "http://h%u.example/%u",
				         (unsigned)prn_random_below(&random, HOSTS),
				         (unsigned)prn_random_below(&random, 5));
			snprintf(url, sizeof urls[0], "http://h%u.example/t%u",
			         (unsigned)prn_random_below(&random, HOSTS), (unsigned)prn_random_below(&random, 1000));
			capture = status_of(last, T0 + i, i % 3 == 2 ? 200 : 301);
			capture.normal_url = last;
			capture.body = (const unsigned char *)url;
			capture.body_bytes = strlen(url);
			capture.content_type = "text/plain";
			must(!prn_feed_capture(feed, &capture, NULL), "feed");
		}
		must(!prn_feed_finish(feed, NULL), "finish a feed");
		prn_feed_free(feed);
	}
	for (size_t i = 0; i < CAPTURES; i++) {
		unlike += kinds[0][i] != kinds[1][i];
		refused += kinds[0][i] == PRN_OUTCOME_UNKNOWN;
	}
	ok(refused > 10, "targets of redirects that were refused are reported: %zu", refused);
	ok(!unlike, "captures of one group that lead to each other come to the same in several shards: %zu", unlike);
	ok(!different_pages(&desks[0], &desks[1], T0 + DAY), "what was fed is the same pages in several shards");
	for (int d = 0; d < 2; d++)
		desk_release(&desks[d]);
}

/* Every ten minutes for so many days: what is due is asked for and reported. */
static void live(struct desk *desk, struct prn_due_list *list, int64_t from, int days, size_t *given)
{
	static unsigned text;

	for (int day = 0; day < days; day++) {
		given[day] = 0;
		for (int64_t now = from + day * DAY; now < from + (day + 1) * DAY; now += 10 * MINUTE) {
			desk->clock = now;
			given[day] += desk_due(desk, list, now, 1000, HOUR);
			for (size_t i = 0; i < list->count; i++)
				desk_text(desk, list->items[i].url, now, text_from(text++ % 3 ? 0 : text % 50));
			must(!prn_decider_commit(desk->decider, NULL), "commit");
		}
	}
}

static void one_budget(void)
{
	enum { DAYS = 12, BUDGET = 480 };
	size_t given[DAYS], most = 0, sum = 0;
	struct prn_loads counted = { 0 }, loads;
	size_t listed = shards > PRN_SHARDS_LISTED ? prn_shards_lists(shards) : shards;
	struct prn_shard_entry *entries = calloc(listed, sizeof *entries);
	struct prn_due_list list;
	struct prn_stats stats;
	struct desk desk;

	prn_due_list_init(&list);
	open_spread(&desk, "memory:budget", SHARDS, BUDGET);
	for (unsigned i = 0; i < 1000; i++) {
		char url[64];
		enum prn_added added;

		snprintf(url, sizeof url, "http://h%u.example/%u", i % 100, i);
		must(!prn_decider_add(desk.decider, url, 1, T0, &added, NULL), "add");
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	live(&desk, &list, T0, DAYS, given);
	for (int i = 0; i < DAYS; i++) {
		most = given[i] > most ? given[i] : most;
		sum += i >= 2 ? given[i] : 0;
	}
	/*
	 * Two in a hundred more, and a half hour that is no longer counted, in which twice the rate may have been
	 * handed out (ledger.h).
	 */
	ok(most <= BUDGET * 1.02 + 2 * BUDGET / 48, "no day's budget is exceeded by all shards together: %zu of %d",
	   most, BUDGET);
	ok((double)sum >= 0.93 * BUDGET * (DAYS - 2), "the budget of all shards together is used: %zu of %d", sum,
	   BUDGET * (DAYS - 2));
	must(!prn_decider_stats(desk.decider, T0 + DAYS * DAY, &stats, NULL), "read stats");
	ok(stats.load_per_day > 0.5 * BUDGET && stats.load_per_day < 2 * BUDGET,
	   "the threshold has shards want what the budget has: %.0f a day", stats.load_per_day);
	must(!prn_shard_index_read(desk.decider, entries, listed, NULL), "read the index");
	for (size_t i = 0; i < listed; i++)
		for (size_t j = 0; j < PRN_LOADS; j++)
			counted.at[j] += entries[i].loads.at[j];
	must(!prn_loads_read(desk.decider, &(struct prn_store_reader){.batch = desk.decider->batch}, &loads, NULL),
	     "read the sum");
	ok(loads.at[0] && !memcmp(loads.at, counted.at, sizeof counted.at),
	   "the root's loads are the sum of what it knows of its shards");
	free(entries);
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* How many of a list are of each shard: the fewest and the most, of those that have pages. */
static void count_shares(const struct prn_due_list *list, size_t *shares)
{
	for (size_t i = 0; i < list->count; i++)
		shares[prn_shard_of(prn_host_name(list->items[i].url), SHARDS)]++;
}

/* Each shard has pages due, more than all calls ask for. */
static void shared_out(void)
{
	enum { ROUNDS = 64, PAGES = 3200 };
	size_t shares[16] = { 0 }, few[16] = { 0 }, least = SIZE_MAX, most = 0, shards_of_few = 0;
	struct prn_due_list list;
	struct desk desk;

	prn_due_list_init(&list);
	open_spread(&desk, "memory:fair", SHARDS, 0);
	for (unsigned i = 0; i < PAGES; i++) {
		char url[64];
		enum prn_added added;

		snprintf(url, sizeof url, "http://f%u.example/", i);
		must(!prn_decider_add(desk.decider, url, 1, T0, &added, NULL), "add");
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	must(desk_due(&desk, &list, T0, 64, HOUR) == 64, "ask");
	count_shares(&list, few);
	for (size_t i = 0; i < 16; i++)
		shards_of_few += few[i] > 0;
	ok(shards_of_few == 4, "a small limit is filled by several shards, by as few as make up for their commits: %zu", shards_of_few);
	must(desk_due(&desk, &list, T0, 16 * 20, HOUR) == 16 * 20, "ask");
	count_shares(&list, shares);
	for (size_t i = 0; i < 16; i++) {
		least = shares[i] < least ? shares[i] : least;
		most = shares[i] > most ? shares[i] : most;
	}
	ok(least == 20 && most == 20, "a limit is shared out evenly: %zu to %zu of 20 each", least, most);
	memset(shares, 0, sizeof shares);
	for (int i = 0; i < ROUNDS; i++) {
		must(desk_due(&desk, &list, T0 + i, 16, HOUR) == 16, "ask");
		count_shares(&list, shares);
	}
	least = SIZE_MAX, most = 0;
	for (size_t i = 0; i < 16; i++) {
		least = shares[i] < least ? shares[i] : least;
		most = shares[i] > most ? shares[i] : most;
	}
	ok(least == ROUNDS && most == ROUNDS, "shards have their turn one after another: %zu to %zu of %d each", least, most, ROUNDS);
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* One shard has most of what is due: the others are asked first or last, and what they lack is its. */
static void unevenly_due(void)
{
	static const size_t limits[] = { 10, 20, 33, 50, 70 };
	struct prn_due_list list;
	struct desk desk;
	unsigned full = 0;

	prn_due_list_init(&list);
	open_spread(&desk, "memory:uneven", SHARDS, 0);
	for (unsigned i = 0; i < 4000; i++) {
		char url[64];
		enum prn_added added;

		snprintf(url, sizeof url, "http://u%u.example/", i);
		if (i < 40 || prn_shard_of(prn_host_name(url), SHARDS) == 3)
			must(!prn_decider_add(desk.decider, url, 1, T0, &added, NULL), "add");
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		full += desk_due(&desk, &list, T0 + (int64_t)i, limits[i], HOUR) == limits[i];
	ok(full == sizeof limits / sizeof *limits, "where one shard has most of what is due, a list is as long as its limit, and no longer: %u of 5",
	   full);
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* Hosts of five pages each, asked every hour for 40 days with a budget of 24 pages a day: how many were given, and before their time. */
static size_t given_in_days(unsigned over, unsigned hosts, size_t *early)
{
	struct prn_due_list list;
	struct desk desk;
	size_t given = 0;
	char name[64];

	snprintf(name, sizeof name, "memory:early-%u-%u", over, hosts);
	prn_due_list_init(&list);
	open_spread(&desk, name, over, 24);
	desk.options.host_limit = 0;
	desk.options.host_delay_s = 0;
	desk.options.host_share = 1;
	desk_reopen(&desk);
	for (unsigned i = 0; i < hosts; i++) {
		char host[64];

		snprintf(host, sizeof host, "h%u.example", i);
		desk_add_pages(&desk, host, 5);
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	*early = 0;
	for (unsigned hour = 0; hour < 24 * 60; hour++) {
		int64_t now = T0 + 1 + hour * HOUR;

		given += desk_due(&desk, &list, now, 1000, HOUR);
		for (size_t i = 0; i < list.count; i++) {
			unsigned number = (unsigned)prn_url_key(list.items[i].url).low;

			*early += list.items[i].due > now;
			desk_text(&desk, list.items[i].url, now + 1, text_from((hour + number % 97) / (20 + number % 400) * 9));
		}
		must(!prn_decider_commit(desk.decider, NULL), "commit");
	}
	prn_due_list_release(&list);
	desk_release(&desk);
	return given;
}

/* What the budget has left when nothing is due is for pages before their time, whichever shards have them. */
static void given_early(void)
{
	size_t early_of_one, early, one = given_in_days(1, 60, &early_of_one), given;

	ok(one == 24 * 60 && early_of_one, "one store spends its budget to the last page, %zu of them before their time", early_of_one);
	given = given_in_days(4, 60, &early);
	ok(given == one && early,
	   "a store of four shards spends its budget to the last page: %zu, %zu before their time", given, early);
	given = given_in_days(8192, 8, &early);
	ok(given == one && early,
	   "a store of several lists of shards spends its budget to the last page: %zu, %zu before their time", given, early);
}

/* There are more lists than a call asks of those that have nothing due: the index of lists says which have. */
static void due_in_every_list(void)
{
	enum { WIDE = 16384, PAGES = 300 };
	struct prn_due_list list;
	struct desk desk;
	size_t given = 0, later;

	prn_due_list_init(&list);
	open_spread(&desk, "memory:lists", WIDE, 0);
	for (unsigned i = 0; i < PAGES; i++) {
		char host[32];

		snprintf(host, sizeof host, "l%u.example", i);
		desk_add_pages(&desk, host, 1);
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	for (unsigned call = 0; call < 40 && given < PAGES; call++) {
		size_t count = desk_due(&desk, &list, T0 + call, 1000, HOUR);

		for (size_t i = 0; i < count; i++)
			desk_text(&desk, list.items[i].url, T0 + call, "words");
		given += count;
		must(!prn_decider_commit(desk.decider, NULL), "commit");
	}
	must(given == PAGES, "visit every page");
	for (unsigned call = 0; call < 40; call++)
		must(!desk_due(&desk, &list, T0 + 60 + call, 1000, HOUR), "ask when nothing is due");
	later = desk_due(&desk, &list, T0 + 4000 * DAY, 1000, HOUR);
	ok(later == PAGES, "one call hands out what is due in any of sixteen lists: %zu of %d", later, PAGES);
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* A script that runs as many programs with each call, at as many seconds' distance, asks each shard first now and then. */
static void begun_anywhere(void)
{
	unsigned missing = 0;

	for (uint64_t programs = 1; programs <= 64; programs++)
		for (size_t count = 2; count <= 64; count *= 2) {
			bool begun[64] = { false };

			for (uint64_t call = 0; call < 16 * count; call++)
				begun[prn_due_start(4000 + call * programs, T0 + (int64_t)call * HOUR, count)] = true;
			for (size_t i = 0; i < count; i++)
				missing += !begun[i];
		}
	ok(!missing, "calls of many processes begin at all shards, whatever their numbers have in common: not at %u of %u", missing, 64 * 126);
}

/* What is given back and what is settled come to the one ledger. */
static void given_back(void)
{
	struct prn_stats before, after;
	struct prn_due_list list;
	uint64_t released;
	struct desk desk;
	size_t first, second;

	prn_due_list_init(&list);
	open_spread(&desk, "memory:back", SHARDS, 2400);
	for (unsigned i = 0; i < 400; i++) {
		char url[64];
		enum prn_added added;

		snprintf(url, sizeof url, "http://h%u.example/%u", i, i);
		must(!prn_decider_add(desk.decider, url, 1, T0, &added, NULL), "add");
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	ok(desk_due(&desk, &list, T0, 60, 1) == 60 && !list.over_budget, "a limit holds over all shards together");
	ok(list.next == T0, "a list that its limit ended says that there is more at once");
	must(!prn_decider_release_all(desk.decider, PRN_RELEASE_ALL, NULL, T0, &released, NULL), "release all");
	for (unsigned i = 0; i < SHARDS; i++)
		desk_due(&desk, &list, T0, 0, HOUR);
	first = desk_due(&desk, &list, T0, 1000, HOUR);
	ok(first == 100 && list.over_budget, "an hour's budget is handed out at first, over all shards: %zu", first);
	ok(!desk_due(&desk, &list, T0 + 1, 1000, HOUR) && list.over_budget,
	   "a call says that the budget of all shards has no room");
	ok(list.next > T0 + 1, "a call says when the budget of all shards will have room again");
	must(!prn_decider_stats(desk.decider, T0 + 1, &before, NULL), "read stats");
	must(!prn_decider_release_all(desk.decider, PRN_RELEASE_ALL, NULL, T0 + 2, &released, NULL), "release all");
	ok(released == first, "all pages that are out are given back, in every shard");
	for (unsigned i = 0; i < 2 * SHARDS; i++)
		desk_due(&desk, &list, T0 + 3 + i, 1, 60);
	must(!prn_decider_stats(desk.decider, T0 + 40, &after, NULL), "read stats");
	ok(after.given_day < before.given_day, "what was given back comes back to the budget: %g of %g",
	   after.given_day, before.given_day);
	second = desk_due(&desk, &list, T0 + 41, 1000, HOUR);
	ok(second > 40, "what came back is handed out again: %zu", second);
	desk_release(&desk);

	open_spread(&desk, "memory:left", SHARDS, 2400);
	for (unsigned i = 0; i < 20; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://h%u.example/", i);
		desk_status(&desk, url, T0, 500);
	}
	must(desk_due(&desk, &list, T0 + DAY, 1000, HOUR) == 20 && !list.over_budget, "ask");
	must(!prn_decider_stats(desk.decider, T0 + DAY, &after, NULL), "read stats");
	near(after.given_day, 20, 1e-9, "what of the budget nothing was due for is not spent");
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* Pages came back in a shard, and the process died before the root's ledger was told: the next one tells it when it asks the shard. */
static void given_back_by_the_dead(void)
{
	struct prn_stats before, after;
	struct prn_due_list list;
	struct desk desk;
	uint64_t all = 0, released;
	size_t first;

	prn_due_list_init(&list);
	open_spread(&desk, "memory:dead", SHARDS, 2400);
	for (unsigned i = 0; i < HOSTS; i++) {
		char host[32];

		snprintf(host, sizeof host, "h%u.example", i);
		desk_add_pages(&desk, host, 1);
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	first = desk_due(&desk, &list, T0, 1000, HOUR);
	must(first > 1, "hand pages out");
	for (size_t i = 0; i < SHARDS; i++) {
		struct prn_decider *shard;

		if (prn_shards_get(desk.decider, i, false, &shard, NULL))
			continue;
		must(!prn_decider_release_all(shard, PRN_RELEASE_ALL, NULL, T0, &released, NULL), "release the pages of a shard");
		all += released;
		prn_shards_done(shard);
	}
	must(all == first, "release all");
	desk_reopen(&desk);
	must(!prn_decider_stats(desk.decider, T0 + 1, &before, NULL), "read stats");
	near(before.given_day, 0, 1e-9, "stats counts what came back in shards and the ledger was not told of");
	first = desk_due(&desk, &list, T0 + 2, 1000, HOUR);
	must(!prn_decider_stats(desk.decider, T0 + 3, &after, NULL), "read stats");
	near(after.given_day, (double)first, 1e-9, "whoever asks the shards tells the ledger");
	prn_due_list_release(&list);
	desk_release(&desk);
}

static void told_by_one(void)
{
	const struct prn_tuning_request request = { .budget = { 50, PRN_UNIT_VISITS }, .apply = true };
	struct prn_tuning tunings[2];
	struct desk desks[2];
	char url[64];

	open_spread(&desks[0], "memory:tune-one", 1, 0);
	open_spread(&desks[1], "memory:tune-many", SHARDS, 0);
	for (int d = 0; d < 2; d++) {
		for (unsigned i = 0; i < 200; i++)
			for (int64_t day = 0; day < 4; day++) {
				snprintf(url, sizeof url, "http://h%u.example/%u", i % HOSTS, i);
				desk_text(&desks[d], url, T0 + day * DAY, text_from(i % 7 * (unsigned)day));
			}
		must(!prn_decider_commit(desks[d].decider, NULL) &&
		             !prn_decider_tune(desks[d].decider, &request, &tunings[d], NULL),
		     "tune");
	}
	near(tunings[1].threshold, tunings[0].threshold, 1e-6 * tunings[0].threshold,
	     "a budget has the same T over shards as over one object");
	near(tunings[1].load_per_day, tunings[0].load_per_day, 1e-6 * tunings[0].load_per_day,
	     "loads are summed over shards");
	ok(tunings[0].pages == tunings[1].pages, "tuning counts the pages of all shards");
	ok(!different_pages(&desks[0], &desks[1], T0 + 4 * DAY),
	   "a T that was set is that of every shard, and its pages are queued by it");
	for (int d = 0; d < 2; d++)
		desk_release(&desks[d]);
}

static void refused(void)
{
	struct prn_decider_settings settings = { .shards = 3 };
	struct prn_host_rule rule = { .hosts = "example", .delay_s = -1, .limit = -1, .group = "all" };
	struct prn_decider_options options;
	struct prn_decider *decider = NULL;
	struct prn_error error = { 0 };
	struct desk desk;

	ok(prn_decider_create("memory:three", &settings, &error) == PRN_E_ARGUMENT &&
	           strstr(error.text, "power of two"),
	   "a store has a power of two of shards");
	settings.shards = 2 * PRN_SHARDS_MOST;
	ok(prn_decider_create("memory:three", &settings, &error) == PRN_E_ARGUMENT,
	   "a store has no more shards than there may be");
	open_spread(&desk, "memory:refused", SHARDS, 0);
	desk_text(&desk, PAGE, T0, text_from(0));
	prn_decider_options_init(&options);
	options.group_by_address = true;
	ok(prn_decider_set_options(desk.decider, &options, &error) == PRN_E_ARGUMENT,
	   "hosts of several shards are not grouped by address");
	prn_decider_options_init(&options);
	options.hosts = &rule;
	options.host_count = 1;
	desk_close(&desk);
	ok(prn_decider_open(&decider, desk.path, PRN_STORE_WRITE, &options, &error) == PRN_E_ARGUMENT &&
	           strstr(error.text, "host-group"),
	   "hosts of several shards are in no group");
	desk_reopen(&desk);
	desk_text(&desk, PAGE, T0, text_from(0));
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	{
		size_t shard = prn_shard_of((struct prn_host_name){ "a.example", strlen("a.example") }, SHARDS);
		char *path = prn_shard_address(desk.path, shard);

		desk_close(&desk);
		ok(prn_decider_open(&decider, path, PRN_STORE_WRITE, NULL, &error) == PRN_E_ARGUMENT &&
		           strstr(error.text, "shard"),
		   "a shard is not opened as a store: %s", error.text);
		free(path);
	}
	desk_release(&desk);
}

/* On a disk: what is looked at, copied and lost. */
static void whole(unsigned over)
{
	struct prn_store_findings found;
	struct prn_store *store, *list, *shard = NULL;
	struct prn_store_totals totals;
	size_t place;
	struct prn_error error = { 0 };
	char path[512], copy[512], *lost;
	struct desk desk, copied;

	snprintf(path, sizeof path, "%s/spread-%u", scratch, over);
	snprintf(copy, sizeof copy, "%s/copy-%u", scratch, over);
	open_spread(&desk, path, over, 0);
	snprintf(path, sizeof path, "%s", desk.path);
	for (unsigned i = 0; i < 100; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://h%u.example/%u", i % HOSTS, i);
		desk_text(&desk, url, T0, text_from(i));
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_close(&desk);
	must(!prn_store_open(&store, path, PRN_STORE_READ, 0, NULL), "open");
	ok(!prn_store_check(store, NULL, &found, NULL) && !prn_store_faults(&found),
	   "a check finds no fault in a store of several shards");
	ok(found.pages == 100 && found.queued == 100, "a check looks at every shard");
	ok(!prn_store_totals(store, &totals, NULL) && totals.pages == 100, "totals are those of all shards");
	must(!prn_store_backup(store, copy, &error), "copy");
	prn_store_free(store);

	desk_reopen(&desk);
	desk_spoil(&desk, "http://h1.example/1");
	desk_close(&desk);
	must(!prn_store_open(&store, path, PRN_STORE_WRITE, 0, NULL), "open");
	ok(!prn_store_check(store, NULL, &found, NULL) && found.unreadable == 1, "a check finds a page of a shard that is damaged");
	ok(!prn_store_check(store, &(struct prn_store_check_options){ .repair = true }, &found, NULL) && found.repaired,
	   "a repair mends a page of a shard that is damaged");
	prn_store_free(store);
	must(!prn_store_open(&store, copy, PRN_STORE_READ, 0, NULL), "open");
	ok(!prn_store_totals(store, &totals, NULL) && totals.pages == 100, "a copy has the pages of all shards");
	prn_store_free(store);
	copied = desk;
	snprintf(copied.path, sizeof copied.path, "%s", copy);
	desk_reopen(&copied);
	ok(prn_decider_shards(copied.decider) == over && desk_look(&copied, "http://h1.example/1").visits == 1,
	   "a copy is a store of as many shards");
	desk_close(&copied);

	/* One that was there and is not is no empty one. */
	place = prn_shard_of((struct prn_host_name){ "h1.example", strlen("h1.example") }, over);
	lost = prn_shard_address(copy, place);
	must(!rename(lost, in_scratch(over > 4 ? "away-many" : "away-few")), "move a shard away");
	free(lost);
	must(!prn_store_open(&store, copy, PRN_STORE_READ, 0, NULL), "open");
	list = store;
	if (over > PRN_SHARDS_LISTED)
		must(!prn_shards_list_open(&list, store, place / PRN_SHARDS_A_LIST, PRN_STORE_READ, false, 0, NULL), "open a list");
	ok(prn_shard_open(&shard, store, list, place, PRN_STORE_READ, false, 0, &error) == PRN_E_DAMAGED &&
	           strstr(error.text, "removed"),
	   "a shard that was removed is missed: %s", error.text);
	ok(prn_store_totals(store, &totals, &error) == PRN_E_DAMAGED, "of a store without one of its shards no totals are told");
	if (list != store) {
		prn_store_free(list);
		lost = prn_shards_list_address(copy, place / PRN_SHARDS_A_LIST);
		must(!rename(lost, in_scratch("away-too")), "move a list away");
		free(lost);
		ok(prn_shards_list_open(&list, store, place / PRN_SHARDS_A_LIST, PRN_STORE_READ, false, 0, &error) == PRN_E_DAMAGED &&
		           strstr(error.text, "removed"),
		   "a list of shards that was removed is missed: %s", error.text);
	}
	prn_store_free(store);
	prn_observation_release(&desk.observation);
}

/* Only at the address itself: where none is, prn_store_open looks for what may be left of one. */
static bool is_there(char *address_take)
{
	struct prn_store *store;
	int code = prn_store_open_one(&store, address_take, PRN_STORE_READ, 0, NULL);

	free(address_take);
	if (!code)
		prn_store_free(store);
	return !code;
}

static size_t parts_of(const char *path, unsigned over)
{
	size_t parts = is_there(prn_shards_backup_address(path));

	for (size_t i = 0; i < over; i++)
		parts += is_there(prn_shard_address(path, i)) + is_there(prn_shards_list_address(path, i));
	return parts;
}

/* A copy is broken off where something stands in the place of one of its shards. */
static void broken_off(const char *where, unsigned over)
{
	static const struct prn_store_setting setting = { "of", "nobody" };
	char copy[600], *stranger, *mark;
	struct prn_error error = { 0 };
	struct prn_store_totals totals;
	struct prn_store *store, *made;
	const char *place;
	struct desk desk;
	size_t parts, last = 0;

	open_spread(&desk, where, over, 0);
	for (unsigned i = 0; i < HOSTS; i++) {
		char url[64];
		enum prn_added added;
		size_t shard;

		snprintf(url, sizeof url, "http://h%u.example/", i);
		must(!prn_decider_add(desk.decider, url, 1, T0, &added, NULL), "add");
		shard = prn_shard_of(prn_host_name(url), over);
		last = shard > last ? shard : last;
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_close(&desk);
	parts = parts_of(desk.path, over);
	snprintf(copy, sizeof copy, "%s-copy", desk.path);
	stranger = prn_shard_address(copy, last);
	mark = prn_shards_backup_address(copy);
	must(!prn_store_create(stranger, &setting, 1, NULL), "make a store in the place of a shard");
	must(!prn_store_open(&store, desk.path, PRN_STORE_READ, 0, NULL), "open");

	ok(prn_store_backup(store, copy, &error) == PRN_E_DAMAGED && strstr(error.text, "is a store by itself"),
	   "a copy ends where something stands in the place of a shard: %s", error.text);
	ok(prn_store_open(&made, copy, PRN_STORE_READ, 0, &error) == PRN_E_IO && strstr(error.text, "not finished"),
	   "what was copied of a store is none: %s", error.text);
	ok(prn_store_backup(store, copy, &error) == PRN_E_IO && strstr(error.text, "begun there and not finished"),
	   "an unfinished copy is not begun anew unasked: %s", error.text);
	ok(prn_store_backup_discard(copy, NULL, &error) == PRN_E_DAMAGED,
	   "an unfinished copy among which something stands is not removed: %s", error.text);
	ok(is_there(strdup(stranger)) && is_there(strdup(mark)),
	   "what stands among an unfinished copy is not removed with it");
	prn_tables_find(stranger, &place);
	must(!store->tables->kind->remove(place, NULL), "remove a store");
	must(!prn_store_open(&made, mark, PRN_STORE_WRITE, 0, NULL), "hold the mark");
	ok(prn_store_backup_resume(store, copy, &error) == PRN_E_LIMIT && prn_store_backup_discard(copy, NULL, &error) == PRN_E_LIMIT,
	   "a copy that somebody is making is neither gone on with nor removed: %s", error.text);
	prn_store_free(made);
	ok(!prn_store_backup_resume(store, copy, &error) && !is_there(strdup(mark)), "an unfinished copy is gone on with %s", error.text);
	must(!prn_store_open(&made, copy, PRN_STORE_READ, 0, NULL), "open a copy");
	must(!prn_store_totals(made, &totals, NULL), "read totals");
	ok(totals.pages == HOSTS && parts_of(copy, over) == parts, "a copy that was gone on with has all parts and pages: %zu of %zu, %llu",
	   parts_of(copy, over), parts, (unsigned long long)totals.pages);
	prn_store_free(made);
	ok(prn_store_backup_discard(copy, NULL, &error) == PRN_E_NOT_FOUND && parts_of(copy, over) == parts, "a copy that is finished is not removed");
	free(stranger);
	free(mark);

	snprintf(copy, sizeof copy, "%s-again", desk.path);
	stranger = prn_shard_address(copy, last);
	must(!prn_store_create(stranger, &setting, 1, NULL), "make a store in the place of a shard");
	must(prn_store_backup(store, copy, NULL) && parts_of(copy, over) > 2, "break a copy off");
	must(!store->tables->kind->remove(prn_tables_find(stranger, &place) ? place : NULL, NULL), "remove a store");
	ok(!prn_store_backup_discard(copy, NULL, &error) && !parts_of(copy, over), "an unfinished copy is removed with its mark %s", error.text);
	ok(!prn_store_backup(store, copy, &error) && parts_of(copy, over) == parts,
	   "a copy is made anew where an unfinished one was removed %s", error.text);
	prn_store_free(store);
	free(stranger);
	desk_release(&desk);
}

/* What a fetcher that asks now and then is told, of one store and of more shards than are asked at a time. */
static void asked_of_many(void)
{
	enum { MANY = 256, PAGES = 600 };
	static const int64_t times[] = {HOUR, 2 * DAY, 9 * DAY, 9 * DAY + 1, 9 * DAY + 2, 9 * DAY + 2 * HOUR, 12 * DAY};
	struct prn_due_list list;
	struct desk desks[2];
	size_t count[2][7], found[2] = {0, 0};
	int64_t next[2][7];

	prn_due_list_init(&list);
	for (int d = 0; d < 2; d++) {
		open_spread(&desks[d], d ? "memory:wide" : "memory:narrow", d ? MANY : 1, 0);
		for (unsigned i = 0; i < PAGES; i++) {
			char url[64];

			snprintf(url, sizeof url, "http://h%u.example/", i);
			desk_text(&desks[d], url, T0, text_from(i % 5));
		}
		must(!prn_decider_commit(desks[d].decider, NULL), "commit");
		for (size_t i = 0; i < 7; i++) {
			count[d][i] = desk_due(&desks[d], &list, T0 + times[i], 1000, DAY);
			next[d][i] = list.next;
			found[d] += count[d][i];
			/* What fails is tried again in an hour, long before its lease would have run out. */
			for (size_t j = 0; j < list.count; j++)
				if (i == 2)
					desk_status(&desks[d], list.items[j].url, T0 + times[i] + 1, 500);
				else
					desk_text(&desks[d], list.items[j].url, T0 + times[i] + 1, text_from((unsigned)j % 3));
			must(!prn_decider_commit(desks[d].decider, NULL), "commit");
		}
		desk_release(&desks[d]);
	}
	ok(found[0] >= PAGES && !memcmp(count[0], count[1], sizeof count[0]),
	   "each call gives all that is due in more shards than are asked at a time: %zu of %zu", found[1], found[0]);
	ok(!memcmp(next[0], next[1], sizeof next[0]), "each call says truly when something is to become due in any of them");
	prn_due_list_release(&list);
}

/* One process gives leases back, another asks. */
static void given_back_by_another(void)
{
	struct prn_due_list list;
	struct prn_stats stats;
	struct desk desk;
	uint64_t released;
	size_t first;

	prn_due_list_init(&list);
	open_spread(&desk, in_scratch("back"), 16, 240);
	for (unsigned i = 0; i < 60; i++) {
		char url[64];
		enum prn_added added;

		snprintf(url, sizeof url, "http://h%u.example/", i);
		must(!prn_decider_add(desk.decider, url, 1, T0, &added, NULL), "add");
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	first = desk_due(&desk, &list, T0, 1000, HOUR);
	desk_reopen(&desk);
	must(!prn_decider_release_all(desk.decider, PRN_RELEASE_ALL, NULL, T0 + 5, &released, NULL), "release all");
	must(!prn_decider_stats(desk.decider, T0 + 5, &stats, NULL), "read stats");
	ok(first == 10 && released == first,
	   "all that was handed out of several shards can be given back: %llu of %zu", (unsigned long long)released, first);
	ok(stats.room == first,
	   "the budget of what was given back in several shards has room at once: %llu of %zu", (unsigned long long)stats.room, first);
	desk_reopen(&desk);
	ok(desk_due(&desk, &list, T0 + 11, 1000, HOUR) == first,
	   "what was given back in several shards is handed out again by the next process that asks: %zu", list.count);

	for (size_t i = 0; i < list.count; i++) {
		bool was;

		must(!prn_decider_release(desk_shard(&desk, list.items[i].url), list.items[i].url, T0 + 12, &was, NULL) && was,
		     "release in a shard");
		must(!prn_decider_commit(desk_shard(&desk, list.items[i].url), NULL), "commit a shard");
	}
	must(!prn_decider_stats(desk.decider, T0 + 12, &stats, NULL), "read stats");
	ok(stats.room == first, "statistics count what shards have given back and have not told the root of");
	ok(desk_due(&desk, &list, T0 + 13, 1000, HOUR) == first, "what shards have given back is there for the call that follows");
	ok(!desk_due(&desk, &list, T0 + 14, 1000, HOUR) && list.over_budget,
	   "what was given back is handed out once");
	ok(list.next > T0 + 14, "who is given nothing is told of a time that is to come");
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* What another process hands out of the budget once a shard is asked: visits; 0: nothing. */
static _Atomic unsigned beside;

int __real_prn_due_of_one(struct prn_decider *decider, const struct prn_due_request *request, struct prn_due_list *list,
                          struct prn_error *error);
int __wrap_prn_due_of_one(struct prn_decider *decider, const struct prn_due_request *request, struct prn_due_list *list,
                          struct prn_error *error);

/* Stands where due asks a shard: between the taking of a lot from the ledger and what becomes of it, where another may write. */
int __wrap_prn_due_of_one(struct prn_decider *decider, const struct prn_due_request *request, struct prn_due_list *list,
                          struct prn_error *error)
{
	unsigned visits = decider->root ? atomic_exchange(&beside, 0) : 0;
	struct prn_decider *root = decider->root;
	struct prn_ledger ledger;

	if (visits) {
		must(!prn_ledger_read(&ledger, root->budget_per_day, &(struct prn_store_reader){ .batch = root->batch }, NULL), "read a ledger");
		prn_ledger_spend(&ledger, visits);
		must(!prn_ledger_put(&ledger, root->batch, NULL) && !prn_batch_commit(root->batch, NULL), "write a ledger");
	}
	return __real_prn_due_of_one(decider, request, list, error);
}

static void add_hosts(struct desk *desk, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		char url[64];
		enum prn_added added;

		snprintf(url, sizeof url, "http://h%u.example/", i);
		must(!prn_decider_add(desk->decider, url, 1, T0, &added, NULL), "add");
	}
	must(!prn_decider_commit(desk->decider, NULL), "commit");
}

/* Two processes hand out of one budget at the same time. */
static void spent_beside(void)
{
	struct prn_ledger ledger;
	struct prn_due_list list;
	struct desk desk;
	double sum = 0;

	prn_due_list_init(&list);
	open_spread(&desk, "memory:beside", 16, 240);
	add_hosts(&desk, 60);
	beside = 3;
	ok(desk_due(&desk, &list, T0, 1000, HOUR) == 10 && !beside, "who asked first is given what there was");
	must(!prn_ledger_read(&ledger, 240, &(struct prn_store_reader){ .batch = desk.decider->batch }, NULL), "read the ledger");
	for (size_t i = 0; i < PRN_LEDGER_SLOTS; i++)
		sum += ledger.slots[i].amount;
	near(ledger.left, -3, 1e-9, "what another handed out meanwhile is owed");
	near(sum, 13, 1e-9, "the day has what both handed out");
	ok(!desk_due(&desk, &list, T0 + 10 * MINUTE, 1000, HOUR), "nothing is handed out before that is paid off");
	ok(desk_due(&desk, &list, T0 + HOUR, 1000, HOUR) == 7, "an hour later there is an hour's budget without it");
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* A reader has the root's price for a second at most; and its ledger as it is. */
static void read_beside(void)
{
	struct prn_tuning_request request = { .budget = { 3, PRN_UNIT_VISITS }, .apply = true };
	const char *url = "http://h1.example/";
	struct prn_explanation before, soon, after;
	struct prn_store_reader nobody = { 0 };
	struct prn_decider *reader, *shard;
	struct prn_ledger ledger;
	struct prn_tuning tuning;
	struct prn_due_list list;
	struct desk desk;

	prn_due_list_init(&list);
	prn_explanation_init(&before);
	prn_explanation_init(&soon);
	prn_explanation_init(&after);
	open_spread(&desk, "memory:readers", 16, 240);
	add_hosts(&desk, 60);
	for (int day = 0; day < 4; day++)
		for (unsigned i = 0; i < 60; i++) {
			char page[64];

			snprintf(page, sizeof page, "http://h%u.example/", i);
			desk.clock = T0 + day * DAY;
			desk_text(&desk, page, desk.clock, text_from((unsigned)day));
		}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	must(!prn_decider_open(&reader, desk.path, PRN_STORE_READ, NULL, NULL) &&
	     !prn_decider_explain(reader, url, T0 + 4 * DAY, &before, NULL), "read a page");
	must(!prn_decider_tune(desk.decider, &request, &tuning, NULL) && tuning.threshold > 1.5 * before.threshold, "tune");
	must(!prn_decider_explain(reader, url, T0 + 4 * DAY, &soon, NULL), "read a page again");
	/* As if a second had gone by. */
	reader->shards->price_at -= 1;
	must(!prn_decider_explain(reader, url, T0 + 4 * DAY, &after, NULL), "read a page a second later");
	ok(soon.threshold == before.threshold || soon.threshold == tuning.threshold, "a reader goes by the threshold of now or of a moment ago");
	near(after.threshold, tuning.threshold, 1e-12, "a second later it goes by what a writer has set since it was opened");

	must(desk_due(&desk, &list, T0 + 60 * DAY, 1000, HOUR) > 0 && !prn_decider_shard(reader, url, &shard, NULL), "hand out");
	must(!prn_held_ledger(shard, 3, &nobody, &ledger, NULL), "read the ledger for a shard");
	ok(ledger.at == T0 + 60 * DAY, "a reader of a shard has the root's ledger as its last writer left it");
	prn_explanation_release(&before);
	prn_explanation_release(&soon);
	prn_explanation_release(&after);
	prn_decider_free(reader);
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* Options are set by another thread than those that open shards and decide by them. */
static void *set_options(void *context)
{
	struct desk *desk = context;

	must(!prn_decider_set_options(desk->decider, &desk->options, NULL), "set options");
	return NULL;
}

static bool have_options(struct desk *desk, unsigned retire_after)
{
	bool all = desk->decider->options.retire_after == retire_after;

	for (size_t i = 0; i < desk->decider->shards->slots; i++)
		all &= !desk->decider->shards->open[i] || desk->decider->shards->open[i]->options.retire_after == retire_after;
	return all;
}

static void options_under_lock(void)
{
	pthread_t thread;
	struct desk desk;
	unsigned before;
	bool kept = true;

	open_spread(&desk, "memory:options", 16, 0);
	add_hosts(&desk, 20);
	before = (unsigned)desk.options.retire_after;
	desk.options.retire_after = 5;
	pthread_mutex_lock(&desk.decider->shards->lock);
	must(!pthread_create(&thread, NULL, set_options, &desk), "start a thread");
	for (int i = 0; i < 200 && kept; i++) {
		kept = have_options(&desk, before);
		usleep(1000);
	}
	pthread_mutex_unlock(&desk.decider->shards->lock);
	pthread_join(thread, NULL);
	ok(desk.decider->shards->open_count > 3 && kept, "no options change while somebody has the lock under which shards are opened");
	ok(have_options(&desk, 5), "options that are set reach every shard that is open, and the root");
	desk_release(&desk);
}

static void lost_shard(void)
{
	struct prn_due_list list;
	struct desk desk;
	size_t all, lost = 0;
	char *address;

	prn_due_list_init(&list);
	open_spread(&desk, in_scratch("lost"), 4, 0);
	for (unsigned i = 0; i < 40; i++) {
		char url[64], host[32];
		enum prn_added added;

		snprintf(host, sizeof host, "h%u.example", i);
		snprintf(url, sizeof url, "http://%s/", host);
		lost += prn_shard_of((struct prn_host_name){host, strlen(host)}, 4) == 2;
		must(!prn_decider_add(desk.decider, url, 1, T0, &added, NULL), "add");
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_close(&desk);
	address = prn_shard_address(desk.path, 2);
	must(!rename(address, in_scratch("lost-away")), "move a shard away");
	desk_reopen(&desk);
	must(!prn_decider_due(desk.decider, &(struct prn_due_request){.now = T0, .limit = 100}, &list, NULL), "look");
	ok(lost && list.count == 40 - lost, "a look gives what the shards have that are there: %zu", list.count);
	ok(list.damaged_shards == 1, "a look tells that a shard is lost");
	all = desk_due(&desk, &list, T0, 100, HOUR);
	ok(all == 40 - lost, "what other shards have is given where one is lost: %zu", all);
	ok(list.damaged_shards == 1 && strstr(list.first_damaged.text, address), "the list tells which shard is lost: %s",
	   list.first_damaged.text);
	ok(!desk_due(&desk, &list, T0 + 1, 100, HOUR) && list.damaged_shards == 1, "a lost shard is told of with each call");
	must(!rename(in_scratch("lost-away"), address), "put a shard back");
	ok(desk_due(&desk, &list, T0 + 2, 100, HOUR) == lost && !list.damaged_shards, "a shard that is back is asked again");
	free(address);
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* What is told of shards that were gone. */
struct brought {
	size_t back, gone;
	struct prn_error why;
};

static void tell_brought(void *context, size_t shard, uint64_t pages, const struct prn_error *why)
{
	struct brought *brought = context;

	(void)shard;
	(void)pages;
	*(why ? &brought->gone : &brought->back) += 1;
	if (why)
		brought->why = *why;
}

/* Who has the files of a shard open writes to those, whatever stands in their place. */
static void brought_back(void)
{
	struct brought brought = { 0 };
	struct prn_error error = { 0 };
	char *address, *backup = strdup(in_scratch("brought-backup"));
	enum prn_added added;
	struct desk desk;

	open_spread(&desk, in_scratch("brought"), 4, 0);
	must(!prn_decider_add(desk.decider, "http://h1.example/", 1, T0, &added, NULL) && !prn_decider_commit(desk.decider, NULL), "add a page");
	must(backup && !prn_store_backup(prn_decider_store(desk.decider), backup, NULL), "back the store up");
	address = prn_shard_address(desk.path, prn_shard_of((struct prn_host_name){ "h1.example", strlen("h1.example") }, 4));
	must(!rename(address, in_scratch("brought-away")), "move a shard away");
	must(!prn_decider_restore_shards(desk.decider, backup, tell_brought, &brought, &error), "bring shards back");
	ok(!brought.back && brought.gone == 1, "a shard whose files a process still has is not brought back under it: %s", brought.why.text);
	must(!prn_decider_add(desk.decider, "http://h1.example/later", 1, T0, &added, NULL) && !prn_decider_commit(desk.decider, NULL),
	     "add another");
	if (access(address, F_OK))
		must(!rename(in_scratch("brought-away"), address), "put it back");
	desk_reopen(&desk);
	must(!prn_decider_add(desk.decider, "http://h1.example/later", 1, T0, &added, NULL), "add it again");
	ok(added == PRN_ADDED_KNOWN,
	   "what a process acknowledges while its shard is away is there when that is back");
	prn_decider_abandon(desk.decider);
	desk_close(&desk);
	must(!rename(address, in_scratch("brought-off")), "move a shard away again");
	desk_reopen(&desk);
	brought = (struct brought){ 0 };
	must(!prn_decider_restore_shards(desk.decider, backup, tell_brought, &brought, &error), "bring shards back");
	ok(brought.back == 1 && !brought.gone, "a shard is brought back by who has not got its files");
	ok(!access(address, F_OK), "the files of a shard that was brought back are there");
	free(address);
	free(backup);
	desk_release(&desk);
}

/* What checks of a store tell of each shard. */
struct told {
	struct prn_store_findings before; /* of those before a shard */
	struct prn_state_findings states;
	size_t shard, shards; /* shards: told of */
};

static void sum_shard(void *context, size_t shard, const struct prn_store_findings *of_it)
{
	struct told *told = context;

	told->shards++;
	if (shard < told->shard)
		prn_store_findings_add(&told->before, of_it);
}

static void sum_states(void *context, size_t shard, const struct prn_state_findings *of_it)
{
	struct told *told = context;

	told->shards++;
	if (shard < told->shard)
		prn_state_findings_add(&told->states, of_it);
}

/* A check that begins at any shard finds with what an earlier one was told what all have. */
static void checked_in_parts(const char *where, unsigned over)
{
	struct prn_store_findings all, rest;
	struct prn_state_findings all_states, rest_states;
	struct prn_store *store;
	size_t unlike = 0, told_of = 0, made = 0;
	struct desk desk;

	open_spread(&desk, where, over, 0);
	for (unsigned i = 0; i < 100; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://h%u.example/%u", i % HOSTS, i);
		desk_text(&desk, url, T0, text_from(i));
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	for (unsigned i = 0; i < 5; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://h%u.example/%u", i * 7, i * 7);
		desk_spoil(&desk, url);
	}
	must(!prn_decider_check(desk.decider, NULL, T0 + DAY, &all_states, NULL), "check states");
	for (size_t first = 0; first <= over; first += over / 16) {
		struct told told = { .shard = first };

		must(!prn_decider_check(desk.decider, &(struct prn_store_check_options){ .states_done = sum_states, .context = &told }, T0 + DAY,
		                        &rest_states, NULL), "check states");
		unlike += memcmp(&rest_states, &all_states, sizeof all_states) != 0;
		must(!prn_decider_check(desk.decider, &(struct prn_store_check_options){ .first_shard = first }, T0 + DAY, &rest_states, NULL),
		     "check states");
		prn_state_findings_add(&rest_states, &told.states);
		unlike += memcmp(&rest_states, &all_states, sizeof all_states) != 0;
		made = told.shards;
	}
	ok(!unlike && all_states.pages == 95, "states that are checked in two parts are found as in one: %zu", unlike);
	desk_close(&desk);
	must(!prn_store_open(&store, desk.path, PRN_STORE_READ, 0, NULL), "open");
	must(!prn_store_check(store, NULL, &all, NULL), "check");
	for (size_t first = 0; first <= over; first += over / 16) {
		struct told told = { .shard = first };

		must(!prn_store_check(store, &(struct prn_store_check_options){ .shard_done = sum_shard, .context = &told }, &rest, NULL), "check");
		must(!prn_store_check(store, &(struct prn_store_check_options){ .first_shard = first }, &rest, NULL), "check");
		prn_store_findings_add(&rest, &told.before);
		unlike += memcmp(&rest, &all, sizeof all) != 0;
		told_of += told.shards == made;
	}
	ok(all.pages == 100 && all.unreadable == 5,
	   "a store that is checked as a whole has its pages, and those that cannot be read");
	ok(!unlike, "a store that is checked in two parts is found as in one: %zu", unlike);
	ok(told_of == 17 && made > 10, "a check tells of each shard once: %zu", made);
	prn_store_free(store);
	prn_observation_release(&desk.observation);
}

static size_t opened(const struct desk *desk)
{
	return desk->decider->shards->open_count;
}

/* As many as a process that begins is given. */
static size_t ask_anew(struct desk *desk, struct prn_due_list *list, int64_t now)
{
	desk_reopen(desk);
	return desk_due(desk, list, now, 1000, HOUR);
}

/* A list knows what its shards would say, as long as nobody has written to them and all is asked as it was. */
static void known_without_asking(const char *where, unsigned over)
{
	struct prn_due_list list;
	struct desk desk;
	const int64_t asked = T0 + 2 * MINUTE;
	const size_t in_any_case = prn_shards_lists(over); /* one of each list */
	enum prn_added added;
	size_t given = 0;
	int64_t next;

	prn_due_list_init(&list);
	open_spread(&desk, where, over, 0);
	desk.options.host_delay_s = HOUR;
	for (unsigned i = 0; i < HOSTS; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://h%u.example/", i);
		must(!prn_decider_add(desk.decider, url, 1, T0, &added, NULL), "add");
		desk_text(&desk, url, T0 + MINUTE, text_from(i));
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	for (int i = 0; i < 20; i++)
		must(!ask_anew(&desk, &list, asked), "ask until all were asked");
	next = list.next;
	ok(!ask_anew(&desk, &list, asked + 1) && list.next == next,
	   "a process that begins knows that nothing is due, and until when");
	ok(opened(&desk) <= in_any_case,
	   "a process that begins opens no shard to know that nothing is due: %zu", opened(&desk));

	must(!prn_decider_add(desk_shard(&desk, "http://h7.example/new"), "http://h7.example/new", 1, asked, &added, NULL), "add");
	must(!prn_decider_commit(desk_shard(&desk, "http://h7.example/new"), NULL), "commit a shard");
	desk.options.host_delay_s = 0;
	/* Of several lists not all are asked at a time. */
	for (int i = 0; i < (over == 16 ? 1 : 100) && !given; i++)
		given = ask_anew(&desk, &list, asked + 2);
	ok(given == 1, "what another process wrote to a shard is found: %zu", given);
	for (int i = 0; i < 20; i++)
		must(!ask_anew(&desk, &list, asked + 3), "ask until all were asked");
	ok(opened(&desk) <= in_any_case,
	   "what another process wrote to a shard is known once it was found: %zu", opened(&desk));
	desk.options.host_delay_s = 2 * HOUR;
	must(!ask_anew(&desk, &list, asked + 4), "ask otherwise");
	ok(opened(&desk) > in_any_case, "who asks by other rules asks shards: %zu", opened(&desk));
	for (int i = 0; i < 20; i++)
		must(!ask_anew(&desk, &list, asked + 5), "ask until all were asked");
	must(!ask_anew(&desk, &list, asked + 3), "ask earlier");
	ok(opened(&desk) > in_any_case, "a clock that was set back knows nothing: %zu", opened(&desk));
	for (int i = 0; i < 20; i++)
		must(!ask_anew(&desk, &list, asked + 6), "ask until all were asked");
	must(!prn_decider_put_threshold(desk.decider, 1e-6, NULL) && !prn_decider_commit(desk.decider, NULL), "lower T");
	must(!ask_anew(&desk, &list, asked + 7) || true, "ask at a lower threshold");
	ok(opened(&desk) > in_any_case, "at a lower threshold pages may be due sooner: %zu", opened(&desk));
	given = 0;
	for (next = list.next; !given && next < T0 + 1000 * DAY; next = list.next)
		given = ask_anew(&desk, &list, next);
	ok(given, "what becomes due is given when its time has come: %zu", given);
	next = list.items[0].lease;
	for (int i = 0; i < 20; i++)
		ask_anew(&desk, &list, next - 10);
	ok(opened(&desk) <= in_any_case, "shards whose pages are out are known too: %zu", opened(&desk));
	ask_anew(&desk, &list, next + 1);
	ok(opened(&desk) > in_any_case, "until a lease of theirs runs out: %zu", opened(&desk));
	prn_due_list_release(&list);
	desk_release(&desk);
}

static bool desk_look_is_known(struct desk *desk, unsigned i, unsigned hosts)
{
	struct prn_record record;
	struct prn_view *view;
	struct prn_digest key;
	char url[64];
	int code;

	snprintf(url, sizeof url, "http://h%u.example/%u", i % hosts, i);
	key = prn_url_key(url);
	must(!prn_view_open(&view, desk_shard(desk, url)->store, NULL), "look at a shard");
	code = prn_view_get(view, &key, &record, NULL);
	prn_view_close(view);
	return !code;
}

static int count_lost(void *context, const struct prn_shard_stats *shard)
{
	size_t *lost = context;

	lost[0] += shard->lost != NULL;
	lost[1] += (size_t)shard->totals.pages;
	lost[2] += shard->lost ? (size_t)shard->last_pages : 0;
	return 0;
}

/* Under a budget, so that the root has loads of what is lost. */
static void given_up(const char *where, unsigned over)
{
	struct prn_due_list list;
	struct prn_loads loads;
	struct prn_error error = { 0 };
	struct desk desk;
	size_t there = 0, found[3] = { 0 }, lost_pages = 0, lost, given;
	char *address;
	const char *place;
	uint64_t pages;
	int64_t asked;

	prn_due_list_init(&list);
	open_spread(&desk, where, over, 100000);
	desk.options.host_limit = 0;
	desk.options.host_delay_s = 0;
	desk_reopen(&desk);
	lost = prn_shard_of((struct prn_host_name){ "h1.example", strlen("h1.example") }, over);
	for (unsigned i = 0; i < 200; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://h%u.example/%u", i % HOSTS, i);
		lost_pages += prn_shard_of(prn_host_name(url), over) == lost;
		desk_text(&desk, url, T0, text_from(i));
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	for (int i = 0; i < 20; i++)
		desk_due(&desk, &list, T0 + 200 * DAY + i * HOUR, 1000, HOUR);
	ok(prn_decider_give_up_shard(desk.decider, lost, &pages, NULL, &error) == PRN_E_ARGUMENT, "a shard that is there is not given up: %s", error.text);
	ok(prn_decider_give_up_shard(desk.decider, over, &pages, NULL, &error) == PRN_E_ARGUMENT,
	   "a shard that there is not is not given up: %s", error.text);
	desk_close(&desk);
	address = prn_shard_address(desk.path, lost);
	must(!prn_tables_find(address, &place)->remove(place, NULL), "remove a shard");
	desk_reopen(&desk);
	must(!prn_decider_each_shard(desk.decider, count_lost, found, &error), "tell all shards");
	ok(found[0] == 1 && found[2] == lost_pages,
	   "a lost shard is told with the pages that it had: %zu of %zu", found[2], lost_pages);
	ok(found[1] == 200 - lost_pages,
	   "the shards that are there are told beside a lost one, with their pages: %zu", found[1]);
	must(!prn_decider_give_up_shard(desk.decider, lost, &pages, &asked, &error), "give a shard up");
	ok(asked >= T0 + 200 * DAY && asked < T0 + 201 * DAY,
	   "who gives up a shard is told of when it had its pages: %lld", (long long)asked);
	ok(pages == lost_pages, "who gives up a shard is told of its pages: %llu of %zu", (unsigned long long)pages, lost_pages);
	must(!prn_loads_read(desk.decider, &(struct prn_store_reader){ .batch = desk.decider->batch }, &loads, NULL), "read loads");
	if (over <= PRN_SHARDS_LISTED)
		ok(loads.pages == 200 - lost_pages, "what a lost shard wanted is taken off the sum of loads: %llu of %zu",
		   (unsigned long long)loads.pages, 200 - lost_pages);
	desk_text(&desk, "http://h1.example/1", T0 + 201 * DAY, text_from(1));
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	for (unsigned i = 0; i < 200; i++)
		there += desk_look_is_known(&desk, i, HOSTS);
	ok(there == 200 - lost_pages + 1, "a store goes on without what it has given up, and takes it anew: %zu", there);
	given = desk_due(&desk, &list, T0 + 400 * DAY, 1000, HOUR);
	ok(given == there && !list.damaged_shards, "all that is there is given: %zu of %zu", given, there);
	desk_close(&desk);
	ok(is_there(address), "a shard that was given up stands there anew");
	prn_due_list_release(&list);
	desk_release(&desk);
}

int main(void)
{
	static const unsigned counts[] = { 16, 8192 };

	make_scratch();
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		shards = counts[i];
		printf("# %u shards\n", shards);
		same_as_one(PRN_SHARDS_OPEN, false);
		if (shards == 16) {
			same_as_one(3, false);
			same_as_one(PRN_SHARDS_OPEN, true);
		}
		redirects();
		closed_to_make_room();
		fed_together();
		one_budget();
		if (shards == 16) {
			due_in_every_list();
			begun_anywhere();
			given_back();
			given_back_by_the_dead();
			shared_out();
			unevenly_due();
			given_early();
			given_back_by_another();
			spent_beside();
			read_beside();
			options_under_lock();
			asked_of_many();
			lost_shard();
			brought_back();
		}
		told_by_one();
	}
	refused();
	whole(4);
	whole(8192);
	shards = 16;
	broken_off("memory:broken-off", 16);
	broken_off(in_scratch("broken-off"), 16);
	shards = 8192;
	broken_off("memory:broken-off", 8192);
	given_up("memory:given-up", 8192);
	known_without_asking("memory:known", 8192);
	checked_in_parts("memory:parts", 8192);
	shards = 16;
	given_up("memory:given-up", 16);
	given_up(in_scratch("given-up"), 16);
	known_without_asking("memory:known", 16);
	checked_in_parts("memory:parts", 16);
	known_without_asking(in_scratch("known"), 16);
	return done();
}
