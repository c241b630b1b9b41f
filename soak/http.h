/*
 * A server for tests and benchmarks, and requests to it: `perennial serve` at a Unix socket, as a child that dies with its
 * parent.
 */
#ifndef SOAK_HTTP_H
#define SOAK_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct soak_server {
	pid_t pid;
	char socket[100];
};

/*
 * Starts $PERENNIAL (./perennial) serve with the store, and waits until it answers; options ends with NULL.  Its log goes to
 * the file log.  Exits with a message if it does not start.
 */
struct soak_server soak_server_start(const char *store, const char *log, const char *const options[]);

/* Tells it to stop; returns its exit code. */
int soak_server_stop(struct soak_server *server);

/* Opens a connection whose reads give up after seconds; -1 if it is refused. */
int soak_dial(const struct soak_server *server, int seconds);

/* Sends bytes; false if the other side has closed. */
bool soak_send(int fd, const void *bytes, size_t length);

/*
 * Reads an answer with a Content-Length; its body is cut at capacity - 1 and NUL-terminated.  Returns the status, or 0 if
 * there was none.
 */
int soak_receive(int fd, char *body, size_t capacity);

#endif
