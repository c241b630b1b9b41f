#include "perennial/observation.h"

#include "base/buffer.h"
#include "decide/decider_internal.h"
#include "perennial/page_state.h"
#include "perennial/url.h"

#include <stdlib.h>
#include <string.h>

void prn_observation_init(struct prn_observation *observation)
{
	*observation = (struct prn_observation){ 0 };
}

void prn_observation_release(struct prn_observation *observation)
{
	free(observation->url);
	free(observation->normal_url);
	free(observation->asked);
	free(observation->target);
	free(observation->hashes);
	free(observation->hinted);
	prn_observation_init(observation);
}

static int copy(char **to, size_t *capacity, const char *text)
{
	size_t bytes = strlen(text) + 1;
	char *grown = prn_array_grow(*to, capacity, bytes, 1);

	if (!grown)
		return PRN_E_MEMORY;
	memcpy(grown, text, bytes);
	*to = grown;
	return 0;
}

static void take_numbers(struct prn_observation *observation, const struct prn_capture *capture)
{
	bool repeats = capture->revisit == PRN_REVISIT_IDENTICAL && capture->kind == PRN_KIND_CONTENT;

	observation->key = prn_url_key(capture->normal_url);
	observation->time = capture->time;
	observation->modified = capture->modified < capture->time ? capture->modified : PRN_TIME_UNKNOWN;
	prn_validators_of(&observation->validators, capture);
	observation->retry_after_s = capture->retry_after_s;
	observation->has_crawl_delay = capture->has_crawl_delay;
	observation->crawl_delay_s = capture->crawl_delay_s;
	memcpy(observation->address, capture->address, sizeof observation->address);
	observation->kind = repeats ? PRN_KIND_SAME : capture->kind;
	observation->repeated = repeats;
	observation->of_other = repeats && capture->refers_to_url && strcmp(capture->refers_to_url, capture->normal_url) != 0;
	observation->bytes = (capture->is_digest ? 0 : capture->body_bytes) + (capture->ignored_bytes < PRN_IGNORED_BYTES ? capture->ignored_bytes : PRN_IGNORED_BYTES);
	observation->status = capture->status;
	observation->weight = capture->weight;
	observation->body = 0;
	observation->media = 0;
	observation->hints = PRN_HINT_NONE;
	observation->hinted_length = observation->hinted_count = 0;
	observation->summarised = false;
	observation->text = 0;
	observation->cut = 0;
	observation->other_media = false;
}

/* A redirect is summarised as an import reads it: where it leads is one fragment, whatever type its answer had. */
#define LOCATION_TYPE "application/octet-stream"

static int summarise(struct prn_observation *observation, const struct prn_capture *capture, size_t limit,
                     struct prn_extractor *extractor)
{
	const char *type = observation->kind == PRN_KIND_REDIRECT ? LOCATION_TYPE : capture->content_type;
	struct prn_summary summary;
	uint64_t *grown;
	int code = prn_extractor_summary(extractor, capture->body, capture->body_bytes, type, &summary);

	if (!code && limit > summary.limit)
		code = PRN_E_ARGUMENT;
	if (code)
		return code;
	observation->cut = prn_extractor_cut(extractor);
	observation->text = prn_extractor_text(extractor);
	grown = prn_array_grow(observation->hashes, &observation->hash_capacity, limit, sizeof *grown);
	if (!grown)
		return PRN_E_MEMORY;
	observation->hashes = grown;
	observation->summary = prn_summary_coarsen(&summary, limit, grown);
	observation->summary.of_digest = capture->is_digest;
	observation->summarised = true;
	return 0;
}

/* Takes the page that a redirect leads to, or "" if it has another scheme and so leads out of the web.  A digest does not have it. */
static int take_target(struct prn_observation *observation, const struct prn_capture *capture)
{
	char location[PRN_URL_BYTES + 1], *grown;
	int code;

	if (capture->is_digest || capture->body_bytes >= sizeof location)
		return 0;
	memcpy(location, capture->body, capture->body_bytes);
	location[capture->body_bytes] = 0;
	grown = prn_array_grow(observation->target, &observation->target_capacity, PRN_URL_BYTES + 1, 1);
	if (!grown)
		return PRN_E_MEMORY;
	observation->target = grown;
	code = location[0] ? prn_url_resolve(observation->normal_url, location, grown, PRN_URL_BYTES + 1) : PRN_E_INPUT;
	if (code)
		grown[0] = 0;
	return code == PRN_E_MEMORY ? code : 0;
}

static int take_redirect(struct prn_observation *observation, const struct prn_capture *capture)
{
	int code = take_target(observation, capture);
	bool leads_back = observation->target && !strcmp(observation->target, observation->normal_url);

	/* A redirect to the page itself, often to set a cookie, or to nowhere says nothing about the page. */
	if (code || capture->is_digest || (capture->body_bytes && !leads_back))
		return code;
	observation->kind = PRN_KIND_ERROR;
	observation->target[0] = 0;
	return 0;
}

static int take_content(struct prn_observation *observation, const struct prn_capture *capture, size_t limit,
                        struct prn_extractor *extractor, uint64_t known_body)
{
	const char *media = capture->is_digest ? capture->digest_media : capture->content_type;
	uint64_t digest = prn_digest_bytes(capture->body, capture->body_bytes).high;
	int code = observation->kind == PRN_KIND_REDIRECT ? take_redirect(observation, capture) : 0;

	if (code || !prn_kind_has_content(observation->kind))
		return code;
	observation->body = digest ? digest : 1;
	if (observation->kind == PRN_KIND_CONTENT)
		observation->media = prn_media_code(media);
	observation->other_media = observation->kind == PRN_KIND_CONTENT && !prn_media_is_page(media);
	return observation->body != known_body ? summarise(observation, capture, limit, extractor) : 0;
}

int prn_decider_check_normal(const char *url, const char *normal_url, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	int code = prn_url_normalize(url, SIZE_MAX, normal, sizeof normal);

	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	return code || !normal_url || strcmp(normal_url, normal)
	               ? prn_error_set(error, PRN_E_ARGUMENT, "%.200s: its normal_url is not what prn_url_normalize makes of this URL", url)
	               : 0;
}

bool prn_decider_is_normal(const char *url)
{
	return url && !prn_decider_check_normal(url, url, NULL);
}

/* The page is kept under the key of its normal_url with the spelling url: of two pages the record could not be found again. */
static int check_urls(const struct prn_capture *capture, struct prn_error *error)
{
	int code;

	if (!capture->url)
		return prn_error_set(error, PRN_E_ARGUMENT, "a capture has no URL");
	code = prn_decider_check_normal(capture->url, capture->normal_url, error);
	if (code || !capture->asked_url)
		return code;
	code = prn_decider_check_normal(capture->asked_url, capture->asked_url, error);
	if (code == PRN_E_ARGUMENT)
		prn_error_set(error, code, "%.200s: its asked_url is not what prn_url_normalize makes of a URL", capture->url);
	return code;
}

/* A time of the year 10000 would be the page's last, as all others would be before it. */
int prn_capture_check_time(const char *url, int64_t time, struct prn_error *error)
{
	return time >= PRN_TIME_FIRST && time <= PRN_TIME_LAST
	               ? 0
	               : prn_error_set(error, PRN_E_ARGUMENT, "%.200s: its time is outside the years 1 to 9999", url);
}

/* What no fetch brings. */
static int check_answer(const struct prn_capture *capture, struct prn_error *error)
{
	const char *url = capture->url;

	if (capture->time != PRN_TIME_UNKNOWN && prn_capture_check_time(url, capture->time, error))
		return PRN_E_ARGUMENT;
	if ((unsigned)capture->kind >= PRN_KINDS)
		return prn_error_set(error, PRN_E_ARGUMENT, "%.200s: there is no kind %u of captures", url, (unsigned)capture->kind);
	if (capture->status < 0 || capture->status > 999)
		return prn_error_set(error, PRN_E_ARGUMENT, "%.200s: a status is 0 to 999, not %d", url, capture->status);
	if (capture->status && prn_kind_has_content(capture->kind) && !prn_kind_is_observation(prn_kind_of_status(capture->status)))
		return prn_error_set(error, PRN_E_ARGUMENT, "%.200s: with status %d a capture is of kind %s, not %s", url, capture->status,
		                     prn_kind_name(prn_kind_of_status(capture->status)), prn_kind_name(capture->kind));
	if (capture->retry_after_s < 0 && capture->retry_after_s != PRN_TIME_UNKNOWN)
		return prn_error_set(error, PRN_E_ARGUMENT, "%.200s: retry_after_s is 0 or more", url);
	return 0;
}

int prn_capture_check(const struct prn_capture *capture, struct prn_error *error)
{
	int code = check_urls(capture, error);

	if (code)
		return code;
	if (!(capture->weight >= 0 && capture->weight <= PRN_WEIGHT_MOST))
		return prn_error_set(error, PRN_E_ARGUMENT, "%.200s: the weight must be a number from 0 to 1e9", capture->url);
	return check_answer(capture, error);
}

static int take_asked(struct prn_observation *observation, const struct prn_capture *capture)
{
	struct prn_host_name host = prn_host_name(capture->normal_url), asked = host;

	if (observation->asked)
		observation->asked[0] = 0;
	if (capture->asked_url)
		asked = prn_host_name(capture->asked_url);
	if (asked.length == host.length && !memcmp(asked.text, host.text, host.length))
		return 0;
	return copy(&observation->asked, &observation->asked_capacity, capture->asked_url);
}

int prn_observation_make(struct prn_observation *observation, const struct prn_capture *capture, size_t limit,
                         struct prn_extractor *extractor, uint64_t known_body, struct prn_error *error)
{
	int code = prn_capture_check(capture, error);

	if (!code && (!limit || limit > PRN_PAGE_HASHES))
		code = prn_error_set(error, PRN_E_ARGUMENT, "a summary has 1 to %d hashes, not %zu", PRN_PAGE_HASHES, limit);
	if (code)
		return code;
	take_numbers(observation, capture);
	if (observation->target)
		observation->target[0] = 0;
	if (take_asked(observation, capture) || copy(&observation->url, &observation->url_capacity, capture->url) ||
	    copy(&observation->normal_url, &observation->normal_capacity, capture->normal_url))
		code = PRN_E_MEMORY;
	if (!code && prn_kind_has_content(observation->kind))
		code = take_content(observation, capture, limit, extractor, known_body);
	if (code)
		prn_error_set(error, code, "%s: %s", capture->url, prn_error_text(code));
	return code;
}
