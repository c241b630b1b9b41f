#include "decide/decider_internal.h"

#include "decide/shards.h"
#include "decide/target_note.h"
#include "store/shared.h"

#include <math.h>
#include <stdlib.h>

/* How often a store is read again, at most, because others write to it meanwhile. */
#define LOOKS 10

void prn_decider_options_init(struct prn_decider_options *options)
{
	*options = (struct prn_decider_options){
		.retire_after = 3, .suspect_above = 0.9, .suspect_usual = 0.3, .suspect_after_s = 3600,
		.retry_s = 3600, .retry_max_s = 7.0 * PRN_DAY_S, .redirects_per_host = 100,
		.redirect_chain = 5, /* what RFC 1945 (9.3) lets a program follow by itself */
		.host_delay_s = 1, .host_limit = 1, .host_share = 0.1,
		.hinted_per_host = 1000, .hints_per_day = 10000,
		.future_s = 60, /* clocks of fetchers run apart by seconds */
		.lock_wait_s = 10,
	};
}

static bool is_duration(double seconds)
{
	return seconds >= 0 && isfinite(seconds);
}

int prn_decider_check_options(const struct prn_decider_options *options, struct prn_error *error)
{
	if (options->retire_after < 1 || options->retire_after > PRN_PAGE_FAILURES)
		return prn_error_set(error, PRN_E_ARGUMENT, "pages are retired after 1 to %d times gone",
		                     PRN_PAGE_FAILURES);
	if (!(options->suspect_above >= 0) || !(options->suspect_usual >= 0))
		return prn_error_set(error, PRN_E_ARGUMENT, "bounds of suspicion are divergences, from 0 up");
	if (!is_duration(options->suspect_after_s) || !is_duration(options->retry_s) ||
	    !is_duration(options->retry_max_s) || !is_duration(options->host_delay_s) ||
	    !is_duration(options->future_s))
		return prn_error_set(error, PRN_E_ARGUMENT, "delays are finite durations");
	if (options->hints & ~(PRN_HINTS_SITEMAP | PRN_HINTS_FEED))
		return prn_error_set(error, PRN_E_ARGUMENT, "hints are those of sitemaps, of feeds, or of both");
	if (options->redirect_chain > PRN_PAGE_REDIRECTS)
		return prn_error_set(error, PRN_E_ARGUMENT, "a chain has at most %d redirects", PRN_PAGE_REDIRECTS);
	if (!(options->host_share > 0 && options->host_share <= 1))
		return prn_error_set(error, PRN_E_ARGUMENT, "the share of a host must be above 0 and at most 1");
	if (prn_host_rules_check(options->hosts, options->host_count, error))
		return PRN_E_ARGUMENT;
	return prn_intervals_check(options->intervals, options->interval_count, error);
}

void prn_decider_free_alone(struct prn_decider *decider)
{
	while (decider->message_count)
		free(decider->messages[--decider->message_count].url);
	free(decider->messages);
	free(decider->gate_messages);
	free(decider->refused);
	prn_entry_release(&decider->entry);
	prn_entry_release(&decider->other);
	prn_entry_release(&decider->counted);
	prn_suspect_release(&decider->suspect);
	prn_batch_free(decider->batch);
	prn_store_free(decider->store);
	if (!decider->root) {
		prn_policy_free(decider->policy);
		free(decider->specification);
	}
	free(decider);
}

int prn_decider_prepare(struct prn_decider *decider, struct prn_error *error)
{
	/* A policy heeds siblings if it makes anything of those of a page that was never visited, such as a new entry. */
	const struct prn_visit with_siblings = { .siblings = { { 1, 1 }, { 1, 1 } } };
	size_t wanted = prn_policy_summary(decider->policy);
	double rate, left;

	/* A policy without slots asks for whole summaries, and is given none. */
	decider->summary_limit = wanted < PRN_PAGE_HASHES ? wanted : 1;
	if (wanted == PRN_PAGE_HASHES)
		decider->summary_limit = PRN_PAGE_HASHES;
	if (prn_entry_init(&decider->entry, decider->policy, decider->summary_limit) ||
	    prn_entry_init(&decider->other, decider->policy, decider->summary_limit) ||
	    prn_entry_init(&decider->counted, decider->policy, decider->summary_limit) ||
	    prn_suspect_init(&decider->suspect, decider->summary_limit))
		return prn_error_memory(error);
	decider->heeds_siblings = prn_policy_expects(decider->policy, decider->entry.state.policy_state, &with_siblings, &rate, &left);
	decider->entry.costs = decider->other.costs = decider->counted.costs = &decider->costs;
	return 0;
}

struct prn_store *prn_decider_store(const struct prn_decider *decider)
{
	return decider->store;
}

const struct prn_policy *prn_decider_policy(const struct prn_decider *decider)
{
	return decider->policy;
}

const char *prn_decider_specification(const struct prn_decider *decider)
{
	return decider->specification;
}

double prn_decider_threshold(const struct prn_decider *decider)
{
	return decider->threshold;
}

double prn_decider_budget(const struct prn_decider *decider)
{
	return decider->budget_per_day;
}

enum prn_unit prn_decider_unit(const struct prn_decider *decider)
{
	return decider->costs.unit;
}

size_t prn_decider_summary(const struct prn_decider *decider)
{
	return decider->summary_limit;
}

unsigned prn_decider_shingle_words(const struct prn_decider *decider)
{
	return decider->shingle_words;
}

int prn_decider_check_mode(const struct prn_decider *decider, struct prn_error *error)
{
	return decider->batch ? 0 : prn_error_set(error, PRN_E_ARGUMENT, "%s: it is open for reading only", prn_store_path(decider->store));
}

int prn_decider_check_now(int64_t now, struct prn_error *error)
{
	return now != PRN_TIME_UNKNOWN ? 0 : prn_error_set(error, PRN_E_ARGUMENT, "it is not said what time it is");
}

int prn_decider_view(struct prn_decider *decider, struct prn_view **view, struct prn_error *error)
{
	return prn_batch_view(decider->batch, view, error);
}

bool prn_decider_looks_again(int code, unsigned *tries)
{
	return code == PRN_E_CONFLICT && ++*tries < LOOKS;
}

int prn_decider_look(const struct prn_decider *decider, unsigned tries, struct prn_view **view, struct prn_error *error)
{
	int code = prn_view_open(view, decider->store, error);

	if (code || tries < PRN_LOOK_AT_ALL)
		return code;
	code = prn_view_freeze(*view, error);
	if (code) {
		prn_view_close(*view);
		*view = NULL;
	}
	return code;
}

struct prn_store_reader prn_decider_reader(const struct prn_decider *decider)
{
	return (struct prn_store_reader){ .batch = decider->batch };
}

