#include "base/json.h"

#include "perennial/error.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * If jansson gets no memory for a longer token, it drops a byte of the token, and what it then reads is wrong or means something
 * else.  So its allocations pass through the functions here, which call those that were set before.  A refusal is noted in a variable
 * of the thread, because jansson gives its functions no context.
 */
static _Thread_local bool refused;
static json_malloc_t allocate_before;
static json_free_t free_before;

static void *allocate(size_t bytes)
{
	void *memory = allocate_before(bytes);

	refused |= !memory;
	return memory;
}

static void release(void *memory)
{
	free_before(memory);
}

static void wrap_allocators(void)
{
	json_get_alloc_funcs(&allocate_before, &free_before);
	json_set_alloc_funcs(allocate, release);
}

/* A program may set other functions later (jansson allows that while nobody else uses it): then these are wrapped in turn. */
static void watch_memory(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	json_malloc_t present;
	json_free_t unused;

	pthread_once(&once, wrap_allocators);
	json_get_alloc_funcs(&present, &unused);
	if (present == allocate)
		return;
	pthread_mutex_lock(&lock);
	json_get_alloc_funcs(&present, &unused);
	if (present != allocate)
		wrap_allocators();
	pthread_mutex_unlock(&lock);
}

/* Returns the place after the quotation mark that ends the string which begins at `at`. */
static const char *skip_text(const char *at, const char *end)
{
	const char *mark, *escape;

	for (const char *from = at; (mark = memchr(from, '"', (size_t)(end - from))); from = mark + 1) {
		for (escape = mark; escape > from && escape[-1] == '\\';)
			escape--;
		if ((mark - escape) % 2 == 0)
			return mark + 1;
	}
	return end;
}

/* Returns where the first value beyond the limit begins; NULL: there is none. */
static const char *find_excess(const char *text, size_t length, size_t values)
{
	const char *at = text, *end = text + length;
	size_t found = 1;

	/* Every value but the first has a comma or a bracket before it. */
	if (length < values)
		return NULL;
	while (at < end && found <= values) {
		char byte = *at++;

		if (byte == '"')
			at = skip_text(at, end);
		else
			found += byte == ',' || byte == '[' || byte == '{';
	}
	return found > values ? at : NULL;
}

bool prn_json_exceeds(const char *text, size_t length, size_t values)
{
	return find_excess(text, length, values) != NULL;
}

int prn_json_load(const char *text, size_t length, size_t flags, size_t values, json_t **root, json_error_t *why)
{
	const char *excess = find_excess(text, length, values);
	json_t *read;

	if (excess) {
		*why = (json_error_t){ .line = -1, .column = -1, .position = excess - text < INT_MAX ? (int)(excess - text) : INT_MAX };
		snprintf(why->text, sizeof why->text, "more than %zu values", values);
		return PRN_E_LIMIT;
	}
	watch_memory();
	refused = false;
	read = json_loadb(text, length, flags, why);
	if (refused) {
		json_decref(read);
		return PRN_E_MEMORY;
	}
	if (!read)
		return PRN_E_INPUT;
	*root = read;
	return 0;
}

const char *prn_json_fault(int code)
{
	return code == PRN_E_LIMIT ? "too much JSON" : "not JSON";
}
