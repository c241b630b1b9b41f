/* Fragment sets in a file, and the bodies that they were made from. */
#include "history/links.h"
#include "history/spool.h"
#include "perennial/error.h"
#include "tap.h"

#include <stdlib.h>

#define MANY 20000
#define MEDIA 7

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	printf("Bail out! cannot %s\n", what);
	exit(1);
}

static struct prn_spool *open_spool(size_t memory_bytes)
{
	struct prn_spool *spool;

	must(!prn_spool_open(&spool, NULL, memory_bytes, NULL), "open a spool");
	return spool;
}

/* Digests are those of different bodies, which spread evenly. */
static struct prn_digest body_of(uint32_t i)
{
	return prn_digest_bytes(&i, sizeof i);
}

/* The set of a body is its number, and as many numbers after it as its last digit says. */
static struct prn_spool_set add(struct prn_spool *spool, uint32_t i)
{
	struct prn_digest body = body_of(i);
	struct prn_spool_set set;
	uint64_t hashes[10];

	for (uint32_t j = 0; j < 10; j++)
		hashes[j] = i + j;
	must(!prn_spool_add(spool, &body, MEDIA, hashes, 1 + i % 10, NULL, &set, NULL), "add a set");
	return set;
}

/* Whether a body is remembered, and its set is the one that was made from it. */
static bool recalls(struct prn_spool *spool, uint32_t i)
{
	struct prn_digest body = body_of(i);
	struct prn_spool_set set;
	uint64_t hashes[10];
	bool same = prn_spool_recall(spool, &body, MEDIA, &set) && set.count == 1 + i % 10 && !prn_spool_read(spool, &set, hashes, NULL);

	for (uint32_t j = 0; same && j < set.count; j++)
		same = hashes[j] == i + j;
	return same;
}

static void many_bodies(void)
{
	struct prn_spool *spool = open_spool((size_t)16 << 20);
	struct prn_digest body = body_of(0);
	struct prn_spool_set set;
	uint32_t recalled = 0;

	for (uint32_t i = 0; i < MANY; i++)
		add(spool, i);
	for (uint32_t i = 0; i < MANY; i++)
		recalled += recalls(spool, i);
	ok(recalled == MANY, "no body is forgotten while there is memory for more: %u of %d are remembered, with their sets", recalled, MANY);
	ok(!recalls(spool, MANY), "a body that was not added is not remembered");
	ok(!prn_spool_recall(spool, &body, MEDIA + 1, &set), "a body of another media type is another one");
	prn_spool_free(spool);
}

static void little_memory(void)
{
	struct prn_spool *spool = open_spool(1);
	struct prn_spool_set first = add(spool, 0);
	uint64_t hash;
	uint32_t recalled = 0;

	for (uint32_t i = 1; i < 5; i++)
		add(spool, i);
	for (uint32_t i = 1; i < 5; i++)
		recalled += recalls(spool, i);
	ok(recalled == 4, "the last four bodies are remembered in the least memory: %u", recalled);
	ok(!recalls(spool, 0), "the body that was added first is forgotten first");
	ok(!prn_spool_read(spool, &first, &hash, NULL) && hash == 0, "the set of a body that was forgotten is still there");
	prn_spool_free(spool);
}

static void links_behind_a_set(void)
{
	uint64_t keys[2] = { 1, 2 };
	struct prn_digest body = body_of(3);
	const struct prn_links links = { keys, 2, 0 };
	struct prn_links back = { 0 };
	struct prn_spool *spool = open_spool((size_t)1 << 20);
	struct prn_spool_set set;
	uint64_t hash = 42;

	must(!prn_spool_add(spool, &body, MEDIA, &hash, 1, &links, &set, NULL), "add a set with links");
	add(spool, 4);
	hash = 0;
	ok(!prn_spool_read(spool, &set, &hash, NULL) && hash == 42, "a set with links is read back");
	ok(!prn_spool_read_links(spool, &set, &back, NULL) && back.count == 2 && !memcmp(back.keys, keys, sizeof keys),
	   "the links of a set are read back");
	prn_links_release(&back);
	prn_spool_free(spool);
}

int main(void)
{
	many_bodies();
	little_memory();
	links_behind_a_set();
	return done();
}
