/*
 * Abuses a server for a while: malformed, truncated and over-long requests, wrong encodings, damaged uploads, floods of
 * connections, clients that hang up; among them good requests, which must be answered.  Afterwards the server must be
 * alive, its memory flat, and its exit clean: built with sanitizers, that is no leak and no fault.
 *
 *	soak/abuse SECONDS SEED
 */
#include "base/random.h"
#include "soak/http.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CLIENTS 8
#define FLOOD 150
#define BODY_MOST 65536
#define GROWTH_MIB 24.0 /* growth of memory that is allowed over the last two thirds: allocators and caches vary */

static struct soak_server server;
static atomic_bool stopping;
static atomic_ulong sent, refused, unanswered, good, bad;

struct client {
	pthread_t thread;
	struct prn_random random;
	char body[BODY_MOST], request[2 * BODY_MOST], answer[BODY_MOST];
};

static size_t below(struct client *client, size_t bound)
{
	return (size_t)prn_random_below(&client->random, bound);
}

/* Sends bytes on a new connection, reads the answer, and hangs up, half the time rudely. */
static void throw(struct client *client, const char *bytes, size_t length)
{
	const struct linger rude = { 1, 0 };
	int fd = soak_dial(&server, 1);

	if (fd < 0)
		return;
	sent++;
	if (soak_send(fd, bytes, length)) {
		if (below(client, 3))
			shutdown(fd, SHUT_WR);
		if (below(client, 4)) {
			int status = soak_receive(fd, client->answer, sizeof client->answer);

			unanswered += !status;
			refused += status >= 400;
		}
	}
	if (below(client, 2))
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &rude, sizeof rude);
	close(fd);
}

static void fill_random(struct client *client, size_t length)
{
	for (size_t i = 0; i < length; i++)
		client->body[i] = (char)prn_random_bits(&client->random);
}

/* Fills in a page, some bytes of which are changed. */
static size_t fill_page(struct client *client, size_t damage)
{
	static const char piece[] = "<div class=\"a\"><p>Boats to the <b>islands</b> leave &amp; come; \xc3\xa9\xe4\xb8\xad</p>"
				    "<![CDATA[x]]><script>if (a<b) {}</script><table><tr><td>{\"url\":[1,2]}";
	size_t length = below(client, BODY_MOST);

	for (size_t i = 0; i < length; i++)
		client->body[i] = piece[i % (sizeof piece - 1)];
	for (size_t i = 0; i < damage && length; i++)
		client->body[below(client, length)] = (char)prn_random_bits(&client->random);
	return length;
}

static void garbage(struct client *client)
{
	size_t length = 1 + below(client, 3000);

	fill_random(client, length);
	throw(client, client->body, length);
}

/* Writes a good head that is damaged in some bytes, or cut. */
static void damaged_head(struct client *client)
{
	static const char *const heads[] = {
		"GET /v1/due?limit=3&lease=0s HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST /v1/due?limit=3&lease=0s HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
		"POST /v1/observe?url=http://a.example/%41%00%ff HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
		"POST /v1/observe HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\nfffffffffffffffff\r\n",
		"POST /v1/pages HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
		"POST /v1/pages HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
		"GET /?url=%3Cscript%3E%f0%28 HTTP/1.1\r\nHost: x\r\nOrigin: null\r\n\r\n",
		"DELETE /v1/pages?prefix=(example,zz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
		"GET /metrics HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST /v1/tune?budget=1e308 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
	};
	const char *head = heads[below(client, sizeof heads / sizeof *heads)];
	size_t length = strlen(head);

	memcpy(client->request, head, length);
	for (size_t i = below(client, 4); i > 0; i--)
		client->request[below(client, length)] = (char)prn_random_bits(&client->random);
	throw(client, client->request, below(client, 3) ? length : below(client, length + 1));
}

static void long_head(struct client *client)
{
	size_t length = (size_t)snprintf(client->request, 200, "GET /v1/page?url=http://a.example/ HTTP/1.1\r\nHost: x\r\nX: ");
	size_t more = below(client, BODY_MOST);

	memset(client->request + length, 'a', more);
	memcpy(client->request + length + more, "\r\n\r\n", 4);
	throw(client, client->request, length + more + 4);
}

/* Sends a body of random bytes, a damaged page or a batch, which is declared shorter or longer than it is. */
static void odd_body(struct client *client)
{
	static const char *const targets[] = { "/v1/observe?url=http://o.example/", "/v1/observe", "/v1/pages" };
	static const char *const types[] = { "text/html", "text/html; charset=utf-7", "application/json", "application/warc",
		                             "application/x-ndjson", "application/gzip", "image/png", "application/xml" };
	size_t length = fill_page(client, below(client, 200)), head;
	long long told = (long long)length + (below(client, 3) ? 0 : (long long)below(client, 100) - 50);

	if (!below(client, 4))
		fill_random(client, length);
	head = (size_t)snprintf(client->request, 1000,
	                        "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\n%sContent-Length: %lld\r\n\r\n",
	                        targets[below(client, 3)], types[below(client, 8)],
	                        below(client, 10) ? "" : "Content-Encoding: gzip\r\n", told < 0 ? 0 : told);
	memcpy(client->request + head, client->body, length);
	throw(client, client->request, head + length);
}

static void batch(struct client *client)
{
	static const char line[] = "{\"url\":\"http://b%zu.example/\",\"status\":%zu,\"content_type\":\"text/html\",\"body\":"
				   "\"<p>one two three four five %zu six\"%s\n";
	size_t length = 0, head;
	char text[400];

	for (size_t i = 1 + below(client, 100); i > 0; i--) {
		int n = snprintf(text, sizeof text, line, below(client, 300), below(client, 2) ? 200 : below(client, 700),
		                 below(client, 1000), below(client, 20) ? "}" : "");

		memcpy(client->body + length, text, (size_t)n);
		length += (size_t)n;
	}
	head = (size_t)snprintf(client->request, 1000,
	                        "POST /v1/observe HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
	                        "Content-Length: %zu\r\n\r\n",
	                        length);
	memcpy(client->request + head, client->body, length);
	throw(client, client->request, head + length);
}

/* Opens many connections that send nothing, or half a request. */
static void flood(struct client *client)
{
	int fds[FLOOD];

	for (int i = 0; i < FLOOD; i++) {
		fds[i] = soak_dial(&server, 1);
		if (fds[i] >= 0 && below(client, 2))
			soak_send(fds[i], "POST /v1/pages HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhttp", 60);
	}
	for (int i = 0; i < FLOOD; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	sent += FLOOD;
}

/* Sends three requests on one connection, each of which must be answered well. */
static void well(struct client *client)
{
	int fd = soak_dial(&server, 30), status = 200;

	for (int i = 0; i < 3 && fd >= 0 && status == 200; i++) {
		size_t length = fill_page(client, 0);
		size_t head = (size_t)snprintf(client->request, 1000,
		                               "POST /v1/observe?url=http://w%zu.example/ HTTP/1.1\r\nHost: x\r\n"
		                               "Content-Type: text/html\r\nContent-Length: %zu\r\n\r\n",
		                               below(client, 1000), length);

		memcpy(client->request + head, client->body, length);
		soak_send(fd, client->request, head + length);
		status = soak_receive(fd, client->answer, sizeof client->answer);
		*(status == 200 ? &good : &bad) += 1;
		if (status != 200)
			printf("a good request got %d: %.200s\n", status, client->answer);
	}
	bad += fd < 0;
	close(fd);
}

static void *abuse(void *argument)
{
	static void (*const ways[])(struct client *client) = { garbage, damaged_head, damaged_head, long_head, odd_body,
		                                               odd_body, batch, well };
	struct client *client = argument;

	while (!stopping)
		if (below(client, 300))
			ways[below(client, sizeof ways / sizeof *ways)](client);
		else
			flood(client);
	return NULL;
}

static double memory_mib(void)
{
	char path[64], line[200];
	double kib = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)server.pid);
	file = fopen(path, "r");
	/* This is RssAnon, because the system may keep or drop the pages of the store that are mapped. */
	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "RssAnon: %lf", &kib) == 1)
			break;
	if (file)
		fclose(file);
	return kib / 1024;
}

int main(int argc, char **argv)
{
	static const char *const options[] = { "--connections=512", "--timeout=2s", "--max-body=256K", "--max-upload=1M",
		                               "--log-level=warning", NULL };
	static struct client clients[CLIENTS];
	unsigned seconds = argc == 3 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
	double third = 0, last;
	char store[64], log[80];
	int code;

	if (seconds < 3) {
		fprintf(stderr, "Usage: soak/abuse SECONDS SEED\n");
		return 2;
	}
	/* A sanitizer holds freed memory, by default 256 MiB: that is no leak. */
	setenv("ASAN_OPTIONS", "quarantine_size_mb=8", 0);
	snprintf(store, sizeof store, "soak-abuse-%ld", (long)getpid());
	snprintf(log, sizeof log, "%s.log", store);
	server = soak_server_start(store, log, options);
	for (size_t i = 0; i < CLIENTS; i++) {
		prn_random_seed(&clients[i].random, strtoul(argv[2], NULL, 10), i);
		pthread_create(&clients[i].thread, NULL, abuse, &clients[i]);
	}
	for (unsigned second = 1; second <= seconds; second++) {
		sleep(1);
		if (second == (seconds + 2) / 3)
			third = memory_mib();
	}
	last = memory_mib();
	stopping = true;
	for (size_t i = 0; i < CLIENTS; i++)
		pthread_join(clients[i].thread, NULL);
	code = soak_server_stop(&server);
	printf("abuse: %u s, %lu bad requests (%lu refused, %lu without an answer), %lu good ones answered, %lu not; memory "
	       "%.1f MiB after a third, %.1f at the end; exit %d\n",
	       seconds, (unsigned long)sent, (unsigned long)refused, (unsigned long)unanswered, (unsigned long)good,
	       (unsigned long)bad, third, last, code);
	if (good < seconds || refused < seconds)
		printf("abuse: too little was done to show anything: fewer requests were answered well, or refused, than seconds went by\n");
	if (code || bad || good < seconds || refused < seconds || last > third + GROWTH_MIB) {
		printf("abuse: failed; the log is in %s\n", log);
		return 1;
	}
	return 0;
}
