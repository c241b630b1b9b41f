#include "base/given_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define CHUNK ((size_t)64 << 10)

/* Returns 1 when there is something to read, or the end.  Files and devices, for which poll does not wait, are always ready. */
static int await(int fd, const char *path, unsigned seconds, struct prn_error *error)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	int count;

	while ((count = poll(&ready, 1, (int)seconds * 1000)) < 0)
		if (errno != EINTR)
			return prn_error_set(error, PRN_E_IO, "%s: cannot be waited for: %s", path, strerror(errno));
	return count ? 1 : prn_error_set(error, PRN_E_IO, "%s: gives nothing for %u seconds: does nobody write into it?", path, seconds);
}

/* Returns 1, or 0 at the end. */
static int read_some(int fd, struct prn_buffer *bytes, const char *path, unsigned seconds, struct prn_error *error)
{
	ssize_t got;
	int code = await(fd, path, seconds, error);

	if (code < 0)
		return code;
	if (bytes->length > PRN_GIVEN_FILE_BYTES)
		return prn_error_set(error, PRN_E_LIMIT, "%s: is longer than the %zu MiB that such a file may have", path, PRN_GIVEN_FILE_BYTES >> 20);
	if (prn_buffer_reserve(bytes, CHUNK)) {
		code = prn_error_memory(error);
		prn_error_prefix(error, "%s", path);
		return code;
	}
	got = read(fd, bytes->data + bytes->length, CHUNK);
	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return 1;
	if (got < 0)
		return prn_error_set(error, PRN_E_IO, "%s: cannot be read: %s", path, strerror(errno));
	bytes->length += (size_t)got;
	return got > 0;
}

int prn_given_file_open(FILE **out, struct prn_buffer *bytes, const char *path, unsigned seconds, struct prn_error *error)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), code;

	prn_buffer_clear(bytes);
	if (fd < 0)
		return prn_error_set(error, PRN_E_IO, "%s: cannot be opened: %s", path, strerror(errno));
	while ((code = read_some(fd, bytes, path, seconds, error)) > 0)
		;
	close(fd);
	if (code)
		return code;
	*out = bytes->length ? fmemopen(bytes->data, bytes->length, "r") : fopen("/dev/null", "re");
	if (!*out && errno != ENOMEM)
		return prn_error_set(error, PRN_E_IO, "%s: cannot be opened: %s", path, strerror(errno));
	if (*out)
		return 0;
	code = prn_error_memory(error);
	prn_error_prefix(error, "%s", path);
	return code;
}
