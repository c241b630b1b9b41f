/*
 * A commit: writes staged changes to the tables in the order of keys, with the changes of queues that follow from
 * them.
 */
#include "store/batch_internal.h"

#include "base/portable.h"

#include <stdlib.h>
#include <string.h>

/* A staged change that is being sorted.  What nearly always decides is kept here, because each look at a change goes to far memory. */
struct ordered {
	uint64_t head; /* the first 8 bytes of the key, big-endian */
	enum prn_table table;
	const struct prn_waiting *waiting;
};

static uint64_t head_of(struct prn_bytes key)
{
	unsigned char bytes[8] = { 0 };
	uint64_t head = 0;

	memcpy(bytes, key.data, key.length < sizeof bytes ? key.length : sizeof bytes);
	for (size_t i = 0; i < sizeof bytes; i++)
		head = head << 8 | bytes[i];
	return head;
}

static struct prn_change change_of(const struct prn_batch *batch, const struct prn_waiting *waiting)
{
	return (struct prn_change){ .table = waiting->table,
		                    .removed = waiting->removed,
		                    .key = prn_waiting_key(batch, waiting),
		                    .value = prn_waiting_value(batch, waiting) };
}

static int compare_ordered(const void *a, const void *b, void *batch)
{
	const struct ordered *x = a, *y = b;
	struct prn_change first, second;

	if (x->table != y->table)
		return x->table < y->table ? -1 : 1;
	if (x->head != y->head)
		return x->head < y->head ? -1 : 1;
	first = change_of(batch, x->waiting);
	second = change_of(batch, y->waiting);
	return prn_change_compare(&first, &second);
}

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)
#define RADIX_FROM 2000 /* fewer are sorted as fast by comparing them */

static size_t digit_of(const struct ordered *item, unsigned pass)
{
	return pass < 3 ? item->head >> (31 + pass * DIGIT_BITS) & (DIGITS - 1) : (size_t)item->table;
}

/* One pass of a stable radix sort. */
static void sort_by_digit(const struct ordered *from, struct ordered *to, size_t count, unsigned pass)
{
	size_t starts[DIGITS + 1] = { 0 };

	for (size_t i = 0; i < count; i++)
		starts[digit_of(&from[i], pass) + 1]++;
	for (size_t i = 1; i <= DIGITS; i++)
		starts[i] += starts[i - 1];
	for (size_t i = 0; i < count; i++)
		to[starts[digit_of(&from[i], pass)]++] = from[i];
}

static bool are_in_order(const struct prn_batch *batch, const struct ordered *items, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (compare_ordered(&items[i - 1], &items[i], (void *)(uintptr_t)batch) > 0)
			return false;
	return true;
}

/*
 * The radix sort is by table and the first 33 bits of the key; most keys are digests, so few are equal in these.  If memory for it
 * is short, or keys begin alike, the sort compares whole keys.
 */
static void sort_ordered(const struct prn_batch *batch, struct ordered *items, size_t count)
{
	struct ordered *scratch = count < RADIX_FROM ? NULL : malloc(count * sizeof *scratch);

	for (unsigned pass = 0; scratch && pass < 4; pass += 2) {
		sort_by_digit(items, scratch, count, pass);
		sort_by_digit(scratch, items, count, pass + 1);
	}
	free(scratch);
	if (!scratch || !are_in_order(batch, items, count))
		prn_sort_by(items, count, sizeof *items, compare_ordered, (void *)(uintptr_t)batch);
}

/* What a commit writes: up to three changes for each staged change, and the queue keys that they point to. */
struct writing {
	struct ordered *ordered;
	struct prn_change *changes;
	unsigned char (*queue_keys)[PRN_WAITING_KEY_BYTES];
	size_t count, queue_count;
};

static int prepare(const struct prn_batch *batch, struct writing *writing, struct prn_error *error)
{
	writing->ordered = calloc(batch->count, sizeof *writing->ordered);
	writing->changes = calloc(3 * batch->count, sizeof *writing->changes);
	writing->queue_keys = calloc(2 * batch->count, sizeof *writing->queue_keys);
	if (!writing->ordered || !writing->changes || !writing->queue_keys)
		return prn_error_memory(error);
	for (size_t i = 0; i < batch->count; i++)
		writing->ordered[i] = (struct ordered){ head_of(prn_waiting_key(batch, &batch->waiting[i])), batch->waiting[i].table,
			                                &batch->waiting[i] };
	sort_ordered(batch, writing->ordered, batch->count);
	return 0;
}

static void move_in_queue(struct writing *writing, const struct prn_place *place, const struct prn_digest *key,
                          bool removed, struct prn_bytes beside)
{
	unsigned char *name = writing->queue_keys[writing->queue_count];

	if (!place->queued)
		return;
	writing->queue_count++;
	writing->changes[writing->count++] = (struct prn_change){
		.table = prn_queue_table(place->queue),
		.removed = removed,
		.key = { name, prn_place_key(place, key, name) },
		.value = beside,
	};
}

/*
 * If an entry has two changes, because it was moved by itself and then put with its page, the one that puts it
 * stays.
 */
static void drop_doubles(struct writing *writing, size_t first)
{
	size_t kept = first;

	for (size_t i = first; i < writing->count; i++) {
		const struct prn_change *change = &writing->changes[i];

		if (kept == first || prn_change_compare(&writing->changes[kept - 1], change))
			writing->changes[kept++] = *change;
		else
			writing->changes[kept - 1].removed &= change->removed;
	}
	writing->count = kept;
}

/*
 * Adds the changes of the queues that follow from those of the pages, which come first in order, and sorts them with
 * those that are there from first on.
 */
static void write_queues(const struct prn_batch *batch, struct writing *writing, size_t pages, size_t first)
{
	const struct prn_bytes nothing = { "", 0 };

	for (size_t i = 0; i < pages; i++) {
		const struct prn_waiting *waiting = writing->ordered[i].waiting;
		const struct prn_bytes worth = { waiting->worth, waiting->worth_bytes };
		struct prn_digest key = prn_key_read(prn_waiting_key(batch, waiting).data);

		bool same = prn_place_same(&waiting->before, &waiting->after), has_worth = waiting->after.queue != PRN_QUEUE_LEASES;

		/* A page that is due or waits may stay in its place and have another worth. */
		if (same && !has_worth)
			continue;
		if (!same)
			move_in_queue(writing, &waiting->before, &key, true, nothing);
		move_in_queue(writing, &waiting->after, &key, false, has_worth ? worth : nothing);
	}
	prn_changes_sort(writing->changes + first, writing->count - first);
	drop_doubles(writing, first);
}

/*
 * Tables are written in the order of enum prn_table: pages, the queues, which follow from them, and the side
 * tables.
 */
static int write_all(const struct prn_batch *batch, struct writing *writing, struct prn_error *error)
{
	const struct prn_tables_kind *kind = batch->store->tables->kind;
	size_t pages = 0, queued;
	int code = prepare(batch, writing, error);

	if (code)
		return code;
	for (; pages < batch->count && writing->ordered[pages].table == PRN_TABLE_PAGES; pages++)
		writing->changes[writing->count++] = change_of(batch, writing->ordered[pages].waiting);
	for (queued = pages; queued < batch->count && writing->ordered[queued].table <= PRN_TABLE_WAITING;
	     queued++)
		writing->changes[writing->count++] = change_of(batch, writing->ordered[queued].waiting);
	write_queues(batch, writing, pages, pages);
	for (size_t i = queued; i < batch->count; i++)
		writing->changes[writing->count++] = change_of(batch, writing->ordered[i].waiting);
	if (kind->write_after)
		return kind->write_after(batch->view, writing->changes, writing->count, error);
	return kind->write(batch->store->tables, writing->changes, writing->count, error);
}

int prn_batch_write(const struct prn_batch *batch, struct prn_error *error)
{
	struct writing writing = { 0 };
	int code = write_all(batch, &writing, error);

	free(writing.ordered);
	free(writing.changes);
	free(writing.queue_keys);
	return code;
}
