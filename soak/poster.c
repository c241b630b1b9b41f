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
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER, printing = PTHREAD_MUTEX_INITIALIZER;

/* One a line; false at the end. */
static bool next_line(unsigned *page, unsigned *number)
{
	char line[100];
	bool got;

	pthread_mutex_lock(&reading);
	got = fgets(line, sizeof line, stdin) != NULL;
	pthread_mutex_unlock(&reading);
	return got && sscanf(line, "%u %u", page, number) == 2;
}

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
	return !strstr(answer, "\"outcome\":\"past\""); /* another client was faster with a later one */
}

static void *report(void *nothing)
{
	int fd = soak_dial(&server, 30);
	unsigned page, number;

	while (next_line(&page, &number))
		if (post(fd, page, number)) {
			pthread_mutex_lock(&printing);
			printf("%u %u\n", page, number);
			fflush(stdout);
			pthread_mutex_unlock(&printing);
		}
	close(fd);
	return nothing;
}

int main(int argc, char **argv)
{
	static const char *const options[] = { "--now=2999-01-01", "--log-level=warning", NULL };
	pthread_t clients[CLIENTS];
	char log[200];

	if (argc != 2)
		return 2;
	snprintf(log, sizeof log, "%s/log", argv[1]);
	server = soak_server_start(argv[1], log, options);
	for (int i = 0; i < CLIENTS; i++)
		pthread_create(&clients[i], NULL, report, NULL);
	for (int i = 0; i < CLIENTS; i++)
		pthread_join(clients[i], NULL);
	unlink(log);
	return soak_server_stop(&server);
}
