/* A page of a trace told again capture by capture: checked against what each of its runs says by itself. */
#include "history/trace_replay.h"
#include "random_page.h"
#include "tap.h"

#define LONG_CAPTURES 20000
#define LONG_LIFE 10 /* captures */

static bool brings_content(enum prn_kind kind)
{
	return kind == PRN_KIND_CONTENT || kind == PRN_KIND_REDIRECT;
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The fragments of a capture, read run by run. */
static size_t read_version(const struct prn_page *page, size_t capture, uint64_t *hashes)
{
	size_t count = 0;

	for (size_t i = 0; i < page->stripe_count; i++)
		for (uint32_t r = page->stripes[i].first; r < page->stripes[i].first + page->stripes[i].count; r++)
			if (page->runs[r].from <= capture && capture < page->runs[r].to)
				hashes[count++] = page->stripes[i].hash;
	qsort(hashes, count, sizeof *hashes, ascending);
	return count;
}

/* Which body of its content a capture's body is, by all bodies that were told before it. */
static struct prn_digest read_body(const struct prn_page *page, size_t capture, uint64_t *hashes)
{
	size_t first = page->captures[capture].body - 1, count = read_version(page, first, hashes);
	struct prn_digest content = prn_trace_replayed_content(hashes, count, page->captures[first].body_bytes);
	uint32_t ordinal = 1;

	for (size_t i = 0; i < first; i++)
		if (page->captures[i].body == i + 1) {
			struct prn_digest other;

			count = read_version(page, i, hashes);
			other = prn_trace_replayed_content(hashes, count, page->captures[i].body_bytes);
			ordinal += !prn_digest_compare(&other, &content);
		}
	return prn_trace_replayed_digest(&content, ordinal);
}

/* One body in four is of a length that others have too, so that some are the same but for their bytes. */
static void level_bodies(struct prn_random *random, struct prn_page *page)
{
	for (size_t i = 0; i < page->capture_count; i++)
		if (page->captures[i].body == i + 1 && prn_random_below(random, 4))
			page->captures[i].body_bytes = 7;
	for (size_t i = 0; i < page->capture_count; i++)
		if (page->captures[i].body)
			page->captures[i].body_bytes = page->captures[page->captures[i].body - 1].body_bytes;
}

static void random_pages(void)
{
	struct prn_trace_replay retelling;
	size_t versions = 0, differing = 0, called_again = 0, bodies = 0, wrong_bodies = 0, firsts = 0;

	prn_trace_replay_init(&retelling);
	for (uint64_t seed = 1; seed <= 400; seed++) {
		struct prn_random random;
		struct prn_page page;
		uint64_t hashes[2000], before[2000];
		size_t before_count = 0;
		bool first = true;

		prn_random_seed(&random, seed, 0);
		prn_page_init(&page);
		random_page(&random, 40, 1 + seed % 10, &page);
		level_bodies(&random, &page);
		if (prn_trace_replay_begin(&retelling, &page))
			printf("# no memory\n");
		for (size_t i = 0; i < page.capture_count; i++) {
			struct prn_digest body, expected;
			size_t count;
			bool again = true;

			if (!brings_content(page.captures[i].kind))
				continue;
			differing += prn_trace_replay_version(&retelling, i, &again) != 0;
			count = read_version(&page, i, hashes);
			differing += retelling.count != count || memcmp(retelling.hashes, hashes, count * sizeof *hashes) != 0;
			called_again += again && (first || count != before_count || memcmp(hashes, before, count * sizeof *hashes) != 0);
			firsts += first && !count;
			versions++;
			memcpy(before, hashes, count * sizeof *hashes);
			before_count = count;
			first = false;
			if (!prn_trace_replay_body(&retelling, i, &body))
				continue;
			if (!brings_content(page.captures[page.captures[i].body - 1].kind))
				continue;
			expected = read_body(&page, i, hashes);
			wrong_bodies += prn_digest_compare(&body, &expected) != 0;
			bodies++;
		}
		prn_page_release(&page);
	}
	prn_trace_replay_release(&retelling);
	ok(versions > 3000 && !differing, "each version has the fragments whose runs are there: %zu of %zu differ", differing, versions);
	ok(firsts > 20 && !called_again, "only a version that was told in this page before is one that comes again: %zu", called_again);
	ok(bodies > 1000 && !wrong_bodies, "a body is told by its content and by which of those it is: %zu of %zu differ", wrong_bodies, bodies);
}

/*
 * A fragment comes with each capture and stays for ten: 200,000 steps tell all captures, and four billion would where each looks
 * through all runs.
 */
static void long_page(void)
{
	struct prn_trace_replay retelling;
	struct prn_page page;
	size_t wrong = 0;

	prn_page_init(&page);
	page.captures = calloc(LONG_CAPTURES, sizeof *page.captures);
	page.runs = calloc(10 * LONG_CAPTURES, sizeof *page.runs);
	page.stripes = calloc(10 * LONG_CAPTURES, sizeof *page.stripes);
	page.capture_count = LONG_CAPTURES;
	page.stripe_count = page.run_count = 10 * LONG_CAPTURES;
	for (uint32_t i = 0; i < LONG_CAPTURES; i++) {
		uint32_t to = i + LONG_LIFE < LONG_CAPTURES ? i + LONG_LIFE : LONG_CAPTURES;

		page.captures[i] = (struct prn_page_capture){ .time = i, .modified = PRN_TIME_UNKNOWN, .kind = PRN_KIND_CONTENT, .body = i + 1, .body_bytes = 5 };
		for (uint32_t j = 10 * i; j < 10 * (i + 1); j++) {
			page.runs[j] = (struct prn_run){ i, to };
			page.stripes[j] = (struct prn_stripe){ 1000 * (uint64_t)i + j, j, 1 };
		}
	}
	prn_trace_replay_init(&retelling);
	ok(!prn_trace_replay_begin(&retelling, &page), "a page of %d captures is taken up", LONG_CAPTURES);
	for (size_t i = 0; i < LONG_CAPTURES; i++) {
		struct prn_digest body;
		bool again = true;
		size_t there = i + 1 < LONG_LIFE ? i + 1 : LONG_LIFE, oldest = i + 1 - there;

		wrong += prn_trace_replay_version(&retelling, i, &again) || again || retelling.count != 10 * there ||
		         retelling.hashes[0] != 1010 * (uint64_t)oldest || !prn_trace_replay_body(&retelling, i, &body);
	}
	ok(!wrong, "versions that are there are told again, whatever came and went: %zu are wrong", wrong);
	prn_trace_replay_release(&retelling);
	prn_page_release(&page);
}

int main(void)
{
	random_pages();
	long_page();
	return done();
}
