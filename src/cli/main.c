#include "cli/command.h"
#include "cli/completions.h"
#include "term/nearest.h"
#include "term/say.h"
#include "perennial/extractor.h"
#include "perennial/version.h"

#include <fcntl.h>
#include <stdbool.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * The commands in the order in which people need them: make a corpus, look at it, judge policies on it, calculate, run a
 * store, maintain it.
 */
static const struct cli_command commands[] = {
	{ "synth", "pages of the generative model, as a trace or a WARC file", cli_synth },
	{ "import", "WARC files or folders into a trace", cli_import },
	{ "dump", "a trace as JSON lines", cli_dump },
	{ "measure", "how long content lives: static, churn and scroll, lifetimes, change", cli_measure },
	{ "evaluate", "staleness against cost of chosen policies over page histories", cli_evaluate },
	{ "merge", "partial results of evaluate or measure, from many machines, into one", cli_merge },
	{ "show", "a page's text as of a capture: what of it lasts, what a policy would have caught", cli_show },
	{ "weigh", "weights of pages: backlinks, PageRank, location, HITS", cli_weigh },
	{ "report", "one page with figures: how long content lives, what policies cost and miss", cli_report },
	{ "prior", "the prior of drift, learned from page histories", cli_prior },
	{ "policies", "every policy, its dial, keys and source", cli_policies },
	{ "estimate", "visits → how often pages change, by eleven published estimators", cli_estimate },
	{ "allocate", "rates → the refresh frequencies that a budget buys", cli_allocate },
	{ "simulate", "estimators and policies against pages whose changes are known", cli_simulate },
	{ "init", "a new store: what a policy decides about, beside a fetcher", cli_init },
	{ "add", "pages into a store, with weights", cli_add },
	{ "due", "the pages to fetch now, most valuable first", cli_due },
	{ "observe", "what was fetched into a store; when to fetch it again", cli_observe },
	{ "hint", "what others say of pages: sitemaps, feeds, pings", cli_hint },
	{ "release", "leases given back: pages that will not be fetched", cli_release },
	{ "explain", "why a page is visited when it is", cli_explain },
	{ "tune", "the threshold that meets a budget; another budget", cli_tune },
	{ "set", "another policy, prior or length of fragments for a store in use", cli_set },
	{ "stats", "what became of the budget, and which hosts are held back", cli_stats },
	{ "serve", "the same over HTTP, for fetchers in any language", cli_serve },
	{ "forget", "pages out of a store", cli_forget },
	{ "export", "all pages of a store as JSON lines", cli_export },
	{ "check", "a store read through, and its queues mended", cli_check },
	{ "backup", "a copy of a store, also while it is in use", cli_backup },
	{ "reshard", "a store in another number of shards, with other giants, elsewhere", cli_reshard },
	{ NULL, NULL, NULL },
};

static void print_help(FILE *out)
{
	fputs("Usage: perennial COMMAND [OPTION]…\n\n"
	      "Decides when a web page is worth fetching again, by how long its content lives.\n\n",
	      out);
	for (const struct cli_command *command = commands; command->name; command++)
		fprintf(out, "  %-10s %s\n", command->name, command->summary);
	fputs("\n'perennial help COMMAND' tells more, 'man perennial-COMMAND' all; 'perennial --version' tells the version.\n"
	      "'perennial completions bash', zsh or fish prints what that shell completes these by.\n", out);
}

/*
 * A store or a trace must not be opened on the number of a standard stream, or messages would be written into it.  Output
 * that nobody can read is a failure, not a success.
 */
static int check_streams(struct prn_error *error)
{
	bool output = fcntl(STDOUT_FILENO, F_GETFD) >= 0;

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY) < 0)
			return prn_error_set(error, PRN_E_IO, "/dev/null cannot be opened");
	return output ? 0 : prn_error_set(error, PRN_E_IO, "standard output is closed");
}

/* Runs the command that argv[0] names. */
static int run_command(char **argv, int argc, struct prn_error *error)
{
	struct term_nearest nearest;

	term_nearest_init(&nearest, argv[0]);
	for (const struct cli_command *command = commands; command->name; command++) {
		if (!strcmp(argv[0], command->name))
			return term_exit(command->name, command->run(argc, argv, error), error);
		term_nearest_offer(&nearest, command->name);
	}
	if (!strcmp(argv[0], "completions"))
		return term_exit(argv[0], cli_completions(commands, argc, argv, error), error);
	if (nearest.best)
		term_say("perennial: no command '%s': did you mean '%s'?\n", argv[0], nearest.best);
	else
		term_say("perennial: no command '%s'; 'perennial --help' lists them\n", argv[0]);
	return TERM_USAGE;
}

int main(int argc, char **argv)
{
	struct prn_error error = { 0 };
	int code = check_streams(&error);

	/* A file that may not grow is a failed write, as on a full disk, and not the end of the process. */
	signal(SIGXFSZ, SIG_IGN);
	if (!code)
		code = prn_extractor_guard_memory();
	if (code)
		return term_exit(argc > 1 ? argv[1] : "", code, &error);
	if (argc < 2) {
		print_help(stderr);
		return TERM_USAGE;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("perennial %s\n", prn_version());
		return term_exit(argv[1], TERM_HELPED, &error);
	}
	if (!strcmp(argv[1], "help") && argc > 2 && strcmp(argv[2], "--help") && strcmp(argv[2], "-h"))
		return run_command((char *[]){ argv[2], (char *)"--help", NULL }, 2, &error);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		print_help(stdout);
		return term_exit(argv[1], TERM_HELPED, &error);
	}
	return run_command(argv + 1, argc - 1, &error);
}
