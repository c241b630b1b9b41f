#include "corpus/page_codec.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Years 1 to 9999, what prn_time_parse reads: differences of such times cannot overflow. */
#define TIME_FIRST INT64_C(-62135596800)
#define TIME_LAST INT64_C(253402300799)

static bool is_time(int64_t time)
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

		if (!is_time(capture->time) || (capture->modified != PRN_TIME_UNKNOWN && !is_time(capture->modified)))
			return "a time is outside the years 1 to 9999";
		if (i && capture->time <= capture[-1].time)
			return "capture times do not ascend";
		if ((unsigned)capture->kind >= PRN_KINDS)
			return "a capture is of no known kind";
	}
	return page->capture_count > UINT32_MAX ? "too many captures" : NULL;
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

/* By runs, numbers compared in turn, then by hash: equal patterns become neighbours in order of start. */
static int compare_patterns(const struct prn_run *runs, const struct prn_stripe *a, const struct prn_stripe *b)
{
	uint32_t shorter = a->count < b->count ? a->count : b->count;

	if (a->first == b->first && a->count == b->count)
		return 0;
	for (uint32_t i = 0; i < shorter; i++) {
		struct prn_run x = runs[a->first + i], y = runs[b->first + i];

		if (x.from != y.from)
			return x.from < y.from ? -1 : 1;
		if (x.to != y.to)
			return x.to < y.to ? -1 : 1;
	}
	return (a->count > b->count) - (a->count < b->count);
}

static int compare_by_pattern(const void *a, const void *b, void *context)
{
	const struct prn_stripe *x = a, *y = b;
	int order = compare_patterns(context, x, y);

	return order ? order : (x->hash > y->hash) - (x->hash < y->hash);
}

/* The stripes from … to-1 have one pattern. */
static int encode_pattern(const struct prn_run *runs, const struct prn_stripe *stripe, size_t fragments,
                          struct prn_buffer *out)
{
	uint32_t at = 0;
	int failed = prn_buffer_append_varint(out, stripe->count);

	for (uint32_t i = 0; i < stripe->count && !failed; i++) {
		struct prn_run run = runs[stripe->first + i];

		failed = prn_buffer_append_varint(out, run.from - at);
		if (!failed)
			failed = prn_buffer_append_varint(out, run.to - run.from);
		at = run.to;
	}
	return failed ? failed : prn_buffer_append_varint(out, fragments);
}

static size_t pattern_end(const struct prn_page *page, const struct prn_stripe *sorted, size_t from)
{
	size_t end = from + 1;

	while (end < page->stripe_count && !compare_patterns(page->runs, &sorted[from], &sorted[end]))
		end++;
	return end;
}

static int encode_stripes(const struct prn_page *page, const struct prn_stripe *sorted, struct prn_buffer *out)
{
	size_t patterns = 0;
	int failed;

	for (size_t i = 0; i < page->stripe_count; i = pattern_end(page, sorted, i))
		patterns++;
	failed = prn_buffer_append_varint(out, patterns);
	for (size_t i = 0, end; i < page->stripe_count && !failed; i = end) {
		end = pattern_end(page, sorted, i);
		failed = encode_pattern(page->runs, &sorted[i], end - i, out);
	}
	for (size_t i = 0; i < page->stripe_count && !failed; i++)
		failed = prn_buffer_append_u64(out, sorted[i].hash);
	return failed;
}

int prn_page_encode(const struct prn_page *page, struct prn_buffer *out)
{
	struct prn_stripe *sorted = NULL;
	uint64_t weight;
	int failed;

	memcpy(&weight, &page->weight, sizeof weight);
	failed = prn_buffer_append_u64(out, weight);
	if (!failed)
		failed = encode_captures(page, out);
	if (failed)
		return failed;
	if (page->stripe_count) {
		sorted = malloc(page->stripe_count * sizeof *sorted);
		if (!sorted)
			return PRN_E_MEMORY;
		memcpy(sorted, page->stripes, page->stripe_count * sizeof *sorted);
		qsort_r(sorted, page->stripe_count, sizeof *sorted, compare_by_pattern, page->runs);
	}
	failed = encode_stripes(page, sorted, out);
	free(sorted);
	return failed;
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
		if (!is_time(time))
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
