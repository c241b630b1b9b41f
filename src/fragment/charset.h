/*
 * The names of charsets: the labels that pages use and the charset that browsers understand by each, and a
 * table of windows-1252, which pages use most after UTF-8.
 */
#ifndef FRAGMENT_CHARSET_H
#define FRAGMENT_CHARSET_H

#include <stdint.h>

/*
 * Returns the iconv name, static, of the charset that a lower-case label means; NULL if the label is not known.
 * Labels and meanings follow the WHATWG Encoding Standard: "iso-8859-1" is WINDOWS-1252.
 */
const char *prn_charset_of(const char *label);

/* Returns the code point of a byte of windows-1252.  Its five unassigned bytes are the control characters of Latin-1. */
uint32_t prn_charset_windows_1252(unsigned char byte);

#endif
