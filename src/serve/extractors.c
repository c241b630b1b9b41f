#include "serve/extractors.h"
#include "base/buffer.h"

#include <pthread.h>
#include <stdlib.h>

struct serve_extractors {
	pthread_mutex_t lock;
	struct prn_extractor **idle; /* [count] */
	size_t count, capacity;
	unsigned words;
	size_t hashes;
};

int serve_extractors_open(struct serve_extractors **out, unsigned words, size_t hashes, struct prn_error *error)
{
	struct serve_extractors *extractors = calloc(1, sizeof *extractors);

	if (!extractors)
		return prn_error_memory(error);
	pthread_mutex_init(&extractors->lock, NULL);
	extractors->words = words;
	extractors->hashes = hashes;
	*out = extractors;
	return 0;
}

void serve_extractors_free(struct serve_extractors *extractors)
{
	if (!extractors)
		return;
	for (size_t i = 0; i < extractors->count; i++)
		prn_extractor_free(extractors->idle[i]);
	pthread_mutex_destroy(&extractors->lock);
	free(extractors->idle);
	free(extractors);
}

int serve_extractors_borrow(struct serve_extractors *extractors, struct prn_extractor **out, struct prn_error *error)
{
	struct prn_extractor *extractor = NULL;
	int code;

	pthread_mutex_lock(&extractors->lock);
	if (extractors->count)
		extractor = extractors->idle[--extractors->count];
	pthread_mutex_unlock(&extractors->lock);
	if (!extractor) {
		code = prn_extractor_open(&extractor, extractors->words, extractors->hashes);
		if (code)
			return prn_error_set(error, code, "no extractor: %s", prn_error_text(code));
	}
	*out = extractor;
	return 0;
}

void serve_extractors_return(struct serve_extractors *extractors, struct prn_extractor *extractor)
{
	struct prn_extractor **idle;

	if (!extractor)
		return;
	pthread_mutex_lock(&extractors->lock);
	idle = prn_array_grow(extractors->idle, &extractors->capacity, extractors->count + 1, sizeof *idle);
	if (idle) {
		extractors->idle = idle;
		idle[extractors->count++] = extractor;
	}
	pthread_mutex_unlock(&extractors->lock);
	if (!idle)
		prn_extractor_free(extractor);
}
