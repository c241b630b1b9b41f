#include "policy/keys.h"

#include "base/number.h"
#include "perennial/summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool read_count(const char *text, size_t most, size_t *count)
{
	double number;

	if (!prn_number_read(text, &number) || number < 1 || number > (double)most || number != floor(number))
		return false;
	*count = (size_t)number;
	return true;
}

static bool read_positive(const char *text, double *number)
{
	double value;

	if (!prn_number_read(text, &value) || !(value > 0))
		return false;
	*number = value;
	return true;
}

static bool read_history(const char *text, struct prn_parameters *to)
{
	return read_count(text, PRN_POLICY_SLOTS, &to->history);
}

static bool read_summary(const char *text, struct prn_parameters *to)
{
	if (strcmp(text, "all"))
		return read_count(text, UINT32_MAX, &to->summary);
	to->summary = PRN_SUMMARY_ALL;
	return true;
}

static bool read_learning(const char *text, struct prn_parameters *to)
{
	char number[PRN_KEY_VALUE_BYTES];
	size_t length = strlen(text);
	bool tied = length > 0 && text[length - 1] == 'T';

	if (!strcmp(text, "none")) {
		to->learning = INFINITY;
		to->learning_tied = false;
		return true;
	}
	snprintf(number, sizeof number, "%.*s", (int)(tied ? length - 1 : length), text);
	if (!read_positive(number, &to->learning))
		return false;
	to->learning_tied = tied;
	return true;
}

static bool read_risk(const char *text, struct prn_parameters *to)
{
	double risk;

	if (!strcmp(text, "none")) {
		to->risk = INFINITY;
		return true;
	}
	if (!prn_number_read(text, &risk) || risk < 1)
		return false;
	to->risk = risk;
	return true;
}

static bool read_alpha(const char *text, struct prn_parameters *to)
{
	return read_positive(text, &to->alpha);
}

static bool read_beta(const char *text, struct prn_parameters *to)
{
	return read_positive(text, &to->beta);
}

static bool read_kappa(const char *text, struct prn_parameters *to)
{
	return read_positive(text, &to->kappa);
}

static bool read_forgetting(const char *text, struct prn_parameters *to)
{
	double factor;

	if (!read_positive(text, &factor) || factor > 1)
		return false;
	to->forgetting = factor;
	return true;
}

static bool read_skip_static(const char *text, struct prn_parameters *to)
{
	bool yes = !strcmp(text, "yes");

	if (!yes && strcmp(text, "no"))
		return false;
	to->skips_static = yes;
	return true;
}

static bool read_seed(const char *text, struct prn_parameters *to)
{
	size_t seed;

	if (!read_count(text, (size_t)1 << 53, &seed))
		return false;
	to->seed = seed;
	return true;
}

/* As if the three were written: what is written after it goes first. */
static bool read_preset(const char *text, struct prn_parameters *to)
{
	bool xml = !strcmp(text, "xml");

	if (!xml && strcmp(text, "code"))
		return false;
	to->increase = xml ? 0.4 : 0.2;
	to->decrease = 0.2;
	to->sync = xml ? 0.3 : 0.2;
	return true;
}

static bool read_share(const char *text, double *share)
{
	double value;

	if (!prn_number_read(text, &value) || value < 0 || value > 1)
		return false;
	*share = value;
	return true;
}

static bool read_increase(const char *text, struct prn_parameters *to)
{
	return read_positive(text, &to->increase);
}

static bool read_decrease(const char *text, struct prn_parameters *to)
{
	return read_share(text, &to->decrease);
}

static bool read_sync(const char *text, struct prn_parameters *to)
{
	return read_share(text, &to->sync);
}

static bool read_factor(const char *text, double *factor)
{
	double value;

	if (!prn_number_read(text, &value) || value < 1)
		return false;
	*factor = value;
	return true;
}

static bool read_stretch(const char *text, struct prn_parameters *to)
{
	return read_factor(text, &to->stretch);
}

static bool read_shrink(const char *text, struct prn_parameters *to)
{
	return read_factor(text, &to->shrink);
}

static bool read_start(const char *text, struct prn_parameters *to)
{
	return read_positive(text, &to->start);
}

static bool read_shortest(const char *text, struct prn_parameters *to)
{
	return read_positive(text, &to->shortest);
}

static bool read_longest(const char *text, struct prn_parameters *to)
{
	return read_positive(text, &to->longest);
}

static bool read_very_stale(const char *text, struct prn_parameters *to)
{
	if (strcmp(text, "optimum"))
		return read_positive(text, &to->very_stale);
	to->very_stale = INFINITY;
	return true;
}

static bool read_epsilon(const char *text, struct prn_parameters *to)
{
	double value;

	if (!read_positive(text, &value) || value >= 1)
		return false;
	to->epsilon = value;
	return true;
}

/* Within what estimators take for an interval. */
static bool read_most(const char *text, struct prn_parameters *to)
{
	double value;

	if (!read_positive(text, &value) || value < 1e-30 || value > 1e30)
		return false;
	to->most = value;
	return true;
}

const struct prn_key_reader prn_key_readers[] = {
	{ "history", read_history, "a whole number from 1 to 32" },
	{ "summary", read_summary, "a whole number from 1, or 'all'" },
	{ "learning", read_learning, "a number above 0, a multiple of T such as '2T', or 'none'" },
	{ "risk", read_risk, "a number from 1, or 'none'" },
	{ "alpha", read_alpha, "a number above 0" },
	{ "beta", read_beta, "a number above 0" },
	{ "kappa", read_kappa, "a number above 0" },
	{ "forgetting", read_forgetting, "a number above 0, at most 1" },
	{ "skip-static", read_skip_static, "'yes' or 'no'" },
	{ "seed", read_seed, "a whole number from 1" },
	{ "preset", read_preset, "'xml' or 'code'" },
	{ "increase", read_increase, "a number above 0" },
	{ "decrease", read_decrease, "a number from 0 to 1" },
	{ "sync", read_sync, "a number from 0 to 1" },
	{ "stretch", read_stretch, "a number from 1" },
	{ "shrink", read_shrink, "a number from 1" },
	{ "start", read_start, "a number above 0" },
	{ "shortest", read_shortest, "a number above 0" },
	{ "very-stale", read_very_stale, "a number above 0, or 'optimum'" },
	{ "epsilon", read_epsilon, "a number above 0 and below 1" },
	{ "most", read_most, "a number above 0" },
	{ "longest", read_longest, "a number above 0" },
	{ NULL, NULL, NULL },
};

const struct prn_key_reader *prn_key_reader(const char *name)
{
	for (const struct prn_key_reader *reader = prn_key_readers; reader->name; reader++)
		if (!strcmp(name, reader->name))
			return reader;
	return NULL;
}
