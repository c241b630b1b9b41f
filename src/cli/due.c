#include "base/buffer.h"
#include "base/monotonic.h"
#include "base/visible.h"
#include "cli/command.h"
#include "cli/deciding.h"
#include "term/table.h"
#include "perennial/due.h"
#include "perennial/time.h"
#include "serve/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LIMIT 1000
#define LOOK_AGAIN_S 5.0 /* between two looks while it waits */

struct due_options {
	struct cli_rules rules;
	const char *format_name; /* NULL: bare URLs */
	enum term_format format;
	uint64_t limit;
	double wait_s;
};

static char *format_time(int64_t time, char text[PRN_TIME_TEXT])
{
	if (time != PRN_TIME_UNKNOWN)
		return prn_time_format(time, text);
	text[0] = '-', text[1] = 0;
	return text;
}

#define COLUMNS                                                                                                    \
	{ "url", TERM_COLUMN_URL, 0 }, { "weight", TERM_COLUMN_NUMBER, 2 }, { "value", TERM_COLUMN_NUMBER, 4 },    \
		{ "due_time", TERM_COLUMN_TEXT, 0 }, { "lease_until", TERM_COLUMN_TEXT, 0 },                        \
		{ "reason", TERM_COLUMN_TEXT, 0 }

static int print_table(const struct prn_due_list *list, enum term_format format, struct prn_error *error)
{
	static const struct term_column shown[] = { COLUMNS, { NULL, TERM_COLUMN_TEXT, 0 } };
	static const struct term_column all[] = { COLUMNS,
		                                  { "if_none_match", TERM_COLUMN_TEXT, 0 },
		                                  { "if_modified_since", TERM_COLUMN_TEXT, 0 },
		                                  { NULL, TERM_COLUMN_TEXT, 0 } };
	/* Programs get the headers of a conditional request too, "-" for none; a person has no use for them. */
	bool conditions = format == TERM_FORMAT_TSV || format == TERM_FORMAT_CSV;
	struct term_table *table = term_table_open(format, conditions ? all : shown);
	char text[PRN_TIME_TEXT];

	for (size_t i = 0; i < list->count; i++) {
		const struct prn_due *due = &list->items[i];
		const struct prn_validators *validators = &due->validators;

		term_table_text(table, due->url);
		term_table_number(table, due->weight);
		term_table_number(table, due->value);
		term_table_text(table, format_time(due->due, text));
		term_table_text(table, format_time(due->lease, text));
		term_table_text(table, prn_next_name(due->reason));
		if (!conditions)
			continue;
		term_table_text(table, validators->etag[0] ? validators->etag : "-");
		term_table_text(table, validators->modified == PRN_TIME_UNKNOWN ? "-" : prn_time_format_http(validators->modified, text));
	}
	return term_table_close(table, NULL, error);
}

static int print_list(const struct due_options *options, const struct prn_due_list *list, struct prn_error *error)
{
	struct prn_buffer lines = { 0 };
	int code = 0;

	if (options->format_name && options->format != TERM_FORMAT_JSON)
		return print_table(list, options->format, error);
	if (options->format_name) {
		code = serve_json_due_list(&lines, list, options->limit);
		if (!code)
			fwrite(lines.data, 1, lines.length, stdout);
		prn_buffer_release(&lines);
	}
	for (size_t i = 0; i < list->count && !options->format_name && !code; i++) {
		char *url = prn_visible_url_dup(list->items[i].url);

		code = url ? 0 : PRN_E_MEMORY;
		if (url)
			puts(url);
		free(url);
	}
	return code ? code : term_stdout_flush(error);
}

/* Says what is next, after a list that is shorter than it might be. */
static void print_next(const struct prn_due_list *list, int64_t now)
{
	char time[PRN_TIME_TEXT], wait[PRN_TIME_TEXT];

	fprintf(stderr, "perennial due: %zu URL%s; ", list->count, list->count == 1 ? "" : "s");
	if (list->over_budget)
		fprintf(stderr, "the budget has room again ");
	if (list->next == PRN_TIME_UNKNOWN)
		fprintf(stderr, list->damaged_shards ? "of those that can be read, no other is to become due\n" : "no other is to become due\n");
	else
		fprintf(stderr, "%s %s, in %s%s\n", list->over_budget ? "at" : "the next at", prn_time_format(list->next, time),
		        cli_format_wait(list->next - now, wait), list->over_budget ? "" : ", or when one comes back");
}

/* Asks what is due.  The store is closed again, so that others may write while this command waits. */
static int ask(const struct due_options *options, const struct prn_due_request *request, struct prn_due_list *list,
               struct prn_error *error)
{
	struct prn_decider *decider = NULL;
	/* Leases are written; a mere look writes nothing. */
	int code = cli_decider_open(&options->rules, request->lease_s > 0 ? PRN_STORE_WRITE : PRN_STORE_READ, &decider,
	                            error);

	if (!code)
		code = prn_decider_due(decider, request, list, error);
	prn_decider_free(decider);
	return code;
}

/*
 * Waits until something is due, or wait_s have passed.  A page that comes back may make another due before the time that the
 * store foresees, so it looks again from time to time.
 */
static int wait_for_due(const struct due_options *options, struct prn_due_request *request, struct prn_due_list *list,
                        struct prn_error *error)
{
	double end = prn_monotonic() + options->wait_s, left;
	int code;

	while (!(code = ask(options, request, list, error)) && !list->count && (left = end - prn_monotonic()) > 0) {
		double until = list->next == PRN_TIME_UNKNOWN ? LOOK_AGAIN_S : (double)(list->next - request->now);
		double pause = fmin(fmin(fmax(until, 1), LOOK_AGAIN_S), left);
		struct timespec rest = { (time_t)pause, (long)((pause - floor(pause)) * 1e9) };

		nanosleep(&rest, NULL);
		request->now = cli_rules_now(&options->rules);
	}
	return code;
}

static int print_due(const struct due_options *options, struct prn_error *error)
{
	struct prn_due_request request = { .now = cli_rules_now(&options->rules),
		                           .limit = options->limit,
		                           .lease_s = options->rules.lease_s };
	struct prn_due_list list;
	char text[PRN_TIME_TEXT];
	int code, passed = TERM_DONE;

	prn_due_list_init(&list);
	code = wait_for_due(options, &request, &list, error);
	if (!code && (code = print_list(options, &list, error)) == PRN_E_IO)
		prn_error_set(error, code, "cannot write to standard output; leases run out in %s",
		              prn_duration_format(request.lease_s, text));
	if (!code && list.unreadable)
		fprintf(stderr, "perennial due: passed over %" PRIu64 " page%s that cannot be read, the first: %s\n", list.unreadable,
		        list.unreadable == 1 ? "" : "s", list.first_unreadable.text);
	if (!code)
		passed = cli_print_damaged("due", "given", list.damaged_shards, &list.first_damaged);
	if (!code && list.count < options->limit)
		print_next(&list, request.now);
	prn_due_list_release(&list);
	return code ? code : passed;
}

int cli_due(int argc, char **argv, struct prn_error *error)
{
	struct due_options due = { .limit = LIMIT };
	const struct term_option options[] = {
		CLI_RULES_STATE(&due.rules),
		{ TERM_OPTION_COUNT, "limit", 'n', &due.limit, "N", "URLs at most (default 1000)" },
		{ TERM_OPTION_DURATION, "wait", 0, &due.wait_s, "DURATION", "for something to be due (default 0s)" },
		{ TERM_OPTION_TEXT, "format", 0, &due.format_name, TERM_FORMATS, "default: one URL a line, nothing else" },
		CLI_RULES_NOW(&due.rules),
		CLI_RULES_LOCK(&due.rules),
		CLI_RULES_CONFIG(&due.rules),
		{ TERM_OPTION_HEADING, "Rules, also keys of --config", 0, NULL, NULL, NULL },
		CLI_RULES_HANDING(&due.rules),
		CLI_RULES_HOSTS(&due.rules),
		CLI_RULES_RETRY(&due.rules),
		CLI_RULES_INTERVALS(&due.rules),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"due", "--state=DIR [OPTION]…",
		"Prints the URLs to fetch now, those first whose fetch is worth most, and leases them: they are not\n"
		"given again until 'perennial observe' has seen them, or the lease has run out, which counts as an\n"
		"error of the page.",
		options,
	};
	int code = cli_rules_parse(&due.rules, &usage, argc, argv, NULL, error);

	if (!code)
		code = term_format_parse(due.format_name, &due.format, error);
	if (!code)
		code = print_due(&due, error);
	cli_rules_release(&due.rules);
	return code;
}
