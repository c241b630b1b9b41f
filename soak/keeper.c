/*
 * A store without a decider, for soak/kill: "keeper write STORE" reads lines "PAGE NUMBER", keeps the number in the state and
 * queue of the page, and repeats each line when it is durable.  Pages are also leased and freed, deleted and made again, so
 * that every index changes.
 */
#include "perennial/store.h"
#include "perennial/url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_MAX 400
#define LINE_BYTES 64

static int fail(const struct prn_error *error)
{
	fprintf(stderr, "keeper: %s\n", error->text);
	return 3;
}

/* The number of a page decides in which queue it is. */
static int put(struct prn_batch *batch, unsigned page, unsigned number, struct prn_error *error)
{
	char url[64], state[16 + 100];
	struct prn_record record = { .url = url, .weight = 1, .due = number, .lease = PRN_TIME_UNKNOWN,
		                     .state = (unsigned char *)state };
	int failed;

	snprintf(url, sizeof url, "http://a.example/%u", page);
	record.key = prn_url_key(url);
	memset(state, 'x', sizeof state);
	snprintf(state, 16, "%u", number);
	record.state_bytes = 16 + number % 100;
	if (number % 3 == 1)
		record.lease = (int64_t)number + 600;
	if (number % 11 == 5) {
		failed = prn_batch_delete(batch, &record.key, error);
		if (failed && failed != PRN_E_NOT_FOUND)
			return failed;
	}
	failed = prn_batch_put(batch, &record, error);
	if (!failed && number % 7 == 3)
		failed = prn_batch_side_put(batch, PRN_SIDE_HOST_SOURCES, url, strlen(url), state, 16, error);
	return failed;
}

static int write_lines(struct prn_batch *batch, struct prn_error *error)
{
	static char lines[BATCH_MAX][LINE_BYTES];
	size_t count, limit;
	unsigned page, number = 0;

	do {
		/* Batches have many sizes, so that kills find short and long commits. */
		limit = 1 + number % BATCH_MAX;
		for (count = 0; count < limit && fgets(lines[count], LINE_BYTES, stdin); count++)
			if (sscanf(lines[count], "%u %u", &page, &number) != 2 || put(batch, page, number, error))
				return -1;
		if (prn_batch_commit(batch, error))
			return -1;
		for (size_t i = 0; i < count; i++)
			fputs(lines[i], stdout);
		fflush(stdout);
	} while (count == limit);
	return 0;
}

static int keep(struct prn_store *store)
{
	struct prn_error error = { 0 };
	struct prn_batch *batch;
	int failed = prn_batch_open(&batch, store, &error);

	if (failed)
		return fail(&error);
	failed = write_lines(batch, &error);
	prn_batch_free(batch);
	return failed ? fail(&error) : 0;
}

static int print_pages(struct prn_store *store)
{
	struct prn_error error = { 0 };
	struct prn_record record;
	struct prn_walk *walk;
	struct prn_view *view;
	int got;

	if (prn_view_open(&view, store, &error))
		return fail(&error);
	if (prn_walk_pages(&walk, view, NULL, &error)) {
		prn_view_close(view);
		return fail(&error);
	}
	while ((got = prn_walk_pages_next(walk, &record, &error)) == 1)
		printf("%s %.16s\n", record.url + strlen("http://a.example/"), (const char *)record.state);
	prn_walk_free(walk);
	prn_view_close(view);
	return got ? fail(&error) : 0;
}

int main(int argc, char **argv)
{
	bool writes = argc == 3 && !strcmp(argv[1], "write");
	struct prn_store_findings found;
	struct prn_error error = { 0 };
	struct prn_store *store;
	int code;

	if (argc != 3)
		return 2;
	if (!strcmp(argv[1], "make"))
		return prn_store_create(argv[2], NULL, 0, &error) ? fail(&error) : 0;
	if (prn_store_open(&store, argv[2], writes ? PRN_STORE_WRITE : PRN_STORE_READ, 10, &error))
		return fail(&error);
	if (writes)
		code = keep(store);
	else if (!strcmp(argv[1], "read"))
		code = print_pages(store);
	else
		code = prn_store_check(store, NULL, &found, &error) ? fail(&error) : prn_store_faults(&found) > 0;
	prn_store_free(store);
	return code;
}
