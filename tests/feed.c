/* The feed: order, what is durable, faults in their place, bounds, failures, and an end at any time. */
#include "base/parallel.h"
#include "decide/feed_internal.h"
#include "desk.h"
#include "perennial/due.h"
#include "perennial/explanation.h"
#include "perennial/feed.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/ioctl.h>

#define LINES_MOST 5000
#define STREAM 480
#define STREAM_PAGES 40
#define MAP "http://a.example/map.xml"

/* Stands before the system's: no write reaches the store while this is set. */
static atomic_bool disk_fails;

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at);
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at)
{
	static ssize_t (*_Atomic real)(int, const void *, size_t, off64_t);

	if (!real)
		real = (ssize_t (*)(int, const void *, size_t, off64_t))(uintptr_t)dlsym(RTLD_NEXT, "pwrite64");
	if (!disk_fails)
		return real(file, bytes, count, at);
	errno = EIO;
	return -1;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at)
{
	return pwrite64(file, bytes, count, at);
}

/* One feed at work on a desk, with all that it delivered, and what is to happen to it. */
struct run {
	struct desk *desk;
	struct prn_feed_options options;
	struct prn_feed *feed;
	struct line {
		bool is_fault;
		char url[64], fault[200];
		int64_t time;
		struct prn_outcome outcome;
	} lines[LINES_MOST];
	atomic_size_t count, groups;
	size_t largest_group;
	bool early; /* something was delivered that was not durable */

	size_t fail_at, cancel_at;      /* the delivery that fails, or cancels, counted from 1; 0: none */
	atomic_size_t asked;
	size_t with_body, without_body; /* captures delivered: with the very body that was fed, and none at all */
	size_t cancelled_at;     /* how often cancelled was asked, and when it says yes; 0: never */
	atomic_bool gate;               /* closed: commits of the caller's wait */
	int commit_fails;               /* what a commit returns instead */
	atomic_bool committing;
	bool finishing;
	struct prn_error error;
};

static struct run run;

static bool is_durable(struct desk *desk, const struct prn_fed *fed)
{
	struct prn_explanation page;
	bool found;

	prn_explanation_init(&page);
	found = !prn_decider_explain(desk->decider, fed->observation->url, T0 + 1000 * DAY, &page, NULL) &&
	        page.attempted >= fed->observation->time;
	prn_explanation_release(&page);
	return found;
}

static int deliver(void *context, const struct prn_fed *fed, size_t count, struct prn_error *error)
{
	struct run *at = context;

	at->groups++;
	at->largest_group = count > at->largest_group ? count : at->largest_group;
	for (size_t i = 0; i < count; i++) {
		struct line *line = &at->lines[at->count];

		must(at->count < LINES_MOST, "hold so many deliveries");
		*line = (struct line){ .is_fault = fed[i].fault != NULL, .outcome = fed[i].outcome };
		if (fed[i].fault) {
			snprintf(line->fault, sizeof line->fault, "%.199s", fed[i].fault->text);
		} else {
			snprintf(line->url, sizeof line->url, "%.63s", fed[i].observation->url);
			line->time = fed[i].observation->time;
			at->early |= !is_durable(at->desk, &fed[i]);
		}
		at->count++;
	}
	if (at->cancel_at && at->groups == at->cancel_at)
		prn_feed_cancel(at->feed);
	return at->fail_at && at->groups == at->fail_at ? prn_error_set(error, PRN_E_IO, "nobody takes it") : 0;
}

/* Empties the run for another feed on the same desk; options may be changed until it is opened. */
static void prepare(struct run *at, struct desk *desk)
{
	memset(at, 0, sizeof *at);
	at->desk = desk;
	prn_feed_options_init(&at->options);
	at->options.threads = 2;
	at->options.deliver = deliver;
	at->options.context = at;
}

static void open_feed(struct run *at)
{
	if (prn_feed_open(&at->feed, at->desk->decider, &at->options, &at->error))
		printf("# %s\n", at->error.text);
	must(at->feed != NULL, "open a feed");
}

static struct prn_capture text_capture(const char *url, int64_t time, const char *text)
{
	struct prn_capture capture = status_of(url, time, 200);

	capture.normal_url = url;
	capture.content_type = "text/plain";
	capture.body = (const unsigned char *)text;
	capture.body_bytes = strlen(text);
	return capture;
}

/*
 * The n-th capture of a stream: pages that change, go back to what they were, fail and redirect, all of them several
 * times within a group.
 */
static struct prn_capture stream_capture(size_t n)
{
	static char url[64], target[64];
	size_t page = n * 7 % STREAM_PAGES, visit = n / STREAM_PAGES;
	struct prn_capture capture;

	snprintf(url, sizeof url, "http://h%zu.example/%zu", page % 5, page);
	capture = text_capture(url, T0 + (int64_t)n * HOUR, text_from((unsigned)(1000 * page + visit % 3 * 40)));
	if (page % 8 == 1)
		capture = text_capture(url, capture.time, text_from((unsigned)(1000 * page)));
	if (page % 8 == 3 && visit % 4 == 1) {
		capture = status_of(url, capture.time, visit % 8 == 1 ? 500 : 404);
		capture.normal_url = url;
	}
	if (page % 8 == 5 && visit % 4 == 1) {
		snprintf(target, sizeof target, "http://h%zu.example/target%zu", page % 5, visit);
		capture.status = 301;
		capture.kind = PRN_KIND_REDIRECT;
		capture.content_type = "application/octet-stream";
		capture.body = (const unsigned char *)target;
		capture.body_bytes = strlen(target);
	}
	return capture;
}

static void feed_stream(struct run *at, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		struct prn_capture capture = stream_capture(i);

		if (prn_feed_capture(at->feed, &capture, &at->error))
			return;
	}
}

/* What comes of the stream when each capture is decided before the next one is looked at. */
static struct prn_outcome outcomes[STREAM];

static void decide_one_by_one(void)
{
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	for (size_t i = 0; i < STREAM; i++) {
		desk_answer(&desk, stream_capture(i));
		outcomes[i] = desk.outcome;
	}
	desk_release(&desk);
}

/* Whether what was delivered is the stream from its capture first on, and each outcome the one that it should be. */
static bool is_stream(const struct run *at, size_t first)
{
	for (size_t i = 0; i < at->count; i++) {
		const struct line *line = &at->lines[i];
		const struct prn_outcome *got = &line->outcome, *want = &outcomes[first + i];

		if (line->is_fault || strcmp(line->url, stream_capture(first + i).url) != 0 ||
		    line->time != T0 + (int64_t)(first + i) * HOUR || got->kind != want->kind || got->next != want->next ||
		    got->divergence < want->divergence || got->divergence > want->divergence) {
			printf("# %zu: %s %s, not %s\n", first + i, line->url, prn_outcome_name(got->kind),
			       prn_outcome_name(want->kind));
			return false;
		}
	}
	return true;
}

static void order(void)
{
	static const size_t groups[] = { 3, 40, 1000 };
	bool kinds[PRN_OUTCOMES] = { false };
	struct desk desk;
	unsigned kind_count = 0;

	for (size_t threads = 1; threads < 9; threads = 2 * threads + 1)
		for (size_t i = 0; i < 3; i++) {
			desk_open(&desk, "drift", 0.25);
			prepare(&run, &desk);
			run.options.threads = threads;
			run.options.commit_most = groups[i];
			open_feed(&run);
			feed_stream(&run, 0, STREAM);
			ok(!prn_feed_finish(run.feed, &run.error) && run.count == STREAM, "%zu threads, groups of %zu: all that is fed is delivered", threads,
			   groups[i]);
			ok(is_stream(&run, 0),
			   "%zu threads, groups of %zu: in the order in which they were fed, and as if fed one by one", threads, groups[i]);
			ok(!run.early, "%zu threads, groups of %zu: all that is delivered is durable", threads, groups[i]);
			ok(run.largest_group <= groups[i], "%zu threads: no group is larger than %zu", threads, groups[i]);
			prn_feed_free(run.feed);
			desk_release(&desk);
		}
	for (size_t i = 0; i < STREAM; i++) {
		kind_count += !kinds[outcomes[i].kind];
		kinds[outcomes[i].kind] = true;
	}
	ok(kind_count >= 5, "the stream has many kinds of outcome: %u", kind_count);
}

/* Another report of the page comes in between, so that a body that was known is not the last one any more. */
static int overtaken_commit(void *context, struct prn_feed_group *group, struct prn_error *error)
{
	struct run *at = context;
	int code;

	desk_text(at->desk, PAGE, T0 + HOUR, text_from(500));
	prn_feed_stage(group, NULL);
	code = prn_decider_commit(at->desk->decider, error);
	return code;
}

/* Counts the commits of a group, between which another page is reported. */
static int counted_commit(void *context, struct prn_feed_group *group, struct prn_error *error)
{
	struct run *at = context;
	char url[64];

	snprintf(url, sizeof url, "http://b.example/%d", ++at->commit_fails);
	desk_text(at->desk, url, T0, text_from(3));
	return prn_feed_stage(group, error) ? PRN_E_CONFLICT : prn_decider_commit(at->desk->decider, error);
}

/*
 * Stages a group, takes that back, as a caller does that was overtaken by another writer, and stages it again, when another body
 * of the sitemap has made the feed read the one that it has.  It gives up if it is called again and again.
 */
static int repeated_commit(void *context, struct prn_feed_group *group, struct prn_error *error)
{
	struct run *at = context;
	struct prn_decider_savepoint before;

	if (++at->commit_fails > 3)
		return prn_error_set(error, PRN_E_CONFLICT, "the group is committed again and again");
	desk_text(at->desk, MAP, T0 + HOUR, text_from(500));
	before = prn_decider_save(at->desk->decider);
	must(!prn_feed_stage(group, error), "stage a group");
	prn_decider_restore(at->desk->decider, &before);
	must(!prn_feed_stage(group, error), "stage a group again");
	return prn_decider_commit(at->desk->decider, error);
}

static void open_hinted(struct desk *desk)
{
	desk_open(desk, "drift", 0.25);
	desk->options.hints = PRN_HINTS_SITEMAP;
	desk->options.hinted_per_host = 5000;
	desk_reopen(desk);
}

static void feed_sitemap(int64_t time, const char *text)
{
	struct prn_capture capture = text_capture(MAP, time, text);

	capture.content_type = "application/xml";
	must(!prn_feed_capture(run.feed, &capture, NULL), "feed");
}

static char *sitemap_of(unsigned pages)
{
	static char text[200000];
	size_t length = (size_t)snprintf(text, sizeof text, "<urlset>");

	for (unsigned i = 0; i < pages; i++)
		length += (size_t)snprintf(text + length, sizeof text - length,
		                           "<url><loc>http://a.example/p/%u</loc></url>", i);
	snprintf(text + length, sizeof text - length, "</urlset>");
	return text;
}

/* A long sitemap that turns out not to be known when its group is staged, and is not the first of it. */
static void repeated_sitemaps(void)
{
	char *text = sitemap_of(1700);
	struct prn_capture capture;
	struct desk desk;

	open_hinted(&desk);
	for (unsigned round = 0; round < 2; round++) {
		prepare(&run, &desk);
		run.options.commit_wait_s = INFINITY;
		if (round)
			run.options.commit = repeated_commit;
		open_feed(&run);
		capture = text_capture("http://a.example/1", T0 + 2 * round * HOUR, text_from(round));
		must(!prn_feed_capture(run.feed, &capture, NULL), "feed");
		feed_sitemap(T0 + 2 * round * HOUR, text);
		must(!prn_feed_finish(run.feed, &run.error) || round, "finish the first feed");
		prn_feed_free(run.feed);
	}
	ok(run.count == 2, "a long sitemap that is read late, in a group that is staged twice, is delivered: %s", run.error.text);
	ok(run.commit_fails == 1, "a long sitemap behind another capture is taken in with its group: %d commits", run.commit_fails);
	ok(run.lines[0].outcome.kind == PRN_OUTCOME_OBSERVED, "what stands before a long sitemap is observed once: %s",
	   prn_outcome_name(run.lines[0].outcome.kind));
	ok(run.lines[1].outcome.kind == PRN_OUTCOME_OBSERVED, "a long sitemap whose page was reported in between is read: %s",
	   prn_outcome_name(run.lines[1].outcome.kind));
	desk_release(&desk);
}

/* A sitemap of thousands of entries among others. */
static void long_sitemaps(void)
{
	char *text = sitemap_of(1700);
	struct prn_capture capture;
	struct desk desk;

	open_hinted(&desk);
	prepare(&run, &desk);
	run.options.commit = counted_commit;
	run.options.commit_wait_s = INFINITY;
	open_feed(&run);
	capture = text_capture("http://a.example/1", T0, text_from(1));
	must(!prn_feed_capture(run.feed, &capture, NULL), "feed");
	feed_sitemap(T0, text);
	capture = text_capture("http://a.example/2", T0, text_from(2));
	must(!prn_feed_capture(run.feed, &capture, NULL), "feed");
	ok(!prn_feed_finish(run.feed, &run.error) && run.count == 3, "a sitemap of 1700 entries and its neighbours are delivered");
	ok(!run.early, "a sitemap of 1700 entries is durable when it is delivered");
	ok(run.lines[1].outcome.pages_hinted == 1700,
	   "a sitemap of 1700 entries among others is delivered in its place, with all its pages");
	ok(run.commit_fails == 1 + 4 + 1, "a sitemap of 1700 entries takes four commits, between which others are served: %d in all",
	   run.commit_fails);
	prn_feed_free(run.feed);
	desk_release(&desk);
}

static void known_bodies(void)
{
	struct prn_capture capture;
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	desk_text(&desk, PAGE, T0, text_from(0));
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	prepare(&run, &desk);
	run.options.commit = overtaken_commit;
	open_feed(&run);
	capture = text_capture(PAGE, T0 + 2 * HOUR, text_from(0));
	must(!prn_feed_capture(run.feed, &capture, NULL), "feed");
	ok(!prn_feed_finish(run.feed, &run.error) && run.count == 1, "a known body of a page that was reported in between is delivered");
	ok(run.lines[0].outcome.kind == PRN_OUTCOME_OBSERVED,
	   "a known body is read after all when another report of its page came in between: %s", prn_outcome_name(run.lines[0].outcome.kind));
	prn_feed_free(run.feed);

	prepare(&run, &desk);
	open_feed(&run);
	for (unsigned i = 3; i < 9; i++) {
		capture = text_capture(PAGE, T0 + i * HOUR, text_from(i % 2 ? 500 : 0));
		must(!prn_feed_capture(run.feed, &capture, NULL), "feed");
	}
	prn_feed_finish(run.feed, NULL);
	for (size_t i = 0; i < run.count; i++)
		must(run.lines[i].outcome.kind == PRN_OUTCOME_OBSERVED || run.lines[i].outcome.kind == PRN_OUTCOME_SAME,
		     "observe");
	ok(run.count == 6, "each report of a page that goes to and fro within a group is delivered");
	ok(run.lines[0].outcome.kind == PRN_OUTCOME_OBSERVED && run.lines[5].outcome.kind == PRN_OUTCOME_OBSERVED,
	   "a page that goes to and fro within a group is observed each time");
	prn_feed_free(run.feed);
	desk_release(&desk);
}

static const char *body_of(size_t i)
{
	return i % 3 == 2 ? "" : text_from((unsigned)(i % 3 ? 500 : 0));
}

/* The bodies that are delivered are those that were fed: known ones, new ones, and none. */
static int take_bodies(void *context, const struct prn_fed *fed, size_t count, struct prn_error *error)
{
	struct run *at = context;

	(void)error;
	for (size_t i = 0; i < count; i++, at->count++) {
		const char *body = body_of(at->count);

		at->without_body += !fed[i].capture;
		at->with_body += fed[i].capture && fed[i].capture->body_bytes == strlen(body) &&
		                 !memcmp(fed[i].capture->body, body, strlen(body)) && fed[i].observation->time == fed[i].capture->time;
	}
	return 0;
}

static void bodies(void)
{
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	for (int wanted = 0; wanted < 2; wanted++) {
		prepare(&run, &desk);
		run.options.bodies = wanted;
		run.options.bytes_most = 4 * strlen(text_from(0));
		run.options.commit_wait_s = INFINITY;
		run.options.deliver = take_bodies;
		open_feed(&run);
		for (unsigned i = 0; i < 60; i++) {
			struct prn_capture capture = text_capture(PAGE, T0 + (60 * wanted + (int)i + 1) * HOUR, body_of(i));

			must(!prn_feed_capture(run.feed, &capture, NULL), "feed");
		}
		must(!prn_feed_finish(run.feed, &run.error), "finish");
		if (wanted)
			ok(run.with_body == 60 && !run.without_body,
			   "where bodies are wanted each is delivered with its capture, however few may be under way: %zu of %zu", run.with_body,
			   run.count);
		else
			ok(run.without_body == 60, "where bodies are not wanted none is delivered");
		prn_feed_free(run.feed);
	}
	desk_release(&desk);
}

static int64_t a_clock(void *context)
{
	(void)context;
	return T0 + 10 * DAY;
}

static void times(void)
{
	struct prn_capture capture = text_capture(PAGE, PRN_TIME_UNKNOWN, text_from(0));
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	prepare(&run, &desk);
	open_feed(&run);
	ok(prn_feed_capture(run.feed, &capture, &run.error) == PRN_E_ARGUMENT,
	   "without a clock a capture without a time is refused: %s", run.error.text);
	capture.time = T0;
	capture.weight = -1;
	ok(prn_feed_capture(run.feed, &capture, &run.error) == PRN_E_ARGUMENT, "a weight below 0 is refused: %s", run.error.text);
	capture.weight = 1e10;
	ok(prn_feed_capture(run.feed, &capture, &run.error) == PRN_E_ARGUMENT, "a weight beyond a billion is refused: %s", run.error.text);
	ok(!prn_feed_finish(run.feed, &run.error) && !run.count, "a capture that was refused does not end the feed");
	prn_feed_free(run.feed);

	prepare(&run, &desk);
	run.options.now = a_clock;
	open_feed(&run);
	capture = text_capture(PAGE, PRN_TIME_UNKNOWN, text_from(0));
	prn_feed_capture(run.feed, &capture, NULL);
	capture = text_capture("http://a.example/late", T0 + 11 * DAY, text_from(0));
	prn_feed_capture(run.feed, &capture, NULL);
	prn_feed_finish(run.feed, NULL);
	ok(run.count == 2 && run.lines[0].time == T0 + 10 * DAY, "a capture without a time is of the clock's");
	ok(run.lines[1].outcome.kind == PRN_OUTCOME_FUTURE, "a capture beyond the clock is in the future, and that is delivered");
	prn_feed_free(run.feed);

	prepare(&run, &desk);
	run.options.has_time = true;
	run.options.time = T0 + 12 * DAY;
	open_feed(&run);
	prn_feed_capture(run.feed, &capture, NULL);
	prn_feed_finish(run.feed, NULL);
	ok(run.count == 1 && run.lines[0].time == T0 + 12 * DAY, "a time that is given is that of every capture");
	prn_feed_free(run.feed);
	desk_release(&desk);
}

#define LINE(n) "{\"url\":\"http://a.example/" #n "\",\"time\":\"2026-01-0" #n "\",\"body\":\"" #n "\"}\n"

static void sources(void)
{
	static const char lines[] = LINE(1) "{\"url\":7}\n" LINE(2) LINE(3);
	struct prn_source_options options = { .body_bytes_max = 1000 };
	struct prn_buffer packed = { 0 };
	struct prn_source *source;
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	prepare(&run, &desk);
	open_feed(&run);
	prn_feed_watch(run.feed, &options);
	must(!prn_source_open(&source, put_file("lines", lines, sizeof lines - 1), &options, NULL), "open a source");
	ok(!prn_feed_source(run.feed, source, &run.error), "a source is fed to its end");
	prn_source_free(source);

	add_gzip(&packed, lines, sizeof lines - 1);
	packed.length -= 10;
	must(!prn_source_open(&source, put_buffer("cut.gz", &packed), &options, NULL), "open a source");
	ok(prn_feed_source(run.feed, source, &run.error) == PRN_E_TRUNCATED, "an error of the source is the caller's to tell: %s",
	   run.error.text);
	prn_feed_fault(run.feed, &run.error);
	prn_source_free(source);
	prn_buffer_release(&packed);
	ok(!prn_feed_finish(run.feed, &run.error) && run.count >= 5, "a feed goes on after a source that ended early");
	ok(run.lines[1].is_fault && HOLDS(run.lines[1].fault, "lines: line 2: \"url\" takes a text"),
	   "what a source skips is delivered in its place: %s", run.lines[1].fault);
	ok(!run.lines[0].is_fault && !run.lines[2].is_fault, "what stands before and after what a source skips is no fault");
	ok(run.lines[run.count - 1].is_fault && HOLDS(run.lines[run.count - 1].fault, "cut.gz"),
	   "a fault of the caller's is delivered in its place: %s", run.lines[run.count - 1].fault);
	prn_feed_free(run.feed);
	desk_release(&desk);
}

/* Feeds one capture and waits until it was delivered, without feeding another. */
static void lull(void)
{
	struct prn_capture capture = stream_capture(0);
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	prepare(&run, &desk);
	run.options.commit_wait_s = 0.001;
	open_feed(&run);
	prn_feed_capture(run.feed, &capture, NULL);
	for (int i = 0; i < 20000 && !run.count; i++)
		usleep(1000);
	ok(run.count == 1, "a capture is decided, and durable, though no other one follows");
	prn_feed_free(run.feed);
	desk_release(&desk);
}

/* Nobody waits: a group is as large as it may be. */
static void whole_groups(void)
{
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	prepare(&run, &desk);
	run.options.commit_wait_s = INFINITY;
	open_feed(&run);
	feed_stream(&run, 0, 4001);
	ok(!prn_feed_finish(run.feed, &run.error) && run.count == 4001, "4001 captures are delivered, though nobody waits for them");
	ok(run.groups == 2 && run.largest_group == 4000, "unless it is asked otherwise, 4000 captures become durable together");
	prn_feed_free(run.feed);
	desk_release(&desk);
}

/* Bodies that are known are held until they are decided: what is held must not stop the feed. */
static void bounds(void)
{
	char text[2000];
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	for (int round = 0; round < 2; round++) {
		prepare(&run, &desk);
		run.options.commit_wait_s = INFINITY;
		run.options.bytes_most = 3 * sizeof text;
		open_feed(&run);
		for (unsigned i = 0; i < 40; i++) {
			char url[64];
			struct prn_capture capture;

			snprintf(url, sizeof url, "http://a.example/%u", i);
			snprintf(text, sizeof text, "%-1999u", i);
			capture = text_capture(url, T0 + round * DAY, text);
			must(!prn_feed_capture(run.feed, &capture, NULL), "feed");
		}
		must(!prn_feed_finish(run.feed, NULL) && run.count == 40, "finish");
		prn_feed_free(run.feed);
	}
	ok(run.lines[39].outcome.kind == PRN_OUTCOME_SAME, "bodies that are known are not read again");
	ok(run.largest_group <= 3 && run.groups >= 40 / 3, "a group is decided when what it holds leaves no room: %zu at most",
	   run.largest_group);
	desk_release(&desk);
}

/* Whether the store has what the first count captures of the stream made of it, and nothing is staged. */
static bool has_exactly(struct desk *desk, size_t count)
{
	struct prn_store_totals totals;
	struct desk other;
	bool equal;
	uint64_t pages;

	desk_open(&other, "drift", 0.25);
	for (size_t i = 0; i < count; i++)
		desk_answer(&other, stream_capture(i));
	must(!prn_decider_commit(other.decider, NULL) && !prn_store_totals(prn_decider_store(other.decider), &totals, NULL),
	     "count");
	pages = totals.pages;
	must(!prn_store_totals(prn_decider_store(desk->decider), &totals, NULL), "count");
	equal = totals.pages == pages && !prn_decider_staged(desk->decider);
	if (!equal)
		printf("# %llu pages, not %llu; %zu staged\n", (unsigned long long)totals.pages, (unsigned long long)pages,
		       prn_decider_staged(desk->decider));
	desk_release(&other);
	return equal;
}

static void failing_commits(void)
{
	struct desk desk;
	char spoilt[64];
	size_t before = 200;

	desk_open(&desk, "drift", 0.25);
	prepare(&run, &desk);
	run.options.commit_most = 20;
	open_feed(&run);
	feed_stream(&run, 0, 100);
	must(!prn_feed_finish(run.feed, NULL) && run.count == 100, "feed");
	prn_feed_free(run.feed);

	prepare(&run, &desk);
	open_feed(&run);
	disk_fails = true;
	feed_stream(&run, 100, 150);
	ok(prn_feed_finish(run.feed, &run.error) == PRN_E_IO, "a commit that fails ends the feed: %s", run.error.text);
	disk_fails = false;
	ok(!run.count, "nothing of a commit that failed is delivered");
	ok(has_exactly(&desk, 100), "a commit that failed leaves nothing, in the store or staged");
	ok(prn_feed_finish(run.feed, &run.error) == PRN_E_IO, "a feed that failed says so again");
	ok(prn_feed_capture(run.feed, &(struct prn_capture){ .url = PAGE, .normal_url = PAGE }, &run.error) == PRN_E_CANCELLED,
	   "a feed that has ended takes nothing: %s", run.error.text);
	prn_feed_free(run.feed);

	prepare(&run, &desk);
	open_feed(&run);
	feed_stream(&run, 100, 200);
	ok(!prn_feed_finish(run.feed, &run.error) && run.count == 100, "the same captures are fed again after a failure");
	ok(is_stream(&run, 100), "captures that are fed again after a failure are decided as if it had not been");
	prn_feed_free(run.feed);

	/* At a page whose state a newer program wrote. */
	snprintf(spoilt, sizeof spoilt, "%s", stream_capture(230).url);
	while (strcmp(stream_capture(before).url, spoilt) != 0)
		before++;
	desk_make_newer(&desk, spoilt);
	prepare(&run, &desk);
	open_feed(&run);
	feed_stream(&run, 200, 300);
	ok(prn_feed_finish(run.feed, &run.error) == PRN_E_VERSION, "an observation that cannot be decided ends the feed: %s",
	   run.error.text);
	ok(run.count > 0 && run.count == before - 200, "what came before an observation that cannot be decided in its group is delivered");
	ok(is_stream(&run, 200), "what came before an observation that cannot be decided is decided as ever");
	ok(!run.early, "what came before an observation that cannot be decided is durable when it is delivered");
	ok(!prn_decider_staged(desk.decider), "nothing of what came after an observation that cannot be decided is staged");
	prn_feed_free(run.feed);

	desk_release(&desk);
}

static void failing_deliveries(void)
{
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	prepare(&run, &desk);
	run.options.commit_most = 10;
	run.fail_at = 3;
	open_feed(&run);
	feed_stream(&run, 0, 100);
	ok(prn_feed_finish(run.feed, &run.error) == PRN_E_IO && !strcmp(run.error.text, "nobody takes it"),
	   "a delivery that fails ends the feed with its failure");
	ok(run.groups == 3 && has_exactly(&desk, run.count), "nothing is made durable after a delivery that failed");
	prn_feed_free(run.feed);
	desk_release(&desk);
}

/* The caller's own way of committing: it fails, or waits at a gate. */
static int own_commit(void *context, struct prn_feed_group *group, struct prn_error *error)
{
	struct run *at = context;
	struct prn_decider *decider = at->desk->decider;
	struct prn_decider_savepoint before = prn_decider_save(decider);
	int code = at->commit_fails;

	at->committing = true;
	while (at->gate)
		usleep(100);
	prn_feed_stage(group, NULL);
	/* What is staged may be taken back, and staged again. */
	prn_decider_restore(decider, &before);
	prn_feed_stage(group, NULL);
	if (!code)
		code = prn_decider_commit(decider, error);
	if (code)
		prn_decider_restore(decider, &before);
	return code;
}

static void own_commits(void)
{
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	prepare(&run, &desk);
	run.options.commit = own_commit;
	open_feed(&run);
	feed_stream(&run, 0, 100);
	ok(!prn_feed_finish(run.feed, &run.error) && run.count == 100, "a group that is staged twice is delivered once");
	ok(is_stream(&run, 0), "a group that is staged twice is decided once");
	prn_feed_free(run.feed);

	prepare(&run, &desk);
	run.options.commit = own_commit;
	run.commit_fails = PRN_E_LIMIT;
	open_feed(&run);
	feed_stream(&run, 100, 200);
	ok(prn_feed_finish(run.feed, &run.error) == PRN_E_LIMIT && run.error.code == PRN_E_LIMIT,
	   "a commit of the caller's that fails without a word ends the feed with its code");
	same(run.error.text, prn_error_text(PRN_E_LIMIT),
	     "a commit of the caller's that fails without a word is told in the words of its code");
	ok(!run.count && has_exactly(&desk, 100), "nothing of a commit of the caller's that failed is delivered or staged");
	prn_feed_free(run.feed);
	desk_release(&desk);
}

static bool is_cancelled(void *context)
{
	struct run *at = context;

	return ++at->asked == at->cancelled_at;
}

/* Whether the end was a cancellation, what was delivered is the stream's beginning, and the store has just that. */
static bool ended_cleanly(struct run *at)
{
	int code = prn_feed_finish(at->feed, &at->error);

	prn_feed_free(at->feed);
	return code == PRN_E_CANCELLED && is_stream(at, 0) && !at->early && has_exactly(at->desk, at->count);
}

static void cancelled_at_any_capture(void)
{
	struct desk desk;
	unsigned clean = 0, tried = 0;

	for (size_t n = 1; n < STREAM; n += 23, tried++) {
		desk_open(&desk, "drift", 0.25);
		prepare(&run, &desk);
		run.options.commit_most = 16;
		run.options.cancelled = is_cancelled;
		run.cancelled_at = n;
		open_feed(&run);
		feed_stream(&run, 0, STREAM);
		clean += ended_cleanly(&run) && run.count < n;
		desk_release(&desk);
	}
	ok(clean == tried, "cancelled at any capture, what was delivered is durable, and nothing else is: %u of %u", clean, tried);
}

/* Cancels from the thread that made the observation. */
static void cancel_at_made(void *context, double seconds)
{
	struct run *at = context;

	(void)seconds;
	if (++at->asked == at->cancelled_at)
		prn_feed_cancel(at->feed);
}

/* Has the thread that finishes wait until it was asked whether to cancel, for ten seconds at most. */
static int deliver_once_cancelled(void *context, const struct prn_fed *fed, size_t count, struct prn_error *error)
{
	struct run *at = context;

	at->committing = true;
	for (int i = 0; i < 10000 && !atomic_load(&at->feed->ended); i++)
		usleep(1000);
	return deliver(context, fed, count, error);
}

static bool cancels_at_finish(void *context)
{
	struct run *at = context;

	return at->finishing;
}

static void cancelled_at_finish(void)
{
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	prepare(&run, &desk);
	run.options.commit_most = 1;
	run.options.deliver = deliver_once_cancelled;
	run.options.cancelled = cancels_at_finish;
	open_feed(&run);
	feed_stream(&run, 0, 20);
	while (!run.committing)
		usleep(100);
	run.finishing = true;
	ok(ended_cleanly(&run) && run.count == 1, "cancelled while it finishes, what was under way is delivered, and nothing after it: %zu",
	   (size_t)run.count);
	desk_release(&desk);
}

static void cancelled_elsewhere(void)
{
	struct prn_observer *observer;
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	prepare(&run, &desk);
	run.options.commit_most = 16;
	run.cancel_at = 2;
	open_feed(&run);
	feed_stream(&run, 0, STREAM);
	ok(ended_cleanly(&run) && run.groups == 2, "cancelled in a delivery, that was the last one");
	desk_release(&desk);

	desk_open(&desk, "drift", 0.25);
	must(!prn_observer_open(&observer, desk.decider, NULL), "open an observer");
	prepare(&run, &desk);
	prn_observer_watch(observer, cancel_at_made, &run);
	run.options.observer = observer;
	run.options.threads = 1;
	run.options.commit_most = 16;
	run.cancelled_at = 90;
	open_feed(&run);
	feed_stream(&run, 0, STREAM);
	ok(ended_cleanly(&run), "cancelled by a thread that reads bodies, what was delivered is durable");
	prn_observer_free(observer);
	desk_release(&desk);

}

/* Once the commit has begun, with time for who feeds to come to wait for room; then lets the commit go on. */
static void *cancel_at_gate(void *context)
{
	struct run *at = context;

	while (!at->committing)
		usleep(100);
	usleep(5000);
	prn_feed_cancel(at->feed);
	at->gate = false;
	return NULL;
}

static void cancelled_in_commit(void)
{
	pthread_t thread;
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	prepare(&run, &desk);
	run.options.commit = own_commit;
	run.options.commit_most = 4;
	run.gate = true;
	open_feed(&run);
	pthread_create(&thread, NULL, cancel_at_gate, &run);
	feed_stream(&run, 0, STREAM);
	pthread_join(thread, NULL);
	ok(ended_cleanly(&run) && run.count == 4,
	   "cancelled while it commits and who feeds waits for room, that commit is delivered, and no other is made");
	desk_release(&desk);
}

/* A pipe that is fed as a source, and nobody writes to any more. */
struct endless {
	struct run *run;
	int ends[2];
	bool cancels;
};

static void *await_empty_pipe(void *context)
{
	struct endless *endless = context;
	int left = 1;

	while (!ioctl(endless->ends[0], FIONREAD, &left) && left)
		usleep(100);
	if (endless->cancels)
		prn_feed_cancel(endless->run->feed);
	return NULL;
}

/* What prn_feed_source says of such a pipe. */
static int feed_endless(struct run *at, bool cancels)
{
	static const char line[] = LINE(1);
	struct endless endless = { .run = at, .cancels = cancels };
	struct prn_source_options options = { .body_bytes_max = 1000 };
	struct prn_source *source;
	pthread_t thread;
	int code;

	at->options.commit_wait_s = 0.001;
	open_feed(at);
	prn_feed_watch(at->feed, &options);
	must(!pipe(endless.ends) && write(endless.ends[1], line, sizeof line - 1) == sizeof line - 1, "fill a pipe");
	must(!prn_source_open_fd(&source, endless.ends[0], "pipe", &options, NULL), "open a source");
	pthread_create(&thread, NULL, await_empty_pipe, &endless);
	code = prn_feed_source(at->feed, source, NULL);
	pthread_join(thread, NULL);
	prn_source_free(source);
	close(endless.ends[0]);
	close(endless.ends[1]);
	return code;
}

static void endless_sources(void)
{
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	prepare(&run, &desk);
	ok(feed_endless(&run, true) == PRN_E_CANCELLED && prn_feed_finish(run.feed, NULL) == PRN_E_CANCELLED,
	   "a source that waits for input that does not come is ended when the feed is cancelled");
	prn_feed_free(run.feed);

	prepare(&run, &desk);
	run.fail_at = 1;
	ok(feed_endless(&run, false) == PRN_E_CANCELLED && prn_feed_finish(run.feed, NULL) == PRN_E_IO,
	   "a source that waits for input is ended when the feed fails, and the feed says with what");
	prn_feed_free(run.feed);
	desk_release(&desk);
}

static void freed_at_any_capture(void)
{
	unsigned clean = 0, tried = 0;
	struct desk desk;

	for (size_t n = 0; n < 200; n += 17, tried++) {
		desk_open(&desk, "drift", 0.25);
		prepare(&run, &desk);
		run.options.commit_most = 16;
		open_feed(&run);
		feed_stream(&run, 0, n);
		prn_feed_free(run.feed);
		clean += has_exactly(&desk, run.count);
		desk_release(&desk);
	}
	ok(clean == tried, "freed at any capture, a feed leaves what it delivered, and nothing staged: %u of %u", clean, tried);
	prn_feed_free(NULL);
}

static void bad_option(struct desk *desk, const struct prn_feed_options *options, const char *what)
{
	struct prn_error error = { 0 };
	struct prn_feed *feed = NULL;

	ok(prn_feed_open(&feed, desk->decider, options, &error) == PRN_E_ARGUMENT && !feed, "%s is refused: %s", what, error.text);
}

static void opening(void)
{
	struct prn_source_options wired = { .body_bytes_max = 0 };
	struct prn_feed_options options;
	struct prn_decider *reader;
	struct desk desk;
	int kept;

	desk_open(&desk, "drift", 0.25);
	prn_feed_options_init(&options);
	options.commit_most = 0;
	bad_option(&desk, &options, "a commit of nothing");
	options.commit_most = PRN_FEED_COMMIT_MOST + 1;
	bad_option(&desk, &options, "a commit of too much");
	prn_feed_options_init(&options);
	options.commit_wait_s = 0;
	bad_option(&desk, &options, "a commit that does not wait");
	options.commit_wait_s = NAN;
	bad_option(&desk, &options, "a wait that is no number");
	prn_feed_options_init(&options);
	options.threads = PRN_FEED_THREADS_MOST + 1;
	bad_option(&desk, &options, "a feed of more threads than there may be");
	options.threads = SIZE_MAX;
	bad_option(&desk, &options, "a feed of all the threads that a number can name");
	prepare(&run, &desk);
	run.options.threads = 0;
	open_feed(&run);
	ok(prn_pipeline_threads(run.feed->pipeline) == prn_parallel_processors(), "a feed of 0 threads has one for each processor");
	prn_feed_free(run.feed);
	ok(!prn_feed_open(&run.feed, desk.decider, NULL, NULL), "a feed without options is opened");
	ok(!prn_feed_finish(run.feed, NULL), "a feed without options has the defaults, and comes to its end");
	prn_feed_free(run.feed);
	prn_feed_options_init(&options);
	reader = desk.decider;
	must(!prn_decider_open(&desk.decider, desk.path, PRN_STORE_READ, NULL, NULL), "open for reading");
	bad_option(&desk, &options, "a store that is opened for reading");
	prn_decider_free(desk.decider);
	desk.decider = reader;

	prepare(&run, &desk);
	kept = dup(STDIN_FILENO);
	close(STDIN_FILENO);
	open_feed(&run);
	prn_feed_watch(run.feed, &wired);
	ok(wired.wake > 0, "a feed that is opened where standard input is closed can end a wait for input all the same");
	dup2(kept, STDIN_FILENO);
	close(kept);
	ok(!prn_feed_finish(run.feed, NULL) && !run.groups, "a feed of nothing delivers nothing");
	prn_feed_free(run.feed);
	desk_release(&desk);
}

/* Weeks of captures a second time: without a clock, those that are later are no future. */
static void fed_again(void)
{
	struct desk desk;
	size_t past = 0;

	desk_open(&desk, "drift", 0.25);
	for (int i = 0; i < 2; i++) {
		prepare(&run, &desk);
		open_feed(&run);
		feed_stream(&run, 0, STREAM);
		must(!prn_feed_finish(run.feed, &run.error), "finish a feed");
		prn_feed_free(run.feed);
	}
	for (size_t i = 0; i < run.count; i++)
		past += run.lines[i].outcome.kind == PRN_OUTCOME_PAST || run.lines[i].outcome.kind == PRN_OUTCOME_DUPLICATE;
	ok(run.count == STREAM && past == STREAM, "captures that are fed a second time without a clock change nothing: %zu of %zu",
	   past, run.count);
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	decide_one_by_one();
	order();
	fed_again();
	known_bodies();
	bodies();
	long_sitemaps();
	repeated_sitemaps();
	times();
	sources();
	lull();
	whole_groups();
	bounds();
	failing_commits();
	failing_deliveries();
	own_commits();
	cancelled_at_any_capture();
	cancelled_elsewhere();
	cancelled_at_finish();
	cancelled_in_commit();
	endless_sources();
	freed_at_any_capture();
	opening();
	return done();
}
