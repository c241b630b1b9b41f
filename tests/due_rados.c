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

int main(void)
{
	make_scratch();
	looks("rados:pool/due?conf=none", 0, "due");
	looks("rados:pool/spread?conf=none", 4, "due of several shards");
	cluster_release();
	return done();
}
