/* Memory that runs out while a request is read: the daemon tells it as its own fault, and not as that of a URL or of JSON. */
#include "running.h"

#include "base/json.h"

#include <idn2.h>
#include <stdatomic.h>

#define OTHER "http://b\xc3\xbc" "cher.example/"
#define ESCAPED "http://b%C3%BCcher.example/"
#define KEY "0123456789abcdef"
#define SUBMISSION "{\"host\":\"b\xc3\xbc" "cher.example\",\"key\":\"" KEY "\",\"urlList\":[\"" OTHER "x\"]}"

int __real_idn2_to_ascii_8z(const char *input, char **output, int flags);
int __wrap_idn2_to_ascii_8z(const char *input, char **output, int flags);

int __real_prn_json_load(const char *text, size_t length, size_t flags, size_t values, json_t **root, json_error_t *why);
int __wrap_prn_json_load(const char *text, size_t length, size_t flags, size_t values, json_t **root, json_error_t *why);

static atomic_bool out_of_memory, out_of_values;
static struct serve_daemon *running;

int __wrap_idn2_to_ascii_8z(const char *input, char **output, int flags)
{
	return out_of_memory ? IDN2_MALLOC : __real_idn2_to_ascii_8z(input, output, flags);
}

int __wrap_prn_json_load(const char *text, size_t length, size_t flags, size_t values, json_t **root, json_error_t *why)
{
	return out_of_values ? PRN_E_MEMORY : __real_prn_json_load(text, length, flags, values, root, why);
}

/* The status and the body of what is answered without memory. */
static void fails(const char *method, const char *path, const char *body, const char *want, const char *who)
{
	const char *answer;

	out_of_memory = true;
	answer = tell_daemon(running, method, path, body);
	out_of_memory = false;
	ok(!strncmp(answer, want, 3), "without memory %s gets the status %s: %.*s", who, want, (int)strcspn(answer, "\n"), answer);
	ok(strstr(answer, "out of memory") != NULL, "without memory %s is told that there is none: %.*s", who, (int)strcspn(answer, "\n"), answer);
	ok(!strstr(answer, "http or https"), "without memory %s is not told that a URL is wrong: %.*s", who, (int)strcspn(answer, "\n"), answer);
	ok(!strstr(answer, "JSON"), "without memory %s is not told that JSON is wrong: %.*s", who, (int)strcspn(answer, "\n"), answer);
}

static void submissions(void)
{
	struct serve_indexnow *keys = NULL;
	struct prn_error error = { 0 };
	FILE *file = fopen(in_scratch("keys"), "w");

	must(file && fprintf(file, "b\xc3\xbc" "cher.example " KEY "\n") > 0 && !fclose(file), "write keys");
	out_of_memory = true;
	ok(serve_indexnow_open(&keys, in_scratch("keys"), &error) == PRN_E_MEMORY, "without memory who reads keys of sites is told that: %s", error.text);
	out_of_memory = false;
	must(!serve_indexnow_open(&keys, in_scratch("keys"), &error), "read keys");
	running->options.indexnow = keys;
	fails("POST", "/indexnow", SUBMISSION, "500", "a site that says what has changed");
	fails("GET", "/indexnow?key=" KEY "&url=" ESCAPED, "", "500", "a site that says that one page has changed");
	out_of_values = true;
	fails("POST", "/indexnow", SUBMISSION, "500", "a site whose JSON cannot be held");
	out_of_values = false;
	ok(!strncmp(tell_daemon(running, "POST", "/indexnow", SUBMISSION), "200", 3), "a site that was not heard for lack of memory can say it again");
	running->options.indexnow = NULL;
	serve_indexnow_free(keys);
}

int main(void)
{
	const struct serve_log log = { .fd = STDERR_FILENO, .least = SERVE_ERROR + 1, .clock = noon };

	make_scratch();
	running = start_daemon("store", 0, &log);
	fails("POST", "/v1/pages", OTHER "\n", "500", "who adds pages");
	fails("POST", "/v1/release", OTHER "\n", "500", "who gives pages back");
	fails("POST", "/v1/release?url=" ESCAPED, "", "500", "who gives a page back");
	fails("POST", "/v1/observe?url=" ESCAPED, "text", "500", "who reports a page");
	fails("POST", "/v1/observe?url=http://a.example/&answers=" ESCAPED, "text", "500", "who reports an answer");
	fails("POST", "/v1/observe?status=301&location=" ESCAPED "&answers=http://a.example/x&url=http://a.example/", "", "500", "who reports a redirect");
	fails("DELETE", "/v1/pages?url=" ESCAPED, "", "500", "who forgets a page");
	fails("GET", "/v1/page?url=" ESCAPED, "", "500", "who asks after a page");
	ok(!strncmp(ask_daemon(running, "GET", "/v1/page?url=" ESCAPED), "404", 3), "none of these added a page");
	ok(strstr(tell_daemon(running, "POST", "/v1/pages", OTHER "\n"), "\"added\""), "a page that was not added for lack of memory can be added");
	submissions();
	serve_daemon_stop(running, 5);
	return done();
}
