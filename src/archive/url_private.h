/* Recognises URLs that mean something else, or nothing, in another place of the network. */
#ifndef ARCHIVE_URL_PRIVATE_H
#define ARCHIVE_URL_PRIVATE_H

#include <stdbool.h>

/*
 * Tells whether the host of a normal URL (url.h) is outside the public internet: an address of RFC 6890 that is
 * not globally reachable (loopback, private use, link-local, shared, multicast, …), also inside an IPv6
 * address; or a name of one label, or under localhost, local, internal or home.arpa.
 */
bool prn_url_is_private(const char *normal);

/* Tells whether a normal URL has a user or a password. */
bool prn_url_has_user(const char *normal);

#endif
