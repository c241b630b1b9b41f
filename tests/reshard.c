/*
 * A store in another number of shards: entry by entry what it was made from, whichever way, with whichever giants, and however often
 * the process dies.
 */
#include "perennial/reshard.h"

#include "desk.h"
#include "killed.h"

#include "decide/answers.h"
#include "decide/giant_gates.h"
#include "decide/giants.h"
#include "decide/hint_sources.h"
#include "decide/host.h"
#include "decide/ledger.h"
#include "decide/shards.h"
#include "decide/sides.h"
#include "decide/site_drift.h"
#include "decide/target_note.h"
#include "perennial/hinting.h"
#include "perennial/settings_change.h"
#include "perennial/stats.h"
#include "store/schema.h"
#include "store/shards.h"
#include "store/store_internal.h"

#include <math.h>
#include <sys/wait.h>

#define GIANT "g.example"
#define GIANT_PAGES 60
#define HOSTS 12
#define LEASE_S 3600

static struct prn_error why;

/* Whoever is killed leaves what he wrote with the system: the disk is not waited for. */
int fdatasync(int file)
{
	(void)file;
	return 0;
}

int fsync(int file)
{
	(void)file;
	return 0;
}

static int reshard(const char *from, const char *to, unsigned shards, const char *giant, bool resume)
{
	const char *const giants[] = { giant };
	const struct prn_reshard_options options = { .shards = shards, .giants = giants, .giant_count = giant != NULL, .resume = resume };

	why = (struct prn_error){ 0 };
	return prn_reshard(from, to, &options, NULL, &why);
}

static const char *place(const char *name)
{
	static char paths[8][512];
	static unsigned turn;
	char *path = paths[turn++ % 8];

	snprintf(path, sizeof paths[0], "%s/%s", scratch, name);
	return path;
}

/* ---- a store to begin with ---- */

static void hint(struct desk *desk, const char *url, int64_t time)
{
	const struct prn_hint hint = { .url = url, .normal_url = url, .time = time, .modified = PRN_TIME_UNKNOWN, .says_changed = true, .source = "told" };
	enum prn_hinted hinted;

	must(!prn_decider_hint(desk->decider, &hint, time, &hinted, &why), "hint");
}

/* Pages that were visited, failed, are out, wait, are suspect; hosts that were refused; sources that told. */
static void live(struct desk *desk)
{
	struct prn_due_list list;
	char url[64];

	prn_due_list_init(&list);
	for (unsigned i = 0; i < HOSTS; i++) {
		snprintf(url, sizeof url, "h%u.example", i);
		desk_add_pages(desk, url, 4);
	}
	desk_add_pages(desk, GIANT, GIANT_PAGES);
	for (int round = 0; round < 8; round++) {
		int64_t now = T0 + round * HOUR;

		desk->clock = now + 60;
		desk_due(desk, &list, now, 1000, LEASE_S);
		for (size_t i = 0; i < list.count; i++) {
			snprintf(url, sizeof url, "%s", list.items[i].url);
			if (i % 9 == 7)
				desk_status(desk, url, now + 60, i % 2 ? 500 : 429);
			else if (i % 9 < 7 && round < 7)
				desk_text(desk, url, now + 60, text_from((unsigned)(13 * i) + (unsigned)round * 9));
		}
		for (unsigned i = 0; i < 6; i++) {
			snprintf(url, sizeof url, i % 2 ? "http://h%u.example/1" : "http://" GIANT "/%u", i);
			hint(desk, url, now + 120);
		}
		must(!prn_decider_commit(desk->decider, NULL), "commit");
	}
	prn_due_list_release(&list);
}

static void open_one(struct desk *desk, const char *path, unsigned shards, const char *giant, double budget_per_day)
{
	const char *const giants[] = { giant };
	const struct prn_decider_settings settings = { .threshold = 0.05, .budget_per_day = budget_per_day, .unit = PRN_UNIT_BYTES,
		                                       .shards = shards, .giants = giants, .giant_count = giant != NULL };

	*desk = (struct desk){ 0 };
	snprintf(desk->path, sizeof desk->path, "%s", path);
	desk_create(desk, &settings);
	desk->options.host_limit = 2;
	desk->options.host_delay_s = 10;
	desk_reopen(desk);
}

/* ---- what a store has, entry by entry ---- */

static void dump_part(const char *path, struct prn_buffer *out)
{
	static const char *const own[] = { PRN_SHARDS_ID, PRN_SHARD_OF };
	struct prn_store *store = NULL;
	struct prn_change *changes = NULL;
	struct prn_view *view;
	size_t count;

	must(!prn_store_open_one(&store, path, PRN_STORE_READ, 0, NULL), "open a part");
	must(!prn_view_open(&view, store, NULL) && !prn_tables_read_all(view, &changes, &count, NULL), "read a part");
	for (size_t i = 0; i < count; i++) {
		bool differs = false;

		for (size_t j = 0; j < 2 && changes[i].table == PRN_TABLE_META; j++)
			differs |= changes[i].key.length == strlen(own[j]) && !memcmp(changes[i].key.data, own[j], strlen(own[j]));
		if (differs)
			continue;
		add_text(out, "%d ", (int)changes[i].table);
		add(out, changes[i].key.data, changes[i].key.length);
		add_text(out, " = ");
		add(out, changes[i].value.data, changes[i].value.length);
		add_text(out, "\n");
	}
	free(changes);
	prn_view_close(view);
	prn_store_free(store);
}

/* All entries of a store but for the number that no other store has. */
static void dump(const char *path, struct prn_buffer *out)
{
	struct prn_store *store = NULL;
	size_t count;
	bool *listed;

	prn_buffer_clear(out);
	must(!prn_store_open(&store, path, PRN_STORE_READ, 0, NULL) && !prn_shards_count(store, &count, NULL), "open a store");
	listed = calloc(count, sizeof *listed);
	must(listed != NULL && !prn_shards_list(store, listed, count, NULL), "read a list");
	prn_store_free(store);
	dump_part(path, out);
	for (size_t i = 0; i < count; i++) {
		char *address = prn_shard_address(path, i);

		if (listed[i] && count > 1) {
			add_text(out, "shard %zu\n", i);
			dump_part(address, out);
		}
		free(address);
	}
	free(listed);
}

static bool is_same(const char *path, const struct prn_buffer *want)
{
	struct prn_buffer got = { 0 };
	size_t at = 0;
	bool same;

	dump(path, &got);
	same = got.length == want->length && !memcmp(got.data, want->data, got.length);
	while (!same && at < got.length && at < want->length && got.data[at] == want->data[at])
		at++;
	if (!same)
		printf("# at %zu of %zu and %zu: %.60s\n", at, got.length, want->length, (const char *)got.data + at);
	prn_buffer_release(&got);
	return same;
}

static uint64_t faults(const char *path)
{
	struct prn_store *store = NULL;
	struct prn_decider *decider = NULL;
	struct prn_store_findings found;
	uint64_t sides = 1, count;

	must(!prn_store_open(&store, path, PRN_STORE_READ, 0, NULL) && !prn_store_check(store, NULL, &found, NULL), "check a store");
	prn_store_free(store);
	must(!prn_decider_open(&decider, path, PRN_STORE_READ, NULL, NULL) &&
	             !prn_decider_check_sides(decider, &(struct prn_store_check_options){ 0 }, &sides, NULL),
	     "check side tables");
	prn_decider_free(decider);
	count = prn_store_faults(&found) + sides + found.missed;
	return count;
}

/* ---- the same, whichever way ---- */

static void test_there_and_back(const char *engine, double budget_per_day)
{
	static const unsigned ways[] = { 8, 4, 64, 1 };
	struct prn_buffer first = { 0 };
	struct desk desk;
	char from[256], to[300];

	snprintf(from, sizeof from, "%s%s-%g-0", engine, *engine ? "around" : place("around"), budget_per_day);
	open_one(&desk, from, 1, NULL, budget_per_day);
	live(&desk);
	desk_release(&desk);
	/* A store that was made by this once is as one that was made by it again. */
	snprintf(to, sizeof to, "%s-1", from);
	must(!reshard(from, to, 1, NULL, false), "copy");
	dump(to, &first);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		snprintf(from, sizeof from, "%.200s", to);
		snprintf(to, sizeof to, "%s-%u", from, ways[i]);
		ok(!reshard(from, to, ways[i], NULL, false), "a store is spread over %u shards (%s%g): %s", ways[i], engine, budget_per_day, why.text);
		ok(!faults(to), "a store that was spread over %u shards has no faults", ways[i]);
	}
	ok(is_same(to, &first), "a store that was spread over 8, 4, 64 shards and back has every entry that it had (%s%g)", engine, budget_per_day);
	prn_buffer_release(&first);
}

/* ---- giants ---- */

static struct prn_known_host host_of(struct desk *desk, const char *path, const char *name, int64_t now)
{
	struct prn_known_host known;
	struct prn_store_reader reader = { 0 };
	char url[64];

	snprintf(desk->path, sizeof desk->path, "%s", path);
	desk_reopen(desk);
	snprintf(url, sizeof url, "http://%s/1", name);
	must(!prn_view_open(&reader.view, prn_decider_store(desk_shard(desk, url)), NULL), "open a view");
	must(!prn_host_find(&known, &reader, &desk->options, (struct prn_host_name){ name, strlen(name) }, NULL), "find a host");
	prn_view_close(reader.view);
	must(!prn_giant_merge(desk_shard(desk, url), &known, now, NULL), "read a gate");
	desk_close(desk);
	return known;
}

static size_t shards_of_giant(struct desk *desk)
{
	struct prn_shards *shards = desk->decider->shards;
	bool seen[64] = { 0 };
	size_t count = 0;
	char url[64];

	for (unsigned i = 0; i < GIANT_PAGES; i++) {
		snprintf(url, sizeof url, "http://" GIANT "/%u", i);
		must(shards->count <= 64 && desk_look(desk, url).known, "find a page of the giant");
		count += !seen[prn_shards_place(desk->decider, url)];
		seen[prn_shards_place(desk->decider, url)] = true;
	}
	return count;
}

static void test_giants(void)
{
	struct prn_buffer first = { 0 };
	struct prn_known_host one, spread, back;
	struct desk desk;
	int64_t now = T0 + 8 * HOUR;

	open_one(&desk, place("giant"), 1, NULL, 0);
	live(&desk);
	desk_close(&desk);
	ok(!reshard(place("giant"), place("giant-1"), 0, NULL, false), "a new store of 0 shards is one of a single shard, as where one is created: %s", why.text);
	dump(place("giant-1"), &first);
	ok(!reshard(place("giant-1"), place("giant-8"), 8, GIANT "/8", false), "a host becomes a giant: %s", why.text);
	one = host_of(&desk, place("giant-1"), GIANT, now - HOUR);
	spread = host_of(&desk, place("giant-8"), GIANT, now - HOUR);
	ok(one.host.leased > 0 && spread.host.leased == one.host.leased,
	   "a host that becomes a giant has a permit for each page that is out: %u of %u",
	   spread.host.leased, one.host.leased);
	ok(spread.host.leased_until == one.host.leased_until,
	   "the permits of a host that becomes a giant end when its leases did");
	ok(spread.host.until == one.host.until && spread.host.refused == one.host.refused,
	   "the gate of a host that becomes a giant knows what it wished");
	ok(spread.host.asked == one.host.asked && spread.host.successes == one.host.successes,
	   "the gate of a host that becomes a giant knows when it was asked, and what came of it");
	ok(!faults(place("giant-8")), "a store whose host became a giant has no faults");
	desk_reopen(&desk);
	ok(shards_of_giant(&desk) == 8, "pages of a host that became a giant are in its shards: %zu", shards_of_giant(&desk));
	desk_close(&desk);
	ok(!reshard(place("giant-8"), place("giant-64"), 64, GIANT "/16", false) && !faults(place("giant-64")), "a giant is spread over other parts");
	snprintf(desk.path, sizeof desk.path, "%s", place("giant-64"));
	desk_reopen(&desk);
	ok(shards_of_giant(&desk) > 8 && shards_of_giant(&desk) <= 16, "pages of a giant in more parts are in their shards: %zu", shards_of_giant(&desk));
	desk_close(&desk);
	ok(!reshard(place("giant-64"), place("giant-4"), 4, NULL, false) && !faults(place("giant-4")), "a giant becomes a host like others");
	back = host_of(&desk, place("giant-4"), GIANT, now - HOUR);
	ok(back.host.leased == one.host.leased && back.host.leased_until == one.host.leased_until,
	   "a giant that becomes a host is on as many leases as it was, until then: %u of %u", back.host.leased, one.host.leased);
	ok(back.host.turn == one.host.turn, "a giant that becomes a host waits once, until its turn");
	ok(back.host.until == one.host.until && back.host.redirects == one.host.redirects,
	   "a giant that becomes a host has its wish and its redirects");
	must(!reshard(place("giant-4"), place("giant-back"), 1, NULL, false), "spread");
	/* What its pages said of each other cannot be taken back by each: from when on, that is later. */
	ok(!faults(place("giant-back")), "a store whose giant was declared and taken back has no faults");
	prn_buffer_release(&first);
	desk_release(&desk);
}

static struct prn_site_drift drift_of(struct prn_decider *decider, const char *url)
{
	struct prn_host_name name = { GIANT, strlen(GIANT) };
	struct prn_decider *shard = NULL;
	struct prn_store_reader reader = { 0 };
	struct prn_site_drift site;

	must(!prn_decider_shard(decider, url, &shard, NULL), "find a shard");
	must(!prn_view_open(&reader.view, prn_decider_store(shard), NULL), "open a view");
	must(!prn_site_drift_read(&site, &reader, name, INT64_MAX, NULL), "read what a site says");
	prn_view_close(reader.view);
	return site;
}

static struct prn_host_sources sources_of(struct prn_decider *decider, const char *url)
{
	struct prn_host_name name = { GIANT, strlen(GIANT) };
	struct prn_decider *shard = NULL;
	struct prn_store_reader reader = { 0 };
	struct prn_host_sources sources;

	must(!prn_decider_shard(decider, url, &shard, NULL), "find a shard");
	must(!prn_view_open(&reader.view, prn_decider_store(shard), NULL), "open a view");
	must(!prn_host_sources_read(&sources, &reader, name, NULL), "read sources");
	prn_view_close(reader.view);
	return sources;
}

/* What is summed when parts become one is what was shared out when one became parts. */
static void test_knowledge_is_shared(void)
{
	struct desk desk;
	struct prn_site_drift whole, part, again;
	struct prn_host_sources told, told_part, told_again;
	size_t quarters = 0;

	open_one(&desk, place("known"), 1, NULL, 0);
	desk_add_pages(&desk, GIANT, 12);
	for (unsigned i = 0; i < 72; i++) {
		int64_t now = T0 + (1 + i / 12) * DAY + i;
		char url[64];

		snprintf(url, sizeof url, "http://" GIANT "/%u", i % 12);
		desk.clock = now;
		desk_text(&desk, url, now, text_from(i % 12 * 150 + i / 12 * 20));
		hint(&desk, url, now + HOUR);
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	whole = drift_of(desk.decider, "http://" GIANT "/1");
	told = sources_of(desk.decider, "http://" GIANT "/1");
	desk_close(&desk);
	must(!reshard(place("known"), place("known-4"), 4, GIANT, false), "spread");
	must(!reshard(place("known-4"), place("known-1"), 1, NULL, false), "spread back");
	snprintf(desk.path, sizeof desk.path, "%s", place("known-4"));
	desk_reopen(&desk);
	part = drift_of(desk.decider, "http://" GIANT "/1");
	told_part = sources_of(desk.decider, "http://" GIANT "/1");
	desk_close(&desk);
	snprintf(desk.path, sizeof desk.path, "%s", place("known-1"));
	desk_reopen(&desk);
	again = drift_of(desk.decider, "http://" GIANT "/1");
	told_again = sources_of(desk.decider, "http://" GIANT "/1");
	ok(whole.evidence.known > 0, "pages of a site say something of it");
	near(part.evidence.known, whole.evidence.known / 4, 1e-15,
	     "each of four parts has a quarter of what is known of a site");
	near(part.evidence.drift, whole.evidence.drift / 4, 1e-15,
	     "each of four parts has a quarter of a site's drift");
	for (size_t i = 0; i < whole.count && i < part.count; i++)
		quarters += fabs(part.patterns[i].evidence.known - whole.patterns[i].evidence.known / 4) < 1e-15;
	ok(whole.count > 0 && part.count == whole.count,
	   "each of four parts has all patterns of a site: %zu", part.count);
	ok(quarters == whole.count,
	   "each of four parts has a quarter of what each of a site's patterns said: %zu", quarters);
	near(again.evidence.known, whole.evidence.known, 1e-15,
	     "parts that become one have together what the pages said");
	ok(again.pages == whole.pages && again.count == whole.count,
	   "parts that become one have together the pages and the patterns of the site");
	ok(told.count == 1 && told_part.count == 1,
	   "a site's source is known in the whole, and in each of four parts");
	ok(told.sources[0].trust.hints > 0, "a site's source told something");
	near(told_part.sources[0].trust.hints, told.sources[0].trust.hints / 4, 1e-6,
	     "each of four parts has a quarter of what a source told");
	ok(told_again.count == 1, "parts that become one have one source together");
	near(told_again.sources[0].trust.hints, told.sources[0].trust.hints, 1e-6,
	     "parts that become one have together what a source told");
	near(prn_trust_degree(&told_again.sources[0].trust), prn_trust_degree(&told.sources[0].trust), 1e-6,
	     "a source of parts that become one is trusted as it was");
	desk_release(&desk);
}

/* Whether a shard of a store of 8 has a record of the giant. */
static bool has_record(const char *path, size_t shard)
{
	char *address = prn_shard_address(path, shard);
	struct prn_store *store = NULL;
	struct prn_view *view;
	const void *bytes;
	size_t count;
	bool has;

	must(address != NULL, "name a shard");
	if (prn_store_open_one(&store, address, PRN_STORE_READ, 0, NULL)) {
		free(address);
		return false;
	}
	free(address);
	must(!prn_view_open(&view, store, NULL), "open a view");
	has = !prn_view_side(view, PRN_SIDE_HOSTS, GIANT, strlen(GIANT), &bytes, &count, NULL);
	prn_view_close(view);
	prn_store_free(store);
	return has;
}

/* What a host was is what its gate is, and nothing else: a record beside it would be one of a host that nobody asks. */
static void test_record_becomes_gate(void)
{
	struct desk desk;
	size_t records = 0;

	open_one(&desk, place("gate"), 1, NULL, 0);
	desk_add_pages(&desk, GIANT, 1);
	desk_add_pages(&desk, "other.example", 3);
	desk_names(&desk, T0 + HOUR, 10, 600);
	desk_close(&desk);
	must(!reshard(place("gate"), place("gate-8"), 8, GIANT "/8", false), "spread");
	for (size_t i = 0; i < 8; i++)
		records += has_record(place("gate-8"), i);
	ok(!records, "a host that becomes a giant, and none of whose pages waits, has no record in any shard: %zu", records);
	ok(host_of(&desk, place("gate-8"), GIANT, T0 + HOUR).host.leased == 1,
	   "the gate of a host that becomes a giant has the permit of its page");
	desk_release(&desk);
}

/* A permit of a process that died keeps the host back until it ends, also where it is no giant any more. */
static void test_permit_without_page(void)
{
	struct desk desk;
	struct prn_giant_gate gate;
	struct prn_known_host host;

	open_one(&desk, place("permit"), 4, GIANT, 0);
	live(&desk);
	prn_giant_gate_init(&gate);
	must(!prn_giant_read(desk.decider, 0, &gate, NULL) && !prn_giant_gate_add(&gate, T0 + 20 * HOUR, 1), "add a permit");
	must(!prn_giant_gate_put(&gate, desk.decider->batch, &desk.decider->shards->giants[0], NULL) && !prn_decider_commit(desk.decider, NULL),
	     "write a gate");
	prn_giant_gate_release(&gate);
	desk_close(&desk);
	must(!reshard(place("permit"), place("permit-2"), 2, NULL, false), "spread");
	host = host_of(&desk, place("permit-2"), GIANT, T0 + 9 * HOUR);
	ok(host.host.until == T0 + 20 * HOUR, "a host that has a permit without a page is left alone until that ends");
	ok(!faults(place("permit-2")),
	   "a host that has a permit without a page is counted on no more leases than there are");
	desk_release(&desk);
}

/* ---- sums ---- */

static struct prn_stats stats_of(const char *path, int64_t now)
{
	struct prn_decider *decider = NULL;
	struct prn_stats stats;

	must(!prn_decider_open(&decider, path, PRN_STORE_READ, NULL, NULL) && !prn_decider_stats(decider, now, &stats, NULL), "read stats");
	prn_decider_free(decider);
	return stats;
}

static void test_sums(void)
{
	struct desk desk;
	struct prn_stats before, after;
	static const unsigned ways[] = { 1, 2, 16 };
	char name[32];

	/* What reports settle stays in their shards until somebody asks these. */
	open_one(&desk, place("sums"), 8, NULL, 4e6);
	live(&desk);
	desk_release(&desk);
	before = stats_of(place("sums"), T0 + 8 * HOUR);
	for (size_t i = 0; i < 3; i++) {
		snprintf(name, sizeof name, "sums-%u", ways[i]);
		must(!reshard(place("sums"), place(name), ways[i], NULL, false), "spread");
		after = stats_of(place(name), T0 + 8 * HOUR);
		ok(before.given_day > 0 && fabs(after.given_day - before.given_day) < 1e-6 * before.given_day,
		   "what was handed out of a budget is the same in %u shards: %g of %g", ways[i], after.given_day, before.given_day);
		near(after.left, before.left, 1e-6 * fabs(before.left) + 1,
		     "what is left of a budget is the same in %u shards", ways[i]);
		ok(before.answers.looks > 0 && fabs(after.answers.looks - before.answers.looks) < 0.5,
		   "answers are summed in %u shards: %g of %g looks", ways[i],
		   after.answers.looks, before.answers.looks);
		near(after.answers.bytes, before.answers.bytes, 1,
		     "bytes of answers are summed in %u shards", ways[i]);
		ok(after.load_per_day > 0 && fabs(after.load_per_day - before.load_per_day) < 0.02 * before.load_per_day,
		   
		   "in %u shards all pages want a day what they wanted: %g and %g", ways[i], after.load_per_day, before.load_per_day);
		ok(after.due == before.due && after.totals.leased == before.totals.leased,
		   "in %u shards as many pages are due, and out, as before", ways[i]);
	}
}

/* ---- killed ---- */

/* Whether a process was killed that did it; else it has done it. */
static bool is_killed(const char *from, const char *to, unsigned shards, const char *giant, bool resume, int at)
{
	pid_t child = fork();
	int status;

	must(child >= 0, "fork");
	if (!child) {
		kill_at = at;
		_exit(reshard(from, to, shards, giant, resume) ? 2 : 0);
	}
	must(waitpid(child, &status, 0) == child && (WIFSIGNALED(status) || !WEXITSTATUS(status)), "wait");
	return WIFSIGNALED(status);
}

static bool is_anything_beside(const char *path)
{
	char *mark = prn_shards_backup_address(path), *part = prn_shard_address(path, 0);
	struct stat about;
	bool is = !stat(mark, &about), one = strstr(path, "-to-1-") && !stat(part, &about);

	free(mark);
	free(part);
	return is || one;
}

/* Killed at each write in turn, and gone on with, by a process that may be killed too. */
static void test_killed(unsigned shards, const char *giant)
{
	struct prn_buffer want = { 0 };
	int kills = 0, unlike = 0, left = 0;
	char to[512], name[64];

	snprintf(name, sizeof name, "whole-to-%u-", shards);
	snprintf(to, sizeof to, "%s", place(name));
	must(!reshard(place("killed"), to, shards, giant, false), "spread");
	dump(to, &want);
	for (int at = 1; at == kills + 1; at++) {
		bool began;

		snprintf(name, sizeof name, "killed-to-%u-%d", shards, at);
		snprintf(to, sizeof to, "%s", place(name));
		if (!is_killed(place("killed"), to, shards, giant, false, at))
			break;
		kills++;
		/* Before the mark stood nothing was begun, and to go on is to begin. */
		began = at % 3 != 0 || is_killed(place("killed"), to, shards, giant, true, 1 + at / 2);
		if (began)
			must(!is_killed(place("killed"), to, shards, giant, true, 0), "go on");
		unlike += !is_same(to, &want);
		left += is_anything_beside(to);
	}
	ok(kills > 10 && !unlike, "a process that is killed at any write, and gone on with, leaves what one that was not makes: to %u shards, %d times", shards, kills);
	ok(!left, "nothing is left beside a store that was killed while it was spread: to %u shards", shards);
	prn_buffer_release(&want);
}

/* ---- what redirects lead to ---- */

static void note_target(struct desk *desk, const char *from, const char *to)
{
	const struct prn_shard_message target = { .url = (char *)(uintptr_t)to, .is_noted = true, .time = T0, .target = { .weight = 3, .redirects = 2 } };
	struct prn_decider *shard = desk_shard(desk, from);

	must(!prn_target_note_put(shard, &target, NULL) && !prn_batch_commit(shard->batch, NULL), "note a target");
}

static void test_targets(void)
{
	static const unsigned ways[] = { 1, 2, 32 };
	const char *there = "http://h1.example/1", *new = "http://new.example/here";
	char name[32];
	struct desk desk;

	open_one(&desk, place("noted"), 8, NULL, 0);
	live(&desk);
	note_target(&desk, there, new);
	note_target(&desk, there, "http://h2.example/2");
	desk_release(&desk);
	for (size_t i = 0; i < 3; i++) {
		const struct prn_reshard_options options = { .shards = ways[i] };
		struct prn_resharded done;
		struct look look;

		snprintf(name, sizeof name, "noted-%u", ways[i]);
		must(!prn_reshard(place("noted"), place(name), &options, &done, NULL), "spread");
		snprintf(desk.path, sizeof desk.path, "%s", place(name));
		desk_reopen(&desk);
		look = desk_look(&desk, new);
		ok(look.known && look.due == T0,
		   "what a redirect was to add in another shard is added: in %u shards", ways[i]);
		near(look.weight, 3, 1e-9,
		     "what a redirect was to add in another shard has the weight that it was to have: in %u shards", ways[i]);
		ok(done.added == 1,
		   "of what redirects were to add nothing is added that is there: in %u shards", ways[i]);
		ok(desk_look(&desk, "http://h2.example/2").weight < 2, "a page that a redirect led to and that was there stays as it was");
		ok(!faults(place(name)), "a store that is spread has no note left of what a redirect was to add");
		desk_close(&desk);
	}
	desk_release(&desk);
}

/* ---- what is refused ---- */

static void test_refused(void)
{
	static const unsigned wrong[] = { 3, 12, 2097152 };
	struct desk desk;

	open_one(&desk, place("refused"), 1, NULL, 0);
	desk_add_pages(&desk, "a.example", 5);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	for (size_t i = 0; i < 3; i++)
		ok(reshard(desk.path, place("none"), wrong[i], NULL, false) == PRN_E_ARGUMENT, "%u is no number of shards: %s", wrong[i], why.text);
	ok(reshard(desk.path, place("none"), 8, NULL, false) == PRN_E_LIMIT, "a store that somebody writes to is not spread: %s", why.text);
	desk_spoil(&desk, "http://a.example/2");
	desk_close(&desk);
	ok(reshard(place("refused"), place("none"), 8, NULL, false) == PRN_E_DAMAGED && strstr(why.text, "check --repair"),
	   "a page that cannot be read is not left out unasked: %s", why.text);
	desk_reopen(&desk);
	desk_put_side(&desk, PRN_SIDE_META, "change", 6, "3 0 drift", 9);
	desk_release(&desk);
}

static void test_older(void)
{
	struct prn_change older = { PRN_TABLE_META, false, { PRN_SCHEMA_NAME, strlen(PRN_SCHEMA_NAME) }, { "2", 1 } };
	struct prn_tables *tables;
	struct desk desk;

	open_one(&desk, place("older"), 1, NULL, 0);
	desk_release(&desk);
	must(!prn_tables_open(&tables, place("older"), true, 0, NULL) && !tables->kind->write(tables, &older, 1, NULL), "write a schema");
	prn_tables_free(tables);
	ok(reshard(place("older"), place("none"), 8, NULL, false) == PRN_E_VERSION, "a store of an older schema is not spread: %s", why.text);
	ok(prn_reshard_discard(place("none"), NULL, NULL) == PRN_E_NOT_FOUND, "what was refused leaves nothing");
}

/* Hosts that were asked as one: of several shards none are. */
static void test_groups(void)
{
	static const struct prn_host_rule rules[] = { { .hosts = "example,h0)", .group = "both", .limit = 1 }, { .hosts = "example,h1)", .group = "both", .limit = 1 } };
	struct prn_due_list list;
	struct desk desk;

	open_one(&desk, place("groups"), 1, NULL, 0);
	desk.options.hosts = rules;
	desk.options.host_count = 2;
	desk_reopen(&desk);
	desk_add_pages(&desk, "h0.example", 5);
	desk_add_pages(&desk, "h1.example", 5);
	prn_due_list_init(&list);
	desk_due(&desk, &list, T0, 100, LEASE_S);
	prn_due_list_release(&list);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_release(&desk);
	ok(!reshard(place("groups"), place("groups-4"), 4, NULL, false) && !faults(place("groups-4")),
	   "pages that wait for a group of hosts wait for none where there are shards: %s", why.text);
	ok(!reshard(place("groups"), place("groups-1"), 1, NULL, false) && !faults(place("groups-1")),
	   "pages of a group of hosts wait for it where there are no shards");
}

/* Two of one place: one is refused, whichever store it is of. */
struct second {
	const char *to;
	int code;
	struct prn_error why;
};

static void begin_second(void *context, uint64_t pages, uint64_t of)
{
	const struct prn_reshard_options options = { .shards = 4, .resume = true };
	struct second *second = context;

	(void)pages;
	(void)of;
	second->code = prn_reshard(place("two-other"), second->to, &options, NULL, &second->why);
}

static void test_two(void)
{
	struct second second = { .to = place("two-to") };
	const struct prn_reshard_options options = { .shards = 4, .progress = begin_second, .context = &second };
	struct desk desk;
	char to[512];

	snprintf(to, sizeof to, "%s", second.to);
	second.to = to;
	open_one(&desk, place("two-other"), 1, NULL, 0);
	desk_release(&desk);
	open_one(&desk, place("two"), 1, NULL, 0);
	desk_add_pages(&desk, "a.example", 5);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_release(&desk);
	ok(!prn_reshard(place("two"), to, &options, NULL, &why), "a store is spread while another is to be made in its place: %s", why.text);
	ok(second.code == PRN_E_LIMIT,
	   "who is to make a second store in the place of one that is being made is refused: %s", second.why.text);
}

int main(void)
{
	make_scratch();
	test_there_and_back("", 0);
	test_there_and_back("", 5e6);
	test_there_and_back("memory:", 5e6);
	test_giants();
	test_knowledge_is_shared();
	test_record_becomes_gate();
	test_permit_without_page();
	test_sums();
	{
		struct desk desk;

		open_one(&desk, place("killed"), 2, GIANT "/2", 4e6);
		live(&desk);
		desk_release(&desk);
	}
	test_killed(4, NULL);
	test_killed(1, NULL);
	test_targets();
	test_refused();
	test_older();
	test_groups();
	test_two();
	done();
}
