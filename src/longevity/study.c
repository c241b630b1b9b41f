#include "perennial/study.h"
#include "base/buffer.h"
#include "history/truth.h"
#include "longevity/change_rate.h"
#include "perennial/time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>


struct prn_study {
	struct prn_truth truth;
	const struct prn_page *page;      /* borrowed by prn_study_read */
	size_t first_change, last_change; /* captures of the page; meaningless without changes */
	struct prn_study_result result;
	struct prn_lifetime *lifetimes;
	size_t lifetime_count;
	double *waits;
	bool *changed;
	size_t wait_count;
	uint32_t *known_by_k; /* scratch: [versions + 1] */
	size_t lifetime_capacity, wait_capacity, changed_capacity, k_capacity;
};

const char *prn_region_name(enum prn_region region)
{
	static const char *const names[] = { "static", "churn", "scroll", "unknown" };

	return (unsigned)region < sizeof names / sizeof *names ? names[region] : "?";
}

const char *prn_nature_name(enum prn_nature nature)
{
	static const char *const names[PRN_NATURES] = { "static", "churn", "scroll", "mixed", "unknown" };

	return (unsigned)nature < PRN_NATURES ? names[nature] : "?";
}

int prn_study_open(struct prn_study **out)
{
	struct prn_study *study = calloc(1, sizeof *study);

	if (!study)
		return PRN_E_MEMORY;
	prn_truth_init(&study->truth);
	*out = study;
	return 0;
}

void prn_study_free(struct prn_study *study)
{
	if (!study)
		return;
	prn_truth_release(&study->truth);
	free(study->lifetimes);
	free(study->waits);
	free(study->changed);
	free(study->known_by_k);
	free(study);
}

const struct prn_study_result *prn_study_result(const struct prn_study *study)
{
	return &study->result;
}

const struct prn_lifetime *prn_study_lifetimes(const struct prn_study *study, size_t *count)
{
	*count = study->lifetime_count;
	return study->lifetimes;
}

const double *prn_study_waits(const struct prn_study *study, const bool **changed, size_t *count)
{
	*changed = study->changed;
	*count = study->wait_count;
	return study->waits;
}

static double days_between(const struct prn_page *page, size_t a, size_t b)
{
	return ((double)page->captures[b].time - (double)page->captures[a].time) / PRN_DAY_S;
}

static enum prn_region region_of(const struct prn_lifetime *lifetime)
{
	if (lifetime->censoring == PRN_CENSORED_BOTH)
		return PRN_REGION_STATIC;
	if (lifetime->survived)
		return PRN_REGION_SCROLL;
	return lifetime->censoring == PRN_CENSORED_NOT ? PRN_REGION_CHURN : PRN_REGION_UNKNOWN;
}

/* Writes the part of a run that lies inside the page's life; false if there is none. */
static bool read_lifetime(const struct prn_study *study, uint64_t hash, const struct prn_run *run,
                          struct prn_lifetime *out)
{
	const struct prn_versions *versions = &study->truth.versions;
	size_t first = versions->first, end = first + versions->captures;
	size_t from = run->from > first ? run->from : first, to = run->to < end ? run->to : end;
	bool left = from == first, right = to == end;

	if (from >= to)
		return false;
	*out = (struct prn_lifetime){
		.hash = hash,
		.from = (uint32_t)from,
		.to = (uint32_t)to,
		.survived = versions->of[to - 1 - first] - versions->of[from - first],
		.days = days_between(study->page, from, right ? end - 1 : to),
		.censoring = left ? right ? PRN_CENSORED_BOTH : PRN_CENSORED_LEFT
		                  : right ? PRN_CENSORED_RIGHT : PRN_CENSORED_NOT,
	};
	out->region = region_of(out);
	return true;
}

static int read_lifetimes(struct prn_study *study)
{
	const struct prn_page *page = study->page;
	size_t runs = 0;
	struct prn_lifetime *lifetimes;

	study->lifetime_count = 0;
	for (size_t i = 0; i < page->stripe_count; i++)
		runs += page->stripes[i].count;
	lifetimes = prn_array_grow(study->lifetimes, &study->lifetime_capacity, runs + 1, sizeof *lifetimes);
	if (!lifetimes)
		return PRN_E_MEMORY;
	study->lifetimes = lifetimes;
	for (size_t i = 0; i < page->stripe_count; i++) {
		const struct prn_stripe *stripe = &page->stripes[i];

		for (uint32_t j = 0; j < stripe->count; j++)
			study->lifetime_count += read_lifetime(study, stripe->hash, &page->runs[stripe->first + j],
			                                       &lifetimes[study->lifetime_count]);
	}
	return 0;
}

static int read_waits(struct prn_study *study)
{
	const struct prn_truth *truth = &study->truth;
	size_t before = 0;
	double *waits = prn_array_grow(study->waits, &study->wait_capacity, truth->captures, sizeof *waits);
	bool *changed;

	study->wait_count = 0;
	if (!waits)
		return PRN_E_MEMORY;
	study->waits = waits;
	changed = prn_array_grow(study->changed, &study->changed_capacity, truth->captures, sizeof *changed);
	if (!changed)
		return PRN_E_MEMORY;
	study->changed = changed;
	for (size_t at = 1; at < truth->captures; at++) {
		if (!truth->taken[at])
			continue;
		waits[study->wait_count] = truth->time[at] - truth->time[before];
		changed[study->wait_count++] = truth->versions.of[at] != truth->versions.of[before];
		before = at;
	}
	return 0;
}

static double estimate_updates(const struct prn_study *study)
{
	size_t changes = 0;

	for (size_t i = 0; i < study->wait_count; i++)
		changes += study->changed[i];
	return changes ? prn_change_rate(study->waits, study->changed, study->wait_count) * study->result.days : 0;
}

static void find_changes(struct prn_study *study)
{
	const struct prn_versions *versions = &study->truth.versions;
	size_t last = versions->captures - 1, at = 0;

	while (at < last && !versions->of[at])
		at++;
	study->first_change = versions->first + at;
	for (at = last; at && versions->of[at - 1] == versions->of[last];)
		at--;
	study->last_change = versions->first + at;
}

/* Measures until the page was first found different from its first capture, or gone; else as long as it was seen. */
static void measure_unchanged(struct prn_study *study)
{
	const struct prn_versions *versions = &study->truth.versions;
	struct prn_study_result *result = &study->result;
	size_t end = versions->first + versions->captures;

	if (result->changes)
		end = study->first_change;
	else if (result->there_last)
		end--;
	result->unchanged_ended = result->changes || !result->there_last;
	result->unchanged_days = days_between(study->page, versions->first, end);
}

static void measure_changes(struct prn_study *study)
{
	const struct prn_truth *truth = &study->truth;
	const struct prn_versions *versions = &truth->versions;
	struct prn_study_result *result = &study->result;

	result->captures = versions->captures;
	result->taken = study->wait_count + 1;
	result->changes = versions->count - 1;
	result->days = truth->time[truth->captures - 1];
	result->there_first = !versions->first;
	result->there_last = versions->first + versions->captures == study->page->capture_count;
	result->change_frequency = study->wait_count ? (double)result->changes / (double)study->wait_count : 0;
	result->interval_days = result->changes ? result->days / (double)result->changes : INFINITY;
	result->eagerness = truth->eagerness;
	result->updates = estimate_updates(study);
	find_changes(study);
	measure_unchanged(study);
}

/* Returns the part of a life that lies between the first change and the last, in days. */
static double days_between_changes(const struct prn_study *study, const struct prn_lifetime *lifetime)
{
	size_t from = lifetime->from > study->first_change ? lifetime->from : study->first_change;
	size_t to = lifetime->to < study->last_change ? lifetime->to : study->last_change;

	return from < to ? days_between(study->page, from, to) : 0;
}

static void measure_lifetime(struct prn_study *study, const struct prn_lifetime *lifetime)
{
	const struct prn_versions *versions = &study->truth.versions;
	struct prn_study_result *result = &study->result;
	uint32_t born = versions->of[lifetime->from - versions->first];

	result->lifetimes[lifetime->censoring]++;
	result->content += lifetime->days;
	if (lifetime->censoring == PRN_CENSORED_NOT) {
		result->longevity_days += lifetime->days;
		study->known_by_k[lifetime->survived + 1]++;
	}
	if (lifetime->region == PRN_REGION_STATIC) {
		result->static_fragments++;
		result->static_content += lifetime->days;
		return;
	}
	if (born > 0 && (size_t)born + 1 < versions->count)
		*(lifetime->survived ? &result->scroll_births : &result->churn_births) += 1;
	if (lifetime->region == PRN_REGION_CHURN)
		result->churn_content += lifetime->days;
	else if (lifetime->region == PRN_REGION_SCROLL)
		result->scroll_content += days_between_changes(study, lifetime);
}

/* Lifetimes of the same fragment follow one another. */
static void measure_fragments(struct prn_study *study)
{
	struct prn_study_result *result = &study->result;
	const struct prn_lifetime *lifetimes = study->lifetimes;

	for (size_t i = 0, next; i < study->lifetime_count; i = next) {
		next = i + 1;
		while (next < study->lifetime_count && lifetimes[next].hash == lifetimes[i].hash)
			next++;
		result->fragments++;
		if (next > i + 1 || lifetimes[i].censoring != PRN_CENSORED_NOT || lifetimes[i].to - lifetimes[i].from > 1)
			continue;
		result->ephemeral_fragments++;
		result->ephemeral_content += lifetimes[i].days;
	}
}

static int measure_lifetimes(struct prn_study *study)
{
	struct prn_study_result *result = &study->result;
	size_t versions = study->truth.versions.count, dominant = 0;
	uint32_t *by_k = prn_array_grow(study->known_by_k, &study->k_capacity, versions + 1, sizeof *by_k);

	if (!by_k)
		return PRN_E_MEMORY;
	study->known_by_k = by_k;
	memset(by_k, 0, (versions + 1) * sizeof *by_k);
	for (size_t i = 0; i < study->lifetime_count; i++)
		measure_lifetime(study, &study->lifetimes[i]);
	measure_fragments(study);
	result->longevity_days /= (double)result->lifetimes[PRN_CENSORED_NOT];
	for (size_t k = 1; k <= versions; k++)
		if (by_k[k] > by_k[dominant])
			dominant = k;
	result->dominant_k = (uint32_t)dominant;
	return 0;
}

/* Returns the static share of the first half of the page's captures. */
static double static_half(const struct prn_study *study)
{
	const struct prn_versions *versions = &study->truth.versions;
	size_t first = versions->first, middle = first + versions->captures / 2;
	double content = 0, constant = 0;

	for (size_t i = 0; i < study->lifetime_count; i++) {
		const struct prn_lifetime *lifetime = &study->lifetimes[i];
		size_t to = lifetime->to < middle ? lifetime->to : middle;

		if (lifetime->from >= to)
			continue;
		content += days_between(study->page, lifetime->from, to);
		if (lifetime->from == first && lifetime->to > middle)
			constant += days_between(study->page, first, to);
	}
	return content > 0 ? constant / content : 1;
}

static void measure_shares(struct prn_study_result *result)
{
	double moving = result->churn_content + result->scroll_content, churn;

	result->shares = (struct prn_shares){ 1, 0, 0 };
	result->nature = PRN_NATURE_STATIC;
	if (!result->changes)
		return;
	result->shares = (struct prn_shares){ NAN, NAN, NAN };
	result->nature = PRN_NATURE_UNKNOWN;
	if (!(moving > 0))
		return;
	churn = result->churn_content / moving;
	result->shares.constant = result->static_content / result->content;
	result->shares.churn = (1 - result->shares.constant) * churn;
	result->shares.scroll = (1 - result->shares.constant) * (1 - churn);
	result->nature = churn >= PRN_NATURE_SHARE       ? PRN_NATURE_CHURN
	                 : 1 - churn >= PRN_NATURE_SHARE ? PRN_NATURE_SCROLL
	                                                 : PRN_NATURE_MIXED;
}

int prn_study_read(struct prn_study *study, const struct prn_page *page)
{
	int code = prn_truth_read(&study->truth, page, PRN_CLOCK_DAYS);

	if (code <= 0)
		return code;
	study->page = page;
	study->result = (struct prn_study_result){ 0 };
	code = read_waits(study);
	if (!code)
		code = read_lifetimes(study);
	if (code)
		return code;
	measure_changes(study);
	code = prn_versions_returns(&study->truth.versions, page, &study->result.returns);
	if (!code)
		code = measure_lifetimes(study);
	if (code)
		return code;
	measure_shares(&study->result);
	study->result.static_half = static_half(study);
	return 1;
}
