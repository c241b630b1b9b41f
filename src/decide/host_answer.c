#include "decide/host_answer.h"

#include "decide/gate_messages.h"
#include "decide/giants.h"

static int update_giant(struct prn_decider *decider, size_t giant, const struct prn_host_answer *asked, struct prn_error *error)
{
	const struct prn_gate_message message = {
		.giant = giant, .now = asked->now, .end = PRN_TIME_UNKNOWN, .moved = PRN_TIME_UNKNOWN, .fetched = asked->time,
		.time = asked->time, .came = asked->came, .refused = asked->refused, .wanted_s = asked->wanted_s,
		.has_crawl_delay = asked->has_crawl_delay, .crawl_delay_s = asked->crawl_delay_s,
	};

	return prn_gate_message_add(decider, &message, error);
}

int prn_host_answer_apply(struct prn_decider *decider, const char *normal_url, const struct prn_host_answer *asked, struct prn_error *error)
{
	const struct prn_store_reader reader = { .batch = decider->batch };
	size_t giant = prn_giant_find(decider, prn_host_name(normal_url));
	struct prn_known_host known;
	struct prn_host *host = &known.host;
	bool asks, came, new_delay;
	int code;

	if (giant != SIZE_MAX)
		return update_giant(decider, giant, asked, error);
	code = prn_host_find_of(&known, &reader, &decider->options, normal_url, error);
	/* Pages that are out are counted for the group that the host is in: it stays there until they are back. */
	if (!code && decider->options.group_by_address && asked->address[0] && !host->leased) {
		code = prn_host_put_address(decider->batch, normal_url, asked->address, asked->now, error);
		if (!code)
			code = prn_host_find_of(&known, &reader, &decider->options, normal_url, error);
	}
	if (code)
		return code;
	new_delay = asked->has_crawl_delay && asked->crawl_delay_s != host->crawl_delay_s;
	/* A host that was never asked for a page of its own gets no record just for its delay: redirects lead to many. */
	asks = new_delay || (host->asked != PRN_TIME_UNKNOWN && prn_host_delays(&known, asked->time, asked->now));
	if (new_delay)
		host->crawl_delay_s = asked->crawl_delay_s;
	if (asks)
		prn_host_was_asked(host, asked->time, asked->now);
	if (asked->refused)
		prn_host_refuse(host, asked->time, asked->wanted_s, asked->now);
	came = asked->came && prn_host_came(host, asked->time, asked->now);
	if (!asks && !asked->refused && !came)
		return 0;
	if (came)
		code = prn_host_wake(&known, decider->batch, asked->now, asked->now, error);
	return code ? code : prn_decider_put_host(decider, &known, asked->now, error);
}
