/*
 * A budget as the command line has it: "5000/day", "200/hour", "1e6/week".
 */
#ifndef CLI_BUDGET_H
#define CLI_BUDGET_H

#include <stdbool.h>

#define CLI_BUDGET_TAKES "visits in a time, such as 5000/day, 200/hour or 1e6/week"

/* For TERM_OPTION_OWN: context is a double *, which becomes visits a day; false: not a budget above 0. */
bool cli_budget_take(void *per_day, const char *value);

#endif
