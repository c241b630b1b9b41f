#include "base/sorter.h"

#include "base/buffer.h"
#include "base/portable.h"
#include "base/temporary.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A sorted run in the file, and the part of it that is in memory while merging. */
struct sorted_run {
	uint64_t start, length;  /* in the file */
	uint64_t loaded;         /* bytes of it that have been in memory */
	unsigned char *buffer;
	size_t at, filled;       /* of buffer, in bytes */
};

/*
 * While adding, records [count] stand in buffer.  If they all fit they are read from there; else buffer is
 * spilled as the last run and gives way to buffers of the runs, and heap orders the runs that have records
 * left by their next one.
 */
struct prn_sorter {
	size_t record_bytes;
	prn_sorter_compare_fn *compare;
	const char *folder;
	unsigned char *buffer;
	size_t count, allocated, capacity; /* of buffer, in records */
	size_t next;                       /* the next record of buffer to hand out */
	uint64_t total, file_bytes;
	struct prn_temporary file; /* of the runs, if there are any */
	struct sorted_run *runs, **heap;
	size_t run_count, run_capacity, heap_count;
	bool spilled; /* file is open */
	bool sorted; /* adding has ended */
	bool taken;  /* the record at the top of the heap was handed out: step past it first */
	int failed;  /* since the last rewind, and why */
	struct prn_error why;
};

int prn_sorter_open(struct prn_sorter **out, size_t record_bytes, size_t memory_bytes, const char *folder,
                    prn_sorter_compare_fn *compare, struct prn_error *error)
{
	struct prn_sorter *sorter = calloc(1, sizeof *sorter);
	size_t capacity = memory_bytes / record_bytes;

	if (!sorter)
		return prn_error_memory(error);
	*sorter = (struct prn_sorter){ .record_bytes = record_bytes, .capacity = capacity < 2 ? 2 : capacity,
		                       .compare = compare, .folder = folder };
	*out = sorter;
	return 0;
}

void prn_sorter_free(struct prn_sorter *sorter)
{
	if (!sorter)
		return;
	for (size_t i = 0; i < sorter->run_count; i++)
		free(sorter->runs[i].buffer);
	free(sorter->runs);
	free(sorter->heap);
	free(sorter->buffer);
	if (sorter->spilled)
		prn_temporary_close(&sorter->file);
	free(sorter);
}

static int order(const struct prn_sorter *sorter, const void *a, const void *b)
{
	int by_key = sorter->compare(a, b);

	return by_key ? by_key : memcmp(a, b, sorter->record_bytes);
}

static int order_records(const void *a, const void *b, void *sorter)
{
	return order(sorter, a, b);
}

static void sort_buffer(struct prn_sorter *sorter)
{
	if (sorter->count)
		prn_sort_by(sorter->buffer, sorter->count, sorter->record_bytes, order_records, sorter);
}

static int spill(struct prn_sorter *sorter, struct prn_error *error)
{
	size_t length = sorter->count * sorter->record_bytes;
	struct sorted_run *runs;
	int code = sorter->spilled ? 0 : prn_temporary_open(&sorter->file, sorter->folder, error);

	if (code)
		return code;
	sorter->spilled = true;
	runs = prn_array_grow(sorter->runs, &sorter->run_capacity, sorter->run_count + 1, sizeof *runs);
	if (!runs)
		return prn_error_memory(error);
	sorter->runs = runs;
	sort_buffer(sorter);
	code = prn_temporary_write(&sorter->file, sorter->file_bytes, sorter->buffer, length, error);
	if (code)
		return code;
	runs[sorter->run_count++] = (struct sorted_run){ .start = sorter->file_bytes, .length = length };
	sorter->file_bytes += length;
	sorter->count = 0;
	return 0;
}

/* Small sorts stay small: the buffer doubles up to its capacity. */
static int make_room(struct prn_sorter *sorter, struct prn_error *error)
{
	size_t wanted = sorter->allocated ? 2 * sorter->allocated : 1024;
	unsigned char *buffer;

	if (sorter->count < sorter->allocated)
		return 0;
	if (sorter->allocated == sorter->capacity)
		return spill(sorter, error);
	if (wanted > sorter->capacity)
		wanted = sorter->capacity;
	buffer = realloc(sorter->buffer, wanted * sorter->record_bytes);
	if (!buffer)
		return prn_error_memory(error);
	sorter->buffer = buffer;
	sorter->allocated = wanted;
	return 0;
}

int prn_sorter_add(struct prn_sorter *sorter, const void *record, struct prn_error *error)
{
	int code = make_room(sorter, error);

	if (code)
		return code;
	memcpy(sorter->buffer + sorter->count++ * sorter->record_bytes, record, sorter->record_bytes);
	sorter->total++;
	return 0;
}

uint64_t prn_sorter_count(const struct prn_sorter *sorter)
{
	return sorter->total;
}

static int load(struct prn_sorter *sorter, struct sorted_run *run, struct prn_error *error)
{
	uint64_t left = run->length - run->loaded;
	size_t room = sorter->capacity / sorter->run_count, length;
	int code;

	length = (room ? room : 1) * sorter->record_bytes;
	if (!run->buffer)
		run->buffer = malloc(length);
	if (!run->buffer)
		return prn_error_memory(error);
	if (length > left)
		length = (size_t)left;
	code = prn_temporary_read(&sorter->file, run->start + run->loaded, run->buffer, length, error);
	if (code)
		return code;
	run->loaded += length;
	run->filled = length;
	run->at = 0;
	return 0;
}

static bool before(const struct prn_sorter *sorter, size_t a, size_t b)
{
	const struct sorted_run *x = sorter->heap[a], *y = sorter->heap[b];

	return order(sorter, x->buffer + x->at, y->buffer + y->at) < 0;
}

static void sift_down(struct prn_sorter *sorter, size_t at)
{
	for (;;) {
		size_t least = at, child = 2 * at + 1;
		struct sorted_run *moved = sorter->heap[at];

		if (child < sorter->heap_count && before(sorter, child, least))
			least = child;
		if (child + 1 < sorter->heap_count && before(sorter, child + 1, least))
			least = child + 1;
		if (least == at)
			return;
		sorter->heap[at] = sorter->heap[least];
		sorter->heap[least] = moved;
		at = least;
	}
}

static int start_merge(struct prn_sorter *sorter, struct prn_error *error)
{
	if (!sorter->heap)
		sorter->heap = malloc(sorter->run_count * sizeof(struct sorted_run *));
	if (!sorter->heap)
		return prn_error_memory(error);
	for (size_t i = 0; i < sorter->run_count; i++) {
		int code;

		sorter->runs[i].loaded = 0;
		code = load(sorter, &sorter->runs[i], error);
		if (code)
			return code;
		sorter->heap[i] = &sorter->runs[i];
	}
	sorter->heap_count = sorter->run_count;
	for (size_t i = sorter->heap_count / 2; i-- > 0;)
		sift_down(sorter, i);
	sorter->taken = false;
	sorter->failed = 0;
	return 0;
}

int prn_sorter_rewind(struct prn_sorter *sorter, struct prn_error *error)
{
	if (!sorter->sorted && sorter->run_count && sorter->count) {
		int code = spill(sorter, error);

		if (code)
			return code;
	}
	if (!sorter->sorted)
		sort_buffer(sorter);
	sorter->sorted = true;
	sorter->next = 0;
	if (!sorter->run_count)
		return 0;
	free(sorter->buffer);
	sorter->buffer = NULL;
	return start_merge(sorter, error);
}

/* Steps past the record at the top of the heap. */
static int step(struct prn_sorter *sorter, struct prn_error *error)
{
	struct sorted_run *run = sorter->heap[0];

	run->at += sorter->record_bytes;
	if (run->at == run->filled && run->loaded < run->length) {
		int code = load(sorter, run, error);

		if (code)
			return code;
	}
	if (run->at == run->filled)
		sorter->heap[0] = sorter->heap[--sorter->heap_count];
	sift_down(sorter, 0);
	return 0;
}

int prn_sorter_next(struct prn_sorter *sorter, const void **record, struct prn_error *error)
{
	if (!sorter->run_count) {
		if (sorter->next == sorter->count)
			return 0;
		*record = sorter->buffer + sorter->next++ * sorter->record_bytes;
		return 1;
	}
	if (sorter->taken && !sorter->failed) {
		sorter->failed = step(sorter, &sorter->why);
		sorter->taken = false;
	}
	if (sorter->failed) {
		if (error)
			*error = sorter->why;
		return sorter->failed;
	}
	if (!sorter->heap_count)
		return 0;
	*record = sorter->heap[0]->buffer + sorter->heap[0]->at;
	sorter->taken = true;
	return 1;
}
