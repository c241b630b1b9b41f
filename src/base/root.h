/*
 * The root of a non-decreasing function of one variable: Newton's method kept inside a bracket, bisection
 * where Newton would leave it or stall.
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

#endif
