/* Durations and times as people say them. */
#include "text/person.h"
#include "tap.h"

#include <string.h>

int main(void)
{
	static const struct {
		double days;
		const char *text;
	} durations[] = {
		{ 0, "0 seconds" },          { 1.0 / 86400, "1 second" },   { 90.0 / 86400, "90 seconds" },
		{ 119.9 / 86400, "120 seconds" }, { 2.0 / 1440, "2 minutes" }, { 63.0 / 1440, "63 minutes" },
		{ 2.0 / 24, "2 hours" },     { 5.52 / 24, "5.5 hours" },    { 1, "24 hours" },
		{ 1.999, "48 hours" },       { 2, "2 days" },               { 2.04, "2 days" },
		{ 2.06, "2.1 days" },        { 99.94, "99.9 days" },        { 131.8, "132 days" },
		{ 729.9, "730 days" },       { 730.5, "2 years" },          { 1000, "2.7 years" },
		{ 36525, "100 years" },
	};
	char text[TEXT_PERSON_BYTES];

	for (size_t i = 0; i < sizeof durations / sizeof *durations; i++)
		same(text_person_days(durations[i].days, text), durations[i].text, "%g days are said as %s", durations[i].days,
		     durations[i].text);
	same(text_person_time(1778421600, text), "2026-05-10 14:00", "a time on a minute is said without seconds");
	same(text_person_time(1778421601, text), "2026-05-10 14:00:01", "a time within a minute is said with its seconds");
	same(text_person_time(-60, text), "1969-12-31 23:59", "a time before 1970 is said as any other");
	same(text_person_time(-1, text), "1969-12-31 23:59:59", "a second before 1970 is said");
	return done();
}
