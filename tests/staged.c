/* What fails half-way leaves nothing staged: the next commit makes durable what others staged, and nothing of it. */
#include "desk.h"
#include "perennial/due.h"
#include "perennial/explanation.h"

#include <dlfcn.h>

#define TARGET "http://b.example/target"

static struct prn_capture redirect(const char *from, const char *to, int64_t time)
{
	struct prn_capture capture = status_of(from, time, 301);

	capture.body = (const unsigned char *)to;
	capture.body_bytes = strlen(to);
	return capture;
}

static int observe(struct desk *desk, struct prn_capture capture, struct prn_error *error)
{
	struct prn_outcome outcome;

	capture.normal_url = capture.url;
	must(!prn_observation_make(&desk->observation, &capture, prn_decider_summary(desk->decider), desk->extractor, 0,
	                           error),
	     "make an observation");
	return prn_decider_observe(desk->decider, &desk->observation, capture.time, &outcome, error);
}

static uint32_t visits_of(struct desk *desk, const char *url)
{
	struct prn_explanation page;
	uint32_t visits = 0;

	prn_explanation_init(&page);
	if (!prn_decider_explain(desk->decider, url, T0 + DAY, &page, NULL))
		visits = page.visits;
	prn_explanation_release(&page);
	return visits;
}

static void an_observation(void)
{
	struct desk desk;
	struct prn_error error;
	size_t staged;

	desk_open(&desk, "drift", 0.25);
	desk_text(&desk, PAGE, T0, "once upon a time there was a page that stood where it was");
	desk_text(&desk, TARGET, T0, "and another one that the first one led to in the end");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_make_newer(&desk, TARGET);
	desk_text(&desk, "http://c.example/", T0, "a third page that is staged before the failure");
	staged = prn_decider_staged(desk.decider);
	ok(observe(&desk, redirect(PAGE, TARGET, T0 + HOUR), &error) == PRN_E_VERSION,
	   "a redirect to a page whose state a newer program wrote fails: %s", error.text);
	ok(prn_decider_staged(desk.decider) == staged, "an observation that fails leaves nothing staged");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	ok(visits_of(&desk, PAGE) == 1, "the page of the observation that failed is as it was");
	ok(visits_of(&desk, "http://c.example/") == 1,
	   "what was staged before an observation that fails is durable");
	desk_release(&desk);
}

static void urls_handed_out(void)
{
	static const char *const urls[] = { "http://a.example/1", "http://b.example/2", "http://c.example/3",
		                            "http://d.example/4" };
	struct prn_due_request request = { .now = T0 + DAY, .limit = 10, .lease_s = 600 };
	struct prn_due_list list;
	struct desk desk;
	enum prn_added added;
	struct prn_error error;

	desk_open(&desk, "drift", 0.25);
	for (size_t i = 0; i < 4; i++)
		must(!prn_decider_add(desk.decider, urls[i], 1, T0, &added, NULL), "add");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_make_newer(&desk, urls[2]);
	prn_due_list_init(&list);
	ok(prn_decider_due(desk.decider, &request, &list, &error) == PRN_E_VERSION && !list.count,
	   "to hand out URLs fails at a page whose state a newer program wrote: %s", error.text);
	ok(!prn_decider_staged(desk.decider), "a call that hands out no URLs stages no leases");
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* A key of no page, in the middle of the table. */
static void damage_key(struct desk *desk)
{
	const struct prn_change change = { PRN_TABLE_PAGES, false, { "\x80", 1 }, { "", 0 } };
	struct prn_tables *tables;

	desk_close(desk);
	must(!prn_tables_open(&tables, desk->path, true, 0, NULL) && !tables->kind->write(tables, &change, 1, NULL), "damage a key");
	prn_tables_free(tables);
	desk_reopen(desk);
}

/* Pages are looked at in the order of their keys: some are staged before the damaged one is met. */
static void forgetting(void)
{
	struct prn_store_totals totals;
	enum prn_added added;
	struct desk desk;
	struct prn_error error;
	uint64_t forgotten = 7;
	char url[64];

	desk_open(&desk, "drift", 0.25);
	for (int i = 0; i < 40; i++) {
		snprintf(url, sizeof url, "http://a.example/%d", i);
		must(!prn_decider_add(desk.decider, url, 1, T0, &added, NULL), "add");
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	damage_key(&desk);
	ok(prn_decider_forget(desk.decider, PRN_FORGET_HOST, "a.example", &forgotten, &error) == PRN_E_DAMAGED,
	   "forgetting a host fails where the table of pages is damaged: %s", error.text);
	ok(!prn_decider_staged(desk.decider), "forgetting that fails stages no deletion");
	ok(forgotten == 7, "forgetting that fails leaves its count untouched");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	must(!prn_store_totals(prn_decider_store(desk.decider), &totals, NULL), "count");
	ok(totals.pages == 41, "a commit after forgetting that failed takes out no page");
	desk_release(&desk);
}

/* Several calls that belong together, as a task of the daemon. */
static void several_calls(void)
{
	struct prn_decider_savepoint before;
	struct prn_store_totals totals;
	enum prn_added added;
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	must(!prn_decider_add(desk.decider, PAGE, 1, T0, &added, NULL), "add");
	before = prn_decider_save(desk.decider);
	must(!prn_decider_add(desk.decider, TARGET, 1, T0, &added, NULL), "add");
	must(!prn_decider_add(desk.decider, PAGE, 7, T0, &added, NULL), "weigh");
	prn_decider_restore(desk.decider, &before);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	must(!prn_store_totals(prn_decider_store(desk.decider), &totals, NULL), "count");
	ok(totals.pages == 1, "calls that were taken back together leave the page that came before them");
	ok(visits_of(&desk, PAGE) == 0,
	   "the page that was there before calls that were taken back can be explained");
	desk_release(&desk);
}

/* No redirect may add pages here: each target is remembered as refused, and is no page when it is reported next. */
static void refused_targets(void)
{
	struct prn_decider_savepoint before;
	struct prn_error error;
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	desk.options.redirects_per_host = 0;
	desk_reopen(&desk);
	must(!observe(&desk, redirect(PAGE, "http://t.example/1", T0), &error), "observe");
	before = prn_decider_save(desk.decider);
	must(!observe(&desk, redirect("http://a.example/2", "http://t.example/2", T0), &error), "observe");
	prn_decider_restore(desk.decider, &before);
	ok(desk_text(&desk, "http://t.example/1", T0 + 1, "words") == PRN_OUTCOME_UNKNOWN,
	   "a target that was refused before calls that were taken back is refused still");
	ok(desk_text(&desk, "http://t.example/2", T0 + 1, "words") == PRN_OUTCOME_OBSERVED,
	   "a target that was refused by a call that was taken back is a page like others");

	before = prn_decider_save(desk.decider);
	must(!observe(&desk, redirect("http://a.example/3", "http://t.example/3", T0), &error), "observe");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	prn_decider_restore(desk.decider, &before);
	ok(desk_text(&desk, "http://t.example/3", T0 + 1, "words") == PRN_OUTCOME_UNKNOWN,
	   "what was committed cannot be taken back, nor can a target that was refused by then");
	desk_release(&desk);
}

#ifdef __has_feature
#define HAS_SANITIZER __has_feature(address_sanitizer)
#elif defined __SANITIZE_ADDRESS__
#define HAS_SANITIZER 1
#else
#define HAS_SANITIZER 0
#endif

#if !HAS_SANITIZER /* whose own realloc must stay */

static unsigned refuse_at; /* which call from now on is refused; 0: none */

void *realloc(void *memory, size_t bytes)
{
	static void *(*real)(void *, size_t);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "realloc");
	return refuse_at && !--refuse_at ? NULL : real(memory, bytes);
}

/* In a store with a budget a page is added with what its load makes of all: both, or neither. */
static void adding(void)
{
	const struct prn_decider_settings settings = { .budget_per_day = 100 };
	struct prn_due_list list;
	struct desk desk;
	enum prn_added added;
	unsigned failed = 0;
	char url[64];
	int code = -1;

	desk_open(&desk, NULL, 0);
	snprintf(desk.path, sizeof desk.path, "%s", in_scratch("budget"));
	must(!prn_decider_create(desk.path, &settings, NULL), "make a store");
	desk_reopen(&desk);
	prn_due_list_init(&list);
	desk_due(&desk, &list, T0, 1, 60);
	prn_due_list_release(&list);
	for (unsigned n = 1; code && n < 50; n++) {
		desk_reopen(&desk);
		snprintf(url, sizeof url, "http://a.example/%u", n);
		refuse_at = n;
		code = prn_decider_add(desk.decider, url, 1, T0, &added, NULL);
		refuse_at = 0;
		if (!code)
			break;
		failed++;
		if (code != PRN_E_MEMORY || prn_decider_staged(desk.decider))
			break;
	}
	ok(!code && failed > 2, "a page that cannot be added for want of memory leaves nothing staged, whichever piece of it is refused (%u were)", failed);
	desk_release(&desk);
}
#endif

int main(void)
{
	make_scratch();
	an_observation();
	urls_handed_out();
	forgetting();
	several_calls();
	refused_targets();
#if HAS_SANITIZER
	skip("the sanitizers have a realloc of their own, which no test refuses");
#else
	adding();
#endif
	return done();
}
