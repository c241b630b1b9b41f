/* Reads a page that was saved by SingleFile or monolith, plain and packed, and what its comment says. */
#include "archive/saved.h"
#include "saved_pages.h"
#include "perennial/time.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct prn_saved saved;

	if (prn_saved_read(&saved, data, size) && saved.time != PRN_TIME_UNKNOWN && (saved.time < PRN_TIME_FIRST || saved.time > PRN_TIME_LAST))
		abort();
	if (size && prn_saved_is_html(data, size))
		read_both_ways(data, size);
	return 0;
}
