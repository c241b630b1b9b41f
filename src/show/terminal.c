#include "show/terminal.h"

#include "base/visible.h"
#include "text/person.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHURNED 3 /* passages that are listed */

/* Churn is underlined too, for people who do not see colours. */
static const char *const colours[] = {
	[PRN_REGION_STATIC] = SHOW_PLAIN,
	[PRN_REGION_CHURN] = "\033[4;33m",
	[PRN_REGION_SCROLL] = "\033[36m",
	[PRN_REGION_UNKNOWN] = "\033[2;35m",
};

int show_print_visible(FILE *out, const char *text, size_t length)
{
	char *line = strndup(text, length), *shown = line ? prn_visible_dup(line) : NULL;

	if (shown)
		fputs(shown, out);
	free(line);
	free(shown);
	return shown ? 0 : PRN_E_MEMORY;
}

/* A colour does not go over the end of a line, lest a pager lose it. */
int show_print_coloured(FILE *out, const struct text_passages *passages, const struct text_passage *passage, const char *colour)
{
	const char *text = (const char *)passages->bytes.data + passage->at;
	size_t left = passage->length;
	int code = 0;

	while (left && !code) {
		const char *end = memchr(text, '\n', left);
		size_t length = end ? (size_t)(end - text) : left;

		if (length) {
			fputs(colour, out);
			code = show_print_visible(out, text, length);
			fputs(SHOW_PLAIN, out);
		}
		text += length;
		left -= length;
		if (left) {
			putc('\n', out);
			text++, left--;
		}
	}
	return code;
}

static void print_legend(FILE *out, const struct show *show)
{
	static const enum prn_region regions[] = { PRN_REGION_SCROLL, PRN_REGION_CHURN, PRN_REGION_UNKNOWN };
	char days[TEXT_PERSON_BYTES];

	fputs("# static: there at every capture", out);
	for (size_t i = 0; i < sizeof regions / sizeof *regions; i++) {
		enum prn_region region = regions[i];

		fprintf(out, "; %s%s" SHOW_PLAIN, colours[region], prn_region_name(region));
		if (isfinite(show->mean_days[region]) && region != PRN_REGION_UNKNOWN)
			fprintf(out, ": lives %s in the mean", text_person_days(show->mean_days[region], days));
	}
	putc('\n', out);
}

static int print_head(FILE *out, const struct show *show)
{
	char time[TEXT_PERSON_BYTES];

	fputs("# ", out);
	if (show_print_visible(out, show->page.url, strlen(show->page.url)))
		return PRN_E_MEMORY;
	fprintf(out, "\n# as of %s UTC: capture %zu of %zu, version %zu of %zu\n",
	        text_person_time(show->page.captures[show->capture].time, time), show->capture - show->first + 1,
	        show->last - show->first + 1, show->shown + 1, show->version_count);
	print_legend(out, show);
	return 0;
}

static int print_churned(FILE *out, const struct show *show)
{
	uint32_t passages[CHURNED];
	size_t count = show_list_churned(show, passages, CHURNED);
	char time[TEXT_PERSON_BYTES], text[TEXT_EXCERPT_BYTES];
	int code = 0;

	if (count)
		fputs("# Churned last:\n", out);
	for (size_t i = 0; i < count && !code; i++) {
		const struct text_passage *passage = &show->passages.list[passages[i]];

		fprintf(out, "# %s ", text_person_time(show->page.captures[show->lives[passage->mark].from].time, time));
		text_excerpt(&show->passages, passage, text);
		fputs(colours[PRN_REGION_CHURN], out);
		code = show_print_visible(out, text, strlen(text));
		fputs(SHOW_PLAIN "\n", out);
	}
	return code;
}

void show_print_replays(FILE *out, const struct show_replay *replays, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fprintf(out, "# %s, with %zu visits after the first (%.2f of the captures): found %zu of %zu changes, saw %zu of %zu fragments that "
		             "came, missed %zu; stale %.1f %%\n",
		        replays[i].policy, replays[i].visit_count, replays[i].cost, replays[i].changes_caught, replays[i].changes,
		        replays[i].caught, replays[i].born, replays[i].missed, 100 * replays[i].staleness);
}

int show_terminal(FILE *out, const struct show *show, const struct show_replay *replays, size_t count)
{
	const struct show_version *version = &show->versions[show->shown];
	int code = print_head(out, show);

	putc('\n', out);
	for (size_t i = 0; i < version->text.count && !code; i++) {
		const struct text_passage *passage = &show->passages.list[version->text.passages[i]];
		enum prn_region region = passage->mark == SHOW_NO_LIFE ? PRN_REGION_STATIC : show->lives[passage->mark].region;

		code = show_print_coloured(out, &show->passages, passage, colours[region]);
	}
	fputs("\n\n", out);
	if (!code)
		code = print_churned(out, show);
	show_print_replays(out, replays, count);
	return code;
}

int show_rows(FILE *out, const struct show *show, enum term_format format, struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "as_of", TERM_COLUMN_TEXT, 0 },
		{ "region", TERM_COLUMN_TEXT, 0 },          { "since", TERM_COLUMN_TEXT, 0 },
		{ "age_days", TERM_COLUMN_NUMBER, 2 },      { "lived_days", TERM_COLUMN_NUMBER, 2 },
		{ "expected_days", TERM_COLUMN_NUMBER, 2 }, { "text", TERM_COLUMN_TEXT, 0 },
		{ NULL, TERM_COLUMN_TEXT, 0 },
	};
	const struct show_version *version = &show->versions[show->shown];
	struct term_table *table = term_table_open_in(out, format, columns);
	int code = 0;

	for (size_t i = 0; i < version->text.count && !code; i++) {
		const struct text_passage *passage = &show->passages.list[version->text.passages[i]];
		const struct show_life *life = passage->mark == SHOW_NO_LIFE ? NULL : &show->lives[passage->mark];
		char time[PRN_TIME_TEXT], *text = strndup((const char *)show->passages.bytes.data + passage->at, passage->length);

		if (!text) {
			code = prn_error_memory(error);
			break;
		}
		for (char *at = text; *at; at++)
			*at = *at == '\n' ? ' ' : *at;
		term_table_text(table, prn_time_format(show->page.captures[show->capture].time, time));
		term_table_text(table, life ? prn_region_name(life->region) : "-");
		term_table_text(table, life ? prn_time_format(show->page.captures[life->from].time, time) : "-");
		term_table_number(table, life ? show_days(show, life->from, show->capture) : NAN);
		term_table_number(table, life && life->ended ? life->days : NAN);
		term_table_number(table, life && isfinite(show->mean_days[life->region]) ? show->mean_days[life->region] : NAN);
		term_table_text(table, text);
		free(text);
	}
	return code ? (term_table_close(table, NULL, NULL), code) : term_table_close(table, NULL, error);
}
