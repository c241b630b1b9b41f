/*
 * What a connection remembers of questions that were not answered in time, so that not each of those after them waits as long.
 *
 * An object whose placement group is inactive is silent though others answer.  Once it was waited for in vain, operations on it
 * fail at once.  In their place a probe is sent, which nobody waits for longer than PROBE_WAIT_S; when a probe is answered, so are
 * operations.
 *
 * If nothing at all was answered while an operation waited, the cluster is silent.  Then operations on other objects are tried one at
 * a time, and all others fail at once, until one is answered.
 */
#include "store/rados_internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

#define PLACES 4096 /* of silent objects; of two at one place the older is forgotten, and may be waited for again */
#define PROBES 8    /* at a time */

/* An OSD that is there answers within this time, so that nothing fails in vain when it comes back. */
#define PROBE_WAIT_S .1
#define PROBE_LOOKS 10 /* in that time */

struct probe {
	uint64_t object;
	rados_completion_t completion; /* NULL: none is under way */
};

struct prn_rados_silence {
	bool writes;
	_Atomic uint64_t answers; /* ever */
	_Atomic bool is_silent, is_tried; /* of the cluster */

	pthread_mutex_t lock; /* of the following */
	_Atomic size_t count; /* of silent objects; read without the lock to see that there is none */
	uint64_t objects[PLACES]; /* hashes of their names; 0: none */
	struct probe probes[PROBES];
};

struct prn_rados_silence *prn_rados_silence_make(bool writes)
{
	struct prn_rados_silence *silence = calloc(1, sizeof *silence);

	if (silence) {
		silence->writes = writes;
		pthread_mutex_init(&silence->lock, NULL);
	}
	return silence;
}

void prn_rados_silence_free(struct prn_rados_silence *silence, const struct prn_rados_cluster *cluster)
{
	if (!silence)
		return;
	for (size_t i = 0; i < PROBES; i++) {
		rados_completion_t completion = silence->probes[i].completion;

		if (!completion)
			continue;
		cluster->library.aio_cancel(cluster->pool, completion);
		cluster->library.aio_wait_for_complete(completion);
		cluster->library.aio_release(completion);
	}
	pthread_mutex_destroy(&silence->lock);
	free(silence);
}

static uint64_t *place_of(struct prn_rados_silence *silence, uint64_t object)
{
	return &silence->objects[object % PLACES];
}

static void note_silent(struct prn_rados_silence *silence, uint64_t object)
{
	pthread_mutex_lock(&silence->lock);
	silence->count += !*place_of(silence, object);
	*place_of(silence, object) = object;
	pthread_mutex_unlock(&silence->lock);
}

/* With the lock. */
static void forget(struct prn_rados_silence *silence, uint64_t object)
{
	if (*place_of(silence, object) != object)
		return;
	*place_of(silence, object) = 0;
	silence->count--;
}

/* Sends what changes nothing to an object; the caller releases the completion.  NULL: it could not be sent */
static rados_completion_t send_probe(const struct prn_rados_cluster *cluster, const char *name, bool writes)
{
	const struct prn_rados_library *library = &cluster->library;
	rados_completion_t completion;
	int answer;

	if (library->aio_create_completion2(NULL, NULL, &completion))
		return NULL;
	if (writes) {
		rados_write_op_t operation = library->create_write_op();

		/* No object has that version. */
		library->write_op_assert_version(operation, INT64_MAX);
		answer = library->aio_write_op_operate(operation, cluster->pool, completion, name, NULL, 0);
		library->release_write_op(operation);
	} else {
		rados_read_op_t operation = library->create_read_op();

		library->read_op_assert_version(operation, INT64_MAX);
		answer = library->aio_read_op_operate(operation, cluster->pool, completion, name, 0);
		library->release_read_op(operation);
	}
	if (!answer)
		return completion;
	library->aio_release(completion);
	return NULL;
}

/* With the lock. */
static bool is_probed(const struct prn_rados_silence *silence, uint64_t object)
{
	for (const struct probe *probe = silence->probes; probe < silence->probes + PROBES; probe++)
		if (probe->completion && probe->object == object)
			return true;
	return false;
}

/* With the lock: sends a probe, unless one is under way or there are too many.  Returns whether it was sent. */
static bool begin_probe(struct prn_rados_silence *silence, const struct prn_rados_cluster *cluster, const char *name, uint64_t object)
{
	struct probe *probe = silence->probes;

	while (probe < silence->probes + PROBES && probe->completion)
		probe++;
	if (probe == silence->probes + PROBES || is_probed(silence, object))
		return false;
	*probe = (struct probe){ object, send_probe(cluster, name, silence->writes) };
	return probe->completion;
}

/* With the lock: takes the answers of probes. */
static void hear_probes(struct prn_rados_silence *silence, const struct prn_rados_library *library)
{
	for (struct probe *probe = silence->probes; probe < silence->probes + PROBES; probe++) {
		if (!probe->completion || !library->aio_is_complete(probe->completion))
			continue;
		if (library->aio_get_return_value(probe->completion) != -ETIMEDOUT)
			forget(silence, probe->object);
		library->aio_release(probe->completion);
		probe->completion = NULL;
	}
}

/* With the lock. */
static bool is_known(struct prn_rados_silence *silence, const struct prn_rados_library *library, uint64_t object)
{
	hear_probes(silence, library);
	return *place_of(silence, object) == object;
}

/* Whether an object is known to be silent.  Whoever sends a probe looks for a moment whether it is answered. */
static bool is_still_silent(struct prn_rados_silence *silence, const struct prn_rados_cluster *cluster, const char *name, uint64_t object)
{
	const struct timespec wait = { 0, (long)(1e9 * PROBE_WAIT_S / PROBE_LOOKS) };
	bool is_silent, waits;

	pthread_mutex_lock(&silence->lock);
	is_silent = is_known(silence, &cluster->library, object);
	waits = is_silent && begin_probe(silence, cluster, name, object);
	for (unsigned looks = 0; waits; looks++) {
		is_silent = is_known(silence, &cluster->library, object);
		waits = is_silent && is_probed(silence, object) && looks < PROBE_LOOKS;
		if (!waits)
			break;
		pthread_mutex_unlock(&silence->lock);
		nanosleep(&wait, NULL);
		pthread_mutex_lock(&silence->lock);
	}
	pthread_mutex_unlock(&silence->lock);
	return is_silent;
}

bool prn_rados_may_ask(struct prn_rados_silence *silence, const struct prn_rados_cluster *cluster, const char *name, struct prn_rados_question *question)
{
	bool nobody = false;

	*question = (struct prn_rados_question){ .object = XXH3_64bits(name, strlen(name)), .answers = silence->answers };
	if (silence->count && is_still_silent(silence, cluster, name, question->object))
		return false;
	if (silence->is_silent)
		question->is_try = atomic_compare_exchange_strong(&silence->is_tried, &nobody, true);
	return !silence->is_silent || question->is_try;
}

void prn_rados_heard(struct prn_rados_silence *silence, const struct prn_rados_question *question, int answer)
{
	if (answer == -ETIMEDOUT) {
		note_silent(silence, question->object);
		if (silence->answers == question->answers)
			silence->is_silent = true;
	} else {
		silence->answers++;
		silence->is_silent = false;
		if (silence->count) {
			pthread_mutex_lock(&silence->lock);
			forget(silence, question->object);
			pthread_mutex_unlock(&silence->lock);
		}
	}
	if (question->is_try)
		silence->is_tried = false;
}
