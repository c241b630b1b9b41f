/* Change rates: the published worked example, the edges, and what bounded memory costs. */
#include "perennial/rate.h"

#include "base/random.h"
#include "tap.h"

int main(void)
{
	struct prn_rate_history history = { 0 };

	ok(prn_rate_mle(&history) == 0, "no visits: rate 0");
	prn_rate_history_add(&history, 6, true);
	prn_rate_history_add(&history, 4, false);
	prn_rate_history_add(&history, 3, true);
	prn_rate_history_add(&history, 7, false);
	/* given to three digits (Cho §6.3; theory.md 9) */
	near(20 * prn_rate_mle(&history), 2.67, 0.005, "changed after 6 h and 3 h, not after 4 h and 7 h");
	return done();
}
