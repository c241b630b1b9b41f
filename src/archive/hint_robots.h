/* Reads the sitemaps that a robots.txt names (hint.h). */
#ifndef ARCHIVE_HINT_ROBOTS_H
#define ARCHIVE_HINT_ROBOTS_H

#include "archive/hint_reading.h"

/*
 * Delivers what one line, without its end, names if it is a "Sitemap:" line; number is the line's, from 1.
 *
 * As prn_hint_offer
 */
int prn_hint_robots_line(struct prn_hint_reading *reading, const unsigned char *line, size_t length, uint64_t number,
                         struct prn_error *error);

#endif
