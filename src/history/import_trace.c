#include "archive/filter.h"
#include "archive/passed.h"
#include "history/import_internal.h"
#include "history/links.h"
#include "history/trace_replay.h"
#include "perennial/trace.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One trace that is being imported. */
struct reading {
	struct prn_importer *importer;
	const struct prn_source_filter *filter;
	const struct prn_trace *trace;
	bool by_media; /* the filter's media types are checked for each capture */
	struct prn_page page;
	struct prn_trace_replay replay;
	const char *normal;
	struct prn_spool_set set; /* of the last capture with content */
};

bool prn_importer_is_trace(const char *path)
{
	struct stat about;
	char magic[8];
	int file;
	bool is;

	/*
	 * A file that can be read only once is not opened; without memory to open a trace, it must not count as
	 * something else.
	 */
	if (!strcmp(path, "-") || stat(path, &about) || !S_ISREG(about.st_mode))
		return false;
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	is = read(file, magic, sizeof magic) == sizeof magic && !memcmp(magic, "PRNTRACE", sizeof magic);
	close(file);
	return is;
}

static bool brings_content(enum prn_kind kind)
{
	return kind == PRN_KIND_CONTENT || kind == PRN_KIND_REDIRECT;
}

/* Returns the known payload digest of a capture with content, or NULL. */
static const struct prn_digest *payload_of(const struct prn_page *page, size_t i)
{
	const struct prn_page_capture *capture = &page->captures[i];
	const struct prn_digest *payload = capture->body ? &page->captures[capture->body - 1].payload : NULL;

	return capture->kind == PRN_KIND_CONTENT && payload && (payload->high || payload->low) ? payload : NULL;
}

/* Tells whether a capture is taken; *outside is set if only revisits may use it. */
static bool is_taken(const struct reading *reading, size_t i, bool *outside)
{
	const struct prn_page_capture *capture = &reading->page.captures[i];
	const struct prn_importer *importer = reading->importer;
	const struct prn_source_filter *filter = &importer->options.filter;
	bool early = filter->has_from && capture->time < filter->from;

	*outside = early || importer->elsewhere.pass != PRN_PASS_OWN;
	if (early && !brings_content(capture->kind))
		return false;
	return prn_filter_capture(reading->filter, reading->normal, capture->time, payload_of(&reading->page, i));
}

/* As with any source, captures without content or without a type are all taken. */
static bool has_wanted_media(const struct reading *reading, size_t i)
{
	struct prn_importer *importer = reading->importer;
	const char *type = reading->by_media ? prn_page_media(&reading->page, i) : NULL;

	if (!type || prn_filter_media(reading->filter, type))
		return true;
	if (importer->elsewhere.pass == PRN_PASS_OWN) {
		importer->counts.sources.other_media++;
		prn_passed_add(importer->counts.sources.passed, type, strlen(type), 1);
	}
	return false;
}

/* Stores the fragments of a capture with content in the spool, once for consecutive captures with the same ones. */
static int take_version(struct reading *reading, size_t i, struct prn_capture_record *record, struct prn_error *error)
{
	const struct prn_page *page = &reading->page;
	const struct prn_page_capture *capture = &page->captures[i];
	const struct prn_links links = { page->links, page->link_count, 0 };
	struct prn_trace_replay *replay = &reading->replay;
	const struct prn_digest *payload = payload_of(&reading->page, i);
	bool again;

	record->has_payload = payload;
	if (payload)
		record->payload = *payload;
	else
		reading->importer->lacks_digests |= capture->kind == PRN_KIND_CONTENT;
	if (prn_trace_replay_version(replay, i, &again))
		return prn_error_memory(error);
	record->no_body = !prn_trace_replay_body(replay, i, &record->body);
	record->body_bytes = record->no_body ? 0 : capture->body_bytes;
	record->has_links = page->linked == i + 1;
	if (!again || record->has_links) {
		struct prn_digest content = prn_trace_replayed_content(replay->hashes, replay->count, 0);
		int code = prn_spool_add(reading->importer->spool, &content, 0, replay->hashes, replay->count,
		                         record->has_links ? &links : NULL, &reading->set, error);

		if (code)
			return code;
	}
	record->set_offset = reading->set.offset;
	record->set_count = reading->set.count;
	record->has_set = true;
	return 0;
}

static int count_capture(struct reading *reading, const struct prn_page_capture *capture, uint32_t page, bool outside,
                         struct prn_error *error)
{
	struct prn_importer *importer = reading->importer;
	struct prn_source_counts *counts = &importer->counts.sources;

	if (importer->elsewhere.pass == PRN_PASS_OWN) {
		counts->captures += !outside;
		counts->filtered += outside;
	}
	if (!outside && prn_page_table_spell(&importer->pages, page, reading->page.url, capture->time))
		return prn_error_memory(error);
	if (!outside && (reading->page.weight < 1 || reading->page.weight > 1))
		prn_page_table_weigh(&importer->pages, page, reading->page.weight, capture->time);
	return 0;
}

static int take_capture(struct reading *reading, size_t i, struct prn_error *error)
{
	struct prn_importer *importer = reading->importer;
	const struct prn_page_capture *capture = &reading->page.captures[i];
	struct prn_capture_record record = { .time = capture->time, .modified = capture->modified, .kind = (uint8_t)capture->kind,
		                             .refers_time = PRN_TIME_UNKNOWN, .from_trace = true };
	bool outside = false, taken = is_taken(reading, i, &outside) && has_wanted_media(reading, i);
	int code = prn_media_types_add(&importer->types, prn_page_media(&reading->page, i), &record.type) ? prn_error_memory(error) : 0;

	record.media = record.type;
	if (!code && taken && brings_content(capture->kind))
		code = take_version(reading, i, &record, error);
	if (code)
		return code;
	if (!taken) {
		importer->counts.sources.filtered += importer->elsewhere.pass == PRN_PASS_OWN;
		return 0;
	}
	if (prn_page_table_add(&importer->pages, reading->normal, &record.page))
		return prn_error_memory(error);
	record.outside = outside;
	code = count_capture(reading, capture, record.page, outside, error);
	return code ? code : prn_importer_keep(importer, &record, error);
}

static int take_pages(struct reading *reading, struct prn_error *error)
{
	struct prn_importer *importer = reading->importer;
	const struct prn_elsewhere *elsewhere = &importer->elsewhere;
	int code = 0;

	for (size_t i = 0; i < prn_trace_pages(reading->trace) && !code; i++) {
		reading->normal = prn_trace_normal_url(reading->trace, i);
		/* A page of which nothing is wanted at any time is not read: a part passes most of them over. */
		if (prn_part_has(&elsewhere->part, reading->normal) != (elsewhere->pass == PRN_PASS_OWN))
			continue;
		code = prn_trace_page(reading->trace, i, &reading->page, error);
		if (!code && prn_trace_replay_begin(&reading->replay, &reading->page))
			code = prn_error_memory(error);
		for (size_t j = 0; j < reading->page.capture_count && !code; j++)
			code = take_capture(reading, j, error);
		if (!code)
			code = prn_importer_progress(importer, error);
	}
	return code;
}

int prn_importer_refuse(int failed, int code, struct prn_error *error)
{
	if (failed == PRN_E_MEMORY)
		return failed;
	if (error)
		error->code = code;
	return code;
}

int prn_importer_take_rule(struct prn_importer *importer, const char *path, uint32_t rule, struct prn_error *error)
{
	if (importer->fragment_rule && importer->fragment_rule != rule)
		return prn_error_set(error, PRN_E_UNSUPPORTED,
		                     "%s: its fragments are made by rule %u, and those of the sources before it by rule %u: "
		                     "they cannot be compared, and are to be traces of their own",
		                     path, rule, importer->fragment_rule);
	importer->fragment_rule = rule;
	return 0;
}

/*
 * Checks that a trace matches this import: the length of its fragments, its media types, and the rule of the
 * other sources.
 */
static int check_trace(struct prn_importer *importer, const char *path, const struct prn_trace *trace, bool by_media,
                       struct prn_error *error)
{
	const struct prn_trace_about *about = prn_trace_about(trace);
	unsigned k = importer->options.shingle_words;
	bool has_media = true;

	if (about->shingle_words != k)
		return prn_error_set(error, PRN_E_UNSUPPORTED, "%s: its fragments have %u words, and those of this import %u: give --shingle=%u",
		                     path, about->shingle_words, k, about->shingle_words);
	if (by_media && !about->media &&
	    prn_provenance_has_media(about->provenance, &importer->options.filter, &has_media))
		return prn_error_memory(error);
	if (!has_media)
		return prn_error_set(error, PRN_E_UNSUPPORTED,
		                     "%s: this trace does not tell of which media types its captures are, and was not made with the same "
		                     "--media: import again what it was made of",
		                     path);
	return prn_importer_take_rule(importer, path, about->fragment_rule, error);
}

int prn_importer_add_trace(struct prn_importer *importer, const char *path, const struct prn_source_filter *filter,
                           struct prn_error *error)
{
	struct reading reading = { .importer = importer, .filter = filter };
	/* Unless media types are requested, a trace has those of the import that made it. */
	bool by_media = filter->media_count && !filter->media_by_default;
	struct prn_trace *trace = NULL;
	int code = prn_trace_open(&trace, path, error);

	if (code)
		return prn_importer_refuse(code, PRN_E_UNSUPPORTED, error);
	code = check_trace(importer, path, trace, by_media, error);
	if (code)
		goto out;
	reading.trace = trace;
	reading.by_media = by_media && prn_trace_about(trace)->media;
	importer->has_links |= prn_trace_about(trace)->links;
	importer->typeless |= !prn_trace_about(trace)->media;
	prn_page_init(&reading.page);
	prn_trace_replay_init(&reading.replay);
	code = take_pages(&reading, error);
	prn_page_release(&reading.page);
	prn_trace_replay_release(&reading.replay);
out:
	prn_trace_free(trace);
	return code;
}
