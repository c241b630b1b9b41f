/*
 * A capture that stays when its source has gone on: what an observation may have to be made of again.
 */
#ifndef SERVE_CAPTURE_COPY_H
#define SERVE_CAPTURE_COPY_H

#include "base/buffer.h"
#include "perennial/source.h"

/* All zero bytes: of nothing, and _release is fine. */
struct serve_capture_copy {
	struct prn_capture capture; /* as it was, but refers to no other; its pointers are into bytes */
	struct prn_buffer bytes;
};

/* Copies over what was there before.  PRN_E_MEMORY: release it. */
int serve_capture_copy_make(struct serve_capture_copy *copy, const struct prn_capture *capture);
void serve_capture_copy_release(struct serve_capture_copy *copy);

#endif
