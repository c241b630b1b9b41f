/* What of the addresses and names in URLs is not of the public internet. */
#include "archive/url_private.h"
#include "perennial/url.h"
#include "tap.h"

#include <stdlib.h>

static bool is_private(const char *url)
{
	char normal[PRN_URL_BYTES + 1];

	if (prn_url_normalize(url, SIZE_MAX, normal, sizeof normal))
		abort();
	return prn_url_is_private(normal);
}

int main(void)
{
	static const char *const inside[] = {
		"http://127.0.0.1:7390/v1/due", "http://2130706433/", "http://0x7f.1/", "http://0.0.0.0/", "http://10.255.1.2/",
		"http://100.127.0.1/", "http://169.254.169.254/latest/meta-data/", "http://172.31.0.1/", "http://192.168.0.1/",
		"http://224.0.0.1/", "http://255.255.255.255/", "http://198.19.0.1/", "http://[::1]/x", "http://[::]/", "http://[fd00::1]/",
		"http://[fe80::1]/", "http://[::ffff:10.0.0.1]/", "http://[64:ff9b::7f00:1]/", "http://[ff02::1]/", "http://[2002:7f00:1::]/",
		"http://[2001::7f00:1]/", "http://[2001:db8::1]/", "http://[100::1]/", "http://192.0.2.1/", "http://203.0.113.9/", "http://localhost/",
		"http://LOCALHOST./", "http://a.localhost/", "http://printer.local/", "http://metadata.google.internal/",
		"http://router.home.arpa/", "http://intranet/", "http://user:pw@127.0.0.1/",
		"http://[::ffff:0:7f00:1]/", "http://[::ffff:0:10.0.0.1]/", "http://localhost.localdomain/", "http://x.localdomain/", "http://x.lan/",
		"http://x.home/", "http://x.corp/", "http://x.intranet/", "http://x.private/", "http://x.test/", "http://x.invalid/", "http://x.alt/",
		"http://a.x.ONION/",
	};
	static const char *const outside[] = {
		"http://example.org/", "http://8.8.8.8/", "http://100.128.0.1/", "http://172.32.0.1/", "http://172.15.0.1/",
		"http://169.253.0.1/", "http://192.167.0.1/", "http://198.20.0.1/", "http://223.255.0.1/", "http://[2606:4700::1111]/", "http://[2001:4860::8888]/", "http://[2003::1]/",
		"http://[::ffff:8.8.8.8]/", "http://[64:ff9b::808:808]/", "http://mylocal.example/", "http://local.example/",
		"http://notlocalhost.example/", "http://127.0.0.1.example/", "http://10.example/", "http://a.notlocal/",
		"http://[::ffff:0:808:808]/", "http://lan.example/", "http://a.example/", "http://home.org/", "http://a.homes/", "http://in-addr.arpa/",
	};

	for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
		ok(is_private(inside[i]), "%s is not of the public internet", inside[i]);
	for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
		ok(!is_private(outside[i]), "%s is of the public internet", outside[i]);
	ok(prn_url_has_user("http://user@a.example/") && prn_url_has_user("https://u:p@a.example:8/x@y"), "a user is found before the host");
	ok(!prn_url_has_user("http://a.example/@b") && !prn_url_has_user("http://a.example/?q=x@y"), "an @ in a path or query is no user");
	return done();
}
