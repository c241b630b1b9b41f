/* The HTTP server through its socket: routes, refusals, bodies, parked requests, slow clients, stopping. */
#include "../tap.h"
#include "serve/http.h"

#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define REPLY_BYTES (1 << 20)

static struct serve_http *http;
static char reply[REPLY_BYTES + 1];

/* What is parked, and who answers it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct serve_request *parked;
static int answers, complaints, failures;

static void answer_text(struct serve_request *request, int status, const char *text)
{
	struct prn_buffer body = { 0 };

	prn_buffer_append(&body, text, strlen(text));
	serve_request_answer(request, status, "text/plain", &body);
}

static void greet(void *context, struct serve_request *request)
{
	const char *name = serve_request_parameter(request, "name");

	(void)context;
	answer_text(request, 200, name ? name : "nobody");
}

static _Atomic uint64_t held_when_weighed; /* of all uploads, when the last body was weighed */

static void weigh(void *context, struct serve_request *request)
{
	const unsigned char *bytes;
	char text[64];
	size_t length;
	unsigned sum = 0;
	uint64_t held, refused;

	(void)context;
	serve_http_spooled(http, &held, &refused);
	held_when_weighed = held;
	if (serve_request_body(request, &bytes, &length, NULL)) {
		serve_request_refuse(request, 500, "no body");
		return;
	}
	for (size_t i = 0; i < length; i++)
		sum += bytes[i];
	snprintf(text, sizeof text, "%zu bytes, sum %u", length, sum);
	answer_text(request, 200, text);
}

static void wait_long(void *context, struct serve_request *request)
{
	(void)context;
	serve_request_park(request);
	pthread_mutex_lock(&lock);
	parked = request;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void give_spool(void *context, struct serve_request *request)
{
	struct serve_spool spool;

	(void)context;
	serve_spool_init(&spool, UINT64_MAX);
	serve_spool_append(&spool, "from a file", 11, NULL, NULL);
	serve_spool_to_file(&spool, NULL, NULL);
	serve_request_answer_spool(request, 200, "text/plain", &spool);
}

#define BIG_BYTES ((size_t)24 << 20) /* more than the system takes for a client that reads nothing */

static void give_much(void *context, struct serve_request *request)
{
	struct prn_buffer much = { 0 };

	(void)context;
	if (prn_buffer_reserve(&much, BIG_BYTES))
		abort();
	memset(much.data, 'm', BIG_BYTES);
	much.length = BIG_BYTES;
	serve_request_answer(request, 200, "text/plain", &much);
}

static void fail(void *context, struct serve_request *request)
{
	struct prn_error error = { 0 };

	(void)context;
	if (serve_request_parameter(request, "name"))
		prn_error_set(&error, atoi(serve_request_parameter(request, "name")), "what was asked for");
	else
		prn_error_set(&error, PRN_E_NOT_FOUND, "http://a.example/\xff: no such page");
	serve_request_fail(request, &error);
}

static uint64_t limit(void *context, struct serve_request *request)
{
	const char *type = serve_request_header(request, "Content-Type");

	(void)context;
	return !type ? 0 : !strcmp(type, "text/plain") ? 1000 : !strcmp(type, "application/x-large") ? 1 << 20 : 0;
}

static const char *const names[] = { "name", "age", NULL };
static const struct serve_route routes[] = {
	{ "GET", "/greet", "greet", names, greet, NULL, NULL, false, false }, { "POST", "/weigh", "weigh", NULL, weigh, limit, NULL, false, false },
	{ "GET", "/wait", "wait", NULL, wait_long, NULL, NULL, false, false }, { "GET", "/file", "file", NULL, give_spool, NULL, NULL, false, false },
	{ "POST", "/wait", "wait", NULL, wait_long, NULL, NULL, false, false }, { "GET", "/fail", "fail", names, fail, NULL, NULL, false, false },
	{ "GET", "/open", "open", NULL, greet, NULL, NULL, true, false }, { "GET", "/much", "much", NULL, give_much, NULL, NULL, false, false },
};

static void count_answer(void *context, size_t route, int status, double seconds, const char *method, const char *path)
{
	(void)context, (void)route, (void)status, (void)method, (void)path;
	pthread_mutex_lock(&lock);
	answers += seconds >= 0;
	pthread_mutex_unlock(&lock);
}

static void count_complaint(void *context, const char *text)
{
	(void)context;
	pthread_mutex_lock(&lock);
	complaints += *text != 0;
	pthread_mutex_unlock(&lock);
}

static void count_failure(void *context, const struct prn_error *error)
{
	(void)context;
	(void)error;
	pthread_mutex_lock(&lock);
	failures++;
	pthread_mutex_unlock(&lock);
}

/* A connection that gives up after ten seconds: no test waits for ever. */
static int dial(void)
{
	const struct serve_address *address = serve_http_address(http);
	const struct timeval ten = { 10, 0 };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &ten, sizeof ten);
	if (connect(fd, (const struct sockaddr *)&address->socket, address->length)) {
		close(fd);
		return -1;
	}
	return fd;
}

static void send_text(int fd, const char *text)
{
	for (size_t left = strlen(text); left;) {
		ssize_t n = send(fd, text, left, MSG_NOSIGNAL);

		if (n <= 0)
			return;
		text += n;
		left -= (size_t)n;
	}
}

/* All that comes until the server closes; the status, 0 for nothing, -1 when it does not close. */
static int read_reply(int fd)
{
	size_t length = 0;
	ssize_t n;

	while ((n = recv(fd, reply + length, REPLY_BYTES - length, 0)) > 0)
		length += (size_t)n;
	reply[length] = 0;
	close(fd);
	if (n < 0 && !length)
		return -1;
	return length ? atoi(reply + 9) : 0;
}

static const char *body(void)
{
	const char *end = strstr(reply, "\r\n\r\n");

	return end ? end + 4 : "";
}

/* One request as written, on a connection of its own. */
static int ask(const char *text)
{
	int fd = dial();

	send_text(fd, text);
	return read_reply(fd);
}

#define HEAD "Host: 127.0.0.1\r\nConnection: close\r\n"

static int get(const char *path)
{
	char text[70000];

	snprintf(text, sizeof text, "GET %s HTTP/1.1\r\n" HEAD "\r\n", path);
	return ask(text);
}

static int post(const char *type, const char *headers, size_t length)
{
	char text[2000];
	int fd = dial(), n;

	n = snprintf(text, sizeof text, "POST /weigh HTTP/1.1\r\n" HEAD "%s%sContent-Length: %zu\r\n\r\n", type, headers,
	             length);
	send(fd, text, (size_t)n, MSG_NOSIGNAL);
	memset(text, 'a', sizeof text);
	for (size_t left = length; left;) {
		ssize_t sent = send(fd, text, left < sizeof text ? left : sizeof text, MSG_NOSIGNAL);

		if (sent <= 0)
			break;
		left -= (size_t)sent;
	}
	return read_reply(fd);
}

#define PLAIN "Content-Type: text/plain\r\n"
#define LARGE "Content-Type: application/x-large\r\n"

static void check_routes(void)
{
	char path[40];

	ok(get("/greet") == 200, "a path is answered");
	same(body(), "nobody", "a path is answered by its handler");
	ok(strstr(reply, "Content-Type: text/plain\r\n") && strstr(reply, "X-Content-Type-Options: nosniff\r\n"),
	   "an answer has a type, and forbids browsers to guess another");
	get("/greet?name=a%26b+c%C3%A9");
	same(body(), "a&b c\xc3\xa9", "parameters are decoded");
	get("/greet?name");
	same(body(), "", "a parameter without a value is empty");
	ok(get("/greet?nam=a") == 400, "an unknown parameter is refused");
	same(body(), "{\"error\":\"the parameter 'nam' is not known here\"}\n",
	     "a parameter that is unknown is named");
	ok(get("/greet?name=a&name=b") == 400, "a parameter that is given twice is refused");
	ok(get("/greet?name=a%00b") == 400, "a zero byte in a parameter is refused");
	ok(get("/file?x=1") == 400, "a path without parameters refuses one");
	ok(get("/nothing") == 404, "a path that there is not is not found");
	ok(ask("GET /weigh HTTP/1.1\r\n" HEAD "\r\n") == 405 && strstr(reply, "Allow: POST\r\n"),
	   "a path that answers POST alone refuses GET and says so in Allow");
	ok(strstr(reply, "this path answers POST, not GET, which never changes anything: send the same as POST"),
	   "who sent GET to a path that answers POST is told to send POST");
	ok(ask("HEAD /weigh HTTP/1.1\r\n" HEAD "\r\n") == 405 && strstr(reply, "Allow: POST\r\n"),
	   "a path that answers POST alone refuses HEAD");
	ok(ask("DELETE /greet HTTP/1.1\r\n" HEAD "\r\n") == 405 && strstr(reply, "Allow: GET, HEAD\r\n"),
	   "a method that a path does not answer is refused, and those it answers are in Allow");
	ok(ask("PUT /wait HTTP/1.1\r\n" HEAD "\r\n") == 405 && strstr(reply, "Allow: GET, HEAD, POST\r\n"),
	   "all the methods that a path answers are in Allow");
	ok(ask("HEAD /greet HTTP/1.1\r\n" HEAD "\r\n") == 200 && !*body(), "HEAD is GET without a body");
	ok(get("/file") == 200 && !strcmp(body(), "from a file"), "an answer may come from a file");
	ok(get("/fail") == 404 && !strcmp(body(), "{\"error\":\"http://a.example/\\\\xff: no such page\"}\n"),
	   "an error is JSON, also when it was given what is not UTF-8");
	ok(get("/fail?name=-7") == 503 && strstr(reply, "Retry-After: 1\r\n"),
	   "a store that cannot grow while reads are open is to be asked again (503, Retry-After)");
	ok(!failures, "the server's owner is not told of what is a request's fault, or passes");
	snprintf(path, sizeof path, "/fail?name=%d", PRN_E_DAMAGED);
	ok(get(path) == 500 && failures == 1, "the server's owner is told of a request that fails through a damaged store");
}

static void check_strangers(void)
{
	ok(ask("GET /greet HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n") == 403, "a strange Host is refused");
	ok(ask("GET /open HTTP/1.1\r\n" HEAD "Origin: http://evil.example\r\n\r\n") == 403, "a strange Origin is refused");
	ok(ask("GARBAGE\r\n\r\n") == 400 || !*reply, "what is no HTTP is not served");
	ok(ask("GET /greet HTTP/1.1\r\nConnection: close\r\n\r\n") == 400, "HTTP/1.1 without a Host is malformed");
	ok(ask("POST /weigh HTTP/1.1\r\n" HEAD PLAIN "Content-Length: -5\r\n\r\n") == 400,
	   "a negative length of a body is malformed");
	ok(ask("POST /weigh HTTP/1.1\r\n" HEAD PLAIN "Transfer-Encoding: chunked\r\n\r\nxyz\r\n") == 400,
	   "a chunk without a length is malformed");
}

/* What one reads as a body and another as the next request. */
static void check_framing(void)
{
	ok(ask("GET /greet HTTP/1.1\r\n" HEAD "Host: evil.example\r\n\r\n") == 400, "two Hosts are refused");
	ok(ask("POST /weigh HTTP/1.1\r\n" HEAD PLAIN "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd") == 400,
	   "two lengths of a body are refused");
	ok(ask("POST /weigh HTTP/1.1\r\n" HEAD PLAIN "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n") == 400,
	   "a length beside chunks is refused");
	ok(ask("POST /weigh HTTP/1.1\r\n" HEAD PLAIN "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n") == 400,
	   "a transfer coding that is not undone is refused");
	ok(ask("POST /weigh HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length : 99\r\n\r\nGET /open HTTP/1.1\r\n\r\n") == 400 &&
	           !strstr(reply + 1, "HTTP/1.1 2"),
	   "a space before a header's colon is refused, with all that comes after it");
	ok(ask("GET /greet HTTP/1.1\r\n" HEAD "Sec-Fetch-Site: cross-site\r\n\r\n") == 403,
	   "an image on a stranger's page gets nothing");
}

static void check_long_heads(void)
{
	static char path[65000], text[66000];

	memset(path, 'a', sizeof path - 1);
	*path = '/';
	ok(get(path) >= 400, "a path of 65 kB is refused");
	snprintf(text, sizeof text, "GET /greet HTTP/1.1\r\n" HEAD "X: %s\r\n\r\n", path);
	ok(ask(text) >= 400, "a header of 65 kB is refused");
}

static void check_bodies(void)
{
	ok(post(PLAIN, "", 0) == 200 && !strcmp(body(), "0 bytes, sum 0"),
	   "an empty body comes to its handler");
	ok(post(PLAIN, "", 1000) == 200 && !strcmp(body(), "1000 bytes, sum 97000"),
	   "a body as long as is allowed comes to its handler");
	ok(post(PLAIN, "", 1001) == 413, "a body that is too long by its Content-Length is refused");
	ok(post(LARGE, "", 1 << 20) == 200 && !strcmp(body(), "1048576 bytes, sum 101711872"),
	   "a large body comes to its handler");
	ok(post("", "", 3) == 415, "a body without a type is refused where a type is asked for");
	ok(post("Content-Type: image/png\r\n", "", 3) == 415, "a body of another type is refused");
	ok(post(PLAIN, "Content-Encoding: gzip\r\n", 3) == 415, "a compressed body is refused");
	ok(ask("POST /weigh HTTP/1.1\r\n" HEAD PLAIN "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n") == 200,
	   "a body in chunks is answered");
	same(body(), "5 bytes, sum 495", "the chunks of a body are put together to one");
	static char chunked[3000];
	snprintf(chunked, sizeof chunked, "POST /weigh HTTP/1.1\r\n" HEAD PLAIN "Transfer-Encoding: chunked\r\n\r\n7d0\r\n%02000d\r\n0\r\n\r\n", 0);
	ok(ask(chunked) == 413, "a body whose chunks are too long together is refused");
	ok(ask("GET /greet HTTP/1.1\r\n" HEAD "Content-Length: 3\r\n\r\nabc") == 413,
	   "a path that takes no body refuses one");
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#define MIB "1048576"

/* Uploads that say their length, and others. */
static void check_room(void)
{
	static char chunk[20000];
	uint64_t bytes = 1, refused;
	int first = dial(), second, status = 0;
	double start = seconds();

	send_text(first, "POST /weigh HTTP/1.1\r\n" HEAD LARGE "Content-Length: " MIB "\r\n\r\nabc");
	for (bytes = 0; !bytes && seconds() - start < 10; usleep(1000))
		serve_http_spooled(http, &bytes, &refused);
	ok(ask("POST /weigh HTTP/1.1\r\n" HEAD LARGE "Content-Length: " MIB "\r\nExpect: 100-continue\r\n\r\n") == 507 &&
	           !strstr(reply, "100 Continue"),
	   "a client that has no room for another upload is told so before it sends the body");
	ok(strstr(body(), "1500000 bytes together, and 1048576 are taken") != NULL,
	   "a client that has no room for an upload is told how much there is and how much is taken: %s", body());
	ok(strstr(reply, "Retry-After: ") != NULL,
	   "a client that has no room for an upload is told when to come again");
	ok(strstr(reply, "Connection: close") != NULL,
	   "the connection of a client that has no room for an upload is closed");
	ok(post(PLAIN, "", 1000) == 200, "a small body is taken while there is no room for large ones");

	second = dial();
	snprintf(chunk, sizeof chunk, "4000\r\n%016384d\r\n", 0);
	send_text(second, "POST /weigh HTTP/1.1\r\n" HEAD LARGE "Transfer-Encoding: chunked\r\n\r\n");
	for (int i = 0; i < 40; i++)
		send_text(second, chunk);
	status = read_reply(second);
	ok(status == 507, "an upload in chunks is refused in its midst where there is no more room for it");
	close(first);
	for (start = seconds(); bytes && seconds() - start < 10; usleep(1000))
		serve_http_spooled(http, &bytes, &refused);
	ok(!bytes && refused == 2, "what a client had whose connection ended is given back, and refusals are counted");
	ok(post(LARGE, "", 1 << 20) == 200, "there is room for an upload when what another had was given back");
	ok(held_when_weighed == 1 << 20, "an upload is counted with all its bytes");
	ok(post(LARGE, "", SERVE_SPOOL_MEMORY) == 200 && !held_when_weighed, "a body of 128 KiB stays in memory and is not counted");
	ok(post(LARGE, "", SERVE_SPOOL_MEMORY + 1) == 200 && held_when_weighed == SERVE_SPOOL_MEMORY + 1,
	   "a body of one byte more is counted");
	for (int more = 0; more < 2; more++) {
		second = dial();
		send_text(second, "POST /weigh HTTP/1.1\r\n" HEAD LARGE "Transfer-Encoding: chunked\r\n\r\n");
		for (int i = 0; i < 8; i++)
			send_text(second, chunk);
		send_text(second, more ? "1\r\nx\r\n0\r\n\r\n" : "0\r\n\r\n");
		status = read_reply(second);
		ok(status == 200 && held_when_weighed == (more ? SERVE_SPOOL_MEMORY + 1 : 0),
		   "%s of 128 KiB in chunks is %scounted", more ? "one byte more than a body" : "a body", more ? "" : "not ");
	}

	second = dial();
	send_text(second, "POST /weigh HTTP/1.1\r\n" HEAD PLAIN "Transfer-Encoding: chunked\r\n\r\n");
	send_text(second, chunk);
	ok(read_reply(second) == 413 && strstr(reply, "Connection: close"),
	   "a body in chunks that is too long is refused while it comes, and nothing of it is kept");
}

static void *answer_parked(void *argument)
{
	(void)argument;
	pthread_mutex_lock(&lock);
	while (!parked)
		pthread_cond_wait(&changed, &lock);
	answer_text(parked, 202, "at last");
	parked = NULL;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void check_parking(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, answer_parked, NULL);
	ok(get("/wait") == 202 && !strcmp(body(), "at last"), "a parked request is answered by another thread");
	pthread_join(thread, NULL);
	pthread_create(&thread, NULL, answer_parked, NULL);
	ok(ask("POST /wait HTTP/1.1\r\n" HEAD "\r\n") == 202,
	   "a parked request by POST is answered by another thread");
	pthread_join(thread, NULL);
}

/* The server's time-out here is 0.4 s; being shut down is what is checked, and that it was not the ten of dial(). */
static void check_slow(void)
{
	int idle = dial(), drip = dial(), half = dial(), bytewise = dial();
	double start = seconds();
	bool cut = false, body_cut = false;

	send_text(half, "POST /weigh HTTP/1.1\r\n" HEAD PLAIN "Content-Length: 500\r\n\r\nabc");
	send_text(drip, "GET /greet HTTP/1.1\r\n");
	send_text(bytewise, "POST /weigh HTTP/1.1\r\n" HEAD PLAIN "Content-Length: 900\r\n\r\n");
	for (int i = 0; i < 100 && !(cut && body_cut); i++) {
		usleep(50000);
		cut = cut || send(drip, "X", 1, MSG_NOSIGNAL) < 0;
		body_cut = body_cut || send(bytewise, "X", 1, MSG_NOSIGNAL) < 0;
	}
	ok(cut && seconds() - start < 5, "a client that sends a byte of its head now and then is shut out");
	ok(body_cut && seconds() - start < 5, "a client that sends a byte of its body now and then is shut out");
	close(drip);
	close(bytewise);
	ok(read_reply(idle) <= 0 && seconds() - start < 5, "a client that says nothing is shut out");
	ok(read_reply(half) != 200 && seconds() - start < 5,
	   "a client that stops half-way through a body is shut out");
	ok(get("/greet") == 200, "others are served while slow clients are shut out");
}

/* Whether the server is rid of all connections but so many, in ten seconds. */
static bool comes_down_to(size_t connections)
{
	double start = seconds();

	while (serve_http_connections(http) > connections && seconds() - start < 10)
		usleep(10000);
	return serve_http_connections(http) <= connections;
}

static void check_big_answers(void)
{
	int asleep = dial(), steady = dial();
	size_t length = 0;
	ssize_t n = 1;

	send_text(asleep, "GET /much HTTP/1.1\r\n" HEAD "\r\n");
	send_text(steady, "GET /much HTTP/1.1\r\n" HEAD "\r\n");
	for (size_t piece = 1; n > 0; piece++) {
		n = recv(steady, reply, REPLY_BYTES, 0);
		length += n > 0 ? (size_t)n : 0;
		/* The whole time is .4 s: all of these together are more. */
		if (piece % 4 == 0 && piece < 40)
			usleep(100000);
	}
	ok(n == 0 && length > BIG_BYTES, "who takes a big answer slowly but steadily gets all of it");
	close(steady);
	ok(comes_down_to(0), "who takes nothing of a big answer is shut out, however big it is");
	close(asleep);
}

static void check_endless(void)
{
	static char chunk[20000];
	int fd = dial();
	double start = seconds();
	bool cut = false;

	snprintf(chunk, sizeof chunk, "4000\r\n%016384d\r\n", 0);
	send_text(fd, "POST /weigh HTTP/1.1\r\n" HEAD PLAIN "Transfer-Encoding: chunked\r\n\r\n");
	while (!cut && seconds() - start < 5) {
		usleep(10000);
		cut = send(fd, chunk, strlen(chunk), MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno != EAGAIN;
	}
	ok(cut, "a client that sends chunks without end is shut out, however fast");
	close(fd);
}

static void check_crowd(void)
{
	int fds[40];

	for (int i = 0; i < 40; i++)
		fds[i] = dial();
	ok(get("/greet") == 200, "40 idle connections, where 16 are allowed, do not keep anyone out for long");
	for (int i = 0; i < 40; i++)
		close(fds[i]);
}

static void *stop(void *argument)
{
	(void)argument;
	serve_http_stop(http, 5);
	return NULL;
}

static void check_stopping(void)
{
	int waiting = dial();
	pthread_t stopper;

	send_text(waiting, "GET /wait HTTP/1.1\r\n" HEAD "\r\n");
	pthread_mutex_lock(&lock);
	while (!parked)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	serve_http_drain(http);
	ok(get("/greet") == 503 && strstr(reply, "Retry-After: 5\r\n"),
	   "who asks while the server drains is told to come later");
	ok(get("/open") == 200, "a path that is open is still answered while the server drains");
	pthread_create(&stopper, NULL, stop, NULL);
	usleep(50000);
	answer_parked(NULL);
	ok(read_reply(waiting) == 202, "a request under way is answered before the server stops");
	pthread_join(stopper, NULL);
}

/* With one thread: if a wrong token held it, nobody else would be answered. */
static void check_wrong_tokens(void)
{
	int fds[12], status;
	unsigned refused = 0;

	for (int i = 0; i < 12; i++) {
		fds[i] = dial();
		send_text(fds[i], "GET /greet HTTP/1.1\r\n" HEAD "Authorization: Bearer another token of this length\r\n\r\n");
	}
	ok(ask("GET /greet HTTP/1.1\r\n" HEAD "Authorization: Bearer 0123456789abcdef\r\n\r\n") == 200,
	   "who sends the token is answered while wrong tokens wait for their answers");
	serve_http_stop(http, 5);
	for (int i = 0; i < 12; i++) {
		status = read_reply(fds[i]);
		refused += status == 401;
	}
	ok(refused == 12, "each wrong token is answered: at once where enough of them wait, and at the latest when the server stops");
}

int main(void)
{
	static char token[] = "0123456789abcdef", basic[] = "none";
	struct serve_admission admission = { 0 };
	struct serve_http_options options = { .admission = &admission, .routes = routes,
		                              .route_count = sizeof routes / sizeof *routes, .threads = 2,
		                              .connections = 16, .timeout_s = 0.4, .client_spool_most = 1500000, .answered = count_answer,
		                              .complain = count_complaint, .failed = count_failure };
	struct serve_address taken;
	struct serve_http *second;
	struct prn_error error = { 0 };

	serve_address_parse(&options.address, "127.0.0.1:0", NULL);
	if (!ok(!serve_http_open(&http, &options, &error), "a server starts"))
		return done();
	taken = options.address = *serve_http_address(http);
	ok(serve_http_open(&second, &options, &error) == PRN_E_IO,
	   "a second server at the address of the first does not start: %s", error.text);
	check_routes();
	check_strangers();
	check_framing();
	check_long_heads();
	check_bodies();
	check_parking();
	check_slow();
	check_big_answers();
	check_endless();
	check_crowd();
	check_stopping();
	ok(answers > 30, "more than 30 answers were told to the server's owner (%d)", answers);
	options.address = taken;
	options.threads = 1;
	options.timeout_s = 20;
	ok(!serve_http_open(&http, &options, &error), "a server with one thread starts at the address that is free again");
	ok(get("/greet") == 200, "a server with one thread answers");
	check_room();
	admission.token = token;
	admission.basic = basic;
	ok(get("/greet") == 401, "who sends no token where one is asked for is refused");
	check_wrong_tokens();
	return done();
}
