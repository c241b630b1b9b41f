/*
 * Bytes on their way in or out: in memory while they are few, in a nameless temporary file when not, and
 * never more than a limit, so that any number of bodies takes bounded memory.
 */
#ifndef SERVE_SPOOL_H
#define SERVE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/temporary.h"
#include "perennial/error.h"

#define SERVE_SPOOL_MEMORY ((size_t)128 << 10) /* of a longer one nothing stays in memory */

/* Between _init and _release. */
struct serve_spool {
	struct prn_buffer memory;
	struct prn_temporary file; /* when in_file */
	bool in_file;
	bool over; /* more than limit came; what came after it was dropped */
	uint64_t length, limit;
	void *mapped; /* of _bytes; NULL until then */
};

void serve_spool_init(struct serve_spool *spool, uint64_t limit);
void serve_spool_release(struct serve_spool *spool);

/*
 * Takes the next bytes; those past the limit are dropped, and over is set. folder (NULL: /tmp) is for the file; it
 * must outlive the spool.
 *
 * PRN_E_IO	the disk is full; the text says so
 * PRN_E_MEMORY
 */
int serve_spool_append(struct serve_spool *spool, const void *bytes, size_t length, const char *folder,
                        struct prn_error *error);

/* Sees to it that the bytes are in the file, however few.  folder and errors as _append. */
int serve_spool_to_file(struct serve_spool *spool, const char *folder, struct prn_error *error);

/*
 * All bytes in one run, valid until _release; never NULL.  Those of a file are mapped, so they are the
 * system's to page out.  PRN_E_IO
 */
int serve_spool_bytes(struct serve_spool *spool, const unsigned char **bytes, struct prn_error *error);

#endif
