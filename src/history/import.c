#include "perennial/import.h"

#include "archive/passed.h"
#include "archive/source_body.h"
#include "base/monotonic.h"
#include "base/parallel.h"
#include "history/import_internal.h"
#include "history/page_check.h"
#include "history/weights.h"
#include "perennial/extractor.h"
#include "perennial/url.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define TELL_EVERY 64 /* captures */
#define ASK_EVERY 16  /* times that a source asks whether it is cancelled: windows of 128 KiB, or members, … */
#define ASK_EVERY_S 0.1 /* … or this long */

/* A redirect's content is its Location, as one fragment, like that of any media type that is not parsed. */
#define LOCATION_TYPE "application/octet-stream"

/* Called by the extraction from any thread, one at a time; only this function counts truncated bodies. */
static int take_extracted(void *context, const struct prn_capture_record *record, struct prn_error *error)
{
	struct prn_importer *importer = context;

	for (unsigned i = 0; i < PRN_CUTS; i++)
		importer->counts.cut[i] += record->cut >> i & 1;
	return prn_importer_keep(importer, record, error);
}

static bool brings_content(const struct prn_capture *capture)
{
	return capture->kind == PRN_KIND_CONTENT || capture->kind == PRN_KIND_REDIRECT;
}

/* A revisit whose content is in another capture.  A redirect's own header may repeat its Location. */
static bool seeks(const struct prn_capture *capture)
{
	return capture->revisit == PRN_REVISIT_IDENTICAL && brings_content(capture) &&
	       !(capture->kind == PRN_KIND_REDIRECT && capture->body_bytes);
}

static int make_record(struct prn_importer *importer, const struct prn_capture *capture, uint32_t page,
                       struct prn_capture_record *out)
{
	const char *type = capture->kind == PRN_KIND_REDIRECT ? LOCATION_TYPE : capture->content_type;
	struct prn_capture_record record = { .time = capture->time, .modified = PRN_TIME_UNKNOWN,
		                             .refers_time = PRN_TIME_UNKNOWN, .page = page,
		                             .kind = (uint8_t)capture->kind, .has_payload = capture->has_payload_digest };

	if (prn_page_time_ok(capture->modified))
		record.modified = capture->modified;
	if (record.has_payload)
		record.payload = capture->payload_digest;
	record.is_digest = capture->is_digest && capture->kind == PRN_KIND_CONTENT;
	record.media = type ? XXH3_64bits(type, strlen(type)) : 0;
	*out = record;
	if (capture->kind != PRN_KIND_CONTENT)
		return 0;
	/* Of a digest type says how it is read, and not what it is the digest of. */
	return prn_media_types_add(&importer->types, capture->is_digest ? capture->digest_media : type, &out->type);
}

/* A part's revisit may be of another part's page; a revisit of that page counts only if one of this part's leads to it. */
static bool seek_elsewhere(struct prn_importer *importer, const struct prn_capture *capture,
                           const struct prn_capture_record *record)
{
	struct prn_elsewhere *elsewhere = &importer->elsewhere;
	bool leads = record->has_refers && !prn_part_has(&importer->options.part, capture->refers_to_url);

	if (importer->options.part.of < 2)
		return true;
	if (elsewhere->pass == PRN_PASS_REACHED ||
	    (elsewhere->pass == PRN_PASS_SOUGHT &&
	     !prn_elsewhere_is_place(elsewhere, capture->normal_url, capture->time)))
		return false;
	prn_elsewhere_seek(elsewhere, record->has_payload ? &record->payload : NULL,
	                   leads ? capture->refers_to_url : NULL, record->refers_time);
	return true;
}

static int keep_seeker(struct prn_importer *importer, const struct prn_capture *capture,
                       struct prn_capture_record *record, struct prn_error *error)
{
	importer->counts.revisits += !record->outside;
	record->role = PRN_RECORD_SEEKER;
	record->any_kind = !capture->status;
	if (capture->kind == PRN_KIND_REDIRECT)
		record->has_payload = false;
	if (capture->refers_to_url && capture->refers_to_time != PRN_TIME_UNKNOWN) {
		record->has_refers = true;
		record->refers = prn_url_key(capture->refers_to_url);
		record->refers_time = capture->refers_to_time;
	}
	return seek_elsewhere(importer, capture, record) ? prn_importer_keep(importer, record, error) : 0;
}

static int keep_content(struct prn_importer *importer, struct prn_source *source, const struct prn_capture *capture,
                        struct prn_capture_record *record, struct prn_error *error)
{
	const char *type = capture->kind == PRN_KIND_REDIRECT ? LOCATION_TYPE : capture->content_type;
	const char *url = importer->options.links ? importer->pages.entries[record->page].url : NULL;
	struct prn_spool_set set;

	record->body = prn_digest_bytes(capture->body, capture->body_bytes);
	record->body_bytes = capture->body_bytes;
	if (prn_spool_recall(importer->spool, &record->body, prn_extraction_media(record, url), &set)) {
		record->set_offset = set.offset;
		record->set_count = set.count;
		record->has_set = true;
		record->has_links = url;
		return prn_importer_keep(importer, record, error);
	}
	importer->counts.versions++;
	importer->counts.body_bytes += capture->body_bytes;
	return prn_extraction_add(importer->extraction, record, capture->body, capture->body_bytes,
	                          prn_source_body(source, capture), type, url, error);
}

/* The body of the capture may be taken out of its source. */
static int take_capture(struct prn_importer *importer, struct prn_source *source, const struct prn_capture *capture,
                        struct prn_error *error)
{
	const struct prn_source_filter *filter = &importer->options.filter;
	bool early = filter->has_from && capture->time < filter->from;
	bool outside = early || importer->elsewhere.pass != PRN_PASS_OWN;
	struct prn_capture_record record;
	uint32_t page;

	importer->outside += outside;
	if (early && !brings_content(capture))
		return 0;
	if (prn_page_table_add(&importer->pages, capture->normal_url, &page))
		return prn_error_memory(error);
	if (!outside && prn_page_table_spell(&importer->pages, page, capture->url, capture->time))
		return prn_error_memory(error);
	if (!outside && capture->weight > 0)
		prn_page_table_weigh(&importer->pages, page, capture->weight, capture->time);
	if (make_record(importer, capture, page, &record))
		return prn_error_memory(error);
	record.outside = outside;
	if (seeks(capture))
		return keep_seeker(importer, capture, &record, error);
	if (brings_content(capture))
		return keep_content(importer, source, capture, &record, error);
	return prn_importer_keep(importer, &record, error);
}

/* outside counts captures that the source has read and that the importer leaves out. */
static void add_counts(struct prn_source_counts *sum, const struct prn_source_counts *before,
                       const struct prn_source_counts *counts, uint64_t outside)
{
	sum->records = before->records + counts->records;
	sum->captures = before->captures + counts->captures - outside;
	sum->filtered = before->filtered + counts->filtered + outside;
	sum->ignored = before->ignored + counts->ignored;
	sum->damaged = before->damaged + counts->damaged;
	sum->unread = before->unread + counts->unread;
	sum->cut = before->cut + counts->cut;
	sum->shortened = before->shortened + counts->shortened;
	sum->cut_short = before->cut_short + counts->cut_short;
	sum->other_media = before->other_media + counts->other_media;
	sum->mismatched = before->mismatched + counts->mismatched;
	sum->zoneless = before->zoneless + counts->zoneless;
	sum->input_bytes = before->input_bytes + counts->input_bytes;
}

/* What a source is asked with, whether it is cancelled: also one that hands out nothing asks the import's progress. */
struct asking {
	struct prn_importer *importer;
	struct prn_source *source; /* NULL while it is opened, … */
	bool tells;                /* … and of one that is read again, which is not counted */
	struct prn_source_counts before;
	uint64_t outside;
	unsigned asked;
	double asked_at; /* when the progress was asked, of prn_monotonic */
};

static void count_source(const struct asking *asking)
{
	struct prn_importer *importer = asking->importer;

	if (asking->source && asking->tells)
		add_counts(&importer->counts.sources, &asking->before, prn_source_counts(asking->source),
		           importer->outside - asking->outside);
}

static bool is_cancelled(void *context)
{
	struct asking *asking = context;
	double now = prn_monotonic();

	/* One that waits for a pipe is asked seldom, and yet ends soon. */
	if (++asking->asked % ASK_EVERY && now < asking->asked_at + ASK_EVERY_S)
		return false;
	asking->asked_at = now;
	count_source(asking);
	return prn_importer_progress(asking->importer, NULL);
}

static int end_cancelled(struct prn_error *error)
{
	return prn_error_set(error, PRN_E_CANCELLED, "the import was stopped");
}

/* An error of the source ends only that source; an error of the importer ends the import. */
static int read_source(struct asking *asking, struct prn_error *error)
{
	struct prn_importer *importer = asking->importer;
	struct prn_source *source = asking->source;
	struct prn_error fault = { 0 };
	int got = 1, code = 0;

	while (!code && got == 1) {
		struct prn_capture capture;

		got = prn_source_next(source, &capture, &fault);
		if (got == 1)
			code = take_capture(importer, source, &capture, error);
		count_source(asking);
		if (!code && importer->counts.sources.captures % TELL_EVERY == 0)
			code = prn_importer_progress(importer, error);
	}
	prn_passed_join(importer->counts.sources.passed, prn_source_counts(source)->passed);
	if (code || got == 0)
		return code;
	if (got == PRN_E_CANCELLED)
		return end_cancelled(error);
	if (got == PRN_E_MEMORY) {
		if (error)
			*error = fault;
		return got;
	}
	importer->counts.truncated++;
	prn_importer_skip(importer, &fault);
	return 0;
}

static int add_name(struct prn_importer *importer, const char *path)
{
	size_t length = strlen(path), from;
	char **names;

	while (length > 1 && path[length - 1] == '/')
		length--;
	from = length;
	while (from && path[from - 1] != '/')
		from--;
	names = prn_array_grow(importer->names, &importer->name_capacity, importer->name_count + 1, sizeof *names);
	if (!names)
		return PRN_E_MEMORY;
	importer->names = names;
	names[importer->name_count] = strndup(path + from, length - from);
	return names[importer->name_count++] ? 0 : PRN_E_MEMORY;
}

static void make_source_options(struct asking *asking, struct prn_source_options *out)
{
	struct prn_importer *importer = asking->importer;
	const struct prn_import_options *options = &importer->options;

	*out = (struct prn_source_options){ .body_bytes_max = options->body_bytes_max,
		                            .filter = options->filter,
		                            .digests = options->digests,
		                            .git_base = options->git_base,
		                            .cancelled = is_cancelled,
		                            .cancelled_context = asking,
		                            .spare = prn_extraction_spare(importer->extraction),
		                            .skipped = options->skipped,
		                            .skipped_context = options->skipped_context };
	/* A later revisit may refer to captures before --from: they are read, and left out at the end. */
	out->filter.has_from = false;
	if (options->part.of < 2)
		return;
	out->filter.wanted = prn_elsewhere_wants;
	out->filter.wanted_context = &importer->elsewhere;
}

/* Remembers a readable source: its name, and for a part its path, to read it again. */
static int remember(struct prn_importer *importer, const char *path, struct prn_error *error)
{
	bool in_part = importer->options.part.of > 1;

	if (add_name(importer, path) || (in_part && prn_elsewhere_add(&importer->elsewhere, path)))
		return prn_error_memory(error);
	return 0;
}

int prn_importer_add(struct prn_importer *importer, const char *path, struct prn_error *error)
{
	struct asking asking = { .importer = importer, .tells = true, .before = importer->counts.sources, .outside = importer->outside };
	struct prn_source_options source_options;
	int code = importer->finished ? prn_error_set(error, PRN_E_ARGUMENT, "%s: the importer is finished", path) : 0, waited;

	if (!code && importer->options.part.of > 1)
		code = prn_elsewhere_check(path, error);
	if (code)
		return code;
	make_source_options(&asking, &source_options);
	if (prn_importer_is_trace(path)) {
		code = prn_importer_add_trace(importer, path, &source_options.filter, error);
		importer->counts.source_files += !code;
		return code ? code : remember(importer, path, error);
	}
	code = prn_source_open(&asking.source, path, &source_options, error);
	if (code == PRN_E_CANCELLED)
		return end_cancelled(error);
	if (code)
		return prn_importer_refuse(code, code == PRN_E_IO ? PRN_E_NOT_FOUND : PRN_E_UNSUPPORTED, error);
	code = prn_importer_take_rule(importer, path, PRN_FRAGMENT_RULE, error);
	if (code) {
		prn_source_free(asking.source);
		return code;
	}
	code = remember(importer, path, error);
	if (!code)
		code = read_source(&asking, error);
	waited = prn_extraction_wait(importer->extraction, code ? NULL : error);
	prn_source_free(asking.source);
	importer->counts.source_files++;
	return code ? code : waited;
}

/* Skipped items and early ends of a source were reported when it was first read. */
static int read_again(struct prn_importer *importer, const char *path, struct prn_error *error)
{
	struct asking asking = { .importer = importer };
	struct prn_source_options options;
	int got, code, waited;

	make_source_options(&asking, &options);
	options.skipped = NULL;
	if (prn_importer_is_trace(path))
		return prn_importer_add_trace(importer, path, &options.filter, error);
	got = prn_source_open(&asking.source, path, &options, error);
	if (got == PRN_E_CANCELLED)
		return end_cancelled(error);
	if (got)
		return prn_importer_refuse(got, PRN_E_IO, error);
	do {
		struct prn_capture capture;

		code = prn_importer_progress(importer, error);
		got = code ? 0 : prn_source_next(asking.source, &capture, NULL);
		if (got == 1)
			code = take_capture(importer, asking.source, &capture, error);
		else if (got == PRN_E_MEMORY)
			code = prn_error_memory(error);
		else if (got == PRN_E_CANCELLED)
			code = end_cancelled(error);
	} while (!code && got == 1);
	waited = prn_extraction_wait(importer->extraction, code ? NULL : error);
	prn_source_free(asking.source);
	return code ? code : waited;
}

int prn_importer_read_elsewhere(struct prn_importer *importer, struct prn_error *error)
{
	struct prn_elsewhere *elsewhere = &importer->elsewhere;
	int code = 0;

	while (!code && prn_elsewhere_next_pass(elsewhere))
		for (size_t i = 0; i < elsewhere->path_count && !code; i++)
			code = read_again(importer, elsewhere->paths[i], error);
	return code;
}

static int fill_options(struct prn_importer *importer, const struct prn_import_options *options, struct prn_error *error)
{
	struct prn_import_options *own = &importer->options;

	*own = *options;
	importer->has_links = own->links;
	if (!own->shingle_words)
		own->shingle_words = PRN_SHINGLE_WORDS;
	if (!own->body_bytes_max)
		own->body_bytes_max = PRN_BODY_BYTES;
	own->threads = prn_parallel_threads(own->threads);
	if (!own->memory_bytes)
		own->memory_bytes = PRN_IMPORT_MEMORY;
	if (own->shingle_words > PRN_SHINGLE_WORDS_MAX)
		return prn_error_set(error, PRN_E_ARGUMENT, "shingles can have 1 to %d words, not %u", PRN_SHINGLE_WORDS_MAX,
		                     own->shingle_words);
	if (own->body_bytes_max > PRN_IMPORT_BODY_MAX)
		return prn_error_set(error, PRN_E_ARGUMENT, "bodies can be read up to %zu bytes, not %zu", PRN_IMPORT_BODY_MAX,
		                     own->body_bytes_max);
	if (own->part.of > PRN_SLOTS || (own->part.of && (!own->part.number || own->part.number > own->part.of)))
		return prn_error_set(error, PRN_E_ARGUMENT, "there is no part %u of %u", own->part.number, own->part.of);
	return own->weights ? prn_weights_read(own->weights, &own->part, &importer->pages, &importer->counts.reweighted, error) : 0;
}

static int open_parts(struct prn_importer *importer, struct prn_error *error)
{
	const struct prn_import_options *options = &importer->options;
	size_t quarter = options->memory_bytes / 4, record = sizeof(struct prn_capture_record);
	int code = prn_spool_open(&importer->spool, options->folder, quarter / 2, error);

	if (!code)
		code = prn_sorter_open(&importer->captures, record, quarter, options->folder, prn_record_by_page, error);
	if (!code)
		code = prn_sorter_open(&importer->payloads, record, quarter, options->folder, prn_record_by_payload, error);
	if (!code)
		code = prn_extraction_open(&importer->extraction, options->threads, options->shingle_words, importer->spool,
		                           take_extracted, importer, error);
	if (!code && prn_elsewhere_init(&importer->elsewhere, options))
		code = prn_error_memory(error);
	return code;
}

int prn_importer_open(struct prn_importer **out, const struct prn_import_options *options, struct prn_error *error)
{
	struct prn_importer *importer = calloc(1, sizeof *importer);
	int code;

	if (!importer)
		return prn_error_memory(error);
	if (pthread_mutex_init(&importer->lock, NULL)) {
		free(importer);
		return prn_error_memory(error);
	}
	code = fill_options(importer, options, error);
	if (!code)
		code = open_parts(importer, error);
	if (code) {
		prn_importer_free(importer);
		return code;
	}
	*out = importer;
	return 0;
}

void prn_importer_free(struct prn_importer *importer)
{
	if (!importer)
		return;
	prn_extraction_free(importer->extraction);
	prn_sorter_free(importer->captures);
	prn_sorter_free(importer->payloads);
	prn_spool_free(importer->spool);
	prn_page_table_release(&importer->pages);
	prn_media_types_release(&importer->types);
	prn_elsewhere_release(&importer->elsewhere);
	for (size_t i = 0; i < importer->name_count; i++)
		free(importer->names[i]);
	free(importer->names);
	pthread_mutex_destroy(&importer->lock);
	free(importer);
}

const struct prn_import_counts *prn_importer_counts(const struct prn_importer *importer)
{
	return &importer->counts;
}
