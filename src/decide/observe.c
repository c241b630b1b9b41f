/* What an observation does to its page: the rules of statuses (outcome.h). */
#include "decide/answers.h"
#include "decide/gate_messages.h"
#include "decide/giant_gates.h"
#include "decide/host_answer.h"
#include "decide/held_internal.h"
#include "decide/ledger.h"
#include "decide/loads.h"
#include "decide/patience.h"
#include "decide/redirects.h"
#include "decide/shard_message.h"
#include "decide/shards.h"
#include "decide/side_validators.h"
#include "decide/site_drift.h"
#include "decide/hint_sources.h"

#include "perennial/url.h"

#include <math.h>
#include <string.h>

#define TOO_MANY_REQUESTS 429
#define UNAVAILABLE 503

/* A page has a usual divergence after this many visits, which are two intervals. */
#define USUAL_VISITS 3

const char *prn_outcome_name(enum prn_outcome_kind kind)
{
	static const char *const names[PRN_OUTCOMES] = {
		"observed", "same",    "redirect",  "suspect", "confirmed", "dismissed", "error", "host-delayed",
		"gone",     "retired", "duplicate", "past",    "future",    "unknown",   "unresolved", "stale",
	};

	return (unsigned)kind < PRN_OUTCOMES ? names[kind] : "?";
}

/* One observation being applied to the decider's entry. */
struct work {
	struct prn_decider *decider;
	struct prn_entry *entry;
	const struct prn_observation *observation;
	struct prn_outcome *outcome;
	const struct prn_summary *summary; /* NULL: the content is the page's last one */
	int64_t now;
	double beyond; /* the cost of the look beyond its expected cost, which was spent when it was handed out; 0: it was not */
	struct prn_error *error;
};

/* Has the policy learn a visit, together with what the page's siblings say, and then counts the page for its siblings. */
static int learn_visit(struct work *work, struct prn_content_visit *content, struct prn_decision *decision)
{
	struct prn_site_visit visit;
	int code = prn_site_visit_begin(&visit, work->decider, work->entry, work->now, &content->siblings, work->error);

	if (code)
		return code;
	prn_decider_visit(work->decider, work->entry, content, decision);
	return prn_site_visit_end(&visit, work->decider, work->entry, work->now, work->error);
}

/* Has the policy learn the observed visit, and sets the next one. */
static int learn(struct work *work)
{
	const struct prn_observation *observation = work->observation;
	struct prn_content_visit content = { .time = observation->time, .modified = observation->modified, .summary = work->summary };
	struct prn_interval_bounds interval;
	struct prn_decision decision;
	int64_t delay;
	int code;

	if (observation->body) {
		work->entry->state.body = observation->body;
		work->entry->state.media = observation->media;
	}
	code = learn_visit(work, &content, &decision);
	if (code)
		return code;
	interval = prn_decider_interval(work->decider, work->entry);
	delay = prn_decider_delay(&interval, &decision, &work->entry->state.reason);
	work->entry->due = prn_time_after(observation->time, (double)delay);
	return 0;
}

/* Counts whether the hints at the page proved true, before the policy is asked. */
static int prove_hints(struct work *work, int64_t time, bool changed, uint64_t text)
{
	const struct prn_sources_visit visit = { time, work->now, changed, text,
		                                 prn_decider_earning_days(work->decider, work->entry) };

	return prn_sources_visit(work->decider->batch, work->entry, &visit, work->error);
}

static bool is_near_total(const struct work *work)
{
	const struct prn_page_state *state = &work->entry->state;

	return prn_page_compares(state, work->summary) &&
	       prn_page_nearest(state, work->summary) > work->decider->options.suspect_above;
}

static bool is_suspect(const struct work *work)
{
	const struct prn_page_state *state = &work->entry->state;

	return state->status == PRN_PAGE_LIVE && state->visits >= USUAL_VISITS &&
	       state->usual <= work->decider->options.suspect_usual && is_near_total(work);
}

/* Has a suspect page visited again early: no later than it would have been, and no earlier than any page may be. */
static void recheck(struct work *work)
{
	struct prn_entry *entry = work->entry;
	struct prn_interval_bounds interval = prn_decider_interval(work->decider, entry);
	struct prn_decision decision;
	enum prn_next reason;
	int64_t usual;
	double delay;

	prn_decider_decide(work->decider, entry, work->decider->threshold, &decision);
	usual = prn_decider_delay(&interval, &decision, &reason);
	delay = fmax(interval.min_s, fmin(work->decider->options.suspect_after_s, (double)usual));
	entry->due = prn_time_after(work->observation->time, delay);
	entry->state.reason = PRN_NEXT_SUSPECT;
}

static int hold_back(struct work *work)
{
	struct prn_suspect *suspect = &work->decider->suspect;
	struct prn_page_state *state = &work->entry->state;
	const struct prn_summary *summary = work->summary;

	suspect->time = work->observation->time;
	suspect->modified = work->observation->modified;
	suspect->summary = *summary;
	if (summary->count)
		memcpy(suspect->hashes, summary->hashes, summary->count * sizeof *suspect->hashes);
	suspect->summary.hashes = suspect->hashes;
	state->status = PRN_PAGE_SUSPECT;
	state->body = work->observation->body;
	state->failures = state->gones = 0;
	recheck(work);
	work->outcome->kind = PRN_OUTCOME_SUSPECT;
	return prn_suspect_put(suspect, work->decider->batch, &work->entry->key, work->error);
}

/*
 * A clock that ran ahead may have stamped the first visit: then its time is set between the visit before and this one.  The
 * page's own times were moved when this visit was reported (prn_decider_void_visit).
 */
static void void_suspect(struct work *work)
{
	struct prn_suspect *suspect = &work->decider->suspect;
	int64_t visited = work->entry->state.visited, time = work->observation->time;

	if (suspect->time < time)
		return;
	suspect->time = visited + (time - visited) / 2;
	suspect->modified = PRN_TIME_UNKNOWN;
}

/* At the second visit, the first one counts if this one is as far from all that was kept, or brought the same. */
static int resolve(struct work *work)
{
	struct prn_decider *decider = work->decider;
	struct prn_store_reader reader = prn_decider_reader(decider);
	struct prn_suspect *suspect = &decider->suspect;
	bool true_change = !work->summary || is_near_total(work);
	int code = prn_suspect_read(suspect, &reader, &work->entry->key, decider->summary_limit, work->error), proved;

	if (code && code != PRN_E_NOT_FOUND)
		return code;
	if (!code)
		void_suspect(work);
	true_change &= !code;
	/* The text of a suspect is known if this visit brought the same text again. */
	proved = true_change ? prove_hints(work, suspect->time, true, work->summary ? 0 : work->observation->text)
	                     : prove_hints(work, work->observation->time, work->outcome->divergence > 0, work->observation->text);
	if (proved)
		return proved;
	if (true_change) {
		struct prn_content_visit content = { .time = suspect->time, .modified = suspect->modified,
			                             .summary = &suspect->summary };
		struct prn_decision decision;

		code = learn_visit(work, &content, &decision);
		if (code)
			return code;
		work->outcome->divergence = prn_page_change(&work->entry->state, work->summary);
		proved = prove_hints(work, work->observation->time, work->outcome->divergence > 0, work->observation->text);
		if (proved)
			return proved;
	}
	work->outcome->kind = true_change ? PRN_OUTCOME_CONFIRMED : PRN_OUTCOME_DISMISSED;
	code = learn(work);
	return code ? code : prn_suspect_put(NULL, decider->batch, &work->entry->key, work->error);
}

static int observe_content(struct work *work)
{
	struct prn_page_state *state = &work->entry->state;
	int code;

	work->outcome->divergence = prn_page_change(state, work->summary);
	prn_patience_learn(state);
	if (state->status == PRN_PAGE_SUSPECT)
		return resolve(work);
	if (is_suspect(work))
		return hold_back(work);
	work->outcome->kind = work->observation->kind == PRN_KIND_REDIRECT ? PRN_OUTCOME_REDIRECT
	                      : work->summary                              ? PRN_OUTCOME_OBSERVED
	                                                                   : PRN_OUTCOME_SAME;
	code = prove_hints(work, work->observation->time, work->outcome->divergence > 0, work->observation->text);
	return code ? code : learn(work);
}

/* Drops a suspect version, its validators and the digest of its body: the policy never learned of that version. */
static int retire(struct work *work)
{
	struct prn_page_state *state = &work->entry->state;
	bool was_suspect = state->status == PRN_PAGE_SUSPECT;
	int code;

	state->status = PRN_PAGE_RETIRED;
	state->reason = PRN_NEXT_RETIRED;
	if (!was_suspect)
		return 0;
	state->body = 0;
	code = prn_side_validators_put(NULL, 0, work->decider->batch, &work->entry->key, work->error);
	return code ? code : prn_suspect_put(NULL, work->decider->batch, &work->entry->key, work->error);
}

/* How long the host wants to be left alone, by its answer. */
static double wanted_s(const struct work *work)
{
	const struct prn_decider_options *options = &work->decider->options;
	int64_t given = work->observation->retry_after_s;

	return fmin(given != PRN_TIME_UNKNOWN ? (double)given : options->retry_s, options->retry_max_s);
}

static bool is_refusal(const struct prn_observation *observation)
{
	return observation->status == TOO_MANY_REQUESTS ||
	       (observation->status == UNAVAILABLE && observation->retry_after_s != PRN_TIME_UNKNOWN);
}

static bool has_come(const struct prn_observation *observation)
{
	return prn_kind_has_content(observation->kind) || observation->kind == PRN_KIND_SAME;
}

/* Whether the answer came from a host that is not the page's, and so says nothing of the page's host. */
static bool is_of_other_host(const struct prn_observation *observation)
{
	return observation->asked && observation->asked[0];
}

/* Updates the host that gave the answer.  Another shard has to know only what keeps the host from being asked. */
static int update_other_host(const struct work *work)
{
	const struct prn_observation *observation = work->observation;
	struct prn_host_answer asked = { .time = observation->time, .now = work->now, .came = has_come(observation),
		                   .refused = is_refusal(observation), .wanted_s = wanted_s(work),
		                   .has_crawl_delay = observation->has_crawl_delay, .crawl_delay_s = observation->crawl_delay_s };

	memcpy(asked.address, observation->address, sizeof asked.address);
	if (!prn_shards_is_elsewhere(work->decider, observation->asked) ||
	    prn_giant_find(work->decider, prn_host_name(observation->asked)) != SIZE_MAX)
		return prn_host_answer_apply(work->decider, observation->asked, &asked, work->error);
	if (!asked.refused && !asked.has_crawl_delay)
		return 0;
	return prn_shards_send_answer(work->decider, observation->asked, &asked, work->error);
}

static struct prn_gate_message message_of(const struct work *work, size_t giant)
{
	return (struct prn_gate_message){ .giant = giant, .now = work->now, .end = PRN_TIME_UNKNOWN, .moved = PRN_TIME_UNKNOWN,
		                        .fetched = PRN_TIME_UNKNOWN, .time = work->observation->time };
}

/* Does for a giant, by a message to its gate, what update_host does for any other host. */
static int update_giant(const struct work *work, size_t giant, int64_t lease, bool asked, bool came)
{
	const struct prn_observation *observation = work->observation;
	struct prn_gate_message message = message_of(work, giant);

	if (lease != PRN_TIME_UNKNOWN) {
		message.end = lease;
		message.count = 1;
		message.beyond = work->beyond;
	}
	if (asked)
		message.fetched = observation->time;
	message.came = came;
	message.has_crawl_delay = observation->has_crawl_delay && !is_of_other_host(observation);
	message.crawl_delay_s = observation->crawl_delay_s;
	if (!asked && !came && !message.has_crawl_delay)
		return 0;
	return prn_gate_message_add(work->decider, &message, work->error);
}

/*
 * If a process died before the gate of a giant was told, the gate is told when the report comes again.  It then counts as
 * asked, whether or not the page was out: that can only have the host left alone for longer.
 */
static int update_giant_again(const struct work *work)
{
	size_t giant = prn_giant_find(work->decider, prn_host_name(work->observation->normal_url));
	struct prn_gate_message message = message_of(work, giant);

	if (giant == SIZE_MAX)
		return 0;
	message.again = true;
	message.fetched = work->observation->time;
	if (!is_of_other_host(work->observation)) {
		message.refused = is_refusal(work->observation);
		message.wanted_s = wanted_s(work);
		message.has_crawl_delay = work->observation->has_crawl_delay;
		message.crawl_delay_s = work->observation->crawl_delay_s;
	}
	return prn_gate_message_add(work->decider, &message, work->error);
}

/*
 * The page is not visited for as long as its answer says, up to retry_max_s.  Its host is left alone for at most a day, and for
 * less the more of its other pages have come since it last refused, because one path does not speak for all of them.  Without
 * Retry-After the host is left alone as long as after a first failure: its other pages do not pay for how often this one failed.
 */
static int delay_host(struct work *work, int64_t waits_since)
{
	const struct prn_observation *observation = work->observation;
	struct prn_entry *entry = work->entry;
	double wanted = wanted_s(work);
	int64_t own = prn_time_after(observation->time, wanted);
	struct prn_known_host known;
	struct prn_host *host = &known.host;
	struct prn_gate_message message;
	size_t giant;
	int code = prn_decider_host(work->decider, work->entry, &known, work->error);

	if (!code)
		code = prn_giant_merge(work->decider, &known, work->now, work->error);
	if (code)
		return code;
	prn_host_refuse(host, observation->time, wanted, work->now);
	own = own > host->until ? own : host->until;
	if (entry->due <= own) {
		entry->due = own;
		entry->state.reason = PRN_NEXT_HOST;
		if (!entry->state.visits)
			entry->state.visited = waits_since;
	}
	work->outcome->kind = PRN_OUTCOME_HOST_DELAYED;
	work->outcome->host_until = host->until;
	giant = prn_giant_find(work->decider, known.name);
	if (giant == SIZE_MAX)
		return prn_decider_put_host(work->decider, &known, work->now, work->error);
	message = message_of(work, giant);
	message.refused = true;
	message.wanted_s = wanted;
	return prn_gate_message_add(work->decider, &message, work->error);
}

/*
 * The report gives the address of the host, which may put the host into another group.  The page has come back to the group that
 * it was counted for; *known becomes the new group, which counts as asked, too.
 */
static int move_host(struct work *work, bool leased, bool asked, struct prn_known_host *known)
{
	struct prn_decider *decider = work->decider;
	const char *url = prn_entry_normal(work->entry);
	int code = 0;

	if (leased)
		code = prn_host_wake(known, decider->batch, work->entry->due, work->now, work->error);
	if (!code && asked)
		code = prn_decider_put_host(decider, known, work->now, work->error);
	if (!code)
		code = prn_host_put_address(decider->batch, url, work->observation->address, work->now, work->error);
	if (!code)
		code = prn_decider_host(decider, work->entry, known, work->error);
	if (!code && asked)
		prn_host_was_asked(&known->host, work->observation->time, work->now);
	return code;
}

/*
 * Updates the host by the attempt.  If the page was out, it has come back.  The host was asked, also if the report comes when the
 * page's lease has ended, or if the page was not handed out.  An attempt that brought content is a sign that the host may be
 * asked sooner than it said.
 */
static int update_host(struct work *work)
{
	const struct prn_observation *observation = work->observation;
	struct prn_entry *entry = work->entry;
	bool own = !is_of_other_host(observation), came = own && has_come(observation), new_delay;
	bool leased = entry->lease != PRN_TIME_UNKNOWN, asked;
	const struct prn_redirect redirect = { work->decider, entry, observation, work->now, work->error };
	struct prn_known_host known;
	struct prn_host *host = &known.host;
	size_t giant;
	int code = 0;

	if (observation->kind == PRN_KIND_CONTENT && entry->state.redirects && !entry->state.visits)
		code = prn_redirect_has_content(&redirect);
	if (!code)
		code = prn_decider_host(work->decider, entry, &known, work->error);
	if (code)
		return code;
	new_delay = own && observation->has_crawl_delay && observation->crawl_delay_s != host->crawl_delay_s;
	/* A delay that is new counts from this answer. */
	asked = leased || new_delay || prn_host_delays(&known, observation->time, work->now);
	giant = prn_giant_find(work->decider, known.name);
	if (giant != SIZE_MAX) {
		/* If the page's record is damaged, its permit is not known, and counts until its end. */
		code = update_giant(work, giant, entry->lease, asked, came);
		entry->lease = PRN_TIME_UNKNOWN;
		return code;
	}
	/* If the page's record is damaged, it is taken to have been out if any page of its host is out. */
	leased |= entry->spoilt && host->leased;
	asked |= leased;
	if (leased)
		prn_host_take_back(host, observation->time, work->now);
	else if (asked)
		prn_host_was_asked(host, observation->time, work->now);
	if (leased && host->spent > 0)
		host->spent = fmax(0, host->spent + work->beyond);
	entry->lease = PRN_TIME_UNKNOWN;
	if (work->decider->options.group_by_address && observation->address[0] && own)
		code = move_host(work, leased, asked, &known);
	if (code)
		return code;
	came = came && prn_host_came(host, observation->time, work->now);
	if (!asked && !came)
		return 0;
	if (new_delay)
		host->crawl_delay_s = observation->crawl_delay_s;
	if (leased || came)
		code = prn_host_wake(&known, work->decider->batch, leased && !entry->spoilt ? entry->due : work->now, work->now,
		                     work->error);
	return code ? code : prn_decider_put_host(work->decider, &known, work->now, work->error);
}

/* The policy does not learn of errors. */
static int observe_failure(struct work *work)
{
	const struct prn_observation *observation = work->observation;
	enum prn_failure cause = is_refusal(observation) ? PRN_FAILURE_REFUSED : PRN_FAILURE_ERROR;
	int64_t waits_since = prn_entry_waits_since(work->entry);
	int code = prn_decider_fail(work->decider, work->entry, observation->time, cause, work->error);

	work->outcome->kind = PRN_OUTCOME_ERROR;
	if (code || cause != PRN_FAILURE_REFUSED)
		return code;
	if (is_of_other_host(observation)) {
		work->entry->due = prn_time_later(work->entry->due, prn_time_after(observation->time, wanted_s(work)));
		return 0;
	}
	return delay_host(work, waits_since);
}

static int observe_gone(struct work *work)
{
	struct prn_page_state *state = &work->entry->state;
	int code = prn_decider_fail(work->decider, work->entry, work->observation->time, PRN_FAILURE_GONE, work->error);

	work->outcome->kind = PRN_OUTCOME_GONE;
	if (code || state->gones < work->decider->options.retire_after)
		return code;
	work->entry->due = PRN_TIME_UNKNOWN;
	work->outcome->kind = PRN_OUTCOME_RETIRED;
	return retire(work);
}

/*
 * Keeps the validators of the version that was fetched last, and with them the digest of its text.  Those of a suspect are not handed out
 * until it is confirmed (due.c).
 */
static int keep_validators(struct work *work)
{
	const struct prn_observation *observation = work->observation;
	struct prn_store_reader reader = prn_decider_reader(work->decider);
	struct prn_validators had, has = observation->validators;
	uint64_t text, had_text;
	int code = prn_side_validators_read(&had, &had_text, &reader, &work->entry->key, work->error);

	if (code)
		return code;
	/* A body that was not read is the version that there was. */
	text = observation->text || work->summary ? observation->text : had_text;
	/* Validators that "not modified" does not repeat still hold. */
	if (observation->kind == PRN_KIND_SAME && !has.etag[0])
		memcpy(has.etag, had.etag, sizeof has.etag);
	if (observation->kind == PRN_KIND_SAME && has.modified == PRN_TIME_UNKNOWN)
		has.modified = had.modified;
	if (had.modified == has.modified && !strcmp(had.etag, has.etag) && (text == had_text || !prn_validators_given(&has)))
		return 0;
	return prn_side_validators_put(&has, text, work->decider->batch, &work->entry->key, work->error);
}

/* "Not modified" since a version that is not known here says nothing, so it counts as a failure. */
static int observe_kind(struct work *work)
{
	enum prn_kind kind = work->observation->kind;

	if (prn_kind_has_content(kind) || (kind == PRN_KIND_SAME && work->entry->state.visits)) {
		int code = observe_content(work);

		return code ? code : keep_validators(work);
	}
	return kind == PRN_KIND_GONE ? observe_gone(work) : observe_failure(work);
}

/*
 * Whether this is content of the same second in which an attempt failed: the page first redirected to itself to
 * set a cookie, and then sent its content.  For a suspect page it is not known which attempt failed.
 */
static bool follows_failure(const struct work *work)
{
	const struct prn_page_state *state = &work->entry->state;

	return work->observation->time == state->attempted && prn_kind_has_content(work->observation->kind) &&
	       state->failures && state->status != PRN_PAGE_SUSPECT &&
	       !(state->visits && state->visited == state->attempted);
}

/* Whether the observation is refused; then the outcome says why. */
static bool is_refused(const struct work *work)
{
	const struct prn_observation *observation = work->observation;
	const struct prn_page_state *state = &work->entry->state;
	const struct prn_decider_options *options = &work->decider->options;
	enum prn_outcome_kind *kind = &work->outcome->kind;

	if (observation->time > prn_time_after(work->now, options->future_s))
		*kind = PRN_OUTCOME_FUTURE;
	else if (!work->entry->known && (options->known_only || (options->media_of_pages && observation->other_media) ||
	                                 prn_redirect_was_refused(work->decider, observation)))
		*kind = PRN_OUTCOME_UNKNOWN;
	else if (state->attempted != PRN_TIME_UNKNOWN && observation->time <= state->attempted &&
	         !follows_failure(work))
		*kind = observation->time == state->attempted ? PRN_OUTCOME_DUPLICATE : PRN_OUTCOME_PAST;
	else if (prn_kind_has_content(observation->kind) && !observation->summarised && observation->body != state->body)
		*kind = observation->repeated ? PRN_OUTCOME_UNRESOLVED : PRN_OUTCOME_STALE;
	else if (observation->repeated && observation->kind == PRN_KIND_SAME && (observation->of_other || !state->visits))
		*kind = PRN_OUTCOME_UNRESOLVED;
	else
		return false;
	return true;
}

static void finish(struct work *work)
{
	const struct prn_entry *entry = work->entry;
	struct prn_outcome *outcome = work->outcome;

	outcome->cut = work->observation->cut;
	outcome->not_modified = work->observation->kind == PRN_KIND_SAME && !work->observation->repeated;
	outcome->bytes = work->observation->bytes;
	outcome->next = entry->due;
	outcome->reason = entry->state.reason;
	outcome->period_s = INFINITY;
	if (entry->due == PRN_TIME_UNKNOWN)
		return;
	outcome->period_s = (double)entry->due - (double)work->observation->time;
	if (entry->state.visits)
		outcome->utility = prn_decider_utility(work->decider, entry, prn_page_days(entry->due) - prn_page_days(entry->state.visited));
}

static int follow(struct work *work)
{
	const struct prn_redirect redirect = { work->decider, work->entry, work->observation, work->now, work->error };
	struct prn_redirected to;
	int code = prn_redirect_follow(&redirect, &to);

	work->outcome->target_added = to.added;
	work->outcome->target_refused = to.refused;
	if (code || !to.step)
		return code;
	work->entry->due = PRN_TIME_UNKNOWN;
	return retire(work);
}

/*
 * A process that died between the commits of two shards left a redirect that is known and a target that is not.  When the report
 * comes again, the target is sent again, and the redirect is counted once more.  A page that a redirect brought has passed
 * its chain on, and brings no other page.
 */
static int follow_again(struct work *work)
{
	const struct prn_redirect redirect = { work->decider, work->entry, work->observation, work->now, work->error };
	struct prn_redirected to;
	int code;

	if (!prn_redirect_leads_elsewhere(work->observation) || work->entry->state.redirects ||
	    !prn_shards_is_elsewhere(work->decider, work->observation->target))
		return 0;
	code = prn_redirect_follow(&redirect, &to);
	work->outcome->target_added = to.added;
	work->outcome->target_refused = to.refused;
	return code;
}

static int settle_all(struct work *work, double bytes)
{
	struct prn_decider *decider = work->decider;
	struct prn_store_reader reader = prn_decider_reader(decider);
	double share = decider->options.host_share * decider->budget_per_day, excess = 0;
	struct prn_ledger ledger;
	int code = 0;

	/*
	 * The host owes the cost beyond its share of a day (update_host).  Where the budget is shared with other hosts, the ledger
	 * forgives some of that.
	 */
	if (work->beyond > share) {
		code = prn_held_ledger(decider, decider->budget_per_day, &reader, &ledger, work->error);
		if (!code && prn_ledger_is_shared(&ledger))
			excess = work->beyond - share;
	}
	decider->has_settled = true;
	return code ? code : prn_ledger_settle(decider->batch, work->beyond - excess, excess, bytes, work->error);
}

/* The actual cost of the look replaces its expected cost, and is learned from. */
static int settle(struct work *work)
{
	struct prn_decider *decider = work->decider;
	const struct prn_observation *look = work->observation;
	struct prn_page_state *state = &work->entry->state;
	bool leased = work->entry->lease != PRN_TIME_UNKNOWN, counted = prn_costs_are_counted(&decider->costs);
	double cost = counted ? prn_cost_of(&decider->costs, state, look) : 0, bytes = 0;
	int code = 0;

	if (counted && leased)
		work->beyond = cost - prn_cost_expected(&decider->costs, state);
	if (decider->costs.unit == PRN_UNIT_BYTES && look->bytes && prn_kind_has_content(look->kind))
		bytes = cost;
	if (counted && decider->budget_per_day > 0)
		code = prn_answers_count(decider->batch, state, look, work->error);
	prn_cost_learn(&decider->costs, state, look);
	if (code || !(decider->budget_per_day > 0) || (fabs(work->beyond) <= 0 && bytes <= 0))
		return code;
	return settle_all(work, bytes);
}

static int observe(struct work *work)
{
	struct prn_entry *entry = work->entry;
	struct prn_page_state *state = &entry->state;
	int code;

	if (work->observation->weight > 0)
		entry->weight = work->observation->weight;
	/* A body that is the page's last one is the present version, however it was read. */
	work->summary = work->observation->summarised && (work->observation->body != state->body || !state->visits)
	                        ? &work->observation->summary
	                        : NULL;
	state->attempted = work->observation->time;
	work->outcome->added = !entry->known;
	work->outcome->anew = entry->anew;
	entry->waits_for = 0;
	code = settle(work);
	if (!code)
		code = update_host(work);
	if (!code)
		code = observe_kind(work);
	if (!code)
		code = follow(work);
	if (!code && is_of_other_host(work->observation))
		code = update_other_host(work);
	return code ? code : prn_decider_put(work->decider, entry, work->error);
}

static int refuse_target(struct prn_decider *decider, const struct prn_observation *observation, struct prn_error *error)
{
	if (prn_shards_is_elsewhere(decider, observation->target))
		return prn_shards_send_target(decider, observation->target, observation->time, NULL, false, error);
	prn_redirect_refuse(decider, observation->target, observation->time);
	return 0;
}

/* The page that is observed next may be the target, so the target is staged with what goes before. */
static int observe_in_shard(struct prn_decider *shard, const struct prn_observation *observation, int64_t now,
                            struct prn_outcome *outcome, struct prn_error *error)
{
	struct prn_decider_savepoint before = prn_decider_save(shard);
	struct prn_outcome made;
	int code = prn_decider_observe(shard, observation, now, &made, error);

	if (!code)
		code = prn_shards_stage_messages(shard, before.messages, error);
	if (code)
		prn_decider_restore(shard, &before);
	else
		*outcome = made;
	return code;
}

/* A page's state has room for summaries of the store's own size, and only those of one size can be compared. */
static int check_summary(const struct prn_decider *decider, const struct prn_observation *observation, struct prn_error *error)
{
	const struct prn_summary *summary = &observation->summary;
	int code = observation->summarised ? prn_decider_check_rule(decider, error) : 0;

	if (code || !observation->summarised || (summary->limit == decider->summary_limit && summary->count <= summary->limit))
		return code;
	return prn_error_set(error, PRN_E_ARGUMENT, "%s: a summary with %zu hashes of at most %zu, where the store's have at most %zu",
	                     observation->url, summary->count, summary->limit, decider->summary_limit);
}

int prn_decider_observe(struct prn_decider *decider, const struct prn_observation *observation, int64_t now,
                        struct prn_outcome *outcome, struct prn_error *error)
{
	struct prn_outcome made = { 0 };
	bool has_clock = now != PRN_TIME_UNKNOWN; /* the times of captures, which may come in any order, are no clock */
	struct work work = { decider, &decider->entry, observation, &made, NULL, has_clock ? now : observation->time, 0, error };
	struct prn_store_reader reader = prn_decider_reader(decider);
	struct prn_decider_savepoint before;
	bool voided;
	struct prn_decider *shard;
	int code = prn_decider_check_writer(decider, error);

	if (!code)
		code = check_summary(decider, observation, error);
	if (!code && decider->shards) {
		code = prn_shards_route(decider, observation->normal_url, true, &shard, error);
		if (code)
			return code;
		code = observe_in_shard(shard, observation, now, outcome, error);
		prn_shards_done(shard);
		return code;
	}
	if (!code && observation->time == PRN_TIME_UNKNOWN)
		code = prn_error_set(error, PRN_E_ARGUMENT, "%s: it has no time", observation->url);
	if (code)
		return code;
	before = prn_decider_save(decider);
	code = prn_entry_find(work.entry, &reader, &observation->key, observation->normal_url, observation->url, error);
	if (!code && has_clock)
		code = prn_decider_void_visit(decider, work.entry, now, observation->time, &voided, error);
	if (!code && !is_refused(&work))
		code = observe(&work);
	else if (!code && made.kind == PRN_OUTCOME_DUPLICATE) {
		code = follow_again(&work);
		if (!code)
			code = update_giant_again(&work);
	}
	else if (!code && made.kind == PRN_OUTCOME_UNKNOWN && prn_redirect_leads_elsewhere(observation))
		code = refuse_target(decider, observation, error); /* a fetcher may follow the chain beyond the page that was refused */
	if (code) {
		prn_decider_restore(decider, &before);
		return code;
	}
	finish(&work);
	*outcome = made;
	return 0;
}
