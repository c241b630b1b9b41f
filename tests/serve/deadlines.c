/* When a connection is shut down: on sockets, with no more than a moment to wait. */
#include "../tap.h"
#include "serve/deadlines.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOMENT 0.05       /* seconds that a connection has */
#define PATIENCE_MS 30000 /* for what must come: a machine may be slow, but not so slow */
#define HOUR_OF_BYTES ((uint64_t)(3600 * SERVE_SLOWEST))

struct connection {
	int ends[2]; /* ours, the client's */
	struct serve_deadline *deadline;
};

static void open_connection(struct serve_deadlines *deadlines, struct connection *connection)
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, connection->ends))
		abort();
	connection->deadline = serve_deadlines_add(deadlines, connection->ends[0]);
	if (!connection->deadline)
		abort();
}

static void close_connection(struct serve_deadlines *deadlines, struct connection *connection)
{
	serve_deadlines_remove(deadlines, connection->deadline);
	close(connection->ends[0]);
	close(connection->ends[1]);
}

/* Whether the client sees the end of its connection in so many milliseconds. */
static bool is_shut(const struct connection *connection, int milliseconds)
{
	struct pollfd waits = { .fd = connection->ends[1], .events = POLLIN };
	char byte;

	return poll(&waits, 1, milliseconds) == 1 && recv(connection->ends[1], &byte, 1, MSG_DONTWAIT) == 0;
}

int main(void)
{
	struct serve_deadlines *deadlines;
	struct connection parked, awaited, silent, flooding;

	if (serve_deadlines_open(&deadlines, MOMENT, NULL))
		return 1;
	open_connection(deadlines, &parked);
	serve_deadline_suspend(deadlines, parked.deadline);
	open_connection(deadlines, &awaited);
	serve_deadline_begin(deadlines, awaited.deadline, HOUR_OF_BYTES);
	open_connection(deadlines, &silent);
	ok(is_shut(&silent, PATIENCE_MS), "a connection on which nothing comes is shut down");
	open_connection(deadlines, &flooding);
	serve_deadline_extend(deadlines, flooding.deadline, HOUR_OF_BYTES);
	ok(is_shut(&flooding, PATIENCE_MS),
	   "a client that sent an hour's worth of bytes at once, and then nothing, has no more than the whole time from then");
	/* Both are older than the one that was shut down just now. */
	ok(!is_shut(&parked, 0), "a connection whose client waits for the server stays open past the time that others have");
	ok(!is_shut(&awaited, 0), "a client that is to take an hour's worth of bytes has more time than others");
	ok(serve_deadlines_count(deadlines) == 4, "connections that were shut down are counted until their owner removes them");
	serve_deadlines_expire(deadlines);
	ok(is_shut(&parked, PATIENCE_MS) && is_shut(&awaited, PATIENCE_MS), "all connections can be shut down at once");
	close_connection(deadlines, &silent);
	close_connection(deadlines, &flooding);
	close_connection(deadlines, &parked);
	close_connection(deadlines, &awaited);
	ok(serve_deadlines_count(deadlines) == 0, "connections that were removed are counted no more");
	serve_deadlines_remove(deadlines, NULL);
	serve_deadlines_free(deadlines);
	serve_deadlines_free(NULL);
	return done();
}
