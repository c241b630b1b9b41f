/* What came in the last minute. */
#include "../tap.h"
#include "serve/rate.h"

int main(void)
{
	struct serve_rate rate;

	serve_rate_init(&rate);
	ok(serve_rate_minute(&rate, 1000) == 0, "at first nothing came");
	serve_rate_add(&rate, 1000, 5);
	serve_rate_add(&rate, 1000, 2);
	serve_rate_add(&rate, 1030, 10);
	ok(serve_rate_minute(&rate, 1030) == 17, "what came is counted");
	ok(serve_rate_minute(&rate, 1059) == 17, "for a minute");
	ok(serve_rate_minute(&rate, 1060) == 10, "and no longer");
	serve_rate_add(&rate, 5000, 1);
	ok(serve_rate_minute(&rate, 5000) == 1, "after an hour all is forgotten");
	ok(serve_rate_minute(&rate, 100) == 0, "as when the clock is put back");
	serve_rate_add(&rate, 100, 3);
	ok(serve_rate_minute(&rate, 101) == 3, "from where it counts on");
	return done();
}
