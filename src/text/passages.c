#define XXH_INLINE_ALL
#include <xxhash.h>

#include "text/passages.h"

#include "fragment/text.h"
#include "fragment/utf8.h"
#include "perennial/error.h"
#include "perennial/extractor.h"

#include <stdlib.h>
#include <string.h>

void text_passages_release(struct text_passages *passages)
{
	free(passages->list);
	free(passages->slots);
	prn_buffer_release(&passages->bytes);
	*passages = (struct text_passages){ .list = NULL };
}

/*
 * Appends text to the bytes.  A run of white space and breaks becomes one space, or '\n' if there is a break in it or, with
 * keeps_lines, an end of a line.
 */
static int append_text(struct text_passages *passages, const char *text, size_t length, bool keeps_lines)
{
	struct prn_buffer *bytes = &passages->bytes;
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
static uint32_t *find_slot(const struct text_passages *passages, const struct text_passage *passage)
{
	const char *bytes = (const char *)passages->bytes.data;
	size_t at = (size_t)XXH3_64bits_withSeed(bytes + passage->at, passage->length, passage->mark) % passages->slot_count;

	for (;; at = (at + 1) % passages->slot_count) {
		const struct text_passage *other = passages->slots[at] ? &passages->list[passages->slots[at] - 1] : NULL;

		if (!other || (other->mark == passage->mark && other->length == passage->length &&
		               !memcmp(bytes + other->at, bytes + passage->at, passage->length)))
			return &passages->slots[at];
	}
}

static int grow_slots(struct text_passages *passages)
{
	size_t wanted = passages->slot_count ? 2 * passages->slot_count : 1024;
	uint32_t *slots;

	if (2 * passages->count < passages->slot_count)
		return 0;
	slots = calloc(wanted, sizeof *slots);
	if (!slots)
		return PRN_E_MEMORY;
	free(passages->slots);
	passages->slots = slots;
	passages->slot_count = wanted;
	for (size_t i = 0; i < passages->count; i++)
		*find_slot(passages, &passages->list[i]) = (uint32_t)i + 1;
	return 0;
}

/* Makes the bytes from `at` on a passage of a text; if the passage is known already, they are dropped. */
static int add_passage(struct text_passages *passages, struct text_sequence *text, size_t at, uint32_t mark)
{
	struct text_passage passage = { at, passages->bytes.length - at, mark }, *list;
	uint32_t *slot, *ids;

	if (grow_slots(passages))
		return PRN_E_MEMORY;
	ids = realloc(text->passages, (text->count + 1) * sizeof *ids);
	if (!ids)
		return PRN_E_MEMORY;
	text->passages = ids;
	slot = find_slot(passages, &passage);
	if (*slot) {
		passages->bytes.length = at;
	} else {
		list = prn_array_grow(passages->list, &passages->capacity, passages->count + 1, sizeof *list);
		if (!list)
			return PRN_E_MEMORY;
		passages->list = list;
		list[passages->count++] = passage;
		*slot = (uint32_t)passages->count;
	}
	ids[text->count++] = *slot - 1;
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

int text_passages_add(struct text_passages *passages, struct text_sequence *text, const struct prn_wording *wording, const uint32_t *marks,
                      bool keeps_lines)
{
	size_t from = 0, at = passages->bytes.length;
	int code = 0;

	for (size_t i = 0; i < wording->word_count && !code; i++) {
		bool ends = i + 1 == wording->word_count || marks[i + 1] != marks[i];
		size_t to = ends ? end_of_word(wording, i) : 0;

		if (!ends)
			continue;
		code = append_text(passages, wording->text + from, to - from, keeps_lines);
		if (!code)
			code = add_passage(passages, text, at, marks[i]);
		from = to;
		at = passages->bytes.length;
	}
	if (code || wording->word_count || !wording->length)
		return code;
	code = append_text(passages, wording->text, wording->length, keeps_lines);
	return code ? code : add_passage(passages, text, at, TEXT_NO_MARK);
}

int text_passages_add_string(struct text_passages *passages, struct text_sequence *text, const char *string, uint32_t mark)
{
	size_t at = passages->bytes.length;
	int code = prn_utf8_append_repaired(&passages->bytes, string, strlen(string));

	return code ? code : add_passage(passages, text, at, mark);
}

void text_excerpt(const struct text_passages *passages, const struct text_passage *passage, char text[TEXT_EXCERPT_BYTES])
{
	size_t length = passage->length < TEXT_EXCERPT_BYTES - 1 ? passage->length : TEXT_EXCERPT_BYTES - 4;

	memcpy(text, passages->bytes.data + passage->at, length);
	/* The cut must not be within a character. */
	while (length && length < passage->length && ((unsigned char)passages->bytes.data[passage->at + length] & 0xc0) == 0x80)
		length--;
	for (size_t i = 0; i < length; i++)
		text[i] = text[i] == '\n' ? ' ' : text[i];
	strcpy(text + length, length < passage->length ? "…" : "");
}
