/* What a full disk leaves of a daemon: rules that are read again meanwhile, and whether it says that it is ready. */
#include "running.h"

#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static struct serve_daemon *daemon_;

/* Holds the writer until what shall share a commit stands in the queue. */
static int hold(void *context, struct serve_task *task, struct prn_error *error)
{
	(void)task, (void)error;
	for (int i = 0; i < 5000 && serve_writer_depth(((struct serve_daemon *)context)->writer) < 2; i++)
		usleep(1000);
	return 0;
}

static int add_page(void *context, struct serve_task *task, struct prn_error *error)
{
	enum prn_added added;

	(void)task;
	return prn_decider_add(((struct serve_daemon *)context)->decider, "http://a.example/", 1, noon(NULL), &added, error);
}

static int codes[2];

static void told_hold(void *context, struct serve_task *task, int code)
{
	(void)context, (void)task;
	codes[0] = code;
}

static void told_add(void *context, struct serve_task *task, int code)
{
	(void)context, (void)task;
	codes[1] = code;
}

/* A file of this process may have so many bytes, and no signal tells of it. */
static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = bytes;
	setrlimit(RLIMIT_FSIZE, &limit);
}

static void check_reload(void)
{
	struct serve_task holding = { .run = hold, .done = told_hold }, adding = { .run = add_page, .done = told_add };
	struct prn_decider_options options;
	struct prn_error error = { 0 };
	int code;

	prn_decider_options_init(&options);
	options.retire_after = 0;
	ok(serve_daemon_reload(daemon_, &options, 90, &error) == PRN_E_ARGUMENT && *error.text,
	   "rules that the decider refuses are told as not reloaded, with the reason");
	ok(daemon_->lease_s == 60, "leases stay as they are when the decider refuses the rules beside them");
	options.retire_after = 7;
	must(!serve_writer_submit(daemon_->writer, &holding) && !serve_writer_submit(daemon_->writer, &adding), "submit");
	limit_files(1);
	code = serve_daemon_reload(daemon_, &options, 90, &error);
	limit_files(RLIM_INFINITY);
	must(!codes[0] && codes[1] == PRN_E_IO, "share a commit that fails");
	ok(daemon_->lease_s == 90, "rules that are read again hold also when the commit of their group fails");
	ok(!code, "rules that hold are told as reloaded, so that nobody frees what the decider borrows");
}

static int64_t later_s; /* than noon */

static int64_t afternoon(void *context)
{
	return noon(context) + later_s;
}

/* A page of its own shard. */
struct adding {
	struct serve_task task;
	char url[64];
};

static int add_another(void *context, struct serve_task *task, struct prn_error *error)
{
	enum prn_added added;

	return prn_decider_add(((struct serve_daemon *)context)->decider, ((struct adding *)task)->url, 1, noon(NULL), &added, error);
}

static void told_nobody(void *context, struct serve_task *task, int code)
{
	(void)context, (void)task, (void)code;
}

/* Adds a page that is not there so far to the same shard as the last one, if there was one, or to another than avoided. */
static int add_to(size_t *part, size_t avoided)
{
	static unsigned number;
	struct adding adding = { .task = { .run = add_another, .done = told_nobody } };

	do {
		snprintf(adding.url, sizeof adding.url, "http://h%u.example/", number++);
		adding.task.part = serve_part(daemon_, adding.url);
	} while (*part ? adding.task.part != *part : adding.task.part == avoided);
	*part = adding.task.part;
	return serve_writer_perform(daemon_->writer, &adding.task);
}

/* What /readyz answers: its status and its words. */
static const char *readiness(void)
{
	static char words[1100];

	snprintf(words, sizeof words, "%.1000s", ask_daemon(daemon_, "GET", "/readyz"));
	words[strcspn(words, "\n")] = 0;
	return words;
}

static void check_readiness(void)
{
	size_t full = 0, well = 0;

	must(!add_to(&full, 0) && !add_to(&well, full), "add to two shards");
	same(readiness(), "200 ready", "a daemon whose shards take what is written is ready");
	limit_files(1);
	must(add_to(&full, 0) == PRN_E_IO, "fail to commit to a shard");
	limit_files(RLIM_INFINITY);
	same(readiness(), "503 the last commit failed", "a daemon one of whose shards took no commit is not ready");
	must(!add_to(&well, full), "commit to another shard");
	same(readiness(), "503 the last commit failed", "what another shard commits does not make a daemon ready");
	must(!add_to(&full, 0), "commit to the shard that failed");
	same(readiness(), "200 ready", "a daemon is ready when the shard that failed takes a commit again");
}

/* Who is told that it is not ready asks it for nothing: it finds out by itself that there is room again. */
static void check_healing(void)
{
	size_t part = 0;

	must(!add_to(&part, SIZE_MAX) && !add_to(&part, SIZE_MAX), "add two pages");
	limit_files(1);
	ok(!strncmp(ask_daemon(daemon_, "POST", "/v1/due?limit=1"), "50", 2), "no page is handed out when the lease cannot be written");
	same(readiness(), "503 the last commit failed", "a daemon that cannot write leases is not ready");
	later_s += 5;
	same(readiness(), "503 the last commit failed",
	     "a daemon is not ready for as long as the disk takes no files");
	limit_files(RLIM_INFINITY);
	same(readiness(), "503 the last commit failed",
	     "a daemon that is not ready looks at the disk once a second at most");
	later_s++;
	same(readiness(), "200 ready",
	     "a daemon is ready when the disk takes files again, though nothing was written");
	ok(!strncmp(ask_daemon(daemon_, "POST", "/v1/due?limit=1"), "200", 3),
	   "a daemon that is ready again hands out pages");
	limit_files(1);
	must(add_to(&part, SIZE_MAX) == PRN_E_IO, "fail to commit");
	limit_files(RLIM_INFINITY);
	later_s -= 3600;
	same(readiness(), "200 ready", "a clock that was set back keeps it from looking for no longer");
}

int main(void)
{
	const struct serve_log log = { .fd = STDERR_FILENO, .least = SERVE_ERROR + 1, .clock = noon };
	const struct serve_log ticking = { .fd = STDERR_FILENO, .least = SERVE_ERROR + 1, .clock = afternoon };

	make_scratch();
	daemon_ = start_daemon("store", 0, &log);
	check_reload();
	serve_daemon_stop(daemon_, 1);
	daemon_ = start_daemon("spread", 4, &log);
	check_readiness();
	serve_daemon_stop(daemon_, 1);
	daemon_ = start_daemon("healed", 0, &ticking);
	check_healing();
	serve_daemon_stop(daemon_, 1);
	daemon_ = start_daemon("healed4", 4, &ticking);
	check_healing();
	serve_daemon_stop(daemon_, 1);
	return done();
}
