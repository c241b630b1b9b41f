/* Files that somebody names: whole, without end, and pipes of which nothing comes. */
#include "base/given_file.h"
#include "tap.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[] = "given-XXXXXX";

/* What a file holds, or what is wrong with it. */
static const char *text_of(const char *name, unsigned seconds)
{
	static char text[1000];
	struct prn_buffer bytes = { 0 };
	struct prn_error error = { 0 };
	FILE *file = NULL;
	int code = prn_given_file_open(&file, &bytes, name, seconds, &error);
	size_t length = code ? 0 : fread(text, 1, sizeof text - 1, file);

	text[length] = 0;
	if (code)
		snprintf(text, sizeof text, "%d %.500s", code, error.text);
	else
		fclose(file);
	prn_buffer_release(&bytes);
	return text;
}

static void *write_slowly(void *argument)
{
	FILE *file = fopen(path, "w");

	(void)argument;
	for (int i = 0; i < 3; i++) {
		fprintf(file, "line %d\n", i);
		fflush(file);
		usleep(100000);
	}
	fclose(file);
	return NULL;
}

int main(void)
{
	int fd = mkstemp(path);
	char want[100];
	pthread_t writer;

	same(text_of(path, 10), "", "an empty file is empty");
	if (write(fd, "a\nb", 3) != 3)
		return 1;
	same(text_of(path, 10), "a\nb", "a file is read whole");
	same(text_of("given-nowhere", 10), "-5 given-nowhere: cannot be opened: No such file or directory", "a file that is not there is told");
	same(text_of("/dev/zero", 10), "-7 /dev/zero: is longer than the 16 MiB that such a file may have", "a file without end is told");
	same(text_of("/", 10), "-5 /: cannot be read: Is a directory", "a folder is told");
	same(text_of("/dev/null", 10), "", "a device may be a file");
	close(fd);
	unlink(path);
	if (mkfifo(path, 0600))
		return 1;
	snprintf(want, sizeof want, "-5 %s: gives nothing for 1 seconds: does nobody write into it?", path);
	same(text_of(path, 1), want, "a pipe that nobody writes into is given up");
	pthread_create(&writer, NULL, write_slowly, NULL);
	same(text_of(path, 60), "line 0\nline 1\nline 2\n", "a pipe is read to its end");
	pthread_join(writer, NULL);
	unlink(path);
	return done();
}
