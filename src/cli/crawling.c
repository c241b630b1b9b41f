#include "cli/crawling.h"

#include "base/buffer.h"
#include "cli/command.h"
#include "history/synthetic.h"
#include "term/inputs.h"
#include "term/provenance.h"
#include "term/words.h"

#include "perennial/importance.h"
#include "perennial/ordering.h"
#include "perennial/parallel_crawl.h"
#include "perennial/web.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cli_crawling_is_asked(const struct cli_crawling *crawling)
{
	return crawling->orderings.count || crawling->modes.count;
}

bool cli_crawling_is_filtered(const struct cli_crawling *crawling)
{
	return term_filter_is_given(&crawling->filter) || crawling->filter.git_base;
}

void cli_crawling_release(struct cli_crawling *crawling)
{
	term_list_release(&crawling->orderings);
	term_list_release(&crawling->modes);
	term_list_release(&crawling->crawled);
	term_list_release(&crawling->crawlers);
	term_list_release(&crawling->coverages);
	term_filter_release(&crawling->filter);
}

/* The web that is crawled, and the options in the form that the library takes. */
struct crawl {
	const struct cli_crawling *given;
	const struct cli_crawl_run *run;
	struct term_inputs inputs;
	struct prn_trace_pool pool;
	struct prn_graph graph;
	enum prn_importance hot_by;
	bool orderings[PRN_ORDERINGS], modes[PRN_CRAWL_MODES];
	double *importance;
	uint32_t *order;
	struct term_table *table;
};

/* Marks which of count words are in a list; "all", which comes after them, marks every one. */
static void read_words(const struct term_list *list, const char *words, size_t count, bool *named)
{
	for (size_t i = 0; i < list->count; i++) {
		size_t word = (size_t)term_words_find(words, list->items[i]);

		for (size_t n = 0; n < count; n++)
			named[n] = named[n] || word == n || word == count;
	}
}

static int fill(struct term_list *list, const double *numbers, size_t count)
{
	int code = 0;

	for (size_t i = 0, none = !list->count; none && i < count && !code; i++) {
		code = term_list_add(list, "");
		if (!code)
			list->numbers[list->count - 1] = numbers[i];
	}
	return code;
}

static int check_shares(const struct term_list *list, const char *option, struct prn_error *error)
{
	for (size_t i = 0; i < list->count; i++)
		if (!(list->numbers[i] > 0 && list->numbers[i] <= 1) || (i && !(list->numbers[i] > list->numbers[i - 1])))
			return term_usage_error(error, "--%s takes numbers above 0 and at most 1, ascending", option);
	return 0;
}

static int check(struct crawl *crawl, struct cli_crawling *given, struct prn_error *error)
{
	static const double crawled[] = { 0.05, 0.1, 0.2, 0.5 }, crawlers[] = { 1, 2, 4, 8, 16, 32, 64 }, coverages[] = { 1 };
	int code;

	if (given->orderings.count && given->modes.count)
		return term_usage_error(error, "--ordering and --parallel are two tables: ask for one at a time");
	if (fill(&given->crawled, crawled, 4) || fill(&given->crawlers, crawlers, 7) || fill(&given->coverages, coverages, 1))
		return prn_error_memory(error);
	read_words(&given->orderings, CLI_ORDERINGS, PRN_ORDERINGS, crawl->orderings);
	read_words(&given->modes, CLI_CRAWL_MODES, PRN_CRAWL_MODES, crawl->modes);
	crawl->hot_by = given->importance ? (enum prn_importance)term_words_find(CLI_IMPORTANCES, given->importance) : PRN_IMPORTANCE_PAGERANK;
	code = check_shares(&given->crawled, "crawled", error);
	if (!code)
		code = check_shares(&given->coverages, "coverage", error);
	for (size_t i = 0; i < given->crawlers.count && !code; i++) {
		double n = given->crawlers.numbers[i];

		if (!(n >= 1 && n <= PRN_CRAWLERS_MOST) || n != floor(n))
			code = term_usage_error(error, "--crawlers takes whole numbers from 1 to %d", PRN_CRAWLERS_MOST);
	}
	if (code)
		return code;
	if (!(given->hot > 0 && given->hot <= 1))
		return term_usage_error(error, "--hot takes a number above 0, at most 1");
	if (!given->start_pages)
		return term_usage_error(error, "--start-pages takes a number above 0");
	if (given->web && crawl->run->source_count)
		return term_usage_error(error, "--web draws one, and '%s' is another", crawl->run->sources[0]);
	if (!crawl->run->source_count && cli_crawling_is_filtered(given))
		return term_usage_error(error, "there are no captures to filter: a web is drawn");
	return term_filter_check(&given->filter, error);
}

static int draw(struct crawl *crawl, struct prn_error *error)
{
	static const struct prn_synthetic_key keys[] = {
		{ "pages", "a whole number from 1 to 1e8", 10000, PRN_WEB_PAGES, true, true },
		{ "sites", "a whole number from 1 to the number of pages", 100, PRN_WEB_PAGES, true, true },
		{ "links", "a number from 1 to 1000", 10, PRN_WEB_LINKS, true, false },
		{ "within", "a number from 0 to 1", 0.75, 1, false, false },
	};
	double values[4];
	struct prn_web web;
	int code = prn_synthetic_read(values, keys, 4, "web", crawl->given->web ? crawl->given->web : "", error);

	if (!code) {
		web = (struct prn_web){ (size_t)values[0], (size_t)values[1], values[2], values[3], crawl->run->seed };
		code = prn_web_draw(&web, &crawl->graph, error);
	}
	return code == PRN_E_ARGUMENT ? term_usage_blame(error) : code;
}

static int read_sources(struct crawl *crawl, struct prn_error *error)
{
	struct prn_pages pages;
	int code = term_inputs_open_linked(&crawl->inputs, crawl->run->sources, crawl->run->source_count, &crawl->given->filter,
	                                   crawl->run->threads, error);

	if (!code)
		code = prn_trace_pool_init(&crawl->pool, crawl->inputs.traces, crawl->inputs.count, &pages) ? prn_error_memory(error) : 0;
	if (!code)
		code = prn_graph_of_pages(&crawl->graph, &pages, crawl->run->threads, error);
	if (!code && !pages.count)
		return prn_error_set(error, PRN_E_NOT_FOUND, "there is no page to crawl: nothing of what was read is one");
	if (!code && crawl->graph.unknown == pages.count)
		code = prn_error_set(error, PRN_E_UNSUPPORTED,
		                     "of no page it is known where it leads: import with --links what the traces were made of");
	return code;
}

static size_t pages_of(double share, size_t pages)
{
	size_t n = (size_t)ceil(share * (double)pages - 1e-9);

	return n < 1 ? 1 : n > pages ? pages : n;
}

/* A crawl begins at the page that stands highest in its site, and at the first of several. */
static int find_start(const struct crawl *crawl, size_t *start, struct prn_error *error)
{
	const struct prn_importance_options options = { .threads = crawl->run->threads };
	struct prn_importance_reached reached;
	int code = prn_importance_weights(PRN_IMPORTANCE_LOCATION, &crawl->graph, &options, crawl->importance, &reached, error);

	*start = 0;
	for (size_t i = 0; i < crawl->graph.page_count && !code; i++)
		if (crawl->importance[i] > crawl->importance[*start])
			*start = i;
	return code;
}

static void open_table(struct crawl *crawl, const struct term_column *columns)
{
	crawl->table = term_table_open(crawl->run->format, columns);
}

static const struct term_column ordering_columns[] = {
	{ "ordering", TERM_COLUMN_TEXT, 0 }, { "importance", TERM_COLUMN_TEXT, 0 }, { "crawled", TERM_COLUMN_NUMBER, 4 },
	{ "pages", TERM_COLUMN_COUNT, 0 },   { "p_cs", TERM_COLUMN_NUMBER, 4 },     { "p_st", TERM_COLUMN_NUMBER, 4 },
	{ "begun", TERM_COLUMN_COUNT, 0 },   { NULL, TERM_COLUMN_TEXT, 0 },
};

static int put_ordering(struct crawl *crawl, enum prn_ordering ordering, size_t begun)
{
	const struct term_list *crawled = &crawl->given->crawled;
	size_t pages = crawl->graph.page_count;
	int code = 0;

	for (size_t i = 0; i < crawled->count && !code; i++) {
		size_t k = pages_of(crawled->numbers[i], pages);
		double stop, threshold;

		code = prn_ordering_score(crawl->order, crawl->importance, pages, k, pages_of(crawl->given->hot, pages), &stop, &threshold);
		if (code)
			break;
		term_table_text(crawl->table, prn_ordering_name(ordering));
		term_table_text(crawl->table, prn_importance_name(crawl->hot_by));
		term_table_number(crawl->table, crawled->numbers[i]);
		term_table_count(crawl->table, k);
		term_table_number(crawl->table, stop);
		term_table_number(crawl->table, threshold);
		term_table_count(crawl->table, begun);
	}
	return code;
}

static int run_orderings(struct crawl *crawl, struct prn_error *error)
{
	const struct prn_importance_options options = { .damping = PRN_IMPORTANCE_DAMPING, .threads = crawl->run->threads };
	struct prn_importance_reached reached;
	size_t start = 0;
	int code;

	crawl->importance = calloc(crawl->graph.page_count + 1, sizeof *crawl->importance);
	crawl->order = calloc(crawl->graph.page_count + 1, sizeof *crawl->order);
	if (!crawl->importance || !crawl->order)
		return prn_error_memory(error);
	code = find_start(crawl, &start, error);
	if (!code)
		code = prn_importance_weights(crawl->hot_by, &crawl->graph, &options, crawl->importance, &reached, error);
	if (code)
		return code;
	open_table(crawl, ordering_columns);
	for (int i = 0; i < PRN_ORDERINGS && !code; i++) {
		size_t begun;

		if (!crawl->orderings[i])
			continue;
		code = prn_ordering_crawl((enum prn_ordering)i, &crawl->graph, crawl->importance, start, crawl->run->seed, crawl->order, &begun);
		code = code ? code : put_ordering(crawl, (enum prn_ordering)i, begun);
	}
	return code ? prn_error_memory(error) : 0;
}

static const struct term_column parallel_columns[] = {
	{ "mode", TERM_COLUMN_TEXT, 0 },       { "parts", TERM_COLUMN_TEXT, 0 },       { "crawlers", TERM_COLUMN_COUNT, 0 },
	{ "asked", TERM_COLUMN_NUMBER, 2 },    { "coverage", TERM_COLUMN_NUMBER, 4 },  { "overlap", TERM_COLUMN_NUMBER, 4 },
	{ "exchanged", TERM_COLUMN_NUMBER, 4 }, { "across", TERM_COLUMN_NUMBER, 4 },   { "speed", TERM_COLUMN_NUMBER, 4 },
	{ "fetched", TERM_COLUMN_COUNT, 0 },   { NULL, TERM_COLUMN_TEXT, 0 },
};

static void put_parallel(struct crawl *crawl, const struct prn_parallel_crawl *how, double asked, const struct prn_parallel_reached *at)
{
	const double numbers[] = { asked, at->coverage, at->overlap, at->exchanged, at->across, at->speed };

	term_table_text(crawl->table, prn_crawl_mode_name(how->mode));
	term_table_text(crawl->table, how->by_page ? "pages" : "hosts");
	term_table_count(crawl->table, how->crawlers);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		term_table_number(crawl->table, numbers[i]);
	term_table_count(crawl->table, at->fetched);
}

static int run_parallel(struct crawl *crawl, struct prn_error *error)
{
	const struct cli_crawling *given = crawl->given;
	const struct term_list *coverages = &given->coverages;
	struct prn_parallel_reached *reached = calloc(coverages->count, sizeof *reached);
	int code = reached ? 0 : prn_error_memory(error);

	open_table(crawl, parallel_columns);
	for (int mode = 0; mode < PRN_CRAWL_MODES && !code; mode++)
		for (size_t n = 0; n < given->crawlers.count && crawl->modes[mode] && !code; n++) {
			struct prn_parallel_crawl how = { (enum prn_crawl_mode)mode, (uint32_t)given->crawlers.numbers[n], given->by_page,
				                          given->start_pages, crawl->run->seed };

			code = prn_parallel_crawl(&crawl->graph, &how, coverages->numbers, coverages->count, reached, error);
			for (size_t i = 0; i < coverages->count && !code; i++)
				put_parallel(crawl, &how, coverages->numbers[i], &reached[i]);
		}
	free(reached);
	return code;
}

static int close_table(struct crawl *crawl, int code, struct prn_error *error)
{
	int unwritten = crawl->table ? term_table_close(crawl->table, NULL, code ? NULL : error) : 0;

	code = code ? code : unwritten;
	if (code || crawl->run->format != TERM_FORMAT_TABLE)
		return code;
	fputs("# ", stdout);
	term_provenance_print(stdout, crawl->run->argc, crawl->run->argv);
	printf("; seed %llu, %zu pages, %zu links\n", (unsigned long long)crawl->run->seed, crawl->graph.page_count, crawl->graph.link_count);
	return term_stdout_flush(error);
}

int cli_crawling_run(struct cli_crawling *given, const struct cli_crawl_run *run, struct prn_error *error)
{
	struct crawl crawl = { .given = given, .run = run };
	int code = check(&crawl, given, error);

	if (code)
		return code;
	code = run->source_count ? read_sources(&crawl, error) : draw(&crawl, error);
	if (!code && !crawl.graph.page_count)
		code = prn_error_set(error, PRN_E_INPUT, "there are no pages to crawl");
	if (!code)
		code = given->orderings.count ? run_orderings(&crawl, error) : run_parallel(&crawl, error);
	code = close_table(&crawl, code, error);
	prn_graph_release(&crawl.graph);
	prn_trace_pool_release(&crawl.pool);
	code = code ? code : crawl.inputs.skipped ? TERM_SKIPPED : TERM_DONE;
	term_inputs_release(&crawl.inputs);
	free(crawl.importance);
	free(crawl.order);
	return code;
}
