#include "perennial/stats.h"

#include "decide/answers.h"
#include "decide/giant_gates.h"
#include "decide/held_internal.h"
#include "decide/loads.h"
#include "decide/ledger.h"
#include "decide/hint_sources.h"
#include "decide/named_sources.h"
#include "decide/shards.h"
#include "decide/unreadable.h"
#include "store/shared.h"

#include "perennial/url.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Counts a host that is held back; those that have spent most are kept, in order. */
static void add_host(struct prn_stats *stats, const struct prn_held_host *host)
{
	size_t count = stats->held_hosts++ < PRN_STATS_HOSTS ? (size_t)stats->held_hosts : PRN_STATS_HOSTS, at = count;

	stats->held_by[host->held]++;
	if (stats->held_hosts > PRN_STATS_HOSTS && stats->hosts[count - 1].spent >= host->spent)
		return;
	for (at = count - 1; at && stats->hosts[at - 1].spent < host->spent; at--)
		stats->hosts[at] = stats->hosts[at - 1];
	stats->hosts[at] = *host;
}

/* Only hosts that pages wait for have a turn, so these are read. */
static int look_at_hosts(const struct prn_decider *decider, const struct prn_store_reader *reader,
                         const struct prn_share *share, int64_t now, struct prn_stats *stats, struct prn_error *error)
{
	const void *key, *text;
	struct prn_known_host known;
	struct prn_host_name name;
	struct prn_walk *walk = NULL;
	size_t key_bytes;
	uint64_t number;
	int64_t turn;
	int code = prn_walk_side(&walk, reader->view, PRN_SIDE_TURNS, error);

	for (unsigned i = 0; !code && i < PRN_STATS_WAITED_FOR && (code = prn_walk_side_next(walk, &key, &key_bytes, &text, &name.length, error)) == 1; i++) {
		struct prn_held_host held = { 0 };

		code = 0;
		name.text = text;
		if (prn_turn_read(key, key_bytes, name, &turn, &number))
			continue;
		code = prn_host_find(&known, reader, &decider->options, name, error);
		if (!code)
			code = prn_giant_merge((struct prn_decider *)decider, &known, now, error);
		if (!code)
			held.held = prn_held_by(&known, share, now, &held.until);
		if (code || held.held == PRN_HELD_NOT)
			continue;
		memcpy(held.name, name.text, name.length);
		held.spent = known.host.spent;
		held.leased = known.host.leased;
		add_host(stats, &held);
	}
	prn_walk_free(walk);
	return code;
}

/* Counts the entries of a lane of a queue whose time has come. */
static int count_come(struct prn_view *view, enum prn_queue queue, enum prn_lane lane, int64_t now, uint64_t *count, struct prn_error *error)
{
	struct prn_queued queued;
	struct prn_walk *walk = NULL;
	int code = prn_walk_lane(&walk, view, queue, lane, INT64_MIN, error);

	while (!code && *count < PRN_STATS_OVERDUE && (code = prn_walk_queue_next(walk, &queued, error)) == 1) {
		if (queued.lane != lane || queued.time > now)
			break;
		code = 0;
		++*count;
	}
	prn_walk_free(walk);
	return code < 0 ? code : 0;
}

/* Copies the half hours of the ledger, in their order. */
static void copy_slots(const struct prn_ledger *ledger, struct prn_stats *stats)
{
	stats->given_day = stats->forgiven_day = 0;
	for (int64_t i = 0; i < PRN_STATS_SLOTS; i++) {
		const struct prn_ledger_slot *slot = &ledger->slots[prn_ledger_place(ledger->slot + 1 + i - PRN_STATS_SLOTS)];

		stats->given[i] = fmax(0, slot->amount + slot->forgiven);
		stats->thresholds[i] = slot->threshold;
		stats->given_day += slot->amount + slot->forgiven;
		stats->forgiven_day += slot->forgiven;
	}
	stats->given_day = fmax(0, stats->given_day);
	stats->slot_time = ledger->slot * PRN_LEDGER_SLOT_S;
}

/* Brings the ledger to now. */
static int look_at_ledger(struct prn_decider *decider, struct prn_ledger *ledger, const struct prn_store_reader *reader, int64_t now,
                          const struct prn_costs *costs, struct prn_stats *stats, struct prn_share *share, struct prn_error *error)
{
	int code;

	prn_ledger_advance(ledger, stats->budget_per_day, now);
	stats->left = ledger->left;
	stats->room = prn_ledger_room(ledger, stats->budget_per_day, &stats->room_time);
	copy_slots(ledger, stats);
	*share = prn_share_of(decider->options.host_share, stats->budget_per_day, stats->left, prn_ledger_is_shared(ledger));
	code = prn_loads_at(decider, costs, reader, stats->threshold, &stats->load_per_day, &stats->new_load_per_day, error);
	stats->sought = ledger->gain;
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

static int look_at_budget(struct prn_decider *decider, const struct prn_store_reader *reader, int64_t now, const struct prn_costs *costs,
                          struct prn_stats *stats, struct prn_share *share, struct prn_error *error)
{
	struct prn_ledger ledger;
	int code = prn_ledger_read(&ledger, stats->budget_per_day, reader, error);

	/* Answers that were counted with an earlier budget stay in the store, and are left out without one. */
	if (!code && stats->counted)
		code = prn_answers_read(&stats->answers, reader, error);
	return code ? code : look_at_ledger(decider, &ledger, reader, now, costs, stats, share, error);
}

struct adding_sources {
	struct prn_stats *stats;
	struct prn_named_sources *named;
};

static int add_source(void *context, const struct prn_hint_source *source)
{
	const struct adding_sources *adding = context;
	const struct prn_source_sum sum = { 1, source->trust, source->hints, source->hinted, source->changed, source->both, source->visits };

	prn_source_sum_add(&adding->stats->sources[prn_source_kind(source->source)], &sum);
	prn_named_sources_add(adding->named, source->source, &sum);
	return 0;
}

/* Reads the statistics of pages and hosts of a store, or of one of its shards, and adds its sources to those in *named. */
static int look_at_pages(struct prn_decider *decider, const struct prn_store_reader *reader, const struct prn_share *share,
                         int64_t now, struct prn_stats *found, struct prn_named_sources *named, struct prn_error *error)
{
	/* In the order in which they count, of more than are counted. */
	static const enum prn_lane lanes[PRN_LANES] = { PRN_LANE_NEW, PRN_LANE_VAIN, PRN_LANE_KNOWN };
	struct adding_sources adding = { found, named };
	int code = prn_store_totals_one(decider->store, &found->totals, error);

	for (size_t i = 0; i < PRN_LANES && !code; i++) {
		code = count_come(reader->view, PRN_QUEUE_DUE, lanes[i], now, &found->overdue, error);
		if (lanes[i] != PRN_LANE_KNOWN)
			found->overdue_new = found->overdue;
	}
	if (!code)
		code = count_come(reader->view, PRN_QUEUE_LEASES, PRN_LANE_KNOWN, now, &found->ended, error);
	if (!code)
		code = prn_unreadable_count(reader, now, &found->unreadable, error);
	if (!code)
		code = look_at_hosts(decider, reader, share, now, found, error);
	if (!code)
		code = prn_sources_list(reader->view, PRN_STATS_SOURCES, add_source, &adding, &found->damaged_sources, error);
	found->due = found->overdue + found->totals.waiting;
	if (found->totals.pages > found->totals.due + found->totals.leased)
		found->retired = found->totals.pages - found->totals.due - found->totals.leased;
	return code;
}

static int look(struct prn_decider *decider, int64_t now, unsigned tries, struct prn_share *share, struct prn_stats *stats,
                struct prn_named_sources *named, struct prn_error *error)
{
	struct prn_stats found = { .room_time = now };
	struct prn_store_reader reader = { 0 };
	struct prn_price price = { 0 };
	int code = prn_decider_look(decider, tries, &reader.view, error);

	if (code)
		return code;
	code = prn_decider_price(decider, &reader, &price, error);
	found.threshold = price.threshold;
	found.budget_per_day = price.budget_per_day;
	found.unit = price.costs.unit;
	found.counted = prn_costs_are_counted(&price.costs);
	memcpy(found.cost_304, price.costs.text, sizeof found.cost_304);
	if (!code && found.budget_per_day > 0)
		code = look_at_budget(decider, &reader, now, &price.costs, &found, share, error);
	if (!code)
		code = look_at_pages(decider, &reader, share, now, &found, named, error);
	prn_view_close(reader.view);
	if (!code)
		*stats = found;
	return code;
}

/* A giant is one host, though pages wait for it in several shards. */
static bool is_listed(const struct prn_stats *stats, const struct prn_held_host *host)
{
	uint64_t named = stats->held_hosts < PRN_STATS_HOSTS ? stats->held_hosts : PRN_STATS_HOSTS;

	for (uint64_t i = 0; i < named; i++)
		if (!strcmp(stats->hosts[i].name, host->name))
			return true;
	return false;
}

/* Adds the statistics of a shard to those of the root, which has the budget's. */
static void add_stats(struct prn_stats *to, const struct prn_stats *stats)
{
	uint64_t named = stats->held_hosts < PRN_STATS_HOSTS ? stats->held_hosts : PRN_STATS_HOSTS;

	prn_store_totals_add(&to->totals, &stats->totals);
	to->due += stats->due;
	to->overdue += stats->overdue;
	to->overdue_new += stats->overdue_new;
	to->ended += stats->ended;
	to->retired += stats->retired;
	to->unreadable += stats->unreadable;
	prn_answers_add(&to->answers, &stats->answers);
	to->damaged_sources += stats->damaged_sources;
	for (size_t i = 0; i < PRN_SOURCE_KINDS; i++)
		prn_source_sum_add(&to->sources[i], &stats->sources[i]);
	for (uint64_t i = 0; i < named; i++)
		if (!is_listed(to, &stats->hosts[i]))
			add_host(to, &stats->hosts[i]);
	/* Hosts that the shard does not name are only counted; add_host has counted the named ones. */
	to->held_hosts += stats->held_hosts - named;
	for (size_t i = 0; i < PRN_HELD_KINDS; i++)
		to->held_by[i] += stats->held_by[i];
	for (uint64_t i = 0; i < named; i++)
		to->held_by[stats->hosts[i].held]--;
}

static void add_shard(struct prn_stats_shards *shards, size_t shard, uint64_t pages)
{
	if (!shards->made || pages < shards->least)
		shards->least = pages;
	if (!shards->made++ || pages > shards->most) {
		shards->most = pages;
		shards->fullest = shard;
	}
}

struct adding_up {
	struct prn_share share;
	int64_t now;
	struct prn_stats *stats;
	struct prn_settled settled; /* of all shards, not yet in the ledger */
	struct prn_named_sources *named, *before; /* before: as they were before the present shard */
};

static int stats_of_shard(void *context, struct prn_decider *shard, struct prn_error *error)
{
	struct adding_up *adding = context;
	struct prn_settled settled = { 0 };
	struct prn_stats found = { 0 };
	unsigned tries = 0;
	int code;

	prn_named_sources_copy(adding->before, adding->named);
	do {
		struct prn_store_reader reader = { 0 };

		found = (struct prn_stats){ 0 };
		code = prn_decider_look(shard, tries, &reader.view, error);
		if (code)
			return code;
		code = adding->stats->counted ? prn_answers_read(&found.answers, &reader, error) : 0;
		if (!code)
			code = prn_settled_read(&settled, &reader, error);
		if (!code)
			code = look_at_pages(shard, &reader, &adding->share, adding->now, &found, adding->named, error);
		prn_view_close(reader.view);
		/* The sources that were found so far are found again, or the shard is left out as a whole. */
		if (code)
			prn_named_sources_copy(adding->named, adding->before);
	} while (prn_decider_looks_again(code, &tries));
	if (code)
		return code;
	add_stats(adding->stats, &found);
	add_shard(&adding->stats->shards, shard->shard, found.totals.pages);
	prn_settled_add(&adding->settled, &settled);
	return 0;
}

/* Shards that are damaged or gone are only counted. */
static int stats_of_shards(struct prn_decider *root, struct adding_up *adding, struct prn_error *error)
{
	struct prn_shards_damaged damaged;
	int code = prn_shards_each_answering(root, stats_of_shard, adding, &damaged, error);

	adding->stats->damaged_shards = damaged.count;
	adding->stats->first_damaged = damaged.first;
	adding->stats->shards.made += damaged.count;
	return code;
}

/* Reads the budget as it will be when the amounts that were settled in shards are in the ledger. */
static int look_again_at_budget(struct prn_decider *root, const struct adding_up *adding, struct prn_error *error)
{
	struct prn_share share = prn_share_none();
	unsigned tries = 0;
	int code;

	do {
		struct prn_store_reader reader = { 0 };
		struct prn_ledger ledger;
		struct prn_price price;

		code = prn_decider_look(root, tries, &reader.view, error);
		if (code)
			return code;
		code = prn_decider_price(root, &reader, &price, error);
		if (!code)
			code = prn_ledger_read(&ledger, adding->stats->budget_per_day, &reader, error);
		if (!code) {
			prn_ledger_add_settled(&ledger, adding->stats->budget_per_day, &adding->settled);
			code = look_at_ledger(root, &ledger, &reader, adding->now, &price.costs, adding->stats, &share, error);
		}
		prn_view_close(reader.view);
	} while (prn_decider_looks_again(code, &tries));
	return code;
}

static int find_stats(struct prn_decider *decider, int64_t now, struct adding_up *adding, struct prn_error *error)
{
	struct prn_stats *found = adding->stats;
	unsigned tries = 0;
	int code;

	do {
		adding->share = prn_share_none();
		prn_named_sources_clear(adding->named);
		code = look(decider, now, tries, &adding->share, found, adding->named, error);
	} while (prn_decider_looks_again(code, &tries));
	if (code)
		return code;
	found->shards.count = decider->shards ? decider->shards->count : 0;
	if (decider->shards)
		code = stats_of_shards(decider, adding, error);
	if (!code && decider->shards && found->budget_per_day > 0)
		code = look_again_at_budget(decider, adding, error);
	if (!code)
		prn_named_sources_write(adding->named, found);
	return code;
}

int prn_decider_stats(struct prn_decider *decider, int64_t now, struct prn_stats *stats, struct prn_error *error)
{
	struct prn_stats found;
	struct adding_up adding = { .now = now, .stats = &found };
	int code = prn_named_sources_open(&adding.named, error);

	if (!code && decider->shards)
		code = prn_named_sources_open(&adding.before, error);
	if (!code)
		code = find_stats(decider, now, &adding, error);
	if (!code)
		*stats = found;
	prn_named_sources_free(adding.named);
	prn_named_sources_free(adding.before);
	return code;
}

static size_t count_idle(const bool *matched, size_t count)
{
	size_t idle = 0;

	for (size_t i = 0; i < count; i++)
		idle += !matched[i];
	return idle;
}

/* A look for rules that rule no page. */
struct idling {
	bool *matched;   /* [options.host_count]: a page under the rule was found, or it is for all hosts or for a group */
	uint64_t pages;  /* of all shards that can be read */
	uint64_t looked; /* so far */
};

static int match_pages(struct prn_decider *decider, struct idling *idling, uint64_t most, struct prn_error *error)
{
	const struct prn_host_rule *given = decider->options.hosts;
	size_t count = decider->options.host_count;
	char normal[PRN_URL_BYTES + 1];
	struct prn_walk *walk = NULL;
	struct prn_record record;
	struct prn_view *view;
	uint64_t pages = 0;
	bool whole;
	int code;

	if (!count_idle(idling->matched, count))
		return 0;
	code = prn_decider_look(decider, PRN_LOOK_AT_ALL, &view, error);
	if (code)
		return code;
	code = prn_walk_pages(&walk, view, NULL, error);
	while (!code && pages < most && count_idle(idling->matched, count) &&
	       (code = prn_walk_pages_any(walk, &record, &whole, error)) == 1) {
		code = 0;
		pages++;
		if (whole && !prn_url_normalize(record.url, SIZE_MAX, normal, sizeof normal))
			prn_host_rules_match(given, count, prn_host_name(normal), idling->matched);
	}
	prn_walk_free(walk);
	prn_view_close(view);
	idling->looked += pages;
	return code;
}

static int count_pages(void *context, struct prn_decider *shard, struct prn_error *error)
{
	struct idling *idling = context;
	struct prn_store_totals totals;
	int code = prn_store_totals_one(shard->store, &totals, error);

	idling->pages += code ? 0 : totals.pages;
	return code;
}

/* Of more pages than are looked at, as many are of each shard as it has its share of them. */
static int match_in_shard(void *context, struct prn_decider *shard, struct prn_error *error)
{
	struct idling *idling = context;
	uint64_t most = PRN_STATS_RULED - idling->looked, share = most;
	struct prn_store_totals totals;
	int code = prn_store_totals_one(shard->store, &totals, error);

	if (code)
		return code;
	if (idling->pages > PRN_STATS_RULED)
		share = (totals.pages * PRN_STATS_RULED + idling->pages - 1) / idling->pages;
	return match_pages(shard, idling, share < most ? share : most, error);
}

static int match_in_shards(struct prn_decider *root, struct idling *idling, struct prn_error *error)
{
	struct prn_shards_damaged damaged;
	int code = prn_shards_each_answering(root, count_pages, idling, &damaged, error);

	return code ? code : prn_shards_each_answering(root, match_in_shard, idling, &damaged, error);
}

int prn_decider_idle_rules(struct prn_decider *decider, bool *rules, uint64_t *looked, struct prn_error *error)
{
	const struct prn_decider_options *options = &decider->options;
	struct idling idling = { .matched = calloc(options->host_count + 1, sizeof *idling.matched) };
	int code;

	if (!idling.matched)
		return prn_error_memory(error);
	for (size_t i = 0; i < options->host_count; i++)
		idling.matched[i] = !options->hosts[i].hosts || *options->hosts[i].hosts == PRN_HOST_GROUP;
	code = decider->shards ? match_in_shards(decider, &idling, error) : match_pages(decider, &idling, PRN_STATS_RULED, error);
	for (size_t i = 0; i < options->host_count && !code; i++)
		rules[i] = !idling.matched[i];
	if (!code)
		*looked = idling.looked;
	free(idling.matched);
	return code;
}
