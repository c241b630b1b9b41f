#include "base/portable.h"
#include "history/page_codec.h"
#include "history/stripes.h"
#include "history/trace_format.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Maps numbers near 0 of either sign to small ones. */
static uint64_t zigzag(int64_t value)
{
	return ((uint64_t)value << 1) ^ (value < 0 ? UINT64_MAX : 0);
}

/* Writes how a capture's body relates to earlier ones (trace_format.h). */
static int encode_body(const struct prn_page *page, size_t i, struct prn_buffer *out)
{
	const struct prn_page_capture *capture = &page->captures[i];
	uint32_t before = i ? capture[-1].body : 0, own = (uint32_t)i + 1;
	bool has_payload = capture->payload.high || capture->payload.low;
	int code;

	if (capture->body == before)
		return prn_buffer_append_varint(out, 0);
	if (capture->body != own)
		return prn_buffer_append_varint(out, 1 + (uint64_t)(own - capture->body));
	code = prn_buffer_append_varint(out, has_payload ? (uint64_t)own + 1 : 1);
	code = code ? code : prn_buffer_append_varint(out, capture->body_bytes);
	if (code || !has_payload)
		return code;
	code = prn_buffer_append_u64(out, capture->payload.high);
	return code ? code : prn_buffer_append_u64(out, capture->payload.low);
}

static int encode_captures(const struct prn_page *page, struct prn_buffer *out)
{
	int code = prn_buffer_append_varint(out, page->capture_count);

	for (size_t i = 0; i < page->capture_count && !code; i++) {
		int64_t time = page->captures[i].time;

		code = prn_buffer_append_varint(out, i ? (uint64_t)(time - page->captures[i - 1].time) : zigzag(time));
	}
	for (size_t i = 0; i < page->capture_count && !code; i++) {
		unsigned char kind = (unsigned char)page->captures[i].kind;

		code = prn_buffer_append(out, &kind, 1);
	}
	for (size_t i = 0; i < page->capture_count && !code; i++) {
		const struct prn_page_capture *capture = &page->captures[i];
		bool known = capture->modified != PRN_TIME_UNKNOWN;

		code = prn_buffer_append_varint(out, known ? 1 + zigzag(capture->time - capture->modified) : 0);
	}
	for (size_t i = 0; i < page->capture_count && !code; i++)
		code = encode_body(page, i, out);
	return code;
}

/* A set of stripes with the same runs, represented by one of them. */
struct pattern {
	struct prn_stripe stripe;
	size_t fragments;
	size_t at; /* position of the next of their hashes */
};

/* The patterns found so far, and a hash table of their indexes + 1; all for one page. */
struct patterns {
	const struct prn_run *runs;
	struct pattern *list;
	uint32_t *table, *of_stripe;
	size_t count, mask;
};

/* Compares runs number by number: this is the order of patterns in a page's bytes. */
static int compare_patterns(const void *a, const void *b, void *context)
{
	const struct prn_stripe *x = &((const struct pattern *)a)->stripe, *y = &((const struct pattern *)b)->stripe;
	const struct prn_run *runs = context;

	for (uint32_t i = 0; i < x->count && i < y->count; i++) {
		struct prn_run one = runs[x->first + i], other = runs[y->first + i];

		if (one.from != other.from)
			return one.from < other.from ? -1 : 1;
		if (one.to != other.to)
			return one.to < other.to ? -1 : 1;
	}
	return (x->count > y->count) - (x->count < y->count);
}

/* Returns the index of a stripe's pattern, which is a new one if it has not occurred yet. */
static uint32_t find_pattern(struct patterns *patterns, const struct prn_stripe *stripe)
{
	size_t slot = (size_t)XXH3_64bits(patterns->runs + stripe->first, stripe->count * sizeof *patterns->runs);

	for (;; slot++) {
		uint32_t *entry = &patterns->table[slot & patterns->mask];

		if (!*entry) {
			patterns->list[patterns->count] = (struct pattern){ .stripe = *stripe };
			*entry = (uint32_t)++patterns->count;
		}
		if (prn_stripes_alike(patterns->runs, stripe, &patterns->list[*entry - 1].stripe))
			return *entry - 1;
	}
}

static int patterns_init(struct patterns *patterns, const struct prn_page *page)
{
	size_t slots = 16;

	while (slots < 2 * page->stripe_count)
		slots *= 2;
	*patterns = (struct patterns){ .runs = page->runs, .mask = slots - 1 };
	patterns->table = calloc(slots, sizeof *patterns->table);
	patterns->list = malloc(page->stripe_count * sizeof *patterns->list);
	patterns->of_stripe = malloc(page->stripe_count * sizeof *patterns->of_stripe);
	return patterns->table && patterns->list && patterns->of_stripe ? 0 : PRN_E_MEMORY;
}

static int encode_pattern(const struct prn_run *runs, const struct pattern *pattern, struct prn_buffer *out)
{
	const struct prn_stripe *stripe = &pattern->stripe;
	uint32_t at = 0;
	int code = prn_buffer_append_varint(out, stripe->count);

	for (uint32_t i = 0; i < stripe->count && !code; i++) {
		struct prn_run run = runs[stripe->first + i];

		code = prn_buffer_append_varint(out, run.from - at);
		if (!code)
			code = prn_buffer_append_varint(out, run.to - run.from);
		at = run.to;
	}
	return code ? code : prn_buffer_append_varint(out, pattern->fragments);
}

/*
 * Finds the patterns and writes them in order.  Afterwards of_stripe gives the pattern of each stripe, and the
 * pattern's `at` the position of its next hash; stripes of one pattern have the same start, so they come in the
 * order of their hashes.
 */
static int encode_patterns(const struct prn_page *page, struct patterns *patterns, struct prn_buffer *out)
{
	size_t at = 0;
	uint32_t *ranks = patterns->table;
	int code = 0;

	for (size_t i = 0; i < page->stripe_count; i++) {
		patterns->of_stripe[i] = find_pattern(patterns, &page->stripes[i]);
		patterns->list[patterns->of_stripe[i]].fragments++;
	}
	for (size_t i = 0; i < patterns->count; i++)
		patterns->list[i].at = i;
	prn_sort_by(patterns->list, patterns->count, sizeof *patterns->list, compare_patterns, page->runs);
	code = prn_buffer_append_varint(out, patterns->count);
	for (size_t i = 0; i < patterns->count && !code; i++) {
		struct pattern *pattern = &patterns->list[i];

		ranks[pattern->at] = (uint32_t)i;
		pattern->at = at;
		at += pattern->fragments;
		code = encode_pattern(page->runs, pattern, out);
	}
	for (size_t i = 0; i < page->stripe_count; i++)
		patterns->of_stripe[i] = ranks[patterns->of_stripe[i]];
	return code;
}

static int encode_stripes(const struct prn_page *page, struct prn_buffer *out)
{
	struct patterns patterns;
	int code = patterns_init(&patterns, page);

	if (!code)
		code = encode_patterns(page, &patterns, out);
	if (!code)
		code = prn_buffer_reserve(out, page->stripe_count * 8);
	if (!code) {
		for (size_t i = 0; i < page->stripe_count; i++)
			prn_little_put(out->data + out->length + 8 * patterns.list[patterns.of_stripe[i]].at++, 8,
			               page->stripes[i].hash);
		out->length += page->stripe_count * 8;
	}
	free(patterns.table);
	free(patterns.list);
	free(patterns.of_stripe);
	return code;
}

static int encode_links(const struct prn_page *page, struct prn_buffer *out)
{
	int code = prn_buffer_append_varint(out, page->linked);

	if (page->linked && !code)
		code = prn_buffer_append_varint(out, page->link_count);
	for (size_t i = 0; i < page->link_count && page->linked && !code; i++)
		code = prn_buffer_append_u64(out, page->links[i]);
	return code;
}

/* The content of a page is mostly of one type: one run. */
static int encode_media(const struct prn_page *page, struct prn_buffer *out)
{
	int code = prn_buffer_append_varint(out, page->media_length);
	uint32_t type = 0;
	size_t run = 0;

	if (code || !page->media_length)
		return code;
	code = prn_buffer_append(out, page->media, page->media_length);
	for (size_t i = 0; i <= page->capture_count && !code; i++) {
		const struct prn_page_capture *capture = i < page->capture_count ? &page->captures[i] : NULL;

		if (capture && capture->kind != PRN_KIND_CONTENT)
			continue;
		if (run && (!capture || capture->media != type)) {
			code = prn_buffer_append_varint(out, type);
			code = code ? code : prn_buffer_append_varint(out, run);
			run = 0;
		}
		type = capture ? capture->media : 0;
		run++;
	}
	return code;
}

int prn_page_encode(const struct prn_page *page, unsigned version, struct prn_buffer *out)
{
	uint64_t weight;
	int code;

	memcpy(&weight, &page->weight, sizeof weight);
	code = prn_buffer_append_u64(out, weight);
	if (!code)
		code = encode_captures(page, out);
	if (!code && version >= PRN_TRACE_LINKS)
		code = encode_links(page, out);
	if (!code && version >= PRN_TRACE_MEDIA)
		code = encode_media(page, out);
	if (code)
		return code;
	return page->stripe_count ? encode_stripes(page, out) : prn_buffer_append_varint(out, 0);
}
