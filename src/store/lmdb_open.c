/* The files that this process has open, each once, and the tables that share them. */
#include "store/lmdb_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;
static struct prn_lmdb *files;

typedef bool is_fn(const struct prn_lmdb *lmdb, const struct stat *about);

static bool is_file(const struct prn_lmdb *lmdb, const struct stat *about)
{
	return lmdb->device == about->st_dev && lmdb->inode == about->st_ino;
}

static bool is_lock(const struct prn_lmdb *lmdb, const struct stat *about)
{
	return lmdb->lock_device == about->st_dev && lmdb->lock_inode == about->st_ino;
}

/*
 * Finds, among the files that this process has open, the one that a file in a folder is; NULL: it is not open here, or not there.
 * Those that a process inherited are its parent's, and it must not use them.  PRN_E_MEMORY
 */
static int find(struct prn_lmdb **out, const char *path, const char *file, is_fn *is, struct prn_error *error)
{
	char *name = prn_lmdb_file(path, file);
	struct prn_lmdb *lmdb = NULL;
	struct stat about;

	if (!name)
		return prn_error_memory(error);
	if (!stat(name, &about))
		for (lmdb = files; lmdb && !(lmdb->process == getpid() && is(lmdb, &about));)
			lmdb = lmdb->next;
	free(name);
	*out = lmdb;
	return 0;
}

/*
 * If a file took the place of another in the folder, both have the same lock.mdb.  Its locks and readers belong to the file that is
 * open, and would be overwritten.
 */
static int find_there(struct prn_lmdb **out, const char *path, struct prn_error *error)
{
	struct prn_lmdb *other = NULL;
	int code = find(out, path, "data.mdb", is_file, error);

	if (!code && !*out)
		code = find(&other, path, "lock.mdb", is_lock, error);
	return other ? prn_lmdb_replaced(path, error) : code;
}

int prn_lmdb_check_closed(const char *path, struct prn_error *error)
{
	struct prn_lmdb *lmdb = NULL;
	int code;

	pthread_mutex_lock(&files_lock);
	code = find(&lmdb, path, "lock.mdb", is_lock, error);
	pthread_mutex_unlock(&files_lock);
	return lmdb ? prn_error_set(error, PRN_E_LIMIT, "%s: this process has it open: its file cannot be replaced before that is closed", path)
	            : code;
}

static void destroy(struct prn_lmdb *lmdb)
{
	prn_lmdb_close_file(lmdb);
	prn_lmdb_holds_destroy(&lmdb->holds);
	pthread_mutex_destroy(&lmdb->writing);
	free(lmdb->path);
	free(lmdb->place);
	free(lmdb);
}

/* Notes the absolute path of a folder, which must exist. */
static int place(struct prn_lmdb *lmdb, const char *path, struct prn_error *error)
{
	char *found = realpath(path, NULL);

	if (!found)
		return errno == ENOMEM ? prn_error_memory(error) : prn_lmdb_fail(path, "open", errno, error);
	free(lmdb->place);
	lmdb->place = found;
	return 0;
}

static int open_anew(struct prn_lmdb **out, const char *path, bool writable, bool create, struct prn_error *error)
{
	struct prn_lmdb *lmdb = calloc(1, sizeof *lmdb);
	int code;

	if (!lmdb)
		return prn_error_memory(error);
	pthread_mutex_init(&lmdb->writing, NULL);
	prn_lmdb_holds_init(&lmdb->holds);
	lmdb->writable = lmdb->has_writer = writable;
	lmdb->is_new = create;
	lmdb->process = getpid();
	lmdb->path = strdup(path);
	code = lmdb->path ? prn_lmdb_open_file(lmdb, path, create, error) : prn_error_memory(error);
	if (!code)
		code = place(lmdb, path, error);
	if (code) {
		destroy(lmdb);
		return code;
	}
	lmdb->next = files;
	*out = files = lmdb;
	return 0;
}

/* Called with `writing` held.  LMDB has the file open for reading, so it is opened again. */
static int make_writable(struct prn_lmdb *lmdb, const char *path, struct prn_error *error)
{
	int code;

	if (!prn_lmdb_move_begin(&lmdb->holds, true))
		return prn_error_set(error, PRN_E_LIMIT, "%s: cannot be written to: reads of this process stay open", lmdb->path);
	prn_lmdb_close_file(lmdb);
	lmdb->writable = true;
	code = prn_lmdb_open_file(lmdb, path, false, error);
	/* After a failure, readers have it opened again, for reading. */
	lmdb->broken = code != 0;
	prn_lmdb_move_end(&lmdb->holds);
	return code;
}

/* The file must be kept open meanwhile.  Threads that open other files do not wait for this. */
static int let_write(struct prn_lmdb *lmdb, const char *path, struct prn_error *error)
{
	int code;

	pthread_mutex_lock(&lmdb->writing);
	code = place(lmdb, path, error);
	if (!code && !lmdb->writable)
		code = make_writable(lmdb, path, error);
	lmdb->has_writer = !code;
	pthread_mutex_unlock(&lmdb->writing);
	return code;
}

/* Ends one use of the file. */
static void let_go(struct prn_lmdb *lmdb)
{
	struct prn_lmdb **at = &files;

	pthread_mutex_lock(&files_lock);
	if (!--lmdb->users) {
		while (*at != lmdb)
			at = &(*at)->next;
		*at = lmdb->next;
		destroy(lmdb);
	}
	pthread_mutex_unlock(&files_lock);
}

/* *shared tells whether the file was open already. */
static int share_or_open(struct prn_lmdb **out, const char *path, bool writable, bool create, bool *shared, struct prn_error *error)
{
	int code;

	*out = NULL;
	pthread_mutex_lock(&files_lock);
	code = create ? 0 : find_there(out, path, error);
	*shared = *out != NULL;
	if (!code && !*shared)
		code = open_anew(out, path, writable, create, error);
	if (!code)
		(*out)->users++;
	pthread_mutex_unlock(&files_lock);
	return code;
}

int prn_lmdb_open(struct prn_lmdb_tables **out, const char *path, bool writable, bool create, struct prn_error *error)
{
	struct prn_lmdb_tables *tables = calloc(1, sizeof *tables);
	bool shared;
	int code;

	if (!tables)
		return prn_error_memory(error);
	tables->lock = -1;
	tables->writes = writable;
	code = share_or_open(&tables->lmdb, path, writable, create, &shared, error);
	if (!code && shared && writable && (code = let_write(tables->lmdb, path, error)))
		let_go(tables->lmdb);
	if (code)
		free(tables);
	else
		*out = tables;
	return code;
}

/* The lock is released last, so that the next writer finds no writer. */
void prn_lmdb_free(struct prn_lmdb_tables *tables)
{
	if (!tables)
		return;
	if (tables->writes) {
		pthread_mutex_lock(&tables->lmdb->writing);
		tables->lmdb->has_writer = false;
		prn_lmdb_forget_sound(tables->lmdb);
		pthread_mutex_unlock(&tables->lmdb->writing);
	}
	let_go(tables->lmdb);
	prn_lmdb_unlock(tables->lock);
	free(tables);
}
