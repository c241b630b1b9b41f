#include "serve/http_internal.h"
#include "base/ascii.h"
#include "base/portable.h"
#include "serve/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HEAD_BYTES ((size_t)32 << 10)
#define WAITING_SHARE 8 /* one connection in so many may wait for the answer to a wrong token */

/* Proxies send the whole URL (RFC 9112 3.2.2); this returns its path. */
static const char *path_of(const char *target)
{
	const char *rest = prn_ascii_compare_n(target, "http://", 7) ? prn_ascii_compare_n(target, "https://", 8) ? NULL : target + 8 : target + 7;

	if (!rest)
		return target;
	rest += strcspn(rest, "/");
	return *rest ? rest : "/";
}

static struct serve_request *begin_request(struct serve_http *http, struct MHD_Connection *connection, const char *path,
                                           const char *method)
{
	const union MHD_ConnectionInfo *info =
		serve_library.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct serve_request *request = calloc(1, sizeof *request);

	if (!request)
		return NULL;
	request->http = http;
	request->connection = connection;
	request->deadline = info ? info->socket_context : NULL;
	request->method = method;
	request->path = path_of(path);
	request->begun = prn_monotonic();
	atomic_fetch_add(&http->under_way, 1);
	serve_deadline_begin(http->deadlines, request->deadline, 0);
	return request;
}

static void report_answered(struct serve_request *request)
{
	const struct serve_http_options *options = &request->http->options;

	if (options->answered)
		options->answered(options->context,
		                  request->route ? (size_t)(request->route - options->routes) : options->route_count,
		                  request->status, prn_monotonic() - request->begun, request->method, request->path);
}

static enum MHD_Result send_answer(struct serve_request *request)
{
	struct serve_http *http = request->http;

	report_answered(request);
	serve_deadline_begin(http->deadlines, request->deadline, request->response_bytes);
	if (!request->response)
		return MHD_NO;
	return serve_library.queue_response(request->connection, (unsigned)request->status, request->response);
}

static void drop_upload(struct serve_request *request)
{
	serve_spool_release(&request->upload);
	if (request->held)
		serve_quota_give(request->http->quota, request->client, request->held);
	request->held = 0;
}

/*
 * Answers while the body comes, which the HTTP library cannot, and says that the connection closes, so that a client that
 * sends on does not fill the disk.  What still comes is read and dropped until the client hangs up or its deadline, so
 * that it receives the answer.
 */
static void refuse_early(struct serve_request *request, int status, const char *text)
{
	const union MHD_ConnectionInfo *info =
		serve_library.get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct prn_buffer body = { 0 }, answer = { 0 };

	request->refused = true;
	request->status = status;
	drop_upload(request);
	report_answered(request);
	if (info && !serve_json_skipped(&body, text) &&
	    !prn_buffer_printf(
		    &answer,
		    "HTTP/1.1 %d %s\r\nConnection: close\r\nContent-Type: " SERVE_JSON "\r\n"
		    "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nContent-Length: %zu\r\n\r\n",
		    status, serve_library.get_reason_phrase_for((unsigned)status), body.length) &&
	    !prn_buffer_append(&answer, body.data, body.length) &&
	    prn_send(info->connect_fd, answer.data, answer.length, MSG_DONTWAIT) >= 0)
		shutdown(info->connect_fd, SHUT_WR);
	prn_buffer_release(&body);
	prn_buffer_release(&answer);
}

/* Takes a piece of the body, or drops it where the request is refused. */
static void take_upload(struct serve_request *request, const char *data, size_t size)
{
	struct prn_error error = { 0 };
	uint64_t length = request->upload.length + size;
	char text[80];
	int code = 0;

	if (request->refused)
		return;
	serve_deadline_extend(request->http->deadlines, request->deadline, size);
	if (length > SERVE_SPOOL_MEMORY && length <= request->upload.limit)
		code = serve_request_hold(request, length, &error);
	if (!code)
		code = serve_spool_append(&request->upload, data, size, request->http->options.spool, &error);
	if (code) {
		refuse_early(request, serve_request_status(&error), error.text);
	} else if (request->upload.over) {
		snprintf(text, sizeof text, "the body has more than the %llu bytes taken here",
		         (unsigned long long)request->upload.limit);
		refuse_early(request, 413, text);
	}
}

/*
 * The library calls this when the head is there, for each piece of the body, once when it has ended, and once
 * more after a parked request is taken up again.
 */
static enum MHD_Result access_handler(void *context, struct MHD_Connection *connection, const char *path,
                                      const char *method, const char *version, const char *data, size_t *size,
                                      void **slot)
{
	struct serve_request *request = *slot;
	bool parked;

	(void)version;
	if (!request) {
		*slot = request = begin_request(context, connection, path, method);
		if (!request)
			return MHD_NO;
		/* An answer before the body closes the connection: a client need not send what is refused. */
		return serve_request_judge(request) || request->parked ? MHD_YES : send_answer(request);
	}
	if (*size && !request->dispatched) {
		take_upload(request, data, *size);
		*size = 0;
		return MHD_YES;
	}
	if (request->refused)
		return MHD_NO;
	if (!request->dispatched) {
		request->dispatched = true;
		serve_deadline_suspend(request->http->deadlines, request->deadline);
		request->route->handler(request->http->options.context, request);
		/* A parked request belongs to another thread by now: this one may only look whether it was parked. */
		parked = request->parked;
		if (parked)
			return MHD_YES;
	}
	return send_answer(request);
}

static void end_request(void *context, struct MHD_Connection *connection, void **slot,
                        enum MHD_RequestTerminationCode why)
{
	struct serve_http *http = context;
	struct serve_request *request = *slot;

	(void)connection, (void)why;
	if (!request)
		return;
	serve_deadline_begin(http->deadlines, request->deadline, 0);
	drop_upload(request);
	if (request->response)
		serve_library.destroy_response(request->response);
	free(request);
	*slot = NULL;
	atomic_fetch_sub(&http->under_way, 1);
}

static void connection_changed(void *context, struct MHD_Connection *connection, void **slot,
                               enum MHD_ConnectionNotificationCode what)
{
	struct serve_http *http = context;
	const union MHD_ConnectionInfo *info = serve_library.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);

	if (what == MHD_CONNECTION_NOTIFY_STARTED) {
		*slot = info ? serve_deadlines_add(http->deadlines, info->connect_fd) : NULL;
	} else {
		serve_deadlines_remove(http->deadlines, *slot);
		*slot = NULL;
	}
}

static void complain(void *context, const char *format, va_list list)
{
	struct serve_http *http = context;
	char text[512];

	vsnprintf(text, sizeof text, format, list);
	text[strcspn(text, "\r\n")] = 0;
	if (http->options.complain && *text)
		http->options.complain(http->options.context, text);
}

static struct MHD_Daemon *start_library(struct serve_http *http)
{
	const struct serve_http_options *options = &http->options;
	struct MHD_OptionItem items[] = {
		{ MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)complain, http },
		{ MHD_OPTION_LISTEN_SOCKET, http->listening, NULL },
		{ MHD_OPTION_THREAD_POOL_SIZE, options->threads, NULL },
		{ MHD_OPTION_CONNECTION_LIMIT, options->connections, NULL },
		{ MHD_OPTION_CONNECTION_MEMORY_LIMIT, HEAD_BYTES, NULL },
		{ MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)end_request, http },
		{ MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)connection_changed, http },
		{ MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL },
		{ MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, NULL },
		{ MHD_OPTION_END, 0, NULL },
	};
	unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;

	/* The HTTP library does not accept a pool of one thread. */
	if (options->threads == 1)
		items[2].value = 0;
	return serve_library.start_daemon(flags, 0, NULL, NULL, access_handler, http, MHD_OPTION_ARRAY, items, MHD_OPTION_END);
}

int serve_http_open(struct serve_http **out, const struct serve_http_options *options, struct prn_error *error)
{
	struct serve_http *http = calloc(1, sizeof *http);
	size_t waiting_most = options->connections > WAITING_SHARE ? options->connections / WAITING_SHARE : 1;
	int code;

	*out = NULL;
	if (!http)
		return prn_error_memory(error);
	http->options = *options;
	code = serve_library_load(error);
	if (!code)
		code = serve_address_listen(&http->options.address, &http->listening, error);
	if (code) {
		free(http);
		return code;
	}
	code = serve_quota_open(&http->quota, options->spool_most ? options->spool_most : UINT64_MAX,
	                        options->client_spool_most ? options->client_spool_most : UINT64_MAX);
	if (code)
		prn_error_memory(error);
	else
		code = serve_deadlines_open(&http->deadlines, options->timeout_s, error);
	if (!code)
		code = serve_guard_open(&http->guard, waiting_most, options->wrong, options->context, error);
	if (!code) {
		*out = http; /* a request may come at once, and its handler ask about the server */
		http->daemon = start_library(http);
		if (!http->daemon)
			code = prn_error_set(error, PRN_E_MEMORY, "the HTTP server cannot start: %s, or no thread can be started",
			                     prn_error_text(PRN_E_MEMORY));
	}
	if (code) {
		close(http->listening);
		serve_address_leave(&http->options.address);
		serve_guard_free(http->guard);
		serve_deadlines_free(http->deadlines);
		serve_quota_free(http->quota);
		free(http);
		*out = NULL;
		return code;
	}
	return 0;
}

const struct serve_address *serve_http_address(const struct serve_http *http)
{
	return &http->options.address;
}

size_t serve_http_connections(struct serve_http *http)
{
	return serve_deadlines_count(http->deadlines);
}

void serve_http_spooled(struct serve_http *http, uint64_t *bytes, uint64_t *refused)
{
	serve_quota_count(http->quota, bytes, refused);
}

void serve_http_drain(struct serve_http *http)
{
	atomic_store(&http->draining, true);
}

bool serve_http_is_draining(const struct serve_http *http)
{
	return atomic_load(&http->draining);
}

void serve_http_stop(struct serve_http *http, double seconds)
{
	const struct timespec moment = { 0, 5000000 };

	serve_http_drain(http);
	serve_library.quiesce_daemon(http->daemon);
	close(http->listening);
	serve_address_leave(&http->options.address);
	serve_guard_end(http->guard);
	for (double waited = 0; atomic_load(&http->under_way) && waited < seconds; waited += 0.005)
		nanosleep(&moment, NULL);
	serve_deadlines_expire(http->deadlines);
	serve_library.stop_daemon(http->daemon);
	serve_guard_free(http->guard);
	serve_deadlines_free(http->deadlines);
	serve_quota_free(http->quota);
	free(http);
}
