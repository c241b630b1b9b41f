#include "decide/explain_internal.h"

#include "base/buffer.h"
#include "decide/decider_internal.h"
#include "decide/giant_gates.h"
#include "decide/held_internal.h"
#include "decide/ledger.h"
#include "decide/settings_place.h"
#include "decide/side_validators.h"
#include "decide/site_drift.h"
#include "decide/hint_sources.h"
#include "decide/shards.h"
#include "archive/url_read.h"
#include "store/schema.h"
#include "store/shards.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void prn_explanation_init(struct prn_explanation *explanation)
{
	*explanation = (struct prn_explanation){ 0 };
}

void prn_explanation_release(struct prn_explanation *explanation)
{
	free(explanation->url);
	free(explanation->points);
	prn_explanation_init(explanation);
}

void prn_explaining_end(struct prn_explaining *reading)
{
	prn_entry_release(&reading->entry);
	prn_view_close(reading->view);
}

int prn_explaining_begin(struct prn_explaining *reading, unsigned tries)
{
	struct prn_decider *decider = reading->decider;
	struct prn_ledger ledger;
	struct prn_price price;
	int code = prn_entry_init(&reading->entry, decider->policy, decider->summary_limit);

	reading->entry.costs = &reading->costs;
	if (code)
		prn_error_set(reading->error, code, "%s", prn_error_text(code));
	else
		code = prn_decider_look(decider, tries, &reading->view, reading->error);
	reading->reader.view = reading->view;
	if (!code)
		code = prn_settings_check_pages(decider, &reading->reader, reading->error);
	if (!code)
		code = prn_decider_price(decider, &reading->reader, &price, reading->error);
	if (code) {
		prn_explaining_end(reading);
		return code;
	}
	reading->threshold = price.threshold;
	reading->costs = price.costs;
	reading->answer_bytes = 0;
	if (prn_costs_are_counted(&reading->costs)) {
		code = prn_held_ledger(decider, decider->budget_per_day, &reading->reader, &ledger, reading->error);
		reading->answer_bytes = code ? 0 : ledger.answer_bytes;
	}
	if (!code)
		code = prn_held_share(decider, &reading->reader, reading->now, &reading->share, reading->error);
	if (code)
		prn_explaining_end(reading);
	return code;
}

static int copy_url(struct prn_explanation *to, const char *url)
{
	size_t bytes = strlen(url) + 1;
	char *grown = prn_array_grow(to->url, &to->url_capacity, bytes, 1);

	if (!grown)
		return PRN_E_MEMORY;
	to->url = memcpy(grown, url, bytes);
	return 0;
}

static int copy_profile(struct prn_explanation *to, const struct prn_entry *entry)
{
	struct prn_point points[PRN_FIT_POINTS], *grown;
	size_t count = prn_policy_profile(entry->state.policy, entry->state.policy_state, points);

	to->point_count = 0;
	if (!count)
		return 0;
	grown = prn_array_grow(to->points, &to->point_capacity, count, sizeof *grown);
	if (!grown)
		return PRN_E_MEMORY;
	to->points = memcpy(grown, points, count * sizeof *points);
	to->point_count = count;
	return 0;
}

/* The cost is the one that prn_decider_due charges: a page that has brought no answer yet is charged the mean of the others. */
static void copy_cost(struct prn_explanation *to, struct prn_explaining *reading)
{
	struct prn_page_state *state = &reading->entry.state;
	const struct prn_page_cost known = state->cost;

	to->counted = prn_costs_are_counted(&reading->costs);
	to->unit = reading->costs.unit;
	to->answer_bytes = known.bytes;
	to->unchanged = known.looks ? known.same : NAN;
	to->weight_by_cost = prn_entry_weight(&reading->entry);
	to->cost_guessed = prn_cost_guess(&reading->costs, state, reading->answer_bytes);
	to->cost = prn_cost_expected(&reading->costs, state);
	state->cost = known;
}

static void copy_state(struct prn_explanation *to, const struct prn_entry *entry)
{
	const struct prn_page_state *state = &entry->state;

	to->weight = entry->weight;
	to->status = state->status;
	to->visits = state->visits;
	to->failures = state->failures;
	to->gones = state->gones;
	to->visited = state->visits ? state->visited : PRN_TIME_UNKNOWN;
	to->attempted = state->attempted;
	to->usual = state->usual;
	to->next = entry->due;
	to->reason = state->reason;
	to->lease = entry->lease;
}

/* The policy's decision for the page in hand, in days, and the time of it within bounds. */
static struct prn_decision decide(struct prn_explaining *reading, const struct prn_interval_bounds *interval, int64_t *next)
{
	struct prn_entry *entry = &reading->entry;
	struct prn_decision decision;
	enum prn_next reason;
	int64_t delay;

	prn_decider_decide(reading->decider, entry, reading->threshold, &decision);
	delay = prn_decider_delay(interval, &decision, &reason);
	*next = entry->state.visits ? prn_time_after(entry->state.visited, (double)delay) : PRN_TIME_UNKNOWN;
	return decision;
}

static void judge(struct prn_explanation *to, struct prn_explaining *reading)
{
	struct prn_entry *entry = &reading->entry;
	struct prn_interval_bounds interval = prn_decider_interval(reading->decider, entry);
	struct prn_hints known = entry->state.hints;
	struct prn_decision decision = decide(reading, &interval, &to->policy_next);

	to->min_s = interval.min_s;
	to->max_s = interval.max_s;
	to->threshold = reading->threshold;
	to->period_days = decision.period;
	to->rule = decision.reason;
	to->unhinted_days = decision.period;
	to->unhinted_next = to->policy_next;
	if (prn_hints_count(&known)) {
		entry->state.hints = (struct prn_hints){ 0 };
		to->unhinted_days = decide(reading, &interval, &to->unhinted_next).period;
		entry->state.hints = known;
	}
	to->heard = prn_decider_hints(reading->decider, entry);
	to->elapsed_days = entry->state.visits ? ((double)reading->now - (double)entry->state.visited) / PRN_DAY_S : 0;
	to->effective_days = prn_hints_elapsed(&to->heard, to->elapsed_days);
	to->has_curve = prn_policy_curve(entry->state.policy, entry->state.policy_state, &to->curve);
	to->utility = prn_decider_utility(reading->decider, entry, to->elapsed_days);
	to->reaches_days = INFINITY;
	if (to->has_curve)
		to->reaches_days = prn_hints_timer(&to->heard, prn_hints_level(&to->curve, &to->heard,
		                                                                reading->threshold / prn_entry_weight(entry)));
}

/* Returns the days that count as passed, given the hints until then. */
static double effective(const struct prn_explanation *page, double days)
{
	struct prn_hints heard = page->heard;

	if (days < page->heard_days)
		heard.count = 0;
	return prn_hints_elapsed(&heard, fmax(days, 0));
}

double prn_explanation_utility(const struct prn_explanation *page, double days)
{
	return page->has_curve ? page->weight_by_cost * prn_hints_utility(&page->curve, &page->heard, effective(page, days)) : 0;
}

double prn_explanation_divergence(const struct prn_explanation *page, double days)
{
	return page->has_curve ? fmin(prn_curve_divergence(&page->curve, effective(page, days)), 1) : 0;
}

/* Copies how the page's host may be asked, and why it may not be asked now. */
static void copy_host(struct prn_explanation *to, const struct prn_known_host *known, const struct prn_explaining *reading)
{
	const struct prn_host_settings *settings = &known->settings;

	memcpy(to->host, known->name.text, known->name.length);
	to->host[known->name.length] = 0;
	to->host_delay_s = fmax(settings->delay_s, known->host.crawl_delay_s);
	to->host_limit = settings->limit;
	to->host_from_s = settings->from_s;
	to->host_to_s = settings->to_s;
	to->host_until = known->host.until > reading->now ? known->host.until : PRN_TIME_UNKNOWN;
	to->held_until = PRN_TIME_UNKNOWN;
	to->held = prn_held_by(known, &reading->share, reading->now, &to->held_until);
}

/*
 * Moves the times at which a visit becomes worthwhile to the last heeded hint at the earliest: before it came, a visit was only
 * as worthwhile as without it.
 */
static void copy_heard(struct prn_explanation *to, struct prn_explaining *reading, const struct prn_page_sources *page, size_t whose)
{
	const struct prn_page_source *source = whose < page->count ? &page->sources[whose] : NULL;
	struct prn_hints *hints = &reading->entry.state.hints, silent = to->heard;
	struct prn_interval_bounds interval = prn_decider_interval(reading->decider, &reading->entry);
	double count = hints->count, wanted = reading->threshold / prn_entry_weight(&reading->entry);
	int64_t heard, before;

	if (!source || !(to->heard.count > 0) || source->counted == PRN_TIME_UNKNOWN)
		return;
	heard = source->counted < reading->now ? source->counted : reading->now;
	to->heard_days = fmax(0, ((double)heard - (double)to->visited) / PRN_DAY_S);
	hints->count = silent.count = 0;
	decide(reading, &interval, &before);
	hints->count = count;
	to->policy_next = to->policy_next > heard ? to->policy_next : heard;
	to->policy_next = to->policy_next < before ? to->policy_next : before;
	to->reaches_days = fmax(to->reaches_days, to->heard_days);
	if (to->has_curve)
		to->reaches_days = fmin(to->reaches_days, prn_hints_timer(&silent, prn_hints_level(&to->curve, &silent, wanted)));
}

/* Copies the sources that have hinted at the page, and how far they are trusted. */
static int copy_sources(struct prn_explanation *to, struct prn_explaining *reading)
{
	struct prn_entry *entry = &reading->entry;
	struct prn_page_sources page;
	struct prn_host_sources host;
	size_t whose = 0;
	int code;

	to->source_count = 0;
	to->heard_source = PRN_EXPLAINED_SOURCES;
	to->heard_days = 0;
	if (!(entry->state.hints.rate > 0))
		return 0;
	code = prn_page_sources_read(&page, &reading->reader, &entry->key, reading->error);
	if (!code)
		code = prn_host_sources_read(&host, &reading->reader, prn_host_name(prn_entry_normal(entry)), reading->error);
	if (!code) {
		prn_sources_hints(&page, &host, &whose);
		copy_heard(to, reading, &page, whose);
	}
	for (size_t i = 0; i < page.count && !code; i++) {
		const struct prn_page_hints *counts = &page.sources[i].counts;
		const struct prn_host_source *source = prn_host_sources_find(&host, page.sources[i].number);
		struct prn_explained_source *out = &to->sources[to->source_count];

		if (!source)
			continue;
		*out = (struct prn_explained_source){ .hints = counts->before + counts->since, .since = counts->since,
			                              .trust = prn_trust_degree(&source->trust),
			                              .precision = prn_trust_precision(&source->trust),
			                              .recall = prn_trust_recall(&source->trust),
			                              .hinted_share = prn_trust_hinted(&source->trust),
			                              .hinted = source->trust.hinted, .changed = source->trust.changed,
			                              .both = source->trust.both, .visits = source->trust.visits };
		strcpy(out->name, source->name);
		if (i == whose)
			to->heard_source = to->source_count;
		to->source_count++;
	}
	return code;
}

/* Copies how many siblings count, and the rate of change that they lead to expect. */
static int copy_siblings(struct prn_explanation *to, struct prn_explaining *reading)
{
	struct prn_entry *entry = &reading->entry;
	const char *normal = prn_entry_normal(entry);
	struct prn_said said = prn_entry_said(entry);
	const struct prn_site_pattern *pattern;
	struct prn_visit visit = { .time = 0 };
	struct prn_site_drift site;
	bool is_there;
	uint64_t number = prn_pattern_number(normal, to->pattern);
	int code;

	to->siblings_rate = to->siblings_left = 0;
	to->pattern_pages = to->host_pages = 0;
	if (!reading->decider->heeds_siblings)
		return 0;
	code = prn_site_drift_look(&site, &reading->reader, prn_host_name(normal), reading->now, &is_there, reading->error);
	if (code)
		return code;
	pattern = prn_site_drift_find(&site, number);
	visit.siblings = prn_site_drift_siblings(&site, number);
	if (pattern && pattern->pages)
		to->pattern_pages = pattern->pages - (said.time > pattern->since);
	if (site.pages)
		to->host_pages = site.pages - (said.time > site.host_since);
	if (!prn_policy_expects(entry->state.policy, entry->state.policy_state, &visit, &to->siblings_rate, &to->siblings_left))
		to->siblings_rate = to->siblings_left = 0;
	return 0;
}

int prn_explaining_entry(struct prn_explaining *reading, size_t state_bytes, struct prn_explanation *to)
{
	struct prn_entry *entry = &reading->entry;
	struct prn_known_host known;
	int code;

	if (copy_url(to, reading->entry.url) || copy_profile(to, &reading->entry))
		return prn_error_memory(reading->error);
	copy_state(to, &reading->entry);
	copy_cost(to, reading);
	to->state_bytes = state_bytes;
	judge(to, reading);
	code = prn_host_find_of(&known, &reading->reader, &reading->decider->options, prn_entry_normal(entry), reading->error);
	if (!code)
		code = prn_giant_merge(reading->decider, &known, reading->now, reading->error);
	if (!code)
		code = prn_side_validators_read(&to->validators, NULL, &reading->reader, &entry->key, reading->error);
	if (entry->state.status == PRN_PAGE_SUSPECT)
		to->validators = (struct prn_validators){ .modified = PRN_TIME_UNKNOWN };
	if (!code)
		code = copy_sources(to, reading);
	if (!code)
		code = copy_siblings(to, reading);
	if (code)
		return code;
	copy_host(to, &known, reading);
	to->waits = entry->waits_for != 0;
	if (entry->waits_for && entry->lease == PRN_TIME_UNKNOWN && known.host.turn > entry->due)
		to->next = known.host.turn;
	return 0;
}

/* In a store that an older program wrote last, a page may be stored under an older key. */
static int say_not_found(struct prn_explaining *reading, const char *url)
{
	bool older;
	int code = prn_schema_is_older(reading->view, &older, reading->error);

	if (code)
		return code;
	return prn_error_set(reading->error, PRN_E_NOT_FOUND, "%s: not in %s%s", url, prn_store_path((reading->decider->root ? reading->decider->root : reading->decider)->store),
	                     !older ? "" : ", or there as an older program knew it: a command that writes, such as "
	                                   "'perennial due', brings the store up to date");
}

/* Keeps the message, and changes the code: the fault is of this page alone, and not of the store. */
static int say_unreadable(struct prn_explaining *reading)
{
	if (reading->error)
		reading->error->code = PRN_E_UNREADABLE;
	return PRN_E_UNREADABLE;
}

static int explain_url(struct prn_explaining *reading, unsigned tries, const char *url, const struct prn_digest *key,
                       struct prn_explanation *explanation)
{
	struct prn_store_reader reader = { 0 };
	struct prn_record record;
	bool spoilt = false;
	int code = prn_explaining_begin(reading, tries), readable;

	if (code)
		return code;
	reader.view = reading->view;
	code = prn_view_get(reading->view, key, &record, reading->error);
	if (code == PRN_E_NOT_FOUND)
		code = say_not_found(reading, url);
	else if (code == PRN_E_DAMAGED && !prn_store_reader_is_spoilt(&reader, key, &spoilt, NULL) && spoilt)
		code = say_unreadable(reading);
	if (!code) {
		readable = prn_entry_try(&reading->entry, &record, reading->error, reading->error);
		code = readable < 0 ? readable : 0;
		if (!readable)
			code = say_unreadable(reading);
	}
	if (!code)
		code = prn_explaining_entry(reading, record.state_bytes, explanation);
	prn_explaining_end(reading);
	return code;
}

int prn_decider_explain(struct prn_decider *decider, const char *url, int64_t now,
                        struct prn_explanation *explanation, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	struct prn_decider *shard;
	struct prn_digest key;
	unsigned tries = 0;
	int code = prn_url_read(url, normal, error);

	if (!code && decider->shards) {
		code = prn_shards_route(decider, normal, false, &shard, error);
		if (code == PRN_E_NOT_FOUND)
			return prn_error_set(error, code, "%s: not in %s", url, prn_store_path(decider->store));
		if (code)
			return code;
		code = prn_decider_explain(shard, url, now, explanation, error);
		prn_shards_done(shard);
		return code;
	}
	if (code)
		return code;
	key = prn_url_key(normal);
	do {
		struct prn_explaining reading = { .decider = decider, .now = now, .error = error };

		code = explain_url(&reading, tries, url, &key, explanation);
	} while (prn_decider_looks_again(code, &tries));
	return code;
}
