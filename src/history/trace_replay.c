#include "history/trace_replay.h"

#include "base/buffer.h"
#include "base/sort.h"
#include "perennial/error.h"

#include <stdlib.h>
#include <string.h>

void prn_trace_replay_release(struct prn_trace_replay *replay)
{
	free(replay->hashes);
	free(replay->captures);
	free(replay->runs);
	free(replay->stripes);
	free(replay->present);
	prn_digest_numbers_release(&replay->contents);
	*replay = (struct prn_trace_replay){ 0 };
}

static int reserve(struct prn_trace_replay *replay, const struct prn_page *page)
{
	size_t captures = page->capture_count + 1, runs = page->run_count + 1, stripes = page->stripe_count + 1;
	struct prn_trace_replayed_capture *of_captures =
		prn_array_grow(replay->captures, &replay->capture_capacity, captures, sizeof *of_captures);
	struct prn_trace_replayed_run *of_runs;
	uint32_t *of_stripes, *present;

	if (!of_captures)
		return PRN_E_MEMORY;
	replay->captures = memset(of_captures, 0, captures * sizeof *of_captures);
	of_runs = prn_array_grow(replay->runs, &replay->run_capacity, runs, sizeof *of_runs);
	if (!of_runs)
		return PRN_E_MEMORY;
	replay->runs = memset(of_runs, 0, runs * sizeof *of_runs);
	of_stripes = prn_array_grow(replay->stripes, &replay->stripe_capacity, stripes, sizeof *of_stripes);
	if (!of_stripes)
		return PRN_E_MEMORY;
	replay->stripes = of_stripes;
	present = prn_array_grow(replay->present, &replay->present_capacity, runs, sizeof *present);
	if (!present)
		return PRN_E_MEMORY;
	replay->present = present;
	return prn_digest_numbers_begin(&replay->contents, captures);
}

/* Inserts the runs of a pattern into the lists of their beginnings and ends. */
static void list_runs(struct prn_trace_replay *replay, const struct prn_stripe *stripe)
{
	for (uint32_t i = stripe->first; i < stripe->first + stripe->count; i++) {
		const struct prn_run *run = &replay->page->runs[i];
		uint32_t *begun = &replay->captures[run->from].begun, *ended = &replay->captures[run->to].ended;
		struct prn_trace_replayed_run *own = &replay->runs[i];

		own->pattern = stripe->first;
		own->next_begun = *begun;
		own->next_ended = *ended;
		*begun = *ended = i + 1;
	}
}

int prn_trace_replay_begin(struct prn_trace_replay *replay, const struct prn_page *page)
{
	if (reserve(replay, page))
		return PRN_E_MEMORY;
	replay->page = page;
	replay->replayed = replay->count = replay->present_count = 0;
	for (uint32_t i = 0; i < page->stripe_count; i++) {
		const struct prn_stripe *stripe = &page->stripes[i];
		struct prn_trace_replayed_run *pattern = &replay->runs[stripe->first];

		if (!pattern->stripes)
			list_runs(replay, stripe);
		replay->stripes[i] = pattern->stripes;
		pattern->stripes = i + 1;
	}
	return 0;
}

/* Applies the ends and beginnings at a capture; returns whether there were any. */
static bool turn(struct prn_trace_replay *replay, size_t capture)
{
	const struct prn_trace_replayed_capture *own = &replay->captures[capture];
	struct prn_trace_replayed_run *runs = replay->runs;

	for (uint32_t i = own->ended; i; i = runs[i - 1].next_ended) {
		uint32_t last = replay->present[--replay->present_count], place = runs[runs[i - 1].pattern].place;

		replay->present[place] = last;
		runs[last].place = place;
	}
	for (uint32_t i = own->begun; i; i = runs[i - 1].next_begun) {
		uint32_t pattern = runs[i - 1].pattern;

		runs[pattern].place = (uint32_t)replay->present_count;
		replay->present[replay->present_count++] = pattern;
	}
	return own->ended || own->begun;
}

int prn_trace_replay_version(struct prn_trace_replay *replay, size_t capture, bool *again)
{
	const struct prn_page *page = replay->page;
	uint64_t *hashes = prn_array_grow(replay->hashes, &replay->hash_capacity, 2 * page->stripe_count + 1, sizeof *hashes);
	bool turned = !replay->replayed;

	if (!hashes)
		return PRN_E_MEMORY;
	replay->hashes = hashes;
	while (replay->replayed <= capture)
		turned |= turn(replay, replay->replayed++);
	*again = !turned;
	if (*again)
		return 0;
	replay->count = 0;
	for (size_t i = 0; i < replay->present_count; i++)
		for (uint32_t j = replay->runs[replay->present[i]].stripes; j; j = replay->stripes[j - 1])
			hashes[replay->count++] = page->stripes[j - 1].hash;
	prn_sort_hashes(hashes, hashes + page->stripe_count, replay->count);
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

bool prn_trace_replay_body(struct prn_trace_replay *replay, size_t capture, struct prn_digest *body)
{
	const struct prn_page_capture *own = &replay->page->captures[capture];
	struct prn_trace_replayed_capture *first;

	if (!own->body)
		return false;
	first = &replay->captures[own->body - 1];
	if (!first->ordinal) {
		first->content = prn_trace_replayed_content(replay->hashes, replay->count, own->body_bytes);
		first->ordinal = ++*prn_digest_numbers_of(&replay->contents, &first->content);
	}
	*body = prn_trace_replayed_digest(&first->content, first->ordinal);
	return true;
}
