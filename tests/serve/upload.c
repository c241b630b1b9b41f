/* Uploads: in memory, in a file, over the limit. */
#include "../tap.h"
#include "serve/upload.h"

#include <stdlib.h>
#include <unistd.h>

static unsigned char pattern[3 * SERVE_UPLOAD_MEMORY];

/* In pieces of an odd size, so that every boundary is crossed somewhere. */
static void check_length(size_t length)
{
	struct serve_upload upload;
	const unsigned char *bytes = NULL;
	int code = 0;

	serve_upload_init(&upload, sizeof pattern);
	for (size_t at = 0; !code && at < length; at += 7919)
		code = serve_upload_append(&upload, pattern + at, length - at < 7919 ? length - at : 7919, NULL, NULL);
	ok(!code && upload.length == length && !upload.over, "%zu bytes are taken", length);
	ok(upload.spooled == (length > SERVE_UPLOAD_MEMORY), "%s", upload.spooled ? "into a file" : "into memory");
	ok(!serve_upload_bytes(&upload, &bytes, NULL) && bytes && !memcmp(bytes, pattern, length), "and come back");
	ok(upload.memory.capacity <= 2 * SERVE_UPLOAD_MEMORY, "with little memory");
	serve_upload_release(&upload);
}

int main(void)
{
	struct serve_upload upload;
	struct prn_error error = { 0 };

	for (size_t i = 0; i < sizeof pattern; i++)
		pattern[i] = (unsigned char)(i * 2654435761u >> 24);
	check_length(0);
	check_length(1);
	check_length(SERVE_UPLOAD_MEMORY);
	check_length(SERVE_UPLOAD_MEMORY + 1);
	check_length(sizeof pattern);

	serve_upload_init(&upload, 10);
	ok(!serve_upload_append(&upload, pattern, 10, NULL, NULL) && !upload.over, "as many bytes as the limit are taken");
	ok(!serve_upload_append(&upload, pattern, 1, NULL, NULL) && upload.over && upload.length == 10, "not one more");
	ok(!serve_upload_append(&upload, pattern, 1000, NULL, NULL) && upload.length == 10, "however many come");
	serve_upload_release(&upload);

	serve_upload_init(&upload, sizeof pattern);
	ok(serve_upload_append(&upload, pattern, sizeof pattern, "/no/such/folder", &error) == PRN_E_IO &&
	           strstr(error.text, "/no/such/folder"),
	   "a folder that takes no files is told: %s", error.text);
	serve_upload_release(&upload);
	return done();
}
