/* The text of XML and feeds, HTML within them, and what hostile XML may not do. */
#include "fragment/xml.h"
#include "fragment/markup.h"
#include "flat.h"
#include "tap.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* The visible text, flat; the caller frees it. */
static char *text_of(const char *xml, size_t length)
{
	struct prn_buffer text, piece;
	unsigned cut;

	prn_buffer_init(&text);
	prn_buffer_init(&piece);
	if (prn_xml_text((const unsigned char *)xml, length, &piece, &text, &cut))
		abort();
	prn_buffer_release(&piece);
	return flat_take(&text);
}

static void reads(const char *xml, const char *expected, const char *claim)
{
	char *text = text_of(xml, strlen(xml));

	same(text, expected, "%s", claim);
	free(text);
}

static void elements(void)
{
	reads("<?xml version='1.0'?><a>one<b>two</b><i>three</i>four</a>", "one two three four",
	      "the text of XML is that of its elements, where every tag ends a word");
	reads("<a><![CDATA[one]]>&#32;t<![CDATA[w]]>o</a>", "one two",
	      "sections of characters in XML are text, within a word, too");
	reads("<a>x<!-- no -->y<?no no?>z</a>", "xyz",
	      "comments and instructions in XML are no text, and end no word");
	reads("<a title='one' text=\"two\" x='no' y:title='no' xmlns:y='u'>three</a>",
	      "one two three", "of attributes in XML only text and title are read");
	reads("<opml><body><outline text='A &amp; B' xmlUrl='no'/></body></opml>", "A & B",
	      "attributes of OPML are read as text");
	reads("<a title='&lt;b>bo&lt;/b>ld'/>", "bold", "HTML in an attribute of XML is read as HTML");
}

static void html_inside(void)
{
	reads("<rss><description>&lt;p&gt;He&lt;b&gt;llo&lt;/b&gt;&lt;/p&gt;&lt;p&gt;you&lt;/"
	      "p&gt;</description></rss>",
	      "Hello you", "escaped HTML in XML is read as HTML");
	reads("<content:encoded><![CDATA[<p>one<script>no</script><br/>two "
	      "&eacute;</p>]]></content:encoded>",
	      "one two é", "HTML in a section of XML is read as HTML, prefix not declared and all");
	reads("<content type='html'>caf&amp;eacute; &amp;#228;</content>", "café ä",
	      "a text of XML that has only references is read as HTML");
	reads("<t>AT&amp;T, 1 &lt; 2 &gt; 0 &amp; so on; a&lt;1</t>",
	      "AT&T, 1 < 2 > 0 & so on; a<1", "signs alone in XML are no HTML");
	reads("<r><t>one &lt;noscript&gt;no</t><t>two</t></r>", "one two",
	      "HTML left open in one element of XML does not reach the next");
	reads("<d>&lt;title&gt;in&lt;/title&gt;</d>", "in", "a title in HTML within XML is text");
	reads("<t>one&lt;!-- no --&gt;</t>", "one", "a comment in HTML within XML is no text");
}

static void xhtml(void)
{
	reads("<content type='xhtml'><div "
	      "xmlns='http://www.w3.org/1999/xhtml'>o<b>n</b>e<p>two</p><script>no</script>three</"
	      "div></content>",
	      "one two three", "elements of XHTML obey HTML's rules");
	reads("<h:div xmlns:h='http://www.w3.org/1999/xhtml'>o<h:b>ne</h:b> <h:style>no "
	      "<h:b>no</h:b></h:style>two</h:div>",
	      "one two", "elements of XHTML obey HTML's rules under any prefix");
	reads("<div xmlns='http://www.w3.org/1999/xhtml'>one<noscript><p>no</p>no<b>no</b>no</noscript>two</div>", "one two",
	      "what XHTML hides stays hidden to its end, after the end of what it holds too");
	reads("<x><b xmlns='urn:other'>one</b>two<style>yes</style></x>", "one two yes",
	      "elements of other languages do not obey HTML's rules");
}

static void broken(void)
{
	reads("<a>one<b>two</a>three</b>", "one two three", "XML with crossed tags is read");
	reads("<a>one<b>two", "one two", "XML that is cut off is read as far as it goes");
	reads("<a>one</a><a>two</a>", "one", "what follows the root of XML is not read");
	reads("<a>one & two &lt three</a>", "one two three", "bare ampersands in XML do not end the reading");
	reads("not xml", "", "what is no XML at all has no text");
	reads("", "", "no bytes have no text as XML");
	reads(" ", "", "white space alone has no text as XML");
	reads("<", "", "an angle bracket alone has no text as XML");
	reads("<?xml version='1.0' encoding='utf-16'?><a>\xc3\xa4</a>", "ä",
	      "a declared charset is ignored: it is settled before");
	reads("<?xml version='1.0' encoding='martian'?><a>\xc3\xa4</a>", "ä",
	      "a declared charset that nobody knows is ignored");
	reads("<a>one\xef\xbf\xbe"
	      "two</a>",
	      "onetwo", "characters that XML forbids do not end a word");
}

static void entities(void)
{
	reads("<a>&lt;&amp;&gt;&quot;&apos; &#228;</a>", "<&>\"' ä",
	      "the five entities of XML and characters by number are read");
	reads("<a>one&nbsp;two&mdash;three</a>", "one two three",
	     "an entity that XML does not have ends a word");
	reads("<!DOCTYPE a [<!ENTITY e 'no'>]><a>one&e;two</a>", "one two",
	      "an entity that the document declares ends a word");
	reads("<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>one&e;two</a>", "one two",
	      "an entity that names a file does not have it read");
	reads("<!DOCTYPE a SYSTEM 'http://127.0.0.1:9/x.dtd' [<!ENTITY % p SYSTEM "
	      "'file:///etc/passwd'> %p;]><a>one&e;</a>",
	      "one", "a document type at another address is not fetched");
	reads("<!DOCTYPE a [<!ATTLIST a title CDATA 'no'>]><a>one</a>", "one",
	      "attributes that a document declares have no defaults");
}

/* See tests/html.c for the bound. */
static char *in_time(const char *xml, size_t length, const char *claim)
{
	clock_t start = clock();
	char *text = text_of(xml, length);
	double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;

	if (!ok(seconds < 3, "%s: linear time", claim))
		printf("# %.1f s for %zu bytes\n", seconds, length);
	return text;
}

static void bomb(void)
{
	char xml[4000], *at = xml, *text;

	at += sprintf(at, "<!DOCTYPE a [<!ENTITY e0 'lol'>");
	for (int i = 1; i < 20; i++)
		at += sprintf(
			at, "<!ENTITY e%d '&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;'>", i,
			i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
	at += sprintf(at, "]><a title='&e19;'>one &e19; two</a>");
	text = in_time(xml, (size_t)(at - xml), "entities of 10^19 words");
	same(text, "one two", "entities of 10^19 words are no words");
	free(text);
}

static char *repeat(const char *head, const char *unit, size_t count, const char *tail,
                    size_t *length)
{
	size_t step = strlen(unit);
	char *xml = malloc(strlen(head) + step * count + strlen(tail) + 1), *at = xml;

	at += sprintf(at, "%s", head);
	for (size_t i = 0; i < count; i++, at += step)
		memcpy(at, unit, step);
	at += sprintf(at, "%s", tail);
	*length = (size_t)(at - xml);
	return xml;
}

static void endless(void)
{
	static const struct {
		const char *head, *unit, *tail, *claim;
	} cases[] = {
		{ "<r>a", "<d>", "b", "deep nesting" },
		{ "<r>a", "x", "</r>", "one word" },
		{ "<r>a", "&#120;", "</r>", "a word of references" },
		{ "<r>a", "&amp;", "</r>", "a word of ampersands" },
		{ "<r>a<![CDATA[", "&x;", "]]></r>", "references in a section" },
		{ "<r>a", "&lt;p&gt;", "</r>", "escaped paragraphs" },
		{ "<r>a", "&lt;b a&gt;", "</r>", "escaped open elements" },
		{ "<r>a", "<i>&lt;b&gt;</i>", "</r>", "an element of HTML each" },
		{ "<r>a", "<x a='1'/>", "</r>", "elements" },
		{ "<r>a", "<x xmlns='u'/>", "</r>", "namespaces" },
		{ "<r>a", "&e;", "</r>", "unknown entities" },
		{ "<r>a", "<!---->", "</r>", "comments" },
		{ "<!DOCTYPE r [", "<!ENTITY a 'b'>", "]><r>a</r>", "declarations of entities" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t length;
		char *xml = repeat(cases[i].head, cases[i].unit, 100000, cases[i].tail, &length);
		char *text = in_time(xml, length, cases[i].claim);

		ok(text[0] == 'a', "%s: the text before them is read", cases[i].claim);
		free(text), free(xml);
	}
}

static void many_attributes(void)
{
	static const char *const forms[] = { " a%zu='>'", " xmlns:a%zu='u%zu'" };

	for (size_t form = 0; form < 2; form++) {
		size_t count = 200000;
		char *xml = malloc(100 + 40 * count), *at = xml, *text;

		at += sprintf(at, "<r>before<p");
		for (size_t i = 0; i < count; i++)
			at += sprintf(at, form ? forms[1] : forms[0], i, i);
		at += sprintf(at, ">after</p></r>");
		text = in_time(xml, (size_t)(at - xml),
		               form ? "200000 namespaces in one tag"
		                    : "200000 attributes in one tag");
		ok(!strncmp(text, "before", 6),
		   "the text before 200000 %s in one tag is read", form ? "namespaces" : "attributes");
		free(text), free(xml);
	}
}

/* Declarations grow squared in time or memory in more ways than one; none is read. */
static void declarations(void)
{
	static const struct {
		const char *head, *unit, *tail, *claim;
	} cases[] = {
		{ "<!DOCTYPE r [<!ATTLIST x y (", "n%d|", "z) 'z'>]><r>a</r>", "an enumeration" },
		{ "<!DOCTYPE r [<!ELEMENT x (", "n%d|", "z)>]><r>a</r>", "a content model" },
		{ "<!DOCTYPE r [", "<!ATTLIST x n%d CDATA 'v'>", "]><r>a<x/><x/></r>", "defaults" },
		{ "<!DOCTYPE r [", "<!ENTITY n%d 'v'>", "]><r>a</r>", "entities" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *xml = malloc(8000000), *at = xml, *text;

		at += sprintf(at, "%s", cases[i].head);
		for (int n = 0; n < 200000; n++)
			at += sprintf(at, cases[i].unit, n);
		at += sprintf(at, "%s", cases[i].tail);
		text = in_time(xml, (size_t)(at - xml), cases[i].claim);
		same(text, "a", "200000 in %s, passed over", cases[i].claim);
		free(text), free(xml);
	}
	reads("<!DOCTYPE a [<!ELEMENT a ANY><!ATTLIST a t (x|y) 'x' u CDATA #IMPLIED>]><a>one</a>",
	      "one", "a few declarations");
	reads("<?xml version='1.0'?><!-- <!DOCTYPE x [ --><?p ]?>\n<!DOCTYPE a SYSTEM 'u[]>' [ "
	      "<!ENTITY e ']>'> <!-- ]> ' --> <?p ]> ?> ] ><a>one</a>",
	      "one", "brackets in comments, instructions and quotes do not end them");
	reads("<!DOCTYPE a><a>one[two]</a>", "one[two]", "no declarations");
	reads("<!DOCTYPE a [<!ENTITY e '<a>no</a>", "", "declarations without end");
}

/*
 * Names without end, in elements that close again: what the parser remembers of them does not
 * shrink.
 */
static void names(void)
{
	char *xml = malloc(12000000), *at = xml, *text;

	at += sprintf(at, "<r>before ");
	for (int n = 0; n < 600000; n++)
		at += sprintf(at, "<n%d/>", n);
	text = in_time(xml, (size_t)(at - xml), "600000 names of elements");
	same(text, "before", "the text before 600000 names of elements is read");
	free(text), free(xml);
}

int main(void)
{
	FILE *said = tmpfile();
	int stderr_was = dup(2);

	xmlInitParser();
	dup2(fileno(said), 2);
	elements();
	html_inside();
	xhtml();
	broken();
	entities();
	bomb();
	endless();
	many_attributes();
	declarations();
	names();
	fflush(stderr);
	ok(lseek(fileno(said), 0, SEEK_END) == 0, "nothing was printed by the parser");
	dup2(stderr_was, 2);
	return done();
}
