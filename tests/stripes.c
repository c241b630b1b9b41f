/* Versions become stripes: checked against a table of captures by fragments. */
#include "base/random.h"
#include "history/page_check.h"
#include "history/stripes.h"
#include "tap.h"

#include <stdlib.h>

#define CAPTURES 40
#define FRAGMENTS 200

/* there[c][f]: fragment f is in the page at capture c. */
struct table {
	bool there[CAPTURES][FRAGMENTS];
	uint64_t hashes[FRAGMENTS]; /* ascending */
};

static int order(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Fills the table and tells the versions: some captures bring no content, some the same again. */
static bool tell(struct table *table, struct prn_random *random, struct prn_stripes *stripes, struct prn_page *page)
{
	size_t fragments = 1 + prn_random_below(random, FRAGMENTS);

	for (size_t f = 0; f < FRAGMENTS; f++)
		table->hashes[f] = prn_random_bits(random) >> (prn_random_below(random, 2) ? 0 : 40);
	qsort(table->hashes, FRAGMENTS, sizeof(uint64_t), order);
	for (size_t f = 1; f < FRAGMENTS; f++)
		if (table->hashes[f] <= table->hashes[f - 1])
			table->hashes[f] = table->hashes[f - 1] + 1;
	page->capture_count = 1 + prn_random_below(random, CAPTURES);
	for (size_t c = 0; c < page->capture_count; c++) {
		bool content = prn_random_below(random, 4) > 0;
		uint64_t version[FRAGMENTS], flips = prn_random_below(random, 3) * 5;
		size_t count = 0;

		page->captures[c] = (struct prn_page_capture){ .time = (int64_t)c, .modified = PRN_TIME_UNKNOWN, .kind = content ? PRN_KIND_CONTENT : PRN_KIND_ERROR };
		for (size_t f = 0; f < fragments; f++)
			table->there[c][f] = c && table->there[c - 1][f];
		for (; content && flips; flips--)
			table->there[c][prn_random_below(random, fragments)] ^= true;
		for (size_t f = 0; f < fragments; f++)
			if (table->there[c][f])
				version[count++] = table->hashes[f];
		if (content && prn_stripes_version(stripes, c, version, count))
			return false;
	}
	return !prn_stripes_finish(stripes, page);
}

/* Whether the page's stripes say what the table says, and no more. */
static bool agrees(const struct table *table, const struct prn_page *page)
{
	size_t cells = 0, covered = 0;

	for (size_t c = 0; c < page->capture_count; c++)
		for (size_t f = 0; f < FRAGMENTS; f++)
			cells += table->there[c][f];
	for (size_t i = 0; i < page->stripe_count; i++) {
		const struct prn_stripe *stripe = &page->stripes[i];
		const uint64_t *hash = bsearch(&stripe->hash, table->hashes, FRAGMENTS, sizeof *hash, order);

		if (!hash)
			return false;
		for (uint32_t r = stripe->first; r < stripe->first + stripe->count; r++)
			for (uint32_t c = page->runs[r].from; c < page->runs[r].to; c++, covered++)
				if (!table->there[c][hash - table->hashes])
					return false;
	}
	return cells == covered;
}

/* Many fragments that come and go: their runs end where those of a page do, and the next page is none the worse. */
static void limit(struct prn_stripes *stripes, struct prn_page *page)
{
	enum { MANY = 1 << 16 };
	static uint64_t hashes[MANY];
	size_t capture = 0;
	int code = 0;

	for (size_t i = 0; i < MANY; i++)
		hashes[i] = (i + 1) << 40;
	while (!code && capture < 1000) {
		code = prn_stripes_version(stripes, capture, hashes, capture % 2 ? 0 : MANY);
		capture++;
	}
	ok(code == PRN_E_LIMIT && (capture - 1) / 2 == PRN_STRIPES_RUNS / MANY, "a page has no more runs than its limit: %zu captures", capture);
	prn_stripes_drop(stripes);
	page->capture_count = 1;
	ok(!prn_stripes_version(stripes, 0, hashes, 3) && !prn_stripes_finish(stripes, page) && page->stripe_count == 3 && page->run_count == 3,
	   "the page after one that was dropped has its own stripes");
}

int main(void)
{
	static struct table table;
	struct prn_stripes stripes;
	struct prn_page page;
	struct prn_random random;
	size_t right = 0, formed = 0, several = 0, pages = 500;

	prn_random_seed(&random, 5, 0);
	prn_stripes_init(&stripes);
	prn_page_init(&page);
	page.captures = calloc(CAPTURES, sizeof *page.captures);
	for (size_t i = 0; i < pages; i++) {
		memset(&table, 0, sizeof table);
		right += tell(&table, &random, &stripes, &page) && agrees(&table, &page);
		formed += !prn_page_check(&page, NULL);
		several += page.run_count > page.stripe_count;
	}
	ok(right == pages, "%zu of %zu random pages have the stripes that their versions make", right, pages);
	ok(formed == pages, "the stripes of random pages are well-formed");
	ok(several > pages / 2, "most random pages have fragments that went and came back");
	page.capture_count = 0;
	ok(!prn_stripes_finish(&stripes, &page) && !page.stripe_count, "no versions make no stripes");
	limit(&stripes, &page);
	prn_stripes_release(&stripes);
	prn_page_release(&page);
	return done();
}
