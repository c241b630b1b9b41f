/*
 * Reads a URL of any bytes, or up to the first NUL a base and then a reference.  A URL that is taken is its own normal form
 * and its own serialisation, is ASCII without spaces, and has a host and a SURT form.
 */
#include "archive/url_parse.h"
#include "perennial/error.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(const char *url)
{
	char again[PRN_URL_BYTES + 1];

	for (const char *at = url; *at; at++)
		if (*at <= ' ' || *at >= 127 || *at == '#')
			abort();
	if (strncmp(url, "http://", 7) && strncmp(url, "https://", 8))
		abort();
	if (prn_url_serialize(url, SIZE_MAX, again, sizeof again) || strcmp(url, again))
		abort();
}

static void check_normal(const char *normal)
{
	char again[PRN_URL_BYTES + 1], slow[PRN_URL_BYTES + 1], surt[PRN_URL_BYTES + 16];
	size_t length = 0;
	const char *host = prn_url_host(normal, &length);

	check_text(normal);
	if (prn_url_normalize(normal, SIZE_MAX, again, sizeof again) || strcmp(normal, again))
		abort();
	/* A URL that the short check takes for normal must be normal when it is parsed. */
	if (prn_url_parse(normal, strlen(normal), NULL, true, slow) || strcmp(normal, slow))
		abort();
	if (!length || host < normal || strlen(host) < length || prn_url_surt(normal, surt, sizeof surt))
		abort();
}

/* A spelling that fetchers are given names the page that it was found for. */
static void check_spelling(const char *url, const char *normal)
{
	char spelled[PRN_URL_BYTES + 1], again[PRN_URL_BYTES + 1];

	if (prn_url_spell(url, spelled, sizeof spelled))
		return;
	if (strpbrk(spelled, " \t\r\n") || prn_url_normalize(spelled, SIZE_MAX, again, sizeof again) || strcmp(again, normal))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char out[PRN_URL_BYTES + 1], standard[PRN_URL_BYTES + 1], *text = malloc(size + 1);
	int code;

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = 0;
	code = prn_url_normalize(text, size, out, sizeof out);
	if (!code)
		check_normal(out);
	if (!code && strlen(text) == size)
		check_spelling(text, out);
	if (!prn_url_serialize(text, size, standard, sizeof standard)) {
		check_text(standard);
		/* The normal form of a serialisation is that of the URL. */
		if (!code && (prn_url_normalize(standard, SIZE_MAX, standard, sizeof standard) || strcmp(standard, out)))
			abort();
	}
	if (strlen(text) < size && !prn_url_resolve(text, text + strlen(text) + 1, out, sizeof out))
		check_normal(out);
	free(text);
	return 0;
}
