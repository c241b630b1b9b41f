/*
 * The file of a kept body: its page, the time of its capture, its type, and its bytes, compressed.
 *
 * The head has a fixed width and is little-endian: a mark, 8 bytes; the time, 8; the length of the unpacked body, 8; its digest, 16;
 * the lengths of the URL and of the type, 4 and 4; the first 8 bytes of a digest of all this, of the URL and of the type.  After it
 * come the URL, the type and one zstd frame, which ends with the file.
 */
#ifndef KEEP_BODY_H
#define KEEP_BODY_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "perennial/digest.h"
#include "perennial/error.h"
#include "perennial/url.h"

#define KEEP_TYPE_BYTES 255               /* of a Content-Type; a longer one is cut */
#define KEEP_BODY_MOST ((size_t)256 << 20) /* bytes of the longest body that is kept */
#define KEEP_HEAD_MOST (56 + PRN_URL_BYTES + KEEP_TYPE_BYTES)

/* Used between _init and _release; after _read_head the body is empty. */
struct keep_body {
	char url[PRN_URL_BYTES + 1];    /* the page's, in its normal form */
	char type[KEEP_TYPE_BYTES + 1]; /* the Content-Type; "": none was given */
	int64_t time;                   /* of the capture, Unix seconds */
	uint64_t length;                /* bytes of the body, unpacked, at most KEEP_BODY_MOST */
	struct prn_digest digest;       /* of the body and its type */
	struct prn_buffer body;
};

void keep_body_init(struct keep_body *body);
void keep_body_release(struct keep_body *body);

/* The digest that identifies a body: it depends on the bytes and on the type.  type: NULL is the same as "". */
struct prn_digest keep_body_digest(const void *bytes, size_t length, const char *type);

/*
 * Appends the file of a body to out.  url is in its normal form, type may be NULL.
 *
 * PRN_E_LIMIT	the body has more than KEEP_BODY_MOST bytes
 * PRN_E_MEMORY
 */
int keep_body_pack(struct prn_buffer *out, const char *url, int64_t time, const char *type, const void *bytes, size_t length,
                   struct prn_error *error);

/*
 * Reads the head of a file from its first bytes: KEEP_HEAD_MOST of them, or the whole file.  *head is its length.
 *
 * PRN_E_INPUT	it is not the file of a kept body, or it is damaged
 */
int keep_body_read_head(struct keep_body *body, const unsigned char *bytes, size_t length, size_t *head, struct prn_error *error);

/*
 * Reads a whole file.  Memory is allocated for what the frame holds, and not for what the head says.
 *
 * PRN_E_INPUT	as above; or the frame is damaged, ends early, or is not the body that the head describes
 * PRN_E_MEMORY
 */
int keep_body_read(struct keep_body *body, const unsigned char *bytes, size_t length, struct prn_error *error);

#endif
