#include "history/extraction.h"

#include "base/buffer.h"
#include "base/pipeline.h"
#include "history/links.h"
#include "perennial/extractor.h"
#include "perennial/url.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define JOBS_PER_THREAD 4
#define QUEUED_BYTES ((size_t)64 << 20) /* bodies with more bytes than this in total do not wait, however many are allowed */
#define KEPT_BYTES ((size_t)1 << 20)    /* a larger buffer of a job is freed */

struct job {
	struct prn_pipeline_item item;
	struct prn_capture_record record;
	struct prn_buffer body, content_type;
	bool has_type;
	const char *url; /* NULL: its links are not wanted */
};

struct prn_extraction {
	struct prn_spool *spool;
	prn_extraction_done_fn *done;
	void *context;
	struct prn_extractor **extractors; /* one a thread; the first is that of the caller */
	struct prn_links *links;           /* as many */
	size_t extractor_count;
	struct job *jobs;
	size_t job_count;
	struct prn_pipeline *pipeline;

	pthread_mutex_t lock; /* protects everything below; also held while done is called */
	int failed;
	struct prn_error error;
};

uint64_t prn_extraction_media(const struct prn_capture_record *record, const char *url)
{
	return url ? record->media ^ prn_url_key(url).low : record->media;
}

static int extract(struct prn_extraction *extraction, size_t thread, struct prn_capture_record *record, const void *body,
                   size_t length, const char *content_type, const char *url, struct prn_error *error)
{
	struct prn_extractor *extractor = extraction->extractors[thread];
	struct prn_links *links = url ? &extraction->links[thread] : NULL;
	struct prn_spool_set set;
	struct prn_summary summary;
	int code;

	prn_extractor_read_references(extractor, links);
	code = prn_extractor_summary(extractor, body, length, content_type, &summary);
	if (!code && links)
		code = record->kind == PRN_KIND_REDIRECT ? prn_links_redirect(url, body, length, links)
		                                         : prn_links_resolve(url, prn_extractor_references(extractor), links);
	if (code)
		return prn_error_memory(error);
	code = prn_spool_add(extraction->spool, &record->body, prn_extraction_media(record, url), summary.hashes, summary.count,
	                     links, &set, error);
	if (code)
		return code;
	record->has_links = links;
	record->cut = (uint8_t)prn_extractor_cut(extraction->extractors[thread]);
	record->set_offset = set.offset;
	record->set_count = set.count;
	record->has_set = true;
	return 0;
}

/* The first failure is reported; later jobs are skipped. */
static void process(struct prn_extraction *extraction, size_t thread, struct prn_capture_record *record, const void *body,
                    size_t length, const char *content_type, const char *url)
{
	struct prn_error error = { 0 };
	int code = extract(extraction, thread, record, body, length, content_type, url, &error);

	pthread_mutex_lock(&extraction->lock);
	if (!code && !extraction->failed)
		code = extraction->done(extraction->context, record, &error);
	if (code && !extraction->failed) {
		extraction->failed = code;
		extraction->error = error;
		prn_pipeline_cancel(extraction->pipeline);
	}
	pthread_mutex_unlock(&extraction->lock);
}

static size_t work(void *context, size_t thread, struct prn_pipeline_item *item)
{
	struct job *job = (struct job *)item;

	process(context, thread, &job->record, job->body.data, job->body.length,
	        job->has_type ? (const char *)job->content_type.data : NULL, job->url);
	if (job->body.capacity > KEPT_BYTES)
		prn_buffer_release(&job->body);
	return 0;
}

static int open_parts(struct prn_extraction *extraction, size_t threads, unsigned shingle_words, struct prn_error *error)
{
	const struct prn_pipeline_options options = { .threads = threads - 1,
		                                      .queued_most = JOBS_PER_THREAD * threads,
		                                      .bytes_most = QUEUED_BYTES,
		                                      .work = work,
		                                      .context = extraction };

	extraction->job_count = JOBS_PER_THREAD * threads;
	extraction->extractors = calloc(threads, sizeof *extraction->extractors);
	extraction->jobs = calloc(extraction->job_count, sizeof *extraction->jobs);
	extraction->links = calloc(threads, sizeof *extraction->links);
	if (!extraction->extractors || !extraction->jobs || !extraction->links)
		return prn_error_memory(error);
	while (extraction->extractor_count < threads) {
		int code = prn_extractor_open(&extraction->extractors[extraction->extractor_count], shingle_words,
		                              PRN_SUMMARY_ALL);

		if (code == PRN_E_ARGUMENT)
			return prn_error_set(error, code, "shingles can have at most %d words", PRN_SHINGLE_WORDS_MAX);
		if (code)
			return prn_error_memory(error);
		extraction->extractor_count++;
	}
	if (prn_pipeline_open(&extraction->pipeline, &options))
		return prn_error_memory(error);
	for (size_t i = 0; i < extraction->job_count; i++)
		prn_pipeline_give(extraction->pipeline, &extraction->jobs[i].item);
	return 0;
}

int prn_extraction_open(struct prn_extraction **out, size_t threads, unsigned shingle_words, struct prn_spool *spool,
                        prn_extraction_done_fn *done, void *context, struct prn_error *error)
{
	struct prn_extraction *extraction = calloc(1, sizeof *extraction);
	int code;

	if (!extraction)
		return prn_error_memory(error);
	extraction->spool = spool;
	extraction->done = done;
	extraction->context = context;
	pthread_mutex_init(&extraction->lock, NULL);
	code = open_parts(extraction, threads, shingle_words, error);
	if (code)
		prn_extraction_free(extraction);
	else
		*out = extraction;
	return code;
}

void prn_extraction_free(struct prn_extraction *extraction)
{
	if (!extraction)
		return;
	prn_pipeline_free(extraction->pipeline);
	for (size_t i = 0; i < extraction->extractor_count; i++) {
		prn_extractor_free(extraction->extractors[i]);
		prn_links_release(&extraction->links[i]);
	}
	for (size_t i = 0; extraction->jobs && i < extraction->job_count; i++) {
		prn_buffer_release(&extraction->jobs[i].body);
		prn_buffer_release(&extraction->jobs[i].content_type);
	}
	pthread_mutex_destroy(&extraction->lock);
	free(extraction->extractors);
	free(extraction->links);
	free(extraction->jobs);
	free(extraction);
}

struct prn_spare *prn_extraction_spare(const struct prn_extraction *extraction)
{
	return prn_pipeline_spare(extraction->pipeline);
}

static int fill(struct job *job, const struct prn_capture_record *record, const void *body, size_t length,
                struct prn_buffer *held, const char *content_type, const char *url)
{
	struct prn_buffer before = job->body;

	job->record = *record;
	job->url = url;
	job->has_type = content_type != NULL;
	prn_buffer_clear(&job->body);
	prn_buffer_clear(&job->content_type);
	if (content_type && (prn_buffer_append(&job->content_type, content_type, strlen(content_type)) ||
	                     prn_buffer_terminate(&job->content_type)))
		return PRN_E_MEMORY;
	if (!held)
		return prn_buffer_append(&job->body, body, length);
	job->body = *held;
	job->body.length = length;
	*held = before;
	prn_buffer_clear(held);
	return 0;
}

/* Returns the failure so far. */
static int first_failure(struct prn_extraction *extraction, struct prn_error *error)
{
	int code;

	pthread_mutex_lock(&extraction->lock);
	code = extraction->failed;
	if (code && error)
		*error = extraction->error;
	pthread_mutex_unlock(&extraction->lock);
	return code;
}

int prn_extraction_add(struct prn_extraction *extraction, const struct prn_capture_record *record, const void *body,
                       size_t length, struct prn_buffer *held, const char *content_type, const char *url,
                       struct prn_error *error)
{
	struct job *job;

	/* Without threads it need not copy the body. */
	if (!prn_pipeline_threads(extraction->pipeline)) {
		struct prn_capture_record copy = *record;

		process(extraction, 0, &copy, body, length, content_type, url);
		return first_failure(extraction, error);
	}
	job = (struct job *)prn_pipeline_take(extraction->pipeline, length);
	if (!job)
		return first_failure(extraction, error);
	if (fill(job, record, body, length, held, content_type, url)) {
		prn_pipeline_give(extraction->pipeline, &job->item);
		return prn_error_memory(error);
	}
	prn_pipeline_hand_in(extraction->pipeline, &job->item);
	return first_failure(extraction, error);
}

int prn_extraction_wait(struct prn_extraction *extraction, struct prn_error *error)
{
	prn_pipeline_drain(extraction->pipeline);
	return first_failure(extraction, error);
}
