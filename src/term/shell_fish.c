#include "term/shell.h"

#include <stdio.h>

#define QUOTE "\\'" /* in single quotes a backslash and their end are special */

static void print_text(const char *text)
{
	putchar('\'');
	term_print_escaped(text, "\\", QUOTE);
	putchar('\'');
}

static void begin(const struct term_completed *commands)
{
	fputs("# Completion of perennial in fish: 'perennial completions fish' made it of the command's tables of options.\n"
	      "function __perennial_policies\n"
	      "\tperennial policies --format=tsv 2>/dev/null | string match -v -r '^policy\\t' | string replace -r '\\t.*' ''\n"
	      "end\n"
	      "# Whether the command is the one named.\n"
	      "function __perennial_is\n"
	      "\tset -l words (commandline -opc)\n"
	      "\ttest (count $words) -ge 2 && test $words[2] = $argv[1]\n"
	      "end\n"
	      "function __perennial_is_first\n"
	      "\ttest (count (commandline -opc)) -eq 1\n"
	      "end\n"
	      "complete -c perennial -f\n"
	      "complete -c perennial -n __perennial_is_first -l help -d 'list the commands'\n"
	      "complete -c perennial -n __perennial_is_first -s V -l version -d 'tell the version'\n"
	      "complete -c perennial -n __perennial_is_first -a help -d 'what a command does and takes'\n",
	      stdout);
	for (; commands->name; commands++) {
		printf("complete -c perennial -n '__perennial_is_first; or __perennial_is help' -a %s -d ", commands->name);
		print_text(commands->summary);
		putchar('\n');
	}
}

static void print_takes(enum term_takes takes, const char *argument)
{
	switch (takes) {
	case TERM_TAKES_NOTHING: fputs(" -x", stdout); break;
	case TERM_TAKES_FILES: fputs(" -r -F", stdout); break;
	case TERM_TAKES_FOLDERS: fputs(" -x -a '(__fish_complete_directories (commandline -ct))'", stdout); break;
	case TERM_TAKES_POLICIES: fputs(" -x -a '(__fish_append , (__perennial_policies))'", stdout); break;
	case TERM_TAKES_WORD:
	case TERM_TAKES_WORDS:
		fputs(takes == TERM_TAKES_WORD ? " -x -a '" : " -x -a '(__fish_append , ", stdout);
		term_print_words(argument);
		fputs(takes == TERM_TAKES_WORD ? "'" : ")'", stdout);
		break;
	}
}

static void command(const struct term_usage *usage, enum term_takes operands)
{
	for (const struct term_option *option = usage->options; option->kind != TERM_OPTION_END; option++) {
		if (option->kind == TERM_OPTION_HEADING)
			continue;
		printf("complete -c perennial -n '__perennial_is %s'", usage->name);
		if (option->letter)
			printf(" -s %c", option->letter);
		printf(" -l %s", option->name);
		if (option->argument && !term_option_may_go_alone(option))
			print_takes(term_takes(option), option->argument);
		fputs(" -d ", stdout);
		print_text(option->help);
		putchar('\n');
	}
	printf("complete -c perennial -n '__perennial_is %s' -s h -l help -d 'print what the command does and takes, and exit'\n",
	       usage->name);
	if (operands == TERM_TAKES_FILES)
		printf("complete -c perennial -n '__perennial_is %s' -F\n", usage->name);
	else if (operands == TERM_TAKES_FOLDERS)
		printf("complete -c perennial -n '__perennial_is %s' -a '(__fish_complete_directories (commandline -ct))'\n", usage->name);
	else if (operands == TERM_TAKES_POLICIES)
		printf("complete -c perennial -n '__perennial_is %s' -a '(__perennial_policies)'\n", usage->name);
}

static void end(void)
{
}

const struct term_shell term_fish = { "fish", begin, command, end };
