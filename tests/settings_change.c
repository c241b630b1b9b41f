/* Stores that get another policy, other keys of it, or fragments of another length, while they are in use. */
#include "perennial/settings_change.h"

#include "desk.h"
#include "decide/decider_internal.h"
#include "killed.h"
#include "store/shards.h"
#include "perennial/explanation.h"
#include "stores.h"

#include <signal.h>
#include <sys/wait.h>

#define OTHER "http://b.example/other"

static void check_whole(const char *path, const char *when)
{
	struct prn_store *store = open_store(path, PRN_STORE_READ);
	struct prn_store_findings found = check_store(store, false);

	ok(!faults_of(&found), "a check finds no fault %s", when);
	prn_store_free(store);
}

static int change_code(struct desk *desk, const struct prn_settings_change *change, struct prn_settings_changed *changed, struct prn_error *error)
{
	int code;

	must(!prn_decider_commit(desk->decider, NULL), "commit");
	desk_close(desk);
	*changed = (struct prn_settings_changed){ 0 };
	code = prn_settings_change(desk->path, change, changed, error);
	desk_reopen(desk);
	return code;
}

static struct prn_settings_changed change(struct desk *desk, const struct prn_settings_change *change)
{
	struct prn_settings_changed changed;
	struct prn_error error = { 0 };

	if (change_code(desk, change, &changed, &error))
		printf("# %s\n", error.text);
	must(!error.code, "change settings");
	return changed;
}

static struct prn_settings_changed set_policy(struct desk *desk, const char *policy)
{
	return change(desk, &(struct prn_settings_change){ .policy = policy });
}

/* When the page is to be visited next once it has brought a text at a time. */
static int64_t next_after(struct desk *desk, const char *url, int64_t time, unsigned text)
{
	desk_text(desk, url, time, text_from(text));
	return desk_look(desk, url).due;
}

static const char *explained(struct desk *desk, const char *url)
{
	static char text[2][200];
	static unsigned turn;
	struct prn_explanation explanation;
	char *out = text[turn++ % 2];

	must(!prn_decider_commit(desk->decider, NULL), "commit");
	prn_explanation_init(&explanation);
	must(!prn_decider_explain(desk->decider, url, T0 + 100 * DAY, &explanation, NULL), "explain");
	snprintf(out, sizeof text[0], "%s, %u visits, curve %d: %.9g %.9g", prn_page_status_name(explanation.status), explanation.visits,
	         explanation.has_curve, prn_curve_divergence(&explanation.curve, 1), prn_curve_divergence(&explanation.curve, 20));
	prn_explanation_release(&explanation);
	return out;
}

static const char *counts(const struct prn_settings_changed *changed)
{
	return tap_text("%llu pages, %llu begun, %llu anew, %llu untouched%s", (unsigned long long)changed->pages,
	                (unsigned long long)changed->begun, (unsigned long long)changed->anew, (unsigned long long)changed->untouched,
	                changed->states_stayed ? "; states stayed" : "");
}

/* The new policy sees what it would have seen, had it begun with the last visit before. */
static void test_as_if_begun(const char *before, const char *after)
{
	struct desk desk, twin;
	struct prn_settings_changed changed;
	struct look was, is;

	desk_open(&desk, before, 0.3);
	desk_open(&twin, after, 0.3);
	for (int i = 0; i < 6; i++)
		desk_text(&desk, PAGE, T0 + i * DAY, text_from(10 * (unsigned)i));
	desk_text(&twin, PAGE, T0 + 5 * DAY, text_from(50));
	was = desk_look(&desk, PAGE);
	changed = set_policy(&desk, after);
	is = desk_look(&desk, PAGE);
	same(counts(&changed), "1 pages, 1 begun, 0 anew, 0 untouched",
	     "%s → %s: the page is told as one that is begun with", before, after);
	ok(is.due == was.due, "%s → %s: the page's next visit stands", before, after);
	ok(is.status == PRN_PAGE_LIVE && is.visits == 1, "%s → %s: the page is live, of one visit", before, after);
	ok(next_after(&desk, PAGE, T0 + 9 * DAY, 70) == next_after(&twin, PAGE, T0 + 9 * DAY, 70),
	   "%s → %s: after its next visit the page is due when it would be, had the policy begun with the last one", before, after);
	same(explained(&desk, PAGE), explained(&twin, PAGE),
	     "%s → %s: after its next visit the page is explained as if the policy had begun with the last one", before, after);
	ok(next_after(&desk, PAGE, T0 + 11 * DAY, 70) == next_after(&twin, PAGE, T0 + 11 * DAY, 70),
	   "%s → %s: after two visits the page is due when it would be, had the policy begun with the last one", before, after);
	desk_release(&desk);
	desk_release(&twin);
}

/* All that is learned stays where a key is another that may be. */
static void test_key(const char *before, const char *after)
{
	struct desk desk;
	struct prn_settings_changed changed;
	struct look was, is;

	desk_open(&desk, before, 0.3);
	for (int i = 0; i < 6; i++)
		desk_text(&desk, PAGE, T0 + i * DAY, text_from(10 * (unsigned)i));
	was = desk_look(&desk, PAGE);
	changed = set_policy(&desk, after);
	is = desk_look(&desk, PAGE);
	same(counts(&changed), "0 pages, 0 begun, 0 anew, 0 untouched; states stayed",
	     "%s → %s: it is told that what was learned stays", before, after);
	ok(is.visits == 6 && is.due == was.due,
	   "%s → %s: the page's visits stay, and the next one stands", before, after);
	same(prn_decider_specification(desk.decider), after, "%s → %s: the store has that policy", before, after);
	desk_release(&desk);
}

/* A prior that is another from the next visit on: as of a store that had it always, with the same visits. */
static void test_prior(void)
{
	struct desk desk, twin;

	desk_open(&desk, "curve-fitting", 0.3);
	desk_open(&twin, "curve-fitting:alpha=0.3:beta=5", 0.3);
	for (int i = 0; i < 3; i++) {
		desk_text(&desk, PAGE, T0 + i * DAY, text_from(0));
		desk_text(&twin, PAGE, T0 + i * DAY, text_from(0));
	}
	ok(strcmp(explained(&desk, PAGE), explained(&twin, PAGE)) != 0, "a page that never changed is expected to change by its prior");
	set_policy(&desk, "curve-fitting:alpha=0.3:beta=5");
	ok(next_after(&desk, PAGE, T0 + 3 * DAY, 0) == next_after(&twin, PAGE, T0 + 3 * DAY, 0),
	   "a page that never changed is visited by its prior, also by another");
	same(explained(&desk, PAGE), explained(&twin, PAGE),
	     "a page that never changed is expected to change by its prior, also by another");
	desk_release(&desk);
	desk_release(&twin);
}

static void test_anew(void)
{
	static const struct prn_settings_change words = { .shingle_words = 3 }, summary = { .policy = "drift:summary=16" };
	struct prn_settings_changed changed;
	struct desk desk;
	struct look was, is;

	desk_open(&desk, "drift", 0.3);
	desk_text(&desk, PAGE, T0, text_from(0));
	desk_text(&desk, PAGE, T0 + DAY, text_from(5));
	desk_text(&desk, OTHER, T0 + DAY, "five words and no more");
	for (int i = 0; i < 5; i++)
		desk_status(&desk, PAGE, T0 + DAY + (i + 1) * HOUR, 500);
	must(desk_look(&desk, PAGE).failures == 5, "fail");
	was = desk_look(&desk, PAGE);
	changed = change(&desk, &summary);
	ok(!desk_look(&desk, PAGE).failures && desk_look(&desk, OTHER).visits,
	   "a page that begins with nothing, and has answered before, is not taken for one that never did");
	same(counts(&changed), "2 pages, 1 begun, 1 anew, 0 untouched",
	     "more hashes: a page with all its fragments goes on from its version, one of which only the smallest are known does not");
	is = desk_look(&desk, PAGE);
	ok(is.status == PRN_PAGE_NEW && !is.visits, "a page that begins with nothing is new");
	ok(is.due == was.due, "a page that begins with nothing is due when it was");
	changed = change(&desk, &words);
	same(counts(&changed), "2 pages, 0 begun, 1 anew, 0 untouched",
	     "other fragments: no version is of use, and a page of no visits has none");
	ok(prn_decider_shingle_words(desk.decider) == 3 && prn_decider_summary(desk.decider) == 16,
	   "fragments and hashes that were changed one after the other are both kept");
	ok(desk_text(&desk, OTHER, T0 + 2 * DAY, "five words and no more, quite another text") == PRN_OUTCOME_OBSERVED,
	   "the next visit of a page that begins with nothing is its first, and no suspect change");
	changed = set_policy(&desk, "drift:summary=4");
	ok(changed.begun == 1, "fewer hashes: a version is kept with the smallest");
	desk_release(&desk);
}

/* What is not the policy's stays as it was. */
static void test_rest(void)
{
	struct desk desk;
	struct look was[2], is[2];
	struct prn_settings_changed changed;

	desk_open(&desk, "cgm", 0.3);
	desk_text(&desk, PAGE, T0, text_from(0));
	desk_status(&desk, PAGE, T0 + DAY, 500);
	desk_status(&desk, PAGE, T0 + 2 * DAY, 500);
	for (int i = 0; i < 3; i++)
		desk_status(&desk, OTHER, T0 + i * DAY, 410);
	desk_add_pages(&desk, "c.example", 3);
	ok(desk_look(&desk, OTHER).status == PRN_PAGE_RETIRED, "a page is retired");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_names(&desk, T0 + 2 * DAY, 2, 3600);
	was[0] = desk_look(&desk, PAGE);
	was[1] = desk_look(&desk, "http://c.example/0");
	changed = set_policy(&desk, "drift");
	is[0] = desk_look(&desk, PAGE);
	is[1] = desk_look(&desk, "http://c.example/0");
	ok(changed.pages == 5, "a change of policy looks at every page");
	ok(is[0].failures == 2 && is[0].failures == was[0].failures,
	   "failures are counted on when the policy is changed");
	ok(is[0].gones == was[0].gones, "answers that a page is gone are counted on when the policy is changed");
	ok(is[0].due == was[0].due && is[1].due == was[1].due, "next visits stand when the policy is changed");
	ok(is[1].lease == was[1].lease, "leases stand when the policy is changed");
	ok(desk_look(&desk, OTHER).status == PRN_PAGE_RETIRED,
	   "a page that is retired stays so when the policy is changed");
	desk_close(&desk);
	check_whole(desk.path, "in a store whose policy was changed");
	desk_release(&desk);
}

static void test_suspect(void)
{
	struct desk desk;

	desk_open(&desk, "drift", 0.3);
	for (int i = 0; i < 4; i++)
		desk_text(&desk, PAGE, T0 + i * DAY, text_from(0));
	ok(desk_text(&desk, PAGE, T0 + 5 * DAY, text_from(5000)) == PRN_OUTCOME_SUSPECT, "a change of all is held back");
	set_policy(&desk, "curve-fitting");
	ok(desk_look(&desk, PAGE).status == PRN_PAGE_LIVE, "content that was held back is dropped with the policy");
	desk_close(&desk);
	check_whole(desk.path, "in a store in which a suspect was dropped");
	desk_release(&desk);
}

static void test_unreadable(void)
{
	struct prn_settings_changed changed;
	struct desk desk;

	desk_open(&desk, "drift", 0.3);
	desk_text(&desk, PAGE, T0, text_from(0));
	desk_text(&desk, OTHER, T0, text_from(0));
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_spoil(&desk, PAGE);
	changed = set_policy(&desk, "cgm");
	same(counts(&changed), "2 pages, 1 begun, 0 anew, 1 untouched",
	     "a page that cannot be read is counted, and left");
	desk_release(&desk);
}

static void refuse(struct desk *desk, const struct prn_settings_change *change, int code, const char *what)
{
	char before[200];
	struct prn_settings_changed changed;
	struct prn_error error = { 0 };

	snprintf(before, sizeof before, "%s %g", prn_decider_specification(desk->decider), prn_decider_threshold(desk->decider));
	ok(change_code(desk, change, &changed, &error) == code && error.text[0], "%s is refused", what);
	ok(!strncmp(before, prn_decider_specification(desk->decider), strlen(prn_decider_specification(desk->decider))),
	   "%s: the store has the policy that it had", what);
}

static void test_refused(void)
{
	struct desk desk;

	desk_open(&desk, "cgm", 0.3);
	refuse(&desk, &(struct prn_settings_change){ 0 }, PRN_E_ARGUMENT, "a change of nothing");
	refuse(&desk, &(struct prn_settings_change){ .policy = "nowhere" }, PRN_E_NOT_FOUND, "a policy that there is not");
	refuse(&desk, &(struct prn_settings_change){ .policy = "drift:beta=0" }, PRN_E_ARGUMENT, "a value that does not fit");
	refuse(&desk, &(struct prn_settings_change){ .policy = "drift:summary=all" }, PRN_E_ARGUMENT, "a version that no state has room for");
	refuse(&desk, &(struct prn_settings_change){ .policy = "nutch" }, PRN_E_ARGUMENT, "another dial without a value for it");
	refuse(&desk, &(struct prn_settings_change){ .threshold = NAN }, PRN_E_ARGUMENT, "a threshold that is no number");
	refuse(&desk, &(struct prn_settings_change){ .shingle_words = 100000 }, PRN_E_ARGUMENT, "fragments of too many words");
	ok(!change(&desk, &(struct prn_settings_change){ .policy = "nutch", .threshold = 2 }).states_stayed,
	   "with a value for it another dial is taken");
	near(prn_decider_threshold(desk.decider), 2, 0, "another dial has the value that was given for it");
	desk_release(&desk);
}

#define PAGES 41000

/* 1: the process was killed. */
static int change_and_be_killed(const char *path, const struct prn_settings_change *change, int at)
{
	pid_t child = fork();
	int status;

	must(child >= 0, "fork");
	if (!child) {
		struct prn_decider *decider;

		kill_at = at;
		/* Whoever writes goes on. */
		if (change ? prn_settings_change(path, change, NULL, NULL) : prn_decider_open(&decider, path, PRN_STORE_WRITE, NULL, NULL))
			_exit(2);
		_exit(0);
	}
	must(waitpid(child, &status, 0) == child && (WIFSIGNALED(status) || !WEXITSTATUS(status)), "wait");
	return WIFSIGNALED(status);
}

/* Of three portions; each process is killed one write further on than the one before it. */
static void test_killed(void)
{
	static const struct prn_settings_change to = { .policy = "curve-fitting" };
	struct desk desk;
	struct prn_decider *reader;
	struct prn_error error = { 0 };
	int kills = 0, busy = 0, live = 0;
	char url[64];

	desk_open(&desk, "drift", 0.3);
	for (unsigned i = 0; i < PAGES; i++) {
		snprintf(url, sizeof url, "http://h%u.example/%u", i % 50, i);
		if (i % 10)
			must(!prn_decider_add(desk.decider, url, 1, T0, &(enum prn_added){ 0 }, NULL), "add");
		else
			desk_text(&desk, url, T0, text_from(i));
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_close(&desk);
	while (change_and_be_killed(desk.path, busy ? NULL : &to, 1 + kills)) {
		kills++;
		error.code = prn_decider_open(&reader, desk.path, PRN_STORE_READ, NULL, &error);
		busy += error.code == PRN_E_BUSY;
		if (!error.code)
			prn_decider_free(reader);
		must(!error.code || error.code == PRN_E_BUSY, "open for reading");
	}
	ok(kills >= 4 && busy >= 2, "a change was broken off %d times, and %d times nobody could read the store", kills, busy);
	desk_reopen(&desk);
	same(prn_decider_specification(desk.decider), "curve-fitting", "whoever writes goes on, and ends it");
	for (unsigned i = 0; i < PAGES; i += 10) {
		snprintf(url, sizeof url, "http://h%u.example/%u", i % 50, i);
		live += desk_look(&desk, url).visits == 1;
	}
	ok(live == PAGES / 10, "every page has been changed once: %d of %d", live, PAGES / 10);
	desk_close(&desk);
	check_whole(desk.path, "in a store whose policy was changed by processes that were killed");
	desk_release(&desk);
}

/* Copies the shard of a page to a folder beside it with something behind its name, or with nothing back from there. */
static void copy_shard(const struct desk *desk, const char *behind)
{
	size_t shard = prn_shard_of(prn_host_name("http://h0.example/"), 8);
	char command[4000];

	snprintf(command, sizeof command, "rm -rf %s.%zu%s && cp -r %s.%zu%s %s.%zu%s", desk->path, shard, behind, desk->path, shard,
	         *behind ? "" : "_old", desk->path, shard, behind);
	must(!system(command), "copy a shard");
}

/* Makes the same a file that is no store. */
static void spoil_shard(const struct desk *desk)
{
	char command[4000];

	snprintf(command, sizeof command, "echo spoilt > %s.%zu/data.mdb", desk->path, prn_shard_of(prn_host_name("http://h0.example/"), 8));
	must(!system(command), "spoil a shard");
}

/* Shards change each by itself, and those that are made later are of the last change. */
static void test_shards(void)
{
	const struct prn_decider_settings settings = { .policy = "cgm", .threshold = 0.3, .shards = 8 };
	struct prn_settings_changed changed;
	struct prn_error error = { 0 };
	struct prn_decider *shard;
	struct desk desk = { 0 };
	char url[64];

	snprintf(desk.path, sizeof desk.path, "%s/sharded", scratch);
	desk_create(&desk, &settings);
	for (unsigned i = 0; i < 3; i++) {
		snprintf(url, sizeof url, "http://h%u.example/", i);
		desk_text(&desk, url, T0, text_from(i));
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_close(&desk);
	copy_shard(&desk, "_old");
	spoil_shard(&desk);
	ok(prn_settings_change(desk.path, &(struct prn_settings_change){ .policy = "drift" }, &changed, &error) == PRN_E_DAMAGED,
	   "where a shard cannot be opened nothing is changed");
	copy_shard(&desk, "");
	desk_reopen(&desk);
	same(prn_decider_specification(desk.decider), "cgm",
	     "where a shard cannot be opened the store keeps the policy that it had");
	changed = set_policy(&desk, "drift");
	ok(changed.pages == 3 && changed.begun == 3, "the pages of all shards are changed");
	for (unsigned i = 0; i < 40; i++) {
		snprintf(url, sizeof url, "http://h%u.example/", i);
		desk_text(&desk, url, T0 + DAY, text_from(i));
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_reopen(&desk);
	ok(desk_look(&desk, "http://h0.example/").visits == 2 && desk_look(&desk, "http://h39.example/").visits == 1,
	   "shards that are made after a change have pages of that policy");
	changed = set_policy(&desk, "curve-fitting");
	same(counts(&changed), "40 pages, 40 begun, 0 anew, 0 untouched",
	     "pages of shards that were made after a change are changed once more");
	ok(desk_look(&desk, "http://h39.example/").visits == 1,
	   "a page of a shard that was made after a change begins with its last visit at the next change");
	desk_close(&desk);
	copy_shard(&desk, "");
	must(!prn_decider_open(&desk.decider, desk.path, PRN_STORE_WRITE, NULL, NULL), "open a store");
	ok(prn_decider_shard(desk.decider, "http://h0.example/", &shard, &error) == PRN_E_VERSION &&
	           strstr(error.text, "from before the store's policy was changed"),
	   "a shard that is put back as it was before a change is refused, and it is told why");
	desk_release(&desk);
}

/* The host of a shard before or behind that of h0.example. */
static void find_host(bool before, char there[64])
{
	static const char here[] = "h0.example";
	size_t shard = prn_shard_of((struct prn_host_name){ here, strlen(here) }, 8), other;
	unsigned i = 1;

	must(shard > 0 && shard < 7, "find a host with shards on both sides of its own");
	do {
		snprintf(there, 64, "h%u.example", i++);
		other = prn_shard_of((struct prn_host_name){ there, strlen(there) }, 8);
	} while (other == shard || (other < shard) != before);
}

/*
 * A page of h0.example that a redirect of another shard leads to; cut: whoever was told of that died before the page was there, and has
 * left a note in the other shard.
 */
static void tell_redirect(struct desk *desk, const char *there, bool cut)
{
	char step[96];

	snprintf(step, sizeof step, "http://%s/step", there);
	desk_redirect(desk, "http://h0.example/begin", T0, step);
	must(!prn_decider_commit(desk->decider, NULL), "commit");
	desk_redirect(desk, step, T0 + 1, "http://h0.example/end");
	must(desk->outcome.target_added, "a target is added");
	if (!cut) {
		must(!prn_decider_commit(desk->decider, NULL), "commit");
		return;
	}
	prn_batch_abandon(desk_shard(desk, "http://h0.example/end")->batch);
	must(!prn_decider_commit_alone(desk_shard(desk, step), NULL), "commit one shard");
	desk_close(desk);
}

/* Shards are changed in their order: the note is in one before that of its page, or behind it. */
static void test_noted(bool before)
{
	const struct prn_decider_settings settings = { .policy = "drift", .threshold = 0.3, .shards = 8 };
	const struct prn_settings_change to = { .policy = "curve-fitting" };
	const char *where = before ? "before" : "behind", *end = "http://h0.example/end";
	struct prn_settings_changed changed = { 0 };
	struct desk desks[2] = { 0 };
	struct look looks[2];
	char there[64];

	find_host(before, there);
	for (int i = 0; i < 2; i++) {
		snprintf(desks[i].path, sizeof desks[i].path, "%s/noted-%s-%d", scratch, where, i);
		desk_create(&desks[i], &settings);
		tell_redirect(&desks[i], there, i);
	}
	set_policy(&desks[0], to.policy);
	must(!prn_settings_change(desks[1].path, &to, &changed, NULL), "change settings");
	desk_reopen(&desks[1]);
	ok(changed.pages == 3, "a page that is noted in a shard %s its own is there before a change begins: %d of 3", where, (int)changed.pages);
	for (int i = 0; i < 2; i++)
		looks[i] = desk_look(&desks[i], end);
	ok(looks[1].known && looks[1].due == looks[0].due, "a page that was noted in a shard %s its own is due when it was", where);
	for (int i = 0; i < 2; i++)
		for (int visit = 0; visit < 3; visit++)
			desk_text(&desks[i], end, T0 + (1 + 3 * visit) * DAY, text_from(10 * (unsigned)visit));
	same(explained(&desks[1], end), explained(&desks[0], end), "a page that was noted in a shard %s its own is of the new policy", where);
	for (int i = 0; i < 2; i++) {
		desk_close(&desks[i]);
		check_whole(desks[i].path, before ? "where a page was noted in a shard before its own" : "where a page was noted in a shard behind its own");
		desk_release(&desks[i]);
	}
}

int main(void)
{
	make_scratch();
	test_as_if_begun("cgm", "drift");
	test_as_if_begun("drift", "curve-fitting");
	test_as_if_begun("drift", "bound-based");
	test_as_if_begun("drift", "drift:siblings=no");
	test_key("drift", "drift:alpha=0.3:beta=4");
	test_key("drift:risk=3", "drift");
	test_key("curve-fitting:history=3", "curve-fitting:history=3:learning=none");
	test_prior();
	test_anew();
	test_rest();
	test_suspect();
	test_unreadable();
	test_refused();
	test_killed();
	test_shards();
	test_noted(true);
	test_noted(false);
	return done();
}
