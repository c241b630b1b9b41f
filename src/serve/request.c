#include "base/portable.h"
#include "serve/framing.h"
#include "serve/http_internal.h"
#include "serve/json.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

const char *serve_request_parameter(struct serve_request *request, const char *name)
{
	const char *value = NULL;
	size_t length = 0;

	if (serve_library.lookup_connection_value_n(request->connection, MHD_GET_ARGUMENT_KIND, name, strlen(name), &value,
	                                  &length) != MHD_YES)
		return NULL;
	return value ? value : "";
}

const char *serve_request_header(struct serve_request *request, const char *name)
{
	return serve_library.lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

bool serve_request_is_head(const struct serve_request *request)
{
	return !strcmp(request->method, "HEAD");
}

int serve_request_body(struct serve_request *request, const unsigned char **bytes, size_t *length,
                       struct prn_error *error)
{
	int code = serve_spool_bytes(&request->upload, bytes, error);

	if (!code)
		*length = (size_t)request->upload.length;
	return code;
}

int serve_request_body_file(struct serve_request *request, int *fd, struct prn_error *error)
{
	int code = serve_spool_to_file(&request->upload, request->http->options.spool, error);

	if (!code)
		*fd = request->upload.file.fd;
	return code;
}

void serve_request_park(struct serve_request *request)
{
	if (request->parked)
		return;
	request->parked = true;
	serve_library.suspend_connection(request->connection);
}

void serve_request_set_header(struct serve_request *request, const char *name, const char *value)
{
	if (request->header_count < SERVE_HEADERS) {
		request->headers[request->header_count].name = name;
		request->headers[request->header_count++].value = value;
	}
}

/* This is the last use of the request here: a parked one may be freed when this returns. */
static void answer(struct serve_request *request, int status, const char *type, struct MHD_Response *response,
                   uint64_t bytes)
{
	if (!response)
		status = 500; /* no memory for an answer: the connection will be closed */
	if (response) {
		serve_library.add_response_header(response, "Content-Type", type);
		serve_library.add_response_header(response, "Cache-Control", "no-store");
		serve_library.add_response_header(response, "X-Content-Type-Options", "nosniff");
		for (size_t i = 0; i < request->header_count; i++)
			serve_library.add_response_header(response, request->headers[i].name, request->headers[i].value);
	}
	request->status = status;
	request->response_bytes = bytes;
	request->response = response;
	if (request->parked)
		serve_library.resume_connection(request->connection);
}

void serve_request_answer(struct serve_request *request, int status, const char *type, struct prn_buffer *body)
{
	struct MHD_Response *response =
		serve_library.create_response_from_buffer(body->length, body->data, MHD_RESPMEM_MUST_FREE);
	size_t length = body->length;

	if (!response)
		prn_buffer_release(body);
	prn_buffer_init(body);
	answer(request, status, type, response, length);
}

void serve_request_answer_spool(struct serve_request *request, int status, const char *type,
                                struct serve_spool *spool)
{
	uint64_t length = spool->length;
	struct MHD_Response *response;

	if (!spool->in_file) {
		serve_request_answer(request, status, type, &spool->memory);
		serve_spool_init(spool, 0);
		return;
	}
	response = serve_library.create_response_from_fd64(length, spool->file.fd);
	if (response)
		spool->in_file = false; /* the file is the response's */
	serve_spool_release(spool);
	answer(request, status, type, response, length);
}

static void refuse(struct serve_request *request, int status, const char *text)
{
	struct prn_buffer body = { 0 };

	serve_json_skipped(&body, text);
	serve_request_answer(request, status, SERVE_JSON, &body);
}

void serve_request_refuse(struct serve_request *request, int status, const char *format, ...)
{
	char text[PRN_ERROR_TEXT];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	refuse(request, status, text);
}

int serve_request_status(const struct prn_error *error)
{
	static const struct {
		int code, status;
	} statuses[] = {
		{ PRN_E_ARGUMENT, 400 },
		{ PRN_E_INPUT, 400 },
		{ PRN_E_TRUNCATED, 400 },
		{ PRN_E_UNSUPPORTED, 415 },
		{ PRN_E_NOT_FOUND, 404 },
		{ PRN_E_CANCELLED, 503 },
		{ PRN_E_IO, 507 },
		{ PRN_E_CONFLICT, 503 },
		{ PRN_E_BUSY, 503 },
		{ PRN_E_UNREADABLE, 409 },
		/* This comes from a store whose reads stay open: a request that exceeds a limit is refused before. */
		{ PRN_E_LIMIT, 503 },
	};
	int status = 500;

	for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
		if (statuses[i].code == error->code)
			status = statuses[i].status;
	return status;
}

void serve_request_log(struct serve_request *request, const struct prn_error *error)
{
	const struct serve_http_options *options = &request->http->options;

	if (options->failed)
		options->failed(options->context, error);
}

void serve_request_fail(struct serve_request *request, const struct prn_error *error)
{
	int status = serve_request_status(error);

	/* Other processes are faster, the cluster is slow, or reads keep the store from growing: these pass.  A full disk is seen to. */
	if (error->code == PRN_E_CONFLICT || error->code == PRN_E_BUSY || error->code == PRN_E_LIMIT || error->code == PRN_E_IO)
		serve_request_set_header(request, "Retry-After", error->code == PRN_E_IO ? "60" : error->code == PRN_E_BUSY ? "5" : "1");
	if (status == 500 || error->code == PRN_E_BUSY)
		serve_request_log(request, error);
	refuse(request, status, *error->text ? error->text : prn_error_text(error->code));
}

void serve_request_fail_memory(struct serve_request *request)
{
	struct prn_error error;

	prn_error_memory(&error);
	serve_request_fail(request, &error);
}

const struct serve_route *serve_request_route(const struct serve_request *request, bool *known)
{
	const struct serve_http_options *options = &request->http->options;
	const char *method = strcmp(request->method, "HEAD") ? request->method : "GET";

	*known = false;
	for (size_t i = 0; i < options->route_count; i++) {
		const struct serve_route *route = &options->routes[i];

		if (strcmp(route->path, request->path))
			continue;
		*known = true;
		if (!strcmp(route->method, method))
			return route;
	}
	return NULL;
}

struct parameter_check {
	const struct serve_route *route;
	const char *name;  /* of the first one at fault */
	const char *fault; /* NULL: none yet */
	unsigned seen;     /* bits by index in the route's list */
};

static enum MHD_Result check_parameter(void *context, enum MHD_ValueKind kind, const char *name, size_t name_length,
                                       const char *value, size_t value_length)
{
	struct parameter_check *check = context;
	const char *const *parameters = check->route->parameters;
	unsigned i = 0;

	(void)kind;
	while (parameters && parameters[i] && strcmp(parameters[i], name))
		i++;
	check->name = name;
	if (strlen(name) != name_length || (value && strlen(value) != value_length))
		check->fault = "has a zero byte";
	else if (!parameters || !parameters[i])
		check->fault = "is not known here";
	else if (check->seen & 1u << i)
		check->fault = "is given twice";
	else
		check->seen |= 1u << i;
	return check->fault ? MHD_NO : MHD_YES;
}

static bool judge_parameters(struct serve_request *request)
{
	struct parameter_check check = { .route = request->route };

	serve_library.get_connection_values_n(request->connection, MHD_GET_ARGUMENT_KIND, check_parameter, &check);
	if (!check.fault)
		return true;
	serve_request_refuse(request, 400, "the parameter '%.100s' %s", check.name, check.fault);
	return false;
}

static bool judge_framing(struct serve_request *request)
{
	const char *fault = serve_framing_fault(request->connection);

	if (!fault)
		return true;
	serve_request_set_header(request, "Connection", "close");
	serve_request_refuse(request, 400, "%s", fault);
	return false;
}

static const void *info_of(struct serve_request *request, enum MHD_ConnectionInfoType type)
{
	return serve_library.get_connection_info(request->connection, type);
}

/* Finds the user at the other end of a Unix socket.  False: it is no such socket. */
static bool find_peer(struct serve_request *request, uid_t *user)
{
	const union MHD_ConnectionInfo *info = info_of(request, MHD_CONNECTION_INFO_CONNECTION_FD);

	return info && serve_address_is_unix(&request->http->options.address) && prn_peer_user(info->connect_fd, user);
}

static void name_client(struct serve_request *request, char *name, socklen_t capacity)
{
	const union MHD_ConnectionInfo *info = info_of(request, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	const struct sockaddr *address = info ? info->client_addr : NULL;
	uid_t peer;

	name[0] = 0;
	if (find_peer(request, &peer))
		snprintf(name, capacity, "uid:%u", (unsigned)peer);
	else if (address && address->sa_family == AF_INET)
		inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, name, capacity);
	else if (address && address->sa_family == AF_INET6)
		inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)address)->sin6_addr, name, capacity);
}

static void refuse_late(struct serve_request *request)
{
	serve_request_refuse(request, 401, "%s", request->refusal);
}

/*
 * The answer to a wrong token is late, and takes no thread meanwhile.  If too many wait already, it comes at once: right tokens are
 * always answered at once, so a client that hears nothing knows anyway that its token was wrong.
 */
static void refuse_token(struct serve_request *request, const char *why)
{
	struct serve_http *http = request->http;
	char name[INET6_ADDRSTRLEN];
	double seconds;

	name_client(request, name, sizeof name);
	seconds = serve_guard_count(http->guard, name, prn_monotonic());
	request->refusal = why;
	request->dispatched = true;
	serve_deadline_suspend(http->deadlines, request->deadline);
	serve_request_park(request);
	if (!serve_guard_hold(http->guard, request, seconds, refuse_late))
		refuse_late(request);
}

static bool judge_admission(struct serve_request *request)
{
	const struct serve_admission *admission = request->http->options.admission;
	uid_t peer;
	/* A user who has the right to read the token need not send it. */
	bool owner = find_peer(request, &peer) && (peer == geteuid() || !peer);
	const struct serve_credentials credentials = { .host = serve_request_header(request, "Host"),
		                                       .origin = serve_request_header(request, "Origin"),
		                                       .authorization = serve_request_header(request, "Authorization"),
		                                       .site = serve_request_header(request, "Sec-Fetch-Site"),
		                                       .mode = serve_request_header(request, "Sec-Fetch-Mode"),
		                                       .destination = serve_request_header(request, "Sec-Fetch-Dest"),
		                                       .owner = owner };
	const struct serve_asked asked = { request->route && request->route->open,
		                           request->route && request->route->linked };
	const char *why;
	int status = serve_admission_judge(admission, &credentials, &asked, &why);

	if (!status)
		return true;
	if (status == 401)
		serve_request_set_header(request, "WWW-Authenticate",
		                         "Basic realm=\"perennial: user perennial, the token as password\"");
	if (status == 401 && credentials.authorization)
		refuse_token(request, why);
	else
		serve_request_refuse(request, status, "%s", why);
	return false;
}

/* "Allow" for each set of methods that a path has here. */
static const char *allowed(const struct serve_request *request)
{
	static const char *const sets[] = { "", "GET, HEAD", "POST", "GET, HEAD, POST", "DELETE", "GET, HEAD, DELETE",
		                            "POST, DELETE", "GET, HEAD, POST, DELETE" };
	const struct serve_http_options *options = &request->http->options;
	unsigned set = 0;

	for (size_t i = 0; i < options->route_count; i++)
		if (!strcmp(options->routes[i].path, request->path))
			set |= *options->routes[i].method == 'G' ? 1 : *options->routes[i].method == 'P' ? 2 : 4;
	return sets[set];
}

/* GET and HEAD are safe (RFC 9110 9.2.1): a path that does not answer them changes something. */
static bool judge_route(struct serve_request *request, bool known)
{
	bool safe = !strcmp(request->method, "GET") || !strcmp(request->method, "HEAD");

	if (!known) {
		serve_request_refuse(request, 404, "there is nothing at this path");
		return false;
	}
	if (!request->route) {
		serve_request_set_header(request, "Allow", allowed(request));
		serve_request_refuse(request, 405, "this path answers %s, not %.20s%s%s", allowed(request),
		                     request->method, safe ? ", which never changes anything: send the same as " : "",
		                     safe ? allowed(request) : "");
		return false;
	}
	if (atomic_load(&request->http->draining) && !request->route->open) {
		serve_request_set_header(request, "Retry-After", "5");
		serve_request_refuse(request, 503, "the server is stopping");
		return false;
	}
	return judge_parameters(request);
}

uint64_t serve_request_held(const struct serve_request *request)
{
	return request->held;
}

int serve_request_hold(struct serve_request *request, uint64_t bytes, struct prn_error *error)
{
	int code = 0;

	if (bytes <= request->held)
		return 0;
	if (!request->held)
		name_client(request, request->client, sizeof request->client);
	code = serve_quota_take(request->http->quota, request->client, bytes - request->held, error);
	if (!code)
		request->held = bytes;
	return code;
}

/* A body whose length is given gets its room now, or is refused before it is sent. */
static bool judge_body(struct serve_request *request)
{
	struct prn_error error = { 0 };
	const char *type = serve_request_header(request, "Content-Type"),
	           *coding = serve_request_header(request, "Content-Encoding"),
	           *length = serve_request_header(request, "Content-Length");
	uint64_t limit = 0, bytes = length ? strtoull(length, NULL, 10) : 0;

	if (request->route->body_limit) {
		limit = request->route->body_limit(request->http->options.context, request);
		if (!limit) {
			serve_request_refuse(request, 415, "this path takes no body of type %.100s",
			                     type ? type : "(none)");
			return false;
		}
	}
	if (coding && strcmp(coding, "identity") && !(request->route->decodes && request->route->decodes(request))) {
		serve_request_refuse(request, 415, "bodies are taken without a Content-Encoding, not as %.40s", coding);
		return false;
	}
	if (limit > serve_quota_most(request->http->quota))
		limit = serve_quota_most(request->http->quota);
	/* The library has made sure that the length is a number. */
	if (bytes > limit) {
		serve_request_refuse(request, 413, "the body has more than the %llu bytes taken here",
		                     (unsigned long long)limit);
		return false;
	}
	serve_spool_init(&request->upload, limit);
	if (bytes <= SERVE_SPOOL_MEMORY || !serve_request_hold(request, bytes, &error))
		return true;
	serve_request_set_header(request, "Retry-After", "5");
	serve_request_fail(request, &error);
	return false;
}

bool serve_request_judge(struct serve_request *request)
{
	bool known;

	request->route = serve_request_route(request, &known);
	return judge_framing(request) && judge_admission(request) && judge_route(request, known) && judge_body(request);
}
