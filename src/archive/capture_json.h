/*
 * Reads a JSON object as a capture; its members are those of JSON lines (source.h).  The same reader serves
 * files of lines and HTTP requests.
 */
#ifndef ARCHIVE_CAPTURE_JSON_H
#define ARCHIVE_CAPTURE_JSON_H

#include "base/buffer.h"
#include "archive/http.h"
#include "perennial/source.h"
#include "perennial/url.h"

#include <jansson.h>

struct prn_capture_json_options {
	size_t body_bytes_max; /* a longer body is cut here; > 0 */
	const char *folder;    /* the folder that "path" is relative to, "" or with its slash; NULL: "path" is refused */
	bool has_time;
	int64_t time;          /* used if has_time for an object without a time; may be PRN_TIME_UNKNOWN */
};

/* The memory that a capture points into, reused for each object.  All zero bytes initially. */
struct prn_capture_json {
	json_t *root;
	struct prn_buffer body, name, content_type;
	struct prn_http_decoder *decoder; /* NULL until a body has a coding */
	bool zoneless; /* the last object had a time without a zone, which was read as UTC */
	char asked[PRN_URL_BYTES + 1], answered[PRN_URL_BYTES + 1]; /* normal forms of "url" and "answers" */
	char location[PRN_URL_BYTES + 1];
};

/*
 * Reads an object into *capture, which is valid until the next call.
 *
 * PRN_E_INPUT	not an object or not a capture: the text says which member is wrong and what it takes
 * PRN_E_MEMORY
 */
int prn_capture_json_read(struct prn_capture_json *reader, const char *text, size_t length,
                          const struct prn_capture_json_options *options, struct prn_capture *capture,
                          struct prn_error *error);

void prn_capture_json_release(struct prn_capture_json *reader);

#endif
