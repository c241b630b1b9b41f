/*
 * libxml2's parsers: how bytes get into them, and what stops one that hostile input would keep busy for ever.
 */
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
 * The parser reads from here through a callback, because that is the one place where it can be
 * stopped in the middle of a tag: it compares each attribute with all before it.  Text is UTF-8 as
 * prn_decoder_decode hands it out; it goes in behind a byte order mark, so that no declaration in
 * it can change the charset.
 */
struct prn_markup {
	xmlParserCtxtPtr parser;
	const unsigned char *bytes;
	size_t length, fed;
	size_t gap, gap_end; /* the parser is not shown these bytes; none if both are 0 */
	bool starved;        /* it was without memory at some point, and left something out */
	size_t error_at, errors; /* the last error's place, and how many came from there */
	size_t faults;           /* that it told */
	unsigned cut;            /* out: bits of PRN_CUT_*: why it was not read to its end */
};

/*
 * Has parse(context) read markup, whose parser it makes and frees, with libxml2's memory bounded by markup_memory.h and
 * its errors heard: a parser that was without memory is known by it.  Neither touches what a caller has set of libxml2
 * beyond that.
 *
 * PRN_E_MEMORY	something may have been left out for want of memory
 */
int prn_markup_run(struct prn_markup *markup, void (*parse)(void *context), void *context);

/*
 * Reads XML with callbacks, of which user is told; for the parse of prn_markup_run.  options are libxml2's, beyond what all
 * reading here has: faults are passed over in silence, nothing is fetched, the charset is UTF-8.  end, if not NULL, is called
 * with user before the parser is freed.
 */
void prn_markup_parse_xml(struct prn_markup *markup, const xmlSAXHandler *callbacks, int options, void (*end)(void *user),
                          void *user);

/* Ends the parser for a reason of prn_markup.cut; from callbacks. */
void prn_markup_cut(struct prn_markup *markup, unsigned why);

/* An xmlInputReadCallback; context is a struct prn_markup. */
int prn_markup_read(void *context, char *out, int wanted);

/* How many bytes the parser has consumed. */
static inline size_t prn_markup_at(const struct prn_markup *markup)
{
	const xmlParserInput *input = markup->parser->input;
	size_t unread = input ? (size_t)(input->end - input->cur) : 0;

	return markup->fed > unread ? markup->fed - unread : 0;
}

#endif
