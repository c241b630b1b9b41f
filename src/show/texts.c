#include "show/show.h"

#include "base/sort.h"
#include "perennial/extractor.h"
#include "perennial/source.h"
#include "term/progress.h"
#include "term/skipping.h"

#include <stdlib.h>
#include <string.h>

#define LOCATION_TYPE "application/octet-stream" /* what an import reads a redirect as: one fragment of its target */

struct reading {
	struct show *show;
	struct show_sought *sought;
	struct prn_extractor *extractor;
	struct term_progress progress;
	struct term_skipping skipping;
	struct prn_digest body, type; /* digests of the body that was read last, and of its media type */
	bool has_body;
	size_t missing; /* versions wanted and not found yet */
};

/* Chooses the last capture of the life by the time that was asked for. */
static int choose_shown(struct show *show, struct prn_error *error)
{
	char time[PRN_TIME_TEXT];

	if (show->has_time && show->page.captures[show->first].time > show->time)
		return prn_error_set(error, PRN_E_NOT_FOUND, "%s: its first content is of %s, after the time asked for", show->url,
		                     prn_time_format(show->page.captures[show->first].time, time));
	show->capture = show->last;
	while (show->has_time && show->page.captures[show->capture].time > show->time)
		show->capture--;
	show->shown = show_version_at(show, show->capture);
	return 0;
}

static struct prn_digest digest_of(const struct show *show, size_t capture, uint64_t *hashes)
{
	size_t count, alive = 0;
	const struct prn_lifetime *lifetimes = prn_study_lifetimes(show->study, &count);

	for (size_t i = 0; i < count; i++)
		if (lifetimes[i].from <= capture && capture < lifetimes[i].to)
			hashes[alive++] = lifetimes[i].hash;
	prn_sort_hashes(hashes, hashes + count, alive);
	return prn_digest_bytes(hashes, alive * sizeof *hashes);
}

/*
 * Chooses the versions that are kept, evenly from all: first the one that is shown, then the last, then the first, then
 * others between.
 */
static int choose_versions(struct show *show)
{
	size_t count, others = show->version_count - 1, kept = show->texts - 1 < others ? show->texts - 1 : others;
	uint64_t *hashes;

	prn_study_lifetimes(show->study, &count);
	hashes = calloc(2 * count + 1, sizeof *hashes);
	if (!hashes)
		return PRN_E_MEMORY;
	show->versions[show->shown].wanted = true;
	for (size_t i = 0; i < kept; i++) {
		size_t only = show->shown < others ? others - 1 : 0, other = kept > 1 ? i * (others - 1) / (kept - 1) : only;

		show->versions[other + (other >= show->shown)].wanted = true;
	}
	for (size_t i = 0; i < show->version_count; i++)
		if (show->versions[i].wanted)
			show->versions[i].digest = digest_of(show, show->versions[i].first, hashes);
	free(hashes);
	return 0;
}

static int add_found(struct reading *reading, size_t version, const struct prn_wording *wording,
                     const struct prn_capture *capture)
{
	struct show *show = reading->show;
	char *words = NULL;
	int code;

	if (capture->kind == PRN_KIND_CONTENT && wording->is_text)
		return show_add_text(show, version, wording,
		                     prn_media_of(capture->content_type, capture->body, capture->body_bytes) == PRN_MEDIA_TEXT);
	if (capture->kind == PRN_KIND_REDIRECT)
		code = asprintf(&words, "→ %.*s", (int)(capture->body_bytes < 8192 ? capture->body_bytes : 8192),
		                (const char *)capture->body);
	else
		code = asprintf(&words, "[%zu bytes, %s]", capture->body_bytes,
		                capture->content_type ? capture->content_type : "of no known type");
	if (code < 0)
		return PRN_E_MEMORY;
	code = show_add_bytes(show, version, words);
	free(words);
	return code;
}

/* Adds a body to the versions that have its fragments, whenever and under whichever URL it was captured. */
static int take_wording(struct reading *reading, const struct prn_wording *wording, const struct prn_capture *capture)
{
	struct show *show = reading->show;
	size_t count = wording->fragment_count;
	uint64_t *hashes = calloc(2 * count + 1, sizeof *hashes);
	struct prn_digest digest;
	int code = 0;

	if (!hashes)
		return PRN_E_MEMORY;
	memcpy(hashes, wording->fragments, count * sizeof *hashes);
	count = prn_sort_distinct(hashes, hashes + count, count);
	digest = prn_digest_bytes(hashes, count * sizeof *hashes);
	free(hashes);
	for (size_t i = 0; i < show->version_count && !code; i++) {
		struct show_version *version = &show->versions[i];

		if (!version->wanted || version->found || prn_digest_compare(&version->digest, &digest))
			continue;
		reading->missing--;
		if (i != show->shown && show->passages.bytes.length > SHOW_TEXT_BYTES) {
			show->is_cut = true;
			version->wanted = false;
			continue;
		}
		code = add_found(reading, i, wording, capture);
	}
	return code;
}

static int take_capture(struct reading *reading, const struct prn_capture *capture)
{
	const char *type = capture->kind == PRN_KIND_REDIRECT ? LOCATION_TYPE : capture->content_type;
	struct prn_digest body = prn_digest_bytes(capture->body, capture->body_bytes);
	struct prn_digest of_type = prn_digest_bytes(type ? type : "", type ? strlen(type) : 0);
	struct prn_wording wording;
	int code;

	if (!reading->missing || !prn_kind_has_content(capture->kind) || (capture->revisit == PRN_REVISIT_IDENTICAL && !capture->body_bytes))
		return 0;
	/* Most bodies are as the one before; but the same bytes with another media type are another text. */
	if (reading->has_body && !prn_digest_compare(&body, &reading->body) && !prn_digest_compare(&of_type, &reading->type))
		return 0;
	reading->body = body;
	reading->type = of_type;
	reading->has_body = true;
	code = prn_extractor_read(reading->extractor, capture->body, capture->body_bytes, type, &wording);
	return code ? code : take_wording(reading, &wording, capture);
}

static int read_source(struct reading *reading, const char *path, struct prn_error *error)
{
	struct prn_source_options options = show_source_options(reading->show, reading->sought);
	struct prn_error fault = { 0 };
	struct prn_source *source;
	struct prn_capture capture;
	const struct prn_source_counts *counts;
	int code, got = 0;

	options.skipped = term_skipping_print;
	options.skipped_context = &reading->skipping;
	code = prn_source_open(&source, path, &options, error);
	if (code)
		return code;
	while (!code && (reading->missing || reading->show->faulty) && (got = prn_source_next(source, &capture, &fault)) == 1) {
		code = take_capture(reading, &capture);
		term_progress_show(&reading->progress, "%s: %zu of %zu versions of the page read", path,
		                   reading->show->found_count, reading->show->version_count);
	}
	if (got < 0 && got != PRN_E_MEMORY)
		term_skipping_print(&reading->skipping, &fault);
	counts = prn_source_counts(source);
	reading->show->skipped |= got < 0 || counts->damaged || counts->unread || counts->cut;
	prn_source_free(source);
	return code || got == PRN_E_MEMORY ? prn_error_memory(error) : 0;
}

/* If no source has the text of the capture that was asked for, the nearest text that was found is shown first. */
static int settle_shown(struct show *show, struct prn_error *error)
{
	size_t best = SIZE_MAX, distance = SIZE_MAX;

	for (size_t i = 0; i < show->version_count; i++) {
		size_t far = i > show->shown ? i - show->shown : show->shown - i;

		if (show->versions[i].found && far < distance) {
			distance = far;
			best = i;
		}
	}
	if (best == SIZE_MAX)
		return prn_error_set(error, PRN_E_NOT_FOUND, "%s: no source has a text of it", show->url);
	if (best != show->shown)
		show->capture = show->versions[best].first;
	show->shown = best;
	return 0;
}

int show_read_texts(struct show *show, struct prn_error *error)
{
	struct show_sought sought = { .url = show->url };
	struct reading reading = { .show = show, .sought = &sought };
	int code = choose_shown(show, error);

	if (code)
		return code;
	code = choose_versions(show);
	if (!code)
		code = prn_extractor_open(&reading.extractor, 0, PRN_SUMMARY_ALL);
	if (code)
		return prn_error_memory(error);
	for (size_t i = 0; i < show->version_count; i++)
		reading.missing += show->versions[i].wanted;
	term_progress_begin(&reading.progress, "show");
	term_skipping_init(&reading.skipping, "show", &reading.progress);
	for (size_t i = 0; i < show->source_count && !code; i++)
		code = read_source(&reading, show->sources[i], error);
	/* Texts that are still missing are in pages of other URLs, which revisits name as the same. */
	if (!code && reading.missing)
		code = show_seek(show, &sought, error);
	for (size_t i = 0; i < show->source_count && !code && sought.count && reading.missing; i++)
		code = read_source(&reading, show->sources[i], error);
	term_skipping_release(&reading.skipping);
	term_progress_end(&reading.progress);
	prn_extractor_free(reading.extractor);
	free(sought.places);
	return code ? code : settle_shown(show, error);
}
