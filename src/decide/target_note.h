/*
 * Targets of redirects in other shards, and what a shard notes of one that is to become a page of another shard, when the page that redirects hands its chain on
 * and would not add it again: it is durable with the redirect, and taken out when the target is.  Whoever opens the shard for writing
 * in between takes it up.
 *
 * It lies in PRN_SIDE_META, as "target/" with the key of the target's URL in hex; the value is the target's time (8 bytes, its sign flipped), weight
 * (8, an IEEE double), redirects (4), 1 if it came from another site (1), all big-endian, and its normal URL.
 */
#ifndef DECIDE_TARGET_NOTE_H
#define DECIDE_TARGET_NOTE_H

#include "decide/decider_internal.h"

/*
 * A target of a redirect in another shard, which is told of it once the redirect is durable: to be added, or that it
 * was refused there.
 */
struct prn_target {
	char *url; /* normal */
	bool is_refused;
	bool is_noted; /* in the shard of the page that redirects */
	int64_t time;  /* of the redirect */
	double weight;
	uint32_t redirects; /* as the page's state is to have them */
	bool from_elsewhere;
};

/*
 * Takes the page of a target in hand: as it is stored, where it came by another way meanwhile (page->known), else as a new one, which
 * the caller puts.  Errors of prn_entry_find
 */
int prn_target_find(struct prn_entry *page, const struct prn_store_reader *reader, const struct prn_target *target, struct prn_error *error);

/* So many are taken up by one who opens a shard: those behind them by the next. */
#define PRN_TARGET_NOTES 4096

/* Whether a setting's key is that of a note. */
bool prn_target_note_is(const void *name, size_t name_bytes);

/* A note as it lies; the caller frees url.  PRN_E_DAMAGED: none, or of another URL than its name tells; PRN_E_MEMORY */
int prn_target_note_read(struct prn_target *target, const void *name, size_t name_bytes, const void *bytes, size_t count);

/* Stages a note in a shard, or takes it out.  Errors of batches */
int prn_target_note_put(struct prn_decider *shard, const struct prn_target *target, struct prn_error *error);
int prn_target_note_drop(struct prn_decider *shard, const struct prn_target *target, struct prn_error *error);

/*
 * Of a shard that was opened for writing, by which nothing is staged so far: what is noted there becomes targets that are durable.  A note that is
 * damaged is passed over, and stays.  Errors of views
 */
int prn_target_notes_take_up(struct prn_decider *shard, struct prn_error *error);

#endif
