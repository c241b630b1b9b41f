/*
 * What the tests of the store share: stores in the scratch folder, and pages made from a number.
 */
#ifndef TESTS_STORES_H
#define TESTS_STORES_H

#include "base/random.h"
#include "fixture.h"
#include "perennial/store.h"
#include "perennial/url.h"
#include "store/turn.h"

/* A page by number; its URL and state are in buffers that the next call reuses. */
static inline struct prn_record make_page(unsigned number, int64_t due, int64_t lease)
{
	static unsigned char state[100];
	static char url[64];

	snprintf(url, sizeof url, "http://h%u.example/%u", number % 97, number);
	memset(state, (int)(number & 0xff), sizeof state);
	return (struct prn_record){ .key = prn_url_key(url), .url = url, .weight = 1, .due = due, .lease = lease,
		                    .state = state, .state_bytes = number % sizeof state };
}

static inline bool same_record(const struct prn_record *a, const struct prn_record *b)
{
	return !prn_digest_compare(&a->key, &b->key) && !strcmp(a->url, b->url) && !(a->weight < b->weight) &&
	       !(a->weight > b->weight) && a->due == b->due && a->lane == b->lane && a->lease == b->lease &&
	       a->waits_for == b->waits_for &&
	       a->state_bytes == b->state_bytes &&
	       (!a->state_bytes || !memcmp(a->state, b->state, a->state_bytes));
}

/* The number of the host of a page by number. */
static inline uint64_t host_of(unsigned number)
{
	return prn_host_number(prn_host_name(make_page(number, 0, 0).url));
}

static inline void make_store(const char *path)
{
	must(!prn_store_create(path, NULL, 0, NULL), "make a store");
}

static inline struct prn_store *open_store(const char *path, enum prn_store_mode mode)
{
	struct prn_store *store = NULL;
	struct prn_error error = { 0 };

	if (prn_store_open(&store, path, mode, 5, &error))
		printf("# %s\n", error.text);
	must(store != NULL, "open a store");
	return store;
}

static inline struct prn_batch *open_batch(struct prn_store *store)
{
	struct prn_batch *batch = NULL;

	must(!prn_batch_open(&batch, store, NULL), "open a batch");
	return batch;
}

static inline struct prn_view *open_view(struct prn_store *store)
{
	struct prn_view *view = NULL;

	must(!prn_view_open(&view, store, NULL), "open a view");
	return view;
}

static inline void put_page(struct prn_batch *batch, unsigned number, int64_t due, int64_t lease)
{
	struct prn_record page = make_page(number, due, lease);

	must(!prn_batch_put(batch, &page, NULL), "put a page");
}

static inline void commit(struct prn_batch *batch)
{
	struct prn_error error = { 0 };

	if (prn_batch_commit(batch, &error))
		printf("# %s\n", error.text);
	must(prn_batch_changes(batch) == 0, "commit");
}

/* Pages from (inclusive) to to (exclusive), due at their number. */
static inline void fill_store(struct prn_store *store, unsigned from, unsigned to)
{
	struct prn_batch *batch = open_batch(store);

	for (unsigned i = from; i < to; i++)
		put_page(batch, i, i, PRN_TIME_UNKNOWN);
	commit(batch);
	prn_batch_free(batch);
}

static inline struct prn_store_totals totals_of(struct prn_store *store)
{
	struct prn_store_totals totals;

	must(!prn_store_totals(store, &totals, NULL), "count");
	return totals;
}

static inline struct prn_store_findings check_store(struct prn_store *store, bool repair)
{
	const struct prn_store_check_options options = { .repair = repair };
	struct prn_store_findings findings;

	must(!prn_store_check(store, &options, &findings, NULL), "check a store");
	return findings;
}

static inline uint64_t faults_of(const struct prn_store_findings *findings)
{
	return findings->unreadable + findings->unqueued + findings->stray + findings->stray_sides + findings->miscounted +
	       findings->disordered;
}

#endif
