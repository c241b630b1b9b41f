/*
 * Merges what several old shards have in common, and distributes it to the new ones.  All of it is computed from the old store and from
 * the pages of the new one, so if a process dies meanwhile, the next one writes the same again.
 *
 * The gate of a giant is in the root, and each of its shards has its own part of the host's records.  Counts, such as the number of pages
 * that redirects have added, or the evidence of sources and patterns, are summed over the old shards and shared evenly among the new ones,
 * so that the sum stays the same.
 */
#include "decide/reshard_internal.h"

#include "base/clock.h"
#include "decide/answers.h"
#include "decide/giant_gates.h"
#include "decide/hint_sources.h"
#include "decide/ledger.h"
#include "decide/site_drift.h"
#include "decide/target_note.h"
#include "perennial/url.h"
#include "store/host_record.h"
#include "store/schema.h"
#include "store/shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A host that is a giant in the old store, in the new one, or in both. */
struct giant {
	struct prn_host_name name;
	size_t from, to; /* its place among the giants of the old and of the new store; SIZE_MAX: it is no giant there */
	bool has_host, has_sources, has_drift;
	struct prn_host host;
	struct prn_host_sources sources;
	struct prn_site_drift drift;
};

struct merging {
	struct prn_reshard *reshard;
	struct prn_batch *root;
	struct giant **giants; /* [giant_count] */
	size_t giant_count;
	struct prn_settled settled;
	struct prn_answers answers;
	struct prn_requeuing requeuing;
};

/* ---- sums ---- */

static uint32_t sum_of(uint32_t a, uint32_t b)
{
	return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* One part's share of a number that is divided among the parts. */
static uint32_t share_of(uint32_t number, size_t part, size_t parts)
{
	return number / (uint32_t)parts + (part < number % parts);
}

static void add_host(struct prn_host *to, const struct prn_host *host)
{
	to->redirects = sum_of(to->redirects, host->redirects);
	to->fruitless = sum_of(to->fruitless, host->fruitless);
	if (to->turn == PRN_TIME_UNKNOWN || (host->turn != PRN_TIME_UNKNOWN && host->turn < to->turn))
		to->turn = host->turn;
	if (!to->address[0])
		memcpy(to->address, host->address, sizeof to->address);
}

static void scale_trust(struct prn_trust *trust, double by)
{
	double *counts[] = { &trust->hints, &trust->time, &trust->hinted, &trust->changed, &trust->both, &trust->visits };

	for (size_t i = 0; i < PRN_TRUST_DEGREES; i++)
		trust->fit[i] *= by;
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		*counts[i] *= by;
}

/* Log-likelihoods of different visits are added; the best degree has 0. */
static void add_trust(struct prn_trust *to, const struct prn_trust *trust)
{
	double best = -INFINITY;

	for (size_t i = 0; i < PRN_TRUST_DEGREES; i++) {
		to->fit[i] += trust->fit[i];
		best = fmax(best, to->fit[i]);
	}
	for (size_t i = 0; i < PRN_TRUST_DEGREES; i++)
		to->fit[i] -= best;
	to->hints += trust->hints;
	to->time += trust->time;
	to->hinted += trust->hinted;
	to->changed += trust->changed;
	to->both += trust->both;
	to->visits += trust->visits;
}

/* If there are too many sources, those that last gave hints are kept. */
static struct prn_host_source *place_for(struct prn_host_sources *to, const struct prn_host_source *source)
{
	struct prn_host_source *oldest = &to->sources[0];

	if (to->count < PRN_HOST_SOURCES)
		return &to->sources[to->count++];
	for (size_t i = 1; i < to->count; i++)
		if (to->sources[i].named < oldest->named)
			oldest = &to->sources[i];
	return oldest->named < source->named ? oldest : NULL;
}

static void add_sources(struct prn_host_sources *to, const struct prn_host_sources *sources)
{
	to->added = sum_of(to->added, sources->added);
	to->added_below = sum_of(to->added_below, sources->added_below);
	for (size_t i = 0; i < sources->count; i++) {
		const struct prn_host_source *source = &sources->sources[i];
		struct prn_host_source *place = prn_host_sources_find(to, source->number);

		if (place) {
			place->named = prn_time_later(place->named, source->named);
			place->day = prn_time_later(place->day, source->day);
			place->today = sum_of(place->today, source->today);
			add_trust(&place->trust, &source->trust);
		} else if ((place = place_for(to, source))) {
			*place = *source;
		}
	}
}

static void share_sources(struct prn_host_sources *sources, size_t part, size_t parts)
{
	sources->added = share_of(sources->added, part, parts);
	sources->added_below = share_of(sources->added_below, part, parts);
	for (size_t i = 0; i < sources->count; i++) {
		sources->sources[i].today = share_of(sources->sources[i].today, part, parts);
		scale_trust(&sources->sources[i].trust, 1.0 / (double)parts);
	}
}

static void add_evidence(struct prn_evidence *to, const struct prn_evidence *evidence)
{
	to->drift += evidence->drift;
	to->known += evidence->known;
}

/* If there are too many patterns, those with most evidence are kept. */
static void add_pattern(struct prn_site_drift *to, const struct prn_site_pattern *pattern)
{
	struct prn_site_pattern *place = prn_site_drift_find(to, pattern->number), *least = &to->patterns[0];

	if (place) {
		place->since = prn_time_later(place->since, pattern->since);
		place->last = prn_time_later(place->last, pattern->last);
		place->pages = sum_of(place->pages, pattern->pages);
		add_evidence(&place->evidence, &pattern->evidence);
		return;
	}
	if (to->count < PRN_SITE_PATTERNS) {
		to->patterns[to->count++] = *pattern;
		return;
	}
	for (size_t i = 1; i < to->count; i++)
		if (to->patterns[i].evidence.known < least->evidence.known)
			least = &to->patterns[i];
	to->uncounted = prn_time_later(to->uncounted, least->evidence.known < pattern->evidence.known ? least->last : pattern->last);
	if (least->evidence.known < pattern->evidence.known)
		*least = *pattern;
}

static void add_drift(struct prn_site_drift *to, const struct prn_site_drift *drift)
{
	add_evidence(&to->evidence, &drift->evidence);
	to->pages = sum_of(to->pages, drift->pages);
	to->host_since = prn_time_later(to->host_since, drift->host_since);
	to->uncounted = prn_time_later(to->uncounted, drift->uncounted);
	for (size_t i = 0; i < drift->count; i++)
		add_pattern(to, &drift->patterns[i]);
}

/*
 * No part has all that any one page has said, so no part may take it back: the patterns are dated to the last visit, and pages
 * take back only what they said later.
 */
static void share_drift(struct prn_site_drift *drift, size_t part, size_t parts)
{
	int64_t last = prn_time_later(drift->host_since, drift->uncounted);

	for (size_t i = 0; i < drift->count; i++)
		last = prn_time_later(last, prn_time_later(drift->patterns[i].since, drift->patterns[i].last));
	drift->evidence.drift /= (double)parts;
	drift->evidence.known /= (double)parts;
	drift->pages = share_of(drift->pages, part, parts);
	drift->host_since = last;
	for (size_t i = 0; i < drift->count; i++) {
		struct prn_site_pattern *pattern = &drift->patterns[i];

		pattern->evidence.drift /= (double)parts;
		pattern->evidence.known /= (double)parts;
		pattern->pages = share_of(pattern->pages, part, parts);
		pattern->since = last;
	}
}

/* ---- from the old shards ---- */

static int gather_giant(struct giant *giant, const struct prn_store_reader *reader, struct prn_error *error)
{
	const void *bytes;
	size_t count;
	struct prn_host host;
	struct prn_host_sources *sources;
	struct prn_site_drift drift;
	int code = prn_store_reader_side(reader, PRN_SIDE_HOSTS, giant->name.text, giant->name.length, &bytes, &count, error);

	if (!code && !prn_host_decode(&host, bytes, count)) {
		if (giant->has_host)
			add_host(&giant->host, &host);
		else
			giant->host = host;
		giant->has_host = true;
	}
	if (code && code != PRN_E_NOT_FOUND)
		return code;
	code = prn_store_reader_side(reader, PRN_SIDE_SIBLINGS, giant->name.text, giant->name.length, &bytes, &count, error);
	if (!code && prn_site_drift_is_whole(bytes, count)) {
		code = prn_site_drift_read(&drift, reader, giant->name, INT64_MAX, error);
		if (!code && giant->has_drift)
			add_drift(&giant->drift, &drift);
		else if (!code)
			giant->drift = drift;
		giant->has_drift = true;
	}
	if (code && code != PRN_E_NOT_FOUND)
		return code;
	sources = malloc(sizeof *sources);
	code = sources ? prn_host_sources_read(sources, reader, giant->name, error) : prn_error_memory(error);
	if (!code && (sources->count || sources->added)) {
		add_sources(&giant->sources, sources);
		giant->has_sources = true;
	}
	free(sources);
	return code;
}

/* Adds a page that a redirect led to, as the next process that opened its shard would have added it. */
static int add_target(struct prn_reshard *reshard, const struct prn_shard_message *target, struct prn_error *error)
{
	struct prn_entry *page = &reshard->from->other;
	struct prn_reshard_part *part;
	struct prn_store_reader reader;
	int code = prn_reshard_part(reshard, prn_reshard_place(reshard, target->url), &part, error);

	if (code)
		return code;
	reader = (struct prn_store_reader){ .batch = part->batch };
	code = prn_target_find(page, &reader, target, error);
	if (code || page->known)
		return code;
	reshard->done.added++;
	return prn_entry_put(page, part->batch, error);
}

static int add_targets(struct prn_reshard *reshard, struct prn_view *view, struct prn_error *error)
{
	const void *name, *bytes;
	size_t name_bytes, count;
	struct prn_walk *walk = NULL;
	int got = 0, code = prn_walk_side(&walk, view, PRN_SIDE_META, error);

	while (!code && (got = prn_walk_side_next(walk, &name, &name_bytes, &bytes, &count, error)) == 1) {
		struct prn_shard_message target;

		if (!prn_target_note_is(name, name_bytes))
			continue;
		code = prn_target_note_read(&target, name, name_bytes, bytes, count);
		/* A note that cannot be read is left out, as when the shard is opened. */
		if (code == PRN_E_DAMAGED) {
			code = 0;
			continue;
		}
		code = code ? prn_error_memory(error) : add_target(reshard, &target, error);
		free(target.url);
	}
	prn_walk_free(walk);
	return code ? code : got;
}

/* A store without shards has its sums among its settings, which are copied to the root. */
static int gather_sums(struct merging *merging, const struct prn_store_reader *reader, struct prn_error *error)
{
	double budget_per_day = merging->reshard->from->budget_per_day;
	struct prn_requeuing *requeuing = &merging->requeuing;
	struct prn_settled settled;
	struct prn_answers answers;
	struct prn_ledger ledger;
	int code = prn_ledger_read(&ledger, budget_per_day, reader, error);

	if (code)
		return code;
	/* A pass of requeuing continues with all pages, and begins anew where they came from several shards. */
	requeuing->queued_at = fmax(requeuing->queued_at, ledger.requeuing.queued_at);
	requeuing->highest = fmax(requeuing->highest, ledger.requeuing.highest);
	if (merging->reshard->from_count == 1) {
		requeuing->cursor = ledger.requeuing.cursor;
		return 0;
	}
	code = prn_settled_read(&settled, reader, error);
	if (!code)
		code = prn_answers_read(&answers, reader, error);
	if (code)
		return code;
	prn_settled_add(&merging->settled, &settled);
	prn_answers_add(&merging->answers, &answers);
	return 0;
}

static int gather(struct prn_reshard *reshard, const struct prn_reshard_source *source, void *context, struct prn_error *error)
{
	const struct prn_store_reader reader = { .view = source->view };
	struct merging *merging = context;
	bool counted;
	int code = prn_site_drift_counts_all(&reader, &counted, error);

	if (!code)
		code = gather_sums(merging, &reader, error);
	for (size_t i = 0; i < merging->giant_count && !code; i++)
		code = gather_giant(merging->giants[i], &reader, error);
	if (!code)
		code = add_targets(reshard, source->view, error);
	reshard->all_counted &= counted;
	return code;
}

/* ---- giants in new shards ---- */

/* The pages of a giant in a new shard that wait or are out. */
struct pages {
	bool waits;        /* some wait … */
	int64_t first;     /* … and the first of these has been due since then */
	int64_t *leases;   /* [count] ends of leases */
	size_t count, capacity;
};

static int look_at_waiting(struct pages *pages, struct prn_view *view, struct prn_host_name name, struct prn_error *error)
{
	uint64_t number = prn_host_number(name);
	struct prn_queued queued;
	struct prn_walk *walk = NULL;
	int code = prn_walk_waiting(&walk, view, number, NULL, error), got = code ? 0 : prn_walk_waiting_next(walk, number, &queued, error);

	prn_walk_free(walk);
	pages->waits = got == 1;
	if (pages->waits)
		pages->first = queued.time;
	return code ? code : got < 0 ? got : 0;
}

static int look_at_leases(struct pages *pages, struct prn_view *view, struct prn_host_name name, struct prn_error *error)
{
	struct prn_queued queued;
	struct prn_record page;
	struct prn_walk *walk = NULL;
	int got = 0, code = prn_walk_queue(&walk, view, PRN_QUEUE_LEASES, INT64_MIN, error);

	while (!code && (got = prn_walk_queue_next(walk, &queued, error)) == 1) {
		char normal[PRN_URL_BYTES + 1];
		struct prn_host_name host;
		int64_t *grown;

		code = prn_view_get(view, &queued.key, &page, error);
		if (code || prn_url_normalize(page.url, SIZE_MAX, normal, sizeof normal))
			continue;
		host = prn_host_name(normal);
		if (host.length != name.length || memcmp(host.text, name.text, name.length) != 0)
			continue;
		grown = prn_array_grow(pages->leases, &pages->capacity, pages->count + 1, sizeof *grown);
		if (!grown) {
			code = prn_error_memory(error);
			continue;
		}
		pages->leases = grown;
		grown[pages->count++] = queued.time;
	}
	prn_walk_free(walk);
	return code ? code : got;
}

/* Adds the shard's leases to those of other shards, and replaces what was found of pages that wait. */
static int look_at_pages(struct pages *pages, const struct prn_reshard_part *part, struct prn_host_name name, struct prn_error *error)
{
	struct prn_view *view;
	int code = prn_view_open(&view, part->store, error);

	if (code)
		return code;
	code = prn_view_freeze(view, error);
	if (!code)
		code = look_at_waiting(pages, view, name, error);
	if (!code)
		code = look_at_leases(pages, view, name, error);
	prn_view_close(view);
	return code;
}

static int put_host(const struct giant *giant, struct prn_host *host, const struct pages *pages, struct prn_batch *batch, struct prn_error *error)
{
	unsigned char bytes[PRN_HOST_BYTES], key[PRN_TURN_BYTES];
	int code;

	/* Pages that wait have a turn; it is the old one, in whichever shard they waited. */
	host->turn = !pages->waits ? PRN_TIME_UNKNOWN : giant->host.turn != PRN_TIME_UNKNOWN ? giant->host.turn : pages->first;
	code = prn_batch_side_put(batch, PRN_SIDE_HOSTS, giant->name.text, giant->name.length, bytes, prn_host_encode(host, bytes), error);
	if (code || host->turn == PRN_TIME_UNKNOWN)
		return code;
	prn_turn_key(host->turn, prn_host_number(giant->name), key);
	return prn_batch_side_put(batch, PRN_SIDE_TURNS, key, sizeof key, giant->name.text, giant->name.length, error);
}

static int put_known(const struct giant *giant, size_t number, size_t parts, struct prn_batch *batch, struct prn_error *error)
{
	struct prn_site_drift drift = giant->drift;
	struct prn_host_sources *sources = malloc(sizeof *sources);
	int code = sources ? 0 : prn_error_memory(error);

	if (!code && giant->has_drift) {
		if (parts > 1)
			share_drift(&drift, number, parts);
		code = prn_site_drift_put(&drift, batch, giant->name, error);
	}
	if (!code && giant->has_sources) {
		*sources = giant->sources;
		share_sources(sources, number, parts);
		code = prn_host_sources_put(sources, batch, giant->name, error);
	}
	free(sources);
	return code;
}

/*
 * Makes a host's record of a gate.  The host has as many leases as pages of it are out.  Permits without a page that is out, which a
 * process that died has left, hold the host back until they end.
 */
static struct prn_host host_of_gate(const struct giant *giant, const struct prn_giant_gate *gate, const struct pages *pages)
{
	struct prn_host host = gate->host;

	host.redirects = giant->host.redirects;
	host.fruitless = giant->host.fruitless;
	memcpy(host.address, giant->host.address, sizeof host.address);
	host.leased = gate->count ? (uint32_t)pages->count : 0;
	host.leased_until = PRN_TIME_UNKNOWN;
	for (size_t i = 0; i < pages->count && host.leased; i++)
		host.leased_until = prn_time_later(host.leased_until, pages->leases[i]);
	for (size_t i = 0; i < gate->count; i++) {
		size_t out = 0;

		for (size_t j = 0; j < pages->count; j++)
			out += pages->leases[j] == gate->out[i].end;
		if (gate->out[i].count > out)
			host.until = prn_time_later(host.until, gate->out[i].end);
	}
	return host;
}

/* Makes a gate of a host's record, with a permit for each of its pages that is out, if they were counted. */
static int gate_of_host(const struct giant *giant, const struct pages *pages, struct prn_giant_gate *gate, struct prn_error *error)
{
	struct prn_host *host = &gate->host;

	if (giant->has_host)
		*host = giant->host;
	host->leased = host->redirects = host->fruitless = 0;
	host->leased_until = host->turn = PRN_TIME_UNKNOWN;
	memset(host->address, 0, sizeof host->address);
	for (size_t i = 0; i < pages->count && giant->has_host && giant->host.leased; i++)
		if (prn_giant_gate_add(gate, pages->leases[i], 1))
			return prn_error_memory(error);
	return 0;
}

/* The giant becomes an ordinary host, in one shard. */
static int put_as_host(struct merging *merging, const struct giant *giant, const struct prn_giant_gate *gate, struct prn_error *error)
{
	struct prn_reshard *reshard = merging->reshard;
	struct pages pages = { 0 };
	struct prn_reshard_part *part;
	struct prn_host host;
	int code = prn_reshard_part(reshard, prn_reshard_place_of_host(reshard, giant->name), &part, error);

	if (!code)
		code = look_at_pages(&pages, part, giant->name, error);
	if (!code) {
		host = host_of_gate(giant, gate, &pages);
		code = put_host(giant, &host, &pages, part->batch, error);
	}
	if (!code)
		code = put_known(giant, 0, 1, part->batch, error);
	free(pages.leases);
	return code;
}

static int put_part(struct merging *merging, const struct giant *giant, size_t number, struct pages *pages, struct prn_error *error)
{
	struct prn_reshard *reshard = merging->reshard;
	const struct prn_giant *to = &reshard->to_shards.giants[giant->to];
	size_t place = prn_giant_shard(to, number, reshard->count);
	struct prn_reshard_part *part;
	struct prn_host host;
	int code;

	/* No shard is made for a part of the giant that has no pages and no share of its records. */
	if (!reshard->made[place] && !giant->has_drift && !giant->has_sources && !giant->host.redirects && !giant->host.fruitless)
		return 0;
	code = prn_reshard_part(reshard, place, &part, error);
	if (!code)
		code = look_at_pages(pages, part, giant->name, error);
	if (code)
		return code;
	prn_host_init(&host);
	host.redirects = share_of(giant->host.redirects, number, to->parts);
	host.fruitless = share_of(giant->host.fruitless, number, to->parts);
	if (pages->waits || host.redirects || host.fruitless)
		code = put_host(giant, &host, pages, part->batch, error);
	return code ? code : put_known(giant, number, to->parts, part->batch, error);
}

static int put_as_giant(struct merging *merging, const struct giant *giant, struct prn_giant_gate *gate, struct prn_error *error)
{
	const struct prn_giant *to = &merging->reshard->to_shards.giants[giant->to];
	struct pages pages = { 0 };
	int code = 0;

	for (size_t i = 0; i < to->parts && !code; i++)
		code = put_part(merging, giant, i, &pages, error);
	if (!code && giant->from == SIZE_MAX)
		code = gate_of_host(giant, &pages, gate, error);
	if (!code && (giant->from != SIZE_MAX || giant->has_host))
		code = prn_giant_gate_put(gate, merging->root, to, error);
	free(pages.leases);
	return code;
}

static int put_giant(struct merging *merging, const struct giant *giant, struct prn_error *error)
{
	struct prn_decider *from = merging->reshard->from;
	struct prn_giant_gate gate;
	int code;

	prn_giant_gate_init(&gate);
	code = giant->from != SIZE_MAX ? prn_giant_read(from, giant->from, &gate, error) : 0;
	if (!code)
		code = giant->to == SIZE_MAX ? put_as_host(merging, giant, &gate, error) : put_as_giant(merging, giant, &gate, error);
	prn_giant_gate_release(&gate);
	return code;
}

/* ---- all of it ---- */

static struct prn_host_name name_of(const struct prn_giant *giant)
{
	return (struct prn_host_name){ giant->name, strlen(giant->name) };
}

static int append_giant(struct merging *merging, const struct giant *giant, struct prn_error *error)
{
	struct giant **grown = realloc(merging->giants, (merging->giant_count + 1) * sizeof *grown), *own;

	if (!grown)
		return prn_error_memory(error);
	merging->giants = grown;
	own = calloc(1, sizeof *own);
	if (!own)
		return prn_error_memory(error);
	*own = *giant;
	prn_host_init(&own->host);
	grown[merging->giant_count++] = own;
	return 0;
}

static int list_giants(struct merging *merging, struct prn_error *error)
{
	const struct prn_reshard *reshard = merging->reshard;
	const struct prn_shards *from = reshard->from->shards, *to = &reshard->to_shards;
	int code = 0;

	for (size_t i = 0; from && i < from->giant_count && !code; i++) {
		struct prn_host_name name = name_of(&from->giants[i]);
		const struct giant giant = { .name = name, .from = i, .to = prn_giant_find(&reshard->to, name) };

		code = append_giant(merging, &giant, error);
	}
	for (size_t i = 0; i < to->giant_count && !code; i++) {
		const struct giant giant = { .name = name_of(&to->giants[i]), .from = SIZE_MAX, .to = i };

		if (prn_giant_find(reshard->from, giant.name) == SIZE_MAX)
			code = append_giant(merging, &giant, error);
	}
	return code;
}

/* Adds what was settled in shards to the root's ledger, as the next call of due would do. */
static int put_sums(struct merging *merging, struct prn_error *error)
{
	const struct prn_reshard *reshard = merging->reshard;
	const struct prn_store_reader reader = { .batch = merging->root };
	struct prn_answers answers;
	struct prn_ledger ledger;
	int code = prn_answers_read(&answers, &reader, error);

	if (code)
		return code;
	prn_answers_add(&answers, &merging->answers);
	if (answers.looks > 0)
		code = prn_answers_put(&answers, merging->root, error);
	if (!code)
		code = prn_ledger_read(&ledger, reshard->from->budget_per_day, &reader, error);
	if (code || !(reshard->from->budget_per_day > 0))
		return code;
	prn_ledger_add_settled(&ledger, reshard->from->budget_per_day, &merging->settled);
	ledger.requeuing = reshard->count == 1 ? merging->requeuing : (struct prn_requeuing){ 0 };
	/* A ledger that has not begun is not written, as in a store that nobody has asked for pages. */
	return ledger.at == PRN_TIME_UNKNOWN && !ledger.settled ? 0 : prn_ledger_put(&ledger, merging->root, error);
}

/* Each of several shards keeps how far its own pages are requeued. */
static int put_requeuing(struct merging *merging, struct prn_error *error)
{
	struct prn_reshard *reshard = merging->reshard;
	int code = 0;

	if (reshard->count == 1 || !(merging->requeuing.queued_at > 0))
		return 0;
	for (size_t i = 0; i < reshard->count && !code; i++) {
		struct prn_reshard_part *part;
		struct prn_store_reader reader = { 0 };
		struct prn_ledger ledger;

		if (!reshard->made[i])
			continue;
		code = prn_reshard_part(reshard, i, &part, error);
		if (!code) {
			reader.batch = part->batch;
			code = prn_ledger_read(&ledger, reshard->from->budget_per_day, &reader, error);
		}
		if (!code) {
			ledger.requeuing = merging->requeuing;
			ledger.settled = false;
			code = prn_ledger_put(&ledger, part->batch, error);
		}
	}
	return code;
}

int prn_reshard_merge(struct prn_reshard *reshard, struct prn_batch *root, struct prn_error *error)
{
	struct merging merging = { .reshard = reshard, .root = root };
	int code = list_giants(&merging, error);

	reshard->all_counted = true;
	if (!code)
		code = prn_reshard_each_source(reshard, gather, &merging, error);
	/* The next steps read the new shards through views, which show only what is committed. */
	if (!code)
		code = prn_reshard_commit_parts(reshard, error);
	for (size_t i = 0; i < merging.giant_count && !code; i++)
		code = put_giant(&merging, merging.giants[i], error);
	if (!code)
		code = put_sums(&merging, error);
	if (!code)
		code = put_requeuing(&merging, error);
	for (size_t i = 0; i < merging.giant_count; i++)
		free(merging.giants[i]);
	free(merging.giants);
	return code;
}
