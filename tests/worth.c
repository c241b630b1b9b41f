/* What stands beside pages that are due: it says what they are worth, and is never believed more than they are. */
#include "decide/decider_internal.h"
#include "decide/worth.h"

#include "desk.h"

#include "base/clock.h"
#include "base/random.h"
#include "policy/policy_internal.h"
#include "store/shared.h"
#include "store/turn.h"

#include <math.h>

#define PAGES 300
#define NOW (T0 + 90 * DAY)

static bool says_contrary; /* of what stands beside a page, for which is the more valuable */
static size_t compared;    /* pairs of pages that are handed out */

double __real_prn_worth_value(const struct prn_worth *worth, double threshold, double round_days, int64_t now);
double __wrap_prn_worth_value(const struct prn_worth *worth, double threshold, double round_days, int64_t now);
int __real_prn_due_compare(const void *a, const void *b);
int __wrap_prn_due_compare(const void *a, const void *b);

double __wrap_prn_worth_value(const struct prn_worth *worth, double threshold, double round_days, int64_t now)
{
	double value = __real_prn_worth_value(worth, threshold, round_days, now);

	return says_contrary ? -value : value;
}

int __wrap_prn_due_compare(const void *a, const void *b)
{
	compared++;
	return __real_prn_due_compare(a, b);
}

static void url_of(int i, char url[64])
{
	snprintf(url, 64, "http://h%d.example/%d", i, i);
}

/* New pages, and such as were visited some times and change by more or fewer of their words, of all sorts of weights. */
static void fill(struct desk *desk)
{
	struct prn_random random;
	enum prn_added added;
	char url[64];

	prn_random_seed(&random, 5, 0);
	for (int i = 0; i < PAGES; i++) {
		unsigned visits = (unsigned)prn_random_below(&random, 5), words = (unsigned)prn_random_below(&random, 40);

		url_of(i, url);
		must(!prn_decider_add(desk->decider, url, prn_random_exponential(&random, 1), T0 + i, &added, NULL), "add a page");
		for (unsigned visit = 0; visit < visits; visit++)
			desk_text(desk, url, T0 + visit * DAY + i, text_from(visit * words));
	}
	must(!prn_decider_commit(desk->decider, NULL), "commit");
}

/* Writes bytes beside all that is due, behind the store's back. */
static void put_beside(struct desk *desk, struct prn_bytes beside)
{
	struct prn_change *changes, due[2 * PAGES];
	struct prn_tables *tables;
	struct prn_view *view;
	size_t count, kept = 0;

	desk_close(desk);
	must(!prn_tables_open(&tables, desk->path, true, 0, NULL) && !tables->kind->view(&view, tables, NULL), "open tables");
	must(!prn_tables_read_all(view, &changes, &count, NULL), "read tables");
	for (size_t i = 0; i < count; i++) {
		if (changes[i].table != PRN_TABLE_DUE)
			continue;
		due[kept] = changes[i];
		due[kept].key.data = memcpy(malloc(changes[i].key.length), changes[i].key.data, changes[i].key.length);
		due[kept++].value = beside;
	}
	tables->kind->close(view);
	free(changes);
	must(!tables->kind->write(tables, due, kept, NULL), "write to tables");
	for (size_t i = 0; i < kept; i++)
		free((void *)(uintptr_t)due[i].key.data);
	prn_tables_free(tables);
	desk_reopen(desk);
}

/* How much of a list a worth tells, and how far from what the list has. */
struct told {
	size_t pages, visited;
	double worst;
};

static void look_up(const struct prn_due_list *list, const struct prn_queued *queued, const struct prn_worth *worth, struct told *told)
{
	for (size_t i = 0; i < list->count; i++) {
		struct prn_digest key = prn_url_key(list->items[i].url);

		if (prn_digest_compare(&key, &queued->key))
			continue;
		told->pages++;
		told->visited += worth->visited;
		told->worst = fmax(told->worst, fabs(prn_worth_value(worth, 0.25, 7, NOW) / list->items[i].value - 1));
	}
}

static struct told tell(struct desk *desk, const struct prn_due_list *list)
{
	struct told told = { 0 };
	struct prn_queued queued;
	struct prn_worth worth;
	struct prn_bytes beside;
	struct prn_view *view;
	struct prn_walk *walk;

	must(!prn_view_open(&view, prn_decider_store(desk->decider), NULL), "open a view");
	must(!prn_walk_queue(&walk, view, PRN_QUEUE_DUE, INT64_MIN, NULL), "walk the queue");
	while (prn_walk_queue_worth(walk, &queued, &beside, NULL) == 1)
		if (prn_worth_read(prn_decider_policy(desk->decider), beside, &worth))
			look_up(list, &queued, &worth, &told);
	prn_walk_free(walk);
	prn_view_close(view);
	return told;
}

static void ask(struct desk *desk, size_t limit, struct prn_due_list *list)
{
	const struct prn_due_request request = { NOW, limit, 0 };

	must(!prn_decider_due(desk->decider, &request, list, NULL), "ask what is due");
}

/* States are rounded to single precision. */
static void says_the_value(void)
{
	struct prn_due_list list;
	struct told told;
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	fill(&desk);
	prn_due_list_init(&list);
	ask(&desk, PAGES, &list);
	told = tell(&desk, &list);
	ok(list.count > PAGES / 2 && told.pages == list.count, "of every page that is due something stands beside it: of %zu of %zu", told.pages, list.count);
	ok(told.visited > 50 && told.visited < told.pages, "of pages that were visited and of such as were not: %zu were", told.visited);
	near(told.worst, 0, 1e-5, "what stands beside a page is its value");
	prn_due_list_release(&list);
	desk_release(&desk);
}

static bool same_lists(const struct prn_due_list *a, const struct prn_due_list *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; i < a->count && same; i++)
		same = !strcmp(a->items[i].url, b->items[i].url) && fabs(a->items[i].value - b->items[i].value) < 1e-12;
	return same;
}

/* Stores of older programs have nothing there, and damaged ones anything. */
static void is_only_a_hint(void)
{
	unsigned char nonsense[PRN_WORTH_BYTES + 1];
	struct prn_due_list with, without;
	struct desk desk;

	memset(nonsense, 0xff, sizeof nonsense);
	desk_open(&desk, "drift", 0.25);
	fill(&desk);
	prn_due_list_init(&with);
	prn_due_list_init(&without);
	ask(&desk, PAGES / 10, &with);
	put_beside(&desk, (struct prn_bytes){ "", 0 });
	ask(&desk, PAGES / 10, &without);
	ok(with.count == PAGES / 10 && same_lists(&with, &without), "the same pages are the most valuable where nothing stands beside them");
	put_beside(&desk, (struct prn_bytes){ nonsense, PRN_WORTH_BYTES });
	ask(&desk, PAGES / 10, &without);
	ok(same_lists(&with, &without), "numbers that are none are not believed");
	put_beside(&desk, (struct prn_bytes){ nonsense, sizeof nonsense });
	ask(&desk, PAGES / 10, &without);
	ok(same_lists(&with, &without), "bytes of another length are not believed");
	prn_due_list_release(&with);
	prn_due_list_release(&without);
	desk_release(&desk);
}

/* As many comparisons as a sort of so many may want, by any of the usual ways. */
static double of_a_sort(size_t count)
{
	return 4 * (double)count * log2((double)count);
}

/* What stands beside them may be any number: how long the list takes does not hang on it. */
static void is_put_in_order(void)
{
	struct prn_due_list right, list;
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	fill(&desk);
	prn_due_list_init(&right);
	prn_due_list_init(&list);
	ask(&desk, PAGES, &right);
	says_contrary = true;
	compared = 0;
	ask(&desk, PAGES, &list);
	says_contrary = false;
	ok(same_lists(&right, &list), "pages come in the order of what they are worth where the contrary stands beside them");
	ok(compared >= list.count - 1 && (double)compared < of_a_sort(list.count),
	   "no pair of pages is compared but for the order of what they are worth: %zu comparisons of %zu pages", compared, list.count);
	prn_due_list_release(&right);
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* A page's record is not missed as long as another is worth more. */
static void reads_what_is_handed_out(void)
{
	struct prn_due_list list;
	enum prn_added added;
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	must(!prn_decider_add(desk.decider, "http://a.example/little", 1, T0, &added, NULL), "add a page");
	must(!prn_decider_add(desk.decider, "http://b.example/much", 2, T0, &added, NULL), "add a page");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_spoil(&desk, "http://a.example/little");
	prn_due_list_init(&list);
	ask(&desk, 1, &list);
	ok(list.count == 1 && strstr(list.items[0].url, "much"),
	   "of two pages that are due the one that is worth more is handed out");
	ok(!list.unreadable, "what is not handed out is not read");
	ask(&desk, 2, &list);
	ok(list.count == 1 && list.unreadable == 1, "what would be handed out is read");
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* Pages of a host of which one may be out at a time: all but one wait for it. */
static void open_waiting(struct desk *desk)
{
	static const char *const urls[] = { "http://a.example/most", "http://a.example/much", "http://a.example/little" };
	struct prn_due_list list;
	enum prn_added added;

	desk_open(desk, "drift", 0.25);
	desk->options.host_limit = 1;
	desk_reopen(desk);
	for (int i = 0; i < 3; i++)
		must(!prn_decider_add(desk->decider, urls[i], 3 - i, T0, &added, NULL), "add a page");
	prn_due_list_init(&list);
	must(desk_due(desk, &list, T0 + MINUTE, 3, HOUR) == 1 && strstr(list.items[0].url, "most"), "lease one page");
	prn_due_list_release(&list);
}

static void says_the_value_of_what_waits(void)
{
	struct prn_queued queued;
	struct prn_worth worth;
	struct prn_bytes beside;
	struct prn_view *view;
	struct prn_walk *walk;
	struct desk desk;
	uint64_t host;
	double sum = 0;
	int pages = 0;

	open_waiting(&desk);
	host = prn_host_number(prn_host_name("http://a.example/"));
	must(!prn_view_open(&view, prn_decider_store(desk_shard(&desk, "http://a.example/")), NULL), "open a view");
	must(!prn_walk_waiting(&walk, view, host, NULL, NULL), "walk the queue");
	for (; prn_walk_waiting_worth(walk, host, &queued, &beside, NULL) == 1; pages++)
		if (prn_worth_read(prn_decider_policy(desk.decider), beside, &worth))
			sum += prn_worth_value(&worth, 0.25, 7, T0 + 2 * DAY);
	ok(pages == 2, "two pages wait for their host: %d", pages);
	near(sum, (2 + 1) * 2.25, 1e-9, "beside pages that wait for their hosts stands what they are worth");
	prn_walk_free(walk);
	prn_view_close(view);
	desk_release(&desk);
}

static void reads_of_what_waits_what_is_handed_out(void)
{
	struct prn_due_list list;
	struct desk desk;

	open_waiting(&desk);
	desk_text(&desk, "http://a.example/most", T0 + 2 * MINUTE, text_from(0));
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_spoil(&desk, "http://a.example/little");
	prn_due_list_init(&list);
	desk_due(&desk, &list, T0 + 3 * MINUTE, 1, HOUR);
	ok(list.count == 1 && strstr(list.items[0].url, "much"),
	   "of two pages that wait for a host the one that is worth more is handed out");
	ok(!list.unreadable, "of what waits for a host what is not handed out is not read");
	desk_text(&desk, "http://a.example/much", T0 + 4 * MINUTE, text_from(0));
	desk_due(&desk, &list, T0 + 5 * MINUTE, 1, HOUR);
	ok(!list.count && list.unreadable == 1, "of what waits for a host what would be handed out is read");
	ok(list.next > T0 + HOUR, "a host whose last page that waited cannot be read has no turn any more: the next is in %d s", (int)(list.next - T0 - 5 * MINUTE));
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* Its growth is the slope of a line that only this policy with these parameters would have found. */
static void is_of_one_policy(void)
{
	static const char *const others[] = { "drift:alpha=0.2", "drift:kappa=3", "nutch" };
	static const unsigned char infinite[] = { 0x7f, 0xf0, 0, 0, 0, 0, 0, 0 };
	unsigned char bytes[PRN_WORTH_BYTES];
	struct prn_policy *drift, *other;
	struct prn_page_state state;
	struct prn_worth worth;
	size_t length;

	must(!prn_policy_open(&drift, "drift", PRN_STORE_POLICY_DEFAULTS, NULL), "open a policy");
	must(!prn_page_state_init(&state, drift, 8), "make a state");
	length = prn_worth_make(&state, 3, T0, bytes);
	ok(length == PRN_WORTH_BYTES, "a page's worth takes as many bytes as there are for it");
	ok(prn_worth_read(drift, (struct prn_bytes){ bytes, length }, &worth) && !worth.visited,
	   "the policy that made a page's worth reads it");
	near(prn_worth_value(&worth, 0.25, 7, T0 + 2 * DAY), 3 * 2.25, 1e-12, "a page that was never visited is worth its weight times T and the days that it has waited");
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		must(!prn_policy_open(&other, others[i], PRN_STORE_POLICY_DEFAULTS, NULL), "open a policy");
		ok(!prn_worth_read(other, (struct prn_bytes){ bytes, length }, &worth), "%s does not believe what drift made", others[i]);
		prn_policy_free(other);
	}
	memcpy(bytes + length - sizeof infinite, infinite, sizeof infinite);
	ok(!prn_worth_read(drift, (struct prn_bytes){ bytes, length }, &worth), "a worth without end is not believed");
	bytes[length - sizeof infinite] = 0xc0; /* -2; -1 is that of a page which has only failed */
	bytes[length - sizeof infinite + 1] = 0;
	ok(!prn_worth_read(drift, (struct prn_bytes){ bytes, length }, &worth), "a worth below 0 is not believed");
	memcpy(bytes + length - sizeof infinite, infinite, sizeof infinite);
	bytes[length - 1] = 1;
	ok(!prn_worth_read(drift, (struct prn_bytes){ bytes, length }, &worth), "a worth that is no number is not believed");
	prn_page_state_release(&state);
	prn_policy_free(drift);
}

/* The first of what is due at a time, without taking it. */
static const struct prn_due *first_at(struct desk *desk, struct prn_due_list *list, int64_t now, size_t limit)
{
	must(!prn_decider_commit(desk->decider, NULL) && desk_due(desk, list, now, limit, 0), "look at what is due");
	return &list->items[0];
}

/*
 * A page that was never visited, and had to wait for its host before its first visit failed, counts from its next try on, as the
 * record says that is read back: what stands beside it in the queue says no other.  While its host wants to be left alone it
 * goes on waiting.
 */
static void failures(void)
{
	struct prn_capture busy = status_of("http://busy.example/0", T0 + DAY + 30, 429);
	struct prn_due_list list;
	struct desk desk;
	int64_t now = T0;
	enum prn_added added;
	double before;
	char url[64];

	desk_open(&desk, NULL, 0);
	desk.options.host_limit = 1;
	desk.options.host_delay_s = 1;
	desk_reopen(&desk);
	prn_due_list_init(&list);
	desk_add_pages(&desk, "dead.example", 20);
	for (int failed = 0; failed < 200;) {
		if (desk_due(&desk, &list, now, 10, HOUR)) {
			snprintf(url, sizeof url, "%s", list.items[0].url);
			now += 30 + failed++ / 5;
			desk_status(&desk, url, now, 500);
			now += 2;
		} else {
			now = list.next;
		}
	}
	now = prn_time_later(now, desk.outcome.next) + 1;
	must(!prn_decider_add(desk.decider, "http://good.example/", 1, now - 3 * DAY, &added, NULL), "add a page");
	snprintf(url, sizeof url, "%s", first_at(&desk, &list, now, 10)->url);
	same(first_at(&desk, &list, now, 1)->url, url, "the best of what is due is the same alone and among others, where pages have failed that waited for their host");
	desk_release(&desk);

	desk_open(&desk, NULL, 0);
	desk_reopen(&desk);
	desk_add_pages(&desk, "busy.example", 1);
	busy.retry_after_s = 2 * DAY;
	before = first_at(&desk, &list, T0 + DAY, 1)->value;
	must(desk_due(&desk, &list, T0 + DAY, 1, HOUR) == 1, "ask");
	desk_answer(&desk, busy);
	ok(first_at(&desk, &list, T0 + 3 * DAY + 60, 1)->value > before, "a page that was never visited goes on waiting while its host wants to be left alone");
	prn_due_list_release(&list);
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	failures();
	says_the_value();
	is_only_a_hint();
	is_put_in_order();
	reads_what_is_handed_out();
	says_the_value_of_what_waits();
	reads_of_what_waits_what_is_handed_out();
	is_of_one_policy();
	return done();
}
