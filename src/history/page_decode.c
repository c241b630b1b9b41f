#include "history/page_check.h"
#include "history/page_codec.h"
#include "history/trace_format.h"

#include <stdlib.h>
#include <string.h>

static int64_t unzigzag(uint64_t value)
{
	return (int64_t)((value >> 1) ^ (value & 1 ? UINT64_MAX : 0));
}

/* Reads a count, and checks that so many items of at least `each` bytes can still follow. */
static int decode_count(struct prn_cursor *in, size_t each, size_t *count)
{
	uint64_t value;

	if (prn_cursor_varint(in, &value) || value > (in->length - in->at) / each || value > UINT32_MAX)
		return PRN_E_INPUT;
	*count = (size_t)value;
	return 0;
}

static int decode_times(struct prn_cursor *in, struct prn_page *page)
{
	int64_t time = 0;

	for (size_t i = 0; i < page->capture_count; i++) {
		uint64_t value;

		if (prn_cursor_varint(in, &value))
			return PRN_E_INPUT;
		if (i && value > (uint64_t)(PRN_TIME_LAST - time))
			return PRN_E_INPUT;
		time = i ? time + (int64_t)value : unzigzag(value);
		if (!prn_page_time_ok(time))
			return PRN_E_INPUT;
		page->captures[i].time = time;
	}
	return 0;
}

static int decode_modified(struct prn_cursor *in, struct prn_page_capture *capture)
{
	uint64_t value;
	int64_t before;

	if (prn_cursor_varint(in, &value))
		return PRN_E_INPUT;
	capture->modified = PRN_TIME_UNKNOWN;
	if (!value)
		return 0;
	before = unzigzag(value - 1);
	if (before > PRN_TIME_LAST - PRN_TIME_FIRST || before < PRN_TIME_FIRST - PRN_TIME_LAST)
		return PRN_E_INPUT;
	capture->modified = capture->time - before;
	return 0;
}

/* Only the canonical encoding of a body is accepted. */
static int decode_body(struct prn_cursor *in, unsigned version, struct prn_page_capture *captures, size_t i)
{
	struct prn_page_capture *capture = &captures[i];
	uint32_t before = i ? captures[i - 1].body : 0, own = (uint32_t)i + 1;
	uint64_t value;
	bool has_payload;

	if (prn_cursor_varint(in, &value) || value > (uint64_t)own + (version >= PRN_TRACE_PAYLOADS))
		return PRN_E_INPUT;
	has_payload = value == (uint64_t)own + 1;
	if (has_payload)
		value = 1;
	capture->body = value ? own - ((uint32_t)value - 1) : before;
	if (value == 1 && prn_cursor_varint(in, &capture->body_bytes))
		return PRN_E_INPUT;
	if (has_payload && (prn_cursor_u64(in, &capture->payload.high) || prn_cursor_u64(in, &capture->payload.low) ||
	                    !(capture->payload.high || capture->payload.low)))
		return PRN_E_INPUT;
	if (value == 1)
		return 0;
	if (value && capture->body == before)
		return PRN_E_INPUT;
	if (capture->body)
		capture->body_bytes = captures[capture->body - 1].body_bytes;
	return 0;
}

static int decode_captures(struct prn_cursor *in, unsigned version, struct prn_page *page)
{
	struct prn_page_capture *captures;
	const unsigned char *kinds;
	size_t count;

	if (decode_count(in, version < PRN_TRACE_BODIES ? 3 : 4, &count))
		return PRN_E_INPUT;
	captures = prn_array_grow(page->captures, &page->capture_capacity, count, sizeof *captures);
	if (!captures)
		return PRN_E_MEMORY;
	page->captures = captures;
	page->capture_count = count;
	if (decode_times(in, page) || prn_cursor_bytes(in, count, &kinds))
		return PRN_E_INPUT;
	for (size_t i = 0; i < count; i++) {
		captures[i].kind = (enum prn_kind)kinds[i];
		captures[i].body = 0;
		captures[i].body_bytes = 0;
		captures[i].media = 0;
		captures[i].payload = (struct prn_digest){ 0 };
		if (decode_modified(in, &captures[i]))
			return PRN_E_INPUT;
	}
	for (size_t i = 0; i < count && version >= PRN_TRACE_BODIES; i++)
		if (decode_body(in, version, captures, i))
			return PRN_E_INPUT;
	return prn_page_check_captures(page) ? PRN_E_INPUT : 0;
}

static int decode_links(struct prn_cursor *in, struct prn_page *page)
{
	uint64_t linked, *links;
	size_t count;

	if (prn_cursor_varint(in, &linked) || linked > page->capture_count)
		return PRN_E_INPUT;
	if (!linked)
		return 0;
	if (decode_count(in, 8, &count))
		return PRN_E_INPUT;
	links = prn_array_grow(page->links, &page->link_capacity, count, sizeof *links);
	if (!links)
		return PRN_E_MEMORY;
	page->links = links;
	page->link_count = count;
	page->linked = (uint32_t)linked;
	for (size_t i = 0; i < count; i++)
		prn_cursor_u64(in, &links[i]);
	return prn_page_check_links(page) ? PRN_E_INPUT : 0;
}

/* The types of the captures with content, in rows that are as long as possible. */
static int decode_types(struct prn_cursor *in, struct prn_page *page)
{
	uint64_t type = 0, left = 0;
	bool any = false;

	for (size_t i = 0; i < page->capture_count; i++) {
		uint64_t before = type;

		if (page->captures[i].kind != PRN_KIND_CONTENT)
			continue;
		if (!left && (prn_cursor_varint(in, &type) || prn_cursor_varint(in, &left) || !left || type > page->media_length ||
		              (any && type == before)))
			return PRN_E_INPUT;
		page->captures[i].media = (uint32_t)type;
		left--;
		any = true;
	}
	return left ? PRN_E_INPUT : 0;
}

static int decode_media(struct prn_cursor *in, struct prn_page *page)
{
	const unsigned char *bytes;
	size_t length;
	char *media;

	if (decode_count(in, 1, &length) || prn_cursor_bytes(in, length, &bytes))
		return PRN_E_INPUT;
	if (!length)
		return 0;
	media = prn_array_grow(page->media, &page->media_capacity, length, 1);
	if (!media)
		return PRN_E_MEMORY;
	page->media = memcpy(media, bytes, length);
	page->media_length = length;
	return decode_types(in, page) || prn_page_check_media(page) ? PRN_E_INPUT : 0;
}

static int decode_runs(struct prn_cursor *in, struct prn_page *page, size_t count)
{
	struct prn_run *runs = prn_array_grow(page->runs, &page->run_capacity, page->run_count + count, sizeof *runs);
	uint64_t at = 0;

	if (!runs)
		return PRN_E_MEMORY;
	page->runs = runs;
	for (size_t i = 0; i < count; i++) {
		uint64_t gap, length;

		if (prn_cursor_varint(in, &gap) || gap > page->capture_count - at)
			return PRN_E_INPUT;
		at += gap;
		if (prn_cursor_varint(in, &length) || length > page->capture_count - at)
			return PRN_E_INPUT;
		runs[page->run_count++] = (struct prn_run){ (uint32_t)at, (uint32_t)(at + length) };
		at += length;
	}
	return prn_page_check_runs(page, &runs[page->run_count - count], count) ? PRN_E_INPUT : 0;
}

/* The runs of one pattern and its stripes, whose hashes follow later. */
static int decode_pattern(struct prn_cursor *in, struct prn_page *page)
{
	size_t first = page->run_count, runs, fragments, left;
	struct prn_stripe *stripes;
	int code;

	if (decode_count(in, 2, &runs) || !runs)
		return PRN_E_INPUT;
	code = decode_runs(in, page, runs);
	if (code)
		return code;
	if (decode_count(in, 8, &fragments) || !fragments)
		return PRN_E_INPUT;
	left = (in->length - in->at) / 8;
	if (fragments > left - (page->stripe_count < left ? page->stripe_count : left))
		return PRN_E_INPUT;
	stripes = prn_array_grow(page->stripes, &page->stripe_capacity, page->stripe_count + fragments, sizeof *stripes);
	if (!stripes)
		return PRN_E_MEMORY;
	page->stripes = stripes;
	for (size_t i = 0; i < fragments; i++)
		stripes[page->stripe_count++] = (struct prn_stripe){ 0, (uint32_t)first, (uint32_t)runs };
	return 0;
}

static int compare_hashes(const void *a, const void *b)
{
	const struct prn_stripe *x = a, *y = b;

	return (x->hash > y->hash) - (x->hash < y->hash);
}

/* Patterns are in order of start; among those with the same start the page is ordered by hash. */
static void sort_stripes(struct prn_page *page)
{
	for (size_t i = 0, end; i < page->stripe_count; i = end) {
		uint32_t start = page->runs[page->stripes[i].first].from;
		bool several = false;

		for (end = i + 1; end < page->stripe_count; end++) {
			if (page->runs[page->stripes[end].first].from != start)
				break;
			several |= page->stripes[end].first != page->stripes[i].first;
		}
		if (several)
			qsort(&page->stripes[i], end - i, sizeof *page->stripes, compare_hashes);
	}
}

static int decode_stripes(struct prn_cursor *in, struct prn_page *page)
{
	size_t patterns;

	if (decode_count(in, 12, &patterns))
		return PRN_E_INPUT;
	for (size_t i = 0; i < patterns; i++) {
		int code = decode_pattern(in, page);

		if (code)
			return code;
	}
	if (in->length - in->at != page->stripe_count * 8)
		return PRN_E_INPUT;
	for (size_t i = 0; i < page->stripe_count; i++)
		prn_cursor_u64(in, &page->stripes[i].hash);
	sort_stripes(page);
	return prn_page_check_order(page) ? PRN_E_INPUT : 0;
}

static int decode(struct prn_cursor *in, unsigned version, struct prn_page *page)
{
	uint64_t weight;
	int code;

	if (prn_cursor_u64(in, &weight))
		return PRN_E_INPUT;
	memcpy(&page->weight, &weight, sizeof weight);
	if (prn_page_check_weight(page->weight))
		return PRN_E_INPUT;
	code = decode_captures(in, version, page);
	if (!code && version >= PRN_TRACE_LINKS)
		code = decode_links(in, page);
	if (!code && version >= PRN_TRACE_MEDIA)
		code = decode_media(in, page);
	return code ? code : decode_stripes(in, page);
}

int prn_page_decode(const unsigned char *bytes, size_t length, unsigned version, struct prn_page *page)
{
	struct prn_cursor in = { bytes, length, 0 };
	int code;

	page->capture_count = page->stripe_count = page->run_count = page->link_count = page->media_length = 0;
	page->linked = 0;
	code = decode(&in, version, page);
	if (code) {
		page->capture_count = page->stripe_count = page->run_count = page->link_count = page->media_length = 0;
		page->linked = 0;
		page->weight = 1;
	}
	return code;
}
