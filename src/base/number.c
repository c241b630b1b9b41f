#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool prn_number_read(const char *text, double *number)
{
	double value;
	char *end;

	errno = 0;
	value = strtod(text, &end);
	if (!*text || *end || errno || !isfinite(value))
		return false;
	*number = value;
	return true;
}

bool prn_budget_read(const char *text, double *per_day)
{
	static const struct {
		const char *unit;
		double per_day;
	} units[] = { { "/hour", 24 }, { "/day", 1 }, { "/week", 1 / 7.0 } };
	char *end;
	double number = strtod(text, &end);

	if (end == text || !isfinite(number) || !(number > 0))
		return false;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (!strcmp(end, units[i].unit)) {
			*per_day = number * units[i].per_day;
			return true;
		}
	return false;
}
