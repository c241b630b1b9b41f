#include "keep/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The head of a page's file; PRN_E_NOT_FOUND also of one that cannot be read or is of another page: it is to be replaced. */
static int read_head(const struct keep *keep, const char *url, unsigned i, struct keep_body *body, struct prn_error *error)
{
	struct prn_buffer bytes = { 0 };
	char name[KEEP_NAME];
	size_t head;
	int code = keep_file_read(keep, keep_file_name(url, i, name), KEEP_HEAD_MOST, &bytes, error);

	if (!code)
		code = keep_body_read_head(body, bytes.data, bytes.length, &head, error);
	prn_buffer_release(&bytes);
	if (code == PRN_E_INPUT || (!code && strcmp(body->url, url)))
		code = PRN_E_NOT_FOUND;
	return code;
}

/* What is under a page's names. */
struct turns {
	bool known[KEEP_LAST];
	int64_t times[KEEP_LAST];
	struct prn_digest digests[KEEP_LAST];
	unsigned last; /* of those known the later one */
	unsigned next; /* in whose place a new one comes */
};

static int read_turns(const struct keep *keep, const char *url, struct turns *turns, struct prn_error *error)
{
	struct keep_body *body = malloc(sizeof *body);
	int code = body ? 0 : prn_error_memory(error);

	*turns = (struct turns){ 0 };
	for (unsigned i = 0; i < KEEP_LAST && !code; i++) {
		keep_body_init(body);
		code = read_head(keep, url, i, body, error);
		turns->known[i] = !code;
		turns->times[i] = body->time;
		turns->digests[i] = body->digest;
		code = code == PRN_E_NOT_FOUND ? 0 : code;
	}
	free(body);
	turns->last = turns->known[1] && (!turns->known[0] || turns->times[1] > turns->times[0]);
	turns->next = turns->known[turns->last] ? !turns->last : 0;
	return code;
}

static bool is_last(const struct turns *turns, const struct prn_digest *digest)
{
	return turns->known[turns->last] && !prn_digest_compare(&turns->digests[turns->last], digest);
}

static int write_all(int fd, const unsigned char *bytes, size_t length)
{
	while (length) {
		ssize_t written = write(fd, bytes, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0) {
			errno = written ? errno : ENOSPC;
			return -1;
		}
		bytes += written;
		length -= (size_t)written;
	}
	return 0;
}

/* The bytes must be on the disk before their name is, or a crash could leave an empty file in the place of a body. */
static int write_part(struct keep *keep, struct keep_draft *draft, const struct prn_buffer *file, struct prn_error *error)
{
	const struct timespec times[2] = { { .tv_sec = draft->time }, { .tv_sec = draft->time } };
	char name[KEEP_NAME], part[sizeof draft->part];
	int fd, failed = 0;

	snprintf(part, sizeof part, "%.32s.%lu.part", keep_file_name(draft->url, 0, name), atomic_fetch_add(&keep->drafts, 1));
	fd = openat(keep->folder, part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return prn_error_set(error, PRN_E_IO, "%s/%s: cannot be made: %s", keep->path, part, strerror(errno));
	if (write_all(fd, file->data, file->length) || futimens(fd, times) || fsync(fd))
		failed = errno;
	if (close(fd) && !failed)
		failed = errno;
	if (failed) {
		unlinkat(keep->folder, part, 0);
		return prn_error_set(error, PRN_E_IO, "%s/%s: cannot be written: %s", keep->path, part, strerror(failed));
	}
	memcpy(draft->part, part, sizeof part);
	return 0;
}

static int pack(struct keep *keep, struct keep_draft *draft, const char *type, const void *bytes, size_t length,
                struct prn_error *error)
{
	struct prn_buffer file = { 0 };
	int code = keep_body_pack(&file, draft->url, draft->time, type, bytes, length, error);

	draft->bytes = keep_blocks(file.length);
	if (!code && draft->bytes > keep->bytes_most)
		code = prn_error_set(error, PRN_E_LIMIT, "%.300s: its body takes %zu bytes packed, more than all that --keep-bodies allows",
		                     draft->url, file.length);
	if (!code)
		code = keep_make_room(keep, draft->bytes, error);
	if (!code)
		code = write_part(keep, draft, &file, error);
	prn_buffer_release(&file);
	return code;
}

int keep_draft(struct keep *keep, const char *url, int64_t time, const char *type, const void *bytes, size_t length,
               struct keep_draft *draft, struct prn_error *error)
{
	struct turns turns;
	int code;

	*draft->part = '\0';
	draft->time = time;
	draft->digest = keep_body_digest(bytes, length, type);
	snprintf(draft->url, sizeof draft->url, "%s", url);
	code = read_turns(keep, url, &turns, error);
	if (code || is_last(&turns, &draft->digest))
		return code;
	return pack(keep, draft, type, bytes, length, error);
}

void keep_drop_draft(struct keep *keep, struct keep_draft *draft)
{
	if (*draft->part)
		unlinkat(keep->folder, draft->part, 0);
	*draft->part = '\0';
}

/* Under the lock: in the place of the elder, which stays where that fails. */
static int place(struct keep *keep, struct keep_draft *draft, struct prn_error *error)
{
	struct keep_file before;
	struct turns turns;
	char name[KEEP_NAME];
	bool replaces;
	int code = read_turns(keep, draft->url, &turns, error);

	if (code || is_last(&turns, &draft->digest) || (turns.known[turns.last] && turns.times[turns.last] >= draft->time))
		return code;
	keep_file_name(draft->url, turns.next, name);
	replaces = !keep_file_look(keep, name, &before, NULL);
	if (renameat(keep->folder, draft->part, keep->folder, name))
		return prn_error_set(error, PRN_E_IO, "%s/%s: cannot be replaced: %s", keep->path, name, strerror(errno));
	*draft->part = '\0';
	keep->counts.bodies += !replaces;
	keep->counts.bytes += draft->bytes - (replaces ? before.bytes : 0);
	keep->changes++;
	return 0;
}

int keep_place_draft(struct keep *keep, struct keep_draft *draft, struct prn_error *error)
{
	int code = 0;

	if (!*draft->part)
		return 0;
	pthread_mutex_lock(&keep->lock);
	code = place(keep, draft, error);
	pthread_mutex_unlock(&keep->lock);
	keep_drop_draft(keep, draft);
	return code;
}

int keep_put(struct keep *keep, const char *url, int64_t time, const char *type, const void *bytes, size_t length,
             struct prn_error *error)
{
	struct keep_draft *draft = malloc(sizeof *draft);
	int code;

	if (!draft)
		return prn_error_memory(error);
	code = keep_draft(keep, url, time, type, bytes, length, draft, error);
	if (!code)
		code = keep_place_draft(keep, draft, error);
	free(draft);
	return code;
}
