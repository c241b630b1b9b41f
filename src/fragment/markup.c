#include "fragment/markup.h"
#include "fragment/markup_memory.h"
#include "perennial/error.h"

#include <libxml/threads.h>
#include <string.h>

/* Slots of libxml2's array for the attributes of one tag: room for 206 attributes, given how it grows. */
#define ATTRIBUTE_SLOTS 1760
/* Slots of its array of the namespaces that open elements declare (two per declaration). */
#define NAMESPACE_SLOTS 1024
/* Distinct names of elements and attributes: the hash table for them does not grow without bound. */
#define NAMES 32768

/* The memory that libxml2 may hold while it reads a body.  The most that was measured is 4 times the body. */
#define MEMORY_BYTES ((size_t)16 << 20)
#define MEMORY_PER_BYTE 6

#define ERRORS_AT_ONE_PLACE 1000

/*
 * Each fault takes the parser long, so a body may have only so many: some per body, and more for each byte.  At
 * this rate it takes two to three times as long as ordinary markup of the same length; without a bound it takes
 * twenty times as long.
 */
#define FAULTS 10000
#define BYTES_PER_FAULT 16

static bool is_hostile(const xmlParserCtxt *parser)
{
	return parser->maxatts > ATTRIBUTE_SLOTS || parser->nsNr > NAMESPACE_SLOTS ||
	       xmlDictSize(parser->dict) > NAMES;
}

/*
 * Without memory for a name libxml2's HTML parser sometimes makes no progress and reports the same fault for
 * ever.  It is stopped when that is detected.
 */
#if LIBXML_VERSION >= 21200
static void receive_error(void *context, const xmlError *error)
#else
static void receive_error(void *context, xmlError *error)
#endif
{
	struct prn_markup *markup = context;
	size_t at = markup->parser ? prn_markup_at(markup) : 0;

	markup->errors = at == markup->error_at ? markup->errors + 1 : 0;
	markup->error_at = at;
	if (error->code == XML_ERR_NO_MEMORY || markup->errors > ERRORS_AT_ONE_PLACE)
		markup->starved = true;
	if (markup->starved && markup->parser)
		xmlStopParser(markup->parser);
	if (markup->parser && ++markup->faults > FAULTS + markup->length / BYTES_PER_FAULT)
		prn_markup_cut(markup, PRN_CUT_WORK);
}

/* libxml2 would use an invalid pointer if its thread-local storage could not be allocated. */
static int thread_is_ready(void)
{
#if LIBXML_VERSION >= 21200
	return !xmlCheckThreadLocalStorage();
#else
	return xmlGetGlobalState() != NULL;
#endif
}

int prn_markup_run(struct prn_markup *markup, void (*parse)(void *context), void *context)
{
	enum prn_markup_end end;
	xmlStructuredErrorFunc previous;
	void *previous_context;

	if (!thread_is_ready())
		return PRN_E_MEMORY;
	previous = xmlStructuredError;
	previous_context = xmlStructuredErrorContext;
	xmlSetStructuredErrorFunc(markup, receive_error);
	end = prn_markup_memory_run(parse, context, MEMORY_BYTES + MEMORY_PER_BYTE * markup->length);
	xmlSetStructuredErrorFunc(previous_context, previous);
	markup->parser = NULL;
	if (end == PRN_MARKUP_BOUND)
		markup->cut |= PRN_CUT_MEMORY;
	/* A parser that never asked for a byte could not start. */
	if (end == PRN_MARKUP_STARVED || (!markup->fed && !markup->gap_end))
		markup->starved = true;
	return markup->starved ? PRN_E_MEMORY : 0;
}

void prn_markup_cut(struct prn_markup *markup, unsigned why)
{
	markup->cut |= why;
	xmlStopParser(markup->parser);
}

/* Returns how many bytes may be fed now without a gap. */
static size_t bytes_left(struct prn_markup *markup)
{
	if (markup->fed < markup->gap)
		return markup->gap - markup->fed;
	if (markup->fed < markup->gap_end)
		markup->fed = markup->gap_end;
	return markup->length - markup->fed;
}

/* The parser looks for a byte order mark only if its first read returned a byte more than the mark. */
int prn_markup_read(void *context, char *out, int wanted)
{
	static const char mark[] = "\xef\xbb\xbf";
	struct prn_markup *markup = context;
	size_t left, room = (size_t)wanted, marked = 0;

	if (is_hostile(markup->parser)) {
		markup->cut |= markup->fed < markup->length ? PRN_CUT_WIDE : 0;
		return 0;
	}
	if (!markup->fed && room > sizeof mark) {
		marked = sizeof mark - 1;
		memcpy(out, mark, marked);
	}
	left = bytes_left(markup);
	if (left > room - marked)
		left = room - marked;
	if (left)
		memcpy(out + marked, markup->bytes + markup->fed, left);
	markup->fed += left;
	return (int)(marked + left);
}

void prn_markup_parse_xml(struct prn_markup *markup, const xmlSAXHandler *callbacks, int options, void (*end)(void *user),
                          void *user)
{
	const int usual = XML_PARSE_RECOVER | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET | XML_PARSE_IGNORE_ENC;
	xmlParserCtxtPtr parser = xmlNewParserCtxt();

	if (!parser)
		return;
	*parser->sax = *callbacks;
	parser->userData = user;
	markup->parser = parser;
	/* The parser makes a document only to hold declared entities; if it does, we must free it. */
	xmlFreeDoc(xmlCtxtReadIO(parser, prn_markup_read, NULL, markup, NULL, NULL, usual | options));
	markup->starved |= parser->errNo == XML_ERR_NO_MEMORY;
	if (end)
		end(user);
	markup->parser = NULL;
	xmlFreeParserCtxt(parser);
}
