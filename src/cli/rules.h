/*
 * The rules of a decider, as options and as keys of a configuration file (config.h).  The same table serves both, so that
 * every key is an option of the commands that it concerns, and all of them can share a file.
 */
#ifndef CLI_RULES_H
#define CLI_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/plugins.h"
#include "term/options.h"
#include "perennial/decider.h"

#define CLI_RULES_KEYS 40 /* room for every key */

/* A hash table of rules, by what they are for. */
struct cli_rule_places {
	size_t *slots; /* [room], a power of two: the number of a rule, from 1 on; 0: free */
	size_t room;
};

struct cli_rules {
	const char *store_name;                  /* --state */
	bool create;                        /* --create */
	bool new_fragments;                 /* --new-fragments */
	struct term_list plugins;           /* loaded by _parse */
	struct prn_decider_options decider;
	double lease_s;                     /* for due; at most PRN_LEASE_MOST_S */
	bool has_now;
	int64_t now;

	uint64_t retire_after, redirects_per_host, redirect_chain, hinted_per_host, hints_per_day;
	struct prn_interval_rule *intervals; /* owned, as are their texts */
	size_t interval_count;
	struct prn_host_rule *hosts; /* owned, as are their texts */
	size_t host_count;
	struct cli_rule_places interval_places, host_places; /* of these */
	struct term_own minimum, maximum, lease, clock, host_delay, host_limit, host_hours, host_group, host_share, retire, above, usual, chain, hints;
	struct term_option keys[CLI_RULES_KEYS]; /* the keys of --config; they point into rules */
};

/* Returns the store that PERENNIAL_STATE names in the environment, for when no option names one; NULL: none. */
const char *cli_usual_store(void);

/*
 * Fills rules with the defaults, reads the command line, whose usage has rows such as those below, combines options and
 * files, and loads plugins.  *first becomes the index of the first operand; NULL: the command takes none.  Call _release also
 * after a failure, and after --help.
 *
 * Returns as term_options_parse; TERM_E_USAGE also if there is no --state, or rules exclude each other.
 * Errors of cli_plugins_load.
 */
int cli_rules_parse(struct cli_rules *rules, const struct term_usage *usage, int argc, char **argv, int *first,
                    struct prn_error *error);
void cli_rules_release(struct cli_rules *rules);

/* Rows of a command's table of options.  rules is a struct cli_rules *. */
#define CLI_RULES_STATE(rules) \
	{ TERM_OPTION_TEXT, "state", 0, &(rules)->store_name, "DIR", "the store" }, \
	CLI_PLUGINS_ROW(&(rules)->plugins)
#define CLI_RULES_CREATE(rules) \
	{ TERM_OPTION_FLAG, "create", 0, &(rules)->create, NULL, "make the store, with the defaults, if there is none" }
#define CLI_RULES_FRAGMENTS(rules) \
	{ TERM_OPTION_FLAG, "new-fragments", 0, &(rules)->new_fragments, NULL, \
	  "go on with a store whose fragments were made by the rule of an older program" }
#define CLI_RULES_NOW(rules) \
	{ TERM_OPTION_OWN, "now", 0, &(rules)->clock, "TIME", "what time it is (default: the clock's)" }
#define CLI_RULES_CONFIG(rules) \
	{ TERM_OPTION_CONFIG, "config", 0, (rules)->keys, "FILE", "lines of 'key = value', the keys being options as these" }
#define CLI_RULES_LOCK(rules) \
	{ TERM_OPTION_DURATION, "lock-wait", 0, &(rules)->decider.lock_wait_s, "DURATION", \
	  "for another writer to finish (default 10s)" }

/* Rules for the time between two visits. */
#define CLI_RULES_INTERVALS(rules) \
	{ TERM_OPTION_OWN, "min-interval", 0, &(rules)->minimum, "[WHICH=]DURATION", \
	  "between visits at least (default 10m); WHICH: a media type or a SURT prefix" }, \
	{ TERM_OPTION_OWN, "max-interval", 0, &(rules)->maximum, "[WHICH=]DURATION", \
	  "at most (default 180d)" }

/* Rules for what an attempt means. */
#define CLI_RULES_ATTEMPTS(rules) \
	{ TERM_OPTION_FLAG, "known-only", 0, &(rules)->decider.known_only, NULL, \
	  "refuse pages that are not in the store" }, \
	{ TERM_OPTION_OWN, "retire-after", 0, &(rules)->retire, "N", \
	  "answers of 404 or 410 in a row end a page (default 3)" }, \
	{ TERM_OPTION_OWN, "suspect-above", 0, &(rules)->above, "D", \
	  "divergence that is looked at twice before it counts (default 0.9; above 1: none)" }, \
	{ TERM_OPTION_OWN, "suspect-usual", 0, &(rules)->usual, "D", \
	  "of pages that usually diverge no more than this (default 0.3)" }, \
	{ TERM_OPTION_DURATION, "suspect-after", 0, &(rules)->decider.suspect_after_s, "DURATION", \
	  "until that second look (default 1h)" }, \
	{ TERM_OPTION_DURATION, "future", 0, &(rules)->decider.future_s, "DURATION", \
	  "how far beyond --now a time may be (default 60s)" }, \
	{ TERM_OPTION_COUNT, "redirects-per-host", 0, &(rules)->redirects_per_host, "N", \
	  "pages that the redirects of a host may add (default 100; 0: none)" }, \
	{ TERM_OPTION_OWN, "redirect-chain", 0, &(rules)->chain, "N", \
	  "redirects in a row that may add pages (default 5, at most 20)" }, \
	CLI_RULES_RETRY(rules)

/* Limits for sources of hints. */
#define CLI_RULES_HINTED(rules) \
	{ TERM_OPTION_COUNT, "hinted-per-host", 0, &(rules)->hinted_per_host, "N", \
	  "pages of a host that hints may add (default 1000; 0: none)" }, \
	{ TERM_OPTION_COUNT, "hints-per-day", 0, &(rules)->hints_per_day, "N", \
	  "of a source that count for a host within a day (default 10000)" }

/* Which observed documents bring hints. */
#define CLI_RULES_HINTS(rules) \
	{ TERM_OPTION_OWN, "hints", 0, &(rules)->hints, "sitemap,feed", \
	  "take the entries of sitemaps, and of feeds, as hints (default: of neither)" }, \
	CLI_RULES_HINTED(rules)

/* When to try again after an error, or after a lease that ran out. */
#define CLI_RULES_RETRY(rules) \
	{ TERM_OPTION_DURATION, "retry", 0, &(rules)->decider.retry_s, "DURATION", \
	  "until the next visit after an error (default 1h), doubling with each" }, \
	{ TERM_OPTION_DURATION, "retry-max", 0, &(rules)->decider.retry_max_s, "DURATION", \
	  "up to this (default 7d)" }

/* How pages are handed out. */
#define CLI_RULES_HANDING(rules) \
	{ TERM_OPTION_OWN, "lease", 0, &(rules)->lease, "DURATION", \
	  "for which a URL is not given again (default 1h, at most 1d); 0s: only look" }

/* How hosts are to be treated; for commands that hand pages out and for those that take them back. */
#define CLI_RULES_HOSTS(rules) \
	{ TERM_OPTION_OWN, "host-delay", 0, &(rules)->host_delay, "[WHICH=]DURATION", \
	  "between two URLs of a host (default 1s); WHICH: a SURT prefix, or @group" }, \
	{ TERM_OPTION_OWN, "host-limit", 0, &(rules)->host_limit, "[WHICH=]N", \
	  "URLs of a host out at a time (default 1; 0: any number)" }, \
	{ TERM_OPTION_OWN, "host-hours", 0, &(rules)->host_hours, "[WHICH=]HH:MM-HH:MM", \
	  "when it may be asked, UTC (default: at any time)" }, \
	{ TERM_OPTION_OWN, "host-group", 0, &(rules)->host_group, "WHICH=NAME", \
	  "hosts that are to be asked as if they were one" }, \
	{ TERM_OPTION_FLAG, "group-by-address", 0, &(rules)->decider.group_by_address, NULL, \
	  "hosts of one IP address, as reports tell it, are one" }, \
	{ TERM_OPTION_OWN, "host-share", 0, &(rules)->host_share, "SHARE", \
	  "of the budget for one host, where there are 20 (default 0.1)" }

/* Returns the current time: that of --now, or else that of the clock, which goes on while a command runs. */
int64_t cli_rules_now(const struct cli_rules *rules);

#endif
