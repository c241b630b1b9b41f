#include "cli/command.h"
#include "term/inputs.h"
#include "term/options.h"
#include "term/table.h"

#include "perennial/time.h"
#include "perennial/url.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>


typedef int print_page_fn(const struct prn_page *page); /* 0, or PRN_E_MEMORY */

static void print_captures(const struct prn_page *page)
{
	char text[PRN_TIME_TEXT];

	for (size_t i = 0; i < page->capture_count; i++) {
		const struct prn_page_capture *capture = &page->captures[i];

		printf("%s{\"time\":\"%s\",\"kind\":\"%s\"", i ? "," : "", prn_time_format(capture->time, text),
		       prn_kind_name(capture->kind));
		if (capture->modified != PRN_TIME_UNKNOWN)
			printf(",\"modified\":\"%s\"", prn_time_format(capture->modified, text));
		if (capture->media) {
			fputs(",\"media\":", stdout);
			term_json_string(prn_page_media(page, i));
		}
		putchar('}');
	}
}

static void print_fragments(const struct prn_page *page)
{
	for (size_t i = 0; i < page->stripe_count; i++) {
		const struct prn_stripe *stripe = &page->stripes[i];

		printf("%s[\"%016" PRIx64 "\",[", i ? "," : "", stripe->hash);
		for (uint32_t j = 0; j < stripe->count; j++) {
			struct prn_run run = page->runs[stripe->first + j];

			printf("%s[%" PRIu32 ",%" PRIu32 "]", j ? "," : "", run.from, run.to);
		}
		fputs("]]", stdout);
	}
}

static void print_links(const struct prn_page *page)
{
	char text[PRN_TIME_TEXT];

	printf(",\"linked\":\"%s\",\"links\":[", prn_time_format(page->captures[page->linked - 1].time, text));
	for (size_t i = 0; i < page->link_count; i++)
		printf("%s\"%016" PRIx64 "\"", i ? "," : "", page->links[i]);
	putchar(']');
}

static int print_page(const struct prn_page *page)
{
	char weight[32];

	term_number_exact(page->weight, weight);
	fputs("{\"url\":", stdout);
	term_json_string(page->url);
	printf(",\"weight\":%s,\"captures\":[", weight);
	print_captures(page);
	fputs("],\"fragments\":[", stdout);
	print_fragments(page);
	putchar(']');
	if (page->linked)
		print_links(page);
	puts("}");
	return 0;
}

static void print_visit(const struct prn_page_capture *before, const struct prn_page_capture *now, bool changed)
{
	char days[32];

	term_number_exact((double)(now->time - before->time) / PRN_DAY_S, days);
	printf("%s %d", days, changed);
	if (now->modified != PRN_TIME_UNKNOWN && now->modified < now->time) {
		term_number_exact((double)(now->time - now->modified) / PRN_DAY_S, days);
		printf(" %s", days);
	}
	putchar('\n');
}

/* Prints the captures of the page's life that brought content, each against the one before; then a blank line. */
static int print_visits(const struct prn_page *page)
{
	size_t first, last, before;
	bool *changes; /* whether the content differs from that of the capture before */
	bool changed = false, any = false;

	if (prn_page_life(page, &first, &last))
		return 0;
	changes = calloc(page->capture_count + 1, sizeof *changes);
	if (!changes)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < page->run_count; i++)
		changes[page->runs[i].from] = changes[page->runs[i].to] = true;
	before = first;
	for (size_t i = first + 1; i <= last; i++) {
		changed |= changes[i];
		if (!prn_kind_is_observation(page->captures[i].kind))
			continue;
		print_visit(&page->captures[before], &page->captures[i], changed);
		before = i;
		changed = false;
		any = true;
	}
	if (any)
		putchar('\n');
	free(changes);
	return 0;
}

/* Prints the pages from..to-1 of the trace. */
static int dump(const struct prn_trace *trace, size_t from, size_t to, print_page_fn *print,
                struct prn_error *error)
{
	struct prn_page page;
	int code = 0;

	prn_page_init(&page);
	for (size_t i = from; i < to && !code; i++) {
		code = prn_trace_page(trace, i, &page, error);
		if (!code)
			code = print(&page);
		if (ferror(stdout))
			break;
	}
	prn_page_release(&page);
	return code;
}

static int dump_url(const struct term_inputs *inputs, const char *url, print_page_fn *print,
                    struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	bool found = false;
	int code = 0;

	if (prn_url_normalize(url, SIZE_MAX, normal, sizeof normal))
		return prn_error_set(error, PRN_E_INPUT, "%s: this is not a URL that a page can have", url);
	for (size_t i = 0; i < inputs->count && !code; i++) {
		size_t page;

		if (prn_trace_find(inputs->traces[i], normal, &page))
			continue;
		found = true;
		code = dump(inputs->traces[i], page, page + 1, print, error);
	}
	return code || found ? code : prn_error_set(error, PRN_E_NOT_FOUND, "%s: no such page", normal);
}

static int dump_all(char **paths, size_t count, const struct term_filter *filter, const char *url, print_page_fn *print,
                    struct prn_error *error)
{
	struct term_inputs inputs;
	int code = term_inputs_open(&inputs, paths, count, filter, 0, error), skipped = inputs.skipped;

	if (!code && url)
		code = dump_url(&inputs, url, print, error);
	for (size_t i = 0; i < inputs.count && !code && !url; i++)
		code = dump(inputs.traces[i], 0, prn_trace_pages(inputs.traces[i]), print, error);
	term_inputs_release(&inputs);
	if (!code)
		code = term_stdout_flush(error);
	return code ? code : skipped ? TERM_SKIPPED : TERM_DONE;
}

int cli_dump(int argc, char **argv, struct prn_error *error)
{
	const char *url = NULL;
	bool visits = false;
	struct term_filter filter = TERM_FILTER_NONE;
	const struct term_option options[] = {
		{ TERM_OPTION_TEXT, "url", 0, &url, "URL", "only this page; the others are not read" },
		{ TERM_OPTION_FLAG, "visits", 0, &visits, NULL,
		  "a line a capture, as 'perennial estimate' reads it" },
		TERM_GIT_BASE_ROW(&filter),
		TERM_FILTER_ROWS(&filter),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"dump", "[OPTION]… X.trace…",
		"Prints pages as JSON, one a line: URL, weight, captures (time, kind, Last-Modified and media type if known), and\n"
		"fragments: each hash with the runs of captures that have it, [from, to) by index; and, where they are known, links\n"
		"as of a capture: hashes of URLs.",
		options
	};
	int first, code = term_options_parse(&usage, argc, argv, &first, error);

	if (!code && first == argc)
		code = term_usage_error(error, "name the traces to print");
	if (!code)
		code = term_filter_check(&filter, error);
	if (!code)
		code = dump_all(argv + first, (size_t)(argc - first), &filter, url, visits ? print_visits : print_page, error);
	term_filter_release(&filter);
	return code;
}
