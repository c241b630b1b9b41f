/* Reading what is committed: pages, queues and side tables, through the engine's views and walks. */
#include "store/store_internal.h"
#include "store/shared.h"
#include "store/lane.h"
#include "store/turn.h"

#include <stdlib.h>

enum prn_table prn_side_table(enum prn_side side)
{
	static const enum prn_table tables[] = {
		[PRN_SIDE_META] = PRN_TABLE_META,
		[PRN_SIDE_HOSTS] = PRN_TABLE_HOSTS,
		[PRN_SIDE_TURNS] = PRN_TABLE_TURNS,
		[PRN_SIDE_SUSPECTS] = PRN_TABLE_SUSPECTS,
		[PRN_SIDE_VALIDATORS] = PRN_TABLE_VALIDATORS,
		[PRN_SIDE_PAGE_SOURCES] = PRN_TABLE_PAGE_SOURCES,
		[PRN_SIDE_HOST_SOURCES] = PRN_TABLE_HOST_SOURCES,
		[PRN_SIDE_SIBLINGS] = PRN_TABLE_SIBLINGS,
	};

	return (size_t)side < sizeof tables / sizeof *tables ? tables[side] : PRN_TABLES;
}

int prn_side_check(const char *path, enum prn_side side, struct prn_error *error)
{
	return prn_side_table(side) != PRN_TABLES
	               ? 0
	               : prn_error_set(error, PRN_E_ARGUMENT, "%s: there is no side table of number %d", path,
	                               (int)side);
}

static int say_damaged(const struct prn_tables *tables, const struct prn_digest *key, struct prn_error *error)
{
	return prn_error_set(error, PRN_E_DAMAGED,
	                     "%s: the record of page %016llx%016llx is damaged: 'perennial check --repair' removes it",
	                     tables->address, (unsigned long long)key->high, (unsigned long long)key->low);
}

int prn_store_decode(const struct prn_tables *tables, const struct prn_digest *key, struct prn_bytes bytes,
                     struct prn_record *record, struct prn_error *error)
{
	return prn_record_decode(key, bytes, record) ? say_damaged(tables, key, error) : 0;
}

int prn_view_open(struct prn_view **out, struct prn_store *store, struct prn_error *error)
{
	int code = prn_tables_check_process(store->tables, error);

	return code ? code : store->tables->kind->view(out, store->tables, error);
}

void prn_view_close(struct prn_view *view)
{
	if (view)
		view->tables->kind->close(view);
}

int prn_view_want(struct prn_view *view, const struct prn_wanted *wanted, size_t count, struct prn_error *error)
{
	const struct prn_tables_kind *kind = view->tables->kind;

	return kind->want ? kind->want(view, wanted, count, error) : 0;
}

int prn_view_freeze(struct prn_view *view, struct prn_error *error)
{
	const struct prn_tables_kind *kind = view->tables->kind;

	return kind->freeze ? kind->freeze(view, error) : 0;
}

int prn_view_get(struct prn_view *view, const struct prn_digest *key, struct prn_record *record,
                 struct prn_error *error)
{
	unsigned char name[PRN_KEY_BYTES];
	struct prn_bytes bytes;
	int code;

	prn_key_bytes(key, name);
	code = view->tables->kind->get(view, PRN_TABLE_PAGES, (struct prn_bytes){ name, sizeof name }, &bytes, error);
	return code ? code : prn_store_decode(view->tables, key, bytes, record, error);
}

int prn_view_is_spoilt(struct prn_view *view, const struct prn_digest *key, bool *spoilt, struct prn_error *error)
{
	unsigned char name[PRN_KEY_BYTES];
	struct prn_record record;
	struct prn_bytes bytes;
	int code;

	prn_key_bytes(key, name);
	code = view->tables->kind->get(view, PRN_TABLE_PAGES, (struct prn_bytes){ name, sizeof name }, &bytes, error);
	*spoilt = !code && prn_record_decode(key, bytes, &record);
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

int prn_view_get_many(struct prn_view *view, const struct prn_digest *keys, size_t count, struct prn_record *records,
                      struct prn_error *error)
{
	unsigned char(*names)[PRN_KEY_BYTES] = calloc(count ? count : 1, sizeof *names);
	struct prn_bytes *bytes = calloc(count ? 2 * count : 1, sizeof *bytes);
	int code = names && bytes ? 0 : prn_error_memory(error);

	for (size_t i = 0; i < count && !code; i++) {
		prn_key_bytes(&keys[i], names[i]);
		bytes[i] = (struct prn_bytes){ names[i], PRN_KEY_BYTES };
	}
	if (!code)
		code = view->tables->kind->get_many(view, PRN_TABLE_PAGES, bytes, count, bytes + count, error);
	for (size_t i = 0; i < count && !code; i++) {
		records[i] = (struct prn_record){ .key = keys[i] };
		if (bytes[count + i].data)
			code = prn_store_decode(view->tables, &keys[i], bytes[count + i], &records[i], error);
	}
	free(names);
	free(bytes);
	return code;
}

int prn_view_side(struct prn_view *view, enum prn_side side, const void *name, size_t name_bytes, const void **bytes,
                  size_t *count, struct prn_error *error)
{
	struct prn_bytes value;
	int code;

	code = prn_side_check(view->tables->address, side, error);
	if (code)
		return code;
	if (!name_bytes || name_bytes > PRN_TABLE_KEY_BYTES)
		return PRN_E_NOT_FOUND;
	code = view->tables->kind->get(view, prn_side_table(side), (struct prn_bytes){ name, name_bytes }, &value,
	                               error);
	if (code)
		return code;
	*bytes = value.data;
	*count = value.length;
	return 0;
}

static int next(struct prn_walk *walk, struct prn_bytes *key, struct prn_bytes *value, struct prn_error *error)
{
	return walk->view->tables->kind->next(walk, key, value, error);
}

static int damaged_queue(const struct prn_walk *walk, struct prn_error *error)
{
	return prn_error_set(error, PRN_E_DAMAGED, "%s: a queue is damaged: 'perennial check --repair' mends it",
	                     walk->view->tables->address);
}

int prn_walk_queue(struct prn_walk **out, struct prn_view *view, enum prn_queue queue, int64_t from,
                   struct prn_error *error)
{
	unsigned char name[PRN_QUEUE_KEY_BYTES];

	prn_queue_key(from, &(struct prn_digest){ 0 }, name);
	return view->tables->kind->scan(out, view, prn_queue_table(queue), (struct prn_bytes){ name, sizeof name },
	                                error);
}

int prn_walk_lane(struct prn_walk **out, struct prn_view *view, enum prn_queue queue, enum prn_lane lane, int64_t from,
                  struct prn_error *error)
{
	return prn_walk_queue(out, view, queue, from == INT64_MIN ? prn_lane_first(lane) : prn_lane_enter(lane, from), error);
}

int prn_walk_waiting_lane(struct prn_walk **out, struct prn_view *view, uint64_t host, enum prn_lane lane, struct prn_error *error)
{
	const struct prn_queued first = { .time = prn_lane_leave(prn_lane_first(lane)), .lane = lane };

	return prn_walk_waiting(out, view, host, lane == PRN_LANE_NEW ? NULL : &first, error);
}

int prn_walk_queue_worth(struct prn_walk *walk, struct prn_queued *queued, struct prn_bytes *worth, struct prn_error *error)
{
	struct prn_bytes key;
	int got = next(walk, &key, worth, error);

	return got == 1 && prn_queue_key_read(key, queued) ? damaged_queue(walk, error) : got;
}

int prn_walk_queue_next(struct prn_walk *walk, struct prn_queued *queued, struct prn_error *error)
{
	struct prn_bytes worth;

	return prn_walk_queue_worth(walk, queued, &worth, error);
}

int prn_walk_waiting(struct prn_walk **out, struct prn_view *view, uint64_t host, const struct prn_queued *from,
                     struct prn_error *error)
{
	const struct prn_place place = prn_queued_place(PRN_QUEUE_WAITING, host, from ? from : &(struct prn_queued){ .time = INT64_MIN });
	unsigned char name[PRN_WAITING_KEY_BYTES];
	size_t length = prn_place_key(&place, from ? &from->key : &(struct prn_digest){ 0 }, name);

	return view->tables->kind->scan(out, view, PRN_TABLE_WAITING, (struct prn_bytes){ name, length }, error);
}

int prn_walk_waiting_worth(struct prn_walk *walk, uint64_t host, struct prn_queued *queued, struct prn_bytes *worth, struct prn_error *error)
{
	struct prn_bytes key;
	uint64_t found;
	int got = next(walk, &key, worth, error);

	if (got != 1)
		return got;
	if (prn_host_queue_key_read(key, &found, queued))
		return damaged_queue(walk, error);
	return found == host;
}

int prn_walk_waiting_next(struct prn_walk *walk, uint64_t host, struct prn_queued *queued, struct prn_error *error)
{
	struct prn_bytes worth;

	return prn_walk_waiting_worth(walk, host, queued, &worth, error);
}

int prn_walk_pages(struct prn_walk **out, struct prn_view *view, const struct prn_digest *from,
                   struct prn_error *error)
{
	unsigned char name[PRN_KEY_BYTES];

	if (from)
		prn_key_bytes(from, name);
	return view->tables->kind->scan(out, view, PRN_TABLE_PAGES, (struct prn_bytes){ name, from ? sizeof name : 0 },
	                                error);
}

int prn_walk_pages_any(struct prn_walk *walk, struct prn_record *record, bool *whole, struct prn_error *error)
{
	struct prn_bytes name, value;
	struct prn_digest key;
	int got = next(walk, &name, &value, error);

	if (got != 1)
		return got;
	if (name.length != PRN_KEY_BYTES)
		return prn_error_set(error, PRN_E_DAMAGED,
		                     "%s: a page's key is damaged: 'perennial check --repair' removes the page",
		                     walk->view->tables->address);
	key = prn_key_read(name.data);
	*whole = !prn_record_decode(&key, value, record);
	if (!*whole)
		*record = (struct prn_record){ .key = key };
	return 1;
}

int prn_walk_pages_next(struct prn_walk *walk, struct prn_record *record, struct prn_error *error)
{
	struct prn_record found;
	bool whole;
	int got = prn_walk_pages_any(walk, &found, &whole, error);

	if (got == 1 && !whole)
		return say_damaged(walk->view->tables, &found.key, error);
	if (got == 1)
		*record = found;
	return got;
}

int prn_walk_side(struct prn_walk **out, struct prn_view *view, enum prn_side side, struct prn_error *error)
{
	int code = prn_side_check(view->tables->address, side, error);

	return code ? code
	            : view->tables->kind->scan(out, view, prn_side_table(side), (struct prn_bytes){ NULL, 0 }, error);
}

int prn_walk_side_from(struct prn_walk **out, struct prn_view *view, enum prn_side side, const void *name,
                       size_t length, struct prn_error *error)
{
	return view->tables->kind->scan(out, view, prn_side_table(side), (struct prn_bytes){ name, length }, error);
}

int prn_walk_turns(struct prn_walk **out, struct prn_view *view, int64_t from, struct prn_error *error)
{
	unsigned char key[PRN_TURN_BYTES];

	prn_turn_key(from, 0, key);
	return view->tables->kind->scan(out, view, PRN_TABLE_TURNS, (struct prn_bytes){ key, sizeof key }, error);
}

int prn_walk_side_next(struct prn_walk *walk, const void **name, size_t *name_bytes, const void **bytes, size_t *count,
                       struct prn_error *error)
{
	struct prn_bytes key, value;
	int got = next(walk, &key, &value, error);

	if (got != 1)
		return got;
	*name = key.data;
	*name_bytes = key.length;
	*bytes = value.data;
	*count = value.length;
	return 1;
}

void prn_walk_free(struct prn_walk *walk)
{
	if (walk)
		walk->view->tables->kind->end(walk);
}

uint64_t prn_view_version(struct prn_view *view)
{
	return view->tables->kind->version(view);
}
