/*
 * The token of a store: a secret in its folder that whoever may read it may use.
 */
#ifndef SERVE_TOKEN_H
#define SERVE_TOKEN_H

#include <stdbool.h>

#include "perennial/error.h"

/*
 * Makes the file "token" in the folder of the store at address, of 32 random bytes as hexadecimal digits, for its owner
 * alone (0600), whole or not at all; one that is there stays.  *made is whether it was not.  A store that has no folder
 * gets none, and *path, which is to be freed, is then NULL.
 *
 * PRN_E_IO	the folder takes no file, or the system has no randomness
 * PRN_E_MEMORY
 */
int serve_token_make(const char *address, char **path, bool *made, struct prn_error *error);

#endif
