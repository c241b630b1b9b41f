/*
 * Bounds the bytes that uploads and their answers take in the folder where they wait, for all clients together and for each, so
 * that one who sends much does not fill the disk for all.  Bodies and answers in memory, of at most SERVE_SPOOL_MEMORY each, and
 * lists of due pages are not counted; they are bounded by the number of connections.  All functions may be called from any thread.
 */
#ifndef SERVE_QUOTA_H
#define SERVE_QUOTA_H

#include <stdint.h>

#include "perennial/error.h"

#define SERVE_CLIENT_BYTES 64 /* room for a client's name and its NUL */

struct serve_quota;

/* total and client, each > 0, bound the bytes of all clients and of one.  PRN_E_MEMORY */
int serve_quota_open(struct serve_quota **out, uint64_t total, uint64_t client);

/* All that was taken must have been given back.  NULL is fine. */
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

/* Writes how many bytes are taken now, and how often something was refused. */
void serve_quota_count(struct serve_quota *quota, uint64_t *bytes, uint64_t *refused);

#endif
