/* Whether the policy can read the states of all pages. */
#include "decide/hint_sources.h"
#include "decide/loads.h"
#include "decide/shards.h"
#include "decide/side_validators.h"
#include "decide/sides.h"
#include "decide/site_drift.h"
#include "decide/suspect.h"
#include "decide/target_note.h"

#include "store/schema.h"
#include "store/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPORTS_MAX 100
#define PROGRESS_EACH 1024
#define SIDES_EACH 4096 /* entries that are removed in one commit */

struct checking {
	struct prn_decider *decider;
	struct prn_entry entry;
	const struct prn_store_check_options *options;
	uint64_t pages; /* in the store, by its own count */
	struct prn_state_findings found;
};

static int check_page(struct checking *checking, const struct prn_record *record, struct prn_error *error)
{
	const struct prn_store_check_options *options = checking->options;
	struct prn_error why = { 0 };
	int readable = prn_entry_try(&checking->entry, record, &why, error);

	if (++checking->found.pages % PROGRESS_EACH == 0 && options->progress && checking->found.pages < checking->pages)
		options->progress(options->context, (double)checking->found.pages / (double)checking->pages);
	if (!readable && ++checking->found.unreadable <= REPORTS_MAX && options->report)
		options->report(options->context, &why);
	return readable < 0 ? readable : 0;
}

static bool host_is_whole(const void *bytes, size_t count)
{
	struct prn_host_sources host;

	return !prn_host_sources_decode(&host, bytes, count) && !host.damaged;
}

/* Checks settings that are notes; if memory does not suffice for one, it is taken to be whole. */
static bool note_is_whole(const void *name, size_t name_bytes, const void *bytes, size_t count)
{
	struct prn_shard_message target = { 0 };
	bool damaged = prn_target_note_is(name, name_bytes) && prn_target_note_read(&target, name, name_bytes, bytes, count) == PRN_E_DAMAGED;

	free(target.url);
	return !damaged;
}

/* Entries of some sides can be checked by themselves; those that repeat their name are checked against it. */
static const struct {
	enum prn_side side;
	const char *what;
	bool by_name; /* a person can read the name: it is not the key of a page */
	bool (*is_whole)(const void *bytes, size_t count);
	bool (*is_whole_under)(const void *name, size_t name_bytes, const void *bytes, size_t count);
} sides[] = {
	{ PRN_SIDE_SUSPECTS, "suspect content", false, prn_suspect_is_whole, NULL },
	{ PRN_SIDE_VALIDATORS, "validators", false, prn_side_validators_are_whole, NULL },
	{ PRN_SIDE_PAGE_SOURCES, "hints", false, prn_page_sources_are_whole, NULL },
	{ PRN_SIDE_HOST_SOURCES, "sources of hints", true, host_is_whole, NULL },
	{ PRN_SIDE_SIBLINGS, "patterns of siblings", true, prn_site_drift_is_whole, NULL },
	{ PRN_SIDE_META, "note of what a redirect leads to", true, NULL, note_is_whole },
};

#define SIDES (sizeof sides / sizeof *sides)

static bool entry_is_whole(size_t which, const void *name, size_t name_bytes, const void *bytes, size_t count)
{
	return sides[which].is_whole ? sides[which].is_whole(bytes, count) : sides[which].is_whole_under(name, name_bytes, bytes, count);
}

/* An entry of a page has only the page's key, which is reported in hexadecimal digits. */
static void report_side(const struct prn_store_check_options *options, size_t which, const unsigned char *name, size_t length)
{
	struct prn_error why = { 0 };
	char text[2 * PRN_KEY_BYTES + 1] = "";

	for (size_t i = 0; i < length && i < PRN_KEY_BYTES; i++)
		snprintf(text + 2 * i, 3, "%02x", name[i]);
	if (sides[which].by_name)
		prn_error_set(&why, PRN_E_DAMAGED, "%.*s: damaged %s", (int)length, (const char *)name, sides[which].what);
	else
		prn_error_set(&why, PRN_E_DAMAGED, "damaged %s, of the page with the key %s", sides[which].what, text);
	options->report(options->context, &why);
}

static int check_side(struct prn_view *view, size_t which, const struct prn_store_check_options *options, uint64_t *damaged,
                      struct prn_error *error)
{
	const void *name, *bytes;
	size_t length, count;
	struct prn_walk *walk = NULL;
	int got = 1, code = prn_walk_side(&walk, view, sides[which].side, error);

	while (!code && (got = prn_walk_side_next(walk, &name, &length, &bytes, &count, error)) == 1)
		if (!entry_is_whole(which, name, length, bytes, count) && ++*damaged <= REPORTS_MAX && options->report)
			report_side(options, which, name, length);
	prn_walk_free(walk);
	return code ? code : got;
}

int prn_sides_check(struct prn_view *view, const struct prn_store_check_options *options, uint64_t *damaged, struct prn_error *error)
{
	int code = 0;

	for (size_t i = 0; i < SIDES && !code; i++)
		code = check_side(view, i, options, damaged, error);
	return code;
}

/* All is checked as it was at one moment.  Damaged records are left to prn_store_check. */
static int look(struct checking *checking, struct prn_error *error)
{
	struct prn_store_totals totals;
	struct prn_record record;
	struct prn_walk *walk = NULL;
	struct prn_view *view;
	bool whole;
	int got = 0, code = prn_decider_look(checking->decider, PRN_LOOK_AT_ALL, &view, error);

	if (code)
		return code;
	code = prn_store_totals(checking->decider->store, &totals, error);
	checking->pages = code ? 0 : totals.pages;
	if (!code)
		code = prn_walk_pages(&walk, view, NULL, error);
	while (!code && (got = prn_walk_pages_any(walk, &record, &whole, error)) == 1)
		code = whole ? check_page(checking, &record, error) : 0;
	prn_walk_free(walk);
	code = code ? code : got;
	if (!code)
		code = prn_sides_check(view, checking->options, &checking->found.sides, error);
	prn_view_close(view);
	return code;
}

/* One repair.  Another process may have repaired some of the pages since they were found. */
struct mending {
	struct prn_decider *decider;
	int64_t now;
	uint64_t count;
};

static int mend_page(void *context, const struct prn_record *record, struct prn_error *error)
{
	struct mending *mending = context;
	struct prn_entry *entry = &mending->decider->entry;
	int readable = prn_entry_try(entry, record, NULL, error), code;

	if (readable)
		return readable < 0 ? readable : 0;
	prn_entry_begin_anew(entry);
	if (entry->state.status == PRN_PAGE_NEW && entry->lease == PRN_TIME_UNKNOWN) {
		entry->due = mending->now;
		entry->waits_for = 0;
	}
	code = prn_decider_put(mending->decider, entry, error);
	mending->count += !code;
	return code;
}

struct clearing {
	size_t which;
	uint64_t count;
};

/* Removes a damaged entry; of a host's sources, those that can be read are kept. */
static int clear_entry(struct prn_decider *decider, enum prn_side side, const char *name, size_t length, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);
	struct prn_host_name host = { name, length };
	struct prn_host_sources sources;
	int code;

	if (side != PRN_SIDE_HOST_SOURCES)
		return prn_batch_side_put(decider->batch, side, name, length, NULL, 0, error);
	code = prn_host_sources_read(&sources, &reader, host, error);
	return code ? code : prn_host_sources_put(&sources, decider->batch, host, error);
}

static int clear_some(struct prn_decider *decider, void *context, struct prn_error *error)
{
	struct clearing *clearing = context;
	enum prn_side side = sides[clearing->which].side;
	char copy[PRN_HOST_NAME_BYTES];
	const void *name, *bytes;
	size_t length, count;
	struct prn_view *view = NULL;
	struct prn_walk *walk = NULL;
	int got = 1, code = prn_decider_view(decider, &view, error);

	if (!code)
		code = prn_walk_side(&walk, view, side, error);
	for (size_t n = 0; !code && n < SIDES_EACH && (got = prn_walk_side_next(walk, &name, &length, &bytes, &count, error)) == 1;) {
		if (entry_is_whole(clearing->which, name, length, bytes, count) || length > sizeof copy)
			continue;
		memcpy(copy, name, length);
		code = clear_entry(decider, side, copy, length, error);
		clearing->count += !code;
		n++;
	}
	prn_walk_free(walk);
	return code ? code : got;
}

static int clear_sides(struct checking *checking, struct prn_error *error)
{
	int code = 0;

	for (size_t i = 0; i < SIDES && !code; i++) {
		struct clearing clearing = { .which = i };

		code = prn_decider_in_portions(checking->decider, clear_some, &clearing, sizeof clearing, error);
		checking->found.repaired += clearing.count;
	}
	return code;
}

/* The counts of repaired pages are not known any more, so all pages are counted again. */
static int mend(struct checking *checking, int64_t now, struct prn_error *error)
{
	struct mending mending = { checking->decider, now, 0 };
	unsigned tries = 0;
	int code = prn_decider_sweep(checking->decider, mend_page, &mending, &mending.count, error);

	if (code)
		return code;
	checking->found.repaired += mending.count;
	do {
		code = prn_batch_side_put(checking->decider->batch, PRN_SIDE_META, PRN_COUNTS_NAME, strlen(PRN_COUNTS_NAME), NULL, 0,
		                          error);
		if (!code)
			code = prn_decider_commit_all(checking->decider, error);
	} while (prn_decider_again(checking->decider, code, &tries));
	return code;
}

struct checking_shards {
	struct prn_decider *root;
	const struct prn_store_check_options *given;
	struct prn_store_check_options options; /* of each */
	int64_t now;
	struct prn_state_findings found;
};

static int check_shard(void *context, size_t place, struct prn_error *error)
{
	struct checking_shards *checking = context;
	const struct prn_store_check_options *given = checking->given;
	struct prn_state_findings found;
	struct prn_decider *shard;
	int code;

	if (place < given->first_shard)
		return 0;
	code = prn_shards_get(checking->root, place, false, &shard, error);
	if (code)
		return code;
	code = prn_decider_check(shard, &checking->options, checking->now, &found, error);
	prn_shards_done(shard);
	if (code)
		return code;
	prn_state_findings_add(&checking->found, &found);
	if (given->states_done)
		given->states_done(given->context, place, &found);
	return 0;
}

void prn_state_findings_add(struct prn_state_findings *to, const struct prn_state_findings *found)
{
	to->pages += found->pages;
	to->unreadable += found->unreadable;
	to->sides += found->sides;
	to->repaired += found->repaired;
}

/* Shards report no progress: how far one of them has come says nothing about all of them. */
static int check_shards(struct prn_decider *decider, const struct prn_store_check_options *options, int64_t now,
                        struct prn_state_findings *findings, struct prn_error *error)
{
	struct checking_shards checking = { .root = decider, .given = options, .options = *options, .now = now };
	int code;

	checking.options.progress = NULL;
	code = prn_shards_each_made(decider, check_shard, &checking, error);
	if (!code)
		*findings = checking.found;
	return code;
}

int prn_decider_check(struct prn_decider *decider, const struct prn_store_check_options *options, int64_t now,
                      struct prn_state_findings *findings, struct prn_error *error)
{
	static const struct prn_store_check_options none = { 0 };
	struct checking checking = { .decider = decider, .options = options ? options : &none };
	bool repair = checking.options->repair;
	int code = prn_decider_check_now(now, error);

	if (!code && repair)
		code = prn_decider_check_writer(decider, error);
	if (!code && repair)
		code = prn_decider_commit_all(decider, error);
	if (code)
		return code;
	if (decider->shards)
		return check_shards(decider, checking.options, now, findings, error);
	if (prn_entry_init(&checking.entry, decider->policy, decider->summary_limit))
		return prn_error_memory(error);
	code = look(&checking, error);
	if (!code && repair && checking.found.unreadable)
		code = mend(&checking, now, error);
	if (!code && repair && checking.found.sides)
		code = clear_sides(&checking, error);
	prn_entry_release(&checking.entry);
	if (!code)
		*findings = checking.found;
	return code;
}

struct checking_sides {
	const struct prn_store_check_options *options;
	uint64_t damaged;
};

static int check_sides_of(void *context, struct prn_decider *decider, struct prn_error *error)
{
	struct checking_sides *checking = context;
	struct prn_view *view;
	int code = prn_decider_look(decider, PRN_LOOK_AT_ALL, &view, error);

	if (code)
		return code;
	code = prn_sides_check(view, checking->options, &checking->damaged, error);
	prn_view_close(view);
	return code;
}

int prn_decider_check_sides(struct prn_decider *decider, const struct prn_store_check_options *options, uint64_t *damaged,
                            struct prn_error *error)
{
	struct checking_sides checking = { .options = options };
	int code = decider->shards ? prn_shards_each(decider, check_sides_of, &checking, error)
	                           : check_sides_of(&checking, decider, error);

	if (!code)
		*damaged = checking.damaged;
	return code;
}
