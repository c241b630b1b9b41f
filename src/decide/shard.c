#include "perennial/shard.h"

#include "decide/shard_index.h"
#include "decide/shards.h"
#include "store/shards.h"
#include "store/shared.h"

/* Finds the entry of a shard in its list. */
static int find_entry(struct prn_decider *root, size_t shard, struct prn_shard_entry *entry, struct prn_error *error)
{
	size_t size = root->shards->list_size;
	struct prn_store_reader reader = { 0 };
	struct prn_decider *list;
	unsigned tries = 0;
	int code = prn_shards_list_of(root, shard / size, &list, error);

	if (code)
		return code;
	do {
		code = prn_view_open(&reader.view, list->store, error);
		if (code)
			return code;
		code = prn_shard_index_find(&reader, shard % size, entry, error);
		prn_view_close(reader.view);
	} while (prn_decider_looks_again(code, &tries));
	return code;
}

/* A shard that replaced one that was given up was never asked, so its pages are unknown. */
static uint64_t last_pages(const struct prn_shard_entry *entry)
{
	return entry->found.now ? entry->found.pages : PRN_SHARD_PAGES_UNKNOWN;
}

struct each_shard {
	struct prn_decider *root;
	prn_shard_stats_fn *run;
	void *context;
};

static int report_shard(void *context, size_t place, struct prn_error *error)
{
	const struct each_shard *each = context;
	struct prn_shard_stats stats = { .shard = place };
	struct prn_shard_entry entry;
	struct prn_decider *shard;
	struct prn_error why;
	int code = find_entry(each->root, place, &entry, error), opened;

	if (code)
		return code;
	stats.last_pages = last_pages(&entry);
	stats.last_time = entry.found.now;
	opened = prn_shards_get(each->root, place, false, &shard, &why);
	if (!opened) {
		code = prn_store_totals_one(shard->store, &stats.totals, error);
		prn_shards_done(shard);
	} else if (opened == PRN_E_DAMAGED || opened == PRN_E_VERSION) {
		stats.lost = &why;
	} else {
		code = opened;
		if (error)
			*error = why;
	}
	return code ? code : each->run(each->context, &stats);
}

int prn_decider_each_shard(struct prn_decider *decider, prn_shard_stats_fn *run, void *context, struct prn_error *error)
{
	struct each_shard each = { decider, run, context };

	return decider->shards ? prn_shards_each_made(decider, report_shard, &each, error) : 0;
}

/* Returns 0 if a shard is lost. */
static int check_lost(struct prn_decider *root, size_t place, struct prn_error *error)
{
	struct prn_decider *shard;
	struct prn_error why;
	int code = prn_shards_get(root, place, false, &shard, &why);

	if (!code) {
		prn_shards_done(shard);
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: shard %zu can be opened, and has its pages: it is not given up",
		                     prn_store_path(root->store), place);
	}
	if (code == PRN_E_NOT_FOUND)
		return prn_error_set(error, PRN_E_NOT_FOUND, "%s: shard %zu was not made yet: no page is lost with it",
		                     prn_store_path(root->store), place);
	if (code != PRN_E_DAMAGED && error)
		*error = why;
	return code == PRN_E_DAMAGED ? 0 : code;
}

int prn_shards_forget(struct prn_decider *root, size_t place, struct prn_error *error)
{
	static const struct prn_loads none = { 0 };
	static const struct prn_shard_found nothing = { 0 };
	size_t size = root->shards->list_size;
	struct prn_decider *list;
	unsigned tries = 0;
	int code = prn_shards_list_of(root, place / size, &list, error);

	if (code)
		return code;
	do {
		code = list == root ? 0 : prn_shards_take_price(list, error);
		if (!code)
			code = prn_shard_index_put(list, place % size, &nothing, &none, error);
		if (!code)
			code = prn_decider_commit_alone(list, error);
	} while (prn_decider_again(list, code, &tries));
	if (code)
		prn_decider_abandon(list);
	return code;
}

int prn_decider_give_up_shard(struct prn_decider *decider, size_t shard, uint64_t *pages, int64_t *time,
                              struct prn_error *error)
{
	struct prn_shard_entry entry = { 0 };
	int code = prn_decider_check_writer(decider, error);

	if (!code && (!decider->shards || shard >= decider->shards->count))
		code = prn_error_set(error, PRN_E_ARGUMENT, "%s: there is no shard %zu: there are %zu, numbered from 0",
		                     prn_store_path(decider->store), shard, prn_decider_shards(decider));
	if (!code)
		code = prn_decider_commit_all(decider, error);
	if (!code)
		code = check_lost(decider, shard, error);
	if (!code)
		code = find_entry(decider, shard, &entry, error);
	if (!code)
		code = prn_shard_remake(decider->store, shard, error);
	if (!code)
		code = prn_shards_forget(decider, shard, error);
	if (!code && pages)
		*pages = last_pages(&entry);
	if (!code && time)
		*time = entry.found.now;
	return code;
}

static int check_list_lost(struct prn_decider *root, size_t list, struct prn_error *error)
{
	struct prn_decider *index;
	struct prn_error why;
	int code = prn_shards_list_of(root, list, &index, &why);

	if (!code)
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: list %zu can be opened, and has its shards: it is not given up",
		                     prn_store_path(root->store), list);
	if (code == PRN_E_NOT_FOUND)
		return prn_error_set(error, PRN_E_NOT_FOUND, "%s: list %zu was not made yet: no shard is lost with it",
		                     prn_store_path(root->store), list);
	if (code == PRN_E_DAMAGED || code == PRN_E_TRUNCATED)
		return 0;
	if (error)
		*error = why;
	return code;
}

int prn_shards_forget_list(struct prn_decider *root, size_t list, struct prn_error *error)
{
	static const struct prn_loads none = { 0 };
	static const struct prn_shard_found nothing = { 0 };
	unsigned tries = 0;
	int code;

	do {
		code = prn_shard_index_put(root, list, &nothing, &none, error);
		if (!code)
			code = prn_decider_commit_alone(root, error);
	} while (prn_decider_again(root, code, &tries));
	if (code)
		prn_decider_abandon(root);
	return code;
}

int prn_decider_give_up_list(struct prn_decider *decider, size_t list, size_t *listed, struct prn_error *error)
{
	size_t lists = decider->shards ? decider->shards->list_count : 1, found = 0;
	int code = prn_decider_check_writer(decider, error);

	if (!code && lists == 1)
		code = prn_error_set(error, PRN_E_ARGUMENT, "%s: has no lists of shards: stores of more than %d shards have", prn_store_path(decider->store),
		                     PRN_SHARDS_LISTED);
	else if (!code && list >= lists)
		code = prn_error_set(error, PRN_E_ARGUMENT, "%s: there is no list %zu: there are %zu, numbered from 0",
		                     prn_store_path(decider->store), list, lists);
	if (!code)
		code = prn_decider_commit_all(decider, error);
	if (!code)
		code = check_list_lost(decider, list, error);
	if (!code)
		code = prn_shards_list_remake(decider->store, list, decider->shards->count, &found, error);
	if (!code)
		code = prn_shards_forget_list(decider, list, error);
	if (!code && listed)
		*listed = found;
	return code;
}
