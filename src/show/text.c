#include "show/html.h"

#include "perennial/time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct text {
	const struct show *show;
	bool *named; /* [lives] a passage of it was written; the link of its stripe leads to the first */
};

/* Prints the part of a passage within one line. */
static void print_part(struct text_lines *lines, const struct text_passage *passage, const char *text, size_t length)
{
	const struct text *whole = lines->context;
	const struct show *show = whole->show;
	uint32_t life = passage->mark;
	const struct show_life *of = life == SHOW_NO_LIFE ? NULL : &show->lives[life];
	char words[512];

	if (!of) {
		text_html_content(lines->out, text, length);
		return;
	}
	fprintf(lines->out, "<span class=\"%s\" data-l=\"%u\"", show_region_class(of->region), life);
	if (!whole->named[life])
		fprintf(lines->out, " id=\"L%u\"", life);
	whole->named[life] = true;
	show_print_life(show, of, show->capture, words, sizeof words);
	fprintf(lines->out, " title=\"%s\">", words);
	if (of->region != PRN_REGION_STATIC)
		fprintf(lines->out, "<span class=\"vh\">[%s:</span>", prn_region_name(of->region));
	text_html_content(lines->out, text, length);
	fputs(of->region != PRN_REGION_STATIC ? "<span class=\"vh\">]</span></span>" : "</span>", lines->out);
}

int show_print_version(FILE *out, const struct show *show)
{
	const struct show_version *version = &show->versions[show->shown];
	struct text text = { show, calloc(show->life_count + 1, sizeof(bool)) };
	struct text_lines lines = { .out = out, .print_part = print_part, .context = &text };

	if (!text.named)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < version->text.count; i++)
		text_lines_print(&lines, &show->passages, &show->passages.list[version->text.passages[i]]);
	text_lines_end(&lines);
	if (!version->text.count)
		fputs("<p class=\"note\">There is no text in this capture.</p>\n", out);
	free(text.named);
	return 0;
}

static void print_captures(FILE *out, const struct show *show)
{
	const char *before = "";

	fputs("\"times\":[", out);
	for (size_t i = 0; i < show->page.capture_count; i++)
		fprintf(out, "%s%lld", i ? "," : "", (long long)show->page.captures[i].time);
	fputs("],\n\"captures\":[", out);
	for (size_t i = show->first; i <= show->last; i++) {
		if (!show->versions[show_version_at(show, i)].found)
			continue;
		fprintf(out, "%s[%zu,\"%s\",%zu]", before, i, prn_kind_name(show->page.captures[i].kind), show_version_at(show, i));
		before = ",";
	}
	fputs("],\n", out);
}

static void print_lives(FILE *out, const struct show *show)
{
	fputs("\"lives\":[", out);
	for (size_t i = 0; i < show->life_count; i++) {
		const struct show_life *life = &show->lives[i];

		fprintf(out, "%s[%u,%u,\"%s\",%zu,%.6g,%d]", i ? "," : "", life->from, life->to, show_region_class(life->region),
		        life->fragments, life->days, life->ended);
	}
	fputs("],\n\"means\":{", out);
	for (int region = 0; region <= PRN_REGION_UNKNOWN; region++) {
		fprintf(out, "%s\"%s\":", region ? "," : "", show_region_class((enum prn_region)region));
		if (isfinite(show->mean_days[region]))
			fprintf(out, "%.6g", show->mean_days[region]);
		else
			fputs("null", out);
	}
	fputs("},\n", out);
}

static void print_texts(FILE *out, const struct show *show)
{
	const char *before = "";

	fputs("\"passages\":[", out);
	for (size_t i = 0; i < show->passages.count; i++) {
		const struct text_passage *passage = &show->passages.list[i];

		fprintf(out, "%s[%lld,\"", i ? ",\n" : "", passage->mark == SHOW_NO_LIFE ? -1 : (long long)passage->mark);
		show_print_json(out, (const char *)show->passages.bytes.data + passage->at, passage->length);
		fputs("\"]", out);
	}
	fputs("],\n\"texts\":{", out);
	for (size_t i = 0; i < show->version_count; i++) {
		const struct show_version *version = &show->versions[i];

		if (!version->found)
			continue;
		fprintf(out, "%s\"%zu\":[", before, i);
		for (size_t j = 0; j < version->text.count; j++)
			fprintf(out, "%s%u", j ? "," : "", version->text.passages[j]);
		fputs("]", out);
		before = ",\n";
	}
	fputs("}", out);
}

void show_print_data(FILE *out, const struct show *show)
{
	fprintf(out, "{\"first\":%zu,\"last\":%zu,\"shown\":%zu,\n", show->first, show->last, show->capture);
	print_captures(out, show);
	print_lives(out, show);
	print_texts(out, show);
	fputs("}", out);
}
