#include "perennial/time.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/number.h"
#include "perennial/error.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNPRINTED_S 1e27 /* more digits than there is room for */
#define LONGEST_S (10000.0 * 366 * PRN_DAY_S)

struct date {
	int year, month, day, hour, minute, second;
};

/* Days since 1970-01-01 of a proleptic Gregorian date; month counted from March so that leap days end a year. */
static int64_t days_of(int year, int month, int day)
{
	int64_t y = month > 2 ? year : year - 1;
	int64_t era = (y >= 0 ? y : y - 399) / 400;
	int64_t year_of_era = y - era * 400;
	int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;

	return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

static int days_in_month(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (leap && month == 2);
}

/* A leap second (60) counts as the second after it. */
static int seconds_of(const struct date *d, int64_t *time)
{
	if (d->year < 1 || d->year > 9999 || d->month < 1 || d->month > 12 || d->day < 1 ||
	    d->day > days_in_month(d->year, d->month) || d->hour > 23 || d->minute > 59 || d->second > 60)
		return PRN_E_INPUT;
	*time = days_of(d->year, d->month, d->day) * PRN_DAY_S + d->hour * 3600 + d->minute * 60 + d->second;
	return 0;
}

/* Reads exactly digits decimal digits and moves past them. */
static bool take_number(const char **text, int digits, int *value)
{
	int sum = 0;

	for (int i = 0; i < digits; i++) {
		if (!isdigit((unsigned char)(*text)[i]))
			return false;
		sum = sum * 10 + (*text)[i] - '0';
	}
	*text += digits;
	*value = sum;
	return true;
}

static bool accept(const char **text, char wanted)
{
	if (**text != wanted)
		return false;
	++*text;
	return true;
}

/* Reads what follows the year, "-01-11T23:24:25.41Z", of which any tail may be missing. */
static bool take_extended(const char **text, struct date *d)
{
	if (!accept(text, '-'))
		return true;
	if (!take_number(text, 2, &d->month))
		return false;
	if (!accept(text, '-'))
		return true;
	if (!take_number(text, 2, &d->day))
		return false;
	if (!accept(text, 'T') && !accept(text, ' '))
		return true;
	if (!take_number(text, 2, &d->hour) || !accept(text, ':') || !take_number(text, 2, &d->minute))
		return false;
	if (!accept(text, ':'))
		return true;
	if (!take_number(text, 2, &d->second))
		return false;
	if (accept(text, '.') || accept(text, ','))
		for (; isdigit((unsigned char)**text); ++*text)
			;
	return true;
}

/* Reads what follows the year in digits only, "0111232425" or "0111T2324", of which the last pairs may be missing. */
static bool take_compact(const char **text, struct date *d)
{
	int *parts[] = { &d->month, &d->day, &d->hour, &d->minute, &d->second };

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (i == 2)
			accept(text, 'T');
		if (!isdigit((unsigned char)**text))
			return true;
		if (!take_number(text, 2, parts[i]))
			return false;
	}
	return true;
}

/* Reads how far a zone is ahead of UTC: "Z", "+02", "+0200", "+02:00", perhaps after a blank.  Without a zone it is UTC. */
static bool take_zone(const char **text, int *ahead_s)
{
	int sign, hours, minutes = 0;

	*ahead_s = 0;
	if (**text == ' ' && (*text)[1])
		++*text;
	if (!**text || accept(text, 'Z') || accept(text, 'z'))
		return true;
	if (**text != '+' && **text != '-')
		return false;
	sign = *(*text)++ == '+' ? 1 : -1;
	if (!take_number(text, 2, &hours) || hours > 23)
		return false;
	if (**text && (accept(text, ':'), !take_number(text, 2, &minutes) || minutes > 59))
		return false;
	*ahead_s = sign * (hours * 3600 + minutes * 60);
	return true;
}

int prn_time_parse(const char *text, int64_t *time)
{
	struct date d = { .month = 1, .day = 1, .hour = -1 };
	int64_t local;
	int ahead_s = 0;

	if (!take_number(&text, 4, &d.year))
		return PRN_E_INPUT;
	if (!(isdigit((unsigned char)*text) ? take_compact(&text, &d) : take_extended(&text, &d)))
		return PRN_E_INPUT;
	if (d.hour < 0) {
		accept(&text, 'Z');
		d.hour = 0;
	} else if (!take_zone(&text, &ahead_s)) {
		return PRN_E_INPUT;
	}
	if (*text || seconds_of(&d, &local))
		return PRN_E_INPUT;
	return prn_time_take(local - ahead_s, time);
}

bool prn_time_is_zoneless(const char *text)
{
	const char *clock = text + strcspn(text, "T ");

	return *clock && clock[1] && !strpbrk(clock + 1, "Zz+-");
}

static const char months[][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };

int prn_month_named(const char *name)
{
	for (int i = 0; i < 12; i++)
		if (!prn_ascii_compare_n(name, months[i], 3))
			return i + 1;
	return 0;
}

int prn_time_parse_http(const char *text, int64_t *time)
{
	struct date d = { 0 };
	char month[4] = "", zone[4] = "GMT", year[5] = "";
	int64_t read;

	if (sscanf(text, "%*3[A-Za-z], %2d %3[A-Za-z] %4[0-9] %2d:%2d:%2d %3s", &d.day, month, year, &d.hour,
	           &d.minute, &d.second, zone) < 6 &&
	    sscanf(text, "%*9[A-Za-z], %2d-%3[A-Za-z]-%4[0-9] %2d:%2d:%2d %3s", &d.day, month, year, &d.hour,
	           &d.minute, &d.second, zone) < 6 &&
	    sscanf(text, "%*3[A-Za-z] %3[A-Za-z] %2d %2d:%2d:%2d %4[0-9]", month, &d.day, &d.hour, &d.minute,
	           &d.second, year) < 6)
		return PRN_E_INPUT;
	if (strcmp(zone, "GMT") && strcmp(zone, "UTC"))
		return PRN_E_INPUT;
	d.year = atoi(year);
	/* RFC 850 dates have two digits; a year that looks more than 50 years ahead of 2000 is the past. */
	if (d.year < 100 && strlen(year) < 4)
		d.year += d.year < 70 ? 2000 : 1900;
	d.month = prn_month_named(month);
	if (d.hour < 0 || d.minute < 0 || d.second < 0)
		return PRN_E_INPUT;
	return seconds_of(&d, &read) ? PRN_E_INPUT : prn_time_take(read, time);
}

/* Writes a number as two digits. */
static void put_two(char *at, int64_t number)
{
	at[0] = (char)('0' + number / 10);
	at[1] = (char)('0' + number % 10);
}

/* The nearest time that can be written as text. */
static int64_t sayable(int64_t time)
{
	return time < PRN_TIME_FIRST ? PRN_TIME_FIRST : time > PRN_TIME_LAST ? PRN_TIME_LAST : time;
}

/* The time must be one that can be written as text. */
static void format(int64_t time, char out[PRN_TIME_TEXT])
{
	int64_t days = time / PRN_DAY_S - (time % PRN_DAY_S < 0), second = time - days * PRN_DAY_S;
	int64_t shifted = days + 719468, era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
	int64_t day_of_era = shifted - era * 146097;
	int64_t year_of_era =
		(day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
	int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	int64_t shifted_month = (5 * day_of_year + 2) / 153;
	int64_t month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
	int64_t day = day_of_year - (153 * shifted_month + 2) / 5 + 1, year = year_of_era + era * 400 + (month <= 2);

	/* A page of an export has ten times, and snprintf would take longer for each than everything else takes: so this is done by hand. */
	memcpy(out, "0000-00-00T00:00:00Z", sizeof "0000-00-00T00:00:00Z");
	put_two(out, year / 100);
	put_two(out + 2, year % 100);
	put_two(out + 5, month);
	put_two(out + 8, day);
	put_two(out + 11, second / 3600);
	put_two(out + 14, second / 60 % 60);
	put_two(out + 17, second % 60);
}

char *prn_time_format(int64_t time, char out[PRN_TIME_TEXT])
{
	format(sayable(time), out);
	return out;
}

char *prn_time_format_http(int64_t time, char out[PRN_TIME_TEXT])
{
	static const char weekdays[][4] = { "Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed" }; /* 1970 began on a Thursday */
	int64_t said = sayable(time), days = said / PRN_DAY_S - (said % PRN_DAY_S < 0);
	char iso[PRN_TIME_TEXT];

	/* "1994-11-06T08:49:37Z" */
	format(said, iso);
	snprintf(out, PRN_TIME_TEXT, "%s, %.2s %s %.4s %.8s GMT", weekdays[(days % 7 + 7) % 7], iso + 8,
	         months[atoi(iso + 5) - 1], iso, iso + 11);
	return out;
}

static const struct {
	char letter;
	double seconds;
} units[] = { { 'w', 7.0 * PRN_DAY_S }, { 'd', PRN_DAY_S }, { 'h', 3600 }, { 'm', 60 }, { 's', 1 } };

#define UNITS (sizeof units / sizeof *units)

int prn_duration_parse(const char *text, double *seconds)
{
	double sum = 0;

	if (!*text)
		return PRN_E_INPUT;
	if (!strcmp(text, "0"))
		text = "0s"; /* nothing is nothing in any unit */
	while (*text) {
		size_t digits = strspn(text, "0123456789."), unit = 0;
		double number;
		char *end;

		if (!digits)
			return PRN_E_INPUT;
		number = prn_number_scan(text, &end);
		if (end != text + digits)
			return PRN_E_INPUT;
		while (unit < UNITS && units[unit].letter != *end)
			unit++;
		if (unit == UNITS)
			return PRN_E_INPUT;
		sum += number * units[unit].seconds;
		text = end + 1;
	}
	if (!(sum <= LONGEST_S))
		return PRN_E_INPUT;
	*seconds = sum;
	return 0;
}

char *prn_duration_format(double seconds, char out[PRN_TIME_TEXT])
{
	double rounded = round(seconds);

	if (!(fabs(rounded) < UNPRINTED_S)) {
		snprintf(out, PRN_TIME_TEXT, "%s", "never");
		return out;
	}
	for (size_t i = 0; i < UNITS; i++) {
		if (fabs(rounded) < units[i].seconds && i + 1 < UNITS)
			continue;
		if (fmod(rounded, units[i].seconds) > 0)
			continue;
		prn_number_print(out, PRN_TIME_TEXT, "%.0f%c", rounded / units[i].seconds, units[i].letter);
		return out;
	}
	return out;
}
