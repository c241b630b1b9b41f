#define XXH_INLINE_ALL
#include <xxhash.h>

#include "show/show.h"

#include "fragment/text.h"
#include "fragment/utf8.h"
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

/*
 * Appends text to show->bytes.  A run of white space and breaks becomes one space, or '\n' if there is a break in it or, with
 * keeps_lines, an end of a line.
 */
static int append_text(struct show *show, const char *text, size_t length, bool keeps_lines)
{
	struct prn_buffer *bytes = &show->bytes;
	int code = 0;

	for (size_t i = 0; i < length && !code;) {
		size_t from = i;
		char space = ' ';

		while (i < length && ((unsigned char)text[i] > ' ' && text[i] != 0x7f))
			i++;
		code = prn_buffer_append(bytes, text + from, i - from);
		if (code || i == length)
			break;
		for (; i < length && ((unsigned char)text[i] <= ' ' || text[i] == 0x7f); i++)
			if (text[i] == PRN_TEXT_BREAK || (keeps_lines && text[i] == '\n'))
				space = '\n';
		code = prn_buffer_append(bytes, &space, 1);
	}
	return code;
}

/* Returns the slot of a passage, or the empty one where it would go. */
static uint32_t *find_slot(const struct show *show, const struct show_passage *passage)
{
	const char *bytes = (const char *)show->bytes.data;
	size_t at = (size_t)XXH3_64bits_withSeed(bytes + passage->at, passage->length, passage->life) % show->slot_count;

	for (;; at = (at + 1) % show->slot_count) {
		const struct show_passage *other = show->slots[at] ? &show->passages[show->slots[at] - 1] : NULL;

		if (!other || (other->life == passage->life && other->length == passage->length &&
		               !memcmp(bytes + other->at, bytes + passage->at, passage->length)))
			return &show->slots[at];
	}
}

static int grow_slots(struct show *show)
{
	size_t wanted = show->slot_count ? 2 * show->slot_count : 1024;
	uint32_t *slots;

	if (2 * show->passage_count < show->slot_count)
		return 0;
	slots = calloc(wanted, sizeof *slots);
	if (!slots)
		return PRN_E_MEMORY;
	free(show->slots);
	show->slots = slots;
	show->slot_count = wanted;
	for (size_t i = 0; i < show->passage_count; i++)
		*find_slot(show, &show->passages[i]) = (uint32_t)i + 1;
	return 0;
}

/* Makes the bytes from `at` on a passage of a version; if the passage is known already, they are dropped. */
static int add_passage(struct show *show, struct show_version *version, size_t at, uint32_t life)
{
	struct show_passage passage = { at, show->bytes.length - at, life }, *passages;
	uint32_t *slot, *ids;

	if (grow_slots(show))
		return PRN_E_MEMORY;
	ids = realloc(version->passages, (version->passage_count + 1) * sizeof *ids);
	if (!ids)
		return PRN_E_MEMORY;
	version->passages = ids;
	slot = find_slot(show, &passage);
	if (*slot) {
		show->bytes.length = at;
	} else {
		passages = prn_array_grow(show->passages, &show->passage_capacity, show->passage_count + 1, sizeof *passages);
		if (!passages)
			return PRN_E_MEMORY;
		show->passages = passages;
		passages[show->passage_count++] = passage;
		*slot = (uint32_t)show->passage_count;
	}
	ids[version->passage_count++] = *slot - 1;
	return 0;
}

/* Returns where the text after a word belongs to the next one: behind the last white space, as for an opening bracket. */
static size_t end_of_word(const struct prn_wording *wording, size_t i)
{
	size_t from = wording->words[i].to, to;

	if (i + 1 == wording->word_count)
		return wording->length;
	to = wording->words[i + 1].from;
	while (to > from && (unsigned char)wording->text[to - 1] > ' ')
		to--;
	return to > from ? to : wording->words[i + 1].from;
}

int show_add_words(struct show *show, size_t index, const struct prn_wording *wording, const uint32_t *lives, bool keeps_lines)
{
	struct show_version *version = &show->versions[index];
	size_t from = 0, at = show->bytes.length;
	int code = 0;

	for (size_t i = 0; i < wording->word_count && !code; i++) {
		bool ends = i + 1 == wording->word_count || lives[i + 1] != lives[i];
		size_t to = ends ? end_of_word(wording, i) : 0;

		if (!ends)
			continue;
		code = append_text(show, wording->text + from, to - from, keeps_lines);
		if (!code)
			code = add_passage(show, version, at, lives[i]);
		from = to;
		at = show->bytes.length;
	}
	if (code || wording->word_count || !wording->length)
		return code;
	code = append_text(show, wording->text, wording->length, keeps_lines);
	return code ? code : add_passage(show, version, at, SHOW_NO_LIFE);
}

int show_add_text(struct show *show, size_t index, const struct prn_wording *wording, bool keeps_lines)
{
	struct show_version *version = &show->versions[index];
	uint32_t *lives = calloc(wording->word_count + 1, sizeof *lives);
	int code = lives ? find_word_lives(show, wording, version->first, lives) : PRN_E_MEMORY;

	if (!code)
		code = show_add_words(show, index, wording, lives, keeps_lines);
	free(lives);
	version->found = version->is_text = true;
	show->found_count++;
	return code;
}

int show_add_bytes(struct show *show, size_t index, const char *words)
{
	struct show_version *version = &show->versions[index];
	size_t at = show->bytes.length, count;
	struct alive *alive = list_alive(show, version->first, &count);
	int code = alive ? prn_utf8_append_repaired(&show->bytes, words, strlen(words)) : PRN_E_MEMORY;

	if (!code)
		code = add_passage(show, version, at, count ? alive[0].life : SHOW_NO_LIFE);
	free(alive);
	version->found = true;
	show->found_count++;
	return code;
}

size_t show_list_churned(const struct show *show, uint32_t *passages, size_t most)
{
	size_t count = 0;

	for (size_t v = show->version_count; v--;)
		for (size_t i = 0; i < show->versions[v].passage_count && count < most; i++) {
			uint32_t id = show->versions[v].passages[i], life = show->passages[id].life;
			bool known = false;

			for (size_t j = 0; j < count; j++)
				known |= passages[j] == id;
			if (!known && life != SHOW_NO_LIFE && show->lives[life].region == PRN_REGION_CHURN)
				passages[count++] = id;
		}
	return count;
}

void show_excerpt(const struct show *show, const struct show_passage *passage, char text[SHOW_EXCERPT])
{
	size_t length = passage->length < SHOW_EXCERPT - 1 ? passage->length : SHOW_EXCERPT - 4;

	memcpy(text, show->bytes.data + passage->at, length);
	/* The cut must not be within a character. */
	while (length && length < passage->length && ((unsigned char)show->bytes.data[passage->at + length] & 0xc0) == 0x80)
		length--;
	for (size_t i = 0; i < length; i++)
		text[i] = text[i] == '\n' ? ' ' : text[i];
	strcpy(text + length, length < passage->length ? "…" : "");
}
