/*
 * What a new page of a known site is believed to be like: like the pages that share its URL pattern, as far as these are
 * known; else like its host's pages; else like all pages (doc/theory.md §16).
 *
 * What one page's own visits say is its evidence.  Evidence of pages adds up, in any order, and what a page said before is
 * replaced when it says more.  Only pages that drift is learned from say anything, and only while they are young: what they
 * said last stays.  A page is told of its siblings once, at its first visit, and relies on that less with each visit of its
 * own.
 *
 * Time is in any one unit, the same for all rates of a site.  Plain numbers: copy them freely.
 */
#ifndef PERENNIAL_SIBLINGS_H
#define PERENNIAL_SIBLINGS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of a page, or of many together.  All zero: nothing is known. */
struct prn_evidence {
	double drift; /* Σ Σd/(Στ + τ), >= 0, per unit of time: drift rates, each as much as its page is known … */
	double known; /* Σ Στ/(Στ + τ): … which is from 0 to 1 for each page */
};

/*
 * The evidence of a page that moved so far (Σd >= 0) in a time (Στ >= 0); in the time half, τ > 0, a page is known by half.
 */
struct prn_evidence prn_evidence_of(double moved, double time, double half);

/* τ as a share of the prior's time β. */
#define PRN_SIBLINGS_HALF 0.25

/* Takes in what one page says, now instead of before; either may be all zero.  What is left is never below 0. */
void prn_evidence_replace(struct prn_evidence *sum, const struct prn_evidence *before, const struct prn_evidence *now);

/* The other pages of a page's pattern, and of its host, its pattern among them.  All zero: none are known. */
struct prn_siblings {
	struct prn_evidence pattern, host;
};

/*
 * The drift rate that siblings lead to expect, by p = (A_p + h/2)/(B_p + 1/2) with h = (A_h + 2 μ)/(B_h + 2): a pattern is
 * shrunk to its host by half a known page, a host to the mean drift of all pages, μ > 0, by two.  The rate is p where p is
 * above μ; below, it is √(p μ), because among still pages there are some that move, and visits are made for these.  At least
 * μ/10 and at most 4 μ: on the word of its siblings alone a page is first visited at most twice as often as others.  0 where
 * nothing is known.
 */
double prn_siblings_rate(const struct prn_siblings *siblings, double mean);

/*
 * What is left of it, in the logarithm, for a page of which so many intervals between visits were seen: .85^intervals, so that
 * mean (rate/mean)^left is believed.  0 from PRN_SIBLINGS_INTERVALS on, where it is below a twentieth.
 */
double prn_siblings_left(uint64_t intervals);

/* A page that has more intervals between visits behind it is not young: it neither heeds its siblings nor tells them anything. */
#define PRN_SIBLINGS_INTERVALS 20

#define PRN_PATTERN_BYTES 255

/*
 * Writes the pattern of a URL in normal form, and returns how long it is: its path up to the last slash, in which each run of
 * digits is a '#'; escapes stay as they are.  "http://a.example/news/2024/05/x7.html?y" has "/news/#/#/".  It is cut to
 * PRN_PATTERN_BYTES, so pages that are alike so far are of one pattern.
 */
size_t prn_url_pattern(const char *normal_url, char pattern[PRN_PATTERN_BYTES + 1]);

#ifdef __cplusplus
}
#endif

#endif
