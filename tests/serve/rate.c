/* What came in the last minute. */
#include "../tap.h"
#include "serve/rate.h"

int main(void)
{
	struct serve_rate rate;

	serve_rate_init(&rate);
	ok(serve_rate_minute(&rate, 1000) == 0, "at first the rate counts nothing in the last minute");
	serve_rate_add(&rate, 1000, 5);
	serve_rate_add(&rate, 1000, 2);
	serve_rate_add(&rate, 1030, 10);
	ok(serve_rate_minute(&rate, 1030) == 17, "what came within a minute is counted");
	ok(serve_rate_minute(&rate, 1059) == 17, "what came 59 seconds ago is counted");
	ok(serve_rate_minute(&rate, 1060) == 10, "what came a minute ago is no longer counted");
	serve_rate_add(&rate, 5000, 1);
	ok(serve_rate_minute(&rate, 5000) == 1, "what came an hour ago is forgotten");
	serve_rate_add(&rate, 4999, 2);
	ok(serve_rate_minute(&rate, 4941) == 3, "what came is counted by who read the clock up to a minute earlier");
	ok(serve_rate_minute(&rate, 5058) == 3, "what was told with a time before the last one's is counted for its minute");
	ok(serve_rate_minute(&rate, 5059) == 1,
	   "what was told with a time before the last one's is counted for no longer than its minute");
	ok(serve_rate_minute(&rate, 100) == 0, "what came is forgotten when the clock is put back by more than a minute");
	serve_rate_add(&rate, 100, 3);
	ok(serve_rate_minute(&rate, 101) == 3, "what comes after the clock was put back is counted");
	return done();
}
