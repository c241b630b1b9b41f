/*
 * Text for people, whoever wrote it: what a terminal or a reader of a log would act on, or would take for something else,
 * is shown as an escape.  Control characters below U+0080, and bytes that are not UTF-8, are \x1b; the other controls
 * (U+0080 … U+009F), the ends of lines and paragraphs, and what turns the direction of text around (U+061C, U+200E,
 * U+200F, U+202A … U+202E, U+2066 … U+2069) are \u202e.  All other characters stay as they are, a backslash too: shown
 * text that is shown again is the same.
 */
#ifndef BASE_VISIBLE_H
#define BASE_VISIBLE_H

#include <stddef.h>
#include <stdint.h>

#define PRN_NOT_UTF8 ((int32_t)-2)
#define PRN_IS_SHOWN ((int32_t)-1)

/*
 * How many bytes the first character of text has, 0 at its end.  *character is PRN_IS_SHOWN for one that stays as it is,
 * PRN_NOT_UTF8 for a byte that belongs to none, and else the character that is to be escaped.
 */
size_t prn_visible_next(const char *text, int32_t *character);

/* Writes text as it is shown to out, and returns its length; where capacity is short it is cut between characters. */
size_t prn_visible_copy(char *out, size_t capacity, const char *text);

/* The same in memory of its own, to be freed; NULL without memory. */
char *prn_visible_dup(const char *text);

/*
 * Copies a URL that programs or people may take from a terminal: what would be shown as an escape is percent-encoded byte by byte,
 * which gives the same URL (url.h).  In memory of its own, to be freed; NULL without memory.
 */
char *prn_visible_url_dup(const char *url);

#endif
