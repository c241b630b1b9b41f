#include "decide/loads.h"
#include "decide/listing.h"

#include "decide/shards.h"
#include "decide/unreadable.h"
#include "perennial/time.h"
#include "store/record.h"
#include "store/shared.h"

#include <stdlib.h>
#include <string.h>

void prn_listing_init(struct prn_listing *listing)
{
	*listing = (struct prn_listing){ .count = 0 };
}

static void clear(struct prn_listing *listing)
{
	for (size_t i = 0; i < listing->count; i++)
		free(listing->items[i].url);
	*listing = (struct prn_listing){ .whole = true };
}

void prn_listing_release(struct prn_listing *listing)
{
	clear(listing);
	prn_listing_init(listing);
}

/* A request for a listing, and what was found so far. */
struct asking {
	enum prn_listing_by by;
	int64_t now;
	size_t limit;
	uint64_t look; /* pages to read of each store that is asked */
	struct prn_listing *listing;
};

/* One store that is asked. */
struct looking {
	const struct asking *asking;
	struct prn_decider *decider;
	struct prn_store_reader reader;
	struct prn_entry entry; /* the page in hand */
	struct prn_costs costs;
	double threshold, round_days; /* prn_loads_round */
	struct prn_listing *found;
	struct prn_error *error;
};

/* Later times count for less, and an unknown time as later than all. */
static double latest_last(int64_t time)
{
	return time == PRN_TIME_UNKNOWN ? -1e19 : -(double)time;
}

/* The better page is first; of equally good ones the one that is due first; the key breaks ties. */
static int compare(const struct prn_listed *a, const struct prn_listed *b)
{
	double due = latest_last(a->next), other = latest_last(b->next);

	if (a->rank > b->rank || a->rank < b->rank)
		return a->rank > b->rank ? -1 : 1;
	if (due > other || due < other)
		return due > other ? -1 : 1;
	return prn_digest_compare(&a->key, &b->key);
}

/* The place of a page in the listing; limit if it is listed already. */
static size_t place_of(const struct prn_listing *listing, const struct prn_listed *page, size_t limit)
{
	size_t at = listing->count;

	while (at && compare(page, &listing->items[at - 1]) < 0)
		at--;
	return at && !prn_digest_compare(&listing->items[at - 1].key, &page->key) ? limit : at;
}

/* Inserts a page unless at is beyond the limit.  If it returns true, the listing owns page->url. */
static bool insert(struct prn_listing *listing, const struct prn_listed *page, size_t at, size_t limit)
{
	if (at >= limit)
		return false;
	if (listing->count == limit)
		free(listing->items[--listing->count].url);
	memmove(&listing->items[at + 1], &listing->items[at], (listing->count - at) * sizeof *listing->items);
	listing->items[at] = *page;
	listing->count++;
	return true;
}

/* Ranks the page in hand.  Returns whether it belongs to the listing. */
static bool rank(struct looking *looking, struct prn_listed *page)
{
	bool is_out = page->lease != PRN_TIME_UNKNOWN, is_retired = page->status == PRN_PAGE_RETIRED;

	switch (looking->asking->by) {
	case PRN_LISTING_NEXT:
		page->rank = latest_last(page->next);
		return !is_out && !page->waits && page->next != PRN_TIME_UNKNOWN;
	case PRN_LISTING_VALUE:
		page->rank = page->value;
		return !is_out && !is_retired;
	case PRN_LISTING_VISITS:
		page->rank = page->visits;
		return page->visits > 0;
	case PRN_LISTING_FAILURES:
		page->rank = page->failures;
		return page->failures > 0 && !is_retired;
	default:
		page->rank = -latest_last(page->attempted);
		return page->status == PRN_PAGE_SUSPECT;
	}
}

static int list_page(struct looking *looking)
{
	struct prn_entry *entry = &looking->entry;
	const struct prn_page_state *state = &entry->state;
	struct prn_listing *found = looking->found;
	struct prn_listed page = { .key = entry->key, .weight = entry->weight, .status = state->status, .visits = state->visits,
		                   .failures = state->failures, .visited = state->visits ? state->visited : PRN_TIME_UNKNOWN,
		                   .attempted = state->attempted, .next = entry->due, .lease = entry->lease,
		                   .reason = state->reason, .waits = entry->waits_for != 0 };
	size_t at;

	if (page.status != PRN_PAGE_RETIRED)
		page.value = prn_decider_value(looking->decider, entry, looking->threshold, looking->round_days, looking->asking->now);
	if (!rank(looking, &page))
		return 0;
	found->found++;
	at = place_of(found, &page, looking->asking->limit);
	if (at >= looking->asking->limit)
		return 0;
	page.url = strdup(entry->url);
	if (!page.url)
		return prn_error_memory(looking->error);
	insert(found, &page, at, looking->asking->limit);
	return 0;
}

/* A page that cannot be read is counted, and does not end the listing. */
static int take_record(struct looking *looking, const struct prn_record *record)
{
	int readable = prn_entry_try(&looking->entry, record, NULL, looking->error);

	looking->found->looked++;
	looking->found->unreadable += !readable;
	return readable == 1 ? list_page(looking) : readable;
}

/* The next page of a lane. */
struct lane {
	struct prn_walk *walk;
	struct prn_queued queued;
	int got; /* 1: it is there */
};

static int walk_on(struct lane *lane, enum prn_lane which, struct prn_error *error)
{
	lane->got = prn_walk_queue_next(lane->walk, &lane->queued, error);
	if (lane->got == 1 && lane->queued.lane != which)
		lane->got = 0;
	return lane->got < 0 ? lane->got : 0;
}

static int open_lane(struct lane *lane, struct prn_view *view, enum prn_lane which, struct prn_error *error)
{
	int code = prn_walk_lane(&lane->walk, view, PRN_QUEUE_DUE, which, INT64_MIN, error);

	return code ? code : walk_on(lane, which, error);
}

/* The lane whose next page comes first; PRN_LANES: none has any. */
static int first_lane(const struct lane *lanes)
{
	int first = PRN_LANES;

	for (int i = 0; i < PRN_LANES; i++)
		if (lanes[i].got && (first == PRN_LANES || lanes[i].queued.time < lanes[first].queued.time))
			first = i;
	return first;
}

/* Lists at most `most` of the pages whose next visits come first, of all lanes.  Returns 1 if there are more. */
static int take_queued(struct looking *looking, uint64_t most)
{
	struct prn_unreadable unreadable = { 0 };
	const struct prn_queue_reading reading = { looking->decider, looking->reader, looking->asking->now, &unreadable };
	struct lane lanes[PRN_LANES] = { 0 };
	int code = 0, i;

	for (i = 0; i < PRN_LANES && !code; i++)
		code = open_lane(&lanes[i], looking->reader.view, (enum prn_lane)i, looking->error);
	for (uint64_t n = 0; !code && (i = first_lane(lanes)) < PRN_LANES && n < most; n++) {
		const struct prn_place place = prn_queued_place(PRN_QUEUE_DUE, 0, &lanes[i].queued);

		code = prn_queued_read(&reading, &place, &lanes[i].queued.key, &looking->entry, looking->error);
		looking->found->looked++;
		if (code == 1)
			code = list_page(looking);
		if (!code)
			code = walk_on(&lanes[i], (enum prn_lane)i, looking->error);
	}
	looking->found->unreadable += unreadable.count;
	if (!code)
		code = first_lane(lanes) < PRN_LANES;
	for (i = 0; i < PRN_LANES; i++)
		prn_walk_free(lanes[i].walk);
	return code;
}

/* Lists pages in the order of keys.  Returns 1 if there are more. */
static int take_any(struct looking *looking, uint64_t most)
{
	struct prn_record record;
	struct prn_walk *walk = NULL;
	bool whole;
	int got = 0, code = prn_walk_pages(&walk, looking->reader.view, NULL, looking->error);

	for (uint64_t n = 0; !code && (got = prn_walk_pages_any(walk, &record, &whole, looking->error)) == 1 && n < most; n++) {
		if (whole) {
			code = take_record(looking, &record);
		} else {
			looking->found->looked++;
			looking->found->unreadable++;
		}
	}
	prn_walk_free(walk);
	return code ? code : got;
}

/* Lists pages of which suspect content is kept.  Returns 1 if there are more. */
static int take_suspects(struct looking *looking, uint64_t most)
{
	const void *name, *bytes;
	size_t name_bytes, count;
	struct prn_walk *walk = NULL;
	int got = 0, code = prn_walk_side(&walk, looking->reader.view, PRN_SIDE_SUSPECTS, looking->error);

	for (uint64_t n = 0; !code && n < most &&
	                     (got = prn_walk_side_next(walk, &name, &name_bytes, &bytes, &count, looking->error)) == 1; n++) {
		struct prn_record record;
		struct prn_digest key;
		bool spoilt = false;

		if (name_bytes != PRN_KEY_BYTES)
			continue;
		key = prn_key_read(name);
		code = prn_store_reader_get(&looking->reader, &key, &record, looking->error);
		if (!code) {
			code = take_record(looking, &record);
		} else if (code == PRN_E_NOT_FOUND) {
			code = 0;
		} else if (code == PRN_E_DAMAGED && !prn_store_reader_is_spoilt(&looking->reader, &key, &spoilt, NULL) && spoilt) {
			looking->found->unreadable++;
			code = 0;
		}
	}
	prn_walk_free(walk);
	return code ? code : got;
}

static int look(struct looking *looking)
{
	const struct asking *asking = looking->asking;
	int queued, more;

	switch (asking->by) {
	case PRN_LISTING_NEXT:
		more = take_queued(looking, asking->limit);
		/* Pages that are due later would not be listed. */
		return more < 0 ? more : 0;
	case PRN_LISTING_SUSPECT:
		more = take_suspects(looking, asking->look);
		break;
	default:
		more = take_any(looking, asking->look);
	}
	looking->found->whole = more == 0;
	if (more != 1 || asking->by != PRN_LISTING_VALUE)
		return more < 0 ? more : 0;
	queued = take_queued(looking, PRN_LISTING_QUEUED);
	return queued < 0 ? queued : 0;
}

/* Lists the pages of one store in *found. */
static int ask(const struct asking *asking, struct prn_decider *decider, unsigned tries, struct prn_listing *found,
               struct prn_error *error)
{
	struct looking looking = { .asking = asking, .decider = decider, .found = found, .error = error };
	struct prn_price price;
	int code = prn_decider_look(decider, tries, &looking.reader.view, error);

	if (code)
		return code;
	code = prn_entry_init(&looking.entry, decider->policy, decider->summary_limit);
	if (code)
		prn_error_memory(error);
	else
		code = prn_decider_price(decider, &looking.reader, &price, error);
	if (!code)
		code = prn_loads_round(decider, &looking.reader, &looking.round_days, error);
	if (!code) {
		looking.threshold = price.threshold;
		looking.costs = price.costs;
		looking.entry.costs = &looking.costs;
		code = look(&looking);
	}
	prn_entry_release(&looking.entry);
	prn_view_close(looking.reader.view);
	return code;
}

/* Moves the pages of *found into the listing. */
static void merge(const struct asking *asking, struct prn_listing *found)
{
	struct prn_listing *to = asking->listing;

	for (size_t i = 0; i < found->count; i++)
		if (!insert(to, &found->items[i], place_of(to, &found->items[i], asking->limit), asking->limit))
			free(found->items[i].url);
	to->looked += found->looked;
	to->found += found->found;
	to->unreadable += found->unreadable;
	to->whole = to->whole && found->whole;
	found->count = 0;
}

static int ask_one(void *context, struct prn_decider *decider, struct prn_error *error)
{
	const struct asking *asking = context;
	struct prn_listing *found = malloc(sizeof *found);
	unsigned tries = 0;
	int code;

	if (!found)
		return prn_error_memory(error);
	prn_listing_init(found);
	do {
		clear(found);
		code = ask(asking, decider, tries, found, error);
	} while (prn_decider_looks_again(code, &tries));
	if (!code)
		merge(asking, found);
	prn_listing_release(found);
	free(found);
	return code;
}

/* Each shard that was made reads an equal part of the pages. */
static int ask_shards(struct prn_decider *root, struct asking *asking, struct prn_error *error)
{
	struct prn_shards_damaged damaged;
	uint64_t each = asking->look / root->shards->count;
	int code;

	asking->look = each > asking->limit ? each : asking->limit;
	code = prn_shards_each_whole(root, ask_one, asking, &damaged, error);
	asking->listing->damaged_shards = damaged.count;
	return code;
}

int prn_decider_list(struct prn_decider *decider, enum prn_listing_by by, int64_t now, size_t limit, size_t most,
                     struct prn_listing *listing, struct prn_error *error)
{
	struct asking asking = { by, now, limit, most > limit ? most : limit, listing };
	int code;

	if ((unsigned)by >= PRN_LISTINGS || !limit || limit > PRN_LISTING_MOST)
		return prn_error_set(error, PRN_E_ARGUMENT, "a listing is in one of %d orders, and of 1 to %d pages", PRN_LISTINGS,
		                     PRN_LISTING_MOST);
	if (prn_decider_check_now(now, error))
		return PRN_E_ARGUMENT;
	clear(listing);
	code = decider->shards ? ask_shards(decider, &asking, error) : ask_one(&asking, decider, error);
	if (code)
		clear(listing);
	return code;
}
