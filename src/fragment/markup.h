/* Runs libxml2's parsers: feeds them bytes, and stops one that hostile input would keep busy for ever. */
#ifndef FRAGMENT_MARKUP_H
#define FRAGMENT_MARKUP_H

#include "base/buffer.h"
#include "perennial/extractor.h"

#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <stdbool.h>
#include <stddef.h>

#define PRN_MARKUP_DEPTH 256 /* open elements; libxml2 searches them all for each stray end tag */

/*
 * The parser reads from here through a callback, because only there can it be stopped in the middle of a tag:
 * it compares each attribute with all before it.  Text is UTF-8 as prn_decoder_decode returns it.  A byte order
 * mark is put before it, so that no declaration in it can change the charset.
 */
struct prn_markup {
	xmlParserCtxtPtr parser;
	const unsigned char *bytes;
	size_t length, fed;
	size_t gap, gap_end; /* the parser is not shown these bytes; there is no gap if both are 0 */
	bool starved;        /* it ran out of memory at some point and left something out */
	size_t error_at, errors; /* the place of the last error, and how many errors came from there */
	size_t faults;           /* errors that it reported */
	unsigned cut;            /* output: bits of PRN_CUT_*, the reasons why it was not read to its end */
};

/*
 * Calls parse(context), which makes and frees a parser of markup.  Its memory is bounded by markup_memory.h,
 * and its errors are received here: they show whether the parser ran out of memory.  Settings that the caller
 * has made in libxml2 are restored.
 *
 * PRN_E_MEMORY	something may have been left out for want of memory
 */
int prn_markup_run(struct prn_markup *markup, void (*parse)(void *context), void *context);

/*
 * Parses XML with callbacks, which receive user; to be used inside the parse of prn_markup_run. options are
 * options of libxml2 that are added to those that all parsing here has: faults are ignored silently, nothing is
 * fetched, the charset is UTF-8. end, if not NULL, is called with user before the parser is freed.
 */
void prn_markup_parse_xml(struct prn_markup *markup, const xmlSAXHandler *callbacks, int options, void (*end)(void *user),
                          void *user);

/* Stops the parser for a reason that is set in prn_markup.cut; called from callbacks. */
void prn_markup_cut(struct prn_markup *markup, unsigned why);

/* An xmlInputReadCallback; context is a struct prn_markup. */
int prn_markup_read(void *context, char *out, int wanted);

/* Returns how many bytes the parser has consumed. */
static inline size_t prn_markup_at(const struct prn_markup *markup)
{
	const xmlParserInput *input = markup->parser->input;
	size_t unread = input ? (size_t)(input->end - input->cur) : 0;

	return markup->fed > unread ? markup->fed - unread : 0;
}

#endif
