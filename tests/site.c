/*
 * A small site that changes by a clock of its own, for tests that run a fetcher (tests/cli/loop.sh, tests/cli/fetchers.sh).
 *
 *	site serve CLOCK PORT		serves it on loopback as it is at the tick that the file CLOCK holds; the
 *					port, chosen by the system, is written to the file PORT
 *	site proxy LOG PORT		answers whatever it is asked for, as a proxy for all hosts, with a page, and adds what
 *					that was, as it was sent, to LOG; the port as above
 *	site history ORIGIN TICKS	every page at every tick 0 … TICKS as JSON lines, under http://ORIGIN/
 *	site score TRACE VISITS		what visits, lines of "URL time", cost and leave stale on the pages of TRACE,
 *					by the evaluator's own sums
 *
 * Tick n is START + n * TICK_S.
 */
#include "base/random.h"
#include "evaluate/replay.h"
#include "history/truth.h"
#include "perennial/time.h"
#include "perennial/trace.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define START 1767225600 /* 2026-01-01 */
#define TICK_S 43200
#define BODY_BYTES 16384
#define ITEM_WORDS 12

/* Text that stays, a list whose oldest item goes when a new one comes, and text that is new at every tick. */
static const struct page {
	const char *path;
	int lasting, items, every, churning; /* words, items, ticks between new ones, words */
} pages[] = {
	{ "/about", 200, 0, 1, 0 },  { "/news", 40, 10, 1, 0 },  { "/blog", 100, 10, 8, 0 }, { "/notes", 100, 10, 30, 0 },
	{ "/shop", 150, 0, 1, 30 },  { "/front", 60, 8, 3, 10 }, { "/feed", 10, 20, 2, 0 },  { "/archive", 300, 5, 90, 0 },
};

#define PAGES (sizeof pages / sizeof *pages)

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* Words of letters only, the same for the same seed. */
static void put_words(FILE *out, uint64_t seed, int count)
{
	struct prn_random random;

	prn_random_seed(&random, seed, (uint64_t)count);
	for (int i = 0; i < count; i++) {
		uint64_t bits = prn_random_bits(&random);

		for (int letter = 0; letter < 6; letter++, bits >>= 5)
			putc('a' + (int)(bits % 26), out);
		putc(' ', out);
	}
}

static void put_page(FILE *out, size_t number, int tick)
{
	const struct page *page = &pages[number];
	uint64_t seed = (uint64_t)(number + 1) << 32;

	fputs("<html><body><p>", out);
	put_words(out, seed, page->lasting);
	for (int i = 0; i < page->items; i++) {
		fputs("<li>", out);
		put_words(out, seed + 1000000 + (uint64_t)(tick / page->every - i + 1000), ITEM_WORDS);
	}
	if (page->churning) {
		fputs("<p>", out);
		put_words(out, seed + 2000000 + (uint64_t)tick, page->churning);
	}
	fputs("</body></html>", out);
}

static int read_clock(const char *path)
{
	FILE *file = fopen(path, "re");
	int tick = 0;

	if (!file || fscanf(file, "%d", &tick) != 1)
		die(path);
	fclose(file);
	return tick;
}

static void answer(FILE *client, const char *path, int tick)
{
	for (size_t i = 0; i < PAGES; i++)
		if (!strcmp(path, pages[i].path)) {
			fputs("HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n", client);
			put_page(client, i, tick);
			return;
		}
	if (!strcmp(path, "/moved"))
		fputs("HTTP/1.0 301 Moved\r\nLocation: /about\r\nContent-Length: 0\r\n\r\n", client);
	else if (!strcmp(path, "/busy"))
		fputs("HTTP/1.0 503 Busy\r\nRetry-After: 86400\r\nContent-Length: 0\r\n\r\n", client);
	else
		fputs("HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n", client);
}

static void serve_one(int file, const char *clock)
{
	FILE *client = fdopen(file, "r+e");
	char line[1024], path[256] = "";

	if (!client)
		die("fdopen");
	if (fgets(line, sizeof line, client))
		sscanf(line, "GET %255s", path);
	while (fgets(line, sizeof line, client) && strcmp(line, "\r\n") != 0)
		;
	fseek(client, 0, SEEK_CUR);
	answer(client, path, read_clock(clock));
	fclose(client);
}

/* What is asked for may be of any bytes but spaces. */
static void log_one(int file, const char *path)
{
	FILE *client = fdopen(file, "r+e"), *log = fopen(path, "ae");
	char line[8192], asked[8192] = "";

	if (!client || !log)
		die(path);
	if (fgets(line, sizeof line, client))
		sscanf(line, "GET %8191s", asked);
	while (fgets(line, sizeof line, client) && strcmp(line, "\r\n") != 0)
		;
	fprintf(log, "%s\n", asked);
	fclose(log);
	fseek(client, 0, SEEK_CUR);
	fputs("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nBoats leave the old pier at nine and at noon.\n", client);
	fclose(client);
}

static int serve(const char *port, void (*one)(int file, const char *about), const char *about)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof address;
	int client, listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	FILE *out = fopen(port, "we");

	if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) || listen(listener, 64) ||
	    getsockname(listener, (struct sockaddr *)&address, &length) || !out)
		die("serve");
	fprintf(out, "%d\n", ntohs(address.sin_port));
	fclose(out);
	while ((client = accept(listener, NULL, NULL)) >= 0)
		one(client, about);
	die("accept");
	return 1;
}

/* Pages hold nothing that JSON would want escaped. */
static int history(const char *origin, int ticks)
{
	for (int tick = 0; tick <= ticks; tick++)
		for (size_t i = 0; i < PAGES; i++) {
			printf("{\"url\":\"http://%s%s\",\"time\":%d,\"content_type\":\"text/html\",\"body\":\"", origin,
			       pages[i].path, START + tick * TICK_S);
			put_page(stdout, i, tick);
			puts("\"}");
		}
	return ferror(stdout) != 0;
}

/* Sums the visits that a file has of a page. */
static struct prn_score score_page(const struct prn_truth *truth, const char *url, int64_t start, FILE *visits)
{
	struct prn_score scores[PRN_WINDOWS];
	struct prn_replay replay;
	char line[1024], name[512], time[64];

	prn_replay_begin(&replay, truth);
	rewind(visits);
	while (fgets(line, sizeof line, visits)) {
		int64_t at;
		size_t capture;

		if (sscanf(line, "%511s %63s", name, time) != 2 || prn_time_parse(time, &at))
			die(line);
		if (strcmp(name, url) != 0)
			continue;
		capture = prn_truth_capture_at(truth, 0, (double)(at - start) / truth->unit_s);
		/* The first visit acquires the page, and is free. */
		if (capture > replay.now && capture < truth->captures)
			prn_replay_visit(&replay, capture);
	}
	prn_replay_end(&replay, scores);
	return scores[PRN_WINDOW_ALL];
}

static int score(const char *trace_path, const char *visits_path)
{
	FILE *visits = fopen(visits_path, "re");
	struct prn_score sum = { 0 };
	struct prn_error error;
	struct prn_trace *trace;
	struct prn_truth truth;
	struct prn_page page;
	size_t count;

	if (!visits || prn_trace_open(&trace, trace_path, &error))
		die(visits_path);
	prn_page_init(&page);
	prn_truth_init(&truth);
	count = prn_trace_pages(trace);
	for (size_t i = 0; i < count; i++) {
		struct prn_score one;

		if (prn_trace_page(trace, i, &page, &error) || prn_truth_read(&truth, &page, PRN_CLOCK_DAYS) != 1)
			die(trace_path);
		one = score_page(&truth, page.url, page.captures[0].time, visits);
		sum.cost += one.cost / (double)count;
		sum.staleness += one.staleness / (double)count;
	}
	printf("%.6f %.6f\n", sum.cost, sum.staleness);
	prn_truth_release(&truth);
	prn_page_release(&page);
	prn_trace_free(trace);
	fclose(visits);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "serve"))
		return serve(argv[3], serve_one, argv[2]);
	if (argc == 4 && !strcmp(argv[1], "proxy"))
		return serve(argv[3], log_one, argv[2]);
	if (argc == 4 && !strcmp(argv[1], "history"))
		return history(argv[2], atoi(argv[3]));
	if (argc == 4 && !strcmp(argv[1], "score"))
		return score(argv[2], argv[3]);
	fputs("site serve CLOCK PORT | proxy LOG PORT | history ORIGIN TICKS | score TRACE VISITS\n", stderr);
	return 2;
}
