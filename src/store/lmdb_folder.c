#include "store/lmdb_internal.h"
#include "store/shards.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
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
		/* A folder whose name may not be durable is not left there. */
		if (failed)
			rename(path, part);
	}
	free(parent);
	if (failed == ENOTEMPTY || failed == EEXIST || failed == ENOTDIR)
		return prn_error_set(error, PRN_E_IO, "%s: something is there already", path);
	return failed ? prn_error_set(error, PRN_E_IO, "%s: cannot write: %s", path, strerror(failed)) : 0;
}

/*
 * Whoever makes a folder has it locked, so one that is not locked was left by a process that was killed.  Older programs did not
 * lock theirs, so no process of that number may exist either.  -1: somebody has it, or there are no locks.
 */
static int lock_part(const char *part)
{
	int folder = open(part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB)) {
		close(folder);
		return -1;
	}
	return folder;
}

/* A folder that an earlier process of the same number left there is removed; in containers the first process always has the same. */
static int make_part(const char *part, int *lock, struct prn_error *error)
{
	int failed = mkdir(part, 0700) ? errno : 0;

	if (failed == EEXIST && (*lock = lock_part(part)) >= 0) {
		prn_lmdb_remove_folder(part);
		close(*lock);
		failed = mkdir(part, 0700) ? errno : 0;
	}
	*lock = failed ? -1 : lock_part(part);
	return failed ? prn_error_set(error, PRN_E_IO, "%s: cannot make a folder: %s", part, strerror(failed)) : 0;
}

/* A folder is moved, copied and removed with all that is in it, so no store may lie in another's folder. */
static int check_around(const char *path, struct prn_error *error)
{
	char *parent = folder_of(path), *folder = parent ? realpath(parent, NULL) : NULL;
	bool inside = false;

	if (!parent)
		return prn_error_memory(error);
	free(parent);
	/* Where there is no folder, none can be made. */
	while (folder && !(inside = !prn_lmdb_find(folder, NULL, NULL)) && folder[1]) {
		char *last = strrchr(folder, '/');

		last[last == folder] = 0;
	}
	if (inside)
		prn_error_set(error, PRN_E_IO, "%.300s: lies in the folder of a store, %.300s: choose a place outside of it", path, folder);
	free(folder);
	return inside ? PRN_E_IO : 0;
}

/* A store may take the place of an empty folder, since rmdir removes no other.  path has no slash at its end. */
static int check_place(const char *path, struct prn_error *error)
{
	struct stat about, behind;
	const char *last = strrchr(path, '/');
	size_t names = 0;
	DIR *folder;

	/* The system renames nothing to these, nor to the root. */
	last = last ? last + 1 : path;
	if (!*last || !strcmp(last, ".") || !strcmp(last, ".."))
		return prn_error_set(error, PRN_E_IO, "%s: something is there already: a folder that has to be named otherwise", path);
	if (lstat(path, &about))
		return errno == ENOENT ? check_around(path, error) : prn_error_set(error, PRN_E_IO, "%s: %s", path, strerror(errno));
	if (S_ISLNK(about.st_mode))
		return stat(path, &behind) ? prn_error_set(error, PRN_E_IO, "%s: is a symbolic link that leads to nothing: remove it, or name "
		                                           "the place that it is to lead to", path)
		                           : prn_error_set(error, PRN_E_IO, "%s: something is there already: a symbolic link, which is not "
		                                           "followed", path);
	folder = opendir(path);
	if (!folder)
		return errno == ENOTDIR ? prn_error_set(error, PRN_E_IO, "%s: something is there already", path)
		                        : prn_error_set(error, PRN_E_IO, "%s: %s", path, strerror(errno));
	while (names <= 2 && readdir(folder))
		names++;
	closedir(folder);
	return names > 2 ? prn_error_set(error, PRN_E_IO, "%s: something is there already", path) : check_around(path, error);
}

static int make_at(const char *path, prn_lmdb_fill_fn *fill, void *context, struct prn_error *error)
{
	char *part;
	int code = check_place(path, error), lock = -1;

	if (code)
		return code;
	if (asprintf(&part, "%s.%ld.part", path, (long)getpid()) < 0)
		return prn_error_memory(error);
	/* Others may not read which pages were visited, and when. */
	code = make_part(part, &lock, error);
	if (!code) {
		code = fill(part, context, error);
		if (!code)
			code = place(part, path, error);
		if (code)
			prn_lmdb_remove_folder(part);
	}
	if (lock >= 0)
		close(lock);
	free(part);
	return code;
}

/* Copies a path without its final slashes, with which a symbolic link would be followed.  The caller frees the copy. */
static char *without_slashes(const char *path)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	return strndup(path, length);
}

char *prn_lmdb_real_address(const char *place)
{
	return realpath(place, NULL);
}

/*
 * A folder stays the same if it is named with slashes behind its name or through a link, so what belongs to it stands beside the
 * folder itself.  A store that is still to be made has neither link nor folder.
 */
char *prn_lmdb_place_beside(const char *place, const char *name)
{
	char *folder = without_slashes(place), *real = NULL, *beside = NULL;
	struct stat about;

	if (folder && !lstat(folder, &about) && S_ISLNK(about.st_mode))
		real = realpath(folder, NULL);
	if (folder && asprintf(&beside, "%s.%s", real ? real : folder, name) < 0)
		beside = NULL;
	free(real);
	free(folder);
	return beside;
}

int prn_lmdb_check_place(const char *path, struct prn_error *error)
{
	char *name = without_slashes(path);
	int code = name ? check_place(name, error) : prn_error_memory(error);

	free(name);
	return code;
}

int prn_lmdb_make_folder(const char *path, prn_lmdb_fill_fn *fill, void *context, struct prn_error *error)
{
	char *name;
	int code;

	if (!prn_lmdb_find(path, NULL, NULL))
		return prn_error_set(error, PRN_E_IO, "%s: a store is there already", path);
	name = without_slashes(path);
	if (!name)
		return prn_error_memory(error);
	code = make_at(name, fill, context, error);
	free(name);
	return code;
}

/* The names of what stands beside a store and belongs to it (store/shards.h). */
static bool is_beside(const char *name, size_t length)
{
	size_t prefix = length > 5 && !strncmp(name, "list-", 5) ? 5 : 0;

	if (length == strlen(PRN_SHARDS_BACKUP) && !strncmp(name, PRN_SHARDS_BACKUP, length))
		return true;
	while (prefix < length && isdigit((unsigned char)name[prefix]))
		prefix++;
	return length && prefix == length;
}

/*
 * Whether a name is that of a leftover of base: of "crawl", "crawl.123.part", "crawl.7.123.part", "crawl.list-7.123.part" and so on;
 * 123 is its process.
 */
static bool is_part(const char *name, const char *base, size_t base_bytes, long *pid)
{
	const char *dot, *end;
	char *rest;

	if (strncmp(name, base, base_bytes) != 0)
		return false;
	dot = name + base_bytes;
	end = dot + strlen(dot);
	if (*dot != '.' || end - dot < 7 || strcmp(end - 5, ".part"))
		return false;
	for (end -= 5; isdigit((unsigned char)end[-1]);)
		end--;
	if (end[-1] != '.' || !isdigit((unsigned char)*end))
		return false;
	*pid = strtol(end, &rest, 10);
	return end - 1 == dot || is_beside(dot + 1, (size_t)(end - 2 - dot));
}

static void take_part(const char *part, long pid, bool remove, prn_skipped_fn *report, void *context, uint64_t *count)
{
	bool lives = pid != getpid() && (!kill((pid_t)pid, 0) || errno == EPERM);
	int lock = lives ? -1 : lock_part(part);
	struct prn_error what;

	if (lock < 0)
		return;
	++*count;
	if (remove)
		prn_lmdb_remove_folder(part);
	close(lock);
	prn_error_set(&what, PRN_E_IO, "%s: was being made by process %ld, which was killed%s", part, pid,
	              remove ? ", and is removed" : ": it can be removed");
	if (report)
		report(context, &what);
}

int prn_lmdb_leftovers(const char *path, bool remove, prn_skipped_fn *report, void *context, uint64_t *count,
                       struct prn_error *error)
{
	char *parent = folder_of(path), *part;
	size_t end = strlen(path), begin;
	struct dirent *entry;
	DIR *folder;
	long pid;
	int code = 0;

	if (!parent)
		return prn_error_memory(error);
	while (end > 1 && path[end - 1] == '/')
		end--;
	for (begin = end; begin && path[begin - 1] != '/';)
		begin--;
	/* Where there is no folder, nothing was left in it. */
	folder = opendir(parent);
	while (folder && !code && (entry = readdir(folder))) {
		if (!is_part(entry->d_name, path + begin, end - begin, &pid))
			continue;
		if (asprintf(&part, "%s/%s", parent, entry->d_name) < 0) {
			code = prn_error_memory(error);
			break;
		}
		take_part(part, pid, remove, report, context, count);
		free(part);
	}
	if (folder)
		closedir(folder);
	free(parent);
	return code;
}
