#include "text/person.h"

#include "perennial/time.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
	double days, below; /* days: of one unit; below: the unit is chosen below so many days */
	const char *name;
} units[] = {
	{ 1.0 / PRN_DAY_S, 2.0 / 1440, "second" }, { 1.0 / 1440, 2.0 / 24, "minute" }, { 1.0 / 24, 2, "hour" },
	{ 1, 730, "day" },                         { 365.25, INFINITY, "year" },
};

char *text_person_days(double days, char out[TEXT_PERSON_BYTES])
{
	size_t i = 0;
	double value;
	int decimals;

	while (i + 1 < sizeof units / sizeof *units && !(days < units[i].below))
		i++;
	value = days / units[i].days;
	/* Seconds and minutes are whole numbers; other units have a tenth unless it is 0. */
	decimals = i < 2 || value >= 99.95 || fabs(value - round(value)) < 0.05 ? 0 : 1;
	snprintf(out, TEXT_PERSON_BYTES, "%.*f %s%s", decimals, value, units[i].name,
	         decimals == 0 && value >= 0.5 && value < 1.5 ? "" : "s");
	return out;
}

char *text_person_time(int64_t time, char out[TEXT_PERSON_BYTES])
{
	char text[PRN_TIME_TEXT], *mark;

	prn_time_format(time, text);
	mark = strchr(text, 'T');
	if (mark)
		*mark = ' ';
	text[strcspn(text, "Z")] = 0;
	if (time % 60 == 0)
		*strrchr(text, ':') = 0;
	snprintf(out, TEXT_PERSON_BYTES, "%s", text);
	return out;
}
