/*
 * Decides who may ask: whoever knows the token (if there is one) or may read it, but no web page of a stranger.
 *
 * A browser on this machine reaches a server on loopback, and whatever page is open in it may make it ask.  Three
 * checks keep such pages out: the Host must be a numeric address, localhost or a name that was allowed (a
 * stranger's name that was made to resolve to loopback is none of them); an Origin, when there is one, must
 * be this server's own; and so must the site that asks, by what the browser says of it (Sec-Fetch-Site, W3C Fetch
 * Metadata), because images and links are asked for without an Origin, and even a request that only reads costs work.
 */
#ifndef SERVE_ADMISSION_H
#define SERVE_ADMISSION_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/error.h"

#define SERVE_TOKEN_MIN 16
#define SERVE_TOKEN_MAX 1024

struct serve_admission {
	char *token; /* owned; NULL: none is asked for */
	char *basic; /* owned; what a browser sends for user "perennial" with the token as password */
	const char *const *hosts; /* [host_count] names allowed beside those above; borrowed */
	size_t host_count;
	bool any_host; /* a Unix socket: no browser gets there */
};

/*
 * Reads the token: the first line of a file that others cannot read.  All zero bytes is an admission without
 * one, to which _release may be called too.
 *
 * PRN_E_IO	cannot be read
 * PRN_E_INPUT	shorter than SERVE_TOKEN_MIN, longer than SERVE_TOKEN_MAX, has other characters than visible
 *		ASCII, or others may read the file
 * PRN_E_MEMORY
 */
int serve_admission_read_token(struct serve_admission *admission, const char *path, struct prn_error *error);
void serve_admission_release(struct serve_admission *admission);

/* The headers that count, each NULL if it was not sent. */
struct serve_credentials {
	const char *host, *origin, *authorization;
	const char *site, *mode, *destination; /* Sec-Fetch-Site, -Mode and -Dest */
	bool owner; /* comes by a Unix socket from a process of this user or of root, which may read the token anyway */
};

/* What is asked for, as serve_route says. */
struct serve_asked {
	bool open, linked;
};

/* Whether a text is the secret, which is not empty.  The time that this takes depends only on the length of what was sent. */
bool serve_secret_equals(const char *sent, const char *secret);

/*
 * Returns 0, or the status to refuse with and *why in words (static): 401 without the right token, 403 for a
 * stranger's page.
 */
int serve_admission_judge(const struct serve_admission *admission, const struct serve_credentials *credentials,
                          const struct serve_asked *asked, const char **why);

#endif
