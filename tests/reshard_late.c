/*
 * A store of a cluster that is written to while it is spread anew, before each operation of that in turn: what was written before the new
 * store stood is in it, or it does not stand.
 */
#include "perennial/reshard.h"

#include "desk.h"
#include "librados.h"

#define FROM "rados:pool/old?conf=none"
#define TO "rados:pool/new?conf=none"
#define HOSTS 4

static struct prn_error why;
static unsigned host;       /* that is written to */
static bool stood, is_used; /* the new store, when the old one was written to; whether somebody writes to it too */

static int reshard(unsigned shards, bool resume)
{
	const struct prn_reshard_options options = { .shards = shards, .resume = resume };

	why = (struct prn_error){ 0 };
	return prn_reshard(FROM, TO, &options, NULL, &why);
}

static void add_to(const char *store, const char *name, unsigned count)
{
	struct desk desk = { 0 };

	snprintf(desk.path, sizeof desk.path, "%s", store);
	prn_decider_options_init(&desk.options);
	desk.clock = INT64_MIN;
	desk_reopen(&desk);
	desk_add_pages(&desk, name, count);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_release(&desk);
}

static void make_old(unsigned shards)
{
	const struct prn_decider_settings settings = { .threshold = 0.05, .shards = shards };

	must(!prn_decider_create(FROM, &settings, NULL), "create");
	for (unsigned i = 0; i < HOSTS; i++) {
		char name[32];

		snprintf(name, sizeof name, "h%u.example", i);
		add_to(FROM, name, 2);
	}
}

static bool stands(void)
{
	return cluster_object("new")->is_there;
}

/* What a daemon does that nobody has stopped. */
static void write_late(void)
{
	char name[32];

	stood = stands();
	snprintf(name, sizeof name, "h%u.example", host);
	add_to(FROM, name, 3);
	if (is_used && stood)
		add_to(TO, "other.example", 1);
}

static size_t late_at; /* the operation before which it does; 0: it does not, or has done so */

static void come_between(void)
{
	bool is_now;

	pthread_mutex_lock(&cluster.lock);
	is_now = late_at && fault.asked + 1 >= late_at;
	if (is_now)
		late_at = 0;
	pthread_mutex_unlock(&cluster.lock);
	if (is_now)
		write_late();
}

static bool has_late_page(void)
{
	struct desk desk = { 0 };
	char url[64];
	bool has;

	snprintf(desk.path, sizeof desk.path, "%s", TO);
	prn_decider_options_init(&desk.options);
	desk_reopen(&desk);
	snprintf(url, sizeof url, "http://h%u.example/2", host);
	has = desk_look(&desk, url).known;
	desk_release(&desk);
	return has;
}

static struct {
	int lost, half, refused, after, unlike;
} told;

/* Whether so many operations were asked for. */
static bool write_before(size_t number, unsigned from, unsigned to)
{
	int code;
	bool written;

	make_old(from);
	fault.asked = 0;
	late_at = number;
	code = reshard(to, false);
	written = !late_at;
	late_at = 0;
	if (written && !code && !stood && !has_late_page())
		told.lost++;
	told.half += written && code && stands() && !is_used;
	told.refused += written && code == PRN_E_BUSY && !stands();
	told.after += written && stood && !code;
	if (written && code && code != PRN_E_BUSY) {
		printf("# before operation %zu: %s\n", number, why.text);
		told.unlike++;
	}
	cluster_release();
	return written;
}

static void test_each(unsigned from, unsigned to)
{
	size_t number = 1;

	memset(&told, 0, sizeof told);
	while (write_before(number, from, to)) {
		number++;
		host = (host + 1) % HOSTS;
	}
	ok(number > 20 && !told.lost, "%u to %u: nothing is lost that is written before any of %zu operations, unless the new store stands: %d is", from, to, number, told.lost);
	ok(told.refused > 10 && !told.half, "the new store is not there in the end where the old one was written to: %d times", told.refused);
	ok(!told.unlike, "who spreads a store that was written to meanwhile is told that");
	ok(told.after > 0, "what is written once the new store stands, and was looked at, is the old one's own: %d times", told.after);
}

/* Somebody writes to the new store as soon as it stands: what is his is not taken away. */
static void test_used(void)
{
	size_t number = 1;
	int kept = 0, told_so = 0;

	is_used = true;
	for (bool more = true; more; number++) {
		int code;

		make_old(2);
		fault.asked = 0;
		late_at = number;
		code = reshard(4, false);
		more = !late_at;
		late_at = 0;
		if (code == PRN_E_BUSY && stands()) {
			kept++;
			told_so += strstr(why.text, "stands, and lacks what was written to") != NULL;
		}
		cluster_release();
	}
	is_used = false;
	ok(kept > 0 && kept == told_so, "a store that is written to already is not taken away, and what it lacks is told: %d times", kept);
}

/* The cluster is gone from an operation on, after the new store stood: whoever goes on looks at the old one too. */
static void test_resumed(void)
{
	int written = 0, refused = 0, resumed = 0, done_with = 0;

	for (size_t number = 1;; number++) {
		int code;

		make_old(2);
		fault.asked = 0;
		fault.at = number;
		fault.count = 1000000;
		fault.answer = -ETIMEDOUT;
		code = reshard(4, false);
		fault.at = 0;
		if (!code)
			break;
		if (stands() && number % 2) {
			written++;
			add_to(FROM, "h0.example", 3);
			refused += reshard(4, true) == PRN_E_BUSY && stands() && strstr(why.text, "new?conf=none: stands, and ");
		} else if (stands()) {
			resumed++;
			done_with += !reshard(4, true) && stands() && !cluster_object("new.backup")->is_there;
		}
		cluster_release();
	}
	cluster_release();
	ok(written > 0 && written == refused, "a store that stands is not taken for finished where the old one was written to since: %d times", written);
	ok(resumed > 0 && resumed == done_with, "where it was not, all that is left is to remove the mark: %d times", resumed);
}

int main(void)
{
	make_scratch();
	cluster_before = come_between;
	test_each(2, 4);
	test_each(1, 2);
	test_each(2, 1);
	test_used();
	test_resumed();
	done();
}
