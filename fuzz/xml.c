/* Reads XML and feeds, with HTML inside them, from any bytes. */
#include "summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_summaries(data, size, "application/rss+xml");
	return 0;
}
