#include "decide/shards_feed.h"

#include "base/parallel.h"
#include "decide/gate_messages.h"
#include "decide/shards.h"
#include "decide/wants.h"
#include "store/shards.h"

#include <stdlib.h>

#define THREADS 8 /* most of the time they wait for the cluster */

/* A capture of a group, with its shard and the round in which it is decided. */
struct turn {
	size_t place, shard;
	unsigned round;
};

/* A run of turns: captures of one shard that are decided in one round. */
struct turn_run {
	const struct turn *turns; /* [count] */
	size_t count, done;
	int code;               /* of the capture that failed, at done */
	struct prn_error error;
};

/* The round from which pages of a host may be decided; in a table with open addressing, at most half full. */
struct round {
	uint64_t host; /* a number of the host and its shard; 0: a free place */
	unsigned from;
};

struct feeding {
	struct prn_feed_group *group;
	int64_t now;
	struct turn *turns; /* [count] */
	size_t count;
	struct round *rounds; /* [round_mask + 1] */
	size_t round_mask;
	struct turn_run *runs;
};

/* The pages of a giant keep their order in each shard. */
static struct round *round_of(const struct feeding *feeding, const char *normal_url, size_t shard)
{
	uint64_t host = prn_host_number(prn_host_name(normal_url)) + shard;
	size_t at;

	host += !host;
	at = host & feeding->round_mask;
	while (feeding->rounds[at].host && feeding->rounds[at].host != host)
		at = (at + 1) & feeding->round_mask;
	feeding->rounds[at].host = host;
	return &feeding->rounds[at];
}

/*
 * A fetcher that follows redirects by itself reports the target next; whether that is a page, or refused, depends on the
 * redirect.  So later captures of the target's host are decided after the redirect, and each host's captures in their order.
 */
static void plan(struct feeding *feeding)
{
	struct prn_feed_group *group = feeding->group;
	const struct prn_decider *root = group->feed->decider;

	for (size_t i = 0; i < group->count; i++) {
		const struct prn_observation *observation = &group->places[i]->observation;
		struct turn *turn = &feeding->turns[feeding->count];

		if (group->places[i]->is_fault)
			continue;
		group->fed[i].observation = observation;
		group->fed[i].capture = group->feed->options.bodies ? &group->places[i]->copy.capture : NULL;
		group->fed[i].fault = NULL;
		group->fed[i].lost = false;
		turn->place = i;
		turn->shard = prn_shards_place(root, observation->normal_url);
		turn->round = round_of(feeding, observation->normal_url, turn->shard)->from;
		feeding->count++;
		if (observation->kind == PRN_KIND_REDIRECT && observation->target && observation->target[0]) {
			size_t shard = prn_shards_place(root, observation->target);
			unsigned from = turn->round + (shard != turn->shard);
			struct round *round = round_of(feeding, observation->target, shard);

			round->from = round->from > from ? round->from : from;
		}
	}
}

static int compare_turns(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	if (x->shard != y->shard)
		return x->shard < y->shard ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

/* Requests all that the observations will read at once, if the store is slow to reach. */
static int want(const struct feeding *feeding, const struct turn_run *run, struct prn_decider *shard,
                struct prn_error *error)
{
	struct prn_wants wants = { 0 };
	int code = 0;

	if (!prn_store_is_shared(shard->store))
		return 0;
	code = prn_wants_settings(&wants);
	for (size_t i = 0; i < run->count && !code; i++) {
		const struct prn_feed_place *place = feeding->group->places[run->turns[i].place];

		code = prn_wants_visit(&wants, &place->key, place->observation.normal_url);
	}
	code = code ? prn_error_memory(error) : prn_wants_ask(&wants, shard, error);
	prn_wants_release(&wants);
	return code;
}

/* A capture that cannot be decided because its shard is damaged or lost is delivered as a fault, and the others are decided. */
static void pass_over(const struct feeding *feeding, const struct turn *turn, const struct prn_error *why)
{
	struct prn_feed_group *group = feeding->group;
	struct prn_feed_place *place = group->places[turn->place];

	place->error = *why;
	prn_error_prefix(&place->error, "%s", place->observation.url);
	group->fed[turn->place].observation = NULL;
	group->fed[turn->place].capture = NULL;
	group->fed[turn->place].fault = &place->error;
	group->fed[turn->place].lost = true;
}

/* Stages a run.  PRN_E_CONFLICT: nothing of it may be committed.  Other errors are kept in the run. */
static int stage(const struct feeding *feeding, struct turn_run *run, struct prn_decider *shard, struct prn_error *error)
{
	struct prn_feed_group *group = feeding->group;

	run->code = want(feeding, run, shard, &run->error);
	for (run->done = 0; !run->code && run->done < run->count; run->done++) {
		size_t at = run->turns[run->done].place;
		struct prn_feed_place *place = group->places[at];

		run->code = prn_observer_decide(group->feed->observer, &place->observation, &place->copy.capture,
		                                feeding->now, &group->fed[at].outcome, &run->error);
		if (prn_shards_is_lost(run->code)) {
			pass_over(feeding, &run->turns[run->done], &run->error);
			run->code = 0;
		}
		if (run->code)
			break;
	}
	return run->code == PRN_E_CONFLICT ? prn_error_set(error, PRN_E_CONFLICT, "%s", run->error.text) : 0;
}

static int decide_run(const struct feeding *feeding, struct turn_run *run, struct prn_error *error)
{
	struct prn_decider *shard;
	struct prn_decider_savepoint before;
	unsigned tries = 0;
	int code = prn_shards_get(feeding->group->feed->decider, run->turns->shard, true, &shard, error);

	if (code)
		return code;
	before = prn_decider_save(shard);
	do {
		code = stage(feeding, run, shard, error);
		if (!code)
			code = prn_decider_commit_alone(shard, error);
		if (!code)
			code = prn_giants_admit(shard, error);
	} while (prn_decider_again(shard, code, &tries));
	if (code)
		prn_decider_restore(shard, &before);
	prn_shards_done(shard);
	return code;
}

static int run_shard(void *context, size_t thread, size_t item, struct prn_error *error)
{
	const struct feeding *feeding = context;
	struct turn_run *run = &feeding->runs[item];
	struct prn_error why = { 0 };
	int code = decide_run(feeding, run, &why);

	(void)thread;
	if (!prn_shards_is_lost(code)) {
		if (code)
			*error = why;
		return code;
	}
	for (size_t i = 0; i < run->count; i++)
		pass_over(feeding, &run->turns[i], &why);
	run->code = 0;
	return 0;
}

/* Captures are delivered up to the first that failed, in their order. */
static void take_failures(struct feeding *feeding, const struct turn_run *runs, size_t count)
{
	struct prn_feed_group *group = feeding->group;

	for (size_t i = 0; i < count; i++) {
		size_t at = runs[i].code && runs[i].done < runs[i].count ? runs[i].turns[runs[i].done].place : SIZE_MAX;

		if (at >= group->staged)
			continue;
		group->staged = at;
		group->code = runs[i].code;
		group->error = runs[i].error;
	}
}

/* Splits the turns of one round, from the first on, into runs.  Returns the number of turns. */
static size_t split(struct feeding *feeding, size_t first, size_t *runs)
{
	size_t i = first;

	*runs = 0;
	for (; i < feeding->count && feeding->turns[i].round == feeding->turns[first].round; i++) {
		if (i == first || feeding->turns[i].shard != feeding->turns[i - 1].shard)
			feeding->runs[(*runs)++] = (struct turn_run){ .turns = &feeding->turns[i] };
		feeding->runs[*runs - 1].count++;
	}
	return i - first;
}

static int decide_rounds(struct feeding *feeding, struct prn_error *error)
{
	struct prn_feed_group *group = feeding->group;
	size_t runs, first = 0;
	int code = 0;

	group->staged = group->count;
	group->code = 0;
	while (first < feeding->count && !code && !group->code) {
		first += split(feeding, first, &runs);
		code = prn_parallel_for(runs, runs < THREADS ? runs : THREADS, run_shard, feeding, error);
		if (!code)
			take_failures(feeding, feeding->runs, runs);
		if (!code)
			code = prn_shards_forward(group->feed->decider, error);
	}
	/* Captures of later rounds were not decided. */
	for (; first < feeding->count; first++)
		if (feeding->turns[first].place < group->staged)
			group->staged = feeding->turns[first].place;
	return code;
}

int prn_shards_feed(struct prn_feed_group *group, struct prn_error *error)
{
	const struct prn_feed_options *options = &group->feed->options;
	struct feeding feeding = {.group = group,
	                          .now = options->now ? options->now(options->context) : PRN_TIME_UNKNOWN};
	size_t rounds = 64;
	int code;

	while (rounds < 4 * group->count)
		rounds *= 2;
	feeding.round_mask = rounds - 1;
	feeding.turns = calloc(group->count, sizeof *feeding.turns);
	feeding.runs = calloc(group->count, sizeof *feeding.runs);
	feeding.rounds = calloc(rounds, sizeof *feeding.rounds);
	if (!feeding.turns || !feeding.runs || !feeding.rounds)
		code = prn_error_memory(error);
	else {
		plan(&feeding);
		qsort(feeding.turns, feeding.count, sizeof *feeding.turns, compare_turns);
		code = decide_rounds(&feeding, error);
	}
	free(feeding.turns);
	free(feeding.runs);
	free(feeding.rounds);
	return code;
}
