#include "perennial/patterns.h"

#include "perennial/life.h"
#include "perennial/url.h"

#include <stdlib.h>
#include <string.h>

/* A page with the data that decide its pattern. */
struct place {
	const char *host; /* in its URL */
	size_t host_bytes;
	char *pattern;
	uint64_t visits;
	struct prn_evidence evidence;
};

static int host_order(const struct place *a, const struct place *b)
{
	size_t shorter = a->host_bytes < b->host_bytes ? a->host_bytes : b->host_bytes;
	int order = memcmp(a->host, b->host, shorter);

	return order ? order : (a->host_bytes > b->host_bytes) - (a->host_bytes < b->host_bytes);
}

static int place_order(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = host_order(x, y);

	return order ? order : strcmp(x->pattern, y->pattern);
}

/* Lists the pages that have a life and a URL; *count is their number. */
static int find_places(struct place *places, size_t *count, const struct prn_pages *pages, const struct prn_life *lives,
                       double half)
{
	char text[PRN_PATTERN_BYTES + 1];

	for (size_t i = 0; i < pages->count; i++) {
		const struct prn_drifted *drift = &lives[i].drift;
		const char *url = pages->url(pages->context, i);
		struct place *place = &places[*count];

		if (!lives[i].captures || !(drift->time > 0) || !url)
			continue;
		prn_url_pattern(url, text);
		place->host = prn_url_host(url, &place->host_bytes);
		place->visits = lives[i].captures;
		place->evidence = prn_evidence_of(drift->moved, drift->time, half);
		place->pattern = strdup(text);
		if (!place->pattern)
			return PRN_E_MEMORY;
		++*count;
	}
	qsort(places, *count, sizeof *places, place_order);
	return 0;
}

static const struct prn_evidence nothing = { 0, 0 };

/* Finds the patterns of places [count], which are of one host. */
static int list_host(struct prn_patterns *patterns, const struct place *places, size_t count, double mean)
{
	struct prn_siblings siblings = { nothing, nothing };
	size_t end;

	for (size_t i = 0; i < count; i++)
		prn_evidence_replace(&siblings.host, &nothing, &places[i].evidence);
	for (size_t from = 0; from < count; from = end) {
		struct prn_pattern *pattern = &patterns->list[patterns->count];

		pattern->host = strndup(places[0].host, places[0].host_bytes);
		pattern->text = strdup(places[from].pattern);
		patterns->count++;
		if (!pattern->host || !pattern->text)
			return PRN_E_MEMORY;
		siblings.pattern = nothing;
		for (end = from; end < count && !strcmp(places[end].pattern, pattern->text); end++) {
			prn_evidence_replace(&siblings.pattern, &nothing, &places[end].evidence);
			pattern->visits += places[end].visits;
		}
		pattern->pages = end - from;
		pattern->drift = prn_siblings_rate(&siblings, mean);
	}
	return 0;
}

int prn_patterns_learn(struct prn_patterns *patterns, const struct prn_pages *pages, const struct prn_prior *prior,
                       enum prn_clock clock, size_t threads, struct prn_error *error)
{
	size_t n = pages->count, count = 0, end;
	struct place *places = n < SIZE_MAX ? calloc(n + 1, sizeof *places) : NULL;
	struct prn_life *lives = n < SIZE_MAX ? calloc(n + 1, sizeof *lives) : NULL;
	struct prn_patterns out = { .list = n < SIZE_MAX ? calloc(n + 1, sizeof *out.list) : NULL };
	int code = places && lives && out.list ? prn_lives_read(lives, pages, clock, threads, error) : PRN_E_MEMORY;

	if (!code)
		code = find_places(places, &count, pages, lives, PRN_SIBLINGS_HALF * prior->beta);
	for (size_t from = 0; from < count && !code; from = end) {
		for (end = from + 1; end < count && !host_order(&places[from], &places[end]); end++)
			;
		code = list_host(&out, &places[from], end - from, prior->alpha / prior->beta);
	}
	if (code == PRN_E_MEMORY)
		prn_error_memory(error);
	for (size_t i = 0; places && i < n; i++)
		free(places[i].pattern);
	free(places);
	free(lives);
	if (code)
		prn_patterns_release(&out);
	else
		*patterns = out;
	return code;
}

void prn_patterns_release(struct prn_patterns *patterns)
{
	for (size_t i = 0; i < patterns->count; i++) {
		free(patterns->list[i].host);
		free(patterns->list[i].text);
	}
	free(patterns->list);
	*patterns = (struct prn_patterns){ 0 };
}
