#include "report/learn.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The drift of every page of one corpus. */
struct corpus {
	struct prn_drifted *drift; /* [pages] */
	size_t pages;
};

static void *room(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		abort();
	return memory;
}

static int corpus_read(struct corpus *corpus, const struct prn_trace *trace, enum prn_clock clock, size_t threads,
                       struct prn_error *error)
{
	struct prn_trace_pool pool;
	struct prn_pages pages;
	struct prn_life *lives;
	int code = prn_trace_pool_init(&pool, &trace, 1, &pages);

	if (code)
		return prn_error_set(error, code, "%s", prn_error_text(code));
	lives = room(pages.count, sizeof *lives);
	corpus->drift = room(pages.count, sizeof *corpus->drift);
	code = prn_lives_read(lives, &pages, clock, threads, error);
	for (size_t i = 0; i < pages.count && !code; i++)
		if (lives[i].drift.time > 0)
			corpus->drift[corpus->pages++] = lives[i].drift;
	free(lives);
	prn_trace_pool_release(&pool);
	return code;
}

static void corpora_release(struct corpus *corpora, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(corpora[i].drift);
	free(corpora);
}

static int corpora_read(struct corpus **out, const struct term_inputs *inputs, enum prn_clock clock, size_t threads,
                        struct prn_error *error)
{
	struct corpus *corpora = room(inputs->count, sizeof *corpora);
	int code = 0;

	for (size_t i = 0; i < inputs->count && !code; i++)
		code = corpus_read(&corpora[i], inputs->traces[i], clock, threads, error);
	if (code)
		corpora_release(corpora, inputs->count);
	else
		*out = corpora;
	return code;
}

/* Pools the corpora that are not left out, and learns. */
static int learn(struct cli_prior *prior, const struct corpus *corpora, const bool *left_out, size_t count,
                 struct prn_error *error)
{
	struct corpus pool = { 0 };
	size_t all = 0;
	int code;

	for (size_t i = 0; i < count; i++)
		all += corpora[i].pages;
	pool.drift = room(all, sizeof *pool.drift);
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < corpora[i].pages && !(left_out && left_out[i]); j++)
			pool.drift[pool.pages++] = corpora[i].drift[j];
	prior->pages = pool.pages;
	code = prn_prior_learn(pool.drift, pool.pages, &prior->prior);
	free(pool.drift);
	if (code)
		return prn_error_set(error, code, "a prior cannot be learned from %zu pages", prior->pages);
	return 0;
}

int cli_prior_learn(struct cli_prior *prior, const struct term_inputs *inputs, enum prn_clock clock, size_t threads,
                    struct prn_error *error)
{
	struct corpus *corpora;
	int code = corpora_read(&corpora, inputs, clock, threads, error);

	if (code)
		return code;
	code = learn(prior, corpora, NULL, inputs->count, error);
	corpora_release(corpora, inputs->count);
	return code;
}

/* By what the names lead to: a corpus may be named in two ways. */
static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int learn_for(struct cli_prior *prior, const char *path, const struct term_inputs *inputs,
                     const struct corpus *corpora, struct prn_error *error)
{
	bool *left_out = room(inputs->count, sizeof *left_out);
	size_t others = 0;
	int code;

	for (size_t i = 0; i < inputs->count; i++) {
		left_out[i] = same_file(inputs->paths[i], path);
		others += !left_out[i];
	}
	if (others)
		code = learn(prior, corpora, left_out, inputs->count, error);
	else
		code = prn_error_set(error, PRN_E_RANGE,
		                     "%s is under test, and a prior for it cannot be learned from itself: name "
		                     "another corpus with --learn-prior",
		                     path);
	free(left_out);
	return code;
}

int cli_priors_learn(struct cli_prior *priors, const struct term_inputs *under_test, const struct term_list *paths,
                     enum prn_clock clock, size_t threads, struct prn_error *error)
{
	struct term_inputs inputs = { 0 };
	struct corpus *corpora = NULL;
	int code = term_inputs_open(&inputs, paths->items, paths->count, threads, error);

	if (!code)
		code = corpora_read(&corpora, &inputs, clock, threads, error);
	for (size_t i = 0; i < under_test->count && !code; i++)
		code = learn_for(&priors[i], under_test->paths[i], &inputs, corpora, error);
	if (corpora)
		corpora_release(corpora, inputs.count);
	term_inputs_release(&inputs);
	return code;
}

void cli_defaults_add(char **defaults, const char *key, const char *value)
{
	size_t length = strlen(*defaults) + strlen(key) + strlen(value) + 3;
	char *longer = room(length, 1);

	snprintf(longer, length, "%s%s%s=%s", *defaults, **defaults ? ":" : "", key, value);
	free(*defaults);
	*defaults = longer;
}

int cli_defaults_learn(char **defaults, const char *common, const struct term_inputs *under_test,
                       const struct term_list *paths, enum prn_clock clock, size_t threads, struct prn_error *error)
{
	struct cli_prior *priors = room(under_test->count, sizeof *priors);
	char value[32];
	int code = 0;

	if (paths->count)
		code = cli_priors_learn(priors, under_test, paths, clock, threads, error);
	for (size_t i = 0; i < under_test->count && !code; i++) {
		defaults[i] = strdup(common);
		if (!defaults[i])
			abort();
		if (!paths->count)
			continue;
		snprintf(value, sizeof value, "%.17g", priors[i].prior.alpha);
		cli_defaults_add(&defaults[i], "alpha", value);
		snprintf(value, sizeof value, "%.17g", priors[i].prior.beta);
		cli_defaults_add(&defaults[i], "beta", value);
	}
	free(priors);
	return code;
}
