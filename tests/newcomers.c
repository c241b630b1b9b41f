/*
 * Pages that were never fetched, beside those that are known: neither list, backlog nor sitemap keeps the others waiting, of a store or
 * of one host, and what is given to both is remembered from call to call.
 */
#include "desk.h"

#include "decide/decider_internal.h"
#include "decide/lead.h"
#include "decide/loads.h"
#include "perennial/stats.h"
#include "perennial/tuning.h"

#include <math.h>

#define KNOWN "http://known-%u.example/page"
#define LISTED "http://listed-%u.example/page"

static unsigned stores;

static void open_desk(struct desk *desk, struct prn_decider_settings settings)
{
	settings.policy = "drift";
	settings.shards = desk_shards();
	*desk = (struct desk){ 0 };
	snprintf(desk->path, sizeof desk->path, "%s/newcomers-%u", scratch, stores++);
	desk_create(desk, &settings);
}

/* Pages that were fetched days before T0, often enough to be due soon after it. */
static void fetch_known(struct desk *desk, unsigned count)
{
	char url[64];

	for (unsigned i = 0; i < count; i++) {
		snprintf(url, sizeof url, KNOWN, i);
		for (int day = 40; day; day -= 20)
			desk_text(desk, url, T0 - day * DAY + (int64_t)i, text_from(1000 * i + 20 * (unsigned)day));
	}
}

static void add_listed(struct desk *desk, unsigned from, unsigned count, int64_t now)
{
	enum prn_added added;
	char url[64];

	for (unsigned i = from; i < from + count; i++) {
		snprintf(url, sizeof url, LISTED, i);
		must(!prn_decider_add(desk->decider, url, 1, now, &added, NULL), "add a page");
	}
	must(!prn_decider_commit(desk->decider, NULL), "commit");
}

struct told {
	unsigned known, fresh, both;
};

/* Hands out what is due and answers it, at once: a listed page with a status, known ones with a text that drifts. */
static void fetch(struct desk *desk, int64_t now, size_t limit, int status, struct told *told)
{
	struct prn_due_list list;

	prn_due_list_init(&list);
	desk_due(desk, &list, now, limit, 600);
	for (size_t i = 0; i < list.count; i++) {
		const char *url = list.items[i].url;
		bool is_new = !desk_look(desk, url).visits;
		unsigned number = (unsigned)(prn_url_key(url).low % 5000) * 1000;

		told->fresh += is_new;
		told->known += !is_new;
		if (is_new && status != 200)
			desk_status(desk, url, now, status);
		else
			desk_text(desk, url, now, text_from(number + (unsigned)((now - T0) / DAY)));
	}
	must(!prn_decider_commit(desk->decider, NULL), "commit");
	prn_due_list_release(&list);
}

/* One call, by kind; leases are over before the next. */
static struct told look(struct desk *desk, int64_t now, size_t limit, double lease_s)
{
	struct told told = { 0 };
	struct prn_due_list list;

	prn_due_list_init(&list);
	desk_due(desk, &list, now, limit, lease_s);
	for (size_t i = 0; i < list.count; i++) {
		told.fresh += strstr(list.items[i].url, "listed-") != NULL;
		told.known += strstr(list.items[i].url, "known-") != NULL;
	}
	told.both = told.fresh + told.known;
	prn_due_list_release(&list);
	return told;
}

/* More new pages than a call looks at, added before the known ones come due. */
static void behind_a_list(void)
{
	int off = (int)desk_shards(); /* each shard begins with a new page */
	struct desk desk;
	struct told told;
	unsigned known;

	open_desk(&desk, (struct prn_decider_settings){ .threshold = 0.25 });
	fetch_known(&desk, 200);
	add_listed(&desk, 0, 20000, T0 - 30 * DAY);
	told = look(&desk, T0 + 20 * DAY, 100, 0);
	/* Of several shards the first show what they have. */
	ok((desk_shards() || told.known == 50) && told.both == 100, "a look behind a list of 20,000 pages shows as many known ones: %u and %u", told.known, told.fresh);
	told = look(&desk, T0 + 20 * DAY, 100, 60);
	known = told.known;
	ok(abs((int)known - 50) <= off && told.both == 100, "of a hundred that are handed out half are known: %u and %u", told.known, told.fresh);
	told = look(&desk, T0 + 20 * DAY + 30, 1000, 60);
	ok(known + told.known == 200 && told.both == 1000, "when all known ones are out new pages have the rest: %u of %u", told.known, told.both);
	told = look(&desk, T0 + 20 * DAY + 40, 1000, 60);
	ok(!told.known && told.fresh == 1000, "and all of the next call: %u", told.fresh);
	told = look(&desk, T0 + 20 * DAY + 2 * HOUR, 2, 60);
	ok(told.known == 1 && told.fresh == 1, "what new pages had while nothing else was due is not held against them: %u and %u", told.known, told.fresh);
	desk_release(&desk);
}

/*
 * A list that a host has, beside pages of it that are known: it is asked for one page at a time.  exact: there is no room for all that is
 * considered, so that they take turns; otherwise it is a matter of the time.
 */
static void of_one_host(size_t limit, bool exact)
{
	struct desk desk;
	unsigned fresh = 0, known = 0, listed = exact ? 3000 : 300;
	enum prn_added added;
	char url[64];

	open_desk(&desk, (struct prn_decider_settings){ .threshold = 0.25 });
	for (unsigned i = 0; i < 20; i++)
		for (int day = 40; day; day -= 20) {
			snprintf(url, sizeof url, "http://one.example/known/%u", i);
			desk_text(&desk, url, T0 - day * DAY, text_from(1000 * i + 20 * (unsigned)day));
		}
	for (unsigned i = 0; i < listed; i++) {
		snprintf(url, sizeof url, "http://one.example/listed/%u", i);
		must(!prn_decider_add(desk.decider, url, 1, T0 - 30 * DAY, &added, NULL), "add a page");
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	for (int64_t now = T0 + 20 * DAY; now < T0 + 20 * DAY + 40 * 60; now += 60) {
		struct prn_due_list list;

		prn_due_list_init(&list);
		must(desk_due(&desk, &list, now, limit, 600) == 1, "hand out one page of the host");
		fresh += strstr(list.items[0].url, "listed") != NULL;
		known += strstr(list.items[0].url, "known") != NULL;
		desk_text(&desk, list.items[0].url, now, text_from(7));
		must(!prn_decider_commit(desk.decider, NULL), "commit");
		prn_due_list_release(&list);
		if (now == T0 + 20 * DAY + 20 * 60)
			desk_reopen(&desk);
	}
	if (exact)
		ok(known == 20 && fresh == 20, "of a host that has a list known pages and new ones come by turns, one a call: %u and %u", known, fresh);
	else
		ok(known >= 12 && fresh >= 12, "where the call has room for all, each comes as often: %u and %u", known, fresh);
	desk_release(&desk);
}

/* A store whose operator adds as many pages as it has. */
static void with_a_budget(const char *kind, enum prn_unit unit, int status)
{
	enum { PAGES = 400, A_DAY = 60, ALONE = 40, BESIDE = 6 };
	struct desk desk;
	struct told before = { 0 }, beside = { 0 };
	double of_one = unit == PRN_UNIT_BYTES ? 1200 : 1, each;

	open_desk(&desk, (struct prn_decider_settings){ .budget_per_day = A_DAY * of_one, .unit = unit });
	fetch_known(&desk, PAGES);
	for (int64_t hour = 0; hour < ALONE * 24; hour++)
		fetch(&desk, T0 + hour * HOUR, 1000, 200, &before);
	add_listed(&desk, 0, PAGES, T0 + ALONE * DAY);
	for (int64_t hour = ALONE * 24; hour < (ALONE + BESIDE) * 24; hour++)
		fetch(&desk, T0 + hour * HOUR, 1000, status, &beside);
	each = (double)before.known / ALONE;
	ok(!before.fresh && each > 0.7 * A_DAY, "%s: known pages have the budget: %.1f a day", kind, each);
	ok(beside.known >= (desk_shards() ? 0.4 : 0.47) * BESIDE * each, "%s: and half of it from when as many are added: %.1f", kind, (double)beside.known / BESIDE);
	ok(beside.fresh >= 0.4 * BESIDE * each, "%s: new pages have the other half: %.1f", kind, (double)beside.fresh / BESIDE);
	desk_release(&desk);
}

/* Days after a list of pages that are gone was added, where pages are asked for so often. */
static double threshold_after(double days, int64_t every)
{
	struct desk desk;
	struct told told = { 0 };
	double threshold;

	open_desk(&desk, (struct prn_decider_settings){ .budget_per_day = 60 });
	fetch_known(&desk, 400);
	for (int64_t now = T0; now < T0 + 30 * DAY; now += HOUR)
		fetch(&desk, now, 1000, 200, &told);
	add_listed(&desk, 0, 4000, T0 + 30 * DAY);
	for (int64_t now = T0 + 30 * DAY; now < T0 + 30 * DAY + (int64_t)(days * DAY); now += every)
		fetch(&desk, now, 1000, 404, &told);
	threshold = prn_decider_threshold(desk.decider);
	desk_release(&desk);
	return threshold;
}

static void however_often(void)
{
	double often = threshold_after(6, HOUR / 4), seldom = threshold_after(6, 12 * HOUR), before = threshold_after(0, HOUR);

	ok(often > 1.3 * before, "a list raises the threshold where pages are asked for each quarter of an hour: %g to %g", before, often);
	ok(fabs(log(often / seldom)) < 0.3, "and as much where they are asked for twice a day: to %g", seldom);
}

/* A store of several shards that has lost one: what is left of it keeps to the same. */
static void without_a_shard(void)
{
	const struct prn_decider_settings settings = { .policy = "drift", .budget_per_day = 60, .shards = 4 };
	struct desk desk = { 0 };
	struct told told = { 0 }, beside = { 0 };
	char lost[600], away[600];
	double before;

	snprintf(desk.path, sizeof desk.path, "%s/newcomers-%u", scratch, stores++);
	desk_create(&desk, &settings);
	fetch_known(&desk, 400);
	for (int64_t now = T0; now < T0 + 30 * DAY; now += HOUR)
		fetch(&desk, now, 1000, 200, &told);
	add_listed(&desk, 0, 4000, T0 + 30 * DAY);
	fetch(&desk, T0 + 30 * DAY, 1000, 404, &beside);
	before = prn_decider_threshold(desk.decider);
	desk_close(&desk);
	snprintf(lost, sizeof lost, "%s.2", desk.path);
	snprintf(away, sizeof away, "%s-away", desk.path);
	must(!rename(lost, away), "take a shard away");
	desk_reopen(&desk);
	beside = (struct told){ 0 };
	for (int64_t now = T0 + 30 * DAY + HOUR; now < T0 + 34 * DAY; now += HOUR)
		fetch(&desk, now, 1000, 404, &beside);
	ok(beside.known >= 0.4 * 4 * 60 && beside.fresh >= 0.4 * 4 * 60, "where a shard is lost each kind has its half: %u known and %u new", beside.known, beside.fresh);
	ok(prn_decider_threshold(desk.decider) < 4 * before, "and the threshold rises no faster: %g to %g", before, prn_decider_threshold(desk.decider));
	desk_release(&desk);
}

/* A daemon that asks before it has pages, or has one: the first list of pages has the budget as if it had not asked. */
static double first_threshold(unsigned known, bool asks)
{
	struct desk desk;
	struct told told = { 0 };
	double threshold;

	open_desk(&desk, (struct prn_decider_settings){ .budget_per_day = 100 });
	fetch_known(&desk, known);
	for (int64_t now = T0; asks && now < T0 + 5 * HOUR; now += HOUR)
		fetch(&desk, now, 1000, 200, &told);
	add_listed(&desk, 0, 3000, T0 + 5 * HOUR);
	for (int64_t now = T0 + 5 * HOUR; now < T0 + DAY; now += HOUR)
		fetch(&desk, now, 1000, 200, &told);
	threshold = prn_decider_threshold(desk.decider);
	desk_release(&desk);
	return threshold;
}

static void asked_early(void)
{
	double never = first_threshold(0, false), empty = first_threshold(0, true), one = first_threshold(1, true);

	ok(fabs(log(empty / never)) < 0.1, "who asks before there are pages comes to the same threshold: %g and %g", empty, never);
	ok(fabs(log(one / never)) < 0.1, "and so does who asks when there is one: %g", one);
}

/* Hosts that are asked for one page at a time, each with a list. */
static void of_each_host(void)
{
	enum { MANY = 5, PAGES = 40, LIST = 300, CALLS = 80 };
	unsigned fresh[MANY] = { 0 }, known[MANY] = { 0 }, least_fresh = CALLS, least_known = CALLS;
	struct desk desk;
	enum prn_added added;
	char url[64];

	open_desk(&desk, (struct prn_decider_settings){ .threshold = 0.25 });
	for (unsigned host = 0; host < MANY; host++) {
		for (unsigned i = 0; i < PAGES; i++)
			for (int day = 40; day; day -= 20) {
				snprintf(url, sizeof url, "http://h%u.example/known/%u", host, i);
				desk_text(&desk, url, T0 - day * DAY, text_from(1000 * i + 20 * (unsigned)day));
			}
		for (unsigned i = 0; i < LIST; i++) {
			snprintf(url, sizeof url, "http://h%u.example/listed/%u", host, i);
			must(!prn_decider_add(desk.decider, url, host + 1, T0 - 30 * DAY, &added, NULL), "add a page");
		}
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	for (int64_t i = 0; i < CALLS; i++) {
		int64_t now = T0 + 20 * DAY + 60 * i;
		struct prn_due_list list;

		prn_due_list_init(&list);
		must(desk_due(&desk, &list, now, 10, 600) == MANY, "hand out one page of each host");
		for (size_t k = 0; k < list.count; k++) {
			unsigned host = (unsigned)(list.items[k].url[strlen("http://h")] - '0');

			fresh[host] += strstr(list.items[k].url, "listed") != NULL;
			known[host] += strstr(list.items[k].url, "known") != NULL;
			desk_text(&desk, list.items[k].url, now, text_from(7));
		}
		must(!prn_decider_commit(desk.decider, NULL), "commit");
		prn_due_list_release(&list);
	}
	for (unsigned host = 0; host < MANY; host++) {
		least_fresh = fresh[host] < least_fresh ? fresh[host] : least_fresh;
		least_known = known[host] < least_known ? known[host] : least_known;
	}
	ok(least_fresh >= CALLS / 5 && least_known >= CALLS / 5, "each of several hosts has both: %u new and %u known of %d at least", least_fresh, least_known, CALLS);
	desk_release(&desk);
}

/* A small budget, of which one page that is due and not given is a large part. */
static void of_a_small_budget(void)
{
	struct desk desk;
	struct told before = { 0 }, beside = { 0 };

	open_desk(&desk, (struct prn_decider_settings){ .budget_per_day = 2 });
	fetch_known(&desk, 20);
	for (int64_t call = 0; call < 60 * 4; call++)
		fetch(&desk, T0 + call * 6 * HOUR, 1000, 200, &before);
	add_listed(&desk, 0, 400, T0 + 60 * DAY);
	for (int64_t call = 60 * 4; call < 150 * 4; call++)
		fetch(&desk, T0 + call * 6 * HOUR, 1000, 200, &beside);
	/* What new pages have become is known, but not due for a while; among shards the half is of each shard, and so is the chance. */
	ok(beside.known >= (desk_shards() > 1 ? 0.14 : 0.28) * 180 && beside.fresh >= 0.4 * 180, "of two visits a day known pages have a part as well: %u and %u in 90 days", beside.known, beside.fresh);
	desk_release(&desk);
}

/* Pages that were tried in vain stand before all known ones, and are new ones' part: neither kind is hidden by thousands of them. */
static void behind_dead_ones(void)
{
	enum { DEAD = 3000 };
	struct desk desk;
	struct told told;
	unsigned known;
	char url[64];

	open_desk(&desk, (struct prn_decider_settings){ .threshold = 0.25 });
	fetch_known(&desk, 200);
	for (unsigned i = 0; i < DEAD; i++)
		for (int hour = 0; hour < 4; hour += 2) {
			snprintf(url, sizeof url, "http://dead-%u.example/", i);
			desk_status(&desk, url, T0 - 30 * DAY + hour * HOUR, 500);
		}
	add_listed(&desk, 0, 300, T0 - 10 * DAY);
	told = look(&desk, T0 + 20 * DAY, 100, 60);
	ok(told.known >= 50 - desk_shards() && told.fresh >= 50 - desk_shards(), "thousands that were tried in vain hide neither known pages nor new ones: %u and %u of 100",
	   told.known, told.fresh);
	known = told.known;
	told = look(&desk, T0 + 20 * DAY + 10, 1000, 60);
	ok(known + told.known == 200, "and take no more than new ones may: %u known, after %u", told.known, known);
	desk_release(&desk);
}

/*
 * A page that waits for its host, and was tried in vain, has its turn though a clock is set back before what the host has out is reported:
 * the host may be asked then, and the page waits for later than that.
 */
static void set_back(void)
{
	static const char known[] = "http://later.example/1", vain[] = "http://later.example/2";
	enum prn_added added;
	struct desk desk;

	open_desk(&desk, (struct prn_decider_settings){ .threshold = 0.25 });
	desk_text(&desk, known, T0 - 40 * DAY, text_from(1));
	desk_text(&desk, known, T0 - 20 * DAY, text_from(40));
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	same(desk_names(&desk, T0 - HOUR, 10, DAY), "1", "a host has a page out");
	must(!prn_decider_add(desk.decider, vain, 1, T0, &added, NULL), "add a page");
	desk_status(&desk, vain, T0, 500);
	desk_status(&desk, vain, T0 + 2 * HOUR, 500);
	same(desk_names(&desk, T0 + 5 * HOUR, 10, 600), "", "and one that was tried in vain waits");
	desk_text(&desk, known, T0 + 3 * HOUR, text_from(80));
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	same(desk_names(&desk, T0 + 3 * HOUR + 60, 10, 600), "", "it is not handed out where a clock is set back");
	same(desk_names(&desk, T0 + 6 * HOUR, 10, 600), "2", "but it is afterwards");
	desk_release(&desk);
}

/* Whoever tunes while a list is there sets no threshold that keeps known pages from their half. */
static void tuned(void)
{
	struct prn_tuning_request request = { .apply = true, .budget = { 60, PRN_UNIT_VISITS } };
	struct prn_tuning tuning;
	struct desk desk;
	struct told told = { 0 }, beside = { 0 };
	double before;

	open_desk(&desk, (struct prn_decider_settings){ .budget_per_day = 60 });
	fetch_known(&desk, 400);
	for (int64_t now = T0; now < T0 + 30 * DAY; now += HOUR)
		fetch(&desk, now, 1000, 200, &told);
	before = prn_decider_threshold(desk.decider);
	add_listed(&desk, 0, 4000, T0 + 30 * DAY);
	fetch(&desk, T0 + 30 * DAY, 1000, 200, &beside);
	must(!prn_decider_tune(desk.decider, &request, &tuning, NULL), "tune");
	ok(tuning.threshold > 10 * before && prn_decider_threshold(desk.decider) < 1.1 * before,
	   "tuning to the same budget finds the threshold of all pages, and leaves it to time: %g, and %g is %g", tuning.threshold, before, prn_decider_threshold(desk.decider));
	beside = (struct told){ 0 };
	for (int64_t now = T0 + 30 * DAY + HOUR; now < T0 + 34 * DAY; now += HOUR)
		fetch(&desk, now, 1000, 200, &beside);
	ok(beside.known >= (desk_shards() ? 0.4 : 0.47) * 4 * 60, "known pages have their half afterwards: %u in four days", beside.known);
	request.budget.per_day = 30;
	must(!prn_decider_tune(desk.decider, &request, &tuning, NULL), "tune");
	ok(prn_decider_threshold(desk.decider) < tuning.threshold / 2, "so does who halves the budget: %g of %g", prn_decider_threshold(desk.decider), tuning.threshold);
	desk_release(&desk);
}

/* The lead itself. */
static void leads(void)
{
	struct desk desk;
	struct prn_store_reader reader;
	struct prn_lead lead;
	static const char *const damaged[] = { "", "x", "-1", "nan", "inf", "1 2", "1e999" };
	unsigned none = 0;

	open_desk(&desk, (struct prn_decider_settings){ .threshold = 0.25 });
	reader = prn_decider_reader(desk.decider);
	must(!prn_lead_read(&lead, &reader, NULL), "read a lead");
	ok(!(lead.cost > 0), "a store begins without a lead");
	prn_lead_count(&lead, true, 5, false);
	ok(!(lead.cost > 0), "a new page beside which nothing is due brings no lead");
	prn_lead_count(&lead, true, 5, true);
	prn_lead_count(&lead, false, 2, true);
	near(lead.cost, 3, 1e-12, "a known page takes off what it costs");
	must(!prn_lead_put(&lead, desk.decider->batch, NULL) && !prn_decider_commit(desk.decider, NULL), "keep a lead");
	reader = prn_decider_reader(desk.decider);
	must(!prn_lead_read(&lead, &reader, NULL), "read a lead");
	near(lead.cost, 3, 1e-12, "a lead is kept");
	prn_lead_count(&lead, false, 7, false);
	ok(!(lead.cost > 0), "and known pages get none");
	must(!prn_lead_put(&lead, desk.decider->batch, NULL) && !prn_decider_commit(desk.decider, NULL), "keep a lead");
	reader = prn_decider_reader(desk.decider);
	must(!prn_lead_read(&lead, &reader, NULL), "read a lead");
	ok(!(lead.cost > 0), "that there is none is kept as well");
	for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
		desk_put_side(&desk, PRN_SIDE_META, "lead", 4, damaged[i], strlen(damaged[i]));
		desk_reopen(&desk);
		reader = prn_decider_reader(desk.decider);
		none += !prn_lead_read(&lead, &reader, NULL) && !(lead.cost > 0);
	}
	ok(none == sizeof damaged / sizeof *damaged, "a damaged one counts as none: %u", none);
	desk_release(&desk);
}

static enum prn_lane lane_of(struct desk *desk, const char *url)
{
	struct prn_record record;
	struct prn_view *view;
	struct prn_digest key = prn_url_key(url);
	enum prn_lane lane;

	must(!prn_decider_commit(desk->decider, NULL), "commit");
	must(!prn_view_open(&view, prn_decider_store(desk_shard(desk, url)), NULL) && !prn_view_get(view, &key, &record, NULL), "read a page");
	lane = record.lane;
	prn_view_close(view);
	return lane;
}

/* A page that was tried in vain no longer comes before all others. */
static void tried_in_vain(void)
{
	const char *url = "http://vain.example/";
	enum prn_added added;
	struct desk desk;

	open_desk(&desk, (struct prn_decider_settings){ .threshold = 0.25 });
	must(!prn_decider_add(desk.decider, url, 1, T0, &added, NULL), "add a page");
	ok(lane_of(&desk, url) == PRN_LANE_NEW, "a page that was added is new");
	desk_status(&desk, url, T0, 500);
	ok(lane_of(&desk, url) == PRN_LANE_NEW, "and so is one that was tried once");
	desk_status(&desk, url, T0 + 2 * HOUR, 500);
	ok(lane_of(&desk, url) == PRN_LANE_VAIN, "but not one that was tried in vain twice");
	desk_text(&desk, url, T0 + 9 * HOUR, text_from(1));
	ok(lane_of(&desk, url) == PRN_LANE_KNOWN, "and one that was fetched is known");
	desk_release(&desk);
}

/* Of both kinds those count as due whose time has come. */
static void counted(void)
{
	struct prn_stats stats = { 0 };
	enum prn_added added;
	struct desk desk;
	char url[64];

	open_desk(&desk, (struct prn_decider_settings){ .threshold = 0.25 });
	fetch_known(&desk, 7);
	for (int i = 0; i < 12; i++) {
		snprintf(url, sizeof url, LISTED, (unsigned)i);
		must(!prn_decider_add(desk.decider, url, 1, T0 - 20 * DAY + (i < 5 ? HOUR : DAY), &added, NULL), "add a page");
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	must(!prn_decider_stats(desk.decider, T0 - 20 * DAY + 2 * HOUR, &stats, NULL), "read stats");
	ok(stats.overdue == 5 && stats.overdue_new == 5 && stats.totals.due == 19, "new pages are due when their time has come: %llu of %llu",
	   (unsigned long long)stats.overdue, (unsigned long long)stats.totals.due);
	must(!prn_decider_stats(desk.decider, T0 + 60 * DAY, &stats, NULL), "read stats");
	ok(stats.overdue == 19 && stats.overdue_new == 12, "and known ones: %llu, %llu of them new", (unsigned long long)stats.overdue,
	   (unsigned long long)stats.overdue_new);
	desk_release(&desk);
}

/* Loads that fall with the root of T, of which the thresholds are known: known pages want known/√T a day, and new ones fresh/√T. */
static double raised_to(struct desk *desk, double known, double fresh, double before, double days)
{
	const struct prn_budget aim = { 1, PRN_UNIT_VISITS };
	struct prn_store_reader reader;
	struct prn_loads loads = { .pages = 100 };
	double threshold = 0, at = PRN_LOADS_FIRST;
	bool held;

	for (int i = 0; i < PRN_LOADS; i++, at *= PRN_LOADS_RATIO) {
		loads.at[i] = (uint64_t)((known + fresh) / sqrt(at) * 1048576);
		loads.fresh[i] = (uint64_t)(fresh / sqrt(at) * 1048576);
	}
	must(!prn_loads_put(desk->decider, &loads, NULL), "keep loads");
	reader = prn_decider_reader(desk->decider);
	must(!prn_loads_threshold(&reader, &aim, before, days, &threshold, &held, NULL), "find a threshold");
	must(held == (isfinite(before) && threshold < pow(known + fresh, 2) * 0.99 && threshold >= before), "tell whether it is held");
	return threshold;
}

static void raised(void)
{
	/* One look at each known page: their load at the first threshold, where each has the shortest interval, times that. */
	const double once = 1 / sqrt(PRN_LOADS_FIRST) * PRN_LOADS_LEAST_S / DAY;
	struct desk desk;

	open_desk(&desk, (struct prn_decider_settings){ .budget_per_day = 1 });
	near(raised_to(&desk, 1, 99, INFINITY, 0) / 1e4, 1, 1e-3, "where no threshold was sought before, it is that of all pages");
	near(raised_to(&desk, 1, 99, 2e4, 9) / 1e4, 1, 1e-3, "new pages do not keep it from falling");
	near(raised_to(&desk, 1, 99, 0.5, 1), 1, 1e-3, "it rises at once to where known pages want the budget alone");
	near(raised_to(&desk, 1, 99, 2, 0), 2, 1e-3, "new pages do not raise it at once");
	near(raised_to(&desk, 1, 99, 2, 10), 2 * exp(10 / once / sqrt(2) / 2), 1e-3, "but as fast as known pages grow late");
	near(raised_to(&desk, 1, 99, 2, 5000), 4, 1e-3, "to where these want half of the budget");
	near(raised_to(&desk, 1, 99, 5, 5000), 5, 1e-3, "and from beyond that not at all");
	near(raised_to(&desk, 1, 0.1, 1, 5000), 1.21, 1e-3, "a few new pages raise it to that of all pages");
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	leads();
	behind_a_list();
	of_one_host(10, true);
	of_one_host(100000, false);
	of_each_host();
	however_often();
	asked_early();
	of_a_small_budget();
	behind_dead_ones();
	set_back();
	without_a_shard();
	tuned();
	raised();
	tried_in_vain();
	counted();
	with_a_budget("visits", PRN_UNIT_VISITS, 200);
	with_a_budget("visits, a list of dead pages", PRN_UNIT_VISITS, 404);
	with_a_budget("bytes", PRN_UNIT_BYTES, 200);
	return done();
}
