#include "text/difference.h"

#include "base/sort.h"
#include "perennial/extractor.h"

#include <stdlib.h>
#include <string.h>

void text_difference_init(struct text_difference *difference)
{
	*difference = (struct text_difference){ .pair = NULL };
}

void text_difference_release(struct text_difference *difference)
{
	for (size_t i = 0; i < KEEP_LAST; i++)
		free(difference->texts[i].passages);
	text_passages_release(&difference->passages);
	text_difference_init(difference);
}

const char *text_change_name(enum text_change change)
{
	static const char *const names[TEXT_CHANGES] = { "stays", "new", "gone", "unknown" };

	return names[change];
}

/* One of the two bodies while it is read. */
struct side {
	struct prn_extractor *extractor;
	struct prn_wording wording; /* points into it */
	uint64_t *hashes;           /* [count] its different fragments, ascending */
	size_t count;
	enum prn_media media;
};

static int read_side(struct text_difference *difference, const struct keep_body *body, struct side *side)
{
	const char *type = *body->type ? body->type : NULL;
	size_t length = body->body.length < TEXT_DIFFERENCE_BODY_BYTES ? body->body.length : TEXT_DIFFERENCE_BODY_BYTES;
	const void *bytes = body->body.data ? (const void *)body->body.data : "";
	int code = prn_extractor_open(&side->extractor, difference->shingle_words, PRN_SUMMARY_ALL);

	if (!code)
		code = prn_extractor_read(side->extractor, bytes, length, type, &side->wording);
	if (code)
		return code;
	difference->part_read |= length < body->body.length;
	side->media = prn_media_of(type, bytes, length);
	side->hashes = calloc(2 * side->wording.fragment_count + 1, sizeof *side->hashes);
	if (!side->hashes)
		return PRN_E_MEMORY;
	if (side->wording.fragment_count)
		memcpy(side->hashes, side->wording.fragments, side->wording.fragment_count * sizeof *side->hashes);
	side->count = prn_sort_distinct(side->hashes, side->hashes + side->wording.fragment_count, side->wording.fragment_count);
	return 0;
}

static bool has(const struct side *side, uint64_t hash)
{
	size_t low = 0, high = side->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (side->hashes[middle] < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return low < side->count && side->hashes[low] == hash;
}

/* Finds for each word if it stays, which it does if one of its fragments stays. */
static void find_changes(const struct side *side, const struct side *other, enum text_change without, uint32_t *changes)
{
	const struct prn_wording *wording = &side->wording;
	size_t span = wording->word_count - wording->fragment_count + 1;

	for (size_t i = 0; i < wording->word_count; i++)
		changes[i] = without;
	for (size_t i = 0; other && i < wording->fragment_count; i++)
		if (has(other, wording->fragments[i]))
			for (size_t j = i; j < i + span; j++)
				changes[j] = TEXT_STAYS;
}

/* Shortens a text that is too long, at the end of a word. */
static void cut(struct text_difference *difference, struct prn_wording *wording)
{
	size_t shown = 0;

	if (wording->length <= TEXT_DIFFERENCE_TEXT_BYTES)
		return;
	while (shown < wording->word_count && wording->words[shown].to <= TEXT_DIFFERENCE_TEXT_BYTES)
		shown++;
	wording->word_count = shown;
	wording->length = shown ? wording->words[shown - 1].to : 0;
	difference->part_shown = true;
}

static int add_text(struct text_difference *difference, size_t version, const struct side *side, const struct side *other,
                    enum text_change without)
{
	uint32_t *changes = calloc(side->wording.word_count + 1, sizeof *changes);
	struct prn_wording shown = side->wording;
	int code;

	if (!changes)
		return PRN_E_MEMORY;
	find_changes(side, other, without, changes);
	cut(difference, &shown);
	code = text_passages_add(&difference->passages, &difference->texts[version], &shown, changes, side->media == PRN_MEDIA_TEXT);
	free(changes);
	return code;
}

/* Adds a body that is no text: it is one fragment of its bytes, and shown as their number. */
static int add_bytes(struct text_difference *difference, size_t version, const struct side *side, const struct side *other,
                     enum text_change without)
{
	const struct keep_body *body = &difference->pair->bodies[version];
	struct prn_worded word = { 0, 0 };
	struct prn_wording wording = { .words = &word, .word_count = 1 };
	uint32_t change = other && side->count && has(other, side->hashes[0]) ? TEXT_STAYS : without;
	char *words = NULL;
	int code, length = asprintf(&words, "[%zu bytes, %s]", body->body.length, *body->type ? body->type : "of no known type");

	if (length < 0)
		return PRN_E_MEMORY;
	wording.text = words;
	wording.length = (size_t)length;
	word.to = (uint32_t)length;
	code = text_passages_add(&difference->passages, &difference->texts[version], &wording, &change, false);
	free(words);
	return code;
}

static int add_side(struct text_difference *difference, size_t version, const struct side *side, const struct side *other)
{
	enum text_change without = !other ? TEXT_UNKNOWN : version ? TEXT_NEW : TEXT_GONE;
	size_t both = 0;

	for (size_t i = 0; other && i < side->count; i++)
		both += has(other, side->hashes[i]);
	difference->fragments[TEXT_STAYS] = both;
	difference->fragments[without] = side->count - both;
	return side->wording.is_text ? add_text(difference, version, side, other, without) : add_bytes(difference, version, side, other, without);
}

int text_difference_compare(struct text_difference *difference, const struct keep_pair *pair, unsigned shingle_words, struct prn_error *error)
{
	struct side sides[KEEP_LAST] = { { 0 } };
	int code = 0;

	difference->pair = pair;
	difference->shingle_words = shingle_words;
	for (size_t i = 0; i < pair->count && !code; i++)
		code = read_side(difference, &pair->bodies[i], &sides[i]);
	for (size_t i = 0; i < pair->count && !code; i++)
		code = add_side(difference, i, &sides[i], pair->count > 1 ? &sides[1 - i] : NULL);
	for (size_t i = 0; i < KEEP_LAST; i++) {
		prn_extractor_free(sides[i].extractor);
		free(sides[i].hashes);
	}
	return code ? prn_error_set(error, code, "%s", prn_error_text(code)) : 0;
}

static const char *are(size_t count)
{
	return count == 1 ? "is" : "are";
}

void text_difference_words(const struct text_difference *difference, char text[TEXT_DIFFERENCE_WORDS])
{
	const size_t *fragments = difference->fragments;
	unsigned k = difference->shingle_words;

	if (difference->pair->count < 2)
		snprintf(text, TEXT_DIFFERENCE_WORDS,
		         "One body is kept so far: of one text nothing can be told, and all is unknown. It has %zu fragment%s; a fragment is %u word%s in a row.",
		         fragments[TEXT_UNKNOWN], fragments[TEXT_UNKNOWN] == 1 ? "" : "s", k, k == 1 ? "" : "s");
	else
		snprintf(text, TEXT_DIFFERENCE_WORDS,
		         "%zu fragment%s, %zu %s new, %zu %s gone. A fragment is %u word%s in a row; a word stays if a fragment that it is in "
		         "does. Two bodies cannot tell what is static from what scrolls by: for that, show takes the captures of a WARC file.",
		         fragments[TEXT_STAYS], fragments[TEXT_STAYS] == 1 ? " stays" : "s stay", fragments[TEXT_NEW], are(fragments[TEXT_NEW]),
		         fragments[TEXT_GONE], are(fragments[TEXT_GONE]), k, k == 1 ? "" : "s");
}
