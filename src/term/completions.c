#include "term/shell.h"

#include <string.h>

static const struct term_shell *const shells[] = { &term_bash, &term_zsh, &term_fish };

const struct term_shell *term_shell_find(const char *name)
{
	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
		if (!strcmp(name, shells[i]->name))
			return shells[i];
	return NULL;
}

/* Returns what the operands are, by the last word of a synopsis. */
static enum term_takes operands(const char *synopsis)
{
	static const struct {
		const char *word;
		enum term_takes takes;
	} known[] = {
		{ "SRC", TERM_TAKES_FILES },  { "FILE", TERM_TAKES_FILES },       { "X.trace", TERM_TAKES_FILES },
		{ "PARTIAL", TERM_TAKES_FILES }, { "TARGET", TERM_TAKES_FOLDERS }, { "[NAME]", TERM_TAKES_POLICIES },
	};
	const char *last = strrchr(synopsis, ' ');

	last = last ? last + 1 : synopsis;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strstr(last, known[i].word))
			return known[i].takes;
	return TERM_TAKES_NOTHING;
}

void term_completions_begin(const struct term_shell *shell, const struct term_completed *commands)
{
	shell->begin(commands);
}

void term_completions_command(const struct term_shell *shell, const struct term_usage *usage)
{
	shell->command(usage, operands(usage->synopsis));
}

void term_completions_end(const struct term_shell *shell)
{
	shell->end();
}
