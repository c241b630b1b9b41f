/*
 * How many bytes uploads, and the answers to them, may take in the folder where they wait, together and of each
 * client: one who sends much does not fill the disk for all.  What is not counted is bounded by the number of
 * connections: bodies and answers of at most SERVE_SPOOL_MEMORY each, which are in memory, and lists of what is due.
 * From any thread.
 */
#ifndef SERVE_QUOTA_H
#define SERVE_QUOTA_H

#include <stdint.h>

#include "perennial/error.h"

#define SERVE_CLIENT_BYTES 64 /* room for a client's name and its NUL */

struct serve_quota;

/* total and client, each > 0, bound the bytes of all clients and of one.  PRN_E_MEMORY */
int serve_quota_open(struct serve_quota **out, uint64_t total, uint64_t client);

/* When all is given back.  NULL is fine. */
void serve_quota_free(struct serve_quota *quota);

/*
 * Takes bytes for a client, by its name of less than SERVE_CLIENT_BYTES bytes.  They are given back by _give.
 *
 * PRN_E_IO	there is no room; the text says whose bound it is
 * PRN_E_MEMORY
 */
int serve_quota_take(struct serve_quota *quota, const char *client, uint64_t bytes, struct prn_error *error);
void serve_quota_give(struct serve_quota *quota, const char *client, uint64_t bytes);

/* The most that one upload can ever have. */
uint64_t serve_quota_most(const struct serve_quota *quota);

/* What is taken now, and how often something was refused. */
void serve_quota_count(struct serve_quota *quota, uint64_t *bytes, uint64_t *refused);

#endif
