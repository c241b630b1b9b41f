/* What the library's functions refuse of a program's arguments, and that nothing is staged or kept of it. */
#include "desk.h"
#include "perennial/explanation.h"
#include "perennial/feed.h"
#include "perennial/hinting.h"
#include "perennial/tuning.h"

#include <math.h>

/* A store with one page that was visited. */
static void open_desk(struct desk *desk)
{
	desk_open(desk, "drift", 0.25);
	desk_text(desk, PAGE, T0, "once upon a time there was a page");
	must(!prn_decider_commit(desk->decider, NULL), "commit");
}

static int made(struct desk *desk, const struct prn_capture *capture, size_t limit, struct prn_error *error)
{
	return prn_observation_make(&desk->observation, capture, limit, desk->extractor, 0, error);
}

static void times(void)
{
	struct prn_due_request request = { PRN_TIME_UNKNOWN, 10, 60 };
	struct prn_capture capture = status_of(PAGE, PRN_TIME_UNKNOWN, 404);
	struct prn_error error = { 0 };
	struct prn_due_list list;
	enum prn_added added;
	bool released;
	struct desk desk;

	open_desk(&desk);
	capture.normal_url = PAGE;
	must(!made(&desk, &capture, 8, &error), "make an observation");
	ok(prn_decider_observe(desk.decider, &desk.observation, PRN_TIME_UNKNOWN, &desk.outcome, &error) == PRN_E_ARGUMENT,
	   "an observation without a time is refused where it is not said what time it is: %s", error.text);
	ok(prn_decider_observe(desk.decider, &desk.observation, T0 + DAY, &desk.outcome, &error) == PRN_E_ARGUMENT,
	   "an observation without a time is refused where a clock tells the time");
	prn_due_list_init(&list);
	ok(prn_decider_due(desk.decider, &request, &list, &error) == PRN_E_ARGUMENT,
	   "pages are not handed out where it is not said what time it is: %s", error.text);
	request.lease_s = 0;
	ok(prn_decider_due(desk.decider, &request, &list, &error) == PRN_E_ARGUMENT,
	   "what is due is not shown where it is not said what time it is");
	prn_due_list_release(&list);
	ok(prn_decider_add(desk.decider, "http://b.example/", 0, PRN_TIME_UNKNOWN, &added, &error) == PRN_E_ARGUMENT,
	   "a page is not added where it is not said what time it is: %s", error.text);
	ok(prn_decider_release(desk.decider, PAGE, PRN_TIME_UNKNOWN, &released, &error) == PRN_E_ARGUMENT,
	   "a page is not given back where it is not said what time it is");
	ok(!prn_decider_staged(desk.decider), "calls that are refused for their times leave nothing staged");
	ok(desk_look(&desk, PAGE).visits == 1 && desk_look(&desk, PAGE).due > T0,
	   "the page is as it was before the calls that were refused for their times");
	desk_release(&desk);
}

static void captures(void)
{
	struct prn_capture capture;
	struct prn_error error = { 0 };
	struct prn_feed_options options;
	struct prn_feed *feed;
	struct desk desk;
	char normal[PRN_URL_BYTES + 1];

	open_desk(&desk);
	prn_capture_init(&capture, "http://A.example/x/../page", NULL, T0 + DAY, PRN_KIND_CONTENT);
	capture.body = (const unsigned char *)"words";
	capture.body_bytes = 5;
	ok(made(&desk, &capture, 8, &error) == PRN_E_ARGUMENT, "a capture without a normal URL is refused: %s", error.text);
	capture.normal_url = capture.url;
	ok(made(&desk, &capture, 8, &error) == PRN_E_ARGUMENT, "a capture whose normal URL is not normal is refused");
	capture.normal_url = "ftp://a.example/";
	ok(made(&desk, &capture, 8, &error) == PRN_E_ARGUMENT, "a capture whose normal URL is of another scheme is refused");
	capture.url = NULL;
	capture.normal_url = PAGE;
	ok(made(&desk, &capture, 8, &error) == PRN_E_ARGUMENT, "a capture without a URL is refused");
	capture.url = "garbage";
	ok(made(&desk, &capture, 8, &error) == PRN_E_ARGUMENT, "a capture whose URL is none is refused, whatever its normal URL is");
	capture.url = "http://a.example/final";
	ok(made(&desk, &capture, 8, &error) == PRN_E_ARGUMENT, "a capture whose normal URL is that of another page is refused: %s",
	   error.text);
	capture.url = PAGE;
	capture.kind = (enum prn_kind)77;
	ok(made(&desk, &capture, 8, &error) == PRN_E_ARGUMENT, "a capture of a kind that there is not is refused: %s", error.text);
	capture.kind = PRN_KIND_CONTENT;
	capture.status = 404;
	ok(made(&desk, &capture, 8, &error) == PRN_E_ARGUMENT, "content with a status of a failure is refused: %s", error.text);
	capture.status = -1;
	ok(made(&desk, &capture, 8, &error) == PRN_E_ARGUMENT, "a capture with a negative status is refused: %s", error.text);
	capture.status = 0;
	capture.retry_after_s = -5;
	ok(made(&desk, &capture, 8, &error) == PRN_E_ARGUMENT, "a negative Retry-After is refused: %s", error.text);
	capture.retry_after_s = PRN_TIME_UNKNOWN;
	capture.time = PRN_TIME_LAST + 1;
	ok(made(&desk, &capture, 8, &error) == PRN_E_ARGUMENT, "a capture of the year 10000 is refused: %s", error.text);
	capture.time = PRN_TIME_FIRST - 1;
	ok(made(&desk, &capture, 8, &error) == PRN_E_ARGUMENT, "a capture of the year 0 is refused: %s", error.text);
	capture.time = PRN_TIME_FIRST;
	ok(!made(&desk, &capture, 8, &error), "a capture of the year 1 is taken");
	capture.time = T0 + DAY;
	prn_feed_options_init(&options);
	options.has_time = true;
	options.time = INT64_MAX;
	must(!prn_feed_open(&feed, desk.decider, &options, &error), "open a feed of captures at the end of time");
	ok(prn_feed_capture(feed, &capture, &error) == PRN_E_ARGUMENT, "a feed does not take captures of a time that there is not: %s", error.text);
	prn_feed_free(feed);
	capture.url = "http://a.example/final";
	prn_feed_options_init(&options);
	must(!prn_feed_open(&feed, desk.decider, &options, &error), "open a feed");
	ok(prn_feed_capture(feed, &capture, &error) == PRN_E_ARGUMENT,
	   "a feed does not take a capture whose normal URL is that of another page");
	capture.url = PAGE;
	capture.normal_url = NULL;
	ok(prn_feed_capture(feed, &capture, &error) == PRN_E_ARGUMENT, "a feed does not take a capture without a normal URL");
	capture.normal_url = PAGE;
	ok(!prn_feed_capture(feed, &capture, &error) && !prn_feed_finish(feed, &error),
	   "a feed goes on after a capture that it did not take");
	prn_feed_free(feed);

	ok(made(&desk, &capture, 0, &error) == PRN_E_ARGUMENT && made(&desk, &capture, SIZE_MAX, &error) == PRN_E_ARGUMENT,
	   "a summary of no hashes, or of more than pages keep, is refused: %s", error.text);
	ok(made(&desk, &capture, prn_decider_summary(desk.decider) + 1, &error) == PRN_E_ARGUMENT,
	   "a summary of more hashes than the extractor keeps is refused");
	must(!prn_url_normalize("http://A.example/x/../page", SIZE_MAX, normal, sizeof normal), "read a URL");
	prn_capture_init(&capture, "http://A.example/x/../page", normal, T0 + 2 * DAY, PRN_KIND_CONTENT);
	capture.body = (const unsigned char *)"other words";
	capture.body_bytes = 11;
	ok(!made(&desk, &capture, 8, &error), "a capture can be made by hand, of a URL and its normal form");
	ok(!prn_decider_observe(desk.decider, &desk.observation, T0 + 2 * DAY, &desk.outcome, &error) &&
	           desk.outcome.kind == PRN_OUTCOME_OBSERVED,
	   "a capture that is made by hand is observed");
	ok(!desk.outcome.added, "a capture that is made by hand, of a URL and its normal form, is one of that page");
	desk_release(&desk);
}

static void hints(void)
{
	struct prn_hint hint = { .url = "http://a.example/final", .normal_url = "http://a.example/asked", .time = T0 + DAY,
		                 .modified = PRN_TIME_UNKNOWN, .source = "told" };
	struct prn_error error = { 0 };
	enum prn_hinted hinted;
	struct desk desk;

	open_desk(&desk);
	ok(prn_decider_hint(desk.decider, &hint, T0 + DAY, &hinted, &error) == PRN_E_ARGUMENT,
	   "a hint whose normal URL is that of another page is refused: %s", error.text);
	hint.url = "http://A.example/x/../asked";
	ok(!prn_decider_hint(desk.decider, &hint, T0 + DAY, &hinted, &error) && hinted == PRN_HINTED_ADDED,
	   "a hint whose URL is another spelling of its normal form is taken");
	desk_release(&desk);
}

static int returns_seven(void *context, const struct prn_fed *fed, size_t count, struct prn_error *error)
{
	(void)context;
	(void)fed;
	(void)count;
	(void)error;
	return 7;
}

static void codes(void)
{
	struct prn_capture capture;
	struct prn_error error = { 0 };
	struct prn_feed_options options;
	struct prn_feed *feed;
	struct desk desk;

	open_desk(&desk);
	prn_feed_options_init(&options);
	options.deliver = returns_seven;
	must(!prn_feed_open(&feed, desk.decider, &options, &error), "open a feed");
	prn_capture_init(&capture, PAGE, PAGE, T0 + DAY, PRN_KIND_GONE);
	must(!prn_feed_capture(feed, &capture, &error), "feed a capture");
	ok(prn_feed_finish(feed, &error) == PRN_E_ARGUMENT && strstr(error.text, "deliver returned 7"),
	   "a delivery that returns what is no error's code ends the feed with one: %s", error.text);
	prn_feed_free(feed);
	desk_release(&desk);
}

static void option_refused(struct desk *desk, const char *what)
{
	struct prn_error error = { 0 };

	ok(prn_decider_set_options(desk->decider, &desk->options, &error) == PRN_E_ARGUMENT, "%s is refused: %s", what,
	   error.text);
	prn_decider_options_init(&desk->options);
}

static void interval_refused(struct desk *desk, struct prn_interval_rule rule, const char *what)
{
	desk->options.intervals = &rule;
	desk->options.interval_count = 1;
	option_refused(desk, what);
}

static void options(void)
{
	struct prn_decider *decider = NULL;
	struct prn_error error = { 0 };
	struct desk desk;

	open_desk(&desk);
	desk.options.hints = 99;
	option_refused(&desk, "an option for hints of what is neither a sitemap nor a feed");
	interval_refused(&desk, (struct prn_interval_rule){ .media = "html", .max_s = 60 }, "an interval of a media type without a slash");
	interval_refused(&desk, (struct prn_interval_rule){ .media = "/html", .max_s = 60 }, "an interval of a media type without a kind");
	interval_refused(&desk, (struct prn_interval_rule){ .surt = "x y", .max_s = 60 }, "an interval of a SURT prefix with a blank");
	interval_refused(&desk, (struct prn_interval_rule){ .surt = "", .max_s = 60 }, "an interval of an empty SURT prefix");
	interval_refused(&desk, (struct prn_interval_rule){ .max_s = 1e300 }, "an interval longer than any that can be written");
	desk.options.lock_wait_s = NAN;
	ok(!prn_decider_set_options(desk.decider, &desk.options, &error), "the wait for another writer is ignored in a decider that is open");
	desk_close(&desk);
	ok(prn_decider_open(&decider, desk.path, PRN_STORE_WRITE, &desk.options, &error) == PRN_E_ARGUMENT && !decider,
	   "a wait for another writer that is no number is refused where a store is opened: %s", error.text);
	prn_decider_options_init(&desk.options);
	desk_reopen(&desk);
	ok(!prn_decider_set_options(desk.decider, NULL, &error), "no options are the defaults in a decider that is open");
	desk_release(&desk);
}

static void creation(void)
{
	struct prn_decider *decider = NULL;
	struct prn_error error = { 0 };

	if (!ok(!prn_decider_create("memory:refusals", NULL, &error) &&
	                !prn_decider_open(&decider, "memory:refusals", PRN_STORE_WRITE, NULL, &error),
	        "a store is made without settings %s", error.text))
		return;
	same(prn_decider_specification(decider), "drift",
	     "a store that is made without settings has the policy drift");
	ok(prn_decider_threshold(decider) >= 0.25,
	   "a store that is made without settings has the default threshold or more");
	prn_decider_free(decider);
}

static void tuning(void)
{
	struct prn_tuning_request request = { .budget = { .per_day = 5, .unit = (enum prn_unit)7 }, .apply = true };
	struct prn_tuning tuning;
	struct prn_error error = { 0 };
	struct desk desk;

	open_desk(&desk);
	ok(prn_decider_tune(desk.decider, &request, &tuning, &error) == PRN_E_ARGUMENT, "a budget in no unit is refused: %s", error.text);
	desk_reopen(&desk);
	ok(!(prn_decider_budget(desk.decider) > 0), "the store has no budget after one that was refused");
	desk_release(&desk);
}

static void batches(void)
{
	struct prn_record record = { .url = PAGE, .weight = 1, .due = T0, .lease = PRN_TIME_UNKNOWN };
	struct prn_error error = { 0 };
	struct prn_store *store = NULL;
	struct prn_batch *batch = NULL;
	struct prn_view *view = NULL;
	struct prn_walk *walk;
	const void *bytes;
	size_t count;

	must(!prn_store_create("memory:batches", NULL, 0, NULL) &&
	             !prn_store_open(&store, "memory:batches", PRN_STORE_WRITE, 0, NULL) && !prn_batch_open(&batch, store, NULL) &&
	             !prn_view_open(&view, store, NULL),
	     "make a store");
	record.key = prn_url_key("http://a.example/other");
	ok(prn_batch_put(batch, &record, &error) == PRN_E_ARGUMENT, "a page under the key of another is refused: %s", error.text);
	record.url = "no URL";
	ok(prn_batch_put(batch, &record, &error) == PRN_E_ARGUMENT, "a page whose URL is none is refused: %s", error.text);
	record.url = "http://A.example/x/../page";
	record.key = prn_url_key(PAGE);
	ok(!prn_batch_put(batch, &record, &error), "a page's URL may be spelled in another way than its key's");
	prn_batch_abandon(batch);
	ok(prn_batch_side_put(batch, PRN_SIDE_META, "schema", 6, "9", 1, &error) == PRN_E_ARGUMENT,
	   "a store's schema is not a program's to set: %s",
	   error.text);
	ok(prn_batch_side_put(batch, PRN_SIDE_META, "schema", 6, NULL, 0, &error) == PRN_E_ARGUMENT,
	   "a store's schema is not a program's to take out: %s", error.text);
	ok(prn_batch_side_put(batch, PRN_SIDE_META, "moving", 6, "1", 1, &error) == PRN_E_ARGUMENT,
	   "a store's mark of a move is not a program's to set: %s", error.text);
	ok(!prn_batch_side_put(batch, PRN_SIDE_HOSTS, "schema", 6, "9", 1, &error), "a host may have the name of a store's own setting");
	prn_batch_abandon(batch);
	ok(prn_batch_side_put(batch, (enum prn_side)99, "a", 1, "9", 1, &error) == PRN_E_ARGUMENT,
	   "nothing is put into a side table that there is not: %s", error.text);
	ok(prn_batch_side(batch, (enum prn_side)99, "a", 1, &bytes, &count, &error) == PRN_E_ARGUMENT,
	   "a batch reads nothing of a side table that there is not: %s", error.text);
	ok(prn_view_side(view, (enum prn_side)99, "a", 1, &bytes, &count, &error) == PRN_E_ARGUMENT,
	   "a view reads nothing of a side table that there is not: %s", error.text);
	ok(prn_walk_side(&walk, view, (enum prn_side)99, &error) == PRN_E_ARGUMENT,
	   "a side table that there is not is not walked: %s", error.text);
	ok(!prn_batch_changes(batch), "what a batch refuses does not wait in it");
	prn_view_close(view);
	prn_batch_free(batch);
	prn_store_free(store);
}

static void addresses(void)
{
	struct prn_store *store = NULL;
	struct prn_error error = { 0 };
	char path[160];

	ok(prn_store_create("memroy:x", NULL, 0, &error) == PRN_E_ARGUMENT && strstr(error.text, "./memroy:x"),
	   "an address of an engine that there is not makes no folder: %s", error.text);
	ok(prn_store_open(&store, "Foo:bar", PRN_STORE_READ, 0, &error) == PRN_E_ARGUMENT && !store,
	   "an address of an engine that there is not is refused where a store is opened");
	snprintf(path, sizeof path, "%s/memroy:x", scratch);
	ok(!prn_store_create(path, NULL, 0, &error), "a folder with such a name is named by a path");
	must(!chdir(scratch), "go into the scratch folder");
	ok(!prn_store_create("./foo:bar", NULL, 0, &error) && !prn_store_create("a-1:b", NULL, 0, &error),
	   "a folder is one where its path begins with a point, or what is before the colon is not of letters alone");
	must(!chdir(".."), "leave the scratch folder");
}

static void forget_refused(struct desk *desk, const char *name, const char *what)
{
	struct prn_error error = { 0 };
	uint64_t count = 7;

	ok(prn_decider_forget(desk->decider, PRN_FORGET_HOST, name, &count, &error) == PRN_E_ARGUMENT && count == 7,
	   "%s is no host whose pages are forgotten: %s", what, error.text);
	ok(prn_decider_count(desk->decider, PRN_FORGET_HOST, name, &count, &error) == PRN_E_ARGUMENT && count == 7,
	   "%s is no host whose pages are counted", what);
	ok(prn_decider_release_all(desk->decider, PRN_RELEASE_HOST, name, T0, &count, &error) == PRN_E_ARGUMENT && count == 7,
	   "%s is no host whose pages are given back", what);
}

#define BOOKS "B\xc3\xbc" "cher.example"
#define OTHER "http://xn--bcher-kva.example/"

static void hosts(void)
{
	const struct prn_due_request request = { T0 + 100 * DAY, 10, 3600 };
	uint64_t count = 7;
	struct prn_due_list list;
	struct desk desk;

	open_desk(&desk);
	forget_refused(&desk, "http://a.example/", "a URL");
	forget_refused(&desk, "*", "a wildcard");
	forget_refused(&desk, "", "nothing");
	forget_refused(&desk, "a.example:8080", "a host with a port");
	ok(!prn_decider_count(desk.decider, PRN_FORGET_HOST, "A.example", &count, NULL) && count == 1, "a host may be named in capital letters");
	desk_text(&desk, OTHER, T0, "a page of a host in another script");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	ok(!prn_decider_count(desk.decider, PRN_FORGET_HOST, BOOKS, &count, NULL) && count == 1, "pages of a host in another script are counted");
	prn_due_list_init(&list);
	must(!prn_decider_due(desk.decider, &request, &list, NULL), "lease pages");
	prn_due_list_release(&list);
	ok(!prn_decider_release_all(desk.decider, PRN_RELEASE_HOST, BOOKS, T0 + 100 * DAY, &count, NULL) && count == 1,
	   "pages of a host in another script are given back");
	ok(!prn_decider_release_all(desk.decider, PRN_RELEASE_HOST, "A.Example", T0 + 100 * DAY, &count, NULL) && count == 1,
	   "pages of a host that is named in capital letters are given back");
	ok(!prn_decider_forget(desk.decider, PRN_FORGET_HOST, BOOKS, &count, NULL) && count == 1, "pages of a host in another script are forgotten");
	ok(!prn_decider_forget(desk.decider, PRN_FORGET_HOST, "a.EXAMPLE", &count, NULL) && count == 1,
	   "pages of a host that is named in capital letters are forgotten");
	ok(!prn_decider_count(desk.decider, PRN_FORGET_HOST, "[2001:db8::1]", &count, NULL) && !count, "an address of IPv6 is a host");
	desk_release(&desk);
}

/* What a call tells beside its code need not be asked for. */
static void not_asked_for(void)
{
	struct desk desk;

	open_desk(&desk);
	ok(!prn_decider_add(desk.decider, "http://b.example/", 0, T0, NULL, NULL), "a page is added though nobody asks whether it is new");
	ok(!prn_decider_release(desk.decider, PAGE, T0, NULL, NULL), "a page is given back though nobody asks whether it was out");
	ok(!prn_decider_release_all(desk.decider, PRN_RELEASE_ALL, NULL, T0, NULL, NULL), "pages are given back though nobody asks how many");
	ok(!prn_decider_forget(desk.decider, PRN_FORGET_URL, PAGE, NULL, NULL), "a page is forgotten though nobody asks whether it was there");
	desk_release(&desk);
}

static void urls(void)
{
	enum prn_added added;
	struct prn_error error = { 0 };
	struct desk desk;

	open_desk(&desk);
	prn_decider_add(desk.decider, "", 0, T0, &added, &error);
	same(error.text, "'': this is not an http or https URL", "an empty URL is told as one");
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	times();
	captures();
	hints();
	codes();
	options();
	creation();
	tuning();
	batches();
	urls();
	hosts();
	not_asked_for();
	addresses();
	return done();
}
