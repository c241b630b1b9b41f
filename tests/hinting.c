/* Hints in a store: what is counted, how far their sources are trusted, and what that does to the next visit. */
#include "decide/decider_internal.h"
#include "decide/told.h"
#include "desk.h"
#include "perennial/hinting.h"
#include "perennial/observer.h"

#include <math.h>
#include <stdlib.h>

#define SITEMAP "http://a.example/sitemap.xml"

static enum prn_hinted told_by(struct desk *desk, const char *source, const char *url, int64_t now, int64_t modified)
{
	char normal[PRN_URL_BYTES + 1];
	struct prn_hint hint = { .url = url, .normal_url = normal, .time = now, .modified = modified, .says_changed = true,
		                 .source = source };
	enum prn_hinted hinted;
	struct prn_error error = { 0 };

	must(!prn_url_normalize(url, SIZE_MAX, normal, sizeof normal), "read a URL");
	if (prn_decider_hint(desk->decider, &hint, now, &hinted, &error))
		printf("# %s\n", error.text);
	must(!error.code, "take a hint");
	return hinted;
}

static enum prn_hinted told(struct desk *desk, int64_t now, int64_t modified)
{
	return told_by(desk, SITEMAP, PAGE, now, modified);
}

static bool is(enum prn_hinted got, enum prn_hinted want)
{
	if (got != want)
		printf("# %s, want %s\n", prn_hinted_name(got), prn_hinted_name(want));
	return got == want;
}

/* Each day a text of its own that shares most with the one before it. */
static void visit(struct desk *desk, int64_t time, unsigned version)
{
	desk_text(desk, PAGE, time, text_from(version));
}

static void which_count(void)
{
	int64_t t = T0 - T0 % DAY + 10 * DAY + 12 * HOUR; /* a noon */
	struct desk desk;

	desk_open(&desk, NULL, 0);
	visit(&desk, t, 0);
	ok(is(told(&desk, t + HOUR, t - HOUR), PRN_HINTED_NAMED), "a change from before the last visit was fetched with it");
	ok(is(told(&desk, t + 2 * HOUR, t - HOUR), PRN_HINTED_DUPLICATE), "a change that was told before is a duplicate");
	ok(is(told(&desk, t + 2 * HOUR, t + HOUR), PRN_HINTED_TAKEN), "a change after the last visit counts");
	ok(is(told(&desk, t + 3 * HOUR, t + HOUR), PRN_HINTED_DUPLICATE), "a sitemap that is read again counts once");
	ok(is(told(&desk, t + 3 * HOUR, t), PRN_HINTED_DUPLICATE), "a change from before the one that was told is a duplicate");
	ok(is(told(&desk, t + 2 * HOUR + 60, t + 2 * HOUR), PRN_HINTED_SOON), "hints within the least interval of a page count once");
	ok(is(told(&desk, t + 4 * HOUR, t + 3 * DAY), PRN_HINTED_FUTURE), "a change that is still to come does not count");
	ok(is(told(&desk, t + 5 * HOUR, t + 5 * HOUR), PRN_HINTED_TAKEN), "a change that is still to come has not taken the place of one that counts");
	visit(&desk, t + 6 * HOUR, 1);
	ok(is(told(&desk, t + 7 * HOUR, t - t % DAY), PRN_HINTED_DUPLICATE), "a date before what was told is a duplicate");
	ok(is(told_by(&desk, "feed", PAGE, t + 7 * HOUR, t - t % DAY), PRN_HINTED_TAKEN),
	   "the date of the day of the last visit may be of a change after it");
	ok(is(told_by(&desk, "feed", PAGE, t + 2 * DAY, t - t % DAY), PRN_HINTED_DUPLICATE), "once");
	ok(is(told_by(&desk, "other", PAGE, t + 7 * HOUR, t - DAY - t % DAY), PRN_HINTED_NAMED), "that of the day before may not");
	ok(is(told_by(&desk, "ping", PAGE, t + 8 * HOUR, PRN_TIME_UNKNOWN), PRN_HINTED_TAKEN),
	   "a source that tells no time means now");
	ok(is(told_by(&desk, "fifth", PAGE, t + 8 * HOUR, t + 8 * HOUR), PRN_HINTED_LIMIT), "a page has at most four sources");
	desk_release(&desk);
}

static void pages_named(void)
{
	struct desk desk;
	char url[64];
	unsigned added = 0, full = 0;

	desk_open(&desk, NULL, 0);
	desk.options.hinted_per_host = 10;
	desk_reopen(&desk);
	for (unsigned i = 0; i < 15; i++) {
		enum prn_hinted hinted;

		snprintf(url, sizeof url, "http://a.example/%u", i);
		hinted = told_by(&desk, SITEMAP, url, T0, T0 - DAY);
		added += hinted == PRN_HINTED_ADDED;
		full += hinted == PRN_HINTED_FULL;
	}
	ok(added == 10 && full == 5, "the hints of a host add as many pages as they may, and no more");
	ok(desk_look(&desk, "http://a.example/0").known && desk_look(&desk, "http://a.example/0").due == T0,
	   "a page that a hint has added is to be visited at once");
	ok(!desk_look(&desk, "http://a.example/14").known, "one that was not added is no page");
	ok(is(told_by(&desk, SITEMAP, "http://b.example/", T0, T0 - DAY), PRN_HINTED_ADDED), "each host has its own count");
	desk.options.known_only = true;
	desk_reopen(&desk);
	ok(is(told_by(&desk, SITEMAP, "http://c.example/", T0, T0 - DAY), PRN_HINTED_UNKNOWN),
	   "where only known pages are looked after, hints add none");
	for (int i = 0; i < 3; i++)
		desk_status(&desk, "http://a.example/0", T0 + DAY * (i + 1), 404);
	ok(is(told_by(&desk, SITEMAP, "http://a.example/0", T0 + 9 * DAY, T0 + 9 * DAY), PRN_HINTED_UNKNOWN),
	   "a page that is gone for good is not brought back by hints");
	desk_release(&desk);
}

static void limits(void)
{
	struct desk desk;
	char url[64], source[64];
	unsigned limited = 0;

	desk_open(&desk, NULL, 0);
	desk.options.hints_per_day = 5;
	desk_reopen(&desk);
	for (unsigned i = 0; i < 8; i++) {
		snprintf(url, sizeof url, "http://a.example/%u", i);
		desk_text(&desk, url, T0, text_from(i));
		limited += told_by(&desk, SITEMAP, url, T0 + DAY, T0 + HOUR) == PRN_HINTED_LIMIT;
	}
	ok(limited == 3, "a source has as many hints counted for a host within a day as it may");
	ok(is(told_by(&desk, "feed", "http://a.example/7", T0 + DAY, T0 + HOUR), PRN_HINTED_TAKEN), "another source may have as many hints counted for the host");
	ok(is(told_by(&desk, SITEMAP, "http://a.example/7", T0 + 2 * DAY, T0 + HOUR), PRN_HINTED_TAKEN), "on the next day a source may have as many hints counted for a host again");
	for (unsigned i = 0; i < PRN_HOST_SOURCES - 2; i++) {
		snprintf(source, sizeof source, "source-%u", i);
		snprintf(url, sizeof url, "http://a.example/%u", i);
		told_by(&desk, source, url, T0 + 2 * DAY, T0 + HOUR);
	}
	ok(is(told_by(&desk, "one more", "http://a.example/6", T0 + 2 * DAY, T0 + HOUR), PRN_HINTED_LIMIT),
	   "a host has at most eight sources");
	ok(is(told_by(&desk, "one more", "http://a.example/6", T0 + 93 * DAY, T0 + HOUR), PRN_HINTED_TAKEN),
	   "one that was silent for 90 days leaves its place");
	desk_release(&desk);
}

/* Days between visits of a page that changes every other day, and of which a source says so truly, falsely or never. */
struct life {
	double visits_told, visits_untold; /* a day, in the last of the days: of the page it tells of, of one that is alike */
	double trust;
};

static int keep_trust(void *context, const struct prn_source_told *source)
{
	*(double *)context = source->trust;
	return 0;
}

#define OTHER "http://b.example/page"
#define DAYS 400

static struct life live(bool truly, bool always, bool liar)
{
	struct life life = { .trust = NAN };
	struct desk desk;
	unsigned version = 0;

	desk_open(&desk, "drift:summary=8", 0.25);
	desk_text(&desk, PAGE, T0, text_from(0));
	desk_text(&desk, OTHER, T0, text_from(0));
	for (int day = 1; day <= DAYS; day++) {
		int64_t now = T0 + day * DAY;
		bool changes = day % 16 < 1;

		version += changes ? 5 : 0;
		if (liar)
			told_by(&desk, "liar", PAGE, now - HOUR, now - HOUR);
		if (always || (truly && changes))
			told(&desk, now, now);
		for (int i = 0; i < 2; i++) {
			const char *url = i ? OTHER : PAGE;

			if (desk_look(&desk, url).due > now)
				continue;
			desk_text(&desk, url, now + HOUR, text_from(version));
			*(i ? &life.visits_untold : &life.visits_told) += day > DAYS / 2 ? 2.0 / DAYS : 0;
		}
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	must(!prn_decider_sources(desk.decider, keep_trust, &life.trust, NULL), "list sources");
	printf("# visits a day %.4f, of a page that is not told of %.4f; trust %.3f\n", life.visits_told, life.visits_untold,
	       life.trust);
	desk_release(&desk);
	return life;
}

static void trusted(void)
{
	struct life truly = live(true, false, false), always = live(false, true, false), never = live(false, false, false);
	struct life both = live(true, false, true);

	ok(truly.trust > 0.7, "a source whose hints are all true, and tell all, comes to be trusted");
	ok(truly.visits_told < 0.8 * truly.visits_untold, "a page that tells truly when it changes needs fewer visits");
	ok(always.visits_told < 1.1 * always.visits_untold, "a page that always says that it has changed wins no visits by it");
	ok(both.visits_told < 0.8 * both.visits_untold, "beside one that lies, a source that tells the truth is heeded");
	ok(isnan(never.trust) && never.visits_told - never.visits_untold == 0, "a page that nobody tells of is visited as ever");
}

/* What the reviewer of this found. */
static void overdue_and_ahead(void)
{
	uint64_t forgotten;
	struct desk desk;
	int64_t due;

	desk_open(&desk, NULL, 0.25);
	visit(&desk, T0, 0);
	due = desk_look(&desk, PAGE).due;
	told(&desk, due + 10 * DAY, due + 9 * DAY);
	told(&desk, due + 20 * DAY, due + 19 * DAY);
	ok(desk_look(&desk, PAGE).due <= due, "a hint never moves the visit of a page that is overdue");
	ok(is(told(&desk, T0 + 4000 * DAY, T0 + 4000 * DAY), PRN_HINTED_TAKEN) &&
	           is(told(&desk, due + 30 * DAY, due + 29 * DAY), PRN_HINTED_TAKEN),
	   "what a clock that ran ahead was told does not shut out what is told after it");
	must(!prn_decider_forget(desk.decider, PRN_FORGET_HOST, "A.Example", &forgotten, NULL), "forget a host");
	visit(&desk, T0, 0);
	ok(is(told(&desk, T0 + DAY, T0 + HOUR), PRN_HINTED_TAKEN), "a host that was forgotten, however it is spelled, has no sources left");
	desk_release(&desk);
	desk_open(&desk, NULL, 0.25);
	visit(&desk, T0, 0);
	for (int i = 0; i < PRN_HOST_SOURCES; i++) {
		char source[16], url[64];

		snprintf(source, sizeof source, "s%d", i);
		snprintf(url, sizeof url, "http://a.example/%d", i);
		desk_text(&desk, url, T0, text_from(0));
		told_by(&desk, source, url, T0 + DAY, T0 + HOUR);
	}
	for (int day = 2; day < 120; day++)
		for (int i = 0; i < PRN_HOST_SOURCES; i++) {
			char source[16], url[64];

			snprintf(source, sizeof source, "s%d", i);
			snprintf(url, sizeof url, "http://a.example/%d", i);
			told_by(&desk, source, url, T0 + day * DAY, T0 + HOUR);
		}
	ok(is(told_by(&desk, "one more", PAGE, T0 + 120 * DAY, T0 + HOUR), PRN_HINTED_LIMIT),
	   "a source that says the same each day is not silent, and keeps its place");
	desk_release(&desk);
}

/* Who has a store open for reading only, and shows it a sitemap. */
static void reader(void)
{
	static const char sitemap[] = "<urlset><url><loc>http://a.example/1</loc><lastmod>2023-01-01</lastmod></url></urlset>";
	struct prn_capture capture = status_of("http://a.example/sitemap.xml", T0, 200);
	struct prn_decider *decider;
	struct prn_observer *observer;
	struct prn_outcome outcome;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk_close(&desk);
	desk.options.hints = PRN_HINTS_SITEMAP;
	must(!prn_decider_open(&decider, desk.path, PRN_STORE_READ, &desk.options, NULL), "open a store for reading");
	must(!prn_observer_open(&observer, decider, NULL), "open an observer");
	capture.normal_url = capture.url;
	capture.content_type = "application/xml";
	capture.body = (const unsigned char *)sitemap;
	capture.body_bytes = sizeof sitemap - 1;
	must(!prn_observer_make(observer, &capture, false, &desk.observation, NULL), "make an observation");
	ok(desk.observation.hints == PRN_HINT_SITEMAP, "a sitemap is seen to be one where its hints are wanted");
	ok(prn_observer_decide(observer, &desk.observation, &capture, T0, &outcome, NULL) == PRN_E_ARGUMENT,
	   "a sitemap that is observed in a store open for reading is refused as any page is");
	prn_observer_free(observer);
	prn_decider_free(decider);
	desk_release(&desk);
}

/* Whoever is trusted may fall silent: a sitemap that is no longer made, and nobody sees that. */
static void silent(void)
{
	static const char *const policies[] = { "drift", "cgm", "curve-fitting" };

	for (size_t i = 0; i < 3; i++) {
		double divergence[PRN_POLICY_SLOTS] = { 0.3, 0.4 };
		struct prn_visit visit = { .weight = 1, .threshold = 0.25, .divergence = divergence };
		struct prn_decision plain, trusting;
		struct prn_policy *policy;
		void *state;

		must(!prn_policy_open(&policy, policies[i], NULL, NULL), "open a policy");
		state = calloc(1, prn_policy_state_size(policy));
		must(state != NULL, "allocate");
		for (int day = 0; day < 20; day++) {
			visit.time = day;
			prn_policy_visit(policy, state, &visit, &plain);
		}
		visit.hints = (struct prn_hints){ .trust = 0.98, .rate = 0.1 };
		prn_policy_decide(policy, state, &visit, &trusting);
		printf("# %s: %g days without hints, %g while a trusted source is silent\n", policies[i], plain.period, trusting.period);
		ok(trusting.period > plain.period && trusting.period <= 4 * plain.period * (1 + 1e-9),
		   "%s leaves a page whose source is silent alone for at most four times as long as without it", policies[i]);
		free(state);
		prn_policy_free(policy);
	}
}

/* What hints tell is found in the store again, and goes with its page. */
static void kept(void)
{
	struct prn_digest key = prn_url_key(PAGE);
	struct prn_store_reader reader = { 0 };
	struct prn_page_told page;
	uint64_t forgotten;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	visit(&desk, T0, 0);
	told(&desk, T0 + HOUR, T0 + HOUR);
	visit(&desk, T0 + DAY, 60);
	told(&desk, T0 + 2 * DAY, T0 + 2 * DAY);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_reopen(&desk);
	reader = prn_decider_reader(desk.decider);
	must(!prn_page_told_read(&page, &reader, &key, NULL), "read what was told");
	printf("# since %g, before %g, watched %g days, %g changes\n", page.sources[0].told.since, page.sources[0].told.before,
	       page.watched.time, page.watched.changes);
	ok(page.count == 1 && fabs(page.sources[0].told.since - 1) < 1e-9 && fabs(page.sources[0].told.before - 1) < 1e-9 &&
	           fabs(page.watched.time - 1) < 1e-6 && fabs(page.watched.changes - 1) < 1e-9,
	   "what was told of a page, before and since its last visit, is kept");
	must(!prn_decider_forget(desk.decider, PRN_FORGET_URL, PAGE, &forgotten, NULL), "forget a page");
	must(!prn_page_told_read(&page, &reader, &key, NULL), "read what was told");
	ok(!page.count, "what was told of a page goes with it");
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	which_count();
	pages_named();
	limits();
	trusted();
	overdue_and_ahead();
	reader();
	silent();
	kept();
	return done();
}
