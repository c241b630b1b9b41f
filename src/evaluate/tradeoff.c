#include "evaluate/tradeoff.h"

#include <math.h>

/* A cost of exactly 1 is a sum of many pages' 1s: at this distance, the end of a curve is reached. */
#define SLACK 1e-9

static void merge(struct prn_tradeoff_point *into, const struct prn_tradeoff_point *point)
{
	double points = into->points + point->points;

	into->x = (into->x * into->points + point->x * point->points) / points;
	into->y = (into->y * into->points + point->y * point->points) / points;
	into->points = points;
}

size_t prn_tradeoff_pool(struct prn_tradeoff_point *points, size_t count)
{
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		points[left++] = points[i];
		while (left > 1 && points[left - 1].x <= points[left - 2].x) {
			merge(&points[left - 2], &points[left - 1]);
			left--;
		}
	}
	return left;
}

double prn_tradeoff_read(const struct prn_tradeoff_point *points, size_t count, double target)
{
	size_t i = 1;
	double share;

	if (count < 2 || target < points[0].x - SLACK || target > points[count - 1].x + SLACK)
		return NAN;
	while (i + 1 < count && points[i].x < target)
		i++;
	share = (target - points[i - 1].x) / (points[i].x - points[i - 1].x);
	share = fmin(1, fmax(0, share));
	return points[i - 1].y + share * (points[i].y - points[i - 1].y);
}
