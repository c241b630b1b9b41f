/*
 * URL identity: scheme and host in lower case, default port and fragment
 * dropped, surrounding angle brackets and white space stripped, http and https only.  An empty path is
 * "/".  Nothing else is touched: percent-encoding, dots, non-ASCII bytes and the user part stay as written.
 */
#ifndef PERENNIAL_URL_H
#define PERENNIAL_URL_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/digest.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_URL_BYTES 8192 /* the longest URL taken */

/*
 * Writes the normal form of a URL to out (capacity bytes, NUL-terminated; PRN_URL_BYTES + 1 holds any).
 * length may be SIZE_MAX for a NUL-terminated url.
 *
 * PRN_E_INPUT	not an absolute http or https URL, or has control characters or spaces inside
 * PRN_E_LIMIT	longer than PRN_URL_BYTES, or than capacity
 */
int prn_url_normalize(const char *url, size_t length, char *out, size_t capacity);

/* A URL as it was spelled, without the angle brackets and white space around it: points into url, *length bytes. */
const char *prn_url_strip(const char *url, size_t *length);

/*
 * The URL that a reference such as the Location of a redirect names from a page at base, a normal form, by RFC 3986 §5:
 * "/x", "../x", "?q", "//b.example/x" or a whole URL.  Written in normal form; capacity as above.
 *
 * PRN_E_INPUT	it names no http or https URL, or base is not a normal form
 * PRN_E_LIMIT	longer than PRN_URL_BYTES, or than capacity
 */
int prn_url_resolve(const char *base, const char *reference, char *out, size_t capacity);

/* The page key: XXH3-128 of a normal form. */
struct prn_digest prn_url_key(const char *normal);

/* The host of a normal form, without user, port and a final dot: points into it, *length bytes. */
const char *prn_url_host(const char *normal, size_t *length);

/*
 * The SURT form of a normal form: "http://a.example:8080/x" is "http://(example,a,:8080)/x"; a user part
 * follows the port ("@user"); numeric addresses are not reversed.
 *
 * PRN_E_INPUT	not a normal form
 * PRN_E_LIMIT	capacity is too small (PRN_URL_BYTES + 16 always suffices)
 */
int prn_url_surt(const char *normal, char *out, size_t capacity);

/*
 * Whether a SURT form lies under a prefix that a user wrote.  A leading "http://(", "https://(" or "(" of
 * either side is ignored.  A prefix without ")" ends where a label ends: "example,a" selects a.example and its
 * subdomains under both schemes, not ab.example.  With ")" the host is that one, and the rest is a prefix
 * of path and query: "(example,a,)/news".
 */
bool prn_surt_under(const char *surt, const char *prefix);

#ifdef __cplusplus
}
#endif

#endif
