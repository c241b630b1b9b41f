/* Prints why a page is visited when it is, in words and as a plot. */
#ifndef CLI_EXPLANATION_H
#define CLI_EXPLANATION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "perennial/explanation.h"

/* decider: the one that the page belongs to; now: the current time in Unix seconds. */
void cli_explanation_print(FILE *out, const struct prn_explanation *page, const struct prn_decider *decider,
                           int64_t now, bool plot);

#endif
