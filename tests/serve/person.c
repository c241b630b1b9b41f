/* The page for a person within one process: it waits for nobody, and whatever a URL has in it is text there. */
#include "running.h"

#include "serve/html.h"
#include "serve/person_internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static struct serve_daemon *daemon_;
static struct prn_buffer page;
static _Atomic bool held, let_go;

static int hold(void *context, struct serve_task *task, struct prn_error *error)
{
	(void)context, (void)task, (void)error;
	held = true;
	for (int i = 0; i < 30000 && !let_go; i++)
		usleep(1000);
	return 0;
}

static void ignore(void *context, struct serve_task *task, int code)
{
	(void)context, (void)task, (void)code;
}

/* Pages with each byte in their URLs, raw and beside markup; how many of them are taken. */
static unsigned added;

static int add_pages(void *context, struct serve_task *task, struct prn_error *error)
{
	struct prn_decider *decider = ((struct serve_daemon *)context)->decider;
	enum prn_added how;

	(void)task;
	for (int byte = 1; byte < 256; byte++) {
		char url[64];
		size_t length = (size_t)snprintf(url, sizeof url, "http://h%d.example/?'\"<b onx=1>&lt;%c", byte, byte);

		/* Also the characters that take three bytes, and turn text around. */
		if (byte >= 0x80)
			snprintf(url + length - 1, sizeof url - length, "\xe2\x80%c</bdi>", byte);
		added += !prn_decider_add(decider, url, 1 + byte, noon(NULL) - byte, &how, error);
	}
	return 0;
}

/* What is answered to GET path, its head too. */
static const char *get(const char *path)
{
	const struct serve_address *address = serve_daemon_address(daemon_);
	struct timeval patience = { .tv_sec = 20 };
	int handle = socket(AF_INET, SOCK_STREAM, 0);
	unsigned char bytes[4096];
	char text[512];
	ssize_t got;
	int length = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", path);

	prn_buffer_clear(&page);
	setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	must(!connect(handle, (const struct sockaddr *)&address->socket, address->length) && write(handle, text, (size_t)length) == length, "ask");
	while ((got = read(handle, bytes, sizeof bytes)) > 0)
		add(&page, bytes, (size_t)got);
	close(handle);
	must(!prn_buffer_terminate(&page), "end a text");
	return (const char *)page.data;
}

static unsigned count(const char *text, const char *what)
{
	unsigned found = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		found++;
	return found;
}

/* Between <bdi> and </bdi> nothing is markup, nor in what a link leads to. */
static bool is_text(const char *html)
{
	for (const char *at = html; (at = strstr(at, "<bdi>"));) {
		at += 5;
		if (strcspn(at, "<>\"'") != (size_t)(strstr(at, "</bdi>") - at))
			return false;
	}
	for (const char *at = html; (at = strstr(at, "&amp;url="));) {
		at += 9;
		if (at[strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/:%")] != '"')
			return false;
	}
	return true;
}

/* No byte that a browser would act on, or that turns text around. */
static bool is_seen(const char *html)
{
	for (const unsigned char *at = (const unsigned char *)html; *at; at++)
		if ((*at < 0x20 && *at != '\n' && *at != '\t' && *at != '\r') || *at == 0x7f ||
		    (*at == 0xe2 && at[1] == 0x80 && at[2] >= 0xaa && at[2] <= 0xae) || (*at == 0xe2 && at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9))
			return false;
	return true;
}

/* What is told of a page. */
static const char *told(const struct prn_explanation *explained, int64_t now)
{
	static struct prn_buffer out;

	prn_buffer_clear(&out);
	serve_person_explained(&out, daemon_, explained, now);
	must(!prn_buffer_terminate(&out), "end a text");
	return (const char *)out.data;
}

static void check_reasons(void)
{
	char url[] = "http://a.example/";
	struct prn_explanation plain = { .url = url, .weight = 1, .visits = 3, .visited = 1000000, .next = 1000000 + 4 * 86400,
		                         .policy_next = 1000000 + 4 * 86400, .unhinted_next = 1000000 + 4 * 86400, .reason = PRN_NEXT_RULE,
		                         .rule = PRN_REASON_RULE, .attempted = 1000000, .lease = PRN_TIME_UNKNOWN, .held = PRN_HELD_NOT,
		                         .has_curve = true, .threshold = 1e-9, .utility = 2e-12, .reaches_days = 4, .period_days = 4,
		                         .unhinted_days = 4, .curve = prn_curve_line(0.1) }, other;
	static const char crossed[] = "has grown to the threshold T.";

	ok(strstr(told(&plain, 1000000), crossed) != NULL, "a page whose W U reaches T at its next visit is told so");
	ok(strstr(told(&plain, 1000000), "<td>1e-09</td>") && strstr(told(&plain, 1000000), "<td>2e-12</td>"), "a small T and a small W U are not told as nothing");
	other = plain;
	other.policy_next -= 86400;
	ok(!strstr(told(&other, 1000000), crossed) && strstr(told(&other, 1000000), "at the threshold T and by the hints of then"),
	   "a page that was decided at another T is told so");
	other = plain;
	other.heard = (struct prn_hints){ .rate = 0.1, .trust = 0.9 };
	other.unhinted_days = 1;
	other.reaches_days = 40;
	ok(!strstr(told(&other, 1000000), crossed) && strstr(told(&other, 1000000), "is silent, and holds it back for four times as long"),
	   "a page that a silent source holds back is told so");
	other.heard.count = 1;
	other.period_days = 0;
	other.unhinted_next += 86400;
	ok(strstr(told(&other, 1000000), "a change 1 time since") && strstr(told(&other, 1000000), "<td>at once</td>"),
	   "one hint is told as one, and a page that is due by it as due at once");
	other = plain;
	other.heard.ahead = 2;
	other.reaches_days = 1;
	ok(!strstr(told(&other, 1000000), crossed) && strstr(told(&other, 1000000), "none more is earned"), "a page whose hints have earned no visit sooner is told so");
	other = plain;
	other.has_curve = false;
	ok(!strstr(told(&other, 1000000), crossed) && strstr(told(&other, 1000000), "schedule, which has no curve"), "a page of a policy without a curve is told so");
}

static bool tells_wants(const struct prn_stats *stats)
{
	page.length = 0;
	serve_person_budget(&page, stats);
	must(!prn_buffer_append(&page, "", 1), "end the text");
	must(strstr((char *)page.data, "Budget and plan") && strstr((char *)page.data, "not used and left"), "tell the budget");
	return strstr((char *)page.data, "wanted at T") != NULL;
}

/* What all pages want is counted by due and tune: before one of them has run it is not known, and no 0. */
static void check_wants(void)
{
	struct prn_stats stats = { .threshold = 0.25, .budget_per_day = 20 };

	ok(!tells_wants(&stats), "what pages want is not told before it is counted");
	stats.unit = PRN_UNIT_BYTES;
	ok(!tells_wants(&stats), "what pages want of a budget in bytes is not told before it is counted");
	stats.load_per_day = 3e6;
	ok(tells_wants(&stats), "what pages want in bytes is told when it is counted");
	stats.unit = PRN_UNIT_VISITS;
	ok(tells_wants(&stats), "what pages want in visits is told when it is counted");
}

int main(void)
{
	const struct serve_log log = { .fd = STDERR_FILENO, .least = SERVE_ERROR + 1, .clock = noon };
	struct serve_task adding = { .run = add_pages, .done = ignore }, holding = { .run = hold, .done = ignore };
	static const char *const lists[] = { "next", "value", "visits", "failing", "suspect" };
	const char *html;
	unsigned shown = 0;

	make_scratch();
	daemon_ = start_daemon("store", 0, &log);
	must(!serve_writer_perform(daemon_->writer, &adding) && added > 200, "add pages");
	must(!serve_writer_submit(daemon_->writer, &holding), "hold the writer");
	while (!held)
		usleep(1000);
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		char path[32];

		snprintf(path, sizeof path, "/?list=%s", lists[i]);
		html = get(path);
		ok(!strncmp(html, "HTTP/1.1 200", 12) && strstr(html, "</html>"), "the list %s is answered while the writer is at work", lists[i]);
		ok(is_text(html), "in the list %s a URL is text, whatever is in it", lists[i]);
		ok(is_seen(html), "the list %s has no byte that cannot be seen, or that turns text around", lists[i]);
		ok(count(html, "aria-current=\"page\"") == 1, "the list %s is the one that is marked", lists[i]);
		shown += count(html, "<bdi>");
	}
	ok(shown == 2 * 20, "of many pages twenty are in a list");
	html = get("/?url=http://h60.example/%3F%27%22%3Cb%20onx%3D1%3E%26lt%3B%3C");
	ok(!strncmp(html, "HTTP/1.1 200", 12) && !strstr(html, "Next visit"),
	   "a page is looked up while the writer is at work");
	ok(!strstr(html, "<b onx"), "the URL of a page that is looked up is text");
	ok(strstr((char *)page.data, "<p class=\"reason\">Due") != NULL, "a page that was never visited is told as due");
	check_reasons();
	check_wants();
	ok(!strncmp(get("/?list=all"), "HTTP/1.1 400", 12), "a list that there is not is refused");
	let_go = true;
	serve_daemon_stop(daemon_, 1);
	prn_buffer_release(&page);
	return done();
}
