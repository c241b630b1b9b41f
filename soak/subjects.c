#include "soak/subject.h"

#include "perennial/time.h"
#include "soak/lines.h"

#include <stdio.h>
#include <stdlib.h>

static void append(struct prn_buffer *out, const char *text, int length)
{
	if (length < 0 || prn_buffer_append(out, text, (size_t)length))
		abort();
}

/* --- the store by itself: "PAGE NUMBER" --- */

static void store_line(unsigned page, unsigned number, struct prn_buffer *out)
{
	char text[64];

	append(out, text, snprintf(text, sizeof text, "%u %u\n", page, number));
}

static bool store_says(const char *line, unsigned *page, unsigned *number)
{
	return sscanf(line, "%u %u", page, number) == 2;
}

/* --- perennial observe: JSON lines, as a fetcher writes them --- */

#define HOSTS 50
#define BODY_LINES 24

/* Content of which some stays and some is new each time; sometimes all of it is new, which is suspect. */
static void append_body(unsigned page, unsigned number, struct prn_buffer *out)
{
	unsigned odd = number % 31 == 7 ? number : 0;
	char text[128];

	append(out, "\"body\":\"", 8);
	for (unsigned i = 0; i < BODY_LINES; i++)
		append(out, text,
		       snprintf(text, sizeof text, "%x of page %u line %u says this at the time %x and so on. ", odd, page, i,
		                i < 6 ? number : odd));
	append(out, "\"", 1);
}

static void observe_line(unsigned page, unsigned number, struct prn_buffer *out)
{
	int status = number % 17 == 3 ? 304 : number % 23 == 5 ? 500 : number % 37 == 8 ? 404 : number % 101 == 9 ? 429 : 200;
	char text[256];

	append(out, text,
	       snprintf(text, sizeof text,
	                "{\"url\":\"http://h%u.example/%u\",\"time\":%lld,\"status\":%d,\"content_type\":\"text/plain\",",
	                page % HOSTS, page, (long long)soak_time(number), status));
	if (status == 429)
		append(out, "\"retry_after\":3600,", 19);
	append_body(page, number, out);
	append(out, "}\n", 2);
}

static bool observe_says(const char *line, unsigned *page, unsigned *number)
{
	char text[PRN_TIME_TEXT];
	int64_t time;

	if (sscanf(line, "{\"url\":\"http://h%*u.example/%u\",\"time\":\"%31[^\"]\"", page, text) != 2 ||
	    prn_time_parse(text, &time))
		return false;
	*number = soak_number(time);
	return true;
}

/* --- perennial due: a URL that was handed out is leased, and not handed out again --- */

static bool due_says(const char *line, unsigned *page, unsigned *number)
{
	*number = 1;
	return sscanf(line, "http://h%*u.example/%u", page) == 1;
}

static const struct subject subjects[] = {
	{
		.name = "store",
		.make = "soak/keeper make $STORE",
		.write = "exec soak/keeper write $STORE",
		.read = "soak/keeper read $STORE",
		.check = "soak/keeper check $STORE",
		.longest_ms = 150,
		.line = store_line,
		.acknowledged = store_says,
		.found = store_says,
	},
	{
		.name = "observe",
		.make = "./perennial init --state=$STORE",
		.write = "exec ./perennial observe --state=$STORE --now=2999-01-01 --format=json",
		.read = "soak/visits attempts $STORE",
		.check = "./perennial check --state=$STORE",
		.longest_ms = 400,
		.line = observe_line,
		.acknowledged = observe_says,
		.found = store_says,
	},
	{
		/* Eight clients over HTTP; the server dies with its poster. */
		.name = "serve",
		.make = "./perennial init --state=$STORE",
		.write = "exec soak/poster $STORE",
		.read = "soak/visits attempts $STORE",
		.check = "./perennial check --state=$STORE",
		.longest_ms = 400,
		.line = store_line,
		.acknowledged = store_says,
		.found = store_says,
	},
	{
		/*
		 * The same clients give hints, half of them about pages that exist from the beginning, those with even
		 * numbers; and reports among them.
		 */
		.name = "hint",
		.make = "seq 0 2 $((PAGES - 1)) | awk '{ print \"http://h\" $1 % 50 \".example/\" $1 }' | "
		        "./perennial add --create --state=$STORE --now=2026-01-01 2>/dev/null",
		.write = "exec soak/poster $STORE hints",
		.read = "soak/visits hints $STORE",
		.check = "./perennial check --state=$STORE",
		.longest_ms = 400,
		.line = store_line,
		.acknowledged = store_says,
		.found = store_says,
	},
	{
		.name = "due",
		.make = "seq -f http://h0.example/%.0f 0 $((PAGES - 1)) | ./perennial add --create --state=$STORE --now=2026-01-01",
		.write = "exec ./perennial due --state=$STORE --limit=8 --lease=1d --now=2026-02-01 --host-limit=0 --host-delay=0s 2>/dev/null",
		.read = "soak/visits leases $STORE",
		.check = "./perennial check --state=$STORE",
		.takes = 8,
		.acknowledged = due_says,
		.found = store_says,
	},
};

const struct subject *subject_at(unsigned index)
{
	return index < sizeof subjects / sizeof *subjects ? &subjects[index] : NULL;
}
