#include "base/buffer.h"
#include "base/portable.h"
#include "history/synth_walk.h"
#include "perennial/extractor.h"
#include "perennial/trace.h"

#include <stdlib.h>
#include <string.h>

#define RUNS_MAX ((size_t)1 << 31)

/* Adds the fragments of an item with the given run: its hashes are a random stream by page, region and item. */
static int add_item(struct prn_page *history, uint64_t seed, uint64_t item, uint32_t fragments, struct prn_run run)
{
	struct prn_run *runs;
	struct prn_stripe *stripes;
	uint64_t mix = seed;

	if (history->stripe_count + fragments > RUNS_MAX)
		return PRN_E_LIMIT;
	runs = prn_array_grow(history->runs, &history->run_capacity, history->run_count + 1, sizeof *runs);
	if (!runs)
		return PRN_E_MEMORY;
	history->runs = runs;
	stripes = prn_array_grow(history->stripes, &history->stripe_capacity, history->stripe_count + fragments,
	                         sizeof *stripes);
	if (!stripes)
		return PRN_E_MEMORY;
	history->stripes = stripes;
	mix = prn_random_mix(&mix) ^ item;
	mix = prn_random_mix(&mix);
	for (uint32_t i = 0; i < fragments; i++)
		stripes[history->stripe_count++] =
			(struct prn_stripe){ prn_random_mix(&mix), (uint32_t)history->run_count, 1 };
	runs[history->run_count++] = run;
	return 0;
}

/* updates[c] is the newest item at capture c; the items from updates[c] - K + 1 on are in the page. */
static int add_region(struct prn_page *history, uint64_t seed, const struct prn_synth_region *region,
                      const uint64_t *updates)
{
	uint32_t captures = (uint32_t)history->capture_count, end = 0;
	uint64_t item = 0;
	int code = 0;

	for (uint32_t c = 0; c < captures; c++) {
		uint64_t oldest = updates[c] + 1 - region->items;

		/* Items that came and went between two captures were never seen. */
		if (item < oldest)
			item = oldest;
		for (; item <= updates[c] && !code; item++) {
			while (end < captures && updates[end] < item + region->items)
				end++;
			code = add_item(history, seed, item, region->item_fragments, (struct prn_run){ c, end });
		}
	}
	return code;
}

static int compare_stripes(const void *a, const void *b, void *context)
{
	const struct prn_stripe *x = a, *y = b;
	const struct prn_run *runs = context;
	uint32_t from = runs[x->first].from, other = runs[y->first].from;

	if (from != other)
		return from < other ? -1 : 1;
	return (x->hash > y->hash) - (x->hash < y->hash);
}

static int set_captures(const struct prn_synth *synth, struct prn_page *history)
{
	size_t count = synth->options.captures;
	struct prn_page_capture *captures =
		prn_array_grow(history->captures, &history->capture_capacity, count, sizeof *captures);

	if (!captures)
		return PRN_E_MEMORY;
	history->captures = captures;
	history->capture_count = count;
	history->stripe_count = history->run_count = 0;
	history->weight = 1;
	for (size_t c = 0; c < count; c++)
		captures[c] = (struct prn_page_capture){ .time = synth->options.start + (int64_t)c * synth->options.interval,
			                                 .modified = PRN_TIME_UNKNOWN };
	return 0;
}

static int set_url(struct prn_page *history, const char *url)
{
	size_t length = strlen(url) + 1;
	char *copy = prn_array_grow(history->url, &history->url_capacity, length, 1);

	if (!copy)
		return PRN_E_MEMORY;
	history->url = memcpy(copy, url, length);
	return 0;
}

/* updates has room for every capture and region. */
static int make_history(const struct prn_synth *synth, size_t i, uint64_t *updates, struct prn_page *history)
{
	size_t captures = synth->options.captures;
	struct prn_synth_walk walk;
	uint64_t seed = synth->options.seed ^ ((uint64_t)i << 8);
	int code;

	prn_synth_walk_init(synth, i, &walk);
	for (size_t c = 0; c < captures; c++) {
		prn_synth_walk_to(synth, &walk, c);
		for (unsigned r = 0; r < walk.page.region_count; r++)
			updates[r * captures + c] = walk.regions[r].updates;
	}
	code = set_url(history, walk.page.url);
	if (!code && walk.page.static_fragments)
		code = add_item(history, seed, 0, walk.page.static_fragments, (struct prn_run){ 0, (uint32_t)captures });
	for (unsigned r = 0; r < walk.page.region_count && !code; r++)
		code = add_region(history, seed + 1 + r, &walk.page.regions[r], updates + r * captures);
	return code;
}

int prn_synth_history(const struct prn_synth *synth, size_t i, struct prn_page *history)
{
	uint64_t *updates = calloc(synth->options.captures, PRN_SYNTH_REGIONS * sizeof *updates);
	int code = updates ? set_captures(synth, history) : PRN_E_MEMORY;

	if (!code)
		code = make_history(synth, i, updates, history);
	free(updates);
	if (code)
		return code;
	if (history->stripe_count)
		prn_sort_by(history->stripes, history->stripe_count, sizeof *history->stripes, compare_stripes, history->runs);
	return 0;
}

static int write_pages(const struct prn_synth *synth, struct prn_trace_writer *writer, struct prn_error *error)
{
	struct prn_page history;
	int code = 0;

	prn_page_init(&history);
	for (size_t i = 0; i < synth->options.pages && !code; i++) {
		code = prn_synth_history(synth, i, &history);
		if (code)
			prn_error_set(error, code, "page %zu: %s", i, prn_error_text(code));
		else
			code = prn_trace_writer_add(writer, &history, error);
	}
	prn_page_release(&history);
	return code;
}

int prn_synth_trace(const struct prn_synth *synth, const char *path, struct prn_error *error)
{
	struct prn_trace_about about = { .fragment_rule = PRN_FRAGMENT_RULE, .shingle_words = PRN_SHINGLE_WORDS,
		                         .provenance = prn_synth_provenance(synth) };
	struct prn_trace_writer *writer;
	int code = about.provenance ? prn_trace_writer_open(&writer, path, &about, error)
	                            : prn_error_memory(error);

	free(about.provenance);
	if (code)
		return code;
	code = write_pages(synth, writer, error);
	if (!code)
		return prn_trace_writer_close(writer, error);
	prn_trace_writer_free(writer);
	return code;
}
