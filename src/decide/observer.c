#include "decide/observer_parts.h"

#include "archive/url_host.h"
#include "base/buffer.h"
#include "base/monotonic.h"
#include "decide/decider_internal.h"
#include "decide/hint_sources.h"
#include "decide/shards.h"
#include "perennial/extractor.h"
#include "perennial/hinting.h"
#include "perennial/url.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct prn_observer {
	struct prn_decider *decider;
	prn_observer_made_fn *made; /* or NULL */
	void *context;

	pthread_mutex_t lock;
	struct prn_extractor **idle; /* [count]: an extractor serves one thread at a time, and is dear to make */
	size_t count, capacity;
};

static int borrow(struct prn_observer *observer, struct prn_extractor **extractor, struct prn_error *error)
{
	const struct prn_decider *decider = observer->decider;
	bool found;

	pthread_mutex_lock(&observer->lock);
	found = observer->count > 0;
	if (found)
		*extractor = observer->idle[--observer->count];
	pthread_mutex_unlock(&observer->lock);
	if (!found && prn_extractor_open(extractor, prn_decider_shingle_words(decider), prn_decider_summary(decider)))
		return prn_error_memory(error);
	return 0;
}

static void give_back(struct prn_observer *observer, struct prn_extractor *extractor)
{
	struct prn_extractor **idle;

	pthread_mutex_lock(&observer->lock);
	idle = prn_array_grow(observer->idle, &observer->capacity, observer->count + 1, sizeof *idle);
	if (idle) {
		observer->idle = idle;
		idle[observer->count++] = extractor;
	}
	pthread_mutex_unlock(&observer->lock);
	if (!idle)
		prn_extractor_free(extractor);
}

int prn_observer_open(struct prn_observer **out, struct prn_decider *decider, struct prn_error *error)
{
	struct prn_observer *observer = calloc(1, sizeof *observer);
	struct prn_extractor *first;
	int code = prn_decider_check_rule(decider, error);

	if (code || !observer) {
		free(observer);
		return code ? code : prn_error_memory(error);
	}
	observer->decider = decider;
	pthread_mutex_init(&observer->lock, NULL);
	/* One is made now, while there is only one thread: the first one sets the parsers up. */
	if (borrow(observer, &first, error)) {
		prn_observer_free(observer);
		return PRN_E_MEMORY;
	}
	give_back(observer, first);
	*out = observer;
	return 0;
}

void prn_observer_free(struct prn_observer *observer)
{
	if (!observer)
		return;
	for (size_t i = 0; i < observer->count; i++)
		prn_extractor_free(observer->idle[i]);
	pthread_mutex_destroy(&observer->lock);
	free(observer->idle);
	free(observer);
}

void prn_observer_watch(struct prn_observer *observer, prn_observer_made_fn *made, void *context)
{
	observer->made = made;
	observer->context = context;
}

static void look_for_hints(struct prn_observation *observation, const struct prn_capture *capture, unsigned wanted)
{
	enum prn_hint_format format;
	bool feed;

	if (wanted & PRN_HINTS_SITEMAP && prn_hint_is_robots(observation->normal_url))
		observation->hints = PRN_HINT_ROBOTS;
	if (!wanted || observation->hints ||
	    !prn_hint_sniff(capture->body, capture->body_bytes, capture->content_type, &format))
		return;
	feed = format == PRN_HINT_RSS || format == PRN_HINT_ATOM;
	if (wanted & (feed ? PRN_HINTS_FEED : PRN_HINTS_SITEMAP))
		observation->hints = format;
}

/*
 * A store that is far away takes longer to tell of the last body than it takes to read one as long as this anew.  Hints that
 * were read before are not to be heard again, however.
 */
#define READ_SOONER ((size_t)64 << 10)

static bool is_read_sooner(const struct prn_decider *decider, const struct prn_capture *capture)
{
	enum prn_hint_format format;

	return prn_store_is_shared(prn_decider_store(decider)) && capture->body_bytes <= READ_SOONER &&
	       !(decider->hints_wanted &&
	         (prn_hint_is_robots(capture->normal_url) ||
	          prn_hint_sniff(capture->body, capture->body_bytes, capture->content_type, &format)));
}

static int find_body(struct prn_decider *decider, const char *normal_url, uint64_t *known, struct prn_error *error)
{
	const struct prn_digest key = prn_url_key(normal_url);
	int code = decider->shards ? prn_shards_route(decider, normal_url, false, &decider, error) : 0;

	/* The shard has no page so far. */
	if (code == PRN_E_NOT_FOUND)
		return 0;
	if (code)
		return code;
	code = prn_decider_body(decider, &key, known, error);
	prn_shards_done(decider);
	return code;
}

/* Relative URLs under a long one are many times what they are in the body: one is not to take the memory of all. */
#define URL_BYTES ((uint64_t)32 << 20)

/* A hint as it is kept, before its normal URL, and the one as written where that is another. */
struct kept {
	int64_t time, modified;
	double period_s;
	uint32_t normal, written; /* bytes of URLs, with the zero; written: 0: the same */
	bool says_changed, is_sitemap;
};

struct keeping {
	struct prn_observation *observation;
	uint64_t bytes; /* of URLs so far */
};

static int keep(void *context, const struct prn_hint *hint)
{
	struct keeping *keeping = context;
	struct prn_observation *observation = keeping->observation;
	size_t normal = strlen(hint->normal_url) + 1, written = strlen(hint->url) + 1;
	size_t length = observation->hinted_length;
	struct kept kept = { hint->time, hint->modified, hint->period_s, (uint32_t)normal, 0, hint->says_changed,
		             hint->is_sitemap };
	unsigned char *grown;

	if (strcmp(hint->url, hint->normal_url))
		kept.written = (uint32_t)written;
	keeping->bytes += normal;
	if (keeping->bytes > URL_BYTES)
		return PRN_E_LIMIT;
	grown = prn_array_grow(observation->hinted, &observation->hinted_capacity,
	                       length + sizeof kept + normal + kept.written, 1);
	if (!grown)
		return PRN_E_MEMORY;
	observation->hinted = grown;
	memcpy(grown + length, &kept, sizeof kept);
	memcpy(grown + length + sizeof kept, hint->normal_url, normal);
	memcpy(grown + length + sizeof kept + normal, hint->url, kept.written);
	observation->hinted_length += sizeof kept + normal + kept.written;
	observation->hinted_count++;
	return 0;
}

/*
 * Reads the entries of a sitemap, feed or robots.txt, which speaks for its own host.  What of it cannot be read is no
 * fault of the observation.
 */
static int keep_hints(struct prn_observation *observation, const struct prn_capture *capture, struct prn_error *error)
{
	const struct prn_hint_options options = { .time = PRN_TIME_UNKNOWN, .base = observation->normal_url,
		                                  .same_host = true,
		                                  .is_robots = observation->hints == PRN_HINT_ROBOTS,
		                                  .content_type = capture->content_type };
	struct keeping keeping = { .observation = observation };
	struct prn_hint_counts counts;

	if (prn_hint_read(capture->body, capture->body_bytes, &options, keep, &keeping, &counts, NULL) != PRN_E_MEMORY)
		return 0;
	return prn_error_memory(error);
}

int prn_observer_make(struct prn_observer *observer, const struct prn_capture *capture, bool afresh,
                      struct prn_observation *observation, struct prn_error *error)
{
	bool watched = observer->made && capture->body_bytes;
	struct prn_extractor *extractor;
	uint64_t known = 0;
	double start;
	int code = 0;

	if (capture->body_bytes && !afresh && !is_read_sooner(observer->decider, capture))
		code = find_body(observer->decider, capture->normal_url, &known, error);
	/* If a shard is lost, the caller that decides is told, for this capture alone. */
	if (code == PRN_E_DAMAGED && observer->decider->shards)
		code = 0;
	if (!code)
		code = borrow(observer, &extractor, error);
	if (code)
		return code;
	start = watched ? prn_monotonic() : 0;
	code = prn_observation_make(observation, capture, prn_decider_summary(observer->decider), extractor, known, error);
	if (!code && observation->kind == PRN_KIND_CONTENT && observation->summarised)
		look_for_hints(observation, capture, observer->decider->hints_wanted);
	if (!code && observation->hints)
		code = keep_hints(observation, capture, error);
	give_back(observer, extractor);
	if (watched)
		observer->made(observer->context, prn_monotonic() - start);
	return code;
}

/* The next of the hints that were kept, from *at on, which becomes what follows it. */
static struct prn_hint next_kept(const struct prn_observation *observation, size_t *at)
{
	const char *normal = (const char *)observation->hinted + *at + sizeof(struct kept);
	struct kept kept;

	memcpy(&kept, observation->hinted + *at, sizeof kept);
	*at += sizeof kept + kept.normal + kept.written;
	return (struct prn_hint){ .url = kept.written ? normal + kept.normal : normal, .normal_url = normal,
		                  .time = kept.time, .modified = kept.modified, .says_changed = kept.says_changed,
		                  .period_s = kept.period_s, .is_sitemap = kept.is_sitemap };
}

/*
 * The next most hints.  A sitemap speaks for its folder, or that of the index or robots.txt that lists it, as
 * sitemaps.org has it; it is known by that URL.
 */
static int take_hints(struct prn_decider *decider, const struct prn_observation *observation, int64_t now, size_t most,
                      struct prn_hints_taken *taken, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);
	bool feed = observation->hints == PRN_HINT_RSS || observation->hints == PRN_HINT_ATOM;
	char name[PRN_URL_BYTES + 1];
	struct prn_hinter hinter = { .decider = decider, .now = now != PRN_TIME_UNKNOWN ? now : observation->time };
	struct prn_hints_taken next = *taken;
	int code = prn_sources_speaker(&reader, &observation->key, observation->normal_url, name, error);

	for (size_t i = 0; i < most && next.at < observation->hinted_length && !code; i++) {
		struct prn_hint hint = next_kept(observation, &next.at);

		next.count++;
		hint.source = name;
		if (feed || prn_url_is_under_folder(hint.normal_url, name))
			code = prn_hinter_take(&hinter, &hint);
	}
	if (hinter.error.code && error)
		*error = hinter.error;
	if (code)
		return code;
	next.hints += (uint32_t)hinter.hinted[PRN_HINTED_TAKEN];
	next.pages += (uint32_t)hinter.hinted[PRN_HINTED_ADDED];
	*taken = next;
	return 0;
}

static int decide_in(struct prn_decider *decider, const struct prn_observation *observation,
                     const struct prn_hints_taken *before_it, int64_t now, struct prn_outcome *outcome,
                     struct prn_error *error)
{
	struct prn_hints_taken taken = *before_it;
	struct prn_outcome made = { 0 };
	struct prn_decider_savepoint before;
	int code = prn_decider_check_writer(decider, error);

	if (code || !observation->hints)
		return code ? code : prn_decider_observe(decider, observation, now, outcome, error);
	before = prn_decider_save(decider);
	code = prn_decider_observe(decider, observation, now, &made, error);
	if (!code && !prn_outcome_is_refusal(made.kind))
		code = take_hints(decider, observation, now, SIZE_MAX, &taken, error);
	made.hints = taken.hints;
	made.pages_hinted = taken.pages;
	if (code)
		prn_decider_restore(decider, &before);
	else
		*outcome = made;
	return code;
}

static int decide_made(struct prn_observer *observer, const struct prn_observation *observation,
                       const struct prn_hints_taken *before_it, int64_t now, struct prn_outcome *outcome,
                       struct prn_error *error)
{
	struct prn_decider *decider = observer->decider;
	int code = prn_decider_check_mode(decider, error);

	if (!code && decider->shards)
		code = prn_shards_route(decider, observation->normal_url, true, &decider, error);
	if (code)
		return code;
	code = decide_in(decider, observation, before_it, now, outcome, error);
	prn_shards_done(decider);
	return code;
}

/* Makes the observation again if another one of its page has come in between. */
static int decide(struct prn_observer *observer, struct prn_observation *observation, const struct prn_capture *capture,
                  const struct prn_hints_taken *before_it, int64_t now, struct prn_outcome *outcome, struct prn_error *error)
{
	int code = decide_made(observer, observation, before_it, now, outcome, error);

	if (code || outcome->kind != PRN_OUTCOME_STALE)
		return code;
	code = prn_observer_make(observer, capture, true, observation, error);
	return code ? code : decide_made(observer, observation, &(struct prn_hints_taken){ 0 }, now, outcome, error);
}

/* Whether its hints are to be taken in: what is refused, or fails, is left to the observation itself. */
static bool is_heard(struct prn_decider *decider, const struct prn_observation *observation, int64_t now)
{
	struct prn_decider_savepoint before = prn_decider_save(decider);
	struct prn_outcome outcome = { 0 };
	int code = prn_decider_observe(decider, observation, now, &outcome, NULL);

	prn_decider_restore(decider, &before);
	return !code && !prn_outcome_is_refusal(outcome.kind);
}

/* Stages the next portion of the hints, if more than one is left: *staged then. */
static int take_portion(struct prn_observer *observer, const struct prn_observation *observation, int64_t now,
                        struct prn_hints_taken *taken, bool *staged, struct prn_error *error)
{
	struct prn_decider *decider = observer->decider;
	struct prn_decider_savepoint before;
	int code;

	*staged = false;
	if (decider->shards || observation->hinted_count - taken->count <= PRN_HINTS_PORTION)
		return 0;
	code = prn_decider_check_writer(decider, error);
	if (code || (!taken->count && !is_heard(decider, observation, now)))
		return code;
	before = prn_decider_save(decider);
	code = take_hints(decider, observation, now, PRN_HINTS_PORTION, taken, error);
	if (code)
		prn_decider_restore(decider, &before);
	*staged = !code;
	return code;
}

int prn_observer_step(struct prn_observer *observer, struct prn_observation *observation, const struct prn_capture *capture,
                      int64_t now, struct prn_observing *observing, struct prn_outcome *outcome, struct prn_error *error)
{
	int code;

	/* What was staged since the last commit may have been staged in vain. */
	observing->staged = observing->durable;
	code = take_portion(observer, observation, now, &observing->staged, &observing->is_part, error);
	if (code || observing->is_part)
		return code;
	return decide(observer, observation, capture, &observing->staged, now, outcome, error);
}

void prn_observing_keep(struct prn_observing *observing)
{
	observing->durable = observing->staged;
}

int prn_observer_decide(struct prn_observer *observer, struct prn_observation *observation,
                        const struct prn_capture *capture, int64_t now, struct prn_outcome *outcome,
                        struct prn_error *error)
{
	return decide(observer, observation, capture, &(struct prn_hints_taken){ 0 }, now, outcome, error);
}
