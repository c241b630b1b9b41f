#include "store/lmdb_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void prn_lmdb_remove_folder(const char *path)
{
	static const char *const names[] = { "data.mdb", "lock.mdb", "writer.lock" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char *name;

		if (asprintf(&name, "%s/%s", path, names[i]) < 0)
			return;
		unlink(name);
		free(name);
	}
	rmdir(path);
}

int prn_lmdb_sync_folder(const char *path)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), failed;

	if (folder < 0)
		return errno;
	failed = fsync(folder) ? errno : 0;
	close(folder);
	return failed;
}

/* The folder that holds path, to be freed. */
static char *folder_of(const char *path)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	while (length && path[length - 1] != '/')
		length--;
	while (length > 1 && path[length - 1] == '/')
		length--;
	return length ? strndup(path, length) : strdup(".");
}

static int place(const char *part, const char *path, struct prn_error *error)
{
	char *parent = folder_of(path);
	int failed = parent ? prn_lmdb_sync_folder(part) : ENOMEM;

	if (!failed && rename(part, path))
		failed = errno;
	if (!failed) {
		failed = prn_lmdb_sync_folder(parent);
		/* What may not last is not left there. */
		if (failed)
			rename(path, part);
	}
	free(parent);
	if (failed == ENOTEMPTY || failed == EEXIST || failed == ENOTDIR)
		return prn_error_set(error, PRN_E_IO, "%s: something is there already", path);
	return failed ? prn_error_set(error, PRN_E_IO, "%s: cannot write: %s", path, strerror(failed)) : 0;
}

int prn_lmdb_make_folder(const char *path, prn_lmdb_fill_fn *fill, void *context, struct prn_error *error)
{
	size_t length = strlen(path);
	char *part;
	int failed;

	if (!prn_lmdb_find(path, NULL, NULL))
		return prn_error_set(error, PRN_E_IO, "%s: a store is there already", path);
	while (length > 1 && path[length - 1] == '/')
		length--;
	if (asprintf(&part, "%.*s.%ld.part", (int)length, path, (long)getpid()) < 0)
		return prn_error_memory(error);
	/* What was visited, and when, is its owner's business. */
	failed = mkdir(part, 0700)
	                 ? prn_error_set(error, PRN_E_IO, "%s: cannot make a folder: %s", part, strerror(errno))
	                 : fill(part, context, error);
	if (!failed)
		failed = place(part, path, error);
	if (failed)
		prn_lmdb_remove_folder(part);
	free(part);
	return failed;
}
