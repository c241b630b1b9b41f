/* Sources that are read from a descriptor, and waits for input that are ended. */
#include "fixture.h"
#include "silent.h"

#include "archive/source_body.h"

#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <time.h>

#define LINES "{\"url\":\"http://a.example/1\",\"time\":7,\"status\":304}\n{\"url\":7}\n"

static struct prn_buffer told; /* a line for each thing that was skipped */

static void note(void *context, const struct prn_error *what)
{
	(void)context;
	add_text(&told, "%s\n", what->text);
}

/* How many captures a descriptor has; what was skipped stands in told, and what went wrong in *error. */
static int count_captures(int fd, const char *name, struct prn_error *error)
{
	const struct prn_source_options options = { .skipped = note };
	struct prn_source *source;
	struct prn_capture capture;
	int count = 0, code;

	prn_buffer_clear(&told);
	code = prn_source_open_fd(&source, fd, name, &options, error);
	if (code)
		return code;
	while ((code = prn_source_next(source, &capture, error)) == 1)
		count++;
	prn_source_free(source);
	must(!prn_buffer_terminate(&told), "allocate");
	return code ? code : count;
}

static void regular_files(void)
{
	const char *path = put_file("lines.ndjson", LINES, sizeof LINES - 1);
	struct prn_error error = { 0 };
	int fd = open(path, O_RDWR);

	must(fd >= 0 && lseek(fd, 20, SEEK_SET) == 20, "open a file");
	ok(count_captures(fd, "upload", &error) == 1, "a descriptor is read from the beginning of its file");
	ok(lseek(fd, 0, SEEK_CUR) == 20, "reading a descriptor does not move its place in the file");
	same((char *)told.data, "upload: line 2: \"url\" takes a text\n",
	     "a fault names the source as its caller does");
	ok(count_captures(fd, "", &error) == 1, "a descriptor is still open after its source was freed");
	same((char *)told.data, "line 2: \"url\" takes a text\n",
	     "a fault of a source without a name begins with its place");
	must(!ftruncate(fd, 0), "empty a file");
	ok(count_captures(fd, "", &error) == PRN_E_INPUT, "an empty file is refused");
	same(error.text, "the file is empty", "the refusal of an empty file without a name names none");
	ok(count_captures(fd, "upload", &error) == PRN_E_INPUT && !strcmp(error.text, "upload: the file is empty"),
	   "the refusal of an empty file with a name begins with it");
	close(fd);
	fd = open(scratch, O_RDONLY);
	ok(count_captures(fd, "folder", &error) == PRN_E_IO && HOLDS(error.text, "folder: cannot be read"),
	   "a descriptor of a folder is refused: %s", error.text);
	close(fd);
	ok(count_captures(-1, "none", &error) == PRN_E_ARGUMENT && !strcmp(error.text, "none: -1 is no descriptor"), "a number below 0 is no descriptor: %s", error.text);
	ok(count_captures(fd, "closed", &error) == PRN_E_IO && HOLDS(error.text, "closed: cannot be opened"),
	   "a closed descriptor is refused: %s", error.text);
}

static void pipes(void)
{
	struct prn_error error = { 0 };
	int ends[2];

	must(!pipe(ends) && write(ends[1], "!" LINES, sizeof LINES) == sizeof LINES && !close(ends[1]), "fill a pipe");
	must(read(ends[0], &(char){ 0 }, 1) == 1, "read a byte");
	ok(count_captures(ends[0], "pipe", &error) == 1, "a pipe is read from where it stands");
	close(ends[0]);
}

/* What a caller has that takes bodies out of a source, capture by capture: "=" one it copied, "<" one that it took. */
static void take_bodies(const char *path, struct prn_buffer *out)
{
	struct prn_buffer taken = { 0 };
	struct prn_source *source;
	struct prn_capture capture;
	struct prn_error error;

	must(!prn_source_open(&source, path, NULL, &error), error.text);
	while (prn_source_next(source, &capture, &error) == 1) {
		struct prn_buffer *held = prn_source_body(source, &capture), before = taken;

		add_text(out, "%s%.*s\n", held ? "<" : "=", (int)capture.body_bytes, capture.body ? (const char *)capture.body : "");
		if (!held)
			continue;
		taken = *held;
		*held = before;
		must(taken.length >= capture.body_bytes && !memcmp(taken.data, capture.body, capture.body_bytes), "the body is in it");
		memset(taken.data, '!', taken.length);
	}
	prn_source_free(source);
	prn_buffer_release(&taken);
	must(!prn_buffer_terminate(out), "allocate");
}

/* Whoever takes a body over has other memory put in its place, which the next captures are read into. */
static void bodies_that_are_taken(void)
{
	struct prn_buffer warc = { 0 }, packed = { 0 }, taken = { 0 };
	const char *path;

	add_response(&warc, "/1", "2026-01-01T00:00:00Z", "200 OK", "", "a body", 6);
	add_response(&warc, "/2", "2026-01-01T00:00:01Z", "302 Found", "Location: /1\r\n", "elsewhere", 9);
	add_response(&warc, "/3", "2026-01-01T00:00:02Z", "200 OK", "Transfer-Encoding: chunked\r\n", "5\r\nin pa\r\n3\r\nrts\r\n0\r\n\r\n", 23);
	add_gzip(&packed, "was packed", 10);
	add_response(&warc, "/4", "2026-01-01T00:00:03Z", "200 OK", "Content-Encoding: gzip\r\n", packed.data, packed.length);
	add_response(&warc, "/5", "2026-01-01T00:00:04Z", "200 OK", "", "", 0);
	add_response(&warc, "/6", "2026-01-01T00:00:05Z", "200 OK", "", "the last one", 12);
	path = put_file("bodies.warc", warc.data, warc.length);
	take_bodies(path, &taken);
	same((char *)taken.data, "<a body\n=/1\n<in parts\n=was packed\n=\n<the last one\n",
	     "bodies that lie in the source's buffer can be taken out of it, and the others are whole");
	prn_buffer_clear(&taken);
	must(!rename(path, in_scratch("folder.warc")) && !mkdir(in_scratch("archives"), 0700) &&
	     !rename(in_scratch("folder.warc"), in_scratch("archives/bodies.warc")), "make a folder");
	take_bodies(in_scratch("archives"), &taken);
	same((char *)taken.data, "<a body\n=/1\n<in parts\n=was packed\n=\n<the last one\n",
	     "also those of an archive in a folder");
	prn_buffer_clear(&taken);
	take_bodies(put_file("lines.ndjson", LINES, sizeof LINES - 1), &taken);
	same((char *)taken.data, "=\n", "and a source of another kind has none");
	prn_buffer_release(&warc);
	prn_buffer_release(&packed);
	prn_buffer_release(&taken);
}

/* A source that is opened and read by a thread of its own, for it will wait. */
struct waiter {
	const char *path; /* NULL: fd */
	int fd, wake, code, captures;
};

static void *wait_for_input(void *context)
{
	struct waiter *waiter = context;
	const struct prn_source_options options = { .wake = waiter->wake };
	struct prn_source *source = NULL;
	struct prn_capture capture;

	waiter->code = waiter->path ? prn_source_open(&source, waiter->path, &options, NULL)
	                            : prn_source_open_fd(&source, waiter->fd, "pipe", &options, NULL);
	while (!waiter->code && (waiter->code = prn_source_next(source, &capture, NULL)) == 1) {
		waiter->captures++;
		waiter->code = 0;
	}
	prn_source_free(source);
	return NULL;
}

/* Wakes a source that has taken all there was, and so waits or is about to. */
static void wake_up(struct waiter *waiter)
{
	pthread_t thread;
	int left = 0;

	waiter->wake = eventfd(0, 0);
	must(waiter->wake > 0 && !pthread_create(&thread, NULL, wait_for_input, waiter), "start a thread");
	while (!waiter->path && !ioctl(waiter->fd, FIONREAD, &left) && left)
		usleep(1000);
	must(!eventfd_write(waiter->wake, 1), "wake");
	pthread_join(thread, NULL);
	close(waiter->wake);
}

static void ended_waits(void)
{
	const char *path = in_scratch("fifo");
	struct waiter waiter = { .path = NULL };
	int ends[2];

	must(!pipe(ends), "make a pipe");
	waiter.fd = ends[0];
	wake_up(&waiter);
	ok(waiter.code == PRN_E_CANCELLED, "a source that waits for a pipe's first byte is ended");
	must(write(ends[1], LINES "{", sizeof LINES) == sizeof LINES, "fill a pipe");
	wake_up(&waiter);
	ok(waiter.code == PRN_E_CANCELLED && waiter.captures == 1, "a source that waits in the middle of a pipe is ended");
	close(ends[0]);
	close(ends[1]);
	must(!mkfifo(path, 0600), "make a named pipe");
	waiter = (struct waiter){ .path = path };
	wake_up(&waiter);
	ok(waiter.code == PRN_E_CANCELLED, "a source that waits for somebody to open a named pipe is ended");
}

/* Says yes when it is asked for this time, and at no other. */
struct question {
	unsigned asked, at;
};

static bool is_cancelled(void *context)
{
	struct question *question = context;

	return ++question->asked == question->at;
}

/* How many captures came of a named pipe to whose writer there is a question; *code is how it ended. */
static int captures_of(const char *path, struct question *question, int *code)
{
	const struct prn_source_options options = { .cancelled = is_cancelled, .cancelled_context = question };
	struct prn_source *source = NULL;
	struct prn_capture capture;
	int count = 0;

	*code = prn_source_open(&source, path, &options, NULL);
	while (!*code && (*code = prn_source_next(source, &capture, NULL)) == 1) {
		count++;
		*code = 0;
	}
	prn_source_free(source);
	return count;
}

/* Who waits for a pipe that is silent is asked as long as it waits, and loses nothing by that. */
static void questions_while_waiting(void)
{
	static const char *const pieces[] = { "{\"url\":\"http://a.example/1\",\"ti", "me\":7,\"status\":304}\n{\"url\":\"http://a.",
		                              "example/2\",\"time\":7,\"status\":304}\n" };
	const char *path = in_scratch("silent");
	struct question question = { .at = 5 };
	pid_t writer = silent_begin(path, NULL, 0, 0, true);
	int code, count;

	must(writer, "start a writer");
	count = captures_of(path, &question, &code);
	ok(silent_end(writer, path) && code == PRN_E_CANCELLED && !count,
	   "a source that waits for a silent pipe's first byte ends when it is told so");
	question = (struct question){ .at = 12 };
	must((writer = silent_begin(path, pieces, 3, 0, true)), "start a writer");
	count = captures_of(path, &question, &code);
	ok(silent_end(writer, path) && code == PRN_E_CANCELLED && count == 2,
	   "a source that waits in the middle of a pipe ends when it is told so, and has handed out what came before: %d", count);
	question = (struct question){ .at = 0 };
	must((writer = silent_begin(path, pieces, 3, 250, false)), "start a writer");
	count = captures_of(path, &question, &code);
	silent_end(writer, path);
	ok(!code && count == 2 && question.asked > 5, "a slow pipe is read to its end by a source that is asked meanwhile: %u times", question.asked);
}

/* Somebody who writes to a named pipe and ends at once; where the reader has gone away, what was written is lost. */
static void *write_late(void *path)
{
	int fd = open(path, O_WRONLY);

	must(fd >= 0, "open a pipe");
	if (write(fd, LINES, sizeof LINES - 1) < 0)
		perror("write");
	close(fd);
	return NULL;
}

static bool is_read_from_pipe(const char *path)
{
	struct waiter waiter = { .path = path, .wake = eventfd(0, 0) };
	struct timespec until;
	pthread_t reader, writer;

	must(!mkfifo(path, 0600) && waiter.wake > 0, "make a named pipe");
	must(!pthread_create(&writer, NULL, write_late, (void *)path), "start a thread");
	must(!pthread_create(&reader, NULL, wait_for_input, &waiter), "start a thread");
	pthread_join(writer, NULL);
	must(!clock_gettime(CLOCK_REALTIME, &until), "tell the time");
	until.tv_sec += 10;
	/* Where nothing comes any more, the reader waits for ever. */
	if (pthread_timedjoin_np(reader, NULL, &until)) {
		must(!eventfd_write(waiter.wake, 1), "wake");
		pthread_join(reader, NULL);
	}
	close(waiter.wake);
	must(!unlink(path), "remove a named pipe");
	return !waiter.code && waiter.captures == 1;
}

static void named_pipes(void)
{
	const char *path = in_scratch("late");
	int count = 0;

	signal(SIGPIPE, SIG_IGN);
	while (count < 20 && is_read_from_pipe(path))
		count++;
	ok(count == 20, "a named pipe is read whose writer ends at once: %d times of 20", count);
}

int main(void)
{
	make_scratch();
	regular_files();
	pipes();
	bodies_that_are_taken();
	ended_waits();
	named_pipes();
	questions_while_waiting();
	prn_buffer_release(&told);
	return done();
}
