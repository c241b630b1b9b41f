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
	const struct serve_credentials credentials = { host, origin, authorization, NULL };
	const char *why = NULL;
	int status = serve_admission_judge(admission, &credentials, &(struct serve_asked){ 0 }, &why);

	return !status == !why ? status : -1;
}

static void check_hosts(void)
{
	static const char *const named[] = { "crawl.example" };
	struct serve_admission admission = { .hosts = named, .host_count = 1 };

	ok(!judge(&admission, "127.0.0.1:7390", NULL, NULL), "a numeric Host is answered");
	ok(!judge(&admission, "[::1]:7390", NULL, NULL), "of both families");
	ok(!judge(&admission, "LocalHost", NULL, NULL), "localhost is");
	ok(!judge(&admission, NULL, NULL, NULL), "and a request without one, which no browser makes");
	ok(!judge(&admission, "crawl.example:80", NULL, NULL), "a name that was allowed is");
	ok(judge(&admission, "evil.example:7390", NULL, NULL) == 403, "any other name is not: it may resolve to loopback");
	ok(judge(&admission, "localhost.evil.example", NULL, NULL) == 403, "nor one that begins well");
	ok(judge(&admission, "127.0.0.1.evil.example", NULL, NULL) == 403, "nor one that begins with numbers");
	ok(judge(&admission, "[::1].evil.example", NULL, NULL) == 403, "in brackets or not");
	ok(judge(&admission, "127.0.0.1:80.evil.example", NULL, NULL) == 403, "nor one whose port goes on");
	ok(judge(&admission, "", NULL, NULL) == 403, "nor an empty one");
	ok(!judge(&admission, "127.0.0.1:7390", "http://127.0.0.1:7390", NULL), "its own page may ask");
	ok(judge(&admission, "127.0.0.1:7390", "http://evil.example", NULL) == 403, "that of a stranger may not");
	ok(judge(&admission, "127.0.0.1:7390", "http://127.0.0.1:80", NULL) == 403, "nor that of another port");
	ok(judge(&admission, "127.0.0.1:7390", "null", NULL) == 403, "nor one without an origin to name");
	admission.any_host = true;
	ok(!judge(&admission, "x", NULL, NULL), "at a Unix socket any Host is answered");
}

static int judge_site(const char *site, bool linked)
{
	const struct serve_admission admission = { 0 };
	const struct serve_credentials credentials = { .host = "127.0.0.1:7390", .site = site };
	const char *why;

	return serve_admission_judge(&admission, &credentials, &(struct serve_asked){ .linked = linked }, &why);
}

static void check_sites(void)
{
	ok(!judge_site(NULL, false), "who is no browser says nothing of a site, and may ask");
	ok(!judge_site("none", false) && !judge_site("same-origin", false), "a person and the own page may");
	ok(judge_site("cross-site", false) == 403, "an image on a stranger's page may not");
	ok(judge_site("same-site", false) == 403, "nor one from another port of this machine");
	ok(!judge_site("cross-site", true), "a link may lead to what only shows");
}

static void check_token(void)
{
	struct serve_admission admission = { 0 };
	const struct serve_credentials nothing = { 0 };
	const char *why;

	ok(!read_token(&admission, "0123456789abcdef\nmore\n", 0600, NULL), "the first line of a file is the token");
	same(admission.token, "0123456789abcdef", "without the end of the line");
	ok(!judge(&admission, NULL, NULL, "Bearer 0123456789abcdef"), "who knows it is let in");
	/* Base64 of "perennial:0123456789abcdef", as base64(1) writes it. */
	ok(!judge(&admission, NULL, NULL, "Basic cGVyZW5uaWFsOjAxMjM0NTY3ODlhYmNkZWY="), "a browser too, with a password");
	ok(judge(&admission, NULL, NULL, NULL) == 401, "without it nobody is");
	ok(judge(&admission, NULL, NULL, "Bearer 0123456789abcdeg") == 401, "nor with another");
	ok(judge(&admission, NULL, NULL, "Bearer 0123456789abcde") == 401, "nor with a part of it");
	ok(judge(&admission, NULL, NULL, "Bearer 0123456789abcdef0123456789abcdef") == 401, "nor with it twice");
	ok(judge(&admission, NULL, NULL, "Bearer ") == 401, "nor with nothing");
	ok(judge(&admission, NULL, NULL, "Basic 0123456789abcdef") == 401, "nor with it where it does not belong");
	ok(!serve_admission_judge(&admission, &nothing, &(struct serve_asked){ .open = true }, &why), "an open route asks for none");
	serve_admission_release(&admission);
	ok(!judge(&admission, NULL, NULL, NULL), "when there is none, none is asked for");
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
	refuses("", 0600, "an empty file");
	refuses("0123456789 abcdef\n", 0600, "one with a space");
	refuses("0123456789abcdef\n", 0604, "one that others may read");
	unlink(path);
	ok(serve_admission_read_token(&admission, path, &error) == PRN_E_IO && strstr(error.text, path),
	   "a file that is not there is named");
	return done();
}
