#include "history/page_check.h"
#include "history/media_types.h"
#include "perennial/source.h"

#include <string.h>

bool prn_page_time_ok(int64_t time)
{
	return time >= PRN_TIME_FIRST && time <= PRN_TIME_LAST;
}

static bool brings_content(const struct prn_page *page, size_t capture)
{
	enum prn_kind kind = page->captures[capture].kind;

	return kind == PRN_KIND_CONTENT || kind == PRN_KIND_REDIRECT;
}

/* A body is that of the previous capture or, where content came, a new one or any earlier one. */
static const char *check_body(const struct prn_page *page, size_t i)
{
	const struct prn_page_capture *captures = page->captures, *capture = &captures[i], *first;
	uint32_t before = i ? captures[i - 1].body : 0;

	if ((capture->payload.high || capture->payload.low) && (capture->body != i + 1 || !brings_content(page, i)))
		return "a payload digest is not of the first capture with a body";
	if (!capture->body)
		return before || capture->body_bytes ? "a body is not known that was known before" : NULL;
	if (capture->body != before && !brings_content(page, i))
		return "a body changes where no content came";
	if (capture->body > i + 1)
		return "a body is that of a later capture";
	first = &captures[capture->body - 1];
	if (first->body != capture->body || first->body_bytes != capture->body_bytes)
		return "a body is not that of the capture that it refers to";
	return NULL;
}

const char *prn_page_check_captures(const struct prn_page *page)
{
	for (size_t i = 0; i < page->capture_count; i++) {
		const struct prn_page_capture *capture = &page->captures[i];
		const char *fault = check_body(page, i);

		if (!prn_page_time_ok(capture->time) || (capture->modified != PRN_TIME_UNKNOWN && !prn_page_time_ok(capture->modified)))
			return "a time is outside the years 1 to 9999";
		if (i && capture->time <= capture[-1].time)
			return "capture times do not ascend";
		if ((unsigned)capture->kind >= PRN_KINDS)
			return "a capture is of no known kind";
		if (fault)
			return fault;
	}
	return page->capture_count > UINT32_MAX ? "it has too many captures" : NULL;
}

const char *prn_page_check_runs(const struct prn_page *page, const struct prn_run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct prn_run run = runs[i];

		if (run.from >= run.to || run.to > page->capture_count)
			return "a run is empty or passes the last capture";
		/* Fragments come and go only where content came, so a run ends before such a capture or at the end. */
		if (!brings_content(page, run.from) || (run.to < page->capture_count && !brings_content(page, run.to)))
			return "a run starts or ends where no content came";
		if (i && run.from <= runs[i - 1].to)
			return "runs overlap, touch or do not ascend";
	}
	return NULL;
}

static const char *check_stripes(const struct prn_page *page)
{
	if (page->stripe_count >= UINT32_MAX)
		return "it has too many fragments";
	for (size_t i = 0; i < page->stripe_count; i++) {
		const struct prn_stripe *stripe = &page->stripes[i];
		const char *fault;

		if (!stripe->count || stripe->count > page->run_count || stripe->first > page->run_count - stripe->count)
			return "a stripe has no runs, or runs that are not there";
		/* Stripes that share their runs are mostly consecutive: one check is enough. */
		if (i && stripe[-1].first == stripe->first && stripe[-1].count == stripe->count)
			continue;
		fault = prn_page_check_runs(page, page->runs + stripe->first, stripe->count);
		if (fault)
			return fault;
	}
	return NULL;
}

const char *prn_page_check_order(const struct prn_page *page)
{
	for (size_t i = 1; i < page->stripe_count; i++) {
		const struct prn_stripe *stripe = &page->stripes[i];
		uint32_t was = page->runs[stripe[-1].first].from, is = page->runs[stripe->first].from;

		if (is < was || (is == was && stripe->hash <= stripe[-1].hash))
			return "stripes are not in order of start and hash";
	}
	return NULL;
}

const char *prn_page_check_links(const struct prn_page *page)
{
	if (page->linked ? page->linked > page->capture_count || !brings_content(page, page->linked - 1) : page->link_count)
		return "its links are of no capture with content";
	for (size_t i = 1; i < page->link_count; i++)
		if (page->links[i] <= page->links[i - 1])
			return "its links do not ascend";
	return NULL;
}

/* Returns the bytes of a media type's name with its NUL, or 0 if it is not one. */
static size_t check_type(const char *type, size_t length)
{
	size_t at = 0;

	while (at < length && at <= PRN_MEDIA_BYTES && prn_media_type_has(type[at]))
		at++;
	return at && at <= PRN_MEDIA_BYTES && at < length && !type[at] ? at + 1 : 0;
}

const char *prn_page_check_media(const struct prn_page *page)
{
	const char *media = page->media, *before = NULL;

	if (page->media_length > UINT32_MAX)
		return "it has too many media types";
	for (size_t at = 0, bytes; at < page->media_length; at += bytes) {
		bytes = check_type(media + at, page->media_length - at);
		if (!bytes || (before && strcmp(before, media + at) >= 0))
			return "its media types are none, or do not ascend";
		before = media + at;
	}
	for (size_t i = 0; i < page->capture_count; i++) {
		const struct prn_page_capture *capture = &page->captures[i];

		if (capture->media && (capture->kind != PRN_KIND_CONTENT || capture->media > page->media_length ||
		                       (capture->media > 1 && media[capture->media - 2])))
			return "a media type is of no content, or not one of the page's";
	}
	return NULL;
}

const char *prn_page_check_weight(double weight)
{
	return weight > 0 && weight <= PRN_WEIGHT_MOST ? NULL : "the weight is not above 0 and at most 1e9";
}

int prn_page_check(const struct prn_page *page, struct prn_error *error)
{
	const char *fault = prn_page_check_weight(page->weight);

	if (!fault)
		fault = prn_page_check_captures(page);
	if (!fault)
		fault = prn_page_check_links(page);
	if (!fault)
		fault = prn_page_check_media(page);
	if (!fault)
		fault = check_stripes(page);
	if (!fault)
		fault = prn_page_check_order(page);
	if (!fault)
		return 0;
	return prn_error_set(error, PRN_E_ARGUMENT, "%s%s%s", page->url ? page->url : "", page->url ? ": " : "", fault);
}
