#include "cli/shown.h"

#include "perennial/decider.h"
#include "perennial/explanation.h"
#include "show/difference.h"
#include "show/show.h"
#include "term/destination.h"
#include "term/exit.h"
#include "term/say.h"
#include "term/table.h"

#include <stdlib.h>
#include <unistd.h>

static int print_page(FILE *out, const void *difference)
{
	return text_difference_page(out, difference, NULL);
}

/* Writes a page, or prints rows in a pipe or if they are asked for, or colours on a terminal. */
static int print(const struct cli_shown *shown, const struct text_difference *difference, struct prn_error *error)
{
	struct term_destination destination;
	enum term_format format;
	int code;

	if (shown->output) {
		code = term_destination_open(&destination, shown->output, error);
		return code ? code : term_destination_close(&destination, show_write_page(destination.path, print_page, difference, error), error);
	}
	code = term_format_parse(shown->format, &format, error);
	if (code)
		return code;
	if (shown->format || (!shown->colour && !isatty(STDOUT_FILENO)))
		code = show_difference_rows(stdout, difference, format, error);
	else if (show_difference_terminal(stdout, difference))
		code = prn_error_memory(error);
	return code ? code : term_stdout_flush(error);
}

/* Reports that no body of a page is kept, or that there is no such page. */
static int say_no_body(const struct cli_shown *shown, const char *url, struct prn_error *error)
{
	struct prn_explanation explanation;
	struct prn_decider_options options;
	struct prn_decider *decider = NULL;
	int code;

	prn_explanation_init(&explanation);
	prn_decider_options_init(&options);
	code = prn_decider_open(&decider, shown->store_name, PRN_STORE_READ, &options, error);
	if (!code)
		code = prn_decider_explain(decider, url, 0, &explanation, error);
	prn_decider_free(decider);
	prn_explanation_release(&explanation);
	return code ? code : prn_error_set(error, PRN_E_NOT_FOUND, "%s: no body of it is kept", url);
}

static int read_bodies(const struct cli_shown *shown, const char *url, struct keep_pair *pair, struct prn_error *error)
{
	struct keep *keep;
	int code = cli_keeping_look(shown->keeping, shown->store_name, &keep, error);

	if (!code && !keep)
		return prn_error_set(error, PRN_E_NOT_FOUND, "%.300s: no bodies are kept beside it: 'observe' and 'serve' do with --keep-bodies",
		                     shown->store_name);
	if (!code)
		code = keep_get(keep, url, pair, error);
	keep_free(keep);
	if (code)
		return code;
	if (pair->unread)
		term_say("perennial show: %s\n", pair->why.text);
	return pair->count ? 0 : say_no_body(shown, url, error);
}

/* The store knows how many words its fragments have. */
static int find_words(const struct cli_shown *shown, unsigned *words, struct prn_error *error)
{
	struct prn_decider_options options;
	struct prn_decider *decider;
	int code;

	prn_decider_options_init(&options);
	code = prn_decider_open(&decider, shown->store_name, PRN_STORE_READ, &options, error);
	if (code)
		return code;
	*words = prn_decider_shingle_words(decider);
	prn_decider_free(decider);
	return 0;
}

int cli_show_stored(const struct cli_shown *shown, const char *normal_url, struct prn_error *error)
{
	struct keep_pair *pair = malloc(sizeof *pair);
	struct text_difference difference;
	unsigned words;
	int code;

	if (!pair)
		return prn_error_memory(error);
	keep_pair_init(pair);
	text_difference_init(&difference);
	code = find_words(shown, &words, error);
	if (!code)
		code = read_bodies(shown, normal_url, pair, error);
	if (!code)
		code = text_difference_compare(&difference, pair, words, error);
	if (!code)
		code = print(shown, &difference, error);
	if (!code)
		code = pair->unread ? TERM_SKIPPED : TERM_DONE;
	text_difference_release(&difference);
	keep_pair_release(pair);
	free(pair);
	return code;
}
