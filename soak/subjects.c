#include "soak/subject.h"

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

static const struct subject subjects[] = {
	{
		.name = "store",
		.make = { "soak/keeper", "make", "STORE" },
		.write = { "soak/keeper", "write", "STORE" },
		.read = { "soak/keeper", "read", "STORE" },
		.check = { "soak/keeper", "check", "STORE" },
		.line = store_line,
		.acknowledged = store_says,
		.found = store_says,
	},
};

const struct subject *subject_at(unsigned index)
{
	return index < sizeof subjects / sizeof *subjects ? &subjects[index] : NULL;
}
