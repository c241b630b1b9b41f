#include "base/buffer.h"
#include "cli/command.h"
#include "cli/deciding.h"
#include "perennial/explanation.h"
#include "perennial/url.h"
#include "serve/json.h"
#include "term/say.h"

#include <stdio.h>
#include <string.h>

#define OUT_BYTES ((size_t)64 << 10)

struct printing {
	struct prn_buffer line; /* used for one page after another */
	char last[PRN_URL_BYTES + 1]; /* the last page that was printed */
};

static int print_page(void *context, const struct prn_explanation *page)
{
	struct printing *printing = context;
	size_t length;

	prn_buffer_clear(&printing->line);
	if (serve_json_explanation(&printing->line, page))
		return PRN_E_MEMORY;
	fwrite(printing->line.data, 1, printing->line.length, stdout);
	length = strnlen(page->url, PRN_URL_BYTES);
	memcpy(printing->last, page->url, length);
	printing->last[length] = 0;
	return ferror(stdout) ? PRN_E_IO : 0;
}

/* Prints the pages behind the page after, or all if it is NULL. */
static int export_pages(const struct cli_rules *rules, const char *after, struct prn_error *error)
{
	struct prn_decider *decider = NULL;
	struct printing printing = { .last = "" };
	int64_t now = cli_rules_now(rules);
	int code = prn_decider_open(&decider, rules->store_name, PRN_STORE_READ, &rules->decider, error), unwritten;

	/* A line has about a kilobyte: with the usual buffer each system call would write only four of them. */
	setvbuf(stdout, NULL, _IOFBF, OUT_BYTES);
	if (!code && after)
		code = prn_decider_each_after(decider, after, now, print_page, &printing, error);
	else if (!code)
		code = prn_decider_each(decider, now, print_page, &printing, error);
	/* The lines before a failure are printed too. */
	unwritten = term_stdout_flush(error);
	if (code && code != PRN_E_DAMAGED && !unwritten && *printing.last) {
		fputs("perennial export: broken off behind ", stderr);
		term_show(stderr, printing.last);
		fputs(", from where --after goes on\n", stderr);
	}
	/* The shards that can be read were printed. */
	if (code == PRN_E_DAMAGED && *printing.last && prn_decider_shards(decider) > 1) {
		fprintf(stderr, "perennial export: left out: %s\n", error->text);
		code = TERM_SKIPPED;
	}
	prn_buffer_release(&printing.line);
	prn_decider_free(decider);
	return unwritten ? unwritten : code;
}

int cli_export(int argc, char **argv, struct prn_error *error)
{
	const char *after = NULL;
	struct cli_rules rules;
	const struct term_option options[] = {
		CLI_RULES_STATE(&rules),
		{ TERM_OPTION_TEXT, "after", 0, &after, "URL", "go on behind this page, the last one of an export that was broken off" },
		CLI_RULES_NOW(&rules),
		CLI_RULES_CONFIG(&rules),
		{ TERM_OPTION_HEADING, "Rules, also keys of --config", 0, NULL, NULL, NULL },
		CLI_RULES_INTERVALS(&rules),
		CLI_RULES_HOSTS(&rules),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"export", "--state=DIR [OPTION]…",
		"Prints every page of the store as JSON, one a line, with what 'perennial explain' tells of it.  The\n"
		"store may be in use: each few hundred pages are printed as they are at one moment.",
		options,
	};
	int code = cli_rules_parse(&rules, &usage, argc, argv, NULL, error);

	if (!code)
		code = export_pages(&rules, after, error);
	cli_rules_release(&rules);
	return code;
}
