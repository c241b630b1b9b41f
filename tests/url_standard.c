/*
 * The URL standard's own test data: the files urltestdata.json, toascii.json and IdnaTestV2.json of the web platform tests,
 * in a folder that URL_TEST_DATA names and tools/url-standard fills.  Nothing of them is kept here.
 *
 * Of the first, cases count whose URL, and base if there is one, is of http or https; fragments are cut off, as they are
 * here.  The others are hosts, and count as "https://HOST/x" where DNS can hold the name.
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

/* href: as what the standard keeps it; NULL: it refuses it. */
static void count(const char *text, const char *href, bool wrong, const char *got, struct tally *tally)
{
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
		printf("# '%s' is '%s', and is to be '%s'\n", text, got, href);
}

static void compare_url(const json_t *one, struct tally *tally)
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
	count(text, href, wrong, got, tally);
}

/* Labels of at most 63 bytes, 253 in all.  The standard keeps longer names too, which no host has. */
static bool fits_dns(const char *host)
{
	for (const char *label = host; *label; label += strcspn(label, ".") + (label[strcspn(label, ".")] == '.'))
		if (strcspn(label, ".") > 63)
			return false;
	return strlen(host) <= 253;
}

/* What would end the host is escaped in it. */
static void compare_host(const json_t *one, struct tally *tally)
{
	const json_t *input = json_object_get(one, "input");
	const char *text = json_string_value(input), *output = json_string_value(json_object_get(one, "output"));
	char url[PRN_URL_BYTES], href[PRN_URL_BYTES], got[PRN_URL_BYTES + 1] = "";
	size_t length = (size_t)sprintf(url, "https://");

	if (!text || json_string_length(input) > sizeof url / 4 || (output && !fits_dns(output)))
		return;
	for (size_t i = 0; i < json_string_length(input); i++)
		length += (size_t)sprintf(url + length, text[i] && strchr(":/?#\\", text[i]) ? "%%%02X" : "%c", text[i]);
	length += (size_t)sprintf(url + length, "/x");
	snprintf(href, sizeof href, "https://%s/x", output ? output : "");
	count(url, output ? href : NULL, prn_url_parse(url, length, NULL, false, got), got, tally);
}

/* False: the file is not there, or no JSON. */
static bool compare_file(const char *folder, const char *name, void (*compare)(const json_t *, struct tally *), struct tally *tally)
{
	char path[4096];
	json_t *cases;
	const json_t *one;
	size_t i;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	cases = read_cases(path);
	json_array_foreach(cases, i, one)
		compare(one, tally);
	json_decref(cases);
	return cases;
}

static void verdict(const struct tally *tally, const char *what)
{
	printf("# %s kept as the standard says: %d of %d; refused: %d of %d\n", what, tally->kept, tally->to_keep,
	       tally->refused, tally->to_refuse);
	ok(tally->to_keep > 100 && tally->kept >= SHARE * tally->to_keep,
	   "of the %s that the standard keeps 97 %% are serialised as it says", what);
	ok(tally->to_refuse > 50 && tally->refused >= SHARE * tally->to_refuse,
	   "of the %s that the standard refuses 97 %% are refused", what);
}

int main(void)
{
	const char *folder = getenv("URL_TEST_DATA");
	struct tally urls = { 0 }, hosts = { 0 };

	if (!folder || !*folder) {
		puts("1..0 # SKIP URL_TEST_DATA names no folder of the standard's tests: tools/url-standard fetches them");
		return 0;
	}
	if (!compare_file(folder, "urltestdata.json", compare_url, &urls) ||
	    !compare_file(folder, "toascii.json", compare_host, &hosts) ||
	    !compare_file(folder, "IdnaTestV2.json", compare_host, &hosts))
		return 1;
	verdict(&urls, "URLs");
	verdict(&hosts, "hosts");
	return done();
}
