#include "decide/explain_internal.h"

#include "archive/url_read.h"
#include "base/parallel.h"
#include "base/pipeline.h"
#include "decide/decider_internal.h"
#include "decide/shards.h"
#include "store/shards.h"
#include "store/shared.h"

#include <stdlib.h>

#define PORTION 256

/* Pages that are explained in one view, and handed over after it is closed. */
struct portion {
	struct prn_pipeline_item item;
	struct prn_explanation pages[PORTION];
	size_t count;
	bool is_last;
	int code; /* what kept further pages from being read; 0: nothing */
};

/* How far portions were read.  They are read one after another; while one is handed over, a thread reads the next one. */
struct listing {
	struct prn_explaining reading; /* if at_once, its view stays open once it is_open */
	bool at_once, is_open;
	struct prn_digest from; /* where the next portion begins */
	bool over;              /* there is no next portion */
	bool is_whole;          /* it begins with the first page */
	uint64_t pages;         /* of all portions, also those that were left out */
	uint64_t unreadable;    /* those … */
	struct prn_error first; /* … and the error of the first of them */
	struct prn_error error; /* of the portion that was the last one, if its code is not 0 */
};

/* NULL without memory. */
static struct portion *open_portion(void)
{
	struct portion *portion = calloc(1, sizeof *portion);

	for (size_t i = 0; portion && i < PORTION; i++)
		prn_explanation_init(&portion->pages[i]);
	return portion;
}

static void free_portion(struct portion *portion)
{
	for (size_t i = 0; portion && i < PORTION; i++)
		prn_explanation_release(&portion->pages[i]);
	free(portion);
}

/* Returns the key after a key; after the last one it is 0. */
static struct prn_digest key_after(const struct prn_digest *key)
{
	struct prn_digest next = { key->high, key->low + 1 };

	if (!next.low)
		next.high++;
	return next;
}

/* A page that cannot be read is left out, which is reported once all others are explained. */
static int read_pages(struct listing *listing, struct prn_explaining *reading, struct portion *portion)
{
	struct prn_record record;
	struct prn_walk *walk = NULL;
	size_t looked = 0;
	bool whole;
	int code = prn_walk_pages(&walk, reading->view, &listing->from, reading->error);

	for (; !code && looked < PORTION && (code = prn_walk_pages_any(walk, &record, &whole, reading->error)) == 1; looked++) {
		struct prn_error why = { 0 };
		int readable = whole ? prn_entry_try(&reading->entry, &record, &why, reading->error) : 0;

		code = readable < 0 ? readable : 0;
		if (!whole)
			prn_view_get(reading->view, &record.key, &record, &why);
		if (!readable && !listing->unreadable++)
			listing->first = why;
		if (readable == 1)
			code = prn_explaining_entry(reading, record.state_bytes, &portion->pages[portion->count]);
		if (code)
			break;
		portion->count += readable == 1;
		listing->from = key_after(&record.key);
	}
	prn_walk_free(walk);
	listing->pages += looked;
	listing->over = looked < PORTION || (!listing->from.low && !listing->from.high);
	return code;
}

/*
 * The receiver of pages may be slow, like a pipe that nobody reads; a view that stayed open meanwhile would keep the store growing.
 * A shared store's view has everything in memory, as it was at one moment, so it may stay open.
 */
static int read_portion(struct listing *listing, struct portion *portion)
{
	struct prn_explaining one = listing->reading;
	int code = 0;

	if (listing->at_once && !listing->is_open) {
		code = prn_explaining_begin(&listing->reading, PRN_LOOK_AT_ALL);
		listing->is_open = !code;
	}
	if (listing->at_once)
		return code ? code : read_pages(listing, &listing->reading, portion);
	code = prn_explaining_begin(&one, 0);
	if (code)
		return code;
	code = read_pages(listing, &one, portion);
	prn_explaining_end(&one);
	return code;
}

/* Called by one thread at a time.  What was asked for behind the last portion stays empty. */
static size_t read_next(void *context, size_t thread, struct prn_pipeline_item *item)
{
	struct listing *listing = context;
	struct portion *portion = (struct portion *)item;

	(void)thread;
	portion->count = 0;
	portion->code = listing->over ? 0 : read_portion(listing, portion);
	listing->over |= portion->code != 0;
	portion->is_last = listing->over;
	return 0;
}

/* Who takes pages.  What ends the listing is no fault of a shard, whatever its code. */
struct taker {
	prn_explained_fn *take;
	void *context;
	int ended; /* what it returned to end the listing; 0: it has not */
};

/* Pages that came before a failure are handed over too. */
static int hand_over(const struct portion *portion, struct taker *taker)
{
	for (size_t i = 0; i < portion->count && !taker->ended; i++)
		taker->ended = taker->take(taker->context, &portion->pages[i]);
	return taker->ended ? PRN_E_CANCELLED : portion->code;
}

/* Hands over all portions but the first, whose place is reused.  Where there is one processor, each is read when it is asked for. */
static int hand_over_rest(struct listing *listing, struct portion *first, struct taker *taker)
{
	const struct prn_pipeline_options options = { .threads = prn_parallel_processors() > 1, .queued_most = 2, .ordered = true,
		                                      .work = read_next, .context = listing };
	struct portion *second = open_portion();
	struct prn_pipeline *pipeline = NULL;
	struct prn_pipeline_item *item;
	bool is_last = false;
	int code = 0;

	if (!second || prn_pipeline_open(&pipeline, &options)) {
		free_portion(second);
		return prn_error_memory(&listing->error);
	}
	prn_pipeline_hand_in(pipeline, &first->item);
	prn_pipeline_hand_in(pipeline, &second->item);
	while (!code && !is_last && prn_pipeline_next(pipeline, NULL, &item) == PRN_PIPELINE_ITEM) {
		const struct portion *portion = (const struct portion *)item;

		is_last = portion->is_last;
		code = hand_over(portion, taker);
		if (!code && !is_last)
			prn_pipeline_hand_in(pipeline, item);
	}
	prn_pipeline_free(pipeline);
	free_portion(second);
	return code;
}

static int list_pages(struct listing *listing, struct taker *taker)
{
	struct portion *first = open_portion();
	int code;

	if (!first)
		return prn_error_memory(&listing->error);
	/* Most shards have no second one, and need no thread. */
	read_next(listing, 0, &first->item);
	code = hand_over(first, taker);
	if (!code && !first->is_last)
		code = hand_over_rest(listing, first, taker);
	free_portion(first);
	return code;
}

/*
 * What an object has lost is told by the number of pages that it counts.  Only a view that was open all the time shows both as they were
 * at one moment.
 */
static int check_count(struct listing *listing)
{
	struct prn_error *error = &listing->error;
	uint64_t counted;
	int code;

	if (!listing->is_open || !listing->is_whole || !listing->over)
		return 0;
	code = prn_view_count_pages(listing->reading.view, &counted, error);
	if (code || counted <= listing->pages)
		return code;
	return prn_error_set(error, PRN_E_DAMAGED, "%s: it counts %llu pages, and has %llu: 'perennial check --repair' brings it in order",
	                     prn_store_path(listing->reading.decider->store), (unsigned long long)counted, (unsigned long long)listing->pages);
}

/* Explains all pages of a store without shards, or only those after a key (NULL: all). */
static int each_of_one(struct prn_decider *decider, const struct prn_digest *after, int64_t now, struct taker *taker, struct prn_error *error)
{
	struct listing listing = { .reading = { .decider = decider, .now = now }, .at_once = prn_store_is_shared(decider->store), .is_whole = !after };
	int code;

	listing.reading.error = &listing.error;
	if (after) {
		listing.from = key_after(after);
		listing.over = !listing.from.low && !listing.from.high;
	}
	code = list_pages(&listing, taker);
	if (!code && !listing.unreadable)
		code = check_count(&listing);
	if (listing.is_open)
		prn_explaining_end(&listing.reading);
	if (code && !taker->ended && error)
		*error = listing.error;
	if (!code && listing.unreadable)
		code = prn_error_set(error, PRN_E_DAMAGED, "pages that cannot be read and are left out: %llu; the first: %s",
		                     (unsigned long long)listing.unreadable, listing.first.text);
	return code;
}

struct each_page {
	struct prn_decider *root;
	int64_t now;
	struct taker *taker;
	size_t shard; /* the first one … */
	const struct prn_digest *after; /* … and the key in it after which to begin, if any */
	struct prn_shards_damaged damaged; /* shards, and lists of shards, that are lost or could not be read to their end */
};

/* Damage in one shard does not keep the others from being explained. */
static int each_in_shard(void *context, size_t place, struct prn_error *error)
{
	struct each_page *each = context;
	struct prn_decider *shard;
	struct prn_error why;
	int code;

	if (place < each->shard)
		return 0;
	code = prn_shards_get(each->root, place, false, &shard, &why);
	if (!code) {
		code = each_of_one(shard, place == each->shard ? each->after : NULL, each->now, each->taker, &why);
		prn_shards_done(shard);
	}
	if (each->taker->ended)
		return code;
	if (code == PRN_E_DAMAGED && !each->damaged.count++)
		each->damaged.first = why;
	else if (code && code != PRN_E_DAMAGED && error)
		*error = why;
	return code == PRN_E_DAMAGED ? 0 : code;
}

static int each_of_shards(struct each_page *each, struct prn_error *error)
{
	int code = prn_shards_each_listed(each->root, each_in_shard, each, &each->damaged, error);

	if (code || !each->damaged.count)
		return code;
	return prn_error_set(error, PRN_E_DAMAGED, "%s%s", each->damaged.count > 1 ? "of several shards pages are left out; the first: " : "",
	                     each->damaged.first.text);
}

static int each_after(struct prn_decider *decider, const char *normal, int64_t now, prn_explained_fn *take, void *context,
                      struct prn_error *error)
{
	struct prn_digest key = { 0 };
	struct taker taker = { .take = take, .context = context };
	struct each_page each = { .root = decider, .now = now, .taker = &taker };
	int code;

	if (normal) {
		key = prn_url_key(normal);
		each.after = &key;
	}
	if (decider->shards && normal)
		each.shard = prn_shards_place(decider, normal);
	code = decider->shards ? each_of_shards(&each, error) : each_of_one(decider, each.after, now, &taker, error);
	if (taker.ended > 0)
		return prn_error_set(error, PRN_E_CANCELLED, "%s", prn_error_text(PRN_E_CANCELLED));
	return taker.ended ? taker.ended : code;
}

int prn_decider_each(struct prn_decider *decider, int64_t now, prn_explained_fn *take, void *context,
                     struct prn_error *error)
{
	return each_after(decider, NULL, now, take, context, error);
}

int prn_decider_each_after(struct prn_decider *decider, const char *url, int64_t now, prn_explained_fn *take, void *context,
                           struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	int code = prn_url_read(url, normal, error);

	return code ? code : each_after(decider, normal, now, take, context, error);
}
