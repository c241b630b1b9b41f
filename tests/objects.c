/*
 * Objects of a cluster (in memory) that are not stores: those of others are neither removed nor written to, by a copy, a store that is
 * spread anew, or the removal of either; those that were begun and not finished are.  And objects with entries that no program wrote.
 */
#include "perennial/reshard.h"

#include "desk.h"
#include "librados.h"

#include "store/rados_key.h"
#include "store/shared.h"
#include "store/tables.h"

#define STORE "rados:pool/s?conf=none"
#define SHARDS 4

static struct prn_error why;

static void put_entry(const char *object, const char *name, size_t name_bytes, const char *value)
{
	struct cluster_object *to = cluster_object(object);

	cluster_put(&to->entries, &(struct cluster_bytes){ (char *)name, name_bytes }, &(struct cluster_bytes){ (char *)value, strlen(value) });
	to->is_there = true;
	to->version = ++cluster.version;
}

static bool has_entry(const char *object, const char *name, size_t name_bytes)
{
	const struct cluster_entries *entries = &cluster_object(object)->entries;

	return cluster_has(entries, cluster_place(entries, name, name_bytes), name, name_bytes);
}

/* What others keep in a cluster. */
enum kept { BYTES, ENTRY, OUR_ENTRY, ATTRIBUTE, NOTHING, BYTES_TOO, ENTRY_TOO, LONG_ENTRY_TOO, ATTRIBUTE_TOO, KEPT };

static const char *const what_kept[] = { "bytes", "an entry", "an entry that a store could have", "an attribute", "nothing", "bytes beside what was begun",
	                                 "an entry beside what was begun", "a long entry beside what was begun", "an attribute beside what was begun" };

static void put_kept(const char *name, enum kept kept)
{
	static const char begun[] = PRN_RADOS_BEGUN;
	char long_name[2000];
	struct cluster_object *object = cluster_object(name);

	object->is_there = true;
	object->version = ++cluster.version;
	memset(long_name, 'p', sizeof long_name);
	if (kept >= BYTES_TOO)
		put_entry(name, begun, strlen(begun), PRN_RADOS_BEGUN_VALUE);
	if (kept == BYTES || kept == BYTES_TOO)
		object->data_bytes = 7;
	if (kept == ATTRIBUTE || kept == ATTRIBUTE_TOO)
		object->attribute = "precious";
	if (kept == ENTRY || kept == ENTRY_TOO)
		put_entry(name, "Precious", 8, "text");
	if (kept == OUR_ENTRY)
		put_entry(name, "p123", 4, "text");
	if (kept == LONG_ENTRY_TOO)
		put_entry(name, long_name, sizeof long_name, "text");
}

/* Whether the object is as put_kept left it at that version. */
static bool is_kept(const char *name, uint64_t version)
{
	return cluster_object(name)->is_there && cluster_object(name)->version == version;
}

/* What is told of an object that stays names it, and says what to do. */
static bool tells(const char *name)
{
	char object[64], command[64];

	snprintf(object, sizeof object, "rados:pool/%s: ", name);
	snprintf(command, sizeof command, "rados -p pool rm %s", name);
	if (strstr(why.text, object) && strstr(why.text, command))
		return true;
	printf("# told: %s\n", why.text);
	return false;
}

static void make_store(void)
{
	struct desk desk = { 0 };
	const struct prn_decider_settings settings = { .threshold = 0.05, .shards = SHARDS };

	snprintf(desk.path, sizeof desk.path, STORE);
	prn_decider_options_init(&desk.options);
	desk.clock = INT64_MIN;
	must(!prn_decider_create(STORE, &settings, NULL), "create");
	desk_reopen(&desk);
	for (unsigned i = 0; i < 32 * SHARDS; i++) {
		char host[32];

		snprintf(host, sizeof host, "h%u.example", i);
		desk_add_pages(&desk, host, 1);
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_release(&desk);
}

static int backup(const char *to, bool resume)
{
	struct prn_store *store;
	int code;

	why = (struct prn_error){ 0 };
	must(!prn_store_open(&store, STORE, PRN_STORE_READ, 0, NULL), "open");
	code = resume ? prn_store_backup_resume(store, to, &why) : prn_store_backup(store, to, &why);
	prn_store_free(store);
	return code;
}

static int reshard(const char *to, unsigned shards, bool resume)
{
	const struct prn_reshard_options options = { .shards = shards, .resume = resume };

	why = (struct prn_error){ 0 };
	return prn_reshard(STORE, to, &options, NULL, &why);
}

static int discard(const char *to)
{
	struct prn_store_discarded done;

	why = (struct prn_error){ 0 };
	return prn_store_backup_discard(to, &done, &why);
}

/* Where a store, or a part of one, is to stand: whatever is done ends with an error that names the object, which stays. */
static void test_kept(const char *at, enum kept kept, bool spreads)
{
	const char *to = spreads ? "rados:pool/r?conf=none" : "rados:pool/b?conf=none";
	uint64_t version;
	int code;

	make_store();
	put_kept(at, kept);
	version = cluster_object(at)->version;
	code = spreads ? reshard(to, 32, false) : backup(to, false);
	ok(code && is_kept(at, version) && tells(at), "%s at %s stays, and is told", what_kept[kept], at);
	code = spreads ? reshard(to, 32, true) : backup(to, true);
	ok(code && is_kept(at, version) && tells(at), "so it does for who goes on with it");
	if (!cluster_object(spreads ? "r.backup" : "b.backup")->is_there) {
		cluster_release();
		return;
	}
	code = discard(to);
	ok(code && is_kept(at, version) && tells(at), "and for who removes what was begun");
	cluster_release();
}

/* As prn_rados_make leaves it that was cut off. */
static void put_begun(const char *name)
{
	put_entry(name, PRN_RADOS_BEGUN, 1, PRN_RADOS_BEGUN_VALUE);
	put_entry(name, "p123", 4, "half");
}

static void test_begun(void)
{
	make_store();
	put_begun("b");
	ok(!backup("rados:pool/b?conf=none", false) && has_entry("b", PRN_RADOS_MARK, 1) && !has_entry("b", PRN_RADOS_BEGUN, 1),
	   "a copy takes the place of what was begun and not finished");
	put_begun("b.3");
	put_begun("c.3");
	ok(!backup("rados:pool/c?conf=none", false) && has_entry("c.3", PRN_RADOS_MARK, 1) && !has_entry("c.3", "p123", 4), "so does its shard");
	put_begun("r");
	put_begun("r.20");
	ok(!reshard("rados:pool/r?conf=none", 32, false) && has_entry("r", PRN_RADOS_MARK, 1) && has_entry("r.20", PRN_RADOS_MARK, 1),
	   "so does a store that is spread anew, and its shard");
	put_kept("d.1", ENTRY);
	must(backup("rados:pool/d?conf=none", false), "be refused");
	put_begun("d.2");
	cluster_object("d.1")->is_there = false;
	cluster_clear(&cluster_object("d.1")->entries);
	ok(!discard("rados:pool/d?conf=none") && !cluster_object("d.2")->is_there && !cluster_object("d.backup")->is_there,
	   "what was begun of a copy is removed with it");
	put_begun("e");
	ok(prn_store_create("rados:pool/e?conf=none", NULL, 0, &why) == PRN_E_IO && strstr(why.text, "cut off") && has_entry("e", "p123", 4),
	   "a store is not made where another may be being made: %s", why.text);
	cluster_release();
}

/* A store so large that it is made in several portions, of which one fails. */
static int make_large(const char *place)
{
	enum { ENTRIES = 40, BYTES_EACH = 1000000 };
	static char keys[ENTRIES][8], *bytes;
	static struct prn_change changes[ENTRIES];
	int code;

	bytes = calloc(1, BYTES_EACH);
	must(bytes != NULL, "allocate");
	for (size_t i = 0; i < ENTRIES; i++) {
		snprintf(keys[i], sizeof keys[i], "k%04zu", i);
		changes[i] = (struct prn_change){ PRN_TABLE_META, false, { keys[i], 5 }, { bytes, BYTES_EACH } };
	}
	why = (struct prn_error){ 0 };
	code = prn_tables_rados.create(place, changes, ENTRIES, &why);
	free(bytes);
	return code;
}

static bool was_marked_begun;

static void look_between(void)
{
	was_marked_begun |= has_entry("large", PRN_RADOS_BEGUN, 1) && !has_entry("large", PRN_RADOS_MARK, 1);
}

static void fail_at(size_t at, bool after)
{
	fault.asked = 0;
	fault.at = at;
	fault.count = 1;
	fault.answer = -ETIMEDOUT;
	fault.after = after;
}

static void test_cut_off(void)
{
	cluster_before = look_between;
	ok(!make_large("pool/large?conf=none") && was_marked_begun && !has_entry("large", PRN_RADOS_BEGUN, 1), "what is being made says so until it is whole");
	cluster_before = NULL;
	cluster_release();
	for (size_t at = 2; at <= 3; at++) {
		fail_at(at, false);
		ok(make_large("pool/large?conf=none") == PRN_E_BUSY && !cluster_object("large")->is_there, "nothing is there after portion %zu failed", at);
		fault.at = 0;
		ok(!make_large("pool/large?conf=none"), "and it can be made at once: %s", why.text);
		cluster_release();
	}
	fail_at(2, true);
	ok(make_large("pool/large?conf=none") == PRN_E_BUSY, "a portion may be written though no answer came");
	fault.at = 0;
	fault.after = false;
	if (cluster_object("large")->is_there)
		ok(make_large("pool/large?conf=none") == PRN_E_IO && strstr(why.text, "cut off"), "what stays then says what it is: %s", why.text);
	cluster_release();
}

static int read_through(struct prn_store *store, bool frozen)
{
	struct prn_record record;
	struct prn_view *view;
	struct prn_walk *walk = NULL;
	int got = 1, code;

	must(!prn_view_open(&view, store, NULL), "open a view");
	code = frozen ? prn_view_freeze(view, &why) : 0;
	if (!code)
		code = prn_walk_pages(&walk, view, NULL, &why);
	while (!code && (got = prn_walk_pages_next(walk, &record, &why)) == 1)
		;
	prn_walk_free(walk);
	prn_view_close(view);
	return code ? code : got;
}

static void test_strange(const char *what, const char *name, size_t name_bytes, size_t entries)
{
	struct prn_store_findings findings;
	struct prn_store *store;
	char numbered[20000];

	must(!prn_store_create(STORE, NULL, 0, NULL) && !prn_store_open(&store, STORE, PRN_STORE_READ, 0, NULL), "make a store");
	memcpy(numbered, name, name_bytes);
	for (size_t i = 0; i < entries; i++) {
		if (entries > 1)
			snprintf(numbered + 2, 9, "%08zu", i);
		put_entry("s", numbered, name_bytes, "x");
	}
	why = (struct prn_error){ 0 };
	ok(prn_store_check(store, NULL, &findings, &why) == PRN_E_DAMAGED && strstr(why.text, "pool/s") && strstr(why.text, "name"),
	   "an entry whose name is %s is told by a check: %s", what, why.text);
	ok(read_through(store, true) == PRN_E_DAMAGED, "and by a view of all entries");
	ok(read_through(store, false) == PRN_E_DAMAGED, "and by a walk");
	prn_store_free(store);
	cluster_release();
}

/* Another client, which is done with it. */
static void remove_mark(void)
{
	struct cluster_object *mark = cluster_object("s");

	mark->is_there = false;
	cluster_clear(&mark->entries);
}

/* What reading a store through comes to that says it has so many shards. */
static int read_shards(const char *text)
{
	struct prn_store *store;
	struct prn_store_totals totals;
	int code;

	must(!prn_store_create(STORE, NULL, 0, NULL), "make a store");
	put_entry("s", "mshards", 7, text);
	must(!prn_store_open(&store, STORE, PRN_STORE_READ, 0, NULL), "open it");
	why = (struct prn_error){ 0 };
	code = prn_store_totals(store, &totals, &why);
	prn_store_free(store);
	cluster_release();
	return code;
}

static void test_hold(void)
{
	struct prn_tables *tables;

	must(!prn_store_create(STORE, NULL, 0, NULL) && !prn_tables_open(&tables, STORE, true, 0, NULL), "make a store");
	cluster_before_lock = remove_mark;
	ok(tables->kind->hold(tables, &why) == PRN_E_NOT_FOUND && !cluster_object("s")->is_there, "who holds what another has just removed makes nothing there");
	cluster_before_lock = NULL;
	prn_tables_free(tables);
	cluster_release();
}

static void test_short(void)
{
	struct prn_tables *tables;
	struct prn_view *view;
	struct prn_bytes value;

	must(!prn_store_create(STORE, NULL, 0, NULL) && !prn_tables_open(&tables, STORE, false, 0, NULL), "make a store");
	why = (struct prn_error){ 0 };
	must(!tables->kind->view(&view, tables, NULL), "open a view");
	fail_at(1, false);
	must(tables->kind->get(view, PRN_TABLE_META, (struct prn_bytes){ "schema", 6 }, &value, NULL) == PRN_E_BUSY, "be left without an answer");
	fault.at = 0;
	cluster_is_short = true;
	must(tables->kind->get(view, PRN_TABLE_META, (struct prn_bytes){ "schema", 6 }, &value, NULL) == PRN_E_BUSY, "be short of memory for a probe");
	cluster_is_short = false;
	ok(!tables->kind->get(view, PRN_TABLE_META, (struct prn_bytes){ "schema", 6 }, &value, &why), "who was short of memory once asks again: %s", why.text);
	tables->kind->close(view);
	prn_tables_free(tables);
	cluster_release();
}

int main(void)
{
	static char name[20000];

	make_scratch();
	for (enum kept kept = 0; kept < KEPT; kept++) {
		test_kept("b", kept, false);
		test_kept("b.3", kept, false);
		test_kept("r", kept, true);
		test_kept("r.20", kept, true);
	}
	test_begun();
	test_cut_off();
	memset(name, 'p', sizeof name);
	test_strange("too long", name, sizeof name, 1);
	name[1] = 0;
	test_strange("broken by a byte 0", name, 10, 3000);
	test_hold();
	test_short();
	ok(read_shards("64abc") == PRN_E_DAMAGED, "a number of shards that is none is told: %s", why.text);
	done();
}
