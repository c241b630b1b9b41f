#include "term/exit.h"

#include <stdio.h>

int term_fail(const char *name, int code, const struct prn_error *error)
{
	fprintf(stderr, "perennial %s: %s\n", name, error->code ? error->text : prn_error_text(code));
	return TERM_FAILED;
}
