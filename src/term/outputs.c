#include "term/outputs.h"

#include "archive/source_files.h"
#include "perennial/store.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STORE_DEPTH 2 /* the files of a store are at most so many folders deep */

static bool is_same_file(const struct stat *about, const char *path)
{
	struct stat other;

	if (strcmp(path, "-") ? stat(path, &other) : fstat(STDIN_FILENO, &other))
		return false;
	return about->st_dev == other.st_dev && about->st_ino == other.st_ino;
}

static const char *file_of(const struct term_option *option)
{
	bool names = option->kind == TERM_OPTION_OUTPUT ||
	             (option->kind == TERM_OPTION_TEXT && option->argument && !strncmp(option->argument, "FILE", 4));

	return names ? *(const char **)option->target : NULL;
}

/* Returns the list of files that an option names to be read. */
static const struct term_list *files_of(const struct term_option *option)
{
	static const struct term_list none = { 0 };
	bool names = option->kind == TERM_OPTION_LIST && option->argument && !strcmp(option->argument, "X.trace");

	return names ? option->target : &none;
}

/* Whether path, which need not be there, stands in a folder, at most so many folders deep. */
static bool is_within(const struct stat *folder, const char *path, size_t depth)
{
	const char *end = strrchr(path, '/');
	char *name = !end ? strdup(".") : strndup(path, (size_t)(end - path) + 1), *whole = name ? realpath(name, NULL) : NULL, *slash;
	bool within = whole && is_same_file(folder, whole);

	for (size_t up = 1; whole && up < depth && !within && (slash = strrchr(whole, '/')) && slash[1]; up++) {
		slash[slash == whole] = 0;
		within = is_same_file(folder, whole);
	}
	free(whole);
	free(name);
	return within;
}

/* No output may replace a file of a store. */
static int check_beside_store(const struct term_usage *usage, const struct term_option *output, const char *path, struct prn_error *error)
{
	for (const struct term_option *option = usage->options; option->kind != TERM_OPTION_END; option++) {
		bool names = option->name && !strcmp(option->name, "state") && option->kind == TERM_OPTION_TEXT;
		const char *state = !names ? NULL : *(const char **)option->target ? *(const char **)option->target : getenv("PERENNIAL_STATE");
		const char *folder = state ? prn_store_folder(state) : NULL;
		struct stat about;

		if (folder && !stat(folder, &about) && S_ISDIR(about.st_mode) && is_within(&about, path, STORE_DEPTH))
			return term_usage_error(error, "--%s=%s would be among the files of the store %s: name another place", output->name, path, folder);
	}
	return 0;
}

/* The file that stands where an output is to be written. */
struct there {
	const char *path;
	struct stat about;
};

static bool is_there(void *context, const char *path)
{
	const struct there *there = context;
	struct stat other;

	if (!stat(path, &other) && S_ISDIR(other.st_mode))
		return is_within(&other, there->path, SIZE_MAX);
	return is_same_file(&there->about, path);
}

static int check_read(const struct term_option *output, struct there *there, const char *source, struct prn_error *error)
{
	const char *name = strcmp(source, "-") ? source : "standard input";

	if (is_same_file(&there->about, source))
		return term_usage_error(error, "--%s=%s would replace %s, which is to be read: name another file", output->name, there->path, name);
	if (prn_source_files(source, is_there, there))
		return term_usage_error(error, "--%s=%s would replace a file of %s, which is to be read: name another file", output->name,
		                        there->path, name);
	return 0;
}

/* An output replaces the file that is there: if that file is read, its content would be lost. */
static int check_output(const struct term_usage *usage, const struct term_option *output, char **operands, struct prn_error *error)
{
	struct there there = { .path = file_of(output) };
	int code;

	if (!there.path || !strcmp(there.path, "-"))
		return 0;
	code = check_beside_store(usage, output, there.path, error);
	if (code || stat(there.path, &there.about) || !S_ISREG(there.about.st_mode))
		return code;
	for (; *operands && !code; operands++)
		code = check_read(output, &there, *operands, error);
	for (const struct term_option *option = usage->options; option->kind != TERM_OPTION_END && !code; option++) {
		const char *other = option == output ? NULL : file_of(option);
		const struct term_list *files = files_of(option);

		if (other && strcmp(other, "-") && is_same_file(&there.about, other))
			code = term_usage_error(error, "--%s and --%s name the same file, %s: name another", output->name, option->name, there.path);
		for (size_t i = 0; i < files->count && !code; i++)
			code = check_read(output, &there, files->items[i], error);
	}
	return code;
}

int term_outputs_check(const struct term_usage *usage, char **operands, struct prn_error *error)
{
	int code = 0;

	for (const struct term_option *option = usage->options; !code && option->kind != TERM_OPTION_END; option++)
		if (option->kind == TERM_OPTION_OUTPUT)
			code = check_output(usage, option, operands, error);
	return code;
}

/* Whether a file is in the folder, by its own path or by the path that a link leads to. */
static bool is_in(void *context, const char *path)
{
	const struct stat *folder = context;
	char *real = realpath(path, NULL);
	struct stat about;
	bool is = real && !stat(real, &about) && !S_ISDIR(about.st_mode) && (is_within(folder, path, 1) || is_within(folder, real, 1));

	free(real);
	return is;
}

bool term_reads_in(const char *folder, const char *source)
{
	struct stat about;

	if (stat(folder, &about))
		return false;
	return is_same_file(&about, source) || prn_source_files(source, is_in, &about);
}
