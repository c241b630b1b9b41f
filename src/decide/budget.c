#include "perennial/budget.h"

#include "base/ascii.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *prn_unit_name(enum prn_unit unit)
{
	static const char *const names[PRN_UNITS] = { "visits", "bytes" };

	return (unsigned)unit < PRN_UNITS ? names[unit] : "?";
}

/* The size of the unit that the letters before the slash name, in bytes or visits; 0: it is not a unit. */
static double size_of(const char *letters, size_t length)
{
	static const struct {
		const char *name;
		double bytes;
	} units[] = { { "", 1 },
		      { "B", 1 },
		      { "kB", 1e3 },
		      { "MB", 1e6 },
		      { "GB", 1e9 },
		      { "TB", 1e12 },
		      { "KiB", 1024 },
		      { "MiB", 1048576.0 },
		      { "GiB", 1073741824.0 },
		      { "TiB", 1099511627776.0 } };

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strlen(units[i].name) == length && !prn_ascii_compare_n(units[i].name, letters, length))
			return units[i].bytes;
	return 0;
}

bool prn_budget_parse(const char *text, struct prn_budget *budget)
{
	char *end;
	double number = prn_number_scan(text, &end), times, per_day;
	size_t letters = strcspn(end, "/");
	const char *time = end + letters;

	if (end == text)
		return false;
	times = !strcmp(time, "/hour") ? 24 : !strcmp(time, "/day") ? 1 : !strcmp(time, "/week") ? 1 / 7.0 : 0;
	per_day = number * size_of(end, letters) * times;
	if (!(per_day >= PRN_BUDGET_LEAST) || !isfinite(per_day))
		return false;
	*budget = (struct prn_budget){ per_day, letters ? PRN_UNIT_BYTES : PRN_UNIT_VISITS };
	return true;
}

const char *prn_amount_format(double amount, enum prn_unit unit, char text[PRN_AMOUNT_TEXT])
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB" };
	size_t i = 0;

	if (unit != PRN_UNIT_BYTES) {
		prn_number_print(text, PRN_AMOUNT_TEXT, "%g", amount);
		return text;
	}
	/* An amount that rounds to 1000 of a unit is written as one of the next unit. */
	for (; fabs(amount) >= 999.5 && i + 1 < sizeof units / sizeof *units; i++)
		amount /= 1000;
	prn_number_print(text, PRN_AMOUNT_TEXT, "%.3g %s", i ? amount : round(amount), units[i]);
	return text;
}
