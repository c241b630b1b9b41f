#include "keep/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Nobody but the owner may learn which pages there are, or put files under their names. */
static int check_folder(const struct keep *keep, struct prn_error *error)
{
	struct stat about;

	if (fstat(keep->folder, &about))
		return prn_error_set(error, PRN_E_IO, "%s: cannot be looked at: %s", keep->path, strerror(errno));
	if (about.st_mode & 077)
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: others may look into it: bodies are kept where only their owner may (chmod 700)",
		                     keep->path);
	return 0;
}

static int open_folder(struct keep *keep, bool makes, struct prn_error *error)
{
	if (makes && mkdir(keep->path, 0700) && errno != EEXIST)
		return prn_error_set(error, PRN_E_IO, "%s: cannot be made: %s", keep->path, strerror(errno));
	keep->folder = open(keep->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (keep->folder >= 0)
		return check_folder(keep, error);
	if (errno == ENOENT)
		return prn_error_set(error, PRN_E_NOT_FOUND, "%s: no bodies are kept there", keep->path);
	if (errno == ELOOP || errno == ENOTDIR)
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: is a link or no folder: bodies are kept in none", keep->path);
	return prn_error_set(error, PRN_E_IO, "%s: cannot be opened: %s", keep->path, strerror(errno));
}

static int open_any(struct keep **out, const char *folder, bool makes, struct prn_error *error)
{
	struct keep *keep = calloc(1, sizeof *keep);
	int code;

	if (!keep)
		return prn_error_memory(error);
	keep->folder = -1;
	pthread_mutex_init(&keep->lock, NULL);
	pthread_mutex_init(&keep->room, NULL);
	keep->path = strdup(folder);
	code = keep->path ? open_folder(keep, makes, error) : prn_error_memory(error);
	if (code)
		keep_free(keep);
	else
		*out = keep;
	return code;
}

void keep_free(struct keep *keep)
{
	if (!keep)
		return;
	if (keep->folder >= 0)
		close(keep->folder);
	pthread_mutex_destroy(&keep->lock);
	pthread_mutex_destroy(&keep->room);
	free(keep->path);
	free(keep);
}

int keep_open_read(struct keep **out, const char *folder, struct prn_error *error)
{
	return open_any(out, folder, false, error);
}

static int count_file(void *context, const struct keep_file *file, struct prn_error *error)
{
	struct keep_counts *counts = context;

	(void)error;
	counts->bodies++;
	counts->bytes += file->bytes;
	return 0;
}

/* Orders files by the times of their captures, then by name, so that what is removed first does not depend on the folder's order. */
static int file_order(const void *a, const void *b)
{
	const struct keep_file *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return strcmp(x->name, y->name);
}

struct listing {
	struct keep_file *files; /* [count] */
	size_t count, capacity;
};

static int list_file(void *context, const struct keep_file *file, struct prn_error *error)
{
	struct listing *listing = context;
	struct keep_file *files = prn_array_grow(listing->files, &listing->capacity, listing->count + 1, sizeof *files);

	if (!files)
		return prn_error_memory(error);
	listing->files = files;
	files[listing->count++] = *file;
	return 0;
}

/* Under the lock. */
static int remove_file(struct keep *keep, const struct keep_file *file, struct prn_error *error)
{
	int code = keep_file_remove(keep, file->name, error);

	if (!code) {
		keep->counts.bodies--;
		keep->counts.bytes -= file->bytes;
		keep->changes++;
	}
	return code;
}

/* Sets the counts to what was listed, since somebody else may have removed files; but not if something was changed meanwhile. */
static void recount(struct keep *keep, const struct listing *listing, uint64_t changes)
{
	struct keep_counts counts = { 0 };

	for (size_t i = 0; i < listing->count; i++)
		count_file(&counts, &listing->files[i], NULL);
	pthread_mutex_lock(&keep->lock);
	if (keep->changes == changes)
		keep->counts = counts;
	pthread_mutex_unlock(&keep->lock);
}

/* Removes a file if it is still the one that was listed and bodies take more than most; *enough: they do not. */
static int remove_listed(struct keep *keep, const struct keep_file *listed, uint64_t most, bool *enough, struct prn_error *error)
{
	struct keep_file now;
	int code = 0;

	pthread_mutex_lock(&keep->lock);
	*enough = keep->counts.bytes <= most;
	if (!*enough)
		code = keep_file_look(keep, listed->name, &now, error);
	if (!*enough && !code && now.time == listed->time)
		code = remove_file(keep, &now, error);
	pthread_mutex_unlock(&keep->lock);
	return code == PRN_E_NOT_FOUND || code == PRN_E_INPUT ? 0 : code;
}

static int sweep(struct keep *keep, uint64_t most, struct prn_error *error)
{
	struct listing listing = { 0 };
	bool enough = false;
	uint64_t changes;
	int code;

	pthread_mutex_lock(&keep->lock);
	changes = keep->changes;
	pthread_mutex_unlock(&keep->lock);
	code = keep_folder_visit(keep, false, list_file, &listing, error);
	if (!code) {
		recount(keep, &listing, changes);
		if (listing.count)
			qsort(listing.files, listing.count, sizeof *listing.files, file_order);
	}
	for (size_t i = 0; !code && !enough && i < listing.count; i++)
		code = remove_listed(keep, &listing.files[i], most, &enough, error);
	free(listing.files);
	return code;
}

/* Takes room if there is any; with force, in any case.  Returns whether there was; *most is how much bodies may then take. */
static bool take_room(struct keep *keep, uint64_t bytes, bool force, uint64_t *most)
{
	uint64_t left = keep->bytes_most - keep->bytes_most / 8, drafted;
	bool fits;

	pthread_mutex_lock(&keep->lock);
	drafted = keep->drafted + bytes;
	fits = !keep->bytes_most || keep->counts.bytes + drafted <= keep->bytes_most;
	if (fits || force)
		keep->drafted = drafted;
	*most = left > drafted ? left - drafted : 0;
	pthread_mutex_unlock(&keep->lock);
	return fits;
}

/* A thread that waited for another may find room by now.  Room is taken before it is made, so that no third thread takes it. */
int keep_make_room(struct keep *keep, uint64_t bytes, struct prn_error *error)
{
	uint64_t most;
	int code = 0;

	if (take_room(keep, bytes, false, &most))
		return 0;
	pthread_mutex_lock(&keep->room);
	if (!take_room(keep, bytes, true, &most))
		code = sweep(keep, most, error);
	pthread_mutex_unlock(&keep->room);
	if (code)
		keep_leave_room(keep, bytes);
	return code;
}

void keep_leave_room(struct keep *keep, uint64_t bytes)
{
	pthread_mutex_lock(&keep->lock);
	keep->drafted -= bytes;
	pthread_mutex_unlock(&keep->lock);
}

int keep_open(struct keep **out, const char *folder, uint64_t bytes_most, struct prn_error *error)
{
	struct keep *keep = NULL;
	int code = open_any(&keep, folder, bytes_most > 0, error);

	if (code)
		return code;
	keep->bytes_most = bytes_most;
	keep->writes = true;
	/* The system releases the lock when the process ends, however it ends. */
	if (flock(keep->folder, LOCK_EX | LOCK_NB))
		code = errno == EWOULDBLOCK ? prn_error_set(error, PRN_E_BUSY, "%s: another process keeps bodies there", keep->path)
		                            : prn_error_set(error, PRN_E_IO, "%s: cannot be locked: %s", keep->path, strerror(errno));
	if (!code)
		code = keep_folder_visit(keep, true, count_file, &keep->counts, error);
	if (!code)
		code = keep_make_room(keep, 0, error);
	if (code)
		keep_free(keep);
	else
		*out = keep;
	return code;
}

int keep_forget(struct keep *keep, const char *url, struct prn_error *error)
{
	struct keep_file file;
	char name[KEEP_NAME];
	int code = 0;

	pthread_mutex_lock(&keep->lock);
	for (unsigned i = 0; i < KEEP_LAST && !code; i++) {
		code = keep_file_look(keep, keep_file_name(url, i, name), &file, error);
		if (!code)
			code = remove_file(keep, &file, error);
		else if (code == PRN_E_NOT_FOUND || code == PRN_E_INPUT)
			code = 0;
	}
	pthread_mutex_unlock(&keep->lock);
	return code;
}

struct forgetting {
	struct keep *keep;
	struct keep_body body;
	struct prn_buffer bytes;
	keep_leaves_fn *leaves;
	void *context;
};

static int forget_file(void *context, const struct keep_file *file, struct prn_error *error)
{
	struct forgetting *forgetting = context;
	size_t head;
	int code;

	prn_buffer_clear(&forgetting->bytes);
	code = keep_file_read(forgetting->keep, file->name, KEEP_HEAD_MOST, &forgetting->bytes, error);
	if (code && code != PRN_E_INPUT)
		return code == PRN_E_NOT_FOUND ? 0 : code;
	if (!code)
		code = keep_body_read_head(&forgetting->body, forgetting->bytes.data, forgetting->bytes.length, &head, error);
	return code || forgetting->leaves(forgetting->context, forgetting->body.url) ? remove_file(forgetting->keep, file, error) : 0;
}

int keep_forget_all(struct keep *keep, keep_leaves_fn *leaves, void *context, struct prn_error *error)
{
	struct forgetting *forgetting = calloc(1, sizeof *forgetting);
	int code;

	if (!forgetting)
		return prn_error_memory(error);
	*forgetting = (struct forgetting){ .keep = keep, .leaves = leaves, .context = context };
	pthread_mutex_lock(&keep->lock);
	code = keep_folder_visit(keep, false, forget_file, forgetting, error);
	pthread_mutex_unlock(&keep->lock);
	prn_buffer_release(&forgetting->bytes);
	free(forgetting);
	return code;
}

int keep_count(struct keep *keep, struct keep_counts *counts, struct prn_error *error)
{
	*counts = (struct keep_counts){ 0 };
	if (!keep->writes)
		return keep_folder_visit(keep, false, count_file, counts, error);
	pthread_mutex_lock(&keep->lock);
	*counts = keep->counts;
	pthread_mutex_unlock(&keep->lock);
	return 0;
}
