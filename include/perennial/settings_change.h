/*
 * Gives a store that is in use another policy, other keys of it, such as its prior, or fragments of another length.
 *
 * Every page keeps its URL, its weight, its lease, the time of its next visit, its failures, its last body's digest, its
 * validators, its hints and the cost of its looks; hosts keep everything.  What the policy learned stays only where no keys
 * but those marked kept (policy.h) differ.  Otherwise the new policy begins with the page as it was at its last visit, as if
 * that had been the first.  Where no version is kept that the new policy could compare (fragments of another length, more
 * hashes than there are, a policy that kept none) it begins with nothing: the page's next visit, when it was due anyhow, is
 * then its first.  Content that was held back until a second visit is dropped.  What a site's pages said of each other is
 * learned anew in any case.
 *
 * The change is made in portions, each durable.  If the process is killed, the store is left half changed and nobody can read
 * it; the next process that opens it for writing first goes on with the change.
 */
#ifndef PERENNIAL_SETTINGS_CHANGE_H
#define PERENNIAL_SETTINGS_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "perennial/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prn_settings_change {
	const char *policy;     /* a specification, as prn_decider_settings has it; NULL: as it is */
	unsigned shingle_words; /* k; 0: as it is */
	double threshold;       /* on the dial of the policy; 0: as it is */
	double lock_wait_s;     /* for another writer to finish */
};

struct prn_settings_changed {
	uint64_t pages;     /* looked at; 0 where states stayed as they were */
	uint64_t begun;     /* whose policy begins with what the page was at its last visit … */
	uint64_t anew;      /* … and with nothing */
	uint64_t untouched; /* that cannot be read: they are as they were */
	bool states_stayed; /* what the policy learned of all pages stays */
};

/*
 * Changes a store that nobody else writes to.  In a shared store, others that have it open are refused from then on
 * (PRN_E_BUSY) until they open it again.  changed may be NULL; it is written on success.
 *
 * PRN_E_ARGUMENT	nothing is to be changed; or the settings do not go together; or the dial of the policy is another and there
 *			is neither a threshold nor a budget
 * PRN_E_NOT_FOUND	no such policy or key
 * PRN_E_BUSY, PRN_E_IO, PRN_E_DAMAGED, …	as prn_decider_open, and errors of commits; of several shards also those of one that
 *			cannot be opened: then nothing is changed
 */
int prn_settings_change(const char *path, const struct prn_settings_change *change, struct prn_settings_changed *changed,
                        struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
