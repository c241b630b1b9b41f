#include "serve/admission.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/given_file.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define USER "perennial:" /* the user name of Basic authentication: browsers know no other way to ask */

static int keep_token(struct serve_admission *admission, const char *token, struct prn_error *error)
{
	char pair[sizeof USER + SERVE_TOKEN_MAX];
	size_t length = (size_t)snprintf(pair, sizeof pair, USER "%s", token);
	char *kept = strdup(token), *basic = malloc(PRN_BASE64_BYTES(length));

	if (!kept || !basic) {
		free(kept);
		free(basic);
		return prn_error_memory(error);
	}
	prn_base64_encode(pair, length, basic);
	serve_admission_release(admission);
	admission->token = kept;
	admission->basic = basic;
	return 0;
}

static int check_token(const char *token, const char *path, struct prn_error *error)
{
	size_t length = strlen(token);

	if (length < SERVE_TOKEN_MIN || length > SERVE_TOKEN_MAX)
		return prn_error_set(error, PRN_E_INPUT,
		                     "%s: its first line, the token, must have %d to %d characters and has %zu", path,
		                     SERVE_TOKEN_MIN, SERVE_TOKEN_MAX, length);
	for (; *token; token++)
		if (*token <= ' ' || *token > '~')
			return prn_error_set(error, PRN_E_INPUT,
			                     "%s: a token has only visible ASCII characters, and no spaces", path);
	return 0;
}

int serve_admission_read_token(struct serve_admission *admission, const char *path, struct prn_error *error)
{
	struct prn_buffer bytes = { 0 };
	FILE *file = NULL;
	char line[SERVE_TOKEN_MAX + 3] = "";
	struct stat about;
	int code;

	if (stat(path, &about)) {
		code = prn_error_set(error, PRN_E_IO, "%s: cannot read the token: %s", path, strerror(errno));
	} else if (about.st_mode & S_IRWXO) {
		code = prn_error_set(error, PRN_E_INPUT, "%s: others may read the token: chmod o= %s", path, path);
	} else if ((code = prn_given_file_open(&file, &bytes, path, PRN_GIVEN_FILE_S, error))) {
		prn_error_prefix(error, "the token");
	} else if (!fgets(line, sizeof line, file)) {
		code = prn_error_set(error, PRN_E_INPUT, "%s: holds no token", path);
	} else {
		line[strcspn(line, "\r\n")] = 0;
		code = check_token(line, path, error);
		if (!code)
			code = keep_token(admission, line, error);
	}
	if (file)
		fclose(file);
	prn_buffer_release(&bytes);
	return code;
}

void serve_admission_release(struct serve_admission *admission)
{
	free(admission->token);
	free(admission->basic);
	admission->token = admission->basic = NULL;
}

/* Compares every byte sent whatever it finds, so that the time shows nothing of the secret. */
bool serve_secret_equals(const char *sent, const char *secret)
{
	size_t length = strlen(sent), secret_length = strlen(secret);
	volatile unsigned differ = length != secret_length;

	for (size_t i = 0; i < length; i++)
		differ |= (unsigned char)(sent[i] ^ secret[i % secret_length]);
	return !differ;
}

static bool knows_token(const struct serve_admission *admission, const char *authorization)
{
	if (!authorization)
		return false;
	if (!prn_ascii_compare_n(authorization, "Bearer ", 7))
		return serve_secret_equals(authorization + 7, admission->token);
	return !prn_ascii_compare_n(authorization, "Basic ", 6) && serve_secret_equals(authorization + 6, admission->basic);
}

static bool is_numeric(const char *name, size_t length)
{
	unsigned char bytes[sizeof(struct in6_addr)];
	char text[INET6_ADDRSTRLEN];
	bool six = length > 2 && *name == '[';

	if (six) {
		name++;
		length -= 2;
	}
	if (length >= sizeof text)
		return false;
	memcpy(text, name, length);
	text[length] = 0;
	return inet_pton(six ? AF_INET6 : AF_INET, text, bytes) == 1;
}

/* "name:port" or "[v6]:port", or without the port. */
static bool is_host(const struct serve_admission *admission, const char *host)
{
	const char *bracket = *host == '[' ? strchr(host, ']') : NULL, *port;
	size_t length = bracket ? (size_t)(bracket + 1 - host) : strcspn(host, ":");

	port = host + length;
	if (*port && (*port != ':' || port[1 + strspn(port + 1, "0123456789")]))
		return false;
	if (is_numeric(host, length) || (length == 9 && !prn_ascii_compare_n(host, "localhost", 9)))
		return true;
	for (size_t i = 0; i < admission->host_count; i++)
		if (strlen(admission->hosts[i]) == length && !prn_ascii_compare_n(admission->hosts[i], host, length))
			return true;
	return false;
}

/* An Origin is a scheme and what the Host header says. */
static bool is_own_origin(const char *origin, const char *host)
{
	const char *authority = strstr(origin, "://");

	return authority && host && !prn_ascii_compare(authority + 3, host);
}

/* A browser shows the answer to a link as a page of its own, but not the answer to an image, a frame or a script. */
static bool is_link(const struct serve_credentials *credentials)
{
	return credentials->mode && !prn_ascii_compare(credentials->mode, "navigate") && credentials->destination &&
	       !prn_ascii_compare(credentials->destination, "document");
}

int serve_admission_judge(const struct serve_admission *admission, const struct serve_credentials *credentials,
                          const struct serve_asked *asked, const char **why)
{
	/* "none": a person typed the address, or has it among the bookmarks. */
	bool own_site = !credentials->site || !prn_ascii_compare(credentials->site, "same-origin") || !prn_ascii_compare(credentials->site, "none");

	if (!admission->any_host && credentials->host && !is_host(admission, credentials->host)) {
		*why = "this Host is not answered: use a numeric address, or allow the name with --host";
		return 403;
	}
	if ((credentials->origin && !is_own_origin(credentials->origin, credentials->host)) ||
	    (!own_site && !(asked->linked && is_link(credentials)))) {
		*why = "pages of other origins may not ask";
		return 403;
	}
	if (!asked->open && admission->token && !credentials->owner &&
	    !knows_token(admission, credentials->authorization)) {
		*why = "this needs the token: Authorization: Bearer TOKEN";
		return 401;
	}
	return 0;
}
