#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* If the system or the file system has no nameless files, the file gets a name, which is removed at once. */
static int open_named(const char *folder)
{
	char *path;
	int fd;

	if (asprintf(&path, "%s/perennial-XXXXXX", folder) < 0)
		return -1;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	free(path);
	return fd;
}

int prn_temporary_open(struct prn_temporary *file, const char *folder, struct prn_error *error)
{
	int opened = -1;

	if (!folder || !*folder)
		folder = PRN_TEMPORARY_FOLDER;
#ifdef O_TMPFILE
	opened = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
	if (opened < 0)
		opened = open_named(folder);
	if (opened < 0)
		return prn_error_set(error, PRN_E_IO, "%s: cannot make a temporary file there: %s", folder, strerror(errno));
	*file = (struct prn_temporary){ opened, folder };
	return 0;
}

void prn_temporary_close(struct prn_temporary *file)
{
	close(file->fd);
}

int prn_temporary_write(const struct prn_temporary *file, uint64_t offset, const void *bytes, size_t length,
                        struct prn_error *error)
{
	const unsigned char *from = bytes;

	while (length) {
		ssize_t n = pwrite(file->fd, from, length, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return prn_error_set(error, PRN_E_IO, "%s: cannot write a temporary file there: %s", file->folder,
			                     strerror(n ? errno : ENOSPC));
		from += n;
		offset += (uint64_t)n;
		length -= (size_t)n;
	}
	return 0;
}

int prn_temporary_read(const struct prn_temporary *file, uint64_t offset, void *bytes, size_t length,
                       struct prn_error *error)
{
	unsigned char *to = bytes;

	while (length) {
		ssize_t n = pread(file->fd, to, length, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return prn_error_set(error, PRN_E_IO, "%s: cannot read a temporary file there: %s", file->folder,
			                     strerror(n ? errno : EIO));
		to += n;
		offset += (uint64_t)n;
		length -= (size_t)n;
	}
	return 0;
}
