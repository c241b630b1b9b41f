#include "keep/folder.h"

#include "base/portable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TOGETHER 256 /* bodies that are made durable by one sync */

/* Reads the head of a page's file.  PRN_E_NOT_FOUND also if it is damaged or another page's: then it will be replaced */
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

/* What the two files of a page have. */
struct turns {
	bool known[KEEP_LAST];
	int64_t times[KEEP_LAST];
	struct prn_digest digests[KEEP_LAST];
	unsigned last; /* the later one of those that are known */
	unsigned next; /* the one that a new body replaces */
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

/*
 * The bytes must be on the disk before their name is, or a crash could leave an empty file in the place of a body: with syncs this
 * function sees to that, without it the caller does.
 */
static int write_part(struct keep *keep, struct keep_draft *draft, const struct prn_buffer *file, bool syncs, struct prn_error *error)
{
	const struct timespec times[2] = { { .tv_sec = draft->time }, { .tv_sec = draft->time } };
	char name[KEEP_NAME], part[sizeof draft->part];
	int fd, failed = 0;

	snprintf(part, sizeof part, "%.32s.%lu.part", keep_file_name(draft->url, 0, name), atomic_fetch_add(&keep->drafts, 1));
	fd = openat(keep->folder, part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return prn_error_set(error, PRN_E_IO, "%s/%s: cannot be made: %s", keep->path, part, strerror(errno));
	if (write_all(fd, file->data, file->length) || futimens(fd, times) || (syncs && fsync(fd)))
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

static int pack(struct keep *keep, struct keep_draft *draft, const struct keep_report *report, bool syncs, struct prn_error *error)
{
	struct prn_buffer file = { 0 };
	int code = keep_body_pack(&file, report->url, report->time, report->type, report->bytes, report->length, error);

	draft->bytes = keep_blocks(file.length);
	if (!code && draft->bytes > keep->bytes_most)
		code = prn_error_set(error, PRN_E_LIMIT, "%.300s: its body takes %zu bytes packed, more than all that --keep-bodies allows",
		                     draft->url, file.length);
	if (!code)
		code = keep_make_room(keep, draft->bytes, error);
	if (!code) {
		code = write_part(keep, draft, &file, syncs, error);
		if (code)
			keep_leave_room(keep, draft->bytes);
	}
	prn_buffer_release(&file);
	return code;
}

/* before: the page's draft before this one, which will be its last body by then; NULL: its last body is in the folder. */
static int draft_one(struct keep *keep, const struct keep_report *report, const struct keep_draft *before, bool syncs,
                     struct keep_draft *draft, struct prn_error *error)
{
	struct turns turns;
	int code;

	*draft->part = '\0';
	draft->placed = false;
	draft->time = report->time;
	draft->digest = keep_body_digest(report->bytes, report->length, report->type);
	snprintf(draft->url, sizeof draft->url, "%s", report->url);
	if (before) {
		if (!prn_digest_compare(&before->digest, &draft->digest))
			return 0;
	} else {
		code = read_turns(keep, draft->url, &turns, error);
		if (code || is_last(&turns, &draft->digest))
			return code;
	}
	return pack(keep, draft, report, syncs, error);
}

int keep_draft(struct keep *keep, const struct keep_report *report, struct keep_draft *draft, struct prn_error *error)
{
	return draft_one(keep, report, NULL, true, draft, error);
}

void keep_drop_draft(struct keep *keep, struct keep_draft *draft)
{
	if (!*draft->part)
		return;
	if (!draft->placed)
		unlinkat(keep->folder, draft->part, 0);
	keep_leave_room(keep, draft->bytes);
	*draft->part = '\0';
}

/* Under the lock: puts a draft in the place of the older body, which stays if that fails. */
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
	draft->placed = true;
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

/* Drafts of one page are placed in their order.  A draft that cannot be kept is reported, and the others are placed all the same. */
static void place_all(struct keep *keep, struct keep_draft *drafts, size_t count, bool syncs, keep_failed_fn *on_failure, void *context)
{
	const char *parts[TOGETHER];
	struct prn_error error;
	int failed;

	for (size_t i = 0; i < count; i++)
		parts[i] = drafts[i].part;
	failed = syncs ? prn_sync_files(keep->folder, parts, count) : 0;
	if (failed) {
		prn_error_set(&error, PRN_E_IO, "%s: cannot be synced, %zu bodies are not kept: %s", keep->path, count, strerror(failed));
		for (size_t i = 0; i < count; i++) {
			on_failure(context, &error);
			keep_drop_draft(keep, &drafts[i]);
		}
	}
	for (size_t i = 0; i < count; i++)
		if (keep_place_draft(keep, &drafts[i], &error))
			on_failure(context, &error);
}

/* The last of these drafts that is of a page, or NULL. */
static const struct keep_draft *last_of(const struct keep_draft *drafts, size_t count, const char *url)
{
	while (count--)
		if (!strcmp(drafts[count].url, url))
			return &drafts[count];
	return NULL;
}

int keep_put(struct keep *keep, const struct keep_report *reports, size_t count, keep_failed_fn *on_failure, void *context,
             struct prn_error *error)
{
	struct keep_draft *drafts = calloc(count < TOGETHER ? count + 1 : TOGETHER, sizeof *drafts);
	uint64_t bytes = 0;
	size_t drafted = 0;

	if (!drafts)
		return prn_error_memory(error);
	for (size_t i = 0; i < count; i++) {
		struct prn_error why;

		if (draft_one(keep, &reports[i], last_of(drafts, drafted, reports[i].url), count == 1, &drafts[drafted], &why))
			on_failure(context, &why);
		if (*drafts[drafted].part)
			bytes += drafts[drafted++].bytes;
		/* Drafts take room that bodies could have. */
		if (drafted == TOGETHER || bytes > keep->bytes_most / 16 || i + 1 == count) {
			place_all(keep, drafts, drafted, count > 1, on_failure, context);
			bytes = drafted = 0;
		}
	}
	free(drafts);
	return 0;
}
