/*
 * A daemon whose store is in a cluster, of which each operation in turn fails: clients are told to come again, and what they
 * were told is taken is there.
 */
#include "running.h"

#include "../librados.h"
#include "perennial/explanation.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#define STORE "rados:pool/store"
#define FIRST 1000   /* number of a request */
#define MOST 20000   /* numbers */
#define WRONG_TOLD 20
#define OPERATIONS 400 /* of a request, at most */

/* A request; %u in path and body is a number of its own. */
static const struct question {
	const char *method, *path, *type, *body;
	bool reports; /* the page /%u, of the host that path or body names */
} questions[] = {
	{ "POST", "/v1/observe?url=http://a.example/%u", "text/plain", "words of a page", true },
	{ "POST", "/v1/observe?url=http://g.example/%u", "text/plain", "words of a page", true },
	{ "POST", "/v1/observe?url=http://new%u.example/%u", "text/plain", "words of a page", true },
	{ "POST", "/v1/observe?url=http://r.example/%u&status=301&location=http://target%u.example/", "text/plain", "", true },
	{ "POST", "/v1/observe", "application/x-ndjson",
	  "{\"url\":\"http://b.example/%u\",\"time\":\"2026-05-10T11:00:00Z\",\"body\":\"x\",\"content_type\":\"text/plain\"}\n", true },
	{ "POST", "/v1/due?limit=40", "text/plain", "", false },
	{ "POST", "/v1/pages", "text/plain", "http://a.example/%u\nhttp://c.example/%u\n", false },
	{ "DELETE", "/v1/pages?url=http://a.example/%u", "text/plain", "", false },
	{ "POST", "/v1/release?url=http://g.example/1", "text/plain", "", false },
	{ "POST", "/v1/release", "text/plain", "http://g.example/1\nhttp://g.example/2\n", false },
	{ "POST", "/v1/hint", "text/plain", "http://d.example/%u\nhttp://g.example/%u\n", false },
	{ "GET", "/v1/page?url=http://g.example/1", "text/plain", "", false },
	{ "GET", "/v1/stats", "text/plain", "", false },
	{ "GET", "/", "text/plain", "", false },
	{ "POST", "/v1/tune?budget=100000/day&apply=yes", "text/plain", "", false },
	{ "GET", "/readyz", "text/plain", "", false },
};

static struct serve_daemon *running;

static struct {
	int status;
	bool comes_again; /* it has Retry-After */
	char text[60000];
} answer;

static void number_text(char *out, size_t size, const char *format, unsigned number)
{
	size_t length = 0;

	for (; *format; format++) {
		if (!strncmp(format, "%u", 2)) {
			length += (size_t)snprintf(out + length, size - length, "%u", number);
			format++;
		} else {
			out[length++] = *format;
		}
	}
	out[length] = 0;
}

static void ask(const struct question *question, unsigned number)
{
	const struct serve_address *address = serve_daemon_address(running);
	char path[300], body[400], head[800];
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	size_t length = 0;
	ssize_t got;

	number_text(path, sizeof path, question->path, number);
	number_text(body, sizeof body, question->body, number);
	snprintf(head, sizeof head, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n%s",
	         question->method, path, question->type, strlen(body), body);
	must(!connect(fd, (const struct sockaddr *)&address->socket, address->length) &&
	     send(fd, head, strlen(head), 0) == (ssize_t)strlen(head), "ask");
	while ((got = recv(fd, answer.text + length, sizeof answer.text - 1 - length, 0)) > 0)
		length += (size_t)got;
	answer.text[length] = 0;
	close(fd);
	must(length > 12, "read an answer");
	answer.status = atoi(answer.text + 9);
	answer.comes_again = strstr(answer.text, "\r\nRetry-After: ") != NULL;
}

static void start(const struct serve_log *log)
{
	struct serve_daemon_options options = { .no_token = true, .threads = 1, .connections = 8, .queue = 8, .body_bytes_max = 1 << 20,
		                                .upload_bytes_max = 1 << 20, .timeout_s = 10, .lease_s = 60, .log = log };
	struct prn_decider *decider;
	struct prn_error error = { 0 };

	must(!prn_decider_open(&decider, STORE, PRN_STORE_WRITE, NULL, &error), "open the store");
	must(!serve_address_parse(&options.address, "127.0.0.1:0", &error), "an address");
	must(!serve_daemon_open_take(&running, decider, &options, &error), "start");
}

static void make_store(void)
{
	static const char *const giants[] = { "g.example/4" };
	const struct prn_decider_settings settings = { .budget_per_day = 100000, .shards = 8, .giants = giants, .giant_count = 1 };
	struct prn_decider *decider;
	struct prn_error error = { 0 };
	enum prn_added added;
	char url[64];

	must(!prn_decider_create(STORE, &settings, &error) && !prn_decider_open(&decider, STORE, PRN_STORE_WRITE, NULL, &error), "make a store");
	for (unsigned i = 0; i < 200; i++) {
		snprintf(url, sizeof url, i % 2 ? "http://g.example/%u" : "http://h%u.example/", i);
		must(!prn_decider_add(decider, url, 1, noon(NULL) - 100, &added, &error), "add a page");
	}
	must(!prn_decider_commit(decider, &error), "commit");
	prn_decider_free(decider);
}

static unsigned number = FIRST; /* of the request that was asked last */
static bool acknowledged[MOST]; /* reports, by number */
static size_t wrong;            /* answers that no client should be given */

static int64_t set_back; /* seconds by which the clock is */

/* Who asks comes two minutes after the last one: leases have ended, and hosts may be asked. */
static int64_t later(void *context)
{
	return noon(context) + 120 * (int64_t)(number - FIRST) - set_back;
}

static bool is_well(const struct question *question)
{
	return answer.status == 200 || (answer.status == 507 && answer.comes_again) || (answer.status == 503 && (answer.comes_again || !strcmp(question->path, "/readyz")));
}

static void judge(const struct question *question, size_t at, const char *name)
{
	/* Lines of a batch that are not taken are told one by one. */
	acknowledged[number] = question->reports && answer.status == 200 && !strstr(answer.text, "\"error\"");
	if (is_well(question) || wrong++ >= WRONG_TOLD)
		return;
	printf("# %s %s, operation %zu, %s: %.3s %.200s\n", question->method, question->path, at, name, answer.text + 9,
	       strstr(answer.text, "\r\n\r\n") + 4);
}

/* What a cluster may do. */
struct trouble {
	int answer;
	bool after;
	size_t count;
	bool at_start; /* also to a daemon that has asked nothing before */
	const char *name;
};

/* Fails each operation of a request in turn; how many. */
static size_t fail_each(const struct question *question, const struct serve_log *log, const struct trouble *trouble, bool at_start)
{
	size_t at = 0;
	bool reached = true;

	while (reached && ++at < OPERATIONS) {
		if (at_start)
			start(log);
		must(++number < MOST, "ask once more");
		fault.asked = 0;
		fault.answer = trouble->answer;
		fault.after = trouble->after;
		fault.count = trouble->count;
		fault.at = at;
		ask(question, number);
		reached = fault.asked >= at;
		fault.at = 0;
		judge(question, at, trouble->name);
		if (at_start)
			serve_daemon_stop(running, 5);
	}
	return at - 1;
}

static void check_troubles(const struct serve_log *log)
{
	static const struct question ready = { "GET", "/readyz", "text/plain", "", false };
	static const struct trouble troubles[] = {
		{ -ETIMEDOUT, false, 1, true, "no answer" },
		{ -ETIMEDOUT, true, 1, false, "no answer, though done" },
		{ -ETIMEDOUT, false, SIZE_MAX, false, "no answer any more" },
		{ -ESHUTDOWN, false, 1, false, "shut out" },
		{ 0, false, 1, false, "another was faster" },
		{ -EIO, false, 1, false, "an I/O error" },
		{ -EPERM, false, 1, false, "no permission" },
	};

	for (size_t i = 0; i < sizeof troubles / sizeof *troubles; i++) {
		size_t failed = 0, unready = 0;

		wrong = 0;
		for (size_t j = 0; j < sizeof questions / sizeof *questions; j++) {
			if (troubles[i].at_start)
				failed += fail_each(&questions[j], log, &troubles[i], true);
			start(log);
			failed += fail_each(&questions[j], log, &troubles[i], false);
			number++;
			ask(&ready, number);
			unready += answer.status != 200;
			serve_daemon_stop(running, 5);
		}
		ok(!wrong && failed > 100, "an operation with %s is told to clients as 503 or 507 with Retry-After, or not at all (%zu)",
		   troubles[i].name, failed);
		ok(!unready, "after an operation with %s a daemon is ready", troubles[i].name);
	}
}

/* A balancer sends nothing where nothing can be written, and does again when that is past, or the clock was set back. */
static void check_ready(const struct serve_log *log)
{
	static const struct question add = { "POST", "/v1/pages", "text/plain", "http://a.example/%u\n", false }, ready = { "GET", "/readyz", "text/plain", "", false };

	start(log);
	fault.asked = 0;
	fault.answer = -EPERM;
	fault.after = false;
	fault.count = SIZE_MAX;
	fault.at = 1;
	ask(&add, ++number);
	ok(answer.status == 507 && answer.comes_again, "pages that nobody may write are refused with 507, which says when to come again: %d", answer.status);
	fault.at = 0;
	ask(&ready, number);
	ok(answer.status == 503, "a daemon that has just been refused to write is not ready: %d", answer.status);
	set_back = 3600;
	ask(&ready, number);
	ok(answer.status == 200, "a clock that was set back does not keep it so: %d", answer.status);
	set_back = 0;
	ask(&ready, number);
	must(answer.status == 503, "set the clock right");
	ask(&ready, ++number);
	ok(answer.status == 200, "two minutes later it is ready: %d", answer.status);
	serve_daemon_stop(running, 5);
}

static int note_visited(void *context, const struct prn_explanation *page)
{
	unsigned long found = strtoul(strrchr(page->url, '/') + 1, NULL, 10);

	(void)context;
	if (found < MOST && page->visits)
		acknowledged[found] = false;
	return 0;
}

static void check_acknowledged(void)
{
	struct prn_decider *decider;
	struct prn_error error = { 0 };
	size_t reports = 0, lost = 0;

	for (size_t i = 0; i < MOST; i++)
		reports += acknowledged[i];
	must(!prn_decider_open(&decider, STORE, PRN_STORE_READ, NULL, &error), "open the store");
	must(!prn_decider_each(decider, later(NULL), note_visited, NULL, &error), "read all pages");
	for (size_t i = 0; i < MOST; i++)
		lost += acknowledged[i];
	prn_decider_free(decider);
	ok(!lost && reports > 50, "of %zu reports that were acknowledged while operations failed %zu are lost", reports, lost);
}

int main(void)
{
	const struct serve_log log = { .fd = -1, .clock = later, .least = SERVE_ERROR };

	make_store();
	check_ready(&log);
	check_troubles(&log);
	check_acknowledged();
	cluster_release();
	return done();
}
