/* Intervals in bounded memory: which are one, which are joined when there is no room, and what joining keeps. */
#include "model/lengths.h"

#include "base/random.h"
#include "tap.h"

#define ROOM 3

static struct prn_length lengths[ROOM];
static double used;

static void start(void)
{
	memset(lengths, 0, sizeof lengths);
	used = 0;
}

static void add(double length, int times)
{
	while (times--)
		prn_lengths_add(lengths, &used, ROOM, length);
}

static void same_lengths(void)
{
	start();
	add(100, 1);
	add(100.0005, 1);
	add(99.9995, 1);
	ok(used == 1 && lengths[0].count == 3, "lengths within a hundred-thousandth of each other are one, from above and from below");
	add(100.01, 1);
	add(99.99, 1);
	ok(used == 3 && lengths[1].count == 3, "lengths a ten-thousandth apart are not joined");
	ok(lengths[0].count == 1 && lengths[2].count == 1, "lengths a ten-thousandth apart are in their order");
}

/* Ward: what joining loses grows with how many there are of each, not with their distance alone. */
static void joins(void)
{
	start();
	add(1, 100);
	add(1.2, 100);
	add(10, 1);
	add(14, 1);
	ok(used == 3 && lengths[2].count == 2, "without room the two rare lengths are joined");
	ok(lengths[0].count == 100 && lengths[1].count == 100, "without room the two nearest lengths that are frequent stay two");
	near(lengths[2].length, 12, 1e-12, "joined lengths become their mean");
	add(12.001, 8);
	near(lengths[2].length, (2 * 12 + 8 * 12.001) / 10, 1e-3,
	     "the mean of joined lengths is weighed by how many there are of each");
}

static void keeps(void)
{
	double count = 0, sum = 0, kept = 0;
	struct prn_random random;
	bool valid = true;

	start();
	prn_random_seed(&random, 2, 0);
	for (int i = 0; i < 2000; i++) {
		double length = prn_random_exponential(&random, 5) + 1e-6;

		add(length, 1);
		sum += length;
		valid &= prn_lengths_valid(lengths, used, ROOM, 1);
	}
	for (size_t i = 0; i < (size_t)used; i++) {
		count += lengths[i].count;
		kept += lengths[i].count * lengths[i].length;
	}
	ok(valid, "lengths ascend, whatever is added");
	near(count, 2000, 0, "no length that is added is lost");
	near(kept / sum, 1, 1e-9, "joining keeps the sum of lengths");
}

int main(void)
{
	same_lengths();
	joins();
	keeps();
	return done();
}
