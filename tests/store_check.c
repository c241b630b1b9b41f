/* What a store says when its files are not what it wrote, how a check finds and mends it, and copies. */
#include "store/host_record.h"
#include "store/record.h"
#include "store/tables.h"
#include "stores.h"

#include <lmdb.h>

#define NEVER PRN_TIME_UNKNOWN
#define PAGES 400
#define MANY 10000

static void tamper(const char *path, const struct prn_change *changes, size_t count)
{
	struct prn_tables *tables;

	must(!prn_tables_open(&tables, path, true, 0, NULL), "open tables");
	must(!tables->kind->write(tables, changes, count, NULL), "write to tables");
	prn_tables_free(tables);
}

static struct prn_bytes bytes_of(const void *data, size_t length)
{
	return (struct prn_bytes){ data, length };
}

static struct prn_store *make_full_store(const char *path)
{
	struct prn_store *store;

	make_store(path);
	store = open_store(path, PRN_STORE_WRITE);
	fill_store(store, 0, PAGES);
	return store;
}

struct heard {
	unsigned count, shares;
	double share; /* the last; never less than the one before */
	char last[PRN_ERROR_TEXT];
};

static void hear(void *context, const struct prn_error *what)
{
	struct heard *heard = context;

	heard->count++;
	strcpy(heard->last, what->text);
}

#define QUEUE_KEY_BYTES 24

/* Takes the entries of pages below some number out of the due queue, and adds one of a page that is not there. */
static void break_queue(const char *path, unsigned below)
{
	struct prn_change *changes = calloc(below + 1, sizeof *changes);
	unsigned char(*keys)[QUEUE_KEY_BYTES] = calloc(below + 1, sizeof *keys);

	must(changes && keys && below < 1 << 16, "allocate");
	for (unsigned i = 0; i <= below; i++) {
		struct prn_record page = make_page(i < below ? i : UINT16_MAX, i, NEVER);

		keys[i][0] = 0x80, keys[i][6] = (unsigned char)(i >> 8), keys[i][7] = (unsigned char)i;
		prn_key_bytes(&page.key, keys[i] + 8);
		changes[i] = (struct prn_change){ PRN_TABLE_DUE, i < below, bytes_of(keys[i], QUEUE_KEY_BYTES),
			                          bytes_of("", 0) };
	}
	tamper(path, changes, below + 1);
	free(changes);
	free(keys);
}

static void queues(void)
{
	const char *path = in_scratch("queues");
	struct prn_store *store = make_full_store(path);
	struct prn_store_findings found, mended;
	struct heard heard = { 0 };
	const struct prn_store_check_options told = { .report = hear, .context = &heard }, mending = { .repair = true };
	struct prn_error error;

	prn_store_free(store);
	break_queue(path, 150);
	store = open_store(path, PRN_STORE_READ);
	must(!prn_store_check(store, &told, &found, NULL), "check");
	ok(found.unqueued == 150, "a check finds the pages that lack in their queue");
	ok(found.stray == 1, "a check finds the entry of a queue that has no page");
	ok(found.pages == PAGES && !found.unreadable, "a check of a broken queue reads every page");
	ok(!found.repaired, "a check repairs nothing unasked");
	ok(heard.count == 101, "a check reports at most a hundred faults of a kind");
	ok(prn_store_check(store, &mending, &found, &error) == PRN_E_ARGUMENT,
	   "a store opened for reading is not repaired: %s", error.text);
	prn_store_free(store);
	store = open_store(path, PRN_STORE_WRITE);
	found = check_store(store, true);
	mended = check_store(store, false);
	ok(found.repaired == 151, "a repair mends every fault of a queue");
	ok(!faults_of(&mended), "a check after the repair of a queue finds no fault");
	ok(mended.queued == PAGES && totals_of(store).due == PAGES, "after a repair each page is in its queue and nothing else is");
	prn_store_free(store);
}

static void hear_share(void *context, double share)
{
	struct heard *heard = context;

	heard->shares += share >= heard->share && share < 1;
	heard->share = share;
}

/* More faults than are mended at a time. */
static void many_faults(void)
{
	const char *path = in_scratch("many");
	const struct prn_change changes[2] = {
		{ PRN_TABLE_DUE, false, bytes_of("short", 5), bytes_of("", 0) },
		{ PRN_TABLE_SUSPECTS, false, bytes_of("nobody's suspect", 16), bytes_of("body", 4) },
	};
	struct heard heard = { 0 };
	const struct prn_store_check_options watched = { .progress = hear_share, .context = &heard };
	struct prn_store_findings found;
	struct prn_store *store;

	make_store(path);
	store = open_store(path, PRN_STORE_WRITE);
	fill_store(store, 0, MANY);
	must(!prn_store_check(store, &watched, &found, NULL), "check");
	ok(heard.shares == 2 * MANY / 1024 && heard.share > 0.9, "a check tells its progress up to the end");
	prn_store_free(store);
	break_queue(path, MANY);
	tamper(path, changes, 2);
	store = open_store(path, PRN_STORE_WRITE);
	found = check_store(store, true);
	ok(found.unqueued == MANY && found.pages == MANY, "a check finds that the whole queue is lost");
	ok(found.stray == 2 && found.stray_sides == 1,
	   "a check finds an entry of the wrong length and a suspect without a page");
	ok(found.repaired == MANY + 3, "a repair mends more faults than are mended at a time");
	found = check_store(store, false);
	ok(!faults_of(&found) && found.queued == MANY,
	   "after the repair of a lost queue a check finds no fault and every page in it");
	prn_store_free(store);
}

static void records(void)
{
	const char *path = in_scratch("damaged");
	struct prn_store *store = make_full_store(path);
	struct prn_record page = make_page(7, 7, NEVER), got;
	struct prn_store_findings found;
	struct prn_error error = { 0 };
	unsigned char key[16], value[512];
	struct prn_bytes old;
	struct prn_view *read;
	struct prn_tables *tables;
	struct prn_view *view;
	size_t refused = 0;

	prn_store_free(store);
	prn_key_bytes(&page.key, key);
	must(!prn_tables_open(&tables, path, true, 0, NULL), "open tables");
	must(!tables->kind->view(&read, tables, NULL), "read tables");
	must(!tables->kind->get(read, PRN_TABLE_PAGES, bytes_of(key, 16), &old, NULL), "get a record");
	memcpy(value, old.data, old.length);
	tables->kind->close(read);
	prn_tables_free(tables);
	for (size_t i = 0; i < old.length; i++) {
		struct prn_change change = { PRN_TABLE_PAGES, false, bytes_of(key, 16), bytes_of(value, old.length) };

		value[i] ^= 0x10;
		tamper(path, &change, 1);
		value[i] ^= 0x10;
		store = open_store(path, PRN_STORE_READ);
		view = open_view(store);
		refused += prn_view_get(view, &page.key, &got, &error) == PRN_E_DAMAGED;
		prn_view_close(view);
		prn_store_free(store);
	}
	ok(refused == old.length, "each of %zu bytes that changed in a record is noticed: %s", refused, error.text);
	store = open_store(path, PRN_STORE_WRITE);
	found = check_store(store, true);
	ok(found.unreadable == 1 && found.repaired >= 1, "a repair takes out a page whose record is damaged");
	found = check_store(store, true);
	found = check_store(store, false);
	ok(!faults_of(&found), "after a damaged record was repaired the store has no faults");
	ok(found.pages == PAGES - 1 && found.queued == PAGES - 1,
	   "the repair of a damaged record takes out its entry in the queue, and no other page");
	prn_store_free(store);
}

/* A record that is whole, but stands under a key that is not its URL's: nobody who asks for the URL finds it. */
static void misplaced(void)
{
	const char *path = in_scratch("misplaced");
	struct prn_store *store = make_full_store(path);
	struct prn_record page = make_page(PAGES + 1, NEVER, NEVER);
	struct prn_buffer bytes = { 0 };
	struct prn_store_findings found;
	unsigned char key[16];

	prn_store_free(store);
	page.key.high ^= 1;
	prn_key_bytes(&page.key, key);
	must(!prn_record_encode(&page, &bytes, NULL), "encode a record");
	tamper(path, &(struct prn_change){ PRN_TABLE_PAGES, false, bytes_of(key, 16), bytes_of(bytes.data, bytes.length) }, 1);
	prn_buffer_release(&bytes);
	store = open_store(path, PRN_STORE_WRITE);
	found = check_store(store, true);
	ok(found.unreadable == 1 && found.pages == PAGES + 1, "a page under the key of another URL is found to be damaged");
	found = check_store(store, false);
	ok(!faults_of(&found) && found.pages == PAGES, "a repair takes out a page under the key of another URL, and no other");
	prn_store_free(store);
}

/* A page that waits in the line of a host that is not its own. */
static void waiting_elsewhere(void)
{
	const char *path = in_scratch("elsewhere");
	struct prn_store *store = make_full_store(path);
	uint64_t own = host_of(7), other = host_of(8);
	struct prn_record page = make_page(7, 7, NEVER), got;
	struct prn_store_findings found, mended;
	struct prn_batch *batch = open_batch(store);
	struct prn_queued queued;
	struct prn_view *view;
	struct prn_walk *walk;

	page.waits_for = other;
	must(!prn_batch_put(batch, &page, NULL), "put");
	page = make_page(PAGES, NEVER, 9);
	page.waits_for = other;
	must(!prn_batch_put(batch, &page, NULL), "put");
	commit(batch);
	prn_batch_free(batch);
	found = check_store(store, false);
	ok(found.unqueued == 2 && faults_of(&found) == 2, "a check finds pages that wait for a host that is not their own, each once");
	found = check_store(store, true);
	mended = check_store(store, true);
	ok(faults_of(&found) == found.repaired,
	   "a repair mends every page that waits for a host that is not its own");
	ok(!faults_of(&mended) && !mended.repaired,
	   "a page that waits for a host that is not its own is mended once, and not by every repair");
	view = open_view(store);
	page = make_page(7, 7, NEVER);
	if (ok(!prn_view_get(view, &page.key, &got, NULL),
	       "a page that waited for another host is there after a repair")) {
		ok(got.waits_for == own, "a page that waited for another host waits for its own after a repair");
		ok(got.due == 7, "a page that waited for another host is due after a repair when it was");
	}
	must(!prn_walk_waiting(&walk, view, own, NULL, NULL), "walk");
	ok(prn_walk_waiting_next(walk, own, &queued, NULL) == 1 && !prn_digest_compare(&queued.key, &page.key),
	   "a page that waited for another host stands in the line of its own after a repair");
	prn_walk_free(walk);
	prn_view_close(view);
	prn_store_free(store);
}

static struct prn_host host_in(struct prn_store *store, const char *name)
{
	struct prn_view *view = open_view(store);
	const void *bytes;
	struct prn_host host = { 0 };
	size_t count;

	must(!prn_view_side(view, PRN_SIDE_HOSTS, name, strlen(name), &bytes, &count, NULL) &&
	     !prn_host_decode(&host, bytes, count), "read a host");
	prn_view_close(view);
	return host;
}

/* What hosts count is what a host limit goes by. */
static void hosts(void)
{
	static const char *const names[] = { "h1.example", "h2.example", "h3.example" };
	unsigned char bytes[3][PRN_HOST_BYTES], turn_key[PRN_TURN_BYTES];
	const char *path = in_scratch("hosts");
	struct prn_change changes[4];
	struct prn_host records[3];
	struct prn_store_findings found, mended;
	struct prn_store *store;
	struct prn_batch *batch;

	prn_store_free(make_full_store(path));
	store = open_store(path, PRN_STORE_WRITE);
	batch = open_batch(store);
	for (unsigned i = 1; i <= 3; i++)
		put_page(batch, i, i, (int64_t)i + 600); /* one of each host's on lease */
	commit(batch);
	prn_batch_free(batch);
	prn_store_free(store);
	for (size_t i = 0; i < 3; i++) {
		prn_host_init(&records[i]);
		records[i].redirects = 5;
	}
	records[0].leased = 3; /* of which two are not there */
	records[1].leased = 1;
	records[1].turn = 50; /* that is not there, but one at 70 is */
	records[2].leased = 0; /* as for pages that were given out before there was a limit */
	for (size_t i = 0; i < 3; i++) {
		changes[i] = (struct prn_change){ PRN_TABLE_HOSTS, false, bytes_of(names[i], strlen(names[i])),
			                          bytes_of(bytes[i], prn_host_encode(&records[i], bytes[i])) };
	}
	prn_turn_key(70, host_of(2), turn_key);
	changes[3] = (struct prn_change){ PRN_TABLE_TURNS, false, bytes_of(turn_key, PRN_TURN_BYTES),
		                          bytes_of(names[1], strlen(names[1])) };
	tamper(path, changes, 4);
	store = open_store(path, PRN_STORE_WRITE);
	found = check_store(store, false);
	ok(found.miscounted == 2 && faults_of(&found) == 2,
	   "a check finds a host that counts more leases than there are, and one whose turn is not there");
	found = check_store(store, true);
	mended = check_store(store, false);
	ok(found.repaired == 2 && !faults_of(&mended), "a repair mends hosts so that the next check finds no fault");
	ok(host_in(store, names[0]).leased == 1 && host_in(store, names[0]).redirects == 5,
	   "after a repair a host counts the leases that there are, and the rest of its record stands");
	ok(host_in(store, names[1]).turn == 70, "after a repair a host's record names the turn that is there");
	ok(host_in(store, names[2]).leased == 0, "a host that counts fewer leases than there are is left as it is");
	prn_store_free(store);
}

/* A page that is on lease and whose record is damaged leaves its host with one lease less. */
static void damaged_lease(void)
{
	const char *path = in_scratch("lease");
	struct prn_store *store = make_full_store(path);
	struct prn_record page = make_page(1, 1, 600);
	unsigned char host_bytes[PRN_HOST_BYTES], key[16];
	struct prn_host host;
	size_t host_length;
	struct prn_store_findings found, mended;
	struct prn_batch *batch = open_batch(store);

	must(!prn_batch_put(batch, &page, NULL), "put");
	commit(batch);
	prn_batch_free(batch);
	prn_store_free(store);
	prn_host_init(&host);
	host.leased = 1;
	host_length = prn_host_encode(&host, host_bytes);
	prn_key_bytes(&page.key, key);
	tamper(path, (struct prn_change[]){
		{ PRN_TABLE_PAGES, false, bytes_of(key, 16), bytes_of("rubbish", 7) },
		{ PRN_TABLE_HOSTS, false, bytes_of("h1.example", 10), bytes_of(host_bytes, host_length) },
	}, 2);
	store = open_store(path, PRN_STORE_WRITE);
	found = check_store(store, true);
	mended = check_store(store, false);
	ok(found.unreadable == 1, "a repair finds a page on lease whose record is damaged");
	ok(!host_in(store, "h1.example").leased,
	   "a repair that takes out a page on lease takes its lease off its host's count");
	ok(!faults_of(&mended), "a store has no faults after a page on lease was taken out by a repair");
	prn_store_free(store);
}

static int open_code(const char *path, struct prn_error *error)
{
	struct prn_store *store;
	int failed = prn_store_open(&store, path, PRN_STORE_WRITE, 0, error);

	if (!failed)
		prn_store_free(store);
	return failed;
}

static void schemas(void)
{
	const char *path = in_scratch("schema");
	struct prn_change change = { PRN_TABLE_META, false, bytes_of("schema", 6), bytes_of("4", 1) };
	struct prn_error error;

	make_store(path);
	tamper(path, &change, 1);
	ok(open_code(path, &error) == PRN_E_VERSION, "a store of a newer schema is refused: %s", error.text);
	change.value = bytes_of("0", 1);
	tamper(path, &change, 1);
	ok(open_code(path, &error) == PRN_E_DAMAGED, "a schema that never was is refused: %s", error.text);
}

/* Takes the tables of schema 2 out of a store, and has it say that it is of schema 1. */
static void make_old(const char *path)
{
	static const char *const newer[] = { "waiting", "turns" };
	struct prn_change change = { PRN_TABLE_META, false, bytes_of("schema", 6), bytes_of("1", 1) };
	MDB_env *env;
	MDB_txn *txn;
	MDB_dbi table;

	tamper(path, &change, 1);
	must(!mdb_env_create(&env) && !mdb_env_set_maxdbs(env, PRN_TABLES) && !mdb_env_open(env, path, 0, 0666) &&
	             !mdb_txn_begin(env, NULL, 0, &txn), "open with LMDB");
	for (size_t i = 0; i < 2; i++)
		must(!mdb_dbi_open(txn, newer[i], 0, &table) && !mdb_drop(txn, table, 1), "drop a table");
	must(!mdb_txn_commit(txn), "commit");
	mdb_env_close(env);
}

static void old_stores(void)
{
	const char *path = in_scratch("old");
	struct prn_store_findings found;
	struct prn_queued queued;
	struct prn_store *store, *reader;
	struct prn_record page;
	struct prn_batch *batch;
	struct prn_walk *walk;
	struct prn_view *view;
	const void *schema;
	size_t bytes;

	prn_store_free(make_full_store(path));
	make_old(path);
	store = open_store(path, PRN_STORE_READ);
	found = check_store(store, false);
	ok(found.pages == PAGES && !faults_of(&found), "a check of a store of schema 1 finds every page and no fault");
	ok(totals_of(store).due == PAGES, "a store of schema 1 has every page in its due queue");
	ok(!totals_of(store).waiting, "no page of a store of schema 1 waits for a host");
	view = open_view(store);
	must(!prn_walk_waiting(&walk, view, host_of(7), NULL, NULL), "walk");
	ok(!prn_walk_waiting_next(walk, host_of(7), &queued, NULL),
	   "no page of a store of schema 1 is found in the line of a host");
	prn_walk_free(walk);
	must(!prn_walk_side(&walk, view, PRN_SIDE_TURNS, NULL), "walk");
	prn_walk_free(walk);
	prn_view_close(view);

	reader = store;
	store = open_store(path, PRN_STORE_WRITE);
	batch = open_batch(store);
	page = make_page(7, 7, NEVER);
	page.waits_for = host_of(7);
	must(!prn_batch_put(batch, &page, NULL), "put");
	commit(batch);
	ok(totals_of(store).due == PAGES && totals_of(store).waiting == 1,
	   "a store of schema 1 that is opened for writing takes pages that wait for their host");
	view = open_view(reader);
	ok(!prn_walk_waiting(&walk, view, host_of(7), NULL, NULL) && prn_walk_waiting_next(walk, host_of(7), &queued, NULL) == 1,
	   
	   "who reads a store of schema 1 sees the tables that a writer has since made");
	ok(totals_of(reader).due == PAGES,
	   "who reads a store of schema 1 counts all its pages as due once a writer has added one that waits");
	prn_walk_free(walk);
	prn_view_close(view);
	prn_store_free(reader);
	prn_batch_free(batch);
	prn_store_free(store);
	store = open_store(path, PRN_STORE_READ);
	view = open_view(store);
	ok(!prn_walk_waiting(&walk, view, host_of(7), NULL, NULL) && prn_walk_waiting_next(walk, host_of(7), &queued, NULL) == 1,
	   
	   "a page that waits is found when a store that was of schema 1 is opened again");
	ok(queued.time == 7, "a page that waits in a store that was of schema 1 has its time");
	prn_walk_free(walk);
	same(prn_view_side(view, PRN_SIDE_META, "schema", 6, &schema, &bytes, NULL) ? NULL : tap_text("%.*s", (int)bytes, (const char *)schema), "3",
	     
	     "a store of schema 1 that was written to has a schema that older programs refuse");
	prn_view_close(view);
	prn_store_free(store);
}

static off_t data_bytes(const char *path)
{
	struct stat about;

	must(!stat(path, &about), "look at a file");
	return about.st_size;
}

static void files(void)
{
	const char *path = in_scratch("files"), *data = in_scratch("files/data.mdb");
	struct prn_error error;
	struct prn_store *store;
	off_t length;

	make_store(path);
	store = open_store(path, PRN_STORE_WRITE);
	fill_store(store, 0, MANY);
	prn_store_free(store);
	length = data_bytes(data);
	must(!truncate(data, length / 2), "cut a file");
	ok(open_code(path, &error) == PRN_E_TRUNCATED,
	   "a store whose file was cut in half is refused: %s", error.text);
	must(!truncate(data, 100), "cut a file");
	ok(open_code(path, &error) == PRN_E_DAMAGED,
	   "a store whose file has 100 bytes left is refused: %s", error.text);
	must(!truncate(data, 0), "cut a file");
	ok(open_code(path, &error) == PRN_E_TRUNCATED, "a store whose file is empty is refused: %s", error.text);
	ok(data_bytes(data) == 0, "the empty file of a store that was refused stays empty");
	put_file("files/data.mdb", "What is this? It is a text, not a data base, though it is longer than a head.\n", 78);
	ok(open_code(path, &error) == PRN_E_DAMAGED, "a store whose file is a text is refused: %s", error.text);
	ok(open_code(in_scratch("files/data.mdb"), &error) == PRN_E_NOT_FOUND,
	   "a file in place of a store's folder is refused: %s", error.text);
}

/* LMDB leaves out pages at the end that it took and freed within one write; a writer that is killed then leaves it so. */
static void tails(void)
{
	const char *path = in_scratch("tails"), *data = in_scratch("tails/data.mdb");
	struct prn_store *store;
	struct prn_error error;
	struct prn_batch *batch;
	off_t length, page = sysconf(_SC_PAGESIZE);

	make_store(path);
	store = open_store(path, PRN_STORE_WRITE);
	fill_store(store, 0, MANY);
	batch = open_batch(store);
	for (unsigned i = 0; i < MANY; i++) {
		struct prn_digest key = make_page(i, 0, 0).key;

		must(!prn_batch_delete(batch, &key, NULL), "delete");
	}
	commit(batch);
	/* The list of what was freed leaves the end of the file when it is written again. */
	for (unsigned i = 0; i < 3; i++) {
		put_page(batch, i, i, NEVER);
		commit(batch);
	}
	prn_batch_free(batch);
	prn_store_free(store);
	length = data_bytes(data);
	must(!truncate(data, length - page), "cut a file");
	ok(prn_store_open(&store, path, PRN_STORE_READ, 0, &error) == PRN_E_TRUNCATED && data_bytes(data) == length - page,
	   "who only reads refuses a file that lacks a page at its end, and leaves it: %s", error.text);
	ok(!open_code(path, &error) && data_bytes(data) == length,
	   "a writer gives a file that lacks a page at its end its length back");
	must(!truncate(data, length - 65 * page), "cut a file");
	ok(open_code(path, &error) == PRN_E_TRUNCATED, "more pages than a write leaves out are a loss: %s", error.text);
}

static void backups(void)
{
	struct prn_store *store = make_full_store(in_scratch("live")), *copy;
	struct prn_batch *batch = open_batch(store);
	struct prn_store_findings found;
	struct prn_record page = make_page(PAGES + 5, 1, NEVER), got;
	struct prn_error error = { 0 };
	struct prn_view *view;

	must(!prn_batch_put(batch, &page, NULL), "put");
	ok(!prn_store_backup(store, in_scratch("copy"), &error), "a store in use is copied %s", error.text);
	commit(batch);
	ok(prn_store_backup(store, in_scratch("copy"), &error) == PRN_E_IO,
	   "a store in use is not copied over another: %s", error.text);
	copy = open_store(in_scratch("copy"), PRN_STORE_WRITE);
	view = open_view(copy);
	found = check_store(copy, false);
	ok(found.pages == PAGES && !faults_of(&found), "a copy of a store is whole and opens for writing");
	ok(prn_view_get(view, &page.key, &got, NULL) == PRN_E_NOT_FOUND,
	   "a copy of a store has nothing that was not committed");
	ok(totals_of(copy).bytes <= totals_of(store).bytes,
	   "a copy of a store has no more bytes than the store");
	prn_view_close(view);
	prn_store_free(copy);
	prn_batch_free(batch);
	prn_store_free(store);
}

int main(void)
{
	make_scratch();
	queues();
	many_faults();
	records();
	misplaced();
	waiting_elsewhere();
	hosts();
	damaged_lease();
	schemas();
	old_stores();
	files();
	tails();
	backups();
	return done();
}
