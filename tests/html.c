/*
 * The visible text of HTML, as browsers that run scripts read it.
 */
#include "fragment/element.h"
#include "fragment/html.h"
#include "perennial/error.h"
#include "flat.h"
#include "tap.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static char *text_as(const char *html, size_t length, bool is_xhtml)
{
	struct prn_buffer text;

	prn_buffer_init(&text);
	if (prn_html_text((const unsigned char *)html, length, is_xhtml, &text, NULL))
		abort();
	return flat_take(&text);
}

/* The visible text, flat; the caller frees it. */
static char *text_of(const char *html, size_t length)
{
	return text_as(html, length, false);
}

static void reads(const char *html, const char *expected, const char *claim)
{
	char *text = text_of(html, strlen(html));

	same(text, expected, "%s", claim);
	free(text);
}

static void reads_xhtml(const char *html, const char *expected, const char *claim)
{
	char *text = text_as(html, strlen(html), true);

	same(text, expected, "%s", claim);
	free(text);
}

static void what_is_visible(void)
{
	reads("<p>Hello <i>world</i></p>", "Hello world", "the text of elements is read");
	reads("<title>T <b>t</b></title><body>b", "T <b>t</b> b", "the title is text, whatever it holds");
	reads("<textarea><p>a</textarea>b", "<p>a b", "what a field holds is text, whatever it is");
	reads("<xmp><p>&amp;</xmp>b", "<p>&amp; b", "an example is text, whatever it holds");
	reads("a<plaintext>b</plaintext>", "a b</plaintext>", "plain text has no end");
	reads("a<iframe><p>no</iframe>b<noembed>no</noembed>c<noframes>no</noframes>d", "a b c d",
	      "what is for browsers without frames is not read");
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
	reads("a &#; b &#x; c &#xfffffffff; d", "a &#; b &#x; c \xef\xbf\xbd d",
	      "a reference without a number is text, and one to no character the replacement character");
	reads("one&hairsp;two&NewLine;three", "one\xe2\x80\x8atwo three", "names that HTML 4 did not know are known");
	reads("<title>a &amp; b&lt;i></title>", "a & b<i>", "references in a title are characters");
}

/*
 * Text comes in pieces, and apart for each reference: a word must not break there.
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
	reads("<p>a<noscript>no<p>b<p>c", "a", "a noscript that is never closed hides the rest, as a browser has it");
	reads("<p>a<noscript><div>no</noscript><p>b<p>c", "a b c",
	      "an open element in a noscript does not hide what follows the noscript");
	reads("<p>a<noscript><table><tr><td>no</noscript>b<p>c", "a b c",
	      "an open table in a noscript does not hide what follows the noscript");
	reads("<head><noscript><img></noscript></head><p>b", "b", "a noscript in the head does not hide the body");
	reads("a<noscript>no<noscript>no</noscript>c", "a c", "a noscript cannot hold another");
	reads("a<noscript>no</noscript>b<noscript>no</noscript>c", "a b c", "two noscripts hide no text between or after them");
	reads("a<NoScript>no</nOSCRIPT>b", "a b", "a noscript is not read in whatever case its tags are");
	reads("a<noscript><!-- </noscript>b -->", "a b -->", "a noscript ends in what looks like a comment");
	reads("a<noscript>no</noscript", "a", "a noscript whose end tag is cut off is not read");
	reads("a<template>no<template>no</template>no</template>b", "a b", "a template in a template does not end the outer one");
	reads("a<template>no<p>no", "a", "a template that is never closed hides the rest, as a browser has it");
	reads("a<template><div>no</template>b", "a b", "an open element in a template does not hide what follows the template");
	reads("a<template><style></template></style>no</template>b", "a b",
	      "what looks like the end of a template in a style is not its end");
	reads("a</template>b<template>no</template>c", "a b c", "an end of no template ends none");
}

/* Where the same names are other elements, and text may be a section. */
static void other_languages(void)
{
	reads("<svg><title>a<b>b</b></title></svg><title>c<b></title>", "ab c<b>", "the title of a picture may hold elements");
	reads("<svg><style>no<g>no</g></style><text>a</text></svg>", "a", "the style of a picture is not read, though it may hold elements");
	reads("<svg><script/><text>a</text></svg>b", "a b", "a script of a picture may be empty");
	reads("<p>a<script/>no</script>b", "a b", "a script of a page is not empty, whatever its tag says");
	reads("<svg><text><![CDATA[a<b>]]></text></svg>", "a<b>", "a section in a picture is text");
	reads("<math><mtext><![CDATA[no]]>a</mtext><mi><![CDATA[no]]>b</mi><ms/><![CDATA[c]]></math>", "a b c",
	      "a section in a formula is text, but not in its texts");
	reads("<svg/><![CDATA[no]]>a", "a", "a picture that is closed at once holds nothing");
	reads("<svg><foreignObject><style>no<b></style><![CDATA[no]]>a</foreignObject><![CDATA[b]]></svg>", "a b",
	      "a page in a picture is HTML, and the picture goes on behind it");
	reads("<svg><g><p>a<style>no<b></style></p><![CDATA[no]]>", "a", "a paragraph ends a picture that nobody closed");
	reads("<svg><p><title>a<b></title>", "a<b>", "in that paragraph a title is HTML's");
	reads("<svg><style>no<title>no</title></style></svg>a", "a", "a title in the style of a picture is not read");
	reads("<div><svg><g></div><![CDATA[no]]>a", "a", "so does the end of what holds it");
	reads("<svg><desc><svg></svg><title><b></title>a</desc><![CDATA[b]]></svg>", "<b> a b", "pictures may stand in one another");
	reads("<template><svg></template>a<![CDATA[no]]>b", "ab", "a template ends the pictures in it");
	reads("<svg><template>a<style>no<g>no</g></style></template>b</svg>", "a b", "a template in a picture is an element like others");
	reads("<svg></svg></svg><svg><![CDATA[a]]></svg>", "a", "an end of no picture ends none");
}

static void xhtml(void)
{
	reads_xhtml("<title/><p>a<script src='x'/>b<style/>c<iframe/>d<template/>e</p>", "a b c d e", "any element of XHTML may be empty");
	reads_xhtml("<p>a<![CDATA[<b>]]></p><style><![CDATA[no]]></style>", "a<b>", "a section in XHTML is text");
	reads("<p>a<script src='x'/>no", "a", "an element of HTML is not empty for a slash");
}

static void elements(void)
{
	static const char *const names[] = { "a", "wbr", "xmp", "template", "foreignobject", "h1", "title" };
	static const char *const others[] = { "titles", "titl", "", "zz" };
	bool found = true;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		found &= !strcmp(prn_element_of(names[i], strlen(names[i]))->name, names[i]);
	ok(found, "elements are found by their names, the first and the last too");
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		ok(!prn_element_of(others[i], strlen(others[i]))->name[0],
		   "'%s', which only begins like an element or ends like one, is none", others[i]);
	ok(prn_element_of("titles", 5) == prn_element_of("title", 5), "only so many bytes of a name are read");
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
	reads("a</b>b</div>c", "ab c", "end tags of nothing end words as those of something do");
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
 * Inputs of megabytes on which other parsers take minutes or hours.  Three seconds of processor
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
	size_t length = repeat(&html, "<div>", 400000, "deep");

	text = in_time(html, length, "400000 open elements");
	same(text, "deep", "the text in 400000 open elements is read");
	free(html), free(text);

	length = repeat(&html, "<svg><desc>", 100000, "</svg><title><b></title>deep");
	text = in_time(html, length, "200000 pictures in one another");
	ok(strlen(text) > 4 && !strcmp(text + strlen(text) - 4, "deep"), "the text in 200000 pictures is read");
	free(html), free(text);

	length = repeat(&html, "<svg>", 70, "");
	html = realloc(html, length + 1000);
	for (size_t i = 0; i < 69; i++)
		length += (size_t)sprintf(html + length, "</svg>");
	length += (size_t)sprintf(html + length, "<![CDATA[a]]></svg><![CDATA[no]]>");
	text = text_of(html, length);
	same(text, "a", "of 70 pictures in one another the outermost ends last");
	free(html), free(text);

	length = repeat(&html, "<template>", 100000, "no");
	html = realloc(html, length + 1100100);
	for (size_t i = 0; i < 100000; i++)
		length += (size_t)sprintf(html + length, "</template>");
	text = text_of(html, length - 11);
	same(text, "", "what stands in one of 100000 templates that is still open is not read");
	free(text);
	length += (size_t)sprintf(html + length, "a");
	text = in_time(html, length, "100000 templates in one another");
	same(text, "a", "what stands behind 100000 templates in one another is read");
	free(html), free(text);
}

static void stray_end_tags(void)
{
	char *html, *text;
	size_t length = repeat(&html, "</span></x>", 200000, "end");

	text = in_time(html, length, "400000 stray end tags");
	same(text, "end", "the text after 400000 stray end tags is read");
	free(html), free(text);
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
	char *html, *text;
	size_t length = attributes(&html, 300000, "", "after");

	text = in_time(html, length, "300000 attributes in one tag");
	same(text, "before after", "the text around a tag of 300000 attributes is read");
	free(html), free(text);

	length = attributes(&html, 200000, "=\">\"", "after");
	text = in_time(html, length, "200000 attributes with quoted angle brackets");
	same(text, "before after", "the text around a tag of 200000 attributes with quoted angle brackets is read");
	free(html), free(text);
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
		{ "<svg><title>", "titles of pictures" },
		{ "</svg>", "ends of pictures" },
		{ "&CounterClockwiseContourIntegral", "names without their semicolons" },
		{ "<!--<script>", "openings of comments that hold scripts" },
		{ "<a b=", "openings of values" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *html;
		size_t length = repeat(&html, cases[i].unit, 100000, "");

		free(in_time(html, length, cases[i].claim));
		free(html);
	}
}

/* Each thread reads pages of its own; they share nothing. */
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
	size_t right = 0;

	for (int i = 0; i < 4; i++)
		pthread_create(&ids[i], NULL, read_many, &all[i]);
	for (int i = 0; i < 4; i++) {
		pthread_join(ids[i], NULL);
		right += all[i];
	}
	ok(right == 4, "four threads that read pages side by side read each one right");
}

int main(void)
{
	what_is_visible();
	what_ends_a_word();
	entities();
	words_in_pieces();
	charset_is_settled();
	noscript_and_template();
	other_languages();
	xhtml();
	elements();
	empty_and_odd();
	depth();
	stray_end_tags();
	many_attributes();
	endless();
	threads();
	return done();
}
