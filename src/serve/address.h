/*
 * Where the server listens: an address and port, or the path of a Unix socket.
 */
#ifndef SERVE_ADDRESS_H
#define SERVE_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

#include "perennial/error.h"

#define SERVE_ADDRESS_TEXT 160 /* room for a printed address, with its NUL */

struct serve_address {
	struct sockaddr_storage socket;
	socklen_t length;
};

/*
 * Reads "127.0.0.1:7390", "[::1]:7390", "localhost:7390", ":7390" (every address) or "unix:/path".  Port 0 is
 * any free one.
 *
 * PRN_E_INPUT	none of these; the text says what is
 */
int serve_address_parse(struct serve_address *address, const char *text, struct prn_error *error);

/* Whether only this machine can reach it: a loopback address or a Unix socket. */
bool serve_address_is_local(const struct serve_address *address);
bool serve_address_is_unix(const struct serve_address *address);

/*
 * Opens a listening socket: *fd is the caller's, *address is updated to what was bound.  A Unix socket that
 * nobody listens at is replaced.
 *
 * PRN_E_IO	in use, not allowed, or not this machine's; the text says which
 */
int serve_address_listen(struct serve_address *address, int *fd, struct prn_error *error);

/* Removes the path of a Unix socket; nothing for others. */
void serve_address_leave(const struct serve_address *address);

/* Writes the address as _parse reads it, and returns out. */
char *serve_address_format(const struct serve_address *address, char out[SERVE_ADDRESS_TEXT]);

#endif
