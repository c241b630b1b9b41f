/*
 * One page as `perennial show` shows it: its text as of any capture, each passage by the lifetime of its content, and what a
 * policy would have caught and missed.
 *
 * The words of a text form fragments of k words (doc/theory.md §1).  A word is classed by the longest-lived of its fragments,
 * because a fragment dies with any of its words: so after a change only the words that changed belong to content that is
 * gone.  A passage is a run of words of one life.
 */
#ifndef SHOW_SHOW_H
#define SHOW_SHOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "history/truth.h"
#include "perennial/digest.h"
#include "perennial/error.h"
#include "perennial/page.h"
#include "perennial/policy.h"
#include "perennial/source.h"
#include "perennial/study.h"
#include "perennial/time.h"
#include "text/passages.h"

#include <stdio.h>

#define SHOW_TEXTS 100                     /* versions whose texts are kept, by default */
#define SHOW_TEXT_BYTES ((size_t)16 << 20) /* of all texts together; beyond it texts are left out, except the one that was asked for */

/* Content that came and went at the same captures. */
struct show_life {
	uint32_t from, to; /* captures of the page: from the first with it up to the first without it */
	enum prn_region region;
	double days;       /* from the first capture with it to the first without it, or to the last of the page */
	bool ended;        /* it was seen to go */
	size_t fragments;  /* number of them */
};

#define SHOW_NO_LIFE TEXT_NO_MARK /* the mark of a passage is its life, or this */

/* A run of captures with the same fragments. */
struct show_version {
	size_t first, end;        /* captures of the page */
	struct prn_digest digest; /* of its fragments */
	bool wanted, found;       /* its text is to be read; its text was found */
	bool is_text;             /* what was found is text; else bytes that are not read as text, or the target of a redirect */
	struct text_sequence text; /* of show.passages; owned */
};

/* A visit that a policy would have made. */
struct show_visit {
	size_t at;             /* capture of the page */
	size_t caught, missed; /* fragments that it saw first; fragments that came and went since the visit before */
	bool taken;            /* false: the page could not be fetched then */
};

struct show_replay {
	const char *policy; /* borrowed */
	enum prn_dial dial;
	double setting; /* of the dial: clock units, or none */
	double unit_s;  /* seconds in a clock unit */
	double cost, staleness; /* visits per capture after the first; mean divergence of the copy over time */
	struct show_visit *visits; /* [visit_count] after the acquisition; owned */
	size_t visit_count, visit_capacity;
	size_t changes, changes_caught; /* changes of the page; of these, found by a visit while they were its content */
	size_t born, caught, missed;    /* fragments that came after the acquisition; of these, seen by a visit; gone unseen */
	double *stale; /* [captures of the life] divergence of the copy as of each, after any visit at it; owned */
};

struct show {
	/* given */
	char *const *sources; /* [source_count] */
	size_t source_count;
	const char *url; /* in its normal form */
	struct prn_source_filter filter; /* which captures are taken; wanted is ignored */
	const char *git_base;            /* as prn_source_options has it */
	size_t texts;    /* the most versions whose texts are kept, > 0: first the one that is shown, then the last, then the first */
	bool has_time;
	int64_t time;    /* the last capture by then is shown first; without a time, the last of all */

	/* found */
	bool skipped; /* something in the sources was passed over, and reported */
	bool faulty;  /* some fault was not reported yet: sources are read to their ends */
	struct prn_page page;
	struct prn_study *study;
	struct prn_truth truth; /* times in clock units */
	size_t first, last; /* captures of its life */
	struct show_life *lives; /* [life_count] by from, then by to */
	size_t life_count;
	struct show_version *versions; /* [version_count] */
	size_t version_count, found_count;
	struct text_passages passages; /* of all texts */
	bool is_cut;     /* texts beyond SHOW_TEXT_BYTES were left out */
	size_t shown;    /* the version that is shown first; its text was found */
	size_t capture;  /* the capture as of which it is shown */
	double mean_days[PRN_REGION_UNKNOWN + 1]; /* of a region's content on this page, by maximum likelihood of exponential lives of which some are censored; INFINITY: none was seen to end */
};

void show_init(struct show *show);
void show_release(struct show *show);

/*
 * Reads the history of the page from the sources, as an import does, and studies it.
 *
 * PRN_E_NOT_FOUND	no source has a capture of it, or it has fewer than PRN_LIFE_CAPTURES with content
 * PRN_E_UNSUPPORTED	a source can be read only once, or is a trace, which keeps no text
 * PRN_E_IO, PRN_E_INPUT, PRN_E_MEMORY
 */
int show_find(struct show *show, struct prn_error *error);

/* Reads the sources again for the texts of the page.  PRN_E_NOT_FOUND: there are none; and errors of show_find */
int show_read_texts(struct show *show, struct prn_error *error);

/* Returns how the sources are read: filtered, and only for what is sought. */
struct show_sought;
struct prn_source_options show_source_options(const struct show *show, struct show_sought *sought);

/* The captures that are sought: those of the page, and those of other pages that its revisits repeat. */
struct show_sought {
	const char *url;
	struct show_place {
		struct prn_digest key; /* digest of a payload, or the key of a URL */
		int64_t time;          /* PRN_TIME_UNKNOWN: a payload */
	} *places; /* [count] sorted */
	size_t count, capacity;
};

/* Whether a capture is sought.  A prn_wanted_fn. */
bool show_wants(void *sought, const char *normal_url, int64_t time, const struct prn_digest *payload);

/*
 * Finds in the sources what the revisits of the page repeat; leaves show->skipped as it is.  PRN_E_MEMORY and errors of
 * show_find
 */
int show_seek(const struct show *show, struct show_sought *sought, struct prn_error *error);

/*
 * Finds a URL in the sources that differs from the missing one only in scheme, "www." or a slash at its end; false: there is
 * none.
 */
bool show_suggest(const struct show *show, char *url, size_t room);

/*
 * Adds the text of a version, which has these fragments, or words about a version that is no text.  keeps_lines: ends of
 * lines are kept, as in text without markup.  PRN_E_MEMORY
 */
struct prn_wording;
int show_add_text(struct show *show, size_t version, const struct prn_wording *wording, bool keeps_lines);
int show_add_bytes(struct show *show, size_t version, const char *words);

/*
 * Replays a policy at a setting of its dial, > 0; at 0 it finds the setting whose number of visits per capture comes closest
 * to cost.
 *
 * PRN_E_MEMORY
 */
int show_replay(const struct show *show, const struct prn_policy *policy, double setting, double cost,
                struct show_replay *replay, struct prn_error *error);
void show_replay_release(struct show_replay *replay);

/* Returns the version at a capture of the life. */
static inline size_t show_version_at(const struct show *show, size_t capture)
{
	return show->truth.versions.of[capture - show->truth.versions.first];
}

/* Returns the days from one capture of the page to another. */
static inline double show_days(const struct show *show, size_t from, size_t to)
{
	return (double)(show->page.captures[to].time - show->page.captures[from].time) / PRN_DAY_S;
}

/*
 * Lists passages of churn, at most most of them and the latest first; returns how many.  Only texts that were kept are
 * searched.
 */
size_t show_list_churned(const struct show *show, uint32_t *passages, size_t most);

/*
 * Writes a page that print() makes to a file, whole or not at all.
 *
 * PRN_E_IO, PRN_E_MEMORY
 */
typedef int show_print_fn(FILE *out, const void *context);
int show_write_page(const char *path, show_print_fn *print, const void *context, struct prn_error *error);

/*
 * Writes the page to a file.  It shows the visits of the first policy of replays [count] >= 1, and names the command that
 * made it.
 *
 * PRN_E_IO, PRN_E_MEMORY
 */
int show_write(const struct show *show, const struct show_replay *replays, size_t count, const char *path, int argc, char **argv,
               struct prn_error *error);

#endif
