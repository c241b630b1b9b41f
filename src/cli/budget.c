#include "cli/budget.h"

#include "perennial/error.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int cli_budget_parse(void *per_day, const char *value)
{
	static const struct {
		const char *unit;
		double per_day;
	} units[] = { { "/hour", 24 }, { "/day", 1 }, { "/week", 1 / 7.0 } };
	char *end;
	double number = strtod(value, &end);

	if (end == value || !isfinite(number) || !(number > 0))
		return PRN_E_INPUT;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (!strcmp(end, units[i].unit)) {
			*(double *)per_day = number * units[i].per_day;
			return 0;
		}
	return PRN_E_INPUT;
}
