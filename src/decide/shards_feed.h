/* Commits a feed's group whose pages are in several shards. */
#ifndef DECIDE_SHARDS_FEED_H
#define DECIDE_SHARDS_FEED_H

#include "decide/feed_internal.h"

/*
 * Shards are decided at the same time, each in the order of the captures and durable by itself.  What a redirect leads
 * to in another shard comes after the redirect.  Sets group->staged, code and error as prn_feed_stage; behind what
 * failed, captures of other shards may be durable that are not delivered.  Errors of commits
 */
int prn_shards_feed(struct prn_feed_group *group, struct prn_error *error);

#endif
