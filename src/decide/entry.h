/*
 * A page in hand: its record in the store, read, changed, and staged again.
 */
#ifndef DECIDE_ENTRY_H
#define DECIDE_ENTRY_H

#include "decide/costs.h"
#include "perennial/page_state.h"
#include "perennial/store.h"

/* Where to read: a batch, the writer's; or a view.  The other is NULL. */
struct prn_store_reader {
	struct prn_batch *batch;
	struct prn_view *view;
};

/* prn_batch_get or prn_view_get, and _side. */
int prn_store_reader_get(const struct prn_store_reader *reader, const struct prn_digest *key, struct prn_record *record,
                  struct prn_error *error);

/* After PRN_E_DAMAGED of _get: whether it is this page alone that is damaged (store/shared.h).  Errors of views */
int prn_store_reader_is_spoilt(const struct prn_store_reader *reader, const struct prn_digest *key, bool *spoilt,
                               struct prn_error *error);

int prn_store_reader_side(const struct prn_store_reader *reader, enum prn_side side, const void *name,
                          size_t name_bytes, const void **bytes, size_t *count, struct prn_error *error);

/* _init, then _find or _read for page after page, then _release. */
struct prn_entry {
	struct prn_digest key;
	char *url;          /* as first spelled */
	bool known;         /* it is in the store */
	bool anew;          /* but what was known of it cannot be read: its state is that of a new page … */
	bool spoilt;        /* … and of its record nothing but the URL, so that it may be on lease */
	double weight;
	int64_t due, lease; /* PRN_TIME_UNKNOWN: none */
	uint64_t waits_for; /* the number of the host whose turn it waits for; 0: for none */
	struct prn_page_state state;
	const struct prn_costs *costs; /* by which looks are counted, borrowed; NULL: one each.  To be set after
	                                * _init */

	char *normal_url; /* private, as all below: "" until it is asked for */
	unsigned char *bytes;
	struct prn_page_state *back; /* what a policy that a program brought is seen to read; NULL: not yet needed */
	size_t url_capacity, byte_capacity;
};

/* PRN_E_MEMORY */
int prn_entry_init(struct prn_entry *entry, const struct prn_policy *policy, size_t limit);
void prn_entry_release(struct prn_entry *entry);

/*
 * Takes a record's page in hand.  PRN_E_DAMAGED, PRN_E_VERSION: its state cannot be read, and is that of a new page,
 * but the rest is in hand; PRN_E_MEMORY
 */
int prn_entry_read(struct prn_entry *entry, const struct prn_record *record, struct prn_error *error);

/*
 * The same, of one page among many: 1; 0: its state cannot be read, and *why, which may be NULL, says so; or an
 * error, also PRN_E_VERSION.
 */
int prn_entry_try(struct prn_entry *entry, const struct prn_record *record, struct prn_error *why,
                  struct prn_error *error);

/*
 * Takes the page of a normal URL in hand; one that is not in the store is a new page, spelled as url, weight 1,
 * due at no time.  One that cannot be read is in hand as known, with the state of a new page, or of a retired one
 * where it is due at no time, and anew; where its record is damaged the rest is that of a new page too.  Errors of
 * the store; PRN_E_VERSION: its state is of a newer program; PRN_E_INPUT also where another URL has its key.
 */
int prn_entry_find(struct prn_entry *entry, const struct prn_store_reader *reader, const struct prn_digest *key,
                   const char *normal_url, const char *url, struct prn_error *error);

/* After 0 of _try: the page in hand is known, and its state is that of a new page, or of a retired one. */
void prn_entry_begin_anew(struct prn_entry *entry);

/*
 * Takes the page in hand of another entry in hand, whose state may be of another policy: all but what that knows of it, as that of
 * a page that no policy was told of yet.  PRN_E_MEMORY
 */
int prn_entry_become(struct prn_entry *entry, const struct prn_entry *from, struct prn_error *error);

/* What a visit of the page is weighed with: its weight, by what a look costs. */
double prn_entry_weight(const struct prn_entry *entry);

/* The time since which a page that was never visited has been due: a Retry-After moves due, but not this. */
int64_t prn_entry_waits_since(const struct prn_entry *entry);

/* The time from which on a visit gains value: that of the last one, or the same. */
int64_t prn_entry_worth_since(const struct prn_entry *entry);

/* The page's normal URL, valid until another page is in hand. */
const char *prn_entry_normal(struct prn_entry *entry);

/* Gives the page in hand another key, and its URL the spelling that a new page of it would have.  PRN_E_MEMORY */
int prn_entry_respell(struct prn_entry *entry, const struct prn_digest *key, struct prn_error *error);

/*
 * Stages the page as it is in hand.  Errors of prn_batch_put; PRN_E_MEMORY; PRN_E_ARGUMENT: its policy, which a program
 * brought, cannot read what it packs
 */
int prn_entry_put(struct prn_entry *entry, struct prn_batch *batch, struct prn_error *error);

#endif
