#include "archive/host_folder.h"

#include "base/buffer.h"
#include "perennial/error.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

bool prn_is_folder(const char *path)
{
	struct stat about;

	return !lstat(path, &about) && S_ISDIR(about.st_mode);
}

bool prn_leads_out(const char *folder, const char *path)
{
	size_t length = strlen(folder);
	char *whole = realpath(path, NULL);
	bool out;

	if (!whole)
		return false;
	/* The root has its slash already. */
	if (length && folder[length - 1] == '/')
		length--;
	out = strncmp(whole, folder, length) != 0 || (whole[length] && whole[length] != '/');
	free(whole);
	return out;
}

bool prn_is_scheme_folder(const char *name)
{
	return !strcmp(name, "http") || !strcmp(name, "https");
}

/* The last label distinguishes a host from "release-1.2" and "2026.02". */
static bool is_last_label(const char *label, size_t length)
{
	return length > 4 && !strncmp(label, "xn--", 4) ? true : length >= 2 && strspn(label, LETTERS) == length;
}

bool prn_is_host_folder(const char *name)
{
	size_t length = strcspn(name, ":"), last = length;
	const char *port = name + length;

	if (*port && (!port[1] || port[1 + strspn(port + 1, DIGITS)]))
		return false;
	if (length == strlen("localhost") && !strncmp(name, "localhost", length))
		return true;
	while (last && name[last - 1] != '.')
		last--;
	return last > 1 && *name != '.' && *name != '-' && strspn(name, LETTERS DIGITS "-_.") == length &&
	       is_last_label(name + last, length - last);
}

static int look_at(struct prn_below *below, const char *folder, const char *name, struct prn_buffer *path)
{
	bool is_folder;

	prn_buffer_clear(path);
	if (prn_buffer_append(path, folder, strlen(folder)) || prn_buffer_append(path, "/", 1) ||
	    prn_buffer_append(path, name, strlen(name)) || prn_buffer_terminate(path))
		return PRN_E_MEMORY;
	is_folder = prn_is_folder((char *)path->data);
	below->count++;
	below->hosts |= is_folder && prn_is_host_folder(name);
	below->schemes |= is_folder && prn_is_scheme_folder(name);
	below->index |= !is_folder && !strcmp(name, "index.html");
	return 0;
}

int prn_below_look(struct prn_below *below, const char *folder)
{
	DIR *entries = prn_is_folder(folder) ? opendir(folder) : NULL;
	struct prn_below seen = { 0 };
	struct prn_buffer path = { 0 };
	struct dirent *entry;
	int code = 0;

	if (!entries)
		return PRN_E_NOT_FOUND;
	while (!code && (entry = readdir(entries)))
		if (*entry->d_name != '.')
			code = look_at(&seen, folder, entry->d_name, &path);
	closedir(entries);
	prn_buffer_release(&path);
	if (!code)
		*below = seen;
	return code;
}

int prn_host_folder_split(const char *folder, char **above, char **host)
{
	size_t length, start;
	char *whole = !strcmp(folder, ".") || !strcmp(folder, "./") ? realpath(folder, NULL) : strdup(folder);
	char *name, *rest;

	if (!whole)
		return PRN_E_MEMORY;
	for (length = strlen(whole); length > 1 && whole[length - 1] == '/'; length--)
		whole[length - 1] = '\0';
	for (start = length; start && whole[start - 1] != '/';)
		start--;
	if (!prn_is_host_folder(whole + start)) {
		free(whole);
		return PRN_E_NOT_FOUND;
	}
	name = strdup(whole + start);
	/* The parent of "a" is ".", and that of "/a" is "/". */
	whole[start > 1 ? start - 1 : start] = '\0';
	rest = start ? whole : strdup(".");
	if (!start)
		free(whole);
	if (!name || !rest) {
		free(name);
		free(rest);
		return PRN_E_MEMORY;
	}
	*above = rest;
	*host = name;
	return 0;
}
