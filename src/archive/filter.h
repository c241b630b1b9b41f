/*
 * Tells which captures a source returns (struct prn_source_filter).  It is asked step by step, so that an
 * unwanted body is never decoded.
 */
#ifndef ARCHIVE_FILTER_H
#define ARCHIVE_FILTER_H

#include "perennial/source.h"

/*
 * Filters by host and SURT prefix (one of each list must match), by time, and by filter->wanted. normal is a
 * normal form; payload is NULL if there is no digest.
 */
bool prn_filter_capture(const struct prn_source_filter *filter, const char *normal, int64_t time,
                        const struct prn_digest *payload);

/* Filters by media type without its parameters; a capture without a type (NULL) passes. */
bool prn_filter_media(const struct prn_source_filter *filter, const char *content_type);

#endif
