/*
 * The token of a store: a secret in its folder that whoever may read it may use.
 */
#ifndef SERVE_TOKEN_H
#define SERVE_TOKEN_H

#include <stdbool.h>

#include "perennial/error.h"

/*
 * Makes the file "token" in the folder of the store at address: 32 random bytes as hexadecimal digits, readable by its owner
 * alone (0600), whole or not at all.  A token that is there stays; *made tells whether one was made.  A store without a folder gets
 * no token, and *path, which the caller frees, is then NULL.
 *
 * PRN_E_IO	the folder takes no file, or the system has no randomness
 * PRN_E_MEMORY
 */
int serve_token_make(const char *address, char **path, bool *made, struct prn_error *error);

#endif
