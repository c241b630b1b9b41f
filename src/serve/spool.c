#include "serve/spool.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

void serve_spool_init(struct serve_spool *spool, uint64_t limit)
{
	*spool = (struct serve_spool){ .limit = limit };
}

void serve_spool_release(struct serve_spool *spool)
{
	if (spool->mapped)
		munmap(spool->mapped, (size_t)spool->length);
	if (spool->in_file)
		prn_temporary_close(&spool->file);
	prn_buffer_release(&spool->memory);
	serve_spool_init(spool, 0);
}

int serve_spool_to_file(struct serve_spool *spool, const char *folder, struct prn_error *error)
{
	int code = spool->in_file ? 0 : prn_temporary_open(&spool->file, folder, error);

	if (code || spool->in_file)
		return code;
	spool->in_file = true;
	code = prn_temporary_write(&spool->file, 0, spool->memory.data, spool->memory.length, error);
	if (!code)
		prn_buffer_release(&spool->memory);
	return code;
}

int serve_spool_append(struct serve_spool *spool, const void *bytes, size_t length, const char *folder,
                        struct prn_error *error)
{
	int code = 0;

	if (length > spool->limit - spool->length) {
		spool->over = true;
		length = (size_t)(spool->limit - spool->length);
	}
	if (!spool->in_file && spool->memory.length + length > SERVE_SPOOL_MEMORY)
		code = serve_spool_to_file(spool, folder, error);
	if (!code && spool->in_file)
		code = prn_temporary_write(&spool->file, spool->length, bytes, length, error);
	else if (!code && prn_buffer_append(&spool->memory, bytes, length))
		code = prn_error_memory(error);
	if (!code)
		spool->length += length;
	return code;
}

int serve_spool_bytes(struct serve_spool *spool, const unsigned char **bytes, struct prn_error *error)
{
	static const unsigned char nothing[1];

	if (!spool->in_file) {
		*bytes = spool->memory.data ? spool->memory.data : nothing;
		return 0;
	}
	if (!spool->mapped) {
		void *mapped = mmap(NULL, (size_t)spool->length, PROT_READ, MAP_PRIVATE, spool->file.fd, 0);

		if (mapped == MAP_FAILED)
			return prn_error_set(error, PRN_E_IO, "cannot map a temporary file: %s", strerror(errno));
		spool->mapped = mapped;
	}
	*bytes = spool->mapped;
	return 0;
}
