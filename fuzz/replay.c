/*
 * A main for fuzz targets without libFuzzer: runs the files that are named, or every file of fuzz/seeds/NAME, where NAME is
 * the name of the program.  It prints TAP; a crash fails the test.
 */
#include "../tests/tap.h"

#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void replay(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = NULL;
	size_t size = 0;
	const char *name = strrchr(path, '/');

	if (!ok(file != NULL, "%s can be opened", name ? name + 1 : path))
		return;
	for (size_t got = 1; got;) {
		data = realloc(data, size + 65536);
		if (!data)
			abort();
		got = fread(data + size, 1, 65536, file);
		size += got;
	}
	fclose(file);
	/* The memory is exactly as long as the input, so that a sanitizer sees a read past its end. */
	data = realloc(data, size ? size : 1);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	ok(true, "%s (%zu bytes) is survived", name ? name + 1 : path, size);
}

static void replay_folder(const char *folder)
{
	struct dirent **entries;
	int n = scandir(folder, &entries, NULL, alphasort);

	ok(n > 2, "there are seeds in %s", folder);
	for (int i = 0; i < n; i++) {
		char path[4096];

		snprintf(path, sizeof path, "%.2000s/%.2000s", folder, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.')
			replay(path);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

int main(int argc, char **argv)
{
	const char *source = getenv("SRCDIR"), *name = strrchr(argv[0], '/');
	char folder[4096];

	name = name ? name + 1 : argv[0];
	if (!strncmp(name, "lt-", 3))
		name += 3;
	for (int i = 1; i < argc; i++)
		replay(argv[i]);
	if (argc < 2) {
		snprintf(folder, sizeof folder, "%s/fuzz/seeds/%s", source ? source : ".", name);
		replay_folder(folder);
	}
	return done();
}
