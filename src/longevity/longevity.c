#include "perennial/longevity.h"

#include "base/random.h"
#include "history/clusters.h"
#include "longevity/scope.h"
#include "perennial/digest.h"
#include "perennial/life.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A run over the pages. */
struct longevity_run {
	struct prn_longevity *longevity;
	const struct prn_pages *pages;
	const struct prn_longevity_options *options;
	struct prn_study *study;
	struct prn_page page;
	struct prn_poisson poisson; /* of the page */
};

/* The pages of one scope, in the form that prn_clusters_find takes. */
struct members {
	const struct prn_pages *pages;
	size_t *index; /* [count] */
};

static const char *member_url(void *context, size_t i)
{
	const struct members *members = context;

	return members->pages->url(members->pages->context, members->index[i]);
}

static bool is_member(const struct longevity_run *run, size_t scope, size_t page)
{
	return scope == run->pages->corpora || run->longevity->scope_count == 1 ||
	       run->pages->corpus(run->pages->context, page) == scope;
}

static int find_clusters(const struct longevity_run *run, size_t scope)
{
	struct prn_scope *s = &run->longevity->scopes[scope];
	struct members members = { .pages = run->pages, .index = calloc(run->pages->count + 1, sizeof(size_t)) };
	struct prn_pages view = { .context = &members, .url = member_url };
	int code;

	if (!members.index)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < run->pages->count; i++)
		if (is_member(run, scope, i))
			members.index[s->members++] = i;
	view.count = s->members;
	code = prn_clusters_find(&s->clusters, &view);
	free(members.index);
	return code;
}

/* Returns the stream of a page's draws.  It does not depend on the other pages, but on when the page was watched. */
static uint64_t stream_of(const struct prn_page *page, size_t i)
{
	uint64_t first = (uint64_t)page->captures->time;

	return (page->url ? prn_digest_bytes(page->url, strlen(page->url)).low : i) ^ prn_random_mix(&first);
}

/* Writes the p-value of the page; NaN if it was not judged. */
static int judge_page(struct longevity_run *run, size_t i, double *p)
{
	const bool *changed;
	size_t count;
	const double *waits = prn_study_waits(run->study, &changed, &count);
	int code;

	*p = NAN;
	if (!run->options->draws)
		return 0;
	code = prn_poisson_read(&run->poisson, waits, changed, count, run->options->seed, stream_of(&run->page, i));
	if (code > 0)
		*p = prn_poisson_p(&run->poisson);
	return code < 0 ? code : 0;
}

static int measure_page(struct longevity_run *run, size_t i, struct prn_error *error)
{
	struct prn_longevity *longevity = run->longevity;
	double p = NAN;
	int code = run->pages->read(run->pages->context, i, &run->page, error), studied;

	if (code < 0)
		return code;
	code = studied = prn_study_read(run->study, &run->page);
	if (code > 0)
		code = judge_page(run, i, &p);
	for (size_t scope = 0; scope < longevity->scope_count && !code; scope++) {
		struct prn_scope *s = &longevity->scopes[scope];

		if (!is_member(run, scope, i))
			continue;
		if (studied)
			code = prn_scope_add(s, run->study, &run->poisson, p);
		else
			prn_scope_leave_out(s);
	}
	if (code)
		return prn_error_set(error, code, "%s: %s", run->page.url, prn_error_text(code));
	if (!studied || !run->options->each)
		return 0;
	return run->options->each(run->options->context, i, &run->page, run->study, p, error);
}

static int run_open(struct longevity_run *run)
{
	struct prn_longevity *longevity = calloc(1, sizeof *longevity);
	int code;

	if (!longevity)
		return PRN_E_MEMORY;
	run->longevity = longevity;
	longevity->part = run->pages->part;
	longevity->scope_count = run->pages->corpora > 1 ? run->pages->corpora + 1 : 1;
	longevity->scopes = calloc(longevity->scope_count, sizeof *longevity->scopes);
	if (!longevity->scopes)
		return PRN_E_MEMORY;
	code = prn_study_open(&run->study);
	if (!code)
		code = prn_poisson_init(&run->poisson, run->options->draws);
	for (size_t i = 0; i < longevity->scope_count && !code; i++) {
		code = find_clusters(run, i);
		if (!code)
			code = prn_scope_open(&longevity->scopes[i], &run->pages->part, run->options->draws);
	}
	return code;
}

int prn_longevity_finish(struct prn_longevity *longevity, const struct prn_longevity_options *options, struct prn_error *error)
{
	const struct prn_scope *all = &longevity->scopes[longevity->scope_count - 1];
	int code = 0;

	if (!all->pages)
		return prn_error_set(error, PRN_E_NOT_FOUND, "no page has %d captures or more in its life: %zu left out",
		                     PRN_LIFE_CAPTURES, all->left_out);
	for (size_t i = 0; i < longevity->scope_count && !code; i++)
		code = prn_scope_finish(&longevity->scopes[i], options);
	return code ? prn_error_set(error, code, "%s", prn_error_text(code)) : 0;
}

int prn_longevity_run(struct prn_longevity **out, const struct prn_pages *pages,
                      const struct prn_longevity_options *options, struct prn_error *error)
{
	struct longevity_run run = { .pages = pages, .options = options };
	int code;

	prn_page_init(&run.page);
	code = run_open(&run);
	if (code) {
		prn_error_set(error, code, "%s", prn_error_text(code));
		goto out;
	}
	for (size_t i = 0; i < pages->count && !code; i++)
		code = measure_page(&run, i, error);
	if (code)
		goto out;
	if (pages->part.of < 2)
		code = prn_longevity_finish(run.longevity, options, error);
out:
	prn_page_release(&run.page);
	prn_study_free(run.study);
	prn_poisson_release(&run.poisson);
	if (code)
		prn_longevity_free(run.longevity);
	else
		*out = run.longevity;
	return code;
}

void prn_longevity_free(struct prn_longevity *longevity)
{
	if (!longevity)
		return;
	for (size_t i = 0; longevity->scopes && i < longevity->scope_count; i++)
		prn_scope_release(&longevity->scopes[i]);
	free(longevity->scopes);
	free(longevity);
}
