/*
 * URLs that mean something else, or nothing, to whoever is elsewhere.
 */
#ifndef ARCHIVE_URL_PRIVATE_H
#define ARCHIVE_URL_PRIVATE_H

#include <stdbool.h>

/*
 * Whether the host of a normal URL (url.h) is not one of the public internet: an address of RFC 6890 that is not globally
 * reachable (loopback, private use, link-local, shared, multicast, …), also where an IPv6 address carries one of IPv4; or a
 * name of one label, or under localhost, local, internal or home.arpa.
 */
bool prn_url_is_private(const char *normal);

/* Whether a normal URL has a user or a password. */
bool prn_url_has_user(const char *normal);

#endif
