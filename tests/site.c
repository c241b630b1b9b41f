/*
 * A small site that changes by a clock of its own, for tests that run a fetcher (tests/cli/loop.sh, tests/cli/fetchers.sh,
 * soak/month.sh).
 *
 *	site serve CLOCK PORT [COPIES FILLING [mute]]
 *					serves it on loopback as it is at the tick that the file CLOCK holds; the
 *					port, chosen by the system, is written to the file PORT, and "STATUS PATH" of
 *					each answer is added to the file PORT.log, "TICK STATUS BYTES PATH" to PORT.bytes.
 *					Pages have an ETag, and are answered 304 where that is sent back; "/dated" has a
 *					Last-Modified instead; "/sitemap.xml" tells when what lasts of them has changed.
 *					COPIES (1) of each page, with so many bytes of style sheet each; mute: no ETags and
 *					no sitemap
 *	site proxy LOG PORT		answers whatever it is asked for, as a proxy for all hosts, with a page, and adds what
 *					that was, as it was sent, to LOG; the port as above
 *	site history ORIGIN TICKS [COPIES]
 *					every page at every tick 0 … TICKS as JSON lines, under http://ORIGIN/
 *	site score TRACE VISITS		what visits, lines of "URL time", cost and leave stale on the pages of TRACE,
 *					by the evaluator's own sums
 *
 * Tick n is START + n * TICK_S.
 */
#include "base/random.h"
#include "evaluate/replay.h"
#include "history/truth.h"
#include "perennial/digest.h"
#include "perennial/time.h"
#include "perennial/trace.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define START 1767225600 /* 2026-01-01 */
#define TICK_S 43200
#define COPY_TICKS 7 /* a copy is ahead of the one before it by so many */
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

/* number: of the page, and behind all pages those of the next copy. */
static const struct page *page_of(size_t number)
{
	return &pages[number % PAGES];
}

static void put_path(FILE *out, size_t number)
{
	fputs(page_of(number)->path, out);
	if (number >= PAGES)
		fprintf(out, "/%zu", number / PAGES);
}

static void put_page(FILE *out, size_t number, int tick)
{
	const struct page *page = page_of(number);
	uint64_t seed = (uint64_t)(number + 1) << 32;

	tick += (int)(number / PAGES) * COPY_TICKS;

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

/* The tick at which the newest item of a page came. */
static int newest(size_t number, int tick)
{
	const struct page *page = page_of(number);

	return page->items ? tick - (tick + (int)(number / PAGES) * COPY_TICKS) % page->every : 0;
}

static void put_sitemap(FILE *out, size_t copies, int tick)
{
	char date[PRN_TIME_TEXT];

	fputs("<?xml version=\"1.0\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n", out);
	for (size_t i = 0; i < copies * PAGES; i++) {
		fputs("<url><loc>", out);
		put_path(out, i);
		fprintf(out, "</loc><lastmod>%s</lastmod></url>\n", prn_time_format(START + (int64_t)newest(i, tick) * TICK_S, date));
	}
	fputs("</urlset>\n", out);
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

/* What a request said. */
struct request {
	char path[256], etag[64], since[64];
};

static struct request read_request(FILE *client)
{
	struct request request = { 0 };
	char line[1024];

	if (fgets(line, sizeof line, client))
		sscanf(line, "GET %255s", request.path);
	while (fgets(line, sizeof line, client) && strcmp(line, "\r\n") != 0) {
		sscanf(line, "If-None-Match: %63[^\r\n]", request.etag);
		sscanf(line, "If-Modified-Since: %63[^\r\n]", request.since);
	}
	fseek(client, 0, SEEK_CUR);
	return request;
}

/*
 * Each answer says that the connection ends with it: wget would else send its next request into one that is just being closed, and
 * have it reset.
 */

/* Content with a header that tells it, or 304 where the request says that it has it; returns the status. */
static int answer_content(FILE *client, const char *header, bool has_it, const char *text, size_t length)
{
	fprintf(client, "HTTP/1.0 %s\r\nConnection: close\r\n%s\r\n", has_it ? "304 Not Modified" : "200 OK", header);
	if (has_it) {
		fputs("\r\n", client);
		return 304;
	}
	fprintf(client, "Content-Type: %s\r\nContent-Length: %zu\r\n\r\n", *text == '<' && text[1] == '?' ? "application/xml" : "text/html",
	        length);
	fwrite(text, 1, length, client);
	return 200;
}

struct site {
	const char *clock, *log, *bytes;
	size_t copies;
	int filling;
	bool mute;
};

#define SITEMAP SIZE_MAX

static int answer_page(FILE *client, const struct site *site, size_t number, int tick, const struct request *request)
{
	char *text = NULL, etag[64], header[128];
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	int status;

	if (!out)
		die("open_memstream");
	if (number == SITEMAP)
		put_sitemap(out, site->copies, tick);
	else
		put_page(out, number, tick);
	if (number != SITEMAP && site->filling)
		fprintf(out, "<style>%*s</style>", site->filling, "");
	fclose(out);
	snprintf(etag, sizeof etag, "W/\"%016llx\"", (unsigned long long)prn_digest_bytes(text, length).high);
	snprintf(header, sizeof header, site->mute ? "Server: site" : "ETag: %s", etag);
	status = answer_content(client, header, !site->mute && !strcmp(request->etag, etag), text, length);
	free(text);
	return status;
}

/* The number of the page of a path, or all there are. */
static size_t find_page(const struct site *site, const char *path)
{
	size_t number = 0, count = site->copies * PAGES;

	for (; number < count; number++) {
		char text[64];
		FILE *out = fmemopen(text, sizeof text, "w");

		if (!out)
			die("fmemopen");
		put_path(out, number);
		fclose(out);
		if (!strcmp(path, text))
			break;
	}
	return number;
}

static int answer(FILE *client, const struct site *site, const struct request *request, int tick)
{
	size_t number = find_page(site, request->path);
	static const char dated[] = "<p>Boats to the islands leave the old pier at nine and at noon.</p>";
	static const char date[] = "Thu, 01 Jan 2026 00:00:00 GMT";

	if (number < site->copies * PAGES)
		return answer_page(client, site, number, tick, request);
	if (!strcmp(request->path, "/sitemap.xml") && !site->mute)
		return answer_page(client, site, SITEMAP, tick, request);
	if (!strcmp(request->path, "/dated"))
		return answer_content(client, "Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT", !strcmp(request->since, date),
		                      dated, sizeof dated - 1);
	if (!strcmp(request->path, "/moved")) {
		fputs("HTTP/1.0 301 Moved\r\nConnection: close\r\nLocation: /about\r\nContent-Length: 0\r\n\r\n", client);
		return 301;
	}
	if (!strcmp(request->path, "/busy")) {
		fputs("HTTP/1.0 503 Busy\r\nConnection: close\r\nRetry-After: 86400\r\nContent-Length: 0\r\n\r\n", client);
		return 503;
	}
	fputs("HTTP/1.0 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", client);
	return 404;
}

static void serve_one(int file, const void *about)
{
	const struct site *site = about;
	FILE *client = fdopen(file, "r+e"), *log = fopen(site->log, "ae"), *bytes = fopen(site->bytes, "ae"), *out;
	int status, tick = read_clock(site->clock);
	struct request request;
	char *text = NULL;
	size_t length = 0;

	out = open_memstream(&text, &length);
	if (!client || !log || !bytes || !out)
		die("serve");
	request = read_request(client);
	status = answer(out, site, &request, tick);
	fclose(out);
	fprintf(log, "%d %s\n", status, request.path);
	fprintf(bytes, "%d %d %zu %s\n", tick, status, length, request.path);
	fclose(log);
	fclose(bytes);
	fwrite(text, 1, length, client);
	fclose(client);
	free(text);
}

/* What is asked for may be of any bytes but spaces. */
static void log_one(int file, const void *about)
{
	const char *path = about;
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
	fputs("HTTP/1.0 200 OK\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\nBoats leave the old pier at nine and at noon.\n", client);
	fclose(client);
}

static int serve(const char *port, void (*one)(int file, const void *about), const void *about)
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

static int serve_site(const char *clock, const char *port, int copies, int filling, bool mute)
{
	char log[1024], bytes[1024];
	const struct site site = { clock, log, bytes, (size_t)copies, filling, mute };

	snprintf(log, sizeof log, "%s.log", port);
	snprintf(bytes, sizeof bytes, "%s.bytes", port);
	return serve(port, serve_one, &site);
}

/* Pages hold nothing that JSON would want escaped. */
static int history(const char *origin, int ticks, int copies)
{
	for (int tick = 0; tick <= ticks; tick++)
		for (size_t i = 0; i < (size_t)copies * PAGES; i++) {
			printf("{\"url\":\"http://%s", origin);
			put_path(stdout, i);
			printf("\",\"time\":%d,\"content_type\":\"text/html\",\"body\":\"", START + tick * TICK_S);
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
	if ((argc == 4 || argc == 6 || argc == 7) && !strcmp(argv[1], "serve"))
		return serve_site(argv[2], argv[3], argc > 4 ? atoi(argv[4]) : 1, argc > 5 ? atoi(argv[5]) : 0, argc > 6);
	if (argc == 4 && !strcmp(argv[1], "proxy"))
		return serve(argv[3], log_one, argv[2]);
	if ((argc == 4 || argc == 5) && !strcmp(argv[1], "history"))
		return history(argv[2], atoi(argv[3]), argc > 4 ? atoi(argv[4]) : 1);
	if (argc == 4 && !strcmp(argv[1], "score"))
		return score(argv[2], argv[3]);
	fputs("site serve CLOCK PORT [COPIES FILLING [mute]] | proxy LOG PORT | history ORIGIN TICKS [COPIES] | score TRACE VISITS\n", stderr);
	return 2;
}
