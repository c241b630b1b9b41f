/* An object of a cluster (in memory) that is not what it counts is put in order, while another writes and while the cluster fails. */
#include "librados.h"
#include "stores.h"

#include "store/rados_key.h"

#include <inttypes.h>

#define STORE "rados:pool/rebuilt?conf=none"
#define PAGES 40
#define SPAN 30 /* operations, at each of which something happens once: more than a repair has */

static struct prn_store *other;
static size_t comes_at; /* the operation before which the other writes; 0: never */
static unsigned next_page;

static void come_between(void)
{
	struct prn_batch *batch;

	if (!comes_at || fault.asked + 1 < comes_at)
		return;
	comes_at = 0; /* before it writes, because that is an operation too */
	batch = open_batch(other);
	put_page(batch, next_page, next_page, PRN_TIME_UNKNOWN);
	commit(batch);
	prn_batch_free(batch);
}

/* Takes the first entry of a table away, as nobody does who counts them. */
static void lose(enum prn_table table)
{
	struct cluster_entries *entries = &cluster_object("rebuilt")->entries;
	char letter = prn_rados_letter(table);
	size_t place = cluster_place(entries, &letter, 1);

	must(place < entries->count && *entries->items[place].name.data == letter, "lose an entry");
	cluster_drop(entries, place);
	cluster_object("rebuilt")->version = ++cluster.version;
}

static void gain(const char *name, const char *value)
{
	const struct cluster_bytes bytes = { (char *)(uintptr_t)name, strlen(name) }, its = { (char *)(uintptr_t)value, strlen(value) };

	cluster_put(&cluster_object("rebuilt")->entries, &bytes, &its);
	cluster_object("rebuilt")->version = ++cluster.version;
}

static struct prn_store_findings check_again(void)
{
	struct prn_store *store = open_store(STORE, PRN_STORE_READ);
	struct prn_store_findings found = check_store(store, false);

	prn_store_free(store);
	return found;
}

static bool has_page(unsigned number)
{
	struct prn_view *view = open_view(other);
	struct prn_digest key = make_page(number, 0, 0).key;
	struct prn_record record;
	bool has = !prn_view_get(view, &key, &record, NULL);

	prn_view_close(view);
	return has;
}

static void other_writes(void)
{
	size_t kept = 0, mended = 0;
	uint64_t pages = check_again().pages;

	for (size_t i = 1; i <= SPAN; i++) {
		struct prn_store_rebuilt rebuilt = { 0 };
		struct prn_store_findings found;
		struct prn_error error = { 0 };

		lose(PRN_TABLE_DUE);
		gain("p\1", "nothing");
		next_page = (unsigned)(1000 + i);
		comes_at = fault.asked + i;
		if (prn_store_rebuild(STORE, 0, &rebuilt, &error) || rebuilt.lost || rebuilt.removed != 1) {
			printf("# operation %zu: %s, %" PRIu64 " lost, %" PRIu64 " removed\n", i, error.text, rebuilt.lost, rebuilt.removed);
			break;
		}
		fault.asked += comes_at ? SPAN : 0; /* it had fewer operations */
		come_between();
		comes_at = 0;
		found = check_again();
		mended += !faults_of(&found);
		kept += has_page(next_page) && found.pages == ++pages;
	}
	ok(mended == SPAN, "an object is put in order whenever another writes to it meanwhile: %zu of %d times", mended, SPAN);
	ok(kept == SPAN, "nothing that another writes meanwhile is lost: %zu of %d times", kept, SPAN);
}

static void cluster_fails_once(void)
{
	size_t whole = 0, failed = 0;

	for (size_t i = 1; i <= SPAN; i++) {
		struct prn_store_rebuilt rebuilt;
		struct prn_store_findings found;

		lose(PRN_TABLE_DUE);
		gain("p\1", "nothing");
		fault.at = fault.asked + i;
		fault.count = 1;
		fault.answer = -EIO;
		fault.after = i % 2;
		failed += prn_store_rebuild(STORE, 0, &rebuilt, NULL) != 0;
		fault.at = 0;
		must(!prn_store_rebuild(STORE, 0, &rebuilt, NULL), "rebuild");
		found = check_again();
		whole += !faults_of(&found);
	}
	ok(failed > 2, "a repair says that the cluster failed: %zu times", failed);
	ok(whole == SPAN, "a repair that failed on its way is made by the next: %zu of %d times", whole, SPAN);
}

static void counts(void)
{
	struct prn_store_findings before = check_again(), found;
	struct prn_store_rebuilt rebuilt = { 0 };

	lose(PRN_TABLE_PAGES);
	found = check_again();
	ok(found.disordered == 2 && found.pages == before.pages - 1, "a lost page is a fault of the count and of the bytes, and the others are counted");
	ok(found.stray == 1, "the queue of an object with wrong counts is looked at all the same");
	must(!prn_store_rebuild(STORE, 0, &rebuilt, NULL), "rebuild");
	ok(rebuilt.lost == 1 && rebuilt.pages == before.pages - 1 && rebuilt.remade == 1 &&
	   !*rebuilt.kept, "a lost page is told by the repair: %" PRIu64, rebuilt.lost);
	found = check_again();
	ok(!faults_of(&found) && found.queued == before.queued - 1, "the queue entry of a lost page goes with it");
	gain("zsome", "of a newer program");
	ok(!prn_store_rebuild(STORE, 0, &rebuilt, NULL) && !rebuilt.removed, "an entry of a newer program's table stays");
	found = check_again();
	ok(!faults_of(&found), "its bytes are counted");
	gain("p\1", "nothing");
	found = check_again();
	ok(found.disordered == 1 && found.pages == before.pages - 1, "pages are counted on both sides of an entry of no table");
	must(!prn_store_rebuild(STORE, 0, &rebuilt, NULL), "rebuild");
	gain("#", "no count");
	found = check_again();
	ok(found.disordered == 1, "a wrong count of bytes is a fault");
	must(!prn_store_rebuild(STORE, 0, &rebuilt, NULL), "rebuild");
	gain("#pages", "9");
	gain("!more", "9");
	found = check_again();
	ok(found.disordered == 2, "what only begins as a count or as the mark is of no table: %" PRIu64, found.disordered);
	ok(!prn_store_rebuild(STORE, 0, &rebuilt, NULL) && rebuilt.removed == 2, "both are removed");
	found = check_again();
	ok(!faults_of(&found), "then there is no fault");
}

int main(void)
{
	struct prn_batch *batch;

	make_store(STORE);
	other = open_store(STORE, PRN_STORE_WRITE);
	batch = open_batch(other);
	for (unsigned i = 0; i < PAGES; i++)
		put_page(batch, i, i, PRN_TIME_UNKNOWN);
	commit(batch);
	prn_batch_free(batch);
	counts();
	cluster_before = come_between;
	other_writes();
	cluster_before = NULL;
	cluster_fails_once();
	prn_store_free(other);
	cluster_release();
	return done();
}
