/* Commits a feed's group whose pages are in several shards. */
#ifndef DECIDE_SHARDS_FEED_H
#define DECIDE_SHARDS_FEED_H

#include "decide/feed_internal.h"

/*
 * Captures of different shards are decided at the same time; those of one shard are in their order, and are committed together.
 * The target of a redirect in another shard comes after the redirect.  Sets group->staged, code and error as prn_feed_stage.
 * After a failed capture, captures of other shards may be durable that are not delivered.  Errors of commits
 */
int prn_shards_feed(struct prn_feed_group *group, struct prn_error *error);

#endif
