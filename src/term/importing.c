#include "term/importing.h"

#include "term/progress.h"
#include "term/skipping.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

struct screen {
	struct term_progress progress;
	struct term_skipping skipping;
	uint64_t total_bytes; /* of the sources; 0: not known */
};

static int show_progress(void *context, const struct prn_import_counts *counts)
{
	struct screen *screen = context;
	unsigned long long captures = counts->sources.captures, pages = counts->pages;

	if (pages)
		term_progress_show(&screen->progress, "%llu captures read, %llu pages made", captures, pages);
	else if (screen->total_bytes)
		term_progress_show(&screen->progress, "%.0f %%, %llu captures read",
		                   100 * (double)counts->sources.input_bytes / (double)screen->total_bytes, captures);
	else
		term_progress_show(&screen->progress, "%llu captures read", captures);
	return 0;
}

/* Returns the size of all sources, or 0 if one is no file: the size of a folder is not known before it is read. */
static uint64_t total_bytes(char *const *sources, size_t count)
{
	uint64_t total = 0;

	for (size_t i = 0; i < count; i++) {
		struct stat about;

		if (stat(sources[i], &about) || !S_ISREG(about.st_mode))
			return 0;
		total += (uint64_t)about.st_size;
	}
	return total;
}

/*
 * A source that cannot be read is reported, and the others are read.  But a part that lacks a source which other machines
 * have is no part of the same whole.
 */
static int add_sources(struct screen *screen, struct prn_importer *importer, char *const *sources, size_t count, bool all,
                       uint64_t *refused, struct prn_error *error)
{
	for (size_t i = 0; i < count; i++) {
		int code = prn_importer_add(importer, sources[i], error);

		if (!code)
			continue;
		if (all || (code != PRN_E_NOT_FOUND && code != PRN_E_UNSUPPORTED))
			return code;
		/* If nothing was read there is no trace to make: the last refusal is the error. */
		if (++*refused == count)
			return code;
		term_skipping_print(&screen->skipping, error);
	}
	return 0;
}

int term_import_sources(const char *name, struct prn_import_options *options, char *const *sources, size_t count,
                       const char *trace_path, struct term_import_outcome *outcome, struct prn_error *error)
{
	struct screen screen = { .total_bytes = total_bytes(sources, count) };
	const struct prn_import_counts *counts = &outcome->counts;
	struct prn_importer *importer;
	int code;

	options->skipped = term_skipping_print;
	options->skipped_context = &screen.skipping;
	options->progress = show_progress;
	options->progress_context = &screen;
	if (!options->folder)
		options->folder = getenv("TMPDIR");
	*outcome = (struct term_import_outcome){ 0 };
	code = prn_importer_open(&importer, options, error);
	if (code)
		return code;
	term_progress_begin(&screen.progress, name);
	term_skipping_init(&screen.skipping, name, &screen.progress);
	code = add_sources(&screen, importer, sources, count, options->part.of > 1, &outcome->refused, error);
	if (!code)
		code = prn_importer_finish(importer, trace_path, error);
	term_skipping_release(&screen.skipping);
	term_progress_end(&screen.progress);
	outcome->counts = *prn_importer_counts(importer);
	outcome->skipped = outcome->refused || counts->truncated || counts->unresolved || counts->too_long ||
	                   counts->sources.damaged || counts->sources.mismatched || counts->sources.unread || counts->sources.cut;
	outcome->empty = !counts->pages && options->part.of < 2;
	prn_importer_free(importer);
	return code;
}

void term_import_say_made(const char *name, const struct term_import_outcome *outcome)
{
	const struct prn_import_counts *counts = &outcome->counts;
	uint64_t captures = 0;
	const char *before = " (";

	for (int kind = 0; kind < PRN_KINDS; kind++)
		captures += counts->captures[kind];
	fprintf(stderr, "perennial %s: %llu page%s, %llu capture%s", name, (unsigned long long)counts->pages,
	        counts->pages == 1 ? "" : "s", (unsigned long long)captures, captures == 1 ? "" : "s");
	for (int kind = 0; kind < PRN_KINDS; kind++) {
		const char *word = prn_kind_name((enum prn_kind)kind);

		term_say_count(&before, counts->captures[kind], word, word);
	}
	fputs(captures ? ")" : "", stderr);
	before = "; ";
	term_say_count(&before, counts->stripes, "fragment", "fragments");
	term_say_count(&before, counts->links, "link", "links");
	term_say_count(&before, counts->duplicates, "duplicate dropped", "duplicates dropped");
	term_say_count(&before, counts->sources.filtered - counts->sources.other_media, "capture filtered out", "captures filtered out");
	term_say_count(&before, counts->weighted, "page weighed", "pages weighed");
	term_say_count(&before, counts->unweighted, "weight for a page that no source has",
	               "weights for pages that no source has");
	term_say_count(&before, counts->reweighted, "weight of a page that has another", "weights of pages that have others");
	term_say_cut(&before, counts->cut);
	term_say_count(&before, counts->sources.cut_short, "transfer cut short, an error", "transfers cut short, which are errors");
	term_say_zoneless(&before, counts->sources.zoneless);
	fputc('\n', stderr);
}

void term_import_say_digests(const char *name, const struct term_import_outcome *outcome)
{
	unsigned long long digests = outcome->counts.digests;

	if (digests)
		fprintf(stderr, "perennial %s: %llu capture%s known by %s digest%s alone, without the text: each change of such a page is one of the whole page\n",
		        name, digests, digests == 1 ? " is" : "s are", digests == 1 ? "its" : "their", digests == 1 ? "" : "s");
}

void term_import_say_passed(const char *name, const struct term_import_outcome *outcome)
{
	const struct prn_import_counts *counts = &outcome->counts;

	term_say_passed(name, &counts->sources, outcome->empty);
	if (outcome->empty)
		fprintf(stderr, "perennial %s: there is no page in what was read%s\n", name,
		        counts->sources.records ? "" : ": it has no records");
}

void term_import_say_skipped(const char *name, const struct term_import_outcome *outcome)
{
	const struct prn_import_counts *counts = &outcome->counts;
	const char *before = " skipped ";

	if (!outcome->skipped)
		return;
	fprintf(stderr, "perennial %s:", name);
	term_say_count(&before, outcome->refused, "source that cannot be read", "sources that cannot be read");
	term_say_count(&before, counts->truncated, "rest of a source that ends early", "rests of sources that end early");
	term_say_count(&before, counts->sources.damaged, "record or file that cannot be read", "records or files that cannot be read");
	term_say_count(&before, counts->sources.mismatched, "digest that is not that of its record, which was taken as it is",
	               "digests that are not those of their records, which were taken as they are");
	term_say_count(&before, counts->sources.shortened, "rest of a body that its archive has not (WARC-Truncated)",
	               "rests of bodies that their archives have not (WARC-Truncated)");
	term_say_count(&before, counts->sources.cut - counts->sources.shortened, "rest of a body longer than --max-body",
	               "rests of bodies longer than --max-body");
	term_say_count(&before, counts->too_long, "page whose history is too long", "pages whose histories are too long");
	term_say_count(&before, counts->unresolved, "revisit whose content no source has",
	               "revisits whose content no source has");
	term_say_count(&before, counts->sources.unread, "body that cannot be read",
	               "bodies that cannot be read");
	fputc('\n', stderr);
}
