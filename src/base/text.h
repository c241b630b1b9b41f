/*
 * Pieces of text.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

/* Cuts the characters that blanks lists off both ends of text; returns where it begins now. */
char *prn_text_trim(char *text, const char *blanks);

#endif
