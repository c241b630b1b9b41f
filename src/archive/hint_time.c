#include "archive/hint_time.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "perennial/error.h"
#include "perennial/time.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\n"
#define DATE_BYTES 80           /* bytes of the longest date that is read */
#define EARLIEST 631152000      /* date -ud 1990-01-01 +%s */

/* Returns the n digits at text as a number, or -1. */
static int digits(const char *text, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		if (!isdigit((unsigned char)text[i]))
			return -1;
		sum = sum * 10 + text[i] - '0';
	}
	return sum;
}

/* Reads "+02:00", "+0200" or "+02"; it must be all of text. */
static bool read_offset(const char *text, int64_t *seconds)
{
	bool colon = strlen(text) > 3 && text[3] == ':';
	const char *rest = text + (colon ? 4 : 3);
	int hours = digits(text + 1, 2), minutes = 0;

	if (hours < 0)
		return false;
	if (*rest || colon) {
		minutes = digits(rest, 2);
		if (minutes < 0 || rest[2])
			return false;
	}
	if (hours > 23 || minutes > 59)
		return false;
	*seconds = (*text == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
	return true;
}

static int read_iso(char *text, int64_t *time)
{
	char *day_end = strpbrk(text, "Tt "), *zone = NULL;
	int64_t offset = 0, local;
	char plain[DATE_BYTES];

	/* ISO 8601 has the offset behind the time of day, XML Schema also behind the day. */
	if (day_end)
		zone = strpbrk(day_end + 1, "+-Zz U");
	else if (strlen(text) > 10)
		zone = strpbrk(text + 10, "+-Zz");
	if (zone) {
		char *name = zone + strspn(zone, " ");
		bool is_utc = !prn_ascii_compare(name, "Z") || !prn_ascii_compare(name, "UTC") || !*name;

		if (!is_utc && ((*name != '+' && *name != '-') || !read_offset(name, &offset)))
			return PRN_E_INPUT;
	}
	snprintf(plain, sizeof plain, "%.*s", (int)(zone ? (size_t)(zone - text) : strlen(text)), text);
	if (day_end && *day_end == 't')
		plain[day_end - text] = 'T';
	return prn_time_parse(plain, &local) ? PRN_E_INPUT : prn_time_take(local - offset, time);
}

/*
 * Returns the offset of a zone of RFC 822, or "GMT+0200", in seconds east of UTC; by RFC 5322 (4.3) other names
 * count as UTC.
 */
static bool read_zone(const char *name, int64_t *seconds)
{
	static const struct {
		char name[4];
		int hours;
	} zones[] = { { "EDT", -4 }, { "EST", -5 }, { "CDT", -5 }, { "CST", -6 },
		      { "MDT", -6 }, { "MST", -7 }, { "PDT", -7 }, { "PST", -8 } };
	const char *offset = strpbrk(name, "+-");

	*seconds = 0;
	if (offset)
		return read_offset(offset, seconds);
	for (size_t i = 0; i < sizeof zones / sizeof *zones; i++)
		if (!prn_ascii_compare(name, zones[i].name))
			*seconds = zones[i].hours * 3600;
	return prn_ascii_compare(name, "am") && prn_ascii_compare(name, "pm");
}

/* Two digits mean a year from 1950 to 2049 (RFC 5322 4.3). */
static int year_of(const char *word)
{
	size_t length = strlen(word);

	if (length == 4)
		return digits(word, 4);
	if (length != 2)
		return -1;
	return digits(word, 2) + (digits(word, 2) < 50 ? 2000 : 1900);
}

/* The words of a date, recognised by their form because writers differ in their order. -1 or NULL: missing. */
struct words {
	int day, month, year;
	const char *clock, *zone;
};

/* Stores a word in its field; false if it fits none. */
static bool sort_word(struct words *words, const char *word)
{
	bool is_number = strspn(word, "0123456789") == strlen(word);

	if (is_number && words->day < 0 && strlen(word) <= 2)
		return (words->day = digits(word, (int)strlen(word))) >= 0;
	if (is_number && words->year < 0)
		return (words->year = year_of(word)) >= 0;
	if (isdigit((unsigned char)*word) && strchr(word, ':') && !words->clock)
		return (words->clock = word) != NULL;
	if (!is_number && words->month < 0 && prn_month_named(word))
		return (words->month = prn_month_named(word)) > 0;
	/* The name of the day comes first, and a zone after the clock. */
	if (!words->clock)
		return !is_number && words->day < 0 && words->month < 0;
	if (is_number || words->zone)
		return false;
	words->zone = word;
	return true;
}

/* "Sun, 10 May 2026 12:00:00 +0200", "10 May 26", "Sun May 10 12:00:00 2026"; parentheses enclose comments. */
static int read_822(char *text, int64_t *time)
{
	struct words words = { -1, -1, -1, NULL, NULL };
	char plain[DATE_BYTES], *left = NULL;
	int64_t offset = 0, local;

	for (char *word = strtok_r(text, BLANKS ",", &left); word && *word != '('; word = strtok_r(NULL, BLANKS ",", &left))
		if (!sort_word(&words, word))
			return PRN_E_INPUT;
	if (words.day < 0 || words.month < 0 || words.year < 0 || (words.zone && !read_zone(words.zone, &offset)))
		return PRN_E_INPUT;
	snprintf(plain, sizeof plain, "%04d-%02d-%02dT%s%.12s", words.year, words.month, words.day,
	         words.clock && words.clock[1] == ':' ? "0" : "", words.clock ? words.clock : "00:00");
	return prn_time_parse(plain, &local) ? PRN_E_INPUT : prn_time_take(local - offset, time);
}

int prn_hint_time(const char *text, int64_t *time)
{
	char date[DATE_BYTES];
	size_t length;

	text += strspn(text, BLANKS);
	length = strlen(text);
	while (length && strchr(BLANKS, text[length - 1]))
		length--;
	if (!length || length >= sizeof date)
		return PRN_E_INPUT;
	memcpy(date, text, length);
	date[length] = 0;
	return digits(date, 4) >= 0 ? read_iso(date, time) : read_822(date, time);
}

int64_t prn_hint_modified(const char *text)
{
	int64_t time;

	return !prn_hint_time(text, &time) && time >= EARLIEST ? time : PRN_TIME_UNKNOWN;
}

double prn_hint_period_s(const char *word)
{
	static const struct {
		const char *word;
		double period_s;
	} words[] = { { "always", 1 }, { "hourly", 3600 }, { "daily", PRN_DAY_S }, { "weekly", 7.0 * PRN_DAY_S },
		      { "monthly", 30.0 * PRN_DAY_S }, { "yearly", 365.0 * PRN_DAY_S }, { "never", INFINITY } };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!prn_ascii_compare(word, words[i].word))
			return words[i].period_s;
	return 0;
}
