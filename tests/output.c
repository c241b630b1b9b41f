/* A file that stands at its path whole or not at all. */
#include "base/output.h"
#include "tap.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "output-XXXXXX", path[64];

static bool holds(const char *want)
{
	char got[64] = "";
	FILE *file = fopen(path, "r");

	if (!file)
		return !want;
	fread(got, 1, sizeof got - 1, file);
	fclose(file);
	return want && !strcmp(got, want);
}

/* How many files are in the folder. */
static int files(void)
{
	DIR *stream = opendir(folder);
	int count = 0;

	for (struct dirent *entry; (entry = readdir(stream)) != NULL;)
		count += entry->d_name[0] != '.';
	closedir(stream);
	return count;
}

static struct prn_output begin(const char *text)
{
	struct prn_output output;

	if (prn_output_open(&output, path, NULL) || prn_output_write(&output, text, strlen(text), NULL))
		abort();
	return output;
}

int main(void)
{
	struct prn_output output;
	struct prn_error error = { 0 };

	if (!mkdtemp(folder))
		abort();
	snprintf(path, sizeof path, "%s/file", folder);
	output = begin("one");
	ok(holds(NULL), "before the commit nothing stands at the path");
	ok(output.length == 3, "what was written is counted");
	ok(!prn_output_commit(&output, NULL) && holds("one"), "after it the file does");
	output = begin("two");
	ok(holds("one"), "a file that is being replaced stays as it was");
	prn_output_abandon(&output);
	ok(holds("one") && files() == 1, "given up, it stays, and nothing is left beside it");
	prn_output_abandon(&output);
	output = begin("three");
	ok(!prn_output_commit(&output, NULL) && holds("three") && files() == 1, "committed, it is replaced");
	unlink(path);

	output = begin("four");
	mkdir(path, 0777);
	ok(prn_output_commit(&output, &error) == PRN_E_IO && strstr(error.text, path),
	   "a commit onto a folder that has come there fails: %s", error.text);
	ok(files() == 1, "a commit that failed leaves nothing beside it");
	ok(prn_output_open(&output, path, &error) == PRN_E_IO && !output.part, "a folder is not replaced: %s", error.text);
	rmdir(path);
	ok(prn_output_open(&output, "/dev/null", &error) == PRN_E_IO, "nor is a device: %s", error.text);
	ok(prn_output_open(&output, "/no/such/folder/file", &error) == PRN_E_IO, "in no folder there is no file: %s", error.text);
	rmdir(folder);
	return done();
}
