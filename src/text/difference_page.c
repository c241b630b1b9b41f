#include "text/difference.h"

#include "perennial/time.h"
#include "perennial/version.h"
#include "text/embedded.h"
#include "text/html.h"
#include "text/lines.h"
#include "text/person.h"

#include <stdlib.h>
#include <string.h>

#define LISTED 5 /* passages that are new, and that are gone */

/* How words of a change are marked in the text: the element, its class, and what a screen reader says before them. */
static const struct {
	const char *element, *css, *said;
} marks[TEXT_CHANGES] = {
	[TEXT_STAYS] = { "span", "s", NULL },
	[TEXT_NEW] = { "ins", "n", "new" },
	[TEXT_GONE] = { "del", "g", "gone" },
	[TEXT_UNKNOWN] = { "span", "u", NULL },
};

/* The names of changed passages, for links. */
struct naming {
	const struct text_passage *last; /* the passage that was named last */
	size_t named;
};

static void print_part(struct text_lines *lines, const struct text_passage *passage, const char *text, size_t length)
{
	struct naming *naming = lines->context;
	uint32_t change = passage->mark;

	if (change == TEXT_NO_MARK || change == TEXT_STAYS) {
		text_html_content(lines->out, text, length);
		return;
	}
	fprintf(lines->out, "<%s class=\"%s\"", marks[change].element, marks[change].css);
	if ((change == TEXT_NEW || change == TEXT_GONE) && naming->named < LISTED && naming->last != passage) {
		fprintf(lines->out, " id=\"%s%zu\"", marks[change].css, naming->named++);
		naming->last = passage;
	}
	putc('>', lines->out);
	if (marks[change].said)
		fprintf(lines->out, "<span class=\"vh\">[%s:</span>", marks[change].said);
	text_html_content(lines->out, text, length);
	fprintf(lines->out, "%s</%s>", marks[change].said ? "<span class=\"vh\">]</span>" : "", marks[change].element);
}

static void print_text(FILE *out, const struct text_difference *difference, size_t version)
{
	const struct text_sequence *of = &difference->texts[version];
	struct naming naming = { 0 };
	struct text_lines lines = { .out = out, .print_part = print_part, .context = &naming };

	for (size_t i = 0; i < of->count; i++) {
		/* The same passage may stand in several places. */
		naming.last = NULL;
		text_lines_print(&lines, &difference->passages, &difference->passages.list[of->passages[i]]);
	}
	text_lines_end(&lines);
	if (!of->count)
		fputs("<p class=\"note\">There is no text in it.</p>\n", out);
}

/* Lists the first changes, with links to them. */
static void print_listed(FILE *out, const struct text_difference *difference, size_t version, enum text_change change, const char *title)
{
	const struct text_sequence *of = &difference->texts[version];
	char text[TEXT_EXCERPT_BYTES];
	size_t count = 0;

	for (size_t i = 0; i < of->count; i++) {
		const struct text_passage *passage = &difference->passages.list[of->passages[i]];

		if (passage->mark != (uint32_t)change || count++ >= LISTED)
			continue;
		if (count == 1)
			fprintf(out, "<div><h3>%s</h3>\n<ul>\n", title);
		text_excerpt(&difference->passages, passage, text);
		fprintf(out, "<li><a href=\"#%s%zu\" dir=\"auto\">", marks[change].css, count - 1);
		text_html_content(out, text, strlen(text));
		fputs("</a></li>\n", out);
	}
	if (count > LISTED)
		fprintf(out, "<li class=\"soft\">and %zu more</li>\n", count - LISTED);
	fputs(count ? "</ul></div>\n" : "", out);
}

static void print_head(FILE *out, const struct text_difference *difference, const char *back)
{
	const struct keep_body *bodies = difference->pair->bodies, *last = &bodies[difference->pair->count - 1];
	char from[TEXT_PERSON_BYTES], to[TEXT_PERSON_BYTES], apart[TEXT_PERSON_BYTES];

	fprintf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
	             "base-uri 'none'; form-action 'none'\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
	             "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>What changed of ");
	text_html_string(out, last->url);
	fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n<h1>What changed of <span class=\"url\" dir=\"ltr\">",
	        text_embedded[0].text);
	text_html_string(out, last->url);
	fprintf(out, "</span></h1>\n<p class=\"soft\">%s ", difference->pair->count > 1 ? "Its last two bodies that differ: of" : "Its only body: of");
	if (difference->pair->count > 1)
		fprintf(out, "%s and %s UTC, %s apart.", text_person_time(bodies[0].time, from), text_person_time(last->time, to),
		        text_person_days((double)(last->time - bodies[0].time) / PRN_DAY_S, apart));
	else
		fprintf(out, "%s UTC.", text_person_time(last->time, to));
	if (back) {
		fputs(" <a href=\"", out);
		text_html_string(out, back);
		fputs("\">When it is visited next</a>", out);
	}
	fputs("</p>\n</header>\n<main>\n", out);
}

static void print_legend(FILE *out, const struct text_difference *difference)
{
	static const char *const means[TEXT_CHANGES] = { "in both texts", "in the later text alone", "in the earlier text alone",
		                                         "there is no other text to tell" };
	char words[TEXT_DIFFERENCE_WORDS];

	text_difference_words(difference, words);
	fprintf(out, "<p>%s</p>\n<dl class=\"legend\" aria-label=\"Legend\">\n", words);
	for (int i = 0; i < TEXT_CHANGES; i++)
		if ((i == TEXT_UNKNOWN) == (difference->pair->count < 2))
			fprintf(out, "<div><dt><span class=\"%s\">%s</span> <b>%zu</b></dt><dd>%s</dd></div>\n", marks[i].css,
			        text_change_name((enum text_change)i), difference->fragments[i], means[i]);
	fputs("</dl>\n", out);
	if (difference->part_read)
		fprintf(out, "<p class=\"note\">Of a body the first %zu MiB are compared.</p>\n", TEXT_DIFFERENCE_BODY_BYTES >> 20);
	if (difference->part_shown)
		fprintf(out, "<p class=\"note\">Of a text the first %zu KiB are shown.</p>\n", TEXT_DIFFERENCE_TEXT_BYTES >> 10);
	if (difference->pair->unread)
		fputs("<p class=\"note\">A kept body is damaged, and left out.</p>\n", out);
}

static void print_article(FILE *out, const struct text_difference *difference, size_t version, const char *id, const char *title)
{
	char time[TEXT_PERSON_BYTES];

	fprintf(out, "<article aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s <span class=\"soft\">%s UTC</span></h2>\n", id, id, title,
	        text_person_time(difference->pair->bodies[version].time, time));
	print_text(out, difference, version);
	fputs("</article>\n", out);
}

/* The later text comes first on a phone, and when the page is read out. */
int text_difference_page(FILE *out, const struct text_difference *difference, const char *back)
{
	bool two = difference->pair->count > 1;

	print_head(out, difference, back);
	print_legend(out, difference);
	if (two) {
		fputs("<div class=\"listed\">\n", out);
		print_listed(out, difference, 1, TEXT_NEW, "What is new");
		print_listed(out, difference, 0, TEXT_GONE, "What is gone");
		fputs("</div>\n", out);
	}
	fprintf(out, "<div class=\"%s\">\n", two ? "sides" : "side");
	print_article(out, difference, two, "now", two ? "The later text" : "The text");
	if (two)
		print_article(out, difference, 0, "before", "The earlier text");
	fprintf(out, "</div>\n</main>\n<footer><p>perennial %s. Nothing of the page is run or asked for: it is shown as text.</p></footer>\n"
	             "</body>\n</html>\n", prn_version());
	return ferror(out) ? PRN_E_MEMORY : 0;
}
