/* Shards of a cluster (in memory) that go, or fall silent, while a process works with them: it goes on with the others. */
#include "desk.h"
#include "librados.h"

#include "decide/shards.h"
#include "perennial/explanation.h"
#include "perennial/stats.h"
#include "perennial/tuning.h"

#define SHARDS 8
#define HOSTS 40

static const struct prn_decider *root_of(const struct desk *desk)
{
	return desk->decider->root ? desk->decider->root : desk->decider;
}

/* Three pages of three shards: one that redirects, where it leads, and another. */
struct pages {
	char from[64], to[64], other[64];
};

static const char *named(char *url, const struct desk *desk, const char *name, const size_t *not, size_t count)
{
	for (int i = 1; i < HOSTS; i++) {
		bool is_free = true;

		snprintf(url, 64, "http://h%d.example/%s", i, name);
		for (size_t k = 0; k < count; k++)
			is_free &= prn_shards_place(root_of(desk), url) != not[k];
		if (is_free)
			return url;
	}
	must(false, "find a host of another shard");
	return url;
}

static void open_shards(struct desk *desk, const char *name, unsigned shards, unsigned hosts)
{
	const struct prn_decider_settings settings = { .shards = shards };

	*desk = (struct desk){ 0 };
	snprintf(desk->path, sizeof desk->path, "rados:pool/%s", name);
	desk_create(desk, &settings);
	for (unsigned i = 0; i < hosts; i++) {
		char host[32];

		snprintf(host, sizeof host, "h%u.example", i);
		desk_add_pages(desk, host, 2);
	}
	must(!prn_decider_commit(desk->decider, NULL), "commit");
}

static void open_pages(struct desk *desk, const char *name, struct pages *pages)
{
	size_t places[2];

	open_shards(desk, name, SHARDS, HOSTS);
	snprintf(pages->from, sizeof pages->from, "http://h0.example/0");
	places[0] = prn_shards_place(desk->decider, pages->from);
	places[1] = prn_shards_place(desk->decider, named(pages->to, desk, "target", places, 1));
	named(pages->other, desk, "0", places, 2);
}

static struct cluster_object *object_of(const struct desk *desk, const char *url)
{
	char name[64];

	snprintf(name, sizeof name, "%s.%zu", desk->path + strlen("rados:pool/"), prn_shards_place(root_of(desk), url));
	return cluster_object(name);
}

/* The object goes, and comes back as it was. */
static struct cluster_entries take_away(struct cluster_object *object)
{
	struct cluster_entries entries = object->entries;

	object->entries = (struct cluster_entries){ 0 };
	object->is_there = false;
	object->version = ++cluster.version;
	return entries;
}

static void bring_back(struct cluster_object *object, struct cluster_entries entries)
{
	object->entries = entries;
	object->is_there = true;
	object->version = ++cluster.version;
}

static int commit(struct desk *desk)
{
	struct prn_error error = { 0 };
	int code = prn_decider_commit(desk->decider, &error);

	if (code)
		printf("# %d %s\n", code, error.text);
	return code;
}

static bool is_page(struct desk *desk, const char *url)
{
	struct prn_explanation explanation;
	int code;

	prn_explanation_init(&explanation);
	code = prn_decider_explain(desk->decider, url, T0, &explanation, NULL);
	prn_explanation_release(&explanation);
	return !code;
}

/* Stages a redirect; 0, or why not. */
static int redirect(struct desk *desk, const char *from, int64_t time, const char *to)
{
	struct prn_capture capture = status_of(from, time, 301);
	struct prn_error error = { 0 };
	int code;

	capture.body = (const unsigned char *)to;
	capture.body_bytes = strlen(to);
	code = desk_stage(desk, capture, &error);
	if (code)
		printf("# %d %s\n", code, error.text);
	return code;
}

/*
 * A shard that is open goes between a redirect into it, which its own shard decides, and the commit: those of other shards are not
 * held up, then or later.
 */
static void test_gone_on_the_way(void)
{
	struct prn_decider *root, *shard;
	struct pages pages;
	struct cluster_entries gone;
	struct desk desk;
	unsigned failed = 0;

	open_pages(&desk, "way", &pages);
	root = desk.decider;
	shard = desk.decider = desk_shard(&desk, pages.from);
	must(!redirect(&desk, pages.from, T0, pages.to), "stage a redirect");
	gone = take_away(object_of(&desk, pages.to));
	ok(commit(&desk) == PRN_E_DAMAGED, "what a redirect leads to, and cannot be taken, is told, so that it is told again");
	desk.decider = root;
	for (unsigned i = 0; i < 3; i++) {
		desk_text(&desk, pages.other, T0 + 10 + i, "words");
		failed += commit(&desk) != 0;
	}
	ok(!failed, "a shard that went while it was open holds up no later report of others: %u of 3", failed);
	desk.decider = shard;
	ok(!redirect(&desk, pages.from, T0 + 20, pages.to) && !commit(&desk), "the report that is told again is taken");
	desk.decider = root;
	prn_decider_shard_done(shard);
	desk_release(&desk);
	cluster_clear(&gone);
	free(gone.items);
}

/* A redirect into a shard that is gone is a report of its own shard; what it leads to is added when the other shard is back. */
static void test_redirect(bool open)
{
	const char *when = open ? "while this process has it open" : "before this process came";
	struct cluster_entries entries;
	struct cluster_object *object;
	struct pages pages;
	struct desk desk;
	bool taken;

	open_pages(&desk, open ? "open" : "closed", &pages);
	object = object_of(&desk, pages.to);
	entries = take_away(object);
	if (!open)
		desk_reopen(&desk);
	taken = !redirect(&desk, pages.from, T0, pages.to) && !commit(&desk);
	ok(taken, "a redirect into a shard that is gone is taken: it went %s", when);
	for (unsigned i = 1; i < 8; i++) {
		taken &= !redirect(&desk, pages.from, T0 + i * DAY, pages.to) && !commit(&desk);
	}
	ok(taken, "and so are the next ones");
	bring_back(object, entries);
	desk_reopen(&desk);
	desk_text(&desk, pages.from, T0 + 9 * DAY, "words");
	ok(!commit(&desk) && is_page(&desk, pages.to), "what it led to is a page when the shard is back");
	desk_release(&desk);
}

static bool names_it(const struct prn_error *error)
{
	return strstr(error->text, cluster_silent) && error->code == PRN_E_BUSY;
}

/* What the rest of a store with a silent shard gives, and that a store of which nothing answers gives an error. */
static void test_silent(void)
{
	const struct prn_tuning_request request = { .budget = { .per_day = 50 } };
	const struct prn_due_request due = { .now = T0, .limit = 1000, .lease_s = 600 };
	struct prn_due_list list;
	struct prn_stats stats;
	struct prn_tuning tuning;
	struct prn_error error = { 0 };
	struct pages pages;
	struct desk desk;
	size_t given, waited;

	open_pages(&desk, "silent", &pages);
	desk_reopen(&desk);
	prn_due_list_init(&list);
	cluster_silent = object_of(&desk, pages.to)->name;
	must(!prn_decider_due(desk.decider, &due, &list, &error), "ask for pages");
	ok(list.count > HOSTS / 2 && list.count < 2 * HOSTS, "due gives what the shards have that answer: %zu", list.count);
	ok(list.damaged_shards == 1 && names_it(&list.first_damaged), "and tells the one that does not");
	waited = cluster_waited;
	ok(!prn_decider_due(desk.decider, &due, &list, &error) && !list.count, "a list with nothing is no error because of it");
	ok(list.damaged_shards == 1 && names_it(&list.first_damaged), "and tells it too");
	given = list.count;
	ok(!prn_decider_stats(desk.decider, T0, &stats, &error) && stats.damaged_shards == 1 && names_it(&stats.first_damaged),
	   "stats counts the others, and tells it");
	ok(!prn_decider_tune(desk.decider, &request, &tuning, &error) && tuning.damaged_shards == 1 && names_it(&tuning.first_damaged),
	   "tune counts the others, and tells it");
	desk_text(&desk, pages.other, T0 + 1, "words");
	ok(!commit(&desk), "a report of another shard is taken");
	ok(cluster_waited == waited, "and nobody waits for the silent one again");
	cluster_silent = NULL;
	ok(!prn_decider_due(desk.decider, &due, &list, &error) && list.count > given && !list.damaged_shards, "when it answers, its pages are given");
	fault.asked = 0;
	fault.count = SIZE_MAX;
	fault.answer = -ETIMEDOUT;
	for (fault.at = 1; fault.at < 60; fault.at += 7) {
		int code;

		fault.asked = 0;
		code = prn_decider_stats(desk.decider, T0, &stats, &error);
		if (!code && fault.asked >= fault.at)
			printf("# silent from operation %zu on of %zu\n", fault.at, fault.asked);
		given += !code && fault.asked >= fault.at;
	}
	ok(!given, "a cluster that falls silent as a whole is an error wherever that is");
	fault.at = 1;
	ok(prn_decider_due(desk.decider, &due, &list, &error) == PRN_E_BUSY, "also for due");
	fault.at = 0;
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* Each wait for what does not answer takes ten seconds by the clock of this program. */
static _Atomic time_t waited_s;
int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
	int answer = __real_clock_gettime(clock, time);

	time->tv_sec += waited_s;
	return answer;
}

static void wait_long(void)
{
	waited_s += 10;
}

/*
 * Many shards are silent: a call asks no more of them than take it as long as one does, later calls go on with the others, and when
 * each was asked once nobody waits for any.
 */
static void test_many_silent(void)
{
	enum { MANY = 64, AT_A_TIME = 8 };
	const struct prn_due_request due = { .now = T0, .limit = 1000, .lease_s = 600 };
	struct prn_due_list list;
	struct prn_error error = { 0 };
	struct desk desk;
	unsigned calls = 0;
	size_t most = 0, before;

	open_shards(&desk, "many", MANY, 4 * MANY);
	desk_reopen(&desk);
	prn_due_list_init(&list);
	cluster_silent = "many.";
	cluster_while_waiting = wait_long;
	cluster_waited = 0;
	do {
		before = cluster_waited;
		must(!prn_decider_due(desk.decider, &due, &list, &error), "ask for pages");
		must(list.damaged_shards > 0, "meet shards that are silent");
		most = cluster_waited - before > most ? cluster_waited - before : most;
	} while (cluster_waited > before && ++calls < 2 * MANY);
	ok(most <= AT_A_TIME, "a call waits once for shards that do not answer, which it asks at a time: for %zu", most);
	ok(calls >= MANY / AT_A_TIME && calls < MANY, "and later calls for others: %u", calls);
	ok(!list.count && list.next == T0 + 1, "of a store of which nothing else answers there may be something soon");
	before = cluster_waited;
	ok(!prn_decider_due(desk.decider, &due, &list, &error) && list.damaged_shards == MANY && cluster_waited == before,
	   "when all were asked nobody waits for any, and all are told: %ju", (uintmax_t)list.damaged_shards);
	cluster_silent = NULL;
	cluster_while_waiting = NULL;
	ok(!prn_decider_due(desk.decider, &due, &list, &error) && list.count > 0 && !list.damaged_shards, "when they answer, the next call has their pages");
	prn_due_list_release(&list);
	desk_release(&desk);
}

static _Atomic size_t answered_left; /* operations that are answered before all shards of "looks" fall silent; 0: none falls */

static void fall_silent(void)
{
	if (answered_left && !--answered_left)
		cluster_silent = "looks.";
}

/*
 * The same of shards that are known to have nothing due: whether that is still so is asked of many at a time.  And of a call that only
 * looks, which asks one after the other.
 */
static void test_silent_looks(void)
{
	enum { MANY = 64, AT_A_TIME = 8 };
	struct prn_due_request due = { .now = T0, .limit = 1000, .lease_s = 600 };
	struct prn_due_list list;
	struct prn_error error = { 0 };
	struct desk desk;
	size_t before, most = 0, all = 0, soon = 0, fallen = 0;

	open_shards(&desk, "looks", MANY, 4 * MANY);
	prn_due_list_init(&list);
	do
		must(!prn_decider_due(desk.decider, &due, &list, &error), "ask for pages");
	while (list.count);
	due.now += 2;
	for (int i = 0; i < 3; i++)
		must(!prn_decider_due(desk.decider, &due, &list, &error) && !list.count && !list.damaged_shards, "ask when nothing is due");
	cluster_while_waiting = wait_long;
	cluster_before = fall_silent;
	for (size_t at = 1; at < 40; at++) {
		before = cluster_waited;
		answered_left = at;
		due.now++;
		must(!prn_decider_due(desk.decider, &due, &list, &error), "ask for pages");
		most = cluster_waited - before > most ? cluster_waited - before : most;
		all += cluster_waited - before;
		fallen += cluster_waited > before;
		soon += cluster_waited > before && list.next == due.now + 1;
		cluster_silent = NULL;
		answered_left = 0;
		must(!prn_decider_due(desk.decider, &due, &list, &error) && !list.damaged_shards, "ask when all answer");
	}
	cluster_before = NULL;
	ok(fallen > 20 && most <= AT_A_TIME + 1, "wherever shards fall silent a call waits for no more of them than are asked at a time: for %zu", most);
	ok(all <= 3 * fallen, "when the looks have waited those shards are not asked for pages as well: %zu for %zu calls", all, fallen);
	ok(soon == fallen, "and each call says that there may be something soon: %zu of %zu times", soon, fallen);
	desk_release(&desk);

	open_shards(&desk, "seen", MANY, 4 * MANY);
	desk_reopen(&desk);
	cluster_silent = "seen.";
	before = cluster_waited;
	due.lease_s = 0;
	must(!prn_decider_due(desk.decider, &due, &list, &error), "look at what is due");
	ok(cluster_waited == before + 1 && !list.count, "a call that only looks waits for one silent shard: for %zu", cluster_waited - before);
	ok(list.damaged_shards == 1 && list.next == due.now + 1, "and tells it, and that there may be something soon");
	cluster_silent = NULL;
	cluster_while_waiting = NULL;
	must(!prn_decider_due(desk.decider, &due, &list, &error), "look at what is due");
	ok(list.count == 8 * MANY && !list.damaged_shards, "when they answer it has all: %zu", list.count);
	prn_due_list_release(&list);
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	test_silent();
	test_many_silent();
	test_silent_looks();
	test_gone_on_the_way();
	test_redirect(false);
	test_redirect(true);
	cluster_release();
	return done();
}
