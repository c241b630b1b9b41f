/*
 * The visible text of HTML.  What has gone wrong with libxml2's parser, or could, is a test each.
 */
#include "fragment/html.h"
#include "fragment/markup.h"
#include "perennial/error.h"
#include "flat.h"
#include "tap.h"

#include <libxml/parser.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* The visible text, flat; the caller frees it. */
static char *text_of(const char *html, size_t length)
{
	struct prn_buffer text;
	unsigned cut;

	prn_buffer_init(&text);
	if (prn_html_text((const unsigned char *)html, length, &text, &cut))
		abort();
	return flat_take(&text);
}

static void reads(const char *html, const char *expected, const char *claim)
{
	char *text = text_of(html, strlen(html));

	same(text, expected, "%s", claim);
	free(text);
}

static void what_is_visible(void)
{
	reads("<p>Hello <i>world</i></p>", "Hello world", "the text of elements is read");
	reads("<title>T</title><body>b", "T b", "the title is text");
	reads("a<script>var x = '<p>no</p>';</script>b", "a b", "the text of a script is not read");
	reads("a<style>p > b { color: red }</style>b", "a b", "the text of a style is not read");
	reads("a<SCRIPT type=x>no</SCRIPT >b", "a b",
	"the text of a script is not read in whatever case its tag is");
	reads("<svg><style>no</style><text>yes</text></svg>", "yes",
	      "the text of a picture is read, its style is not");
	reads("a<!-- no <b>no</b> -->b", "ab", "comments are not read, and do not end a word");
	reads("<!--[if IE]><p>no</p><![endif]-->yes", "yes", "conditional comments are comments");
	reads("a<noscript>no<p>no</noscript>b", "a b", "the text of a noscript is not read");
	reads("a<template><p>no</p></template>b", "a b", "the text of a template is not read");
	reads("a<noscript>no <noscripts>no</noscripts> no</noscript>b", "a b",
	      "a tag whose name only begins with noscript does not show the text of a noscript");
	reads("a<template>no<noscript>no</noscript>no</template>b", "a b",
	      "the text of a template is not read after a noscript in it");
	reads("<img alt='no' title='no'><input value='no'>yes", "yes", "attributes are not read");
	reads("<?php no ?><p>yes", "yes", "processing instructions are not read");
	reads("<textarea>yes</textarea><button>and</button>", "yes and", "the text of fields and buttons is read");
}

static void what_ends_a_word(void)
{
	static const char *const inline_tags[] = {
		"a",      "abbr",   "acronym", "b",   "bdi",  "bdo",  "big",   "cite",
		"code",   "data",   "del",     "dfn", "em",   "font", "i",     "ins",
		"kbd",    "mark",   "nobr",    "q",   "s",    "samp", "small", "span",
		"strike", "strong", "sub",     "sup", "time", "tt",   "u",     "var",
	};
	static const char *const other_tags[] = { "p",       "div",   "td",     "li",   "h1",
		                                  "section", "x-own", "button", "label" };
	char html[100];

	for (size_t i = 0; i < sizeof inline_tags / sizeof *inline_tags; i++) {
		char *text;

		snprintf(html, sizeof html, "<p>on<%s>ew</%s>ord", inline_tags[i], inline_tags[i]);
		text = text_of(html, strlen(html));
		ok(!strcmp(text, "oneword"), "<%s> does not end a word", inline_tags[i]);
		free(text);
	}
	for (size_t i = 0; i < sizeof other_tags / sizeof *other_tags; i++) {
		char *text;

		snprintf(html, sizeof html, "<p>a<%s>b</%s>c", other_tags[i], other_tags[i]);
		text = text_of(html, strlen(html));
		ok(!strcmp(text, "a b c"), "<%s> ends a word", other_tags[i]);
		free(text);
	}
	reads("one<wbr>word<br>two<img>three<hr>four", "oneword two three four",
	      "wbr does not end a word; br, img and hr do");
	reads("<p>H<SUB>2</SUB>O", "H2O", "tags in capitals are the same tags");
}

static void entities(void)
{
	reads("AT&amp;T &lt;b&gt; caf&eacute; &#228;&#xe4;", "AT&T <b> café ää",
	      "entities are read by name and number");
	reads("a&nbsp;b",
	      "a\xc2\xa0"
	      "b",
	      "a no-break space stays itself");
	reads("a &unknown; b & c &; d", "a &unknown; b & c &; d",
	      "what is no entity stays as it is");
	reads("a &#; b &#x; c &#xfffffffff; d", "a b c d",
	      "a reference to no character is nothing");
}

/*
 * characters() comes in pieces of about a kilobyte, and apart for each entity: a word must not
 * break there.
 */
static void words_in_pieces(void)
{
	static char html[30000];
	bool whole = true;

	for (size_t length = 900; length < 5000; length += 37) {
		size_t at = (size_t)sprintf(html, "<p>x ");
		char *text;

		for (size_t i = 0; i < length; i++)
			html[at++] = (char)('a' + i % 26);
		at += (size_t)sprintf(html + at, "&eacute;<b>yz</b>");
		text = text_of(html, at);
		whole &= strlen(text) == 2 + length + 2 + 2 && !strcmp(text + length + 2, "éyz");
		free(text);
	}
	ok(whole, "words are whole wherever the parser cuts its pieces");
}

static void charset_is_settled(void)
{
	reads("<p>\xc3\xa4<meta charset=koi8-r><p>\xc3\xb6", "ä ö",
	      "a meta element after other letters does not change the charset");
	reads("<meta http-equiv=content-type content='text/html; charset=iso-8859-1'>\xc3\xa4", "ä",
	      "a meta element before other letters does not change the charset");
	reads("<?xml version='1.0' encoding='utf-16'?><p>\xc3\xa4", "ä",
	"an XML declaration does not change the charset");
	reads("\xe6\x97\xa5\xe6\x9c\xac", "日本",
	      "a page that begins with other letters is read as UTF-8");
	reads("a", "a", "a page of one byte is read");
	reads("\xc3\xa4", "ä", "a page of one letter beyond ASCII is read");
}

static void noscript_and_template(void)
{
	reads("<p>a<noscript>no<p>b<p>c", "a no b c",
	      "a noscript that is never closed hides nothing");
	reads("<p>a<noscript><div>no</noscript><p>b<p>c", "a b c",
	      "an open element in a noscript does not hide what follows the noscript");
	reads("<p>a<noscript><table><tr><td>no</noscript>b<p>c", "a b c",
	"an open table in a noscript does not hide what follows the noscript");
	reads("<head><noscript><img></noscript></head><p>b", "b", "a noscript in the head does not hide the body");
	reads("a<noscript>b<noscript>no</noscript>c", "a b c",
	      "of two noscripts with one end tag the first is the one not closed");
	reads("a<noscript>no</noscript>b<noscript>no</noscript>c", "a b c",
	"two noscripts hide no text between or after them");
	reads("a<NoScript>no</nOSCRIPT>b", "a b", "a noscript is not read in whatever case its tags are");
	reads("a<template>no<template>no</template>no</template>b", "a b",
	"a template in a template does not end the outer one");
	reads("a<template>b<p>c", "a b c", "a template that is never closed hides nothing");
	reads("a<template><div>no</template>b", "a b",
	      "an open element in a template does not hide what follows the template");
	reads("a<noscript>no</noscript", "a", "a noscript whose end tag is cut off is not read");
}

static void empty_and_odd(void)
{
	reads("", "", "an empty page has no text");
	reads(" ", "", "a page of white space has no text");
	reads("<", "<", "a lone angle bracket is text");
	reads("<p", "", "a tag that is cut off is not text");
	reads("<p title='", "", "an attribute that is cut off is not text");
	reads("<!--", "", "a comment that is cut off is not text");
	reads("<script>no", "", "a script that is cut off is not text");
	reads("a < b > c", "a < b > c", "angle brackets between spaces are text");
	reads("</p></div>a", "a", "end tags of nothing are passed over");
	reads("<b><i>a</b></i>b", "ab", "the text in crossed tags is read");
	reads("<html><body>a</body></html>b", "a b", "text after the end of the page is read");
}

/* html = count times repeated unit, then tail; returns its length.  The caller frees *html. */
static size_t repeat(char **html, const char *unit, size_t count, const char *tail)
{
	size_t step = strlen(unit), end = step * count;

	*html = malloc(end + strlen(tail) + 1);
	for (size_t i = 0; i < count; i++)
		memcpy(*html + i * step, unit, step);
	strcpy(*html + end, tail);
	return end + strlen(tail);
}

/*
 * Inputs of megabytes on which the bare parser takes minutes or hours.  Three seconds of processor
 * time is a hundred times what they should need, sanitizers and a slow machine taken into account.
 */
static char *in_time(const char *html, size_t length, const char *claim)
{
	clock_t start = clock();
	char *text = text_of(html, length);
	double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;

	if (!ok(seconds < 3, "reading takes linear time: %s", claim))
		printf("# %.1f s for %zu bytes\n", seconds, length);
	return text;
}

static void depth(void)
{
	char *html, *text;
	size_t length;

	length = repeat(&html, "<div>", PRN_MARKUP_DEPTH - 10, "deep");
	text = text_of(html, length);
	same(text, "deep", "the text in %d open elements is read", PRN_MARKUP_DEPTH - 8);
	free(html), free(text);

	length = repeat(&html, "<div>", 400000, "too deep");
	text = in_time(html, length, "400000 open elements");
	same(text, "", "text that is nested deeper than the limit is not read");
	free(html), free(text);

	length = repeat(&html, "<i>x", 400000, "");
	text = in_time(html, length, "400000 open inline elements");
	ok(strlen(text) >= PRN_MARKUP_DEPTH - 5 && strlen(text) <= PRN_MARKUP_DEPTH,
	   "open inline elements are read down to the limit of depth");
	free(html), free(text);
}

/* What comes behind so many pairs of stray end tags below 250 open elements. */
static char *behind_stray_tags(size_t pairs, const char *what)
{
	char *opening, *html, *text;
	size_t length;

	repeat(&opening, "<div>", 250, "start");
	length = repeat(&html, "</span></x>", pairs, "end");
	html = realloc(html, length + 1256);
	memmove(html + 1255, html, length + 1);
	memcpy(html, opening, 1255);
	text = in_time(html, length + 1255, what);
	free(opening), free(html);
	return text;
}

static void stray_end_tags(void)
{
	char *few = behind_stray_tags(4000, "8000 stray end tags below 250 open elements");
	char *many = behind_stray_tags(200000, "400000 stray end tags below 250 open elements");

	same(few, "startend", "the text after 8000 stray end tags is read");
	same(many, "start", "the text after 400000 stray end tags is not read, and what comes before them is");
	free(few), free(many);
}

/* As many attributes as wanted, all different; quoted values hold what looks like the tag's end. */
static size_t attributes(char **html, size_t count, const char *value, const char *tail)
{
	char *at = *html = malloc(100 + count * (20 + strlen(value)));

	at += sprintf(at, "before<p");
	for (size_t i = 0; i < count; i++)
		at += sprintf(at, " a%zx%s", i, value);
	at += sprintf(at, ">%s", tail);
	return (size_t)(at - *html);
}

static void many_attributes(void)
{
	char *html, *text, *tags;
	size_t length;

	length = attributes(&html, 200, "=1", "after");
	text = text_of(html, length);
	same(text, "before after", "the text around a tag of 200 attributes is read");
	free(html), free(text);

	length = attributes(&html, 300000, "", "after");
	text = in_time(html, length, "300000 attributes in one tag");
	ok(!strncmp(text, "before", 6), "the text before a tag of 300000 attributes is read");
	free(html), free(text);

	length = attributes(&html, 200000, "=\">\"", "after");
	text = in_time(html, length, "200000 attributes with quoted angle brackets");
	ok(!strncmp(text, "before", 6),
	   "the text before a tag of 200000 attributes with quoted angle brackets is read");
	free(html), free(text);

	attributes(&html, 150, "", "x");
	length = repeat(&tags, html, 2000, "end");
	text = in_time(tags, length, "2000 tags of 150 attributes");
	ok(strlen(text) > 4 && !strcmp(text + strlen(text) - 4, "xend"),
	   "the text after 2000 tags of 150 attributes is read");
	free(html), free(text), free(tags);
}

static void endless(void)
{
	static const struct {
		const char *unit, *claim;
	} cases[] = {
		{ "x", "one word of a megabyte" },
		{ "<noscript>", "100000 unclosed noscripts" },
		{ "<noscript>x</noscript>", "100000 noscripts" },
		{ "<template>", "100000 unclosed templates" },
		{ "<template></template>", "100000 templates" },
		{ "<", "angle brackets" },
		{ "&", "ampersands" },
		{ "&#", "half references" },
		{ "<!", "half declarations" },
		{ "<!--", "openings of comments" },
		{ "<a href='", "openings of attributes" },
		{ "<script>", "openings of scripts" },
		{ "</", "half end tags" },
		{ "<p>", "paragraphs" },
		{ "<table>", "tables" },
		{ "<form>", "forms" },
		{ "</p>", "ends of paragraphs" },
		{ "<br/>", "breaks" },
		{ "<a>", "anchors" },
		{ "<title>", "titles" },
		{ "<frameset>", "frame sets" },
		{ "<li><ul>", "lists" },
		{ "]]>", "ends of sections" },
		{ "<![CDATA[", "openings of sections" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *html;
		size_t length = repeat(&html, cases[i].unit, 100000, "");

		free(in_time(html, length, cases[i].claim));
		free(html);
	}
}

/* Each thread reads pages of its own; what they share is libxml2. */
static void *read_many(void *context)
{
	bool *all = context;

	for (int i = 0; i < 300; i++) {
		char html[100], expected[100], *text;

		snprintf(html, sizeof html, "<x-tag%d><p>a&eacute;<b>%d</b><noscript>no</noscript>",
		         i, i);
		snprintf(expected, sizeof expected, "aé%d", i);
		text = text_of(html, strlen(html));
		*all &= !strcmp(text, expected);
		free(text);
	}
	return NULL;
}

static void threads(void)
{
	pthread_t ids[4];
	bool all[4] = { true, true, true, true };

	for (int i = 0; i < 4; i++)
		pthread_create(&ids[i], NULL, read_many, &all[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(ids[i], NULL);
	ok(all[0] && all[1] && all[2] && all[3], "four threads that read pages side by side read each one right");
}

/* Everything above ran with standard error in a file: libxml2 must not have written there. */
static void silence(FILE *said)
{
	fflush(stderr);
	ok(lseek(fileno(said), 0, SEEK_END) == 0, "nothing was printed by the parser");
}

int main(void)
{
	FILE *said = tmpfile();
	int stderr_was = dup(2);

	xmlInitParser();
	dup2(fileno(said), 2);
	what_is_visible();
	what_ends_a_word();
	entities();
	words_in_pieces();
	charset_is_settled();
	noscript_and_template();
	empty_and_odd();
	depth();
	stray_end_tags();
	many_attributes();
	endless();
	threads();
	silence(said);
	dup2(stderr_was, 2);
	return done();
}
