/* The store, on each engine: what is committed is there, in order, and seen whole or not at all. */
#include "stores.h"
#include "store/shared.h"
#include "store/store_internal.h"

#include <pthread.h>

#define NEVER PRN_TIME_UNKNOWN

enum engine { LMDB, MEMORY, RADOS };

static enum engine engine;
static const char *cluster; /* "rados:POOL/NAME%s?conf=FILE": where stores may be made in a cluster; NULL: nowhere */

/* Where the engine under test keeps a store of this name; valid until the fourth next call. */
static const char *place(const char *name)
{
	static char addresses[4][512];
	static unsigned used;
	char *address = addresses[used++ % 4];
	const char *end = engine == RADOS ? strchr(cluster, '?') : NULL;

	if (engine == LMDB)
		return in_scratch(name);
	if (engine == MEMORY)
		snprintf(address, sizeof addresses[0], "memory:%s", name);
	else
		snprintf(address, sizeof addresses[0], "%.*s.%s%s", (int)(end - cluster), cluster, name, end);
	return address;
}

/* What was got as a text, or NULL where that failed. */
static const char *got_text(int code, const void *const *bytes, const size_t *count)
{
	return code ? NULL : tap_text("%.*s", (int)*count, (const char *)*bytes);
}

static void making(void)
{
	const char *path = place("made");
	struct prn_store_setting settings[] = { { "policy", "drift" }, { "threshold", "0.25" } };
	struct prn_store_setting schema = { "schema", "9" };
	struct prn_store *store;
	struct prn_error error;
	struct prn_view *view;
	const void *bytes;
	size_t count;

	ok(prn_store_open(&store, path, PRN_STORE_READ, 0, &error) == PRN_E_NOT_FOUND,
	   "a store that was never made cannot be opened: %s", error.text);
	ok(prn_store_create(path, &schema, 1, &error) == PRN_E_ARGUMENT,
	   "a store is not made with a schema among its settings: %s", error.text);
	ok(!prn_store_create(path, settings, 2, &error), "a store is made where nothing was");
	ok(prn_store_create(path, settings, 2, &error) == PRN_E_IO && strstr(error.text, "already"),
	   "a store is not made where one is: %s", error.text);
	store = open_store(path, PRN_STORE_READ);
	same(prn_store_path(store), path, "an open store knows its path");
	view = open_view(store);
	same(got_text(prn_view_side(view, PRN_SIDE_META, "policy", 6, &bytes, &count, NULL), &bytes, &count), "drift",
	     "a store keeps the settings it was made with");
	ok(prn_view_side(view, PRN_SIDE_META, "none", 4, &bytes, &count, NULL) == PRN_E_NOT_FOUND,
	   "a setting that a store was not made with is not found in it");
	prn_view_close(view);
	ok(totals_of(store).pages == 0, "a store that was just made has no page");
	ok(totals_of(store).bytes > 0, "a store without a page has a size in bytes");
	prn_store_free(store);
	if (engine != LMDB)
		return;
	mkdir(in_scratch("empty"), 0777);
	ok(!prn_store_create(in_scratch("empty/"), NULL, 0, &error), "an empty folder becomes a store");
	put_file("full/file", "", 0);
	ok(prn_store_create(in_scratch("full"), NULL, 0, &error) == PRN_E_IO,
	   "a folder with a file in it does not become a store: %s", error.text);
	ok(prn_store_create(in_scratch("none/store"), NULL, 0, &error) == PRN_E_IO,
	   "a store is not made in a folder that is not there: %s",
	   error.text);
	ok(!access(in_scratch("full/file"), F_OK),
	   "a file in a folder that was refused as a store stays there");
}

static void records(void)
{
	struct prn_record pages[4] = {
		make_page(1, 1000, NEVER), make_page(1, NEVER, NEVER), make_page(1, -5, 2000), make_page(1, INT64_MAX, NEVER),
	};
	static const char *const about[] = { "a page that is due", "a page that is never due", "a page that is leased",
		                             "a page with an odd weight and no state" };
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_record got;

	make_store(place("records"));
	store = open_store(place("records"), PRN_STORE_WRITE);
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
		   "%s is in the store after the commit", about[i]);
		prn_view_close(view);
	}
	prn_batch_free(batch);
	prn_store_free(store);
}

static void refusals(void)
{
	struct prn_store *store = open_store(place("records"), PRN_STORE_WRITE), *reader;
	struct prn_batch *batch = open_batch(store), *second;
	struct prn_record page = make_page(2, 0, NEVER);
	static unsigned char large[PRN_RECORD_STATE_BYTES + 1];
	struct prn_error error;

	page.weight = NAN;
	ok(prn_batch_put(batch, &page, &error) == PRN_E_ARGUMENT,
	   "a page whose weight is no number is refused: %s", error.text);
	page = make_page(2, 0, NEVER);
	page.state = large;
	page.state_bytes = sizeof large;
	ok(prn_batch_put(batch, &page, &error) == PRN_E_ARGUMENT,
	   "a page whose state is too long is refused: %s", error.text);
	page = make_page(2, 0, NEVER);
	page.url = "";
	ok(prn_batch_put(batch, &page, &error) == PRN_E_ARGUMENT,
	   "a page without a URL is refused: %s", error.text);
	ok(prn_batch_delete(batch, &page.key, &error) == PRN_E_NOT_FOUND,
	   "a page that is not in the store cannot be deleted");
	ok(prn_batch_side_put(batch, PRN_SIDE_HOSTS, "", 0, "", 0, &error) == PRN_E_ARGUMENT,
	   "bytes under a name of no bytes are refused: %s",
	   error.text);
	ok(prn_batch_changes(batch) == 0, "nothing that a batch refused waits to be written");
	ok(prn_batch_open(&second, store, &error) == PRN_E_ARGUMENT, "a store has one batch at a time: %s", error.text);
	prn_batch_free(batch);
	prn_store_free(store);
	reader = open_store(place("records"), PRN_STORE_READ);
	ok(prn_batch_open(&second, reader, &error) == PRN_E_ARGUMENT,
	   "a store that was opened for reading has no batch: %s", error.text);
	prn_store_free(reader);
}

static void sides(void)
{
	struct prn_store *store = open_store(place("records"), PRN_STORE_WRITE);
	struct prn_batch *batch = open_batch(store);
	const void *name, *bytes;
	size_t length, count;
	struct prn_view *view;
	struct prn_walk *walk;

	must(!prn_batch_side_put(batch, PRN_SIDE_HOSTS, "b.example", 9, "beta", 4, NULL), "put");
	must(!prn_batch_side_put(batch, PRN_SIDE_HOSTS, "a.example", 9, "alpha", 5, NULL), "put");
	same(got_text(prn_batch_side(batch, PRN_SIDE_HOSTS, "a.example", 9, &bytes, &count, NULL), &bytes, &count), "alpha",
	     
	     "bytes put under a name are in their batch at once");
	must(!prn_batch_side_put(batch, PRN_SIDE_HOSTS, "b.example", 9, bytes, count, NULL), "put what was got");
	commit(batch);
	same(got_text(prn_batch_side(batch, PRN_SIDE_HOSTS, "b.example", 9, &bytes, &count, NULL), &bytes, &count), "alpha",
	     
	     "bytes that a batch handed out may be put under another name");
	must(!prn_batch_side_put(batch, PRN_SIDE_HOSTS, "b.example", 9, NULL, 0, NULL), "take out");
	ok(prn_batch_side(batch, PRN_SIDE_HOSTS, "b.example", 9, &bytes, &count, NULL) == PRN_E_NOT_FOUND,
	   "a name that was taken out is gone at once");
	commit(batch);
	view = open_view(store);
	must(!prn_walk_side(&walk, view, PRN_SIDE_HOSTS, NULL), "walk");
	same(got_text(prn_walk_side_next(walk, &name, &length, &bytes, &count, NULL) != 1, &name, &length), "a.example",
	     
	     "a walk over names meets the one that is left");
	ok(prn_walk_side_next(walk, &name, &length, &bytes, &count, NULL) == 0,
	   "a walk over names ends after the last one");
	prn_walk_free(walk);
	prn_view_close(view);
	prn_batch_free(batch);
	prn_store_free(store);
}

#define NAME_BYTES 511 /* of the longest name */

static void long_names(void)
{
	struct prn_store *store = open_store(place("records"), PRN_STORE_WRITE);
	struct prn_batch *batch = open_batch(store);
	char name[NAME_BYTES + 1];
	const void *bytes;
	struct prn_error error;
	struct prn_view *view;
	size_t count;

	memset(name, 'n', sizeof name);
	ok(prn_batch_side_put(batch, PRN_SIDE_HOSTS, name, NAME_BYTES + 1, "x", 1, &error) == PRN_E_ARGUMENT,
	   "a name of 512 bytes is refused: %s", error.text);
	ok(!prn_batch_side_put(batch, PRN_SIDE_HOSTS, name, NAME_BYTES, "x", 1, &error), "a name of 511 bytes is taken");
	commit(batch);
	view = open_view(store);
	ok(!prn_view_side(view, PRN_SIDE_HOSTS, name, NAME_BYTES, &bytes, &count, NULL) && count == 1,
	   "what stands under a name of 511 bytes is found");
	ok(prn_view_side(view, PRN_SIDE_HOSTS, name, NAME_BYTES + 1, &bytes, &count, NULL) == PRN_E_NOT_FOUND,
	   "under a name of 512 bytes nothing stands: to ask is no error");
	ok(prn_view_side(view, PRN_SIDE_HOSTS, "", 0, &bytes, &count, NULL) == PRN_E_NOT_FOUND,
	   "nothing stands under a name of no bytes: to ask is no error");
	prn_view_close(view);
	must(!prn_batch_side_put(batch, PRN_SIDE_HOSTS, name, NAME_BYTES, NULL, 0, NULL), "take out");
	commit(batch);
	prn_batch_free(batch);
	prn_store_free(store);
}

/* Where the bytes of a store are freed and taken again, each engine counts them. */
static void sizes(void)
{
	const unsigned pages = 5000;
	struct prn_store_totals empty, full, again, emptied;
	struct prn_store *store;
	struct prn_batch *batch;

	make_store(place("sizes"));
	store = open_store(place("sizes"), PRN_STORE_WRITE);
	empty = totals_of(store);
	fill_store(store, 0, pages);
	full = totals_of(store);
	fill_store(store, 0, pages);
	again = totals_of(store);
	ok(full.bytes - full.bytes_free >= empty.bytes - empty.bytes_free + pages * 50,
	   "%u pages take 50 bytes each at least", pages);
	ok(again.bytes - again.bytes_free <= (full.bytes - full.bytes_free) / 8 * 9,
	   "pages that are put once more take the same bytes, not more of them: %llu after %llu",
	   (unsigned long long)(again.bytes - again.bytes_free), (unsigned long long)(full.bytes - full.bytes_free));
	batch = open_batch(store);
	for (unsigned i = 0; i < pages; i++) {
		struct prn_digest key = make_page(i, 0, 0).key;

		must(!prn_batch_delete(batch, &key, NULL), "delete");
	}
	commit(batch);
	emptied = totals_of(store);
	ok(emptied.bytes - emptied.bytes_free <= full.bytes / 8 && emptied.bytes_free <= emptied.bytes,
	   "when all pages are gone their bytes are free: %llu of %llu", (unsigned long long)emptied.bytes_free,
	   (unsigned long long)emptied.bytes);
	prn_batch_free(batch);
	prn_store_free(store);
}

#define MODEL_PAGES 300

/* What the store should hold, kept the plain way. */
struct model {
	bool there;
	int64_t due, lease;
	bool waits;
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

/* Those that wait for one of the hosts, which are as many as make_page has. */
static bool line_agrees(struct prn_view *view, const struct model model[], unsigned host)
{
	int64_t before = INT64_MIN;
	struct prn_queued entry;
	struct prn_record page;
	struct prn_walk *walk;
	bool agrees = true;
	unsigned count = 0, waiting = 0;

	for (unsigned i = host; i < MODEL_PAGES; i += 97)
		waiting += model[i].there && model[i].waits && model[i].lease == NEVER && model[i].due != NEVER;
	must(!prn_walk_waiting(&walk, view, host_of(host), NULL, NULL), "walk");
	for (; prn_walk_waiting_next(walk, host_of(host), &entry, NULL) == 1; count++) {
		must(!prn_view_get(view, &entry.key, &page, NULL), "get a page that waits");
		agrees &= entry.time >= before && entry.time == page.due && page.waits_for == host_of(host);
		before = entry.time;
	}
	prn_walk_free(walk);
	return agrees && count == waiting;
}

static bool store_agrees(struct prn_store *store, const struct model model[])
{
	unsigned pages = 0, due = 0, leased = 0, waiting = 0, found = 0;
	struct prn_view *view = open_view(store);
	struct prn_store_totals totals = totals_of(store);
	struct prn_record page;
	struct prn_walk *walk;
	bool agrees;

	for (unsigned i = 0; i < MODEL_PAGES; i++) {
		pages += model[i].there;
		leased += model[i].there && model[i].lease != NEVER;
		if (!model[i].there || model[i].lease != NEVER || model[i].due == NEVER)
			continue;
		due += !model[i].waits;
		waiting += model[i].waits;
	}
	must(!prn_walk_pages(&walk, view, NULL, NULL), "walk");
	while (prn_walk_pages_next(walk, &page, NULL) == 1)
		found++;
	prn_walk_free(walk);
	agrees = found == pages && totals.pages == pages && totals.due == due + waiting && totals.waiting == waiting &&
	         totals.leased == leased &&
	         queue_agrees(view, PRN_QUEUE_DUE, model, due) && queue_agrees(view, PRN_QUEUE_LEASES, model, leased);
	for (unsigned host = 0; host < 97; host++)
		agrees &= line_agrees(view, model, host);
	prn_view_close(view);
	return agrees;
}

static void change_one(struct prn_random *random, struct prn_batch *batch, struct model model[])
{
	unsigned number = (unsigned)prn_random_below(random, MODEL_PAGES);
	struct model *mine = &model[number];
	struct prn_record page;

	if (mine->there && prn_random_below(random, 4) == 0) {
		struct prn_digest key = make_page(number, 0, 0).key;

		must(!prn_batch_delete(batch, &key, NULL), "delete");
		mine->there = false;
		return;
	}
	mine->there = true;
	mine->due = prn_random_below(random, 8) ? (int64_t)prn_random_below(random, 50) - 25 : NEVER;
	mine->lease = prn_random_below(random, 3) ? NEVER : (int64_t)prn_random_below(random, 50);
	mine->waits = prn_random_below(random, 2);
	page = make_page(number, mine->due, mine->lease);
	page.waits_for = mine->waits ? prn_host_number(prn_host_name(page.url)) : 0;
	must(!prn_batch_put(batch, &page, NULL), "put a page");
}

/* Hosts for which pages wait. */
static unsigned count_awaited(const struct model model[])
{
	unsigned awaited = 0;

	for (unsigned host = 0; host < 97; host++)
		for (unsigned i = host; i < MODEL_PAGES; i += 97)
			if (model[i].there && model[i].waits && model[i].lease == NEVER && model[i].due != NEVER) {
				awaited++;
				break;
			}
	return awaited;
}

static void property(void)
{
	struct model model[MODEL_PAGES] = { 0 }, before[MODEL_PAGES];
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_random random;
	unsigned rounds = 60, right = 0, faults = 0;

	make_store(place("model"));
	store = open_store(place("model"), PRN_STORE_WRITE);
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
	ok(right == rounds, "after %u of %u random batches, some abandoned, pages and all queues are as they should be",
	   right, rounds);
	ok(faults == findings.unqueued && faults == count_awaited(model),
	   "a check finds no fault but that %u hosts, whom pages wait for, never get their turn", faults);
	ok(findings.pages == totals_of(store).pages, "a check counts as many pages as the store has");
	findings = check_store(store, true);
	ok(findings.repaired == faults, "a repair gives each host whom pages wait for its turn");
	findings = check_store(store, false);
	ok(!faults_of(&findings), "after a repair of turns a check finds no fault");
	prn_store_free(store);
}

/* A batch with savepoints against one that never did what was taken back. */
static void savepoints(void)
{
	struct model model[MODEL_PAGES] = { 0 }, before[MODEL_PAGES], outer[MODEL_PAGES];
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_random random;
	unsigned rounds = 60, right = 0, counted = 0, back = 0;

	make_store(place("savepoints"));
	store = open_store(place("savepoints"), PRN_STORE_WRITE);
	batch = open_batch(store);
	prn_random_seed(&random, 7, 0);
	for (unsigned i = 0; i < rounds; i++) {
		struct prn_savepoint first = prn_batch_save(batch);
		size_t changes = prn_batch_changes(batch);

		memcpy(outer, model, sizeof model);
		for (unsigned task = 0; task < 8; task++) {
			struct prn_savepoint savepoint = prn_batch_save(batch);

			memcpy(before, model, sizeof model);
			for (uint64_t n = prn_random_below(&random, 40); n; n--)
				change_one(&random, batch, model);
			if (prn_random_below(&random, 2))
				continue;
			prn_batch_restore(batch, &savepoint);
			memcpy(model, before, sizeof model);
			back++;
		}
		if (prn_random_below(&random, 6) == 0) {
			prn_batch_restore(batch, &first);
			memcpy(model, outer, sizeof model);
			counted += prn_batch_changes(batch) != changes;
		}
		if (prn_random_below(&random, 2))
			commit(batch);
		if (!prn_batch_changes(batch))
			right += store_agrees(store, model);
		else
			right++;
	}
	commit(batch);
	ok(store_agrees(store, model), "after %u changes of several that were taken back the store holds the others only", back);
	ok(right == rounds, "after every commit the store holds what was not taken back");
	ok(!counted, "a savepoint that was returned to has as many changes waiting as it had");
	prn_batch_free(batch);
	prn_store_free(store);
}

/* Whoever takes changes back after a commit in between takes back what came after the commit. */
/* An entry of a queue without its page, as no commit leaves one, is moved, and the page comes where it stood. */
static void stray_entries(void)
{
	const char *path = place("stray");
	struct prn_record page = make_page(7, 100, NEVER), other = make_page(8, 300, NEVER);
	const struct prn_place stands = { .queued = true, .queue = PRN_QUEUE_DUE, .time = 100 },
	                       later = { .queued = true, .queue = PRN_QUEUE_DUE, .time = 200 };
	unsigned char name[PRN_WAITING_KEY_BYTES];
	struct prn_change stray = { PRN_TABLE_DUE, false, { name, prn_place_key(&stands, &page.key, name) }, { "", 0 } };
	struct prn_savepoint before;
	struct prn_queued queued;
	struct prn_tables *tables;
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_view *view;
	struct prn_walk *walk;
	struct prn_digest key = page.key;

	make_store(path);
	must(!prn_tables_open(&tables, path, true, 0, NULL) && !tables->kind->write(tables, &stray, 1, NULL), "write an entry");
	prn_tables_free(tables);
	store = open_store(path, PRN_STORE_WRITE);
	batch = open_batch(store);
	before = prn_batch_save(batch);
	must(!prn_batch_move_entry(batch, &key, &stands, &later, NULL), "move an entry");
	ok(prn_batch_changes(batch) == 2, "an entry of a queue that is moved is two changes");
	prn_batch_restore(batch, &before);
	ok(!prn_batch_changes(batch), "a savepoint takes back that an entry was moved");
	must(!prn_batch_move_entry(batch, &key, &stands, &later, NULL), "move an entry");
	other = make_page(8, 300, NEVER);
	must(!prn_batch_put(batch, &other, NULL), "put a page");
	page = make_page(7, 100, NEVER);
	must(!prn_batch_put(batch, &page, NULL) && !prn_batch_commit(batch, NULL), "put a page and commit");
	view = open_view(store);
	must(!prn_walk_queue(&walk, view, PRN_QUEUE_DUE, INT64_MIN, NULL), "walk a queue");
	ok(prn_walk_queue_next(walk, &queued, NULL) == 1 && queued.time == 100,
	   "a page stands where it is put, though an entry of it was moved away from there");
	ok(!prn_digest_compare(&queued.key, &key), "what stands where a page is put is that page");
	ok(prn_walk_queue_next(walk, &queued, NULL) == 1 && queued.time == 200,
	   "an entry that was moved stands where it was moved to");
	ok(prn_walk_queue_next(walk, &queued, NULL) == 1 && queued.time == 300,
	   "another page stands in the queue behind an entry that was moved");
	ok(!prn_walk_queue_next(walk, &queued, NULL), "a queue in which an entry was moved ends after its last page");
	prn_walk_free(walk);
	prn_view_close(view);
	prn_batch_free(batch);
	prn_store_free(store);
}

/* A page that is not there is asked for just before another, which is there, is put. */
static void missed(void)
{
	const char *path = place("missed");
	struct prn_record page = make_page(7, 100, NEVER), other = make_page(8, 100, NEVER), got;
	struct prn_digest key = page.key;
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_queued queued;
	struct prn_view *view;
	struct prn_walk *walk;

	make_store(path);
	store = open_store(path, PRN_STORE_WRITE);
	batch = open_batch(store);
	page = make_page(7, 100, NEVER);
	must(!prn_batch_put(batch, &page, NULL) && !prn_batch_commit(batch, NULL), "put a page and commit");
	other = make_page(8, 100, NEVER);
	ok(prn_batch_get(batch, &other.key, &got, NULL) == PRN_E_NOT_FOUND, "a page that is not there is not found");
	page = make_page(7, 200, NEVER);
	must(!prn_batch_put(batch, &page, NULL) && !prn_batch_commit(batch, NULL), "put a page and commit");
	view = open_view(store);
	must(!prn_walk_queue(&walk, view, PRN_QUEUE_DUE, INT64_MIN, NULL), "walk a queue");
	ok(prn_walk_queue_next(walk, &queued, NULL) == 1 && queued.time == 200,
	   "a page that is put again stands where it was put last, whatever was not found before");
	ok(!prn_digest_compare(&queued.key, &key), "what stands where a page was put again is that page");
	ok(!prn_walk_queue_next(walk, &queued, NULL),
	   "a page that is put again stands in its queue once, whatever was not found before");
	prn_walk_free(walk);
	prn_view_close(view);
	prn_batch_free(batch);
	prn_store_free(store);
}

static void savepoint_and_commit(void)
{
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_savepoint savepoint;
	struct prn_record got;
	const void *bytes;
	size_t count;

	make_store(place("passed"));
	store = open_store(place("passed"), PRN_STORE_WRITE);
	batch = open_batch(store);
	put_page(batch, 1, 1, NEVER);
	savepoint = prn_batch_save(batch);
	put_page(batch, 2, 2, NEVER);
	commit(batch);
	put_page(batch, 3, 3, NEVER);
	must(!prn_batch_side_put(batch, PRN_SIDE_HOSTS, "h", 1, "x", 1, NULL), "put");
	prn_batch_restore(batch, &savepoint);
	ok(prn_batch_changes(batch) == 0, "a savepoint from before a commit takes back what came after the commit");
	ok(!prn_batch_get(batch, &(struct prn_digest){ make_page(2, 0, 0).key.high, make_page(2, 0, 0).key.low }, &got, NULL),
	   "what was committed after a savepoint stays when the savepoint is returned to");
	ok(prn_batch_side(batch, PRN_SIDE_HOSTS, "h", 1, &bytes, &count, NULL) == PRN_E_NOT_FOUND,
	   "a savepoint from before a commit takes back bytes under a name too");
	prn_batch_free(batch);
	prn_store_free(store);
}

#define ASKED 200

static void many_at_once(void)
{
	struct prn_store *store;
	struct prn_digest keys[ASKED];
	struct prn_record got[ASKED], page;
	struct prn_view *view;
	unsigned right = 0;

	make_store(place("asked"));
	store = open_store(place("asked"), PRN_STORE_WRITE);
	fill_store(store, 0, ASKED / 2);
	view = open_view(store);
	for (unsigned i = 0; i < ASKED; i++)
		keys[i] = make_page((i * 7) % ASKED, 0, 0).key;
	must(!prn_view_get_many(view, keys, ASKED, got, NULL), "get many");
	for (unsigned i = 0; i < ASKED; i++) {
		unsigned number = (i * 7) % ASKED;

		page = make_page(number, number, NEVER);
		right += number < ASKED / 2 ? got[i].url && same_record(&got[i], &page) : !got[i].url;
	}
	ok(right == ASKED, "many pages asked for at once come in the order of the question, those that are missing without URL");
	ok(!prn_view_get_many(view, keys, 0, got, NULL), "a question for no pages at once is no error");
	prn_view_close(view);
	prn_store_free(store);
}

#define LARGE 3000

/* A commit of as many pages as are sorted by their keys' first bits, and of names in which these are the same. */
static void large_commits(void)
{
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_record got;
	struct prn_view *view;
	struct prn_walk *walk;
	unsigned pages = 0, names = 0, wrong = 0;
	const void *name, *bytes;
	size_t name_bytes, count;
	char text[32], before[32] = "";

	make_store(place("large"));
	store = open_store(place("large"), PRN_STORE_WRITE);
	batch = open_batch(store);
	for (unsigned i = 0; i < LARGE; i++) {
		struct prn_record page = make_page(i, i % 7, NEVER);

		count = (size_t)snprintf(text, sizeof text, "of many names %04u", i * 7 % LARGE);
		must(!prn_batch_put(batch, &page, NULL), "put a page");
		must(!prn_batch_side_put(batch, PRN_SIDE_VALIDATORS, text, count, &i, sizeof i, NULL), "put bytes");
	}
	must(!prn_batch_commit(batch, NULL), "commit");
	view = open_view(store);
	for (unsigned i = 0; i < LARGE; i++) {
		struct prn_record page = make_page(i, i % 7, NEVER);

		pages += !prn_view_get(view, &page.key, &got, NULL) && same_record(&got, &page);
	}
	ok(pages == LARGE, "every page of a large commit is found: %u", pages);
	must(!prn_walk_side(&walk, view, PRN_SIDE_VALIDATORS, NULL), "walk");
	for (; prn_walk_side_next(walk, &name, &name_bytes, &bytes, &count, NULL) == 1; names++) {
		snprintf(text, sizeof text, "%.*s", (int)name_bytes, (const char *)name);
		wrong += strcmp(before, text) >= 0;
		memcpy(before, text, sizeof before);
	}
	ok(names == LARGE && !wrong, "names that begin alike come in order after a large commit: %u, %u of them not", names, wrong);
	prn_walk_free(walk);
	prn_view_close(view);
	prn_batch_free(batch);
	prn_store_free(store);
}

static void copies(void)
{
	struct prn_store *store = open_store(place("asked"), PRN_STORE_READ), *copy;
	struct prn_error error;

	ok(!prn_store_backup(store, place("copied"), &error), "a store is copied to another place of its engine");
	ok(prn_store_backup(store, place("copied"), &error) == PRN_E_IO,
	   "a store is not copied onto a store: %s", error.text);
	if (engine != RADOS) {
		ok(prn_store_backup(store, engine == MEMORY ? "lmdb:nowhere" : "memory:elsewhere", &error) == PRN_E_ARGUMENT,
		   "a store is not copied to a place of another engine: %s", error.text);
		ok(strstr(error.text, "prn_reshard"), "whoever copies a store to another engine is told what does so");
	}
	copy = open_store(place("copied"), PRN_STORE_WRITE);
	ok(totals_of(copy).pages == ASKED / 2, "a copy of a store has every page");
	fill_store(copy, ASKED, ASKED + 5);
	ok(totals_of(store).pages == ASKED / 2, "what is written to the copy is not in the store");
	prn_store_free(copy);
	prn_store_free(store);
}

/* Each reads, and decides by that; the second to write follows from what is no more. */
static void two_writers(void)
{
	struct prn_store *store = open_store(place("asked"), PRN_STORE_WRITE), *other = open_store(place("asked"), PRN_STORE_WRITE);
	struct prn_batch *first = open_batch(store), *second = open_batch(other);
	struct prn_record page = make_page(1, 5, NEVER), got;
	struct prn_view *reader = open_view(other);
	struct prn_error error;

	ok(prn_store_is_shared(store), "a store in a cluster may have many writers");
	must(!prn_view_get(reader, &page.key, &got, NULL) && got.due == 1, "read");
	must(!prn_batch_put(first, &page, NULL), "put");
	page.due = 6;
	must(!prn_batch_put(second, &page, NULL), "put");
	ok(!prn_batch_commit(second, &error), "of two writers the one that commits first writes");
	ok(prn_batch_commit(first, &error) == PRN_E_CONFLICT, "of two writers that read the same the second is told: %s", error.text);
	ok(prn_batch_commit(first, &error) == PRN_E_CONFLICT,
	   "a commit that met a conflict meets it again, however often it is tried: %s", error.text);
	page = make_page(2, 0, 0);
	ok(prn_view_get(reader, &page.key, &got, &error) == PRN_E_CONFLICT,
	   "a view of which the store has moved on says so: %s", error.text);
	prn_view_close(reader);
	prn_batch_abandon(first);
	page = make_page(1, 7, NEVER);
	must(!prn_batch_get(first, &page.key, &got, NULL), "read");
	ok(got.due == 6, "a batch that was abandoned reads what the other wrote");
	must(!prn_batch_put(first, &page, NULL), "put");
	ok(!prn_batch_commit(first, &error), "who decides again may write: %s", error.text);
	must(!prn_batch_get(second, &page.key, &got, NULL), "read");
	ok(got.due == 7, "what the second writer wrote is seen by the first");
	ok(check_store(store, false).pages == ASKED / 2, "two writers leave a store without faults");
	prn_batch_free(first);
	prn_batch_free(second);
	prn_store_free(store);
	prn_store_free(other);
}

static void second_writer(void)
{
	struct prn_store *store = open_store(place("asked"), PRN_STORE_WRITE), *other;
	struct prn_error error;

	ok(prn_store_open(&other, place("asked"), PRN_STORE_WRITE, 0, &error) == PRN_E_LIMIT,
	   "a store has one writer at a time: %s", error.text);
	ok(!prn_store_open(&other, place("asked"), PRN_STORE_READ, 0, &error),
	   "a reader may open a store beside its writer");
	prn_store_free(other);
	prn_store_free(store);
	ok(!prn_store_open(&other, place("asked"), PRN_STORE_WRITE, 0, &error), "when the writer is gone another may come");
	prn_store_free(other);
}

static void snapshots(void)
{
	const struct prn_digest none = { 1, 2 };
	bool shared = engine == RADOS;
	struct prn_store *store = open_store(place("model"), PRN_STORE_WRITE);
	struct prn_view *before = open_view(store), *after;
	struct prn_batch *batch = open_batch(store);
	struct prn_record page = make_page(9999, 77, NEVER), got;
	struct prn_queued entry;
	struct prn_walk *walk;

	must(prn_view_get(before, &none, &got, NULL) == PRN_E_NOT_FOUND, "ask");
	must(!prn_batch_put(batch, &page, NULL), "put");
	commit(batch);
	after = open_view(store);
	if (shared)
		ok(prn_view_get(before, &page.key, &got, NULL) == PRN_E_CONFLICT, "a view does not show what was written later");
	else
		ok(prn_view_get(before, &page.key, &got, NULL) == PRN_E_NOT_FOUND, "a view shows what was when it was opened");
	ok(!prn_view_get(after, &page.key, &got, NULL),
	   "a view that is opened after a commit shows what was committed");
	must(!prn_walk_queue(&walk, after, PRN_QUEUE_DUE, 60, NULL), "walk");
	ok(prn_walk_queue_next(walk, &entry, NULL) == 1 && entry.time == 77,
	   "a walk over a queue begins at the time asked for");
	prn_walk_free(walk);
	must(!prn_walk_pages(&walk, after, &page.key, NULL), "walk");
	ok(prn_walk_pages_next(walk, &got, NULL) == 1 && same_record(&got, &page),
	   "a walk over pages begins at the key asked for");
	prn_walk_free(walk);
	prn_view_close(before);
	prn_view_close(after);
	prn_batch_free(batch);
	prn_store_free(store);
}

static void folders(void)
{
	same(prn_store_folder("crawl/store"), "crawl/store", "an address without an engine is a folder");
	same(prn_store_folder("lmdb:./odd:name"), "./odd:name", "an address of LMDB's names the folder");
	ok(!prn_store_folder("memory:crawl"), "a store in memory has no folder");
	ok(!prn_store_folder("rados:pool/crawl"), "a store in a cluster has no folder");
	ok(prn_store_ends_with_process("memory:crawl"), "a store in memory ends with its process");
	ok(!prn_store_ends_with_process("memory"), "a store in a folder that is called memory outlasts its process");
	ok(!prn_store_ends_with_process("rados:pool/crawl"), "a store in a cluster outlasts its process");
}

static void addresses(void)
{
	char named[512];
	struct prn_store *store;
	struct prn_error error;

	snprintf(named, sizeof named, "lmdb:%s", in_scratch("named"));
	ok(!prn_store_create(named, NULL, 0, &error), "an address may name its engine");
	store = open_store(in_scratch("named"), PRN_STORE_READ);
	ok(store != NULL, "a folder without an engine's name is one of LMDB");
	prn_store_free(store);
	ok(prn_store_open(&store, "rados:", PRN_STORE_READ, 0, &error) == PRN_E_ARGUMENT,
	   "an engine's name alone names no store: %s", error.text);
	ok(prn_store_open(&store, "memory:", PRN_STORE_READ, 0, &error) == PRN_E_ARGUMENT && !strstr(error.text, "folder"),
	   "who names no memory is not asked for a folder: %s", error.text);
	ok(prn_store_open(&store, "memory:nobody", PRN_STORE_READ, 0, &error) == PRN_E_NOT_FOUND,
	   "memory that was not made is not there: %s", error.text);
}

#define THREADS 4

/* One thread of some: writes entries of its own, each by itself. */
struct writes {
	struct prn_store *store;
	_Atomic unsigned *here; /* threads that have begun: the first write of each waits for all */
	unsigned first, count;
	int code;
};

static void *write_each(void *context)
{
	struct writes *writes = context;

	++*writes->here;
	while (*writes->here < THREADS)
		;
	for (unsigned i = 0; i < writes->count && !writes->code; i++) {
		char key[32];
		int length = snprintf(key, sizeof key, "k%06u", writes->first + i);
		const struct prn_change change = { PRN_TABLE_META, false, { key, (size_t)length }, { "1", 1 } };

		writes->code = writes->store->tables->kind->write(writes->store->tables, &change, 1, NULL);
	}
	return NULL;
}

/* Shards that are opened at a time are listed in one root. */
static void threads_write(void)
{
	const char *path = place("threads");
	struct writes writes[THREADS];
	pthread_t threads[THREADS];
	struct prn_store *store;
	struct prn_view *view;
	size_t found = 0, failed = 0;
	/* The quicker a write is, the more of them it takes for two to meet. */
	const unsigned each = engine == MEMORY ? 3000 : engine == LMDB ? 100 : 20;
	_Atomic unsigned here = 0;

	must(!prn_store_create(path, NULL, 0, NULL), "make a store");
	store = open_store(path, PRN_STORE_WRITE);
	for (unsigned i = 0; i < THREADS; i++) {
		writes[i] = (struct writes){ store, &here, i * each, each, 0 };
		must(!pthread_create(&threads[i], NULL, write_each, &writes[i]), "begin a thread");
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		failed += writes[i].code != 0;
	}
	view = open_view(store);
	for (unsigned i = 0; i < THREADS * each; i++) {
		char key[32];
		const void *bytes;
		size_t count;

		snprintf(key, sizeof key, "k%06u", i);
		found += !prn_view_side(view, PRN_SIDE_META, key, strlen(key), &bytes, &count, NULL);
	}
	prn_view_close(view);
	ok(!failed && found == THREADS * each, "of %u entries that %d threads wrote at a time each is there: %zu", THREADS * each, THREADS, found);
	prn_store_free(store);
}

int main(void)
{
	make_scratch();
	cluster = getenv("PERENNIAL_RADOS");
	for (engine = LMDB; engine <= (cluster ? RADOS : MEMORY); engine++) {
		printf("# %s\n", engine == LMDB ? "on disk, by LMDB" : engine == MEMORY ? "in memory" : "in a cluster");
		making();
		records();
		refusals();
		sides();
		long_names();
		sizes();
		property();
		savepoints();
		savepoint_and_commit();
		stray_entries();
		missed();
		many_at_once();
		threads_write();
		large_commits();
		copies();
		if (engine == RADOS)
			two_writers();
		else
			second_writer();
		snapshots();
	}
	folders();
	addresses();
	return done();
}
