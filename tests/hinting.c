/* Hints in a store: what is counted, how far their sources are trusted, and what that does to the next visit. */
#include "decide/decider_internal.h"
#include "decide/hint_sources.h"
#include "desk.h"

#include "decide/observer_parts.h"
#include "perennial/explanation.h"
#include "perennial/hinting.h"
#include "perennial/observer.h"
#include "perennial/stats.h"

#include <math.h>
#include <stdlib.h>

#define SITEMAP "http://a.example/sitemap.xml"

static enum prn_hinted take_hint(struct desk *desk, struct prn_hint hint)
{
	char normal[PRN_URL_BYTES + 1];
	enum prn_hinted hinted;
	struct prn_error error = { 0 };

	must(!prn_url_normalize(hint.url, SIZE_MAX, normal, sizeof normal), "read a URL");
	hint.normal_url = normal;
	if (prn_decider_hint(desk->decider, &hint, hint.time, &hinted, &error))
		printf("# %s\n", error.text);
	must(!error.code, "take a hint");
	return hinted;
}

static enum prn_hinted told_by(struct desk *desk, const char *source, const char *url, int64_t now, int64_t modified)
{
	return take_hint(desk, (struct prn_hint){ .url = url, .time = now, .modified = modified, .says_changed = true, .source = source });
}

/* An index lists a sitemap, and does not say when that changed. */
static void listed_by(struct desk *desk, const char *index, const char *sitemap, int64_t now)
{
	take_hint(desk, (struct prn_hint){ .url = sitemap, .time = now, .modified = PRN_TIME_UNKNOWN, .source = index, .is_sitemap = true });
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
	ok(is(told_by(&desk, "feed", PAGE, t + 2 * DAY, t - t % DAY), PRN_HINTED_DUPLICATE),
	   "the date of the day of the last visit counts once");
	ok(is(told_by(&desk, "other", PAGE, t + 7 * HOUR, t - DAY - t % DAY), PRN_HINTED_NAMED),
	   "the date of the day before the last visit is of no change after it");
	ok(is(told_by(&desk, "ping", PAGE, t + 8 * HOUR, PRN_TIME_UNKNOWN), PRN_HINTED_TAKEN),
	   "a source that tells no time means now");
	ok(is(told_by(&desk, "fifth", PAGE, t + 8 * HOUR, t + 8 * HOUR), PRN_HINTED_LIMIT), "a page has at most four sources");
	desk_release(&desk);
}

static void pages_named(void)
{
	static const char *const inside[] = { "http://127.0.0.1/", "http://[::1]:8080/", "http://10.0.0.1/admin", "http://169.254.169.254/latest/",
		                              "http://localhost/", "http://wiki.internal/", "http://intranet/" };
	static const char *const from[] = { SITEMAP, "ping", "feed://intranet/" };
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
	ok(!desk_look(&desk, "http://a.example/14").known, "a page beyond those that hints may add is none");
	ok(is(told_by(&desk, SITEMAP, "http://b.example/", T0, T0 - DAY), PRN_HINTED_ADDED), "each host has its own count");
	desk.options.known_only = true;
	desk_reopen(&desk);
	ok(is(told_by(&desk, SITEMAP, "http://c.example/", T0, T0 - DAY), PRN_HINTED_UNKNOWN),
	   "where only known pages are looked after, hints add none");
	desk.options.known_only = false;
	desk_reopen(&desk);
	ok(is(told_by(&desk, SITEMAP, "http://user:secret@d.example/", T0, T0 - DAY), PRN_HINTED_UNKNOWN) &&
	           is(told_by(&desk, SITEMAP, "http://user@d.example/", T0, T0 - DAY), PRN_HINTED_UNKNOWN),
	   "a hint adds no page with a user or a password in its URL");
	for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
		for (size_t j = 0; j < sizeof from / sizeof *from; j++)
			ok(is(told_by(&desk, from[j], inside[i], T0, T0 - DAY), PRN_HINTED_UNKNOWN), "a hint of %s adds no page of %s", from[j],
			   inside[i]);
		ok(!desk_look(&desk, inside[i]).known, "%s is no page after hints from elsewhere", inside[i]);
	}
	ok(is(told_by(&desk, "http://10.0.0.1/sitemap.xml", "http://10.0.0.1/x", T0, T0 - DAY), PRN_HINTED_ADDED) &&
	           is(told_by(&desk, "http://wiki.internal/sitemap.xml", "http://wiki.internal/y", T0, T0 - DAY), PRN_HINTED_ADDED),
	   "the sitemap of a host of a network adds pages of it");
	desk_text(&desk, "http://127.0.0.1/known", T0, text_from(0));
	ok(is(told_by(&desk, "ping", "http://127.0.0.1/known", T0 + HOUR, T0 + HOUR), PRN_HINTED_TAKEN),
	   "of a page of a network that is known any source may speak");
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

/* How many of three pages' hints are counted that are told then, of changes at `changed`. */
static unsigned counted_at(struct desk *desk, int64_t now, int64_t changed)
{
	unsigned counted = 0;
	char url[64];

	for (unsigned i = 0; i < 3; i++) {
		snprintf(url, sizeof url, "http://a.example/%u", i);
		counted += told_by(desk, SITEMAP, url, now, changed) == PRN_HINTED_TAKEN;
	}
	return counted;
}

static void clocks_that_are_set(void)
{
	struct desk desk;
	char url[64];

	desk_open(&desk, NULL, 0);
	desk.options.hints_per_day = 3;
	desk_reopen(&desk);
	for (unsigned i = 0; i < 3; i++) {
		snprintf(url, sizeof url, "http://a.example/%u", i);
		desk_text(&desk, url, T0, text_from(i));
	}
	must(counted_at(&desk, T0 + DAY, T0 + 12 * HOUR) == 3, "count a day's hints");
	ok(is(told_by(&desk, SITEMAP, "http://a.example/0", T0 + DAY - MINUTE, T0 + 12 * HOUR + 1), PRN_HINTED_SOON),
	   "a hint right after another is too soon, though the clock was set back in between");
	ok(counted_at(&desk, T0 + DAY - HOUR, T0 + 13 * HOUR) == 0, "a clock that is set back does not give a source the day's hints again");
	ok(counted_at(&desk, T0 + DAY + HOUR, T0 + 14 * HOUR) == 0, "a clock that is set back and forward again does not give a source the day's hints again");
	ok(counted_at(&desk, T0 + 2 * DAY, T0 + 15 * HOUR) == 3, "a day after its first hint a source has a day's hints again, however the clock was set meanwhile");
	must(counted_at(&desk, T0 + 4000 * DAY, T0 + 16 * HOUR) == 3, "count hints of a clock that is ahead");
	ok(counted_at(&desk, T0 + 3 * DAY, T0 + 17 * HOUR) == 0, "a clock far ahead that is set right gives no day's hints again");
	ok(counted_at(&desk, T0 + 4 * DAY, T0 + 18 * HOUR) == 3, "a clock far ahead that is set right delays the next day's hints by a day at most");
	desk_release(&desk);
}

/* Days between visits of a page that changes every other day, and of which a source says so truly, falsely or never. */
struct life {
	double visits_told, visits_untold; /* a day, in the last of the days: of the page it tells of, of one that is alike */
	double trust;
};

static int keep_source(void *context, const struct prn_hint_source *source)
{
	*(struct prn_hint_source *)context = *source;
	return 0;
}

static int keep_trust(void *context, const struct prn_hint_source *source)
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
	must(!prn_decider_sources(desk.decider, keep_trust, &life.trust, NULL, NULL), "list sources");
	printf("# visits a day %.4f, of a page that is not told of %.4f; trust %.3f\n", life.visits_told, life.visits_untold,
	       life.trust);
	desk_release(&desk);
	return life;
}

static void trusted(void)
{
	struct life truly = live(true, false, false), always = live(false, true, false), never = live(false, false, false);
	struct life both = live(true, false, true);

	ok(truly.trust > 0.65, "a source whose hints are all true, and tell all, comes to be trusted");
	ok(truly.visits_told < 0.8 * truly.visits_untold, "a page that tells truly when it changes needs fewer visits");
	ok(always.visits_told < 1.1 * always.visits_untold, "a page that always says that it has changed wins no visits by it");
	ok(both.visits_told < 0.8 * both.visits_untold, "beside one that lies, a source that tells the truth is heeded");
	ok(isnan(never.trust) && never.visits_told - never.visits_untold == 0, "a page that nobody tells of is visited as ever");
}

/* Visits of a page of which every text is another, and that is told of each hour from a day on; at this policy's T. */
static unsigned visits_of_churn(const char *policy, int told_from)
{
	unsigned visits = 0;
	struct desk desk;

	desk_open(&desk, policy, 0.1);
	for (int hour = 0; hour < 100 * 24; hour++) {
		int64_t now = T0 + hour * HOUR;

		if (hour >= told_from * 24)
			told_by(&desk, "ping", PAGE, now, now);
		if (hour && desk_look(&desk, PAGE).due > now)
			continue;
		desk_text(&desk, PAGE, now + MINUTE, text_from(100 * visits));
		visits++;
	}
	desk_release(&desk);
	return visits;
}

/* Before a page had to earn its visits a hundred pings of such a page brought a hundred visits: each found another text. */
static void pings_of_churn(void)
{
	static const char *const policies[] = { "drift:summary=8", "cgm:summary=8", "curve-fitting:history=1:summary=8" };

	for (size_t i = 0; i < 3; i++) {
		unsigned untold = visits_of_churn(policies[i], 1000), always = visits_of_churn(policies[i], 0);
		unsigned later = visits_of_churn(policies[i], 50);

		printf("# %u untold, %u told each hour, %u from the 50th day on\n", untold, always, later);
		ok(always <= 1.1 * untold + PRN_HINTS_AHEAD_MOST, "%s: a page that is another at each visit wins none by pings of every hour", policies[i]);
		ok(later <= 1.1 * untold + PRN_HINTS_AHEAD_MOST, "%s: a page that is another at each visit wins none by pings that begin late", policies[i]);
	}
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

/* What came of a document that a fetcher brought. */
static struct prn_outcome shown(struct desk *desk, const char *url, int64_t time, const char *xml)
{
	struct prn_capture capture = status_of(url, time, 200);
	struct prn_observer *observer;
	struct prn_outcome outcome = { 0 };
	struct prn_error error = { 0 };

	must(!prn_observer_open(&observer, desk->decider, NULL), "open an observer");
	capture.normal_url = capture.url;
	capture.content_type = "application/xml";
	capture.body = (const unsigned char *)xml;
	capture.body_bytes = strlen(xml);
	if (prn_observer_make(observer, &capture, false, &desk->observation, &error) ||
	    prn_observer_decide(observer, &desk->observation, &capture, time, &outcome, &error))
		printf("# %s\n", error.text);
	must(!error.code, "observe a document");
	prn_observer_free(observer);
	return outcome;
}

/* Sources of all hosts, and the last of them. */
struct sources {
	unsigned count;
	char name[512];
};

static int count_source(void *context, const struct prn_hint_source *source)
{
	struct sources *sources = context;

	sources->count++;
	snprintf(sources->name, sizeof sources->name, "%s", source->source);
	return 0;
}

static struct sources sources_of(struct desk *desk)
{
	struct sources sources = { 0 };

	must(!prn_decider_commit(desk->decider, NULL), "commit");
	must(!prn_decider_sources(desk->decider, count_source, &sources, NULL, NULL), "list sources");
	return sources;
}

#define URLSET(urls) "<urlset>" urls "</urlset>"
#define LOC(url) "<url><loc>http://a.example" url "</loc><lastmod>2023-11-20T00:00:00Z</lastmod></url>"
#define LISTED(url) "<sitemap><loc>http://a.example" url "</loc></sitemap>"

/* A sitemap of many pages, a.example/p/0 and on. */
static const char *long_sitemap(unsigned pages)
{
	static char text[200000];
	size_t length = (size_t)snprintf(text, sizeof text, "<urlset>");

	for (unsigned i = 0; i < pages; i++)
		length += (size_t)snprintf(text + length, sizeof text - length,
		                           "<url><loc>/p/%u</loc><lastmod>2023-11-20T00:00:00Z</lastmod></url>", i);
	snprintf(text + length, sizeof text - length, "</urlset>");
	return text;
}

#define MANY (3 * PRN_HINTS_PORTION + 7)
#define MAP "http://a.example/map.xml"

static void open_hinted(struct desk *desk)
{
	desk_open(desk, NULL, 0.25);
	desk->options.hints = PRN_HINTS_SITEMAP;
	desk->options.hinted_per_host = 4 * MANY;
	desk_reopen(desk);
}

static bool has_page(struct desk *desk, unsigned i)
{
	char url[64];

	snprintf(url, sizeof url, "http://a.example/p/%u", i);
	return desk_look(desk, url).known;
}

/* An observation of the long sitemap, which is taken in by steps. */
struct stepping {
	struct desk *desk;
	struct prn_observer *observer;
	struct prn_capture capture;
	struct prn_observing observing;
	struct prn_outcome outcome; /* of the last step */
};

static void begin_steps(struct stepping *stepping, struct desk *desk)
{
	struct prn_capture *capture = &stepping->capture;

	memset(stepping, 0, sizeof *stepping);
	stepping->desk = desk;
	stepping->capture = status_of(MAP, T0, 200);
	capture->normal_url = MAP;
	capture->content_type = "application/xml";
	capture->body = (const unsigned char *)long_sitemap(MANY);
	capture->body_bytes = strlen(long_sitemap(MANY));
	must(!prn_observer_open(&stepping->observer, desk->decider, NULL), "open an observer");
	must(!prn_observer_make(stepping->observer, capture, false, &desk->observation, NULL), "make an observation");
	/* No step needs the body any longer. */
	capture->body = NULL;
	capture->body_bytes = 0;
}

/* False: it was the last one. */
static bool step(struct stepping *stepping)
{
	must(!prn_observer_step(stepping->observer, &stepping->desk->observation, &stepping->capture, T0, &stepping->observing,
	                        &stepping->outcome, NULL), "take a step");
	return stepping->observing.is_part;
}

static bool step_and_commit(struct stepping *stepping)
{
	bool is_part = step(stepping);

	must(!prn_decider_commit(stepping->desk->decider, NULL), "commit");
	prn_observing_keep(&stepping->observing);
	return is_part;
}

/* What is named by thousands is taken in by portions, and the page is observed with the last. */
static void in_portions(void)
{
	struct stepping stepping;
	struct prn_outcome whole;
	struct desk desk;
	unsigned parts = 1;

	open_hinted(&desk);
	whole = shown(&desk, MAP, T0, long_sitemap(MANY));
	ok(whole.pages_hinted == MANY, "a sitemap adds as many pages as it names: %u", (unsigned)whole.pages_hinted);
	desk_release(&desk);

	open_hinted(&desk);
	begin_steps(&stepping, &desk);
	must(step_and_commit(&stepping), "take in a portion");
	ok(has_page(&desk, PRN_HINTS_PORTION - 1), "a first portion of a long sitemap is durable before the others are taken in");
	ok(!has_page(&desk, PRN_HINTS_PORTION), "the first portion of a long sitemap ends where a portion ends");
	ok(!desk_look(&desk, MAP).known, "a sitemap is not observed before all but its last portion is taken in");
	while (step_and_commit(&stepping))
		parts++;
	ok(parts == 3, "each portion of a sitemap but the last is taken in by itself");
	ok(stepping.outcome.kind == whole.kind, "a sitemap in portions comes to the outcome that it comes to at once");
	ok(stepping.outcome.pages_hinted == MANY, "the outcome of a sitemap in portions counts the pages of all portions");
	ok(has_page(&desk, MANY - 1), "the last page that a sitemap in portions names is there");
	ok(desk_look(&desk, MAP).visits == 1, "a sitemap in portions is visited once");
	prn_observer_free(stepping.observer);
	desk_release(&desk);
}

static void portions_that_end_early(void)
{
	struct stepping stepping;
	struct prn_decider_savepoint before;
	struct prn_outcome again;
	struct desk desk;

	open_hinted(&desk);
	begin_steps(&stepping, &desk);
	before = prn_decider_save(desk.decider);
	must(step(&stepping), "take in a portion");
	prn_decider_restore(desk.decider, &before);
	must(step_and_commit(&stepping), "take in a portion");
	ok(has_page(&desk, 0), "a portion whose commit failed is taken in again");
	ok(!has_page(&desk, PRN_HINTS_PORTION), "after a commit that failed no portion is passed over");
	must(step_and_commit(&stepping), "take in another portion");
	prn_observer_free(stepping.observer);
	desk_reopen(&desk);
	again = shown(&desk, MAP, T0, long_sitemap(MANY));
	ok(!prn_outcome_is_refusal(again.kind), "a sitemap that ended between portions may be sent again");
	ok(again.pages_hinted == MANY - 2 * PRN_HINTS_PORTION, "a sitemap that is sent again adds what was not taken in before");
	ok(has_page(&desk, MANY - 1), "a sitemap that is sent again is taken in whole");
	desk_release(&desk);

	open_hinted(&desk);
	desk.options.known_only = true;
	desk_reopen(&desk);
	begin_steps(&stepping, &desk);
	ok(!step(&stepping), "of a sitemap that is refused no portion is taken in");
	ok(stepping.outcome.kind == PRN_OUTCOME_UNKNOWN, "a long sitemap that is refused is refused at once");
	prn_observer_free(stepping.observer);
	desk_release(&desk);
}

/* Each shard is durable by itself, so that nothing is taken in before the rest. */
static void over_shards(void)
{
	struct stepping stepping;
	struct desk desk;

	setenv("PERENNIAL_SHARDS", "4", true);
	open_hinted(&desk);
	unsetenv("PERENNIAL_SHARDS");
	begin_steps(&stepping, &desk);
	ok(!step_and_commit(&stepping), "a long sitemap of a store of several shards takes a single step");
	ok(stepping.outcome.pages_hinted == MANY, "a long sitemap of several shards adds all pages that it names: %u",
	   (unsigned)stepping.outcome.pages_hinted);
	prn_observer_free(stepping.observer);
	desk_release(&desk);
}

/* Whatever somebody may put into a folder of the site does not shut out what the site itself says. */
static void folders(void)
{
	char url[64];
	unsigned added = 0;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.hints = PRN_HINTS_SITEMAP | PRN_HINTS_FEED;
	must(!prn_decider_set_options(desk.decider, &desk.options, NULL), "set options");
	ok(shown(&desk, "http://a.example/a/sitemap.xml", T0, URLSET(LOC("/a/1") LOC("/a/b/2") LOC("/b/3") LOC("/4"))).pages_hinted == 2,
	   "a sitemap speaks for its own folder only, and for those below it");
	ok(shown(&desk, "http://a.example/sitemap.xml", T0, URLSET(LOC("/b/3") LOC("/4"))).pages_hinted == 2,
	   "a sitemap at the root speaks for the whole host");
	ok(shown(&desk, "http://a.example/feed/", T0,
	         "<rss><channel><item><link>http://a.example/2023/5</link></item></channel></rss>").pages_hinted == 1,
	   "a feed speaks for pages of its host in any folder");
	for (unsigned i = 0; i < 2 * PRN_HOST_SOURCES; i++) {
		snprintf(url, sizeof url, "http://a.example/~%u/sitemap.xml", i);
		told_by(&desk, url, "http://a.example/4", T0 + HOUR, T0 - HOUR);
	}
	ok(is(told_by(&desk, SITEMAP, "http://a.example/4", T0 + HOUR, T0 - DAY), PRN_HINTED_NAMED),
	   "sources in folders do not take the places from that at the root");
	desk_release(&desk);
	desk_open(&desk, NULL, 0);
	desk.options.hinted_per_host = 10;
	desk_reopen(&desk);
	visit(&desk, T0, 0);
	for (unsigned i = 0; i < PRN_PAGE_SOURCES; i++) {
		snprintf(url, sizeof url, "http://a.example/~%u/sitemap.xml", i);
		told_by(&desk, url, PAGE, T0 + HOUR, T0 + HOUR);
	}
	ok(is(told_by(&desk, "http://a.example/x/s.xml", PAGE, T0 + HOUR, T0 + HOUR), PRN_HINTED_LIMIT) &&
	           is(told(&desk, T0 + HOUR, T0 + HOUR), PRN_HINTED_TAKEN),
	   "where a page's places are short, a source at the root takes that of one in a folder");
	for (unsigned i = 0; i < PRN_HOST_SOURCES; i++) {
		char source[64];

		snprintf(url, sizeof url, "http://b.example/%u", i);
		snprintf(source, sizeof source, "http://b.example/~%u/sitemap.xml", i);
		desk_text(&desk, url, T0, text_from(i));
		told_by(&desk, source, url, T0 + HOUR, T0 + HOUR);
	}
	desk_text(&desk, "http://b.example/page", T0, text_from(0));
	ok(is(told_by(&desk, "http://b.example/x/s.xml", "http://b.example/page", T0 + HOUR, T0 + HOUR), PRN_HINTED_LIMIT) &&
	           is(told_by(&desk, "http://b.example/sitemap.xml", "http://b.example/page", T0 + HOUR, T0 + HOUR), PRN_HINTED_TAKEN),
	   "where a host's places are short, a source at the root takes that of one in a folder");
	for (unsigned i = 0; i < 20; i++) {
		snprintf(url, sizeof url, "http://a.example/new/%u", i);
		added += told_by(&desk, "http://a.example/new/s.xml", url, T0 + HOUR, T0) == PRN_HINTED_ADDED;
	}
	ok(added == 5, "sources in folders add half of the pages that hints may add to a host");
	ok(is(told_by(&desk, SITEMAP, "http://a.example/new", T0 + HOUR, T0), PRN_HINTED_ADDED),
	   "half of the pages that hints may add to a host is left to the site's own sitemap");
	desk_release(&desk);
}

static void indexes(void)
{
	char url[64];
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.hints = PRN_HINTS_SITEMAP;
	desk_reopen(&desk);
	shown(&desk, "http://a.example/~me/index.xml", T0, "<sitemapindex>" LISTED("/maps/1.xml") LISTED("/~me/1.xml") "</sitemapindex>");
	shown(&desk, "http://a.example/maps/1.xml", T0, URLSET(LOC("/maps/x")));
	shown(&desk, "http://a.example/maps/1.xml", T0 + HOUR, URLSET(LOC("/maps/x") LOC("/maps/y")));
	shown(&desk, "http://a.example/maps/x", T0 + HOUR, "text");
	shown(&desk, "http://a.example/maps/1.xml", T0 + 2 * HOUR, URLSET(LOC("/maps/x") LOC("/maps/y") LOC("/maps/z")));
	listed_by(&desk, "http://a.example/~me/index.xml", "http://a.example/maps/1.xml", T0 + 2 * HOUR);
	ok(shown(&desk, "http://a.example/maps/1.xml", T0 + 3 * HOUR, URLSET(LOC("/maps/x") LOC("/maps/y") LOC("/maps/w"))).pages_hinted == 1,
	   "a sitemap that an index in a folder of its own names speaks for itself");
	ok(!strcmp(sources_of(&desk).name, "http://a.example/maps/1.xml"), "an index does not speak for sitemaps outside of its folder");
	shown(&desk, "http://a.example/index.xml", T0 + DAY,
	      "<sitemapindex>" LISTED("/maps/1.xml") LISTED("/maps/2.xml") LISTED("/maps/3.xml") LISTED("/maps/4.xml") LISTED(
		      "/maps/5.xml") LISTED("/maps/6.xml") LISTED("/maps/7.xml") LISTED("/maps/8.xml") LISTED("/maps/9.xml") "</sitemapindex>");
	desk_text(&desk, PAGE, T0 + DAY, text_from(0));
	for (unsigned i = 1; i < 10; i++) {
		snprintf(url, sizeof url, "http://a.example/maps/%u.xml", i);
		shown(&desk, url, T0 + 2 * DAY + i, URLSET(LOC("/page") LOC("/maps/x")));
	}
	ok(sources_of(&desk).count == 2 && !strcmp(sources_of(&desk).name, "http://a.example/index.xml"),
	   "an index and the sitemaps that it lists are one source");
	ok(shown(&desk, "http://a.example/maps/9.xml", T0 + 3 * DAY, URLSET(LOC("/other"))).pages_hinted == 1,
	   "a sitemap that an index at the root lists speaks for the whole host");
	shown(&desk, "http://a.example/maps/deep.xml", T0 + 3 * DAY, "<sitemapindex>" LISTED("/maps/9.xml") "</sitemapindex>");
	ok(shown(&desk, "http://a.example/maps/9.xml", T0 + 4 * DAY, URLSET(LOC("/another"))).pages_hinted == 1,
	   "of two indexes that list a sitemap it speaks for that nearer to the root");
	desk_release(&desk);
}

/* What the site's own robots.txt names. */
static void robots(void)
{
	static const char named[] = "User-agent: *\nSitemap: http://a.example/maps/1.xml\nSitemap: http://a.example/maps/2.xml\nSitemap: "
				    "http://b.example/3.xml\n";
	struct desk desk;
	struct prn_explanation page;

	desk_open(&desk, NULL, 0);
	desk.options.hints = PRN_HINTS_SITEMAP;
	desk.options.hinted_per_host = 3;
	desk_reopen(&desk);
	ok(!shown(&desk, "http://a.example/x/robots.txt", T0, named).pages_hinted, "only that at the root is a site's robots.txt");
	ok(shown(&desk, "http://a.example/robots.txt", T0, named).pages_hinted == 2, "the sitemaps of its host that a robots.txt names are pages from then on");
	ok(desk_look(&desk, "http://a.example/maps/1.xml").status == PRN_PAGE_NEW, "sitemaps that a robots.txt names are to be visited");
	shown(&desk, "http://a.example/robots.txt", T0 + HOUR, "Sitemap: http://a.example/maps/1.xml\nSitemap: http://a.example/maps/2.xml\n#\n");
	desk_text(&desk, PAGE, T0 + HOUR, text_from(0));
	ok(shown(&desk, "http://a.example/maps/1.xml", T0 + 2 * HOUR, URLSET(LOC("/page") LOC("/new"))).pages_hinted == 1,
	   "a sitemap that is named by the robots.txt speaks for the whole host");
	shown(&desk, "http://a.example/maps/2.xml", T0 + 2 * HOUR, URLSET(LOC("/page")));
	ok(sources_of(&desk).count == 1 && !strcmp(sources_of(&desk).name, "http://a.example/robots.txt"),
	   "a robots.txt and the sitemaps that it names are one source");
	ok(!shown(&desk, "http://a.example/robots.txt", T0 + DAY, "Sitemap: http://a.example/maps/7.xml").pages_hinted,
	   "a robots.txt adds no more than hints may");
	prn_explanation_init(&page);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	must(!prn_decider_explain(desk.decider, "http://a.example/maps/1.xml", T0 + DAY, &page, NULL), "explain");
	ok(!page.source_count, "that a robots.txt never tells when its sitemaps changed is not held against them");
	prn_explanation_release(&page);
	desk.options.hints = PRN_HINTS_FEED;
	desk.options.hinted_per_host = 100;
	desk_reopen(&desk);
	ok(!shown(&desk, "http://a.example/robots.txt", T0 + 2 * DAY, "Sitemap: http://a.example/maps/8.xml").pages_hinted,
	   "where sitemaps are not heeded a robots.txt names nothing");
	desk_release(&desk);
}

/* Records of sources: what tells them apart, and what becomes of them. */
static void records(void)
{
	char name[2][300], url[64];
	struct prn_host_name host = { "a.example", strlen("a.example") };
	struct prn_store_reader reader;
	unsigned char spoilt[2048];
	struct prn_host_sources found;
	const void *bytes;
	size_t count;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	visit(&desk, T0, 0);
	for (int i = 0; i < 2; i++) {
		memset(name[i], 'n', sizeof name[i]);
		name[i][sizeof name[i] - 2] = (char)('0' + i);
		name[i][sizeof name[i] - 1] = 0;
	}
	told_by(&desk, name[0], PAGE, T0 + HOUR, T0 + HOUR);
	ok(is(told_by(&desk, name[1], PAGE, T0 + HOUR, T0 + HOUR), PRN_HINTED_TAKEN) && sources_of(&desk).count == 2,
	   "sources are told apart by their whole names");
	reader = prn_decider_reader(desk.decider);
	must(!prn_store_reader_side(&reader, PRN_SIDE_HOST_SOURCES, host.text, host.length, &bytes, &count, NULL), "read a record");
	must(count < sizeof spoilt, "read a record");
	memcpy(spoilt, bytes, count);
	spoilt[13 + 2 + 8 + 8 + 8 + 4 + 1]++; /* how long the first source's trust is */
	must(!prn_host_sources_decode(&found, spoilt, count), "decode a record");
	ok(found.count == 1 && found.damaged == 1, "a source that is damaged is left out, and counted");
	ok(found.sources[0].number == prn_source_number(name[1]), "beside a source that is damaged the others of its host are kept");
	must(prn_host_sources_decode(&found, spoilt, count - 7) == 0, "decode a record");
	ok(!found.count && found.damaged == 2, "a record that is cut off keeps what comes before");
	desk_text(&desk, "http://b.example/", T0, text_from(1));
	for (unsigned i = 0; i < 1024; i++) {
		snprintf(url, sizeof url, "http://b.example/");
		told_by(&desk, "ping", url, T0 + 100 * DAY, T0 + 100 * DAY);
		must(!prn_decider_commit(desk.decider, NULL), "commit");
	}
	ok(sources_of(&desk).count == 1, "sources that have been silent for 90 days are dropped while others of other hosts speak");
	must(prn_store_reader_side(&reader, PRN_SIDE_HOST_SOURCES, host.text, host.length, &bytes, &count, NULL) == PRN_E_NOT_FOUND,
	     "find no record");
	desk_release(&desk);
}

/* Every bit in turn of what is known of a page's and of a host's sources; and what older programs wrote. */
static void damaged(void)
{
	static const struct prn_host_name host = { "a.example", 9 };
	struct prn_digest key = prn_url_key(PAGE);
	struct prn_host_sources was, found;
	unsigned char page[256], whole[1024], spoilt[1024], name[16];
	unsigned bits = 0, seen = 0, wrong = 0;
	size_t count, at, older = 0;
	struct desk desk;

	prn_key_bytes(&key, name);
	desk_open(&desk, NULL, 0);
	snprintf(desk.path, sizeof desk.path, "memory:hinting-damaged");
	must(!prn_decider_create(desk.path, &(struct prn_decider_settings){ 0 }, NULL), "make a store");
	desk_reopen(&desk);
	visit(&desk, T0, 0);
	told_by(&desk, "one", PAGE, T0 + HOUR, T0 + HOUR);
	told_by(&desk, "two", PAGE, T0 + HOUR, T0 + HOUR);
	visit(&desk, T0 + DAY, 50);
	told_by(&desk, "two", PAGE, T0 + DAY + HOUR, T0 + DAY + HOUR);
	count = desk_get_side(&desk, PRN_SIDE_PAGE_SOURCES, name, sizeof name, page, sizeof page);
	for (size_t bit = 0; bit < 8 * count; bit++, bits++) {
		page[bit / 8] ^= (unsigned char)(1u << bit % 8);
		seen += !prn_page_sources_are_whole(page, count);
		page[bit / 8] ^= (unsigned char)(1u << bit % 8);
	}
	ok(bits > 500 && seen == bits, "any flipped bit of what is known of a page's sources is found: %u of %u", seen, bits);
	page[0] = (unsigned char)(page[0] - 4);
	ok(prn_page_sources_are_whole(page, count - 4), "what an older program wrote of a page's sources is read");
	page[0] = (unsigned char)(page[0] + 4);
	count = desk_get_side(&desk, PRN_SIDE_HOST_SOURCES, host.text, host.length, whole, sizeof whole);
	must(!prn_host_sources_decode(&was, whole, count) && was.count == 2 && !was.damaged, "read a host's sources");
	bits = seen = 0;
	for (size_t bit = 0; bit < 8 * count; bit++, bits++) {
		int code;

		memcpy(spoilt, whole, count);
		spoilt[bit / 8] ^= (unsigned char)(1u << bit % 8);
		code = prn_host_sources_decode(&found, spoilt, count);
		seen += code || found.damaged;
		for (size_t i = 0; !code && i < found.count; i++) {
			const struct prn_host_source *source = &found.sources[i], *before = prn_host_sources_find(&was, source->number);

			wrong += !before || memcmp(source, before, sizeof *source);
		}
	}
	ok(bits > 500 && seen == bits, "any flipped bit of what is known of a host's sources is found: %u of %u", seen, bits);
	ok(!wrong, "what is read of a host's sources beside a flipped bit is as it was: %u of %u wrong", wrong, bits);
	/* Format 2: no checksum behind the head, nor behind a source, which is short enough for its length to be one byte. */
	memcpy(spoilt, whole, 9);
	spoilt[0] = 2;
	older = 9;
	for (at = 13; at < count; at += 1u + whole[at]) {
		spoilt[older] = (unsigned char)(whole[at] - 4);
		memcpy(spoilt + older + 1, whole + at + 1, whole[at] - 4u);
		older += 1u + whole[at] - 4u;
	}
	ok(!prn_host_sources_decode(&found, spoilt, older), "what an older program wrote of a host's sources is read");
	ok(found.count == 2 && !found.damaged, "no source that an older program wrote is taken for damaged");
	ok(!memcmp(found.sources, was.sources, 2 * sizeof *was.sources), "sources that an older program wrote are what they were");
	memcpy(spoilt, whole, count);
	spoilt[count - 1] ^= 1;
	page[3] ^= 1;
	desk_put_side(&desk, PRN_SIDE_HOST_SOURCES, host.text, host.length, spoilt, count);
	ok(desk_check(&desk, false).sides == 1, "a check counts a host of which a source is damaged");
	desk_put_side(&desk, PRN_SIDE_PAGE_SOURCES, name, sizeof name, page, 9 + 8 + 64 + 4);
	ok(desk_check(&desk, false).sides == 2, "a check counts damaged hints of a page");
	ok(desk_check(&desk, true).repaired == 2, "a check with repair takes out what is damaged");
	ok(!desk_check(&desk, false).sides && sources_of(&desk).count == 1, "a check with repair leaves the host's other source");
	desk_release(&desk);
}

/* A page whose change was held back until a second visit, and what hints told of it before and in between. */
static void held_back(void)
{
	struct prn_digest key = prn_url_key(PAGE);
	struct prn_store_reader reader;
	struct prn_page_sources page;
	struct desk desk;
	int64_t t = T0;

	desk_open(&desk, NULL, 0.25);
	for (int i = 0; i < 4; i++, t += DAY)
		desk_text(&desk, PAGE, t, text_from(0));
	told(&desk, t - HOUR, t - HOUR);
	desk_text(&desk, PAGE, t, text_from(500));
	must(desk.outcome.kind == PRN_OUTCOME_SUSPECT, "hold a change back");
	told(&desk, t + HOUR, t + HOUR);
	desk_text(&desk, PAGE, t + 2 * HOUR, text_from(900));
	must(desk.outcome.kind == PRN_OUTCOME_CONFIRMED, "confirm a change");
	reader = prn_decider_reader(desk.decider);
	must(!prn_page_sources_read(&page, &reader, &key, NULL), "read what was told");
	printf("# watched %g days, %g changes, %g hints before, %g since\n", page.watched.time, page.watched.changes,
	       page.sources[0].counts.before, page.sources[0].counts.since);
	ok(fabs(page.watched.time - (1 + 2.0 / 24)) < 1e-6 && fabs(page.watched.changes - 2) < 1e-9,
	   "a change that is confirmed was watched up to the visit that confirmed it, as two intervals");
	ok(fabs(page.sources[0].counts.before - 2) < 1e-9 && fabs(page.sources[0].counts.since) < 1e-9,
	   "a hint between the two visits is of the second interval");
	desk_release(&desk);
}

/* 300 words, of which one is the version's own: what eight hashes of the text show is another one, as a rule, is the same. */
static const char *slightly(unsigned version)
{
	static char text[8000];
	size_t length = 0;

	for (unsigned i = 0; i < 300; i++)
		length += (size_t)snprintf(text + length, sizeof text - length, i == 150 ? "version%u " : "word%u ", i == 150 ? version : i);
	return text;
}

/* A page of which a word changes, told truthfully each time; and one whose bytes change, but not its text. */
static void small_changes(void)
{
	struct prn_hint_source source = { 0 };
	unsigned seen = 0;
	struct desk desk;
	int64_t t = T0;

	desk_open(&desk, NULL, 0);
	desk_text(&desk, PAGE, t, slightly(0));
	for (unsigned i = 1; i <= 20; i++, t += 2 * DAY) {
		told(&desk, t + DAY, t + DAY);
		desk_text(&desk, PAGE, t + DAY + HOUR, slightly(i));
		seen += i > 1 && desk.outcome.divergence > 0;
		desk_text(&desk, PAGE, t + 2 * DAY, slightly(i));
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	must(!prn_decider_sources(desk.decider, keep_source, &source, NULL, NULL), "list sources");
	printf("# the summary shows %u of 19 changes; precision %g, recall %g, hinted %g, trust %g\n", seen, source.precision, source.recall,
	       source.hinted_share, source.trust);
	ok(seen < 10, "the summary of a page does not show most of its small changes");
	ok(source.precision > 0.94, "hints of small changes are seen to be true but for the first, at which the text before is not known");
	near(source.recall, 1, 1e-9, "who tells all small changes has told all");
	near(source.hinted_share, 0.5, 0.02, "half of the visits came after a hint");
	ok(source.trust > 0.8, "who tells small changes truthfully is trusted");
	told(&desk, t + DAY, t + DAY);
	desk_text(&desk, PAGE, t + DAY + HOUR, " - ");
	told(&desk, t + 2 * DAY, t + 2 * DAY);
	desk_text(&desk, PAGE, t + 2 * DAY + HOUR, " = ");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	must(!prn_decider_sources(desk.decider, keep_source, &source, NULL, NULL), "list sources");
	near(source.hinted - source.both, 2, 0.1, "other bytes of the same text are no change");
	desk_release(&desk);
}

/* Pages of a host, each of which is told of once, truly, when a word of it has changed; with an ETag or without. */
static struct prn_hint_source told_once(bool tagged)
{
	struct prn_hint_source source = { 0 };
	struct desk desk;
	char url[64], tag[2][16] = { "\"a\"", "\"b\"" };

	desk_open(&desk, NULL, 0);
	for (unsigned page = 0; page < 20; page++) {
		snprintf(url, sizeof url, "http://a.example/%u", page);
		for (unsigned i = 0; i < 2; i++) {
			struct prn_capture capture = status_of(url, T0 + i * DAY, 200);

			capture.content_type = "text/plain";
			capture.body = (const unsigned char *)slightly(2 * page + i);
			capture.body_bytes = strlen((const char *)capture.body);
			capture.etag = tagged ? tag[i] : NULL;
			if (i)
				told_by(&desk, SITEMAP, url, T0 + HOUR, T0 + HOUR);
			desk_answer(&desk, capture);
		}
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	must(!prn_decider_sources(desk.decider, keep_source, &source, NULL, NULL), "list sources");
	desk_release(&desk);
	printf("# precision %g of %g hints, trust %g\n", source.precision, source.hinted, source.trust);
	return source;
}

static enum prn_outcome_kind tagged_text(struct desk *desk, int64_t time, unsigned from, const char *etag)
{
	struct prn_capture capture = status_of(PAGE, time, 200);

	capture.content_type = "text/plain";
	capture.body = (const unsigned char *)text_from(from);
	capture.body_bytes = strlen((const char *)capture.body);
	capture.etag = etag;
	return desk_answer(desk, capture);
}

/* The validators that stand beside a page are of a version that is held back when its first hint comes. */
static void first_hint_of_a_suspect(void)
{
	struct prn_hint_source source = { 0 };
	struct desk desk;
	int64_t t = T0;

	desk_open(&desk, NULL, 0.25);
	for (int i = 0; i < 4; i++, t += DAY)
		tagged_text(&desk, t, 0, "\"usual\"");
	must(tagged_text(&desk, t, 5000, "\"captcha\"") == PRN_OUTCOME_SUSPECT, "hold a change back");
	told(&desk, t + HOUR, t + HOUR);
	must(tagged_text(&desk, t + 2 * HOUR, 0, "\"usual\"") == PRN_OUTCOME_DISMISSED, "dismiss it");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	must(!prn_decider_sources(desk.decider, keep_source, &source, NULL, NULL), "list sources");
	ok(source.hinted > 0 && source.both <= 0, "a page that is as it was before a version that was not believed has not changed");
	desk_release(&desk);
}

static void first_hints(void)
{
	struct prn_hint_source tagged = told_once(true), bare = told_once(false);

	near(tagged.precision, 1, 1e-9, "that a small change was told truly is seen at the first visit after it, where pages have validators");
	ok(tagged.trust > 2 * bare.trust, "who tells small changes truly, of each page once, is trusted more where pages have validators");
	ok(bare.precision < 0.9, "where pages have none the summary decides at the first visit after a first hint");
}

/* The digest of a page's text follows a change that was held back. */
static void text_of_suspects(void)
{
	struct prn_digest key = prn_url_key(PAGE);
	struct prn_store_reader reader;
	struct prn_page_sources page;
	struct desk desk;
	uint64_t text;
	int64_t t = T0;

	desk_open(&desk, NULL, 0.25);
	for (int i = 0; i < 4; i++, t += DAY)
		desk_text(&desk, PAGE, t, text_from(0));
	told(&desk, t - HOUR, t - HOUR);
	desk_text(&desk, PAGE, t, text_from(0));
	text = desk.observation.text;
	reader = prn_decider_reader(desk.decider);
	must(!prn_page_sources_read(&page, &reader, &key, NULL), "read what was told");
	ok(text && page.text == text, "a visit that brings the same text again tells its digest");
	desk_text(&desk, PAGE, t + DAY, text_from(500));
	must(desk.outcome.kind == PRN_OUTCOME_SUSPECT, "hold a change back");
	must(!prn_page_sources_read(&page, &reader, &key, NULL), "read what was told");
	ok(page.text == text, "a change that is held back is not the page's text");
	desk.skips_known = true;
	desk_text(&desk, PAGE, t + DAY + HOUR, text_from(500));
	must(desk.outcome.kind == PRN_OUTCOME_CONFIRMED && !desk.observation.text, "confirm a change");
	must(!prn_page_sources_read(&page, &reader, &key, NULL), "read what was told");
	ok(fabs(page.watched.changes - 1) < 0.5, "a change that the same bytes confirm is one change: %g", page.watched.changes);
	ok(!page.text, "of a change that the same bytes confirm the digest is not known");
	desk_text(&desk, PAGE, t + 2 * DAY, text_from(501));
	must(!prn_page_sources_read(&page, &reader, &key, NULL), "read what was told");
	ok(page.text && page.text == desk.observation.text, "the next text is known again");
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

/* A feed of 200 KB whose relative links, under a URL of 8000 bytes, are forty MB; the last one is whole. */
static void grown(void)
{
	static char url[8001], twice[] = "<item><link>1</link></item><item><link>1</link></item>";
	struct prn_buffer feed = { 0 };
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.hints = PRN_HINTS_FEED;
	must(!prn_decider_set_options(desk.decider, &desk.options, NULL), "set options");
	add(&feed, "<rss><channel>", 14);
	for (int i = 0; i < 2500; i++)
		add(&feed, twice, sizeof twice - 1);
	add(&feed, "<item><link>http://a.example/last</link></item></channel></rss>", 63);
	must(!prn_buffer_terminate(&feed), "end the feed");
	memset(url, 'p', 8000);
	memcpy(url, "http://a.example/", 17);
	url[7999] = '/';
	ok(shown(&desk, url, T0, (char *)feed.data).pages_hinted == 1,
	   "of a feed whose relative links stand for more than 32 MiB those before are taken in, and the rest is left");
	ok(shown(&desk, "http://b.example/", T0, (char *)feed.data).pages_hinted == 1 &&
	           shown(&desk, "http://a.example/feed", T0, (char *)feed.data).pages_hinted == 2,
	   "a feed with as many relative links under a short URL is taken in to its end");
	prn_buffer_release(&feed);
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
	struct prn_page_sources page;
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
	must(!prn_page_sources_read(&page, &reader, &key, NULL), "read what was told");
	printf("# since %g, before %g, watched %g days, %g changes\n", page.sources[0].counts.since, page.sources[0].counts.before,
	       page.watched.time, page.watched.changes);
	ok(page.count == 1, "one source that told of a page is kept");
	near(page.sources[0].counts.since, 1, 1e-9, "what was told of a page since its last visit is kept");
	near(page.sources[0].counts.before, 1, 1e-9, "what was told of a page before its last visit is kept");
	near(page.watched.time, 1, 1e-6, "how long a page was watched is kept");
	near(page.watched.changes, 1, 1e-9, "how many changes of a page were seen is kept");
	must(!prn_decider_forget(desk.decider, PRN_FORGET_URL, PAGE, &forgotten, NULL), "forget a page");
	must(!prn_page_sources_read(&page, &reader, &key, NULL), "read what was told");
	ok(!page.count, "what was told of a page goes with it");
	desk_release(&desk);
}

#define GIVEN 25 /* names, more than statistics have places for */
#define HOSTS 40

/* Each host is told by eight of the names, of which it hears some, so that a shard that names those it meets first would leave another one out than the next. */
static int say_damaged(void *context, const struct prn_hint_source *source)
{
	(void)source;
	++*(unsigned *)context;
	return PRN_E_DAMAGED;
}

static void sources_of_shards(void)
{
	const struct prn_decider_settings settings = { .shards = 4 };
	unsigned hosts[GIVEN] = { 0 }, wrong = 0, calls = 0;
	struct prn_passed_shards passed = { 0 };
	struct prn_error error = { .code = 42 };
	struct prn_stats stats;
	struct desk desk = { 0 };
	enum prn_added added;
	char url[64], name[32];

	snprintf(desk.path, sizeof desk.path, "%s/spread", scratch);
	desk_create(&desk, &settings);
	for (unsigned i = 0; i < HOSTS; i++) {
		snprintf(url, sizeof url, "http://h%u.example/", i);
		must(!prn_decider_add(desk.decider, url, 1, T0, &added, NULL), "add a page");
		for (unsigned k = 0; k < PRN_HOST_SOURCES; k++) {
			unsigned which = (7 * i + 3 * k) % GIVEN;

			snprintf(name, sizeof name, "name-%u", which);
			hosts[which] += told_by(&desk, name, url, T0 + 1 + k, PRN_TIME_UNKNOWN) != PRN_HINTED_LIMIT;
		}
	}
	must(!prn_decider_commit(desk.decider, NULL) && !prn_decider_stats(desk.decider, T0 + DAY, &stats, NULL), "take stats");
	for (size_t i = 0; i < stats.named_count; i++)
		wrong += stats.named[i].sum.sources != hosts[atoi(stats.named[i].name + strlen("name-"))];
	ok(prn_decider_sources(desk.decider, say_damaged, &calls, &passed, &error) == PRN_E_DAMAGED && error.code == 42,
	   "what the caller's function returns is returned, and the error is left to it, though a shard that is damaged is passed over");
	ok(calls == 1, "a caller's function that says no is not called again: %u", calls);
	ok(!passed.count, "what the caller's function returns makes no shard a lost one");
	ok(stats.named_count == PRN_STATS_NAMED && !wrong, "of a store of several shards each source that is named is of all its hosts (%u are not)", wrong);
	desk_release(&desk);
}

static int try_hint(struct desk *desk, struct prn_hint hint, int64_t now, struct prn_error *error)
{
	enum prn_hinted hinted;

	*error = (struct prn_error){ 0 };
	return prn_decider_hint(desk->decider, &hint, now, &hinted, error);
}

/* A program may give hints that this library has not read. */
static void hints_that_cannot_be(unsigned shards)
{
	static const char *const wrong[] = { NULL, "", "not a url", "http://A.example/", "ftp://a.example/" };
	const struct prn_decider_settings settings = { .shards = shards };
	struct prn_hint hint = { .url = PAGE, .normal_url = PAGE, .time = T0, .modified = PRN_TIME_UNKNOWN, .says_changed = true, .source = "x" };
	struct prn_error error;
	struct desk desk = { 0 };

	snprintf(desk.path, sizeof desk.path, "%s/wrong-hints-%u", scratch, shards);
	desk_create(&desk, &settings);
	ok(try_hint(&desk, hint, PRN_TIME_UNKNOWN, &error) == PRN_E_ARGUMENT && !strcmp(error.text, "it is not said what time it is"),
	   "%u shards: a hint at no known time is refused: %s", shards, error.text);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		hint.normal_url = wrong[i];
		ok(try_hint(&desk, hint, T0, &error) == PRN_E_ARGUMENT &&
		           !strcmp(error.text, PAGE ": its normal_url is not what prn_url_normalize makes of this URL"),
		   "%u shards: a hint whose normal URL is %s is refused: %s", shards, wrong[i] ? wrong[i] : "not given", error.text);
	}
	hint.normal_url = PAGE;
	hint.source = "";
	ok(try_hint(&desk, hint, T0, &error) == PRN_E_ARGUMENT, "%u shards: a hint without a source is refused: %s", shards, error.text);
	hint.source = NULL;
	ok(try_hint(&desk, hint, T0, &error) == PRN_E_ARGUMENT, "%u shards: a hint whose source is not given is refused: %s", shards, error.text);
	hint.url = NULL;
	ok(try_hint(&desk, hint, T0, &error) == PRN_E_ARGUMENT, "%u shards: a hint without a URL is refused: %s", shards, error.text);
	ok(!prn_decider_staged(desk.decider) && !desk_look(&desk, PAGE).known, "%u shards: a hint that is refused stages nothing", shards);
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	which_count();
	pages_named();
	limits();
	clocks_that_are_set();
	trusted();
	pings_of_churn();
	overdue_and_ahead();
	folders();
	indexes();
	robots();
	records();
	damaged();
	held_back();
	small_changes();
	first_hints();
	first_hint_of_a_suspect();
	text_of_suspects();
	reader();
	grown();
	silent();
	kept();
	in_portions();
	portions_that_end_early();
	over_shards();
	sources_of_shards();
	hints_that_cannot_be(0);
	hints_that_cannot_be(4);
	return done();
}
