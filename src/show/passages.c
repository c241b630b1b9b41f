#include "show/show.h"

#include "perennial/extractor.h"

#include <stdlib.h>
#include <string.h>

/* A fragment of a capture, and its life. */
struct alive {
	uint64_t hash;
	uint32_t life;
};

static int alive_order(const void *a, const void *b)
{
	const struct alive *x = a, *y = b;

	return (x->hash > y->hash) - (x->hash < y->hash);
}

static uint32_t find_life(const struct show *show, const struct prn_lifetime *lifetime)
{
	size_t low = 0, high = show->life_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct show_life *life = &show->lives[middle];

		if (life->from < lifetime->from || (life->from == lifetime->from && life->to < lifetime->to))
			low = middle + 1;
		else
			high = middle;
	}
	return (uint32_t)low;
}

/* Returns the fragments of a capture by hash, [*count]; the caller frees them.  NULL without memory. */
static struct alive *list_alive(const struct show *show, size_t capture, size_t *count)
{
	size_t lifetime_count;
	const struct prn_lifetime *lifetimes = prn_study_lifetimes(show->study, &lifetime_count);
	struct alive *alive = calloc(lifetime_count + 1, sizeof *alive);

	*count = 0;
	for (size_t i = 0; alive && i < lifetime_count; i++)
		if (lifetimes[i].from <= capture && capture < lifetimes[i].to)
			alive[(*count)++] = (struct alive){ lifetimes[i].hash, find_life(show, &lifetimes[i]) };
	if (alive)
		qsort(alive, *count, sizeof *alive, alive_order);
	return alive;
}

/* Whether the life a is longer than b. */
static bool is_longer(const struct show *show, uint32_t a, uint32_t b)
{
	const struct show_life *x, *y;

	if (b == SHOW_NO_LIFE || a == b)
		return b == SHOW_NO_LIFE;
	x = &show->lives[a], y = &show->lives[b];
	if (x->to - x->from != y->to - y->from)
		return x->to - x->from > y->to - y->from;
	return x->from < y->from;
}

/* Finds for each word the longest life of the fragments that it is in.  PRN_E_MEMORY */
static int find_word_lives(const struct show *show, const struct prn_wording *wording, size_t capture, uint32_t *lives)
{
	size_t count, span = wording->word_count - wording->fragment_count + 1;
	struct alive *alive = list_alive(show, capture, &count);

	if (!alive)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < wording->word_count; i++)
		lives[i] = SHOW_NO_LIFE;
	for (size_t i = 0; i < wording->fragment_count; i++) {
		const struct alive key = { wording->fragments[i], 0 };
		const struct alive *found = bsearch(&key, alive, count, sizeof key, alive_order);

		for (size_t j = i; found && j < i + span; j++)
			if (is_longer(show, found->life, lives[j]))
				lives[j] = found->life;
	}
	free(alive);
	return 0;
}

int show_add_text(struct show *show, size_t index, const struct prn_wording *wording, bool keeps_lines)
{
	struct show_version *version = &show->versions[index];
	uint32_t *lives = calloc(wording->word_count + 1, sizeof *lives);
	int code = lives ? find_word_lives(show, wording, version->first, lives) : PRN_E_MEMORY;

	if (!code)
		code = text_passages_add(&show->passages, &version->text, wording, lives, keeps_lines);
	free(lives);
	version->found = version->is_text = true;
	show->found_count++;
	return code;
}

int show_add_bytes(struct show *show, size_t index, const char *words)
{
	struct show_version *version = &show->versions[index];
	size_t count;
	struct alive *alive = list_alive(show, version->first, &count);
	int code = alive ? text_passages_add_string(&show->passages, &version->text, words, count ? alive[0].life : SHOW_NO_LIFE)
	                 : PRN_E_MEMORY;

	free(alive);
	version->found = true;
	show->found_count++;
	return code;
}

size_t show_list_churned(const struct show *show, uint32_t *passages, size_t most)
{
	size_t count = 0;

	for (size_t v = show->version_count; v--;)
		for (size_t i = 0; i < show->versions[v].text.count && count < most; i++) {
			uint32_t id = show->versions[v].text.passages[i], life = show->passages.list[id].mark;
			bool known = false;

			for (size_t j = 0; j < count; j++)
				known |= passages[j] == id;
			if (!known && life != SHOW_NO_LIFE && show->lives[life].region == PRN_REGION_CHURN)
				passages[count++] = id;
		}
	return count;
}
