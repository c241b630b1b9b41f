/* Writes a text as HTML, with a paragraph for each of its lines. */
#ifndef TEXT_LINES_H
#define TEXT_LINES_H

#include "text/passages.h"

#include <stdio.h>

/* A text that is being written.  print_part writes the part of a passage that is in a line. */
struct text_lines {
	FILE *out;
	void (*print_part)(struct text_lines *lines, const struct text_passage *passage, const char *text, size_t length);
	void *context;
	bool open; /* a paragraph is open */
};

void text_lines_print(struct text_lines *lines, const struct text_passages *passages, const struct text_passage *passage);

/* Ends the last paragraph. */
void text_lines_end(struct text_lines *lines);

#endif
