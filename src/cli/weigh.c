/* perennial weigh: weights of pages by the links between them, or by where they stand. */
#include "base/buffer.h"
#include "base/output.h"
#include "base/visible.h"
#include "cli/command.h"
#include "cli/crawling.h"
#include "term/inputs.h"
#include "term/options.h"
#include "term/skipping.h"
#include "term/table.h"
#include "term/words.h"

#include "perennial/importance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLUSH ((size_t)1 << 20) /* bytes of lines that are written at a time */

struct weigh_options {
	const char *by, *output;
	double damping;
	uint64_t threads;
	enum prn_importance importance;
	struct term_filter filter;
};

static int check(struct weigh_options *given, struct prn_error *error)
{
	given->importance = (enum prn_importance)term_words_find(CLI_IMPORTANCES, given->by);
	if (!(given->damping >= 0 && given->damping < 1))
		return term_usage_error(error, "--damping takes a number from 0 and below 1");
	return 0;
}

static int print_lines(const struct prn_graph *graph, const double *weights, struct prn_output *output, struct prn_error *error)
{
	struct prn_buffer lines = { 0 };
	int code = 0;

	for (size_t i = 0; i < graph->page_count && !code; i++) {
		char number[32], *url = prn_visible_url_dup(graph->urls[i]);
		bool failed;

		term_number_exact(weights[i], number);
		failed = !url || prn_buffer_printf(&lines, "%s\t%s\n", url, number);
		free(url);
		if (failed)
			code = prn_error_memory(error);
		else if (lines.length < FLUSH && i + 1 < graph->page_count)
			continue;
		else if (output)
			code = prn_output_write(output, lines.data, lines.length, error);
		else
			fwrite(lines.data, 1, lines.length, stdout);
		prn_buffer_clear(&lines);
	}
	prn_buffer_release(&lines);
	return code;
}

static int print(const struct weigh_options *given, const struct prn_graph *graph, const double *weights, struct prn_error *error)
{
	struct prn_output output = { 0 };
	int code;

	if (!given->output || !strcmp(given->output, "-")) {
		code = print_lines(graph, weights, NULL, error);
		return code ? code : term_stdout_flush(error);
	}
	code = prn_output_open(&output, given->output, error);
	if (!code)
		code = print_lines(graph, weights, &output, error);
	if (!code)
		return prn_output_commit(&output, error);
	prn_output_abandon(&output);
	return code;
}

static void say(const struct weigh_options *given, const struct prn_graph *graph, const struct prn_importance_reached *reached)
{
	const char *before = " (";

	fprintf(stderr, "perennial weigh: %zu page%s", graph->page_count, graph->page_count == 1 ? "" : "s");
	if (given->importance != PRN_IMPORTANCE_LOCATION) {
		fprintf(stderr, ", %zu link%s between them", graph->link_count, graph->link_count == 1 ? "" : "s");
		term_say_count(&before, graph->outside, "link to another page", "links to others");
		term_say_count(&before, graph->unknown, "page of unknown links", "pages of unknown links");
		fputs(graph->outside || graph->unknown ? ")" : "", stderr);
	}
	if (reached->rounds)
		fprintf(stderr, "; %s by %.2g after %zu round%s", reached->converged ? "exact" : "not exact: it is off", reached->within,
		        reached->rounds, reached->rounds == 1 ? "" : "s");
	fputc('\n', stderr);
}

/* Sets *skipped if the weights did not come near their limit. */
static int weigh(const struct weigh_options *given, const struct term_inputs *inputs, bool *skipped, struct prn_error *error)
{
	const struct prn_importance_options options = { .damping = given->damping, .threads = given->threads };
	struct prn_importance_reached reached = { 0 };
	struct prn_trace_pool pool = { 0 };
	struct prn_graph graph = { 0 };
	struct prn_pages pages;
	double *weights = NULL;
	int code = prn_trace_pool_init(&pool, inputs->traces, inputs->count, &pages) ? prn_error_memory(error) : 0;

	if (!code)
		code = prn_graph_of_pages(&graph, &pages, given->threads, error);
	/* Pages that have no links can be weighed; pages of which no links are known cannot. */
	if (!code && given->importance != PRN_IMPORTANCE_LOCATION && pages.count && graph.unknown >= pages.count)
		code = prn_error_set(error, PRN_E_UNSUPPORTED,
		                     "of no page it is known where it leads: import with --links what the traces were made of");
	if (!code && !(weights = calloc(graph.page_count + 1, sizeof *weights)))
		code = prn_error_memory(error);
	if (!code)
		code = prn_importance_weights(given->importance, &graph, &options, weights, &reached, error);
	if (!code)
		code = print(given, &graph, weights, error);
	if (!code)
		say(given, &graph, &reached);
	*skipped |= !reached.converged;
	free(weights);
	prn_graph_release(&graph);
	prn_trace_pool_release(&pool);
	return code;
}

int cli_weigh(int argc, char **argv, struct prn_error *error)
{
	struct weigh_options given = { .by = "pagerank", .filter = TERM_FILTER_NONE, .damping = PRN_IMPORTANCE_DAMPING };
	const struct term_option options[] = {
		{ TERM_OPTION_TEXT, "by", 0, &given.by, CLI_IMPORTANCES, "what makes a page matter (default: pagerank)" },
		{ TERM_OPTION_NUMBER, "damping", 0, &given.damping, "D", "a page that nothing links to weighs about 1 - D (0.85)" },
		{ TERM_OPTION_OUTPUT, "output", 'o', &given.output, "FILE", "write the weights here, not on standard output" },
		{ TERM_OPTION_COUNT, "threads", 0, &given.threads, "N", "work on N threads (all processors)" },
		TERM_GIT_BASE_ROW(&given.filter),
		TERM_FILTER_ROWS(&given.filter),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"weigh", "[OPTION]… SRC…",
		"Prints a weight for each page, lines of URL and number of which the mean is 1: by the links between the pages\n"
		"of traces imported with --links, or of WARC files and folders, imported on the fly; or by where they stand.\n"
		"The lines are what 'perennial evaluate --weights', 'import --weights' and 'add' take.",
		options
	};
	struct term_inputs inputs = { 0 };
	bool skipped = false;
	int first, code = term_options_parse(&usage, argc, argv, &first, error);

	if (!code)
		code = check(&given, error);
	if (!code)
		code = term_filter_check(&given.filter, error);
	if (!code && first == argc)
		code = term_usage_error(error, "name the traces or WARC files whose pages are to be weighed");
	if (!code && given.threads > 1024)
		code = term_usage_error(error, "--threads takes at most 1024");
	if (!code) {
		code = term_inputs_open_linked(&inputs, argv + first, (size_t)(argc - first), &given.filter, given.threads, error);
		skipped = inputs.skipped;
		if (!code)
			code = weigh(&given, &inputs, &skipped, error);
		term_inputs_release(&inputs);
	}
	term_filter_release(&given.filter);
	return code ? code : skipped ? TERM_SKIPPED : TERM_DONE;
}
