/* URL identity: normal forms, hosts, SURT forms and prefixes. */
#include "archive/url_parse.h"
#include "base/random.h"
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

/* What the standard writes, and what a page is known by: the same but for what RFC 3986 calls equivalent. */
static void forms(const char *url, const char *standard, const char *normal_form)
{
	char out[PRN_URL_BYTES + 1] = "";
	int code = prn_url_serialize(url, SIZE_MAX, out, sizeof out);

	same(code ? prn_error_text(code) : out, standard, "the standard writes %s as %s", url, standard);
	normal(url, normal_form);
}

static void normal_forms(void)
{
	normal("http://a.example/", "http://a.example/");
	normal("HTTP://A.Example/Path?Query=A", "http://a.example/Path?Query=A");
	normal("https://a.example", "https://a.example/");
	normal("http://a.example?x=1", "http://a.example/?x=1");
	normal("http://a.example/?", "http://a.example/");
	normal("http://a.example/x?#y", "http://a.example/x");
	normal("http://a.example/??", "http://a.example/??");
	normal("http://a.example#top", "http://a.example/");
	normal("http://a.example/x?y#z?w#v", "http://a.example/x?y");
	normal("http://a.example:80/", "http://a.example/");
	normal("https://a.example:443/", "https://a.example/");
	normal("https://a.example:80/", "https://a.example:80/");
	normal("http://a.example:/", "http://a.example/");
	normal("http://a.example:08080/", "http://a.example:8080/");
	normal("http://a.example:0080/", "http://a.example/");
	normal("http://a.example:65535/", "http://a.example:65535/");
	normal("http://a.example:0/", "http://a.example:0/");
	normal(" \t<http://a.example/x> \r\n", "http://a.example/x");
	normal("< http://a.example/x >", "http://a.example/x");
	normal("http://a.example/@x:y", "http://a.example/@x:y");
	normal("http://a.example./x", "http://a.example./x");
	normal("http://a.example/x?u=http://b.example:80/../#f", "http://a.example/x?u=http://b.example:80/../");
}

static void slashes(void)
{
	normal("http:/a.example/", "http://a.example/");
	normal("http:a.example", "http://a.example/");
	normal("http:///a.example/x", "http://a.example/x");
	normal("http:\\\\a.example\\x\\y?\\z", "http://a.example/x/y?%5Cz");
	normal("http://a.example//x", "http://a.example//x");
	normal("http://a.example/x/../y/.", "http://a.example/y/");
	normal("http://a.example/x/y/..", "http://a.example/x/");
	normal("http://a.example/../../x", "http://a.example/x");
	normal("http://a.example//x/../y/.", "http://a.example//y/");
	normal("http://a.example/x/%2e%2E/y/%2e", "http://a.example/y/");
	normal("http://a.example/x/.%2e\\y", "http://a.example/y");
	normal("http://a.example/.../.x/x.", "http://a.example/.../.x/x.");
	normal("http://a.example/%2e%2e%2e/%2ex", "http://a.example/.../.x");
	normal("http://a.example/.\t./x", "http://a.example/x");
}

static void encodings(void)
{
	forms("http://a.example/%7Ex/%e4%C3", "http://a.example/%7Ex/%e4%C3", "http://a.example/~x/%E4%C3");
	forms("http://a.example/%41%2d%5f%2E%7a%30", "http://a.example/%41%2d%5f%2E%7a%30", "http://a.example/A-_.z0");
	forms("http://a.example/%2f%3F%23%25%3b%26", "http://a.example/%2f%3F%23%25%3b%26", "http://a.example/%2F%3F%23%25%3B%26");
	forms("http://a.example/x y", "http://a.example/x%20y", "http://a.example/x%20y");
	forms("http://a.example/x\ty\r\nz", "http://a.example/xyz", "http://a.example/xyz");
	forms("http://a.example/\x01\x7f", "http://a.example/%01%7F", "http://a.example/%01%7F");
	forms("http://a.example/<x>", "http://a.example/%3Cx%3E", "http://a.example/%3Cx%3E");
	forms("http://a.example/x|y[1]", "http://a.example/x|y[1]", "http://a.example/x%7Cy%5B1%5D");
	forms("http://a.example/\"`{}^", "http://a.example/%22%60%7B%7D%5E", "http://a.example/%22%60%7B%7D%5E");
	forms("http://a.example/?\"`{}^|[]\\'", "http://a.example/?%22`{}^|[]\\%27", "http://a.example/?%22%60%7B%7D%5E%7C%5B%5D%5C%27");
	forms("http://a.example/it's?it's", "http://a.example/it's?it%27s", "http://a.example/it's?it%27s");
	forms("http://a.example/!$&()*+,;=:@", "http://a.example/!$&()*+,;=:@", "http://a.example/!$&()*+,;=:@");
	forms("http://a.example/100%", "http://a.example/100%", "http://a.example/100%25");
	forms("http://a.example/%zz%4?%", "http://a.example/%zz%4?%", "http://a.example/%25zz%254?%25");
	forms("http://a.example/%%34%31", "http://a.example/%%34%31", "http://a.example/%2541");
	forms("http://a.example/?q=\xe6\x97\xa5\xe6\x9c\xac", "http://a.example/?q=%E6%97%A5%E6%9C%AC", "http://a.example/?q=%E6%97%A5%E6%9C%AC");
	forms("http://a.example/caf\xe9", "http://a.example/caf%E9", "http://a.example/caf%E9");
}

static void users(void)
{
	forms("http://User:Pass@A.example/", "http://User:Pass@a.example/", "http://User:Pass@a.example/");
	forms("http://u@v:p@a.example:81/", "http://u%40v:p@a.example:81/", "http://u%40v:p@a.example:81/");
	forms("http://u:p:q@a.example/", "http://u:p%3Aq@a.example/", "http://u:p%3Aq@a.example/");
	forms("http://:@a.example/", "http://a.example/", "http://a.example/");
	forms("http://:p@a.example/", "http://:p@a.example/", "http://:p@a.example/");
	forms("http://u:@a.example/", "http://u@a.example/", "http://u@a.example/");
	forms("http://%7e;=|@a.example/", "http://%7e%3B%3D%7C@a.example/", "http://~%3B%3D%7C@a.example/");
}

static void hosts(void)
{
	normal("http://b\xc3\xbc" "cher.example/\xc3\x84", "http://xn--bcher-kva.example/%C3%84");
	normal("http://B\xc3\x9c" "CHER.example/", "http://xn--bcher-kva.example/");
	normal("http://XN--bcher-KVA.example/", "http://xn--bcher-kva.example/");
	normal("http://b%C3%BC" "cher.ex%41mple/", "http://xn--bcher-kva.example/");
	normal("http://fa\xc3\x9f.example/", "http://xn--fa-hia.example/");
	normal("http://\xe6\x97\xa5\xe6\x9c\xac\xe3\x80\x82" "example/", "http://xn--wgv71a.example/");
	normal("http://\xef\xbd\x81.example/", "http://a.example/");
	normal("http://\xe2\x98\x95.example/", "http://xn--53h.example/");
	normal("http://\xe2\x98\x95.fa\xc3\x9f.example/x", "http://xn--53h.xn--fa-hia.example/x");
	normal("http://FA\xe1\xba\x9e.example/", "http://xn--fa-hia.example/");
	normal("http://r3---sn.b\xc3\xbc" "cher.example/", "http://r3---sn.xn--bcher-kva.example/");
	normal("http://-x.b\xc3\xbc" "cher-.example/", "http://-x.xn--bcher--3ya.example/");
	normal("http://ab--\xc3\xbc-0.example/", "http://xn--ab---0-6ya.example/");
	normal("http://-\xef\xac\x80-.example/", "http://-ff-.example/");
	normal("http://-\xe2\x91\xa0.b\xc3\xbc.example/", "http://-1.xn--b-eha.example/");
	normal("http://\xef\xbd\x98n--a-.b\xc3\xbc.example/", prn_error_text(PRN_E_INPUT));
	normal("http://xn--b\xc3\xbc-.example/", prn_error_text(PRN_E_INPUT));
	normal("http://-\xc3\xbc" "0123456789.example/", "http://xn---0123456789-thb.example/");
	normal("http://xn--a.example/", "http://xn--a.example/");
	normal("http://a_b.example/", "http://a_b.example/");
	normal("http://a..example/", "http://a..example/");
	normal("http://./", "http://./");
	normal("http://2130706433/", "http://127.0.0.1/");
	normal("http://0x7f.1/", "http://127.0.0.1/");
	normal("http://0177.0.0x0.1./", "http://127.0.0.1/");
	normal("http://192.0.2.7:81/", "http://192.0.2.7:81/");
	normal("http://192.0.2/", "http://192.0.0.2/");
	normal("http://\xef\xbc\x91.2.3.4/", "http://1.2.3.4/");
	normal("http://1.2.3.a/", "http://1.2.3.a/");
	normal("http://[2001:DB8:0:0:1:0:0:1]/", "http://[2001:db8::1:0:0:1]/");
	normal("http://[0:0::]:8080/x", "http://[::]:8080/x");
	normal("http://[1:0:2::]/", "http://[1:0:2::]/");
	normal("http://[::ffff:192.0.2.7]/", "http://[::ffff:c000:207]/");
	normal("https://[::1]:443", "https://[::1]/");
}

static void without_scheme(void)
{
	static const char *const lacking[] = { "example.com/x", "www.example.com", "example.com:8080", ("b\xc3\xbc" "cher.example?q") };
	static const char *const others[] = { "http://a.example/", "ftp://a.example/", "mailto:a@b.example", "data/urls.txt", "../urls.txt",
		                              "a.example\tx", "a..b c", "", "a.example:x", "256.0.0.1/", "user@a.example" };

	for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++)
		ok(prn_url_lacks_scheme(lacking[i]), "%s would be a URL with a scheme", lacking[i]);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		ok(!prn_url_lacks_scheme(others[i]), "'%s' is no URL that lacks its scheme", others[i]);
}

static void spelled(const char *url, const char *want, const char *why)
{
	char out[PRN_URL_BYTES + 1] = "";

	prn_url_spell(url, out, sizeof out);
	same(out, want, "fetchers are given %s for a URL %s", want, why);
}

/* What is added to a store in its normal form is not spelled anew: it would not be otherwise. */
static void normal_spellings(void)
{
	static const char *const urls[] = {
		"HTTP://A.example:80/x/../%7e?q=\xe6\x97\xa5|#y", "http://b\xc3\xbc" "cher.example/", "http://u:p%40@a.example/", "http://u@v@a.example",
		"http://a.example/x y", "http://a.example\\x?a\\b", "http:a.example/%7e%zz%", "https://a.example:444/;x,y=('!*')?a'b&c=^`|~",
		"http://a.example//x//./y/..//?//", "http://1.2.3/", "http://a.example./", "http://a.example/\x01\x7f?\x01", "http://a.example?<>\"#<>",
		"http://a.example/{1,2}?[3-4]{5}", "http://[::1]/[1-2]?{3}", "http://a.example/\xe9t\xc3\xa9",
	};
	char normal[PRN_URL_BYTES + 1], spelled_[PRN_URL_BYTES + 1];
	size_t same_ = 0, count = sizeof urls / sizeof *urls;

	for (size_t i = 0; i < count; i++) {
		if (prn_url_normalize(urls[i], SIZE_MAX, normal, sizeof normal) ||
		    prn_url_spell(normal, spelled_, sizeof spelled_) || strcmp(normal, spelled_))
			printf("# %s: %s\n", urls[i], spelled_);
		else
			same_++;
	}
	ok(same_ == count, "what is in its normal form is handed to fetchers as it is");
}

static void spellings(void)
{
	normal_spellings();
	char url[2 * PRN_URL_BYTES], out[PRN_URL_BYTES + 1];

	spelled(" <HTTP://A.example:80/x/../%7e?q=\xe6\x97\xa5|#y> ", "HTTP://A.example:80/x/../%7e?q=\xe6\x97\xa5|#y", "as it was spelled");
	spelled("http://b\xc3\xbc" "cher.example/", "http://xn--bcher-kva.example/", "with a name of another script");
	spelled("http://u:p%40@a.example/", "http://u:p%40@a.example/", "with a user");
	spelled("http://a.example/x y", "http://a.example/x%20y", "with a space");
	spelled("http://a.example/x\nhttp://b.example/", "http://a.example/xhttp://b.example/", "with a line end");
	spelled("http://a.example/\x01\x7f", "http://a.example/%01%7F", "with control characters");
	spelled("http://a.example/\xe9t\xc3\xa9?\xed\xa0\x80", "http://a.example/%E9t%C3%A9?%ED%A0%80", "with bytes that are not UTF-8");
	spelled("http://a.example\\x", "http://a.example/x", "with a backslash");
	spelled("http:a.example/%7e", "http://a.example/%7e", "without slashes");
	spelled("http:///a.example", "http://a.example/", "with three slashes");
	spelled("http://u@v@a.example", "http://u%40v@a.example/", "with two users");
	spelled("http://[::1]/%7e", "http://[::1]/%7e", "with an address in brackets");
	spelled("http://a.example/{1,2}", "http://a.example/%7B1,2%7D", "with braces, which are many URLs to curl");
	spelled("http://a.example/x?[1-1000]#y", "http://a.example/x?%5B1-1000%5D", "with brackets, which are many URLs to curl");
	spelled("http://a.example\\[1-9]", "http://a.example/%5B1-9%5D", "with a backslash before brackets");
	spelled("http://a.example/\x01{1,2}", "http://a.example/%01%7B1,2%7D", "with a control character before braces");
	spelled("http://[1-9]:{a}@a.example/~", "http://%5B1-9%5D:%7Ba%7D@a.example/~", "with a user in brackets");
	spelled("http://a{1,2}.example/x", "http://a%7B1,2%7D.example/x", "with braces in its host");
	spelled("http://%61.example", "http://a.example/", "with an escape in its host");
	memset(url, 'x', sizeof url);
	memcpy(url, "http://a.example/#", 18);
	url[sizeof url - 1] = 0;
	ok(!prn_url_spell(url, out, sizeof out) && !strcmp(out, "http://a.example/"), "a fragment that is too long is not handed to fetchers");
	/* Spaces take three bytes each as the standard writes them, and escapes of letters one in a normal form. */
	strcpy(url, "http://a.example/");
	for (size_t i = 17; i < PRN_URL_BYTES - 200; i += 3)
		strcpy(url + i, "%41");
	memset(url + strlen(url), ' ', 150);
	strcpy(url + PRN_URL_BYTES - 60, "x");
	ok(!prn_url_spell(url, out, sizeof out) && strlen(out) < 4000,
	   "what would be too long as the standard writes it is handed to fetchers in its normal form");
	ok(prn_url_spell("http://a.example/", out, 17) == PRN_E_LIMIT && prn_url_spell("http://a.example/ ", out, 17) == PRN_E_LIMIT,
	   "a spelling that does not fit its place is refused");
}

static bool is_one_to_curl(const char *url)
{
	const char *host = strchr(url, ':') + 3, *end = host + strcspn(host, "/?#");
	const char *user = memchr(host, '@', (size_t)(end - host));
	const char *address = user ? user + 1 : host;
	size_t before = strcspn(url, "[]{}");

	if (url + before == address && *address == '[')
		before = (size_t)(strchr(address, ']') + 1 - url);
	else
		address = NULL;
	return address ? !strpbrk(url + before, "[]{}") : !url[before];
}

/* Whatever pieces a URL is made of, curl makes one request of what is handed out, for the page that the standard means. */
static void many_spellings(void)
{
	static const char *const pieces[] = { "[1-9]", "{a,b}", "\\", "/", "\x01", "\xff", "\t", " ", "@", ":", "#", "?", "%5b", "%7b", "[::1]", "a",
		                              ".b", "..", "<", ">", "\xc3\xbc", "[", "]", "{", "}", "80" };
	static const char *const fronts[] = { "http://", "http://a.example", "HTTPS:", "http:\\\\b.example", "http://[::1]", "http://u@c.example" };
	char url[256], out[PRN_URL_BYTES + 1], normal[PRN_URL_BYTES + 1], again[PRN_URL_BYTES + 1];
	struct prn_random random;
	unsigned taken = 0, one = 0, same_page = 0;

	prn_random_seed(&random, 7, 0);
	for (unsigned i = 0; i < 60000; i++) {
		snprintf(url, sizeof url, "%s", fronts[prn_random_below(&random, sizeof fronts / sizeof *fronts)]);
		for (uint64_t n = 1 + prn_random_below(&random, 7); n; n--)
			strcat(url, pieces[prn_random_below(&random, sizeof pieces / sizeof *pieces)]);
		if (prn_url_normalize(url, SIZE_MAX, normal, sizeof normal))
			continue;
		taken++;
		if (prn_url_spell(url, out, sizeof out))
			continue;
		one += is_one_to_curl(out);
		same_page += !prn_url_normalize(out, SIZE_MAX, again, sizeof again) && !strcmp(normal, again);
		if (!is_one_to_curl(out) || strcmp(normal, again))
			printf("# %s: %s, %s\n", url, out, normal);
	}
	ok(taken > 6000 && one == taken, "of %u URLs made of any pieces none is many to curl as it is handed out: %u are one", taken, one);
	ok(same_page == taken, "what is handed out of them is the same page: %u are", same_page);
}

static void refusals(void)
{
	refused("", "empty");
	refused("<>", "empty");
	refused("ftp://a.example/", "another scheme");
	refused("dns:a.example", "another scheme");
	refused("httpx://a.example/", "another scheme");
	refused("//a.example/", "not absolute");
	refused("a.example/x", "not absolute");
	refused("ht\xe9tp://a.example/", "no scheme");
	refused("http://", "no host");
	refused("http:///", "no host");
	refused("http://user@/x", "no host");
	refused("http://:80/", "no host");
	refused("http://?x", "no host");
	refused("http://a b.example/", "a space in the host");
	refused("http://%00/", "a zero byte in the host");
	refused("http://a%2fb.example/", "an escaped slash in the host");
	refused("http://\"><script>", "an angle bracket in the host");
	refused("http://a|b/", "a bar in the host");
	refused("http://a%zz.example/", "a broken escape in the host");
	refused("http://caf\xe9.example/", "a host that is not UTF-8");
	refused("http://\xc2\xad/", "a host of nothing that is seen");
	refused("http://a.example:65536/", "no such port");
	refused("http://a.example:8x/", "a port that is no number");
	refused("http://a.example:-1/", "a port that is no number");
	refused("http://[::1/", "a bracket that is not closed");
	refused("http://[::1]x/", "text after an address");
	refused("http://[::1%25eth0]/", "an address with a zone");
	refused("http://[1:2:3]/", "too short an address");
	refused("http://[]/", "no address");
	refused("http://256.0.0.1/", "no IPv4 address");
	refused("http://1.2.3.4.5/", "no IPv4 address");
	refused("http://4294967296/", "no IPv4 address");
	refused("http://1.2.3.08/", "no IPv4 address");
	refused("http://1..2/", "no IPv4 address");
	refused("http://a.0xg.1/", "no IPv4 address");
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
	under("http://a.example:8080/news/1", "example,a)/news", true);
	under("http://a.example:8080/news/1", "(example,a,)/news", true);
	under("http://a.example:8080/news/1", "example,a:8080)/news", true);
	under("http://a.example:8080/news/1", "(example,a,:8080)/news", true);
	under("http://a.example:8080/news/1", "example,a:80)/news", false);
	under("http://a.example/news/1", "example,a:8080)/news", false);
	under("http://a.example:8080/x", "example,a)/news", false);
	under("http://b.a.example:8080/news/1", "example,a)/news", false);
	under("http://a.example:8080/x", "example,a:8080", true);
	under("http://a.example:8080/x", "example,a,:808", false);
	under("http://b.a.example:8080/x", "example,a:8080", false);
	under("http://192.0.2.7:8080/x", "192.0.2.7)/x", true);
	under("http://192.0.2.7:8080/x", "192.0.2.7:8080", true);
	under("http://[::1]:8080/x", "[::1])/x", true);
	under("http://[::1]:8080/x", "[::1]:8080)/x", true);
	under("http://[::1]:8080/x", "[::2])/x", false);
	under("http://user@a.example/x", "example,a)/x", true);
	under("http://192.0.2.7/", "192.0.2", true);
	under("http://192.0.27.7/", "192.0.2", false);
}

int main(void)
{
	struct prn_digest a = prn_url_key("http://a.example/"), b = prn_url_key("https://a.example/");
	struct prn_digest bytes = prn_digest_bytes("http://a.example/", 17);

	normal_forms();
	slashes();
	encodings();
	users();
	hosts();
	without_scheme();
	spellings();
	many_spellings();
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
