#include "soak/http.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS 24
#define HEAD_BYTES 4096

static void run(pid_t parent, const char *store, const char *log, const char *socket_path, const char *const options[])
{
	const char *program = getenv("PERENNIAL") ? getenv("PERENNIAL") : "./perennial", *words[WORDS] = { program, "serve" };
	char state[700], listen[200];
	size_t count = 5;
	int fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0666);

	snprintf(state, sizeof state, "--state=%s", store);
	snprintf(listen, sizeof listen, "--listen=unix:%s", socket_path);
	words[2] = state;
	words[3] = listen;
	words[4] = "--create";
	for (; *options && count < WORDS - 1; options++)
		words[count++] = *options;
	/* The signal only comes for deaths from now on: a parent that died before would leave a server that nobody stops. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	dup2(fd, STDERR_FILENO);
	execv(program, (char *const *)(uintptr_t)words);
	_exit(127);
}

struct soak_server soak_server_start(const char *store, const char *log, const char *const options[])
{
	struct soak_server server;
	pid_t parent = getpid();
	int fd;

	/* The socket is in the store's folder, if it has one, so that what a killed server leaves is removed with it. */
	snprintf(server.socket, sizeof server.socket, "%.80s%s", strchr(store, ':') ? log : store,
	         strchr(store, ':') ? ".socket" : "/socket");
	server.pid = fork();
	if (!server.pid)
		run(parent, store, log, server.socket, options);
	for (int i = 0; i < 1000; i++) {
		fd = soak_dial(&server, 1);
		if (fd >= 0) {
			close(fd);
			return server;
		}
		if (waitpid(server.pid, NULL, WNOHANG))
			break;
		usleep(10000);
	}
	fprintf(stderr, "no server: see %s\n", log);
	exit(1);
}

int soak_server_stop(struct soak_server *server)
{
	int status = -1;

	kill(server->pid, SIGTERM);
	waitpid(server->pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int soak_dial(const struct soak_server *server, int seconds)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const struct timeval limit = { seconds, 0 };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, server->socket);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
	if (!connect(fd, (struct sockaddr *)&address, sizeof address))
		return fd;
	close(fd);
	return -1;
}

bool soak_send(int fd, const void *bytes, size_t length)
{
	const char *from = bytes;

	while (length) {
		ssize_t sent = send(fd, from, length, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		from += sent;
		length -= (size_t)sent;
	}
	return true;
}

/* Reads up to the empty line and what came with it.  Returns the bytes read and where the body begins, or 0. */
static size_t read_head(int fd, char head[HEAD_BYTES + 1], size_t *body)
{
	size_t length = 0;

	*body = 0;
	while (length < HEAD_BYTES) {
		ssize_t got = recv(fd, head + length, HEAD_BYTES - length, 0);
		char *end;

		if (got <= 0)
			break;
		length += (size_t)got;
		head[length] = 0;
		end = strstr(head, "\r\n\r\n");
		if (end) {
			*body = (size_t)(end + 4 - head);
			break;
		}
	}
	return length;
}

int soak_receive(int fd, char *body, size_t capacity)
{
	char head[HEAD_BYTES + 1], spare[4096];
	size_t begin, got = read_head(fd, head, &begin), length, kept;
	const char *header;

	*body = 0;
	if (!begin || got < 12)
		return 0;
	header = strcasestr(head, "\r\nContent-Length:");
	length = header ? strtoul(header + 17, NULL, 10) : 0;
	kept = got - begin < capacity - 1 ? got - begin : capacity - 1;
	memcpy(body, head + begin, kept);
	for (size_t have = got - begin; have < length;) {
		size_t room = capacity - 1 - kept;
		ssize_t n = recv(fd, room ? body + kept : spare, room ? (room < length - have ? room : length - have) : sizeof spare, 0);

		if (n <= 0)
			return 0;
		have += (size_t)n;
		kept += room ? (size_t)n : 0;
	}
	body[kept] = 0;
	return atoi(head + 9);
}
