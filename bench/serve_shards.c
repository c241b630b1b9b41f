/*
 * Measures perennial serve with a store in a cluster that is spread over more and more objects: durable reports per second,
 * by as many clients as there are, on a thousand hosts.  PERENNIAL_RADOS is where the stores may be made,
 * "rados:POOL/NAME?conf=FILE"; without it there are no rows.  Times are wall-clock times.
 */
#include "bench/bench.h"
#include "bench/scratch.h"

#include "perennial/decider.h"
#include "soak/http.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define CLIENTS 256
#define HOSTS 1000
#define SECONDS 5.0
#define ADDRESS_BYTES 600

static struct soak_server server;
static double until;

struct client {
	pthread_t thread;
	unsigned id;
	size_t count, failed;
};

static void *report(void *argument)
{
	struct client *client = argument;
	int fd = soak_dial(&server, 60);
	char request[1000], body[400], answer[2000];

	while (fd >= 0 && bench_now(BENCH_WALL) < until) {
		size_t number = client->count * CLIENTS + client->id, length;
		int bytes = snprintf(body, sizeof body, "page %zu of some words that stay, and a few that do not: %zu", number % 20000, number);

		length = (size_t)snprintf(request, sizeof request,
		                          "POST /v1/observe?url=http://h%zu.example/%zu HTTP/1.1\r\nHost: x\r\n"
		                          "Content-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s",
		                          number % HOSTS, number % 20000, bytes, body);
		if (!soak_send(fd, request, length) || soak_receive(fd, answer, sizeof answer) != 200)
			client->failed++;
		client->count++;
	}
	close(fd);
	return NULL;
}

/* Returns the reports per second; *all: each was acknowledged. */
static double run_clients(double seconds, int *all)
{
	static struct client clients[CLIENTS];
	double start = bench_now(BENCH_WALL);
	size_t count = 0, failed = 0;

	until = start + seconds;
	for (unsigned i = 0; i < CLIENTS; i++) {
		clients[i] = (struct client){ .id = i };
		pthread_create(&clients[i].thread, NULL, report, &clients[i]);
	}
	for (unsigned i = 0; i < CLIENTS; i++) {
		pthread_join(clients[i].thread, NULL);
		count += clients[i].count;
		failed += clients[i].failed;
	}
	*all = !failed && count;
	return (double)count / (bench_now(BENCH_WALL) - start);
}

static double measure(const char *place, unsigned shards, double one)
{
	static const char *const options[] = { "--log-level=warning", "--suspect-above=2", "--no-token", NULL };
	const struct prn_decider_settings settings = { .threshold = 0.05, .shards = shards };
	char address[ADDRESS_BYTES], log[300], figure[100];
	struct prn_error error = { 0 };
	size_t end = strcspn(place, "?");
	double rate;
	int all;

	/* "rados:POOL/NAME-PID-SHARDS?conf=FILE" */
	snprintf(address, sizeof address, "%.*s-%ld-%u%s", (int)end, place, (long)getpid(), shards, place + end);
	scratch_path(log);
	strcat(log, ".log");
	bench_check(prn_decider_create(address, &settings, &error), &error);
	server = soak_server_start(address, log, options);
	run_clients(1, &all);
	rate = run_clients(SECONDS, &all);
	snprintf(figure, sizeof figure, "serve over %u object%s of a cluster: durable reports, %d clients", shards, shards > 1 ? "s" : "", CLIENTS);
	bench_row(figure, "all answered", rate, "1/s", all);
	if (one > 0)
		bench_row("  of those over one object", ">= 1", rate / one, "x", rate >= one);
	if (soak_server_stop(&server))
		exit(1);
	unlink(log);
	return rate;
}

int main(void)
{
	static const unsigned shards[] = { 4, 16, 64 };
	const char *place = getenv("PERENNIAL_RADOS");
	double one;

	if (!place) {
		printf("# serve over a cluster: no rows: PERENNIAL_RADOS=rados:POOL/NAME?conf=FILE is where stores may be made\n");
		return 0;
	}
	one = measure(place, 1, 0);
	for (size_t i = 0; i < sizeof shards / sizeof *shards; i++)
		measure(place, shards[i], one);
	return 0;
}
