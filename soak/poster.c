/*
 * Reads lines "PAGE NUMBER" from standard input and reports them over HTTP, with several clients at once; each line is
 * printed when it was answered.  It starts the server, which dies with it: a kill of this process kills both.
 *
 * 	soak/poster STORE [hints]
 *
 * With "hints" most lines become hints instead, which one of three sources gives of the page.  For a page that was not known
 * it prints "PAGE 1", since a hint that adds a page leaves nothing else of itself.
 */
#include "soak/http.h"
#include "soak/lines.h"

#include "perennial/time.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CLIENTS 8
#define HOSTS 50
#define SOURCES 3
#define LATER_S 30000000000 /* about a thousand years */
#define REPORT_OF 4 /* with hints, one of so many lines is a report, because hints only count for pages that were visited */

static struct soak_server server;
static bool gives_hints;
static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;

/* A page always belongs to the same client, so that its acknowledgements are printed in order. */
struct client {
	pthread_t thread;
	FILE *to, *from; /* the ends of a pipe with its lines */
};

/* Asks, and copies the body of the answer; false: there is none, or it is a refusal. */
static bool ask(int fd, const char *target, const char *type, const char *body, char answer[1000])
{
	char request[800];
	int length = snprintf(request, sizeof request,
	                      "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n%s", target, type,
	                      strlen(body), body);

	return soak_send(fd, request, (size_t)length) && soak_receive(fd, answer, 1000) == 200;
}

/* Reports a page; returns if the server says that it took the report. */
static bool post(int fd, unsigned page, unsigned number)
{
	char text[200], target[100], answer[1000];

	snprintf(text, sizeof text, "page %u in version %u: one two three four five %u six seven eight nine ten", page, number, number);
	snprintf(target, sizeof target, "/v1/observe?url=http://h%u.example/%u&time=%lld", page % HOSTS, page, (long long)soak_time(number));
	return ask(fd, target, "text/plain", text, answer) && strstr(answer, "\"next_time\""); /* a refusal has none */
}

/* Gives a hint.  Returns the number that the store has of the page from now on; 0: it may not have taken the hint. */
static unsigned hint(int fd, unsigned page, unsigned number)
{
	char text[200], answer[1000];

	snprintf(text, sizeof text, "{\"url\":\"http://h%u.example/%u\",\"time\":%lld,\"source\":\"source %u\"}\n", page % HOSTS,
	         page, (long long)soak_time(number), page % SOURCES);
	if (!ask(fd, "/v1/hint", "application/x-ndjson", text, answer))
		return 0;
	if (strstr(answer, "\"added\":1"))
		return 1;
	if (strstr(answer, "\"taken\":1") || strstr(answer, "\"named\":1"))
		return number;
	if (strstr(answer, "\"soon\":1"))
		return 0;
	/* Each hint is about a change that no visit has found and no hint has named, on a host that has room. */
	fprintf(stderr, "soak/poster: a hint of page %u, number %u, is answered with %s", page, number, answer);
	exit(1);
}

static void *report(void *argument)
{
	struct client *client = argument;
	int fd = soak_dial(&server, 30);
	unsigned page, number;

	while (fscanf(client->from, "%u %u", &page, &number) == 2) {
		unsigned stored = gives_hints && number % REPORT_OF ? hint(fd, page, number) : post(fd, page, number) ? number : 0;

		if (stored) {
			pthread_mutex_lock(&printing);
			printf("%u %u\n", page, stored);
			fflush(stdout);
			pthread_mutex_unlock(&printing);
		}
	}
	close(fd);
	return NULL;
}

int main(int argc, char **argv)
{
	char now[8 + PRN_TIME_TEXT] = "--now=";
	const char *const options[] = { now, "--log-level=warning", "--min-interval=1s", "--hints-per-day=1000000000", NULL };
	struct client clients[CLIENTS];
	unsigned page, number;
	char log[200];

	if (argc < 2 || argc > 3 || (argc == 3 && strcmp(argv[2], "hints") != 0))
		return 2;
	gives_hints = argc == 3;
	/*
	 * The server's clock stands still, far from the time of any line; that of the next server is later, so that hints
	 * about the same pages count again.
	 */
	prn_time_format((int64_t)time(NULL) + LATER_S, now + strlen(now));
	snprintf(log, sizeof log, "%s/log", argv[1]);
	server = soak_server_start(argv[1], log, options);
	for (int i = 0; i < CLIENTS; i++) {
		int ends[2];

		if (pipe(ends))
			exit(1);
		clients[i].from = fdopen(ends[0], "r");
		clients[i].to = fdopen(ends[1], "w");
		pthread_create(&clients[i].thread, NULL, report, &clients[i]);
	}
	while (scanf("%u %u", &page, &number) == 2) {
		FILE *to = clients[page % CLIENTS].to;

		fprintf(to, "%u %u\n", page, number);
		fflush(to);
	}
	for (int i = 0; i < CLIENTS; i++) {
		fclose(clients[i].to);
		pthread_join(clients[i].thread, NULL);
		fclose(clients[i].from);
	}
	return soak_server_stop(&server);
}
