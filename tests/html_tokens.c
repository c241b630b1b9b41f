/*
 * HTML's tokenizer: what each state makes of what ends it and of what does not.  tools/html-standard has it pass the tests
 * that browsers pass.
 */
#include "fragment/run.h"
#include "html_told.h"
#include "tap.h"

#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>

static void tell(struct prn_buffer *told, enum prn_html_content content, const char *element, bool is_foreign,
                 const void *bytes, size_t length, size_t piece, uint64_t seed)
{
	struct prn_html_tokens tokens;

	prn_html_tokens_begin(&tokens);
	if (content != PRN_HTML_DATA)
		prn_html_tokens_enter(&tokens, content, element, strlen(element));
	tokens.is_foreign = is_foreign;
	told_by_pieces(told, &tokens, bytes, length, piece, seed);
}

/* In expected, "\1" and "\2" stand around tags. */
static void tells_in(enum prn_html_content content, const char *element, const char *html, const char *expected, const char *claim)
{
	struct prn_buffer told = { 0 };

	tell(&told, content, element, false, html, strlen(html), SIZE_MAX, 0);
	prn_buffer_terminate(&told);
	same((char *)told.data, expected, "%s", claim);
	prn_buffer_release(&told);
}

static void tells(const char *html, const char *expected, const char *claim)
{
	tells_in(PRN_HTML_DATA, "", html, expected, claim);
}

static void tags(void)
{
	tells("a<p>b</p>c", "a\1p\2b\1/p\2c", "start and end tags are told between texts");
	tells("<DIV><x-Y><h1></H1>", "\1div\2\1x-y\2\1h1\2\1/h1\2", "the names of tags are told in lower case");
	tells("<br/><br /><br / ><a/b/>", "\1br/\2\1br/\2\1br\2\1a/\2", "a start tag that ends in a slash is told to be closed");
	tells("</p/></p x=y>", "\1/p\2\1/p\2", "what stands in an end tag behind its name is passed over");
	tells("1<2 a< b <", "1<2 a< b <", "an angle bracket that begins no name is text");
	tells("</", "</", "the beginning of an end tag is text at the end of the page");
	tells("a</>b</ p>c</3>d", "abcd", "an end tag without a name is nothing");
	tells("<?php echo '>' ?>a", "' ?>a", "an instruction ends at the first angle bracket");
	tells("a<p", "a", "a tag that is cut off is nothing");
	tells("a<p b", "a", "a tag that is cut off in an attribute is nothing");
	tells("<a\tb\nc\fd\re>", "\1a\2", "white space of every kind ends names of tags and attributes");
	tells("<0123456789>", "<0123456789>", "a digit begins no name");
	tells("<a23456789b123456789c123456789d123456789>", "\1a23456789b123456789c123456789d12\2",
	      "of a long name the first 32 bytes are told");
	tells("<x\xc3\xa4>", "\1x\xc3\xa4\2", "letters beyond ASCII are part of a name");
}

/* So that eight bytes of it can be compared at once. */
static void padding(void)
{
	static const char html[] = "<strong><b><blockquote></i>";
	struct prn_html_tokens tokens;
	bool padded = true;

	prn_html_tokens_begin(&tokens);
	prn_html_tokens_feed(&tokens, html, sizeof html - 1);
	padded &= prn_html_tokens_next(&tokens) == PRN_HTML_START && !memcmp(tokens.name, "strong\0\0", 8);
	padded &= prn_html_tokens_next(&tokens) == PRN_HTML_START && !memcmp(tokens.name, "b\0\0\0\0\0\0\0", 8);
	padded &= prn_html_tokens_next(&tokens) == PRN_HTML_START && !memcmp(tokens.name, "blockquo", 8);
	padded &= prn_html_tokens_next(&tokens) == PRN_HTML_END && !memcmp(tokens.name, "i\0\0\0\0\0\0\0", 8);
	ok(padded && prn_html_tokens_next(&tokens) == PRN_HTML_MORE, "names are padded with NUL to eight bytes");
}

static void attributes(void)
{
	tells("<a b=\"1>2\" c='3>4' d=5>e", "\1a\2e", "angle brackets in quotes do not end a tag");
	tells("<a b=\"'>\" c='\">'>d", "\1a\2d", "the other quotes in quotes end nothing");
	tells("<a b=c\"d>e\">f", "\1a\2e\">f", "a quote within a value without quotes begins none");
	tells("<a b = \"c>\" >d", "\1a\2d", "there may be white space around an equals sign");
	tells("<a =\"b>c\">d", "\1a\2c\">d", "an equals sign that begins a name has no value before it");
	tells("<a b=>c", "\1a\2c", "a value may be missing");
	tells("<a b=/>c<a b=c/>d", "\1a\2c\1a\2d", "a slash in a value without quotes does not close a tag");
	tells("<a b=\"c\"d='>'>e", "\1a\2e", "an attribute may follow a quote at once");
	tells("<a b='c'/>d<a 'b'>c'>", "\1a/\2d\1a\2c'>", "a quote that begins a name begins no value");
	tells("<a b=&quot;>c", "\1a\2c", "a reference in a value is not looked at");
	tells("<a \"b>c", "\1a\2c", "a quote alone is a name");
	tells("<a b=\"c", "", "a value that is cut off hides the rest");
}

static void comments(void)
{
	tells("a<!-- <b> & - -- ->c-->d", "ad", "a comment ends at the first two dashes and an angle bracket");
	tells("a<!-->b<!--->c<!---->d", "abcd", "comments without text end early");
	tells("a<!--b--!>c<!--d--!-->e", "ace", "a comment may end with an exclamation mark");
	tells("a<!--b--!-c-->d", "ad", "an exclamation mark that does not end a comment is part of it");
	tells("a<!-- b --- >c --->d", "ad", "more than two dashes may end a comment");
	tells("a<!-- <!-- b --> c -->", "a c -->", "a comment in a comment does not begin one");
	tells("a<!--b--", "a", "a comment that is cut off hides the rest");
	tells("a<!b>c<!->d<!>e", "acde", "what begins like a comment, and is none, ends at the first angle bracket");
	tells("<!DOCTYPE html PUBLIC \"-//W3C>\">a", "\">a", "a document type ends at the first angle bracket, in quotes too");
	tells("<!DoCtYpE html>a", "a", "a document type is not told");
	tells("a<![CDATA[b]]>c", "ac", "a section is a comment in HTML");
}

static void sections(void)
{
	static const struct {
		const char *html, *expected, *claim;
	} cases[] = {
		{ "a<![CDATA[b<p>&amp;]]>c<p>", "ab<p>&amp;c\1p\2", "a section in another language is text, whatever it holds" },
		{ "<![CDATA[a]b]]c]]]>d", "a]b]]c]d", "brackets that do not end a section are text" },
		{ "<![CDATA[a]]]]>", "a]]", "of many brackets the last two end a section" },
		{ "<![CDATA[a]]", "a]]", "brackets at the end of the page are text" },
		{ "<![cdata[a]]>b<![CDATA a>c", "bc", "a section begins with capitals and a bracket" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct prn_buffer told = { 0 };

		tell(&told, PRN_HTML_DATA, "", true, cases[i].html, strlen(cases[i].html), SIZE_MAX, 0);
		prn_buffer_terminate(&told);
		same((char *)told.data, cases[i].expected, "%s", cases[i].claim);
		prn_buffer_release(&told);
	}
}

static void contents(void)
{
	tells_in(PRN_HTML_RCDATA, "title", "a<b>&amp;<!--c--></b></title>d<p>", "a<b>&<!--c--></b>\1/title\2d\1p\2",
	         "a title holds references but no tags");
	tells_in(PRN_HTML_RCDATA, "title", "</titles></titl></ title></TITLE x='>'>a", "</titles></titl></ title>\1/title\2a",
	         "a title ends at its own end tag, in whatever case and with attributes");
	tells_in(PRN_HTML_RCDATA, "title", "a</title>b<!--c--><p>&amp;", "a\1/title\2b\1p\2&", "behind a title all is as before it");
	tells_in(PRN_HTML_CDATA, "", "a]]>b<!--c--><p>&amp;", "ab\1p\2&", "behind a section all is as before it");
	tells_in(PRN_HTML_RCDATA, "title", "a</title", "a</title", "an end tag that is cut off is text");
	tells_in(PRN_HTML_RCDATA, "title", "a</title b", "a", "an end tag that is cut off behind its name is nothing");
	tells_in(PRN_HTML_RAWTEXT, "style", "a<b>&amp;</b></style/>c", "a<b>&amp;</b>\1/style\2c", "a style holds no references");
	tells_in(PRN_HTML_RAWTEXT, "", "a</></b>", "a</></b>", "without a start tag no end tag ends raw text");
	tells_in(PRN_HTML_PLAINTEXT, "plaintext", "a<b></plaintext>&lt;", "a<b></plaintext>&lt;", "plain text has no end");
	tells_in(PRN_HTML_RCDATA, "textarea", "<\xc3\xa4</textarea>", "<\xc3\xa4\1/textarea\2", "an angle bracket before any letter is text");
}

static void scripts(void)
{
	tells_in(PRN_HTML_SCRIPT, "script", "if (a<b && c</d/) x='<p>';</script>e", "if (a<b && c</d/) x='<p>';\1/script\2e",
	         "a script ends at its end tag");
	tells_in(PRN_HTML_SCRIPT, "script", "<!-- a </script> b", "<!-- a \1/script\2 b",
	         "a script that begins a comment ends at its end tag");
	tells_in(PRN_HTML_SCRIPT, "script", "<!-- <script> a </script> b --> </script>c",
	         "<!-- <script> a </script> b --> \1/script\2c", "a script in a comment in a script does not end the outer one");
	tells_in(PRN_HTML_SCRIPT, "script", "<!--<SCRIPT/>a</script >b</script>c", "<!--<SCRIPT/>a</script >b\1/script\2c",
	         "an inner script ends at its end tag, still within the comment");
	tells_in(PRN_HTML_SCRIPT, "script", "<!--<scripts></script>a", "<!--<scripts>\1/script\2a",
	         "a longer name does not begin an inner script");
	tells_in(PRN_HTML_SCRIPT, "script", "<!--<script a</scripts></script>b</script>c",
	         "<!--<script a</scripts></script>b\1/script\2c", "a longer name does not end an inner script");
	tells_in(PRN_HTML_SCRIPT, "script", "<!--<script-></script>a", "<!--<script->\1/script\2a",
	         "a dash does not end the name of an inner script");
	tells_in(PRN_HTML_SCRIPT, "script", "<!--<script></script><script></script></script>a",
	         "<!--<script></script><script></script>\1/script\2a", "a second inner script does not end the outer one either");
	tells_in(PRN_HTML_SCRIPT, "script", "<!--<scrip></script>a", "<!--<scrip>\1/script\2a",
	         "a shorter name does not begin an inner script");
	tells_in(PRN_HTML_SCRIPT, "script", "<!--<script>--></script>a", "<!--<script>-->\1/script\2a",
	         "an inner script ends with the comment");
	tells_in(PRN_HTML_SCRIPT, "script", "<!--><script></script>a", "<!--><script>\1/script\2a",
	         "a comment that ends at once holds no inner script");
	tells_in(PRN_HTML_SCRIPT, "script", "<!-<script></script>a", "<!-<script>\1/script\2a", "one dash begins no comment in a script");
	tells_in(PRN_HTML_SCRIPT, "script", "<!-- -- > - <script> - -- > </script></script>a",
	         "<!-- -- > - <script> - -- > </script>\1/script\2a", "dashes apart from the bracket do not end a comment in a script");
	tells_in(PRN_HTML_SCRIPT, "script", "<!--</scrip", "<!--</scrip", "what is cut off in a script is text");
}

static void references(void)
{
	tells("&amp;&lt;&eacute;&hairsp;&apos;&nbsp;", "&<\xc3\xa9\xe2\x80\x8a'\xc2\xa0", "named references are characters");
	tells("&NotEqualTilde;&CounterClockwiseContourIntegral;", "\xe2\x89\x82\xcc\xb8\xe2\x88\xb3",
	      "a reference may be two characters, and its name 31 letters");
	tells("&notit;&notin;&not", "\xc2\xacit;\xe2\x88\x89\xc2\xac", "the longest name counts, and what follows it is text");
	tells("&ampx &AMP &copy2", "&x & \xc2\xa9" "2", "some names need no semicolon");
	tells("&hairsp &unknown; & &; &-", "&hairsp &unknown; & &; &-", "what is no name is text");
	tells("&CounterClockwiseContourIntegrals;", "&CounterClockwiseContourIntegrals;", "a name that only begins like one is text");
	tells("&#228;&#xe4;&#XE4;&#228&#xe4 ", "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 ",
	      "references by number are characters, with or without a semicolon");
	tells("&#x20AC;&#128;&#x9f;&#x81;", "\xe2\x82\xac\xe2\x82\xac\xc5\xb8\xc2\x81",
	      "numbers of control characters are what windows-1252 has there");
	tells("&#0;&#xd800;&#x110000;&#99999999999999999999;&#xdfff;",
	      "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", "numbers of no character are the replacement character");
	tells("&#4294967361;&#x100000041;", "\xef\xbf\xbd\xef\xbf\xbd", "numbers that are too large do not begin anew");
	tells("&#x10ffff;&#xe000;&#xd7ff;", "\xf4\x8f\xbf\xbf\xee\x80\x80\xed\x9f\xbf", "the numbers beside those are characters");
	tells("&#; &#x; &#xg; &#a", "&#; &#x; &#xg; &#a", "a number without digits is text");
	tells("&#6", "\6", "a number at the end of the page is a character");
	tells("&am", "&am", "a name that is cut off is text");
	tells("&am<p>&", "&am\1p\2&", "a tag may follow a name that is cut off");
}

/* Every name that another library knows, against what it says. */
static void names_of_html_4(void)
{
	size_t known = 0, right = 0;

	for (unsigned code = 1; code < 0x10000; code++) {
		const htmlEntityDesc *entity = htmlEntityValueLookup(code);
		struct prn_buffer told = { 0 }, reference = { 0 };
		unsigned char want[5] = "";
		int length = 4;

		/* The standard has moved two of them to other brackets. */
		if (!entity || code == 0x2329 || code == 0x232a)
			continue;
		if (prn_buffer_printf(&reference, "&%s;", entity->name))
			abort();
		length = xmlCopyCharMultiByte(want, (int)code);
		tell(&told, PRN_HTML_DATA, "", false, reference.data, reference.length, SIZE_MAX, 0);
		known++;
		right += told.length == (size_t)length && !memcmp(told.data, want, told.length);
		prn_buffer_release(&told);
		prn_buffer_release(&reference);
	}
	ok(known > 240 && right == known, "%zu of %zu names of HTML 4 mean what libxml2 says they mean", right, known);
}

static void replaced(void)
{
	static const char bytes[] = "a\0<b\0>\0";
	struct prn_buffer told = { 0 };

	tell(&told, PRN_HTML_DATA, "", false, bytes, sizeof bytes - 1, SIZE_MAX, 0);
	ok(told.length == 9 && !memcmp(told.data, "a\0\1b\xef\xbf\xbd\2\0", 9), "NUL stays itself in text and is replaced in names");
	prn_buffer_clear(&told);
	tell(&told, PRN_HTML_RCDATA, "title", false, bytes, 2, SIZE_MAX, 0);
	tell(&told, PRN_HTML_RAWTEXT, "style", false, bytes, 2, SIZE_MAX, 0);
	tell(&told, PRN_HTML_PLAINTEXT, "plaintext", false, bytes, 2, SIZE_MAX, 0);
	tell(&told, PRN_HTML_SCRIPT, "script", false, "\0<!--\0<script>\0", 15, SIZE_MAX, 0);
	prn_buffer_terminate(&told);
	same((char *)told.data,
	     "a\xef\xbf\xbd" "a\xef\xbf\xbd" "a\xef\xbf\xbd" "\xef\xbf\xbd<!--\xef\xbf\xbd<script>\xef\xbf\xbd",
	     "NUL in raw text is replaced");
	prn_buffer_release(&told);
}

/* Bits of markup in a row, in any order. */
static size_t make_up(char *html, size_t most, struct prn_random *random)
{
	static const char *const bits[] = {
		"<", ">", "</", "/>", "<!--", "-->", "--!>", "-", "!", "<![CDATA[", "]]>", "]", "&", "&amp", "&notin;", "&#", "&#x4", ";",
		"<script>", "</script>", "<script ", "</title>", "<a b=\"", "\"", "'", "=", " ", "a", "Z", "\xc3\xa4", "<p>", "?", "3", "x",
	};
	size_t length = 0;

	for (;;) {
		const char *bit = bits[prn_random_below(random, sizeof bits / sizeof *bits)];

		if (length + strlen(bit) > most)
			return length;
		memcpy(html + length, bit, strlen(bit));
		length += strlen(bit);
	}
}

static void cut_anywhere(void)
{
	static const char *const elements[] = { "", "title", "style", "script", "plaintext", "" };
	struct prn_buffer whole = { 0 }, cut = { 0 };
	struct prn_random random;
	size_t differ = 0;

	prn_random_seed(&random, 7, 0);
	for (unsigned i = 0; i < 20000; i++) {
		enum prn_html_content content = (enum prn_html_content)(i % 6);
		char html[120];
		size_t length = make_up(html, sizeof html, &random);

		prn_buffer_clear(&whole);
		prn_buffer_clear(&cut);
		tell(&whole, content, elements[content], i & 64, html, length, SIZE_MAX, 0);
		tell(&cut, content, elements[content], i & 64, html, length, i & 128, i);
		if (whole.length == cut.length && (!whole.length || !memcmp(whole.data, cut.data, whole.length)))
			continue;
		if (!differ++)
			printf("# %.*s\n", (int)length, html);
	}
	ok(!differ, "wherever bytes are cut, the tags and the text are the same");
	prn_buffer_release(&whole);
	prn_buffer_release(&cut);
}

static void runs(void)
{
	unsigned char bytes[80];
	struct prn_random random;
	size_t differ = 0;

	prn_random_seed(&random, 8, 0);
	for (unsigned i = 0; i < 200000; i++) {
		size_t from = prn_random_below(&random, 40), length = prn_random_below(&random, 41);
		const unsigned char *want, *end = bytes + from + length;

		/* Values beside those looked for, with and without the top bit. */
		for (size_t j = 0; j < sizeof bytes; j++)
			bytes[j] = (unsigned char)(prn_random_below(&random, 30) ? 'a' + prn_random_below(&random, 160)
			                                                        : '&' - 1 + prn_random_below(&random, 3));
		want = prn_run_bytewise(bytes + from, end, '&', '<', 0x80);
		differ += prn_run_lanes(bytes + from, end, '&', '<', 0x80) != want;
		differ += prn_run_to(bytes + from, end, '&', '<', 0x80) != want;
	}
	ok(!differ, "every way to find the end of a run finds the same");
}

int main(void)
{
	tags();
	padding();
	attributes();
	comments();
	sections();
	contents();
	scripts();
	references();
	names_of_html_4();
	replaced();
	cut_anywhere();
	runs();
	return done();
}
