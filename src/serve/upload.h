/*
 * The body of a request while it comes in: small ones in memory, the rest in a nameless temporary file, and
 * never more than a limit, so that any number of uploads takes bounded memory.
 */
#ifndef SERVE_UPLOAD_H
#define SERVE_UPLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/temporary.h"
#include "perennial/error.h"

#define SERVE_UPLOAD_MEMORY ((size_t)128 << 10) /* of a longer one nothing stays in memory */

/* Between _init and _release. */
struct serve_upload {
	struct prn_buffer memory;
	struct prn_temporary file; /* when spooled */
	bool spooled;
	bool over; /* more than limit came; what came after it was dropped */
	uint64_t length, limit;
	void *mapped; /* of _bytes; NULL until then */
};

void serve_upload_init(struct serve_upload *upload, uint64_t limit);
void serve_upload_release(struct serve_upload *upload);

/*
 * Takes the next bytes; those past the limit are dropped and told by over.  folder (NULL: /tmp) is for the
 * file; it must outlive the upload.
 *
 * PRN_E_IO	the disk is full; the text says so
 * PRN_E_MEMORY
 */
int serve_upload_append(struct serve_upload *upload, const void *bytes, size_t length, const char *folder,
                        struct prn_error *error);

/*
 * All bytes in one run, valid until _release; never NULL.  Those of a file are mapped, so they are the
 * system's to page out.  PRN_E_IO
 */
int serve_upload_bytes(struct serve_upload *upload, const unsigned char **bytes, struct prn_error *error);

#endif
