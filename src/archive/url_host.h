/* Parses the host of a URL, by the standard. */
#ifndef ARCHIVE_URL_HOST_H
#define ARCHIVE_URL_HOST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes the serialisation of a host (text[length], as it stands in a URL) to out, NUL-terminated. length <
 * capacity.
 *
 * PRN_E_INPUT	not a host that the standard accepts
 * PRN_E_LIMIT	longer than capacity
 * PRN_E_MEMORY
 */
int prn_url_host_read(const char *text, size_t length, char *out, size_t capacity);

#define PRN_URL_HOST_NAME 1024

/*
 * Writes the name of a host that a person wrote as it stands in normal forms: one in another script in
 * punycode, any other as it is.
 */
const char *prn_url_host_name(const char *name, char out[PRN_URL_HOST_NAME]);

/*
 * Tells whether a normal URL is on the host of another, and in its folder or below it, whatever their schemes;
 * of is any text.
 */
bool prn_url_is_under_folder(const char *normal_url, const char *of);

#endif
