#include "cli/completions.h"

#include "term/completions.h"

#include <stdio.h>
#include <stdlib.h>

static const struct term_option options[] = { { TERM_OPTION_END, NULL, 0, NULL, NULL, NULL } };

static const struct term_usage usage = {
	"completions",
	"bash|zsh|fish",
	"Prints a script by which the shell completes commands, options and their values.  'make install' puts it where the\n"
	"shell looks; elsewhere:  source <(perennial completions bash)\n",
	options,
};

static int print_begin(const struct term_shell *shell, const struct cli_command *commands, struct prn_error *error)
{
	struct term_completed *list;
	size_t count = 0;

	while (commands[count].name)
		count++;
	list = calloc(count + 1, sizeof *list);
	if (!list)
		return prn_error_memory(error);
	for (size_t i = 0; i < count; i++)
		list[i] = (struct term_completed){ commands[i].name, commands[i].summary };
	term_completions_begin(shell, list);
	free(list);
	return 0;
}

/* Each command prints its own part, because only it has its table of options. */
static int print_script(const char *name, const struct cli_command *commands, struct prn_error *error)
{
	const struct term_shell *shell = term_shell_find(name);
	char option[sizeof TERM_COMPLETIONS_OPTION + 8];
	int code;

	if (!shell)
		return term_usage_error(error, "'%s' is none of bash, zsh and fish", name);
	snprintf(option, sizeof option, "%s%s", TERM_COMPLETIONS_OPTION, name);
	code = print_begin(shell, commands, error);
	for (; commands->name && code >= 0; commands++)
		code = commands->run(2, (char *[]){ (char *)commands->name, option, NULL }, error);
	if (code < 0)
		return code;
	term_completions_end(shell);
	return term_stdout_flush(error);
}

int cli_completions(const struct cli_command *commands, int argc, char **argv, struct prn_error *error)
{
	int first, code = term_options_parse(&usage, argc, argv, &first, error);

	if (code)
		return code;
	if (argc - first != 1)
		return term_usage_error(error, "name one shell: bash, zsh or fish");
	return print_script(argv[first], commands, error);
}
