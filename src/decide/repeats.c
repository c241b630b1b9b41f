#include "decide/repeats.h"

#include "base/buffer.h"
#include "perennial/page_state.h"

#include <stdlib.h>
#include <string.h>

#define WAYS 8 /* places of a digest: the oldest of them is given up */
#define ROWS (PRN_REPEATS / WAYS)

struct repeat {
	struct prn_digest payload;
	uint64_t made; /* 0: free */
	uint64_t body, text;
	uint32_t media;
	unsigned cut;
	bool other_media, summarised, complete, of_digest;
	size_t count; /* of the hashes */
};

struct prn_repeats {
	size_t limit;
	uint64_t made; /* so many so far */
	struct repeat *items; /* [ROWS * WAYS] */
	uint64_t *hashes;     /* [ROWS * WAYS * limit] */
};

int prn_repeats_open(struct prn_repeats **out, size_t limit)
{
	struct prn_repeats *repeats = calloc(1, sizeof *repeats);

	if (!repeats)
		return PRN_E_MEMORY;
	repeats->limit = limit;
	*out = repeats;
	return 0;
}

void prn_repeats_free(struct prn_repeats *repeats)
{
	if (!repeats)
		return;
	free(repeats->items);
	free(repeats->hashes);
	free(repeats);
}

/* Most feeds have nothing to note, so that memory is taken when there is.  What is not written to is never touched. */
static int make_room(struct prn_repeats *repeats)
{
	if (!repeats->items)
		repeats->items = calloc(PRN_REPEATS, sizeof *repeats->items);
	if (!repeats->hashes)
		repeats->hashes = calloc(PRN_REPEATS, repeats->limit * sizeof *repeats->hashes);
	return repeats->items && repeats->hashes ? 0 : PRN_E_MEMORY;
}

/* The place of a digest, or where it is not known, the oldest of those that it may have. */
static struct repeat *find(const struct prn_repeats *repeats, const struct prn_digest *payload, bool *found)
{
	struct repeat *row = &repeats->items[payload->low % ROWS * WAYS], *oldest = row;

	for (struct repeat *item = row; item < row + WAYS; item++) {
		*found = item->made && item->payload.low == payload->low && item->payload.high == payload->high;
		if (*found)
			return item;
		if (item->made < oldest->made)
			oldest = item;
	}
	return oldest;
}

static uint64_t *hashes_of(const struct prn_repeats *repeats, const struct repeat *item)
{
	return repeats->hashes + (size_t)(item - repeats->items) * repeats->limit;
}

static int note(struct prn_repeats *repeats, const struct prn_digest *payload, const struct prn_observation *observation)
{
	struct repeat *item;
	bool found;

	if (make_room(repeats))
		return PRN_E_MEMORY;
	item = find(repeats, payload, &found);
	/* What was read stays known. */
	if (found && item->summarised && !observation->summarised && item->body == observation->body) {
		item->made = ++repeats->made;
		return 0;
	}
	*item = (struct repeat){ .payload = *payload, .made = ++repeats->made, .body = observation->body, .text = observation->text,
		                 .media = observation->media, .cut = observation->cut, .other_media = observation->other_media,
		                 .summarised = observation->summarised };
	if (!observation->summarised)
		return 0;
	item->complete = observation->summary.complete;
	item->of_digest = observation->summary.of_digest;
	item->count = observation->summary.count;
	if (item->count)
		memcpy(hashes_of(repeats, item), observation->summary.hashes, item->count * sizeof *repeats->hashes);
	return 0;
}

static int fill(const struct prn_repeats *repeats, const struct repeat *item, struct prn_observation *observation)
{
	uint64_t *grown = prn_array_grow(observation->hashes, &observation->hash_capacity, repeats->limit, sizeof *grown);

	if (!grown)
		return PRN_E_MEMORY;
	observation->hashes = grown;
	observation->kind = PRN_KIND_CONTENT;
	observation->body = item->body;
	observation->text = item->text;
	observation->media = item->media;
	observation->cut = item->cut;
	observation->other_media = item->other_media;
	observation->summarised = item->summarised;
	if (item->count)
		memcpy(grown, hashes_of(repeats, item), item->count * sizeof *grown);
	observation->summary = (struct prn_summary){ grown, item->count, repeats->limit, item->complete, item->of_digest };
	return 0;
}

int prn_repeats_take(struct prn_repeats *repeats, const struct prn_capture *capture, struct prn_observation *observation)
{
	const struct repeat *item;
	bool found = false;

	if (!capture->has_payload_digest)
		return 0;
	if (observation->kind == PRN_KIND_CONTENT)
		return note(repeats, &capture->payload_digest, observation);
	if (!observation->repeated || observation->kind != PRN_KIND_SAME || !repeats->items)
		return 0;
	item = find(repeats, &capture->payload_digest, &found);
	return found ? fill(repeats, item, observation) : 0;
}
