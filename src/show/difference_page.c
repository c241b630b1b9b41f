#include "show/difference.h"

#include "perennial/version.h"
#include "report/html.h"
#include "show/html.h"
#include "term/person.h"

#include <stdlib.h>
#include <string.h>

#define LISTED 5 /* passages that are new, and that are gone */

/* How words of a change are marked in the text: the element, its class, and what a screen reader says before them. */
static const struct {
	const char *element, *css, *said;
} marks[SHOW_CHANGES] = {
	[SHOW_STAYS] = { "span", "s", NULL },
	[SHOW_NEW] = { "ins", "n", "new" },
	[SHOW_GONE] = { "del", "g", "gone" },
	[SHOW_UNKNOWN] = { "span", "u", NULL },
};

/* The names of changed passages, for links. */
struct naming {
	const struct show_passage *last; /* the passage that was named last */
	size_t named;
};

static void print_part(struct show_lines *lines, const struct show_passage *passage, const char *text, size_t length)
{
	struct naming *naming = lines->context;
	uint32_t change = passage->life;

	if (change == SHOW_NO_LIFE || change == SHOW_STAYS) {
		show_print_text(lines->out, text, length);
		return;
	}
	fprintf(lines->out, "<%s class=\"%s\"", marks[change].element, marks[change].css);
	if ((change == SHOW_NEW || change == SHOW_GONE) && naming->named < LISTED && naming->last != passage) {
		fprintf(lines->out, " id=\"%s%zu\"", marks[change].css, naming->named++);
		naming->last = passage;
	}
	putc('>', lines->out);
	if (marks[change].said)
		fprintf(lines->out, "<span class=\"vh\">[%s:</span>", marks[change].said);
	show_print_text(lines->out, text, length);
	fprintf(lines->out, "%s</%s>", marks[change].said ? "<span class=\"vh\">]</span>" : "", marks[change].element);
}

static void print_text(FILE *out, const struct show_difference *difference, size_t version)
{
	const struct show_version *of = &difference->show.versions[version];
	struct naming naming = { 0 };
	struct show_lines lines = { .out = out, .print_part = print_part, .context = &naming };

	for (size_t i = 0; i < of->passage_count; i++) {
		/* The same passage may stand in several places. */
		naming.last = NULL;
		show_print_passage(&lines, &difference->show, &difference->show.passages[of->passages[i]]);
	}
	show_end_line(&lines);
	if (!of->passage_count)
		fputs("<p class=\"note\">There is no text in it.</p>\n", out);
}

/* Lists the first changes, with links to them. */
static void print_listed(FILE *out, const struct show_difference *difference, size_t version, enum show_change change, const char *title)
{
	const struct show_version *of = &difference->show.versions[version];
	char text[SHOW_EXCERPT];
	size_t count = 0;

	for (size_t i = 0; i < of->passage_count; i++) {
		const struct show_passage *passage = &difference->show.passages[of->passages[i]];

		if (passage->life != (uint32_t)change || count++ >= LISTED)
			continue;
		if (count == 1)
			fprintf(out, "<div><h3>%s</h3>\n<ul>\n", title);
		show_excerpt(&difference->show, passage, text);
		fprintf(out, "<li><a href=\"#%s%zu\" dir=\"auto\">", marks[change].css, count - 1);
		show_print_text(out, text, strlen(text));
		fputs("</a></li>\n", out);
	}
	if (count > LISTED)
		fprintf(out, "<li class=\"soft\">and %zu more</li>\n", count - LISTED);
	fputs(count ? "</ul></div>\n" : "", out);
}

static void print_head(FILE *out, const struct show_difference *difference, const char *back)
{
	const struct keep_body *bodies = difference->pair->bodies, *last = &bodies[difference->pair->count - 1];
	char from[TERM_PERSON_TEXT], to[TERM_PERSON_TEXT], apart[TERM_PERSON_TEXT];

	fprintf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
	             "base-uri 'none'; form-action 'none'\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
	             "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>What changed of ");
	report_html_text(out, last->url);
	fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n<h1>What changed of <span class=\"url\" dir=\"ltr\">",
	        show_embedded_text("difference.css"));
	report_html_text(out, last->url);
	fprintf(out, "</span></h1>\n<p class=\"soft\">%s ", difference->pair->count > 1 ? "Its last two bodies that differ: of" : "Its only body: of");
	if (difference->pair->count > 1)
		fprintf(out, "%s and %s UTC, %s apart.", term_person_time(bodies[0].time, from), term_person_time(last->time, to),
		        term_person_days((double)(last->time - bodies[0].time) / PRN_DAY_S, apart));
	else
		fprintf(out, "%s UTC.", term_person_time(last->time, to));
	if (back) {
		fputs(" <a href=\"", out);
		report_html_text(out, back);
		fputs("\">When it is visited next</a>", out);
	}
	fputs("</p>\n</header>\n<main>\n", out);
}

static void print_legend(FILE *out, const struct show_difference *difference)
{
	static const char *const means[SHOW_CHANGES] = { "in both texts", "in the later text alone", "in the earlier text alone",
		                                         "there is no other text to tell" };
	char words[SHOW_DIFFERENCE_WORDS];

	show_difference_words(difference, words);
	fprintf(out, "<p>%s</p>\n<dl class=\"legend\" aria-label=\"Legend\">\n", words);
	for (int i = 0; i < SHOW_CHANGES; i++)
		if ((i == SHOW_UNKNOWN) == (difference->pair->count < 2))
			fprintf(out, "<div><dt><span class=\"%s\">%s</span> <b>%zu</b></dt><dd>%s</dd></div>\n", marks[i].css,
			        show_change_name((enum show_change)i), difference->fragments[i], means[i]);
	fputs("</dl>\n", out);
	if (difference->part_read)
		fprintf(out, "<p class=\"note\">Of a body the first %zu MiB are compared.</p>\n", SHOW_DIFFERENCE_BODY_BYTES >> 20);
	if (difference->part_shown)
		fprintf(out, "<p class=\"note\">Of a text the first %zu KiB are shown.</p>\n", SHOW_DIFFERENCE_TEXT_BYTES >> 10);
	if (difference->pair->unread)
		fputs("<p class=\"note\">A kept body is damaged, and left out.</p>\n", out);
}

static void print_article(FILE *out, const struct show_difference *difference, size_t version, const char *id, const char *title)
{
	char time[TERM_PERSON_TEXT];

	fprintf(out, "<article aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s <span class=\"soft\">%s UTC</span></h2>\n", id, id, title,
	        term_person_time(difference->pair->bodies[version].time, time));
	print_text(out, difference, version);
	fputs("</article>\n", out);
}

/* The later text comes first on a phone, and when the page is read out. */
int show_difference_page(FILE *out, const struct show_difference *difference, const char *back)
{
	bool two = difference->pair->count > 1;

	print_head(out, difference, back);
	print_legend(out, difference);
	if (two) {
		fputs("<div class=\"listed\">\n", out);
		print_listed(out, difference, 1, SHOW_NEW, "What is new");
		print_listed(out, difference, 0, SHOW_GONE, "What is gone");
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
