/* Hints: each is counted for its source, and may bring a page's visit forward or add a page (hinting.h). */
#include "decide/loads.h"
#include "decide/hint_sources.h"
#include "decide/shards.h"

#include "archive/url_host.h"
#include "archive/url_private.h"
#include "perennial/url.h"
#include "store/turn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How many hosts' records are searched at a time for sources that have fallen silent: one for each hint. */
#define LOOKED_AT 256

const char *prn_hinted_name(enum prn_hinted hinted)
{
	static const char *const names[PRN_HINTEDS] = { "taken",  "added",   "named", "duplicate", "soon",
		                                        "future", "unknown", "full",  "limit" };

	return (unsigned)hinted < PRN_HINTEDS ? names[hinted] : "?";
}

/* A hint that is being counted. */
struct work {
	struct prn_decider *decider;
	struct prn_entry *entry;
	const struct prn_hint *hint;
	int64_t now;
	int64_t stamp; /* the time of the change that it gives, or of the hint; PRN_TIME_UNKNOWN: it only names the page */
	uint64_t number; /* of the source */
	unsigned depth;  /* likewise */
	struct prn_host_name host_name;
	struct prn_host_sources host;
	struct prn_page_sources page;
	struct prn_error *error;
};

/* Times that were written while the clock was far ahead are void. */
static bool is_ahead(const struct work *work, int64_t time)
{
	return time != PRN_TIME_UNKNOWN && (double)time - (double)work->now > PRN_DAY_S + work->decider->options.future_s;
}

static unsigned depth_of(struct work *work, uint64_t number)
{
	const struct prn_host_source *source = prn_host_sources_find(&work->host, number);

	return source ? source->depth : PRN_SOURCE_DEPTH + 1;
}

/*
 * The place of the source among those of the host; NULL: there is none.  Where places are short, a source that is deeper in the
 * host's folders gives up its own, so that documents that anyone may put there do not shut out the site's own sitemap.
 */
static struct prn_host_source *host_source(struct work *work)
{
	struct prn_host_sources *host = &work->host;
	struct prn_host_source *source = prn_host_sources_find(host, work->number), *worst = NULL;

	if (source)
		return source;
	prn_host_sources_prune(host, work->now);
	for (size_t i = 0; i < host->count && !source; i++) {
		struct prn_host_source *other = &host->sources[i];

		if (is_ahead(work, other->named))
			source = other;
		else if (!worst || other->depth > worst->depth || (other->depth == worst->depth && other->named < worst->named))
			worst = other;
	}
	if (host->count < PRN_HOST_SOURCES)
		source = &host->sources[host->count++];
	else if (!source && worst && worst->depth > work->depth)
		source = worst;
	else if (!source)
		return NULL;
	*source = (struct prn_host_source){ .number = work->number, .depth = work->depth, .named = work->now,
		                            .day = PRN_TIME_UNKNOWN };
	snprintf(source->name, sizeof source->name, "%s", work->hint->source);
	return source;
}

/* The place of the source among those of the page.  A source that the host no longer knows gives up its place first. */
static struct prn_page_source *page_source(struct work *work)
{
	struct prn_page_sources *page = &work->page;
	struct prn_page_source *source = prn_page_sources_find(page, work->number), *worst = &page->sources[0];

	if (source)
		return source;
	for (size_t i = 1; i < page->count; i++)
		if (depth_of(work, page->sources[i].number) > depth_of(work, worst->number))
			worst = &page->sources[i];
	if (page->count < PRN_PAGE_SOURCES)
		source = &page->sources[page->count++];
	else if (depth_of(work, worst->number) > work->depth)
		source = worst;
	else
		return NULL;
	*source = (struct prn_page_source){ .number = work->number, .stamp = PRN_TIME_UNKNOWN, .counted = PRN_TIME_UNKNOWN };
	return source;
}

/*
 * Counts one more hint of the source for the host today, if it may have one.  A clock that is set back begins no new day, so
 * that setting it back and forward again brings no more hints.  If a clock far ahead began the day, it begins now instead.
 */
static bool count_today(const struct work *work, struct prn_host_source *source)
{
	if (source->day == PRN_TIME_UNKNOWN || (double)work->now - (double)source->day >= PRN_DAY_S) {
		source->day = work->now;
		source->today = 0;
	}
	if (is_ahead(work, source->day))
		source->day = work->now;
	if (source->today >= work->decider->options.hints_per_day)
		return false;
	source->today++;
	return true;
}

/* Judges what the hint means for the page in hand, which is known, and counts a hint that counts. */
static enum prn_hinted judge(struct work *work, struct prn_page_source *source, struct prn_host_source *host)
{
	const struct prn_page_state *state = &work->entry->state;
	struct prn_interval_bounds interval = prn_decider_interval(work->decider, work->entry);
	int64_t stamp = work->stamp, before = is_ahead(work, source->stamp) ? PRN_TIME_UNKNOWN : source->stamp, latest;

	if (stamp == PRN_TIME_UNKNOWN)
		return PRN_HINTED_NAMED;
	if (stamp > prn_time_after(work->now, work->decider->options.future_s))
		return PRN_HINTED_FUTURE;
	if (before != PRN_TIME_UNKNOWN && stamp <= before)
		return PRN_HINTED_DUPLICATE;
	/* A time of a whole day may be any of that day. */
	latest = stamp % PRN_DAY_S ? stamp : prn_time_after(stamp, PRN_DAY_S - 1);
	if (!state->visits || latest <= state->visited) {
		source->stamp = stamp;
		return PRN_HINTED_NAMED;
	}
	if (source->counted != PRN_TIME_UNKNOWN && fabs((double)work->now - (double)source->counted) < interval.min_s)
		return PRN_HINTED_SOON;
	if (!count_today(work, host))
		return PRN_HINTED_LIMIT;
	source->stamp = stamp;
	source->counted = work->now;
	source->counts.since++;
	return PRN_HINTED_TAKEN;
}

/* Brings the page's next visit forward if the hints now make that worthwhile. */
static void reconsider(struct work *work)
{
	struct prn_entry *entry = work->entry;
	size_t whose;
	struct prn_hints hints = prn_sources_hints(&work->page, &work->host, &whose);
	enum prn_next reason;
	int64_t next;

	hints.ahead = entry->state.hints.ahead;
	prn_page_state_hint(&entry->state, &hints);
	if (entry->lease == PRN_TIME_UNKNOWN &&
	    prn_decider_next(work->decider, entry, work->decider->threshold, &next, &reason)) {
		/*
		 * A page whose visit became worth making before now is due by the rule: nothing keeps the visit from being
		 * made at once.
		 */
		if (next < work->now) {
			next = work->now;
			reason = reason == PRN_NEXT_MINIMUM ? PRN_NEXT_RULE : reason;
		}
		if (next < entry->due) {
			entry->due = next;
			entry->state.reason = reason;
		}
	}
}

/* Reads the name of the index that lists a sitemap; "" where none does, or it cannot be read. */
static int read_index(const struct prn_store_reader *reader, const struct prn_page_sources *page, char name[PRN_URL_BYTES + 1],
                      struct prn_error *error)
{
	struct prn_error why = { 0 };
	struct prn_record record;
	bool spoilt = false;
	int code;

	*name = 0;
	if (!prn_page_sources_is_listed(page))
		return 0;
	code = prn_store_reader_get(reader, &page->index, &record, &why);
	if (code == PRN_E_DAMAGED && !prn_store_reader_is_spoilt(reader, &page->index, &spoilt, NULL) && spoilt)
		return 0;
	if (code && code != PRN_E_NOT_FOUND && error)
		*error = why;
	if (code)
		return code == PRN_E_NOT_FOUND ? 0 : code;
	code = prn_url_normalize(record.url, SIZE_MAX, name, PRN_URL_BYTES + 1);
	if (code)
		*name = 0;
	return code == PRN_E_MEMORY ? prn_error_memory(error) : 0;
}

int prn_sources_speaker(const struct prn_store_reader *reader, const struct prn_digest *key, const char *normal_url,
                     char name[PRN_URL_BYTES + 1], struct prn_error *error)
{
	struct prn_page_sources page;
	int code = prn_page_sources_read(&page, reader, key, error);

	if (!code)
		code = read_index(reader, &page, name, error);
	if (!code && !*name)
		snprintf(name, PRN_URL_BYTES + 1, "%s", normal_url);
	return code;
}

/*
 * From now on a sitemap that an index lists gives hints in the index's name, if the index may speak for it.  Of several indexes
 * the least deep one counts, so that nobody's own page takes over the site's sitemap.
 */
static int list(struct work *work, bool *listed)
{
	struct prn_store_reader reader = prn_decider_reader(work->decider);
	char name[PRN_URL_BYTES + 1];
	int code;

	*listed = false;
	if (!work->hint->is_sitemap || !prn_url_is_under_folder(work->hint->normal_url, work->hint->source))
		return 0;
	code = read_index(&reader, &work->page, name, work->error);
	if (code || (*name && prn_source_depth(name) <= work->depth))
		return code;
	work->page.index = prn_url_key(work->hint->source);
	*listed = true;
	return 0;
}

static int count_hint(struct work *work, enum prn_hinted *hinted)
{
	/* A source that lists a sitemap, but not when it changed, is not counted as missing its changes. */
	bool only_lists = work->hint->is_sitemap && work->stamp == PRN_TIME_UNKNOWN;
	struct prn_host_source *host = only_lists ? NULL : host_source(work);
	struct prn_page_source *page = host ? page_source(work) : NULL;
	bool listed, matters, heard;
	int code = list(work, &listed);

	if (code)
		return code;
	*hinted = page ? judge(work, page, host) : only_lists ? PRN_HINTED_NAMED : PRN_HINTED_LIMIT;
	if (!page)
		return listed ? prn_page_sources_put(&work->page, work->decider->batch, &work->entry->key, work->error) : 0;
	matters = listed || *hinted == PRN_HINTED_TAKEN || *hinted == PRN_HINTED_NAMED || !(work->entry->state.hints.rate > 0);
	heard = (double)work->now - (double)host->named > PRN_DAY_S || is_ahead(work, host->named);
	if (!matters && !heard)
		return 0;
	host->named = work->now;
	/* That the source still gives hints is stored once a day, so that it keeps its place. */
	if (!matters)
		return prn_host_sources_put(&work->host, work->decider->batch, work->host_name, work->error);
	reconsider(work);
	code = prn_page_sources_put(&work->page, work->decider->batch, &work->entry->key, work->error);
	if (!code)
		code = prn_host_sources_put(&work->host, work->decider->batch, work->host_name, work->error);
	return code ? code : prn_decider_put(work->decider, work->entry, work->error);
}

/* Adds a page that was not known.  It is watched from the next hint on. */
static int add(struct work *work, enum prn_hinted *hinted)
{
	struct prn_entry *entry = work->entry;
	const struct prn_hint *hint = work->hint;
	unsigned most = prn_giant_share_of(work->decider, work->host_name, work->decider->options.hinted_per_host);
	/*
	 * As with redirects, hints must not hand in passwords, or addresses of networks that the store's fetcher may be in and the
	 * source is not: only a source on such a host may add these.
	 */
	bool foreign = prn_url_has_user(hint->normal_url) ||
	               (prn_url_is_private(hint->normal_url) && !prn_url_is_private(hint->source));
	/* Sources below the host's root may add half of what all may. */
	bool full = work->host.added >= most || (work->depth && work->host.added_below >= most / 2);
	bool listed;
	int code;

	*hinted = work->decider->options.known_only || foreign ? PRN_HINTED_UNKNOWN : full ? PRN_HINTED_FULL : PRN_HINTED_ADDED;
	if (*hinted != PRN_HINTED_ADDED)
		return 0;
	work->host.added++;
	work->host.added_below += work->depth > 0;
	entry->due = work->now;
	entry->state.reason = PRN_NEXT_NEW;
	code = list(work, &listed);
	if (!code && listed)
		code = prn_page_sources_put(&work->page, work->decider->batch, &entry->key, work->error);
	if (!code)
		code = prn_host_sources_put(&work->host, work->decider->batch, work->host_name, work->error);
	return code ? code : prn_decider_put(work->decider, entry, work->error);
}

static int hint_page(struct work *work, enum prn_hinted *hinted)
{
	struct prn_store_reader reader = prn_decider_reader(work->decider);
	const struct prn_hint *hint = work->hint;
	struct prn_digest key = prn_url_key(hint->normal_url);
	int code = prn_entry_find(work->entry, &reader, &key, hint->normal_url, hint->url, work->error);

	work->number = prn_source_number(hint->source);
	work->depth = prn_source_depth(hint->source);
	work->host_name = prn_host_name(hint->normal_url);
	if (!code)
		code = prn_host_sources_read(&work->host, &reader, work->host_name, work->error);
	if (code || !work->entry->known)
		return code ? code : add(work, hinted);
	/* If the page cannot be read, nothing is known of it that a hint could add to. */
	if (work->entry->anew || work->entry->state.status == PRN_PAGE_RETIRED) {
		*hinted = PRN_HINTED_UNKNOWN;
		return 0;
	}
	code = prn_page_sources_read(&work->page, &reader, &key, work->error);
	return code ? code : count_hint(work, hinted);
}

static int drop_silent(struct prn_decider *decider, struct prn_walk *walk, int64_t now, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);
	struct prn_host_sources sources;
	const void *name, *bytes;
	size_t length, count;
	int got = 1, code = 0;

	for (unsigned i = 0; i < LOOKED_AT && !code; i++) {
		struct prn_host_name host;

		got = prn_walk_side_next(walk, &name, &length, &bytes, &count, error);
		decider->looked_bytes = 0;
		if (got != 1 || length > sizeof decider->looked_at)
			break;
		memcpy(decider->looked_at, name, length);
		decider->looked_bytes = length;
		host = (struct prn_host_name){ decider->looked_at, length };
		code = prn_host_sources_read(&sources, &reader, host, error);
		if (!code && prn_host_sources_prune(&sources, now))
			code = prn_host_sources_put(&sources, decider->batch, host, error);
	}
	return got < 0 ? got : code;
}

/* Silent sources are dropped of hosts that get no hints any more, too: for each hint one host's record is searched. */
static int look_for_silent(struct prn_decider *decider, int64_t now, struct prn_error *error)
{
	struct prn_view *view = NULL;
	struct prn_walk *walk = NULL;
	int code;

	if (++decider->hints_heard % LOOKED_AT)
		return 0;
	code = prn_decider_view(decider, &view, error);
	if (!code)
		code = prn_walk_side_from(&walk, view, PRN_SIDE_HOST_SOURCES, decider->looked_at, decider->looked_bytes, error);
	if (!code)
		code = drop_silent(decider, walk, now, error);
	prn_walk_free(walk);
	return code;
}

/* A hint need not have been read by this library. */
static int check_hint(const struct prn_hint *hint, struct prn_error *error)
{
	if (!hint->url)
		return prn_error_set(error, PRN_E_ARGUMENT, "a hint has no URL");
	if (!hint->source || !*hint->source)
		return prn_error_set(error, PRN_E_ARGUMENT, "%.200s: the hint has no source", hint->url);
	return prn_decider_check_normal(hint->url, hint->normal_url, error);
}

int prn_decider_hint(struct prn_decider *decider, const struct prn_hint *hint, int64_t now, enum prn_hinted *hinted,
                     struct prn_error *error)
{
	struct work work = { .decider = decider, .entry = &decider->entry, .hint = hint, .now = now, .error = error };
	struct prn_decider_savepoint before;
	struct prn_decider *shard;
	int code = prn_decider_check_writer(decider, error);

	if (!code)
		code = prn_decider_check_now(now, error);
	if (!code)
		code = check_hint(hint, error);
	if (!code && decider->shards) {
		code = prn_shards_route(decider, hint->normal_url, true, &shard, error);
		if (code)
			return code;
		code = prn_decider_hint(shard, hint, now, hinted, error);
		prn_shards_done(shard);
		return code;
	}
	if (code)
		return code;
	work.stamp = hint->modified != PRN_TIME_UNKNOWN ? hint->modified
	             : hint->says_changed               ? hint->time
	                                                : PRN_TIME_UNKNOWN;
	before = prn_decider_save(decider);
	code = hint_page(&work, hinted);
	if (!code)
		code = look_for_silent(decider, now, error);
	if (code)
		prn_decider_restore(decider, &before);
	return code;
}

int prn_hinter_take(void *context, const struct prn_hint *hint)
{
	struct prn_hinter *hinter = context;
	struct prn_hint dated = *hint;
	enum prn_hinted hinted;
	unsigned tries = 0;
	int code;

	if (dated.time == PRN_TIME_UNKNOWN)
		dated.time = hinter->now;
	/* A hint that is committed by itself can be repeated. */
	do {
		code = prn_decider_hint(hinter->decider, &dated, hinter->now, &hinted, &hinter->error);
		if (!code && hinter->commit_most && prn_decider_staged(hinter->decider) >= hinter->commit_most)
			code = prn_decider_commit_all(hinter->decider, &hinter->error);
	} while (hinter->commit_most == 1 && prn_decider_again(hinter->decider, code, &tries));
	if (code)
		return code;
	hinter->error = (struct prn_error){ 0 };
	hinter->hinted[hinted]++;
	if (hinter->report)
		hinter->report(hinter->context, hint, hinted);
	return 0;
}

enum prn_source_kind prn_source_kind(const char *name)
{
	if (!strncmp(name, "http://", 7) || !strncmp(name, "https://", 8))
		return PRN_SOURCE_DOCUMENT;
	for (int i = PRN_SOURCE_SITEMAP; i < PRN_SOURCE_OTHER; i++)
		if (!strcmp(name, prn_source_kind_name((enum prn_source_kind)i)))
			return (enum prn_source_kind)i;
	return PRN_SOURCE_OTHER;
}

const char *prn_source_kind_name(enum prn_source_kind kind)
{
	static const char *const names[PRN_SOURCE_KINDS] = { "document", "sitemap", "feed", "indexnow", "other" };

	return (unsigned)kind < PRN_SOURCE_KINDS ? names[kind] : "?";
}

double prn_source_sum_trust(const struct prn_source_sum *sum)
{
	return sum->sources ? sum->trust / (double)sum->sources : 0;
}

double prn_source_sum_precision(const struct prn_source_sum *sum)
{
	return sum->hinted > 0 ? sum->both / sum->hinted : NAN;
}

double prn_source_sum_recall(const struct prn_source_sum *sum)
{
	return sum->changed > 0 ? sum->both / sum->changed : NAN;
}

double prn_source_sum_hinted(const struct prn_source_sum *sum)
{
	return sum->visits > 0 ? sum->hinted / sum->visits : NAN;
}

static int take_sources(const struct prn_host_sources *sources, const char *host, prn_hint_source_fn *take_source, void *context)
{
	int code = 0;

	for (size_t i = 0; i < sources->count && !code; i++) {
		const struct prn_host_source *source = &sources->sources[i];
		const struct prn_trust *trust = &source->trust;
		const struct prn_hint_source one = { .host = host, .source = source->name, .named = source->named, .hints = trust->hints,
			                             .trust = prn_trust_degree(trust), .precision = prn_trust_precision(trust),
			                             .recall = prn_trust_recall(trust), .hinted_share = prn_trust_hinted(trust),
			                             .hinted = trust->hinted, .changed = trust->changed, .both = trust->both,
			                             .visits = trust->visits };

		code = take_source(context, &one);
	}
	return code;
}

int prn_sources_list(struct prn_view *view, uint64_t most, prn_hint_source_fn *take_source, void *context, uint64_t *damaged,
                     struct prn_error *error)
{
	const void *name, *bytes;
	size_t length, count;
	struct prn_walk *walk = NULL;
	int got = 1, code = prn_walk_side(&walk, view, PRN_SIDE_HOST_SOURCES, error);

	*damaged = 0;
	for (uint64_t i = 0; !code && i < most && (got = prn_walk_side_next(walk, &name, &length, &bytes, &count, error)) == 1; i++) {
		char host[PRN_HOST_NAME_BYTES + 1];
		struct prn_host_sources sources;

		if (length > PRN_HOST_NAME_BYTES || prn_host_sources_decode(&sources, bytes, count)) {
			++*damaged;
			continue;
		}
		snprintf(host, sizeof host, "%.*s", (int)length, (const char *)name);
		*damaged += sources.damaged;
		code = take_sources(&sources, host, take_source, context);
	}
	prn_walk_free(walk);
	return code ? code : got < 0 ? got : 0;
}

struct each_source {
	prn_hint_source_fn *take;
	void *context;
	int ended; /* what the caller's function returned, which is not to be taken for a fault of the shard */
};

static int take_each(void *context, const struct prn_hint_source *source)
{
	struct each_source *each = context;

	each->ended = each->take(each->context, source);
	return each->ended ? PRN_E_CANCELLED : 0;
}

static int sources_in_shard(void *context, struct prn_decider *shard, struct prn_error *error)
{
	return prn_decider_sources(shard, take_each, context, NULL, error);
}

static int sources_in_shards(struct prn_decider *root, struct each_source *each, struct prn_passed_shards *passed,
                             struct prn_error *error)
{
	struct prn_shards_damaged damaged;
	struct prn_error why = { 0 };
	int code = passed ? prn_shards_each_whole(root, sources_in_shard, each, &damaged, &why)
	                  : prn_shards_each(root, sources_in_shard, each, &why);

	if (each->ended)
		return each->ended;
	if (code && error)
		*error = why;
	if (passed && !code)
		*passed = (struct prn_passed_shards){ damaged.count, damaged.first };
	return code;
}

int prn_decider_sources(struct prn_decider *decider, prn_hint_source_fn *take_source, void *context,
                        struct prn_passed_shards *passed, struct prn_error *error)
{
	struct each_source each = { .take = take_source, .context = context };
	struct prn_view *view;
	uint64_t damaged;
	int code;

	if (decider->shards)
		return sources_in_shards(decider, &each, passed, error);
	code = prn_decider_look(decider, PRN_LOOK_AT_ALL, &view, error);
	if (code)
		return code;
	code = prn_sources_list(view, UINT64_MAX, take_source, context, &damaged, error);
	prn_view_close(view);
	if (!code && passed)
		passed->count = 0;
	return code;
}
