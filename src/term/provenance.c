#include "term/provenance.h"

#include "perennial/version.h"

#include <string.h>

static void print_word(FILE *out, const char *word)
{
	if (*word && !word[strcspn(word, " \t\n\"'\\$`&;|<>()*?[]{}!#~")]) {
		fprintf(out, " %s", word);
		return;
	}
	fputs(" '", out);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	fputc('\'', out);
}

void term_provenance_print(FILE *out, int argc, char **argv)
{
	fprintf(out, "perennial %s; perennial", prn_version());
	for (int i = 0; i < argc; i++)
		print_word(out, argv[i]);
}
