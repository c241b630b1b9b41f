/*
 * The page in hand: its record in the store is read, changed, and staged again.
 */
#ifndef DECIDE_ENTRY_H
#define DECIDE_ENTRY_H

#include "decide/costs.h"
#include "perennial/page_state.h"
#include "perennial/store.h"

/* Reads go through the writer's batch, or through a view; the other is NULL. */
struct prn_store_reader {
	struct prn_batch *batch;
	struct prn_view *view;
};

/* prn_batch_get or prn_view_get; likewise for _side. */
int prn_store_reader_get(const struct prn_store_reader *reader, const struct prn_digest *key, struct prn_record *record,
                  struct prn_error *error);

/* After _get returned PRN_E_DAMAGED: whether only this page is damaged (store/shared.h).  Errors of views */
int prn_store_reader_is_spoilt(const struct prn_store_reader *reader, const struct prn_digest *key, bool *spoilt,
                               struct prn_error *error);

int prn_store_reader_side(const struct prn_store_reader *reader, enum prn_side side, const void *name,
                          size_t name_bytes, const void **bytes, size_t *count, struct prn_error *error);

/* _init, then _find or _read for page after page, then _release. */
struct prn_entry {
	struct prn_digest key;
	char *url;          /* as first spelled */
	bool known;         /* the page is in the store */
	bool anew;          /* … but its state cannot be read, and is that of a new page … */
	bool spoilt;        /* … and of its record only the URL is known, so that it may be on lease */
	double weight;
	int64_t due, lease; /* PRN_TIME_UNKNOWN: none */
	uint64_t waits_for; /* the number of the host whose turn it waits for; 0: for none */
	struct prn_page_state state;
	const struct prn_costs *costs; /* borrowed prices of looks, to be set after _init; NULL: each costs one */

	char *normal_url; /* private, as all below: "" until it is asked for */
	unsigned char *bytes;
	struct prn_page_state *back; /* for reading back what a program's own policy packs; NULL: not yet needed */
	size_t url_capacity, byte_capacity;
};

/* PRN_E_MEMORY */
int prn_entry_init(struct prn_entry *entry, const struct prn_policy *policy, size_t limit);
void prn_entry_release(struct prn_entry *entry);

/*
 * Takes a record's page in hand.  PRN_E_DAMAGED, PRN_E_VERSION: its state cannot be read and is that of a new page, but the
 * rest is in hand; PRN_E_MEMORY
 */
int prn_entry_read(struct prn_entry *entry, const struct prn_record *record, struct prn_error *error);

/*
 * As _read, for one page among many.  Returns 1; or 0 if the page's state cannot be read, with the cause in *why, which may be
 * NULL; or an error, including PRN_E_VERSION.
 */
int prn_entry_try(struct prn_entry *entry, const struct prn_record *record, struct prn_error *why,
                  struct prn_error *error);

/*
 * Takes the page of a normal URL in hand.  A page that is not in the store becomes a new page, spelled as url, with weight 1,
 * due at no time.  A page that cannot be read is known and anew, and has the state of a new page, or of a retired one where it
 * is due at no time; if its record is damaged, the rest is that of a new page too.
 * Errors of the store; PRN_E_VERSION: its state is of a newer program; PRN_E_INPUT also where another URL has its key.
 */
int prn_entry_find(struct prn_entry *entry, const struct prn_store_reader *reader, const struct prn_digest *key,
                   const char *normal_url, const char *url, struct prn_error *error);

/* After _try returned 0: makes the page in hand known, with the state of a new page, or of a retired one. */
void prn_entry_begin_anew(struct prn_entry *entry);

/*
 * Takes over the page of another entry, whose state may be of another policy.  What that policy knows of the page is left out:
 * the state is that of a page that no policy has learned of yet.  PRN_E_MEMORY
 */
int prn_entry_become(struct prn_entry *entry, const struct prn_entry *from, struct prn_error *error);

/* The lane of queues in which the page stands where it is due: in vain was a page tried that has only failed (patience.h). */
enum prn_lane prn_entry_lane(const struct prn_entry *entry);

/* The weight of a visit of the page: the page's weight, divided by what a look costs. */
double prn_entry_weight(const struct prn_entry *entry);

/* The time since which a page that was never visited has been due: a Retry-After moves due, but not this. */
int64_t prn_entry_waits_since(const struct prn_entry *entry);

/* The time from which a visit gains value: the last visit, or prn_entry_waits_since for a page without one. */
int64_t prn_entry_worth_since(const struct prn_entry *entry);

/* The page's normal URL, valid until another page is in hand. */
const char *prn_entry_normal(struct prn_entry *entry);

/*
 * Gives the page in hand another key, and gives its URL the spelling that a new page under that key would have.  PRN_E_MEMORY
 */
int prn_entry_respell(struct prn_entry *entry, const struct prn_digest *key, struct prn_error *error);

/*
 * Stages the page in hand.  Errors of prn_batch_put; PRN_E_MEMORY; PRN_E_ARGUMENT: its policy, which a program brought, cannot
 * read what it packs
 */
int prn_entry_put(struct prn_entry *entry, struct prn_batch *batch, struct prn_error *error);

#endif
