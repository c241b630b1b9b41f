/* Takes a body over from the source that read it, instead of copying it. */
#ifndef ARCHIVE_SOURCE_BODY_H
#define ARCHIVE_SOURCE_BODY_H

#include "base/buffer.h"
#include "perennial/source.h"

/*
 * The buffer of the source whose first bytes are the body of the capture that it has just returned, or NULL: the body is
 * elsewhere.  The caller may exchange what is in it with that of another buffer, whose bytes are of no interest; the capture's
 * body is the other buffer's then.
 */
struct prn_buffer *prn_source_body(struct prn_source *source, const struct prn_capture *capture);

#endif
