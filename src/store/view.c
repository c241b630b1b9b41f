#include "store/store_internal.h"

#include <stdlib.h>

struct prn_walk {
	struct prn_view *view;
	struct prn_scan *scan;
};

int prn_view_open(struct prn_view **out, struct prn_store *store, struct prn_error *error)
{
	struct prn_view *view = malloc(sizeof *view);
	int failed;

	if (!view)
		return prn_error_set(error, PRN_E_MEMORY, "%s: out of memory", store->path);
	view->store = store;
	failed = prn_table_view_open(&view->of, store->tables, error);
	if (failed)
		free(view);
	else
		*out = view;
	return failed;
}

void prn_view_close(struct prn_view *view)
{
	if (!view)
		return;
	prn_table_view_close(view->of);
	free(view);
}

int prn_view_get(struct prn_view *view, const struct prn_digest *key, struct prn_record *record,
                 struct prn_error *error)
{
	unsigned char name[PRN_KEY_BYTES];
	struct prn_bytes bytes;
	int failed;

	prn_key_bytes(key, name);
	failed = prn_table_view_get(view->of, PRN_TABLE_PAGES, (struct prn_bytes){ name, sizeof name }, &bytes, error);
	return failed ? failed : prn_store_decode(view->store, key, bytes, record, error);
}

int prn_view_side(struct prn_view *view, enum prn_side side, const void *name, size_t name_bytes, const void **bytes,
                  size_t *count, struct prn_error *error)
{
	struct prn_bytes value;
	int failed;

	if (!name_bytes || name_bytes > PRN_TABLE_KEY_BYTES)
		return PRN_E_NOT_FOUND;
	failed = prn_table_view_get(view->of, prn_side_table(side), (struct prn_bytes){ name, name_bytes }, &value,
	                          error);
	if (failed)
		return failed;
	*bytes = value.data;
	*count = value.length;
	return 0;
}

static int open_walk(struct prn_walk **out, struct prn_view *view, enum prn_table table, struct prn_bytes from,
                     struct prn_error *error)
{
	struct prn_walk *walk = malloc(sizeof *walk);
	int failed;

	if (!walk)
		return prn_error_set(error, PRN_E_MEMORY, "%s: out of memory", view->store->path);
	walk->view = view;
	failed = prn_scan_open(&walk->scan, view->of, table, from, error);
	if (failed)
		free(walk);
	else
		*out = walk;
	return failed;
}

int prn_walk_queue(struct prn_walk **out, struct prn_view *view, enum prn_queue queue, int64_t from,
                   struct prn_error *error)
{
	unsigned char name[PRN_QUEUE_KEY_BYTES];

	prn_queue_key(from, &(struct prn_digest){ 0 }, name);
	return open_walk(out, view, prn_queue_table(queue), (struct prn_bytes){ name, sizeof name }, error);
}

int prn_walk_queue_next(struct prn_walk *walk, struct prn_queued *queued, struct prn_error *error)
{
	struct prn_bytes key, value;
	int got = prn_scan_next(walk->scan, &key, &value, error);

	if (got == 1 && prn_queue_key_read(key, queued))
		return prn_error_set(error, PRN_E_INPUT, "%s: a queue is damaged: 'perennial check --repair' mends it",
		                     walk->view->store->path);
	return got;
}

int prn_walk_pages(struct prn_walk **out, struct prn_view *view, const struct prn_digest *from,
                   struct prn_error *error)
{
	unsigned char name[PRN_KEY_BYTES];

	if (from)
		prn_key_bytes(from, name);
	return open_walk(out, view, PRN_TABLE_PAGES, (struct prn_bytes){ name, from ? sizeof name : 0 }, error);
}

int prn_walk_pages_next(struct prn_walk *walk, struct prn_record *record, struct prn_error *error)
{
	struct prn_bytes name, value;
	struct prn_digest key;
	int failed, got = prn_scan_next(walk->scan, &name, &value, error);

	if (got != 1)
		return got;
	if (name.length != PRN_KEY_BYTES)
		return prn_error_set(error, PRN_E_INPUT, "%s: a page's key is damaged: 'perennial check --repair' takes it out",
		                     walk->view->store->path);
	key = prn_key_read(name.data);
	failed = prn_store_decode(walk->view->store, &key, value, record, error);
	return failed ? failed : 1;
}

int prn_walk_side(struct prn_walk **out, struct prn_view *view, enum prn_side side, struct prn_error *error)
{
	return open_walk(out, view, prn_side_table(side), (struct prn_bytes){ NULL, 0 }, error);
}

int prn_walk_side_next(struct prn_walk *walk, const void **name, size_t *name_bytes, const void **bytes, size_t *count,
                       struct prn_error *error)
{
	struct prn_bytes key, value;
	int got = prn_scan_next(walk->scan, &key, &value, error);

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
	if (!walk)
		return;
	prn_scan_free(walk->scan);
	free(walk);
}
