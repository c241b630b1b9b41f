/* The divergence of every two versions of a page, against counting over sets. */
#include "history/versions.h"
#include "histories.h"
#include "perennial/summary.h"
#include "tap.h"

static int hash_order(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* All fragments of a capture, sorted into hashes. */
static struct prn_summary summary(const struct history *history, size_t i, uint64_t hashes[HISTORY_FRAGMENTS])
{
	size_t n = 0;

	for (size_t j = 0; j < HISTORY_FRAGMENTS; j++)
		if (history->has[i][j])
			hashes[n++] = history_hash(j);
	qsort(hashes, n, sizeof *hashes, hash_order);
	return (struct prn_summary){ hashes, n, PRN_SUMMARY_ALL, true, false };
}

/* Every capture as its fragments' hashes. */
struct summaries {
	uint64_t hashes[HISTORY_CAPTURES][HISTORY_FRAGMENTS];
	struct prn_summary of[HISTORY_CAPTURES];
};

/* The largest difference between the matrix and counting. */
static double worst_exact(const struct history *history, const struct prn_versions *versions, const double *matrix)
{
	double largest = 0;

	for (size_t a = 0; a < versions->captures; a++)
		for (size_t b = 0; b < versions->captures; b++)
			largest = fmax(largest, fabs(matrix[versions->of[a] * versions->count + versions->of[b]] -
			                             history_divergence(history, versions->first + a, versions->first + b)));
	return largest;
}

/* The largest difference between the matrix and prn_summary_divergence of the m smallest hashes. */
static double worst_estimate(const struct summaries *summaries, const struct prn_versions *versions, const double *matrix, size_t m)
{
	struct prn_summary smallest[HISTORY_CAPTURES];
	double largest = 0;

	for (size_t a = 0; a < versions->captures; a++)
		smallest[a] = prn_summary_smallest(&summaries->of[versions->first + a], m);
	for (size_t a = 0; a < versions->captures; a++)
		for (size_t b = 0; b < versions->captures; b++)
			largest = fmax(largest, fabs(matrix[versions->of[a] * versions->count + versions->of[b]] -
			                             prn_summary_divergence(&smallest[a], &smallest[b])));
	return largest;
}

static void by_hand(void)
{
	struct history history;
	struct prn_page page;
	struct prn_versions versions;
	double matrix[16];

	/* Versions: 0 abcd, 1 abce, 2 abcd again after a failure, 3 nothing. */
	history_read(&history, "abcd abcd abce ! abcd 0");
	prn_page_init(&page);
	history_page(&history, "http://a.example/", &page);
	prn_versions_init(&versions);
	ok(!prn_versions_find(&versions, &page, 0, 5) && versions.count == 4,
	   "of six captures four versions are found");
	ok(versions.of[2] == 1 && versions.of[3] == 1, "a failed capture keeps the version before it");
	ok(versions.of[1] == 0 && versions.of[5] == 3,
	   "captures of other content are of other versions, numbered as they come");
	ok(!prn_versions_exact(&versions, &page, matrix), "the matrix of the versions' divergences is made");
	near(matrix[0 * 4 + 1], 1 - 3.0 / 5, 1e-15, "abcd and abce share 3 of 5");
	near(matrix[0 * 4 + 2], 0, 0, "a version that comes back does not differ from itself");
	near(matrix[1 * 4 + 3], 1, 0, "every version differs wholly from an empty one");
	near(matrix[3 * 4 + 3], 0, 0, "an empty version does not differ from itself");
	ok(prn_versions_estimate(&versions, &page, 0, matrix) == PRN_E_ARGUMENT, "summaries of no hashes are refused");
	prn_versions_release(&versions);
	prn_page_release(&page);
}

/* A part of the page's life is as good as all of it: runs are cut at its ends. */
static void by_chance(void)
{
	static double matrix[HISTORY_CAPTURES * HISTORY_CAPTURES];
	static struct summaries summaries;
	struct prn_versions versions;
	double exact = 0, estimated = 0;
	struct history history;
	struct prn_page page;

	prn_page_init(&page);
	prn_versions_init(&versions);
	for (uint64_t seed = 0; seed < 60; seed++) {
		size_t first = seed % 3, cut = seed % 2;

		history_draw(&history, seed);
		history_page(&history, "http://a.example/", &page);
		if (history.captures < 6)
			continue;
		if (prn_versions_find(&versions, &page, first, history.captures - 1 - cut) ||
		    prn_versions_exact(&versions, &page, matrix))
			abort();
		exact = fmax(exact, worst_exact(&history, &versions, matrix));
		for (size_t i = 0; i < history.captures; i++)
			summaries.of[i] = summary(&history, i, summaries.hashes[i]);
		for (size_t m = 1; m <= HISTORY_FRAGMENTS; m++) {
			if (prn_versions_estimate(&versions, &page, m, matrix))
				abort();
			estimated = fmax(estimated, worst_estimate(&summaries, &versions, matrix, m));
		}
	}
	near(exact, 0, 1e-15, "60 random pages: every pair of captures as counted (one rounding apart)");
	near(estimated, 0, 0,
	     "60 random pages: every estimate is prn_summary_divergence's at each m to 64");
	prn_versions_release(&versions);
	prn_page_release(&page);
}

int main(void)
{
	by_hand();
	by_chance();
	return done();
}
