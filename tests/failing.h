/*
 * Allocations that fail when a test says so: those that the objects linked into the test make themselves.  The test is
 * linked with failing_flags of tests/room.am.
 */
#ifndef TESTS_FAILING_H
#define TESTS_FAILING_H

#include <stdbool.h>
#include <stddef.h>

static size_t failing_at; /* 1: the next allocation fails, 2: the one after it; 0: none does */

static inline bool fails_now(void)
{
	return failing_at && !--failing_at;
}

void *__real_calloc(size_t count, size_t size);
void *__real_reallocarray(void *array, size_t count, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t length);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_reallocarray(void *array, size_t count, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t length);

void *__wrap_calloc(size_t count, size_t size)
{
	return fails_now() ? NULL : __real_calloc(count, size);
}

void *__wrap_reallocarray(void *array, size_t count, size_t size)
{
	return fails_now() ? NULL : __real_reallocarray(array, count, size);
}

char *__wrap_strdup(const char *text)
{
	return fails_now() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t length)
{
	return fails_now() ? NULL : __real_strndup(text, length);
}

#endif
