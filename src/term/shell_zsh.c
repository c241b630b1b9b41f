#include "term/shell.h"

#include <stdio.h>

#define QUOTE "'\\''" /* in single quotes nothing is special but their end */

static void begin(const struct term_completed *commands)
{
	fputs("#compdef perennial\n"
	      "# Completion of perennial in zsh: 'perennial completions zsh' made it of the command's tables of options.\n"
	      "_perennial_policies()\n"
	      "{\n"
	      "\tlocal -a policies\n"
	      "\tpolicies=(${${${(f)\"$(_call_program policies perennial policies --format=tsv 2>/dev/null)\"}[2,-1]}%%$'\\t'*})\n"
	      "\t_sequence compadd - $policies\n"
	      "}\n"
	      "\n"
	      "_perennial()\n"
	      "{\n"
	      "\tlocal -a commands\n"
	      "\tcommands=(\n",
	      stdout);
	for (; commands->name; commands++) {
		printf("\t\t'%s:", commands->name);
		term_print_escaped(commands->summary, "", QUOTE);
		puts("'");
	}
	fputs("\t\t'help:what a command does and takes'\n"
	      "\t)\n"
	      "\tif (( CURRENT == 2 )); then\n"
	      "\t\t_describe -t commands command commands\n"
	      "\t\t[[ $PREFIX != -* ]] || compadd -- --help --version\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\tshift words\n"
	      "\t(( CURRENT-- ))\n"
	      "\tcase $words[1] in\n"
	      "\thelp)\n"
	      "\t\t_describe -t commands command commands ;;\n",
	      stdout);
}

static void print_action(enum term_takes takes, const char *argument)
{
	static const char *const actions[] = { " ", "_files", "_files -/", "_perennial_policies", "(", "_sequence compadd - " };

	fputs(actions[takes], stdout);
	if (takes >= TERM_TAKES_WORD)
		term_print_words(argument);
	if (takes == TERM_TAKES_WORD)
		putchar(')');
}

/* Prints '(-n --limit)'{-n+,--limit=}'[help]:N:action': what excludes the option, its forms, its help and what it takes. */
static void print_option(const struct term_option *option)
{
	enum term_option_kind kind = option->kind;
	bool repeated = kind == TERM_OPTION_LIST || kind == TERM_OPTION_TEXTS || kind == TERM_OPTION_NUMBERS ||
	                kind == TERM_OPTION_OWN || kind == TERM_OPTION_CONFIG;
	const char *value = term_option_may_go_alone(option) ? "=-" : option->argument ? "=" : "";

	fputs(" \\\n\t\t\t'", stdout);
	if (repeated)
		putchar('*');
	else if (option->letter)
		printf("(-%c --%s)", option->letter, option->name);
	if (option->letter)
		printf("'{-%c%s,--%s%s}'", option->letter, option->argument ? "+" : "", option->name, value);
	else
		printf("--%s%s", option->name, value);
	putchar('[');
	term_print_escaped(option->help, "[]:\\", QUOTE);
	putchar(']');
	if (option->argument) {
		fputs(term_option_may_go_alone(option) ? "::" : ":", stdout);
		term_print_escaped(option->argument, ":\\", QUOTE);
		putchar(':');
		print_action(term_takes(option), option->argument);
	}
	putchar('\'');
}

static void command(const struct term_usage *usage, enum term_takes operands)
{
	printf("\t%s)\n\t\t_arguments -s -S", usage->name);
	for (const struct term_option *option = usage->options; option->kind != TERM_OPTION_END; option++)
		if (option->kind != TERM_OPTION_HEADING)
			print_option(option);
	fputs(" \\\n\t\t\t'(- *)'{-h,--help}'[print what the command does and takes, and exit]'", stdout);
	fputs(" \\\n\t\t\t'*:operand:", stdout);
	/*
	 * If nothing can be offered, zsh would say so in place of offering options; with "()" it says it only if no word
	 * begins like that.
	 */
	if (operands == TERM_TAKES_NOTHING)
		fputs("()", stdout);
	else
		print_action(operands, "");
	fputs("' ;;\n", stdout);
}

static void end(void)
{
	fputs("\tesac\n"
	      "}\n"
	      "\n"
	      "# The first call is by the loader, with words to complete.\n"
	      "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _perennial \"$@\"; else compdef _perennial perennial; fi\n",
	      stdout);
}

const struct term_shell term_zsh = { "zsh", begin, command, end };
