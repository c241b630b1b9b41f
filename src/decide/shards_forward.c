/* Delivers the messages of shards to each other. */
#include "base/buffer.h"
#include "decide/loads.h"
#include "decide/redirects.h"
#include "decide/shards.h"
#include "decide/target_note.h"
#include "store/shards.h"

#include <stdlib.h>
#include <string.h>

/* A page that was added in another way meanwhile stays as it is. */
static int add_page(struct prn_decider *shard, const struct prn_shard_message *target, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(shard);
	struct prn_entry *page = &shard->other;
	int code = prn_target_find(page, &reader, target, error);

	return code || page->known ? code : prn_decider_put(shard, page, error);
}

/* Stages in a shard what follows from a message to it; refused targets are not stored, so there is nothing to stage of them. */
static int receive(struct prn_decider *shard, const struct prn_shard_message *message, struct prn_error *error)
{
	int code;

	if (message->kind == PRN_MESSAGE_REFUSED) {
		prn_redirect_refuse(shard, message->url, message->time);
		return 0;
	}
	code = prn_decider_check_writer(shard, error);
	if (code)
		return code;
	return message->kind == PRN_MESSAGE_ANSWER ? prn_host_answer_apply(shard, message->url, &message->asked, error)
	                                           : add_page(shard, message, error);
}

/* Keeps the messages that are noted until they are durable, so that their notes are removed then. */
static void keep_noted(struct prn_decider *shard, size_t from)
{
	size_t kept = from;

	for (size_t i = from; i < shard->message_count; i++)
		if (shard->messages[i].is_noted)
			shard->messages[kept++] = shard->messages[i];
		else
			free(shard->messages[i].url);
	shard->message_count = kept;
}

int prn_shards_stage_messages(struct prn_decider *shard, uint64_t number, struct prn_error *error)
{
	size_t first = shard->message_count;
	int code = 0;

	while (first && shard->messages[first - 1].number > number)
		first--;
	for (size_t i = first; i < shard->message_count && !code; i++) {
		const struct prn_shard_message *message = &shard->messages[i];
		bool must_arrive = message->kind != PRN_MESSAGE_ANSWER;
		struct prn_decider *other;

		code = prn_shards_route(shard->root, message->url, must_arrive, &other, error);
		if (!code) {
			code = receive(other, message, error);
			prn_shards_done(other);
		}
		/* What is noted is sent once it is durable, and then finds that the shard is lost. */
		if (!must_arrive || (message->is_noted && prn_shards_is_lost(code)))
			code = 0;
	}
	if (!code)
		keep_noted(shard, first);
	return code;
}

struct leaving {
	size_t shard; /* the shard that the message is for */
	size_t place; /* among all messages that are gathered */
	struct prn_shard_message *message;
};

/*
 * The shard is lost.  Targets with notes are deferred, and all others are given up: nobody need learn that a target is refused, nor
 * what a host answered, and a report that is repeated leads to a target without a note again.  Returns code if such a target is given
 * up, else 0.
 */
static int give_up(const struct leaving *leaving, size_t count, int code)
{
	int result = 0;

	for (size_t i = 0; i < count; i++) {
		struct prn_shard_message *message = leaving[i].message;

		message->delivery = message->is_noted ? PRN_DELIVERY_DEFERRED : PRN_DELIVERY_DONE;
		if (message->kind == PRN_MESSAGE_TARGET && !message->is_noted)
			result = code;
	}
	return result;
}

/* Stages the first count messages in the shard that they are for, and commits. */
static int send_to_shard(struct prn_decider *shard, const struct leaving *leaving, size_t count, struct prn_error *error)
{
	unsigned tries = 0;
	int code;

	for (size_t i = 0; i < count; i++)
		if (leaving[i].message->kind == PRN_MESSAGE_REFUSED)
			receive(shard, leaving[i].message, error);
	/* The refused targets stay even if the changes below are abandoned. */
	shard->refused_committed = shard->refused_count;
	do {
		code = 0;
		for (size_t i = 0; i < count && !code; i++)
			if (leaving[i].message->kind != PRN_MESSAGE_REFUSED)
				code = receive(shard, leaving[i].message, error);
		if (!code)
			code = prn_decider_commit_alone(shard, error);
	} while (prn_decider_again(shard, code, &tries));
	if (code)
		prn_decider_abandon(shard);
	return code;
}

/* Sends the first count messages, which are all for one shard.  If all are answers of hosts, no failure holds others up. */
static int send_run(struct prn_decider *root, const struct leaving *leaving, size_t count, struct prn_error *error)
{
	struct prn_decider *shard;
	bool all_answers = true;
	int code;

	for (size_t i = 0; i < count; i++)
		all_answers &= leaving[i].message->kind == PRN_MESSAGE_ANSWER;
	code = prn_shards_get(root, leaving->shard, !all_answers, &shard, error);
	if (!code) {
		code = send_to_shard(shard, leaving, count, error);
		prn_shards_done(shard);
	}
	/* Also of a shard that was open: messages that stayed would fail each commit from now on. */
	if (prn_shards_is_lost(code))
		return give_up(leaving, count, code);
	if (code && !all_answers)
		return code;
	for (size_t i = 0; i < count; i++)
		leaving[i].message->delivery = PRN_DELIVERY_DONE;
	return 0;
}

/* Sorts messages by shard; those from and to one shard stay in their order, and answers of hosts follow them in the order of their times. */
static int compare_leaving(const void *a, const void *b)
{
	const struct leaving *x = a, *y = b;
	bool x_is_answer = x->message->kind == PRN_MESSAGE_ANSWER, y_is_answer = y->message->kind == PRN_MESSAGE_ANSWER;

	if (x->shard != y->shard)
		return x->shard < y->shard ? -1 : 1;
	if (x_is_answer != y_is_answer)
		return x_is_answer ? 1 : -1;
	if (x_is_answer && x->message->time != y->message->time)
		return x->message->time < y->message->time ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* A shard that fails holds the others up as little: returns the first error when all were tried. */
static int send_all(struct prn_decider *root, struct leaving *leaving, size_t count, struct prn_error *error)
{
	int first = 0;

	qsort(leaving, count, sizeof *leaving, compare_leaving);
	for (size_t i = 0, end; i < count; i = end) {
		struct prn_error why = { 0 };
		int code;

		for (end = i + 1; end < count && leaving[end].shard == leaving[i].shard;)
			end++;
		code = send_run(root, leaving + i, end - i, &why);
		if (code && !first) {
			first = code;
			if (error)
				*error = why;
		}
	}
	return first;
}

/* The durable messages of all shards that are pending. */
struct waiting {
	const struct prn_decider *root;
	struct leaving *leaving;
	size_t count, capacity;
	bool any; /* some shard has durable messages, perhaps only such as are done */
	struct prn_error *error;
};

static int gather(void *context, struct prn_decider *from)
{
	struct waiting *waiting = context;
	size_t count = waiting->count + from->messages_durable;
	struct leaving *grown;

	if (!from->messages_durable)
		return 0;
	grown = prn_array_grow(waiting->leaving, &waiting->capacity, count, sizeof *grown);
	if (!grown)
		return prn_error_memory(waiting->error);
	waiting->leaving = grown;
	waiting->any = true;
	for (size_t i = 0; i < from->messages_durable; i++)
		if (from->messages[i].delivery == PRN_DELIVERY_PENDING) {
			grown[waiting->count] = (struct leaving){ prn_shards_place(waiting->root, from->messages[i].url), waiting->count, &from->messages[i] };
			waiting->count++;
		}
	return 0;
}

static bool has_old_note(const struct prn_shard_message *message)
{
	return message->delivery == PRN_DELIVERY_DONE && message->is_noted;
}

/* Drops the notes of durable messages that are done, and commits. */
static int drop_notes(struct prn_decider *shard, struct prn_error *error)
{
	unsigned tries = 0;
	int code;

	do {
		code = 0;
		for (size_t i = 0; i < shard->messages_durable && !code; i++)
			if (has_old_note(&shard->messages[i]))
				code = prn_target_note_drop(shard, &shard->messages[i], error);
		if (!code)
			code = prn_decider_commit_alone(shard, error);
	} while (prn_decider_again(shard, code, &tries));
	if (code)
		prn_decider_abandon(shard);
	return code;
}

/* Drops the durable messages that are no longer pending.  Those whose notes cannot be dropped yet stay until they can. */
static int drop_done(void *context, struct prn_decider *shard)
{
	size_t durable = shard->messages_durable, kept = 0;
	bool noted = false;
	int code;

	for (size_t i = 0; i < durable; i++)
		noted |= has_old_note(&shard->messages[i]);
	code = noted ? drop_notes(shard, context) : 0;
	if (code)
		return code;
	for (size_t i = 0; i < shard->message_count; i++)
		if (i >= durable || shard->messages[i].delivery == PRN_DELIVERY_PENDING)
			shard->messages[kept++] = shard->messages[i];
		else
			free(shard->messages[i].url);
	shard->messages_durable -= shard->message_count - kept;
	shard->message_count = kept;
	return 0;
}

/*
 * While a caller has staged changes, which a conflict here would drop, messages wait.  A shard with messages is not closed
 * meanwhile.
 */
int prn_shards_forward(struct prn_decider *root, struct prn_error *error)
{
	struct waiting waiting = { .root = root, .error = error };
	int code = prn_shards_each_open(root, gather, &waiting);

	if (!code && waiting.any && !prn_decider_staged(root)) {
		struct prn_error why = { 0 };
		int dropped;

		code = send_all(root, waiting.leaving, waiting.count, error);
		dropped = prn_shards_each_open(root, drop_done, &why);
		if (!code && dropped && error)
			*error = why;
		code = code ? code : dropped;
	}
	free(waiting.leaving);
	return code;
}
