#include "base/parallel.h"
#include "base/temporary.h"
#include "history/digest_numbers.h"
#include "history/import_internal.h"
#include "history/links.h"
#include "history/page_check.h"
#include "history/page_codec.h"
#include "history/trace_replay.h"
#include "history/revisits.h"
#include "history/stripes.h"
#include "history/trace_format.h"
#include "history/trace_write.h"
#include "perennial/extractor.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A batch of whole pages is built in parallel; it ends when any of these is reached. */
#define BATCH_PAGES 1024
#define BATCH_RECORDS ((size_t)1 << 16)
#define BATCH_HASHES ((uint64_t)1 << 23) /* hashes to read, over all versions of all pages */

/* The records of one page of the batch. */
struct item {
	size_t first, count;
};

/* A capture with content, and its media type. */
struct typed {
	const char *name;
	size_t at;
};

/* What a thread needs to build pages. */
struct builder {
	struct prn_stripes stripes;
	struct prn_page page;
	uint64_t *hashes;
	size_t capacity;
	struct prn_links links;
	const struct prn_capture_record **linked; /* for each body, by its first capture: the record that has its links */
	size_t linked_capacity;
	struct typed *typed; /* scratch */
	size_t typed_capacity;
	struct prn_buffer encoded;
};

struct finisher {
	struct prn_importer *importer;
	struct prn_trace_about about; /* version of the trace that is written */
	struct prn_sorter *found;
	const void *heads[2]; /* the next records of importer->captures and of found; NULL at the end */

	struct prn_capture_record *records;
	size_t record_count, record_capacity;
	uint64_t hashes;
	struct item *items;
	size_t item_count;
	struct builder *builders; /* one a thread */

	pthread_mutex_t lock; /* protects everything below while pages are built, and the counts and offsets of pages */
	struct prn_temporary file; /* encoded pages, each stored as soon as it is built */
	bool has_file;
	uint64_t pages_end;
};

static int advance(struct finisher *finisher, int which, struct prn_error *error)
{
	struct prn_sorter *sorter = which ? finisher->found : finisher->importer->captures;
	int got = prn_sorter_next(sorter, &finisher->heads[which], error);

	if (got < 1)
		finisher->heads[which] = NULL;
	return got < 0 ? got : 0;
}

static int start(struct finisher *finisher, struct prn_error *error)
{
	int code = prn_sorter_rewind(finisher->importer->captures, error);

	if (!code)
		code = prn_sorter_rewind(finisher->found, error);
	if (!code)
		code = advance(finisher, 0, error);
	return code ? code : advance(finisher, 1, error);
}

/* Returns which of the two streams has the next record, or -1. */
static int next_stream(const struct finisher *finisher)
{
	const void *a = finisher->heads[0], *b = finisher->heads[1];
	int order;

	if (!a || !b)
		return a ? 0 : b ? 1 : -1;
	order = prn_record_by_page(a, b);
	return (order ? order : memcmp(a, b, sizeof(struct prn_capture_record))) <= 0 ? 0 : 1;
}

/* Appends a record to the batch unless it already contains one of the same page and second, which takes precedence. */
static int take_record(struct finisher *finisher, const struct prn_capture_record *record, struct prn_error *error)
{
	struct prn_import_counts *counts = &finisher->importer->counts;
	struct prn_capture_record *records;
	struct item *item = finisher->item_count ? &finisher->items[finisher->item_count - 1] : NULL;

	if (record->outside)
		return 0;
	if (item && finisher->records[finisher->record_count - 1].page == record->page) {
		if (finisher->records[finisher->record_count - 1].time == record->time) {
			counts->duplicates++;
			return 0;
		}
	} else {
		item = &finisher->items[finisher->item_count++];
		item->first = finisher->record_count;
		item->count = 0;
	}
	records = prn_array_grow(finisher->records, &finisher->record_capacity, finisher->record_count + 1, sizeof *records);
	if (!records)
		return prn_error_memory(error);
	finisher->records = records;
	records[finisher->record_count++] = *record;
	item->count++;
	counts->digests += record->is_digest;
	counts->captures[record->kind]++;
	if (record->has_set)
		finisher->hashes += record->set_count;
	return 0;
}

/* Fills the batch with whole pages; an empty one means the end. */
static int fill_batch(struct finisher *finisher, struct prn_error *error)
{
	int stream, code = 0;

	finisher->item_count = finisher->record_count = 0;
	finisher->hashes = 0;
	while (!code && (stream = next_stream(finisher)) >= 0) {
		const struct prn_capture_record *record = finisher->heads[stream];
		bool enough = finisher->item_count == BATCH_PAGES || finisher->record_count >= BATCH_RECORDS ||
		              finisher->hashes >= BATCH_HASHES;

		if (enough && finisher->records[finisher->record_count - 1].page != record->page)
			break;
		code = take_record(finisher, record, error);
		if (!code)
			code = advance(finisher, stream, error);
	}
	return code;
}

/* A capture's body, and its position. */
struct body {
	struct prn_digest digest;
	size_t at;
};

static int body_order(const void *a, const void *b)
{
	const struct body *x = a, *y = b;
	int order = prn_digest_compare(&x->digest, &y->digest);

	return order ? order : (x->at > y->at) - (x->at < y->at);
}

/* Sets for each capture the first one with the same body; a capture without a body has that of the one before. */
static int find_bodies(const struct prn_capture_record *records, struct prn_page *page)
{
	struct body *bodies = malloc((page->capture_count + 1) * sizeof *bodies);
	struct prn_page_capture *captures = page->captures;
	size_t count = 0, first = 0;

	if (!bodies)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < page->capture_count; i++)
		if (records[i].has_set && !records[i].no_body)
			bodies[count++] = (struct body){ records[i].body, i };
	qsort(bodies, count, sizeof *bodies, body_order);
	for (size_t i = 0; i < count; i++) {
		if (!i || prn_digest_compare(&bodies[i].digest, &bodies[i - 1].digest))
			first = bodies[i].at;
		captures[bodies[i].at].body = (uint32_t)first + 1;
		captures[bodies[i].at].body_bytes = records[first].body_bytes;
		/* The first payload digest is kept: others of the same bytes were sent in another encoding. */
		if (records[bodies[i].at].has_payload && records[bodies[i].at].kind == PRN_KIND_CONTENT &&
		    !captures[first].payload.high && !captures[first].payload.low)
			captures[first].payload = records[bodies[i].at].payload;
	}
	for (size_t i = 1; i < page->capture_count; i++)
		if (!records[i].has_set) {
			captures[i].body = captures[i - 1].body;
			captures[i].body_bytes = captures[i - 1].body_bytes;
		}
	free(bodies);
	return 0;
}

static int take_captures(const struct prn_capture_record *records, size_t count, struct prn_page *page)
{
	struct prn_page_capture *captures = prn_array_grow(page->captures, &page->capture_capacity, count, sizeof *captures);

	if (!captures)
		return PRN_E_MEMORY;
	page->captures = captures;
	page->capture_count = count;
	for (size_t i = 0; i < count; i++)
		captures[i] = (struct prn_page_capture){ .time = records[i].time, .modified = records[i].modified,
			                                 .kind = (enum prn_kind)records[i].kind };
	return find_bodies(records, page);
}

/* Reads a record's fragments back into builder->hashes. */
static int read_hashes(struct finisher *finisher, struct builder *builder, const struct prn_capture_record *record,
                       struct prn_error *error)
{
	struct prn_spool_set set = { record->set_offset, record->set_count };
	uint64_t *hashes = prn_array_grow(builder->hashes, &builder->capacity, set.count, sizeof *hashes);

	if (!hashes)
		return prn_error_memory(error);
	builder->hashes = hashes;
	return prn_spool_read(finisher->importer->spool, &set, hashes, error);
}

static int take_version(struct finisher *finisher, struct builder *builder, const struct prn_capture_record *record,
                        size_t capture, struct prn_error *error)
{
	int code = read_hashes(finisher, builder, record, error);

	if (code)
		return code;
	code = prn_stripes_version(&builder->stripes, capture, builder->hashes, record->set_count);
	return code == PRN_E_MEMORY ? prn_error_memory(error) : code;
}

static int finish_stripes(struct builder *builder, struct prn_error *error)
{
	int code = prn_stripes_finish(&builder->stripes, &builder->page);

	return code == PRN_E_MEMORY ? prn_error_memory(error) : code;
}

/* The properties of a fetched body that a trace would have. */
static int read_content(struct finisher *finisher, struct builder *builder, const struct prn_capture_record *record,
                          struct prn_digest *content, struct prn_error *error)
{
	int code = read_hashes(finisher, builder, record, error);

	if (!code)
		*content = prn_trace_replayed_content(builder->hashes, record->set_count, record->body_bytes);
	return code;
}

/* A fetched body, as a trace would describe it. */
struct fetched {
	struct prn_digest content;
	uint32_t ordinal;
};

struct fetched_bodies {
	struct prn_digest_numbers bodies, contents; /* 1 + the number among all, and how many occurred with each */
	struct fetched *all;
	uint32_t count;
};

static int replace_body(struct finisher *finisher, struct builder *builder, struct prn_capture_record *record, struct fetched_bodies *fetched,
                  struct prn_error *error)
{
	uint32_t *which = prn_digest_numbers_of(&fetched->bodies, &record->body);
	struct fetched *own = &fetched->all[*which ? *which - 1 : fetched->count];
	int code = *which ? 0 : read_content(finisher, builder, record, &own->content, error);

	if (code)
		return code;
	if (!*which) {
		own->ordinal = ++*prn_digest_numbers_of(&fetched->contents, &own->content);
		*which = ++fetched->count;
	}
	record->body = prn_trace_replayed_digest(&own->content, own->ordinal);
	return 0;
}

/*
 * A body from a trace and a fetched body are taken to be the same if their fragments and lengths are equal: the
 * first fetched one is the first one of this content in the trace, and so on.
 */
static int replace_fetched(struct finisher *finisher, struct builder *builder, struct prn_capture_record *records, size_t count,
                          struct prn_error *error)
{
	struct fetched_bodies fetched = { .all = calloc(count + 1, sizeof *fetched.all) };
	int code = 0;

	if (!fetched.all || prn_digest_numbers_begin(&fetched.bodies, count) || prn_digest_numbers_begin(&fetched.contents, count))
		code = prn_error_memory(error);
	for (size_t i = 0; i < count && !code; i++)
		if (records[i].has_set && !records[i].from_trace)
			code = replace_body(finisher, builder, &records[i], &fetched, error);
	prn_digest_numbers_release(&fetched.bodies);
	prn_digest_numbers_release(&fetched.contents);
	free(fetched.all);
	return code;
}

/* An older trace has no bodies.  No unknown body follows a known one: it is identified by its fragments. */
static int identify_unknown(struct finisher *finisher, struct builder *builder, struct prn_capture_record *records, size_t count,
                        struct prn_error *error)
{
	bool known = false;
	int code = 0;

	for (size_t i = 0; i < count && !code; i++) {
		if (records[i].has_set && records[i].no_body && known) {
			code = read_content(finisher, builder, &records[i], &records[i].body, error);
			records[i].no_body = false;
		}
		known |= records[i].has_set && !records[i].no_body;
	}
	return code;
}

/*
 * The latest capture of whose body the links are known.  For a revisit this is another capture of the same page
 * with the same body: links of another page are not those of this one, even with equal bodies.
 */
static int find_linked(struct builder *builder, const struct prn_capture_record *records, size_t count, size_t *linked,
                       const struct prn_capture_record **holder)
{
	const struct prn_page_capture *captures = builder->page.captures;
	const struct prn_capture_record **of_body =
		prn_array_grow(builder->linked, &builder->linked_capacity, count + 1, sizeof *of_body);

	*holder = NULL;
	if (!of_body)
		return PRN_E_MEMORY;
	builder->linked = of_body;
	for (size_t i = 0; i <= count; i++)
		of_body[i] = NULL;
	for (size_t i = 0; i < count; i++)
		if (records[i].has_links && captures[i].body)
			of_body[captures[i].body] = &records[i];
	for (size_t i = count; i && !*holder; i--) {
		*holder = !records[i - 1].has_set ? NULL : records[i - 1].has_links ? &records[i - 1] : of_body[captures[i - 1].body];
		*linked = i;
	}
	return 0;
}

static int take_links(struct finisher *finisher, struct builder *builder, const struct item *item, struct prn_error *error)
{
	struct prn_page *page = &builder->page;
	const struct prn_capture_record *holder;
	struct prn_spool_set set;
	size_t linked = 0;
	int code;

	page->linked = 0;
	page->link_count = 0;
	if (!finisher->importer->has_links)
		return 0;
	if (find_linked(builder, finisher->records + item->first, item->count, &linked, &holder))
		return prn_error_memory(error);
	if (!holder)
		return 0;
	set = (struct prn_spool_set){ holder->set_offset, holder->set_count };
	code = prn_spool_read_links(finisher->importer->spool, &set, &builder->links, error);
	if (code)
		return code;
	/* The page borrows them while it is encoded. */
	page->links = builder->links.keys;
	page->link_count = builder->links.count;
	page->linked = (uint32_t)linked;
	return 0;
}

static int typed_order(const void *a, const void *b)
{
	const struct typed *x = a, *y = b;

	return x->name == y->name ? 0 : strcmp(x->name, y->name);
}

/* Appends a name to those of the page, unless it is the previous one; returns where it begins. */
static int take_type(struct prn_page *page, const struct typed *before, const struct typed *typed)
{
	size_t bytes = strlen(typed->name) + 1;
	char *media;

	if (before && before->name == typed->name) {
		page->captures[typed->at].media = page->captures[before->at].media;
		return 0;
	}
	media = prn_array_grow(page->media, &page->media_capacity, page->media_length + bytes, 1);
	if (!media)
		return PRN_E_MEMORY;
	page->media = media;
	memcpy(media + page->media_length, typed->name, bytes);
	page->captures[typed->at].media = (uint32_t)page->media_length + 1;
	page->media_length += bytes;
	return 0;
}

/* Sets the media types of a page's content; its captures must be set. */
static int take_media(struct finisher *finisher, struct builder *builder, const struct item *item)
{
	const struct prn_capture_record *records = finisher->records + item->first;
	struct typed *typed = prn_array_grow(builder->typed, &builder->typed_capacity, item->count + 1, sizeof *typed);
	size_t count = 0;
	int code = 0;

	if (!typed)
		return PRN_E_MEMORY;
	builder->typed = typed;
	builder->page.media_length = 0;
	if (!finisher->about.media)
		return 0;
	for (size_t i = 0; i < item->count; i++)
		if (records[i].type && records[i].kind == PRN_KIND_CONTENT)
			typed[count++] = (struct typed){ prn_media_types_name(&finisher->importer->types, records[i].type), i };
	qsort(typed, count, sizeof *typed, typed_order);
	for (size_t i = 0; i < count && !code; i++)
		code = take_type(&builder->page, i ? &typed[i - 1] : NULL, &typed[i]);
	return code;
}

/* PRN_E_LIMIT, without a text: the history of the page is too long. */
static int build(struct finisher *finisher, struct builder *builder, const struct item *item, struct prn_error *error)
{
	struct prn_capture_record *records = finisher->records + item->first;
	const struct prn_capture_record *before = NULL;
	size_t from_trace = 0;
	int code = 0;

	for (size_t i = 0; i < item->count; i++)
		from_trace += records[i].from_trace;
	if (from_trace && from_trace < item->count)
		code = replace_fetched(finisher, builder, records, item->count, error);
	if (!code)
		code = identify_unknown(finisher, builder, records, item->count, error);
	if (!code && (take_captures(records, item->count, &builder->page) || take_media(finisher, builder, item)))
		code = prn_error_memory(error);

	for (size_t i = 0; i < item->count && !code; i++) {
		const struct prn_capture_record *record = &records[i];

		if (!record->has_set)
			continue;
		if (!before || before->set_offset != record->set_offset || before->set_count != record->set_count)
			code = take_version(finisher, builder, record, i, error);
		before = record;
	}
	if (!code)
		code = finish_stripes(builder, error);
	if (code == PRN_E_LIMIT)
		prn_stripes_drop(&builder->stripes);
	if (!code)
		code = take_links(finisher, builder, item, error);
	builder->page.weight = finisher->importer->pages.entries[records->page].weight;
	return code;
}

/* One page must not end the import of all others; called by one thread at a time. */
static void leave_out(struct finisher *finisher, const struct item *item)
{
	struct prn_page_entry *entry = &finisher->importer->pages.entries[finisher->records[item->first].page];
	struct prn_error why;

	entry->captured = false;
	finisher->importer->counts.too_long++;
	prn_error_set(&why, PRN_E_LIMIT, "%s: the history of this page is too long: it is left out", entry->url);
	prn_importer_skip(finisher->importer, &why);
}

/* Stores the builder's page, which is encoded; called by one thread at a time. */
static int store(struct finisher *finisher, const struct builder *builder, const struct item *item, struct prn_error *error)
{
	struct prn_page_entry *entry = &finisher->importer->pages.entries[finisher->records[item->first].page];
	struct prn_import_counts *counts = &finisher->importer->counts;

	entry->offset = finisher->pages_end;
	entry->length = builder->encoded.length;
	finisher->pages_end += entry->length;
	counts->stripes += builder->page.stripe_count;
	counts->links += builder->page.link_count;
	counts->pages++;
	return prn_temporary_write(&finisher->file, entry->offset, builder->encoded.data, builder->encoded.length, error);
}

static int build_item(void *context, size_t thread, size_t which, struct prn_error *error)
{
	struct finisher *finisher = context;
	const struct item *item = &finisher->items[which];
	struct builder *builder = &finisher->builders[thread];
	int code = build(finisher, builder, item, error);

	if (!code)
		code = prn_page_check(&builder->page, error);
	prn_buffer_clear(&builder->encoded);
	if (!code && prn_page_encode(&builder->page, prn_trace_written_version(&finisher->about), &builder->encoded))
		code = prn_error_memory(error);
	if (code && code != PRN_E_LIMIT)
		return code;
	pthread_mutex_lock(&finisher->lock);
	if (code || builder->encoded.length > PRN_TRACE_PAGE_BYTES) {
		leave_out(finisher, item);
		code = 0;
	} else {
		code = store(finisher, builder, item, error);
	}
	pthread_mutex_unlock(&finisher->lock);
	return code;
}

static int build_pages(struct finisher *finisher, struct prn_error *error)
{
	size_t threads = finisher->importer->options.threads;
	int code = start(finisher, error);

	while (!code) {
		code = fill_batch(finisher, error);
		if (code || !finisher->item_count)
			break;
		code = prn_parallel_for(finisher->item_count, threads, build_item, finisher, error);
		if (!code)
			code = prn_importer_progress(finisher->importer, error);
	}
	return code;
}

static int write_pages(struct finisher *finisher, const uint32_t *order, struct prn_trace_writer *writer,
                       struct prn_error *error)
{
	const struct prn_page_table *pages = &finisher->importer->pages;
	struct prn_buffer bytes;
	int code = 0;

	prn_buffer_init(&bytes);
	for (size_t i = 0; i < pages->count && !code; i++) {
		const struct prn_page_entry *entry = &pages->entries[order[i]];

		if (!entry->captured)
			continue;
		prn_buffer_clear(&bytes);
		if (prn_buffer_reserve(&bytes, (size_t)entry->length))
			code = prn_error_memory(error);
		if (!code)
			code = prn_temporary_read(&finisher->file, entry->offset, bytes.data, (size_t)entry->length, error);
		if (!code)
			code = prn_trace_writer_add_encoded(writer, entry->spelling ? entry->spelling : entry->url, bytes.data,
			                                    (size_t)entry->length, error);
	}
	prn_buffer_release(&bytes);
	return code;
}

static int write_trace(struct finisher *finisher, const char *path, struct prn_error *error)
{
	const struct prn_importer *importer = finisher->importer;
	struct prn_trace_about *about = &finisher->about;
	struct prn_trace_writer *writer = NULL;
	struct prn_buffer provenance;
	uint32_t *order = prn_page_table_order(&importer->pages);
	int code = order ? 0 : prn_error_memory(error);

	prn_buffer_init(&provenance);
	if (!code && prn_importer_provenance(importer, &provenance))
		code = prn_error_memory(error);
	about->provenance = (char *)provenance.data;
	if (!code)
		code = prn_trace_writer_open(&writer, path, about, error);
	if (!code) {
		code = prn_trace_writer_use_threads(writer, importer->options.threads, error);
		if (!code)
			code = write_pages(finisher, order, writer, error);
		if (code)
			prn_trace_writer_free(writer);
		else
			code = prn_trace_writer_close(writer, error);
	}
	free(order);
	prn_buffer_release(&provenance);
	return code;
}

static int open_finisher(struct finisher *finisher, struct prn_error *error)
{
	size_t threads = finisher->importer->options.threads;
	int code;

	finisher->about = (struct prn_trace_about){
		.fragment_rule = finisher->importer->fragment_rule ? finisher->importer->fragment_rule : PRN_FRAGMENT_RULE,
		.shingle_words = finisher->importer->options.shingle_words,
		.links = finisher->importer->has_links,
		.media = !finisher->importer->typeless,
	};
	finisher->items = calloc(BATCH_PAGES, sizeof *finisher->items);
	finisher->builders = calloc(threads, sizeof *finisher->builders);
	if (!finisher->items || !finisher->builders)
		return prn_error_memory(error);
	for (size_t i = 0; i < threads; i++)
		prn_page_init(&finisher->builders[i].page);
	code = prn_temporary_open(&finisher->file, finisher->importer->options.folder, error);
	finisher->has_file = !code;
	return code;
}

static void close_finisher(struct finisher *finisher)
{
	for (size_t i = 0; finisher->builders && i < finisher->importer->options.threads; i++) {
		prn_stripes_release(&finisher->builders[i].stripes);
		finisher->builders[i].page.links = NULL; /* borrowed */
		prn_page_release(&finisher->builders[i].page);
		prn_links_release(&finisher->builders[i].links);
		free(finisher->builders[i].linked);
		free(finisher->builders[i].typed);
		free(finisher->builders[i].hashes);
		prn_buffer_release(&finisher->builders[i].encoded);
	}
	free(finisher->items);
	free(finisher->builders);
	free(finisher->records);
	prn_sorter_free(finisher->found);
	if (finisher->has_file)
		prn_temporary_close(&finisher->file);
}

int prn_importer_finish(struct prn_importer *importer, const char *trace_path, struct prn_error *error)
{
	struct finisher finisher = { .importer = importer, .lock = PTHREAD_MUTEX_INITIALIZER };
	int code = importer->finished ? prn_error_set(error, PRN_E_ARGUMENT, "%s: the importer is finished", trace_path) : 0;

	if (code)
		return code;
	importer->finished = true;
	code = open_finisher(&finisher, error);
	for (size_t i = 0; i < importer->pages.count; i++) {
		const struct prn_page_entry *entry = &importer->pages.entries[i];

		importer->counts.weighted += entry->weighted && entry->captured;
		importer->counts.unweighted += entry->weighted && !entry->captured;
	}
	if (!code)
		code = prn_importer_read_elsewhere(importer, error);
	if (!code)
		code = prn_revisits_resolve(importer, &finisher.found, error);
	if (!code)
		code = build_pages(&finisher, error);
	if (!code)
		code = write_trace(&finisher, trace_path, error);
	close_finisher(&finisher);
	pthread_mutex_destroy(&finisher.lock);
	return code;
}
