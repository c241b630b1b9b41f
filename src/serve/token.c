#include "serve/token.h"

#include "perennial/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECRET_BYTES 32
#define LINE_BYTES (2 * SECRET_BYTES + 1)

static int write_secret(int file)
{
	unsigned char secret[SECRET_BYTES];
	char line[LINE_BYTES + 1];

	/* So few bytes are given whole, or not at all. */
	if (getentropy(secret, sizeof secret))
		return errno;
	for (size_t i = 0; i < sizeof secret; i++)
		snprintf(line + 2 * i, 3, "%02x", secret[i]);
	line[LINE_BYTES - 1] = '\n';
	errno = ENOSPC;
	return write(file, line, LINE_BYTES) == LINE_BYTES && !fsync(file) ? 0 : errno;
}

/* A link is made only if nothing is there: if two make the token at a time, one succeeds and the other finds it. */
static int make_token(const char *path, const char *part, bool *made)
{
	int file, failed;

	unlink(part);
	file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (file < 0)
		return errno;
	failed = write_secret(file);
	if (close(file) && !failed)
		failed = errno;
	if (!failed && link(part, path))
		failed = errno;
	unlink(part);
	*made = !failed;
	return failed == EEXIST ? 0 : failed;
}

int serve_token_make(const char *address, char **path, bool *made, struct prn_error *error)
{
	const char *folder = prn_store_folder(address);
	char *file = NULL, *part = NULL;
	int failed = 0, code = 0;

	*path = NULL;
	*made = false;
	if (!folder)
		return 0;
	if (asprintf(&file, "%s/token", folder) < 0 || asprintf(&part, "%s.%ld.part", file, (long)getpid()) < 0) {
		free(file);
		return prn_error_memory(error);
	}
	if (access(file, F_OK))
		failed = make_token(file, part, made);
	if (failed)
		code = prn_error_set(error, PRN_E_IO, "%s: cannot make the token: %s", file, strerror(failed));
	else
		*path = file;
	if (failed)
		free(file);
	free(part);
	return code;
}
