#include "perennial/settings_change.h"

#include "base/number.h"
#include "decide/settings_finish.h"
#include "decide/settings_place.h"
#include "decide/shards.h"
#include "perennial/extractor.h"

#include <stdio.h>

/* Whether the store can have these settings. */
static int check_target(const struct prn_decider *decider, const struct prn_settings_target *target, struct prn_error *error)
{
	struct prn_decider *to;
	enum prn_dial was = prn_policy_about(decider->policy)->dial, is;
	int code = prn_settings_make_to(&to, decider, target, error);

	if (code)
		return code;
	is = prn_policy_about(to->policy)->dial;
	prn_decider_free_alone(to);
	if (was != is && !(target->threshold > 0) && !(decider->budget_per_day > 0))
		return prn_error_set(error, PRN_E_ARGUMENT, "%s goes by a %s, and the store has a %s of %g and no budget: say which %s is to be",
		                     target->specification, prn_dial_name(is), prn_dial_name(was), decider->threshold, prn_dial_name(is));
	return 0;
}

static int put_target(struct prn_decider *decider, const struct prn_settings_target *target, struct prn_error *error)
{
	char text[PRN_CHANGE_TEXT];
	unsigned tries = 0;
	int code;

	if (prn_number_print(text, sizeof text, "%u %.17g %s", target->words, target->threshold, target->specification) >= (int)sizeof text)
		return prn_error_set(error, PRN_E_ARGUMENT, "the policy's specification is too long");
	do {
		code = prn_settings_put_text(decider, PRN_KEY_CHANGE, text, error);
		if (!code)
			code = prn_decider_commit_alone(decider, error);
	} while (prn_decider_again(decider, code, &tries));
	return code;
}

static int commit_shard(void *context, struct prn_decider *shard, struct prn_error *error)
{
	(void)context;
	return prn_decider_commit_all(shard, error);
}

static int change(struct prn_decider *decider, const struct prn_settings_change *change, struct prn_settings_changed *changed,
                  struct prn_error *error)
{
	struct prn_settings_target target = { .words = change->shingle_words ? change->shingle_words : decider->shingle_words,
		                 .threshold = change->threshold,
		                 .specification = change->policy ? (char *)change->policy : decider->specification };
	int code = check_target(decider, &target, error);

	/*
	 * Before the change, all shards are opened and have passed the targets of redirects on to others: a page that is added to a
	 * shard while it changes would have a state of the policy before.
	 */
	if (!code && decider->shards)
		code = prn_shards_each(decider, commit_shard, NULL, error);
	if (!code)
		code = prn_decider_commit_all(decider, error);
	if (!code)
		code = put_target(decider, &target, error);
	if (code)
		return code;
	decider->is_changing = true;
	/* The change is durable by now: an error of the store alone would read as if nothing had changed. */
	code = prn_settings_change_finish(decider, changed, error);
	if (code)
		prn_error_prefix(error, "broken off, and whatever writes to the store goes on with it");
	return code;
}

static int check_change(const struct prn_settings_change *change, struct prn_error *error)
{
	if (!change->policy && !change->shingle_words && !(change->threshold > 0))
		return prn_error_set(error, PRN_E_ARGUMENT, "nothing is to be changed");
	if (change->shingle_words > PRN_SHINGLE_WORDS_MAX)
		return prn_error_set(error, PRN_E_ARGUMENT, "shingles have at most %d words", PRN_SHINGLE_WORDS_MAX);
	return prn_decider_check_threshold(change->threshold, error);
}

int prn_settings_change(const char *path, const struct prn_settings_change *given, struct prn_settings_changed *changed,
                        struct prn_error *error)
{
	struct prn_settings_changed counted = { 0 };
	struct prn_decider_options options;
	struct prn_decider *decider;
	int code = check_change(given, error);

	if (code)
		return code;
	prn_decider_options_init(&options);
	options.lock_wait_s = given->lock_wait_s;
	code = prn_decider_open(&decider, path, PRN_STORE_WRITE, &options, error);
	if (code)
		return code;
	code = change(decider, given, &counted, error);
	prn_decider_free(decider);
	if (!code && changed)
		*changed = counted;
	return code;
}
