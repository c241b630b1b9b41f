#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_part(struct prn_output *output, const char *path, struct prn_error *error)
{
	struct stat about;

	if (!stat(path, &about) && !S_ISREG(about.st_mode))
		return prn_error_set(error, PRN_E_IO, "%s: this is not a regular file: it cannot be replaced", path);
	output->path = strdup(path);
	if (!output->path || asprintf(&output->part, "%s.%ld.part", path, (long)getpid()) < 0) {
		output->part = NULL;
		return prn_error_memory(error);
	}
	output->fd = open(output->part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (output->fd < 0)
		return prn_error_set(error, PRN_E_IO, "%s: cannot write there: %s", path, strerror(errno));
	return 0;
}

static void forget(struct prn_output *output)
{
	free(output->path);
	free(output->part);
	*output = (struct prn_output){ 0 };
}

int prn_output_open(struct prn_output *output, const char *path, struct prn_error *error)
{
	int code;

	*output = (struct prn_output){ 0 };
	code = open_part(output, path, error);
	if (code)
		forget(output);
	return code;
}

int prn_output_write(struct prn_output *output, const void *bytes, size_t length, struct prn_error *error)
{
	const unsigned char *from = bytes;

	while (length) {
		ssize_t written = write(output->fd, from, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return prn_error_set(error, PRN_E_IO, "%s: cannot write: %s", output->path,
			                     strerror(written ? errno : ENOSPC));
		from += written;
		length -= (size_t)written;
		output->length += (uint64_t)written;
	}
	return 0;
}

/* The data must be on the disk before its name is, or a crash could leave an empty file there. */
int prn_output_commit(struct prn_output *output, struct prn_error *error)
{
	int failed = fsync(output->fd) ? errno : 0;

	if (close(output->fd) && !failed)
		failed = errno;
	if (!failed && rename(output->part, output->path))
		failed = errno;
	if (failed) {
		unlink(output->part);
		failed = prn_error_set(error, PRN_E_IO, "%s: cannot write: %s", output->path, strerror(failed));
	}
	forget(output);
	return failed;
}

void prn_output_abandon(struct prn_output *output)
{
	if (!output->part)
		return;
	close(output->fd);
	unlink(output->part);
	forget(output);
}
