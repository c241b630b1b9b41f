#include "term/destination.h"

#include "term/exit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK 65536

int term_temporary_folder(char **folder, struct prn_error *error)
{
	const char *parent = getenv("TMPDIR");
	char *path;

	if (asprintf(&path, "%s/perennial-XXXXXX", parent && *parent ? parent : "/tmp") < 0)
		return prn_error_memory(error);
	if (!mkdtemp(path)) {
		prn_error_set(error, PRN_E_IO, "%s: cannot make a temporary folder: %s", path, strerror(errno));
		free(path);
		return PRN_E_IO;
	}
	*folder = path;
	return 0;
}

int term_destination_open(struct term_destination *destination, const char *given, struct prn_error *error)
{
	char *folder, *path;
	int code;

	*destination = (struct term_destination){ .path = given };
	if (!given || strcmp(given, "-"))
		return 0;
	code = term_temporary_folder(&folder, error);
	if (code)
		return code;
	if (asprintf(&path, "%s/output", folder) < 0) {
		rmdir(folder);
		free(folder);
		return prn_error_memory(error);
	}
	*destination = (struct term_destination){ .path = path, .folder = folder };
	return 0;
}

static int copy(const char *path, struct prn_error *error)
{
	char chunk[CHUNK];
	FILE *file = fopen(path, "rb");
	size_t length;
	int code = 0;

	if (!file)
		return prn_error_set(error, PRN_E_IO, "%s: cannot read: %s", path, strerror(errno));
	while ((length = fread(chunk, 1, sizeof chunk, file)) && fwrite(chunk, 1, length, stdout) == length)
		;
	if (ferror(file))
		code = prn_error_set(error, PRN_E_IO, "%s: cannot read: %s", path, strerror(errno));
	fclose(file);
	return code ? code : term_stdout_flush(error);
}

int term_destination_close(struct term_destination *destination, int code, struct prn_error *error)
{
	int failed = 0;

	if (!destination->folder)
		return code;
	if (code >= 0)
		failed = copy(destination->path, error);
	unlink(destination->path);
	rmdir(destination->folder);
	free((char *)destination->path);
	free(destination->folder);
	*destination = (struct term_destination){ 0 };
	return failed ? failed : code;
}
