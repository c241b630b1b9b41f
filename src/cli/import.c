#include "cli/command.h"
#include "term/filtering.h"
#include "term/destination.h"
#include "term/importing.h"
#include "term/options.h"
#include "term/part.h"

#include "perennial/extractor.h"

#include <stdio.h>

struct import_options {
	const char *output, *weights;
	size_t max_body;
	uint64_t shingle, threads;
	struct term_filter filter;
	struct prn_part part;
	enum prn_digests digests;
	bool links;
};

static int check(const struct import_options *given, int sources, struct prn_error *error)
{
	if (!given->output)
		return term_usage_error(error, "say with -o where the trace goes");
	if (!sources)
		return term_usage_error(error, "name the WARC files or folders to import");
	if (!given->shingle || given->shingle > PRN_SHINGLE_WORDS_MAX)
		return term_usage_error(error, "--shingle takes 1 to %d words", PRN_SHINGLE_WORDS_MAX);
	if (!given->max_body || given->max_body > PRN_IMPORT_BODY_MAX)
		return term_usage_error(error, "--max-body takes 1 to 1G bytes");
	if (given->threads > 1024)
		return term_usage_error(error, "--threads takes at most 1024");
	return term_filter_check(&given->filter, error);
}

static int import(const struct import_options *given, char **sources, size_t count, struct prn_error *error)
{
	struct prn_import_options options = { .shingle_words = (unsigned)given->shingle, .body_bytes_max = given->max_body,
		                              .weights = given->weights, .links = given->links, .threads = (size_t)given->threads,
		                              .part = given->part, .filter = term_filter_make(&given->filter),
		                              .digests = given->digests, .git_base = given->filter.git_base };
	struct term_import_outcome outcome;
	struct term_destination destination;
	int code = term_destination_open(&destination, given->output, error);

	if (code)
		return code;
	code = term_import_sources("import", &options, sources, count, destination.path, &outcome, error);
	code = term_destination_close(&destination, code, error);
	if (code)
		return code;
	term_import_say_made("import", &outcome);
	if (given->weights && !outcome.counts.weighted && !outcome.counts.unweighted)
		fprintf(stderr, "perennial import: %s: it has no weights\n", given->weights);
	term_import_say_digests("import", &outcome);
	term_import_say_passed("import", &outcome);
	term_import_say_skipped("import", &outcome);
	return outcome.skipped || outcome.empty ? TERM_SKIPPED : TERM_DONE;
}

int cli_import(int argc, char **argv, struct prn_error *error)
{
	struct import_options given = { .max_body = PRN_BODY_BYTES, .shingle = PRN_SHINGLE_WORDS,
		                               .filter = TERM_FILTER_NONE };
	struct term_own part = TERM_PART(&given.part), digests = TERM_DIGESTS(&given.digests);
	const struct term_option options[] = {
		{ TERM_OPTION_OUTPUT, "output", 'o', &given.output, "FILE", "write the trace here; -: on standard output" },
		{ TERM_OPTION_COUNT, "shingle", 0, &given.shingle, "K", "a fragment is K words in a row (5)" },
		{ TERM_OPTION_BYTES, "max-body", 0, &given.max_body, "BYTES", "cut longer bodies there (16M)" },
		{ TERM_OPTION_TEXT, "weights", 0, &given.weights, "FILE", "page weights, lines of URL and number (all 1)" },
		{ TERM_OPTION_FLAG, "links", 0, &given.links, NULL, "keep where pages lead, for 'perennial weigh'" },
		{ TERM_OPTION_COUNT, "threads", 0, &given.threads, "N", "work on N threads (all processors)" },
		TERM_DIGESTS_ROW(&digests),
		TERM_GIT_BASE_ROW(&given.filter),
		TERM_FILTER_ROWS(&given.filter),
		{ TERM_OPTION_OWN, "part", 0, &part, "I/N", "of part I of N of all hosts, for one of N machines" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"import", "-o X.trace [OPTION]… SRC…",
		"Makes one trace of WARC, ARC and WACZ files, saved pages (MHTML, SingleFile), folders of them, JSON lines,\n"
		"folders of dated snapshots, manifests, git repositories (git:REPOSITORY:PATTERN) or other traces: per page when it\n"
		"was captured, and which fragments it had then.  The same sources in any order give the same bytes.  $TMPDIR takes what does not fit in memory.",
		options
	};
	int first, code = term_options_parse(&usage, argc, argv, &first, error);

	if (!code)
		code = check(&given, argc - first, error);
	if (!code)
		code = import(&given, argv + first, (size_t)(argc - first), error);
	term_filter_release(&given.filter);
	return code;
}
