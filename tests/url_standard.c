/*
 * The URL standard's own test data: a file urltestdata.json of the web platform tests, named by URL_TEST_DATA, which
 * tools/url-standard fetches.  Nothing of it is kept here.
 *
 * Cases count whose URL, and base if there is one, is of http or https; fragments are cut off, as they are here.
 */
#include "archive/url_parse.h"
#include "base/buffer.h"
#include "perennial/error.h"
#include "tap.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <strings.h>

#define SHARE 0.97 /* of the cases: the standard moves on, and so do the tables of libidn2 */

static bool is_web(const char *url)
{
	return !strncasecmp(url, "http:", 5) || !strncasecmp(url, "https:", 6);
}

static bool has_scheme(const char *url)
{
	url += strspn(url, " \t\r\n\f");
	if (!isalpha((unsigned char)*url))
		return false;
	while (isalnum((unsigned char)*url) || (*url && strchr("+-.", *url)))
		url++;
	return *url == ':';
}

static int hex4(const char *text)
{
	char digits[5] = "";

	memcpy(digits, text, 4);
	return (int)strtol(digits, NULL, 16);
}

/* Halves of surrogate pairs, which jansson does not take, become U+FFFD, as a browser makes of them. */
static void mend_surrogates(char *text)
{
	for (char *at = text; (at = strstr(at, "\\u")); at += 6) {
		int unit = hex4(at + 2);
		bool pair = unit >= 0xd800 && unit < 0xdc00 && !strncmp(at + 6, "\\u", 2) && hex4(at + 8) >= 0xdc00 &&
		            hex4(at + 8) < 0xe000;

		if (pair)
			at += 6;
		else if (unit >= 0xd800 && unit < 0xe000)
			memcpy(at, "\\ufffd", 6);
	}
}

static json_t *read_cases(const char *path)
{
	struct prn_buffer text;
	FILE *file = fopen(path, "rb");
	json_error_t error;
	json_t *cases;
	int c;

	prn_buffer_init(&text);
	while (file && (c = getc(file)) != EOF)
		prn_buffer_append(&text, &(char){ (char)c }, 1);
	if (file)
		fclose(file);
	prn_buffer_append(&text, "", 1);
	mend_surrogates((char *)text.data);
	cases = json_loads((char *)text.data, JSON_ALLOW_NUL, &error);
	if (!cases)
		printf("# %s: line %d: %s\n", path, error.line, error.text);
	prn_buffer_release(&text);
	return cases;
}

struct tally {
	int kept, to_keep, refused, to_refuse;
};

static void compare(const json_t *one, struct tally *tally)
{
	const json_t *input = json_object_get(one, "input");
	const char *text = json_string_value(input), *base = json_string_value(json_object_get(one, "base"));
	const char *href = json_string_value(json_object_get(one, "href"));
	char got[PRN_URL_BYTES + 1] = "", from[PRN_URL_BYTES + 1];
	bool wrong;

	if (!text || (base && !is_web(base)) || (href ? !is_web(href) : has_scheme(text) ? !is_web(text) : !base))
		return;
	wrong = (base && prn_url_parse(base, strlen(base), NULL, false, from)) ||
	        prn_url_parse(text, json_string_length(input), base ? from : NULL, false, got);
	if (!href) {
		tally->to_refuse++;
		tally->refused += wrong;
		if (!wrong)
			printf("# kept, and to be refused: '%s' as %s\n", text, got);
		return;
	}
	wrong |= strlen(got) != strcspn(href, "#") || strncmp(got, href, strlen(got)) != 0;
	tally->to_keep++;
	tally->kept += !wrong;
	if (wrong)
		printf("# '%s' from '%s' is '%s', and is to be '%s'\n", text, base ? base : "", got, href);
}

int main(void)
{
	const char *path = getenv("URL_TEST_DATA");
	struct tally tally = { 0 };
	json_t *cases;
	size_t i;
	const json_t *one;

	if (!path || !*path) {
		puts("1..0 # SKIP URL_TEST_DATA names no urltestdata.json: tools/url-standard fetches it");
		return 0;
	}
	cases = read_cases(path);
	if (!cases)
		return 1;
	json_array_foreach(cases, i, one)
		compare(one, &tally);
	json_decref(cases);
	printf("# kept as the standard says: %d of %d; refused: %d of %d\n", tally.kept, tally.to_keep, tally.refused,
	       tally.to_refuse);
	ok(tally.to_keep > 100 && tally.kept >= SHARE * tally.to_keep,
	   "of the URLs that the standard keeps 97 %% are serialised as it says");
	ok(tally.to_refuse > 50 && tally.refused >= SHARE * tally.to_refuse,
	   "of the URLs that the standard refuses 97 %% are refused");
	return done();
}
