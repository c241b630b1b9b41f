#include "decide/entry.h"

#include "archive/url_globs.h"
#include "base/buffer.h"
#include "decide/patience.h"
#include "decide/worth.h"
#include "fragment/utf8.h"
#include "perennial/url.h"
#include "policy/policy_internal.h"
#include "store/shared.h"

#include <stdlib.h>
#include <string.h>

int prn_store_reader_get(const struct prn_store_reader *reader, const struct prn_digest *key, struct prn_record *record,
                  struct prn_error *error)
{
	return reader->batch ? prn_batch_get(reader->batch, key, record, error)
	                    : prn_view_get(reader->view, key, record, error);
}

int prn_store_reader_is_spoilt(const struct prn_store_reader *reader, const struct prn_digest *key, bool *spoilt,
                               struct prn_error *error)
{
	return reader->batch ? prn_batch_is_spoilt(reader->batch, key, spoilt, error)
	                     : prn_view_is_spoilt(reader->view, key, spoilt, error);
}

int prn_store_reader_side(const struct prn_store_reader *reader, enum prn_side side, const void *name,
                          size_t name_bytes, const void **bytes, size_t *count, struct prn_error *error)
{
	return reader->batch ? prn_batch_side(reader->batch, side, name, name_bytes, bytes, count, error)
	                    : prn_view_side(reader->view, side, name, name_bytes, bytes, count, error);
}

int prn_entry_init(struct prn_entry *entry, const struct prn_policy *policy, size_t limit)
{
	*entry = (struct prn_entry){ 0 };
	entry->normal_url = calloc(1, PRN_URL_BYTES + 1);
	return entry->normal_url ? prn_page_state_init(&entry->state, policy, limit) : PRN_E_MEMORY;
}

void prn_entry_release(struct prn_entry *entry)
{
	prn_page_state_release(&entry->state);
	if (entry->back)
		prn_page_state_release(entry->back);
	free(entry->back);
	free(entry->url);
	free(entry->normal_url);
	free(entry->bytes);
	*entry = (struct prn_entry){ 0 };
}

static int take_url(struct prn_entry *entry, const char *url, struct prn_error *error)
{
	size_t bytes = strlen(url) + 1;
	char *grown = prn_array_grow(entry->url, &entry->url_capacity, bytes, 1);

	if (!grown)
		return prn_error_memory(error);
	memcpy(grown, url, bytes);
	entry->url = grown;
	entry->normal_url[0] = 0;
	return 0;
}

static int spell_url(struct prn_entry *entry, const char *url, struct prn_error *error)
{
	char spelled[PRN_URL_BYTES + 1];
	int code = prn_url_spell(url, spelled, sizeof spelled);

	return code ? prn_error_set(error, code, "%.200s: %s", url, prn_error_text(code))
	            : take_url(entry, spelled, error);
}

int prn_entry_read(struct prn_entry *entry, const struct prn_record *record, struct prn_error *error)
{
	/* Older programs kept spellings that are not UTF-8, which no JSON could hand to a fetcher, and such as are many URLs to curl. */
	bool odd = !prn_utf8_is_valid(record->url, strlen(record->url)) || prn_url_has_globs(record->url);
	bool respelled = odd && !spell_url(entry, record->url, NULL);
	int code = respelled ? 0 : take_url(entry, record->url, error);

	if (code)
		return code;
	entry->key = record->key;
	entry->known = true;
	entry->anew = entry->spoilt = false;
	entry->weight = record->weight;
	entry->due = record->due;
	entry->lease = record->lease;
	entry->waits_for = record->waits_for;
	code = prn_page_state_decode(&entry->state, record->state, record->state_bytes, error);
	if (code)
		prn_error_prefix(error, "%s", entry->url);
	return code;
}

int prn_entry_become(struct prn_entry *entry, const struct prn_entry *from, struct prn_error *error)
{
	const struct prn_page_state *known = &from->state;
	struct prn_page_state *state = &entry->state;
	int code = take_url(entry, from->url, error);

	if (code)
		return code;
	entry->key = from->key;
	entry->known = from->known;
	entry->anew = from->anew;
	entry->spoilt = from->spoilt;
	entry->weight = from->weight;
	entry->due = from->due;
	entry->lease = from->lease;
	entry->waits_for = from->waits_for;
	prn_page_state_clear(state);
	state->status = known->status;
	state->reason = known->reason;
	state->failures = known->failures;
	state->gones = known->gones;
	state->troubled = known->troubled;
	state->attempted = known->attempted;
	state->visited = known->visits ? PRN_TIME_UNKNOWN : known->visited;
	state->body = known->body;
	state->media = known->media;
	state->redirects = known->redirects;
	state->from_elsewhere = known->from_elsewhere;
	state->hints = known->hints;
	state->cost = known->cost;
	return 0;
}

int prn_entry_try(struct prn_entry *entry, const struct prn_record *record, struct prn_error *why,
                  struct prn_error *error)
{
	struct prn_error own = { 0 };
	int code = prn_entry_read(entry, record, &own);

	if (code != PRN_E_DAMAGED) {
		if (code && error)
			*error = own;
		return code ? code : 1;
	}
	if (why)
		*why = own;
	return 0;
}

int prn_entry_respell(struct prn_entry *entry, const struct prn_digest *key, struct prn_error *error)
{
	int code = spell_url(entry, entry->url, error);

	if (!code)
		entry->key = *key;
	return code;
}

/* A URL that is already in its normal form keeps its spelling. */
static int begin_page(struct prn_entry *entry, const struct prn_digest *key, const char *normal_url, const char *url,
                      struct prn_error *error)
{
	int code = strcmp(url, normal_url) ? spell_url(entry, url, error) : take_url(entry, url, error);

	if (code)
		return code;
	entry->key = *key;
	entry->known = entry->anew = entry->spoilt = false;
	entry->weight = 1;
	entry->due = entry->lease = PRN_TIME_UNKNOWN;
	entry->waits_for = 0;
	prn_page_state_clear(&entry->state);
	return 0;
}

/* Only retired pages are due at no time. */
void prn_entry_begin_anew(struct prn_entry *entry)
{
	entry->anew = true;
	if (entry->due == PRN_TIME_UNKNOWN && entry->lease == PRN_TIME_UNKNOWN) {
		entry->state.status = PRN_PAGE_RETIRED;
		entry->state.reason = PRN_NEXT_RETIRED;
	}
}

/* A page whose record is damaged is known by its key alone. */
static int find_spoilt(struct prn_entry *entry, const struct prn_store_reader *reader, const struct prn_digest *key,
                       const char *normal_url, const char *url, struct prn_error *error)
{
	struct prn_record record;
	bool spoilt;
	int code = prn_store_reader_is_spoilt(reader, key, &spoilt, error);

	/* Where the file is damaged, and not only this page, reading the page again returns that error. */
	if (!code)
		code = spoilt ? begin_page(entry, key, normal_url, url, error) : prn_store_reader_get(reader, key, &record, error);
	entry->known = entry->anew = entry->spoilt = !code;
	return code;
}

int prn_entry_find(struct prn_entry *entry, const struct prn_store_reader *reader, const struct prn_digest *key,
                   const char *normal_url, const char *url, struct prn_error *error)
{
	struct prn_error why = { 0 };
	struct prn_record record;
	int code = prn_store_reader_get(reader, key, &record, &why), readable;

	if (code == PRN_E_NOT_FOUND)
		return begin_page(entry, key, normal_url, url, error);
	if (code == PRN_E_DAMAGED)
		return find_spoilt(entry, reader, key, normal_url, url, error);
	if (code) {
		if (error)
			*error = why;
		return code;
	}
	readable = prn_entry_try(entry, &record, NULL, error);
	if (readable < 0)
		return readable;
	if (!readable)
		prn_entry_begin_anew(entry);
	if (strcmp(entry->url, normal_url) != 0 && strcmp(prn_entry_normal(entry), normal_url) != 0)
		return prn_error_set(error, PRN_E_INPUT, "%s: has the same key as %s, and a store cannot hold both",
		                     url, entry->url);
	return 0;
}

enum prn_lane prn_entry_lane(const struct prn_entry *entry)
{
	return entry->state.visits ? PRN_LANE_KNOWN : prn_patience_has_only_failed(&entry->state) ? PRN_LANE_VAIN : PRN_LANE_NEW;
}

double prn_entry_weight(const struct prn_entry *entry)
{
	return entry->weight / prn_cost_relative(entry->costs, &entry->state);
}

int64_t prn_entry_waits_since(const struct prn_entry *entry)
{
	return entry->state.visited != PRN_TIME_UNKNOWN ? entry->state.visited : entry->due;
}

int64_t prn_entry_worth_since(const struct prn_entry *entry)
{
	return entry->state.visits ? entry->state.visited : prn_entry_waits_since(entry);
}

const char *prn_entry_normal(struct prn_entry *entry)
{
	if (!entry->normal_url[0])
		prn_url_normalize(entry->url, SIZE_MAX, entry->normal_url, PRN_URL_BYTES + 1);
	return entry->normal_url;
}

/*
 * A program's own policy may pack bytes that it does not unpack.  If they were written, the program would be told that the page
 * is kept, but nobody could read it.
 */
static int read_back(struct prn_entry *entry, size_t length, struct prn_error *error)
{
	const struct prn_policy *policy = entry->state.policy;
	struct prn_error why = { 0 };
	int code;

	if (prn_policy_is_built_in(policy))
		return 0;
	if (!entry->back)
		entry->back = calloc(1, sizeof *entry->back);
	if (!entry->back || (!entry->back->policy_state &&
	                     prn_page_state_init(entry->back, policy, entry->state.summary_limit)))
		return prn_error_memory(error);
	code = prn_page_state_decode(entry->back, entry->bytes, length, &why);
	return code ? prn_error_set(
			      error, PRN_E_ARGUMENT,
			      "%.200s: not written, because the policy '%s' could not read back what it packs "
			      "of its state",
			      entry->url, prn_policy_about(policy)->name)
	            : 0;
}

int prn_entry_put(struct prn_entry *entry, struct prn_batch *batch, struct prn_error *error)
{
	size_t length = prn_page_state_encode(&entry->state, entry->bytes, entry->byte_capacity);
	struct prn_record record = { .key = entry->key, .url = entry->url, .weight = entry->weight,
		                     .due = entry->due, .lane = prn_entry_lane(entry), .lease = entry->lease,
		                     .waits_for = entry->waits_for, .state_bytes = length };
	unsigned char worth[PRN_WORTH_BYTES];
	size_t worth_bytes;
	int code;

	if (length > entry->byte_capacity) {
		unsigned char *grown = prn_array_grow(entry->bytes, &entry->byte_capacity, length, 1);

		if (!grown)
			return prn_error_memory(error);
		entry->bytes = grown;
		prn_page_state_encode(&entry->state, grown, length);
	}
	record.state = entry->bytes;
	code = read_back(entry, length, error);
	if (code)
		return code;
	worth_bytes = prn_worth_make(&entry->state, entry->weight, prn_entry_worth_since(entry), worth);
	return prn_batch_put_worth(batch, &record, (struct prn_bytes){ worth, worth_bytes }, error);
}
