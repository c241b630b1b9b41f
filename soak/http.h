/*
 * A server to abuse or to time, and requests to it: `perennial serve` at a Unix socket, as a child that dies with
 * whoever started it.
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
 * Starts $PERENNIAL (./perennial) serve with the store, and waits until it answers; options end with NULL.  Its log
 * goes to the file log.  Exits with a message when it does not start.
 */
struct soak_server soak_server_start(const char *store, const char *log, const char *const options[]);

/* Tells it to stop; what it exits with. */
int soak_server_stop(struct soak_server *server);

/* A connection whose reads give up after seconds; -1 when it is refused. */
int soak_dial(const struct soak_server *server, int seconds);

/* false when the other side is gone. */
bool soak_send(int fd, const void *bytes, size_t length);

/*
 * Reads one answer with a Content-Length off a connection; its body, cut at capacity - 1, NUL-terminated.  The status,
 * or 0 when there was none.
 */
int soak_receive(int fd, char *body, size_t capacity);

#endif
