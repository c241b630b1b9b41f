#include "keep/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART ".part"
#define DIGITS 32

char *keep_file_name(const char *url, unsigned i, char name[KEEP_NAME])
{
	struct prn_digest key = prn_url_key(url);

	snprintf(name, KEEP_NAME, "%016llx%016llx.%u", (unsigned long long)key.high, (unsigned long long)key.low, i % KEEP_LAST);
	return name;
}

uint64_t keep_blocks(uint64_t bytes)
{
	return (bytes + KEEP_BLOCK - 1) / KEEP_BLOCK * KEEP_BLOCK;
}

static bool is_name(const char *name)
{
	return strspn(name, "0123456789abcdef") == DIGITS && name[DIGITS] == '.' && (name[DIGITS + 1] == '0' || name[DIGITS + 1] == '1') &&
	       !name[DIGITS + 2];
}

/* Whether a name is that of an unfinished file, which may be removed: nothing else has such a name. */
static bool is_part(const char *name)
{
	size_t length = strlen(name);

	return length > DIGITS && strspn(name, "0123456789abcdef") == DIGITS && name[DIGITS] == '.' && length > strlen(PART) &&
	       !strcmp(name + length - strlen(PART), PART);
}

static int refuse(const struct keep *keep, const char *name, const char *what, struct prn_error *error)
{
	return prn_error_set(error, PRN_E_IO, "%s/%s: %s: %s", keep->path, name, what, strerror(errno));
}

static int look(const struct keep *keep, const char *name, const struct stat *about, struct keep_file *file, struct prn_error *error)
{
	if (!S_ISREG(about->st_mode))
		return prn_error_set(error, PRN_E_INPUT, "%s/%s: is no regular file", keep->path, name);
	snprintf(file->name, sizeof file->name, "%.*s", KEEP_NAME - 1, name);
	file->time = about->st_mtime;
	file->bytes = keep_blocks((uint64_t)about->st_size);
	return 0;
}

int keep_file_look(const struct keep *keep, const char *name, struct keep_file *file, struct prn_error *error)
{
	struct stat about;

	if (!fstatat(keep->folder, name, &about, AT_SYMLINK_NOFOLLOW))
		return look(keep, name, &about, file, error);
	return errno == ENOENT ? prn_error_set(error, PRN_E_NOT_FOUND, "%s/%s: is not there", keep->path, name)
	                       : refuse(keep, name, "cannot be looked at", error);
}

/* No link is followed and no pipe is waited for: the file that is checked is the one that is read. */
static int open_file(const struct keep *keep, const char *name, int *fd, size_t *length, struct prn_error *error)
{
	struct stat about;
	struct keep_file file;
	int code;

	*fd = openat(keep->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (*fd < 0 && errno == ENOENT)
		return prn_error_set(error, PRN_E_NOT_FOUND, "%s/%s: is not there", keep->path, name);
	/* These errors come of a link, a socket, and a device without a driver. */
	if (*fd < 0 && (errno == ELOOP || errno == ENXIO || errno == ENODEV))
		return prn_error_set(error, PRN_E_INPUT, "%s/%s: is no regular file", keep->path, name);
	if (*fd < 0)
		return refuse(keep, name, "cannot be opened", error);
	code = fstat(*fd, &about) ? refuse(keep, name, "cannot be looked at", error) : look(keep, name, &about, &file, error);
	/* A body that zstd cannot compress is a little longer when it is packed. */
	if (!code && (uint64_t)about.st_size > KEEP_HEAD_MOST + KEEP_BODY_MOST + KEEP_BODY_MOST / 128)
		code = prn_error_set(error, PRN_E_INPUT, "%s/%s: is longer than any kept body", keep->path, name);
	if (code)
		close(*fd);
	else
		*length = (size_t)about.st_size;
	return code;
}

int keep_file_read(const struct keep *keep, const char *name, size_t most, struct prn_buffer *out, struct prn_error *error)
{
	size_t length = 0;
	int fd, code = open_file(keep, name, &fd, &length, error);

	if (code)
		return code;
	if (length > most)
		length = most;
	if (prn_buffer_reserve(out, length + 1))
		code = prn_error_memory(error);
	while (!code && length) {
		ssize_t got = read(fd, out->data + out->length, length);

		if (got < 0 && errno != EINTR)
			code = refuse(keep, name, "cannot be read", error);
		if (!got)
			break;
		if (got > 0) {
			out->length += (size_t)got;
			length -= (size_t)got;
		}
	}
	close(fd);
	return code;
}

int keep_file_remove(const struct keep *keep, const char *name, struct prn_error *error)
{
	return unlinkat(keep->folder, name, 0) && errno != ENOENT ? refuse(keep, name, "cannot be removed", error) : 0;
}

static int visit_entry(const struct keep *keep, const char *name, bool parts, keep_visit_fn *visit, void *context,
                       struct prn_error *error)
{
	struct keep_file file;
	int code;

	if (parts && is_part(name))
		return keep_file_remove(keep, name, error);
	if (!is_name(name))
		return 0;
	code = keep_file_look(keep, name, &file, error);
	if (code == PRN_E_NOT_FOUND || code == PRN_E_INPUT)
		return 0;
	return code ? code : visit(context, &file, error);
}

int keep_folder_visit(const struct keep *keep, bool parts, keep_visit_fn *visit, void *context, struct prn_error *error)
{
	int fd = openat(keep->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), code = 0;
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);

	if (!stream) {
		code = refuse(keep, ".", "cannot be listed", error);
		if (fd >= 0)
			close(fd);
		return code;
	}
	while (!code) {
		const struct dirent *entry;

		errno = 0;
		entry = readdir(stream);
		if (!entry && errno)
			code = refuse(keep, ".", "cannot be listed", error);
		if (!entry)
			break;
		code = visit_entry(keep, entry->d_name, parts, visit, context, error);
	}
	closedir(stream);
	return code;
}
