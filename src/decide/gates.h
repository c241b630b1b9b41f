/*
 * Hosts while URLs are handed out: whether each may be asked for one more, and when.
 */
#ifndef DECIDE_GATES_H
#define DECIDE_GATES_H

#include "decide/host.h"
#include "perennial/decider.h"

struct prn_gate {
	uint64_t hash; /* of the host's name; 0: a free place */
	struct prn_host host;
	uint32_t refused; /* since the gates were opened */
};

struct prn_gates {
	const struct prn_decider_options *options;
	int64_t now;
	double lease_s;
	struct prn_gate *places; /* [capacity], a power of two, at most half full */
	size_t count, capacity;
};

void prn_gates_init(struct prn_gates *gates, const struct prn_decider_options *options, int64_t now, double lease_s);
void prn_gates_release(struct prn_gates *gates);

/* The gate of a normal URL's host, valid until the next call.  Errors of the store; PRN_E_MEMORY */
int prn_gates_find(struct prn_gates *gates, const struct prn_shelf *shelf, const char *normal_url,
                   struct prn_gate **gate, struct prn_error *error);

/*
 * Asks for one URL.  Returns true, with the time from which it may be fetched, now or later within the lease; or
 * false, with the time to ask again: later for each that is refused, so that they do not all come back at once.
 */
bool prn_gates_pass(const struct prn_gates *gates, struct prn_gate *gate, int64_t *when);

#endif
