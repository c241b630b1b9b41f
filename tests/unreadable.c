/*
 * Pages that cannot be read, on each engine: a policy that a program brought does not read what it packed, a record is damaged,
 * a queue names a page that is not there.  One of them stops nothing, is told, and nothing of it is lost.
 */
#include "desk.h"
#include "perennial/explanation.h"
#include "perennial/hinting.h"
#include "perennial/policy_kind.h"
#include "perennial/stats.h"
#include "perennial/tuning.h"
#include "store/host_record.h"
#include "store/record.h"

#define BAD "http://a.example/bad"
#define NEXT (T0 + 8 * DAY) /* when all pages that were visited at T0 are due */

enum engine { LMDB, MEMORY, RADOS };

static enum engine engine;
static const char *cluster; /* "rados:POOL/NAME?conf=FILE"; NULL: none */

/* What the policy writes as a state, and the most that it reads: what was written above that cannot be read any more. */
static struct {
	uint32_t written, most;
} packs;

static int visit(const void *parameters, void *state, const struct prn_visit *visit)
{
	(void)parameters;
	(void)visit;
	memcpy(state, &packs.written, sizeof packs.written);
	return 0;
}

static void decide(const void *parameters, const void *state, const struct prn_visit *visit, struct prn_decision *decision)
{
	(void)parameters;
	(void)state;
	(void)visit;
	*decision = (struct prn_decision){ .period = 7, .expected = 7, .reason = PRN_REASON_RULE };
}

static void pack(const void *parameters, void *state, struct prn_packing *packing)
{
	(void)parameters;
	prn_packing_count(packing, state, packing->in ? packs.most : UINT32_MAX);
}

static const struct prn_policy_key keys[] = { PRN_KEY_SUMMARY, PRN_KEYS_END };

static const struct prn_policy_kind rebuilt = {
	.version = PRN_POLICY_KIND_VERSION,
	.info = { .name = "rebuilt", .title = "t", .source = "s", .dial = PRN_DIAL_SCALE, .keys = keys },
	.slots = 1, .state_size = 8, .visit = visit, .decide = decide, .pack = pack,
};

#define READS_ALL UINT32_MAX
#define READS_GOOD 5
#define WRITES_GOOD 3
#define WRITES_BAD 9

static void open_at_engine(struct desk *desk, const char *policy, double budget_per_day)
{
	const struct prn_decider_settings settings = { .policy = policy, .threshold = 1, .budget_per_day = budget_per_day };
	const char *end = engine == RADOS ? strchr(cluster, '?') : NULL;
	static unsigned number;

	packs.written = WRITES_GOOD;
	packs.most = READS_ALL;
	*desk = (struct desk){ 0 };
	if (engine == LMDB)
		snprintf(desk->path, sizeof desk->path, "%s/unreadable-%u", scratch, number++);
	else if (engine == MEMORY)
		snprintf(desk->path, sizeof desk->path, "memory:unreadable-%u", number++);
	else
		snprintf(desk->path, sizeof desk->path, "%.*s.u%u%s", (int)(end - cluster), cluster, number++, end);
	desk_create(desk, &settings);
}

/* Visited; one whose state the policy will not read once it reads READS_GOOD alone. */
static void visit_bad(struct desk *desk, const char *url, int64_t time)
{
	packs.written = WRITES_BAD;
	desk_text(desk, url, time, text_from(500));
	packs.written = WRITES_GOOD;
}

static const char *in_host(int i)
{
	static char url[64];

	snprintf(url, sizeof url, "http://h%d.example/", i);
	return url;
}

static void visit_good(struct desk *desk, const char *url, int64_t time)
{
	desk_text(desk, url, time, text_from(0));
}

static void commit(struct desk *desk)
{
	must(!prn_decider_commit(desk->decider, NULL), "commit");
}

/* A store of a bad page and two good ones, all due at NEXT. */
static void open_three(struct desk *desk, double budget_per_day)
{
	open_at_engine(desk, "rebuilt", budget_per_day);
	visit_bad(desk, BAD, T0);
	visit_good(desk, "http://a.example/1", T0);
	visit_good(desk, "http://b.example/2", T0);
	commit(desk);
	packs.most = READS_GOOD;
}

static struct prn_due_list list;

/* What a call hands out, as text. */
static const char *names(struct desk *desk, int64_t now, double lease_s)
{
	static char text[512];
	size_t length = 0;

	desk_due(desk, &list, now, 100, lease_s);
	text[0] = 0;
	for (size_t i = 0; i < list.count; i++)
		length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", i ? " " : "", strrchr(list.items[i].url, '/') + 1);
	return text;
}

static bool has_two(const char *names)
{
	return !strcmp(names, "1 2") || !strcmp(names, "2 1");
}

static uint64_t told_by_stats(struct desk *desk, int64_t now)
{
	struct prn_stats stats;

	must(!prn_decider_stats(desk->decider, now, &stats, NULL), "look at the budget");
	return stats.unreadable;
}

/* How many faults the store has. */
static uint64_t faults(struct desk *desk, bool repair)
{
	const struct prn_store_check_options options = { .repair = repair };
	struct prn_store_findings found = { 0 };
	struct prn_store *store;

	desk_close(desk);
	must(!prn_store_open(&store, desk->path, repair ? PRN_STORE_WRITE : PRN_STORE_READ, 0, NULL), "open a store");
	must(!prn_store_check(store, &options, &found, NULL), "check a store");
	prn_store_free(store);
	desk_reopen(desk);
	return prn_store_faults(&found);
}

static void handing_out(void)
{
	struct desk desk;

	open_three(&desk, 0);
	ok(has_two(names(&desk, NEXT, 0)) && list.unreadable == 1,
	   "a look at what is due passes over a page whose state cannot be read, and tells that");
	ok(strstr(list.first_unreadable.text, BAD) && strstr(list.first_unreadable.text, "check --repair"),
	   "a page that cannot be read is named, with what helps: %s", list.first_unreadable.text);
	ok(has_two(names(&desk, NEXT, 0)) && list.unreadable == 1,
	   "a look changes nothing: the next one meets the page that cannot be read again");
	ok(!told_by_stats(&desk, NEXT),
	   "a page that cannot be read and is met by a look is not counted in the statistics");
	ok(has_two(names(&desk, NEXT, 3600)) && list.unreadable == 1,
	   "a page whose state cannot be read does not keep others from being handed out");
	names(&desk, NEXT, 3600);
	ok(!list.count && !list.unreadable, "a page that cannot be read is not met again by the next call");
	ok(list.next == NEXT + DAY, "a page that cannot be read is to be met again after a day");
	ok(told_by_stats(&desk, NEXT) == 1, "a page that cannot be read and was met is told with the statistics");
	ok(told_by_stats(&desk, NEXT + DAY - 1) == 1 && !told_by_stats(&desk, NEXT + DAY),
	   "statistics tell of pages that cannot be read those that were met within a day");
	names(&desk, NEXT + DAY - 1, 3600);
	ok(!list.unreadable, "before a day is over a page that cannot be read is not met again");
	names(&desk, NEXT + DAY, 3600);
	ok(list.unreadable == 1 && told_by_stats(&desk, NEXT + DAY) == 1,
	   "a day after it was met a page that cannot be read is met again");
	ok(!faults(&desk, false), "the store is whole: what is in queues is what the records say");
	packs.most = READS_ALL;
	ok(strstr(names(&desk, NEXT + 2 * DAY, 3600), "bad") && !list.unreadable,
	   "a page is handed out once the policy can read it again");
	ok(desk_look(&desk, BAD).visits == 1,
	   "a page that could not be read for a while keeps its history");
	desk_release(&desk);
}

/* As many bad pages at the head of the queue as a call looks at in all, and a good one behind them. */
static void many(void)
{
	const struct prn_due_request request = { NEXT, 1, 60 };
	struct desk desk;
	uint64_t met = 0;
	size_t given = 0, calls = 0;
	char url[64];

	open_at_engine(&desk, "rebuilt", 0);
	for (int i = 0; i < 1200; i++) {
		snprintf(url, sizeof url, "http://a.example/bad/%d", i);
		visit_bad(&desk, url, T0);
	}
	visit_good(&desk, "http://a.example/good", T0 + 1);
	commit(&desk);
	packs.most = READS_GOOD;
	while (!given && calls++ < 5) {
		must(!prn_decider_due(desk.decider, &request, &list, NULL), "ask what is due");
		given = list.count;
		met += list.unreadable;
	}
	ok(given == 1 && calls == 1,
	   "1200 pages that cannot be read do not hide the one behind them: %zu call(s)", calls);
	ok(met == 1200, "each of 1200 pages that cannot be read is met: %zu", met);
	ok(told_by_stats(&desk, NEXT) == 1200,
	   "all 1200 pages that cannot be read and were met are told with the statistics");
	desk_release(&desk);
}

/* A page that is out, and cannot be read when its lease ends. */
static void leases(void)
{
	struct prn_store_totals totals;
	struct desk desk;

	open_three(&desk, 0);
	desk.options.host_limit = 2;
	desk_reopen(&desk);
	packs.most = READS_ALL;
	ok(desk_due(&desk, &list, NEXT, 100, 600) == 3, "all pages are out");
	packs.most = READS_GOOD;
	ok(has_two(names(&desk, NEXT + HOUR + 600, 600)) && list.unreadable == 1,
	   "a lease that ends of a page that cannot be read does not keep others from being handed out");
	must(!prn_store_totals(prn_decider_store(desk.decider), &totals, NULL), "count");
	ok(totals.leased == 2 && totals.due == 1, "the lease of a page that cannot be read has ended when it is met");
	ok(!totals.waiting, "a page that cannot be read does not wait for its host when its lease has ended");
	names(&desk, NEXT + HOUR + 600, 600);
	ok(!list.unreadable, "the lease of a page that cannot be read ends once");
	ok(!faults(&desk, false), "the host of a page that cannot be read counts no lease more than there are");
	packs.most = READS_ALL;
	names(&desk, NEXT + 2 * DAY, 600);
	ok(list.count == 3, "a page whose lease ended while it could not be read is handed out once it can be");
	desk_release(&desk);
}

/* A page that waits for its host, and cannot be read when the host has its turn. */
static void waiting(void)
{
	struct desk desk;

	open_at_engine(&desk, "rebuilt", 0);
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	visit_good(&desk, "http://a.example/1", T0 - 2);
	visit_bad(&desk, BAD, T0 - 1);
	visit_good(&desk, "http://a.example/2", T0);
	commit(&desk);
	same(names(&desk, NEXT, 600), "1", "a host of one page at a time is asked for the page that has waited longest");
	packs.most = READS_GOOD;
	visit_good(&desk, "http://a.example/1", NEXT + 60);
	same(names(&desk, NEXT + 61, 600), "2", "a page that waits for its host and cannot be read is passed over there");
	ok(list.unreadable == 1, "a page that waits for its host and cannot be read is told");
	visit_good(&desk, "http://a.example/2", NEXT + 120);
	names(&desk, NEXT + 121, 600);
	ok(!list.count && !list.unreadable,
	   "a page that cannot be read waits for its host no more once it was met there");
	ok(!faults(&desk, false), "the store is whole after it was taken off its host");
	desk_release(&desk);

	open_at_engine(&desk, "rebuilt", 0);
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	visit_good(&desk, "http://a.example/1", T0 - 2);
	visit_good(&desk, "http://a.example/2", T0 - 1);
	visit_good(&desk, "http://a.example/3", T0);
	commit(&desk);
	same(names(&desk, NEXT, 600), "1", "two pages wait for their host");
	desk_spoil(&desk, "http://a.example/2");
	visit_good(&desk, "http://a.example/1", NEXT + 60);
	same(names(&desk, NEXT + 61, 600), "3", "a page that waits for its host and whose record is damaged is passed over there");
	visit_good(&desk, "http://a.example/3", NEXT + 120);
	names(&desk, NEXT + 121, 600);
	ok(!list.unreadable, "the damaged record waits for its host no more");
	names(&desk, NEXT + 61 + DAY, 600);
	ok(list.unreadable == 1, "the damaged record is met again a day later");
	desk_release(&desk);
}

/* Its host is asked for others as soon as it is given back. */
static void given_back(void)
{
	struct desk desk;
	bool ended;

	open_at_engine(&desk, "rebuilt", 0);
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	visit_bad(&desk, BAD, T0 - 1);
	visit_good(&desk, "http://a.example/1", T0);
	commit(&desk);
	same(names(&desk, NEXT, 600), "bad", "a host of one page at a time is asked for one");
	packs.most = READS_GOOD;
	must(!prn_decider_release(desk.decider, BAD, NEXT + 1, &ended, NULL) && ended, "give a page back");
	same(names(&desk, NEXT + 2, 600), "1", "the host of a page that was given back and cannot be read is asked for another");
	desk_spoil(&desk, BAD);
	ok(!prn_decider_release(desk.decider, BAD, NEXT + 3, &ended, NULL) && !ended,
	   "of a page whose record is damaged no lease is known to be given back");
	ok(!prn_decider_release(desk.decider, "http://a.example/1", NEXT + 3, &ended, NULL) && ended,
	   "a lease is given back after one of a page whose record is damaged");
	desk_release(&desk);

	open_at_engine(&desk, "rebuilt", 0);
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	visit_good(&desk, BAD, T0 - 1);
	visit_good(&desk, "http://a.example/1", T0);
	commit(&desk);
	same(names(&desk, NEXT, 3600), "bad", "a host of one page at a time is asked for one that will be damaged");
	desk_spoil(&desk, BAD);
	desk_text(&desk, BAD, NEXT + 10, text_from(3));
	commit(&desk);
	same(names(&desk, NEXT + 11, 60), "1", "once it is reported its host is asked for another, though its lease is not known any more");
	desk_release(&desk);
}

/* Leases and next visits that a clock that ran ahead has set are void; those of a page that cannot be read too. */
static void clocks(void)
{
	struct desk desk;

	open_three(&desk, 0);
	packs.most = READS_ALL;
	desk_due(&desk, &list, NEXT + 5000 * DAY, 100, 600);
	packs.most = READS_GOOD;
	for (int i = 0; i < 12; i++)
		names(&desk, NEXT + 2 * i * HOUR, 600);
	ok(has_two(names(&desk, NEXT + DAY, 600)) && list.unreadable == 1,
	   "leases of years ahead are void beside that of a page that cannot be read, when a day has passed");
	packs.most = READS_ALL;
	ok(strstr(names(&desk, NEXT + 2 * DAY, 600), "bad"),
	   "a page that could not be read is out of a lease of years ahead when it can be");
	desk_release(&desk);
}

static void damaged_records(void)
{
	struct desk desk;
	struct prn_error error = { 0 };
	uint64_t body = 7;
	struct prn_digest key = prn_url_key(BAD);

	open_three(&desk, 0);
	packs.most = READS_ALL;
	desk_spoil(&desk, BAD);
	ok(has_two(names(&desk, NEXT, 0)) && list.unreadable == 1,
	   "a look passes over a page whose record is damaged");
	ok(strstr(list.first_unreadable.text, "damaged: 'perennial check") != NULL,
	   "who meets a damaged record is told what helps: %s", list.first_unreadable.text);
	ok(has_two(names(&desk, NEXT, 60)) && list.unreadable == 1, "a damaged record does not keep other pages from being handed out");
	names(&desk, NEXT, 60);
	ok(!list.count && !list.unreadable, "the next call does not meet the damaged record again");
	names(&desk, NEXT + DAY, 60);
	ok(list.unreadable == 1, "a day after it was met the damaged record is met again");
	ok(faults(&desk, false) >= 1, "a check finds the damaged record still");
	ok(!prn_decider_body(desk.decider, &key, &body, &error) && !body, "no body is known of a page whose record is damaged");
	ok(desk_text(&desk, BAD, NEXT + DAY + 60, "what it has now") == PRN_OUTCOME_OBSERVED && desk.outcome.anew,
	   "a report of a page whose record is damaged is not lost: it begins anew, and the outcome says so");
	ok(!desk.outcome.added, "a page whose record is damaged is not told as added when it begins anew");
	ok(desk_look(&desk, BAD).visits == 1 && desk_look(&desk, BAD).weight > 0.99,
	   "a page whose record was damaged has one visit, and its weight, when it begins anew");
	desk_text(&desk, BAD, NEXT + DAY + 120, "what it has then");
	ok(!desk.outcome.anew, "a page that began anew goes on with its next report");
	names(&desk, NEXT + 3 * DAY, 60);
	ok(!strstr(names(&desk, NEXT + 3 * DAY, 60), "bad") && !list.unreadable,
	   "a page whose damaged record was replaced is not given twice");
	ok(!faults(&desk, false), "where a damaged record stood in the queue is taken out when it is met");
	desk_release(&desk);
}

static void missing_pages(void)
{
	struct prn_change lost = { PRN_TABLE_PAGES, true, { NULL, 16 }, { NULL, 0 } };
	struct prn_digest page = prn_url_key(BAD);
	struct prn_tables *tables;
	unsigned char key[16];
	struct desk desk;

	open_three(&desk, 0);
	packs.most = READS_ALL;
	desk_close(&desk);
	prn_key_bytes(&page, key);
	lost.key.data = key;
	must(!prn_tables_open(&tables, desk.path, true, 0, NULL) && !tables->kind->write(tables, &lost, 1, NULL), "lose a page");
	prn_tables_free(tables);
	desk_reopen(&desk);
	ok(has_two(names(&desk, NEXT, 0)) && list.unreadable == 1, "a look passes over an entry of a queue whose page is not there");
	ok(has_two(names(&desk, NEXT, 60)) && list.unreadable == 1,
	   "an entry of a queue whose page is not there keeps no other page from being handed out");
	ok(strstr(list.first_unreadable.text, "not there") != NULL,
	   "an entry of a queue whose page is not there is told: %s", list.first_unreadable.text);
	names(&desk, NEXT + DAY, 60);
	ok(!list.unreadable && !faults(&desk, false), "an entry of a queue whose page is not there is taken out");
	desk_release(&desk);
}

/* Writes an entry of a queue for BAD, at another place than where it stands. */
static void add_entry(struct desk *desk, const struct prn_place *place)
{
	struct prn_digest page = prn_url_key(BAD);
	unsigned char name[PRN_WAITING_KEY_BYTES];
	const struct prn_change change = { prn_queue_table(place->queue), false, { name, prn_place_key(place, &page, name) }, { "", 0 } };
	struct prn_tables *tables;

	desk_close(desk);
	must(!prn_tables_open(&tables, desk->path, true, 0, NULL) && !tables->kind->write(tables, &change, 1, NULL), "add an entry");
	prn_tables_free(tables);
	desk_reopen(desk);
}

/* A page stands where its record says, whatever else a queue has of it: by an entry of another place it is not handed out. */
static void stray_entries(void)
{
	struct prn_place place = { .queued = true, .queue = PRN_QUEUE_DUE, .time = T0 };
	struct desk desk;

	open_three(&desk, 0);
	packs.most = READS_ALL;
	ok(desk_due(&desk, &list, NEXT, 100, 3600) == 3, "all pages are out");
	add_entry(&desk, &place);
	names(&desk, NEXT + 1, 0);
	ok(!list.count && !list.unreadable, "a page that is out is not due, though it stands among what is due too");
	names(&desk, NEXT + 2, 60);
	ok(!list.count && !list.unreadable,
	   "a page that is out is not handed out twice, though it stands among what is due too");
	ok(!faults(&desk, false), "an entry of a page that is out is taken out of what is due");
	/* Times that no lane has. */
	for (int64_t lane = 1; lane <= 3; lane++) {
		place.time = INT64_MIN + lane * (INT64_C(1) << 60) + 5;
		add_entry(&desk, &place);
		names(&desk, NEXT + 10 * lane, 60);
		names(&desk, NEXT + 10 * lane + 1, 60);
		ok(!list.count && !list.unreadable && !faults(&desk, false), "an entry of a time that no page can have is taken out as well");
	}
	desk_release(&desk);

	open_at_engine(&desk, "rebuilt", 0);
	packs.most = READS_ALL;
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	visit_good(&desk, "http://a.example/1", T0 - 2);
	visit_good(&desk, "http://b.example/2", T0 - 2);
	visit_good(&desk, "http://b.example/3", T0 - 1);
	visit_good(&desk, BAD, T0 - 1);
	commit(&desk);
	ok(has_two(names(&desk, NEXT, 600)), "of two hosts a page is out, and another waits");
	place = (struct prn_place){ .queued = true, .queue = PRN_QUEUE_WAITING, .time = T0, .host = prn_host_number(prn_host_name("http://b.example/")) };
	add_entry(&desk, &place);
	visit_good(&desk, "http://b.example/2", NEXT + 60);
	same(names(&desk, NEXT + 61, 600), "3", "a page that stands in the queue of another host too is not handed out with that one's");
	ok(!faults(&desk, false), "a page that stands in the queue of another host too is taken out of that");
	visit_good(&desk, "http://a.example/1", NEXT + 120);
	same(names(&desk, NEXT + 121, 600), "bad",
	     "a page that stood in the queue of another host is handed out when its own may be asked");
	visit_good(&desk, BAD, NEXT + 180);
	visit_good(&desk, "http://b.example/3", NEXT + 180);
	names(&desk, NEXT + 181, 600);
	ok(!list.count && list.next > NEXT + 6 * DAY,
	   "once every page of two hosts was visited none waits, though one stood in the queue of the other");
	ok(!faults(&desk, false),
	   "once no page waits for them two hosts have no turn, though a page stood in the queue of the other");
	desk_release(&desk);
}

/* What may be said of a page that cannot be read. */
static void what_is_said(void)
{
	const struct prn_hint hint = { .url = BAD, .normal_url = BAD, .source = "http://a.example/sitemap.xml", .time = NEXT,
		                       .modified = NEXT, .says_changed = true };
	struct prn_error error = { 0 };
	uint64_t released, forgotten = 0;
	enum prn_added added;
	enum prn_hinted hinted;
	bool ended = false;
	struct desk desk;

	open_three(&desk, 0);
	packs.most = READS_ALL;
	must(!prn_decider_add(desk.decider, BAD, 3, T0, &added, NULL), "weigh");
	desk_due(&desk, &list, NEXT, 100, 600);
	packs.most = READS_GOOD;
	ok(!prn_decider_release(desk.decider, BAD, NEXT + 1, &ended, &error) && ended, "a page that cannot be read can be given back: %s", error.text);
	must(!prn_decider_release_all(desk.decider, PRN_RELEASE_ALL, NULL, NEXT + 1, &released, NULL), "release");
	packs.most = READS_ALL;
	ok(desk_due(&desk, &list, NEXT + 2, 100, 600) == 3 && list.items[0].due == T0 + 7 * DAY,
	   "a page that could not be read when it was given back is due as it was");
	packs.most = READS_GOOD;
	ok(!prn_decider_release_all(desk.decider, PRN_RELEASE_ALL, NULL, NEXT + 3, &released, &error) && released == 3,
	   "all leases can be given back, that of a page that cannot be read too: %s", error.text);
	desk_redirect(&desk, "http://b.example/2", NEXT + 4, BAD);
	ok(desk.outcome.kind == PRN_OUTCOME_REDIRECT && !desk.outcome.target_added,
	   "a redirect to a page that cannot be read is taken in, and adds none");
	ok(!prn_decider_hint(desk.decider, &hint, NEXT, &hinted, &error) && hinted == PRN_HINTED_UNKNOWN,
	   "a hint of a page that cannot be read changes nothing: %s", error.text);
	commit(&desk);
	packs.most = READS_ALL;
	ok(desk_look(&desk, BAD).visits == 1,
	   "neither a redirect to a page that cannot be read nor a hint of it makes it lose what is known of it");
	packs.most = READS_GOOD;
	ok(desk_text(&desk, BAD, NEXT + 5, text_from(700)) == PRN_OUTCOME_OBSERVED && desk.outcome.anew,
	   "a report of a page that cannot be read is not lost: the page begins anew, and the outcome says so");
	ok(!desk.outcome.added, "a page that cannot be read is not told as added when it begins anew");
	ok(desk_look(&desk, BAD).visits == 1 && fabs(desk_look(&desk, BAD).weight - 3) < 1e-9,
	   "a page that could not be read and begins anew keeps its weight");

	packs.most = READS_ALL;
	visit_bad(&desk, BAD, NEXT + 60);
	commit(&desk);
	packs.most = READS_GOOD;
	ok(!prn_decider_add(desk.decider, BAD, 0, NEXT + 61, &added, &error) && added == PRN_ADDED_REVIVED,
	   "a page that cannot be read begins anew when it is added by name: %s", error.text);
	ok(desk_look(&desk, BAD).status == PRN_PAGE_NEW && desk_look(&desk, BAD).due == NEXT + 61,
	   "a page that cannot be read and is added by name is to be visited at once");

	packs.most = READS_ALL;
	visit_bad(&desk, BAD, NEXT + 62);
	commit(&desk);
	packs.most = READS_GOOD;
	ok(!prn_decider_forget(desk.decider, PRN_FORGET_HOST, "a.example", &forgotten, &error) && forgotten == 2,
	   "a page that cannot be read is forgotten with its host: %s", error.text);
	ok(!faults(&desk, false), "nothing is left of a page that cannot be read and was forgotten with its host");
	desk_release(&desk);
}

static void forgetting(void)
{
	struct prn_store_totals totals;
	struct prn_error error = { 0 };
	uint64_t forgotten = 0;
	struct desk desk;

	open_three(&desk, 0);
	packs.most = READS_ALL;
	desk_due(&desk, &list, NEXT, 100, 600);
	packs.most = READS_GOOD;
	ok(!prn_decider_forget(desk.decider, PRN_FORGET_URL, BAD, &forgotten, &error) && forgotten == 1,
	   "a page that is out and cannot be read can be forgotten: %s", error.text);
	packs.most = READS_ALL;
	desk_spoil(&desk, "http://a.example/1");
	ok(!prn_decider_forget(desk.decider, PRN_FORGET_HOST, "a.example", &forgotten, &error) && !forgotten,
	   "forgetting a host passes over a damaged record, whose URL nobody knows: %s", error.text);
	ok(!prn_decider_forget(desk.decider, PRN_FORGET_URL, "http://a.example/1", &forgotten, &error) && forgotten == 1,
	   "a page whose record is damaged can be forgotten by its URL: %s", error.text);
	must(!prn_store_totals(prn_decider_store(desk.decider), &totals, NULL), "count");
	ok(totals.pages == 1, "pages that cannot be read and were forgotten are gone");
	desk_release(&desk);
}

static int count_page(void *context, const struct prn_explanation *page)
{
	(void)page;
	++*(unsigned *)context;
	return 0;
}

/* Passes over all pages. */
static void passes(void)
{
	struct prn_tuning tuning;
	struct prn_explanation page;
	struct prn_error error = { 0 };
	unsigned count = 0;
	struct desk desk;

	open_three(&desk, 0);
	desk_spoil(&desk, "http://b.example/2");
	ok(!prn_decider_tune(desk.decider, &(struct prn_tuning_request){ .budget = { 1, PRN_UNIT_VISITS }, .apply = true }, &tuning, &error),
	   
	   "a threshold is found and applied though pages cannot be read: %s", error.text);
	ok(tuning.pages == 1 && tuning.unreadable == 2,
	   "a threshold is found over the pages that can be read, and it is said how many cannot");
	ok(prn_decider_each(desk.decider, NEXT, count_page, &count, &error) == PRN_E_DAMAGED && count == 1,
	   "all pages that can be read are explained");
	ok(strstr(error.text, "left out: 2") != NULL,
	   "after all pages were explained it is told how many were left out: %s", error.text);
	prn_explanation_init(&page);
	ok(prn_decider_explain(desk.decider, BAD, NEXT, &page, &error) == PRN_E_UNREADABLE && strstr(error.text, BAD),
	   "a page that cannot be read is not explained: %s", error.text);
	prn_explanation_release(&page);
	desk_release(&desk);
}

/* With a budget, pages' loads are kept, which are counted over all. */
static void budgets(void)
{
	struct prn_stats stats;
	struct desk desk;

	open_three(&desk, 1000);
	ok(has_two(names(&desk, NEXT, 60)) && list.unreadable == 1, "a budget's loads are counted over the pages that can be read");
	packs.most = READS_ALL;
	visit_bad(&desk, "http://a.example/1", NEXT + 30);
	commit(&desk);
	packs.most = READS_GOOD;
	ok(desk_text(&desk, "http://a.example/1", NEXT + 60, text_from(3)) == PRN_OUTCOME_OBSERVED && desk.outcome.anew,
	   "in a store with a budget a page that cannot be read begins anew when it is reported");
	desk_spoil(&desk, "http://b.example/2");
	ok(desk_text(&desk, "http://b.example/2", NEXT + 60, text_from(3)) == PRN_OUTCOME_OBSERVED && desk.outcome.anew,
	   "in a store with a budget a page whose record is damaged begins anew when it is reported");
	names(&desk, NEXT + 2 * DAY, 60);
	ok(list.unreadable == 1, "in a store with a budget pages are handed out beside those that cannot be read");
	must(!prn_decider_stats(desk.decider, NEXT + 2 * DAY, &stats, NULL), "look at the budget");
	ok(stats.load_per_day > 0 && stats.load_per_day < 3, "what pages want a day is near what two of them want: %g", stats.load_per_day);
	desk_release(&desk);
}

/* All pages of a store begin anew, as after a plugin was built otherwise: none is counted twice. */
static void begun_anew(void)
{
	struct prn_stats before, after;
	struct desk desk;

	open_at_engine(&desk, "rebuilt", 1000);
	for (int i = 0; i < 20; i++)
		visit_bad(&desk, in_host(i), T0);
	commit(&desk);
	names(&desk, T0 + DAY, 60);
	must(!prn_decider_stats(desk.decider, T0 + DAY, &before, NULL), "look at what pages want");
	packs.most = READS_GOOD;
	for (int i = 0; i < 20; i++)
		desk_text(&desk, in_host(i), T0 + 2 * DAY, text_from(3));
	commit(&desk);
	must(!prn_decider_stats(desk.decider, T0 + 2 * DAY, &after, NULL), "look at what pages want now");
	ok(before.load_per_day > 0 && fabs(after.load_per_day / before.load_per_day - 1) < 0.1,
	   "when all pages have begun anew they want as much as before: %g a day, and %g", before.load_per_day, after.load_per_day);
	desk_release(&desk);
}

static unsigned told;
static char told_text[PRN_ERROR_TEXT];

static void tell(void *context, const struct prn_error *what)
{
	(void)context;
	told++;
	snprintf(told_text, sizeof told_text, "%s", what->text);
}

static void checking(void)
{
	const struct prn_store_check_options looking = { .report = tell }, mending = { .repair = true };
	struct prn_state_findings found = { 0 };
	struct prn_error error = { 0 };
	struct desk desk;

	told = 0;
	open_three(&desk, 240);
	packs.most = READS_ALL;
	visit_bad(&desk, "http://c.example/gone", T0);
	for (int i = 0; i < 3; i++)
		desk_status(&desk, "http://c.example/gone", T0 + DAY + i, 410);
	commit(&desk);
	ok(!prn_decider_check(desk.decider, &looking, NEXT, &found, &error) && found.pages == 4,
	   "a check looks at all states: %s", error.text);
	ok(!found.unreadable && !told, "states that can be read are no fault");
	packs.most = READS_GOOD;
	told = 0;
	ok(!prn_decider_check(desk.decider, &looking, NEXT, &found, &error) && found.unreadable == 2,
	   "a check finds the states that cannot be read");
	ok(!found.repaired && told == 2, "a check tells each state that cannot be read: %s", told_text);
	ok(!prn_decider_check(desk.decider, NULL, NEXT, &found, &error) && found.unreadable == 2,
	   "a check changes no state that cannot be read");
	ok(!prn_decider_check(desk.decider, &mending, NEXT, &found, &error) && found.repaired == 2,
	   "a repair mends states that cannot be read: %s", error.text);
	ok(!prn_decider_check(desk.decider, NULL, NEXT, &found, &error) && !found.unreadable,
	   "after a repair there are no states that cannot be read");
	ok(desk_look(&desk, BAD).known && desk_look(&desk, BAD).status == PRN_PAGE_NEW,
	   "a page whose state was mended is known, as a new one");
	ok(desk_look(&desk, BAD).due == NEXT, "a page whose state was mended is due at once");
	ok(desk_look(&desk, "http://c.example/gone").status == PRN_PAGE_RETIRED && desk_look(&desk, "http://c.example/gone").due == PRN_TIME_UNKNOWN,
	   "a page that was retired stays so when its state is mended");
	ok(desk_look(&desk, "http://a.example/1").visits == 1,
	   "pages whose states can be read stay as they are in a repair");
	ok(!faults(&desk, false), "a store is whole after states were mended");
	names(&desk, NEXT, 60);
	ok(list.count == 3 && !list.unreadable, "after states were mended all pages are handed out");
	ok(prn_decider_check(desk.decider, NULL, PRN_TIME_UNKNOWN, &found, &error) == PRN_E_ARGUMENT, "a check must be told what time it is: %s", error.text);
	desk_release(&desk);
}

/* The state of a policy of the library that was damaged before it was written. */
static void damaged_states(void)
{
	static const unsigned char damaged[] = { 1, 1, 0, 99, 99, 99 };
	struct desk desk;

	open_at_engine(&desk, "drift", 0);
	visit_good(&desk, BAD, T0);
	visit_good(&desk, "http://b.example/2", T0);
	commit(&desk);
	desk_put_state(&desk, BAD, damaged, sizeof damaged);
	same(names(&desk, NEXT + 200 * DAY, 60), "2", "a damaged state of a policy of the library is passed over");
	ok(list.unreadable == 1, "a damaged state of a policy of the library is told");
	desk_release(&desk);
}

static void newer_states(void)
{
	const struct prn_due_request request = { NEXT, 10, 60 };
	const struct prn_store_check_options mending = { .repair = true };
	struct prn_error error = { 0 };
	struct prn_state_findings found;
	struct desk desk;

	open_three(&desk, 0);
	packs.most = READS_ALL;
	desk_make_newer(&desk, BAD);
	ok(prn_decider_due(desk.decider, &request, &list, &error) == PRN_E_VERSION && strstr(error.text, "version 31"),
	   "a state that a newer program wrote is no damage: it ends the call: %s", error.text);
	ok(prn_decider_check(desk.decider, &mending, NEXT, &found, &error) == PRN_E_VERSION, "no repair has it begin anew: %s", error.text);
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	cluster = getenv("PERENNIAL_RADOS");
	must(!prn_policy_register(&rebuilt, NULL), "register a policy");
	prn_due_list_init(&list);
	for (engine = LMDB; engine <= (cluster ? RADOS : MEMORY); engine++) {
		printf("# %s\n", engine == LMDB ? "on disk, by LMDB" : engine == MEMORY ? "in memory" : "in a cluster");
		handing_out();
		many();
		leases();
		waiting();
		given_back();
		clocks();
		damaged_records();
		missing_pages();
		stray_entries();
		what_is_said();
		forgetting();
		passes();
		budgets();
		begun_anew();
		checking();
		damaged_states();
		newer_states();
	}
	prn_due_list_release(&list);
	return done();
}
