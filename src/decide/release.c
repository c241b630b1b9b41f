/* Ends leases that a fetcher gives back. */
#include "decide/ledger.h"
#include "decide/shards.h"
#include "decide/unreadable.h"

#include "archive/url_host.h"
#include "archive/url_read.h"

/* How many leases are ended in one commit. */
#define BATCH 10000

/* Gives the cost of a page that was not fetched back to the budget. */
static int give_back(struct prn_decider *decider, double cost, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);
	struct prn_ledger ledger;
	int code = 0;

	if (!(decider->budget_per_day > 0))
		return 0;
	if (decider->root) {
		decider->has_settled = true;
		return prn_ledger_return(decider->batch, cost, error);
	}
	code = prn_ledger_read(&ledger, decider->budget_per_day, &reader, error);
	if (code || ledger.at == PRN_TIME_UNKNOWN)
		return code;
	prn_ledger_spend(&ledger, -cost);
	return prn_ledger_put(&ledger, decider->batch, error);
}

static int release(struct prn_decider *decider, const struct prn_record *record, int64_t now, struct prn_error *error)
{
	struct prn_entry *entry = &decider->entry;
	int readable = prn_entry_try(entry, record, NULL, error), code;
	double cost;

	if (readable <= 0)
		return readable ? readable : prn_unreadable_put(decider, entry, entry->due, now, error);
	cost = prn_cost_expected(&decider->costs, &entry->state);
	code = prn_decider_unlease(decider, entry, cost, now, error);
	if (!code)
		code = prn_entry_put(entry, decider->batch, error);
	return code ? code : give_back(decider, cost, error);
}

int prn_decider_release(struct prn_decider *decider, const char *url, int64_t now, bool *released,
                        struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	struct prn_store_reader reader;
	struct prn_decider_savepoint before;
	struct prn_record record;
	struct prn_decider *shard;
	struct prn_digest key;
	bool found, spoilt = false, unasked;
	int code = prn_decider_check_writer(decider, error);

	released = released ? released : &unasked;
	if (!code)
		code = prn_decider_check_now(now, error);
	if (!code)
		code = prn_url_read(url, normal, error);
	if (!code && decider->shards) {
		*released = false;
		code = prn_shards_route(decider, normal, false, &shard, error);
		if (code)
			return code == PRN_E_NOT_FOUND ? 0 : code;
		code = prn_decider_release(shard, url, now, released, error);
		prn_shards_done(shard);
		return code == PRN_E_NOT_FOUND ? 0 : code;
	}
	if (code)
		return code;
	key = prn_url_key(normal);
	reader = prn_decider_reader(decider);
	before = prn_decider_save(decider);
	code = prn_batch_get(decider->batch, &key, &record, error);
	/* If a page's record is damaged, its lease is not known. */
	if (code == PRN_E_DAMAGED && !prn_store_reader_is_spoilt(&reader, &key, &spoilt, NULL) && spoilt)
		code = PRN_E_NOT_FOUND;
	found = !code && record.lease != PRN_TIME_UNKNOWN && record.lease > now; /* a lease that ran out is a failure */
	if (found)
		code = release(decider, &record, now, error);
	if (code && code != PRN_E_NOT_FOUND) {
		prn_decider_restore(decider, &before);
		return code;
	}
	*released = found;
	return 0;
}

/* Which leases are given back. */
struct giving_back {
	struct prn_decider *decider;
	enum prn_release by;
	const char *what;
	int64_t now;
	struct prn_queued from; /* the last lease that was considered */
	uint64_t count;
};

static int release_if_under(struct giving_back *given, const struct prn_queued *queued, struct prn_error *error)
{
	const struct prn_place place = prn_queued_place(PRN_QUEUE_LEASES, 0, queued);
	struct prn_decider *decider = given->decider;
	struct prn_unreadable unreadable = { 0 };
	const struct prn_queue_reading reading = { decider, prn_decider_reader(decider), given->now, &unreadable };
	struct prn_record record;
	int code = prn_queued_get(&reading, &place, &queued->key, &record, error);
	bool under = code == 1 && (given->by == PRN_RELEASE_ALL ||
	                           prn_decider_is_under(record.url, given->by == PRN_RELEASE_SURT, given->what));

	if (!under)
		return code < 0 ? code : 0;
	code = release(decider, &record, given->now, error);
	given->count += !code;
	return code;
}

static int release_some(struct prn_decider *decider, void *context, struct prn_error *error)
{
	struct giving_back *given = context;
	struct prn_queued *from = &given->from;
	struct prn_view *view = NULL;
	struct prn_walk *walk = NULL;
	struct prn_queued queued;
	int got = 1, code = prn_decider_view(decider, &view, error);

	if (!code)
		code = prn_walk_queue(&walk, view, PRN_QUEUE_LEASES, from->time, error);
	while (!code && prn_decider_staged(decider) < BATCH &&
	       (got = prn_walk_queue_next(walk, &queued, error)) == 1) {
		/* The walk begins anew at the second in which the last one ended.  Leases of it that were considered are skipped. */
		if (queued.time == from->time && prn_digest_compare(&queued.key, &from->key) < 0)
			continue;
		code = release_if_under(given, &queued, error);
		*from = queued;
	}
	prn_walk_free(walk);
	return code ? code : got;
}

static int release_in_shard(void *context, struct prn_decider *shard, struct prn_error *error)
{
	struct giving_back *given = context;
	uint64_t released = 0;
	int code = prn_decider_release_all(shard, given->by, given->what, given->now, &released, error);

	given->count += released;
	return code;
}

int prn_decider_release_all(struct prn_decider *decider, enum prn_release by, const char *what, int64_t now,
                            uint64_t *released, struct prn_error *error)
{
	struct giving_back given = { .decider = decider, .by = by, .what = what, .now = now, .from = { .time = INT64_MIN } };
	struct prn_decider_savepoint before;
	char name[PRN_URL_HOST_NAME];
	uint64_t unasked;
	int code = prn_decider_check_writer(decider, error);

	released = released ? released : &unasked;
	if (!code && by == PRN_RELEASE_SURT)
		code = prn_decider_check_prefix(what, error);
	if (!code && by == PRN_RELEASE_HOST) {
		code = prn_decider_read_host(what, name, error);
		given.what = name;
	}
	if (!code)
		code = prn_decider_commit_all(decider, error);
	if (code)
		return code;
	if (decider->shards) {
		code = prn_shards_each(decider, release_in_shard, &given, error);
		*released = given.count;
		return code ? code : prn_shards_settle(decider, error);
	}
	before = prn_decider_save(decider);
	code = prn_decider_in_portions(decider, release_some, &given, sizeof given, error);
	if (code)
		prn_decider_restore(decider, &before);
	else
		*released = given.count;
	return code;
}
