/* What a connection to a cluster (in memory) does with operations that are not answered in time: who waits, and who does not. */
#include "fixture.h"
#include "librados.h"

#include "store/rados_internal.h"

#include <xxhash.h>

#define OBJECTS 12

static struct prn_rados *objects[OBJECTS]; /* the first has the connection */

static void begin(void)
{
	for (int i = 0; i < OBJECTS; i++) {
		char place[32];

		snprintf(place, sizeof place, "pool/o%d", i);
		if (!i)
			must(!prn_rados_connect(&objects[0], place, NULL), "connect");
		else
			must(!prn_rados_beside(&objects[i], objects[0], place, NULL), "open an object");
		cluster_object(place + strlen("pool/"))->is_there = true;
	}
	cluster_waited = 0;
}

static void end(void)
{
	cluster_silent = NULL;
	cluster_while_waiting = NULL;
	for (int i = OBJECTS; i--;)
		prn_rados_free(&objects[i]->head);
}

static int reads(int i)
{
	rados_read_op_t operation = objects[i]->cluster->library.create_read_op();
	uint64_t size, version;
	time_t time;
	int answer, of_size;

	objects[i]->cluster->library.read_op_stat(operation, &size, &time, &of_size);
	answer = prn_rados_read(objects[i], operation, &version);
	objects[i]->cluster->library.release_read_op(operation);
	return answer;
}

static int writes(int i)
{
	const char *name = "name", *value = "value";
	const size_t lengths[] = { strlen(name), strlen(value) };
	rados_write_op_t operation = objects[i]->cluster->library.create_write_op();
	uint64_t version;

	objects[i]->cluster->library.write_op_omap_set2(operation, &name, &value, &lengths[0], &lengths[1], 1);
	return prn_rados_write_take(objects[i], operation, &version);
}

static const struct operation {
	const char *name;
	int (*operate)(int i), (*other)(int i);
} operations[] = { { "reads", reads, writes }, { "writes", writes, reads } };

static const struct operation *tried;
static int answers[2];

static void ask_others(void)
{
	answers[0] = tried->operate(1);
	answers[1] = tried->operate(2);
}

static void test_one(const struct operation *kind)
{
	size_t probed;

	begin();
	tried = kind;
	cluster_silent = "o5";
	cluster_while_waiting = ask_others;
	answers[0] = answers[1] = 1;
	ok(kind->operate(5) == -ETIMEDOUT && cluster_waited == 1, "%s: an object that is silent is waited for", kind->name);
	ok(!answers[0] && !answers[1], "%s: meanwhile others are answered", kind->name);
	cluster_silent = "o7";
	answers[0] = answers[1] = 1;
	ok(kind->operate(7) == -ETIMEDOUT && !answers[0] && !answers[1], "%s: and again while a second one is waited for", kind->name);
	cluster_silent = "o5";
	cluster_waited = 1;
	cluster_while_waiting = NULL;
	ok(kind->operate(5) == -ETIMEDOUT && kind->operate(5) == -ETIMEDOUT && cluster_waited == 1, "%s: afterwards nobody waits for it", kind->name);
	probed = fault.asked;
	ok(kind->operate(5) == -ETIMEDOUT && fault.asked == probed, "%s: one probe is under way, and no more", kind->name);
	ok(!kind->operate(6) && cluster_waited == 1, "%s: others are answered", kind->name);
	cluster_silent = "";
	ok(kind->other(5) == -ETIMEDOUT && cluster_waited == 2, "%s: for the other kind of operation it is not known to be silent", kind->name);
	cluster_silent = NULL;
	ok(!kind->operate(5), "%s: when it answers again, nothing fails any more", kind->name);
	end();
}

/* An object that comes back when no probe is under way, because its probe was given up like any operation. */
static void test_back(const struct operation *kind)
{
	begin();
	cluster_silent = "o5";
	kind->operate(5);
	cluster_silent = NULL;
	ok(!kind->operate(5), "%s: what was silent and is asked for the first time since is asked at once", kind->name);
	cluster_silent = "o5";
	ok(kind->operate(5) == -ETIMEDOUT && cluster_waited == 2, "%s: and waited for when it falls silent again", kind->name);
	end();
}

/* What is asked of a cluster that is silent as a whole while another waits fails at once, and so what is asked afterwards of the same objects. */
static void test_all(const struct operation *kind)
{
	begin();
	tried = kind;
	cluster_silent = "";
	ok(kind->operate(5) == -ETIMEDOUT && cluster_waited == 1, "%s: a silent cluster is waited for", kind->name);
	cluster_while_waiting = ask_others;
	answers[0] = answers[1] = 1;
	ok(kind->operate(6) == -ETIMEDOUT && cluster_waited == 2, "%s: then for each object anew", kind->name);
	ok(answers[0] == -ETIMEDOUT && answers[1] == -ETIMEDOUT, "%s: but meanwhile for no other", kind->name);
	cluster_while_waiting = NULL;
	cluster_silent = "o5";
	ok(!kind->operate(1), "%s: one that answers is asked though others were waited for in vain", kind->name);
	cluster_while_waiting = ask_others;
	answers[0] = answers[1] = 1;
	cluster_silent = "o7";
	ok(kind->operate(7) == -ETIMEDOUT && !answers[0] && !answers[1], "%s: after one answer the cluster is not silent", kind->name);
	end();
}

/* There are fewer probes than silent objects. */
static void test_many(const struct operation *kind)
{
	unsigned failed = 0;

	begin();
	cluster_silent = "";
	for (int i = 0; i < OBJECTS; i++)
		kind->operate(i);
	must(cluster_waited == OBJECTS, "wait for each object");
	for (int i = 0; i < 2 * OBJECTS; i++)
		failed += kind->operate(i % OBJECTS) == -ETIMEDOUT;
	ok(failed == 2 * OBJECTS && cluster_waited == OBJECTS, "%s: nobody waits for any of many objects", kind->name);
	cluster_silent = NULL;
	for (int i = OBJECTS; i--;)
		failed += kind->operate(i) != 0;
	ok(failed == 2 * OBJECTS, "%s: when they answer, all do at once", kind->name);
	end();
}

/* A connection is closed while probes are under way; a sanitizer would see what is left of them. */
static void test_closed(const struct operation *kind)
{
	begin();
	cluster_silent = "";
	for (int i = 0; i < 2 * OBJECTS; i++)
		kind->operate(i % OBJECTS);
	end();
	ok(cluster_waited == OBJECTS, "%s: a connection whose probes are under way is closed without waiting", kind->name);
}

/*
 * Two objects whose names lead to one place of what is remembered: one is waited for again, and that the other answers says nothing of
 * the first.
 */
static void test_shared_place(const struct operation *kind)
{
	char place[40] = "pool/o5", *name = place + strlen("pool/");
	uint64_t shared = XXH3_64bits("o5", 2);

	begin();
	for (unsigned i = 0; XXH3_64bits(name, strlen(name)) == shared || (XXH3_64bits(name, strlen(name)) - shared) % 4096; i++)
		snprintf(name, sizeof place - strlen("pool/"), "c%u", i);
	prn_rados_free(&objects[6]->head);
	must(!prn_rados_beside(&objects[6], objects[0], place, NULL), "open an object");
	cluster_object(name)->is_there = true;
	cluster_silent = "o5";
	kind->operate(5);
	ok(!kind->operate(6), "%s: who shares the place of a silent object is answered", kind->name);
	ok(kind->operate(5) == -ETIMEDOUT && cluster_waited == 1, "%s: and the silent one is not waited for again because of that", kind->name);
	cluster_silent = "";
	ok(kind->operate(6) == -ETIMEDOUT && cluster_waited == 2 && kind->operate(6) == -ETIMEDOUT && cluster_waited == 2,
	   "%s: when both are silent the later one is remembered", kind->name);
	end();
}

/* Without memory for an operation it fails, and is not taken for silence. */
static void test_memory(const struct operation *kind)
{
	begin();
	cluster_silent = "o5";
	kind->operate(5);
	cluster_is_short = true;
	ok(kind->operate(4) == -ENOMEM, "%s: what has no memory is told so", kind->name);
	ok(kind->operate(5) == -ETIMEDOUT && cluster_waited == 1, "%s: a probe that cannot be sent is none", kind->name);
	cluster_is_short = false;
	cluster_silent = NULL;
	ok(!kind->operate(4) && !kind->operate(5), "%s: and all go on with memory", kind->name);
	end();
}

int main(void)
{
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
		test_one(&operations[i]);
		test_back(&operations[i]);
		test_all(&operations[i]);
		test_many(&operations[i]);
		test_closed(&operations[i]);
		test_shared_place(&operations[i]);
		test_memory(&operations[i]);
	}
	cluster_release();
	return done();
}
