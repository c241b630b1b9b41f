/*
 * Names of charsets: the labels that pages use, and what browsers understand by them.
 */
#ifndef FRAGMENT_CHARSET_H
#define FRAGMENT_CHARSET_H

/*
 * The charset that a lower-case label means, under the name iconv has for it, static; NULL for
 * labels not known.  Labels and meanings follow the WHATWG Encoding Standard: "iso-8859-1" is
 * WINDOWS-1252.
 */
const char *prn_charset_of(const char *label);

#endif
