/*
 * Fetchers at one store whose hosts have limits, delays, hours and wishes, all by chance: what the test itself knows of each host is
 * held against every page that is given, and against every page that is not.
 */
#ifndef TESTS_POLITENESS_H
#define TESTS_POLITENESS_H

#include "desk.h"

#include "base/random.h"

#include <stdatomic.h>

#define HOSTS 5
#define GIANT 0 /* the host that is spread over shards, if there are any */
#define PAGES 60
#define STEPS 300
#define DECIDERS 2 /* at most */
#define PATH 500   /* bytes */

/* What the test itself knows of a host. */
struct told {
	unsigned out;
	int64_t last;  /* when it was last asked, or a page of it was fetched */
	int64_t until; /* it wants to be left alone */
	bool refused;  /* it has said so, and successes pages have come since */
	unsigned successes;
	double delay_s; /* how it may be asked */
	unsigned limit;
	int64_t from, to; /* of the day; equal: at any time */
};

struct out {
	char url[64];
	unsigned host;
	int64_t end;
};

/* What came of trials. */
struct kept {
	unsigned given, too_many, too_soon, idle, looked, between, whole, trials;
};

/* How the deciders stand to each other. */
enum company {
	COMPANY_NONE,   /* there is one */
	COMPANY_TURNS,  /* the one opens the store when the other has closed it, as commands do */
	COMPANY_SHARED, /* both have it open, as daemons beside a cluster have */
};

struct trial {
	struct prn_host_rule rules[4];
	char names[4][16];
	bool grouped; /* the last two hosts are one */
	enum company company;
	unsigned shards;
	struct desk desks[DECIDERS];
	struct prn_due_list lists[DECIDERS];
	unsigned who; /* acts */
	struct prn_random random, between; /* between: of what another does while who is at work */
	atomic_int operations; /* of the store, until another comes between; 0 or less: none does */
	struct told hosts[HOSTS];
	struct out out[PAGES];
	size_t out_count;
	double lease_s;
	int64_t now;
	struct kept kept;
	uint64_t conflicts; /* of what was decided, so much was so again */
};
static inline unsigned host_in(const char *url)
{
	return (unsigned)(url[8] - '0');
}

/* What is known of a host, or of the group that it is in. */
static inline struct told *told_of(struct trial *trial, unsigned host)
{
	return &trial->hosts[trial->grouped && host == HOSTS - 1 ? HOSTS - 2 : host];
}

static inline bool sleeps(const struct told *told, int64_t now)
{
	int64_t clock = now % DAY;

	if (told->from == told->to)
		return false;
	return told->from < told->to ? clock < told->from || clock >= told->to : clock < told->from && clock >= told->to;
}

static inline struct desk *desk_of(struct trial *trial)
{
	return &trial->desks[trial->who];
}

static inline void end_out(struct trial *trial, size_t i)
{
	told_of(trial, trial->out[i].host)->out--;
	trial->out[i] = trial->out[--trial->out_count];
}

static inline void note_given(struct trial *trial, const struct prn_due *due)
{
	struct told *told = told_of(trial, host_in(due->url));
	struct out *out = &trial->out[trial->out_count];

	must(trial->out_count++ < PAGES, "have no more pages out than there are");
	snprintf(out->url, sizeof out->url, "%s", due->url);
	out->host = host_in(due->url);
	out->end = due->lease;
	told->out++;
	trial->kept.given++;
	trial->kept.too_many += told->limit && told->out > told->limit;
	trial->kept.too_soon += trial->now < told->until || (double)trial->now < (double)told->last + told->delay_s ||
	                        sleeps(told, trial->now);
	told->last = trial->now;
}

static inline void url_of(unsigned number, char url[64])
{
	unsigned host = number % 7 % HOSTS;

	snprintf(url, 64, host < HOSTS - 2 ? "http://h%u.example/%u" : "http://h%u.twins.example/%u", host, number);
}

/*
 * Pages that are due and are not out, though their host is free.  Of one that is spread over shards who was at work at the same time
 * may have had the permits, and has given them back since: its pages are the next call's.
 */
static inline void look_for_idle(struct trial *trial)
{
	for (unsigned i = 0; i < PAGES; i++) {
		const struct told *told = told_of(trial, i % 7 % HOSTS);
		bool blocked = (told->limit && told->out >= told->limit) || told->until > trial->now ||
		               (double)told->last + told->delay_s > (double)trial->now || sleeps(told, trial->now);
		struct look page;
		char url[64];

		url_of(i, url);
		if (trial->shards && host_in(url) == GIANT)
			continue;
		page = desk_look(desk_of(trial), url);
		if (!page.known)
			continue;
		trial->kept.idle += page.lease == PRN_TIME_UNKNOWN && page.due != PRN_TIME_UNKNOWN && page.due <= trial->now && !blocked;
		trial->kept.looked++;
	}
}

/* What is due, given to who acts; whether that is all: of several shards only an empty list says so (perennial-due(1)). */
static inline bool take_due(struct trial *trial, struct prn_random *random)
{
	size_t limit = prn_random_below(random, 3) ? 2 * PAGES : 1 + prn_random_below(random, 4);
	struct prn_due_list *list = &trial->lists[trial->who];

	for (size_t i = trial->out_count; i--;)
		if (trial->out[i].end <= trial->now)
			end_out(trial, i);
	desk_due(desk_of(trial), list, trial->now, limit, trial->lease_s);
	return trial->shards ? !list->count : list->count < limit;
}

static inline void note_list(struct trial *trial)
{
	const struct prn_due_list *list = &trial->lists[trial->who];

	for (size_t i = 0; i < list->count; i++)
		note_given(trial, &list->items[i]);
}

/* While who acts is at work the other asks what is due. */
static inline void come_between(struct trial *trial)
{
	trial->who = !trial->who;
	take_due(trial, &trial->between);
	note_list(trial);
	trial->who = !trial->who;
	trial->kept.between++;
}

/* Before an operation of a store that is shared, in any thread of who acts. */
static inline void count_operation(struct trial *trial)
{
	if (atomic_fetch_sub(&trial->operations, 1) == 1)
		come_between(trial);
}

static inline void expect_another(struct trial *trial)
{
	atomic_store(&trial->operations, trial->company == COMPANY_SHARED ? 1 + (int)prn_random_below(&trial->random, 30) : 0);
}

static inline void expect_none(struct trial *trial)
{
	atomic_store(&trial->operations, 0);
}

static inline void fetch(struct trial *trial)
{
	bool all;

	expect_another(trial);
	all = take_due(trial, &trial->random);
	expect_none(trial);
	note_list(trial);
	if (all)
		look_for_idle(trial);
}

/* Beside others what is staged is made durable at once, and staged anew where another was faster. */
static inline void report(struct trial *trial, struct prn_capture capture)
{
	struct desk *desk = desk_of(trial);
	struct prn_error error = { .text = "" };
	unsigned tries = 0;
	int code;

	do {
		if (!tries)
			expect_another(trial);
		code = desk_stage(desk, capture, &error);
		expect_none(trial);
		if (!code && trial->company == COMPANY_SHARED)
			code = prn_decider_commit(desk->decider, &error);
	} while (prn_decider_again(desk->decider, code, &tries));
	if (code)
		printf("# %s\n", error.text);
	must(!code, "report");
}

/* What a host that was answered so wants from now on. */
static inline void note_success(struct told *told, int64_t now)
{
	if (!told->refused)
		return;
	told->successes++;
	if (told->until > now)
		told->until = now + (told->until - now) / 2;
}

static inline void note_refusal(struct told *told, int64_t now, int64_t retry_after_s)
{
	int64_t until = now + retry_after_s / (1 + (int64_t)told->successes);

	told->until = until > told->until ? until : told->until;
	told->refused = true;
	told->successes = 0;
}

/* A page that is out; or any, as one that is brought late, or that somebody fetched unasked. */
static inline void choose(struct trial *trial, char url[64])
{
	if (trial->out_count && prn_random_below(&trial->random, 10))
		snprintf(url, 64, "%s", trial->out[prn_random_below(&trial->random, trial->out_count)].url);
	else
		url_of((unsigned)prn_random_below(&trial->random, PAGES), url);
}

/* A page comes back: content, an error, or a wish to be left alone. */
static inline void bring_back(struct trial *trial)
{
	uint64_t kind = prn_random_below(&trial->random, 20), forgotten;
	struct prn_capture busy;
	struct told *told;
	char url[64];

	choose(trial, url);
	told = told_of(trial, host_in(url));
	busy = status_of(url, trial->now, 429);
	busy.retry_after_s = (int64_t)prn_random_below(&trial->random, 200);
	if (kind > 3)
		report(trial, text_of(url, trial->now, text_from((unsigned)kind)));
	else if (kind > 1)
		report(trial, status_of(url, trial->now, 500));
	else if (kind)
		report(trial, busy);
	else
		must(!prn_decider_forget(desk_of(trial)->decider, PRN_FORGET_URL, url, &forgotten, NULL), "forget");
	told->last = kind ? trial->now : told->last;
	if (kind > 3)
		note_success(told, trial->now);
	if (kind == 1)
		note_refusal(told, trial->now, busy.retry_after_s);
	/* Whoever has it, and since when: it is not out any more. */
	for (size_t i = 0; i < trial->out_count; i++)
		if (!strcmp(trial->out[i].url, url)) {
			end_out(trial, i);
			break;
		}
}

static inline void add_one(struct trial *trial)
{
	unsigned number = (unsigned)prn_random_below(&trial->random, PAGES), tries = 0;
	double weight = 1 + (double)prn_random_below(&trial->random, 5);
	struct prn_decider *decider = desk_of(trial)->decider;
	enum prn_added added;
	char url[64];
	int code;

	url_of(number, url);
	do {
		code = prn_decider_add(decider, url, weight, trial->now, &added, NULL);
		if (!code && trial->company == COMPANY_SHARED)
			code = prn_decider_commit(decider, NULL);
	} while (prn_decider_again(decider, code, &tries));
	must(!code, "add a page");
}

/* A rule for one of the hosts, or for the group of the last two. */
static inline void add_rules(struct trial *trial)
{
	static const double delays[] = { 0, 3, 30 };
	size_t count = 0;

	for (unsigned i = 0; i < 3; i++) {
		bool group = i == 2 && trial->grouped;
		struct prn_host_rule *rule = &trial->rules[count];
		unsigned host = group ? HOSTS - 2 : i;

		if (prn_random_below(&trial->random, 2))
			continue;
		snprintf(trial->names[count], sizeof *trial->names, group ? "@pair" : "example,h%u", host);
		*rule = (struct prn_host_rule){ .hosts = trial->names[count++], .delay_s = -1, .limit = -1 };
		if (i == 1) {
			rule->from_s = (double)((T0 + 100 + (int64_t)prn_random_below(&trial->random, 300)) % DAY);
			rule->to_s = (double)((T0 + 500 + (int64_t)prn_random_below(&trial->random, 300)) % DAY);
			trial->hosts[host].from = (int64_t)rule->from_s;
			trial->hosts[host].to = (int64_t)rule->to_s;
		} else {
			rule->delay_s = trial->hosts[host].delay_s = delays[prn_random_below(&trial->random, 3)];
			rule->limit = trial->hosts[host].limit = (unsigned)prn_random_below(&trial->random, 3);
		}
	}
	snprintf(trial->names[3], sizeof *trial->names, "example,twins");
	if (trial->grouped)
		trial->rules[count++] = (struct prn_host_rule){ .hosts = trial->names[3], .delay_s = -1, .limit = -1, .group = "pair" };
	desk_of(trial)->options.hosts = trial->rules;
	desk_of(trial)->options.host_count = count;
}

/* The desks of a new store: the first is open. */
static inline void open_desks(struct trial *trial, const char path[PATH])
{
	static const struct prn_interval_rule often[] = { { NULL, NULL, 20, 100 } };
	static const double delays[] = { 0, 0, 1, 7, 40 };
	static const char *const giants[] = { "h0.example/2" }; /* whose pages are in two of the shards */
	const struct prn_decider_settings settings = { .shards = trial->shards, .giants = giants, .giant_count = trial->shards ? 1 : 0 };
	struct desk *desk = desk_of(trial);

	snprintf(desk->path, sizeof desk->path, "%.*s", PATH - 1, path);
	desk_create(desk, &settings);
	desk->options.intervals = often;
	desk->options.interval_count = 1;
	desk->options.retry_s = 30;
	desk->options.host_limit = (unsigned)prn_random_below(&trial->random, 4);
	desk->options.host_delay_s = delays[prn_random_below(&trial->random, 5)];
	trial->grouped = prn_random_below(&trial->random, 2) && !trial->shards; /* of several shards no hosts are in a group */
	for (unsigned i = 0; i < HOSTS; i++) {
		trial->hosts[i].delay_s = desk->options.host_delay_s;
		trial->hosts[i].limit = desk->options.host_limit;
		trial->hosts[i].last = trial->hosts[i].until = T0 - DAY;
	}
	add_rules(trial);
	desk_reopen(desk);
	if (trial->company == COMPANY_NONE)
		return;
	trial->desks[1] = (struct desk){ .clock = desk->clock, .options = desk->options };
	snprintf(trial->desks[1].path, sizeof trial->desks[1].path, "%.*s", PATH - 1, path);
	prn_observation_init(&trial->desks[1].observation);
	if (trial->company == COMPANY_SHARED)
		desk_reopen(&trial->desks[1]);
}

/* The other acts from now on. */
static inline void hand_over(struct trial *trial)
{
	must(!prn_decider_commit(desk_of(trial)->decider, NULL), "commit");
	if (trial->company == COMPANY_TURNS)
		desk_close(desk_of(trial));
	trial->who = !trial->who;
	if (trial->company == COMPANY_TURNS)
		desk_reopen(desk_of(trial));
}

static inline void do_something(struct trial *trial)
{
	uint64_t action = prn_random_below(&trial->random, 20);

	if (action == 0)
		add_one(trial);
	else if (action == 1 && !prn_decider_commit(desk_of(trial)->decider, NULL))
		desk_reopen(desk_of(trial));
	else if (action < 12)
		bring_back(trial);
	else
		fetch(trial);
	trial->now += (int64_t)(prn_random_below(&trial->random, 4) ? 1 + prn_random_below(&trial->random, 3)
	                                                              : 1 + prn_random_below(&trial->random, 60));
}

static inline bool is_whole(struct desk *desk)
{
	struct prn_store_findings found;

	must(!prn_decider_commit(desk->decider, NULL) &&
	             !prn_store_check(prn_decider_store(desk->decider), NULL, &found, NULL), "check a store");
	return !found.unreadable && !found.unqueued && !found.stray && !found.stray_sides && !found.miscounted;
}

/* A trial at a new store, of which trial->company and ->shards are set; what came of it is added. */
static inline void run_trial(struct trial *trial, const char path[PATH], uint64_t seed, struct kept *kept)
{
	static const double leases[] = { 5, 60, 300 };

	prn_random_seed(&trial->random, seed, 0);
	prn_random_seed(&trial->between, seed, 1);
	trial->now = T0;
	trial->lease_s = leases[prn_random_below(&trial->random, 3)];
	open_desks(trial, path);
	for (unsigned i = 0; i < DECIDERS; i++)
		prn_due_list_init(&trial->lists[i]);
	for (unsigned i = 0; i < PAGES / 2; i++)
		add_one(trial);
	for (unsigned step = 0; step < STEPS; step++) {
		if (trial->company != COMPANY_NONE && !prn_random_below(&trial->random, 4))
			hand_over(trial);
		do_something(trial);
	}
	kept->given += trial->kept.given;
	kept->too_many += trial->kept.too_many;
	kept->too_soon += trial->kept.too_soon;
	kept->idle += trial->kept.idle;
	kept->looked += trial->kept.looked;
	kept->between += trial->kept.between;
	kept->whole += is_whole(desk_of(trial));
	kept->trials++;
	for (unsigned i = 0; i < DECIDERS; i++) {
		if (trial->desks[i].decider)
			trial->conflicts += prn_decider_conflicts(trial->desks[i].decider);
		prn_due_list_release(&trial->lists[i]);
		desk_release(&trial->desks[i]);
	}
}

/* What is claimed of them all; who: in words. */
static inline void judge(const struct kept *kept, const char *who)
{
	ok(!kept->too_many && kept->given > 40 * kept->trials,
	   "of %u URLs that %s gave, with random hosts, limits, delays, leases and answers, none was beyond its host's limit (%u)",
	   kept->given, who, kept->too_many);
	ok(!kept->too_soon, "no URL that %s gave was to be fetched sooner than its host allows (%u)", who, kept->too_soon);
	ok(!kept->idle && kept->looked > 40 * kept->trials,
	   "no page that was due was left by %s while its host was free (%u of %u looks)", who, kept->idle, kept->looked);
	ok(kept->whole == kept->trials, "whatever %s were asked and told, each store is whole", who);
}

#endif
