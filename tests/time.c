/* Times and durations, against the C library's calendar and by round trip. */
#include "perennial/time.h"
#include "base/clock.h"
#include "base/random.h"
#include "tap.h"

#include <time.h>

static void times(const char *text, int64_t want)
{
	int64_t got = -1;

	ok(!prn_time_parse(text, &got) && got == want, "'%s' is %lld", text, (long long)want);
}

/* That of the same time without a zone, less the offset: of RFC 3339 and what "date -Iseconds" and "git log --date=iso" write. */
static void zones(void)
{
	static const struct {
		const char *text;
		bool zoneless;
	} clocks[] = {
		{ "2016-01-11T23:24:25+00:00", false }, { "2016-01-11T23:24:25", true },   { "2016-01-11 23:24", true },
		{ "20160111T2324", true },             { "20160111232425", false },        { "2016-01-11", false },
		{ "2016", false },                     { "2016-01-11T23:24Z", false },     { "2016-01-11 23:24:25 -0500", false },
	};

	times("2016-01-11T23:24:25+00:00", 1452554665);
	times("2016-01-11T23:24:25-00:00", 1452554665);
	times("2016-01-11T23:24:25+02:00", 1452554665 - 7200);
	times("2016-01-11T23:24:25.5-0830", 1452554665 + 8 * 3600 + 1800);
	times("2016-01-11T23:24:25,5-08", 1452554665 + 8 * 3600);
	times("2016-01-11 23:24:25 -0800", 1452554665 + 8 * 3600);
	times("2016-01-11T23:24+23:59", 1452554640 - 86340);
	times("20160111T232425+0100", 1452554665 - 3600);
	times("2016-01-11 23:24:25 Z", 1452554665);
	times("0001-01-01T00:00:00-01:00", PRN_TIME_FIRST + 3600);
	for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
		ok(prn_time_is_zoneless(clocks[i].text) == clocks[i].zoneless, "'%s' %s", clocks[i].text,
		   clocks[i].zoneless ? "names no zone" : "leaves no doubt of its zone");
}

static void http(const char *text, int64_t want)
{
	int64_t got = -1;

	ok(!prn_time_parse_http(text, &got) && got == want, "'%s' is %lld", text, (long long)want);
}

/* HTTP dates have the short names, and those of feeds any. */
static void months(void)
{
	static const char *const none[] = { "", "J", "Ja", "Jab", "1", "un", " Jan" };
	static const char *const names[] = { "January", "Feb", "march", "APR", "May", "June", "jUl", "August", "Sept", "October", "nov", "Dec." };

	for (int i = 0; i < 12; i++)
		ok(prn_month_named(names[i]) == i + 1, "'%s' is month %d", names[i], i + 1);
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		ok(!prn_month_named(none[i]), "'%s' is no month", none[i]);
	http("sun, 06 NOV 1994 08:49:37 GMT", 784111777);
}

static void calendar(void)
{
	struct prn_random random;
	bool all = true, back = true;

	prn_random_seed(&random, 1, 0);
	for (int i = 0; i < 100000; i++) {
		int64_t time = (int64_t)prn_random_below(&random, 253402300800) - 62135596800 / 2, again = 0;
		char text[PRN_TIME_TEXT], want[40];
		time_t system = (time_t)time;
		struct tm tm;

		gmtime_r(&system, &tm);
		snprintf(want, sizeof want, "%04d-%02d-%02dT%02d:%02d:%02dZ", tm.tm_year + 1900, tm.tm_mon + 1,
		         tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
		if (tm.tm_year + 1900 < 1 || tm.tm_year + 1900 > 9999)
			continue;
		all &= !strcmp(prn_time_format(time, text), want);
		back &= !prn_time_parse(text, &again) && again == time;
	}
	ok(all, "100,000 random times print as gmtime has them");
	ok(back, "100,000 random times that were printed are read back");
}

static void like_unit(const char *text)
{
	size_t length = strlen(text);

	ok(length > 1 && strchr("wdhms", text[length - 1]), "the longest durations that are printed have their unit: %s", text);
}

static void durations(void)
{
	static const struct {
		const char *text;
		double seconds;
		const char *printed;
	} good[] = { { "90s", 90, "90s" },        { "15m", 900, "15m" },    { "6h", 21600, "6h" },
		     { "2d", 172800, "2d" },      { "3w", 1814400, "3w" },  { "1d12h", 129600, "36h" },
		     { "1.5h", 5400, "90m" },     { "0s", 0, "0s" },        { "0", 0, "0s" },
		     { "0.4s", 0.4, "0s" } };
	static const char *const bad[] = { "", "5", "00", "1d0", "h", "5x", "-5h", "1h30", "1..5h", "99999999w", "5 h" };
	double seconds;
	char text[PRN_TIME_TEXT];

	same(prn_duration_format(1e300, text), "never", "a duration of more digits than there is room for is printed as never");
	like_unit(prn_duration_format(9.99e26, text));
	like_unit(prn_duration_format(-9.99e26, text));
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		seconds = -1;
		ok(!prn_duration_parse(good[i].text, &seconds) && fabs(seconds - good[i].seconds) < 1e-9,
		   "'%s' is %g seconds", good[i].text, good[i].seconds);
		same(prn_duration_format(seconds, text), good[i].printed,
		     "'%s' prints as '%s'", good[i].text, good[i].printed);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(prn_duration_parse(bad[i], &seconds) < 0, "'%s' is not a duration", bad[i]);
}

int main(void)
{
	static const char *const bad[] = { "",           "201",        "2016-13",    "2016-02-30",
		                           "2015-02-29", "2016-01-11T24:00:00Z", "2016-01-11X", "20160",
		                           "2016-01-11T23:24:25.4x", "0000-01-01", "tomorrow",
		                           "2016-01-11+02:00", "2016+02", "2016-01-11T23:24:25+24:00", "2016-01-11T23:24:25+1",
		                           "2016-01-11T23:24:25+01:60", "2016-01-11T23:24:25+01:", "2016-01-11T23:24:25 ",
		                           "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "2016-01-11T23:24:25+01:00Z" };
	char text[PRN_TIME_TEXT];
	int64_t time = 7;

	times("2016", 1451606400);
	times("2016-01", 1451606400);
	times("2016-01-11", 1452470400);
	times("2016-01-11T23:24Z", 1452554640);
	times("2016-01-11T23:24:25Z", 1452554665);
	times("2016-01-11T23:24:25.412030Z", 1452554665);
	times("20160111232425", 1452554665);
	times("20160111T232425Z", 1452554665);
	times("2016-02-29", 1456704000);
	times("1969-12-31T23:59:59Z", -1);
	zones();
	times("2016-12-31T23:59:60Z", 1483228800); /* a leap second counts as the second after it */
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(prn_time_parse(bad[i], &time) < 0 && time == 7, "'%s' is not a time", bad[i]);
	http("Sun, 06 Nov 1994 08:49:37 GMT", 784111777);
	http("Sunday, 06-Nov-94 08:49:37 GMT", 784111777);
	http("Sun Nov  6 08:49:37 1994", 784111777);
	http("Thursday, 01-Jan-70 00:00:00 GMT", 0);
	http("Tuesday, 31-Dec-69 23:59:59 GMT", 3155759999);
	http("Sun, 06 Nov 1994 08:49:37 UTC", 784111777);
	http("Sat, 31 Dec 2016 23:59:60 GMT", 1483228800);
	same(prn_time_format_http(784111777, text), "Sun, 06 Nov 1994 08:49:37 GMT", "a time prints as an HTTP date");
	same(prn_time_format_http(-1, text), "Wed, 31 Dec 1969 23:59:59 GMT", "a time before 1970 prints as an HTTP date");
	same(prn_time_format(INT64_MAX, text), "9999-12-31T23:59:59Z", "a time beyond all that can be said prints as the last that can");
	same(prn_time_format(253402300800, text), "9999-12-31T23:59:59Z",
	     "the second behind the last that can be said prints as that");
	same(prn_time_format(INT64_MIN, text), "0001-01-01T00:00:00Z", "a time before all that can be said prints as the first that can");
	same(prn_time_format(-62135596801, text), "0001-01-01T00:00:00Z",
	     "the second before the first that can be said prints as that");
	same(prn_time_format_http(INT64_MAX, text), "Fri, 31 Dec 9999 23:59:59 GMT",
	     "an HTTP date beyond all that can be said prints as the last that can");
	same(prn_time_format_http(INT64_MIN, text), "Mon, 01 Jan 0001 00:00:00 GMT",
	     "an HTTP date before all that can be said prints as the first that can");
	same(prn_time_format_http(253402300799, text), "Fri, 31 Dec 9999 23:59:59 GMT", "the last second of 9999 prints as an HTTP date");
	ok(prn_time_parse_http("Sat, 31 Dec 2016 23:59:61 GMT", &time) < 0, "a minute has no second 61");
	ok(prn_time_parse_http("Sun, 06 Nov 0000 08:49:37 GMT", &time) < 0, "an HTTP date of the year 0000 is none of the year 2000");
	ok(prn_time_parse_http("Fri, 31 Dec 9999 23:59:60 GMT", &time) < 0, "an HTTP date ends with the year 9999, before its leap second");
	ok(!prn_time_parse_http("Fri, 31 Dec 9999 23:59:59 GMT", &time) && time == PRN_TIME_LAST, "the last second of 9999 is an HTTP date");
	ok(prn_time_parse_http("yesterday", &time) < 0, "'yesterday' is not an HTTP date");
	ok(prn_time_parse_http("Sun, 06 Nov 1994 08:49:37 PST", &time) < 0, "an HTTP date is in GMT");
	months();
	calendar();
	durations();
	return done();
}
