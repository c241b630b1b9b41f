#include "serve/notify.h"

#include "base/portable.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int serve_notify(const char *socket_path, const char *state, struct prn_error *error)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t length = socket_path ? strlen(socket_path) : 0;
	ssize_t sent;
	int fd;

	if (!length)
		return 0;
	if (length >= sizeof to.sun_path)
		return prn_error_set(error, PRN_E_IO, "NOTIFY_SOCKET: the path is too long");
	memcpy(to.sun_path, socket_path, length);
	if (*to.sun_path == '@')
		*to.sun_path = 0;
	fd = prn_socket(AF_UNIX, SOCK_DGRAM, true);
	sent = fd < 0 || connect(fd, (struct sockaddr *)&to, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length))
	               ? -1
	               : prn_send(fd, state, strlen(state), 0);
	if (sent < 0)
		prn_error_set(error, PRN_E_IO, "NOTIFY_SOCKET %s: %s", socket_path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return sent < 0 ? PRN_E_IO : 0;
}

double serve_notify_watchdog(const char *microseconds, const char *pid)
{
	char *end;
	double seconds = microseconds ? (double)strtoull(microseconds, &end, 10) / 1e6 : 0;

	if (!microseconds || end == microseconds || *end || (pid && strtoll(pid, NULL, 10) != getpid()))
		return 0;
	return seconds;
}
