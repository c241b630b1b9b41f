/*
 * A daemon with a store of its own in the scratch folder, for tests of what happens within its process.
 */
#ifndef TESTS_SERVE_RUNNING_H
#define TESTS_SERVE_RUNNING_H

#include "../fixture.h"
#include "serve/log.h"
#include "serve/service.h"

#include <sys/socket.h>
#include <unistd.h>

/* A clock for its log, and for what is told it: 2026-05-10T12:00:00Z. */
static inline int64_t noon(void *context)
{
	(void)context;
	return 1778414400;
}

/* One HTTP thread, no token, a port that nobody else has; shards of its store, 0: 1. */
static inline struct serve_daemon *start_daemon(const char *store, unsigned shards, const struct serve_log *log)
{
	struct serve_daemon_options options = { .no_token = true, .threads = 1, .connections = 8, .queue = 8, .body_bytes_max = 1 << 20,
		                                .upload_bytes_max = 1 << 20, .timeout_s = 10, .lease_s = 60, .log = log };
	const struct prn_decider_settings settings = { .shards = shards };
	struct serve_daemon *running;
	struct prn_decider *decider;
	struct prn_error error = { 0 };

	must(!prn_decider_create(in_scratch(store), &settings, &error), "make a store");
	must(!prn_decider_open(&decider, in_scratch(store), PRN_STORE_WRITE, NULL, &error), "open it");
	must(!serve_address_parse(&options.address, "127.0.0.1:0", &error), "an address");
	must(!serve_daemon_open_take(&running, decider, &options, &error), "start");
	return running;
}

/* Sends it a request, and returns the status and the body; until the next call. */
static inline const char *tell_daemon(const struct serve_daemon *running, const char *method, const char *path, const char *body)
{
	static char reply[60000], words[60000];
	const struct serve_address *address = serve_daemon_address(running);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char question[1000];
	size_t length = 0;
	ssize_t got;

	snprintf(question, sizeof question, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n%s", method, path,
	         strlen(body), body);
	must(!connect(fd, (const struct sockaddr *)&address->socket, address->length) &&
	     send(fd, question, strlen(question), 0) == (ssize_t)strlen(question), "ask");
	while ((got = recv(fd, reply + length, sizeof reply - 1 - length, 0)) > 0)
		length += (size_t)got;
	reply[length] = 0;
	close(fd);
	must(length > 12 && strstr(reply, "\r\n\r\n"), "read an answer");
	snprintf(words, sizeof words, "%.3s %s", reply + 9, strstr(reply, "\r\n\r\n") + 4);
	return words;
}

static inline const char *ask_daemon(const struct serve_daemon *running, const char *method, const char *path)
{
	return tell_daemon(running, method, path, "");
}

#endif
