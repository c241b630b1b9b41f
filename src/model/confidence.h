/*
 * Which rates a likelihood leaves possible.
 */
#ifndef MODEL_CONFIDENCE_H
#define MODEL_CONFIDENCE_H

/* The z with Pr[|Z| <= z] = confidence, in (0, 1), of a standard normal variable. */
double prn_confidence_z(double confidence);

/*
 * What is seen of changes, as the likelihood of a rate λ sees it: its logarithm, finite for 0 < λ < INFINITY, rises to a
 * single top, which may be at either end, and falls again.
 */
typedef double prn_log_likelihood(const void *context, double rate);

/*
 * Writes where the log-likelihood is z²/2 below its top: *low is 0, or *high INFINITY, where it does not fall so low on
 * that side.  best >= 0 is about where the top is, INFINITY if it is there; scale > 0 is a rate of the order in question.
 */
void prn_confidence_find(prn_log_likelihood *log_likelihood, const void *context, double best, double scale, double z,
                         double *low, double *high);

/*
 * The same of n visits at intervals of t, of which x saw a change: the log-likelihood is that of a binomial variable.
 * 0 <= x <= n, not whole where visits are forgotten.  Without visits: 0 and INFINITY.
 */
void prn_confidence_binomial(double x, double n, double t, double confidence, double *low, double *high);

#endif
