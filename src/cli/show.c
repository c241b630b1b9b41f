#include "cli/command.h"
#include "cli/plugins.h"
#include "cli/rules.h"
#include "cli/shown.h"
#include "perennial/time.h"
#include "perennial/url.h"
#include "show/show.h"
#include "show/terminal.h"
#include "term/destination.h"
#include "term/filtering.h"
#include "term/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXTS_MAX 100000
#define POLICIES 16 /* the most that are shown side by side */
#define NOT_GIVEN UINT64_MAX
#define COST 0.2    /* unless told otherwise */

struct request {
	struct show show;
	struct term_list specifications;
	struct prn_policy *policies[POLICIES]; /* of these */
	const char *output, *format;
	bool tells; /* results of policies are asked for */
	double cost, threshold; /* NAN: not given */
	int64_t at;             /* PRN_TIME_UNKNOWN: not given */
	uint64_t texts;         /* NOT_GIVEN: not given */
	bool colour;
	const char *store_name; /* the store whose page is shown */
	struct cli_keeping keeping;
	struct term_filter filter;
	struct term_list plugins;
	int argc;
	char **argv;
};

/* Writes a page, or prints rows in a pipe or if they are asked for, or colours on a terminal. */
static int print(const struct request *request, const struct show_replay *replays, size_t count, struct prn_error *error)
{
	struct term_destination destination;
	enum term_format format;
	int code;

	if (request->output) {
		code = term_destination_open(&destination, request->output, error);
		if (code)
			return code;
		code = show_write(&request->show, replays, count, destination.path, request->argc, request->argv, error);
		return term_destination_close(&destination, code, error);
	}
	code = term_format_parse(request->format, &format, error);
	if (code)
		return code;
	if (request->format || (!request->colour && !isatty(STDOUT_FILENO))) {
		code = show_rows(stdout, &request->show, format, error);
		if (request->tells)
			show_print_replays(stderr, replays, count);
	} else if (show_terminal(stdout, &request->show, replays, count)) {
		code = prn_error_memory(error);
	}
	return code ? code : term_stdout_flush(error);
}

static int show_page(struct request *request, struct prn_error *error)
{
	size_t count = request->specifications.count;
	struct show_replay replays[POLICIES] = { 0 };
	int code = show_find(&request->show, error);

	if (!code)
		code = show_read_texts(&request->show, error);
	for (size_t i = 0; i < count && !code; i++) {
		code = show_replay(&request->show, request->policies[i], isnan(request->threshold) ? 0 : request->threshold,
		                   isnan(request->cost) ? COST : request->cost, &replays[i], error);
		replays[i].policy = request->specifications.items[i];
	}
	if (!code)
		code = print(request, replays, count, error);
	for (size_t i = 0; i < count; i++)
		show_replay_release(&replays[i]);
	return code ? code : request->show.skipped ? TERM_SKIPPED : TERM_DONE;
}

static int open_policies(struct request *request, struct prn_error *error)
{
	struct term_list *list = &request->specifications;
	int code = 0;

	request->tells = list->count || !isnan(request->threshold) || !isnan(request->cost);
	if (!list->count && term_list_add(list, PRN_POLICY_DEFAULT))
		return prn_error_memory(error);
	if (list->count > POLICIES)
		return term_usage_error(error, "--policy takes at most %d, side by side", POLICIES);
	for (size_t i = 0; i < list->count && !code; i++)
		code = prn_policy_open(&request->policies[i], list->items[i], NULL, error);
	return code ? term_usage_blame(error) : 0;
}

/* Options that need captures do not go with a store. */
static int check_stored(const struct request *request, struct prn_error *error)
{
	if (request->specifications.count || !isnan(request->cost) || !isnan(request->threshold) || request->at != PRN_TIME_UNKNOWN ||
	    request->texts != NOT_GIVEN)
		return term_usage_error(error, "--at, --policy, --cost, --threshold and --texts are of captures: a store has a page's last two bodies");
	if (term_filter_is_given(&request->filter) || request->filter.git_base)
		return term_usage_error(error, "--from, --to and --git-base are of captures: a store has a page's last two bodies");
	return 0;
}

/* Checks all that can be checked before a file is opened. */
static int check(struct request *request, const char *url, char normal[PRN_URL_BYTES + 1], struct prn_error *error)
{
	enum term_format format;
	int code;

	if (prn_url_normalize(url, SIZE_MAX, normal, PRN_URL_BYTES + 1))
		return term_usage_error(error, "'%s' is not a URL that a page can have", url);
	if (request->keeping.folder)
		return term_usage_error(error, "--keep-in goes with --state: it is where a store's bodies are kept");
	if (!request->texts || request->texts > TEXTS_MAX)
		return term_usage_error(error, "--texts takes 1 to %d", TEXTS_MAX);
	if (request->threshold <= 0 || request->cost <= 0 || request->cost > 1)
		return term_usage_error(error, "--cost takes a number above 0 and at most 1, --threshold one above 0");
	if (!isnan(request->threshold) && !isnan(request->cost))
		return term_usage_error(error, "--cost chooses the threshold: give one of them");
	if (request->output && (request->format || request->colour))
		return term_usage_error(error, "a page (-o) has neither --format nor --color");
	code = term_format_parse(request->format, &format, error);
	if (!code)
		code = term_filter_check(&request->filter, error);
	return code ? code : open_policies(request, error);
}

static int show_stored(const struct request *request, const char *url, struct prn_error *error)
{
	const struct cli_shown shown = { request->store_name, &request->keeping, request->output, request->format, request->colour };
	char normal[PRN_URL_BYTES + 1];

	int code = check_stored(request, error);

	if (code)
		return code;
	if (prn_url_normalize(url, SIZE_MAX, normal, sizeof normal))
		return term_usage_error(error, "'%s' is not a URL that a page can have", url);
	if (request->output && (request->format || request->colour))
		return term_usage_error(error, "a page (-o) has neither --format nor --color");
	return cli_show_stored(&shown, normal, error);
}

/* sources: [count] > 0 */
static int show_captures(struct request *request, const char *url, char **sources, size_t count, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	int code = cli_plugins_load(&request->plugins, error);

	if (request->texts == NOT_GIVEN)
		request->texts = SHOW_TEXTS;
	if (!code)
		code = check(request, url, normal, error);
	if (code)
		return code;
	request->show.url = normal;
	request->show.sources = sources;
	request->show.source_count = count;
	request->show.filter.has_from = request->filter.from != PRN_TIME_UNKNOWN;
	request->show.filter.from = request->filter.from;
	request->show.filter.has_to = request->filter.to != PRN_TIME_UNKNOWN;
	request->show.filter.to = request->filter.to;
	request->show.git_base = request->filter.git_base;
	request->show.texts = (size_t)request->texts;
	request->show.has_time = request->at != PRN_TIME_UNKNOWN;
	request->show.time = request->at;
	return show_page(request, error);
}

static const char about[] =
	"Shows the text of a page as of one of its captures, and which of it lasts: static, scroll or churn, since when, and how\n"
	"long such content lives; and what policies would have caught and missed.  SRC are WARC files, JSON lines, or folders of\n"
	"snapshots: what 'perennial import' reads, but for traces, which keep no text.  In colour on a terminal, a row a passage in\n"
	"a pipe; with -o, a page with all captures to look through.\n"
	"With --state in place of SRC: a page of a store, by its last two bodies, where they are kept (observe, serve\n"
	"--keep-bodies): what stays, what is new, what is gone.";

static int parse(struct request *request, int *first, struct prn_error *error)
{
	const struct term_option options[] = {
		{ TERM_OPTION_OUTPUT, "output", 'o', &request->output, "FILE", "a self-contained page, in place of text; -: on standard output" },
		{ TERM_OPTION_TEXT, "state", 0, &request->store_name, "DIR", "the store, in place of captures: a page's last two bodies" },
		CLI_KEEPING_PLACE(&request->keeping),
		{ TERM_OPTION_TIME, "at", 0, &request->at, "TIME", "the last capture by then (default: the last of all)" },
		{ TERM_OPTION_LIST, "policy", 'p', &request->specifications, "A,B:key=v,…",
		  "whose visits are told, side by side; those of the first are drawn (default: " PRN_POLICY_DEFAULT ")" },
		CLI_PLUGINS_ROW(&request->plugins),
		{ TERM_OPTION_NUMBER, "cost", 0, &request->cost, "N",
		  "its threshold is the one with so many visits for each capture (default .2)" },
		{ TERM_OPTION_NUMBER, "threshold", 0, &request->threshold, "T",
		  "or this one, divergence x mean capture intervals; of uniform its period, in those" },
		{ TERM_OPTION_COUNT, "texts", 0, &request->texts, "N", "of more versions than that, so many texts, evenly (default 100)" },
		{ TERM_OPTION_FLAG, "color", 0, &request->colour, NULL, "the text in colours though this is no terminal" },
		{ TERM_OPTION_TEXT, "format", 0, &request->format, TERM_FORMATS, "a row a passage; default in a pipe: tsv" },
		TERM_GIT_BASE_ROW(&request->filter),
		TERM_FILTER_TIME_ROWS(&request->filter),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = { "show", "[OPTION]… URL SRC… | URL --state=DIR", about, options };

	return term_options_parse(&usage, request->argc, request->argv, first, error);
}

/* The store is the usual one where a page is named alone. */
static int show_operands(struct request *request, char **operands, int count, struct prn_error *error)
{
	if (count == 1 && !request->store_name)
		request->store_name = cli_usual_store();
	if (request->store_name && count > 1)
		return term_usage_error(error, "--state is in place of files: name a page alone");
	if (!count)
		return term_usage_error(error, "name a page and the WARC files or folders that have its captures, or --state=DIR");
	if (!request->store_name && count < 2)
		return term_usage_error(error, "name the WARC files or folders that have its captures, or --state=DIR");
	return request->store_name ? show_stored(request, operands[0], error)
	                           : show_captures(request, operands[0], operands + 1, (size_t)count - 1, error);
}

int cli_show(int argc, char **argv, struct prn_error *error)
{
	struct request request = { .cost = NAN, .threshold = NAN, .at = PRN_TIME_UNKNOWN, .texts = NOT_GIVEN, .filter = TERM_FILTER_NONE,
		                   .argc = argc, .argv = argv };
	int first, code;

	cli_keeping_init(&request.keeping);
	show_init(&request.show);
	code = parse(&request, &first, error);
	if (!code)
		code = show_operands(&request, argv + first, argc - first, error);
	show_release(&request.show);
	for (size_t i = 0; i < POLICIES; i++)
		prn_policy_free(request.policies[i]);
	term_list_release(&request.specifications);
	term_filter_release(&request.filter);
	term_list_release(&request.plugins);
	return code;
}
