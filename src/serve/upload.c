#include "serve/upload.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

void serve_upload_init(struct serve_upload *upload, uint64_t limit)
{
	*upload = (struct serve_upload){ .limit = limit };
}

void serve_upload_release(struct serve_upload *upload)
{
	if (upload->mapped)
		munmap(upload->mapped, (size_t)upload->length);
	if (upload->spooled)
		prn_temporary_close(&upload->file);
	prn_buffer_release(&upload->memory);
	serve_upload_init(upload, 0);
}

static int spool(struct serve_upload *upload, const char *folder, struct prn_error *error)
{
	int code = prn_temporary_open(&upload->file, folder, error);

	if (code)
		return code;
	upload->spooled = true;
	code = prn_temporary_write(&upload->file, 0, upload->memory.data, upload->memory.length, error);
	if (!code)
		prn_buffer_release(&upload->memory);
	return code;
}

int serve_upload_append(struct serve_upload *upload, const void *bytes, size_t length, const char *folder,
                        struct prn_error *error)
{
	int code = 0;

	if (length > upload->limit - upload->length) {
		upload->over = true;
		length = (size_t)(upload->limit - upload->length);
	}
	if (!upload->spooled && upload->memory.length + length > SERVE_UPLOAD_MEMORY)
		code = spool(upload, folder, error);
	if (!code && upload->spooled)
		code = prn_temporary_write(&upload->file, upload->length, bytes, length, error);
	else if (!code && prn_buffer_append(&upload->memory, bytes, length))
		code = prn_error_set(error, PRN_E_MEMORY, "out of memory");
	if (!code)
		upload->length += length;
	return code;
}

int serve_upload_bytes(struct serve_upload *upload, const unsigned char **bytes, struct prn_error *error)
{
	static const unsigned char nothing[1];

	if (!upload->spooled) {
		*bytes = upload->memory.data ? upload->memory.data : nothing;
		return 0;
	}
	if (!upload->mapped) {
		void *mapped = mmap(NULL, (size_t)upload->length, PROT_READ, MAP_PRIVATE, upload->file.fd, 0);

		if (mapped == MAP_FAILED)
			return prn_error_set(error, PRN_E_IO, "cannot map a temporary file: %s", strerror(errno));
		upload->mapped = mapped;
	}
	*bytes = upload->mapped;
	return 0;
}
