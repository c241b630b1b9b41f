#include "evaluate/contender_internal.h"
#include "perennial/policy_kind.h"

#include <stdlib.h>
#include <string.h>

static const struct prn_policy_key no_keys[] = { PRN_KEYS_END };

/* In the order of enum prn_yardstick. */
static const struct prn_policy_info yardsticks[PRN_YARDSTICKS] = {
	{ .name = "fs-s",
	  .title = "offline: one period per page, from its average divergence curve",
	  .source = "OP §3.4",
	  .dial = PRN_DIAL_THRESHOLD,
	  .keys = no_keys,
	  .knows_weights = true,
	  .compared = true },
	{ .name = "hs-s",
	  .title = "offline: one period per page, from its change rate",
	  .source = "OP §3.4",
	  .dial = PRN_DIAL_THRESHOLD,
	  .keys = no_keys,
	  .knows_weights = true },
	{ .name = "fs-d",
	  .title = "offline: visits when the divergence that built up is worth it",
	  .source = "OP §3.4",
	  .dial = PRN_DIAL_THRESHOLD,
	  .keys = no_keys,
	  .knows_weights = true },
	{ .name = "hs-d",
	  .title = "offline: visits when the time since a change is worth it",
	  .source = "OP §3.4",
	  .dial = PRN_DIAL_THRESHOLD,
	  .keys = no_keys,
	  .knows_weights = true },
	{ .name = "fs-l",
	  .title = "offline: visits at one level of divergence per page, the best there is",
	  .source = "this project",
	  .dial = PRN_DIAL_THRESHOLD,
	  .keys = no_keys,
	  .knows_weights = true },
	{ .name = "fs-n",
	  .title = "offline: as fs-s, but by the naive rule that a visit is worth the divergence",
	  .source = "OP §2.2",
	  .dial = PRN_DIAL_THRESHOLD,
	  .keys = no_keys,
	  .knows_weights = true },
};

const struct prn_policy_info *prn_yardstick_info(size_t i)
{
	return i < PRN_YARDSTICKS ? &yardsticks[i] : NULL;
}

/*
 * Returns the yardstick that a specification names, or PRN_YARDSTICKS; a name with keys counts too, and is
 * refused later.
 */
static size_t find_yardstick(const char *specification)
{
	size_t length = strcspn(specification, ":"), i = 0;

	while (i < PRN_YARDSTICKS && (strncmp(specification, yardsticks[i].name, length) || yardsticks[i].name[length]))
		i++;
	return i;
}

/* prn_policy_open knows the online policies only, so its list of them is extended here. */
static int open_online(struct prn_policy **online, const char *specification, const char *defaults,
                       struct prn_error *error)
{
	size_t length = strcspn(specification, ":");
	int code = prn_policy_open(online, specification, defaults, error);
	char text[PRN_ERROR_TEXT];

	if (code != PRN_E_NOT_FOUND)
		return code;
	for (size_t i = 0; prn_policy_info(i); i++)
		if (!strncmp(prn_policy_info(i)->name, specification, length) && !prn_policy_info(i)->name[length])
			return code;
	if (error) {
		strcpy(text, error->text);
		prn_error_set(error, code, "%s; offline: fs-s, hs-s, fs-d, hs-d, fs-l, fs-n, uniform:skip-static", text);
	}
	return code;
}

int prn_contender_open(struct prn_contender **out, const char *specification, const char *defaults,
                       struct prn_error *error)
{
	struct prn_contender *contender = calloc(1, sizeof *contender);
	size_t yardstick = find_yardstick(specification);
	int code = 0;

	if (!contender)
		return prn_error_memory(error);
	if (yardstick < PRN_YARDSTICKS) {
		contender->yardstick = (enum prn_yardstick)yardstick;
		contender->about = &yardsticks[yardstick];
		if (strchr(specification, ':'))
			code = prn_error_set(error, PRN_E_NOT_FOUND, "%s: the policy %s has no keys", specification,
			                     contender->about->name);
	} else {
		code = open_online(&contender->online, specification, defaults, error);
		if (!code)
			contender->about = prn_policy_about(contender->online);
	}
	if (code) {
		free(contender);
		return code;
	}
	*out = contender;
	return 0;
}

void prn_contender_free(struct prn_contender *contender)
{
	if (!contender)
		return;
	prn_policy_free(contender->online);
	free(contender);
}

const struct prn_policy_info *prn_contender_about(const struct prn_contender *contender)
{
	return contender->about;
}

bool prn_contender_studies(const struct prn_contender *contender)
{
	return !contender->online || prn_policy_skips_static(contender->online);
}

size_t prn_contender_state_size(const struct prn_contender *contender)
{
	return contender->online ? prn_policy_state_size(contender->online) : 0;
}

int prn_contender_replay(const struct prn_contender *contender, const struct prn_setting *setting,
                         struct prn_truth *truth, const struct prn_page *page, const struct prn_offline *offline,
                         void *state, struct prn_score scores[PRN_WINDOWS])
{
	double dial = setting->in_seconds ? setting->value / truth->unit_s : setting->value;
	const struct prn_seen *seen;
	int code;

	if (!contender->online) {
		prn_offline_replay(offline, truth, contender->yardstick, dial, scores);
		return 0;
	}
	if (prn_policy_skips_static(contender->online) && prn_offline_is_static(offline)) {
		memset(scores, 0, PRN_WINDOWS * sizeof *scores);
		return 0;
	}
	code = prn_truth_seen(truth, page, prn_policy_summary(contender->online), &seen);
	if (!code)
		prn_replay_policy(&(struct prn_driver){ .truth = truth, .policy = contender->online, .seen = seen,
		                                        .dial = dial, .state = state }, scores);
	return code;
}
