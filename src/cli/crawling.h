/*
 * Crawls of a web, which is drawn or read from a corpus with links: in which order pages are taken, and what many crawlers
 * cost (simulate).
 */
#ifndef CLI_CRAWLING_H
#define CLI_CRAWLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"
#include "term/filtering.h"
#include "term/options.h"
#include "term/table.h"

/* Begins as CLI_CRAWLING_NONE; call _release. */
struct cli_crawling {
	struct term_list orderings, modes, crawled, crawlers, coverages;
	const char *web, *importance;
	double hot;
	uint64_t start_pages;
	bool by_page;
	struct term_filter filter; /* which captures of the sources are taken */
};

/* In the order of their enums, and "all". */
#define CLI_ORDERINGS "breadth,random,backlink,pagerank,location,ideal,all"
#define CLI_CRAWL_MODES "firewall,cross-over,exchange,all"
#define CLI_IMPORTANCES "backlinks|pagerank|location|hits"

#define CLI_CRAWLING_NONE { .hot = 0.1, .start_pages = 64, .filter = TERM_FILTER_NONE }

#define CLI_CRAWLING_ROWS(c) \
	{ TERM_OPTION_HEADING, "Crawls in place of estimators, of a drawn web or of SRC…", 0, NULL, NULL, NULL }, \
	{ TERM_OPTION_LIST, "ordering", 0, &(c)->orderings, CLI_ORDERINGS, "which page is taken next" }, \
	{ TERM_OPTION_TEXT, "importance", 0, &(c)->importance, CLI_IMPORTANCES, "what makes pages hot (default: pagerank)" }, \
	{ TERM_OPTION_NUMBER, "hot", 0, &(c)->hot, "SHARE", "so many of the pages, or a few more where some are equal (default 0.1)" }, \
	{ TERM_OPTION_NUMBERS, "crawled", 0, &(c)->crawled, "SHARE,…", "what is found when so many were taken (default 0.05,0.1,0.2,0.5)" }, \
	{ TERM_OPTION_LIST, "parallel", 0, &(c)->modes, CLI_CRAWL_MODES, \
	  "many crawlers with a part of the hosts each, and what they do about links into others'" }, \
	{ TERM_OPTION_NUMBERS, "crawlers", 0, &(c)->crawlers, "N,…", "how many (default 1,2,4,8,16,32,64)" }, \
	{ TERM_OPTION_NUMBERS, "coverage", 0, &(c)->coverages, "SHARE,…", "until so much of the web was fetched (default 1)" }, \
	{ TERM_OPTION_COUNT, "start-pages", 0, &(c)->start_pages, "N", "they begin with so many pages, drawn (default 64)" }, \
	{ TERM_OPTION_FLAG, "by-page", 0, &(c)->by_page, NULL, "parts are of pages, not of hosts" }, \
	{ TERM_OPTION_TEXT, "web", 0, &(c)->web, "KEY=VALUE:…", "the drawn web: pages, sites, links of a page, within their site" }, \
	TERM_GIT_BASE_ROW(&(c)->filter), \
	TERM_FILTER_ROWS(&(c)->filter)

struct cli_crawl_run {
	enum term_format format;
	uint64_t seed;
	size_t threads;
	char **sources; /* [source_count]; none: a web is drawn */
	size_t source_count;
	int argc; /* for the note below the table */
	char **argv;
};

/* Whether a crawl is asked for. */
bool cli_crawling_is_asked(const struct cli_crawling *crawling);

/* Whether captures of sources are to be filtered, or files of repositories have a base. */
bool cli_crawling_is_filtered(const struct cli_crawling *crawling);

/* Runs it and prints a table.  Returns TERM_DONE, TERM_SKIPPED, or a negative code with *error. */
int cli_crawling_run(struct cli_crawling *crawling, const struct cli_crawl_run *run, struct prn_error *error);
void cli_crawling_release(struct cli_crawling *crawling);

#endif
