/*
 * /indexnow: a site says which of its pages have changed (indexnow.org), many by POST, or one by GET.  No other GET changes
 * anything here; the key shows that this one is intended.
 */
#include "serve/indexnow.h"

#include "base/given_file.h"
#include "base/json.h"
#include "base/text_lines.h"
#include "serve/admission.h"
#include "serve/hints.h"
#include "serve/routes.h"

#include "archive/url_host.h"
#include "perennial/url.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define URLS_MOST 10000 /* of one submission, as the protocol has it */
#define BODY_BYTES ((uint64_t)4 << 20) /* a client without a key may send so much; it is 400 a URL in a full list */
#define VALUES (URLS_MOST + 100)       /* with the host, the key, and what else somebody may say */

struct site {
	char *host, *key;
};

struct serve_indexnow {
	struct site *sites; /* [count] */
	size_t count, capacity;
};

static int add_site(struct serve_indexnow *keys, const char *host, const char *key, struct prn_error *error)
{
	struct site *grown = prn_array_grow(keys->sites, &keys->capacity, keys->count + 1, sizeof *grown);

	if (!grown)
		return prn_error_memory(error);
	keys->sites = grown;
	grown[keys->count] = (struct site){ strdup(host), strdup(key) };
	if (!grown[keys->count].host || !grown[keys->count].key) {
		free(grown[keys->count].host);
		free(grown[keys->count].key);
		return prn_error_memory(error);
	}
	keys->count++;
	return 0;
}

/* As the protocol has them: 8 to 128 letters, digits and dashes. */
static bool is_key(const char *key)
{
	size_t length = strlen(key);

	return length >= 8 && length <= 128 &&
	       strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == length;
}

/* A host as somebody names it, in its normal form. */
struct host {
	char name[PRN_URL_HOST_NAME];
	unsigned long port; /* 0: any */
};

/* The host of a normal URL; its port is 0 where that is its scheme's.  False: its name is too long. */
static bool host_of(const char *normal, struct host *host)
{
	size_t length;
	const char *name = prn_url_host(normal, &length), *after = name + length;

	if (!length || length >= sizeof host->name)
		return false;
	memcpy(host->name, name, length);
	host->name[length] = 0;
	after += *after == '.';
	host->port = *after == ':' ? strtoul(after + 1, NULL, 10) : 0;
	return true;
}

/* "a.example", or with a port "a.example:8080".  PRN_E_INPUT: it is neither; PRN_E_MEMORY */
static int read_host(const char *text, struct host *host)
{
	char url[PRN_URL_HOST_NAME + 16], normal[PRN_URL_BYTES + 1];
	const char *colon = strrchr(text, ':');
	int code;

	if (!*text || strpbrk(text, "/?#@\\") || strlen(text) >= PRN_URL_HOST_NAME)
		return PRN_E_INPUT;
	snprintf(url, sizeof url, "http://%s/", text);
	code = prn_url_normalize(url, SIZE_MAX, normal, sizeof normal);
	if (code || !host_of(normal, host))
		return code == PRN_E_MEMORY ? code : PRN_E_INPUT;
	/* The normal form leaves the port out if it is that of http. */
	if (colon && !strchr(colon, ']'))
		host->port = strtoul(colon + 1, NULL, 10);
	return 0;
}

static int read_line(struct serve_indexnow *keys, char *line, const char *path, unsigned long long number, struct prn_error *error)
{
	char *name = strtok(line, " \t\r\n"), *key = strtok(NULL, " \t\r\n");
	struct host host;
	int code;

	if (!name || *name == '#')
		return 0;
	code = read_host(name, &host);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code || !key || strtok(NULL, " \t\r\n") || !is_key(key) || host.port)
		return prn_error_set(error, PRN_E_INPUT,
		                     "%s, line %llu: expected a host, without a port, and its key, of 8 to 128 letters, digits and dashes",
		                     path, number);
	return add_site(keys, host.name, key, error);
}

int serve_indexnow_open(struct serve_indexnow **out, const char *path, struct prn_error *error)
{
	struct serve_indexnow *keys = calloc(1, sizeof *keys);
	struct prn_text_lines lines = { .name = path };
	struct prn_buffer bytes = { 0 };
	int code;

	if (!keys)
		return prn_error_memory(error);
	code = prn_given_file_open(&lines.file, &bytes, path, PRN_GIVEN_FILE_S, error);
	while (!code && (code = prn_text_lines_need(&lines, error)) > 0)
		code = read_line(keys, lines.line, path, lines.number, error);
	prn_buffer_release(&lines.text);
	if (lines.file)
		fclose(lines.file);
	prn_buffer_release(&bytes);
	if (code)
		serve_indexnow_free(keys);
	else
		*out = keys;
	return code;
}

void serve_indexnow_free(struct serve_indexnow *keys)
{
	for (size_t i = 0; keys && i < keys->count; i++) {
		free(keys->sites[i].host);
		free(keys->sites[i].key);
	}
	if (keys)
		free(keys->sites);
	free(keys);
}

bool serve_indexnow_knows(const struct serve_indexnow *keys, const char *host, const char *key)
{
	bool known = false;

	for (size_t i = 0; keys && i < keys->count; i++)
		known |= !strcmp(keys->sites[i].host, host) & serve_secret_equals(key, keys->sites[i].key);
	return known;
}

struct submission {
	struct serve_hints_call hints;
	const unsigned char *body; /* [length], the request's */
	size_t length;
	json_t *root;
};

static void release(struct serve_hints_call *hints)
{
	json_decref(((struct submission *)hints)->root);
}

/* Adds a hint of a normal URL. */
static int add_hint(struct submission *submission, const char *url, const char *normal)
{
	const struct prn_hint hint = { .url = url, .normal_url = normal, .time = PRN_TIME_UNKNOWN, .modified = PRN_TIME_UNKNOWN,
		                       .says_changed = true, .source = "indexnow" };

	submission->hints.hinter.read.entries++;
	return serve_hints_add(&submission->hints, &hint);
}

/* Adds a hint of a URL of a list.  PRN_E_INPUT: the URL is not of the host, for which the protocol has 422. */
static int add_url(struct submission *submission, const char *url, const struct host *host)
{
	char normal[PRN_URL_BYTES + 1];
	unsigned long port;
	struct host found;
	int code = url ? prn_url_normalize(url, SIZE_MAX, normal, sizeof normal) : PRN_E_INPUT;

	if (code)
		return code == PRN_E_MEMORY ? code : PRN_E_INPUT;
	if (!host_of(normal, &found) || strcmp(found.name, host->name))
		return PRN_E_INPUT;
	port = found.port ? found.port : strncmp(normal, "https:", 6) ? 80 : 443;
	return host->port && port != host->port ? PRN_E_INPUT : add_hint(submission, url, normal);
}

static void refuse_form(struct serve_request *request)
{
	serve_request_refuse(request, 400, "expected {\"host\": …, \"key\": …, \"urlList\": [at most %d URLs]}", URLS_MOST);
}

/* Whether the site has the key; answers if not. */
static bool judge_key(const struct serve_daemon *daemon, const char *name, const char *key, struct serve_request *request)
{
	bool known = serve_indexnow_knows(daemon->options.indexnow, name, key);

	if (!known)
		serve_request_refuse(request, 403, "that is not the key of this host");
	return known;
}

/* Takes the submission's URLs, if they may be taken; answers if not. */
static bool take_urls(struct submission *submission, const struct serve_daemon *daemon, struct serve_request *request)
{
	const char *name = json_string_value(json_object_get(submission->root, "host"));
	const char *key = json_string_value(json_object_get(submission->root, "key"));
	const json_t *urls = json_object_get(submission->root, "urlList"), *item;
	struct host host;
	size_t i;
	int code;

	if (!name || !key || !json_is_array(urls) || json_array_size(urls) > URLS_MOST) {
		refuse_form(request);
		return false;
	}
	code = read_host(name, &host);
	if (code == PRN_E_MEMORY) {
		serve_request_fail_memory(request);
		return false;
	}
	if (!judge_key(daemon, code ? "" : host.name, key, request))
		return false;
	json_array_foreach(urls, i, item) {
		code = add_url(submission, json_string_value(item), &host);

		if (code == PRN_E_MEMORY)
			serve_request_fail_memory(request);
		else if (code)
			serve_request_refuse(request, 422, "urlList[%zu] is not a URL of the host", i);
		if (code)
			return false;
	}
	return true;
}

/* Takes the one URL of a GET; answers if it may not be taken. */
static bool take_url(struct submission *submission, const struct serve_daemon *daemon, struct serve_request *request)
{
	const char *url = serve_request_parameter(request, "url"), *key = serve_request_parameter(request, "key");
	char normal[PRN_URL_BYTES + 1];
	struct host host;
	int code;

	if (!url || !key) {
		serve_request_refuse(request, 400, "expected /indexnow?url=…&key=…, or a POST of many URLs");
		return false;
	}
	code = prn_url_normalize(url, SIZE_MAX, normal, sizeof normal);
	if (!code && !host_of(normal, &host))
		code = PRN_E_INPUT;
	if (!code && !judge_key(daemon, host.name, key, request))
		return false;
	if (!code)
		code = add_hint(submission, url, normal);
	if (code == PRN_E_MEMORY)
		serve_request_fail_memory(request);
	else if (code)
		serve_request_refuse(request, 422, "url is not an absolute http or https URL");
	return !code;
}

/* Reads the submission and has the writer take it in; frees the call if it does not come to that. */
static void read_submission(void *context)
{
	struct submission *submission = context;
	struct serve_call *call = &submission->hints.call;
	json_error_t why;
	int code = prn_json_load((const char *)submission->body, submission->length, 0, VALUES, &submission->root, &why);

	if (code == PRN_E_MEMORY)
		serve_request_fail_memory(call->request);
	else if (code == PRN_E_LIMIT)
		refuse_form(call->request);
	else if (code)
		serve_request_refuse(call->request, 400, "not JSON: %s", why.text);
	if (code || !take_urls(submission, call->daemon, call->request))
		serve_call_free(call);
	else
		serve_call_submit(call);
}

uint64_t serve_indexnow_limit(void *context, struct serve_request *request)
{
	(void)context;
	(void)request;
	return BODY_BYTES;
}

/* A submission of the request; NULL: it was answered. */
static struct submission *open_submission(struct serve_daemon *daemon, struct serve_request *request)
{
	struct submission *submission;

	if (!daemon->options.indexnow) {
		serve_request_refuse(request, 404, "IndexNow is not spoken here: --indexnow-keys=FILE has the keys of sites");
		return NULL;
	}
	submission = serve_hints_open(daemon, request, sizeof *submission);
	if (submission)
		submission->hints.release = release;
	return submission;
}

void serve_indexnow(void *context, struct serve_request *request)
{
	struct submission *submission = open_submission(context, request);
	struct prn_error error = { 0 };

	if (!submission)
		return;
	if (!serve_request_body(request, &submission->body, &submission->length, &error)) {
		serve_hints_read(&submission->hints, submission->length, read_submission);
		return;
	}
	serve_request_fail(request, &error);
	serve_call_free(&submission->hints.call);
}

void serve_indexnow_one(void *context, struct serve_request *request)
{
	struct submission *submission;

	if (serve_request_is_head(request)) {
		serve_request_set_header(request, "Allow", "GET, POST");
		serve_request_refuse(request, 405, "a GET tells of a page here: HEAD tells nothing");
		return;
	}
	submission = open_submission(context, request);
	if (!submission)
		return;
	if (take_url(submission, context, request))
		serve_call_submit(&submission->hints.call);
	else
		serve_call_free(&submission->hints.call);
}
