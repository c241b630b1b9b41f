#include "evaluate/contender_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Returns the yardstick that a specification names, or PRN_YARDSTICKS; a name with keys counts too, and is
 * refused later.
 */
static size_t find_yardstick(const char *specification)
{
	size_t length = strcspn(specification, ":");

	for (size_t i = 0; i < PRN_YARDSTICKS; i++) {
		const char *name = prn_yardstick_info(i)->name;

		if (!strncmp(specification, name, length) && !name[length])
			return i;
	}
	return PRN_YARDSTICKS;
}

/* Adds the offline policies to the error's list of the online ones. */
static int name_offline(int code, struct prn_error *error)
{
	char online[PRN_ERROR_TEXT], offline[PRN_ERROR_TEXT] = "";
	size_t length = 0;

	strcpy(online, error->text);
	for (size_t i = 0; i < PRN_YARDSTICKS && length < sizeof offline; i++)
		length += (size_t)snprintf(offline + length, sizeof offline - length, "%s, ", prn_yardstick_info(i)->name);
	return prn_error_set(error, code, "%s; offline: %suniform:skip-static", online, offline);
}

/* prn_policy_open knows the online policies only, so its list of them is extended here. */
static int open_online(struct prn_policy **online, const char *specification, const char *defaults,
                       struct prn_error *error)
{
	size_t length = strcspn(specification, ":");
	int code = prn_policy_open(online, specification, defaults, error);

	if (code != PRN_E_NOT_FOUND)
		return code;
	for (size_t i = 0; prn_policy_info(i); i++)
		if (!strncmp(prn_policy_info(i)->name, specification, length) && !prn_policy_info(i)->name[length])
			return code;
	return error ? name_offline(code, error) : code;
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
		contender->about = prn_yardstick_info(yardstick);
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
