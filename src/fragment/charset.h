/*
 * Names of charsets: the labels that pages use, and what browsers understand by them; and the charset that they mean most
 * often.
 */
#ifndef FRAGMENT_CHARSET_H
#define FRAGMENT_CHARSET_H

#include <stdint.h>

/*
 * The charset that a lower-case label means, under the name iconv has for it, static; NULL for
 * labels not known.  Labels and meanings follow the WHATWG Encoding Standard: "iso-8859-1" is
 * WINDOWS-1252.
 */
const char *prn_charset_of(const char *label);

/* The code point of a byte of windows-1252; the five bytes that it leaves open are the control characters of Latin-1. */
uint32_t prn_charset_windows_1252(unsigned char byte);

#endif
