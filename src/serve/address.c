#include "serve/address.h"

#include "base/portable.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG 512 /* connections that the system keeps for us while all of ours are taken */

static const char forms[] = "127.0.0.1:7390, [::1]:7390, localhost:7390 or unix:/path";

static int parse_unix(struct serve_address *address, const char *path, struct prn_error *error)
{
	struct sockaddr_un *local = (struct sockaddr_un *)&address->socket;

	if (!*path || strlen(path) >= sizeof local->sun_path)
		return prn_error_set(error, PRN_E_INPUT, "unix:%s: the path of a socket has 1 to %zu bytes", path,
		                     sizeof local->sun_path - 1);
	local->sun_family = AF_UNIX;
	strcpy(local->sun_path, path);
	address->length = sizeof *local;
	return 0;
}

static bool parse_port(const char *text, in_port_t *port)
{
	char *end;
	unsigned long number;

	if (*text < '0' || *text > '9')
		return false;
	number = strtoul(text, &end, 10);
	if (*end || number > 65535)
		return false;
	*port = htons((uint16_t)number);
	return true;
}

/* host is what stands before the last colon. */
static bool parse_host(struct serve_address *address, const char *host, in_port_t port)
{
	struct sockaddr_in *four = (struct sockaddr_in *)&address->socket;
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)&address->socket;
	size_t length = strlen(host);
	char inner[INET6_ADDRSTRLEN];

	if (*host == '[' && host[length - 1] == ']' && length - 2 < sizeof inner) {
		memcpy(inner, host + 1, length - 2);
		inner[length - 2] = 0;
		six->sin6_family = AF_INET6;
		six->sin6_port = port;
		address->length = sizeof *six;
		return inet_pton(AF_INET6, inner, &six->sin6_addr) == 1;
	}
	four->sin_family = AF_INET;
	four->sin_port = port;
	address->length = sizeof *four;
	return inet_pton(AF_INET, !length ? "0.0.0.0" : !strcmp(host, "localhost") ? "127.0.0.1" : host,
	                 &four->sin_addr) == 1;
}

int serve_address_parse(struct serve_address *address, const char *text, struct prn_error *error)
{
	struct serve_address read = { .length = 0 };
	const char *colon = strrchr(text, ':');
	char host[INET6_ADDRSTRLEN + 3];
	in_port_t port;
	int code;

	if (!strncmp(text, "unix:", 5)) {
		code = parse_unix(&read, text + 5, error);
		if (!code)
			*address = read;
		return code;
	}
	if (!colon || (size_t)(colon - text) >= sizeof host || !parse_port(colon + 1, &port))
		return prn_error_set(error, PRN_E_INPUT, "'%s' is not an address: write %s", text, forms);
	memcpy(host, text, (size_t)(colon - text));
	host[colon - text] = 0;
	if (!parse_host(&read, host, port))
		return prn_error_set(error, PRN_E_INPUT, "'%s' is not the address of a machine: write %s", host, forms);
	*address = read;
	return 0;
}

bool serve_address_is_unix(const struct serve_address *address)
{
	return address->socket.ss_family == AF_UNIX;
}

bool serve_address_is_local(const struct serve_address *address)
{
	const struct sockaddr_in *four = (const struct sockaddr_in *)&address->socket;
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&address->socket;

	if (serve_address_is_unix(address))
		return true;
	if (address->socket.ss_family == AF_INET)
		return ntohl(four->sin_addr.s_addr) >> 24 == 127;
	return IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
}

/* Whether the path is a Unix socket at which nobody answers, left by a server that was killed. */
static bool is_abandoned(const struct serve_address *address)
{
	/* A socket with a full queue is not waited for: it is in use. */
	int fd = prn_socket(AF_UNIX, SOCK_STREAM, false);
	struct stat about;
	bool refused = fd >= 0 && !stat(((const struct sockaddr_un *)&address->socket)->sun_path, &about) &&
	               S_ISSOCK(about.st_mode) &&
	               connect(fd, (const struct sockaddr *)&address->socket, address->length) &&
	               errno == ECONNREFUSED;

	if (fd >= 0)
		close(fd);
	return refused;
}

static int bind_to(const struct serve_address *address, int fd)
{
	const struct sockaddr *name = (const struct sockaddr *)&address->socket;

	if (!bind(fd, name, address->length))
		return 0;
	if (errno != EADDRINUSE || !serve_address_is_unix(address) || !is_abandoned(address))
		return -1;
	serve_address_leave(address);
	return bind(fd, name, address->length);
}

int serve_address_listen(struct serve_address *address, int *fd, struct prn_error *error)
{
	int opened = prn_socket(address->socket.ss_family, SOCK_STREAM, false), yes = 1;
	char text[SERVE_ADDRESS_TEXT];

	/* A port that was in use a moment ago is free again at once: a restart must not wait for it. */
	if (opened < 0 || (!serve_address_is_unix(address) &&
	                   setsockopt(opened, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes)) ||
	    bind_to(address, opened) || listen(opened, BACKLOG)) {
		int code = prn_error_set(error, PRN_E_IO, "cannot listen at %s: %s",
		                         serve_address_format(address, text), strerror(errno));

		if (opened >= 0)
			close(opened);
		return code;
	}
	if (!serve_address_is_unix(address)) {
		socklen_t length = sizeof address->socket;

		getsockname(opened, (struct sockaddr *)&address->socket, &length);
	}
	*fd = opened;
	return 0;
}

void serve_address_leave(const struct serve_address *address)
{
	if (serve_address_is_unix(address))
		unlink(((const struct sockaddr_un *)&address->socket)->sun_path);
}

char *serve_address_format(const struct serve_address *address, char out[SERVE_ADDRESS_TEXT])
{
	const struct sockaddr_in *four = (const struct sockaddr_in *)&address->socket;
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&address->socket;
	char host[INET6_ADDRSTRLEN] = "";

	if (serve_address_is_unix(address)) {
		snprintf(out, SERVE_ADDRESS_TEXT, "unix:%s", ((const struct sockaddr_un *)&address->socket)->sun_path);
	} else if (address->socket.ss_family == AF_INET) {
		inet_ntop(AF_INET, &four->sin_addr, host, sizeof host);
		snprintf(out, SERVE_ADDRESS_TEXT, "%s:%u", host, ntohs(four->sin_port));
	} else {
		inet_ntop(AF_INET6, &six->sin6_addr, host, sizeof host);
		snprintf(out, SERVE_ADDRESS_TEXT, "[%s]:%u", host, ntohs(six->sin6_port));
	}
	return out;
}
