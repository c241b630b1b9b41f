/* The pages of another crawler in the form in which it exports them: their URLs, and when each is due. */
#ifndef CLI_LISTING_H
#define CLI_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"

enum cli_listing_kind {
	CLI_LISTING_URLS,         /* lines "URL" or "URL weight": not read here */
	CLI_LISTING_NUTCH,        /* what "nutch readdb CRAWLDB -dump" writes, as text or, with -format csv, as CSV */
	CLI_LISTING_STORMCRAWLER, /* documents of its status index, a JSON object a line, or a hit of a search with "_source" */
	CLI_LISTING_CSV,          /* RFC 4180, by the names of its first line */
	CLI_LISTING_EXPORT,       /* what "perennial export" prints */
	CLI_LISTING_CDXJ,         /* an index of archives, CDX or CDXJ */
};

/* Parses the name of a kind; kind is an enum cli_listing_kind *.  PRN_E_INPUT */
int cli_listing_parse(void *kind, const char *name);
#define CLI_LISTING_NAMES "nutch|stormcrawler|csv|export|cdxj"

struct cli_listed {
	const char *url; /* as it is written */
	double weight;   /* above 0; 0: none is given */
	int64_t due;     /* when it is to be visited next; PRN_TIME_UNKNOWN: not given */
};

struct cli_listing_counts {
	uint64_t passed;   /* pages that are gone, or were given up */
	uint64_t media;    /* entries that are no pages by their media types */
	uint64_t zoneless; /* times whose zone is a name, or missing: taken as UTC */
};

/* Takes a page; where names the line that it is from.  A return value other than 0 ends the reading, which returns it. */
typedef int cli_listed_fn(void *context, const struct cli_listed *page, const char *where, struct prn_error *error);

/* Called for a line that names no page, or has a field that cannot be read; the reading goes on. */
typedef void cli_unlisted_fn(void *context, const struct prn_error *why);

/* Called once for columns that are not read, although every line is. */
typedef void cli_noted_fn(void *context, const char *text);

struct cli_listing {
	enum cli_listing_kind kind;
	cli_listed_fn *listed;
	cli_unlisted_fn *unlisted;
	cli_noted_fn *noted;
	void *context;
	struct cli_listing_counts counts;
};

/*
 * Reads a file; "-" is standard input.
 *
 * PRN_E_IO	it cannot be read
 * PRN_E_INPUT	it is not of this kind: a CSV whose first line names no column of URLs, or no index
 * PRN_E_MEMORY
 */
int cli_listing_read(struct cli_listing *listing, const char *path, struct prn_error *error);

#endif
