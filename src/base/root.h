/*
 * The root of a monotone function of one variable: by Newton's method kept inside a bracket, bisection where
 * Newton would leave it or stall; or, where a slope is not to be had, by false position.
 */
#ifndef BASE_ROOT_H
#define BASE_ROOT_H

/* f and its derivative at one point. */
struct prn_root_sample {
	double value, slope;
};

typedef struct prn_root_sample prn_root_fn(const void *context, double x);

/*
 * Returns x in [low, high] with f(x) = 0, to about 1e-13 of x.
 *
 * f is non-decreasing, f(low) <= 0 <= f(high); 0 <= low < start < high; high may be INFINITY, then the
 * search doubles until it has a bracket.  f is called between low and high only, at most
 * PRN_ROOT_STEPS times; slope may be wrong or 0 (that costs steps, not correctness).
 */
double prn_root_find(prn_root_fn *f, const void *context, double low, double high, double start);

#define PRN_ROOT_STEPS 200

typedef double prn_root_value_fn(const void *context, double x);

/*
 * Returns x in [low, high] where f, which is non-increasing, is within tolerance of 0 or crosses it within
 * tolerance of x.  at_low = f(low) >= 0 >= at_high = f(high): the caller had to find them.  f may be costly: it
 * is called about a dozen times where it is nearly straight, at most PRN_ROOT_STEPS times.
 */
double prn_root_between(prn_root_value_fn *f, const void *context, double low, double high, double at_low,
                        double at_high, double tolerance);

#endif
