/* Who may ask: tokens, Hosts and Origins. */
#include "../tap.h"
#include "serve/admission.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[] = "/tmp/perennial-token-XXXXXX";

static int read_token(struct serve_admission *admission, const char *text, mode_t mode, struct prn_error *error)
{
	FILE *file = fopen(path, "w");

	fputs(text, file);
	fclose(file);
	chmod(path, mode);
	return serve_admission_read_token(admission, path, error);
}

static void refuses(const char *text, mode_t mode, const char *what)
{
	struct serve_admission admission = { 0 };
	struct prn_error error = { 0 };

	ok(read_token(&admission, text, mode, &error) == PRN_E_INPUT && !admission.token, "%s is refused: %s", what,
	   strchr(error.text, ':'));
}

static int judge(const struct serve_admission *admission, const char *host, const char *origin,
                 const char *authorization)
{
	const struct serve_credentials credentials = { .host = host, .origin = origin, .authorization = authorization };
	const char *why = NULL;
	int status = serve_admission_judge(admission, &credentials, &(struct serve_asked){ 0 }, &why);

	return !status == !why ? status : -1;
}

static void check_hosts(void)
{
	static const char *const named[] = { "crawl.example" };
	struct serve_admission admission = { .hosts = named, .host_count = 1 };

	ok(!judge(&admission, "127.0.0.1:7390", NULL, NULL), "a numeric Host of IPv4 is answered");
	ok(!judge(&admission, "[::1]:7390", NULL, NULL), "a numeric Host of IPv6 is answered");
	ok(!judge(&admission, "LocalHost", NULL, NULL), "the Host localhost is answered");
	ok(!judge(&admission, NULL, NULL, NULL),
	   "a request without a Host, which no browser makes, is answered");
	ok(!judge(&admission, "crawl.example:80", NULL, NULL), "a Host whose name was allowed is answered");
	ok(judge(&admission, "evil.example:7390", NULL, NULL) == 403,
	   "a Host of any other name is refused: it may resolve to loopback");
	ok(judge(&admission, "localhost.evil.example", NULL, NULL) == 403,
	   "a Host whose name begins with localhost is refused");
	ok(judge(&admission, "127.0.0.1.evil.example", NULL, NULL) == 403,
	   "a Host whose name begins with a numeric address is refused");
	ok(judge(&admission, "[::1].evil.example", NULL, NULL) == 403,
	   "a Host whose name begins with an address in brackets is refused");
	ok(judge(&admission, "127.0.0.1:80.evil.example", NULL, NULL) == 403,
	   "a Host whose port goes on as a name is refused");
	ok(judge(&admission, "", NULL, NULL) == 403, "an empty Host is refused");
	ok(!judge(&admission, "127.0.0.1:7390", "http://127.0.0.1:7390", NULL),
	   "a page of the server's own origin may ask");
	ok(judge(&admission, "127.0.0.1:7390", "http://evil.example", NULL) == 403,
	   "a page of a stranger's origin may not ask");
	ok(judge(&admission, "127.0.0.1:7390", "http://127.0.0.1:80", NULL) == 403,
	   "a page of another port of the same host may not ask");
	ok(judge(&admission, "127.0.0.1:7390", "http://127.0.0.1:73901", NULL) == 403,
	   "a page of a port that begins with the digits of this one may not ask");
	ok(judge(&admission, "127.0.0.1:7390", "null", NULL) == 403,
	   "a page without an origin to name may not ask");
	admission.any_host = true;
	ok(!judge(&admission, "x", NULL, NULL), "at a Unix socket any Host is answered");
}

static int judge_fetch(const char *site, const char *mode, const char *destination, bool linked)
{
	const struct serve_admission admission = { 0 };
	const struct serve_credentials credentials = { .host = "127.0.0.1:7390", .site = site, .mode = mode, .destination = destination };
	const char *why;

	return serve_admission_judge(&admission, &credentials, &(struct serve_asked){ .linked = linked }, &why);
}

static int judge_site(const char *site, bool linked)
{
	return judge_fetch(site, "no-cors", "image", linked);
}

static void check_sites(void)
{
	ok(!judge_site(NULL, false), "who is no browser says nothing of a site, and may ask");
	ok(!judge_site("none", false), "a person who types an address may ask");
	ok(!judge_site("same-origin", false), "a page of the same origin may ask");
	ok(judge_site("cross-site", false) == 403, "an image on a stranger's page may not ask");
	ok(judge_site("same-site", false) == 403,
	   "an image on a page from another port of this machine may not ask");
	ok(!judge_fetch("cross-site", "navigate", "document", true), "a link may lead to what only shows");
	ok(judge_fetch("cross-site", "navigate", "document", false) == 403, "a link may not lead to anything else");
	ok(judge_site("cross-site", true) == 403, "an image on a stranger's page may not ask for what only shows");
	ok(judge_fetch("cross-site", "navigate", "iframe", true) == 403,
	   "a frame on a stranger's page may not ask for what only shows");
	ok(judge_fetch("cross-site", "no-cors", "empty", true) == 403,
	   "a script on a stranger's page may not ask for what only shows");
	ok(judge_fetch("cross-site", NULL, NULL, true) == 403,
	   "what on a stranger's page does not say what it asks for may not ask for what only shows");
	ok(judge_fetch("anything", "no-cors", "image", true) == 403, "a site that is none is a stranger's");
}

static void check_token(void)
{
	struct serve_admission admission = { 0 };
	const struct serve_credentials nothing = { 0 };
	const char *why;

	ok(!read_token(&admission, "0123456789abcdef\nmore\n", 0600, NULL), "the first line of a file is the token");
	same(admission.token, "0123456789abcdef", "a token has no end of line");
	ok(!judge(&admission, NULL, NULL, "Bearer 0123456789abcdef"), "who sends the token is let in");
	/* Base64 of "perennial:0123456789abcdef", as base64(1) writes it. */
	ok(!judge(&admission, NULL, NULL, "Basic cGVyZW5uaWFsOjAxMjM0NTY3ODlhYmNkZWY="),
	   "a browser that sends the token as password is let in");
	ok(judge(&admission, NULL, NULL, NULL) == 401, "who sends no token is not let in");
	ok(judge(&admission, NULL, NULL, "Bearer 0123456789abcdeg") == 401,
	   "who sends another token is not let in");
	ok(judge(&admission, NULL, NULL, "Bearer 0123456789abcde") == 401,
	   "who sends a part of the token is not let in");
	ok(judge(&admission, NULL, NULL, "Bearer 0123456789abcdef0123456789abcdef") == 401,
	   "who sends the token twice over is not let in");
	ok(judge(&admission, NULL, NULL, "Bearer ") == 401, "who sends an empty token is not let in");
	ok(judge(&admission, NULL, NULL, "Basic 0123456789abcdef") == 401,
	   "who sends the token bare as Basic credentials is not let in");
	ok(!serve_admission_judge(&admission, &nothing, &(struct serve_asked){ .open = true }, &why),
	   "an open route asks for no token");
	ok(!serve_admission_judge(&admission, &(struct serve_credentials){ .owner = true }, &(struct serve_asked){ 0 }, &why),
	   "who may read the token, at a Unix socket, needs not send it");
	serve_admission_release(&admission);
	ok(!judge(&admission, NULL, NULL, NULL), "when there is no token none is asked for");
}

int main(void)
{
	struct serve_admission admission = { 0 };
	struct prn_error error = { 0 };

	close(mkstemp(path));
	check_hosts();
	check_sites();
	check_token();
	refuses("short\n", 0600, "a short token");
	refuses("", 0600, "an empty file of a token");
	refuses("0123456789 abcdef\n", 0600, "a token with a space");
	refuses("0123456789abcdef\n", 0604, "a file of a token that others may read");
	unlink(path);
	ok(serve_admission_read_token(&admission, path, &error) == PRN_E_IO && strstr(error.text, path),
	   "a token's file that is not there is named");
	return done();
}
