#include "term/shell.h"

#include <stdio.h>

/*
 * The part of a command sets its options, what the value before the cursor takes and what its operands are; the end of the
 * script makes the offers.  bash splits words at "=", unless it is configured not to.
 */
static void begin(const struct term_completed *commands)
{
	fputs("# Completion of perennial in bash: 'perennial completions bash' made it of the command's tables of options.\n"
	      "_perennial()\n"
	      "{\n"
	      "\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
	      "\tlocal option= prefix= options= operands= takes= words=\n"
	      "\tlocal commands='",
	      stdout);
	for (; commands->name; commands++)
		printf("%s ", commands->name);
	fputs("help'\n"
	      "\n"
	      "\tCOMPREPLY=()\n"
	      "\tif [[ $word == '=' ]]; then\n"
	      "\t\toption=$before word=\n"
	      "\telif [[ $before == '=' ]]; then\n"
	      "\t\toption=${COMP_WORDS[COMP_CWORD-2]}\n"
	      "\telif [[ $word == --*=* ]]; then\n"
	      "\t\toption=${word%%=*} prefix=${word%%=*}= word=${word#*=}\n"
	      "\telse\n"
	      "\t\toption=$before\n"
	      "\tfi\n"
	      "\tif ((COMP_CWORD == 1)); then\n"
	      "\t\tcommand= option= options='--help --version' operands=\"words $commands\"\n"
	      "\tfi\n"
	      "\tcase $command in\n"
	      "\thelp)\n"
	      "\t\toperands=\"words $commands\" ;;\n",
	      stdout);
}

static void print_takes(enum term_takes takes, const char *argument)
{
	static const char *const names[] = { "nothing", "files", "folders", "policies", "words", "list" };

	if (takes < TERM_TAKES_WORD) {
		fputs(names[takes], stdout);
		return;
	}
	printf("'%s ", names[takes]);
	term_print_words(argument);
	putchar('\'');
}

static void command(const struct term_usage *usage, enum term_takes operands)
{
	printf("\t%s)\n\t\toptions='", usage->name);
	for (const struct term_option *option = usage->options; option->kind != TERM_OPTION_END; option++)
		if (option->kind != TERM_OPTION_HEADING)
			printf("--%s%s ", option->name, option->argument && !term_option_may_go_alone(option) ? "=" : "");
	fputs("--help'\n\t\toperands=", stdout);
	print_takes(operands, "");
	fputs("\n\t\tcase $option in\n", stdout);
	for (const struct term_option *option = usage->options; option->kind != TERM_OPTION_END; option++) {
		if (option->kind == TERM_OPTION_HEADING || !option->argument || term_option_may_go_alone(option))
			continue;
		fputs("\t\t", stdout);
		if (option->letter)
			printf("-%c | ", option->letter);
		printf("--%s) takes=", option->name);
		print_takes(term_takes(option), option->argument);
		fputs(" ;;\n", stdout);
	}
	fputs("\t\tesac ;;\n", stdout);
}

static void end(void)
{
	fputs("\tesac\n"
	      "\tif [[ ! $takes ]]; then\n"
	      "\t\tif [[ $word == -* ]]; then takes=\"words $options\"; else takes=$operands; fi\n"
	      "\tfi\n"
	      "\tif [[ $takes == policies ]]; then\n"
	      "\t\ttakes=\"list $(\"${COMP_WORDS[0]}\" policies --format=tsv 2>/dev/null | tail -n +2 | cut -f 1 | tr '\\n' ' ')\"\n"
	      "\tfi\n"
	      "\twords=${takes#* }\n"
	      "\tcase $takes in\n"
	      "\tfiles | folders)\n"
	      "\t\tcompopt -o filenames 2>/dev/null\n"
	      "\t\tif [[ $takes == files ]]; then mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
	      "\t\telse mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); fi\n"
	      "\t\tCOMPREPLY=(\"${COMPREPLY[@]/#/$prefix}\") ;;\n"
	      "\tlist\\ *)\n"
	      "\t\tprefix+=${word%\"${word##*,}\"} word=${word##*,} ;;&\n"
	      "\tlist\\ * | words\\ *)\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -P \"$prefix\" -W \"$words\" -- \"$word\") ;;\n"
	      "\tesac\n"
	      "\t[[ ${COMPREPLY[*]} != *= ]] || compopt -o nospace 2>/dev/null\n"
	      "}\n"
	      "complete -F _perennial perennial\n",
	      stdout);
}

const struct term_shell term_bash = { "bash", begin, command, end };
