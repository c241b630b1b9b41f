/*
 * Which captures a source hands out (struct prn_source_filter), asked piece by piece, so that a body that is
 * not wanted is never decoded.
 */
#ifndef ARCHIVE_FILTER_H
#define ARCHIVE_FILTER_H

#include "perennial/source.h"

/*
 * By host and SURT prefix, one of each that is given, by time, and by what filter->wanted says.  normal is a normal form; payload
 * is NULL where there is no digest.
 */
bool prn_filter_capture(const struct prn_source_filter *filter, const char *normal, int64_t time,
                        const struct prn_digest *payload);

/* By media type, parameters left out; a capture without one (NULL) passes. */
bool prn_filter_media(const struct prn_source_filter *filter, const char *content_type);

#endif
