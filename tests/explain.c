/* Why a page is visited when it is. */
#include "perennial/due.h"
#include "perennial/explanation.h"

#include "desk.h"

static void a_page_by_drift(void)
{
	struct prn_explanation page;
	struct prn_error error = { 0 };
	struct desk desk;

	desk_open(&desk, NULL, 0.5);
	for (int i = 0; i < 5; i++)
		desk_text(&desk, PAGE, T0 + i * DAY, text_from((unsigned)i * 10));
	prn_decider_commit(desk.decider, NULL);
	prn_explanation_init(&page);
	ok(!prn_decider_explain(desk.decider, "HTTP://a.example:80/page", T0 + 6 * DAY, &page, &error),
	   "a page is found by any spelling of its URL");
	ok(page.status == PRN_PAGE_LIVE, "a page with content is explained as live");
	ok(page.visits == 5 && page.visited == T0 + 4 * DAY,
	   "a page is explained with its visits and the last of them");
	ok(!page.failures, "a page that never failed is explained without failures");
	ok(page.next == desk.outcome.next && page.reason == PRN_NEXT_RULE,
	   "a page is explained with the next visit that was decided, and its reason");
	ok(page.lease == PRN_TIME_UNKNOWN, "a page that is not out is explained without a lease");
	ok(page.host_until == PRN_TIME_UNKNOWN,
	   "a page whose host wants nothing is explained without a wait for it");
	ok(page.state_bytes <= 128, "the state of a page is at most 128 bytes");
	ok(page.has_curve && page.curve.form == PRN_CURVE_LINE, "drift's curve is explained as a line");
	ok(!page.point_count, "drift's curve is explained without a profile");
	near(page.elapsed_days, 2, 1e-9, "the time that has passed is counted from the last visit");
	near(page.utility, page.curve.slope * 2 * 2 / 2, 1e-9, "the utility of drift's line is U = s t²/2");
	near(page.reaches_days, sqrt(2 * 0.5 / page.curve.slope), 1e-6,
	     "the utility of drift's line reaches T at sqrt(2T/s)");
	near(page.period_days, page.reaches_days, 1e-6,
	     "drift's period is the time in which its utility reaches T");
	ok(page.rule == PRN_REASON_RULE && llabs(page.policy_next - page.next) <= 1,
	   "a next visit within its bounds is the one that the rule says");
	near(page.min_s, 600, 0, "a next visit is no sooner than ten minutes where nothing else is said");
	near(page.max_s, 180 * 86400.0, 0, "a next visit is no later than half a year where nothing else is said");
	ok(prn_decider_explain(desk.decider, "http://a.example/none", T0, &page, &error) == PRN_E_NOT_FOUND,
	   "a page that is not in the store is not found: %s", error.text);
	ok(prn_decider_explain(desk.decider, "page", T0, &page, &error) == PRN_E_INPUT,
	   "a text that is no URL is refused: %s", error.text);
	must(!prn_decider_explain(desk.decider, PAGE, INT64_MIN + 1, &page, &error), "explain");
	ok(page.elapsed_days < -1e13, "at the beginning of all time the last visit is yet to come: %g days", page.elapsed_days);
	prn_explanation_release(&page);
	desk_release(&desk);
}

static double usual_of(struct desk *desk)
{
	struct prn_explanation page;
	double usual;

	must(!prn_decider_commit(desk->decider, NULL), "commit");
	prn_explanation_init(&page);
	must(!prn_decider_explain(desk->decider, PAGE, T0, &page, NULL), "explain");
	usual = page.usual;
	prn_explanation_release(&page);
	return usual;
}

/* The mean divergence while there are few visits, a fading one afterwards; in 255ths, so each visit may round by 1/510. */
static void usual_divergence(void)
{
	struct desk desk;
	int visit = 0;

	desk_open(&desk, NULL, 0.5);
	for (; visit < 2; visit++)
		desk_text(&desk, PAGE, T0 + visit * DAY, text_from(1000 * (unsigned)visit));
	near(usual_of(&desk), 1, 1e-9, "a page that was new all over at its second visit is usually new all over");
	for (; visit < 4; visit++)
		desk_text(&desk, PAGE, T0 + visit * DAY, text_from(1000));
	near(usual_of(&desk), 1 / 3.0, 2 / 510.0,
	     "after two more visits without a change the usual divergence is the mean of the three");
	desk_release(&desk);

	desk_open(&desk, NULL, 0.5);
	for (visit = 0; visit < 10; visit++)
		desk_text(&desk, PAGE, T0 + visit * DAY, text_from(1000 * (unsigned)visit));
	for (; visit < 15; visit++)
		desk_text(&desk, PAGE, T0 + visit * DAY, text_from(9000));
	near(usual_of(&desk), pow(0.9, 5), 5 / 510.0,
	     "after ten visits each counts a tenth of the usual divergence: five without a change leave 0.9^5");
	desk_release(&desk);
}

static void a_page_by_its_profile(void)
{
	struct prn_explanation page;
	struct desk desk;

	desk_open(&desk, "curve-fitting:history=1", 0.5);
	for (int i = 0; i < 6; i++)
		desk_text(&desk, PAGE, T0 + i * DAY, text_from((unsigned)i * 10));
	prn_decider_commit(desk.decider, NULL);
	prn_explanation_init(&page);
	ok(!prn_decider_explain(desk.decider, PAGE, T0 + 6 * DAY, &page, NULL), "a page of curve fitting is explained");
	ok(page.point_count == 5 && page.has_curve, "curve fitting shows its profile and the curve");
	near((double)page.points[2].lag, 3, 0.01, "the points of a profile are shown by their lag in days");
	desk_status(&desk, PAGE, T0 + 7 * DAY, 429);
	prn_decider_commit(desk.decider, NULL);
	ok(!prn_decider_explain(desk.decider, PAGE, T0 + 7 * DAY, &page, NULL) &&
	           page.host_until == T0 + 7 * DAY + HOUR,
	   "a page is explained with the time until which its host wants to be left alone");
	ok(page.reason == PRN_NEXT_HOST && page.next == page.host_until,
	   "the next visit of a page whose host wants to be left alone is at the end of that, for that reason");
	ok(page.failures == 1, "an answer of 429 is explained as a failure");
	ok(page.visited == T0 + 5 * DAY && page.attempted == T0 + 7 * DAY,
	   "the last attempt is told apart from the last visit that brought content");
	prn_explanation_release(&page);
	desk_release(&desk);
}

static void a_page_never_visited(void)
{
	struct prn_explanation page;
	struct desk desk;
	enum prn_added added;

	desk_open(&desk, NULL, 0);
	must(!prn_decider_add(desk.decider, PAGE, 2, T0, &added, NULL) && !prn_decider_commit(desk.decider, NULL),
	     "add");
	prn_explanation_init(&page);
	ok(!prn_decider_explain(desk.decider, PAGE, T0 + DAY, &page, NULL), "a page never visited is explained");
	ok(page.status == PRN_PAGE_NEW && page.visited == PRN_TIME_UNKNOWN, "a page never visited is explained as new, without a visit");
	ok(page.next == T0 && page.reason == PRN_NEXT_NEW,
	   "a page never visited is due since it was added, because it is new");
	ok(page.utility <= 0, "a page never visited has no utility");
	ok(page.policy_next == PRN_TIME_UNKNOWN, "a page never visited has no time that its policy decided");
	prn_explanation_release(&page);
	desk_release(&desk);
}

/* A minimum for a place and a lower maximum for a media type. */
static void bounds_that_cross(void)
{
	static const struct prn_interval_rule rules[] = {
		{ NULL, "text/plain", 0, 5 * 86400.0 },
		{ "example,a", NULL, 30 * 86400.0, 0 },
	};
	struct prn_explanation page;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.intervals = rules;
	desk.options.interval_count = sizeof rules / sizeof *rules;
	desk_reopen(&desk);
	desk_text(&desk, PAGE, T0, text_from(0));
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	prn_explanation_init(&page);
	ok(!prn_decider_explain(desk.decider, PAGE, T0, &page, NULL) && page.next == T0 + 30 * DAY,
	   "where a minimum interval is above a maximum, a page is visited at the minimum");
	near(page.min_s, 30 * 86400.0, 0, "the minimum interval is explained as it is where it is above the maximum");
	near(page.max_s, 30 * 86400.0, 0, "the maximum interval is explained as no less than the minimum");
	prn_explanation_release(&page);
	desk_release(&desk);
}

static int count(void *context, const struct prn_explanation *page)
{
	int *left = context;

	return page->url[0] ? --*left == 0 : 1;
}

struct taking {
	struct desk *desk;
	unsigned taken;
};

#define MANY 1000

static int take_and_write(void *context, const struct prn_explanation *page)
{
	struct taking *taking = context;
	uint64_t forgotten = 0;
	char url[64];

	(void)page;
	/* All but one hundred pages go while the first one is taken. */
	for (unsigned i = 100; i < MANY && !taking->taken; i++) {
		snprintf(url, sizeof url, "http://a.example/%u", i);
		if (prn_decider_forget(taking->desk->decider, PRN_FORGET_URL, url, &forgotten, NULL))
			return 1;
	}
	taking->taken++;
	return 0;
}

/* A pipe that nobody reads must not hold a view of the store. */
static void taken_slowly(void)
{
	struct desk desk;
	struct taking taking = { .desk = &desk };
	enum prn_added added;
	char url[64];

	desk_open(&desk, NULL, 0);
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(url, sizeof url, "http://a.example/%u", i);
		must(!prn_decider_add(desk.decider, url, 0, T0, &added, NULL), "add");
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	ok(!prn_decider_each(desk.decider, T0, take_and_write, &taking, NULL), "pages may be forgotten while each is taken");
	ok(taking.taken < MANY / 2 && taking.taken >= 100,
	   "no view waits for a page to be taken: what is forgotten meanwhile comes no more: %u of %d", taking.taken, MANY);
	desk_release(&desk);
}

static void add_page(struct desk *desk, const char *url)
{
	enum prn_added added;

	must(!prn_decider_add(desk->decider, url, 1, T0, &added, NULL), "add a page");
}

struct writing {
	struct desk *desk;
	struct prn_digest last;
	unsigned taken, out_of_order;
};

/* Writes now and then, so that further pages are read by a thread while this one commits. */
static int write_and_take(void *context, const struct prn_explanation *page)
{
	struct writing *writing = context;
	struct prn_digest key = prn_url_key(page->url);
	enum prn_added added;

	writing->out_of_order += writing->taken && prn_digest_compare(&writing->last, &key) >= 0;
	writing->last = key;
	if (++writing->taken % 50)
		return 0;
	return prn_decider_add(writing->desk->decider, page->url, 2, T0, &added, NULL) ||
	       prn_decider_commit(writing->desk->decider, NULL);
}

static void taken_beside_writes(void)
{
	struct desk desk;
	struct writing writing = { .desk = &desk };
	char url[64];

	desk_open(&desk, NULL, 0);
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(url, sizeof url, "http://h%u.example/%u", i % 7, i);
		add_page(&desk, url);
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	ok(!prn_decider_each(desk.decider, T0, write_and_take, &writing, NULL), "pages may be written while each is taken");
	ok(writing.taken == MANY && !writing.out_of_order, "pages that are written meanwhile are explained once each, in the order of keys: %u of %d",
	   writing.taken, MANY);
	desk_release(&desk);
}

static void every_page(void)
{
	struct prn_error error = { 0 };
	struct desk desk;
	int left = 100;

	desk_open(&desk, NULL, 0);
	for (int i = 0; i < 20; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://a.example/%d", i);
		desk_text(&desk, url, T0 + i, text_from((unsigned)i));
	}
	prn_decider_commit(desk.decider, NULL);
	ok(!prn_decider_each(desk.decider, T0, count, &left, NULL) && left == 80, "every page is explained once");
	left = 3;
	ok(prn_decider_each(desk.decider, T0, count, &left, &error) == PRN_E_CANCELLED && left == 0,
	   "the explanation of every page ends when who takes them has enough");
	desk_release(&desk);
}

/* What a callback is to answer, and how often it was asked. */
struct answering {
	int code;
	unsigned asked;
};

static int answer(void *context, const struct prn_explanation *page)
{
	struct answering *answering = context;

	(void)page;
	answering->asked++;
	return answering->code;
}

/* PRN_E_DAMAGED is also what a shard that is left out has. */
static void codes_of_takers(unsigned shards)
{
	static const int codes[] = { PRN_E_IO, PRN_E_DAMAGED, PRN_E_MEMORY };
	const struct prn_decider_settings settings = { .shards = shards };
	struct prn_error error = { .code = 42 };
	struct desk desk = { 0 };
	char url[64];

	snprintf(desk.path, sizeof desk.path, "%s/takers-%u", scratch, shards);
	desk_create(&desk, &settings);
	for (int i = 0; i < 20; i++) {
		snprintf(url, sizeof url, "http://h%d.example/", i);
		desk_status(&desk, url, T0, 404);
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
		struct answering answering = { .code = codes[i] };

		ok(prn_decider_each(desk.decider, T0, answer, &answering, &error) == codes[i],
		   "%u shards: the explanation of every page ends with the code of who takes them, %d", shards, codes[i]);
		ok(answering.asked == 1, "%u shards: no page is explained after an answer of %d", shards, codes[i]);
		ok(error.code == 42, "%u shards: an answer of %d leaves the error to who takes the explanations", shards, codes[i]);
	}
	desk_release(&desk);
}

static void explain_at(struct desk *desk, const char *url, int64_t now, struct prn_explanation *page)
{
	must(!prn_decider_explain(desk->decider, url, now, page, NULL), "explain");
}

/* What holds a host back is told apart, with its end and with the rules in force. */
static void hosts(void)
{
	struct prn_host_rule rules[] = { { "example,night", -1, -1, 0, 0, NULL }, { "example,slow", 90, 0, 0, 0, NULL },
		                         { "example,part", -1, -1, 0, 0, "all" }, { "@all", -1, 3, 0, 0, NULL } };
	static const char *const names[] = { "night", "slow", "full", "part" };
	const struct prn_due_request request = { T0, 100, 600 };
	struct prn_capture busy = status_of("http://busy.example/1", T0, 429);
	struct prn_explanation page;
	struct prn_due_list list;
	struct desk desk;
	char url[64];

	rules[0].from_s = (double)((T0 + 2 * HOUR) % DAY);
	rules[0].to_s = (double)((T0 + 3 * HOUR) % DAY);
	desk_open(&desk, NULL, 0);
	desk.options.hosts = rules;
	desk.options.host_count = 4;
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	busy.retry_after_s = 2 * HOUR;
	desk_answer(&desk, busy);
	for (size_t i = 0; i < 4; i++)
		for (int j = 1; j < 3; j++) {
			snprintf(url, sizeof url, "http://%s.example/%d", names[i], j);
			add_page(&desk, url);
		}
	prn_due_list_init(&list);
	must(!prn_decider_due(desk.decider, &request, &list, NULL), "ask");
	add_page(&desk, "http://slow.example/3");
	add_page(&desk, "http://full.example/3");
	add_page(&desk, "http://free.example/1");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	prn_explanation_init(&page);
	explain_at(&desk, "http://full.example/3", T0, &page);
	ok(page.held == PRN_HELD_LIMIT && page.held_until == T0 + 600, "a host that is full is explained by its limit, until its lease ends");
	same(page.host, "full.example", "a page is explained with its host");
	ok(page.host_limit == 1 && page.host_delay_s <= 0, "a page is explained with the limit and the delay of its host");
	ok(page.host_from_s <= 0 && page.host_to_s <= 0, "a page is explained with the hours of its host");
	explain_at(&desk, "http://slow.example/3", T0 + 10, &page);
	ok(page.held == PRN_HELD_DELAY && page.held_until == T0 + 90,
	   "a host that was just asked is explained by its delay, until it ends");
	ok(page.host_delay_s > 89 && !page.host_limit, "a host that was just asked is explained with the rule of its own");
	explain_at(&desk, "http://night.example/1", T0, &page);
	ok(page.held == PRN_HELD_HOURS && page.held_until == T0 + 2 * HOUR,
	   "a host that may not be asked at this hour is explained by that, until its hours begin");
	ok(page.host_from_s >= rules[0].from_s, "a host that may not be asked at this hour is explained with when its hours begin");
	ok(page.waits && page.reason == PRN_NEXT_HOST, "a page that is due is explained as waiting for its host");
	explain_at(&desk, "http://busy.example/1", T0 + 1, &page);
	ok(page.held == PRN_HELD_WISH && page.held_until == T0 + 2 * HOUR, "a host that wants to be left alone is explained by that");
	ok(!page.waits && page.reason == PRN_NEXT_HOST, "a page whose own answer asked for a pause waits for nobody");
	explain_at(&desk, "http://part.example/1", T0, &page);
	ok(!strcmp(page.host, "@all") && page.host_limit == 3, "a host of a group is explained with the group, and its rules");
	explain_at(&desk, "http://free.example/1", T0, &page);
	ok(page.held == PRN_HELD_NOT && page.held_until == PRN_TIME_UNKNOWN, "a host that may be asked is explained as held back by nothing");
	prn_explanation_release(&page);
	prn_due_list_release(&list);
	desk_release(&desk);
}

static enum prn_hinted told_of(struct desk *desk, const char *url, int64_t now)
{
	struct prn_hint hint = { .url = url, .normal_url = url, .time = now, .modified = PRN_TIME_UNKNOWN, .says_changed = true,
		                 .source = "map" };
	enum prn_hinted hinted;

	must(!prn_decider_hint(desk->decider, &hint, now, &hinted, NULL), "take a hint");
	return hinted;
}

static enum prn_hinted told(struct desk *desk, int64_t now)
{
	return told_of(desk, PAGE, now);
}

/* A page of which a source tells all changes and no other, one in eight days, at the last of many visits; when that was. */
static int64_t trust(struct desk *desk, const char *policy)
{
	int64_t t = T0;

	desk_open(desk, policy, 0.05);
	desk_text(desk, PAGE, t, text_from(0));
	for (unsigned day = 1; day < 200; day++) {
		if (day % 8 == 7)
			told(desk, t + DAY - HOUR);
		desk_text(desk, PAGE, t += DAY, text_from(10 * ((day + 1) / 8)));
	}
	must(!prn_decider_commit(desk->decider, NULL), "commit");
	return t;
}

static void held_back_by_hints(const char *policy)
{
	struct prn_explanation page;
	struct desk desk;
	int64_t t = trust(&desk, policy);
	double days;

	prn_explanation_init(&page);
	explain_at(&desk, PAGE, t + DAY, &page);
	printf("# %s: trust %g, elapsed %g as %g, next after %g, without hints after %g, W U = T at %g\n", policy, page.heard.trust,
	       page.elapsed_days, page.effective_days, page.period_days, page.unhinted_days, page.reaches_days);
	ok(page.heard.trust > 0.8, "%s: a page is explained with the hints that are heeded", policy);
	ok(page.heard_source == 0 && !strcmp(page.sources[0].name, "map"), "%s: a page is explained with whose hints are heeded", policy);
	ok(page.period_days > 1.1 * page.unhinted_days && page.policy_next > page.unhinted_next,
	   "%s: a page that a silent source holds back is explained with when it would be visited without hints", policy);
	ok(page.next == page.policy_next, "%s: the next visit is the one that is explained", policy);
	near(page.effective_days, (1 - page.heard.trust) * page.elapsed_days, 1e-9, "%s: the time that counts as passed is what hints leave of it", policy);
	days = fmin(page.reaches_days, 1e6);
	ok(page.period_days <= days * (1 + 1e-6), "%s: W U does not reach T before the next visit", policy);
	near(prn_explanation_utility(&page, page.reaches_days) / page.threshold, 1, 0.01, "%s: W U is T where it is said to be", policy);
	near(prn_explanation_utility(&page, page.elapsed_days), page.utility, 1e-9, "%s: W U now is on its curve", policy);
	ok(page.utility < page.threshold, "%s: a page that is held back is not worth a visit now", policy);

	days = page.unhinted_days;
	told(&desk, t + 2 * DAY);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	explain_at(&desk, PAGE, t + 3 * DAY, &page);
	ok(page.heard.count > 0.5 && page.period_days < days, "%s: what a source has told of a page shortens its period", policy);
	ok(page.next == t + 2 * DAY, "%s: a page that a source has told of is visited at once", policy);
	ok(page.policy_next == page.next, "%s: the policy itself has a page that a source has told of visited at once", policy);
	ok(page.reason == PRN_NEXT_RULE, "%s: the rule has a page that was told of visited, and not the least interval", policy);
	near(page.heard_days, 2, 1e-6, "%s: a page is explained with when the last hint came", policy);
	near(page.reaches_days, 2, 1e-6, "%s: what a hint makes worth a visit is so from the hint on", policy);
	ok(prn_explanation_utility(&page, 1.99) < page.threshold && prn_explanation_utility(&page, 2.01) > page.threshold,
	   "%s: W U passes T when the hint comes", policy);
	ok(prn_explanation_divergence(&page, 2.01) > 2 * prn_explanation_divergence(&page, 1.99),
	   "%s: what is expected to differ grows at once when the hint comes", policy);
	prn_explanation_release(&page);
	desk_release(&desk);
}

/* A hint that says nothing of a page that was due before it came. */
static void due_before_the_hint(const char *policy)
{
	struct prn_explanation before, after;
	struct desk desk;
	int64_t t = trust(&desk, policy), due;

	prn_explanation_init(&before);
	prn_explanation_init(&after);
	explain_at(&desk, PAGE, t + DAY, &before);
	due = before.next;
	told(&desk, due + 10 * DAY);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	explain_at(&desk, PAGE, due + 11 * DAY, &after);
	ok(after.heard.count > 0.5 && after.next == due,
	   "%s: a page that was due when a hint came is explained to be due since before", policy);
	ok(after.policy_next == due, "%s: the policy too has a page due since before a hint came", policy);
	near(after.reaches_days, before.reaches_days, 1e-9, "%s: W U reached T before the hint, and is said to", policy);
	prn_explanation_release(&before);
	prn_explanation_release(&after);
	desk_release(&desk);
}

/* Four changes within some hours, each told truly and visited at once: the next visit is to be earned. */
static void ahead_by_hints(const char *policy)
{
	struct prn_explanation page;
	struct desk desk;
	int64_t t = trust(&desk, policy) + 2 * DAY;

	for (unsigned i = 0; i < 4; i++, t += 2 * HOUR) {
		told(&desk, t);
		must(desk_look(&desk, PAGE).due <= t, "have a page visited at once");
		desk_text(&desk, PAGE, t + HOUR, text_from(1000 + 10 * i));
	}
	told(&desk, t);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	prn_explanation_init(&page);
	explain_at(&desk, PAGE, t, &page);
	printf("# %s: ahead %g, next after %g days, without hints after %g, W U = T at %g\n", policy, page.heard.ahead, page.period_days,
	       page.unhinted_days, page.reaches_days);
	ok(page.heard.ahead > 2.5, "%s: a page that hints have brought visits before their time is explained with how many", policy);
	ok(page.period_days > page.reaches_days && page.next > t + HOUR, "%s: a page that is ahead waits, whatever is told of it", policy);
	near(page.period_days, (page.heard.ahead - 2) * page.unhinted_days, 0.01 * page.unhinted_days,
	     "%s: a page that is ahead waits for what its next visit lacks", policy);
	prn_explanation_release(&page);
	desk_release(&desk);
}

/* Policies that are told not to heed hints, and one that heeds them in its own way, are explained by their curves alone. */
static void hints_that_are_not_heeded(const char *policy)
{
	struct prn_explanation page;
	struct desk desk;
	int64_t t = trust(&desk, policy);

	prn_explanation_init(&page);
	explain_at(&desk, PAGE, t + DAY, &page);
	ok(page.source_count == 1 && !(page.heard.rate > 0), "%s: hints are told of, and not heeded", policy);
	near(page.effective_days, 1, 1e-9, "%s: hints that are not heeded leave the time that has passed as it is", policy);
	near(page.utility, page.weight * prn_curve_utility(&page.curve, 1), 1e-9, "%s: W U is that of the curve", policy);
	prn_explanation_release(&page);
	desk_release(&desk);
}

static double value_at(struct desk *desk, int64_t now)
{
	struct prn_due_list list;
	double value;

	must(!prn_decider_commit(desk->decider, NULL), "commit");
	prn_due_list_init(&list);
	must(desk_due(desk, &list, now, 10, 0) == 1, "list a page");
	value = list.items[0].value;
	prn_due_list_release(&list);
	return value;
}

/* Pages that are due are handed out by what they are worth, hints included. */
static void valued(void)
{
	struct prn_explanation page;
	struct desk desk;
	int64_t t = trust(&desk, "drift");
	double silent = value_at(&desk, t + 100 * DAY);

	prn_explanation_init(&page);
	explain_at(&desk, PAGE, t + 100 * DAY, &page);
	near(silent, page.utility, 1e-9, "a page that is due is worth W U as it is explained");
	ok(silent < 0.1 * page.weight * prn_curve_utility(&page.curve, 100), "a page that a silent source has held back is not worth what it would be without it");
	told(&desk, t + 101 * DAY);
	ok(value_at(&desk, t + 101 * DAY) > 1.2 * silent, "a page that is due is worth more for a hint");
	prn_explanation_release(&page);
	desk_release(&desk);
}

#define RANKED 12

/* Pages of one host, some of which a trusted source has told of, some held back: all in the order of what they are explained to be worth. */
static void ranked(const char *policy)
{
	struct prn_explanation page;
	struct prn_due_list list;
	struct desk desk;
	int64_t t = trust(&desk, policy), now = t + 60 * DAY;
	bool ordered = true, worth = true;
	char url[64];

	for (unsigned i = 0; i < RANKED; i++) {
		snprintf(url, sizeof url, "http://a.example/%u", i);
		for (unsigned day = 0; day < 20; day++) {
			desk_text(&desk, url, t + day * DAY, text_from(day / (1 + i % 5)));
			if (day == 18 && i % 2)
				told_of(&desk, url, t + day * DAY + HOUR);
		}
		if (i % 4 == 3)
			told_of(&desk, url, now - DAY);
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	prn_explanation_init(&page);
	prn_due_list_init(&list);
	must(desk_due(&desk, &list, now, 2 * RANKED, 0) == RANKED + 1, "list the pages");
	for (size_t i = 0; i < list.count; i++) {
		explain_at(&desk, list.items[i].url, now, &page);
		worth &= fabs(list.items[i].value - page.utility) <= 1e-9 * page.utility;
		ordered &= !i || list.items[i].value <= list.items[i - 1].value;
	}
	ok(worth, "%s: every page that is due is worth what it is explained to be, hints included", policy);
	ok(ordered, "%s: pages that hints bring forward or hold back are in one order with the others, by that worth", policy);
	prn_due_list_release(&list);
	prn_explanation_release(&page);
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	a_page_by_drift();
	usual_divergence();
	a_page_by_its_profile();
	a_page_never_visited();
	bounds_that_cross();
	every_page();
	codes_of_takers(0);
	codes_of_takers(4);
	taken_slowly();
	taken_beside_writes();
	hosts();
	held_back_by_hints("drift");
	held_back_by_hints("cgm");
	ahead_by_hints("drift");
	due_before_the_hint("cgm");
	hints_that_are_not_heeded("drift:hints=no");
	hints_that_are_not_heeded("ncis");
	valued();
	ranked("drift");
	ranked("cgm");
	return done();
}
