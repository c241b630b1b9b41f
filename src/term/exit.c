#include "term/exit.h"

#include <stdarg.h>
#include <stdio.h>

int term_usage_error(struct prn_error *error, const char *format, ...)
{
	char text[PRN_ERROR_TEXT];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	return prn_error_set(error, TERM_E_USAGE, "%s", text);
}

int term_usage_blame(struct prn_error *error)
{
	if (error->code != PRN_E_MEMORY)
		error->code = TERM_E_USAGE;
	return error->code;
}

int term_stdout_flush(struct prn_error *error)
{
	if (fflush(stdout) || ferror(stdout))
		return prn_error_set(error, PRN_E_IO, "cannot write to standard output");
	return 0;
}

int term_exit(const char *name, int code, const struct prn_error *error)
{
	struct prn_error unread = { 0 };

	/* Help that could not be printed is a failure. */
	if (code == TERM_HELPED && term_stdout_flush(&unread))
		return term_exit(name, unread.code, &unread);
	if (code >= 0)
		return code == TERM_HELPED ? TERM_DONE : code;
	fprintf(stderr, "perennial %s: %s\n", name, error->code ? error->text : prn_error_text(code));
	if (code != TERM_E_USAGE)
		return TERM_FAILED;
	fprintf(stderr, "Try 'perennial %s --help'.\n", name);
	return TERM_USAGE;
}
