/* Quantiles: against the definition on small sets, and what is not finite. */
#include "base/quantile.h"
#include "tap.h"

int main(void)
{
	double sorted[] = { 1, 2, 4, 8, 16 };
	double values[] = { 5, 3, 1, 4, 2 }, gaps[] = { NAN, 2, INFINITY, 1, 3, 4, 5, 6, 7, 8 };
	double low = -1, high = -1, one = 3;

	near(prn_quantile(sorted, 5, 0), 1, 0, "the 0-quantile is the least");
	near(prn_quantile(sorted, 5, 1), 16, 0, "the 1-quantile is the largest");
	near(prn_quantile(sorted, 5, 0.5), 4, 0, "the median is the middle one");
	near(prn_quantile(sorted, 5, 0.625), 6, 1e-12,
	     "a quantile between two numbers is on the line between them");
	near(prn_quantile(&one, 1, 0.3), 3, 0, "every quantile of one number is that number");
	prn_quantile_middle(values, 5, 0.5, &low, &high);
	near(low, 2, 1e-12, "the middle half of 1 … 5 begins at 2");
	near(high, 4, 1e-12, "the middle half of 1 … 5 ends at 4");
	low = high = -1;
	prn_quantile_middle(gaps, 10, 0.95, &low, &high);
	ok(low < 0 && high < 0, "with a fifth of the values not finite there is no middle 95 %%");
	for (int i = 0; i < 8; i++)
		gaps[i] = i + 1;
	gaps[8] = NAN;
	gaps[9] = INFINITY;
	low = high = -1;
	prn_quantile_middle(gaps, 10, 0.8, &low, &high);
	ok(low > 1 && high < 8, "with just four fifths of the values finite the middle 80 %% is within those");
	ok(low < high, "with just four fifths of the values finite the middle 80 %% has a width");
	gaps[0] = NAN;
	gaps[1] = 2;
	prn_quantile_middle(gaps, 10, 0.5, &low, &high);
	ok(low > 1 && high < 8, "with a fifth of the values not finite the middle half is within those that are");
	ok(low < high, "with a fifth of the values not finite the middle half has a width");
	return done();
}
