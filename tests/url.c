/* URL identity: normal forms, hosts, SURT forms and prefixes. */
#include "perennial/error.h"
#include "perennial/url.h"
#include "tap.h"

#include <stdint.h>
#include <stdlib.h>

static void normal(const char *url, const char *want)
{
	char out[PRN_URL_BYTES + 1] = "", again[PRN_URL_BYTES + 1] = "";
	int code = prn_url_normalize(url, SIZE_MAX, out, sizeof out);

	same(code ? prn_error_text(code) : out, want, "%s is %s", url, want);
	if (!code && (prn_url_normalize(out, SIZE_MAX, again, sizeof again) || strcmp(out, again)))
		ok(false, "%s is its own normal form", out);
}

static void refused(const char *url, const char *why)
{
	char out[PRN_URL_BYTES + 1] = "before";
	int code = prn_url_normalize(url, SIZE_MAX, out, sizeof out);

	ok(code == PRN_E_INPUT && !strcmp(out, "before"), "%s is refused: %s", url, why);
}

static void normal_forms(void)
{
	normal("http://a.example/", "http://a.example/");
	normal("HTTP://A.Example/Path?Query=A", "http://a.example/Path?Query=A");
	normal("https://a.example", "https://a.example/");
	normal("http://a.example?x=1", "http://a.example/?x=1");
	normal("http://a.example#top", "http://a.example/");
	normal("http://a.example/x?y#z?w#v", "http://a.example/x?y");
	normal("http://a.example:80/", "http://a.example/");
	normal("https://a.example:443/", "https://a.example/");
	normal("https://a.example:80/", "https://a.example:80/");
	normal("http://a.example:/", "http://a.example/");
	normal("http://a.example:08080/", "http://a.example:8080/");
	normal("http://a.example:0080/", "http://a.example/");
	normal("http://a.example:65535/", "http://a.example:65535/");
	normal(" \t<http://a.example/x> \r\n", "http://a.example/x");
	normal("< http://a.example/x >", "http://a.example/x");
	normal("http://a.example/<x>", "http://a.example/<x>");
	normal("http://User:Pass@A.example/", "http://User:Pass@a.example/");
	normal("http://u@v:p@a.example:81/", "http://u@v:p@a.example:81/");
	normal("http://a.example/@x:y", "http://a.example/@x:y");
	normal("http://[2001:DB8::1]/", "http://[2001:db8::1]/");
	normal("http://[::1]:8080/x", "http://[::1]:8080/x");
	normal("https://[::1]:443", "https://[::1]/");
	normal("http://a.example./x", "http://a.example./x");
	normal("http://a.example/%7Ex/%e4%C3", "http://a.example/%7Ex/%e4%C3");
	normal("http://b\xc3\xbc" "cher.example/\xc3\x84", "http://b\xc3\xbc" "cher.example/\xc3\x84");
	normal("http://a.example//x/../y/.", "http://a.example//x/../y/.");
	normal("http://a.example/x?u=http://b.example:80/#f", "http://a.example/x?u=http://b.example:80/");
}

static void spellings(void)
{
	size_t length;
	const char *url = prn_url_strip(" <HTTP://A.example/x#y>\n", &length);

	ok(length == 20 && !strncmp(url, "HTTP://A.example/x#y", length), "brackets and spaces are not part of a URL");
	prn_url_strip(" ", &length);
	ok(!length, "of a URL of spaces nothing is left");
}

static void refusals(void)
{
	refused("", "empty");
	refused("<>", "empty");
	refused("ftp://a.example/", "another scheme");
	refused("dns:a.example", "another scheme");
	refused("//a.example/", "not absolute");
	refused("a.example/x", "not absolute");
	refused("http:/a.example/", "one slash");
	refused("http://", "no host");
	refused("http:///x", "no host");
	refused("http://user@/x", "no host");
	refused("http://:80/", "no host");
	refused("http://./", "no host");
	refused("http://a.example/x y", "a space inside");
	refused("http://a.example/x\ty", "a tab inside");
	refused("http://a.example/x\ny", "a line end inside");
	refused("http://a.example/\x7f", "a control character");
	refused("http://a.example:65536/", "no such port");
	refused("http://a.example:8x/", "a port that is no number");
	refused("http://a.example:-1/", "a port that is no number");
	refused("http://[::1/", "a bracket that is not closed");
	refused("http://[::1]x/", "text after an address");
}

static void limits(void)
{
	char url[PRN_URL_BYTES + 2], out[PRN_URL_BYTES + 1], small[18] = "before";

	memset(url, 'x', sizeof url);
	memcpy(url, "http://a.example/", 17);
	ok(!prn_url_normalize(url, PRN_URL_BYTES, out, sizeof out) && strlen(out) == PRN_URL_BYTES,
	   "a URL of PRN_URL_BYTES is taken");
	ok(prn_url_normalize(url, PRN_URL_BYTES + 1, out, sizeof out) == PRN_E_LIMIT,
	   "a URL longer than PRN_URL_BYTES is refused");
	ok(prn_url_normalize(url, 18, small, sizeof small) == PRN_E_LIMIT && !strcmp(small, "before"),
	   "a URL that does not fit its place is refused, and nothing is written");
	ok(!prn_url_normalize(url, 17, small, sizeof small) && !strcmp(small, "http://a.example/"),
	   "a URL that just fits its place is taken");
	ok(prn_url_normalize("http://a\0b/", 11, out, sizeof out) == PRN_E_INPUT,
	   "a URL with a NUL inside is refused");
}

static void host(const char *normal_url, const char *want)
{
	size_t length = 99;
	const char *at = prn_url_host(normal_url, &length);

	ok(length == strlen(want) && !memcmp(at, want, length), "the host of %s is %s", normal_url, want);
}

static void surt(const char *normal_url, const char *want)
{
	char out[PRN_URL_BYTES + 16] = "";

	ok(!prn_url_surt(normal_url, out, sizeof out), "%s has a SURT form", normal_url);
	same(out, want, "the SURT form of %s is %s", normal_url, want);
}

static void surts(void)
{
	char longest[PRN_URL_BYTES + 1], out[PRN_URL_BYTES + 16];

	surt("http://a.example:8080/x", "http://(example,a,:8080)/x");
	surt("https://www.a.example/X?y=(z)", "https://(example,a,www,)/X?y=(z)");
	surt("https://a.example./", "https://(example,a,)/");
	surt("http://localhost/", "http://(localhost,)/");
	surt("http://192.0.2.7:81/", "http://(192.0.2.7:81)/");
	surt("http://[2001:db8::1]/", "http://([2001:db8::1])/");
	surt("http://u:p@a.example:81/", "http://(example,a,:81@u:p)/");
	memset(longest, '.', sizeof longest);
	memcpy(longest, "http://a", 8);
	memcpy(longest + PRN_URL_BYTES - 2, "b/", 3);
	ok(!prn_url_surt(longest, out, sizeof out), "PRN_URL_BYTES + 16 suffices for a host of dots");
	ok(prn_url_surt("http://a.example/", out, 20) == PRN_E_LIMIT &&
	           !prn_url_surt("http://a.example/", out, 21),
	   "a SURT form that does not fit is refused");
}

static void under(const char *url, const char *prefix, bool want)
{
	char form[PRN_URL_BYTES + 16];

	ok(!prn_url_surt(url, form, sizeof form) && prn_surt_under(form, prefix) == want, "%s is %sunder %s", url,
	   want ? "" : "not ", prefix);
}

static void prefixes(void)
{
	under("http://a.example/", "", true);
	under("http://a.example/", "example", true);
	under("https://a.example/x", "example,a", true);
	under("http://www.a.example/x", "example,a", true);
	under("http://www.a.example/x", "example,a,", true);
	under("http://ab.example/", "example,a", false);
	under("http://a.example.org/", "example,a", false);
	under("http://a.example/", "http://(example,a", true);
	under("http://a.example/", "https://(Example,A,", true);
	under("http://a.example:81/", "(example,a", true);
	under("http://a.example/news/1", "(example,a,)/news", true);
	under("http://a.example/news/1", "example,a)/news", true);
	under("http://a.example/News", "(example,a,)/news", false);
	under("http://www.a.example/news", "(example,a,)/news", false);
	under("http://a.example/", "(example,a,)", true);
	under("http://b.a.example/", "(example,a,)", false);
	under("http://192.0.2.7/", "192.0.2", true);
	under("http://192.0.27.7/", "192.0.2", false);
}

int main(void)
{
	struct prn_digest a = prn_url_key("http://a.example/"), b = prn_url_key("https://a.example/");
	struct prn_digest bytes = prn_digest_bytes("http://a.example/", 17);

	normal_forms();
	spellings();
	refusals();
	limits();
	host("http://a.example/", "a.example");
	host("https://u:p@a.example:81/x@y", "a.example");
	host("http://[::1]:81/", "[::1]");
	host("http://a.example./", "a.example");
	surts();
	prefixes();
	ok(!prn_digest_compare(&a, &bytes) && prn_digest_compare(&a, &b), "a key is the digest of the normal form");
	return done();
}
