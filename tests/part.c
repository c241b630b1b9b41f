/* Parts of all pages: how they are written, and that every host is in just one. */
#include "perennial/part.h"
#include "tap.h"

static void written(void)
{
	static const char *const wrong[] = { "", "1", "1/", "/2", "0/2", "3/2", "1/0", "-1/2", "+1/2", "1/2/3", "1/2 ", " 1/2", "1 /2",
		                             "1/4097", "99999999999999999999999/2", "a/b" };
	struct prn_part part = { 7, 7 };

	ok(!prn_part_parse("2/3", &part), "2/3 is a part");
	ok(part.number == 2 && part.of == 3, "2/3 is part 2 of 3");
	ok(!prn_part_parse("4096/4096", &part), "there may be 4096 parts");
	ok(part.number == 4096 && part.of == 4096, "4096/4096 is part 4096 of 4096");
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ok(prn_part_parse(wrong[i], &part) == PRN_E_INPUT && part.of == 4096, "\"%s\" is no part", wrong[i]);
}

/* In how many of n parts the page is. */
static uint32_t parts_with(const char *url, uint32_t n)
{
	uint32_t count = 0;

	for (struct prn_part part = { 1, n }; part.number <= n; part.number++)
		count += prn_part_has(&part, url);
	return count;
}

static void hosts(void)
{
	struct prn_part all = { 0 }, third = { 2, 3 };
	size_t once = 0, together = 0, in_third = 0;
	char url[64], other[64];

	for (int i = 0; i < 3000; i++) {
		snprintf(url, sizeof url, "http://h%d.example/", i);
		snprintf(other, sizeof other, "https://h%d.example:8443/some/page?x=%d", i, i);
		once += parts_with(url, 1) == 1 && parts_with(url, 7) == 1 && prn_part_has(&all, url);
		together += prn_part_has(&third, url) == prn_part_has(&third, other);
		in_third += prn_part_has(&third, url);
	}
	ok(once == 3000, "every page is in just one of any number of parts, and in everything: %zu of 3000", once);
	ok(together == 3000, "the pages of a host are in one part, whatever their scheme and port: %zu of 3000", together);
	/* Six standard errors of 3000 draws of 1/3 are 155. */
	ok(in_third > 845 && in_third < 1155, "parts are about as large as one another: %zu of 3000 hosts in one of three", in_third);
}

static void slots(void)
{
	struct prn_digest first = { 0, UINT64_MAX }, last = { UINT64_MAX, 0 }, second = { (uint64_t)1 << 52, 0 };

	same(tap_text("%u %u %u", prn_host_slot(&first), prn_host_slot(&second), prn_host_slot(&last)), "0 1 4095",
	     "slots are in the order of digests");
	first = prn_host_digest("http://a.example/x");
	ok(first.high == prn_digest_bytes("a.example", 9).high, "a host's digest is that of its name");
}

int main(void)
{
	written();
	hosts();
	slots();
	return done();
}
