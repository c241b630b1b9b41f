/* How commands open a decider, and what several of them print of it. */
#ifndef CLI_DECIDING_H
#define CLI_DECIDING_H

#include "cli/rules.h"
#include "perennial/time.h"

/* Opens the store that rules names.  Errors as prn_decider_open; *error names the store. */
int cli_decider_open(const struct cli_rules *rules, enum prn_store_mode mode, struct prn_decider **decider,
                     struct prn_error *error);

/*
 * Opens the store to write.  If it is missing and rules->create says so, it is made with the defaults, which is said on
 * stderr with the name of the command.  Errors also of prn_decider_create.
 */
int cli_decider_open_or_make(const char *name, const struct cli_rules *rules, struct prn_decider **decider,
                             struct prn_error *error);

/*
 * To be called before a store is opened to write what operands bring.  Where the first of them is standard input ("-", or there are
 * none), waits until that has something, or has ended: in "perennial due | FETCHER | perennial observe" all start at the same time, and
 * the one that writes last must not keep the first from the store.  Returns at once where there is no such store, or one that has any
 * number of writers.
 */
void cli_await_input(const struct cli_rules *rules, char *const *operands, size_t count);

/* Whether a store has the settings of a decider: a program may keep pages in a store without them. */
bool cli_store_is_of_decider(const char *path);

/*
 * Says on stderr that the command passed over so many shards because they are damaged or gone, what was therefore not done
 * with their pages ("counted"), and the first reason.  Returns TERM_SKIPPED; if there are no such shards it says nothing and
 * returns TERM_DONE.
 */
int cli_print_damaged(const char *name, const char *done, uint64_t shards, const struct prn_error *first);

/* Returns the name of the policy's dial where it is printed: "T", "period", "scale".  Static. */
const char *cli_dial_name(const struct prn_decider *decider);

/* Formats a time from now for people, rounded up: "600s", "11m", "119m", "2h", "23h59m", "1d", "2d19h". */
const char *cli_format_wait(int64_t seconds, char text[PRN_TIME_TEXT]);

/*
 * Says why a threshold is sought for sought times the budget (stats.h); to be said if log(sought) is further from 0 than
 * this.  Static.
 */
#define CLI_SOUGHT_SAID 0.3
const char *cli_sought_why(double sought);

/* Parses a budget, for TERM_OPTION_OWN; budget is a struct prn_budget *. */
int cli_budget_parse(void *budget, const char *value);

/* Parses what a 304 costs, for TERM_OPTION_OWN, which may be repeated; cost is a struct cli_cost_304 *. */
#define CLI_COST_304_TAKES "a share of a fetch above 0 and at most 1, such as 0.1, or TYPE=SHARE, such as application/pdf=0.02"
struct cli_cost_304 {
	char text[PRN_COST_304_BYTES + 1]; /* as prn_decider_settings has it; "": not given */
};
int cli_cost_304_parse(void *cost, const char *value);

#endif
