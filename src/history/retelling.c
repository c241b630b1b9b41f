#include "history/retelling.h"

#include "base/buffer.h"
#include "base/sort.h"
#include "perennial/error.h"

#include <stdlib.h>
#include <string.h>

void prn_retelling_release(struct prn_retelling *retelling)
{
	free(retelling->turns);
	free(retelling->hashes);
	free(retelling->bodies);
	*retelling = (struct prn_retelling){ 0 };
}

int prn_retelling_begin(struct prn_retelling *retelling, const struct prn_page *page)
{
	bool *turns = prn_array_grow(retelling->turns, &retelling->turn_capacity, page->capture_count + 1, sizeof *turns);
	struct prn_retold_body *bodies;

	if (!turns)
		return PRN_E_MEMORY;
	retelling->turns = turns;
	bodies = prn_array_grow(retelling->bodies, &retelling->body_capacity, page->capture_count + 1, sizeof *bodies);
	if (!bodies)
		return PRN_E_MEMORY;
	retelling->bodies = bodies;
	retelling->page = page;
	retelling->count = 0;
	memset(turns, 0, (page->capture_count + 1) * sizeof *turns);
	memset(bodies, 0, (page->capture_count + 1) * sizeof *bodies);
	turns[0] = true;
	for (size_t i = 0; i < page->run_count; i++)
		turns[page->runs[i].from] = turns[page->runs[i].to] = true;
	return 0;
}

static bool has(const struct prn_page *page, const struct prn_stripe *stripe, size_t capture)
{
	for (uint32_t i = stripe->first; i < stripe->first + stripe->count; i++)
		if (page->runs[i].from <= capture && capture < page->runs[i].to)
			return true;
	return false;
}

int prn_retelling_version(struct prn_retelling *retelling, size_t capture, bool *again)
{
	const struct prn_page *page = retelling->page;
	uint64_t *hashes;

	/* The captures in between had what the one before them had. */
	*again = !retelling->turns[capture];
	if (*again)
		return 0;
	hashes = prn_array_grow(retelling->hashes, &retelling->hash_capacity, 2 * page->stripe_count + 1, sizeof *hashes);
	if (!hashes)
		return PRN_E_MEMORY;
	retelling->hashes = hashes;
	retelling->count = 0;
	for (size_t i = 0; i < page->stripe_count; i++)
		if (has(page, &page->stripes[i], capture))
			hashes[retelling->count++] = page->stripes[i].hash;
	prn_sort_hashes(hashes, hashes + page->stripe_count, retelling->count);
	return 0;
}

struct prn_digest prn_retold_content(const uint64_t *hashes, size_t count, uint64_t body_bytes)
{
	struct prn_digest fragments = prn_digest_bytes(hashes, count * sizeof *hashes);
	const uint64_t content[4] = { fragments.high, fragments.low, count, body_bytes };

	return prn_digest_bytes(content, sizeof content);
}

struct prn_digest prn_retold_digest(const struct prn_digest *content, uint32_t ordinal)
{
	const uint64_t body[3] = { content->high, content->low, ordinal };

	return prn_digest_bytes(body, sizeof body);
}

bool prn_retelling_body(struct prn_retelling *retelling, size_t capture, struct prn_digest *body)
{
	const struct prn_page_capture *own = &retelling->page->captures[capture];
	struct prn_retold_body *first;

	if (!own->body)
		return false;
	first = &retelling->bodies[own->body - 1];
	if (!first->ordinal) {
		struct prn_digest content = prn_retold_content(retelling->hashes, retelling->count, own->body_bytes);

		for (size_t i = 0; i < capture; i++)
			if (retelling->bodies[i].ordinal > first->ordinal &&
			    !prn_digest_compare(&retelling->bodies[i].content, &content))
				first->ordinal = retelling->bodies[i].ordinal;
		first->content = content;
		first->ordinal++;
	}
	*body = prn_retold_digest(&first->content, first->ordinal);
	return true;
}
