/*
 * Each table is walked once and compared with the others.  Repairs are collected and written in portions, and
 * after each portion the walk goes on where it was: a view must not stay open while the store is written.
 */
#include "store/shared.h"
#include "store/store_internal.h"

#include "base/clock.h"
#include "perennial/url.h"
#include "store/host_record.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPORTS_MAX 100 /* of a kind */
#define PORTION 4096    /* changes */
#define PROGRESS_EACH 1024

#define MENDS_EACH 4    /* at most, of one entry */

/* Offsets, because the bytes move when they grow. */
struct mend {
	enum prn_table table;
	bool removed;
	size_t key_at, key_bytes, value_at, value_bytes;
};

struct turn {
	uint64_t host;
	int64_t time;
};

struct lease {
	uint64_t host;
	int64_t until;
};

/* An array that is sorted when it is first searched: all is there by then. */
struct known {
	void *items;
	size_t count, capacity;
	bool sorted;
};

struct checker {
	struct prn_store *store;
	struct prn_view *view;
	struct prn_store_check_options options;
	struct prn_store_findings findings;
	uint64_t looked, entries; /* of all tables */
	struct mend *mends; /* [PORTION], at most */
	size_t mend_count;
	struct prn_buffer mend_bytes;
	uint64_t pending;    /* faults that the mends will have mended */
	struct known turns;  /* struct turn, as they are found */
	struct known given;  /* struct turn, which hosts get that had none; in the order of hosts */
	struct known leases; /* struct lease, of each page that is on lease */
	bool dropped; /* the counts over all pages were dropped */
	bool older; /* pages may have keys of an older schema (schema.h): these, and hosts, are looked at once they are moved */
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
	checker->pending++;
	if (!checker->options.report || *kind > REPORTS_MAX)
		return;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	prn_error_set(&what, PRN_E_DAMAGED, "%s", text);
	checker->options.report(checker->options.context, &what);
}

/* value NULL: the key goes. */
static int mend(struct checker *checker, enum prn_table table, struct prn_bytes key, const struct prn_bytes *value,
                struct prn_error *error)
{
	struct prn_buffer *bytes = &checker->mend_bytes;
	struct mend *added = &checker->mends[checker->mend_count];

	if (!checker->options.repair)
		return 0;
	*added = (struct mend){ .table = table, .removed = !value, .key_at = bytes->length, .key_bytes = key.length,
		                .value_at = bytes->length + key.length, .value_bytes = value ? value->length : 0 };
	if (prn_buffer_append(bytes, key.data, key.length) ||
	    (value && prn_buffer_append(bytes, value->data, value->length)))
		return prn_error_memory(error);
	checker->mend_count++;
	return 0;
}

static const struct prn_bytes nothing_more = { "", 0 };

static int write_mends(struct checker *checker, struct prn_error *error)
{
	struct prn_change *changes = calloc(checker->mend_count, sizeof *changes);
	int code;

	if (!changes)
		return prn_error_memory(error);
	for (size_t i = 0; i < checker->mend_count; i++)
		changes[i] = (struct prn_change){
			.table = checker->mends[i].table,
			.removed = checker->mends[i].removed,
			.key = { checker->mend_bytes.data + checker->mends[i].key_at, checker->mends[i].key_bytes },
			.value = { checker->mend_bytes.data + checker->mends[i].value_at, checker->mends[i].value_bytes },
		};
	prn_changes_sort(changes, checker->mend_count);
	code = kind_of(checker)->write_after
	               ? kind_of(checker)->write_after(checker->view, changes, checker->mend_count, error)
	               : kind_of(checker)->write(checker->store->tables, changes, checker->mend_count, error);
	free(changes);
	if (!code)
		checker->findings.repaired += checker->pending;
	return code;
}

/* All tables are compared as they were at one moment. */
static int look_anew(struct checker *checker, struct prn_error *error)
{
	int code = prn_view_open(&checker->view, checker->store, error);

	return code ? code : prn_view_freeze(checker->view, error);
}

static void close_view(struct checker *checker)
{
	prn_view_close(checker->view);
	checker->view = NULL;
}

/* In a shared store, repairs are written only if nobody has written since the view was opened. */
static int flush(struct checker *checker, struct prn_error *error)
{
	bool shared = prn_tables_is_shared(checker->store->tables);
	int code;

	if (!checker->mend_count) {
		checker->pending = 0;
		return 0;
	}
	if (!shared)
		close_view(checker);
	code = write_mends(checker, error);
	close_view(checker);
	checker->mend_count = checker->pending = 0;
	prn_buffer_clear(&checker->mend_bytes);
	return code ? code : look_anew(checker, error);
}

/* Checks entries until the end of the table or until a portion is full; *from is where it stopped, empty at the end. */
static int walk_portion(struct checker *checker, enum prn_table table, check_fn *check, struct prn_buffer *from,
                        struct prn_error *error)
{
	const struct prn_store_check_options *options = &checker->options;
	struct prn_bytes key = { from->data, from->length }, value;
	struct prn_walk *walk;
	int got = kind_of(checker)->scan(&walk, checker->view, table, key, error), code = got;

	if (got)
		return got;
	prn_buffer_clear(from);
	while (!code && (got = kind_of(checker)->next(walk, &key, &value, error)) == 1) {
		if (checker->mend_count + MENDS_EACH > PORTION) {
			code = prn_buffer_append(from, key.data, key.length);
			break;
		}
		code = check(checker, key, value, error);
		if (++checker->looked % PROGRESS_EACH == 0 && options->progress && checker->looked < checker->entries)
			options->progress(options->context, (double)checker->looked / (double)checker->entries);
	}
	kind_of(checker)->end(walk);
	return code ? code : got < 0 ? got : 0;
}

static int check_table(struct checker *checker, enum prn_table table, check_fn *check, struct prn_error *error)
{
	struct prn_buffer from;
	int code;

	prn_buffer_init(&from);
	do {
		code = walk_portion(checker, table, check, &from, error);
		if (!code)
			code = flush(checker, error);
	} while (!code && from.length);
	prn_buffer_release(&from);
	return code;
}

bool prn_store_is_whole(bool older, struct prn_bytes key, struct prn_bytes value, struct prn_record *record, uint64_t *host)
{
	char normal[PRN_URL_BYTES + 1];
	struct prn_digest name, own;

	if (key.length != PRN_KEY_BYTES)
		return false;
	name = prn_key_read(key.data);
	if (prn_record_decode(&name, value, record))
		return false;
	*host = record->waits_for;
	if (older)
		return true;
	if (prn_url_normalize(record->url, SIZE_MAX, normal, sizeof normal))
		return false;
	own = prn_url_key(normal);
	*host = prn_host_number(prn_host_name(normal));
	return !prn_digest_compare(&own, &name);
}

static int add_known(struct known *known, const void *item, size_t size, struct prn_error *error)
{
	void *grown = prn_array_grow(known->items, &known->capacity, known->count + 1, size);

	if (!grown)
		return prn_error_memory(error);
	known->items = grown;
	memcpy((char *)grown + known->count++ * size, item, size);
	known->sorted = false;
	return 0;
}

static void sort_known(struct known *known, size_t size, int (*compare)(const void *, const void *))
{
	if (!known->sorted && known->count)
		qsort(known->items, known->count, size, compare);
	known->sorted = true;
}

static int order_leases(const void *a, const void *b)
{
	const struct lease *x = a, *y = b;

	return (x->host > y->host) - (x->host < y->host);
}

static int order_turns(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	return x->host != y->host ? (x->host > y->host) - (x->host < y->host) : (x->time > y->time) - (x->time < y->time);
}

/* The first turn of a host at or after a time, or NULL. */
static const struct turn *find_turn(struct known *known, uint64_t host, int64_t from)
{
	const struct turn wanted = { host, from }, *turns = known->items;
	size_t first = 0, end = known->count;

	sort_known(known, sizeof wanted, order_turns);
	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (order_turns(&turns[middle], &wanted) < 0)
			first = middle + 1;
		else
			end = middle;
	}
	return first < known->count && turns[first].host == host ? &turns[first] : NULL;
}

/* A page that waits for another host, which may never get a turn, is moved to the queue of its own host. */
static int move_to_own_host(struct checker *checker, struct prn_record *record, uint64_t host, struct prn_error *error)
{
	unsigned char page[PRN_KEY_BYTES], name[PRN_WAITING_KEY_BYTES];
	struct prn_bytes key = { page, sizeof page };
	struct prn_place place = prn_record_place(record);
	struct prn_buffer bytes = { 0 };
	int code = 0;

	report(checker, &checker->findings.unqueued, "%s: waits for a host that is not its own", record->url);
	if (!checker->options.repair)
		return 0;
	prn_key_bytes(&record->key, page);
	if (place.queued && place.queue == PRN_QUEUE_WAITING)
		code = mend(checker, PRN_TABLE_WAITING, (struct prn_bytes){ name, prn_place_key(&place, &record->key, name) },
		            NULL, error);
	record->waits_for = host;
	place = prn_record_place(record);
	if (!code && place.queued)
		code = mend(checker, prn_queue_table(place.queue),
		            (struct prn_bytes){ name, prn_place_key(&place, &record->key, name) }, &nothing_more, error);
	if (!code)
		code = prn_record_encode(record, &bytes, error);
	if (!code)
		code = mend(checker, PRN_TABLE_PAGES, key, &(struct prn_bytes){ bytes.data, bytes.length }, error);
	prn_buffer_release(&bytes);
	return code;
}

static int check_page(struct checker *checker, struct prn_bytes key, struct prn_bytes value, struct prn_error *error)
{
	unsigned char name[PRN_WAITING_KEY_BYTES];
	struct prn_bytes queue_key = { name, 0 }, nothing;
	struct prn_record record;
	struct prn_place place;
	uint64_t host;
	int code = 0;

	checker->findings.pages++;
	if (!prn_store_is_whole(checker->older, key, value, &record, &host)) {
		report(checker, &checker->findings.unreadable, "%s: the record of a page is damaged", prn_store_path(checker->store));
		/* The counts over all pages are no longer right once a page is removed. */
		if (!checker->dropped)
			code = mend(checker, PRN_TABLE_META, (struct prn_bytes){ PRN_COUNTS_NAME, strlen(PRN_COUNTS_NAME) }, NULL, error);
		checker->dropped = true;
		return code ? code : mend(checker, PRN_TABLE_PAGES, key, NULL, error);
	}
	if (record.lease != PRN_TIME_UNKNOWN)
		code = add_known(&checker->leases, &(struct lease){ host, record.lease }, sizeof(struct lease), error);
	/* A host that is not the page's own may be a group of hosts, which has a turn. */
	if (!code && record.waits_for && record.waits_for != host && !find_turn(&checker->turns, record.waits_for, INT64_MIN))
		return move_to_own_host(checker, &record, host, error);
	place = prn_record_place(&record);
	if (code || !place.queued)
		return code;
	queue_key.length = prn_place_key(&place, &record.key, name);
	code = kind_of(checker)->get(checker->view, prn_queue_table(place.queue), queue_key, &nothing, error);
	if (code != PRN_E_NOT_FOUND)
		return code;
	report(checker, &checker->findings.unqueued, "%s: missing from its queue", record.url);
	return mend(checker, prn_queue_table(place.queue), queue_key, &nothing_more, error);
}

static bool read_place(enum prn_queue queue, struct prn_bytes key, struct prn_place *place, struct prn_digest *page)
{
	struct prn_queued queued;

	uint64_t host = 0;

	if (queue == PRN_QUEUE_WAITING ? prn_host_queue_key_read(key, &host, &queued) : prn_queue_key_read(key, &queued))
		return false;
	*place = prn_queued_place(queue, host, &queued);
	*page = queued.key;
	return true;
}

/* Whether the page of a queue's entry is there and queued just there: returns 1, with its record and the number of its host. */
static int check_queued(struct checker *checker, enum prn_queue queue, struct prn_bytes key, struct prn_record *record,
                        uint64_t *host, struct prn_error *error)
{
	static const char *const names[] = { [PRN_QUEUE_DUE] = "due", [PRN_QUEUE_LEASES] = "lease",
		                             [PRN_QUEUE_WAITING] = "waiting" };
	struct prn_place place, found = { 0 };
	unsigned char bytes[PRN_KEY_BYTES];
	struct prn_bytes name = { bytes, sizeof bytes }, value;
	struct prn_digest page;
	int code = 0;

	checker->findings.queued++;
	if (read_place(queue, key, &place, &page)) {
		prn_key_bytes(&page, bytes);
		code = kind_of(checker)->get(checker->view, PRN_TABLE_PAGES, name, &value, error);
		if (!code && prn_store_is_whole(checker->older, name, value, record, host))
			found = prn_record_place(record);
		if (!code && prn_place_same(&place, &found))
			return 1;
	}
	if (code && code != PRN_E_NOT_FOUND)
		return code;
	report(checker, &checker->findings.stray, "%s: an entry of the %s queue has no such page", prn_store_path(checker->store),
	       names[queue]);
	return mend(checker, prn_queue_table(queue), key, NULL, error);
}

static int check_due(struct checker *checker, struct prn_bytes key, struct prn_bytes value, struct prn_error *error)
{
	struct prn_record record;
	uint64_t host;
	int found = check_queued(checker, PRN_QUEUE_DUE, key, &record, &host, error);

	(void)value;
	return found < 0 ? found : 0;
}

static int check_lease(struct checker *checker, struct prn_bytes key, struct prn_bytes value, struct prn_error *error)
{
	struct prn_record record;
	uint64_t host;
	int found = check_queued(checker, PRN_QUEUE_LEASES, key, &record, &host, error);

	(void)value;
	return found < 0 ? found : 0;
}

/* A turn must belong to a host; it need not have pages that wait for it. */
static int check_turn(struct checker *checker, struct prn_bytes key, struct prn_bytes value, struct prn_error *error)
{
	struct prn_host_name name = { value.data, value.length };
	struct turn turn;

	if (!prn_turn_read(key.data, key.length, name, &turn.time, &turn.host))
		return add_known(&checker->turns, &turn, sizeof turn, error);
	report(checker, &checker->findings.stray, "%s: a host's turn is damaged", prn_store_path(checker->store));
	return mend(checker, PRN_TABLE_TURNS, key, NULL, error);
}

/* Pages that wait for a host without a turn would wait for good.  They are in the order of hosts. */
static int check_waiting(struct checker *checker, struct prn_bytes key, struct prn_bytes value, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	unsigned char turn_key[PRN_TURN_BYTES];
	struct prn_host_name name;
	struct prn_record record;
	struct turn turn;
	int found = check_queued(checker, PRN_QUEUE_WAITING, key, &record, &turn.host, error), code;

	(void)value;
	if (found != 1)
		return found;
	/* A page that waits for another host was reported when the page itself was checked. */
	if (checker->older || record.waits_for != turn.host || find_turn(&checker->turns, turn.host, INT64_MIN) ||
	    find_turn(&checker->given, turn.host, INT64_MIN))
		return 0;
	turn.time = record.due;
	code = add_known(&checker->given, &turn, sizeof turn, error);
	if (code)
		return code;
	checker->given.sorted = true;
	report(checker, &checker->findings.unqueued, "%s: waits for its host, which gets no turn", record.url);
	prn_url_normalize(record.url, SIZE_MAX, normal, sizeof normal);
	name = prn_host_name(normal);
	prn_turn_key(turn.time, turn.host, turn_key);
	return mend(checker, PRN_TABLE_TURNS, (struct prn_bytes){ turn_key, sizeof turn_key },
	            &(struct prn_bytes){ name.text, name.length }, error);
}

/* How many pages of a host are on lease; writes when the last lease ends, PRN_TIME_UNKNOWN if there is none. */
static size_t count_leases(struct checker *checker, uint64_t host, int64_t *until)
{
	const struct lease *leases = checker->leases.items;
	size_t first = 0, end = checker->leases.count, count = 0;

	sort_known(&checker->leases, sizeof *leases, order_leases);
	*until = PRN_TIME_UNKNOWN;
	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (leases[middle].host < host)
			first = middle + 1;
		else
			end = middle;
	}
	for (; first + count < checker->leases.count && leases[first + count].host == host; count++)
		*until = prn_time_later(*until, leases[first + count].until);
	return count;
}

/* A damaged host's record is replaced by what follows from the host's pages; for a group of hosts that is not known. */
static int mend_host(struct checker *checker, struct prn_bytes key, uint64_t number, struct prn_error *error)
{
	unsigned char bytes[PRN_HOST_BYTES];
	const struct turn *turn = find_turn(&checker->turns, number, INT64_MIN);
	struct prn_host host;

	if (!turn)
		turn = find_turn(&checker->given, number, INT64_MIN);
	prn_host_init(&host);
	host.leased = (uint32_t)count_leases(checker, number, &host.leased_until);
	host.turn = turn ? turn->time : PRN_TIME_UNKNOWN;
	report(checker, &checker->findings.miscounted, "%.*s: its host's record is damaged", (int)key.length, (const char *)key.data);
	return mend(checker, PRN_TABLE_HOSTS, key, &(struct prn_bytes){ bytes, prn_host_encode(&host, bytes) }, error);
}

/*
 * A host that counts too many leases may be full for good.  One that counts too few gave pages out when there was no
 * limit.
 */
static int check_host(struct checker *checker, struct prn_bytes key, struct prn_bytes value, struct prn_error *error)
{
	uint64_t number = prn_host_number((struct prn_host_name){ key.data, key.length });
	unsigned char bytes[PRN_HOST_BYTES];
	const struct turn *turn = NULL;
	struct prn_host host;
	int64_t until;
	size_t leased;

	if (checker->older)
		return 0;
	if (prn_host_decode(&host, value.data, value.length))
		return mend_host(checker, key, number, error);
	/* Only whoever grouped the hosts knows which pages of a group are on lease; its count ends with its leases. */
	leased = key.length && *(const char *)key.data == PRN_HOST_GROUP ? host.leased : count_leases(checker, number, &until);
	if (host.turn != PRN_TIME_UNKNOWN)
		turn = find_turn(&checker->turns, number, host.turn);
	if (host.leased <= leased && (host.turn == PRN_TIME_UNKNOWN || (turn && turn->time == host.turn)))
		return 0;
	report(checker, &checker->findings.miscounted, "%.*s: %s", (int)key.length, (const char *)key.data,
	       host.leased > leased ? "its host's record counts more leases than there are"
	                            : "its host's record names a turn that is not there");
	if (host.leased > leased)
		host.leased = (uint32_t)leased;
	if (host.turn != PRN_TIME_UNKNOWN)
		turn = find_turn(&checker->turns, number, INT64_MIN);
	if (host.turn != PRN_TIME_UNKNOWN && !turn)
		turn = find_turn(&checker->given, number, INT64_MIN);
	host.turn = turn ? turn->time : PRN_TIME_UNKNOWN;
	return mend(checker, PRN_TABLE_HOSTS, key, &(struct prn_bytes){ bytes, prn_host_encode(&host, bytes) }, error);
}

/* Checks that the page exists under whose key a side table has an entry. */
static int check_side(struct checker *checker, enum prn_table table, struct prn_bytes key, struct prn_error *error)
{
	struct prn_bytes page;
	int code = kind_of(checker)->get(checker->view, PRN_TABLE_PAGES, key, &page, error);

	if (code != PRN_E_NOT_FOUND)
		return code;
	report(checker, &checker->findings.stray_sides, "%s: something in the table \"%s\" has no page",
	       prn_store_path(checker->store), prn_table_name(table));
	return mend(checker, table, key, NULL, error);
}

static int check_suspect(struct checker *checker, struct prn_bytes key, struct prn_bytes value, struct prn_error *error)
{
	(void)value;
	return check_side(checker, PRN_TABLE_SUSPECTS, key, error);
}

static int check_validators(struct checker *checker, struct prn_bytes key, struct prn_bytes value, struct prn_error *error)
{
	(void)value;
	return check_side(checker, PRN_TABLE_VALIDATORS, key, error);
}

static int check_page_source(struct checker *checker, struct prn_bytes key, struct prn_bytes value, struct prn_error *error)
{
	(void)value;
	return check_side(checker, PRN_TABLE_PAGE_SOURCES, key, error);
}

/*
 * Pages are checked before their queues: one that is removed leaves a stray entry there.  Turns are checked before the
 * pages that wait for them, and hosts after both.
 */
static const struct {
	enum prn_table table;
	check_fn *check;
} steps[] = {
	{ PRN_TABLE_TURNS, check_turn },
	{ PRN_TABLE_PAGES, check_page },
	{ PRN_TABLE_DUE, check_due },
	{ PRN_TABLE_LEASES, check_lease },
	{ PRN_TABLE_WAITING, check_waiting },
	{ PRN_TABLE_HOSTS, check_host },
	{ PRN_TABLE_SUSPECTS, check_suspect },
	{ PRN_TABLE_VALIDATORS, check_validators },
	{ PRN_TABLE_PAGE_SOURCES, check_page_source },
};

/* The counts that a check ends with are otherwise taken for those of the whole store. */
static void tell_uncounted(const struct checker *checker)
{
	struct prn_error what;

	prn_error_set(&what, PRN_E_DAMAGED, "%s: its pages are not counted, nor compared with their queues, before that is mended",
	              prn_store_path(checker->store));
	if (checker->options.report && !checker->options.repair)
		checker->options.report(checker->options.context, &what);
}

static int check_tables(struct checker *checker, struct prn_error *error)
{
	struct prn_tables_size size;
	int code = kind_of(checker)->check(checker->view, checker->options.report, checker->options.context,
	                                  &checker->findings.disordered, error);

	if (code)
		return code;
	/* The entries to compare may not even be readable; and a repair must first have counts that it can go by. */
	if (checker->findings.disordered && (checker->options.repair || !kind_of(checker)->reads_on)) {
		tell_uncounted(checker);
		return 0;
	}
	code = kind_of(checker)->size(checker->view, &size, error);
	for (size_t i = 0; i < sizeof steps / sizeof *steps && !code; i++)
		checker->entries += size.entries[steps[i].table];
	for (size_t i = 0; i < sizeof steps / sizeof *steps && !code; i++)
		code = check_table(checker, steps[i].table, steps[i].check, error);
	return code;
}

uint64_t prn_store_faults(const struct prn_store_findings *findings)
{
	return findings->unreadable + findings->unqueued + findings->stray + findings->stray_sides + findings->miscounted +
	       findings->disordered + findings->missed;
}

int prn_store_check_one(struct prn_store *store, const struct prn_store_check_options *options,
                        struct prn_store_findings *findings, struct prn_error *error)
{
	struct checker checker = { .store = store };
	int code;

	if (options)
		checker.options = *options;
	if (checker.options.repair && (!store->tables->writable || store->batch))
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: %s", prn_store_path(store),
		                     store->batch ? "a batch is open" : "it is open for reading only");
	checker.mends = calloc(checker.options.repair ? PORTION : 1, sizeof *checker.mends);
	code = checker.mends ? look_anew(&checker, error) : prn_error_memory(error);
	if (!code)
		code = prn_schema_is_older(checker.view, &checker.older, error);
	if (!code)
		code = check_tables(&checker, error);
	prn_view_close(checker.view);
	free(checker.mends);
	prn_buffer_release(&checker.mend_bytes);
	free(checker.turns.items);
	free(checker.given.items);
	free(checker.leases.items);
	if (!code)
		*findings = checker.findings;
	return code;
}
