/*
 * Texts as passages: runs of words that have one mark, such as the lifetime of content, each kept once, however many of the
 * texts it is in.  White space is one space, or '\n' where a line begins.
 */
#ifndef TEXT_PASSAGES_H
#define TEXT_PASSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

struct text_passage {
	size_t at, length; /* in the bytes of all */
	uint32_t mark;     /* TEXT_NO_MARK: it has no word */
};

#define TEXT_NO_MARK UINT32_MAX

/* All zero: there are none. */
struct text_passages {
	struct text_passage *list; /* [count] each once; owned */
	size_t count, capacity;
	struct prn_buffer bytes; /* of passages */
	uint32_t *slots;         /* [slot_count] 1 + a passage, by hash; 0: none */
	size_t slot_count;
};

/* A text: its passages in their order.  All zero: it is empty. */
struct text_sequence {
	uint32_t *passages; /* [count] indices into the list; whoever has the text frees them */
	size_t count;
};

void text_passages_release(struct text_passages *passages);

/*
 * Adds words to a text, with what is between them: a run of words of one mark [wording->word_count] becomes a passage, with the
 * text behind it.  keeps_lines: ends of lines are kept, as in text without markup.  PRN_E_MEMORY
 */
struct prn_wording;
int text_passages_add(struct text_passages *passages, struct text_sequence *text, const struct prn_wording *wording, const uint32_t *marks,
                      bool keeps_lines);

/* Adds a string to a text as one passage; bytes that are not UTF-8 become U+FFFD.  PRN_E_MEMORY */
int text_passages_add_string(struct text_passages *passages, struct text_sequence *text, const char *string, uint32_t mark);

/* Copies the beginning of a passage, on one line. */
#define TEXT_EXCERPT_BYTES 160
void text_excerpt(const struct text_passages *passages, const struct text_passage *passage, char text[TEXT_EXCERPT_BYTES]);

#endif
