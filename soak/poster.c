/*
 * Lines "PAGE NUMBER" on standard input become reports over HTTP, by as many clients at once; each is printed when it
 * was answered.  It starts the server, which dies with it: who kills this kills that.
 *
 *	soak/poster STORE
 */
#include "soak/http.h"
#include "soak/lines.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLIENTS 8
#define HOSTS 50

static struct soak_server server;
static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;

/* A page is always the same client's, so that what is acknowledged of it is printed in its order. */
struct client {
	pthread_t thread;
	FILE *to, *from; /* the ends of a pipe with its lines */
};

/* Whether the server says that it took it. */
static bool post(int fd, unsigned page, unsigned number)
{
	char text[200], request[800], answer[1000];
	int body = snprintf(text, sizeof text, "page %u in version %u: one two three four five %u six seven eight nine ten",
	                    page, number, number);
	int length = snprintf(request, sizeof request,
	                      "POST /v1/observe?url=http://h%u.example/%u&time=%lld HTTP/1.1\r\nHost: x\r\n"
	                      "Content-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s",
	                      page % HOSTS, page, (long long)soak_time(number), body, text);

	if (!soak_send(fd, request, (size_t)length) || soak_receive(fd, answer, sizeof answer) != 200)
		return false;
	return strstr(answer, "\"next_time\"") != NULL; /* a refusal has none */
}

static void *report(void *argument)
{
	struct client *client = argument;
	int fd = soak_dial(&server, 30);
	unsigned page, number;

	while (fscanf(client->from, "%u %u", &page, &number) == 2)
		if (post(fd, page, number)) {
			pthread_mutex_lock(&printing);
			printf("%u %u\n", page, number);
			fflush(stdout);
			pthread_mutex_unlock(&printing);
		}
	close(fd);
	return NULL;
}

static void start(struct client *client)
{
	int ends[2];

	if (pipe(ends))
		exit(1);
	client->from = fdopen(ends[0], "r");
	client->to = fdopen(ends[1], "w");
	pthread_create(&client->thread, NULL, report, client);
}

int main(int argc, char **argv)
{
	static const char *const options[] = { "--now=2999-01-01", "--log-level=warning", NULL };
	struct client clients[CLIENTS];
	unsigned page, number;
	char log[200];

	if (argc != 2)
		return 2;
	snprintf(log, sizeof log, "%s/log", argv[1]);
	server = soak_server_start(argv[1], log, options);
	for (int i = 0; i < CLIENTS; i++)
		start(&clients[i]);
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
