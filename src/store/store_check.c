/*
 * Each table is walked once and compared with the others.  Repairs are collected and written in portions, and
 * after each portion the walk goes on where it was: a view must not stay open while the store is written.
 */
#include "store/store_internal.h"

#include "perennial/url.h"
#include "store/turn.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPORTS_MAX 100 /* of a kind */
#define PORTION 4096    /* changes */
#define PROGRESS_EACH 1024

struct mend {
	enum prn_table table;
	bool removed;
	size_t key_bytes, value_bytes;
	unsigned char key[PRN_TABLE_KEY_BYTES], value[PRN_TABLE_KEY_BYTES];
};

struct checker {
	struct prn_store *store;
	struct prn_view *view;
	struct prn_store_check_options options;
	struct prn_store_findings findings;
	uint64_t looked, entries; /* of all tables */
	struct mend *mends; /* [PORTION], at most; two may be added for one entry */
	size_t mend_count;
	uint64_t *turns; /* [turn_count], numbers of hosts that get a turn; sorted once they are all there */
	size_t turn_count, turn_capacity;
	bool sorted;
	uint64_t waited_for; /* the last host that was found to get none */
};

static const struct prn_tables_kind *kind_of(const struct checker *checker)
{
	return checker->store->tables->kind;
}

/* Looks at one entry of a table. */
typedef int check_fn(struct checker *checker, struct prn_bytes key, struct prn_bytes value, struct prn_error *error);

__attribute__((format(printf, 3, 4))) static void report(struct checker *checker, uint64_t *kind, const char *format,
                                                         ...)
{
	struct prn_error what;
	char text[PRN_ERROR_TEXT];
	va_list list;

	++*kind;
	if (!checker->options.report || *kind > REPORTS_MAX)
		return;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	prn_error_set(&what, PRN_E_DAMAGED, "%s", text);
	checker->options.report(checker->options.context, &what);
}

/* value NULL: the key goes. */
static void mend(struct checker *checker, enum prn_table table, struct prn_bytes key, const struct prn_bytes *value)
{
	struct mend *added;

	if (!checker->options.repair)
		return;
	added = &checker->mends[checker->mend_count++];
	added->table = table;
	added->removed = !value;
	added->key_bytes = key.length;
	added->value_bytes = value ? value->length : 0;
	memcpy(added->key, key.data, key.length);
	memcpy(added->value, value ? value->data : "", added->value_bytes);
}

static const struct prn_bytes nothing_more = { "", 0 };

static int write_mends(struct checker *checker, struct prn_error *error)
{
	struct prn_change *changes = calloc(checker->mend_count, sizeof *changes);
	int failed;

	if (!changes)
		return prn_error_memory(error);
	for (size_t i = 0; i < checker->mend_count; i++)
		changes[i] = (struct prn_change){
			.table = checker->mends[i].table,
			.removed = checker->mends[i].removed,
			.key = { checker->mends[i].key, checker->mends[i].key_bytes },
			.value = { checker->mends[i].value, checker->mends[i].value_bytes },
		};
	prn_changes_sort(changes, checker->mend_count);
	failed = kind_of(checker)->write(checker->store->tables, changes, checker->mend_count, error);
	free(changes);
	if (!failed)
		checker->findings.repaired += checker->mend_count;
	return failed;
}

static int flush(struct checker *checker, struct prn_error *error)
{
	int failed;

	if (!checker->mend_count)
		return 0;
	prn_view_close(checker->view);
	checker->view = NULL;
	failed = write_mends(checker, error);
	checker->mend_count = 0;
	return failed ? failed : prn_view_open(&checker->view, checker->store, error);
}

static void tell_progress(struct checker *checker)
{
	const struct prn_store_check_options *options = &checker->options;

	if (++checker->looked % PROGRESS_EACH == 0 && options->progress && checker->looked < checker->entries)
		options->progress(options->context, (double)checker->looked / (double)checker->entries);
}

/* Checks entries until the end of the table or until a portion is full; *from is where it stopped, empty at the end. */
static int walk_portion(struct checker *checker, enum prn_table table, check_fn *check, struct prn_buffer *from,
                        struct prn_error *error)
{
	struct prn_bytes key = { from->data, from->length }, value;
	struct prn_walk *walk;
	int got = kind_of(checker)->scan(&walk, checker->view, table, key, error), failed = got;

	if (got)
		return got;
	prn_buffer_clear(from);
	while (!failed && (got = kind_of(checker)->next(walk, &key, &value, error)) == 1) {
		if (checker->mend_count + 2 > PORTION) {
			failed = prn_buffer_append(from, key.data, key.length);
			break;
		}
		failed = check(checker, key, value, error);
		tell_progress(checker);
	}
	kind_of(checker)->end(walk);
	return failed ? failed : got < 0 ? got : 0;
}

static int check_table(struct checker *checker, enum prn_table table, check_fn *check, struct prn_error *error)
{
	struct prn_buffer from;
	int failed;

	prn_buffer_init(&from);
	do {
		failed = walk_portion(checker, table, check, &from, error);
		if (!failed)
			failed = flush(checker, error);
	} while (!failed && from.length);
	prn_buffer_release(&from);
	return failed;
}

/* The record under the key is whole, and the key is its URL's. */
static bool is_whole(struct prn_bytes key, struct prn_bytes value, struct prn_record *record)
{
	char normal[PRN_URL_BYTES + 1];
	struct prn_digest name, own;

	if (key.length != PRN_KEY_BYTES)
		return false;
	name = prn_key_read(key.data);
	if (prn_record_decode(&name, value, record) || prn_url_normalize(record->url, SIZE_MAX, normal, sizeof normal))
		return false;
	own = prn_url_key(normal);
	return !prn_digest_compare(&own, &name);
}

static int check_page(struct checker *checker, struct prn_bytes key, struct prn_bytes value, struct prn_error *error)
{
	unsigned char name[PRN_WAITING_KEY_BYTES];
	struct prn_bytes queue_key = { name, 0 }, nothing;
	struct prn_record record;
	struct prn_place place;
	int failed;

	checker->findings.pages++;
	if (!is_whole(key, value, &record)) {
		report(checker, &checker->findings.unreadable, "%s: the record of a page is damaged", prn_store_path(checker->store));
		mend(checker, PRN_TABLE_PAGES, key, NULL);
		return 0;
	}
	place = prn_record_place(&record);
	if (!place.queued)
		return 0;
	queue_key.length = prn_place_key(&place, &record.key, name);
	failed = kind_of(checker)->get(checker->view, prn_queue_table(place.queue), queue_key, &nothing, error);
	if (failed != PRN_E_NOT_FOUND)
		return failed;
	report(checker, &checker->findings.unqueued, "%s: missing from its queue", record.url);
	mend(checker, prn_queue_table(place.queue), queue_key, &nothing_more);
	return 0;
}

static bool read_place(enum prn_queue queue, struct prn_bytes key, struct prn_place *place, struct prn_digest *page)
{
	struct prn_queued queued;

	*place = (struct prn_place){ .queued = true, .queue = queue };
	if (queue == PRN_QUEUE_WAITING ? prn_host_queue_key_read(key, &place->host, &queued) : prn_queue_key_read(key, &queued))
		return false;
	place->time = queued.time;
	*page = queued.key;
	return true;
}

/* Whether the page of a queue's entry is there and queued just so: 1, and *record is its. */
static int check_queued(struct checker *checker, enum prn_queue queue, struct prn_bytes key, struct prn_record *record,
                        struct prn_error *error)
{
	static const char *const names[] = { [PRN_QUEUE_DUE] = "due", [PRN_QUEUE_LEASES] = "lease",
		                             [PRN_QUEUE_WAITING] = "waiting" };
	struct prn_place place, found = { 0 };
	unsigned char bytes[PRN_KEY_BYTES];
	struct prn_bytes name = { bytes, sizeof bytes }, value;
	struct prn_digest page;
	int failed = 0;

	checker->findings.queued++;
	if (read_place(queue, key, &place, &page)) {
		prn_key_bytes(&page, bytes);
		failed = kind_of(checker)->get(checker->view, PRN_TABLE_PAGES, name, &value, error);
		if (!failed && is_whole(name, value, record))
			found = prn_record_place(record);
		if (!failed && prn_place_same(&place, &found))
			return 1;
	}
	if (failed && failed != PRN_E_NOT_FOUND)
		return failed;
	report(checker, &checker->findings.stray, "%s: an entry of the %s queue has no such page", prn_store_path(checker->store),
	       names[queue]);
	mend(checker, prn_queue_table(queue), key, NULL);
	return 0;
}

static int check_due(struct checker *checker, struct prn_bytes key, struct prn_bytes value, struct prn_error *error)
{
	struct prn_record record;
	int found = check_queued(checker, PRN_QUEUE_DUE, key, &record, error);

	(void)value;
	return found < 0 ? found : 0;
}

static int check_lease(struct checker *checker, struct prn_bytes key, struct prn_bytes value, struct prn_error *error)
{
	struct prn_record record;
	int found = check_queued(checker, PRN_QUEUE_LEASES, key, &record, error);

	(void)value;
	return found < 0 ? found : 0;
}

/* A turn must be one of a host; that there are pages which wait for it is not said. */
static int check_turn(struct checker *checker, struct prn_bytes key, struct prn_bytes value, struct prn_error *error)
{
	struct prn_host_name name = { value.data, value.length };
	uint64_t number, *grown;
	int64_t time;

	if (prn_turn_key_read(key.data, key.length, &time, &number) || prn_host_number(name) != number) {
		report(checker, &checker->findings.stray, "%s: a host's turn is damaged", prn_store_path(checker->store));
		mend(checker, PRN_TABLE_TURNS, key, NULL);
		return 0;
	}
	grown = prn_array_grow(checker->turns, &checker->turn_capacity, checker->turn_count + 1, sizeof *grown);
	if (!grown)
		return prn_error_memory(error);
	checker->turns = grown;
	grown[checker->turn_count++] = number;
	return 0;
}

static int order_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static bool gets_turn(struct checker *checker, uint64_t host)
{
	if (!checker->turn_count)
		return false;
	if (!checker->sorted)
		qsort(checker->turns, checker->turn_count, sizeof *checker->turns, order_numbers);
	checker->sorted = true;
	return bsearch(&host, checker->turns, checker->turn_count, sizeof *checker->turns, order_numbers);
}

/* Pages that wait for a host without a turn would wait for good.  They are in the order of hosts. */
static int check_waiting(struct checker *checker, struct prn_bytes key, struct prn_bytes value, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	unsigned char turn[PRN_TURN_BYTES];
	struct prn_bytes turn_key = { turn, sizeof turn }, name_bytes;
	struct prn_host_name name;
	struct prn_record record;
	int found = check_queued(checker, PRN_QUEUE_WAITING, key, &record, error);

	(void)value;
	if (found != 1)
		return found;
	if (record.waits_for == checker->waited_for || gets_turn(checker, record.waits_for))
		return 0;
	checker->waited_for = record.waits_for;
	report(checker, &checker->findings.unqueued, "%s: waits for its host, which gets no turn", record.url);
	prn_url_normalize(record.url, SIZE_MAX, normal, sizeof normal);
	name = prn_host_name(normal);
	name_bytes = (struct prn_bytes){ name.text, name.length };
	prn_turn_key(record.due, prn_host_number(name), turn);
	mend(checker, PRN_TABLE_TURNS, turn_key, &name_bytes);
	return 0;
}

static int check_suspect(struct checker *checker, struct prn_bytes key, struct prn_bytes value,
                         struct prn_error *error)
{
	struct prn_bytes page;
	int failed = kind_of(checker)->get(checker->view, PRN_TABLE_PAGES, key, &page, error);

	(void)value;
	if (failed != PRN_E_NOT_FOUND)
		return failed;
	report(checker, &checker->findings.stray_suspects, "%s: a suspect body has no page", prn_store_path(checker->store));
	mend(checker, PRN_TABLE_SUSPECTS, key, NULL);
	return 0;
}

/*
 * Pages are checked first: one that is removed leaves a stray entry in a queue.  Turns are checked before the
 * pages that wait for them.
 */
static const struct {
	enum prn_table table;
	check_fn *check;
} steps[] = {
	{ PRN_TABLE_PAGES, check_page },
	{ PRN_TABLE_DUE, check_due },
	{ PRN_TABLE_LEASES, check_lease },
	{ PRN_TABLE_TURNS, check_turn },
	{ PRN_TABLE_WAITING, check_waiting },
	{ PRN_TABLE_SUSPECTS, check_suspect },
};

static int check_tables(struct checker *checker, struct prn_error *error)
{
	int failed = kind_of(checker)->check(checker->view, checker->options.report, checker->options.context,
	                                    &checker->findings.disordered, error);

	for (size_t i = 0; i < sizeof steps / sizeof *steps && !failed; i++)
		failed = check_table(checker, steps[i].table, steps[i].check, error);
	return failed;
}

static int count_entries(struct checker *checker, struct prn_error *error)
{
	struct prn_tables_size size;
	int failed = kind_of(checker)->size(checker->view, &size, error);

	if (failed)
		return failed;
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		checker->entries += size.entries[steps[i].table];
	return 0;
}

int prn_store_check(struct prn_store *store, const struct prn_store_check_options *options,
                    struct prn_store_findings *findings, struct prn_error *error)
{
	struct checker checker = { .store = store };
	int failed;

	if (options)
		checker.options = *options;
	if (checker.options.repair && (!store->tables->writable || store->batch))
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: %s", prn_store_path(store),
		                     store->batch ? "a batch is open" : "opened for reading");
	checker.mends = calloc(checker.options.repair ? PORTION : 1, sizeof *checker.mends);
	failed = checker.mends ? prn_view_open(&checker.view, store, error)
	                       : prn_error_memory(error);
	if (!failed)
		failed = count_entries(&checker, error);
	if (!failed)
		failed = check_tables(&checker, error);
	prn_view_close(checker.view);
	free(checker.mends);
	free(checker.turns);
	if (!failed)
		*findings = checker.findings;
	return failed;
}
