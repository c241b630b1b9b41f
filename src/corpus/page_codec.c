#include "corpus/page_codec.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Years 1 to 9999, what prn_time_parse reads: differences of such times cannot overflow. */
#define TIME_FIRST INT64_C(-62135596800)
#define TIME_LAST INT64_C(253402300799)

bool prn_page_time_ok(int64_t time)
{
	return time >= TIME_FIRST && time <= TIME_LAST;
}

/* Small for numbers near 0 of either sign. */
static uint64_t zigzag(int64_t value)
{
	return ((uint64_t)value << 1) ^ (value < 0 ? UINT64_MAX : 0);
}

static int64_t unzigzag(uint64_t value)
{
	return (int64_t)((value >> 1) ^ (value & 1 ? UINT64_MAX : 0));
}

static const char *check_captures(const struct prn_page *page)
{
	for (size_t i = 0; i < page->capture_count; i++) {
		const struct prn_page_capture *capture = &page->captures[i];

		if (!prn_page_time_ok(capture->time) || (capture->modified != PRN_TIME_UNKNOWN && !prn_page_time_ok(capture->modified)))
			return "a time is outside the years 1 to 9999";
		if (i && capture->time <= capture[-1].time)
			return "capture times do not ascend";
		if ((unsigned)capture->kind >= PRN_KINDS)
			return "a capture is of no known kind";
	}
	return page->capture_count > UINT32_MAX ? "it has too many captures" : NULL;
}

static bool brings_content(const struct prn_page *page, size_t capture)
{
	enum prn_kind kind = page->captures[capture].kind;

	return kind == PRN_KIND_CONTENT || kind == PRN_KIND_REDIRECT;
}

/* Fragments come and go only where content came; so a run ends before such a capture or at the end. */
static const char *check_run(const struct prn_page *page, struct prn_run run)
{
	if (run.from >= run.to || run.to > page->capture_count)
		return "a run is empty or passes the last capture";
	if (!brings_content(page, run.from) || (run.to < page->capture_count && !brings_content(page, run.to)))
		return "a run starts or ends where no content came";
	return NULL;
}

static const char *check_runs(const struct prn_page *page, const struct prn_run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *fault = check_run(page, runs[i]);

		if (fault)
			return fault;
		if (i && runs[i].from <= runs[i - 1].to)
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
		/* Stripes that share their runs mostly stand together: once is enough. */
		if (i && stripe[-1].first == stripe->first && stripe[-1].count == stripe->count)
			continue;
		fault = check_runs(page, page->runs + stripe->first, stripe->count);
		if (fault)
			return fault;
	}
	return NULL;
}

static const char *check_order(const struct prn_page *page)
{
	for (size_t i = 1; i < page->stripe_count; i++) {
		const struct prn_stripe *stripe = &page->stripes[i];
		uint32_t was = page->runs[stripe[-1].first].from, is = page->runs[stripe->first].from;

		if (is < was || (is == was && stripe->hash <= stripe[-1].hash))
			return "stripes are not in order of start and hash";
	}
	return NULL;
}

static const char *check_weight(double weight)
{
	return weight > 0 && isfinite(weight) ? NULL : "the weight is not positive and finite";
}

int prn_page_check(const struct prn_page *page, struct prn_error *error)
{
	const char *fault = check_weight(page->weight);

	if (!fault)
		fault = check_captures(page);
	if (!fault)
		fault = check_stripes(page);
	if (!fault)
		fault = check_order(page);
	if (!fault)
		return 0;
	return prn_error_set(error, PRN_E_RANGE, "%s%s%s", page->url ? page->url : "", page->url ? ": " : "", fault);
}

static int encode_captures(const struct prn_page *page, struct prn_buffer *out)
{
	int failed = prn_buffer_append_varint(out, page->capture_count);

	for (size_t i = 0; i < page->capture_count && !failed; i++) {
		int64_t time = page->captures[i].time;

		failed = prn_buffer_append_varint(out, i ? (uint64_t)(time - page->captures[i - 1].time) : zigzag(time));
	}
	for (size_t i = 0; i < page->capture_count && !failed; i++) {
		unsigned char kind = (unsigned char)page->captures[i].kind;

		failed = prn_buffer_append(out, &kind, 1);
	}
	for (size_t i = 0; i < page->capture_count && !failed; i++) {
		const struct prn_page_capture *capture = &page->captures[i];
		bool known = capture->modified != PRN_TIME_UNKNOWN;

		failed = prn_buffer_append_varint(out, known ? 1 + zigzag(capture->time - capture->modified) : 0);
	}
	return failed;
}

/* The stripes that have the same runs, one of which is named. */
struct pattern {
	struct prn_stripe stripe;
	size_t fragments;
	size_t at; /* where the next of their hashes goes */
};

/* Patterns found so far, and a hash table of their indexes + 1; all of it for one page. */
struct patterns {
	const struct prn_run *runs;
	struct pattern *list;
	uint32_t *table, *of_stripe;
	size_t count, mask;
};

/* Runs compared number by number: the order that patterns have in a page's bytes. */
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

static bool same_runs(const struct prn_run *runs, const struct prn_stripe *a, const struct prn_stripe *b)
{
	return a->count == b->count &&
	       (a->first == b->first || !memcmp(runs + a->first, runs + b->first, a->count * sizeof *runs));
}

/* The index of a stripe's pattern, a new one if it has not been seen. */
static uint32_t find_pattern(struct patterns *patterns, const struct prn_stripe *stripe)
{
	size_t slot = (size_t)XXH3_64bits(patterns->runs + stripe->first, stripe->count * sizeof *patterns->runs);

	for (;; slot++) {
		uint32_t *entry = &patterns->table[slot & patterns->mask];

		if (!*entry) {
			patterns->list[patterns->count] = (struct pattern){ .stripe = *stripe };
			*entry = (uint32_t)++patterns->count;
		}
		if (same_runs(patterns->runs, stripe, &patterns->list[*entry - 1].stripe))
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

static void patterns_release(struct patterns *patterns)
{
	free(patterns->table);
	free(patterns->list);
	free(patterns->of_stripe);
}

static int encode_pattern(const struct prn_run *runs, const struct pattern *pattern, struct prn_buffer *out)
{
	const struct prn_stripe *stripe = &pattern->stripe;
	uint32_t at = 0;
	int failed = prn_buffer_append_varint(out, stripe->count);

	for (uint32_t i = 0; i < stripe->count && !failed; i++) {
		struct prn_run run = runs[stripe->first + i];

		failed = prn_buffer_append_varint(out, run.from - at);
		if (!failed)
			failed = prn_buffer_append_varint(out, run.to - run.from);
		at = run.to;
	}
	return failed ? failed : prn_buffer_append_varint(out, pattern->fragments);
}

/*
 * Finds the patterns and writes them in order.  Afterwards at of the pattern that of_stripe tells is where its next
 * hash goes; as stripes of one pattern have one start, they come in the order of their hashes.
 */
static int encode_patterns(const struct prn_page *page, struct patterns *patterns, struct prn_buffer *out)
{
	size_t at = 0;
	uint32_t *ranks = patterns->table;
	int failed = 0;

	for (size_t i = 0; i < page->stripe_count; i++) {
		patterns->of_stripe[i] = find_pattern(patterns, &page->stripes[i]);
		patterns->list[patterns->of_stripe[i]].fragments++;
	}
	for (size_t i = 0; i < patterns->count; i++)
		patterns->list[i].at = i;
	qsort_r(patterns->list, patterns->count, sizeof *patterns->list, compare_patterns, page->runs);
	failed = prn_buffer_append_varint(out, patterns->count);
	for (size_t i = 0; i < patterns->count && !failed; i++) {
		struct pattern *pattern = &patterns->list[i];

		ranks[pattern->at] = (uint32_t)i;
		pattern->at = at;
		at += pattern->fragments;
		failed = encode_pattern(page->runs, pattern, out);
	}
	for (size_t i = 0; i < page->stripe_count; i++)
		patterns->of_stripe[i] = ranks[patterns->of_stripe[i]];
	return failed;
}

static void put_u64(unsigned char *out, uint64_t value)
{
	for (int i = 0; i < 8; i++)
		out[i] = (unsigned char)(value >> (8 * i));
}

static int encode_stripes(const struct prn_page *page, struct prn_buffer *out)
{
	struct patterns patterns;
	int failed = patterns_init(&patterns, page);

	if (!failed)
		failed = encode_patterns(page, &patterns, out);
	if (!failed)
		failed = prn_buffer_reserve(out, page->stripe_count * 8);
	if (!failed) {
		for (size_t i = 0; i < page->stripe_count; i++)
			put_u64(out->data + out->length + 8 * patterns.list[patterns.of_stripe[i]].at++,
			        page->stripes[i].hash);
		out->length += page->stripe_count * 8;
	}
	patterns_release(&patterns);
	return failed;
}

int prn_page_encode(const struct prn_page *page, struct prn_buffer *out)
{
	uint64_t weight;
	int failed;

	memcpy(&weight, &page->weight, sizeof weight);
	failed = prn_buffer_append_u64(out, weight);
	if (!failed)
		failed = encode_captures(page, out);
	if (failed)
		return failed;
	return page->stripe_count ? encode_stripes(page, out) : prn_buffer_append_varint(out, 0);
}

/* Reads a count of things that take at least each bytes apiece in what is left. */
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
		if (i && value > (uint64_t)(TIME_LAST - time))
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
	if (before > TIME_LAST - TIME_FIRST || before < TIME_FIRST - TIME_LAST)
		return PRN_E_INPUT;
	capture->modified = capture->time - before;
	return 0;
}

static int decode_captures(struct prn_cursor *in, struct prn_page *page)
{
	struct prn_page_capture *captures;
	const unsigned char *kinds;
	size_t count;

	if (decode_count(in, 3, &count))
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
		if (decode_modified(in, &captures[i]))
			return PRN_E_INPUT;
	}
	return check_captures(page) ? PRN_E_INPUT : 0;
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
	return check_runs(page, &runs[page->run_count - count], count) ? PRN_E_INPUT : 0;
}

/* One pattern's runs and the stripes that have it, their hashes yet to come. */
static int decode_pattern(struct prn_cursor *in, struct prn_page *page)
{
	size_t first = page->run_count, runs, fragments, left;
	struct prn_stripe *stripes;
	int failed;

	if (decode_count(in, 2, &runs) || !runs)
		return PRN_E_INPUT;
	failed = decode_runs(in, page, runs);
	if (failed)
		return failed;
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

/* Patterns stand in order of start; among those of one start the page is ordered by hash. */
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
		int failed = decode_pattern(in, page);

		if (failed)
			return failed;
	}
	if (in->length - in->at != page->stripe_count * 8)
		return PRN_E_INPUT;
	for (size_t i = 0; i < page->stripe_count; i++)
		prn_cursor_u64(in, &page->stripes[i].hash);
	sort_stripes(page);
	return check_order(page) ? PRN_E_INPUT : 0;
}

static int decode(struct prn_cursor *in, struct prn_page *page)
{
	uint64_t weight;
	int failed;

	if (prn_cursor_u64(in, &weight))
		return PRN_E_INPUT;
	memcpy(&page->weight, &weight, sizeof weight);
	if (check_weight(page->weight))
		return PRN_E_INPUT;
	failed = decode_captures(in, page);
	return failed ? failed : decode_stripes(in, page);
}

int prn_page_decode(const unsigned char *bytes, size_t length, struct prn_page *page)
{
	struct prn_cursor in = { bytes, length, 0 };
	int failed;

	page->capture_count = page->stripe_count = page->run_count = 0;
	failed = decode(&in, page);
	if (failed) {
		page->capture_count = page->stripe_count = page->run_count = 0;
		page->weight = 1;
	}
	return failed;
}
