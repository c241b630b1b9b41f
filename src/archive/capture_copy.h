/* A copy of a capture, which stays valid when its source moves on. */
#ifndef ARCHIVE_CAPTURE_COPY_H
#define ARCHIVE_CAPTURE_COPY_H

#include "base/buffer.h"
#include "perennial/source.h"

/* All zero bytes are an empty copy.  Its memory is used again by the next copy. */
struct prn_capture_copy {
	struct prn_capture capture; /* complete; its pointers point into the two below */
	struct prn_buffer texts, body;
};

/* PRN_E_MEMORY: the copy is empty or incomplete; it may be made again or released. */
int prn_capture_copy_make(struct prn_capture_copy *copy, const struct prn_capture *capture);

/* Frees the memory of the body and keeps the rest. */
void prn_capture_copy_drop_body(struct prn_capture_copy *copy);
void prn_capture_copy_release(struct prn_capture_copy *copy);

#endif
