#include "archive/git.h"

#include "archive/file_url.h"
#include "archive/filter.h"
#include "archive/git_log.h"
#include "archive/media_name.h"
#include "archive/reader.h"
#include "base/ascii.h"
#include "base/portable.h"
#include "perennial/url.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHANGES_HELD ((size_t)64 << 10)   /* changes of one second: if there are more, only the last ones are compared */
#define PASSED_BYTES ((uint64_t)64 << 20) /* a rest of a file of at most this size is read to its end; else git is restarted */

/*
 * How long git is waited for, in seconds: a repository may have pipes in place of files, and then git waits for
 * ever.  Before the first line of a log in order of time git may have to read the whole history, which takes
 * minutes if it is long.
 */
#define OPENED_SECONDS 30
#define FILE_SECONDS 300
#define LOG_SECONDS 3600

/* Every repository has "HEAD" and "objects"; one with a work tree has them in its ".git". */
bool prn_git_is_repository(const char *folder)
{
	static const char *const names[] = { ".git", "HEAD", "objects" };
	bool is[3] = { false };

	for (size_t i = 0; i < 3; i++) {
		struct prn_buffer path = { 0 };

		is[i] = !prn_buffer_printf(&path, "%s/%s", folder, names[i]) && !prn_buffer_terminate(&path) && !access((char *)path.data, F_OK);
		prn_buffer_release(&path);
	}
	return is[0] || (is[1] && is[2]);
}

/*
 * Settings that override those of a repository's own configuration by which git would run a program.  A
 * protocol that the configuration allows by name (protocol.ext.allow) could be used to fetch the missing
 * objects of a partial clone: only GIT_ALLOW_PROTOCOL overrides that.
 */
static const char *const settings[] = {
	"core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat",      "core.sshCommand=false", "core.askPass=",      "core.alternateRefsCommand=false",
	"credential.helper=",   "protocol.allow=never",     "maintenance.auto=false", "gc.auto=0",          "submodule.recurse=false", "core.bigFileThreshold=1m",
	"log.showRoot=true",
};
#define SETTINGS (sizeof settings / sizeof *settings)

/* A few hundred bytes of objects may describe any number of paths, which git keeps in memory. */
#define MEMORY ((uint64_t)2 << 30)

int prn_git_start(struct prn_child *git, const char *repository, const char *const *arguments, bool has_input, unsigned patience, struct prn_error *error)
{
	const char *all[4 + 2 * SETTINGS + PRN_GIT_ARGUMENTS + 1] = { "git", "--no-pager", "-C", repository };
	const char *environment[] = { "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
		                      "GIT_NO_REPLACE_OBJECTS=1", "LC_ALL=C",           NULL,                    NULL };
	const struct prn_program program = { .arguments = all, .unset = "GIT_", .environment = environment, .has_input = has_input,
	                                     .memory = MEMORY, .patience = patience };
	char *parent = realpath(repository, NULL), *slash = parent ? strrchr(parent, '/') : NULL, *ceiling = NULL;
	size_t count = 4;
	int code;

	for (size_t i = 0; i < SETTINGS; i++) {
		all[count++] = "-c";
		all[count++] = settings[i];
	}
	for (size_t i = 0; i < PRN_GIT_ARGUMENTS && arguments[i]; i++)
		all[count++] = arguments[i];
	all[count] = NULL;
	/* Stops git from searching the folders above the repository for another one. */
	if (slash)
		slash[slash == parent] = 0;
	if (parent && asprintf(&ceiling, "GIT_CEILING_DIRECTORIES=%s", parent) < 0)
		ceiling = NULL;
	free(parent);
	if (parent && !ceiling)
		return prn_error_memory(error);
	environment[6] = ceiling;
	code = prn_child_start(git, &program, error);
	free(ceiling);
	return code == PRN_E_NOT_FOUND ? prn_error_set(error, PRN_E_UNSUPPORTED, "its history is read by git, which is not installed") : code;
}

int prn_git_default_base(const char *repository, char base[PRN_GIT_BASE_BYTES])
{
	char *path = realpath(repository, NULL), name[64] = "", *start;
	size_t length, kept = 0;

	if (!path)
		return PRN_E_MEMORY;
	length = strlen(path);
	if (length > 5 && !strcmp(path + length - 5, "/.git"))
		path[length -= 5] = 0;
	else if (length > 4 && !strcmp(path + length - 4, ".git"))
		path[length -= 4] = 0;
	start = strrchr(path, '/');
	for (start = start ? start + 1 : path; *start && kept < sizeof name - 1; start++) {
		unsigned char c = (unsigned char)*start;
		bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');

		/* A label may not begin or end with a hyphen, and "xn--" would be read as another name. */
		if (is_plain)
			name[kept++] = prn_ascii_lower((char)c);
		else if (kept && name[kept - 1] != '-')
			name[kept++] = '-';
	}
	while (kept && name[kept - 1] == '-')
		kept--;
	name[kept] = 0;
	snprintf(base, PRN_GIT_BASE_BYTES, "http://%s.git.invalid/", kept ? name : "repository");
	free(path);
	return 0;
}

/* A file as a commit left it. */
struct change {
	size_t path;    /* where its path begins among the paths */
	size_t order;
	bool is_gone;
	char id[PRN_GIT_ID_BYTES + 1];
};

/* The histories of files in a git repository as a source: those of the commits on its first-parent line, oldest first. */
struct git {
	struct prn_reading *reading;
	char *spec, *repository, *pattern; /* "git:REPOSITORY:PATTERN" and its parts */
	struct prn_child lister, reader; /* git log, git cat-file */
	struct prn_git_log log;
	bool is_listed;                    /* the log has ended, */
	struct prn_error end;              /* … with this error */

	/* The changes of one second: if several commits changed a file, its last change counts. */
	struct change *changes;            /* [count], of which those before at are done */
	size_t count, capacity, at;
	struct prn_buffer paths;           /* their paths, each with its NUL */
	int64_t time;
	struct prn_git_change next;        /* the first change after them, */
	bool has_next;                     /* … if there is one; its path is the log's */

	struct prn_buffer url, body, rest; /* rest: bytes read from cat-file, … */
	size_t rest_at;                    /* … used so far */
	char base[PRN_URL_BYTES + 1];
	char normal[PRN_URL_BYTES + 1];
};

static void git_free(void *reader)
{
	struct git *git = reader;

	prn_child_stop(&git->lister);
	prn_child_stop(&git->reader);
	prn_git_log_release(&git->log);
	prn_buffer_release(&git->paths);
	prn_buffer_release(&git->url);
	prn_buffer_release(&git->body);
	prn_buffer_release(&git->rest);
	free(git->changes);
	free(git->repository);
	free(git->spec);
	free(git);
}

static int read_log(void *context, void *to, size_t room, size_t *got, struct prn_error *error)
{
	struct git *git = context;
	int code = prn_child_read(&git->lister, to, room, got, &git->reading->interrupt, error);

	if (!code)
		git->reading->counts.input_bytes += *got;
	return code;
}

static int read_content(struct git *git, void *to, size_t room, size_t *got, struct prn_error *error)
{
	int code = prn_child_read(&git->reader, to, room, got, &git->reading->interrupt, error);

	if (!code)
		git->reading->counts.input_bytes += *got;
	return code;
}

static int refused(struct git *git, struct prn_error *error)
{
	char *said = git->lister.text;

	if (strstr(said, "dubious ownership"))
		return prn_error_set(error, PRN_E_INPUT, "it is another user's, and git reads those only where 'git config --global --add "
		                                         "safe.directory' names them");
	if (strstr(said, "bad revision 'HEAD'") || strstr(said, "does not have any commits"))
		return prn_error_set(error, PRN_E_INPUT, "it has no commits");
	said += !strncmp(said, "fatal: ", 7) ? 7 : 0;
	said[strcspn(said, "\n")] = 0;
	return prn_error_set(error, PRN_E_INPUT, "git cannot read its history: %s", *said ? said : "it says nothing");
}

/* Reads the next change of the log: 1, or 0 at its end. */
static int read_change(struct git *git, struct prn_error *error)
{
	int code = prn_git_log_next(&git->log, &git->next, error);

	git->has_next = code == 1;
	if (code > 0 || code == PRN_E_CANCELLED || code == PRN_E_MEMORY || git->lister.is_silent)
		return code;
	/* Git's own message explains best why the log ends early, but not why we stopped reading it. */
	if (code != PRN_E_INPUT && !prn_child_end(&git->lister, &git->reading->interrupt)) {
		int cancelled = prn_interrupt_ask(&git->reading->interrupt, error);

		return cancelled ? cancelled : refused(git, error);
	}
	return code;
}

/* Makes git read its configuration and find its objects, and checks that it finishes; the log reports what git finds. */
static int check_answers(struct git *git, struct prn_error *error)
{
	static const char *const arguments[] = { "rev-parse", "--verify", "--quiet", "HEAD^{tree}", NULL };
	unsigned patience = git->reading->options.git_seconds;
	struct prn_child opened;
	char bytes[256];
	size_t got = 1;
	int code = prn_git_start(&opened, git->repository, arguments, false, patience ? patience : OPENED_SECONDS, error);

	while (!code && got)
		code = prn_child_read(&opened, bytes, sizeof bytes, &got, &git->reading->interrupt, error);
	if (code && opened.is_silent)
		prn_error_set(error, code, "git gives no answer for %u seconds: do its configuration or its objects name a pipe?", opened.patience);
	prn_child_stop(&opened);
	return code;
}

static int start_log(struct git *git, struct prn_error *error)
{
	char *pattern = NULL;
	const char *arguments[] = { "log",          "--first-parent",   "--diff-merges=first-parent", "--reverse",   "--raw",         "-z",        "--no-abbrev",
		                    "--no-renames", "--no-ext-diff",    "--no-textconv", "--no-color", "--no-decorate", "--no-notes", "--no-mailmap",
		                    "--no-relative", "--no-follow", "-O/dev/null", "--no-show-signature", "--format=commit %H %ct", "HEAD", "--", NULL, NULL };
	int code;

	if (*git->pattern && asprintf(&pattern, ":(top)%s", git->pattern) < 0)
		return prn_error_memory(error);
	arguments[21] = pattern;
	code = prn_git_start(&git->lister, git->repository, arguments, false, LOG_SECONDS, error);
	free(pattern);
	if (code)
		return code;
	git->log.read = read_log;
	git->log.context = git;
	git->log.changes_most = PRN_GIT_CHANGES;
	code = read_change(git, error);
	if (!code && *git->pattern)
		return prn_error_set(error, PRN_E_INPUT, "no file of the repository matches '%.200s'", git->pattern);
	return code < 0 ? code : 0;
}

/* Checks the URL that paths are added to: http or https, ending in a slash, with nothing behind its path. */
static int make_base(const char *url, char base[PRN_URL_BYTES + 1], struct prn_error *error)
{
	int code = prn_url_normalize(url, SIZE_MAX, base, PRN_URL_BYTES + 1);
	size_t length = code ? 0 : strlen(base);

	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code || strpbrk(url, "?#") || length + 1 > PRN_URL_BYTES)
		return prn_error_set(error, PRN_E_ARGUMENT, "the files of a repository cannot be under '%.100s': an http or https URL without a query is wanted", url);
	if (base[length - 1] != '/')
		strcpy(base + length, "/");
	return 0;
}

int prn_git_base_check(const char *url, struct prn_error *error)
{
	char base[PRN_URL_BYTES + 1];

	return make_base(url, base, error);
}

/* Splits "git:REPOSITORY:PATTERN" at its last colon; without a pattern it means all files. */
static char *repository_of(const char *spec)
{
	const char *repository = spec + strlen(PRN_GIT_PREFIX), *colon = strrchr(repository, ':');

	return colon ? strndup(repository, (size_t)(colon - repository)) : strdup(repository);
}

bool prn_git_files(const char *spec, prn_source_file_fn *take, void *context)
{
	char *repository = repository_of(spec), *inner = NULL;
	bool found = false;

	/* git reads nothing of the work tree, where the output may be. */
	if (repository && prn_git_is_repository(repository) && asprintf(&inner, "%s/.git", repository) >= 0) {
		found = take(context, access(inner, F_OK) ? repository : inner);
		free(inner);
	}
	free(repository);
	return found;
}

static int divide(struct git *git, struct prn_error *error)
{
	size_t length = strlen(PRN_GIT_PREFIX);

	git->repository = repository_of(git->spec);
	if (!git->repository)
		return prn_error_memory(error);
	length += strlen(git->repository);
	git->pattern = git->spec + length + (git->spec[length] == ':');
	return 0;
}

static int open_repository(struct git *git, struct prn_error *error)
{
	const char *base = git->reading->options.git_base;
	char own_base[PRN_GIT_BASE_BYTES];
	struct stat about;
	int code = divide(git, error);

	if (code)
		return code;
	if (stat(git->repository, &about))
		return prn_error_set(error, PRN_E_IO, "cannot be opened: %s", strerror(errno));
	if (!S_ISDIR(about.st_mode) || !prn_git_is_repository(git->repository))
		return prn_error_set(error, PRN_E_INPUT, "it is no git repository");
	if (!base && prn_git_default_base(git->repository, own_base))
		return prn_error_memory(error);
	code = make_base(base ? base : own_base, git->base, error);
	if (!code)
		code = check_answers(git, error);
	return code ? code : start_log(git, error);
}

int prn_git_open(void **out, const char *spec, struct prn_reading *reading, struct prn_error *error)
{
	struct git *git = calloc(1, sizeof *git);
	int code;

	if (!git)
		return prn_error_memory(error);
	git->reading = reading;
	git->lister.out = git->lister.said_fd = git->reader.out = git->reader.said_fd = -1;
	git->spec = strdup(spec);
	code = git->spec ? open_repository(git, error) : prn_error_memory(error);
	if (code) {
		prn_error_prefix(error, "%.300s", spec);
		git_free(git);
		return code;
	}
	*out = git;
	return 0;
}

/* Reports what is wrong with a file; control characters in its path are escaped. */
static void report(struct git *git, uint64_t *count, const char *path, const char *text)
{
	struct prn_error why;

	prn_error_set(&why, PRN_E_INPUT, "%.200s: %.200s: %s", git->spec, path, text);
	prn_reading_skip(git->reading, count, &why);
}

/* Paths in a log are not checked by git for leading elsewhere. */
static bool leads_elsewhere(const char *path)
{
	for (const char *at = path; at; at = strchr(at, '/')) {
		size_t length;

		at += *at == '/';
		length = strcspn(at, "/");
		if (!length || (length <= 2 && !strncmp(at, "..", length)))
			return true;
	}
	return false;
}

/* Adds the current change to those of its second, if it is a change of a file. */
static int hold(struct git *git, struct prn_error *error)
{
	const struct prn_git_change *next = &git->next;
	struct prn_reading *reading = git->reading;
	bool was_file = next->before == PRN_GIT_FILE, is_file = next->now == PRN_GIT_FILE;
	struct change *changes;

	if (!next->path) {
		report(git, &reading->counts.damaged, next->id, "the commit has no time between the years 1 and 9999: what it changed is left out");
		return 0;
	}
	if (!was_file && !is_file) {
		if (next->now == PRN_GIT_LINK || next->before == PRN_GIT_LINK)
			prn_reading_ignore(reading, "symlink", 7);
		else
			prn_reading_ignore(reading, "submodule", 9);
		return 0;
	}
	/* A change of the executable bit leaves the file as it is. */
	if (was_file && is_file && next->is_same)
		return 0;
	if (next->is_cut || leads_elsewhere(next->path)) {
		report(git, &reading->counts.damaged, next->path, next->is_cut ? "its path is longer than 32768 bytes" : "its path leads elsewhere");
		return 0;
	}
	changes = prn_array_grow(git->changes, &git->capacity, git->count + 1, sizeof *changes);
	if (!changes)
		return prn_error_memory(error);
	git->changes = changes;
	changes[git->count] = (struct change){ .path = git->paths.length, .order = git->count, .is_gone = !is_file };
	memcpy(changes[git->count].id, next->id, sizeof next->id);
	if (prn_buffer_append(&git->paths, next->path, strlen(next->path) + 1))
		return prn_error_memory(error);
	git->count++;
	return 0;
}

static int by_path(const void *a, const void *b, void *paths)
{
	const struct change *x = a, *y = b;
	int order = strcmp((const char *)paths + x->path, (const char *)paths + y->path);

	return order ? order : (x->order > y->order) - (x->order < y->order);
}

static int by_order(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return (x->order > y->order) - (x->order < y->order);
}

/* Keeps the last of several changes of a file. */
static void keep_last(struct git *git)
{
	const char *paths = (const char *)git->paths.data;
	size_t kept = 0;

	prn_sort_by(git->changes, git->count, sizeof *git->changes, by_path, git->paths.data);
	for (size_t i = 0; i < git->count; i++)
		if (i + 1 == git->count || strcmp(paths + git->changes[i].path, paths + git->changes[i + 1].path) != 0)
			git->changes[kept++] = git->changes[i];
	git->count = kept;
	qsort(git->changes, git->count, sizeof *git->changes, by_order);
}

/* Reads the changes of the next second: 1, or 0 at the end of the log. */
static int read_second(struct git *git, struct prn_error *error)
{
	int code = 0;

	git->at = git->count = git->paths.length = 0;
	if (!git->has_next)
		return 0;
	git->time = git->next.time;
	while (git->has_next && git->next.time == git->time && git->count < CHANGES_HELD) {
		code = hold(git, error);
		if (code)
			return code;
		code = read_change(git, &git->end);
		if (code == PRN_E_CANCELLED || code == PRN_E_MEMORY) {
			if (error)
				*error = git->end;
			return code;
		}
		/* The changes before the error were good. */
		git->end.code = code < 0 ? PRN_E_TRUNCATED : 0;
	}
	if (git->count > 1)
		keep_last(git);
	return 1;
}

static int make_url(struct git *git, const char *path)
{
	struct prn_buffer *url = &git->url;

	prn_buffer_clear(url);
	if (prn_buffer_append(url, git->base, strlen(git->base)) || prn_file_url_append(url, path, PRN_NAMES_PLAIN))
		return PRN_E_MEMORY;
	return prn_buffer_terminate(url);
}

/* Reads more of the output of cat-file: 0, or an error. */
static int fill(struct git *git, struct prn_error *error)
{
	size_t room = (size_t)64 << 10, got = 0;
	int code;

	if (git->rest_at < git->rest.length)
		return 0;
	git->rest_at = git->rest.length = 0;
	if (prn_buffer_reserve(&git->rest, room))
		return prn_error_memory(error);
	code = read_content(git, git->rest.data, room, &got, error);
	git->rest.length = code ? 0 : got;
	return code ? code : got ? 0 : prn_error_set(error, PRN_E_IO, "git ended before all files were read");
}

/* Reads "ID blob 123" up to its line end. */
static int read_answer(struct git *git, char *text, size_t capacity, struct prn_error *error)
{
	size_t length = 0;
	int code;

	while (!(code = fill(git, error))) {
		char c = (char)git->rest.data[git->rest_at++];

		if (c == '\n')
			break;
		if (length < capacity - 1)
			text[length++] = c;
	}
	text[length] = 0;
	return code;
}

/* Reads size bytes and the line end behind them; body receives the first ones up to the limit. */
static int read_body(struct git *git, uint64_t size, bool *more, struct prn_error *error)
{
	size_t limit = git->reading->options.body_bytes_max;
	int code = 0;

	*more = size > limit;
	prn_buffer_clear(&git->body);
	size++;
	while (size) {
		size_t taken, kept = limit - git->body.length;

		if (git->body.length == limit && size > PASSED_BYTES)
			break;
		code = fill(git, error);
		if (code)
			return code;
		taken = git->rest.length - git->rest_at;
		taken = taken < size ? taken : (size_t)size;
		kept = kept < taken - (taken == size) ? kept : taken - (taken == size);
		if (prn_buffer_append(&git->body, git->rest.data + git->rest_at, kept))
			return prn_error_memory(error);
		git->rest_at += taken;
		size -= taken;
	}
	if (size)
		prn_child_stop(&git->reader);
	return 0;
}

/* Requests a file's content, of *size bytes; false: it does not exist. */
static int ask(struct git *git, const char *id, uint64_t *size, bool *is_there, struct prn_error *error)
{
	static const char *const arguments[] = { "cat-file", "--batch", NULL };
	char line[PRN_GIT_ID_BYTES + 2], answer[128];
	unsigned long long stated = 0;
	int code = 0;

	if (!git->reader.pid) {
		git->rest_at = git->rest.length = 0;
		code = prn_git_start(&git->reader, git->repository, arguments, true, FILE_SECONDS, error);
	}
	if (code)
		return code;
	snprintf(line, sizeof line, "%s\n", id);
	code = prn_child_send(&git->reader, line, strlen(line), error);
	if (!code)
		code = read_answer(git, answer, sizeof answer, error);
	*is_there = !code && !strncmp(answer, id, strlen(id)) && sscanf(answer + strlen(id), " blob %llu", &stated) == 1;
	*size = stated;
	/* When an object cannot be fetched, git exits without an answer. */
	if (code != PRN_E_IO || git->reader.is_silent)
		return code;
	prn_child_stop(&git->reader);
	return 0;
}

/* Reads a file's content; a missing one is reported. */
static int read_file(struct git *git, const struct change *change, struct prn_capture *capture, struct prn_error *error)
{
	struct prn_reading *reading = git->reading;
	bool is_there, more = false;
	uint64_t size;
	int code = ask(git, change->id, &size, &is_there, error);

	if (!code && !is_there) {
		report(git, &reading->counts.unread, (char *)git->paths.data + change->path,
		       "its content is not in the repository, and none is fetched: it may be a clone of a part");
		capture->kind = PRN_KIND_ERROR;
		return 0;
	}
	if (!code)
		code = read_body(git, size, &more, error);
	if (code)
		return code;
	if (git->body.length)
		capture->body = git->body.data;
	capture->body_bytes = git->body.length;
	capture->truncated = more;
	reading->counts.cut += more;
	return 0;
}

/* Turns a change into a capture: 1, or 0 if it is left out. */
static int take_change(struct git *git, const struct change *change, struct prn_capture *capture, struct prn_error *error)
{
	struct prn_reading *reading = git->reading;
	const char *path = (const char *)git->paths.data + change->path, *media = prn_media_of_name(path, PRN_NAMES_PLAIN);
	struct prn_capture read;
	int code;

	reading->counts.records++;
	if (make_url(git, path))
		return prn_error_memory(error);
	code = prn_url_normalize((char *)git->url.data, SIZE_MAX, git->normal, sizeof git->normal);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code) {
		report(git, &reading->counts.damaged, path, "its path makes a URL that is longer than 8192 bytes");
		return 0;
	}
	if (!prn_filter_capture(&reading->options.filter, git->normal, git->time, NULL)) {
		reading->counts.filtered++;
		return 0;
	}
	if (!prn_reading_wants_media(reading, media))
		return 0;
	prn_capture_init(&read, (char *)git->url.data, git->normal, git->time, change->is_gone ? PRN_KIND_GONE : PRN_KIND_CONTENT);
	read.content_type = change->is_gone ? NULL : media;
	code = change->is_gone ? 0 : read_file(git, change, &read, error);
	if (code)
		return code;
	*capture = read;
	return 1;
}

static int git_next(void *reader, struct prn_capture *capture, struct prn_error *error)
{
	struct git *git = reader;
	struct prn_error why = { 0 };
	int code = 0;

	while (!code) {
		if (git->at < git->count)
			code = take_change(git, &git->changes[git->at++], capture, &why);
		else if ((code = read_second(git, &why)) == 1)
			code = 0;
		else
			break;
	}
	if (!code && git->end.code) {
		why = git->end;
		code = why.code;
	}
	if (code < 0 && error) {
		*error = why;
		prn_error_prefix(error, "%.300s", git->spec);
	}
	return code;
}

const struct prn_reader prn_reader_git = { .next = git_next, .free = git_free };
