/*
 * URLs: how they are written out, and which of them are one page.  http and https only, without fragment.
 *
 * The serialisation is that of the WHATWG's URL standard (url.spec.whatwg.org): scheme and host in lower case, names of
 * other scripts in punycode (UTS #46, nontransitional), those in ASCII as they are, numbers that are IPv4 addresses as four
 * parts, "." and ".." taken out of the path, "\" read as "/", a default port dropped, tabs and line ends dropped, and what
 * is not allowed percent-encoded.  Bytes that are not UTF-8 are percent-encoded as they are, which the standard, whose
 * input is characters, does not speak of; as a host they are refused.  So is what the standard refuses, and of names of
 * other scripts what no name server could hold (labels of more than 63 bytes) or libidn2's tables of Unicode do not know.
 *
 * The normal form, by which pages are told apart, makes one of what RFC 3986 (§2, §6.2.2) calls equivalent and fetchers
 * write differently.  It is the serialisation, and in user part, path and query besides:
 *
 *	escapes are in upper case			%e6 is %E6
 *	escapes of letters, digits, "-._~" are undone	%7E is ~
 *	[ ] | ^ ` { } \ are percent-encoded		| is %7C
 *	a "%" that begins no escape is "%25"		100% is 100%25
 *	a "?" with nothing after it is dropped		/x? is /x
 *
 * A normal form is its own serialisation and its own normal form.
 */
#ifndef PERENNIAL_URL_H
#define PERENNIAL_URL_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/digest.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_URL_BYTES 8192 /* the longest URL taken, in any form, its fragment apart */

/*
 * Writes the normal form of a URL to out (capacity bytes, NUL-terminated; PRN_URL_BYTES + 1 holds any).  Angle brackets
 * around it are stripped: wget writes them.  length may be SIZE_MAX for a NUL-terminated url.
 *
 * PRN_E_INPUT	not an absolute http or https URL that the standard takes
 * PRN_E_LIMIT	longer than PRN_URL_BYTES, or than capacity
 * PRN_E_MEMORY	for a host that is not in ASCII
 */
int prn_url_normalize(const char *url, size_t length, char *out, size_t capacity);

/* The standard's serialisation; angle brackets are part of it.  Arguments and errors as of prn_url_normalize. */
int prn_url_serialize(const char *url, size_t length, char *out, size_t capacity);

/*
 * What is to be handed to fetchers for a URL: its spelling, without the angle brackets and white space around it, or its
 * serialisation where fetchers may read the spelling otherwise than the standard does, or a line or JSON could not hold it:
 * white space, control characters, "\" or bytes that are not UTF-8 inside, an "@" in the user part, an escape or a character
 * of another script in the host, other than two slashes after the scheme, more than PRN_URL_BYTES with its fragment.  Where either has
 * braces or brackets, of which curl makes many URLs, it is the normal form, with the braces of a host as escapes: what is handed out has
 * none but those around an address.  Arguments and errors as of prn_url_normalize, of a URL that has a normal form.
 */
int prn_url_spell(const char *url, char *out, size_t capacity);

/*
 * The URL that a reference such as the Location of a redirect names from a page at base, a normal form or a
 * serialisation, by the standard: "/x", "../x", "?q", "//b.example/x" or a whole URL.  Written in normal form; capacity
 * as above.
 *
 * PRN_E_INPUT	it names no http or https URL, or base is none
 * PRN_E_LIMIT	longer than PRN_URL_BYTES, or than capacity
 * PRN_E_MEMORY	as above
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
 * of path and query: "(example,a,)/news".  A prefix without a port (or user) is of every port; one with a port
 * is of that port of that host: "example,a:8080)/news", "example,a:8080".
 */
bool prn_surt_under(const char *surt, const char *prefix);

#ifdef __cplusplus
}
#endif

#endif
