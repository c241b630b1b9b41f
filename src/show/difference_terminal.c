#include "show/difference.h"

#include "show/terminal.h"
#include "text/person.h"

#include <stdlib.h>
#include <string.h>

/* New text is underlined too and gone text is struck out, for people who do not see colours. */
static const char *const colours[TEXT_CHANGES] = { SHOW_PLAIN, "\033[4;32m", "\033[9;31m", "\033[2;35m" };

static int print_gone(FILE *out, const struct text_difference *difference)
{
	const struct text_sequence *before = &difference->texts[0];
	char text[TEXT_EXCERPT_BYTES], time[TEXT_PERSON_BYTES];
	bool any = false;
	int code = 0;

	for (size_t i = 0; i < before->count && !code; i++) {
		const struct text_passage *passage = &difference->passages.list[before->passages[i]];

		if (passage->mark != TEXT_GONE)
			continue;
		if (!any)
			fprintf(out, "# Gone since %s UTC:\n", text_person_time(difference->pair->bodies[0].time, time));
		any = true;
		text_excerpt(&difference->passages, passage, text);
		fprintf(out, "# %s", colours[TEXT_GONE]);
		code = show_print_visible(out, text, strlen(text));
		fputs(SHOW_PLAIN "\n", out);
	}
	return code;
}

int show_difference_terminal(FILE *out, const struct text_difference *difference)
{
	size_t last = difference->pair->count - 1;
	const struct text_sequence *text = &difference->texts[last];
	char time[TEXT_PERSON_BYTES], words[TEXT_DIFFERENCE_WORDS];
	int code;

	fputs("# ", out);
	code = show_print_visible(out, difference->pair->bodies[last].url, strlen(difference->pair->bodies[last].url));
	text_difference_words(difference, words);
	fprintf(out, "\n# as of %s UTC: %s\n# %s%s" SHOW_PLAIN, text_person_time(difference->pair->bodies[last].time, time), words,
	        last ? colours[TEXT_NEW] : colours[TEXT_UNKNOWN], last ? "new" : "unknown");
	if (last)
		fprintf(out, "; %sgone" SHOW_PLAIN, colours[TEXT_GONE]);
	fputs("\n\n", out);
	for (size_t i = 0; i < text->count && !code; i++) {
		const struct text_passage *passage = &difference->passages.list[text->passages[i]];

		code = show_print_coloured(out, &difference->passages, passage, colours[passage->mark == TEXT_NO_MARK ? TEXT_STAYS : passage->mark]);
	}
	fputs("\n\n", out);
	if (!code && last)
		code = print_gone(out, difference);
	if (difference->part_read || difference->part_shown)
		fputs("# Of what is long the beginning is compared and shown.\n", out);
	return code;
}

static int print_row(struct term_table *table, const struct text_difference *difference, size_t version, const struct text_passage *passage)
{
	char time[PRN_TIME_TEXT], *text = strndup((const char *)difference->passages.bytes.data + passage->at, passage->length);

	if (!text)
		return PRN_E_MEMORY;
	for (char *at = text; *at; at++)
		*at = *at == '\n' ? ' ' : *at;
	for (size_t length = strlen(text); length && text[length - 1] == ' ';)
		text[--length] = '\0';
	term_table_text(table, prn_time_format(difference->pair->bodies[version].time, time));
	term_table_text(table, passage->mark == TEXT_NO_MARK ? "-" : text_change_name((enum text_change)passage->mark));
	term_table_text(table, text);
	free(text);
	return 0;
}

int show_difference_rows(FILE *out, const struct text_difference *difference, enum term_format format, struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "as_of", TERM_COLUMN_TEXT, 0 }, { "change", TERM_COLUMN_TEXT, 0 }, { "text", TERM_COLUMN_TEXT, 0 }, { NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct term_table *table = term_table_open_in(out, format, columns);
	int code = 0;

	for (size_t left = difference->pair->count; left-- && !code;) {
		const struct text_sequence *text = &difference->texts[left];
		bool gone_only = left + 1 < difference->pair->count;

		for (size_t i = 0; i < text->count && !code; i++) {
			const struct text_passage *passage = &difference->passages.list[text->passages[i]];

			if (!gone_only || passage->mark == TEXT_GONE)
				code = print_row(table, difference, left, passage);
		}
	}
	if (!code)
		return term_table_close(table, NULL, error);
	term_table_close(table, NULL, NULL);
	return prn_error_memory(error);
}
