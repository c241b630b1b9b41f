/* A named pipe with a writer that says a little, piece by piece, and then nothing. */
#ifndef TESTS_SILENT_H
#define TESTS_SILENT_H

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SILENT_S 20 /* then the writer ends in any case, so that a test whose reader waits for it fails and goes on */

/* Makes the pipe and starts its writer, of count pieces with a pause of pause_ms before each; 0: it could not be started. */
static inline pid_t silent_begin(const char *path, const char *const *pieces, size_t count, unsigned pause_ms, int is_silent)
{
	pid_t writer = mkfifo(path, 0600) ? -1 : fork();
	int fd;

	if (writer)
		return writer < 0 ? 0 : writer;
	signal(SIGALRM, SIG_DFL);
	alarm(SILENT_S);
	fd = open(path, O_WRONLY);
	for (size_t i = 0; i < count; i++) {
		usleep(1000 * pause_ms);
		if (write(fd, pieces[i], strlen(pieces[i])) < 0)
			_exit(1);
	}
	while (is_silent)
		pause();
	_exit(0);
}

/* Ends the writer.  Tells whether it was still there, so that what read the pipe did not end because its writer had. */
static inline int silent_end(pid_t writer, const char *path)
{
	int was_there = writer > 0 && !waitpid(writer, NULL, WNOHANG);

	if (was_there) {
		kill(writer, SIGKILL);
		waitpid(writer, NULL, 0);
	}
	unlink(path);
	return was_there;
}

#endif
