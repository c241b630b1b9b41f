/* HTML from any bytes. */
#include "summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_summaries(data, size, "text/html");
	return 0;
}
