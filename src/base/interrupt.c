#include "base/interrupt.h"

#include "base/monotonic.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define ASKED_EVERY_S 0.1 /* the question, while nothing comes */
#define LONGEST_S 1e6     /* a single wait, which is a number of milliseconds in an int */

static int report(struct prn_error *error)
{
	return prn_error_set(error, PRN_E_CANCELLED, "%s", prn_error_text(PRN_E_CANCELLED));
}

int prn_interrupt_ask(struct prn_interrupt *interrupt, struct prn_error *error)
{
	if (!interrupt)
		return 0;
	if (!interrupt->said && interrupt->cancelled)
		interrupt->said = interrupt->cancelled(interrupt->context);
	return interrupt->said ? report(error) : 0;
}

int prn_interrupt_await(struct prn_interrupt *interrupt, struct pollfd *ready, size_t count, unsigned patience_s, struct prn_error *error)
{
	struct prn_interrupt none = { 0 }, *by = interrupt ? interrupt : &none;
	double end = patience_s ? prn_monotonic() + patience_s : INFINITY, most = by->cancelled ? ASKED_EVERY_S : INFINITY;
	struct pollfd all[PRN_AWAITED + 1];

	memcpy(all, ready, count * sizeof *ready);
	all[count] = (struct pollfd){ .fd = by->wake > 0 ? by->wake : -1, .events = POLLIN };
	for (;;) {
		int code = prn_interrupt_ask(by, error), got;
		double left = end - prn_monotonic(), wait = left < most ? left : most;

		if (code)
			return code;
		/* Rounded up, so that a wait of less than a millisecond is none that does not wait. */
		got = poll(all, (nfds_t)count + 1, isinf(wait) ? -1 : wait > 0 ? (int)ceil(1000 * fmin(wait, LONGEST_S)) : 0);
		if (got < 0 && errno != EINTR)
			return prn_error_set(error, PRN_E_IO, "cannot be waited for: %s", strerror(errno));
		if (got > 0 && all[count].revents) {
			by->said = true;
			return report(error);
		}
		if (got > 0 || (!got && wait >= left)) {
			memcpy(ready, all, count * sizeof *ready);
			return got > 0;
		}
	}
}
