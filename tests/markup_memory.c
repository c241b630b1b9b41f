/*
 * A parse that libxml2's memory is refused to: it is left at each place where it asks, and nothing of it stays.  Built
 * with sanitizers this also tells what is lost or used afterwards.
 */
#include "fragment/html.h"
#include "fragment/markup.h"
#include "fragment/markup_memory.h"
#include "fragment/xml.h"
#include "perennial/extractor.h"
#include "flat.h"
#include "tap.h"

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <pthread.h>
#include <stdlib.h>

static const char html[] = "<!DOCTYPE html><html lang=en><head><title>T &amp; t</title><script>x</script></head><body>"
			   "<p class='a b' id=q>one &eacute; &nosuch; &#233; two<!-- c --><b>three</p></i></b><table><td>x"
			   "<a href='?a&b=c'>four</a></body></html>";
static const char xml[] = "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY e 'v'><!ATTLIST r d CDATA 'w'>]><r xmlns='u' "
			  "xmlns:n='m' n:a='1 &amp; 2'><?p i?><n:b>one<![CDATA[ <two> ]]></n:b><!-- c -->&e;&#65;</r></x>";

/* The whole document in memory, with its errors: the parser asks for memory in as many places as it can. */
static void parse_html(void *done)
{
	xmlFreeDoc(htmlReadMemory(html, sizeof html - 1, "h", NULL, HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING));
	*(bool *)done = true;
}

static void parse_xml(void *done)
{
	xmlFreeDoc(xmlReadMemory(xml, sizeof xml - 1, "x", NULL,
	                         XML_PARSE_RECOVER | XML_PARSE_NOENT | XML_PARSE_NOERROR | XML_PARSE_NOWARNING));
	*(bool *)done = true;
}

static void ignore(void *context, const char *format, ...)
{
	(void)context, (void)format;
}

/* Gives ever more until the parse comes through.  Returns how often it was left. */
static size_t leave_everywhere(void (*parse)(void *context), const char *what)
{
	size_t most = 0, left = 0;
	bool done = false, consistent = true;

	for (; !done && most < ((size_t)1 << 20); most += 3) {
		enum prn_markup_end end = prn_markup_memory_run(parse, &done, most);

		left += end == PRN_MARKUP_BOUND;
		consistent = consistent && end == (done ? PRN_MARKUP_DONE : PRN_MARKUP_BOUND);
	}
	ok(consistent && done, "reading %s ends at its bound, or comes through, whatever the bound", what);
	return left;
}

static char *text_of_both(void)
{
	struct prn_buffer text, piece;
	unsigned cut = 0;

	prn_buffer_init(&text);
	prn_buffer_init(&piece);
	if (prn_html_text((const unsigned char *)html, sizeof html - 1, false, &text, NULL) ||
	    prn_xml_text((const unsigned char *)xml, sizeof xml - 1, &piece, &text, &cut))
		abort();
	prn_buffer_release(&piece);
	return flat_take(&text);
}

struct nest {
	enum prn_markup_end inner;
	bool went_on;
};

static void parse_within(void *context)
{
	struct nest *nest = context;
	xmlDocPtr doc = xmlReadMemory(xml, sizeof xml - 1, "x", NULL, XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	bool done = false;

	nest->inner = prn_markup_memory_run(parse_html, &done, 2000);
	xmlFreeDoc(doc);
	doc = xmlReadMemory(xml, sizeof xml - 1, "x", NULL, XML_PARSE_RECOVER | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	nest->went_on = doc != NULL;
	xmlFreeDoc(doc);
}

static void within_one_another(void)
{
	struct nest nest = { 0 };
	enum prn_markup_end end = prn_markup_memory_run(parse_within, &nest, 1 << 20);

	ok(nest.inner == PRN_MARKUP_BOUND, "a parse within a callback of another is left at its own bound");
	ok(end == PRN_MARKUP_DONE && nest.went_on, "a parse goes on after one within it was left");
}

struct pieces {
	void *one, *two;
	bool grew;
};

/* Two pieces, of which the second grows by more than the bound leaves, though neither is as large as the bound. */
static void grow(void *context)
{
	struct pieces *pieces = context;

	pieces->one = xmlMalloc(600);
	pieces->two = xmlMalloc(600);
	pieces->two = xmlRealloc(pieces->two, 900);
	pieces->grew = true;
}

static void all_pieces_count(void)
{
	struct pieces pieces = { 0 };

	ok(prn_markup_memory_run(grow, &pieces, 1300) == PRN_MARKUP_BOUND && !pieces.grew,
	   "the bound is of all that a parse has, also where a piece of it grows");
	ok(prn_markup_memory_run(grow, &pieces, 1500) == PRN_MARKUP_DONE && pieces.grew,
	   "a piece may grow up to the bound");
	xmlFree(pieces.one);
	xmlFree(pieces.two);
}

static void *elsewhere(void *before)
{
	char *text = text_of_both();

	same(text, before, "another thread reads as it did before parses were left here");
	free(text);
	return NULL;
}

static void ordinary(void)
{
	struct prn_extractor *extractor;
	struct prn_summary summary;

	if (prn_extractor_open(&extractor, 0, PRN_SUMMARY_ALL))
		abort();
	ok(!prn_extractor_summary(extractor, html, sizeof html - 1, "text/html", &summary) && !prn_extractor_cut(extractor),
	   "an ordinary page is not cut");
	prn_extractor_free(extractor);
}

/* A parser that asks for a mebibyte after another. */
struct greedy {
	struct prn_markup markup;
	size_t got;
};

static void parse_greedily(void *context)
{
	struct greedy *greedy = context;

	greedy->markup.fed = 1;
	while (greedy->got < 64 && xmlMalloc(1 << 20))
		greedy->got++;
}

static void a_body_has_its_bound(void)
{
	struct greedy small = { { .length = 1000 }, 0 }, large = { { .length = 4 << 20 }, 0 };
	int code = prn_markup_run(&small.markup, parse_greedily, &small);

	ok(!code && small.markup.cut == PRN_CUT_MEMORY, "a small body whose parser takes all memory is cut for it");
	ok(small.got == 16, "a small body's parser is left once it holds 16 MiB: %zu MiB", small.got);
	code = prn_markup_run(&large.markup, parse_greedily, &large);
	ok(!code && large.markup.cut == PRN_CUT_MEMORY, "a larger body whose parser takes all memory is cut for it");
	ok(large.got == 16 + 6 * 4, "a body's parser may hold six times the body more: %zu MiB", large.got);
}

int main(void)
{
	char *before, *after;
	pthread_t thread;

	ok(!prn_extractor_guard_memory(), "libxml2 takes functions for its memory");
	xmlSetGenericErrorFunc(NULL, ignore);
	before = text_of_both();
	ok(leave_everywhere(parse_html, "HTML") > 100, "HTML is left at more than a hundred bounds");
	ok(leave_everywhere(parse_xml, "XML") > 100, "XML is left at more than a hundred bounds");
	within_one_another();
	all_pieces_count();
	ordinary();
	a_body_has_its_bound();
	after = text_of_both();
	same(after, before, "what is read after parses were left is what was read before");
	free(after);
	if (pthread_create(&thread, NULL, elsewhere, before))
		abort();
	pthread_join(thread, NULL);
	free(before);
	return done();
}
