/*
 * A decider as commands open it.
 */
#ifndef CLI_DECIDING_H
#define CLI_DECIDING_H

#include "cli/rules.h"
#include "perennial/time.h"

/* Opens the store of rules.  Errors as prn_decider_open; *error names the store. */
int cli_decider_open(const struct cli_rules *rules, enum prn_store_mode mode, struct prn_decider **decider,
                     struct prn_error *error);

/*
 * The same, to write.  A missing store is made with the defaults if rules->create says so, and that is said on stderr;
 * name is the command's.  Errors also of prn_decider_create.
 */
int cli_decider_open_or_make(const char *name, const struct cli_rules *rules, struct prn_decider **decider,
                             struct prn_error *error);

/* Whether a store has settings of a decider at all: a program may keep pages in one without. */
bool cli_store_is_of_decider(const char *path);

/*
 * Says on stderr how many shards the command name has passed over because they are damaged or gone, that their pages are not
 * done ("counted"), and why the first was.  TERM_SKIPPED, or TERM_DONE and nothing said where there are none.
 */
int cli_tell_damaged(const char *name, const char *done, uint64_t shards, const struct prn_error *first);

/* What the policy's dial is called where it is printed: "T", "period", "scale".  Static. */
const char *cli_dial_name(const struct prn_decider *decider);

/* A time from now, for people, rounded up: "600s", "11m", "119m", "2h", "23h59m", "1d", "2d19h". */
const char *cli_format_wait(int64_t seconds, char text[PRN_TIME_TEXT]);

/* Why a threshold is sought for so many times a budget (stats.h), where the logarithm of that is further from 0 than this.  Static. */
#define CLI_SOUGHT_TOLD 0.3
const char *cli_sought_why(double sought);

/* A budget for TERM_OPTION_OWN: a struct prn_budget *. */
int cli_budget_parse(void *budget, const char *value);

/* What a 304 costs, for TERM_OPTION_OWN that may be repeated: text is a struct cli_cost_304 *. */
#define CLI_COST_304_TAKES "a share of a fetch above 0 and at most 1, such as 0.1, or TYPE=SHARE, such as application/pdf=0.02"
struct cli_cost_304 {
	char text[PRN_COST_304_BYTES + 1]; /* as prn_decider_settings has it; "": not given */
};
int cli_cost_304_parse(void *cost, const char *value);

#endif
