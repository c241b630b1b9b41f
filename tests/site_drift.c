/* How the pages of a host drift, in the store: what is learned, from whom, what it is used for, and who could abuse it. */
#include "decide/site_drift.h"
#include "desk.h"
#include "perennial/explanation.h"

#include "base/random.h"
#include "store/schema.h"

#define HOST "a.example"
#define LATER (T0 + 400 * DAY)

static struct prn_site_drift read_site(struct desk *desk, const char *host, int64_t now)
{
	const struct prn_store_reader reader = prn_decider_reader(desk->decider);
	struct prn_site_drift site;

	must(!prn_site_drift_read(&site, &reader, (struct prn_host_name){ host, strlen(host) }, now, NULL), "read a site");
	return site;
}

static size_t bytes_of(struct desk *desk, const char *host)
{
	const struct prn_store_reader reader = prn_decider_reader(desk->decider);
	const void *bytes;
	size_t count = 0;

	if (prn_store_reader_side(&reader, PRN_SIDE_SIBLINGS, host, strlen(host), &bytes, &count, NULL))
		return 0;
	return count;
}

static void put_bytes(struct desk *desk, const char *host, const void *bytes, size_t count)
{
	must(!prn_batch_side_put(desk->decider->batch, PRN_SIDE_SIBLINGS, host, strlen(host), bytes, count, NULL), "put bytes");
}

static void forget(struct desk *desk, enum prn_forget by, const char *what)
{
	uint64_t forgotten;

	must(!prn_decider_forget(desk->decider, by, what, &forgotten, NULL), "forget");
}

static void explain(struct desk *desk, const char *url, struct prn_explanation *page)
{
	must(!prn_decider_commit(desk->decider, NULL), "commit");
	must(!prn_decider_explain(desk->decider, url, LATER, page, NULL), "explain");
}

static double period_of(struct desk *desk, const char *url)
{
	struct prn_explanation page;
	double period;

	prn_explanation_init(&page);
	explain(desk, url, &page);
	period = page.period_days;
	prn_explanation_release(&page);
	return period;
}

/* What all pages say, one by one, of whatever the sums of a host should have: the sums by brute force. */
static struct prn_site_drift sum_up(struct desk *desk, const struct prn_site_drift *site)
{
	struct prn_site_drift sums = *site;
	struct prn_record record;
	struct prn_entry entry;
	struct prn_walk *walk;
	struct prn_view *view;

	sums.evidence = (struct prn_evidence){ 0, 0 };
	sums.pages = 0;
	for (size_t i = 0; i < sums.count; i++) {
		sums.patterns[i].evidence = (struct prn_evidence){ 0, 0 };
		sums.patterns[i].pages = 0;
	}
	must(!prn_decider_commit(desk->decider, NULL), "commit");
	must(!prn_view_open(&view, prn_decider_store(desk->decider), NULL), "open a view");
	must(!prn_entry_init(&entry, desk->decider->policy, desk->decider->summary_limit), "make an entry");
	must(!prn_walk_pages(&walk, view, NULL, NULL), "walk");
	while (prn_walk_pages_next(walk, &record, NULL) == 1) {
		char text[PRN_PATTERN_BYTES + 1];
		struct prn_site_pattern *pattern;
		struct prn_said said;

		must(!prn_entry_read(&entry, &record, NULL), "read a page");
		said = prn_entry_said(&entry);
		pattern = prn_site_drift_find(&sums, prn_pattern_number(prn_entry_normal(&entry), text));
		if (said.time == PRN_TIME_UNKNOWN || strncmp(entry.url, "http://" HOST "/", strlen("http://" HOST "/")))
			continue;
		if (said.time > sums.host_since) {
			sums.evidence.drift += said.evidence.drift;
			sums.evidence.known += said.evidence.known;
			sums.pages++;
		}
		if (!pattern || said.time <= pattern->since)
			continue;
		pattern->evidence.drift += said.evidence.drift;
		pattern->evidence.known += said.evidence.known;
		pattern->pages++;
	}
	prn_walk_free(walk);
	prn_entry_release(&entry);
	prn_view_close(view);
	return sums;
}

static double apart(const struct prn_evidence *a, const struct prn_evidence *b)
{
	return fabs(a->drift - b->drift) + fabs(a->known - b->known);
}

/* Whether sums are what pages say, to the rounding of their states. */
static bool adds_up(struct desk *desk)
{
	struct prn_site_drift site = read_site(desk, HOST, LATER), sums = sum_up(desk, &site);
	bool holds = apart(&site.evidence, &sums.evidence) < 1e-4 && site.pages == sums.pages;

	for (size_t i = 0; i < site.count; i++)
		holds &= apart(&site.patterns[i].evidence, &sums.patterns[i].evidence) < 1e-4 &&
		         site.patterns[i].pages == sums.patterns[i].pages;
	return holds;
}

static void url_of(char url[80], unsigned page, unsigned patterns)
{
	snprintf(url, 80, "http://" HOST "/%c%c/%u.html", 'a' + (char)(page % patterns / 20), 'a' + (char)(page % patterns % 20), page);
}

/* Visits of pages at random, in the order of time or page by page. */
static void visit_pages(struct desk *desk, unsigned pages, unsigned patterns, unsigned visits, uint64_t seed)
{
	struct prn_random random;
	char url[80];

	prn_random_seed(&random, seed, 0);
	for (unsigned i = 0; i < visits; i++) {
		unsigned page = (unsigned)prn_random_below(&random, pages);

		url_of(url, page, patterns);
		desk_text(desk, url, T0 + (int64_t)seed * 100 * DAY + i * HOUR + (int64_t)prn_random_below(&random, 1800),
		          text_from(page * 7 + (unsigned)prn_random_below(&random, 3) * (page % 4)));
	}
}

static void test_sums(void)
{
	struct desk desk;
	char url[80];

	desk_open(&desk, "drift", 0.25);
	desk.clock = LATER;
	visit_pages(&desk, 40, 5, 400, 0);
	ok(read_site(&desk, HOST, LATER).count == 5 && read_site(&desk, HOST, LATER).pages == 40, "every pattern of a host is known, and every page");
	ok(adds_up(&desk), "what is known of a host is what its pages say, one by one");
	for (unsigned page = 50; page < 56; page++)
		for (unsigned visit = 0; visit < 5; visit++) {
			url_of(url, page, 5);
			desk_text(&desk, url, T0 - 50 * DAY + visit * DAY, text_from(page + visit));
		}
	ok(adds_up(&desk),
	   "what is known of a host is what its pages say, also where old histories are told page by page");
	for (unsigned page = 0; page < 20; page++) {
		url_of(url, page, 5);
		forget(&desk, PRN_FORGET_URL, url);
	}
	ok(read_site(&desk, HOST, LATER).pages == 26 && adds_up(&desk), "a page that is forgotten takes back what it said");
	forget(&desk, PRN_FORGET_SURT, "http://(example,a,)/aa/");
	ok(read_site(&desk, HOST, LATER).pages == 20 && adds_up(&desk), "pages that are forgotten by prefix take back what they said");
	desk_reopen(&desk);
	ok(adds_up(&desk),
	   "what is known of a host is what its pages say, in a store that was closed and opened again");
	forget(&desk, PRN_FORGET_HOST, "A.example");
	ok(!bytes_of(&desk, HOST), "a host that is forgotten leaves nothing");
	desk_release(&desk);
}

/* More patterns than a host may have, again and again. */
static void test_many(void)
{
	struct prn_site_drift site;
	struct desk desk;
	char url[80], text[PRN_PATTERN_BYTES + 1];

	desk_open(&desk, "drift", 0.25);
	desk.clock = LATER;
	for (unsigned visit = 0; visit < 10; visit++)
		for (unsigned page = 0; page < 8; page++) {
			snprintf(url, sizeof url, "http://" HOST "/news/%u", page);
			desk_text(&desk, url, T0 + 100 * DAY + visit * DAY, text_from(page + visit));
		}
	visit_pages(&desk, 300, 300, 1500, 1);
	site = read_site(&desk, HOST, LATER);
	ok(site.count == PRN_SITE_PATTERNS, "a host has forty patterns at most");
	ok(bytes_of(&desk, HOST) < 2000, "what is kept of a host stays below 2000 bytes (%zu)", bytes_of(&desk, HOST));
	ok(prn_site_drift_find(&site, prn_pattern_number("http://" HOST "/news/1", text)) != NULL,
	   "a pattern that is well known is not driven out by ever new ones");
	ok(adds_up(&desk), "however many patterns come and go, those that are kept add up to what their pages say");
	visit_pages(&desk, 300, 3, 600, 3);
	ok(adds_up(&desk), "patterns that are kept add up to what their pages say after a host had other pages");
	site = read_site(&desk, HOST, LATER);
	ok(prn_site_drift_find(&site, prn_pattern_number("http://" HOST "/aa/1", text)) &&
	           prn_site_drift_find(&site, prn_pattern_number("http://" HOST "/ab/1", text)),
	   "patterns that are visited take the places of those that are not any more");
	desk_release(&desk);
}

static struct prn_site_drift full_site(void)
{
	struct prn_site_drift site = { .host_since = PRN_TIME_UNKNOWN, .uncounted = PRN_TIME_UNKNOWN };

	for (unsigned i = 0; i < PRN_SITE_PATTERNS; i++)
		prn_site_drift_count(&site, 100 + i, NULL, &(struct prn_said){ { 0.1, 0.9 }, T0 + i });
	return site;
}

/* Who gets a place where there is none left. */
static void test_places(void)
{
	const struct prn_said now = { { 0.1, 0.5 }, T0 + 100 }, later = { { 0.1, 0.5 }, T0 + 60 * DAY };
	struct prn_site_drift site = full_site();
	unsigned char bytes[4096];
	const void *found;
	struct desk desk;
	size_t count;

	prn_site_drift_count(&site, 1, NULL, &now);
	ok(!prn_site_drift_find(&site, 1) && prn_site_drift_find(&site, 100),
	   "a pattern that is known less than all others gets no place");
	ok(site.uncounted == now.time,
	   "the visit of a pattern that gets no place is noted as one that no pattern has");
	prn_site_drift_count(&site, 2, NULL, &later);
	ok(prn_site_drift_find(&site, 2) && prn_site_drift_find(&site, 2)->since == now.time,
	   "patterns that nobody visits for two months make room");
	ok(!prn_site_drift_find(&site, 100),
	   "of patterns that make room the one that was longest not visited is the first");
	site = full_site();
	prn_site_drift_count(&site, 2, NULL, &later);
	ok(site.uncounted == T0 && prn_site_drift_find(&site, 2)->since == T0,
	   "what a pattern had that made room is noted as visits that no pattern has");

	desk_open(&desk, "drift", 0.25);
	must(!prn_site_drift_put(&site, desk.decider->batch, (struct prn_host_name){ HOST, strlen(HOST) }, NULL), "put a site");
	must(!prn_store_reader_side(&(struct prn_store_reader){ .batch = desk.decider->batch }, PRN_SIDE_SIBLINGS, HOST, strlen(HOST),
	                            &found, &count, NULL) && count + 44 <= sizeof bytes, "read bytes");
	/* As an older program wrote it, without a checksum. */
	memcpy(bytes, found, count);
	count -= 4;
	bytes[0] = 1;
	memcpy(bytes + count, bytes + count - 44, 44);
	put_bytes(&desk, HOST, bytes, count);
	ok(read_site(&desk, HOST, LATER).count == PRN_SITE_PATTERNS, "a record of forty patterns is read");
	put_bytes(&desk, HOST, bytes, count + 44);
	ok(!read_site(&desk, HOST, LATER).pages, "a record of more patterns than there may be is damaged");
	desk_release(&desk);
}

static void test_new_page(void)
{
	static const char new[] = "http://" HOST "/aa/new.html";
	struct desk desk, deaf;
	struct prn_explanation page;
	struct prn_site_drift site;
	struct prn_siblings siblings;
	char text[PRN_PATTERN_BYTES + 1];
	double rate;

	desk_open(&desk, "drift", 0.25);
	desk_open(&deaf, "drift:siblings=no", 0.25);
	for (unsigned visit = 0; visit < 6; visit++)
		for (unsigned i = 0; i < 4; i++) {
			char url[80];

			url_of(url, 5 * i, 5);
			desk_text(&desk, url, T0 + visit * DAY, text_from(10 * visit));
			desk_text(&deaf, url, T0 + visit * DAY, text_from(10 * visit));
		}
	site = read_site(&desk, HOST, LATER);
	siblings = prn_site_drift_siblings(&site, prn_pattern_number(new, text));
	rate = prn_siblings_rate(&siblings, 0.15 / 12);
	ok(rate > 0.02, "pages that gain a tenth a day are expected to drift (%.3f a day)", rate);
	desk_text(&desk, new, T0 + 6 * DAY, "words of a new page");
	desk_text(&deaf, new, T0 + 6 * DAY, "words of a new page");
	near(period_of(&desk, new), sqrt(2 * 0.25 / rate), 1e-5, "a new page has the period of its siblings' rate");
	near(period_of(&deaf, new), sqrt(2 * 0.25 * 12 / 0.15), 1e-5,
	     "a policy told not to heed siblings gives a new page the period of all pages' rate");
	ok(!bytes_of(&deaf, HOST), "a policy told not to heed siblings keeps nothing of hosts");
	prn_explanation_init(&page);
	explain(&desk, new, &page);
	ok(page.pattern_pages == 4 && page.host_pages == 4,
	   "of how many pages a page's rate was believed is explained");
	same(page.pattern, "/aa/", "of which pattern a page's rate was believed is explained");
	near(page.siblings_rate / rate, 1, 1e-6,
	     "the rate that is believed of a page from its siblings is explained");
	ok(page.siblings_left >= 1, "how much of a new page's rate is its siblings' is explained");
	explain(&desk, "http://" HOST "/aa/0.html", &page);
	ok(page.pattern_pages == 3, "a page is not among its own siblings");
	explain(&deaf, new, &page);
	ok(!(page.siblings_rate > 0), "a policy told not to heed siblings explains none");
	prn_explanation_release(&page);
	desk_release(&desk);
	desk_release(&deaf);
}

/* The only page of its host has nobody to be like. */
static void test_lonely(void)
{
	struct desk desk, deaf;
	bool same = true;

	desk_open(&desk, "drift", 0.25);
	desk_open(&deaf, "drift:siblings=no", 0.25);
	for (unsigned visit = 0; visit < 25; visit++) {
		desk_text(&desk, PAGE, T0 + visit * DAY, text_from(visit * (visit % 3)));
		desk_text(&deaf, PAGE, T0 + visit * DAY, text_from(visit * (visit % 3)));
		same &= desk_look(&desk, PAGE).due == desk_look(&deaf, PAGE).due;
	}
	ok(same, "the only page of a host is visited as if there were no siblings");
	desk_release(&desk);
	desk_release(&deaf);
}

/* A page that is not young any more: what it said stays, and neither is its host read for it nor written. */
static void test_old(void)
{
	struct prn_site_drift young, old;
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	for (unsigned visit = 0; visit <= PRN_SIBLINGS_INTERVALS; visit++)
		desk_text(&desk, PAGE, T0 + visit * DAY, text_from(visit));
	young = read_site(&desk, HOST, LATER);
	ok(young.pages == 1 && young.evidence.known > 0.5, "a young page tells what it is like");
	put_bytes(&desk, HOST, "damaged", 7);
	for (unsigned visit = 1; visit <= 5; visit++)
		desk_text(&desk, PAGE, T0 + (PRN_SIBLINGS_INTERVALS + visit) * DAY, text_from(7 * visit));
	ok(bytes_of(&desk, HOST) == 7, "of visits to a page that is not young nothing is written of its host");
	must(!prn_site_drift_put(&young, desk.decider->batch, (struct prn_host_name){ HOST, strlen(HOST) }, NULL), "put a site");
	forget(&desk, PRN_FORGET_URL, PAGE);
	old = read_site(&desk, HOST, LATER);
	ok(!memcmp(&young, &old, sizeof old), "a page that is not young any more leaves what it said when it is forgotten");
	desk_release(&desk);
}

static void test_failures(void)
{
	struct prn_decider_savepoint before;
	struct prn_site_drift site, after;
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	visit_pages(&desk, 6, 2, 30, 0);
	site = read_site(&desk, HOST, LATER);
	before = prn_decider_save(desk.decider);
	visit_pages(&desk, 6, 2, 30, 1);
	after = read_site(&desk, HOST, LATER);
	ok(memcmp(&site.evidence, &after.evidence, sizeof site.evidence), "visits change what is known of their host");
	prn_decider_restore(desk.decider, &before);
	after = read_site(&desk, HOST, LATER);
	ok(!memcmp(&site.evidence, &after.evidence, sizeof site.evidence) && site.pages == after.pages,
	   "a task that is taken back leaves nothing of what it had taught of hosts");
	ok(adds_up(&desk), "what is known of hosts is what their pages say, after a task was taken back");
	desk_release(&desk);
}

/* Records of a host that are damaged, or of a clock that ran ahead. */
static void test_damaged(void)
{
	struct prn_site_drift site;
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	visit_pages(&desk, 6, 2, 30, 0);
	put_bytes(&desk, HOST, "damaged", 7);
	site = read_site(&desk, HOST, T0 + 5 * DAY);
	ok(!site.pages && !site.count, "of a host whose record is damaged nothing is known");
	ok(site.host_since == T0 + 5 * DAY, "a host whose record is damaged is known from now on");
	desk.clock = T0 + 5 * DAY;
	for (unsigned i = 0; i < 10; i++)
		desk_text(&desk, "http://" HOST "/aa/0.html", T0 + 2 * DAY + i * HOUR, text_from(i));
	desk.clock = INT64_MIN;
	ok(adds_up(&desk), "visits from before a host's record was begun anew are not counted");
	visit_pages(&desk, 6, 2, 30, 2);
	ok(read_site(&desk, HOST, LATER).pages == 6 && adds_up(&desk),
	   "a host whose record was damaged is learned again from visits after that");
	site.host_since = site.uncounted = LATER + 3 * DAY;
	must(!prn_site_drift_put(&site, desk.decider->batch, (struct prn_host_name){ HOST, strlen(HOST) }, NULL), "put a site");
	ok(read_site(&desk, HOST, LATER).host_since == LATER, "what a clock that ran years ahead wrote does not end learning for years");
	desk_release(&desk);
}

/* A store of an older program has pages whose visits nobody counted. */
static void test_older(void)
{
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	visit_pages(&desk, 10, 2, 60, 0);
	must(!prn_batch_side_put(desk.decider->batch, PRN_SIDE_SIBLINGS, HOST, strlen(HOST), NULL, 0, NULL), "drop a record");
	must(!prn_batch_side_put(desk.decider->batch, PRN_SIDE_META, PRN_SIBLINGS_NAME, strlen(PRN_SIBLINGS_NAME), NULL, 0, NULL), "drop the note");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_reopen(&desk);
	visit_pages(&desk, 4, 2, 24, 1);
	ok(read_site(&desk, HOST, LATER).host_since != PRN_TIME_UNKNOWN, "in an older store a host is known from when it is first visited");
	ok(read_site(&desk, HOST, LATER).pages == 4 && adds_up(&desk), "visits that an older program took in are not counted, nor taken back");
	desk_release(&desk);
}

static void test_kept(void)
{
	struct prn_store_findings findings;
	struct prn_site_drift site, kept;
	struct desk desk, copy;

	desk_open(&desk, "drift", 0.25);
	visit_pages(&desk, 12, 3, 100, 0);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	site = read_site(&desk, HOST, LATER);
	copy = desk;
	copy.decider = NULL;
	copy.extractor = NULL;
	snprintf(copy.path, sizeof copy.path, "%s/copy", scratch);
	must(!prn_store_backup(prn_decider_store(desk.decider), copy.path, NULL), "back up");
	desk_reopen(&copy);
	kept = read_site(&copy, HOST, LATER);
	ok(!memcmp(&site, &kept, sizeof site), "a backup has what is known of hosts");
	ok(!prn_store_check(prn_decider_store(copy.decider), NULL, &findings, NULL) && !prn_store_faults(&findings),
	   "a check finds nothing wrong with a backup of what is known of hosts");
	desk_close(&copy);
	must(!prn_store_rebuild(copy.path, 0, &(struct prn_store_rebuilt){ 0 }, NULL), "rebuild");
	desk_reopen(&copy);
	kept = read_site(&copy, HOST, LATER);
	ok(!memcmp(&site, &kept, sizeof site), "a store that is made anew has what is known of hosts");
	ok(read_site(&copy, "b.example", T0).host_since == T0, "in a store that was made anew nothing is known of the past of other hosts");
	ok(read_site(&desk, "b.example", T0).host_since == PRN_TIME_UNKNOWN, "in a store that was made by this program all visits count");
	desk_close(&copy);
	desk_release(&desk);
}

/*
 * A site that puts out a page a day, in a month; each is wholly new at every visit.  How many visits its pages win, when
 * they are visited as soon as they are due.
 */
static unsigned visits_won(const char *policy, double *staleness)
{
	struct desk desk;
	int64_t due[60];
	unsigned visits = 0, pages = 0;

	desk_open(&desk, policy, 0.25);
	for (int64_t now = T0; now < T0 + 60 * DAY; now += HOUR) {
		if ((now - T0) % DAY == 0)
			due[pages++] = now;
		for (unsigned page = 0; page < pages; page++) {
			char url[80];

			if (due[page] > now)
				continue;
			snprintf(url, sizeof url, "http://" HOST "/trap/%u.html", page);
			desk_text(&desk, url, now, text_from(1000 * (++visits) % 4000000));
			due[page] = desk_look(&desk, url).due;
		}
	}
	*staleness = 0;
	desk_release(&desk);
	return visits;
}

static void test_hostile(void)
{
	double staleness;
	unsigned with = visits_won("drift", &staleness), without = visits_won("drift:siblings=no", &staleness);

	ok(with <= 1.25 * without, "a site of pages that churn wins no more for its new ones by them (%u visits, %u without)", with, without);
}

int main(void)
{
	make_scratch();
	test_sums();
	test_many();
	test_places();
	test_new_page();
	test_lonely();
	test_old();
	test_failures();
	test_damaged();
	test_older();
	test_kept();
	test_hostile();
	return done();
}
