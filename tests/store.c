/* The store: what is committed is there, in order, for good, and seen whole or not at all. */
#include "shelf.h"

#define NEVER PRN_TIME_UNKNOWN

static void making(void)
{
	const char *path = in_scratch("made");
	struct prn_store_setting settings[] = { { "policy", "drift" }, { "threshold", "0.25" } };
	struct prn_store_setting schema = { "schema", "9" };
	struct prn_store *store;
	struct prn_error error;
	struct prn_view *view;
	const void *bytes;
	size_t count;

	ok(prn_store_open(&store, path, PRN_STORE_READ, 0, &error) == PRN_E_NOT_FOUND, "a missing store: %s", error.text);
	ok(prn_store_create(path, &schema, 1, &error) == PRN_E_RANGE, "the schema is no setting: %s", error.text);
	ok(!prn_store_create(path, settings, 2, &error), "a store is made");
	ok(prn_store_create(path, settings, 2, &error) == PRN_E_IO && strstr(error.text, "already"),
	   "but not where one is: %s", error.text);
	store = open_store(path, PRN_STORE_READ);
	same(prn_store_path(store), path, "it knows its path");
	view = open_view(store);
	ok(!prn_view_side(view, PRN_SIDE_META, "policy", 6, &bytes, &count, NULL) && count == 5 &&
	           !memcmp(bytes, "drift", 5),
	   "and its settings");
	ok(prn_view_side(view, PRN_SIDE_META, "none", 4, &bytes, &count, NULL) == PRN_E_NOT_FOUND, "and no others");
	prn_view_close(view);
	ok(totals_of(store).pages == 0 && totals_of(store).bytes > 0, "it is empty");
	prn_store_free(store);
	mkdir(in_scratch("empty"), 0777);
	ok(!prn_store_create(in_scratch("empty/"), NULL, 0, &error), "an empty folder becomes a store");
	put_file("full/file", "", 0);
	ok(prn_store_create(in_scratch("full"), NULL, 0, &error) == PRN_E_IO, "a folder in use does not: %s", error.text);
	ok(prn_store_create(in_scratch("none/store"), NULL, 0, &error) == PRN_E_IO, "nor does a path to nowhere: %s",
	   error.text);
	ok(!access(in_scratch("full/file"), F_OK), "what was there is still there");
}

static void records(void)
{
	struct prn_record pages[4] = {
		make_page(1, 1000, NEVER), make_page(1, NEVER, NEVER), make_page(1, -5, 2000), make_page(1, INT64_MAX, NEVER),
	};
	static const char *const about[] = { "a page that is due", "one that is never", "one that is leased",
		                             "one with an odd weight and no state" };
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_record got;

	make_store(in_scratch("records"));
	store = open_store(in_scratch("records"), PRN_STORE_WRITE);
	batch = open_batch(store);
	pages[3].weight = 1 / 3.0;
	pages[3].state_bytes = 0;
	for (size_t i = 0; i < 4; i++) {
		struct prn_view *view;

		must(!prn_batch_put(batch, &pages[i], NULL), "put");
		ok(!prn_batch_get(batch, &pages[i].key, &got, NULL) && same_record(&got, &pages[i]),
		   "%s is in its batch at once", about[i]);
		commit(batch);
		view = open_view(store);
		ok(!prn_view_get(view, &pages[i].key, &got, NULL) && same_record(&got, &pages[i]),
		   "and in the store after the commit");
		prn_view_close(view);
	}
	prn_batch_free(batch);
	prn_store_free(store);
}

static void refusals(void)
{
	struct prn_store *store = open_store(in_scratch("records"), PRN_STORE_WRITE), *reader;
	struct prn_batch *batch = open_batch(store), *second;
	struct prn_record page = make_page(2, 0, NEVER);
	static unsigned char large[PRN_RECORD_STATE_BYTES + 1];
	struct prn_error error;

	page.weight = NAN;
	ok(prn_batch_put(batch, &page, &error) == PRN_E_RANGE, "a weight that is no number is refused: %s", error.text);
	page = make_page(2, 0, NEVER);
	page.state = large;
	page.state_bytes = sizeof large;
	ok(prn_batch_put(batch, &page, &error) == PRN_E_RANGE, "and a state that is too long: %s", error.text);
	page = make_page(2, 0, NEVER);
	page.url = "";
	ok(prn_batch_put(batch, &page, &error) == PRN_E_RANGE, "and no URL: %s", error.text);
	ok(prn_batch_delete(batch, &page.key, &error) == PRN_E_NOT_FOUND, "what is not there cannot be deleted");
	ok(prn_batch_side_put(batch, PRN_SIDE_HOSTS, "", 0, "", 0, &error) == PRN_E_RANGE, "a name has bytes: %s",
	   error.text);
	ok(prn_batch_changes(batch) == 0, "nothing of this waits to be written");
	ok(prn_batch_open(&second, store, &error) == PRN_E_RANGE, "a store has one batch at a time: %s", error.text);
	prn_batch_free(batch);
	prn_store_free(store);
	reader = open_store(in_scratch("records"), PRN_STORE_READ);
	ok(prn_batch_open(&second, reader, &error) == PRN_E_RANGE, "and none when opened for reading: %s", error.text);
	prn_store_free(reader);
}

static void sides(void)
{
	struct prn_store *store = open_store(in_scratch("records"), PRN_STORE_WRITE);
	struct prn_batch *batch = open_batch(store);
	const void *name, *bytes;
	size_t length, count;
	struct prn_view *view;
	struct prn_walk *walk;

	must(!prn_batch_side_put(batch, PRN_SIDE_HOSTS, "b.example", 9, "beta", 4, NULL), "put");
	must(!prn_batch_side_put(batch, PRN_SIDE_HOSTS, "a.example", 9, "alpha", 5, NULL), "put");
	ok(!prn_batch_side(batch, PRN_SIDE_HOSTS, "a.example", 9, &bytes, &count, NULL) && count == 5 &&
	           !memcmp(bytes, "alpha", 5),
	   "bytes by name are in their batch at once");
	must(!prn_batch_side_put(batch, PRN_SIDE_HOSTS, "b.example", 9, bytes, count, NULL), "put what was got");
	commit(batch);
	ok(!prn_batch_side(batch, PRN_SIDE_HOSTS, "b.example", 9, &bytes, &count, NULL) && count == 5 &&
	           !memcmp(bytes, "alpha", 5),
	   "what a batch hands out may be put again");
	must(!prn_batch_side_put(batch, PRN_SIDE_HOSTS, "b.example", 9, NULL, 0, NULL), "take out");
	ok(prn_batch_side(batch, PRN_SIDE_HOSTS, "b.example", 9, &bytes, &count, NULL) == PRN_E_NOT_FOUND,
	   "a name that was taken out is gone at once");
	commit(batch);
	view = open_view(store);
	must(!prn_walk_side(&walk, view, PRN_SIDE_HOSTS, NULL), "walk");
	ok(prn_walk_side_next(walk, &name, &length, &bytes, &count, NULL) == 1 && length == 9 &&
	           !memcmp(name, "a.example", 9),
	   "a walk meets what is left");
	ok(prn_walk_side_next(walk, &name, &length, &bytes, &count, NULL) == 0, "and ends");
	prn_walk_free(walk);
	prn_view_close(view);
	prn_batch_free(batch);
	prn_store_free(store);
}

#define MODEL_PAGES 300

/* What the store should hold, kept the plain way. */
struct model {
	bool there;
	int64_t due, lease;
};

static bool queue_agrees(struct prn_view *view, enum prn_queue queue, const struct model model[], unsigned queued)
{
	int64_t before = INT64_MIN;
	struct prn_queued entry;
	struct prn_record page;
	struct prn_walk *walk;
	bool agrees = true;
	unsigned count = 0;

	must(!prn_walk_queue(&walk, view, queue, INT64_MIN, NULL), "walk");
	while (prn_walk_queue_next(walk, &entry, NULL) == 1) {
		unsigned number;

		must(!prn_view_get(view, &entry.key, &page, NULL), "get a queued page");
		must(sscanf(page.url, "http://h%*u.example/%u", &number) == 1, "read a URL");
		agrees = agrees && entry.time >= before && model[number].there &&
		         entry.time == (queue == PRN_QUEUE_LEASES ? model[number].lease : model[number].due);
		before = entry.time;
		count++;
	}
	prn_walk_free(walk);
	return agrees && count == queued;
}

static bool store_agrees(struct prn_store *store, const struct model model[])
{
	unsigned pages = 0, due = 0, leased = 0, found = 0;
	struct prn_view *view = open_view(store);
	struct prn_store_totals totals = totals_of(store);
	struct prn_record page;
	struct prn_walk *walk;
	bool agrees;

	for (unsigned i = 0; i < MODEL_PAGES; i++) {
		pages += model[i].there;
		leased += model[i].there && model[i].lease != NEVER;
		due += model[i].there && model[i].lease == NEVER && model[i].due != NEVER;
	}
	must(!prn_walk_pages(&walk, view, NULL, NULL), "walk");
	while (prn_walk_pages_next(walk, &page, NULL) == 1)
		found++;
	prn_walk_free(walk);
	agrees = found == pages && totals.pages == pages && totals.due == due && totals.leased == leased &&
	         queue_agrees(view, PRN_QUEUE_DUE, model, due) && queue_agrees(view, PRN_QUEUE_LEASES, model, leased);
	prn_view_close(view);
	return agrees;
}

static void change_one(struct prn_random *random, struct prn_batch *batch, struct model model[])
{
	unsigned number = (unsigned)prn_random_below(random, MODEL_PAGES);
	struct model *mine = &model[number];

	if (mine->there && prn_random_below(random, 4) == 0) {
		struct prn_digest key = make_page(number, 0, 0).key;

		must(!prn_batch_delete(batch, &key, NULL), "delete");
		mine->there = false;
		return;
	}
	mine->there = true;
	mine->due = prn_random_below(random, 8) ? (int64_t)prn_random_below(random, 50) - 25 : NEVER;
	mine->lease = prn_random_below(random, 3) ? NEVER : (int64_t)prn_random_below(random, 50);
	put_page(batch, number, mine->due, mine->lease);
}

static void property(void)
{
	struct model model[MODEL_PAGES] = { 0 }, before[MODEL_PAGES];
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_random random;
	unsigned rounds = 60, right = 0, faults = 0;

	make_store(in_scratch("model"));
	store = open_store(in_scratch("model"), PRN_STORE_WRITE);
	batch = open_batch(store);
	prn_random_seed(&random, 5, 0);
	for (unsigned i = 0; i < rounds; i++) {
		memcpy(before, model, sizeof model);
		for (uint64_t changes = prn_random_below(&random, 200); changes; changes--)
			change_one(&random, batch, model);
		if (prn_random_below(&random, 5) == 0) {
			prn_batch_abandon(batch);
			memcpy(model, before, sizeof model);
		} else {
			commit(batch);
		}
		right += store_agrees(store, model);
	}
	prn_batch_free(batch);
	struct prn_store_findings findings = check_store(store, false);
	faults = (unsigned)faults_of(&findings);
	ok(right == rounds, "after %u of %u random batches, some abandoned, pages and both queues are as they should be",
	   right, rounds);
	ok(!faults && findings.pages == totals_of(store).pages, "and a check finds no fault");
	prn_store_free(store);
}

static void snapshots(void)
{
	struct prn_store *store = open_store(in_scratch("model"), PRN_STORE_WRITE);
	struct prn_view *before = open_view(store), *after;
	struct prn_batch *batch = open_batch(store);
	struct prn_record page = make_page(9999, 77, NEVER), got;
	struct prn_queued entry;
	struct prn_walk *walk;

	must(!prn_batch_put(batch, &page, NULL), "put");
	commit(batch);
	after = open_view(store);
	ok(prn_view_get(before, &page.key, &got, NULL) == PRN_E_NOT_FOUND, "a view shows what was when it was opened");
	ok(!prn_view_get(after, &page.key, &got, NULL), "a later one what was committed since");
	must(!prn_walk_queue(&walk, after, PRN_QUEUE_DUE, 60, NULL), "walk");
	ok(prn_walk_queue_next(walk, &entry, NULL) == 1 && entry.time == 77, "a walk begins at a time");
	prn_walk_free(walk);
	must(!prn_walk_pages(&walk, after, &page.key, NULL), "walk");
	ok(prn_walk_pages_next(walk, &got, NULL) == 1 && same_record(&got, &page), "or at a key");
	prn_walk_free(walk);
	prn_view_close(before);
	prn_view_close(after);
	prn_batch_free(batch);
	prn_store_free(store);
}

int main(void)
{
	make_scratch();
	making();
	records();
	refusals();
	sides();
	property();
	snapshots();
	return done();
}
