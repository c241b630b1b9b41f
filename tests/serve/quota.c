/* What uploads may take together, and of each client. */
#include "../tap.h"
#include "serve/quota.h"

int main(void)
{
	struct serve_quota *quota;
	struct prn_error error = { 0 };
	uint64_t bytes, refused;

	if (serve_quota_open(&quota, 100, 60))
		return 1;
	ok(serve_quota_most(quota) == 60, "one upload can have what one client can");
	ok(!serve_quota_take(quota, "a", 40, &error) && !serve_quota_take(quota, "a", 20, &error),
	   "a client's uploads take up to its bound together");
	ok(serve_quota_take(quota, "a", 1, &error) == PRN_E_IO && strstr(error.text, "60 bytes together, and 60 are taken"),
	   "a client that has its share is refused, and told its bound and what it has: %s", error.text);
	ok(!serve_quota_take(quota, "b", 40, &error), "another client takes what is left");
	ok(serve_quota_take(quota, "b", 1, &error) == PRN_E_IO && strstr(error.text, "100 bytes together, and 100 are taken"),
	   "where nothing is left of all, a client is refused that has not its share: %s", error.text);
	ok(serve_quota_take(quota, "c", UINT64_MAX, &error) == PRN_E_IO, "no number of bytes is too large to be refused");
	serve_quota_count(quota, &bytes, &refused);
	ok(bytes == 100 && refused == 3, "what is taken and what was refused is counted");
	serve_quota_give(quota, "a", 40);
	ok(!serve_quota_take(quota, "c", 40, &error), "what one client gives back another may take");
	serve_quota_give(quota, "a", 20);
	serve_quota_give(quota, "b", 40);
	serve_quota_give(quota, "c", 40);
	serve_quota_give(quota, "nobody", 40);
	serve_quota_count(quota, &bytes, &refused);
	ok(!bytes, "when all is given back nothing is taken");
	serve_quota_free(quota);
	serve_quota_free(NULL);
	return done();
}
