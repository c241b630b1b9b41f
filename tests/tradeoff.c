/* Reading a curve of cost against staleness off. */
#include "evaluate/tradeoff.h"
#include "tap.h"

int main(void)
{
	struct prn_tradeoff_point rising[] = { { 0.1, 5, 1 }, { 0.2, 4, 1 }, { 0.4, 1, 1 } };
	/* .3 and .2 are out of order: their mean is (.25, 3); then .25 twice more is the same point: (.25, 2.5). */
	struct prn_tradeoff_point falling[] = { { 0.1, 5, 1 }, { 0.3, 4, 1 }, { 0.2, 2, 1 }, { 0.25, 1.5, 1 },
		                                { 0.25, 2.5, 1 }, { 0.5, 1, 1 } };
	/* Each is below the mean of those before it: all are one. */
	struct prn_tradeoff_point cascade[] = { { 3, 1, 1 }, { 2, 2, 1 }, { 1, 6, 1 } };

	ok(prn_tradeoff_pool(rising, 3) == 3, "points of a tradeoff that are in order stay");
	near(prn_tradeoff_read(rising, 3, 0.1), 5, 0, "at the first point stands its value");
	near(prn_tradeoff_read(rising, 3, 0.15), 4.5, 1e-12, "between two points stands what lies on the line");
	near(prn_tradeoff_read(rising, 3, 0.3), 2.5, 1e-12,
	     "between the next two points stands what lies on their line");
	near(prn_tradeoff_read(rising, 3, 0.4), 1, 0, "at the last point stands its value");
	near(prn_tradeoff_read(rising, 3, 0.4 + 1e-12), 1, 0, "rounding at the end is forgiven");
	ok(isnan(prn_tradeoff_read(rising, 3, 0.09)) && isnan(prn_tradeoff_read(rising, 3, 0.41)),
	   "outside of the points there is no value");
	ok(isnan(prn_tradeoff_read(rising, 1, 0.1)) && isnan(prn_tradeoff_read(rising, 0, 0.1)),
	   "on a single point or none there is no value");
	ok(prn_tradeoff_pool(falling, 6) == 3, "points out of order are pooled with their neighbours");
	near(falling[1].x, 0.25, 1e-15, "points that are pooled have the mean of their x");
	near(falling[1].y, 2.5, 1e-15, "points that are pooled have the mean of their y");
	ok(falling[1].points == 4 && falling[2].x == 0.5, "each of the points that are pooled counts once");
	ok(prn_tradeoff_pool(cascade, 3) == 1, "pooling goes back as far as it must");
	ok(cascade[0].x == 2 && cascade[0].y == 3, "points that are pooled back to the first have the mean of all");
	ok(prn_tradeoff_pool(cascade, 0) == 0, "no points are pooled to none");
	return done();
}
