/* Decides when a page is visited next: by its policy within the bounds on intervals. */
#include "decide/decider_internal.h"
#include "decide/gate_messages.h"
#include "decide/giants.h"
#include "decide/patience.h"
#include "policy/policy_internal.h"

#include <math.h>

/* The last visit of the page in hand, at a threshold. */
static struct prn_visit last_visit(const struct prn_entry *entry, double threshold)
{
	const struct prn_page_state *state = &entry->state;

	return (struct prn_visit){ .time = state->visits ? prn_page_days(state->visited) : 0, .weight = prn_entry_weight(entry),
		                   .threshold = threshold, .page = entry->key.low, .hints = state->hints };
}

void prn_decider_decide(const struct prn_decider *decider, const struct prn_entry *entry, double threshold,
                        struct prn_decision *decision)
{
	const struct prn_visit last = last_visit(entry, threshold);

	prn_policy_decide(decider->policy, entry->state.policy_state, &last, decision);
}

struct prn_interval_bounds prn_decider_interval(const struct prn_decider *decider, struct prn_entry *entry)
{
	const struct prn_decider_options *options = &decider->options;

	return prn_intervals_find(options->intervals, options->interval_count,
	                          options->interval_count ? prn_entry_normal(entry) : "", entry->state.media);
}

int64_t prn_decider_delay(const struct prn_interval_bounds *interval, const struct prn_decision *decision,
                          enum prn_next *reason)
{
	double seconds = decision->period * PRN_DAY_S;

	*reason = (enum prn_next)decision->reason;
	if (seconds > interval->max_s) {
		*reason = isinf(decision->period) ? PRN_NEXT_NEVER : PRN_NEXT_MAXIMUM;
		seconds = interval->max_s;
	}
	if (seconds < interval->min_s) {
		*reason = PRN_NEXT_MINIMUM;
		seconds = interval->min_s;
	}
	return (int64_t)fmax(1, round(fmin(seconds, 9e18)));
}

double prn_decider_earning_days(const struct prn_decider *decider, struct prn_entry *entry)
{
	const struct prn_visit last = last_visit(entry, decider->threshold);
	struct prn_interval_bounds interval;
	double days;

	if (!entry->state.visits || !(entry->state.hints.rate > 0))
		return 0;
	days = prn_policy_earning(decider->policy, entry->state.policy_state, &last);
	interval = prn_decider_interval(decider, entry);
	return days > 0 ? fmax(fmin(days, interval.max_s / PRN_DAY_S), interval.min_s / PRN_DAY_S) : 0;
}

bool prn_decider_next(const struct prn_decider *decider, struct prn_entry *entry, double threshold, int64_t *next,
                      enum prn_next *reason)
{
	struct prn_interval_bounds interval;
	struct prn_decision decision;

	if (entry->state.status != PRN_PAGE_LIVE || entry->state.reason > PRN_NEXT_MAXIMUM)
		return false;
	interval = prn_decider_interval(decider, entry);
	prn_decider_decide(decider, entry, threshold, &decision);
	*next = prn_time_after(entry->state.visited, (double)prn_decider_delay(&interval, &decision, reason));
	return true;
}

struct prn_hints prn_decider_hints(const struct prn_decider *decider, const struct prn_entry *entry)
{
	bool heeded = prn_hints_count(&entry->state.hints) && prn_policy_heeds_hints(decider->policy);

	return heeded ? entry->state.hints : (struct prn_hints){ 0 };
}

double prn_decider_utility(const struct prn_decider *decider, const struct prn_entry *entry, double days)
{
	struct prn_hints hints = prn_decider_hints(decider, entry);
	struct prn_curve curve;

	if (!entry->state.visits || !prn_policy_curve(decider->policy, entry->state.policy_state, &curve))
		return 0;
	return prn_entry_weight(entry) * prn_hints_utility(&curve, &hints, prn_hints_elapsed(&hints, fmax(days, 0)));
}

int prn_decider_host(const struct prn_decider *decider, struct prn_entry *entry, struct prn_known_host *known,
                     struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);

	return prn_host_find_of(known, &reader, &decider->options, prn_entry_normal(entry), error);
}

int prn_decider_put_host(const struct prn_decider *decider, const struct prn_known_host *known, int64_t now,
                         struct prn_error *error)
{
	return prn_host_put(&known->host, &known->settings, decider->batch, known->name, now, error);
}

int prn_decider_unlease(struct prn_decider *decider, struct prn_entry *entry, double unspent, int64_t now, struct prn_error *error)
{
	size_t giant = prn_giant_find(decider, prn_host_name(prn_entry_normal(entry)));
	const struct prn_gate_message over = { .giant = giant, .now = now, .end = entry->lease, .moved = PRN_TIME_UNKNOWN, .count = 1,
		                             .fetched = PRN_TIME_UNKNOWN, .time = now, .beyond = -unspent };
	struct prn_known_host known;
	int code;

	if (entry->lease == PRN_TIME_UNKNOWN)
		return 0;
	entry->lease = PRN_TIME_UNKNOWN;
	if (giant != SIZE_MAX)
		return prn_gate_message_add(decider, &over, error);
	code = prn_decider_host(decider, entry, &known, error);
	if (code)
		return code;
	prn_host_take_back(&known.host, PRN_TIME_UNKNOWN, now);
	known.host.spent = fmax(0, known.host.spent - unspent);
	code = prn_host_wake(&known, decider->batch, entry->due, now, error);
	return code ? code : prn_decider_put_host(decider, &known, now, error);
}

/* For a policy without a curve: a utility that grows with the square of the time and reaches T at the end of the period. */
static double value_of_line(const struct prn_decider *decider, struct prn_entry *entry, double threshold, double days)
{
	struct prn_interval_bounds interval = prn_decider_interval(decider, entry);
	struct prn_decision decision;
	enum prn_next reason;
	double period;

	prn_decider_decide(decider, entry, threshold, &decision);
	period = (double)prn_decider_delay(&interval, &decision, &reason) / PRN_DAY_S;
	return threshold * (days / period) * (days / period);
}

double prn_decider_value(const struct prn_decider *decider, struct prn_entry *entry, double threshold, double round_days, int64_t now)
{
	int64_t since = prn_entry_worth_since(entry);
	double days = fmax(prn_page_days(now) - prn_page_days(since), 0);
	struct prn_curve curve;

	if (prn_patience_has_only_failed(&entry->state))
		return prn_patience_value(threshold, days, round_days);
	if (!entry->state.visits)
		return prn_entry_weight(entry) * (threshold + days);
	if (!prn_policy_curve(decider->policy, entry->state.policy_state, &curve))
		return value_of_line(decider, entry, threshold, days);
	return prn_decider_utility(decider, entry, days);
}
