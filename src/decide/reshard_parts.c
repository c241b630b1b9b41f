/*
 * Moves the records that belong to one old shard alone: its pages with their entries in side tables, and the records of hosts
 * that are in a single shard both in the old store and in the new one.  They are moved in portions.  Each portion is sorted by
 * the new shard of its records, so that each new shard is written to once.
 */
#include "decide/reshard_internal.h"

#include "base/buffer.h"
#include "decide/settings_place.h"
#include "decide/sides.h"
#include "perennial/url.h"
#include "store/host_record.h"
#include "store/schema.h"
#include "store/shared.h"

#include <stdlib.h>
#include <string.h>

#define PORTION 20000

/* A page, or an entry of a side table by host; its bytes are in the view. */
struct move {
	size_t place, number; /* place: the new shard; number: in the order in which they were read */
	bool is_page;
	struct prn_record page;
	enum prn_side side;
	struct prn_bytes name, value;
};

struct moving {
	struct prn_reshard *reshard;
	const struct prn_reshard_source *source;
	struct move *moves; /* [count] */
	size_t count, capacity;
};

static int compare(const void *a, const void *b)
{
	const struct move *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int put_turn(const struct move *move, struct prn_batch *batch, struct prn_error *error)
{
	struct prn_host_name name = { move->name.data, move->name.length };
	unsigned char key[PRN_TURN_BYTES];
	struct prn_host host;

	if (prn_host_decode(&host, move->value.data, move->value.length) || host.turn == PRN_TIME_UNKNOWN)
		return 0;
	prn_turn_key(host.turn, prn_host_number(name), key);
	return prn_batch_side_put(batch, PRN_SIDE_TURNS, key, sizeof key, name.text, name.length, error);
}

static int put(const struct moving *moving, const struct move *move, struct prn_batch *batch, struct prn_error *error)
{
	int code;

	if (move->is_page) {
		code = prn_batch_put_known(batch, &move->page, error);
		return code ? code : prn_sides_copy(moving->source->view, batch, &move->page.key, error);
	}
	code = prn_batch_side_put(batch, move->side, move->name.data, move->name.length, move->value.data, move->value.length, error);
	return code || move->side != PRN_SIDE_HOSTS ? code : put_turn(move, batch, error);
}

/* Writes the portion to the new shards and commits them. */
static int flush(struct moving *moving, struct prn_error *error)
{
	struct prn_reshard_part *part = NULL;
	int code = 0;

	if (moving->count)
		qsort(moving->moves, moving->count, sizeof *moving->moves, compare);
	for (size_t i = 0; i < moving->count && !code; i++) {
		const struct move *move = &moving->moves[i];

		if (!part || part->place != move->place)
			code = prn_reshard_part(moving->reshard, move->place, &part, error);
		if (!code)
			code = put(moving, move, part->batch, error);
		moving->reshard->done.pages += !code && move->is_page;
	}
	moving->count = 0;
	return code ? code : prn_reshard_commit_parts(moving->reshard, error);
}

static int append(struct moving *moving, const struct move *move, struct prn_error *error)
{
	struct move *grown = prn_array_grow(moving->moves, &moving->capacity, moving->count + 1, sizeof *grown);

	if (!grown)
		return prn_error_memory(error);
	moving->moves = grown;
	grown[moving->count] = *move;
	grown[moving->count].number = moving->count;
	moving->count++;
	return 0;
}

static int unreadable(const struct moving *moving, const struct prn_digest *key, struct prn_error *error)
{
	return prn_error_set(error, PRN_E_DAMAGED, "%s: the page of the key %016llx%016llx cannot be read, and it is not known where it belongs: "
	                     "'perennial check --repair' takes it out", prn_store_path(moving->reshard->from->store),
	                     (unsigned long long)key->high, (unsigned long long)key->low);
}

static int append_page(struct moving *moving, const struct prn_record *page, struct prn_error *error)
{
	struct move move = { .is_page = true, .page = *page };
	char normal[PRN_URL_BYTES + 1];

	if (prn_url_normalize(page->url, SIZE_MAX, normal, sizeof normal))
		return unreadable(moving, &page->key, error);
	move.place = prn_reshard_place(moving->reshard, normal);
	/* A page may wait for a group of hosts, but a store of several shards has no groups. */
	if (moving->reshard->count > 1 && page->waits_for && page->waits_for != prn_host_number(prn_host_name(normal)))
		move.page.waits_for = 0;
	return append(moving, &move, error);
}

static int end_portion(struct moving *moving, struct prn_reshard_progress *progress, const struct prn_digest *last, struct prn_error *error)
{
	const struct prn_reshard *reshard = moving->reshard;
	int code = flush(moving, error);

	if (code)
		return code;
	progress->key = *last;
	if (reshard->options->progress)
		reshard->options->progress(reshard->options->context, reshard->done.pages, reshard->pages);
	return prn_reshard_progress_note(moving->reshard, moving->source, progress, error);
}

/* Nothing is left out unasked: a page that is counted and not there was lost. */
static int check_count(const struct moving *moving, uint64_t found, struct prn_error *error)
{
	uint64_t pages;
	int code = prn_view_count_pages(moving->source->view, &pages, error);

	if (code || pages == found)
		return code;
	return prn_error_set(error, PRN_E_DAMAGED, "%s: shard %zu counts %llu pages, and has %llu: 'perennial check --repair' brings it in order first",
	                     prn_store_path(moving->reshard->from->store), moving->source->place, (unsigned long long)pages, (unsigned long long)found);
}

/* Moves the pages from the last one that was moved on; that one may be moved again. */
static int move_pages(struct moving *moving, struct prn_reshard_progress *progress, struct prn_error *error)
{
	struct prn_digest last = progress->key;
	bool from_start = !last.high && !last.low;
	struct prn_walk *walk = NULL;
	struct prn_record page;
	uint64_t found = 0;
	int got = 0, code = prn_walk_pages(&walk, moving->source->view, from_start ? NULL : &last, error);
	bool whole;

	while (!code && (got = prn_walk_pages_any(walk, &page, &whole, error)) == 1) {
		code = whole ? append_page(moving, &page, error) : unreadable(moving, &page.key, error);
		last = page.key;
		found++;
		if (!code && moving->count == PORTION)
			code = end_portion(moving, progress, &last, error);
	}
	prn_walk_free(walk);
	code = code ? code : got;
	if (!code && from_start)
		code = check_count(moving, found, error);
	return code ? code : end_portion(moving, progress, &last, error);
}

static int move_side(struct moving *moving, enum prn_side side, struct prn_error *error)
{
	const struct prn_reshard *reshard = moving->reshard;
	struct prn_walk *walk = NULL;
	struct move move = { .side = side };
	int got = 0, code = prn_walk_side(&walk, moving->source->view, side, error);

	while (!code && (got = prn_walk_side_next(walk, &move.name.data, &move.name.length, &move.value.data, &move.value.length, error)) == 1) {
		struct prn_host_name name = { move.name.data, move.name.length };
		bool is_group = name.length && name.text[0] == PRN_HOST_GROUP;

		/* Groups of hosts are left out where there are shards, and the parts of giants are merged later (reshard_merged.c). */
		if (is_group ? reshard->count > 1 : prn_reshard_is_giant(reshard, name))
			continue;
		move.place = prn_reshard_place_of_host(reshard, name);
		code = append(moving, &move, error);
		if (!code && moving->count == PORTION)
			code = flush(moving, error);
	}
	prn_walk_free(walk);
	code = code ? code : got;
	return code ? code : flush(moving, error);
}

/* Checks that the shard's pages are of this schema, and as the last change of settings left them. */
static int check_pages(const struct moving *moving, struct prn_error *error)
{
	const struct prn_decider *from = moving->reshard->from;
	const struct prn_store_reader reader = { .view = moving->source->view };
	const char *path = prn_store_path(from->store);
	struct prn_settings_place place;
	struct prn_walk *walk = NULL;
	struct prn_record page;
	bool older, whole, has;
	int got, code = prn_schema_is_older(reader.view, &older, error);

	if (!code)
		code = prn_settings_read_place(&reader, &place, error);
	if (!code)
		code = prn_walk_pages(&walk, reader.view, NULL, error);
	got = code ? code : prn_walk_pages_any(walk, &page, &whole, error);
	prn_walk_free(walk);
	if (got < 0)
		return got;
	has = got == 1;
	if (older)
		return prn_error_set(error, PRN_E_VERSION, "%s: an older program made it: whatever writes to it brings it up to date first", path);
	if (has && (place.under_way || place.number != from->changes))
		return prn_error_set(error, PRN_E_VERSION, "%s: shard %zu has pages of before the store's policy was changed the last time", path,
		                     moving->source->place);
	return 0;
}

int prn_reshard_source_move(struct prn_reshard *reshard, const struct prn_reshard_source *source, void *context, struct prn_error *error)
{
	static const enum prn_side by_host[] = { PRN_SIDE_HOSTS, PRN_SIDE_HOST_SOURCES, PRN_SIDE_SIBLINGS };
	struct moving moving = { .reshard = reshard, .source = source };
	struct prn_reshard_progress progress;
	int code = prn_reshard_progress_read(reshard, source, &progress, error);

	(void)context;
	if (code || progress.done)
		return code;
	code = check_pages(&moving, error);
	if (!code)
		code = move_pages(&moving, &progress, error);
	for (size_t i = 0; i < sizeof by_host / sizeof *by_host && !code; i++)
		code = move_side(&moving, by_host[i], error);
	free(moving.moves);
	if (code)
		return code;
	progress.done = true;
	return prn_reshard_progress_note(reshard, source, &progress, error);
}
