/*
 * The corpora of the repository as a program reads them, and what the command says of them.
 */
#ifndef TESTS_CORPORA_H
#define TESTS_CORPORA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perennial/pages.h"
#include "tap.h"

#define CORPORA_MAX 4

struct corpora {
	const struct prn_trace *traces[CORPORA_MAX];
	struct prn_trace_pool pool;
	struct prn_pages pages;
};

static inline void corpora_open(struct corpora *corpora, const char *const *names, size_t count)
{
	struct prn_error error = { 0 };
	char path[4096];

	for (size_t i = 0; i < count; i++) {
		struct prn_trace *trace;

		snprintf(path, sizeof path, "%s/corpora/%s.trace", getenv("SRCDIR"), names[i]);
		if (prn_trace_open(&trace, path, &error)) {
			printf("Bail out! %s\n", error.text);
			exit(1);
		}
		corpora->traces[i] = trace;
	}
	if (prn_trace_pool_init(&corpora->pool, corpora->traces, count, &corpora->pages))
		abort();
}

static inline void corpora_close(struct corpora *corpora)
{
	for (size_t i = 0; i < corpora->pool.count; i++)
		prn_trace_free((struct prn_trace *)corpora->traces[i]);
	prn_trace_pool_release(&corpora->pool);
}

/* Whether this test can run the command, which `make check` says where to find. */
static inline bool has_command(void)
{
	return getenv("PERENNIAL") && getenv("SRCDIR");
}

/* The TSV that `perennial ARGUMENTS` prints, in the folder of the corpora; the caller frees it. */
static inline char *command_output(const char *arguments)
{
	char *command, *text = NULL;
	size_t capacity = 0;
	FILE *pipe;

	if (asprintf(&command, "cd \"$SRCDIR/corpora\" && \"$PERENNIAL\" %s --format=tsv 2>/dev/null", arguments) < 0)
		abort();
	pipe = popen(command, "r");
	if (!pipe || getdelim(&text, &capacity, 0, pipe) < 0) {
		free(text);
		text = strdup("");
	}
	if (pipe)
		pclose(pipe);
	free(command);
	return text;
}

/* Whether two tables are the same, cell by cell, to the last bit of each number; the header counts too. */
static inline bool same_table(const char *got, const char *want)
{
	while (*got || *want) {
		size_t a = strcspn(got, "\t\n"), b = strcspn(want, "\t\n");
		char *end_a, *end_b;
		double x = strtod(got, &end_a), y = strtod(want, &end_b);
		bool numbers = a && b && end_a == got + a && end_b == want + b;

		if (got[a] != want[b] || (numbers ? x < y || x > y : a != b || memcmp(got, want, a)))
			return false;
		got += a + !!got[a];
		want += b + !!want[b];
	}
	return true;
}

/* One check: a program's table is the command's. */
static inline void same_output(const char *got, const char *arguments, const char *claim)
{
	char *want = command_output(arguments);

	if (!ok(*want && same_table(got, want), "%s", claim))
		printf("# got:\n# %s\n# want:\n# %s\n", got, want);
	free(want);
}

#endif
