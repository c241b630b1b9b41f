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
	ok(holds(NULL), "before an output is committed nothing stands at its path");
	ok(output.length == 3, "bytes that were written to an output are counted");
	ok(!prn_output_commit(&output, NULL) && holds("one"),
	   "after an output was committed its file stands at the path");
	output = begin("two");
	ok(holds("one"), "a file that is being replaced stays as it was");
	prn_output_abandon(&output);
	ok(holds("one"), "a file whose replacement was given up stays as it was");
	ok(files() == 1, "a replacement that was given up leaves nothing beside the file");
	prn_output_abandon(&output);
	output = begin("three");
	ok(!prn_output_commit(&output, NULL) && holds("three"), "a file is replaced when the output is committed");
	ok(files() == 1, "an output that was committed leaves nothing beside its file");
	unlink(path);

	output = begin("four");
	mkdir(path, 0777);
	ok(prn_output_commit(&output, &error) == PRN_E_IO && strstr(error.text, path),
	   "a commit onto a folder that has come there fails: %s", error.text);
	ok(files() == 1, "a commit that failed leaves nothing beside it");
	ok(prn_output_open(&output, path, &error) == PRN_E_IO && !output.part,
	   "a folder is not replaced by an output: %s", error.text);
	rmdir(path);
	/* Not a device: who may remove one would, where the library does not refuse, take it from the whole machine. */
	mkfifo(path, 0666);
	ok(prn_output_open(&output, path, &error) == PRN_E_IO,
	   "what is no regular file is not replaced by an output: %s", error.text);
	unlink(path);
	ok(prn_output_open(&output, "/no/such/folder/file", &error) == PRN_E_IO,
	   "an output in a folder that is not there is refused: %s", error.text);
	rmdir(folder);
	return done();
}
