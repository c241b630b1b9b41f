#include "show/show.h"

#include "perennial/import.h"
#include "perennial/source.h"
#include "perennial/trace.h"
#include "perennial/url.h"
#include "term/destination.h"
#include "term/inputs.h"
#include "term/say.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void show_init(struct show *show)
{
	*show = (struct show){ .texts = SHOW_TEXTS };
	prn_page_init(&show->page);
	prn_truth_init(&show->truth);
}

void show_release(struct show *show)
{
	for (size_t i = 0; i < show->version_count; i++)
		free(show->versions[i].text.passages);
	free(show->versions);
	free(show->lives);
	text_passages_release(&show->passages);
	prn_study_free(show->study);
	prn_truth_release(&show->truth);
	prn_page_release(&show->page);
}

/* Makes a trace of the captures of the page alone, and of those that they repeat. */
static int import(struct show *show, struct show_sought *sought, const char *file, uint64_t *unresolved,
                  struct prn_error *error)
{
	struct prn_import_options options = { .folder = getenv("TMPDIR"), .git_base = show->git_base,
		                              .filter = show_source_options(show, sought).filter };
	const struct prn_import_counts *counts;
	struct prn_importer *importer;
	int code = prn_importer_open(&importer, &options, error);

	if (code)
		return code;
	for (size_t i = 0; i < show->source_count && !code; i++)
		code = prn_importer_add(importer, show->sources[i], error);
	if (!code)
		code = prn_importer_finish(importer, file, error);
	counts = prn_importer_counts(importer);
	show->faulty = counts->truncated || counts->sources.damaged || counts->sources.unread || counts->sources.cut;
	*unresolved = counts->unresolved;
	prn_importer_free(importer);
	return code;
}

static int read_trace(struct show *show, const char *file, struct prn_error *error)
{
	char near[PRN_URL_BYTES + 1];
	struct prn_trace *trace;
	size_t i;
	int code = prn_trace_open(&trace, file, error);

	if (code)
		return code;
	if (!prn_trace_find(trace, show->url, &i))
		code = prn_trace_page(trace, i, &show->page, error);
	else if (show_suggest(show, near, sizeof near))
		code = prn_error_set(error, PRN_E_NOT_FOUND, "%s: no source has a capture of it: did you mean %s?", show->url, near);
	else
		code = prn_error_set(error, PRN_E_NOT_FOUND,
		                     "%s: no source has a capture of it ('perennial measure --pages' lists what they have)", show->url);
	prn_trace_free(trace);
	return code;
}

/* Most pages need to be read once; one whose revisits repeat other pages is read again with these. */
static int read_history(struct show *show, const char *file, struct prn_error *error)
{
	struct show_sought sought = { .url = show->url };
	uint64_t unresolved;
	int code = import(show, &sought, file, &unresolved, error);

	if (!code && unresolved)
		code = show_seek(show, &sought, error);
	if (!code && sought.count) {
		unlink(file);
		code = import(show, &sought, file, &unresolved, error);
	}
	free(sought.places);
	if (!code && unresolved) {
		term_say("perennial show: of %llu captures that repeat others no source has the content\n", (unsigned long long)unresolved);
		show->skipped = true;
	}
	return code ? code : read_trace(show, file, error);
}

static int check_source(const char *path, struct prn_error *error)
{
	struct stat about;

	if (!strncmp(path, PRN_GIT_PREFIX, strlen(PRN_GIT_PREFIX)))
		return 0;
	if (stat(path, &about))
		return prn_error_set(error, PRN_E_IO, "%s: cannot be opened: %s", path, strerror(errno));
	if (S_ISDIR(about.st_mode))
		return 0;
	if (!S_ISREG(about.st_mode))
		return prn_error_set(error, PRN_E_UNSUPPORTED, "%s: is read more than once: name files or folders", path);
	return term_input_is_trace(path) ? prn_error_set(error, PRN_E_UNSUPPORTED,
	                                "%s: a trace keeps no text: name the WARC files or folders that it is of", path)
	                : 0;
}

static int find_in_folder(struct show *show, const char *folder, struct prn_error *error)
{
	char *file;
	int code;

	if (asprintf(&file, "%s/page.trace", folder) < 0)
		return prn_error_memory(error);
	code = read_history(show, file, error);
	unlink(file);
	free(file);
	return code;
}

/* Finds how long the content of a region lives: the whole time that it was seen, divided by how often it was seen to end. */
static void find_means(struct show *show)
{
	double days[PRN_REGION_UNKNOWN + 1] = { 0 }, ends[PRN_REGION_UNKNOWN + 1] = { 0 };

	for (size_t i = 0; i < show->life_count; i++) {
		const struct show_life *life = &show->lives[i];

		days[life->region] += life->days * (double)life->fragments;
		ends[life->region] += life->ended ? (double)life->fragments : 0;
	}
	for (int region = 0; region < PRN_REGION_UNKNOWN; region++)
		show->mean_days[region] = ends[region] > 0 ? days[region] / ends[region] : INFINITY;
	/* Content that survived no change may be churn or scroll. */
	for (int region = PRN_REGION_CHURN; region < PRN_REGION_UNKNOWN; region++) {
		days[PRN_REGION_UNKNOWN] += days[region];
		ends[PRN_REGION_UNKNOWN] += ends[region];
	}
	show->mean_days[PRN_REGION_UNKNOWN] =
		ends[PRN_REGION_UNKNOWN] > 0 ? days[PRN_REGION_UNKNOWN] / ends[PRN_REGION_UNKNOWN] : INFINITY;
}

static int life_order(const void *a, const void *b)
{
	const struct show_life *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

static int find_lives(struct show *show, struct prn_error *error)
{
	size_t count;
	const struct prn_lifetime *lifetimes = prn_study_lifetimes(show->study, &count);

	show->lives = calloc(count + 1, sizeof *show->lives);
	if (!show->lives)
		return prn_error_memory(error);
	for (size_t i = 0; i < count; i++)
		show->lives[i] = (struct show_life){ .from = lifetimes[i].from, .to = lifetimes[i].to,
			                             .region = lifetimes[i].region, .days = lifetimes[i].days,
			                             .ended = lifetimes[i].censoring == PRN_CENSORED_NOT ||
			                                      lifetimes[i].censoring == PRN_CENSORED_LEFT,
			                             .fragments = 1 };
	qsort(show->lives, count, sizeof *show->lives, life_order);
	for (size_t i = 0; i < count; i++) {
		struct show_life *last = show->life_count ? &show->lives[show->life_count - 1] : NULL;

		if (last && !life_order(last, &show->lives[i]))
			last->fragments++;
		else
			show->lives[show->life_count++] = show->lives[i];
	}
	find_means(show);
	return 0;
}

static int find_versions(struct show *show, struct prn_error *error)
{
	const struct prn_versions *versions = &show->truth.versions;

	show->versions = calloc(versions->count, sizeof *show->versions);
	if (!show->versions)
		return prn_error_memory(error);
	show->version_count = versions->count;
	for (size_t i = versions->captures; i--;)
		show->versions[versions->of[i]].first = versions->first + i;
	for (size_t i = 0; i < versions->captures; i++)
		show->versions[versions->of[i]].end = versions->first + i + 1;
	return 0;
}

static int study(struct show *show, struct prn_error *error)
{
	int code = prn_study_open(&show->study);

	if (!code)
		code = prn_study_read(show->study, &show->page);
	if (code > 0)
		code = prn_truth_read(&show->truth, &show->page, PRN_CLOCK_STEPS);
	if (code < 0)
		return prn_error_set(error, code, "%s: %s", show->url, prn_error_text(code));
	if (!code)
		return prn_error_set(error, PRN_E_NOT_FOUND,
		                     "%s: has %zu capture%s, and fewer than %d with content: too few to tell what of it lasts",
		                     show->url, show->page.capture_count, show->page.capture_count == 1 ? "" : "s",
		                     PRN_LIFE_CAPTURES);
	show->first = show->truth.versions.first;
	show->last = show->first + show->truth.versions.captures - 1;
	code = find_versions(show, error);
	return code ? code : find_lives(show, error);
}

int show_find(struct show *show, struct prn_error *error)
{
	char *folder;
	int code = 0;

	for (size_t i = 0; i < show->source_count && !code; i++)
		code = check_source(show->sources[i], error);
	if (!code)
		code = term_temporary_folder(&folder, error);
	if (code)
		return code;
	code = find_in_folder(show, folder, error);
	rmdir(folder);
	free(folder);
	return code ? code : study(show, error);
}
