#include "decide/decider_internal.h"

#include <math.h>
#include <stdlib.h>

void prn_decider_options_init(struct prn_decider_options *options)
{
	*options = (struct prn_decider_options){
		.retire_after = 3, .suspect_above = 0.9, .suspect_usual = 0.3, .suspect_after_s = 3600,
		.retry_s = 3600, .retry_max_s = 7.0 * PRN_DAY_S, .redirects_per_host = 100,
		.redirect_chain = 5, /* what RFC 1945 (9.3) lets a program follow by itself */
		.host_delay_s = 1, .host_limit = 1, .host_share = 0.1,
		.lock_wait_s = 10,
	};
}

static bool is_duration(double seconds)
{
	return seconds >= 0 && isfinite(seconds);
}

static int check_options(const struct prn_decider_options *options, struct prn_error *error)
{
	if (options->retire_after < 1 || options->retire_after > PRN_PAGE_FAILURES)
		return prn_error_set(error, PRN_E_ARGUMENT, "pages are retired after 1 to %d times gone",
		                     PRN_PAGE_FAILURES);
	if (!(options->suspect_above >= 0) || !(options->suspect_usual >= 0))
		return prn_error_set(error, PRN_E_ARGUMENT, "bounds of suspicion are divergences, from 0 up");
	if (!is_duration(options->suspect_after_s) || !is_duration(options->retry_s) ||
	    !is_duration(options->retry_max_s) || !is_duration(options->host_delay_s) ||
	    !is_duration(options->future_s) || !is_duration(options->lock_wait_s))
		return prn_error_set(error, PRN_E_ARGUMENT, "delays are finite durations");
	if (options->redirect_chain > PRN_PAGE_REDIRECTS)
		return prn_error_set(error, PRN_E_ARGUMENT, "a chain has at most %d redirects", PRN_PAGE_REDIRECTS);
	if (!(options->host_share > 0 && options->host_share <= 1))
		return prn_error_set(error, PRN_E_ARGUMENT, "the share of a host must be above 0 and at most 1");
	if (prn_host_rules_check(options->hosts, options->host_count, error))
		return PRN_E_ARGUMENT;
	return prn_intervals_check(options->intervals, options->interval_count, error);
}

static int open_entries(struct prn_decider *decider, struct prn_error *error)
{
	size_t wanted = prn_policy_summary(decider->policy);

	/* A policy without slots asks for whole summaries, and is given none. */
	decider->summary_limit = wanted < PRN_PAGE_HASHES ? wanted : 1;
	if (wanted == PRN_PAGE_HASHES)
		decider->summary_limit = PRN_PAGE_HASHES;
	if (prn_entry_init(&decider->entry, decider->policy, decider->summary_limit) ||
	    prn_entry_init(&decider->other, decider->policy, decider->summary_limit) ||
	    prn_entry_init(&decider->counted, decider->policy, decider->summary_limit) ||
	    prn_suspect_init(&decider->suspect, decider->summary_limit))
		return prn_error_memory(error);
	return 0;
}

static int open_inside(struct prn_decider *decider, struct prn_error *error)
{
	struct prn_view *view;
	int code = prn_view_open(&view, decider->store, error);

	if (code)
		return code;
	code = prn_decider_read_settings(decider, &(struct prn_store_reader){ .view = view }, error);
	prn_view_close(view);
	if (code) {
		if (error)
			error->code = code;
		prn_error_prefix(error, "%s", prn_store_path(decider->store));
	}
	return code ? code : open_entries(decider, error);
}

int prn_decider_open(struct prn_decider **out, const char *path, enum prn_store_mode mode,
                     const struct prn_decider_options *options, struct prn_error *error)
{
	struct prn_decider *decider = calloc(1, sizeof *decider);
	int code;

	if (!decider)
		return prn_error_memory(error);
	prn_decider_options_init(&decider->options);
	if (options)
		decider->options = *options;
	code = check_options(&decider->options, error);
	if (!code)
		code = prn_store_open(&decider->store, path, mode, decider->options.lock_wait_s, error);
	if (!code)
		code = open_inside(decider, error);
	if (!code && mode == PRN_STORE_WRITE)
		code = prn_batch_open(&decider->batch, decider->store, error);
	if (code) {
		prn_decider_free(decider);
		return code;
	}
	*out = decider;
	return 0;
}

int prn_decider_set_options(struct prn_decider *decider, const struct prn_decider_options *options,
                            struct prn_error *error)
{
	int code = check_options(options, error);

	if (!code)
		decider->options = *options;
	return code;
}

void prn_decider_free(struct prn_decider *decider)
{
	if (!decider)
		return;
	prn_entry_release(&decider->entry);
	prn_entry_release(&decider->other);
	prn_entry_release(&decider->counted);
	prn_suspect_release(&decider->suspect);
	prn_batch_free(decider->batch);
	prn_store_free(decider->store);
	prn_policy_free(decider->policy);
	free(decider->specification);
	free(decider);
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

size_t prn_decider_summary(const struct prn_decider *decider)
{
	return decider->summary_limit;
}

unsigned prn_decider_shingle_words(const struct prn_decider *decider)
{
	return decider->shingle_words;
}

int prn_decider_check_writer(const struct prn_decider *decider, struct prn_error *error)
{
	if (decider->batch)
		return 0;
	return prn_error_set(error, PRN_E_ARGUMENT, "%s: opened for reading", prn_store_path(decider->store));
}

struct prn_store_reader prn_decider_reader(const struct prn_decider *decider)
{
	return (struct prn_store_reader){ .batch = decider->batch };
}

int prn_decider_get_queued(const struct prn_decider *decider, const struct prn_store_reader *reader,
                           const struct prn_digest *key, struct prn_record *record, struct prn_error *error)
{
	int code = prn_store_reader_get(reader, key, record, error);

	if (code != PRN_E_NOT_FOUND)
		return code;
	return prn_error_set(error, PRN_E_DAMAGED, "%s: a queue names a page that is not there: 'perennial check --repair' "
	                     "removes it", prn_store_path(decider->store));
}

size_t prn_decider_staged(const struct prn_decider *decider)
{
	return decider->batch ? prn_batch_changes(decider->batch) : 0;
}

/* What was overwritten since is not known any more: the target of an older redirect is then a page like others. */
static void forget_refused(struct prn_decider *decider, uint64_t after)
{
	for (size_t i = 0; i < PRN_REFUSED && decider->refused_count > after; i++)
		if (decider->refused[i].number > after)
			decider->refused[i].number = 0;
}

void prn_decider_abandon(struct prn_decider *decider)
{
	if (!decider->batch)
		return;
	prn_batch_abandon(decider->batch);
	forget_refused(decider, decider->refused_committed);
}

struct prn_savepoint prn_decider_save(struct prn_decider *decider)
{
	struct prn_savepoint savepoint = prn_batch_save(decider->batch);

	savepoint.refused = decider->refused_count;
	return savepoint;
}

void prn_decider_restore(struct prn_decider *decider, const struct prn_savepoint *savepoint)
{
	bool earlier = savepoint->refused < decider->refused_committed;

	prn_batch_restore(decider->batch, savepoint);
	forget_refused(decider, earlier ? decider->refused_committed : savepoint->refused);
}

int prn_decider_commit(struct prn_decider *decider, struct prn_error *error)
{
	int code = prn_decider_check_writer(decider, error);

	if (!code)
		code = prn_batch_commit(decider->batch, error);
	if (!code)
		decider->refused_committed = decider->refused_count;
	return code;
}

