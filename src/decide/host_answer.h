/*
 * What an answer says of the host that gave it, if that is not the page's host: the fetcher followed redirects by itself, and
 * reports the last answer as the page's (prn_capture.asked_url).
 */
#ifndef DECIDE_HOST_ANSWER_H
#define DECIDE_HOST_ANSWER_H

#include "decide/decider_internal.h"

struct prn_host_answer {
	int64_t time, now; /* of the answer, and of its report */
	bool came;         /* it is content, or "not modified" */
	bool refused;      /* the host wants to be left alone, for wanted_s */
	bool has_crawl_delay;
	double wanted_s;
	uint32_t crawl_delay_s;
	char address[PRN_ADDRESS_TEXT]; /* of the server; "": unknown */
};

/*
 * Updates the host of a normal URL by its answer: the URL is of the decider's shard, or the host is a giant (giants.h), whose gate
 * any shard tells.  Errors of the store and of batches
 */
int prn_host_answer_apply(struct prn_decider *decider, const char *normal_url, const struct prn_host_answer *asked, struct prn_error *error);

#endif
