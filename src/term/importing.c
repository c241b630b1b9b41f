#include "term/importing.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SHOWN 20          /* skipped things told one by one; the rest only in the summary */
#define DRAW_SECONDS 0.25
#define QUIET_SECONDS 1.0 /* work shorter than this shows no progress */

struct screen {
	const char *name;
	uint64_t shown;       /* skipped things told so far */
	uint64_t total_bytes; /* of the sources; 0: not known */
	bool terminal, drawn;
	double started, last; /* seconds */
};

static double steady_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void clear_line(struct screen *screen)
{
	if (screen->drawn)
		fputs("\r\033[K", stderr);
	screen->drawn = false;
}

static void tell_skipped(void *context, const struct prn_error *what)
{
	struct screen *screen = context;

	if (screen->shown >= SHOWN)
		return;
	clear_line(screen);
	fprintf(stderr, "perennial %s: skipped: %s\n", screen->name, what->text);
	if (++screen->shown == SHOWN)
		fprintf(stderr, "perennial %s: more of this is only counted\n", screen->name);
}

static int draw(void *context, const struct prn_import_counts *counts)
{
	struct screen *screen = context;
	double now = screen->terminal ? steady_clock() : 0;

	if (!screen->terminal || now - screen->started < QUIET_SECONDS || now - screen->last < DRAW_SECONDS)
		return 0;
	screen->last = now;
	screen->drawn = true;
	fprintf(stderr, "\rperennial %s: ", screen->name);
	if (!counts->pages && screen->total_bytes)
		fprintf(stderr, "%.0f %%, ", 100 * (double)counts->sources.input_bytes / (double)screen->total_bytes);
	fprintf(stderr, "%llu captures read", (unsigned long long)counts->sources.captures);
	if (counts->pages)
		fprintf(stderr, ", %llu pages made", (unsigned long long)counts->pages);
	fputs("\033[K", stderr);
	return 0;
}

/* Of files only: how much is in a folder is not known before it is read. */
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

static int add_sources(struct screen *screen, struct prn_importer *importer, char *const *sources, size_t count,
                       uint64_t *refused, struct prn_error *error)
{
	for (size_t i = 0; i < count; i++) {
		int failed = prn_importer_add(importer, sources[i], error);

		if (!failed)
			continue;
		if (failed != PRN_E_NOT_FOUND && failed != PRN_E_UNSUPPORTED)
			return failed;
		/* With nothing read there is no trace to make: the last refusal is the error. */
		if (++*refused == count)
			return failed;
		tell_skipped(screen, error);
	}
	return 0;
}

static bool anything_skipped(const struct term_import_outcome *outcome)
{
	const struct prn_import_counts *counts = &outcome->counts;

	return outcome->refused || counts->truncated || counts->unresolved || counts->sources.damaged ||
	       counts->sources.unread || counts->sources.cut;
}

int term_import_sources(const char *name, struct prn_import_options *options, char *const *sources, size_t count,
                       const char *trace_path, struct term_import_outcome *outcome, struct prn_error *error)
{
	struct screen screen = { .name = name, .total_bytes = total_bytes(sources, count),
		                 .terminal = isatty(STDERR_FILENO), .started = steady_clock() };
	struct prn_importer *importer;
	int failed;

	options->skipped = tell_skipped;
	options->progress = draw;
	options->skipped_context = options->progress_context = &screen;
	if (!options->folder)
		options->folder = getenv("TMPDIR");
	*outcome = (struct term_import_outcome){ 0 };
	failed = prn_importer_open(&importer, options, error);
	if (failed)
		return failed;
	failed = add_sources(&screen, importer, sources, count, &outcome->refused, error);
	if (!failed)
		failed = prn_importer_finish(importer, trace_path, error);
	clear_line(&screen);
	outcome->counts = *prn_importer_counts(importer);
	outcome->skipped = anything_skipped(outcome);
	prn_importer_free(importer);
	return failed;
}

/* Says a count in words unless it is 0, with what stands before it. */
static void say(const char **before, uint64_t count, const char *one, const char *many)
{
	if (!count)
		return;
	fprintf(stderr, "%s%llu %s", *before, (unsigned long long)count, count == 1 ? one : many);
	*before = ", ";
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

		say(&before, counts->captures[kind], word, word);
	}
	fputs(captures ? ")" : "", stderr);
	before = "; ";
	say(&before, counts->stripes, "fragment", "fragments");
	say(&before, counts->duplicates, "duplicate dropped", "duplicates dropped");
	say(&before, counts->sources.filtered, "capture filtered out", "captures filtered out");
	say(&before, counts->unweighted, "weight for a page that no source has", "weights for pages that no source has");
	fputc('\n', stderr);
}

void term_import_say_skipped(const char *name, const struct term_import_outcome *outcome)
{
	const struct prn_import_counts *counts = &outcome->counts;
	const char *before = " skipped ";

	if (!outcome->skipped)
		return;
	fprintf(stderr, "perennial %s:", name);
	say(&before, outcome->refused, "source that cannot be read", "sources that cannot be read");
	say(&before, counts->truncated, "rest of a source that ends early", "rests of sources that end early");
	say(&before, counts->sources.damaged, "damaged record", "damaged records");
	say(&before, counts->sources.cut, "rest of a body longer than --max-body", "rests of bodies longer than --max-body");
	say(&before, counts->unresolved, "revisit whose content no source has", "revisits whose content no source has");
	say(&before, counts->sources.unread, "body that cannot be read", "bodies that cannot be read");
	fputc('\n', stderr);
}
