#include "archive/file_url.h"
#include "archive/filter.h"
#include "archive/host_folder.h"
#include "archive/media_name.h"
#include "archive/reader.h"
#include "base/text.h"
#include "perennial/time.h"
#include "perennial/url.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEPTH_MAX 64             /* levels of folders below a date: deeper ones are reported */
#define LEADS_OUT "a symbolic link leads out of the folder that is read"
#define WELL_KNOWN ".well-known" /* the one hidden name that sites have pages below (RFC 8615) */

struct date {
	int64_t time;
	char *name;        /* path of the folder below that of the source: "20260220T130000Z", "2026/02/20", "a.example/20260220130000" */
	size_t host_bytes; /* characters at the front of name that are a host; 0: hosts are below the date */
};

/* Paths below a date: "host/path" or "scheme/host/path"; below the date of a host: "path". */
struct list {
	char **paths;
	size_t count, capacity;
};

/*
 * Folders of dated snapshots as a source.  The paths of all pages are held in memory, once for all dates; every
 * date is asked for every page, so that those it lacks are reported as missing.
 *
 * Where hosts have dates of their own, each file was captured separately: at any date the pages are those that
 * it contains.
 */
struct snapshot {
	struct prn_reading *reading;
	char *folder;
	char *within;             /* real path of the folder that was named: links that lead out of it are not followed */
	struct date *dates;
	size_t date_count, date_capacity;
	bool is_by_host;          /* dates are below hosts */
	struct list pages;        /* in order, without repetition: of all dates, or of the current date by host */
	size_t date, page;        /* the next date and page */
	bool is_listed;           /* by host: pages are those of the current date */
	struct prn_buffer path, url, body;
	char normal[PRN_URL_BYTES + 1];
};

static void clear(struct list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->paths[i]);
	list->count = 0;
}

static void snapshot_free(void *reader)
{
	struct snapshot *snapshot = reader;

	for (size_t i = 0; i < snapshot->date_count; i++)
		free(snapshot->dates[i].name);
	clear(&snapshot->pages);
	free(snapshot->dates);
	free(snapshot->pages.paths);
	prn_buffer_release(&snapshot->path);
	prn_buffer_release(&snapshot->url);
	prn_buffer_release(&snapshot->body);
	free(snapshot->folder);
	free(snapshot->within);
	free(snapshot);
}

/* Sets *path to folder/name/rest; rest is left out if it is NULL. */
static int join(struct prn_buffer *path, const char *folder, const char *name, const char *rest)
{
	prn_buffer_clear(path);
	if (prn_buffer_append(path, folder, strlen(folder)) || prn_buffer_append(path, "/", 1) ||
	    prn_buffer_append(path, name, strlen(name)))
		return PRN_E_MEMORY;
	if (rest && (prn_buffer_append(path, "/", 1) || prn_buffer_append(path, rest, strlen(rest))))
		return PRN_E_MEMORY;
	return prn_buffer_terminate(path);
}

static void report(struct snapshot *snapshot, const char *path, const char *text)
{
	struct prn_error why;

	prn_error_set(&why, PRN_E_INPUT, "%.300s: %s", path, text);
	prn_reading_skip(snapshot->reading, &snapshot->reading->counts.damaged, &why);
}

/* Whoever made the folder could have a link in it name any file here: tells whether path is one, after a report. */
static bool refuse(struct snapshot *snapshot, const char *path)
{
	if (!prn_leads_out(snapshot->within, path))
		return false;
	report(snapshot, path, LEADS_OUT);
	return true;
}

static int add_date(struct snapshot *snapshot, const char *name, size_t host_bytes, int64_t time)
{
	struct date *dates;
	struct stat about;
	char *copy;

	if (join(&snapshot->path, snapshot->folder, name, NULL))
		return PRN_E_MEMORY;
	if (refuse(snapshot, (char *)snapshot->path.data))
		return 0;
	/* Of a date that cannot be read nothing is known: its pages were not missing then. */
	if (stat((char *)snapshot->path.data, &about) || !S_ISDIR(about.st_mode)) {
		report(snapshot, (char *)snapshot->path.data, "it is no folder, nor a link to one");
		return 0;
	}
	dates = prn_array_grow(snapshot->dates, &snapshot->date_capacity, snapshot->date_count + 1, sizeof *dates);
	copy = strdup(name);
	if (dates)
		snapshot->dates = dates;
	if (!dates || !copy) {
		free(copy);
		return PRN_E_MEMORY;
	}
	dates[snapshot->date_count++] = (struct date){ time, copy, host_bytes };
	return 0;
}

static int add_path(struct list *list, const char *path)
{
	char **paths = prn_array_grow(list->paths, &list->capacity, list->count + 1, sizeof *paths);
	char *copy = strdup(path);

	if (paths)
		list->paths = paths;
	if (!paths || !copy) {
		free(copy);
		return PRN_E_MEMORY;
	}
	paths[list->count++] = copy;
	return 0;
}

static int date_order(const void *a, const void *b)
{
	const struct date *x = a, *y = b;

	return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : strcmp(x->name, y->name);
}

static void keep_each_once(struct list *list)
{
	size_t kept = 0;

	if (list->count)
		qsort(list->paths, list->count, sizeof *list->paths, prn_text_order);
	for (size_t i = 0; i < list->count; i++) {
		if (kept && !strcmp(list->paths[kept - 1], list->paths[i]))
			free(list->paths[i]);
		else
			list->paths[kept++] = list->paths[i];
	}
	list->count = kept;
}

/* Tells whether a file, or a link to one, is there. */
static bool is_file(const char *path)
{
	struct stat about;

	return !stat(path, &about) && S_ISREG(about.st_mode);
}

static int walk(struct snapshot *snapshot, const char *folder, size_t start, unsigned depth);

static int visit(struct snapshot *snapshot, const char *path, size_t start, unsigned depth)
{
	/* Levels between a date and its hosts; there are none below the date of a host. */
	bool is_between = !depth && prn_is_scheme_folder(path + start);

	if (prn_is_folder(path))
		return walk(snapshot, path, start, is_between ? 0 : depth + 1);
	if (depth && is_file(path))
		return add_path(&snapshot->pages, path + start);
	if (refuse(snapshot, path))
		return 0;
	if (is_file(path))
		prn_reading_ignore_file(snapshot->reading, path); /* a file that stands beside the folders of hosts */
	else
		report(snapshot, path, PRN_NO_FILE);
	return 0;
}

/* Adds the files below a folder of one date to the pages; their paths begin at start. */
static int walk(struct snapshot *snapshot, const char *folder, size_t start, unsigned depth)
{
	DIR *entries = depth < DEPTH_MAX ? opendir(folder) : NULL;
	struct prn_buffer path = { 0 };
	struct dirent *entry;
	int code = 0;

	if (!entries) {
		report(snapshot, folder, depth < DEPTH_MAX ? strerror(errno) : "folders are too deep");
		return 0;
	}
	while (!code && (entry = readdir(entries))) {
		if (prn_is_itself_or_above(entry->d_name))
			continue;
		if (entry->d_name[0] == '.' && !(depth && !strcmp(entry->d_name, WELL_KNOWN))) {
			prn_reading_ignore_file(snapshot->reading, entry->d_name);
			continue;
		}
		code = join(&path, folder, entry->d_name, NULL);
		if (!code)
			code = visit(snapshot, (char *)path.data, start, depth);
	}
	closedir(entries);
	prn_buffer_release(&path);
	return code;
}

static bool is_date(const char *name, int64_t *time)
{
	return isdigit((unsigned char)*name) && !prn_time_parse(name, time);
}

/*
 * Tells whether an entry in the folder of a year or a month, "2026" or "2026/02", is one of its months or days;
 * writes its path below the source.
 */
static bool is_within(const char *name, const char *entry, char within[12], int64_t *time)
{
	char text[12];

	if (strlen(entry) != 2)
		return false;
	snprintf(within, 12, "%.7s/%.2s", name, entry);
	for (size_t i = 0; i < 12; i++)
		text[i] = within[i] == '/' ? '-' : within[i];
	return is_date(text, time);
}

static int add_dates(struct snapshot *snapshot, const char *name, int64_t time);

/*
 * Adds the months of a year, or the days of a month.  *found says whether there are any, in which case other
 * entries are skipped.
 */
static int add_within(struct snapshot *snapshot, const char *name, DIR *entries, bool *found)
{
	struct dirent *entry;
	char within[12];
	int64_t time;
	int code = 0;

	*found = false;
	while (!code && (entry = readdir(entries))) {
		if (!is_within(name, entry->d_name, within, &time))
			continue;
		*found = true;
		code = add_dates(snapshot, within, time);
	}
	rewinddir(entries);
	while (*found && !code && (entry = readdir(entries)))
		if (*entry->d_name != '.' && !is_within(name, entry->d_name, within, &time))
			prn_reading_ignore_file(snapshot->reading, entry->d_name);
	return code;
}

/*
 * Heritrix's mirror writer puts the hosts below "mirror", with logs and reports beside it: adds that folder in
 * place of its date.  A folder of that name without hosts is an ordinary one.
 */
static int add_mirror(struct snapshot *snapshot, const char *name, int64_t time, bool *found)
{
	struct prn_buffer path = { 0 };
	struct dirent *entry;
	struct prn_below below;
	DIR *entries;
	int code = join(&path, snapshot->folder, name, "mirror");

	*found = !code && !prn_below_look(&below, (char *)path.data) && below.hosts;
	if (*found) {
		code = join(&path, name, "mirror", NULL);
		code = code ? code : add_date(snapshot, (char *)path.data, 0, time);
		code = code ? code : join(&path, snapshot->folder, name, NULL);
		entries = code ? NULL : opendir((char *)path.data);
		while (entries && (entry = readdir(entries)))
			if (*entry->d_name != '.' && strcmp(entry->d_name, "mirror") != 0)
				prn_reading_ignore_file(snapshot->reading, entry->d_name);
		if (entries)
			closedir(entries);
	}
	prn_buffer_release(&path);
	return code;
}

/* Adds a date, or the dates within a year or a month. */
static int add_dates(struct snapshot *snapshot, const char *name, int64_t time)
{
	bool may_have = strlen(name) == 4 || strlen(name) == 7, found = false;
	struct prn_buffer path = { 0 };
	int code = may_have ? join(&path, snapshot->folder, name, NULL) : 0;
	DIR *entries = may_have && !code ? opendir((char *)path.data) : NULL;

	if (entries) {
		code = add_within(snapshot, name, entries, &found);
		closedir(entries);
	}
	prn_buffer_release(&path);
	if (!code && !found)
		code = add_mirror(snapshot, name, time, &found);
	return code || found ? code : add_date(snapshot, name, 0, time);
}

static int find_dates(struct snapshot *snapshot, struct prn_error *error)
{
	DIR *entries = opendir(snapshot->folder);
	struct dirent *entry;
	int code = 0;

	if (!entries)
		return prn_error_set(error, PRN_E_IO, "%s: cannot be opened: %s", snapshot->folder, strerror(errno));
	while (!code && (entry = readdir(entries))) {
		int64_t time;

		if (is_date(entry->d_name, &time))
			code = add_dates(snapshot, entry->d_name, time);
		else if (entry->d_name[0] != '.')
			prn_reading_ignore_file(snapshot->reading, entry->d_name);
	}
	closedir(entries);
	if (code)
		return prn_error_memory(error);
	if (!snapshot->date_count)
		return prn_error_set(error, PRN_E_INPUT,
		                     "%s: a folder without dated folders (20260220T130000Z/host/path, host/20260220130000/path) and without "
		                     "manifest.tsv, and without WARC, ARC, WACZ or MHTML files or pages that SingleFile saved",
		                     snapshot->folder);
	qsort(snapshot->dates, snapshot->date_count, sizeof *snapshot->dates, date_order);
	return 0;
}

static int find_pages(struct snapshot *snapshot, struct prn_error *error)
{
	int code = 0;

	for (size_t i = 0; i < snapshot->date_count && !code; i++) {
		code = join(&snapshot->path, snapshot->folder, snapshot->dates[i].name, NULL);
		if (!code)
			code = walk(snapshot, (char *)snapshot->path.data, snapshot->path.length + 1, 0);
		keep_each_once(&snapshot->pages);
	}
	return code ? prn_error_memory(error) : 0;
}

static struct snapshot *new_snapshot(const char *folder, struct prn_reading *reading)
{
	struct snapshot *snapshot = calloc(1, sizeof *snapshot);

	if (!snapshot)
		return NULL;
	snapshot->reading = reading;
	snapshot->folder = strdup(folder);
	snapshot->within = realpath(folder, NULL);
	/* A folder that is not there is told when it is opened. */
	if (!snapshot->within)
		snapshot->within = strdup(folder);
	if (!snapshot->folder || !snapshot->within) {
		snapshot_free(snapshot);
		return NULL;
	}
	return snapshot;
}

/* Adds the dates of a host.  A folder with a year or a month as its name alone holds many sites and is skipped. */
static int add_host(struct snapshot *snapshot, const char *host)
{
	struct prn_buffer path = { 0 };
	struct dirent *entry;
	int code = join(&path, snapshot->folder, host, NULL);
	DIR *entries = !code && prn_is_folder((char *)path.data) ? opendir((char *)path.data) : NULL;

	if (!code && !entries && !refuse(snapshot, (char *)path.data))
		prn_reading_ignore_file(snapshot->reading, host);
	while (!code && entries && (entry = readdir(entries))) {
		int64_t time;

		if (strlen(entry->d_name) < 8 || !is_date(entry->d_name, &time)) {
			if (*entry->d_name != '.')
				prn_reading_ignore_file(snapshot->reading, entry->d_name);
			continue;
		}
		prn_buffer_clear(&path);
		code = join(&path, host, entry->d_name, NULL);
		if (!code)
			code = add_date(snapshot, (char *)path.data, strlen(host), time);
	}
	if (entries)
		closedir(entries);
	prn_buffer_release(&path);
	return code;
}

/* Tells whether a folder has folders of dates, whose names are those of days at least. */
static bool has_dates(const char *folder, bool with_hosts)
{
	DIR *entries = prn_is_folder(folder) ? opendir(folder) : NULL;
	struct prn_buffer path = { 0 };
	struct dirent *entry;
	bool has = false;

	while (entries && !has && (entry = readdir(entries))) {
		struct prn_below below;
		int64_t time;

		if (strlen(entry->d_name) >= 8 && is_date(entry->d_name, &time) && !join(&path, folder, entry->d_name, NULL) &&
		    !prn_below_look(&below, (char *)path.data))
			has = with_hosts ? below.hosts || below.schemes : below.count > 0;
	}
	if (entries)
		closedir(entries);
	prn_buffer_release(&path);
	return has;
}

bool prn_snapshot_is(const char *folder)
{
	DIR *entries = has_dates(folder, true) ? NULL : opendir(folder);
	struct prn_buffer path = { 0 };
	struct dirent *entry;
	bool is = !entries;

	while (entries && !is && (entry = readdir(entries)))
		is = prn_is_host_folder(entry->d_name) && !join(&path, folder, entry->d_name, NULL) && has_dates((char *)path.data, false);
	if (entries)
		closedir(entries);
	prn_buffer_release(&path);
	return is;
}

/*
 * Tells whether a folder's own name is a host and its dates contain paths: they contain an index.html, or no
 * folder that could be a host or a scheme.
 */
static bool holds_paths(const char *folder)
{
	DIR *entries = opendir(folder);
	bool hosts = false, pages = false, dates = false, schemes = false;
	struct prn_buffer path = { 0 };
	struct dirent *entry;
	struct prn_below below;

	while (entries && (entry = readdir(entries))) {
		int64_t time;

		if (strlen(entry->d_name) < 8 || !is_date(entry->d_name, &time) || join(&path, folder, entry->d_name, NULL) ||
		    prn_below_look(&below, (char *)path.data))
			continue;
		dates |= below.count > 0;
		hosts |= below.hosts;
		pages |= below.index;
		schemes |= below.schemes;
	}
	if (entries)
		closedir(entries);
	prn_buffer_release(&path);
	return dates && !schemes && (pages || !hosts);
}

static bool is_of_one_host(const char *folder)
{
	char *above, *host;
	int code = prn_host_folder_split(folder, &above, &host);

	if (code)
		return false;
	free(above);
	free(host);
	return holds_paths(folder);
}

/* Adds the dates of the folder itself, whose name is the host; the source becomes the folder above. */
static int add_this_host(struct snapshot *snapshot)
{
	char *above, *host;
	int code = prn_host_folder_split(snapshot->folder, &above, &host);

	if (code)
		return code;
	free(snapshot->folder);
	snapshot->folder = above;
	code = add_host(snapshot, host);
	free(host);
	return code;
}

int prn_snapshot_open_hosts(void **out, const char *folder, struct prn_reading *reading, struct prn_error *error)
{
	struct snapshot *snapshot = new_snapshot(folder, reading);
	DIR *entries = snapshot ? opendir(folder) : NULL;
	struct dirent *entry;
	bool is_one = is_of_one_host(folder);
	int code = snapshot ? 0 : PRN_E_MEMORY;

	if (!code && is_one)
		code = add_this_host(snapshot);
	while (!code && !is_one && entries && (entry = readdir(entries)))
		if (*entry->d_name != '.')
			code = add_host(snapshot, entry->d_name);
	if (entries)
		closedir(entries);
	if (!code && !snapshot->date_count)
		code = PRN_E_NOT_FOUND;
	if (code) {
		if (snapshot)
			snapshot_free(snapshot);
		return code == PRN_E_MEMORY ? prn_error_memory(error) : code;
	}
	qsort(snapshot->dates, snapshot->date_count, sizeof *snapshot->dates, date_order);
	snapshot->is_by_host = true;
	*out = snapshot;
	return 0;
}

int prn_snapshot_open(void **out, const char *folder, struct prn_reading *reading, struct prn_error *error)
{
	struct snapshot *snapshot = new_snapshot(folder, reading);
	int code;

	if (!snapshot)
		return prn_error_memory(error);
	code = find_dates(snapshot, error);
	if (!code && is_of_one_host(folder))
		code = prn_error_set(error, PRN_E_INPUT, "%s: it is the folder of one host, with dates of its own", folder);
	if (!code)
		code = find_pages(snapshot, error);
	if (!code && !snapshot->pages.count)
		code = prn_error_set(error, PRN_E_INPUT, "%s: its dated folders hold no pages (host/path)", folder);
	if (code)
		snapshot_free(snapshot);
	else
		*out = snapshot;
	return code;
}

/* What would end a host in a URL makes it none, which is told; what is not ASCII is for the URL's reader. */
static int append_host(struct prn_buffer *url, const char *host, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)host[i];
		bool is_plain = c > ' ' && c != 0x7f && !strchr("#?\\", c);

		if (is_plain ? prn_buffer_append(url, &c, 1) : prn_buffer_printf(url, "%%%02X", c))
			return PRN_E_MEMORY;
	}
	return 0;
}

/* "host/x" becomes https://host/x, "http/host/x" http://host/x, and "x" below the date of a host https://host/x. */
static int make_url(struct prn_buffer *url, const struct date *date, const char *path)
{
	const char *host = date->host_bytes ? date->name : path, *scheme = "https";
	size_t length = strcspn(path, "/");

	if (date->host_bytes) {
		length = date->host_bytes;
	} else if ((length == 4 && !strncmp(path, "http", 4)) || (length == 5 && !strncmp(path, "https", 5))) {
		scheme = length == 4 ? "http" : "https";
		host = path += length + 1;
		length = strcspn(path, "/");
	}
	if (!date->host_bytes)
		path += length + (path[length] == '/');
	prn_buffer_clear(url);
	if (prn_buffer_printf(url, "%s://", scheme) || append_host(url, host, length) || prn_buffer_append(url, "/", 1) ||
	    prn_file_url_append(url, path, PRN_NAMES_OF_URLS))
		return PRN_E_MEMORY;
	return prn_buffer_terminate(url);
}

/*
 * Tells whether something stands in the place of the page at path, or of a folder above it, that is neither a file nor a folder: a pipe, a
 * socket, a device, or a link that leads to no file or out of the source.  Then the page may have been there; start is where the part below the source begins.
 */
static bool is_hidden(const struct snapshot *snapshot, char *path, size_t start)
{
	bool is = false;
	size_t end = start;

	while (!is && path[end]) {
		struct stat about;
		char divider;
		bool is_link;

		end += 1 + strcspn(path + end + 1, "/");
		divider = path[end];
		path[end] = 0;
		if (lstat(path, &about)) {
			path[end] = divider;
			return false;
		}
		is_link = S_ISLNK(about.st_mode);
		is = (is_link && (stat(path, &about) || prn_leads_out(snapshot->within, path))) || (!S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) ||
		     (is_link && !divider && S_ISDIR(about.st_mode));
		path[end] = divider;
	}
	return is;
}

/* Reads the body of the page at path: 1, or 0 after a report, or PRN_E_MEMORY. */
static int read_page(struct snapshot *snapshot, struct prn_capture *capture, struct prn_error *error)
{
	struct prn_reading *reading = snapshot->reading;
	struct prn_error why;
	bool more;
	int code;

	if (prn_leads_out(snapshot->within, (char *)snapshot->path.data)) {
		/* What is no file was told when the pages were looked for. */
		if (is_file((char *)snapshot->path.data))
			report(snapshot, (char *)snapshot->path.data, LEADS_OUT);
		return 0;
	}
	code = prn_body_read(&snapshot->body, (char *)snapshot->path.data, reading->options.body_bytes_max, &more, &why);
	if (code == PRN_E_NOT_FOUND && is_hidden(snapshot, (char *)snapshot->path.data, strlen(snapshot->folder)))
		return 0;
	if (code == PRN_E_NOT_FOUND) {
		capture->kind = PRN_KIND_MISSING;
		capture->content_type = NULL;
		return 1;
	}
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code) {
		report(snapshot, (char *)snapshot->path.data, why.text);
		return 0;
	}
	capture->body = snapshot->body.data;
	capture->body_bytes = snapshot->body.length;
	capture->truncated = more;
	reading->counts.records++;
	reading->counts.input_bytes += snapshot->body.length;
	reading->counts.cut += more;
	return 1;
}

/* Reads one page at one date: 1 with *capture, 0 if it is left out. */
static int take_page(struct snapshot *snapshot, const struct date *date, const char *page,
                     struct prn_capture *capture, struct prn_error *error)
{
	struct prn_reading *reading = snapshot->reading;
	const struct prn_source_filter *filter = &reading->options.filter;
	const char *media = prn_media_of_name(page, PRN_NAMES_OF_URLS);
	struct prn_capture read;
	int code;

	if (make_url(&snapshot->url, date, page) || join(&snapshot->path, snapshot->folder, date->name, page))
		return prn_error_memory(error);
	code = prn_url_normalize((char *)snapshot->url.data, SIZE_MAX, snapshot->normal, sizeof snapshot->normal);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code) {
		report(snapshot, (char *)snapshot->path.data, "its path makes no URL (host/path)");
		return 0;
	}
	if (!prn_filter_capture(filter, snapshot->normal, date->time, NULL)) {
		reading->counts.filtered++;
		return 0;
	}
	if (!prn_reading_wants_media(reading, media))
		return 0;
	prn_capture_init(&read, (char *)snapshot->url.data, snapshot->normal, date->time, PRN_KIND_CONTENT);
	read.content_type = media;
	code = read_page(snapshot, &read, error);
	if (code == 1)
		*capture = read;
	return code;
}

/* Lists the pages that a host has at the current date. */
static int list_date(struct snapshot *snapshot)
{
	const char *name = snapshot->dates[snapshot->date].name;
	int code = join(&snapshot->path, snapshot->folder, name, NULL);

	clear(&snapshot->pages);
	if (!code)
		code = walk(snapshot, (char *)snapshot->path.data, snapshot->path.length + 1, 1);
	keep_each_once(&snapshot->pages);
	snapshot->is_listed = true;
	return code;
}

static int snapshot_next(void *reader, struct prn_capture *capture, struct prn_error *error)
{
	struct snapshot *snapshot = reader;

	while (snapshot->date < snapshot->date_count) {
		int code;

		if (snapshot->is_by_host && !snapshot->is_listed && list_date(snapshot))
			return prn_error_memory(error);
		if (snapshot->page == snapshot->pages.count) {
			snapshot->page = 0;
			snapshot->date++;
			snapshot->is_listed = false;
			continue;
		}
		code = take_page(snapshot, &snapshot->dates[snapshot->date], snapshot->pages.paths[snapshot->page++],
		                 capture, error);
		if (code)
			return code;
	}
	return 0;
}

bool prn_snapshot_files(void *reader, prn_source_file_fn *take, void *context)
{
	struct snapshot *snapshot = reader;

	for (snapshot->date = 0; snapshot->date < snapshot->date_count; snapshot->date++) {
		const char *name = snapshot->dates[snapshot->date].name;

		if (snapshot->is_by_host && list_date(snapshot))
			return false;
		for (size_t i = 0; i < snapshot->pages.count; i++)
			if (!join(&snapshot->path, snapshot->folder, name, snapshot->pages.paths[i]) &&
			    take(context, (char *)snapshot->path.data))
				return true;
	}
	return false;
}

const struct prn_reader prn_reader_snapshot = { .next = snapshot_next, .free = snapshot_free };
