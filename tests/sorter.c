/* Sorting in little memory gives what qsort gives in much. */
#include "base/random.h"
#include "base/sorter.h"
#include "tap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct record {
	uint32_t key, value;
};

static int by_key(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/* What the sorter promises: by key, equal keys by bytes. */
static int by_key_and_bytes(const void *a, const void *b)
{
	int order = by_key(a, b);

	return order ? order : memcmp(a, b, sizeof(struct record));
}

static bool reads_as(struct prn_sorter *sorter, const struct record *want, size_t n)
{
	const void *record;

	if (prn_sorter_rewind(sorter, NULL))
		return false;
	for (size_t i = 0; i < n; i++)
		if (prn_sorter_next(sorter, &record, NULL) != 1 || memcmp(record, &want[i], sizeof *want) != 0)
			return false;
	return prn_sorter_next(sorter, &record, NULL) == 0 && prn_sorter_next(sorter, &record, NULL) == 0;
}

static void sorts(size_t n, size_t memory_bytes, uint32_t keys)
{
	struct record *records = calloc(n + 1, sizeof *records);
	struct prn_sorter *sorter;
	struct prn_random random;
	bool added = true;

	prn_random_seed(&random, n, memory_bytes);
	if (prn_sorter_open(&sorter, sizeof *records, memory_bytes, NULL, by_key, NULL))
		abort();
	for (size_t i = 0; i < n; i++) {
		records[i] = (struct record){ (uint32_t)prn_random_below(&random, keys), (uint32_t)prn_random_below(&random, 50) };
		added &= !prn_sorter_add(sorter, &records[i], NULL);
	}
	qsort(records, n, sizeof *records, by_key_and_bytes);
	ok(added && prn_sorter_count(sorter) == n,
	   "%zu records of %u keys are taken in %zu bytes of memory", n, keys, memory_bytes);
	ok(reads_as(sorter, records, n),
	   "%zu records of %u keys in %zu bytes of memory come as qsort orders them", n, keys, memory_bytes);
	ok(reads_as(sorter, records, n),
	   "%zu records of %u keys in %zu bytes of memory come in the same order after a rewind", n, keys,
	   memory_bytes);
	prn_sorter_free(sorter);
	free(records);
}

static void no_folder(void)
{
	struct record record = { 1, 2 };
	struct prn_sorter *sorter;
	struct prn_error error = { 0 };
	int failed = 0;

	if (prn_sorter_open(&sorter, sizeof record, 16, "/no/such/folder", by_key, &error))
		abort();
	for (int i = 0; i < 3 && !failed; i++)
		failed = prn_sorter_add(sorter, &record, &error);
	ok(failed == PRN_E_IO && strstr(error.text, "/no/such/folder"),
	   "a sorter that has no room to spill fails: %s", error.text);
	prn_sorter_free(sorter);
}

/* The file of the runs is as long as it was, and nothing in it can be read any more: another stands in the place of its descriptor. */
static void lost_file(void)
{
	int first = open("/dev/null", O_RDONLY), codes[3], got = 0, closed;
	struct prn_sorter *sorter;
	struct prn_error error = { 0 };
	const void *record;

	close(first);
	if (prn_sorter_open(&sorter, sizeof(struct record), 16, ".", by_key, &error))
		abort();
	for (unsigned i = 0; i < 64; i++)
		if (prn_sorter_add(sorter, &(struct record){ i * 7919 % 64, i }, &error))
			abort();
	if (prn_sorter_rewind(sorter, &error) || prn_sorter_next(sorter, &record, &error) != 1)
		abort();
	closed = open("/dev/null", O_RDONLY);
	if (closed < 0 || dup2(closed, first) != first)
		abort();
	while ((got = prn_sorter_next(sorter, &record, &error)) == 1)
		;
	for (unsigned i = 0; i < 3; i++)
		codes[i] = prn_sorter_next(sorter, &record, &error);
	ok(got == PRN_E_IO, "runs that cannot be read any more are an error: %d", got);
	for (unsigned i = 0; i < 3; i++)
		ok(codes[i] == got, "runs that could not be read stay an error: %d", codes[i]);
	close(closed);
	prn_sorter_free(sorter);
}

int main(void)
{
	static const size_t counts[] = { 0, 1, 2, 3, 1000, 20000 }, memories[] = { 0, 100, 4096, 1 << 20 };

	for (size_t i = 0; i < 6; i++)
		for (size_t j = 0; j < 4; j++)
			sorts(counts[i], memories[j], j % 2 ? UINT32_MAX : 40);
	no_folder();
	lost_file();
	prn_sorter_free(NULL);
	return done();
}
