/*
 * What was settled in shards comes to the one budget, also where the commit that was to bring it there failed: the disk is full
 * for a commit of the root, and the same calls then leave of the budget what they leave on a sound disk.
 */
#include "perennial/due.h"
#include "perennial/stats.h"

#include "desk.h"

#include "store/batch_internal.h"
#include "store/shared.h"

#include <stdlib.h>

#define HOSTS 30
#define BODY 2000000

/* The commit of the root that fails, counted from 1; 0: none does. */
static struct {
	const struct prn_store *root;
	unsigned at;
} fault;

int __real_prn_batch_commit(struct prn_batch *batch, struct prn_error *error);
int __wrap_prn_batch_commit(struct prn_batch *batch, struct prn_error *error);

int __wrap_prn_batch_commit(struct prn_batch *batch, struct prn_error *error)
{
	bool fails = fault.at && batch->store == fault.root && prn_batch_changes(batch) && !--fault.at;

	return fails ? prn_error_set(error, PRN_E_IO, "no space left on device") : __real_prn_batch_commit(batch, error);
}

/* As if other processes wrote to the store: then a commit that failed may have been made all the same. */
static bool shared;

bool __real_prn_store_is_shared(const struct prn_store *store);
bool __wrap_prn_store_is_shared(const struct prn_store *store);

bool __wrap_prn_store_is_shared(const struct prn_store *store)
{
	return shared || __real_prn_store_is_shared(store);
}

/* 24 MB a day over two shards: an hour's budget is one MB, and ten pages of which nothing is known are paid for with 100 kB each. */
static size_t open_paid(struct desk *desk, const char *name, struct prn_due_list *list)
{
	const struct prn_decider_settings settings = { .budget_per_day = 24e6, .unit = PRN_UNIT_BYTES, .shards = 2 };

	*desk = (struct desk){ .clock = INT64_MIN };
	snprintf(desk->path, sizeof desk->path, "memory:%s", name);
	desk_create(desk, &settings);
	fault.root = prn_decider_store(desk->decider);
	for (unsigned i = 0; i < HOSTS; i++) {
		char host[32];

		snprintf(host, sizeof host, "h%u.example", i);
		desk_add_pages(desk, host, 1);
	}
	must(!prn_decider_commit(desk->decider, NULL), "commit");
	return desk_due(desk, list, T0 + 1, 10, HOUR);
}

static void report(struct desk *desk, const char *url)
{
	static char *body;

	if (!body) {
		must((body = malloc(BODY + 1)) != NULL, "allocate a body");
		for (size_t i = 0; i < BODY; i++)
			body[i] = i % 7 ? (char)('a' + i % 23) : ' ';
		body[BODY] = 0;
	}
	desk_text(desk, url, T0 + 2, body);
}

static double left_of(struct desk *desk)
{
	struct prn_stats stats;

	must(!prn_decider_stats(desk->decider, T0 + 3, &stats, NULL), "look at the budget");
	return stats.left;
}

/* Ten answers of 2 MB, and the commit that brings what they cost to the budget. */
static double left_after_reports(const char *name, bool fails)
{
	struct prn_due_list list;
	struct desk desk;
	double left;

	prn_due_list_init(&list);
	must(open_paid(&desk, name, &list) == 10, "ask");
	for (size_t i = 0; i < list.count; i++)
		report(&desk, list.items[i].url);
	fault.at = fails;
	must(!prn_decider_commit(desk.decider, NULL) == !fails, "commit");
	must(!prn_decider_commit(desk.decider, NULL), "commit once more");
	left = left_of(&desk);
	prn_due_list_release(&list);
	desk_release(&desk);
	return left;
}

/* All that is out is given back. */
static double left_after_release(const char *name, bool fails)
{
	struct prn_due_list list;
	uint64_t released;
	struct desk desk;
	double left;

	prn_due_list_init(&list);
	must(open_paid(&desk, name, &list) == 10, "ask");
	fault.at = fails;
	must(!prn_decider_release_all(desk.decider, PRN_RELEASE_ALL, NULL, T0 + 2, &released, NULL) == !fails, "release all");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	left = left_of(&desk);
	prn_due_list_release(&list);
	desk_release(&desk);
	return left;
}

/* What another process left settled in its shards is found by who asks what is due, of whose commits the last is that of the ledger. */
static double left_after_due(const char *name, bool fails)
{
	struct prn_due_list list;
	struct desk desk;
	double left;
	char url[64];

	prn_due_list_init(&list);
	must(open_paid(&desk, name, &list) == 10, "ask");
	snprintf(url, sizeof url, "%s", list.items[0].url);
	desk_status(&desk, url, T0 + 2, 503);
	must(!prn_decider_commit(desk_shard(&desk, url), NULL), "commit a shard");
	desk_reopen(&desk);
	fault.root = prn_decider_store(desk.decider);
	fault.at = fails ? 2 : 0;
	must(prn_decider_due(desk.decider, &(struct prn_due_request){ T0 + HOUR, 2, HOUR }, &list, NULL) == 0 && list.count == 2, "ask");
	must(!fault.at, "a commit fails");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	left = left_of(&desk);
	prn_due_list_release(&list);
	desk_release(&desk);
	return left;
}

int main(void)
{
	double sound = left_after_reports("reports", false);

	ok(sound < -18e6, "ten answers of 2 MB that were paid for with 100 kB are owed: %.0f left", sound);
	near(left_after_reports("reports-fault", true), sound, 1,
	     "what answers cost beyond what was paid is owed by the commit that follows one which failed");
	sound = left_after_release("release", false);
	ok(sound > 0.9e6, "what is given back is there again: %.0f left", sound);
	near(left_after_release("release-fault", true), sound, 1, "what was given back comes with the commit that follows one which failed");
	shared = true;
	near(left_after_reports("reports-shared", true), left_after_reports("reports-sound", false), 1,
	     "what answers cost is owed by the next commit also where the one that failed may have been made");
	ok(left_after_release("release-shared", true) < 0.1e6, "what was given back does not come twice where the commit that failed may have been made");
	shared = false;
	sound = left_after_due("due", false);
	near(left_after_due("due-fault", true), sound, 1,
	     "what a call for due pages took over from shards, and did not hand out, comes with the commit that follows one which failed");
	return done();
}
