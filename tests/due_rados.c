/* What is due, looked at in a cluster (in memory) to which another writes meanwhile. */
#include "fixture.h"
#include "librados.h"

#include "perennial/due.h"

#define HOSTS 100
#define NOW ((int64_t)2000)

/* Another writes to every object before these operations of a call: the number at, or each of them. */
static struct {
	size_t at, asked, written;
	bool each;
} other;

static void before_operation(void)
{
	if (++other.asked != other.at && !other.each)
		return;
	other.written++;
	cluster.version++;
	for (size_t i = 0; i < cluster.count; i++)
		cluster.objects[i].version = cluster.version;
}

static void create(const char *path, unsigned shards)
{
	const struct prn_decider_settings settings = { .shards = shards };
	struct prn_decider *decider;
	enum prn_added added;
	char url[64];

	must(!prn_decider_create(path, &settings, NULL) && !prn_decider_open(&decider, path, PRN_STORE_WRITE, NULL, NULL), "create a store");
	for (int i = 0; i < HOSTS; i++) {
		snprintf(url, sizeof url, "http://h%d.example/", i);
		must(!prn_decider_add(decider, url, 0, 1000, &added, NULL), "add a page");
	}
	must(!prn_decider_commit(decider, NULL), "commit");
	prn_decider_free(decider);
}

/* Whether a look tells of every page. */
static bool sees_all(struct prn_decider *decider)
{
	const struct prn_due_request request = { .now = NOW, .limit = 2 * HOSTS };
	struct prn_error error = { 0 };
	static unsigned told;
	struct prn_due_list list;
	size_t count;
	int code;

	prn_due_list_init(&list);
	other.asked = other.written = 0;
	cluster_before = before_operation;
	code = prn_decider_due(decider, &request, &list, &error);
	cluster_before = NULL;
	count = list.count;
	prn_due_list_release(&list);
	if ((code || count != HOSTS) && !told++)
		printf("# before operation %zu of %zu: %d, %zu pages %s\n", other.at, other.asked, code, count, error.text);
	return !code && count == HOSTS;
}

/* Another comes once before each operation of a look in turn, and then between any two. */
static void looks(const char *path, unsigned shards, const char *who)
{
	struct prn_decider *decider;
	bool sees = true;
	size_t between = 0;

	create(path, shards);
	must(!prn_decider_open(&decider, path, PRN_STORE_READ, NULL, NULL), "open for reading");
	other.each = false;
	other.at = 0;
	do {
		other.at++;
		sees &= sees_all(decider);
		between += other.written;
	} while (other.written);
	ok(sees && between > 1, "%s without a lease tells all that is due, wherever another writes once: %zu places", who, between);
	other.each = true;
	sees = sees_all(decider);
	ok(sees && other.written > 2, "%s without a lease tells all that is due, while another writes between any two operations: %zu times", who,
	   other.written);
	prn_decider_free(decider);
}

static bool is_counting; /* and nobody comes between */

static void count_operation(void)
{
	if (is_counting)
		__atomic_add_fetch(&other.asked, 1, __ATOMIC_RELAXED);
}

/* How many pages a call with a lease hands out, and how many operations it takes. */
static size_t hand_out(struct prn_decider *decider, int64_t now, int64_t *next, size_t *operations)
{
	const struct prn_due_request request = { .now = now, .limit = 100, .lease_s = 80000 };
	struct prn_due_list list;
	size_t count;

	prn_due_list_init(&list);
	other.asked = 0;
	is_counting = true;
	must(!prn_decider_due(decider, &request, &list, NULL), "ask for pages");
	is_counting = false;
	count = list.count;
	*next = list.next;
	*operations = other.asked;
	prn_due_list_release(&list);
	return count;
}

static void add_another(struct prn_decider *decider, unsigned number)
{
	enum prn_added added;
	char url[64];

	snprintf(url, sizeof url, "http://n%u.example/", number);
	must(!prn_decider_add(decider, url, 0, 1000, &added, NULL) && !prn_decider_commit(decider, NULL), "add a page");
}

/*
 * Another process adds a page to one of many shards, or has one of its pages come back, where this one has just been told that
 * nothing is due: the next call has it.
 */
static void test_added_elsewhere(void)
{
	const char *path = "rados:pool/many?conf=none";
	const unsigned shards = 256;
	struct prn_decider *decider, *adder;
	size_t operations, empty = 0, most = 0;
	int64_t now = NOW, next;
	unsigned found = 0, total = 0, late = 0;

	create(path, shards);
	must(!prn_decider_open(&decider, path, PRN_STORE_WRITE, NULL, NULL) && !prn_decider_open(&adder, path, PRN_STORE_WRITE, NULL, NULL), "open");
	for (unsigned i = 0; i < 400; i++)
		add_another(adder, 1000 + i);
	cluster_before = count_operation;
	for (unsigned i = 0; i < 40 && empty < 2; i++) {
		size_t count = hand_out(decider, now++, &next, &operations);

		total += (unsigned)count;
		empty = count ? 0 : empty + 1;
	}
	ok(total == HOSTS + 400, "all pages are handed out before a list is empty: %u", total);
	for (unsigned i = 0; i < 8; i++) {
		add_another(adder, i);
		found += hand_out(decider, now++, &next, &operations) == 1;
		hand_out(decider, now++, &next, &operations);
		must(next == PRN_TIME_UNKNOWN, "nothing will be due");
		most = operations > most ? operations : most;
	}
	ok(found == 8, "a page that another process adds to one of %u shards is handed out by the next call: %u of 8", shards, found);
	ok(most <= shards + 40, "a call with nothing to hand out takes an operation of each shard, and some more: %zu", most);
	for (unsigned i = 8; i < 16; i++)
		add_another(adder, i);
	/* Who sleeps until next after a list that was not full is not to miss what is due elsewhere. */
	for (unsigned i = 0; i < 8 && found < 16; i++) {
		found += (unsigned)hand_out(decider, now, &next, &operations);
		late += found < 16 && (next == PRN_TIME_UNKNOWN || next > ++now);
	}
	ok(!late && found == 16, "a list that is not full, and for which not all shards were looked at, says that there may be more: %u did not", late);
	cluster_before = NULL;
	prn_decider_free(adder);
	prn_decider_free(decider);
}

int main(void)
{
	make_scratch();
	looks("rados:pool/due?conf=none", 0, "due");
	looks("rados:pool/spread?conf=none", 4, "due of several shards");
	test_added_elsewhere();
	cluster_release();
	return done();
}
