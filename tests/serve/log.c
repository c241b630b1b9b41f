/* Log lines in both forms, and what a client may have put into them; the datagram of a service manager. */
#include "../tap.h"
#include "serve/log.h"
#include "serve/notify.h"

#include <jansson.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int64_t noon(void *context)
{
	(void)context;
	return 1778414400;
}

static char line[1000];
static int ends[2];

static const char *written(void)
{
	ssize_t n = read(ends[0], line, sizeof line - 1);

	line[n > 0 ? n : 0] = 0;
	return line;
}

static void check_forms(void)
{
	struct serve_log log = { .fd = ends[1], .least = SERVE_INFO, .clock = noon };
	const char *hostile = "a \"b\"\n\x1b[31m\\";
	json_t *object;

	serve_log_write(&log, SERVE_INFO, "listening", "address", "127.0.0.1:7390", NULL);
	same(written(), "2026-05-10T12:00:00Z info listening address=127.0.0.1:7390\n",
	     "a line of the log for a person has time, level, message and names with values");
	serve_log_write(&log, SERVE_WARNING, "cannot read", "error", hostile, "path", "", NULL);
	same(written(), "2026-05-10T12:00:00Z warning cannot read error=\"a \\\"b\\\"\\u000a\\u001b[31m\\\\\" path=\"\"\n",
	     "what a client sent cannot end a line, nor colour a terminal");
	serve_log_write(&log, SERVE_WARNING, "odd", "a", "\xc2\x9b[31m", "b", "\xe2\x80\xaetxt", "c", "\x9b", "d", "\xc3\xa4", NULL);
	same(written(), "2026-05-10T12:00:00Z warning odd a=\"\\u009b[31m\" b=\"\\u202etxt\" c=\"\\x9b\" d=\xc3\xa4\n",
	     "what a client sent can neither command a terminal in other ways nor turn a line around");
	log.json = true;
	serve_log_write(&log, SERVE_WARNING, "odd", "a", "\xc2\x9b[31m\xe2\x80\xae\x9b", NULL);
	same(written(), "{\"time\":\"2026-05-10T12:00:00Z\",\"level\":\"warning\",\"message\":\"odd\",\"a\":\"\\u009b[31m\\u202e\xef\xbf\xbd\"}\n",
	     "in a line of JSON what a terminal would act on is an escape");
	serve_log_write(&log, SERVE_ERROR, "cannot read", "error", hostile, NULL);
	object = json_loads(written(), 0, NULL);
	same(json_string_value(json_object_get(object, "level")), "error", "a line of JSON has a level");
	same(json_string_value(json_object_get(object, "time")), "2026-05-10T12:00:00Z",
	     "a line of JSON has a time");
	same(json_string_value(json_object_get(object, "message")), "cannot read",
	     "a line of JSON has a message");
	same(json_string_value(json_object_get(object, "error")), hostile,
	     "a line of JSON has a hostile text as it was");
	json_decref(object);
	serve_log_write(&log, SERVE_ERROR, "answered", "path", "200", "#status", "200", "#ms", "0.037", NULL);
	object = json_loads(written(), 0, NULL);
	ok(json_integer_value(json_object_get(object, "status")) == 200, "in a line of JSON a number is one");
	near(json_real_value(json_object_get(object, "ms")), 0.037, 1e-12, "in a line of JSON a fraction is a number");
	same(json_string_value(json_object_get(object, "path")), "200", "in a line of JSON a text of digits stays a text");
	json_decref(object);
	log.json = false;
	serve_log_write(&log, SERVE_INFO, "answered", "#status", "200", NULL);
	same(written(), "2026-05-10T12:00:00Z info answered status=200\n", "in a line for a person a number stands bare");
	log.json = true;
	serve_log_write(&log, SERVE_ERROR, "answered", "path", "/\xff", NULL);
	object = json_loads(written(), 0, NULL);
	same(json_string_value(json_object_get(object, "path")), "/\xef\xbf\xbd",
	     "a text that is not UTF-8 is repaired in a line of JSON");
	json_decref(object);
	serve_log_write(&log, SERVE_DEBUG, "unheard", NULL);
	serve_log_write(&log, SERVE_INFO, "heard", NULL);
	same(written(), "{\"time\":\"2026-05-10T12:00:00Z\",\"level\":\"info\",\"message\":\"heard\"}\n",
	     "a message below the level of the log is not written");
}

static void check_notify(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	struct prn_error error = { 0 };
	const char *where = *name == '@' ? "@…" : "a path";
	char got[100] = "";

	memcpy(address.sun_path, name, strlen(name));
	if (*name == '@')
		*address.sun_path = 0;
	ok(!bind(fd, (struct sockaddr *)&address, length), "a service manager listens at %s", where);
	ok(!serve_notify(name, "READY=1\nSTATUS=well", NULL), "a service manager at %s is told of the start", where);
	ok(recv(fd, got, sizeof got - 1, MSG_DONTWAIT) > 0, "a service manager at %s hears something", where);
	same(got, "READY=1\nSTATUS=well", "a service manager at %s hears what was said", where);
	close(fd);
	ok(serve_notify(name, "READY=1", &error) == PRN_E_IO && strstr(error.text, name),
	   "a service manager at %s that is gone is an error", where);
}

int main(void)
{
	char folder[] = "/tmp/perennial-notify-XXXXXX", path[100], abstract[100];

	if (pipe(ends) || !mkdtemp(folder))
		return 1;
	check_forms();
	snprintf(path, sizeof path, "%s/s", folder);
	snprintf(abstract, sizeof abstract, "@%s/a", folder);
	check_notify(path);
	check_notify(abstract);
	ok(!serve_notify(NULL, "READY=1", NULL),
	   "without a service manager nothing is sent, and that is no error");
	unlink(path);
	rmdir(folder);
	return done();
}
