/* Reads hints from XML: sitemaps and feeds (hint.h). */
#ifndef ARCHIVE_HINT_XML_H
#define ARCHIVE_HINT_XML_H

#include "archive/hint_reading.h"

/*
 * Reads a document whose root element is that of the format in the counts. text is clean UTF-8
 * (fragment/decode.h) from that element on, which stands in the given line; whole is false if its end is
 * missing for a reason that has been reported.
 *
 * As prn_hint_offer
 */
int prn_hint_xml(struct prn_hint_reading *reading, const unsigned char *text, size_t length, uint64_t line, bool whole,
                 struct prn_error *error);

#endif
