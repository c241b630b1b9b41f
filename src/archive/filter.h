/*
 * Which captures a source hands out (struct prn_source_filter), asked piece by piece, so that a body that is
 * not wanted is never decoded.
 */
#ifndef ARCHIVE_FILTER_H
#define ARCHIVE_FILTER_H

#include "perennial/source.h"

/* By host and SURT prefix: one of each that is given.  normal is a normal form. */
bool prn_filter_url(const struct prn_source_filter *filter, const char *normal);
bool prn_filter_time(const struct prn_source_filter *filter, int64_t time);

/* By media type, parameters left out; a capture without one (NULL) passes. */
bool prn_filter_media(const struct prn_source_filter *filter, const char *content_type);

#endif
