#include "history/trace_replay.h"

#include "base/buffer.h"
#include "base/sort.h"
#include "perennial/error.h"

#include <stdlib.h>
#include <string.h>

void prn_trace_replay_release(struct prn_trace_replay *retelling)
{
	free(retelling->hashes);
	free(retelling->captures);
	free(retelling->runs);
	free(retelling->stripes);
	free(retelling->present);
	prn_digest_numbers_release(&retelling->contents);
	*retelling = (struct prn_trace_replay){ 0 };
}

static int reserve(struct prn_trace_replay *retelling, const struct prn_page *page)
{
	size_t captures = page->capture_count + 1, runs = page->run_count + 1, stripes = page->stripe_count + 1;
	struct prn_trace_replayed_capture *of_captures =
		prn_array_grow(retelling->captures, &retelling->capture_capacity, captures, sizeof *of_captures);
	struct prn_trace_replayed_run *of_runs;
	uint32_t *of_stripes, *present;

	if (!of_captures)
		return PRN_E_MEMORY;
	retelling->captures = memset(of_captures, 0, captures * sizeof *of_captures);
	of_runs = prn_array_grow(retelling->runs, &retelling->run_capacity, runs, sizeof *of_runs);
	if (!of_runs)
		return PRN_E_MEMORY;
	retelling->runs = memset(of_runs, 0, runs * sizeof *of_runs);
	of_stripes = prn_array_grow(retelling->stripes, &retelling->stripe_capacity, stripes, sizeof *of_stripes);
	if (!of_stripes)
		return PRN_E_MEMORY;
	retelling->stripes = of_stripes;
	present = prn_array_grow(retelling->present, &retelling->present_capacity, runs, sizeof *present);
	if (!present)
		return PRN_E_MEMORY;
	retelling->present = present;
	return prn_digest_numbers_begin(&retelling->contents, captures);
}

/* Inserts the runs of a pattern into the lists of their beginnings and ends. */
static void list_runs(struct prn_trace_replay *retelling, const struct prn_stripe *stripe)
{
	for (uint32_t i = stripe->first; i < stripe->first + stripe->count; i++) {
		const struct prn_run *run = &retelling->page->runs[i];
		uint32_t *begun = &retelling->captures[run->from].begun, *ended = &retelling->captures[run->to].ended;
		struct prn_trace_replayed_run *own = &retelling->runs[i];

		own->pattern = stripe->first;
		own->next_begun = *begun;
		own->next_ended = *ended;
		*begun = *ended = i + 1;
	}
}

int prn_trace_replay_begin(struct prn_trace_replay *retelling, const struct prn_page *page)
{
	if (reserve(retelling, page))
		return PRN_E_MEMORY;
	retelling->page = page;
	retelling->told = retelling->count = retelling->present_count = 0;
	for (uint32_t i = 0; i < page->stripe_count; i++) {
		const struct prn_stripe *stripe = &page->stripes[i];
		struct prn_trace_replayed_run *pattern = &retelling->runs[stripe->first];

		if (!pattern->stripes)
			list_runs(retelling, stripe);
		retelling->stripes[i] = pattern->stripes;
		pattern->stripes = i + 1;
	}
	return 0;
}

/* Applies the ends and beginnings at a capture; returns whether there were any. */
static bool turn(struct prn_trace_replay *retelling, size_t capture)
{
	const struct prn_trace_replayed_capture *own = &retelling->captures[capture];
	struct prn_trace_replayed_run *runs = retelling->runs;

	for (uint32_t i = own->ended; i; i = runs[i - 1].next_ended) {
		uint32_t last = retelling->present[--retelling->present_count], place = runs[runs[i - 1].pattern].place;

		retelling->present[place] = last;
		runs[last].place = place;
	}
	for (uint32_t i = own->begun; i; i = runs[i - 1].next_begun) {
		uint32_t pattern = runs[i - 1].pattern;

		runs[pattern].place = (uint32_t)retelling->present_count;
		retelling->present[retelling->present_count++] = pattern;
	}
	return own->ended || own->begun;
}

int prn_trace_replay_version(struct prn_trace_replay *retelling, size_t capture, bool *again)
{
	const struct prn_page *page = retelling->page;
	uint64_t *hashes = prn_array_grow(retelling->hashes, &retelling->hash_capacity, 2 * page->stripe_count + 1, sizeof *hashes);
	bool turned = !retelling->told;

	if (!hashes)
		return PRN_E_MEMORY;
	retelling->hashes = hashes;
	while (retelling->told <= capture)
		turned |= turn(retelling, retelling->told++);
	*again = !turned;
	if (*again)
		return 0;
	retelling->count = 0;
	for (size_t i = 0; i < retelling->present_count; i++)
		for (uint32_t j = retelling->runs[retelling->present[i]].stripes; j; j = retelling->stripes[j - 1])
			hashes[retelling->count++] = page->stripes[j - 1].hash;
	prn_sort_hashes(hashes, hashes + page->stripe_count, retelling->count);
	return 0;
}

struct prn_digest prn_trace_replayed_content(const uint64_t *hashes, size_t count, uint64_t body_bytes)
{
	struct prn_digest fragments = prn_digest_bytes(hashes, count * sizeof *hashes);
	const uint64_t content[4] = { fragments.high, fragments.low, count, body_bytes };

	return prn_digest_bytes(content, sizeof content);
}

struct prn_digest prn_trace_replayed_digest(const struct prn_digest *content, uint32_t ordinal)
{
	const uint64_t body[3] = { content->high, content->low, ordinal };

	return prn_digest_bytes(body, sizeof body);
}

bool prn_trace_replay_body(struct prn_trace_replay *retelling, size_t capture, struct prn_digest *body)
{
	const struct prn_page_capture *own = &retelling->page->captures[capture];
	struct prn_trace_replayed_capture *first;

	if (!own->body)
		return false;
	first = &retelling->captures[own->body - 1];
	if (!first->ordinal) {
		first->content = prn_trace_replayed_content(retelling->hashes, retelling->count, own->body_bytes);
		first->ordinal = ++*prn_digest_numbers_of(&retelling->contents, &first->content);
	}
	*body = prn_trace_replayed_digest(&first->content, first->ordinal);
	return true;
}
