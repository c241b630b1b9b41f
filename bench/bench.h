/*
 * What the benchmarks share: a clock, a median, and one row per figure.  A ratio is the median over rounds that time both
 * sides in turn, so that it holds when the speed of the machine drifts.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef void bench_fn(void *context);

/* Work on one thread is measured by the processor time of this process, because machines are shared. */
#define BENCH_CPU CLOCK_PROCESS_CPUTIME_ID
#define BENCH_WALL CLOCK_MONOTONIC

static inline double bench_now(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline double bench_seconds(clockid_t clock, bench_fn *run, void *context)
{
	double start = bench_now(clock);

	run(context);
	return bench_now(clock) - start;
}

static inline int bench_order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static inline double bench_median(double *values, size_t n)
{
	qsort(values, n, sizeof *values, bench_order);
	return values[n / 2];
}

#define BENCH_ROUNDS 9

/* Returns the median of seconds(run) over rounds, after one round that does not count. */
static inline double bench_time(clockid_t clock, bench_fn *run, void *context)
{
	double seconds[BENCH_ROUNDS];

	run(context);
	for (size_t i = 0; i < BENCH_ROUNDS; i++)
		seconds[i] = bench_seconds(clock, run, context);
	return bench_median(seconds, BENCH_ROUNDS);
}

/* Returns the median of seconds(run) / seconds(base), timed in turn. */
static inline double bench_ratio(bench_fn *run, bench_fn *base, void *context)
{
	double ratios[BENCH_ROUNDS];

	run(context);
	base(context);
	for (size_t i = 0; i < BENCH_ROUNDS; i++) {
		double seconds = bench_seconds(BENCH_CPU, run, context);

		ratios[i] = seconds / bench_seconds(BENCH_CPU, base, context);
	}
	return bench_median(ratios, BENCH_ROUNDS);
}

/* Prints a row: what was measured, the goal, the figure, and if it is enough. */
static inline void bench_row(const char *figure, const char *goal, double reached, const char *unit, int enough)
{
	printf("%-44s %-26s %10.3g %-12s %s\n", figure, goal, reached, unit, enough ? "ok" : "short");
	fflush(stdout);
}

#endif
