/* Adds and forgets pages, and reads the last body of each. */
#include "decide/adding.h"
#include "base/ascii.h"
#include "decide/loads.h"
#include "decide/shards.h"
#include "decide/sides.h"
#include "decide/site_drift.h"
#include "store/shared.h"

#include "archive/url_host.h"
#include "archive/url_read.h"

#include <string.h>

/* The body of a page that cannot be read is not known; the page begins anew with its next visit. */
static int find_body(struct prn_entry *entry, const struct prn_store_reader *reader, const struct prn_digest *key,
                     uint64_t *body, struct prn_error *error)
{
	struct prn_error why = { 0 };
	struct prn_record record;
	bool spoilt = false;
	int code = prn_store_reader_get(reader, key, &record, &why), readable = 0;

	if (code == PRN_E_DAMAGED) {
		code = prn_store_reader_is_spoilt(reader, key, &spoilt, error);
		if (code)
			return code;
		code = PRN_E_DAMAGED;
	}
	if (code && code != PRN_E_NOT_FOUND && !spoilt) {
		if (error)
			*error = why;
		return code;
	}
	if (!code)
		readable = prn_entry_try(entry, &record, NULL, error);
	if (readable < 0)
		return readable;
	*body = readable ? entry->state.body : 0;
	return 0;
}

int prn_decider_body_staged(struct prn_decider *decider, const struct prn_digest *key, uint64_t *body,
                            struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);
	int code = prn_decider_check_writer(decider, error);

	if (decider->shards)
		*body = 0;
	return code || decider->shards ? code : find_body(&decider->entry, &reader, key, body, error);
}

int prn_decider_body(struct prn_decider *decider, const struct prn_digest *key, uint64_t *body,
                     struct prn_error *error)
{
	struct prn_store_reader reader = { 0 };
	struct prn_entry entry;
	int code;

	if (decider->shards) {
		*body = 0;
		return 0;
	}
	code = prn_entry_init(&entry, decider->policy, decider->summary_limit);

	if (code)
		prn_error_set(error, code, "%s", prn_error_text(code));
	else
		code = prn_view_open(&reader.view, decider->store, error);
	if (!code)
		code = find_body(&entry, &reader, key, body, error);
	prn_view_close(reader.view);
	prn_entry_release(&entry);
	return code;
}

int prn_decider_shard(struct prn_decider *decider, const char *url, struct prn_decider **shard, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	int code = prn_url_read(url, normal, error);

	if (code)
		return code;
	*shard = decider;
	if (!decider->shards)
		return 0;
	code = prn_shards_route(decider, normal, true, shard, error);
	return code != PRN_E_NOT_FOUND ? code : prn_error_set(error, code, "%s: not in %s", url, prn_store_path(decider->store));
}

void prn_decider_shard_done(struct prn_decider *shard)
{
	prn_shards_done(shard);
}

/* A page that was retired because it was gone has one more try: whoever adds a list each day would have each dead one tried as often as new. */
static void revive(const struct prn_decider *decider, struct prn_entry *entry, int64_t now)
{
	entry->state.status = entry->state.visits ? PRN_PAGE_LIVE : PRN_PAGE_NEW;
	entry->state.reason = PRN_NEXT_NEW;
	entry->state.failures = 0;
	entry->state.gones = entry->state.gones && decider->options.retire_after ? decider->options.retire_after - 1 : 0;
	entry->due = now;
}

/* A page that is added by name is wanted, whichever redirects led to it, so it begins a new chain. */
static bool begin_chain(struct prn_entry *entry)
{
	bool anew = entry->state.redirects;

	entry->state.redirects = 0;
	entry->state.from_elsewhere = false;
	return anew;
}

int prn_decider_add(struct prn_decider *decider, const char *url, double weight, int64_t now, enum prn_added *added,
                    struct prn_error *error)
{
	return prn_decider_add_due(decider, url, weight, now, now, added, error);
}

static int check_added(struct prn_decider *decider, const char *url, double weight, int64_t due, int64_t now, struct prn_error *error)
{
	int code = prn_decider_check_writer(decider, error);

	if (!code)
		code = prn_decider_check_now(now, error);
	if (!code)
		code = prn_decider_check_now(due, error);
	if (!code && !(weight >= 0 && weight <= PRN_WEIGHT_MOST))
		code = prn_error_set(error, PRN_E_ARGUMENT, "%.200s: the weight must be a number from 0 to 1e9", url);
	return code;
}

/* Arguments as of prn_decider_add_normal, checked. */
static int add_checked(struct prn_decider *decider, const char *url, const char *normal, double weight, int64_t due, int64_t now,
                       enum prn_added *added, struct prn_error *error)
{
	struct prn_entry *entry = &decider->entry;
	struct prn_store_reader reader = prn_decider_reader(decider);
	int64_t latest = prn_time_after(now, PRN_INTERVAL_MOST_S);
	struct prn_decider_savepoint before;
	struct prn_decider *shard;
	struct prn_digest key;
	enum prn_added unasked;
	int code;

	added = added ? added : &unasked;
	if (decider->shards) {
		code = prn_shards_route(decider, normal, true, &shard, error);
		if (code)
			return code;
		code = prn_decider_add_normal(shard, url, normal, weight, due, now, added, error);
		prn_shards_done(shard);
		return code;
	}
	key = prn_url_key(normal);
	code = prn_entry_find(entry, &reader, &key, normal, url, error);
	if (code)
		return code;
	*added = !entry->known                                               ? PRN_ADDED_NEW
	         : entry->anew || entry->state.status == PRN_PAGE_RETIRED ? PRN_ADDED_REVIVED
	                                                                     : PRN_ADDED_KNOWN;
	if (!begin_chain(entry) && *added == PRN_ADDED_KNOWN && !(weight > 0))
		return 0;
	if (weight > 0)
		entry->weight = weight;
	if (*added != PRN_ADDED_KNOWN)
		revive(decider, entry, *added == PRN_ADDED_NEW && due > now ? (due < latest ? due : latest) : now);
	before = prn_decider_save(decider);
	code = prn_decider_put(decider, entry, error);
	if (code)
		prn_decider_restore(decider, &before);
	return code;
}

int prn_decider_add_normal(struct prn_decider *decider, const char *url, const char *normal, double weight, int64_t due,
                           int64_t now, enum prn_added *added, struct prn_error *error)
{
	int code = check_added(decider, url, weight, due, now, error);

	return code ? code : add_checked(decider, url, normal, weight, due, now, added, error);
}

int prn_decider_add_due(struct prn_decider *decider, const char *url, double weight, int64_t due, int64_t now,
                        enum prn_added *added, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	int code = check_added(decider, url, weight, due, now, error);

	if (!code)
		code = prn_url_read(url, normal, error);
	return code ? code : add_checked(decider, url, normal, weight, due, now, added, error);
}

static int forget_page(struct prn_decider *decider, const struct prn_digest *key, struct prn_error *error)
{
	int code = prn_sides_drop(decider->batch, key, error);

	return code ? code : prn_decider_delete(decider, key, error);
}

/*
 * Takes a page that was found off its host's count of leases and out of the evidence for its siblings, and removes it.  A page
 * whose state cannot be read has no evidence that could be taken out.
 */
static int forget_found(struct prn_decider *decider, const struct prn_digest *key, int64_t lease,
                        struct prn_error *error)
{
	struct prn_record record;
	bool unread = false;
	int code = 0;

	if (lease != PRN_TIME_UNKNOWN || decider->heeds_siblings) {
		code = prn_batch_get(decider->batch, key, &record, error);
		if (!code)
			code = prn_entry_read(&decider->entry, &record, NULL);
		unread = code == PRN_E_DAMAGED || code == PRN_E_VERSION;
		if (!code || unread)
			code = prn_decider_unlease(decider, &decider->entry, 0, record.due, error); /* there is no clock; due is past */
		if (!code && !unread)
			code = prn_site_drift_leave(decider, &decider->entry, error);
	}
	return code ? code : forget_page(decider, key, error);
}

static int forget_url(struct prn_decider *decider, const char *url, uint64_t *forgotten, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	struct prn_record record;
	struct prn_error why = { 0 };
	struct prn_digest key;
	bool spoilt = false;
	int code = prn_url_read(url, normal, error), failed;

	if (code)
		return code;
	key = prn_url_key(normal);
	code = prn_batch_get(decider->batch, &key, &record, &why);
	if (code == PRN_E_NOT_FOUND)
		return 0;
	if (code == PRN_E_DAMAGED) {
		failed = prn_batch_is_spoilt(decider->batch, &key, &spoilt, error);
		if (failed)
			return failed;
	}
	if (code && !spoilt && error)
		*error = why;
	if (!code)
		code = forget_found(decider, &key, record.lease, error);
	else if (spoilt)
		code = forget_page(decider, &key, error);
	*forgotten += !code;
	return code;
}

bool prn_decider_is_under(const char *url, bool surt, const char *what)
{
	char normal[PRN_URL_BYTES + 1], key[PRN_URL_BYTES + 16];
	const char *host;
	size_t length;

	if (prn_url_normalize(url, SIZE_MAX, normal, sizeof normal))
		return false;
	if (surt)
		return !prn_url_surt(normal, key, sizeof key) && prn_surt_under(key, what);
	host = prn_url_host(normal, &length);
	return length == strlen(what) && !prn_ascii_compare_n(host, what, length);
}

/* The pages that are to be forgotten or counted. */
struct leaving {
	struct prn_decider *decider;
	enum prn_forget by;
	const char *what;
	uint64_t count;
};

static int forget_if_under(void *context, const struct prn_record *record, struct prn_error *error)
{
	struct leaving *leaving = context;
	int code;

	if (!prn_decider_is_under(record->url, leaving->by == PRN_FORGET_SURT, leaving->what))
		return 0;
	code = forget_found(leaving->decider, &record->key, record->lease, error);
	leaving->count += !code;
	return code;
}

/* An empty prefix would match every page; whoever wants to start over makes a new store. */
int prn_decider_check_prefix(const char *surt, struct prn_error *error)
{
	static const char *const nothing[] = { "", "(", "http://", "https://", "http://(", "https://(" };

	for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
		if (!prn_ascii_compare(surt, nothing[i]))
			return prn_error_set(error, PRN_E_ARGUMENT, "'%s': a SURT prefix that names no host", surt);
	return 0;
}

/* A "*" is no wildcard here, although the standard lets it be in a host. */
int prn_decider_read_host(const char *name, char *out, struct prn_error *error)
{
	int code = strchr(name, '*') ? PRN_E_INPUT : prn_url_host_read(name, strlen(name), out, PRN_URL_HOST_NAME);

	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	return code ? prn_error_set(error, PRN_E_ARGUMENT, "'%.200s': not a host name, such as www.example.org", name) : 0;
}

/* Checks what is to be forgotten or counted; a host's name is then that of normal URLs, in name. */
static int read_what(struct leaving *leaving, char name[PRN_URL_HOST_NAME], struct prn_error *error)
{
	int code;

	if (leaving->by == PRN_FORGET_SURT)
		return prn_decider_check_prefix(leaving->what, error);
	if (leaving->by != PRN_FORGET_HOST)
		return 0;
	code = prn_decider_read_host(leaving->what, name, error);
	leaving->what = name;
	return code;
}

static int count_if_under(struct leaving *leaving, struct prn_walk *walk, struct prn_error *error)
{
	struct prn_record record;
	bool whole;
	int got;

	while ((got = prn_walk_pages_any(walk, &record, &whole, error)) == 1)
		leaving->count += whole && prn_decider_is_under(record.url, leaving->by == PRN_FORGET_SURT, leaving->what);
	return got;
}

static int count_url(struct prn_view *view, const char *url, uint64_t *count, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	struct prn_record record;
	struct prn_digest key;
	int code = prn_url_read(url, normal, error);

	if (code)
		return code;
	key = prn_url_key(normal);
	code = prn_view_get(view, &key, &record, error);
	*count = !code;
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

static int count_once(struct leaving *found, unsigned tries, struct prn_error *error)
{
	struct prn_walk *walk = NULL;
	struct prn_view *view = NULL;
	int code = prn_decider_look(found->decider, found->by == PRN_FORGET_URL ? tries : PRN_LOOK_AT_ALL, &view, error);

	found->count = 0;
	if (!code && found->by == PRN_FORGET_URL)
		code = count_url(view, found->what, &found->count, error);
	else if (!code && !(code = prn_walk_pages(&walk, view, NULL, error)))
		code = count_if_under(found, walk, error);
	prn_walk_free(walk);
	prn_view_close(view);
	return code;
}

static int count_in_shard(void *context, struct prn_decider *shard, struct prn_error *error)
{
	struct leaving *found = context;
	uint64_t count = 0;
	int code = prn_decider_count(shard, found->by, found->what, &count, error);

	found->count += count;
	return code;
}

static int forget_in_shard(void *context, struct prn_decider *shard, struct prn_error *error)
{
	struct leaving *leaving = context;
	uint64_t count = 0;
	int code = prn_decider_forget(shard, leaving->by, leaving->what, &count, error);

	leaving->count += count;
	return code;
}

/* A page is in one shard, a host in one or, if it is a giant, in several, and pages under a prefix may be in any. */
static int in_shards(struct leaving *leaving, prn_shard_fn *run, struct prn_error *error)
{
	struct prn_host_name host = { leaving->what, strlen(leaving->what) };
	char normal[PRN_URL_BYTES + 1];
	struct prn_decider *shard;
	int code;

	if (leaving->by == PRN_FORGET_SURT)
		return prn_shards_each(leaving->decider, run, leaving, error);
	if (leaving->by == PRN_FORGET_HOST)
		return prn_shards_each_of_host(leaving->decider, host, run, leaving, error);
	code = prn_url_read(leaving->what, normal, error);
	if (!code)
		code = prn_shards_route(leaving->decider, normal, false, &shard, error);
	if (!code) {
		code = run(leaving, shard, error);
		prn_shards_done(shard);
	}
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

int prn_decider_count(struct prn_decider *decider, enum prn_forget by, const char *what, uint64_t *count,
                      struct prn_error *error)
{
	struct leaving found = { decider, by, what, 0 };
	char name[PRN_URL_HOST_NAME];
	unsigned tries = 0;
	int code = read_what(&found, name, error);

	if (code)
		return code;
	if (decider->shards) {
		code = in_shards(&found, count_in_shard, error);
		if (!code)
			*count = found.count;
		return code;
	}
	do
		code = count_once(&found, tries, error);
	while (prn_decider_looks_again(code, &tries));
	if (!code)
		*count = found.count;
	return code;
}

/* Forgets the sources of a host and the evidence of how its pages change. */
static int forget_sides(struct prn_decider *decider, const char *host, struct prn_error *error)
{
	size_t length = strlen(host);
	int code;

	if (length > PRN_HOST_NAME_BYTES)
		return 0;
	code = prn_batch_side_put(decider->batch, PRN_SIDE_HOST_SOURCES, host, length, NULL, 0, error);
	return code ? code : prn_batch_side_put(decider->batch, PRN_SIDE_SIBLINGS, host, length, NULL, 0, error);
}

/* Forgets, in one commit, a page, or the records that a host has apart from its pages. */
static int forget_rest(struct leaving *leaving, struct prn_error *error)
{
	struct prn_decider *decider = leaving->decider;
	uint64_t before = leaving->count;
	unsigned tries = 0;
	int code;

	do {
		leaving->count = before;
		code = leaving->by == PRN_FORGET_URL    ? forget_url(decider, leaving->what, &leaving->count, error)
		       : leaving->by == PRN_FORGET_HOST ? forget_sides(decider, leaving->what, error)
		                                        : 0;
		if (!code)
			code = prn_decider_commit_all(decider, error);
	} while (prn_decider_again(decider, code, &tries));
	return code;
}

int prn_decider_forget(struct prn_decider *decider, enum prn_forget by, const char *what, uint64_t *forgotten,
                       struct prn_error *error)
{
	char name[PRN_URL_HOST_NAME];
	struct leaving leaving = { decider, by, what, 0 };
	struct prn_decider_savepoint before;
	uint64_t unasked;
	int code = read_what(&leaving, name, error);

	forgotten = forgotten ? forgotten : &unasked;
	if (!code)
		code = prn_decider_commit_all(decider, error);
	if (code)
		return code;
	if (decider->shards) {
		code = in_shards(&leaving, forget_in_shard, error);
		*forgotten = leaving.count;
		return code;
	}
	before = prn_decider_save(decider);
	if (by != PRN_FORGET_URL)
		code = prn_decider_sweep(decider, forget_if_under, &leaving, &leaving.count, error);
	if (!code)
		code = forget_rest(&leaving, error);
	if (code)
		prn_decider_restore(decider, &before);
	else
		*forgotten = leaving.count;
	return code;
}
