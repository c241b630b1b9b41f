#include "base/child.h"

#include "base/portable.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/*
 * If standard descriptors are closed, the system hands out their numbers.  A descriptor that is to become a standard one of the child
 * must not have the number of another.
 */
static bool raise_above(int ends[2])
{
	bool raised = true;

	for (int i = 0; i < 2; i++) {
		int above = ends[i] > STDERR_FILENO ? ends[i] : fcntl(ends[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

		raised &= above >= 0;
		if (above >= 0 && above != ends[i])
			close(ends[i]);
		ends[i] = above >= 0 ? above : ends[i];
	}
	return raised;
}

/* ends[0] stays in this process. */
static bool open_ends(int ends[2], bool both_ways)
{
	if (both_ways ? prn_socket_pair(ends) : prn_pipe(ends)) {
		ends[0] = ends[1] = -1;
		return false;
	}
	return raise_above(ends);
}

/* Makes the program's environment: variables of this process that are not unset, and then its own.  The strings are borrowed. */
static char **make_environment(const struct prn_program *program)
{
	size_t count = 0, added = 0, unset = program->unset ? strlen(program->unset) : 0;
	char **made;

	while (environ && environ[count])
		count++;
	while (program->environment && program->environment[added])
		added++;
	made = calloc(count + added + 1, sizeof *made);
	if (!made)
		return NULL;
	added = 0;
	for (size_t i = 0; i < count; i++)
		if (!unset || strncmp(environ[i], program->unset, unset) != 0)
			made[added++] = environ[i];
	for (size_t i = 0; program->environment && program->environment[i]; i++)
		made[added++] = (char *)program->environment[i];
	return made;
}

/* The program is looked for in $PATH as a shell does.  It gets its standard descriptors, and the signals of a program that starts. */
static int spawn(struct prn_child *child, const struct prn_program *program, char **environment, int in, int out, int said)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t none, usual;
	int fault;

	sigemptyset(&none);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGCHLD);
	if (posix_spawn_file_actions_init(&files))
		return ENOMEM;
	if (posix_spawnattr_init(&how)) {
		posix_spawn_file_actions_destroy(&files);
		return ENOMEM;
	}
	fault = posix_spawnattr_setsigmask(&how, &none);
	if (!fault)
		fault = posix_spawnattr_setsigdefault(&how, &usual);
	if (!fault)
		fault = posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
	if (!fault)
		fault = in >= 0 ? posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO)
		                : posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!fault)
		fault = posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	if (!fault)
		fault = posix_spawn_file_actions_adddup2(&files, said, STDERR_FILENO);
	if (!fault)
		fault = posix_spawnp(&child->pid, program->arguments[0], &files, &how, (char *const *)program->arguments, environment);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&how);
	if (!fault && program->memory)
		prn_bound_memory(child->pid, program->memory);
	return fault;
}

int prn_child_start(struct prn_child *child, const struct prn_program *program, struct prn_error *error)
{
	int out[2] = { -1, -1 }, said[2] = { -1, -1 }, fault = 0;
	char **environment = make_environment(program);

	*child = (struct prn_child){ .out = -1, .said_fd = -1, .patience = program->patience };
	if (!environment)
		return prn_error_memory(error);
	if (!open_ends(out, program->has_input) || !open_ends(said, false))
		fault = errno;
	else
		fault = spawn(child, program, environment, program->has_input ? out[1] : -1, out[1], said[1]);
	free(environment);
	close_one(&out[1]);
	close_one(&said[1]);
	if (!fault) {
		child->out = out[0];
		child->said_fd = said[0];
		return 0;
	}
	child->pid = 0;
	close_one(&out[0]);
	close_one(&said[0]);
	return prn_error_set(error, fault == ENOENT ? PRN_E_NOT_FOUND : PRN_E_IO, "%s: cannot be run: %s", program->arguments[0], strerror(fault));
}

/* Reads the standard error: the first bytes are kept and the rest is dropped, so that the program never waits for a reader. */
static void hear(struct prn_child *child)
{
	char bytes[512];
	ssize_t got = read(child->said_fd, bytes, sizeof bytes);

	if (got < 0 && errno == EINTR)
		return;
	if (got <= 0) {
		close_one(&child->said_fd);
		return;
	}
	for (ssize_t i = 0; i < got && child->said < PRN_CHILD_SAID; i++)
		child->text[child->said++] = bytes[i] ? bytes[i] : '?';
	child->text[child->said] = 0;
}

/* Waits until the program writes anything or, when its output is closed, until its standard error ends. */
static int await(struct prn_child *child, struct prn_interrupt *interrupt, bool *written, struct prn_error *error)
{
	struct pollfd ready[2] = { { .fd = child->out, .events = POLLIN }, { .fd = child->said_fd, .events = POLLIN } };
	int got = prn_interrupt_await(interrupt, ready, 2, child->patience, error);

	if (got == PRN_E_IO)
		prn_error_prefix(error, "a program");
	if (got < 0)
		return got;
	child->is_silent = !got;
	if (!got)
		return prn_error_set(error, PRN_E_IO, "a program has been silent for %u seconds", child->patience);
	if (ready[1].revents)
		hear(child);
	*written = ready[0].revents != 0;
	return 0;
}

int prn_child_read(struct prn_child *child, void *to, size_t room, size_t *got, struct prn_interrupt *interrupt, struct prn_error *error)
{
	for (;;) {
		bool written = false;
		int code = await(child, interrupt, &written, error);
		ssize_t taken;

		if (code)
			return code;
		if (!written)
			continue;
		taken = read(child->out, to, room);
		/* A socket gives this error if its other end was closed with unread bytes in it. */
		if (taken < 0 && errno == ECONNRESET)
			taken = 0;
		if (taken < 0 && errno != EINTR)
			return prn_error_set(error, PRN_E_IO, "what a program writes cannot be read: %s", strerror(errno));
		if (taken < 0)
			continue;
		*got = (size_t)taken;
		return 0;
	}
}

int prn_child_send(struct prn_child *child, const void *bytes, size_t length, struct prn_error *error)
{
	const char *at = bytes;

	while (length) {
		ssize_t sent = prn_send(child->out, at, length, 0);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return prn_error_set(error, PRN_E_IO, "a program takes no more: %s", strerror(errno));
		at += sent;
		length -= (size_t)sent;
	}
	return 0;
}

/* If another part of the process has taken the status (some wait for all children), the program counts as one that ended well. */
static bool wait_for(struct prn_child *child)
{
	pid_t waited;
	int status = 0;

	while ((waited = waitpid(child->pid, &status, 0)) < 0 && errno == EINTR)
		;
	child->pid = 0;
	return waited < 0 || (WIFEXITED(status) && !WEXITSTATUS(status));
}

bool prn_child_end(struct prn_child *child, struct prn_interrupt *interrupt)
{
	bool written;

	close_one(&child->out);
	while (child->said_fd >= 0 && !await(child, interrupt, &written, NULL))
		;
	if (child->said_fd >= 0 || !child->pid) {
		prn_child_stop(child);
		return false;
	}
	return wait_for(child);
}

void prn_child_stop(struct prn_child *child)
{
	pid_t over = child->pid ? waitpid(child->pid, NULL, WNOHANG) : -1;

	if (child->pid) {
		close_one(&child->out);
		close_one(&child->said_fd);
	}
	/* A child that has ended and was waited for has no process id any more: another process may have it by now. */
	if (!over) {
		kill(child->pid, SIGKILL);
		wait_for(child);
	}
	child->pid = 0;
}
