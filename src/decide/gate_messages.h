/*
 * Messages of a shard to the gates of giants (giants.h): what reports of its pages say of the host, and permits that are over.
 */
#ifndef DECIDE_GATE_MESSAGES_H
#define DECIDE_GATE_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"

struct prn_decider;

/* A message to a gate, sent once the change that it follows from is durable. */
struct prn_gate_message {
	uint64_t number; /* among the messages of its shard, from 1 on; prn_gate_message_add sets it */
	size_t giant;
	int64_t now;
	int64_t end;     /* of the permits that are over; PRN_TIME_UNKNOWN: there are none */
	int64_t moved;   /* their new end, if they are not over; PRN_TIME_UNKNOWN: they are over */
	uint32_t count;
	int64_t fetched; /* when the host was asked; PRN_TIME_UNKNOWN: it was not */
	bool came;       /* the host answered with content, or "not modified", at time */
	bool again;      /* the message may have been sent before */
	bool told;       /* whoever reported what it says was told that it failed, and may report it again */
	bool refused;    /* the host wants to be left alone, for wanted_s from time on */
	bool has_crawl_delay;
	uint32_t crawl_delay_s;
	int64_t time;
	double wanted_s, beyond; /* beyond: the cost beyond what was spent at the gate */
};

/* Adds a message that goes with what is staged in a shard.  PRN_E_MEMORY */
int prn_gate_message_add(struct prn_decider *shard, const struct prn_gate_message *message, struct prn_error *error);

/*
 * Sends the messages whose changes are durable.  Those that cannot be sent now are sent with the next commit.  PRN_E_BUSY: other
 * changes are staged in the root; errors of commits
 */
int prn_giants_forward(struct prn_decider *shard, struct prn_error *error);

/*
 * That a host wants to be left alone must not be lost with this process.  _owe says whether a durable message of a shard, or of any
 * open shard of a root, says so and was not sent, and whoever reported it does not know that.  _admit sends those messages once more, and
 * fails, once, if they cannot be sent: so a commit fails, though all is durable, the report is not acknowledged, and comes again.
 * Errors of _forward
 */
bool prn_giants_owe(const struct prn_decider *decider);
int prn_giants_admit(struct prn_decider *decider, struct prn_error *error);

/* Drops messages that are not durable and have a higher number. */
void prn_giants_drop(struct prn_decider *shard, uint64_t number);

#endif
