#include "history/extraction.h"

#include "base/buffer.h"
#include "perennial/extractor.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define JOBS_PER_THREAD 4
#define QUEUED_BYTES ((size_t)64 << 20) /* beyond this no body waits, however many may */
#define KEPT_BYTES ((size_t)1 << 20)    /* a job's buffer larger than this is given back */

struct job {
	struct prn_capture_record record;
	struct prn_buffer body, content_type;
	bool has_type;
	struct job *next;
};

struct prn_extraction {
	struct prn_spool *spool;
	prn_extraction_done_fn *done;
	void *context;
	struct prn_extractor **extractors; /* one a thread; the first is that of whoever hands in */
	pthread_t *threads;
	size_t thread_count; /* started */
	struct job *jobs;
	size_t job_count, slot_count; /* slots: threads asked for */
	unsigned shingle_words;

	pthread_mutex_t lock; /* of all below, and held while done is called */
	pthread_cond_t work, idle;
	struct job *free, *first, **last; /* the queue: first in, first out */
	size_t queued_bytes, busy;
	bool ending;
	int failed;
	struct prn_error error;
};

struct worker {
	struct prn_extraction *extraction;
	size_t slot;
};

/* Under the lock.  The first failure is the one that is told. */
static void fail(struct prn_extraction *extraction, int failed, const struct prn_error *error)
{
	if (extraction->failed)
		return;
	extraction->failed = failed;
	extraction->error = *error;
}

static int extract(struct prn_extraction *extraction, size_t slot, struct prn_capture_record *record, const void *body,
                   size_t length, const char *content_type, struct prn_error *error)
{
	struct prn_spool_set set;
	struct prn_summary summary;
	int failed = prn_extractor_summary(extraction->extractors[slot], body, length, content_type, &summary);

	if (failed == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (failed) {
		record->kind = PRN_KIND_ERROR;
		return 0;
	}
	failed = prn_spool_add(extraction->spool, &record->body, record->media, summary.hashes, summary.count, &set, error);
	if (failed)
		return failed;
	record->set_offset = set.offset;
	record->set_count = set.count;
	record->has_set = true;
	return 0;
}

/* Extracts without the lock, then tells under it; leaves it locked. */
static void process(struct prn_extraction *extraction, size_t slot, struct prn_capture_record *record, const void *body,
                    size_t length, const char *content_type)
{
	struct prn_error error = { 0 };
	int failed = extract(extraction, slot, record, body, length, content_type, &error);

	pthread_mutex_lock(&extraction->lock);
	if (!failed && !extraction->failed)
		failed = extraction->done(extraction->context, record, &error);
	if (failed)
		fail(extraction, failed, &error);
}

/* Under the lock: takes the oldest job of the queue, does it and puts it back; locked again at the end. */
static void do_job(struct prn_extraction *extraction, size_t slot)
{
	struct job *job = extraction->first;

	extraction->first = job->next;
	if (!extraction->first)
		extraction->last = &extraction->first;
	extraction->busy++;
	pthread_mutex_unlock(&extraction->lock);
	process(extraction, slot, &job->record, job->body.data, job->body.length,
	        job->has_type ? (const char *)job->content_type.data : NULL);
	extraction->busy--;
	extraction->queued_bytes -= job->body.length;
	if (job->body.capacity > KEPT_BYTES)
		prn_buffer_release(&job->body);
	job->next = extraction->free;
	extraction->free = job;
	pthread_cond_signal(&extraction->idle);
}

static void *work(void *context)
{
	struct worker *worker = context;
	struct prn_extraction *extraction = worker->extraction;

	pthread_mutex_lock(&extraction->lock);
	for (;;) {
		while (!extraction->first && !extraction->ending)
			pthread_cond_wait(&extraction->work, &extraction->lock);
		if (extraction->ending)
			break;
		do_job(extraction, worker->slot);
	}
	pthread_mutex_unlock(&extraction->lock);
	free(worker);
	return NULL;
}

static int open_extractors(struct prn_extraction *extraction, struct prn_error *error)
{
	for (size_t i = 0; i < extraction->slot_count; i++) {
		int failed = prn_extractor_open(&extraction->extractors[i], extraction->shingle_words, PRN_SUMMARY_ALL);

		if (failed == PRN_E_RANGE)
			return prn_error_set(error, failed, "shingles can have at most %d words", PRN_SHINGLE_WORDS_MAX);
		if (failed)
			return prn_error_memory(error);
	}
	return 0;
}

/* Fewer threads than asked for do the same work. */
static void start_threads(struct prn_extraction *extraction)
{
	for (size_t slot = 1; slot < extraction->slot_count; slot++) {
		struct worker *worker = malloc(sizeof *worker);

		if (!worker)
			return;
		*worker = (struct worker){ extraction, slot };
		if (pthread_create(&extraction->threads[extraction->thread_count], NULL, work, worker)) {
			free(worker);
			return;
		}
		extraction->thread_count++;
	}
}

int prn_extraction_open(struct prn_extraction **out, size_t threads, unsigned shingle_words, struct prn_spool *spool,
                        prn_extraction_done_fn *done, void *context, struct prn_error *error)
{
	struct prn_extraction *extraction = calloc(1, sizeof *extraction);
	int failed;

	if (!extraction)
		return prn_error_memory(error);
	extraction->spool = spool;
	extraction->done = done;
	extraction->context = context;
	extraction->shingle_words = shingle_words;
	extraction->slot_count = threads;
	extraction->job_count = JOBS_PER_THREAD * threads;
	extraction->last = &extraction->first;
	pthread_mutex_init(&extraction->lock, NULL);
	pthread_cond_init(&extraction->work, NULL);
	pthread_cond_init(&extraction->idle, NULL);
	extraction->extractors = calloc(threads, sizeof(struct prn_extractor *));
	extraction->threads = calloc(threads, sizeof(pthread_t));
	extraction->jobs = calloc(extraction->job_count, sizeof *extraction->jobs);
	failed = extraction->extractors && extraction->threads && extraction->jobs
	                 ? open_extractors(extraction, error)
	                 : prn_error_memory(error);
	if (failed) {
		prn_extraction_free(extraction);
		return failed;
	}
	for (size_t i = 0; i < extraction->job_count; i++) {
		extraction->jobs[i].next = extraction->free;
		extraction->free = &extraction->jobs[i];
	}
	start_threads(extraction);
	*out = extraction;
	return 0;
}

void prn_extraction_free(struct prn_extraction *extraction)
{
	if (!extraction)
		return;
	pthread_mutex_lock(&extraction->lock);
	extraction->ending = true;
	pthread_cond_broadcast(&extraction->work);
	pthread_mutex_unlock(&extraction->lock);
	for (size_t i = 0; i < extraction->thread_count; i++)
		pthread_join(extraction->threads[i], NULL);
	for (size_t i = 0; extraction->extractors && i < extraction->slot_count; i++)
		prn_extractor_free(extraction->extractors[i]);
	for (size_t i = 0; extraction->jobs && i < extraction->job_count; i++) {
		prn_buffer_release(&extraction->jobs[i].body);
		prn_buffer_release(&extraction->jobs[i].content_type);
	}
	pthread_mutex_destroy(&extraction->lock);
	pthread_cond_destroy(&extraction->work);
	pthread_cond_destroy(&extraction->idle);
	free(extraction->extractors);
	free(extraction->threads);
	free(extraction->jobs);
	free(extraction);
}

/* A job to fill, for which the caller works or waits as long as there is none or too much is queued. */
static struct job *take_free(struct prn_extraction *extraction, size_t length)
{
	struct job *job;

	while (!extraction->failed &&
	       (!extraction->free || (extraction->queued_bytes && extraction->queued_bytes + length > QUEUED_BYTES))) {
		if (extraction->first)
			do_job(extraction, 0);
		else
			pthread_cond_wait(&extraction->idle, &extraction->lock);
	}
	if (extraction->failed)
		return NULL;
	job = extraction->free;
	extraction->free = job->next;
	extraction->queued_bytes += length;
	return job;
}

static int fill(struct job *job, const struct prn_capture_record *record, const void *body, size_t length,
                const char *content_type)
{
	job->record = *record;
	job->next = NULL;
	job->has_type = content_type != NULL;
	prn_buffer_clear(&job->body);
	prn_buffer_clear(&job->content_type);
	if (content_type && (prn_buffer_append(&job->content_type, content_type, strlen(content_type)) ||
	                     prn_buffer_terminate(&job->content_type)))
		return PRN_E_MEMORY;
	return prn_buffer_append(&job->body, body, length);
}

/* Under the lock: the failure so far. */
static int told(const struct prn_extraction *extraction, struct prn_error *error)
{
	if (extraction->failed && error)
		*error = extraction->error;
	return extraction->failed;
}

static int enqueue(struct prn_extraction *extraction, const struct prn_capture_record *record, const void *body,
                   size_t length, const char *content_type)
{
	struct job *job = take_free(extraction, length);
	int failed;

	if (!job)
		return extraction->failed;
	pthread_mutex_unlock(&extraction->lock);
	failed = fill(job, record, body, length, content_type);
	pthread_mutex_lock(&extraction->lock);
	if (failed) {
		struct prn_error error;

		fail(extraction, prn_error_memory(&error), &error);
		return failed;
	}
	*extraction->last = job;
	extraction->last = &job->next;
	pthread_cond_signal(&extraction->work);
	return 0;
}

int prn_extraction_add(struct prn_extraction *extraction, const struct prn_capture_record *record, const void *body,
                       size_t length, const char *content_type, struct prn_error *error)
{
	int failed;

	if (!extraction->thread_count) {
		struct prn_capture_record copy = *record;

		process(extraction, 0, &copy, body, length, content_type);
	} else {
		pthread_mutex_lock(&extraction->lock);
		enqueue(extraction, record, body, length, content_type);
	}
	failed = told(extraction, error);
	pthread_mutex_unlock(&extraction->lock);
	return failed;
}

int prn_extraction_wait(struct prn_extraction *extraction, struct prn_error *error)
{
	int failed;

	pthread_mutex_lock(&extraction->lock);
	while (extraction->first || extraction->busy) {
		if (extraction->first)
			do_job(extraction, 0);
		else
			pthread_cond_wait(&extraction->idle, &extraction->lock);
	}
	failed = told(extraction, error);
	pthread_mutex_unlock(&extraction->lock);
	return failed;
}
