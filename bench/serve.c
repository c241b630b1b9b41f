/*
 * Measures perennial serve under load: reports per second, and how long each waits for its durable answer, by number of
 * clients and size of pages; beside it the floor, which is reading the same pages without a server.  Times are wall-clock
 * times, because the disk is part of what is measured.  SERVE_SECONDS (3) is the time of each row; the store is made in
 * STORE_FOLDER.
 */
#include "bench/bench.h"
#include "bench/scratch.h"

#include "perennial/observation.h"
#include "soak/http.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define CLIENTS_MOST 64
#define LATENCIES 200000 /* latencies that are kept for a client */
#define PAGES 400        /* pages that a client reports in turn */
#define REQUEST_BYTES 60000
#define SMALL 200
#define LARGE 50000

static struct soak_server server;
static size_t body_bytes;
static int64_t first_time;
static double until;

struct client {
	pthread_t thread;
	unsigned id;
	size_t count, failed;
	double *latencies; /* seconds */
	char request[REQUEST_BYTES], answer[2000];
};

/* Makes a page with markup and different words each time, body_bytes long. */
static size_t write_page(char *out, unsigned client, size_t n)
{
	size_t used = (size_t)snprintf(out, 200, "<html><title>%u %zu</title><body>", client, n);

	for (size_t i = 0; used + 120 < body_bytes; i++)
		used += (size_t)snprintf(out + used, 120, "<p class=\"line\">word%zu boats <b>leave%zu</b> the old pier at %zu</p>\n",
		                         i * 7 % 1009, i % 13 ? i : n, i + client);
	memset(out + used, ' ', body_bytes - used);
	return body_bytes;
}

static void *report(void *argument)
{
	struct client *client = argument;
	char *page = malloc(body_bytes + 1);
	int fd = soak_dial(&server, 60);

	while (page && fd >= 0 && client->count < LATENCIES && bench_now(BENCH_WALL) < until) {
		size_t length = write_page(page, client->id, client->count), head;
		double start;

		head = (size_t)snprintf(client->request, 1000,
		                        "POST /v1/observe?url=http://h%u.example/%zu&time=%lld HTTP/1.1\r\nHost: x\r\n"
		                        "Content-Type: text/html\r\nContent-Length: %zu\r\n\r\n",
		                        client->id, client->count % PAGES, (long long)first_time + (long long)client->count, length);
		memcpy(client->request + head, page, length);
		start = bench_now(BENCH_WALL);
		if (!soak_send(fd, client->request, head + length) ||
		    soak_receive(fd, client->answer, sizeof client->answer) != 200)
			client->failed++;
		client->latencies[client->count++] = bench_now(BENCH_WALL) - start;
	}
	close(fd);
	free(page);
	return NULL;
}

/* Returns the pages per second that one core turns into observations. */
static double floor_rate(void)
{
	static char page[REQUEST_BYTES];
	struct prn_extractor *extractor;
	struct prn_observation observation;
	double spent = 0;
	size_t n = 0;

	if (prn_extractor_open(&extractor, 0, 8))
		exit(1);
	prn_observation_init(&observation);
	do {
		struct prn_capture capture = { .url = "http://a.example/", .normal_url = "http://a.example/",
			                       .kind = PRN_KIND_CONTENT, .status = 200, .content_type = "text/html",
			                       .body = (const unsigned char *)page, .modified = PRN_TIME_UNKNOWN,
			                       .retry_after_s = PRN_TIME_UNKNOWN };

		double start;

		capture.body_bytes = write_page(page, 1, n);
		start = bench_now(BENCH_CPU);
		if (prn_observation_make(&observation, &capture, 8, extractor, 0, NULL))
			exit(1);
		spent += bench_now(BENCH_CPU) - start;
		n++;
	} while (spent < 0.5);
	prn_observation_release(&observation);
	prn_extractor_free(extractor);
	return (double)n / spent;
}

static void row(struct client *clients, unsigned count, double seconds, double floor)
{
	static double all[CLIENTS_MOST * (size_t)20000];
	char figure[100];
	size_t n = 0, failed = 0;
	double start = bench_now(BENCH_WALL), rate;

	until = start + seconds;
	for (unsigned i = 0; i < count; i++) {
		clients[i].id = i;
		clients[i].count = clients[i].failed = 0;
		pthread_create(&clients[i].thread, NULL, report, &clients[i]);
	}
	for (unsigned i = 0; i < count; i++) {
		pthread_join(clients[i].thread, NULL);
		for (size_t j = 0; j < clients[i].count && n < sizeof all / sizeof *all; j++)
			all[n++] = clients[i].latencies[j];
		failed += clients[i].failed;
	}
	rate = (double)n / (bench_now(BENCH_WALL) - start);
	first_time += LATENCIES;
	qsort(all, n, sizeof *all, bench_order);
	snprintf(figure, sizeof figure, "serve: %u client%s, %zu B: reports", count, count > 1 ? "s" : "", body_bytes);
	bench_row(figure, "all answered", rate, "1/s", !failed && n);
	snprintf(figure, sizeof figure, "  of the floor, %.0f pages/s a core", floor);
	/* Clients and server share the cores, and small pages cost requests and the disk, not parsing. */
	if (count == CLIENTS_MOST && body_bytes == LARGE)
		bench_row(figure, "≥ 0.5 x", rate / floor, "x", rate >= 0.5 * floor);
	else
		bench_row(figure, "-", rate / floor, "x", 1);
	bench_row("  wait for the durable answer, p50", "-", n ? 1e3 * all[n / 2] : 0, "ms", 1);
	bench_row("  wait for the durable answer, p99", "-", n ? 1e3 * all[n * 99 / 100] : 0, "ms", 1);
}

int main(void)
{
	static const char *const options[] = { "--log-level=warning", "--suspect-above=2", NULL };
	static const unsigned counts[] = { 1, 8, CLIENTS_MOST };
	static const size_t sizes[] = { SMALL, LARGE };
	static struct client clients[CLIENTS_MOST];
	double seconds = getenv("SERVE_SECONDS") ? atof(getenv("SERVE_SECONDS")) : 3;
	char store[256], log[300];

	scratch_path(store);
	snprintf(log, sizeof log, "%s.log", store);
	server = soak_server_start(store, log, options);
	first_time = (int64_t)time(NULL) - 100000000;
	for (unsigned i = 0; i < CLIENTS_MOST; i++)
		clients[i].latencies = malloc(LATENCIES * sizeof(double));
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		double floor;

		body_bytes = sizes[i];
		floor = floor_rate();
		for (size_t j = 0; j < sizeof counts / sizeof *counts; j++)
			row(clients, counts[j], seconds, floor);
	}
	for (unsigned i = 0; i < CLIENTS_MOST; i++)
		free(clients[i].latencies);
	if (soak_server_stop(&server))
		return 1;
	scratch_remove(store);
	unlink(log);
	return 0;
}
