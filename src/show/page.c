#include "show/html.h"

#include "base/output.h"
#include "text/html.h"
#include "show/embedded.h"
#include "text/person.h"
#include "term/provenance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHURNED 5 /* passages that are listed */

const char *show_embedded_text(const char *name)
{
	const struct show_embedded *file = show_embedded;

	while (file->name && strcmp(file->name, name))
		file++;
	return file->name ? file->text : "";
}

static void print_head(FILE *out, const struct show *show)
{
	char from[TEXT_PERSON_BYTES], to[TEXT_PERSON_BYTES], days[TEXT_PERSON_BYTES];
	size_t captures = show->last - show->first + 1;

	fprintf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
	             "script-src 'sha256-%s'; base-uri 'none'; form-action 'none'\">\n"
	             "<meta name=\"color-scheme\" content=\"light dark\">\n<title>What lasts of ", show_script_digest);
	text_html_string(out, show->page.url);
	fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n<h1>What lasts of <span class=\"url\" dir=\"ltr\">",
	        show_embedded_text("show.css"));
	text_html_string(out, show->page.url);
	fprintf(out, "</span></h1>\n<p class=\"soft\">%zu captures with %zu version%s of its text, from %s to %s UTC: %s.</p>\n</header>\n<main>\n",
	        captures, show->version_count, show->version_count == 1 ? "" : "s",
	        text_person_time(show->page.captures[show->first].time, from),
	        text_person_time(show->page.captures[show->last].time, to), text_person_days(show_days(show, show->first, show->last), days));
}

static const struct {
	enum prn_region region;
	const char *means;
} regions[] = {
	{ PRN_REGION_STATIC, "there at every capture" },
	{ PRN_REGION_SCROLL, "survives changes of the page, then goes" },
	{ PRN_REGION_CHURN, "gone with the next change; of the last version nobody can tell it yet" },
	{ PRN_REGION_UNKNOWN, "there at first or at last, so that nothing tells which" },
};

/* The legend also says how much of each region there is as of the capture that is shown. */
static void print_legend(FILE *out, const struct show *show)
{
	size_t counts[PRN_REGION_UNKNOWN + 1] = { 0 }, all = 0;
	char days[TEXT_PERSON_BYTES];

	for (size_t i = 0; i < show->life_count; i++)
		if (show->lives[i].from <= show->capture && show->capture < show->lives[i].to)
			counts[show->lives[i].region] += show->lives[i].fragments, all += show->lives[i].fragments;
	fputs("<dl class=\"legend\" aria-label=\"Legend\">\n", out);
	for (size_t i = 0; i < sizeof regions / sizeof *regions; i++) {
		enum prn_region region = regions[i].region;
		double mean = show->mean_days[region];

		fprintf(out, "<div><dt><span class=\"%s\">%s</span> <b data-share=\"%s\">%.0f %%</b></dt><dd>%s", show_region_class(region),
		        prn_region_name(region), show_region_class(region), all ? 100 * (double)counts[region] / (double)all : 0, regions[i].means);
		if ((region == PRN_REGION_CHURN || region == PRN_REGION_SCROLL) && isfinite(mean))
			fprintf(out, "; lives %s in the mean", text_person_days(mean, days));
		fputs("</dd></div>\n", out);
	}
	fputs("</dl>\n", out);
}

static const char *kind_words(enum prn_kind kind)
{
	switch (kind) {
	case PRN_KIND_CONTENT: return "";
	case PRN_KIND_SAME: return ", not modified";
	case PRN_KIND_REDIRECT: return ", a redirect";
	case PRN_KIND_GONE: return ", gone: the text is that of before";
	case PRN_KIND_REFUSED: return ", refused: the text is that of before";
	default: return ", no answer: the text is that of before";
	}
}

static void print_controls(FILE *out, const struct show *show)
{
	size_t listed = 0, place = 0;
	char time[TEXT_PERSON_BYTES];

	for (size_t i = show->first; i <= show->last; i++) {
		place = i == show->capture ? listed : place;
		listed += show->versions[show_version_at(show, i)].found;
	}
	fprintf(out, "<div class=\"controls\" role=\"group\" aria-label=\"Capture\"><div class=\"scripted\" hidden>"
	             "<button type=\"button\" id=\"earlier\">‹ earlier change</button>"
	             "<input type=\"range\" id=\"slider\" min=\"0\" max=\"%zu\" value=\"%zu\" aria-label=\"Capture\">"
	             "<button type=\"button\" id=\"later\">later change ›</button></div>"
	             "<p id=\"when\" role=\"status\">As of <b>%s</b> UTC, capture %zu of %zu%s.</p></div>\n",
	        listed - 1, place, text_person_time(show->page.captures[show->capture].time, time), show->capture - show->first + 1,
	        show->last - show->first + 1, kind_words(show->page.captures[show->capture].kind));
	if (show->found_count < show->version_count)
		fprintf(out, "<p class=\"note\">The texts of %zu of the %zu versions are here%s; captures with another one are left out of the "
		             "list, and stand in the time line and the stripes.</p>\n", show->found_count, show->version_count,
		        show->is_cut ? ", cut at 16 MiB" : "");
}

/* At the last capture churn is not known yet: readers look for what churned before it. */
static void print_churned(FILE *out, const struct show *show)
{
	uint32_t passages[CHURNED];
	size_t count = show_list_churned(show, passages, CHURNED);
	char from[TEXT_PERSON_BYTES], to[TEXT_PERSON_BYTES], text[TEXT_EXCERPT_BYTES];

	if (!count)
		return;
	fputs("<details class=\"churned\" open><summary>What churned last</summary>\n<ul>\n", out);
	for (size_t i = 0; i < count; i++) {
		const struct text_passage *passage = &show->passages.list[passages[i]];
		const struct show_life *life = &show->lives[passage->mark];

		text_excerpt(&show->passages, passage, text);
		fprintf(out, "<li>%s, gone by %s: <span class=\"c\" dir=\"auto\">", text_person_time(show->page.captures[life->from].time, from),
		        text_person_time(show->page.captures[life->to].time, to));
		text_html_content(out, text, strlen(text));
		fputs("</span></li>\n", out);
	}
	fputs("</ul></details>\n", out);
}

static int print_page(FILE *out, const struct show *show, const struct show_replay *replays, size_t count, int argc, char **argv)
{
	char *provenance = NULL;
	size_t length;
	FILE *text = open_memstream(&provenance, &length);

	if (!text)
		return PRN_E_MEMORY;
	term_provenance_print(text, argc, argv);
	if (fclose(text)) {
		free(provenance);
		return PRN_E_MEMORY;
	}
	print_head(out, show);
	fputs("<section aria-labelledby=\"h-time\">\n<h2 id=\"h-time\">Over time</h2>\n", out);
	show_print_timeline(out, show, replays);
	show_print_policies(out, show, replays, count);
	fputs("</section>\n<section aria-labelledby=\"h-text\">\n<h2 id=\"h-text\">The text</h2>\n", out);
	print_controls(out, show);
	print_legend(out, show);
	print_churned(out, show);
	fputs("<div class=\"sides\">\n<nav aria-label=\"Stripes of content\"><h3>Stripes</h3><p class=\"note\">Time from left to right; "
	      "a bar from birth to death, thicker for more of the text.</p>\n", out);
	if (show_print_stripes(out, show)) {
		free(provenance);
		return PRN_E_MEMORY;
	}
	fputs("</nav>\n<article id=\"text\" aria-label=\"Text of the capture\">\n", out);
	if (show_print_version(out, show)) {
		free(provenance);
		return PRN_E_MEMORY;
	}
	fputs("</article>\n</div>\n"
	      "<p id=\"about\" role=\"status\" class=\"about\" hidden>Point to a passage, or choose a stripe, to see how long it was there.</p>\n"
	      "</section>\n</main>\n<footer><p>Made by <code>", out);
	text_html_string(out, provenance);
	free(provenance);
	fputs("</code>. A word goes by the longest-lived of the fragments, five words in a row, that it is in; of a change just the words that changed are churn.</p></footer>\n"
	      "<script type=\"application/json\" id=\"data\">", out);
	show_print_data(out, show);
	fprintf(out, "</script>\n<script>%s</script>\n</body>\n</html>\n", show_embedded_text("show.js"));
	return ferror(out) ? PRN_E_MEMORY : 0;
}

int show_write_page(const char *path, show_print_fn *print, const void *context, struct prn_error *error)
{
	struct prn_output output = { 0 };
	char *page = NULL;
	size_t length;
	FILE *out = open_memstream(&page, &length);
	int code = out ? print(out, context) : PRN_E_MEMORY;

	if (out && fclose(out))
		code = PRN_E_MEMORY;
	if (code)
		code = prn_error_memory(error);
	if (!code)
		code = prn_output_open(&output, path, error);
	if (!code)
		code = prn_output_write(&output, page, length, error);
	if (!code)
		code = prn_output_commit(&output, error);
	else
		prn_output_abandon(&output);
	free(page);
	return code;
}

struct request {
	const struct show *show;
	const struct show_replay *replays;
	size_t count;
	int argc;
	char **argv;
};

static int print_request(FILE *out, const void *context)
{
	const struct request *request = context;

	return print_page(out, request->show, request->replays, request->count, request->argc, request->argv);
}

int show_write(const struct show *show, const struct show_replay *replays, size_t count, const char *path, int argc, char **argv,
               struct prn_error *error)
{
	const struct request request = { show, replays, count, argc, argv };

	return show_write_page(path, print_request, &request, error);
}
