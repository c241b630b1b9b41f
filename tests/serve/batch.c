/* A batch, and who reports one of its pages meanwhile. */
#include "running.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#define PAGE_URL "http://a.example/"
#define FIRST "Boats to the islands leave the old pier at nine and at noon, and come back before dark."
#define SECOND "The pier is closed until the storm is over; who lives on the islands asks at the harbour office."

static struct serve_daemon *daemon_;
static char reply[4000];

/* The answer's body, to one line of JSON that is sent as a batch. */
static const char *report(const char *time, const char *body)
{
	const struct serve_address *address = serve_daemon_address(daemon_);
	char text[2000], line[1000];
	int fd = socket(AF_INET, SOCK_STREAM, 0), n;
	size_t length = 0;
	ssize_t got;

	n = snprintf(line, sizeof line, "{\"url\":\"" PAGE_URL "\",\"time\":\"%s\",\"content_type\":\"text/plain\",\"body\":\"%s\"}\n",
	             time, body);
	n = snprintf(text, sizeof text,
	             "POST /v1/observe HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
	             "Content-Type: application/x-ndjson\r\nContent-Length: %d\r\n\r\n%s", n, line);
	must(!connect(fd, (const struct sockaddr *)&address->socket, address->length) && send(fd, text, (size_t)n, 0) == n,
	     "ask");
	while ((got = recv(fd, reply + length, sizeof reply - 1 - length, 0)) > 0)
		length += (size_t)got;
	reply[length] = 0;
	close(fd);
	return strstr(reply, "\r\n\r\n") ? strstr(reply, "\r\n\r\n") + 4 : "";
}

/* Waits until the batch's page stands in the queue, and observes another body of it before. */
static int overtake(void *context, struct serve_task *task, struct prn_error *error)
{
	struct serve_daemon *daemon = context;
	const struct prn_capture capture = { .url = PAGE_URL, .normal_url = PAGE_URL, .time = 1778320800, /* 10:00 */
		                             .status = 200, .kind = PRN_KIND_CONTENT, .content_type = "text/plain",
		                             .body = (const unsigned char *)SECOND, .body_bytes = sizeof SECOND - 1,
		                             .modified = PRN_TIME_UNKNOWN, .retry_after_s = PRN_TIME_UNKNOWN,
		                             .refers_to_time = PRN_TIME_UNKNOWN };
	struct prn_observation observation;
	struct prn_outcome outcome;
	int code;

	(void)task;
	for (int i = 0; i < 5000 && !serve_writer_depth(daemon->writer); i++)
		usleep(1000);
	prn_observation_init(&observation);
	code = prn_observer_make(daemon->observer, &capture, true, &observation, error);
	if (!code)
		code = prn_decider_observe(daemon->decider, &observation, serve_now(daemon), &outcome, error);
	prn_observation_release(&observation);
	return code || outcome.kind != PRN_OUTCOME_OBSERVED ? PRN_E_ARGUMENT : 0;
}

static int overtaken = -1;

static void told(void *context, struct serve_task *task, int code)
{
	(void)context, (void)task;
	overtaken = code;
}

int main(void)
{
	const struct serve_log log = { .fd = STDERR_FILENO, .least = SERVE_WARNING, .clock = noon };
	struct serve_task between = { .run = overtake, .done = told };

	make_scratch();
	daemon_ = start_daemon("store", 0, &log);
	ok(strstr(report("2026-05-09T09:00:00Z", FIRST), "\"outcome\":\"observed\""), "a page is observed");
	ok(strstr(report("2026-05-09T09:30:00Z", FIRST), "\"outcome\":\"same\""),
	   "a page whose bytes came before is the same, unread");
	must(!serve_writer_submit(daemon_->writer, &between), "hold the writer up");
	ok(strstr(report("2026-05-09T11:00:00Z", FIRST), "\"outcome\":\"observed\""),
	   "a batch's page that a report of another body overtook is read after all: %s", strstr(reply, "\"outcome\""));
	ok(!overtaken, "a report of another body overtook the batch's page");
	serve_daemon_stop(daemon_, 1);
	return done();
}
