/* Options that filter the captures of sources, the same for every command that reads sources. */
#ifndef TERM_FILTERING_H
#define TERM_FILTERING_H

#include <stdbool.h>

#include "perennial/error.h"
#include "perennial/source.h"
#include "term/option.h"

/* Begins as TERM_FILTER_NONE; call _release. */
struct term_filter {
	struct term_list media, hosts, surts;
	int64_t from, to;
	double sample;
	const char *git_base; /* no filter, but an option of the same commands: the URL of what is in repositories */
};

#define TERM_FILTER_NONE { .from = PRN_TIME_UNKNOWN, .to = PRN_TIME_UNKNOWN, .sample = 1 }

#define TERM_FILTER_ROWS(f) \
	{ TERM_OPTION_HEADING, "Take only captures", 0, NULL, NULL, NULL }, \
	{ TERM_OPTION_LIST, "media", 0, &(f)->media, "TYPES", \
	  "of these media types, such as text/html,text/*; 'pages' (default): texts but for scripts and style sheets; 'all'" }, \
	TERM_FILTER_TIME_ROWS(f), \
	{ TERM_OPTION_LIST, "host", 0, &(f)->hosts, "HOSTS", "of these hosts and their subdomains" }, \
	{ TERM_OPTION_TEXTS, "surt", 0, &(f)->surts, "PREFIX", \
	  "under this SURT prefix, such as 'org,example)/a'; may be repeated" }, \
	{ TERM_OPTION_NUMBER, "sample", 0, &(f)->sample, "SHARE", "of this share of the pages, by a hash of their URLs" }

#define TERM_FILTER_TIME_ROWS(f) \
	{ TERM_OPTION_TIME, "from", 0, &(f)->from, TERM_OPTION_MOMENT, "from this time on" }, \
	{ TERM_OPTION_TIME, "to", 0, &(f)->to, TERM_OPTION_MOMENT, "before this time" }

#define TERM_GIT_BASE_ROW(f) \
	{ TERM_OPTION_TEXT, "git-base", 0, &(f)->git_base, "URL", "files of git repositories are below it (http://NAME.git.invalid/)" }

/* A struct term_own that says if the digests of WARC records are checked; digests is an enum prn_digests *. */
#define TERM_DIGESTS(digests) { term_digests_parse, digests, "check or trust" }
#define TERM_DIGESTS_ROW(own) \
	{ TERM_OPTION_OWN, "digests", 0, own, "check|trust", "of WARC records (check those of files that are not packed)" }
int term_digests_parse(void *digests, const char *value);

/* TERM_E_USAGE	a media type that no capture can have, --from is not before --to, or the sample is no share */
int term_filter_check(const struct term_filter *given, struct prn_error *error);

/* Returns the filter as sources take it; it borrows from given.  given NULL: the default filter. */
struct prn_source_filter term_filter_make(const struct term_filter *given);

/* Whether any filter was given. */
bool term_filter_is_given(const struct term_filter *given);

void term_filter_release(struct term_filter *given);

#endif
