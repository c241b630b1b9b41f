#include "archive/collection.h"
#include "archive/git.h"
#include "archive/host_folder.h"
#include "archive/reader.h"
#include "archive/saved.h"
#include "archive/wacz.h"
#include "base/ascii.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEPTH_MAX 16

struct prn_collection {
	char *name;             /* path of the folder or file */
	struct prn_wacz *wacz;  /* NULL: the collection is a folder, */
	char **paths;           /* … whose archives are paths[count]; those before at are done */
	size_t count, capacity, at;
	char *member;           /* name of the current archive in the WACZ file, or NULL */
};

void prn_collection_free(struct prn_collection *collection)
{
	if (!collection)
		return;
	prn_wacz_free(collection->wacz);
	for (size_t i = 0; i < collection->count; i++)
		free(collection->paths[i]);
	free(collection->paths);
	free(collection->member);
	free(collection->name);
	free(collection);
}

static struct prn_collection *new_collection(const char *name)
{
	struct prn_collection *collection = calloc(1, sizeof *collection);

	if (!collection)
		return NULL;
	collection->name = strdup(name);
	if (collection->name)
		return collection;
	free(collection);
	return NULL;
}

static int add_path_take(struct prn_collection *collection, char *path)
{
	char **paths = prn_array_grow(collection->paths, &collection->capacity, collection->count + 1, sizeof *paths);

	if (!paths) {
		free(path);
		return PRN_E_MEMORY;
	}
	collection->paths = paths;
	paths[collection->count++] = path;
	return 0;
}

/* The receiver of reports about other files of the folder. */
struct receiver {
	prn_other_file_fn *receive;
	void *context;
};

static bool ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && !prn_ascii_compare(text + length - tail, end);
}

/* Tells whether a file named as HTML is a page that states where it was saved from. */
static bool is_saved_page(const char *path)
{
	struct prn_buffer start = { 0 };
	struct prn_saved saved;
	bool more, is = false;

	if (!ends_in(path, ".html") && !ends_in(path, ".htm"))
		return false;
	if (!prn_body_read(&start, path, PRN_SAVED_START, &more, NULL))
		is = prn_saved_is_html(start.data, start.length) && prn_saved_read(&saved, start.data, start.length);
	prn_buffer_release(&start);
	return is;
}

/* Nothing that is hidden is read: reports a hidden file, and of a hidden folder the archives. */
static int pass_hidden(const char *path, const struct receiver *receiver, unsigned depth)
{
	DIR *entries = prn_is_folder(path) ? opendir(path) : NULL;
	struct dirent *entry;
	int code = 0;

	while (entries && !code && (entry = readdir(entries))) {
		char *below = NULL;

		if (prn_is_itself_or_above(entry->d_name))
			continue;
		if (asprintf(&below, "%s/%s", path, entry->d_name) < 0) {
			below = NULL; /* it is undefined then */
			code = PRN_E_MEMORY;
		} else if (prn_is_folder(below) && depth < DEPTH_MAX) {
			code = pass_hidden(below, receiver, depth + 1);
		} else if (prn_is_collected_name(below)) {
			receiver->receive(receiver->context, below, PRN_OTHER_FILE_HIDDEN);
		}
		free(below);
	}
	if (entries)
		closedir(entries);
	else if (!prn_is_folder(path))
		receiver->receive(receiver->context, path, PRN_OTHER_FILE_HIDDEN);
	return code;
}

static int find_archives(struct prn_collection *collection, const char *folder, const struct receiver *receiver, unsigned depth);

static int find_within(struct prn_collection *collection, const char *folder, const struct receiver *receiver, unsigned depth)
{
	size_t before = collection->count;
	int code = find_archives(collection, folder, receiver, depth);

	if (code || collection->count > before)
		return code;
	if (prn_git_is_repository(folder))
		receiver->receive(receiver->context, folder, PRN_OTHER_FILE_GIT);
	else if (prn_snapshot_is(folder))
		receiver->receive(receiver->context, folder, PRN_OTHER_FILE_DATES);
	return 0;
}

/* Takes over path. */
static int find_archive(struct prn_collection *collection, char *path, const struct receiver *receiver, unsigned depth)
{
	struct stat about;
	int code = 0;

	/* A link to a folder is not followed, because it may lead in a circle. */
	if (lstat(path, &about))
		receiver->receive(receiver->context, path, errno);
	else if (S_ISDIR(about.st_mode) && depth < DEPTH_MAX)
		code = find_within(collection, path, receiver, depth + 1);
	else if (S_ISDIR(about.st_mode))
		receiver->receive(receiver->context, path, PRN_OTHER_FILE_DEEP);
	else if ((prn_is_collected_name(path) || is_saved_page(path)) && !stat(path, &about) && S_ISREG(about.st_mode))
		return add_path_take(collection, path);
	else
		receiver->receive(receiver->context, path, prn_is_collected_name(path) ? PRN_OTHER_FILE_NONE : 0);
	free(path);
	return code;
}

/* Takes over path. */
static int take_entry(struct prn_collection *collection, char *path, const struct receiver *receiver, unsigned depth)
{
	int code;

	if (strrchr(path, '/')[1] != '.')
		return find_archive(collection, path, receiver, depth);
	code = pass_hidden(path, receiver, depth);
	free(path);
	return code;
}

static int find_archives(struct prn_collection *collection, const char *folder, const struct receiver *receiver, unsigned depth)
{
	DIR *entries = opendir(folder);
	struct dirent *entry;
	int code = 0;

	while (entries && !code) {
		char *path = NULL;

		errno = 0;
		entry = readdir(entries);
		if (!entry)
			break;
		if (prn_is_itself_or_above(entry->d_name))
			continue;
		code = asprintf(&path, "%s/%s", folder, entry->d_name) < 0 ? PRN_E_MEMORY : take_entry(collection, path, receiver, depth);
	}
	if (!code && errno)
		receiver->receive(receiver->context, folder, errno);
	if (entries)
		closedir(entries);
	return code;
}

int prn_collection_open(struct prn_collection **out, const char *folder, prn_other_file_fn *receive, void *context,
                        struct prn_error *error)
{
	const struct receiver receiver = { receive, context };
	struct prn_collection *collection = new_collection(folder);
	int code = collection ? find_archives(collection, folder, &receiver, 0) : PRN_E_MEMORY;

	if (code)
		prn_error_memory(error);
	else if (!collection->count)
		code = prn_error_set(error, PRN_E_NOT_FOUND, "%s: a folder without archives", folder);
	if (code) {
		prn_collection_free(collection);
		return code;
	}
	/* Crawlers number their files, so the order of names is the order of time. */
	qsort(collection->paths, collection->count, sizeof *collection->paths, prn_text_order);
	*out = collection;
	return 0;
}

int prn_collection_open_wacz(struct prn_collection **out, int fd, bool owned, const char *name, struct prn_error *error)
{
	struct prn_collection *collection = new_collection(name);
	struct prn_wacz *wacz;
	int code = prn_wacz_open(&wacz, fd, owned, error);

	if (!code && !collection) {
		prn_wacz_free(wacz);
		code = prn_error_memory(error);
	}
	if (code) {
		prn_collection_free(collection);
		prn_error_prefix(error, "%s", name);
		return code;
	}
	collection->wacz = wacz;
	*out = collection;
	return 0;
}

bool prn_collection_files(const struct prn_collection *collection, prn_source_file_fn *take, void *context)
{
	for (size_t i = 0; i < collection->count; i++)
		if (take(context, collection->paths[i]))
			return true;
	return false;
}

int prn_collection_next(struct prn_collection *collection, struct prn_stream_from *from, struct prn_error *error)
{
	const char *name;
	int code;

	if (!collection->wacz && collection->at == collection->count)
		return 0;
	if (!collection->wacz) {
		const char *path = collection->paths[collection->at++];

		*from = (struct prn_stream_from){ .input.path = path, .name = path };
		return 1;
	}
	code = prn_wacz_next(collection->wacz, &name, error);
	if (code < 0)
		prn_error_prefix(error, "%s", collection->name);
	if (code <= 0)
		return code;
	free(collection->member);
	collection->member = NULL;
	if (asprintf(&collection->member, "%s: %s", collection->name, name) < 0) {
		collection->member = NULL;
		return prn_error_memory(error);
	}
	*from = (struct prn_stream_from){ .input = { .read = prn_wacz_read, .read_context = collection->wacz },
		                          .name = collection->member };
	return 1;
}
