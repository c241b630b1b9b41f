#include "base/text_lines.h"
#include "cli/command.h"
#include "cli/deciding.h"
#include "term/say.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most leases that are ended in one commit. */
#define COMMIT_MOST 10000

struct releasing {
	struct cli_rules rules;
	struct term_list hosts, surts;
	bool all;
	struct prn_decider *decider;
	uint64_t released; /* leases that were ended */
	bool missed;       /* some operand or option named no leased page */
};

static void miss(struct releasing *releasing, const char *what, const char *why)
{
	releasing->missed = true;
	term_say("perennial release: skipped: %s: %s\n", what, why);
}

static int release_url(struct releasing *releasing, const char *url, struct prn_error *error)
{
	struct prn_decider *decider = releasing->decider;
	size_t most = prn_store_is_shared(prn_decider_store(decider)) ? 1 : COMMIT_MOST;
	bool released = false;
	unsigned tries = 0;
	int code;

	do {
		code = prn_decider_release(decider, url, cli_rules_now(&releasing->rules), &released, error);
		if (!code && prn_decider_staged(decider) >= most)
			code = prn_decider_commit(decider, error);
	} while (prn_decider_again(decider, code, &tries));
	/* These codes mean that no page can have that name; a damaged store returns another. */
	if (code == PRN_E_INPUT || code == PRN_E_LIMIT) {
		releasing->missed = true;
		term_say("perennial release: skipped: %s\n", error->text);
		*error = (struct prn_error){ 0 };
		return 0;
	}
	if (code)
		return code;
	releasing->released += released;
	if (!released)
		miss(releasing, url, "not on lease");
	return 0;
}

/* Releases the URLs of standard input, one a line, as 'perennial due' prints them. */
static int release_lines(struct releasing *releasing, struct prn_error *error)
{
	struct prn_text_lines lines = { .file = stdin, .name = "standard input" };
	struct prn_error why;
	int code = 0, got;

	while (!code && (got = prn_text_lines_next(&lines)) > 0) {
		if (prn_text_lines_wrong(&lines, got, &why)) {
			releasing->missed = true;
			term_say("perennial release: skipped: %s\n", why.text);
		} else if (lines.line[strspn(lines.line, " \t")]) {
			code = release_url(releasing, lines.line, error);
		}
	}
	if (!code)
		code = prn_text_lines_wrong(&lines, got, error);
	prn_buffer_release(&lines.text);
	return code;
}

static int release_by(struct releasing *releasing, enum prn_release by, char *const *what, size_t count,
                      struct prn_error *error)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t pages = 0;
		int code = prn_decider_release_all(releasing->decider, by, what[i], cli_rules_now(&releasing->rules),
		                                   &pages, error);

		if (code && code != PRN_E_ARGUMENT)
			return code;
		releasing->released += pages;
		if (!pages)
			miss(releasing, what[i], code ? "it names every page: use --all" : "no page of it is on lease");
		*error = (struct prn_error){ 0 };
	}
	return 0;
}

static int release_all(struct releasing *releasing, char **urls, size_t count, struct prn_error *error)
{
	static char everything[] = "all", *const all[] = { everything };
	const struct term_list *hosts = &releasing->hosts, *surts = &releasing->surts;
	int code;

	if (count)
		cli_await_input(&releasing->rules, urls, count);
	code = cli_decider_open(&releasing->rules, PRN_STORE_WRITE, &releasing->decider, error);

	for (size_t i = 0; i < count && !code; i++)
		code = strcmp(urls[i], "-") ? release_url(releasing, urls[i], error) : release_lines(releasing, error);
	if (!code)
		code = prn_decider_commit(releasing->decider, error);
	if (!code)
		code = release_by(releasing, PRN_RELEASE_HOST, hosts->items, hosts->count, error);
	if (!code)
		code = release_by(releasing, PRN_RELEASE_SURT, surts->items, surts->count, error);
	if (!code)
		code = release_by(releasing, PRN_RELEASE_ALL, all, releasing->all, error);
	if (!code || releasing->released)
		fprintf(stderr, "perennial release: %" PRIu64 " page%s released\n", releasing->released,
		        releasing->released == 1 ? "" : "s");
	prn_decider_free(releasing->decider);
	return code ? code : releasing->missed ? TERM_SKIPPED : TERM_DONE;
}

int cli_release(int argc, char **argv, struct prn_error *error)
{
	struct releasing releasing = { .all = false };
	const struct term_option options[] = {
		CLI_RULES_STATE(&releasing.rules),
		{ TERM_OPTION_FLAG, "all", 0, &releasing.all, NULL, "every page that is on lease" },
		{ TERM_OPTION_LIST, "host", 0, &releasing.hosts, "HOSTS", "those of these hosts, not of their subdomains" },
		{ TERM_OPTION_TEXTS, "surt", 0, &releasing.surts, "PREFIX", "those under this SURT prefix; repeat for more" },
		CLI_RULES_NOW(&releasing.rules),
		CLI_RULES_LOCK(&releasing.rules),
		CLI_RULES_CONFIG(&releasing.rules),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"release", "--state=DIR [OPTION]… [URL|-]…",
		"Ends leases of pages that were handed out and will not be fetched: they are due as they were, and no\n"
		"error is counted.  '-' reads URLs from standard input, one a line.",
		options,
	};
	int first, code = cli_rules_parse(&releasing.rules, &usage, argc, argv, &first, error);

	if (!code && first == argc && !releasing.all && !releasing.hosts.count && !releasing.surts.count)
		code = term_usage_error(error, "name what to release: URLs, '-', --host, --surt or --all");
	if (!code)
		code = release_all(&releasing, argv + first, (size_t)(argc - first), error);
	term_list_release(&releasing.hosts);
	term_list_release(&releasing.surts);
	cli_rules_release(&releasing.rules);
	return code;
}
