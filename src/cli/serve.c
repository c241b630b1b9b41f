#include "base/parallel.h"
#include "cli/command.h"
#include "cli/deciding.h"
#include "cli/keeping.h"
#include "serve/daemon.h"
#include "serve/notify.h"
#include "serve/token.h"
#include "term/words.h"

#include "perennial/source.h"
#include "perennial/time.h"
#include "perennial/version.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CLIENT_ROOM ((size_t)1 << 30)
#define STOP_S 10.0 /* for requests in progress when it is told to stop */

/* What the command line and the files that it names say. */
struct serve_options {
	struct cli_rules rules;
	const char *listen, *token_file, *indexnow, *spool, *log, *level;
	bool no_token;
	struct term_list hosts;
	uint64_t threads, connections, queue;
	size_t body_bytes_max, upload_bytes_max, spool_most, client_spool_most;
	double timeout_s;
	struct cli_keeping keeping;
};

/* Returns the daemon's time: --now=TIME is when it starts, and time goes on from there. */
static int64_t daemon_clock(void *ahead)
{
	return time(NULL) + *(const int64_t *)ahead;
}

static int check(const struct serve_options *given, struct prn_error *error)
{
	if (given->no_token && given->token_file)
		return term_usage_error(error, "--no-token and --token-file exclude each other");
	if (given->threads < 1 || given->threads > 256)
		return term_usage_error(error, "--threads takes 1 to 256");
	if (given->connections < 2 * given->threads || given->connections > 65535)
		return term_usage_error(error, "--connections takes %" PRIu64 " (two for each thread) to 65535", 2 * given->threads);
	if (given->queue < 1 || given->queue > 1000000)
		return term_usage_error(error, "--queue takes 1 to 1000000");
	if (!given->body_bytes_max || !given->upload_bytes_max)
		return term_usage_error(error, "--max-body and --max-upload take at least 1");
	if (given->client_spool_most < given->upload_bytes_max || given->client_spool_most < given->body_bytes_max)
		return term_usage_error(error, "--max-client-spool takes at least what --max-upload and --max-body allow");
	if (given->spool_most < given->client_spool_most)
		return term_usage_error(error, "--max-spool takes at least what --max-client-spool allows");
	if (!(given->timeout_s > 0))
		return term_usage_error(error, "--timeout takes more than 0s");
	return 0;
}

static size_t twice(size_t bytes)
{
	return bytes > SIZE_MAX / 2 ? SIZE_MAX : 2 * bytes;
}

/* Fills in the room for uploads if it was not given: for many pages at a time, or for two of the largest. */
static void fill_room(struct serve_options *given)
{
	size_t largest = given->upload_bytes_max > given->body_bytes_max ? given->upload_bytes_max : given->body_bytes_max;

	if (!given->client_spool_most)
		given->client_spool_most = twice(largest > CLIENT_ROOM / 2 ? largest : CLIENT_ROOM / 2);
	if (!given->spool_most)
		given->spool_most = twice(given->client_spool_most);
}

/* Call release_options also after a failure. */
static void init_options(struct serve_options *given)
{
	*given = (struct serve_options){ .listen = "127.0.0.1:7390",
		                         .log = "text",
		                         .level = "info",
		                         .threads = prn_parallel_processors(),
		                         .connections = SERVE_CONNECTIONS,
		                         .queue = SERVE_QUEUE,
		                         .body_bytes_max = PRN_BODY_BYTES,
		                         .upload_bytes_max = SERVE_UPLOAD_BYTES,
		                         .timeout_s = SERVE_TIMEOUT_S };
	cli_keeping_init(&given->keeping);
}

static int parse_options(struct serve_options *given, int argc, char **argv, struct prn_error *error)
{
	const struct term_option options[] = {
		CLI_RULES_STATE(&given->rules),
		CLI_RULES_CREATE(&given->rules),
		CLI_RULES_FRAGMENTS(&given->rules),
		{ TERM_OPTION_TEXT, "listen", 'l', &given->listen, "ADDRESS",
		  "127.0.0.1:7390 (default), [::1]:7390 or unix:/path; port 0: any" },
		{ TERM_OPTION_TEXT, "token-file", 0, &given->token_file, "FILE",
		  "its first line must be sent by who asks (default DIR/token)" },
		{ TERM_OPTION_FLAG, "no-token", 0, &given->no_token, NULL, "ask for none; on loopback and Unix sockets only" },
		{ TERM_OPTION_LIST, "host", 0, &given->hosts, "NAME,…", "names in Host headers to answer to, beside numbers" },
		{ TERM_OPTION_TEXT, "indexnow-keys", 0, &given->indexnow, "FILE",
		  "lines 'HOST KEY': sites that may tell of their pages at /indexnow" },
		{ TERM_OPTION_TEXT, "log", 0, &given->log, "text|json", "form of the lines on stderr (default text)" },
		{ TERM_OPTION_TEXT, "log-level", 0, &given->level, SERVE_LEVELS,
		  "debug has each request (default info)" },
		CLI_RULES_NOW(&given->rules),
		{ TERM_OPTION_HEADING, "Limits", 0, NULL, NULL, NULL },
		{ TERM_OPTION_BYTES, "max-body", 0, &given->body_bytes_max, "BYTES", "of one page (default 16M)" },
		{ TERM_OPTION_BYTES, "max-upload", 0, &given->upload_bytes_max, "BYTES", "of a batch (default 4G)" },
		{ TERM_OPTION_TEXT, "spool", 0, &given->spool, "DIR", "for uploads on their way (default /tmp)" },
		{ TERM_OPTION_BYTES, "max-client-spool", 0, &given->client_spool_most, "BYTES",
		  "of one client's uploads on their way (twice --max-upload, at least 1G)" },
		{ TERM_OPTION_BYTES, "max-spool", 0, &given->spool_most, "BYTES",
		  "of all uploads on their way (twice --max-client-spool)" },
		CLI_KEEPING_ROWS(&given->keeping),
		{ TERM_OPTION_COUNT, "queue", 0, &given->queue, "N", "reports that may wait for the disk (default 4096)" },
		{ TERM_OPTION_COUNT, "connections", 0, &given->connections, "N", "at a time (default 512)" },
		{ TERM_OPTION_DURATION, "timeout", 0, &given->timeout_s, "DURATION",
		  "for a request to come or an answer to go (default 30s)" },
		{ TERM_OPTION_COUNT, "threads", 0, &given->threads, "N", "that read pages (default: all processors)" },
		CLI_RULES_LOCK(&given->rules),
		CLI_RULES_CONFIG(&given->rules),
		{ TERM_OPTION_HEADING, "Rules, also keys of --config, which SIGHUP reads again", 0, NULL, NULL, NULL },
		CLI_RULES_ATTEMPTS(&given->rules),
		CLI_RULES_HINTS(&given->rules),
		CLI_RULES_INTERVALS(&given->rules),
		CLI_RULES_HANDING(&given->rules),
		CLI_RULES_HOSTS(&given->rules),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"serve", "--state=DIR [OPTION]…",
		"The decider over HTTP: a fetcher asks for what is due and reports what came; a report is answered when\n"
		"it is durable.  perennial-serve(1) and openapi.yaml tell what is answered; / is a page for a person.",
		options,
	};
	int first, code;

	init_options(given);
	code = cli_rules_parse(&given->rules, &usage, argc, argv, &first, error);
	if (!code)
		code = cli_keeping_check(&given->keeping, given->rules.store_name, true, error);
	if (!code && first < argc)
		code = term_usage_error(error, "unexpected operand '%s'", argv[first]);
	fill_room(given);
	return code ? code : check(given, error);
}

static void release_options(struct serve_options *given)
{
	cli_rules_release(&given->rules);
	term_list_release(&given->hosts);
}

/* Notifies the service manager, if there is one.  A failure is logged and is no reason to stop. */
static void notify(const struct serve_log *log, const char *message)
{
	struct prn_error error = { 0 };

	if (serve_notify(getenv("NOTIFY_SOCKET"), message, &error))
		serve_log_write(log, SERVE_WARNING, "service manager not told", "error", error.text, NULL);
}

/*
 * Parses the command line anew, so that options keep their precedence over the file.  If something is wrong now,
 * the old settings stay in force; otherwise *held becomes what was read, because the decider borrows from it.
 */
static void reload(struct serve_daemon *daemon, struct cli_rules *held, int argc, char **argv,
                   const struct serve_log *log)
{
	struct prn_error error = { 0 };
	struct cli_rules before = *held;
	struct serve_options anew;
	struct timespec now;
	char message[80];

	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(message, sizeof message, "RELOADING=1\nMONOTONIC_USEC=%lld", (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000);
	notify(log, message);
	if (parse_options(&anew, argc, argv, &error)) {
		prn_error_prefix(&error, "perennial serve");
		serve_log_write(log, SERVE_ERROR, "not reloaded, what held before holds on", "error", error.text, NULL);
	} else if (serve_daemon_reload(daemon, &anew.rules.decider, anew.rules.lease_s, &error)) {
		serve_log_write(log, SERVE_ERROR, "not reloaded", "error", error.text, NULL);
	} else {
		*held = anew.rules;
		anew.rules = before;
		serve_log_write(log, SERVE_INFO, "reloaded", NULL);
	}
	release_options(&anew);
	notify(log, "READY=1");
}

/*
 * Waits for the next signal.  Meanwhile the service manager, if it asked for that, is notified from time to time that the
 * writer makes progress.
 */
static int wait_for_signal(struct serve_daemon *daemon, const sigset_t *signals, double watchdog_s,
                           const struct serve_log *log)
{
	double wait_s = watchdog_s / 4;
	const struct timespec patience = { (time_t)wait_s, (long)(1e9 * (wait_s - floor(wait_s))) };
	uint64_t seen = 0;

	for (;;) {
		int number = sigtimedwait(signals, NULL, watchdog_s > 0 ? &patience : NULL);

		if (number > 0)
			return number;
		if (errno == EAGAIN && serve_daemon_goes_on(daemon, &seen))
			notify(log, "WATCHDOG=1");
	}
}

/* Waits until a signal says to stop.  SIGHUP reads the configuration again. */
static void wait_for_signals(struct serve_daemon *daemon, struct serve_options *given, const sigset_t *signals, int argc,
                             char **argv, const struct serve_log *log)
{
	double watchdog_s = serve_notify_watchdog(getenv("WATCHDOG_USEC"), getenv("WATCHDOG_PID"));
	int number;

	for (;;) {
		number = wait_for_signal(daemon, signals, watchdog_s, log);
		if (number != SIGHUP)
			break;
		reload(daemon, &given->rules, argc, argv, log);
	}
	serve_log_write(log, SERVE_INFO, "stopping", "signal", number == SIGTERM ? "TERM" : "INT", NULL);
	notify(log, "STOPPING=1");
}

/* A store that was made before there were tokens, or moved without its token, gets one. */
static int find_token(const struct serve_options *given, const struct serve_log *log, char **path,
                      struct prn_error *error)
{
	bool made = false;
	int code = 0;

	*path = NULL;
	if (given->token_file)
		*path = strdup(given->token_file);
	else if (!given->no_token)
		code = serve_token_make(given->rules.store_name, path, &made, error);
	if (code)
		return code;
	if (!*path && !given->no_token)
		return given->token_file ? prn_error_memory(error)
		                         : term_usage_error(error, "--token-file=FILE or --no-token: this store has no folder");
	if (made)
		serve_log_write(log, SERVE_WARNING, "made a token: who asks must send it", "file", *path, NULL);
	return 0;
}

/* Things that the daemon borrows. */
struct lent {
	char *token;
	struct keep *keep;
	struct serve_indexnow *indexnow;
};

static void release_lent(struct lent *lent)
{
	free(lent->token);
	keep_free(lent->keep);
	serve_indexnow_free(lent->indexnow);
}

/* If nothing is to be kept, a fault in the bodies of an earlier run is no reason not to start. */
static int open_kept(const struct serve_options *given, const struct serve_log *log, struct keep **keep, struct prn_error *error)
{
	int code = cli_keeping_open(&given->keeping, given->rules.store_name, true, keep, error);

	if (!code || given->keeping.keeps)
		return code;
	serve_log_write(log, SERVE_WARNING, "kept bodies are neither shown nor forgotten", "error", error->text, NULL);
	*error = (struct prn_error){ 0 };
	return 0;
}

static int open_daemon(struct serve_daemon **daemon, const struct serve_options *given, const struct serve_log *log,
                       struct lent *lent, struct prn_error *error)
{
	struct serve_daemon_options options = { .no_token = given->no_token,
		                                .hosts = (const char *const *)given->hosts.items,
		                                .host_count = given->hosts.count,
		                                .threads = (unsigned)given->threads,
		                                .connections = (unsigned)given->connections,
		                                .queue = (size_t)given->queue,
		                                .body_bytes_max = given->body_bytes_max,
		                                .upload_bytes_max = given->upload_bytes_max,
		                                .spool_most = given->spool_most,
		                                .client_spool_most = given->client_spool_most,
		                                .timeout_s = given->timeout_s,
		                                .lease_s = given->rules.lease_s,
		                                .spool = given->spool,
		                                .log = log };
	struct prn_decider *decider;
	int code = serve_address_parse(&options.address, given->listen, error);

	/* These are checked before the store is opened, which may make it. */
	if (!code)
		code = serve_daemon_check(&options, error);
	if (code == PRN_E_INPUT || code == PRN_E_ARGUMENT)
		return term_usage_blame(error);
	if (!code && given->indexnow)
		code = serve_indexnow_open(&lent->indexnow, given->indexnow, error);
	if (!code)
		code = cli_decider_open_or_make("serve", &given->rules, &decider, error);
	if (code)
		return code;
	code = find_token(given, log, &lent->token, error);
	if (!code)
		code = open_kept(given, log, &lent->keep, error);
	options.keep = lent->keep;
	options.keep_most = given->keeping.keeps ? given->keeping.bytes_most : 0;
	options.token_file = lent->token;
	options.indexnow = lent->indexnow;
	if (!code)
		return serve_daemon_open_take(daemon, decider, &options, error);
	prn_decider_free(decider);
	return code;
}

static int serve(struct serve_options *given, int argc, char **argv, struct prn_error *error)
{
	int64_t ahead = given->rules.has_now ? given->rules.now - time(NULL) : 0;
	struct serve_log log = { .fd = STDERR_FILENO, .json = !strcmp(given->log, "json"), .clock = daemon_clock,
		                 .clock_context = &ahead };
	char address[SERVE_ADDRESS_TEXT], count[24];
	struct lent lent = { 0 };
	struct serve_daemon *daemon;
	sigset_t signals;
	int code;

	log.least = (enum serve_level)term_words_find(SERVE_LEVELS, given->level);
	/* A client that hangs up is not worth a signal; the others are blocked before there are threads, so that this one alone gets them. */
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	code = open_daemon(&daemon, given, &log, &lent, error);
	if (code) {
		release_lent(&lent);
		return code;
	}
	serve_log_write(&log, SERVE_INFO, "listening", "address",
	                serve_address_format(serve_daemon_address(daemon), address), "store", given->rules.store_name,
	                "token", lent.token ? lent.token : "none", "version", prn_version(), NULL);
	notify(&log, "READY=1");
	wait_for_signals(daemon, given, &signals, argc, argv, &log);
	snprintf(count, sizeof count, "%" PRIu64, serve_daemon_stop(daemon, STOP_S));
	serve_log_write(&log, SERVE_INFO, "stopped", "#answered", count, NULL);
	release_lent(&lent);
	return TERM_DONE;
}

int cli_serve(int argc, char **argv, struct prn_error *error)
{
	struct serve_options given;
	int code = parse_options(&given, argc, argv, error);

	if (!code)
		code = serve(&given, argc, argv, error);
	release_options(&given);
	return code;
}
