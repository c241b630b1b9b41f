/* Paths of files as URLs: what is escaped in either kind of names, and what an index.html is. */
#include "archive/file_url.h"
#include "perennial/url.h"
#include "tap.h"

#include <stdlib.h>

static struct prn_buffer made;

static const char *url_of(const char *path, enum prn_file_names names)
{
	prn_buffer_clear(&made);
	if (prn_buffer_append(&made, "http://a/", 9) || prn_file_url_append(&made, path, names) || prn_buffer_terminate(&made))
		return "(no memory)";
	return (const char *)made.data;
}

static void indices(void)
{
	static const char *const cases[][2] = { { "index.html", "http://a/" },
		                                { "x/index.html", "http://a/x/" },
		                                { "myindex.html", "http://a/myindex.html" },
		                                { "index.html/x", "http://a/index.html/x" },
		                                { "x/index.htm", "http://a/x/index.htm" },
		                                { "x/INDEX.HTML", "http://a/x/INDEX.HTML" },
		                                { "", "http://a/" } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		same(url_of(cases[i][0], i % 2 ? PRN_NAMES_PLAIN : PRN_NAMES_OF_URLS), cases[i][1], "the URL of '%s'", cases[i][0]);
	same(url_of("index.html?x=1", PRN_NAMES_OF_URLS), "http://a/index.html?x=1", "an index.html that has a query keeps its name");
}

static void escapes(void)
{
	static const char *const both[][2] = { { "a b", "http://a/a%20b" },        { "a#b", "http://a/a%23b" },
		                               { "a\\b", "http://a/a%5Cb" },       { "caf\xc3\xa9", "http://a/caf%C3%A9" },
		                               { "caf\xe9", "http://a/caf%E9" },   { "\t\n\x7f", "http://a/%09%0A%7F" },
		                               { "a/b:c;d=e&f@g!~'()*,+$", "http://a/a/b:c;d=e&f@g!~'()*,+$" } };

	for (size_t i = 0; i < sizeof both / sizeof *both; i++)
		for (int names = PRN_NAMES_PLAIN; names <= PRN_NAMES_OF_URLS; names++)
			same(url_of(both[i][0], (enum prn_file_names)names), both[i][1], "case %zu of what is escaped in names of kind %d", i, names);
	same(url_of("q?x=1%20", PRN_NAMES_PLAIN), "http://a/q%3Fx=1%2520", "in a plain name '?' and '%%' are themselves");
	same(url_of("q?x=1%20", PRN_NAMES_OF_URLS), "http://a/q?x=1%20", "in a name of a URL '?' begins a query, and '%%' an escape");
}

/* No two names of files are one page, whatever bytes they are of. */
static void apart(void)
{
	static char urls[255][64];
	int alike = 0;

	for (int c = 1; c < 256; c++) {
		char path[4] = { 'x', (char)c, 'y' };

		if (c == '/' || prn_url_normalize(url_of(path, PRN_NAMES_PLAIN), SIZE_MAX, urls[c - 1], sizeof urls[0]))
			snprintf(urls[c - 1], sizeof urls[0], "%d", c);
	}
	for (int i = 0; i < 255; i++)
		for (int j = 0; j < i; j++)
			alike += !strcmp(urls[i], urls[j]);
	ok(!alike && !strncmp(urls['\\' - 1], "http", 4), "names of files that differ in any byte are pages that differ: %d alike", alike);
}

int main(void)
{
	indices();
	escapes();
	apart();
	prn_buffer_release(&made);
	return done();
}
