/* Computes which rates a likelihood leaves possible. */
#ifndef MODEL_CONFIDENCE_H
#define MODEL_CONFIDENCE_H

/* Returns the z with Pr[|Z| <= z] = confidence, in (0, 1), of a standard normal variable. */
double prn_confidence_z(double confidence);

/*
 * The log-likelihood of a rate λ given the changes that were seen: finite for 0 < λ < INFINITY, it rises to a
 * single maximum, which may be at either end, and falls again.
 */
typedef double prn_log_likelihood(const void *context, double rate);

/*
 * Finds where the log-likelihood is z²/2 below its maximum: *low is 0, or *high INFINITY, if it does not fall
 * that low on that side. best >= 0 is close to the maximum, or INFINITY if it is there; scale > 0 is a rate of
 * the expected order of magnitude.
 */
void prn_confidence_find(prn_log_likelihood *log_likelihood, const void *context, double best, double scale, double z,
                         double *low, double *high);

/*
 * The same for n visits at intervals of t, of which x saw a change: the log-likelihood is that of a binomial
 * variable. 0 <= x <= n; x is not whole where visits are forgotten.  Without visits: 0 and INFINITY.
 */
void prn_confidence_binomial(double x, double n, double t, double confidence, double *low, double *high);

#endif
