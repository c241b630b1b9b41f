/*
 * Messages from a shard to the shards that other URLs belong to.  A message is staged with the change that it follows from, and sent
 * once that is durable (prn_shards_forward).
 */
#ifndef DECIDE_SHARD_MESSAGE_H
#define DECIDE_SHARD_MESSAGE_H

#include "decide/host_answer.h"
#include "decide/decider_internal.h"

enum prn_shard_message_kind {
	PRN_MESSAGE_TARGET, /* a redirect leads to url, which becomes a page */
	PRN_MESSAGE_REFUSED, /* a redirect's target at url was refused, so url is not to become a page soon */
	PRN_MESSAGE_ANSWER, /* the host of url gave an answer to a fetcher that a page's redirect led there */
};

/* What is to be known of the page that a redirect leads to. */
struct prn_target {
	double weight;
	uint32_t redirects; /* for the page's state */
	bool from_elsewhere;
};

enum prn_delivery {
	PRN_DELIVERY_PENDING,
	PRN_DELIVERY_DONE,     /* it was sent, or is given up */
	PRN_DELIVERY_DEFERRED, /* its shard is lost: it is read from its note again when the shard that sends it is opened next */
};

struct prn_shard_message {
	enum prn_shard_message_kind kind;
	enum prn_delivery delivery;
	char *url;       /* normal */
	uint64_t number; /* among the messages of the shard that sends it, from 1 on; 0: it was read from a note */
	int64_t time;    /* of the redirect, or of the answer */
	bool is_noted;   /* a target of which the shard that sends it has a note (target_note.h) */
	union {
		struct prn_target target; /* PRN_MESSAGE_TARGET */
		struct prn_host_answer asked; /* PRN_MESSAGE_ANSWER */
	};
};

/*
 * _send_target: a redirect of a shard's page leads to a page of another shard, which is added like page or, with NULL, refused.
 * is_noted: a repeated report would not lead there again, or the other shard is lost, so a note of the target is stored in the shard until it is sent, by
 * this process or, if that dies, by the next one that opens the shard for writing.
 * _send_answer: an answer says something of a host of another shard.  If the process dies before it is sent, or the other shard is
 * not there or cannot be written, that is lost.  Errors of batches
 */
int prn_shards_send_target(struct prn_decider *shard, const char *target, int64_t time, const struct prn_entry *page, bool is_noted,
                           struct prn_error *error);
int prn_shards_send_answer(struct prn_decider *shard, const char *normal_url, const struct prn_host_answer *asked, struct prn_error *error);

/* Drops the messages that are not durable and have a higher number. */
void prn_shards_drop_messages(struct prn_decider *shard, uint64_t number);

#endif
