/* Estimators as the command line names them: the values of --method. */
#ifndef CLI_METHODS_H
#define CLI_METHODS_H

#include <stdbool.h>

#include "perennial/estimator.h"
#include "term/exit.h"
#include "term/option.h"

#define CLI_METHODS_MAX 32

struct cli_method {
	struct prn_estimator estimator;
	bool bounded; /* the specification has "lengths" */
};

/* Replaces the list "all" by the names of all estimators.  PRN_E_MEMORY */
int cli_methods_expand(struct term_list *names);

/* Reads the names into methods[CLI_METHODS_MAX].  TERM_E_USAGE */
int cli_methods_read(const struct term_list *names, struct cli_method *methods, struct prn_error *error);

/* Has the method keep that many different intervals, as far as it can, unless its specification sets a bound. */
void cli_method_fit(struct cli_method *method, size_t intervals);

#endif
