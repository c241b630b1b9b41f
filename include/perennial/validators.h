/*
 * Validators: what a server sent with the content of a page, by which it can tell later that it is still that
 * (RFC 9110 §8.8).  A fetcher that sends them back is answered "304 Not Modified", without the content.
 */
#ifndef PERENNIAL_VALIDATORS_H
#define PERENNIAL_VALIDATORS_H

#include <stdbool.h>
#include <stdint.h>

#include "perennial/source.h"
#include "perennial/time.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Plain numbers and texts: copy it freely. */
struct prn_validators {
	int64_t modified;              /* Last-Modified, from 1970 to 9999; or PRN_TIME_UNKNOWN */
	char etag[PRN_ETAG_BYTES + 1]; /* ETag, as struct prn_capture has it; "": unknown */
};

/*
 * Those of a capture.  A Last-Modified after the capture's time says nothing: servers pass over an If-Modified-Since that is
 * in their future.
 */
void prn_validators_of(struct prn_validators *validators, const struct prn_capture *capture);

/* Whether there is any. */
static inline bool prn_validators_given(const struct prn_validators *validators)
{
	return validators->etag[0] || validators->modified != PRN_TIME_UNKNOWN;
}

#ifdef __cplusplus
}
#endif

#endif
