/*
 * A budget as the command line has it: "5000/day", "200/hour", "1e6/week".
 */
#ifndef CLI_BUDGET_H
#define CLI_BUDGET_H

#define CLI_BUDGET_TAKES "visits in a time, such as 5000/day, 200/hour or 1e6/week"

/* For TERM_OPTION_OWN: per_day is a double *, which becomes visits a day.  PRN_E_INPUT	it is no budget above 0 */
int cli_budget_parse(void *per_day, const char *value);

#endif
