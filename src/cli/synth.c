#include "cli/command.h"
#include "term/destination.h"
#include "term/options.h"
#include "term/table.h"

#include "perennial/extractor.h"
#include "perennial/synth.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct synth_options {
	struct prn_synth_options model;
	const char *output, *warc, *truth;
	uint64_t pages, captures, fragments, regions, items;
	double interval;
};

/* Prints a line for each region; a wholly static page has one with region 0 and share 0. */
static void print_truth(FILE *out, const struct prn_synth_page *page)
{
	char share[32], rate[32];

	if (!page->region_count)
		fprintf(out, "%s\t0\t0\t0\t0\t%u\n", page->url, page->fragments);
	for (unsigned r = 0; r < page->region_count; r++) {
		const struct prn_synth_region *region = &page->regions[r];

		term_number_exact(region->share, share);
		term_number_exact(region->rate_per_day, rate);
		fprintf(out, "%s\t%u\t%s\t%s\t%u\t%u\n", page->url, r + 1, share, rate, region->items, page->fragments);
	}
}

static int write_truth(const struct prn_synth *synth, size_t pages, const char *path, struct prn_error *error)
{
	FILE *out = fopen(path, "we");
	struct prn_synth_page page;
	int bad;

	if (!out)
		return prn_error_set(error, PRN_E_IO, "%s: cannot write: %s", path, strerror(errno));
	fputs("url\tregion\tg\trate_per_day\tK\tfragments\n", out);
	for (size_t i = 0; i < pages; i++) {
		prn_synth_page(synth, i, &page);
		print_truth(out, &page);
	}
	bad = ferror(out);
	if (fclose(out) || bad)
		return prn_error_set(error, PRN_E_IO, "%s: cannot write: %s", path, strerror(errno));
	return 0;
}

static int write_to(int (*write)(const struct prn_synth *, const char *, struct prn_error *), const struct prn_synth *synth, const char *given,
                    struct prn_error *error)
{
	struct term_destination destination;
	int code = term_destination_open(&destination, given, error);

	return code ? code : term_destination_close(&destination, write(synth, destination.path, error), error);
}

static int make(const struct synth_options *given, struct prn_error *error)
{
	struct prn_synth *synth;
	int code = prn_synth_open(&synth, &given->model, error);

	if (code)
		return code;
	if (given->output)
		code = write_to(prn_synth_trace, synth, given->output, error);
	if (!code && given->warc)
		code = write_to(prn_synth_warc, synth, given->warc, error);
	if (!code && given->truth)
		code = write_truth(synth, given->model.pages, given->truth, error);
	prn_synth_free(synth);
	return code;
}

static unsigned narrow(uint64_t value)
{
	return value > UINT32_MAX ? UINT32_MAX : (unsigned)value;
}

static int synthesize(struct synth_options *given, struct prn_error *error)
{
	int code;

	if (!given->output && !given->warc)
		return term_usage_error(error, "say with -o where the trace goes, or with --warc where a WARC file goes");
	if (given->output && given->warc && !strcmp(given->output, "-") && !strcmp(given->warc, "-"))
		return term_usage_error(error, "one file goes to standard output, not two");
	if (given->interval > 1e10)
		return term_usage_error(error, "--interval must be from 1 second to 100 years");
	given->model.interval = (int64_t)given->interval;
	given->model.pages = given->pages;
	given->model.captures = given->captures;
	given->model.fragments = given->fragments;
	given->model.regions = narrow(given->regions);
	given->model.items = narrow(given->items);
	code = make(given, error);
	return code == PRN_E_ARGUMENT ? term_usage_blame(error) : code;
}

int cli_synth(int argc, char **argv, struct prn_error *error)
{
	struct synth_options given = { 0 };
	struct prn_synth_options *model = &given.model;
	const struct term_option options[] = {
		{ TERM_OPTION_OUTPUT, "output", 'o', &given.output, "FILE", "write a trace; -: on standard output" },
		{ TERM_OPTION_OUTPUT, "warc", 0, &given.warc, "FILE", "write HTML pages to a WARC file (.warc, .warc.gz); -: plain, on standard output" },
		{ TERM_OPTION_OUTPUT, "truth", 0, &given.truth, "FILE", "write the model's parameters of each page, TSV" },
		{ TERM_OPTION_COUNT, "seed", 0, &model->seed, "N", "the same seed makes the same pages (1)" },
		{ TERM_OPTION_COUNT, "pages", 0, &given.pages, "N", "so many pages (100)" },
		{ TERM_OPTION_COUNT, "captures", 0, &given.captures, "N", "so many captures of each (60)" },
		{ TERM_OPTION_DURATION, "interval", 0, &given.interval, "DURATION", "from one capture to the next (1d)" },
		{ TERM_OPTION_TIME, "start", 0, &model->start, "TIME", "of the first capture (2026-01-01)" },
		{ TERM_OPTION_HEADING, "Fix what is otherwise drawn for each page", 0, NULL, NULL, NULL },
		{ TERM_OPTION_COUNT, "fragments", 0, &given.fragments, "N", "fragments of a page (log-uniform in 100 to 2000)" },
		{ TERM_OPTION_NUMBER, "static-share", 0, &model->static_share, "S",
		  "share that never changes (1 for a quarter of pages, else uniform)" },
		{ TERM_OPTION_COUNT, "regions", 0, &given.regions, "N", "regions that change, 1 to 4 (1, or 2 for 3 in 10)" },
		{ TERM_OPTION_COUNT, "items", 0, &given.items, "K", "items of a region; 1 is churn (1 for half, else 2 to 32)" },
		{ TERM_OPTION_NUMBER, "rate", 0, &model->rate_per_day, "R",
		  "updates of a region per day (log-uniform, 1/64 to 4 a capture)" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"synth", "-o X.trace | --warc=X.warc.gz [OPTION]…",
		"Makes pages of the generative model: a static part, and regions that scroll (an update\n"
		"appends an item and evicts the oldest of K) or churn (K = 1), updated at random times.",
		options
	};
	int first, code;

	prn_synth_defaults(model);
	given.pages = model->pages;
	given.captures = model->captures;
	given.interval = (double)model->interval;
	code = term_options_parse(&usage, argc, argv, &first, error);
	if (code)
		return code;
	if (first != argc)
		return term_usage_error(error, "unexpected operand '%s': synth reads no files", argv[first]);
	return synthesize(&given, error);
}
