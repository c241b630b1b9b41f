/* References from pages: RFC 3986 §5.4's examples, what the URL standard adds, and what servers write into Location. */
#include "perennial/error.h"
#include "perennial/url.h"
#include "tap.h"

static void resolves(const char *base, const char *reference, const char *want)
{
	char got[PRN_URL_BYTES + 1] = "";

	prn_url_resolve(base, reference, got, sizeof got);
	ok(!strcmp(got, want), "from %s, \"%s\" is %s", base, reference, got);
}

static void test_rfc(void)
{
	static const char *const normal[][2] = {
		{ "g", "http://a/b/c/g" },
		{ "./g", "http://a/b/c/g" },
		{ "g/", "http://a/b/c/g/" },
		{ "/g", "http://a/g" },
		{ "//g", "http://g/" },
		{ "?y", "http://a/b/c/d;p?y" },
		{ "g?y", "http://a/b/c/g?y" },
		{ "#s", "http://a/b/c/d;p?q" },
		{ "g#s", "http://a/b/c/g" },
		{ "g?y#s", "http://a/b/c/g?y" },
		{ ";x", "http://a/b/c/;x" },
		{ "g;x", "http://a/b/c/g;x" },
		{ "g;x?y#s", "http://a/b/c/g;x?y" },
		{ "", "http://a/b/c/d;p?q" },
		{ ".", "http://a/b/c/" },
		{ "./", "http://a/b/c/" },
		{ "..", "http://a/b/" },
		{ "../", "http://a/b/" },
		{ "../g", "http://a/b/g" },
		{ "../..", "http://a/" },
		{ "../../", "http://a/" },
		{ "../../g", "http://a/g" },
		{ "../../../g", "http://a/g" },
		{ "../../../../g", "http://a/g" },
		{ "/./g", "http://a/g" },
		{ "/../g", "http://a/g" },
		{ "g.", "http://a/b/c/g." },
		{ ".g", "http://a/b/c/.g" },
		{ "g..", "http://a/b/c/g.." },
		{ "..g", "http://a/b/c/..g" },
		{ "./../g", "http://a/b/g" },
		{ "./g/.", "http://a/b/c/g/" },
		{ "g/./h", "http://a/b/c/g/h" },
		{ "g/../h", "http://a/b/c/h" },
		{ "g;x=1/./y", "http://a/b/c/g;x=1/y" },
		{ "g;x=1/../y", "http://a/b/c/y" },
		{ "g?y/./x", "http://a/b/c/g?y/./x" },
		{ "g?y/../x", "http://a/b/c/g?y/../x" },
	};

	for (size_t i = 0; i < sizeof normal / sizeof *normal; i++)
		resolves("http://a/b/c/d;p?q", normal[i][0], normal[i][1]);
}

static void test_standard(void)
{
	resolves("http://a/b/c/d?q", "http:g", "http://a/b/c/g");
	resolves("http://a/b/c/d?q", "https:g", "https://g/");
	resolves("http://a/b", "http://b/c", "http://b/c");
	resolves("http://a/b", "\\\\b\\c", "http://b/c");
	resolves("http://a/b", "\\c", "http://a/c");
	resolves("http://a/b", "///c/d", "http://c/d");
	resolves("http://a/b/c", "%2e%2E/d", "http://a/d");
	resolves("http://a/b/c?d", "?", "http://a/b/c");
	resolves("http://u:p@a:81/b", "c", "http://u:p@a:81/c");
	resolves("http://u:p@a:81/b", "//c", "http://c/");
	resolves("http://A/./%7eb|?q", "", "http://a/~b%7C?q");
}

static void test_servers(void)
{
	resolves("https://a.example/x?y", "https://B.Example:443/z#top", "https://b.example/z");
	resolves("https://a.example/x", "//b.example", "https://b.example/");
	resolves("http://a.example:8080/x/y", "z", "http://a.example:8080/x/z");
	resolves("http://a.example/", "  /login  ", "http://a.example/login");
	resolves("http://a.example/x", "/go?to=http://b.example/../y",
	         "http://a.example/go?to=http://b.example/../y");
	resolves("http://a.example/", "a/b:c", "http://a.example/a/b:c");
	resolves("http://a.example/", "/a b", "http://a.example/a%20b");
	resolves("http://a.example/", "/%7euser/%e4", "http://a.example/~user/%E4");
	resolves("http://a.example/", "/caf\xc3\xa9", "http://a.example/caf%C3%A9");
	resolves("http://a.example/", "/caf\xe9", "http://a.example/caf%E9");
	resolves("http://a.example/", "//b\xc3\xbc" "cher.example/", "http://xn--bcher-kva.example/");
}

static void test_refusals(void)
{
	char out[PRN_URL_BYTES + 1], longest[PRN_URL_BYTES + 2];

	memset(longest, 'x', sizeof longest - 1);
	longest[sizeof longest - 1] = 0;
	ok(prn_url_resolve("http://a/", "mailto:x@y.example", out, sizeof out) == PRN_E_INPUT,
	   "a reference by mailto: leads nowhere");
	ok(prn_url_resolve("http://a/", "javascript:void(0)", out, sizeof out) == PRN_E_INPUT,
	   "a reference by javascript: leads nowhere");
	ok(prn_url_resolve("http://a/", "//a b/", out, sizeof out) == PRN_E_INPUT,
	   "a reference with a space in its host leads nowhere");
	ok(prn_url_resolve("http://a/", "//", out, sizeof out) == PRN_E_INPUT, "a reference without a host leads nowhere");
	ok(prn_url_resolve("a/b", "/c", out, sizeof out) == PRN_E_INPUT, "a reference from no URL leads nowhere");
	ok(prn_url_resolve("http://a/", longest, out, sizeof out) == PRN_E_LIMIT,
	   "a reference whose URL is too long is refused");
	ok(prn_url_resolve("http://a/", "/b", out, 4) == PRN_E_LIMIT,
	   "a URL that is too long for a short place is refused");
}

int main(void)
{
	test_rfc();
	test_standard();
	test_servers();
	test_refusals();
	return done();
}
