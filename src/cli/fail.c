#include "cli/command.h"

#include <stdio.h>

int cli_fail(const char *name, int code, const struct prn_error *error)
{
	fprintf(stderr, "perennial %s: %s\n", name, error->code ? error->text : prn_error_text(code));
	return CLI_FAILED;
}
