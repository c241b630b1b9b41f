/*
 * The keys of sites that may say over IndexNow which of their pages have changed (indexnow.org).  A site proves its identity by a
 * key.  A search engine would fetch the key from the site; here the keys are listed in a file.
 */
#ifndef SERVE_INDEXNOW_H
#define SERVE_INDEXNOW_H

#include <stdbool.h>

#include "perennial/error.h"

struct serve_indexnow;

/*
 * Reads a file of lines "HOST KEY"; empty lines, and those that begin with "#", are passed over.
 *
 * PRN_E_INPUT	a line is not that
 * PRN_E_IO, PRN_E_MEMORY
 */
int serve_indexnow_open(struct serve_indexnow **out, const char *path, struct prn_error *error);
void serve_indexnow_free(struct serve_indexnow *keys); /* NULL is fine */

/* Whether a key is that of a host, by its normal name. */
bool serve_indexnow_knows(const struct serve_indexnow *keys, const char *host, const char *key);

#endif
