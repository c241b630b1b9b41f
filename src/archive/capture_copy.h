/*
 * A capture that stays when its source has gone on.
 */
#ifndef ARCHIVE_CAPTURE_COPY_H
#define ARCHIVE_CAPTURE_COPY_H

#include "base/buffer.h"
#include "perennial/source.h"

/* All zero bytes: of nothing.  Its memory is used again by the next copy. */
struct prn_capture_copy {
	struct prn_capture capture; /* whole, its pointers are into the two below */
	struct prn_buffer texts, body;
};

/* PRN_E_MEMORY: it is of nothing, or of half; to be made again or released. */
int prn_capture_copy_make(struct prn_capture_copy *copy, const struct prn_capture *capture);

/* Gives the memory of the body back; the rest stays. */
void prn_capture_copy_drop_body(struct prn_capture_copy *copy);
void prn_capture_copy_release(struct prn_capture_copy *copy);

#endif
